//! Checks the source against the invariants of `docs/architecture.md`.

use shogibar_config::{Rgba, Theme};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The folders of the crates. The root has the remaining files.
const CRATES: &[&str] = &[
    "base",
    "builtin",
    "config",
    "engine",
    "eye",
    "facts",
    "files",
    "games",
    "kifu",
    "live",
    "machine",
    "model",
    "obs",
    "programme",
    "relay",
    "serve",
    "shelf",
    "shogi",
    "ui",
];

/// Pure crates, modules and files: they use no file, socket, process, thread, environment or clock.
const PURE: &[&str] = &[
    "base",
    "builtin",
    "config",
    "engine/observer",
    "engine/options",
    "engine/session",
    "engine/usi",
    "engine_match",
    "eye",
    "facts",
    "games/adjudicate",
    "games/analysis",
    "games/bar",
    "games/calibration",
    "games/engine_game",
    "games/folder/estimate",
    "games/folder/html_table",
    "games/folder/table",
    "games/reasons",
    "games/report",
    "games/study",
    "kifu",
    "live",
    "model",
    "programme",
    "serve",
    "shelf/answer",
    "shelf/bytes",
    "shelf/entry",
    "shelf/games",
    "shelf/key",
    "shelf/segment",
    "shogi",
    "ui",
];
/// The exceptions within the pure code: the shells, which do its I/O.
const SHELLS: &[&str] = &[
    "base/latest",
    "base/threads",
    "config/folder",
    "config/platform",
    "config/program",
    "engine/session/shell",
    "engine/session/stderr_tail",
    "engine_match/player",
    "engine_match/run",
    "games/analysis/engines",
    "games/analysis/remote",
    "games/analysis/run",
    "games/analysis/state",
    "games/calibration/collect",
    "games/calibration/net",
    "live/file/shell",
    "live/http/client",
    "live/http/shell",
    "live/csa/shell",
    "live/lishogi/shell",
    "live/output",
    "live/screen/shared_pieces",
    "live/screen/shell",
    "live/source",
    "obs/client",
    "obs/driver",
    "serve/client",
    "serve/feed",
    "serve/server",
    "serve/server_state",
];
const WORLD: &[&str] = &[
    "std::fs",
    "std::net",
    "std::process",
    "std::thread",
    "std::env",
    "Instant",
    "SystemTime",
    "std::io::stdin",
    "std::io::stdout",
    "fs::",
    "env::",
    "thread::",
    "threads::",
    "process::Process",
    "probe::probe",
    "Session::start",
    "discovery::",
    "traffic::",
    "store::Store",
];

/// The maximum number of lines of a file. A longer one holds several subjects and has to be split.
const MAX_FILE_LINES: usize = 1300;

struct Source {
    /// The path below `src` without `.rs`, with `/`.
    name: String,
    /// The code up to the unit tests, without comments and with one import on each line.
    code: String,
    lines: usize,
}

impl Source {
    fn is_in(&self, modules: &[&str]) -> bool {
        modules
            .iter()
            .any(|module| self.name == *module || self.name.starts_with(&format!("{module}/")))
    }

    /// Whether the file is the root of a crate, which declares the crate's modules.
    fn is_root(&self) -> bool {
        self.name == "lib" || self.name.ends_with("/lib")
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(source(&root, &path));
            }
        }
    }
    assert!(found.len() > 20, "the source is not where it is looked for");
    found
}

fn source(root: &Path, path: &Path) -> Source {
    let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let name = path
        .strip_prefix(root)
        .unwrap()
        .with_extension("")
        .to_string_lossy()
        .replace('\\', "/");
    // Test modules are exempt: the parent file declares them with `cfg(test)`, or they are parts of such a module.
    let is_test = name.contains("/tests/")
        || path
            .parent()
            .map(|folder| folder.with_extension("rs"))
            .is_some_and(|above| {
                let declared = format!(
                    "#[cfg(test)]\nmod {};",
                    path.file_stem().unwrap().to_string_lossy()
                );
                fs::read_to_string(above).is_ok_and(|above| above.replace("\r\n", "\n").contains(&declared))
            });
    let code = if is_test {
        ""
    } else {
        text.split("#[cfg(test)]\nmod tests {").next().unwrap()
    };
    let code: Vec<&str> = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    Source {
        name,
        lines: text.lines().count(),
        code: spread_imports(&code.join("\n")),
    }
}

/// Returns the code with every import in full on its own line. So a name inside a group is found as well: `use a::{b,
/// c::{d, e}};` becomes `use a::b;`, `use a::c::d;` and `use a::c::e;`.
fn spread_imports(code: &str) -> String {
    let mut spread = String::new();
    let mut rest = code;
    while let Some(at) = find_word(rest, "use ") {
        let (before, import) = rest.split_at(at);
        let (import, after) = import.split_once(';').unwrap_or((import, ""));
        spread += before;
        for path in leaves(import.trim_start_matches("use ")) {
            spread.extend(["use ", &path, ";\n"]);
        }
        rest = after;
    }
    spread + rest
}

/// Returns the paths of an import tree.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((stem, group)) = tree.split_once('{') else {
        return vec![tree.to_owned()];
    };
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let mut depth = 0;
    let split_here = |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    };
    let members = group.split(split_here).filter(|member| !member.trim().is_empty());
    members
        .flat_map(leaves)
        .map(|leaf| format!("{}{leaf}", stem.trim_start()))
        .collect()
}

#[test]
fn spreads_grouped_imports() {
    let check = |code, expect: &str| assert_eq!(spread_imports(code).trim(), expect);
    check("use crate::threads;", "use crate::threads;");
    check(
        "use crate::{platform, threads};",
        "use crate::platform;\nuse crate::threads;",
    );
    check(
        "use a::{self, b::{c, d as e},\n f,};",
        "use a::self;\nuse a::b::c;\nuse a::b::d as e;\nuse a::f;",
    );
    check("fn reuse (x) {}", "fn reuse (x) {}");
}

/// The items that each file passes on from its child modules: file, item, child.
type Reexports = BTreeSet<(String, String, String)>;

/// Splits a file's code into the lines that pass items on from its child modules, and the other lines.
fn split_reexports(source: &Source, names: &BTreeSet<String>) -> (Reexports, String) {
    let mut reexports = Reexports::new();
    let mut rest = String::new();
    for line in source.code.lines() {
        let import = line
            .trim()
            .trim_end_matches(';')
            .split_once("use ")
            .filter(|(before, _)| before.starts_with("pub"));
        let path: Vec<&str> = import
            .map(|(_, import)| import.split(" as ").collect())
            .unwrap_or_default();
        let child = path
            .first()
            .and_then(|path| deepest(&[&source.name], path.split("::"), names));
        match child.filter(|child| *child != source.name) {
            Some(child) => {
                let item = path[path.len() - 1].rsplit("::").next().unwrap_or_default();
                reexports.insert((source.name.clone(), item.to_owned(), child));
            }
            None => rest.extend([line, "\n"]),
        }
    }
    (reexports, rest)
}

/// Returns the file that a path leads to from a module, without the items in that file.
fn deepest<'p>(
    start: &[&'p str],
    path: impl Iterator<Item = &'p str>,
    names: &BTreeSet<String>,
) -> Option<String> {
    let module: Vec<&str> = start.iter().copied().chain(path).collect();
    (1..=module.len())
        .rev()
        .map(|length| module[..length].join("/"))
        .find(|file| names.contains(file))
}

/// Returns the files that a file uses. Files whose module contains it are left out, because a module may use its
/// parent. A file that uses an item passed on by another file uses both that file and the item's own file.
fn used_files(source: &Source, names: &BTreeSet<String>, reexports: &Reexports) -> BTreeSet<String> {
    let here: Vec<&str> = source.name.split('/').collect();
    let in_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let code = split_reexports(source, names).1;
    let children = names
        .iter()
        .filter_map(|name| name.strip_prefix(&format!("{}/", source.name)));
    let children = children
        .filter(|child| !child.contains('/'))
        .map(|child| format!("{child}::"));
    let starts: Vec<String> = ["crate::", "super::", "self::"]
        .map(str::to_owned)
        .into_iter()
        .chain(children)
        .collect();
    let mut used = BTreeSet::new();
    for at in starts
        .iter()
        .flat_map(|start| code.match_indices(start.as_str()))
        .map(|(at, _)| at)
    {
        if code[..at].ends_with(in_path) {
            continue;
        }
        let path: String = code[at..].chars().take_while(|c| in_path(*c)).collect();
        let mut module = here.clone();
        let mut rest: Vec<&str> = path.split("::").collect();
        if rest[0] == "crate" {
            rest.remove(0);
            module = crate_of(&source.name)
                .split('/')
                .filter(|folder| !folder.is_empty())
                .collect();
        }
        while rest
            .first()
            .is_some_and(|first| ["self", "super"].contains(first))
        {
            if rest.remove(0) == "super" {
                module.pop();
            }
        }
        let Some(file) = deepest(&module, rest.iter().copied(), names) else {
            continue;
        };
        let item = rest
            .get(file.split('/').count().saturating_sub(module.len()))
            .copied()
            .unwrap_or_default();
        if file != source.name && !source.name.starts_with(&format!("{file}/")) {
            let passed_on = reexports
                .iter()
                .filter(|(from, name, _)| *from == file && name == item);
            used.extend(passed_on.map(|(_, _, child)| child.clone()));
            used.insert(file);
        }
    }
    used
}

/// Returns the folder of a file's crate; empty for the root.
fn crate_of(file: &str) -> &'static str {
    let is_in = |folder: &&&str| file.starts_with(&format!("{folder}/"));
    CRATES.iter().find(is_in).copied().unwrap_or_default()
}

/// Returns the files that use each other, directly or through others. Each comes with the files that it uses.
fn circles(sources: &[Source]) -> BTreeMap<String, BTreeSet<String>> {
    let names: BTreeSet<String> = sources.iter().map(|source| source.name.clone()).collect();
    let mut reexports: Reexports = sources
        .iter()
        .flat_map(|source| split_reexports(source, &names).0)
        .collect();
    // A child may pass on an item of its own child.
    loop {
        let through = |(file, item, child): &(String, String, String)| {
            let further = reexports
                .iter()
                .filter(|(from, name, _)| from == child && name == item);
            further
                .map(|(.., last)| (file.clone(), item.clone(), last.clone()))
                .collect::<Vec<_>>()
        };
        let more: Reexports = reexports.iter().flat_map(through).collect();
        let before = reexports.len();
        reexports.extend(more);
        if reexports.len() == before {
            break;
        }
    }
    let graph: BTreeMap<String, BTreeSet<String>> = sources
        .iter()
        .map(|source| (source.name.clone(), used_files(source, &names, &reexports)))
        .collect();
    let reached = |from: &String| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(file) = open.pop() {
            open.extend(graph[file].iter().filter(|used| reached.insert((*used).clone())));
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        graph.keys().map(|file| (file, reached(file))).collect();
    let in_circle = |(file, used): (&String, &BTreeSet<String>)| {
        let back: BTreeSet<String> = used
            .iter()
            .filter(|other| reached[other].contains(file))
            .cloned()
            .collect();
        (!back.is_empty()).then(|| (file.clone(), back))
    };
    graph.iter().filter_map(in_circle).collect()
}

#[test]
fn no_files_use_each_other() {
    let sources: Vec<Source> = sources()
        .into_iter()
        .filter(|source| !source.is_root() && !source.code.is_empty())
        .collect();
    let names: BTreeSet<String> = sources.iter().map(|source| source.name.clone()).collect();
    let arrows = sources
        .iter()
        .map(|source| used_files(source, &names, &Reexports::new()).len())
        .sum::<usize>();
    assert!(arrows > 500, "the imports are not found");
    let circles = circles(&sources);
    assert!(circles.is_empty(), "these use each other: {circles:#?}");
}

#[test]
fn sees_circles_through_a_parent() {
    let check = |files: &[(&str, &str)], expect: &[&str]| {
        let source = |(name, code): &(&str, &str)| Source {
            name: (*name).to_owned(),
            code: spread_imports(code),
            lines: code.lines().count(),
        };
        let found = circles(&files.iter().map(source).collect::<Vec<_>>());
        assert_eq!(
            found.keys().map(String::as_str).collect::<Vec<_>>(),
            expect,
            "{files:?}"
        );
    };
    // A module and its child count as one, and a child may use the items of its parent.
    check(
        &[
            ("kifu/kif", "mod ends;\nuse ends::End;"),
            ("kifu/kif/ends", "use super::Kif;"),
        ],
        &[],
    );
    check(
        &[
            ("kifu/kif", "mod ends;\nuse ends::End;"),
            ("kifu/kif/ends", "use super::super::detect_format;"),
            ("kifu/detect_format", "use super::{csa, kif};"),
            ("kifu/csa", "use super::scan;"),
        ],
        &["kifu/detect_format", "kifu/kif", "kifu/kif/ends"],
    );
    check(
        &[
            ("app/bar", "mod keys;\nkeys::pressed()"),
            ("app/bar/keys", "use crate::app::page;"),
            ("app/page", "super::bar::X"),
        ],
        &["app/bar", "app/bar/keys", "app/page"],
    );
    // An item that a parent passes on counts as used in the file that defines it.
    check(
        &[
            (
                "app/bar",
                "mod keys;\npub(super) use keys::{Key, pressed};\nuse super::page::Tab;",
            ),
            ("app/bar/keys", "struct Key;"),
            ("app/page", "mod study;\nstudy::show()"),
            ("app/page/study", "use crate::app::bar::pressed;"),
        ],
        &["app/bar", "app/page", "app/page/study"],
    );
    check(
        &[
            ("app/a", "mod b;\npub use b::X;"),
            ("app/a/b", "mod c;\npub use c::X;"),
            ("app/a/b/c", "use crate::app::page;"),
            ("app/page", "use crate::app::a::X;"),
        ],
        &["app/a/b/c", "app/page"],
    );
    check(
        &[("eye/a", "use crate::b::B;"), ("eye/b", "use crate::a::A;")],
        &["eye/a", "eye/b"],
    );
}

#[test]
fn pure_modules_do_no_io() {
    let mut wrong = Vec::new();
    for source in sources()
        .iter()
        .filter(|source| source.is_in(PURE) && !source.is_in(SHELLS))
    {
        let words = WORLD
            .iter()
            .filter(|word| find_word(&source.code, word).is_some());
        wrong.extend(words.map(|word| format!("{}: {word}", source.name)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Finds `word` in the code, where it is not part of a longer name. Returns its byte offset.
fn find_word(code: &str, word: &str) -> Option<usize> {
    let in_name = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let (begins, ends) = (in_name(word.chars().next()), in_name(word.chars().next_back()));
    let is_whole = |at: usize| {
        let before = begins && in_name(code[..at].chars().next_back());
        let after = ends && in_name(code[at + word.len()..].chars().next());
        !before && !after
    };
    code.match_indices(word)
        .map(|(at, _)| at)
        .find(|at| is_whole(*at))
}

#[test]
fn restricted_names_stay_in_their_modules() {
    let homes: &[(&str, &[&str])] = &[
        ("rsshogi", &["shogi", "builtin"]),
        // ffmpeg reads pictures, and no lines as engines do.
        ("std::process::Command", &["engine/process", "video/ffmpeg"]),
        (
            "unsafe",
            &["platform", "engine/process/lifetime", "live/screen/capture/gdi"],
        ),
        (".spawn(", &["base/threads", "engine/process", "video/ffmpeg"]),
        // All other code uses `threads::spawn_in_scope`.
        ("spawn_scoped", &["base/threads"]),
        // The relay, a separate crate, uses pipes as files. So do the sources of live games.
        ("std::fs", &["files", "relay", "live/file/shell"]),
        ("File::open", &["files", "relay", "live/file/shell"]),
        ("ureq", &["live/http/client"]),
        ("egui", &["ui", "app", "obs/panel"]),
        // `platform` uses this library only to query OpenGL.
        ("eframe", &["ui", "app", "obs/panel", "platform"]),
        ("winit", &["ui", "app"]),
        (".for_black(", &["shogi/score", "engine/observer/tracker"]),
    ];
    let mut wrong = Vec::new();
    for source in sources() {
        let elsewhere = homes.iter().filter(|(_, modules)| !source.is_in(modules));
        let found = elsewhere.filter(|(word, _)| find_word(&source.code, word).is_some());
        wrong.extend(found.map(|(word, _)| format!("{word} in {}", source.name)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn drawing_code_reads_every_colour_of_a_theme() {
    let drawing: Vec<Source> = sources()
        .into_iter()
        .filter(|source| source.is_in(&["ui"]))
        .collect();
    let is_read = |key: &str| {
        let reads = [format!("theme.{key}"), format!("theme().{key}")];
        drawing
            .iter()
            .any(|source| reads.iter().any(|read| find_word(&source.code, read).is_some()))
    };
    let mut unread = Vec::new();
    Theme::<Rgba>::default().map(|key, _| unread.extend(Some(key).filter(|key| !is_read(key))));
    assert!(
        unread.is_empty(),
        "no drawing code reads these colours: {unread:?}"
    );
}

#[test]
fn no_file_is_too_long() {
    let long: Vec<_> = sources()
        .into_iter()
        .filter(|source| source.lines > MAX_FILE_LINES)
        .map(|s| s.name)
        .collect();
    assert!(long.is_empty(), "more than {MAX_FILE_LINES} lines: {long:?}");
}

#[test]
fn main_is_at_most_20_lines() {
    let main = sources()
        .into_iter()
        .find(|source| source.name == "main")
        .unwrap();
    assert!(main.lines <= 20, "main.rs has {} lines", main.lines);
}

/// Names that several public types have: each is the arguments of a subcommand, in the module of that subcommand.
const SHARED_NAMES: [&str; 1] = ["Arguments"];

#[test]
fn public_types_have_distinct_names() {
    let mut homes = BTreeMap::<String, Vec<String>>::new();
    for source in sources() {
        // The types that `choice!` and `group!` declare are public.
        let mut is_in_macro = false;
        for line in source.code.lines() {
            let line = line.trim_start();
            if matches!(line, "choice! {" | "group! {") {
                is_in_macro = true;
                continue;
            }
            let mut words = line.split_whitespace();
            let declared = if is_in_macro && line.starts_with(char::is_uppercase) {
                is_in_macro = false;
                words.next()
            } else {
                declared_type(line)
            };
            let Some(declared) = declared else { continue };
            let name: String = declared.chars().take_while(|c| c.is_alphanumeric()).collect();
            if !name.is_empty() {
                homes.entry(name).or_default().push(source.name.clone());
            }
        }
    }
    assert!(
        homes.len() > 300,
        "the types are not where they are looked for: {}",
        homes.len()
    );
    assert!(
        homes.contains_key("Language") && homes.contains_key("OverlaySettings"),
        "the macros are not read"
    );
    let shared: Vec<_> = homes
        .iter()
        .filter(|(name, homes)| homes.len() > 1 && !SHARED_NAMES.contains(&name.as_str()))
        .collect();
    assert!(
        shared.is_empty(),
        "several public types with one name: {shared:#?}"
    );
}

/// Returns the word after `pub struct` and the like at the beginning of a line.
fn declared_type(line: &str) -> Option<&str> {
    let rest = line
        .strip_prefix("pub")
        .filter(|rest| rest.starts_with([' ', '(']))?;
    let rest = if rest.starts_with('(') {
        rest.split_once(')').map_or("", |(_, rest)| rest)
    } else {
        rest
    };
    let mut words = rest.split_whitespace();
    matches!(words.next()?, "struct" | "enum" | "trait" | "type").then(|| words.next())?
}
