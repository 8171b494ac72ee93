//! The web server of the OBS pages: a bar for OBS, the boards of all games, the state as JSON.
//!
//! [`request`] decides on a request and is pure. [`WebServer`] has the sockets and threads. The contents of the pages
//! are in a [`FeedHub`], which stores only the newest message of each topic. So a slow client misses states and never
//! delays others.
//!
//! Only the loopback is served unless the caller binds another address. A request has to name this server in `Host`,
//! exactly, and the secret token in its path. No path reaches a file.
//!
//! # Examples
//! ```
//! use shogibar_serve::{AccessToken, FeedHub, FeedTopic, ServeConfig, WebServer};
//! use std::sync::Arc;
//!
//! let hub = Arc::new(FeedHub::new(|| {}));
//! let token = AccessToken::random().unwrap();
//! let config = ServeConfig { address: ([127, 0, 0, 1], 0).into(), token, assets: Vec::new(), control: None };
//! let server = WebServer::start(config, Arc::clone(&hub)).unwrap();
//! hub.publish(&FeedTopic::State, "{}");
//! assert!(server.url().starts_with("http://127.0.0.1:"));
//! ```

pub mod token;

pub mod request;

pub mod response;

mod assets;

pub mod feed;

mod client;

mod control;

mod server;

mod server_state;

pub use assets::page_assets;
pub use control::{ControlAddress, ControlHandler};
pub use feed::{Feed, FeedHub, FeedTopic};
pub use response::WebAsset;
pub use server::{ServeConfig, WebServer};
pub use token::AccessToken;
