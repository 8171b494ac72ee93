#!/usr/bin/env python3
"""Compares how many mates of 3 to 9 plies the built-in engine of several programs finds in some time.

usage: benches/mates.py FOLDER PROGRAM [PROGRAM…] [--count 100] [--milliseconds 1000]

FOLDER has records, in folders of any depth: games and mating problems. From the start of each problem, and from the last 24
positions of each game, the first PROGRAM collects those with a mate of 3 to 9 plies by `go mate 400`, at most one for each
game, until there are `--count`. Each PROGRAM then gets `--milliseconds` for each, by `go mate` and by `go movetime`. A problem
without the attacker's king is for `go mate` alone.
"""
import argparse
import pathlib
import subprocess

SPAN = range(3, 10)


class Engine:
    def __init__(self, program):
        words = [program, "engine"]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.tell("isready")
        self.until("readyok")

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, word):
        said = []
        for line in self.process.stdout:
            said.append(line.split())
            if line.startswith(word):
                return said
        raise SystemExit(f"the engine ended before it said {word}")

    def end(self):
        with self.process:
            self.tell("quit")

    def mate(self, position, milliseconds):
        """Returns the number of plies of the mate that is found, or None."""
        self.tell(f"position {position}")
        self.tell(f"go mate {milliseconds}")
        answer = self.until("checkmate")[-1][1:]
        return None if answer[:1] in (["nomate"], ["timeout"], ["notimplemented"], []) else len(answer)

    def sees_mate(self, position, milliseconds):
        """Whether a search ends with a mate for the side to move."""
        self.tell("usinewgame")
        self.tell(f"position {position}")
        self.tell(f"go movetime {milliseconds}")
        scores = [line[line.index("score") + 1 :] for line in self.until("bestmove") if "score" in line]
        return bool(scores) and scores[-1][0] == "mate" and not scores[-1][1].startswith("-")


def games(program, folder):
    """Yields the lines of USI of all records."""
    for path in sorted(pathlib.Path(folder).rglob("*")):
        if path.suffix.lower() in (".kif", ".kifu", ".ki2", ".csa"):
            words = [program, "convert", str(path), "--to", "usi"]
            written = subprocess.run(words, capture_output=True, text=True, timeout=60)
            yield from (line.removeprefix("position ") for line in written.stdout.splitlines() if line)


def candidates(game):
    """Yields the positions of a game from the last one back; of a problem, its start."""
    start, _, moves = game.partition(" moves ")
    moves = moves.split()
    if start != "startpos" and len(moves) < 40:
        yield start
        return
    for count in range(len(moves), max(len(moves) - 24, 0), -1):
        yield f"{start} moves {' '.join(moves[:count])}"


def lacks_king(position):
    return position.startswith("sfen") and "K" not in position.split()[1] and position.split()[2] == "b"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("programs", metavar="PROGRAM", nargs="+")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--milliseconds", type=int, default=1000)
    options = parser.parse_args()
    folder, programs = options.folder, options.programs
    judge, found, seen = Engine(programs[0]), [], set()
    for game in games(programs[0], folder):
        if len(found) == options.count:
            break
        for position in candidates(game):
            plies = judge.mate(position, 400)
            if plies in SPAN and position not in seen:
                seen.add(position)
                found.append((position, plies))
                break
    judge.end()
    print(f"{len(found)} positions: " + ", ".join(f"{sum(p == plies for _, p in found)} of {plies} plies" for plies in (3, 5, 7, 9)))
    for program in programs:
        engine = Engine(program)
        whole = [position for position, _ in found if not lacks_king(position)]
        mates = sum(engine.mate(position, options.milliseconds) is not None for position, _ in found)
        searches = sum(engine.sees_mate(position, options.milliseconds) for position in whole)
        engine.end()
        print(f"{program}: go mate {mates} of {len(found)}, go movetime {searches} of {len(whole)}")


if __name__ == "__main__":
    main()
