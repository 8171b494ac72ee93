//! Finds the facts of records with evaluations, and measures the time: `trial FILE…`. `--each` prints every fact.
//! `--slow` also finds brinkmates and ease. `--search 50000` takes the evaluations from the built-in engine with two
//! lines. `--ease` only measures ease. `--deep` only counts the mates and threats that more and more nodes find in the
//! last positions of each game.

use shogibar_builtin::{Control, Limits, MateResult, SearchReport, Searcher, solve_within};
use shogibar_facts::{
    Candidates, Ease, Fact, FactKind, FactLimits, FactPosition, LastMove, MoveInput, MoveValues,
    PositionInput, ValuedMove, brinkmate, handicap_giver, move_facts, position_facts,
};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{History, Move, Position};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Instant;

/// A position of a game with the evaluations of the engine.
struct Point {
    position: Position,
    /// The move played in this position; `None` at the end of the game.
    mv: Option<Move>,
    /// The value of each candidate, the best first.
    values: Vec<Option<Value>>,
    /// The pv of each candidate, the best first.
    lines: Vec<Vec<Move>>,
}

/// The options of the trial, and its results so far.
#[derive(Default)]
struct Trial {
    kinds: BTreeMap<String, u32>,
    /// The times of each measurement in milliseconds.
    times_by_name: BTreeMap<&'static str, Vec<f64>>,
    /// The number of mistakes by lost points, and the number of them that a fact explains.
    mistakes: BTreeMap<&'static str, (u32, u32)>,
    /// The number of best moves by ease, and the number of them that were played.
    ease: BTreeMap<String, (u32, u32)>,
    /// The number of positions searched at the ends of games.
    end_positions: u32,
    /// The number of mates and of threats found in these positions, by [`MATE_NODES`].
    ends_solved: [[u32; 2]; 3],
    prints_facts: bool,
    /// The only measurement to make; `None` for all.
    single_measurement: Option<SingleMeasurement>,
    /// Whether brinkmates and ease are found, too.
    is_slow: bool,
    /// The nodes of the built-in engine; `None` for the evaluations in the record.
    nodes: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SingleMeasurement {
    Ease,
    Deep,
}

/// The nodes of searches for mates: for a watched position, for an analysis, and ten times as many.
const MATE_NODES: [u64; 3] = [2_000, 20_000, 200_000];

/// The number of positions at the end of a game that are searched for mates.
const LAST_POSITIONS: usize = 20;

fn main() -> io::Result<()> {
    let mut trial = Trial::default();
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        match name.as_str() {
            "--search" => trial.nodes = arguments.next().and_then(|nodes| nodes.parse().ok()),
            "--each" => trial.prints_facts = true,
            "--slow" => trial.is_slow = true,
            "--ease" => trial.single_measurement = Some(SingleMeasurement::Ease),
            "--deep" => trial.single_measurement = Some(SingleMeasurement::Deep),
            _ => trial.read_file(&name)?,
        }
    }
    trial.report(&mut io::stdout().lock())
}

impl Trial {
    fn read_file(&mut self, name: &str) -> io::Result<()> {
        #[expect(clippy::disallowed_methods, reason = "a tool for developers")]
        let bytes = std::fs::read(name)?;
        let Ok((record, _)) = shogibar_kifu::read_first(&bytes, name.as_ref()) else {
            return Ok(());
        };
        if self.prints_facts {
            writeln!(io::stdout(), "# {name}")?;
        }
        self.count_game(&record)
    }

    fn count_game(&mut self, record: &Record) -> io::Result<()> {
        let mut points = points(record);
        if let Some(nodes) = self.nodes {
            search(&mut points, nodes);
        }
        let giver = handicap_giver(record.start());
        let control = Control::new(None);
        let mut searcher = Searcher::new(2, 1);
        if let Some(only) = self.single_measurement {
            for point in points.iter().rev().take(if only == SingleMeasurement::Deep {
                LAST_POSITIONS
            } else {
                usize::MAX
            }) {
                match only {
                    SingleMeasurement::Ease => self.count_ease(&mut searcher, point),
                    SingleMeasurement::Deep => self.count_deep(&point.position),
                }
            }
            return Ok(());
        }
        for (ply, point) in points.iter().enumerate() {
            let list: Vec<ValuedMove> = point
                .values
                .iter()
                .zip(&point.lines)
                .filter_map(|(value, line)| {
                    Some(ValuedMove {
                        mv: *line.first()?,
                        value: (*value)?,
                    })
                })
                .collect();
            let candidates = Candidates {
                list: &list,
                model: WinRateModel::default(),
            };
            let before = ply.checked_sub(1).and_then(|before| points.get(before));
            let last_move = before.and_then(|before| {
                Some(LastMove {
                    position_before: &before.position,
                    mv: before.mv?,
                })
            });
            let input = PositionInput {
                position: &point.position,
                last_move,
                candidates,
                handicap_giver: giver,
            };
            let found = self.time("position, quick", || {
                position_facts(&input, FactLimits::QUICK, &control)
            });
            self.count(ply, point, &found)?;
            if self.is_slow {
                let found = self.time("brinkmate", || {
                    brinkmate(&point.position, FactLimits::THOROUGH, &control)
                });
                self.count(ply, point, &found.into_iter().collect::<Vec<_>>())?;
                self.count_ease(&mut searcher, point);
            }
        }
        let last = points.iter().map(|point| point.mv).collect::<Vec<_>>();
        let limits = if self.is_slow {
            FactLimits::THOROUGH
        } else {
            FactLimits::QUICK
        };
        for (ply, pair) in points.windows(2).enumerate() {
            let ([before, after], Some(played)) = (pair, last.get(ply).copied().flatten()) else {
                continue;
            };
            let value =
                |point: Option<&Point>| point.and_then(|point| point.values.first().copied().flatten());
            let line = |point: &Point| point.lines.first().cloned().unwrap_or_default();
            let previous = ply.checked_sub(1).and_then(|ply| points.get(ply));
            let last = previous.and_then(|point| {
                Some(LastMove {
                    position_before: &point.position,
                    mv: point.mv?,
                })
            });
            let values = MoveValues {
                before: value(Some(before)),
                after: value(Some(after)),
                after_reply: value(points.get(ply + 2)),
            };
            let (better, punish) = (line(before), line(after));
            let input = MoveInput {
                position_before: &before.position,
                played_move: played,
                last_move: last,
                reply: after.mv,
                better_line: &better,
                punish_line: &punish,
                values,
                model: WinRateModel::default(),
            };
            let found = self.time("move", || move_facts(&input, limits, &control));
            self.count(ply, before, &found)?;
            self.count_mistake(ply, &input, &found)?;
        }
        Ok(())
    }

    /// Counts the ease of the best move, and whether it was played.
    fn count_ease(&mut self, searcher: &mut Searcher, point: &Point) {
        let best = point.lines.first().and_then(|line| line.first());
        let (Some(best), Some(mv)) = (best, point.mv) else {
            return;
        };
        let control = Control::new(None);
        if let Some(ease) = self.time("ease", || {
            Ease::from_search(searcher, &point.position, *best, &control)
        }) {
            let entry = self.ease.entry(format!("{:?}", ease.level)).or_default();
            *entry = (entry.0 + 1, entry.1 + u32::from(mv == *best));
        }
    }

    /// Counts the mate and the threat of mate in a position by the nodes that find them.
    fn count_deep(&mut self, position: &Position) {
        self.end_positions += 1;
        let passed = position.with_side_to_move(position.side_to_move().flip());
        for (nodes, found) in MATE_NODES.into_iter().zip(&mut self.ends_solved) {
            let mates = |position: &Position| {
                matches!(
                    solve_within(position, nodes, &Control::new(None)),
                    Ok(MateResult::Mate { .. })
                )
            };
            found[0] += u32::from(mates(position));
            found[1] += u32::from(!position.in_check() && mates(&passed));
        }
    }

    fn count_mistake(&mut self, ply: usize, input: &MoveInput<'_>, found: &[Fact]) -> io::Result<()> {
        let rate = |value: Option<Value>| value.map(|value| input.model.win_rate(value));
        let (Some(before), Some(after)) = (rate(input.values.before), rate(input.values.after)) else {
            return Ok(());
        };
        // The engine's best move is not a mistake.
        if input.better_line.first() == Some(&input.played_move) {
            return Ok(());
        }
        let sign = if input.position_before.side_to_move() == shogibar_shogi::Color::Black {
            1.0
        } else {
            -1.0
        };
        let mark = match (before - after) * sign {
            loss if loss >= 0.5 => "50",
            loss if loss >= 0.2 => "20",
            loss if loss >= 0.1 => "10",
            _ => return Ok(()),
        };
        let is_played =
            |fact: &&Fact| fact.at == FactPosition::Before && fact.line.first() == Some(&input.played_move);
        let says = found
            .iter()
            .filter(|fact| !is_played(fact))
            .any(|fact| !matches!(fact.kind, FactKind::Punished | FactKind::Unpunished));
        let entry = self.mistakes.entry(mark).or_default();
        *entry = (entry.0 + 1, entry.1 + u32::from(says));
        if !says && self.prints_facts && mark != "10" {
            let text = |line: &[Move]| line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let (better, punish, sfen) = (
                text(input.better_line),
                text(input.punish_line),
                input.position_before.sfen(),
            );
            let (played, values) = (input.played_move, input.values);
            writeln!(
                io::stdout(),
                "? {mark} {ply} {played} better {better} | punish {punish} | {values:?} {sfen}"
            )?;
        }
        Ok(())
    }

    /// Does some work, and records its time under a name.
    fn time<T>(&mut self, what: &'static str, work: impl FnOnce() -> T) -> T {
        #[expect(clippy::disallowed_methods, reason = "a tool for developers")]
        let start = Instant::now();
        let done = work();
        self.times_by_name
            .entry(what)
            .or_default()
            .push(start.elapsed().as_secs_f64() * 1000.0);
        done
    }

    /// Counts facts, and prints them if requested.
    fn count(&mut self, ply: usize, point: &Point, facts: &[Fact]) -> io::Result<()> {
        for fact in facts {
            let name = format!("{:?}", fact.kind);
            let kind: String = name.chars().take_while(char::is_ascii_alphanumeric).collect();
            *self.kinds.entry(kind).or_default() += 1;
            if self.prints_facts {
                let line: Vec<String> = fact.line.iter().map(ToString::to_string).collect();
                let mv = point.mv.map(|mv| mv.to_string()).unwrap_or_default();
                let (side, at, lead) = (fact.side, fact.at, fact.lead);
                writeln!(
                    io::stdout(),
                    "{ply} {mv} {side:?} {at:?} {name} after {lead} [{}] {}",
                    line.join(" "),
                    point.position.sfen()
                )?;
            }
        }
        Ok(())
    }

    fn report(&mut self, out: &mut impl Write) -> io::Result<()> {
        for (kind, count) in &self.kinds {
            writeln!(out, "{kind:16}{count:7}")?;
        }
        writeln!(out, "mistakes, and those with a reason: {:?}", self.mistakes)?;
        writeln!(out, "best moves by ease, and those played: {:?}", self.ease)?;
        if self.end_positions > 0 {
            writeln!(
                out,
                "{} last positions; mates and threats with {MATE_NODES:?} nodes: {:?}",
                self.end_positions, self.ends_solved
            )?;
        }
        for (what, times) in &mut self.times_by_name {
            times.sort_by(f64::total_cmp);
            let at = |percent: usize| {
                times
                    .get(times.len() * percent / 100)
                    .copied()
                    .unwrap_or_default()
            };
            let last = times.last().copied().unwrap_or_default();
            writeln!(
                out,
                "{what}: {} times, ms: {:.2} {:.2} {:.2} {last:.2}",
                times.len(),
                at(50),
                at(95),
                at(99)
            )?;
        }
        Ok(())
    }
}

/// Replaces the evaluations by those of the built-in engine.
fn search(points: &mut [Point], nodes: u64) {
    let mut searcher = Searcher::new(16, 1);
    for point in points {
        let limits = Limits {
            nodes,
            lines: 2,
            ..Limits::default()
        };
        let mut found: Vec<SearchReport> = Vec::new();
        let history = History::new(point.position.clone());
        let mut report = |report: &SearchReport| {
            found.truncate(report.rank.saturating_sub(1));
            found.push(report.clone());
        };
        let _outcome = searcher.think(&history, &limits, &Control::new(None), &|| 0, &mut report);
        let side = point.position.side_to_move();
        point.values = found.iter().map(|report| report.score.for_black(side)).collect();
        point.lines = found.into_iter().map(|report| report.line).collect();
    }
}

/// Returns the positions of the main line with their evaluations.
fn points(record: &Record) -> Vec<Point> {
    let moves = record
        .main_line()
        .filter(|node| record.node(*node).mv().is_some());
    let nodes: Vec<_> = [NodeId::START].into_iter().chain(moves).collect();
    let mut walk = record.walk();
    let mut points = Vec::new();
    for (nth, node) in nodes.iter().enumerate() {
        let mut evaluations = walk.evaluations(*node);
        evaluations.retain(|evaluation| !evaluation.is_alternative);
        evaluations.sort_by_key(|evaluation| evaluation.rank.unwrap_or(1));
        let position = walk.go(*node).without_history();
        let mv = nodes.get(nth + 1).and_then(|next| record.node(*next).mv());
        let values = evaluations.iter().map(|evaluation| evaluation.value).collect();
        points.push(Point {
            position,
            mv,
            values,
            lines: evaluations.into_iter().map(|found| found.pv).collect(),
        });
    }
    points
}
