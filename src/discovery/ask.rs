//! The probe of a program: what it answers to `usi`.

use crate::text::Message;
use crate::usi::process::{OutputLine, Program, StartError};
use crate::usi::tokens::decode;
use crate::usi::{OptionSpec, Reply, reply};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// The capacity of the line queue. A program that prints faster is blocked by its pipe.
const INBOX: usize = 256;
/// The largest number of lines before `usiok`. The longest known list has 213 options.
const MAX_LINES: usize = 10_000;
/// The number of lines other than USI that are tolerated, such as a greeting.
const MAX_UNKNOWN_LINES: usize = 100;
/// The longest name that is kept, in characters.
const MAX_NAME: usize = 200;
/// The time that a program has to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);

/// The identity of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineIdentity {
    /// The name; empty if the engine sends none.
    pub name: String,
    /// The options that the engine declares.
    pub options: Vec<OptionSpec>,
}

/// The result of a probe.
#[derive(Clone, Debug, PartialEq)]
pub enum ProbeAnswer {
    /// The program is an engine.
    Engine(EngineIdentity),
    /// The program is not an engine: it ended, or printed something else.
    NotUsi,
    /// The program printed nothing, or did not finish in time.
    Silent,
    /// The working folder does not exist.
    NoFolder(String),
    /// The program could not be started for another reason, given by the message.
    NotStarted(Message),
}

/// Starts a program, sends `usi`, and ends it after `usiok` or when `patience` is over.
pub fn probe(program: &Program, patience: Duration) -> ProbeAnswer {
    let deadline = now() + patience;
    let (inbox, lines) = sync_channel(INBOX);
    let listener = move |output| {
        // An error means that the receiver has all it needs.
        let _receiver_is_gone = inbox.send(output);
    };
    let mut process = match program.start(listener) {
        Ok(process) => process,
        Err(StartError::NoFolder(folder)) => return ProbeAnswer::NoFolder(folder.display().to_string()),
        Err(error) => return ProbeAnswer::NotStarted(why_not_started(error)),
    };
    // An empty queue has room for both lines.
    let _best_effort = process.send("usi".to_owned());
    let mut identity = EngineIdentity::default();
    let mut unknown_lines = 0;
    for _ in 0..MAX_LINES {
        let bytes = match lines.recv_timeout(deadline.saturating_duration_since(now())) {
            Ok(OutputLine::Line(bytes)) => bytes,
            Ok(OutputLine::Closed) => return ProbeAnswer::NotUsi,
            Err(_) => return ProbeAnswer::Silent,
        };
        match reply::parse(&decode(&bytes)) {
            Reply::UsiOk => {
                let _best_effort = process.send("quit".to_owned());
                process.wait_exit(QUIT_TIMEOUT);
                return ProbeAnswer::Engine(identity);
            }
            Reply::IdName(name) => identity.name = name.chars().take(MAX_NAME).collect(),
            Reply::Option(option) => identity.options.push(option),
            Reply::IdAuthor(_) | Reply::Info(_) => {}
            _ => unknown_lines += 1,
        }
        if unknown_lines > MAX_UNKNOWN_LINES {
            return ProbeAnswer::NotUsi;
        }
    }
    ProbeAnswer::NotUsi
}

/// Returns the message for a program that could not be started.
fn why_not_started(error: StartError) -> Message {
    match error {
        StartError::NotFound(path) => Message::EngineNotFound(path.display().to_string()),
        StartError::NoFolder(folder) => Message::EngineNoFolder(folder.display().to_string()),
        StartError::NotAProgram(path) => Message::EngineNotAProgram(path.display().to_string()),
        StartError::Refused(path, why) => Message::EngineNotStarted(path.display().to_string(), (&why).into()),
    }
}

#[expect(clippy::disallowed_methods, reason = "how long a program is waited for is measured here, beside the session")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    /// Probes a shell script and checks the answer.
    fn check(script: &str, expect: &ProbeAnswer) {
        let program =
            Program { path: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()], ..Program::default() };
        // Only a silent script reaches the deadline, so that a slow machine does not fail the test.
        let timeout = if *expect == ProbeAnswer::Silent { Duration::from_secs(2) } else { Duration::from_mins(3) };
        assert_eq!(probe(&program, timeout), *expect, "{script}");
    }

    fn engine(name: &str, options: &[&str]) -> ProbeAnswer {
        let options = options.iter().map(|line| OptionSpec::parse(line).unwrap()).collect();
        ProbeAnswer::Engine(EngineIdentity { name: name.to_owned(), options })
    }

    #[test]
    fn a_probe_returns_the_identity_or_the_failure() {
        check("read usi; echo id name Somebody; echo usiok; cat >/dev/null", &engine("Somebody", &[]));
        let option = "echo 'option name Skill Level type spin default 20 min 0 max 20'; echo usiok";
        check(
            &format!("{option}; exec sleep 100"),
            &engine("", &["name Skill Level type spin default 20 min 0 max 20"]),
        );
        check("cat >/dev/null", &ProbeAnswer::Silent);
        check("exit 3", &ProbeAnswer::NotUsi);
        check("yes nonsense", &ProbeAnswer::NotUsi);
        // Every line is USI, but the time runs out.
        check("while :; do echo id author x; sleep 0.1; done", &ProbeAnswer::Silent);
        let absent = Program { path: "/nowhere/engine".into(), ..Program::default() };
        assert!(matches!(probe(&absent, Duration::from_secs(2)), ProbeAnswer::NotStarted(_)));
        let homeless = Program { path: "/bin/sh".into(), folder: Some("/nowhere/at all".into()), ..Program::default() };
        assert_eq!(probe(&homeless, Duration::from_secs(2)), ProbeAnswer::NoFolder("/nowhere/at all".to_owned()));
    }
}
