//! The screens, and where on them the bar stood.
//!
//! Screens lie beside each other in pixels; each has its own number of them to a point, and only on one screen can
//! places be told in points.

use crate::config::{ScreenPosition, ScreenPositions};
use eframe::egui;
use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// So much of a window has to be seen that it can be taken hold of, in points.
const SEEN: Vec2 = vec2(80.0, 24.0);

/// How far one bar lies from the next, in points.
const STEP: f32 = 32.0;
/// What is left between the bar and a window beside it, and what a window's frame may take, in points.
const GAP: f32 = 8.0;
const FRAME: Vec2 = vec2(8.0, 40.0);

/// A screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Screen {
    /// What the system calls it.
    pub(super) name: String,
    /// Where it lies among the others, in pixels.
    pub(super) rect: Rect,
    /// The pixels of a point.
    pub(super) scale: f32,
}

/// Where a window stands, or is to stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WindowRect {
    /// Its corner among the screens, in pixels.
    pub(super) at: Pos2,
    /// In points: a window keeps these when it comes to a screen of another scale.
    pub(super) size: Vec2,
    /// The pixels of a point where it stands.
    pub(super) scale: f32,
}

impl WindowRect {
    /// All that it takes, in pixels.
    pub(super) fn rect(&self) -> Rect {
        Rect::from_min_size(self.at, self.size * self.scale)
    }
}

/// The screens that are there, the main one first.
pub(super) fn all(window: &winit::window::Window) -> Vec<Screen> {
    let main = window.primary_monitor();
    let mut monitors: Vec<_> = window.available_monitors().collect();
    monitors.sort_by_key(|monitor| Some(monitor) != main.as_ref());
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "the pixels of screens")]
    let screens = monitors.into_iter().map(|monitor| {
        let (at, size, scale) = (monitor.position(), monitor.size(), monitor.scale_factor() as f32);
        let rect = Rect::from_min_size(pos2(at.x as f32, at.y as f32), vec2(size.width as f32, size.height as f32));
        Screen { name: monitor.name().unwrap_or_default(), rect, scale }
    });
    screens.filter(|screen| screen.rect.is_positive() && screen.scale > 0.0).collect()
}

/// Where a window of this size, in points, is put at first: in the middle, near the lower edge, where videos have
/// least to show.
pub(super) fn default_rect(size: Vec2, screens: &[Screen]) -> Option<WindowRect> {
    let Screen { rect, scale, .. } = screens.first()?;
    let at = pos2(rect.center().x - size.x * scale / 2.0, rect.bottom() - (size.y + 72.0) * scale);
    Some(moved_on_screen(WindowRect { at, size, scale: *scale }, screens))
}

/// Where the bar stood last, on the screen it stood on; where that is gone, on another. It is as large as what it shows
/// now wants it, which may be less than what it showed then.
pub(super) fn restored(places: &ScreenPositions, screens: &[Screen], size: Vec2) -> Option<WindowRect> {
    let last = places.last()?;
    let there = screens.iter().find(|screen| screen.name == last.screen).or_else(|| screens.first())?;
    let place = places.on(&there.name).unwrap_or(last);
    #[expect(clippy::cast_precision_loss, reason = "no window is so far off")]
    let at = vec2(place.x as f32, place.y as f32);
    Some(moved_on_screen(WindowRect { at: there.rect.min + at * there.scale, size, scale: there.scale }, screens))
}

/// A window where it can be seen: as it is, where enough of it can be; else moved into the nearest screen.
fn moved_on_screen(spot: WindowRect, screens: &[Screen]) -> WindowRect {
    let window = spot.rect();
    let is_seen = |screen: &Screen| {
        let (seen, least) = (screen.rect.intersect(window), SEEN * spot.scale);
        seen.width() >= least.x.min(window.width()) && seen.height() >= least.y.min(window.height())
    };
    if screens.iter().any(is_seen) { spot } else { within(spot, screens) }
}

/// A window moved wholly into the screen that it is on, or is nearest to; cut where it is larger than that.
pub(super) fn within(spot: WindowRect, screens: &[Screen]) -> WindowRect {
    let Some(screen) = nearest(spot.rect().center(), screens) else { return spot };
    let size = spot.size.min(screen.rect.size() / screen.scale);
    let most = screen.rect.max - size * screen.scale;
    let clamp = |at: f32, min: f32, max: f32| at.clamp(min, max.max(min));
    let (min, at) = (screen.rect.min, spot.at);
    WindowRect { at: pos2(clamp(at.x, min.x, most.x), clamp(at.y, min.y, most.y)), size, scale: screen.scale }
}

/// A window so many steps beside another of its size: above it or below it where there is room, and else so that none
/// lies exactly upon another, down and to the right, or back where the screen ends.
pub(super) fn cascaded(spot: WindowRect, steps: usize, screens: &[Screen]) -> WindowRect {
    let Some(screen) = nearest(spot.rect().center(), screens) else { return spot };
    let window = spot.rect();
    #[expect(clippy::cast_precision_loss, reason = "so many programs do not run")]
    let count = steps as f32;
    for way in [-1.0, 1.0] {
        let there = window.translate(vec2(0.0, way * count * (window.height() + GAP * spot.scale)));
        if screen.rect.contains_rect(there) {
            return WindowRect { at: there.min, ..spot };
        }
    }
    let way = STEP * count * spot.scale;
    let x = if window.right() + way <= screen.rect.right() { way } else { -way };
    let y = if window.bottom() + way <= screen.rect.bottom() { way } else { -way };
    WindowRect { at: spot.at + vec2(x, y), ..spot }
}

/// Where a window that is at best of the one size, at worst of the other, stands beside the bar and not under it: in
/// points, the frame left out of account but for the room it takes. `None` where there is no room.
pub(super) fn rect_beside(bar: WindowRect, best: Vec2, least: Vec2, screens: &[Screen]) -> Option<WindowRect> {
    let Screen { rect: all, scale, .. } = *nearest(bar.rect().center(), screens)?;
    let taken = bar.rect().expand(GAP * scale);
    let free = [
        all.with_max_y(taken.top()),
        all.with_min_y(taken.bottom()),
        all.with_max_x(taken.left()),
        all.with_min_x(taken.right()),
    ];
    let fitted = free.into_iter().filter(Rect::is_positive).filter_map(|free| {
        let size = best.min(free.size() / scale - FRAME);
        let window = (size + FRAME) * scale;
        let center = bar.rect().center() - window / 2.0;
        let at = center.max(free.min).min(free.max - window);
        (size.min(least) == least).then_some(WindowRect { at, size, scale })
    });
    fitted.max_by(|a, b| (a.size.x * a.size.y).total_cmp(&(b.size.x * b.size.y)))
}

/// The screen that holds a place in pixels, or the one that is nearest to it.
fn nearest(at: Pos2, screens: &[Screen]) -> Option<&Screen> {
    let distance = |screen: &&Screen| screen.rect.distance_sq_to_pos(at);
    screens.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// What is to be remembered of where a window stands.
pub(super) fn place(spot: WindowRect, screens: &[Screen]) -> Option<ScreenPosition> {
    let screen = nearest(spot.rect().center(), screens)?;
    let at = (spot.at - screen.rect.min) / screen.scale;
    Some(ScreenPosition { screen: screen.name.clone(), x: whole(at.x), y: whole(at.y) })
}

#[expect(clippy::cast_possible_truncation, reason = "the fractions of a point")]
const fn whole(points: f32) -> i32 {
    points.round() as i32
}

/// A size in whole points.
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
        Screen { name: name.to_owned(), rect, scale }
    }

    fn spot(x: f32, y: f32) -> WindowRect {
        WindowRect { at: pos2(x, y), size: vec2(1080.0, 204.0), scale: 1.0 }
    }

    #[test]
    fn a_window_is_where_it_was_on_whichever_screen() {
        let screens = [screen("left", 0.0, 1920.0), screen("right", 1920.0, 2560.0)];
        let mut places = ScreenPositions::default();
        for at in [spot(100.0, 800.0), spot(2500.0, 40.0)] {
            places.remember(place(at, &screens).unwrap());
            assert_eq!(restored(&places, &screens, at.size), Some(at));
        }
        // The right one is gone: what was remembered of the left one counts.
        assert_eq!(restored(&places, &screens[..1], spot(0.0, 0.0).size), Some(spot(100.0, 800.0)));
        // Another stands where it stood.
        let moved = [screen("left", 0.0, 1920.0), screen("right", -2560.0, 2560.0)];
        assert_eq!(restored(&places, &moved, spot(0.0, 0.0).size), Some(spot(-1980.0, 40.0)));
        assert_eq!(restored(&places, &[], spot(0.0, 0.0).size), None);
    }

    #[test]
    fn screens_of_different_scales_do_not_get_into_each_other_s_way() {
        // A monitor, and beside it a laptop with 1.5 pixels to a point: in points both would be at 1280.
        let laptop = Rect::from_min_size(pos2(1920.0, 0.0), vec2(1920.0, 1200.0));
        let screens = [screen("monitor", 0.0, 1920.0), scaled("laptop", laptop, 1.5)];
        let at = |x: f32, y: f32, scale: f32| WindowRect { at: pos2(x, y), size: vec2(400.0, 200.0), scale };
        let check = |spot: WindowRect, expect: (&str, i32, i32)| {
            let place = place(spot, &screens).unwrap();
            assert_eq!((place.screen.as_str(), place.x, place.y), expect, "{spot:?}");
            let mut places = ScreenPositions::default();
            places.remember(place);
            assert_eq!(restored(&places, &screens, spot.size), Some(spot));
        };
        check(at(1300.0, 30.0, 1.0), ("monitor", 1300, 30));
        check(at(1950.0, 30.0, 1.5), ("laptop", 20, 20));
        check(at(3000.0, 600.0, 1.5), ("laptop", 720, 400));
        // In the middle of the laptop's lower edge, in its pixels.
        let laptop_first = [screens[1].clone(), screens[0].clone()];
        assert_eq!(default_rect(vec2(400.0, 200.0), &laptop_first), Some(at(2580.0, 792.0, 1.5)));
    }

    #[test]
    fn a_window_that_cannot_be_seen_is_brought_back() {
        let screens = [screen("left", 0.0, 1920.0)];
        let check = |at: WindowRect, expect: WindowRect| assert_eq!(moved_on_screen(at, &screens), expect, "{at:?}");
        check(spot(-900.0, 500.0), spot(-900.0, 500.0));
        check(spot(-1070.0, 500.0), spot(0.0, 500.0));
        check(spot(5000.0, 5000.0), spot(840.0, 876.0));
        let large = |at, size| WindowRect { at, size, scale: 1.0 };
        check(large(pos2(9000.0, 0.0), vec2(4000.0, 3000.0)), large(pos2(0.0, 0.0), vec2(1920.0, 1080.0)));
        assert_eq!(default_rect(vec2(1080.0, 204.0), &screens), Some(spot(420.0, 804.0)));
        assert_eq!(moved_on_screen(spot(5000.0, 5000.0), &[]), spot(5000.0, 5000.0), "nothing is known of screens");
    }

    #[test]
    fn a_window_is_wholly_on_its_screen() {
        let screens = [screen("left", 0.0, 1920.0), screen("right", 1920.0, 1920.0)];
        let check = |at: WindowRect, expect: WindowRect| assert_eq!(within(at, &screens), expect, "{at:?}");
        check(spot(100.0, 800.0), spot(100.0, 800.0));
        check(spot(100.0, 900.0), spot(100.0, 876.0));
        check(spot(1500.0, -40.0), spot(1920.0, 0.0));
        check(spot(-50.0, 0.0), spot(0.0, 0.0));
    }

    #[test]
    fn no_bar_lies_upon_another() {
        let screens = [screen("left", 0.0, 1920.0)];
        let check = |at: (f32, f32), steps, expect: (f32, f32)| {
            assert_eq!(cascaded(spot(at.0, at.1), steps, &screens), spot(expect.0, expect.1), "{at:?}, {steps}");
        };
        check((420.0, 804.0), 0, (420.0, 804.0));
        check((420.0, 804.0), 1, (420.0, 804.0 - 204.0 - GAP));
        check((420.0, 804.0), 3, (420.0, 804.0 - 3.0 * (204.0 + GAP)));
        check((420.0, 20.0), 2, (420.0, 20.0 + 2.0 * (204.0 + GAP)));
        check((420.0, 500.0), 3, (516.0, 596.0));
        check((840.0, 876.0), 5, (680.0, 716.0));
    }

    #[test]
    fn a_window_opens_beside_the_bar() {
        let screens = [screen("left", 0.0, 1920.0)];
        let (best, least) = (vec2(1320.0, 880.0), vec2(880.0, 400.0));
        let beside = |bar: WindowRect, screens: &[Screen]| super::rect_beside(bar, best, least, screens);
        let spot_of = |x: f32, y: f32, size: Vec2| Some(WindowRect { at: pos2(x, y), size, scale: 1.0 });
        // Above a bar at the lower edge, as high as there is room; below one at the upper edge.
        assert_eq!(beside(spot(420.0, 804.0), &screens), spot_of(296.0, 0.0, vec2(1320.0, 756.0)));
        assert_eq!(beside(spot(420.0, 0.0), &screens), spot_of(296.0, 212.0, vec2(1320.0, 828.0)));
        let upright = WindowRect { size: vec2(100.0, 440.0), ..spot(1800.0, 300.0) };
        assert_eq!(beside(upright, &screens), spot_of(464.0, 60.0, best));
        // In the middle there is room neither above nor below.
        let small = [scaled("small", Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 720.0)), 1.0)];
        assert_eq!(beside(spot(100.0, 250.0), &small), None);
        assert_eq!(beside(spot(100.0, 250.0), &[]), None);
    }
}
