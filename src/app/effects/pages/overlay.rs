//! The bars and boards on the OBS pages that are open.

use super::ObsPagesSettings;
use eframe::egui::{Pos2, Rect, Vec2};
use serde::Serialize;
use shogibar_base::Lang;
use shogibar_config::SecondNames;
use shogibar_games::bar::BarView;
use shogibar_machine::store::ThemeEntry;
use shogibar_model::pages::options::{ObsPageKind, ObsPageOptions};
use shogibar_model::pages::{ObsPagesContent, sample};
use shogibar_programme::BoardPageContent;
use shogibar_serve::WebAsset;
use shogibar_ui::display_list::{DisplayItem, DisplayList};
use shogibar_ui::fonts::{self, FontChoice};
use shogibar_ui::overlay::{BoardPage, BoardPageForm, Overlay, OverlayStyle, comfortable_size_of};
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
    board: BoardPage,
    style: OverlayStyle,
    /// The content that was drawn last; `None` before the first picture.
    content: Option<PageContent>,
    /// The time at which the picture next changes by itself, since the start; `None` if it does not.
    next_change: Option<Duration>,
}

/// The content of an OBS page.
#[derive(Clone, Debug, PartialEq)]
enum PageContent {
    Bar(BarView),
    Board(BoardPageContent),
}

/// The message to the OBS page of a bar or a board.
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
                .filter(|(options, _)| options.kind != ObsPageKind::Desk)
        };
        let sample_names = sample::second_names();
        self.bars
            .retain(|query, _| pages().any(|(_, open)| open == query));
        for (options, query) in pages() {
            let names = if options.is_test {
                &sample_names
            } else {
                &settings.second_names
            };
            let lang = options.lang.unwrap_or(settings.lang);
            let Some(shown) = PageContent::new(options, content, names, (lang, now)) else {
                continue;
            };
            let bar = self
                .bars
                .entry(query.clone())
                .or_insert_with(|| ObsPageBar::new(options, settings));
            let is_due = bar.next_change.is_some_and(|due| due <= now);
            if !is_due && bar.content.as_ref() == Some(&shown) {
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
            let (list, delay, [top_left, size]) = bar.paint(painter, options, &shown, now);
            let second = options.is_test.then(|| Duration::from_secs(now.as_secs() + 1));
            bar.next_change = [
                delay.map(|delay| now + delay.max(super::MIN_UPDATE_INTERVAL)),
                second,
            ]
            .into_iter()
            .flatten()
            .min();
            bar.content = Some(shown);
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

impl PageContent {
    /// Returns the content of an OBS page at a time since the start, or of its sample; `None` if there is no such game.
    fn new(
        options: &ObsPageOptions,
        content: &ObsPagesContent,
        names: &SecondNames,
        (lang, now): (Lang, Duration),
    ) -> Option<Self> {
        if options.kind == ObsPageKind::Board {
            let mut board = if options.is_test {
                sample::sample_board(now.as_secs(), lang)
            } else {
                content.board(options.game, lang)?
            };
            if let Cow::Owned(named) = options.named_view(&board.bar, names) {
                board.bar = named;
            }
            return Some(Self::Board(board));
        }
        let sample = options.is_test.then(|| sample::sample(now.as_secs(), lang));
        let view = sample.as_ref().or_else(|| content.view(options.game, lang))?;
        Some(Self::Bar(options.named_view(view, names).into_owned()))
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
            board: BoardPage::new(FramePacer::Processor),
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
            content: None,
            next_change: None,
        }
    }

    /// Returns the picture of a content, the time until it changes by itself, and the upper left corner and the size of
    /// the picture on the page.
    fn paint(
        &mut self,
        painter: &ObsPagePainter,
        options: &ObsPageOptions,
        content: &PageContent,
        now: Duration,
    ) -> (DisplayList, Option<Duration>, [[f32; 2]; 2]) {
        let page = Rect::from_min_size(Pos2::ZERO, options.size.into());
        let time = now.as_secs_f64();
        match content {
            PageContent::Bar(view) => {
                let natural = comfortable_size_of(self.style.layout, view);
                let [top_left, size] = options.geometry(self.style.layout, [natural.x, natural.y]);
                let page = page.translate(-Vec2::from(top_left));
                let (overlay, style) = (&mut self.overlay, &self.style);
                let (list, delay) = painter.paint(overlay, view, style, size.into(), page, time);
                (list, delay, [top_left, size])
            }
            PageContent::Board(board) => {
                let form = BoardPageForm {
                    ground: options.ground,
                    has_graph: false,
                };
                let style = (&self.style, form);
                let (list, delay) = painter.paint_board(&mut self.board, board, style, page.size(), time);
                (list, delay, [[0.0, 0.0], options.size])
            }
        }
    }
}
