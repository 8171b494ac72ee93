//! Evaluations of all programs, in this project's own words, and random comments.

use super::*;
use proptest::collection::vec;
use proptest::prelude::*;
use shogibar_shogi::{Color, History};
use std::fmt::Write as _;

/// The context of a comment: the current position and the one before it.
struct Game {
    before: Option<History>,
    now: History,
}

impl Game {
    fn new(usi: &str) -> Self {
        let now = History::from_usi(usi).expect(usi);
        let before = match usi.rsplit_once(' ') {
            Some((usi, _)) if now.last_move().is_some() => Some(History::from_usi(usi).expect(usi)),
            _ => None,
        };
        Self { before, now }
    }

    fn context(&self) -> CommentContext<'_> {
        let point = |history: &'_ History| history.last_move().map(Move::to);
        let before = self.before.as_ref().zip(self.now.last_move());
        let before = before.map(|(history, mv)| {
            (
                EvaluatedPoint {
                    position: history.now(),
                    last_to: point(history),
                },
                mv,
            )
        });
        CommentContext {
            now: EvaluatedPoint {
                position: self.now.now(),
                last_to: point(&self.now),
            },
            before,
        }
    }
}

/// Returns an evaluation in one line, without the missing values.
fn summary(evaluation: &Evaluation) -> String {
    let Evaluation {
        dialect,
        source,
        value,
        bound,
        depth,
        seldepth,
        nodes,
        time,
        rank,
        ..
    } = evaluation;
    let mut out = format!("{} {source:?}", dialect.name());
    let mut add = |name: &str, what: Option<String>| {
        let _infallible = what.map(|what| write!(out, " {name}{what}"));
    };
    add(
        "",
        value.map(|value| {
            format!("{value:?}")
                .replace("Some(", "")
                .replace(')', "")
                .replace('(', " ")
        }),
    );
    add("", bound.map(|bound| format!("{bound:?}")));
    add("depth ", depth.map(|n| n.to_string()));
    add("/", seldepth.map(|n| n.to_string()));
    add("nodes ", nodes.map(|n| n.to_string()));
    add("ms ", time.map(|time| time.0.to_string()));
    add("rank ", rank.map(|n| n.to_string()));
    add("by ", evaluation.engine.clone());
    add("", evaluation.is_alternative.then(|| "instead".to_owned()));
    let moves: Vec<String> = evaluation.pv.iter().map(Move::to_string).collect();
    add("pv ", (!moves.is_empty()).then(|| moves.join(" ")));
    add("", evaluation.pv_is_cut.then(|| "…".to_owned()));
    out
}

fn check(game: &str, comment: &str, expected: &[&str]) {
    let game = Game::new(game);
    let found: Vec<String> = read(comment, game.context()).iter().map(summary).collect();
    assert_eq!(found, expected, "{comment}");
}

/// A game after its first move.
const OPENED: &str = "startpos moves 7g7f";
/// A game after a capture of the bishop.
const EXCHANGE: &str = "startpos moves 7g7f 3c3d 8h2b+";

#[test]
fn reads_shogihome() {
    check(
        OPENED,
        "互角\n#評価値=-60\n#読み筋=△３四歩▲２二角成△同　銀\n#深さ=12\n#ノード数=34567\n#エンジン=My Engine 1.0",
        &["shogihome Analysis Cp -60 depth 12 nodes 34567 by My Engine 1.0 pv 3c3d 8h2b+ 3a2b"],
    );
    // Statements in any order, in the older spelling, with statements of a possible later version.
    check(
        OPENED,
        "*エンジン=E\n*深さ=9\n*勝率=52%\n*読み筋=△３四歩(33)▲２二角成(88)△同　銀(31)▲５五角打\n*評価値=+35",
        &["shogihome Game Cp 35 depth 9 by E pv 3c3d 8h2b+ 3a2b B*5e"],
    );
    // Several evaluations: of a player and an analysis, then of two engines.
    check(
        OPENED,
        "*評価値=10\n#評価値=20\n#エンジン=A\n先手有望\n#評価値=230\n#エンジン=B",
        &[
            "shogihome Game Cp 10",
            "shogihome Analysis Cp 20 by A",
            "shogihome Analysis Cp 230 by B",
        ],
    );
    check(
        OPENED,
        "#評価値=1\n\n#深さ=9\n#読み筋=",
        &["shogihome Analysis Cp 1"],
    );
    check(
        OPENED,
        "#評価値=1\nよい手\n#読み筋=△８四歩",
        &["shogihome Analysis Cp 1", "shogihome Analysis pv 8c8d"],
    );
}

#[test]
fn reads_shogihome_mates() {
    check(
        OPENED,
        "*詰み=先手勝ち:15手\n*エンジン=A\n\n#詰み=後手勝ち\n#エンジン=B",
        &[
            "shogihome Game Mate { winner: Black, plies: 15 } by A",
            "shogihome Analysis Mate { winner: White, plies: None } by B",
        ],
    );
    // One evaluation with a mate and a score; then two, separated only by the engine name.
    check(
        OPENED,
        "#詰み=先手勝ち:7手\n先手勝勢\n#評価値=31990\n#深さ=20",
        &["shogihome Analysis Mate { winner: Black, plies: 7 } depth 20"],
    );
    check(
        OPENED,
        "#詰み=先手勝ち:7手\n#エンジン=A\n#評価値=500\n#エンジン=B",
        &[
            "shogihome Analysis Mate { winner: Black, plies: 7 } by A",
            "shogihome Analysis Cp 500 by B",
        ],
    );
    check(
        OPENED,
        "#詰み=不詰\n#評価値=-32001",
        &["shogihome Analysis Won White"],
    );
    // A special value that is not an evaluation.
    check(OPENED, "#評価値=-31111", &[]);
    check(OPENED, "* 31111", &[]);
}

#[test]
fn reads_shogigui() {
    check(
        OPENED,
        "*解析 0 ○ 候補1 時間 00:15.9 深さ 54/60 ノード数 1000495 評価値 207 読み筋 △３四歩(33) ▲２二角成(88) △同　銀(31) ▲５五角打 ",
        &["shogigui Analysis Cp 207 depth 54 /60 nodes 1000495 ms 15900 rank 1 pv 3c3d 8h2b+ 3a2b B*5e"],
    );
    check(
        OPENED,
        "*解析 0  候補2 深さ 11 評価値 -120↓ 読み筋 △８四歩(83)\n*検討 評価値 30↑\n*解析 0 △ 評価値 -詰 3 読み筋 △３四歩(33)",
        &[
            "shogigui Analysis Cp -120 Upper depth 11 rank 2 pv 8c8d",
            "shogigui Study Cp 30 Lower",
            "shogigui Analysis Mate { winner: White, plies: 3 } pv 3c3d",
        ],
    );
    // A player's pv begins with the played move.
    check(
        OPENED,
        "*対局 時間 01:00.0 深さ 2 ノード数 960 評価値 0 読み筋 ▲７六歩(77) △３四歩(33) 千日手",
        &["shogigui Game Cp 0 depth 2 nodes 960 ms 60000 pv 3c3d …"],
    );
    check(
        OPENED,
        "*対局 評価値 12 読み筋 ▲２六歩(27)",
        &["shogigui Game Cp 12 instead pv 2g2f"],
    );
    check(
        OPENED,
        "*対局 時間 00:01.2 深さ 7 ノード数 9 +詰7",
        &["shogigui Game Mate { winner: Black, plies: 7 } depth 7 nodes 9 ms 1200"],
    );
    check(
        OPENED,
        "*対局 評価値 -詰 読み筋 none",
        &["shogigui Game Mate { winner: White, plies: None } …"],
    );
    check(
        OPENED,
        "*Analysis 0 Rank2 Depth 9/12 Nodes 77 Value +Mate 5",
        &["shogigui Analysis Mate { winner: Black, plies: 5 } depth 9 /12 nodes 77 rank 2"],
    );
    check(OPENED, "*解析 0 評価値 読み筋", &[]);
    check(OPENED, "*対局は先手の勝ち 評価値 5", &[]);
    check(OPENED, "*解析 文字列 評価値 5", &[]);
    check(
        OPENED,
        "* Engine suisho Version Suisho5/YaneuraOu-V7.50 候補1 深さ 13/19 ノード数 596119 評価値 -47 読み筋 △３四歩(33) ▲２六歩(27)",
        &[
            "kishin Analysis Cp -47 depth 13 /19 nodes 596119 rank 1 by suisho Version Suisho5/YaneuraOu-V7.50 pv 3c3d 2g2f",
        ],
    );
}

#[test]
fn reads_floodgate() {
    check(
        OPENED,
        "* 56 -3334FU +8822UM -3122GI +0055KA",
        &["floodgate Game Cp 56 pv 3c3d 8h2b+ 3a2b B*5e"],
    );
    check(OPENED, "* -56 ", &["floodgate Game Cp -56"]);
    check(OPENED, "* 30000 -3334FU", &["floodgate Game Won Black pv 3c3d"]);
    check(OPENED, "* -334732", &["floodgate Game Won White"]);
    check(
        OPENED,
        "* 99 -8384FU +2726FU #1234",
        &["csa3 Game Cp 99 nodes 1234 pv 8c8d 2g2f"],
    );
    check(OPENED, "* 99 #1234", &["csa3 Game Cp 99 nodes 1234"]);
    check(
        OPENED,
        "* 487 -3334FU+8822UM-3122GI%PASS",
        &["floodgate Game Cp 487 pv 3c3d 8h2b+ 3a2b …"],
    );
    check(OPENED, "* 130 3c3d 2g2f", &["floodgate Game Cp 130 pv 3c3d 2g2f"]);
    check(
        OPENED,
        "* 130 7g7f 3c3d 2g2f",
        &["floodgate Game Cp 130 pv 3c3d 2g2f"],
    );
    check(
        OPENED,
        "* 40 %PASS +2726FU\n* 40 -3334FU %PASS",
        &["floodgate Game Cp 40 …", "floodgate Game Cp 40 pv 3c3d …"],
    );
    check(OPENED, "* 40 -3334GI", &["floodgate Game Cp 40 …"]);
    for remark in [
        "* 5 reasons",
        "*56",
        "* 1.",
        "* 1. +2726FU",
        "* 56点",
        "* +詰7",
        "* 10 # 4",
        "* -",
        "5",
        "* #5",
    ] {
        check(OPENED, remark, &[]);
    }
}

#[test]
fn reads_other_programs() {
    check(
        EXCHANGE,
        "#指し手[62]▲２二角成  △同銀  ▲８八銀  パス  ▲２六歩",
        &["k-shogi Analysis Cp 62 pv 3a2b 7i8h …"],
    );
    check(
        EXCHANGE,
        "#指し手[-250] 悪手 ▲２二角成  △同銀\n#推奨手[29]▲２六歩  △８四歩\n#定跡: △８四歩",
        &[
            "k-shogi Analysis Cp -250 pv 3a2b",
            "k-shogi Analysis Cp 29 instead pv 2g2f 8c8d",
        ],
    );
    check(
        "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
        "#推奨手[29]△同飛  ▲８八銀",
        &["k-shogi Analysis Cp 29 instead pv 8b2b 7i8h"],
    );
    check(
        "startpos",
        "#形勢[12]▲７六歩\n#推奨手[3]▲２六歩",
        &[
            "k-shogi Analysis Cp 12 pv 7g7f",
            "k-shogi Analysis Cp 3 instead …",
        ],
    );
    check(
        OPENED,
        "[%eval 1.23]\n[%clk 0:10] [%eval mate-3]",
        &[
            "lishogi Analysis Cp 123",
            "lishogi Analysis Mate { winner: White, plies: 3 }",
        ],
    );
    check(OPENED, "[%eval\n[%eval ]\n[%eval x]\n[%eval 1.2", &[]);
}

#[test]
fn reads_a_comment_of_several_programs() {
    check(
        OPENED,
        "*解析 0 候補1 時間 00:01.0 深さ 10/12 ノード数 1000 評価値 30 読み筋 △３四歩\r\n通常\r\n*評価値=120\r\n*読み筋=△３四歩",
        &[
            "shogigui Analysis Cp 30 depth 10 /12 nodes 1000 ms 1000 rank 1 pv 3c3d",
            "shogihome Game Cp 120 pv 3c3d",
        ],
    );
    check(
        OPENED,
        "*評価値=120\n* 56",
        &["shogihome Game Cp 120", "floodgate Game Cp 56"],
    );
    check(
        "startpos",
        "初手から\n▲７六歩がよい\n評価値 5\n読み筋=▲７六歩",
        &[],
    );
}

#[test]
fn reads_every_move_separator() {
    let line = |words: &str| {
        check(
            OPENED,
            &format!("#読み筋={words}"),
            &["shogihome Analysis pv 3c3d 8h2b+ 3a2b B*5e"],
        );
    };
    line("△３四歩▲２二角成△同　銀▲５五角");
    line("☖3四歩 ☗22角成 ☖同銀 ☗55角");
    line("△ ３四歩(33)　▲ ２二角成(88)  △ 同　銀　(31)  ▲５五角打");
    line("３四歩 ２二角成 同　銀 ５五角");
    line("▽３四歩▼２二角成▽同銀▼５五角");
    line("-3334FU +8822UM -3122GI +0055KA");
    line("3c3d  8h2b+ 3a2b B*5e");
    check(OPENED, "#読み筋=▼７六歩▽３四歩", &["shogihome Analysis pv 3c3d"]);
    check(OPENED, "#読み筋=△３四歩とすれば", &["shogihome Analysis …"]);
}

#[test]
fn writes_every_dialect() {
    let game = Game::new("startpos moves 7g7f 3c3d 8h2b+");
    let moves = ["3a2b", "B*5e"].map(|mv| Move::from_usi(mv).expect(mv));
    let evaluation = Evaluation {
        value: Some(Value::Cp(-250)),
        bound: Some(Bound::Lower),
        depth: Some(12),
        seldepth: Some(20),
        nodes: Some(34567),
        time: Some(Millis(61_250)),
        rank: Some(2),
        engine: Some("E 1\nx".to_owned()),
        pv: moves.to_vec(),
        ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
    };
    let check = |evaluation: &Evaluation, expected: [Option<&str>; 4]| {
        let written = Dialect::WRITABLE.map(|dialect| write(evaluation, dialect, game.context().now));
        assert_eq!(written.each_ref().map(Option::as_deref), expected);
    };
    check(
        &evaluation,
        [
            Some(
                "後手有望\n#評価値=-250\n#読み筋=△同　銀▲５五角\n#深さ=12\n#ノード数=34567\n#候補=2\n#エンジン=E 1",
            ),
            Some(
                "*解析 0 候補2 時間 01:01.2 深さ 12/20 ノード数 34567 評価値 -250↑ 読み筋 △同　銀(31) ▲５五角打",
            ),
            Some("* -250 -3122GI +0055KA"),
            Some("* -250 -3122GI +0055KA #34567"),
        ],
    );
    let winner = Color::White;
    let mate = Evaluation {
        value: Some(Value::Mate {
            winner,
            plies: Some(8),
        }),
        ..Evaluation::new(Dialect::ShogiHome, Source::Game)
    };
    check(
        &mate,
        [
            Some("*詰み=後手勝ち:8手"),
            Some("*対局 評価値 -詰 8"),
            Some("* -30000"),
            Some("* -30000"),
        ],
    );
    let won = Evaluation {
        value: Some(Value::Won(winner)),
        ..mate.clone()
    };
    check(
        &won,
        [
            Some("後手勝勢\n*評価値=-30000"),
            Some("*対局 評価値 -30000"),
            Some("* -30000"),
            Some("* -30000"),
        ],
    );
    let line = Evaluation {
        value: None,
        ..evaluation.clone()
    };
    check(
        &Evaluation {
            pv: Vec::new(),
            ..line.clone()
        },
        [None; 4],
    );
    let [home, gui, none, _] = Dialect::WRITABLE.map(|dialect| write(&line, dialect, game.context().now));
    assert!(
        home.is_some() && gui.is_some() && none.is_none(),
        "a line of floodgate needs a value"
    );
    check(
        &Evaluation {
            is_alternative: true,
            ..evaluation
        },
        [None; 4],
    );
}

#[test]
fn replaces_evaluations() {
    let check = |comment: &str, new: &str, expected: &str| {
        let is_old = |old: &Evaluation| old.source == Source::Analysis;
        let replaced = replace(comment, is_old, new);
        assert_eq!(replaced, expected, "{comment}");
        if !new.is_empty() {
            assert_eq!(replace(&replaced, is_old, new), expected, "again, {comment}");
        }
    };
    let new = "互角\n#評価値=5\n#深さ=9";
    check("", new, new);
    check("よい手", new, "よい手\n互角\n#評価値=5\n#深さ=9");
    check("よい手\r\n", new, "よい手\r\n互角\n#評価値=5\n#深さ=9\n");
    check(
        "一\n先手有望\n#評価値=250\n#未知=x\n#深さ=3\n二",
        new,
        "一\n互角\n#評価値=5\n#深さ=9\n\n#未知=x\n二",
    );
    check(
        "互角\n*評価値=8",
        new,
        "互角\n*評価値=8\n\n互角\n#評価値=5\n#深さ=9",
    );
    check(
        "#評価値=1\n#エンジン=A\n\n#評価値=2\n#エンジン=B",
        new,
        "互角\n#評価値=5\n#深さ=9\n",
    );
    check(
        "*解析 0 評価値 7\n* 30 +2726FU",
        new,
        "互角\n#評価値=5\n#深さ=9\n* 30 +2726FU",
    );
    check("一\n#評価値=1\n二", "", "一\n二");
    check("#評価値=1", "", "");
    check("一\n\n", "", "一\n\n");
    // Separate evaluations do not merge.
    check(
        "*評価値=1\n[%eval 3]\n*深さ=4\n*読み筋=△３四歩",
        "",
        "*評価値=1\n\n*深さ=4\n*読み筋=△３四歩",
    );
}

#[test]
fn reads_long_comments() {
    const SIZE: usize = 1 << 20;
    let game = Game::new(OPENED);
    let shuffle = "△７二飛(82)▲３八飛(28)△８二飛(72)▲２八飛(38)";
    for unit in [
        "* 1\n",
        "#評価値=1\n",
        "#読み筋=△\n",
        "▲",
        "　",
        "*解析 評価値 ",
        "評価値 ",
        "候補 時間 深さ ",
        "+詰 ",
        "評価値 +詰 ",
        "[%eval ",
        "#指し手[",
        "互角\n",
        "同 ",
        "\n",
        shuffle,
    ] {
        for head in ["", "#読み筋=", "*解析 読み筋 ", "* 5 ", "* Engine "] {
            let comment = head.to_owned() + &unit.repeat(SIZE / unit.len());
            let found = read(&comment, game.context());
            assert!(found.len() <= MAX_EVALUATIONS, "{head}{unit}");
            assert!(
                found.iter().all(|evaluation| evaluation.pv.len() <= MAX_PV_MOVES),
                "{head}{unit}"
            );
            assert!(
                replace(&comment, |_| true, "").len() <= comment.len(),
                "{head}{unit}"
            );
        }
    }
}

/// Builds a game of at most `split` moves and a pv that continues the game. `choices` choose the moves among the legal
/// ones.
fn played(choices: &[usize], split: usize) -> (Game, Vec<Move>) {
    let mut history = History::new(Position::startpos());
    let mut usi = "startpos".to_owned();
    let mut line = Vec::new();
    for (number, choice) in choices.iter().enumerate() {
        let legal = history.now().legal_moves();
        let Some(mv) = legal.get(choice % legal.len().max(1)) else {
            break;
        };
        if history.play(*mv).is_err() {
            break;
        }
        if number < split {
            usi = history.usi();
        } else {
            line.push(*mv);
        }
    }
    (Game::new(&usi), line)
}

fn value() -> impl Strategy<Value = Option<Value>> {
    let side = any::<bool>().prop_map(|black| if black { Color::Black } else { Color::White });
    let mate = (side.clone(), proptest::option::of(0..200_u32))
        .prop_map(|(winner, plies)| Value::Mate { winner, plies });
    proptest::option::weighted(
        0.9,
        prop_oneof![
            any::<i32>().prop_map(Value::Cp),
            (-3000..3000).prop_map(Value::Cp),
            side.prop_map(Value::Won),
            mate
        ],
    )
}

prop_compose! {
    fn evaluation()(
        source in prop_oneof![Just(Source::Game), Just(Source::Analysis), Just(Source::Study)],
        value in value(),
        bound in prop_oneof![Just(None), Just(Some(Bound::Lower)), Just(Some(Bound::Upper))],
        (depth, seldepth) in any::<(Option<u32>, Option<u32>)>(),
        (nodes, time, rank) in any::<(Option<u64>, Option<u64>, Option<u16>)>(),
        engine in proptest::option::of("[ -~あ-ん=\n\r\t　]{0,12}"),
    ) -> Evaluation {
        let time = time.map(Millis);
        Evaluation { value, bound, depth, seldepth, nodes, time, rank, engine, ..Evaluation::new(Dialect::ShogiHome, source) }
    }
}

/// Generates comments from fragments of the dialects.
fn comment() -> impl Strategy<Value = String> {
    let pieces = [
        "#評価値=",
        "*評価値=",
        "#読み筋=",
        "#深さ=9",
        "*エンジン=A",
        "#エンジン=B",
        "#詰み=先手勝ち",
        ":7手",
        "互角",
        "*解析 0 ",
        "*対局 ",
        "候補1 ",
        "時間 00:01.2 ",
        "深さ 9/10 ",
        "評価値 ",
        "読み筋 ",
        "* ",
        "5",
        "-31",
        "30000",
        "+詰 ",
        "↑",
        "△３四歩",
        "▲７六歩(77)",
        "△同　銀",
        "-3334FU ",
        "+2726FU ",
        "#1234",
        "3c3d ",
        "#指し手[",
        "#推奨手[",
        "]",
        "[%eval ",
        "* Engine ",
        "よい手",
        " ",
        "　",
        "#x=y",
        "\r",
    ];
    let piece = prop_oneof![20 => proptest::sample::select(pieces.to_vec()).prop_map(str::to_owned), 10 => Just("\n".to_owned()), 1 => any::<char>().prop_map(String::from)];
    vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

#[test]
fn reads_engine_signatures() {
    let game = Game::new("startpos");
    let check = |comment: &str, expect: &[(Option<i32>, Option<&str>)]| {
        let evaluation = read(comment, game.context());
        let cp = |evaluation: &Evaluation| match evaluation.value {
            Some(Value::Cp(cp)) => Some(cp),
            _ => None,
        };
        let found: Vec<_> = evaluation
            .iter()
            .map(|evaluation| (cp(evaluation), evaluation.engine.as_deref()))
            .collect();
        assert_eq!(found, expect, "{comment}");
    };
    check("* 5\n#エンジン=A", &[(Some(5), Some("A"))]);
    check("* 5\n* 6\n#エンジン=A", &[(Some(5), None), (Some(6), Some("A"))]);
    check(
        "*解析 0 評価値 5\n#エンジン=A\n* 6\n#エンジン=B",
        &[(Some(5), Some("A")), (Some(6), Some("B"))],
    );
    // The signature counts directly after the evaluation, once, and not by a player's engine.
    check("* 5\n\n#エンジン=A", &[(Some(5), None)]);
    check("* 5\n*エンジン=A", &[(Some(5), None)]);
    check(
        "* 5\n#エンジン=A\n#エンジン=B\n#評価値=6",
        &[(Some(5), Some("A")), (Some(6), Some("B"))],
    );
    check("#評価値=6\n#エンジン=A", &[(Some(6), Some("A"))]);
    // The signature is replaced together with its evaluation.
    assert_eq!(
        replace("x\n* 5\n#エンジン=A\ny", |old| old.engine.is_some(), "* 7"),
        "x\n* 7\ny"
    );
    let of_a = |old: &Evaluation| old.engine.as_deref() == Some("A");
    assert_eq!(
        replace("* 5\n* 6\n#エンジン=A\n#エンジン=B\n#評価値=1", of_a, ""),
        "* 5\n\n#エンジン=B\n#評価値=1"
    );
}

proptest! {
    #[test]
    fn output_is_read_back(evaluation in evaluation(), choices in vec(any::<usize>(), 0..40), split in 0..40_usize) {
        let (game, pv) = played(&choices, split);
        let evaluation = Evaluation { pv, ..evaluation };
        for dialect in Dialect::WRITABLE {
            let written = write(&evaluation, dialect, game.context().now);
            let fitted = dialect.round_trip(&evaluation);
            let found = written.as_ref().map_or_else(Vec::new, |written| read(written, game.context()));
            prop_assert_eq!(&found, &Vec::from_iter(fitted.clone()), "{:?}", written);
            // An evaluation that was written once does not change when it is written again.
            prop_assert_eq!(fitted.as_ref().and_then(|fitted| dialect.round_trip(fitted)), fitted.clone());
            prop_assert_eq!(fitted.and_then(|fitted| write(&fitted, dialect, game.context().now)), written);
        }
    }

    #[test]
    fn accepts_any_comment(comment in comment(), position in shogibar_shogi::any::position(0.3)) {
        let game = Game::new(OPENED);
        read(&comment, game.context());
        let point = EvaluatedPoint { position: &position, last_to: Square::new(5, 5) };
        for evaluation in read(&comment, CommentContext { now: point, before: None }) {
            for dialect in Dialect::WRITABLE {
                write(&evaluation, dialect, point);
            }
        }
        prop_assert_eq!(replace(&comment, |_| false, ""), comment);
    }

    #[test]
    fn replaces_nothing_else(comment in comment(), new in evaluation()) {
        let without_moves = |comment: &str| EvaluationBlocks::new(comment).map(|block| block.evaluation).collect::<Vec<_>>();
        let is_old = |old: &Evaluation| old.source == Source::Analysis;
        let others: Vec<_> = without_moves(&comment).into_iter().filter(|found| !is_old(found)).collect();
        let cleared = replace(&comment, is_old, "");
        prop_assert_eq!(&without_moves(&cleared), &others);
        let game = Game::new(OPENED);
        for dialect in Dialect::WRITABLE {
            let Some(written) = write(&new, dialect, game.context().now) else { continue };
            let found = without_moves(&replace(&cleared, |_| false, &written));
            let expected: Vec<_> = others.iter().cloned().chain(dialect.round_trip(&new)).collect();
            prop_assert_eq!(found, expected, "{}", written);
        }
    }
}
