//! Arbitrary records for property tests, with random moves, variations at any depth, comments, times, bookmarks,
//! headers and every kind of end.

use super::builder::{Builder, SourceText};
use super::end::{EndMark, MarkOutcome, Reason};
use super::record::{NodeId, Notes, Record};
use super::scan::Line;
use super::time::{Millis, Time};
use super::warning::Warnings;
use super::{handicap, record};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use shogibar_shogi::{Color, Digits, Move, Piece, PieceKind, Position, Setup, Square, any, square_in_kanji};

/// Record content that only some formats hold.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is an independent extra")]
pub(super) struct Extras {
    /// Remarks: KIF's `#`, CSA's `'`.
    pub(super) remarks: bool,
    /// Times in milliseconds instead of whole seconds.
    pub(super) millis: bool,
    /// Total times of moves whose own time is unknown.
    pub(super) totals_alone: bool,
    /// Headers and move words that look like other lines, or contain control characters.
    pub(super) odd: bool,
}

/// Generates records that start at move 1 and contain everything but the extras.
///
/// Without `odd`, no text contains a control character. Words of unplayed moves are then KIF's, and the moves are
/// illegal.
pub(super) fn record(extras: Extras) -> impl Strategy<Value = Record> {
    let acts = any::<bool>().prop_flat_map(move |timed| {
        // In short records, a reading as prose may find more moves.
        prop_oneof![3 => vec(act(extras, timed), 0..60), 1 => vec(act(extras, timed), 0..6)]
    });
    (start(), vec(header(extras.odd), 0..4), acts)
        .prop_map(|(start, headers, acts)| build(start, headers, &acts))
}

/// A step in building a random record.
#[derive(Clone, Debug)]
enum PlayedAct {
    Move(usize, Time),
    End {
        reason: Reason,
        outcome: Option<MarkOutcome>,
        words: String,
        time: Time,
        odd: bool,
    },
    /// Goes back by this many nodes, so that the next move starts a variation.
    Back(usize),
    /// Goes to any node.
    Jump(prop::sample::Index),
    Comment(String),
    Bookmark(String),
    Remark(String),
}

/// Generates a step. With `timed`, most moves have a time.
fn act(extras: Extras, timed: bool) -> impl Strategy<Value = PlayedAct> {
    let remark = if extras.remarks {
        PlayedAct::Remark
    } else {
        PlayedAct::Comment
    };
    prop_oneof![
        12 => (any::<usize>(), time(extras, timed)).prop_map(|(choice, time)| PlayedAct::Move(choice, time)),
        2 => end(extras, timed),
        2 => (1..6_usize).prop_map(PlayedAct::Back),
        1 => any::<prop::sample::Index>().prop_map(PlayedAct::Jump),
        2 => vec(line(), 1..4).prop_map(|lines| PlayedAct::Comment(lines.join("\n"))),
        1 => text().prop_map(PlayedAct::Bookmark),
        1 => vec(line(), 1..3).prop_map(move |lines| remark(lines.join("\n"))),
    ]
}

const ALL_REASONS: [Reason; 15] = [
    Reason::Resignation,
    Reason::Checkmate,
    Reason::TimeUp,
    Reason::Foul,
    Reason::IllegalMove,
    Reason::Declaration,
    Reason::Forfeit,
    Reason::Repetition,
    Reason::Impasse,
    Reason::MaxMoves,
    Reason::Interruption,
    Reason::Sealed,
    Reason::NoMate,
    Reason::Unreadable,
    Reason::Other,
];

fn end(extras: Extras, timed: bool) -> impl Strategy<Value = PlayedAct> {
    let outcomes = [
        MarkOutcome::MoverWins,
        MarkOutcome::MoverLoses,
        MarkOutcome::Winner(Color::Black),
        MarkOutcome::Winner(Color::White),
        MarkOutcome::Draw,
    ];
    let words =
        select(vec!["引き分け", "終了", "%MATTA", "%ERROR", "変な言葉", "Zeit"]).prop_map(str::to_owned);
    let words = if extras.odd {
        odd_text().boxed()
    } else {
        words.boxed()
    };
    (
        select(ALL_REASONS.to_vec()),
        weighted(0.3, select(outcomes.to_vec())),
        words,
        time(extras, timed),
    )
        .prop_map(move |(reason, outcome, words, time)| PlayedAct::End {
            reason,
            outcome,
            words,
            time,
            odd: extras.odd,
        })
}

/// Returns the default outcome of an end for the side to move.
const fn default_outcome(reason: Reason) -> MarkOutcome {
    match reason {
        Reason::Resignation | Reason::Checkmate | Reason::TimeUp | Reason::Foul | Reason::Forfeit => {
            MarkOutcome::MoverLoses
        }
        Reason::Declaration => MarkOutcome::MoverWins,
        Reason::Repetition | Reason::Impasse | Reason::MaxMoves => MarkOutcome::Draw,
        _ => MarkOutcome::Open,
    }
}

fn start() -> impl Strategy<Value = Position> {
    let named = select(vec![
        "香落ち",
        "角落ち",
        "飛車落ち",
        "二枚落ち",
        "三枚落ち",
        "六枚落ち",
        "十枚落ち",
    ]);
    prop_oneof![
        5 => Just(Position::startpos()),
        1 => named.prop_map(|name| handicap::position(name).expect(name)),
        1 => any::position(0.3).prop_map(|position| make_playable(&position)),
    ]
}

/// Returns the position with move number 1 and at most one king per side. The rules are undefined for more kings.
fn make_playable(position: &Position) -> Position {
    let mut setup = Setup::from_position(position);
    for color in [Color::Black, Color::White] {
        let king = Some(Piece {
            color,
            kind: PieceKind::King,
        });
        for surplus in Square::all()
            .filter(|square| position.piece_on(*square) == king)
            .skip(1)
        {
            setup.put(surplus, None);
        }
    }
    setup.build(position.side_to_move(), 1)
}

fn time(extras: Extras, timed: bool) -> impl Strategy<Value = Time> {
    let unit = if extras.millis { 1 } else { 1000 };
    let millis = move |max: u64| (0..max * 1000 / unit).prop_map(move |value| Millis(value * unit));
    let spent = weighted(if timed { 0.9 } else { 0.02 }, millis(5000));
    let total = weighted(if timed { 0.1 } else { 0.01 }, millis(100_000));
    (spent, total).prop_map(move |(spent, total)| Time {
        spent,
        total: if spent.is_some() || extras.totals_alone {
            total
        } else {
            None
        },
    })
}

/// Generates a comment line. It may be empty, or start or end with blanks.
fn line() -> impl Strategy<Value = String> {
    let odd = select(vec![
        "",
        " ",
        "　",
        "*",
        "**評価値=12",
        "&x",
        "# x",
        "変化：3手",
        "まで3手で中断",
        "1 ７六歩(77)",
        "終局：投了",
        "反則手：x",
        "☗７六歩",
        "𠮷野家👨‍👩‍👧",
        "\"\\/\t{}",
        "'",
        "▲",
        "~",
        "—",
    ]);
    prop_oneof![4 => "\\PC{0,12}", 2 => "[あ-ん一-三Ａ-Ｚa-z ]{0,12}", 3 => odd.prop_map(str::to_owned)]
        .prop_map(|line: String| line.replace(char::is_control, ""))
}

/// Generates a line of text that is not empty, and has no blanks at its ends.
fn text() -> impl Strategy<Value = String> {
    line().prop_map(|line| format!("x{}", line.trim()))
}

/// Texts with a special meaning in some record format. Headers are composed of them, to test that every format keeps
/// such headers and does not read them as moves, comments or ends.
const ODD_PARTS: [&str; 80] = [
    ":",
    "：",
    ": ",
    " ",
    "　",
    "(",
    ")",
    "（",
    "(0:01)",
    "( 0:16/00:00:16)",
    "+",
    "＋",
    "-",
    "*",
    "&",
    "#",
    "'",
    "|",
    "{",
    "[",
    "~",
    "%",
    "/",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\u{0}",
    "\u{1a}",
    "\u{1b}]0;x\u{7}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "1",
    "１",
    "12 ",
    "3. ",
    "8c8d",
    "7g7f",
    "-8384FU",
    "+7776FU",
    "７六歩",
    "７六歩(77)",
    "８四歩",
    "同　銀",
    "▲",
    "△",
    "☗",
    "先手",
    "後手",
    "後手番",
    "先手の持駒",
    "手合割",
    "手番",
    "手数----",
    "手数＝3",
    "変化：2手",
    "まで3手で",
    "投了",
    "中断",
    "反則手",
    "V2.2",
    "PI",
    "N+",
    "$EVENT:",
    "position startpos moves",
    "KIF version=2.0",
    "encoding=EUC-JP",
    "##[MONITOR2][a] ",
    " xshogi position file",
    "①",
    "〓",
    "「",
    "、",
    "・",
    "→",
    "手目",
    "第2局",
    "３四歩",
    "３四歩(33)",
];

/// Generates a text of several parts with a special meaning in some record format.
fn odd_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![8 => select(ODD_PARTS.to_vec()).prop_map(str::to_owned), 1 => "\\PC{1,3}"];
    vec(part, 1..5).prop_map(|parts| parts.concat())
}

fn header(odd: bool) -> impl Strategy<Value = (String, String)> {
    let plain = plain_header();
    if odd {
        prop_oneof![1 => plain, 4 => (odd_text(), odd_text())].boxed()
    } else {
        plain.boxed()
    }
}

fn plain_header() -> impl Strategy<Value = (String, String)> {
    let key = select(vec![
        "先手",
        "後手",
        "下手",
        "上手",
        "棋戦",
        "場所",
        "開始日時",
        "終了日時",
        "持ち時間",
        "戦型",
        "備考",
    ]);
    (key.prop_map(str::to_owned), text())
}

fn build(start: Position, headers: Vec<(String, String)>, acts: &[PlayedAct]) -> Record {
    let mut warnings = Warnings::default();
    let mut builder = Builder::new(start);
    let mut nodes = vec![NodeId::START];
    for act in acts {
        match act {
            PlayedAct::Move(choice, time) => play(&mut builder, *choice, *time, &mut warnings),
            PlayedAct::End { .. } => {
                leave_end(&mut builder);
                finish(&mut builder, act, &mut warnings);
            }
            PlayedAct::Back(steps) => (0..*steps).for_each(|_| go_back(&mut builder)),
            PlayedAct::Jump(index) => builder.go(nodes[index.index(nodes.len())]),
            PlayedAct::Comment(lines) => builder.add_comment(lines),
            PlayedAct::Bookmark(name) => builder.add_bookmark(name),
            PlayedAct::Remark(lines) => Notes::add(&mut builder.notes().remark, lines),
        }
        if nodes.last().is_some_and(|last| *last < builder.current_node()) {
            nodes.push(builder.current_node());
        }
    }
    let of_handicap = headers.iter().any(|(key, _)| key.starts_with(['上', '下']));
    let record = builder.finish(headers, of_handicap, &mut warnings);
    assert_eq!(warnings.finish(), [], "{record:?}");
    record
}

fn go_back(builder: &mut Builder) {
    if let Some(parent) = builder.record().parent(builder.current_node()) {
        builder.go(parent);
    }
}

fn leave_end(builder: &mut Builder) {
    if !builder.is_unfinished() {
        go_back(builder);
    }
}

const EMPTY_LINE: Line<'_> = Line {
    number: 1,
    text: "",
    characters_before: 0,
};

/// Plays one of the legal moves that have not been played at this node.
fn play(builder: &mut Builder, choice: usize, time: Time, warnings: &mut Warnings) {
    leave_end(builder);
    let record = builder.record();
    let mut legal = builder.now().legal_moves();
    legal.retain(|mv| {
        record
            .children(builder.current_node())
            .all(|child| record.node(child).mv() != Some(*mv))
    });
    if let Some(mv) = legal.get(choice % legal.len().max(1)) {
        builder.play(
            *mv,
            SourceText {
                words: "",
                spot: EMPTY_LINE.spot(""),
                time,
            },
            warnings,
        );
    }
}

/// Ends the current line, unless an illegal move is needed and there is none.
fn finish(builder: &mut Builder, end: &PlayedAct, warnings: &mut Warnings) {
    let PlayedAct::End {
        reason,
        outcome,
        words,
        time,
        odd,
    } = end
    else {
        return;
    };
    let words = match reason {
        _ if *odd => words.clone(),
        Reason::IllegalMove => match illegal_move(builder.now()) {
            Some(words) => words,
            None => return,
        },
        Reason::Unreadable => "５五象(44)".to_owned(),
        _ => words.clone(),
    };
    let default = if words == "引き分け" {
        MarkOutcome::Draw
    } else {
        default_outcome(*reason)
    };
    let mark = EndMark::new(*reason, outcome.unwrap_or(default));
    builder.apply_mark(
        mark,
        SourceText {
            words: &words,
            spot: EMPTY_LINE.spot(""),
            time: *time,
        },
        warnings,
    );
}

/// Returns KIF's words for an illegal move of a piece of the side to move; `None` without one.
fn illegal_move(position: &Position) -> Option<String> {
    let movable = |square: &Square| {
        position
            .piece_on(*square)
            .filter(|piece| piece.color == position.side_to_move())
    };
    let (from, piece) = Square::all().find_map(|square| Some((square, movable(&square)?)))?;
    let to = Square::all().find(|to| {
        !position.is_legal(Move::Board {
            from,
            to: *to,
            promote: false,
        })
    })?;
    Some(format!(
        "{}{}({}{})",
        square_in_kanji(to, Digits::Full),
        piece.kind.kanji(),
        from.file(),
        from.rank()
    ))
}

proptest! {
    /// The strategy generates legal moves and times in whole seconds.
    #[test]
    fn generates_legal_moves_and_whole_seconds(record in record(Extras::default())) {
        let mut walk = record.walk();
        for id in record.all() {
            let node = record.node(id);
            if let record::Step::Move(mv) = node.step() {
                let parent = record.parent(id).expect("a move has one");
                prop_assert!(walk.go(parent).is_legal(*mv));
            }
            let whole = |time: Option<Millis>| time.is_none_or(|millis| millis.0 % 1000 == 0);
            prop_assert!(whole(node.time.spent) && whole(node.time.total));
        }
    }
}
