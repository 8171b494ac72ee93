#!/usr/bin/env python3
"""Compares the nodes per second of processor time that the built-in engine of several programs searches.

usage: benches/nodes.py PROGRAM [PROGRAM…] [--rounds 11] [--nodes 300000]

Each PROGRAM is a build of shogibar. The programs run alternately, so many rounds each, in separate processes, on the same
four positions with so many nodes each. Prints the median of each, and the ratio of the first to it. The processor time
is that of the whole process, so that other load on the machine has little effect.
"""
import argparse
import os
import statistics
import subprocess

POSITIONS = [
    "startpos moves 7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "sfen lr5nl/3g1kg2/2n1pp1p1/p1pps1p1p/1p5P1/P1PPSPP1P/1PS1P4/2GK1G1R1/LN5NL b Bb 51",
    "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
]


def speed(program, count):
    """Returns the nodes per second of processor time, over all positions with `count` nodes each."""
    words = ["usi", "setoption name USI_Hash value 64", "isready"]
    with subprocess.Popen([program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:

        def tell(line):
            engine.stdin.write(line + "\n")
            engine.stdin.flush()

        def until(word):
            said = []
            for line in engine.stdout:
                said.append(line)
                if line.startswith(word):
                    return said
            raise SystemExit(f"{program} ended before it said {word}")

        for word in words:
            tell(word)
        until("readyok")
        before, nodes = processor_time(engine.pid), 0
        for position in POSITIONS:
            tell(f"position {position}")
            tell(f"go nodes {count}")
            said = [line.split() for line in until("bestmove") if " nodes " in line]
            nodes += int(said[-1][said[-1].index("nodes") + 1])
        seconds = processor_time(engine.pid) - before
        tell("quit")
    # The clock has steps of 10 ms.
    return nodes / max(seconds, 0.01)


def processor_time(pid):
    """Returns the processor time of a process in user mode, in seconds."""
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", metavar="PROGRAM", nargs="+")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--nodes", type=int, default=300_000)
    options = parser.parse_args()
    programs = options.programs
    speeds = {program: [] for program in programs}
    for round_ in range(options.rounds):
        for program in programs if round_ % 2 else reversed(programs):
            speeds[program].append(speed(program, options.nodes))
    first = statistics.median(speeds[programs[0]])
    for program in programs:
        median = statistics.median(speeds[program])
        print(f"{program}: {median / 1000:.0f} thousand nodes a second; the first has {first / median:.2f} x")


if __name__ == "__main__":
    main()
