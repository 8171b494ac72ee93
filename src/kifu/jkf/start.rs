//! The start of a JKF game: a preset name, or a board and hands.

use super::super::builder::Builder;
use super::super::handicap;
use super::super::scan::TextSpot;
use super::super::start_choice::{self, ChosenStart};
use super::super::warning::{RecordProblem, Warnings, quote};
use super::json::{Json, JsonError, JsonKind};
use super::source::JsonSource;
use shogibar_shogi::{Color, Piece, PieceKind, Position, Setup, Square};

/// JKF's preset names with their KIF names.
const PRESETS: [(&str, &str); 16] = [
    ("HIRATE", handicap::EVEN_GAME),
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
pub(super) const OTHER_PRESET: &str = "OTHER";

/// Returns the preset of a start that every JKF reader supports; `None` if the start has none. tsshogi rejects files
/// with other presets.
pub(super) fn preset(start: &Position) -> Option<&'static str> {
    let name = handicap::name(start)?;
    let (preset, _) = PRESETS.iter().find(|(_, kif)| *kif == name)?;
    (!matches!(*preset, "3" | "5" | "5_L" | "7_L" | "7_R")).then_some(*preset)
}

/// The start position that `initial` describes.
#[derive(Debug)]
pub(super) struct JkfStart<'a> {
    /// The spot of the value of `initial`.
    spot: TextSpot<'a>,
    /// The preset; `None` if it is not stated, like the other members.
    preset: Option<String>,
    /// The side to move.
    color: Option<Color>,
    board: Option<Vec<(Square, Piece)>>,
    /// A setup with the pieces in hand and an empty board.
    hands: Option<Setup>,
}

impl<'a> JkfStart<'a> {
    /// Reads the value of `initial`; `None` for null.
    pub(super) fn read(source: &mut JsonSource<'a, '_>) -> Result<Option<Self>, JsonError> {
        source.json.kind()?;
        let spot = source.json.spot();
        if !source.enter_object("initial")? {
            return Ok(None);
        }
        let mut start = Self {
            spot,
            preset: None,
            color: None,
            board: None,
            hands: None,
        };
        while let Some(key) = source.json.next_key()? {
            match &*key {
                "preset" if start.preset.is_some() => source.reject_duplicate("preset")?,
                "preset" => start.preset = source.read_text("preset")?.map(std::borrow::Cow::into_owned),
                "data" => start.read_data(source)?,
                _ => source.skip_unknown(&key)?,
            }
        }
        Ok(Some(start))
    }

    /// Reads the value of `data`: the board, the hands and the side to move.
    fn read_data(&mut self, source: &mut JsonSource<'a, '_>) -> Result<(), JsonError> {
        if !source.enter_object("data")? {
            return Ok(());
        }
        while let Some(key) = source.json.next_key()? {
            match &*key {
                "color" if self.color.is_some() => source.reject_duplicate("color")?,
                "board" if self.board.is_some() => source.reject_duplicate("board")?,
                "hands" if self.hands.is_some() => source.reject_duplicate("hands")?,
                "color" => self.color = source.read_color()?,
                "board" => self.board = Some(read_board(source)?),
                "hands" => self.hands = Some(read_hands(source)?),
                _ => source.skip_unknown(&key)?,
            }
        }
        Ok(())
    }

    pub(super) fn preset(&self) -> Option<(&str, TextSpot<'a>)> {
        Some((self.preset.as_deref()?, self.spot))
    }

    /// Returns whether the position is described, at least in part.
    pub(super) const fn is_described(&self) -> bool {
        self.board.is_some() || self.hands.is_some() || self.color.is_some()
    }

    /// Returns the start position. A board takes precedence over the name. Without a board, the pieces stand as in the
    /// start of that name, or else in an even game. `read` reads the moves from a start.
    pub(super) fn position(
        start: Option<&Self>,
        name: Option<(&str, TextSpot<'a>)>,
        warnings: &mut Warnings,
        read: impl FnMut(&Position, &mut Warnings) -> Option<Builder>,
    ) -> Position {
        let starts = name.map_or_else(Vec::new, |(name, _)| starts(name));
        let Some(start) = start.filter(|start| start.is_described()) else {
            let chosen =
                name.and_then(|(name, spot)| Some((start_choice::choose(name, starts, read)?, spot)));
            let Some((ChosenStart { position, problem }, spot)) = chosen else {
                return Position::startpos();
            };
            if let Some(problem) = problem {
                warnings.add(spot, problem);
            }
            return position;
        };
        let turn = start.color.or_else(|| starts.first().map(Position::side_to_move));
        let mut setup = start.hands.clone().unwrap_or_else(Setup::empty);
        if let Some(pieces) = &start.board {
            for (square, piece) in pieces {
                setup.put(*square, Some(*piece));
            }
            let is_named = starts.iter().any(|named| Setup::from_position(named) == setup);
            if !starts.is_empty()
                && !is_named
                && let Some((name, spot)) = name
            {
                warnings.add(spot, RecordProblem::OtherStart(quote(name)));
            }
        } else {
            let position = starts.first().cloned().unwrap_or_else(Position::startpos);
            for square in Square::all() {
                setup.put(square, position.piece_on(square));
            }
        }
        setup.build(turn.unwrap_or(Color::Black), 1)
    }
}

/// Returns the starts that a preset or a name can mean.
pub(super) fn starts(name: &str) -> Vec<Position> {
    let name = name.trim();
    let preset = PRESETS
        .iter()
        .find(|(preset, _)| preset.eq_ignore_ascii_case(name));
    // A preset means one start, even if its KIF name can mean several.
    preset.map_or_else(
        || handicap::starts(name),
        |(_, kif)| handicap::position(kif).into_iter().collect(),
    )
}

/// Reads `board[x-1][y-1]`. An object is a board without pieces.
fn read_board(source: &mut JsonSource<'_, '_>) -> Result<Vec<(Square, Piece)>, JsonError> {
    let mut pieces = Vec::new();
    if source.json.kind()? == JsonKind::Object {
        source.json.skip()?;
        return Ok(pieces);
    }
    if !source.enter_array("board")? {
        return Ok(pieces);
    }
    let mut file = 0_u8;
    while source.json.next_item()? {
        file = file.saturating_add(1);
        if !source.enter_array("board")? {
            continue;
        }
        let mut rank = 0_u8;
        while source.json.next_item()? {
            rank = rank.saturating_add(1);
            let before = source.json;
            let Some(piece) = read_cell(source)? else { continue };
            match Square::new(file, rank) {
                Some(square) => pieces.push((square, piece)),
                None => warn_at(source, before, RecordProblem::RankWidth),
            }
        }
    }
    Ok(pieces)
}

/// Adds a warning at an earlier offset.
fn warn_at(source: &mut JsonSource<'_, '_>, mut at: Json<'_>, problem: RecordProblem) {
    let _known = at.kind(); // Skips the blanks before the value.
    source.warnings.add(at.spot(), problem);
}

/// Reads a square of the board; `None` for an empty one.
fn read_cell(source: &mut JsonSource<'_, '_>) -> Result<Option<Piece>, JsonError> {
    let (mut color, mut kind) = (None, None);
    if source.enter_object("board")? {
        while let Some(key) = source.json.next_key()? {
            match &*key {
                "color" => color = source.read_color()?,
                "kind" => kind = source.take("kind", |value| PieceKind::from_csa(value.words()?))?,
                _ => source.skip_unknown(&key)?,
            }
        }
    }
    Ok(kind.map(|kind| Piece {
        color: color.unwrap_or(Color::Black),
        kind,
    }))
}

/// Reads the hands, Black's first.
fn read_hands(source: &mut JsonSource<'_, '_>) -> Result<Setup, JsonError> {
    let mut setup = Setup::empty();
    if !source.enter_array("hands")? {
        return Ok(setup);
    }
    let mut colors = [Color::Black, Color::White].into_iter();
    while source.json.next_item()? {
        let color = colors.next();
        if !source.enter_object("hands")? {
            continue;
        }
        while let Some(key) = source.json.next_key()? {
            let before = source.json;
            let count = source.take("hands", |value| value.small_number())?.unwrap_or(0);
            let kind = PieceKind::from_csa(&key).map(PieceKind::unpromoted);
            let held = match color.zip(kind) {
                _ if count == 0 => true,
                Some((color, kind)) => setup.add_to_hand(color, kind, count).is_ok(),
                None => false,
            };
            if !held {
                warn_at(
                    source,
                    before,
                    RecordProblem::InvalidHand(quote(&format!("{key}:{count}"))),
                );
            }
        }
    }
    Ok(setup)
}
