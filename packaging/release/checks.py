"""Counts what holds: one line for what does not, and at the end `N checks, M failed`."""

import subprocess
import sys

from project import ROOT


class Checks:
    """A run of checks. Called with what is claimed, whether it holds, and what was found instead."""

    def __init__(self):
        self.made = self.failed = 0

    def __call__(self, claim, holds, found=""):
        self.made += 1
        if not holds:
            self.failed += 1
            print(f"FAILED: {claim}" + (f"\n  {found}" if found else ""), flush=True)
        return bool(holds)

    def runs(self, claim, command, expect=0, **options):
        """That a command ends with a status; gives what it said, both streams apart."""
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
        self(
            claim, done.returncode == expect, f"status {done.returncode}: {(done.stdout + done.stderr).strip()[-1500:]}"
        )
        return done

    def scripts(self, paths):
        """That every script among these can be read by what runs it, and shellcheck finds nothing in it."""
        for path in sorted(path for path in paths if path.is_file()):
            name = path.relative_to(ROOT)
            first = path.read_bytes().split(b"\n", 1)[0]
            if first.endswith((b"bash", b"/sh")) or path.suffix == ".sh":
                shell = "sh" if first.endswith(b"/sh") else "bash"
                self.runs(f"{shell} reads {name}", [shell, "-n", path])
                self.runs(f"shellcheck on {name}", ["shellcheck", "--external-sources", name], cwd=ROOT)
            elif first.endswith(b"python3") or path.suffix == ".py":
                source = path.read_text(encoding="utf-8")
                self(f"Python reads {name}", compile(source, str(path), "exec"))
            if first.startswith(b"#!"):
                self(f"{name} can be run", path.stat().st_mode & 0o111)

    def end(self):
        """Says the counts and ends the program."""
        print(f"{self.made} checks, {self.failed} failed")
        sys.exit(1 if self.failed else 0)
