//! The program's data about a machine. [`store`] has the user's configuration folder, [`discovery`] the installed
//! engines, [`traffic`] the logs of their USI traffic.

use shogibar_config as config;
use shogibar_core::stable_hash;
use shogibar_engine::{observer, options, probe, process, session, threads, usi};
use shogibar_files as files;
use shogibar_text as text;

pub mod store;

pub mod discovery;

pub mod traffic;
