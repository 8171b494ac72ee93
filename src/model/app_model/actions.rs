//! The user's actions.

use super::sources::{swap_screen, toggle_follows_everything};
use super::{AppAction, AppEffect, AppModel, Bar, BarEntry, BarId, Game, GameId};
use crate::Message;
use crate::game_analysis::{AnalysisEffect, RunningAnalysis};
use crate::outputs::OutputId;
use crate::pages::control::ControlCommand;
use crate::record_file::{FileEffect, PendingAction, SaveRequest, UnsavedRecord};
use shogibar_config::ModelCommand;
use shogibar_games::RecordRemark;
use shogibar_games::engine_game_text::EngineGamePhrase;
use shogibar_games::study::DocumentEdit;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::Position;
use std::sync::Arc;

impl AppModel {
    /// Covers the evaluation on the bars of a game while the user guesses a move, and uncovers it afterwards.
    fn cover_bars(&mut self, game: GameId, guesses: bool) {
        self.bars
            .iter_mut()
            .for_each(|entry| entry.bar.set_covered(guesses && entry.bar.game() == game));
    }

    /// Applies an action on a bar.
    pub(super) fn act(&mut self, bar: BarId, action: AppAction) {
        let id = self.bar(bar).game();
        if action.dismisses_notices() {
            self.dismiss(bar);
        }
        match action {
            AppAction::Run(command, times) => self.run(bar, command, times),
            AppAction::BeginEngineGame(settings) => self.begin_engine_game(bar, *settings),
            AppAction::EngineGame(action) => self.act_in_engine_game(id, action),
            AppAction::Edit(edit) => self.edit(id, edit),
            AppAction::ChooseJudge(judge) => self.with_game(id, |game| game.choose_judge(judge)),
            AppAction::Step(moves) => self.with_game(id, |game| game.step(moves)),
            AppAction::HideAll => {
                let is_hidden = self.bars.iter().all(|entry| entry.bar.is_hidden());
                let others = self
                    .bars
                    .iter_mut()
                    .filter(|entry| entry.bar.is_hidden() == is_hidden);
                others.for_each(|entry| entry.bar.toggle_hidden());
            }
            AppAction::FollowEngine(follow) => self.follow(self.lender(bar), follow),
            AppAction::EndNotice(number) => self.notices.end_shown(number),
            AppAction::DismissTransient => self.notices.dismiss_transient(bar),
            AppAction::DismissUnreadable => self.with_game(id, Game::dismiss_unreadable),
            AppAction::ShowNotice(remark) => self.notices.show(remark, Some(bar)),
            AppAction::QueueNotices(remarks) => self.notices.queue(remarks),
            AppAction::SetStudyOpen(is_open) => self.is_study_open = is_open,
            AppAction::StudyBar => self.show_in_study_bar(bar),
            AppAction::SetGuessing(guesses) => self.cover_bars(id, guesses),
            AppAction::OpenFile(path) => self.open(bar, id, path),
            AppAction::OpenAddresses(addresses) => self.open_all(bar, addresses),
            AppAction::SelectGame(at) if self.game(id).has_choices() => self.choose(bar, id, at),
            AppAction::OpenGame(path, position) => self.open_game(bar, path, *position),
            AppAction::SelectGame(_) if self.is_game_on_air(id) => {
                self.notices.set_result(&Message::KeptOnAir, bar, false);
            }
            AppAction::SelectGame(at) => self.request(id, PendingAction::Select { game: at, ply: 0 }),
            AppAction::Show(game) => self.show_by_command(bar, game),
            AppAction::Output(output, command) => self.command_output(output, command),
            AppAction::NumbersOnly(is_on) => self.set_numbers_only(is_on),
            AppAction::List(game) => self.list_game(game),
            AppAction::ShowInStudy(game) => self.show_in_study(game),
            AppAction::Close(game) => self.request(game, PendingAction::Close),
            AppAction::StartGame(position) => self.start_game(bar, id, &position),
            AppAction::PasteText(text) => self.paste_text(bar, id, &text),
            AppAction::CorrectBoard(correction) => self.correct_board(bar, correction),
            AppAction::Drill(action) => self.act_on_drill(action),
            AppAction::MakeVideo(game, path, pace) => self.make_video(game, path, pace),
            AppAction::CancelVideo => self.cancel_video(),
            AppAction::ShowShelf(shown) => self.shelf.shown = shown,
            AppAction::EditPosition(position) => self.edit_position(position),
            AppAction::RequestQuit => self.request_quit(),
            AppAction::SaveFile => self.save(id, SaveRequest::Current),
            AppAction::SaveTo(path) => self.save(id, SaveRequest::As(path)),
            AppAction::SaveChecked(path) => self.save(id, SaveRequest::Checked(path)),
            AppAction::Answer(game, answer) => self.answer_question(game, answer),
            AppAction::Recover(recovers) => self.answer_recovery(bar, recovers),
            AppAction::StartAnalysis(options) => self.analyse(id, *options),
            AppAction::PauseAnalysis => self.pause_analysis(id),
            AppAction::EndAnalysis => {
                let end = self
                    .game(id)
                    .analysis
                    .as_ref()
                    .map(|_| AppEffect::Analysis(id, AnalysisEffect::End));
                self.effects.extend(end);
            }
            AppAction::ReplaceEngine(name) => self.change_engine(bar, name),
            AppAction::ToggleSecondEngine(name) => self.toggle_second_engine(bar, name),
            AppAction::RenameEngine(old, new) => self.rename_engine(&old, &new),
            AppAction::StartOfferedEngines => self.start_offered_engines(bar),
            AppAction::ForgetEngines => self.set_chosen(bar, false),
            AppAction::Ask(inquiry) => self.ask(bar, inquiry),
            AppAction::PressButton(engine, button) => self.press_button(&engine, &button),
        }
    }

    /// Runs a command on a bar, `times` times.
    fn run(&mut self, bar: BarId, command: ModelCommand, times: i32) {
        let id = self.bar(bar).game();
        let edit = match command {
            ModelCommand::Back => return self.with_game(id, |game| game.step(-times)),
            ModelCommand::Forward => return self.step_forward(bar, times),
            ModelCommand::TenBack => return self.with_game(id, |game| game.step(times.saturating_mul(-10))),
            ModelCommand::TenForward => return self.step_forward(bar, times.saturating_mul(10)),
            ModelCommand::First => DocumentEdit::GoTo(0),
            ModelCommand::Last => DocumentEdit::GoTo(usize::MAX),
            ModelCommand::BranchBack => DocumentEdit::GoToBranch { forward: false },
            ModelCommand::BranchForward => DocumentEdit::GoToBranch { forward: true },
            ModelCommand::Above => DocumentEdit::GoToSibling { forward: false },
            ModelCommand::Below => DocumentEdit::GoToSibling { forward: true },
            ModelCommand::Undo => DocumentEdit::UndoChange,
            ModelCommand::Redo => DocumentEdit::RedoChange,
            ModelCommand::Delete => DocumentEdit::DeleteNode(self.game(id).document().current()),
            ModelCommand::ClearMarks => DocumentEdit::ClearMarks(self.game(id).document().current()),
            ModelCommand::Replace => {
                let document = self.game(id).document();
                let (Some(old), new) = (document.replaceable_sibling(), document.current()) else {
                    return;
                };
                DocumentEdit::ReplaceNode { old, new }
            }
            ModelCommand::Promote => DocumentEdit::PromoteNode(self.game(id).document().current()),
            ModelCommand::MainLine => DocumentEdit::MakeMainLine(self.game(id).document().current()),
            // A running analysis takes precedence.
            ModelCommand::Pause if self.game(id).analysis.is_some() => return self.pause_analysis(id),
            ModelCommand::Pause => return self.with_bar(self.lender(bar), Bar::toggle_pause),
            ModelCommand::Hide => return self.with_bar(bar, Bar::toggle_hidden),
            ModelCommand::NextEngine => return self.with_bar(self.lender(bar), Bar::follow_next),
            ModelCommand::New => return self.start_new_record(bar, id),
            ModelCommand::AddGame => {
                let game = self.add_game();
                self.present(bar, game);
                return;
            }
            ModelCommand::CloseGame => return self.request(id, PendingAction::Close),
            ModelCommand::PreviousGame => return self.cycle_game(-times),
            ModelCommand::NextGame => return self.cycle_game(times),
            ModelCommand::ReadScreen => return self.read_screen(bar, id),
            ModelCommand::ForgetPieces => {
                self.effects.push(AppEffect::ForgetPieces);
                return self.notices.set_result(&Message::PiecesForgotten, bar, false);
            }
            ModelCommand::FollowScreen => return self.change_screen(bar, id, toggle_follows_everything),
            ModelCommand::SwapScreen => return self.change_screen(bar, id, swap_screen),
            ModelCommand::OnAir => return self.effects.push(AppEffect::OpenProgramme { takes_focus: true }),
            ModelCommand::Desk => return self.effects.push(AppEffect::OpenDesk),
            ModelCommand::BoardPage => return self.effects.push(AppEffect::OpenBoardPage),
            ModelCommand::BackToGame => return self.return_to_game(id),
            ModelCommand::Lock => return self.toggle_lock(bar),
            ModelCommand::TurningPoint => return self.show_turning_point(bar, id),
            ModelCommand::Switch => return self.switch_outputs_of(bar),
            ModelCommand::AddBar => return self.add_bar(bar),
            ModelCommand::CloseBar if self.is_locked(OutputId::Bar(bar)) => {
                return self.notices.set_result(&Message::OutputLocked, bar, false);
            }
            ModelCommand::CloseBar => return self.close_bar(bar),
        };
        self.edit(id, edit);
    }

    /// Goes forward by `moves` moves. If the last move is shown already, a notice says so.
    fn step_forward(&mut self, bar: BarId, moves: i32) {
        let id = self.bar(bar).game();
        let Some(game) = self.game_mut(id) else { return };
        let before = game.document().current();
        game.step(moves);
        let document = game.document();
        // No notice after a step to the end of a game: the bar shows how the game ended.
        let is_last = before != NodeId::START && [document.current(), document.last_move()] == [before; 2];
        let ply = document.ply();
        if is_last {
            self.notices.show(RecordRemark::LastMove(ply).into(), Some(bar));
        }
    }

    /// Edits the record of a game, or goes to another position of it. In a game against an engine, only some edits are
    /// allowed.
    pub(super) fn edit(&mut self, id: GameId, edit: DocumentEdit) {
        if !self.edit_played(id, &edit) {
            return;
        }
        self.with_game(id, |game| game.edit(|document| document.apply(edit)));
    }

    fn pause_analysis(&mut self, id: GameId) {
        let analysing = self.game_mut(id).and_then(|game| game.analysis.as_mut());
        let effect = analysing.map(RunningAnalysis::toggle_pause);
        self.effects
            .extend(effect.map(|effect| AppEffect::Analysis(id, effect)));
    }

    /// Dismisses the notices on a bar. If there is none, dismisses the report of the engines' rejected options.
    fn dismiss(&mut self, bar: BarId) {
        let is_readable = self.game(self.bar(bar).game()).unreadable().is_none();
        if !self.notices.dismiss(bar) && is_readable {
            self.with_bar(self.lender(bar), Bar::dismiss_rejections);
        }
    }

    /// Runs `work` on a game, if it is open.
    pub(super) fn with_game(&mut self, id: GameId, work: impl FnOnce(&mut Game)) {
        if let Some(game) = self.game_mut(id) {
            work(game);
        }
    }

    /// Runs `work` on a bar, if it is open.
    pub(super) fn with_bar(&mut self, id: BarId, work: impl FnOnce(&mut Bar)) {
        if let Some(entry) = self.entry_mut(id) {
            work(&mut entry.bar);
        }
    }

    /// Carries out a request to the control address for the bars of a game; `None` is for all bars. Layouts and themes
    /// are settings, which are changed elsewhere.
    pub(super) fn control(&mut self, command: &ControlCommand, game: Option<GameId>) {
        let is_shown = game.is_some_and(|game| self.bar_of(game).is_some());
        let is_meant = |entry: &BarEntry| game.is_none_or(|game| entry.bar.game() == game);
        match command {
            // Hiding is safe even if no bar shows the game: the OBS pages may show it.
            ControlCommand::Hide => {
                let bars = self.bars.iter_mut().filter(|entry| !is_shown || is_meant(entry));
                bars.for_each(|entry| entry.bar.set_hidden(true));
            }
            ControlCommand::Show => {
                let bars = self.bars.iter_mut().filter(|entry| is_meant(entry));
                bars.for_each(|entry| entry.bar.set_hidden(false));
            }
            ControlCommand::NextGame => {
                let bar = game.map_or(Some(self.study_bar), |game| self.bar_of(game));
                if let Some((bar, next)) =
                    bar.and_then(|bar| Some((bar, self.game_after(self.bar(bar).game(), 1)?)))
                {
                    self.show_by_command(bar, next);
                }
            }
            ControlCommand::Follow => {
                let bars = self.bars.iter().filter(|entry| is_meant(entry));
                let games: Vec<_> = bars.map(|entry| entry.bar.game()).collect();
                for game in games {
                    self.show_newest(game);
                }
            }
            ControlCommand::BackToGame => {
                let game = game.or_else(|| self.frame_on_air().map(|(frame, _)| GameId(frame.bar.game)));
                self.return_to_game(game.unwrap_or_else(|| self.study_game()));
            }
            ControlCommand::Layout(_) | ControlCommand::Theme(_) => {}
            ControlCommand::Output(command) => self.control_outputs(command, game),
        }
    }

    /// Stores the position that the user sets up, and autosaves it as a separate game. `None` ends the setup.
    fn edit_position(&mut self, position: Option<Box<Position>>) {
        let known = self.edited_position.take().map(|(id, _)| id);
        let id = known.unwrap_or_else(|| GameId(self.next_id()));
        let unsaved = position.as_ref().map(|position| UnsavedRecord {
            games: vec![Arc::new(Record::new(position))],
            current_index: 0,
            original_file: None,
        });
        if known.is_some() || unsaved.is_some() {
            self.effects
                .push(AppEffect::File(id, FileEffect::Autosave(unsaved)));
        }
        self.edited_position = position.map(|position| (id, position));
    }

    /// Starts a game from a position in a new tab, or in place of an unchanged empty game.
    fn start_game(&mut self, bar: BarId, id: GameId, position: &Position) {
        let id = if self.game(id).is_blank() {
            self.tab_in_place_of(id)
        } else {
            self.add_game()
        };
        self.present(bar, id);
        self.show_new_record(id, position);
    }

    fn start_new_record(&mut self, bar: BarId, id: GameId) {
        let id = self.tab_in_place_of(id);
        self.present(bar, id);
        self.show_new_record(id, &Position::startpos());
    }

    /// Shows an empty record that starts from a position. If the game has unsaved changes, the user is asked first.
    pub(super) fn show_new_record(&mut self, id: GameId, position: &Position) {
        self.request(id, PendingAction::Show(vec![Arc::new(Record::new(position))]));
    }

    /// Saves a game, unless the target is the file of another open game.
    fn save(&mut self, id: GameId, save: SaveRequest) {
        let other = save
            .path()
            .filter(|path| self.game_at(path).is_some_and(|known| known != id));
        if let Some(path) = other {
            let why = RecordRemark::OpenElsewhere(path.display().to_string());
            return self
                .notices
                .set_result(&why.into(), self.bar_of_or_study(id), true);
        }
        self.with_game(id, |game| {
            game.with_file(|file, document| file.save(save, document));
        });
    }

    /// Starts an analysis of a game. Only one runs at a time, because it uses all processors.
    fn analyse(&mut self, id: GameId, options: shogibar_games::analysis::AnalysisOptions) {
        if self.game(id).analysis.is_some() {
            return;
        }
        if self.is_playing(id) {
            return self.show_refusal(id, EngineGamePhrase::NotDuringGame);
        }
        if self.is_analysing() {
            let why = RecordRemark::AnalysisElsewhere;
            return self
                .notices
                .set_result(&why.into(), self.bar_of_or_study(id), true);
        }
        let Some(game) = self.game_mut(id) else { return };
        let (analysis, effect) = RunningAnalysis::start(game.document(), options);
        game.analysis = Some(analysis);
        self.effects.push(AppEffect::Analysis(id, effect));
    }
}
