//! A minimal window like the bar's, with which `tests/desktop/budget` compares the program. It has the same two windows
//! with the same library. A text in one of the fonts shows the first frame.
//!
//! usage: bare WIDTH HEIGHT

use eframe::egui;
use egui::{CentralPanel, Color32, Context, FontData, FontDefinitions, FontFamily, Frame, RichText, Ui};
use egui::{ViewportBuilder, ViewportCommand, ViewportId};
use flate2::read::GzDecoder;
use std::io::Read as _;
use std::sync::Arc;

/// The root viewport, which is hidden after its first frame as in the program.
struct Bare {
    size: [f32; 2],
    is_hidden: bool,
}

impl eframe::App for Bare {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        if !std::mem::replace(&mut self.is_hidden, true) {
            ui.ctx().send_viewport_cmd(ViewportCommand::Visible(false));
        }
        let builder = undecorated(self.size).with_title("Bare").with_always_on_top();
        ui.ctx()
            .show_viewport_deferred(ViewportId::from_hash_of("bar"), builder, |ui, _| {
                CentralPanel::default()
                    .frame(Frame::new().fill(Color32::DARK_GRAY))
                    .show(ui, |ui| {
                        ui.centered_and_justified(|ui| ui.label(RichText::new("50%").size(64.0)));
                    });
            });
    }

    fn clear_color(&self, _: &egui::Visuals) -> [f32; 4] {
        [0.0; 4]
    }
}

fn undecorated(size: [f32; 2]) -> ViewportBuilder {
    ViewportBuilder::default()
        .with_inner_size(size)
        .with_decorations(false)
        .with_transparent(true)
}

fn install_fonts(ctx: &Context) {
    let mut fonts = FontDefinitions::empty();
    let mut bytes = Vec::new();
    let compressed = include_bytes!("../../assets/fonts/NotoSansJP-Bold.otf.gz");
    let _as_it_was_made = GzDecoder::new(&compressed[..]).read_to_end(&mut bytes);
    fonts
        .font_data
        .insert("bold".to_owned(), Arc::new(FontData::from_owned(bytes)));
    for family in [FontFamily::Proportional, FontFamily::Monospace] {
        fonts.families.insert(family, vec!["bold".to_owned()]);
    }
    ctx.set_fonts(fonts);
}

fn main() -> eframe::Result {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok());
    let size = [
        arguments.next().unwrap_or(1080.0),
        arguments.next().unwrap_or(204.0),
    ];
    let options = eframe::NativeOptions {
        viewport: undecorated([1320.0, 880.0]).with_active(false),
        renderer: eframe::Renderer::Glow,
        ..eframe::NativeOptions::default()
    };
    let created = move |creation: &eframe::CreationContext<'_>| {
        install_fonts(&creation.egui_ctx);
        Ok(Box::new(Bare {
            size,
            is_hidden: false,
        }) as Box<dyn eframe::App>)
    };
    eframe::run_native("Bare", options, Box::new(created))
}
