//! What the relay says itself: one sentence, in both languages, where there is no engine.

use super::process::StartError;
use std::io;
use thiserror::Error;

/// Why there is no engine.
#[derive(Debug, Error)]
pub(super) enum RelayError {
    /// Nothing names an engine.
    #[error(
        "no engine is set: choose one on Shogibar's page of engines, or give --engine NAME \
         (エンジンが決まっていません。Shogibar の「エンジン」で選ぶか、--engine で指定してください)"
    )]
    NoEngine,
    /// The engine cannot be started.
    #[error("{0} (エンジンを起動できません)")]
    NotStarted(#[from] StartError),
    /// The system refused something.
    #[error("{0} (システムのエラーです)")]
    System(#[from] io::Error),
}
