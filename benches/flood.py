#!/usr/bin/env python3
"""Measures the program while a source floods it.

usage: benches/flood.py PROGRAM [--only csa|file|http|list] [--seconds 20] [--no-marks]

`PROGRAM serve` follows a CSA server that sends 500 moves a second, a file and a web server with 50 changes a second, and a
CSA server that lists games without end. Prints for each the delay of the newest move (seconds from its sending to
`state`), the share of one processor, the memory in MB after a fourth of the time and at its end, and the seconds from
SIGTERM to the end. Fails where a mark is missed: 0.5 s for the newest move (after two seconds, for a file that grows is known by then; a web server is asked no faster than its manners
allow), 1 s for the end, and 10 MB more memory, beside 3 kB for each move; with --no-marks never.
"""
import argparse
import json
import os
import random
import shutil
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HEAD = "V2.2\nN+A\nN-B\nP+59OU49KI\nP-51OU41KI\n+\n"
STEPS = {
    "OU": [(df, dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if df or dr],
    "KI": [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)],
}


def moves(seed=1):
    """Yields legal moves without end: a king and a gold of each side wander within its own three ranks."""
    chance = random.Random(seed)
    sides = [("+", {"OU": (5, 9), "KI": (4, 9)}, range(7, 10), 1), ("-", {"OU": (5, 1), "KI": (4, 1)}, range(1, 4), -1)]
    while True:
        for sign, pieces, ranks, forward in sides:
            choices = []
            for kind, (file, rank) in pieces.items():
                for df, dr in STEPS[kind]:
                    to = (file + df, rank + dr * forward)
                    if 1 <= to[0] <= 9 and to[1] in ranks and to not in pieces.values():
                        choices.append((kind, (file, rank), to))
            kind, origin, to = chance.choice(choices)
            pieces[kind] = to
            yield f"{sign}{origin[0]}{origin[1]}{to[0]}{to[1]}{kind}\n"


class Pace:
    """Counts moves at a rate, and knows when the newest one was sent."""

    def __init__(self, rate, seconds):
        self.rate, self.total, self.count = rate, rate * seconds, 0
        self.source, self.sent, self.start = moves(), [], time.monotonic()

    def due(self):
        """Returns the moves that are due, each followed by its time."""
        due = min(self.total, int((time.monotonic() - self.start) * self.rate)) - self.count
        text = "".join(f"{next(self.source)}T1\n" for _ in range(due))
        self.count += due
        self.sent += [time.monotonic()] * due
        return text


def csa(pace, is_list):
    """Serves a game at a pace, or a list of games without end."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            for line in self.rfile:
                words = line.decode().split()
                try:
                    if words[:1] == ["LOGIN"]:
                        self.tell(f"LOGIN:{words[1]} OK\n##[LOGIN] +OK x1\n")
                    elif words[:1] == ["%%LIST"] and is_list:
                        while True:
                            self.tell("".join(f"##[LIST] game-{number}\n" for number in range(1000)) + "##[LIST] +OK\n")
                    elif words[:1] == ["%%LIST"]:
                        self.tell("##[LIST] g\n##[LIST] +OK\n")
                    elif words[:1] == ["%%MONITOR2ON"]:
                        self.game(words[1])
                except OSError:
                    return

        def tell(self, text):
            self.wfile.write(text.encode())

        def game(self, name):
            def told(text):
                return "".join(f"##[MONITOR2][{name}] {line}\n" for line in text.splitlines())

            self.tell(told(HEAD))
            pace.start = time.monotonic()
            while pace.count < pace.total:
                for move in pace.due().splitlines():
                    self.tell(told(move) + (f"##[MONITOR2][{name}] +OK\n" if move.startswith("T") else ""))
                time.sleep(0.002)
            time.sleep(600)

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    return f"csa://me@127.0.0.1:{port}" + ("" if is_list else "/g")


def growing_file(pace, folder):
    path = folder / "game.csa"
    path.write_text(HEAD)

    def write():
        while pace.count < pace.total:
            with path.open("a") as file:
                file.write(pace.due())
            time.sleep(0.02)

    threading.Thread(target=write, daemon=True).start()
    return str(path)


def web(pace):
    text = [HEAD]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            text.append(pace.due())
            body = "".join(text).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/game.csa"


def memory(pid):
    """Returns the resident memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def processor(pid):
    """Returns the processor time of a process in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(program, kind, seconds):
    folder = Path(tempfile.mkdtemp(prefix="shogibar-flood-"))
    pace = Pace(500 if kind == "csa" else 50, seconds)
    if kind in ("csa", "list"):
        address = csa(pace, kind == "list")
    else:
        address = growing_file(pace, folder) if kind == "file" else web(pace)
    words = [program, "serve", "--port", "0", "--engine", "builtin", "--lang", "en", address]
    environment = {**os.environ, "SHOGIBAR_CONFIG": str(folder / "config")}
    environment = {key: value for key, value in environment.items() if key.lower() != "http_proxy"}
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
    try:
        url = child.stdout.readline().strip()

        def ply():
            with urllib.request.urlopen(f"{url}state", timeout=10) as answer:
                games = json.load(answer)["games"]
            return games[0]["ply"] if games else 0

        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        urllib.request.install_opener(opener)
        start, delays, early, before = time.monotonic(), [], None, processor(child.pid)
        while time.monotonic() - start < seconds:
            shown, now = ply(), time.monotonic()
            if shown < len(pace.sent) and now - start > 2:
                # The first move that is not shown has waited since it was sent.
                delays.append(now - pace.sent[shown])
            if early is None and now - start > seconds / 4:
                early = memory(child.pid)
            time.sleep(0.1)
        share = (processor(child.pid) - before) / (time.monotonic() - start)
        late = memory(child.pid)
        while kind != "list" and ply() < pace.count and time.monotonic() - start < seconds + 60:
            time.sleep(0.05)
        last = time.monotonic() - pace.sent[-1] if pace.sent else 0.0
        if kind != "list" and ply() != pace.total:
            last = float("inf")
        ended = time.monotonic()
        child.terminate()
        try:
            child.wait(60)
        except subprocess.TimeoutExpired:
            pass
        ended = time.monotonic() - ended
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
        shutil.rmtree(folder, ignore_errors=True)
    worst = max(delays, default=0.0)
    allowed = early + 10 + pace.total * 3e-3
    missed = [
        name
        for name, is_missed in [
            ("newest move", kind in ("csa", "file") and worst > 0.5),
            ("end", ended > 1),
            ("memory", late > allowed),
        ]
        if is_missed
    ]
    print(
        f"{kind}: {pace.count} moves, newest shown after at most {worst:.2f} s, the last after {last:.2f} s, {share:.0%} of a processor, "
        f"{early:.0f} → {late:.0f} MB, ended after {ended:.2f} s" + (f" MISSED: {', '.join(missed)}" if missed else ""),
        flush=True,
    )
    return not missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", choices=["csa", "file", "http", "list"])
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--no-marks", action="store_true")
    arguments = parser.parse_args()
    kinds = [arguments.only] if arguments.only else ["csa", "file", "http", "list"]
    done = [measure(arguments.program, kind, arguments.seconds) for kind in kinds]
    sys.exit(0 if all(done) or arguments.no_marks else 1)


if __name__ == "__main__":
    main()
