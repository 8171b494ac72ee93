// Reads records with both libraries and checks that every comment of the main line is at its own move.
//
// usage: node comments.mjs FOLDER: each line of `expected.jsonl` has `{file, format, comments}`; `comments` has the lines
// of text after each move, beginning with the start.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import jsonKifuFormat from "json-kifu-format";
import * as tsshogi from "tsshogi";

import { decode } from "./readers.mjs";

const { Parsers } = jsonKifuFormat;

function ofTsshogi(record) {
  if (record instanceof Error) throw record;
  const comments = [];
  for (let node = record.first; node && (node.ply === 0 || node.move instanceof tsshogi.Move); node = node.next) {
    comments.push(node.comment.split("\n"));
  }
  return comments;
}

function ofJkf(jkf) {
  return jkf.moves.filter(({ move }, ply) => ply === 0 || move).map(({ comments }) => comments ?? []);
}

const READERS = {
  tsshogi: {
    kif: (text) => ofTsshogi(tsshogi.importKIF(text)),
    csa: (text) => ofTsshogi(tsshogi.importCSA(text)),
    jkf: (text) => ofTsshogi(tsshogi.importJKFString(text)),
  },
  "json-kifu-format": {
    kif: (text) => ofJkf(Parsers.parseKIF(text)),
    // It treats only the `'` of CSA's `'*` as the comment mark.
    csa: (text) => ofJkf(Parsers.parseCSA(text)).map((lines) => lines.map((line) => line.replace(/^\*/, ""))),
    jkf: (text) => ofJkf(JSON.parse(text)),
  },
};

// The last of several lines may be empty or missing.
const plain = (lines) => lines.join("\n").replace(/\n+$/, "");

const folder = process.argv[2];
const lines = readFileSync(join(folder, "expected.jsonl"), "utf8").split("\n").filter((line) => line);
let failures = 0;
const counts = new Map();
for (const { file, format, comments } of lines.map((line) => JSON.parse(line))) {
  const text = decode(file.endsWith(".kif") ? "kif" : format === "kif" ? "kifu" : format, readFileSync(join(folder, file)));
  for (const [name, readers] of Object.entries(READERS)) {
    let read;
    try {
      read = readers[format](text);
    } catch (error) {
      console.log(`${file} ${name}: refused: ${error.message}`);
      failures += 1;
      continue;
    }
    const wrong = comments.findIndex((comment, ply) => plain(comment) !== plain(read[ply] ?? []));
    if (wrong >= 0 || read.length !== comments.length) {
      console.log(`${file} ${name}: after move ${wrong} of ${comments.length - 1}`);
      console.log(`  expected ${JSON.stringify(comments[wrong])}\n  read     ${JSON.stringify(read[wrong])}`);
      failures += 1;
    } else {
      const key = `${format} ${name}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
}
for (const [key, count] of counts) console.log(`${key}: ${count} files with every comment in its place`);
console.log(`${failures} differences`);
process.exitCode = failures || lines.length === 0 ? 1 : 0;
