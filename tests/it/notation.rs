//! Move notation: compared with a second implementation of the rule and with other programs, and read back.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![expect(
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test reads files and starts the program"
)]

use crate::support;
use shogibar_shogi::notation::{self, Digits, Marks, Notation, Style};
use shogibar_shogi::{Color, Move, Position, Square};
use std::collections::HashSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn notated(notation: Notation, position: &Position, mv: Move, prev: Option<Square>) -> String {
    let mut words = String::new();
    notation
        .write(&mut words, position, mv, prev)
        .unwrap_or_else(|error| panic!("{mv} in {position:?}: {error}"));
    words
}

/// Checks rows `sfen, previous move, move, words`. `columns` are their indices, counted from 0. Returns the number of
/// rows.
fn check_rows(path: &Path, columns: [usize; 4], marks: Marks, accept: impl Fn(&[&str]) -> bool) -> usize {
    let notation = Notation {
        marks,
        ..Notation::default()
    };
    let text = fs::read_to_string(path).unwrap();
    let rows = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .filter(|row| accept(row));
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows {
        let [sfen, prev, mv, words] = columns.map(|column| row[column]);
        let position = Position::from_sfen(sfen).unwrap();
        let prev = Move::from_usi(prev).map(Move::to);
        let mv = Move::from_usi(mv).unwrap();
        let written = notated(notation, &position, mv, prev);
        let read = notation::read(words, &position, prev);
        if written != words || read != Ok(mv) {
            wrong.push(format!("{sfen} {mv}: {words}, not {written}; read as {read:?}"));
        }
        count += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {count} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    count
}

#[test]
fn matches_the_examples_of_the_association() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/notation-jsa.tsv");
    assert_eq!(check_rows(&path, [0, 1, 2, 3], Marks::Triangle, |_| true), 61);
}

#[test]
fn matches_the_vectors() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/notation-vectors.tsv");
    assert_eq!(check_rows(&path, [0, 1, 2, 3], Marks::Triangle, |_| true), 2200);
}

#[test]
fn matches_other_programs_where_they_agree() {
    let Some(path) = support::shared("notation/public.tsv") else {
        return;
    };
    let decided = |row: &[&str]| !row[8].split(',').any(|feature| feature.starts_with("pin="));
    assert!(check_rows(&path, [1, 2, 3, 4], Marks::None, decided) > 20_000);
    check_rows(&path, [1, 2, 3, 5], Marks::Triangle, decided);
}

/// A piece that could move to the target square, as an offset from Black's side. Files count to the left, ranks behind.
type Origin = (i8, i8);

/// Returns whether a word describes the piece on `own`, among all pieces that could move there. This definition of the
/// words is independent of the program's.
fn describes(word: &str, own: Origin, all: &[Origin], ranges: bool) -> bool {
    let other = || all.iter().filter(|origin| **origin != own);
    word.chars().all(|c| match c {
        '上' => own.1 > 0,
        '寄' => own.1 == 0,
        '引' => own.1 < 0,
        '直' => own.0 == 0 && own.1 == 1 && !ranges,
        '左' if ranges => other().all(|other| own.0 > other.0),
        '右' if ranges => other().all(|other| own.0 < other.0),
        '左' => own.0 > 0,
        '右' => own.0 < 0,
        _ => false,
    })
}

/// Returns the word that the rule requires: the first, in the rule's order, that describes the piece and
/// no other.
fn by_rule(own: Origin, all: &[Origin], ranges: bool) -> &'static str {
    [
        "", "上", "寄", "引", "右", "左", "直", "左上", "右上", "左寄", "右寄", "左引", "右引",
    ]
    .into_iter()
    .find(|word| {
        all.iter()
            .all(|origin| describes(word, *origin, all, ranges) == (*origin == own))
    })
    .expect("the rule tells all apart")
}

/// Checks every set of up to `max_origins` origins, on an otherwise empty board. Each piece of a set moves once. Checks
/// the words for both sides and returns the number of patterns.
fn check_patterns(letter: &str, name: &str, origins: &[Origin], max_origins: u32, distance: i8) -> usize {
    let ranges = max_origins == 2 && letter != "N";
    let mut patterns = 0;
    for set in (1..1_u32 << origins.len()).filter(|set| set.count_ones() <= max_origins) {
        let chosen: Vec<Origin> = (0..)
            .zip(origins)
            .filter(|(bit, _)| set >> bit & 1 == 1)
            .map(|(_, o)| *o)
            .collect();
        for own in &chosen {
            // A rook or bishop that comes from far ahead leaves the promotion zone.
            let chose = if "RB".contains(letter) && own.1 * distance <= -2 {
                "不成"
            } else {
                ""
            };
            let expect = format!("５五{name}{}{chose}", by_rule(*own, &chosen, ranges));
            for color in [Color::Black, Color::White] {
                let at = |origin: &Origin| square(*origin, distance, color);
                let position = board(letter, chosen.iter().map(at), color);
                let (from, to) = (at(own), Square::new(5, 5).unwrap());
                let mv = Move::Board {
                    from,
                    to,
                    promote: false,
                };
                let written = notated(Notation::default(), &position, mv, None);
                assert_eq!(written, expect, "{mv} in {position:?}");
                assert_eq!(
                    notation::read(&written, &position, None),
                    Ok(mv),
                    "{written} in {position:?}"
                );
            }
            patterns += 1;
        }
    }
    patterns
}

/// Returns the square of an origin around 5e. `distance` stretches the lines of ranging pieces.
fn square((left, behind): Origin, distance: i8, color: Color) -> Square {
    let coordinate = |offset: i8| u8::try_from(5 + offset * distance).unwrap();
    let square = Square::new(coordinate(left), coordinate(behind)).unwrap();
    if color == Color::Black {
        square
    } else {
        square.flip()
    }
}

fn board(letter: &str, at: impl Iterator<Item = Square>, color: Color) -> Position {
    let taken: HashSet<Square> = at.collect();
    let letter = if color == Color::Black {
        letter.to_owned()
    } else {
        letter.to_ascii_lowercase()
    };
    let on = |file, rank| taken.contains(&Square::new(file, rank).unwrap());
    let rank = |rank| {
        (1..=9)
            .rev()
            .map(|file| if on(file, rank) { letter.as_str() } else { "1" })
            .collect::<String>()
    };
    let side = if color == Color::Black { "b" } else { "w" };
    let board: Vec<String> = (1..=9).map(rank).collect();
    Position::from_sfen(&format!("{} {side} - 1", board.join("/"))).unwrap()
}

#[test]
fn matches_the_372_patterns_of_the_article() {
    const BEHIND: [Origin; 3] = [(1, 1), (0, 1), (-1, 1)];
    const DIAGONALS: [Origin; 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    const CROSS: [Origin; 4] = [(0, 1), (1, 0), (-1, 0), (0, -1)];
    let gold: Vec<Origin> = BEHIND.into_iter().chain([(1, 0), (-1, 0), (0, -1)]).collect();
    let silver: Vec<Origin> = BEHIND.into_iter().chain([(1, -1), (-1, -1)]).collect();
    let all: Vec<Origin> = DIAGONALS.into_iter().chain(CROSS).collect();

    let mut total = 0;
    for (letter, name) in [
        ("G", "金"),
        ("+P", "と"),
        ("+L", "成香"),
        ("+N", "成桂"),
        ("+S", "成銀"),
    ] {
        let patterns = check_patterns(letter, name, &gold, 6, 1);
        assert_eq!(patterns, 192, "{name}");
        total += if letter == "G" { patterns } else { 0 };
    }
    let silvers = check_patterns("S", "銀", &silver, 5, 1);
    let knights = check_patterns("N", "桂", &[(1, 2), (-1, 2)], 2, 1);
    assert_eq!((silvers, knights), (80, 4));
    for distance in [1, 2, 4] {
        assert_eq!(check_patterns("R", "飛", &CROSS, 2, distance), 16);
        assert_eq!(check_patterns("B", "角", &DIAGONALS, 2, distance), 16);
        assert_eq!(
            check_patterns("+R", "龍", if distance == 1 { &all } else { &CROSS }, 2, distance),
            [64, 16][usize::from(distance > 1)]
        );
        assert_eq!(
            check_patterns(
                "+B",
                "馬",
                if distance == 1 { &all } else { &DIAGONALS },
                2,
                distance
            ),
            [64, 16][usize::from(distance > 1)]
        );
    }
    total += silvers + knights + 16 + 16 + 64;
    assert_eq!(total, 372);
}

/// A small random number generator, so that the positions are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(n).unwrap()).unwrap()
    }

    /// Plays a game of random moves and calls `check` for every third position.
    fn playout(&mut self, check: &mut impl FnMut(&Position, Option<Square>)) {
        let (mut position, mut prev) = (Position::startpos(), None);
        for ply in 0..240 {
            if ply % 3 == 0 {
                check(&position, prev);
            }
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.below(moves.len())];
            position.play(mv).unwrap();
            prev = Some(mv.to());
        }
    }

    /// Returns a crowded board of one set of pieces, so that many moves need a qualifier.
    fn crowd(&mut self) -> Position {
        let mut squares: Vec<String> = vec!["1".to_owned(); 81];
        for (letter, count) in [
            ("K", 1),
            ("k", 1),
            ("G", 4),
            ("S", 4),
            ("N", 4),
            ("L", 4),
            ("P", 9),
            ("R", 2),
            ("B", 2),
        ] {
            for _ in 0..count {
                // Squares in the middle of the board are preferred, because more moves meet there.
                let at = self.below(81).midpoint(self.below(81));
                let plus = if self.below(3) > 0 && !"KkG".contains(letter) || letter == "P" {
                    "+"
                } else {
                    ""
                };
                let white = letter == "k" || letter != "K" && self.below(4) == 0;
                squares[at] = format!(
                    "{plus}{}",
                    if white {
                        letter.to_ascii_lowercase()
                    } else {
                        letter.to_owned()
                    }
                );
            }
        }
        let board: Vec<String> = squares.chunks(9).map(<[String]>::concat).collect();
        Position::from_sfen(&format!("{} b GSNLP 1", board.join("/"))).unwrap()
    }
}

/// Checks that the legal moves have distinct words in each style, and that Japanese words are read back. Returns the
/// number of legal moves.
fn check_all_moves(position: &Position, prev: Option<Square>, styles: &[Style]) -> usize {
    let legal = position.legal_moves();
    for style in styles {
        let notation = Notation::new(*style);
        let words: Vec<String> = legal
            .iter()
            .map(|mv| notated(notation, position, *mv, prev))
            .collect();
        let distinct: HashSet<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(
            distinct.len(),
            legal.len(),
            "{} in {position:?}: {words:?}",
            style.name()
        );
        if matches!(
            style,
            Style::Japanese | Style::JapaneseArabic | Style::Iroha | Style::Kif
        ) {
            for (mv, words) in legal.iter().zip(&words) {
                assert_eq!(
                    notation::read(words, position, prev),
                    Ok(*mv),
                    "{words} in {position:?}"
                );
            }
        }
    }
    legal.len()
}

#[test]
fn words_of_10000_random_positions_are_distinct_and_read_back() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut positions, mut moves) = (0, 0);
    let mut check = |position: &Position, prev: Option<Square>| {
        // Each position is written in the official style and in one of the others, in turn.
        let other = Style::ALL[1 + positions % (Style::ALL.len() - 1)];
        moves += check_all_moves(position, prev, &[Style::Japanese, other]);
        positions += 1;
    };
    for _ in 0..75 {
        random.playout(&mut check);
    }
    for _ in 0..5000 {
        check(&random.crowd(), Square::new(5, 5));
    }
    assert!(
        positions >= 10_000 && moves > 500_000,
        "{positions} positions, {moves} moves"
    );
}

#[test]
fn digits_and_names_of_all_kinds_read_back() {
    let mut random = Random(7);
    let variants = [
        Notation {
            digits: Digits::Half,
            marks: Marks::Koma,
            simple_dragon: true,
            ..Notation::default()
        },
        Notation {
            digits: Digits::Full,
            upper_king: true,
            short_promoted: true,
            ..Notation::new(Style::JapaneseArabic)
        },
        Notation {
            digits: Digits::Half,
            marks: Marks::Triangle,
            short_promoted: true,
            ..Notation::new(Style::Kif)
        },
    ];
    for round in 0..300 {
        let position = random.crowd();
        let notation = variants[round % variants.len()];
        for mv in position.legal_moves() {
            let words = notated(notation, &position, mv, None);
            assert_eq!(
                notation::read(&words, &position, None),
                Ok(mv),
                "{words} in {position:?}"
            );
        }
    }
}

/// Runs `shogibar notate` on a short input. Returns standard output and the exit code.
fn notate(arguments: &[&str], input: &[u8]) -> (String, i32) {
    let mut child = start(arguments);
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    (
        String::from_utf8(output.stdout).unwrap(),
        output.status.code().unwrap(),
    )
}

fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_shogibar"))
        .arg("notate")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

#[test]
fn notate_answers_line_by_line() {
    let check = |arguments: &[&str], lines: &str, expect: &str, code: i32| {
        let input = lines.replace("START", START);
        assert_eq!(
            notate(arguments, input.as_bytes()),
            (expect.to_owned(), code),
            "{arguments:?} {lines}"
        );
    };
    check(&[], "", "", 0);
    check(
        &[],
        "START\t-\t7g7f 3c3d 8h2b+ 3a2b\n",
        "７六歩 ３四歩 ２二角成 同　銀\n",
        0,
    );
    check(
        &[],
        "START\t-\t2g2f\r\n\r\n\nSTART\t5g7f\t7g7f",
        "２六歩\n\n\n同　歩\n",
        0,
    );
    check(&[], "START\t-\t\n", "\n", 0);
    check(
        &["--marks", "triangle", "--digits", "half"],
        "START\t-\t2g2f 3c3d\n",
        "▲2六歩 △3四歩\n",
        0,
    );
    check(
        &["--style", "kif", "--king", "王"],
        "START\t-\t5i5h\n",
        "５八王(59)\n",
        0,
    );
    check(
        &["--read"],
        "START\t-\t７六歩 ３四歩▲2二角成△同銀\n",
        "7g7f 3c3d 8h2b+ 3a2b\n",
        0,
    );
    check(
        &["--style", "spoken"],
        "START\t-\t7g7f 3c3d 8h2b+ 3a2b\n",
        "センテ、ナナロク、フ。ゴテ、サンヨン、フ。センテ、ニニ、カクナル。ゴテ、オナジク、ギン\n",
        0,
    );
    check(
        &["--style", "spoken", "--same", "ドウ", "--sides", "none"],
        "START\t5g7f\t7g7f\n",
        "ドウ、フ\n",
        0,
    );
    check(
        &["--style", "spoken", "--long-pieces", "--sides", "handicap"],
        "START\t-\t2h5h 8b5b\n",
        "シタテ、ゴハチ、ヒシャ。ウワテ、ゴニ、ヒシャ\n",
        0,
    );
    check(
        &["--style", "spoken-english"],
        "START\t-\t7g7f 3c3d 8h2b+ 3a2b B*5e\n",
        "Black: pawn to 7 6. White: pawn to 3 4. Black: bishop takes 2 2, promotes. White: silver takes 2 2. \
         Black: bishop drop on 5 5\n",
        0,
    );
    check(
        &["--style", "list"],
        "",
        &Style::ALL.map(|style| format!("{}\n", style.name())).concat(),
        0,
    );
    check(&["--style", "latin"], "", "", 2);
    check(&["--marks", "crown"], "", "", 2);
}

#[test]
fn notate_reports_bad_lines_and_continues() {
    let check = |arguments: &[&str], line: &str, reason: &str| {
        let input = format!("{}\n{START}\t-\t", line.replace("START", START));
        assert_eq!(
            notate(arguments, input.as_bytes()),
            (format!("!\t{reason}\n\n"), 1),
            "{arguments:?} {line}"
        );
    };
    check(&[], "hello", "expected SFEN TAB PREV TAB MOVES");
    check(&[], "START\t-\t7g7f\t", "expected SFEN TAB PREV TAB MOVES");
    check(&[], "startpos\t-\t7g7f", "a board has 9 ranks, not 1");
    check(&[], "START\tx\t7g7f", "'x' is not a USI move");
    check(&[], "START\t-\t7g7f resign", "'resign' is not a USI move");
    check(
        &[],
        "START\t-\t7g7f 7g7f",
        "move 2, 7g7f, is illegal: there is no piece on 7g",
    );
    check(
        &["--read"],
        "START\t-\t７六歩 ５八金",
        "move 2: no G can go to 5h like that",
    );
    check(
        &["--read"],
        "START\t-\t５八金",
        "move 1: it could be 4i5h or 6i5h",
    );
    check(
        &["--read"],
        "START\t-\t同　歩",
        "move 1: 同 needs a move before it",
    );
}

#[test]
fn notate_accepts_any_bytes() {
    let input = [
        &b"\xff\xfe\n\0\t-\t\n"[..],
        &b"x".repeat(3 << 20),
        b"\n",
        START.as_bytes(),
        b"\t-\t2g2f",
    ]
    .concat();
    let (out, code) = notate(&[], &input);
    let lines: Vec<&str> = out.lines().collect();
    let expect = [
        "!\tthe line is not UTF-8",
        "!\ta board has 9 ranks, not 1",
        "!\tthe line is longer than 1048576 bytes",
        "２六歩",
    ];
    assert_eq!((lines.as_slice(), code), (&expect[..], 1));
}

/// A program that waits for each answer before it sends the next line gets its answer.
#[test]
fn notate_flushes_each_answer() {
    let mut child = start(&[]);
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for _ in 0..3 {
        writeln!(stdin, "{START}\t-\t2g2f").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), "２六歩");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success(), "done");
}
