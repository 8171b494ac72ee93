//! `shogibar explain`: what the bar would have shown for a log, line by line.

use super::lines::{open, read_line};
use super::{CliOutcome, Streams};
use crate::cli::command_error::CommandError;
use serde::Serialize;
use shogibar_engine::observer::{ObservedReply, Observer, PvUpdate, TrackedSearch, legal_prefix_len};
use shogibar_engine::usi::log::{Direction, LogEntry, LogLine, LogReader};
use shogibar_engine::usi::tokens::Tokens;
use shogibar_engine::usi::{Info, MateAnswer, Reply};
use shogibar_shogi::score::{Bound, Value, WinRateModel};
use shogibar_shogi::{Color, Notation};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The arguments of `shogibar explain`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The log, or `-` for standard input
    log: PathBuf,
    /// The scale K from centipawns to win rates
    #[arg(long, default_value_t = WinRateModel::DEFAULT_K)]
    k: f64,
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let mut input = open(&arguments.log, &mut *streams.input)?;
    // The engines of one log are distinguished by their numbers.
    let mut explainers = BTreeMap::new();
    let (mut reader, mut line) = (LogReader::default(), Vec::new());
    let (mut lines, mut entries) = (0, 0);
    while read_line(&mut *input, &mut line)
        .map_err(|error| CommandError::Log(arguments.log.clone(), error))?
    {
        lines += 1;
        let Some(LogLine { engine, entry }) = reader.read(&line) else {
            continue;
        };
        entries += 1;
        let explainer = explainers
            .entry(engine)
            .or_insert_with(|| Explainer::new(WinRateModel::new(arguments.k)));
        if let Some(explained) = explainer.explain(lines, &entry) {
            streams.out.write_json_line(&explained)?;
        }
    }
    anyhow::ensure!(
        lines == 0 || entries > 0,
        CommandError::NoLog(arguments.log.clone())
    );
    Ok(CliOutcome::Done)
}

/// The output for one line; the fields are in the order of the JSON.
#[derive(Debug, Default, Serialize)]
struct Explained {
    line: usize,
    sfen: Option<String>,
    ply: Option<u16>,
    depth: Option<u32>,
    /// The rank of the line among the candidates, from 1.
    multipv: u32,
    /// The score from Black's view, in centipawns.
    cp: Option<i32>,
    /// The plies until mate; negative if White wins.
    mate: Option<i64>,
    bound: Option<&'static str>,
    /// Black's win rate, 0 to 1.
    win: Option<f64>,
    /// The legal moves of the line, in USI.
    pv: Vec<String>,
    /// The moves of `pv` in Japanese notation.
    words: Vec<String>,
    /// Whether the bar would have shown this line.
    #[serde(rename = "shown")]
    is_shown: bool,
    bestmove: Option<String>,
}

/// The state of an explanation, which follows a log as the live bar follows its engine.
struct Explainer {
    model: WinRateModel,
    observer: Observer,
}

impl Explainer {
    fn new(model: WinRateModel) -> Self {
        Self {
            model,
            observer: Observer::default(),
        }
    }

    /// Returns the output for the line with this number. Returns `None` if the line has neither a score nor an answer.
    fn explain(&mut self, line: usize, entry: &LogEntry<'_>) -> Option<Explained> {
        let text = entry.text();
        match entry.direction {
            Direction::Output => self.on_received(line, &text),
            Direction::Sent => {
                self.observer.on_sent(&text);
                None
            }
            Direction::Stderr | Direction::Note => None,
        }
    }

    fn on_received(&mut self, line: usize, text: &str) -> Option<Explained> {
        let ObservedReply {
            reply,
            search,
            update,
        } = self.observer.on_received(text);
        let mut explained = Explained {
            line,
            multipv: 1,
            is_shown: update == Some(PvUpdate::Accepted),
            ..Explained::default()
        };
        match &reply {
            Reply::Info(info) => self.explain_info(&mut explained, search.as_ref(), info)?,
            Reply::BestMove { .. } => explained.bestmove = Tokens::new(text).nth(1).map(str::to_owned),
            Reply::Checkmate(checkmate) => explained.bestmove = checkmate_word(checkmate),
            _ => return None,
        }
        if let Some(history) = search.as_ref().and_then(|search| search.history.as_ref()) {
            explained.sfen = Some(history.now().sfen());
            explained.ply = Some(history.now().move_number());
            // A final answer is not compared with an earlier value: the bar shows it if its search is still wanted.
            explained.is_shown |=
                explained.bestmove.is_some() && search.as_ref().is_some_and(|search| search.is_wanted);
        }
        Some(explained)
    }

    /// Enters the values of an `info` line. Returns `None` if the line has no score.
    fn explain_info(
        &self,
        explained: &mut Explained,
        search: Option<&TrackedSearch>,
        info: &Info,
    ) -> Option<()> {
        let score = info.score?;
        explained.depth = info.depth;
        explained.multipv = info.rank();
        let Some(search) = search else { return Some(()) };
        if let Some((value, bound)) = search.score_for_black(score) {
            self.explain_value(explained, value, bound);
        }
        if let Some(history) = &search.history {
            let pv = info
                .pv
                .get(..legal_prefix_len(history.now(), &info.pv))
                .unwrap_or_default();
            explained.pv = pv.iter().map(ToString::to_string).collect();
            // The line is in the default notation, as `shogibar notate` writes it.
            explained.words = Notation::default().notate_line(history, pv);
        }
        Some(())
    }

    fn explain_value(&self, explained: &mut Explained, value: Value, bound: Option<Bound>) {
        explained.win = Some(self.model.win_rate(value));
        explained.bound = bound.map(|bound| match bound {
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        });
        match value {
            Value::Cp(cp) => explained.cp = Some(cp),
            Value::Mate {
                winner,
                plies: Some(plies),
            } => {
                explained.mate = Some(if winner == Color::Black {
                    plies.into()
                } else {
                    -i64::from(plies)
                });
            }
            Value::Mate { plies: None, .. } | Value::Won(_) => {}
        }
    }
}

/// Returns the first move of a mate, or the word of an answer without moves.
fn checkmate_word(checkmate: &MateAnswer) -> Option<String> {
    match checkmate {
        MateAnswer::Moves(moves) => moves.first().map(ToString::to_string),
        MateAnswer::NoMate => Some("nomate".to_owned()),
        MateAnswer::Timeout => Some("timeout".to_owned()),
        MateAnswer::NotImplemented => Some("notimplemented".to_owned()),
    }
}
