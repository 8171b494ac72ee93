//! Pieces on the board and in hand.

use super::Color;
use rsshogi::types as rules;

/// The kind of a piece, promotion included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PieceKind {
    /// 歩
    Pawn,
    /// 香
    Lance,
    /// 桂
    Knight,
    /// 銀
    Silver,
    /// 角
    Bishop,
    /// 飛
    Rook,
    /// 金
    Gold,
    /// 玉, 王
    King,
    /// と
    ProPawn,
    /// 成香
    ProLance,
    /// 成桂
    ProKnight,
    /// 成銀
    ProSilver,
    /// 馬
    Horse,
    /// 龍, 竜
    Dragon,
}

use PieceKind::{
    Bishop, Dragon, Gold, Horse, King, Knight, Lance, Pawn, ProKnight, ProLance, ProPawn, ProSilver, Rook,
    Silver,
};

impl PieceKind {
    /// All kinds, in the order of the declaration.
    pub const ALL: [Self; 14] = [
        Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight, ProSilver,
        Horse, Dragon,
    ];

    /// The kinds that can be held in hand, in SFEN's order.
    pub const IN_HAND: [Self; 7] = [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn];

    /// Returns the kind after promotion; `None` for kinds that cannot promote.
    pub const fn promoted(self) -> Option<Self> {
        match self {
            Pawn => Some(ProPawn),
            Lance => Some(ProLance),
            Knight => Some(ProKnight),
            Silver => Some(ProSilver),
            Bishop => Some(Horse),
            Rook => Some(Dragon),
            Gold | King | ProPawn | ProLance | ProKnight | ProSilver | Horse | Dragon => None,
        }
    }

    /// Returns the kind without its promotion, which is what a captured piece becomes.
    #[must_use]
    pub const fn unpromoted(self) -> Self {
        match self {
            ProPawn => Pawn,
            ProLance => Lance,
            ProKnight => Knight,
            ProSilver => Silver,
            Horse => Bishop,
            Dragon => Rook,
            Pawn | Lance | Knight | Silver | Bishop | Rook | Gold | King => self,
        }
    }

    /// Returns whether this is a promoted kind.
    pub const fn is_promoted(self) -> bool {
        matches!(self, ProPawn | ProLance | ProKnight | ProSilver | Horse | Dragon)
    }

    /// Returns SFEN's capital letter of the unpromoted kind.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Pawn => 'P',
            Lance => 'L',
            Knight => 'N',
            Silver => 'S',
            Bishop => 'B',
            Rook => 'R',
            Gold => 'G',
            _ => 'K',
        }
    }

    /// Returns the unpromoted kind of an SFEN letter, upper or lower case; `None` for other characters.
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter.to_ascii_uppercase() {
            'P' => Some(Pawn),
            'L' => Some(Lance),
            'N' => Some(Knight),
            'S' => Some(Silver),
            'B' => Some(Bishop),
            'R' => Some(Rook),
            'G' => Some(Gold),
            'K' => Some(King),
            _ => None,
        }
    }

    /// Returns the name in kanji, of two characters for 成香 成桂 成銀.
    pub const fn kanji(self) -> &'static str {
        match self {
            Pawn => "歩",
            Lance => "香",
            Knight => "桂",
            Silver => "銀",
            Bishop => "角",
            Rook => "飛",
            Gold => "金",
            King => "玉",
            ProPawn => "と",
            ProLance => "成香",
            ProKnight => "成桂",
            ProSilver => "成銀",
            Horse => "馬",
            Dragon => "龍",
        }
    }

    /// Returns the character on the piece. Black's king, the challenger's, is 玉; White's is 王.
    pub const fn board_char(self, color: Color) -> &'static str {
        match self {
            Self::King if matches!(color, Color::White) => "王",
            Self::ProLance => "杏",
            Self::ProKnight => "圭",
            Self::ProSilver => "全",
            _ => self.kanji(),
        }
    }

    /// Returns the width and height of the piece as fractions of a square. On a real board, too, a king is larger
    /// than a pawn.
    pub const fn size(self) -> (f32, f32) {
        match self.unpromoted() {
            Self::King => (0.87, 0.91),
            Self::Rook | Self::Bishop => (0.84, 0.89),
            Self::Gold | Self::Silver => (0.81, 0.87),
            Self::Knight => (0.77, 0.85),
            Self::Lance => (0.74, 0.84),
            _ => (0.71, 0.81),
        }
    }

    /// Returns the kind of a one-character name; 杏 圭 全 are 成香 成桂 成銀. Returns `None` for other characters.
    pub const fn from_kanji(name: char) -> Option<Self> {
        Some(match name {
            '歩' => Pawn,
            '香' => Lance,
            '桂' => Knight,
            '銀' => Silver,
            '角' => Bishop,
            '飛' => Rook,
            '金' => Gold,
            '玉' | '王' => King,
            'と' => ProPawn,
            '杏' => ProLance,
            '圭' => ProKnight,
            '全' => ProSilver,
            '馬' => Horse,
            '龍' | '竜' => Dragon,
            _ => return None,
        })
    }

    /// Returns CSA's two letters.
    pub const fn csa(self) -> &'static str {
        match self {
            Pawn => "FU",
            Lance => "KY",
            Knight => "KE",
            Silver => "GI",
            Bishop => "KA",
            Rook => "HI",
            Gold => "KI",
            King => "OU",
            ProPawn => "TO",
            ProLance => "NY",
            ProKnight => "NK",
            ProSilver => "NG",
            Horse => "UM",
            Dragon => "RY",
        }
    }

    /// Returns the kind of CSA's two letters, upper or lower case; `None` for other texts.
    pub const fn from_csa(letters: &str) -> Option<Self> {
        let [first, second] = *letters.as_bytes() else {
            return None;
        };
        Some(match &[first.to_ascii_uppercase(), second.to_ascii_uppercase()] {
            b"FU" => Pawn,
            b"KY" => Lance,
            b"KE" => Knight,
            b"GI" => Silver,
            b"KA" => Bishop,
            b"HI" => Rook,
            b"KI" => Gold,
            b"OU" => King,
            b"TO" => ProPawn,
            b"NY" => ProLance,
            b"NK" => ProKnight,
            b"NG" => ProSilver,
            b"UM" => Horse,
            b"RY" => Dragon,
            _ => return None,
        })
    }

    /// Returns the number of pieces of the unpromoted kind in a set, both sides together.
    pub const fn count_in_set(self) -> u8 {
        match self.unpromoted() {
            Pawn => 18,
            Lance | Knight | Silver | Gold => 4,
            _ => 2,
        }
    }

    pub(super) const fn to_rules(self) -> rules::PieceType {
        match self {
            Pawn => rules::PieceType::PAWN,
            Lance => rules::PieceType::LANCE,
            Knight => rules::PieceType::KNIGHT,
            Silver => rules::PieceType::SILVER,
            Bishop => rules::PieceType::BISHOP,
            Rook => rules::PieceType::ROOK,
            Gold => rules::PieceType::GOLD,
            King => rules::PieceType::KING,
            ProPawn => rules::PieceType::PRO_PAWN,
            ProLance => rules::PieceType::PRO_LANCE,
            ProKnight => rules::PieceType::PRO_KNIGHT,
            ProSilver => rules::PieceType::PRO_SILVER,
            Horse => rules::PieceType::HORSE,
            Dragon => rules::PieceType::DRAGON,
        }
    }

    /// Returns the rules crate's kind as a [`PieceKind`]; `None` for its special values.
    pub(super) const fn from_rules(kind: rules::PieceType) -> Option<Self> {
        match kind {
            rules::PieceType::PAWN => Some(Pawn),
            rules::PieceType::LANCE => Some(Lance),
            rules::PieceType::KNIGHT => Some(Knight),
            rules::PieceType::SILVER => Some(Silver),
            rules::PieceType::BISHOP => Some(Bishop),
            rules::PieceType::ROOK => Some(Rook),
            rules::PieceType::GOLD => Some(Gold),
            rules::PieceType::KING => Some(King),
            rules::PieceType::PRO_PAWN => Some(ProPawn),
            rules::PieceType::PRO_LANCE => Some(ProLance),
            rules::PieceType::PRO_KNIGHT => Some(ProKnight),
            rules::PieceType::PRO_SILVER => Some(ProSilver),
            rules::PieceType::HORSE => Some(Horse),
            rules::PieceType::DRAGON => Some(Dragon),
            _ => None,
        }
    }
}

/// A piece with its owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The owner.
    pub color: Color,
    /// The kind.
    pub kind: PieceKind,
}

/// The pieces in one side's hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hand(rules::Hand);

impl Hand {
    /// Returns the number of pieces of `kind` in hand; 0 for kinds that cannot be held.
    pub const fn count(self, kind: PieceKind) -> u8 {
        match rules::HandPiece::from_piece_type(kind.to_rules()) {
            Some(piece) => (self.0.count(piece) & 0xff) as u8,
            None => 0,
        }
    }

    /// Returns whether the hand is empty.
    pub const fn is_empty(self) -> bool {
        self.0.bits() == 0
    }

    pub(super) const fn from_rules(hand: rules::Hand) -> Self {
        Self(hand)
    }
}
