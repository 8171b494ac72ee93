//! Tests of the layout of the page.

use super::*;
use crate::page_tabs::MainPage;
use shogibar_config::command_text;
use shogibar_games::analysis::AnalysisStage;

/// Returns the rectangles of widgets of the page.
fn rects(page: &Harness<'static, StudyFixture>) -> Vec<(&'static str, Rect)> {
    let labels = [
        "開く",
        "保存",
        "その他",
        "7七　先手の歩",
        "0 開始局面",
        "1手進む",
        "コメント",
        "グラフの表示",
    ];
    labels
        .into_iter()
        .map(|label| (label, page.get_all_by_label(label).next().expect(label).rect()))
        .collect()
}

#[test]
fn questions_and_notices_move_nothing() {
    for size in [vec2(1320.0, 880.0), vec2(880.0, 600.0)] {
        let mut page = page();
        page.set_size(size);
        page.run();
        let before = rects(&page);
        let questions = [
            StudyQuestion::Save {
                games: 3,
                unsaved_at_quit: Some(4),
            },
            StudyQuestion::SaveDespite("別のプログラムが書いています。".to_owned()),
            StudyQuestion::Recover(2, Some("game.kif".to_owned())),
        ];
        for question in questions {
            page.state_mut().question = Some(question);
            page.run();
            assert_eq!(rects(&page), before);
        }
        page.state_mut().notice = Some(bar::BarNotice::new("保存しました。".to_owned()));
        page.run();
        assert_eq!(rects(&page), before);
        let [question, notice] = ["すべて捨てる", "閉じる"].map(|label| page.get_by_label(label).rect());
        assert!(
            question.bottom() < notice.top(),
            "the one does not lie over the other"
        );
    }
}

#[test]
fn analysis_progress_moves_nothing() {
    for lang in [Lang::Ja, Lang::En] {
        for width in [1320.0, 880.0] {
            let mut page = open(fixture(lang));
            page.set_size(vec2(width, 600.0));
            page.run();
            // On a narrow page, the progress replaces the last buttons. Meanwhile these commands are in the menu.
            let commands = [Command::Open, Command::Save, Command::Paste, Command::Analyse];
            let count = if width < 1000.0 { 2 } else { 4 };
            let all = |page: &Harness<'static, StudyFixture>| {
                let rect = |command: &Command| page.get_by_label(command_text(*command, lang)).rect();
                commands.iter().take(count).map(rect).collect::<Vec<_>>()
            };
            let before = all(&page);
            let left = Some(std::time::Duration::from_secs(4000));
            let (stage, engines) = (AnalysisStage::Running, Vec::new());
            page.state_mut().analysis = Some(Progress {
                stage,
                total: 200,
                done_searches: 100,
                second_pass: [0, 0],
                searched_positions: 4,
                remaining_time: left,
                engines,
            });
            page.run_steps(3);
            assert_eq!(all(&page), before);
            let more = page
                .get_all_by_label(StudyPhrase::More.text(lang))
                .next()
                .unwrap()
                .rect();
            let bar = page
                .get_by_role_and_label(Role::ProgressIndicator, StudyPhrase::Analysing.text(lang))
                .rect();
            let end = page.get_by_label(StudyPhrase::End.text(lang)).rect();
            let last = all(&page).last().unwrap().right();
            assert!(
                last < bar.left() && end.right() < more.left(),
                "{lang:?} {width}: {more} {bar} {end}"
            );
            assert!(more.right() < width, "{lang:?} {width}: {more}");
        }
    }
}

#[test]
fn small_board_shows_the_last_move_in_full() {
    let game = "position sfen 4k4/9/2+P1G1G2/9/9/9/9/9/4K4 b 2G 1 moves 3c4b";
    for size in [vec2(220.0, 320.0), vec2(380.0, 530.0)] {
        let mut page = page();
        page.state_mut().document =
            Document::new(shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0));
        page.state_mut().document.go_to(1);
        page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::M);
        page.set_size(size);
        page.run();
        let screen = Rect::from_min_size(egui::Pos2::ZERO, size);
        let title = page.get_by_label_contains("1手目").rect();
        let others = [
            "その他",
            "小さな盤にする・戻す",
            "最初へ",
            "1手戻る",
            "1手進む",
            "最後へ",
        ];
        for other in others.map(|label| page.get_by_label(label).rect()) {
            assert!(
                screen.contains_rect(other) && !other.shrink(1.0).intersects(title),
                "{size}: {other} {title}"
            );
        }
        let field = page
            .get_by_role_and_label(Role::TextInput, "指し手を入力（76歩、7g7f）")
            .rect();
        assert!(
            screen.contains_rect(field) && field.width() >= 36.0,
            "{size}: {field}"
        );
    }
}

#[test]
fn last_move_has_the_largest_size_that_fits() {
    let ctx = egui::Context::default();
    ctx.set_fonts(fonts::definitions());
    let mut sizes = Vec::new();
    let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
        sizes = [400.0, 150.0, 100.0]
            .map(|width| crate::study::board_panel::fitting_size(ui, "128手目　△6三成銀右", width))
            .to_vec();
        for (size, width) in sizes.iter().zip([400.0, 150.0, 100.0]) {
            let galley = ui.painter().layout_no_wrap(
                "128手目　△6三成銀右".to_owned(),
                TextWeight::Bold.at(*size),
                egui::Color32::BLACK,
            );
            assert!(galley.size().x <= width, "{size}");
        }
    });
    output.textures_delta.clear();
    assert!(
        sizes.windows(2).all(|pair| pair[0] > pair[1]) && sizes[0] > 14.0,
        "{sizes:?}"
    );
}

#[test]
fn pages_and_tools_are_in_one_row_in_both_languages() {
    for lang in [Lang::Ja, Lang::En] {
        for width in [1320.0, 880.0] {
            let mut page = open(fixture(lang));
            page.set_size(vec2(width, 600.0));
            page.run();
            let tools = [Command::Open, Command::Save, Command::Paste, Command::Analyse];
            let labels = [MainPage::Study, MainPage::Engines, MainPage::Settings]
                .map(|page| page.text(lang))
                .into_iter();
            let labels: Vec<_> = labels
                .chain(tools.map(|command| command_text(command, lang)))
                .collect();
            let mut left = 0.0;
            for label in labels {
                let rect = page.get_all_by_label(label).next().expect(label).rect();
                assert!(
                    rect.left() >= left && rect.bottom() <= 60.0 && rect.right() < width,
                    "{label} {width}: {rect}"
                );
                left = rect.right();
            }
        }
    }
    let mut page = page();
    click(&mut page, "エンジン");
    click(&mut page, "設定");
    click(&mut page, "オーバーレイ表示中");
    let run = [Command::Engines, Command::Settings, Command::HideBar].map(StudyAction::Command);
    assert_eq!(take_actions(&mut page), run);
}
