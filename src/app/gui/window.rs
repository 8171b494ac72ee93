//! What a window without a frame has to do for itself: be moved, be resized.

use eframe::egui;
use egui::{CursorIcon, IconData, PointerButton, Pos2, Rect, ResizeDirection, Response, ViewportCommand};
use std::sync::Arc;

/// How near to an edge the window is resized and not moved, in points, and how near to a corner.
const EDGE: f32 = 6.0;
const CORNER: f32 = 16.0;

/// Moves the window by its ground and resizes it by its edges.
pub(super) fn drag(ground: &Response) {
    let ctx = &ground.ctx;
    let at = |pos: Option<Pos2>| pos.and_then(|pos| edge(ground.rect, pos));
    if ground.hovered()
        && let Some(direction) = at(ctx.input(|input| input.pointer.hover_pos()))
    {
        ctx.set_cursor_icon(cursor(direction));
    }
    if ground.drag_started_by(PointerButton::Primary) {
        // From where the button went down: the pointer has moved since.
        ctx.send_viewport_cmd(match at(ctx.input(|input| input.pointer.press_origin())) {
            Some(direction) => ViewportCommand::BeginResize(direction),
            None => ViewportCommand::StartDrag,
        });
        // From here on the window manager has the pointer; without this the next grab would be lost.
        ctx.stop_dragging();
    }
}

/// The edge or corner at a place, if there is one.
fn edge(window: Rect, pos: Pos2) -> Option<ResizeDirection> {
    use ResizeDirection as D;
    let near = |distance: f32, reach: f32| distance <= reach;
    let (left, right) = (pos.x - window.left(), window.right() - pos.x);
    let (top, bottom) = (pos.y - window.top(), window.bottom() - pos.y);
    let on_edge = [left, right, top, bottom].into_iter().any(|distance| near(distance, EDGE));
    let (west, east) = (near(left, CORNER), near(right, CORNER));
    let (north, south) = (near(top, CORNER), near(bottom, CORNER));
    match (north, south, west, east) {
        _ if !on_edge => None,
        (true, _, true, _) => Some(D::NorthWest),
        (true, _, _, true) => Some(D::NorthEast),
        (_, true, true, _) => Some(D::SouthWest),
        (_, true, _, true) => Some(D::SouthEast),
        _ if near(left, EDGE) => Some(D::West),
        _ if near(right, EDGE) => Some(D::East),
        _ if near(top, EDGE) => Some(D::North),
        _ => Some(D::South),
    }
}

const fn cursor(direction: ResizeDirection) -> CursorIcon {
    match direction {
        ResizeDirection::North => CursorIcon::ResizeNorth,
        ResizeDirection::South => CursorIcon::ResizeSouth,
        ResizeDirection::East => CursorIcon::ResizeEast,
        ResizeDirection::West => CursorIcon::ResizeWest,
        ResizeDirection::NorthEast => CursorIcon::ResizeNorthEast,
        ResizeDirection::SouthEast => CursorIcon::ResizeSouthEast,
        ResizeDirection::NorthWest => CursorIcon::ResizeNorthWest,
        ResizeDirection::SouthWest => CursorIcon::ResizeSouthWest,
    }
}

/// The icon of the window.
pub(super) fn icon() -> Arc<IconData> {
    // The picture ships with the program; were it broken, a window without an icon is still a window.
    let picture = include_bytes!("../../../assets/icons/shogibar.png");
    Arc::new(eframe::icon_data::from_png_bytes(picture).unwrap_or_default())
}

/// Prefers X11, through `XWayland` where the desktop is Wayland: there no window may stay on top or say
/// where it stands. `SHOGIBAR_WAYLAND` in the environment asks for Wayland all the same.
#[cfg(target_os = "linux")]
pub(super) fn event_loop() -> Option<eframe::EventLoopBuilderHook> {
    use winit::platform::x11::EventLoopBuilderExtX11 as _;
    is_x11().then(|| -> eframe::EventLoopBuilderHook {
        Box::new(|builder| {
            builder.with_x11();
        })
    })
}

/// Whether the windows are X11's.
#[cfg(target_os = "linux")]
pub(super) fn is_x11() -> bool {
    let has = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    has("DISPLAY") && !has("SHOGIBAR_WAYLAND")
}

#[cfg(not(target_os = "linux"))]
pub(super) fn event_loop() -> Option<eframe::EventLoopBuilderHook> {
    None
}

#[cfg(test)]
mod tests {
    use super::{ResizeDirection as D, edge};
    use eframe::egui::{Rect, pos2};

    #[test]
    fn edges_resize_and_the_ground_moves() {
        let window = Rect::from_min_max(pos2(0.0, 0.0), pos2(480.0, 110.0));
        let check = |x: f32, y: f32, expect: Option<D>| assert_eq!(edge(window, pos2(x, y)), expect, "at {x}, {y}");
        check(240.0, 55.0, None);
        check(12.0, 12.0, None);
        check(1.0, 1.0, Some(D::NorthWest));
        check(12.0, 2.0, Some(D::NorthWest));
        check(479.0, 100.0, Some(D::SouthEast));
        check(478.0, 3.0, Some(D::NorthEast));
        check(3.0, 108.0, Some(D::SouthWest));
        check(2.0, 55.0, Some(D::West));
        check(477.0, 55.0, Some(D::East));
        check(240.0, 2.0, Some(D::North));
        check(240.0, 108.0, Some(D::South));
    }
}
