//! Random conversations between a GUI and an engine, with a relay between them that reads all lines. GUI and engine
//! follow the rules of USI, and lines may take any time to arrive. An oracle returns the position that the engine
//! searches.
//!
//! `PROPTEST_CASES=20000 cargo test -p shogibar-engine conversations` runs more conversations.

use super::GuiObserver;
use proptest::prelude::*;
use shogibar_builtin::Clocks;
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, History, Move};
use std::collections::{BTreeMap, VecDeque};

/// The starts of games. In the second, most moves are drops, which both sides could play.
const STARTS: [&str; 2] = [
    "startpos",
    "sfen 4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1",
];

/// The random decisions of a conversation.
struct Choices(std::vec::IntoIter<u32>);

impl Choices {
    /// Returns the next decision, a number below `end`; 0 after the last decision.
    fn below(&mut self, end: usize) -> usize {
        self.0
            .next()
            .map_or(0, |choice| usize::try_from(choice).unwrap() % end)
    }

    /// Returns true for one of `count` decisions.
    fn is_one_of(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// Chooses a legal move; `None` where there is no legal move.
    fn move_of(&mut self, history: &History) -> Option<Move> {
        let moves = history.now().legal_moves();
        (!moves.is_empty()).then(|| moves[self.below(moves.len())])
    }
}

/// The present search of the engine.
struct Search {
    history: History,
    /// The position after the expected move, where the search begins a move earlier.
    position_after: Option<History>,
    may_end: bool,
    /// Whether the search was requested with `go mate`.
    is_mate: bool,
    depth: usize,
    /// The number of lines that have this depth.
    rank: usize,
}

/// The simulated engine.
struct Engine {
    /// Whether a ponder search begins a move earlier (`Stochastic_Ponder`).
    is_stochastic: bool,
    multipv: usize,
    position: Option<History>,
    search: Option<Search>,
    /// The number of each position, which its values contain.
    numbers: BTreeMap<String, i32>,
    output: Vec<String>,
}

impl Engine {
    /// Executes a command of the GUI.
    fn read(&mut self, line: &str, choices: &mut Choices) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "usi" => self.output.extend(["id name A", "usiok"].map(str::to_owned)),
            "isready" => self.output.push("readyok".to_owned()),
            "setoption" => match rest.rsplit_once(' ').unwrap() {
                ("name Stochastic_Ponder value", value) => self.is_stochastic = value == "true",
                (_, value) => self.multipv = value.parse().unwrap(),
            },
            "position" => self.position = Some(History::from_usi(rest).unwrap()),
            "go" => {
                assert!(self.search.is_none(), "the GUI asks twice");
                let position = self.position.clone().unwrap();
                let before = if self.is_stochastic && rest.contains("ponder") {
                    position.without_last()
                } else {
                    None
                };
                let after = before.as_ref().map(|_| position.clone());
                let ends = !rest.contains("ponder") && rest != "infinite";
                let history = before.unwrap_or(position);
                self.search = Some(Search {
                    history,
                    position_after: after,
                    may_end: ends,
                    is_mate: rest.starts_with("mate"),
                    depth: 1,
                    rank: 0,
                });
            }
            "ponderhit" => {
                let search = self.search.as_mut().unwrap();
                search.may_end = true;
                if let Some(after) = search.position_after.take() {
                    (search.history, search.depth, search.rank) = (after, 1, 0);
                }
            }
            "stop" => self.answer(choices),
            _ => {}
        }
    }

    /// Ends the present search with an answer.
    fn answer(&mut self, choices: &mut Choices) {
        let Some(search) = self.search.take() else { return };
        let best = choices
            .move_of(&search.history)
            .map_or_else(|| "resign".to_owned(), |best| best.to_string());
        self.output.push(if search.is_mate {
            "checkmate nomate".to_owned()
        } else {
            format!("bestmove {best}")
        });
    }

    /// Prints the lines of the present search, or ends a search that may end.
    fn print(&mut self, choices: &mut Choices) {
        let next = i32::try_from(self.numbers.len()).unwrap() + 1;
        let Some(search) = &mut self.search else { return };
        if search.may_end && choices.is_one_of(6) {
            return self.answer(choices);
        }
        // All ranks at once, as Stockfish prints them: those below are one depth behind.
        search.rank += 1;
        if search.rank > self.multipv {
            (search.depth, search.rank) = (search.depth + 1 + choices.below(3), 1);
        }
        let number = *self.numbers.entry(search.history.usi()).or_insert(next);
        for rank in 1..=self.multipv {
            let depth = if rank <= search.rank {
                search.depth
            } else {
                search.depth - 1
            };
            if depth == 0 {
                continue;
            }
            let mut line = format!("info depth {depth} multipv {rank} score cp {}", number * 50);
            if choices.is_one_of(8) {
                line = line.replace(&format!("depth {depth} "), "");
            }
            if choices.is_one_of(6) {
                line += " lowerbound";
            }
            if let Some(first) = choices.move_of(&search.history)
                && !choices.is_one_of(5)
            {
                line.extend([" pv ", &first.to_string()]);
                let mut after = search.history.clone();
                after.play(first).unwrap();
                if let Some(second) = choices.move_of(&after)
                    && choices.is_one_of(2)
                {
                    line.extend([" ", &second.to_string()]);
                }
            }
            self.output.push(line);
        }
    }
}

/// The state of the simulated GUI.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    /// The GUI may start a search.
    Turn,
    /// The engine thinks about the move of the game.
    Thinking,
    /// The engine searches a position of the analysis.
    Analysing,
    /// The opponent thinks about the move of the game.
    Opponent,
    /// The opponent thinks, and the engine searches the position after this move.
    Pondering(Move),
    /// The search is stopped and its answer is not used.
    Stopped,
}

/// A conversation, and the expected results.
struct Conversation {
    choices: Choices,
    observer: GuiObserver,
    engine: Engine,
    phase: Phase,
    game: History,
    /// Whether the GUI continues before a stopped search is answered.
    is_impatient: bool,
    /// The number of answers that the impatient GUI still has to skip.
    answers_to_skip: usize,
    to_engine: VecDeque<String>,
    from_engine: VecDeque<String>,
    to_gui: VecDeque<String>,
    /// The clocks that were sent with `go ponder`.
    ponder_clocks: Option<Clocks>,
    expected_position: Option<History>,
    side: Option<Color>,
    clocks: Option<Clocks>,
    /// The number of lines of each direction that the observer still misses.
    missing_lines: [usize; 2],
    /// Whether the observer misses lines in this conversation.
    has_gap: bool,
    /// Whether the GUI sends its first lines, of which none is missing.
    is_greeting: bool,
    /// The number of values that were shown, while pondering and otherwise.
    shown_counts: [usize; 2],
}

impl Conversation {
    fn new(choices: Vec<u32>) -> Self {
        let mut choices = Choices(choices.into_iter());
        let start = STARTS[choices.below(2)];
        let (is_impatient, has_gap) = (choices.is_one_of(4), choices.is_one_of(4));
        let engine = Engine {
            is_stochastic: false,
            multipv: 1,
            position: None,
            search: None,
            numbers: BTreeMap::new(),
            output: Vec::new(),
        };
        let mut world = Self {
            choices,
            observer: GuiObserver::default(),
            engine,
            phase: Phase::Turn,
            game: History::from_usi(start).unwrap(),
            is_impatient,
            answers_to_skip: 0,
            to_engine: VecDeque::new(),
            from_engine: VecDeque::new(),
            to_gui: VecDeque::new(),
            ponder_clocks: None,
            expected_position: None,
            side: None,
            clocks: None,
            missing_lines: [0, 0],
            // An observer that neither waits for the answers nor sees all lines cannot know the position.
            has_gap: has_gap && !is_impatient,
            is_greeting: false,
            shown_counts: [0, 0],
        };
        world.greet();
        world
    }

    /// Runs the conversation to the end of the decisions. Returns the number of values that were shown, while pondering
    /// and otherwise.
    fn run(mut self) -> [usize; 2] {
        while let Some(choice) = self.choices.0.next() {
            match choice % 12 {
                0..=1 => self.act(),
                2..=4 => {
                    if let Some(line) = self.to_engine.pop_front() {
                        self.engine.read(&line, &mut self.choices);
                    }
                }
                5..=6 => self.engine.print(&mut self.choices),
                7..=9 => {
                    for _ in 0..=self.choices.below(4) {
                        self.pass_output();
                    }
                }
                _ => {
                    for _ in 0..=self.choices.below(4) {
                        self.read_line();
                    }
                }
            }
            self.from_engine.extend(self.engine.output.drain(..));
        }
        self.shown_counts
    }

    /// Lets the relay pass on a line of the engine.
    fn pass_output(&mut self) {
        let Some(line) = self.from_engine.pop_front() else {
            return;
        };
        if !self.is_missing(1) {
            self.observer.on_received(&line);
            self.check(&line);
        }
        self.to_gui.push_back(line);
    }

    fn send(&mut self, line: String) {
        if !self.is_missing(0) {
            self.observer.on_sent(&line);
            self.check(&line);
        }
        self.to_engine.push_back(line);
    }

    /// Returns whether the observer misses the next line. The first line after a gap may be missing, too, because its
    /// beginning is missing.
    fn is_missing(&mut self, direction: usize) -> bool {
        if self.has_gap
            && !self.is_greeting
            && self.missing_lines[direction] == 0
            && self.choices.is_one_of(40)
        {
            self.missing_lines[direction] = 2 + self.choices.below(8);
        }
        let remaining = self.missing_lines[direction];
        if remaining > 1 || (remaining == 1 && self.choices.is_one_of(2)) {
            self.observer.on_gap();
        }
        self.missing_lines[direction] = remaining.saturating_sub(1);
        remaining > 0
    }

    fn check(&mut self, line: &str) {
        if let Some(shown) = self.observer.shown() {
            let number = self
                .engine
                .numbers
                .get(&shown.history.usi())
                .copied()
                .unwrap_or_default();
            let sign = if shown.history.now().side_to_move() == Color::Black {
                1
            } else {
                -1
            };
            for candidate in &shown.candidates {
                assert_eq!(
                    candidate.value,
                    Value::Cp(sign * number * 50),
                    "{} at {line}",
                    shown.history.usi()
                );
                assert!(
                    candidate
                        .pv
                        .first()
                        .is_none_or(|first| shown.history.now().is_legal(*first))
                );
            }
            let is_pondering = matches!(self.phase, Phase::Pondering(_));
            self.shown_counts[usize::from(!is_pondering)] += usize::from(line.starts_with("info"));
        }
        if !self.has_gap {
            assert_eq!(
                self.observer.position().map(|position| &**position),
                self.expected_position.as_ref(),
                "at {line}"
            );
            assert_eq!(
                (self.observer.side(), self.observer.clocks()),
                (self.side, self.clocks),
                "at {line}"
            );
        }
    }

    /// Begins with `usi`, and sets options. None of these lines is lost.
    fn greet(&mut self) {
        (self.is_greeting, self.missing_lines) = (true, [0, 0]);
        let [stochastic, multipv] = [
            self.choices.is_one_of(2).to_string(),
            (1 + self.choices.below(3)).to_string(),
        ];
        for line in ["usi", "isready", "usinewgame"] {
            if line == "isready" {
                self.send(format!("setoption name Stochastic_Ponder value {stochastic}"));
                self.send(format!("setoption name MultiPV value {multipv}"));
            }
            if line == "usinewgame" {
                (self.side, self.clocks) = (None, None);
            }
            self.send(line.to_owned());
        }
        self.is_greeting = false;
    }

    /// Plays any move of the game.
    fn play(&mut self) {
        if let Some(mv) = self.choices.move_of(&self.game) {
            self.game.play(mv).unwrap();
        }
    }

    /// Returns the clocks of a command, as text.
    fn new_clocks(&mut self) -> (Clocks, String) {
        let [black, white] = [self.choices.below(1000) as u64, self.choices.below(1000) as u64];
        let clocks = Clocks {
            remaining_times: [Some(black), Some(white)],
            byoyomi: 500,
            increments: [0, 0],
        };
        (clocks, format!("btime {black} wtime {white} byoyomi 500"))
    }

    /// Starts a search of the game.
    fn go(&mut self) {
        self.expected_position = Some(self.game.clone());
        self.send_position(&self.game.usi());
        match self.choices.below(6) {
            0 => (self.side, self.phase) = (None, Phase::Analysing),
            1 => (self.side, self.phase) = (None, Phase::Thinking),
            _ => {
                let (clocks, text) = self.new_clocks();
                self.phase = Phase::Thinking;
                (self.side, self.clocks) = (Some(self.game.now().side_to_move()), Some(clocks));
                return self.send(format!("go {text}"));
            }
        }
        let limits = if self.phase == Phase::Analysing {
            "infinite"
        } else {
            "mate 1000"
        };
        self.send(format!("go {limits}"));
    }

    /// Sends `position`. The observer's position changes with the `go` after it.
    fn send_position(&mut self, text: &str) {
        let expected = std::mem::replace(
            &mut self.expected_position,
            self.observer.position().map(|now| (**now).clone()),
        );
        self.send(format!("position {text}"));
        self.expected_position = expected;
    }

    /// Starts a search of the position after an expected move.
    fn ponder(&mut self) {
        let Some(expected) = self.choices.move_of(&self.game) else {
            return;
        };
        let mut after = self.game.clone();
        after.play(expected).unwrap();
        self.expected_position = Some(self.game.clone());
        self.send_position(&after.usi());
        self.phase = Phase::Pondering(expected);
        // The times are sent now, or with `ponderhit`.
        let (clocks, text) = self.new_clocks();
        self.ponder_clocks = self.choices.is_one_of(2).then_some(clocks);
        self.send(if self.ponder_clocks.is_some() {
            format!("go ponder {text}")
        } else {
            "go ponder".to_owned()
        });
    }

    /// Plays the expected move of the opponent, and sends `ponderhit`.
    fn ponder_hit(&mut self, expected: Move) {
        self.game.play(expected).unwrap();
        self.expected_position = Some(self.game.clone());
        self.side = Some(self.game.now().side_to_move());
        self.phase = Phase::Thinking;
        let (clocks, text) = self.new_clocks();
        if self.ponder_clocks.is_none() || self.choices.is_one_of(2) {
            self.clocks = Some(clocks);
            return self.send(format!("ponderhit {text}"));
        }
        self.clocks = self.ponder_clocks;
        self.send("ponderhit".to_owned());
    }

    /// Sends `stop`, once or twice.
    fn stop(&mut self) {
        for _ in 0..=self.choices.below(2) {
            self.send("stop".to_owned());
        }
    }

    /// Stops a search whose answer is not used.
    fn abandon(&mut self) {
        self.stop();
        self.phase = if self.is_impatient {
            Phase::Turn
        } else {
            Phase::Stopped
        };
        self.answers_to_skip += usize::from(self.is_impatient);
    }

    fn act(&mut self) {
        match self.phase.clone() {
            Phase::Turn if self.answers_to_skip == 0 && self.choices.is_one_of(12) => {
                self.game = self.game.without_last().unwrap_or_else(|| self.game.clone());
                self.greet();
            }
            // A stop without a search, and a move from the GUI's book.
            Phase::Turn if self.answers_to_skip == 0 && self.choices.is_one_of(12) => self.stop(),
            Phase::Turn if self.choices.is_one_of(12) => {
                self.play();
                self.phase = Phase::Opponent;
            }
            Phase::Turn => self.go(),
            Phase::Thinking | Phase::Analysing if self.choices.is_one_of(4) => {
                if self.phase == Phase::Analysing {
                    self.abandon();
                } else {
                    self.stop();
                }
            }
            Phase::Opponent if self.answers_to_skip == 0 && self.choices.is_one_of(2) => self.ponder(),
            Phase::Opponent => {
                self.play();
                self.phase = Phase::Turn;
            }
            Phase::Pondering(expected) => match self.choices.below(6) {
                0 => self.ponder_hit(expected),
                1 => {
                    self.play();
                    self.abandon();
                }
                _ => {}
            },
            Phase::Thinking | Phase::Analysing | Phase::Stopped => {}
        }
    }

    fn read_line(&mut self) {
        let Some(line) = self.to_gui.pop_front() else {
            return;
        };
        let Some(best) = line
            .strip_prefix("bestmove ")
            .or_else(|| line.strip_prefix("checkmate "))
        else {
            return;
        };
        if self.answers_to_skip > 0 {
            self.answers_to_skip -= 1;
            return;
        }
        match self.phase {
            Phase::Thinking => {
                if let Some(best) = Move::from_usi(best) {
                    self.game.play(best).unwrap();
                }
                self.phase = Phase::Opponent;
            }
            Phase::Stopped => self.phase = Phase::Turn,
            _ => panic!("{line} in {:?}", self.phase),
        }
    }
}

proptest! {
    #[test]
    fn no_value_is_shown_under_another_position_on_random_histories(choices in prop::collection::vec(any::<u32>(), 0..900)) {
        Conversation::new(choices).run();
    }
}

#[test]
fn values_are_shown_in_most_conversations() {
    let mut seed = 1_u64;
    let mut next = move || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(seed >> 33).unwrap()
    };
    let shown: Vec<_> = (0..100)
        .map(|_| Conversation::new((0..900).map(|_| next()).collect()).run())
        .collect();
    let total = [0, 1].map(|at| shown.iter().map(|shown| shown[at]).sum::<usize>());
    assert!(total.iter().all(|count| *count > 500), "{total:?}");
}
