#!/usr/bin/env python3
"""Has the eye read pictures of boards that nothing of this project has drawn: web pages of 14 styles, players and programs of others.

usage: benches/foreign_pictures.py PROGRAM GAMES FOLDER [--pictures N] [--seed S]

PROGRAM is `shogibar`, GAMES a folder of records, FOLDER takes packages, fonts and pictures. N pictures [default: 220] of all styles in turn
are drawn and damaged as they are on their way to a screen: scaled, encoded, blurred, filmed, cut out, with a cursor. The same S [default: 1]
gives the same pictures; what was drawn before is used again. Prints a table by style and one by damage, then the boards that are
not found, and those that are not right with the squares: what stands there and what was read. "Sure" is a confidence above 0.9; a square
that is read as hidden (?) is not right, but it does not make a sure board a wrong one.
Needs npm, chromium, ffmpeg and convert; for the programs of Debian (xboard, xshogi, gpsshogi-viewer) also Xvfb, xwininfo, xdotool and
import. A style whose library or program is missing is named and left out.
"""
import argparse
import dataclasses
import functools
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time
import zlib

import piece_fonts
import unseen_sets
from unseen_sets import show

LIBRARIES = ["cshogi==1.1.0", "miniosl==0.1.6"]
# Families and a part of their packages' names. The first twelve were left out of the training (assets/eye/README.md).
FAMILIES = {
    "Yuji Syuku": "yuji-syuku", "Dejima": "dejima", "SetoFont": "fonts-seto", "Kiwi Maru": "kiwi-maru", "Hina Mincho": "hina-mincho",
    "DotGothic16": "dotgothic16", "Reggae One": "fonts-reggae", "AoyagiSosekiFont2": "aoyagi-soseki", "Oradano-mincho-GSRR": "oradano",
    "Zen Kurenaido": "zen-kurenaido", "Sawarabi Gothic": "sawarabi-gothic", "Dela Gothic One": "dela-gothic",
    "Noto Serif JP": "noto-serif-jp", "Noto Sans JP": "noto-sans-jp", "IPAMincho": "ipafont-mincho", "IPAGothic": "ipafont-gothic",
    "BIZ UDGothic": "biz-udgothic", "Shippori Mincho": "shippori-mincho",
}
ANY = list(FAMILIES)
PRINTED = ["Hina Mincho", "Oradano-mincho-GSRR", "Dejima", "Noto Serif JP", "IPAMincho", "Shippori Mincho"]
PLAIN = ["Sawarabi Gothic", "Kiwi Maru", "Zen Kurenaido", "Noto Sans JP", "IPAGothic", "BIZ UDGothic"]
# The fonts of the system and of the folder, with a family as the usual one.
FONTS = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir prefix="relative">.</dir>
<alias binding="strong"><family>serif</family><prefer><family>{0}</family></prefer></alias>
<alias binding="strong"><family>sans-serif</family><prefer><family>{0}</family></prefer></alias></fontconfig>"""
KINDS = "P L N S G B R K +P +L +N +S +B +R".split()
ONE = dict(zip(KINDS, "歩香桂銀金角飛玉と杏圭全馬龍"))
TWO = dict(zip(KINDS, "歩兵 香車 桂馬 銀将 金将 角行 飛車 王将 と金 成香 成桂 成銀 龍馬 龍王".split()))
NUMBERS = "一二三四五六七八九"
NAMES = ["佐藤", "高橋", "engine3", "対局者", "guest", "山田"]
SAID = ["いい手", "ここで桂馬", "角交換か", "なるほど", "w", "飛車先", "と金が大きい"]
OUTLINE = [(50, 3), (83, 15), (95, 97), (5, 97), (17, 15)]
CURSOR = [(0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12)]
DAMAGES = ["none", "none", "jpeg", "webp", "720p", "480p", "blur", "film", "crop", "cursor"]
WOOD = "repeating-linear-gradient(91deg,#e3b96c 0 9px,#dcb062 9px 14px,#e8c27a 14px 23px)"
# What a page looks like where its style does not say otherwise. A list is a choice.
BASE = dict(
    maker=["grid", "svg", "table"], size=[(1366, 768), (1280, 900), (1920, 1080)], cell=[36, 44, 52, 60], ratio=[1.0, 1.05, 1.1],
    ground="#f0d9a0", line="#333", width=1, outer=2, second="", mark=["", "#ffb84d", "#f99"], numbers=["kanji", "kanji", "arabic", "none"],
    face="bare", wood="#f7dfa5", ink="#111", promoted="#111", part=[0.7, 0.8], letters=[ONE], long=[False, True], family=PLAIN + PRINTED,
    weight=["normal", "bold"], hands="stand", clock=True, turned=[False, False, True], arrows=0, sides=["moves chat", "moves", "chat"],
    small=0, page="#f4f4f4", text="#222")
LETTERED = dict(part=0.53, letters=[ONE, TWO], family=ANY)
STYLES = {
    "diagram in an article": dict(
        maker=["svg", "table"], cell=[26, 32, 40], ground="#fff", line="#000", mark="", family=PRINTED, weight="normal", hands="text",
        clock=False, sides="article", page="#fff"),
    "table in an encyclopedia": dict(
        maker="table", cell=[28, 34, 40], ground=["#fffbe6", "#fdd998"], line="#888", outer=1, promoted="#c00", hands="text", clock=False,
        turned=False, sides="article", page="#fff"),
    "player with wooden pieces": dict(LETTERED, ground=[WOOD, "wood_normal.png", "wood_bright.png"], face="relief", promoted=["#111", "#b00"]),
    "player with a set of pictures": dict(ground=["wood_normal.png", "wood_bright.png", WOOD], face=unseen_sets.SETS, numbers="kanji"),
    "app on a telephone": dict(
        LETTERED, size=(412, 915), cell=[40, 42], ratio=[1.05, 1.1, 1.15], ground=["#e0b469", "#d9c08c", WOOD], numbers="none",
        face=["flat", "relief"], sides=""),
    "dark page": dict(
        ground=["#222", "#1c2430", "#3a3a3a"], line=["#777", "#999", "#555"], mark=["", "#46521e", "#274a66"], ink="#eee",
        promoted=["#f66", "#eee"], page="#111", text="#ccc"),
    "blue board": dict(
        LETTERED, ground=["#4f7cac", "#8fb4d9", "#27496d"], line=["#dfe9f3", "#123"], face=["flat", "relief"], wood=["#fff", "#f2efe2"]),
    "green board": dict(
        ground=["#5b8c5a", "#b7d3a8", "#2f5d3a"], line=["#eee", "#142"], face=["flat", "outline"], wood="#f5e6c0", part=0.53),
    "stream": dict(
        LETTERED, size=(1920, 1080), cell=[72, 80, 88], ground=[WOOD, "wood_bright.png", "#e9c47c"], face=["relief", "flat"], weight="bold",
        turned=False, sides=["chat", "bar chat"], page="linear-gradient(120deg,#27304d,#6b4a6e 60%,#1c5a5c)", text="#fff"),
    "squares of two colours": dict(
        maker="grid", ground=["#f0d9b5", "#e9edcc"], second=["#b58863", "#d8b88a", "#cfd8a8"], width=0, outer=[0, 3], face=["bare", "flat"],
        part=0.53, letters=[ONE, TWO]),
    "analysis with arrows": dict(
        ground=["#f3dcae", WOOD, "#fff"], face=["bare", "flat", "relief"], part=0.53, arrows=[1, 2, 3], sides="bar moves"),
    "large puzzle": dict(
        LETTERED, size=[(1280, 900), (1920, 1080)], cell=[72, 80], outer=4, mark="", numbers=["kanji", "none"], face=["outline", "bare"],
        letters=[ONE], promoted="#d00", hands="text", clock=False, sides=""),
    "relay with small boards": dict(ground=["#ffe8b0", "#fff8e0", WOOD], face=["bare", "flat"], part=0.53, sides="moves", small=[2, 4]),
    "thin or thick lines": dict(
        cell=[30, 40, 56], ground=["#fff", "#f6e3b4", "#ddd"], line=["#0005", "#000", "#a52"], width=[0.5, 3, 4], outer=[1, 6]),
}
LIBRARY = """
import sys
name, scale, fonts, *moves = sys.argv[1:]
if name == "cshogi":
    import cshogi
    board, last = cshogi.Board(), None
    for move in moves:
        last = board.move_from_usi(move)
        board.push(last)
    print(board.to_svg(last, float(scale)))
else:
    import importlib.util, matplotlib, minioslcc, pathlib
    from matplotlib import font_manager
    # The package demands PyTorch, its drawing does not.
    sys.modules["miniosl"] = minioslcc
    spec = importlib.util.spec_from_file_location("drawing", pathlib.Path(minioslcc.__file__).parent / "miniosl/drawing.py")
    drawing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawing)
    for file in [file for file in pathlib.Path(fonts).iterdir() if file.suffix in (".ttf", ".otf")]:
        font_manager.fontManager.addfont(file)
        matplotlib.rcParams["font.family"] = [font_manager.FontProperties(fname=file).get_name()]
    drawing.font_initialized = True
    state = minioslcc.State()
    for move in moves:
        state.make_move(move)
    drawing.state_to_img(state, decorate=len(moves) % 3 == 0, move_number=len(moves)).fig.savefig(sys.stdout, format="svg")
"""


@dataclasses.dataclass
class Picture:
    """A picture of a board.

    `squares` are those of the board from the top left, the pieces of the side at the bottom as Black's. `is_turned` says whether White is at
    the bottom and numbers beside the board tell it. `area` is the board's x, y, width and height where they are known.
    """

    style: str
    file: pathlib.Path
    squares: list
    is_turned: bool = False
    area: tuple = ()
    damage: str = "none"


class Maker:
    """Draws pictures into a folder."""

    def __init__(self, program, folder):
        self.program, self.folder, self.fonts = program, folder.absolute(), folder.absolute() / "fonts"
        self.fonts.mkdir(parents=True, exist_ok=True)
        self.packages = unseen_sets.fetch(self.folder)
        self.font_folders = {}
        for family, word in FAMILIES.items():
            (package,) = [name for name in piece_fonts.PACKAGES if word in name]
            piece_fonts.fetch(package, self.fonts)
            (self.font_folders[family],) = self.fonts.glob(piece_fonts.folder_name(package, "*"))
            (self.fonts / f"{word}.conf").write_text(FONTS.format(family))
        os.environ["FONTCONFIG_FILE"] = str(self.fonts / "noto-sans-jp.conf")

    def file(self, index, style, *what):
        """Returns the name of a picture that depends on all that it is made of."""
        return self.folder / f"{index:03}-{re.sub('[ ,]+', '-', style)}-{zlib.crc32(repr(what).encode()):08x}.png"

    def web_page(self, index, style, moves, draw):
        """Draws a page of a style."""
        look = {name: draw.choice(value) if isinstance(value, list) else value for name, value in (BASE | STYLES[style]).items()}
        if look["size"][0] == 1920 and look["cell"] < 72 and look["sides"] != "article":
            look["cell"] = round(1.4 * look["cell"])
        if look["long"]:
            look["letters"] = look["letters"] | {kind: TWO[kind] for kind in ("+L", "+N", "+S")}
        if look["ground"].endswith(".png"):
            look["ground"] = f"url(file://{self.packages['shogi-player']}/assets/board_variant/{look['ground']}) center/cover"
        text, area = page(look, moves, draw, self.packages)
        picture = self.file(index, style, text, look["size"])
        show(text, picture, look["size"])
        return Picture(style, picture, standing(moves, look["turned"]), look["turned"] and look["numbers"] != "none", area)

    def library(self, index, style, moves, draw):
        """Draws a board with a library for Python, within an article."""
        family, scale = draw.choice(PLAIN + PRINTED), draw.choice([1.6, 2, 2.6, 3.2])
        rules = f"""body{{margin:30px;background:#fff;font:16px '{family}'}}svg{{font-family:'{family}';width:{230 * scale}px;height:auto}}
          div{{margin:20px {draw.randrange(10, 300)}px;padding:9px;border:1px solid #ddd}}"""
        picture = self.file(index, style, rules, scale, moves)
        if not picture.exists():
            python = self.folder / "python/bin/python"
            if not python.exists():
                piece_fonts.run(sys.executable, "-m", "venv", self.folder / "python")
                piece_fonts.run(python, "-m", "pip", "install", "--quiet", *LIBRARIES)
            svg = piece_fonts.run(python, "-c", LIBRARY, style, str(scale), self.font_folders[family], *moves).partition("<svg")[2]
            svg = svg.replace('"serif"', f'"{family}"')
            show(f"<meta charset=utf-8><style>{rules}</style>{article(moves, 3)}<div><svg{svg}</div>{article(moves, 9)}", picture, (1280, 1000))
        return Picture(style, picture, standing(moves, False))

    def kifu_for_js(self, index, style, moves, draw):
        """Draws a board with one of the two players of kifu-for-js."""
        # The old player cannot be told to turn the board.
        family, is_turned = draw.choice(PLAIN + PRINTED), draw.random() < 0.3 and "old" not in style
        record = json.dumps(self.record(moves, "kifu"))
        options = f"{{kifu: {record}, ply: {len(moves)}{', reverse: {}' if is_turned else ''}}}"
        bundle, load, width = "kifu-for-js", f"load({options}, 'board')", f"width:{draw.choice([340, 420, 560, 700])}px"
        if "old" in style:
            bundle, load, width = "kifu-for-js-legacy", f"loadString({record}, 'board', {options})", ""
        rules = f"""body{{margin:20px;background:{draw.choice(['#fff', '#fdf6e3', '#eef'])};font:15px '{family}'}}
          #board{{margin:12px 60px;{width}}}#board svg{{font-family:'{family}'!important}}"""
        script = f"<script src='file://{self.packages['kifu-for-js']}/bundle/{bundle}.min.js'></script>"
        board = f"<div id=board></div>{article(moves, 2)}<script>KifuForJS.{load}</script>"
        text = f"<meta charset=utf-8><style>{rules}</style>{script}{article(moves, 2)}{board}"
        picture = self.file(index, style, text)
        show(text, picture, (900, 1000))
        return Picture(style, picture, standing(moves, is_turned), is_turned)

    def record(self, moves, kind):
        """Returns the text of a record."""
        text = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
        words = [self.program, "convert", "-", "--to", kind]
        return subprocess.run(words, input=text, capture_output=True, text=True, check=True).stdout

    def program_of_debian(self, index, style, moves, draw):
        """Draws the window of a program on a screen of its own."""
        board, hands = unseen_sets.board_and_hands_after(moves)
        family, size, is_turned = draw.choice(PLAIN + PRINTED), draw.choice(["Slim", "Medium", "Large", "Huge"]), draw.random() < 0.3
        picture, environment = self.file(index, style, family, size, is_turned, moves), {}
        if style == "xboard":
            held = "".join((kind.lower() if side else kind) * count for side in (0, 1) for kind, count in hands[side].items())
            position = picture.with_suffix(".fen")
            position.write_text(f"{sfen_of(sum(board, []))}[{held or '-'}] {'wb'[len(moves) % 2]} 0 1\n")
            words = ["-ncp", "-variant", "shogi", "@/usr/share/games/xboard/themes/conf/shogi", "-size", size, "-lpf", position]
            # The view is turned once or twice: this also ends a tip.
            keys = ["windowfocus WINDOW key F2 sleep 0.5"] * (1 if is_turned else 2)
        elif style == "xshogi":
            is_turned, size, okay = False, *draw.choice([("Large", "325 276"), ("Medium", "226 274")])
            rows = ["".join(piece.rjust(2) for piece in row) for row in board]
            rows += [" ".join(str(hands[side][kind]) for kind in "PLNSGBRK") for side in (0, 1)]
            turn = ["black", "white"][len(moves) % 2]
            picture.with_suffix("").write_text("\n".join(["# xshogi position file -- now", "#", *rows, f"{turn} to play\n"]))
            words, environment = ["-nsp", "true", "-xrm", f"XShogi*boardSize: {size}"], {"SHOGIDIR": str(self.folder)}
            keys = ["mousemove 186 100 sleep 0.5 click 1 sleep 1 mousemove 375 245 sleep 0.5", f"type {picture.stem}"]
            keys += [f"mousemove {okay} sleep 0.5 click 1 sleep 0.5 mousemove 1270 890 sleep 0.5"]
        else:
            is_turned, words, environment = False, [], {"FONTCONFIG_FILE": str(self.fonts / f"{FAMILIES[family]}.conf")}
            picture.with_suffix(".csa").write_text(self.record(moves, "csa"))
            # The last click goes to the end of the game.
            keys = ["windowfocus WINDOW key ctrl+o sleep 2", f"type {picture.with_suffix('.csa')}"]
            keys += ["sleep 1 key Return sleep 1 mousemove 133 42 sleep 0.5 click 1 sleep 1.5"]
        if not picture.exists():
            on_screen(f"/usr/games/{style}", words, keys, picture, environment)
        return Picture(style, picture, standing(moves, is_turned))

    def damage(self, picture, draw):
        """Returns the picture with one of the damages."""
        name = draw.choice([name for name in DAMAGES if name != "crop" or picture.area])
        # At 480p squares of less than 16 pixels cannot be told.
        if name == "480p" and (not picture.area or picture.area[2] * 480 / 1080 < 9 * 16):
            name = "720p"
        width, height = (int(word) for word in piece_fonts.run("identify", "-format", "%w %h", picture.file).split())
        x, y, across, down = picture.area or (width // 4, height // 4, width // 2, height // 2)
        left, top, right, bottom = (draw.randrange(8, 70) for _ in range(4))
        tip = x + draw.randrange(across), y + draw.randrange(down)
        cursor = " ".join(f"{tip[0] + dx},{tip[1] + dy}" for dx, dy in CURSOR)
        quality, sigma, crf = str(draw.randrange(50, 91)), draw.choice([0.5, 0.7, 0.9]), str(draw.choice([24, 28, 32]))
        # Pictures are scaled as on a screen that is 1080 pixels high.
        words = {
            "jpeg": ["-quality", quality], "webp": ["-quality", quality], "blur": ["-blur", f"0x{sigma}"],
            "720p": ["-resize", f"{720 / 10.8}%", "-resize", f"{width}x{height}!"],
            "480p": ["-resize", f"{480 / 10.8}%", "-resize", f"{width}x{height}!"],
            "crop": ["-crop", f"{across + left + right}x{down + top + bottom}+{max(x - left, 0)}+{max(y - top, 0)}", "+repage"],
            "cursor": ["-fill", "white", "-stroke", "black", "-draw", f"polygon {cursor}"],
        }
        if name == "none":
            return picture
        file = picture.file.with_name(f"{picture.file.stem}-{name}" + {"jpeg": ".jpg", "webp": ".webp"}.get(name, ".png"))
        if name == "film" and not file.exists():
            film, quiet = file.with_suffix(".mkv"), ["ffmpeg", "-loglevel", "error", "-y"]
            size = f"scale={width // 2 * 2}:{height // 2 * 2},scale=-2:{min(720, height // 2 * 2)}"
            encode = ["-frames:v", "10", "-vf", size, "-c:v", "libx264", "-crf", crf, "-pix_fmt", "yuv420p"]
            piece_fonts.run(*quiet, "-loop", "1", "-i", picture.file, *encode, film)
            piece_fonts.run(*quiet, "-i", film, "-vf", f"select=eq(n\\,9),scale={width}:{height}", "-frames:v", "1", file)
        elif not file.exists():
            piece_fonts.run("convert", picture.file, *words[name], file)
        return dataclasses.replace(picture, file=file, damage=name)


def standing(moves, is_turned):
    """Returns the squares after moves as they stand in a picture, the side at the bottom as Black."""
    squares = sum(unseen_sets.board_after(moves), [])
    return [piece.swapcase() for piece in reversed(squares)] if is_turned else squares


def sfen_of(squares):
    """Returns the board of an SFEN."""
    text = "/".join("".join(squares[start : start + 9]) for start in range(0, 81, 9))
    for count in range(9, 0, -1):
        text = text.replace("." * count, str(count))
    return text


def article(moves, count):
    """Returns paragraphs that name moves."""
    words = [f"{'▲△'[index % 2]}{move[2]}{'歩銀飛角金'[index % 5]}" for index, move in enumerate(moves)] or ["▲", "△"]
    texts = ["本譜は", "以下、", "に対して", "と応じ、", "が好手。", "の局面で長考。", "を見せた。評価値は互角。", "まで進んだ。"]
    line = lambda number: "".join(texts[(number + step) % 8] + words[(7 * number + step) % len(words)] for step in range(9))
    return "".join("<p>" + line(number) for number in range(count))


def piece_of(look, piece, side, packages):
    """Returns a piece as SVG around the middle of a square with this side."""
    kind, turn = piece.upper(), "rotate(180)" if piece[-1].islower() else ""
    if look["face"] in unseen_sets.SETS:
        image, flips = unseen_sets.piece_image(packages, look["face"], piece)
        place = f"x={-0.47 * side} y={-0.47 * side} width={0.94 * side} height={0.94 * side}"
        return f"<image href='file://{image}' {place} transform='{turn if flips else ''}' />"
    outline = lambda shift: " ".join(f"{(x - 50) * 0.0096 * side + shift:.1f},{(y - 50) * 0.0096 * side + shift:.1f}" for x, y in OUTLINE)
    face = {
        "bare": "",
        "flat": f"<polygon points='{outline(0)}' fill='{look['wood']}' />",
        "outline": f"<polygon points='{outline(0)}' fill=none stroke='{look['ink']}' stroke-width={0.03 * side} />",
        "relief": f"<polygon points='{outline(0.03 * side)}' fill='#5408' />"
        f"<polygon points='{outline(0)}' fill='{look['wood']}' stroke='#a07830' stroke-width={0.02 * side} />",
    }[look["face"]]
    letters, colour = look["letters"][kind], look["promoted" if kind[0] == "+" else "ink"]
    # Two letters stand one above the other.
    size = side * look["part"] * (1 if len(letters) == 1 else 0.68 if face else 0.6)
    for index, letter in enumerate(letters):
        y = (0.04 * side if face else 0) + 0.36 * size + (index - (len(letters) - 1) / 2) * size
        face += f"<text y={y:.1f} font-size={size:.1f} fill='{colour}' text-anchor=middle>{letter}</text>"
    return f"<g transform='{turn}'>{face}</g>"


def board_of(look, squares, marks, packages):
    """Returns a board as HTML."""
    across, down = look["cell"], round(look["cell"] * look["ratio"])
    board = f"background:{look['ground']};border:{look['outer']}px solid {look['line']}"
    colours = [place in marks and look["mark"] or (look["second"] if place % 2 else "") for place in range(81)]
    pieces = [piece_of(look, piece, across, packages) if piece != "." else "" for piece in squares]
    if look["maker"] == "svg":
        shapes = ""
        for place, colour in enumerate(colours):
            x, y = place % 9 * across, place // 9 * down
            shapes += f"<rect x={x} y={y} width={across} height={down} style='fill:{colour}' />" if colour else ""
        for index in range(1, 9):
            line = f"M{index * across} 0V{9 * down}M0 {index * down}H{9 * across}"
            shapes += f"<path d='{line}' stroke='{look['line']}' stroke-width={look['width']} />"
        for place, piece in enumerate(pieces):
            shapes += f"<g transform='translate({(place % 9 + 0.5) * across} {(place // 9 + 0.5) * down})'>{piece}</g>"
        return f"<svg class=board style='{board}' width={9 * across} height={9 * down}>{shapes}</svg>"
    insides = [f"background:{colour}'>" if colour else "'>" for colour in colours]
    insides = [inside + (alone(piece, across) if piece else "") for inside, piece in zip(insides, pieces)]
    line = f"{look['width']}px solid {look['line']}"
    if look["maker"] == "table":
        cell = f"<td style='height:{down - look['width']}px;padding:0;text-align:center;font-size:0;border:{line};"
        rows = "".join("<tr>" + "".join(cell + inside for inside in insides[start : start + 9]) for start in range(0, 81, 9))
        return f"<table class=board style='{board};border-collapse:collapse;table-layout:fixed;width:{9 * across}px'>{rows}</table>"
    cell = f"<i style='border-right:{line};border-bottom:{line};box-sizing:border-box;"
    grid = f"display:grid;grid-template:repeat(9,{down}px)/repeat(9,{across}px);width:{9 * across}px"
    return f"<div class=board style='{board};{grid}'>{''.join(cell + inside + '</i>' for inside in insides)}</div>"


def alone(piece, side):
    """Returns a piece as a drawing of its own."""
    return f"<svg width={side} height={side} viewBox='{-side / 2} {-side / 2} {side} {side}'>{piece}</svg>"


def at(left, top, text, style=""):
    """Returns a part of a page."""
    return f"<div style='left:{left}px;top:{top}px;{style}'>{text}</div>"


def numbers_of(look, x, y, across, down):
    """Returns the numbers beside a board."""
    files, ranks = "987654321", NUMBERS if look["numbers"] == "kanji" else "123456789"
    if look["turned"]:
        files, ranks = files[::-1], ranks[::-1]
    size, cell, height = max(round(0.3 * look["cell"]), 10), look["cell"], down // 9
    above = (at(x + index * cell, y - size - 5, files[index], f"width:{cell}px;text-align:center;font-size:{size}px") for index in range(9))
    right, middle = x + across + 2 * look["outer"] + 3, y + (height - size) // 2
    beside = (at(right, middle + index * height, ranks[index], f"font-size:{size}px;line-height:1") for index in range(9))
    return "".join(above) + "".join(beside)


def hand_of(look, side, hand, name, area, packages):
    """Returns a hand with the player's name: to the right of the board or to the left, on narrow pages below it or above it."""
    (x, y, across, down), cell, is_narrow = area, look["cell"], look["size"][0] < 600
    is_below = (side == 0) != look["turned"]
    left, top = (x + across + round(0.9 * cell), y + down // 2) if is_below else (x - round(1.9 * cell), y)
    name_top = top - 22 if is_below else top - 48
    if is_narrow:
        left, top = x + 10, y + down + 40 if is_below else y - 30 - cell
        name_top = top + cell + 6 if is_below else top - 24
    held = [(kind, hand[kind]) for kind in "RBGSNLP" if hand[kind]]
    if look["hands"] == "text":
        numbers = ["", "", *NUMBERS[1:], "十", *("十" + number for number in NUMBERS)]
        text = "".join(ONE[kind] + numbers[count] for kind, count in held) or "なし"
        return at(left, top, f"{name}　{text}", f"writing-mode:vertical-rl;font-size:{round(0.5 * cell)}px")
    pieces = ""
    for kind, count in held:
        number = f"<u style='font-size:{round(0.34 * cell)}px'>{count}</u>" if count > 1 else ""
        pieces += f"<span>{alone(piece_of(look, kind if is_below else kind.lower(), cell, packages), cell)}{number}</span>"
    stand = f"display:flex;flex-direction:{'row' if is_narrow else 'column'};background:{look['ground']}"
    return at(left, top, pieces, stand) + at(left, name_top, name, "white-space:nowrap")


def arrows_of(look, area, draw):
    """Returns arrows over a board."""
    (x, y, across, down), lines = area, ""
    for _ in range(look["arrows"]):
        (a, b), (c, d) = [((place % 9 + 0.5) * across / 9, (place // 9 + 0.5) * down / 9) for place in draw.sample(range(81), 2)]
        lines += f"<line x1={a} y1={b} x2={c} y2={d} marker-end='url(#m)' />"
    colour, thick = draw.choice(["#15781b", "#c33", "#06c"]), draw.choice([0.08, 0.14, 0.2]) * look["cell"]
    head = f"<path d='M0 0L4 2L0 4' stroke=none fill='{colour}' />"
    head = f"<marker id=m viewBox='0 0 4 4' refX=2 refY=2 markerWidth=3 orient=auto>{head}</marker>"
    return at(x, y, f"<svg width={across} height={down} stroke='{colour}' stroke-width={thick} opacity=.55>{head}{lines}</svg>")


def columns_of(look, area, moves, draw, packages):
    """Returns what stands beside a board: a bar, moves, a chat, an article, small boards."""
    x, y, across, down = area
    parts, left = "", x + across + round(0.9 * look["cell"]) + max(170, 2 * look["cell"])
    for kind in look["sides"].split():
        if kind == "bar":
            bar = f"linear-gradient(#222 {draw.randrange(20, 80)}%,#f5f5f5 0)"
            parts += at(x - round(2.3 * look["cell"]), y, "", f"width:14px;height:{down}px;background:{bar}")
            continue
        if kind == "moves":
            lines = [f"{index + 1} {'▲△'[index % 2]}{move[2:4]}" for index, move in enumerate(moves)][-18:]
        else:
            lines = [f"<b>user{draw.randrange(99)}</b> {draw.choice(SAID)}" for _ in range(16)]
        text, width = (article(moves, 6), 360) if kind == "article" else ("<br>".join(lines), 150)
        parts += at(left, 80, text, f"padding:9px;border:1px solid #8886;width:{width}px")
        left += 190
    little = look | {"cell": 16, "width": 1, "outer": 1, "maker": "table", "face": "bare", "letters": ONE, "part": 0.8, "mark": ""}
    for index in range(look["small"]):
        others = standing(moves[: len(moves) * (index + 1) // 5], False)
        parts += at(left + 170 * (index % 2), 100 + 230 * (index // 2), board_of(little, others, [], packages))
    return parts


def page(look, moves, draw, packages):
    """Returns the text of a page, and the board's area."""
    cell, (width, height), hands = look["cell"], look["size"], unseen_sets.board_and_hands_after(moves)[1]
    across, down, room = 9 * cell, 9 * round(cell * look["ratio"]), round(2.3 * cell)
    x, y = draw.randrange(room, max(room + 1, min(width - across - 6 * cell, 500))), min(draw.randrange(110, 190), height - down - 40)
    if width < 600:
        x, y = (width - across) // 2, draw.randrange(170, 250)
    area = x, y, across, down
    ends = [name for name in (moves[-1][:2], moves[-1][2:4]) if name[1] != "*"] if moves else []
    marks = [9 * "abcdefghi".index(name[1]) + 9 - int(name[0]) for name in ends]
    marks = [80 - place if look["turned"] else place for place in marks]
    parts = at(x, y, board_of(look, standing(moves, look["turned"]), marks, packages))
    if look["numbers"] != "none":
        parts += numbers_of(look, *area)
    for side, hand in enumerate(hands):
        clock = f"　<tt>{draw.randrange(60)}:{draw.randrange(60):02}</tt>" if look["clock"] else ""
        parts += hand_of(look, side, hand, "☗☖"[side] + draw.choice(NAMES) + clock, area, packages)
    if look["arrows"]:
        parts += arrows_of(look, area, draw)
    parts += columns_of(look, area, moves, draw, packages)
    if look["sides"] and y + down < height - 120:
        parts += at(30, y + down + 60, article(moves, 5), f"width:{width // 2}px")
    style = f"""body{{margin:0;background:{look['page']};color:{look['text']};font:14px 'Noto Sans JP';min-height:{height}px;overflow:hidden}}
      .board,span{{position:relative;font-family:'{look['family']}';font-weight:{look['weight']};font-synthesis:none;box-sizing:content-box}}
      i{{display:flex;font-style:normal;align-items:center;justify-content:center;overflow:hidden}}header{{background:#8883;padding:12px 20px}}
      div{{position:absolute}}u{{position:absolute;right:-7px;bottom:0;text-decoration:none}}"""
    text = f"<!doctype html><html lang=ja><meta charset=utf-8><style>{style}</style><header>将棋　対局　棋譜　<b>ログイン</b></header>{parts}"
    return text, (x, y, across + 2 * look["outer"], down + 2 * look["outer"])


def on_screen(program, words, keys, picture, environment):
    """Runs a program on a screen of its own, gives xdotool's words to it, and keeps the picture of its window."""
    read, write = os.pipe()
    size = ["-screen", "0", "1280x900x24"]
    screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), *size], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    environment = os.environ | environment | {"DISPLAY": ":" + os.read(read, 9).decode().strip(), "LANG": "en_US.UTF-8"}
    run = functools.partial(subprocess.run, env=environment, check=True, capture_output=True, text=True, timeout=60)
    shown = None
    try:
        shown = subprocess.Popen([program, *words], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(300):
            time.sleep(0.1)
            # The window is the first one that is at least 300 pixels wide.
            tree = run(["xwininfo", "-root", "-tree"]).stdout
            if window := re.search(r"^ +(0x\w+).* ([3-9]|1\d)\d\dx\d{3}", tree, re.MULTILINE):
                break
        else:
            raise OSError("it shows no window")
        time.sleep(1.5)
        for line in keys:
            run(["xdotool", *line.replace("WINDOW", window[1]).split()])
        run(["import", "-window", "root", picture])
        run(["convert", picture, "-trim", "+repage", picture])
    finally:
        for process in filter(None, (shown, screen)):
            process.terminate()
            process.wait()
        os.close(read)


def draw_pictures(maker, games, count, seed):
    """Yields pictures of all styles in turn. A style that cannot be drawn is named once and left out."""
    makers = [(style, maker.web_page) for style in STYLES]
    makers += [("cshogi", maker.library), ("miniosl", maker.library)]
    makers += [("kifu-for-js", maker.kifu_for_js), ("kifu-for-js, old", maker.kifu_for_js)]
    makers += [(style, maker.program_of_debian) for style in ("xboard", "xshogi", "gpsshogi-viewer")]
    missing = set()
    for index, moves in zip(range(count), unseen_sets.positions(maker.program, games, random.Random(seed))):
        style, make = makers[index % len(makers)]
        draw = random.Random(f"{seed} {index}")
        try:
            if style not in missing:
                yield maker.damage(make(index, style, moves, draw), draw)
        except (OSError, subprocess.SubprocessError) as error:
            missing.add(style)
            print(f"{style}: left out, {error}", file=sys.stderr, flush=True)


def is_elsewhere(picture, board):
    """Returns whether the middle of a board that was read is outside of the one that is meant."""
    if not picture.area or picture.damage == "crop":
        return False
    middle = board[0] + board[2] / 2, board[1] + board[3] / 2
    return not all(0 < middle[axis] - picture.area[axis] < picture.area[axis + 2] for axis in (0, 1))


def report(pictures, readings):
    """Prints the tables and the lists."""
    rows = {"style": {}, "damage": {}}
    lists = {"not found": [], "sure and wrong": [], "not right otherwise": [], "said to be turned and is not": []}
    for picture, reading in zip(pictures, readings, strict=True):
        name, read = picture.file.name, unseen_sets.cells(reading.get("sfen", ""))
        pairs = [(place, one, other) for place, (one, other) in enumerate(zip(picture.squares, read)) if one != other]
        is_sure, says_turned = bool(read) and reading["confidence"] > 0.9, reading.get("turned") is True
        is_sure_and_wrong = is_sure and any(other != "?" for _, _, other in pairs)
        values = [1, bool(read), bool(read) and not pairs, picture.is_turned, picture.is_turned and says_turned]
        values += [len(read) - len(pairs), is_sure, is_sure_and_wrong]
        for kind in rows:
            row = rows[kind].setdefault(getattr(picture, kind), [0] * len(values))
            row[:] = [one + int(other) for one, other in zip(row, values)]
        if not read:
            lists["not found"].append(name)
        elif pairs:
            wrong = ", ".join(f"{9 - place % 9}{'abcdefghi'[place // 9]} {one} as {other}" for place, one, other in pairs[:12])
            other_board = "another board of the page, " if is_elsewhere(picture, reading["board"]) else ""
            text = f"{name} ({reading['confidence']:.3f}): {other_board}{len(pairs)} wrong: {wrong}"
            lists["sure and wrong" if is_sure_and_wrong else "not right otherwise"].append(text)
        if says_turned and not picture.is_turned:
            lists["said to be turned and is not"].append(name)
    for kind, table in rows.items():
        print(f"\n| {kind} | pictures | found | whole | turned, said so | squares of those found | sure | of these wrong |\n|" + " --- |" * 8)
        for name, row in [*table.items(), ("all", [sum(values) for values in zip(*table.values())])]:
            count, found, whole, turned, said_so, right, sure, wrong = row
            share = f"{100 * right / (81 * found):.2f} %" if found else "-"
            print(f"| {name} | {count} | {found} | {whole} | {said_so} of {turned} | {share} | {sure} | {wrong} |")
    for name, entries in lists.items():
        print(f"\n{name}: {len(entries)}", *entries, sep="\n  ")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("program")
    parser.add_argument("games")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pictures", type=int, default=220)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    maker = Maker(options.program, options.folder)
    pictures = list(draw_pictures(maker, options.games, options.pictures, options.seed))
    words = [options.program, "see", "--json", *(picture.file for picture in pictures)]
    lines = subprocess.run(words, capture_output=True, text=True).stdout.splitlines()
    report(pictures, [json.loads(line) for line in lines])


if __name__ == "__main__":
    main()
