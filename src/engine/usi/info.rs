//! `info`: the output of an engine during a search.

use super::tokens::{Number, Sign, Tokens, read_count, read_small_count};
use shogibar_shogi::Move;
use shogibar_shogi::score::{Bound, UsiScore};

/// The maximum number of moves of a PV that are stored; real ones have up to some hundred.
const MAX_PV_MOVES: usize = 512;

/// The largest accepted depth, in plies.
const MAX_DEPTH: u32 = 1_000;
/// The largest accepted length of a mate, in plies. The longest known problem has 1,525.
const MAX_MATE_PLIES: u32 = 10_000;
/// The largest accepted number of nodes.
const MAX_NODES: u64 = 1_000_000_000_000_000;
/// The largest accepted number of nodes per second.
const MAX_NPS: u64 = 1_000_000_000_000;
/// The largest accepted time, in milliseconds: ten years.
const MAX_TIME_MS: u64 = 10 * 366 * 24 * 3_600_000;

/// The fields of one `info` line that this program uses. A missing or unreadable field is `None`. A counter that no
/// engine can reach, such as 99999999999999 as a depth, is also `None`: no later line of the search could replace a
/// line with that depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The depth, in plies.
    pub depth: Option<u32>,
    /// The selective depth, in plies.
    pub seldepth: Option<u32>,
    /// The rank of this line among several, from 1; see [`Info::rank`].
    pub multipv: Option<u32>,
    /// The evaluation, from the view of the side to move.
    pub score: Option<Score>,
    /// The expected moves, up to the first word that is not a move.
    pub pv: Vec<Move>,
    /// The number of positions searched.
    pub nodes: Option<u64>,
    /// The speed, in positions per second.
    pub nps: Option<u64>,
    /// The time since the search began, in milliseconds.
    pub time: Option<u64>,
    /// The use of the hash table, in thousandths.
    pub hashfull: Option<u32>,
    /// Free text, from `string` to the end of the line.
    pub string: Option<String>,
}

/// An evaluation and its bound, both from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The evaluation, as the engine sends it.
    pub raw: UsiScore,
    /// The kind of bound; `None` for an exact value.
    pub bound: Option<Bound>,
}

impl Info {
    /// Parses the text after `info`. The keywords may come in any order. An unreadable value affects only its field. Of
    /// two values for one keyword the first counts.
    pub fn parse(text: &str) -> Self {
        let mut words = Tokens::new(text);
        let mut info = Self::default();
        let mut bound = None;
        while let Some(word) = words.next() {
            match word {
                "depth" => info.read_depth(&mut words),
                "seldepth" => {
                    keep_first(
                        &mut info.seldepth,
                        words.value(read_small_count).filter(|depth| *depth <= MAX_DEPTH),
                    );
                }
                "multipv" => keep_first(
                    &mut info.multipv,
                    words.value(read_small_count).filter(|rank| *rank > 0),
                ),
                "score" => keep_first(&mut info.score, read_score(&mut words)),
                "pv" => info.read_pv(&mut words),
                "nodes" => keep_first(
                    &mut info.nodes,
                    words.value(read_count).filter(|nodes| *nodes <= MAX_NODES),
                ),
                "nps" => keep_first(
                    &mut info.nps,
                    words.value(read_count).filter(|nps| *nps <= MAX_NPS),
                ),
                "time" => keep_first(
                    &mut info.time,
                    words.value(read_count).filter(|time| *time <= MAX_TIME_MS),
                ),
                "hashfull" => {
                    keep_first(
                        &mut info.hashfull,
                        words.value(read_small_count).filter(|used| *used <= 1_000),
                    );
                }
                "lowerbound" => keep_first(&mut bound, Some(Bound::Lower)),
                "upperbound" => keep_first(&mut bound, Some(Bound::Upper)),
                "string" => {
                    info.string = Some(words.remaining().to_owned());
                    break;
                }
                // `currmove`, `wdl`, `refutation` and others: their values are skipped as unknown words, too.
                _ => {}
            }
        }
        if let Some(score) = &mut info.score {
            score.bound = score.bound.or(bound);
        }
        info
    }

    /// Returns the rank among several lines; 1 where the line has none.
    pub fn rank(&self) -> u32 {
        self.multipv.unwrap_or(1)
    }

    /// Reads `depth 30`, or `depth 30/45` with the selective depth after the slash.
    fn read_depth(&mut self, words: &mut Tokens<'_>) {
        let depths = words.value(|word| match word.split_once('/') {
            Some((depth, seldepth)) => Some((read_small_count(depth)?, read_small_count(seldepth))),
            None => Some((read_small_count(word)?, None)),
        });
        if let Some((depth, seldepth)) = depths {
            let keep = |slot: &mut Option<u32>, depth: Option<u32>| {
                keep_first(slot, depth.filter(|depth| *depth <= MAX_DEPTH));
            };
            keep(&mut self.depth, Some(depth));
            keep(&mut self.seldepth, seldepth);
        }
    }

    /// Reads the moves after `pv`, unless an earlier `pv` had moves.
    fn read_pv(&mut self, words: &mut Tokens<'_>) {
        if !self.pv.is_empty() {
            return;
        }
        // A move and the space after it take at least five bytes. The cap limits the allocation for a line that is not
        // a PV.
        self.pv.reserve((words.remaining().len() / 5 + 1).min(64));
        while self.pv.len() < MAX_PV_MOVES
            && let Some(mv) = words.value(Move::from_usi)
        {
            self.pv.push(mv);
        }
    }
}

/// Stores a value unless an earlier one is stored.
fn keep_first<T>(slot: &mut Option<T>, value: Option<T>) {
    if slot.is_none() {
        *slot = value;
    }
}

/// Reads the text after `score`: `cp` or `mate` with its value, and the bound before or after it.
fn read_score(words: &mut Tokens<'_>) -> Option<Score> {
    let (mut raw, mut bound) = (None, None);
    loop {
        let mut ahead = words.clone();
        match ahead.next() {
            Some("cp") => keep_first(&mut raw, ahead.value(read_centipawns)),
            Some("mate") => keep_first(&mut raw, ahead.value(read_mate)),
            Some("lowerbound") => keep_first(&mut bound, Some(Bound::Lower)),
            Some("upperbound") => keep_first(&mut bound, Some(Bound::Upper)),
            _ => break,
        }
        *words = ahead;
    }
    raw.map(|raw| Score { raw, bound })
}

/// Reads centipawns, clamped to `-i32::MAX..=i32::MAX`.
fn read_centipawns(word: &str) -> Option<UsiScore> {
    let cp = Number::read(word)?
        .signed()
        .clamp(-i64::from(i32::MAX), i64::from(i32::MAX));
    i32::try_from(cp).ok().map(UsiScore::Cp)
}

/// Reads a mate score in plies. `7` and `+7` win, `-7` loses. `+` and `+0` win and `-` loses in an unknown number of
/// plies, and so does a number above 10,000. `0` and `-0` mean that the side to move is already mated.
fn read_mate(word: &str) -> Option<UsiScore> {
    let (sign, plies) = match word {
        "+" => (Some(Sign::Plus), 0),
        "-" => (Some(Sign::Minus), 0),
        _ => Number::read(word).map(|number| (number.sign, number.magnitude))?,
    };
    let plies = u32::try_from(plies).unwrap_or(u32::MAX);
    let wins = match sign {
        Some(Sign::Plus) => true,
        Some(Sign::Minus) => false,
        None => plies > 0,
    };
    Some(UsiScore::Mate {
        wins,
        plies: Some(plies).filter(|plies| (1..=MAX_MATE_PLIES).contains(plies)),
    })
}
