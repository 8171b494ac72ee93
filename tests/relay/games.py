"""Plays games behind the relay and without it, and compares them. Run by `games`."""

import random
import sys
import tempfile
from pathlib import Path

import cshogi
from cshogi import cli
from cshogi.usi import Engine

NODES = 2000
PLIES = 120

TEE = '''#!{python}
"""Passes everything on, and writes it to files: what is sent to {log}.in, what is answered to {log}.out."""
import os, subprocess, sys, threading
child = subprocess.Popen({command!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def pass_on(source, target, log):
    with open(log, "ab", buffering=0) as log:
        while chunk := os.read(source, 65536):
            log.write(chunk)
            while chunk:
                chunk = chunk[os.write(target, chunk):]
def send():
    try:
        pass_on(0, child.stdin.fileno(), "{log}.in")
    except OSError:
        pass
    child.stdin.close()
threading.Thread(target=send, daemon=True).start()
pass_on(child.stdout.fileno(), 1, "{log}.out")
os._exit(child.wait())
'''


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def tee(path, command, log):
    return script(path, TEE.format(python=sys.executable, command=command, log=log))


def opening(seed):
    """Returns a few random moves, the same for a seed."""
    board, choose = cshogi.Board(), random.Random(seed)
    for _ in range(4):
        board.push(choose.choice(sorted(board.legal_moves)))
    return [cshogi.move_to_usi(move) for move in board.history]


def play(engines, options, moves):
    """Plays a game at fixed nodes, and returns its moves."""
    players = [Engine(engine) for engine in engines]
    for player, own in zip(players, options):
        for name, value in own.items():
            player.setoption(name, value)
        player.isready()
        player.usinewgame()
    moves, board = list(moves), cshogi.Board()
    for move in moves:
        board.push_usi(move)
    while len(moves) < PLIES:
        player = players[len(moves) % 2]
        player.position(moves=moves)
        best, _ = player.go(nodes=NODES)
        if best in ("resign", "win") or not board.is_legal(board.move_from_usi(best)):
            moves.append(best)
            break
        moves.append(best)
        board.push_usi(best)
    for player in players:
        player.quit()
    return moves


def main():
    programs, games, fairy = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    relay, built_in = programs / "shogibar-usi", programs / "shogibar"
    with tempfile.TemporaryDirectory() as work:
        work = Path(work)
        direct = [fairy, script(work / "built-in", f"#!/bin/sh\nexec {built_in} engine\n")]
        behind = []
        for name, engine in zip(("fairy", "built-in"), direct):
            behind.append(script(work / f"relay-{name}", f"#!/bin/sh\nexec {relay} --engine {engine}\n"))
        options = [{"Threads": 1, "USI_Variant": "shogi"}, {"Threads": 1}]
        wrong = 0
        for game in range(games // 2):
            order = [0, 1] if game % 2 == 0 else [1, 0]
            known = opening(game)
            games_played = [
                play([engines[side] for side in order], [options[side] for side in order], known)
                for engines in (direct, behind)
            ]
            same = games_played[0] == games_played[1]
            wrong += not same
            print(f"game {game + 1}: {len(games_played[0])} plies at {NODES} nodes: {'the same' if same else 'OTHER'} moves")
        # With ponder: what the GUI has sent and got is what the engine has got and sent.
        logs = []
        teed = []
        for name, engine in zip(("fairy", "built-in"), direct):
            inner = tee(work / f"inner-{name}", [engine], work / f"inner-{name}-log")
            outer = tee(work / f"outer-{name}", [str(relay), "--engine", inner], work / f"outer-{name}-log")
            teed.append(outer)
            logs.append(name)
        result = cli.main(
            teed[0], teed[1], options1={"Threads": 1, "USI_Variant": "shogi", "USI_Ponder": "true"},
            options2={"Threads": 1, "USI_Ponder": "true"}, names=["fairy", "built-in"], games=games - games // 2,
            byoyomi=100, draw=60, ponder=True, is_display=False, print_summary=False,
        )
        print(f"with ponder: {result}")
        for name in logs:
            for end in ("in", "out"):
                inner = (work / f"inner-{name}-log.{end}").read_bytes()
                outer = (work / f"outer-{name}-log.{end}").read_bytes()
                pondered = outer.count(b"go ponder")
                same = inner == outer
                wrong += not same
                print(f"{name}.{end}: {len(outer)} bytes, {'the same' if same else 'OTHERS'} at both ends"
                      + (f", {pondered} times go ponder" if pondered else ""))
        print(f"{wrong} differences")
        sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
