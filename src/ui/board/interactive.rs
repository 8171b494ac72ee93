//! The interactive board: pointer, keys and screen reader names.

use super::draw::{BoardInteraction, accepts_input, draw_all};
use super::keys::BoardDirection;
use super::layout::{BoardPlan, BoardSlot};
use super::{BoardAction, BoardInput, BoardView, promotion};
use crate::PaintTheme;
use crate::canvas::ShapeCanvas;
use eframe::egui;
use egui::accesskit::{Action, Role};
use egui::{
    CursorIcon, Event, EventFilter, Id, Key, Modifiers, PointerButton, Rect, Response, Sense, Ui, WidgetInfo,
};
use shogibar_base::Lang;
use shogibar_games::phrase;
use shogibar_kifu::board_mark::MarkColor;
use shogibar_kifu::board_mark_text;
use shogibar_shogi::board_text::{self, BoardWord};
use shogibar_shogi::{Color, Square};

/// The result of a frame of an interactive board.
#[derive(Debug)]
pub struct BoardResponse {
    /// The response of the whole board, for other uses such as a menu.
    pub response: Response,
    /// The user's actions.
    pub actions: Vec<BoardAction>,
}

impl BoardInput {
    /// Shows the board in a rectangle and handles the input.
    pub fn show(
        &mut self,
        ui: &Ui,
        rect: Rect,
        view: &BoardView<'_>,
        theme: &PaintTheme,
        lang: Lang,
    ) -> BoardResponse {
        self.release_if_position_changed(view);
        let plan = BoardPlan::new(view, rect, ui.pixels_per_point());
        let id = ui.scope_id().with("board");
        let response = ui.interact(
            rect,
            id,
            if accepts_input(view) || view.accepts_marks {
                Sense::click_and_drag()
            } else {
                Sense::click()
            },
        );
        response
            .widget_info(|| WidgetInfo::labeled(Role::Grid, true, board_mark_text::board(view.marks, lang)));
        let mut actions = Vec::new();
        let color = mark_color(ui);
        if view.accepts_marks {
            actions.extend(self.handle_marks(ui, &response, view, &plan, color));
        }
        if accepts_input(view) {
            actions.extend(self.handle_pointer(ui, &response, view, &plan));
            actions.extend(self.handle_keys(ui, &response, view));
        }
        actions.extend(wheel_step(ui, &response));
        actions.extend(self.add_accessible_slots(ui, id, view, &plan, lang));
        if let Some(promote) = promotion::handle_clicks(ui, self, &plan, lang) {
            actions.extend(self.choose_promotion(promote));
        }
        self.borrow_focus(ui, id);
        let pointer = ui.ctx().pointer_latest_pos();
        let interaction = BoardInteraction {
            input: Some(self),
            pointer,
            has_focus: response.has_focus() && !self.has_borrowed_focus(),
            draft_mark: self.draft_mark(pointer.and_then(|at| plan.slot_at(at)), color),
        };
        let shapes = ui.fonts_mut(|fonts| {
            let mut canvas = ShapeCanvas::new(fonts);
            draw_all(&mut canvas, view, theme, &plan, interaction);
            if let Some(choice) = self.choice() {
                promotion::draw(&mut canvas, view, theme, &plan, choice);
            }
            canvas.shapes
        });
        ui.painter().extend(shapes);
        BoardResponse { response, actions }
    }

    /// Handles clicks and drags of the right button that draw marks. Returns the resulting action.
    fn handle_marks(
        &mut self,
        ui: &Ui,
        response: &Response,
        view: &BoardView<'_>,
        plan: &BoardPlan,
        color: MarkColor,
    ) -> Option<BoardAction> {
        let at = response.interact_pointer_pos().and_then(|at| plan.slot_at(at));
        if response.drag_started_by(PointerButton::Secondary) {
            let origin = ui.input(|input| input.pointer.press_origin());
            self.start_mark(origin.and_then(|origin| plan.slot_at(origin)), view);
        }
        if response.drag_stopped_by(PointerButton::Secondary) {
            return self.end_mark(at, color);
        }
        // A right click while a piece is held only releases the piece.
        if response.secondary_clicked() && !self.is_busy() {
            self.start_mark(at, view);
            return self.end_mark(at, color);
        }
        None
    }

    /// Handles clicks and drags of the pointer, and sets the pointer's icon. Returns the resulting action.
    fn handle_pointer(
        &mut self,
        ui: &Ui,
        response: &Response,
        view: &BoardView<'_>,
        plan: &BoardPlan,
    ) -> Option<BoardAction> {
        let at = response.interact_pointer_pos().and_then(|at| plan.slot_at(at));
        if response.drag_started_by(PointerButton::Primary) {
            let origin = ui.input(|input| input.pointer.press_origin());
            self.start_drag(origin.and_then(|origin| plan.slot_at(origin)), view);
        }
        if let Some(icon) = self.cursor_icon(response, view, plan) {
            ui.ctx().set_cursor_icon(icon);
        }
        if response.drag_stopped_by(PointerButton::Primary) {
            return self.end_drag(at, view);
        }
        if response.secondary_clicked() {
            let is_edit = view.mode.is_edited() && !self.is_busy();
            self.release();
            return if is_edit {
                self.change_piece(at, view)
            } else {
                None
            };
        }
        // A click by keyboard has no pointer position.
        if response.clicked_by(PointerButton::Primary) && response.interact_pointer_pos().is_some() {
            if view.mode.is_edited() {
                // After a click, the keys that flip and remove pieces act on the clicked square. The board takes the
                // focus, because the keys that step through the game have no meaning while editing.
                self.move_cursor(at);
                response.request_focus();
            }
            return self.on_click(at, view);
        }
        if self.is_busy() && response.clicked_elsewhere() && !is_over_choice(ui, self) {
            self.release();
        }
        None
    }

    /// Returns the icon of the pointer: while a piece is dragged, or over a slot that can be clicked; `None` for the
    /// usual icon.
    fn cursor_icon(&self, response: &Response, view: &BoardView<'_>, plan: &BoardPlan) -> Option<CursorIcon> {
        if self.dragged_slot().is_some() {
            return Some(CursorIcon::Grabbing);
        }
        let slot = plan.slot_at(response.hover_pos()?)?;
        self.is_clickable(slot, view).then_some(CursorIcon::PointingHand)
    }

    /// Handles the keys of the focused board, and Escape. Returns the resulting action.
    fn handle_keys(&mut self, ui: &Ui, response: &Response, view: &BoardView<'_>) -> Option<BoardAction> {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if self.is_busy() && pressed(Key::Escape) {
            self.release();
            return None;
        }
        if !response.has_focus() {
            return None;
        }
        let filter = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            escape: true,
            tab: false,
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
        let arrows = [
            (Key::ArrowLeft, BoardDirection::Left),
            (Key::ArrowRight, BoardDirection::Right),
            (Key::ArrowUp, BoardDirection::Up),
            (Key::ArrowDown, BoardDirection::Down),
        ];
        for (key, direction) in arrows {
            if pressed(key) {
                if self.choice().is_some() {
                    self.toggle_promotion_option();
                } else {
                    self.move_cursor_by(direction, view);
                }
            }
        }
        if pressed(Key::Enter) || pressed(Key::Space) {
            return self.on_enter(view);
        }
        if view.mode.is_edited() {
            let at = self.held_slot().or_else(|| self.cursor());
            if pressed(Key::Delete) || pressed(Key::Backspace) {
                return self.remove(at, view);
            }
            if pressed(Key::R) {
                return self.flip_piece(at, view);
            }
        }
        None
    }

    /// Moves the focus to the board while the promotion choice is open. Enter then selects an option and does not reach
    /// another widget.
    fn borrow_focus(&mut self, ui: &Ui, id: Id) {
        let has_focus = ui.memory(|memory| memory.has_focus(id));
        if self.update_focus(has_focus) {
            ui.memory_mut(|memory| {
                if has_focus {
                    memory.surrender_focus(id);
                } else {
                    memory.request_focus(id);
                }
            });
        }
    }

    /// Adds every square and slot with a label for screen readers. Returns the actions of a screen reader's clicks.
    fn add_accessible_slots(
        &mut self,
        ui: &Ui,
        board: Id,
        view: &BoardView<'_>,
        plan: &BoardPlan,
        lang: Lang,
    ) -> Vec<BoardAction> {
        let title = |color| view.side(color).title;
        let mut named: Vec<(BoardSlot, Role, String)> = Vec::with_capacity(100);
        for square in Square::all() {
            let piece = view.position.piece_on(square);
            let side = piece.map_or("", |piece| title(piece.color));
            named.push((
                BoardSlot::Square(square),
                Role::GridCell,
                board_text::square(square, piece, side, lang),
            ));
        }
        for color in [Color::Black, Color::White] {
            let side = view.side(color);
            let clock = side
                .clock
                .map(|clock| phrase::labelled_clock(clock, lang))
                .unwrap_or_default();
            let words = board_text::side(
                [side.title, side.name, &clock],
                view.position.side_to_move() == color,
                lang,
            );
            named.push((BoardSlot::Stand(color), Role::Group, words));
            for (kind, count, _) in &plan.stand_of(color).slots {
                let name = board_text::in_hand(title(color), *kind, *count, lang);
                named.push((BoardSlot::Hand(color, *kind), Role::GridCell, name));
            }
        }
        if let Some(tray) = &plan.tray {
            named.push((BoardSlot::Tray, Role::Group, BoardWord::Box.text(lang).to_owned()));
            let pieces = tray.slots.iter();
            named.extend(pieces.map(|(kind, count, _)| {
                (
                    BoardSlot::Box(*kind),
                    Role::GridCell,
                    board_text::in_box(*kind, *count, lang),
                )
            }));
        }
        let mut actions = Vec::new();
        for (slot, role, name) in named {
            let Some(rect) = plan.rect(slot) else { continue };
            let id = board.with(slot);
            // The slot senses only hovering: the board handles the clicks of the pointer.
            ui.interact(rect, id, Sense::hover())
                .widget_info(|| WidgetInfo::labeled(role, true, name.as_str()));
            let is_held = self.held_slot() == Some(slot);
            ui.ctx().accesskit_node_builder(id, |node| {
                node.set_selected(is_held);
                if accepts_input(view) {
                    node.add_action(Action::Click);
                }
            });
            if accepts_input(view) && ui.input(|input| input.has_accesskit_action_request(id, Action::Click))
            {
                actions.extend(self.on_click(Some(slot), view));
            }
        }
        if let Some(cursor) = self.cursor() {
            let cell = board.with(cursor).accesskit_id();
            ui.ctx()
                .accesskit_node_builder(board, |node| node.set_active_descendant(cell));
        }
        actions
    }
}

/// Returns the colour of a mark that is being drawn, by the keys that are held.
fn mark_color(ui: &Ui) -> MarkColor {
    let modifiers = ui.input(|input| {
        // The keys may have been released in the same frame, after the button.
        let released = input.events.iter().find_map(|event| match event {
            Event::PointerButton {
                button: PointerButton::Secondary,
                pressed: false,
                modifiers,
                ..
            } => Some(*modifiers),
            _ => None,
        });
        released.unwrap_or(input.modifiers)
    });
    if modifiers.command {
        MarkColor::Purple
    } else if modifiers.shift {
        MarkColor::Green
    } else {
        MarkColor::Blue
    }
}

/// Returns whether the pointer is over an option of the promotion choice.
fn is_over_choice(ui: &Ui, input: &BoardInput) -> bool {
    input.choice().is_some()
        && [true, false].iter().any(|promotes| {
            let option = ui
                .ctx()
                .read_response(ui.scope_id().with(("promotion", *promotes)));
            option.is_some_and(|option| option.contains_pointer())
        })
}

/// Converts notches of the wheel over the board to steps through the game; `None` without a notch.
fn wheel_step(ui: &Ui, response: &Response) -> Option<BoardAction> {
    if !response.contains_pointer() {
        return None;
    }
    let notches = ui.input(|input| {
        let lines = input.events.iter().map(|event| match event {
            Event::MouseWheel {
                unit: egui::MouseWheelUnit::Line,
                delta,
                modifiers,
                ..
            } if modifiers.is_none() => delta.y,
            _ => 0.0,
        });
        lines.sum::<f32>()
    });
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a small number of notches; a cast from a float saturates"
    )]
    let notches = notches.round() as i32;
    (notches != 0).then(|| BoardAction::Step(-notches))
}
