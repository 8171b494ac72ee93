//! The card of notes: the review of the current move or of the game, and the comment.

use super::review::ReviewSubject;
use super::{StudyAction, StudyFrame, StudyPage};
use crate::access::set_accessible_label;
use crate::fonts::TextWeight;
use crate::review_text::ReviewPhrase;
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::{Align, Button, Label, Layout, Rect, RichText, Stroke, Ui, UiBuilder, pos2};
use shogibar_config::{Command, command_text};

/// The height of a comment that is shown in one line, in points.
const COMMENT_LINE_HEIGHT: f32 = 28.0;
/// The height of the hint below a comment, in points.
const HINT_HEIGHT: f32 = 62.0;
/// The minimum height of the card with variations below the review of a move, in points.
const MIN_HEIGHT_WITH_VARIATIONS: f32 = 330.0;
/// The minimum height of the card with variations below the review of the game, in points.
const MIN_HEIGHT_WITH_VARIATIONS_OF_GAME: f32 = 190.0;
/// The maximum number of variations below a review.
const MAX_VARIATIONS: usize = 2;

impl StudyPage {
    /// Draws the review, with the comment in one line. A comment that is not empty replaces the review, unless the user
    /// prefers the review of this node.
    pub(super) fn show_notes(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let subject = self.review.subject();
        let is_commented = self.comment.has_text(frame);
        if !subject.is_review() || is_commented && !self.review.prefers_review(frame) {
            self.show_comment_card(ui, frame, subject);
        } else {
            self.show_review_card(ui, frame, is_commented);
        }
        ui.set_min_size(ui.available_size());
    }

    /// Draws the review alone, while the comment has its own area. Without a review, draws how to get one.
    pub(super) fn show_review_alone(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let subject = self.review.subject();
        if subject.is_review() {
            let all = ui.available_rect_before_wrap();
            let (body, buttons) =
                all.split_top_bottom_at_y(all.bottom() - super::review::STEP_BUTTONS_HEIGHT);
            ui.scope_builder(UiBuilder::new().max_rect(body).id_salt("review"), |ui| {
                self.review.show(ui, frame, &mut self.candidates);
            });
            let steps = UiBuilder::new().max_rect(buttons).id_salt("steps");
            ui.scope_builder(steps, |ui| super::review::show_step_buttons(ui, frame));
        } else {
            ui.label(RichText::new(ReviewPhrase::Review.text(frame.lang)).font(TextWeight::Bold.at(14.0)));
            if subject != ReviewSubject::Nothing {
                show_analysis_hint(ui, frame, subject);
            }
        }
        ui.set_min_size(ui.available_size());
    }

    fn show_comment_card(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, subject: ReviewSubject) {
        let wants_review = if subject == ReviewSubject::Mistake {
            self.review.show_heading_button(ui, frame)
        } else {
            show_heading(ui, frame, subject == ReviewSubject::Game)
        };
        if wants_review {
            self.review
                .prefer_review(frame.view, frame.view.document.current());
        }
        let hint = if matches!(subject, ReviewSubject::NotAnalysed | ReviewSubject::Withheld) {
            HINT_HEIGHT
        } else {
            0.0
        };
        let all = ui.available_rect_before_wrap();
        let (comment, below) = all.split_top_bottom_at_y((all.bottom() - hint).max(all.top() + 60.0));
        ui.scope_builder(UiBuilder::new().max_rect(comment).id_salt("field"), |ui| {
            self.comment.show(ui, frame);
        });
        if hint > 0.0 && below.height() > 30.0 {
            ui.scope_builder(UiBuilder::new().max_rect(below).id_salt("hint"), |ui| {
                show_analysis_hint(ui, frame, subject);
            });
        }
    }

    fn show_review_card(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>, is_commented: bool) {
        let all = ui.available_rect_before_wrap();
        let (body, buttons) = all.split_top_bottom_at_y(all.bottom() - super::review::STEP_BUTTONS_HEIGHT);
        let (body, line) = body.split_top_bottom_at_y(body.bottom() - COMMENT_LINE_HEIGHT);
        let tall = if self.review.subject() == ReviewSubject::Game {
            MIN_HEIGHT_WITH_VARIATIONS_OF_GAME
        } else {
            MIN_HEIGHT_WITH_VARIATIONS
        };
        let room = if all.height() < tall {
            0.0
        } else {
            self.comment.variations_height(frame, MAX_VARIATIONS)
        };
        let (body, variations) = body.split_top_bottom_at_y(body.bottom() - room);
        let part = |ui: &mut Ui, rect: Rect, id: &str, show: &mut dyn FnMut(&mut Ui)| {
            ui.scope_builder(UiBuilder::new().max_rect(rect).id_salt(id), |ui| show(ui));
        };
        part(ui, body, "review", &mut |ui| {
            self.review.show(ui, frame, &mut self.candidates);
        });
        if room > 0.0 {
            part(ui, variations, "variations", &mut |ui| {
                self.comment.show_variations(ui, frame);
            });
        }
        let edge = [pos2(line.left(), line.top()), pos2(line.right(), line.top())];
        ui.painter()
            .line_segment(edge, Stroke::new(1.0, frame.theme.separator));
        part(ui, line.with_min_y(line.top() + 4.0), "line", &mut |ui| {
            if is_commented {
                let text = RichText::new(self.comment.first_line().as_ref()).color(frame.theme.quiet);
                let comment = ui.add(Button::new(text).truncate().frame(false));
                set_accessible_label(&comment, StudyPhrase::Comment.text(frame.lang));
                if comment.clicked() {
                    self.review.prefer_comment();
                }
            } else {
                self.comment.show_line(ui, frame);
            }
        });
        part(ui, buttons, "steps", &mut |ui| {
            super::review::show_step_buttons(ui, frame);
        });
    }
}

/// Draws the heading of the comment, with a button for the review. Returns whether that button was clicked.
fn show_heading(ui: &mut Ui, frame: &StudyFrame<'_>, has_review: bool) -> bool {
    let row = ui.horizontal(|ui| {
        ui.label(RichText::new(StudyPhrase::Comment.text(frame.lang)).font(TextWeight::Bold.at(14.0)));
        let review = Button::new(ReviewPhrase::Review.text(frame.lang)).frame_when_inactive(false);
        let layout = Layout::right_to_left(Align::Center);
        has_review && ui.with_layout(layout, |ui| ui.add(review).clicked()).inner
    });
    row.inner
}

/// Draws an explanation of the analysis with a button that begins one, or the information that one is running.
fn show_analysis_hint(ui: &mut Ui, frame: &mut StudyFrame<'_>, subject: ReviewSubject) {
    let lang = frame.lang;
    let text = match subject {
        ReviewSubject::Withheld => ReviewPhrase::Withheld.text(lang),
        _ => ReviewPhrase::NotAnalysed.text(lang),
    };
    ui.add(Label::new(RichText::new(text).size(13.0).color(frame.theme.quiet)).wrap());
    if subject == ReviewSubject::NotAnalysed {
        let button = Button::new(command_text(Command::Analyse, lang));
        if ui
            .add_enabled(frame.view.allows(Command::Analyse), button)
            .clicked()
        {
            frame.act(StudyAction::Command(Command::Analyse));
        }
    }
}
