use super::*;
use shogibar_kifu::{Outcome, Reason, Target};

const GAME: &str = "手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 投了\n\
    \n変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n\n変化：2手\n2 ４四歩(43)\n";

fn document(text: &str) -> Document {
    Document::new(shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0))
}

fn mv(usi: &str) -> Move {
    Move::from_usi(usi).unwrap()
}

/// Returns the current line in USI, with `|` at the current node.
fn line(document: &Document) -> String {
    let word = |id: &NodeId| {
        document
            .record
            .node(*id)
            .mv()
            .map_or_else(|| "end".to_owned(), |mv| mv.to_string())
    };
    let mut words: Vec<_> = document.line().iter().map(word).collect();
    words.insert(document.ply(), "|".to_owned());
    words.join(" ")
}

fn written(document: &Document) -> String {
    String::from_utf8(shogibar_kifu::write(document.record(), Target::Jkf).bytes).unwrap()
}

#[test]
fn headers_are_one_change_that_can_be_undone() {
    let mut document = document("棋戦：研究会\n先手：山田\n1 ７六歩(77)\n");
    let before = written(&document);
    document.set_headers(
        ["山田", "鈴木"],
        &[("棋戦", "順位戦"), ("場所", "大阪"), ("開始日時", "")],
        None,
    );
    let record = document.record();
    assert_eq!(
        ["棋戦", "場所", "開始日時", "後手"].map(|key| record.header(key)),
        [Some("順位戦"), Some("大阪"), None, Some("鈴木")]
    );
    for target in [
        Target::Kifu,
        Target::Ki2u,
        Target::Csa,
        Target::Csa3,
        Target::Jkf,
        Target::Psn,
    ] {
        let text = String::from_utf8(shogibar_kifu::write(record, target).bytes).unwrap();
        let again = shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0);
        assert_eq!(
            (again.header("棋戦"), again.header("場所")),
            (Some("順位戦"), Some("大阪")),
            "{target}"
        );
    }
    document.undo();
    assert_eq!(written(&document), before);
    let revision = document.revision();
    document.set_headers(["山田", ""], &[("棋戦", "研究会")], None);
    assert_eq!(document.revision(), revision, "nothing is new");
}

#[test]
fn current_line_keeps_the_last_variation() {
    let mut document = document(GAME);
    assert_eq!(line(&document), "| 7g7f 3c3d 2g2f end");
    document.go_to(2);
    document.go_to_sibling(true);
    assert_eq!(line(&document), "7g7f 8c8d | 2g2f");
    document.go_to(1);
    assert_eq!(
        line(&document),
        "7g7f | 8c8d 2g2f",
        "and not back to the main line"
    );
    document.go_to(usize::MAX);
    assert_eq!(line(&document), "7g7f 8c8d 2g2f |");
    document.go_to_branch(false);
    assert_eq!(line(&document), "7g7f 8c8d | 2g2f");
    document.go_to_branch(false);
    assert_eq!(line(&document), "| 7g7f 8c8d 2g2f");
    document.go_to_branch(true);
    document.go_to_sibling(true);
    document.go_to_sibling(true);
    assert_eq!(
        line(&document),
        "7g7f 4c4d |",
        "the last variation has no next one"
    );
}

#[test]
fn new_record_has_a_new_revision() {
    let mut document = document(GAME);
    let first = document.revision();
    document.open(
        shogibar_kifu::read(GAME.replace("２六歩(27)", "６六歩(67)").as_bytes())
            .unwrap()
            .games
            .remove(0),
    );
    assert_ne!(
        document.revision(),
        first,
        "data derived from the other record are not valid"
    );
    assert_eq!(
        (document.first_revision(), document.is_changed()),
        (document.revision(), false)
    );
    document.play(mv("2g2f")).unwrap();
    assert_ne!(document.first_revision(), document.revision());
}

#[test]
fn play_goes_to_or_adds_a_move() {
    let mut document = document(GAME);
    document.play(mv("7g7f")).unwrap();
    document.play(mv("8c8d")).unwrap();
    assert!(!document.is_changed(), "the record has them");
    document.play(mv("6g6f")).unwrap();
    assert_eq!(
        (line(&document).as_str(), document.is_changed()),
        ("7g7f 8c8d 6g6f |", true)
    );
    assert!(
        matches!(document.play(mv("6f6e")), Err(MoveRefusal::Illegal(_))),
        "White is to move"
    );
    document.undo();
    assert_eq!(
        (line(&document).as_str(), document.is_changed()),
        ("7g7f 8c8d | 2g2f", false)
    );
    document.redo();
    assert_eq!(line(&document), "7g7f 8c8d 6g6f |");
    assert!(!document.can_redo());
}

#[test]
fn move_after_the_end_becomes_a_variation() {
    let mut document = document(GAME);
    document.go_to(usize::MAX);
    assert!(document.is_at_end());
    document.play(mv("8c8d")).unwrap();
    assert_eq!(line(&document), "7g7f 3c3d 2g2f 8c8d |");
    document.undo();
    assert_eq!(
        line(&document),
        "7g7f 3c3d 2g2f end |",
        "the end is on view as before"
    );
}

#[test]
fn deleting_the_current_node_goes_to_its_parent() {
    let mut document = document(GAME);
    let before = written(&document);
    document.go_to(3);
    let second = document.line()[1];
    document.delete(second);
    assert_eq!(line(&document), "7g7f | 8c8d 2g2f");
    document.delete_after(document.current());
    assert_eq!(line(&document), "7g7f |");
    document.delete(NodeId::START);
    assert_eq!(line(&document), "7g7f |", "the start stays");
    document.undo();
    document.undo();
    assert_eq!(
        (line(&document).as_str(), written(&document)),
        ("7g7f 3c3d 2g2f | end", before)
    );
}

#[test]
fn typing_a_comment_is_one_change() {
    let mut document = document(GAME);
    let node = document.line()[0];
    for text in ["よ", "よい", "よい手"] {
        document.set_comment(node, text);
    }
    document.go_to(1);
    document.set_comment(node, "よい手。");
    assert_eq!(document.record().node(node).comment(), Some("よい手。"));
    document.undo();
    assert_eq!(document.record().node(node).comment(), Some("よい手"));
    document.undo();
    assert_eq!(
        (document.record().node(node).comment(), document.is_changed()),
        (None, false)
    );
}

#[test]
fn each_mark_is_a_change_of_its_own() {
    let mut document = document(GAME);
    let node = document.line()[0];
    let mark = |word: &str| shogibar_kifu::board_mark::read(&format!("#矢印={word}"))[0];
    let comment = |document: &Document| document.record().node(node).comment().map(str::to_owned);
    document.go(node);
    document.set_comment(node, "よい");
    document.toggle_mark(node, mark("7g7f:1"));
    document.toggle_mark(node, mark("5e:3"));
    document.set_comment(node, "よい手\n#矢印=7g7f:1 5e:3");
    assert_eq!(document.allows(CommandCondition::HasMarks), Some(true));
    document.clear_marks(node);
    assert_eq!(comment(&document).as_deref(), Some("よい手"));
    assert_eq!(document.allows(CommandCondition::HasMarks), Some(false));
    let mut undone = Vec::new();
    while document.can_undo() {
        document.undo();
        undone.push(comment(&document).unwrap_or_default());
    }
    let expected = [
        "よい手\n#矢印=7g7f:1 5e:3",
        "よい\n#矢印=7g7f:1 5e:3",
        "よい\n#矢印=7g7f:1",
        "よい",
        "",
    ];
    assert_eq!(undone, expected);
    assert!(!document.is_changed());
    (0..2).for_each(|_| document.redo());
    assert_eq!(comment(&document).as_deref(), Some("よい\n#矢印=7g7f:1"));
    assert!(document.undoes_comment() && document.is_changed());
}

#[test]
fn saved_revision_is_distinguished() {
    let mut document = document(GAME);
    document.play(mv("2g2f")).unwrap();
    document.set_saved(document.revision());
    assert!(!document.is_changed());
    document.undo();
    assert!(document.is_changed(), "the file has the undone move");
    document.redo();
    assert!(!document.is_changed());
    document.undo();
    document.play(mv("2g2f")).unwrap();
    assert!(document.is_changed(), "an equal change has another revision");
}

#[test]
fn insert_adds_the_legal_part_of_a_line() {
    let mut document = document(GAME);
    document.insert(NodeId::START, &["7g7f", "8c8d", "6g6f", "8d8e", "9i1a"].map(mv));
    assert_eq!(line(&document), "| 7g7f 3c3d 2g2f end", "the game stays on view");
    let count = document.record().all().count();
    document.undo();
    assert_eq!(document.record().all().count(), count - 2, "one change");
    document.redo();
    for usi in ["7g7f", "8c8d", "6g6f", "8d8e"] {
        document.play(mv(usi)).unwrap();
    }
    assert_eq!(
        (document.record().all().count(), line(&document).as_str()),
        (count, "7g7f 8c8d 6g6f 8d8e |")
    );
}

#[test]
fn end_replaces_an_existing_end() {
    let resigned = || {
        End::new(
            Reason::Resignation,
            Outcome::Win(shogibar_shogi::Color::Black),
            "投了",
        )
    };
    let mut document = document(GAME);
    let (before, record) = (written(&document), document.record().clone());
    document.go_to(3);
    document.end(resigned());
    assert_eq!(
        line(&document),
        "7g7f 3c3d 2g2f end |",
        "the end replaces the former one"
    );
    document.undo();
    assert_eq!(written(&document), before);
    assert_eq!(document.record(), &record, "a detached node does not count");
    document.go_to(1);
    document.end(resigned());
    assert_eq!(line(&document), "7g7f end |");
    document.undo();
    assert_eq!(written(&document), before);
}

#[test]
fn follow_keeps_the_tip_or_the_current_node() {
    let grown = "手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 ８四歩(83)\n";
    let began = "手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n";
    let other = "手数----指手---------消費時間--\n1 ７六歩(77)\n2 ４四歩(43)\n3 ２六歩(27)\n";
    let read = |text: &str| document(text).record().clone();
    let check = |ply, then, expect| {
        let mut document = document(began);
        document.go_to(ply);
        let revision = document.revision();
        document.replace_with_newer(read(then));
        assert_eq!(line(&document), expect);
        assert!(!document.is_changed() && document.revision() != revision);
    };
    check(2, grown, "7g7f 3c3d 2g2f 8c8d |");
    check(1, grown, "7g7f | 3c3d 2g2f 8c8d");
    check(0, grown, "| 7g7f 3c3d 2g2f 8c8d");
    check(2, other, "7g7f 4c4d 2g2f |");
    let with_variation = |text: &str| format!("{text}\n変化：2手\n2 ８四歩(83)\n");
    let mut document = document(&with_variation(began));
    document.go_to(2);
    document.go_to_sibling(true);
    document.replace_with_newer(read(&with_variation(grown)));
    assert_eq!(
        line(&document),
        "7g7f 8c8d |",
        "the current variation stays current"
    );
    check(1, other, "7g7f | 4c4d 2g2f");
}

/// Returns the comments at the moves of the current line.
fn comments(document: &Document) -> Vec<&str> {
    let moves = document
        .line()
        .iter()
        .filter(|node| document.record.node(**node).mv().is_some());
    moves
        .map(|node| document.record.node(*node).comment().unwrap_or_default())
        .collect()
}

#[test]
fn analysis_is_one_change_across_navigation() {
    let mut document = document(GAME);
    let nodes: [NodeId; 3] = document.line()[..3].try_into().unwrap();
    for (ply, node) in nodes.into_iter().enumerate() {
        document.annotate(node, "見".to_owned());
        document.go_to(ply);
        document.go(node);
    }
    document.finish_analysis();
    assert_eq!(comments(&document), ["見"; 3]);
    document.undo();
    assert_eq!((comments(&document), document.can_undo()), (vec![""; 3], false));
    document.redo();
    assert_eq!(comments(&document), ["見"; 3]);
}

#[test]
fn user_changes_lie_beneath_analysis_results() {
    let mut document = document(GAME);
    let [one, two, three] = document.line()[..3] else {
        panic!()
    };
    document.set_comment(one, "よ");
    document.annotate(two, "見".to_owned());
    document.set_comment(one, "よい");
    document.annotate(three, "見".to_owned());
    document.set_comment(one, "よい手");
    let (typed, revision) = (vec!["よい手", "見", "見"], document.revision());
    document.undo();
    assert_eq!(
        (comments(&document), document.can_undo()),
        (vec!["", "見", "見"], false),
        "a word is one change"
    );
    assert!(document.is_changed() && document.revision() != revision);
    document.annotate(three, "見た".to_owned());
    assert!(
        document.can_redo(),
        "results of an analysis do not clear the changes to redo"
    );
    document.annotate(three, "見".to_owned());
    document.redo();
    assert_eq!(comments(&document), typed);
    document.finish_analysis();
    document.undo();
    assert_eq!(comments(&document), ["よい手", "", ""]);
    document.undo();
    assert_eq!((comments(&document), document.is_changed()), (vec![""; 3], false));
    document.redo();
    document.redo();
    assert_eq!(comments(&document), typed);
}

#[test]
fn replace_deletes_the_old_move() {
    let mut document = document(GAME);
    document.go_to(0);
    let old = document.line()[0];
    let before = document.record().all().count();
    document.play(Move::from_usi("2g2f").unwrap()).unwrap();
    let new = document.current();
    document.replace(old, new);
    assert_eq!((document.current(), document.line()), (new, &[new][..]));
    assert_eq!(
        document.record().all().count(),
        2,
        "what followed the old move is gone"
    );
    document.undo();
    document.undo();
    assert_eq!(
        (document.record().all().count(), document.is_changed()),
        (before, false)
    );
}

#[test]
fn players_and_start_are_one_change() {
    let mut document = Document::default();
    let start = shogibar_kifu::handicap("二枚落ち").unwrap();
    document.set_headers(["山田", "鈴木"], &[], Some(&start));
    assert_eq!(
        document.record().player(shogibar_shogi::Color::White),
        Some("鈴木")
    );
    assert_eq!(
        document.record().headers()[0],
        ("下手".to_owned(), "山田".to_owned())
    );
    assert_eq!(document.history().now().sfen(), start.sfen());
    document.undo();
    assert_eq!(
        (document.record().headers(), document.is_changed()),
        (&[][..], false)
    );
    assert_eq!(document.history().now().sfen(), Position::startpos().sfen());
    document.redo();
    document.play(document.history().now().legal_moves()[0]).unwrap();
    document.set_headers(["山田", ""], &[], Some(&Position::startpos()));
    assert_eq!(
        document.record().start().sfen(),
        start.sfen(),
        "a game under way keeps its start"
    );
    assert_eq!(document.record().player(shogibar_shogi::Color::White), None);
    let revision = document.revision();
    document.set_headers(["山田", ""], &[], None);
    assert_eq!(document.revision(), revision, "nothing was changed");
}

#[test]
fn undo_of_a_shared_comment_affects_both() {
    let mut document = document(GAME);
    let one = document.line()[0];
    document.set_comment(one, "よ");
    document.annotate(one, "よ\n見".to_owned());
    document.set_comment(one, "よい\n見");
    assert!(!document.take_changed_beneath());
    document.undo();
    assert_eq!(comments(&document)[0], "");
    assert!(
        document.take_changed_beneath() && !document.take_changed_beneath(),
        "the flag is reset by the query"
    );
    document.annotate(one, "見".to_owned());
    document.redo();
    assert_eq!(comments(&document)[0], "よい\n見");
    document.undo();
    document.annotate(one, "見".to_owned());
    document.finish_analysis();
    document.undo();
    assert_eq!((comments(&document)[0], document.is_changed()), ("", false));
    assert!(!document.can_undo());
}
