//! The Rust readers behind one trait.

use rsshogi::records;
use shogi_kifu_converter::jkf::{JsonKifuFormat, Kind, MoveFormat, MoveMoveFormat};
use shogi_kifu_converter::parser;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::{Move, PieceKind, Square};
use std::collections::BTreeSet;
use std::fmt;

/// The formats that all of them read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Kif,
    Ki2,
    Csa,
    Jkf,
}

impl Format {
    pub(crate) const ALL: [Self; 4] = [Self::Kif, Self::Ki2, Self::Csa, Self::Jkf];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Kif => "kif",
            Self::Ki2 => "ki2",
            Self::Csa => "csa",
            Self::Jkf => "jkf",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name().to_uppercase())
    }
}

/// The expected result: the main line, and each move of the tree as a hash of its line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    pub(crate) main: Vec<String>,
    pub(crate) tree: BTreeSet<u32>,
}

impl Outline {
    /// Adds a move after a line. Returns the hash of the line with the move.
    fn add(&mut self, line: u32, mv: &str) -> u32 {
        // FNV-1a, as in tsshogi.mjs.
        let line = mv.bytes().fold(line ^ 0x2f, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(16_777_619)
        });
        self.tree.insert(line);
        line
    }
}

/// The hash of the empty line.
const START: u32 = 2_166_136_261;

pub(crate) trait Reader {
    const NAME: &'static str;
    type Record;
    fn read(format: Format, text: &str) -> Option<Self::Record>;
    fn outline(record: &Self::Record) -> Outline;
}

pub(crate) struct Shogibar;

impl Reader for Shogibar {
    const NAME: &'static str = "shogibar";
    type Record = Record;

    fn read(_: Format, text: &str) -> Option<Record> {
        Some(shogibar_kifu::read(text.as_bytes()).ok()?.into_first()?.0)
    }

    fn outline(record: &Record) -> Outline {
        outline(record)
    }
}

pub(crate) fn outline(record: &Record) -> Outline {
    let main = record.moves().map(|mv| mv.to_string()).collect();
    let mut outline = Outline {
        main,
        tree: BTreeSet::new(),
    };
    let mut line = vec![START];
    for node in record
        .all()
        .filter(|id| *id != NodeId::START)
        .map(|id| record.node(id))
    {
        let Some(mv) = node.mv() else { continue };
        line.truncate(usize::from(node.ply()));
        let before = line.last().copied().unwrap_or(START);
        line.push(outline.add(before, &mv.to_string()));
    }
    outline
}

pub(crate) struct Rsshogi;

impl Reader for Rsshogi {
    const NAME: &'static str = "rsshogi 1.7.3";
    type Record = records::Record;

    fn read(format: Format, text: &str) -> Option<records::Record> {
        match format {
            Format::Kif => records::parse_kif_str(text).ok(),
            Format::Ki2 => records::parse_ki2_str(text).ok(),
            Format::Csa => records::parse_csa_str(text).ok(),
            Format::Jkf => records::parse_jkf_str(text).ok(),
        }
    }

    fn outline(record: &records::Record) -> Outline {
        let main = record.main_moves().map(|entry| entry.mv().to_usi()).collect();
        let mut outline = Outline {
            main,
            tree: BTreeSet::new(),
        };
        let mut to_come: Vec<_> = record.root().children().iter().map(|id| (START, *id)).collect();
        while let Some((line, id)) = to_come.pop() {
            let node = record.node(id);
            let Some(entry) = node.mv() else { continue };
            let line = outline.add(line, &entry.mv().to_usi());
            to_come.extend(node.children().iter().map(|id| (line, *id)));
        }
        outline
    }
}

pub(crate) struct Converter;

impl Reader for Converter {
    const NAME: &'static str = "shogi-kifu-converter 0.2.2";
    type Record = JsonKifuFormat;

    fn read(format: Format, text: &str) -> Option<JsonKifuFormat> {
        match format {
            Format::Kif => parser::parse_kif_str(text).ok(),
            Format::Ki2 => parser::parse_ki2_str(text).ok(),
            Format::Csa => parser::parse_csa_str(text).ok(),
            Format::Jkf => {
                let mut jkf: JsonKifuFormat = serde_json::from_str(text).ok()?;
                jkf.normalize().ok()?;
                Some(jkf)
            }
        }
    }

    fn outline(record: &JsonKifuFormat) -> Outline {
        let main = record.moves.iter().filter_map(|step| usi(&step.move_?)).collect();
        let mut outline = Outline {
            main,
            tree: BTreeSet::new(),
        };
        add_moves(&mut outline, START, &record.moves);
        outline
    }
}

fn add_moves(outline: &mut Outline, mut line: u32, steps: &[MoveFormat]) {
    for step in steps {
        for fork in step.forks.iter().flatten() {
            add_moves(outline, line, fork);
        }
        if let Some(usi) = step.move_.as_ref().and_then(usi) {
            line = outline.add(line, &usi);
        }
    }
}

fn usi(mv: &MoveMoveFormat) -> Option<String> {
    let to = Square::new(mv.to.x, mv.to.y)?;
    let mv = match mv.from {
        Some(from) => Move::Board {
            from: Square::new(from.x, from.y)?,
            to,
            promote: mv.promote == Some(true),
        },
        None => Move::Drop {
            kind: kind(mv.piece)?,
            to,
        },
    };
    Some(mv.to_string())
}

const fn kind(kind: Kind) -> Option<PieceKind> {
    Some(match kind {
        Kind::FU => PieceKind::Pawn,
        Kind::KY => PieceKind::Lance,
        Kind::KE => PieceKind::Knight,
        Kind::GI => PieceKind::Silver,
        Kind::KI => PieceKind::Gold,
        Kind::KA => PieceKind::Bishop,
        Kind::HI => PieceKind::Rook,
        _ => return None,
    })
}
