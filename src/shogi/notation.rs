//! Move notation.
//!
//! The official Japanese notation (棋譜の表記方法, Japan Shogi Association) is the main style. The other styles share
//! only the facts of a move (`MoveContext`), because each has a different grammar.

mod geometry;
mod glyph;
mod japanese;
mod modifier;
mod parse;
mod read;
mod record;
mod spoken;
mod western;

pub use glyph::numeral;
pub use glyph::square_in_kanji;
pub use parse::SIDE_MARKS;
pub use read::read_first;
pub use read::{MoveReadError, read, read_line};
pub use spoken::{SpokenOptions, SpokenSides};
pub use western::read_western;

use super::{Color, History, IllegalMove, Move, PieceKind, Position, Square};
use std::fmt::Write as _;

/// A style of move notation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// ２六歩: the official notation.
    #[default]
    Japanese,
    /// 26歩: the official notation with Arabic ranks.
    JapaneseArabic,
    /// P-2f: George Hodges, 1976.
    Hodges,
    /// P26: Tony Hosking, 1996.
    Hosking,
    /// P-26: as on 81Dojo.
    Western,
    /// 歩-26: Madoka Kitao and Tomohide Kawasaki.
    KitaoKawasaki,
    /// よ歩: a letter for each square, from the Edo period.
    Iroha,
    /// ２六歩(27): the record format KIF.
    Kif,
    /// +2726FU: the record format CSA.
    Csa,
    /// 2g2f: the engine protocol USI.
    Usi,
    /// センテ、ニロク、フ: for a Japanese speaker.
    Spoken,
    /// Black: pawn to 2 6: for an English speaker.
    SpokenEnglish,
}

/// The width of digits in Japanese styles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Digits {
    /// ２
    #[default]
    Full,
    /// 2
    Half,
}

/// The mark before a move that shows its side, in Japanese styles and Kitao–Kawasaki.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Marks {
    /// No mark.
    #[default]
    None,
    /// ▲ and △, which `Shift_JIS` contains.
    Triangle,
    /// ☗ and ☖
    Koma,
}

/// A style with its options. [`Notation::default`] is the official notation with 龍 and 玉 and without
/// marks, as `shogibar notate` writes it.
///
/// ```
/// use shogibar_shogi::{History, Marks, Move, Notation};
///
/// let history = History::from_usi("startpos moves 7g7f 3c3d")?;
/// let moves = [Move::from_usi("8h2b+").unwrap(), Move::from_usi("3a2b").unwrap()];
/// let notation = Notation { marks: Marks::Triangle, ..Notation::default() };
/// assert_eq!(notation.notate_line(&history, &moves), ["▲２二角成", "△同　銀"]);
/// # Ok::<(), shogibar_shogi::HistoryError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Notation {
    /// The style.
    pub style: Style,
    /// The width of digits.
    pub digits: Digits,
    /// The mark before each move.
    pub marks: Marks,
    /// Whether to write 竜 instead of 龍.
    pub simple_dragon: bool,
    /// Whether to write 王 instead of 玉.
    pub upper_king: bool,
    /// Whether to write 全 圭 杏 instead of 成銀 成桂 成香.
    pub short_promoted: bool,
    /// The options of the spoken styles.
    pub spoken: SpokenOptions,
}

/// Returns the modifiers with which the official notation distinguishes pieces that can reach the
/// target of a legal move. The first is 右, 左 or 直, the second 上, 寄, 引 or 打. Either is empty where it is not
/// needed; both are for an illegal move.
pub fn disambiguation(position: &Position, mv: Move) -> [&'static str; 2] {
    let Ok(context) = MoveContext::new(position, mv, None) else {
        return [""; 2];
    };
    let Some(from) = context.from else {
        return [
            "",
            if context.rivals().next().is_some() {
                "打"
            } else {
                ""
            },
        ];
    };
    let modifier = modifier::Modifier::for_move(&context, from);
    [
        modifier.side.map_or("", geometry::RelativePosition::text),
        modifier.motion.map_or("", geometry::PieceMotion::text),
    ]
}

/// A legal move with the facts that notation needs.
struct MoveContext<'a> {
    position: &'a Position,
    /// The side to move.
    color: Color,
    /// The kind of the piece, before it promotes.
    kind: PieceKind,
    /// The origin; `None` for a drop.
    from: Option<Square>,
    /// The target.
    to: Square,
    promotes: bool,
    is_same_target: bool,
}

impl Style {
    /// All styles, in the order of the declaration.
    pub const ALL: [Self; 12] = [
        Self::Japanese,
        Self::JapaneseArabic,
        Self::Hodges,
        Self::Hosking,
        Self::Western,
        Self::KitaoKawasaki,
        Self::Iroha,
        Self::Kif,
        Self::Csa,
        Self::Usi,
        Self::Spoken,
        Self::SpokenEnglish,
    ];

    /// Returns the name on the command line and in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Japanese => "japanese",
            Self::JapaneseArabic => "japanese-arabic",
            Self::Hodges => "hodges",
            Self::Hosking => "hosking",
            Self::Western => "western",
            Self::KitaoKawasaki => "kitao-kawasaki",
            Self::Iroha => "iroha",
            Self::Kif => "kif",
            Self::Csa => "csa",
            Self::Usi => "usi",
            Self::Spoken => "spoken",
            Self::SpokenEnglish => "spoken-english",
        }
    }

    /// Returns what stands between two moves of a line.
    pub const fn separator(self) -> &'static str {
        match self {
            Self::Spoken => "。",
            Self::SpokenEnglish => ". ",
            _ => " ",
        }
    }

    /// Returns the style with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|style| style.name() == name)
    }
}

impl Notation {
    /// Creates the usual notation of a style: half-width digits for [`Style::JapaneseArabic`] (26歩), else
    /// full-width digits, and no mark.
    pub fn new(style: Style) -> Self {
        let digits = if style == Style::JapaneseArabic {
            Digits::Half
        } else {
            Digits::Full
        };
        Self {
            style,
            digits,
            ..Self::default()
        }
    }

    /// Appends the notation of one move. `prev` is the target of the previous move, for 同; a position does not
    /// contain that move.
    ///
    /// # Errors
    /// Fails with the reason why the move is illegal; nothing is written then.
    pub fn write(
        self,
        out: &mut String,
        position: &Position,
        mv: Move,
        prev: Option<Square>,
    ) -> Result<(), IllegalMove> {
        let context = MoveContext::new(position, mv, prev)?;
        match self.style {
            Style::Japanese | Style::JapaneseArabic | Style::Iroha => japanese::write(self, out, &context),
            Style::Hodges | Style::Hosking | Style::Western | Style::KitaoKawasaki => {
                western::write(self, out, &context);
            }
            Style::Kif => record::write_kif(self, out, &context),
            Style::Csa => record::write_csa(out, &context),
            Style::Usi => {
                let _infallible = write!(out, "{mv}");
            }
            Style::Spoken | Style::SpokenEnglish => {
                spoken::write(self.style, self.spoken, self.upper_king, out, &context);
            }
        }
        Ok(())
    }

    /// Returns one text per move of a line that continues a game, such as a PV. The first illegal move ends the line.
    pub fn notate_line(self, history: &History, moves: &[Move]) -> Vec<String> {
        let mut position = history.now().without_history();
        let mut prev = history.last_move().map(Move::to);
        let mut texts = Vec::with_capacity(moves.len());
        for &mv in moves {
            let mut text = String::new();
            if self.write(&mut text, &position, mv, prev).is_err() || position.play(mv).is_err() {
                break;
            }
            prev = Some(mv.to());
            texts.push(text);
        }
        texts
    }

    const fn mark(self, color: Color) -> &'static str {
        match (self.marks, color) {
            (Marks::None, _) => "",
            (Marks::Triangle, Color::Black) => "▲",
            (Marks::Triangle, Color::White) => "△",
            (Marks::Koma, Color::Black) => "☗",
            (Marks::Koma, Color::White) => "☖",
        }
    }
}

impl<'a> MoveContext<'a> {
    /// Creates the context of a move. `prev` is the target of the previous move. Fails if the move is illegal.
    fn new(position: &'a Position, mv: Move, prev: Option<Square>) -> Result<Self, IllegalMove> {
        position.check(mv)?;
        let (kind, from, to, promotes) = match mv {
            Move::Drop { kind, to } => (kind, None, to, false),
            Move::Board { from, to, promote } => {
                let piece = position.piece_on(from).ok_or(IllegalMove::NoPiece(from))?;
                (piece.kind, Some(from), to, promote)
            }
        };
        Ok(Self {
            position,
            color: position.side_to_move(),
            kind,
            from,
            to,
            promotes,
            is_same_target: prev == Some(to),
        })
    }

    fn could_promote(&self) -> bool {
        self.from
            .is_some_and(|from| self.position.can_promote(self.kind, from, self.to))
    }

    /// Returns the squares of the mover's other pieces of the same kind that can reach the target.
    fn rivals(&self) -> impl Iterator<Item = Square> {
        self.position
            .origins(self.kind, self.to)
            .filter(|square| Some(*square) != self.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the last move of a game in each style.
    fn check(game: &str, expect: [&str; 12]) {
        let (before, last) = game.rsplit_once(' ').expect("a move");
        let history = History::from_usi(before).expect(before);
        let last = [Move::from_usi(last).expect(last)];
        let words = Style::ALL.map(|style| {
            Notation {
                marks: Marks::Koma,
                ..Notation::new(style)
            }
            .notate_line(&history, &last)
        });
        assert_eq!(words.concat(), expect, "{game}");
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of cases")]
    fn writes_each_style() {
        check(
            "startpos moves 2g2f",
            [
                "☗２六歩",
                "☗26歩",
                "P-2f",
                "P26",
                "P-26",
                "☗歩-26",
                "☗よ歩",
                "２六歩(27)",
                "+2726FU",
                "2g2f",
                "センテ、ニロク、フ",
                "Black: pawn to 2 6",
            ],
        );
        check(
            "startpos moves 6i5h",
            [
                "☗５八金左",
                "☗58金左",
                "G6i-5h",
                "G69-58",
                "G69-58",
                "☗金(69)-58",
                "☗す金左",
                "５八金(69)",
                "+6958KI",
                "6i5h",
                "センテ、ゴハチ、キンヒダリ",
                "Black: gold from 6 9 to 5 8",
            ],
        );
        check(
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b",
            [
                "☖同　銀",
                "☖同　銀",
                "Sx2b",
                "Sx22",
                "Sx22",
                "☖銀x",
                "☖同　銀",
                "同　銀(31)",
                "-3122GI",
                "3a2b",
                "ゴテ、オナジク、ギン",
                "White: silver takes 2 2",
            ],
        );
        check(
            "startpos moves 7g7f 3c3d 8h2b",
            [
                "☗２二角不成",
                "☗22角不成",
                "Bx2b=",
                "Bx22=",
                "Bx22=",
                "☗角x22=",
                "☗る角不成",
                "２二角(88)",
                "+8822KA",
                "8h2b",
                "センテ、ニニ、カクナラズ",
                "Black: bishop takes 2 2, does not promote",
            ],
        );
        check(
            "startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e",
            [
                "☗５五角",
                "☗55角",
                "B*5e",
                "B'55",
                "B*55",
                "☗角*55",
                "☗ひ角",
                "５五角打",
                "+0055KA",
                "B*5e",
                "センテ、ゴゴ、カク",
                "Black: bishop drop on 5 5",
            ],
        );
        check(
            "sfen k8/9/9/9/9/9/9/2+S1+S4/8K w - 1 moves 9a9b 5h6g",
            [
                "☗６七成銀右",
                "☗67成銀右",
                "+S5h-6g",
                "+S58-67",
                "+S58-67",
                "☗+銀(58)-67",
                "☗十成銀右",
                "６七成銀(58)",
                "+5867NG",
                "5h6g",
                "センテ、ロクナナ、ナリギンミギ",
                "Black: promoted silver from 5 8 to 6 7",
            ],
        );
        check(
            "sfen k8/9/9/9/9/9/9/3p1+R1+R1/8K b - 1 moves 2h1h 9a9b 4h6h",
            [
                "☗６八龍",
                "☗68龍",
                "+Rx6h",
                "+Rx68",
                "+Rx68",
                "☗龍x68",
                "☗百龍",
                "６八龍(48)",
                "+4868RY",
                "4h6h",
                "センテ、ロクハチ、リュウ",
                "Black: dragon takes 6 8",
            ],
        );
        check(
            "sfen k8/9/9/9/9/3G5/9/9/8K b G 1 moves G*6e",
            [
                "☗６五金打",
                "☗65金打",
                "G*6e",
                "G'65",
                "G*65",
                "☗金*65",
                "☗七金打",
                "６五金打",
                "+0065KI",
                "G*6e",
                "センテ、ロクゴ、キンウツ",
                "Black: gold drop on 6 5",
            ],
        );
        check(
            "sfen 8k/9/4P4/9/9/9/9/9/8K b - 1 moves 5c5b+",
            [
                "☗５二歩成",
                "☗52歩成",
                "P-5b+",
                "P52+",
                "P-52+",
                "☗歩-52+",
                "☗め歩成",
                "５二歩成(53)",
                "+5352TO",
                "5c5b+",
                "センテ、ゴニ、フナル",
                "Black: pawn to 5 2, promotes",
            ],
        );
    }

    #[test]
    fn applies_the_options_of_a_notation() {
        let history = History::from_usi("sfen 4k4/9/9/9/9/9/4+S4/4+R4/4K4 b - 1").expect("readable");
        let check = |notation: Notation, expect: [&str; 3]| {
            let moves = ["5i6i", "5h6h", "5g6f"].map(|mv| Move::from_usi(mv).expect(mv));
            assert_eq!(
                moves.map(|mv| notation.notate_line(&history, &[mv]).concat()),
                expect,
                "{notation:?}"
            );
        };
        let usual = Notation::default();
        check(usual, ["６九玉", "６八龍", "６六成銀"]);
        check(
            Notation {
                digits: Digits::Half,
                ..usual
            },
            ["6九玉", "6八龍", "6六成銀"],
        );
        check(
            Notation {
                digits: Digits::Full,
                ..Notation::new(Style::JapaneseArabic)
            },
            ["６９玉", "６８龍", "６６成銀"],
        );
        check(
            Notation {
                marks: Marks::Triangle,
                ..usual
            },
            ["▲６九玉", "▲６八龍", "▲６六成銀"],
        );
        let other = Notation {
            simple_dragon: true,
            upper_king: true,
            short_promoted: true,
            ..usual
        };
        check(other, ["６九王", "６八竜", "６六全"]);
        check(
            Notation {
                style: Style::Kif,
                ..other
            },
            ["６九王(59)", "６八竜(58)", "６六全(57)"],
        );
        check(
            Notation {
                style: Style::Western,
                ..other
            },
            ["K-69", "+R-68", "+S-66"],
        );
    }

    #[test]
    fn ends_a_line_at_the_first_illegal_move() {
        let history = History::from_usi("startpos moves 7g7f").expect("readable");
        let moves = ["3c3d", "2g2f", "2g2f", "8c8d"].map(|mv| Move::from_usi(mv).expect(mv));
        assert_eq!(
            Notation::default().notate_line(&history, &moves),
            ["３四歩", "２六歩"]
        );
        let mut out = "before".to_owned();
        let wrong = Notation::default().write(&mut out, history.now(), moves[1], None);
        assert_eq!(
            (wrong, out.as_str()),
            (
                Err(IllegalMove::OpponentsPiece(
                    moves[1].from().expect("a board move")
                )),
                "before"
            )
        );
    }

    #[test]
    fn finds_styles_by_name() {
        for style in Style::ALL {
            assert_eq!(Style::from_name(style.name()), Some(style));
        }
        assert_eq!(Style::from_name("Japanese"), None);
    }

    /// With more pieces than in a set, the origin is written where no modifier is left.
    #[test]
    fn writes_the_origin_where_modifiers_are_not_enough() {
        let history = History::from_usi("sfen 9/9/9/9/9/3+R+R+R3/9/9/9 b - 1").expect("readable");
        let words = ["6f5e", "5f5e", "4f5e"].map(|mv| {
            Notation::default()
                .notate_line(&history, &[Move::from_usi(mv).expect(mv)])
                .concat()
        });
        assert_eq!(words, ["５五龍左上", "５五龍(56)", "５五龍右上"]);
        let history = History::from_usi("sfen 9/9/9/9/9/3K1K3/9/9/9 b - 1").expect("readable");
        assert_eq!(
            Notation::default().notate_line(&history, &[Move::from_usi("6f5e").expect("a move")]),
            ["５五玉(66)"]
        );
    }
}
