//! The PSN reader for all dialects, line by line and word by word.

use super::super::builder::{Builder, SourceText};
use super::super::games::{Extent, GameSink};
use super::super::scan::{Line, TextSpot, lines};
use super::super::warning::{RecordProblem, Tally, Warnings, quote};
use super::game::PsnGame;
use super::words;
use shogibar_shogi::Position;

/// Reads the games of a text. Returns their number.
pub(in super::super) fn read(text: &str, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    PsnReader::new(text, games, warnings).read()
}

struct PsnReader<'w, 't, 's> {
    text: &'t str,
    warnings: &'w mut Warnings,
    extent: Extent,
    game: PsnGame<'t>,
    games: GameSink<'s>,
    /// The comment whose closing brace has not been read; `None` outside comments.
    open_comment: Option<BraceComment<'t>>,
    /// The skipped words and lines of variations without a branch point.
    skipped_words: Tally,
    /// The spot of the current line.
    current_spot: Option<TextSpot<'t>>,
}

/// A comment in braces as far as it has been read.
struct BraceComment<'t> {
    /// The text so far; `None` before the first line.
    text: Option<String>,
    /// Whether the opening brace is alone on its line. In this case the closing brace ends a line, and the comment may
    /// contain braces.
    is_block: bool,
    spot: TextSpot<'t>,
}

impl BraceComment<'_> {
    fn add(&mut self, line: &str) {
        super::super::record::Notes::add(&mut self.text, line);
    }
}

impl<'w, 't, 's> PsnReader<'w, 't, 's> {
    fn new(text: &'t str, games: GameSink<'s>, warnings: &'w mut Warnings) -> Self {
        let game = PsnGame::new(text);
        let (extent, skipped_words) = (Extent::AllGames, Tally::default());
        Self {
            text,
            warnings,
            extent,
            game,
            games,
            open_comment: None,
            skipped_words,
            current_spot: None,
        }
    }

    /// Reads the text. Returns the number of games.
    fn read(mut self) -> usize {
        self.read_lines();
        if let Some(comment) = self.open_comment.take() {
            self.warnings
                .add(comment.spot, RecordProblem::UnclosedComment("{".to_owned()));
            self.finish_comment(comment);
        }
        self.end_game();
        self.skipped_words
            .report(self.warnings, RecordProblem::LinesWithoutBranchPoint);
        self.games.finish(self.warnings)
    }

    /// Reads the first game of a text from a start; `None` if there is none. The warnings are passed to `warnings`.
    fn first_game(text: &str, start: &Position, warnings: &mut Warnings) -> Option<Builder> {
        let mut ignore = |_| {};
        let mut reader = PsnReader::new(text, GameSink::new(&mut ignore, |_| None), warnings);
        reader.extent = Extent::FirstGame;
        reader.game.start.fitting_start = Some(start.clone());
        reader.read_lines();
        reader.game.into_builder()
    }

    /// Reads the lines of the text, or those of its first game.
    fn read_lines(&mut self) {
        for line in lines(self.text) {
            self.read_line(line);
            if self.extent == Extent::Done {
                return;
            }
        }
    }

    /// Reads a line: a part of a comment, tags, a remark, a variation heading, a player's name, or moves.
    fn read_line(&mut self, line: Line<'t>) {
        self.current_spot = Some(line.spot(line.text));
        let Some(text) = self.read_open_comment(line) else {
            return;
        };
        let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_control());
        let Some(first) = text.chars().next() else { return };
        if first == '[' && words::parse_tag(text).is_some() {
            return self.read_tags(line, text);
        }
        let after = text.get(1..).unwrap_or_default();
        match first {
            '[' | ';' => self.add_comment(if first == ';' { after.trim() } else { text }, line.spot(text)),
            '#' | '%' if self.game.is_in_lost_variation() => self.skipped_words.add(line.spot(text)),
            '#' | '%' => self.game.add_remark(after),
            '{' if text == "{" => {
                self.open_comment = Some(BraceComment {
                    text: None,
                    is_block: true,
                    spot: line.spot(text),
                });
            }
            _ => match variation_number(text) {
                Some(number) => {
                    self.choose_start();
                    self.game
                        .go_to_variation(number, line.spot(text), text, self.warnings);
                }
                None if self.read_name(line, text) => {}
                None => self.read_words(line, text),
            },
        }
    }

    /// Reads a line of the open comment. Returns the text after the comment, or the whole line without an open comment.
    /// Returns `None` if the comment continues.
    fn read_open_comment(&mut self, line: Line<'t>) -> Option<&'t str> {
        let Some(mut comment) = self.open_comment.take() else {
            return Some(line.text);
        };
        let text = line.text.trim_end_matches(['\0', '\u{1a}']);
        let after = if comment.is_block {
            let last = text.strip_suffix('}');
            // Writers add a blank after a brace that does not end the comment.
            let is_protected = text.ends_with(' ') && text.trim_end_matches(' ').ends_with('}');
            let content = if is_protected {
                text.strip_suffix(' ')
            } else {
                last
            };
            let content = content.unwrap_or(text);
            if last.is_none() || !content.is_empty() {
                comment.add(content);
            }
            last.map(|_| "")
        } else {
            let (content, after) = text
                .split_once('}')
                .map_or((text, None), |(content, after)| (content, Some(after)));
            comment.add(content.trim());
            after
        };
        match after {
            Some(_) => self.finish_comment(comment),
            None => self.open_comment = Some(comment),
        }
        after
    }

    /// Adds a complete comment to the current node, unless it is blank.
    fn finish_comment(&mut self, comment: BraceComment<'t>) {
        let Some(text) = comment.text else { return };
        if comment.is_block {
            self.add_comment(&text, comment.spot);
        } else if !text.trim().is_empty() {
            self.add_comment(&text.trim().replace('~', "\n"), comment.spot);
        }
    }

    /// Adds a comment to the current node. Counts it as skipped in a variation without a branch point.
    fn add_comment(&mut self, text: &str, spot: TextSpot<'_>) {
        if self.game.is_in_lost_variation() {
            self.skipped_words.add(spot);
        } else {
            self.game.add_comment(text);
        }
    }

    /// Reads the tags at the beginning of a line, and the words after them. Tags after moves begin another game.
    fn read_tags(&mut self, line: Line<'t>, text: &'t str) {
        if self.game.is_begun() {
            if self.extent == Extent::FirstGame {
                self.extent = Extent::Done;
                return;
            }
            self.end_game();
            self.game = PsnGame::new(line.rest_of(self.text));
        }
        let mut rest = text;
        while let Some((name, value, after)) = words::parse_tag(rest) {
            let (value, spot) = (value.trim(), line.spot(value));
            rest = after;
            if value.is_empty() {
                continue;
            }
            match name.to_ascii_lowercase().as_str() {
                "sfen" => self.game.start.set_sfen(value, spot, self.warnings),
                "fen" => self.game.start.set_fen(value, spot, self.warnings),
                "comment" => self.game.add_comment(value),
                other => {
                    if other == "handicap" {
                        self.game.start.set_handicap(value, spot, self.warnings);
                    } else if other == "result" && self.game.result.is_none() {
                        let source = SourceText::new(value, spot);
                        self.game.result = words::result_mark(value).map(|mark| (mark, source));
                    }
                    self.game
                        .headers
                        .add(super::header_key(name), value, spot, self.warnings);
                }
            }
        }
        if !rest.is_empty() {
            self.read_words(line, rest);
        }
    }

    /// Adds the player's name in a line like `Black: a, 3 dan` above the moves as a header. The other player's may follow
    /// on the line. Returns whether the line is such a line.
    fn read_name(&mut self, line: Line<'_>, text: &str) -> bool {
        const SIDES: [(&str, &str); 6] = [
            ("Black:", "先手"),
            ("White:", "後手"),
            ("Sente:", "先手"),
            ("Gote:", "後手"),
            ("Shitate:", "下手"),
            ("Uwate:", "上手"),
        ];
        if self.game.is_begun() {
            return false;
        }
        if let Some(handicap) = text.strip_prefix("Handicap:") {
            self.game
                .start
                .set_handicap(handicap.trim(), line.spot(text), self.warnings);
            return true;
        }
        let named = SIDES
            .iter()
            .find_map(|(side, key)| Some((*key, text.strip_prefix(side)?)));
        let Some((key, value)) = named else {
            return false;
        };
        let value = value
            .get(..value.floor_char_boundary(MAX_NAME_BYTES))
            .unwrap_or_default();
        let other = SIDES.iter().find_map(|(side, other_key)| {
            if *other_key == key {
                return None;
            }
            let (name, other) = value.split_once(&format!(" {side}"))?;
            Some((name, *other_key, other))
        });
        let (name, other) = other.map_or((value, None), |(name, key, other)| (name, Some((key, other))));
        for (key, name) in [(key, name)].into_iter().chain(other) {
            let name = name.trim().trim_end_matches([',', '/', ';']).trim_end();
            self.game.headers.add(key, name, line.spot(text), self.warnings);
        }
        true
    }

    /// Chooses the start of a game that has not begun, by its moves.
    fn choose_start(&mut self) {
        if !self.game.is_begun() {
            let text = self.game.text;
            self.game.start.choose(self.warnings, |start, warnings| {
                PsnReader::first_game(text, start, warnings)
            });
        }
    }

    /// Reads moves, comments, times, brackets and ends.
    fn read_words(&mut self, line: Line<'t>, text: &'t str) {
        self.choose_start();
        let mut rest = text;
        let mut is_numbered = false;
        loop {
            rest = rest.trim_start();
            let Some(first) = rest.chars().next() else { return };
            let after = rest.get(first.len_utf8()..).unwrap_or_default();
            let spot = line.spot(rest);
            match first {
                '{' => {
                    let mut comment = BraceComment {
                        text: None,
                        is_block: false,
                        spot,
                    };
                    let Some((inside, behind)) = after.split_once('}') else {
                        comment.add(after.trim());
                        self.open_comment = Some(comment);
                        return;
                    };
                    comment.add(inside);
                    self.finish_comment(comment);
                    rest = behind;
                }
                '(' => {
                    if let Some((time, behind)) = words::parse_time(rest) {
                        let words = rest.get(..rest.len() - behind.len()).unwrap_or(rest);
                        self.game
                            .set_time(SourceText { words, spot, time }, self.warnings);
                        rest = behind;
                    } else if let Some((remark, behind)) = words::split_remark(after) {
                        self.add_comment(remark, spot);
                        rest = behind;
                    } else {
                        self.game.open_bracket(spot, self.warnings);
                        rest = after;
                    }
                }
                ')' => {
                    self.game.close_bracket(spot, self.warnings);
                    rest = after;
                }
                ';' => return self.add_comment(after.trim(), spot),
                '$' => {
                    let (number, behind) = words::first_word(after);
                    let glyph =
                        words::glyph(number).unwrap_or_else(|| rest.get(..=number.len()).unwrap_or(rest));
                    self.add_comment(glyph, spot);
                    rest = behind;
                }
                _ => {
                    if let Some(behind) = words::skip_number(rest) {
                        (rest, is_numbered) = (behind, true);
                        continue;
                    }
                    let (word, behind) = words::first_word(rest);
                    let source = SourceText::new(word, spot);
                    if !self.read_word(source, is_numbered) {
                        return self.add_prose(line, text, rest);
                    }
                    rest = behind;
                }
            }
            is_numbered = false;
        }
    }

    /// Reads a move or a word in place of a move. Returns `false` if the word is neither.
    fn read_word(&mut self, source: SourceText<'t>, is_numbered: bool) -> bool {
        let word = source.words;
        let consists_of = |signs: &[u8]| {
            !word.is_empty()
                && word
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || signs.contains(&byte))
        };
        if self.game.is_in_lost_variation() {
            self.skipped_words.add(source.spot);
        } else if let Some(mark) = words::result_mark(word) {
            self.game.apply_summary(mark, source, self.warnings);
        } else if word == "*" || consists_of(b"") {
            // `*` means a game without a result, digits are a move number without its dot.
        } else if consists_of(b":/.") {
            // The word is a time. Some texts have the times of both sides in columns, without stating which column is
            // whose.
            self.game.add_remark(word);
        } else if !self.game.play(source, self.warnings) {
            let is_end = self.game.apply_mark(
                SourceText {
                    words: word.trim_matches('-'),
                    ..source
                },
                self.warnings,
            );
            let is_move = !is_end && (is_numbered || words::looks_like_a_move(word));
            if is_move {
                self.game.cut(source, self.warnings);
            }
            return is_end || is_move;
        }
        true
    }

    /// Adds `rest`, other text in the line `text`, as a comment. Some texts discuss the moves between the moves.
    fn add_prose(&mut self, line: Line<'t>, text: &'t str, rest: &'t str) {
        if text.len() > rest.len() {
            self.warnings
                .add(line.spot(rest), RecordProblem::TextAfterMove(quote(rest)));
        }
        self.game.add_comment(rest.trim());
    }

    fn end_game(&mut self) {
        self.choose_start();
        let game = std::mem::take(&mut self.game);
        let (unknown, fits) = (game.start.unknown_handicap(), game.fits_start());
        let record = game.finish(self.warnings);
        if let (Some(record), Some(here)) = (record, self.current_spot)
            && self.games.has_room(here)
        {
            self.games.add_if_it_fits(record, unknown, fits, self.warnings);
        }
    }
}

/// The longest text of the names in one line, in bytes.
const MAX_NAME_BYTES: usize = 1000;

/// Returns the number after `Variation:`, 0 if it is missing; `None` for other text.
fn variation_number(text: &str) -> Option<usize> {
    const NAME: &str = "variation";
    let (name, rest) = text.split_at_checked(NAME.len())?;
    let number = rest.trim_start_matches([':', ' ', '\t']);
    let digits = number
        .find(|c: char| !c.is_ascii_digit())
        .and_then(|end| number.get(..end))
        .unwrap_or(number);
    (name.eq_ignore_ascii_case(NAME) && rest.starts_with([':', ' '])).then(|| digits.parse().unwrap_or(0))
}
