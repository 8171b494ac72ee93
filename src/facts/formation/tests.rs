mod table;

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

fn name(castle: Option<FormationName>) -> &'static str {
    castle.map_or("-", |castle| castle.name)
}

fn history(example: &str) -> History {
    let moves = example.strip_prefix("startpos moves ").unwrap_or(example);
    History::from_usi(&format!("startpos moves {moves}")).unwrap_or_else(|error| panic!("{error}: {example}"))
}

/// Returns a position with the sides exchanged.
fn mirrored(position: &Position) -> Position {
    let mut setup = shogibar_shogi::Setup::empty();
    let other = |color| {
        if color == Color::Black {
            Color::White
        } else {
            Color::Black
        }
    };
    for square in Square::all() {
        let piece = position.piece_on(square);
        setup.put(
            square.flip(),
            piece.map(|piece| shogibar_shogi::Piece {
                color: other(piece.color),
                ..piece
            }),
        );
    }
    setup.build(other(position.side_to_move()), position.move_number())
}

#[test]
fn names_enough_castles_and_openings() {
    let castles: Vec<_> = BOOK.castles.iter().map(Entry::formation_name).collect();
    for (names, min) in [(castles, 50), (opening_names().collect(), 75)] {
        assert!(names.len() >= min, "{}", names.len());
        let japanese: BTreeSet<_> = names.iter().map(|formation| formation.name).collect();
        let english: BTreeSet<_> = names.iter().map(|formation| formation.name_en).collect();
        assert_eq!(
            (japanese.len(), english.len()),
            (names.len(), names.len()),
            "{japanese:?} {english:?}"
        );
        for formation in names {
            assert!(
                !formation.name.is_ascii() && !formation.name.contains(' '),
                "{formation:?}"
            );
            assert!(
                formation.name_en.starts_with(|c: char| c.is_ascii_uppercase()),
                "{formation:?}"
            );
        }
    }
}

#[test]
fn each_castle_has_a_king_and_an_example_for_both_sides() {
    let mut failed = Vec::new();
    for entry in &BOOK.castles {
        assert!(
            entry.pattern.as_ref().is_some_and(pattern::Pattern::has_king),
            "{}",
            entry.name
        );
        let (of_black, of_white) = if entry.example.starts_with("startpos") {
            let formations = Formations::from_history(&history(entry.example));
            (formations.castle(Color::Black), formations.castle(Color::White))
        } else {
            let position =
                Position::from_sfen(entry.example).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
            (
                castle(&position, Color::Black),
                castle(&mirrored(&position), Color::White),
            )
        };
        if (name(of_black), name(of_white)) != (entry.name, entry.name) {
            failed.push(format!("{}: {} {}", entry.name, name(of_black), name(of_white)));
        }
    }
    assert_eq!(failed, [""; 0]);
}

#[test]
fn each_opening_has_an_example() {
    let mut failed = Vec::new();
    for entry in &BOOK.openings {
        let history = match History::from_usi(&format!("startpos moves {}", entry.example)) {
            Ok(history) => history,
            Err(error) => {
                failed.push(format!("{}: {error}", entry.name));
                continue;
            }
        };
        let formations = Formations::from_history(&history);
        let [black, white] = [Color::Black, Color::White].map(|side| formations.opening(side));
        let names = [black, white].map(|opening| opening.map_or("-", |opening| opening.opening.name));
        let is_shared = black.is_some_and(|opening| opening.is_shared);
        let is_named = if entry.is_shared {
            names == [entry.name; 2] && is_shared
        } else {
            names.contains(&entry.name)
        };
        if !is_named {
            failed.push(format!("{}: {names:?}", entry.name));
        }
    }
    assert_eq!(failed, [""; 0]);
}

/// Returns whether an opening belongs to only Black or only White, or continues only such openings.
fn is_of_one_color(entry: &Entry) -> bool {
    let continues_one_color = |name: &&str| {
        let replaced = BOOK.openings.iter().find(|other| other.name == *name);
        replaced.is_some_and(is_of_one_color)
    };
    entry.pattern.as_ref().is_some_and(pattern::Pattern::has_color)
        || entry.replaces.iter().all(continues_one_color)
}

/// Returns whether the example of an opening gives its name with the sides exchanged, after a first move of Black.
fn is_named_with_sides_exchanged(entry: &Entry, first: &str) -> bool {
    let flipped = entry
        .example
        .split(' ')
        .map(|text| match Move::from_usi(text).unwrap() {
            Move::Board { from, to, promote } => Move::Board {
                from: from.flip(),
                to: to.flip(),
                promote,
            },
            Move::Drop { kind, to } => Move::Drop { kind, to: to.flip() },
        });
    let mut formations = Formations::new(&Position::startpos());
    let is_played = std::iter::once(Move::from_usi(first).unwrap())
        .chain(flipped)
        .all(|mv| formations.play(mv).is_ok());
    let is_named = |side| {
        formations
            .opening(side)
            .is_some_and(|opening| opening.opening.name == entry.name)
    };
    is_played && [Color::Black, Color::White].into_iter().any(is_named)
}

#[test]
fn openings_are_mirrored_for_white() {
    // One of these moves is legal and changes nothing.
    let firsts = ["1g1f", "9g9f", "1i1h", "9i9h", "4i4h"];
    let entries = BOOK.openings.iter().filter(|entry| !is_of_one_color(entry));
    let failed = entries.filter(|entry| {
        !firsts
            .iter()
            .any(|first| is_named_with_sides_exchanged(entry, first))
    });
    assert_eq!(failed.map(|entry| entry.name).collect::<Vec<_>>(), [""; 0]);
    let of_one_color = BOOK
        .openings
        .iter()
        .filter(|entry| is_of_one_color(entry))
        .count();
    assert!(of_one_color <= 20, "{of_one_color}");
}

#[test]
fn openings_replace_only_earlier_entries() {
    for (index, entry) in BOOK.openings.iter().enumerate() {
        for replaced in entry.replaces.iter().filter(|name| **name != UNNAMED) {
            let at = BOOK.openings.iter().position(|other| other.name == *replaced);
            let at = at.unwrap_or_else(|| panic!("{} replaces {replaced}", entry.name));
            assert_ne!(at, index);
            // Two openings never replace each other.
            assert!(
                !BOOK.openings[at].replaces.contains(&entry.name),
                "{} {replaced}",
                entry.name
            );
        }
        assert!(
            entry.last_ply < u16::MAX && entry.first_ply <= entry.last_ply,
            "{}",
            entry.name
        );
    }
}

#[test]
fn the_start_has_no_name() {
    let start = Position::startpos();
    let formations = Formations::new(&start);
    for side in [Color::Black, Color::White] {
        assert_eq!(
            (
                castle(&start, side),
                formations.castle(side),
                formations.opening(side)
            ),
            (None, None, None)
        );
    }
}

#[test]
fn a_handicap_is_the_opening() {
    for handicap in shogibar_kifu::handicaps().filter(|handicap| *handicap != "平手") {
        let formations = Formations::new(&shogibar_kifu::handicap(handicap).unwrap());
        for side in [Color::Black, Color::White] {
            let opening = formations.opening(side).unwrap_or_else(|| panic!("{handicap}"));
            assert_eq!((opening.opening.name, opening.is_shared), (handicap, true));
        }
    }
}

#[test]
fn a_castle_breaks_when_a_general_is_taken_for_good() {
    let play = |start: &str, moves: &str| {
        let history = History::from_usi(&format!("sfen {start} moves {moves}")).unwrap();
        let formations = Formations::from_history(&history);
        let broken = formations
            .broken_castle(Color::Black)
            .map(|broken| (broken.castle.name, broken.ply));
        (name(formations.castle(Color::Black)), broken)
    };
    // Black has a Mino, and White takes the gold on 4i by a rook.
    let start = "4k4/9/9/9/9/9/3PPPPPP/4G1SK1/r4G1NL w - 1";
    let wait = "5a6a 1g1f 6a5a 1f1e";
    assert_eq!(play(start, wait), ("美濃囲い", None));
    assert_eq!(play(start, &format!("{wait} 9i4i")), ("-", None));
    assert_eq!(
        play(start, &format!("{wait} 9i4i 1e1d")),
        ("-", Some(("美濃囲い", 5)))
    );
    assert_eq!(
        play(start, &format!("{wait} 9i4i 3h4i")),
        ("-", Some(("美濃囲い", 5)))
    );
    // The castle existed for too short a time.
    assert_eq!(play(start, "9i4i 3h4i"), ("-", None));
    // The other gold recaptures, and the castle still exists.
    let start = "4k4/9/9/9/9/9/3PPPPPP/4GGSK1/r4G1NL w - 1";
    assert_eq!(play(start, &format!("{wait} 9i4i 4h4i")), ("美濃囲い", None));
    // A castle that is given up is not broken.
    assert_eq!(
        play(
            "4k4/9/9/9/9/9/3PPPPPP/4G1SK1/5G1NL w - 1",
            &format!("{wait} 5a6a 4i5i 6a5a 5i6i")
        ),
        ("-", None)
    );
}

#[test]
fn a_king_that_is_driven_somewhere_has_no_castle_there() {
    let play = |moves: &str| {
        let start = "4k4/9/9/9/9/9/3PPPPPP/4G1S1K/r4G1NL w - 1";
        let formations =
            Formations::from_history(&History::from_usi(&format!("sfen {start} moves {moves}")).unwrap());
        name(formations.castle(Color::Black))
    };
    assert_eq!(play("5a6a 1h2h"), "-");
    assert_eq!(play("5a6a 1h2h 6a5a 6g6f"), "美濃囲い");
    // The rook on the first file drives the king into the castle.
    let driven = "lnsgk4/9/8r/9/9/9/3PPPPP1/4G1S1K/5G1N1 b - 1 moves 1h2h 5a4a 5g5f 4a5a 5f5e";
    assert_eq!(
        name(
            Formations::from_history(&History::from_usi(&format!("sfen {driven}")).unwrap())
                .castle(Color::Black)
        ),
        "-"
    );
    // The time that it stays there does not matter.
    let walk = "6g6f 6f6e 6e6d 6d6c+ 6c7c 7c7d 7d7e 7e7f 7f8f 8f8e 8e8d 8d8c 8c9c 9c9d";
    let quiet = walk.split(' ').zip(["5a4a", "4a5a"].into_iter().cycle());
    let quiet: Vec<&str> = quiet.flat_map(|(mv, king)| [king, mv]).collect();
    let long = History::from_usi(&format!("sfen {driven} {}", quiet.join(" "))).unwrap();
    assert_eq!(name(Formations::from_history(&long).castle(Color::Black)), "-");
}

#[test]
fn near_misses_have_the_right_name() {
    let check = |moves: &str, expect: [&str; 2]| {
        let formations = Formations::from_history(&history(moves));
        let names = [Color::Black, Color::White].map(|side| {
            formations
                .opening(side)
                .map_or("-", |opening| opening.opening.name)
        });
        assert_eq!(names, expect, "{moves}");
    };
    // The rook pawns of a Double Wing Attack, and then a Bishop Exchange.
    let exchange = "2g2f 8c8d 2f2e 8d8e 7g7f 4a3b 8h7g 3c3d 7i6h 2b7g+ 6h7g 3a2b 6i7h 2b3c 3i3h 7a7b";
    check(exchange, ["角換わり"; 2]);
    // Without the exchange of the bishops there is no name yet.
    check(
        "2g2f 8c8d 2f2e 8d8e 7g7f 4a3b 8h7g 3c3d 7i8h 4c4d 6i7h 3a4b",
        ["-"; 2],
    );
    // The rook goes home instead of taking the pawn on 3d.
    let declined =
        "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d2f P*2c P*8g 8f8b 9g9f 1c1d";
    check(declined, ["相掛かり"; 2]);
    // A bishop exchange before the opponent moves its rook aside.
    let ranging = "7g7f 3c3d 2g2f 2b8h+ 7i8h 3a2b 3i4h 2b3c 8h7g 8b2b 5i6h 5a6b 6h7h 6b7b 4i5h 7b8b 1g1f 1c1d 9g9f 9c9d";
    check(ranging, ["居飛車", "ダイレクト向かい飛車"]);
    // Both sides move their rook aside.
    check(
        "7g7f 3c3d 2h6h 8b3b 6g6f 5a6b 5i4h 6b7b 4h3h 7b8b 3h2h 7a7b 3i3h 4a5b",
        ["相振り飛車"; 2],
    );
    // A static rook moves to the fourth file against a Yagura.
    let right = "7g7f 8c8d 7i6h 3c3d 6h7g 6c6d 6i7h 7a6b 5g5f 6b6c 4i5h 6c5d 6g6f 8b6b 5i6i 4a3b 8h7i 7c7d 5h6g 8a7c 7i6h 1c1d";
    check(right, ["矢倉", "右四間飛車"]);
    // Rooks that stay at home, and moves without a meaning for the opening.
    check(
        "1g1f 1c1d 9g9f 9c9d 3g3f 7c7d 4g4f 6c6d 3i4h 7a6b 4i5h 6a5b",
        ["-"; 2],
    );
}

#[test]
fn an_opening_never_flickers() {
    for entry in &BOOK.openings {
        let history = history(entry.example);
        let mut formations = Formations::new(history.start());
        let mut names = [const { Vec::new() }; 2];
        for mv in history.moves() {
            formations.play(*mv).unwrap();
            for side in [Color::Black, Color::White] {
                let list = &mut names[side as usize];
                let opening = formations.opening(side).map(|opening| opening.opening.name);
                if list.last() != Some(&opening) {
                    assert!(!list.contains(&opening), "{}: {list:?} {opening:?}", entry.name);
                    list.push(opening);
                }
            }
        }
    }
}

#[test]
fn odd_positions_have_no_name() {
    for sfen in [
        "9/9/9/9/9/9/9/9/9 b - 1",
        "4k4/9/9/9/9/9/9/9/9 b - 1",
        "9/9/9/9/9/9/9/6S2/5G3 w 2G2g2r2b 1",
    ] {
        let position = Position::from_sfen(sfen).unwrap();
        for side in [Color::Black, Color::White] {
            assert_eq!(
                (castle(&position, side), Formations::new(&position).opening(side)),
                (None, None)
            );
        }
    }
    let mut formations = Formations::new(&Position::startpos());
    assert!(formations.play(Move::from_usi("5a5b").unwrap()).is_err());
}

proptest! {
    #[test]
    fn any_position_is_followed(sfen in shogibar_shogi::any::sfen(0.5), picks in prop::collection::vec(0_usize..200, 0..30)) {
        let Ok(start) = Position::from_sfen(&sfen) else { return Ok(()) };
        let mut formations = Formations::new(&start);
        let mut position = start;
        for pick in picks {
            let moves = position.legal_moves();
            let Some(mv) = moves.get(pick % moves.len().max(1)) else { break };
            prop_assert_eq!(formations.play(*mv).is_ok(), position.play(*mv).is_ok());
            for side in [Color::Black, Color::White] {
                prop_assert!(castle(&position, side).is_none_or(|_| position.king(side).is_some()));
                let _opening = formations.opening(side);
            }
        }
    }
}
