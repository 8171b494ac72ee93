//! A remote engine: on this machine, through a real `sshd` on the loopback interface.

use crate::support;
use shogibar_engine::process::Program;
use shogibar_engine::session::{EngineState, Session, SessionConfig, Snapshot};
use shogibar_shogi::History;
use std::ffi::OsString;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Instant;

/// An ssh server with its keys, port and folder. Ended and deleted on drop.
pub(crate) struct Server {
    folder: PathBuf,
    port: u16,
    sshd: Child,
}

impl Server {
    /// Starts a server. Returns `None` where ssh is missing or a server cannot run.
    pub(crate) fn start(name: &str) -> Option<Self> {
        // sshd has to be started by its absolute path.
        let sshd = support::server("sshd")?;
        support::server("ssh")?;
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sshd-{name}-{}", std::process::id()));
        let _none_there = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for key in ["host", "user"] {
            let file = folder.join(key).into_os_string();
            let made = succeeds(
                "ssh-keygen",
                ["-q", "-t", "ed25519", "-N", "", "-f"]
                    .map(OsString::from)
                    .into_iter()
                    .chain([file]),
            );
            assert!(made, "no key can be made");
        }
        std::fs::copy(folder.join("user.pub"), folder.join("authorized")).unwrap();
        // The port was free just before. Another program is unlikely to take it in between.
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let at = |file: &str| folder.join(file).display().to_string();
        let settings = [
            format!(
                "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nPidFile none",
                at("host")
            ),
            format!(
                "AuthorizedKeysFile {}\nStrictModes no\nUsePAM no",
                at("authorized")
            ),
            "PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin yes".to_owned(),
        ];
        std::fs::write(folder.join("config"), settings.join("\n") + "\n").unwrap();
        // The folder for sshd's privilege separation.
        let _there_already = std::fs::create_dir("/run/sshd");
        let sshd = Command::new(sshd)
            .args(["-D", "-e", "-f"])
            .arg(folder.join("config"))
            .stderr(Stdio::null())
            .spawn();
        let server = Self {
            folder,
            port,
            sshd: sshd.unwrap(),
        };
        let answers = support::eventually(|| succeeds("ssh", server.arguments("true")));
        assert!(answers, "the server on port {port} lets nobody in");
        Some(server)
    }

    /// Returns the settings for `ssh` to reach this server.
    pub(crate) fn settings(&self) -> [String; 6] {
        [
            format!("Port={}", self.port),
            format!("IdentityFile={}", self.folder.join("user").display()),
            "IdentitiesOnly=yes".to_owned(),
            "StrictHostKeyChecking=no".to_owned(),
            "UserKnownHostsFile=/dev/null".to_owned(),
            "LogLevel=ERROR".to_owned(),
        ]
    }

    /// Returns the arguments for `ssh` to run a command on this server.
    fn arguments(&self, command: &str) -> Vec<OsString> {
        let option = |option: String| [OsString::from("-o"), option.into()];
        let options = self.settings();
        let no_settings = ["-F", "none", "-T"].map(OsString::from);
        no_settings
            .into_iter()
            .chain(options.into_iter().flat_map(option))
            .chain(["127.0.0.1".into(), command.into()])
            .collect()
    }

    fn engine(&self, command: &str, settings: SessionConfig) -> Engine {
        let program = Program {
            path: support::server("ssh").unwrap(),
            arguments: self.arguments(command),
            ..Program::default()
        };
        let (ring, rings) = sync_channel(1);
        let wake = move || {
            let _rung_already = ring.try_send(());
        };
        Engine {
            session: Session::start(program, settings, wake).unwrap(),
            rings,
            newest_snapshot: Snapshot::default(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _gone_already = self.sshd.kill();
        let _gone_already = self.sshd.wait();
        let _gone_already = std::fs::remove_dir_all(&self.folder);
    }
}

fn succeeds(program: &str, arguments: impl IntoIterator<Item = OsString>) -> bool {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.status().unwrap().success()
}

struct Engine {
    session: Session,
    rings: Receiver<()>,
    newest_snapshot: Snapshot,
}

impl Engine {
    fn watch(&mut self, what: &str, enough: impl Fn(&Snapshot) -> bool) {
        let until = Instant::now() + support::PATIENCE;
        while !enough(&self.newest_snapshot) {
            let left = until.saturating_duration_since(Instant::now());
            assert!(
                !left.is_zero(),
                "{what}: {:?} {:?}",
                self.newest_snapshot.state,
                self.newest_snapshot.search_info.as_ref().map(|s| s.stats)
            );
            let _nothing_new = self.rings.recv_timeout(left);
            if let Some(snapshot) = self.session.snapshot() {
                let failed = matches!(
                    snapshot.state,
                    EngineState::Failed(_) | EngineState::Restarting(_)
                );
                assert!(!failed, "{what}: {:?}", snapshot.state);
                self.newest_snapshot = snapshot;
            }
        }
    }

    fn visit(&mut self, what: &str, history: &Arc<History>) {
        self.session.set_target(Some(Arc::clone(history)));
        self.watch(what, |snapshot| {
            snapshot
                .search_info
                .as_ref()
                .is_some_and(|shown| shown.history == *history)
        });
    }
}

fn settings() -> SessionConfig {
    SessionConfig {
        hash_mb: 16,
        presets: shogibar_config::built_in_presets(),
        ..SessionConfig::default()
    }
}

fn position(text: &str) -> Arc<History> {
    Arc::new(History::from_usi(text).unwrap())
}

const SHOGIBAR: &str = env!("CARGO_BIN_EXE_shogibar");

#[cfg(target_os = "linux")]
#[test]
fn an_engine_over_ssh_works_and_a_stall_is_shown() {
    let Some(server) = Server::start("stall") else {
        return;
    };
    let mark = server.folder.join("far.pid");
    let mut engine = server.engine(
        &format!("echo $$ >'{}'; exec '{SHOGIBAR}' engine", mark.display()),
        settings(),
    );
    let (first, second) = (position("startpos"), position("startpos moves 7g7f"));
    engine.visit("first", &first);
    engine.visit("second", &second);
    let far = support::pid_in(&mark);
    // A stopped remote process acts like a lost network: the local `ssh` waits and cannot detect it.
    signal("STOP", far);
    engine.session.set_target(Some(Arc::clone(&first)));
    engine.watch("stalled", |snapshot| {
        snapshot.state == EngineState::Silent && snapshot.waited_seconds >= 6
    });
    assert!(
        engine
            .newest_snapshot
            .search_info
            .as_ref()
            .is_some_and(|shown| shown.history == second),
        "the old value stays"
    );
    signal("CONT", far);
    engine.visit("goes on", &first);
    drop(engine);
    let gone = support::eventually(|| !support::is_running(far));
    assert!(gone, "the far engine is left behind");
}

#[cfg(target_os = "linux")]
fn signal(name: &str, pid: u32) {
    assert!(support::signal(name, pid), "no {name} for {pid}");
}

#[test]
fn a_position_of_60_kb_arrives_whole() {
    let Some(server) = Server::start("long") else {
        return;
    };
    let copy = server.folder.join("commands");
    let mut engine = server.engine(
        &format!("tee '{}' | '{SHOGIBAR}' engine", copy.display()),
        settings(),
    );
    let shuffle = "2h3h 8b7b 3h2h 7b8b ".repeat(3_200);
    let long = position(&format!("startpos moves {}", shuffle.trim_end()));
    let line = format!("position {}", long.usi());
    assert!(line.len() > 60_000, "{} bytes", line.len());
    engine.visit("long", &long);
    let commands = std::fs::read_to_string(&copy).unwrap();
    assert!(commands.lines().any(|command| command == line), "it was cut");
}
