//! The state of a game as JSON, as `docs/commands.md` describes it.

use super::snapshot::GameSnapshot;
use serde::Serialize;
use shogibar_base::Lang;
use shogibar_engine::observer::Candidate;
use shogibar_facts::{Ease, EaseLevel};
use shogibar_games::bar::{BarView, EngineReport, TurningCard, is_settled};
use shogibar_games::phrase;
use shogibar_games::report::JsonFact;
use shogibar_kifu::ClockTime;
use shogibar_programme::ShownTurningPoint;
use shogibar_shogi::score::WinRateModel;
use shogibar_shogi::{History, Notation, side_name};

/// The state of all games, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct StateObject<'a> {
    pub(super) games: Vec<&'a GameState>,
    pub(super) swings: Vec<SwingState<'a>>,
}

/// A move with a large loss. The JSON field `move` has the words of the move.
#[derive(Debug, Serialize)]
pub(super) struct SwingState<'a> {
    pub(super) game: usize,
    /// The number of moves up to the position; `None` where only numbers are shown.
    pub(super) ply: Option<usize>,
    #[serde(rename = "move")]
    pub(super) words: Option<&'a str>,
    /// The loss, in points of win rate.
    pub(super) loss: u8,
    /// The time at which the move was first seen, in universal time by ISO 8601.
    pub(super) time: String,
    /// The time at which the move was first seen, in seconds since 1970.
    #[serde(skip)]
    pub(super) seconds: u64,
}

/// The state of a game as JSON, in Black's view. `docs/commands.md` describes the fields.
#[expect(clippy::struct_excessive_bools, reason = "each flag is a field of the JSON")]
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct GameState {
    id: usize,
    names: [String; 2],
    ply: Option<usize>,
    last: Option<String>,
    pub(super) sfen: Option<String>,
    to_move: Option<&'static str>,
    win: Option<f64>,
    cp: Option<i32>,
    mate: Option<i64>,
    stale: bool,
    candidates: Vec<CandidateState>,
    engine: Option<String>,
    depth: Option<u32>,
    nodes: Option<u64>,
    nps: Option<u64>,
    clocks: [Option<String>; 2],
    /// The kind of each clock: `left` or `used`.
    clock_kinds: [Option<&'static str>; 2],
    pub(super) history: Vec<Option<f64>>,
    /// Black's win rates by background searches, for plies without a value in `history`.
    pub(super) filled: Vec<Option<f64>>,
    loss: Option<u8>,
    /// The origin of the loss: `search` while the game is watched, `analysis` once the evaluations in the record judge it.
    loss_by: Option<&'static str>,
    /// The proved facts about the position. Empty while the evaluation is hidden.
    facts: Vec<JsonFact>,
    /// The sentence about the last move if its loss is large, otherwise about the position.
    sentence: Option<String>,
    sentence_en: Option<String>,
    /// The ease of finding the best move, by the depth from which the engine ranks it first.
    ease: Option<EaseLevel>,
    /// The proved facts about the last move, if its loss is large.
    last_facts: Vec<JsonFact>,
    /// The turning point that is announced; `None` while none is.
    turning_point: Option<TurningPointState>,
    ended: Option<EndState>,
    /// Whether everything that tells a move or the position is left out.
    numbers_only: bool,
    /// The delay behind the game: a number of moves or of seconds, `5`, `30s`, `end`; `0` without one.
    delay: String,
    locked: bool,
    /// Whether the user plays the game, so that nothing evaluates it.
    own_game: bool,
    credit: Option<String>,
    #[serde(skip)]
    pub(super) last_move: Option<String>,
}

/// A candidate of the engine, as JSON.
#[derive(Clone, Debug, Serialize)]
struct CandidateState {
    rank: u32,
    /// The move, in USI.
    #[serde(rename = "move")]
    mv: String,
    /// The moves of the pv in words.
    words: Vec<String>,
    win: f64,
    cp: Option<i32>,
    mate: Option<i64>,
    pv: Vec<String>,
}

/// An announced turning point, as JSON. A text that is not known or not shown is `None`.
#[derive(Clone, Debug, Serialize)]
struct TurningPointState {
    /// The number of the announcement. The same turning point announced again has another number.
    number: u64,
    ply: Option<usize>,
    #[serde(rename = "move")]
    words: Option<String>,
    /// The side that lost by the move.
    side: Option<&'static str>,
    /// The loss, in points of win rate.
    loss: u8,
    /// Black's win rates before the move and after it.
    before: f64,
    after: f64,
    better: Option<String>,
    better_en: Option<String>,
    sentence: Option<String>,
    sentence_en: Option<String>,
}

impl TurningPointState {
    fn new(shown: &ShownTurningPoint, card: &TurningCard) -> Option<Self> {
        let moment = &shown.moment;
        let [before, after] = moment.shares?.map(rounded);
        let [better, better_en] = moment.better_move.each_ref().map(|text| non_empty(text));
        let [sentence, sentence_en] = moment.reason.each_ref().map(|text| non_empty(text));
        Some(Self {
            number: shown.number,
            ply: moment.ply,
            words: non_empty(&card.word),
            side: moment.winner.map(|winner| side_name(winner.flip())),
            loss: moment.loss?,
            before,
            after,
            better,
            better_en,
            sentence,
            sentence_en,
        })
    }
}

/// The end of a game, as JSON.
#[derive(Clone, Debug, Serialize)]
struct EndState {
    winner: Option<&'static str>,
    words: String,
}

impl GameState {
    /// Creates the state of a game from the content of its bar, in the language of `view`. `id` is the number of the
    /// game.
    pub(super) fn new(id: usize, game: &GameSnapshot, view: &BarView) -> Self {
        let bar = &game.frame.bar;
        let (history, report, choices) = (&bar.history, game.frame.report.as_ref(), &game.choices);
        let engine = view.lead();
        let clocks = [view.black.clock, view.white.clock];
        let mut found = Self {
            id,
            names: [&view.black, &view.white].map(|side| side.name.clone()),
            to_move: view.to_move.map(side_name),
            stale: view.is_stale || engine.is_elsewhere,
            engine: non_empty(&engine.reported_name).or_else(|| non_empty(&engine.name)),
            clocks: clocks.map(|clock| clock.map(phrase::clock_time)),
            clock_kinds: clocks.map(|clock| clock.map(clock_kind)),
            ended: bar.ending.map(|ending| EndState {
                winner: ending.winner.map(side_name),
                words: match &view.decided_win {
                    Some(end) if !view.is_hidden => end.text.clone(),
                    _ => String::new(),
                },
            }),
            numbers_only: choices.numbers_only,
            delay: choices.delay.to_string(),
            locked: game.is_locked,
            own_game: choices.is_own_game,
            credit: non_empty(choices.credit.as_str()),
            ..Self::default()
        };
        let is_evaluated = bar.ending.is_none() && bar.doubt.is_none();
        if !view.is_hidden {
            let announced = game.frame.turning_point.as_ref().zip(view.turning_card.as_ref());
            found.turning_point = announced.and_then(|(shown, card)| TurningPointState::new(shown, card));
            found.win = view.share.map(rounded);
            found.loss = view.last_loss;
            found.loss_by = view
                .last_loss
                .map(|_| if view.is_loss_judged { "analysis" } else { "search" });
            found.history = view.graph.iter().map(|share| share.map(rounded)).collect();
            found.filled = view
                .filled_shares
                .iter()
                .map(|share| share.map(rounded))
                .collect();
            if is_evaluated
                && let Some(best) = report.and_then(|report| report.snapshot.search_info.as_ref()?.best())
            {
                (found.cp, found.mate) = (best.value.cp(), best.value.mate());
            }
        }
        if choices.numbers_only {
            return found;
        }
        let stats = report
            .and_then(|report| report.snapshot.search_info.as_ref())
            .map(|info| info.stats);
        found.ply = Some(history.moves().len());
        found.last = non_empty(&view.position_text[1]);
        found.sfen = Some(history.now().sfen());
        found.last_move = history.moves().last().map(ToString::to_string);
        found.depth = stats.and_then(|stats| stats.depth);
        found.nodes = stats.and_then(|stats| stats.nodes);
        found.nps = stats.and_then(|stats| stats.nps);
        if !view.is_hidden {
            let (facts, last) = (bar.facts(), bar.shown_reason(view));
            let sentence = |lang| match last {
                Some(last) => last.sentence(lang).to_owned(),
                None => bar.sentence(&facts, lang),
            };
            (found.sentence, found.sentence_en) =
                (non_empty(&sentence(Lang::Ja)), non_empty(&sentence(Lang::En)));
            found.facts = facts.iter().map(JsonFact::new).collect();
            found.last_facts = last
                .zip(history.last_move())
                .map_or_else(Vec::new, |(last, played)| {
                    last.list
                        .iter()
                        .map(|fact| JsonFact::about_move(fact, played))
                        .collect()
                });
            if is_evaluated && let Some(report) = report {
                found.set_candidates(history, report);
            }
        }
        found
    }

    fn set_candidates(&mut self, history: &History, report: &EngineReport) {
        let (Some(info), model) = (&report.snapshot.search_info, report.snapshot.model) else {
            return;
        };
        if *info.history == *history {
            let since = if is_settled(&report.snapshot) {
                info.stats.best_since
            } else {
                None
            };
            self.ease = since.map(|depth| Ease::from_depth(depth).level);
            self.candidates = info
                .candidates
                .iter()
                .filter_map(|candidate| CandidateState::new(candidate, history, model))
                .collect();
        }
    }
}

#[cfg(test)]
#[derive(Debug)]
pub(crate) struct StateValues<'a> {
    pub(crate) win: Option<f64>,
    pub(crate) cp: Option<i32>,
    pub(crate) is_stale: bool,
    pub(crate) is_ended: bool,
    /// The best moves, in USI.
    pub(crate) moves: Vec<&'a str>,
}

#[cfg(test)]
impl GameState {
    pub(super) fn values(&self) -> StateValues<'_> {
        let moves = self
            .candidates
            .iter()
            .map(|candidate| candidate.mv.as_str())
            .collect();
        let (is_stale, is_ended) = (self.stale, self.ended.is_some());
        StateValues {
            win: self.win,
            cp: self.cp,
            is_stale,
            is_ended,
            moves,
        }
    }
}

impl CandidateState {
    fn new(candidate: &Candidate, history: &History, model: WinRateModel) -> Option<Self> {
        let Candidate { rank, value, pv, .. } = candidate;
        let pv: Vec<_> = pv.get(..pv.len().min(MAX_PV_MOVES)).unwrap_or_default().to_vec();
        Some(Self {
            rank: *rank,
            mv: pv.first()?.to_string(),
            // The moves are in the default notation, as `shogibar notate` writes it.
            words: Notation::default().notate_line(history, &pv),
            win: (model.win_rate(*value) * 1e4).round() / 1e4,
            cp: value.cp(),
            mate: value.mate(),
            pv: pv.iter().map(ToString::to_string).collect(),
        })
    }
}

const MAX_PV_MOVES: usize = 24;

/// Returns the kind of a clock, for the field `clock_kinds`.
const fn clock_kind(clock: ClockTime) -> &'static str {
    match clock {
        ClockTime::Remaining(_) => "left",
        ClockTime::Used(_) => "used",
    }
}

/// Returns a text; `None` if it is empty.
fn non_empty(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}

fn rounded(share: f32) -> f64 {
    (f64::from(share) * 1e4).round() / 1e4
}
