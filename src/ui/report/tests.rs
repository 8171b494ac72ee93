//! Tests of the picture of a report.

use super::*;

use shogibar_base::Lang;
use shogibar_games::study::{Document, RecordInsight};

/// Returns a report with this number of turning points.
fn report(turns: usize, name: &str, lang: Lang) -> Report {
    let moves = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"];
    let evaluated = moves.iter().cycle().take(4 * turns).enumerate().map(|(ply, mv)| {
        let value = if ply / 4 % 2 == 0 { 900 } else { -900 };
        format!("{} {mv} (0:{:02}/)\n**評価値={value}\n", ply + 1, ply % 60)
    });
    let game = format!("先手：{name}\n手数----指手---------消費時間--\n**評価値=0\n");
    let game: String = std::iter::once(game).chain(evaluated).collect();
    let document = Document::new(shogibar_kifu::read(game.as_bytes()).unwrap().games.remove(0));
    let mut insight = RecordInsight::default();
    while !insight.update(&document) {}
    Report::from_document(&document, &insight, lang)
}

#[test]
fn renders_a_report() {
    let (one, many) = (
        report(1, "佐藤", Lang::Ja),
        report(20, &"長い名前".repeat(99), Lang::En),
    );
    assert!(one.decisive_moves.len() < MAX_DECISIVE_MOVES && many.decisive_moves.len() > MAX_DECISIVE_MOVES);
    let height = |report: &Report| {
        let file = encode_png(report, None).unwrap();
        assert!(png::is_png(&file));
        let side = |from: usize| u32::from_be_bytes(file[from..from + 4].try_into().unwrap());
        assert_eq!(side(16), 1720);
        side(20)
    };
    let (one, many) = (height(&one), height(&many));
    assert!(one < many && many <= 8192, "{one} {many}");
    assert!(height(&report(0, "", Lang::Ja)) > 200);
}

#[test]
fn does_not_cut_off_long_names() {
    let elided = |name: &str| {
        let ctx = eframe::egui::Context::default();
        ctx.set_fonts(crate::fonts::definitions());
        let (mut shapes, report) = (Vec::new(), report(1, name, Lang::Ja));
        let mut output = ctx.run_ui(eframe::egui::RawInput::default(), |ui| {
            shapes = ui.fonts_mut(|fonts| draw(fonts, &report, &crate::theme::paper(), Pos2::ZERO).0);
        });
        output.textures_delta.clear();
        let texts = shapes.iter().filter_map(|shape| {
            if let Shape::Text(text) = shape {
                Some(text)
            } else {
                None
            }
        });
        texts
            .filter(|text| text.galley.text().contains("山田"))
            .map(|text| text.galley.elided)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        elided("山田太郎"),
        [false, false],
        "in the heading and beside the numbers"
    );
    assert_eq!(
        elided("山田右衛門三郎太夫之助・フォン・ホーエンツォレルン"),
        [false, false]
    );
}

#[test]
fn keeps_win_rates_on_the_default_scale() {
    for k in [285.0, 600.0, 1428.57] {
        for cp in [-3000, -1, 0, 250, 29_000] {
            let rate = WinRateModel::new(k).win_rate(Value::Cp(cp));
            let found = WinRateModel::default().win_rate(to_default_model(Value::Cp(cp), rate));
            assert!((found - rate).abs() < 0.001, "{cp} at {k}");
        }
    }
    let won = Value::Won(Color::White);
    assert_eq!(to_default_model(won, 0.0), won);
}
