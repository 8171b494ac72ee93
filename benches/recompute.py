#!/usr/bin/env python3
"""Recomputes what an analysis says of games from the comments of their records alone, and compares.

usage: benches/recompute.py FOLDER OBJECTS [K]

FOLDER is what `shogibar analyze GAMES -o FOLDER --engine NAME --json >OBJECTS` has written: records in KIF or CSA with comments in
ShogiHome's dialect, and results.csv. K is the scale of the engine, 600 where it has none of its own. From the first game of each file:
win rates, losses, marks, mean loss, agreement, accuracy, and the moves of a decided game. Prints what differs by more than the rounding
of the objects and of the table, and the number of games and moves; the exit code is 1 if anything does.
"""
import csv
import json
import math
import pathlib
import re
import statistics
import sys

MARKS = {"inaccuracy": 5, "dubious": 10, "mistake": 20, "blunder": 50}
MOVE = {".csa": re.compile(r"[+-]\d{4}[A-Z]{2}"), ".kif": re.compile(r"\s*\d+\s+.{1,8}?(\(\d\d\)|打)")}
END = {".csa": "/", ".kif": "変化"}
# Half of the last digit, and a little for the binary fractions.
RATE, POINTS, TABLE, PERCENT = 0.000051, 0.0051, 0.0501, 0.501


def written(path):
    """The number of moves of a record, and by the number of moves before them the win rate of Black and the words of the best move."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp932")
    kind = path.suffix[:4]
    count, rates, best = 0, {}, {}
    for line in text.splitlines():
        comment = line.removeprefix("'")
        if found := re.match(r"\*#評価値=(-?\d+)", comment):
            rates[count] = 1 / (1 + math.exp(-int(found[1]) / K))
        elif found := re.match(r"\*#詰み=(..)勝ち", comment):
            rates[count] = float(found[1] in ("先手", "下手"))
        elif found := re.match(r"\*#読み筋=[▲△]([^▲△]*)", comment):
            best[count] = "".join(found[1].split())
        elif line.startswith(END[kind]):
            break
        elif MOVE[kind].match(line):
            count += 1
    return count, rates, best


def weights(rates):
    """The weight of each move in the accuracy: how much the win rates of the window change that ends with the move."""
    size = min(max((len(rates) - 1) // 10, 2), 8)
    windows = [rates[:size]] * (size - 2) + [rates[at : at + size] for at in range(len(rates) - size + 1)]
    known = [[100 * rate for rate in window if rate is not None] for window in windows]
    return [min(max(statistics.pstdev(window) if window else 0.0, 0.5), 12.0) for window in known]


def accuracy(losses):
    """The accuracy of moves with their losses and weights, by the formula of lichess."""
    each = [(min(max(103.1668 * math.exp(-0.04354 * loss) - 3.1669, 0), 100), weight) for loss, weight in losses]
    weighted = sum(value * weight for value, weight in each) / sum(weight for _, weight in each)
    return (weighted + len(each) / sum(1 / max(value, 1) for value, _ in each)) / 2


def side_of(moves, rates, best, compare, weight_of):
    """What a side has played, with the names of the objects."""
    losses, undecided, asked, agreed = [], [], 0, 0
    for move in moves:
        ply, sign = move["ply"], 1 if move["side"] == "black" else -1
        # A position that ends the line by the rules has no comment.
        before, after = rates.get(ply - 1), rates.get(ply, move["win"])
        compare(ply, "win", after, move["win"], RATE)
        if before is None or after is None:
            continue
        is_best = best.get(ply - 1) == "".join(move["word"].split())
        loss = 0.0 if is_best else max(0.0, sign * (before - after) * 100)
        compare(ply, "loss", loss, move["loss"], POINTS)
        mark = max((name for name in MARKS if loss >= MARKS[name]), key=MARKS.get, default=None)
        compare(ply, "mark", mark, move["mark"])
        is_decided = min(before, after) > 0.9 or max(before, after) < 0.1
        compare(ply, "decided", is_decided, move["decided"])
        losses.append((loss, mark, weight_of[ply - 1]))
        if not is_decided:
            undecided.append(loss)
            if ply - 1 in best:
                asked, agreed = asked + 1, agreed + is_best
    return {
        "mean_loss": sum(undecided) / len(undecided) if undecided else None,
        "agreement": agreed / asked if asked else None,
        "accuracy": accuracy([(loss, weight) for loss, _, weight in losses]) if losses else None,
        "moves": len(undecided),
        "assessed": len(losses),
        "marks": {name: sum(mark == name for _, mark, _ in losses) for name in MARKS},
    }


def compare_side(side, own, game, row, compare):
    for name, margin in (("mean_loss", POINTS), ("agreement", RATE), ("accuracy", POINTS), ("moves", 0), ("assessed", 0)):
        compare(side, name, own[name], game[name], margin)
    compare(side, "marks", own["marks"], game["marks"])
    columns = [("Mean loss", own["mean_loss"], TABLE), ("Accuracy", own["accuracy"], TABLE)]
    columns.append(("Agreement %", None if own["agreement"] is None else own["agreement"] * 100, PERCENT))
    columns += [(name, own["marks"][name] if own["assessed"] else None, 0) for name in MARKS]
    for name, value, margin in columns:
        cell = row[f"{side.title()} {name}"]
        compare(side, f"{name} of the table", value, float(cell) if cell else None, margin)


def main(folder, objects):
    with open(folder / "results.csv", encoding="utf-8-sig", newline="") as table:
        rows = {(row["File"], row["Game"] or "1"): row for row in csv.DictReader(table)}
    games = moves = differences = 0
    for line in objects.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        if game["game"] != 1:
            continue
        name = game["file"]

        def compare(place, what, own, theirs, margin=None):
            nonlocal differences
            is_number = margin is not None and own is not None and theirs is not None
            if abs(own - theirs) > margin if is_number else own != theirs:
                differences += 1
                print(f"{name}, {place}: {what} is {own}, not {theirs}")

        count, rates, best = written(folder / name)
        compare("end", "number of moves", count, len(game["moves"]))
        games, moves = games + 1, moves + count
        weight_of = weights([rates.get(0)] + [rates.get(move["ply"], move["win"]) for move in game["moves"]])
        for side in ("black", "white"):
            own = side_of([move for move in game["moves"] if move["side"] == side], rates, best, compare, weight_of)
            compare_side(side, own, game["quality"][side], rows[name, "1"], compare)
    print(f"{games} games with {moves} moves: {differences} differences")
    return differences > 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    K = float(sys.argv[3]) if len(sys.argv) == 4 else 600.0
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
