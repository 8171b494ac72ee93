//! The table of the results of a folder, as HTML and as CSV.

use super::{FolderGame, html_table};
use crate::analysis::{MoveMark, SideSummary};
use crate::folder_text::{Column, SideColumn};
use crate::reasons_text::Motif;
use crate::report::Report;
use crate::{Label, analysis_text as words, phrase};
use shogibar_base::Lang;
use shogibar_base::visible::visible;
use shogibar_kifu::Record;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The byte order mark, without which Excel does not recognize UTF-8.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The row of a game in the table of results.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRow {
    /// The path of the game's file relative to the folder, with `/`.
    pub file: String,
    /// The number of the game in its file; `None` if the file has one game.
    pub game: Option<usize>,
    /// The path of the record with the evaluations.
    pub record: PathBuf,
    /// The address of the game's report, relative to the HTML table.
    pub report: String,
    /// The date of the game; empty if the record has none.
    pub date: String,
    /// The event; empty if the record has none.
    pub event: String,
    /// The players' names, Black's first; empty where the record has none.
    pub players: [String; 2],
    /// The result in words.
    pub result: String,
    /// The number of moves.
    pub moves: usize,
    /// The statistics of the moves of each side.
    pub sides: [SideSummary; 2],
    /// The decisive moves in words.
    pub decisive_moves: Vec<String>,
    /// The judge of the game in words; empty without a judge.
    pub judge: String,
    /// The motifs that each side overlooked, Black's first, with the numbers of the moves.
    pub motifs: [Vec<(Motif, u16)>; 2],
}

/// The results of the games of a folder.
#[derive(Clone, Debug)]
pub struct ResultTable {
    lang: Lang,
    rows: BTreeMap<usize, ResultRow>,
    problems: Vec<String>,
    games: [usize; 2],
}

pub(super) struct ResultCell {
    pub(super) text: String,
    /// Whether the cell is a number, written in digits.
    pub(super) is_number: bool,
}

impl FolderGame {
    /// Returns the path of the file, with the number of the game if the file has several.
    pub fn name(&self) -> String {
        let [number, count] = self.number_and_count;
        if count > 1 {
            format!("{} #{number}", self.input.display())
        } else {
            self.input.display().to_string()
        }
    }
}

impl ResultRow {
    /// Creates the row of a finished game. `link` is the address of the report, and `motifs` has the motifs that each
    /// side overlooked, Black's first.
    pub(super) fn new(
        game: &FolderGame,
        report: &Report,
        record: &Record,
        link: &str,
        motifs: [Vec<(Motif, u16)>; 2],
    ) -> Self {
        let header = |keys: &[&str]| {
            let found = keys.iter().find_map(|key| {
                record
                    .header(key)
                    .map(str::trim)
                    .filter(|value| !value.is_empty())
            });
            found.unwrap_or_default().to_owned()
        };
        let [number, count] = game.number_and_count;
        Self {
            file: game.file.clone(),
            game: (count > 1).then_some(number),
            record: game.output.clone(),
            report: link.to_owned(),
            date: header(&["開始日時", "対局日"]),
            event: header(&["棋戦", "表題"]),
            players: report.players.clone().map(Option::unwrap_or_default),
            result: report.result.clone(),
            moves: record.moves().count(),
            sides: report.sides,
            decisive_moves: report
                .decisive_moves
                .iter()
                .map(|it| {
                    phrase::move_label(
                        usize::from(it.decisive_move.assessed_move.ply),
                        &it.word,
                        report.lang,
                    )
                })
                .collect(),
            judge: report.judge.clone(),
            motifs,
        }
    }

    /// Returns the cells in the order of the columns: those of the game, of Black, of White, and the last ones.
    pub(super) fn cells(&self, lang: Lang) -> Vec<ResultCell> {
        let text = |text: &str| ResultCell {
            text: text.to_owned(),
            is_number: false,
        };
        let number = |text: Option<String>| ResultCell {
            text: text.unwrap_or_default(),
            is_number: true,
        };
        let [black, white] = &self.players;
        let mut cells = vec![text(&self.file), number(self.game.map(|game| game.to_string()))];
        cells.extend([&self.date, &self.event, black, white, &self.result].map(|it| text(it)));
        cells.push(number(Some(self.moves.to_string())));
        for side in &self.sides {
            let tenths = |value: Option<f64>| number(value.map(|value| format!("{value:.1}")));
            let figures = side.figures();
            cells.push(tenths(figures.mean_loss));
            cells.push(number(
                words::share(figures.choices).map(|share| share.to_string()),
            ));
            cells.push(tenths(figures.accuracy));
            let is_assessed = side.moves > 0;
            cells.extend(
                side.marks
                    .map(|count| number(is_assessed.then(|| count.to_string()))),
            );
        }
        cells.push(text(&self.decisive_moves.join(lang.pick("、", "; "))));
        cells.push(text(&self.judge));
        cells
    }
}

impl ResultTable {
    /// Creates a table without rows.
    pub const fn new(lang: Lang) -> Self {
        Self {
            lang,
            rows: BTreeMap::new(),
            problems: Vec::new(),
            games: [0, 0],
        }
    }

    /// Adds the row of a game with a number in the folder.
    pub fn insert(&mut self, number: usize, row: ResultRow) {
        self.rows.insert(number, row);
    }

    /// Sets the problems, the number of games that are over, and the number of all games.
    pub fn set_problems(&mut self, problems: &[String], games: [usize; 2]) {
        problems.clone_into(&mut self.problems);
        self.games = games;
    }

    /// Returns the rows in the order of the games in the folder.
    pub fn rows(&self) -> impl Iterator<Item = &ResultRow> + Clone {
        self.rows.values()
    }

    /// Returns the table as an HTML page that can be sorted, without external resources.
    pub fn page(&self) -> String {
        html_table::table_page(self.rows(), &self.problems, self.games, self.lang)
    }

    /// Returns the table as CSV (RFC 4180) in UTF-8 with a byte order mark.
    pub fn csv(&self) -> String {
        let mut csv = BYTE_ORDER_MARK.to_owned();
        csv += &csv_line(
            headings(self.lang)
                .iter()
                .map(|heading| (heading.as_str(), false)),
        );
        for row in self.rows() {
            let cells = row.cells(self.lang);
            csv += &csv_line(cells.iter().map(|cell| (cell.text.as_str(), cell.is_number)));
        }
        csv
    }
}

/// Returns the headings of the columns. The headings of a side have its name.
fn headings(lang: Lang) -> Vec<String> {
    let labels_of = |columns: &[Column]| {
        columns
            .iter()
            .map(|column| column.text(lang).to_owned())
            .collect::<Vec<_>>()
    };
    let of_side = |side: Label| {
        let join = move |word: &str| format!("{}{}{word}", side.text(lang), lang.pick("", " "));
        let first = SideColumn::ALL.map(|column| join(column.text(lang)));
        first
            .into_iter()
            .chain(MoveMark::ALL.map(|mark| join(mark.label().text(lang))))
    };
    let (first, last) = Column::ALL.split_at(Column::COLUMNS_BEFORE_SIDES);
    let sides = of_side(Label::Black).chain(of_side(Label::White));
    labels_of(first)
        .into_iter()
        .chain(sides)
        .chain(labels_of(last))
        .collect()
}

fn csv_line<'a>(cells: impl Iterator<Item = (&'a str, bool)>) -> String {
    let cells = cells.map(|(text, is_number)| {
        if is_number {
            text.to_owned()
        } else {
            csv_text(text)
        }
    });
    cells.collect::<Vec<_>>().join(",") + "\r\n"
}

/// Returns a text as a field of CSV. A text that a spreadsheet would run as a formula gets an apostrophe in front.
/// Control characters are made visible.
fn csv_text(text: &str) -> String {
    let is_formula = text
        .trim_start()
        .starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    let text = visible(text);
    let guarded = if is_formula {
        format!("'{text}")
    } else {
        text.into_owned()
    };
    if guarded.contains([',', '"', '\'', ';']) || guarded.starts_with(' ') || guarded.ends_with(' ') {
        format!("\"{}\"", guarded.replace('"', "\"\""))
    } else {
        guarded
    }
}

/// Returns whether a file begins as the HTML page of a table of this program does.
pub(super) fn is_page(bytes: &[u8]) -> bool {
    html_table::is_page(bytes)
}

/// Returns whether a file begins as the CSV of a table of this program does.
pub(super) fn is_csv(bytes: &[u8]) -> bool {
    [Lang::Ja, Lang::En]
        .into_iter()
        .any(|lang| bytes.starts_with(ResultTable::new(lang).csv().trim_end().as_bytes()))
}
