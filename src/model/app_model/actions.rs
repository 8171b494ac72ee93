//! The user's actions.

use super::sources::{follow_everything, swap_screen};
use super::{AppAction, AppEffect, AppModel, Bar, BarId, Game, GameId};
use crate::game_analysis::{AnalysisEffect, RunningAnalysis};
use crate::kifu::Record;
use crate::record_file::{PendingAction, Save};
use crate::shogi::Position;
use crate::text::RecordRemark;
use std::sync::Arc;

impl AppModel {
    /// Covers the bars of a game while the user guesses a move, or no longer.
    fn cover_bars(&mut self, game: GameId, guesses: bool) {
        self.bars.iter_mut().for_each(|entry| entry.bar.cover(guesses && entry.bar.game() == game));
    }

    /// Applies an action on a bar.
    pub(super) fn act(&mut self, bar: BarId, action: AppAction) {
        let id = self.bar(bar).game();
        if action.is_user_action() {
            self.dismiss(bar);
        }
        match action {
            AppAction::Step(moves) => self.with_game(id, |game| game.step(moves)),
            AppAction::First => self.with_game(id, |game| game.go_to(0)),
            AppAction::Last => self.with_game(id, |game| game.go_to(usize::MAX)),
            AppAction::Pause => self.with_bar(bar, Bar::pause),
            AppAction::Hide => self.with_bar(bar, Bar::hide),
            AppAction::HideAll => {
                let is_hidden = self.bars.iter().all(|entry| entry.bar.is_hidden());
                let others = self.bars.iter_mut().filter(|entry| entry.bar.is_hidden() == is_hidden);
                others.for_each(|entry| entry.bar.hide());
            }
            AppAction::Follow => self.with_bar(bar, Bar::follow_next),
            AppAction::FollowEngine(follow) => self.follow(bar, follow),
            AppAction::Dismiss => self.notices.dismiss_timed(),
            AppAction::DismissTransient => self.notices.dismiss_transient(bar),
            AppAction::Seen => self.with_game(id, Game::mark_seen),
            AppAction::Remark(remark) => self.notices.show(remark, Some(bar)),
            AppAction::Mention(remarks) => self.notices.queue(remarks),
            AppAction::StudyOpen(is_open) => self.is_study_open = is_open,
            AppAction::Study => self.page_bar = bar,
            AppAction::PauseHidden(pauses) => {
                self.pauses_hidden = pauses;
                self.bars.iter_mut().for_each(|entry| entry.bar.pause_hidden(pauses));
            }
            AppAction::LimitPositions(limit) => self.time_limit = limit,
            AppAction::WatchClipboard(watches) => self.watch_clipboard(watches),
            AppAction::Guess(guesses) => self.cover_bars(id, guesses),
            AppAction::Desk => self.effects.push(AppEffect::OpenDesk),
            AppAction::ShareEngines(shares) => self.share_with_live_games(shares),
            AppAction::SetLanguage(lang) => {
                self.lang = lang;
                self.games.iter_mut().for_each(|(_, game)| game.set_language(lang));
            }
            AppAction::Open(path) => self.open(bar, id, path),
            AppAction::OpenAll(addresses) => self.open_all(bar, addresses),
            AppAction::SelectGame(at) if self.game(id).has_choices() => self.choose(bar, id, at),
            AppAction::SelectGame(at) => self.request(id, PendingAction::Select(at)),
            AppAction::Show(game) => self.show(bar, game),
            AppAction::ShowPage(game) => self.show_on_page(game),
            AppAction::NextGame(places) => self.show_next_game(places),
            AppAction::AddGame => {
                let game = self.add_game();
                self.show(bar, game);
            }
            AppAction::CloseGame(game) => self.request(game, PendingAction::Close),
            AppAction::AddBar => self.add_bar(bar),
            AppAction::CloseBar => self.close_bar(bar),
            AppAction::New => self.show_new(id, &Position::startpos()),
            AppAction::Start(position) => self.show_new(id, &position),
            AppAction::Paste(text) => self.paste(bar, id, &text),
            AppAction::ReadScreen => self.read_screen(bar, id),
            AppAction::FollowScreen => self.change_screen(bar, id, follow_everything),
            AppAction::SwapScreen => self.change_screen(bar, id, swap_screen),
            AppAction::Quit => self.request_quit(),
            AppAction::Save => self.save(id, Save::Own),
            AppAction::SaveAs(path) => self.save(id, Save::As(path)),
            AppAction::SaveChecked(path) => self.save(id, Save::Checked(path)),
            AppAction::Answer(game, answer) => self.answer(game, answer),
            AppAction::Recover(recovers) => self.answer_recovery(bar, recovers),
            AppAction::Analyse(options) => self.analyse(id, *options),
            AppAction::PauseAnalysis => {
                let analysing = self.game_mut(id).and_then(|game| game.analysis.as_mut());
                let effect = analysing.map(RunningAnalysis::pause);
                self.effects.extend(effect.map(|effect| AppEffect::Analysis(id, effect)));
            }
            AppAction::EndAnalysis => {
                let end = self.game(id).analysis.as_ref().map(|_| AppEffect::Analysis(id, AnalysisEffect::End));
                self.effects.extend(end);
            }
            AppAction::Engine(name) => self.change_engine(bar, name),
            AppAction::ToggleSecondEngine(name) => self.toggle_second_engine(bar, name),
            AppAction::Rename(old, new) => self.rename(&old, &new),
            AppAction::ForgetEngines => self.set_chosen(bar, false),
            AppAction::Ask(inquiry) => self.ask(bar, inquiry),
            AppAction::Press(engine, button) => self.press(&engine, &button),
        }
    }

    /// Dismisses what the user has seen: the notices first, and then the engines' rejected options.
    fn dismiss(&mut self, bar: BarId) {
        let is_readable = self.game(self.bar(bar).game()).unreadable().is_none();
        if !self.notices.dismiss(bar) && is_readable {
            self.with_bar(bar, Bar::dismiss_rejections);
        }
    }

    fn with_game(&mut self, id: GameId, work: impl FnOnce(&mut Game)) {
        if let Some(game) = self.game_mut(id) {
            work(game);
        }
    }

    fn with_bar(&mut self, id: BarId, work: impl FnOnce(&mut Bar)) {
        if let Some(entry) = self.entry_mut(id) {
            work(&mut entry.bar);
        }
    }

    fn show_new(&mut self, id: GameId, position: &Position) {
        self.request(id, PendingAction::Show(vec![Arc::new(Record::new(position))]));
    }

    /// Saves a game, but not over the file of another open one.
    fn save(&mut self, id: GameId, save: Save) {
        let other = save.path().filter(|path| self.game_at(path).is_some_and(|known| known != id));
        if let Some(path) = other {
            let why = RecordRemark::OpenElsewhere(path.display().to_string());
            return self.notices.set_result(&why.into(), self.bar_of_or_page(id), true);
        }
        self.with_game(id, |game| game.with_file(|file, document| file.save(save, document)));
    }

    /// Starts an analysis of a game, unless one runs: it uses all processors.
    fn analyse(&mut self, id: GameId, options: crate::analysis::AnalysisOptions) {
        if self.game(id).analysis.is_some() {
            return;
        }
        if self.is_analysing() {
            let why = RecordRemark::AnalysisElsewhere;
            return self.notices.set_result(&why.into(), self.bar_of_or_page(id), true);
        }
        let Some(game) = self.game_mut(id) else { return };
        let (analysis, effect) = RunningAnalysis::start(game.document(), options);
        game.analysis = Some(analysis);
        self.effects.push(AppEffect::Analysis(id, effect));
    }
}
