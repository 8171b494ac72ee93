//! Tests of the page, by the names that a screen reader reads.

use super::*;
use crate::{fonts, theme};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shogibar_games::analysis::{MoveStats, SideSummary};

/// A page with its inputs, and the actions that it returned.
struct FolderFixture {
    page: FolderPage,
    run_state: Option<FolderRunState>,
    rows: Vec<ResultRow>,
    problems: Vec<String>,
    lang: Lang,
    actions: Vec<FolderAction>,
}

/// Opens a window with the page: the state of the analysis, and a number of analysed games.
fn folder_page(run_state: Option<FolderRunState>, row_count: usize) -> Harness<'static, FolderFixture> {
    let side = SideSummary {
        moves: 50,
        stats: MoveStats {
            moves: 50,
            mean_loss: Some(3.25),
            choices: 25,
            judged_moves: 50,
            ..MoveStats::default()
        },
        marks: [4, 3, 2, 1],
        accuracy: Some(96.75),
        ..SideSummary::default()
    };
    let row = |number: usize| ResultRow {
        file: format!("順位戦/{number}.kif"),
        game: None,
        record: format!("/out/{number}.kif").into(),
        report: String::new(),
        date: String::new(),
        event: String::new(),
        players: ["佐藤".to_owned(), "鈴木".to_owned()],
        result: "113手まで、先手の勝ち（投了）".to_owned(),
        moves: 113,
        sides: [side, side],
        decisive_moves: Vec::new(),
        judge: String::new(),
        motifs: Default::default(),
    };
    let fixture = FolderFixture {
        page: FolderPage::default(),
        run_state,
        rows: (0..row_count).map(row).collect(),
        problems: vec!["x.kif: no record".to_owned()],
        lang: Lang::En,
        actions: Vec::new(),
    };
    Harness::builder()
        .with_size([1200.0, 800.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(
            |ui, fixture: &mut FolderFixture| {
                let engines = ["水匠".to_owned(), "builtin".to_owned()];
                let games = [fixture.rows.len(), 5000];
                let progress = FolderProgress {
                    games,
                    positions: [20, 100],
                    ..FolderProgress::default()
                };
                let view = FolderView {
                    engines: &engines,
                    run_state: fixture.run_state,
                    outcome_text: "",
                    progress: Some(progress),
                    rows: &fixture.rows,
                    problems: &fixture.problems,
                };
                let actions = fixture
                    .page
                    .show(ui, &view, &theme::of_pages(false), fixture.lang);
                fixture.actions.extend(actions);
            },
            fixture,
        )
}

#[test]
fn an_analysis_starts_with_the_chosen_folders_engine_and_limit() {
    let mut page = folder_page(None, 0);
    assert!(page.get_by_label("Start").accesskit_node().is_disabled());
    page.state_mut().page.set_input(Path::new("/games/"));
    page.run();
    page.get_by_label("nodes").click();
    page.run();
    page.get_by_label("Start").click();
    page.run();
    let expected = AnalysisOptions {
        engines: vec!["水匠".to_owned()],
        limit: Limit::Nodes(1_000_000),
        ..AnalysisOptions::default()
    };
    let begun = FolderAction::Begin("/games/".into(), "/games-analysed".into(), Box::new(expected));
    assert_eq!(page.state().actions, [begun]);
    page.state_mut().page.set_output(Path::new("/mine"));
    page.state_mut().page.set_input(Path::new("/others"));
    assert_eq!(page.state().page.output, "/mine", "the user's choice stays");
}

#[test]
fn a_running_analysis_can_be_paused_and_ended_and_a_game_opened() {
    let mut page = folder_page(Some(FolderRunState::Running), 3000);
    for label in ["Pause", "Stop", "順位戦/1.kif"] {
        page.get_by_label(label).click();
        page.run();
    }
    let expected = [
        FolderAction::TogglePause,
        FolderAction::Cancel,
        FolderAction::Open("/out/1.kif".into()),
    ];
    assert_eq!(page.state().actions, expected);
    assert!(
        page.query_by_label("順位戦/2900.kif").is_none(),
        "only the rows in view are drawn"
    );
    page.get_by_label_contains("game 3000 of 5000");
    page.state_mut().run_state = Some(FolderRunState::Paused);
    page.run();
    page.get_by_label("Resume");
}

#[test]
fn table_fits_the_window() {
    for width in [880.0, 1320.0] {
        let mut page = folder_page(None, 20);
        page.set_size(egui::vec2(width, 840.0));
        page.run();
        let rects: Vec<_> = [
            "☗ Mean loss",
            "☗ ~ / ?! / ? / ??",
            "☖ Mean loss",
            "☖ ~ / ?! / ? / ??",
        ]
        .map(|heading| page.get_by_label(heading).rect())
        .into();
        assert!(
            rects.windows(2).all(|pair| pair[0].right() < pair[1].left()),
            "{width}: {rects:?}"
        );
        assert!(
            rects.iter().all(|rect| rect.right() <= width - 24.0),
            "{width}: {rects:?}"
        );
    }
}

#[test]
fn columns_fill_the_room_and_keep_their_minimum_width() {
    let check = |mut widths: [f32; 4], room: f32, expect: [i32; 4]| {
        table::scale_widths(&mut widths, room);
        #[expect(clippy::cast_possible_truncation, reason = "a width of some hundred points")]
        let rounded = widths.map(|width| width.round() as i32);
        assert_eq!(rounded, expect, "{room}");
    };
    // Missing names take only the room of their headings.
    check([270.0, 48.0, 50.0, 274.0], 400.0, [150, 48, 50, 152]);
    check([100.0; 4], 200.0, [78; 4]);
    check([100.0, 200.0, 100.0, 100.0], 1000.0, [200, 400, 200, 200]);
}
