//! Every sentence of the program, as the macros of `base` and `Lang::pick` write it: Japanese and English side by side.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The macros and the function whose first two literals are the Japanese and the English text.
const WRITERS: [&str; 8] = [
    "say!(",
    "sentences! {",
    "phrases! {",
    "messages! {",
    "setting_rows! {",
    "commands! {",
    ".pick(",
    "both_texts",
];

/// A sentence in both languages.
struct Sentence {
    ja: String,
    en: String,
    /// The file and the line.
    site: String,
}

/// Returns the source files of the program.
fn source_files() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// A literal of a source text, and the bytes that it takes.
struct Literal {
    text: String,
    start: usize,
    end: usize,
}

/// Returns the string literals of a source text. Comments have none.
fn literals(source: &str) -> Vec<Literal> {
    let bytes = source.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let rest = &source[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("'\"'") || rest.starts_with("'\\") {
            at += 3;
        } else if rest.starts_with("r#\"") {
            at += rest.find("\"#").map_or(rest.len(), |end| end + 2);
        } else if bytes[at] == b'"' {
            let start = at;
            at += 1;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at += 1;
            // A backslash at the end of a line joins the next one.
            let text = source.get(start + 1..at - 1).unwrap_or_default();
            let mut joined = String::new();
            for (number, part) in text.split("\\\n").enumerate() {
                joined.push_str(if number == 0 { part } else { part.trim_start() });
            }
            found.push(Literal {
                text: joined,
                start,
                end: at,
            });
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// Returns the parts of a source text within the calls of a writer.
fn written_parts(source: &str) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    for writer in WRITERS {
        for (start, _) in source.match_indices(writer) {
            let mut depth = 0_i32;
            let mut end = source.len();
            for (at, c) in source[start..].char_indices() {
                match c {
                    '(' | '{' => depth += 1,
                    ')' | '}' => {
                        depth -= 1;
                        if depth == 0 {
                            end = start + at;
                            break;
                        }
                    }
                    _ => {}
                }
            }
            parts.push((start, end));
        }
    }
    parts
}

fn sentences() -> Vec<Sentence> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for path in source_files() {
        let source = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let parts = written_parts(source);
        let literals = literals(source);
        let mut rest = literals.as_slice();
        while let [ja, en, ..] = rest {
            let is_pair = source[ja.end..en.start].trim() == ","
                && parts
                    .iter()
                    .any(|(start, end)| *start < ja.start && en.end <= *end);
            if !is_pair {
                rest = &rest[1..];
                continue;
            }
            let name = path.strip_prefix(root).unwrap().display();
            let line = source[..ja.start].matches('\n').count() + 1;
            found.push(Sentence {
                ja: ja.text.clone(),
                en: en.text.clone(),
                site: format!("{name}:{line}"),
            });
            rest = &rest[2..];
        }
    }
    found
}

/// Returns every character of the sentences.
#[cfg(feature = "gui")]
pub(crate) fn characters() -> Vec<char> {
    let all = sentences();
    let characters: BTreeSet<char> = all
        .iter()
        .flat_map(|sentence| sentence.ja.chars().chain(sentence.en.chars()))
        .collect();
    characters.into_iter().collect()
}

fn is_japanese(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}')
}

/// Returns whether a text has a word of four letters or more outside its placeholders that is no acronym.
fn has_word(text: &str) -> bool {
    let outside: String = text
        .split('{')
        .map(|part| part.split('}').next_back().unwrap_or(part))
        .collect();
    let mut words = outside.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| word.len() > 3 && word.chars().any(|c| c.is_ascii_lowercase()))
}

/// Returns the placeholders of a text, such as `name` of `{name}` and `{name:.1}`.
fn placeholders(text: &str) -> BTreeSet<&str> {
    let opened = text.split('{').skip(1);
    let names = opened.filter_map(|rest| rest.split('}').next());
    names.map(|name| name.split(':').next().unwrap_or(name)).collect()
}

#[test]
fn every_sentence_stands_in_both_languages() {
    let all = sentences();
    assert!(all.len() > 1_500, "{} sentences are found", all.len());
    let mut wrong = Vec::new();
    for Sentence { ja, en, site } in &all {
        // An English text may have a Japanese example in brackets, and the name of the language.
        if en
            .split('(')
            .next()
            .is_some_and(|text| text.chars().any(is_japanese))
            && en != "日本語"
        {
            wrong.push(format!("{site}: Japanese in the English text: {en}"));
        }
        if en.is_empty() != ja.is_empty() && !ja.chars().all(|c| !c.is_alphanumeric()) {
            wrong.push(format!("{site}: one language is empty: {ja:?}, {en:?}"));
        }
        // The entries of commands have keys, too.
        let may_be_key = site.starts_with("src/config/command.rs");
        if !may_be_key && !ja.chars().any(is_japanese) && has_word(ja) && ja != en {
            wrong.push(format!("{site}: no Japanese: {ja}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The number of sentences whose languages differ by design: one counts all, the other the rest.
const OTHER_VALUES: usize = 16;

#[test]
fn both_languages_tell_the_same_values() {
    let mut different = Vec::new();
    for Sentence { ja, en, site } in &sentences() {
        let [in_ja, in_en] = [ja, en].map(|text| placeholders(text));
        if in_ja != in_en {
            different.push(format!("{site}: {in_ja:?} {in_en:?}"));
        }
    }
    assert_eq!(different.len(), OTHER_VALUES, "{}", different.join("\n"));
}
