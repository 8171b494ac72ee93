//! The context menu: in the bar's window if it has room, otherwise in a separate window.

mod entries;

use super::placement::WindowPlacement;
use eframe::egui;
use egui::{
    Context, CornerRadius, Frame, Key, Popup, PopupCloseBehavior, Pos2, Response, SetOpenCommand, Shadow,
    ViewportBuilder, ViewportId, WindowLevel, X11WindowType, containers::menu,
};
use entries::MenuEntries;
pub(super) use entries::{MenuChoice, MenuContent};
use std::time::Duration;

/// The time, in seconds, for which neither window may have the focus while it moves from one to the other.
const FOCUS_TIMEOUT_SECONDS: f64 = 0.15;

/// The title of the menu's window, where a desktop shows it.
const TITLE: &str = "Shogibar menu";

/// The context menu of a bar.
#[derive(Debug, Default)]
pub(super) struct Menu {
    /// The separate window, while the menu has one.
    window: Option<MenuWindow>,
    entries: MenuEntries,
    /// Whether a key has requested that the menu opens at the next frame.
    is_requested: bool,
}

#[derive(Clone, Copy, Debug)]
struct MenuWindow {
    /// The position of the window in points; `None` if windows cannot be placed.
    position: Option<Pos2>,
    /// Whether this window or the bar has had the focus. The menu closes when both have lost it.
    had_focus: bool,
    /// The time at which both lost the focus, in seconds of the clock; `None` while one has it. The focus may be moving
    /// from one to the other.
    unfocused_since: Option<f64>,
}

impl Menu {
    /// Returns whether the menu is open, in the bar's window or in a separate one.
    pub(super) fn is_open(&self, ctx: &Context) -> bool {
        self.window.is_some() || Popup::is_any_open(ctx)
    }

    /// Opens the menu at the next frame, in the middle of the bar.
    pub(super) const fn request(&mut self) {
        self.is_requested = true;
    }

    /// Returns whether [`request`](Self::request) was called since the last frame of the menu.
    pub(super) const fn is_requested(&self) -> bool {
        self.is_requested
    }

    /// Takes the keys that move within the open menu out of the input of the bar, which has the focus.
    pub(super) fn take_keys(&mut self, ctx: &Context) {
        self.entries.take_keys(ctx);
    }

    /// Shows the menu where the background was clicked, or in the middle if a key has requested it. Returns the chosen
    /// entry.
    pub(super) fn show(
        &mut self,
        response: &Response,
        content: &MenuContent,
        placement: &WindowPlacement,
    ) -> Option<MenuChoice> {
        let ctx = &response.ctx;
        let is_requested = std::mem::take(&mut self.is_requested);
        let opens = is_requested || response.secondary_clicked();
        if opens {
            self.entries = if is_requested {
                MenuEntries::with_first_row()
            } else {
                MenuEntries::default()
            };
        }
        // The room has to hold the largest submenu, because the menu does not move once it is open.
        let largest = entries::largest_size(&frame(ctx), content);
        if self.window.is_none() && ctx.content_rect().size().min(largest) == largest {
            let popup = Popup::context_menu(response);
            let popup = if is_requested {
                popup.open_memory(Some(SetOpenCommand::Bool(true)))
            } else {
                popup
            };
            let popup = popup
                .close_behavior(PopupCloseBehavior::CloseOnClickOutside)
                .frame(Frame::NONE);
            let chosen = popup
                .show(|ui| self.entries.show(ui, content, frame(ctx)))
                .and_then(|shown| shown.inner);
            if chosen.is_some() {
                Popup::close_all(ctx);
            }
            return chosen;
        }
        let (clicked, escaped) =
            ctx.input(|input| (input.pointer.any_pressed(), input.key_pressed(Key::Escape)));
        if opens {
            let pointer = if is_requested {
                None
            } else {
                response.interact_pointer_pos()
            };
            let at = placement.position_for(ctx, pointer.unwrap_or_else(|| response.rect.center()), largest);
            self.window = Some(MenuWindow {
                position: at,
                had_focus: false,
                unfocused_since: None,
            });
        } else if clicked || escaped {
            self.window = None;
        }
        let mut window = self.window?;
        let (chosen, stays) = window.show(ctx, content, &mut self.entries);
        self.window = stays.then_some(window);
        chosen
    }
}

impl MenuWindow {
    /// Draws one frame. Returns the chosen entry, and whether the menu stays open.
    fn show(
        &mut self,
        ctx: &Context,
        content: &MenuContent,
        entries: &mut MenuEntries,
    ) -> (Option<MenuChoice>, bool) {
        let size = entries.size(&frame(ctx), content);
        let builder = ViewportBuilder::default()
            .with_title(TITLE)
            .with_app_id("shogibar")
            .with_inner_size(size)
            .with_resizable(false)
            .with_decorations(false)
            // The window is transparent beside a submenu.
            .with_transparent(true)
            .with_taskbar(false)
            .with_window_type(X11WindowType::PopupMenu)
            // On X11 this bypasses the window manager: the menu is above the bar, which keeps the focus.
            .with_override_redirect(true)
            .with_window_level(WindowLevel::AlwaysOnTop);
        let builder = self
            .position
            .iter()
            .fold(builder, |builder, at| builder.with_position(*at));
        let shown = ctx.show_viewport_immediate(
            ViewportId::from_hash_of((ctx.viewport_id(), "menu")),
            builder,
            |ui, _| {
                menu::menu_style(ui.style_mut());
                let chosen = entries.show(ui, content, frame(ui.ctx()));
                let (escaped, closed) =
                    ui.input(|input| (input.key_pressed(Key::Escape), input.viewport().close_requested()));
                (
                    chosen,
                    escaped || closed,
                    ui.input(|input| input.viewport().focused),
                )
            },
        );
        let (chosen, is_closed, focused) = shown;
        let (now, bar_focused) = ctx.input(|input| (input.time, input.viewport().focused));
        let has_focus = focused == Some(true) || bar_focused == Some(true);
        self.had_focus |= has_focus;
        self.unfocused_since = if has_focus {
            None
        } else {
            self.unfocused_since.or(Some(now))
        };
        let has_lost_focus = self.had_focus
            && self
                .unfocused_since
                .is_some_and(|since| now - since > FOCUS_TIMEOUT_SECONDS);
        if self.unfocused_since.is_some() {
            ctx.request_repaint_after(Duration::from_secs_f64(2.0 * FOCUS_TIMEOUT_SECONDS));
        }
        let stays = chosen.is_none() && !is_closed && !has_lost_focus;
        (chosen, stays)
    }
}

fn frame(ctx: &Context) -> Frame {
    Frame::menu(&ctx.global_style())
        .corner_radius(CornerRadius::ZERO)
        .shadow(Shadow::NONE)
}
