#!/usr/bin/env python3
"""Remakes the fonts beside this file; README.md says what they are.

    pip install fonttools==4.68.0
    python3 assets/fonts/subset.py [SANS.tgz SERIF.tgz]

Without arguments the packages are taken from the public npm registry by `npm pack`.
"""

import hashlib
import pathlib
import subprocess
import sys
import tarfile
import tempfile

from fontTools import subset
from fontTools.ttLib import TTFont

SANS = "@expo-google-fonts/noto-sans-jp@0.4.3"
SERIF = "@expo-google-fonts/noto-serif-jp@0.4.3"
HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / "src"

# The file, the package it is from, the face there and its SHA-256.
FONTS = {
    "NotoSansJP-Regular": (SANS, "package/400Regular/NotoSansJP_400Regular.ttf", "d930d5d52d15231c283089760f84584272ad5e37e14607ba0d19c798e7a9caec"),
    "NotoSansJP-Bold": (SANS, "package/700Bold/NotoSansJP_700Bold.ttf", "c5b7b9d6a6eb682b0d4e6bbb38509575fd2759a28f147daa74714d1359a7909e"),
    "NotoSerifJP-Pieces": (SERIF, "package/900Black/NotoSerifJP_900Black.ttf", "402a1b5da64616eb83e28a4737565573c44bccccfa859eb586a0588492b87c8e"),
}

# What is written on pieces, 王将 and と金 included, and beside the board.
PIECES = "王玉将飛車角行金銀桂馬香歩兵龍竜馬と成全圭杏０１２３４５６７８９一二三四五六七八九"

# Name kanji that Shift_JIS cannot hold.
NAME_KANJI = "𠮷濵彥靑淸敎廣德瀨髙﨑神祥福禎穀突節縣栁桒𣘺𠀋乹仭俠俱剝噓塡頰姸屛幷攢摑擊擱昻晢栃橳瀆瘦祂禱簞緣繡繫羿莱蔣虛蟬蠟褚軀醱醬麴黃黑"

# What numbers, moves and short labels are made of; the bold face falls back to the regular one.
MOVES = (
    "〇一二三四五六七八九十百同打成不生左右直上寄引行入下"
    "歩香桂銀金角飛玉王と杏圭全馬龍竜竜卜"
    "☗☖⛊⛉▲△▼▽▶◀●○◎■□★☆→←↑↓…‥・、。「」『』（）【】〔〕［］｛｝〈〉《》　：；！？＋－−×÷±＝≒≠≦≧＜＞∞％／＼～〜＊＃＆＠｜‖–—―‘’“”"
)
LABELS = (
    "先後手下上勝負敗詰必至王手千日持将棋投了中断反則切入玉宣言引分封最大数局開始終局待合対戦局面駒落平香角飛枚左右"
    "互角有利不利優勢劣勢敗勢決定的形評価値率勝率最善候補読筋深探索節点毎秒時間残消費緩疑問悪好妙次本譜変化棋譜再検討解析分析"
    "前後回転表示非隠設定終了開閉保存新規一覧選択停止中思考無限準備起動接続失敗成功待機更新"
    "秒分時年月日人名段級冠位戦第期戦局竜叡棋聖王座名人位女流杯予本選挑者"
    "〇零壱弐参白黒番差以上未満約即勢込"
)


def ranges(*pairs):
    return {chr(c) for first, last in pairs for c in range(first, last + 1)}


def shift_jis():
    """Every character of Windows' Shift_JIS: JIS X 0208 (levels 1 and 2) and the vendors' additions."""
    singles = [bytes([b]) for b in range(0xA1, 0xE0)]
    leads = [*range(0x81, 0xA0), *range(0xE0, 0xFD)]
    trails = [*range(0x40, 0x7F), *range(0x80, 0xFD)]
    doubles = [bytes([lead, trail]) for lead in leads for trail in trails]
    chars = {raw.decode("cp932", "ignore") for raw in singles + doubles}
    return {c for c in chars if len(c) == 1 and not 0xE000 <= ord(c) < 0xF900}


def spoken():
    """Every character in the source: labels, sentences, piece names, and a few more from comments."""
    return {c for file in SOURCES.rglob("*.rs") for c in file.read_text("utf-8")}


def characters(style):
    if style.endswith("Pieces"):
        return set(PIECES)
    latin = ranges((0x20, 0x7E), (0xA0, 0xFF))
    kana = ranges((0x3000, 0x30FF), (0xFF01, 0xFF5E))
    common = latin | kana | set(MOVES) | set(LABELS) | spoken()
    if style.endswith("Bold"):
        return common
    symbols = ranges((0x100, 0x17F), (0x2000, 0x27BF))
    return common | symbols | shift_jis() | set(NAME_KANJI)


def make(style, source, expected):
    raw = source.read()
    found = hashlib.sha256(raw).hexdigest()
    if found != expected:
        sys.exit(f"{style}: the font in the package has sha256 {found}, expected {expected}")
    options = subset.Options(
        # Nothing may move a digit: without kerning every number is tabular.
        layout_features=[],
        hinting=False,
        drop_tables=["BASE", "STAT", "vhea", "vmtx"],
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14],
        notdef_outline=True,
    )
    with tempfile.NamedTemporaryFile(suffix=".ttf") as file:
        file.write(raw)
        file.flush()
        font = subset.load_font(file.name, options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes={ord(c) for c in characters(style)})
        subsetter.subset(font)
        target = HERE / f"{style}.ttf"
        subset.save_font(font, str(target), options)
    check(target, style)


def check(target, style):
    font = TTFont(target)
    cmap = font.getBestCmap()
    for digits in ["0123456789", "０１２３４５６７８９", "一二三四五六七八九"]:
        advances = {font["hmtx"][cmap[ord(c)]][0] for c in digits if c in characters(style)}
        if len(advances) > 1:
            sys.exit(f"{style}: {digits} are not equally wide: {sorted(advances)}")
    missing = "".join(sorted(c for c in characters(style) if c.isprintable() and ord(c) not in cmap))
    print(f"{target.name}: {target.stat().st_size} bytes, {len(cmap)} characters; not in the font: {len(missing)}")
    if "-v" in sys.argv:
        print(missing)


def main():
    given = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    with tempfile.TemporaryDirectory() as folder:
        for place, package in enumerate([SANS, SERIF]):
            if given:
                archive = given[place]
            else:
                packed = subprocess.run(["npm", "pack", package], cwd=folder, check=True, capture_output=True, text=True)
                archive = pathlib.Path(folder) / packed.stdout.split()[-1]
            with tarfile.open(archive) as files:
                for style, (source, path, digest) in FONTS.items():
                    if source == package:
                        make(style, files.extractfile(path), digest)
                # Both are under the same licence, word for word but for the year.
                if package == SANS:
                    (HERE / "LICENSE-OFL.txt").write_bytes(files.extractfile("package/LICENSE_FONT").read())


main()
