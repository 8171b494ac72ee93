//! Pages and lists: where they name records.

use crate::game::{GameChoice, MAX_CHOICES};
use crate::web_url::{MAX_URL, WebUrl, percent_decode};
use std::collections::BTreeSet;

/// The extensions of records, longer ones first.
const EXTENSIONS: [&str; 6] = [".kifu", ".kif", ".ki2", ".csa", ".jkf", ".usi"];

/// The number of bytes of a page that are looked at.
const MAX_PAGE: usize = 2 << 20;

/// The longest link, in characters.
const MAX_LINK: usize = 1024;

/// The number of links of a page that are looked at.
const MAX_LINKS: usize = 20_000;

/// What a page names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageContent {
    /// One record.
    Record(WebUrl),
    /// Several, to choose from.
    Games(Vec<GameChoice>),
    /// None.
    Nothing,
}

/// Returns whether a text looks like a page.
pub fn is_page(bytes: &[u8]) -> bool {
    let head = bytes.get(..1024).unwrap_or(bytes);
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    ["<!doctype", "<html", "<head", "<body", "<script", "<frameset"].iter().any(|tag| head.contains(tag))
}

/// Finds the records that a page or a list names. Time is linear in its length.
pub fn scan(bytes: &[u8], base: &WebUrl) -> PageContent {
    let text = String::from_utf8_lossy(bytes.get(..MAX_PAGE).unwrap_or(bytes));
    if let Some(games) = list(&text, base) {
        return PageContent::Games(games);
    }
    let parameters = parameters(&text).filter_map(|link| resolve(base, link));
    if let Some(url) = parameters.into_iter().next() {
        return PageContent::Record(url);
    }
    let (mut urls, mut stems) = (Vec::new(), BTreeSet::new());
    for url in links(&text).filter_map(|link| resolve(base, link)) {
        if stems.insert(stem(&url)) {
            urls.push(url);
        }
        if urls.len() >= MAX_CHOICES {
            break;
        }
    }
    match urls.as_slice() {
        [] => PageContent::Nothing,
        [url] => PageContent::Record(url.clone()),
        _ => PageContent::Games(urls.iter().map(choice).collect()),
    }
}

fn choice(url: &WebUrl) -> GameChoice {
    GameChoice { title: url.file_name(), address: url.to_string() }
}

/// Returns the address without its extension: the same game in several formats is one.
fn stem(url: &WebUrl) -> String {
    let target = url.request_target();
    let path = target.split('?').next().unwrap_or_default();
    path.rsplit_once('.').map_or(path, |(stem, _)| stem).to_owned()
}

/// Finds the values of `kifu=` in parameters and attributes.
fn parameters(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("kifu=").take(MAX_LINKS).filter_map(|(at, word)| {
        let value = text.get(at + word.len()..)?;
        let value = value.strip_prefix(['"', '\'']).unwrap_or(value);
        let (end, _) = value
            .char_indices()
            .take(MAX_LINK)
            .find(|(_, c)| is_delimiter(*c) || *c == '&')
            .unwrap_or((value.len(), ' '));
        let value = value.get(..end).filter(|value| value.len() <= MAX_URL)?;
        (value.contains('.') || value.contains('/')).then_some(value)
    })
}

/// Finds words that end with the extension of a record, with the query that may follow.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let ends = text.match_indices('.').filter_map(move |(at, _)| {
        let rest = text.get(at..)?;
        let is_own =
            |extension: &&&str| rest.get(..extension.len()).is_some_and(|own| own.eq_ignore_ascii_case(extension));
        EXTENSIONS.iter().find(is_own).map(|extension| (at, rest, *extension))
    });
    ends.take(MAX_LINKS).filter_map(move |(at, rest, extension)| {
        let after = rest.get(extension.len()..)?;
        if after.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.')) {
            return None;
        }
        let before = text.get(..at)?;
        let begin = before.char_indices().rev().take(MAX_LINK).find(|(_, c)| is_delimiter(*c));
        // A word that is longer is no address.
        let begin = match begin {
            Some((at, c)) => at + c.len_utf8(),
            None if at <= MAX_LINK => 0,
            None => return None,
        };
        let query = if after.starts_with('?') {
            after
                .char_indices()
                .take(MAX_LINK)
                .find(|(_, c)| is_delimiter(*c))
                .map_or_else(|| after.len().min(MAX_LINK), |(at, _)| at)
        } else {
            0
        };
        let word = text.get(begin..at + extension.len() + query.min(MAX_LINK))?;
        // An attribute without quotes: `href=a.kif`.
        let word = match word.split_once('=') {
            Some((name, value)) if !name.contains(['?', '/', '.']) => value,
            _ => word,
        };
        let stem = word.split('?').next().unwrap_or(word);
        let has_name = stem.len() > extension.len()
            && !stem.get(..stem.len() - extension.len()).is_some_and(|stem| stem.ends_with('/'));
        (has_name && !word.contains(['{', '}', '$', '*', '|'])).then_some(word)
    })
}

fn is_delimiter(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | '<' | '>' | '(' | ')' | '`' | ',')
}

/// Resolves a link as it stands in a page: entities, slashes of JSON, percent-encoded addresses.
fn resolve(base: &WebUrl, link: &str) -> Option<WebUrl> {
    let mut link = link.replace("&amp;", "&").replace("&#x2F;", "/").replace("&#47;", "/").replace("\\/", "/");
    let lower = link.to_ascii_lowercase();
    if lower.starts_with("http%3a") || lower.starts_with("https%3a") || lower.starts_with("%2f") {
        link = percent_decode(&link)?;
    }
    base.join(&link).filter(|url| url.request_target() != base.request_target())
}

/// Reads a list of games: `V1` with titles and addresses of the championships, or floodgate's games in progress.
fn list(text: &str, base: &WebUrl) -> Option<Vec<GameChoice>> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let mut games = Vec::new();
    if lines.peek() == Some(&"V1") {
        let mut title = "";
        for line in lines.skip(1).filter(|line| !line.starts_with('#')) {
            match WebUrl::parse(line) {
                Some(url) => games.push(GameChoice { title: title.to_owned(), address: url.to_string() }),
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
        let [file, black, white, numbers @ ..] = words.as_slice() else { return None };
        let is_row = file.rsplit('.').next() == Some("csa") && !file.contains(['<', '"', '=']) && numbers.len() <= 8;
        if !is_row || !numbers.iter().all(|number| number.parse::<i64>().is_ok()) {
            return None;
        }
        let address = base.join(&file.replace(':', "%3A"))?.to_string();
        games.push(GameChoice { title: format!("{black} - {white}"), address });
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
            PageContent::Record(url) => url.to_string(),
            PageContent::Games(games) => {
                games.iter().map(|game| format!("{}={}", game.title, game.address)).collect::<Vec<_>>().join(" ")
            }
            PageContent::Nothing => String::new(),
        }
    }

    #[test]
    fn finds_the_record_of_a_page() {
        assert_eq!(found("<a href=\"x.kif\">x</a>"), "http://a.b/dir/x.kif");
        assert_eq!(found("<a href=x.kif>x</a>"), "http://a.b/dir/x.kif");
        assert_eq!(found("<a href='/k/x.KIF?v=1&amp;w=2'>"), "http://a.b/k/x.KIF?v=1&w=2");
        assert_eq!(found("var f = \"http:\\/\\/c.d\\/x.csa\";"), "http://c.d/x.csa");
        assert_eq!(found("<param value=\"kifu=../x.php?id=3&amp;a=1\">"), "http://a.b/x.php?id=3");
        assert_eq!(found("v.html?kifu=http%3A%2F%2Fc.d%2Fx.kif&t=1"), "http://c.d/x.kif");
        assert_eq!(found("<a href='x.kif'></a><a href='x.csa'></a>"), "http://a.b/dir/x.kif");
        assert_eq!(
            found("<a href='x.kif'></a><a href='y.kif'></a>"),
            "x.kif=http://a.b/dir/x.kif y.kif=http://a.b/dir/y.kif"
        );
        for none in
            ["", "all .kif files", "'.kif'", "a.kif.html", "a.kiff", "`${id}.kif`", "<a href='javascript:x.kif'>"]
        {
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
        for text in
            [".kif".repeat(500_000), "kifu=".repeat(400_000), "a".repeat(2_000_000) + ".kif", "x.kif?".repeat(300_000)]
        {
            let _found = found(&text);
        }
    }

    proptest! {
        #[test]
        fn any_page_is_scanned(parts in prop::collection::vec("[ -~]{0,6}|kifu=|\\.kifu?|\\?|http://|\\PC{0,3}|=|\"|\n|棋", 0..30)) {
            let base = WebUrl::parse("http://a.b/dir/page.html").unwrap();
            match scan(parts.concat().as_bytes(), &base) {
                PageContent::Record(url) => prop_assert!(url.request_target().starts_with("http")),
                PageContent::Games(games) => prop_assert!(!games.is_empty()),
                PageContent::Nothing => {}
            }
        }
    }
}
