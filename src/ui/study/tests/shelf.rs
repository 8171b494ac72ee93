//! Tests of the shelf.

use super::*;
use shogibar_kifu::Outcome;
use shogibar_shelf::{NextMove, ShelfAnswer, ShelfCounts, ShelfHit, ShelfKey, ShelfQuery};
use shogibar_shogi::Color;
use shogibar_shogi::score::Value;

/// The shelf's data for the page.
#[derive(Debug, Default)]
pub(super) struct ShelfFixture {
    folders: Vec<String>,
    reading: Option<[usize; 2]>,
    answer: Option<(ShelfQuery, ShelfAnswer)>,
}

impl ShelfFixture {
    pub(super) fn view(&self) -> ShelfView<'_> {
        ShelfView {
            folders: &self.folders,
            counts: ShelfCounts {
                files: 2,
                games: 3,
                positions: 300,
                bytes: 6000,
            },
            reading: self.reading,
            unreadable_count: 1,
            problems: &[],
            problem: None,
            answer: self.answer.as_ref().map(|(query, answer)| (query, answer)),
        }
    }
}

fn shelf_page(shelf: ShelfFixture) -> Harness<'static, StudyFixture> {
    let mut page = open(StudyFixture {
        shelf,
        ..fixture(Lang::Ja)
    });
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::J);
    page.run();
    page
}

fn has(page: &Harness<'static, StudyFixture>, label: &str) -> bool {
    page.query_all_by_label(label).next().is_some()
}

/// An answer about the start position: two games with a move, and one that ended.
fn answer() -> ShelfAnswer {
    let mv = |mv: &str| Move::from_usi(mv);
    let next = |next, count, results, value| NextMove {
        mv: next,
        count,
        results,
        value,
    };
    let hit = |path: &str, next, result, date| ShelfHit {
        path: path.to_owned(),
        number: 2,
        ply: 0,
        next_move: next,
        value: None,
        result,
        players: ["甲", "乙"].map(str::to_owned),
        date,
    };
    ShelfAnswer {
        count: 3,
        results: [0, 1, 1, 1],
        moves: vec![
            next(mv("7g7f"), 2, [0, 1, 1, 0], Some(Value::Cp(35))),
            next(None, 1, [0, 0, 0, 1], None),
        ],
        hits: vec![
            hit(
                "/games/a.kif",
                mv("7g7f"),
                Outcome::Win(Color::Black),
                Some(20_261_127),
            ),
            hit("/games/b.kif", None, Outcome::Draw, None),
        ],
    }
}

#[test]
fn a_folder_is_named_before_anything_is_read() {
    let mut page = shelf_page(ShelfFixture::default());
    assert!(has(&page, "棋譜の棚") && has(&page, "フォルダーを選ぶ…") && !has(&page, "棋譜"));
    click(&mut page, "フォルダーを選ぶ…");
    page.get_by_label("棋譜のフォルダー").focus();
    page.run();
    page.get_by_label("棋譜のフォルダー").type_text("/games");
    page.run();
    click(&mut page, "追加");
    let wanted = [
        ShelfRequest::ChooseFolder,
        ShelfRequest::SetFolders(vec!["/games".to_owned()]),
    ];
    assert_eq!(take_actions(&mut page), wanted.map(StudyAction::Shelf));
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::J);
    page.run();
    assert!(
        !has(&page, "棋譜の棚") && has(&page, "棋譜"),
        "the same key closes it"
    );
}

#[test]
fn next_moves_and_games_are_shown_and_opened() {
    let folders = vec!["/games".to_owned(), "/more".to_owned()];
    let query = ShelfQuery::new(ShelfKey::from_position(&Position::startpos()), 200);
    let mut page = shelf_page(ShelfFixture {
        folders,
        answer: Some((query, answer())),
        reading: None,
    });
    assert!(has(&page, "2ファイル、3局、300局面") && has(&page, "読めないものが1件あります。"));
    assert!(has(&page, "先手1勝、後手1勝、引き分け0、途中まで0") && has(&page, "+35"));
    assert!(has(&page, "3局（新しい順に2局を表示）"));
    click(&mut page, "甲 − 乙　引き分け　終局");
    click(&mut page, "2026-11-27　甲 − 乙　先手勝ち　▲7六歩");
    let [
        StudyAction::Shelf(ShelfRequest::Open(ended)),
        StudyAction::Shelf(ShelfRequest::Open(hit)),
    ] = &take_actions(&mut page)[..]
    else {
        panic!("two games")
    };
    assert_eq!([&*ended.path, &*hit.path], ["/games/b.kif", "/games/a.kif"]);
    click(&mut page, "フォルダー（2）");
    click(&mut page, "外す: /games");
    let rest = ShelfRequest::SetFolders(vec!["/more".to_owned()]);
    assert_eq!(take_actions(&mut page), [StudyAction::Shelf(rest)]);
    // The answer is of another position then.
    click(&mut page, "▲7六歩");
    assert_eq!(page.state().document.history().moves().len(), 1);
    assert!(has(&page, "2ファイル、3局、300局面") && !has(&page, "3局（新しい順に2局を表示）"));
}

#[test]
fn games_are_filtered_and_values_hidden() {
    let folders = vec!["/games".to_owned()];
    let query = ShelfQuery::new(ShelfKey::from_position(&Position::startpos()), 200);
    let shelf = ShelfFixture {
        folders,
        answer: Some((query, answer())),
        reading: Some([100, 500]),
    };
    let mut page = shelf_page(shelf);
    assert!(has(&page, "500ファイルのうち100ファイルを読みました。"));
    page.state_mut().bar.is_hidden = true;
    page.run();
    assert!(!has(&page, "+35") && has(&page, "先手1勝、後手1勝、引き分け0、途中まで0"));
    for (field, text) in [("対局者", "甲"), ("いつから", "x")] {
        page.get_by_label(field).focus();
        page.run();
        page.get_by_label(field).type_text(text);
        page.run();
        assert!(
            !has(&page, "3局（新しい順に2局を表示）"),
            "it is an answer without the filter"
        );
    }
    assert!(has(&page, "日付は 2026 や 2026-11-27 のように書いてください。"));
    let shown = page.state().page.shown_shelf(&Position::startpos());
    assert_eq!(shown, ShownShelf::Invalid);
}
