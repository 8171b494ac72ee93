#!/usr/bin/env python3
"""Remakes the fonts beside this file; README.md says what they are.

    pip install fonttools==4.68.0 zopfli==0.4.3
    python3 assets/fonts/subset.py [SANS.deb SERIF.tgz]

Without arguments the packages are taken from Debian 12 by `apt-get download`, and from the public npm registry by
`npm pack`. Needs `dpkg-deb`.
"""

import gzip
import hashlib
import io
import pathlib
import subprocess
import sys
import tarfile
import tempfile

import zopfli.gzip
from fontTools import subset
from fontTools.ttLib import TTFont

SANS = "fonts-noto-cjk=1:20220127+repack1-1"
SERIF = "@expo-google-fonts/noto-serif-jp@0.4.3"
HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent.parent / "src"

# The file, where it is in its package, and the SHA-256 of that. Of the collections the first face is the Japanese one.
NOTO = "usr/share/fonts/opentype/noto"
SANS_FONTS = {
    "NotoSansJP-Regular.otf.gz": (f"{NOTO}/NotoSansCJK-Regular.ttc", "b76b0433203017ca80401b2ee0dd69350349871c4b19d504c34dbdd80541690a"),
    "NotoSansJP-Bold.otf.gz": (f"{NOTO}/NotoSansCJK-Bold.ttc", "faa5f3656a78b2e2d450d27fe8382c778bc2b6bb5ea29c986664a6a435056ceb"),
}
SERIF_FONTS = {
    "NotoSerifJP-Pieces.ttf.gz": ("package/900Black/NotoSerifJP_900Black.ttf", "402a1b5da64616eb83e28a4737565573c44bccccfa859eb586a0588492b87c8e"),
    "NotoSerifJP-Digits.ttf.gz": ("package/700Bold/NotoSerifJP_700Bold.ttf", "370341f60a5a33dff0dd66e9fb04ddb7523846d4800e4e2cd8fba0bf715d44ea"),
}

# What is written on pieces, 王将 and と金 included, and beside the board.
PIECES = "王玉将飛車角行金銀桂馬香歩兵龍竜馬と成全圭杏０１２３４５６７８９一二三四五六七八九"

# What a win rate is made of.
DIGITS = "0123456789%"

# Name kanji that Shift_JIS cannot hold.
NAME_KANJI = "𠮷濵彥靑淸敎廣德瀨髙﨑神祥福禎穀突節縣栁桒𣘺𠀋乹仭俠俱剝噓塡頰姸屛幷攢摑擊擱昻晢栃橳瀆瘦祂禱簞緣繡繫羿莱蔣虛蟬蠟褚軀醱醬麴黃黑"

# What numbers, moves and short labels are made of
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
    if "Pieces" in style:
        return set(PIECES)
    if "Digits" in style:
        return set(DIGITS)
    latin = ranges((0x20, 0x7E), (0xA0, 0xFF))
    kana = ranges((0x3000, 0x30FF), (0xFF01, 0xFF5E))
    common = latin | kana | set(MOVES) | set(LABELS) | spoken()
    names = common | shift_jis() | set(NAME_KANJI)
    if "Bold" in style:
        return names
    return names | ranges((0x100, 0x17F), (0x2000, 0x27BF))


def make(style, raw, expected):
    found = hashlib.sha256(raw).hexdigest()
    if found != expected:
        sys.exit(f"{style}: the font in the package has sha256 {found}, expected {expected}")
    options = subset.Options(
        # Nothing may move a digit: without kerning every number is tabular.
        layout_features=[],
        hinting=False,
        # What is repeated is found again, and better, when the file is compressed.
        desubroutinize=True,
        drop_tables=["BASE", "STAT", "vhea", "vmtx", "VORG"],
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14],
        notdef_outline=True,
        font_number=0,
    )
    target = HERE / style
    with tempfile.NamedTemporaryFile() as file:
        file.write(raw)
        file.flush()
        font = subset.load_font(file.name, options)
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes={ord(c) for c in characters(style)})
        subsetter.subset(font)
        # The one table that holds all characters.
        font["cmap"].tables = [table for table in font["cmap"].tables if (table.platformID, table.format) == (3, 12)] or font["cmap"].tables
        if "Digits" in style:
            make_tabular(font)
        whole = io.BytesIO()
        subset.save_font(font, whole, options)
    target.write_bytes(zopfli.gzip.compress(whole.getvalue()))
    check(target, style)


def make_tabular(font):
    """Gives all digits the width of the widest one, and puts them in the middle of it."""
    cmap = font.getBestCmap()
    names = [cmap[ord(digit)] for digit in "0123456789"]
    width = max(font["hmtx"][name][0] for name in names)
    for name in names:
        advance, bearing = font["hmtx"][name]
        shift = (width - advance) // 2
        glyph = font["glyf"][name]
        glyph.coordinates.translate((shift, 0))
        glyph.recalcBounds(font["glyf"])
        font["hmtx"][name] = (width, bearing + shift)


def check(target, style):
    font = TTFont(gzip.open(target))
    cmap = font.getBestCmap()
    for digits in ["0123456789+−", "０１２３４５６７８９", "一二三四五六七八九"]:
        advances = {font["hmtx"][cmap[ord(c)]][0] for c in digits if c in characters(style)}
        if len(advances) > 1:
            sys.exit(f"{style}: {digits} are not equally wide: {sorted(advances)}")
    missing = "".join(sorted(c for c in characters(style) if c.isprintable() and ord(c) not in cmap))
    print(f"{target.name}: {target.stat().st_size} bytes, {len(cmap)} characters; not in the font: {len(missing)}")
    if "-v" in sys.argv:
        print(missing)


def fetch(package, folder):
    """The file of a package, fetched into the folder."""
    command = ["npm", "pack", package] if package.startswith("@") else ["apt-get", "download", package]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return next(pathlib.Path(folder).iterdir())


def main():
    given = [pathlib.Path(argument).resolve() for argument in sys.argv[1:] if not argument.startswith("-")]
    with tempfile.TemporaryDirectory() as sans, tempfile.TemporaryDirectory() as serif:
        sans, serif = given or [fetch(SANS, sans), fetch(SERIF, serif)]
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(sans)], stdout=subprocess.PIPE) as unpacked:
            wanted = {f"./{path}": (style, digest) for style, (path, digest) in SANS_FONTS.items()}
            with tarfile.open(fileobj=unpacked.stdout, mode="r|") as files:
                for member in files:
                    if member.name in wanted:
                        style, digest = wanted[member.name]
                        make(style, files.extractfile(member).read(), digest)
        with tarfile.open(serif) as files:
            for style, (path, digest) in SERIF_FONTS.items():
                make(style, files.extractfile(path).read(), digest)


main()
