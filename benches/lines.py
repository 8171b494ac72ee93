#!/usr/bin/env python3
"""Counts the lines of the Rust source by crate: code, tests, documentation and comments.

Test code is what lies outside `src`, in a file or folder of tests, and what follows `mod tests {`.

usage: benches/lines.py [REVISION...]     the working tree, or each revision beside the next
"""
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("code", "tests", "comments")


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def sources(revision):
    """Yields the path and the text of each source file."""
    if revision is None:
        for path in git("ls-files", "src", "tests", "benches").splitlines():
            if path.endswith(".rs") and (ROOT / path).is_file():
                yield path, (ROOT / path).read_text(encoding="utf-8")
        return
    for path in git("ls-tree", "-r", "--name-only", revision, "src", "tests", "benches").splitlines():
        if path.endswith(".rs"):
            yield path, git("show", f"{revision}:{path}")


def crate_of(path, manifests):
    folders = [folder for folder in manifests if path.startswith(folder + "/")]
    return max(folders, key=len, default=path.split("/")[0])


def count(path, text):
    """Counts the lines of each kind."""
    parts = Path(path).parts
    is_test = "src" not in parts or any(re.fullmatch(r"(\w+_)?tests(\.rs)?|test_\w+\.rs", part) for part in parts)
    kinds = Counter()
    for line in text.splitlines():
        line = line.strip()
        is_test = is_test or line.startswith("mod tests {")
        if line.startswith("//"):
            kinds["comments"] += 1
        elif line:
            kinds["tests" if is_test else "code"] += 1
    return kinds


def table(revision):
    listed = git("ls-files", "src") if revision is None else git("ls-tree", "-r", "--name-only", revision, "src")
    manifests = [str(Path(path).parent) for path in listed.splitlines() if path.endswith("Cargo.toml")]
    crates = {}
    for path, text in sources(revision):
        crates.setdefault(crate_of(path, manifests), Counter()).update(count(path, text))
    return crates


def main():
    for revision in sys.argv[1:] or [None]:
        crates = table(revision)
        code = sum(kinds["code"] for kinds in crates.values()) or 1
        print(f"{revision or 'working tree'}: {code} lines of code")
        for crate, kinds in sorted(crates.items(), key=lambda entry: -entry[1]["code"]):
            numbers = " ".join(f"{kinds[kind]:7} {kind}" for kind in KINDS)
            print(f"  {crate:20} {numbers}  {kinds['code'] / code:6.1%}")


if __name__ == "__main__":
    main()
