#!/usr/bin/env python3
"""Fetches the fonts that the eye's training draws pieces with into a folder, from packages of Debian and of npm. Installs nothing.

usage: benches/piece_fonts.py FOLDER
       benches/piece_fonts.py list FOLDER        writes the list again, without fetching

Each package becomes a folder PACKAGE_VERSION with its fonts and its licences. A package that is there already is not fetched again.
FOLDER/list.tsv has a line for each file: family, package, version, licence, file, whether 成香, 成桂 and 成銀 can be written,
and the letters of pieces that are missing. A package that cannot be fetched, or whose licence is not the one named below, is reported
and left out; the exit status is 1 only when there is no font at all. With FONTCONFIG_FILE=FOLDER/fonts.conf the training takes the
fonts of the folder in place of the system's. Needs apt (after `apt-get update`), dpkg-deb, npm and fc-query; some 500 MB are fetched,
and the folder has 630 MB.
"""
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import urllib.parse
import zlib

# The letters that `Fonts` in tools/eye/piece_sets.rs demands of a family.
LETTERS = "歩香桂銀金角飛王玉と杏圭全仝今馬龍竜成将車行兵"
# Licences that allow any use of the letters, and a text that the package or its fonts must have.
LICENCES = {
    "OFL-1.1": r"open font license|scripts\.sil\.org/ofl",
    "Apache-2.0": r"apache license",
    "IPA-1.0": r"ipa font license agreement",
    "BSD-3-Clause": r"redistribution and use in source and binary forms",
    "MIT": r"permission is hereby granted, free of charge",
    "public domain": r"public[- ]domain",
    "OGDL-TW-1.0": r"open government data license",
    "Ume (any use)": r"unlimited permission is granted to use, copy, and distribute it",
    "Oradano (any use)": r"can be used freely without regard to the cost for any purpose",
}
# One family for each design of kanji. Not fetched are
# - families with the kanji of another one: IPAex, IPAmj, Takao, Monapo (IPA); VL, MigMix, Migu, Ricty, M PLUS 1p and 2 (M PLUS 1);
#   UmePlus and 17 of the Ume fonts (Ume); Kosugi (Motoya); Kaisei Decol and Opti (Kaisei Tokumin); Yuji Mai and Boku (Yuji Syuku);
#   Shippori Antique, Mochiy Pop and Noto Sans CJK (Noto Sans JP); Shippori Mincho B1; Zen Antique (Zen Old Mincho); Zen Kaku Gothic
#   Antique (New); LXGW WenKai (Klee); the other YOz fonts; proportional ones;
# - letters that cannot be told apart: Misaki (8 × 8 pixels), KouzanBrushFontSousyo (grass script), SetoFont-ex (empty);
# - KanjiStrokeOrders, which numbers the strokes; collections of Chinese families (WenQuanYi);
# - BabelStone Han and Komatuna: their licence is CC-BY-SA.
DEBIAN = {
    "fonts-aoyagi-kouzan-t": ("public domain", "*"),
    "fonts-aoyagi-soseki": ("public domain", "*"),
    "fonts-cns11643-kai": ("OGDL-TW-1.0", "TW-Kai-9*"),
    "fonts-dejima-mincho": ("MIT", "*"),
    "fonts-dotgothic16": ("OFL-1.1", "*"),
    "fonts-droid-fallback": ("Apache-2.0", "DroidSansFallbackFull*"),
    "fonts-hanazono": ("OFL-1.1", "HanaMinA.*"),
    "fonts-horai-umefont": ("Ume (any use)", "ume-tgo4.* ume-tgo5.* ume-tmo3.*"),
    "fonts-ipafont-gothic": ("IPA-1.0", "ipag.*"),
    "fonts-ipafont-mincho": ("IPA-1.0", "ipam.*"),
    "fonts-kiloji": ("BSD-3-Clause", "kiloji.* kiloji_b.* kiloji_d.*"),
    "fonts-konatu": ("MIT", "Konatu.*"),
    "fonts-kouzan-mouhitsu": ("public domain", "kouzan-mouhitsu.ttf kouzan-mouhitsu-gyosho.ttf"),
    "fonts-mona": ("public domain", "*"),
    "fonts-motoya-l-cedar": ("Apache-2.0", "*"),
    "fonts-motoya-l-maruberi": ("Apache-2.0", "*"),
    "fonts-mplus": ("OFL-1.1", "Mplus1-*"),
    "fonts-oradano-mincho-gsrr": ("Oradano (any use)", "*"),
    "fonts-rampart": ("OFL-1.1", "*"),
    "fonts-reggae": ("OFL-1.1", "*"),
    "fonts-rocknroll": ("OFL-1.1", "*"),
    "fonts-seto": ("OFL-1.1", "setofont.*"),
    "fonts-stick": ("OFL-1.1", "*"),
    "fonts-train": ("OFL-1.1", "*"),
    "fonts-unifont": ("OFL-1.1", "unifont.otf unifont_jp.otf"),
    "fonts-yozvox-yozfont-antique": ("OFL-1.1", "YOzRA_.* YOzBA_.*"),
    "fonts-yusei-magic": ("OFL-1.1", "*"),
}
# Those of @expo-google-fonts.
EXPO = """
    biz-udgothic@0.4.0 biz-udmincho@0.4.0 dela-gothic-one@0.4.1 hachi-maru-pop@0.4.1 hina-mincho@0.4.1
    ibm-plex-sans-jp@0.4.1 kaisei-tokumin@0.4.1 kiwi-maru@0.4.1 klee-one@0.4.1 line-seed-jp@0.4.0
    m-plus-rounded-1c@0.4.4 noto-sans-jp@0.4.3 noto-serif-jp@0.4.3 potta-one@0.4.1 sawarabi-gothic@0.4.2
    sawarabi-mincho@0.4.1 shippori-mincho@0.4.1 yomogi@0.4.1 yuji-syuku@0.4.1 zen-kaku-gothic-new@0.4.1
    zen-kurenaido@0.4.1 zen-maru-gothic@0.4.1 zen-old-mincho@0.4.1
""".split()
# The packages of @fontsource have their letters in WOFF files that become TTF files here.
NPM = {f"@expo-google-fonts/{name}": ("OFL-1.1", "*") for name in EXPO} | {
    "@fontsource/new-tegomin@4.5.9": ("OFL-1.1", "*-japanese-*-normal.woff"),
    "@fontsource/wdxl-lubrifont-jp-n@5.3.0": ("OFL-1.1", "*-japanese-*-normal.woff"),
}
PACKAGES = DEBIAN | NPM
ENDINGS = {".ttf", ".otf"}
# Names the folder in which it is as the only one with fonts.
CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
</fontconfig>
"""
# Seconds for one command.
TIMEOUT = 1200


def run(*words, cwd=None):
    """Returns what a command prints; raises an OSError with the end of its errors."""
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "A complete log" not in line]
        raise OSError(f"{words[0]}: {' '.join(lines[:2]) or done.returncode}")
    return done.stdout


def unpack_debian(name, work):
    """Fetches a package of Debian, unpacks it into `work / "files"`, and returns its version."""
    run("apt-get", "download", "-o", "APT::Sandbox::User=root", name, cwd=work)
    (file,) = work.glob("*.deb")
    run("dpkg-deb", "-x", file, work / "files")
    return run("dpkg-deb", "-f", file, "Version").strip()


def unpack_npm(name, work):
    """Fetches a package of npm, unpacks it into `work / "files"`, and returns its version."""
    run("npm", "pack", "--loglevel", "error", "--cache", work / "cache", name, cwd=work)
    (file,) = work.glob("*.tgz")
    (work / "files").mkdir(exist_ok=True)
    run("tar", "xzf", file, "-C", work / "files")
    return name.rpartition("@")[2]


def folder_name(package, version):
    """Returns the name of a package's folder; without a version, a pattern for that of any version."""
    if package in NPM:
        package, _, version = package.rpartition("@")
    plain = package.removeprefix("@").replace("/", "-")
    return f"{plain}_{urllib.parse.quote(version, safe='+~') if version != '*' else '*'}"


def sfnt_from_woff(data):
    """Returns the TTF or OTF file that a WOFF file holds."""
    flavour, count = struct.unpack(">4x4s4xH", data[:14])
    entries = [struct.unpack(">4s4I", data[44 + 20 * index : 64 + 20 * index]) for index in range(count)]
    power = count.bit_length() - 1
    head = flavour + struct.pack(">4H", count, 16 << power, power, 16 * count - (16 << power))
    tables = b""
    for tag, start, packed, length, checksum in entries:
        table = data[start : start + packed]
        table = table if packed == length else zlib.decompress(table)
        head += struct.pack(">4s3I", tag, checksum, 12 + 16 * count + len(tables), length)
        tables += table + bytes(-length % 4)
    return head + tables


def has_licence(licence, texts, fonts):
    """Returns whether the text of a licence is among the package's texts, or in the names that its first font has."""
    pattern = re.compile(LICENCES[licence], re.IGNORECASE)
    found = any(pattern.search(" ".join(file.read_text(errors="replace").split())) for file in texts)
    return found or bool(pattern.search(fonts[0].read_bytes().replace(b"\0", b"").decode("latin-1")))


def fetch(package, folder):
    """Fetches a package into its folder, unless it is there."""
    if any(folder.glob(folder_name(package, "*"))):
        return
    licence, patterns = PACKAGES[package]
    with tempfile.TemporaryDirectory(dir=folder, prefix=".") as work:
        work = pathlib.Path(work)
        version = (unpack_npm if package in NPM else unpack_debian)(package, work)
        files = [file for file in sorted((work / "files").rglob("*")) if file.is_file() and not file.is_symlink()]
        wanted = [file for file in files if any(file.match(pattern) for pattern in patterns.split())]
        whole = work / "whole"
        whole.mkdir()
        for file in wanted:
            if file.suffix.lower() == ".woff":
                (whole / f"{file.stem}.ttf").write_bytes(sfnt_from_woff(file.read_bytes()))
            elif file.suffix.lower() in ENDINGS:
                shutil.copy(file, whole)
        fonts = sorted(whole.iterdir())
        if not fonts:
            raise OSError(f"no font matches {patterns}")
        texts = [file for file in files if re.match(r"copyright$|licen[sc]e|ofl", file.name, re.IGNORECASE)]
        if not has_licence(licence, texts, fonts):
            raise OSError(f"the licence {licence} is not found")
        for file in texts:
            shutil.copy(file, whole)
        whole.rename(folder / folder_name(package, version))


def missing_letters(data):
    """Returns the letters that a TTF or OTF file has no glyph for, or one without an outline (of OTF glyphs the outline is not read)."""
    count = struct.unpack(">H", data[4:6])[0]
    entries = [struct.unpack(">4s4xII", data[12 + 16 * index : 28 + 16 * index]) for index in range(count)]
    tables = {tag: data[start : start + length] for tag, start, length in entries}
    glyphs = glyphs_of_letters(tables[b"cmap"])
    if b"loca" in tables:
        is_long = struct.unpack(">h", tables[b"head"][50:52])[0] == 1
        form, size = (">II", 4) if is_long else (">HH", 2)
        ends = {letter: struct.unpack_from(form, tables[b"loca"], glyph * size) for letter, glyph in glyphs.items()}
        glyphs = {letter: glyph for letter, glyph in glyphs.items() if ends[letter][0] < ends[letter][1]}
    return "".join(letter for letter in LETTERS if letter not in glyphs)


def glyphs_of_letters(cmap):
    """Returns the glyph of each letter, from a font's table of characters (its parts of format 4 and 12)."""
    glyphs = {}
    for index in range(struct.unpack(">H", cmap[2:4])[0]):
        platform, encoding, start = struct.unpack(">HHI", cmap[4 + 8 * index : 12 + 8 * index])
        part = cmap[start:]
        form = struct.unpack(">H", part[:2])[0]
        if platform not in (0, 3) or form not in (4, 12):
            continue
        for letter in LETTERS:
            if glyph := (glyph_of_format_4 if form == 4 else glyph_of_format_12)(part, ord(letter)):
                glyphs[letter] = glyph
    return glyphs


def glyph_of_format_4(part, point):
    doubled = struct.unpack(">H", part[6:8])[0]
    ends, starts, deltas, offsets = (14, 16 + doubled, 16 + 2 * doubled, 16 + 3 * doubled)
    number = lambda place: struct.unpack_from(">H", part, place)[0]
    for step in range(0, doubled, 2):
        if point <= number(ends + step):
            if point < number(starts + step):
                return 0
            offset = number(offsets + step)
            if offset == 0:
                return (point + number(deltas + step)) & 0xFFFF
            glyph = number(offsets + step + offset + 2 * (point - number(starts + step)))
            return (glyph + number(deltas + step)) & 0xFFFF if glyph else 0
    return 0


def glyph_of_format_12(part, point):
    for index in range(struct.unpack(">I", part[12:16])[0]):
        first, last, glyph = struct.unpack_from(">3I", part, 16 + 12 * index)
        if first <= point <= last:
            return glyph + point - first
    return 0


def write_list(folder):
    """Writes the list, reports what lacks letters, and returns the number of families that have all."""
    lines, whole, lacking = [], set(), {}
    for package, (licence, _) in PACKAGES.items():
        for place in sorted(folder.glob(folder_name(package, "*"))):
            name = package.rpartition("@")[0] if package in NPM else package
            version = urllib.parse.unquote(place.name.partition("_")[2])
            for file in sorted(place.iterdir()):
                if file.suffix.lower() not in ENDINGS:
                    continue
                family = run("fc-query", "--format", "%{family[0]}", file)
                missing = missing_letters(file.read_bytes())
                promoted = "no" if set("成香桂銀") & set(missing) else "yes"
                lines.append((family, name, version, licence, str(file.relative_to(folder)), promoted, missing or "-"))
                if missing:
                    lacking[family] = missing
                else:
                    whole.add(family)
    head = ("family", "package", "version", "licence", "file", "成", "missing")
    text = "".join("\t".join(line) + "\n" for line in [head, *sorted(set(lines))])
    (folder / "list.tsv").write_text(text)
    for family, missing in sorted(lacking.items()):
        print(f"{family}: lacks {missing}")
    print(f"{len(whole)} families with all letters, {len(lines)} files")
    return len(whole)


def main(folder, fetches):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fonts.conf").write_text(CONFIGURATION)
    failed = []
    for index, package in enumerate(PACKAGES if fetches else ()):
        try:
            fetch(package, folder)
        except (OSError, ValueError, struct.error, zlib.error, subprocess.TimeoutExpired) as error:
            failed.append(package)
            print(f"{package}: {error}", file=sys.stderr)
        else:
            print(f"{index + 1} of {len(PACKAGES)}: {package}", flush=True)
    count = write_list(folder)
    if failed:
        print(f"not fetched: {', '.join(failed)}", file=sys.stderr)
    sys.exit(count == 0)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["list", folder]:
            main(pathlib.Path(folder), False)
        case [folder] if not folder.startswith("-"):
            main(pathlib.Path(folder), True)
        case _:
            sys.exit(__doc__)
