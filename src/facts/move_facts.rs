//! The facts about a move of a game.

mod threats;

use crate::budget::Budget;
use crate::candidates::win_rate_of;
use crate::fact::{Fact, FactKind, FactPosition, Gain};
use crate::king::{TwoLines, exposed_king};
use crate::last_move::LastMove;
use crate::line::{ReplayedLine, WonPiece, moved_kind};
use crate::material::{is_quiet, move_gain};
use crate::mates::{MateState, Solver};
use crate::motifs::{LedMotifs, earliest_motifs};
use crate::plans::{ComparedLines, attack_ends, idle_piece, initiative, promotion_unstoppable};
use crate::position_facts::FactLimits;
use crate::trades::{can_promote_safely, named_exchange, safe_promotion};
use shogibar_builtin::Control;
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Color, Move, PieceKind, Position};

/// A move of a game, with the values and lines of an engine.
#[derive(Clone, Copy, Debug)]
pub struct MoveInput<'a> {
    /// The position before the move.
    pub position_before: &'a Position,
    /// The move that the facts are about.
    pub played_move: Move,
    /// The move that led to the position before the move; `None` at the start.
    pub last_move: Option<LastMove<'a>>,
    /// The reply in the game; `None` if the game ends with the move.
    pub reply: Option<Move>,
    /// The engine's line from the position before the move; empty if it is not known.
    pub better_line: &'a [Move],
    /// The engine's line from the position after the move; empty if it is not known.
    pub punish_line: &'a [Move],
    /// The values of the engine.
    pub values: MoveValues,
    /// The win-rate model of the engine.
    pub model: WinRateModel,
}

/// The values around a move, from Black's view. `None` for an unknown value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveValues {
    /// The value before the move.
    pub before: Option<Value>,
    /// The value after the move.
    pub after: Option<Value>,
    /// The value after the reply in the game.
    pub after_reply: Option<Value>,
}

/// The minimum loss in win rate, from 0 to 1, by which a move gives the opponent a chance.
const MIN_CHANCE_LOSS: f64 = 0.10;

/// The loss in win rate, from 0 to 1, below which a reply punishes the move.
const MAX_PUNISHING_LOSS: f64 = 0.05;

/// The minimum loss in win rate, from 0 to 1, of a move whose plans are stated.
const MIN_PLAN_LOSS: f64 = 0.05;

/// The minimum loss of material that is stated, in tenths of a pawn: two pawns.
const MIN_MATERIAL_LOSS: i32 = 20;

/// The minimum loss of material if the captures at the ends of lines are counted, in tenths of a pawn.
const MIN_SETTLED_LOSS: i32 = 30;

/// The maximum index of a capture in the line after a move, by which a piece is lost sooner than along the better line:
/// that of the opponent's second move.
const MAX_SOONER_PLY: usize = 2;

/// A move of a game with the positions around it.
struct PlayedMove<'a> {
    input: &'a MoveInput<'a>,
    position_before: Position,
    position_after: Position,
    side: Color,
    solver: Solver<'a>,
    /// The solver for the searches after each of many moves.
    move_solver: Solver<'a>,
}

/// The lines that show what a move does.
struct MoveLines {
    /// The move, and the engine's line after it.
    played: ReplayedLine,
    /// The engine's line after the move, without the move.
    punishing: ReplayedLine,
    /// The engine's line from the position before the move; `None` if it begins with the played move.
    better: Option<ReplayedLine>,
}

/// Returns the facts about a move; none if the position cannot be searched or the move is illegal. The line of a fact
/// about the better move begins before the move, with another move. Facts that were not proved before `control` stopped
/// the searches are left out.
pub fn move_facts(input: &MoveInput<'_>, limits: FactLimits, control: &Control) -> Vec<Fact> {
    let before = input.position_before.without_history();
    let mut after = before.clone();
    if before.searchable().is_err() || after.play(input.played_move).is_err() || after.searchable().is_err() {
        return Vec::new();
    }
    let (side, budget) = (before.side_to_move(), &Budget::new(limits.moves));
    let solver = Solver {
        nodes: limits.mate_nodes,
        budget,
        control,
    };
    let after = after.without_history();
    let move_solver = Solver {
        nodes: limits.move_nodes,
        budget,
        control,
    };
    let played = PlayedMove {
        input,
        position_before: before,
        position_after: after,
        side,
        solver,
        move_solver,
    };
    let mut facts = played.mate_facts();
    if let Some(lines) = played.replay_lines() {
        facts.extend(played.loss_facts(&lines));
        facts.extend(played.gain_facts(&lines));
        let exchange = named_exchange(&lines.played);
        // Both moves may begin the same exchange, as with and without a promotion.
        let is_same = |fact: &Fact| {
            exchange
                .as_ref()
                .is_some_and(|exchange| exchange.kind == fact.kind)
        };
        let better = lines
            .better
            .as_ref()
            .and_then(named_exchange)
            .filter(|fact| !is_same(fact));
        facts.extend(exchange.iter().cloned().chain(better));
        facts.extend(played.king_facts(&lines));
        facts.extend(played.plan_facts(&lines));
    }
    let answer = played.chance_fact(&facts);
    facts.extend(answer);
    facts
}

impl PlayedMove<'_> {
    fn better_move(&self) -> Option<Move> {
        self.input
            .better_line
            .first()
            .copied()
            .filter(|mv| *mv != self.input.played_move)
    }

    fn mate_facts(&self) -> Vec<Fact> {
        let [before, after] =
            [&self.position_before, &self.position_after].map(|position| self.solver.solve(position));
        let mut facts = Vec::new();
        if let MateState::Mate(line) = &before
            && self.misses_mate()
        {
            let kind = FactKind::MateMissed {
                length: line.length(),
            };
            facts.push(self.fact(kind, FactPosition::Before, line.moves.clone()));
        }
        if let MateState::Mate(line) = &after
            && (self
                .input
                .values
                .before
                .is_some_and(|value| winner(value) != Some(self.side.flip()))
                || self.was_avoidable())
        {
            let (length, line) = (line.length(), line.moves.clone());
            // A move of the king is an attempt to meet the threat, so the threat is not called unmet.
            let is_by_king =
                moved_kind(&self.position_before, self.input.played_move) == Some(PieceKind::King);
            if !is_by_king && self.solver.mates_after_pass(&self.position_before) == Some(true) {
                facts.push(self.fact(
                    FactKind::ThreatUnmet { length },
                    FactPosition::After,
                    line.clone(),
                ));
            }
            facts.push(self.fact(FactKind::MateAllowed { length }, FactPosition::After, line));
        }
        let by_engine = self.engine_mates(&facts);
        facts.extend(by_engine);
        let lines = self.threat_lines();
        if before == MateState::None {
            facts.extend(self.made_threats(&lines));
        }
        if after == MateState::None {
            facts.extend(self.allowed_threat(&lines));
        }
        facts
    }

    /// Returns the mates that the move misses or allows by the engine's values. Kinds among the `proved` facts are left
    /// out. Returns none if a value is unknown, or the better move is not known or was played.
    fn engine_mates(&self, proved: &[Fact]) -> Vec<Fact> {
        let (
            MoveInput {
                better_line: better,
                punish_line: punish,
                values,
                ..
            },
            opponent,
        ) = (self.input, self.side.flip());
        let (Some(before), Some(after), Some(_)) = (values.before, values.after, self.better_move()) else {
            return Vec::new();
        };
        let is_missed = winner(after) != Some(self.side)
            && is_playable_line(&self.position_before, better)
            && !proved
                .iter()
                .any(|fact| matches!(fact.kind, FactKind::MateMissed { .. }));
        let is_allowed = winner(before) != Some(opponent)
            && is_playable_line(&self.position_after, punish)
            && !proved
                .iter()
                .any(|fact| matches!(fact.kind, FactKind::MateAllowed { .. }));
        // A mate whose first move gives no check is a brinkmate, and not proved.
        let begins_with_check = |position: &Position, line: &[Move]| {
            line.first()
                .and_then(|mv| after_move(position, *mv))
                .is_some_and(|next| next.in_check())
        };
        let is_missed = is_missed && begins_with_check(&self.position_before, better);
        let is_allowed = is_allowed && begins_with_check(&self.position_after, punish);
        let missed = mate_of(before, self.side).filter(|_| is_missed).map(|length| {
            self.fact(
                FactKind::EngineMateMissed { length },
                FactPosition::Before,
                better.to_vec(),
            )
        });
        let allowed = mate_of(after, opponent).filter(|_| is_allowed).map(|length| {
            self.fact(
                FactKind::EngineMateAllowed { length },
                FactPosition::After,
                punish.to_vec(),
            )
        });
        missed.into_iter().chain(allowed).collect()
    }

    /// Returns whether no checks mate after the replies of the game and of the engine. Where that is not decided, the
    /// engine's value after the move decides. If neither reply is known, one legal reply after which it was proved is
    /// enough.
    fn misses_mate(&self) -> bool {
        let legal = self.position_after.legal_moves();
        let replies = self
            .input
            .reply
            .into_iter()
            .chain(self.input.punish_line.first().copied());
        let mut replies = replies.filter(|mv| legal.contains(mv)).peekable();
        if replies.peek().is_none() {
            return is_safe_after_any(&self.position_after, &legal, self.move_solver);
        }
        let is_lost_by_value = self
            .input
            .values
            .after
            .is_some_and(|value| winner(value) != Some(self.side));
        replies.all(|mv| {
            let mates = after_move(&self.position_after, mv).and_then(|next| self.solver.mates(&next));
            mates.map_or(is_lost_by_value, |mates| !mates)
        })
    }

    /// Returns whether it was proved that the opponent cannot mate after another move, the better one or any.
    fn was_avoidable(&self) -> bool {
        let legal: Vec<Move> = self
            .position_before
            .legal_moves()
            .into_iter()
            .filter(|mv| *mv != self.input.played_move)
            .collect();
        let better: Vec<Move> = self
            .better_move()
            .into_iter()
            .filter(|mv| legal.contains(mv))
            .collect();
        is_safe_after_any(&self.position_before, &better, self.solver)
            || is_safe_after_any(&self.position_before, &legal, self.move_solver)
    }

    /// Replays the lines; `None` if the line after the move is not known.
    fn replay_lines(&self) -> Option<MoveLines> {
        if self.input.punish_line.is_empty() {
            return None;
        }
        let punish = ReplayedLine::new(&self.position_after, self.input.punish_line);
        let whole: Vec<Move> = [self.input.played_move]
            .into_iter()
            .chain(self.input.punish_line.iter().copied())
            .collect();
        let better = self
            .better_move()
            .map(|_| ReplayedLine::new(&self.position_before, self.input.better_line));
        let better = better.filter(|line| line.first().is_some());
        Some(MoveLines {
            played: ReplayedLine::new(&self.position_before, &whole),
            punishing: punish,
            better,
        })
    }

    /// Returns the losses along the line that punishes the move, except losses that the better move has, too.
    fn loss_facts(&self, lines: &MoveLines) -> Vec<Fact> {
        let (Some(better), opponent) = (&lines.better, self.side.flip()) else {
            return Vec::new();
        };
        let mut facts = Vec::new();
        let own = move_gain(&self.position_before, self.input.played_move);
        let win = lines.punishing.won_piece(opponent, -own);
        if let Some(win) = &win
            && self.is_lost_by_move(win, better, own)
        {
            let (piece, square) = (win.capture.kind, win.capture.square);
            let lost = FactKind::LosesPiece {
                piece,
                square,
                gain: Gain(-win.gain.0),
            };
            facts.push(self.fact(
                lost,
                FactPosition::After,
                first_moves(&lines.punishing, win.plies),
            ));
        } else {
            facts.extend(self.material_loss(lines, better));
        }
        if let Some(motifs) = earliest_motifs(&lines.punishing, win.as_ref(), -own)
            && self.is_lost_by_move(&motifs.win, better, own)
        {
            facts.extend(motif_facts(&lines.punishing, motifs, FactPosition::After));
        }
        if let Some(promotion) = safe_promotion(&lines.punishing, opponent)
            && !better.promotes(opponent, promotion.piece)
            && better
                .position(1)
                .is_some_and(|position| !can_promote_safely(position, promotion))
            && lines.punishing.settled_gain(opponent) > own
        {
            let kind = FactKind::LetsPromote {
                piece: promotion.piece,
                square: promotion.square,
            };
            facts.push(self.fact(
                kind,
                FactPosition::After,
                first_moves(&lines.punishing, promotion.plies),
            ));
        }
        facts
    }

    /// Returns whether the opponent wins a piece because of the move: the better line keeps half of its value more, or
    /// such a piece on that square longer. `own` is the gain of the side by its move, in tenths of a pawn.
    fn is_lost_by_move(&self, win: &WonPiece, better: &ReplayedLine, own: i32) -> bool {
        let (
            opponent,
            WonPiece {
                capture,
                gain,
                min_gain,
                ..
            },
        ) = (self.side.flip(), win);
        let costs_more = better.settled_gain(self.side) >= own - gain.0 + min_gain;
        // The better line begins one move before the other.
        let ply = better.capture_ply(opponent, capture.kind, capture.square);
        costs_more || capture.ply <= MAX_SOONER_PLY && ply.is_some_and(|ply| ply > capture.ply + 1)
    }

    fn material_loss(&self, lines: &MoveLines, better: &ReplayedLine) -> Option<Fact> {
        let plies = lines.punishing.moves().len();
        let gain = lines.punishing.gain(self.side, plies);
        let lost =
            -lines.played.settled_gain(self.side) - lines.punishing.loss_against_passes(self.side, plies);
        // The captures at the ends of the lines are uncertain, so the lines must differ with and without them.
        let at_ends = [better, &lines.played].map(|line| line.gain(self.side, line.moves().len()).0);
        let is_worse = at_ends[0] - at_ends[1] >= MIN_MATERIAL_LOSS
            && better.settled_gain(self.side) + lost >= MIN_SETTLED_LOSS;
        let is_lost = gain.0 < 0 && lost >= MIN_MATERIAL_LOSS && is_worse;
        // Appended captures are uncertain, so the engine's lines must end quietly by themselves.
        let is_settled = |line: &ReplayedLine| {
            let plies = line.len_without_appended();
            line.moves().len() == plies && line.position(plies).is_some_and(is_quiet)
        };
        let kind = FactKind::LosesMaterial { gain };
        (is_lost && is_settled(&lines.punishing) && is_settled(better))
            .then(|| self.fact(kind, FactPosition::After, lines.punishing.moves().to_vec()))
    }

    /// Returns the facts about kings that are less safe. The lines of the move and of the better
    /// move are compared in both directions.
    fn king_facts(&self, lines: &MoveLines) -> Vec<Fact> {
        let Some(better) = &lines.better else {
            return Vec::new();
        };
        let own = TwoLines {
            shown_line: &lines.punishing,
            at: FactPosition::After,
            other_line: better,
        };
        let others = TwoLines {
            shown_line: better,
            at: FactPosition::Before,
            other_line: &lines.punishing,
        };
        [
            exposed_king(self.side, &own),
            exposed_king(self.side.flip(), &others),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Returns the plans that the move misses or allows; none if it loses less than 5 points by the engine's values.
    fn plan_facts(&self, lines: &MoveLines) -> Vec<Fact> {
        let MoveValues {
            before: Some(before),
            after: Some(after),
            ..
        } = self.input.values
        else {
            return Vec::new();
        };
        let [before, after] = [before, after].map(|value| win_rate_of(self.input.model, value, self.side));
        let Some(better) = lines.better.as_ref().filter(|_| before - after >= MIN_PLAN_LOSS) else {
            return Vec::new();
        };
        let (start, played) = (&self.position_before, self.input.played_move);
        let compared = ComparedLines {
            before: start,
            played,
            punishing: &lines.punishing,
            better,
        };
        let mut facts = promotion_unstoppable(&compared, self.solver.budget);
        facts.extend(attack_ends(&compared));
        facts.extend(initiative(&compared, self.solver));
        facts.extend(idle_piece(&compared));
        facts
    }

    fn gain_facts(&self, lines: &MoveLines) -> Vec<Fact> {
        // A recapture only makes up for the gain of the opponent's last move.
        let offset = -self
            .input
            .last_move
            .map_or(0, |last| move_gain(last.position_before, last.mv));
        let mut facts = Vec::new();
        facts.extend(self.win_facts(&lines.played, offset, |_| true));
        self.add_promotion(&mut facts, &lines.played, None);
        let Some(better) = &lines.better else { return facts };
        let [played_gain, better_gain] = [&lines.played, better].map(|line| line.settled_gain(self.side));
        // A gain of both moves is not a difference.
        let is_missed = |win: &WonPiece| {
            better_gain >= played_gain + win.min_gain
                && lines
                    .played
                    .capture_ply(self.side, win.capture.kind, win.capture.square)
                    .is_none()
        };
        facts.extend(self.win_facts(better, offset, is_missed));
        if better_gain > played_gain {
            self.add_promotion(&mut facts, better, Some(&lines.played));
        }
        facts
    }

    /// Returns the facts that a line wins a piece, and the motifs, as far as `is_stated` agrees. `offset` is the gain of the
    /// side before the line began, in tenths of a pawn.
    fn win_facts(
        &self,
        line: &ReplayedLine,
        offset: i32,
        is_stated: impl Fn(&WonPiece) -> bool,
    ) -> Vec<Fact> {
        let mut facts = Vec::new();
        let win = line.won_piece(self.side, offset);
        if let Some(win) = &win
            && is_stated(win)
        {
            let (piece, square) = (win.capture.kind, win.capture.square);
            let kind = FactKind::WinsPiece {
                piece,
                square,
                gain: win.gain,
            };
            facts.push(self.fact(kind, FactPosition::Before, first_moves(line, win.plies)));
        }
        if let Some(motifs) = earliest_motifs(line, win.as_ref(), offset)
            && is_stated(&motifs.win)
        {
            facts.extend(motif_facts(line, motifs, FactPosition::Before));
        }
        facts
    }

    /// Adds the promotion along a line, unless the `other` line has it, too.
    fn add_promotion(&self, facts: &mut Vec<Fact>, line: &ReplayedLine, other: Option<&ReplayedLine>) {
        let is_gain = line.settled_gain(self.side) > 0;
        let is_new = |kind| other.is_none_or(|other| !other.promotes(self.side, kind));
        if let Some(promotion) =
            safe_promotion(line, self.side).filter(|promotion| is_gain && is_new(promotion.piece))
        {
            let kind = FactKind::Promotes {
                piece: promotion.piece,
                square: promotion.square,
            };
            facts.push(self.fact(kind, FactPosition::Before, first_moves(line, promotion.plies)));
        }
    }

    /// Returns the fact that the opponent took or missed the chance that the move gave.
    fn chance_fact(&self, facts: &[Fact]) -> Option<Fact> {
        let reply = self.input.reply.filter(|mv| self.position_after.is_legal(*mv))?;
        let MoveValues {
            before,
            after,
            after_reply,
        } = self.input.values;
        let rate = |value: Value| win_rate_of(self.input.model, value, self.side);
        let (before, after, after_reply) = (rate(before?), rate(after?), rate(after_reply?));
        if before - after < MIN_CHANCE_LOSS {
            return None;
        }
        let begins = |fact: &Fact| fact.at == FactPosition::After && fact.line.first() == Some(&reply);
        let takes_chance = self.input.punish_line.first() == Some(&reply) || facts.iter().any(begins);
        let kind = match after_reply - after {
            lost if lost < MAX_PUNISHING_LOSS => FactKind::Punished,
            lost if lost >= MIN_CHANCE_LOSS && !takes_chance => FactKind::Unpunished,
            _ => return None,
        };
        Some(Fact {
            kind,
            side: self.side.flip(),
            at: FactPosition::After,
            lead: 0,
            line: vec![reply],
        })
    }

    const fn fact(&self, kind: FactKind, at: FactPosition, line: Vec<Move>) -> Fact {
        Fact {
            kind,
            side: self.side,
            at,
            lead: 0,
            line,
        }
    }
}

fn motif_facts(line: &ReplayedLine, motifs: LedMotifs, at: FactPosition) -> Vec<Fact> {
    let (side, lead, moves) = (line.side(), motifs.lead, first_moves(line, motifs.win.plies));
    motifs
        .kinds
        .into_iter()
        .map(|kind| Fact {
            kind,
            side,
            at,
            lead,
            line: moves.clone(),
        })
        .collect()
}

/// Returns whether it was proved for one of the moves that no sequence of checks mates after it.
fn is_safe_after_any(position: &Position, moves: &[Move], solver: Solver<'_>) -> bool {
    moves
        .iter()
        .any(|mv| after_move(position, *mv).is_some_and(|next| solver.mates(&next) == Some(false)))
}

const fn winner(value: Value) -> Option<Color> {
    match value {
        Value::Cp(_) => None,
        Value::Won(winner) | Value::Mate { winner, .. } => Some(winner),
    }
}

/// Returns the number of plies in which a side mates by a value; `None` if the value is no such mate, or does not have
/// the number.
fn mate_of(value: Value, side: Color) -> Option<u16> {
    match value {
        Value::Mate { winner, plies } if winner == side => plies.and_then(|plies| u16::try_from(plies).ok()),
        _ => None,
    }
}

/// Returns whether a line has moves, and all of them can be played in turn.
fn is_playable_line(position: &Position, line: &[Move]) -> bool {
    let mut position = position.clone();
    !line.is_empty() && line.iter().all(|mv| position.play(*mv).is_ok())
}

/// Returns the position after a move; `None` if the move is illegal.
fn after_move(position: &Position, mv: Move) -> Option<Position> {
    let mut next = position.clone();
    next.play(mv).ok().map(|()| next)
}

fn first_moves(line: &ReplayedLine, plies: usize) -> Vec<Move> {
    line.moves().iter().take(plies).copied().collect()
}

#[cfg(test)]
mod tests;
