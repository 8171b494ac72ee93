//! Composes the view of the bar from a position in a game and the evaluations of the engines.

use super::ending::Ending;
use super::engine;
use super::follow::Consensus;
use super::freshness::Freshness;
use super::input::{BarInput, Composition};
use super::position_sentence::position_sentence;
use super::screen_notation::{evaluation, notation};
use super::view::{BarNotice, BarView, DecidedWin, EngineView, OtherRate, SideView};
use crate::{Label, phrase};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_facts::Fact;
use shogibar_shogi::score::{Advantage, AdvantageLevel, Value, percent};
use shogibar_shogi::{Color, History, Move, Piece, PieceKind, Position, Square};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

impl BarInput {
    /// Returns the contents of the bar. `notice` takes precedence over the notices of the engines.
    pub fn view(&self, notice: Option<&BarNotice>, lang: Lang) -> BarView {
        let view = Composition { bar: self, lang }.view(notice);
        if self.is_hidden { view.hidden(lang) } else { view }
    }

    /// Returns the proved facts about the position, with the only move by the displayed values. Returns none while the
    /// evaluation is hidden or a part of the position is unknown.
    pub fn facts(&self) -> Vec<Fact> {
        let composition = Composition {
            bar: self,
            lang: Lang::Ja,
        };
        if self.is_hidden || composition.is_part_unknown() {
            return Vec::new();
        }
        composition.facts(&composition.view(None))
    }

    /// Returns the sentence about facts of the position; may be empty.
    pub fn sentence(&self, facts: &[Fact], lang: Lang) -> String {
        let composition = Composition { bar: self, lang };
        let titles = [Color::Black, Color::White].map(|side| composition.role(side));
        position_sentence(&self.history, facts, titles, lang)
    }
}

/// Returns a hash of a position and the moves that led to it. The hash may differ in another run of the program.
pub fn position_hash(history: &History) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(history)
}

/// The minimum number of pieces on the board of a start from which a game counts as begun before the record. A start
/// with fewer pieces counts as a problem (詰将棋).
const MIN_PIECES_IN_GAME: usize = 20;

/// Returns the word for the first position of a record: the start of a game or problem, or a position in the middle of
/// a game.
pub fn start_word(start: &Position) -> Label {
    let has_king = |color| {
        Square::all().any(|square| {
            start.piece_on(square)
                == Some(Piece {
                    color,
                    kind: PieceKind::King,
                })
        })
    };
    let pieces = Square::all()
        .filter(|square| start.piece_on(*square).is_some())
        .count();
    let is_game = has_king(Color::Black) && has_king(Color::White) && pieces >= MIN_PIECES_IN_GAME;
    if is_game && shogibar_kifu::handicap_name(start).is_none() {
        Label::FromTheMiddle
    } else {
        Label::StartPosition
    }
}

/// The minimum loss that is shown beside the last move, in percentage points.
pub const MIN_SHOWN_LOSS_POINTS: u8 = 5;

impl Composition<'_> {
    fn view(&self, notice: Option<&BarNotice>) -> BarView {
        let BarInput { history, engines, .. } = self.bar;
        let mut view = BarView {
            black: self.side(Color::Black),
            white: self.side(Color::White),
            event: self.bar.event.clone(),
            game: self.bar.game,
            position: position_hash(history),
            last_mover: (!history.moves().is_empty()).then(|| history.now().side_to_move().flip()),
            live_mark: self.bar.live_mark,
            graph: Arc::from(if self.is_part_unknown() {
                &[]
            } else {
                self.bar.graph.as_slice()
            }),
            filled_shares: Arc::from(if self.is_part_unknown() {
                &[]
            } else {
                self.bar.filled_shares.as_slice()
            }),
            to_move: Some(history.now().side_to_move()),
            position_text: self.position_text(),
            engines: engines
                .iter()
                .enumerate()
                .map(|(nth, report)| engine::view(self, nth, report))
                .collect(),
            lead_index: self.bar.follow.lead_index_among(engines.iter()),
            notice: notice.cloned(),
            ..BarView::default()
        };
        if let Some(ending) = self.bar.ending {
            self.show_ending(&mut view, ending);
        } else if let Some(consensus) = Consensus::compute(engines, self.bar.follow, history) {
            self.show_consensus(&mut view, &consensus);
        } else if let Some(share) = self.bar.stored_share {
            let (black, white) = percent(share.into(), false);
            (view.share, view.is_stale) = (Some(share), true);
            (view.black.percent, view.white.percent) = (Some(black), Some(white));
        }
        view.is_stale |= self.bar.is_left;
        if !view.is_stale && view.decided_win.is_none() {
            view.other_rate = other_rate(&view.engines);
        }
        if !self.is_part_unknown() && !history.moves().is_empty() {
            let points = self.bar.last_loss.map(|loss| loss.points);
            view.last_loss = points.filter(|points| *points >= MIN_SHOWN_LOSS_POINTS);
            view.is_loss_judged = self.bar.last_loss.is_some_and(|loss| loss.is_judged);
        }
        if !self.is_part_unknown() {
            view.reason = self.reason(&view);
        }
        view
    }

    /// Returns the name of a player, or the side where the name is not known.
    fn name(&self, color: Color) -> String {
        let [black, white] = &self.bar.players;
        let name = if color == Color::Black { black } else { white };
        name.as_deref()
            .map_or_else(|| self.role(color).to_owned(), |name| short(name).into_owned())
    }

    fn side(&self, color: Color) -> SideView {
        let [black, white] = self.bar.clocks;
        let clock = if color == Color::Black { black } else { white };
        SideView {
            name: self.name(color),
            role: self.role(color).to_owned(),
            percent: None,
            clock,
        }
    }

    /// Returns the number of moves played.
    fn ply(&self) -> usize {
        self.bar.history.moves().len()
    }

    /// Returns the texts before the last move, of the move, and after the move.
    fn position_text(&self) -> [String; 3] {
        let [japanese, english] = &self.bar.last_words;
        let last_word = self.lang.pick(japanese, english);
        let [before, after] = if last_word.is_empty() {
            [
                start_word(self.bar.history.start()).text(self.lang).to_owned(),
                String::new(),
            ]
        } else {
            phrase::after_move(self.ply(), self.lang)
        };
        let after = match &self.bar.pause {
            Some(end) => format!(
                "{after}{}",
                phrase::stopped(&Ending::word(end, self.lang), self.lang)
            ),
            None => after,
        };
        // The pause comes first, because a text that is too long loses its end.
        let before = if self.bar.is_paused {
            phrase::paused(&before, self.lang)
        } else {
            before
        };
        [before, last_word.to_owned(), after]
    }

    fn show_ending(&self, view: &mut BarView, ending: Ending) {
        let why = ending.reason.text(self.lang);
        let (share, text, brief, label) = match ending.winner {
            Some(winner) => {
                let share = if winner == Color::Black { 1.0 } else { 0.0 };
                let role = self.role(winner);
                let text = phrase::game_won(self.ply(), role, self.lang);
                (
                    share,
                    text,
                    phrase::wins(role, self.lang),
                    Label::Wins.text(self.lang),
                )
            }
            None => (
                0.5,
                phrase::game_drawn(self.ply(), why, self.lang),
                why.to_owned(),
                "",
            ),
        };
        view.to_move = None;
        view.share = Some(share);
        view.decided_win = Some(DecidedWin {
            winner: ending.winner,
            text,
            brief,
            label: label.to_owned(),
        });
        // The sentence in the bar contains まで already, so the text after the move is empty.
        view.position_text = [
            why.to_owned(),
            std::mem::take(&mut view.position_text[1]),
            String::new(),
        ];
    }

    fn show_consensus(&self, view: &mut BarView, consensus: &Consensus) {
        let decided = consensus.value.and_then(|value| self.decided_win(value));
        let (black, white) = percent(consensus.win_rate, decided.is_some());
        #[expect(
            clippy::cast_possible_truncation,
            reason = "f32 is exact enough for a share of the bar"
        )]
        let share = consensus.win_rate as f32;
        view.share = Some(share);
        (view.black.percent, view.white.percent) = (Some(black), Some(white));
        view.is_stale = consensus.age != Freshness::Now || self.is_part_unknown();
        view.is_shallow = !view.is_stale && consensus.is_shallow;
        if consensus.age.is_elsewhere() || self.is_part_unknown() {
            // Only the percentage is shown, in grey.
            return;
        }
        view.decided_win = decided;
        view.evaluation = consensus.value.map(evaluation).unwrap_or_default();
        view.is_mean = consensus.is_mean;
        let advantage = consensus
            .value
            .and_then(Value::winner)
            .map_or_else(|| Advantage::from_percent(black), Advantage::won);
        view.advantage = view.advantage_text(advantage, self.lang);
    }
}

/// Returns the win rate of the position by the first engine that the bar does not follow; `None` without one.
fn other_rate(engines: &[EngineView]) -> Option<OtherRate> {
    let mut others = engines
        .iter()
        .enumerate()
        .filter(|(_, engine)| !engine.is_followed && !engine.is_stale);
    others.find_map(|(engine, view)| {
        Some(OtherRate {
            engine,
            percent: view.percent?,
        })
    })
}

impl BarView {
    /// Returns an advantage in words: `先手有利`, or `平均 先手有利` for the mean of several engines.
    fn advantage_text(&self, advantage: Advantage, lang: Lang) -> String {
        let text = match advantage.0 {
            None => Label::Even.text(lang).to_owned(),
            Some((color, level)) => {
                let word = match level {
                    AdvantageLevel::Slight => Label::SlightlyBetter,
                    AdvantageLevel::Better => Label::Better,
                    AdvantageLevel::Superior => Label::Superior,
                    AdvantageLevel::Winning => Label::Winning,
                    AdvantageLevel::Won => Label::Wins,
                };
                phrase::advantage(&self.side(color).role, word, lang)
            }
        };
        if self.is_mean {
            phrase::mean(&text, lang)
        } else {
            text
        }
    }

    /// Shows another share of Black, from 0 to 1, while it moves: the percentages, and the advantage in words.
    pub fn show_moving_share(&mut self, share: f32, lang: Lang) {
        if self.black.percent.is_none() || self.white.percent.is_none() || self.decided_win.is_some() {
            return;
        }
        let (black, white) = percent(f64::from(share), false);
        (self.black.percent, self.white.percent) = (Some(black), Some(white));
        if !self.advantage.is_empty() {
            self.advantage = self.advantage_text(Advantage::from_percent(black), lang);
        }
    }
}

/// Returns the last move of a game in words, with its side mark; empty at the start. This function replays the game, so
/// it is called when the position changes, not for every frame.
pub fn last_word(history: &History, lang: Lang) -> String {
    let (Some(earlier), Some(last)) = (history.without_last(), history.last_move()) else {
        return String::new();
    };
    let words = line_words(&earlier, &[last], lang);
    words.into_iter().next().unwrap_or_default()
}

/// Returns the moves of a line from a position in words, with their side marks.
pub fn line_words(from: &History, moves: &[Move], lang: Lang) -> Vec<String> {
    notation(lang).notate_line(from, moves)
}
