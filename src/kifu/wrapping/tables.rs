//! Tables whose cells hold a record: cells in quotes, columns of seconds, boards.

use super::detect_format::is_comment;

/// The maximum length of the head of a table, in bytes.
const MAX_HEAD_BYTES: usize = 300;

/// The beginnings of records in cells.
const RECORD_HEADS: [&str; 5] = ["手合割：", "開始日時：", "#KIF", "棋戦：", "先手："];

/// Returns a table whose cells hold whole records in quotes with each record on lines of its own; `None` without a record
/// whose quotes are on different lines.
fn with_records_on_lines(text: &str) -> Option<String> {
    /// Returns the beginning of the record that the last cell of a line opens.
    fn opened(line: &str) -> Option<&str> {
        if is_comment(line) {
            return None;
        }
        ["\t\"", ",\""]
            .iter()
            .filter_map(|open| line.rsplit_once(open))
            .map(|(_, record)| record)
            .find(|record| RECORD_HEADS.iter().any(|head| record.starts_with(head)) && !record.contains('"'))
    }
    text.lines().find_map(opened)?;
    let (mut records, mut is_open) = (String::with_capacity(text.len()), false);
    for line in text.lines() {
        let inside = match opened(line) {
            Some(record) => {
                is_open = true;
                record
            }
            // A quote ends the record. In it, two quotes are one.
            None if is_open => line
                .split_once('"')
                .filter(|(_, behind)| !behind.starts_with('"'))
                .map_or(line, |(end, _)| {
                    is_open = false;
                    end
                }),
            None => "",
        };
        records.push_str(inside);
        records.push('\n');
    }
    Some(records)
}

/// The minimum number of rows of a table whose cells are in quotes.
const MIN_QUOTED_ROWS: usize = 3;

/// Returns a table whose cells all are in quotes with tabulators between its cells; `None` for another text.
pub(super) fn without_cell_quotes(text: &str) -> Option<String> {
    if !text.contains('"') {
        return None;
    }
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty());
    if let Some(records) = with_records_on_lines(text) {
        return Some(records);
    }
    let (rows, all) = (
        lines()
            .filter(|line| line.starts_with('"') && line.ends_with('"') && line.contains("\",\""))
            .count(),
        lines().count(),
    );
    if rows < MIN_QUOTED_ROWS || rows < all {
        return None;
    }
    let mut table = String::with_capacity(text.len());
    for line in lines() {
        let inside = line.get(1..line.len() - 1).unwrap_or_default();
        table.push_str(&inside.replace("\",\"", "\t"));
        table.push('\n');
    }
    Some(table)
}

/// Returns a text in which a board whose squares stand in the cells of a table is drawn as a diagram; `None` without
/// nine ranks.
pub(super) fn with_board_drawn(text: &str) -> Option<String> {
    const RANKS: &str = "一二三四五六七八九";
    if !text.contains('\t') {
        return None;
    }
    let is_rank = |cell: &&str| cell.chars().count() == 1 && RANKS.contains(*cell);
    let rank_of = |line: &str| -> Option<String> {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let last = cells.iter().rposition(is_rank).filter(|last| *last >= 9);
        let (rank, squares) = match cells.split_first_chunk::<10>() {
            Some(([rank, squares @ ..], _)) if is_rank(rank) => (rank, squares.as_slice()),
            _ => (cells.get(last?)?, cells.get(last? - 9..last?)?),
        };
        let drawn = squares
            .iter()
            .map(|square| match square.strip_prefix(['v', 'V', '△', '▽', '☖']) {
                Some(piece) => format!("v{piece}"),
                None if square.is_empty() => " ・".to_owned(),
                None => format!(" {}", square.trim_start_matches(['▲', '☗', '^'])),
            });
        Some(format!("|{}|{rank}", drawn.collect::<String>()))
    };
    if text.lines().filter_map(rank_of).count() != 9 {
        return None;
    }
    let (mut drawn, mut was_rank, mut is_first) = (String::with_capacity(text.len()), false, true);
    for line in text.lines() {
        let rank = rank_of(line);
        is_first &= rank.is_none();
        if rank.is_some() != was_rank {
            drawn.push_str("+---------------------------+\n");
        }
        was_rank = rank.is_some();
        let is_files = is_first && {
            let files: Vec<&str> = line.split_whitespace().collect();
            files.len() == 9 && matches!(files.first(), Some(&("９" | "9")))
        };
        drawn.push_str(&rank.unwrap_or_else(|| match line.split_once('\t') {
            _ if is_files => "  ９ ８ ７ ６ ５ ４ ３ ２ １".to_owned(),
            Some((key, value)) if key.ends_with("の持駒") || key == "手番" => format!("{key}：{value}"),
            _ => line.to_owned(),
        }));
        drawn.push('\n');
    }
    Some(drawn)
}

const CELL_SEPARATORS: [char; 3] = ['\t', ',', '|'];

/// Returns a table with 秒 behind the numbers of the column that its head names so; `None` without such a column.
pub(super) fn with_seconds_named(text: &str) -> Option<String> {
    let is_of_seconds = |cell: &str| {
        let cell = cell.trim();
        ["(秒)", "（秒）", "秒数", "(s)", "(sec)"]
            .iter()
            .any(|end| cell.ends_with(end))
            || matches!(cell, "秒" | "seconds")
    };
    if !["秒", "(s", "seconds"].iter().any(|sign| text.contains(sign)) {
        return None;
    }
    let mut heads = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.len() <= MAX_HEAD_BYTES && !is_comment(line));
    let (head_at, separator, column) = heads.find_map(|(at, line)| {
        let separator = CELL_SEPARATORS
            .into_iter()
            .find(|separator| line.contains(*separator))?;
        Some((at, separator, line.split(separator).position(is_of_seconds)?))
    })?;
    let (mut named, mut is_changed) = (String::with_capacity(text.len()), false);
    for (at, line) in text.lines().enumerate() {
        for (index, cell) in line.split(separator).enumerate() {
            if index > 0 {
                named.push(separator);
            }
            named.push_str(cell);
            if index == column
                && at > head_at
                && !is_comment(line)
                && !cell.trim().is_empty()
                && cell.trim().bytes().all(|c| c.is_ascii_digit())
            {
                named.push('秒');
                is_changed = true;
            }
        }
        named.push('\n');
    }
    is_changed.then_some(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_written_as_records() {
        assert_eq!(
            without_cell_quotes("\"1\",\"a\"\n\"2\",\"b\"\n\"3\",\"\"\n").unwrap(),
            "1\ta\n2\tb\n3\t\n"
        );
        assert_eq!(without_cell_quotes("\"1\",\"a\"\nb\n"), None);
        assert_eq!(
            with_seconds_named("手,消費(秒)\nx,12\ny,\n").unwrap(),
            "手,消費(秒)\nx,12秒\ny,\n"
        );
        assert_eq!(with_seconds_named("手,消費\nx,12\n"), None);
        let rows = "一二三四五六七八九"
            .chars()
            .map(|rank| format!("{rank}\tv香\t\t\t\t\t\t\t\t歩\n"));
        let board = with_board_drawn(&rows.collect::<String>()).unwrap();
        assert_eq!(board.lines().nth(1), Some("|v香 ・ ・ ・ ・ ・ ・ ・ 歩|一"));
        assert_eq!(board.lines().count(), 10);
    }
}
