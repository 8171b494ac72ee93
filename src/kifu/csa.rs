//! CSA, versions V1 to V3: one statement per line, or several separated by commas.

pub(super) mod format;
mod log;
pub(super) mod moves;
mod server;
mod start;
#[cfg(test)]
mod tests;
mod write;

pub use log::CsaLog;

use super::builder::{Builder, CutReason, GameDraft, SourceText};
use super::end::{EndMark, MarkOutcome, Reason, find_mark};
use super::games::GameSink;
use super::headers::Headers;
use super::record::Notes;
use super::scan::{Line, TextSpot, lines};
use super::time;
use super::time::{Millis, Time};
use super::warning::{RecordProblem, TextPosition, Warnings, quote};
use moves::{color, parse_move, square};
use server::GameSummary;
use shogibar_shogi::{Color, Move};
use start::CsaStart;
use std::collections::{BTreeMap, BTreeSet};

/// The words of end marks, without `%`.
const END_MARKS: [(&str, EndMark); 15] = [
    (
        "TORYO",
        EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses),
    ),
    ("TSUMI", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("TIME_UP", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    (
        "ILLEGAL_MOVE",
        EndMark::new(Reason::Foul, MarkOutcome::MoverLoses),
    ),
    (
        "+ILLEGAL_ACTION",
        EndMark::new(Reason::Foul, MarkOutcome::Winner(Color::White)),
    ),
    (
        "-ILLEGAL_ACTION",
        EndMark::new(Reason::Foul, MarkOutcome::Winner(Color::Black)),
    ),
    ("KACHI", EndMark::new(Reason::Declaration, MarkOutcome::MoverWins)),
    ("HIKIWAKE", EndMark::new(Reason::Declaration, MarkOutcome::Draw)),
    ("SENNICHITE", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("JISHOGI", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("MAX_MOVES", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    ("CHUDAN", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("FUZUMI", EndMark::new(Reason::NoMate, MarkOutcome::Open)),
    ("MATTA", EndMark::new(Reason::Other, MarkOutcome::Open)),
    ("ERROR", EndMark::new(Reason::Other, MarkOutcome::Open)),
];

/// Returns whether a record begins with `V3`, ignoring comments.
pub(super) fn is_version_3(text: &str) -> bool {
    let mut statements = text
        .lines()
        .take(100)
        .filter(|line| !line.is_empty() && !line.starts_with('\''));
    statements.next().is_some_and(|line| line.starts_with("V3"))
}

/// The maximum number of interleaved games in a monitor log. An unfinished game takes 40 KB.
const MAX_INTERLEAVED_GAMES: usize = 1000;

/// The CSA keys of headers that KIF has as well, with their KIF keys.
const HEADER_NAMES: [(&str, &str); 6] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("OPENING", "戦型"),
];

/// Returns whether a line is specific to CSA: a version, a position, a move, an end, or the beginning of a game
/// summary. The line may have the prefix of a monitor or a transcript.
pub(super) fn is_statement(text: &str) -> bool {
    is_bare_statement(text) || is_framed(text)
}

/// Returns whether a line without a prefix is specific to CSA.
fn is_bare_statement(text: &str) -> bool {
    let first = text.split(',').next().unwrap_or_default().trim_end();
    match first.as_bytes() {
        [b'V', b'1'..=b'9', rest @ ..] => rest.iter().all(|byte| *byte == b'.' || byte.is_ascii_digit()),
        [b'P', ..] => start::is_statement(first),
        [b'+' | b'-', ..] => parse_move(first).is_some(),
        [b'%', ..] => first.get(1..).and_then(end_mark).is_some(),
        _ => text == "BEGIN Game_Summary",
    }
}

/// Returns whether a line is a CSA statement after the prefix of a monitor or a transcript.
fn is_framed(text: &str) -> bool {
    // One frame is removed: a line of many marks is no statement.
    server::unframe(text).is_some_and(|line| line.text.len() < text.len() && is_bare_statement(line.text))
}

/// Returns whether a line is the time of a move.
pub(super) fn is_time(text: &str) -> bool {
    text.strip_prefix('T')
        .is_some_and(|seconds| time::parse_seconds(seconds).is_some())
}

/// Returns the kind of a line that CSA shares with other texts: `N+` or `N-` for a name, the key of a header, or the
/// side to move. `None` for another line.
pub(super) fn header_kind(text: &str) -> Option<&str> {
    match text.as_bytes() {
        [b'N', b'+' | b'-', ..] => text.get(..2),
        [b'+' | b'-'] => Some(text),
        [b'$', b'A'..=b'Z', ..] => text.split_once(':').map(|(key, _)| key),
        _ => None,
    }
}

/// Returns the end mark of a word after `%`; `None` for an unknown word.
pub(super) fn end_mark(word: &str) -> Option<EndMark> {
    find_mark(&END_MARKS, |known| known == word)
}

/// Reads the games of a text. Returns their number.
pub(super) fn read(text: &str, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    let mut reader = CsaReader::new(CsaGame::default(), games, warnings);
    let mut lines = lines(text).peekable();
    while let Some(line) = lines.next() {
        reader.next_line = lines.peek().copied();
        reader.read_framed_line(line);
    }
    let last = std::mem::take(&mut reader.game);
    // Sort the games by their first lines.
    let mut games: Vec<_> = std::mem::take(&mut reader.others)
        .into_values()
        .chain([last])
        .collect();
    games.sort_by_key(|game| game.first_line);
    for game in games {
        reader.game = game;
        reader.end_game();
    }
    reader.games.finish(reader.warnings)
}

/// A reader of CSA games, also of several interleaved games in a monitor log.
struct CsaReader<'w, 't, 's> {
    warnings: &'w mut Warnings,
    game: CsaGame,
    games: GameSink<'s>,
    /// The id of the current game in a monitor log; empty in other files.
    id: &'t str,
    /// The other games in progress in the monitor log.
    others: BTreeMap<&'t str, CsaGame>,
    /// The ids of games beyond the limit.
    refused_ids: BTreeSet<&'t str>,
    /// The spot of the current line.
    current_spot: Option<TextSpot<'t>>,
    /// The line after the current one; `None` at the end of the text.
    next_line: Option<Line<'t>>,
}

/// A game as far as it has been read.
#[derive(Clone, Debug, Default)]
struct CsaGame {
    first_line: u32,
    summary: GameSummary,
    /// The last move statement of a transcript, to recognize the echo of a move.
    last_statement: Option<String>,
    headers: Headers,
    start: CsaStart,
    draft: GameDraft,
}

impl<'w, 't, 's> CsaReader<'w, 't, 's> {
    const fn new(game: CsaGame, games: GameSink<'s>, warnings: &'w mut Warnings) -> Self {
        Self {
            warnings,
            game,
            games,
            id: "",
            others: BTreeMap::new(),
            refused_ids: BTreeSet::new(),
            current_spot: None,
            next_line: None,
        }
    }

    /// Reads a line of the file, with the prefix of a monitor or a transcript if it has one.
    fn read_framed_line(&mut self, line: Line<'t>) {
        let Some(server::ServerLine {
            game: id,
            text,
            is_transcript,
        }) = server::unframe(line.trimmed())
        else {
            return;
        };
        self.current_spot = Some(line.spot(text));
        // For speed, empty ids are not compared. A comparison would take longer than all other work on a line.
        let is_other = !(id.is_empty() && self.id.is_empty()) && id != self.id;
        if is_other && !self.others.contains_key(id) && self.others.len() >= MAX_INTERLEAVED_GAMES {
            if self.refused_ids.insert(id) {
                self.games.refuse(line.spot(text));
            }
            return;
        }
        if is_other {
            let next = self.others.remove(id).unwrap_or_default();
            let game = std::mem::replace(&mut self.game, next);
            self.others.insert(std::mem::replace(&mut self.id, id), game);
        }
        // The server echoes the moves of the players. Of a repeated move, only the text after it is read.
        if is_transcript {
            let mv = text
                .split(',')
                .next()
                .filter(|mv| mv.len() > 1 && mv.starts_with(['+', '-']));
            if mv.is_some()
                && std::mem::replace(&mut self.game.last_statement, mv.map(str::to_owned)).as_deref() == mv
            {
                return self.read_line_of_game(
                    line,
                    text.get(mv.unwrap_or_default().len() + 1..).unwrap_or_default(),
                );
            }
        }
        self.read_line_of_game(line, text);
    }

    /// Reads a line of the current game, without a prefix.
    fn read_line_of_game(&mut self, line: Line<'t>, text: &'t str) {
        if !self.game.has_content() {
            self.game.first_line = line.number;
        }
        self.read_line(line, text);
    }

    /// Reads a line, which may have several statements.
    fn read_line(&mut self, line: Line<'t>, text: &'t str) {
        if let Some(event) = server::parse_event(text) {
            return self.apply_event(event, line, text);
        }
        match text.chars().next() {
            None => {}
            Some('/') if text == "/" => self.end_game(),
            // This is a move whose sign is damaged, not a comment that lost its apostrophe.
            Some('*') if parse_move(&text.replacen('*', "+", 1)).is_some() => {
                self.warnings
                    .add(line.spot(text), RecordProblem::UnknownLine(quote(text)));
            }
            Some('\'' | '*') => {
                // Trailing blanks belong to a comment.
                let text = line.text_from(text);
                let (comment, mv) = self.split_comment(text).unwrap_or((text, ""));
                self.read_comment(comment);
                if !mv.is_empty() {
                    self.read_statement(line, mv);
                }
            }
            Some('N' | '$' | '#') => self.read_statement(line, text),
            Some(_) => {
                let mut rest = text;
                while let Some((statement, after)) = rest.split_once(',').or(Some((rest, ""))) {
                    // Players send `'* 56` to a server, which turns it into `'** 56`.
                    if let Some(comment) = rest.strip_prefix("'*") {
                        return Notes::add(&mut self.game.draft.notes().comment, &format!("*{comment}"));
                    }
                    self.read_statement(line, statement.trim());
                    rest = after.trim_start();
                    if rest.is_empty() {
                        return;
                    }
                }
            }
        }
    }

    /// Splits a comment from a move after it, if the line end between them was lost. The next line must have the time
    /// of that move, and the last move must already have one.
    fn split_comment(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let text = text.trim_end();
        let (comment, mv) = text.split_at_checked(text.len().checked_sub(moves::MOVE_BYTES)?)?;
        if comment.len() <= 1 || comment.ends_with(char::is_whitespace) {
            return None;
        }
        let spelled = parse_move(mv)?;
        let next = server::unframe(self.next_line?.trimmed())?.text;
        time::parse_seconds(next.strip_prefix('T')?)?;
        let is_next = if let Some(builder) = self.game.draft.builder() {
            let (node, now) = (builder.record().node(builder.current_node()), builder.now());
            let has_time = builder.ply() == 0 || node.time.spent.is_some();
            let goes_on = has_time && builder.is_unfinished() && spelled.side == now.side_to_move();
            goes_on && now.is_legal(spelled.on(now))
        } else {
            let now = self.game.start.position(Some(spelled.side));
            now.is_legal(spelled.on(&now))
        };
        is_next.then_some((comment, mv))
    }

    /// Reads a line that starts with `'`, or with `*` where a log lost the apostrophe.
    fn read_comment(&mut self, text: &str) {
        let text = text.strip_prefix('\'').unwrap_or(text);
        // Some programs log the game summary in comments.
        if !self.game.draft.is_begun() {
            match server::parse_event(text.trim_end()) {
                Some(server::ServerEvent::Times(side)) => self.game.summary.begin_times(side),
                Some(server::ServerEvent::Key(key, value)) => self.game.summary.apply_key(key, value),
                _ => {}
            }
        }
        match text.strip_prefix('*') {
            Some(comment) => Notes::add(&mut self.game.draft.notes().comment, comment),
            None if text.starts_with("CSA encoding=") => {}
            None => Notes::add(&mut self.game.draft.notes().remark, text),
        }
    }

    /// Applies a line of the server protocol.
    fn apply_event(&mut self, event: server::ServerEvent<'_>, line: Line<'_>, text: &str) {
        match event {
            server::ServerEvent::Summary if self.game.has_content() => self.end_game(),
            server::ServerEvent::Summary | server::ServerEvent::Ignored => {}
            server::ServerEvent::Times(side) => self.game.summary.begin_times(side),
            server::ServerEvent::Key(key, value) => self.game.summary.apply_key(key, value),
            server::ServerEvent::OtherKey => Notes::add(&mut self.game.draft.notes().remark, text),
            server::ServerEvent::Reject => {
                Notes::add(&mut self.game.draft.notes().remark, text);
                self.read_end("CHUDAN", SourceText::new(text, line.spot(text)));
            }
        }
    }

    fn read_statement(&mut self, line: Line<'_>, text: &str) {
        let spot = line.spot(text);
        let Some((sign, rest)) = text.chars().next().zip(text.get(1..)) else {
            if !text.is_empty() {
                self.warnings.add(spot, RecordProblem::UnknownLine(quote(text)));
            }
            return;
        };
        match sign {
            'V' if rest.starts_with(|c: char| c.is_ascii_digit()) => {}
            '\'' => self.read_comment(text),
            '$' => self.read_header(line, text),
            'N' if rest.starts_with(['+', '-']) => self.read_header(line, text),
            'P' if !self.game.draft.is_begun() => self.game.start.read_pieces(line, rest, self.warnings),
            '+' | '-' if rest.is_empty() => {
                if !self.game.draft.is_begun() {
                    self.game.start.set_turn(sign, spot, self.warnings);
                }
            }
            '+' | '-' => self.play(SourceText::new(text, spot)),
            'T' => self.read_time(line, text, rest),
            '%' => self.read_end(rest, SourceText::new(text, spot)),
            '#' => self.read_server_result(line, text),
            _ => self.warnings.add(spot, RecordProblem::UnknownLine(quote(text))),
        }
    }

    /// Reads `$KEY:value`, or the name of a player (`N+`, `N-`).
    fn read_header(&mut self, line: Line<'_>, text: &str) {
        let (key, value) = match text.strip_prefix('$').and_then(|text| text.split_once(':')) {
            Some((key, value)) => (header_key(key), value),
            None if text.starts_with("N+") => ("先手", text.get(2..).unwrap_or_default()),
            None if text.starts_with("N-") => ("後手", text.get(2..).unwrap_or_default()),
            None => {
                return self
                    .warnings
                    .add(line.spot(text), RecordProblem::UnknownLine(quote(text)));
            }
        };
        // Some programs write `N+:name`, like the other headers.
        let value = if text.starts_with('N') {
            value.trim_start_matches(':')
        } else {
            value
        };
        self.game
            .headers
            .add(key, value.trim(), line.spot(text), self.warnings);
    }

    /// Returns the builder and the warnings. Begins the game if necessary; `first` is the side of its first move.
    fn builder(&mut self, first: Option<Color>) -> (&mut Builder, &mut Warnings) {
        let Self {
            game:
                CsaGame {
                    draft,
                    start,
                    summary,
                    ..
                },
            warnings,
            ..
        } = self;
        let begun = draft.begin(|| {
            start.turn = start.turn.or(summary.turn);
            start.position(first)
        });
        (begun, warnings)
    }

    /// Plays the move that `source` states.
    fn play(&mut self, source: SourceText<'_>) {
        let side = source.words.chars().next().and_then(color);
        if !self.game.draft.is_begun() && !self.game.start.is_described() {
            self.warnings.add(source.spot, RecordProblem::NoStart);
        }
        let (builder, warnings) = self.builder(side);
        if !builder.can_continue(source.spot, warnings) {
            return;
        }
        let Some(spelled) = parse_move(source.words) else {
            return builder.cut(CutReason::Unreadable, source, warnings);
        };
        if side != Some(builder.now().side_to_move()) {
            warnings.add(source.spot, RecordProblem::WrongSign(quote(source.words)));
        }
        let mv = spelled.on(builder.now());
        if let Move::Board { from, promote, .. } = mv {
            let before = builder.now().piece_on(from).map(|piece| piece.kind);
            let after = before.map(|before| {
                if promote {
                    before.promoted().unwrap_or(before)
                } else {
                    before
                }
            });
            if after.is_some_and(|after| after != spelled.kind) {
                warnings.add(source.spot, RecordProblem::OtherPiece(quote(source.words)));
            }
        }
        builder.play(mv, source, warnings);
    }

    /// Reads the time of the last move, in seconds.
    fn read_time(&mut self, line: Line<'_>, text: &str, digits: &str) {
        let stated: Option<Millis> = time::parse_seconds(digits);
        let side = self.game.draft.builder().map(Builder::mover);
        let spent =
            stated.map(|stated| side.map_or(Some(stated), |side| self.game.summary.spent(side, stated)));
        let builder = self
            .game
            .draft
            .builder_mut()
            .filter(|builder| builder.has_moved());
        match (spent, builder) {
            (None, _) => self
                .warnings
                .add(line.spot(text), RecordProblem::InvalidTime(quote(text))),
            (_, None) => self
                .warnings
                .add(line.spot(text), RecordProblem::UnknownLine(quote(text))),
            (Some(spent), Some(builder)) => {
                let time = Time { spent, total: None };
                builder.set_time(
                    SourceText {
                        words: text,
                        spot: line.spot(text),
                        time,
                    },
                    self.warnings,
                );
            }
        }
    }

    /// Reads an end mark, without its `%`.
    fn read_end(&mut self, word: &str, source: SourceText<'_>) {
        let known = end_mark(word);
        let (builder, warnings) = self.builder(None);
        match known {
            Some(mark) => builder.apply_mark(mark, source, warnings),
            None => builder.apply_unknown_mark(source, warnings),
        }
    }

    /// Reads a result line of a server. The line mostly repeats the end mark, which is more precise.
    fn read_server_result(&mut self, line: Line<'_>, text: &str) {
        let spot = line.spot(text);
        let Some((reason, outcome)) = server::parse_result(text) else {
            if !server::IGNORED_RESULT_LINES.contains(&text) {
                self.warnings.add(spot, RecordProblem::UnknownLine(quote(text)));
            }
            return;
        };
        if !self.game.has_content() {
            return;
        }
        let (builder, warnings) = self.builder(None);
        let outcome = outcome.unwrap_or_else(|| server::perpetual_check_outcome(builder.now()));
        let end = builder.record().node(builder.current_node()).end();
        // A server sends #JISHOGI for every end by declaration.
        if reason != Reason::Declaration
            || !end.is_some_and(|end| matches!(end.reason, Reason::Declaration | Reason::Impasse))
        {
            builder.apply_mark(
                EndMark::new(reason, outcome),
                SourceText::new(text, spot),
                warnings,
            );
        }
    }

    fn end_game(&mut self) {
        if self.game.has_content() {
            self.builder(None);
        }
        let game = std::mem::take(&mut self.game);
        let mut headers = game.headers.into_list();
        let text_position = TextPosition {
            line: game.first_line,
            column: 1,
        };
        for (key, value) in game.summary.headers() {
            let key = header_key(key);
            // The headers of the record take precedence over the headers of a log. Only some differing values
            // contradict each other: the id of a game is not the name of an event.
            match headers.iter().find(|(known, _)| known == key) {
                None => headers.push((key.to_owned(), value)),
                Some((_, taken)) if matches!(key, "先手" | "後手" | "MAX_MOVES") && *taken != value => {
                    let quoted = |value: &str| quote(&format!("{key}：{value}"));
                    self.warnings.add_at(
                        text_position,
                        RecordProblem::SecondStatement {
                            used: quoted(taken),
                            ignored: quoted(&value),
                        },
                    );
                }
                Some(_) => {}
            }
        }
        let (Some(builder), Some(here)) = (game.draft.into_builder(), self.current_spot) else {
            return;
        };
        if let Some(other) = game.start.other_game() {
            self.warnings
                .add_at(text_position, RecordProblem::OtherGame(other));
        } else if self.games.has_room(here) {
            self.games.add(builder.finish(headers, false, self.warnings));
        }
    }
}

impl CsaGame {
    /// Returns whether anything of the game has been read.
    fn has_content(&self) -> bool {
        let has_headers = !self.headers.is_empty() || !self.summary.is_empty();
        self.draft.is_begun() || self.start.is_described() || has_headers
    }
}

fn header_key(key: &str) -> &str {
    match key {
        "N+" => "先手",
        "N-" => "後手",
        _ => HEADER_NAMES
            .iter()
            .find(|(csa, _)| *csa == key)
            .map_or(key, |(_, kif)| kif),
    }
}

/// Returns whether the text after `'` is read as a remark, not as a comment or a server message.
pub(super) fn is_remark(line: &str) -> bool {
    !line.starts_with('*')
        && !line.starts_with("CSA encoding=")
        && server::parse_event(line.trim_end()).is_none()
}
