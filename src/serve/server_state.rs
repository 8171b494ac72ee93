//! What the threads of all clients share.

use crate::feed::FeedHub;
use crate::response::PageAsset;
use crate::threads::lock;
use crate::token::PageToken;
use std::collections::BTreeMap;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// What the threads of all clients share.
#[derive(Debug)]
pub(crate) struct ServerState {
    pub(crate) token: PageToken,
    pub(crate) assets: Vec<PageAsset>,
    pub(crate) hub: Arc<FeedHub>,
    is_closed: AtomicBool,
    /// The connections by number, to end them.
    pub(crate) clients: Mutex<BTreeMap<u64, TcpStream>>,
}

impl ServerState {
    pub(crate) fn new(token: PageToken, assets: Vec<PageAsset>, hub: Arc<FeedHub>) -> Self {
        Self { token, assets, hub, is_closed: AtomicBool::new(false), clients: Mutex::default() }
    }

    /// Ends all connections.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        for client in lock(&self.clients).values() {
            // It is closed already where that fails.
            let _closed = client.shutdown(Shutdown::Both);
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }
}

/// Returns an address as browsers write it in `Host`.
pub(crate) fn host(address: SocketAddr) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    if address.port() == 80 { ip } else { format!("{ip}:{}", address.port()) }
}
