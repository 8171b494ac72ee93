//! The local socket of the running window: relays report to it, and a second start hands its files over.
//!
//! There is one socket for each user and configuration folder. Other users cannot connect. On Unix the socket is in a
//! folder of the user. Both ends check the owner of the other process. On Windows the pipe admits its owner only.

use interprocess::local_socket::traits::{ListenerExt as _, Stream as _};
use interprocess::local_socket::{self, GenericFilePath, ListenerOptions, Name, ToFsName as _};
use shogibar_engine::process::ExitReason;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The first line of a relay. A log of its traffic follows, as [`LogEntry`](shogibar_engine::usi::log::LogEntry)s.
pub const RELAY_GREETING: &str = "shogibar relay 1";
/// The first line of a second start of the program. Its request follows, until it closes the connection.
pub const OPEN_GREETING: &str = "shogibar open 1";
/// The note in a relay's log at the point where lines are missing.
pub const GAP_NOTE: &str = "gap";

/// Returns the note in a relay's log about the way in which the engine has ended.
pub fn exit_note(reason: ExitReason) -> String {
    match reason {
        ExitReason::Code(code) => format!("ended by code {code}"),
        ExitReason::Signal(signal) => format!("ended by signal {signal}"),
    }
}

/// Parses the note about the way in which the engine has ended; `None` for another note.
pub fn parse_exit_note(note: &str) -> Option<ExitReason> {
    let (kind, number) = note.strip_prefix("ended by ")?.split_once(' ')?;
    let number = number.parse().ok()?;
    match kind {
        "code" => Some(ExitReason::Code(number)),
        "signal" => Some(ExitReason::Signal(number)),
        _ => None,
    }
}

/// The pause after a connection could not be accepted.
const ERROR_PAUSE: Duration = Duration::from_millis(100);

/// The address of the local socket between relay and window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(PathBuf);

/// The window's end of the socket. Dropping it closes the socket.
#[derive(Debug)]
pub struct Listener(local_socket::Listener);

/// A connection to a process of the same user.
#[derive(Debug)]
pub struct Connection(local_socket::Stream);

impl Address {
    /// Returns the address for a configuration folder.
    ///
    /// # Errors
    /// Fails if there is no folder that only this user can write to.
    pub fn for_folder(folder: &Path) -> io::Result<Self> {
        let folder = std::path::absolute(folder)?;
        let folder = folder.canonicalize().unwrap_or(folder);
        let name = format!("{:016x}", hash(folder.as_os_str().as_encoded_bytes()));
        #[cfg(unix)]
        return Ok(Self(runtime_folder()?.join(format!("shogibar-{name}"))));
        #[cfg(windows)]
        return Ok(Self(PathBuf::from(format!(r"\\.\pipe\shogibar-{name}"))));
    }

    /// Returns the address in the form that the socket library needs.
    fn name(&self) -> io::Result<Name<'_>> {
        self.0.as_path().to_fs_name::<GenericFilePath>()
    }

    /// Opens the socket, and replaces an existing one. The caller holds the lock on the configuration folder.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn listen(&self) -> io::Result<Listener> {
        let options = ListenerOptions::new().name(self.name()?).try_overwrite(true);
        restrict_to_owner(options)?.create_sync().map(Listener)
    }

    /// Connects to the window.
    ///
    /// # Errors
    /// Fails if there is no window, or the socket belongs to another user.
    pub fn connect(&self) -> io::Result<Connection> {
        let connection = Connection(local_socket::Stream::connect(self.name()?)?);
        connection.check_user()?;
        Ok(connection)
    }
}

impl Listener {
    /// Returns the connections of this user, without end. Each step waits for the next connection. Connections of other
    /// users are refused.
    pub fn incoming(&self) -> impl Iterator<Item = Connection> {
        let of_this_user = |connection: io::Result<local_socket::Stream>| {
            let connection = connection.map(Connection).inspect_err(|_error| {
                // The error may persist, for example because too many files are open.
                std::thread::park_timeout(ERROR_PAUSE);
            });
            connection
                .ok()
                .filter(|connection| connection.check_user().is_ok())
        };
        self.0.incoming().filter_map(of_this_user)
    }
}

impl Connection {
    /// Sets the longest time for a read or a write; `None` for no limit. Does nothing on Windows, whose pipes have no
    /// timeout.
    ///
    /// # Errors
    /// Fails if the system refuses.
    pub fn set_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        #[cfg(unix)]
        {
            self.0.set_recv_timeout(timeout)?;
            self.0.set_send_timeout(timeout)?;
        }
        // A pipe of Windows has no timeout.
        #[cfg(not(unix))]
        let _without = timeout;
        Ok(())
    }

    /// Checks that the other end is a process of this user.
    #[cfg(unix)]
    fn check_user(&self) -> io::Result<()> {
        use interprocess::local_socket::traits::StreamCommon as _;
        let user = self.0.peer_creds()?.euid();
        let current_user = rustix::process::geteuid().as_raw();
        if user == Some(current_user) {
            Ok(())
        } else {
            Err(io::ErrorKind::PermissionDenied.into())
        }
    }

    /// Does nothing: the access list of the pipe admits only its owner.
    #[cfg(windows)]
    #[expect(
        clippy::unused_self,
        clippy::unnecessary_wraps,
        reason = "the Unix version checks the user"
    )]
    const fn check_user(&self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns the FNV-1a hash with 64 bits. This hash is equal for all builds, unlike that of the standard library.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns a folder that only this user can write to: the system's folder for sockets, or a temporary one.
#[cfg(unix)]
fn runtime_folder() -> io::Result<PathBuf> {
    let system_folder = std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|folder| is_private_folder(folder));
    if let Some(folder) = system_folder {
        return Ok(folder);
    }
    let folder = std::env::temp_dir().join(format!("shogibar-{}", rustix::process::geteuid().as_raw()));
    match rustix::fs::mkdir(&folder, rustix::fs::Mode::RWXU) {
        Ok(()) | Err(rustix::io::Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    if is_private_folder(&folder) {
        Ok(folder)
    } else {
        Err(io::ErrorKind::PermissionDenied.into())
    }
}

/// Returns whether a folder belongs to this user, and other users cannot enter it. A link is not followed.
#[cfg(unix)]
fn is_private_folder(folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let Ok(found) = folder.symlink_metadata() else {
        return false;
    };
    found.is_dir() && found.uid() == rustix::process::geteuid().as_raw() && found.mode().trailing_zeros() >= 6
}

/// Returns the options unchanged: the folder of the socket excludes other users.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "the Windows version can fail")]
fn restrict_to_owner(options: ListenerOptions<'_>) -> io::Result<ListenerOptions<'_>> {
    Ok(options)
}

#[cfg(windows)]
fn restrict_to_owner(options: ListenerOptions<'_>) -> io::Result<ListenerOptions<'_>> {
    use interprocess::os::windows::local_socket::ListenerOptionsExt as _;
    use interprocess::os::windows::security_descriptor::SecurityDescriptor;
    // The owner has all rights, other users have none.
    let owner_only = widestring::u16cstr!("D:P(A;;GA;;;OW)");
    Ok(options.security_descriptor(SecurityDescriptor::deserialize(owner_only)?))
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_base::threads;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("shogibar-socket-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_connection_reaches_the_window_of_its_own_folder() {
        let folders = [folder("a"), folder("b")];
        let [first, other] = folders
            .each_ref()
            .map(|folder| Address::for_folder(folder).unwrap());
        assert_ne!(first, other);
        assert!(first.connect().is_err(), "nobody listens");
        let listener = first.listen().unwrap();
        assert!(other.connect().is_err());
        let client = first.clone();
        let thread = threads::spawn("client", move || {
            let mut connection = client.connect().unwrap();
            connection.write_all(b"hello").unwrap();
        });
        let mut text = String::new();
        listener
            .incoming()
            .next()
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, "hello");
        drop(thread);
        // A leftover socket is replaced.
        let again = first.listen().unwrap();
        drop(listener);
        drop(again);
        assert!(!first.0.exists(), "a window that ends leaves nothing");
        for folder in folders {
            fs::remove_dir_all(folder).unwrap();
        }
    }

    #[test]
    fn the_end_of_an_engine_is_read_as_it_was_written() {
        for reason in [ExitReason::Code(3), ExitReason::Code(-1), ExitReason::Signal(11)] {
            assert_eq!(parse_exit_note(&exit_note(reason)), Some(reason));
        }
        for note in [
            "",
            "gap",
            "ended",
            "ended by",
            "ended by code",
            "ended by code x",
            "ended by chance 3",
        ] {
            assert_eq!(parse_exit_note(note), None, "{note}");
        }
    }

    #[test]
    fn only_a_folder_of_the_user_is_used() {
        let here = folder("own");
        let set = |mode| fs::set_permissions(&here, fs::Permissions::from_mode(mode)).unwrap();
        set(0o755);
        assert!(!is_private_folder(&here));
        set(0o700);
        assert!(is_private_folder(&here));
        let link = here.join("link");
        std::os::unix::fs::symlink(&here, &link).unwrap();
        assert!(!is_private_folder(&link));
        assert!(!is_private_folder(Path::new("/")) || rustix::process::geteuid().is_root());
        fs::remove_dir_all(here).unwrap();
    }
}
