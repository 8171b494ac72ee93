//! The source of a game: where it is followed from, and the state of that.

use super::Game;
use crate::bar::LiveMark;
use crate::config::Command;
use crate::ids::{FeedId, SourceId};
use crate::kifu::{NodeId, Record};
use crate::live::{
    BoardDoubt, EndCause, GameChoice, LiveAddress, LiveGame, ScreenArea, ScreenFollowing, ScreenState, SourceState,
};
use crate::notices::Notice;
use crate::text::source::SourceRemark;
use crate::text::visible::short;
use std::sync::Arc;
use std::time::Duration;

/// With so many hidden squares a move may well go unseen.
const MUCH_HIDDEN: usize = 9;
/// A source that is tried again sooner than this is not said to be lost.
const SHORT_PAUSE: Duration = Duration::from_secs(1);

/// A game of at most so many moves that was read off the screen is no loss.
const FEW_MOVES: usize = 3;

/// The source of a game.
#[derive(Debug)]
pub struct GameSource {
    pub(crate) id: SourceId,
    pub(crate) address: LiveAddress,
    pub(crate) state: SourceState,
    /// The id of the game within the source; `None` before it has come.
    pub(crate) game: Option<String>,
    /// The record as the source had it last.
    base: Option<Arc<Record>>,
    is_withheld: bool,
    /// The games to choose from, and their titles. The flag tells whether there was a list, which may be empty.
    has_list: bool,
    choices: Vec<GameChoice>,
    titles: Vec<String>,
    /// The index of the chosen one.
    chosen: Option<usize>,
    notice: Option<Notice>,
    /// How a board on the screen is followed.
    pub(crate) screen: ScreenFollowing,
    /// Where on the screen its board is.
    pub(crate) board: Option<ScreenArea>,
    /// What the screen did not tell of the position when it last held still.
    doubt: Option<BoardDoubt>,
}

impl GameSource {
    /// Creates a source of which nothing has come.
    pub(crate) fn new(id: SourceId, address: LiveAddress) -> Self {
        let mut source = Self {
            id,
            address,
            state: SourceState::Waiting,
            game: None,
            base: None,
            is_withheld: false,
            has_list: false,
            choices: Vec::new(),
            titles: Vec::new(),
            chosen: None,
            notice: None,
            screen: ScreenFollowing::default(),
            board: None,
            doubt: None,
        };
        source.update_notice();
        source
    }

    /// The address.
    pub const fn address(&self) -> &LiveAddress {
        &self.address
    }

    /// The games to choose from.
    pub fn choices(&self) -> &[GameChoice] {
        &self.choices
    }

    /// The index of the chosen one.
    pub const fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    /// Whether it may still report something.
    pub const fn is_running(&self) -> bool {
        !matches!(self.state, SourceState::Ended(_))
    }

    /// Whether the user has to choose a game before anything can be shown.
    pub fn awaits_choice(&self) -> bool {
        !self.choices.is_empty() && self.game.is_none() && self.chosen.is_none() && !self.is_path()
    }

    /// Whether the source is out of reach for some time.
    pub fn is_lost(&self) -> bool {
        match &self.state {
            SourceState::Lost { retry_in, .. } => *retry_in >= SHORT_PAUSE,
            SourceState::Screen(state) => *state == ScreenState::Gone,
            _ => false,
        }
    }

    /// The mark of a game that is not seen, or not wholly, at the moment.
    pub fn mark(&self) -> Option<LiveMark> {
        match &self.state {
            SourceState::Screen(ScreenState::Gone) => Some(LiveMark::NotSeen),
            SourceState::Screen(ScreenState::Covered(..) | ScreenState::Hidden(MUCH_HIDDEN..)) => {
                Some(LiveMark::Covered)
            }
            SourceState::Screen(ScreenState::Away | ScreenState::NoKing) => Some(LiveMark::Away),
            _ if self.is_lost() => Some(LiveMark::Lost),
            _ => self.doubt.map(LiveMark::Unsure),
        }
    }

    /// Where on the screen the board is that is read.
    pub fn board(&self) -> Option<ScreenArea> {
        self.board.filter(|_| self.is_running())
    }

    /// Whether White is at the bottom of the board on the screen.
    pub const fn is_turned(&self) -> bool {
        self.screen.is_turned
    }

    /// Whether it is a board on the screen.
    pub const fn is_screen(&self) -> bool {
        matches!(self.address, LiveAddress::Screen(_))
    }

    /// The command that the state of the source suggests.
    pub const fn command(&self) -> Command {
        match &self.state {
            SourceState::Screen(ScreenState::Turned) => Command::SwapScreen,
            SourceState::Screen(ScreenState::Away) => Command::FollowScreen,
            SourceState::Screen(ScreenState::Unsure(_)) => Command::CorrectBoard,
            _ if self.is_screen() && !self.is_running() => Command::ReadScreen,
            _ => Command::OpenAddress,
        }
    }

    /// The game that a source of the same address goes on with. `None` where nothing has come, or not all is known of it.
    pub(crate) fn begun(&self) -> Option<LiveGame> {
        let (id, record) = (self.game.as_ref()?, self.base.as_ref()?);
        self.doubt.is_none().then(|| LiveGame::from_record(id.clone(), Arc::clone(record)))
    }

    const fn is_path(&self) -> bool {
        matches!(self.address, LiveAddress::Path(_))
    }

    /// What the source does, for a page or a terminal.
    pub fn remark(&self) -> SourceRemark {
        match self.choices.len() {
            _ if self.address == LiveAddress::Clipboard => SourceRemark::Copied,
            count if self.awaits_choice() => SourceRemark::Choose(count),
            0 if self.has_list && self.game.is_none() && self.state == SourceState::Waiting => SourceRemark::NoGames,
            _ => SourceRemark::from_state(&self.state, self.is_withheld),
        }
    }

    /// Sets the games to choose from.
    pub(crate) fn set_choices(&mut self, choices: Vec<GameChoice>, chosen: Option<usize>) {
        self.titles = choices.iter().map(|choice| short(&choice.title).into_owned()).collect();
        (self.choices, self.chosen, self.has_list) = (choices, chosen, true);
        self.update_notice();
    }

    /// The titles of the games to choose from, and the index of the one that is shown; past the end where none is.
    pub fn titles(&self) -> (&[String], usize) {
        let shown = self.game.as_ref().filter(|_| self.is_path());
        let at = shown.and_then(|game| self.choices.iter().position(|choice| choice.address == *game));
        (&self.titles, at.or(self.chosen).unwrap_or(usize::MAX))
    }

    pub(crate) fn set_state(&mut self, state: SourceState) {
        match &state {
            SourceState::Screen(ScreenState::Unsure(doubt)) => self.doubt = Some(*doubt),
            SourceState::Screen(ScreenState::Turned) => self.doubt = Some(BoardDoubt::Turned),
            SourceState::Live => self.doubt = None,
            // A position of which not all is known stays so.
            _ => {}
        }
        self.state = state;
        self.update_notice();
    }

    /// What is said on the bar instead of an evaluation: nothing has come yet, or the source cannot be used.
    fn update_notice(&mut self) {
        let is_refused = matches!(&self.state, SourceState::Ended(EndCause::Refused(_) | EndCause::Gone));
        let notice = if is_refused { Notice::failure } else { Notice::pending };
        self.notice = self.game.is_none().then(|| notice(self.remark().into()));
    }
}

/// Whether a board on the screen is read for a game, and was found.
pub fn reads_screen(game: &Game) -> bool {
    game.source().is_some_and(|source| source.is_screen() && source.is_running() && source.game.is_some())
}

impl Game {
    /// The source of the game.
    pub const fn source(&self) -> Option<&GameSource> {
        self.source.as_ref()
    }

    /// Whether the game is empty, as nothing has come from its source.
    pub fn awaits_source(&self) -> bool {
        !self.opened && self.source.as_ref().is_some_and(|source| source.game.is_none())
    }

    /// Whether the source names games to choose from.
    pub fn has_choices(&self) -> bool {
        self.source.as_ref().is_some_and(|source| !source.choices.is_empty())
    }

    /// The titles of the games to select from, those of the source or of the file, and the index of the current one.
    /// Empty where there is only one.
    pub fn game_titles(&self) -> (&[String], usize) {
        match &self.source {
            Some(source) if !source.choices.is_empty() => source.titles(),
            _ => self.file.game_titles(),
        }
    }

    /// The notice of the source, in place of an evaluation.
    pub(crate) fn source_notice(&self) -> Option<&Notice> {
        self.source.as_ref().and_then(|source| source.notice.as_ref())
    }

    /// Sets the source. One of the same address goes on with what has come. Returns the one before.
    pub(crate) fn set_source(&mut self, id: SourceId, address: &LiveAddress) -> Option<SourceId> {
        // An empty board that stands for what is awaited is not searched.
        self.opened &= !self.document.record().is_empty() || self.has_user_work();
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
            source => source.replace(GameSource::new(id, address.clone())).map(|before| before.id),
        }
    }

    /// Whether another record must not take the place of this one: it has something of the user's, the user looks at
    /// another position than the newest, or its moves were read off the screen, where nobody can read them again.
    pub(crate) fn keeps_record(&self) -> bool {
        self.has_user_work() || self.stays_behind() || self.is_unsaved()
    }

    /// Whether a source's event is about another game than the one that is shown.
    pub(crate) fn is_other_game(&self, live: &LiveGame) -> bool {
        let Some(source) = &self.source else { return false };
        let has_other_start = self.document.record().start() != live.record.start();
        // On the screen a drop tells what was in hand at the start.
        let is_start_fixed = !source.is_screen();
        let is_other = match &source.game {
            Some(known) => *known != live.id || has_other_start && is_start_fixed,
            // What it has shown before is not gone on with.
            None => source.base.is_some(),
        };
        is_other || has_other_start && self.has_user_work()
    }

    /// Notes the state of the source.
    pub(crate) fn set_source_state(&mut self, state: SourceState) {
        let Some(source) = &mut self.source else { return };
        source.set_state(state);
        let start = source.base.as_ref().map(|base| base.start());
        match (source.doubt, start) {
            (Some(doubt), Some(start)) => self.unsure = Some((start.clone(), doubt)),
            // The game before keeps what is not known of it.
            (None, Some(start)) => self.unsure = self.unsure.take().filter(|(unsure, _)| unsure != start),
            (_, None) => {}
        }
    }

    /// Takes the source away. The record stays as it is.
    pub(crate) fn take_source(&mut self) -> Option<GameSource> {
        let source = self.source.take()?;
        self.stop_following(FeedId::Source(source.id));
        Some(source)
    }

    /// Shows the game as its source has it now. The evaluations of unchanged positions stay, and so does what the user has
    /// added. A user at the newest position follows; one who looks at another stays there.
    pub(crate) fn take_live_game(&mut self, live: LiveGame) {
        let is_other = self.is_other_game(&live);
        let LiveGame { id, record, is_ended, is_withheld, .. } = live;
        let Some(source) = &mut self.source else { return };
        let (feed, is_first) = (FeedId::Source(source.id), source.game.is_none());
        let is_copied = source.address == LiveAddress::Clipboard;
        let base = source.base.replace(Arc::clone(&record));
        (source.game, source.is_withheld) = (Some(id), is_withheld);
        source.update_notice();
        self.unsure = source.doubt.map(|doubt| (record.start().clone(), doubt));
        let tip = record.main_line().filter(|node| record.node(*node).mv().is_some()).last();
        let history = Arc::new(record.history_after(&self.history, tip.unwrap_or(NodeId::START)));
        if is_other || is_first && !self.has_user_work() {
            self.kept.clear();
            self.begin_record(&record);
        } else {
            self.take_newer(&record, base.as_deref());
        }
        if !is_copied {
            self.followed.insert(feed, (history, 0));
        }
        self.opened = true;
        self.is_over = is_ended;
        // Nobody can read them on the screen again.
        let was_read = || self.document.record().main_line().nth(FEW_MOVES).is_some();
        if self.source.as_ref().is_some_and(GameSource::is_screen) && was_read() {
            self.file.set_only_here();
        }
    }
}
