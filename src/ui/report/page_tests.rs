//! Tests of the contents and formats of a report, and of their safety against foreign texts.

use super::html;
use proptest::prelude::*;
use shogibar_base::Lang;
use shogibar_games::analysis::GameReview;
use shogibar_games::report::{Report, ReportRow, ReportVariation, is_html, summary};
use shogibar_games::study::{Document, RecordInsight};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Move, Position};

const GAME_KIF: &str = "\
開始日時：2026/11/20
棋戦：研究会
手合割：平手
先手：佐藤
後手：鈴木
手数----指手---------消費時間--
*互角の始まり
**評価値=30
1 ７六歩(77) (0:12/00:00:12)
**評価値=40
2 ３四歩(33) (1:25/00:01:25)
*よくある手
**評価値=20
**読み筋=▲2六歩△8四歩
&序盤
3 ７五歩(76) (0:03/00:00:15)
**評価値=-900
4 ８四歩(83)
**評価値=-880
5 投了

変化：3手
3 ２六歩(27)
*これが最善
4 ８四歩(83)

変化：4手
4 ４四歩(43)
";

fn record(game: &str) -> Record {
    shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0)
}

fn report(game: &str, lang: Lang) -> Report {
    let document = Document::new(record(game));
    let mut insight = RecordInsight::default();
    assert!(insight.update(&document));
    Report::from_document(&document, &insight, lang)
}

#[test]
fn collects_the_contents_of_a_game() {
    let report = report(GAME_KIF, Lang::Ja);
    assert_eq!(report.names(), ["佐藤", "鈴木"]);
    assert_eq!(report.result, "4手まで、後手の勝ち（投了）");
    let facts = [("開始日時", "2026/11/20"), ("棋戦", "研究会")];
    assert_eq!(
        report.headers,
        facts.map(|(key, value)| (key.to_owned(), value.to_owned()))
    );
    let words: Vec<_> = report
        .rows
        .iter()
        .map(|row| (row.number, row.word.as_str()))
        .collect();
    assert_eq!(words[..2], [(0, "開始局面"), (1, "▲7六歩")]);
    assert_eq!(words[5], (5, "投了"));
    let comments: Vec<_> = report.rows.iter().map(|row| row.comment.as_str()).collect();
    assert_eq!(
        comments,
        ["互角の始まり", "", "よくある手", "", "", ""],
        "without what programs state"
    );
    let decisive: Vec<_> = report.decisive_moves.iter().map(|it| it.word.as_str()).collect();
    assert_eq!(decisive, ["▲7五歩"]);
    let turn = &report.decisive_moves[0];
    assert_eq!(
        (turn.effects.as_slice(), turn.rates),
        (["後手が優位に立つ".to_owned()].as_slice(), [51, 18])
    );
    assert_eq!(turn.line, ["▲2六歩", "△8四歩"]);
    assert_eq!(turn.position_text, "途中図は2手目△3四歩まで");
    assert_eq!(
        (report.mistakes.as_slice(), report.rows[3].best_words.as_str()),
        ([3].as_slice(), "▲2六歩")
    );
}

#[test]
fn lists_variations_at_the_move_they_replace() {
    let report = report(GAME_KIF, Lang::Ja);
    let variations_of = |row: &ReportRow| -> Vec<(usize, usize, String)> {
        let words = |variation: &ReportVariation| {
            variation
                .moves
                .iter()
                .map(|(mv, change)| format!("{mv}{change}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        row.variations
            .iter()
            .map(|variation| (variation.number, variation.depth, words(variation)))
            .collect()
    };
    assert_eq!(variations_of(&report.rows[2]), []);
    let expect = [
        (3, 1, "▲2六歩これが最善 △8四歩".to_owned()),
        (4, 2, "△4四歩".to_owned()),
    ];
    assert_eq!(variations_of(&report.rows[3]), expect);
}

#[test]
fn html_page_is_self_contained() {
    for lang in [Lang::Ja, Lang::En] {
        let page = html(&report(GAME_KIF, lang));
        assert!(is_html(page.as_bytes()));
        for foreign in [
            "http:",
            "https:",
            "<script",
            "<link",
            "<img",
            "@import",
            "javascript:",
            "onload",
        ] {
            assert!(!page.contains(foreign), "{foreign}");
        }
        let is_within = |url: &str| url.starts_with("#p") || url.starts_with("data:font/ttf;base64,");
        assert!(
            page.split("url(").skip(1).all(is_within),
            "what is named stands in the page"
        );
        assert_eq!(page.matches("<svg class=\"diagram\"").count(), 1);
        assert!(
            page.contains("font-src data:") && page.contains("@font-face{font-family:\"Shogibar Pieces\"")
        );
        let older = page.replace(" font-src data:;", "");
        assert!(
            is_html(older.as_bytes()) && older.len() < page.len(),
            "a report without the font is one, too"
        );
        assert_eq!(page.matches("<svg class=\"graph\"").count(), 1);
        // The page has a row for each move, for the start and for the end.
        assert_eq!(page.matches(" id=\"move-").count(), 6);
        assert_balanced(&page);
    }
    let page = html(&report(GAME_KIF, Lang::En));
    for text in [
        "lang=\"en\"",
        "White wins (resigned) · 4 moves",
        "Event",
        "P-2f",
        "Black&#39;s win rate 51% → 18%",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn narrow_page_labels_its_numbers() {
    for lang in [Lang::Ja, Lang::En] {
        let page = html(&report(GAME_KIF, lang));
        let (_, sides) = page.split_once("<table class=\"sides\">").unwrap();
        let (sides, _) = sides.split_once("</table>").unwrap();
        let cells = |text: &str| sides.matches(text).count();
        assert!(cells("<td class=\"n") > 8);
        assert_eq!(
            cells("<td class=\"n"),
            cells(" data-label=\""),
            "every number has its label"
        );
        assert!(!sides.contains("data-label=\"\""));
    }
}

/// Asserts that every element is closed, in order.
fn assert_balanced(page: &str) {
    let mut open = Vec::new();
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        let name = tag
            .trim_start_matches('/')
            .split([' ', '\n', '>'])
            .next()
            .unwrap()
            .trim_end_matches('/');
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "</{name}> closes nothing");
        } else if !tag.ends_with('/') && !matches!(name, "!DOCTYPE" | "meta") {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn summary_has_players_statistics_and_decisive_moves() {
    let expect = "\
佐藤 対 鈴木
開始日時：2026/11/20
棋戦：研究会
4手まで、後手の勝ち（投了）

先手　平均損失 16.3点　一致率 0%（0/1）　正確さ 30.4　緩手 0　疑問手 0　悪手 1　大悪手 0
後手　平均損失 0.3点　一致率 –　正確さ 98.9　緩手 0　疑問手 0　悪手 0　大悪手 0

勝敗を分けた手
3手目　▲7五歩　悪手　後手が優位に立つ　先手の勝率 51% → 18%
　最善 ▲2六歩 △8四歩

判定：棋譜の評価値（4/4手）
";
    assert_eq!(summary(&report(GAME_KIF, Lang::Ja)), expect);
    let unfinished = Report {
        missing_reasons: 2,
        ..report(GAME_KIF, Lang::Ja)
    };
    let note = "2手の理由は、まだ調べているところです。";
    assert!(summary(&unfinished).contains(note) && html(&unfinished).contains(note));
    let english = summary(&report(GAME_KIF, Lang::En));
    assert!(
        english.contains("3. P-7e  mistake  White takes the lead  Black's win rate 51% → 18%"),
        "{english}"
    );
}

/// A game that one engine has evaluated completely, and the built-in engine only from the second move on.
const MIXED_KIF: &str = "先手：佐藤
後手：鈴木
*#評価値=0
*#エンジン=Fairy [nodes 5]
1 ７六歩(77)
*#評価値=-30
*#エンジン=Fairy [nodes 25]
2 ３四歩(33)
*#評価値=-20
*#エンジン=Fairy [nodes 5]
*#評価値=900
*#エンジン=Shogibar 0.1.0 (built-in, weak) [nodes 5]
3 ２六歩(27)
*#評価値=-60
*#エンジン=Fairy [nodes 5]
*#評価値=-900
*#エンジン=Shogibar 0.1.0 (built-in, weak) [nodes 5]
";

#[test]
fn has_one_judge_and_a_curve_per_evaluator() {
    let mut report = report(MIXED_KIF, Lang::Ja);
    assert_eq!(report.judge, "Fairy・25ノード・5ノード（3/3手）");
    let values: Vec<_> = report
        .positions()
        .map(|row| row.value.map(|(value, _)| value))
        .collect();
    assert_eq!(
        values,
        [0, -30, -20, -60].map(|cp| Some(Value::Cp(cp))),
        "the list is by the judge alone"
    );
    let [other] = report.other_curves.as_slice() else {
        panic!("{:?}", report.other_curves)
    };
    let values: Vec<_> = other
        .values
        .iter()
        .map(|worth| worth.map(|(value, _)| value))
        .collect();
    assert_eq!(values, [None, None, Some(Value::Cp(900)), Some(Value::Cp(-900))]);
    assert!(report.decisive_moves.is_empty() && report.sides.iter().all(|side| side.marks == [0; 4]));
    assert!(
        summary(&report).contains("この一局の勝敗を分けた一手はありません。"),
        "{}",
        summary(&report)
    );
    let page = html(&report);
    // The legend shows a piece of each curve.
    assert_eq!(page.matches("<path class=\"line\"").count(), 1);
    assert_eq!(page.matches("<path class=\"line other one\"").count(), 1);
    for text in ["内蔵エンジン", "<dt>判定</dt>", "<dt>ほかの評価</dt>"] {
        assert!(page.contains(text), "{text}");
    }
    assert_balanced(&page);
    let text = summary(&report);
    assert!(
        text.contains("判定：Fairy") && text.contains("ほかの評価：内蔵エンジン"),
        "{text}"
    );
    report.other_curves.clear();
    // The additional curve has one path in the graph and one in the legend.
    assert!(page.matches("<path").count() >= html(&report).matches("<path").count() + 2);
}

#[test]
fn has_no_judge_where_only_players_evaluated() {
    let game = "先手：gps\n後手：elmo\n1 ７六歩(77)\n** 100 -3334FU\n2 ３四歩(33)\n** 900 +2726FU\n3 ２六歩(27)\n** -20\n";
    let report = report(game, Lang::Ja);
    let names: Vec<_> = report
        .other_curves
        .iter()
        .map(|curve| curve.name.as_str())
        .collect();
    assert_eq!((names, report.decisive_moves.len()), (vec!["gps", "elmo"], 0));
    assert!(report.judge.starts_with("なし"), "{}", report.judge);
    let values: Vec<_> = report
        .positions()
        .map(|row| row.value.map(|(value, _)| value))
        .collect();
    assert_eq!(
        values,
        [
            None,
            Some(Value::Cp(100)),
            Some(Value::Cp(900)),
            Some(Value::Cp(-20))
        ]
    );
    assert_balanced(&html(&report));
}

#[test]
fn reports_a_game_without_evaluations() {
    let report = report(
        "下手：佐藤\n上手：鈴木\n手合割：二枚落ち\n1 ６二銀(71)\n2 ７六歩(77)\n",
        Lang::Ja,
    );
    assert!(!report.is_analysed());
    assert_eq!(
        summary(&report),
        "佐藤 対 鈴木\n手合割：二枚落ち\n途中まで（2手）\n"
    );
    let page = html(&report);
    assert!(
        page.contains("評価値がありません") && !page.contains("<svg"),
        "{page}"
    );
    assert_balanced(&page);
    let empty = Report::new(&Document::default(), &GameReview::default(), Lang::En);
    assert!(html(&empty).contains("0 moves"));
}

/// Returns a game in which all texts except the moves are foreign.
fn foreign_game(foreign: &str) -> Record {
    let mut record = record("1 ７六歩(77)\n2 ３四歩(33)\n3 中断\n\n変化：2手\n2 ８四歩(83)\n");
    let foreign = format!("x{foreign}x");
    for key in ["先手", "後手", "棋戦", &foreign] {
        record.headers_mut().push((key.to_owned(), foreign.clone()));
    }
    let nodes: Vec<NodeId> = record.all().collect();
    for node in nodes {
        let texts = record.node_mut(node).notes_mut();
        texts.comment = Some(foreign.clone());
        texts.bookmark = Some(foreign.clone());
    }
    record
}

fn page_with_texts(foreign: &str) -> String {
    let mut document = Document::new(foreign_game(foreign));
    let mut insight = RecordInsight::default();
    assert!(insight.update(&document));
    let end = shogibar_kifu::End::new(
        shogibar_kifu::Reason::Other,
        shogibar_kifu::Outcome::Draw,
        foreign,
    );
    document.go_to(usize::MAX);
    document.end(end);
    html(&Report::from_document(&document, &insight, Lang::Ja))
}

fn tags(page: &str) -> Vec<&str> {
    page.split('<')
        .skip(1)
        .map(|tag| tag.split_once('>').expect("every tag ends").0)
        .collect()
}

#[test]
fn escapes_scripts_in_names() {
    let page = page_with_texts("</title><script>alert(1)</script>\"'><img src=x onerror=alert(1)>");
    assert!(!page.contains("<script") && !page.contains("<img"));
    assert_eq!(tags(&page), tags(&page_with_texts("a")));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.div_ceil(4)))]
    #[test]
    fn record_texts_never_become_markup(foreign in any::<String>()) {
        let (page, plain) = (page_with_texts(&foreign), page_with_texts("a"));
        prop_assert_eq!(tags(&page), tags(&plain));
    }

    #[test]
    fn draws_any_values(cps in proptest::collection::vec(any::<i32>(), 5), k in any::<f64>()) {
        let mut record = record("1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n4 同　銀(31)\n");
        let nodes: Vec<NodeId> = record.all().collect();
        for (node, cp) in nodes.into_iter().zip(cps) {
            record.node_mut(node).notes_mut().comment = Some(format!("*評価値={cp}"));
        }
        let review = GameReview::new(&record, |_| None, |_| WinRateModel::new(k));
        let page = html(&Report::new(&Document::new(record), &review, Lang::Ja));
        prop_assert!(!page.contains("NaN") && !page.contains("inf"));
        assert_balanced(&page);
    }
}

#[test]
fn diagram_shows_drops_and_promoted_pieces() {
    let mut report = report(GAME_KIF, Lang::Ja);
    let sfen = "l5+R1l/2+B1g1k2/p2p+P1pp1/2p1S1p1p/1p3+sP2/P1P3+p1P/1P1P+l2+n1/1G1K5/L6+rN w GSNPb2gsn2p 88";
    let turn = &mut report.decisive_moves[0];
    turn.position_before = Position::from_sfen(sfen).unwrap();
    turn.best_move = Move::from_usi("G*5h");
    let page = html(&report);
    for text in ["龍", "全", "杏", "圭", ">2</text>", "先手の持駒 金　銀　桂　歩"] {
        assert!(page.contains(text), "{text}");
    }
    assert_balanced(&page);
    report.decisive_moves[0].best_move = None;
    assert!(
        html(&report).matches("<path").count() < page.matches("<path").count(),
        "the best move is drawn"
    );
}
