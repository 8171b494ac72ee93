//! The study page: the board, the engines' candidates, the graph, the moves and the comments.

mod analysis;
mod board_panel;
mod candidates;
mod comment;
mod entry;
mod graph_panel;
mod guess;
mod keys;
mod legend;
mod mate;
mod moves;
mod notes;
mod notice;
mod palette;
mod path;
mod players;
mod replacement;
mod review;
mod scroll_to_current;
mod setup;
mod tabs;
mod tools;
mod tree;

use super::PaintTheme;
use super::access::name;
use super::board::{BoardInput, BoardStyle};
use super::fonts::TextWeight;
use super::overlay::{FramePacer, Overlay, OverlayStyle};
use super::snapshot::PictureSize;
use crate::analysis::{AnalysisOptions, Evaluator, Progress};
use crate::bar;
use crate::config::{Command, Layout, OverlayPart, OverlayParts, StudyKeys};
use crate::kifu::{NodeId, Reason, Target};
use crate::shogi::{History, Move, Position};
use crate::study::{Document, Inquiry, InquiryKind, MoveRow, RecordInsight, UnsavedAnswer};
use crate::text::study::StudyPhrase;
use crate::text::{Label, Lang};
use candidates::CandidateList;
use comment::CommentField;
use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{
    Align2, Button, ColorImage, CornerRadius, Frame, Id, Margin, Rect, RichText, Shadow, Stroke, Ui, UiBuilder, Vec2,
    Window, vec2,
};
use entry::MoveEntry;
use graph_panel::GraphPanel;
use guess::GuessPanel;
use keys::KeyList;
use mate::MatePanel;
use moves::MoveList;
use notice::TransientNotice;
use palette::CommandPalette;
pub use path::PathPurposeKind;
use players::PlayersDialog;
use replacement::ReplaceDialog;
use review::ReviewCard;
use std::path::{Path, PathBuf};
use std::sync::Arc;
pub use tabs::GameTab;
use tree::TreeList;

/// The gap between and around cards, in points.
const GAP: f32 = 13.0;
/// The height of a row of moves, in points.
const ROW: f32 = 26.0;
/// The minimum width to show the comment beside the moves, in points.
const BESIDE: f32 = 560.0;
/// The minimum height to show the comment below the moves, in points.
const BELOW: f32 = 330.0;

/// The input of the page for one frame.
#[derive(Clone, Copy, Debug)]
pub struct StudyView<'a> {
    /// The record with its current node.
    pub document: &'a Document,
    /// The rows of the current line.
    pub rows: &'a [MoveRow],
    /// The evaluations and assessments of the record.
    pub insight: &'a RecordInsight,
    /// The game up to the current node.
    pub history: &'a History,
    /// The state of the evaluation bar.
    pub bar: &'a bar::BarView,
    /// The display name of the record.
    pub name: Option<&'a str>,
    /// The recent files, latest first.
    pub recent: &'a [PathBuf],
    /// The state of the record's file.
    pub file: FileState,
    /// Whether the engines are paused.
    pub paused: bool,
    /// The name of the current engine.
    pub engine: &'a str,
    /// The user's names of the available engines.
    pub engines: &'a [String],
    /// The progress of the running analysis; `None` if there is none.
    pub analysis: Option<&'a Progress>,
    /// Whether the board is flipped: White at the bottom.
    pub flipped: bool,
    /// The keyboard shortcuts.
    pub keys: &'a StudyKeys,
    /// Whether the bar is animated.
    pub motion: bool,
    /// The style of the board.
    pub style: BoardStyle,
    /// The question to ask the user.
    pub question: Option<&'a StudyQuestion>,
    /// The open games, and the index of the current one.
    pub tabs: (&'a [GameTab], usize),
    /// The titles of the games of the file, and the index of the current one.
    pub game_list: (&'a [String], usize),
    /// The notice to show.
    pub notice: Option<&'a bar::BarNotice>,
    /// The question to the engine beside the game.
    pub inquiry: Option<&'a Inquiry>,
}

/// The state of a record's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileState {
    /// Nothing to report.
    #[default]
    Unchanged,
    /// A file is being read.
    Opening,
    /// Another program has changed the file; the change was not loaded because there are unsaved changes.
    ChangedOnDisk,
}

/// A question to the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyQuestion {
    /// Whether to save despite a problem, which is the text.
    SaveDespite(String),
    /// What to do with unsaved changes before quitting or replacing the record.
    Save {
        /// Whether the program is about to quit.
        ends: bool,
    },
    /// Whether to recover records left by an earlier run: their number, and the file name of the first.
    Recover(usize, Option<String>),
}

/// A user action on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyAction {
    /// Run a command.
    Run(Command),
    /// Go forward by this number of moves; backward if negative.
    Step(i32),
    /// Go to a place in the current line.
    GoTo(usize),
    /// Go to a node.
    Go(NodeId),
    /// Play a move.
    Play(Move),
    /// Set the comment at a node.
    Comment(NodeId, String),
    /// Delete a node and everything after it.
    Delete(NodeId),
    /// Replace a move by another one from the same position.
    Replace {
        /// The move to delete, with everything after it.
        old: NodeId,
        /// The move that replaces it.
        new: NodeId,
    },
    /// Set the players' names, Black first, other headers, and the start position, if given.
    Players {
        /// The names; a blank one removes the name.
        names: [String; 2],
        /// Other headers of the record by their keys; a blank value removes one.
        others: Vec<(&'static str, String)>,
        /// The start position.
        start: Option<Box<Position>>,
    },
    /// Move a node up by one among its siblings.
    Promote(NodeId),
    /// Make the line through a node the main line.
    MainLine(NodeId),
    /// Insert these moves as a variation after the current position.
    Insert(Vec<Move>),
    /// Insert these moves as a variation after a node.
    InsertAt(NodeId, Vec<Move>),
    /// Ask the engine about a position beside the game, or give the question up.
    Ask(Option<(InquiryKind, Arc<History>)>),
    /// Analyse the game.
    Analyse(Box<AnalysisOptions>),
    /// Let an evaluator judge the game.
    Judge(Evaluator),
    /// Pause or resume the analysis.
    PauseAnalysis,
    /// Cancel the analysis.
    CancelAnalysis,
    /// Set the keyboard shortcuts.
    Keys(Box<StudyKeys>),
    /// End the line after the current move, for this reason.
    End(Reason),
    /// Start a new game from this position.
    Start(Box<Position>),
    /// Copy a text to the clipboard.
    Copy(String),
    /// Copy the record in a format.
    CopyAs(Target),
    /// Open a file.
    Open(PathBuf),
    /// Show another open game, by index.
    ShowGame(usize),
    /// Close an open game, by index.
    CloseGame(usize),
    /// Select another game of the file, by index.
    SelectGame(usize),
    /// Reload the record's file.
    Reload,
    /// Dismiss the current notice.
    DismissNotice,
    /// Dismiss the transient notice: its time is over.
    ExpireNotice,
    /// Use this path for the requested purpose.
    PathChosen(PathPurposeKind, PathBuf),
    /// Load a record from pasted text.
    Paste(String),
    /// Recover the records of an earlier run if true; discard them if false.
    Recover(bool),
    /// Answer the question about unsaved changes.
    Answer(UnsavedAnswer),
}

/// The tab of the card with the moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MovesTab {
    #[default]
    Moves,
    Tree,
    Comment,
}

/// The state of the page between frames.
#[derive(Debug, Default)]
pub struct StudyPage {
    /// The position being set up; `None` outside setup mode.
    setup: Option<Position>,
    path: path::PathField,
    notice: TransientNotice,
    /// Whether the user is asked to confirm discarding recoverable records.
    confirms_discard: bool,
    /// The current record, by its first revision.
    record: u64,
    form: analysis::AnalysisForm,
    players: PlayersDialog,
    /// Whether to open the players dialog in the next frame.
    wants_players: bool,
    replacement: ReplaceDialog,
    entry: MoveEntry,
    board: BoardInput,
    overlay: Overlay,
    candidates: CandidateList,
    graph: GraphPanel,
    moves: MoveList,
    tree: TreeList,
    tab: MovesTab,
    is_small: bool,
    key_list: KeyList,
    palette: CommandPalette,
    comment: CommentField,
    review: ReviewCard,
    guess: GuessPanel,
    mate: MatePanel,
}

/// Draws the current board as a picture of 600 × 780 points at scale 2.
pub fn board_picture(view: &StudyView<'_>, theme: &PaintTheme, lang: Lang) -> Option<ColorImage> {
    let size = PictureSize::new(600, 780, 2.0).ok()?;
    let frame = StudyFrame { view, theme, lang, actions: Vec::new() };
    Some(board_panel::picture(&frame, size))
}

/// One frame of the page.
struct StudyFrame<'a> {
    view: &'a StudyView<'a>,
    theme: &'a PaintTheme,
    lang: Lang,
    actions: Vec<StudyAction>,
}

impl StudyPage {
    /// Sets the painter of the bar.
    pub fn set_painter(&mut self, painter: FramePacer) {
        self.overlay = Overlay::new(painter);
    }

    /// Draws the page in all of `ui`. Returns the user's actions that the caller must apply.
    pub fn show(&mut self, ui: &mut Ui, view: &StudyView<'_>, theme: &PaintTheme, lang: Lang) -> Vec<StudyAction> {
        // The values of the position would give the answer away.
        let hidden = self.guess.is_running().then(|| view.bar.hidden(lang));
        let view = &StudyView { bar: hidden.as_ref().unwrap_or(view.bar), ..*view };
        let mut frame = StudyFrame { view, theme, lang, actions: Vec::new() };
        let record = view.document.first_revision();
        if std::mem::replace(&mut self.record, record) != record {
            // What was begun was for another record.
            (self.setup, self.path) = (None, path::PathField::default());
            self.form.close();
        }
        self.candidates.update(ui, view.document);
        // Before the page, so that it takes its keys first.
        self.palette.show(ui, &mut frame);
        self.key_list.show(ui, &mut frame);
        self.guess.update(ui, &mut frame);
        if self.can_run_commands() && !self.palette.is_open() {
            self.keys(ui, &mut frame);
        }
        if std::mem::take(&mut self.wants_players) {
            self.players.open(&frame);
        }
        self.form.show(ui, &mut frame);
        self.players.show(ui, &mut frame);
        if !self.is_small {
            tabs::show(ui, &mut frame);
        }
        if !self.is_small || self.path.is_open() {
            tools::show(self, ui, &mut frame);
        }
        let below = tools::ask(self, ui, &mut frame, ui.available_rect_before_wrap());
        self.notice.show(ui, &mut frame, below);
        if self.guess.is_open() {
            self.mate.close(&mut frame);
        }
        self.mate.show(ui, &mut frame, below, &mut self.candidates);
        if self.is_small {
            board_panel::show(self, ui, &mut frame, ui.available_rect_before_wrap().shrink(6.0));
            return self.finish(frame);
        }
        let all = ui.available_rect_before_wrap().shrink(GAP);
        let board = (all.height() * 0.8).min(all.width() * 0.46).max(240.0);
        let (left, right) = all.split_left_right_at_x(all.left() + board);
        board_panel::show(self, ui, &mut frame, left);
        self.right(ui, &mut frame, right.with_min_x(right.left() + GAP));
        self.finish(frame)
    }

    /// Handles the actions that concern only the page. Returns the others.
    fn finish(&mut self, mut frame: StudyFrame<'_>) -> Vec<StudyAction> {
        let view = frame.view;
        if frame.actions.contains(&StudyAction::Run(Command::Mate)) {
            self.mate.ask(&mut frame);
        }
        let actions = frame.actions.into_iter().filter_map(|action| match action {
            StudyAction::Run(command @ (Command::PreviousMistake | Command::NextMistake)) => {
                view.mistake(command).map(StudyAction::Go)
            }
            StudyAction::Run(Command::Mate) => None,
            other => Some(other),
        });
        actions.filter(|action| !self.handle(action, view)).collect()
    }

    /// Shows the variation tree, or the moves of the current line.
    pub const fn show_tree(&mut self, shows: bool) {
        self.tab = if shows { MovesTab::Tree } else { MovesTab::Moves };
    }

    /// Asks for a file path, if the system has no file dialog. `offer` is the initial path: a file or a folder.
    pub fn ask_for(&mut self, wanted: PathPurposeKind, offer: &Path) {
        self.path.open(wanted, offer);
    }

    /// Opens the dialog for the players' names and the handicap.
    pub const fn ask_for_players(&mut self) {
        self.wants_players = true;
    }

    /// Opens the command palette, unless no command can be run now.
    pub fn open_palette(&mut self) {
        if self.can_run_commands() {
            self.palette.open();
        }
    }

    /// Returns whether commands can be run: not while a position is set up, a key is recorded or a move is guessed.
    const fn can_run_commands(&self) -> bool {
        self.setup.is_none() && !self.key_list.is_listening() && !self.guess.is_running()
    }

    /// Returns whether a key is being recorded for a shortcut. Global shortcuts must not run meanwhile.
    pub const fn is_listening(&self) -> bool {
        self.key_list.is_listening()
    }

    /// Returns whether only the small board is shown.
    pub const fn is_small(&self) -> bool {
        self.is_small
    }

    fn keys(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        self.entry.begin(ui);
        let keys_in_use = self.entry.busy(ui.ctx());
        self.candidates.keys(ui, frame.view.keys, keys_in_use);
        keys::pressed(ui, frame, keys_in_use);
    }

    /// Handles an action that concerns only the page. Returns whether it was handled.
    fn handle(&mut self, action: &StudyAction, view: &StudyView<'_>) -> bool {
        match action {
            StudyAction::Run(Command::Small) => self.is_small = !self.is_small,
            StudyAction::Run(Command::Guess) => {
                self.is_small = false;
                self.guess.open();
            }
            StudyAction::Run(Command::Keys) => self.key_list.toggle(),
            StudyAction::Run(Command::Palette) => self.open_palette(),
            StudyAction::Run(Command::Analyse) => self.form.open(view.document),
            StudyAction::Run(Command::Players) => self.wants_players = true,
            StudyAction::Play(mv) => {
                self.replacement.note(view.document, *mv);
                return false;
            }
            StudyAction::Run(Command::SetUp) => self.setup = Some(view.history.now().without_history()),
            _ => return false,
        }
        true
    }

    fn right(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, rect: Rect) {
        if self.guess.is_open() {
            // The moves, the graph and the candidates would give the answer away.
            frame.part(ui, "guess", rect, |ui, frame| frame.card(ui, |ui, frame| self.guess.show(ui, frame)));
            return;
        }
        let used = frame.part(ui, "candidates", rect, |ui, frame| {
            frame.card(ui, |ui, frame| self.engines(ui, frame));
        });
        let below = rect.with_min_y(used.bottom() + GAP);
        let graph = (below.height() * 0.4).clamp(90.0, 230.0);
        let (graph, below) = below.split_top_bottom_at_y(below.top() + graph);
        frame.part(ui, "course", graph, |ui, frame| frame.card(ui, |ui, frame| self.graph.show(ui, frame)));
        let below = below.with_min_y(below.top() + GAP);
        let (lists, notes) = if below.width() >= BESIDE {
            let (lists, notes) = below.split_left_right_at_fraction(0.62);
            (lists, Some(notes.with_min_x(notes.left() + GAP)))
        } else if below.height() >= BELOW {
            let (lists, notes) = below.split_top_bottom_at_fraction(0.62);
            (lists, Some(notes.with_min_y(notes.top() + GAP)))
        } else {
            (below, None)
        };
        frame.part(ui, "moves", lists, |ui, frame| {
            frame.card(ui, |ui, frame| self.lists(ui, frame, notes.is_none()));
        });
        let Some(notes) = notes else { return };
        frame.part(ui, "comment", notes, |ui, frame| {
            frame.card(ui, |ui, frame| {
                self.notes(ui, frame);
            });
        });
    }

    /// Draws the bar and the candidates.
    fn engines(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), egui::Sense::hover());
        let style = frame.board_style();
        let bar = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("bar"));
        self.overlay.show(&bar, frame.view.bar, &style);
        self.candidates.show(ui, frame);
    }

    /// Draws the selected tab. The comment is a tab if it has no card of its own.
    fn lists(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, has_comment: bool) {
        let tabs = [
            (MovesTab::Moves, StudyPhrase::Moves),
            (MovesTab::Tree, StudyPhrase::Tree),
            (MovesTab::Comment, StudyPhrase::Comment),
        ];
        ui.horizontal(|ui| {
            for (tab, phrase) in tabs.into_iter().take(if has_comment { 3 } else { 2 }) {
                let text = RichText::new(phrase.text(frame.lang)).font(TextWeight::Bold.at(14.0));
                if ui.selectable_label(self.tab == tab, text).clicked() {
                    self.tab = tab;
                }
            }
        });
        match self.tab {
            MovesTab::Tree => self.tree.show(ui, frame),
            MovesTab::Comment if has_comment => self.notes(ui, frame),
            MovesTab::Moves | MovesTab::Comment => self.moves.show(ui, frame),
        }
    }
}

impl StudyFrame<'_> {
    /// Returns the style of the bar on its card.
    fn board_style(&self) -> OverlayStyle {
        let mut parts = OverlayParts::default();
        let shown = [
            OverlayPart::Numbers,
            OverlayPart::Evaluation,
            OverlayPart::Situation,
            OverlayPart::Words,
            OverlayPart::Signal,
        ];
        for part in OverlayPart::ALL {
            parts.show(*part, shown.contains(part));
        }
        let theme = PaintTheme { panel: self.theme.card, panel_corner: 0, ..*self.theme };
        OverlayStyle { layout: Layout::Bar, parts, motion: self.view.motion, ..OverlayStyle::new(theme, self.lang) }
    }

    /// Draws a part of the page in a rectangle. Returns the space used.
    fn part(&mut self, ui: &mut Ui, name: &str, rect: Rect, show: impl FnOnce(&mut Ui, &mut Self)) -> Rect {
        ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt(name), |ui| show(ui, self)).response.rect
    }

    /// Draws a card.
    fn card(&mut self, ui: &mut Ui, show: impl FnOnce(&mut Ui, &mut Self)) {
        let frame = Frame::NONE
            .fill(self.theme.card)
            .stroke(Stroke::new(1.0, self.theme.separator))
            .corner_radius(CornerRadius::same(8))
            .inner_margin(Margin::symmetric(12, 10));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            show(ui, self);
        });
    }

    /// Creates a window with a title and a close button.
    fn dialog(&self, title: &'static str) -> Window<'static> {
        let text = RichText::new(title).font(TextWeight::Bold.at(15.0));
        let window = Window::new(text).id(Id::unique(title)).frame(self.dialog_frame());
        window.resizable(false).collapsible(false).anchor(Align2::CENTER_CENTER, Vec2::ZERO)
    }

    /// Returns the frame of a dialog.
    fn dialog_frame(&self) -> Frame {
        Frame::NONE
            .fill(self.theme.card)
            .stroke(Stroke::new(1.0, self.theme.separator))
            .corner_radius(CornerRadius::same(10))
            .inner_margin(Margin::same(16))
            .shadow(Shadow { offset: [0, 6], blur: 24, spread: 0, color: self.theme.text.gamma_multiply(0.18) })
    }

    fn act(&mut self, action: StudyAction) {
        self.actions.push(action);
    }

    /// Returns the names of the sides, Black first.
    fn titles(&self) -> [&'static str; 2] {
        Label::sides(self.view.document.record().is_handicap()).map(|label| label.text(self.lang))
    }

    /// Returns the text of a node's value from Black's view, and whether the game is decided.
    fn value(&self, node: NodeId) -> Option<(String, bool)> {
        use crate::score::Value;
        let (value, _) = self.view.insight.value(node).filter(|_| !self.view.bar.hidden)?;
        Some(match value {
            Value::Cp(_) => (bar::evaluation(value), false),
            Value::Mate { winner, plies } => {
                (crate::text::study::decided(winner == crate::shogi::Color::Black, plies, self.lang), true)
            }
            Value::Won(winner) => {
                (crate::text::study::decided(winner == crate::shogi::Color::Black, None, self.lang), true)
            }
        })
    }
}

/// Draws a menu button with more commands for an item.
fn more(ui: &mut Ui, lang: Lang, with: &str, show: impl FnOnce(&mut Ui)) {
    let button = MenuButton::from_button(Button::new("…").frame_when_inactive(false));
    let (button, _) = button.ui(ui, show);
    name(&button, &format!("{with}: {}", StudyPhrase::More.text(lang)));
}

#[cfg(test)]
mod tests;
