//! Everything about one game or several: the contents of a bar, the edited record, games against an engine, proved
//! facts, the analysis of a record or a folder, reports, and win-rate curves.

pub mod adjudicate;

pub mod bar;

pub mod engine_game;

pub mod study;

pub mod analysis;

pub mod position_facts;

pub mod move_facts;

pub mod reasons;

pub mod report;

pub mod folder;

pub mod calibration;
