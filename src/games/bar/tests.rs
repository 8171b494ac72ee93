//! Tests of the contents of the bar.

use super::{
    BarInput, BarView, CandidateView, Ending, EngineReport, EngineSignal, FollowMode, LastLoss, OnlyMove,
    last_word,
};
use crate::{EngineMessage, Label};
use shogibar_base::Lang;
use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::options::{RejectReason, RejectedOption};
use shogibar_engine::process::StartError;
use shogibar_engine::session::{EngineFailure, EngineState, FailureKind, Restart, SearchResult, Snapshot};
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Color, History, Move};
use std::sync::Arc;

fn candidate(rank: u32, value: Value, pv: &str) -> Candidate {
    let pv = pv.split(' ').filter_map(Move::from_usi).collect();
    Candidate {
        rank,
        value,
        bound: None,
        depth: Some(12),
        pv,
    }
}

fn snapshot(history: &History, candidates: Vec<Candidate>) -> Snapshot {
    let figures = SearchStats {
        depth: Some(12),
        seldepth: Some(20),
        nodes: Some(1_234_567),
        ..SearchStats::default()
    };
    let shown = SearchInfo::new(Arc::new(history.clone()), candidates, figures);
    Snapshot {
        engine: "Zebra".to_owned(),
        state: EngineState::Thinking,
        search_info: Some(shown),
        ..Snapshot::default()
    }
}

fn show(history: &History, snapshot: &Snapshot, lang: Lang) -> BarView {
    let last_words = Lang::ALL.map(|lang| last_word(history, lang));
    BarInput {
        last_words,
        ..input(history, &[snapshot.clone().into()])
    }
    .view(None, lang)
}

fn view_of_engines<const N: usize>(
    history: &History,
    snapshots: [Snapshot; N],
    follow: FollowMode,
) -> BarView {
    BarInput {
        follow,
        ..input(history, &snapshots.map(EngineReport::from))
    }
    .view(None, Lang::Ja)
}

fn input(history: &History, engines: &[EngineReport]) -> BarInput {
    BarInput {
        players: [Some("甲".to_owned()), None],
        history: Arc::new(history.clone()),
        ending: Ending::from_position(history),
        engines: engines.to_vec(),
        ..BarInput::default()
    }
}

fn game(moves: &str) -> History {
    History::from_usi(&format!("startpos moves {moves}")).unwrap()
}

#[test]
fn shows_the_view_for_black_to_move() {
    let history = game("7g7f 3c3d");
    let candidates = vec![
        candidate(1, Value::Cp(320), "8h2b+ 3a2b"),
        candidate(2, Value::Cp(80), "2g2f 8c8d"),
        candidate(3, Value::Cp(-500), ""),
    ];
    let view = show(&history, &snapshot(&history, candidates), Lang::Ja);
    assert_eq!(
        (view.black.name.as_str(), view.white.name.as_str()),
        ("甲", "後手")
    );
    assert_eq!((view.black.percent, view.white.percent), (Some(63), Some(37)));
    assert_eq!(
        (view.evaluation.as_str(), view.advantage.as_str()),
        ("+320", "先手やや有利")
    );
    assert_eq!(view.position_text, ["2手目", "△3四歩", "まで"]);
    assert_eq!(view.lead().stats[0], "深さ12/20　123万ノード");
    // A candidate without moves is not shown.
    let [best, second] = view.lead().candidates.as_slice() else {
        panic!("{:?}", view.lead().candidates)
    };
    assert_eq!(
        (best.word.as_str(), best.value(), best.loss),
        ("▲2二角成", "63%", None)
    );
    assert_eq!(best.line, "△同　銀");
    assert_eq!(
        (second.word.as_str(), second.value(), second.loss),
        ("▲2六歩", "53%", Some(10))
    );
    assert_eq!(view.to_move, Some(Color::Black));
    assert_eq!(view.notice(), None);
}

#[test]
fn candidates_show_the_win_rate_of_white_to_move() {
    let history = game("7g7f");
    let view = show(
        &history,
        &snapshot(&history, vec![candidate(1, Value::Cp(320), "3c3d")]),
        Lang::En,
    );
    assert_eq!((view.black.percent, view.white.percent), (Some(63), Some(37)));
    assert_eq!(view.lead().candidates[0].value(), "37%");
    assert_eq!(view.lead().candidates[0].word, "P-3d");
}

#[test]
fn values_of_another_position_stay_and_cannot_be_played() {
    let (before, now) = (game("7g7f"), game("7g7f 3c3d"));
    let view = show(
        &now,
        &snapshot(&before, vec![candidate(1, Value::Cp(320), "3c3d")]),
        Lang::Ja,
    );
    assert!(view.is_stale && view.lead().is_elsewhere, "{view:?}");
    assert_eq!(view.black.percent, Some(63));
    assert_eq!(
        (
            view.lead().candidates[0].word.as_str(),
            view.lead().candidates[0].moves.len()
        ),
        ("△3四歩", 0)
    );
    assert!(
        view.evaluation.is_empty() && view.lead().stats[0].is_empty(),
        "{view:?}"
    );
    assert_eq!(
        (view.notice(), view.lead().status.as_str()),
        (None, "考えています…")
    );
}

#[test]
fn the_last_move_shows_the_loss() {
    let history = game("7g7f 3c3d");
    let check = |last_loss: Option<LastLoss>, expect| {
        let engines = [EngineReport::from(snapshot(
            &history,
            vec![candidate(1, Value::Cp(320), "8h2b+")],
        ))];
        let view = BarInput {
            last_loss,
            ..input(&history, &engines)
        }
        .view(None, Lang::Ja);
        assert_eq!((view.last_loss, view.is_loss_judged), expect);
    };
    check(
        Some(LastLoss {
            points: 13,
            is_judged: false,
        }),
        (Some(13), false),
    );
    check(
        Some(LastLoss {
            points: 5,
            is_judged: true,
        }),
        (Some(5), true),
    );
    check(
        Some(LastLoss {
            points: 4,
            is_judged: true,
        }),
        (None, true),
    );
    check(None, (None, false));
}

#[test]
fn a_search_that_has_begun_is_shallow() {
    let history = game("7g7f");
    let check_of = |multipv, depth, time, expected: (bool, bool)| {
        let mut snapshot = snapshot(&history, vec![candidate(1, Value::Cp(320), "3c3d")]);
        snapshot.state = EngineState::Thinking;
        snapshot.multipv = multipv;
        if let Some(info) = &mut snapshot.search_info {
            (info.stats.depth, info.stats.time) = (depth, time);
        }
        let view = show(&history, &snapshot, Lang::Ja);
        let lead = view.lead();
        assert_eq!(
            (view.is_shallow, lead.is_incomplete),
            expected,
            "{depth:?} {time:?}"
        );
    };
    let check = |depth, time, is_shallow| check_of(1, depth, time, (is_shallow, false));
    check(Some(5), Some(20), true);
    check(Some(6), Some(20), false);
    check(Some(12), Some(20), false);
    check(Some(3), Some(600), false);
    check_of(3, Some(3), Some(20), (true, true));
    check_of(3, Some(3), Some(600), (false, true));
    check_of(3, Some(12), Some(600), (false, false));
    check_of(3, Some(3), Some(2_000), (false, false));
    check(Some(3), None, false);
    check(None, Some(20), false);
}

#[test]
fn mate_fills_the_bar() {
    let history = game("7g7f 3c3d");
    let check = |value, share, text: &str, candidate_value: &str| {
        let view = show(
            &history,
            &snapshot(&history, vec![candidate(1, value, "8h2b+")]),
            Lang::Ja,
        );
        assert_eq!(view.share, Some(share), "{value:?}");
        assert_eq!(view.lead().candidates[0].value(), candidate_value, "{value:?}");
        assert_eq!(
            view.decided_win.map(|decided| decided.text).as_deref(),
            Some(text),
            "{value:?}"
        );
    };
    check(
        Value::Mate {
            winner: Color::Black,
            plies: Some(7),
        },
        1.0,
        "先手の勝ち筋　あと7手で詰み",
        "詰み（7手）",
    );
    check(
        Value::Mate {
            winner: Color::White,
            plies: None,
        },
        0.0,
        "後手の勝ち筋　詰みあり",
        "詰まされる",
    );
    check(Value::Won(Color::Black), 1.0, "先手の勝ち", "100%");
}

#[test]
fn mate_on_the_board_ends_the_game() {
    let history = History::from_usi("sfen 8k/6+P2/8P/9/9/9/9/9/K8 b G 1 moves G*1b").unwrap();
    assert!(history.now().is_mate(), "{}", history.now().sfen());
    let view = show(&history, &Snapshot::default(), Lang::Ja);
    assert_eq!((view.to_move, view.notice()), (None, None));
    assert_eq!(
        view.decided_win.map(|decided| (decided.winner, decided.text)),
        Some((Some(Color::Black), "まで1手で先手の勝ち".to_owned()))
    );
}

#[test]
fn fourth_repetition_ends_the_game() {
    let history = game(&["2h3h 8b7b 3h2h 7b8b"; 3].join(" "));
    assert_eq!(
        Ending::from_position(&history),
        Some(Ending {
            winner: None,
            reason: Label::Repetition
        })
    );
}

#[test]
fn shows_failures_and_pending_states() {
    let history = game("7g7f");
    let failure = EngineFailure {
        kind: FailureKind::NotUsi,
        last_lines: vec!["y".to_owned()],
        restart_count: 0,
    };
    let failed = Snapshot {
        state: EngineState::Failed(failure),
        ..Snapshot::default()
    };
    let view = show(&history, &failed, Lang::En);
    let notice = view.notice().unwrap();
    assert_eq!(
        (notice.full(), notice.is_failure),
        (
            EngineMessage::Failed(FailureKind::NotUsi).text(Lang::En).as_str(),
            true
        )
    );
    assert_eq!(notice.details, ["y"]);
    assert_eq!(view.failures(), [notice]);
    let view = show(&history, &Snapshot::default(), Lang::En);
    let starting = view.notice().unwrap();
    assert_eq!(
        (starting.text.as_str(), starting.is_failure),
        (EngineMessage::Starting(0).text(Lang::En).as_str(), false)
    );
}

#[test]
fn model_determines_win_rate_and_advantage() {
    let history = game("7g7f");
    let wide = Snapshot {
        model: WinRateModel::new(1200.0),
        ..snapshot(&history, vec![candidate(1, Value::Cp(320), "3c3d")])
    };
    let view = show(&history, &wide, Lang::Ja);
    assert_eq!((view.black.percent, view.advantage.as_str()), (Some(57), "互角"));
}

#[test]
fn a_move_at_two_ranks_is_one_row_and_hides_no_other() {
    let history = game("7g7f");
    let view_of = |values: &[(i32, &str)]| {
        let lines = (1..)
            .zip(values)
            .map(|(rank, (cp, mv))| candidate(rank, Value::Cp(*cp), mv));
        let view = show(&history, &snapshot(&history, lines.collect()), Lang::Ja);
        let row = |row: &CandidateView| (row.rank, row.moves[0].to_string(), row.loss);
        view.lead().candidates.iter().map(row).collect::<Vec<_>>()
    };
    let row = |rank, mv: &str, loss| (rank, mv.to_owned(), loss);
    let rows = view_of(&[(-30, "3c3d"), (-20, "3c3d 2g2f")]);
    assert_eq!(rows, [row(1, "3c3d", None)]);
    // All rows of the bar are used, and each loss is that of its own move.
    let twice = [
        (0, "3c3d"),
        (0, "3c3d"),
        (100, "8c8d"),
        (110, "8c8d"),
        (150, "4c4d"),
        (200, "5c5d"),
        (250, "1c1d"),
    ];
    let rows = view_of(&twice);
    let words: Vec<_> = rows.iter().map(|(rank, mv, _)| format!("{rank} {mv}")).collect();
    assert_eq!(words, ["1 3c3d", "2 8c8d", "3 4c4d", "4 5c5d", "5 1c1d"]);
    assert!(rows.is_sorted_by_key(|(.., loss)| *loss), "{rows:?}");
}

#[test]
fn the_only_move_has_a_chip_beside_the_best_move() {
    let history = game("7g7f");
    let chip = |values: &[(i32, &str)], best: &str| {
        let lines: Vec<_> = (1..)
            .zip(values)
            .map(|(rank, (cp, mv))| candidate(rank, Value::Cp(*cp), mv))
            .collect();
        let info = snapshot(&history, lines.clone()).search_info.unwrap();
        let only_move = OnlyMove::find(&info, WinRateModel::default());
        let mut shown = snapshot(&history, lines);
        shown
            .search_info
            .as_mut()
            .unwrap()
            .candidates
            .retain(|candidate| candidate.pv[0].to_string() == best);
        let input = BarInput {
            only_move,
            ..input(&history, &[shown.into()])
        };
        [Lang::Ja, Lang::En].map(|lang| input.view(None, lang).reason.only_move)
    };
    let ahead = [(-300, "3c3d"), (100, "8c8d")];
    assert_eq!(
        chip(&ahead, "3c3d"),
        ["この一手　次点−16%", "Only move · next −16%"]
    );
    assert_eq!(
        chip(&ahead, "8c8d"),
        ["", ""],
        "another move is shown as the best"
    );
    // The second line of the best move is no other move that holds.
    assert_eq!(
        chip(&[(-300, "3c3d"), (-290, "3c3d"), (100, "8c8d")], "3c3d")[0],
        "この一手　次点−16%"
    );
    assert_eq!(
        chip(&[(-300, "3c3d"), (-290, "3c3d")], "3c3d")[0],
        "",
        "one move is no choice"
    );
    assert_eq!(
        chip(&[(-300, "3c3d"), (-290, "3c3d"), (-280, "8c8d")], "3c3d")[0],
        ""
    );
}

#[test]
fn values_never_contradict_the_ranks() {
    let history = game("7g7f 3c3d");
    let mate = |winner, plies| Value::Mate {
        winner,
        plies: Some(plies),
    };
    let check = |first: (Value, u32), second: (Value, u32), expect: [(&str, Option<u8>); 2]| {
        let with_depth = |rank, (value, depth), pv| Candidate {
            depth: Some(depth),
            ..candidate(rank, value, pv)
        };
        let view = show(
            &history,
            &snapshot(
                &history,
                vec![with_depth(1, first, "2g2f"), with_depth(2, second, "6g6f")],
            ),
            Lang::Ja,
        );
        let rows: Vec<_> = view
            .lead()
            .candidates
            .iter()
            .map(|row| (row.value(), row.loss))
            .collect();
        assert_eq!(rows, expect, "{first:?} {second:?}");
    };
    check(
        (Value::Cp(50), 9),
        (Value::Cp(20), 9),
        [("52%", None), ("51%", Some(1))],
    );
    // A value of a smaller depth is bounded by the value of the best move.
    check(
        (Value::Cp(50), 9),
        (Value::Cp(90), 8),
        [("52%", None), ("52%", Some(0))],
    );
    check(
        (Value::Cp(50), 9),
        (mate(Color::Black, 7), 8),
        [("52%", None), ("52%", Some(0))],
    );
    // Values of one depth are shown as they are.
    check(
        (mate(Color::White, 12), 9),
        (Value::Cp(270), 9),
        [("詰まされる（12手）", None), ("61%", None)],
    );
}

#[test]
fn shows_the_result_of_an_idle_engine() {
    let history = game("7g7f");
    let check = |snapshot: Snapshot, best: Option<&str>, words: &[&str], expect: Option<EngineMessage>| {
        let answer = SearchResult {
            history: Arc::new(history.clone()),
            best_move: best.and_then(Move::from_usi).into(),
        };
        let done = Snapshot {
            state: EngineState::Idle,
            result: Some(answer),
            ..snapshot
        };
        let view = show(&history, &done, Lang::En);
        let text = view.notice().map(|notice| notice.text.clone());
        assert_eq!(text, expect.map(|message| message.text(Lang::En)), "{done:?}");
        assert_eq!(
            view.lead()
                .candidates
                .iter()
                .map(|c| c.word.as_str())
                .collect::<Vec<_>>(),
            words,
            "{done:?}"
        );
    };
    check(Snapshot::default(), None, &[], Some(EngineMessage::NoMove));
    check(Snapshot::default(), Some("3c3d"), &["P-3d"], None);
    check(
        snapshot(&history, vec![candidate(1, Value::Cp(120), "")]),
        None,
        &[],
        None,
    );
}

#[test]
fn shows_the_end_with_the_winner() {
    let history = game("7g7f");
    let ending = Ending {
        winner: Some(Color::White),
        reason: Label::Resignation,
    };
    let input = BarInput {
        ending: Some(ending),
        ..input(&history, &[])
    };
    let decided = input.view(None, Lang::Ja).decided_win.unwrap();
    assert_eq!(
        (decided.text.as_str(), decided.label.as_str()),
        ("まで1手で後手の勝ち", "勝ち")
    );
}

fn failed() -> Snapshot {
    let failure = EngineFailure {
        kind: FailureKind::NotUsi,
        last_lines: Vec::new(),
        restart_count: 0,
    };
    Snapshot {
        state: EngineState::Failed(failure),
        ..Snapshot::default()
    }
}

#[test]
fn follows_the_chosen_engine() {
    let history = game("7g7f 3c3d");
    let one = || snapshot(&history, vec![candidate(1, Value::Cp(320), "2g2f")]);
    let other = || snapshot(&history, vec![candidate(1, Value::Cp(-700), "6g6f")]);
    let check = |follow, percent, evaluation: &str, word: &str, followed: [bool; 2]| {
        let view = view_of_engines(&history, [one(), other()], follow);
        assert_eq!(
            (view.black.percent, view.evaluation.as_str()),
            (Some(percent), evaluation),
            "{follow:?}"
        );
        assert_eq!(view.lead().candidates[0].word, word, "{follow:?}");
        assert_eq!(
            [&view.engines[0], &view.engines[1]].map(|engine| engine.is_followed),
            followed,
            "{follow:?}"
        );
        // Each engine shows its own values, whether the bar follows it or not.
        assert_eq!(
            [0, 1].map(|engine: usize| view.engines[engine].percent),
            [Some(63), Some(24)],
            "{follow:?}"
        );
        assert_eq!(
            [0, 1].map(|engine: usize| view.engines[engine].evaluation.clone()),
            ["+320", "−700"]
        );
    };
    check(FollowMode::One(0), 63, "+320", "▲2六歩", [true, false]);
    check(FollowMode::One(1), 24, "−700", "▲6六歩", [false, true]);
    // (63.0 + 23.7) / 2; the centipawns of two engines have different scales.
    check(FollowMode::Mean, 43, "", "▲2六歩", [true, true]);
}

#[test]
fn the_other_engine_has_a_rate_for_a_second_mark() {
    let (before, now) = (game("7g7f"), game("7g7f 3c3d"));
    let of = |history: &History, cp| snapshot(history, vec![candidate(1, Value::Cp(cp), "2g2f")]);
    let mate = || {
        snapshot(
            &now,
            vec![candidate(
                1,
                Value::Mate {
                    winner: Color::Black,
                    plies: Some(7),
                },
                "2g2f",
            )],
        )
    };
    let rate = |engines, follow| {
        view_of_engines(&now, engines, follow)
            .other_rate
            .map(|rate| (rate.engine, rate.percent))
    };
    assert_eq!(
        rate([of(&now, 320), of(&now, -700)], FollowMode::One(0)),
        Some((1, 24))
    );
    assert_eq!(
        rate([of(&now, 320), of(&now, -700)], FollowMode::One(1)),
        Some((0, 63))
    );
    assert_eq!(
        rate([of(&now, 320), of(&now, -700)], FollowMode::Mean),
        None,
        "the bar follows both"
    );
    // Values of another position have no mark, and nothing is marked beside them.
    assert_eq!(rate([of(&now, 320), of(&before, -700)], FollowMode::One(0)), None);
    assert_eq!(rate([of(&before, 320), of(&now, -700)], FollowMode::One(0)), None);
    assert_eq!(rate([of(&now, 320), failed()], FollowMode::One(0)), None);
    // A sentence fills the bar.
    assert_eq!(rate([mate(), of(&now, -700)], FollowMode::One(0)), None);
    assert_eq!(rate([of(&now, -700), mate()], FollowMode::One(0)), Some((1, 100)));
    let hidden = view_of_engines(&now, [of(&now, 320), of(&now, -700)], FollowMode::One(0)).hidden(Lang::Ja);
    assert_eq!(hidden.other_rate, None);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn mean_uses_only_current_values() {
    let (before, now) = (game("7g7f"), game("7g7f 3c3d"));
    let current = |history: &History, value| snapshot(history, vec![candidate(1, value, "")]);
    let ended = |history: &History, value| Snapshot {
        is_from_old_process: true,
        ..current(history, value)
    };
    let begun = |history: &History, value| {
        let mut snapshot = current(history, value);
        if let Some(info) = &mut snapshot.search_info {
            (info.stats.depth, info.stats.time) = (Some(3), Some(20));
        }
        snapshot
    };
    let mate = |winner, plies| Value::Mate {
        winner,
        plies: Some(plies),
    };
    let check = |engines: [Snapshot; 2], percent: Option<u8>, stale: bool, text: &str| {
        let context = format!("{engines:?}");
        let view = view_of_engines(&now, engines, FollowMode::Mean);
        assert_eq!((view.black.percent, view.is_stale), (percent, stale), "{context}");
        let decided = view.decided_win.map(|decided| decided.text).unwrap_or_default();
        assert_eq!(
            [view.evaluation, view.advantage, decided].concat(),
            text,
            "{context}"
        );
    };
    let (ahead, behind) = (Value::Cp(1000), Value::Cp(-200));
    check(
        [current(&now, ahead), current(&now, behind)],
        Some(63),
        false,
        "平均 先手やや有利",
    );
    check(
        [current(&now, Value::Cp(50)), current(&now, Value::Cp(-50))],
        Some(50),
        false,
        "平均 互角",
    );
    // An old value, a failed engine or one without a value does not count beside a current one.
    check(
        [current(&now, ahead), current(&before, behind)],
        Some(84),
        false,
        "+1000先手優勢",
    );
    check(
        [current(&before, ahead), current(&now, behind)],
        Some(42),
        false,
        "−200後手やや有利",
    );
    // The values of an engine whose process has ended still count, so that the mean does not swing.
    check(
        [current(&now, ahead), ended(&now, behind)],
        Some(63),
        false,
        "平均 先手やや有利",
    );
    check(
        [ended(&now, ahead), ended(&now, behind)],
        Some(63),
        true,
        "平均 先手やや有利",
    );
    // A search that has only begun does not count beside a deeper one.
    check(
        [current(&now, ahead), begun(&now, behind)],
        Some(84),
        false,
        "+1000先手優勢",
    );
    check(
        [begun(&now, ahead), begun(&now, behind)],
        Some(63),
        false,
        "平均 先手やや有利",
    );
    check(
        [failed(), current(&now, behind)],
        Some(42),
        false,
        "−200後手やや有利",
    );
    check([Snapshot::default(), Snapshot::default()], None, false, "");
    // If all values are old, their mean counts. Values of different positions have no mean.
    check(
        [current(&before, ahead), current(&before, behind)],
        Some(63),
        true,
        "",
    );
    check(
        [current(&game(""), ahead), current(&before, behind)],
        Some(42),
        true,
        "",
    );
    check(
        [ended(&now, ahead), current(&before, behind)],
        Some(84),
        true,
        "+1000先手優勢",
    );
    // A mate counts as a certain win. It fills the bar if all engines agree.
    check(
        [current(&now, mate(Color::Black, 7)), current(&now, Value::Cp(0))],
        Some(75),
        false,
        "平均 先手優勢",
    );
    check(
        [
            current(&now, mate(Color::Black, 7)),
            current(&now, mate(Color::White, 2)),
        ],
        Some(50),
        false,
        "平均 互角",
    );
    let both = [
        current(&now, mate(Color::Black, 9)),
        current(&now, mate(Color::Black, 7)),
    ];
    check(both, Some(100), false, "平均 先手勝ち先手の勝ち筋　あと7手で詰み");
    let both = [
        current(&now, Value::Won(Color::White)),
        current(&now, mate(Color::White, 4)),
    ];
    check(both, Some(0), false, "平均 後手勝ち後手の勝ち筋　あと4手で詰み");
    // A win rate below 100 % is not shown as 100 %.
    let both = [
        current(&now, mate(Color::Black, 7)),
        current(&now, Value::Cp(20_000)),
    ];
    check(both, Some(99), false, "平均 先手勝勢");
}

#[test]
fn an_engine_that_has_ended_keeps_its_rows() {
    let history = game("7g7f");
    let failure = EngineFailure {
        kind: FailureKind::Crashed(None),
        last_lines: Vec::new(),
        restart_count: 0,
    };
    let restart = Restart {
        failure: failure.clone(),
        number: 1,
        pause: None,
    };
    for state in [EngineState::Restarting(restart), EngineState::Failed(failure)] {
        let first = snapshot(&history, vec![candidate(1, Value::Cp(320), "3c3d")]);
        let view = show(
            &history,
            &Snapshot {
                state,
                is_from_old_process: true,
                ..first
            },
            Lang::Ja,
        );
        let lead = view.lead();
        assert!(
            view.is_stale && lead.is_stale && lead.notice.is_some(),
            "{view:?}"
        );
        assert_eq!((lead.candidates.len(), view.black.percent), (1, Some(63)));
    }
}

#[test]
fn shows_the_failure_of_each_engine() {
    let history = game("7g7f");
    let working = snapshot(&history, vec![candidate(1, Value::Cp(320), "3c3d")]);
    let view = view_of_engines(&history, [failed(), working], FollowMode::One(1));
    assert!(
        view.engines[0]
            .notice
            .as_ref()
            .is_some_and(|notice| notice.is_failure),
        "{view:?}"
    );
    assert_eq!((view.notice(), view.black.percent), (None, Some(63)));
    assert!(view.failures().is_empty(), "the other goes on");
    let view = view_of_engines(&history, [failed(), failed()], FollowMode::Mean);
    assert_eq!(view.failures().len(), 2, "there is nothing to look at");
    // The chosen engine is shown even if it has failed.
    let view = view_of_engines(
        &history,
        [failed(), snapshot(&history, Vec::new())],
        FollowMode::One(0),
    );
    assert_eq!(
        (view.share, view.notice().map(|notice| notice.is_failure)),
        (None, Some(true))
    );
}

#[test]
fn profile_name_precedes_the_engine_name() {
    let history = game("7g7f");
    for snapshot in [snapshot(&history, Vec::new()), Snapshot::default()] {
        let engines = [EngineReport {
            name: "水匠".to_owned(),
            ..snapshot.into()
        }];
        assert_eq!(input(&history, &engines).view(None, Lang::Ja).lead().name, "水匠");
    }
}

#[test]
fn a_scale_of_another_net_is_named_while_the_evaluation_is_shown() {
    let history = game("7g7f");
    let engines = [EngineReport {
        has_other_net: true,
        ..snapshot(&history, Vec::new()).into()
    }];
    let shown = input(&history, &engines).view(None, Lang::En);
    assert_eq!(
        shown.lead().remark,
        "The K in use was fitted to games with another net (or FV_SCALE)."
    );
    assert_eq!(shown.hidden(Lang::En).lead().remark, "");
}

#[test]
fn pause_keeps_the_last_values() {
    let history = game("7g7f");
    let engines = [EngineReport::from(snapshot(
        &history,
        vec![candidate(1, Value::Cp(320), "3c3d")],
    ))];
    let last_words = Lang::ALL.map(|lang| last_word(&history, lang));
    let paused = BarInput {
        is_paused: true,
        last_words,
        ..input(&history, &engines)
    };
    let view = paused.view(None, Lang::Ja);
    assert_eq!(view.position_text, ["一時停止中　1手目", "▲7六歩", "まで"]);
    assert_eq!(
        (view.black.percent, view.is_stale, view.notice()),
        (Some(63), false, None)
    );
    let engines = [EngineReport {
        name: "水匠".to_owned(),
        ..engines[0].clone()
    }];
    let view = BarInput {
        engines: engines.to_vec(),
        ..paused
    }
    .view(None, Lang::Ja);
    assert_eq!(view.signal(), Some(EngineSignal::Paused), "as a mark, too");
}

#[test]
fn shows_rejected_options_until_dismissed() {
    let history = game("7g7f");
    let rejected = |name: &str| RejectedOption {
        name: name.to_owned(),
        value: "1".to_owned(),
        reason: RejectReason::Gone,
    };
    let options = vec![rejected("EvalDir"), rejected("BookFile")];
    let snapshot = Snapshot {
        rejected_options: options,
        ..snapshot(&history, vec![candidate(1, Value::Cp(320), "3c3d")])
    };
    let notice_after = |dismissed| {
        let engines = [EngineReport {
            has_dismissed_rejections: dismissed,
            ..snapshot.clone().into()
        }];
        input(&history, &engines)
            .view(None, Lang::En)
            .notice()
            .map(|notice| notice.full().to_owned())
    };
    let expect =
        "Settings that do not fit this engine were not sent (2). EvalDir: the engine has no such option."
            .to_owned();
    assert_eq!([notice_after(false), notice_after(true)], [Some(expect), None]);
}

#[test]
fn maps_engine_state_to_signal() {
    let history = game("7g7f");
    let failure = || EngineFailure {
        kind: FailureKind::NotUsi,
        last_lines: Vec::new(),
        restart_count: 0,
    };
    let check = |state, expect| {
        let snapshot = Snapshot {
            state,
            ..snapshot(&history, Vec::new())
        };
        let named = [EngineReport {
            name: "水匠".to_owned(),
            ..snapshot.clone().into()
        }];
        assert_eq!(
            input(&history, &named).view(None, Lang::Ja).signal(),
            Some(expect),
            "{:?}",
            named[0].snapshot.state
        );
        // Evaluations of a record have no engine.
        assert_eq!(
            show(&history, &snapshot, Lang::Ja).signal(),
            None,
            "{:?}",
            snapshot.state
        );
    };
    check(EngineState::Thinking, EngineSignal::Live);
    check(EngineState::Starting, EngineSignal::Waiting);
    check(EngineState::Paused, EngineSignal::Paused);
    check(EngineState::Idle, EngineSignal::Waiting);
    check(EngineState::Silent, EngineSignal::Lost);
    check(EngineState::Failed(failure()), EngineSignal::Lost);
    let restart = Restart {
        failure: failure(),
        number: 1,
        pause: None,
    };
    check(EngineState::Restarting(restart), EngineSignal::Lost);
}

#[test]
fn hidden_view_does_not_reveal_the_winner() {
    let history = game("7g7f 3c3d");
    let mate = Value::Mate {
        winner: Color::Black,
        plies: Some(7),
    };
    let last_words = Lang::ALL.map(|lang| last_word(&history, lang));
    let shown = |value, ending| {
        let engines = [EngineReport::from(snapshot(
            &history,
            vec![candidate(1, value, "8h2b+ 3a2b")],
        ))];
        let input = BarInput {
            ending,
            last_words: last_words.clone(),
            ..input(&history, &engines)
        };
        input.view(None, Lang::Ja).hidden(Lang::Ja)
    };
    let hidden = shown(Value::Cp(320), None);
    assert_eq!(
        (hidden.black.name.as_str(), hidden.black.percent, hidden.share),
        ("甲", None, None)
    );
    assert_eq!(hidden.position_text, ["2手目", "△3四歩", "まで"]);
    assert_eq!(
        hidden.decided_win.as_ref().map(|decided| decided.text.as_str()),
        Some("評価値は伏せています")
    );
    // The hidden view does not depend on the values.
    for value in [Value::Cp(-4000), mate, Value::Won(Color::White)] {
        assert_eq!(shown(value, None), hidden, "{value:?}");
    }
    let over = shown(
        mate,
        Some(Ending {
            winner: Some(Color::White),
            reason: Label::Resignation,
        }),
    );
    assert_eq!(
        (over.decided_win, over.share),
        (hidden.decided_win, None),
        "nor does it tell how the game ended"
    );
    // The last lines of a failed engine may contain its values, so a hidden view has none.
    let failure = EngineFailure {
        kind: FailureKind::NotUsi,
        last_lines: vec!["info score cp 99".to_owned()],
        restart_count: 0,
    };
    let failed = show(
        &history,
        &Snapshot {
            state: EngineState::Failed(failure),
            ..Snapshot::default()
        },
        Lang::Ja,
    );
    let notice = failed.hidden(Lang::Ja).notice().cloned();
    assert_eq!(
        notice.map(|notice| (notice.is_failure, notice.details)),
        Some((true, Vec::new()))
    );
}

#[test]
fn makes_control_characters_visible() {
    let evil = "A\u{1b}]0;x\u{7}\u{202e}\u{9b}\nB";
    let shown = "A<U+001B>]0;x<U+0007><U+202E><U+009B><U+000A>B";
    let history = game("7g7f");
    let kind = FailureKind::NotStarted(StartError::NotFound(evil.into()));
    let failure = EngineFailure {
        kind,
        last_lines: vec![evil.to_owned()],
        restart_count: 0,
    };
    let state = EngineState::Failed(failure);
    let engines = [Snapshot {
        engine: evil.to_owned(),
        state,
        ..Snapshot::default()
    }
    .into()];
    let players = [evil, evil].map(|name| Some(name.to_owned()));
    let view = BarInput {
        players,
        ..input(&history, &engines)
    }
    .view(None, Lang::Ja);
    let engine = view.lead();
    assert_eq!(
        [
            &view.black.name,
            &view.white.name,
            &engine.name,
            &engine.reported_name
        ],
        [shown; 4]
    );
    let notice = view.notice().unwrap();
    assert!(
        notice.full().contains(shown) && notice.details == [shown],
        "{notice:?}"
    );
}
