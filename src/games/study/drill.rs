//! A deck of cards with the user's mistakes from many games, which are asked again on later days. Pure: no I/O.
//!
//! The file of the deck has lines of text, which are never changed. A line adds a card, or the result of a day.
//! Cards of version 0.2 have the whole game. They are read, and shortened in memory.

use super::{Document, LineMates, Mistake, RecordInsight};
use crate::analysis::MoveMark;
use serde::{Deserialize, Serialize};
use shogibar_base::stable_hash::StableHasher;
use shogibar_facts::EaseLevel;
use shogibar_kifu::NodeId;
use shogibar_shogi::{Color, History, Move};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The numbers of days until a card is asked again, after 1 to 4 right answers in a row.
const REPEAT_DAYS: [u32; 4] = [1, 3, 7, 21];

/// The number of moves before the position that a card has. The last one is shown on the board, and notation needs it.
const MAX_MOVES_BEFORE: usize = 4;

/// The maximum length of a player's name on a card, in characters.
const MAX_NAME_CHARS: usize = 80;

/// A mistake with the position before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrillCard {
    /// The identity of the card, if it differs from that of its texts: the card had the whole game before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<CardId>,
    /// The position and the last moves before it, in USI.
    pub position: String,
    /// The move that was played, in USI.
    pub played: String,
    /// The better line, in USI.
    pub better: Vec<String>,
    /// Whether Black is to move in the position, and made the mistake.
    #[serde(rename = "black")]
    pub is_black_to_move: bool,
    /// The index of the mark in [`MoveMark::ALL`]; `None` without one.
    pub mark: Option<usize>,
    /// The win rates of the side in whole percent: after the better move, and after the move played.
    pub rates: [u8; 2],
    /// The loss in tenths of a percentage point.
    #[serde(rename = "tenths")]
    pub loss_tenths: u16,
    /// The number of the move in its game, from 1.
    pub ply: u16,
    /// The players' names, Black's first; empty where unknown.
    pub names: [String; 2],
    /// The difficulty of finding the better move: 0 is easy, 1 is medium, 2 is hard; `None` where it is not known.
    #[serde(default)]
    pub ease: Option<usize>,
}

/// The levels of ease. A card has the index of its level.
const EASE_LEVELS: [EaseLevel; 3] = [EaseLevel::Easy, EaseLevel::Medium, EaseLevel::Hard];

/// The identity of a card: a hash of the whole game up to the position and of the move played.
pub type CardId = u64;

/// The outcome of adding mistakes to the deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrillOutcome {
    /// The number of new mistakes.
    Added(usize),
    /// There is no such folder.
    NoFolder,
}

/// A line of the file of the deck, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DrillLine {
    /// A card is added.
    Card(DrillCard),
    /// A card was answered.
    Result {
        /// The id of the card.
        card: CardId,
        /// The day, in days since 1970.
        day: u32,
        /// Whether a good move was found.
        right: bool,
    },
}

/// A card with its results.
#[derive(Clone, Debug, PartialEq, Eq)]
struct CardState {
    card: DrillCard,
    /// The days of the answers, in order, and whether the answer was right. A day has one answer at most.
    results: Vec<(u32, bool)>,
}

/// The deck: the user's mistakes as cards, with the results of practice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrillDeck {
    cards: BTreeMap<CardId, CardState>,
}

impl DrillCard {
    /// Creates the card of a mistake; `None` without a better move. `history` is the game up to the mistake.
    pub fn new(mistake: &Mistake, history: &History, names: [&str; 2]) -> Option<Self> {
        if mistake.better_line.is_empty() {
            return None;
        }
        let card = Self {
            id: None,
            position: history.usi(),
            played: mistake.mv.to_string(),
            better: mistake.better_line.iter().map(ToString::to_string).collect(),
            is_black_to_move: mistake.side == Color::Black,
            mark: mistake
                .mark
                .and_then(|mark| MoveMark::ALL.iter().position(|one| *one == mark)),
            rates: mistake.rates,
            loss_tenths: mistake.loss_tenths,
            ply: mistake.ply,
            names: names.map(|name| name.chars().take(MAX_NAME_CHARS).collect()),
            ease: mistake
                .ease
                .and_then(|ease| EASE_LEVELS.iter().position(|one| *one == ease)),
        };
        Some(card.without_early_moves(history))
    }

    /// Returns the card without the moves long before the position. `history` is that of the card.
    fn without_early_moves(mut self, history: &History) -> Self {
        let early_count = history.moves().len().saturating_sub(MAX_MOVES_BEFORE);
        let (early, last) = history.moves().split_at_checked(early_count).unwrap_or_default();
        let mut start = history.start().clone();
        if early.is_empty() || early.iter().any(|mv| start.play(*mv).is_err()) {
            return self;
        }
        self.id = Some(self.id());
        let moves: Vec<_> = last.iter().map(ToString::to_string).collect();
        self.position = format!("sfen {} moves {}", start.sfen(), moves.join(" "));
        self
    }

    /// Returns the identity of the card.
    pub fn id(&self) -> CardId {
        if let Some(id) = self.id {
            return id;
        }
        let mut hasher = StableHasher::new();
        hasher.add_text(&self.position);
        hasher.add_text(&self.played);
        hasher.finish()
    }

    /// Returns the mistake and the game up to it; `None` if the card is invalid. The nodes of the mistake belong to no
    /// record.
    pub fn mistake(&self) -> Option<(Mistake, Arc<History>)> {
        let history = History::from_usi(&self.position).ok()?;
        let mv = Move::from_usi(&self.played)?;
        let better: Vec<_> = self.better.iter().map_while(|mv| Move::from_usi(mv)).collect();
        let is_legal = |mv: &Move| history.now().is_legal(*mv);
        let side = if self.is_black_to_move {
            Color::Black
        } else {
            Color::White
        };
        let is_valid = history.now().side_to_move() == side && self.rates.iter().all(|rate| *rate <= 100);
        if !is_valid || !is_legal(&mv) || !better.first().is_some_and(is_legal) {
            return None;
        }
        let mistake = Mistake {
            node: NodeId::START,
            node_before: NodeId::START,
            ply: self.ply,
            side,
            mv,
            mark: self.mark.and_then(|mark| MoveMark::ALL.get(mark).copied()),
            better_line: better,
            punish_line: Vec::new(),
            missed_mate: None,
            allowed_mate: None,
            line_mates: LineMates::default(),
            loss_tenths: self.loss_tenths,
            rates: self.rates,
            ease: self.ease.and_then(|ease| EASE_LEVELS.get(ease).copied()),
        };
        Some((mistake, Arc::new(history)))
    }
}

/// Creates the cards of the errors of a game with evaluations. `name` is a part of the name of the player whose errors
/// count. An empty `name` stands for both players.
pub fn drill_cards(document: &Document, insight: &RecordInsight, name: &str) -> Vec<DrillCard> {
    let record = document.record();
    let names = [Color::Black, Color::White].map(|color| record.player(color).unwrap_or_default());
    let is_wanted = |mistake: &Mistake| {
        let [black, white] = names;
        let player = if mistake.side == Color::Black {
            black
        } else {
            white
        };
        mistake.is_error() && player.contains(name)
    };
    let mistakes = insight
        .mistakes(document)
        .filter_map(|node| insight.mistake(record, node));
    let cards = mistakes.filter(is_wanted);
    cards
        .filter_map(|mistake| DrillCard::new(&mistake, &document.history_at(mistake.node_before), names))
        .collect()
}

impl DrillLine {
    /// Returns the line of the file.
    pub fn text(&self) -> String {
        // Texts and numbers can always be written as JSON, so the default is never used.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

impl CardState {
    /// Returns the day on which the card is asked again, in days since 1970; `None` once the card is learned.
    fn next_day(&self) -> Option<u32> {
        let Some((last, _)) = self.results.last() else {
            return Some(0);
        };
        let right = self.results.iter().rev().take_while(|(_, right)| *right).count();
        match right.checked_sub(1) {
            // After a wrong answer, the card is asked on the next day.
            None => Some(last.saturating_add(1)),
            Some(step) => REPEAT_DAYS.get(step).map(|days| last.saturating_add(*days)),
        }
    }

    /// Returns whether the card is asked on a day.
    fn is_due(&self, today: u32) -> bool {
        // A day in the future was stored while the clock was wrong.
        let is_wrong = self.results.last().is_some_and(|(last, _)| *last > today);
        self.next_day().is_some_and(|day| day <= today || is_wrong)
    }
}

impl DrillDeck {
    /// Reads a line of the file. An invalid line is ignored.
    pub fn read_line(&mut self, line: &[u8]) {
        if let Ok(line) = serde_json::from_str(&String::from_utf8_lossy(line)) {
            self.apply(line);
        }
    }

    /// Applies a line of the file. Returns whether the deck has changed: an invalid or known card, and a second answer
    /// of a day change nothing.
    pub fn apply(&mut self, line: DrillLine) -> bool {
        match line {
            DrillLine::Card(card) => {
                let id = card.id();
                if self.cards.contains_key(&id) {
                    return false;
                }
                let Some((_, history)) = card.mistake() else {
                    return false;
                };
                let card = card.without_early_moves(&history);
                self.cards.insert(
                    id,
                    CardState {
                        card,
                        results: Vec::new(),
                    },
                );
                true
            }
            DrillLine::Result { card, day, right } => {
                // Only the first answer of a day counts.
                let state = self.cards.get_mut(&card);
                let Some(state) =
                    state.filter(|state| state.results.last().is_none_or(|(last, _)| *last != day))
                else {
                    return false;
                };
                state.results.push((day, right));
                true
            }
        }
    }

    /// Returns the number of cards.
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// Returns whether the deck has no cards.
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// Returns the number of cards that are learned.
    pub fn learned_count(&self) -> usize {
        self.cards
            .values()
            .filter(|state| state.next_day().is_none())
            .count()
    }

    /// Returns the cards to ask on the day `today`. The easiest cards come first, and among cards of one level those
    /// with the largest loss.
    pub fn due_cards(&self, today: u32) -> Vec<&DrillCard> {
        let due = self.cards.values().filter(|state| state.is_due(today));
        let mut due: Vec<_> = due.map(|state| &state.card).collect();
        let order = |card: &DrillCard| {
            card.ease
                .and_then(|ease| EASE_LEVELS.get(ease).copied())
                .unwrap_or(EaseLevel::Medium)
        };
        due.sort_by_key(|card| (order(card), std::cmp::Reverse(card.loss_tenths)));
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> DrillDeck {
        let mut deck = DrillDeck::default();
        text.split('\n').for_each(|line| deck.read_line(line.as_bytes()));
        deck
    }

    fn card(played: &str, loss_tenths: u16) -> DrillCard {
        DrillCard {
            id: None,
            position: "startpos moves 7g7f 3c3d".to_owned(),
            played: played.to_owned(),
            better: vec!["2g2f".to_owned(), "4c4d".to_owned()],
            is_black_to_move: true,
            mark: Some(2),
            rates: [54, 28],
            loss_tenths,
            ply: 3,
            names: ["山田".to_owned(), String::new()],
            ease: None,
        }
    }

    #[test]
    fn a_card_comes_again_after_1_3_7_and_21_days() {
        let mut deck = DrillDeck::default();
        let one = card("9g9f", 260);
        assert!(deck.apply(DrillLine::Card(one.clone())) && !deck.apply(DrillLine::Card(one.clone())));
        let mut day = 20_000;
        for days in REPEAT_DAYS {
            assert_eq!(deck.due_cards(day).len(), 1, "{day}");
            deck.apply(DrillLine::Result {
                card: one.id(),
                day,
                right: true,
            });
            assert_eq!(deck.due_cards(day + days - 1).len(), 0, "{day}");
            day += days;
        }
        // A wrong answer restarts the learning of the card.
        deck.apply(DrillLine::Result {
            card: one.id(),
            day,
            right: false,
        });
        assert_eq!((deck.due_cards(day).len(), deck.due_cards(day + 1).len()), (0, 1));
        for right in 1..=5 {
            deck.apply(DrillLine::Result {
                card: one.id(),
                day: day + right * 30,
                right: true,
            });
        }
        assert_eq!((deck.due_cards(u32::MAX).len(), deck.learned_count()), (0, 1));
    }

    #[test]
    fn easy_cards_come_first_then_the_costliest() {
        let lines = [
            DrillLine::Card(card("9g9f", 100)),
            DrillLine::Card(card("1g1f", 400)),
            DrillLine::Card(card("5g5f", 250)),
            DrillLine::Card(DrillCard {
                ease: Some(2),
                ..card("4g4f", 900)
            }),
            DrillLine::Card(DrillCard {
                ease: Some(0),
                ..card("2g2f", 110)
            }),
            DrillLine::Result {
                card: card("1g1f", 400).id(),
                day: 7,
                right: true,
            },
        ];
        let text: String = lines.iter().map(DrillLine::text).collect();
        let deck = read(&(text + "broken\n{\"future\":1}\n"));
        let due: Vec<_> = deck.due_cards(7).iter().map(|card| card.loss_tenths).collect();
        assert_eq!((deck.len(), due), (5, vec![110, 250, 100, 900]));
        assert_eq!(deck.due_cards(8).get(1).map(|card| card.loss_tenths), Some(400));
    }

    #[test]
    fn a_card_is_the_mistake_again() {
        let (mistake, history) = card("9g9f", 260).mistake().unwrap();
        assert_eq!(
            (mistake.side, mistake.mark, mistake.loss()),
            (Color::Black, Some(MoveMark::Mistake), 26)
        );
        assert_eq!(
            DrillCard::new(&mistake, &history, ["山田", ""]),
            Some(card("9g9f", 260))
        );
        assert_eq!(card("9g9e", 260).mistake(), None, "an illegal move");
        let broken = [
            DrillCard {
                position: "x".to_owned(),
                ..card("9g9f", 1)
            },
            DrillCard {
                is_black_to_move: false,
                ..card("9g9f", 1)
            },
            DrillCard {
                rates: [120, 0],
                ..card("9g9f", 1)
            },
        ];
        for card in broken {
            assert_eq!(card.mistake(), None);
            assert!(
                !DrillDeck::default().apply(DrillLine::Card(card)),
                "it is never asked"
            );
        }
    }

    /// Returns a game of which the kings and golds move `plies` times, and the mistake after it.
    fn long_game(plies: usize) -> (History, Mistake) {
        let mut history = History::default();
        for mv in ["5i5h", "5a5b", "5h5i", "5b5a"].iter().cycle().take(plies) {
            history.play(Move::from_usi(mv).unwrap()).unwrap();
        }
        let (mistake, _) = card("9g9f", 260).mistake().unwrap();
        (history, mistake)
    }

    #[test]
    fn a_card_does_not_grow_with_the_game() {
        let sizes = [40, 4_000].map(|plies| {
            let (history, mistake) = long_game(plies);
            let long_name = "長".repeat(100_000);
            let card = DrillCard::new(&mistake, &history, [&long_name, ""]).unwrap();
            let (again, tail) = card.mistake().unwrap();
            assert_eq!(
                (again.mv, tail.now().sfen(), tail.last_move()),
                (mistake.mv, history.now().sfen(), history.last_move())
            );
            DrillLine::Card(card).text().len()
        });
        assert!(sizes[1] < 700 && sizes[1] - sizes[0] < 10, "{sizes:?}");
    }

    #[test]
    fn a_card_with_a_whole_game_keeps_its_results() {
        let (history, mistake) = long_game(40);
        let new = DrillCard::new(&mistake, &history, ["山田", ""]).unwrap();
        let old = DrillCard {
            id: None,
            position: history.usi(),
            ..new.clone()
        };
        assert_eq!(old.id(), new.id());
        let result = DrillLine::Result {
            card: old.id(),
            day: 9,
            right: true,
        };
        let text: String = [DrillLine::Card(old.clone()), result]
            .iter()
            .map(DrillLine::text)
            .collect();
        assert!(!text.contains("\"id\""), "as version 0.2 has written it: {text}");
        let mut deck = read(&text);
        assert_eq!((deck.due_cards(9).len(), deck.due_cards(10)), (0, vec![&new]));
        assert!(
            !deck.apply(DrillLine::Card(new.clone())),
            "the same game collected again"
        );
        assert!(deck.apply(DrillLine::Result {
            card: new.id(),
            day: 10,
            right: true
        }));
        let mut again = read(&DrillLine::Card(new.clone()).text());
        assert!(!again.apply(DrillLine::Card(old)));
        assert_eq!(again.due_cards(1), [&new]);
        let (other, _) = long_game(44);
        let other = DrillCard::new(&mistake, &other, ["山田", ""]).unwrap();
        assert!(
            deck.apply(DrillLine::Card(other)),
            "another game with the same last moves"
        );
    }

    #[test]
    fn the_first_answer_of_a_day_counts_and_a_day_to_come_hides_nothing() {
        let (mut deck, one) = (DrillDeck::default(), card("9g9f", 260));
        deck.apply(DrillLine::Card(one.clone()));
        let mut answer = |day, right| {
            deck.apply(DrillLine::Result {
                card: one.id(),
                day,
                right,
            })
        };
        assert!(answer(u32::MAX, true) && answer(7, false) && !answer(7, true));
        assert_eq!((deck.due_cards(7).len(), deck.due_cards(8).len()), (0, 1));
        deck.apply(DrillLine::Result {
            card: one.id(),
            day: 900,
            right: true,
        });
        assert_eq!(deck.due_cards(9).len(), 1, "the clock was wrong");
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in any::<String>()) {
            prop_assert!(read(&text).is_empty());
        }

        #[test]
        fn any_days_are_read(days in proptest::collection::vec((any::<u32>(), any::<bool>()), 0..9), today: u32) {
            let mut deck = DrillDeck::default();
            deck.apply(DrillLine::Card(card("9g9f", 1)));
            for (day, right) in days {
                deck.apply(DrillLine::Result { card: card("9g9f", 1).id(), day, right });
            }
            prop_assert!(deck.due_cards(today).len() + deck.learned_count() <= deck.len());
        }
    }
}
