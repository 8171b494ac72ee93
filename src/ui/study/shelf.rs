//! The shelf on the study page: the moves that the user's records have after the position on the board, and the games.

use super::{ROW_HEIGHT, StudyAction, StudyFrame};
use crate::access::set_accessible_label;
use crate::fonts::TextWeight;
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::{
    Button, CornerRadius, Key, Label, Modifiers, Rect, RichText, Role, ScrollArea, Sense, Stroke, StrokeKind,
    TextEdit, Ui, WidgetInfo, vec2,
};
use shogibar_base::visible::visible_file_name;
use shogibar_base::{CauseText, Lang};
use shogibar_games::study::DocumentEdit;
use shogibar_games::{Label as SideLabel, bar, graph_text};
use shogibar_shelf::shelf_text::{self as words, ResultPhrase, ShelfPhrase};
use shogibar_shelf::{
    FilterWords, GameFilter, NextMove, ShelfAnswer, ShelfCounts, ShelfHit, ShelfKey, ShelfQuery,
};
use shogibar_shogi::Move;

const MAX_LISTED_GAMES: usize = 200;
/// The width of the field for a name, in points.
const NAME_FIELD_WIDTH: f32 = 110.0;
/// The width of the field for a day, in points.
const DAY_FIELD_WIDTH: f32 = 84.0;
/// The width of the field for a folder, in points.
const FOLDER_FIELD_WIDTH: f32 = 300.0;
/// The widths of the columns of next moves, in points: move, number of games, results, value.
const COLUMN_WIDTHS: [f32; 4] = [84.0, 50.0, 96.0, 60.0];
/// The height of a bar of results, in points.
const RESULT_BAR_HEIGHT: f32 = 10.0;
/// The largest height of the next moves above the games, as a fraction of the card.
const MAX_MOVES_FRACTION: f32 = 0.45;
/// The minimum width of the panel with the next moves beside the games, in points.
const MIN_SIDE_BY_SIDE_WIDTH: f32 = 690.0;

/// The data of the shelf that the page shows.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShelfView<'a> {
    /// The record folders.
    pub folders: &'a [String],
    /// The contents of the index, in numbers.
    pub counts: ShelfCounts,
    /// While records are read: the number of files read, and of all files.
    pub reading: Option<[usize; 2]>,
    /// The number of files and folders that cannot be read.
    pub unreadable_count: usize,
    /// The reasons why files cannot be read, for the first of these files.
    pub problems: &'a [CauseText],
    /// The reason why the index cannot be read or written; `None` if there is no problem.
    pub problem: Option<&'a CauseText>,
    /// The last question that was answered, and the answer; `None` before the first answer.
    pub answer: Option<(&'a ShelfQuery, &'a ShelfAnswer)>,
}

/// A request of the user about the shelf.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShelfRequest {
    /// Choose a further folder in a dialog.
    ChooseFolder,
    /// Set the record folders.
    SetFolders(Vec<String>),
    /// Open a game at the position.
    Open(ShelfHit),
}

/// The state of the panel between frames.
#[derive(Debug, Default)]
pub(super) struct ShelfPanel {
    is_open: bool,
    /// Whether the folders are shown.
    shows_folders: bool,
    /// The text in the field for a further folder.
    folder: String,
    player: String,
    opening: String,
    first_day: String,
    last_day: String,
}

impl ShelfPanel {
    pub(super) const fn toggle(&mut self) {
        self.is_open = !self.is_open;
    }

    pub(super) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the question about the position on the board; `None` if the text of a day is not a date.
    pub(super) fn query(&self, position: &shogibar_shogi::Position) -> Option<ShelfQuery> {
        let filter = self.filter()?;
        Some(ShelfQuery {
            filter,
            ..ShelfQuery::new(ShelfKey::from_position(position), MAX_LISTED_GAMES)
        })
    }

    fn filter(&self) -> Option<GameFilter> {
        let Self {
            player,
            opening,
            first_day: since,
            last_day: until,
            ..
        } = self;
        GameFilter::read(FilterWords {
            player,
            opening,
            first_day: since,
            last_day: until,
        })
        .ok()
    }

    /// Draws the panel with the games that had the position.
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let is_free = ui.memory(|memory| memory.focused().is_none());
        let escapes = is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let (lang, view) = (frame.lang, frame.view.shelf);
        ui.horizontal(|ui| {
            ui.label(RichText::new(ShelfPhrase::Title.text(lang)).font(TextWeight::Bold.at(15.0)));
            if !view.folders.is_empty() {
                let folders = words::folders(view.folders.len(), lang);
                self.shows_folders ^= ui.selectable_label(self.shows_folders, folders).clicked();
            }
            if ui.button(StudyPhrase::Dismiss.text(lang)).clicked() || escapes {
                self.is_open = false;
            }
        });
        if view.folders.is_empty() || self.shows_folders {
            self.show_folders(ui, frame);
        }
        if view.folders.is_empty() {
            return;
        }
        self.show_fields(ui, lang);
        show_status(ui, frame);
        let query = self.query(frame.view.history.now());
        if query.is_none() {
            ui.label(RichText::new(ShelfPhrase::NoDay.text(lang)).color(frame.theme.blunder));
        }
        // For a moment after a step, the answer is still about another position.
        let Some((_, answer)) = view.answer.filter(|(asked, _)| Some(*asked) == query.as_ref()) else {
            return;
        };
        if answer.count == 0 {
            // More may be found while records are read, so only a complete index reports that there is no game.
            if view.reading.is_none() {
                ui.add(
                    Label::new(RichText::new(ShelfPhrase::NoGame.text(lang)).color(frame.theme.quiet)).wrap(),
                );
            }
        } else if ui.available_width() < MIN_SIDE_BY_SIDE_WIDTH {
            let height = ui.available_height() * MAX_MOVES_FRACTION;
            show_next_moves(ui, frame, answer, height);
            ui.separator();
            show_games(ui, frame, answer);
        } else {
            ui.columns_const(|[left, right]| {
                let height = left.available_height();
                show_next_moves(left, frame, answer, height);
                show_games(right, frame, answer);
            });
        }
    }

    /// Draws the folders, and the field for a further one.
    fn show_folders(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let (lang, folders) = (frame.lang, frame.view.shelf.folders);
        ui.add(Label::new(RichText::new(ShelfPhrase::About.text(lang)).color(frame.theme.quiet)).wrap());
        for (nth, folder) in folders.iter().enumerate() {
            ui.horizontal(|ui| {
                let remove = ui.button(ShelfPhrase::Remove.text(lang));
                set_accessible_label(&remove, &words::remove(folder, lang));
                if remove.clicked() {
                    let rest = folders.iter().enumerate().filter(|(other, _)| *other != nth);
                    let rest = rest.map(|(_, folder)| folder.clone()).collect();
                    frame.act(StudyAction::Shelf(ShelfRequest::SetFolders(rest)));
                }
                ui.add(Label::new(folder).truncate());
            });
        }
        ui.horizontal_wrapped(|ui| {
            if ui.button(ShelfPhrase::ChooseFolder.text(lang)).clicked() {
                frame.act(StudyAction::Shelf(ShelfRequest::ChooseFolder));
            }
            let field = TextEdit::singleline(&mut self.folder).hint_text(ShelfPhrase::FolderHint.text(lang));
            let field = ui.add(field.desired_width(FOLDER_FIELD_WIDTH));
            set_accessible_label(&field, ShelfPhrase::Folder.text(lang));
            let enters = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            let folder = self.folder.trim().to_owned();
            let is_new = !folder.is_empty() && !folders.contains(&folder);
            let adds = ui
                .add_enabled(is_new, Button::new(ShelfPhrase::Add.text(lang)))
                .clicked();
            if is_new && (adds || enters) {
                self.folder.clear();
                let all = folders.iter().cloned().chain([folder]).collect();
                frame.act(StudyAction::Shelf(ShelfRequest::SetFolders(all)));
            }
        });
    }

    /// Draws the fields that decide which games count.
    fn show_fields(&mut self, ui: &mut Ui, lang: Lang) {
        ui.horizontal_wrapped(|ui| {
            let fields = [
                (&mut self.player, ShelfPhrase::Player, NAME_FIELD_WIDTH),
                (&mut self.opening, ShelfPhrase::Opening, NAME_FIELD_WIDTH),
                (&mut self.first_day, ShelfPhrase::Since, DAY_FIELD_WIDTH),
                (&mut self.last_day, ShelfPhrase::Until, DAY_FIELD_WIDTH),
            ];
            for (text, phrase, width) in fields {
                let field = TextEdit::singleline(text)
                    .hint_text(phrase.text(lang))
                    .desired_width(width);
                set_accessible_label(&ui.add(field), phrase.text(lang));
            }
        });
    }
}

/// Draws the size of the index, or the progress of reading records. Also draws the problems of the index and of files.
fn show_status(ui: &mut Ui, frame: &StudyFrame<'_>) {
    let (lang, shelf, theme) = (frame.lang, frame.view.shelf, frame.theme);
    let quiet = |text: String| Label::new(RichText::new(text).size(12.5).color(theme.quiet)).wrap();
    if let Some(problem) = shelf.problem {
        ui.add(Label::new(RichText::new(problem.text(lang)).color(theme.blunder)).wrap());
    }
    let ShelfCounts {
        files,
        games,
        positions,
        ..
    } = shelf.counts;
    let reading = shelf
        .reading
        .map(|[read, count]| words::progress(read, count, lang));
    ui.add(quiet(
        reading.unwrap_or_else(|| words::holds(files, games, positions, lang)),
    ));
    if shelf.unreadable_count > 0 {
        let sentences: Vec<_> = shelf.problems.iter().map(|problem| problem.text(lang)).collect();
        ui.add(quiet(words::unreadable(shelf.unreadable_count, lang)));
        if let Some(first) = sentences.first() {
            ui.add(quiet((*first).to_owned()))
                .on_hover_text(sentences.join("\n"));
        }
    }
}

fn move_text(frame: &StudyFrame<'_>, next: Option<Move>) -> String {
    next.map_or_else(
        || ResultPhrase::End.text(frame.lang).to_owned(),
        |next| {
            bar::notation(frame.lang)
                .notate_line(frame.view.history, &[next])
                .concat()
        },
    )
}

/// Draws the moves that were played, the most frequent first, in an area of at most this height.
fn show_next_moves(ui: &mut Ui, frame: &mut StudyFrame<'_>, answer: &ShelfAnswer, height: f32) {
    let area = ScrollArea::vertical()
        .id_salt("next")
        .max_height(height)
        .auto_shrink([false, true]);
    area.show(ui, |ui| {
        answer
            .moves
            .iter()
            .for_each(|next| show_next_move(ui, frame, next));
    });
}

/// Draws a row for a move that was played.
fn show_next_move(ui: &mut Ui, frame: &mut StudyFrame<'_>, next: &NextMove) {
    let lang = frame.lang;
    ui.horizontal(|ui| {
        let [mv, count, results, value] = COLUMN_WIDTHS;
        let button = Button::new(move_text(frame, next.mv))
            .min_size(vec2(mv, ROW_HEIGHT))
            .frame_when_inactive(false);
        let button = ui.add_enabled(next.mv.is_some(), button);
        if button.clicked()
            && let Some(next) = next.mv
        {
            frame.act(DocumentEdit::Play(next));
        }
        ui.add_sized([count, ROW_HEIGHT], Label::new(words::games(next.count, lang)));
        show_result_bar(ui, frame, next.results, results);
        if !frame.view.bar.is_hidden
            && let Some(shown) = next.value
        {
            let sides = SideLabel::sides(false).map(|label| label.text(lang));
            ui.add_sized(
                [value, ROW_HEIGHT],
                Label::new(graph_text::value(shown, sides, lang)),
            );
        }
    });
}

/// Draws a bar of the results of games: the shares of Black's wins, of draws and of White's wins. Unfinished games have
/// no share.
fn show_result_bar(ui: &mut Ui, frame: &StudyFrame<'_>, [open, black, white, draws]: [u32; 4], width: f32) {
    let (rect, response) = ui.allocate_exact_size(vec2(width, ROW_HEIGHT), Sense::hover());
    let text = words::results(black, white, draws, open, frame.lang);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    response.on_hover_text(&text);
    let all = black + white + draws;
    if all == 0 {
        return;
    }
    let theme = frame.theme;
    let bar = Rect::from_center_size(rect.center(), vec2(width, RESULT_BAR_HEIGHT));
    ui.painter()
        .rect_filled(bar, CornerRadius::same(3), theme.separator);
    let share = |part: u32| bar.width() * part as f32 / all as f32;
    let wins = [
        (bar.with_max_x(bar.left() + share(black)), theme.black),
        (bar.with_min_x(bar.right() - share(white)), theme.white),
    ];
    for (rect, color) in wins {
        ui.painter().rect_filled(rect, CornerRadius::same(3), color);
    }
    ui.painter().rect_stroke(
        bar,
        CornerRadius::same(3),
        Stroke::new(1.0, theme.quiet),
        StrokeKind::Outside,
    );
}

/// Draws the games that had the position, the newest first.
fn show_games(ui: &mut Ui, frame: &mut StudyFrame<'_>, answer: &ShelfAnswer) {
    let lang = frame.lang;
    ui.label(RichText::new(words::found(answer.count, answer.hits.len(), lang)).color(frame.theme.quiet));
    ScrollArea::vertical()
        .id_salt("games")
        .auto_shrink([false, false])
        .show_rows(ui, ROW_HEIGHT, answer.hits.len(), |ui, rows| {
            for hit in answer.hits.get(rows).unwrap_or_default() {
                let row = Button::new(game_text(frame, hit))
                    .truncate()
                    .min_size(vec2(ui.available_width(), ROW_HEIGHT));
                if ui
                    .add(row.frame_when_inactive(false))
                    .on_hover_text(&hit.path)
                    .clicked()
                {
                    frame.act(StudyAction::Shelf(ShelfRequest::Open(hit.clone())));
                }
            }
        });
}

/// Returns a game in one line: day if known, players or file, result, next move.
fn game_text(frame: &StudyFrame<'_>, hit: &ShelfHit) -> String {
    let day = hit.date_text().map(|day| format!("{day}　"));
    let players = hit.players.each_ref().map(String::as_str);
    let players = if players == [""; 2] {
        visible_file_name(hit.path.as_ref()).unwrap_or_default()
    } else {
        players
            .map(|name| if name.is_empty() { "–" } else { name })
            .join(" − ")
    };
    let (result, next) = (
        ResultPhrase::from_outcome(hit.result).text(frame.lang),
        move_text(frame, hit.next_move),
    );
    format!("{}{players}　{result}　{next}", day.unwrap_or_default())
}
