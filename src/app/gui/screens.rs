//! The screens, and where on them the bar stood.

use crate::config::{Place, Places};
use eframe::egui;
use egui::{Rect, Vec2, pos2, vec2};

/// So much of a window has to be seen that it can be taken hold of, in points.
const SEEN: Vec2 = vec2(80.0, 24.0);

/// A screen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Screen {
    /// What the system calls it.
    pub(super) name: String,
    /// Where it lies among the others, in points.
    pub(super) rect: Rect,
}

/// The screens that are there.
pub(super) fn all(window: &winit::window::Window) -> Vec<Screen> {
    let screens = window.available_monitors().map(|monitor| {
        let (at, size, scale) = (monitor.position(), monitor.size(), monitor.scale_factor());
        let (at, size) = (at.to_logical::<f32>(scale), size.to_logical::<f32>(scale));
        let rect = Rect::from_min_size(pos2(at.x, at.y), vec2(size.width, size.height));
        Screen { name: monitor.name().unwrap_or_default(), rect }
    });
    screens.filter(|screen| screen.rect.is_positive()).collect()
}

/// Where a window of this size is put at first: in the middle, near the lower edge, where videos have least to show.
pub(super) fn usual(size: Vec2, screens: &[Screen]) -> Option<Rect> {
    let screen = screens.first()?.rect;
    let at = pos2(screen.center().x - size.x / 2.0, screen.bottom() - size.y - 72.0);
    Some(brought_back(Rect::from_min_size(at, size), screens))
}

/// Where the bar stood last, on the screen it stood on; where that is gone, on another.
pub(super) fn restored(places: &Places, screens: &[Screen]) -> Option<Rect> {
    let last = places.last()?;
    let there = screens.iter().find(|screen| screen.name == last.screen).or_else(|| screens.first())?;
    let place = places.on(&there.name).unwrap_or(last);
    #[expect(clippy::cast_precision_loss, reason = "no window is so far off")]
    let (at, size) = (vec2(place.x as f32, place.y as f32), vec2(place.width as f32, place.height as f32));
    Some(brought_back(Rect::from_min_size(there.rect.min + at, size), screens))
}

/// A window where it can be seen: as it is, where enough of it can be; else moved into the nearest screen.
fn brought_back(window: Rect, screens: &[Screen]) -> Rect {
    let is_seen = |screen: &Screen| {
        let seen = screen.rect.intersect(window);
        seen.width() >= SEEN.x.min(window.width()) && seen.height() >= SEEN.y.min(window.height())
    };
    if screens.is_empty() || screens.iter().any(is_seen) {
        return window;
    }
    let distance = |screen: &&Screen| screen.rect.distance_sq_to_pos(window.center());
    let Some(screen) = screens.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))) else { return window };
    let size = window.size().min(screen.rect.size());
    let most = screen.rect.max - size;
    let clamp = |at: f32, min: f32, max: f32| at.clamp(min, max.max(min));
    let at = pos2(clamp(window.min.x, screen.rect.min.x, most.x), clamp(window.min.y, screen.rect.min.y, most.y));
    Rect::from_min_size(at, size)
}

/// What is to be remembered of where a window stands.
pub(super) fn place(window: Rect, screens: &[Screen]) -> Option<Place> {
    let holds = |screen: &&Screen| screen.rect.contains(window.center());
    let screen = screens.iter().find(holds).or_else(|| screens.first())?;
    let at = window.min - screen.rect.min;
    #[expect(clippy::cast_possible_truncation, reason = "the fractions of a point")]
    let whole = |points: f32| points.round() as i32;
    let side = |points: f32| u32::try_from(whole(points)).unwrap_or_default();
    Some(Place {
        screen: screen.name.clone(),
        x: whole(at.x),
        y: whole(at.y),
        width: side(window.width()),
        height: side(window.height()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(name: &str, x: f32, width: f32) -> Screen {
        Screen { name: name.to_owned(), rect: Rect::from_min_size(pos2(x, 0.0), vec2(width, 1080.0)) }
    }

    fn window(x: f32, y: f32) -> Rect {
        Rect::from_min_size(pos2(x, y), vec2(1080.0, 204.0))
    }

    #[test]
    fn a_window_is_where_it_was_on_whichever_screen() {
        let screens = [screen("left", 0.0, 1920.0), screen("right", 1920.0, 2560.0)];
        let mut places = Places::default();
        for at in [window(100.0, 800.0), window(2500.0, 40.0)] {
            places.remember(place(at, &screens).unwrap());
            assert_eq!(restored(&places, &screens), Some(at));
        }
        // The right one is gone: what was remembered of the left one counts.
        assert_eq!(restored(&places, &screens[..1]), Some(window(100.0, 800.0)));
        // Another stands where it stood.
        let moved = [screen("left", 0.0, 1920.0), screen("right", -2560.0, 2560.0)];
        assert_eq!(restored(&places, &moved), Some(window(-1980.0, 40.0)));
        assert_eq!(restored(&places, &[]), None);
    }

    #[test]
    fn a_window_that_cannot_be_seen_is_brought_back() {
        let screens = [screen("left", 0.0, 1920.0)];
        let check = |at: Rect, expect: Rect| assert_eq!(brought_back(at, &screens), expect, "{at}");
        check(window(-900.0, 500.0), window(-900.0, 500.0));
        check(window(-1070.0, 500.0), window(0.0, 500.0));
        check(window(5000.0, 5000.0), window(840.0, 876.0));
        let large = Rect::from_min_size(pos2(9000.0, 0.0), vec2(4000.0, 3000.0));
        check(large, Rect::from_min_size(pos2(0.0, 0.0), vec2(1920.0, 1080.0)));
        assert_eq!(usual(vec2(1080.0, 204.0), &screens), Some(window(420.0, 804.0)));
    }
}
