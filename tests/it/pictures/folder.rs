//! Pictures of the page for the analysis of a folder.

use super::*;
use eframe::egui::Frame as EguiFrame;
use shogibar_games::analysis::{MoveStats, SideSummary};
use shogibar_games::folder::{FolderProgress, ResultRow};
use shogibar_games::folder_text::FolderPhrase;
use shogibar_ui::folder::{FolderPage, FolderRunState, FolderView};
use std::time::Duration;

fn rows(lang: Lang) -> Vec<ResultRow> {
    let side = |mean_loss, marks| {
        let stats =
            MoveStats { moves: 50, mean_loss: Some(mean_loss), choices: 25, judged_moves: 50, ..MoveStats::default() };
        SideSummary { moves: 50, stats, marks, accuracy: Some(100.0 - mean_loss), ..SideSummary::default() }
    };
    let row = |file: &str, game, players: [&str; 2], result: [&str; 2]| ResultRow {
        file: file.to_owned(),
        game,
        record: PathBuf::new(),
        report: String::new(),
        date: "2026/11/22".to_owned(),
        event: String::new(),
        players: players.map(str::to_owned),
        result: result[usize::from(lang == Lang::En)].to_owned(),
        moves: 113,
        sides: [side(2.1, [4, 3, 2, 0]), side(5.7, [8, 6, 3, 1])],
        decisive_moves: Vec::new(),
        turns: Vec::new(),
        judge: String::new(),
    };
    let won = ["113手まで、先手の勝ち（投了）", "Black wins (resigned) · 113 moves"];
    let drawn = ["88手まで、千日手", "Repetition · 88 moves"];
    vec![
        row("2026/順位戦/佐藤-鈴木.kif", None, ["佐藤 一郎", "鈴木 花子"], won),
        row("2026/順位戦/高橋-田中.kif", None, ["高橋 健", "田中 由美"], drawn),
        row("floodgate/wdoor+2026-11-22.csa", Some(12), ["YaneuraOu_NNUE_9", "Fairy-Stockfish-11.1-long-name"], won),
    ]
}

fn page(lang: Lang, is_night: bool, running: Option<FolderRunState>, has_rows: bool) -> ColorImage {
    let (film, mut page, theme) = (Film::default(), FolderPage::default(), theme::of_pages(is_night));
    page.set_input(Path::new("/home/sato/棋譜"));
    let rows = if has_rows { rows(lang) } else { Vec::new() };
    let problems = if has_rows { vec!["/home/sato/棋譜/x.kif".to_owned()] } else { Vec::new() };
    let engines = ["水匠 5".to_owned(), "builtin".to_owned()];
    let mut window = Harness::builder()
        .with_size(vec2(1016.0, 516.0))
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .renderer(film.clone())
        .build_ui(|ui| {
            ui.ctx().set_visuals(shogibar_ui::theme::visuals(&theme));
            *ui.visuals_mut() = shogibar_ui::theme::visuals(&theme);
            let games = [rows.len(), if running.is_some() { 120 } else { rows.len() }];
            let remaining = Some(Duration::from_secs(3723));
            let progress =
                FolderProgress { games, positions: [340, 12_000], remaining_time: remaining, is_paused: false };
            let view = FolderView {
                engines: &engines,
                run_state: running,
                outcome_text: if has_rows && running.is_none() { FolderPhrase::Finished.text(lang) } else { "" },
                progress: has_rows.then_some(progress),
                rows: &rows,
                problems: &problems,
            };
            EguiFrame::NONE.fill(theme.panel.to_opaque()).show(ui, |ui| page.show(ui, &view, &theme, lang));
        });
    window.run_steps(10);
    film.picture(&window)
}

#[test]
fn pictures_of_the_folder_page() {
    let rows = [
        vec![page(Lang::Ja, false, None, false), page(Lang::En, false, Some(FolderRunState::Running), true)],
        vec![page(Lang::Ja, true, None, true), page(Lang::Ja, false, Some(FolderRunState::Paused), true)],
    ];
    check([("folder-page".to_owned(), contact_sheet(&rows))]);
}
