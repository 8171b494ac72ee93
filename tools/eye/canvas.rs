//! A picture to draw on.

use image::{Rgb, RgbImage, RgbaImage, imageops};
use shogibar_eye::grid::Point;

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Rect {
    /// The left edge.
    pub left: f32,
    /// The upper edge.
    pub top: f32,
    /// The right edge.
    pub right: f32,
    /// The lower edge.
    pub bottom: f32,
}

/// The position of a board in a picture, in pixels.
#[derive(Clone, Copy, Debug)]
pub struct BoardLayout {
    /// The left outer line.
    pub left: f32,
    /// The upper outer line.
    pub top: f32,
    /// The width of a square.
    pub cell_x: f32,
    /// The height of a square.
    pub cell_y: f32,
}

impl BoardLayout {
    /// Returns the width of the board.
    pub fn width(&self) -> f32 {
        self.cell_x * 9.0
    }

    /// Returns the height of the board.
    pub fn height(&self) -> f32 {
        self.cell_y * 9.0
    }

    /// Returns the right outer line.
    pub fn right(&self) -> f32 {
        self.left + self.width()
    }

    /// Returns the lower outer line.
    pub fn bottom(&self) -> f32 {
        self.top + self.height()
    }
}

/// A picture into which shapes are blended. Coordinates are in pixels, and may be fractions.
#[derive(Clone, Debug)]
pub struct Canvas(pub RgbImage);

impl Canvas {
    /// Creates a canvas of one colour.
    pub fn new(width: u32, height: u32, color: [u8; 3]) -> Self {
        Self(RgbImage::from_pixel(width, height, Rgb(color)))
    }

    /// Blends a colour into a pixel. Pixels outside are ignored.
    pub fn blend(&mut self, x: i64, y: i64, color: [u8; 3], alpha: f32) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else {
            return;
        };
        if let Some(pixel) = self.0.get_pixel_mut_checked(x, y) {
            for (value, new) in pixel.0.iter_mut().zip(color) {
                *value = (f32::from(*value) * (1.0 - alpha) + f32::from(new) * alpha + 0.5) as u8;
            }
        }
    }

    /// Blends a colour into a rectangle. Pixels at fractional edges are blended in part.
    pub fn fill(&mut self, rect: Rect, color: [u8; 3], alpha: f32) {
        let Rect {
            left,
            top,
            right,
            bottom,
        } = rect;
        for y in top.floor() as i64..bottom.ceil() as i64 {
            let down = (bottom.min(y as f32 + 1.0) - top.max(y as f32)).clamp(0.0, 1.0);
            for x in left.floor() as i64..right.ceil() as i64 {
                let across = (right.min(x as f32 + 1.0) - left.max(x as f32)).clamp(0.0, 1.0);
                self.blend(x, y, color, alpha * down * across);
            }
        }
    }

    /// Draws a line of a given width between two points.
    pub fn draw_line(&mut self, (ax, ay): Point, (bx, by): Point, width: f32, color: [u8; 3], alpha: f32) {
        let reach = width / 2.0 + 1.0;
        let (dx, dy) = (bx - ax, by - ay);
        let length = (dx * dx + dy * dy).max(1e-6);
        for y in (ay.min(by) - reach) as i64..=(ay.max(by) + reach) as i64 {
            for x in (ax.min(bx) - reach) as i64..=(ax.max(bx) + reach) as i64 {
                let (px, py) = (x as f32 + 0.5 - ax, y as f32 + 0.5 - ay);
                let along = ((px * dx + py * dy) / length).clamp(0.0, 1.0);
                let distance = (px - along * dx).hypot(py - along * dy);
                let inside = (width / 2.0 - distance + 0.5).clamp(0.0, 1.0);
                if inside > 0.0 {
                    self.blend(x, y, color, alpha * inside);
                }
            }
        }
    }

    /// Fills a convex shape whose corners are in clockwise order.
    pub fn fill_shape(&mut self, corners: &[Point], color: [u8; 3], alpha: f32) {
        let least = |of: fn(&Point) -> f32| corners.iter().map(of).fold(f32::MAX, f32::min) as i64;
        let most = |of: fn(&Point) -> f32| corners.iter().map(of).fold(f32::MIN, f32::max) as i64;
        for y in least(|corner| corner.1)..=most(|corner| corner.1) {
            for x in least(|corner| corner.0)..=most(|corner| corner.0) {
                let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
                let ends = corners.iter().zip(corners.iter().cycle().skip(1));
                let depths = ends.map(|(a, b)| {
                    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                    (dx * (py - a.1) - dy * (px - a.0)) / dx.hypot(dy).max(1e-6)
                });
                let inside = (depths.fold(f32::MAX, f32::min) + 0.5).clamp(0.0, 1.0);
                if inside > 0.0 {
                    self.blend(x, y, color, alpha * inside);
                }
            }
        }
    }

    /// Fills an ellipse with a blurred edge. `soft` is the blurred share of the radius.
    pub fn fill_ellipse(&mut self, (x0, y0): Point, (rx, ry): Point, soft: f32, color: [u8; 3], alpha: f32) {
        for y in (y0 - ry) as i64..=(y0 + ry) as i64 {
            for x in (x0 - rx) as i64..=(x0 + rx) as i64 {
                let distance = ((x as f32 + 0.5 - x0) / rx).hypot((y as f32 + 0.5 - y0) / ry);
                let inside = ((1.0 - distance) / soft.max(1.0 / rx.max(1.0))).clamp(0.0, 1.0);
                if inside > 0.0 {
                    self.blend(x, y, color, alpha * inside);
                }
            }
        }
    }

    /// Draws a piece in the middle of a square whose upper left corner is given. `scale` is the greatest share of the
    /// square's width and height that the piece fills.
    pub fn draw_piece(&mut self, piece: &RgbaImage, (x, y): Point, (cell_x, cell_y): Point, scale: f32) {
        let ratio = (cell_x / piece.width() as f32).min(cell_y / piece.height() as f32) * scale;
        let (width, height) = (piece.width() as f32 * ratio, piece.height() as f32 * ratio);
        let (columns, rows) = ((width as u32).max(3), (height as u32).max(3));
        let small = imageops::resize(piece, columns, rows, imageops::FilterType::Triangle);
        let (left, top) = (x + (cell_x - width) / 2.0, y + (cell_y - height) / 2.0);
        self.draw_over(&small, left.round() as i64, top.round() as i64, 1.0);
    }

    /// Draws a picture with its upper left corner at (`left`, `top`).
    pub fn draw_over(&mut self, over: &RgbaImage, left: i64, top: i64, alpha: f32) {
        for (x, y, pixel) in over.enumerate_pixels() {
            if pixel[3] > 0 {
                let [red, green, blue, opacity] = pixel.0;
                let alpha = alpha * f32::from(opacity) / 255.0;
                self.blend(left + i64::from(x), top + i64::from(y), [red, green, blue], alpha);
            }
        }
    }
}
