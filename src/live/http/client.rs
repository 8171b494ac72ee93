//! One web request, bounded in time and size.

use super::reply::{HttpReply, HttpRequest};
use crate::game::{RedirectRefusal, SourceProblem};
use crate::web_url::{self, WebUrl};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use shogibar_base::threads::lock;
use std::io::{self, ErrorKind, Read as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use ureq::http::{HeaderMap, Uri};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

/// The maximum size of the headers of an answer, in bytes.
const MAX_HEADER_BYTES: usize = 64 << 10;

/// The maximum number of redirects that the HTTP client follows by itself: none, because the core decides.
const MAX_CLIENT_REDIRECTS: u32 = 0;

/// The state that a client shares with its resolver. The name of a proxy is not checked.
#[derive(Debug, Default)]
struct ResolverState {
    /// Whether the request may go to a local address. Otherwise such an address is refused.
    may_be_local: bool,
    /// Whether an address of the last host is this machine or one of a private network.
    is_local: bool,
    /// Whether all addresses of the last host are this machine.
    is_loopback: bool,
}

/// A resolver that refuses local addresses, unless the request may go to one.
#[derive(Debug, Default)]
struct GuardedResolver {
    inner: DefaultResolver,
    state: Arc<Mutex<ResolverState>>,
}

impl Resolver for GuardedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        let mut state = lock(&self.state);
        let is_proxy = config
            .proxy()
            .is_some_and(|proxy| Some(proxy.host()) == uri.host());
        if !is_proxy {
            state.is_local = found.iter().any(|address| web_url::is_local(address.ip()));
            state.is_loopback = found.iter().all(|address| web_url::is_loopback(address.ip()));
            if state.is_local && !state.may_be_local {
                return Err(Error::HostNotFound);
            }
        }
        drop(state);
        Ok(found)
    }
}

#[cfg(any(windows, target_os = "macos"))]
type TlsError = native_tls::Error;
#[cfg(not(any(windows, target_os = "macos")))]
type TlsError = rustls::Error;

/// Returns the TLS implementation of the system, with the certificates of the system.
#[cfg(any(windows, target_os = "macos"))]
fn tls() -> TlsConfig {
    TlsConfig::builder()
        .provider(ureq::tls::TlsProvider::NativeTls)
        .root_certs(RootCerts::PlatformVerifier)
        .build()
}

/// Returns the built-in TLS implementation, with the certificates of the system.
#[cfg(not(any(windows, target_os = "macos")))]
fn tls() -> TlsConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    TlsConfig::builder()
        .root_certs(RootCerts::PlatformVerifier)
        .unversioned_rustls_crypto_provider(provider)
        .build()
}

/// A web client that can be shut down from another thread.
#[derive(Debug, Clone)]
pub(crate) struct WebClient {
    agent: Agent,
    state: Arc<Mutex<ResolverState>>,
}

impl WebClient {
    /// Creates a client, which uses the system's proxy and certificates. `timeout` limits a whole request; `None` for
    /// no limit.
    pub(crate) fn new(user_agent: &str, timeout: Option<Duration>) -> Self {
        let config = Agent::config_builder()
            .tls_config(tls())
            .http_status_as_error(false)
            .max_redirects(MAX_CLIENT_REDIRECTS)
            .max_redirects_will_error(false)
            .max_response_header_size(MAX_HEADER_BYTES)
            .max_idle_connections(1)
            .user_agent(user_agent)
            .accept("*/*")
            .timeout_global(timeout)
            .timeout_connect(Some(Duration::from_secs(15)))
            .timeout_recv_response(Some(Duration::from_secs(20)))
            .timeout_per_read(Some(Duration::from_secs(90)))
            .build();
        let resolver = GuardedResolver::default();
        let state = Arc::clone(&resolver.state);
        Self {
            agent: Agent::with_parts(config, DefaultConnector::default(), resolver),
            state,
        }
    }

    /// Ends all requests in progress; new ones fail.
    pub(crate) fn shutdown(&self) {
        self.agent.clone().shutdown();
    }

    /// Sends a request and reads the answer. The content is read only for the status 200 or 203, up to one byte beyond
    /// `max_bytes`.
    pub(crate) fn fetch(&self, request: &HttpRequest, max_bytes: usize) -> Result<HttpReply, SourceProblem> {
        let response = self.open(&request.url, request.etag.as_deref(), None, request.may_be_local)?;
        let (parts, body) = response.into_parts();
        let header = |name: &str| header(&parts.headers, name);
        let is_framed = header("content-length").is_some() || header("transfer-encoding").is_some();
        let encoding = header("content-encoding").unwrap_or_default();
        if !matches!(
            encoding.to_ascii_lowercase().as_str(),
            "" | "identity" | "gzip" | "x-gzip"
        ) {
            return Err(SourceProblem::Protocol);
        }
        let mut bytes = Vec::new();
        if parts.status.as_u16() == 200 || parts.status.as_u16() == 203 {
            let limit = u64::try_from(max_bytes).map_or(u64::MAX, |max| max.saturating_add(1));
            let read = body.into_reader().take(limit).read_to_end(&mut bytes);
            read.map_err(|error| io_problem(&error))?;
        }
        let state = lock(&self.state);
        Ok(HttpReply {
            status: parts.status.as_u16(),
            location: header("location"),
            etag: header("etag"),
            retry_after: header("retry-after"),
            date: header("date"),
            body: bytes,
            is_whole: is_framed,
            is_local: state.is_local,
            is_loopback: state.is_loopback,
        })
    }

    /// Sends a request and returns the answer before its content has arrived.
    pub(crate) fn open(
        &self,
        url: &WebUrl,
        etag: Option<&str>,
        accept: Option<&str>,
        may_be_local: bool,
    ) -> Result<ureq::http::Response<ureq::Body>, SourceProblem> {
        *lock(&self.state) = ResolverState {
            may_be_local,
            // A proxy resolves names by itself. These values, from the name alone, then count.
            is_local: url.is_local(),
            is_loopback: url.is_loopback(),
        };
        if !may_be_local && url.is_local() {
            return Err(SourceProblem::Redirect(RedirectRefusal::Local));
        }
        let mut request = self.agent.get(url.request_target());
        if url.is_loopback() {
            // A proxy would take the local address for its own machine, so none is used.
            request = request.config().proxy(None).build();
        }
        if let Some(login) = url.login() {
            request = request.header("Authorization", format!("Basic {}", STANDARD.encode(login)));
        }
        if let Some(etag) = etag {
            request = request.header("If-None-Match", etag);
        }
        if let Some(accept) = accept {
            request = request.header("Accept", accept);
        }
        request.call().map_err(|error| {
            let is_refused = {
                let state = lock(&self.state);
                state.is_local && !state.may_be_local
            };
            if is_refused {
                SourceProblem::Redirect(RedirectRefusal::Local)
            } else {
                problem(&error)
            }
        })
    }
}

/// Returns a header as text, if it is short and plain.
fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    (value.len() <= web_url::MAX_URL_BYTES).then(|| value.to_owned())
}

/// Returns the problem of a failed request.
fn problem(error: &Error) -> SourceProblem {
    match error {
        Error::Timeout(_) => SourceProblem::Timeout,
        Error::HostNotFound => SourceProblem::UnknownHost,
        Error::LargeResponseHeader(..) => SourceProblem::HeadersTooLarge,
        Error::Tls(_) | Error::TlsRequired => SourceProblem::Insecure,
        #[cfg(any(windows, target_os = "macos"))]
        Error::NativeTls(_) => SourceProblem::Insecure,
        #[cfg(not(any(windows, target_os = "macos")))]
        Error::Rustls(_) => SourceProblem::Insecure,
        Error::ConnectProxyFailed(_) | Error::InvalidProxyUrl => SourceProblem::Proxy,
        Error::ConnectionFailed => SourceProblem::Unreachable,
        Error::Decompress(..) | Error::BodyStalled => SourceProblem::Truncated,
        Error::Io(error) => io_problem(error),
        _ => SourceProblem::Protocol,
    }
}

/// Returns the problem of a failed reading of an answer.
fn io_problem(error: &io::Error) -> SourceProblem {
    if let Some(inner) = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        return problem(inner);
    }
    // The handshake fails in this way where the certificate is not valid.
    if error
        .get_ref()
        .and_then(|inner| inner.downcast_ref::<TlsError>())
        .is_some()
    {
        return SourceProblem::Insecure;
    }
    match error.kind() {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => SourceProblem::Timeout,
        ErrorKind::ConnectionRefused
        | ErrorKind::HostUnreachable
        | ErrorKind::NetworkUnreachable
        | ErrorKind::AddrNotAvailable
        | ErrorKind::NetworkDown
        | ErrorKind::NotConnected => SourceProblem::Unreachable,
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::InvalidData
        | ErrorKind::InvalidInput => SourceProblem::Truncated,
        // The resolver of the system reports unknown names in this way.
        _ if error.raw_os_error().is_none() => SourceProblem::UnknownHost,
        _ => SourceProblem::Unreachable,
    }
}
