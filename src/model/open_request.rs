//! The request that a second start of the program hands over to the running one. No side effects.

use shogibar_live::LiveAddress;
use std::path::PathBuf;

/// The maximum number of addresses in a request. A request with more is ignored.
const MAX_ADDRESSES: usize = 1000;

/// The request of a second start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenRequest {
    /// The addresses to open. Paths are absolute.
    pub addresses: Vec<LiveAddress>,
    /// The names of the engines for a new bar. If empty, the new bar gets an engine like that of the study page's bar.
    pub engines: Vec<String>,
    /// Whether the study page is to be shown.
    pub shows_study: bool,
}

impl OpenRequest {
    /// The field that ends a request.
    pub const END_FIELD: &[u8] = b".\0";

    /// Returns the text for the local socket: fields that each end with a zero byte. The first byte of a field is its
    /// kind.
    pub fn encode(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut field = |kind: &[u8], value: &[u8]| {
            text.extend_from_slice(kind);
            text.extend_from_slice(value);
            text.push(0);
        };
        for address in &self.addresses {
            match address {
                LiveAddress::Path(path) => field(b"f", path.as_os_str().as_encoded_bytes()),
                // The password is sent, too: only processes of this user can read the socket.
                address => field(b"a", address.with_password().as_bytes()),
            }
        }
        self.engines
            .iter()
            .for_each(|engine| field(b"e", engine.as_bytes()));
        if self.shows_study {
            field(b"s", b"");
        }
        text.extend_from_slice(Self::END_FIELD);
        text
    }

    /// Reads the text of a request. Unknown fields are ignored. `None`: the end has not arrived yet, or the request is
    /// not valid.
    pub fn decode(text: &[u8]) -> Option<Self> {
        let mut request = Self::default();
        for field in text.split_inclusive(|byte| *byte == 0) {
            if field == Self::END_FIELD {
                return Some(request).filter(|request| request.addresses.len() <= MAX_ADDRESSES);
            }
            match field.strip_suffix(&[0])?.split_first() {
                Some((b'f', path)) => request.addresses.push(LiveAddress::Path(path_from_bytes(path)?)),
                Some((b'a', text)) => {
                    request
                        .addresses
                        .push(LiveAddress::parse(std::str::from_utf8(text).ok()?).ok()?);
                }
                Some((b'e', name)) => request.engines.extend(String::from_utf8(name.to_vec()).ok()),
                Some((b's', _)) => request.shows_study = true,
                _ => {}
            }
        }
        None
    }
}

/// Reads a path from the bytes that `encode` has written; `None` for an empty path.
#[cfg(unix)]
fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    (!bytes.is_empty()).then(|| std::ffi::OsStr::from_bytes(bytes).into())
}

/// Reads a path from the bytes that `encode` has written; `None` for an empty path, or one that is not UTF-8.
#[cfg(not(unix))]
fn path_from_bytes(bytes: &[u8]) -> Option<PathBuf> {
    String::from_utf8(bytes.to_vec())
        .ok()
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_request_is_read_as_it_was_written(
            files in prop::collection::vec("[^\0]{1,20}", 0..4),
            password in "[!-~]{0,9}",
            engines in prop::collection::vec("[^\0]{0,9}", 0..3),
            shows_study: bool,
        ) {
            let mut addresses: Vec<_> = files.iter().map(|file| LiveAddress::Path(file.into())).collect();
            addresses.extend(LiveAddress::parse(&format!("csa://me:{password}@host/game")));
            let request = OpenRequest { addresses, engines, shows_study };
            let text = request.encode();
            prop_assert_eq!(OpenRequest::decode(&text), Some(request));
            prop_assert_eq!(OpenRequest::decode(text.split_last().unwrap().1), None, "it is not complete");
        }

        #[test]
        fn any_bytes_are_read(text: Vec<u8>) {
            OpenRequest::decode(&text);
        }
    }
}
