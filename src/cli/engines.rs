//! `shogibar engines`: the engines on this machine, by path and name.

use super::{Outcome, Streams};
use crate::config::Presets;
use crate::discovery::{self, Engine};
use crate::session::{Session, Settings, State};
use anyhow::Context as _;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// How long an engine may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(5);

/// What `shogibar engines` was given: nothing.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) fn run(_arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<Outcome> {
    list(streams)?;
    Ok(Outcome::Done)
}

/// Writes a line for each engine: what to call it, its path, and the name it gives itself.
pub(super) fn list(streams: &mut Streams<'_>) -> anyhow::Result<()> {
    for engine in discovery::all(&Presets::built_in()) {
        let name = introduce(&engine, PATIENCE)?;
        writeln!(streams.out, "{}\t{}\t{name}", engine.name, engine.program.path.display())?;
        streams.out.flush()?;
    }
    Ok(())
}

/// Starts an engine for as long as it takes to say its name, and no longer than `patience`; what went
/// wrong stands in brackets.
fn introduce(engine: &Engine, patience: Duration) -> anyhow::Result<String> {
    let (bell, rung) = sync_channel(1);
    let wake = move || {
        // A full channel means that the bell has rung already.
        let _rung_already = bell.try_send(());
    };
    let deadline = now() + patience;
    let settings = Settings { hash_mb: 16, ..Settings::default() };
    let session = Session::start(engine.program.clone(), settings, wake).context("no thread for the engine")?;
    loop {
        match rung.recv_timeout(deadline.saturating_duration_since(now())) {
            Err(RecvTimeoutError::Timeout) => return Ok("(does not answer)".to_owned()),
            Err(RecvTimeoutError::Disconnected) => return Ok("(ended)".to_owned()),
            Ok(()) => {}
        }
        let Some(snapshot) = session.snapshot() else { continue };
        match snapshot.state {
            State::Failed(_) => return Ok("(not a USI engine)".to_owned()),
            _ if !snapshot.engine.is_empty() => return Ok(snapshot.engine),
            State::Starting => {}
            // It has said `usiok`, and a name stands before that.
            _ => return Ok("(no name)".to_owned()),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "how long an engine is waited for is measured here, in its face")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use crate::usi::process::Program;

    /// What is said of a shell script as an engine.
    fn check(script: &str, expect: &str) {
        let program = Program { path: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()] };
        let started = now();
        let said = introduce(&Engine { name: "test".to_owned(), program }, Duration::from_secs(2)).unwrap();
        assert_eq!(said, expect, "{script}");
        assert!(started.elapsed() < Duration::from_secs(5), "{script}: {:?}", started.elapsed());
    }

    #[test]
    fn an_engine_says_who_it_is_or_what_is_wrong_with_it() {
        check("read usi; echo id name Somebody; echo usiok; cat >/dev/null", "Somebody");
        check("read usi; echo usiok; cat >/dev/null", "(no name)");
        check("cat >/dev/null", "(does not answer)");
        check("exit 3", "(not a USI engine)");
        // Every line rings; the time runs out all the same.
        check("while :; do echo id author x; sleep 0.1; done", "(does not answer)");
    }
}
