//! The screens, and the positions of windows on them.
//!
//! Screens lie beside each other in pixels. Each has its own scale, so that points are only defined on one screen.

use eframe::egui;
use egui::{Pos2, Rect, Vec2, pos2, vec2};
use shogibar_config::{ScreenPosition, ScreenPositions};

/// The width of a window's edge that may be beyond the screens, in pixels.
const MAX_HIDDEN_EDGE: f32 = 1.0;
/// The fractions of its size to which a bar shrinks for free ground, in the order in which they are tried.
const FREE_GROUND_FRACTIONS: [f32; 5] = [1.0, 0.9, 0.8, 0.7, 0.6];

/// The offset from one bar to the next, in points.
const CASCADE_STEP: f32 = 32.0;
/// The gap between the bar and a window beside it, in points.
const WINDOW_GAP: f32 = 8.0;
/// The room for a window's frame, in points: the width of both sides, the height of the title bar and the lower edge.
const FRAME_SIZE: Vec2 = vec2(8.0, 40.0);
/// The maximum width by which a frame may cover another window, in pixels.
const MAX_FRAME_OVERLAP: f32 = 4.0;

/// A connected screen, as the system reports it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Screen {
    pub(super) name: String,
    /// The rectangle of the screen among all screens, in pixels.
    pub(super) rect: Rect,
    /// The pixels per point.
    pub(super) scale: f32,
}

/// The position and size of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WindowRect {
    /// The upper left corner of the window among the screens, in pixels.
    pub(super) corner: Pos2,
    /// The size in points, which a window keeps on a screen of another scale.
    pub(super) size: Vec2,
    /// The pixels per point at the window's position.
    pub(super) scale: f32,
}

impl WindowRect {
    /// Returns the corner in points, as the commands for windows need it.
    pub(super) fn position(&self) -> Pos2 {
        self.corner / self.scale
    }

    /// Returns the rectangle of the window, in pixels.
    pub(super) fn rect(&self) -> Rect {
        Rect::from_min_size(self.corner, self.size * self.scale)
    }
}

pub(super) fn connected_screens(window: &winit::window::Window) -> Vec<Screen> {
    let main = window.primary_monitor();
    let mut monitors: Vec<_> = window.available_monitors().collect();
    monitors.sort_by_key(|monitor| Some(monitor) != main.as_ref());
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "the pixels of screens"
    )]
    let screens = monitors.into_iter().map(|monitor| {
        let (at, size, scale) = (monitor.position(), monitor.size(), monitor.scale_factor() as f32);
        let rect = Rect::from_min_size(
            pos2(at.x as f32, at.y as f32),
            vec2(size.width as f32, size.height as f32),
        );
        Screen {
            name: monitor.name().unwrap_or_default(),
            rect,
            scale,
        }
    });
    screens
        .filter(|screen| screen.rect.is_positive() && screen.scale > 0.0)
        .collect()
}

/// Returns the size of the main screen without a window's frame, in points. Without screens, it is unlimited.
pub(super) fn max_window_size(screens: &[Screen]) -> Vec2 {
    screens.first().map_or(Vec2::INFINITY, |screen| {
        screen.rect.size() / screen.scale - FRAME_SIZE
    })
}

/// Returns the initial rectangle of a window of this size, in points; `None` without screens. The window is in the
/// middle near the lower edge of the main screen, where videos have the least content.
pub(super) fn default_rect(size: Vec2, screens: &[Screen]) -> Option<WindowRect> {
    let Screen { rect, scale, .. } = screens.first()?;
    let at = pos2(
        rect.center().x - size.x * scale / 2.0,
        rect.bottom() - (size.y + 72.0) * scale,
    );
    Some(moved_on_screen(
        WindowRect {
            corner: at,
            size,
            scale: *scale,
        },
        screens,
    ))
}

/// Returns the stored rectangle of the bar, on its screen or, if that screen is gone, on another. Returns `None` if no
/// rectangle is stored.
///
/// The rectangle gets the `size` of the present contents, in points, which may be smaller than before.
pub(super) fn restored_rect(
    positions: &ScreenPositions,
    screens: &[Screen],
    size: Vec2,
) -> Option<WindowRect> {
    let last = positions.last()?;
    let screen = screens
        .iter()
        .find(|one| one.name == last.screen)
        .or_else(|| screens.first())?;
    let position = positions.on_screen(&screen.name).unwrap_or(last);
    #[expect(
        clippy::cast_precision_loss,
        reason = "positions of windows are small enough for f32"
    )]
    let at = vec2(position.x as f32, position.y as f32);
    Some(moved_on_screen(
        WindowRect {
            corner: screen.rect.min + at * screen.scale,
            size,
            scale: screen.scale,
        },
        screens,
    ))
}

/// Returns the rectangle unchanged if the screens show it wholly, otherwise moved into the nearest screen and cut to the
/// size of that screen.
fn moved_on_screen(spot: WindowRect, screens: &[Screen]) -> WindowRect {
    let window = spot.rect().shrink(MAX_HIDDEN_EDGE);
    let corners = [
        window.left_top(),
        window.right_top(),
        window.left_bottom(),
        window.right_bottom(),
    ];
    if corners
        .iter()
        .all(|corner| screens.iter().any(|screen| screen.rect.contains(*corner)))
    {
        spot
    } else {
        within(spot, screens)
    }
}

/// Returns the rectangle moved wholly into its nearest screen, and cut to that screen's size.
pub(super) fn within(spot: WindowRect, screens: &[Screen]) -> WindowRect {
    let Some(screen) = nearest_screen(spot.rect().center(), screens) else {
        return spot;
    };
    let size = spot.size.min(screen.rect.size() / screen.scale);
    let max = screen.rect.max - size * screen.scale;
    let clamp = |at: f32, min: f32, max: f32| at.clamp(min, max.max(min));
    let (min, at) = (screen.rect.min, spot.corner);
    WindowRect {
        corner: pos2(clamp(at.x, min.x, max.x), clamp(at.y, min.y, max.y)),
        size,
        scale: screen.scale,
    }
}

/// Returns the rectangle of a window `steps` steps beside another of its size: above or below it, if there is room.
///
/// Without room, the window is shifted down and to the right, or up and to the left at the edge of the screen. So no
/// window covers another exactly.
pub(super) fn cascaded(spot: WindowRect, steps: usize, screens: &[Screen]) -> WindowRect {
    let Some(screen) = nearest_screen(spot.rect().center(), screens) else {
        return spot;
    };
    let window = spot.rect();
    #[expect(
        clippy::cast_precision_loss,
        reason = "the number of running programs is small"
    )]
    let count = steps as f32;
    for sign in [-1.0, 1.0] {
        let shifted = window.translate(vec2(
            0.0,
            sign * count * (window.height() + WINDOW_GAP * spot.scale),
        ));
        if screen.rect.contains_rect(shifted) {
            return WindowRect {
                corner: shifted.min,
                ..spot
            };
        }
    }
    let way = CASCADE_STEP * count * spot.scale;
    let x = if window.right() + way <= screen.rect.right() {
        way
    } else {
        -way
    };
    let y = if window.bottom() + way <= screen.rect.bottom() {
        way
    } else {
        -way
    };
    WindowRect {
        corner: spot.corner + vec2(x, y),
        ..spot
    }
}

/// The room that a window needs, in points: the wanted size, the minimum usable size, and the frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedRoom {
    pub(super) best_size: Vec2,
    pub(super) min_size: Vec2,
    pub(super) frame: Vec2,
}

impl WantedRoom {
    pub(super) const fn with_frame(best: Vec2, min_size: Vec2) -> Self {
        Self {
            best_size: best,
            min_size,
            frame: FRAME_SIZE,
        }
    }

    /// Creates the room for a window of one size, without a frame.
    pub(super) const fn without_frame(size: Vec2) -> Self {
        Self {
            best_size: size,
            min_size: size,
            frame: Vec2::ZERO,
        }
    }
}

/// Returns the rectangle for a window on the bar's screen that covers neither the bar nor a `taken` area, in pixels. It
/// is as large as there is room, at most of the wanted size. Of several such rectangles, it is the nearest to the bar.
///
/// The frame needs room, but is no part of the rectangle. Returns `None` without room.
pub(super) fn rect_beside(
    bar: WindowRect,
    taken: &[Rect],
    wanted: WantedRoom,
    screens: &[Screen],
) -> Option<WindowRect> {
    let WantedRoom {
        best_size: best,
        min_size,
        frame,
    } = wanted;
    let Screen { rect: all, scale, .. } = *nearest_screen(bar.rect().center(), screens)?;
    let taken: Vec<Rect> = taken
        .iter()
        .chain([&bar.rect()])
        .map(|rect| rect.expand(WINDOW_GAP * scale))
        .collect();
    let fitted = free_rects(all, &taken).into_iter().filter_map(|free| {
        let size = best.min(free.size() / scale - frame);
        let window = (size + frame) * scale;
        let center = bar.rect().center() - window / 2.0;
        let at = center.max(free.min).min(free.max - window);
        (size.min(min_size) == min_size).then_some(WindowRect {
            corner: at,
            size,
            scale,
        })
    });
    let area = |window: &WindowRect| window.size.x * window.size.y;
    let distance = |window: &WindowRect| window.rect().distance_sq_to_pos(bar.rect().center());
    fitted.max_by(|a, b| {
        area(a)
            .total_cmp(&area(b))
            .then_with(|| distance(b).total_cmp(&distance(a)))
    })
}

/// Returns the rectangle unchanged if it covers no `taken` area, in pixels. Otherwise returns the nearest free
/// rectangle on its screen, or the rectangle unchanged if there is none.
pub(super) fn clear_of(spot: WindowRect, taken: &[Rect], screens: &[Screen]) -> WindowRect {
    if !taken.iter().any(|rect| rect.intersect(spot.rect()).is_positive()) {
        return spot;
    }
    let Some(screen) = nearest_screen(spot.rect().center(), screens) else {
        return spot;
    };
    let window = spot.size * spot.scale;
    let free = free_rects(screen.rect, taken)
        .into_iter()
        .filter(|free| free.width() >= window.x && free.height() >= window.y);
    let corners = free.map(|free| spot.corner.max(free.min).min(free.max - window));
    let nearest = corners.min_by(|a, b| a.distance_sq(spot.corner).total_cmp(&b.distance_sq(spot.corner)));
    nearest.map_or(spot, |at| WindowRect { corner: at, ..spot })
}

/// Returns the rectangle of a bar on free ground, near its wanted rectangle: it covers no `taken` area, in pixels. A bar
/// without room on its screen becomes smaller, and then goes to another screen. Returns `None` without free ground.
pub(super) fn on_free_ground(spot: WindowRect, taken: &[Rect], screens: &[Screen]) -> Option<WindowRect> {
    let own = nearest_screen(spot.rect().center(), screens)?;
    let others = screens.iter().filter(|screen| *screen != own);
    std::iter::once(own).chain(others.clone()).find_map(|screen| {
        let taken: Vec<_> = taken
            .iter()
            .map(|rect| rect.expand(WINDOW_GAP * screen.scale))
            .collect();
        let free = free_rects(screen.rect, &taken);
        FREE_GROUND_FRACTIONS.into_iter().find_map(|part| {
            let (size, corner) = (
                spot.size * part,
                if screen == own {
                    spot.corner
                } else {
                    screen.rect.min
                },
            );
            let window = size * screen.scale;
            let corners = free
                .iter()
                .filter(|free| free.width() >= window.x && free.height() >= window.y)
                .map(|free| corner.max(free.min).min(free.max - window));
            let nearest = corners.min_by(|a, b| a.distance_sq(corner).total_cmp(&b.distance_sq(corner)));
            nearest.map(|corner| WindowRect {
                corner,
                size,
                scale: screen.scale,
            })
        })
    })
}

/// Returns the largest rectangles of an area that cover no `taken` area.
fn free_rects(all: Rect, taken: &[Rect]) -> Vec<Rect> {
    let inside = || {
        taken
            .iter()
            .map(|rect| rect.intersect(all))
            .filter(Rect::is_positive)
    };
    let lefts: Vec<f32> = inside().map(|rect| rect.right()).chain([all.left()]).collect();
    let rights: Vec<f32> = inside().map(|rect| rect.left()).chain([all.right()]).collect();
    let tops: Vec<f32> = inside().map(|rect| rect.bottom()).chain([all.top()]).collect();
    let bottoms: Vec<f32> = inside().map(|rect| rect.top()).chain([all.bottom()]).collect();
    let mut free = Vec::new();
    for (left, right) in lefts
        .iter()
        .flat_map(|left| rights.iter().map(move |right| (*left, *right)))
    {
        for (top, bottom) in tops
            .iter()
            .flat_map(|top| bottoms.iter().map(move |bottom| (*top, *bottom)))
        {
            let rect = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
            let is_free = inside().all(|taken| !taken.intersect(rect).is_positive());
            if rect.is_positive() && is_free {
                free.push(rect);
            }
        }
    }
    free
}

/// Returns whether two windows cover each other. Frames that only touch do not count.
pub(super) fn are_overlapping(one: WindowRect, other: WindowRect) -> bool {
    let common = one.rect().intersect(other.rect());
    common.width() > MAX_FRAME_OVERLAP && common.height() > MAX_FRAME_OVERLAP
}

/// Returns the screen that holds a position in pixels, or the nearest screen; `None` without screens.
fn nearest_screen(at: Pos2, screens: &[Screen]) -> Option<&Screen> {
    let distance = |screen: &&Screen| screen.rect.distance_sq_to_pos(at);
    screens.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Returns the position of a window as it is stored; `None` without screens.
pub(super) fn screen_position(spot: WindowRect, screens: &[Screen]) -> Option<ScreenPosition> {
    let screen = nearest_screen(spot.rect().center(), screens)?;
    let at = (spot.corner - screen.rect.min) / screen.scale;
    Some(ScreenPosition {
        screen: screen.name.clone(),
        x: whole(at.x),
        y: whole(at.y),
    })
}

/// Returns the nearest whole number of points.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the fractions of a point are dropped"
)]
const fn whole(points: f32) -> i32 {
    points.round() as i32
}

/// Returns a width and a height in whole points.
pub(super) fn sides(size: Vec2) -> (u32, u32) {
    let whole = |points: f32| u32::try_from(whole(points)).unwrap_or_default();
    (whole(size.x), whole(size.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(name: &str, x: f32, width: f32) -> Screen {
        scaled(name, Rect::from_min_size(pos2(x, 0.0), vec2(width, 1080.0)), 1.0)
    }

    fn scaled(name: &str, rect: Rect, scale: f32) -> Screen {
        Screen {
            name: name.to_owned(),
            rect,
            scale,
        }
    }

    fn spot(x: f32, y: f32) -> WindowRect {
        WindowRect {
            corner: pos2(x, y),
            size: vec2(1080.0, 204.0),
            scale: 1.0,
        }
    }

    #[test]
    fn restores_a_window_on_its_screen() {
        let screens = [screen("left", 0.0, 1920.0), screen("right", 1920.0, 2560.0)];
        let mut positions = ScreenPositions::default();
        for at in [spot(100.0, 800.0), spot(2500.0, 40.0)] {
            positions.store(screen_position(at, &screens).unwrap());
            assert_eq!(restored_rect(&positions, &screens, at.size), Some(at));
        }
        // The right screen has been removed: the position on the left one counts.
        assert_eq!(
            restored_rect(&positions, &screens[..1], spot(0.0, 0.0).size),
            Some(spot(100.0, 800.0))
        );
        // The right screen has moved.
        let moved = [screen("left", 0.0, 1920.0), screen("right", -2560.0, 2560.0)];
        assert_eq!(
            restored_rect(&positions, &moved, spot(0.0, 0.0).size),
            Some(spot(-1980.0, 40.0))
        );
        assert_eq!(restored_rect(&positions, &[], spot(0.0, 0.0).size), None);
    }

    #[test]
    fn restores_on_screens_of_different_scales() {
        // A monitor, and beside it a laptop with 1.5 pixels to a point: in points both would be at 1280.
        let laptop = Rect::from_min_size(pos2(1920.0, 0.0), vec2(1920.0, 1200.0));
        let screens = [screen("monitor", 0.0, 1920.0), scaled("laptop", laptop, 1.5)];
        let at = |x: f32, y: f32, scale: f32| WindowRect {
            corner: pos2(x, y),
            size: vec2(400.0, 200.0),
            scale,
        };
        let check = |spot: WindowRect, expect: (&str, i32, i32)| {
            let position = screen_position(spot, &screens).unwrap();
            assert_eq!(
                (position.screen.as_str(), position.x, position.y),
                expect,
                "{spot:?}"
            );
            let mut positions = ScreenPositions::default();
            positions.store(position);
            assert_eq!(restored_rect(&positions, &screens, spot.size), Some(spot));
        };
        check(at(1300.0, 30.0, 1.0), ("monitor", 1300, 30));
        check(at(1950.0, 30.0, 1.5), ("laptop", 20, 20));
        check(at(3000.0, 600.0, 1.5), ("laptop", 720, 400));
        // In the middle of the laptop's lower edge, in its pixels.
        let laptop_first = [screens[1].clone(), screens[0].clone()];
        assert_eq!(
            default_rect(vec2(400.0, 200.0), &laptop_first),
            Some(at(2580.0, 792.0, 1.5))
        );
    }

    #[test]
    fn moves_a_window_onto_a_screen() {
        let screens = [screen("left", 0.0, 1920.0)];
        let check =
            |at: WindowRect, expect: WindowRect| assert_eq!(moved_on_screen(at, &screens), expect, "{at:?}");
        check(spot(-900.0, 500.0), spot(0.0, 500.0));
        check(spot(100.0, 1060.0), spot(100.0, 876.0));
        check(spot(840.5, 876.5), spot(840.5, 876.5));
        check(spot(5000.0, 5000.0), spot(840.0, 876.0));
        let large = |at, size| WindowRect {
            corner: at,
            size,
            scale: 1.0,
        };
        check(
            large(pos2(9000.0, 0.0), vec2(4000.0, 3000.0)),
            large(pos2(0.0, 0.0), vec2(1920.0, 1080.0)),
        );
        assert_eq!(
            default_rect(vec2(1080.0, 204.0), &screens),
            Some(spot(420.0, 804.0))
        );
        assert_eq!(
            moved_on_screen(spot(5000.0, 5000.0), &[]),
            spot(5000.0, 5000.0),
            "nothing is known of screens"
        );
    }

    #[test]
    fn moves_a_window_wholly_into_its_screen() {
        let screens = [screen("left", 0.0, 1920.0), screen("right", 1920.0, 1920.0)];
        let check = |at: WindowRect, expect: WindowRect| assert_eq!(within(at, &screens), expect, "{at:?}");
        check(spot(100.0, 800.0), spot(100.0, 800.0));
        check(spot(100.0, 900.0), spot(100.0, 876.0));
        check(spot(1500.0, -40.0), spot(1920.0, 0.0));
        check(spot(-50.0, 0.0), spot(0.0, 0.0));
    }

    #[test]
    fn cascades_bars_without_overlap() {
        let screens = [screen("left", 0.0, 1920.0)];
        let check = |at: (f32, f32), steps, expect: (f32, f32)| {
            assert_eq!(
                cascaded(spot(at.0, at.1), steps, &screens),
                spot(expect.0, expect.1),
                "{at:?}, {steps}"
            );
        };
        check((420.0, 804.0), 0, (420.0, 804.0));
        check((420.0, 804.0), 1, (420.0, 804.0 - 204.0 - WINDOW_GAP));
        check((420.0, 804.0), 3, (420.0, 804.0 - 3.0 * (204.0 + WINDOW_GAP)));
        check((420.0, 20.0), 2, (420.0, 20.0 + 2.0 * (204.0 + WINDOW_GAP)));
        check((420.0, 500.0), 3, (516.0, 596.0));
        check((840.0, 876.0), 5, (680.0, 716.0));
    }

    #[test]
    fn a_window_may_lie_across_two_screens() {
        let screens = [screen("left", 0.0, 1920.0), screen("right", 1920.0, 1920.0)];
        let check =
            |at: WindowRect, expect: WindowRect| assert_eq!(moved_on_screen(at, &screens), expect, "{at:?}");
        check(spot(1500.0, 500.0), spot(1500.0, 500.0));
        check(spot(1500.0, 900.0), spot(1920.0, 876.0));
    }

    #[test]
    fn a_further_bar_goes_to_free_ground() {
        let both = [screen("left", 0.0, 1920.0), screen("right", 1920.0, 1920.0)];
        let bar = Rect::from_min_size(pos2(420.0, 804.0), vec2(1080.0, 204.0));
        let page = Rect::from_min_size(pos2(296.0, 0.0), vec2(1320.0, 790.0));
        let board = Rect::from_min_size(pos2(40.0, 200.0), vec2(600.0, 640.0));
        for taken in [
            vec![bar],
            vec![bar, board],
            vec![bar, bar.translate(vec2(0.0, -212.0)), board],
        ] {
            let free = on_free_ground(spot(420.0, 804.0), &taken, &both).unwrap();
            assert!(
                !taken.iter().any(|taken| taken.intersects(free.rect())),
                "{taken:?} {free:?}"
            );
            assert!(
                both[0].rect.contains_rect(free.rect()) && free.size == spot(0.0, 0.0).size,
                "{free:?}"
            );
        }
        // There is room for no bar of this size on the first screen, but for a smaller one.
        let left_free = Rect::from_min_size(pos2(850.0, 0.0), vec2(1070.0, 1080.0));
        let free = on_free_ground(spot(420.0, 804.0), &[left_free], &both).unwrap();
        assert!(
            free.size.x < 850.0 && free.size.x > 700.0 && !free.rect().intersects(left_free),
            "{free:?}"
        );
        // Otherwise the bar goes to the other screen.
        let free = on_free_ground(spot(420.0, 804.0), &[bar, page.expand(300.0)], &both).unwrap();
        assert!(
            both[1].rect.contains_rect(free.rect()) && free.size == spot(0.0, 0.0).size,
            "{free:?}"
        );
        assert_eq!(
            on_free_ground(spot(420.0, 804.0), &[bar, page.expand(300.0)], &both[..1]),
            None
        );
    }

    #[test]
    fn windows_overlap_also_across_screens_of_different_scales() {
        let page = WindowRect {
            corner: pos2(296.0, 0.0),
            size: vec2(1320.0, 756.0),
            scale: 1.0,
        };
        assert!(!are_overlapping(spot(420.0, 804.0), page));
        assert!(!are_overlapping(spot(420.0, 753.0), page), "the frames touch");
        assert!(are_overlapping(spot(420.0, 700.0), page));
        // The rectangles overlap in pixels, although they would be apart in points.
        let dense = |x: f32| WindowRect {
            corner: pos2(x, 100.0),
            size: vec2(100.0, 440.0),
            scale: 2.0,
        };
        assert!(!are_overlapping(dense(80.0), page) && are_overlapping(dense(200.0), page));
    }

    #[test]
    fn opens_a_window_beside_the_bar() {
        let screens = [screen("left", 0.0, 1920.0)];
        let (best, min_size) = (vec2(1320.0, 880.0), vec2(880.0, 400.0));
        let wanted = WantedRoom::with_frame(best, min_size);
        let beside = |bar: WindowRect, screens: &[Screen]| super::rect_beside(bar, &[], wanted, screens);
        let spot_of = |x: f32, y: f32, size: Vec2| {
            Some(WindowRect {
                corner: pos2(x, y),
                size,
                scale: 1.0,
            })
        };
        // Above a bar at the lower edge, as high as there is room; below a bar at the upper edge.
        assert_eq!(
            beside(spot(420.0, 804.0), &screens),
            spot_of(296.0, 0.0, vec2(1320.0, 756.0))
        );
        assert_eq!(
            beside(spot(420.0, 0.0), &screens),
            spot_of(296.0, 212.0, vec2(1320.0, 828.0))
        );
        let upright = WindowRect {
            size: vec2(100.0, 440.0),
            ..spot(1800.0, 300.0)
        };
        assert_eq!(beside(upright, &screens), spot_of(464.0, 60.0, best));
        // In the middle there is room neither above nor below.
        let small = [scaled(
            "small",
            Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 720.0)),
            1.0,
        )];
        assert_eq!(beside(spot(100.0, 250.0), &small), None);
        assert_eq!(beside(spot(100.0, 250.0), &[]), None);
    }

    #[test]
    fn opens_a_window_beside_a_board_that_is_read() {
        let screens = [screen("left", 0.0, 1920.0)];
        let bar = spot(60.0, 800.0);
        let board = Rect::from_min_size(pos2(40.0, 40.0), vec2(600.0, 640.0));
        let beside =
            |size: Vec2, taken: &[Rect]| rect_beside(bar, taken, WantedRoom::without_frame(size), &screens);
        for size in [vec2(372.0, 660.0), vec2(340.0, 80.0), vec2(1100.0, 700.0)] {
            let at = beside(size, &[board]).unwrap();
            assert!(
                !at.rect().intersects(board) && !at.rect().intersects(bar.rect()),
                "{at:?}"
            );
            assert!(screens[0].rect.contains_rect(at.rect()), "{at:?}");
        }
        // A bar that would cover the board is moved as little as possible.
        let moved = clear_of(spot(300.0, 500.0), &[board], &screens);
        assert!(
            !moved.rect().intersect(board).is_positive() && screens[0].rect.contains_rect(moved.rect()),
            "{moved:?}"
        );
        assert_eq!(clear_of(bar, &[board], &screens), bar);
        assert_eq!(
            clear_of(bar, &[screens[0].rect], &screens),
            bar,
            "there is no room"
        );
        // A window that needs more room than there is.
        assert_eq!(beside(vec2(1300.0, 900.0), &[board]), None);
        assert_eq!(beside(vec2(200.0, 200.0), &[screens[0].rect]), None);
    }
}
