//! The spoken styles, which a speaker reads aloud. The Japanese one is in katakana alone, because text analysis misreads
//! digits and kanji of moves. The facts of a move are those of the official notation.

use super::geometry::{PieceMotion, RelativePosition};
use super::modifier::Modifier;
use super::{MoveContext, Style, glyph};
use crate::{Color, PieceKind, Square};

/// The options of the spoken styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SpokenOptions {
    /// The names of the sides before each move.
    pub sides: SpokenSides,
    /// Whether 同 is ドウ, and not オナジク.
    pub short_same: bool,
    /// Whether 香 桂 飛 と are キョウシャ ケイマ ヒシャ トキン, and not キョウ ケイ ヒ ト.
    pub long_pieces: bool,
}

/// The names of the sides in the spoken styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SpokenSides {
    /// センテ and ゴテ; Black and White.
    #[default]
    Even,
    /// シタテ and ウワテ; Black and White.
    Handicap,
    /// No name.
    None,
}

/// Appends a move in one of these styles. `upper_king`: the king is オウ, and not ギョク.
pub(super) fn write(
    style: Style,
    options: SpokenOptions,
    upper_king: bool,
    out: &mut String,
    context: &MoveContext<'_>,
) {
    if style == Style::SpokenEnglish {
        return write_english(options, out, context);
    }
    if let Some(side) = options.sides.japanese(context.color) {
        out.push_str(side);
        out.push('、');
    }
    if context.is_same_target {
        out.push_str(if options.short_same {
            "ドウ"
        } else {
            "オナジク"
        });
    } else {
        push_square(out, context.to);
    }
    out.push('、');
    out.push_str(if upper_king && context.kind == PieceKind::King {
        "オウ"
    } else {
        japanese_piece(context.kind, options.long_pieces)
    });
    let Some(from) = context.from else {
        if context.rivals().next().is_some() {
            out.push_str("ウツ");
        }
        return;
    };
    let modifier = Modifier::for_move(context, from);
    out.push_str(match modifier.side {
        Some(RelativePosition::Right) => "ミギ",
        Some(RelativePosition::Left) => "ヒダリ",
        Some(RelativePosition::Straight) => "スグ",
        None => "",
    });
    out.push_str(match modifier.motion {
        Some(PieceMotion::Up) => "アガル",
        Some(PieceMotion::Across) => "ヨル",
        Some(PieceMotion::Back) => "ヒク",
        None => "",
    });
    if let Some(origin) = modifier.origin {
        out.push('、');
        push_square(out, origin);
        out.push_str("カラ");
    }
    if context.could_promote() {
        out.push_str(if context.promotes { "ナル" } else { "ナラズ" });
    }
}

/// Appends a move in English: `Black: gold from 6 9 to 5 8`.
fn write_english(options: SpokenOptions, out: &mut String, context: &MoveContext<'_>) {
    if options.sides != SpokenSides::None {
        out.push_str(match context.color {
            Color::Black => "Black: ",
            Color::White => "White: ",
        });
    }
    out.push_str(english_piece(context.kind));
    let Some(from) = context.from else {
        out.push_str(" drop on ");
        return push_english_square(out, context.to);
    };
    if context.rivals().next().is_some() {
        out.push_str(" from ");
        push_english_square(out, from);
    }
    out.push_str(if context.position.piece_on(context.to).is_some() {
        " takes "
    } else {
        " to "
    });
    push_english_square(out, context.to);
    if context.could_promote() {
        out.push_str(if context.promotes {
            ", promotes"
        } else {
            ", does not promote"
        });
    }
}

impl SpokenSides {
    const fn japanese(self, color: Color) -> Option<&'static str> {
        Some(match (self, color) {
            (Self::Even, Color::Black) => "センテ",
            (Self::Even, Color::White) => "ゴテ",
            (Self::Handicap, Color::Black) => "シタテ",
            (Self::Handicap, Color::White) => "ウワテ",
            (Self::None, _) => return None,
        })
    }
}

/// Appends a square: ナナロク.
fn push_square(out: &mut String, square: Square) {
    for n in [square.file(), square.rank()] {
        out.push_str(match n {
            1 => "イチ",
            2 => "ニ",
            3 => "サン",
            4 => "ヨン",
            5 => "ゴ",
            6 => "ロク",
            7 => "ナナ",
            8 => "ハチ",
            _ => "キュウ",
        });
    }
}

/// Appends a square: `7 6`.
fn push_english_square(out: &mut String, square: Square) {
    out.push_str(glyph::half_width_digit(square.file()));
    out.push(' ');
    out.push_str(glyph::half_width_digit(square.rank()));
}

const fn japanese_piece(kind: PieceKind, is_long: bool) -> &'static str {
    match (kind, is_long) {
        (PieceKind::Pawn, _) => "フ",
        (PieceKind::Lance, false) => "キョウ",
        (PieceKind::Lance, true) => "キョウシャ",
        (PieceKind::Knight, false) => "ケイ",
        (PieceKind::Knight, true) => "ケイマ",
        (PieceKind::Silver, _) => "ギン",
        (PieceKind::Gold, _) => "キン",
        (PieceKind::Bishop, _) => "カク",
        (PieceKind::Rook, false) => "ヒ",
        (PieceKind::Rook, true) => "ヒシャ",
        (PieceKind::King, _) => "ギョク",
        (PieceKind::ProPawn, false) => "ト",
        (PieceKind::ProPawn, true) => "トキン",
        (PieceKind::ProLance, _) => "ナリキョウ",
        (PieceKind::ProKnight, _) => "ナリケイ",
        (PieceKind::ProSilver, _) => "ナリギン",
        (PieceKind::Horse, _) => "ウマ",
        (PieceKind::Dragon, _) => "リュウ",
    }
}

const fn english_piece(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Pawn => "pawn",
        PieceKind::Lance => "lance",
        PieceKind::Knight => "knight",
        PieceKind::Silver => "silver",
        PieceKind::Gold => "gold",
        PieceKind::Bishop => "bishop",
        PieceKind::Rook => "rook",
        PieceKind::King => "king",
        PieceKind::ProPawn => "promoted pawn",
        PieceKind::ProLance => "promoted lance",
        PieceKind::ProKnight => "promoted knight",
        PieceKind::ProSilver => "promoted silver",
        PieceKind::Horse => "horse",
        PieceKind::Dragon => "dragon",
    }
}
