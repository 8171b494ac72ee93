// Reads records with tsshogi and measures the time. Standard input: [{format, text}, …]. Standard output: for each
// {main, tree, seconds}, or null where it refuses. Run by tsshogi.rs.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(new URL("../../tests/peers/package.json", import.meta.url));
const tsshogi = require("tsshogi");

const READERS = {
  kif: tsshogi.importKIF,
  ki2: tsshogi.importKI2,
  csa: tsshogi.importCSA,
  jkf: tsshogi.importJKFString,
};

const WARM_UP = 1.5; // seconds, over all records
const ROUNDS = 15;
const ROUNDS_OF_A_LARGE_ONE = 3;
const ROUND = 2e-3; // seconds

const now = () => Number(process.hrtime.bigint()) / 1e9;

/** Returns the hash of a line with one more move, as in readers.rs. */
function add(line, usi) {
  let hash = line ^ 0x2f;
  for (let at = 0; at < usi.length; at += 1) hash = Math.imul(hash ^ usi.charCodeAt(at), 16777619);
  return hash >>> 0;
}

function outline(record) {
  const main = [];
  for (let node = record.first.next; node?.move instanceof tsshogi.Move; node = node.next) main.push(node.move.usi);
  const lines = new Map([[record.first, 2166136261]]);
  const tree = new Set();
  record.forEach((node) => {
    if (!(node.move instanceof tsshogi.Move)) return;
    const line = add(lines.get(node.prev), node.move.usi);
    lines.set(node, line);
    tree.add(line);
  });
  return { main, tree: [...tree].sort((a, b) => a - b) };
}

function measure(read, text) {
  const round = (times) => {
    const start = now();
    for (let i = 0; i < times; i += 1) read(text);
    return (now() - start) / times;
  };
  const times = Math.max(1, Math.ceil(ROUND / round(1)));
  const rounds = text.length > 200_000 ? ROUNDS_OF_A_LARGE_ONE : ROUNDS;
  for (let i = 0; i < rounds / 5; i += 1) round(times);
  const seconds = Array.from({ length: rounds }, () => round(times)).sort((a, b) => a - b);
  return seconds[seconds.length >> 1];
}

const samples = JSON.parse(readFileSync(0, "utf8"));
const readable = samples.filter(({ format, text }) => !(READERS[format](text) instanceof Error));
for (const start = now(); readable.length > 0 && now() - start < WARM_UP; ) {
  for (const { format, text } of readable) READERS[format](text);
}
const answers = samples.map(({ format, text }) => {
  const record = READERS[format](text);
  if (record instanceof Error) return null;
  return { ...outline(record), seconds: measure(READERS[format], text) };
});
process.stdout.write(JSON.stringify(answers));
