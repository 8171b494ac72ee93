//! The handicap start positions.

use crate::shogi::Position;

/// The name for an even game.
pub(super) const NONE: &str = "平手";

/// The first two ranks of White, which differ, by handicap name. Left and right are from White's view. 三枚, 五枚 and
/// 七枚落ち are as in JKF. Of two names for one position the first is written.
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

/// The first three ranks of White and its hand, by names that few programs know. They are read and never written, since a
/// diagram says them to every reader. Lishogi has these starts.
const READ_ONLY: [(&str, &str, &str); 9] = [
    ("両香落ち", "1nsgkgsn1/1r5b1/ppppppppp", "-"),
    ("兩香落ち", "1nsgkgsn1/1r5b1/ppppppppp", "-"),
    ("九枚落ち", "4kg3/9/ppppppppp", "-"),
    ("歩三兵", "4k4/9/9", "3p"),
    ("裸玉", "4k4/9/9", "-"),
    ("トンボ", "4k4/1r5b1/ppppppppp", "-"),
    ("トンボ＋香", "l3k3l/1r5b1/ppppppppp", "-"),
    ("トンボ＋桂香", "ln2k2nl/1r5b1/ppppppppp", "-"),
    ("太閤落ち", "lnsgkgsnl/1r5b1/p1ppppppp", "-"),
];

/// Returns the start position for a value of 手合割. Blanks, which one program writes, or a remark may follow the name.
pub fn position(name: &str) -> Option<Position> {
    let name = name.trim_start().split(['#', '　', ' ']).next().unwrap_or_default();
    if name == NONE {
        return Some(Position::startpos());
    }
    if let Some((_, ranks, hand)) = READ_ONLY.iter().find(|(known, ..)| *known == name) {
        return Position::from_sfen(&with_rest(ranks, hand)).ok();
    }
    let (_, ranks) = HANDICAPS.iter().find(|(known, _)| *known == name)?;
    Position::from_sfen(&sfen(ranks)).ok()
}

/// Returns the names of the start positions, 平手 first, each position once.
pub fn names() -> impl Iterator<Item = &'static str> {
    // Some positions have two names.
    let all = HANDICAPS.iter().enumerate();
    let first = all.filter(|(at, (_, ranks))| HANDICAPS.iter().take(*at).all(|(_, before)| before != ranks));
    std::iter::once(NONE).chain(first.map(|(_, (name, _))| *name))
}

/// Returns the name of a start position, whatever its move number; 平手 for the standard one.
pub(super) fn name(start: &Position) -> Option<&'static str> {
    written_name(without_number(&start.sfen()))
}

/// Returns whether a start is that of a handicap, whatever its move number.
pub(super) fn is_handicap(start: &Position) -> bool {
    let start = start.sfen();
    let start = without_number(&start);
    written_name(start).is_some_and(|name| name != NONE)
        || READ_ONLY.iter().any(|(_, ranks, hand)| with_rest(ranks, hand) == start)
}

/// Returns the name under which a start is written. `start` is its SFEN without the move number.
fn written_name(start: &str) -> Option<&'static str> {
    if without_number(&Position::startpos().sfen()) == start {
        return Some(NONE);
    }
    HANDICAPS.iter().find(|(_, ranks)| sfen(ranks) == start).map(|(name, _)| *name)
}

fn without_number(sfen: &str) -> &str {
    sfen.rsplit_once(' ').map_or(sfen, |(rest, _number)| rest)
}

/// Returns the SFEN of a start with White's first two ranks.
fn sfen(ranks: &str) -> String {
    with_rest(&format!("{ranks}/ppppppppp"), "-")
}

/// Returns the SFEN of a start with White's first three ranks and hand.
fn with_rest(ranks: &str, hand: &str) -> String {
    format!("{ranks}/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w {hand}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Color;

    #[test]
    fn every_name_gives_a_position_with_white_to_move() {
        for (name, _) in HANDICAPS {
            let start = position(name).expect(name);
            assert_eq!(start.side_to_move(), Color::White, "{name}");
            let written = super::name(&start).expect(name);
            assert_eq!(position(written), Some(start), "{name}");
        }
        for (name, ..) in READ_ONLY {
            let start = position(name).expect(name);
            assert_eq!((start.side_to_move(), super::name(&start)), (Color::White, None), "{name}");
            assert!(is_handicap(&start), "{name}");
        }
        let hand = position("歩三兵").expect("known").sfen();
        assert_eq!(hand, "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1");
        assert_eq!(position("平手"), Some(Position::startpos()));
        assert_eq!(super::name(&Position::startpos()), Some("平手"));
        assert_eq!(position("その他"), None);
    }
}
