//! The guesses at better moves: the choice of the side, the questions, and the result.

use super::StudyFrame;
use super::drill::DrillForm;
use crate::board::Arrow;
use crate::fonts::TextWeight;
use crate::guess_text::{self as words, GuessPhrase};
use crate::review_text::lossy_move;
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::{Button, CornerRadius, Key, Label, Modifiers, Response, RichText, Spinner, Stroke, Ui, vec2};
use shogibar_base::Lang;
use shogibar_games::analysis::MoveMark;
use shogibar_games::bar;
use shogibar_games::study::{
    DrillCard, GuessSession, GuessState, Inquiry, InquiryAnswer, InquiryKind, Mistake,
};
use shogibar_model::action::{AppAction, DrillAction};
use shogibar_shogi::{Color, History, Move, Position};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// The state of the guesses between frames.
#[derive(Debug, Default)]
pub(super) struct GuessPanel {
    state: PanelState,
    record_revision: u64,
    /// The current question; `None` while no move is asked for.
    question: Option<Question>,
    /// Whether the first choice is to get the keyboard focus.
    wants_focus: bool,
    /// The cards of the questions from the deck, the current one first.
    cards: VecDeque<CardQuestion>,
    drill: DrillForm,
}

#[derive(Debug, Default)]
enum PanelState {
    #[default]
    Closed,
    /// The user chooses whose mistakes to solve.
    Choosing,
    Running(GuessSession),
}

/// A question: the position, and the texts about it.
#[derive(Debug)]
struct Question {
    history: Arc<History>,
    /// The players, Black first, if the question is from another game than the page shows.
    names: Option<[String; 2]>,
    played_move: String,
    better_line: Vec<String>,
}

/// A card of the deck that is asked as a guess.
#[derive(Debug)]
struct CardQuestion {
    card: DrillCard,
    is_answered: bool,
}

/// The action of a button of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GuessStep {
    /// Try the current question again.
    Retry,
    ShowAnswer,
    /// Go to the next question, or to the result.
    Next,
    /// Choose again whose mistakes to solve.
    Again,
    Close,
}

impl GuessPanel {
    pub(super) fn open(&mut self) {
        (self.state, self.question) = (PanelState::Choosing, None);
        self.cards.clear();
        self.wants_focus = true;
    }

    pub(super) const fn is_open(&self) -> bool {
        !matches!(self.state, PanelState::Closed)
    }

    pub(super) fn set_drill_folder(&mut self, folder: &Path) {
        self.drill.set_folder(folder);
    }

    /// Returns the players of the current question, Black first, if it is from another game than the page shows.
    pub(super) fn names(&self) -> Option<[String; 2]> {
        self.question.as_ref()?.names.clone()
    }

    /// Returns whether the user is guessing.
    pub(super) const fn is_running(&self) -> bool {
        matches!(self.state, PanelState::Running(_))
    }

    const fn session(&self) -> Option<&GuessSession> {
        match &self.state {
            PanelState::Running(session) => Some(session),
            PanelState::Closed | PanelState::Choosing => None,
        }
    }

    pub(super) fn accepts_move(&self) -> bool {
        self.session().is_some_and(GuessSession::accepts_move)
    }

    /// Returns the moves up to the current question.
    pub(super) fn history(&self) -> Option<Arc<History>> {
        self.question
            .as_ref()
            .map(|question| Arc::clone(&question.history))
    }

    /// Returns the position to show and the move that led to it; `None` while no move is asked for. A guess that is
    /// right or being judged is played in the position.
    pub(super) fn board(&self) -> Option<(Position, Option<Move>)> {
        let (session, question) = (self.session()?, self.question.as_ref()?);
        let mut position = question.history.now().without_history();
        let guess = match session.state() {
            GuessState::Right(mv, _) | GuessState::Judging(mv) => Some(mv),
            _ => None,
        };
        let played = guess.filter(|mv| position.play(*mv).is_ok());
        Some((position, played.or_else(|| question.history.last_move())))
    }

    /// Returns the arrow of the better move, once the user has asked for the answer.
    pub(super) fn arrows(&self) -> Vec<Arrow> {
        let shown = self
            .session()
            .filter(|session| session.state() == GuessState::Shown);
        let better = shown.and_then(|session| session.current()?.better_line.first());
        better.map(|mv| Arrow { mv: *mv, rank: 1 }).into_iter().collect()
    }

    /// Handles the engine's answer and the keys of the panel. Closes the panel when another record is shown.
    pub(super) fn update(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        let revision = frame.view.document.first_revision();
        if std::mem::replace(&mut self.record_revision, revision) != revision {
            self.close(frame);
        }
        if !self.is_open() {
            return;
        }
        self.judge_by_engine(frame);
        self.record_answer(frame);
        if frame.view.question.is_some() {
            return;
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            return self.close(frame);
        }
        let is_free = ui.memory(|memory| memory.focused().is_none());
        let step = self
            .session()
            .and_then(|session| steps(session).first().map(|(step, _)| *step));
        // The answer is shown by its button only, not by a key.
        let step = step.filter(|step| *step != GuessStep::ShowAnswer);
        // A focused button handles Enter itself.
        if is_free && step.is_some() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)) {
            self.take_step(frame, step);
        }
    }

    fn close(&mut self, frame: &mut StudyFrame<'_>) {
        if frame
            .view
            .inquiry
            .is_some_and(|asked| asked.kind == InquiryKind::Value)
        {
            frame.act(AppAction::Ask(None));
        }
        (self.state, self.question) = (PanelState::Closed, None);
        self.cards.clear();
    }

    /// Takes a move on the board as the guess. If the record has no value for the move, asks the engine.
    pub(super) fn play(&mut self, frame: &mut StudyFrame<'_>, mv: Move) {
        let mistake = if self.cards.is_empty() {
            self.session().and_then(GuessSession::current)
        } else {
            None
        };
        let known = mistake.and_then(|mistake| recorded_rate(frame, mistake, mv));
        let PanelState::Running(session) = &mut self.state else {
            return;
        };
        session.guess(mv, known);
        if session.state() == GuessState::Judging(mv)
            && let Some(question) = &self.question
        {
            let mut history = (*question.history).clone();
            if history.play(mv).is_ok() {
                frame.act(AppAction::Ask(Some(Inquiry::new(
                    InquiryKind::Value,
                    Arc::new(history),
                ))));
            }
        }
    }

    /// Records the first answer to a question from the deck.
    fn record_answer(&mut self, frame: &mut StudyFrame<'_>) {
        let Some(is_right) = self.session().and_then(GuessSession::outcome) else {
            return;
        };
        if let Some(card) = self.cards.front_mut().filter(|card| !card.is_answered) {
            card.is_answered = true;
            frame.act(AppAction::Drill(DrillAction::RecordAnswer {
                card: card.card.id(),
                day: frame.view.drill.today,
                right: is_right,
            }));
        }
    }

    fn judge_by_engine(&mut self, frame: &mut StudyFrame<'_>) {
        let (PanelState::Running(session), Some(question)) = (&mut self.state, &self.question) else {
            return;
        };
        let (GuessState::Judging(mv), Some(mistake)) = (session.state(), session.current()) else {
            return;
        };
        let Some(asked) = frame.view.inquiry.filter(|asked| {
            let moves = asked.history.moves();
            asked.kind == InquiryKind::Value
                && moves.last() == Some(&mv)
                && moves.len() == question.history.moves().len() + 1
        }) else {
            return;
        };
        if asked.answer.is_some() {
            let rate = if asked.answer == Some(InquiryAnswer::Failed) {
                None
            } else {
                asked.rate_of(mistake.side)
            };
            session.set_searched_rate(mv, rate);
            frame.act(AppAction::Ask(None));
        }
    }

    /// Draws the panel for guessing moves.
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let lang = frame.lang;
        ui.spacing_mut().item_spacing.y = 10.0;
        ui.label(RichText::new(GuessPhrase::Guess.text(lang)).font(TextWeight::Bold.at(20.0)));
        let step = match &self.state {
            PanelState::Running(session) => Self::show_running(ui, frame, session, self.question.as_ref()),
            _ => self.show_choice(ui, frame),
        };
        self.take_step(frame, step);
        self.record_answer(frame);
        ui.set_min_size(ui.available_size());
    }

    /// Draws the choice of the side and the deck of mistakes.
    fn show_choice(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) -> Option<GuessStep> {
        let (lang, view) = (frame.lang, frame.view);
        let record = view.document.record();
        let mistakes = || {
            view.insight
                .mistakes(view.document)
                .filter_map(|node| view.insight.mistake(record, node))
        };
        ui.add(Label::new(RichText::new(GuessPhrase::About.text(lang)).color(frame.theme.quiet)).wrap());
        let [black, white] = frame.titles();
        let sides = [
            (black, Some(Color::Black)),
            (white, Some(Color::White)),
            (GuessPhrase::Both.text(lang), None),
        ];
        let passes = sides.map(|(_, side)| GuessSession::new(mistakes(), side));
        if passes.iter().all(Option::is_none) || view.bar.is_hidden {
            ui.add(Label::new(GuessPhrase::Nothing.text(lang)).wrap());
        } else {
            ui.label(RichText::new(GuessPhrase::WhoseMistakes.text(lang)).font(TextWeight::Bold.at(15.0)));
            let chosen = ui.horizontal_wrapped(|ui| {
                self.show_sides(ui, sides.map(|(title, _)| title).into_iter().zip(passes), lang)
            });
            if let Some(pass) = chosen.inner {
                self.question = pass.current().map(|mistake| Question::new(frame, mistake));
                self.state = PanelState::Running(pass);
            }
        }
        ui.separator();
        // The deck gets the keyboard focus, unless a choice above has taken it.
        let takes_focus = std::mem::take(&mut self.wants_focus);
        if let Some(chosen) = self.drill.show(ui, frame, takes_focus) {
            self.start_cards(frame.lang, chosen);
        }
        ui.button(StudyPhrase::Cancel.text(lang))
            .clicked()
            .then_some(GuessStep::Close)
    }

    fn start_cards(&mut self, lang: Lang, chosen: Vec<(DrillCard, Mistake)>) {
        let (cards, mistakes) = chosen.into_iter().unzip::<_, _, Vec<_>, _>();
        let Some(pass) = GuessSession::from_mistakes(mistakes) else {
            return;
        };
        self.cards = cards
            .into_iter()
            .map(|card| CardQuestion {
                card,
                is_answered: false,
            })
            .collect();
        self.state = PanelState::Running(pass);
        self.update_card_question(lang);
    }

    fn update_card_question(&mut self, lang: Lang) {
        self.question = self
            .cards
            .front()
            .and_then(|asked| Question::from_card(&asked.card, lang));
    }

    /// Draws a button for each side. The first one that has mistakes gets the focus. Returns the mistakes that were
    /// chosen.
    fn show_sides<'t>(
        &mut self,
        ui: &mut Ui,
        sides: impl Iterator<Item = (&'t str, Option<GuessSession>)>,
        lang: Lang,
    ) -> Option<GuessSession> {
        let mut chosen = None;
        for (title, pass) in sides {
            let button = show_side_button(ui, title, lang, pass.as_ref());
            if pass.is_some() && std::mem::take(&mut self.wants_focus) {
                button.request_focus();
            }
            if pass.is_some() && button.clicked() {
                chosen = pass;
            }
        }
        chosen
    }

    /// Draws the current question or the result. Returns the user's next step.
    fn show_running(
        ui: &mut Ui,
        frame: &StudyFrame<'_>,
        session: &GuessSession,
        question: Option<&Question>,
    ) -> Option<GuessStep> {
        let (theme, lang) = (frame.theme, frame.lang);
        let bold = |text: String, size: f32| RichText::new(text).font(TextWeight::Bold.at(size));
        if let (Some(mistake), Some(question)) = (session.current(), question) {
            let [number, count] = session.progress();
            ui.label(RichText::new(words::number(number, count, lang)).color(theme.quiet));
            let played = lossy_move(
                &question.played_move,
                mistake.mark.map(MoveMark::label),
                &mistake.loss_text(),
                lang,
            );
            if let Some(names) = &question.names {
                ui.add(Label::new(RichText::new(names.join(" － ")).color(theme.quiet)).truncate());
            }
            ui.add(Label::new(bold(words::played(mistake.ply, &played, lang), 15.0)).wrap());
            show_verdict(ui, frame, session, question);
        } else {
            let [solved, count] = session.result();
            ui.label(bold(words::result(solved, count, lang), 26.0));
        }
        ui.add_space(6.0);
        let mut taken = None;
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            for (nth, (step, phrase)) in steps(session).into_iter().enumerate() {
                let text = RichText::new(phrase.text(lang)).size(15.0);
                let button = if nth == 0 && step != GuessStep::ShowAnswer {
                    Button::new(text.color(theme.on_accent))
                        .fill(theme.accent)
                        .stroke(Stroke::NONE)
                } else {
                    Button::new(text)
                };
                let button = button
                    .corner_radius(CornerRadius::same(6))
                    .min_size(vec2(110.0, 36.0));
                if ui.add(button).clicked() {
                    taken = Some(step);
                }
            }
        });
        taken
    }

    /// Applies the user's step, if there is one.
    fn take_step(&mut self, frame: &mut StudyFrame<'_>, step: Option<GuessStep>) {
        let (Some(step), PanelState::Running(session)) = (step, &mut self.state) else {
            if step.is_some() {
                self.close(frame);
            }
            return;
        };
        if matches!(session.state(), GuessState::Judging(_)) {
            frame.act(AppAction::Ask(None));
        }
        match step {
            GuessStep::Retry => session.retry(),
            GuessStep::ShowAnswer => session.show_answer(),
            GuessStep::Next => {
                session.advance();
                if self.cards.pop_front().is_some() {
                    self.update_card_question(frame.lang);
                } else {
                    self.question = session.current().map(|mistake| Question::new(frame, mistake));
                }
            }
            GuessStep::Again => self.open(),
            GuessStep::Close => self.close(frame),
        }
    }
}

impl Question {
    fn new(frame: &StudyFrame<'_>, mistake: &Mistake) -> Self {
        Self::from_mistake(
            Arc::new(frame.view.document.history_at(mistake.node_before)),
            mistake,
            frame.lang,
        )
    }

    /// Creates the question of a card of the deck. Returns `None` if the card has no question.
    fn from_card(card: &DrillCard, lang: Lang) -> Option<Self> {
        let (mistake, history) = card.mistake()?;
        Some(Self {
            names: Some(card.names.clone()),
            ..Self::from_mistake(history, &mistake, lang)
        })
    }

    fn from_mistake(history: Arc<History>, mistake: &Mistake, lang: Lang) -> Self {
        let notation = bar::notation(lang);
        Self {
            names: None,
            played_move: notation.notate_line(&history, &[mistake.mv]).concat(),
            better_line: notation.notate_line(&history, &mistake.better_line),
            history,
        }
    }
}

fn show_side_button(ui: &mut Ui, title: &str, lang: Lang, pass: Option<&GuessSession>) -> Response {
    let count = pass.map_or(0, |pass| pass.result()[1]);
    let text = RichText::new(words::side(title, count, lang)).size(15.0);
    ui.add_enabled(pass.is_some(), Button::new(text).min_size(vec2(110.0, 36.0)))
}

fn recorded_rate(frame: &StudyFrame<'_>, mistake: &Mistake, mv: Move) -> Option<u8> {
    let node = frame.view.document.record().child_by(mistake.node_before, mv)?;
    frame.view.insight.rate(node, mistake.side)
}

/// Returns the steps that the user can take, the main one first.
fn steps(session: &GuessSession) -> Vec<(GuessStep, GuessPhrase)> {
    let [number, count] = session.progress();
    let next = if number < count {
        GuessPhrase::Next
    } else {
        GuessPhrase::Result
    };
    let close = (GuessStep::Close, GuessPhrase::Close);
    let answer = (GuessStep::ShowAnswer, GuessPhrase::ShowAnswer);
    match session.state() {
        GuessState::Asking => vec![answer, close],
        GuessState::Judging(_) | GuessState::Wrong(..) => {
            vec![(GuessStep::Retry, GuessPhrase::Retry), answer, close]
        }
        GuessState::Right(..) | GuessState::Shown => vec![(GuessStep::Next, next), close],
        GuessState::Finished => vec![close, (GuessStep::Again, GuessPhrase::Again)],
    }
}

/// Draws the state of the current guess: request for a move, wait for the engine, verdict or answer.
fn show_verdict(ui: &mut Ui, frame: &StudyFrame<'_>, session: &GuessSession, question: &Question) {
    let (theme, lang) = (frame.theme, frame.lang);
    let big = |text: &str| RichText::new(text.to_owned()).font(TextWeight::Bold.at(22.0));
    let word = |mv: Move| bar::notation(lang).notate_line(&question.history, &[mv]).concat();
    match session.state() {
        GuessState::Asking => _ = ui.add(Label::new(GuessPhrase::Play.text(lang)).wrap()),
        GuessState::Judging(mv) => {
            ui.label(big(&word(mv)));
            ui.horizontal(|ui| {
                ui.add(Spinner::new().size(16.0));
                ui.label(GuessPhrase::Judging.text(lang));
            });
        }
        GuessState::Right(mv, loss) => {
            ui.label(big(&format!("{}　{}", GuessPhrase::Right.text(lang), word(mv))).color(theme.accent));
            let is_best = session
                .current()
                .is_some_and(|mistake| mistake.better_line.first() == Some(&mv));
            let how = if is_best {
                GuessPhrase::IsBest.text(lang).to_owned()
            } else {
                words::close(loss, lang)
            };
            ui.add(Label::new(how).wrap());
            show_better_line(ui, frame, question, !is_best);
        }
        GuessState::Wrong(mv, loss) => {
            ui.label(big(&word(mv)));
            if session.current().is_some_and(|mistake| mistake.mv == mv) {
                ui.label(GuessPhrase::AsPlayed.text(lang));
            }
            let why = loss.map_or_else(
                || GuessPhrase::Unknown.text(lang).to_owned(),
                |loss| words::loses(loss, lang),
            );
            ui.add(Label::new(RichText::new(why).color(theme.blunder)).wrap());
        }
        GuessState::Shown => show_better_line(ui, frame, question, true),
        GuessState::Finished => {}
    }
}

/// Draws the better line. If `shows_move`, the better move is also drawn in large text.
fn show_better_line(ui: &mut Ui, frame: &StudyFrame<'_>, question: &Question, shows_move: bool) {
    let mut words = question.better_line.iter();
    let first = words.next().cloned().unwrap_or_default();
    if shows_move {
        let heading = GuessPhrase::Answer.text(frame.lang);
        ui.label(RichText::new(heading).size(13.0).color(frame.theme.quiet));
        ui.label(
            RichText::new(first)
                .font(TextWeight::Bold.at(22.0))
                .color(frame.theme.accent),
        );
    }
    let rest = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    ui.add(Label::new(RichText::new(rest).color(frame.theme.quiet)).wrap());
}
