//! The control address: programs of this machine send commands to it.

use crate::token::AccessToken;
use std::sync::Arc;

/// The control address of a server.
#[derive(Clone)]
pub struct ControlAddress {
    /// The token of the control address. No OBS page contains it.
    pub token: AccessToken,
    /// The function that is called with each valid request.
    pub handle_request: ControlHandler,
}

/// The function that handles a control request. Its arguments are the last part of the path, and the query. It returns
/// whether the path names a known command.
pub type ControlHandler = Arc<dyn Fn(&str, &str) -> bool + Send + Sync>;

impl std::fmt::Debug for ControlAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ControlAddress").finish_non_exhaustive()
    }
}
