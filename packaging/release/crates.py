"""The crates that are linked into the program, as cargo resolves them for each system it is released for."""

import json
import re
import subprocess
from pathlib import Path

from project import ROOT, fail

TARGETS = {
    "linux": ["x86_64-unknown-linux-gnu"],
    "windows": ["x86_64-pc-windows-gnu"],
    "macos": ["aarch64-apple-darwin", "x86_64-apple-darwin"],
}

# The crates of this repository, which are one program: those in Cargo.lock that come from no registry.
OURS = re.findall(
    r'name = "([^"]+)"\nversion = "[^"]+"\n(?!source)', (ROOT / "Cargo.lock").read_text(encoding="utf-8")
)


def cargo(*arguments):
    """What cargo prints. It fails where Cargo.lock would have to change."""
    done = subprocess.run(["cargo", *arguments, "--locked"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else fail(f"cargo {arguments[0]}: {done.stderr.strip()}")


def linked(target):
    """The (name, version) of every crate below ours for a target, but for the one that is ours as well; neither what
    only builds it nor what tests it.

    `cargo tree` is asked and not `cargo metadata`, which would take in what the tests switch on.
    """
    lines = cargo("tree", "--target", target, "--edges", "normal", "--prefix", "none", "--format", "{p}").splitlines()
    found = {re.match(r"(\S+) v(\S+)", line).groups() for line in lines if line}
    return {(name, version) for name, version in found if name not in OURS}


def direct():
    """The (name, version) of the crates that ours name, of those that are shipped for any system."""
    lines = set()
    only = ["--edges", "normal", "--prefix", "none", "--format", "{p}", "--depth", "1", "--no-dedupe"]
    for target in sum(TARGETS.values(), []):
        for package in OURS:
            lines.update(cargo("tree", "--target", target, "--package", package, *only).splitlines()[1:])
    found = {re.match(r"(\S+) v(\S+)", line).groups() for line in lines if line}
    return sorted((name, version) for name, version in found if name not in OURS)


def checksums():
    """The SHA-256 of each crate's archive, by (name, version), from Cargo.lock."""
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    pattern = r'name = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"'
    return {(name, version): checksum for name, version, checksum in re.findall(pattern, lock)}


def shipped():
    """Every crate that is shipped, in order: dictionaries with `name`, `version`, `license`, `license_file`,
    `authors`, `repository`, `folder` (its source), `targets` (systems), `needs` (the shipped ones it needs) and
    `builds_only` (a procedural macro: it runs while others are compiled)."""
    metadata = json.loads(cargo("metadata", "--format-version", "1"))
    systems = {}
    for system, targets in TARGETS.items():
        for key in set().union(*map(linked, targets)):
            systems.setdefault(key, []).append(system)
    keys = {package["id"]: (package["name"], package["version"]) for package in metadata["packages"]}
    needs = {
        keys[node["id"]]: sorted(
            keys[need["pkg"]]
            for need in node["deps"]
            if keys[need["pkg"]] in systems and any(kind["kind"] is None for kind in need["dep_kinds"])
        )
        for node in metadata["resolve"]["nodes"]
    }
    result = []
    for package in metadata["packages"]:
        key = keys[package["id"]]
        if key in systems:
            wanted = ("name", "version", "license", "license_file", "authors", "repository")
            crate = {field: package[field] for field in wanted}
            crate["folder"] = Path(package["manifest_path"]).parent
            crate["targets"] = systems[key]
            crate["needs"] = needs[key]
            crate["builds_only"] = any("proc-macro" in target["kind"] for target in package["targets"])
            result.append(crate)
    missing = systems.keys() - {(crate["name"], crate["version"]) for crate in result}
    if missing:
        fail(f"cargo metadata does not know {sorted(missing)}")
    return sorted(result, key=lambda crate: (crate["name"], crate["version"]))
