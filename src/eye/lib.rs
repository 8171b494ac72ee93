//! Reads a shogi board in a picture, and the moves from one picture to the next.
//!
//! The crate has no access to a screen, a file or a clock.

pub mod change;
pub mod coordinates;
pub mod find;
pub mod grid;
pub mod hands;
pub mod joint;
pub mod light;
pub mod linear;
pub mod lines;
pub mod network;
pub mod picture;
pub mod piece_sets;
pub mod prior;
pub mod reader;
pub mod templates;
pub mod track;

use network::Network;
use std::sync::LazyLock;

static NETWORK: LazyLock<Network> =
    LazyLock::new(|| Network::from_bytes(include_bytes!("../../assets/eye/weights.bin")).unwrap_or_default());

/// Returns the network that the program ships. `assets/eye/README.md` describes its training.
pub fn network() -> &'static Network {
    &NETWORK
}
