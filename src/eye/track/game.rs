//! The positions that were read from the screen, as trees of moves. The root of each tree is a [`Start`]: a position
//! that no known move leads to.

use super::board::{BoardClasses, Changes, Start, State, square_index};
use super::evidence::{Evidence, MIN_WRONG_DEFICIT, Misreadings};
use crate::network::EMPTY;
use shogibar_shogi::{Color, History, Move, PieceKind, Position};

/// The number of nodes at which a new start removes all nodes but the line to the current one.
const MAX_NODES: usize = 4096;
/// The number of confirming readings after which a move is settled. In [`super::TrackingMode::Game`], later readings do
/// not take a settled move back.
const SETTLED_READINGS: u8 = 8;
/// The maximum number of last moves that a reading of the current position confirms.
const MAX_CONFIRMED_MOVES: usize = 4;
/// The least log-likelihood ratio of any piece to an empty square at a misread drop: a factor of 400.
const MIN_PIECE_LOG_RATIO: f32 = 6.0;
/// The least lead of a misread drop over the other kinds in hand, in nats: a factor of 2.7.
const MIN_DROP_LEAD: f32 = 1.0;

/// How a node came about: as a start, or by a move from the node `parent`.
#[derive(Clone, Debug)]
enum Origin {
    Start(Box<Start>),
    Move {
        parent: usize,
        mv: Move,
        mover: Color,
        changes: Changes,
    },
}

/// A position of a tree.
#[derive(Clone, Debug)]
struct Node {
    origin: Origin,
    /// The number of moves from the start.
    depth: usize,
    reading: u64,
    /// Whether other moves would explain the reading as well.
    is_guess: bool,
    /// The number of readings that showed the changes of the move.
    confirming_readings: u8,
}

/// A move that the tracker has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackedMove {
    /// The move.
    pub mv: Move,
    /// The number of the reading in which the move was accepted, from 1.
    pub reading: u64,
    /// Whether other moves, or another order, would explain the readings as well.
    pub is_guess: bool,
}

/// A move of the line to the current node, with all that [`SeenGame::restart`] needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct LineStep {
    pub(super) mv: Move,
    /// The side that played the move.
    pub(super) mover: Color,
    /// The class of the target square before the move.
    pub(super) class_before: usize,
    /// The number of the reading in which the move was accepted.
    pub(super) reading: u64,
    pub(super) is_guess: bool,
    pub(super) confirming_readings: u8,
}

/// A move of the line to a node, and the side that played it.
#[derive(Clone, Copy, Debug)]
struct LineMove<'a> {
    mv: Move,
    mover: Color,
    node: &'a Node,
}

/// How well the board of a node fits a reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// The sum of the squares' deficits, in nats.
    pub(super) deficit: f32,
    /// The number of contradicting squares.
    pub(super) wrong_squares: usize,
}

/// The positions that were read from the screen. Every node is a start or the position after a move; parents precede
/// their children.
#[derive(Clone, Debug)]
pub(super) struct SeenGame {
    nodes: Vec<Node>,
    /// The index of the current node.
    current_node: usize,
    /// The board of the current node.
    pub(super) board: BoardClasses,
    /// The states of the current node, one for each side that may be to move.
    pub(super) states: Vec<State>,
}

impl SeenGame {
    pub(super) fn new(start: Start) -> Self {
        let mut game = Self {
            nodes: Vec::new(),
            current_node: 0,
            board: start.board,
            states: start.states.clone(),
        };
        game.push_start(start, 0);
        game
    }

    /// Adds a start, which becomes the current node.
    pub(super) fn push_start(&mut self, start: Start, reading: u64) {
        self.trim();
        let origin = Origin::Start(Box::new(start));
        self.nodes.push(Node {
            origin,
            depth: 0,
            reading,
            is_guess: false,
            confirming_readings: SETTLED_READINGS,
        });
        self.go_to(self.nodes.len() - 1);
    }

    pub(super) const fn current_node(&self) -> usize {
        self.current_node
    }

    pub(super) fn go_to(&mut self, node: usize) {
        self.current_node = node;
        self.board = self.board_of(node);
        self.states = self.states_of(node);
    }

    /// Removes the states of the current node in which the other side is to move.
    pub(super) fn set_side(&mut self, side: Color) {
        self.states.retain(|state| state.position.side_to_move() == side);
    }

    /// Plays a move from the current node, and adds its node where that is new. Returns whether the move is legal.
    pub(super) fn play(&mut self, mv: Move, reading: u64, is_guess: bool) -> bool {
        let legal = self.states.iter().find(|state| state.position.is_legal(mv));
        let Some((mover, (next, _))) =
            legal.and_then(|state| Some((state.position.side_to_move(), state.play(mv)?)))
        else {
            return false;
        };
        let parent = self.current_node;
        let changes = self.board.changes(mv, mover);
        let known = self.nodes.iter().position(|node| {
            matches!(node.origin, Origin::Move { parent: other, mv: known, mover: side, .. }
            if (other, known, side) == (parent, mv, mover))
        });
        self.current_node = known.unwrap_or_else(|| {
            let depth = self.depth(parent) + 1;
            let origin = Origin::Move {
                parent,
                mv,
                mover,
                changes,
            };
            self.nodes.push(Node {
                origin,
                depth,
                reading,
                is_guess,
                confirming_readings: 0,
            });
            self.nodes.len() - 1
        });
        self.board.apply(&changes);
        self.states = vec![next];
        true
    }

    /// Returns the number of moves from the start to a node.
    pub(super) fn depth(&self, node: usize) -> usize {
        self.nodes.get(node).map_or(0, |node| node.depth)
    }

    fn parent(&self, node: usize) -> Option<usize> {
        match self.nodes.get(node)?.origin {
            Origin::Move { parent, .. } => Some(parent),
            Origin::Start(_) => None,
        }
    }

    pub(super) fn ancestors(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |node| self.parent(*node))
    }

    /// Returns the ancestors from which only guesses and unsettled moves lead to the current node, the last first.
    pub(super) fn unsettled_origins(&self) -> Vec<usize> {
        let moves = self.ancestors(self.current_node).take_while(|node| {
            self.nodes
                .get(*node)
                .is_some_and(|node| node.confirming_readings < SETTLED_READINGS || node.is_guess)
        });
        moves.filter_map(|node| self.parent(node)).collect()
    }

    /// Returns the nodes from the start to `node`.
    fn path(&self, node: usize) -> Vec<usize> {
        let mut path: Vec<usize> = self.ancestors(node).collect();
        path.reverse();
        path
    }

    /// Returns the numbers of moves to take back and to play from a node to another. `None` for nodes of different
    /// trees.
    pub(super) fn steps(&self, from: usize, to: usize) -> Option<(usize, usize)> {
        let (here, there) = (self.path(from), self.path(to));
        let common = here
            .iter()
            .zip(&there)
            .take_while(|(left, right)| left == right)
            .count();
        (common > 0).then(|| (here.len() - common, there.len() - common))
    }

    /// Returns the number of moves to take back and to play from the current node to another. [`usize::MAX`] for a node
    /// of another tree.
    pub(super) fn distance(&self, node: usize) -> usize {
        self.steps(self.current_node, node)
            .map_or(usize::MAX, |(back, forward)| back + forward)
    }

    fn start_of(&self, node: usize) -> Option<&Start> {
        match &self.nodes.get(self.start_node(node)?)?.origin {
            Origin::Start(start) => Some(start),
            Origin::Move { .. } => None,
        }
    }

    /// Returns the moves from the start to a node, with the sides that played them.
    fn line(&self, node: usize) -> impl Iterator<Item = LineMove<'_>> {
        self.path(node).into_iter().filter_map(|node| {
            let node = self.nodes.get(node)?;
            match node.origin {
                Origin::Move { mv, mover, .. } => Some(LineMove { mv, mover, node }),
                Origin::Start(_) => None,
            }
        })
    }

    pub(super) fn board_of(&self, node: usize) -> BoardClasses {
        let mut board = self.start_of(node).map_or(self.board, |start| start.board);
        for node in self.path(node) {
            if let Some(Origin::Move { changes, .. }) = self.nodes.get(node).map(|node| &node.origin) {
                board.apply(changes);
            }
        }
        board
    }

    /// Returns the states of a node, one for each side that may be to move.
    pub(super) fn states_of(&self, node: usize) -> Vec<State> {
        let Some(start) = self.start_of(node) else {
            return Vec::new();
        };
        let Some(first) = self.line(node).next() else {
            return start.states.clone();
        };
        let start = start
            .states
            .iter()
            .find(|state| state.position.side_to_move() == first.mover);
        let end = start.and_then(|start| {
            self.line(node).try_fold(start.clone(), |state, played| {
                state.play(played.mv).map(|(next, _)| next)
            })
        });
        end.into_iter().collect()
    }

    /// Returns for each node how well its board fits a reading.
    pub(super) fn fits(&self, evidence: &Evidence, misreadings: &Misreadings) -> Vec<Fit> {
        let mut fits: Vec<Fit> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let fit = match &node.origin {
                Origin::Start(start) => Fit {
                    deficit: evidence.total_deficit(&start.board),
                    wrong_squares: misreadings.count_wrong(evidence, &start.board),
                },
                Origin::Move { parent, changes, .. } => {
                    let mut fit = fits.get(*parent).copied().unwrap_or(Fit {
                        deficit: f32::INFINITY,
                        wrong_squares: 81,
                    });
                    let is_wrong = |square, class| usize::from(misreadings.is_wrong(evidence, square, class));
                    for change in changes.iter().flatten() {
                        fit.wrong_squares += is_wrong(change.square, change.class_after);
                        fit.wrong_squares -=
                            is_wrong(change.square, change.class_before).min(fit.wrong_squares);
                    }
                    fit.deficit -= evidence.gain(changes);
                    fit
                }
            };
            fits.push(fit);
        }
        fits
    }

    /// Returns the nodes of the current tree with their fits. Nodes of abandoned games are in other trees.
    pub(super) fn current_tree<'a>(&'a self, fits: &'a [Fit]) -> impl Iterator<Item = (usize, &'a Fit)> {
        let start = self.start_node(self.current_node);
        fits.iter()
            .enumerate()
            .filter(move |(node, _)| self.start_node(*node) == start)
    }

    pub(super) fn abandoned_node(&self, fits: &[Fit]) -> Option<usize> {
        let start = self.start_node(self.current_node);
        let fitting = fits
            .iter()
            .enumerate()
            .rev()
            .filter(|(_, fit)| fit.wrong_squares == 0);
        fitting
            .map(|(node, _)| node)
            .find(|node| self.start_node(*node) != start)
    }

    fn start_node(&self, node: usize) -> Option<usize> {
        self.ancestors(node).last()
    }

    /// Returns the likeliest drop on an empty square that clearly shows a piece of the side to move. `None` where a
    /// piece of the board may have moved there, where no kind in hand leads clearly, and while squares are hidden.
    pub(super) fn misread_drop(
        &self,
        evidence: &Evidence,
        square: usize,
    ) -> Option<(Move, Color, BoardClasses)> {
        if evidence.hidden_count > 0 || self.board.class(square) != EMPTY {
            return None;
        }
        let mut drops = Vec::new();
        for state in &self.states {
            let side = state.position.side_to_move();
            if evidence.piece_gain(square, side) < MIN_PIECE_LOG_RATIO {
                continue;
            }
            for mv in state
                .position
                .legal_moves()
                .into_iter()
                .filter(|mv| square_index(mv.to()) == square)
            {
                let mut board = self.board;
                board.apply(&board.changes(mv, side));
                match mv {
                    Move::Drop { .. } => {
                        drops.push((evidence.deficit(square, board.class(square)), (mv, side, board)));
                    }
                    Move::Board { .. } if board.class(square) == evidence.best_class(square) => return None,
                    Move::Board { .. } => {}
                }
            }
        }
        drops.sort_by(|left, right| left.0.total_cmp(&right.0));
        let (best, next) = (drops.first()?.0, drops.get(1).map(|next| next.0));
        let is_clear = next.is_none_or(|next| next - best >= MIN_DROP_LEAD);
        if !is_clear {
            return None;
        }
        drops.into_iter().next().map(|(_, drop)| drop)
    }

    /// Counts a reading of the current position as confirmation for each of the last moves whose changes are visible.
    pub(super) fn confirm(&mut self, evidence: &Evidence) {
        let last: Vec<usize> = self
            .ancestors(self.current_node)
            .take(MAX_CONFIRMED_MOVES)
            .collect();
        for node in last {
            if let Some(Node {
                origin: Origin::Move { changes, .. },
                confirming_readings,
                ..
            }) = self.nodes.get_mut(node)
            {
                let mut remaining = changes
                    .iter()
                    .flatten()
                    .filter(|change| self.board.class(change.square) == change.class_after)
                    .peekable();
                let is_confirmed = remaining.peek().is_some()
                    && remaining.all(|change| {
                        evidence.deficit(change.square, change.class_before) >= MIN_WRONG_DEFICIT
                    });
                *confirming_readings = confirming_readings.saturating_add(u8::from(is_confirmed));
            }
        }
    }

    /// Where there are [`MAX_NODES`] nodes, removes all but the line to the current one.
    fn trim(&mut self) {
        if self.nodes.len() < MAX_NODES {
            return;
        }
        let path = self.path(self.current_node);
        self.nodes = path
            .iter()
            .filter_map(|node| self.nodes.get(*node).cloned())
            .collect();
        for (index, node) in self.nodes.iter_mut().enumerate() {
            if let Origin::Move { parent, .. } = &mut node.origin {
                *parent = index.saturating_sub(1);
            }
        }
        self.current_node = self.nodes.len().saturating_sub(1);
    }

    /// Returns the moves to the current node.
    pub(super) fn line_to_current(&self) -> Vec<LineStep> {
        let step = |node: &Node| match node.origin {
            Origin::Move {
                mv, mover, changes, ..
            } => {
                let target = changes
                    .iter()
                    .flatten()
                    .find(|change| change.square == square_index(mv.to()));
                let before = target.map_or(EMPTY, |change| change.class_before);
                Some(LineStep {
                    mv,
                    mover,
                    class_before: before,
                    reading: node.reading,
                    is_guess: node.is_guess,
                    confirming_readings: node.confirming_readings,
                })
            }
            Origin::Start(_) => None,
        };
        self.path(self.current_node)
            .into_iter()
            .filter_map(|node| step(self.nodes.get(node)?))
            .collect()
    }

    /// Returns the board after the first `moves` moves of the line to the current node; `None` if the line is shorter.
    pub(super) fn board_after(&self, moves: usize) -> Option<BoardClasses> {
        self.path(self.current_node)
            .get(moves)
            .map(|node| self.board_of(*node))
    }

    /// Replaces all trees by another start and a line of moves, up to the first illegal one.
    pub(super) fn restart(&mut self, start: Start, line: &[LineStep], reading: u64) {
        self.nodes.clear();
        self.push_start(start, reading);
        for step in line {
            if !self.play(step.mv, step.reading, step.is_guess) {
                break;
            }
            if let Some(node) = self.nodes.last_mut() {
                node.confirming_readings = step.confirming_readings;
            }
        }
    }

    /// Returns the moves to the current node, each with its reading.
    pub(super) fn moves(&self) -> Vec<TrackedMove> {
        self.line(self.current_node)
            .map(|LineMove { mv, node, .. }| TrackedMove {
                mv,
                reading: node.reading,
                is_guess: node.is_guess,
            })
            .collect()
    }

    /// Returns the start of the current line, with the pieces in hand that the moves of the line revealed.
    pub(super) fn start(&self) -> Option<Position> {
        let start = self.start_of(self.current_node)?;
        let first = self.line(self.current_node).next().map(|played| played.mover);
        let state = start
            .states
            .iter()
            .find(|state| first.is_none_or(|side| state.position.side_to_move() == side))?;
        let mut setup = start.setup.clone();
        let mut state = state.clone();
        for LineMove { mv, mover, .. } in self.line(self.current_node) {
            let (next, from_pool) = state.play(mv)?;
            if let Move::Drop { kind, .. } = mv
                && from_pool
            {
                setup.add_to_hand(mover, kind, 1).ok()?;
            }
            state = next;
        }
        let move_number = start.states.first()?.position.move_number();
        Some(setup.build(first.unwrap_or_else(|| start_side(start)), move_number))
    }

    pub(super) fn history(&self) -> Option<History> {
        let mut history = History::new(self.start()?);
        self.line(self.current_node)
            .try_for_each(|played| history.play(played.mv))
            .ok()?;
        Some(history)
    }

    /// Returns the numbers of pieces in an unknown hand in the current position, in the order of
    /// [`PieceKind::IN_HAND`].
    pub(super) fn pool(&self) -> [u8; PieceKind::IN_HAND.len()] {
        self.states.first().map_or([0; 7], |state| state.pool)
    }

    /// Returns whether moves may still reveal parts of the start.
    pub(super) fn is_start_open(&self) -> bool {
        self.start_of(self.current_node)
            .is_some_and(|start| start.states.len() > 1 || start.pool != [0; 7])
    }
}

/// Returns the side to move at a start. Where both sides may be to move, returns Black.
fn start_side(start: &Start) -> Color {
    start
        .states
        .first()
        .map_or(Color::Black, |state| state.position.side_to_move())
}
