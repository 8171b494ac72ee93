//! Tests of the form.

use super::*;
use crate::fonts;
use crate::shogi::Square;
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

/// A form, and the game in the form that was read.
struct Table {
    form: CorrectionForm,
    history: History,
    end: DialogStatus<BoardCorrection>,
}

/// Opens the form for a game that was read from its middle.
fn table(sfen: &str, lang: Lang) -> Harness<'static, Table> {
    let history = History::new(Position::from_sfen(sfen).unwrap());
    let table = Table { form: CorrectionForm::new(&history), history, end: DialogStatus::Open };
    let show = move |ui: &mut Ui, table: &mut Table| {
        let end = table.form.show(ui, &table.history, BoardStyle::default(), false, &crate::theme::paper(), lang);
        if end != DialogStatus::Open {
            table.end = end;
        }
    };
    let mut harness = Harness::builder()
        .with_size([348.0, 620.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(show, table);
    harness.run();
    harness
}

fn click(table: &mut Harness<'static, Table>, label: &str) {
    table.get_by_label(label).click();
    table.run();
}

fn right_click(table: &mut Harness<'static, Table>, label: &str) {
    table.get_by_label(label).click_secondary();
    table.run();
}

fn now(table: &Harness<'static, Table>) -> String {
    table.state().form.position.sfen()
}

/// A bishop and three pawns are in no hand.
const READ: &str = "lnsgkgsnl/1r7/p1pppp1pp/9/9/9/P1PPPPPPP/7R1/LNSGKGSNL b b 1";

#[test]
fn a_click_adds_a_piece_and_a_right_click_takes_one() {
    let mut table = table(READ, Lang::Ja);
    assert!(table.query_by_label_contains("角1 歩3 は、この対局にはない").is_some());
    click(&mut table, "先手の持ち駒　歩 0枚");
    click(&mut table, "先手の持ち駒　歩 1枚");
    click(&mut table, "後手の持ち駒　歩 0枚");
    assert_eq!(now(&table).split(' ').nth(2), Some("2Pbp"));
    right_click(&mut table, "先手の持ち駒　歩 2枚");
    assert_eq!(now(&table).split(' ').nth(2), Some("Pbp"));
    click(&mut table, "すべて先手の持ち駒に");
    assert_eq!(now(&table).split(' ').nth(2), Some("B2Pbp"));
    assert!(table.query_by_label_contains("駒はすべてそろっています").is_some());
    table.get_by_role_and_label(Role::Button, "後手").click();
    table.run();
    click(&mut table, "この局面にする");
    let DialogStatus::Done(BoardCorrection { moves, position }) = &table.state().end else { panic!() };
    assert_eq!((moves.len(), position.sfen().split(' ').nth(1)), (0, Some("w")));
}

#[test]
fn no_more_pieces_than_a_set_has_can_be_entered() {
    let mut table = table(READ, Lang::En);
    click(&mut table, "All to White");
    for _ in 0..30 {
        click(&mut table, "White's hand: pawn, 3");
    }
    assert_eq!(now(&table).split(' ').nth(2), Some("2b3p"));
}

#[test]
fn entered_pieces_stay_when_a_move_is_played() {
    let mut table = table(READ, Lang::Ja);
    click(&mut table, "すべて先手の持ち駒に");
    table.state_mut().history.play(Move::from_usi("2g2f").unwrap()).unwrap();
    table.run();
    assert_eq!(now(&table).split(' ').nth(2), Some("B3Pb"));
    click(&mut table, "この局面にする");
    let DialogStatus::Done(BoardCorrection { moves, position }) = &table.state().end else { panic!() };
    assert_eq!((moves.len(), position.sfen().split(' ').nth(1)), (1, Some("w")));
    assert_eq!(position.piece_on(Square::from_usi(b"2f").unwrap()).map(|piece| piece.kind), Some(PieceKind::Pawn));
}

#[test]
fn hands_that_were_not_entered_are_no_empty_hands() {
    let mut table = table(READ, Lang::Ja);
    table.get_by_role_and_label(Role::Button, "この局面にする").click();
    table.run();
    assert_eq!(table.state().end, DialogStatus::Open);
    // In a handicap game some pieces are missing.
    table.get_by_label_contains("この対局にはない").click();
    table.run();
    click(&mut table, "この局面にする");
    assert!(matches!(table.state().end, DialogStatus::Done(_)));
}

#[test]
fn the_side_to_move_follows_from_the_moves() {
    let mut table = table(READ, Lang::Ja);
    table.state_mut().history.play(Move::from_usi("2g2f").unwrap()).unwrap();
    table.run();
    table.get_by_role_and_label(Role::Button, "先手").click();
    table.run();
    click(&mut table, "すべて後手の持ち駒に");
    assert_eq!(now(&table).split(' ').nth(1), Some("w"));
}

#[test]
fn another_position_replaces_the_entered_pieces() {
    let mut table = table(READ, Lang::Ja);
    click(&mut table, "すべて先手の持ち駒に");
    let other = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
    table.state_mut().history = History::new(other.clone());
    table.run();
    assert_eq!(now(&table), other.sfen());
    assert!(table.query_by_label_contains("もう一度入れてください").is_some(), "and it is said");
}

#[test]
fn a_position_that_no_engine_takes_is_not_used() {
    let mut table = table(READ, Lang::Ja);
    // White's king goes into the box.
    click(&mut table, "5一　後手の玉");
    click(&mut table, "駒箱");
    assert!(now(&table).starts_with("lnsg1gsnl/"));
    let done = table.get_by_role_and_label(Role::Button, "この局面にする");
    done.click();
    table.run();
    assert_eq!(table.state().end, DialogStatus::Open);
}
