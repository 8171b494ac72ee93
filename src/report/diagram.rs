//! A position as an SVG picture in the page: the board, its pieces and hands, the last move and arrows.

use super::page::HtmlPage;
use super::{Report, ReportTurningPoint};
use crate::shogi::{Color, Move, Piece, PieceKind, Position, Square};
use crate::text::{board, report as text};

/// The size of a square and of the parts around the squares, in units of the SVG.
const CELL: (f64, f64) = (36.0, 38.5);
const STRIP: f64 = 40.0;
const GAP: f64 = 6.0;
const RIM: f64 = 9.0;
const COORDINATES: f64 = 18.0;
const WIDTH: f64 = 9.0 * CELL.0 + RIM + COORDINATES;
const GROUND: f64 = STRIP + GAP;
const LEFT: f64 = RIM;
const TOP: f64 = GROUND + COORDINATES;
const GROUND_HEIGHT: f64 = 9.0 * CELL.1 + RIM + COORDINATES;
const HEIGHT: f64 = GROUND_HEIGHT + 2.0 * (STRIP + GAP);

const FILES: [&str; 9] = ["１", "２", "３", "４", "５", "６", "７", "８", "９"];
const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// Draws the position before a turning point.
pub(super) fn draw(page: &mut HtmlPage, report: &Report, turn: &ReportTurningPoint) {
    let hands = [Color::Black, Color::White].map(|color| hand_in_words(report, &turn.before, color));
    let [black, white] = &hands;
    let [first, second] = report.titles;
    let label = text::diagram(&turn.position_text, [(first, black), (second, white)], report.lang);
    page.raw("<svg class=\"diagram\" lang=\"ja\" viewBox=\"0 0 ").at(WIDTH).raw(" ").at(HEIGHT);
    page.element("\" role=\"img\" aria-label=\"", &label, "\">\n");
    ground(page, turn.last_move);
    let position = &turn.before;
    for color in [Color::White, Color::Black] {
        draw_hand(page, report, position, color);
    }
    for square in Square::all() {
        if let Some(piece) = position.piece_on(square) {
            self::piece(page, piece, center(square), 1.0);
        }
    }
    let played = turn.assessed.mv;
    for (mv, is_best) in [(Some(played).filter(|mv| turn.best != Some(*mv)), false), (turn.best, true)] {
        if let Some(mv) = mv {
            arrow(page, mv, position.side_to_move(), is_best);
        }
    }
    page.raw("</svg>\n");
}

/// Returns the pieces in a side's hand: `角 歩2`.
fn hand_in_words(report: &Report, position: &Position, color: Color) -> String {
    let pieces = pieces_in_hand(position, color).into_iter().map(|(kind, count)| {
        let name = board::piece(kind, report.lang);
        if count > 1 { format!("{name} {count}") } else { name.to_owned() }
    });
    let pieces: Vec<_> = pieces.collect();
    if pieces.is_empty() {
        text::ReportWord::NoPieces.text(report.lang).to_owned()
    } else {
        pieces.join(report.lang.pick("　", ", "))
    }
}

fn pieces_in_hand(position: &Position, color: Color) -> Vec<(PieceKind, u8)> {
    let hand = position.hand(color);
    PieceKind::IN_HAND.map(|kind| (kind, hand.count(kind))).into_iter().filter(|(_, count)| *count > 0).collect()
}

fn corner(square: Square) -> (f64, f64) {
    (LEFT + f64::from(9 - square.file()) * CELL.0, TOP + f64::from(square.rank() - 1) * CELL.1)
}

fn center(square: Square) -> (f64, f64) {
    let (x, y) = corner(square);
    (x + CELL.0 / 2.0, y + CELL.1 / 2.0)
}

fn rect(page: &mut HtmlPage, open: &'static str, [left, top, width, height]: [f64; 4]) {
    page.raw(open).raw(" x=\"").at(left).raw("\" y=\"").at(top).raw("\" width=\"").at(width).raw("\" height=\"");
    page.at(height).raw("\"/>\n");
}

/// Draws the board, the squares of the last move, the lines, and the numbers of files and ranks.
fn ground(page: &mut HtmlPage, last: Option<Move>) {
    rect(page, "<rect class=\"board\" rx=\"4\"", [0.0, GROUND, WIDTH, GROUND_HEIGHT]);
    if let Some(last) = last {
        for (square, open) in [(last.from(), "<rect class=\"last from\""), (Some(last.to()), "<rect class=\"last\"")] {
            let Some((x, y)) = square.map(corner) else { continue };
            rect(page, open, [x, y, CELL.0, CELL.1]);
        }
    }
    let (right, bottom) = (LEFT + 9.0 * CELL.0, TOP + 9.0 * CELL.1);
    page.raw("<path class=\"lines\" d=\"");
    for line in 1..9_u8 {
        let (x, y) = (LEFT + f64::from(line) * CELL.0, TOP + f64::from(line) * CELL.1);
        page.raw("M").point((x, TOP)).raw("V").at(bottom).raw("M").point((LEFT, y)).raw("H").at(right);
    }
    page.raw("\"/>\n");
    rect(page, "<rect class=\"frame\"", [LEFT, TOP, right - LEFT, bottom - TOP]);
    for (column, row) in [(3.0, 3.0), (6.0, 3.0), (3.0, 6.0), (6.0, 6.0)] {
        page.raw("<circle class=\"star\" r=\"2\" cx=\"").at(LEFT + column * CELL.0).raw("\" cy=\"");
        page.at(TOP + row * CELL.1).raw("\"/>\n");
    }
    for (place, (file, rank)) in (0_u8..).zip(FILES.into_iter().zip(RANKS)) {
        let along = f64::from(place) + 0.5;
        letter(page, "<text class=\"coordinate\" x=\"", file, (right - along * CELL.0, TOP - COORDINATES / 2.0 + 4.0));
        letter(page, "<text class=\"coordinate\" x=\"", rank, (right + COORDINATES / 2.0, TOP + along * CELL.1 + 4.0));
    }
}

fn letter(page: &mut HtmlPage, open: &'static str, letter: &str, (x, y): (f64, f64)) {
    page.raw(open).at(x).raw("\" y=\"").at(y).element("\">", letter, "</text>\n");
}

/// Draws a side's hand above or below the board.
fn draw_hand(page: &mut HtmlPage, report: &Report, position: &Position, color: Color) {
    let top = if color == Color::White { 0.0 } else { HEIGHT - STRIP };
    rect(page, "<rect class=\"stand\" rx=\"4\"", [0.0, top, WIDTH, STRIP]);
    let mark = if color == Color::Black { "☗" } else { "☖" };
    let title = format!("{mark} {}", report.title(color));
    letter(page, "<text class=\"title\" x=\"", &title, (10.0, top + STRIP / 2.0 + 5.0));
    if position.side_to_move() == color {
        rect(page, "<rect class=\"to-move\"", [8.0, top + STRIP - 3.0, 62.0, 3.0]);
    }
    let held = pieces_in_hand(position, color);
    for (place, (kind, count)) in (1_u8..).zip(held.into_iter().rev()) {
        let at = (WIDTH + 8.0 - f64::from(place) * CELL.0, top + STRIP / 2.0);
        piece(page, Piece { color, kind }, at, 0.92);
        if count > 1 {
            let (x, y) = (at.0 + 12.0, at.1 + 13.0);
            page.raw("<circle class=\"badge\" r=\"7.5\" cx=\"").at(x).raw("\" cy=\"").at(y).raw("\"/>");
            letter(page, "<text class=\"badge-figure\" x=\"", &count.to_string(), (x, y + 4.0));
        }
    }
}

/// Draws a piece centred at a point; White's pieces are upside down.
fn piece(page: &mut HtmlPage, Piece { color, kind }: Piece, (x, y): (f64, f64), scale: f64) {
    let (wide, high) = kind.size();
    let (wide, high) = (f64::from(wide) * CELL.0 / 2.0 * scale, f64::from(high) * CELL.1 / 2.0 * scale);
    page.raw("<g transform=\"translate(").point((x, y));
    page.raw(if color == Color::White { ")rotate(180)\">" } else { ")\">" });
    page.raw("<path class=\"piece\" d=\"M").point((0.0, -high)).raw("L").point((wide * 0.75, -high * 0.6)).raw("L");
    page.point((wide, high)).raw("H").at(-wide).raw("L").point((-wide * 0.75, -high * 0.6)).raw("Z\"/>");
    page.raw(if kind.is_promoted() { "<text class=\"kanji promoted\"" } else { "<text class=\"kanji\"" });
    let letters = wide * 1.56;
    page.raw(" font-size=\"").at(letters).raw("\" y=\"").at(high * 0.11 + letters * 0.36);
    page.element("\">", kind.board_char(color), "</text></g>\n");
}

/// Draws a move as an arrow; a drop as the piece with a ring around it.
fn arrow(page: &mut HtmlPage, mv: Move, side: Color, is_best: bool) {
    let to = center(mv.to());
    match mv {
        Move::Drop { kind, .. } => {
            page.raw("<g class=\"thought\">");
            piece(page, Piece { color: side, kind }, to, 1.0);
            page.raw("</g>");
            page.raw(if is_best { "<circle class=\"ring best\" cx=\"" } else { "<circle class=\"ring next\" cx=\"" });
            page.at(to.0).raw("\" cy=\"").at(to.1).raw("\" r=\"17\"/>\n");
        }
        Move::Board { from, .. } => {
            let from = center(from);
            let (dx, dy) = (to.0 - from.0, to.1 - from.1);
            let length = dx.hypot(dy);
            // The arrow is drawn to the right and then rotated.
            let angle = dy.atan2(dx).to_degrees();
            let width = if is_best { 5.6 } else { 3.7 };
            let (half, head) = (width / 2.0, width * 2.1);
            let (tip, neck) = (length + width * 0.3, length + width * 0.3 - head);
            page.raw(if is_best { "<path class=\"arrow best\"" } else { "<path class=\"arrow next\"" });
            page.raw(" transform=\"translate(")
                .point(from)
                .raw(")rotate(")
                .at(angle)
                .raw(")\" d=\"M")
                .point((0.0, -half));
            page.raw("H").at(neck).raw("V").at(-width * 1.25).raw("L").point((tip, 0.0)).raw("L");
            page.point((neck, width * 1.25)).raw("V").at(half).raw("H0Z\"/>\n");
        }
    }
}
