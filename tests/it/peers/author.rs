//! Generates records: random games with variations, comments, times and ends.
//!
//! The records are written as KIF, which the program's own reader reads.

use shogibar_kifu::{Record, Target};
use shogibar_shogi::{Move, Notation, Position, Square, Style};
use std::fmt::Write as _;

const HANDICAPS: [&str; 8] = [
    "香落ち",
    "右香落ち",
    "角落ち",
    "飛車落ち",
    "飛香落ち",
    "二枚落ち",
    "四枚落ち",
    "六枚落ち",
];
const NAMES: [&str; 4] = ["先手番の人", "Engine 1.0 (x64)", "山田：太郎", "髙橋 〇〇"];
const COMMENTS: [&str; 11] = [
    "ここまで研究どおり",
    "* 評価値 123",
    "*評価値=-45 読み筋=△３四歩",
    "☗７六歩と☖３四歩",
    "まで3手で先手の勝ち",
    "変化：2手",
    "&しおり",
    "\"quoted\", 'single' \\ / {}",
    "𠮷野家 🙂",
    "　字下げ ",
    "#矢印=7g7f:1 5e:2",
];
const ENDS: [&str; 5] = ["投了", "中断", "千日手", "持将棋", "切れ負け"];
/// Ends that some readers do not know in every format.
const RARE_ENDS: [&str; 6] = ["反則勝ち", "反則負け", "入玉勝ち", "封じ手", "不戦敗", "最大手数"];

pub(super) struct Author {
    random: Random,
    text: String,
    /// Whether moves have times.
    has_times: bool,
}

/// The limits for the size of a random record.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The largest number of moves of the main line.
    pub(super) moves: usize,
    /// The mean number of moves for each one with variations.
    pub(super) fork_in: usize,
    /// The largest number of moves of a variation.
    pub(super) variation: usize,
    /// The largest depth of nested variations.
    pub(super) depth: usize,
}

/// A node at which variations can begin.
struct Fork {
    position: Position,
    previous_target: Option<Square>,
    ply: usize,
    taken_moves: Vec<Move>,
    depth: usize,
}

impl Author {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let timed = random.one_in(2);
        Self {
            random,
            text: String::new(),
            has_times: timed,
        }
    }

    /// Returns a record. The same seed gives the same record.
    pub(super) fn record(mut self, shape: Shape) -> Record {
        let start = self.write_start();
        for side in ["先手", "後手"] {
            if !self.random.one_in(3) {
                let name = self.random.choose(&NAMES);
                let _infallible = writeln!(self.text, "{side}：{name}");
            }
        }
        self.text.push_str("手数----指手---------消費時間--\n");
        self.write_comment();
        self.write_line(
            Fork {
                position: start,
                previous_target: None,
                ply: 1,
                taken_moves: Vec::new(),
                depth: 0,
            },
            shape.moves,
            shape,
        );
        let reading = shogibar_kifu::read(self.text.as_bytes()).expect("a record");
        assert_eq!(reading.warnings, [], "{}", self.text);
        reading.games.into_iter().next().expect("a game")
    }

    /// Writes the start: mostly the normal one, otherwise a handicap or a position of another game.
    fn write_start(&mut self) -> Position {
        let text = match self.random.below(8) {
            0 | 1 => format!("手合割：{}\n", self.random.choose(&HANDICAPS)),
            2 | 3 => {
                let mut position = Position::startpos();
                for _ in 0..self.random.below(120) {
                    let legal = position.legal_moves();
                    if legal.is_empty() {
                        break;
                    }
                    position.play(*self.random.choose(&legal)).expect("legal");
                }
                let sfen = position.sfen();
                let unnumbered =
                    Position::from_sfen(sfen.rsplit_once(' ').expect("a number").0).expect("a position");
                String::from_utf8(shogibar_kifu::write(&Record::new(&unnumbered), Target::Bod).bytes)
                    .expect("UTF-8")
            }
            _ => "手合割：平手\n".to_owned(),
        };
        self.text.push_str(&text);
        let reading = shogibar_kifu::read(text.as_bytes()).expect("a start");
        reading.games.first().expect("a game").start().clone()
    }

    /// Writes a line of at most `length` moves. Its variations follow, the last one first.
    fn write_line(&mut self, from: Fork, length: usize, shape: Shape) {
        let mut forks = Vec::new();
        let Fork {
            mut position,
            previous_target: mut prev,
            mut ply,
            taken_moves: mut taken,
            depth,
        } = from;
        for left in (0..length).rev() {
            let mut legal = position.legal_moves();
            legal.retain(|mv| !taken.contains(mv));
            if legal.is_empty() {
                break;
            }
            let mut mv = *self.random.choose(&legal);
            // A long game must not end early with an accidental mate.
            while left > 1000 && legal.len() > 1 && mates(&position, mv) {
                mv = *self.random.choose(&legal);
            }
            self.write_move(&position, mv, prev, ply);
            taken.push(mv);
            if depth < shape.depth && self.random.one_in(shape.fork_in) {
                forks.push(Fork {
                    position: position.clone(),
                    previous_target: prev,
                    ply,
                    taken_moves: taken,
                    depth,
                });
            }
            position.play(mv).expect("legal");
            (prev, ply, taken) = (Some(mv.to()), ply + 1, Vec::new());
        }
        self.write_end(&position, ply);
        for mut fork in forks.into_iter().rev() {
            for _ in 0..=self.random.below(2) {
                let Some(other) = self.write_variation(&fork, shape) else {
                    break;
                };
                fork.taken_moves.push(other);
            }
        }
    }

    /// Writes a variation and returns its first move. `None` where no other legal move is left.
    fn write_variation(&mut self, fork: &Fork, shape: Shape) -> Option<Move> {
        let mut legal = fork.position.legal_moves();
        legal.retain(|mv| !fork.taken_moves.contains(mv));
        if legal.is_empty() {
            return None;
        }
        let first = *self.random.choose(&legal);
        let _infallible = writeln!(self.text, "\n変化：{}手", fork.ply);
        self.write_move(&fork.position, first, fork.previous_target, fork.ply);
        let mut position = fork.position.clone();
        position.play(first).expect("legal");
        let length = self.random.below(shape.variation);
        let from = Fork {
            position,
            previous_target: Some(first.to()),
            ply: fork.ply + 1,
            taken_moves: Vec::new(),
            depth: fork.depth + 1,
        };
        self.write_line(from, length, shape);
        Some(first)
    }

    fn write_move(&mut self, position: &Position, mv: Move, prev: Option<Square>, ply: usize) {
        let _infallible = write!(self.text, "{ply:>4} ");
        Notation::new(Style::Kif)
            .write(&mut self.text, position, mv, prev)
            .expect("legal");
        self.write_time();
        self.write_comment();
    }

    fn write_time(&mut self) {
        if self.has_times {
            let seconds = self.random.below(700);
            let _infallible = write!(self.text, "   ({:>2}:{:02}/)", seconds / 60, seconds % 60);
        }
        self.text.push('\n');
    }

    fn write_comment(&mut self) {
        if !self.random.one_in(8) {
            return;
        }
        for _ in 0..=self.random.below(3) {
            let comment = self.random.choose(&COMMENTS);
            let _infallible = writeln!(self.text, "*{comment}");
        }
        if self.random.one_in(4) {
            self.text.push_str("&しおり\n");
        }
    }

    fn write_end(&mut self, position: &Position, ply: usize) {
        let word = match self.random.below(80) {
            _ if position.is_mate() => "詰み",
            0 => self.random.choose(&RARE_ENDS),
            1..40 => self.random.choose(&ENDS),
            _ => return,
        };
        let _infallible = write!(self.text, "{ply:>4} {word}");
        self.write_time();
        self.write_comment();
    }
}

fn mates(position: &Position, mv: Move) -> bool {
    let mut next = position.clone();
    next.play(mv).is_ok() && next.is_mate()
}

/// A random number generator: `SplitMix64`.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).expect("small")).expect("small")
    }

    fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}
