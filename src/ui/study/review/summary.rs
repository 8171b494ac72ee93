//! The summary of the game: mean loss, agreement, mistakes and accuracy of each side, and the phases of the game.

use super::ReviewCard;
use crate::fonts::TextWeight;
use crate::review_text::ReviewPhrase;
use crate::study::StudyFrame;
use eframe::egui;
use egui::{Align, Button, Color32, Grid, Label, Layout, RichText, ScrollArea, Ui, vec2};
use shogibar_games::analysis::{AssessedMove, GamePhase, MoveMark, SideSummary};
use shogibar_games::analysis_text::{share, tenths};
use shogibar_games::graph_text::GraphWord;
use shogibar_games::phrase::move_label;
use shogibar_games::report_text::ReportWord;
use shogibar_games::study::DocumentEdit;

/// The width of the column with the sides' names, in points.
const NAME_COLUMN_WIDTH: f32 = 80.0;
/// The minimum width of a column, in points.
const MIN_COLUMN_WIDTH: f32 = 34.0;
/// The largest width of equally wide columns, in points.
const MAX_COLUMN_WIDTH: f32 = 72.0;
/// The gap between columns, in points.
const COLUMN_GAP: f32 = 2.0;
/// The minimum gap between the heads of two columns, in points.
const MIN_HEAD_GAP: f32 = 8.0;

impl ReviewCard {
    /// Draws the summary, with the list of mistakes if `shows_list`.
    pub(super) fn show_summary(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>, shows_list: bool) {
        let theme = frame.theme;
        let heading = |text: &str| RichText::new(text.to_owned()).font(TextWeight::Bold.at(14.0));
        ScrollArea::vertical()
            .id_salt("summary")
            .auto_shrink(false)
            .show(ui, |ui| {
                show_table(ui, frame);
                self.show_watched(ui, frame);
                if self.mistakes.is_empty() {
                    ui.add_space(6.0);
                    ui.label(RichText::new(ReviewPhrase::NoMistakes.text(frame.lang)).color(theme.quiet));
                } else if shows_list {
                    ui.add_space(6.0);
                    ui.horizontal(|ui| {
                        ui.label(heading(ReviewPhrase::Mistakes.text(frame.lang)));
                        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                            self.show_ring(ui, frame);
                        });
                    });
                    self.show_mistake_rows(ui, frame);
                }
                ui.add_space(6.0);
                ui.label(heading(ReportWord::Phases.text(frame.lang)))
                    .on_hover_text(ReportWord::AboutPhases.text(frame.lang));
                self.show_phases(ui, frame);
            });
    }

    /// Draws the mean loss and the agreement of each side in each phase, with the costliest move as a button.
    fn show_phases(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let (lang, quiet) = (frame.lang, frame.theme.quiet);
        let sides = frame.view.insight.summary().sides;
        let small = |text: String| RichText::new(text).size(13.0);
        Grid::new("phases")
            .num_columns(5)
            .spacing(vec2(10.0, 3.0))
            .show(ui, |ui| {
                let sides = sides.iter().zip(["☗", "☖"]);
                let rows = sides.flat_map(|(side, mark)| {
                    GamePhase::ALL
                        .into_iter()
                        .zip(side.phases)
                        .map(move |row| (mark, row))
                });
                for (mark, (phase, stats)) in rows.filter(|(_, (_, stats))| stats.moves > 0) {
                    ui.label(small(mark.to_owned()));
                    ui.label(small(phase.label().text(lang).to_owned()));
                    ui.label(small(tenths(stats.mean_loss)))
                        .on_hover_text(ReportWord::MeanLoss.text(lang));
                    let agreement =
                        share([stats.choices, stats.judged_moves]).map(|percent| format!("{percent}%"));
                    let agreement = ui.label(small(agreement.unwrap_or_default()).color(quiet));
                    agreement.on_hover_text(ReportWord::Choices.text(lang));
                    if let Some(costliest) = stats.costliest_move {
                        self.show_costliest(ui, frame, &costliest);
                    }
                    ui.end_row();
                }
            });
    }

    fn show_costliest(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>, costliest: &AssessedMove) {
        let word = move_label(
            usize::from(costliest.ply),
            self.words.get(costliest.node),
            frame.lang,
        );
        let text = RichText::new(format!("{word} −{:.1}", costliest.loss)).size(13.0);
        let button = ui.add(Button::new(text).frame_when_inactive(false));
        if button
            .on_hover_text(ReportWord::Costliest.text(frame.lang))
            .clicked()
        {
            frame.act(DocumentEdit::Go(costliest.node));
        }
    }
}

/// Draws the figures of both sides.
fn show_table(ui: &mut Ui, frame: &StudyFrame<'_>) {
    let (theme, lang) = (frame.theme, frame.lang);
    let [black, white] = frame.titles();
    let [black_sum, white_sum] = &frame.view.insight.summary().sides;
    let words = [
        ReportWord::MeanLoss.text(lang),
        ReportWord::Choices.text(lang),
        ReviewPhrase::BadMoves.text(lang),
        ReviewPhrase::DubiousMoves.text(lang),
        ReportWord::Accuracy.text(lang),
    ];
    // A tooltip explains each word.
    let about = [
        ReportWord::AboutAccuracy.text(lang),
        ReportWord::AboutAccuracy.text(lang),
        "",
        "",
        ReportWord::AboutAccuracy.text(lang),
    ];
    let letters = [GraphWord::MistakeLetter, GraphWord::DubiousLetter].map(|letter| letter.text(lang));
    let (heads, widths) = layout_columns(ui, words, letters);
    let cell = |ui: &mut Ui, width: f32, text: RichText| {
        let size = vec2(width, 18.0);
        let laid = ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_size(size);
            ui.add(Label::new(text).truncate())
        });
        laid.inner
    };
    Grid::new("sides")
        .num_columns(6)
        .spacing(vec2(COLUMN_GAP, 4.0))
        .show(ui, |ui| {
            ui.label("");
            for (((head, width), word), about) in heads.into_iter().zip(widths).zip(words).zip(about) {
                let head = RichText::new(head.to_owned()).size(12.5).color(theme.quiet);
                let head = cell(ui, width, head);
                head.on_hover_text(format!("{word}\n{about}").trim_end());
            }
            ui.end_row();
            for (title, sum, mark) in [(black, black_sum, "☗"), (white, white_sum, "☖")] {
                ui.label(RichText::new(format!("{mark}{title}")).font(TextWeight::Bold.at(14.0)));
                for (figure, width) in figure_texts(sum).into_iter().zip(widths) {
                    cell(ui, width, RichText::new(figure).font(TextWeight::Bold.at(14.0)));
                }
                ui.end_row();
            }
        });
}

/// Returns the headings of the columns and their widths, in points. All columns have the same width if that is enough
/// for the words. Otherwise each is as wide as it needs, with the letters of the marks where the words do not fit.
fn layout_columns<'t>(ui: &Ui, words: [&'t str; 5], letters: [&'t str; 2]) -> ([&'t str; 5], [f32; 5]) {
    let room = ui.available_width() - NAME_COLUMN_WIDTH - 5.0 * COLUMN_GAP;
    let width = |head: &str| {
        let galley = ui.painter().layout_no_wrap(
            head.to_owned(),
            TextWeight::Regular.at(12.5),
            Color32::PLACEHOLDER,
        );
        (galley.size().x.ceil() + MIN_HEAD_GAP).max(MIN_COLUMN_WIDTH)
    };
    let widths = words.map(width);
    let equal = (room / 5.0).min(MAX_COLUMN_WIDTH);
    if widths.iter().all(|width| *width <= equal) {
        return (words, [equal; 5]);
    }
    if widths.iter().sum::<f32>() <= room {
        return (words, widths);
    }
    let [mean_loss, agreement, _, _, accuracy] = words;
    let [bad, doubtful] = letters;
    let heads = [mean_loss, agreement, bad, doubtful, accuracy];
    (heads, heads.map(width))
}

/// Returns the texts of the mean loss, the agreement, the numbers of mistakes and of doubtful moves, and the accuracy.
fn figure_texts(sum: &SideSummary) -> [String; 5] {
    let sums = sum.figures();
    let count = |is_it: fn(MoveMark) -> bool| {
        let marks = MoveMark::ALL
            .iter()
            .zip(sum.marks)
            .filter(|(mark, _)| is_it(**mark));
        marks.map(|(_, count)| count).sum::<usize>().to_string()
    };
    [
        tenths(sums.mean_loss),
        share(sums.choices).map_or_else(|| "–".to_owned(), |percent| format!("{percent}%")),
        count(|mark| mark >= MoveMark::Mistake),
        count(|mark| mark == MoveMark::Dubious),
        tenths(sums.accuracy),
    ]
}
