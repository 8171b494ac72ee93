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

pub mod analysis_text;
pub mod calibration;
pub mod calibration_text;
pub mod convert_text;
pub mod engine_game_text;
mod engine_message;
pub mod folder_text;
pub mod graph_text;
mod label;
pub mod phrase;
pub mod reasons_text;
mod record_remark;
pub mod report_text;

pub use engine_message::EngineMessage;
pub use label::Label;
pub use record_remark::RecordRemark;
