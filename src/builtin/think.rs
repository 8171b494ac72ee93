//! The root of a search: iterative deepening, several lines, and reports.

use super::history::MoveHistory;
use super::king_tables::KingTables;
use super::limits::{Control, Limits};
use super::node::{Child, late_move_reduction};
use super::order::{is_quiet, rank_capture};
use super::search_state::{
    INFINITE, MATE_SCORE, MAX_PLY, MIN_MATE_SCORE, ScoreWindow, SearchState, can_declare, narrow,
};
use super::table::TranspositionTable;
use super::trial::Trials;
use rsshogi::board::{self, Legal, Move32List};
use rsshogi::movegen::{generate_legal_all_move32, generate_moves_move32};
use rsshogi::types::{EnteringKingRule, Move32};
use shogibar_shogi::score::UsiScore;
use shogibar_shogi::{History, Move, Position, Unsearchable, from_move32};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// The result of one depth for one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchReport {
    /// The completed depth, in plies.
    pub depth: u8,
    /// The selective depth, in plies.
    pub seldepth: usize,
    /// The rank of the line, from 1 for the best.
    pub rank: usize,
    /// The score, as seen by the side to move.
    pub score: UsiScore,
    /// The number of nodes searched so far.
    pub nodes: u64,
    /// The time since the search began, in milliseconds.
    pub elapsed: u64,
    /// The use of the table, in thousandths.
    pub table_used: u32,
    /// The moves of the line.
    pub line: Vec<Move>,
}

/// The final result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchOutcome {
    /// A move, and the expected reply.
    Play(Move, Option<Move>),
    /// There is no legal move.
    Resign,
    /// The side to move wins by the 27-point declaration.
    Declare,
}

/// The state that the engine keeps between searches.
#[derive(Debug)]
pub struct Searcher {
    /// The size of the table, in MB.
    megabytes: usize,
    trials: Trials,
    king_tables: Arc<KingTables>,
    table: TranspositionTable,
    histories: Vec<MoveHistory>,
    /// The nodes of all threads but the first.
    helper_nodes: AtomicU64,
}

/// One thread of a search (lazy SMP). All threads search the same position and share the table.
#[derive(Debug)]
pub struct SearchWorker<'a> {
    trials: Trials,
    king_tables: &'a KingTables,
    table: &'a TranspositionTable,
    history: &'a mut MoveHistory,
    helper_nodes: &'a AtomicU64,
    /// The number of the worker; 0 for the one that reports.
    number: usize,
}

/// A root move, with the line and score from its last complete search.
struct RootMove {
    mv: Move32,
    /// The score, in centipawns of the search. Before the first search, the static value of the root.
    score: i32,
    line: Vec<Move32>,
    /// The depth of the iteration that gave the line; 0 before the first search.
    depth: u8,
}

/// The maximum depth of an iteration, in plies. Extended lines may be twice as long.
const MAX_DEPTH: u8 = 48;

/// The ratio of displayed centipawns to those of the search. With this ratio, the win rate at K = 600 fits the results
/// of games best. On 378 positions of 63 games, the best K for the scale of the search was 740.
const CP_SCALE: (i32, i32) = (4, 5);

/// The minimum depth of a search with a narrow window, in plies.
const MIN_WINDOW_DEPTH: i32 = 5;

/// The first distance of the window's bounds from the last score, in centipawns.
const FIRST_WINDOW_MARGIN: i32 = 40;

/// The distance of a bound from the last score beyond which the window is open on its side, in centipawns.
const MAX_ASPIRATION_MARGIN: i32 = 1_500;

/// The move number above which a game is searched without its history and move number, so that no counter overflows.
const MAX_MOVE_NUMBER: u16 = u16::MAX - 256;

impl Searcher {
    /// Creates a searcher with a transposition table of `megabytes` for `threads` threads, at least 1.
    pub fn new(megabytes: usize, threads: usize) -> Self {
        Self::with_tables(megabytes, threads, KingTables::shipped())
    }

    /// Creates a searcher with other weights of the evaluation than those that the program ships.
    pub fn with_tables(megabytes: usize, threads: usize, king_tables: Arc<KingTables>) -> Self {
        let histories = std::iter::repeat_with(|| MoveHistory::new(MAX_PLY))
            .take(threads.max(1))
            .collect();
        let table = TranspositionTable::new(megabytes);
        Self {
            megabytes,
            trials: Trials::default(),
            king_tables,
            table,
            histories,
            helper_nodes: AtomicU64::new(0),
        }
    }

    /// Returns the size of the table, in MB.
    pub const fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Sets the changes on trial that the search uses.
    pub const fn set_trials(&mut self, trials: Trials) {
        self.trials = trials;
    }

    /// Returns the number of threads.
    pub const fn threads(&self) -> usize {
        self.histories.len()
    }

    /// Clears the table and the history, so that nothing depends on earlier searches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.histories.iter_mut().for_each(MoveHistory::clear);
    }

    /// Begins a search, and returns a worker for each thread. The first one reports and decides; the others are its
    /// helpers and fill the table, until their control stops them.
    pub fn workers(&mut self) -> impl Iterator<Item = SearchWorker<'_>> {
        self.table.begin_search();
        self.helper_nodes = AtomicU64::new(0);
        let Self {
            trials,
            king_tables,
            table,
            histories,
            helper_nodes,
            ..
        } = self;
        let trials = *trials;
        let (king_tables, table, helper_nodes) = (&**king_tables, &*table, &*helper_nodes);
        histories.iter_mut().enumerate().map(move |(number, history)| {
            history.begin_search();
            SearchWorker {
                trials,
                king_tables,
                table,
                history,
                helper_nodes,
                number,
            }
        })
    }

    /// Searches on this thread only, as [`SearchWorker::think`] does.
    ///
    /// # Errors
    /// Fails if the position is not searchable.
    pub fn think(
        &mut self,
        history: &History,
        limits: &Limits,
        control: &Control,
        clock: &dyn Fn() -> u64,
        report: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchOutcome, Unsearchable> {
        history.now().searchable()?;
        let worker = self.workers().next();
        worker.map_or(Ok(SearchOutcome::Resign), |worker| {
            worker.think(history, limits, control, clock, report)
        })
    }
}

impl SearchWorker<'_> {
    /// Searches the last position of `history` until a limit is reached, `control` stops it, or depth cannot change the
    /// result. `clock` returns the milliseconds since the search began. `report` is called for every line at every
    /// depth, best line first.
    ///
    /// # Errors
    /// Fails if the position is not searchable.
    pub fn think(
        self,
        history: &History,
        limits: &Limits,
        control: &Control,
        clock: &dyn Fn() -> u64,
        report: &mut dyn FnMut(&SearchReport),
    ) -> Result<SearchOutcome, Unsearchable> {
        let position = history.now();
        position.searchable()?;
        let Self {
            king_tables,
            table,
            history: moves,
            helper_nodes,
            ..
        } = self;
        let mut search = SearchState::new(
            board(position),
            king_tables,
            table,
            moves,
            helper_nodes,
            control,
            clock,
        );
        search.trials = self.trials;
        search.max_nodes = limits.nodes.max(1);
        search.is_helper = self.number > 0;
        // A helper's result is not needed, so it may be stopped before depth 1 is complete.
        search.has_result = search.is_helper;
        if can_declare(&search.position) {
            report(&search.new_report(
                1,
                1,
                UsiScore::Mate {
                    wins: true,
                    plies: None,
                },
                &[],
            ));
            return Ok(SearchOutcome::Declare);
        }
        let mut moves = root_moves(&mut search, &limits.moves);
        if moves.is_empty() {
            moves = root_moves(&mut search, &[]);
        }
        if moves.is_empty() {
            report(&search.new_report(
                1,
                1,
                UsiScore::Mate {
                    wins: false,
                    plies: Some(0),
                },
                &[],
            ));
            return Ok(SearchOutcome::Resign);
        }
        // Every second worker is a ply ahead, so that the workers search different depths.
        let first = 1 + u8::from(self.number % 2 == 1);
        let mut line = search.deepen(&mut moves, first, limits, report).into_iter();
        Ok(line
            .next()
            .map_or(SearchOutcome::Resign, |mv| SearchOutcome::Play(mv, line.next())))
    }

    /// Searches as a helper until `control` stops it or the helpers together reach the limit of nodes.
    pub fn help(self, history: &History, limits: &Limits, control: &Control) {
        let limits = Limits {
            depth: u8::MAX,
            ..limits.clone()
        };
        // The first worker reports an unsearchable position.
        let _outcome = self.think(history, &limits, control, &|| 0, &mut |_| {});
    }
}

impl SearchState<'_> {
    /// Searches with increasing depth from `first` on, and returns the best line reported.
    fn deepen(
        &mut self,
        moves: &mut [RootMove],
        first: u8,
        limits: &Limits,
        report: &mut dyn FnMut(&SearchReport),
    ) -> Vec<Move> {
        let lines = limits.lines.clamp(1, moves.len());
        let mut answer = Vec::new();
        for depth in first..=limits.depth.clamp(1, MAX_DEPTH) {
            self.seldepth = 0;
            self.root_depth = depth.into();
            let mut searched = 0;
            while searched < lines && !self.is_over {
                if let Some(moves) = moves.get_mut(searched..) {
                    self.search_window(moves, i32::from(depth));
                }
                searched += usize::from(!self.is_over);
            }
            if self.is_over && depth > 1 {
                // The partial result of this depth is deeper than the last report.
                if lines == 1
                    && let Some(root) = moves.first().filter(|root| root.depth == depth)
                {
                    let search_report = self.new_report(depth, 1, usi_score(root.score), &root.line);
                    report(&search_report);
                    answer = search_report.line;
                }
                break;
            }
            // Only searched moves are sorted: the scores of the others are static values.
            let (best, _) = moves.split_at_mut(searched.max(1));
            best.sort_by_key(|root| std::cmp::Reverse(root.score));
            for (rank, root) in (1..).zip(best.iter()) {
                let search_report = self.new_report(depth, rank, usi_score(root.score), &root.line);
                report(&search_report);
                if rank == 1 {
                    answer = search_report.line;
                }
            }
            self.has_result = true;
            if self.is_over || best.iter().all(|root| is_final(root.score, depth)) {
                break;
            }
        }
        answer
    }

    /// Searches the moves in a window around the last score. The window is widened until it holds the score.
    fn search_window(&mut self, moves: &mut [RootMove], depth: i32) {
        let mut margin = FIRST_WINDOW_MARGIN;
        let Some(last) = moves.first().map(|root| root.score) else {
            return;
        };
        let mut window = ScoreWindow::ALL;
        if depth >= MIN_WINDOW_DEPTH && last.abs() < MIN_MATE_SCORE {
            window = ScoreWindow {
                alpha: last - margin,
                beta: last + margin,
            };
        }
        while !self.is_over {
            let score = self.search_root(moves, depth, window);
            margin += margin;
            let is_wide = margin > MAX_ASPIRATION_MARGIN;
            if score <= window.alpha && window.alpha > -INFINITE {
                let beta = i32::midpoint(window.alpha, window.beta);
                window = ScoreWindow {
                    alpha: if is_wide { -INFINITE } else { score - margin },
                    beta,
                };
            } else if score >= window.beta && window.beta < INFINITE {
                window.beta = if is_wide { INFINITE } else { score + margin };
            } else {
                return;
            }
        }
    }

    /// Searches the moves and moves the best one to the front. Returns its score, or a bound outside the window.
    fn search_root(&mut self, moves: &mut [RootMove], depth: i32, window: ScoreWindow) -> i32 {
        let ScoreWindow { mut alpha, beta } = window;
        let depth_of_iteration = narrow(depth);
        let (mut best, mut best_score) = (0, -INFINITE);
        for (at, root) in moves.iter_mut().enumerate() {
            let check = self.position.gives_check_move32(root.mv);
            let is_late = at >= 3 && depth >= 3 && !check && is_quiet(&self.position, root.mv);
            let reduction = if is_late {
                (late_move_reduction(depth, at + 1) / 1024 - 1).max(0)
            } else {
                0
            };
            let depth = depth - 1 + i32::from(check);
            self.play(root.mv, check, 0);
            let child = Child {
                depth,
                reduction: reduction.min(depth - 1).max(0),
                ply: 1,
                is_first: at == 0,
                is_cut: false,
            };
            let score = self.search_child(ScoreWindow { alpha, beta }, child);
            self.undo(root.mv);
            if self.is_over {
                break;
            }
            best_score = best_score.max(score);
            if score > alpha {
                alpha = score;
                best = at;
                self.set_line(0, root.mv, true);
                root.score = score;
                root.depth = depth_of_iteration;
                root.line = self.line().to_vec();
            }
            if score >= beta {
                break;
            }
        }
        if let Some(better) = moves.get_mut(..=best) {
            better.rotate_right(1);
        }
        best_score
    }

    fn new_report(&self, depth: u8, rank: usize, score: UsiScore, line: &[Move32]) -> SearchReport {
        SearchReport {
            depth,
            seldepth: self.seldepth.max(depth.into()),
            rank,
            score,
            nodes: self.all_nodes().max(1),
            elapsed: (self.clock)(),
            table_used: self.table.used_per_mille(),
            line: line.iter().filter_map(|&mv| from_move32(mv)).collect(),
        }
    }
}

/// Returns the rules crate's position for the search, with the 27-point rule. Above [`MAX_MOVE_NUMBER`] the position
/// has no history and the move number 1.
pub(super) fn board(position: &Position) -> board::Position {
    let mut board = position.rules().clone_for_search();
    if position.move_number() > MAX_MOVE_NUMBER {
        let sfen = position.sfen();
        let sfen_without_number = sfen
            .rsplit_once(' ')
            .map_or("", |(sfen_without_number, _)| sfen_without_number);
        if let Ok(position) = Position::from_sfen(sfen_without_number) {
            board = position.rules().clone_for_search();
        }
    }
    board.set_entering_king_rule(EnteringKingRule::Point27);
    board
}

/// Returns the legal root moves in search order: those of `only`. Where `only` is empty, all but the non-promotions of
/// pawns, bishops and rooks that can promote. Before its first search, each move has the static score of the position.
fn root_moves(search: &mut SearchState<'_>, only: &[Move]) -> Vec<RootMove> {
    let mut list = Move32List::new();
    if only.is_empty() {
        generate_moves_move32::<Legal>(&search.position, &mut list);
    } else {
        generate_legal_all_move32(&search.position, &mut list);
        list.retain(|&mv| from_move32(mv).is_some_and(|mv| only.contains(&mv)));
    }
    let score = search.evaluate(0);
    let position = &search.position;
    let rank = |mv| {
        if is_quiet(position, mv) {
            0
        } else {
            rank_capture(position, search.history, mv)
        }
    };
    let mut ranked: Vec<_> = list.iter().map(|&mv| (rank(mv), mv)).collect();
    ranked.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    ranked
        .into_iter()
        .map(|(_, mv)| RootMove {
            mv,
            score,
            line: vec![mv],
            depth: 0,
        })
        .collect()
}

/// Returns whether a deeper search cannot change the score: a mate in at most `depth` plies.
const fn is_final(score: i32, depth: u8) -> bool {
    score.abs() >= MIN_MATE_SCORE && MATE_SCORE - score.abs() <= depth as i32
}

/// Converts a score to USI's form, with centipawns in the displayed scale.
fn usi_score(score: i32) -> UsiScore {
    let plies = u32::try_from(MATE_SCORE - score.abs()).ok();
    if score.abs() >= MIN_MATE_SCORE {
        UsiScore::Mate {
            wins: score > 0,
            plies,
        }
    } else {
        UsiScore::Cp(score * CP_SCALE.0 / CP_SCALE.1)
    }
}
