//! Reads the game on the screen from pictures.

mod board;

use super::capture::{ProgramWindow, ScreenPicture};
use super::{ScreenArea, ScreenFollowing};
use crate::game::{GameChoice, LiveGame, ScreenState, SourceEvent, SourceProblem, SourceState};
use board::{
    BoardKnowledge, MAX_MOVING_SQUARES, MAX_WRONG_SQUARES, SeenPiece, WatchedBoard, area_of, corner_distance,
    covered_squares, moved_grid,
};
use shogibar_eye::change::square_thumbnails;
use shogibar_eye::coordinates;
use shogibar_eye::grid::Grid;
use shogibar_eye::joint::corrected_classes;
use shogibar_eye::network::{EMPTY, Network, hide, opposite_class};
use shogibar_eye::piece_sets::PieceSets;
use shogibar_eye::reader::{BoardReading, is_board, read_boards};
use shogibar_eye::templates::Templates;
use shogibar_eye::track::{
    BoardCorrection, BoardEvent, Reading, Tracker, TrackingMode, UnknownParts, piece, square_index,
};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::{BoardDoubt, History, Move, Position, Setup, Square};
use std::sync::Arc;
use std::time::Duration;

/// The least probability of emptiness at which the picture of an empty square is learnt.
const MIN_EMPTY_PROBABILITY: f32 = 0.99;
/// The time between two readings of a board at rest.
const CALM_INTERVAL: Duration = Duration::from_millis(250);
/// The time to the next reading while the picture changes or a reading must be repeated.
const BUSY_INTERVAL: Duration = Duration::from_millis(100);
/// The time between two searches for a board.
const SEARCH_INTERVAL: Duration = Duration::from_secs(1);
/// The time from a failed capture to the next one.
const CAPTURE_RETRY_PAUSE: Duration = Duration::from_secs(2);
/// The number of readings of a lost board's grid between two searches of the whole screen.
const READINGS_PER_SEARCH: u32 = 4;
/// The number of searches that find only another board, after which this board replaces a lost one. An advertisement
/// may show another board.
const MAX_OTHER_BOARD_SEARCHES: u32 = 10;
/// The number of failed readings in a row after which a board is lost.
const MAX_MISSED_READINGS: u32 = 6;
/// The number of [`ScreenCore::unrecognized_readings`] after which the board is searched again.
const MAX_UNRECOGNIZED_READINGS: u32 = 80;
/// The number of squares below this program's windows from which an unreadable board counts as hidden, and not as lost.
/// After [`MAX_UNRECOGNIZED_READINGS`] readings the board is searched elsewhere.
const MIN_COVERED_SQUARES: usize = 20;
/// The number of readings without a decision from which the state is reported.
const MIN_UNDECIDED_READINGS: u32 = 5;
/// The number of readings without a decision after which the interval grows, because an object stays over the board.
const MAX_BUSY_READINGS: u32 = 30;
/// The margin of the captured area beyond the outer lines of the board, in squares.
const MARGIN_SQUARES: f32 = 0.3;

/// The game on the screen: pictures go in, events come out.
#[derive(Debug)]
pub struct ScreenCore {
    network: &'static Network,
    /// The area that the user chose; `None` for the whole screen.
    area: Option<ScreenArea>,
    /// The board that is read; `None` while it is searched.
    board: Option<WatchedBoard>,
    /// The last known grid of the board; `None` before the first board.
    last_grid: Option<Grid>,
    /// A board that has not shown the game for long, while another one is searched.
    doubted_board: Option<WatchedBoard>,
    /// A board that another picture has replaced. Its grid is read more often than the rest of the screen.
    lost_board: Option<WatchedBoard>,
    /// The number of readings of the lost board's grid until the next search of the whole screen.
    readings_to_search: u32,
    /// The number of searches since the board was lost that found only another board.
    other_board_searches: u32,
    tracker: Tracker,
    /// Whether the coordinates beside the board show White at the bottom and the user has not answered yet.
    proposes_rotation: bool,
    known_pieces: KnownPieces,
    /// The piece sets of other boards and earlier runs.
    sets: PieceSets,
    /// Whether the user has corrected the board. Its pieces are then certain.
    is_corrected: bool,
    /// The pictures of the pieces; `None` if no certain piece was learnt since [`Self::take_learned`].
    learned_pictures: Option<Templates>,
    /// The number of readings in a row in which the board was not seen.
    missed_readings: u32,
    /// The number of readings in a row without a decision.
    undecided_readings: u32,
    /// The number of still readings since the game or a new board was last recognized. Readings of a partly covered
    /// board that shows the game do not count.
    unrecognized_readings: u32,
    /// The areas of the boards that the user can choose from.
    choices: Vec<ScreenArea>,
    /// The game that was reported last; `None` before the first.
    reported_game: Option<ReportedGame>,
    /// The state that was reported last; `None` before the first, and after a failed capture.
    state: Option<SourceState>,
    /// Whether an earlier source began the game and no reading has shown this game since.
    has_resumed: bool,
    /// The area of the board that was reported last; `None` before the first.
    reported_area: Option<ScreenArea>,
}

/// The pictures of the pieces on the watched board.
#[derive(Clone, Debug, Default)]
struct KnownPieces {
    templates: Templates,
    /// Whether some of the pictures may be of a board that was not certain.
    has_uncertain_pictures: bool,
}

#[derive(Clone, Debug)]
struct ReportedGame {
    history: History,
    /// The number of the game, from 1.
    number: u64,
}

impl ScreenCore {
    /// Starts the search for a board, in an area or on the whole screen.
    pub fn new(area: Option<ScreenArea>, network: &'static Network) -> Self {
        Self {
            network,
            area,
            board: None,
            last_grid: None,
            doubted_board: None,
            lost_board: None,
            readings_to_search: 0,
            other_board_searches: 0,
            tracker: Tracker::new(TrackingMode::Game),
            proposes_rotation: false,
            known_pieces: KnownPieces::default(),
            sets: PieceSets::default(),
            is_corrected: false,
            learned_pictures: None,
            missed_readings: 0,
            undecided_readings: 0,
            unrecognized_readings: 0,
            choices: Vec::new(),
            reported_game: None,
            state: None,
            has_resumed: false,
            reported_area: None,
        }
    }

    /// Continues a game that was reported before.
    pub fn resume(&mut self, game: &LiveGame) {
        let record = &game.record;
        let last = record
            .main_line()
            .filter(|node| record.node(*node).mv().is_some())
            .last();
        let history = record.history_at(last.unwrap_or(NodeId::START));
        self.tracker = Tracker::from_history(&history, self.tracker.mode());
        self.reported_game = game
            .id
            .parse()
            .ok()
            .map(|number| ReportedGame { history, number });
        self.has_resumed = true;
    }

    /// Sets the known piece sets. An empty collection also clears the pieces of this board.
    pub fn set_piece_sets(&mut self, sets: PieceSets) {
        if sets.is_empty() && !self.sets.is_empty() {
            self.known_pieces = KnownPieces::default();
        }
        self.sets = sets;
    }

    /// Returns the pieces of this board; `None` if none was learnt since the last call. Only games from a known start
    /// and corrected boards give certain pieces.
    pub const fn take_learned(&mut self) -> Option<Templates> {
        self.learned_pictures.take()
    }

    /// Returns whether no board is known.
    pub const fn is_searching(&self) -> bool {
        self.board.is_none()
    }

    /// Changes how the board is followed.
    pub fn set_following(&mut self, wanted: ScreenFollowing) {
        let mode = if wanted.follows_everything {
            TrackingMode::Everything
        } else {
            TrackingMode::Game
        };
        if self.tracker.mode() != mode {
            self.tracker.set_mode(mode);
        }
        if self.tracker.is_rotated() != wanted.is_rotated {
            self.tracker.set_rotated(wanted.is_rotated);
            self.proposes_rotation = false;
        }
    }

    /// Reads a picture of [`Self::next_area`]. Returns the events, and the time until the next reading.
    pub fn update(&mut self, seen: &ScreenPicture) -> (Vec<SourceEvent>, Duration) {
        self.update_with_titles(seen, |_| None)
    }

    /// Reads a picture like [`Self::update`]. `title_at` returns the title of the window at a pixel of the screen.
    pub(super) fn update_with_titles(
        &mut self,
        seen: &ScreenPicture,
        title_at: impl Fn((i32, i32)) -> Option<String>,
    ) -> (Vec<SourceEvent>, Duration) {
        let mut events = Vec::new();
        if self.board.is_some() {
            self.read(seen, &mut events);
        } else if !self.restore_lost_board(seen) {
            if self.is_search_next() {
                self.search(seen, title_at, &mut events);
                self.readings_to_search = READINGS_PER_SEARCH;
            } else {
                self.readings_to_search -= 1;
            }
        }
        if let Some(area) = self
            .board
            .as_ref()
            .map(|board| area_of(&board.grid, MARGIN_SQUARES))
            && self.reported_area.replace(area) != Some(area)
        {
            events.push(SourceEvent::Board(area));
        }
        let after = match (&self.board, &self.lost_board) {
            (None, None) => SEARCH_INTERVAL,
            (None, Some(_)) => CALM_INTERVAL,
            (Some(_), _)
                if self.missed_readings == 0
                    && !(1..=MAX_BUSY_READINGS).contains(&self.undecided_readings) =>
            {
                CALM_INTERVAL
            }
            (Some(_), _) => BUSY_INTERVAL,
        };
        (events, after)
    }

    pub(super) const fn is_search_next(&self) -> bool {
        self.board.is_none() && (self.lost_board.is_none() || self.readings_to_search == 0)
    }

    /// Delays the next search by `pause`. Returns the time until the next reading.
    pub(super) fn delay_search(&mut self, pause: Duration) -> Duration {
        if self.lost_board.is_none() {
            return pause;
        }
        let readings = u32::try_from(pause.as_millis() / CALM_INTERVAL.as_millis()).unwrap_or(u32::MAX);
        self.readings_to_search = self.readings_to_search.max(readings);
        CALM_INTERVAL
    }

    /// Restarts the search for the board and keeps the game. The window may have moved, or the screen may be smaller
    /// now.
    pub(super) fn forget_grid(&mut self) {
        (self.board, self.doubted_board, self.lost_board) = (None, None, None);
        (self.missed_readings, self.unrecognized_readings) = (0, 0);
    }

    /// Handles a capture that has failed and may succeed later. Returns the event, and the time until the next capture.
    pub(super) fn on_capture_failed(&mut self, problem: SourceProblem) -> (SourceEvent, Duration) {
        // The next state is reported even if it is the same as before the failure.
        self.state = None;
        (
            SourceEvent::State(SourceState::Lost {
                problem,
                retry_in: CAPTURE_RETRY_PAUSE,
            }),
            CAPTURE_RETRY_PAUSE,
        )
    }

    /// Returns the area to capture: the frame of the board, or the area of the search.
    pub fn next_area(&self) -> Option<ScreenArea> {
        let known = match &self.board {
            None if !self.is_search_next() => self.lost_board.as_ref(),
            board => board.as_ref(),
        };
        known.map_or(self.area, |board| Some(area_of(&board.grid, MARGIN_SQUARES)))
    }

    /// Restores the lost board where its pieces look as before. Returns whether they do.
    fn restore_lost_board(&mut self, seen: &ScreenPicture) -> bool {
        let Some(lost) = self.lost_board.as_mut() else {
            return false;
        };
        let Some(grid) = moved_grid(&lost.grid, -seen.left, -seen.top) else {
            return false;
        };
        let thumbnails = square_thumbnails(&seen.picture, &grid);
        if !lost.has_pieces_as_before(&thumbnails) {
            return false;
        }
        lost.last_thumbnails = thumbnails;
        lost.moving_readings.fill(0);
        self.board = self.lost_board.take();
        (self.missed_readings, self.undecided_readings) = (0, 1);
        true
    }

    /// Searches for a board in a picture. Reports several boards as a choice.
    fn search(
        &mut self,
        seen: &ScreenPicture,
        title_at: impl Fn((i32, i32)) -> Option<String>,
        events: &mut Vec<SourceEvent>,
    ) {
        let sets = self.sets.with(self.known_pieces.templates.clone());
        let mut boards = read_boards(&seen.picture, self.network, &sets);
        boards.retain(|board| is_board(&board.squares));
        let on_screen = |board: &BoardReading| moved_grid(&board.grid, seen.left, seen.top);
        let is_lost = self.reported_game.is_some();
        if boards.len() > 1
            && let Some(last) = self.last_grid
        {
            // Only the board nearest to the last grid is kept.
            let far = |board: &BoardReading| {
                on_screen(board).map_or(f32::MAX, |grid| corner_distance(&grid, &last))
            };
            boards.sort_by(|left, right| far(left).total_cmp(&far(right)));
            boards.truncate(1);
        }
        if boards.len() > 1 {
            let grids = boards.iter().filter_map(on_screen);
            let mut choices: Vec<ScreenArea> = grids.map(|grid| area_of(&grid, 0.5)).collect();
            choices.sort_by_key(|area| (area.top, area.left));
            if choices != self.choices {
                events.push(SourceEvent::Games(
                    choices.iter().map(|area| choice(*area, &title_at)).collect(),
                ));
                self.choices = choices;
            }
            return;
        }
        let found = boards.pop().and_then(|board| Some((on_screen(&board)?, board)));
        if let Some(doubted) = self.doubted_board.take()
            && found.as_ref().is_none_or(|(grid, _)| doubted.is_at(grid))
        {
            self.board = Some(doubted);
            return;
        }
        let Some((grid, board)) = found else {
            let state = if is_lost {
                ScreenState::Gone
            } else {
                ScreenState::Searching(titles(&seen.program_windows))
            };
            self.set_state(SourceState::Screen(state), events);
            return;
        };
        if self.lost_board.as_ref().is_some_and(|lost| !lost.is_at(&grid)) && !self.shows_game(&board.classes)
        {
            // Another board is visible while an object covers that of the game.
            self.other_board_searches += 1;
            if self.other_board_searches < MAX_OTHER_BOARD_SEARCHES {
                self.set_state(SourceState::Screen(ScreenState::Gone), events);
                return;
            }
        }
        self.other_board_searches = 0;
        let thumbnails = square_thumbnails(&seen.picture, &board.grid);
        let (last, moving) = (thumbnails.clone(), vec![0; thumbnails.len()]);
        let covered = covered_squares(seen, &board.grid);
        if !is_lost && !self.tracker.is_rotated() {
            self.proposes_rotation = coordinates::is_rotated(&seen.picture, &board.grid) == Some(true);
        }
        // The hands of a known game are known. For an unknown game, some of the pieces are better than none.
        let seen_hands =
            (!self.shows_game(&board.classes)).then(|| board.read_hands(&seen.picture, self.network));
        let hands = seen_hands
            .filter(|hands| hands.is_whole || !is_lost)
            .map(|hands| hands.visible_pieces);
        let BoardReading {
            separate,
            piece_set,
            mut squares,
            ..
        } = board;
        hide(&mut squares, &covered);
        // The set that was found may be the one of the board before.
        self.known_pieces.has_uncertain_pictures &= piece_set.is_some();
        self.known_pieces.templates = piece_set.as_deref().cloned().unwrap_or_default();
        if piece_set.is_some_and(|set| self.sets.is_older(&set)) {
            // The set is stored again, as the one that was seen last.
            self.learned_pictures = Some(self.known_pieces.templates.clone());
        }
        self.board = Some(WatchedBoard {
            grid,
            last_thumbnails: last,
            moving_readings: moving,
            read_thumbnails: thumbnails,
            squares,
            network_squares: separate.squares,
            covered_squares: covered,
            pictures: separate.pictures,
            has_new_pictures: true,
            learned_classes: Vec::new(),
            hands,
            pieces: Vec::new(),
        });
        (self.last_grid, self.lost_board) = (Some(grid), None);
        (self.missed_readings, self.undecided_readings) = (0, 1);
    }

    /// Returns whether most of these classes are those of the current position. A few moves may have been played.
    fn shows_game(&self, classes: &[usize]) -> bool {
        let expected = self.tracker.expected_classes();
        let others = expected
            .iter()
            .zip(classes)
            .filter(|(expected, class)| expected != class)
            .count();
        !expected.is_empty() && others <= MAX_WRONG_SQUARES
    }

    /// Reads the board at its known grid.
    fn read(&mut self, seen: &ScreenPicture, events: &mut Vec<SourceEvent>) {
        let Some(board) = &mut self.board else { return };
        let grid_on_screen = board.grid;
        let Some(grid) = moved_grid(&grid_on_screen, -seen.left, -seen.top) else {
            return;
        };
        let covered = covered_squares(seen, &grid);
        if self.reported_game.is_none() && covered.is_empty() && !board.covered_squares.is_empty() {
            // Without a game, the uncovered board is searched again and read completely, with the pieces in hand.
            self.board = None;
            return;
        }
        let expected = self.tracker.expected_classes();
        let known = BoardKnowledge {
            expected_classes: &expected,
            templates: &self.known_pieces.templates,
        };
        let moving = board.update(seen, &grid, &covered, self.network, &known);
        let shows_game = board.shows(&expected);
        let is_still = moving.is_empty();
        let event = if is_still && !is_board(&board.squares) {
            BoardEvent::Lost
        } else if (1..=MAX_MOVING_SQUARES).contains(&moving.len()) {
            self.tracker.update_around(&board.squares, &moving)
        } else {
            self.tracker.update(&Reading {
                squares: &board.squares,
                hands: board.hands,
                is_still,
            })
        };
        let event = match event {
            BoardEvent::Lost if covered.len() >= MIN_COVERED_SQUARES => {
                Some(BoardEvent::Hidden(covered.len()))
            }
            // While many squares move, none is read: the classes are outdated.
            BoardEvent::Lost if moving.len() > MAX_MOVING_SQUARES => Some(BoardEvent::Waiting),
            BoardEvent::Lost => None,
            event => Some(event),
        };
        let Some(event) = event else {
            self.missed_readings += 1;
            if self.missed_readings > MAX_MISSED_READINGS {
                self.lost_board = self.board.take();
                (self.missed_readings, self.unrecognized_readings) = (0, 0);
                (self.readings_to_search, self.other_board_searches) = (0, 0);
                self.set_state(SourceState::Screen(ScreenState::Gone), events);
            }
            return;
        };
        self.missed_readings = 0;
        let is_decided = !matches!(event, BoardEvent::Waiting | BoardEvent::Hidden(_));
        self.undecided_readings = if is_decided {
            0
        } else {
            self.undecided_readings.saturating_add(1)
        };
        if matches!(
            event,
            BoardEvent::Unchanged | BoardEvent::Played { .. } | BoardEvent::NewBoard { .. }
        ) {
            board.hands = None;
        }
        if matches!(event, BoardEvent::NewBoard { .. }) && self.known_pieces.has_uncertain_pictures {
            // The board before may have been misread.
            self.known_pieces = KnownPieces::default();
            board.has_new_pictures = true;
            board.learned_classes.clear();
        }
        if matches!(event, BoardEvent::Unchanged) {
            let squares = expected.into_iter().zip(&board.last_thumbnails).enumerate();
            board.pieces = squares
                .filter(|(_, (class, _))| *class != EMPTY)
                .map(|(index, (_, thumbnail))| SeenPiece {
                    index,
                    thumbnail: *thumbnail,
                })
                .collect();
            self.learn();
        }
        // A correction concerns one board only.
        self.is_corrected &= !matches!(event, BoardEvent::NewBoard { .. });
        match event {
            BoardEvent::Unchanged | BoardEvent::Played { .. } | BoardEvent::NewBoard { .. } => {
                self.unrecognized_readings = 0;
            }
            BoardEvent::Hidden(_) if covered.len() < MIN_COVERED_SQUARES && shows_game => {}
            _ => self.unrecognized_readings += u32::from(is_still),
        }
        self.proposes_rotation &= !matches!(event, BoardEvent::Played { .. });
        if self.unrecognized_readings >= MAX_UNRECOGNIZED_READINGS {
            // The board may have moved or become smaller, so it is searched again.
            self.unrecognized_readings = 0;
            self.doubted_board = self.board.take();
        }
        let program_windows = || {
            titles(
                seen.program_windows
                    .iter()
                    .filter(|window| area_of(&grid_on_screen, MARGIN_SQUARES).overlaps(window.area)),
            )
        };
        if let Some(state) = self.state_after(&event, covered.len(), program_windows, events) {
            self.set_state(state, events);
        }
    }

    /// Returns the state after an event, and reports a changed game. `None` if the state remains. `covered` is the
    /// number of covered squares.
    /// `program_windows` returns the titles of this program's windows over the board.
    fn state_after(
        &mut self,
        event: &BoardEvent,
        covered: usize,
        program_windows: impl Fn() -> Vec<String>,
        events: &mut Vec<SourceEvent>,
    ) -> Option<SourceState> {
        let is_away = self.state == Some(SourceState::Screen(ScreenState::Away));
        let state = match event {
            // A cover over another board does not show the game.
            BoardEvent::Waiting | BoardEvent::Hidden(_) if is_away => return None,
            BoardEvent::Unchanged | BoardEvent::Played { .. } | BoardEvent::NewBoard { .. } => {
                // A resumed game is reported again.
                if std::mem::take(&mut self.has_resumed) || !matches!(event, BoardEvent::Unchanged) {
                    self.report_game(events);
                }
                return Some(self.calm_state());
            }
            BoardEvent::Waiting | BoardEvent::Hidden(_)
                if self.undecided_readings < MIN_UNDECIDED_READINGS =>
            {
                return None;
            }
            BoardEvent::Hidden(_) if covered > 0 => ScreenState::Covered(covered, program_windows()),
            BoardEvent::Waiting | BoardEvent::Lost => ScreenState::Moving,
            BoardEvent::Hidden(count) => ScreenState::Hidden(*count),
            BoardEvent::Impossible if self.reported_game.is_none() => {
                ScreenState::Searching(program_windows())
            }
            BoardEvent::Impossible | BoardEvent::Away => ScreenState::Away,
            BoardEvent::NoKing => ScreenState::NoKing,
            BoardEvent::Rotated => ScreenState::Rotated,
        };
        Some(SourceState::Screen(state))
    }

    /// Learns the pictures of the pieces from squares that show the game.
    fn learn(&mut self) {
        let Some(board) = self.board.as_mut().filter(|board| board.has_new_pictures) else {
            return;
        };
        board.has_new_pictures = false;
        let before = self.known_pieces.templates.pictures().count();
        let expected = self.tracker.expected_classes();
        let seen = board.pictures.iter().zip(&board.network_squares);
        for (index, (class, (picture, square))) in expected.iter().copied().zip(seen).enumerate() {
            // A faint piece on an empty square must not be learnt as empty. The network sees such a piece.
            let is_doubtful = class == EMPTY
                && square
                    .get(EMPTY)
                    .is_none_or(|chance| *chance < MIN_EMPTY_PROBABILITY);
            // An arrow may lie over a piece that has not moved.
            let is_needed = board.learned_classes.get(index) != Some(&class)
                || self
                    .known_pieces
                    .templates
                    .pictures()
                    .all(|(known, _)| known != class);
            if !is_doubtful && is_needed && self.known_pieces.templates.lacks_pictures(class) {
                self.known_pieces.templates.learn(class, picture);
            }
        }
        board.learned_classes = expected;
        if self.known_pieces.templates.pictures().count() != before {
            let from_start = || {
                self.tracker
                    .history()
                    .is_some_and(|history| is_known_start(history.start()))
            };
            self.known_pieces.has_uncertain_pictures |= !self.is_corrected && !from_start();
            if !self.known_pieces.has_uncertain_pictures {
                self.learned_pictures = Some(self.known_pieces.templates.clone());
            }
        }
    }

    /// Returns the state after a reading that shows the game.
    fn calm_state(&self) -> SourceState {
        if self.proposes_rotation {
            return SourceState::Screen(ScreenState::Rotated);
        }
        let UnknownParts {
            is_side_unknown: side_to_move,
            hands,
        } = self.tracker.unknown_parts();
        let doubt = match (hands != [0; 7], side_to_move) {
            (false, false) => return SourceState::Live,
            (true, false) => BoardDoubt::Hands,
            (false, true) => BoardDoubt::Side,
            (true, true) => BoardDoubt::HandsAndSide,
        };
        SourceState::Screen(ScreenState::PartUnknown(doubt))
    }

    /// Applies a correction by the user, from which the game continues, and returns the events. Returns only
    /// [`SourceEvent::NotCorrected`], and changes nothing, if the tracker refuses the correction.
    pub fn correct(&mut self, correction: &BoardCorrection) -> Vec<SourceEvent> {
        let mut events = Vec::new();
        let squares = self
            .board
            .as_ref()
            .map(|board| board.squares.as_slice())
            .unwrap_or_default();
        let before = self.tracker.history();
        let with_twins = self
            .with_twins(correction)
            .filter(|with_twins| self.tracker.correct(with_twins, squares));
        if with_twins.is_none() && !self.tracker.correct(correction, squares) {
            return vec![SourceEvent::NotCorrected];
        }
        self.is_corrected = true;
        // Pictures of misread squares are discarded.
        self.known_pieces = KnownPieces::default();
        if let Some(board) = &mut self.board {
            (board.has_new_pictures, board.hands) = (true, None);
            board.learned_classes.clear();
        }
        let has_moves = |other: &History| {
            before
                .as_ref()
                .is_some_and(|before| before.moves() == other.moves())
        };
        if let (Some(history), Some(reported)) =
            (self.tracker.history().filter(has_moves), &mut self.reported_game)
        {
            // A game with the same moves keeps its number, although its start differs.
            reported.history = history;
        }
        self.report_game(&mut events);
        let is_in_view = matches!(
            self.state,
            Some(SourceState::Live | SourceState::Screen(ScreenState::PartUnknown(_) | ScreenState::Rotated))
        );
        if is_in_view {
            self.set_state(self.calm_state(), &mut events);
        }
        events
    }

    /// Returns a correction with further pieces: those that look like the corrected ones. `None` without such pieces,
    /// if they would make the position illegal, or if the corrected position is not the current one.
    fn with_twins(&self, correction: &BoardCorrection) -> Option<BoardCorrection> {
        let board = self.board.as_ref()?;
        self.tracker
            .history()
            .filter(|history| history.moves() == correction.moves)?;
        let read = self.tracker.expected_classes();
        let asked = self.tracker.classes_of(&correction.position);
        let is_rotated = self.tracker.is_rotated();
        let in_picture = |square: Square| {
            if is_rotated {
                80 - square_index(square)
            } else {
                square_index(square)
            }
        };
        let side = |class: usize| if is_rotated { opposite_class(class) } else { class };
        let corrected_squares: Vec<usize> = (0..asked.len())
            .filter(|index| asked.get(*index) != read.get(*index))
            .collect();
        let corrected = corrected_classes(
            &board.pictures,
            &board.network_squares,
            &read,
            &asked,
            &corrected_squares,
        );
        let mut setup = Setup::from_position(&correction.position);
        for square in Square::all() {
            let at = in_picture(square);
            if let Some(now) = corrected.get(at).filter(|now| Some(*now) != asked.get(at)) {
                setup.put(square, piece(side(*now)));
            }
        }
        let position = setup.build(
            correction.position.side_to_move(),
            correction.position.move_number(),
        );
        let is_other =
            corrected != asked && position.problems().len() <= correction.position.problems().len();
        is_other.then(|| BoardCorrection {
            position,
            ..correction.clone()
        })
    }

    fn set_state(&mut self, state: SourceState, events: &mut Vec<SourceEvent>) {
        if self.state.as_ref() != Some(&state) {
            self.state = Some(state.clone());
            events.push(SourceEvent::State(state));
        }
    }

    fn report_game(&mut self, events: &mut Vec<SourceEvent>) {
        let Some(history) = self.tracker.history() else {
            return;
        };
        let number = match &self.reported_game {
            Some(reported) if is_same_game(&reported.history, &history) => reported.number,
            Some(reported) => reported.number + 1,
            None => 1,
        };
        let record = Record::from_history(&history);
        events.push(SourceEvent::Game(LiveGame::from_record(
            number.to_string(),
            Arc::new(record),
        )));
        self.reported_game = Some(ReportedGame { history, number });
    }
}

/// Returns whether a game continues the reported one, with its start and first move.
fn is_same_game(before: &History, now: &History) -> bool {
    let first = |history: &History| history.moves().first().copied();
    let (old, new): (Option<Move>, Option<Move>) = (first(before), first(now));
    let is_new_start = board_part(before.start()) != board_part(now.start());
    !is_new_start && (old.is_none() || old == new)
}

/// Returns whether a position has the board of the start of an even or handicap game.
fn is_known_start(position: &Position) -> bool {
    let board = board_part(position);
    shogibar_kifu::handicaps()
        .filter_map(shogibar_kifu::handicap)
        .any(|start| board_part(&start) == board)
}

/// Returns the pieces on the board. Side to move and hands may become known later.
fn board_part(position: &Position) -> String {
    position.sfen().split(' ').next().unwrap_or_default().to_owned()
}

fn titles<'a>(windows: impl IntoIterator<Item = &'a ProgramWindow>) -> Vec<String> {
    let mut titles: Vec<String> = windows.into_iter().map(|window| window.title.clone()).collect();
    titles.sort_unstable();
    titles.dedup();
    titles
}

/// The maximum length of a window's title in the title of a board, in characters.
const MAX_TITLE_CHARS: usize = 40;

/// Returns a choice for a board. The title is that of the window at the middle of the board, with size and position.
fn choice(area: ScreenArea, title_at: &impl Fn((i32, i32)) -> Option<String>) -> GameChoice {
    let ScreenArea {
        left,
        top,
        width,
        height,
    } = area;
    let middle = |from: i32, size: u32| from.saturating_add_unsigned(size / 2);
    let title = title_at((middle(left, width), middle(top, height))).unwrap_or_default();
    let title: String = title.chars().take(MAX_TITLE_CHARS).collect();
    let geometry = format!("{width} × {height} ({left}, {top})");
    let title = if title.is_empty() {
        geometry
    } else {
        format!("{title} · {geometry}")
    };
    GameChoice {
        title,
        address: format!("screen:{area}"),
    }
}

#[cfg(test)]
mod tests;
