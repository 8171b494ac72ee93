//! The page on which a game is studied: the board, what the engines say, the moves and what is noted on them.

mod analysis;
mod board_panel;
mod candidates;
mod comment;
mod entry;
mod graph_panel;
mod keys;
mod legend;
mod moves;
mod notice;
mod path;
mod players;
mod replacement;
mod scroll_to_current;
mod setup;
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
use crate::config::{Layout, OverlayPart, OverlayParts, StudyKeys};
use crate::kifu::{NodeId, Reason, Target};
use crate::shogi::{History, Move, Position};
use crate::study::{Document, MoveRow, RecordInsight, UnsavedAnswer};
use crate::text::study::{StudyCommand, StudyPhrase};
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
use keys::KeyList;
use moves::MoveList;
use notice::TransientNotice;
pub use path::PathPurposeKind;
use players::PlayersDialog;
use replacement::ReplaceDialog;
use std::path::{Path, PathBuf};
use tree::TreeList;

/// The room between two cards, and around them, in points.
const GAP: f32 = 13.0;
/// The height of a row of moves.
const ROW: f32 = 26.0;
/// Beside the moves there is room for the comment from this width on.
const BESIDE: f32 = 560.0;
/// And below them from this height on.
const BELOW: f32 = 330.0;

/// What the page shows.
#[derive(Clone, Copy, Debug)]
pub struct StudyView<'a> {
    /// The record and the place in it.
    pub document: &'a Document,
    /// The rows of its line on view.
    pub rows: &'a [MoveRow],
    /// What its comments state, and what that makes of its moves.
    pub insight: &'a RecordInsight,
    /// The game up to what is on view.
    pub history: &'a History,
    /// What the bar says.
    pub bar: &'a bar::BarView,
    /// What the record is called.
    pub name: Option<&'a str>,
    /// Files that were opened before, the last one first.
    pub recent: &'a [PathBuf],
    /// How its file fares.
    pub file: FileState,
    /// Whether the engines rest.
    pub resting: bool,
    /// Who looks at it.
    pub engine: &'a str,
    /// Who could, by what the user calls them.
    pub engines: &'a [String],
    /// How far an analysis is; `None` where none is under way.
    pub analysis: Option<&'a Progress>,
    /// Whether White sits below.
    pub flipped: bool,
    /// The keys.
    pub keys: &'a StudyKeys,
    /// Whether the bar glides.
    pub motion: bool,
    /// How the board is drawn.
    pub style: BoardStyle,
    /// What the user is asked.
    pub question: Option<&'a StudyQuestion>,
    /// What is at hand beside this record, by what it is called, and which of it is on view.
    pub at_hand: (&'a [String], usize),
    /// What is to be said.
    pub notice: Option<&'a bar::BarNotice>,
}

/// How the file of a record fares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileState {
    /// Nothing is to be said of it.
    #[default]
    Still,
    /// One is being read.
    Opening,
    /// Others have written to it what is not on view, because there are changes that are not saved.
    Behind,
}

/// What a user has to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyQuestion {
    /// Whether the record is to be saved all the same: why it may not be wanted.
    AllTheSame(String),
    /// What is to become of changes that are not saved, before the program ends or another record is put on view.
    Save {
        /// Whether it is the program that is about to end.
        ends: bool,
    },
    /// What is to become of so many records that a program left behind, and the file that the first is of.
    BringBack(usize, Option<String>),
}

/// What is asked for on the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyAction {
    /// Do this.
    Do(StudyCommand),
    /// Go so many moves on, or back.
    Step(i32),
    /// Go to this place of the line on view.
    GoTo(usize),
    /// Go to this node.
    Go(NodeId),
    /// Play this move.
    Play(Move),
    /// Let this be the comment at a node.
    Comment(NodeId, String),
    /// Delete a node and all that follows it.
    Delete(NodeId),
    /// Put a node in the place of another move that follows the same position.
    Replace {
        /// The move that is deleted, with all that follows it.
        old: NodeId,
        /// The move that takes its place.
        new: NodeId,
    },
    /// Name the players, Black first, and have the game start from this position, where one is given.
    Players {
        /// The names; a blank one is none.
        names: [String; 2],
        /// The position.
        start: Option<Box<Position>>,
    },
    /// Put a node one place up among its variations.
    Promote(NodeId),
    /// Make the line through a node the main line.
    MainLine(NodeId),
    /// Take these moves in, as a variation to what follows the position on view.
    Insert(Vec<Move>),
    /// Analyse the game.
    Analyse(Box<AnalysisOptions>),
    /// Let this one judge the game.
    Judge(Evaluator),
    /// Have the analysis rest, or go on.
    PauseAnalysis,
    /// End it.
    EndAnalysis,
    /// Let these be the keys.
    Keys(Box<StudyKeys>),
    /// Let the line end here, for this reason.
    End(Reason),
    /// Begin a game from this position.
    Start(Box<Position>),
    /// Copy this text.
    Copy(String),
    /// Copy the record in this format.
    CopyAs(Target),
    /// Open this file.
    Open(PathBuf),
    /// Turn to another of what is at hand.
    Turn(usize),
    /// Read the record's file again.
    ReadAgain,
    /// What was said has been seen.
    Seen,
    /// What was said in passing has been said long enough.
    Passed,
    /// This is the file that was wanted.
    Name(PathPurposeKind, PathBuf),
    /// Take in a record, as it was copied.
    Paste(String),
    /// Bring back what a program left behind, or throw it away.
    BringBack(bool),
    /// What was asked about changes: save them first, throw them away, or stop.
    Answer(UnsavedAnswer),
}

/// What is on view of the record's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum MovesTab {
    #[default]
    Moves,
    Tree,
    Comment,
}

/// What the page keeps from frame to frame.
#[derive(Debug, Default)]
pub struct StudyPage {
    /// The position that is put together, while one is.
    setup: Option<Position>,
    path: path::PathField,
    said: TransientNotice,
    /// Whether what a program left behind is about to be thrown away.
    throws_away: bool,
    /// The record that was on view, by its first revision.
    record: u64,
    form: analysis::AnalysisForm,
    players: PlayersDialog,
    /// Whether the players are to be asked for.
    wants_players: bool,
    replacement: ReplaceDialog,
    entry: MoveEntry,
    board: BoardInput,
    clocks: board_panel::SideClocks,
    overlay: Overlay,
    candidates: CandidateList,
    course: GraphPanel,
    moves: MoveList,
    tree: TreeList,
    tab: MovesTab,
    is_small: bool,
    key_list: KeyList,
    comment: CommentField,
}

/// The board as it is on view, as a picture of these sizes in points.
pub fn board_picture(view: &StudyView<'_>, theme: &PaintTheme, lang: Lang) -> Option<ColorImage> {
    let size = PictureSize::new(600, 780, 2.0).ok()?;
    let sheet = StudyFrame { view, theme, lang, actions: Vec::new() };
    Some(board_panel::picture(&sheet, size))
}

/// One frame of the page.
struct StudyFrame<'a> {
    view: &'a StudyView<'a>,
    theme: &'a PaintTheme,
    lang: Lang,
    actions: Vec<StudyAction>,
}

impl StudyPage {
    /// What paints its frames.
    pub const fn set_painter(&mut self, painter: FramePacer) {
        self.overlay = Overlay::new(painter);
    }

    /// Shows the page in all of `ui`.
    pub fn show(&mut self, ui: &mut Ui, view: &StudyView<'_>, theme: &PaintTheme, lang: Lang) -> Vec<StudyAction> {
        let mut sheet = StudyFrame { view, theme, lang, actions: Vec::new() };
        let record = view.document.first_revision();
        if std::mem::replace(&mut self.record, record) != record {
            self.setup = None;
        }
        self.candidates.update(ui, view.document);
        self.key_list.show(ui, &mut sheet);
        if self.setup.is_none() && !self.key_list.is_listening() {
            self.keys(ui, &mut sheet);
        }
        if std::mem::take(&mut self.wants_players) {
            self.players.open(&sheet);
        }
        self.form.show(ui, &mut sheet);
        self.players.show(ui, &mut sheet);
        if !self.is_small || self.path.is_open() {
            tools::show(self, ui, &mut sheet);
        }
        let below = tools::ask(self, ui, &mut sheet, ui.available_rect_before_wrap());
        self.said.show(ui, &mut sheet, below);
        if self.is_small {
            board_panel::show(self, ui, &mut sheet, ui.available_rect_before_wrap().shrink(6.0));
            sheet.actions.retain(|action| !self.does(action, view));
            return sheet.actions;
        }
        let all = ui.available_rect_before_wrap().shrink(GAP);
        let board = (all.height() * 0.8).min(all.width() * 0.46).max(240.0);
        let (left, right) = all.split_left_right_at_x(all.left() + board);
        board_panel::show(self, ui, &mut sheet, left);
        self.right(ui, &mut sheet, right.with_min_x(right.left() + GAP));
        sheet.actions.retain(|action| !self.does(action, view));
        sheet.actions
    }

    /// Shows all lines beside each other, or the line on view alone.
    pub const fn show_tree(&mut self, shows: bool) {
        self.tab = if shows { MovesTab::Tree } else { MovesTab::Moves };
    }

    /// Asks for the path of a file, where the system has no dialog for that; this one, or a folder, is offered.
    pub fn ask_for(&mut self, wanted: PathPurposeKind, offer: &Path) {
        self.path.open(wanted, offer);
    }

    /// Asks for the players' names, and the handicap.
    pub const fn ask_for_players(&mut self) {
        self.wants_players = true;
    }

    /// Whether keys are being pressed to be chosen: those that work everywhere must not do their work now.
    pub const fn is_listening(&self) -> bool {
        self.key_list.is_listening()
    }

    /// Whether there is the board alone.
    pub const fn is_small(&self) -> bool {
        self.is_small
    }

    fn keys(&mut self, ui: &Ui, sheet: &mut StudyFrame<'_>) {
        self.entry.begin(ui);
        let busy = self.entry.busy(ui.ctx());
        self.candidates.keys(ui, sheet.view.keys, busy);
        keys::pressed(ui, sheet, busy);
    }

    /// Does what is the page's own to do; whether it was.
    fn does(&mut self, action: &StudyAction, view: &StudyView<'_>) -> bool {
        match action {
            StudyAction::Do(StudyCommand::Small) => self.is_small = !self.is_small,
            StudyAction::Do(StudyCommand::Keys) => self.key_list.toggle(),
            StudyAction::Do(StudyCommand::Analyse) => self.form.open(view.document),
            StudyAction::Do(StudyCommand::Players) => self.wants_players = true,
            StudyAction::Play(mv) => {
                self.replacement.note(view.document, *mv);
                return false;
            }
            StudyAction::Do(StudyCommand::SetUp) => self.setup = Some(view.history.now().without_past()),
            _ => return false,
        }
        true
    }

    fn right(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>, rect: Rect) {
        let used = sheet.part(ui, "candidates", rect, |ui, sheet| {
            sheet.card(ui, |ui, sheet| self.engines(ui, sheet));
        });
        let below = rect.with_min_y(used.bottom() + GAP);
        let graph = (below.height() * 0.4).clamp(90.0, 230.0);
        let (graph, below) = below.split_top_bottom_at_y(below.top() + graph);
        sheet.part(ui, "course", graph, |ui, sheet| sheet.card(ui, |ui, sheet| self.course.show(ui, sheet)));
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
        sheet.part(ui, "moves", lists, |ui, sheet| {
            sheet.card(ui, |ui, sheet| self.lists(ui, sheet, notes.is_none()));
        });
        let Some(notes) = notes else { return };
        sheet.part(ui, "comment", notes, |ui, sheet| {
            sheet.card(ui, |ui, sheet| {
                ui.label(RichText::new(StudyPhrase::Comment.text(sheet.lang)).font(TextWeight::Bold.at(14.0)));
                self.comment.show(ui, sheet);
                ui.set_min_size(ui.available_size());
            });
        });
    }

    /// The bar, and what the engines would play.
    fn engines(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>) {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), egui::Sense::hover());
        let look = sheet.board_style();
        let bar = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("bar"));
        self.overlay.show(&bar, sheet.view.bar, &look);
        self.candidates.show(ui, sheet);
    }

    /// The moves, one way or the other; the comment is among them where it has no card of its own.
    fn lists(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>, has_comment: bool) {
        let tabs = [
            (MovesTab::Moves, StudyPhrase::Moves),
            (MovesTab::Tree, StudyPhrase::Tree),
            (MovesTab::Comment, StudyPhrase::Comment),
        ];
        ui.horizontal(|ui| {
            for (tab, phrase) in tabs.into_iter().take(if has_comment { 3 } else { 2 }) {
                let text = RichText::new(phrase.text(sheet.lang)).font(TextWeight::Bold.at(14.0));
                if ui.selectable_label(self.tab == tab, text).clicked() {
                    self.tab = tab;
                }
            }
        });
        match self.tab {
            MovesTab::Tree => self.tree.show(ui, sheet),
            MovesTab::Comment if has_comment => self.comment.show(ui, sheet),
            MovesTab::Moves | MovesTab::Comment => self.moves.show(ui, sheet),
        }
    }
}

impl StudyFrame<'_> {
    /// How the bar looks on its card.
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

    /// A part of the page, in a rectangle; gives back how much of that it took.
    fn part(&mut self, ui: &mut Ui, name: &str, rect: Rect, show: impl FnOnce(&mut Ui, &mut Self)) -> Rect {
        ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt(name), |ui| show(ui, self)).response.rect
    }

    /// A card on the page.
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

    /// A window on the page, with a title and a way to close it.
    fn dialog(&self, title: &'static str) -> Window<'static> {
        let frame = Frame::NONE
            .fill(self.theme.card)
            .stroke(Stroke::new(1.0, self.theme.separator))
            .corner_radius(CornerRadius::same(10))
            .inner_margin(Margin::same(16))
            .shadow(Shadow { offset: [0, 6], blur: 24, spread: 0, color: self.theme.text.gamma_multiply(0.18) });
        let text = RichText::new(title).font(TextWeight::Bold.at(15.0));
        let window = Window::new(text).id(Id::unique(title)).frame(frame).resizable(false).collapsible(false);
        window.anchor(Align2::CENTER_CENTER, Vec2::ZERO)
    }

    fn act(&mut self, action: StudyAction) {
        self.actions.push(action);
    }

    /// What the sides are called, Black first.
    fn titles(&self) -> [&'static str; 2] {
        Label::sides(self.view.document.record().is_handicap()).map(|label| label.text(self.lang))
    }

    /// A value of the record as a list shows it, in Black's view.
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

/// A button for what more can be done with something.
fn more(ui: &mut Ui, lang: Lang, with: &str, show: impl FnOnce(&mut Ui)) {
    let button = MenuButton::from_button(Button::new("…").frame_when_inactive(false));
    let (button, _) = button.ui(ui, show);
    name(&button, &format!("{with}: {}", StudyPhrase::More.text(lang)));
}

#[cfg(test)]
mod tests;
