//! Tests of the form.

use super::*;
use crate::fonts;
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shogibar_shogi::Square;

/// A form, the game that was read, and the result of the form.
struct CorrectionFixture {
    form: CorrectionForm,
    history: History,
    end: DialogStatus<BoardCorrection>,
}

/// Opens the form for a game that was read from its middle.
fn window(sfen: &str, lang: Lang) -> Harness<'static, CorrectionFixture> {
    let history = History::new(Position::from_sfen(sfen).unwrap());
    let window = CorrectionFixture {
        form: CorrectionForm::new(&history),
        history,
        end: DialogStatus::Open,
    };
    let show = move |ui: &mut Ui, window: &mut CorrectionFixture| {
        let end = window.form.show(
            ui,
            &window.history,
            BoardStyle::default(),
            false,
            &crate::theme::paper(),
            lang,
        );
        if end != DialogStatus::Open {
            window.end = end;
        }
    };
    let mut harness = Harness::builder()
        .with_size([348.0, 620.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(show, window);
    harness.run();
    harness
}

fn click(window: &mut Harness<'static, CorrectionFixture>, label: &str) {
    window.get_by_label(label).click();
    window.run();
}

fn right_click(window: &mut Harness<'static, CorrectionFixture>, label: &str) {
    window.get_by_label(label).click_secondary();
    window.run();
}

fn form_sfen(window: &Harness<'static, CorrectionFixture>) -> String {
    window.state().form.position.sfen()
}

/// A position that was read, in which a bishop and three pawns are missing.
const READ_SFEN: &str = "lnsgkgsnl/1r7/p1pppp1pp/9/9/9/P1PPPPPPP/7R1/LNSGKGSNL b b 1";

#[test]
fn a_click_adds_a_piece_and_a_right_click_takes_one() {
    let mut window = window(READ_SFEN, Lang::Ja);
    assert!(
        window
            .query_by_label_contains("角1 歩3 は、この対局にはない")
            .is_some()
    );
    click(&mut window, "先手の持ち駒　歩 0枚");
    click(&mut window, "先手の持ち駒　歩 1枚");
    click(&mut window, "後手の持ち駒　歩 0枚");
    assert_eq!(form_sfen(&window).split(' ').nth(2), Some("2Pbp"));
    right_click(&mut window, "先手の持ち駒　歩 2枚");
    assert_eq!(form_sfen(&window).split(' ').nth(2), Some("Pbp"));
    click(&mut window, "すべて先手の持ち駒に");
    assert_eq!(form_sfen(&window).split(' ').nth(2), Some("B2Pbp"));
    assert!(
        window
            .query_by_label_contains("駒はすべてそろっています")
            .is_some()
    );
    window.get_by_role_and_label(Role::Button, "後手").click();
    window.run();
    click(&mut window, "この局面にする");
    let DialogStatus::Done(BoardCorrection { moves, position }) = &window.state().end else {
        panic!()
    };
    assert_eq!((moves.len(), position.sfen().split(' ').nth(1)), (0, Some("w")));
}

#[test]
fn no_more_pieces_than_a_set_has_can_be_entered() {
    let mut window = window(READ_SFEN, Lang::En);
    click(&mut window, "All to White");
    for _ in 0..30 {
        click(&mut window, "White's hand: pawn, 3");
    }
    assert_eq!(form_sfen(&window).split(' ').nth(2), Some("2b3p"));
}

#[test]
fn entered_pieces_stay_when_a_move_is_played() {
    let mut window = window(READ_SFEN, Lang::Ja);
    click(&mut window, "すべて先手の持ち駒に");
    window
        .state_mut()
        .history
        .play(Move::from_usi("2g2f").unwrap())
        .unwrap();
    window.run();
    assert_eq!(form_sfen(&window).split(' ').nth(2), Some("B3Pb"));
    click(&mut window, "この局面にする");
    let DialogStatus::Done(BoardCorrection { moves, position }) = &window.state().end else {
        panic!()
    };
    assert_eq!((moves.len(), position.sfen().split(' ').nth(1)), (1, Some("w")));
    assert_eq!(
        position
            .piece_on(Square::from_usi(b"2f").unwrap())
            .map(|piece| piece.kind),
        Some(PieceKind::Pawn)
    );
}

#[test]
fn hands_that_were_not_entered_are_no_empty_hands() {
    let mut window = window(READ_SFEN, Lang::Ja);
    window
        .get_by_role_and_label(Role::Button, "この局面にする")
        .click();
    window.run();
    assert_eq!(window.state().end, DialogStatus::Open);
    // In a handicap game some pieces are missing.
    window.get_by_label_contains("この対局にはない").click();
    window.run();
    click(&mut window, "この局面にする");
    assert!(matches!(window.state().end, DialogStatus::Done(_)));
}

#[test]
fn the_side_to_move_follows_from_the_moves() {
    let mut window = window(READ_SFEN, Lang::Ja);
    window
        .state_mut()
        .history
        .play(Move::from_usi("2g2f").unwrap())
        .unwrap();
    window.run();
    window.get_by_role_and_label(Role::Button, "先手").click();
    window.run();
    click(&mut window, "すべて後手の持ち駒に");
    assert_eq!(form_sfen(&window).split(' ').nth(1), Some("w"));
}

#[test]
fn another_position_replaces_the_entered_pieces() {
    let mut window = window(READ_SFEN, Lang::Ja);
    click(&mut window, "すべて先手の持ち駒に");
    let other = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
    window.state_mut().history = History::new(other.clone());
    window.run();
    assert_eq!(form_sfen(&window), other.sfen());
    assert!(
        window.query_by_label_contains("もう一度入れてください").is_some(),
        "and it is said"
    );
}

#[test]
fn a_position_that_no_engine_takes_is_not_used() {
    let mut window = window(READ_SFEN, Lang::Ja);
    // White's king goes into the box.
    click(&mut window, "5一　後手の玉");
    click(&mut window, "駒箱");
    assert!(form_sfen(&window).starts_with("lnsg1gsnl/"));
    let done = window.get_by_role_and_label(Role::Button, "この局面にする");
    done.click();
    window.run();
    assert_eq!(window.state().end, DialogStatus::Open);
}
