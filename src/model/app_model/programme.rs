//! The outputs of the model: which game each shows, whether it is on air, and what viewers see.

use super::{AppEffect, AppModel, Bar, BarId, Game, GameId};
use crate::Message;
use crate::outputs::{OutputCommand, OutputId, PageClients, Preview};
use shogibar_config::OwnGameRule;
use shogibar_games::bar::{BarView, EngineReport, LiveMark};
use shogibar_programme::{Delay, DelayLine, OutputChoices, OutputFrame};
use shogibar_shogi::History;
use std::sync::Arc;

impl AppModel {
    /// Returns the bars that have a window, in order.
    pub fn window_bars(&self) -> impl Iterator<Item = (BarId, &Bar)> {
        self.bars().filter(|(id, _)| !self.is_preview(*id))
    }

    /// Returns the bar with a window that belongs to the study page: that of the page, or the one beside its preview.
    pub fn study_output(&self) -> BarId {
        let preview = self
            .programme
            .preview
            .filter(|preview| preview.bar == self.study_bar);
        preview.map_or(self.study_bar, |preview| preview.beside)
    }

    /// Returns whether a bar has no window: it evaluates the game of the study page while the bar of the page is on air.
    pub fn is_preview(&self, bar: BarId) -> bool {
        self.programme.preview.is_some_and(|preview| preview.bar == bar)
    }

    /// Returns whether an output is locked to its game.
    pub fn is_locked(&self, output: OutputId) -> bool {
        match output {
            OutputId::Bar(bar) => self.programme.locked_bars.contains(&bar),
            OutputId::Pages => self.programme.are_pages_locked,
        }
    }

    /// Returns whether an output is on air: it is locked, a page of it is open, it follows a live game that has not
    /// ended, or it shows the last state of a closed game.
    pub fn is_on_air(&self, output: OutputId) -> bool {
        let game = self.game_of_output(output);
        let is_open = match output {
            OutputId::Bar(bar) if self.is_preview(bar) => return false,
            OutputId::Bar(_) => false,
            OutputId::Pages => {
                let clients = &self.programme.clients;
                clients.has_current || clients.has_lists || self.programme.is_board_open
            }
        };
        self.is_locked(output) || is_open || self.game(game).is_running_live() || self.is_closed_on_air(game)
    }

    /// Returns whether viewers may be watching a game.
    pub fn is_game_on_air(&self, game: GameId) -> bool {
        self.programme.clients.games.contains(&game)
            || self
                .programme
                .listed_games
                .as_ref()
                .is_some_and(|listed| listed.contains(&game))
            || self
                .outputs()
                .any(|output| self.game_of_output(output) == game && self.is_on_air(output))
    }

    /// Returns all outputs.
    pub fn outputs(&self) -> impl Iterator<Item = OutputId> {
        self.window_bars()
            .map(|(bar, _)| OutputId::Bar(bar))
            .chain([OutputId::Pages])
    }

    /// Returns the game that an output shows.
    pub fn game_of_output(&self, output: OutputId) -> GameId {
        match output {
            OutputId::Bar(bar) => self.bar(bar).game(),
            OutputId::Pages => self.programme.page_game,
        }
    }

    /// Returns the game that an output shows after [`OutputCommand::Switch`]: that of the study page, or else the next
    /// tab. A game that no output shows comes first. `None` if there is no other game.
    pub fn next_of_output(&self, output: OutputId) -> Option<GameId> {
        let shown = self.game_of_output(output);
        let at = self
            .games
            .iter()
            .position(|(id, _)| *id == shown)
            .map_or(0, |at| at + 1);
        let following = self
            .games
            .iter()
            .cycle()
            .skip(at)
            .take(self.games.len())
            .map(|(id, _)| *id);
        let others: Vec<_> = [self.study_game()]
            .into_iter()
            .chain(following)
            .filter(|game| *game != shown && self.has_game(*game))
            .collect();
        let waiting = others.iter().find(|game| self.outputs_of(**game).is_empty());
        waiting.or_else(|| others.first()).copied()
    }

    /// Returns the user's choices for a game on outputs.
    pub fn output_choices(&self, game: GameId) -> OutputChoices {
        // Once the game is over, the analysis begins.
        let is_own_game = self.is_own_by_rule(game) && !self.game(game).has_ended();
        OutputChoices {
            is_own_game,
            ..self.programme.choices(game)
        }
    }

    /// Returns whether the user plays a game, by the answer for this game, or else by the rule of its source.
    pub(super) fn is_own_by_rule(&self, game: GameId) -> bool {
        self.game(game)
            .own_answer
            .unwrap_or_else(|| self.own_game_rule(game) == Some(OwnGameRule::Always))
    }

    /// Returns the name under which the rule for a game's source is stored; `None` for a source that has none: only a
    /// board on the screen and a relay may have games of the user.
    pub fn own_game_source(&self, id: GameId) -> Option<String> {
        let game = self.game(id);
        let on_screen = game
            .source()
            .filter(|source| source.is_screen())
            .map(|source| source.address().to_string());
        on_screen.or_else(|| game.relayed_engine.as_ref().map(|name| format!("relay:{name}")))
    }

    /// Returns the rule for the source of a game; `None` where no rule is needed.
    pub fn own_game_rule(&self, game: GameId) -> Option<OwnGameRule> {
        self.own_game_source(game)
            .map(|source| self.settings.own_games.get(&source))
    }

    /// Returns whether the user is asked if a game in progress is the user's own.
    pub fn asks_about_own_game(&self, game: GameId) -> bool {
        self.own_game_rule(game) == Some(OwnGameRule::Ask)
            && self.game(game).own_answer.is_none()
            && self.game(game).is_running_live()
    }

    /// Returns the number of a game on the pages, from 1; 0 for a game that was never open.
    pub fn page_number(&self, game: GameId) -> usize {
        self.programme.numbers.get(&game).copied().unwrap_or_default()
    }

    /// Returns whether only numbers are shown of every game.
    pub const fn shows_numbers_only(&self) -> bool {
        self.programme.all_numbers_only
    }

    /// Sets whether only numbers are shown of every game.
    pub const fn set_numbers_only(&mut self, is_on: bool) {
        self.programme.all_numbers_only = is_on;
    }

    /// Returns whether the user plays a game that is in progress, so that nothing evaluates it.
    pub(super) fn is_own_game(&self, game: GameId) -> bool {
        self.output_choices(game).is_own_game
    }

    /// Returns whether the evaluation of a game is hidden because the user plays it.
    pub(crate) fn hides_values(&self, game: GameId) -> bool {
        self.game_without_values() == Some(game) || self.is_own_game(game)
    }

    pub(super) fn is_closed_on_air(&self, game: GameId) -> bool {
        self.programme.closed_games.contains_key(&game)
    }

    /// Returns the content of a bar as viewers see it.
    pub fn bar_view(&self, id: BarId) -> BarView {
        let game = self.bar(id).game();
        let choices = self.output_choices(game);
        let is_private = self.is_preview(id) || !self.is_on_air(OutputId::Bar(id));
        let is_held =
            self.programme.delays.contains_key(&game) || self.programme.restored_frames.contains_key(&game);
        let is_plain = !choices.numbers_only && !choices.is_own_game && !is_held;
        if is_private && is_plain {
            self.private_view(id)
        } else {
            self.output_view(id, game, &choices)
        }
    }

    /// Returns the state of the game on air that viewers may see, with the user's choices for it: that of the pages, or
    /// else of the first bar on air. `None` while nothing is on air.
    pub fn frame_on_air(&self) -> Option<(OutputFrame, OutputChoices)> {
        let bars = self.window_bars().map(|(bar, _)| OutputId::Bar(bar));
        let mut outputs = std::iter::once(OutputId::Pages).chain(bars);
        let game = self.game_of_output(outputs.find(|output| self.is_on_air(*output))?);
        Some((self.page_frame(game), self.output_choices(game)))
    }

    /// Returns the state of a game as the pages show it: hidden as on its bar, and without a bar where any bar hides its
    /// evaluation.
    pub(crate) fn page_frame(&self, game: GameId) -> OutputFrame {
        let mut frame = self.page_frame_without_card(game);
        frame.turning_point = self.programme.cards.shown(&frame, &self.output_choices(game));
        frame
    }

    fn page_frame_without_card(&self, game: GameId) -> OutputFrame {
        let bar = self.window_bars().find(|(_, bar)| bar.game() == game);
        let mut frame = self.output_frame(game, bar.map(|(id, _)| id));
        frame.bar.is_hidden = match bar {
            Some((_, bar)) => bar.is_hidden_now(),
            None => self.bars().any(|(_, bar)| bar.is_hidden()) || self.hides_values(game),
        };
        frame
    }

    fn output_view(&self, bar: BarId, game: GameId, choices: &OutputChoices) -> BarView {
        let mut frame = self.output_frame(game, Some(bar));
        frame.bar.is_hidden = self.bar(bar).is_hidden_now();
        frame.turning_point = self.programme.cards.shown(&frame, choices);
        frame.view(choices, self.settings.lang)
    }

    /// Returns the state of a game that viewers may see. `bar` is a bar that shows the game.
    pub(crate) fn output_frame(&self, game: GameId, bar: Option<BarId>) -> OutputFrame {
        if let Some(closed) = self.programme.closed_games.get(&game) {
            return closed.clone();
        }
        if let Some(restored) = self.restored_frame(game) {
            return restored;
        }
        match self.programme.delays.get(&game) {
            Some(line) => {
                let shown = line.shown().cloned().unwrap_or_default();
                if line.is_caught_up() {
                    shown
                } else {
                    shown.delayed()
                }
            }
            // Nothing is shown before the first position is recorded.
            None if self.programme.delay(game) != Delay::None => self
                .live_frame(game, bar.or_else(|| self.bar_of(game)))
                .earlier(0),
            None => {
                let present = self.present_frame(game, bar.or_else(|| self.bar_of(game)));
                match self.live_tip_beside(game) {
                    Some(tip) => {
                        let last = self
                            .programme
                            .tip_frames
                            .get(&game)
                            .filter(|last| last.bar.history == tip);
                        self.frame_at_tip(game, last.unwrap_or(&present), &tip)
                    }
                    None => present,
                }
            }
        }
    }

    /// Returns the newest position of a live game on air while the study page shows a move that is not of the game;
    /// `None` otherwise. A game that ends meanwhile counts until the user goes back to it.
    pub(super) fn live_tip_beside(&self, game: GameId) -> Option<Arc<History>> {
        let shown = self.game(game);
        if shown.has_ended() && !self.programme.tip_frames.contains_key(&game) {
            return None;
        }
        let (tip, is_on_way) = shown.live_tip()?;
        (!is_on_way && self.is_game_on_air(game)).then_some(tip)
    }

    /// Returns the state of a game at its newest live position, whatever position the study page shows.
    fn live_frame(&self, id: GameId, bar: Option<BarId>) -> OutputFrame {
        let (game, present) = (self.game(id), self.present_frame(id, bar));
        match game.live_tip().filter(|(tip, _)| tip != game.history()) {
            Some((tip, _)) => self.frame_at_tip(id, &present, &tip),
            None => present,
        }
    }

    /// Returns the state of a followed game at its newest position, by a state of the game at any position. The values are
    /// those that are known without a search.
    fn frame_at_tip(&self, id: GameId, known: &OutputFrame, tip: &Arc<History>) -> OutputFrame {
        let game = self.game(id);
        let mut frame = if known.bar.history == *tip {
            known.clone()
        } else {
            let mut frame = known.at(tip);
            let engine = known.report.as_ref().map_or("", |report| report.name.as_str());
            frame.bar.graph = game.shares_along(engine, tip);
            frame.bar.stored_share = frame.bar.graph.last().copied().flatten();
            frame.bar.clocks = game.clocks_at(tip);
            frame.bar.live_mark = Some(LiveMark::Live);
            frame
        };
        frame.bar.ending = game.ending_at(tip);
        frame.is_over = game.has_ended() || frame.bar.ending.is_some();
        if game.has_ended() {
            frame.bar.live_mark = None;
        }
        frame
    }

    pub(super) fn present_frame(&self, id: GameId, bar: Option<BarId>) -> OutputFrame {
        let game = self.game(id);
        let (bar, report) = if let Some(bar) = bar {
            (self.bar_input(bar), self.bar(self.lender(bar)).lead_report(game))
        } else {
            let bar = self.bar_for_unshown_game(id, game);
            (bar.input(game), bar.lead_report(game))
        };
        OutputFrame {
            bar,
            report,
            is_at_tip: game.document().is_at_tip(),
            is_over: game.has_ended() || game.is_ended_by_board(),
            turning_point: None,
        }
    }

    /// Creates a bar for a game that no bar shows. Its values are those that the engines have shown during the game's
    /// turns, or the evaluation in the record.
    fn bar_for_unshown_game(&self, id: GameId, game: &Game) -> Bar {
        let mut bar = Bar::showing(id);
        if let Some(report) = self.shared_report(id) {
            bar.add_engine(report);
        } else if let Some(snapshot) = game.record_snapshot() {
            bar.add_engine(EngineReport::from(snapshot));
        }
        bar
    }

    /// Returns the content of an output, as viewers see it.
    pub fn view_of_output(&self, output: OutputId) -> BarView {
        let game = self.game_of_output(output);
        match output {
            OutputId::Bar(bar) => self.bar_view(bar),
            OutputId::Pages => {
                let mut frame = self.output_frame(game, None);
                frame.bar.is_hidden =
                    self.bars.iter().any(|entry| entry.bar.is_hidden()) || self.hides_values(game);
                frame.view(&self.output_choices(game), self.settings.lang)
            }
        }
    }

    /// Returns the present content of a game for its user.
    pub fn private_view_of_game(&self, game: GameId) -> BarView {
        self.present_frame(game, self.bar_of(game))
            .view(&OutputChoices::default(), self.settings.lang)
    }

    /// Returns the number of the move that viewers of a game see, and that of the newest one.
    pub fn shown_and_newest_ply(&self, game: GameId) -> (usize, usize) {
        let shown = self.output_frame(game, None).ply();
        let behind = self
            .programme
            .delays
            .get(&game)
            .map_or(0, DelayLine::moves_behind);
        (shown, shown + behind)
    }

    /// Returns whether a loss or an only move is shown once it stands for long enough.
    pub(super) fn awaits_statement(&self) -> bool {
        self.games.iter().any(|(_, game)| game.awaits_statement())
    }

    /// Returns whether an output shows a game with a delay.
    pub(super) fn has_delay(&self) -> bool {
        !self.programme.delays.is_empty() || self.programme.default_choices.delay != Delay::None
    }

    /// Shows a game on a bar. If the bar is on air and shows another game, the game is shown on the study page alone.
    /// Returns the bar that shows the game.
    pub(super) fn present(&mut self, bar: BarId, game: GameId) -> BarId {
        let bar = self.bar_beside_preview(bar);
        if self.bar(bar).game() == game || !self.is_on_air(OutputId::Bar(bar)) {
            self.show(bar, game);
            return bar;
        }
        let preview = match self.programme.preview {
            Some(preview) => preview.bar,
            None => self.add_preview(bar, game),
        };
        self.show(preview, game);
        if self.study_bar == bar || !self.is_study_open {
            self.study_bar = preview;
        }
        self.notices.set_result(&Message::OpenedOffAir, preview, false);
        if !self.is_study_open {
            // Nothing else shows the user that something was opened.
            self.effects.push(AppEffect::OpenProgramme { takes_focus: false });
        }
        preview
    }

    /// Returns the bar in whose place a preview stands once it is off the air. The preview is then closed.
    fn bar_beside_preview(&mut self, bar: BarId) -> BarId {
        let Some(preview) = self.programme.preview.filter(|preview| preview.bar == bar) else {
            return bar;
        };
        if self.is_on_air(OutputId::Bar(preview.beside)) {
            return bar;
        }
        self.close_preview();
        preview.beside
    }

    fn add_preview(&mut self, beside: BarId, game: GameId) -> BarId {
        let bar = self.add_bar_with(beside, game, Vec::new());
        self.programme.preview = Some(Preview { bar, beside });
        bar
    }

    /// Closes the preview. The study page then has the bar beside it.
    pub(super) fn close_preview(&mut self) {
        let Some(Preview { bar, beside }) = self.programme.preview.take() else {
            return;
        };
        let (was_in_study, game) = (self.study_bar == bar, self.bar(bar).game());
        self.close_bar(bar);
        let of_game = self
            .window_bars()
            .find(|(_, bar)| bar.game() == game)
            .map(|(bar, _)| bar);
        let beside = Some(beside).filter(|beside| self.bars.iter().any(|entry| entry.id == *beside));
        if was_in_study && let Some(bar) = of_game.or(beside) {
            self.show_in_study_bar(bar);
        }
    }

    /// Returns the tab for a record that would replace that of a game: the game itself, or a new one if viewers may be
    /// watching the game.
    pub(super) fn tab_in_place_of(&mut self, game: GameId) -> GameId {
        if self.is_game_on_air(game) {
            self.add_game()
        } else {
            game
        }
    }

    pub(super) fn command_output(&mut self, output: OutputId, command: OutputCommand) {
        match command {
            OutputCommand::Lock(is_locked) => self.lock_output(output, is_locked),
            OutputCommand::Switch(wanted) => {
                if let Some(next) = wanted.or_else(|| self.next_of_output(output)) {
                    self.switch_output(output, next);
                }
            }
            choice => self.choose_for_viewers(self.game_of_output(output), choice),
        }
    }

    /// Carries out a command about what viewers of a game see. An output may show the game only by its number.
    fn choose_for_viewers(&mut self, game: GameId, command: OutputCommand) {
        match command {
            OutputCommand::Lock(_) | OutputCommand::Switch(_) => {}
            OutputCommand::NumbersOnly(is_on) => self.programme.choices_mut(game).numbers_only = is_on,
            OutputCommand::Delay(delay) => self.set_delay(game, delay),
            OutputCommand::OwnGame(is_own) => {
                if let Some(game) = self.game_mut(game) {
                    game.own_answer = Some(is_own);
                }
            }
            OutputCommand::Credit(credit) => self.programme.choices_mut(game).credit = credit,
            OutputCommand::TurningPoint => self.show_turning_point(self.study_bar, game),
        }
    }

    fn lock_output(&mut self, output: OutputId, is_locked: bool) {
        match output {
            OutputId::Bar(bar) if is_locked && !self.is_preview(bar) => {
                _ = self.programme.locked_bars.insert(bar);
            }
            OutputId::Bar(bar) => _ = self.programme.locked_bars.remove(&bar),
            OutputId::Pages => self.programme.are_pages_locked = is_locked,
        }
    }

    /// Shows a game on an output, by a command for that output. The output is unlocked.
    fn switch_output(&mut self, output: OutputId, game: GameId) {
        if !self.has_game(game) {
            return;
        }
        self.lock_output(output, false);
        self.pass_choices_on(self.game_of_output(output), game);
        match output {
            OutputId::Bar(bar) => self.show(bar, game),
            OutputId::Pages => {
                self.programme.page_game = game;
                if let Some(listed) = &mut self.programme.listed_games {
                    listed.insert(game);
                }
                self.read_file(game);
            }
        }
    }

    /// Gives a game that is put on an output the choices of the game before it, unless it has choices of its own: what is
    /// numbers only, delayed or credited stays so.
    pub(super) fn pass_choices_on(&mut self, from: GameId, to: GameId) {
        let Some(choices) = self.programme.game_choices(from).cloned() else {
            return;
        };
        if from != to && self.programme.game_choices(to).is_none() {
            self.set_delay(to, choices.delay);
            *self.programme.choices_mut(to) = choices;
        }
    }

    /// Shows a game on a bar, by a command for that bar. A locked bar refuses it.
    pub(super) fn show_by_command(&mut self, bar: BarId, game: GameId) {
        if self.is_locked(OutputId::Bar(bar)) && self.bar(bar).game() != game {
            return self.notices.set_result(&Message::OutputLocked, bar, false);
        }
        self.show(bar, game);
    }

    fn set_delay(&mut self, game: GameId, delay: Delay) {
        let is_new = delay != Delay::None && !self.programme.delays.contains_key(&game);
        // The outputs stand at what they show now.
        let shown = is_new.then(|| self.output_frame(game, self.bar_of(game)));
        self.programme.choices_mut(game).delay = delay;
        if let Some(frame) = shown {
            let is_shown = frame.ply() > 0 || self.has_game(game) && !self.game(game).is_blank();
            let line = if is_shown {
                DelayLine::standing(frame, self.now)
            } else {
                DelayLine::default()
            };
            self.programme.delays.insert(game, line);
        }
    }

    /// Records the pages that are open.
    pub(super) fn set_page_clients(&mut self, clients: PageClients) {
        self.programme.listed_games = match (clients.has_lists, self.programme.listed_games.take()) {
            (true, Some(listed)) => Some(listed),
            (true, None) => Some(self.games.iter().map(|(id, _)| *id).collect()),
            (false, _) => None,
        };
        self.programme.clients = clients;
    }

    pub(crate) fn listed_games(&self) -> Vec<GameId> {
        let open = self.games.iter().map(|(id, _)| *id);
        let closed = self.programme.closed_games.keys().copied();
        let Some(listed) = &self.programme.listed_games else {
            return open.chain(closed).collect();
        };
        let on_page = self
            .is_on_air(OutputId::Pages)
            .then_some(self.programme.page_game);
        open.filter(|game| {
            listed.contains(game) || on_page == Some(*game) || self.programme.clients.games.contains(game)
        })
        .chain(closed)
        .collect()
    }

    /// Returns whether the pages of all games show a game. A game that was opened while such a page is open waits.
    pub fn is_listed(&self, game: GameId) -> bool {
        self.listed_games().contains(&game)
    }

    pub(super) fn list_game(&mut self, game: GameId) {
        if let Some(listed) = &mut self.programme.listed_games {
            listed.insert(game);
        }
    }

    /// Updates the outputs after an event: the pages follow the study page while they are off the air, delayed games move
    /// on, and what no output needs any more is dropped.
    pub(super) fn update_programme(&mut self) {
        if !self.is_on_air(OutputId::Pages) {
            self.programme.page_game = self.bar(self.study_output()).game();
        }
        self.update_delays();
        self.keep_tip_frames();
        self.update_turning_cards();
        let preview_game = self.programme.preview.map(|preview| self.bar(preview.bar).game());
        if preview_game.is_some_and(|game| self.window_bars().any(|(_, bar)| bar.game() == game)) {
            self.close_preview();
        }
        self.drop_closed_games();
        self.drop_restored_frames();
    }

    /// Announces the turning points of the games on air.
    fn update_turning_cards(&mut self) {
        let open: Vec<_> = self.games.iter().map(|(id, _)| *id).collect();
        self.programme
            .cards
            .retain_games(|game| open.contains(&GameId(game)));
        for id in open {
            if self.is_game_on_air(id) {
                let (frame, choices) = (self.page_frame_without_card(id), self.output_choices(id));
                self.programme.cards.update(&frame, &choices, self.now);
            }
        }
    }

    /// Shows the card of the last turning point of a game again, or else that of the game on air. The user is told if
    /// there is none, or if viewers see no values.
    pub(super) fn show_turning_point(&mut self, bar: BarId, game: GameId) {
        let on_air = self.frame_on_air().map(|(frame, _)| GameId(frame.bar.game));
        let game = if self.is_game_on_air(game) {
            game
        } else {
            on_air.unwrap_or(game)
        };
        if !self.programme.cards.show_again(game.0, self.now) {
            return self.notices.set_result(&Message::NoTurningPoint, bar, false);
        }
        let shown = self.page_frame(game).turning_point;
        if shown.is_none() {
            self.notices
                .set_result(&Message::TurningPointWithheld, bar, false);
        }
    }

    /// Keeps the state of each running live game on air at its newest position. Outputs show it while the study page is at
    /// a move that is not of the game.
    fn keep_tip_frames(&mut self) {
        let kept: Vec<_> = self
            .games
            .iter()
            .map(|(id, _)| *id)
            .filter(|id| {
                let is_shown = self.game(*id).is_running_live() || self.live_tip_beside(*id).is_some();
                is_shown && self.is_game_on_air(*id)
            })
            .collect();
        self.programme.tip_frames.retain(|id, _| kept.contains(id));
        for id in kept {
            let game = self.game(id);
            if game.live_tip().is_some_and(|(tip, _)| tip == *game.history()) {
                let frame = self.present_frame(id, self.bar_of(id));
                self.programme.tip_frames.insert(id, frame);
            }
        }
    }

    /// Records the games with a delay, and moves them on.
    fn update_delays(&mut self) {
        let games: Vec<_> = self.games.iter().map(|(id, _)| *id).collect();
        for id in games {
            let delay = self.programme.delay(id);
            let is_delayed = self.programme.delays.contains_key(&id);
            if delay == Delay::None && !is_delayed {
                continue;
            }
            let game = self.game(id);
            if game.is_blank()
                || game.awaits_source()
                || game.unread_path.is_some()
                || self.awaits_former_game(id)
            {
                // There is no position yet.
                continue;
            }
            let frame = self.live_frame(id, self.bar_of(id));
            let now = self.now;
            let line = self.programme.delays.entry(id).or_default();
            if frame.is_at_tip || line.shown().is_none() {
                line.record(frame, delay, now);
            }
            line.advance(delay, now);
            if delay == Delay::None && line.is_caught_up() {
                self.programme.delays.remove(&id);
            }
        }
    }

    /// Drops the last states of closed games that no output on air shows.
    fn drop_closed_games(&mut self) {
        let closed: Vec<_> = self.programme.closed_games.keys().copied().collect();
        for game in closed {
            let is_shown = self.outputs().any(|output| self.game_of_output(output) == game)
                || self.programme.clients.games.contains(&game);
            if !is_shown {
                self.programme.forget(game);
            }
        }
    }

    /// Keeps the last state of a game that is closed, for the outputs on air. Returns the bars among them.
    pub(super) fn keep_closed_game(&mut self, game: GameId) -> Vec<BarId> {
        let kept: Vec<_> = self
            .outputs()
            .filter(|output| self.game_of_output(*output) == game && self.is_on_air(*output))
            .collect();
        let has_page = self.programme.clients.games.contains(&game);
        if kept.is_empty() && !has_page {
            self.programme.forget(game);
            return Vec::new();
        }
        if self.programme.page_game == game && !kept.contains(&OutputId::Pages) {
            // Only a page with the number of the game keeps it. The other pages go on with the study page.
            self.programme.page_game = GameId::default();
        }
        let frame = self.output_frame(game, self.bar_of(game)).ended();
        self.programme.closed_games.insert(game, frame);
        self.programme.delays.remove(&game);
        kept.into_iter()
            .filter_map(|output| match output {
                OutputId::Bar(bar) => Some(bar),
                OutputId::Pages => None,
            })
            .collect()
    }

    pub(super) fn outputs_of(&self, game: GameId) -> Vec<OutputId> {
        self.outputs()
            .filter(|output| self.game_of_output(*output) == game)
            .collect()
    }

    /// Locks all outputs that show the game of a bar, or unlocks them if all are locked.
    pub(super) fn toggle_lock(&mut self, bar: BarId) {
        let output = if self.is_preview(bar) {
            self.study_output()
        } else {
            bar
        };
        let outputs = self.outputs_of(self.bar(output).game());
        let is_locked = outputs.iter().all(|output| self.is_locked(*output));
        for output in outputs {
            self.lock_output(output, !is_locked);
        }
    }

    /// Switches the outputs on air that show one game to the next game; without an output on air, those that show the game
    /// of a bar. Locked outputs stay, and the user is told.
    pub(super) fn switch_outputs_of(&mut self, bar: BarId) {
        let of_bar = OutputId::Bar(if self.is_preview(bar) {
            self.study_output()
        } else {
            bar
        });
        let on_air: Vec<_> = self.outputs().filter(|output| self.is_on_air(*output)).collect();
        let free = on_air.iter().copied().find(|output| !self.is_locked(*output));
        let output = free.unwrap_or(of_bar);
        let outputs = self.outputs_of(self.game_of_output(output));
        let (locked, free): (Vec<_>, Vec<_>) =
            outputs.into_iter().partition(|output| self.is_locked(*output));
        if free.is_empty() && !locked.is_empty() {
            return self.notices.set_result(&Message::OutputLocked, bar, false);
        }
        let Some(next) = self.next_of_output(output) else {
            return;
        };
        for output in free {
            self.switch_output(output, next);
        }
    }

    /// Carries out a request to the control address: for the outputs of a game, or for all outputs.
    pub(super) fn control_outputs(&mut self, command: &OutputCommand, game: Option<GameId>) {
        match (command, game) {
            (OutputCommand::NumbersOnly(is_on), None) => self.set_numbers_only(*is_on),
            (OutputCommand::Delay(delay), None) => {
                let games: Vec<_> = self.games.iter().map(|(id, _)| *id).collect();
                for game in games {
                    self.set_delay(game, *delay);
                }
                self.programme.default_choices.delay = *delay;
            }
            (OutputCommand::Switch(None), None) => self.switch_outputs_of(self.study_output()),
            (OutputCommand::Switch(None), Some(_)) if self.is_locked(OutputId::Pages) => {
                self.notices
                    .set_result(&Message::OutputLocked, self.study_bar, false);
            }
            (OutputCommand::Switch(None), Some(game)) => self.switch_output(OutputId::Pages, game),
            _ => {
                let outputs: Vec<_> =
                    game.map_or_else(|| self.outputs().collect(), |game| self.outputs_of(game));
                if outputs.is_empty()
                    && let Some(game) = game
                {
                    self.choose_for_viewers(game, command.clone());
                }
                for output in outputs {
                    self.command_output(output, command.clone());
                }
            }
        }
    }
}
