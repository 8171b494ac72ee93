//! The facts about a move of a game.

use crate::candidates::win_rate_of;
use crate::fact::{Fact, FactKind, FactPosition, Gain};
use crate::king::{TwoLines, checked_king, exposed_king};
use crate::line::{ReplayedLine, Win, moved_kind};
use crate::material::{is_quiet, move_gain};
use crate::mates::{MateState, Solver, plies};
use crate::motifs::motifs;
use crate::position_facts::FactLimits;
use crate::score::{Value, WinRateModel};
use crate::search::Control;
use crate::shogi::{Color, Move, PieceKind, Position};
use crate::trades::{can_promote_safely, named_exchange, safe_promotion};

/// A move of a game, with the values and lines of an engine.
#[derive(Clone, Copy, Debug)]
pub struct MoveInput<'a> {
    /// The position before the move.
    pub position_before: &'a Position,
    /// The move that the facts are about.
    pub played_move: Move,
    /// The move that led to the position before the move; `None` at the start.
    pub last_move: Option<LastMove<'a>>,
    /// The reply in the game.
    pub reply: Option<Move>,
    /// The engine's line from the position before the move; empty where it is not known.
    pub better_line: &'a [Move],
    /// The engine's line from the position after the move; empty where it is not known.
    pub punish: &'a [Move],
    /// The values of the engine.
    pub values: MoveValues,
    /// The win rates of the engine.
    pub model: WinRateModel,
}

/// The move of the opponent before a move.
#[derive(Clone, Copy, Debug)]
pub struct LastMove<'a> {
    /// The position before the last move.
    pub position_before: &'a Position,
    /// The move.
    pub mv: Move,
}

/// The values around a move, from Black's view; `None` where they are not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveValues {
    /// The value before the move.
    pub value_before: Option<Value>,
    /// The value after the move.
    pub value_after: Option<Value>,
    /// The value after the reply in the game.
    pub after_reply: Option<Value>,
}

/// A move that loses this much, in win rate, gives a chance.
const CHANCE: f64 = 0.10;

/// A reply that loses less than this, in win rate, punishes the move.
const PUNISHED: f64 = 0.05;

/// The minimum loss of material that is stated, in tenths of a pawn: two pawns.
const MIN_LOSS: i32 = 20;

/// The minimum loss of material if the captures at the ends of lines are counted, in tenths of a pawn.
const SURE_LOSS: i32 = 30;

/// A move of a game with the positions around it.
struct PlayedMove<'a> {
    input: &'a MoveInput<'a>,
    position_before: Position,
    position_after: Position,
    side: Color,
    solver: Solver<'a>,
    /// The solver for the searches after each of many moves.
    tries: Solver<'a>,
}

/// The lines that show what a move does.
struct MoveLines {
    /// The move, and the engine's line after it.
    played_line: ReplayedLine,
    /// The engine's line after the move.
    punish: ReplayedLine,
    /// The engine's line from the position before the move, where it begins with another move.
    better_line: Option<ReplayedLine>,
}

/// Returns the facts about a move. Facts about the better move begin before the move, with a line whose first move
/// differs from the played one. Empty where the position cannot be searched or the move is illegal. Facts that were not
/// proved before `control` stopped the searches are left out.
pub fn move_facts(input: &MoveInput<'_>, limits: FactLimits, control: &Control) -> Vec<Fact> {
    let before = input.position_before.without_history();
    let mut after = before.clone();
    if before.searchable().is_err() || after.play(input.played_move).is_err() || after.searchable().is_err() {
        return Vec::new();
    }
    let (side, solver) = (before.side_to_move(), Solver { nodes: limits.mate_nodes, control });
    let after = after.without_history();
    let tries = Solver { nodes: limits.move_nodes, control };
    let played = PlayedMove { input, position_before: before, position_after: after, side, solver, tries };
    let mut facts = played.mates();
    if let Some(lines) = played.lines() {
        facts.extend(played.losses(&lines));
        facts.extend(played.gains(&lines));
        let exchange = named_exchange(&lines.played_line);
        // Both moves may begin the same exchange, as with and without a promotion.
        let is_same = |fact: &Fact| exchange.as_ref().is_some_and(|exchange| exchange.kind == fact.kind);
        let better = lines.better_line.as_ref().and_then(named_exchange).filter(|fact| !is_same(fact));
        facts.extend(exchange.iter().cloned().chain(better));
        facts.extend(played.attacked_kings(&lines));
    }
    let answer = played.answer(&facts);
    facts.extend(answer);
    facts
}

impl PlayedMove<'_> {
    /// Returns the better move, if it differs from the played one.
    fn better_move(&self) -> Option<Move> {
        self.input.better_line.first().copied().filter(|mv| *mv != self.input.played_move)
    }

    fn mates(&self) -> Vec<Fact> {
        let [before, after] = [&self.position_before, &self.position_after].map(|position| self.solver.solve(position));
        let mut facts = Vec::new();
        if let MateState::Mate(line) = &before
            && self.has_escape()
        {
            facts.push(self.fact(FactKind::MateMissed { length: plies(line) }, FactPosition::Before, line.clone()));
        }
        if let MateState::Mate(line) = &after
            && self.was_avoidable()
        {
            let (length, line) = (plies(line), line.clone());
            // A king that steps aside meets a threat, though not well.
            let is_by_king = moved_kind(&self.position_before, self.input.played_move) == Some(PieceKind::King);
            if !is_by_king && self.solver.mates_after_pass(&self.position_before) == Some(true) {
                facts.push(self.fact(FactKind::ThreatUnmet { length }, FactPosition::After, line.clone()));
            }
            facts.push(self.fact(FactKind::MateAllowed { length }, FactPosition::After, line));
        }
        let by_engine = self.engine_mates(&facts);
        facts.extend(by_engine);
        facts.extend(self.own_threat(&before));
        facts.extend(self.threat_let_in(&after));
        facts
    }

    /// Returns the mates that the engine's values state and that the move misses or allows, without those that were
    /// `proved`.
    fn engine_mates(&self, proved: &[Fact]) -> Vec<Fact> {
        let (MoveInput { better_line: better, punish, values, .. }, opponent) = (self.input, self.side.flip());
        let (Some(value_before), Some(value_after), Some(_)) =
            (values.value_before, values.value_after, self.better_move())
        else {
            return Vec::new();
        };
        let is_missed = winner(value_after) != Some(self.side)
            && is_line(&self.position_before, better)
            && !proved.iter().any(|fact| matches!(fact.kind, FactKind::MateMissed { .. }));
        let is_allowed = winner(value_before) != Some(opponent)
            && is_line(&self.position_after, punish)
            && !proved.iter().any(|fact| matches!(fact.kind, FactKind::MateAllowed { .. }));
        let missed = mate_of(value_before, self.side)
            .filter(|_| is_missed)
            .map(|length| self.fact(FactKind::EngineMateMissed { length }, FactPosition::Before, better.to_vec()));
        let allowed = mate_of(value_after, opponent)
            .filter(|_| is_allowed)
            .map(|length| self.fact(FactKind::EngineMateAllowed { length }, FactPosition::After, punish.to_vec()));
        missed.into_iter().chain(allowed).collect()
    }

    /// Returns the threat of mate that the move makes, or else the better move. `before` is the mate before the move.
    fn own_threat(&self, before: &MateState) -> Option<Fact> {
        if *before != MateState::None || self.position_before.in_check() {
            return None;
        }
        match self.solver.solve_after_pass(&self.position_after) {
            MateState::Mate(mate) => {
                Some(threat(&self.position_before, self.input.played_move, mate, FactPosition::Before))
            }
            MateState::None => {
                let better = self.better_move()?;
                let MateState::Mate(mate) = self.solver.solve_after_pass(&played(&self.position_before, better)?)
                else {
                    return None;
                };
                Some(threat(&self.position_before, better, mate, FactPosition::Before))
            }
            MateState::Unknown => None,
        }
    }

    /// Returns the threat of mate that the engine's reply makes. It makes none after the better move, nor does the
    /// engine's reply to that move. `after` is the mate after the move.
    fn threat_let_in(&self, after: &MateState) -> Option<Fact> {
        let (reply, better) = (*self.input.punish.first()?, self.better_move()?);
        if *after != MateState::None || self.position_after.in_check() {
            return None;
        }
        let MateState::Mate(mate) = self.solver.solve_after_pass(&played(&self.position_after, reply)?) else {
            return None;
        };
        let after_better = played(&self.position_before, better)?;
        let next = played(&after_better, *self.input.better_line.get(1)?)?;
        let makes_none = |position: &Position| self.solver.mates_after_pass(position) == Some(false);
        let is_new = makes_none(&next) && played(&after_better, reply).as_ref().is_none_or(makes_none);
        is_new.then(|| threat(&self.position_after, reply, mate, FactPosition::After))
    }

    /// Whether no sequence of checks mates after the replies of the game and of the engine, by proof. Without these
    /// replies, any reply counts.
    fn has_escape(&self) -> bool {
        let legal = self.position_after.legal_moves();
        let replies = self.input.reply.into_iter().chain(self.input.punish.first().copied());
        let mut replies = replies.filter(|mv| legal.contains(mv)).peekable();
        if replies.peek().is_none() {
            return is_safe_after_any(&self.position_after, &legal, self.tries);
        }
        replies.all(|mv| is_safe_after_any(&self.position_after, &[mv], self.solver))
    }

    /// Whether it was proved that the opponent cannot mate after the better move, or after any other.
    fn was_avoidable(&self) -> bool {
        let legal: Vec<Move> =
            self.position_before.legal_moves().into_iter().filter(|mv| *mv != self.input.played_move).collect();
        let better: Vec<Move> = self.better_move().into_iter().filter(|mv| legal.contains(mv)).collect();
        is_safe_after_any(&self.position_before, &better, self.solver)
            || is_safe_after_any(&self.position_before, &legal, self.tries)
    }

    fn lines(&self) -> Option<MoveLines> {
        if self.input.punish.is_empty() {
            return None;
        }
        let punish = ReplayedLine::new(&self.position_after, self.input.punish);
        let whole: Vec<Move> = [self.input.played_move].into_iter().chain(self.input.punish.iter().copied()).collect();
        let better = self.better_move().map(|_| ReplayedLine::new(&self.position_before, self.input.better_line));
        let better = better.filter(|line| line.first().is_some());
        Some(MoveLines { played_line: ReplayedLine::new(&self.position_before, &whole), punish, better_line: better })
    }

    /// Returns the losses along the line that punishes the move, without those that the better move has, too.
    fn losses(&self, lines: &MoveLines) -> Vec<Fact> {
        let (Some(better), opponent) = (&lines.better_line, self.side.flip()) else { return Vec::new() };
        let mut facts = Vec::new();
        let own = move_gain(&self.position_before, self.input.played_move);
        if let Some(win) = lines.punish.win(opponent, -own)
            && better.settled_gain(self.side) >= own - win.gain.0 + win.min_gain
            && !better.takes(opponent, win.capture.kind, win.capture.square)
        {
            let (piece, square) = (win.capture.kind, win.capture.square);
            let line = first_moves(&lines.punish, win.plies);
            let lost = FactKind::LosesPiece { piece, square, gain: Gain(-win.gain.0) };
            facts.push(self.fact(lost, FactPosition::After, line.clone()));
            let motif = |kind| Fact { kind, side: opponent, at: FactPosition::After, line: line.clone() };
            facts.extend(motifs(&lines.punish, &win).into_iter().map(motif));
        } else {
            facts.extend(self.material_loss(lines, better));
        }
        if let Some(promotion) = safe_promotion(&lines.punish, opponent)
            && !better.promotes(opponent, promotion.piece)
            && better.position(1).is_some_and(|position| !can_promote_safely(position, promotion))
            && lines.punish.settled_gain(opponent) > own
        {
            let kind = FactKind::LetsPromote { piece: promotion.piece, square: promotion.square };
            facts.push(self.fact(kind, FactPosition::After, first_moves(&lines.punish, promotion.plies)));
        }
        facts
    }

    /// Returns the loss of material along the line that punishes the move, if the better move does not lose it.
    fn material_loss(&self, lines: &MoveLines, better: &ReplayedLine) -> Option<Fact> {
        let plies = lines.punish.moves().len();
        let gain = lines.punish.gain(self.side, plies);
        let lost = -lines.played_line.settled_gain(self.side) - lines.punish.loss_against_passes(self.side, plies);
        // The captures at the ends are uncertain. So the lines have to differ with and without them.
        let at_ends = [better, &lines.played_line].map(|line| line.gain(self.side, line.moves().len()).0);
        let is_worse = at_ends[0] - at_ends[1] >= MIN_LOSS && better.settled_gain(self.side) + lost >= SURE_LOSS;
        let is_lost = gain.0 < 0 && lost >= MIN_LOSS && is_worse;
        // The ends are those of the engine's lines: appended captures are uncertain.
        let is_settled = |line: &ReplayedLine| {
            let plies = line.len_without_appended();
            line.moves().len() == plies && line.position(plies).is_some_and(is_quiet)
        };
        let kind = FactKind::LosesMaterial { gain };
        (is_lost && is_settled(&lines.punish) && is_settled(better))
            .then(|| self.fact(kind, FactPosition::After, lines.punish.moves().to_vec()))
    }

    /// Returns the kings that are less safe, or are checked more often. The position after the move is compared with
    /// that after the better one, in both directions.
    fn attacked_kings(&self, lines: &MoveLines) -> Vec<Fact> {
        let Some(better) = &lines.better_line else { return Vec::new() };
        let own = TwoLines { shown_line: &lines.punish, at: FactPosition::After, other_line: better };
        let others = TwoLines { shown_line: better, at: FactPosition::Before, other_line: &lines.punish };
        let of_both =
            |find: fn(Color, &TwoLines<'_>) -> Option<Fact>| [find(self.side, &own), find(self.side.flip(), &others)];
        of_both(exposed_king).into_iter().chain(of_both(checked_king)).flatten().collect()
    }

    /// Returns the gains of the move and of the better move.
    fn gains(&self, lines: &MoveLines) -> Vec<Fact> {
        // A recaptured piece was not won.
        let offset = -self.input.last_move.map_or(0, |last| move_gain(last.position_before, last.mv));
        let mut facts = Vec::new();
        if let Some(win) = lines.played_line.win(self.side, offset) {
            self.add_win(&mut facts, &lines.played_line, &win);
        }
        self.add_promotion(&mut facts, &lines.played_line, None);
        let Some(better) = &lines.better_line else { return facts };
        let [played_gain, better_gain] = [&lines.played_line, better].map(|line| line.settled_gain(self.side));
        let win = better.win(self.side, offset).filter(|win| better_gain >= played_gain + win.min_gain);
        // A gain of both moves is not a difference.
        if let Some(win) = win.filter(|win| !lines.played_line.takes(self.side, win.capture.kind, win.capture.square)) {
            self.add_win(&mut facts, better, &win);
        }
        if better_gain > played_gain {
            self.add_promotion(&mut facts, better, Some(&lines.played_line));
        }
        facts
    }

    fn add_win(&self, facts: &mut Vec<Fact>, line: &ReplayedLine, win: &Win) {
        let moves = first_moves(line, win.plies);
        let (piece, square) = (win.capture.kind, win.capture.square);
        facts.push(self.fact(
            FactKind::WinsPiece { piece, square, gain: win.gain },
            FactPosition::Before,
            moves.clone(),
        ));
        facts.extend(motifs(line, win).into_iter().map(|kind| self.fact(kind, FactPosition::Before, moves.clone())));
    }

    /// Adds the promotion along a line, unless the `other` line has it, too.
    fn add_promotion(&self, facts: &mut Vec<Fact>, line: &ReplayedLine, other: Option<&ReplayedLine>) {
        let is_gain = line.settled_gain(self.side) > 0;
        let is_new = |kind| other.is_none_or(|other| !other.promotes(self.side, kind));
        if let Some(promotion) = safe_promotion(line, self.side).filter(|promotion| is_gain && is_new(promotion.piece))
        {
            let kind = FactKind::Promotes { piece: promotion.piece, square: promotion.square };
            facts.push(self.fact(kind, FactPosition::Before, first_moves(line, promotion.plies)));
        }
    }

    /// Returns the fact that the opponent took, or missed, the chance that the move gave.
    fn answer(&self, facts: &[Fact]) -> Option<Fact> {
        let reply = self.input.reply.filter(|mv| self.position_after.is_legal(*mv))?;
        let MoveValues { value_before: before, value_after: after, after_reply } = self.input.values;
        let rate = |value: Value| win_rate_of(self.input.model, value, self.side);
        let (before, after, after_reply) = (rate(before?), rate(after?), rate(after_reply?));
        if before - after < CHANCE {
            return None;
        }
        let begins = |fact: &Fact| fact.at == FactPosition::After && fact.line.first() == Some(&reply);
        let takes_chance = self.input.punish.first() == Some(&reply) || facts.iter().any(begins);
        let kind = match after_reply - after {
            lost if lost < PUNISHED => FactKind::Punished,
            lost if lost >= CHANCE && !takes_chance => FactKind::Unpunished,
            _ => return None,
        };
        Some(Fact { kind, side: self.side.flip(), at: FactPosition::After, line: vec![reply] })
    }

    const fn fact(&self, kind: FactKind, at: FactPosition, line: Vec<Move>) -> Fact {
        Fact { kind, side: self.side, at, line }
    }
}

/// Returns whether it was proved that no sequence of checks mates after one of the moves.
fn is_safe_after_any(position: &Position, moves: &[Move], solver: Solver<'_>) -> bool {
    moves.iter().any(|mv| played(position, *mv).is_some_and(|next| solver.mates(&next) == Some(false)))
}

/// Returns the winner by a value.
const fn winner(value: Value) -> Option<Color> {
    match value {
        Value::Cp(_) => None,
        Value::Won(winner) | Value::Mate { winner, .. } => Some(winner),
    }
}

/// Returns the plies in which a side mates by a value.
fn mate_of(value: Value, side: Color) -> Option<u16> {
    match value {
        Value::Mate { winner, plies } if winner == side => plies.and_then(|plies| u16::try_from(plies).ok()),
        _ => None,
    }
}

/// Returns whether moves can be played in turn. `false` for an empty line.
fn is_line(position: &Position, line: &[Move]) -> bool {
    let mut position = position.clone();
    !line.is_empty() && line.iter().all(|mv| position.play(*mv).is_ok())
}

/// Returns the fact that a move makes a threat of mate.
fn threat(position: &Position, mv: Move, mate: Vec<Move>, at: FactPosition) -> Fact {
    let kind = FactKind::ThreatMade { length: plies(&mate) };
    Fact { kind, side: position.side_to_move(), at, line: [vec![mv], mate].concat() }
}

/// Returns the position after a move; `None` where that is illegal.
fn played(position: &Position, mv: Move) -> Option<Position> {
    let mut next = position.clone();
    next.play(mv).ok().map(|()| next)
}

fn first_moves(line: &ReplayedLine, plies: usize) -> Vec<Move> {
    line.moves().iter().take(plies).copied().collect()
}

#[cfg(test)]
mod tests;
