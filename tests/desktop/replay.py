"""Sends recorded commands to an engine, up to the end of a search.

usage: replay.py WORDS SECONDS,SECONDS... ENGINE
WORDS: the commands, one a line; SECONDS: the duration of each search before the next command.
"""
import queue, subprocess, sys, threading, time

words, seconds = open(sys.argv[1]).read().splitlines(), [float(one) for one in sys.argv[2].split(",")]
engine = subprocess.Popen(sys.argv[3], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
answers = queue.Queue()


def read():
    for line in engine.stdout:
        word = line.split(maxsplit=1)[0] if line.split() else ""
        if word in ("usiok", "readyok", "bestmove"):
            answers.put(word)


threading.Thread(target=read, daemon=True).start()
for line in words:
    print(line, file=engine.stdin, flush=True)
    if line.startswith("go"):
        time.sleep(seconds.pop(0))
    answer = {"usi": "usiok", "isready": "readyok", "stop": "bestmove"}.get(line)
    while answer and answers.get(timeout=60) != answer:
        pass
    if line == "stop" and not seconds:
        break
engine.stdin.close()
engine.wait()
