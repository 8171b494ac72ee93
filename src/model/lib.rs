//! The program behind the windows, without I/O. An event is an action of the user or the result of an effect.
//! [`AppModel::update`] applies it and returns the effects that follow.

pub mod action;
pub mod app_model;
pub mod bars;
pub mod folder_analysis;
pub mod game;
pub mod game_analysis;
pub mod ids;
pub mod jobs;
mod message;
pub mod notices;
pub mod observed_game;
pub mod open_request;
pub mod outputs;
pub mod pages;
pub mod pages_text;
pub mod recent;
pub mod record_file;
pub mod settings;
pub mod workspace;

pub use app_model::{
    AppEffect, AppEvent, AppModel, DrillState, EnginePurpose, EngineShare, MAX_ENGINES_PER_BAR, ModelOptions,
    ShelfState, StoredFiles, TICK_INTERVAL, VideoState,
};
pub use bars::EngineInfo;
pub use ids::EngineId;
pub use message::{CopiedItem, KeyRefusal, Message, recoverable_records};
