#!/usr/bin/env python3
"""Has the eye read boards of pieces that are in no training: those of two players for web pages, from npm.

usage: benches/unseen_sets.py PROGRAM GAMES FOLDER [BOARDS]
       benches/unseen_sets.py sets FOLDER OUT        writes the pieces below OUT, as `eye-film --vision` takes them

PROGRAM is `shogibar`, GAMES a folder of records, FOLDER takes the packages and the pictures, BOARDS is the number of boards of each
set [default: 15]. The boards are drawn by Chromium, as a page shows them. What was drawn before is used again. Needs npm and chromium.
"""
import collections
import itertools
import pathlib
import random
import shutil
import subprocess
import sys
import zlib

import piece_fonts

PACKAGES = {"shogi-player": "2.0.0", "kifu-for-js": "5.5.0"}
SETS = ["nureyon", "paper", "portella", "kifu-for-js"]
CSA = dict(zip(["P", "L", "N", "S", "G", "B", "R", "K", "+P", "+L", "+N", "+S", "+B", "+R"],
               "FU KY KE GI KI KA HI OU TO NY NK NG UM RY".split()))
# The names of pieces in sets of pictures.
WORDS = {"FU": "pawn", "KY": "lance", "KE": "knight", "GI": "silver", "KI": "gold", "KA": "bishop", "HI": "rook", "OU": "king", "TO": "prom_pawn",
         "NY": "prom_lance", "NK": "prom_knight", "NG": "prom_silver", "UM": "horse", "RY": "dragon"}
COLOURS = ["black", "white"]
BOARDS = ["wood_normal.png", "wood_bright.png", "#fff", "#e8c478", "#f0d9a0"]
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL"


def fetch(folder):
    """Returns the packages' folders."""
    places = {}
    for name, version in PACKAGES.items():
        places[name] = folder / name / "files" / "package"
        if not places[name].exists():
            (folder / name).mkdir(parents=True, exist_ok=True)
            piece_fonts.unpack_npm(f"{name}@{version}", folder / name)
    return places


def board_after(moves):
    """Returns the squares of a board by rank and file from the left, as letters of an SFEN, after moves of USI."""
    return board_and_hands_after(moves)[0]


def board_and_hands_after(moves):
    """Returns the squares of a board as `board_after` does, and the pieces in hand of Black and of White: how many of each letter."""
    board = [cells(row) for row in START.split("/")]
    hands = collections.Counter(), collections.Counter()
    place = lambda name: ("abcdefghi".index(name[1]), 9 - int(name[0]))
    for turn, move in enumerate(moves):
        rank, file = place(move[2:4])
        if move[1] == "*":
            hands[turn % 2][move[0]] -= 1
            board[rank][file] = move[0] if turn % 2 == 0 else move[0].lower()
            continue
        start = place(move)
        piece, board[start[0]][start[1]] = board[start[0]][start[1]], "."
        if board[rank][file] != ".":
            hands[turn % 2][board[rank][file][-1].upper()] += 1
        board[rank][file] = "+" + piece if move.endswith("+") else piece
    return board, hands


def cells(text):
    """Returns the squares of the rows of an SFEN."""
    squares, promoted = [], ""
    for letter in text.replace("/", ""):
        if letter == "+":
            promoted = "+"
        elif letter.isdigit():
            squares += ["."] * int(letter)
        else:
            squares.append(promoted + letter)
            promoted = ""
    return squares


def piece_image(places, set_name, piece):
    """Returns the file of a piece, and whether it has to be turned."""
    is_white, kind = piece[-1].islower(), piece.upper()
    if set_name == "kifu-for-js":
        return places[set_name] / f"src/legacy/images/{int(is_white)}{CSA[kind]}.png", False
    folder = places["shogi-player"] / "assets/piece_variant" / set_name
    name = f"{kind[-1]}{int(kind[0] == '+')}"
    for side, turned in (("WB"[not is_white], False), ("B", is_white)):
        for ending in ("svg", "png"):
            if (file := folder / f"{side}{name}.{ending}").exists():
                return file, turned
    raise FileNotFoundError(f"{set_name}: {piece}")


def page(places, set_name, board, draw):
    """Returns a page with the board, and its size."""
    width = draw.choice([36, 44, 52, 60, 72])
    height = round(width * draw.choice([1.0, 1.05, 1.09]))
    ground = draw.choice(BOARDS)
    wood = places["shogi-player"].absolute() / "assets/board_variant" / ground
    ground = ground if ground.startswith("#") else f"url(file://{wood}) center/cover"
    marked = draw.randrange(9), draw.randrange(9)
    rows = ""
    for rank, row in enumerate(board):
        rows += "<tr>"
        for file, piece in enumerate(row):
            style = "background:#fa06" if (rank, file) == marked else ""
            rows += f"<td style='width:{width}px;height:{height}px;{style}'>"
            if piece != ".":
                image, turned = piece_image(places, set_name, piece)
                turn = "transform:rotate(180deg)" if turned else ""
                rows += f"<img src='file://{image.absolute()}' style='width:{width - 3}px;height:{height - 3}px;{turn}'>"
    return f"""<meta charset="utf-8"><style>body{{margin:0;background:#ddd;font:16px sans-serif}}
      div{{position:absolute;left:{draw.randrange(20, 120)}px;top:60px;padding:14px;background:{ground}}}
      table{{border-collapse:collapse;border:2px solid #222}}td{{padding:0;border:1px solid #222}}
      img{{display:block;margin:auto;object-fit:contain}}</style><p>{set_name}<div><table>{rows}</table></div>"""


def positions(program, games, draw):
    """Yields the moves to positions of the records in a folder, without end: a game of at least 40 moves, up to any of them."""
    records = sorted(file for file in pathlib.Path(games).rglob("*") if file.suffix in (".csa", ".kif"))
    while True:
        usi = subprocess.run([program, "convert", draw.choice(records), "--to", "usi"], capture_output=True, text=True).stdout
        start, _, moves = usi.partition(" moves ")
        if start == "position startpos" and len(moves.split()) >= 40:
            moves = moves.splitlines()[0].split()
            yield moves[: draw.randrange(len(moves))]


def show(text, picture, size=(1100, 950)):
    """Has Chromium draw a page, unless the picture is there."""
    if not picture.exists():
        file = picture.with_suffix(".html").absolute()
        file.write_text(text)
        flags = "--headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run".split()
        places = f"--user-data-dir={picture.parent.absolute()}/browser", f"--screenshot={picture.absolute()}", f"file://{file}"
        words = ["chromium", *flags, f"--window-size={size[0]},{size[1]}", *places]
        subprocess.run(words, check=True, capture_output=True, timeout=60)


def draw_boards(program, games, folder, count):
    """Draws the boards, and returns their pictures with what stands on them."""
    places = fetch(folder)
    draw = random.Random(1)
    drawn = []
    for moves in itertools.islice(positions(program, games, draw), count * len(SETS)):
        set_name = SETS[len(drawn) % len(SETS)]
        board = board_after(moves)
        text = page(places, set_name, board, draw)
        picture = folder / f"{len(drawn)}-{set_name}-{zlib.crc32(text.encode()):08x}.png"
        show(text, picture)
        drawn.append((set_name, picture, sum(board, [])))
    return drawn


def main(program, games, folder, count=15):
    folder = pathlib.Path(folder)
    drawn = draw_boards(program, games, folder, int(count))
    said = subprocess.run([program, "see", *(picture for _, picture, _ in drawn)], capture_output=True, text=True).stdout.splitlines()
    for set_name in SETS:
        right = whole = sure = sure_and_wrong = boards = 0
        for (_, picture, wanted), line in (pair for pair in zip(drawn, said, strict=True) if pair[0][0] == set_name):
            boards += 1
            fields = line.split("\t")
            read = cells(fields[0]) if fields[0] != "!" else []
            wrong = [(place, *pair) for place, pair in enumerate(zip(wanted, read)) if pair[0] != pair[1]]
            right += len(read) - len(wrong)
            whole += bool(read) and not wrong
            is_sure = bool(read) and float(fields[1]) > 0.9
            sure += is_sure
            sure_and_wrong += is_sure and bool(wrong)
            for place, one, other in wrong:
                print(f"  {picture.name}: {one} as {other} at {9 - place % 9}{'abcdefghi'[place // 9]}")
        print(f"{set_name}: {right} of {boards * 81} squares, {whole} of {boards} boards; sure {sure}, of these wrong {sure_and_wrong}")


def write_sets(folder, out):
    """Writes the pieces of all sets, as pictures or drawings with the names of the public sets."""
    places = fetch(pathlib.Path(folder))
    for set_name in SETS:
        target = pathlib.Path(out) / set_name
        target.mkdir(parents=True, exist_ok=True)
        for piece, code in CSA.items():
            for side, letters in enumerate((piece, piece.lower())):
                image, turned = piece_image(places, set_name, letters)
                name = f"{side}{code}.svg" if image.suffix == ".svg" else f"{COLOURS[side]}_{WORDS[code]}.png"
                if not turned:
                    shutil.copy(image, target / name)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["sets", folder, out]:
            write_sets(folder, out)
        case [_, _, _] | [_, _, _, _]:
            main(*sys.argv[1:])
        case _:
            sys.exit(__doc__)
