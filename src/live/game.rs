//! The events of a source: the game, the state of the source, and a choice of games.

use crate::screen::area::ScreenArea;
use shogibar_kifu::{Container, ReadError, Record};
use shogibar_shogi::{BoardDoubt, Color};
use std::sync::Arc;
use std::time::Duration;

/// The largest number of games in a choice.
pub const MAX_CHOICES: usize = 1000;

/// An event of a source of a live game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceEvent {
    /// The game has changed. The event has the whole game, which may be shorter than before.
    Game(LiveGame),
    /// The state of the source has changed.
    State(SourceState),
    /// The games to choose from, the newest first where that is known.
    Games(Vec<GameChoice>),
    /// The area of the board on the screen, with a margin around it.
    Board(ScreenArea),
    /// The user's correction was refused. The corrected position is no longer in the game, or later moves do not fit
    /// the correction.
    NotCorrected,
}

/// The whole game up to now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveGame {
    /// The id of the game within its source: a path, an address, a server's id. A different id means a different game.
    pub id: String,
    /// The record. Its comments have the players' evaluations.
    pub record: Arc<Record>,
    /// Whether the game is over.
    pub is_ended: bool,
    /// Whether the source withholds the last moves.
    pub is_withheld: bool,
    /// The container of a copied game, and the number of games in the container; `None` for other games.
    pub container_and_count: Option<(Container, usize)>,
}

/// The state of a source of a live game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceState {
    /// No game has arrived yet.
    Waiting,
    /// The game is followed.
    Live,
    /// The source is out of reach. The last game stays valid.
    Lost {
        /// The reason why the source is out of reach.
        problem: SourceProblem,
        /// The time from this event to the next try.
        retry_in: Duration,
    },
    /// A board on the screen is searched or read, and the game is not known for certain.
    Screen(ScreenState),
    /// The source has ended and does nothing more.
    Ended(EndCause),
}

/// The reason why the game on the screen is not known for certain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScreenState {
    /// No board has been found yet. Holds the titles of windows of this program that may cover a board.
    Searching(Vec<String>),
    /// The picture is changing.
    Moving,
    /// This number of squares is hidden.
    Hidden(usize),
    /// Windows of this program cover this number of squares. Holds their titles.
    Covered(usize, Vec<String>),
    /// The board is gone, for example after a cut, or below another window.
    Gone,
    /// The picture shows an earlier position, a variation, another game or no legal board, which is not followed.
    Away,
    /// The board lacks a king, so that the position is not sent to an engine.
    NoKing,
    /// The picture fits the game when it is rotated by 180°, or the coordinates beside the board show White at the
    /// bottom.
    Rotated,
    /// The reading began in the middle of a game, and hands, side to move or orientation are unknown. All squares are
    /// known.
    PartUnknown(BoardDoubt),
}

/// The reason why a source has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// The game is over.
    GameOver,
    /// The user has stopped the source.
    Stopped,
    /// Nothing has changed for too long.
    Unchanged,
    /// The game is no longer on the server.
    Gone,
    /// The source cannot be used.
    Refused(SourceProblem),
}

/// The reason why a source has no game, or has lost it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceProblem {
    /// The file, folder, page or host does not exist.
    NotFound,
    /// The file or page may not be read.
    Denied,
    /// Another program has locked the file.
    Locked,
    /// The content is not a record.
    NotARecord(ReadError),
    /// The page names no record.
    NoRecordInDocument,
    /// The content can be read, and no longer has the followed game.
    GameGone,
    /// The folder has no record.
    EmptyFolder,
    /// The content is larger than the limit.
    TooLarge,
    /// The headers of the answer are larger than the limit.
    HeadersTooLarge,
    /// A line of the server is longer than the limit.
    LineTooLong,
    /// The server answered with this status.
    Status(u16),
    /// The server asks for fewer requests.
    TooManyRequests,
    /// The server did not answer in time.
    Timeout,
    /// The host could not be reached.
    Unreachable,
    /// The name of the host is not known.
    UnknownHost,
    /// The connection is not secure: the certificate is invalid, or there is none.
    Insecure,
    /// The answer broke off or was damaged.
    Truncated,
    /// The answer has an unknown encoding or form.
    Protocol,
    /// The proxy did not work.
    Proxy,
    /// The server, or a page, leads to an address that is not followed.
    Redirect(RedirectRefusal),
    /// The server refused name or password.
    WrongLogin,
    /// Somebody with this name is on the server already.
    NameInUse,
    /// The server has no such game.
    NoSuchGame,
    /// The server closed the connection.
    Closed,
    /// Programs cannot read the screen of this desktop.
    ScreenNotReadable,
    /// The screen cannot be read now.
    ScreenGone,
    /// The area to read is not on the screen.
    AreaGone,
    /// The system refused another request.
    System,
}

/// The reason why a redirect or a link in a page is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectRefusal {
    /// The target is on another host or port; the user may enter this address.
    OtherHost(String),
    /// The redirect leads from a public host into this machine or a private network.
    Local,
    /// The target is not a web address, or the redirect leads from `https` to `http`.
    Scheme,
    /// There are more than [`MAX_REDIRECTS`](crate::http::core::MAX_REDIRECTS) redirects.
    TooMany,
}

/// One of several games that a source offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameChoice {
    /// The source's name for the game.
    pub title: String,
    /// The address to open, as a user would enter it, without a password. For a CSA server, it is the id of the game.
    pub address: String,
}

impl LiveGame {
    /// Creates the live game of a record. It has ended if the record states a final end.
    pub fn from_record(id: String, record: Arc<Record>) -> Self {
        let is_ended = has_ended(&record);
        Self {
            id,
            is_ended,
            is_withheld: false,
            record,
            container_and_count: None,
        }
    }

    /// Returns the name of a player; `None` if it is unknown.
    pub fn player(&self, color: Color) -> Option<&str> {
        self.record.player(color)
    }
}

pub(crate) fn has_ended(record: &Record) -> bool {
    record
        .end()
        .is_some_and(|end| !end.is_pause() && (!end.is_cut() || end.is_decided()))
}
