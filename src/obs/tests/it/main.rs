//! The client and the control of OBS against a real OBS, and against servers of our own.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and its helpers do I/O"
)]

mod fake_obs;
mod followed_game;
mod real_obs;
mod settings_file;
mod test_client;
