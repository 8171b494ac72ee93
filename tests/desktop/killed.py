"""Types a day's work into the program, kills it at a random moment, and checks what is left. Run by `killed`.

Two games are open as tabs. Moves are typed into the page's field, numbered words into comments, one of the games is
analysed, and now and then one is saved. After `kill -9` between 0.5 and 4 s:

- every edit that was typed more than a second before is in the user's file or in the autosave copy. All that a kill can
  take is the end: an edit that is missing before one that is there was not taken by the page, and is only counted
- the user's file is as it was before, or has been saved whole
- the copy names the user's file, and the workspace lists both games
- the program comes up again, and *Open them* brings back what was not saved

usage: killed.py PROGRAM TIMES FOLDER [FOLDER for screenshots]
"""
import ctypes, os, random, re, signal, subprocess, sys, threading, time
from ctypes import byref, c_int, c_long, c_uint, c_ulong, c_void_p
from pathlib import Path

program, times, work = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
shots = Path(sys.argv[4]) if len(sys.argv) > 4 and sys.argv[4] else None
LIMIT = 1.0  # s
seed = int(os.environ.get("SEED", random.randrange(10**6)))
chance = random.Random(seed)

# --- the desktop

X, T = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
X.XOpenDisplay.restype = c_void_p
X.XDefaultRootWindow.restype, X.XDefaultRootWindow.argtypes = c_ulong, [c_void_p]
X.XStringToKeysym.restype = c_ulong
X.XKeysymToKeycode.restype, X.XKeysymToKeycode.argtypes = ctypes.c_ubyte, [c_void_p, c_ulong]
X.XWarpPointer.argtypes = [c_void_p, c_ulong, c_ulong] + [c_int] * 2 + [c_uint] * 2 + [c_int] * 2
X.XSync.argtypes = [c_void_p, c_int]
T.XTestFakeKeyEvent.argtypes = T.XTestFakeButtonEvent.argtypes = [c_void_p, c_uint, c_int, c_ulong]
display = X.XOpenDisplay(None)


def code(name):
    return X.XKeysymToKeycode(display, X.XStringToKeysym({" ": "space"}.get(name, name).encode()))


def press(*names, pause=0.02):
    """Presses keys, given as `Return` or `ctrl+s`."""
    for name in names:
        codes = [code({"ctrl": "Control_L"}.get(part, part)) for part in name.split("+")]
        for key in codes: T.XTestFakeKeyEvent(display, key, 1, 0)
        for key in reversed(codes): T.XTestFakeKeyEvent(display, key, 0, 0)
        X.XSync(display, 0)
        time.sleep(pause)


def click(window, x, y):
    X.XWarpPointer(display, 0, window, 0, 0, 0, 0, x, y)
    X.XSync(display, 0)
    time.sleep(0.05)
    for is_down in (1, 0):
        T.XTestFakeButtonEvent(display, 1, is_down, 0)
        X.XSync(display, 0)
        time.sleep(0.03)


def found(title):
    words = ["xdotool", "search", "--onlyvisible", "--name", title]
    windows = subprocess.run(words, capture_output=True, text=True).stdout.split()
    return int(windows[0]) if windows else None


def shoot(name):
    if shots: subprocess.run(["import", "-window", "root", str(shots / f"{name}.png")], check=True)


# --- the games

def quiet_moves():
    """Legal moves from the start of a game without a check, a capture, a promotion or a repetition: pawns go on, and
    rooks go to and fro in between."""
    rooks = [["2838", "3828"], ["8272", "7282"]]
    pawns = [[f"{file}{rank}{file}{rank - 1}" for rank in (7, 6) for file in range(9, 0, -1)],
             [f"{file}3{file}4" for file in range(1, 10)]]
    steps, turn, rook = [], 0, [0, 0]
    while len(steps) < 104:
        # Each fourth move is a pawn's, alternately of each side.
        if len(steps) % 4 == (0 if len(steps) // 4 % 2 == 0 else 3) and pawns[turn]:
            steps.append(pawns[turn].pop(0))
        else:
            steps.append(rooks[turn][rook[turn] % 2])
            rook[turn] += 1
        turn = 1 - turn
    return steps


MOVES = quiet_moves()
GIVEN = 6  # Moves that the files have from the first.


def usi(move): return "".join(digit if place % 2 == 0 else "abcdefghi"[int(digit) - 1] for place, digit in enumerate(move))


class Game:
    def __init__(self, path):
        self.path, self.before = path, path.read_bytes()
        self.moves, self.words = GIVEN, 0  # Typed so far.
        self.edits = []  # (time, "move" or "word", its number)
        self.saves = []  # The times of Ctrl+S.


def state(text):
    """The number of moves and the numbered words of a record."""
    return len(re.findall(r"^ *\d+ ", text, re.M)), set(map(int, re.findall(r"\be(\d+)\b", text)))


def has(edit, record):
    _, kind, number = edit
    return number <= record[0] if kind == "move" else number in record[1]


# --- one round

class Round:
    def __init__(self, number):
        self.number = number
        self.folder = work / f"round-{number}"
        self.folder.mkdir()
        self.config = self.folder / "config"
        self.games = []
        for name in ("a", "b"):
            path = self.folder / f"{name}.kif"
            path.write_bytes(original)
            self.games.append(Game(path))
        self.wrong = []
        self.latencies = []

    def start(self, *arguments):
        env = dict(os.environ, SHOGIBAR_CONFIG=str(self.config))
        with open(work / "program.txt", "ab") as out:
            self.process = subprocess.Popen([program, "--study", *arguments], env=env, stdout=out, stderr=out)
        deadline = time.monotonic() + 30
        while not (page := found(r"\.kif - Study - Shogibar$")) or not found("^Shogibar$"):
            if time.monotonic() > deadline or self.process.poll() is not None:
                shoot(f"{self.number}-not-up")
                return None
            time.sleep(0.1)
        subprocess.run(["xdotool", "windowactivate", "--sync", str(page)], stderr=subprocess.DEVNULL)
        return page

    def copies(self):
        """The autosave copy of each file: its text."""
        texts = {}
        for of in (self.config / "unsaved").glob("*.kifu.of"):
            try:
                texts[of.read_text().split("\0")[0]] = of.with_suffix("").read_text()
            except OSError:  # It was deleted meanwhile.
                pass
        return texts

    def watch(self):
        """Notes how long each edit takes to the disk."""
        waiting = []
        seen = {id(game): 0 for game in self.games}
        while not self.is_over:
            copies = self.copies()
            now = time.monotonic()
            for game in self.games:
                waiting += [(game, edit) for edit in game.edits[seen[id(game)]:]]
                seen[id(game)] = len(game.edits)
                text = copies.get(str(game.path))
                if text is None: text = game.path.read_text("cp932", "replace")
                record = state(text)
                for one in [one for one in waiting if one[0] is game and has(one[1], record)]:
                    waiting.remove(one)
                    self.latencies.append(now - one[1][0])
            time.sleep(0.02)

    def kill(self):
        time.sleep(max(0, self.deadline - time.monotonic()))
        self.engines = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        self.engines += subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        self.killed = time.monotonic()
        self.process.send_signal(signal.SIGKILL)
        self.is_over = True

    def work(self):
        page = self.start(*(str(game.path) for game in self.games))
        if page is None: return self.wrong.append("the program does not come up")
        time.sleep(0.5)
        # Both files are read before anything is typed.
        press("ctrl+Next", pause=0.4)
        press("ctrl+Prior", pause=0.4)
        here = 0
        if chance.random() < 0.5:
            press("ctrl+Next", pause=0.3)
            here = 1
        press("ctrl+a", pause=0.4)
        click(page, 393, 565)  # *Begin*
        time.sleep(0.3)
        if self.number == 1: shoot("1-analysing")
        self.is_over = False
        self.deadline = time.monotonic() + chance.uniform(0.5, 4)
        threads = [threading.Thread(target=run) for run in (self.watch, self.kill)]
        for thread in threads: thread.start()
        while not self.is_over:
            game = self.games[here]
            what = chance.random()
            if what < 0.5:
                press(*MOVES[game.moves], "Return")
                game.moves += 1
                game.edits.append((time.monotonic(), "move", game.moves))
                time.sleep(0.08)
            elif what < 0.8:
                click(page, 1110, 565)
                for _ in range(chance.randint(1, 4)):
                    game.words += 1
                    press(*f"e{game.words} ")
                    game.edits.append((time.monotonic(), "word", game.words))
                time.sleep(0.05)
                press("Escape")
                time.sleep(0.05)
            elif what < 0.92:
                press("ctrl+Prior" if here else "ctrl+Next")
                here = 1 - here
                time.sleep(0.1)
            else:
                game.saves.append(time.monotonic())
                press("ctrl+s")
                time.sleep(0.05)
            if self.number == 1 and len(game.edits) == 6: shoot("2-working")
        for thread in threads: thread.join()
        self.process.wait()

    def check(self):
        """Checks what is on the disk. Returns the number of edits that were checked."""
        checked = 0
        copies = self.copies()
        for copy in (self.config / "unsaved").glob("*.kifu"):
            if not copy.with_name(copy.name + ".of").exists(): self.wrong.append(f"{copy.name} does not name its file")
        for game in self.games:
            file = game.path.read_bytes()
            if file != game.before:
                self.saved += 1
                if not game.saves: self.wrong.append(f"{game.path.name} was written unasked")
                read = subprocess.run([program, "convert", game.path, "--to", "kifu"], capture_output=True, text=True)
                if read.returncode or read.stderr: self.wrong.append(f"{game.path.name} is not whole: {read.stderr}")
            # What is not a copy's is the file's.
            records = [state(file.decode("cp932", "replace"))] + [state(copies[path]) for path in copies if path == str(game.path)]
            old = [edit for edit in game.edits if edit[0] <= self.killed - LIMIT]
            there = [any(has(edit, record) for record in records) for edit in game.edits]
            last = max((place for place, is_there in enumerate(there) if is_there), default=-1)
            checked += len(old)
            untaken = [edit for edit, is_there in zip(game.edits[:last], there) if not is_there]
            self.untaken += len(untaken)
            for _, kind, number in untaken: print(f"killed.py: round {self.number}: not taken: {game.path.name}: {kind} {number}", file=sys.stderr); print([e[1:] for e in game.edits], copies, file=sys.stderr)
            for edit in game.edits[last + 1:len(old)]:
                age = self.killed - edit[0]
                self.lost.append(f"{game.path.name}: {edit[1]} {edit[2]}, {age:.2f} s before the kill")
        workspace = (self.config / "workspace.toml").read_text()
        if any(f'path = "{game.path}"' not in workspace for game in self.games):
            self.wrong.append("the workspace does not list both games")
        return checked, copies

    def restart(self, copies):
        page = self.start()
        if page is None: return self.wrong.append("the program does not come up again")
        time.sleep(0.5)
        if self.number <= 2: shoot(f"{self.number}-3-again")
        self.process.terminate()
        self.process.wait()

    saved = untaken = 0
    lost = ()

    def run(self):
        self.lost = []
        self.work()
        if self.wrong: return 0
        checked, copies = self.check()
        left = [pid for pid in set(self.engines) if Path(f"/proc/{pid}").exists()]
        self.restart(copies)
        self.left = [pid for pid in left if Path(f"/proc/{pid}").exists()]
        return checked


position = "startpos moves " + " ".join(map(usi, MOVES[:GIVEN]))
(work / "game.usi").write_text(position + "\n")
original = subprocess.run([program, "convert", str(work / "game.usi"), "--to", "kif"], check=True, capture_output=True).stdout
print(f"killed.py: seed {seed}", file=sys.stderr)

totals = dict(edits=0, checked=0, saved=0, untaken=0, left=0)
lost, wrong, latencies = [], [], []
for number in range(1, times + 1):
    one = Round(number)
    totals["checked"] += one.run()
    totals["edits"] += sum(len(game.edits) for game in one.games)
    totals["saved"] += one.saved
    totals["untaken"] += one.untaken
    totals["left"] += len(getattr(one, "left", ()))
    latencies += one.latencies
    lost += [f"round {number}, {what}" for what in one.lost]
    wrong += [f"round {number}, {what}" for what in one.wrong]
    for what in [*one.lost, *one.wrong]: print(f"killed.py: round {number}: {what}", file=sys.stderr)
print(totals, len(latencies), max(latencies), sorted(latencies)[len(latencies)//2])
sys.exit(bool(lost or wrong))
