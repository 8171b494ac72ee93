//! What a source reports: the game so far, its own state, and a choice of games.

use crate::kifu::{Container, ReadError, Record};
use crate::screen::area::ScreenArea;
use crate::shogi::Color;
use std::sync::Arc;
use std::time::Duration;

/// The largest number of games in a choice.
pub const MAX_CHOICES: usize = 1000;

/// An event of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceEvent {
    /// The game has changed. The whole of it follows each time; it may be shorter than before.
    Game(LiveGame),
    /// The state of the source has changed.
    State(SourceState),
    /// The games to choose from, the newest first where that is known.
    Games(Vec<GameChoice>),
    /// Where on the screen the board is, with its rim.
    Board(ScreenArea),
    /// A position that the user has put right is not that of the game any more, or its later moves do not fit it.
    NotCorrected,
}

/// The whole game so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveGame {
    /// The id of the game within its source: a path, an address, a server's id. Another id is another game.
    pub id: String,
    /// The record. The players' own evaluations are its comments.
    pub record: Arc<Record>,
    /// Whether the game is over.
    pub is_ended: bool,
    /// Whether the source withholds the last moves.
    pub is_withheld: bool,
    /// In what a copied game stood, and with how many others: the number of all games there.
    pub found: Option<(Container, usize)>,
}

/// The state of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceState {
    /// Nothing has come yet.
    Waiting,
    /// The game is followed.
    Live,
    /// The source is out of reach. The last game stays valid.
    Lost {
        /// What happened.
        problem: SourceProblem,
        /// How long after this event it is tried again.
        retry_in: Duration,
    },
    /// A board on the screen is looked at, and there is something to say about it.
    Screen(ScreenState),
    /// The source has ended and does nothing more.
    Ended(EndCause),
}

/// What is read off the screen at the moment, where it is not simply the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScreenState {
    /// No board has been found yet. Holds the titles of this program's own windows that it may be below.
    Searching(Vec<String>),
    /// The picture moves.
    Moving,
    /// So many squares are hidden.
    Hidden(usize),
    /// This program's own windows cover so many squares. Holds their titles.
    Covered(usize, Vec<String>),
    /// The board is gone: a cut, an advertisement, a window over it.
    Gone,
    /// The picture shows an earlier position, a variation or another game, and the game is stayed with.
    Away,
    /// The board has not both kings: no engine takes it.
    NoKing,
    /// The picture fits the game when it is turned by 180°.
    Turned,
    /// The board was taken in the middle of a game, of which this is not known.
    Unsure(BoardDoubt),
}

/// What is not known of a board on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardDoubt {
    /// The pieces in hand.
    Hands,
    /// The side to move.
    Side,
    /// The pieces in hand and the side to move.
    HandsAndSide,
    /// Which side is at the bottom.
    Turned,
}

/// Why a source has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EndCause {
    /// The game is over.
    GameOver,
    /// The user has stopped it.
    Stopped,
    /// Nothing has changed for too long.
    Unchanged,
    /// The game is no longer on the server.
    Gone,
    /// The source cannot be used.
    Refused(SourceProblem),
}

/// What went wrong at a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceProblem {
    /// There is no such file, folder, page or host.
    NotFound,
    /// The file or page may not be read.
    Denied,
    /// Another program has locked the file.
    Locked,
    /// The content is no record.
    NotARecord(ReadError),
    /// The page names no record.
    NoRecordInPage,
    /// The folder has no record.
    EmptyFolder,
    /// The content is larger than what is read.
    TooLarge,
    /// The headers of the answer are larger than what is read.
    HeadersTooLarge,
    /// A line of the server is longer than what is read.
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
    /// The answer is encoded or written in a way that is not understood.
    Protocol,
    /// The proxy did not work.
    Proxy,
    /// The server, or a page, leads to a place that is not followed.
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
    /// The area to look at is not on the screen.
    AreaGone,
    /// The system refused something else.
    System,
}

/// Why a redirect or a link in a page is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectRefusal {
    /// It leads to another host; the user may enter this address.
    OtherHost(String),
    /// It leads from a public host into this machine or a private network.
    Local,
    /// It leads to something that is no web address, or from `https` to `http`.
    Scheme,
    /// There are more than five.
    TooMany,
}

/// A game to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameChoice {
    /// What the source calls the game.
    pub title: String,
    /// The address to open, as a user would enter it, without a password; for a CSA server, the id of the game.
    pub address: String,
}

impl LiveGame {
    /// Describes a record.
    pub fn from_record(id: String, record: Arc<Record>) -> Self {
        let is_ended = record.end().is_some_and(|end| !end.is_pause() && (!end.is_cut() || end.is_decided()));
        Self { id, is_ended, is_withheld: false, record, found: None }
    }

    /// Returns the name of a player.
    pub fn player(&self, color: Color) -> Option<&str> {
        self.record.player(color)
    }
}
