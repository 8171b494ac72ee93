//! CSA: a statement a line, or several between commas; from V1 to V3.

mod moves;
mod server;
mod start;
#[cfg(test)]
mod tests;
mod write;

pub(super) use moves::{LENGTH, spelled};
pub(super) use write::{CsaVersion, held, order, write};

use super::builder::{Builder, CutReason, GameDraft, SourceText};
use super::end::{End, EndMark, MarkVerdict, Reason, meaning};
use super::games::GameSink;
use super::record::Notes;
use super::scan::{Line, TextSpot, lines};
use super::time;
use super::time::{Millis, Time};
use super::warning::{RecordProblem, Warnings, quote};
use crate::shogi::{Color, Move};
use moves::{color, square};
use server::GameSummary;
use start::CsaStart;
use std::collections::{BTreeMap, BTreeSet};

/// End marks. What they say is of the side whose turn it is.
const MARKS: [(&str, EndMark); 15] = [
    ("TORYO", EndMark::new(Reason::Resignation, MarkVerdict::MoverLoses)),
    ("TSUMI", EndMark::new(Reason::Checkmate, MarkVerdict::MoverLoses)),
    ("TIME_UP", EndMark::new(Reason::TimeUp, MarkVerdict::MoverLoses)),
    ("ILLEGAL_MOVE", EndMark::new(Reason::Foul, MarkVerdict::MoverLoses)),
    ("+ILLEGAL_ACTION", EndMark::new(Reason::Foul, MarkVerdict::Winner(Color::White))),
    ("-ILLEGAL_ACTION", EndMark::new(Reason::Foul, MarkVerdict::Winner(Color::Black))),
    ("KACHI", EndMark::new(Reason::Declaration, MarkVerdict::MoverWins)),
    ("HIKIWAKE", EndMark::new(Reason::Declaration, MarkVerdict::Draw)),
    ("SENNICHITE", EndMark::new(Reason::Repetition, MarkVerdict::Draw)),
    ("JISHOGI", EndMark::new(Reason::Impasse, MarkVerdict::Draw)),
    ("MAX_MOVES", EndMark::new(Reason::MaxMoves, MarkVerdict::Draw)),
    ("CHUDAN", EndMark::new(Reason::Interruption, MarkVerdict::Open)),
    ("FUZUMI", EndMark::new(Reason::NoMate, MarkVerdict::Open)),
    ("MATTA", EndMark::new(Reason::Other, MarkVerdict::Open)),
    ("ERROR", EndMark::new(Reason::Other, MarkVerdict::Open)),
];

/// Whether a record begins with `V3`, comments aside.
pub(super) fn is_version_3(text: &str) -> bool {
    let mut said = text.lines().take(100).filter(|line| !line.is_empty() && !line.starts_with('\''));
    said.next().is_some_and(|line| line.starts_with("V3"))
}

/// How many games a monitor may speak of in turn. A game that is not over takes 40 KB.
const MAX_AT_ONCE: usize = 1000;

/// Headers that KIF has as well, under its name.
const HEADERS: [(&str, &str); 6] = [
    ("EVENT", "棋戦"),
    ("SITE", "場所"),
    ("START_TIME", "開始日時"),
    ("END_TIME", "終了日時"),
    ("TIME_LIMIT", "持ち時間"),
    ("OPENING", "戦型"),
];

/// Whether a line is one that only CSA has: a version, a position, a move, an end.
pub(super) fn is_statement(text: &str) -> bool {
    let first = text.split(',').next().unwrap_or_default().trim_end();
    match first.as_bytes() {
        [b'V', b'1'..=b'9', rest @ ..] => rest.iter().all(|byte| *byte == b'.' || byte.is_ascii_digit()),
        [b'P', ..] => start::is_statement(first),
        [b'+' | b'-', ..] => spelled(first).is_some(),
        [b'%', ..] => first.get(1..).and_then(mark).is_some(),
        _ => text == "BEGIN Game_Summary" || is_framed(text),
    }
}

/// Whether a line is a statement with what a monitor or a transcript put before it.
fn is_framed(text: &str) -> bool {
    let is_inside = |inside: &str| inside.len() < text.len() && is_statement(inside);
    server::unframe(text).is_some_and(|line| is_inside(line.text))
}

/// The kind of a line that CSA has, and other texts as well: a name, a header, whose turn it is.
pub(super) fn header_kind(text: &str) -> Option<&str> {
    match text.as_bytes() {
        [b'N', b'+' | b'-', ..] => text.get(..2),
        [b'+' | b'-'] => Some(text),
        [b'$', b'A'..=b'Z', ..] => text.split_once(':').map(|(key, _)| key),
        _ => None,
    }
}

/// The end that a word behind `%` means.
pub(super) fn mark(word: &str) -> Option<EndMark> {
    meaning(&MARKS, |known| known == word)
}

/// Reads the games of a text, and gives how many there are.
pub(super) fn read(text: &str, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    let mut reader = CsaReader {
        warnings,
        game: CsaGame::default(),
        games,
        id: "",
        others: BTreeMap::new(),
        refused: BTreeSet::new(),
        here: None,
    };
    for line in lines(text) {
        reader.framed(line);
    }
    let last = std::mem::take(&mut reader.game);
    // In the order in which they began.
    let mut games: Vec<_> = std::mem::take(&mut reader.others).into_values().chain([last]).collect();
    games.sort_by_key(|game| game.began);
    for game in games {
        reader.game = game;
        reader.end_game();
    }
    reader.games.finish(reader.warnings)
}

struct CsaReader<'w, 't, 's> {
    warnings: &'w mut Warnings,
    game: CsaGame<'t>,
    games: GameSink<'s>,
    /// What a monitor calls the game we are in.
    id: &'t str,
    /// The other games that it speaks of in turn.
    others: BTreeMap<&'t str, CsaGame<'t>>,
    /// Games that are too many.
    refused: BTreeSet<&'t str>,
    /// The line we are in.
    here: Option<TextSpot<'t>>,
}

/// A game as far as it has been read.
#[derive(Default)]
struct CsaGame<'t> {
    /// The line that is the first to say something of it.
    began: u32,
    summary: GameSummary,
    /// The last statement of a move, in a transcript.
    last: Option<&'t str>,
    headers: Vec<(String, String)>,
    start: CsaStart,
    draft: GameDraft,
}

impl<'t> CsaReader<'_, 't, '_> {
    fn framed(&mut self, line: Line<'t>) {
        let Some(server::ServerLine { game: id, text, is_transcript }) = server::unframe(line.trimmed()) else {
            return;
        };
        self.here = Some(line.spot(text));
        // Nothing is not compared with nothing: where the processor looks at the bytes of no text as well, that
        // takes longer than all else that is done with a line.
        let is_other = !(id.is_empty() && self.id.is_empty()) && id != self.id;
        if is_other && !self.others.contains_key(id) && self.others.len() >= MAX_AT_ONCE {
            if self.refused.insert(id) {
                self.games.refuse(line.spot(text));
            }
            return;
        }
        if is_other {
            let next = self.others.remove(id).unwrap_or_default();
            let game = std::mem::replace(&mut self.game, next);
            self.others.insert(std::mem::replace(&mut self.id, id), game);
        }
        if !self.game.says_something() {
            self.game.began = line.number;
        }
        // What a player sends comes back from the server.
        if is_transcript {
            let mv = text.split(',').next().filter(|mv| mv.len() > 1 && mv.starts_with(['+', '-']));
            if mv.is_some() && std::mem::replace(&mut self.game.last, mv) == mv {
                return self.line(line, text.get(mv.unwrap_or_default().len() + 1..).unwrap_or_default());
            }
        }
        self.line(line, text);
    }

    fn line(&mut self, line: Line<'t>, text: &'t str) {
        if let Some(said) = server::said(text) {
            return self.protocol(said, line, text);
        }
        match text.chars().next() {
            None => {}
            Some('/') if text == "/" => self.end_game(),
            // A move whose sign is damaged, and no comment that has lost its apostrophe.
            Some('*') if spelled(&text.replacen('*', "+", 1)).is_some() => {
                self.warnings.add(line.spot(text), RecordProblem::UnknownLine(quote(text)));
            }
            // The blanks at its end belong to a comment.
            Some('\'' | '*') => self.comment(line.from(text)),
            Some('N' | '$' | '#' | 'V') => self.statement(line, text),
            Some(_) => {
                let mut rest = text;
                while let Some((statement, after)) = rest.split_once(',').or(Some((rest, ""))) {
                    // What players send to a server: the server makes `'** 56` of this `'* 56`.
                    if let Some(comment) = rest.strip_prefix("'*") {
                        return Notes::add(&mut self.game.draft.notes().comment, &format!("*{comment}"));
                    }
                    self.statement(line, statement.trim());
                    rest = after.trim_start();
                    if rest.is_empty() {
                        return;
                    }
                }
            }
        }
    }

    /// Takes in a line that starts with `'`, or with `*` where a log has lost the apostrophe.
    fn comment(&mut self, text: &str) {
        let text = text.strip_prefix('\'').unwrap_or(text);
        // Some programs log the summary of a game in such lines.
        match server::said(text.trim_end()).filter(|_| !self.game.draft.is_begun()) {
            Some(server::ServerEvent::Times(side)) => self.game.summary.times(side),
            Some(server::ServerEvent::Key(key, value)) => self.game.summary.key(key, value),
            _ => {}
        }
        match text.strip_prefix('*') {
            Some(comment) => Notes::add(&mut self.game.draft.notes().comment, comment),
            None if text.starts_with("CSA encoding=") => {}
            None => Notes::add(&mut self.game.draft.notes().remark, text),
        }
    }

    /// Takes in a line of the server protocol.
    fn protocol(&mut self, said: server::ServerEvent<'_>, line: Line<'_>, text: &str) {
        match said {
            server::ServerEvent::Summary if self.game.says_something() => self.end_game(),
            server::ServerEvent::Summary | server::ServerEvent::Aside => {}
            server::ServerEvent::Times(side) => self.game.summary.times(side),
            server::ServerEvent::Key(key, value) => self.game.summary.key(key, value),
            server::ServerEvent::FurtherKey => Notes::add(&mut self.game.draft.notes().remark, text),
            server::ServerEvent::Reject => {
                Notes::add(&mut self.game.draft.notes().remark, text);
                self.end("CHUDAN", SourceText { words: text, spot: line.spot(text), time: Time::default() });
            }
        }
    }

    fn statement(&mut self, line: Line<'_>, text: &str) {
        let spot = line.spot(text);
        let Some((sign, rest)) = text.chars().next().zip(text.get(1..)) else {
            if !text.is_empty() {
                self.warnings.add(spot, RecordProblem::UnknownLine(quote(text)));
            }
            return;
        };
        match sign {
            'V' if rest.starts_with(|c: char| c.is_ascii_digit()) => {}
            '\'' => self.comment(text),
            '$' => self.header(line, text),
            'N' if rest.starts_with(['+', '-']) => self.header(line, text),
            'P' if !self.game.draft.is_begun() => self.game.start.pieces(line, rest, self.warnings),
            '+' | '-' if rest.is_empty() => {
                if !self.game.draft.is_begun() {
                    self.game.start.turn = color(sign);
                }
            }
            '+' | '-' => self.play(SourceText { words: text, spot, time: Time::default() }),
            'T' => self.time(line, text, rest),
            '%' => self.end(rest, SourceText { words: text, spot, time: Time::default() }),
            '#' => self.server(line, text),
            _ => self.warnings.add(spot, RecordProblem::UnknownLine(quote(text))),
        }
    }

    fn header(&mut self, line: Line<'_>, text: &str) {
        let (key, value) = match text.strip_prefix('$').and_then(|text| text.split_once(':')) {
            Some((key, value)) => (header_key(key), value),
            None if text.starts_with("N+") => ("先手", text.get(2..).unwrap_or_default()),
            None if text.starts_with("N-") => ("後手", text.get(2..).unwrap_or_default()),
            None => return self.warnings.add(line.spot(text), RecordProblem::UnknownLine(quote(text))),
        };
        // Some write `N+:name`, after the manner of the other headers.
        let value = if text.starts_with('N') { value.trim_start_matches(':') } else { value };
        self.game.headers.push((key.to_owned(), value.trim().to_owned()));
    }

    /// The game, begun where it has not been, and the warnings.
    fn builder(&mut self, first: Option<Color>) -> (&mut Builder, &mut Warnings) {
        let Self { game: CsaGame { draft, start, summary, .. }, warnings, .. } = self;
        let begun = draft.begin(|| {
            start.turn = start.turn.or(summary.turn);
            start.position(first)
        });
        (begun, warnings)
    }

    fn play(&mut self, said: SourceText<'_>) {
        let side = said.words.chars().next().and_then(color);
        if !self.game.draft.is_begun() && !self.game.start.is_said() {
            self.warnings.add(said.spot, RecordProblem::NoStart);
        }
        let (builder, warnings) = self.builder(side);
        if !builder.goes_on(said.spot, warnings) {
            return;
        }
        let Some(spelled) = spelled(said.words) else { return builder.cut(CutReason::Unreadable, said, warnings) };
        if side != Some(builder.now().side_to_move()) {
            warnings.add(said.spot, RecordProblem::WrongSign(quote(said.words)));
        }
        let mv = spelled.on(builder.now());
        if let Move::Board { from, promote, .. } = mv {
            let before = builder.now().piece_on(from).map(|piece| piece.kind);
            let after = before.map(|before| if promote { before.promoted().unwrap_or(before) } else { before });
            if after.is_some_and(|after| after != spelled.kind) {
                warnings.add(said.spot, RecordProblem::OtherPiece(quote(said.words)));
            }
        }
        builder.play(mv, said, warnings);
    }

    fn time(&mut self, line: Line<'_>, text: &str, digits: &str) {
        let spent: Option<Millis> = time::seconds(digits);
        if spent.is_none() {
            self.warnings.add(line.spot(text), RecordProblem::Time(quote(text)));
        }
        if let Some(builder) = self.game.draft.begun() {
            builder.time(Time { spent, total: None });
        }
    }

    fn end(&mut self, word: &str, said: SourceText<'_>) {
        let known = mark(word);
        let (builder, warnings) = self.builder(None);
        match known {
            Some(mark) => builder.mark(mark, said, warnings),
            None => builder.unknown_mark(said, warnings),
        }
    }

    /// A server's last lines. They mostly repeat the end mark, which knows better.
    fn server(&mut self, line: Line<'_>, text: &str) {
        let spot = line.spot(text);
        let Some((reason, verdict)) = server::reason(text) else {
            if !server::RESULTS.contains(&text) {
                self.warnings.add(spot, RecordProblem::UnknownLine(quote(text)));
            }
            return;
        };
        if !self.game.says_something() {
            return;
        }
        let (builder, warnings) = self.builder(None);
        let said = SourceText { words: text, spot, time: Time::default() };
        let is_open = builder.record().node(builder.here()).end().is_none_or(End::is_a_cut);
        if is_open {
            let verdict = verdict.unwrap_or_else(|| server::checked(builder.now()));
            builder.mark(EndMark::new(reason, verdict), said, warnings);
        }
    }

    fn end_game(&mut self) {
        if self.game.says_something() {
            self.builder(None);
        }
        let game = std::mem::take(&mut self.game);
        let mut headers = game.headers;
        for (key, value) in game.summary.headers() {
            let key = header_key(key);
            // A record's own headers come before what a log says of it.
            if !headers.iter().any(|(known, _)| known == key) {
                headers.push((key.to_owned(), value));
            }
        }
        if let (Some(builder), Some(here)) = (game.draft.into_builder(), self.here)
            && self.games.has_room(here)
        {
            self.games.add(builder.finish(headers, false, self.warnings));
        }
    }
}

impl CsaGame<'_> {
    fn says_something(&self) -> bool {
        let has_headers = !self.headers.is_empty() || !self.summary.is_empty();
        self.draft.is_begun() || self.start.is_said() || has_headers
    }
}

/// The key under which a header is kept.
fn header_key(key: &str) -> &str {
    match key {
        "N+" => "先手",
        "N-" => "後手",
        _ => HEADERS.iter().find(|(csa, _)| *csa == key).map_or(key, |(_, kif)| kif),
    }
}

/// Whether a remark is read as one, and not as a comment or as what a server says of the game.
pub(super) fn is_remark(line: &str) -> bool {
    !line.starts_with('*') && !line.starts_with("CSA encoding=") && server::said(line.trim_end()).is_none()
}
