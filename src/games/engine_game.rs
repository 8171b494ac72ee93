//! A game of the user against an engine: the side to move, the clocks and the end. The record has the moves.
//!
//! Pure: no I/O. `now` is the time on a clock of the caller that never goes back.

use crate::adjudicate::{Adjudicator, GameEnd};
use crate::engine_game_text::{self as words, EngineGamePhrase};
use crate::study::Document;
use crate::{EngineMessage, phrase};
use shogibar_base::Lang;
use shogibar_base::visible::file_name;
use shogibar_builtin::MOVES_TO_GO;
use shogibar_engine::options::Limit;
use shogibar_engine::usi::BestMove;
use shogibar_kifu::{ClockTime, End, Millis, NodeId, Outcome, Reason, Record, TimeControl};
use shogibar_shogi::{Color, History, Move, Position, Unsearchable};
use std::sync::Arc;
use std::time::Duration;

/// The time that an engine leaves unused in each turn, because the answer takes some time to arrive.
const CLOCK_RESERVE: Duration = Duration::from_millis(700);
/// The minimum time of a search in a game with clocks.
const MIN_MOVE_TIME: Duration = Duration::from_millis(100);

/// The settings of a game against an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineGameSettings {
    /// The name of the engine.
    pub engine: String,
    /// The side of the user.
    pub user: Color,
    /// The limit of the engine's searches. An infinite limit means that the clock decides.
    pub limit: Limit,
    /// The time control of both sides; `None` for a game without clocks.
    pub control: Option<TimeControl>,
    /// Whether the evaluation is shown during the game.
    pub shows_values: bool,
}

/// The reason why a game cannot begin in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineGameRefusal {
    /// The position is never sent to an engine.
    Unsearchable(Unsearchable),
    /// The game is over by the rules.
    Over,
}

/// The state of a game against an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineGameState {
    /// The engine is being started, or restarted. The clock is stopped.
    AwaitingEngine,
    /// The game is in progress.
    Playing,
    /// The engine has failed. The message has the reason. The clock is stopped.
    EngineFailed(EngineMessage),
    /// The user has interrupted the game.
    Interrupted,
    /// The game is over. Has the winner; `None` for a draw.
    Over(GameEnd, Option<Color>),
}

/// A game against an engine, which is played in a document.
#[derive(Debug)]
pub struct EngineGame {
    settings: EngineGameSettings,
    state: EngineGameState,
    /// The first revision of the document, which identifies its record.
    first_revision: u64,
    start_node: NodeId,
    /// The node of the last move of the game.
    tip: NodeId,
    /// The time of the current turn up to the last stop of the clock.
    used_time: Duration,
    /// The time at which the clock was started; `None` while it is stopped.
    clock_start: Option<Duration>,
}

/// A search by which the engine chooses its move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineTurn {
    /// The position to search, and the moves of the game that led to it.
    pub history: Arc<History>,
    /// The limit of the search.
    pub limit: Limit,
    /// The maximum time of the search; `None` without a clock.
    pub max_time: Option<Duration>,
}

/// Creates the record of a game that continues from the last position of a history. `from` has the player names of the
/// game that the history is from; `None` where they are not known.
///
/// # Errors
/// Fails if the position is never sent to an engine, or the game is over there.
pub fn begin_record(
    history: &History,
    settings: &EngineGameSettings,
    from: Option<&str>,
    lang: Lang,
) -> Result<Record, EngineGameRefusal> {
    history
        .now()
        .searchable()
        .map_err(EngineGameRefusal::Unsearchable)?;
    if GameEnd::from_position(history.now()).is_some() {
        return Err(EngineGameRefusal::Over);
    }
    let record = Record::from_history(history);
    let engine = words::player(
        &phrase::engine_name(file_name(&settings.engine), lang),
        settings.limit,
        lang,
    );
    let user = EngineGamePhrase::You.text(lang).to_owned();
    let names = if settings.user == Color::Black {
        [user, engine]
    } else {
        [engine, user]
    };
    let mut document = Document::new(record);
    let control = settings.control.map(words::time_control).unwrap_or_default();
    let ply = history.moves().len();
    let remark = if ply == 0 {
        String::new()
    } else {
        words::begun_from(ply, from.unwrap_or_default(), lang)
    };
    let event = EngineGamePhrase::Event.text(lang).to_owned();
    let others = [
        ("棋戦", event.as_str()),
        ("持ち時間", &control),
        ("備考", &remark),
    ];
    document.set_headers(names.each_ref().map(String::as_str), &others, None);
    Ok(document.record().clone())
}

/// Returns whether a record is of a game against an engine. Such an engine may have played below its strength.
pub fn is_engine_game(record: &Record) -> bool {
    let event = record.header("棋戦");
    [Lang::Ja, Lang::En]
        .iter()
        .any(|lang| event == Some(EngineGamePhrase::Event.text(*lang)))
}

impl EngineGame {
    /// Creates the game in a document that shows the last move of its [record](begin_record).
    pub fn new(settings: EngineGameSettings, document: &Document) -> Self {
        let tip = document.last_move();
        Self {
            settings,
            state: EngineGameState::AwaitingEngine,
            first_revision: document.first_revision(),
            start_node: tip,
            tip,
            used_time: Duration::ZERO,
            clock_start: None,
        }
    }

    /// Returns the settings with which the game was begun.
    pub const fn settings(&self) -> &EngineGameSettings {
        &self.settings
    }

    /// Returns the state of the game.
    pub const fn state(&self) -> &EngineGameState {
        &self.state
    }

    /// Returns whether the game is in progress, also while the engine is being started.
    pub const fn is_in_progress(&self) -> bool {
        matches!(
            self.state,
            EngineGameState::AwaitingEngine | EngineGameState::Playing
        )
    }

    /// Returns whether the document has the record of this game, with its last move.
    pub fn is_in(&self, document: &Document) -> bool {
        document.first_revision() == self.first_revision && document.record().is_attached(self.tip)
    }

    /// Returns whether a document shows the newest position.
    pub fn is_at_tip(&self, document: &Document) -> bool {
        document.last_move() == self.tip
    }

    /// Returns whether the clock of a side is running.
    pub const fn is_clock_running(&self) -> bool {
        self.settings.control.is_some() && self.clock_start.is_some()
    }

    /// Returns the side to move.
    pub fn mover(&self, document: &Document) -> Color {
        mover_after(document.record(), self.tip)
    }

    /// Returns whether the user is to move.
    pub fn is_users_turn(&self, document: &Document) -> bool {
        self.is_in_progress() && self.mover(document) == self.settings.user
    }

    /// Returns the winner; `None` for a draw, and while the game is not over.
    pub const fn winner(&self) -> Option<Color> {
        if let EngineGameState::Over(_, winner) = self.state {
            winner
        } else {
            None
        }
    }

    /// Starts the clock if the engine is ready, and stops it otherwise.
    pub fn set_engine_ready(&mut self, is_ready: bool, now: Duration) {
        if self.is_in_progress() {
            self.state = if is_ready {
                EngineGameState::Playing
            } else {
                EngineGameState::AwaitingEngine
            };
            self.run_clock(is_ready, now);
        }
    }

    /// Stops the game because the engine has failed for good. [`resume`](Self::resume) continues the game after the
    /// engine was restarted.
    pub fn fail(&mut self, why: EngineMessage, now: Duration) {
        if self.is_in_progress() {
            self.stop_clock(EngineGameState::EngineFailed(why), now);
        }
    }

    /// Plays a move of the user. Returns whether the move was played: only a legal move in the user's turn is.
    pub fn play(&mut self, document: &mut Document, mv: Move, now: Duration) -> bool {
        self.is_users_turn(document) && self.add(document, mv, now)
    }

    /// Applies the `bestmove` of the engine: plays the move, or ends the game.
    pub fn apply_best_move(&mut self, document: &mut Document, best: BestMove, now: Duration) {
        if !self.is_in_progress() || self.mover(document) == self.settings.user {
            return;
        }
        match Adjudicator::interpret(document.history_at(self.tip).now(), best) {
            Ok(mv) => _ = self.add(document, mv, now),
            Err(end) => self.end(document, end, now),
        }
    }

    /// Ends the game if the side to move has no time left.
    pub fn check_clock(&mut self, document: &mut Document, now: Duration) {
        let control = match self.settings.control {
            Some(control) if self.is_in_progress() => control,
            _ => return,
        };
        let main = self.main_remaining(document, control, self.mover(document));
        if control.during(main, millis(self.spent(now))).is_none() {
            self.end(document, GameEnd::TimeUp, now);
        }
    }

    /// Resigns for the user, in the turn of either side.
    pub fn resign(&mut self, document: &mut Document, now: Duration) {
        if self.is_in_progress() {
            let winner = Some(self.settings.user.flip());
            self.stop_clock(EngineGameState::Over(GameEnd::Resignation, winner), now);
            self.write_end(
                document,
                End::new(Reason::Resignation, Outcome::Win(self.settings.user.flip()), ""),
            );
        }
    }

    /// Declares a win for the user if the rules allow the declaration.
    pub fn declare(&mut self, document: &mut Document, now: Duration) {
        if self.is_users_turn(document) && document.history_at(self.tip).now().can_declare_win() {
            self.end(document, GameEnd::Declaration, now);
        }
    }

    /// Returns whether the user may declare a win in the position `now`, which the document shows.
    pub fn can_declare(&self, document: &Document, now: &Position) -> bool {
        self.is_at_tip(document) && self.is_users_turn(document) && now.can_declare_win()
    }

    /// Interrupts the game.
    pub fn interrupt(&mut self, document: &mut Document, now: Duration) {
        if self.is_in_progress() || matches!(self.state, EngineGameState::EngineFailed(_)) {
            self.stop_clock(EngineGameState::Interrupted, now);
            self.write_end(document, End::new(Reason::Interruption, Outcome::Open, ""));
        }
    }

    /// Continues after an interruption, or after a failure of the engine. The engine has to be restarted.
    pub fn resume(&mut self, document: &mut Document) {
        if matches!(
            self.state,
            EngineGameState::Interrupted | EngineGameState::EngineFailed(_)
        ) {
            self.remove_end(document);
            self.state = EngineGameState::AwaitingEngine;
            document.go(self.tip);
        }
    }

    /// Takes back the last move of the user and all later moves. If the user has resigned or lost on time, takes back
    /// only this end.
    pub fn take_back(&mut self, document: &mut Document, now: Duration) {
        let Some(node) = self.take_back_node(document) else {
            return;
        };
        self.remove_end(document);
        document.delete_after(node);
        (self.tip, self.used_time) = (node, Duration::ZERO);
        document.go(node);
        let is_ready = self.state == EngineGameState::Playing;
        self.clock_start = is_ready.then_some(now);
        if !is_ready {
            self.state = EngineGameState::AwaitingEngine;
        }
    }

    /// Returns whether there is a move to take back.
    pub fn can_take_back(&self, document: &Document) -> bool {
        self.take_back_node(document).is_some()
    }

    /// Returns the node at which the game continues after a move is taken back; `None` if the user has made no move.
    fn take_back_node(&self, document: &Document) -> Option<NodeId> {
        let record = document.record();
        let gives_up = matches!(
            self.state,
            EngineGameState::Over(GameEnd::Resignation | GameEnd::TimeUp, _)
        );
        if gives_up && self.winner() == Some(self.settings.user.flip()) {
            return Some(self.tip);
        }
        let path = std::iter::once(NodeId::START).chain(record.path(self.tip));
        let moves: Vec<NodeId> = path.skip_while(|node| *node != self.start_node).collect();
        // The last move of the user was made at the last node in which the user was to move, before the tip.
        moves
            .into_iter()
            .rev()
            .skip(1)
            .find(|node| mover_after(record, *node) == self.settings.user)
    }

    /// Returns the search for the engine's move; `None` while the engine is not to move.
    pub fn engine_turn(&self, document: &Document) -> Option<EngineTurn> {
        let engine = self.settings.user.flip();
        if !self.is_in_progress() || self.mover(document) != engine {
            return None;
        }
        let max_time = self.settings.control.map(|control| {
            let Millis(main) = self.main_remaining(document, control, engine);
            let (main, extra) = (
                Duration::from_millis(main),
                Duration::from_millis(control.byoyomi.0 + control.increment.0),
            );
            let all = main + Duration::from_millis(control.byoyomi.0);
            // The time that the engine has used in this turn is subtracted.
            (main / MOVES_TO_GO + extra)
                .min(all)
                .saturating_sub(self.used_time + CLOCK_RESERVE)
                .max(MIN_MOVE_TIME)
        });
        Some(EngineTurn {
            history: Arc::new(document.history_at(self.tip)),
            limit: self.settings.limit,
            max_time,
        })
    }

    /// Returns the clocks of Black and White; `None` without a time control.
    pub fn clocks(&self, document: &Document, now: Duration) -> Option<[ClockTime; 2]> {
        let control = self.settings.control?;
        Some([Color::Black, Color::White].map(|side| {
            let main = self.main_remaining(document, control, side);
            let thought = if side == self.mover(document) {
                millis(self.spent(now))
            } else {
                Millis(0)
            };
            ClockTime::Remaining(control.during(main, thought).unwrap_or_default())
        }))
    }

    fn main_remaining(&self, document: &Document, control: TimeControl, side: Color) -> Millis {
        let record = document.record();
        let path = record.path(self.tip);
        let since = path
            .iter()
            .position(|node| *node == self.start_node)
            .map_or(0, |at| at + 1);
        let moves = path
            .get(since..)
            .unwrap_or_default()
            .iter()
            .filter(|node| mover_after(record, **node) != side);
        control.main_remaining(moves.filter_map(|node| record.node(*node).time.spent))
    }

    /// Returns the time of the current turn up to now.
    fn spent(&self, now: Duration) -> Duration {
        self.used_time
            + self
                .clock_start
                .map_or(Duration::ZERO, |since| now.saturating_sub(since))
    }

    /// Starts or stops the clock.
    fn run_clock(&mut self, runs: bool, now: Duration) {
        if runs != self.clock_start.is_some() {
            self.used_time = self.spent(now);
            self.clock_start = runs.then_some(now);
        }
    }

    fn stop_clock(&mut self, state: EngineGameState, now: Duration) {
        self.run_clock(false, now);
        self.state = state;
    }

    /// Adds a legal move, and begins the next turn. Returns `false` without a change if the game is over or the move is
    /// illegal.
    fn add(&mut self, document: &mut Document, mv: Move, now: Duration) -> bool {
        self.check_clock(document, now);
        if !self.is_in_progress() {
            return false;
        }
        let Ok(node) = document.add_played(self.tip, mv, whole_seconds(self.spent(now))) else {
            return false;
        };
        (self.tip, self.used_time) = (node, Duration::ZERO);
        self.clock_start = self.clock_start.map(|_| now);
        if let Some(end) = GameEnd::from_position(document.history_at(node).now()) {
            self.end(document, end, now);
        }
        true
    }

    fn end(&mut self, document: &mut Document, end: GameEnd, now: Duration) {
        let (written, winner) = (
            end.record_end(self.mover(document)),
            end.winner(self.mover(document)),
        );
        self.stop_clock(EngineGameState::Over(end, winner), now);
        self.write_end(document, written);
    }

    fn write_end(&self, document: &mut Document, end: End) {
        document.end_after(self.tip, end);
    }

    fn remove_end(&self, document: &mut Document) {
        let record = document.record();
        let ends: Vec<_> = record
            .children(self.tip)
            .filter(|child| record.node(*child).end().is_some())
            .collect();
        for end in ends {
            document.delete(end);
        }
    }
}

fn mover_after(record: &Record, node: NodeId) -> Color {
    let first = record.start().side_to_move();
    if record.node(node).ply().is_multiple_of(2) {
        first
    } else {
        first.flip()
    }
}

/// Returns the time of a move for the record, in whole seconds: most formats have no fractions.
const fn whole_seconds(time: Duration) -> Millis {
    Millis(1000 * time.as_secs())
}

fn millis(time: Duration) -> Millis {
    Millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests;
