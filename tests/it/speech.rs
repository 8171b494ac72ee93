//! The texts that are read aloud, as a speaker's text analysis reads them.

#![expect(clippy::disallowed_methods, reason = "it reads files and runs a program")]

use crate::support::{python_with_speech, shared};
use shogibar_shogi::notation::{SpokenOptions, SpokenSides};
use shogibar_shogi::{Move, Notation, PieceKind, Position, Square, Style};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Returns every combination of the options of the spoken style.
fn notations() -> impl Iterator<Item = Notation> {
    let sides = [SpokenSides::Even, SpokenSides::Handicap, SpokenSides::None];
    sides.into_iter().flat_map(|sides| {
        [false, true].map(|is_long| Notation {
            upper_king: is_long,
            spoken: SpokenOptions {
                sides,
                short_same: is_long,
                long_pieces: is_long,
            },
            ..Notation::new(Style::Spoken)
        })
    })
}

/// Returns every kind of piece, moved to every square on which it can stand, by each side.
fn each_piece_to_each_square() -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for kind in PieceKind::ALL {
        for (color, mark) in [
            ('b', String::from(kind.letter())),
            ('w', kind.letter().to_lowercase().to_string()),
        ] {
            for from in Square::all() {
                let piece = if kind.is_promoted() {
                    format!("+{mark}")
                } else {
                    mark.clone()
                };
                let Some(position) = with_piece(&piece, from, color) else {
                    continue;
                };
                for mv in position.legal_moves() {
                    for notation in notations() {
                        texts.extend(
                            [None, Some(mv.to())].map(|before| text(notation, &position, mv, before)),
                        );
                    }
                }
            }
        }
    }
    texts
}

/// Returns a position with a single piece, whose side moves.
fn with_piece(piece: &str, at: Square, color: char) -> Option<Position> {
    let row = |rank: u8| -> String {
        (1..=9)
            .rev()
            .map(|file| match Square::new(file, rank) {
                Some(square) if square == at => piece.to_owned(),
                _ => "1".to_owned(),
            })
            .collect()
    };
    let board = (1..=9).map(row).collect::<Vec<_>>().join("/");
    Position::from_sfen(&format!("{board} {color} - 1")).ok()
}

fn text(notation: Notation, position: &Position, mv: Move, before: Option<Square>) -> String {
    let mut text = String::new();
    notation.write(&mut text, position, mv, before).expect("legal");
    text
}

/// Returns the moves of a table of official notation, which has every ending.
fn moves_of_table(path: &Path) -> BTreeSet<String> {
    let table = fs::read_to_string(path).unwrap();
    let mut rows = table.lines().map(|row| row.split('\t').collect::<Vec<_>>());
    let names = rows.next().unwrap();
    let column = |name: &str| names.iter().position(|column| *column == name).expect("a column");
    let (sfen, prev, mv) = (column("sfen"), column("prev"), column("move"));
    let mut texts = BTreeSet::new();
    for row in rows {
        let position = Position::from_sfen(row[sfen]).unwrap();
        let before = Move::from_usi(row[prev]).map(Move::to);
        for notation in notations() {
            texts.insert(text(
                notation,
                &position,
                Move::from_usi(row[mv]).unwrap(),
                before,
            ));
        }
    }
    texts
}

/// Returns the sounds of a text in katakana: no pauses, and long vowels as two.
fn sounds(text: &str) -> String {
    const VOWELS: [(char, &str); 5] = [
        ('ア', "アカサタナハマヤラワガザダバパャァ"),
        ('イ', "イキシチニヒミリギジヂビピィ"),
        ('ウ', "ウクスツヌフムユルグズヅブプュゥ"),
        ('エ', "エケセテネヘメレゲゼデベペェ"),
        ('オ', "オコソトノホモヨロヲゴゾドボポョォ"),
    ];
    let mut sounds = String::new();
    for sign in text.chars().filter(|sign| !"、。 ".contains(*sign)) {
        let last = sounds.chars().last();
        let vowel = last.and_then(|last| {
            VOWELS
                .iter()
                .find(|(_, signs)| signs.contains(last))
                .map(|(vowel, _)| *vowel)
        });
        sounds.push(match (sign, vowel) {
            ('ー', Some(vowel)) => vowel,
            ('ウ', Some('オ')) => 'オ',
            ('イ', Some('エ')) => 'エ',
            _ => sign,
        });
    }
    sounds
}

/// Fails where the text analysis reads a text otherwise than it is written.
fn check_readings(texts: &BTreeSet<String>, python: &PathBuf) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/speech/readings.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let lines: String = texts.iter().flat_map(|text| [text.as_str(), "\n"]).collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "{output:?}");
    let read = String::from_utf8(output.stdout).unwrap();
    assert_eq!(read.lines().count(), texts.len(), "a line for each text");
    let misread: Vec<_> = texts
        .iter()
        .zip(read.lines())
        .filter(|(text, reading)| sounds(text) != sounds(reading))
        .collect();
    assert!(
        misread.is_empty(),
        "{} of {}: {misread:?}",
        misread.len(),
        texts.len()
    );
}

#[test]
fn a_spoken_move_has_katakana_alone() {
    let texts = each_piece_to_each_square();
    // Both sides, and all words for pieces; some pieces cannot reach the last ranks.
    assert!(texts.len() > 2 * 18 * 60, "{}", texts.len());
    let is_katakana = |sign: char| ('ァ'..='ヶ').contains(&sign) || sign == 'ー' || sign == '、';
    let other: Vec<_> = texts
        .iter()
        .filter(|text| !text.chars().all(is_katakana))
        .collect();
    assert!(other.is_empty(), "{other:?}");
}

#[test]
fn spoken_moves_are_read_as_they_are_written() {
    let Some(python) = python_with_speech() else {
        return;
    };
    let mut texts = each_piece_to_each_square();
    let Some(table) = shared("notation/public.tsv") else {
        return;
    };
    texts.extend(moves_of_table(&table));
    assert!(texts.len() > 10_000, "{}", texts.len());
    for ending in [
        "ミギ",
        "ヒダリ",
        "スグ",
        "アガル",
        "ヨル",
        "ヒク",
        "ナル",
        "ナラズ",
        "ウツ",
    ] {
        assert!(texts.iter().any(|text| text.ends_with(ending)), "{ending}");
    }
    check_readings(&texts, &python);
}
