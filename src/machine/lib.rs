//! The program's data about a machine. [`store`] has the user's configuration folder, [`discovery`] the installed
//! engines, [`traffic`] the logs of their USI traffic.

pub mod store;

pub mod discovery;

pub mod traffic;
