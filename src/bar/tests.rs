//! What the bar says of a scene.

use super::{Ending, Scene, View, last_word, view};
use crate::score::{Model, Value};
use crate::session::{Answer, Candidate, Failure, FailureKind, Figures, Shown, Snapshot, State};
use crate::shogi::{Color, History, Move};
use crate::text::{Label, Lang, Message};
use std::sync::Arc;

fn candidate(rank: u32, value: Value, pv: &str) -> Candidate {
    let pv = pv.split(' ').filter_map(Move::from_usi).collect();
    Candidate { rank, value, bound: None, depth: Some(12), pv }
}

fn snapshot(history: &History, candidates: Vec<Candidate>) -> Snapshot {
    let figures = Figures { depth: Some(12), seldepth: Some(20), nodes: Some(1_234_567), ..Figures::default() };
    let shown = Shown { history: Arc::new(history.clone()), candidates, figures };
    Snapshot { engine: "Zebra".to_owned(), state: State::Thinking, shown: Some(shown), ..Snapshot::default() }
}

fn show(history: &History, snapshot: &Snapshot, lang: Lang) -> View {
    view(&scene(history, &last_word(history, lang), snapshot, lang))
}

fn scene<'a>(history: &'a History, last_word: &'a str, snapshot: &'a Snapshot, lang: Lang) -> Scene<'a> {
    Scene {
        players: [Some("甲"), None],
        handicap: false,
        history,
        ply: history.moves().len(),
        last_word,
        ending: Ending::on_board(history),
        snapshot,
        notice: None,
        lang,
    }
}

fn game(moves: &str) -> History {
    History::from_usi(&format!("startpos moves {moves}")).unwrap()
}

#[test]
fn black_to_move() {
    let history = game("7g7f 3c3d");
    let candidates = vec![
        candidate(1, Value::Cp(320), "8h2b+ 3a2b"),
        candidate(2, Value::Cp(80), "2g2f 8c8d"),
        candidate(3, Value::Cp(-500), ""),
    ];
    let view = show(&history, &snapshot(&history, candidates), Lang::Ja);
    assert_eq!((view.black.name.as_str(), view.white.name.as_str()), ("甲", "後手"));
    assert_eq!((view.black.percent, view.white.percent), (Some(63), Some(37)));
    assert_eq!((view.evaluation.as_str(), view.situation.as_str()), ("+320", "先手有望"));
    assert_eq!(view.place, ["2手目", "△３四歩", "まで"]);
    assert_eq!(view.figures[0], "深さ12/20　1.2M局面");
    // A line without a move has nothing to say.
    let [best, second] = view.candidates.as_slice() else { panic!("{:?}", view.candidates) };
    assert_eq!((best.word.as_str(), best.value.as_str(), best.loss), ("▲２二角成", "63%", None));
    assert_eq!(best.line, "△同　銀");
    assert_eq!((second.word.as_str(), second.value.as_str(), second.loss), ("▲２六歩", "53%", Some(10)));
    assert_eq!(view.to_move, Some(Color::Black));
    assert_eq!(view.notice, None);
}

#[test]
fn white_to_move_sees_its_own_rate_beside_its_moves() {
    let history = game("7g7f");
    let view = show(&history, &snapshot(&history, vec![candidate(1, Value::Cp(320), "3c3d")]), Lang::En);
    assert_eq!((view.black.percent, view.white.percent), (Some(63), Some(37)));
    assert_eq!(view.candidates[0].value, "37%");
    assert_eq!(view.candidates[0].word, "P-3d");
}

#[test]
fn a_value_of_another_position_is_grey_and_alone() {
    let (before, now) = (game("7g7f"), game("7g7f 3c3d"));
    let view = show(&now, &snapshot(&before, vec![candidate(1, Value::Cp(320), "3c3d")]), Lang::Ja);
    assert!(view.stale, "{view:?}");
    assert_eq!(view.black.percent, Some(63));
    assert!(view.candidates.is_empty() && view.evaluation.is_empty() && view.figures[0].is_empty(), "{view:?}");
    assert_eq!(view.notice.map(|notice| (notice.text, notice.failure)), Some(("読み中…".to_owned(), false)));
}

#[test]
fn a_mate_fills_the_bar() {
    let history = game("7g7f 3c3d");
    let check = |value, share, text: &str, candidate_value: &str| {
        let view = show(&history, &snapshot(&history, vec![candidate(1, value, "8h2b+")]), Lang::Ja);
        assert_eq!(view.share, Some(share), "{value:?}");
        assert_eq!(view.decided.map(|decided| decided.text).as_deref(), Some(text), "{value:?}");
        assert_eq!(view.candidates[0].value, candidate_value, "{value:?}");
    };
    check(Value::Mate { winner: Color::Black, plies: Some(7) }, 1.0, "先手勝ち　詰みまで 7手", "詰み 7手");
    check(Value::Mate { winner: Color::White, plies: None }, 0.0, "後手勝ち　詰みあり", "被詰み");
    check(Value::Won(Color::Black), 1.0, "先手勝ち", "100%");
}

#[test]
fn a_mate_on_the_board_is_the_end() {
    let history = History::from_usi("sfen 8k/6+P2/8P/9/9/9/9/9/K8 b G 1 moves G*1b").unwrap();
    assert!(history.now().is_mate(), "{}", history.now().sfen());
    let view = show(&history, &Snapshot::default(), Lang::Ja);
    assert_eq!(
        view.decided.map(|decided| (decided.winner, decided.text)),
        Some((Some(Color::Black), "先手勝ち　詰み".to_owned()))
    );
    assert_eq!((view.to_move, view.notice), (None, None));
}

#[test]
fn a_fourth_repetition_is_the_end() {
    let history = game(&["2h3h 8b7b 3h2h 7b8b"; 3].join(" "));
    assert_eq!(Ending::on_board(&history), Some(Ending { winner: None, why: Label::Repetition }));
}

#[test]
fn what_is_wrong_is_said() {
    let history = game("7g7f");
    let failure = Failure { kind: FailureKind::NotUsi, last_lines: vec!["y".to_owned()], restarts: 0 };
    let failed = Snapshot { state: State::Failed(failure), ..Snapshot::default() };
    let notice = show(&history, &failed, Lang::En).notice.unwrap();
    assert_eq!((notice.text, notice.failure), (Message::EngineNotUsi.text(Lang::En), true));
    assert_eq!(notice.details, ["y"]);
    let starting = show(&history, &Snapshot::default(), Lang::En).notice.unwrap();
    assert_eq!((starting.text, starting.failure), (Message::EngineStarting(0).text(Lang::En), false));
}

#[test]
fn the_scale_decides_the_rate_and_the_word() {
    let history = game("7g7f");
    let wide = Snapshot { model: Model::new(1200.0), ..snapshot(&history, vec![candidate(1, Value::Cp(320), "3c3d")]) };
    let view = show(&history, &wide, Lang::Ja);
    assert_eq!((view.black.percent, view.situation.as_str()), (Some(57), "互角"));
}

#[test]
fn one_move_is_one_candidate() {
    let history = game("7g7f");
    let lines = vec![candidate(1, Value::Cp(-30), "3c3d"), candidate(2, Value::Cp(-20), "3c3d 2g2f")];
    let view = show(&history, &snapshot(&history, lines), Lang::Ja);
    assert_eq!(view.candidates.len(), 1, "{:?}", view.candidates);
}

#[test]
fn an_engine_that_is_done_is_not_awaited() {
    let history = game("7g7f");
    let check = |snapshot: Snapshot, best: Option<&str>, words: &[&str], expect: Option<Message>| {
        let answer = Answer { history: Arc::new(history.clone()), best: best.and_then(Move::from_usi) };
        let done = Snapshot { state: State::Idle, answer: Some(answer), ..snapshot };
        let view = show(&history, &done, Lang::En);
        assert_eq!(view.notice.map(|notice| notice.text), expect.map(|message| message.text(Lang::En)), "{done:?}");
        assert_eq!(view.candidates.iter().map(|c| c.word.as_str()).collect::<Vec<_>>(), words, "{done:?}");
    };
    check(Snapshot::default(), None, &[], Some(Message::EngineGaveNoMove));
    check(Snapshot::default(), Some("3c3d"), &["P-3d"], None);
    check(snapshot(&history, vec![candidate(1, Value::Cp(120), "")]), None, &[], None);
}

#[test]
fn an_end_stands_beside_the_winner() {
    let history = game("7g7f");
    let ending = Ending { winner: Some(Color::White), why: Label::Resignation };
    let snapshot = Snapshot::default();
    let scene = Scene { ending: Some(ending), ..scene(&history, "", &snapshot, Lang::Ja) };
    let decided = view(&scene).decided.unwrap();
    assert_eq!((decided.text.as_str(), decided.label.as_str()), ("後手勝ち　投了", "勝ち"));
}
