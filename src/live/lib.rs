//! The sources of live games. They are growing files, folders, web addresses, CSA servers, lishogi, the clipboard and
//! the screen.
//!
//! An address is text ([`LiveAddress`]). [`LiveSource::start`] follows it on separate threads and reports
//! [`SourceEvent`]s. Each source is a pure core and a thin shell. The core gets events and the time and returns
//! effects; the shell has threads, sockets and the clock. Events are data without sentences. All input from outside is
//! bounded in size and time.
//!
//! The cores also limit the load on servers. They set the time between requests, the pauses after errors, and the
//! allowed redirects.
//!
//! # Examples
//! ```
//! use shogibar_live::{LiveAddress, LiveSource, SourceConfig, SourceEvent};
//! use std::sync::mpsc::sync_channel;
//!
//! let address = LiveAddress::parse("no-such-folder/game.kif").unwrap();
//! let (sender, events) = sync_channel(64);
//! let config = SourceConfig::new("1.0.0");
//! let source = LiveSource::start(address, &config, move |event| drop(sender.send(event))).unwrap();
//! match events.recv().unwrap() {
//!     SourceEvent::Game(game) => println!("{} moves, over: {}", game.record.len(), game.is_ended),
//!     SourceEvent::State(state) => println!("{state:?}"),
//!     SourceEvent::Games(choices) => println!("{} games to choose from", choices.len()),
//!     SourceEvent::Board(area) => println!("the board is at {area}"),
//!     SourceEvent::NotCorrected => println!("the position is another one by now"),
//! }
//! drop(source); // Its threads end; nothing is waited for.
//! ```

pub mod web_url;

pub mod retry;

pub mod address;

pub mod game;

pub mod reader;

pub mod clipboard;

mod output;

pub mod file;

pub mod source_document;

pub mod http;

pub mod csa;

pub mod lishogi;

pub mod screen;

mod source;
pub mod source_text;

pub use address::{AddressError, CsaAddress, LiveAddress};
pub use game::{
    EndCause, GameChoice, LiveGame, RedirectRefusal, ScreenState, SourceEvent, SourceProblem, SourceState,
};
pub use http::shell::fetch_once;
pub use output::EventQueue;
pub use screen::{
    BoardCorrection, PieceStorage, ProgramWindow, ScreenArea, ScreenCore, ScreenFollowing, ScreenPicture,
    SharedPieces,
};
pub use source::{LiveSource, SourceConfig};
pub use web_url::WebUrl;
