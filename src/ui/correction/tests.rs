//! Tests of the form.

use super::*;
use crate::fonts;
use crate::shogi::Square;
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

/// A form, and the game as it is read.
struct Desk {
    form: CorrectionForm,
    history: History,
    end: DialogEnd<BoardCorrection>,
}

/// Opens the form for a game that was read from its middle.
fn desk(sfen: &str, lang: Lang) -> Harness<'static, Desk> {
    let history = History::new(Position::from_sfen(sfen).unwrap());
    let desk = Desk { form: CorrectionForm::new(&history), history, end: DialogEnd::Stays };
    let show = move |ui: &mut Ui, desk: &mut Desk| {
        let end = desk.form.show(ui, (&desk.history, BoardStyle::default(), false), (&crate::theme::paper(), lang));
        if end != DialogEnd::Stays {
            desk.end = end;
        }
    };
    let mut harness = Harness::builder()
        .with_size([348.0, 620.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(show, desk);
    harness.run();
    harness
}

fn click(desk: &mut Harness<'static, Desk>, label: &str) {
    desk.get_by_label(label).click();
    desk.run();
}

fn right_click(desk: &mut Harness<'static, Desk>, label: &str) {
    desk.get_by_label(label).click_secondary();
    desk.run();
}

fn now(desk: &Harness<'static, Desk>) -> String {
    desk.state().form.position.sfen()
}

/// Two pawns and a bishop are in no hand.
const READ: &str = "lnsgkgsnl/1r7/p1pppp1pp/9/9/9/P1PPPPPPP/7R1/LNSGKGSNL b b 1";

#[test]
fn a_click_adds_a_piece_and_a_right_click_takes_one() {
    let mut desk = desk(READ, Lang::Ja);
    assert!(desk.query_by_label_contains("盤にも駒台にもない駒：角1 歩3").is_some());
    click(&mut desk, "先手の持ち駒　歩 0枚");
    click(&mut desk, "先手の持ち駒　歩 1枚");
    click(&mut desk, "後手の持ち駒　歩 0枚");
    assert_eq!(now(&desk).split(' ').nth(2), Some("2Pbp"));
    right_click(&mut desk, "先手の持ち駒　歩 2枚");
    assert_eq!(now(&desk).split(' ').nth(2), Some("Pbp"));
    click(&mut desk, "すべて先手の持ち駒に");
    assert_eq!(now(&desk).split(' ').nth(2), Some("B2Pbp"));
    assert!(desk.query_by_label_contains("駒はすべてそろっています").is_some());
    desk.get_by_role_and_label(Role::Button, "後手").click();
    desk.run();
    click(&mut desk, "この局面にする");
    let DialogEnd::Done(BoardCorrection { moves, position }) = &desk.state().end else { panic!() };
    assert_eq!((moves.len(), position.sfen().split(' ').nth(1)), (0, Some("w")));
}

#[test]
fn no_more_pieces_than_a_set_has_can_be_entered() {
    let mut desk = desk(READ, Lang::En);
    click(&mut desk, "All to White");
    for _ in 0..30 {
        click(&mut desk, "White's hand: pawn, 3");
    }
    assert_eq!(now(&desk).split(' ').nth(2), Some("2b3p"));
}

#[test]
fn what_is_entered_stays_while_the_game_goes_on() {
    let mut desk = desk(READ, Lang::Ja);
    click(&mut desk, "すべて先手の持ち駒に");
    desk.state_mut().history.play(Move::from_usi("2g2f").unwrap()).unwrap();
    desk.run();
    assert_eq!(now(&desk).split(' ').nth(2), Some("B3Pb"));
    click(&mut desk, "この局面にする");
    let DialogEnd::Done(BoardCorrection { moves, position }) = &desk.state().end else { panic!() };
    assert_eq!((moves.len(), position.sfen().split(' ').nth(1)), (1, Some("w")));
    assert_eq!(position.piece_on(Square::from_usi(b"2f").unwrap()).map(|piece| piece.kind), Some(PieceKind::Pawn));
}

#[test]
fn a_position_that_no_engine_takes_is_not_used() {
    let mut desk = desk(READ, Lang::Ja);
    // White's king goes into the box.
    click(&mut desk, "5一　後手の玉");
    click(&mut desk, "駒箱");
    assert!(now(&desk).starts_with("lnsg1gsnl/"));
    let done = desk.get_by_role_and_label(Role::Button, "この局面にする");
    done.click();
    desk.run();
    assert_eq!(desk.state().end, DialogEnd::Stays);
}
