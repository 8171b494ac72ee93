//! The control address: programs of this machine send commands to it.

use crate::token::AccessToken;
use std::sync::Arc;

/// The control address of a server.
#[derive(Clone)]
pub struct ControlAddress {
    /// The token of the control address. No OBS page contains it.
    pub token: AccessToken,
    /// Called with each valid request.
    pub handle_request: TakeControl,
}

/// Handles a control request: the last part of its path, and its query. Returns whether it is a known command.
pub type TakeControl = Arc<dyn Fn(&str, &str) -> bool + Send + Sync>;

impl std::fmt::Debug for ControlAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ControlAddress").finish_non_exhaustive()
    }
}
