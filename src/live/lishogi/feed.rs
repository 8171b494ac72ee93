//! The decisions of the feed, without socket and clock.

use crate::game::{LiveGame, SourceEvent, SourceProblem, SourceState};
use crate::retry::{RetryPauses, TOO_MANY_REQUESTS_PAUSE};
use serde_json::Value;
use shogibar_kifu::Record;
use shogibar_shogi::{Color, History, Move, Position};
use std::sync::Arc;
use std::time::Duration;

/// The longest line of the feed, in bytes.
pub const MAX_FEED_LINE_BYTES: usize = 64 << 10;

/// An input of the core that follows the feed of lishogi TV.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedEvent {
    /// A line, without its end.
    Line(Vec<u8>),
    /// The feed could not be opened, or has ended.
    Closed(SourceProblem),
    /// The deadline has passed.
    Deadline,
}

/// An output of the core that follows the feed of lishogi TV.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FeedEffect {
    /// Open the feed.
    Open,
    /// Report an event.
    Report(SourceEvent),
}

#[derive(Debug)]
struct FeaturedGame {
    id: String,
    /// The names of Black and White.
    names: [Option<String>; 2],
    history: History,
}

/// The state machine of the feed.
#[derive(Debug)]
pub struct FeedCore {
    pauses: RetryPauses,
    now: Duration,
    deadline: Option<Duration>,
    /// The number of failures in a row.
    failures: u32,
    /// The game that is shown; `None` if it is not a shogi game, and before the first.
    game: Option<FeaturedGame>,
    state: Option<SourceState>,
    effects: Vec<FeedEffect>,
}

impl FeedCore {
    /// Starts at the time `now`. Returns the core and its first effects.
    pub fn start(pauses: RetryPauses, now: Duration) -> (Self, Vec<FeedEffect>) {
        let mut core = Self {
            pauses,
            now,
            deadline: None,
            failures: 0,
            game: None,
            state: None,
            effects: Vec::new(),
        };
        core.set_state(SourceState::Waiting);
        core.effects.push(FeedEffect::Open);
        let effects = std::mem::take(&mut core.effects);
        (core, effects)
    }

    /// Returns when [`FeedEvent::Deadline`] is due; `None` while the feed is open.
    pub const fn deadline(&self) -> Option<Duration> {
        self.deadline
    }

    /// Applies one event at the time `now`, and returns the effects.
    pub fn step(&mut self, now: Duration, event: FeedEvent) -> Vec<FeedEffect> {
        self.now = now;
        match event {
            FeedEvent::Line(line) => self.on_line(&line),
            FeedEvent::Closed(problem) => {
                self.failures += 1;
                let min_pause = match problem {
                    SourceProblem::TooManyRequests => TOO_MANY_REQUESTS_PAUSE,
                    _ => Duration::ZERO,
                };
                let pause = self.pauses.after(self.failures).max(min_pause);
                self.deadline = Some(now + pause);
                self.set_state(SourceState::Lost {
                    problem,
                    retry_in: pause,
                });
            }
            FeedEvent::Deadline => {
                if self.deadline.is_some_and(|at| at <= now) {
                    self.deadline = None;
                    self.effects.push(FeedEffect::Open);
                }
            }
        }
        std::mem::take(&mut self.effects)
    }

    fn on_line(&mut self, line: &[u8]) {
        // A server-sent event has its JSON after `data:`.
        let json = line.strip_prefix(b"data:").unwrap_or(line).trim_ascii();
        let Ok(message) = serde_json::from_slice::<Value>(json) else {
            return;
        };
        let Some(data) = message.get("d") else { return };
        self.failures = 0;
        match message.get("t").and_then(Value::as_str) {
            Some("featured") => self.on_featured(data),
            Some("sfen") => self.on_position(data),
            _ => {}
        }
    }

    /// Begins another game.
    fn on_featured(&mut self, data: &Value) {
        let text = |key: &str| data.get(key).and_then(Value::as_str);
        let position = text("sfen").and_then(parse_position);
        let (Some(id), Some(position)) = (text("id").filter(|id| id.len() <= 64), position) else {
            // The featured game is of another kind, such as minishogi.
            self.game = None;
            return self.set_state(SourceState::Waiting);
        };
        let names = ["sente", "gote"].map(|color| player_name(data.get("players")?, color));
        self.game = Some(FeaturedGame {
            id: id.to_owned(),
            names,
            history: History::new(position),
        });
        self.report();
    }

    /// Applies the next position of the game.
    fn on_position(&mut self, data: &Value) {
        let Some(game) = &mut self.game else { return };
        let Some(next) = data.get("sfen").and_then(Value::as_str).and_then(parse_position) else {
            return;
        };
        if is_same_position(&next, game.history.now()) {
            return;
        }
        let last_move = data.get("lm").and_then(Value::as_str).and_then(Move::from_usi);
        let legal = game.history.now().legal_moves();
        let mv = last_move.into_iter().chain(legal).find(|mv| {
            let mut after = game.history.now().without_history();
            after.play(*mv).is_ok() && is_same_position(&after, &next)
        });
        // After a gap, or a take-back, the game continues from the position.
        match mv {
            Some(mv) if game.history.play(mv).is_ok() => {}
            _ => game.history = History::new(next),
        }
        self.report();
    }

    fn report(&mut self) {
        let Some(game) = &self.game else { return };
        let Some(record) = record_of(game) else { return };
        let live = LiveGame::from_record(game.id.clone(), Arc::new(record));
        self.effects.push(FeedEffect::Report(SourceEvent::Game(live)));
        self.set_state(SourceState::Live);
    }

    fn set_state(&mut self, state: SourceState) {
        if self.state.as_ref() != Some(&state) {
            self.state = Some(state.clone());
            self.effects.push(FeedEffect::Report(SourceEvent::State(state)));
        }
    }
}

/// Parses a position. lishogi omits the move number, and may omit empty hands.
fn parse_position(sfen: &str) -> Option<Position> {
    let mut fields: Vec<&str> = sfen.split_whitespace().take(4).collect();
    if fields.len() == 2 {
        fields.push("-");
    }
    if fields.len() == 3 {
        fields.push("1");
    }
    Position::from_sfen(&fields.join(" ")).ok()
}

/// Returns whether board, hands and side to move are the same.
fn is_same_position(one: &Position, two: &Position) -> bool {
    let board = |position: &Position| {
        position
            .sfen()
            .rsplit_once(' ')
            .map_or_else(String::new, |(board, _number)| board.to_owned())
    };
    board(one) == board(two)
}

fn player_name(players: &Value, color: &str) -> Option<String> {
    let player = match players {
        Value::Array(players) => players
            .iter()
            .find(|player| player.get("color").and_then(Value::as_str) == Some(color))?,
        _ => players.get(color)?,
    };
    let name = player
        .get("user")
        .and_then(|user| user.get("name"))
        .or_else(|| player.get("name"));
    let name = name.and_then(Value::as_str)?.trim();
    Some(name.chars().filter(|c| !c.is_control()).take(64).collect()).filter(|name: &String| !name.is_empty())
}

fn record_of(game: &FeaturedGame) -> Option<Record> {
    let text = format!("position {}\n", game.history.usi());
    let mut record = shogibar_kifu::read(text.as_bytes()).ok()?.into_first()?.0;
    for (color, name) in [Color::Black, Color::White].into_iter().zip(&game.names) {
        let key = if color == Color::Black { "先手" } else { "後手" };
        if let Some(name) = name {
            record.headers_mut().push((key.to_owned(), name.clone()));
        }
    }
    Some(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";

    /// Returns the id and the number of moves of each reported game.
    fn games(effects: &[FeedEffect]) -> Vec<(String, usize)> {
        let game = |effect: &FeedEffect| match effect {
            FeedEffect::Report(SourceEvent::Game(game)) => Some((game.id.clone(), game.record.len())),
            _ => None,
        };
        effects.iter().filter_map(game).collect()
    }

    #[test]
    fn reads_both_framings_and_gaps() {
        for frame in ["", "data: ", "data:"] {
            let (mut core, _) = FeedCore::start(RetryPauses::default(), Duration::ZERO);
            let mut games_after = |json: &str| {
                games(&core.step(Duration::ZERO, FeedEvent::Line(format!("{frame}{json}").into())))
            };
            let players = r#"[{"color":"sente","user":{"name":"A"}},{"color":"gote","name":"B"}]"#;
            let featured =
                format!(r#"{{"t":"featured","d":{{"id":"abcdEFGH","players":{players},"sfen":"{START}"}}}}"#);
            assert_eq!(games_after(&featured), [("abcdEFGH".to_owned(), 0)]);
            let one = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";
            let sfen =
                |sfen: &str, lm: &str| format!(r#"{{"t":"sfen","d":{{"sfen":"{sfen}","lm":"{lm}"}}}}"#);
            assert_eq!(games_after(&sfen(one, "7g7f")), [("abcdEFGH".to_owned(), 1)]);
            assert_eq!(games_after(&sfen(one, "7g7f")), []);
            // The position has no move; the move is found from it.
            let two = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b -";
            assert_eq!(games_after(&sfen(two, "?")), [("abcdEFGH".to_owned(), 2)]);
            assert_eq!(games_after(&sfen(START, "7g7f")), [("abcdEFGH".to_owned(), 0)]);
            for odd in [
                "",
                ": keep-alive",
                "{",
                "null",
                r#"{"t":"sfen"}"#,
                r#"{"t":"sfen","d":{"sfen":"x"}}"#,
                "event: a",
            ] {
                assert_eq!(games_after(odd), []);
            }
        }
    }

    #[test]
    fn waits_a_minute_when_asked_to() {
        let (mut core, _) = FeedCore::start(RetryPauses::default(), Duration::ZERO);
        core.step(Duration::ZERO, FeedEvent::Closed(SourceProblem::TooManyRequests));
        assert_eq!(core.deadline(), Some(Duration::from_mins(1)));
        assert_eq!(core.step(Duration::from_secs(59), FeedEvent::Deadline), []);
        assert_eq!(
            core.step(Duration::from_mins(1), FeedEvent::Deadline),
            [FeedEffect::Open]
        );
    }
}
