//! The records inside a web page: in elements for text, in attributes, and in strings of scripts. Also the text of a
//! page without its markup.

use super::json_strings::strings;

/// The elements whose content may be a record.
const TEXT_ELEMENTS: [&str; 3] = ["script", "pre", "textarea"];

/// The elements whose text is not shown.
const HIDDEN_ELEMENTS: [&str; 2] = ["script", "style"];

/// The elements of ruby text, which gives the pronunciation of other text. Their end tags may be missing.
const RUBY_ELEMENTS: [&str; 2] = ["rt", "rp"];

/// The maximum number of texts of a page that are read.
const MAX_TEXTS: usize = 1000;

/// Signs of HTML, which a text may have without being a whole page.
const MARKUP_SIGNS: [&str; 8] = ["</", "<br", "<BR", "/>", "&#", "&nbsp;", "&lt;", "&amp;"];

pub(super) fn has_markup(text: &str) -> bool {
    MARKUP_SIGNS.iter().any(|sign| text.contains(sign))
}

pub(super) fn texts(page: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = page;
    while let Some((_, tag)) = rest.split_once('<')
        && texts.len() < MAX_TEXTS
    {
        if let Some(comment) = tag.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        if !tag.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c)) {
            rest = tag;
            continue;
        }
        let end = end_of_tag(tag);
        let (inside, after) = tag.split_at_checked(end).unwrap_or((tag, ""));
        rest = after;
        texts.extend(
            attribute_values(inside)
                .filter(|value| has_record_signs(value))
                .map(plain_text),
        );
        let name = inside
            .split(|c: char| c.is_whitespace() || c == '/')
            .next()
            .unwrap_or_default();
        let Some(name) = TEXT_ELEMENTS
            .iter()
            .find(|known| name.eq_ignore_ascii_case(known))
        else {
            continue;
        };
        let is_text = *name != "script"
            || inside.to_ascii_lowercase().contains("text/kif")
            || inside.contains("text/plain");
        let closing = find_ignoring_case(after, &format!("</{name}"));
        let (text, behind) = after
            .split_at_checked(closing.unwrap_or(after.len()))
            .unwrap_or((after, ""));
        rest = behind;
        let text = text.strip_prefix('>').unwrap_or(text);
        if is_text {
            texts.push(plain_text(text));
        } else {
            let room = MAX_TEXTS.saturating_sub(texts.len());
            texts.extend(
                strings(text)
                    .map(|(string, ..)| string)
                    .filter(|string| has_record_signs(string))
                    .map(Into::into)
                    .take(room),
            );
        }
    }
    texts
}

/// Returns the byte index of the `>` that ends a tag, or else the length of the text. A `>` in quotes ends no tag.
fn end_of_tag(tag: &str) -> usize {
    let (mut quote, mut before) = (None, b' ');
    let ends = |(_, byte): &(usize, u8)| {
        let (byte, is_value) = (*byte, before == b'=');
        if !byte.is_ascii_whitespace() {
            before = byte;
        }
        match quote {
            None if is_value && matches!(byte, b'"' | b'\'') => quote = Some(byte),
            Some(open) if byte == open => quote = None,
            _ => return quote.is_none() && byte == b'>',
        }
        false
    };
    tag.bytes().enumerate().find(ends).map_or(tag.len(), |(at, _)| at)
}

/// Returns the quoted values of the attributes of a tag; an empty text for a value without quotes.
fn attribute_values(tag: &str) -> impl Iterator<Item = &str> {
    let mut rest = tag;
    std::iter::from_fn(move || {
        let (_, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''));
        let Some((value, behind)) = quote.and_then(|quote| after.get(1..)?.split_once(quote)) else {
            rest = after;
            return Some("");
        };
        rest = behind;
        Some(value)
    })
}

fn has_record_signs(value: &str) -> bool {
    [
        "position ",
        "startpos",
        "sfen ",
        "手合割",
        "手数--",
        "V2.2",
        "▲",
        "☗",
    ]
    .iter()
    .any(|sign| value.contains(sign))
}

/// Returns the byte index of `wanted` in a text, whatever the case of ASCII letters.
fn find_ignoring_case(text: &str, wanted: &str) -> Option<usize> {
    let (text, wanted) = (text.as_bytes(), wanted.as_bytes());
    (0..text.len().saturating_sub(wanted.len() - 1)).find(|at| {
        text.get(*at..at + wanted.len())
            .is_some_and(|part| part.eq_ignore_ascii_case(wanted))
    })
}

/// Returns the text of markup: without tags, with line ends for breaks, and with the characters of entities.
pub(super) fn plain_text(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len());
    let mut rest = markup;
    while let Some(at) = rest.find(['<', '&']) {
        let (before, mark) = rest.split_at(at);
        text.push_str(before);
        if let Some(tag) = mark.strip_prefix('<') {
            let is_tag = tag.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
            if !is_tag {
                text.push('<');
                rest = tag;
                continue;
            }
            if let Some(comment) = tag.strip_prefix("!--") {
                rest = comment.split_once("-->").map_or("", |(_, after)| after);
                continue;
            }
            if let Some(data) = tag.strip_prefix("![CDATA[") {
                let (inside, after) = data.split_once("]]>").unwrap_or((data, ""));
                text.push('\n');
                text.push_str(inside);
                rest = after;
                continue;
            }
            let Some(end) = tag.find('>') else { break };
            let name = tag
                .get(..end)
                .unwrap_or_default()
                .split(|c: char| c.is_whitespace())
                .next()
                .unwrap_or_default();
            if let Some(hidden) = HIDDEN_ELEMENTS
                .iter()
                .find(|hidden| name.eq_ignore_ascii_case(hidden))
            {
                let closing = find_ignoring_case(tag, &format!("</{hidden}"));
                rest = closing.and_then(|at| tag.get(at..)).unwrap_or_default();
                continue;
            }
            let replacement = tag_replacement(name);
            text.extend(replacement);
            rest = tag.get(end + 1..).unwrap_or_default();
            // A break at the end of a line is one line end.
            if replacement == Some('\n') && name.to_ascii_lowercase().starts_with("br") {
                rest = rest
                    .strip_prefix('\n')
                    .or_else(|| rest.strip_prefix("\r\n"))
                    .unwrap_or(rest);
            }
            if RUBY_ELEMENTS.iter().any(|above| name.eq_ignore_ascii_case(above)) {
                rest = rest.find('<').and_then(|at| rest.get(at..)).unwrap_or_default();
            }
        } else {
            let (c, after) = parse_entity(mark).unwrap_or_else(|| ('&', mark.get(1..).unwrap_or_default()));
            text.push(c);
            rest = after;
        }
    }
    text + rest
}

/// Returns the replacement of a tag: a line end for the beginning of a line, a blank for a table cell. `None` for other
/// tags, which are removed.
fn tag_replacement(name: &str) -> Option<char> {
    match name.trim_matches('/').to_ascii_lowercase().as_str() {
        "br" | "p" | "div" | "li" | "tr" | "hr" | "h1" | "h2" | "h3" | "h4" | "pre" | "blockquote"
        | "title" | "dt" | "dd" | "option" => Some('\n'),
        "td" | "th" => Some(' '),
        _ => None,
    }
}

/// The maximum length of an entity, in bytes.
const MAX_ENTITY_BYTES: usize = 10;

/// Returns the character of an entity at the beginning of a text, and the text after the entity. `None` for another
/// text.
fn parse_entity(text: &str) -> Option<(char, &str)> {
    let end = text
        .bytes()
        .take(MAX_ENTITY_BYTES)
        .position(|byte| byte == b';')?;
    let (name, after) = (text.get(1..end)?, text.get(end + 1..)?);
    let number = name
        .strip_prefix('#')
        .and_then(|number| match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        });
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        _ => number.and_then(char::from_u32)?,
    };
    Some((c, after))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::texts;
    use proptest::prelude::*;

    #[test]
    fn records_are_found_in_pages() {
        let check = |body: &str, games: usize| {
            let page = format!(
                "<!DOCTYPE html>\n<html lang=\"ja\"><head><title>x > y</title></head><body>{body}</body></html>"
            );
            let found = read(page.as_bytes());
            assert_eq!(
                found.as_ref().map_or(0, |read| read.games.len()),
                games,
                "{body}: {found:?}"
            );
            let ply = found.map_or(0, |read| read.games[0].len());
            assert_eq!(ply, if games == 0 { 0 } else { 2 }, "{body}");
        };
        let kif = "手数----指手--\n   1 ７六歩(77)\n   2 ３四歩(33)\n";
        check(&format!("<script type=\"text/kifu\">\n{kif}</script>"), 1);
        check(
            &format!("<PRE class='k'>{kif}</PRE><p>text</p><textarea rows=3>{kif}</textarea>"),
            2,
        );
        check(&format!("<pre>{}</pre>", kif.replace('\n', "<br>")), 1);
        check(
            "<shogi-player kif=\"position startpos moves 7g7f 3c3d\"></shogi-player>",
            1,
        );
        check("<div data-kifu='position startpos moves 7g7f 3c3d &amp;'>", 1);
        check("<pre>&#9650;７六歩&#x25b3;３四歩</pre>", 1);
        check(
            &format!("<!-- don't --><p>a < b's</p><pre>{kif}</pre><p>it's</p>"),
            1,
        );
        check("<p>7六歩</p><script>let moves = 1;</script>", 0);
    }

    #[test]
    fn long_pages_take_linear_time() {
        for filler in ["<", "<a", "&", "<!--", "<pre", "='"] {
            let _texts = texts(&format!("<html><pre>{}", filler.repeat(200_000)));
        }
    }

    proptest! {
        #[test]
        fn any_page_returns(page in "(<(pre|script|a) ?[a-z]{0,3}=?[\"']?|</|>|&#?[a-z0-9]{0,4};?|[ -~]|▲７六歩){0,60}") {
            let _texts = texts(&page);
        }
    }
}
