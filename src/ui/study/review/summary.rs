//! The summary of the game: accuracy, agreement, mistakes and turning points.

use super::ReviewCard;
use crate::analysis::{LeadChange, MoveMark, SideSummary, TurningPoint};
use crate::fonts::TextWeight;
use crate::shogi::Color;
use crate::study::StudyFrame;
use crate::text::analysis::{TurnDecided, decided, share, tenths};
use crate::text::graph::GraphWord;
use crate::text::report::ReportWord;
use crate::text::review::{ReviewPhrase, turning_point};
use eframe::egui;
use egui::{Align, Button, Color32, Grid, Label, Layout, RichText, ScrollArea, Ui, vec2};
use shogibar_games::study::DocumentEdit;

/// The most turning points shown.
const TURNS: usize = 4;
/// The width of the names of the sides, the widths of a column, at least and at most, and the gap between two, in points.
const NAMES: f32 = 80.0;
const LEAST: f32 = 34.0;
const COLUMN: f32 = 72.0;
const GAP: f32 = 2.0;
/// The least room between two heads of columns, in points.
const APART: f32 = 8.0;

impl ReviewCard {
    /// Draws the summary, with the list of mistakes if `lists`.
    pub(super) fn summary(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>, lists: bool) {
        let theme = frame.theme;
        let heading = |text: &str| RichText::new(text.to_owned()).font(TextWeight::Bold.at(14.0));
        ScrollArea::vertical().id_salt("summary").auto_shrink(false).show(ui, |ui| {
            table(ui, frame);
            if self.list.is_empty() {
                ui.add_space(6.0);
                ui.label(RichText::new(ReviewPhrase::NoMistakes.text(frame.lang)).color(theme.quiet));
            } else if lists {
                ui.add_space(6.0);
                ui.label(heading(ReviewPhrase::Mistakes.text(frame.lang)));
                self.rows(ui, frame);
            }
            let points = &frame.view.insight.summary().turning_points;
            if !points.is_empty() {
                ui.add_space(6.0);
                ui.label(heading(ReportWord::TurningPoints.text(frame.lang)));
                points.iter().take(TURNS).for_each(|point| self.turn_button(ui, frame, point));
            }
        });
    }

    /// Draws a turning point as a button that goes there.
    fn turn_button(&self, ui: &mut Ui, frame: &mut StudyFrame<'_>, point: &TurningPoint) {
        let text = RichText::new(self.turn(frame, point)).size(13.5);
        if ui.add(Button::new(text).frame_when_inactive(false).wrap()).clicked() {
            frame.act(DocumentEdit::Go(point.assessed.node));
        }
    }

    /// Returns the text of a turning point.
    fn turn(&self, frame: &StudyFrame<'_>, point: &TurningPoint) -> String {
        let [black, white] = frame.titles();
        let title = |color| if color == Color::Black { black } else { white };
        let (winner, loser) = (title(point.turn.winner), title(point.turn.winner.flip()));
        let effect = match point.turn.change {
            LeadChange::Lead => TurnDecided::Lead(winner),
            LeadChange::Reversal => TurnDecided::Turn(winner),
            LeadChange::Levelled => TurnDecided::Levelled(loser),
            LeadChange::Edge => TurnDecided::Edge(winner),
        };
        let word = self.words.get(point.assessed.node);
        turning_point(point.assessed.ply, word, &decided(effect, frame.lang), frame.lang)
    }
}

/// Draws the figures of both sides.
fn table(ui: &mut Ui, frame: &StudyFrame<'_>) {
    let (theme, lang) = (frame.theme, frame.lang);
    let [black, white] = frame.titles();
    let [black_sum, white_sum] = &frame.view.insight.summary().sides;
    let quiet = |text: &str| RichText::new(text.to_owned()).size(12.5).color(theme.quiet);
    let words = [
        ReportWord::Accuracy.text(lang),
        ReportWord::Choices.text(lang),
        ReviewPhrase::BadMoves.text(lang),
        ReviewPhrase::DubiousMoves.text(lang),
    ];
    let letters = [GraphWord::MistakeLetter, GraphWord::DubiousLetter].map(|letter| letter.text(lang));
    let (heads, widths) = columns(ui, words, letters);
    let cell = |ui: &mut Ui, width: f32, text: RichText| {
        let size = vec2(width, 18.0);
        let laid = ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), |ui| {
            ui.set_min_size(size);
            ui.add(Label::new(text).truncate())
        });
        laid.inner
    };
    Grid::new("sides").num_columns(5).spacing(vec2(GAP, 4.0)).show(ui, |ui| {
        ui.label("");
        for ((head, width), word) in heads.into_iter().zip(widths).zip(words) {
            let head = cell(ui, width, quiet(head));
            head.on_hover_text(word);
        }
        ui.end_row();
        for (title, sum, mark) in [(black, black_sum, "☗"), (white, white_sum, "☖")] {
            ui.label(RichText::new(format!("{mark}{title}")).font(TextWeight::Bold.at(14.0)));
            for (figure, width) in figures(sum).into_iter().zip(widths) {
                cell(ui, width, RichText::new(figure).font(TextWeight::Bold.at(14.0)));
            }
            ui.end_row();
        }
    });
}

/// Returns the heads of the columns and their widths, in points: of the same width if that is enough for the words, else as
/// wide as each needs, with the letters of the marks where the words have no room.
fn columns<'t>(ui: &Ui, words: [&'t str; 4], letters: [&'t str; 2]) -> ([&'t str; 4], [f32; 4]) {
    let room = ui.available_width() - NAMES - 4.0 * GAP;
    let width = |head: &str| {
        let galley = ui.painter().layout_no_wrap(head.to_owned(), TextWeight::Regular.at(12.5), Color32::PLACEHOLDER);
        (galley.size().x.ceil() + APART).max(LEAST)
    };
    let widths = words.map(width);
    let equal = (room / 4.0).min(COLUMN);
    if widths.iter().all(|width| *width <= equal) {
        return (words, [equal; 4]);
    }
    if widths.iter().sum::<f32>() <= room {
        return (words, widths);
    }
    let [accuracy, agreement, ..] = words;
    let [bad, doubtful] = letters;
    let heads = [accuracy, agreement, bad, doubtful];
    (heads, heads.map(width))
}

/// Returns the accuracy, the agreement, and the numbers of mistakes and of doubtful moves.
fn figures(sum: &SideSummary) -> [String; 4] {
    let sums = sum.sums();
    let count = |is_it: fn(MoveMark) -> bool| {
        let marks = MoveMark::ALL.iter().zip(sum.marks).filter(|(mark, _)| is_it(**mark));
        marks.map(|(_, count)| count).sum::<usize>().to_string()
    };
    [
        tenths(sums.accuracy),
        share(sums.choices).map_or_else(|| "–".to_owned(), |percent| format!("{percent}%")),
        count(|mark| mark >= MoveMark::Mistake),
        count(|mark| mark == MoveMark::Dubious),
    ]
}
