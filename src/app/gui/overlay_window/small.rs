//! The small windows beside the bar, of which one is open at a time. They show the command palette, forms for an
//! address, the players and a correction of the board, and a list of games to choose from. Others ask before the program
//! ends while a live game is shown, and before one more engine starts. The bar can be used meanwhile.

use super::{MainRequest, OverlayWindow, SettingTarget};
use crate::app::gui::palette::{self, PaletteSettings, PaletteSource, WindowChoice};
use crate::app::gui::small_window::SmallWindow;
use eframe::egui;
use egui::{Context, Key, Rect, RichText, ScrollArea, Ui, Vec2, ViewportId, pos2, vec2};
use shogibar_base::Lang;
use shogibar_base::threads::lock;
use shogibar_config::{Command, CommandCondition, CommandContext, command_text};
use shogibar_games::study::DocumentEdit;
use shogibar_live::source_text::{SourcePhrase, SourceRemark};
use shogibar_live::{BoardCorrection, LiveAddress, ScreenArea};
use shogibar_model::action::AppAction;
use shogibar_model::game::{GameSource, reads_screen};
use shogibar_model::{AppModel, Message};
use shogibar_ui::ViewportWaker;
use shogibar_ui::address::AddressForm;
use shogibar_ui::board::BoardStyle;
use shogibar_ui::correction::CorrectionForm;
use shogibar_ui::dialog::DialogStatus;
use shogibar_ui::fonts::TextWeight;
use shogibar_ui::game_list::show_game_titles;
use shogibar_ui::overlay::OverlayStyle;
use shogibar_ui::palette::{Palette, PaletteChoice};
use shogibar_ui::players::PlayersForm;
use shogibar_ui::study_text::EntryPhrase;
use shogibar_ui::window_text::{QuitReply, SharingReply, sharing_question};
use std::sync::Arc;
use std::time::Duration;

/// The time for which the question before the program ends is shown, in seconds. Without an answer, the program
/// continues.
const QUIT_QUESTION_SECONDS: f64 = 10.0;

#[derive(Debug)]
pub(super) enum SmallContent {
    Palette(Palette),
    Address(AddressForm),
    Players(Box<PlayersForm>),
    /// The games of a source to choose from.
    Games,
    /// The question before the program ends, with the time of the window's clock in seconds until which it is shown.
    Quit(Message, f64),
    /// The question before one more engine starts. Holds the number of running engines.
    Sharing(usize),
    /// The form in which the user corrects a position that was read off the screen.
    Correction(Box<CorrectionForm>),
}

/// The small window beside a bar.
#[derive(Debug, Default)]
pub(super) struct SmallWindows {
    open_window: Option<SmallWindow<SmallContent>>,
    has_offered_games: bool,
    /// Whether the user was asked about one more engine.
    has_offered_sharing: bool,
}

impl SmallWindows {
    #[cfg(test)]
    pub(super) const fn is_open(&self) -> bool {
        self.open_window.is_some()
    }
}

#[derive(Clone, Debug, PartialEq)]
enum SmallChoice {
    Palette(PaletteChoice),
    Address(LiveAddress),
    Edit(DocumentEdit),
    /// The game with this index in the list.
    Game(usize),
    /// The answer to the question before the program ends: whether the program ends.
    Quit(bool),
    /// The answer to the question before one more engine starts: whether the engines are shared.
    Share(bool),
    Correction(Box<BoardCorrection>),
}

impl SmallContent {
    /// Returns the size of the window, in points.
    const fn size(&self) -> Vec2 {
        match self {
            Self::Palette(_) => shogibar_ui::palette::MAX_PALETTE_SIZE,
            Self::Address(_) => vec2(500.0, 250.0),
            Self::Players(_) => vec2(272.0, 500.0),
            Self::Games => vec2(460.0, 300.0),
            Self::Quit(..) => vec2(340.0, 80.0),
            Self::Sharing(_) => vec2(440.0, 100.0),
            Self::Correction(_) => vec2(372.0, 630.0),
        }
    }

    /// Returns whether the window closes once it has lost the focus. A window with entered text stays open.
    const fn closes_without_focus(&self) -> bool {
        matches!(self, Self::Palette(_) | Self::Games)
    }

    const fn has_heading(&self) -> bool {
        matches!(
            self,
            Self::Address(_) | Self::Players(_) | Self::Games | Self::Correction(_)
        )
    }

    fn title(&self, lang: Lang) -> (&'static str, &'static str) {
        match self {
            Self::Palette(_) => ("palette", command_text(Command::Palette, lang)),
            Self::Address(_) => (
                "address",
                command_text(Command::OpenAddress, lang).trim_end_matches('…'),
            ),
            Self::Players(_) => ("players", EntryPhrase::PlayersTitle.text(lang)),
            Self::Games => ("games", SourcePhrase::Choose.text(lang).trim_end_matches('…')),
            Self::Correction(_) => (
                "correction",
                command_text(Command::CorrectBoard, lang).trim_end_matches('…'),
            ),
            Self::Quit(..) => ("quit", QuitReply::Title.text(lang)),
            Self::Sharing(_) => ("sharing", SharingReply::Title.text(lang)),
        }
    }
}

/// Returns the answer by a key to the question before the program ends. Enter or Y ends the program; Escape or N does
/// not.
fn key_answer(ctx: &Context) -> Option<bool> {
    let pressed = |keys: [Key; 2]| ctx.input(|input| keys.into_iter().any(|key| input.key_pressed(key)));
    if pressed([Key::Enter, Key::Y]) {
        Some(true)
    } else {
        pressed([Key::Escape, Key::N]).then_some(false)
    }
}

/// Draws the question before the program ends. Returns the answer: whether the program has to end.
fn show_quit_question(ui: &mut Ui, question: &Message, lang: Lang) -> DialogStatus<bool> {
    ui.label(question.text(lang));
    ui.add_space(6.0);
    let replies = [QuitReply::Quit, QuitReply::Stay];
    let [quits, stays] = ui
        .horizontal(|ui| replies.map(|reply| ui.button(reply.text(lang)).clicked()))
        .inner;
    let answer = if quits || stays {
        Some(quits)
    } else {
        key_answer(ui.ctx())
    };
    answer.map_or(DialogStatus::Open, DialogStatus::Done)
}

/// Draws the question before one more engine starts. Returns the answer: whether the running engines are shared.
fn show_sharing_question(ui: &mut Ui, engines: usize, lang: Lang) -> DialogStatus<bool> {
    ui.label(sharing_question(engines, lang));
    ui.add_space(6.0);
    let replies = [SharingReply::Share, SharingReply::Start];
    let [shares, starts] = ui
        .horizontal_wrapped(|ui| replies.map(|reply| ui.button(reply.text(lang)).clicked()))
        .inner;
    let shares = shares || ui.input(|input| input.key_pressed(Key::Enter));
    if shares || starts {
        DialogStatus::Done(shares)
    } else {
        DialogStatus::Open
    }
}

/// Returns the areas of the boards that are read off the screen, in pixels.
#[expect(clippy::cast_precision_loss, reason = "pixels of a screen")]
pub(in crate::app::gui) fn boards_on_screen(model: &AppModel) -> Vec<Rect> {
    model
        .games()
        .filter_map(|(_, game)| {
            let ScreenArea {
                left,
                top,
                width,
                height,
            } = game.source()?.board()?;
            let size = vec2(width as f32, height as f32);
            Some(Rect::from_min_size(pos2(left as f32, top as f32), size))
        })
        .collect()
}

impl OverlayWindow {
    /// Opens a small window in place of the open one. If the open window has the same kind of content, it is only
    /// closed.
    pub(super) fn open_small(&mut self, ctx: &Context, content: SmallContent) {
        let kind = std::mem::discriminant(&content);
        let same = self
            .small_windows
            .open_window
            .take()
            .filter(|open| std::mem::discriminant(&open.content) == kind);
        if same.is_none() {
            let size = content.size();
            let boards = boards_on_screen(lock(&self.setup.viewer).model());
            let taken: Vec<_> = boards.into_iter().chain(self.taken.iter().copied()).collect();
            self.small_windows.open_window =
                Some(SmallWindow::open(ctx, &self.placement, &taken, size, content));
        }
        ViewportWaker::new(ctx.clone(), ctx.viewport_id()).wake();
    }

    pub(super) fn open_palette(&mut self, ctx: &Context) {
        let (settings, engines) = (
            PaletteSettings::new(&self.setup.preferences),
            lock(&self.setup.engines).clone(),
        );
        let viewer = lock(&self.setup.viewer);
        let model = viewer.model();
        let source = PaletteSource {
            settings,
            model,
            engines: &engines,
            context: CommandContext::Bar,
        };
        let document = model.game(model.bar(self.setup.bar).game()).document();
        let rows = source.rows(ctx, |command| match command.condition() {
            CommandCondition::SeveralBars => model.window_bars().count() > 1,
            CommandCondition::SeveralEngines => viewer.engine_names(self.setup.bar).len() > 1,
            CommandCondition::ReadsScreen => reads_screen(model.game(model.bar(self.setup.bar).game())),
            CommandCondition::NotAnalysing => !model.is_analysing(),
            // The study page checks the conditions about mistakes.
            condition => document.allows(condition).unwrap_or(true),
        });
        drop(viewer);
        self.open_small(ctx, SmallContent::Palette(Palette::new(rows)));
    }

    pub(super) fn open_players(&mut self, ctx: &Context) {
        let form = {
            let viewer = lock(&self.setup.viewer);
            let model = viewer.model();
            PlayersForm::new(model.game(model.bar(self.setup.bar).game()).document())
        };
        self.open_small(ctx, SmallContent::Players(Box::new(form)));
    }

    /// Opens the form for correcting the position on the screen, or reports that no screen is read.
    pub(super) fn open_correction(&mut self, ctx: &Context) {
        let form = {
            let viewer = lock(&self.setup.viewer);
            let model = viewer.model();
            let game = model.game(model.bar(self.setup.bar).game());
            reads_screen(game).then(|| Box::new(CorrectionForm::new(game.history())))
        };
        match form {
            Some(form) => self.open_small(ctx, SmallContent::Correction(form)),
            None => self.act(AppAction::ShowNotice(SourceRemark::NoScreen.into())),
        }
    }

    /// Requests the end of the program. Asks first while a live game is shown or an output is on air. Returns whether it
    /// asks.
    pub(super) fn ask_quit(&mut self, ctx: &Context) -> bool {
        let question = {
            let viewer = lock(&self.setup.viewer);
            let model = viewer.model();
            let is_on_air = model.outputs().any(|output| model.is_on_air(output));
            let on_air = is_on_air.then_some(Message::QuitWhileOnAir);
            if model.is_live() {
                Some(Message::QuitWhileLive)
            } else {
                on_air
            }
        };
        let asks = question.is_some();
        match question {
            None => self.request_quit(ctx),
            Some(question) if !self.is_asking_quit() => {
                let until = ctx.input(|input| input.time) + QUIT_QUESTION_SECONDS;
                self.open_small(ctx, SmallContent::Quit(question, until));
            }
            Some(_) => {}
        }
        asks
    }

    /// Returns whether the question before the program ends is open.
    fn is_asking_quit(&self) -> bool {
        self.small_windows
            .open_window
            .as_ref()
            .is_some_and(|window| matches!(window.content, SmallContent::Quit(..)))
    }

    /// Opens the list of a source's games once, as soon as the user has to choose a game. Closes the list when no game
    /// has to be chosen any more.
    fn offer_games(&mut self, ctx: &Context) {
        let awaits = {
            let viewer = lock(&self.setup.viewer);
            let model = viewer.model();
            model
                .game(model.bar(self.setup.bar).game())
                .source()
                .is_some_and(GameSource::awaits_choice)
        };
        if !awaits {
            self.small_windows.has_offered_games = false;
            self.small_windows
                .open_window
                .take_if(|window| matches!(window.content, SmallContent::Games));
        } else if !self.small_windows.has_offered_games && self.small_windows.open_window.is_none() {
            // An open window takes precedence, as the user has opened it.
            self.small_windows.has_offered_games = true;
            self.open_small(ctx, SmallContent::Games);
        }
    }

    /// Asks once whether the bar starts one more engine, or shares those of the other bars. Closes the question once it
    /// is answered elsewhere.
    fn offer_sharing(&mut self, ctx: &Context) {
        let (is_asked, engines) = {
            let viewer = lock(&self.setup.viewer);
            (
                viewer.model().offers_sharing(self.setup.bar),
                viewer.model().engine_count(),
            )
        };
        if !is_asked {
            self.small_windows.has_offered_sharing = false;
            self.small_windows
                .open_window
                .take_if(|window| matches!(window.content, SmallContent::Sharing(_)));
        } else if !self.small_windows.has_offered_sharing
            && self.is_seen()
            && self.small_windows.open_window.is_none()
        {
            self.small_windows.has_offered_sharing = true;
            self.open_small(ctx, SmallContent::Sharing(engines));
        }
    }

    /// Shows the small window that is open, and applies the user's choice in it. Returns whether the window
    /// handles the keys of this frame.
    pub(super) fn show_small(&mut self, ctx: &Context, style: &OverlayStyle) -> bool {
        self.offer_games(ctx);
        self.offer_sharing(ctx);
        let Some(window) = &mut self.small_windows.open_window else {
            return false;
        };
        let (now, lang, theme) = (ctx.input(|input| input.time), style.lang, &style.theme);
        let (name, title) = window.content.title(lang);
        let closes_without_focus = window.content.closes_without_focus();
        let style = {
            let preferences = lock(&self.setup.preferences);
            BoardStyle {
                pieces: preferences.settings().general.pieces,
                ..BoardStyle::default()
            }
        };
        let (recent, (titles, shown), record, (history, is_rotated)) = {
            let viewer = lock(&self.setup.viewer);
            let model = viewer.model();
            let game = model.game(model.bar(self.setup.bar).game());
            let (titles, shown) = game.source().map(GameSource::titles).unwrap_or_default();
            let is_rotated = game.source().is_some_and(GameSource::is_rotated);
            (
                model.recent_files().to_vec(),
                (titles.to_vec(), shown),
                game.document().first_revision(),
                (Arc::clone(game.history()), is_rotated),
            )
        };
        let end = window.show(ctx, name, title, closes_without_focus, |content, ui| {
            if content.has_heading() {
                ui.label(RichText::new(title).font(TextWeight::Bold.at(15.0)));
                ui.add_space(6.0);
            }
            match content {
                SmallContent::Palette(palette) => {
                    let chosen = palette.show(ui, theme, lang);
                    chosen.map_or(DialogStatus::Open, |choice| {
                        DialogStatus::Done(SmallChoice::Palette(choice))
                    })
                }
                SmallContent::Address(form) => form.show(ui, &recent, theme, lang).map(SmallChoice::Address),
                SmallContent::Players(form) => form.show(ui, record, theme, lang).map(SmallChoice::Edit),
                SmallContent::Games => {
                    let chosen =
                        show_game_titles(ui, &titles, shown, ScrollArea::vertical().auto_shrink(false));
                    chosen.map_or(DialogStatus::Open, |game| {
                        DialogStatus::Done(SmallChoice::Game(game))
                    })
                }
                SmallContent::Quit(question, _) => {
                    show_quit_question(ui, question, lang).map(SmallChoice::Quit)
                }
                SmallContent::Sharing(engines) => {
                    show_sharing_question(ui, *engines, lang).map(SmallChoice::Share)
                }
                SmallContent::Correction(form) => {
                    let end = form.show(ui, &history, style, is_rotated, theme, lang);
                    end.map(|correction| SmallChoice::Correction(Box::new(correction)))
                }
            }
        });
        let mut takes_keys = false;
        let end = match (&window.content, end) {
            (SmallContent::Quit(_, until), DialogStatus::Open) => {
                takes_keys = true;
                ctx.request_repaint_after(Duration::from_secs_f64((until - now).max(0.0)));
                // The bar may have the focus instead of the question, so its keys answer, too.
                match key_answer(ctx) {
                    Some(quits) => DialogStatus::Done(SmallChoice::Quit(quits)),
                    None if now >= *until => DialogStatus::Closed,
                    None => DialogStatus::Open,
                }
            }
            (_, end) => end,
        };
        if end != DialogStatus::Open {
            self.small_windows.open_window = None;
            ViewportWaker::new(ctx.clone(), ctx.viewport_id()).wake();
        }
        if let DialogStatus::Done(choice) = end {
            self.apply_small(ctx, choice);
        }
        takes_keys
    }

    /// Applies the user's choice in a small window.
    fn apply_small(&mut self, ctx: &Context, choice: SmallChoice) {
        match choice {
            SmallChoice::Palette(choice) => match palette::apply(choice, &self.setup.preferences) {
                Some(WindowChoice::Command(command)) => self.apply(ctx, command, 1),
                Some(WindowChoice::Setting(item)) => {
                    self.request(ctx, MainRequest::Settings(SettingTarget::Item(item)));
                }
                Some(WindowChoice::Game(game)) => self.act(AppAction::Show(game)),
                Some(WindowChoice::Action(action)) => self.act(action),
                // The root rebuilds the windows after a change of the settings.
                None => {
                    ViewportWaker::new(ctx.clone(), ViewportId::ROOT).wake();
                    (self.setup.wake)();
                }
            },
            SmallChoice::Address(address) => self.act(AppAction::OpenAddresses(vec![address])),
            SmallChoice::Edit(edit) => self.act(AppAction::Edit(edit)),
            SmallChoice::Game(nth) => self.act(AppAction::SelectGame(nth)),
            SmallChoice::Correction(correction) => self.act(AppAction::CorrectBoard(correction)),
            SmallChoice::Share(true) => {
                self.change_settings(ctx, |settings| settings.general.shares_engines = true);
            }
            SmallChoice::Share(false) => self.act(AppAction::StartOfferedEngines),
            SmallChoice::Quit(true) => self.request_quit(ctx),
            SmallChoice::Quit(false) => {}
        }
    }
}
