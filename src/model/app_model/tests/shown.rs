//! The values that may be shown.

use super::*;
use crate::pages::{ObsPagesSnapshot, StateValues};
use shogibar_games::bar::CandidateView;
use shogibar_shogi::Move;
use shogibar_shogi::score::percent;

/// Returns whether a bar may show the values of a view. Allowed are those of the position on view. Allowed in grey are
/// those of another position of this record, while an engine searches the present one.
pub(super) fn may_be_shown(view: &BarView, bar: &Bar, game: &Game) -> bool {
    let model = WinRateModel::default();
    let share = |history: &History| percent(model.win_rate(Value::Cp(value_of(history))), false).0;
    let record = game.document().record();
    let is_replaced = !bar.is_paused_now() && game.history().now().searchable().is_ok();
    let elsewhere: Vec<u8> = record.all().map(|node| share(&record.history_at(node))).collect();
    let is_known = |shown: Option<u8>, stale: bool| {
        shown.is_none_or(|shown| {
            shown == share(game.history()) || stale && is_replaced && elsewhere.contains(&shown)
        })
    };
    let is_ended = view.decided_win.is_some();
    let are_rows_known = view.engines.iter().all(|engine| {
        let is_here = |row: &CandidateView| {
            row.moves
                .first()
                .is_none_or(|mv| game.history().now().is_legal(*mv))
        };
        is_known(engine.percent, engine.is_stale)
            && (is_replaced || !engine.is_elsewhere)
            && engine.candidates.iter().all(is_here)
    });
    is_ended || is_known(view.black.percent, view.is_stale) && are_rows_known
}

/// Returns whether the state of the OBS pages may have these values of a game. Allowed are those of the position on
/// view. Allowed as stale are those of another position of this record, while a search replaces them (`is_replaced`).
fn may_be_in_state(values: &StateValues<'_>, game: &Game, shown: &History, is_replaced: bool) -> bool {
    let record = game.document().record();
    let cp_here = value_of(shown);
    let rounded = |cp: i32| (WinRateModel::default().win_rate(Value::Cp(cp)) * 1000.0).round();
    let elsewhere = || record.all().map(|node| value_of(&record.history_at(node)));
    let is_known = |is_it: &dyn Fn(i32) -> bool| {
        is_it(cp_here) || values.is_stale && is_replaced && elsewhere().any(is_it)
    };
    let is_win_known = values
        .win
        .is_none_or(|win| is_known(&|cp| (rounded(cp) - win * 1000.0).abs() <= 1.0));
    let is_cp_known = values.cp.is_none_or(|known| is_known(&|cp| cp == known));
    let is_legal = |mv: &&str| Move::from_usi(mv).is_some_and(|mv| shown.now().is_legal(mv));
    values.is_ended || is_win_known && is_cp_known && values.moves.iter().all(is_legal)
}

impl ModelSimulation {
    /// Makes the contents of the OBS pages after an event.
    pub(super) fn update_pages(&mut self, is_value: bool) {
        if self.fault != Fault::KeepsObsPages || is_value {
            self.on_pages = self.pages.content(&ObsPagesSnapshot::new(&self.model), 0);
        }
    }

    /// Returns the guarantee that the OBS pages break, if any.
    pub(super) fn study_problem(&self) -> Option<String> {
        let is_replaced = |id: GameId| {
            let mut bars = self
                .model
                .bars()
                .filter(|(_, bar)| bar.game() == id)
                .map(|(_, bar)| bar)
                .peekable();
            let is_shared = bars.peek().is_none() && self.model.shares_engines();
            let is_searchable = self.model.game(id).history().now().searchable().is_ok();
            is_searchable && (is_shared || bars.any(|bar| !bar.is_paused_now()))
        };
        let is_right = |id, values: &StateValues<'_>| {
            let shown = self.model.output_frame(id, None).bar.history;
            // A position that is held back has the values of its own time, which may be grey.
            let is_delayed = self.model.programme.delays.contains_key(&id);
            let is_present =
                !is_delayed && self.model.has_game(id) && shown == *self.model.game(id).history();
            !is_present || may_be_in_state(values, self.model.game(id), &shown, is_replaced(id))
        };
        let (_, wrong) = self
            .on_pages
            .values()
            .find(|(id, values)| !is_right(*id, values))?;
        Some(format!("a page has a value of another position: {wrong:?}"))
    }
}
