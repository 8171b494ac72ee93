//! The effects of the application, each on a thread. What comes of one is an event.

pub mod files;
