//! Numbers only: the content of an output without anything that tells a move or the position.

use shogibar_games::analysis::{AHEAD_PERCENT, MIN_DECISIVE_LOSS_POINTS};
use shogibar_games::bar::{BarView, DecidedWin, EngineView};
use shogibar_shogi::Color;
use std::sync::Arc;

/// Returns the content of an output as numbers: names, clocks, side to move, win rates, evaluation, the length of a mate,
/// the word for the situation, the graph, and the loss by a decisive move.
pub fn numbers_only(view: &BarView) -> BarView {
    let is_over = view.to_move.is_none() && !view.is_hidden;
    let decided = |decided: &DecidedWin| DecidedWin {
        // The sentence about a game that is over has the number of its moves.
        text: if is_over {
            decided.brief.clone()
        } else {
            decided.text.clone()
        },
        ..decided.clone()
    };
    let engine = |engine: &EngineView| EngineView {
        name: engine.name.clone(),
        reported_name: engine.reported_name.clone(),
        is_followed: engine.is_followed,
        percent: engine.percent,
        is_stale: engine.is_stale,
        evaluation: engine.evaluation.clone(),
        has_ended: engine.has_ended,
        signal: engine.signal,
        notice: engine.notice.clone(),
        ..EngineView::default()
    };
    let reason = if is_over {
        view.position_text[0].clone()
    } else {
        String::new()
    };
    BarView {
        black: view.black.clone(),
        white: view.white.clone(),
        event: view.event.clone(),
        credit: view.credit.clone(),
        game: view.game,
        // The content changes with the number of moves. A hash of the position would tell it.
        position: u64::try_from(view.graph.len()).unwrap_or(u64::MAX),
        to_move: view.to_move,
        share: view.share,
        is_stale: view.is_stale,
        is_shallow: view.is_shallow,
        decided_win: view.decided_win.as_ref().map(decided),
        position_text: [reason, String::new(), String::new()],
        last_mover: view.last_mover,
        last_loss: view
            .last_loss
            .filter(|loss| is_decisive(view.last_mover, view.share, *loss)),
        is_loss_judged: view.is_loss_judged,
        // The card of a game of which only numbers are shown has no move.
        turning_card: view
            .turning_card
            .clone()
            .filter(|card| card.word.is_empty() && card.better.is_empty()),
        live_mark: view.live_mark,
        graph: Arc::clone(&view.graph),
        filled_shares: Arc::clone(&view.filled_shares),
        evaluation: view.evaluation.clone(),
        other_rate: view.other_rate,
        advantage: view.advantage.clone(),
        engines: view.engines.iter().map(engine).collect(),
        lead_index: view.lead_index,
        is_hidden: view.is_hidden,
        is_numbers_only: true,
        ..BarView::default()
    }
}

/// Returns whether the last move is decisive: it has lost 10 points or more, and has changed who is ahead.
/// `share` is Black's share after it, from 0 to 1.
pub(crate) fn is_decisive(mover: Option<Color>, share: Option<f32>, loss: u8) -> bool {
    let (Some(mover), Some(share)) = (mover, share) else {
        return false;
    };
    let ahead = f32::from(AHEAD_PERCENT) / 100.0;
    let zone = |share: f32| (share >= ahead, share > 1.0 - ahead);
    let before = share + f32::from(loss) / if mover == Color::Black { 100.0 } else { -100.0 };
    loss >= MIN_DECISIVE_LOSS_POINTS && zone(share) != zone(before)
}
