//! From a place in a game and what an engine says of it to the words and shares of the bar.

use super::Ending;
use super::view::{CandidateView, Decided, Notice, SideView, View};
use crate::score::{Model, Situation, Standing, Value, percent};
use crate::session::{Answer, Candidate, Failure, FailureKind, Restart, Shown, Snapshot, State};
use crate::shogi::{Color, History, Marks, Notation, Style};
use crate::text::{Label, Lang, Message, phrase};

/// The candidates that are shown.
const CANDIDATES: usize = 5;
/// The moves of a line that are put into words: more than any screen is wide.
const LINE: usize = 24;

/// What the bar is made of.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The players' names, Black's and White's, where they are known.
    pub players: [Option<&'a str>; 2],
    /// Whether the sides are called 下手 and 上手.
    pub handicap: bool,
    /// The position on view and how it was reached.
    pub history: &'a History,
    /// How many moves of the game were played.
    pub ply: usize,
    /// The last of them, as [`last_word`] says it.
    pub last_word: &'a str,
    /// How the game ended, where it ended here.
    pub ending: Option<Ending>,
    /// What the engine says.
    pub snapshot: &'a Snapshot,
    /// Something from elsewhere that comes before what the engine says.
    pub notice: Option<&'a Notice>,
    /// The language of the screen.
    pub lang: Lang,
}

/// What the bar says of a scene.
pub fn view(scene: &Scene<'_>) -> View {
    let mut view = View {
        black: SideView { name: scene.name(Color::Black), percent: None },
        white: SideView { name: scene.name(Color::White), percent: None },
        to_move: Some(scene.history.now().side_to_move()),
        place: scene.place(),
        ..View::default()
    };
    if let Some(ending) = scene.ending {
        scene.show_ending(&mut view, ending);
    } else {
        if let Some(shown) = &scene.snapshot.shown {
            scene.show_values(&mut view, shown);
        }
        scene.show_answer(&mut view);
    }
    let figures = scene.snapshot.shown.as_ref().filter(|shown| *shown.history == *scene.history);
    let figures = figures.map(|shown| shown.figures).unwrap_or_default();
    view.asked = scene.snapshot.asked;
    view.figures = [
        phrase::depth_and_nodes(figures.depth, figures.seldepth, figures.nodes, scene.lang),
        phrase::speed_and_engine(figures.nps, &scene.snapshot.engine, scene.lang),
    ];
    view.notice = scene.notice(&view);
    view
}

impl Scene<'_> {
    /// What a side is called by its role.
    fn role(&self, color: Color) -> &'static str {
        let label = match (color, self.handicap) {
            (Color::Black, false) => Label::Black,
            (Color::White, false) => Label::White,
            (Color::Black, true) => Label::HandicapTaker,
            (Color::White, true) => Label::HandicapGiver,
        };
        label.text(self.lang)
    }

    fn name(&self, color: Color) -> String {
        let [black, white] = self.players;
        let name = match color {
            Color::Black => black,
            Color::White => white,
        };
        name.map_or_else(|| self.role(color).to_owned(), str::to_owned)
    }

    fn place(&self) -> [String; 3] {
        if self.last_word.is_empty() {
            return [Label::StartPosition.text(self.lang).to_owned(), String::new(), String::new()];
        }
        let [before, after] = phrase::after_move(self.ply, self.lang);
        [before, self.last_word.to_owned(), after]
    }

    fn show_ending(&self, view: &mut View, ending: Ending) {
        let why = ending.why.text(self.lang);
        let (share, text) = match ending.winner {
            Some(winner) => {
                let share = if winner == Color::Black { 1.0 } else { 0.0 };
                (share, format!("{}{}{why}", phrase::wins(self.role(winner), self.lang), self.lang.pick("　", " · ")))
            }
            None => (0.5, why.to_owned()),
        };
        view.to_move = None;
        view.share = Some(share);
        // It stands beside the winner, and most reasons are the loser's: 投了, 時間切れ, 反則.
        let label = match (ending.winner, ending.why) {
            (None, _) | (_, Label::Checkmate) => why,
            (Some(_), _) => Label::Wins.text(self.lang),
        };
        view.decided = Some(Decided { winner: ending.winner, text, label: label.to_owned() });
    }

    fn show_values(&self, view: &mut View, shown: &Shown) {
        let Some(best) = shown.best() else { return };
        let model = self.snapshot.model;
        let win_rate = model.win_rate(best.value);
        let (black, white) = percent(win_rate, best.value.winner().is_some());
        #[expect(clippy::cast_possible_truncation, reason = "a share of the bar needs no more than f32 holds")]
        let share = win_rate as f32;
        view.share = Some(share);
        (view.black.percent, view.white.percent) = (Some(black), Some(white));
        let elsewhere = *shown.history != *self.history;
        view.stale = elsewhere || self.snapshot.outdated;
        if elsewhere {
            // What is greyed is the number alone; moves of another position would be wrong here.
            return;
        }
        view.decided = self.decided(best.value);
        view.evaluation = evaluation(best.value);
        view.situation = self.situation(best.value, model);
        let best_percent = self.percent_of(best.value, shown);
        for candidate in shown.candidates.iter().take(CANDIDATES) {
            let Some(candidate) = self.candidate(candidate, shown, best_percent) else { continue };
            // While a new depth comes in line by line, two ranks may name one move: the better is newer.
            if view.candidates.iter().all(|better| better.word != candidate.word) {
                view.candidates.push(candidate);
            }
        }
    }

    /// What the engine answered of the position on view, once it has.
    fn answer(&self) -> Option<&Answer> {
        self.snapshot.answer.as_ref().filter(|answer| *answer.history == *self.history)
    }

    /// Shows a move that came without a value, as that of a book does.
    fn show_answer(&self, view: &mut View) {
        let best = self.answer().and_then(|answer| answer.best).filter(|_| view.candidates.is_empty());
        let words = best.map(|best| notation(self.lang).words(self.history, &[best])).unwrap_or_default();
        let candidates = words.into_iter().map(|word| CandidateView { rank: 1, word, ..CandidateView::default() });
        view.candidates.extend(candidates);
    }

    fn decided(&self, value: Value) -> Option<Decided> {
        let winner = value.winner()?;
        let role = self.role(winner);
        let (text, label) = match value {
            Value::Mate { plies, .. } => (phrase::mate_in(role, plies, self.lang), Label::Checkmate),
            Value::Won(_) | Value::Cp(_) => (phrase::wins(role, self.lang), Label::Wins),
        };
        Some(Decided { winner: Some(winner), text, label: label.text(self.lang).to_owned() })
    }

    fn situation(&self, value: Value, model: Model) -> String {
        let Some((color, standing)) = Situation::of(value, model).0 else {
            return Label::Even.text(self.lang).to_owned();
        };
        let word = match standing {
            Standing::Promising => Label::Promising,
            Standing::Better => Label::Better,
            Standing::Superior => Label::Superior,
            Standing::Winning => Label::Winning,
            Standing::Won => Label::Wins,
        };
        phrase::stands(self.role(color), word, self.lang)
    }

    /// The win rate of the side to move in whole percent.
    fn percent_of(&self, value: Value, shown: &Shown) -> u8 {
        let (black, white) = percent(self.snapshot.model.win_rate(value), value.winner().is_some());
        match shown.history.now().side_to_move() {
            Color::Black => black,
            Color::White => white,
        }
    }

    fn candidate(&self, candidate: &Candidate, shown: &Shown, best: u8) -> Option<CandidateView> {
        let moves = candidate.pv.get(..candidate.pv.len().min(LINE))?;
        let mut words = notation(self.lang).words(&shown.history, moves).into_iter();
        let word = words.next()?;
        let own = self.percent_of(candidate.value, shown);
        let value = match candidate.value {
            Value::Mate { winner, plies } => {
                phrase::mate_value(winner == shown.history.now().side_to_move(), plies, self.lang)
            }
            Value::Cp(_) | Value::Won(_) => format!("{own}%"),
        };
        Some(CandidateView {
            rank: candidate.rank,
            word,
            value,
            loss: (candidate.rank > 1).then(|| best.saturating_sub(own)),
            line: words.collect::<Vec<_>>().join(" "),
        })
    }

    fn notice(&self, view: &View) -> Option<Notice> {
        let say = |message: &Message| message.text(self.lang);
        if let Some(notice) = self.notice {
            return Some(notice.clone());
        }
        if let State::Failed(failure) = &self.snapshot.state {
            let mut message = failure_message(failure);
            if failure.restarts > 0 {
                message = Message::EngineGivenUp(Box::new(message), failure.restarts);
            }
            return Some(Notice::failure(say(&message), failure.last_lines.clone()));
        }
        let waited = self.snapshot.waited;
        if let State::Restarting(Restart { failure, nth, pause }) = &self.snapshot.state {
            let why = Box::new(failure_message(failure));
            let message = match pause {
                Some(pause) => Message::EngineStartsAgain(why, *pause, *nth),
                None => Message::EngineStartedAgain(why, waited),
            };
            // It is awaited, but what it said last may tell the user why it went.
            return Some(Notice { text: say(&message), details: failure.last_lines.clone(), failure: false });
        }
        if self.snapshot.state == State::Silent {
            return Some(Notice::new(say(&Message::EngineSilent(waited))));
        }
        if view.to_move.is_none() || !view.candidates.is_empty() {
            return None;
        }
        let text = match &self.snapshot.state {
            State::Starting => say(&Message::EngineStarting(waited)),
            State::Preparing => say(&Message::EnginePreparing(waited)),
            State::Paused => say(&Message::EnginePaused),
            State::Unsearchable(why) => {
                return Some(Notice::failure(say(&Message::PositionUnsearchable(*why)), Vec::new()));
            }
            _ if view.decided.is_some() => return None,
            State::Idle if self.answer().is_some() => {
                // It is done, and what it said has no move in it.
                let spoke = view.share.is_some() && !view.stale;
                return (!spoke).then(|| Notice::new(say(&Message::EngineGaveNoMove)));
            }
            _ => Label::Reading.text(self.lang).to_owned(),
        };
        Some(Notice::new(text))
    }
}

/// The last move of a game in words, with its side mark; empty at the start. The game is played
/// through for it, so this is for when the position changes, not for every frame.
pub fn last_word(history: &History, lang: Lang) -> String {
    let Some((last, before)) = history.moves().split_last() else { return String::new() };
    let mut earlier = History::new(history.start().clone());
    let replayed = before.iter().all(|mv| earlier.play(*mv).is_ok());
    let words = if replayed { notation(lang).words(&earlier, &[*last]) } else { Vec::new() };
    words.into_iter().next().unwrap_or_default()
}

/// How the bar says moves: with ▲△ in Japanese, as Western players write in English.
fn notation(lang: Lang) -> Notation {
    match lang {
        Lang::Ja => Notation { marks: Marks::Triangle, ..Notation::default() },
        Lang::En => Notation::new(Style::Hodges),
    }
}

fn evaluation(value: Value) -> String {
    match value {
        Value::Cp(cp) => format!("{cp:+}").replace('-', "−"),
        Value::Won(_) | Value::Mate { .. } => String::new(),
    }
}

fn failure_message(failure: &Failure) -> Message {
    match &failure.kind {
        FailureKind::NotFound(path) => Message::EngineNotFound(path.clone()),
        FailureKind::NotAProgram(path) => Message::EngineNotAProgram(path.clone()),
        FailureKind::NotStarted(path, why) => Message::EngineNotStarted(path.clone(), why.clone()),
        FailureKind::EndedAtOnce(exit) => Message::EngineEndedAtOnce(*exit),
        FailureKind::NoUsiOk(seconds) => Message::EngineNoUsiOk(*seconds),
        FailureKind::NotUsi => Message::EngineNotUsi,
        FailureKind::NoReadyOk(seconds) => Message::EngineNoReadyOk(*seconds),
        FailureKind::NoStop => Message::EngineNoStop,
        FailureKind::NotReading => Message::EngineNotReading,
        FailureKind::Crashed(exit) => Message::EngineCrashed(*exit),
    }
}
