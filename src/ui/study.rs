//! The study page: the board, the engines' candidates, the graph, the moves and the comments.

mod action;
mod analysis;
mod board_panel;
mod candidates;
mod comment;
mod drill;
mod engine_game;
mod engine_menu;
mod entry;
mod graph_panel;
mod guess;
mod keys;
mod layout;
mod legend;
mod mate;
mod moves;
mod notes;
mod notice;
mod path;
mod picture;
mod replacement;
mod review;
mod scroll_to_current;
mod setup;
mod shelf;
mod side_bar;
mod tabs;
mod tools;
mod tree;
mod wrap;

use super::PaintTheme;
use super::access::set_accessible_label;
use super::board::{BoardInput, BoardStyle};
use super::fonts::TextWeight;
use super::frame_pacer::FramePacer;
use super::snapshot::PictureSize;
use super::theme::dialog_frame;
use crate::address::AddressForm;
use crate::dialog::DialogStatus;
use crate::players::PlayersForm;
use crate::review_text::ReviewPhrase;
use crate::study_text::{EntryPhrase, StudyPhrase};
pub use action::StudyAction;
use board_panel::CurrentMarks;
use candidates::{CandidateList, PvPreview};
use comment::CommentField;
pub use drill::DrillView;
use eframe::egui;
use egui::containers::menu::MenuButton;
use egui::{
    Align2, Button, CornerRadius, Id, Key, Margin, Modifiers, Popup, Rect, RichText, Stroke, StrokeKind, Ui,
    UiBuilder, Vec2, Window, pos2, vec2,
};
use engine_game::{EngineGameForm, EngineGamePanel};
pub use engine_menu::{EngineSearch, EngineStatus};
use entry::MoveEntry;
use graph_panel::GraphPanel;
use guess::GuessPanel;
use keys::{KeyList, KeysInUse};
use layout::{CardContents, LowerCards, StudySizes};
use mate::MatePanel;
use moves::MoveList;
use notice::TransientNotice;
pub use path::PathPurposeKind;
pub use picture::{StudyPicture, StudyPictureError};
use replacement::ReplaceDialog;
use review::ReviewCard;
use setup::SetupEditor;
use shelf::ShelfPanel;
pub use shelf::{ShelfRequest, ShelfView};
use shogibar_base::Lang;
use shogibar_config::{Command, CommandPart, StudyCommand, StudyKeys, command_text};
use shogibar_games::analysis::Progress;
use shogibar_games::engine_game::EngineGame;
use shogibar_games::engine_game_text::EngineGamePhrase;
use shogibar_games::study::{Document, DocumentEdit, Inquiry, LiveValues, MoveRow, RecordInsight};
use shogibar_games::{Label, RecordRemark, bar};
use shogibar_kifu::NodeId;
use shogibar_model::action::{AppAction, ShownShelf};
use shogibar_shogi::{History, Position};
use side_bar::SideBar;
use std::path::{Path, PathBuf};
pub use tabs::GameTab;
use tree::TreeList;

/// The height of a row of moves, in points.
const ROW_HEIGHT: f32 = 26.0;
/// The largest width of a form, in points.
const MAX_FORM_WIDTH: f32 = 480.0;
/// The margin inside a card, in points.
const CARD_MARGIN: Margin = Margin {
    left: 14,
    right: 14,
    top: 9,
    bottom: 9,
};

/// The input of the page for one frame.
#[derive(Clone, Copy, Debug)]
pub struct StudyView<'a> {
    /// The open record and its current node.
    pub document: &'a Document,
    /// The rows of the current line.
    pub rows: &'a [MoveRow],
    /// The evaluations and assessments of the record.
    pub insight: &'a RecordInsight,
    /// The values that engines have shown.
    pub live_values: &'a LiveValues,
    /// The game up to the current node.
    pub history: &'a History,
    /// The state of the evaluation bar.
    pub bar: &'a bar::BarView,
    /// The display name of the record; `None` if the record has none.
    pub name: Option<&'a str>,
    /// The recent files, latest first.
    pub recent_files: &'a [PathBuf],
    /// The state of the record's file.
    pub file: FileState,
    /// Whether the engines are paused.
    pub is_paused: bool,
    /// The name of the current engine.
    pub engine: &'a str,
    /// The user's names of the available engines.
    pub engines: &'a [String],
    /// The state of the engines of the page.
    pub engine_status: EngineStatus<'a>,
    /// The progress of the running analysis; `None` if there is none.
    pub analysis: Option<&'a Progress>,
    /// Whether the board is flipped: White at the bottom.
    pub is_flipped: bool,
    /// The keyboard shortcuts.
    pub keys: &'a StudyKeys,
    /// Whether the bar is animated.
    pub has_motion: bool,
    /// The style of the board.
    pub style: BoardStyle,
    /// The question to ask the user; `None` if there is none.
    pub question: Option<&'a StudyQuestion>,
    /// The open games.
    pub tabs: &'a [GameTab],
    /// The index of the current game among the tabs.
    pub current_tab: usize,
    /// The titles of the games of the file or source.
    pub game_titles: &'a [String],
    /// The index of the current title; past the end if the current game is none of them.
    pub current_game: usize,
    /// The notice to show; `None` if there is none.
    pub notice: Option<&'a bar::BarNotice>,
    /// The state of the program that the toolbar shows.
    pub status: StudyStatus<'a>,
    /// The question to the engine beside the game; `None` if there is none.
    pub inquiry: Option<&'a Inquiry>,
    /// The game between the user and an engine on the page; `None` if there is none.
    pub engine_game: Option<&'a EngineGame>,
    /// The deck of the user's mistakes.
    pub drill: DrillView<'a>,
    /// The shelf of record folders.
    pub shelf: ShelfView<'a>,
    /// The number of positions drawn of a video, and the number of all; `None` while no video is written.
    pub video: Option<[usize; 2]>,
}

/// The state of the program that the toolbar shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct StudyStatus<'a> {
    /// The number of bars.
    pub bars: usize,
    /// Whether the bar's window is hidden.
    pub is_bar_hidden: bool,
    /// Whether the candidates are drawn on the board.
    pub shows_arrows: bool,
    /// Whether a folder is being analysed, or its results are on a page.
    pub has_folder: bool,
    /// The sentence about a newer version, if there is one.
    pub newer_version: Option<&'a str>,
    /// The state of the game's source, if it has one.
    pub source: Option<SourceStatus<'a>>,
}

/// The state of a game's source.
#[derive(Clone, Copy, Debug)]
pub struct SourceStatus<'a> {
    /// The activity of the source, as a sentence.
    pub sentence: &'a str,
    /// The command that the source suggests.
    pub command: Command,
    /// Whether a board is read off the screen.
    pub reads_screen: bool,
}

/// The state of a record's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileState {
    /// The file has not changed, and no task is in progress.
    #[default]
    Unchanged,
    /// A file is being read.
    Opening,
    /// Another program has changed the file; the change was not loaded because there are unsaved changes.
    ChangedOnDisk,
}

/// A question to the user on the study page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StudyQuestion {
    /// The question whether to save despite a problem, with the sentence that describes the problem.
    SaveDespite(String),
    /// The question what to do with unsaved changes before quitting or replacing the record.
    Save {
        /// The number of games that are saved together, of which the record is one.
        games: usize,
        /// The number of all unsaved games that are asked about before the program ends; `None` if the program goes on.
        unsaved_at_quit: Option<usize>,
    },
    /// The question whether to recover records left by an earlier run: their number, and the file name of the first.
    Recover(usize, Option<String>),
}

/// The tab below the graph. On a large page, only the moves and the tree are behind tabs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LowerTab {
    Review,
    Candidates,
    #[default]
    Moves,
    Tree,
    Comment,
}

/// The state of the page between frames.
#[derive(Debug, Default)]
pub struct StudyPage {
    /// The position being set up; `None` outside setup mode.
    setup: Option<SetupEditor>,
    path: path::PathField,
    notice: TransientNotice,
    /// Whether the user is asked to confirm discarding recoverable records.
    confirms_discard: bool,
    /// The question at the last frame; `None` if there was none.
    last_question: Option<StudyQuestion>,
    record_revision: u64,
    analysis_form: analysis::AnalysisForm,
    /// The form of the headers, while it is open.
    players: Option<PlayersForm>,
    /// The form of an address, while it is open.
    address: Option<AddressForm>,
    /// The commands to run in the next frame.
    pending_commands: Vec<StudyCommand>,
    replace_dialog: ReplaceDialog,
    entry: MoveEntry,
    board: BoardInput,
    marks: CurrentMarks,
    side_bar: SideBar,
    candidates: CandidateList,
    graph: GraphPanel,
    moves: MoveList,
    tree: TreeList,
    tab: LowerTab,
    is_small: bool,
    key_list: KeyList,
    comment: CommentField,
    review: ReviewCard,
    guess: GuessPanel,
    mate: MatePanel,
    engine_game_form: EngineGameForm,
    engine_game: EngineGamePanel,
    shelf: ShelfPanel,
    /// Whether a dialog or menu above the page has the keys.
    are_keys_taken: bool,
}

/// What the parts of the study page share in one frame.
struct StudyFrame<'a> {
    view: &'a StudyView<'a>,
    theme: &'a PaintTheme,
    lang: Lang,
    actions: Vec<StudyAction>,
}

impl StudyPage {
    /// Sets whether a dialog or menu above the page has the keys.
    pub const fn set_keys_taken(&mut self, are_taken: bool) {
        self.are_keys_taken = are_taken;
    }

    /// Sets the pacer that paints the frames of the bar.
    pub const fn set_painter(&mut self, painter: FramePacer) {
        self.side_bar.set_painter(painter);
    }

    /// Draws the page in all of `ui`. Returns the user's actions that the caller must apply.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        view: &StudyView<'_>,
        theme: &PaintTheme,
        lang: Lang,
    ) -> Vec<StudyAction> {
        // The values of the position would give the answer away, so the bar is hidden.
        let hidden = self.guess.is_running().then(|| view.bar.hidden(lang));
        let view = &StudyView {
            bar: hidden.as_ref().unwrap_or(view.bar),
            ..*view
        };
        let mut frame = StudyFrame {
            view,
            theme,
            lang,
            actions: Vec::new(),
        };
        let revision = view.document.first_revision();
        if std::mem::replace(&mut self.record_revision, revision) != revision {
            // The unfinished setup and path belong to another record.
            self.setup = None;
            self.path.leave_record();
            self.analysis_form.close();
        }
        self.candidates.update(ui, view.document);
        self.marks.update(view.document);
        // The list of keys comes before the page, so that the list receives pressed keys first.
        self.key_list.show(ui, &mut frame);
        self.guess.update(ui, &mut frame);
        if self.can_run_commands() && !self.are_keys_taken {
            self.handle_keys(ui, &mut frame);
        } else if self.setup.is_some() {
            self.handle_setup_keys(ui, &mut frame);
        } else if self.guess.accepts_move() && !self.are_keys_taken {
            self.entry.focus_on_typing(ui, true);
        }
        for command in std::mem::take(&mut self.pending_commands) {
            self.run_command(command, &mut frame);
        }
        self.analysis_form.show(ui, &mut frame);
        self.engine_game_form.show(ui, &mut frame);
        self.show_forms(ui, &mut frame);
        if !self.is_small || self.path.is_open() {
            tools::show_toolbar(self, ui, &mut frame);
        }
        if !self.is_small {
            tabs::show(ui, &mut frame);
        }
        let page = ui.available_rect_before_wrap();
        let sizes = StudySizes::new(ui.ctx().content_rect().size());
        let parts = (!self.is_small).then(|| board_panel::layout_parts(self, ui, &frame, page, sizes));
        // Messages over the page cover neither a hand nor the board.
        let over = parts.map_or_else(
            || board_panel::rows_below_small_board(page),
            |parts| self.engine_game.rect_below(parts.cards),
        );
        let below = tools::show_question(self, ui, &mut frame, over);
        self.notice.show(ui, &mut frame, below);
        if self.setup.is_none() {
            self.replace_dialog.show(ui, &mut frame, below);
        }
        if self.guess.is_open() {
            self.mate.close(&mut frame);
            self.candidates.end_preview(ui);
        }
        self.mate.show(ui, &mut frame, below, &mut self.candidates);
        match parts {
            None => board_panel::show_small(self, ui, &mut frame, page),
            Some(parts) => {
                board_panel::show(self, ui, &mut frame, parts);
                let cards = self.engine_game.show(ui, &mut frame, parts.cards);
                self.show_cards(ui, &mut frame, cards, sizes);
            }
        }
        self.finish(frame)
    }

    fn show_forms(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        let (document, recent, theme, lang) = (
            frame.view.document,
            frame.view.recent_files,
            frame.theme,
            frame.lang,
        );
        if let Some(form) = &mut self.players {
            let title = EntryPhrase::PlayersTitle.text(lang);
            let end = frame.show_form(ui, title, |ui| {
                form.show(ui, document.first_revision(), theme, lang)
            });
            self.players.take_if(|_| end != DialogStatus::Open);
            if let DialogStatus::Done(edit) = end {
                frame.act(edit);
            }
        }
        if let Some(form) = &mut self.address {
            let title = command_text(Command::OpenAddress, lang);
            let end = frame.show_form(ui, title, |ui| form.show(ui, recent, theme, lang));
            self.address.take_if(|_| end != DialogStatus::Open);
            if let DialogStatus::Done(address) = end {
                frame.act(AppAction::OpenAddresses(vec![address]));
            }
        }
    }

    /// Runs the commands that concern only the page. Returns the other actions.
    fn finish(&mut self, mut frame: StudyFrame<'_>) -> Vec<StudyAction> {
        for action in std::mem::take(&mut frame.actions) {
            match action {
                StudyAction::Command(command) if let CommandPart::Study(command) = command.part() => {
                    self.run_command(command, &mut frame);
                }
                action => {
                    if let StudyAction::App(AppAction::Edit(DocumentEdit::Play(mv))) = action {
                        self.replace_dialog.offer_replacement(frame.view.document, mv);
                    }
                    frame.act(action);
                }
            }
        }
        frame.actions
    }

    fn run_command(&mut self, command: StudyCommand, frame: &mut StudyFrame<'_>) {
        match command {
            StudyCommand::PreviousMistake => self.show_mistake(frame, false),
            StudyCommand::NextMistake => self.show_mistake(frame, true),
            StudyCommand::BetterLine => {
                frame
                    .view
                    .better_line()
                    .into_iter()
                    .for_each(|line| self.candidates.toggle_preview(line));
            }
            StudyCommand::Guess if self.guess.is_running() => {}
            StudyCommand::Guess => {
                self.is_small = false;
                self.guess.open();
            }
            StudyCommand::Mate => self.mate.ask(frame),
            StudyCommand::Threat => self.mate.ask_for_threat(frame),
            StudyCommand::PlayEngine if frame.view.engine_game.is_some_and(EngineGame::is_in_progress) => {
                let refusal = RecordRemark::EngineGame(EngineGamePhrase::AlreadyPlaying);
                frame.act(AppAction::ShowNotice(refusal.into()));
            }
            StudyCommand::PlayEngine => {
                self.is_small = false;
                self.engine_game_form
                    .open(frame.view.history.now().side_to_move());
            }
            // While the user guesses a move, the texts about it and the moves that followed stay hidden.
            StudyCommand::Comment | StudyCommand::Shelf if self.guess.is_open() => {}
            StudyCommand::Comment => {
                self.is_small = false;
                self.review.prefer_comment();
                self.comment.request_focus();
            }
            StudyCommand::Shelf => {
                self.is_small = false;
                self.shelf.toggle();
            }
            StudyCommand::CopyBoard => {
                // 600 × 780 points at scale 2.
                if let Ok(size) = PictureSize::new(600, 780, 2.0) {
                    frame.act(StudyAction::CopyPicture(Box::new(board_panel::draw_picture(
                        frame, size,
                    ))));
                }
            }
            StudyCommand::SaveBoard => frame.save_picture(StudyPicture::board(frame)),
            StudyCommand::SaveLine => frame.save_picture(self.line_picture(frame)),
            StudyCommand::SaveVideo => frame.act(StudyAction::SaveVideo),
            StudyCommand::SaveGraph => {
                frame.save_picture(StudyPicture::graph(frame, self.graph.picture(frame)));
            }
            StudyCommand::SetUp => {
                self.setup = Some(SetupEditor::new(frame.view.history.now().without_history()));
            }
            StudyCommand::Small => self.is_small = !self.is_small,
            StudyCommand::Analyse => self.analysis_form.open(frame.view.document),
            StudyCommand::Keys => self.key_list.toggle(),
        }
    }

    /// Returns the animated picture of the previewed line, or else of the current line after the current node.
    fn line_picture(&self, frame: &StudyFrame<'_>) -> StudyPicture {
        let (document, history) = (frame.view.document, frame.view.history);
        if let Some(PvPreview {
            start_node: after,
            moves,
            ..
        }) = self.candidates.pinned_preview.as_ref()
        {
            let from = after.map(|node| document.history_at(node));
            return StudyPicture::line(frame, from.as_ref().unwrap_or(history), moves);
        }
        let nodes = document.line().iter().skip(document.ply());
        let moves: Vec<_> = nodes
            .filter_map(|node| document.record().node(*node).mv())
            .collect();
        StudyPicture::line(frame, history, &moves)
    }

    /// Opens the form for an address.
    pub fn open_address(&mut self) {
        self.address = Some(AddressForm::new());
    }

    /// Opens the form for the players of a record.
    pub fn open_players(&mut self, document: &Document) {
        self.players = Some(PlayersForm::new(document));
    }

    /// Runs a command in the next frame.
    pub fn run_next(&mut self, command: StudyCommand) {
        self.pending_commands.push(command);
    }

    /// Goes to the next or the previous mistake, and shows the review of that mistake.
    fn show_mistake(&mut self, frame: &mut StudyFrame<'_>, forward: bool) {
        let Some(node) = frame.view.mistake(forward) else {
            return;
        };
        self.review.prefer_review(frame.view, node);
        // A tree that is not behind a tab stays.
        if self.tab != LowerTab::Tree {
            self.tab = LowerTab::Review;
        }
        frame.act(DocumentEdit::Go(node));
    }

    /// Shows the variation tree, or the moves of the current line.
    pub const fn show_tree(&mut self, shows: bool) {
        self.tab = if shows { LowerTab::Tree } else { LowerTab::Moves };
    }

    /// Returns whether the variation tree is shown instead of the moves.
    pub const fn shows_tree(&self) -> bool {
        matches!(self.tab, LowerTab::Tree)
    }

    /// Opens the field for a file path, where the system has no file dialog. `offer` is the initial path in the field:
    /// a file or a folder.
    pub fn ask_for_path(&mut self, purpose: PathPurposeKind, offer: &Path) {
        self.path.open(purpose, offer);
    }

    /// Returns the position that the user sets up, if it differs from the current position.
    pub fn edited_position(&self, now: &Position) -> Option<&Position> {
        self.setup
            .as_ref()
            .map(SetupEditor::position)
            .filter(|position| **position != now.without_history())
    }

    /// Sets the folder that is searched for mistakes.
    pub fn set_drill_folder(&mut self, folder: &Path) {
        self.guess.set_drill_folder(folder);
    }

    /// Returns what the page shows of the shelf. `position` is that on the board.
    pub fn shown_shelf(&self, position: &Position) -> ShownShelf {
        if !self.shelf.is_open() {
            return ShownShelf::Closed;
        }
        let query = self.shelf.query(position);
        query.map_or(ShownShelf::Invalid, |query| ShownShelf::Query(Box::new(query)))
    }

    /// Returns whether the panel for guesses is open. Only this panel shows the deck of mistakes.
    pub const fn is_guess_panel_open(&self) -> bool {
        self.guess.is_open()
    }

    /// Returns whether the user guesses a move.
    pub const fn is_guessing(&self) -> bool {
        self.guess.is_running()
    }

    /// Returns whether commands can be run. They cannot during a setup, a guess, or the recording of a key.
    pub const fn can_run_commands(&self) -> bool {
        self.setup.is_none() && !self.key_list.is_recording_key() && !self.guess.is_running()
    }

    /// Returns whether a key is being recorded for a shortcut. Global shortcuts must not run meanwhile.
    pub const fn is_recording_key(&self) -> bool {
        self.key_list.is_recording_key()
    }

    /// Returns whether only the small board is shown.
    pub const fn is_small(&self) -> bool {
        self.is_small
    }

    fn handle_keys(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        self.entry.focus_on_typing(ui, false);
        let keys_in_use = self.entry.keys_in_use(ui.ctx());
        self.candidates.handle_keys(ui, frame.view.keys, keys_in_use);
        self.review.handle_keys(ui, keys_in_use);
        keys::handle_shortcuts(ui, frame, keys_in_use);
    }

    /// Applies the keys of the setup, unless a dialog, a menu, a form or a text field has them.
    fn handle_setup_keys(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        let is_covered = self.are_keys_taken || frame.view.question.is_some() || Popup::is_any_open(ui.ctx());
        let has_form = self.path.is_open() || self.players.is_some() || self.address.is_some();
        let is_typing = matches!(KeysInUse::read(ui.ctx()), KeysInUse::TextInput);
        if is_covered || has_form || is_typing || self.board.is_busy() {
            return;
        }
        let Some(setup) = &mut self.setup else { return };
        if setup.handle_keys(ui) {
            frame.act(AppAction::ShowNotice(RecordRemark::NothingToPaste.into()));
        }
        self.setup.take_if(|setup| setup.is_ended_by_escape(ui));
    }

    /// Draws the cards beside the board.
    fn show_cards(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, all: Rect, sizes: StudySizes) {
        if self.guess.is_open() {
            // The moves, the graph and the candidates would give the answer away, so the guess is drawn instead of
            // them.
            frame.show_card(ui, "guess", all, |ui, frame| self.guess.show(ui, frame));
            return;
        }
        self.review.update(frame);
        let contents = CardContents {
            candidates_height: candidates::needed_height(frame.view.bar) + CARD_MARGIN.sum().y,
            has_review: self.review.subject().is_review(),
            has_comment: self.comment.has_text(frame),
        };
        let parts = sizes.layout_cards(all, contents);
        frame.show_card(ui, "course", parts.graph, |ui, frame| self.graph.show(ui, frame));
        if self.shelf.is_open() {
            return self.show_shelf_card(ui, frame, parts.lower);
        }
        match parts.lower {
            LowerCards::Tabs { tabs, card } => {
                if self.comment.wants_focus() {
                    self.tab = LowerTab::Comment;
                }
                self.show_lower_tabs(ui, frame, [tabs, card]);
            }
            LowerCards::Beside {
                candidates,
                list,
                notes,
                comment,
            } => {
                frame.show_card(ui, "candidates", candidates, |ui, frame| {
                    self.candidates.show(ui, frame);
                });
                frame.show_card(ui, "moves", list, |ui, frame| self.show_lists(ui, frame));
                if let Some(comment) = comment {
                    frame.show_card(ui, "notes", notes, |ui, frame| self.show_review_alone(ui, frame));
                    frame.show_card(ui, "comment", comment, |ui, frame| self.comment.show(ui, frame));
                } else {
                    frame.show_card(ui, "notes", notes, |ui, frame| self.show_notes(ui, frame));
                }
            }
        }
    }

    fn show_shelf_card(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, lower: LowerCards) {
        let rect = match lower {
            LowerCards::Tabs { tabs, card } => tabs.union(card),
            LowerCards::Beside {
                candidates,
                list,
                notes,
                comment,
            } => {
                frame.show_card(ui, "candidates", candidates, |ui, frame| {
                    self.candidates.show(ui, frame);
                });
                list.union(notes).union(comment.unwrap_or(notes))
            }
        };
        frame.show_card(ui, "shelf", rect, |ui, frame| self.shelf.show(ui, frame));
    }

    /// Draws the cards that share one area, and the tabs that choose among them.
    fn show_lower_tabs(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, [tabs, card]: [Rect; 2]) {
        let shown = [
            (LowerTab::Review, ReviewPhrase::Review.text(frame.lang)),
            (LowerTab::Candidates, StudyPhrase::Candidates.text(frame.lang)),
            (LowerTab::Moves, StudyPhrase::Moves.text(frame.lang)),
            (LowerTab::Tree, StudyPhrase::Tree.text(frame.lang)),
            (LowerTab::Comment, StudyPhrase::Comment.text(frame.lang)),
        ];
        frame.draw_background(ui, tabs);
        let width = (tabs.width() - 8.0) / shown.len() as f32;
        for (nth, (tab, text)) in shown.iter().enumerate() {
            let left = tabs.left() + 4.0 + nth as f32 * width;
            let rect = Rect::from_min_size(pos2(left, tabs.top() + 4.0), vec2(width, tabs.height() - 8.0));
            if tabs::show_segment(ui, frame.theme, rect, text, self.tab == *tab).clicked() {
                self.tab = *tab;
            }
        }
        frame.show_card(ui, "lower", card, |ui, frame| match self.tab {
            LowerTab::Candidates => self.candidates.show(ui, frame),
            LowerTab::Moves => self.moves.show(ui, frame),
            LowerTab::Tree => self.tree.show(ui, frame),
            LowerTab::Review => self.show_review_alone(ui, frame),
            LowerTab::Comment => self.comment.show(ui, frame),
        });
    }

    /// Draws the moves or the tree, with their tabs.
    fn show_lists(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let is_tree = self.tab == LowerTab::Tree;
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 18.0;
            for (tab, phrase, is_current) in [
                (LowerTab::Moves, StudyPhrase::Moves, !is_tree),
                (LowerTab::Tree, StudyPhrase::Tree, is_tree),
            ] {
                if tabs::show_underlined(ui, frame.theme, phrase.text(frame.lang), is_current).clicked() {
                    self.tab = tab;
                }
            }
        });
        if is_tree {
            self.tree.show(ui, frame);
        } else {
            self.moves.show(ui, frame);
        }
    }
}

impl StudyFrame<'_> {
    fn draw_background(&self, ui: &Ui, rect: Rect) {
        let stroke = Stroke::new(1.0, self.theme.separator);
        ui.painter().rect(
            rect,
            CornerRadius::same(8),
            self.theme.card,
            stroke,
            StrokeKind::Inside,
        );
    }

    /// Draws a card that fills a rectangle.
    fn show_card(&mut self, ui: &mut Ui, name: &str, rect: Rect, show: impl FnOnce(&mut Ui, &mut Self)) {
        self.draw_background(ui, rect);
        ui.scope_builder(
            UiBuilder::new().max_rect(rect - CARD_MARGIN).id_salt(name),
            |ui| {
                ui.shrink_clip_rect(rect);
                show(ui, self);
            },
        );
    }

    /// Shows a form in a window with a title. Escape and the close button close the form. Returns the status of the
    /// form.
    fn show_form<T>(
        &self,
        ui: &Ui,
        title: &'static str,
        draw: impl FnOnce(&mut Ui) -> DialogStatus<T>,
    ) -> DialogStatus<T> {
        let escaped = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let mut is_open = true;
        let width = (ui.ctx().content_rect().width() - 60.0).clamp(120.0, MAX_FORM_WIDTH);
        let window = self
            .new_dialog_window(title)
            .default_width(width)
            .open(&mut is_open);
        let shown = window.show(ui.ctx(), |ui| {
            ui.set_max_width(width);
            draw(ui)
        });
        match shown.and_then(|shown| shown.inner).unwrap_or(DialogStatus::Open) {
            DialogStatus::Open if escaped || !is_open => DialogStatus::Closed,
            end => end,
        }
    }

    fn new_dialog_window(&self, title: &'static str) -> Window<'static> {
        let text = RichText::new(title.trim_end_matches('…')).font(TextWeight::Bold.at(15.0));
        let window = Window::new(text)
            .id(Id::unique(title))
            .frame(dialog_frame(self.theme));
        window
            .resizable(false)
            .collapsible(false)
            .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
    }

    /// Requests to save a picture to a file that the user chooses.
    fn save_picture(&mut self, picture: StudyPicture) {
        self.act(StudyAction::SavePicture(Box::new(picture)));
    }

    /// Adds an action that the page returns to the caller.
    fn act(&mut self, action: impl Into<StudyAction>) {
        self.actions.push(action.into());
    }

    /// Returns the names of the sides, Black first.
    fn titles(&self) -> [&'static str; 2] {
        Label::sides(self.view.document.record().is_handicap()).map(|label| label.text(self.lang))
    }

    /// Returns the text of a node's value from Black's view, and whether the game is decided. Returns `None` if the
    /// node has no value, or if evaluations are hidden.
    fn value_text(&self, node: NodeId) -> Option<(String, bool)> {
        use shogibar_shogi::score::Value;
        if self.view.bar.is_hidden {
            return None;
        }
        let (value, _) = self.view.insight.value(node)?;
        Some(match value {
            Value::Cp(_) => (bar::evaluation(value), false),
            Value::Mate { winner, plies } => (
                shogibar_games::phrase::decided_value(
                    winner == shogibar_shogi::Color::Black,
                    plies,
                    self.lang,
                ),
                true,
            ),
            Value::Won(winner) => (
                shogibar_games::phrase::decided_value(
                    winner == shogibar_shogi::Color::Black,
                    None,
                    self.lang,
                ),
                true,
            ),
        })
    }
}

/// Draws a menu button with more commands for an item. `item` is the name of the item.
fn show_more_button(ui: &mut Ui, lang: Lang, item: &str, show: impl FnOnce(&mut Ui)) {
    let button = MenuButton::from_button(
        Button::new("…")
            .frame_when_inactive(false)
            .min_size(vec2(20.0, 0.0)),
    );
    let (button, _) = button.ui(ui, show);
    set_accessible_label(&button, &format!("{item}: {}", StudyPhrase::More.text(lang)));
}

#[cfg(test)]
mod tests;
