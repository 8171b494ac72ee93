//! Checks of castles and openings, by a separate parser of their patterns.

mod book;
mod pattern;

use crate::board::Board;
use crate::claim::Claim;
use crate::verdict::{Checked, false_fact, require};
use book::{Class, Entry, UNNAMED, entries};
use pattern::Point;

use shogibar_shogi::{Color, PieceKind};

/// The minimum number of successive positions in which a castle must exist before it is broken.
const MIN_CASTLE_PLIES: usize = 4;

/// The maximum number of plies in which a castle is rebuilt into another.
const MAX_REBUILD_PLIES: usize = 3;

/// A name in both languages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name {
    pub(crate) name: &'static str,
    pub(crate) name_en: &'static str,
}

/// Checks [`FactKind::Castle`](shogibar_facts::FactKind::Castle).
pub(crate) fn castle(claim: &Claim<'_>, name: Name) -> Checked {
    let point = point(claim)?;
    let entry = find(Class::Castle, name)?;
    require(holds(entry, point), || "the pattern does not hold".to_owned())?;
    let first = first_castle(point).map_or("", |entry| entry.name.as_str());
    require(first == name.name, || format!("{first} comes first"))?;
    let is_old = |ply: usize| first_castle(Point { ply, ..point }).is_some();
    let mut before = (0..point.ply).rev().take(MAX_REBUILD_PLIES);
    require(point.ply == 0 || before.any(is_old), || {
        format!("no castle stood in the {MAX_REBUILD_PLIES} plies before")
    })?;
    require(!was_driven(claim, entry, point), || {
        "a check drove the king into it".to_owned()
    })
}

/// Checks [`FactKind::CastleBroken`](shogibar_facts::FactKind::CastleBroken).
pub(crate) fn castle_broken(claim: &Claim<'_>, name: Name) -> Checked {
    let point = point(claim)?;
    let entry = find(Class::Castle, name)?;
    require(!holds(entry, point), || "the castle still stands".to_owned())?;
    require(first_castle(point).is_none(), || {
        "another castle stands".to_owned()
    })?;
    let stands = |ply: usize| holds(entry, Point { ply, ..point });
    let stood_until = (MIN_CASTLE_PLIES - 1..point.ply)
        .rev()
        .find(|last| (0..MIN_CASTLE_PLIES).all(|back| stands(last - back)));
    let Some(last) = stood_until else {
        return Err(false_fact(format!("it never stood for {MIN_CASTLE_PLIES} plies")));
    };
    let is_general_captured = |ply: usize| {
        let captured = claim
            .game
            .moves()
            .get(ply)
            .zip(claim.game.board(ply))
            .and_then(|(mv, board)| board.piece_on(mv.to()));
        captured.is_some_and(|piece| {
            piece.color == claim.side() && matches!(piece.kind, PieceKind::Gold | PieceKind::Silver)
        })
    };
    require((last..point.ply).any(is_general_captured), || {
        "no gold or silver was taken since".to_owned()
    })
}

/// Checks [`FactKind::Opening`](shogibar_facts::FactKind::Opening).
pub(crate) fn opening(claim: &Claim<'_>, name: Name) -> Checked {
    let point = point(claim)?;
    if find(Class::Handicap, name).is_ok() {
        let is_start = |position| Board::new(&position).has_same_pieces(&Board::new(claim.game.start()));
        return require(shogibar_kifu::handicap(name.name).is_some_and(is_start), || {
            "another handicap".to_owned()
        });
    }
    find(Class::Opening, name)?;
    let openings = openings(point);
    let opening = if claim.side() == Color::Black {
        openings.black
    } else {
        openings.white
    };
    let expected_name = opening.map_or(UNNAMED, |entry| entry.name.as_str());
    require(expected_name == name.name, || {
        format!("the opening is {expected_name}")
    })
}

/// Returns the side and the ply of a claim.
fn point<'a>(claim: &Claim<'a>) -> Checked<Point<'a>> {
    let ply = claim.line_ply()?;
    let _board = claim.board_at(ply)?;
    Ok(Point {
        game: claim.game,
        ply,
        side: claim.side(),
    })
}

fn find(class: Class, name: Name) -> Checked<&'static Entry> {
    let is_one =
        |entry: &&Entry| entry.class == class && entry.name == name.name && entry.name_en == name.name_en;
    entries()
        .iter()
        .find(is_one)
        .ok_or_else(|| false_fact("there is no such name"))
}

/// Returns whether an entry's pattern holds at a point: in the required number of positions, and at an allowed ply.
fn holds(entry: &Entry, point: Point<'_>) -> bool {
    let is_in_time = (entry.first_ply..=entry.last_ply).contains(&point.ply);
    is_in_time
        && (0..entry.min_positions).all(|back| {
            point
                .ply
                .checked_sub(back)
                .is_some_and(|ply| entry.pattern.holds(Point { ply, ..point }))
        })
}

/// Returns the first castle of the file whose pattern holds.
fn first_castle(point: Point<'_>) -> Option<&'static Entry> {
    entries()
        .iter()
        .filter(|entry| entry.class == Class::Castle)
        .find(|entry| holds(entry, point))
}

/// Returns whether the castle was completed by a move of the king out of check.
fn was_driven(claim: &Claim<'_>, entry: &Entry, point: Point<'_>) -> bool {
    let stands = |ply: &usize| holds(entry, Point { ply: *ply, ..point });
    let Some(began) = (0..=point.ply).rev().take_while(stands).last() else {
        return false;
    };
    let Some(before) = began.checked_sub(1) else {
        return false;
    };
    let Some((mv, board)) = claim.game.moves().get(before).zip(claim.game.board(before)) else {
        return false;
    };
    board.side() == claim.side() && board.in_check() && mv.from() == board.king(claim.side())
}

/// The openings that the verifier finds for both sides.
#[derive(Clone, Copy, Debug, Default)]
struct Openings {
    black: Option<&'static Entry>,
    white: Option<&'static Entry>,
}

impl Openings {
    const fn of_mut(&mut self, side: Color) -> &mut Option<&'static Entry> {
        match side {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    /// Returns whether the name of an entry may replace the present name of a side.
    fn may_set(&self, side: Color, entry: &Entry) -> bool {
        let now = if side == Color::Black {
            self.black
        } else {
            self.white
        };
        let replaces = |name: &str| entry.replaces.iter().any(|other| other == name);
        now.map_or_else(
            || entry.replaces.is_empty() || replaces(UNNAMED),
            |now| replaces(&now.name),
        )
    }

    /// Names the opening of a side, if the name may replace its present name. A shared name is given to both sides or
    /// to neither.
    fn set(&mut self, side: Color, entry: &'static Entry) {
        let sides = if entry.is_of_both {
            vec![side, side.flip()]
        } else {
            vec![side]
        };
        if sides.iter().all(|side| self.may_set(*side, entry)) {
            for side in sides {
                *self.of_mut(side) = Some(entry);
            }
        }
    }
}

/// Returns the openings after the moves up to a point, which are determined ply by ply.
fn openings(point: Point<'_>) -> Openings {
    let mut openings = Openings::default();
    for ply in 0..=point.ply {
        for entry in entries().iter().filter(|entry| entry.class == Class::Opening) {
            for side in [Color::Black, Color::White] {
                if !holds(entry, Point { ply, side, ..point }) {
                    continue;
                }
                openings.set(side, entry);
            }
        }
    }
    openings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use shogibar_shogi::score::WinRateModel;
    use shogibar_shogi::{Move, Position};

    fn game(example: &str) -> Game {
        let moves = example.strip_prefix("startpos moves ").unwrap_or(example);
        let start = Position::from_sfen(example).unwrap_or_else(|_| Position::startpos());
        let moves: Vec<Move> = moves.split(' ').filter_map(Move::from_usi).collect();
        Game::new(&start, &moves, Vec::new(), WinRateModel::default())
    }

    #[test]
    fn reads_a_castle_in_each_example() {
        for entry in entries().iter().filter(|entry| entry.class == Class::Castle) {
            let game = game(&entry.example);
            let point = Point {
                game: &game,
                ply: game.moves().len(),
                side: Color::Black,
            };
            assert_eq!(
                first_castle(point).map(|first| &first.name),
                Some(&entry.name),
                "{}",
                entry.example
            );
        }
    }

    #[test]
    fn reads_an_opening_in_each_example() {
        for entry in entries().iter().filter(|entry| entry.class == Class::Opening) {
            let game = game(&entry.example);
            let openings = openings(Point {
                game: &game,
                ply: game.moves().len(),
                side: Color::Black,
            });
            let names = [openings.black, openings.white].map(|opening| opening.map(|entry| &entry.name));
            assert!(names.contains(&Some(&entry.name)), "{}: {names:?}", entry.name);
        }
    }
}
