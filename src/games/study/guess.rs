//! A session of guesses: the user looks for a better move at each mistake of a game. Pure: no I/O.

use super::Mistake;
use shogibar_shogi::{Color, Move};

/// The maximum loss of a good guess against the better move, in percentage points of win rate.
const MAX_GUESS_LOSS_POINTS: u8 = 3;

/// The state of the current guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GuessState {
    /// The user is to play a move.
    #[default]
    Asking,
    /// The value of this move of the user is being searched.
    Judging(Move),
    /// The move is good. Has its loss in points.
    Right(Move, u8),
    /// The move is not good enough. Has its loss in points; `None` if the loss is not known.
    Wrong(Move, Option<u8>),
    /// The better move is shown.
    Shown,
    /// The session is over.
    Finished,
}

/// A session of guesses over mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuessSession {
    mistakes: Vec<Mistake>,
    current_index: usize,
    state: GuessState,
    /// The number of mistakes for which a good move was found.
    solved_count: usize,
}

impl GuessSession {
    /// Creates a session over the errors of a side, or of both sides (`None`), that have a known better move. The
    /// easiest come first. Returns `None` without such errors.
    pub fn new(mistakes: impl IntoIterator<Item = Mistake>, side: Option<Color>) -> Option<Self> {
        let mut mistakes: Vec<_> = mistakes
            .into_iter()
            .filter(|mistake| {
                mistake.is_error()
                    && !mistake.better_line.is_empty()
                    && side.is_none_or(|side| side == mistake.side)
            })
            .collect();
        mistakes.sort_by_key(Mistake::ease_order);
        Self::from_mistakes(mistakes)
    }

    /// Creates a session over mistakes that each have a better move. Returns `None` without mistakes.
    pub fn from_mistakes(mistakes: Vec<Mistake>) -> Option<Self> {
        (!mistakes.is_empty()).then_some(Self {
            mistakes,
            current_index: 0,
            state: GuessState::Asking,
            solved_count: 0,
        })
    }

    /// Returns whether the user has found a good move for the current mistake; `None` before a move is judged, and if
    /// the loss of the move is not known.
    pub const fn outcome(&self) -> Option<bool> {
        match self.state {
            GuessState::Right(..) => Some(true),
            GuessState::Wrong(_, Some(_)) | GuessState::Shown => Some(false),
            GuessState::Asking
            | GuessState::Judging(_)
            | GuessState::Wrong(_, None)
            | GuessState::Finished => None,
        }
    }

    /// Returns the state of the current guess.
    pub const fn state(&self) -> GuessState {
        self.state
    }

    /// Returns the current mistake; `None` at the end.
    pub fn current(&self) -> Option<&Mistake> {
        self.mistakes.get(self.current_index)
    }

    /// Returns the number of the current mistake, from 1, and the number of mistakes.
    pub const fn progress(&self) -> [usize; 2] {
        [self.current_index + 1, self.mistakes.len()]
    }

    /// Returns the number of mistakes solved so far, and the number of mistakes.
    pub const fn result(&self) -> [usize; 2] {
        [self.solved_count, self.mistakes.len()]
    }

    /// Returns whether the board accepts a move.
    pub const fn accepts_move(&self) -> bool {
        matches!(self.state, GuessState::Asking | GuessState::Wrong(..))
    }

    /// Judges a move of the user. `known` is the win rate of the side after the move, in whole percent; `None` if the
    /// value must be searched. The better move and the move played need no search.
    pub fn guess(&mut self, mv: Move, known: Option<u8>) {
        let mistake = match self.current() {
            Some(mistake) if self.accepts_move() => mistake,
            _ => return,
        };
        let known = if mistake.mv == mv {
            Some(mistake.rates[1])
        } else {
            known
        };
        if mistake.better_line.first() == Some(&mv) {
            return self.decide(mv, 0);
        }
        match known {
            Some(rate) => self.decide(mv, mistake.rates[0].saturating_sub(rate)),
            None => self.state = GuessState::Judging(mv),
        }
    }

    /// Applies the searched value of a move. `rate` is the win rate of the side after the move, in whole percent;
    /// `None` if the search has failed.
    pub fn set_searched_rate(&mut self, mv: Move, rate: Option<u8>) {
        let mistake = match self.current() {
            Some(mistake) if self.state == GuessState::Judging(mv) => mistake,
            _ => return,
        };
        match rate {
            Some(rate) => self.decide(mv, mistake.rates[0].saturating_sub(rate)),
            None => self.state = GuessState::Wrong(mv, None),
        }
    }

    /// Sets the state by the loss of a move, in points.
    fn decide(&mut self, mv: Move, loss: u8) {
        // The move that was played is never right, even if the rounded rates hardly differ.
        let is_played = self.current().is_some_and(|mistake| mistake.mv == mv);
        self.state = if loss <= MAX_GUESS_LOSS_POINTS && !is_played {
            self.solved_count += 1;
            GuessState::Right(mv, loss)
        } else {
            GuessState::Wrong(mv, Some(loss))
        };
    }

    /// Lets the user try again.
    pub const fn retry(&mut self) {
        if matches!(self.state, GuessState::Wrong(..) | GuessState::Judging(_)) {
            self.state = GuessState::Asking;
        }
    }

    /// Shows the better move. The mistake can no longer be solved.
    pub const fn show_answer(&mut self) {
        if matches!(
            self.state,
            GuessState::Asking | GuessState::Wrong(..) | GuessState::Judging(_)
        ) {
            self.state = GuessState::Shown;
        }
    }

    /// Goes to the next mistake.
    pub fn advance(&mut self) {
        self.current_index = (self.current_index + 1).min(self.mistakes.len());
        self.state = if self.current_index < self.mistakes.len() {
            GuessState::Asking
        } else {
            GuessState::Finished
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::MoveMark;
    use crate::study::LineMates;
    use proptest::prelude::*;
    use shogibar_facts::EaseLevel;
    use shogibar_kifu::NodeId;

    fn mv(usi: &str) -> Move {
        Move::from_usi(usi).unwrap()
    }

    fn mistake(side: Color, better: &[&str]) -> Mistake {
        Mistake {
            node: NodeId::START,
            node_before: NodeId::START,
            ply: 1,
            side,
            mv: mv("9g9f"),
            mark: Some(MoveMark::Mistake),
            better_line: better.iter().map(|usi| mv(usi)).collect(),
            punish_line: Vec::new(),
            missed_mate: None,
            allowed_mate: None,
            line_mates: LineMates::default(),
            loss_tenths: 260,
            rates: [54, 28],
            ease: None,
        }
    }

    fn pass() -> GuessSession {
        let mistakes = [
            mistake(Color::Black, &["7g7f"]),
            mistake(Color::White, &["3c3d"]),
            mistake(Color::Black, &[]),
        ];
        GuessSession::new(mistakes, None).unwrap()
    }

    #[test]
    fn mistakes_are_chosen_by_side() {
        let of = |side| {
            let mistakes = [mistake(Color::Black, &["7g7f"]), mistake(Color::Black, &[])];
            GuessSession::new(mistakes, side).map(|pass| pass.progress())
        };
        assert_eq!(
            [None, Some(Color::Black), Some(Color::White)].map(of),
            [Some([1, 1]), Some([1, 1]), None]
        );
    }

    #[test]
    fn easy_mistakes_are_asked_first() {
        let of = |mv: &str, ease| Mistake {
            ease,
            ..mistake(Color::Black, &[mv])
        };
        let hard = of("1g1f", Some(EaseLevel::Hard));
        let pass =
            GuessSession::new([hard, of("2g2f", None), of("3g3f", Some(EaseLevel::Easy))], None).unwrap();
        let asked: Vec<_> = pass
            .mistakes
            .iter()
            .map(|mistake| mistake.better_line[0].to_string())
            .collect();
        assert_eq!(asked, ["3g3f", "2g2f", "1g1f"]);
    }

    #[test]
    fn guesses_are_judged_by_their_loss() {
        let check = |usi: &str, known, expect| {
            let mut pass = pass();
            pass.guess(mv(usi), known);
            assert_eq!(pass.state(), expect, "{usi} {known:?}");
        };
        check("7g7f", None, GuessState::Right(mv("7g7f"), 0));
        check("7g7f", Some(0), GuessState::Right(mv("7g7f"), 0));
        check("2g2f", Some(51), GuessState::Right(mv("2g2f"), 3));
        check("2g2f", Some(60), GuessState::Right(mv("2g2f"), 0));
        check("2g2f", Some(50), GuessState::Wrong(mv("2g2f"), Some(4)));
        check("2g2f", None, GuessState::Judging(mv("2g2f")));
        check("9g9f", None, GuessState::Wrong(mv("9g9f"), Some(26)));
    }

    #[test]
    fn pass_ends_with_a_result() {
        let mut pass = pass();
        pass.guess(mv("2g2f"), None);
        pass.set_searched_rate(mv("1g1f"), Some(99));
        assert_eq!(pass.state(), GuessState::Judging(mv("2g2f")), "of another move");
        pass.set_searched_rate(mv("2g2f"), None);
        assert_eq!(pass.state(), GuessState::Wrong(mv("2g2f"), None));
        pass.retry();
        pass.guess(mv("7g7f"), None);
        pass.show_answer();
        assert_eq!(pass.state(), GuessState::Right(mv("7g7f"), 0));
        pass.advance();
        assert_eq!(pass.progress(), [2, 2]);
        pass.show_answer();
        pass.guess(mv("3c3d"), None);
        assert_eq!(
            (pass.state(), pass.result()),
            (GuessState::Shown, [1, 2]),
            "the answer is known"
        );
        pass.advance();
        assert_eq!((pass.state(), pass.current()), (GuessState::Finished, None));
    }

    proptest! {
        #[test]
        fn each_mistake_is_solved_once_at_most_on_random_histories(steps in prop::collection::vec((0..5_u8, 0..100_u8), 0..40)) {
            let mut pass = pass();
            for (step, rate) in steps {
                let before = (pass.current_index, pass.result()[0]);
                match step {
                    0 => pass.guess(mv("2g2f"), Some(rate)),
                    1 => pass.guess(mv("1g1f"), None),
                    2 => pass.set_searched_rate(mv("1g1f"), Some(rate)),
                    3 => if rate < 50 { pass.retry() } else { pass.show_answer() },
                    _ => pass.advance(),
                }
                let [solved, all] = pass.result();
                prop_assert!(solved <= pass.current_index + usize::from(matches!(pass.state(), GuessState::Right(..))));
                prop_assert!(solved <= all && solved - before.1 <= 1);
                prop_assert_eq!(pass.current().is_none(), pass.state() == GuessState::Finished);
            }
        }
    }
}
