//! The source of a game, and its state.

use super::Game;
use crate::ids::{FeedId, SourceId};
use crate::notices::Notice;
use shogibar_base::visible::short;
use shogibar_config::Command;
use shogibar_games::bar::LiveMark;
use shogibar_kifu::{NodeId, Record};
use shogibar_live::source_text::SourceRemark;
use shogibar_live::{
    EndCause, GameChoice, LiveAddress, LiveGame, ScreenArea, ScreenFollowing, ScreenState, SourceState,
};
use shogibar_shogi::BoardDoubt;
use std::sync::Arc;
use std::time::Duration;

/// The number of hidden squares from which the game is marked as covered, because a move may be missed.
const MIN_COVERED_SQUARES: usize = 9;
/// The shortest pause before the next try from which a source counts as lost.
const MIN_LOST_PAUSE: Duration = Duration::from_secs(1);

/// The largest number of moves of a game read off the screen that may be discarded without a question.
const MAX_DISCARDABLE_MOVES: usize = 3;

/// The source from which a game is followed, and its state.
#[derive(Debug)]
pub struct GameSource {
    pub(crate) id: SourceId,
    pub(crate) address: LiveAddress,
    pub(crate) state: SourceState,
    /// The id of the game within the source; `None` before it has arrived.
    pub(crate) game: Option<String>,
    /// The last record from the source; `None` before the first.
    last_record: Option<Arc<Record>>,
    /// Whether the source withholds the last moves.
    is_withheld: bool,
    /// Whether the source has sent a list of games, which may be empty.
    has_list: bool,
    /// The games to choose from.
    choices: Vec<GameChoice>,
    /// The titles of the games in `choices`.
    titles: Vec<String>,
    /// The index of the chosen game in `choices`; `None` if none was chosen.
    chosen_index: Option<usize>,
    /// The notice in place of an evaluation, while no game has arrived.
    notice: Option<Notice>,
    /// The state of following a board on the screen.
    pub(crate) screen: ScreenFollowing,
    pub(crate) board: Option<ScreenArea>,
    /// The unknown part of the position on the screen when it last held still.
    doubt: Option<BoardDoubt>,
}

impl GameSource {
    pub(crate) fn new(id: SourceId, address: LiveAddress) -> Self {
        let mut source = Self {
            id,
            address,
            state: SourceState::Waiting,
            game: None,
            last_record: None,
            is_withheld: false,
            has_list: false,
            choices: Vec::new(),
            titles: Vec::new(),
            chosen_index: None,
            notice: None,
            screen: ScreenFollowing::default(),
            board: None,
            doubt: None,
        };
        source.update_notice();
        source
    }

    /// Returns the address of the source.
    pub const fn address(&self) -> &LiveAddress {
        &self.address
    }

    /// Returns the games to choose from.
    pub fn choices(&self) -> &[GameChoice] {
        &self.choices
    }

    /// Returns the index of the chosen game; `None` if none was chosen.
    pub const fn chosen_index(&self) -> Option<usize> {
        self.chosen_index
    }

    /// Returns whether the source may report more events.
    pub const fn is_running(&self) -> bool {
        !matches!(self.state, SourceState::Ended(_))
    }

    /// Returns whether the user has to choose a game before anything can be shown.
    pub fn awaits_choice(&self) -> bool {
        !self.choices.is_empty() && self.game.is_none() && self.chosen_index.is_none() && !self.is_path()
    }

    /// Returns whether the source is out of reach, at least for a second.
    pub fn is_lost(&self) -> bool {
        match &self.state {
            SourceState::Lost { retry_in, .. } => *retry_in >= MIN_LOST_PAUSE,
            SourceState::Screen(state) => *state == ScreenState::Gone,
            _ => false,
        }
    }

    /// Returns the mark of a game that cannot be followed, or not wholly, at present; `None` if it can.
    pub fn live_mark(&self) -> Option<LiveMark> {
        match &self.state {
            SourceState::Screen(ScreenState::Gone) => Some(LiveMark::NotSeen),
            SourceState::Screen(ScreenState::Covered(..) | ScreenState::Hidden(MIN_COVERED_SQUARES..)) => {
                Some(LiveMark::Covered)
            }
            SourceState::Screen(ScreenState::Away | ScreenState::NoKing) => Some(LiveMark::Away),
            _ if self.is_lost() => Some(LiveMark::Lost),
            _ => self.doubt.map(LiveMark::PartUnknown),
        }
    }

    /// Returns the area of the board that is being read off the screen.
    pub fn board(&self) -> Option<ScreenArea> {
        if self.is_running() { self.board } else { None }
    }

    /// Returns whether White is at the bottom of the board on the screen.
    pub const fn is_rotated(&self) -> bool {
        self.screen.is_rotated
    }

    /// Returns whether the source is a board on the screen.
    pub const fn is_screen(&self) -> bool {
        matches!(self.address, LiveAddress::Screen(_))
    }

    /// Returns the command that the state of the source suggests.
    pub const fn suggested_command(&self) -> Command {
        match &self.state {
            SourceState::Screen(ScreenState::Rotated) => Command::SwapScreen,
            SourceState::Screen(ScreenState::Away) => Command::FollowScreen,
            SourceState::Screen(ScreenState::PartUnknown(_)) => Command::CorrectBoard,
            _ if self.is_screen() && !self.is_running() => Command::ReadScreen,
            _ => Command::OpenAddress,
        }
    }

    /// Returns the game that a new source of this address continues. `None` if no game has arrived, or a part of it is
    /// unknown.
    pub(crate) fn resumable_game(&self) -> Option<LiveGame> {
        let (id, record) = (self.game.as_ref()?, self.last_record.as_ref()?);
        self.doubt
            .is_none()
            .then(|| LiveGame::from_record(id.clone(), Arc::clone(record)))
    }

    /// Returns whether the source is a file or folder.
    const fn is_path(&self) -> bool {
        matches!(self.address, LiveAddress::Path(_))
    }

    /// Returns the message about the state of the source, for a page or a terminal.
    pub fn remark(&self) -> SourceRemark {
        match self.choices.len() {
            _ if self.address == LiveAddress::Clipboard => SourceRemark::Copied,
            count if self.awaits_choice() => SourceRemark::Choose(count),
            0 if self.has_list && self.game.is_none() && self.state == SourceState::Waiting => {
                SourceRemark::NoGames
            }
            _ => SourceRemark::from_state(&self.state, self.is_withheld),
        }
    }

    pub(crate) fn set_choices(&mut self, choices: Vec<GameChoice>, chosen: Option<usize>) {
        self.titles = choices
            .iter()
            .map(|choice| short(&choice.title).into_owned())
            .collect();
        (self.choices, self.chosen_index, self.has_list) = (choices, chosen, true);
        self.update_notice();
    }

    /// Returns the titles of the games to choose from, and the index of the game that is shown. The index is past the
    /// end if none is shown.
    pub fn titles(&self) -> (&[String], usize) {
        let shown = if self.is_path() { self.game.as_ref() } else { None };
        let at = shown.and_then(|game| self.choices.iter().position(|choice| choice.address == *game));
        (&self.titles, at.or(self.chosen_index).unwrap_or(usize::MAX))
    }

    pub(crate) fn set_state(&mut self, state: SourceState) {
        match &state {
            SourceState::Screen(ScreenState::PartUnknown(doubt)) => self.doubt = Some(*doubt),
            SourceState::Screen(ScreenState::Rotated) => self.doubt = Some(BoardDoubt::Rotated),
            SourceState::Live => self.doubt = None,
            // In other states, a part that was unknown stays unknown.
            _ => {}
        }
        self.state = state;
        self.update_notice();
    }

    /// Updates the notice in place of an evaluation: no game has arrived yet, or the source fails.
    fn update_notice(&mut self) {
        let is_refused = matches!(
            &self.state,
            SourceState::Ended(EndCause::Refused(_) | EndCause::Gone)
        );
        let notice = if is_refused {
            Notice::failure
        } else {
            Notice::pending
        };
        self.notice = self.game.is_none().then(|| notice(self.remark().into()));
    }
}

/// Returns whether the game is being read off a board on the screen that was found.
pub fn reads_screen(game: &Game) -> bool {
    game.source()
        .is_some_and(|source| source.is_screen() && source.is_running() && source.game.is_some())
}

impl Game {
    /// Returns the source of the game.
    pub const fn source(&self) -> Option<&GameSource> {
        self.source.as_ref()
    }

    /// Returns whether the game is empty because no game has arrived from its source.
    pub fn awaits_source(&self) -> bool {
        !self.was_opened && self.source.as_ref().is_some_and(|source| source.game.is_none())
    }

    /// Returns whether the source names games to choose from.
    pub fn has_choices(&self) -> bool {
        self.source
            .as_ref()
            .is_some_and(|source| !source.choices.is_empty())
    }

    /// Returns the titles of the games of the source or the file, and the index of the current game. The list is empty
    /// if there is only one.
    pub fn game_titles(&self) -> (&[String], usize) {
        match &self.source {
            Some(source) if !source.choices.is_empty() => source.titles(),
            _ => self.file.game_titles(),
        }
    }

    pub(crate) fn source_notice(&self) -> Option<&Notice> {
        self.source.as_ref().and_then(|source| source.notice.as_ref())
    }

    /// Sets the source. A new source of the same address continues the game of the old one, unless a part of that game
    /// is unknown. Returns the former source.
    pub(crate) fn set_source(&mut self, id: SourceId, address: &LiveAddress) -> Option<SourceId> {
        // An empty board counts as not opened, so that it is not searched while a game is awaited.
        self.was_opened &= !self.document.record().is_empty() || self.has_user_work();
        match &mut self.source {
            Some(source) if source.address == *address => {
                let before = std::mem::replace(&mut source.id, id);
                if source.doubt.take().is_some() {
                    // Another game begins.
                    source.game = None;
                }
                source.set_state(SourceState::Waiting);
                Some(before)
            }
            source => source
                .replace(GameSource::new(id, address.clone()))
                .map(|before| before.id),
        }
    }

    /// Returns whether another record must not replace this one. The record has unsaved moves or changes of the user,
    /// or the user is not at the newest position.
    pub(crate) fn keeps_record(&self) -> bool {
        self.has_user_work() || self.stays_behind() || self.is_unsaved()
    }

    /// Returns whether a source reports another game than the one that is shown.
    pub(crate) fn is_other_game(&self, live: &LiveGame) -> bool {
        let Some(source) = &self.source else { return false };
        let has_other_start = self.document.record().start() != live.record.start();
        // The start of a game on the screen may be corrected: a drop shows which pieces were in hand.
        let is_start_fixed = !source.is_screen();
        let is_other = match &source.game {
            Some(known) => *known != live.id || has_other_start && is_start_fixed,
            // The source has begun again, so the game of its last record is another one.
            None => source.last_record.is_some(),
        };
        is_other || has_other_start && self.has_user_work()
    }

    pub(crate) fn set_source_state(&mut self, state: SourceState) {
        let Some(source) = &mut self.source else { return };
        source.set_state(state);
        let start = source.last_record.as_ref().map(|base| base.start());
        match (source.doubt, start) {
            (Some(doubt), Some(start)) => self.unknown_part = Some((start.clone(), doubt)),
            // The unknown part stays if it belongs to another game, the former one.
            (None, Some(start)) => self.unknown_part = self.unknown_part.take().filter(|(of, _)| of != start),
            (_, None) => {}
        }
    }

    /// Removes and returns the source. The record is unchanged.
    pub(crate) fn take_source(&mut self) -> Option<GameSource> {
        let source = self.source.take()?;
        self.stop_following(FeedId::Source(source.id));
        Some(source)
    }

    /// Shows the game that a source reports. Evaluations of unchanged positions and additions of the user are kept. A
    /// user at the newest position follows the game; at another position, the user stays there.
    pub(crate) fn apply_live_game(&mut self, live: LiveGame) {
        let is_other = self.is_other_game(&live);
        let LiveGame {
            id,
            record,
            is_ended,
            is_withheld,
            ..
        } = live;
        let Some(source) = &mut self.source else { return };
        let (feed, is_first) = (FeedId::Source(source.id), source.game.is_none());
        let is_copied = source.address == LiveAddress::Clipboard;
        let base = source.last_record.replace(Arc::clone(&record));
        (source.game, source.is_withheld) = (Some(id), is_withheld);
        source.update_notice();
        self.unknown_part = source.doubt.map(|doubt| (record.start().clone(), doubt));
        let tip = record
            .main_line()
            .filter(|node| record.node(*node).mv().is_some())
            .last();
        let history = Arc::new(record.history_after(&self.history, tip.unwrap_or(NodeId::START)));
        if is_other || is_first && !self.has_user_work() {
            self.values.clear();
            self.begin_record(&record);
        } else {
            self.merge_newer_record(&record, base.as_deref());
        }
        if !is_copied {
            self.followed_positions.insert(feed, (history, 0));
        }
        self.was_opened = true;
        self.is_over = is_ended;
        // Moves on the screen cannot be read again later, so the record counts as unsaved.
        let was_read = || {
            self.document
                .record()
                .main_line()
                .nth(MAX_DISCARDABLE_MOVES)
                .is_some()
        };
        if self.source.as_ref().is_some_and(GameSource::is_screen) && was_read() {
            self.file.set_only_here();
        }
    }
}
