//! Which of the games of a content is the followed one.
//!
//! A game is who plays it: its players, its start and its moves. Its place among the games counts only where these leave
//! several games, or none of them is known yet.
//!
//! - The followed game keeps its players, as far as they are known, and its start. Its known moves are a beginning of
//!   the new ones. After a take-back or a correction, a few of them may differ ([`max_differing_moves`]).
//! - A game that was chosen by its number is followed wherever it stands. Without it, no other game is shown.
//! - Without a number, the last game is followed. A viewer of such an address expects the next game, too. A game that
//!   comes after the followed one is the next game if the followed one has ended, or if the same players have not made
//!   a move in it. A content of one game that is replaced by one other game is a next game as well.
//! - In all other cases the followed game is gone, and none is shown in its place.

use crate::game::has_ended;
use shogibar_kifu::Record;
use shogibar_shogi::Color;

/// The maximum number of moves that differ in a short game after a take-back or a correction.
const MAX_DIFFERING_MOVES: usize = 3;
/// The part of the known moves, as a divisor, that may differ in a long game.
const DIFFERING_PART: usize = 4;

/// The way in which a reader selects one of the games of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GameSelection {
    Last,
    /// The game with this number at first, from 1, or the last one for `None`. Later the same game.
    Followed(Option<usize>),
}

/// The known game, and where it stood in its content.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownGame<'k> {
    pub(super) record: &'k Record,
    pub(super) position: ContentPosition,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ContentPosition {
    /// The number of the game, from 1.
    pub(super) number: usize,
    pub(super) count: usize,
}

#[derive(Debug)]
pub(super) struct SelectedGame {
    pub(super) record: Record,
    pub(super) position: ContentPosition,
    /// Whether this is another game than the known one: the next game.
    pub(super) is_next: bool,
}

/// The likeness of a game to the known one. A smaller value is more alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Likeness {
    has_other_start: bool,
    unknown_players: usize,
    differing_moves: usize,
    added_moves: usize,
    /// The distance from the place of the known game.
    distance: usize,
}

impl Likeness {
    /// Returns whether a game is more alike than another one, wherever both are and however many moves were added.
    fn is_more_alike(&self, other: &Self) -> bool {
        let own = |one: &Self| (one.has_other_start, one.unknown_players, one.differing_moves);
        own(self) < own(other)
    }
}

/// The search for a game among the games of a content. The games are added in their order.
pub(super) struct GameSearch<'k> {
    selection: GameSelection,
    known: Option<KnownGame<'k>>,
    count: usize,
    /// The game that is most alike, with its number.
    found: Option<(Likeness, usize, Record)>,
    /// The game with the number of the known one, if it may be this one.
    at_place: Option<(Likeness, usize, Record)>,
    /// The last game after `found`; the last of all without one.
    last: Option<Record>,
}

impl<'k> GameSearch<'k> {
    pub(super) const fn new(selection: GameSelection, known: Option<KnownGame<'k>>) -> Self {
        Self {
            selection,
            known,
            count: 0,
            found: None,
            at_place: None,
            last: None,
        }
    }

    /// Adds the next game of the content.
    pub(super) fn add(&mut self, game: Record) {
        self.count += 1;
        let is_alike = match (self.selection, self.known) {
            (GameSelection::Followed(number), Some(known)) => {
                likeness(known, &game, self.count, number.is_some())
            }
            (GameSelection::Followed(Some(number)), None) if number != self.count => return,
            _ => None,
        };
        let Some(likeness) = is_alike else {
            self.last = Some(game);
            return;
        };
        let counts_places = self.selection != GameSelection::Followed(None);
        if counts_places
            && self
                .known
                .is_some_and(|known| known.position.number == self.count)
        {
            self.at_place = Some((likeness, self.count, game.clone()));
        }
        // Of equal games, the later one is the newer state of a log.
        if self.found.as_ref().is_none_or(|(best, ..)| likeness <= *best) {
            (self.found, self.last) = (Some((likeness, self.count, game)), None);
        } else {
            self.last = Some(game);
        }
    }

    /// Returns the selected game; `None` if the followed game is not in the content.
    pub(super) fn finish(self) -> Option<SelectedGame> {
        let Self {
            selection,
            known,
            count,
            found,
            at_place,
            last,
        } = self;
        let at = |number| ContentPosition { number, count };
        let (GameSelection::Followed(number), Some(known)) = (selection, known) else {
            let position = at(if let GameSelection::Followed(Some(number)) = selection {
                number
            } else {
                count
            });
            return last.map(|record| SelectedGame {
                record,
                position,
                is_next: false,
            });
        };
        // While no game appears or vanishes, the games are likely to keep their places.
        let Some((_, place, record)) = at_place
            .filter(|(likeness, ..)| {
                count == known.position.count
                    && found
                        .as_ref()
                        .is_none_or(|(best, ..)| !best.is_more_alike(likeness))
            })
            .or(found)
        else {
            let is_replaced = number.is_none() && known.position.count == 1 && count == 1;
            if !is_replaced {
                return None;
            }
            let record = last?;
            let is_next = !is_taken_back(known.record, &record);
            return Some(SelectedGame {
                record,
                position: at(1),
                is_next,
            });
        };
        match last.filter(|last| number.is_none() && is_next(last, &record)) {
            Some(record) => Some(SelectedGame {
                record,
                position: at(count),
                is_next: true,
            }),
            None => Some(SelectedGame {
                record,
                position: at(place),
                is_next: false,
            }),
        }
    }
}

/// Returns how much a game is like the known one; `None` for another game. `number` is that of the game, from 1.
/// `counts_places`: whether the place and the number of added moves decide between equal games.
fn likeness(known: KnownGame<'_>, game: &Record, number: usize, counts_places: bool) -> Option<Likeness> {
    let distance = known.position.number.abs_diff(number);
    let unknown_players = unknown_players(known.record, game)?;
    let has_other_start = known.record.start() != game.start();
    let known_moves = known.record.len();
    let differing_moves = differing_moves(known.record, game);
    let is_alike = if known_moves > 0 {
        !has_other_start && differing_moves <= max_differing_moves(known_moves)
    } else {
        // Nothing was played yet, so the start may have been unknown, too.
        unknown_players < 2 || !counts_places && !has_other_start || counts_places && distance == 0
    };
    let added_moves = (game.len() + differing_moves).saturating_sub(known_moves);
    let (added_moves, distance) = if counts_places {
        (added_moves, distance)
    } else {
        (0, 0)
    };
    is_alike.then_some(Likeness {
        has_other_start,
        unknown_players,
        differing_moves,
        added_moves,
        distance,
    })
}

/// Returns the maximum number of differing moves in the same game, of this number of known moves. One known move is the
/// same at least.
fn max_differing_moves(known_moves: usize) -> usize {
    (known_moves / DIFFERING_PART)
        .max(MAX_DIFFERING_MOVES)
        .min(known_moves.saturating_sub(1))
}

fn differing_moves(known: &Record, game: &Record) -> usize {
    let mut moves = game.moves();
    known.moves().filter(|mv| moves.next() != Some(*mv)).count()
}

/// Returns the number of players, 0 to 2, that one of the records does not name. `None` if a player is another one.
fn unknown_players(known: &Record, game: &Record) -> Option<usize> {
    let mut unknown = 0;
    for color in [Color::Black, Color::White] {
        match (known.player(color), game.player(color)) {
            (Some(one), Some(other)) if one != other => return None,
            (Some(_), Some(_)) => {}
            _ => unknown += 1,
        }
    }
    Some(unknown)
}

fn is_next(game: &Record, followed: &Record) -> bool {
    let players = |record: &'_ Record| {
        [Color::Black, Color::White].map(|color| record.player(color).map(str::to_owned))
    };
    let (new, [black, white]) = (players(game), players(followed));
    let has_same_players = new == [black.clone(), white.clone()] || new == [white, black];
    has_ended(followed) || game.is_empty() && has_same_players
}

/// Returns whether the only game of a content is the known one after many moves were taken back.
fn is_taken_back(known: &Record, game: &Record) -> bool {
    let has_other_move = known
        .moves()
        .zip(game.moves())
        .next()
        .is_some_and(|(one, other)| one != other);
    let is_same = unknown_players(known, game).is_some() && known.start() == game.start();
    is_same && !has_other_move && !has_ended(known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::samples::play;
    use crate::reader::{GameReader, QUIET_TIME, ReadCertainty, ReaderUpdate};
    use proptest::prelude::*;
    use shogibar_base::random::SplitMix;
    use shogibar_kifu::NodeId;
    use shogibar_shogi::{History, Move, Position};
    use std::path::Path;
    use std::time::Duration;

    /// A game of two players, as a feed has it.
    #[derive(Clone, Debug, PartialEq)]
    struct FeedGame {
        players: [String; 2],
        moves: Vec<Move>,
    }

    impl FeedGame {
        fn new(players: [&str; 2], moves: &str) -> Self {
            let moves = moves
                .split_whitespace()
                .map(|word| Move::from_usi(word).unwrap())
                .collect();
            Self {
                players: players.map(str::to_owned),
                moves,
            }
        }

        fn text(&self) -> String {
            let mut record = Record::new(&Position::startpos());
            record.add_line(NodeId::START, &self.moves);
            for (key, name) in ["先手", "後手"].into_iter().zip(&self.players) {
                record.headers_mut().push((key.to_owned(), name.clone()));
            }
            String::from_utf8(shogibar_kifu::write(&record, shogibar_kifu::Target::Csa).bytes).unwrap()
        }
    }

    /// A reader of a feed with a clock. Each content is read until it is certain.
    struct Follower {
        reader: GameReader,
        now: Duration,
    }

    impl Follower {
        fn new(number: Option<usize>) -> Self {
            Self {
                reader: GameReader::new(Path::new("feed"), QUIET_TIME).for_game(number),
                now: Duration::ZERO,
            }
        }

        /// Reads a content twice. Returns the game that is shown; `None` if the game is said to be gone.
        fn read_text(&mut self, text: &str) -> Option<FeedGame> {
            for _ in 0..2 {
                self.now += QUIET_TIME;
                let update = self
                    .reader
                    .update(self.now, text.as_bytes(), ReadCertainty::Whole);
                assert!(!matches!(update, ReaderUpdate::Unreadable(_)), "{update:?}");
            }
            if self.reader.is_missing() {
                return None;
            }
            let record = self.reader.known()?;
            let players =
                [Color::Black, Color::White].map(|color| record.player(color).unwrap_or_default().to_owned());
            Some(FeedGame {
                players,
                moves: record.moves().collect(),
            })
        }

        fn read(&mut self, games: &[FeedGame]) -> Option<FeedGame> {
            self.read_text(&games.iter().map(FeedGame::text).collect::<Vec<_>>().join("/\n"))
        }
    }

    const A: [&str; 2] = ["A", "B"];
    const C: [&str; 2] = ["C", "D"];

    #[test]
    fn games_that_change_places_are_followed_by_their_players() {
        let [before, after] = [
            include_str!("../../../tests/fixtures/live/two_games.csa"),
            include_str!("../../../tests/fixtures/live/two_games_exchanged.csa"),
        ];
        for (number, players, moves) in [(2, C, [8, 9]), (1, A, [7, 8])] {
            let mut follower = Follower::new(Some(number));
            let shown = [before, after].map(|text| {
                let game = follower.read_text(text).unwrap();
                assert_eq!(game.players, players);
                game.moves.len()
            });
            assert!(shown[0] < shown[1] || shown == moves, "{number}: {shown:?}");
        }
    }

    #[test]
    fn a_game_that_vanishes_is_gone_until_it_is_back() {
        let [a, c] = [
            FeedGame::new(A, "7g7f 3c3d 2g2f 8c8d"),
            FeedGame::new(C, "7g7f 3c3d 2g2f 8c8d 2f2e"),
        ];
        for number in [Some(2), None] {
            let mut follower = Follower::new(number);
            assert_eq!(follower.read(&[a.clone(), c.clone()]), Some(c.clone()));
            assert_eq!(follower.read(std::slice::from_ref(&a)), None, "{number:?}");
            assert_eq!(
                follower.read(&[a.clone(), FeedGame::new(A, "")]),
                None,
                "{number:?}"
            );
            assert_eq!(
                follower.reader.known().map(|game| game.len()),
                Some(5),
                "the last position stays"
            );
            assert_eq!(follower.read(&[c.clone(), a.clone()]), Some(c.clone()));
            assert_eq!(follower.reader.earlier_games(), 0);
        }
        let mut follower = Follower::new(Some(3));
        assert_eq!(
            follower.read(&[a.clone(), c.clone()]),
            None,
            "there is no such game"
        );
        assert_eq!(follower.read(&[a.clone(), c.clone(), a.clone()]), Some(a));
    }

    #[test]
    fn a_viewer_without_a_number_gets_the_next_game() {
        let [a, c] = [FeedGame::new(A, "7g7f 3c3d 2g2f 8c8d"), FeedGame::new(C, "7g7f")];
        let next = FeedGame::new(["B", "A"], "");
        let mut follower = Follower::new(None);
        assert_eq!(follower.read(std::slice::from_ref(&a)), Some(a.clone()));
        assert_eq!(
            follower.read(&[a.clone(), c.clone()]),
            Some(a.clone()),
            "another game has begun elsewhere"
        );
        assert_eq!(
            follower.read(&[a.clone(), c.clone(), next.clone()]),
            Some(next.clone()),
            "the players change sides"
        );
        let begun = FeedGame::new(["B", "A"], "2g2f");
        assert_eq!(follower.read(&[a.clone(), c.clone(), begun.clone()]), Some(begun));
        assert_eq!(follower.reader.earlier_games(), 1);
        let mut follower = Follower::new(Some(1));
        assert_eq!(follower.read(std::slice::from_ref(&a)), Some(a.clone()));
        assert_eq!(
            follower.read(&[a.clone(), next]),
            Some(a.clone()),
            "a chosen game is not left"
        );
        // The game that has ended makes room for any other.
        let mut follower = Follower::new(None);
        let ended = a.text() + "%TORYO\n";
        assert_eq!(follower.read_text(&ended), Some(a.clone()));
        assert_eq!(follower.read_text(&(ended + "/\n" + &c.text())), Some(c.clone()));
        // An address of one game has another one.
        let mut follower = Follower::new(None);
        assert_eq!(follower.read(std::slice::from_ref(&a)), Some(a.clone()));
        assert_eq!(
            follower.read(&[FeedGame::new(A, "7g7f")]),
            Some(FeedGame::new(A, "7g7f")),
            "moves are taken back"
        );
        assert_eq!(
            (
                follower.read(std::slice::from_ref(&c)),
                follower.reader.earlier_games()
            ),
            (Some(c.clone()), 1)
        );
        assert_eq!(
            (
                follower.read(&[a.clone(), c.clone()]),
                follower.reader.earlier_games()
            ),
            (Some(c.clone()), 1)
        );
    }

    #[test]
    fn a_corrected_game_is_the_same() {
        let known = FeedGame::new(C, "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b");
        let other = FeedGame::new(C, "2g2f 8c8d");
        for (corrected, is_same) in [
            ("7g7f 3c3d 2g2f 8c8d 2f2e", true),
            ("7g7f 3c3d 2g2f 8c8d 2f2e 4c4d 6i7h 4a3b 2e2d", true),
            ("7g7f 8c8d 2g2f 8d8e", false),
            ("", false),
        ] {
            let mut follower = Follower::new(Some(1));
            follower.read(&[known.clone(), other.clone()]);
            let corrected = FeedGame::new(C, corrected);
            let shown = follower.read(&[other.clone(), corrected.clone()]);
            assert_eq!(shown, is_same.then_some(corrected));
        }
    }

    #[test]
    fn several_games_of_the_same_players_are_told_apart() {
        let games = |first: &str, second: &str| [FeedGame::new(A, first), FeedGame::new(A, second)];
        let long = "7g7f 3c3d 2g2f 8c8d 2f2e";
        let mut follower = Follower::new(Some(2));
        follower.read(&games(long, "7g7f"));
        let [first, second] = games(long, "7g7f 3c3d");
        let inserted = [FeedGame::new(C, ""), first, second.clone()];
        assert_eq!(follower.read(&inserted), Some(second), "it has one move more");
        let mut follower = Follower::new(Some(2));
        follower.read(&games("7g7f", "7g7f"));
        let [first, second] = games("7g7f 3c3d", long);
        assert_eq!(
            follower.read(&[first, second.clone()]),
            Some(second),
            "it is at its place"
        );
    }

    #[test]
    fn a_game_without_names_and_moves_is_known_by_its_place() {
        let mut follower = Follower::new(Some(1));
        let mut moves = |first: &str, second: &str| {
            let text = [first, second]
                .map(|moves| format!("V2.2\nPI\n+\n{moves}"))
                .join("/\n");
            follower.read_text(&text).map(|game| game.moves.len())
        };
        let other = "+7776FU\n-3334FU\n";
        assert_eq!(moves("", other), Some(0));
        assert_eq!(moves("+7776FU\n", other), Some(1));
        assert_eq!(moves("+7776FU\n-8384FU\n+2726FU\n", other), Some(3));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(64)))]

        /// Games are permuted, appear, vanish and grow. The players are drawn with few names, so that many games share
        /// one of them, and the moves begin alike.
        #[test]
        fn a_followed_game_is_shown_or_said_to_be_gone_on_random_histories(seed: u64, steps in prop::collection::vec(0_u8..6, 1..20)) {
            let mut random = SplitMix(seed);
            let opening = play(&History::new(Position::startpos()), 4, &mut random);
            let mut used = Vec::new();
            let mut new_game = |random: &mut SplitMix| loop {
                let names = ["A", "B", "C", "D", "E", "F", "AB"];
                let players = [0; 2].map(|_| names[random.below(names.len())].to_owned());
                if !used.contains(&players) {
                    used.push(players.clone());
                    let plies = random.below(5);
                    let moves = play(&opening, plies, random).moves()[..4 + plies - random.below(5)].to_vec();
                    break FeedGame { players, moves };
                }
            };
            let mut games: Vec<FeedGame> = (0..3).map(|_| new_game(&mut random)).collect();
            let number = 1 + random.below(3);
            let players = games[number - 1].players.clone();
            let mut follower = Follower::new(Some(number));
            prop_assert_eq!(follower.read(&games), Some(games[number - 1].clone()));
            for step in steps {
                let at = random.below(games.len());
                match step {
                    0 => games.swap(at, 0),
                    1 => games.insert(0, new_game(&mut random)),
                    2 => games.push(new_game(&mut random)),
                    3 if games.len() > 1 => drop(games.remove(at)),
                    _ => {
                        let game = &mut games[at];
                        let mut history = History::new(Position::startpos());
                        game.moves.iter().for_each(|mv| history.play(*mv).unwrap());
                        game.moves = play(&history, 1, &mut random).moves().to_vec();
                    }
                }
                let followed = games.iter().find(|game| game.players == players).cloned();
                prop_assert_eq!(follower.read(&games), followed);
            }
        }
    }
}
