//! The question whether the current position is a mate, and its answer.

use super::candidates::{CandidateList, PvPreview};
use super::{StudyFrame, notice};
use crate::bar;
use crate::fonts::TextWeight;
use crate::kifu::NodeId;
use crate::session::MateOutcome;
use crate::text::mate::{self, MatePhrase};
use crate::text::study::StudyPhrase;
use crate::text::{Lang, Message};
use eframe::egui;
use egui::{Key, Modifiers, Rect, RichText, Spinner, Ui};
use shogibar_games::study::DocumentEdit;
use shogibar_games::study::Inquiry;
use shogibar_games::study::{InquiryAnswer, InquiryKind};
use shogibar_model::action::AppAction;
use std::sync::Arc;

/// The open question: the record, by its first revision, and the node.
#[derive(Debug, Default)]
pub(super) struct MatePanel(Option<(u64, NodeId)>);

impl MatePanel {
    /// Asks about the current position.
    pub(super) fn ask(&mut self, frame: &mut StudyFrame<'_>) {
        let document = frame.view.document;
        self.0 = Some((document.first_revision(), document.current()));
        let history = Arc::new(frame.view.history.clone());
        frame.act(AppAction::Ask(Some(Inquiry::new(InquiryKind::Mate, history))));
    }

    /// Draws the state of the search or its answer at the top of the page.
    pub(super) fn show(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>, over: Rect, candidates: &mut CandidateList) {
        let document = frame.view.document;
        let Some(place) = self.0 else { return };
        if place != (document.first_revision(), document.current()) {
            return self.close(frame);
        }
        let is_mate = |inquiry: &&shogibar_games::study::Inquiry| inquiry.kind == InquiryKind::Mate;
        // The question is on its way.
        let Some(inquiry) = frame.view.inquiry.filter(is_mate) else { return };
        let (theme, lang) = (frame.theme, frame.lang);
        let mut is_closed = false;
        notice::strip(ui, theme, ("mate", theme.separator), over, |ui| {
            // A focused button has its own keys.
            let is_free = ui.memory(|memory| memory.focused().is_none());
            let text = |text: &str| RichText::new(text.to_owned()).font(TextWeight::Bold.at(14.0));
            let Some(answer) = &inquiry.answer else {
                ui.add(Spinner::new().size(16.0));
                ui.label(text(MatePhrase::Searching.text(lang)));
                is_closed = ui.button(StudyPhrase::Cancel.text(lang)).clicked();
                return;
            };
            match answer {
                InquiryAnswer::Mate(MateOutcome::Mate(moves)) => {
                    let first =
                        bar::notation(lang).words(&inquiry.history, moves.get(..1).unwrap_or_default()).concat();
                    ui.label(text(&mate::mate(&first, moves.len(), lang)));
                    let enters = is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
                    if ui.button(MatePhrase::Show.text(lang)).clicked() || enters {
                        candidates.pinned = Some(PvPreview { after: None, moves: moves.clone(), count: 1 });
                    }
                    if ui.button(StudyPhrase::Insert.text(lang)).clicked() {
                        frame.act(DocumentEdit::Insert(None, moves.clone()));
                        is_closed = true;
                    }
                }
                other => _ = ui.label(text(&sentence(other, lang))),
            }
            if inquiry.is_built_in {
                ui.label(RichText::new(MatePhrase::BuiltIn.text(lang)).size(13.0).color(theme.quiet));
            }
            let escapes = is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
            is_closed |= ui.button(StudyPhrase::Dismiss.text(lang)).clicked() || escapes;
        });
        if is_closed {
            self.close(frame);
        }
    }

    /// Gives the question up.
    pub(super) fn close(&mut self, frame: &mut StudyFrame<'_>) {
        if self.0.take().is_some() {
            frame.act(AppAction::Ask(None));
        }
    }
}

/// Returns the sentence of an answer without a mate.
fn sentence(answer: &InquiryAnswer, lang: Lang) -> String {
    let phrase = match answer {
        InquiryAnswer::Unsearchable(why) => return Message::PositionUnsearchable(*why).text(lang),
        InquiryAnswer::Mate(MateOutcome::NoMate) => MatePhrase::NoMate,
        InquiryAnswer::Mate(MateOutcome::Timeout) => MatePhrase::Timeout,
        InquiryAnswer::Mate(MateOutcome::NotImplemented | MateOutcome::Mate(_))
        | InquiryAnswer::Rate(_)
        | InquiryAnswer::Failed => MatePhrase::Failed,
    };
    phrase.text(lang).to_owned()
}
