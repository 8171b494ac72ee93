//! Moving and resizing a window without a frame. Also the icon of the windows, and the choice between X11 and Wayland.

use eframe::egui;
use egui::{
    Context, CursorIcon, IconData, PointerButton, Pos2, Rect, ResizeDirection, Response, Vec2,
    ViewportCommand,
};
use std::sync::Arc;

/// The width of the resize edge, in points.
const EDGE_WIDTH: f32 = 6.0;
/// The length of a resize corner, in points.
const CORNER_LENGTH: f32 = 16.0;

/// Whether the system resizes a window by its edges. macOS does not.
pub(super) const HAS_SYSTEM_RESIZE: bool = !cfg!(target_os = "macos");

/// Moves the window by its background and resizes it by its edges.
#[derive(Debug, Default)]
pub(super) struct WindowHandle {
    /// The resize in progress: the edge, and at its start the window's rectangle and the pointer's position on the
    /// screen.
    resize_drag: Option<(ResizeDirection, Rect, Pos2)>,
}

impl WindowHandle {
    /// Handles one frame. `has_system_resize` is whether the system resizes windows. `min_size` is the smallest size,
    /// in points.
    pub(super) fn drag(&mut self, response: &Response, has_system_resize: bool, min_size: Vec2) {
        let ctx = &response.ctx;
        let at = |pos: Option<Pos2>| pos.and_then(|pos| edge_at(response.rect, pos));
        if response.hovered()
            && let Some(direction) = at(ctx.input(|input| input.pointer.hover_pos()))
        {
            ctx.set_cursor_icon(resize_cursor(direction));
        }
        if response.drag_started_by(PointerButton::Primary) {
            // The drag starts where the button was pressed: the pointer has moved since.
            let (origin, outer) =
                ctx.input(|input| (input.pointer.press_origin(), input.viewport().outer_rect));
            match (at(origin), outer) {
                (Some(direction), Some(window)) if !has_system_resize => {
                    self.resize_drag =
                        origin.map(|origin| (direction, window, window.min + origin.to_vec2()));
                    return;
                }
                (Some(direction), _) => ctx.send_viewport_cmd(ViewportCommand::BeginResize(direction)),
                (None, _) => ctx.send_viewport_cmd(ViewportCommand::StartDrag),
            }
            // The window manager now has the pointer. Without this call, the next drag would be lost.
            ctx.stop_dragging();
        }
        self.resize(ctx, min_size);
    }

    /// Moves the dragged edge with the pointer.
    fn resize(&mut self, ctx: &Context, min_size: Vec2) {
        let Some((direction, from, origin)) = self.resize_drag else {
            return;
        };
        let (outer, pos, is_held) = ctx.input(|input| {
            (
                input.viewport().outer_rect,
                input.pointer.latest_pos(),
                input.pointer.primary_down(),
            )
        });
        let (Some(outer), Some(pos), true) = (outer, pos, is_held) else {
            self.resize_drag = None;
            return;
        };
        let window = resized_rect(from, direction, outer.min + pos.to_vec2() - origin, min_size);
        if window.size() != outer.size() {
            ctx.send_viewport_cmd(ViewportCommand::InnerSize(window.size()));
        }
        if window.min != outer.min {
            ctx.send_viewport_cmd(ViewportCommand::OuterPosition(window.min));
        }
    }
}

/// Returns the window's rectangle after an edge or corner was dragged, down to its minimum size.
fn resized_rect(window: Rect, direction: ResizeDirection, offset: Vec2, min_size: Vec2) -> Rect {
    use ResizeDirection as D;
    let (mut min, mut max) = (window.min, window.max);
    if matches!(direction, D::West | D::NorthWest | D::SouthWest) {
        min.x = (min.x + offset.x).min(max.x - min_size.x);
    }
    if matches!(direction, D::East | D::NorthEast | D::SouthEast) {
        max.x = (max.x + offset.x).max(min.x + min_size.x);
    }
    if matches!(direction, D::North | D::NorthWest | D::NorthEast) {
        min.y = (min.y + offset.y).min(max.y - min_size.y);
    }
    if matches!(direction, D::South | D::SouthWest | D::SouthEast) {
        max.y = (max.y + offset.y).max(min.y + min_size.y);
    }
    Rect::from_min_max(min, max)
}

/// Returns the edge or corner at a position, if there is one.
fn edge_at(window: Rect, pos: Pos2) -> Option<ResizeDirection> {
    use ResizeDirection as D;
    let near = |distance: f32, reach: f32| distance <= reach;
    let (left, right) = (pos.x - window.left(), window.right() - pos.x);
    let (top, bottom) = (pos.y - window.top(), window.bottom() - pos.y);
    let on_edge = [left, right, top, bottom]
        .into_iter()
        .any(|distance| near(distance, EDGE_WIDTH));
    let (west, east) = (near(left, CORNER_LENGTH), near(right, CORNER_LENGTH));
    let (north, south) = (near(top, CORNER_LENGTH), near(bottom, CORNER_LENGTH));
    match (north, south, west, east) {
        _ if !on_edge => None,
        (true, _, true, _) => Some(D::NorthWest),
        (true, _, _, true) => Some(D::NorthEast),
        (_, true, true, _) => Some(D::SouthWest),
        (_, true, _, true) => Some(D::SouthEast),
        _ if near(left, EDGE_WIDTH) => Some(D::West),
        _ if near(right, EDGE_WIDTH) => Some(D::East),
        _ if near(top, EDGE_WIDTH) => Some(D::North),
        _ => Some(D::South),
    }
}

/// Returns the shape of the pointer over an edge or corner.
const fn resize_cursor(direction: ResizeDirection) -> CursorIcon {
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

pub(super) fn icon() -> Arc<IconData> {
    // The icon ships with the program; if it were broken, a window without an icon still works.
    let picture = include_bytes!("../../../assets/icons/shogibar.png");
    Arc::new(eframe::icon_data::from_png_bytes(picture).unwrap_or_default())
}

/// Returns a hook that selects X11, through `XWayland` on a Wayland desktop: on Wayland no window can stay on top or
/// know its position. The environment variable `SHOGIBAR_WAYLAND` selects Wayland.
#[cfg(target_os = "linux")]
pub(super) fn event_loop() -> Option<eframe::EventLoopBuilderHook> {
    use winit::platform::x11::EventLoopBuilderExtX11 as _;
    is_x11().then(|| -> eframe::EventLoopBuilderHook {
        Box::new(|builder| {
            builder.with_x11();
        })
    })
}

/// Returns whether the windows use X11.
#[cfg(target_os = "linux")]
pub(super) fn is_x11() -> bool {
    is_set("DISPLAY") && !is_set("SHOGIBAR_WAYLAND")
}

/// Returns whether the desktop is Wayland, even if the windows use X11.
#[cfg(target_os = "linux")]
pub(super) fn is_on_wayland() -> bool {
    is_set("WAYLAND_DISPLAY")
        || std::env::var_os("XDG_SESSION_TYPE").is_some_and(|session| session == "wayland")
}

/// Returns whether an environment variable is set and not empty.
#[cfg(target_os = "linux")]
fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Returns no hook: other systems have one display system.
#[cfg(not(target_os = "linux"))]
pub(super) fn event_loop() -> Option<eframe::EventLoopBuilderHook> {
    None
}

#[cfg(test)]
mod tests {
    use super::ResizeDirection as D;
    use super::edge_at;
    use super::resized_rect;
    use eframe::egui::{Rect, pos2, vec2};

    #[test]
    fn resizes_by_the_dragged_edge() {
        let window = Rect::from_min_max(pos2(100.0, 100.0), pos2(500.0, 200.0));
        let check = |direction: D, offset: (f32, f32), [left, top, right, bottom]: [f32; 4]| {
            let dragged = resized_rect(window, direction, vec2(offset.0, offset.1), vec2(160.0, 24.0));
            let expect = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
            assert_eq!(dragged, expect, "{direction:?} by {offset:?}");
        };
        check(D::East, (30.0, 70.0), [100.0, 100.0, 530.0, 200.0]);
        check(D::South, (30.0, 70.0), [100.0, 100.0, 500.0, 270.0]);
        check(D::West, (30.0, 70.0), [130.0, 100.0, 500.0, 200.0]);
        check(D::North, (30.0, -70.0), [100.0, 30.0, 500.0, 200.0]);
        check(D::NorthWest, (-5.0, -6.0), [95.0, 94.0, 500.0, 200.0]);
        check(D::NorthEast, (5.0, -6.0), [100.0, 94.0, 505.0, 200.0]);
        check(D::SouthWest, (-5.0, 6.0), [95.0, 100.0, 500.0, 206.0]);
        check(D::SouthEast, (5.0, 6.0), [100.0, 100.0, 505.0, 206.0]);
        // The resize stops at the minimum size, and the opposite edge stays.
        check(D::East, (-900.0, 0.0), [100.0, 100.0, 260.0, 200.0]);
        check(D::NorthWest, (900.0, 900.0), [340.0, 176.0, 500.0, 200.0]);
    }

    #[test]
    fn finds_the_edge_at_a_position() {
        let window = Rect::from_min_max(pos2(0.0, 0.0), pos2(480.0, 110.0));
        let check = |x: f32, y: f32, expect: Option<D>| {
            assert_eq!(edge_at(window, pos2(x, y)), expect, "at {x}, {y}");
        };
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
