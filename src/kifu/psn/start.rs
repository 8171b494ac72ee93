//! The start of a PSN game: `[SFEN]`, or in older files `[FEN]` or `[Handicap]`.

use super::super::builder::Builder;
use super::super::scan::TextSpot;
use super::super::start_choice::{self, ChosenStart};
use super::super::warning::{RecordProblem, TextPosition, Warnings, quote};
use super::super::{epd, handicap, usi};
use shogibar_shogi::{Color, PieceKind, Position, Setup, SfenError};

/// The English names of handicaps, without blanks, signs and the word "piece".
const ENGLISH_HANDICAPS: [(&str, &str); 25] = [
    ("", handicap::EVEN_GAME),
    ("none", handicap::EVEN_GAME),
    ("even", handicap::EVEN_GAME),
    ("lance", "香落ち"),
    ("leftlance", "香落ち"),
    ("rightlance", "右香落ち"),
    ("bishop", "角落ち"),
    ("rook", "飛車落ち"),
    ("rookandlance", "飛香落ち"),
    ("rooklance", "飛香落ち"),
    ("rookandbishop", "二枚落ち"),
    ("rookbishop", "二枚落ち"),
    ("2", "二枚落ち"),
    ("two", "二枚落ち"),
    ("3", "三枚落ち"),
    ("three", "三枚落ち"),
    ("4", "四枚落ち"),
    ("four", "四枚落ち"),
    ("5", "五枚落ち"),
    ("6", "六枚落ち"),
    ("six", "六枚落ち"),
    ("7", "七枚落ち"),
    ("8", "八枚落ち"),
    ("10", "十枚落ち"),
    ("ten", "十枚落ち"),
];

/// The start position in the tags.
#[derive(Debug, Default)]
pub(super) struct PsnStart {
    /// The position in the tag `SFEN` or `FEN`; `None` without one.
    board: Option<Position>,
    /// The first handicap name, with its line and column; `None` without one.
    handicap: Option<(String, TextPosition)>,
    /// The start that the moves fit, of the starts that the handicap name can mean; `None` before it is chosen.
    pub(super) fitting_start: Option<Position>,
}

impl PsnStart {
    /// Returns whether a tag states the position or a handicap.
    pub(super) const fn is_described(&self) -> bool {
        self.board.is_some() || self.handicap.is_some()
    }

    /// Sets the position to the value of the tag `SFEN`.
    pub(super) fn set_sfen(&mut self, value: &str, spot: TextSpot<'_>, warnings: &mut Warnings) {
        self.set_board(value, usi::parse_position(&mut usi::words(value)), spot, warnings);
    }

    /// Sets the position to the value of the tag `FEN`.
    pub(super) fn set_fen(&mut self, value: &str, spot: TextSpot<'_>, warnings: &mut Warnings) {
        let read = if value.contains('[') {
            epd::parse_position(value).map(|(position, _)| position)
        } else {
            parse_fen(value)
        };
        self.set_board(value, read, spot, warnings);
    }

    /// Sets the position. The first one counts.
    fn set_board(
        &mut self,
        value: &str,
        read: Result<Position, SfenError>,
        spot: TextSpot<'_>,
        warnings: &mut Warnings,
    ) {
        match (read, &self.board) {
            (Ok(position), None) => self.board = Some(position),
            (Ok(position), Some(taken)) if position != *taken => {
                warnings.add(
                    spot,
                    RecordProblem::SecondStatement {
                        used: quote(&taken.sfen()),
                        ignored: quote(value),
                    },
                );
            }
            (Ok(_), Some(_)) => {}
            (Err(error), _) => warnings.add(spot, RecordProblem::InvalidPosition(quote(value), error)),
        }
    }

    /// Sets the handicap, whose name may be English. The first one counts.
    pub(super) fn set_handicap(&mut self, value: &str, spot: TextSpot<'_>, warnings: &mut Warnings) {
        let name: String = value.chars().filter(char::is_ascii_alphanumeric).collect();
        let name = name
            .to_ascii_lowercase()
            .replace("pieces", "")
            .replace("piece", "");
        let known = ENGLISH_HANDICAPS
            .iter()
            .find(|(known, _)| *known == name && value.is_ascii());
        let name = known.map_or(value, |(_, name)| name);
        let (taken, _) = self
            .handicap
            .get_or_insert_with(|| (name.to_owned(), spot.position()));
        if taken != name {
            warnings.add(
                spot,
                RecordProblem::SecondStatement {
                    used: quote(taken),
                    ignored: quote(value),
                },
            );
        }
    }

    /// Returns the name of an unknown handicap, with its line and column; `None` for a known one, or if there is a
    /// board.
    pub(super) fn unknown_handicap(&self) -> Option<(String, TextPosition)> {
        if self.board.is_some() {
            return None;
        }
        self.handicap
            .clone()
            .filter(|(name, _)| handicap::position(name).is_none())
    }

    /// Chooses the start among those that the handicap name can mean. `read` reads the game from a start.
    pub(super) fn choose(
        &mut self,
        warnings: &mut Warnings,
        read: impl FnMut(&Position, &mut Warnings) -> Option<Builder>,
    ) {
        let (Some((name, text_position)), None) = (&self.handicap, &self.fitting_start) else {
            return;
        };
        let starts = handicap::starts(name);
        let problem = if let Some(board) = &self.board {
            let is_other = !starts.is_empty() && !starts.contains(board);
            self.fitting_start = Some(board.clone());
            is_other.then(|| RecordProblem::OtherStart(quote(name)))
        } else if let Some(ChosenStart { position, problem }) = start_choice::choose(name, starts, read) {
            self.fitting_start = Some(position);
            problem
        } else {
            None
        };
        if let Some(problem) = problem {
            warnings.add_at(*text_position, problem);
        }
    }

    /// Returns the start position: that of a tag, or the one chosen for the handicap, or else the standard one.
    pub(super) fn position(&self) -> Position {
        self.board
            .clone()
            .or_else(|| self.fitting_start.clone())
            .unwrap_or_else(Position::startpos)
    }
}

/// Parses the FEN of older PSN files: board, hands, side (`s` or `g`) and move number.
fn parse_fen(text: &str) -> Result<Position, SfenError> {
    let mut words = text.split_ascii_whitespace();
    let board = words.next().unwrap_or_default();
    let mut setup = Setup::from_position(&Position::from_sfen(&format!("{board} b -"))?);
    let mut turn = Color::Black;
    let mut number = 1;
    for word in words {
        match word {
            "s" | "b" => turn = Color::Black,
            "g" | "w" => turn = Color::White,
            "-" => {}
            word if word.contains('/') => read_hands(&mut setup, word)?,
            word => {
                number = word
                    .parse()
                    .map_err(|_not_a_number| SfenError::MoveNumber(quote(word)))?;
            }
        }
    }
    Ok(setup.build(turn, number))
}

/// Reads the hands of Black and White, separated by a slash. Each is a count per kind, or `T` for all remaining pieces.
fn read_hands(setup: &mut Setup, text: &str) -> Result<(), SfenError> {
    let (black, white) = text.split_once('/').unwrap_or((text, ""));
    for (color, counts) in [(Color::Black, black), (Color::White, white)] {
        if counts.eq_ignore_ascii_case("T") {
            setup.add_remaining_to_hand(color);
            continue;
        }
        let wrong = || SfenError::Hands(quote(text));
        // The count of pawns may have two digits; the last six digits are those of the other kinds.
        let (pawns, rest) = counts
            .split_at_checked(counts.len().saturating_sub(6))
            .ok_or_else(wrong)?;
        if pawns == "-" {
            continue;
        }
        let singles = rest.bytes().map(|byte| char::from(byte).to_digit(10));
        let counts = std::iter::once(pawns.parse().ok()).chain(singles);
        // The counts go from pawns to rooks.
        for (kind, count) in PieceKind::IN_HAND.into_iter().rev().zip(counts) {
            let count = count
                .and_then(|count| u8::try_from(count).ok())
                .ok_or_else(wrong)?;
            setup
                .add_to_hand(color, kind, count)
                .map_err(|_too_many| wrong())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::super::ReadGames;
    use super::super::super::read;

    const USUAL: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    const TWO: &str = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    const KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4";

    #[test]
    fn reads_positions_in_every_form() {
        let check = |tags: &str, sfen: &str, warnings: usize| {
            let text = format!("[Sente \"a\"]\n{tags}\n");
            let (record, found) = read(text.as_bytes())
                .ok()
                .and_then(ReadGames::into_first)
                .expect("a record");
            assert_eq!(record.start().sfen(), sfen, "{tags}");
            assert_eq!(found.len(), warnings, "{found:?}");
        };
        check("", &format!("{USUAL} b - 1"), 0);
        check(
            &format!("[SFEN \"{KINGS} w 2Pr 7\"]"),
            &format!("{KINGS} w 2Pr 7"),
            0,
        );
        check(&format!("[sfen \"{KINGS}\"]"), &format!("{KINGS} b - 1"), 0);
        check("[SFEN \"4k4/9 b - 1\"]", &format!("{USUAL} b - 1"), 1);
        check(
            &format!("[FEN \"{KINGS} 0012001/T g 5\"]"),
            &format!("{KINGS} w R2SNr2b4g2s3n4l18p 5"),
            0,
        );
        check(
            &format!("[FEN \"{KINGS} 12000001/0000000 s 5\"]"),
            &format!("{KINGS} b R12P 5"),
            0,
        );
        check(&format!("[FEN \"{KINGS} - s\"]"), &format!("{KINGS} b - 1"), 0);
        check(
            &format!("[FEN \"{KINGS} 1/2/3 s\"]"),
            &format!("{USUAL} b - 1"),
            1,
        );
        check(
            &format!("[FEN \"{KINGS}[Pr] b 0 3\"]"),
            &format!("{KINGS} w Pr 6"),
            0,
        );
        check("[Handicap \"2 piece\"]", &format!("{TWO} w - 1"), 0);
        check("[Handicap \"Rook+Bishop\"]", &format!("{TWO} w - 1"), 0);
        check(
            &format!("[Handicap \"rook\"]\n[SFEN \"{KINGS} b -\"]"),
            &format!("{KINGS} b - 1"),
            1,
        );
        check(
            &format!("[SFEN \"{KINGS} b -\"]\n[SFEN \"{KINGS} w -\"]"),
            &format!("{KINGS} b - 1"),
            1,
        );
        check(
            &format!("[Handicap \"2\"]\n[SFEN \"{TWO} w -\"]"),
            &format!("{TWO} w - 1"),
            0,
        );
        check(
            "[Handicap \"2 piece\"]\n[Handicap \"rook\"]",
            &format!("{TWO} w - 1"),
            1,
        );
        check(
            "[Handicap \"2 piece\"]\n[Handicap \"Rook+Bishop\"]",
            &format!("{TWO} w - 1"),
            0,
        );
        check("[Handicap \"a house\"]", &format!("{USUAL} b - 1"), 1);
    }
}
