//! Moves in JKF.

use super::super::super::builder::{Builder, CutReason};
use super::super::RELATIVE_LETTERS;
use super::super::json::{JsonError, JsonValue};
use super::super::source::JsonSource;
use shogibar_shogi::{Color, Digits, Move, PieceKind, Position, Square, notation, square_in_kanji};
use std::borrow::Cow;

/// A parsed move, not yet applied to a position.
#[derive(Debug, Default)]
pub(super) struct JkfMove<'a> {
    /// The side that moves; `None` if it is not stated.
    pub(super) color: Option<Color>,
    /// The origin; `None` for a drop.
    from: Option<Square>,
    /// The target; `None` if it is not stated.
    to: Option<Square>,
    /// Whether origin or target is off the board.
    is_off_board: bool,
    /// The piece before promotion, if it is valid.
    kind: Option<PieceKind>,
    is_same_target: bool,
    /// Whether the move promotes; `None` if this is not stated.
    promote: Option<bool>,
    /// The letters of [`RELATIVE_LETTERS`] for the words of the move, such as 右; `None` if there are none.
    relative: Option<Cow<'a, str>>,
}

impl<'a> JkfMove<'a> {
    /// Reads the value of `move`; `None` for null.
    pub(super) fn read(source: &mut JsonSource<'a, '_>) -> Result<Option<Self>, JsonError> {
        if !source.enter_object("move")? {
            return Ok(None);
        }
        let mut spelled = Self::default();
        while let Some(key) = source.json.next_key()? {
            match &*key {
                "color" => spelled.color = source.read_color()?,
                "from" => spelled.from = spelled.read_square(source, "from")?,
                "to" => spelled.to = spelled.read_square(source, "to")?,
                "piece" => {
                    spelled.kind = source.take("piece", |value| PieceKind::from_csa(value.words()?))?;
                }
                "same" => spelled.is_same_target = source.take("same", parse_flag)?.unwrap_or(false),
                "promote" => spelled.promote = source.take("promote", parse_flag)?,
                // The board determines the captured piece.
                "capture" => source.json.skip()?,
                "relative" => {
                    spelled.relative = source
                        .read_text("relative")?
                        .filter(|relative| !relative.is_empty());
                }
                _ => source.skip_unknown(&key)?,
            }
        }
        Ok(Some(spelled))
    }

    /// Reads a square; `None` for null, for the hand, and for a square off the board.
    fn read_square(
        &mut self,
        source: &mut JsonSource<'a, '_>,
        key: &'static str,
    ) -> Result<Option<Square>, JsonError> {
        if !source.enter_object(key)? {
            return Ok(None);
        }
        let (mut file, mut rank) = (None, None);
        while let Some(member) = source.json.next_key()? {
            match &*member {
                "x" => file = source.take(key, |value| value.small_number())?,
                "y" => rank = source.take(key, |value| value.small_number())?,
                _ => source.skip_unknown(&member)?,
            }
        }
        let square = file.zip(rank).and_then(|(file, rank)| Square::new(file, rank));
        // Some programs write the hand as a square, like CSA.
        let is_hand = matches!((file, rank), (Some(0), Some(0)));
        self.is_off_board |= square.is_none() && !is_hand;
        Ok(square)
    }

    /// Returns the target square, which may be that of the last move; `None` if no target is stated.
    fn target(&self, builder: &Builder) -> Option<Square> {
        match self.to {
            None if self.is_same_target => builder.last_to(),
            to => to,
        }
    }

    pub(super) fn resolve(&self, builder: &Builder) -> Result<Move, CutReason> {
        let now = builder.now();
        if self.is_off_board {
            return Err(CutReason::Unreadable);
        }
        let to = self.target(builder).ok_or(CutReason::Unreadable)?;
        if let Some(from) = self.from {
            return Ok(Move::Board {
                from,
                to,
                promote: self.promotes(now, from),
            });
        }
        let kind = self.kind.ok_or(CutReason::Unreadable)?;
        let drop = Move::Drop { kind, to };
        let is_dropped = self
            .relative
            .as_deref()
            .is_some_and(|relative| relative.contains('H'));
        if is_dropped || self.relative.is_none() && !kind.is_promoted() && now.is_legal(drop) {
            return Ok(drop);
        }
        // Read the move as KI2: some programs convert KI2 without adding the origins.
        notation::read(&self.words_for(now, false), now, builder.last_to()).or_else(|error| match error {
            notation::MoveReadError::NoSuchMove { .. } if self.relative.is_none() => Ok(drop),
            error => Err(CutReason::from(error)),
        })
    }

    /// Returns whether the move promotes. If that is not stated, the name of the promoted piece for an unpromoted one
    /// means a promotion.
    fn promotes(&self, now: &Position, from: Square) -> bool {
        self.promote.unwrap_or_else(|| {
            self.kind.is_some_and(|kind| {
                kind.is_promoted() && now.piece_on(from).and_then(|piece| piece.kind.promoted()) == Some(kind)
            })
        })
    }

    pub(super) fn names_another_piece(&self, builder: &Builder, mv: Result<Move, CutReason>) -> bool {
        let Ok(Move::Board { from, promote, .. }) = mv else {
            return false;
        };
        let Some(before) = builder.now().piece_on(from).map(|piece| piece.kind) else {
            return false;
        };
        let after = if promote { before.promoted() } else { None };
        self.kind
            .is_some_and(|kind| kind != before && Some(kind) != after)
    }

    /// Returns the move in KIF notation.
    pub(super) fn words(&self, builder: &Builder) -> String {
        self.words_for(builder.now(), self.from.is_none() && self.relative.is_none())
    }

    /// Returns the move in KIF notation, with 打 if `is_dropped`.
    fn words_for(&self, now: &Position, is_dropped: bool) -> String {
        let mut words = String::new();
        let color = self.color.unwrap_or_else(|| now.side_to_move());
        words.push(if color == Color::Black { '▲' } else { '△' });
        words.push_str(
            &self
                .to
                .map_or_else(|| "同　".to_owned(), |to| square_in_kanji(to, Digits::Full)),
        );
        let standing = self
            .from
            .and_then(|from| now.piece_on(from))
            .map(|piece| piece.kind);
        words.push_str(self.kind.or(standing).map_or("？", PieceKind::kanji));
        words.extend(
            self.relative
                .iter()
                .flat_map(|relative| relative.chars())
                .filter_map(|sign| {
                    RELATIVE_LETTERS
                        .iter()
                        .find(|(letter, _)| *letter == sign)
                        .map(|(_, word)| *word)
                }),
        );
        words.push_str(match self.promote {
            Some(true) => "成",
            Some(false) => "不成",
            None => "",
        });
        match self.from {
            Some(from) => words.extend(["(", &from.file().to_string(), &from.rank().to_string(), ")"]),
            None if self.is_off_board => words.push_str("(？)"),
            None if is_dropped => words.push('打'),
            None => {}
        }
        words
    }
}

/// Parses a boolean, or a number that is 0 for `false`. Returns `None` for other values.
fn parse_flag(value: JsonValue<'_>) -> Option<bool> {
    match value {
        JsonValue::Bool(flag) => Some(flag),
        other => other.small_number().map(|number| number != 0),
    }
}
