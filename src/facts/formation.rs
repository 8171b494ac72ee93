//! Castles (囲い) and openings (戦型) by name. `formations.toml` has their names and patterns.

mod book;
mod past;
mod pattern;
#[cfg(test)]
mod tests;

use book::{BOOK, Book, Entry, UNNAMED};
use past::Past;
use pattern::Scene;
use shogibar_shogi::{Color, History, IllegalMove, Move, PieceKind, Position, Square};

/// The minimum number of plies for which a castle must exist before it can be called broken.
const MIN_CASTLE_PLIES: u16 = 4;

/// The number of plies that a complete castle must exist before it gets its name.
const NAMING_DELAY_PLIES: u16 = 2;

/// The maximum number of plies for which a castle may not exist while a captured piece is recaptured.
const MAX_RECAPTURE_PLIES: u16 = 2;

/// The maximum number of plies in which one castle is rebuilt into another.
const MAX_REBUILD_PLIES: u16 = 3;

/// The number of plies after a king left a check for which its new formation is not called a castle.
const MAX_DRIVEN_PLIES: u16 = 20;

/// The maximum number of plies after the end of a castle in which a capture of its generals breaks it.
const MAX_BREAKING_PLIES: u16 = 8;

/// The name of a castle, an opening or a handicap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FormationName {
    /// The Japanese name.
    pub name: &'static str,
    /// The English name.
    pub name_en: &'static str,
}

/// A castle that existed and was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BrokenCastle {
    /// The castle that was broken.
    pub castle: FormationName,
    /// The number of the move that captured the first of the castle's generals, from 1.
    pub ply: u16,
}

/// The opening of a side or of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NamedOpening {
    /// The name of the opening.
    pub opening: FormationName,
    /// Whether both sides share the opening.
    pub is_shared: bool,
}

/// The castles and openings of a game, followed move by move.
///
/// # Examples
/// ```
/// use shogibar_facts::Formations;
/// use shogibar_shogi::{Color, History};
///
/// let moves = "startpos moves 7g7f 3c3d 6g6f 8c8d 2h6h 7a6b 5i4h 5a4b 4h3h 4b3b 3h2h 6a5b 3i3h 1c1d 1g1f";
/// let formations = Formations::from_history(&History::from_usi(moves).unwrap());
/// assert_eq!(formations.castle(Color::Black).unwrap().name, "片美濃囲い");
/// assert_eq!(formations.opening(Color::Black).unwrap().opening.name, "四間飛車");
/// ```
#[derive(Clone, Debug)]
pub struct Formations {
    position: Position,
    past: Past,
    /// Whether the game began from the even start position, so that openings have names.
    is_even: bool,
    handicap: Option<FormationName>,
    black: SideFormations,
    white: SideFormations,
}

/// The opening and the castles of a side so far.
#[derive(Clone, Debug, Default)]
struct SideFormations {
    opening: Option<NamedOpening>,
    /// For each opening of the book, the number of successive positions up to now in which it matches.
    match_counts: Vec<u8>,
    /// The present or the last castle; `None` before the first.
    castle: Option<RecentCastle>,
    broken_castle: Option<BrokenCastle>,
    /// The last ply at which the king had to leave a check.
    last_check_ply: Option<u16>,
}

/// The present or the last castle of a side.
#[derive(Clone, Copy, Debug)]
struct RecentCastle {
    entry: &'static Entry,
    /// The index of the alternative of the pattern that matches.
    alternative: usize,
    first_ply: u16,
    last_ply: u16,
    /// Whether a move of the king out of check completed the castle.
    is_refuge: bool,
    /// The ply from which the castle has a name; `None` for a formation into which checks drove the king.
    named_from: Option<u16>,
}

/// Returns the castle of a side in a position; `None` without a castle that has a name.
///
/// Only the position counts. [`Formations::castle`] also depends on whether the king has moved (居玉).
pub fn castle(position: &Position, side: Color) -> Option<FormationName> {
    let past = Past::new(position);
    find_castle(Scene {
        position,
        past: &past,
        side,
    })
    .map(|(entry, _)| entry.formation_name())
}

/// Returns the names of all openings, handicaps aside.
pub fn opening_names() -> impl Iterator<Item = FormationName> {
    BOOK.openings.iter().map(Entry::formation_name)
}

impl Formations {
    /// Creates the formations of a game with this start.
    pub fn new(start: &Position) -> Self {
        let handicap = shogibar_kifu::handicap_name(start);
        let named = BOOK.handicaps.iter().find(|entry| Some(entry.name) == handicap);
        let mut formations = Self {
            position: start.clone(),
            past: Past::new(start),
            is_even: *start == Position::startpos(),
            handicap: named.map(Entry::formation_name),
            black: SideFormations::new(),
            white: SideFormations::new(),
        };
        formations.follow_castle(Color::Black, None);
        formations.follow_castle(Color::White, None);
        formations
    }

    /// Returns the formations at the end of a game.
    pub fn from_history(history: &History) -> Self {
        let mut formations = Self::new(history.start());
        for mv in history.moves() {
            if formations.play(*mv).is_err() {
                break;
            }
        }
        formations
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Fails if the move is illegal, which changes nothing.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let mut after = self.position.clone();
        after.play(mv)?;
        let mover = self.position.side_to_move();
        let is_driven = self.position.in_check() && mv.from() == self.position.king(mover);
        let captured = self
            .position
            .piece_on(mv.to())
            .filter(|piece| is_general(piece.kind));
        self.past.play(&self.position, mv, &after);
        self.position = after;
        if is_driven {
            self.side_mut(mover).last_check_ply = Some(self.past.ply());
        }
        for side in [Color::Black, Color::White] {
            self.follow_castle(
                side,
                captured.filter(|piece| piece.color == side).map(|_| mv.to()),
            );
        }
        if self.is_even {
            self.follow_openings(&BOOK);
        }
        Ok(())
    }

    /// Returns the castle of a side in the current position. The castle, or the castle from which it was rebuilt, must
    /// have existed for two plies or since the start. A formation into which a check drove the king is no castle.
    pub fn castle(&self, side: Color) -> Option<FormationName> {
        let ply = self.past.ply();
        let castle = self.side(side).castle.filter(|castle| castle.last_ply == ply)?;
        castle
            .named_from
            .is_some_and(|named| named <= ply)
            .then(|| castle.entry.formation_name())
    }

    /// Returns the castle of a side that, after existing for four plies, lost a gold or silver to a capture. `None`
    /// right after the capture, which may be answered, and once another castle exists.
    pub fn broken_castle(&self, side: Color) -> Option<BrokenCastle> {
        self.side(side)
            .broken_castle
            .filter(|broken| broken.ply < self.past.ply())
    }

    /// Returns the opening of a side, or the handicap in a handicap game. `None` before the opening has a name. A name
    /// is only replaced by a more specific one.
    pub fn opening(&self, side: Color) -> Option<NamedOpening> {
        if let Some(opening) = self.handicap {
            return Some(NamedOpening {
                opening,
                is_shared: true,
            });
        }
        self.side(side).opening
    }

    const fn side(&self, side: Color) -> &SideFormations {
        match side {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    const fn side_mut(&mut self, side: Color) -> &mut SideFormations {
        match side {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }

    const fn scene(&self, side: Color) -> Scene<'_> {
        Scene {
            position: &self.position,
            past: &self.past,
            side,
        }
    }

    /// Updates the castle of a side after a move. `captured` is the square on which the move captured a gold or silver
    /// of this side; `None` without such a capture.
    fn follow_castle(&mut self, side: Color, captured: Option<Square>) {
        let ply = self.past.ply();
        let found = find_castle(self.scene(side));
        let formations = self.side_mut(side);
        let before = formations.castle;
        if let Some((entry, alternative)) = found {
            let recent = before.filter(|before| before.last_ply.saturating_add(MAX_REBUILD_PLIES) >= ply);
            let same = recent.filter(|before| {
                before.entry.name == entry.name && before.last_ply + MAX_RECAPTURE_PLIES >= ply
            });
            let was_driven = formations
                .last_check_ply
                .is_some_and(|driven| driven.saturating_add(MAX_DRIVEN_PLIES) >= ply);
            let complete = if ply == 0 {
                0
            } else {
                ply.saturating_add(NAMING_DELAY_PLIES)
            };
            // A king that has just left a check by this move was driven into its new formation.
            let is_driven_now = formations.last_check_ply == Some(ply);
            let is_refuge = is_driven_now || same.is_some_and(|same| same.is_refuge);
            let complete = (!was_driven && !is_refuge).then_some(complete);
            let former = recent
                .filter(|_| !is_driven_now)
                .and_then(|before| before.named_from);
            let named_from = former.or(complete);
            let since = same.map_or(ply, |same| same.first_ply);
            formations.castle = Some(RecentCastle {
                entry,
                alternative,
                first_ply: since,
                last_ply: ply,
                is_refuge,
                named_from,
            });
            if named_from.is_some() {
                formations.broken_castle = None;
            }
            return;
        }
        let Some(castle) = before.filter(|castle| castle.last_ply.saturating_add(MAX_BREAKING_PLIES) >= ply)
        else {
            return;
        };
        let is_breaking = captured.is_some_and(|square| castle.has_general(side, square));
        if is_breaking
            && castle.named_from.is_some()
            && formations.broken_castle.is_none()
            && castle.last_ply + 1 >= castle.first_ply + MIN_CASTLE_PLIES
        {
            formations.broken_castle = Some(BrokenCastle {
                castle: castle.entry.formation_name(),
                ply,
            });
        }
    }

    /// Updates the openings after a move.
    fn follow_openings(&mut self, book: &'static Book) {
        let ply = self.past.ply();
        for (index, entry) in book
            .openings
            .iter()
            .enumerate()
            .filter(|(_, entry)| ply <= entry.last_ply)
        {
            for side in [Color::Black, Color::White] {
                let is_match = entry
                    .pattern
                    .as_ref()
                    .is_some_and(|pattern| pattern.alternative_index(self.scene(side)).is_some());
                let Some(count) = self.side_mut(side).match_counts.get_mut(index) else {
                    continue;
                };
                *count = if is_match { count.saturating_add(1) } else { 0 };
                if *count >= entry.min_positions && ply >= entry.first_ply {
                    self.name_opening(entry, side);
                }
            }
        }
    }

    fn name_opening(&mut self, entry: &'static Entry, side: Color) {
        let may_name = |formations: &SideFormations| {
            let name = formations.opening.map_or(UNNAMED, |named| named.opening.name);
            entry.replaces.contains(&name)
        };
        let named = Some(NamedOpening {
            opening: entry.formation_name(),
            is_shared: entry.is_shared,
        });
        if !entry.is_shared {
            let formations = self.side_mut(side);
            if may_name(formations) {
                formations.opening = named;
            }
        } else if may_name(&self.black) && may_name(&self.white) {
            self.black.opening = named;
            self.white.opening = named;
        }
    }
}

impl SideFormations {
    fn new() -> Self {
        Self {
            match_counts: vec![0; BOOK.openings.len()],
            ..Self::default()
        }
    }
}

impl Entry {
    const fn formation_name(&self) -> FormationName {
        FormationName {
            name: self.name,
            name_en: self.name_en,
        }
    }
}

impl RecentCastle {
    fn has_general(&self, side: Color, square: Square) -> bool {
        let square = if side == Color::Black {
            square
        } else {
            square.flip()
        };
        let pattern = self.entry.pattern.as_ref();
        pattern.is_some_and(|pattern| {
            pattern
                .generals(self.alternative)
                .any(|general| general == square)
        })
    }
}

/// Returns the first castle of the book that matches, and the index of the alternative of its pattern. `None` without a
/// match.
fn find_castle(scene: Scene<'_>) -> Option<(&'static Entry, usize)> {
    scene.position.king(scene.side)?;
    BOOK.castles.iter().find_map(|entry| {
        let is_time = (entry.first_ply..=entry.last_ply).contains(&scene.past.ply());
        let pattern = entry.pattern.as_ref().filter(|_| is_time)?;
        Some((entry, pattern.alternative_index(scene)?))
    })
}

/// Returns whether a piece is a gold or silver.
const fn is_general(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Gold | PieceKind::Silver)
}
