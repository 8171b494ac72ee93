//! The headers of a game that is being read.

use super::scan::TextSpot;
use super::warning::{RecordProblem, Warnings, quote};

/// The keys of headers of which the program uses only the first value.
const SINGLE_VALUE_KEYS: [&str; 24] = [
    "手合割",
    "先手",
    "後手",
    "下手",
    "上手",
    "棋戦",
    "表題",
    "場所",
    "開始日時",
    "終了日時",
    "対局日",
    "日付",
    "持ち時間",
    "先手持ち時間",
    "後手持ち時間",
    "戦型",
    "結果",
    "勝敗",
    "TIME",
    "TIME+",
    "TIME-",
    "MAX_MOVES",
    "RESULT",
    "Result",
];

/// Moves the names of the players to the front, where other readers expect them.
pub(super) fn put_names_first(headers: &mut [(String, String)]) {
    headers.sort_by_key(|(key, _)| match key.as_str() {
        "先手" => 0,
        "後手" => 1,
        _ => 2,
    });
}

/// The headers of a game, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Headers {
    list: Vec<(String, String)>,
    /// For each of [`SINGLE_VALUE_KEYS`], the index in `list` of the first header that is not blank.
    first_indices: [Option<usize>; SINGLE_VALUE_KEYS.len()],
}

impl Headers {
    /// Adds a header. Reports a second value that differs from the first of a key of which only one is used.
    pub(super) fn add(&mut self, key: &str, value: &str, spot: TextSpot<'_>, warnings: &mut Warnings) {
        let used = SINGLE_VALUE_KEYS
            .iter()
            .zip(&mut self.first_indices)
            .find(|(used, _)| **used == key);
        if !value.trim().is_empty()
            && let Some((key, first)) = used
        {
            let taken = *first.get_or_insert(self.list.len());
            if let Some((_, taken)) = self
                .list
                .get(taken)
                .filter(|(_, taken)| taken.trim() != value.trim())
            {
                warnings.add(
                    spot,
                    RecordProblem::SecondHeader {
                        key,
                        used: quote(taken),
                        ignored: quote(value),
                    },
                );
            }
        }
        self.list.push((key.to_owned(), value.to_owned()));
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn as_slice(&self) -> &[(String, String)] {
        &self.list
    }

    pub(super) fn into_list(self) -> Vec<(String, String)> {
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;

    #[test]
    fn a_second_header_that_differs_is_reported() {
        let check = |text: &str, expected: &[&str]| {
            let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
            let found: Vec<_> = reading.warnings.iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{text}");
            let game = &reading.games[0];
            assert_eq!(game.player(shogibar_shogi::Color::Black), Some("A"), "{text}");
            assert!(game.headers().len() > 1, "both are kept: {text}");
        };
        let again = |line: &str| format!("{line}: '先手：B' is not used, for '先手：A' stands before it");
        check("先手：A\n先手：B\n1 ７六歩(77)\n", &[&again("2:1")]);
        check("先手：\n先手：A\n先手： A\n備考：x\n備考：y\n1 ７六歩(77)\n", &[]);
        check("V2.2\nN+A\nN+B\nPI\n+\n+7776FU\n", &[&again("3:1")]);
        check("[Sente \"A\"]\n[Black \"B\"]\n\nP7g-7f\n", &[&again("2:9")]);
        for key in ["RESULT", "Result", "結果", "先手持ち時間", "日付"] {
            let reported = format!("3:1: '{key}：2' is not used, for '{key}：1' stands before it");
            check(
                &format!("先手：A\n{key}：1\n{key}：2\n1 ７六歩(77)\n"),
                &[&reported],
            );
        }
        check(
            "{\"header\":{\"先手\":\"A\",\"先手\":\"B\"},\"moves\":[]}",
            &[&again("1:26")],
        );
    }
}
