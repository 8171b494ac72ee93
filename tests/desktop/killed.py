"""Types a day's work into the program, kills it at a random moment, and checks what is left. Run by `killed`.

Two games are open as tabs. Moves are typed into the page's field, numbered words into comments, one of the games is
analysed, and now and then one is saved. After `kill -9` between 0.5 and 4 s:

- every edit that was typed more than a second before is in the user's file or in the autosave copy. All that a kill can
  take is the end: an edit that is missing before one that is there was not taken by the page, and is only counted
- the user's file is as it was before, or has been saved whole
- the copy names the user's file, and the workspace lists both games
- its engines end, the program comes up again, and *Open it* brings back what was not saved

usage: killed.py PROGRAM TIMES FOLDER [FOLDER for screenshots]
SEED: another number does other work; the one in use is printed
"""
import ctypes, difflib, os, random, re, signal, subprocess, sys, threading, time
from ctypes import c_int, c_uint, c_ulong, c_void_p
from pathlib import Path

program, times, work = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
shots = Path(sys.argv[4]) if len(sys.argv) > 4 and sys.argv[4] else None
LIMIT = 1  # s
# Points of the study page: the button *Start* of the analysis, and *Open it* for one record and for two.
START, OPEN_IT = (391, 527), {1: (810, 101), 2: (854, 101)}
seed = int(os.environ.get("SEED", random.randrange(10**6)))
chance = random.Random(seed)

# --- the desktop

X, T = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
X.XOpenDisplay.restype = c_void_p
X.XStringToKeysym.restype = c_ulong
X.XKeysymToKeycode.restype, X.XKeysymToKeycode.argtypes = ctypes.c_ubyte, [c_void_p, c_ulong]
X.XWarpPointer.argtypes = [c_void_p, c_ulong, c_ulong] + [c_int] * 2 + [c_uint] * 2 + [c_int] * 2
X.XSync.argtypes = [c_void_p, c_int]
T.XTestFakeKeyEvent.argtypes = T.XTestFakeButtonEvent.argtypes = [c_void_p, c_uint, c_int, c_ulong]
display = X.XOpenDisplay(None)


class NotUp(Exception):
    pass


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


def within(seconds, succeeds):
    deadline = time.monotonic() + seconds
    while not (result := succeeds()) and time.monotonic() < deadline: time.sleep(0.03)
    return result


def runs(pid):
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


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
        self.edits = []  # When it was typed, "move" or "word", and its number.
        self.is_saved = False
        self.on_disk = (GIVEN, set())


def state(text):
    """The number of moves and the numbered words of a record."""
    return len(re.findall(r"^ *\d+ ", text, re.M)), set(map(int, re.findall(r"\be(\d+)\b", text)))


def has(edit, record):
    _, kind, number = edit
    return number <= record[0] if kind == "move" else number in record[1]


class Round:
    def __init__(self, number):
        self.number = number
        self.folder = work / f"round-{number}"
        self.config = self.folder / "config"
        self.folder.mkdir()
        self.games = []
        for name in ("a", "b"):
            path = self.folder / f"{name}.kif"
            path.write_bytes(original)
            self.games.append(Game(path))
        self.wrong, self.lost, self.untaken, self.waits = [], [], [], []
        self.checked = self.saved = self.copied = 0
        self.is_over = False

    def start(self, *arguments):
        """Starts the program and returns its study page."""
        env = dict(os.environ, SHOGIBAR_CONFIG=str(self.config))
        with open(work / "program.txt", "ab") as out:
            self.process = subprocess.Popen([program, "--study", *arguments], env=env, stdout=out, stderr=out)
        page = within(30, lambda: found("^Shogibar$") and found(r"\.kif - Study - Shogibar$"))
        if not page:
            shoot(f"{self.number}-not-up")
            raise NotUp
        subprocess.run(["xdotool", "windowactivate", "--sync", str(page)], stderr=subprocess.DEVNULL)
        return page

    def copies(self):
        """The autosave copies: of each file the copy's path and text."""
        found = {}
        for of in (self.config / "unsaved").glob("*.kifu.of"):
            copy = of.with_suffix("")
            newest = copy.with_name(copy.name + ".newest")
            if newest.exists(): copy = newest
            try:
                found[of.read_text().split("\0")[0]] = copy, copy.read_text()
            except OSError:  # It was deleted meanwhile.
                pass
        return found

    def records(self, game, copies):
        """The states of a game on the disk. What is in no copy was saved."""
        texts = [game.path.read_bytes().decode("cp932")]
        if str(game.path) in copies: texts.append(copies[str(game.path)][1])
        return [state(text) for text in texts]

    def watch(self):
        """Notes how long each edit takes to the disk."""
        seen, waiting = {game: 0 for game in self.games}, []
        while not self.is_over:
            copies, now = self.copies(), time.monotonic()
            for game in self.games:
                new = game.edits[seen[game]:]
                seen[game] += len(new)
                waiting += [(game, edit) for edit in new]
                game.on_disk = self.records(game, copies)[-1]
                for one in [one for one in waiting if one[0] is game and has(one[1], game.on_disk)]:
                    waiting.remove(one)
                    self.waits.append(now - one[1][0])
            time.sleep(0.01)

    def kill(self):
        time.sleep(chance.uniform(0.5, 4))
        self.engines = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        self.killed = time.monotonic()
        self.process.kill()
        self.is_over = True

    def settle(self, game):
        """Waits for the disk, but not for long. A key in the same frame as Return or Escape may not be taken."""
        within(0.4, lambda: self.is_over or has(game.edits[-1], game.on_disk))

    def type_move(self, game):
        # A key that was not taken must not make all later moves illegal.
        if not game.edits or time.monotonic() - game.edits[-1][0] > LIMIT: game.moves = game.on_disk[0]
        press(*MOVES[game.moves], "Return")
        game.moves += 1
        game.edits.append((time.monotonic(), "move", game.moves))
        self.settle(game)

    def write_words(self, game, page):
        press("ctrl+i", pause=0.1)
        press("ctrl+End", pause=0.05)
        for _ in range(chance.randint(1, 6)):
            game.words += 1
            press(*f" e{game.words}")
            game.edits.append((time.monotonic(), "word", game.words))
        self.settle(game)
        # Back to the page.
        press("Escape", pause=0.1)

    def work(self):
        page = self.start(*(str(game.path) for game in self.games))
        time.sleep(0.5)
        # Both files are read, and one is analysed.
        here = chance.choice((0, 1))
        press("ctrl+Next", pause=0.4)
        if here == 0: press("ctrl+Prior", pause=0.3)
        press("ctrl+a", pause=0.4)
        click(page, *START)
        time.sleep(0.3)
        if self.number == 1: shoot("1-analysing")
        threads = [threading.Thread(target=run) for run in (self.watch, self.kill)]
        for thread in threads: thread.start()
        while not self.is_over:
            game, what = self.games[here], chance.random()
            # After an edit that is not on the disk yet comes another one of the same game: was it not taken, or lost?
            if game.edits and not has(game.edits[-1], game.on_disk): what *= 0.8
            if what < 0.5:
                self.type_move(game)
            elif what < 0.8:
                self.write_words(game, page)
            elif what < 0.93:
                press("ctrl+Prior" if here else "ctrl+Next", pause=0.1)
                here = 1 - here
            else:
                game.is_saved = True
                press("ctrl+s", pause=0.05)
            time.sleep(chance.choice((0.02, 0.1)))
            if self.number == 1 and len(game.edits) in range(8, 13): shoot("1-working")
        for thread in threads: thread.join()
        self.process.wait()

    def check(self):
        copies = self.copies()
        self.copied = len(copies)
        for copy in (self.config / "unsaved").glob("*.newest"):
            if not copy.with_suffix(".of").exists(): self.wrong.append(f"{copy.name} does not name its file")
        for game in self.games:
            game.edits = [edit for edit in game.edits if edit[0] < self.killed]
            if game.path.read_bytes() != game.before:
                self.saved += 1
                if not game.is_saved: self.wrong.append(f"{game.path.name} was written unasked")
                read = subprocess.run([program, "convert", game.path, "--to", "kifu"], capture_output=True, text=True)
                if read.returncode or read.stderr: self.wrong.append(f"{game.path.name} is not whole: {read.stderr}")
            records = self.records(game, copies)
            there = [any(has(edit, record) for record in records) for edit in game.edits]
            last = max((place for place, is_there in enumerate(there) if is_there), default=-1)
            old = [edit for edit in game.edits if edit[0] <= self.killed - LIMIT]
            self.checked += len(old)
            name = lambda edit: f"{game.path.name}: {edit[1]} {edit[2]}, {self.killed - edit[0]:.2f} s before the kill"
            self.untaken += [name(edit) for edit, is_there in zip(game.edits[:max(last, 0)], there) if not is_there]
            self.lost += [name(edit) for edit in game.edits[last + 1:len(old)]]
        workspace = (self.config / "workspace.toml").read_text()
        if any(f'path = "{game.path}"' not in workspace for game in self.games):
            self.wrong.append("the workspace does not list both games")
        return copies

    def restart(self, copies):
        """Starts the program again, and recovers what was not saved."""
        page = self.start()
        time.sleep(0.5)
        if self.number <= 3: shoot(f"{self.number}-again")
        if copies:
            click(page, *OPEN_IT[len(copies)])
            texts = lambda copies: {path: text for path, (_, text) in copies.items()}
            is_back = lambda: all(copy.name.split(".")[0].split("-")[0] == str(self.process.pid) for copy, _ in self.copies().values()) \
                and texts(self.copies()) == texts(copies)
            if not within(5, is_back):
                shoot(f"{self.number}-not-recovered")
                now, before = texts(self.copies()), texts(copies)
                differ = [f"{path}: {line}" for path in before
                          for line in difflib.unified_diff(before[path].split("\n"), now.get(path, "").split("\n"), n=0)]
                self.wrong.append("what was not saved does not come back: " + " | ".join(differ[:12]))
            if self.number <= 3: shoot(f"{self.number}-recovered")
        self.process.terminate()
        self.process.wait()

    def run(self):
        try:
            self.work()
            copies = self.check()
            self.restart(copies)
            # An engine ends once its input does.
            if not within(10, lambda: not any(map(runs, self.engines))):
                self.wrong.append("engines are left behind")
        except NotUp:
            self.wrong.append("the program does not come up")
        finally:
            if self.process.poll() is None: self.process.kill()
        for what in self.lost: print(f"killed: round {self.number}: lost: {what}", file=sys.stderr)
        for what in self.wrong: print(f"killed: round {self.number}: {what}", file=sys.stderr)


(work / "game.usi").write_text("startpos moves " + " ".join(usi(move) for move in MOVES[:GIVEN]))
original = subprocess.run([program, "convert", work / "game.usi", "--to", "kif"], check=True, capture_output=True).stdout
print(f"killed: seed {seed}", file=sys.stderr)
rounds = []
for number in range(1, times + 1):
    rounds.append(Round(number))
    rounds[-1].run()
total = lambda count: sum(count(one) for one in rounds)
waits = sorted(wait for one in rounds for wait in one.waits)
print(f"killed {times} times: of {total(lambda one: sum(len(game.edits) for game in one.games))} edits "
      f"{total(lambda one: one.checked)} were made more than {LIMIT:.0f} s before; {total(lambda one: len(one.lost))} of them are lost")
print(f"{total(lambda one: one.copied)} autosave copies, {total(lambda one: one.saved)} saved files; "
      f"{total(lambda one: len(one.untaken))} edits the page did not take")
if waits:
    print(f"from the last key of an edit to the disk: {1000 * waits[len(waits) // 2]:.0f} ms, at most {1000 * waits[-1]:.0f} ms")
sys.exit(any(one.lost or one.wrong for one in rounds))
