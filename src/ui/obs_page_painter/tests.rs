use super::*;
use crate::overlay::{self, comfortable_size_of};
use shogibar_config::{Layout, OverlayPreset};
use shogibar_games::bar::TurningCard;
use shogibar_model::pages::sample;
use std::sync::Arc;

/// Returns views that a page may show: a sample at several times, with one and with two engines.
fn views(lang: Lang) -> Vec<BarView> {
    let alone = [0, 18, 50, 90].map(|seconds| sample::sample(seconds, lang));
    let two = alone.clone().map(|mut view| {
        view.engines.extend(view.engines.clone());
        view
    });
    alone.into_iter().chain(two).collect()
}

fn texts(view: &BarView, query: &str, preset: OverlayPreset) -> Vec<(String, f32)> {
    let ctx = Context::default();
    fonts::install(&ctx, &FontChoice::default());
    let (mut found, options) = (Vec::new(), ObsPageOptions::parse(query));
    let options = ObsPageOptions {
        preset: Some(preset),
        ..options
    };
    let settings = Settings::default();
    let style = obs_page_style(&options, &settings.overlay, &settings.parts, |_| None, Lang::Ja);
    let natural = comfortable_size_of(style.layout, view);
    let [_, size] = options.geometry(style.layout, natural.into());
    let rect = Rect::from_min_size(Pos2::ZERO, size.into());
    let mut output = ctx.run_ui(
        RawInput {
            screen_rect: Some(rect),
            ..RawInput::default()
        },
        |ui| {
            let picture =
                ui.fonts_mut(|fonts| overlay::draw(fonts, view, overlay::final_share(view), &style, rect));
            found = picture
                .texts
                .into_iter()
                .map(|text| (text.text, text.size))
                .collect();
        },
    );
    output.textures_delta.clear();
    found
}

/// Checks that no text is small on a page of this size, and that the bar has more than its numbers.
fn check_readable(view: &BarView, lang: Lang, [width, height]: [f32; 2]) {
    for (layout, preset) in Layout::ALL
        .iter()
        .flat_map(|layout| OverlayPreset::ALL.iter().map(move |one| (layout, one)))
    {
        let lang = lang.pick("ja", "en");
        let query = format!(
            "layout={}&lang={lang}&width={width}&height={height}",
            layout.name()
        );
        let texts = texts(view, &query, *preset);
        let small: Vec<_> = texts
            .iter()
            .filter(|(_, size)| size * 720.0 / height < 13.0)
            .collect();
        assert!(small.is_empty(), "{query} {preset:?}: {small:?}");
        assert!(texts.len() >= 4, "{query} {preset:?}: {texts:?}");
    }
}

#[test]
fn every_text_of_a_picture_is_readable_in_a_small_video() {
    for lang in Lang::ALL {
        for view in views(lang) {
            check_readable(&view, lang, [1280.0, 720.0]);
            check_readable(&view, lang, [1920.0, 1080.0]);
        }
    }
}

#[test]
fn english_clocks_say_remaining() {
    let view = sample::sample(50, Lang::En);
    for layout in [Layout::Full, Layout::Bar, Layout::Vertical] {
        let query = format!("layout={}&lang=en&width=1280&height=720", layout.name());
        let texts = texts(&view, &query, OverlayPreset::Stream);
        let labels = texts.iter().filter(|(text, _)| text == "remaining").count();
        assert_eq!(labels, 2, "{query}: {texts:?}");
    }
}

/// Returns a sample with the card of a turning point.
fn with_card() -> BarView {
    let card = TurningCard {
        number: 1,
        heading: "逆転".to_owned(),
        word: "△9五銀".to_owned(),
        loss_text: "−11%".to_owned(),
        shares: [0.42, 0.53],
        better: "△9五歩".to_owned(),
        ..TurningCard::default()
    };
    BarView {
        turning_card: Some(Arc::new(card)),
        ..sample::sample(50, Lang::Ja)
    }
}

/// Returns the height of the text 逆転 above the bar's upper edge, in points, on a page of this size; negative below
/// the edge.
fn card_height_above(query: &str) -> f32 {
    let options = ObsPageOptions::parse(query);
    let settings = Settings::default();
    let style = obs_page_style(&options, &settings.overlay, &settings.parts, |_| None, Lang::Ja);
    let view = with_card();
    let natural = comfortable_size_of(style.layout, &view);
    let [top_left, size] = options.geometry(style.layout, natural.into());
    let page = Rect::from_min_size(Pos2::ZERO, options.size.into()).translate(-Vec2::from(top_left));
    let painter = ObsPagePainter::with_fonts(&FontChoice::default());
    let (list, next) = painter.paint(&mut Overlay::default(), &view, &style, size.into(), page, 0.0);
    assert!(next.is_some(), "the line of the card becomes shorter");
    let heading = list.items.iter().find(|item| item.2 == "逆転").unwrap();
    -heading.1["y"].parse::<f32>().unwrap()
}

#[test]
fn a_card_is_beside_the_bar_where_the_page_has_room() {
    assert!(card_height_above("layout=bar&width=1920&height=1080") > 20.0);
    assert!(
        card_height_above("layout=bar&corner=top&width=1920&height=1080") < -100.0,
        "below"
    );
    assert!(
        card_height_above("layout=full&width=1920&height=1080") < -50.0,
        "in place"
    );
    let in_line = card_height_above("layout=bar&width=1900&height=154");
    assert!((-60.0..0.0).contains(&in_line), "above the shares: {in_line}");
}
