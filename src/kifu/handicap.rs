//! The handicap start positions.

use super::scan::digit;
use shogibar_shogi::{Color, OtherGame, Position, Setup};

/// The name of an even game.
pub(super) const EVEN_GAME: &str = "平手";

/// Handicap names with White's first two ranks, in which the starts differ. Left and right are from White's view. 三枚,
/// 五枚 and 七枚落ち are as in JKF. If a position has two names, the first is written.
const HANDICAPS: [(&str, &str); 17] = [
    ("香落ち", "lnsgkgsn1/1r5b1"),
    ("右香落ち", "1nsgkgsnl/1r5b1"),
    ("角落ち", "lnsgkgsnl/1r7"),
    ("飛車落ち", "lnsgkgsnl/7b1"),
    ("飛落ち", "lnsgkgsnl/7b1"),
    ("飛香落ち", "lnsgkgsn1/7b1"),
    ("二枚落ち", "lnsgkgsnl/9"),
    ("三枚落ち", "lnsgkgsn1/9"),
    ("四枚落ち", "1nsgkgsn1/9"),
    ("五枚落ち", "2sgkgsn1/9"),
    ("左五枚落ち", "1nsgkgs2/9"),
    ("六枚落ち", "2sgkgs2/9"),
    ("右七枚落ち", "3gkgs2/9"),
    ("七枚落ち", "3gkgs2/9"),
    ("左七枚落ち", "2sgkg3/9"),
    ("八枚落ち", "3gkg3/9"),
    ("十枚落ち", "4k4/9"),
];

/// Handicap names of lishogi and 81Dojo that few programs know, with White's first three ranks and hand. The names are
/// read but never written, since every reader understands a diagram.
const READ_ONLY_HANDICAPS: [(&str, &str, &str); 20] = [
    ("左香落ち", "lnsgkgsn1/1r5b1/ppppppppp", "-"),
    ("両香落ち", "1nsgkgsn1/1r5b1/ppppppppp", "-"),
    ("一丁半", "lnsgkgsn1/7b1/ppppppppp", "-"),
    ("飛銀落ち", "lnsgkg1nl/7b1/ppppppppp", "-"),
    ("九枚落ち", "4kg3/9/ppppppppp", "-"),
    ("歩三兵", "4k4/9/9", "3p"),
    ("裸玉", "4k4/9/9", "-"),
    ("トンボ", "4k4/1r5b1/ppppppppp", "-"),
    ("トンボ＋香", "l3k3l/1r5b1/ppppppppp", "-"),
    ("トンボ＋桂香", "ln2k2nl/1r5b1/ppppppppp", "-"),
    ("太閤落ち", "lnsgkgsnl/1r5b1/p1ppppppp", "-"),
    ("太閤将棋", "lnsgkgsnl/1r5b1/p1ppppppp", "-"),
    ("右端歩落ち", "lnsgkgsnl/1r5b1/1pppppppp", "-"),
    ("左端歩落ち", "lnsgkgsnl/1r5b1/pppppppp1", "-"),
    ("両端歩落ち", "lnsgkgsnl/1r5b1/1ppppppp1", "-"),
    // The less usual starts of names that do not state which of two pieces is missing.
    ("三枚落ち", "1nsgkgsnl/9/ppppppppp", "-"),
    ("五枚落ち", "1nsgkgs2/9/ppppppppp", "-"),
    ("飛銀落ち", "ln1gkgsnl/7b1/ppppppppp", "-"),
    ("右端歩落ち", "lnsgkgsnl/1r5b1/pppppppp1", "-"),
    ("左端歩落ち", "lnsgkgsnl/1r5b1/1pppppppp", "-"),
];

/// Returns the start position for a value of 手合割; the usual one if the value can mean several. Blanks, which one
/// program writes, or a remark may follow the name.
pub fn position(name: &str) -> Option<Position> {
    starts(name).into_iter().next()
}

/// Returns the start positions that a value of 手合割 can mean, the usual one first.
pub(super) fn starts(name: &str) -> Vec<Position> {
    let name = canonical_name(name);
    // 得: White lacks the pieces, and Black has them in hand.
    if let Some(gained) = name.strip_suffix('得') {
        return starts(&format!("{gained}落ち"))
            .iter()
            .map(with_missing_in_hand)
            .collect();
    }
    if matches!(name.as_str(), EVEN_GAME | "定先") {
        return vec![Position::startpos()];
    }
    let written = HANDICAPS
        .iter()
        .filter(|(known, _)| *known == name)
        .map(|(_, ranks)| two_rank_sfen(ranks));
    let read = READ_ONLY_HANDICAPS
        .iter()
        .filter(|(known, ..)| *known == name)
        .map(|(_, ranks, hand)| start_sfen(ranks, hand));
    written
        .chain(read)
        .filter_map(|sfen| Position::from_sfen(&sfen).ok())
        .collect()
}

/// Returns the game other than shogi that a value of 手合割 names; `None` for other values.
pub(super) fn other_game(name: &str) -> Option<OtherGame> {
    OtherGame::from_name(&canonical_name(name))
}

/// Returns a name in the spelling of the tables: without a remark, with digits in half width, or in kanji before 枚, and
/// with 落ち for 落.
fn canonical_name(name: &str) -> String {
    let name = name
        .trim_start()
        .split(['#', '　', ' ', '(', '（'])
        .next()
        .unwrap_or_default();
    let mut name: String = name
        .chars()
        .map(|c| {
            digit(c)
                .and_then(|digit| char::from_digit(digit, 10))
                .unwrap_or(c)
        })
        .collect();
    name = name.replace('兩', "両").replace('+', "＋");
    let count = name
        .strip_suffix("枚落")
        .or_else(|| name.strip_suffix("枚落ち"))
        .and_then(|count| count.parse().ok());
    if let Some(count @ 2..=10) = count {
        const COUNTS: [&str; 11] = ["", "", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
        name = format!("{}枚落ち", COUNTS.get(count).copied().unwrap_or_default());
    } else if name.ends_with('落') {
        name.push('ち');
    }
    name
}

/// Returns a start with the pieces that White lacks in Black's hand.
fn with_missing_in_hand(start: &Position) -> Position {
    let mut setup = Setup::from_position(start);
    setup.add_remaining_to_hand(Color::Black);
    setup.build(start.side_to_move(), 1)
}

/// Returns the names of the start positions, 平手 first, each position once.
pub fn names() -> impl Iterator<Item = &'static str> {
    // Some positions have two names, of which the first is returned.
    let all = HANDICAPS.iter().enumerate();
    let first = all.filter(|(at, (_, ranks))| HANDICAPS.iter().take(*at).all(|(_, before)| before != ranks));
    std::iter::once(EVEN_GAME).chain(first.map(|(_, (name, _))| *name))
}

/// Returns the name of a start position, whatever its move number; 平手 for the standard one. `None` for a position
/// without a written name.
pub fn name(start: &Position) -> Option<&'static str> {
    written_name(without_number(&start.sfen()))
}

/// Returns whether a start has the board of a handicap and White to move, whatever the move number and the hands.
pub(super) fn is_handicap(start: &Position) -> bool {
    let start = start.sfen();
    let board = start
        .split(" w ")
        .next()
        .filter(|board| board.len() < start.len())
        .unwrap_or_default();
    let is_of = |sfen: String| sfen.split(' ').next() == Some(board);
    HANDICAPS.iter().any(|(_, ranks)| is_of(two_rank_sfen(ranks)))
        || READ_ONLY_HANDICAPS
            .iter()
            .any(|(_, ranks, hand)| is_of(start_sfen(ranks, hand)))
}

/// Returns the name under which a start is written; `None` without one. `start` is an SFEN without the move number.
fn written_name(start: &str) -> Option<&'static str> {
    if without_number(&Position::startpos().sfen()) == start {
        return Some(EVEN_GAME);
    }
    HANDICAPS
        .iter()
        .find(|(_, ranks)| two_rank_sfen(ranks) == start)
        .map(|(name, _)| *name)
}

/// Returns an SFEN without its move number.
fn without_number(sfen: &str) -> &str {
    sfen.rsplit_once(' ').map_or(sfen, |(rest, _number)| rest)
}

fn two_rank_sfen(ranks: &str) -> String {
    start_sfen(&format!("{ranks}/ppppppppp"), "-")
}

fn start_sfen(ranks: &str, hand: &str) -> String {
    format!("{ranks}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w {hand}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_gives_a_position_with_white_to_move() {
        for (name, _) in HANDICAPS {
            let start = position(name).expect(name);
            assert_eq!(start.side_to_move(), Color::White, "{name}");
            let written = super::name(&start).expect(name);
            assert_eq!(position(written), Some(start), "{name}");
        }
        for (name, ranks, hand) in READ_ONLY_HANDICAPS {
            let start = Position::from_sfen(&start_sfen(ranks, hand)).expect(name);
            assert!(starts(name).contains(&start), "{name}");
            assert_eq!(start.side_to_move(), Color::White, "{name}");
            assert!(is_handicap(&start), "{name}");
        }
        let hand = position("歩三兵").expect("known").sfen();
        assert_eq!(hand, "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1");
        assert_eq!(position("平手"), Some(Position::startpos()));
        assert_eq!(super::name(&Position::startpos()), Some("平手"));
        assert_eq!(position("その他"), None);
        assert!(!is_handicap(&Position::startpos()));
    }

    #[test]
    fn names_are_read_as_servers_and_programs_write_them() {
        let check = |name: &str, expected: &[&str]| {
            let found: Vec<_> = starts(name).iter().map(Position::sfen).collect();
            let rest = "9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
            let sfen = |start: &&str| {
                let (ranks, hands) = start.split_once(' ').expect(name);
                format!("{ranks}/{rest} {hands} 1")
            };
            assert_eq!(found, expected.iter().map(sfen).collect::<Vec<_>>(), "{name}");
        };
        for name in [
            "二枚落ち",
            "２枚落ち",
            "2枚落",
            "二枚落",
            "二枚落ち　　",
            "二枚落ち#x",
            "二枚落ち(レート)",
        ] {
            check(name, &["lnsgkgsnl/9/ppppppppp w -"]);
        }
        check("10枚落ち", &["4k4/9/ppppppppp w -"]);
        check("兩香落ち", &["1nsgkgsn1/1r5b1/ppppppppp w -"]);
        check("トンボ+香", &["l3k3l/1r5b1/ppppppppp w -"]);
        check(
            "三枚落ち",
            &["lnsgkgsn1/9/ppppppppp w -", "1nsgkgsnl/9/ppppppppp w -"],
        );
        check(
            "五枚落ち",
            &["2sgkgsn1/9/ppppppppp w -", "1nsgkgs2/9/ppppppppp w -"],
        );
        check("角得", &["lnsgkgsnl/1r7/ppppppppp w B"]);
        check("両香得", &["1nsgkgsn1/1r5b1/ppppppppp w 2L"]);
        check("八枚得", &["3gkg3/9/ppppppppp w RB2S2N2L"]);
        check(
            "三枚得",
            &["lnsgkgsn1/9/ppppppppp w RBL", "1nsgkgsnl/9/ppppppppp w RBL"],
        );
        check("両端歩得", &["lnsgkgsnl/1r5b1/1ppppppp1 w 2P"]);
        check("平手(レート)", &["lnsgkgsnl/1r5b1/ppppppppp b -"]);
        check("定先", &["lnsgkgsnl/1r5b1/ppppppppp b -"]);
        check("五枚損", &[]);
        check("得", &[]);
        assert_eq!(
            other_game("５五将棋").map(|game| game.to_string()).as_deref(),
            Some("minishogi")
        );
        assert!(is_handicap(&position("角得").expect("known")));
    }
}
