//! The probe of a program: its answer to `usi`.

use crate::observer::{EngineIdentity, Handshake, HandshakeStep};
use crate::process::{Output, Program, StartError};
use crate::usi::lines::LineSplitter;
use crate::usi::reply;
use crate::usi::tokens::decode;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// The capacity of the output queue, in messages of at most 64 KiB. A program that prints faster is blocked by its
/// pipe.
const INBOX_CAPACITY: usize = 16;
/// The time that a program has to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);

/// The result of a probe: whether a program is a USI engine, by its answer to `usi`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeAnswer {
    /// The program is an engine.
    Engine(EngineIdentity),
    /// The program is not an engine: it printed other text.
    NotUsi,
    /// The program ended before `usiok`, or closed its output.
    Ended,
    /// The program printed nothing, or did not finish in time.
    Silent,
    /// The program was not run: other users can put programs at its path.
    NotRun,
    /// The program could not be started.
    NotStarted(StartError),
}

/// Starts a program and sends `usi`. Ends the program after `usiok`, at output that is not USI, or after `timeout`.
pub fn probe(program: &Program, timeout: Duration) -> ProbeAnswer {
    let deadline = now() + timeout;
    let (inbox, output) = sync_channel(INBOX_CAPACITY);
    let on_output = move |output: Output<'_>| {
        let bytes = if let Output::Bytes(bytes) = output {
            Some(bytes.to_vec())
        } else {
            None
        };
        // An error means that the receiver needs no more output.
        _ = inbox.send(bytes);
    };
    let mut process = match program.start(on_output, |_| {}) {
        Ok(process) => process,
        Err(error) => return ProbeAnswer::NotStarted(error),
    };
    // An empty queue has room for both lines.
    let _best_effort = process.send(b"usi\n".to_vec());
    let (mut handshake, mut lines) = (Handshake::default(), LineSplitter::default());
    loop {
        let mut step = HandshakeStep::Continues;
        let mut on_line = |line: &[u8]| {
            if step == HandshakeStep::Continues {
                let line = decode(line);
                step = handshake.on_received(&line, &reply::parse(&line));
            }
        };
        let Ok(bytes) = output.recv_timeout(deadline.saturating_duration_since(now())) else {
            return ProbeAnswer::Silent;
        };
        match &bytes {
            Some(bytes) => lines.split(bytes, on_line),
            None => lines.finish(|line| on_line(line)),
        }
        match step {
            HandshakeStep::Continues if bytes.is_none() => return ProbeAnswer::Ended,
            HandshakeStep::Continues => {}
            HandshakeStep::NotUsi => return ProbeAnswer::NotUsi,
            HandshakeStep::Done => {
                let _best_effort = process.send(b"quit\n".to_vec());
                process.wait_exit(QUIT_TIMEOUT);
                return ProbeAnswer::Engine(handshake.into_identity());
            }
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the wait for a program is measured here, beside the session"
)]
fn now() -> Instant {
    Instant::now()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use crate::usi::OptionSpec;

    fn check(script: &str, expect: &ProbeAnswer) {
        let program = Program {
            path: "/bin/sh".into(),
            arguments: vec!["-c".into(), script.into()],
            ..Program::default()
        };
        // Only a silent script reaches the deadline, so that a slow machine does not fail the test.
        let timeout = if *expect == ProbeAnswer::Silent {
            Duration::from_secs(2)
        } else {
            Duration::from_mins(3)
        };
        assert_eq!(probe(&program, timeout), *expect, "{script}");
    }

    fn engine(name: &str, options: &[&str]) -> ProbeAnswer {
        let options = options
            .iter()
            .map(|line| OptionSpec::parse(line).unwrap())
            .collect();
        ProbeAnswer::Engine(EngineIdentity {
            name: name.to_owned(),
            options,
        })
    }

    #[test]
    fn a_probe_returns_the_identity_or_the_failure() {
        check(
            "read usi; echo id name Somebody; echo usiok; cat >/dev/null",
            &engine("Somebody", &[]),
        );
        let option = "echo 'option name Skill Level type spin default 20 min 0 max 20'; echo usiok";
        check(
            &format!("{option}; exec sleep 100"),
            &engine("", &["name Skill Level type spin default 20 min 0 max 20"]),
        );
        check("cat >/dev/null", &ProbeAnswer::Silent);
        check("exit 3", &ProbeAnswer::Ended);
        check(
            "read usi; echo id name Brief; printf usiok",
            &engine("Brief", &[]),
        );
        check("yes nonsense", &ProbeAnswer::NotUsi);
        // Every line is USI, but the time runs out.
        check(
            "while :; do echo id author x; sleep 0.1; done",
            &ProbeAnswer::Silent,
        );
        let absent = Program {
            path: "/nowhere/engine".into(),
            ..Program::default()
        };
        let not_found = StartError::NotFound("/nowhere/engine".into());
        assert_eq!(
            probe(&absent, Duration::from_secs(2)),
            ProbeAnswer::NotStarted(not_found)
        );
        let homeless = Program {
            path: "/bin/sh".into(),
            folder: Some("/nowhere/at all".into()),
            ..Program::default()
        };
        assert_eq!(
            probe(&homeless, Duration::from_secs(2)),
            ProbeAnswer::NotStarted(StartError::NoFolder("/nowhere/at all".into()))
        );
    }
}
