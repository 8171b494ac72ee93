//! The toolbar of every page of the main window: its background, and at its left end one control with all pages.

use super::PaintTheme;
use super::fonts::TextWeight;
use crate::study_text::StudyPhrase;
use crate::window_text::WindowWord;
use eframe::egui;
use egui::{CornerRadius, Frame, Margin, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};
use shogibar_base::Lang;
use shogibar_games::folder_text::FolderPhrase;

/// The height of the toolbar's contents, in points.
pub const TOOLBAR_HEIGHT: f32 = 30.0;
/// The padding on each side of a page's name, in points.
const NAME_PADDING: f32 = 15.0;
/// The font size of the names of pages, in points.
const NAME_FONT_SIZE: f32 = 14.0;

/// A page of the main window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MainPage {
    /// The study page, with the game.
    Study,
    /// The analysis of a folder.
    Folder,
    /// The page of the engines and their profiles.
    Engines,
    /// The page of all other settings.
    Settings,
}

impl MainPage {
    /// All pages of the main window, in the order of the toolbar.
    pub const ALL: [Self; 4] = [Self::Study, Self::Folder, Self::Engines, Self::Settings];

    /// Returns the name of the page.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::Study => StudyPhrase::Study.text(lang),
            Self::Folder => FolderPhrase::Page.text(lang),
            Self::Engines => WindowWord::Engines.text(lang),
            Self::Settings => WindowWord::Settings.text(lang),
        }
    }
}

/// Returns the frame of the toolbar.
pub fn toolbar_frame(theme: &PaintTheme) -> Frame {
    Frame::NONE.fill(theme.card).inner_margin(Margin {
        left: 12,
        right: 12,
        top: 7,
        bottom: 7,
    })
}

/// Draws the line below the toolbar.
pub fn draw_line_below(ui: &Ui, theme: &PaintTheme, toolbar: Rect) {
    let stroke = Stroke::new(1.0, theme.separator);
    ui.painter()
        .hline(toolbar.x_range(), toolbar.bottom() - 0.5, stroke);
}

/// Shows the control with the pages of the main window. Returns the chosen page; `None` unless another page was chosen.
/// The folder page is listed only while it is shown or has an analysis (`has_folder`). The menu of the study page opens
/// it.
pub fn show(
    ui: &mut Ui,
    theme: &PaintTheme,
    current: MainPage,
    has_folder: bool,
    lang: Lang,
) -> Option<MainPage> {
    let pages = MainPage::ALL
        .into_iter()
        .filter(|page| *page != MainPage::Folder || has_folder || *page == current);
    let galleys: Vec<_> = pages
        .map(|page| {
            let is_current = page == current;
            let weight = if is_current {
                TextWeight::Bold
            } else {
                TextWeight::Regular
            };
            let color = if is_current { theme.text } else { theme.quiet };
            (
                page,
                ui.painter()
                    .layout_no_wrap(page.text(lang).to_owned(), weight.at(NAME_FONT_SIZE), color),
            )
        })
        .collect();
    let width = galleys
        .iter()
        .map(|(_, galley)| galley.size().x + 2.0 * NAME_PADDING)
        .sum();
    let (all, _) = ui.allocate_exact_size(vec2(width, TOOLBAR_HEIGHT), Sense::hover());
    ui.painter().rect_filled(all, CornerRadius::same(8), theme.rail);
    let (mut left, mut chosen) = (all.left(), None);
    for (page, galley) in galleys {
        let size = galley.size();
        let rect = Rect::from_min_size(
            pos2(left, all.top()),
            vec2(size.x + 2.0 * NAME_PADDING, TOOLBAR_HEIGHT),
        );
        left = rect.right();
        let tab = ui.interact(rect, ui.scope_id().with(page.text(lang)), Sense::click());
        tab.widget_info(|| WidgetInfo::selected(Role::Tab, true, page == current, page.text(lang)));
        let inner = rect.shrink(2.0);
        if page == current {
            ui.painter().rect_filled(inner, CornerRadius::same(6), theme.card);
        }
        if tab.has_focus() {
            ui.painter().rect_stroke(
                inner,
                CornerRadius::same(6),
                Stroke::new(2.0, theme.accent),
                StrokeKind::Inside,
            );
        } else if tab.hovered() && page != current {
            ui.painter()
                .rect_filled(inner, CornerRadius::same(6), theme.card.gamma_multiply(0.5));
        }
        ui.painter()
            .galley(rect.center() - size / 2.0, galley, theme.text);
        if tab.clicked() && page != current {
            chosen = Some(page);
        }
    }
    chosen
}
