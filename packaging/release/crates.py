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

# The crates of this repository, the program's and its tools': those in Cargo.lock that come from no registry.
OURS = re.findall(
    r'name = "([^"]+)"\nversion = "[^"]+"\n(?!source)', (ROOT / "Cargo.lock").read_text(encoding="utf-8")
)


def cargo(*arguments):
    """What cargo prints. It fails where Cargo.lock would have to change."""
    done = subprocess.run(["cargo", *arguments, "--locked"], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else fail(f"cargo {arguments[0]}: {done.stderr.strip()}")


def tree(target, *options):
    """The (name, version) of every crate that `cargo tree` names for a target; neither what only builds the program nor
    what tests it. `cargo metadata` would take in what the tests switch on."""
    only = ["--edges", "normal", "--prefix", "none", "--format", "{p}"]
    lines = cargo("tree", "--target", target, *only, *options).splitlines()
    return {re.match(r"(\S+) v(\S+)", line).groups() for line in lines if line}


def linked(target):
    """The (name, version) of every crate that is linked for a target and is not ours."""
    return {key for key in tree(target) if key[0] not in OURS}


def direct():
    """The (name, version) of the crates that ours name, of those that are shipped for any system. The crates of ours
    that are tools only, such as the one that trains, are not in the program, and neither is what they need."""
    found = set()
    for target in sum(TARGETS.values(), []):
        for name, _ in tree(target):
            if name in OURS:
                found |= tree(target, "--package", name, "--depth", "1", "--no-dedupe")
    return sorted(key for key in found if key[0] not in OURS)


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
