//! Text that stays in its box. A text that is too long becomes smaller, down to the smallest readable size, or
//! narrower. If the text is still too long, it ends in an ellipsis.

use super::fonts::{TextFont, TextWeight};
use eframe::egui;
use egui::epaint::text::{FontsView, LayoutJob, TextFormat, TextWrapping};
use egui::{Color32, Galley, Rect};
use shogibar_base::visible::visible;
use std::sync::Arc;

/// The font sizes, in points at scale 1. A text that is too long takes the next smaller one.
const FONT_SIZES: [f32; 9] = [56.0, 34.0, 24.0, 18.0, 16.0, 15.0, 13.5, 12.5, 11.0];

/// The fractions of the font size to which a text may shrink, in the order in which they are tried.
const SHRINK_FRACTIONS: [f32; 2] = [0.91, 0.82];
/// The smallest fraction of the width to which a text may be narrowed.
const MIN_WIDTH_FRACTION: f32 = 0.55;

/// The smallest readable font size, in points of the screen.
pub(crate) const MIN_READABLE_FONT_SIZE: f32 = 11.0;

/// The maximum number of characters of a run that are shown. Text from outside may be of any length.
pub(crate) const MAX_SHOWN_CHARS: usize = 512;

/// The height of the middle of digits and kanji above the baseline, as a fraction of the size. The em of Noto Sans JP
/// reaches from 0.88 above the baseline to 0.12 below it.
pub(crate) const MIDDLE_FRACTION: f32 = 0.38;

/// A piece of text in one font and colour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextRun<'a> {
    pub text: &'a str,
    pub font: TextFont,
    pub color: Color32,
}

impl<'a> TextRun<'a> {
    pub(crate) const fn regular(text: &'a str, color: Color32) -> Self {
        Self {
            text,
            font: TextFont::Text(TextWeight::Regular),
            color,
        }
    }

    /// Creates a run in the font for the digits of a win rate.
    pub(crate) const fn digits(text: &'a str, color: Color32) -> Self {
        Self {
            text,
            font: TextFont::Digits,
            color,
        }
    }

    pub(crate) const fn bold(text: &'a str, color: Color32) -> Self {
        Self {
            text,
            font: TextFont::Text(TextWeight::Bold),
            color,
        }
    }
}

/// Consecutive runs of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextRuns<'a> {
    pub runs: &'a [TextRun<'a>],
    /// The font size, in points at scale 1.
    pub size: f32,
    /// The maximum number of lines.
    pub lines: usize,
    /// Whether the text is in the bar's font.
    pub is_on_bar: bool,
    /// The smallest font size to which the text may shrink, in points of the screen.
    pub min_size: f32,
}

impl<'a> TextRuns<'a> {
    pub(crate) const fn line(runs: &'a [TextRun<'a>], size: f32) -> Self {
        Self {
            runs,
            size,
            lines: 1,
            is_on_bar: false,
            min_size: MIN_READABLE_FONT_SIZE,
        }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.runs.iter().all(|run| run.text.is_empty())
    }

    /// Lays the text out in a box of this width, at this scale of the screen. A text that is too long becomes one size
    /// smaller, and is then cut off.
    pub(crate) fn fit(self, fonts: &mut FontsView<'_>, width: f32, scale: f32) -> Arc<Galley> {
        let whole = self.lay_out(fonts, width, scale);
        match self.next_smaller(scale) {
            Some(smaller) if whole.elided => smaller.lay_out(fonts, width, scale),
            _ => whole,
        }
    }

    /// Lays the text out in a box of this width. A text that is too long becomes smaller by up to a fifth, then
    /// narrower, and is then cut off.
    pub(crate) fn squeeze(self, fonts: &mut FontsView<'_>, width: f32, scale: f32) -> Arc<Galley> {
        let width = width.max(0.0);
        let mut galley = self.lay_out(fonts, f32::INFINITY, scale);
        for part in SHRINK_FRACTIONS {
            let size = (self.size * part).max(self.min_size / scale);
            if galley.rect.width() <= width || size >= self.size {
                break;
            }
            galley = Self { size, ..self }.lay_out(fonts, f32::INFINITY, scale);
        }
        let wanted = galley.rect.width();
        if wanted <= width {
            return galley;
        }
        if wanted * MIN_WIDTH_FRACTION > width {
            let [.., min_scale] = SHRINK_FRACTIONS;
            let size = (self.size * min_scale).max(self.min_size / scale).min(self.size);
            galley = Self { size, ..self }.lay_out(fonts, width / MIN_WIDTH_FRACTION, scale);
        }
        let part = (width / galley.rect.width().max(f32::MIN_POSITIVE)).min(1.0);
        narrowed(galley, part)
    }

    /// Returns the text in the largest size that fits the width, or else in the smallest readable size. To be used for
    /// texts that are useless when cut off.
    pub(crate) fn shrink(self, fonts: &mut FontsView<'_>, width: f32, scale: f32) -> Self {
        let mut text = self;
        while text.width(fonts, scale) > width
            && let Some(smaller) = text.next_smaller(scale)
        {
            text = smaller;
        }
        text
    }

    /// Returns the text in the next smaller size; `None` if there is none or that size is not readable.
    fn next_smaller(self, scale: f32) -> Option<Self> {
        let size = FONT_SIZES.into_iter().find(|next| *next < self.size)?;
        (screen_font_size(size, scale) >= self.min_size).then_some(Self { size, ..self })
    }

    /// Returns the width of the text without wrapping, in points of the screen.
    pub(crate) fn width(self, fonts: &mut FontsView<'_>, scale: f32) -> f32 {
        self.lay_out(fonts, f32::INFINITY, scale).rect.width()
    }

    /// Lays the text out in its size, cut off after this width and the maximum number of lines.
    fn lay_out(self, fonts: &mut FontsView<'_>, width: f32, scale: f32) -> Arc<Galley> {
        let wrap = TextWrapping {
            max_width: width.max(0.0),
            max_rows: self.lines,
            break_anywhere: self.lines == 1,
            ..TextWrapping::default()
        };
        // With rounding, a text could be half a point wider than its box, so it is off.
        let mut job = LayoutJob {
            wrap,
            break_on_newline: false,
            round_output_to_gui: false,
            ..LayoutJob::default()
        };
        for run in self.runs {
            let end = run
                .text
                .char_indices()
                .nth(MAX_SHOWN_CHARS)
                .map_or(run.text.len(), |(end, _)| end);
            job.append(
                &visible(run.text.get(..end).unwrap_or_default()),
                0.0,
                TextFormat::simple(
                    run.font.at(screen_font_size(self.size, scale), self.is_on_bar),
                    run.color,
                ),
            );
        }
        fonts.layout_job(job)
    }
}

/// Returns a text whose width is multiplied by `part`.
fn narrowed(galley: Arc<Galley>, part: f32) -> Arc<Galley> {
    let mut galley = Arc::unwrap_or_clone(galley);
    let narrow = |rect: Rect| Rect::from_x_y_ranges(rect.left() * part..=rect.right() * part, rect.y_range());
    galley.rect = narrow(galley.rect);
    galley.mesh_bounds = narrow(galley.mesh_bounds);
    for placed in &mut galley.rows {
        placed.pos.x *= part;
        let row = Arc::make_mut(&mut placed.row);
        row.size.x *= part;
        row.visuals.mesh_bounds = narrow(row.visuals.mesh_bounds);
        row.visuals
            .mesh
            .vertices
            .iter_mut()
            .for_each(|vertex| vertex.pos.x *= part);
    }
    Arc::new(galley)
}

/// Returns the distance from the top of a laid out text to the baseline of its first line.
pub(crate) fn ascent(galley: &Galley) -> f32 {
    galley
        .rows
        .first()
        .and_then(|row| row.glyphs.first().map(|glyph| row.pos.y + glyph.pos.y))
        .unwrap_or_default()
}

/// Returns the distance from a box's middle down to the baseline of a centred line of `size`.
pub(crate) fn baseline(size: f32, scale: f32) -> f32 {
    screen_font_size(size, scale) * MIDDLE_FRACTION
}

/// Returns the font size on the screen, rounded to half points. The rounding saves space in the glyph atlas: resizing a
/// window would otherwise produce many sizes.
fn screen_font_size(size: f32, scale: f32) -> f32 {
    ((size * scale * 2.0).round() / 2.0).max(1.0)
}
