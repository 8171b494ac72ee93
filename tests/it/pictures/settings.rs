//! Pictures of the settings page.

use super::*;
use eframe::egui::Frame as EguiFrame;
use shogibar_config::{HotKeyScope, Rgba, Settings};
use shogibar_machine::store::{ThemeEntry, ThemeReading};
use shogibar_ui::settings::{ObsPagesStatus, SettingsPage, SettingsView};

fn page(lang: Lang, [width, height]: [f32; 2]) -> ColorImage {
    let (film, mut page, theme) = (Film::default(), SettingsPage::default(), theme("paper"));
    let (own, findings) =
        shogibar_config::Theme::read("base = 'paper'\npanel = '#F7D9DF'\naccent = '#8A2BE2'\n").unwrap();
    let mut themes = ThemeEntry::shipped();
    let reading = ThemeReading {
        theme: own,
        findings,
        toml_error: None,
    };
    themes.push(ThemeEntry {
        name: "桜".to_owned(),
        reading,
        file: Some(PathBuf::from("~/桜.toml")),
    });
    let mut settings = Settings::default();
    settings.window.key_color = Rgba([0, 0xB1, 0x40, 0xFF]);
    let mut window = Harness::builder()
        .with_size(vec2(width + 16.0, height + 16.0))
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .renderer(film.clone())
        .build_ui(|ui| {
            ui.ctx().set_visuals(shogibar_ui::theme::visuals(&theme));
            *ui.visuals_mut() = shogibar_ui::theme::visuals(&theme);
            let fonts = Vec::new();
            let view = SettingsView {
                log_path: "~/.config/shogibar/engines.log",
                settings: &settings,
                themes: &themes,
                fonts: Some(&fonts),
                font_samples: &[],
                hot_key_scope: HotKeyScope::Everywhere,
                can_leave_click_through: true,
                problems: &[],
                last_result: None,
                update_status: "",
                pages: &ObsPagesStatus::default(),
            };
            EguiFrame::NONE
                .fill(theme.panel.to_opaque())
                .show(ui, |ui| page.show(ui, &view, &theme, lang));
        });
    window.run_steps(10);
    film.picture(&window)
}

#[test]
fn pictures_of_the_settings_page() {
    check([
        ("settings-ja".to_owned(), page(Lang::Ja, [960.0, 1250.0])),
        ("settings-en".to_owned(), page(Lang::En, [960.0, 1250.0])),
        ("settings-small".to_owned(), page(Lang::Ja, [680.0, 400.0])),
    ]);
}
