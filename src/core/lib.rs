//! The shogi logic of Shogibar. The crate uses no file, process, thread or clock.
//!
//! The core is a separate crate, optimized for speed. The rest of the program is optimized for size.

pub mod percent;

pub mod random;

pub mod stable_hash;

pub mod shogi;

pub mod score;

pub mod kifu;

pub mod search;
