"""What every script of a release knows: the version, its one home, and the names of what is released."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The endings of the records that a double click may bring to us.
ENDINGS = ["kif", "kifu", "ki2", "ki2u", "csa", "jkf"]
# The terms of the program in front of the AppImage, which is none of ours, and of what is linked into it.
APPIMAGE_START = "MIT AND BSD-2-Clause AND BSD-3-Clause AND Zlib AND LGPL-2.1-only"
REPOSITORY = "https://github.com/shogibar/shogibar"


def fail(sentence):
    """Ends the script with one sentence on standard error."""
    raise SystemExit(sentence)


def version(root=ROOT):
    """The version in Cargo.toml, the one place it is written in."""
    manifest = tomllib.loads((root / "Cargo.toml").read_text(encoding="utf-8"))
    return manifest["package"].get("version") or fail("Cargo.toml: no version in [package]")


def artefacts(version):
    """The files of a release, by what they are for. The packages' scripts and the manifests agree through this."""
    return {
        "deb": f"shogibar_{version}_amd64.deb",
        "rpm": f"shogibar-{version}-1.x86_64.rpm",
        "tar": f"shogibar-{version}-x86_64-linux.tar.gz",
        "appimage": f"shogibar-{version}-x86_64.AppImage",
        "zip": f"shogibar-{version}-windows-x86_64.zip",
        "setup": f"shogibar-{version}-windows-x86_64-setup.exe",
        "dmg": f"shogibar-{version}-macos-universal.dmg",
        "sbom": f"shogibar-{version}.cdx.json",
        "licences": "THIRD-PARTY.txt",
    }


def download(version, name):
    """Where a file of a release can be had."""
    return f"{REPOSITORY}/releases/download/v{version}/{name}"


def section(changelog, version):
    """What the changelog says of a version: the text below `## VERSION`, to the next heading of that level.

    Behind the version its date may stand. None if there is no such section or nothing in it.
    """
    heading = rf"^## \[?{re.escape(version)}\]?(?:\s+[—–-]+\s+\S.*|\s+\(.*\))?\s*$"
    found = re.search(heading, changelog, re.MULTILINE)
    if found is None:
        return None
    return re.split(r"^## ", changelog[found.end() :], maxsplit=1, flags=re.MULTILINE)[0].strip() or None
