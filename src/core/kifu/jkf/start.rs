//! The start of a JKF game: a preset name, or a board and hands.

use super::super::handicap;
use super::super::scan::TextSpot;
use super::super::warning::{RecordProblem, Warnings, quote};
use super::json::{Json, JsonError, JsonKind};
use super::source::JsonSource;
use crate::shogi::{Color, Piece, PieceKind, Position, Setup, Square};

/// JKF's preset names with their KIF names.
const PRESETS: [(&str, &str); 16] = [
    ("HIRATE", handicap::NONE),
    ("KY", "香落ち"),
    ("KY_R", "右香落ち"),
    ("KA", "角落ち"),
    ("HI", "飛車落ち"),
    ("HIKY", "飛香落ち"),
    ("2", "二枚落ち"),
    ("3", "三枚落ち"),
    ("4", "四枚落ち"),
    ("5", "五枚落ち"),
    ("5_L", "左五枚落ち"),
    ("6", "六枚落ち"),
    ("7_L", "左七枚落ち"),
    ("7_R", "右七枚落ち"),
    ("8", "八枚落ち"),
    ("10", "十枚落ち"),
];

/// The preset for a start without a name.
pub(super) const OTHER: &str = "OTHER";

/// Returns the preset of a start that every JKF reader knows. tsshogi rejects files with other presets.
pub(super) fn preset(start: &Position) -> Option<&'static str> {
    let name = handicap::name(start)?;
    let (preset, _) = PRESETS.iter().find(|(_, kif)| *kif == name)?;
    (!matches!(*preset, "3" | "5" | "5_L" | "7_L" | "7_R")).then_some(*preset)
}

/// A described start position.
#[derive(Debug)]
pub(super) struct JkfStart<'a> {
    spot: TextSpot<'a>,
    preset: Option<String>,
    color: Option<Color>,
    board: Option<Vec<(Square, Piece)>>,
    hands: Option<Setup>,
}

impl<'a> JkfStart<'a> {
    /// Reads the value of `initial`; `None` for null.
    pub(super) fn read(source: &mut JsonSource<'a, '_>) -> Result<Option<Self>, JsonError> {
        source.json.kind()?;
        let spot = source.json.spot();
        if !source.object("initial")? {
            return Ok(None);
        }
        let mut start = Self { spot, preset: None, color: None, board: None, hands: None };
        while let Some(key) = source.json.key()? {
            match &*key {
                "preset" => start.preset = source.text("preset")?.map(std::borrow::Cow::into_owned),
                "data" => start.data(source)?,
                _ => source.unknown(&key)?,
            }
        }
        Ok(Some(start))
    }

    fn data(&mut self, source: &mut JsonSource<'a, '_>) -> Result<(), JsonError> {
        if !source.object("data")? {
            return Ok(());
        }
        while let Some(key) = source.json.key()? {
            match &*key {
                "color" => self.color = source.color()?,
                "board" => self.board = Some(board(source)?),
                "hands" => self.hands = Some(hands(source)?),
                _ => source.unknown(&key)?,
            }
        }
        Ok(())
    }

    /// Returns the start position; `named` is the preset in the header. A board takes precedence over a name.
    pub(super) fn position(
        start: Option<&Self>,
        named: Option<(&str, TextSpot<'a>)>,
        warnings: &mut Warnings,
    ) -> Position {
        let preset = start.and_then(|start| Some((start.preset.as_deref()?, start.spot)));
        let name = preset.or(named);
        let position = name.and_then(|(name, _)| by_name(name));
        let is_drawn = |start: &&Self| start.board.is_some() || start.hands.is_some() || start.color.is_some();
        let Some(start) = start.filter(is_drawn) else {
            if let Some((name, spot)) = name.filter(|(name, _)| position.is_none() && !name.trim().is_empty()) {
                warnings.add(spot, RecordProblem::UnknownHandicap(quote(name)));
            }
            return position.unwrap_or_else(Position::startpos);
        };
        let turn = start.color.or_else(|| position.as_ref().map(Position::side_to_move));
        let mut setup = start.hands.clone().unwrap_or_else(Setup::empty);
        if let Some(pieces) = &start.board {
            for (square, piece) in pieces {
                setup.put(*square, Some(*piece));
            }
        } else {
            let position = position.unwrap_or_else(Position::startpos);
            for square in Square::all() {
                setup.put(square, position.piece_on(square));
            }
        }
        setup.build(turn.unwrap_or(Color::Black), 1)
    }
}

fn by_name(name: &str) -> Option<Position> {
    let name = name.trim();
    let known = PRESETS.iter().find(|(preset, _)| preset.eq_ignore_ascii_case(name));
    handicap::position(known.map_or(name, |(_, kif)| kif))
}

/// Reads `board[x-1][y-1]`. An object is a board without pieces.
fn board(source: &mut JsonSource<'_, '_>) -> Result<Vec<(Square, Piece)>, JsonError> {
    let mut pieces = Vec::new();
    if source.json.kind()? == JsonKind::Object {
        source.json.skip()?;
        return Ok(pieces);
    }
    if !source.array("board")? {
        return Ok(pieces);
    }
    let mut file = 0_u8;
    while source.json.item()? {
        file = file.saturating_add(1);
        if !source.array("board")? {
            continue;
        }
        let mut rank = 0_u8;
        while source.json.item()? {
            rank = rank.saturating_add(1);
            let before = source.json;
            let Some(piece) = cell(source)? else { continue };
            match Square::new(file, rank) {
                Some(square) => pieces.push((square, piece)),
                None => warn(source, before, RecordProblem::Rank),
            }
        }
    }
    Ok(pieces)
}

fn warn(source: &mut JsonSource<'_, '_>, mut at: Json<'_>, problem: RecordProblem) {
    let _known = at.kind(); // Skips the blanks.
    source.warnings.add(at.spot(), problem);
}

fn cell(source: &mut JsonSource<'_, '_>) -> Result<Option<Piece>, JsonError> {
    let (mut color, mut kind) = (None, None);
    if source.object("board")? {
        while let Some(key) = source.json.key()? {
            match &*key {
                "color" => color = source.color()?,
                "kind" => kind = source.take("kind", |value| PieceKind::from_csa(value.words()?))?,
                _ => source.unknown(&key)?,
            }
        }
    }
    Ok(kind.map(|kind| Piece { color: color.unwrap_or(Color::Black), kind }))
}

fn hands(source: &mut JsonSource<'_, '_>) -> Result<Setup, JsonError> {
    let mut setup = Setup::empty();
    if !source.array("hands")? {
        return Ok(setup);
    }
    let mut colors = [Color::Black, Color::White].into_iter();
    while source.json.item()? {
        let color = colors.next();
        if !source.object("hands")? {
            continue;
        }
        while let Some(key) = source.json.key()? {
            let before = source.json;
            let count = source.take("hands", |value| value.small())?.unwrap_or(0);
            let kind = PieceKind::from_csa(&key).map(PieceKind::unpromoted);
            let held = match color.zip(kind) {
                _ if count == 0 => true,
                Some((color, kind)) => setup.add_to_hand(color, kind, count).is_ok(),
                None => false,
            };
            if !held {
                warn(source, before, RecordProblem::Hand(quote(&format!("{key}:{count}"))));
            }
        }
    }
    Ok(setup)
}
