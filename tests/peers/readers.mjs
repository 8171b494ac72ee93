// Both libraries behind one interface: `{start, moves, final, tree}`, positions as SFEN without the move number.
//
// A reader throws the library's error when it refuses a text. `tree` is null where the format has no variations.

import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

import Ajv2020 from "ajv/dist/2020.js";
import jsonKifuFormat from "json-kifu-format";
import * as tsshogi from "tsshogi";

const { JKFPlayer, Parsers, Shogi } = jsonKifuFormat;

const HAND_ORDER = "RBGSNLP";

/** Returns board, side and hand. The hand is in SFEN's order; there is no move number, as most formats have none. */
export function normalSfen(sfen) {
  const [board, side, hand = "-"] = sfen.trim().split(/\s+/);
  const counts = new Map();
  for (const [, count, piece] of hand.matchAll(/(\d*)([A-Za-z])/g)) {
    counts.set(piece, (counts.get(piece) ?? 0) + Number(count || 1));
  }
  const inOrder = (HAND_ORDER + HAND_ORDER.toLowerCase()).split("").filter((piece) => counts.get(piece));
  const text = inOrder.map((piece) => (counts.get(piece) > 1 ? counts.get(piece) : "") + piece).join("");
  return `${board} ${side} ${text || "-"}`;
}

function accepted(value) {
  if (value instanceof Error) throw value;
  return value;
}

function fromTsshogi(record) {
  accepted(record);
  const moves = [];
  let node = record.first.next;
  for (; node?.move instanceof tsshogi.Move; node = node.next) moves.push(node.move.usi);
  const paths = new Map([[record.first, []]]);
  const tree = [];
  record.forEach((each) => {
    if (!(each.move instanceof tsshogi.Move)) return;
    const path = [...paths.get(each.prev), each.move.usi];
    paths.set(each, path);
    tree.push(path.join(" "));
  });
  const start = normalSfen(record.initialPosition.sfen);
  record.resetAllBranchSelection();
  record.goto(moves.length);
  return { start, moves, final: normalSfen(record.position.sfen), tree };
}

function tsshogiPosition(position) {
  if (!position) throw new Error("no SFEN");
  return positionOnly(normalSfen(position.sfen));
}

function positionOnly(sfen) {
  return { start: null, moves: null, final: sfen, tree: null };
}

const withoutTree = (reading) => ({ ...reading, tree: null });

const USI_LETTER = { FU: "P", KY: "L", KE: "N", GI: "S", KI: "G", KA: "B", HI: "R" };

function usiOfJkf({ from, to, piece, promote }) {
  const square = ({ x, y }) => `${x}${"abcdefghi"[y - 1]}`;
  return (from ? square(from) : `${USI_LETTER[piece]}*`) + square(to) + (promote ? "+" : "");
}

/** Plays a JKF on a board of shogi.js, so that a move that cannot be played or undone is an error. */
function fromJkf(jkf) {
  const shogi = new JKFPlayer(jkf).shogi;
  const sfen = () => normalSfen(shogi.toSFENString(1));
  const reading = { start: sfen(), moves: [], final: null, tree: [] };
  const walk = (line, before) => {
    const path = [...before];
    const played = [];
    for (const { move, forks } of line) {
      for (const fork of forks ?? []) walk(fork, path);
      if (!move) continue;
      JKFPlayer.doMove(shogi, move);
      played.push(move);
      path.push(usiOfJkf(move));
      reading.tree.push(path.join(" "));
    }
    if (line === jkf.moves) {
      reading.moves = path;
      reading.final = sfen();
    }
    for (const move of played.reverse()) JKFPlayer.undoMove(shogi, move);
  };
  walk(jkf.moves, []);
  if (sfen() !== reading.start) throw new Error("taking the moves back does not lead to the start");
  return reading;
}

function shogiJsPosition(sfen) {
  const shogi = new Shogi.Shogi();
  shogi.initializeFromSFENString(sfen.trim());
  return positionOnly(normalSfen(shogi.toSFENString(1)));
}

const jkfSchema = (() => {
  const path = createRequire(import.meta.url).resolve("json-kifu-format/specification/json-kifu-format.schema.json");
  return new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(path, "utf8")));
})();

function validJkf(text) {
  const jkf = JSON.parse(text);
  if (!jkfSchema(jkf)) {
    const { instancePath, message } = jkfSchema.errors[0];
    throw new Error(`not valid by the schema: ${instancePath || "/"} ${message}`);
  }
  return jkf;
}

const tsshogiKif = (text) => fromTsshogi(tsshogi.importKIF(text));
const tsshogiKi2 = (text) => fromTsshogi(tsshogi.importKI2(text));
const tsshogiCsa = (text) => withoutTree(fromTsshogi(tsshogi.importCSA(text)));
const jkfKif = (text) => fromJkf(Parsers.parseKIF(text));
const jkfKi2 = (text) => fromJkf(Parsers.parseKI2(text));
const jkfCsa = (text) => withoutTree(fromJkf(Parsers.parseCSA(text)));

/** The readers of each library, by folder. A missing format has no reader in that library. */
export const READERS = {
  tsshogi: {
    kif: tsshogiKif,
    kifu: tsshogiKif,
    ki2: tsshogiKi2,
    ki2u: tsshogiKi2,
    csa: tsshogiCsa,
    csa3: tsshogiCsa,
    jkf: (text) => fromTsshogi(tsshogi.importJKFString(text)),
    usi: (text) => withoutTree(fromTsshogi(tsshogi.Record.newByUSI(text.trim()))),
    sfen: (text) => tsshogiPosition(tsshogi.Position.newBySFEN(text.trim())),
    bod: (text) => tsshogiPosition(accepted(tsshogi.importKIF(text)).initialPosition),
  },
  "json-kifu-format": {
    kif: jkfKif,
    kifu: jkfKif,
    ki2: jkfKi2,
    ki2u: jkfKi2,
    csa: jkfCsa,
    csa3: jkfCsa,
    jkf: (text) => fromJkf(validJkf(text)),
    sfen: shogiJsPosition,
    bod: (text) => positionOnly(fromJkf(Parsers.parseKIF(text)).start),
  },
};

/** Every folder, in the order of the printed counts. */
export const FORMATS = ["kif", "kifu", "ki2", "ki2u", "csa", "csa3", "jkf", "usi", "sfen", "psn", "bod"];

/** Decodes a file. `.kif` and `.ki2` are Shift_JIS by definition; shogibar writes all other formats as UTF-8. */
export function decode(format, bytes) {
  const encoding = format === "kif" || format === "ki2" ? "shift_jis" : "utf-8";
  return new TextDecoder(encoding, { fatal: true }).decode(bytes);
}
