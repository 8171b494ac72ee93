//! The question whether the current position is a mate or what the opponent threatens, and the answer.

use super::candidates::{CandidateList, PvPreview};
use super::{StudyFrame, notice};
use crate::board::Arrow;
use crate::fonts::TextWeight;
use crate::mate_text::{self, MatePhrase};
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::{Key, Modifiers, Rect, RichText, Spinner, Ui};
use shogibar_base::Lang;
use shogibar_engine::session::MateOutcome;
use shogibar_games::graph_text::GraphWord;
use shogibar_games::study::{DocumentEdit, Inquiry, InquiryAnswer, InquiryKind};
use shogibar_games::{EngineMessage, bar};
use shogibar_kifu::NodeId;
use shogibar_model::action::AppAction;
use shogibar_shogi::{Color, Move};
use std::sync::Arc;

/// The maximum number of moves of a threat in the answer.
const MAX_THREAT_MOVES: usize = 4;

/// The panel of the question about a mate or a threat.
#[derive(Debug, Default)]
pub(super) struct MatePanel {
    /// The first revision of the record and the node of the open question; `None` if there is no question.
    searched_position: Option<(u64, NodeId)>,
    /// The first move of the threat that was found; `None` if there is none.
    threat: Option<Move>,
}

impl MatePanel {
    pub(super) fn ask(&mut self, frame: &mut StudyFrame<'_>) {
        let history = Arc::new(frame.view.history.clone());
        self.open(frame, Inquiry::new(InquiryKind::Mate, history));
    }

    pub(super) fn ask_for_threat(&mut self, frame: &mut StudyFrame<'_>) {
        self.open(frame, Inquiry::threat(frame.view.history));
    }

    /// Opens the panel, and sends the question about the current node.
    fn open(&mut self, frame: &mut StudyFrame<'_>, inquiry: Inquiry) {
        let document = frame.view.document;
        *self = Self {
            searched_position: Some((document.first_revision(), document.current())),
            threat: None,
        };
        frame.act(AppAction::Ask(Some(inquiry)));
    }

    /// Returns the arrow of the threat that was found.
    pub(super) fn arrow(&self) -> Option<Arrow> {
        self.threat.map(|mv| Arrow { mv, rank: 1 })
    }

    /// Draws the state of the search or its answer at the top of `over`. Closes the panel when another node is current.
    pub(super) fn show(
        &mut self,
        ui: &Ui,
        frame: &mut StudyFrame<'_>,
        over: Rect,
        candidates: &mut CandidateList,
    ) {
        let document = frame.view.document;
        let Some(asked) = self.searched_position else {
            return;
        };
        if asked != (document.first_revision(), document.current()) {
            return self.close(frame);
        }
        // There is no inquiry until an engine has received the question.
        let Some(inquiry) = frame
            .view
            .inquiry
            .filter(|inquiry| inquiry.kind != InquiryKind::Value)
        else {
            return;
        };
        self.threat = match &inquiry.answer {
            Some(InquiryAnswer::Threat(line, _)) if !frame.view.bar.is_hidden => line.first().copied(),
            _ => None,
        };
        let (theme, lang) = (frame.theme, frame.lang);
        let mut is_closed = false;
        notice::show_strip(ui, theme, "mate", theme.separator, over, |ui| {
            // A focused button handles its keys itself.
            let is_free = ui.memory(|memory| memory.focused().is_none());
            let text = |text: &str| RichText::new(text.to_owned()).font(TextWeight::Bold.at(14.0));
            let Some(answer) = &inquiry.answer else {
                ui.add(Spinner::new().size(16.0));
                let is_threat = inquiry.kind == InquiryKind::Threat;
                let phrase = if is_threat {
                    MatePhrase::Threatening
                } else {
                    MatePhrase::Searching
                };
                ui.label(text(phrase.text(lang)));
                is_closed = ui.button(StudyPhrase::Cancel.text(lang)).clicked();
                return;
            };
            match answer {
                InquiryAnswer::Mate(MateOutcome::Mate(moves)) => {
                    let first = bar::notation(lang)
                        .notate_line(&inquiry.history, moves.get(..1).unwrap_or_default())
                        .concat();
                    ui.label(text(&mate_text::mate(&first, moves.len(), lang)));
                    let enters =
                        is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
                    if ui.button(MatePhrase::Show.text(lang)).clicked() || enters {
                        candidates.pinned_preview = Some(PvPreview {
                            start_node: None,
                            moves: moves.clone(),
                            shown_count: 1,
                        });
                    }
                    if ui.button(StudyPhrase::Insert.text(lang)).clicked() {
                        frame.act(DocumentEdit::Insert(None, moves.clone()));
                        is_closed = true;
                    }
                }
                InquiryAnswer::Threat(..) if frame.view.bar.is_hidden => {
                    ui.label(text(GraphWord::Hidden.text(lang)));
                }
                InquiryAnswer::Threat(line, black) => {
                    let side = inquiry.history.now().side_to_move();
                    let percent = if side == Color::Black { *black } else { 100 - black };
                    let line = line.get(..line.len().min(MAX_THREAT_MOVES)).unwrap_or_default();
                    let line = bar::notation(lang).notate_line(&inquiry.history, line).join(" ");
                    let danger = &frame.view.bar.reason.threat;
                    let threat = mate_text::threat(&line, percent, lang);
                    let gap = if danger.is_empty() {
                        ""
                    } else {
                        lang.pick("　", ": ")
                    };
                    ui.label(text(&[danger, gap, &threat].concat()));
                }
                InquiryAnswer::Failed if inquiry.kind == InquiryKind::Threat => {
                    ui.label(text(MatePhrase::NoThreat.text(lang)));
                }
                other => _ = ui.label(text(&sentence(other, lang))),
            }
            if inquiry.is_built_in {
                ui.label(
                    RichText::new(MatePhrase::BuiltIn.text(lang))
                        .size(13.0)
                        .color(theme.quiet),
                );
            }
            let escapes = is_free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
            is_closed |= ui.button(StudyPhrase::Dismiss.text(lang)).clicked() || escapes;
        });
        if is_closed {
            self.close(frame);
        }
    }

    pub(super) fn close(&mut self, frame: &mut StudyFrame<'_>) {
        if std::mem::take(self).searched_position.is_some() {
            frame.act(AppAction::Ask(None));
        }
    }
}

/// Returns the sentence of an answer without a mate.
fn sentence(answer: &InquiryAnswer, lang: Lang) -> String {
    let phrase = match answer {
        InquiryAnswer::Unsearchable(why) => return EngineMessage::Unsearchable(*why).text(lang),
        InquiryAnswer::Mate(MateOutcome::NoMate) => MatePhrase::NoMate,
        InquiryAnswer::Mate(MateOutcome::Timeout) => MatePhrase::Timeout,
        InquiryAnswer::Mate(MateOutcome::NotImplemented | MateOutcome::Mate(_))
        | InquiryAnswer::Rate(_)
        | InquiryAnswer::Threat(..)
        | InquiryAnswer::Failed => MatePhrase::Failed,
        InquiryAnswer::InCheck => MatePhrase::InCheck,
    };
    phrase.text(lang).to_owned()
}
