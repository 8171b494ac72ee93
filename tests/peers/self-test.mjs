// Tests that read.mjs detects errors: with records written by hand in every format, each then damaged in one way.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { FORMATS, READERS } from "./readers.mjs";

const EVEN = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

const TREE_KIF = `手合割：平手
先手：あ
後手：い
手数----指手---------消費時間--
*始めに
   1 ７六歩(77)   ( 0:16/00:00:16)+
   2 ３四歩(33)   ( 0:00/00:00:00)+
*二手目
   3 ２六歩(27)   ( 0:01/00:00:17)
   4 投了         ( 0:01/00:00:01)
まで3手で先手の勝ち

変化：2手
   2 ８四歩(83)   ( 0:00/00:00:00)
   3 ６八銀(79)   ( 0:00/00:00:16)+
   4 ３四歩(33)   ( 0:00/00:00:00)

変化：3手
   3 ７八金(69)   ( 0:00/00:00:16)

変化：1手
   1 ２六歩(27)   ( 0:00/00:00:00)
`;

const TREE_KI2 = `手合割：平手
先手：あ
後手：い
*始めに
▲７六歩    △３四歩
*二手目
▲２六歩
まで3手で先手の勝ち

変化：2手
△８四歩    ▲６八銀    △３四歩

変化：3手
▲７八金

変化：1手
▲２六歩
`;

const step = (color, from, to, piece, more = {}) => ({
  move: { color, from: { x: from[0], y: from[1] }, to: { x: to[0], y: to[1] }, piece, ...more },
});

const TREE_JKF = {
  header: { 先手: "あ", 後手: "い" },
  initial: { preset: "HIRATE" },
  moves: [
    { comments: ["始めに"] },
    { ...step(0, [7, 7], [7, 6], "FU"), forks: [[step(0, [2, 7], [2, 6], "FU")]] },
    {
      ...step(1, [3, 3], [3, 4], "FU"),
      comments: ["二手目"],
      forks: [
        [
          step(1, [8, 3], [8, 4], "FU"),
          { ...step(0, [7, 9], [6, 8], "GI"), forks: [[step(0, [6, 9], [7, 8], "KI")]] },
          step(1, [3, 3], [3, 4], "FU"),
        ],
      ],
    },
    step(0, [2, 7], [2, 6], "FU"),
    { special: "TORYO" },
  ],
};

const TREE = {
  name: "tree",
  start: EVEN,
  moves: ["7g7f", "3c3d", "2g2f"],
  final: "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4",
  tree: [
    "7g7f", "7g7f 3c3d", "7g7f 3c3d 2g2f", "7g7f 8c8d", "7g7f 8c8d 7i6h", "7g7f 8c8d 7i6h 3c3d", "7g7f 8c8d 6i7h", "2g2f",
  ],
  kif: TREE_KIF,
  ki2: TREE_KI2,
  csa: "V2.2\nN+a\nN-b\n$EVENT:x\nPI\n+\n'*first\n+7776FU\nT16\n-3334FU\nT0\n'*second\n+2726FU\nT1\n%TORYO\nT1\n",
  jkf: TREE_JKF,
  usi: "position startpos moves 7g7f 3c3d 2g2f",
  bod: `後手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂v銀v金v玉v金v銀v桂v香|一
| ・v飛 ・ ・ ・ ・ ・v角 ・|二
|v歩v歩v歩v歩v歩v歩 ・v歩v歩|三
| ・ ・ ・ ・ ・ ・v歩 ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ 歩 ・ ・ ・ ・ 歩 ・|六
| 歩 歩 ・ 歩 歩 歩 歩 ・ 歩|七
| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 玉 金 銀 桂 香|九
+---------------------------+
先手の持駒：なし
手数＝3  ▲２六歩  まで
後手番
`,
};

const DROP = {
  name: "drop",
  start: EVEN,
  moves: ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"],
  final: "lnsgkg1nl/1r5s1/pppppp1pp/6p2/5B3/2P6/PP1PPPPPP/7R1/LNSGKGSNL w b 6",
  kif: `手合割：平手
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:00/00:00:00)
   2 ３四歩(33)   ( 0:00/00:00:00)
   3 ２二角成(88) ( 0:00/00:00:00)
   4 同　銀(31)   ( 0:00/00:00:00)
   5 ４五角打     ( 0:00/00:00:00)
   6 中断         ( 0:00/00:00:00)
まで5手で中断
`,
  ki2: "手合割：平手\n▲７六歩    △３四歩    ▲２二角成  △同　銀    ▲４五角\nまで5手で中断\n",
  csa: "V2.2\nPI\n+\n+7776FU\nT0\n-3334FU\nT0\n+8822UM\nT0\n-3122GI\nT0\n+0045KA\nT0\n%CHUDAN\n",
  jkf: {
    header: {},
    initial: { preset: "HIRATE" },
    moves: [
      {},
      step(0, [7, 7], [7, 6], "FU"),
      step(1, [3, 3], [3, 4], "FU"),
      step(0, [8, 8], [2, 2], "KA", { promote: true, capture: "KA" }),
      step(1, [3, 1], [2, 2], "GI", { same: true, capture: "UM" }),
      { move: { color: 0, to: { x: 4, y: 5 }, piece: "KA" } },
      { special: "CHUDAN" },
    ],
  },
  usi: "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*4e",
  bod: `後手の持駒：角　
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂v銀v金v玉v金 ・v桂v香|一
| ・v飛 ・ ・ ・ ・ ・v銀 ・|二
|v歩v歩v歩v歩v歩v歩 ・v歩v歩|三
| ・ ・ ・ ・ ・ ・v歩 ・ ・|四
| ・ ・ ・ ・ ・ 角 ・ ・ ・|五
| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六
| 歩 歩 ・ 歩 歩 歩 歩 歩 歩|七
| ・ ・ ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 玉 金 銀 桂 香|九
+---------------------------+
先手の持駒：なし
手数＝5  ▲４五角  まで
後手番
`,
};

const HANDICAP = {
  name: "handicap",
  start: "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
  moves: ["7a6b", "7g7f"],
  final: "ln1gkgsnl/3s5/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 3",
  kif: `手合割：二枚落ち
下手：あ
上手：い
手数----指手---------消費時間--
   1 ６二銀(71)   ( 0:00/00:00:00)
   2 ７六歩(77)   ( 0:00/00:00:00)
`,
  ki2: "手合割：二枚落ち\n下手：あ\n上手：い\n△６二銀    ▲７六歩\n",
  csa: "V2.2\nPI82HI22KA\n-\n-7162GI\nT0\n+7776FU\nT0\n",
  jkf: {
    header: { 下手: "あ" },
    initial: { preset: "2" },
    moves: [{}, step(1, [7, 1], [6, 2], "GI"), step(0, [7, 7], [7, 6], "FU")],
  },
  usi: "position sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 7a6b 7g7f",
  bod: `上手の持駒：なし
  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
|v香v桂 ・v金v玉v金v銀v桂v香|一
| ・ ・ ・v銀 ・ ・ ・ ・ ・|二
|v歩v歩v歩v歩v歩v歩v歩v歩v歩|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六
| 歩 歩 ・ 歩 歩 歩 歩 歩 歩|七
| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八
| 香 桂 銀 金 玉 金 銀 桂 香|九
+---------------------------+
下手の持駒：なし
手数＝2  ▲７六歩  まで
上手番
`,
};

const MATE_BOARD = `  ９ ８ ７ ６ ５ ４ ３ ２ １
+---------------------------+
| ・ ・ ・ ・v玉 ・ ・ ・ ・|一
| ・ ・ ・ ・ ・ ・ ・ ・ ・|二
| ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
| ・ ・ ・ ・ ・ ・ ・ ・ ・|四
| ・ ・ ・ ・ ・ ・ ・ ・ ・|五
| ・ ・ ・ ・ ・ ・ ・ ・ ・|六
| ・ ・ ・ ・ ・ ・ ・ ・ ・|七
| ・ ・ ・ ・ ・ ・ ・ ・ ・|八
| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
+---------------------------+
`;
const MATE_HANDS = ["後手の持駒：飛二　角二　金三　銀四　桂四　香四　歩十七　\n", "先手の持駒：金　\n先手番\n"];
const MATE = {
  name: "mate",
  start: "4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1",
  moves: ["G*5b"],
  final: "4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s4n4l17p 2",
  kif: `手合割：その他　
${MATE_HANDS[0]}${MATE_BOARD}${MATE_HANDS[1]}手数----指手---------消費時間--
   1 ５二金打     ( 0:00/00:00:00)
   2 詰み         ( 0:00/00:00:00)
まで1手で詰み
`,
  ki2: `${MATE_HANDS[0]}${MATE_BOARD}${MATE_HANDS[1]}▲５二金\nまで1手で詰み\n`,
  csa: "V2.2\nP1 *  *  *  * -OU *  *  *  * \nP2 *  *  *  *  *  *  *  *  * \nP3 *  *  *  * +FU *  *  *  * \nP4 *  *  *  *  *  *  *  *  * \nP5 *  *  *  *  *  *  *  *  * \nP6 *  *  *  *  *  *  *  *  * \nP7 *  *  *  *  *  *  *  *  * \nP8 *  *  *  *  *  *  *  *  * \nP9 *  *  *  * +OU *  *  *  * \nP+00KI\nP-00AL\n+\n+0052KI\nT0\n%TSUMI\n",
  jkf: {
    header: {},
    initial: {
      preset: "OTHER",
      data: {
        color: 0,
        board: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((file) =>
          [1, 2, 3, 4, 5, 6, 7, 8, 9].map((rank) => {
            if (file !== 5) return {};
            return { 1: { color: 1, kind: "OU" }, 3: { color: 0, kind: "FU" }, 9: { color: 0, kind: "OU" } }[rank] ?? {};
          }),
        ),
        hands: [
          { FU: 0, KY: 0, KE: 0, GI: 0, KI: 1, KA: 0, HI: 0 },
          { FU: 17, KY: 4, KE: 4, GI: 4, KI: 3, KA: 2, HI: 2 },
        ],
      },
    },
    moves: [{}, { move: { color: 0, to: { x: 5, y: 2 }, piece: "KI" } }, { special: "TSUMI" }],
  },
  usi: "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1 moves G*5b",
  bod: `${MATE_HANDS[0]}${MATE_BOARD.replace("| ・ ・ ・ ・ ・ ・ ・ ・ ・|二", "| ・ ・ ・ ・ 金 ・ ・ ・ ・|二")}先手の持駒：なし\n手数＝1  ▲５二金  まで\n後手番\n`,
};

/** A handicap that tsshogi does not know: read by json-kifu-format, and an exception for tsshogi. */
const UNKNOWN_HANDICAP = {
  name: "three",
  start: "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
  moves: ["7a6b"],
  final: "ln1gkgsn1/3s5/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 2",
  kif: "手合割：三枚落ち\n手数----指手---------消費時間--\n   1 ６二銀(71)   ( 0:00/00:00:00)\n",
  ki2: "手合割：三枚落ち\n△６二銀\n",
  csa: "V2.2\nPI82HI22KA11KY\n-\n-7162GI\nT0\n",
  jkf: { header: {}, initial: { preset: "3" }, moves: [{}, step(1, [7, 1], [6, 2], "GI")] },
  usi: "position sfen lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 7a6b",
  bod: HANDICAP.bod
    .replace("v桂v香|一", "v桂 ・|一")
    .replace("| ・ ・ 歩 ・ ・ ・ ・ ・ ・|六", "| ・ ・ ・ ・ ・ ・ ・ ・ ・|六")
    .replace("歩 歩 ・ 歩 歩 歩 歩 歩 歩|七", "歩 歩 歩 歩 歩 歩 歩 歩 歩|七")
    .replace("手数＝2  ▲７六歩", "手数＝1  △６二銀")
    .replace("上手番", "下手番"),
};

const RECORDS = [TREE, DROP, HANDICAP, MATE, UNKNOWN_HANDICAP];
/** The cases that a reader always refuses, by name in EXCEPTIONS. */
const BLIND = { tsshogi: [], "json-kifu-format": ["csa3", "bod"] };

/** Returns the files of a record as text, by format. */
function filesOf(record) {
  return {
    kif: record.kif,
    kifu: record.kif,
    ki2: record.ki2,
    ki2u: record.ki2,
    csa: record.csa,
    csa3: `'CSA encoding=UTF-8\n${record.csa.replace("V2.2", "V3.0")}`,
    jkf: JSON.stringify(record.jkf),
    usi: `${record.usi}\n`,
    sfen: `${record.final}\n`,
    psn: `[Sente "a"]\n[Gote "b"]\n[SFEN "${record.start}"]\n`,
    bod: record.bod,
  };
}

/** Node decodes Shift_JIS but does not encode it, so the table is built from the decoder. */
const shiftJis = (() => {
  const decoder = new TextDecoder("shift_jis");
  const bytes = new Map();
  for (let lead = 0x81; lead <= 0xfc; lead += 1) {
    if (lead >= 0xa0 && lead <= 0xdf) continue;
    for (let trail = 0x40; trail <= 0xfc; trail += 1) {
      const text = decoder.decode(Uint8Array.of(lead, trail));
      if (text.length === 1 && !bytes.has(text)) bytes.set(text, [lead, trail]);
    }
  }
  return (text) => Buffer.from([...text].flatMap((char) => bytes.get(char) ?? [char.codePointAt(0)]));
})();

const sub = (old, fresh) => (text) => {
  if (!text.includes(old)) throw new Error(`the self-test's own ${JSON.stringify(old)} is not in its file`);
  return text.replace(old, fresh);
};
const cut = (mark) => (text) => text.slice(0, text.indexOf(mark));
const both = (formats, change) => Object.fromEntries(formats.map((format) => [format, change]));
const NO_FORKS = (text) => JSON.stringify(JSON.parse(text, (key, value) => (key === "forks" ? undefined : value)));

/** A kind of damage: its record, the finding that it must give, and the damaged file in each format. */
const SPOILT = [
  {
    what: "a wrong move",
    record: "tree",
    aspects: ["moves", "final"],
    changes: {
      ...both(["kif", "kifu"], sub("   3 ２六歩(27)", "   3 １六歩(17)")),
      ...both(["ki2", "ki2u"], sub("*二手目\n▲２六歩", "*二手目\n▲１六歩")),
      ...both(["csa", "csa3"], sub("+2726FU", "+1716FU")),
      jkf: sub('{"move":{"color":0,"from":{"x":2,"y":7},"to":{"x":2,"y":6},"piece":"FU"}},{"special"', '{"move":{"color":0,"from":{"x":1,"y":7},"to":{"x":1,"y":6},"piece":"FU"}},{"special"'),
      usi: sub("2g2f", "1g1f"),
      sfen: sub("2P4P1", "2P5P"),
      bod: sub("歩 ・ ・ ・ ・ 歩 ・|六", "歩 ・ ・ ・ ・ ・ 歩|六"),
    },
  },
  {
    what: "a wrong promotion",
    record: "drop",
    aspects: ["moves", "final", "refused"],
    changes: {
      ...both(["kif", "kifu"], sub("２二角成(88)", "２二角(88)  ")),
      ...both(["ki2", "ki2u"], sub("▲２二角成", "▲２二角不成")),
      csa: sub("+8822UM", "+8822KA"),
      jkf: sub('"promote":true,', ""),
      usi: sub("8h2b+", "8h2b"),
    },
  },
  {
    what: "a move lost at the end",
    record: "handicap",
    aspects: ["moves", "final"],
    changes: {
      ...both(["kif", "kifu"], cut("   2 ")),
      ...both(["ki2", "ki2u"], sub("    ▲７六歩", "")),
      csa: cut("+7776FU"),
      jkf: sub(',{"move":{"color":0,"from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}}', ""),
      usi: sub(" 7g7f", ""),
    },
  },
  {
    what: "lost variations",
    record: "tree",
    aspects: ["tree"],
    changes: { ...both(["kif", "kifu", "ki2", "ki2u"], cut("\n変化：2手")), jkf: NO_FORKS },
  },
  {
    what: "a lost inner variation",
    record: "tree",
    aspects: ["tree"],
    changes: {
      ...both(["kif", "kifu"], sub("変化：3手\n   3 ７八金(69)   ( 0:00/00:00:16)\n", "")),
      ...both(["ki2", "ki2u"], sub("変化：3手\n▲７八金\n", "")),
      jkf: sub(',"forks":[[{"move":{"color":0,"from":{"x":6,"y":9},"to":{"x":7,"y":8},"piece":"KI"}}]]', ""),
    },
  },
  {
    what: "a variation on the wrong line",
    record: "tree",
    aspects: ["tree"],
    changes: both(["kif", "kifu"], (text) => {
      const [head, second, third, first] = text.split("\n\n");
      return [head, third, second, first].join("\n\n");
    }),
  },
  {
    what: "a wrong start",
    record: "handicap",
    aspects: ["start"],
    changes: {
      ...both(["kif", "kifu", "ki2", "ki2u"], sub("二枚落ち", "飛車落ち")),
      ...both(["csa", "csa3"], sub("PI82HI22KA", "PI82HI")),
      jkf: sub('"preset":"2"', '"preset":"HI"'),
      usi: sub("lnsgkgsnl/9/", "lnsgkgsnl/7b1/"),
    },
  },
  {
    what: "a wrong hand",
    record: "mate",
    aspects: ["start", "final"],
    changes: {
      ...both(["kif", "kifu", "ki2", "ki2u", "bod"], sub("飛二", "飛")),
      csa: sub("P-00AL", "P-00KI"),
      jkf: sub('"HI":2', '"HI":1'),
      usi: sub("2r2b", "r2b"),
      sfen: sub("2r2b", "r2b"),
    },
  },
  {
    what: "the wrong side to move",
    record: "mate",
    aspects: ["start", "final", "refused"],
    changes: {
      ...both(["kif", "kifu"], sub("先手番", "後手番")),
      bod: sub("後手番", "先手番"),
      sfen: sub(" w ", " b "),
      usi: sub(" b ", " w "),
    },
  },
  {
    what: "a file that is not valid by the schema",
    record: "drop",
    aspects: ["refused"],
    readers: ["json-kifu-format"],
    changes: { jkf: sub('"header":{}', '"header":{"a":1}') },
  },
  {
    what: "a file no one can read",
    record: "drop",
    aspects: ["refused", "moves", "start", "final"],
    changes: { ...both(["kif", "kifu", "ki2", "ki2u", "csa", "usi", "sfen", "bod"], () => "?\n"), jkf: () => "{" },
  },
];

const EXCUSED = "csa-v3 5,bod-ply 5,handicap 4,jkf-handicap 1";

function write(folder, spoilt) {
  const expected = RECORDS.map(({ name, start, moves, final, tree }) => {
    const line = moves.map((_, at) => moves.slice(0, at + 1).join(" "));
    return JSON.stringify({ name, start, moves, final, tree: tree ?? line });
  });
  for (const format of FORMATS) mkdirSync(join(folder, format), { recursive: true });
  writeFileSync(join(folder, "expected.jsonl"), `${expected.join("\n")}\n`);
  for (const record of RECORDS) {
    for (const [format, text] of Object.entries(filesOf(record))) {
      const change = (spoilt?.record === record.name && spoilt.changes[format]) || ((same) => same);
      const bytes = format === "kif" || format === "ki2" ? shiftJis(change(text)) : Buffer.from(change(text));
      writeFileSync(join(folder, format, `${record.name}.${format}`), bytes);
    }
  }
}

/** Returns the expected findings for a damaged record that a report does not have. */
function unnoticed(report, spoilt) {
  const missed = [];
  for (const format of Object.keys(spoilt.changes)) {
    for (const reader of spoilt.readers ?? Object.keys(READERS)) {
      if (!READERS[reader][format] || BLIND[reader].includes(format)) continue;
      const seen = report.differences.some(
        (each) =>
          each.name === spoilt.record && each.format === format && each.reader === reader && spoilt.aspects.includes(each.aspect),
      );
      if (!seen) missed.push(`${format} by ${reader}`);
    }
  }
  const others = report.differences.filter(({ name, format }) => name !== spoilt.record || !(format in spoilt.changes));
  return [...missed, ...others.map(({ name, format, reader, aspect }) => `${aspect} of ${name} ${format} by ${reader}, which is sound`)];
}

/** Runs `check` on the records, intact and damaged. Returns true when every report is as expected. */
export async function selfTest(check) {
  const root = mkdtempSync(join(tmpdir(), "shogibar-peers-"));
  let good = true;
  const tell = (what, problems) => {
    good &&= problems.length === 0;
    console.log(`${problems.length === 0 ? "ok" : "FAILED"} ${what}${problems.map((problem) => `\n  ${problem}`).join("")}`);
  };
  try {
    write(join(root, "sound"));
    const sound = check(join(root, "sound"));
    const said = ({ name, format, reader, aspect, expected, read }) => `${name} ${format} ${reader} ${aspect}: ${expected} | ${read}`;
    tell(`${RECORDS.length} sound records are read alike`, sound.differences.map(said));
    const used = [...sound.excused].filter(([, count]) => count > 0).map(([name, count]) => `${name} ${count}`);
    tell("what is excused is counted by name", used.join() === EXCUSED ? [] : [used.join()]);
    for (const spoilt of SPOILT) {
      const folder = join(root, spoilt.what);
      write(folder, spoilt);
      tell(`${spoilt.what} is noticed in ${Object.keys(spoilt.changes).join(" ")}`, unnoticed(check(folder), spoilt));
    }
    rmSync(join(root, "sound", "psn", "drop.psn"));
    rmSync(join(root, "sound", "csa"), { recursive: true });
    const missing = check(join(root, "sound")).differences.map(({ name, format }) => `${name} ${format}`);
    tell("a missing file and a missing folder are noticed", missing.join() === "- csa,drop psn" ? [] : [missing.join()]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  return good;
}
