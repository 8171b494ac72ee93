//! Web pages and lists: the records that they name.

use crate::game::{GameChoice, MAX_CHOICES};
use crate::web_url::{MAX_URL_BYTES, WebUrl, percent_decode};
use shogibar_kifu::Record;
use shogibar_shogi::Color;
use std::collections::BTreeSet;

/// The extensions of records that a page links to, longer ones first. They are fewer than
/// [`shogibar_kifu::record_extensions`]: a page has other data in `.json`.
const LINK_EXTENSIONS: [&str; 7] = [".kifu", ".kif", ".ki2u", ".ki2", ".csa", ".jkf", ".usi"];

/// The words that precede the address of a record, whatever its extension.
const LOADER_WORDS: [&str; 3] = ["Kifu.load(", "kifu=", "data-src="];

/// The ends by which a link in an attribute is recognised as one to a record.
const LINK_ENDS: [&str; 5] = [".txt", "format=kif", "format=ki2", "format=csa", "format=kifu"];

/// The maximum length of a title from the text of a link, in characters.
const MAX_TITLE_CHARS: usize = 100;

/// The maximum number of bytes of a page that are read.
const MAX_DOCUMENT_BYTES: usize = 2 << 20;

/// The maximum length of a link, in characters.
const MAX_LINK_CHARS: usize = 1024;

/// The maximum number of links of a page that are read.
const MAX_LINKS: usize = 20_000;

/// The records that a page names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentContent {
    /// The page names one record.
    Record(WebUrl),
    /// The page names several games, from which the user chooses.
    Games(Vec<GameChoice>),
    /// The page has a frame with another page, which may name a record.
    Frame(WebUrl),
    /// The page names no record.
    Nothing,
}

/// Returns whether a text looks like a page.
pub fn is_html(bytes: &[u8]) -> bool {
    let head = bytes.get(..1024).unwrap_or(bytes);
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    ["<!doctype", "<html", "<head", "<body", "<script", "<frameset"]
        .iter()
        .any(|tag| head.contains(tag))
}

/// Finds the records that a page or a list names. The time is linear in the length of the text.
pub fn scan(bytes: &[u8], base: &WebUrl) -> DocumentContent {
    let text = String::from_utf8_lossy(bytes.get(..MAX_DOCUMENT_BYTES).unwrap_or(bytes));
    if let Some(games) = parse_list(&text, base) {
        return DocumentContent::Games(games);
    }
    let parameters = loaded_addresses(&text).filter_map(|link| resolve_link(base, link));
    if let Some(url) = parameters.into_iter().next() {
        return DocumentContent::Record(url);
    }
    let found = link_choices(&text, record_links(&text), base);
    let found = if found.is_empty() {
        link_choices(&text, attribute_links(&text), base)
    } else {
        found
    };
    match found.as_slice() {
        [] => first_frame(&text, base).map_or(DocumentContent::Nothing, DocumentContent::Frame),
        [(url, _)] => DocumentContent::Record(url.clone()),
        _ => DocumentContent::Games(found.into_iter().map(|(_, choice)| choice).collect()),
    }
}

/// Returns the records within a page, to choose from.
pub fn choices_within(games: &[Record], page: &WebUrl) -> Vec<GameChoice> {
    let choice = |(game, number): (&Record, usize)| {
        let player = |color| game.player(color).unwrap_or("?");
        let date = game
            .header("開始日時")
            .or_else(|| game.header("対局日"))
            .unwrap_or_default();
        let names = format!(
            "{number}. {} – {} {date}",
            player(Color::Black),
            player(Color::White)
        );
        let title = names.trim_end().chars().take(MAX_TITLE_CHARS).collect();
        GameChoice {
            title,
            address: page.with_game(number).to_string(),
        }
    };
    games.iter().zip(1..).take(MAX_CHOICES).map(choice).collect()
}

/// Returns the records of links, each once, with their titles.
fn link_choices<'t>(
    text: &'t str,
    links: impl Iterator<Item = &'t str>,
    base: &WebUrl,
) -> Vec<(WebUrl, GameChoice)> {
    let mut stems = BTreeSet::new();
    let found = links.filter_map(|link| Some((link, resolve_link(base, link)?)));
    let new = found.filter(|(_, url)| stems.insert(stem(url)));
    new.take(MAX_CHOICES)
        .map(|(link, url)| {
            let title = link_title(text, link).unwrap_or_else(|| url.file_name());
            let address = url.to_string();
            (url, GameChoice { title, address })
        })
        .collect()
}

/// Returns the text of a link as the title of a game: often players and date. Returns `None` if the text is too short.
fn link_title(text: &str, link: &str) -> Option<String> {
    let end = (link.as_ptr() as usize)
        .wrapping_sub(text.as_ptr() as usize)
        .checked_add(link.len())?;
    let (tag, behind) = text_after(text, end)?.split_once('>')?;
    let (inside, _) = behind.split_once("</a").or_else(|| behind.split_once("</A"))?;
    if tag.contains('<') {
        return None;
    }
    let words = inside
        .split('<')
        .enumerate()
        .map(|(nth, part)| match part.split_once('>') {
            Some((_, shown)) if nth > 0 => shown,
            _ => part,
        });
    let words: Vec<&str> = words.flat_map(str::split_whitespace).collect();
    let title: String = words
        .join(" ")
        .replace("&amp;", "&")
        .chars()
        .take(MAX_TITLE_CHARS)
        .collect();
    (title.chars().count() > 3).then_some(title)
}

/// Returns at most [`MAX_LINK_CHARS`] characters of a text from an index on. The end of a tag is searched in them.
fn text_after(text: &str, at: usize) -> Option<&str> {
    let rest = text.get(at..)?;
    rest.get(
        ..rest
            .char_indices()
            .nth(MAX_LINK_CHARS)
            .map_or(rest.len(), |(end, _)| end),
    )
}

/// Returns the links in attributes that lead to a text file, or state a record format as their last parameter.
fn attribute_links(text: &str) -> impl Iterator<Item = &str> {
    ["href=", "src="]
        .into_iter()
        .flat_map(|name| attribute_values(text, name))
        .filter(|link| {
            let link = link.to_ascii_lowercase();
            let link = link.split('#').next().unwrap_or_default();
            LINK_ENDS
                .iter()
                .any(|end| link.ends_with(end) || end.contains('=') && link.contains(&format!("{end}&")))
        })
}

fn first_frame(text: &str, base: &WebUrl) -> Option<WebUrl> {
    let tags = text
        .match_indices("<iframe")
        .chain(text.match_indices("<frame "))
        .take(MAX_LINKS);
    let mut sources =
        tags.filter_map(|(at, _)| attribute_values(text_after(text, at)?.split('>').next()?, "src=").next());
    sources.find_map(|link| resolve_link(base, link))
}

/// Returns the values of an attribute, or the first arguments of a call. `name` is the text before them.
fn attribute_values<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(name)
        .take(MAX_LINKS)
        .filter_map(move |(at, word)| {
            let value = text.get(at + word.len()..)?.trim_start();
            let value = value.strip_prefix(['"', '\'']).unwrap_or(value);
            let (end, _) = value
                .char_indices()
                .take(MAX_LINK_CHARS)
                .find(|(_, c)| is_delimiter(*c))
                .unwrap_or((value.len(), ' '));
            value.get(..end).filter(|value| value.len() <= MAX_URL_BYTES)
        })
}

/// Returns the address without query and extension, by which the same game in several formats is found to be one.
fn stem(url: &WebUrl) -> String {
    let target = url.request_target();
    let path = target.split('?').next().unwrap_or_default();
    path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned()
}

/// Returns the addresses of records in parameters, attributes and calls that load one.
fn loaded_addresses(text: &str) -> impl Iterator<Item = &str> {
    LOADER_WORDS
        .into_iter()
        .flat_map(|loader| attribute_values(text, loader))
        .filter_map(|value| {
            let value = value.split('&').next().unwrap_or_default();
            (value.contains('.') || value.contains('/')).then_some(value)
        })
}

/// Returns the words that end with the extension of a record, with the query that may follow.
fn record_links(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.match_indices('.').filter_map(move |(at, _)| {
        let rest = text.get(at..)?;
        LINK_EXTENSIONS
            .iter()
            .find(|extension| {
                rest.get(..extension.len())
                    .is_some_and(|end| end.eq_ignore_ascii_case(extension))
            })
            .map(|extension| (at, rest, *extension))
    });
    ends.take(MAX_LINKS).filter_map(move |(at, rest, extension)| {
        let after = rest.get(extension.len()..)?;
        if after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.')) {
            return None;
        }
        let before = text.get(..at)?;
        let begin = before
            .char_indices()
            .rev()
            .take(MAX_LINK_CHARS)
            .find(|(_, c)| is_delimiter(*c));
        // A longer word is not an address.
        let begin = match begin {
            Some((at, c)) => at + c.len_utf8(),
            None if at <= MAX_LINK_CHARS => 0,
            None => return None,
        };
        let query = if after.starts_with('?') {
            after
                .char_indices()
                .take(MAX_LINK_CHARS)
                .find(|(_, c)| is_delimiter(*c))
                .map_or_else(|| after.len().min(MAX_LINK_CHARS), |(at, _)| at)
        } else {
            0
        };
        let word = text.get(begin..at + extension.len() + query.min(MAX_LINK_CHARS))?;
        // An attribute without quotes: `href=a.kif`.
        let word = match word.split_once('=') {
            Some((name, value)) if !name.contains(['?', '/', '.']) => value,
            _ => word,
        };
        let stem = word.split('?').next().unwrap_or(word);
        let has_name = stem.len() > extension.len()
            && !stem
                .get(..stem.len() - extension.len())
                .is_some_and(|stem| stem.ends_with('/'));
        (has_name && !word.contains(['{', '}', '$', '*', '|'])).then_some(word)
    })
}

/// Returns whether a character ends a link.
fn is_delimiter(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | '<' | '>' | '(' | ')' | '`' | ',')
}

/// Resolves a link in the form that web pages use: entities, slashes of JSON, percent-encoded addresses.
fn resolve_link(base: &WebUrl, link: &str) -> Option<WebUrl> {
    let mut link = link
        .replace("&amp;", "&")
        .replace("&#x2F;", "/")
        .replace("&#47;", "/")
        .replace("\\/", "/");
    let lower = link.to_ascii_lowercase();
    if lower.starts_with("http%3a") || lower.starts_with("https%3a") || lower.starts_with("%2f") {
        link = percent_decode(&link)?;
    }
    base.join(&link)
        .filter(|url| url.request_target() != base.request_target())
}

/// Reads a list of games: `V1` with titles and addresses of the championships, or floodgate's games in progress. `None`
/// for another text.
fn parse_list(text: &str, base: &WebUrl) -> Option<Vec<GameChoice>> {
    let mut lines = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .peekable();
    let mut games = Vec::new();
    if lines.peek() == Some(&"V1") {
        let mut title = "";
        for line in lines.skip(1).filter(|line| !line.starts_with('#')) {
            match WebUrl::parse(line) {
                Some(url) => games.push(GameChoice {
                    title: title.to_owned(),
                    address: url.to_string(),
                }),
                None => title = line,
            }
            if games.len() >= MAX_CHOICES {
                break;
            }
        }
        return Some(games).filter(|games| !games.is_empty());
    }
    for line in lines.take(MAX_CHOICES) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [file, black, white, numbers @ ..] = words.as_slice() else {
            return None;
        };
        let is_row =
            file.rsplit('.').next() == Some("csa") && !file.contains(['<', '"', '=']) && numbers.len() <= 8;
        if !is_row || !numbers.iter().all(|number| number.parse::<i64>().is_ok()) {
            return None;
        }
        let address = base.join(&file.replace(':', "%3A"))?.to_string();
        games.push(GameChoice {
            title: format!("{black} - {white}"),
            address,
        });
    }
    Some(games).filter(|games| !games.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn found(text: &str) -> String {
        let base = WebUrl::parse("http://a.b/dir/page.html").unwrap();
        match scan(text.as_bytes(), &base) {
            DocumentContent::Record(url) => url.to_string(),
            DocumentContent::Games(games) => games
                .iter()
                .map(|game| format!("{}={}", game.title, game.address))
                .collect::<Vec<_>>()
                .join(" "),
            DocumentContent::Frame(url) => format!("frame {url}"),
            DocumentContent::Nothing => String::new(),
        }
    }

    #[test]
    fn finds_records_frames_and_links_of_a_page() {
        assert_eq!(
            found("<script>Kifu.load('games/x.txt');</script>"),
            "http://a.b/dir/games/x.txt"
        );
        assert_eq!(
            found("<script>Kifu.load( \"x.kif\", 'board')</script>"),
            "http://a.b/dir/x.kif"
        );
        assert_eq!(found("<a href=\"x.ki2u\">x</a>"), "http://a.b/dir/x.ki2u");
        assert_eq!(
            found("<a href='/game/7?format=kif'>KIF</a>"),
            "http://a.b/game/7?format=kif"
        );
        assert_eq!(
            found("<a href='/export?format=kif&amp;id=7'>KIF</a>"),
            "http://a.b/export?format=kif&id=7"
        );
        assert_eq!(found("<a href='x.txt'>棋譜</a>"), "http://a.b/dir/x.txt");
        assert_eq!(
            found("<a href='x.kif'>x</a> <a href='readme.txt'>read me</a>"),
            "http://a.b/dir/x.kif"
        );
        assert_eq!(
            found("<iframe width=5 src=\"board.html\"></iframe>"),
            "frame http://a.b/dir/board.html"
        );
        assert_eq!(found("read x.txt, robots.txt"), "");
    }

    #[test]
    fn several_games_are_titled_by_their_links() {
        let page = "<ul><li><a href=\"1.kif\">2026年2月3日 <b>甲</b> 対 乙</a><li><a class=x href='2.kif' title=y>丙 &amp; 丁</a>\
            <li><a href=3.kif>KIF</a></ul>";
        assert_eq!(
            found(page),
            "2026年2月3日 甲 対 乙=http://a.b/dir/1.kif 丙 & 丁=http://a.b/dir/2.kif 3.kif=http://a.b/dir/3.kif"
        );
    }

    #[test]
    fn finds_the_record_of_a_page() {
        assert_eq!(found("<a href=\"x.kif\">x</a>"), "http://a.b/dir/x.kif");
        assert_eq!(found("<a href=x.kif>x</a>"), "http://a.b/dir/x.kif");
        assert_eq!(
            found("<a href='/k/x.KIF?v=1&amp;w=2'>"),
            "http://a.b/k/x.KIF?v=1&w=2"
        );
        assert_eq!(found("var f = \"http:\\/\\/c.d\\/x.csa\";"), "http://c.d/x.csa");
        assert_eq!(
            found("<param value=\"kifu=../x.php?id=3&amp;a=1\">"),
            "http://a.b/x.php?id=3"
        );
        assert_eq!(
            found("v.html?kifu=http%3A%2F%2Fc.d%2Fx.kif&t=1"),
            "http://c.d/x.kif"
        );
        assert_eq!(
            found("<a href='x.kif'></a><a href='x.csa'></a>"),
            "http://a.b/dir/x.kif"
        );
        assert_eq!(
            found("<a href='x.kif'></a><a href='y.kif'></a>"),
            "x.kif=http://a.b/dir/x.kif y.kif=http://a.b/dir/y.kif"
        );
        for none in [
            "",
            "all .kif files",
            "'.kif'",
            "a.kif.html",
            "a.kiff",
            "`${id}.kif`",
            "<a href='javascript:x.kif'>",
        ] {
            assert_eq!(found(none), "", "{none}");
        }
    }

    #[test]
    fn reads_lists() {
        assert_eq!(
            found("V1\n#sub:大会\n大会,1回戦 A - B\n1回戦 A - B\nhttp://c.d/1.csa\n"),
            "1回戦 A - B=http://c.d/1.csa"
        );
        assert_eq!(
            found("wdoor+f-300-10F+A+B+2025.csa A B 84 353 348\nwdoor+f-300-10F+C+D+2025.csa C D 1 2 3\n"),
            "A - B=http://a.b/dir/wdoor+f-300-10F+A+B+2025.csa C - D=http://a.b/dir/wdoor+f-300-10F+C+D+2025.csa"
        );
    }

    #[test]
    fn a_hostile_page_takes_linear_time() {
        for text in [
            ".kif".repeat(500_000),
            "kifu=".repeat(400_000),
            "a".repeat(2_000_000) + ".kif",
            "x.kif?".repeat(300_000),
            "<iframe ".repeat(200_000),
            "href='x.kif' ".repeat(100_000),
        ] {
            let _found = found(&text);
        }
    }

    proptest! {
        #[test]
        fn any_page_is_scanned(parts in prop::collection::vec("[ -~]{0,6}|kifu=|\\.kifu?|\\?|http://|\\PC{0,3}|=|\"|\n|棋", 0..30)) {
            let base = WebUrl::parse("http://a.b/dir/page.html").unwrap();
            match scan(parts.concat().as_bytes(), &base) {
                DocumentContent::Record(url) => prop_assert!(url.request_target().starts_with("http")),
                DocumentContent::Games(games) => prop_assert!(!games.is_empty()),
                DocumentContent::Frame(_) | DocumentContent::Nothing => {}
            }
        }
    }
}
