//! The bars on the OBS pages that are open.

use super::ObsPagesSettings;
use eframe::egui::{Pos2, Rect, Vec2};
use serde::Serialize;
use shogibar_games::bar::BarView;
use shogibar_machine::store::ThemeEntry;
use shogibar_model::pages::options::{ObsPageKind, ObsPageOptions};
use shogibar_model::pages::{ObsPagesContent, sample};
use shogibar_serve::WebAsset;
use shogibar_ui::display_list::DisplayItem;
use shogibar_ui::fonts::{self, FontChoice};
use shogibar_ui::overlay::{Overlay, OverlayStyle, comfortable_size_of};
use shogibar_ui::{FramePacer, ObsPagePainter, obs_page_style};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Returns the fonts that ship with the program, for the style sheet of the OBS pages.
pub(super) fn fonts() -> impl Iterator<Item = WebAsset> {
    let files = ["regular.otf", "bold.otf", "pieces.ttf", "digits.ttf"];
    fonts::compressed_fonts()
        .into_iter()
        .zip(files)
        .map(|((_, bytes), name)| WebAsset {
            name,
            content_type: if name.ends_with("otf") {
                "font/otf"
            } else {
                "font/ttf"
            },
            is_gzip: true,
            is_fixed: true,
            body: Cow::Borrowed(bytes),
        })
}

/// The bars on the OBS pages that are open, by the queries of these pages.
#[derive(Debug, Default)]
pub(super) struct ObsOverlays {
    /// The painter of all bars, with its fonts; `None` before the first bar.
    painter: Option<(FontChoice, ObsPagePainter)>,
    /// The settings with which the bars were made; `None` before the first bar.
    settings: Option<Arc<ObsPagesSettings>>,
    bars: BTreeMap<String, ObsPageBar>,
    /// The number of pictures drawn.
    picture_count: u64,
}

#[derive(Debug)]
struct ObsPageBar {
    overlay: Overlay,
    style: OverlayStyle,
    /// The view that was drawn last.
    view: Option<BarView>,
    /// The time at which the picture next changes by itself, since the start; `None` if it does not.
    next_change: Option<Duration>,
}

/// The message to the OBS page of a bar.
#[derive(Debug, Serialize)]
struct OverlayMessage<'a> {
    version: &'static str,
    /// The number of the picture, which counts the pictures of all pages.
    number: u64,
    /// The upper left corner of the bar on the page, in pixels.
    top_left: [f32; 2],
    /// The width and the height of the bar, in pixels.
    size: [f32; 2],
    /// The system font of the bar; `None` for the font that ships with the program.
    font: Option<&'a str>,
    items: &'a [DisplayItem],
}

impl ObsOverlays {
    /// Publishes each bar that has changed. Returns the time until a bar next changes by itself, if one does.
    pub(super) fn show(
        &mut self,
        pages: &[(ObsPageOptions, String)],
        content: &ObsPagesContent,
        settings: &Arc<ObsPagesSettings>,
        now: Duration,
        publish: impl Fn(&str, &str),
    ) -> Option<Duration> {
        if self
            .settings
            .as_ref()
            .is_none_or(|known| !Arc::ptr_eq(known, settings))
        {
            self.settings = Some(Arc::clone(settings));
            self.bars.clear();
        }
        let pages = || {
            pages
                .iter()
                .filter(|(options, _)| options.kind == ObsPageKind::Overlay)
        };
        let sample_names = sample::second_names();
        self.bars
            .retain(|query, _| pages().any(|(_, open)| open == query));
        for (options, query) in pages() {
            let lang = options.lang.unwrap_or(settings.lang);
            let sample = options.is_test.then(|| sample::sample(now.as_secs(), lang));
            let Some(view) = sample.as_ref().or_else(|| content.view(options.game, lang)) else {
                continue;
            };
            let view = &*options.named_view(
                view,
                if options.is_test {
                    &sample_names
                } else {
                    &settings.second_names
                },
            );
            let bar = self
                .bars
                .entry(query.clone())
                .or_insert_with(|| ObsPageBar::new(options, settings));
            let is_due = bar.next_change.is_some_and(|due| due <= now);
            if !is_due && bar.view.as_ref() == Some(view) {
                continue;
            }
            let (program, bar_font) = (settings.program_font.clone(), settings.overlay.font.clone());
            let choice = FontChoice {
                program,
                bar: bar_font,
                digits: settings.overlay.digits,
            };
            let is_same = self.painter.as_ref().is_some_and(|(known, _)| *known == choice);
            if !is_same {
                self.painter = Some((choice.clone(), ObsPagePainter::with_fonts(&choice)));
            }
            let Some((_, painter)) = &self.painter else {
                continue;
            };
            let natural = comfortable_size_of(bar.style.layout, view);
            let [top_left, size] = options.geometry(bar.style.layout, [natural.x, natural.y]);
            let page = Rect::from_min_size(Pos2::ZERO, options.size.into());
            let (list, delay) = painter.paint(
                &mut bar.overlay,
                view,
                &bar.style,
                size.into(),
                page.translate(-Vec2::from(top_left)),
                now.as_secs_f64(),
            );
            let second = options.is_test.then(|| Duration::from_secs(now.as_secs() + 1));
            bar.next_change = [
                delay.map(|delay| now + delay.max(super::MIN_UPDATE_INTERVAL)),
                second,
            ]
            .into_iter()
            .flatten()
            .min();
            bar.view = Some(view.clone());
            self.picture_count += 1;
            let version = env!("CARGO_PKG_VERSION");
            // The name is enough, as the browser loads system fonts itself.
            let font = choice.bar.as_deref().or(choice.program.as_deref());
            let message = OverlayMessage {
                version,
                number: self.picture_count,
                top_left,
                size,
                font,
                items: &list.items,
            };
            // Texts and numbers can always be serialized, so the default is never used.
            publish(query, &serde_json::to_string(&message).unwrap_or_default());
        }
        self.bars
            .values()
            .filter_map(|bar| bar.next_change)
            .min()
            .map(|due| due.saturating_sub(now))
    }
}

impl ObsPageBar {
    fn new(options: &ObsPageOptions, settings: &ObsPagesSettings) -> Self {
        let ObsPagesSettings {
            overlay,
            parts,
            lang,
            store,
            ..
        } = settings;
        Self {
            overlay: Overlay::new(FramePacer::Processor),
            style: obs_page_style(
                options,
                overlay,
                parts,
                |name| {
                    let entry = ThemeEntry::find(store.as_ref(), name).ok().flatten()?;
                    Some((entry.name, entry.reading.theme))
                },
                *lang,
            ),
            view: None,
            next_change: None,
        }
    }
}
