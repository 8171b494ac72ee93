//! An entry of the index: one position of a game, in 20 bytes.

use crate::bytes::ByteReader;
use crate::key::ShelfKey;
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, Move};

/// An entry of the index: a position of a game. Entries are sorted by the key of the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PositionEntry {
    pub(crate) key: ShelfKey,
    /// The index of the game in the segment.
    pub(crate) game: u32,
    /// The number of moves before the position.
    pub(crate) ply: u16,
    /// The code of the next move, or [`NO_MOVE_CODE`].
    next_code: u16,
    /// The value of the position as [`value_number`] codes it, or [`NO_VALUE`].
    value: i16,
    /// The value after the next move as [`value_number`] codes it, or [`NO_VALUE`].
    next_value: i16,
}

/// The code of the next move at the end of a game.
const NO_MOVE_CODE: u16 = u16::MAX;

/// The number of a missing value.
const NO_VALUE: i16 = i16::MIN;

/// The number of a win of Black without a known mate.
const WIN_NUMBER: i16 = 31_000;
/// The number of a mate of unknown length by Black. A mate in `n` plies has the number `MATE_NUMBER` minus `n`, at
/// least `WIN_NUMBER` + 1.
const MATE_NUMBER: i16 = 32_500;

/// The maximum evaluation that is stored, in centipawns.
const MAX_CP: i32 = 30_000;

impl PositionEntry {
    /// The size of an entry in bytes.
    pub(crate) const BYTES: usize = 20;

    pub(crate) fn new(
        key: ShelfKey,
        game: u32,
        ply: u16,
        next: Option<Move>,
        values: [Option<Value>; 2],
    ) -> Self {
        let [value, next_value] = values.map(|value| value.map_or(NO_VALUE, value_number));
        Self {
            key,
            game,
            ply,
            next_code: next.map_or(NO_MOVE_CODE, Move::code),
            value,
            next_value,
        }
    }

    /// Returns the next move; `None` at the end of the game.
    pub(crate) fn next(&self) -> Option<Move> {
        Move::from_code(self.next_code)
    }

    /// Returns the value of the position in the record, from Black's view; `None` where the record has none.
    pub(crate) fn value(&self) -> Option<Value> {
        value_from_number(self.value)
    }

    /// Returns the value after the next move, from Black's view; `None` where the record has none.
    pub(crate) fn next_value(&self) -> Option<Value> {
        value_from_number(self.next_value)
    }

    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.key.0.to_le_bytes());
        bytes.extend(self.game.to_le_bytes());
        bytes.extend(self.ply.to_le_bytes());
        bytes.extend(self.next_code.to_le_bytes());
        bytes.extend(self.value.to_le_bytes());
        bytes.extend(self.next_value.to_le_bytes());
    }

    pub(crate) fn read(bytes: &mut ByteReader<'_>) -> Option<Self> {
        Some(Self {
            key: ShelfKey(bytes.u64()?),
            game: bytes.u32()?,
            ply: bytes.u16()?,
            next_code: bytes.u16()?,
            value: bytes.i16()?,
            next_value: bytes.i16()?,
        })
    }

    pub(crate) const fn with_game(self, game: u32) -> Self {
        Self { game, ..self }
    }
}

/// Returns the number of a value: centipawns from Black's view, or a mate or win, negative for White.
fn value_number(value: Value) -> i16 {
    let signed = |number: i16, winner: Color| if winner == Color::Black { number } else { -number };
    match value {
        Value::Cp(cp) => i16::try_from(cp.clamp(-MAX_CP, MAX_CP)).unwrap_or_default(),
        Value::Won(winner) => signed(WIN_NUMBER, winner),
        Value::Mate { winner, plies } => {
            let plies = plies
                .unwrap_or_default()
                .min(u32::from((MATE_NUMBER - WIN_NUMBER - 1).unsigned_abs()));
            signed(MATE_NUMBER - i16::try_from(plies).unwrap_or_default(), winner)
        }
    }
}

/// Returns the value of a number; `None` for [`NO_VALUE`] and for numbers that are not in use.
fn value_from_number(number: i16) -> Option<Value> {
    let winner = if number > 0 { Color::Black } else { Color::White };
    match number.checked_abs()? {
        size if i32::from(size) <= MAX_CP => Some(Value::Cp(number.into())),
        WIN_NUMBER => Some(Value::Won(winner)),
        size if size > WIN_NUMBER && size <= MATE_NUMBER => {
            let plies = u32::from((MATE_NUMBER - size).unsigned_abs());
            Some(Value::Mate {
                winner,
                plies: Some(plies).filter(|plies| *plies > 0),
            })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn moves_and_values_are_kept() {
        for text in ["7g7f", "8h2b+", "P*5e", "G*9i", "1a9i", "9a1i+"] {
            let mv = Move::from_usi(text).unwrap();
            assert_eq!(Move::from_code(mv.code()), Some(mv), "{text}");
        }
        let mate = |winner, plies| Value::Mate { winner, plies };
        for value in [
            Value::Cp(0),
            Value::Cp(-30_000),
            Value::Won(Color::White),
            mate(Color::Black, None),
            mate(Color::White, Some(1)),
            mate(Color::Black, Some(1_400)),
        ] {
            assert_eq!(value_from_number(value_number(value)), Some(value));
        }
        assert_eq!(
            value_from_number(value_number(Value::Cp(1 << 20))),
            Some(Value::Cp(30_000))
        );
        assert_eq!(
            (value_from_number(NO_VALUE), Move::from_code(NO_MOVE_CODE)),
            (None, None)
        );
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes in any::<[u8; PositionEntry::BYTES]>()) {
            let entry = PositionEntry::read(&mut ByteReader(&bytes)).unwrap();
            let _known = (entry.next(), entry.value(), entry.next_value());
            let mut written = Vec::new();
            entry.put(&mut written);
            prop_assert_eq!(written, bytes);
        }
    }
}
