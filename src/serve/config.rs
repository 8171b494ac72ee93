//! What a server is started with.

use crate::response::PageAsset;
use crate::token::PageToken;
use std::net::SocketAddr;
use std::sync::Arc;

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct ServeConfig {
    /// Where it listens. Port 0 stands for any.
    pub address: SocketAddr,
    /// The secret in its address.
    pub token: PageToken,
    /// The pages, scripts and fonts.
    pub assets: Vec<PageAsset>,
    /// The control address; `None` where it is off.
    pub control: Option<ControlAddress>,
}

/// An address by which programs of this machine press buttons of this one.
#[derive(Clone)]
pub struct ControlAddress {
    /// Its own secret, which stands on no page.
    pub token: PageToken,
    /// Takes what it is told.
    pub take: TakeControl,
}

/// Takes the last part of a path and the query. Returns whether they are on the list of the control address.
pub type TakeControl = Arc<dyn Fn(&str, &str) -> bool + Send + Sync>;

impl std::fmt::Debug for ControlAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ControlAddress").finish_non_exhaustive()
    }
}
