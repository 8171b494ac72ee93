//! A conversation that a shogi GUI leads: the position of its game, and the output of the engine.

use super::handshake::MAX_OPTIONS;
use super::{EngineIdentity, Observer, SearchInfo};
use crate::usi::{BestMove, MateAnswer, Reply, UsiCommand};
use shogibar_builtin::{Clocks, Go};
use shogibar_shogi::{Color, History, Move};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum length of an option of the GUI, with its name, in bytes. Longer options are ignored.
const MAX_OPTION_BYTES: usize = 1 << 12;

/// The activity of the engine in a conversation that a shogi GUI leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObservedState {
    /// The engine has not sent `usiok`.
    #[default]
    Starting,
    /// The engine is loading: `isready` is not answered.
    Preparing,
    /// The engine is ready and does not search.
    Idle,
    /// The engine searches the position of the game.
    Thinking,
    /// The engine searches the position after this move, which the opponent is expected to make.
    Pondering(Move),
}

/// Follows the USI conversation of a shogi GUI with an engine.
#[derive(Debug, Default)]
pub struct GuiObserver {
    observer: Observer,
    /// Whether the engine has sent `usiok`.
    has_usiok: bool,
    /// Whether an `isready` is not answered yet.
    is_preparing: bool,
    /// The options that the GUI has set, by their names.
    options: BTreeMap<String, String>,
    /// The position of the last `position` command, if it can be read.
    sent_position: Option<Arc<History>>,
    /// The position of the game.
    position: Option<Arc<History>>,
    /// The position and the best move of the last search that was answered.
    result: Option<(Arc<History>, Option<Move>)>,
    /// The side that the engine plays; `None` in an analysis.
    side: Option<Color>,
    /// The clocks of the last `go` or `ponderhit` that had clocks.
    clocks: Option<Clocks>,
    /// The position at which the clocks were sent, if it can be read.
    timed_position: Option<Arc<History>>,
    /// The clocks of a `go ponder`, which begin with `ponderhit`.
    ponder_clocks: Option<Clocks>,
    /// Whether `gameover` was sent, and no game has begun since.
    is_over: bool,
    /// The number of games begun, by `usinewgame`.
    game_count: u64,
}

impl GuiObserver {
    /// Records a line sent to the engine.
    pub fn on_sent(&mut self, line: &str) {
        self.observer.on_sent(line);
        match UsiCommand::parse(line) {
            UsiCommand::Usi => self.has_usiok = false,
            UsiCommand::IsReady => self.is_preparing = true,
            UsiCommand::SetOption(option) => self.set_option(option),
            UsiCommand::NewGame => {
                (self.side, self.clocks, self.is_over) = (None, None, false);
                self.game_count += 1;
            }
            UsiCommand::Position(text) => self.sent_position = History::from_usi(text).ok().map(Arc::new),
            UsiCommand::Go(limits) => self.on_go(limits),
            UsiCommand::PonderHit(limits) => {
                self.position.clone_from(&self.sent_position);
                let ponder_clocks = self.ponder_clocks.take();
                self.set_clocks(clocks(limits).or(ponder_clocks));
            }
            UsiCommand::GameOver(_) => self.is_over = true,
            UsiCommand::Stop | UsiCommand::Quit | UsiCommand::Other(_) => {}
        }
    }

    /// Records a line of the engine's output.
    pub fn on_received(&mut self, line: &str) {
        let observed = self.observer.on_received(line);
        let best = match &observed.reply {
            Reply::UsiOk => {
                self.has_usiok = true;
                return;
            }
            Reply::ReadyOk => {
                self.is_preparing = false;
                return;
            }
            Reply::BestMove {
                best: BestMove::Move(best),
                ..
            } => Some(*best),
            Reply::Checkmate(MateAnswer::Moves(moves)) => moves.first().copied(),
            Reply::BestMove { .. } | Reply::Checkmate(_) => None,
            _ => return,
        };
        let answered = observed
            .search
            .filter(|search| search.is_wanted && !search.is_ponder);
        if let Some(history) = answered.and_then(|search| search.history) {
            self.result = Some((history, best));
        }
    }

    /// Records that lines are missing. The position is known again with the next search.
    pub fn on_gap(&mut self) {
        self.observer.on_gap();
        self.sent_position = None;
        (self.has_usiok, self.is_preparing) = (true, false);
    }

    /// Returns the identity that the engine has declared; `None` before `usi`.
    pub fn identity(&self) -> Option<&EngineIdentity> {
        self.observer.identity()
    }

    /// Returns the options that the GUI has set, by their names.
    pub const fn options(&self) -> &BTreeMap<String, String> {
        &self.options
    }

    /// Returns the position of the game: that of the last search, without a move that is only expected. `None` before
    /// the first search, and where it cannot be read.
    pub const fn position(&self) -> Option<&Arc<History>> {
        self.position.as_ref()
    }

    /// Returns the side that the engine plays; `None` in an analysis.
    pub const fn side(&self) -> Option<Color> {
        self.side
    }

    /// Returns the clocks of the last `go` or `ponderhit` that had clocks. The engine's time began to run with that
    /// command.
    pub const fn clocks(&self) -> Option<Clocks> {
        self.clocks
    }

    /// Returns the position at which the clocks were sent; `None` where it cannot be read.
    pub const fn timed_position(&self) -> Option<&Arc<History>> {
        self.timed_position.as_ref()
    }

    /// Returns whether the game is over, by `gameover`.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the number of games begun, by `usinewgame`.
    pub const fn game_count(&self) -> u64 {
        self.game_count
    }

    /// Returns the position and the best move of the last search that was answered, unless another one is running.
    pub fn result(&self) -> Option<&(Arc<History>, Option<Move>)> {
        if self.observer.search().is_none() {
            self.result.as_ref()
        } else {
            None
        }
    }

    /// Returns the activity of the engine.
    pub fn state(&self) -> ObservedState {
        let search = self.observer.search();
        match &search {
            Some(search) if search.is_ponder => self
                .sent_position
                .as_ref()
                .and_then(|sent| sent.last_move())
                .map_or(ObservedState::Thinking, ObservedState::Pondering),
            Some(_) => ObservedState::Thinking,
            None if !self.has_usiok => ObservedState::Starting,
            None if self.is_preparing => ObservedState::Preparing,
            None => ObservedState::Idle,
        }
    }

    /// Returns the latest search output and its position; `None` before the first value.
    pub fn shown(&mut self) -> Option<SearchInfo> {
        self.observer.shown()
    }

    /// Records a `go`. The clocks of a `go ponder` are stored until `ponderhit`.
    fn on_go(&mut self, limits: &str) {
        self.result = None;
        let is_ponder = Go::parse(limits).ponder;
        if is_ponder {
            self.ponder_clocks = clocks(limits);
            self.position = self
                .sent_position
                .as_deref()
                .and_then(History::without_last)
                .map(Arc::new);
        } else {
            self.ponder_clocks = None;
            self.position.clone_from(&self.sent_position);
            self.set_clocks(clocks(limits));
        }
    }

    /// Sets the clocks. The engine plays the side to move; without clocks, the search is an analysis.
    fn set_clocks(&mut self, clocks: Option<Clocks>) {
        let mover = self
            .position
            .as_ref()
            .map(|position| position.now().side_to_move());
        self.side = clocks.and_then(|_| mover.or(self.side));
        if clocks.is_some() {
            self.clocks = clocks;
            self.timed_position.clone_from(&self.position);
        }
    }

    /// Records the text after `setoption`. Long options, and options beyond the maximum number, are left out.
    fn set_option(&mut self, option: &str) {
        let option_text = Some(option.trim_ascii()).filter(|option| option.len() <= MAX_OPTION_BYTES);
        let Some(rest) = option_text.and_then(|option| option.strip_prefix("name ")) else {
            return;
        };
        let (name, value) = rest.split_once(" value ").unwrap_or((rest, ""));
        if self.options.len() < MAX_OPTIONS || self.options.contains_key(name.trim_ascii()) {
            self.options
                .insert(name.trim_ascii().to_owned(), value.trim_ascii().to_owned());
        }
    }
}

/// Returns the clocks of a `go` or `ponderhit`; `None` where it has none.
fn clocks(limits: &str) -> Option<Clocks> {
    Some(Go::parse(limits).clocks).filter(|clocks| *clocks != Clocks::default())
}

#[cfg(test)]
mod conversations;

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a conversation. A line to the engine begins with `> `.
    fn run(lines: &[&str]) -> GuiObserver {
        let mut observer = GuiObserver::default();
        for line in lines {
            match line.strip_prefix("> ") {
                Some(sent) => observer.on_sent(sent),
                None => observer.on_received(line),
            }
        }
        observer
    }

    /// Returns the number of moves before the position of the game.
    fn move_count(observer: &GuiObserver) -> Option<usize> {
        observer.position().map(|position| position.moves().len())
    }

    #[test]
    fn a_pondered_move_is_played_with_ponderhit_only() {
        let pondering = [
            "> usi",
            "usiok",
            "> isready",
            "readyok",
            "> usinewgame",
            "> position startpos moves 7g7f 3c3d 2g2f",
            "> go ponder",
        ];
        let observer = run(&pondering);
        assert_eq!(move_count(&observer), Some(2), "the third is only expected");
        assert_eq!(
            observer.state(),
            ObservedState::Pondering(Move::from_usi("2g2f").unwrap())
        );
        assert_eq!((observer.side(), observer.clocks()), (None, None));
        let observer = run(&[&pondering[..], &["> ponderhit btime 1000 wtime 2000 byoyomi 500"]].concat());
        assert_eq!(
            (move_count(&observer), observer.state()),
            (Some(3), ObservedState::Thinking)
        );
        assert_eq!(observer.side(), Some(Color::White));
        let clocks = Clocks {
            remaining_times: [Some(1000), Some(2000)],
            byoyomi: 500,
            increments: [0, 0],
        };
        assert_eq!(observer.clocks(), Some(clocks));
        let missed = [
            "> stop",
            "bestmove 8c8d",
            "> position startpos moves 7g7f 3c3d 2h7h",
            "> go btime 1 wtime 2",
        ];
        let observer = run(&[&pondering[..], &missed].concat());
        assert_eq!((move_count(&observer), observer.result()), (Some(3), None));
        assert_eq!(observer.position().unwrap().last_move(), Move::from_usi("2h7h"));
    }

    #[test]
    fn clocks_of_go_ponder_begin_with_ponderhit() {
        let pondering = [
            "> usinewgame",
            "> position startpos moves 7g7f",
            "> go ponder btime 10 wtime 20 byoyomi 5",
        ];
        let observer = run(&pondering);
        assert_eq!((observer.side(), observer.clocks()), (None, None));
        let observer = run(&[&pondering[..], &["> ponderhit"]].concat());
        let clocks = Clocks {
            remaining_times: [Some(10), Some(20)],
            byoyomi: 5,
            increments: [0, 0],
        };
        assert_eq!(
            (observer.side(), observer.clocks()),
            (Some(Color::White), Some(clocks))
        );
        let observer = run(&[
            &pondering[..],
            &[
                "> ponderhit",
                "> position startpos moves 7g7f 3c3d 2g2f",
                "> go ponder",
            ],
        ]
        .concat());
        assert_eq!(
            observer.timed_position().unwrap().moves().len(),
            1,
            "the clocks stay with their position"
        );
    }

    #[test]
    fn an_analysis_has_no_side() {
        let observer = run(&[
            "> usi",
            "usiok",
            "> position startpos",
            "> go infinite",
            "info depth 1 score cp 5",
        ]);
        assert_eq!(
            (observer.side(), observer.state()),
            (None, ObservedState::Thinking)
        );
        let observer = run(&[
            "> usi",
            "> position startpos",
            "> go btime 0 wtime 0 byoyomi 1000",
            "bestmove 7g7f",
        ]);
        assert_eq!(observer.side(), Some(Color::Black));
        assert_eq!(observer.result().unwrap().1, Move::from_usi("7g7f"));
    }

    #[test]
    fn the_options_are_those_that_were_set_last() {
        let observer = run(&[
            "> setoption name MultiPV value 3",
            "> setoption name Clear Hash",
            "> setoption name MultiPV value 5",
            "> setoption name Book File value a b.db",
        ]);
        let expect = [("Book File", "a b.db"), ("Clear Hash", ""), ("MultiPV", "5")];
        let found: Vec<_> = observer
            .options()
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn every_phase_may_be_the_last_or_come_twice() {
        for end in [
            "> quit",
            "> usi",
            "> stop",
            "> gameover lose",
            "> ponderhit",
            "> isready",
        ] {
            let lines = [
                "> usi",
                "usiok",
                "> isready",
                "readyok",
                "> usinewgame",
                "> position startpos moves 7g7f",
                "> go ponder",
                "info depth 1 score cp 3",
                "bestmove 3c3d",
                "> position startpos",
                "> go mate 1000",
                "checkmate nomate",
                "> stop",
            ];
            for count in 0..=lines.len() {
                let observer = run(&[&lines[..count], &[end, end]].concat());
                assert_eq!(observer.is_over(), end == "> gameover lose");
            }
        }
    }
}
