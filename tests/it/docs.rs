//! Checks the documentation: links have targets, both manuals have the same parts, and the keys are complete.

use shogibar_config::{Command, CommandContext};
use std::path::{Path, PathBuf};

/// Returns the paths and texts of the README and of every page in `docs`.
fn pages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = root
        .join("docs")
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let paths = docs
        .filter(|path| path.extension().is_some_and(|end| end == "md"))
        .chain([root.join("README.md")]);
    paths
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect()
}

/// Returns the link targets, the text within `](…)`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .map(|(link, _)| link)
}

fn anchor(heading: &str) -> String {
    let lowercase = heading.to_lowercase();
    lowercase
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

fn headings(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim())
}

#[test]
fn every_link_has_a_target() {
    let pages = pages();
    let mut lost = Vec::new();
    for (path, text) in &pages {
        for link in links(text).filter(|link| !link.starts_with("https://")) {
            let (file, anchor_text) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() {
                path.clone()
            } else {
                path.parent().unwrap().join(file)
            };
            let is_place = || {
                let read = std::fs::read_to_string(&target).unwrap_or_default();
                headings(&read).any(|heading| anchor(heading) == anchor_text)
            };
            if !target.exists() || !anchor_text.is_empty() && !is_place() {
                lost.push(format!("{}: {link}", path.display()));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn both_readmes_list_every_key_of_the_bar() {
    for (path, text) in pages() {
        if !path.file_name().unwrap().to_str().unwrap().starts_with("README") {
            continue;
        }
        for command in Command::all_in(CommandContext::Bar) {
            let key = command.default_keys(CommandContext::Bar)[0]
                .replace("Left", "←")
                .replace("Right", "→");
            let is_listed = |line: &str| line.starts_with("| `") && line.contains(&format!("`{key}`"));
            assert!(
                text.lines().any(is_listed),
                "{}: {key}, {}",
                path.display(),
                command.names()[1]
            );
        }
    }
}

#[test]
fn both_manuals_have_the_same_parts_and_pictures() {
    let pages = pages();
    let page = |name: &str| &pages.iter().find(|(path, _)| path.ends_with(name)).unwrap().1;
    let parts = |text: &str| -> Vec<String> {
        let level = |line: &str| line.chars().take_while(|c| *c == '#').count().to_string();
        let is_part = |line: &&str| line.starts_with('#') || line.starts_with("![") || line.starts_with("| ");
        let picture = |line: &str| links(line).next().unwrap_or("|").replace(".ja.", ".en.");
        let part = |line: &str| {
            if line.starts_with('#') {
                level(line)
            } else {
                picture(line)
            }
        };
        text.lines().filter(is_part).map(part).collect()
    };
    assert_eq!(parts(page("manual.ja.md")), parts(page("manual.en.md")));
}
