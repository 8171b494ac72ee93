//! Damaged moves: blanks and line ends within moves, moves in columns.

use super::scan::{PIECE_CHARACTERS, digit};
use shogibar_shogi::SIDE_MARKS;

/// Returns a text with the damage to its moves repaired; `None` if there is no such damage. Likewise, the functions below
/// return `None` if they would not change the text.
pub(super) fn repaired(text: &str) -> Option<String> {
    with_letters_joined(text)
        .or_else(|| with_letters_of_lines_joined(text))
        .or_else(|| with_moves_joined(text).or_else(|| in_order_of_numbers(text)))
}

/// The minimum number of single characters in a text that has a blank after each character.
const MIN_SEPARATE_CHARACTERS: usize = 8;

/// Returns a text without its blanks and line ends, if these separate nearly all characters of the text.
fn with_letters_joined(text: &str) -> Option<String> {
    if text.contains('|') || !text.contains(SIDE_MARKS) {
        return None;
    }
    let (mut words, mut letters) = (0, 0);
    for word in text.split_whitespace() {
        words += 1;
        letters += usize::from(word.chars().nth(1).is_none());
    }
    (letters >= MIN_SEPARATE_CHARACTERS && letters * 10 >= words * 9)
        .then(|| text.split_whitespace().collect())
}

/// The minimum number of lines that have a blank after each character.
const MIN_SEPARATE_LINES: usize = 3;

/// Returns a text without the blanks between the single characters of its lines, as a reader of pictures writes them. A
/// number before them stays apart.
fn with_letters_of_lines_joined(text: &str) -> Option<String> {
    let joined = |line: &str| -> Option<String> {
        let (number, letters) = match line.trim().split_once(' ') {
            Some((number, letters)) if number.chars().all(|c| digit(c).is_some()) => (number, letters),
            _ => ("", line),
        };
        let words: Vec<&str> = letters.split_whitespace().collect();
        let is_spaced = words.len() > 1 && words.iter().all(|word| word.chars().nth(1).is_none());
        is_spaced.then(|| format!("{number} {}", words.concat()))
    };
    text.lines().filter_map(joined).nth(MIN_SEPARATE_LINES - 1)?;
    Some(
        text.lines()
            .map(|line| joined(line).unwrap_or_else(|| line.to_owned()) + "\n")
            .collect(),
    )
}

/// Returns a text without the line ends within moves: after a square or its file, or after a side mark.
fn with_moves_joined(text: &str) -> Option<String> {
    let is_rank = |c: char| digit(c).is_some() || "一二三四五六七八九".contains(c);
    let ends_within = |line: &str, next: &str| {
        let mut before = line.trim_end().chars().rev();
        let [last, file, mark] = [before.next(), before.next(), before.next()];
        let is_marked = |c: Option<char>| c.is_some_and(|c| SIDE_MARKS.contains(&c));
        // Behind a whole move, a word of the move may follow: ▲６八銀 / 左.
        let ends_move = last.is_some_and(|c| PIECE_CHARACTERS.contains(c)) && file.is_some_and(is_rank);
        is_marked(last)
            || ends_move
                && next
                    .trim_start()
                    .starts_with(['左', '右', '直', '上', '寄', '引', '打', '成', '不'])
            || is_marked(file) && last.is_some_and(|c| digit(c).is_some())
            || is_marked(mark) && file.is_some_and(|c| digit(c).is_some()) && last.is_some_and(is_rank)
    };
    let begins_within = |line: &str| {
        line.trim_start().starts_with(|c: char| {
            digit(c).is_some()
                || is_rank(c)
                || "同左右直上寄引打不".contains(c)
                || PIECE_CHARACTERS.contains(c)
        })
    };
    let lines: Vec<&str> = text.lines().collect();
    let is_within =
        |pair: &[&str]| matches!(pair, [line, next] if ends_within(line, next) && begins_within(next));
    if !lines.windows(2).any(is_within) {
        return None;
    }
    let mut joined = String::with_capacity(text.len());
    for (at, line) in lines.iter().enumerate() {
        let is_within = lines.get(at..at + 2).is_some_and(is_within);
        joined.push_str(if is_within { line.trim_end() } else { line });
        joined.push_str(if is_within { "" } else { "\n" });
    }
    Some(joined)
}

const MIN_COLUMN_MOVES: usize = 4;

/// Returns the moves of a text with columns, in the order of their numbers. The numbers must start at 1, and must not
/// be in order in the text.
fn in_order_of_numbers(text: &str) -> Option<String> {
    let mut parts: Vec<(usize, &str)> = text.lines().flat_map(numbered_parts).collect();
    let is_in_order = |parts: &[(usize, &str)]| {
        parts
            .iter()
            .zip(1..)
            .all(|((number, _), expected)| *number == expected)
    };
    if parts.len() < MIN_COLUMN_MOVES || is_in_order(&parts) {
        return None;
    }
    parts.sort_by_key(|(number, _)| *number);
    let others = text.lines().filter(|line| numbered_parts(line).is_empty());
    let lines = || {
        others
            .chain(parts.iter().map(|(_, part)| *part))
            .flat_map(|line| [line, "\n"])
    };
    is_in_order(&parts).then(|| lines().collect())
}

/// Returns the parts of a line that begin with a number before a move, without the number.
fn numbered_parts(line: &str) -> Vec<(usize, &str)> {
    let begins = line
        .char_indices()
        .filter(|(_, c)| digit(*c).is_some())
        .map(|(at, _)| at)
        .filter(|at| {
            line.get(..*at)
                .unwrap_or_default()
                .chars()
                .next_back()
                .is_none_or(char::is_whitespace)
        });
    let parts: Vec<_> = begins
        .filter_map(|at| Some((at, split_move_number(line.get(at..)?)?)))
        .collect();
    let ends = parts.iter().map(|(at, _)| *at).skip(1).chain([line.len()]);
    parts
        .iter()
        .zip(ends)
        .map(|((_, (number, from)), end)| {
            let from = line.len() - from.len();
            (*number, line.get(from..end).unwrap_or_default())
        })
        .collect()
}

/// Splits off the number of a move at the beginning of a text. Returns the number and the move; `None` for other text.
fn split_move_number(text: &str) -> Option<(usize, &str)> {
    let digits: Vec<u32> = text.chars().map_while(digit).take(4).collect();
    let length = digits.len();
    let number = digits
        .into_iter()
        .fold(0, |number, digit| number * 10 + digit as usize);
    let rest = text
        .trim_start_matches(|c| digit(c).is_some())
        .trim_start_matches("手目");
    let after = rest.trim_start_matches(|c: char| c.is_whitespace() || ".．:：)）、".contains(c));
    let is_move = || {
        let mut chars = after.trim_start_matches(SIDE_MARKS).chars();
        match chars.next() {
            Some('同') => true,
            Some(file) => {
                digit(file).is_some()
                    && chars
                        .next()
                        .is_some_and(|c| digit(c).is_some() || "一二三四五六七八九".contains(c))
            }
            None => false,
        }
    };
    (length < 4 && after.len() < rest.len() && is_move()).then_some((number, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_in_pieces_are_joined() {
        let check = |text: &str, joined: &str| assert_eq!(repaired(text).as_deref(), Some(joined), "{text}");
        check(
            "1 ７六歩　４ ８四歩\n2 ３四歩　５ ２五歩\n3 ２六歩",
            "７六歩　\n３四歩　\n２六歩\n８四歩\n２五歩\n",
        );
        check("▲ ７ 六 歩 △ ３ 四 歩", "▲７六歩△３四歩");
        check(
            "1 7 六 歩 ( 7 7 )\n10 2 三 歩 打\n11 中 断\n",
            "1 7六歩(77)\n10 2三歩打\n11 中断\n",
        );
        check(
            "▲７六\n歩△３四歩▲\n２六歩\n△８四歩",
            "▲７六歩△３四歩▲２六歩\n△８四歩\n",
        );
        for text in [
            "1 ７六歩 2 ３四歩\n3 ２六歩 4 ８四歩",
            "1 ７六歩\n3 ２六歩\n2 ３四歩\n1 ７六歩",
            "▲７六歩\n△３四歩\n▲２六歩\n",
        ] {
            assert_eq!(repaired(text), None, "{text}");
        }
    }
}
