#!/usr/bin/env python3
"""Has engines judge the same positions of games, and compares what they say.

usage: benches/judge.py choose PROGRAM FOLDER COUNT >FILE     chooses positions of the records in FOLDER
       benches/judge.py judge PROGRAM FOLDER FILE COMMAND MS >JUDGED
                                                              adds the values of the USI engine COMMAND, MS milliseconds each
       benches/judge.py compare JUDGED OTHER                  how often two engines agree on who is better

FILE has a line for each position: the record's path below FOLDER, the number of moves, and the value in centipawns in Black's view.
The choice is always the same: at most six positions of a game, from ply 24 to ten plies before its end. A mate is
±20000 and not compared with.
"""
import functools
import pathlib
import random
import select
import subprocess
import sys
import time

PER_GAME, FIRST, LAST = 6, 24, 10
# The value of a mate. Some engines say one as centipawns beyond it.
MATE = 20_000
ANSWER = 20.0


@functools.cache
def convert(program, path):
    words = [program, "convert", str(path), "--to", "usi"]
    written = subprocess.run(words, capture_output=True, text=True, timeout=60).stdout.splitlines()
    return written[0].removeprefix("position ") if written else ""


def choose(program, folder, count):
    games, seen = [], set()
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix.lower() in (".kif", ".kifu", ".ki2", ".csa"):
            start, _, moves = convert(program, path).partition(" moves ")
            moves = tuple(moves.split())
            if start == "startpos" and len(moves) >= FIRST + LAST + PER_GAME and moves[:FIRST] not in seen:
                seen.add(moves[:FIRST])
                games.append((path.relative_to(folder), len(moves)))
    draw = random.Random(1)
    draw.shuffle(games)
    places = [(path, ply) for path, plies in games for ply in draw.sample(range(FIRST, plies - LAST), PER_GAME)]
    for path, ply in sorted(places[:count]):
        print(path, ply, sep="\t")


class Engine:
    def __init__(self, command):
        self.command = command.split()
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)
        self.rest = b""
        self.tell("usi")
        self.lines("usiok", time.monotonic() + ANSWER)
        self.tell("isready")
        self.lines("readyok", time.monotonic() + ANSWER)
        self.tell("usinewgame")

    def tell(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    def lines(self, word, until):
        """Returns the lines up to one that begins with `word`, or up to a time."""
        said = []
        while (left := until - time.monotonic()) > 0:
            line, separator, rest = self.rest.partition(b"\n")
            if separator:
                self.rest = rest
                said.append(line.decode(errors="replace").split())
                if word and line.startswith(word.encode()):
                    break
            elif select.select([self.process.stdout], [], [], left)[0]:
                read = self.process.stdout.read(65536)
                if not read:
                    break
                self.rest += read
        return said

    def value(self, position, milliseconds):
        """Returns the last value in the mover's view, or None. After a mate the engine is started again: some hang then."""
        try:
            self.tell(f"position {position}")
            self.tell("go infinite")
            said = self.lines("bestmove", time.monotonic() + milliseconds / 1000)
            self.tell("stop")
            said += self.lines("bestmove", time.monotonic() + 5.0)
        except BrokenPipeError:
            said = []
        scores = [line[line.index("score") + 1 :] for line in said if line[:1] == ["info"] and "score" in line]
        kind, figure = scores[-1][:2] if scores else ("cp", "0")
        value = int(figure) if kind == "cp" else -MATE if figure.startswith("-") else MATE
        if not scores or abs(value) >= MATE or said[-1][:1] != ["bestmove"]:
            self.end()
            self.start()
        return value if scores else None

    def end(self):
        with self.process:
            self.process.kill()


def judge(file, command, milliseconds, program, folder):
    engine = Engine(command)
    for line in pathlib.Path(file).read_text().splitlines():
        path, ply = line.split("\t")[:2]
        value = engine.value(position(program, folder, path, int(ply)), int(milliseconds))
        if value is not None:
            print(path, ply, value if int(ply) % 2 == 0 else -value, sep="\t", flush=True)
    engine.end()


def position(program, folder, path, ply):
    start, _, moves = convert(program, pathlib.Path(folder) / path).partition(" moves ")
    return f"{start} moves {' '.join(moves.split()[:ply])}"


def values(file):
    rows = (line.split("\t") for line in pathlib.Path(file).read_text().splitlines())
    return {(path, ply): int(value) for path, ply, value in rows}


def compare(judged, other):
    judged, other = values(judged), values(other)
    both = judged.keys() & other.keys()
    print(f"{len(both)} positions that both have a value for")
    for name, holds in (("above 200", lambda cp: 200 < cp < MATE), ("from 100 to 800", lambda cp: 100 <= cp <= 800)):
        places = [place for place in both if holds(abs(judged[place]))]
        right = sum(judged[place] * other[place] > 0 for place in places)
        share = 100 * right / max(len(places), 1)
        print(f"who is better, where JUDGED is {name}: {right} of {len(places)} alike, {share:.1f} %")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["choose", program, folder, count]:
            choose(program, folder, int(count))
        case ["judge", program, folder, file, command, milliseconds]:
            judge(file, command, milliseconds, program, folder)
        case ["compare", judged, other]:
            compare(judged, other)
        case _:
            sys.exit(__doc__)
