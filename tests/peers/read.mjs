#!/usr/bin/env node
// Checks that records written by shogibar are read the same by the libraries of other programs.
//
//     node tests/peers/read.mjs FOLDER [--only kif,csa]
//     node tests/peers/read.mjs --self-test
//
// FOLDER has a folder for each format (FORMATS in readers.mjs) with files NAME.EXT, and expected.jsonl, one record a line:
//     {"name":"0001","start":"<sfen>","moves":["7g7f",…],"final":"<sfen>","tree":["7g7f","7g7f 3c3d",…]}
// Exit code 0: all equal; 1: a difference; 2: the folder cannot be read.

import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { FORMATS, READERS, decode, normalSfen } from "./readers.mjs";

const KIF_AND_KI2 = ["kif", "kifu", "ki2", "ki2u"];
const KI2 = ["ki2", "ki2u"];

/**
 * Known defects of the readers. `excuses` lists the excused findings (`refused`, `start`, `moves`, `final`,
 * `tree`). `when` tests whether the text has what the reader fails on. Other findings in such a file still count.
 */
export const EXCEPTIONS = [
  {
    name: "csa-v3",
    reader: "json-kifu-format",
    formats: ["csa3"],
    excuses: ["refused"],
    when: ({ text }) => /^V3/m.test(text),
    reason: "its grammar knows CSA V1 to V2.2",
  },
  {
    name: "bod-ply",
    reader: "json-kifu-format",
    formats: ["bod"],
    excuses: ["refused"],
    when: ({ text }) => /^手数＝/m.test(text),
    reason: "a header line must have a full-width colon",
  },
  {
    name: "ki2-end",
    reader: "json-kifu-format",
    formats: KI2,
    excuses: ["refused"],
    when: ({ text }) => text.split(/\r?\n/).some((line) => line.startsWith("まで") && !JKF_END.test(line)),
    reason: "an end it has no word for refuses the file",
  },
  {
    name: "ki2-same-in-variation",
    reader: "json-kifu-format",
    formats: KI2,
    excuses: ["refused", "tree"],
    when: ({ text }) => {
      const starts = pliesOf(text, /^変化：(\d+)手\r?\n(?:[*&#].*\r?\n)*[▲△]同/gm);
      const all = pliesOf(text, /^変化：(\d+)手/gm);
      return starts.some((ply) => all.includes(ply - 1));
    },
    reason: "同 is resolved by the wrong move where a variation leaves the second move of another",
  },
  {
    name: "ki2-variation-at-end",
    reader: "json-kifu-format",
    formats: KI2,
    excuses: ["refused", "tree"],
    when: ({ text }) => {
      const variations = pliesOf(text, /^変化：(\d+)手/gm);
      return pliesOf(text, /^まで(\d+)手/gm).some((ply) => variations.includes(ply + 1));
    },
    reason: "a variation in place of an end stays without the squares its moves come from",
  },
  {
    name: "ki2-comment-after-end",
    reader: "json-kifu-format",
    formats: KI2,
    excuses: ["refused"],
    when: ({ text }) => /^まで.*\r?\n[*&]/m.test(text),
    reason: "a comment on the end refuses the file",
  },
  {
    name: "handicap",
    reader: "tsshogi",
    formats: KIF_AND_KI2,
    excuses: ["refused", "start", "moves", "final", "tree"],
    when: ({ text }) => /^手合割：(三|五|左五|左七|右七)枚落ち/m.test(text),
    reason: "handicaps it does not know become an even game",
  },
  {
    name: "jkf-handicap",
    reader: "tsshogi",
    formats: ["jkf"],
    excuses: ["refused"],
    when: ({ text }) => /"preset"\s*:\s*"(3|5|5_L|7_L|7_R)"/.test(text),
    reason: "presets it does not know refuse the file",
  },
];

function pliesOf(text, pattern) {
  return [...text.matchAll(pattern)].map(([, ply]) => Number(ply));
}

const JKF_END =
  /^まで\d+手(?:で(?:[先後上下]手の(?:勝ち|反則勝ち|反則負け)|時間切れにより[先後上下]手の勝ち|中断|封じ手|持将棋|千日手|不詰)|で?詰み?)$/;

/** Returns a few items of both lists around their first difference. */
function parting(expected, read) {
  let at = 0;
  while (at < expected.length && expected[at] === read[at]) at += 1;
  const around = (list) => `from ${at + 1}: ${list.slice(Math.max(0, at - 2), at + 4).join(" ") || "(end)"}, ${list.length} in all`;
  return { expected: around(expected), read: around(read) };
}

function treeDifference(expected, read) {
  const there = new Set(read);
  const wanted = new Set(expected);
  const lost = expected.filter((path) => !there.has(path));
  const added = read.filter((path) => !wanted.has(path));
  if (lost.length === 0 && added.length === 0) return null;
  return {
    expected: `${wanted.size} nodes${lost.length ? `, not read: ${lost[0]}` : ""}`,
    read: `${there.size} nodes${added.length ? `, not expected: ${added[0]}` : ""}`,
  };
}

/** Returns the differences of a reading from the record, by aspect. An aspect that the format cannot hold is null. */
function differences(record, reading) {
  const found = [];
  for (const aspect of ["start", "final"]) {
    const expected = normalSfen(record[aspect]);
    if (reading[aspect] !== null && reading[aspect] !== expected) {
      found.push({ aspect, expected, read: reading[aspect] });
    }
  }
  if (reading.moves !== null && reading.moves.join(" ") !== record.moves.join(" ")) {
    found.push({ aspect: "moves", ...parting(record.moves, reading.moves) });
  }
  const tree = reading.tree === null ? null : treeDifference(record.tree, reading.tree);
  if (tree) found.push({ aspect: "tree", ...tree });
  return found;
}

function findings(record, read, text) {
  try {
    return differences(record, read(text));
  } catch (error) {
    const message = String(error?.message ?? error).split("\n")[0];
    return [{ aspect: "refused", expected: `${record.moves.length} moves`, read: message }];
  }
}

function exceptionFor(found, about) {
  return EXCEPTIONS.find(
    (each) =>
      each.reader === about.reader &&
      each.formats.includes(about.format) &&
      each.excuses.includes(found.aspect) &&
      each.when(about),
  );
}

/** Returns the files of a format by record name, or null without the folder. */
function filesOf(folder, format) {
  const path = join(folder, format);
  if (!existsSync(path)) return null;
  return new Map(readdirSync(path).map((file) => [file.replace(/\.[^.]*$/, ""), join(path, file)]));
}

class Report {
  counts = new Map();
  excused = new Map(EXCEPTIONS.map(({ name }) => [name, 0]));
  differences = [];

  difference(name, format, reader, found) {
    this.differences.push({ name, format, reader, ...found });
  }

  count(format, reader, outcome) {
    const key = `${format} ${reader}`;
    const counts = this.counts.get(key) ?? { alike: 0, excused: 0, different: 0 };
    counts[outcome] += 1;
    this.counts.set(key, counts);
  }

  /** Adds one file by one reader: its findings without the excused ones. Counts an exception once for each file. */
  file(record, format, reader, text) {
    const read = READERS[reader][format];
    const about = { record, format, reader, text };
    let outcome = "alike";
    const used = new Set();
    for (const found of findings(record, read, text)) {
      const exception = exceptionFor(found, about);
      if (exception) {
        used.add(exception.name);
        if (outcome === "alike") outcome = "excused";
      } else {
        this.difference(record.name, format, reader, found);
        outcome = "different";
      }
    }
    for (const name of used) this.excused.set(name, this.excused.get(name) + 1);
    this.count(format, reader, outcome);
  }
}

function checkRecord(report, record, format, path) {
  let text;
  try {
    if (!path) throw new Error("no file");
    text = decode(format, readFileSync(path));
    if (text.trim() === "") throw new Error("empty file");
  } catch (error) {
    report.difference(record.name, format, "-", { aspect: "file", expected: "a file in the format's encoding", read: error.message });
    return;
  }
  for (const reader of Object.keys(READERS)) {
    if (READERS[reader][format]) report.file(record, format, reader, text);
  }
}

export function check(folder, formats = FORMATS) {
  const lines = readFileSync(join(folder, "expected.jsonl"), "utf8").split("\n").filter((line) => line.trim());
  const records = lines.map((line) => JSON.parse(line));
  const report = new Report();
  for (const format of formats) {
    const files = filesOf(folder, format);
    if (!files) {
      report.difference("-", format, "-", { aspect: "file", expected: "a folder", read: "none" });
      continue;
    }
    for (const record of records) checkRecord(report, record, format, files.get(record.name));
  }
  if (records.length === 0) {
    report.difference("-", "-", "-", { aspect: "file", expected: "records in expected.jsonl", read: "none" });
  }
  return report;
}

function print(report, formats) {
  for (const { name, format, reader, aspect, expected, read } of report.differences.slice(0, 20)) {
    console.log(`${name} ${format} ${reader}: ${aspect}\n  expected ${expected}\n  read     ${read}`);
  }
  const more = report.differences.length - 20;
  if (more > 0) console.log(`… and ${more} more differences`);
  for (const { name, reader, formats: of, reason } of EXCEPTIONS) {
    console.log(`exception ${name}: ${report.excused.get(name)} × ${reader} ${of.join("/")}: ${reason}`);
  }
  for (const format of formats) console.log(`${format.padEnd(4)} ${countsOf(report, format)}`);
  console.log(`${report.differences.length} differences`);
}

function countsOf(report, format) {
  const told = Object.keys(READERS).map((reader) => {
    if (!READERS[reader][format]) return `${reader} has no reader`;
    const { alike, excused, different } = report.counts.get(`${format} ${reader}`) ?? { alike: 0, excused: 0, different: 0 };
    return `${reader} ${alike} of ${alike + excused + different} alike${excused ? `, ${excused} excused` : ""}`;
  });
  return told.join("; ");
}

async function main(args) {
  if (args[0] === "--self-test") {
    const { selfTest } = await import("./self-test.mjs");
    return (await selfTest(check)) ? 0 : 1;
  }
  const only = args.indexOf("--only");
  const formats = only < 0 ? FORMATS : (args[only + 1] ?? "").split(",");
  const unknown = formats.filter((format) => !FORMATS.includes(format));
  if (args.length === 0 || unknown.length > 0) {
    console.error("usage: node read.mjs FOLDER [--only kif,csa,…] | --self-test");
    return 2;
  }
  try {
    const report = check(args[0], formats);
    print(report, formats);
    return report.differences.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(`${args[0]}: ${error.message}`);
    return 2;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await main(process.argv.slice(2));
