//! Asking a program who it is.

use crate::text::Message;
use crate::usi::process::{OutputLine, Program, StartError};
use crate::usi::tokens::decode;
use crate::usi::{OptionSpec, Reply, reply};
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// Lines that may wait to be read; a program that prints faster is held back by its pipe.
const INBOX: usize = 256;
/// The longest introduction, in lines; the longest that is known has 213 options.
const INTRODUCTION: usize = 10_000;
/// How many lines that are not USI are borne; some programs greet.
const RUBBISH: usize = 100;
/// The longest name that is kept, in characters.
const LONGEST_NAME: usize = 200;
/// How long a program may take to end when it is told to.
const FAREWELL: Duration = Duration::from_millis(300);

/// What a program says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineIdentity {
    /// Its name; empty where it says none.
    pub name: String,
    /// What can be set in it.
    pub options: Vec<OptionSpec>,
}

/// What comes of asking.
#[derive(Clone, Debug, PartialEq)]
pub enum ProbeAnswer {
    /// It is an engine.
    Engine(EngineIdentity),
    /// It is none: it ended, or said something else.
    NotUsi,
    /// It said nothing, or did not come to an end, in the time it had.
    Silent,
    /// The folder that it is to run in is not there.
    NoFolder(String),
    /// It could not be started for another reason: why.
    NotStarted(Message),
}

/// Starts a program, tells it `usi`, and ends it as soon as it has said `usiok`, or when its time is up.
pub fn ask(program: &Program, patience: Duration) -> ProbeAnswer {
    let until = now() + patience;
    let (inbox, lines) = sync_channel(INBOX);
    let listener = move |output| {
        // An error means that enough has been heard.
        let _heard_enough = inbox.send(output);
    };
    let mut process = match program.start(listener) {
        Ok(process) => process,
        Err(StartError::NoFolder(folder)) => return ProbeAnswer::NoFolder(folder.display().to_string()),
        Err(error) => return ProbeAnswer::NotStarted(why_not_started(error)),
    };
    // A queue that is empty takes two lines.
    let _it_reads_or_not = process.send("usi".to_owned());
    let mut said = EngineIdentity::default();
    let mut rubbish = 0;
    for _ in 0..INTRODUCTION {
        let bytes = match lines.recv_timeout(until.saturating_duration_since(now())) {
            Ok(OutputLine::Line(bytes)) => bytes,
            Ok(OutputLine::Closed) => return ProbeAnswer::NotUsi,
            Err(_) => return ProbeAnswer::Silent,
        };
        match reply::parse(&decode(&bytes)) {
            Reply::UsiOk => {
                let _it_reads_or_not = process.send("quit".to_owned());
                process.wait_exit(FAREWELL);
                return ProbeAnswer::Engine(said);
            }
            Reply::IdName(name) => said.name = name.chars().take(LONGEST_NAME).collect(),
            Reply::Option(option) => said.options.push(option),
            Reply::IdAuthor(_) | Reply::Info(_) => {}
            _ => rubbish += 1,
        }
        if rubbish > RUBBISH {
            return ProbeAnswer::NotUsi;
        }
    }
    ProbeAnswer::NotUsi
}

/// Why a program could not be started.
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

    /// What comes of asking a shell script.
    fn check(script: &str, expect: &ProbeAnswer) {
        let program =
            Program { path: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()], ..Program::default() };
        // Only who never answers runs into the deadline, so that a slow machine is no failure.
        let within = if *expect == ProbeAnswer::Silent { Duration::from_secs(2) } else { Duration::from_mins(3) };
        assert_eq!(ask(&program, within), *expect, "{script}");
    }

    fn engine(name: &str, options: &[&str]) -> ProbeAnswer {
        let options = options.iter().map(|line| OptionSpec::parse(line).unwrap()).collect();
        ProbeAnswer::Engine(EngineIdentity { name: name.to_owned(), options })
    }

    #[test]
    fn a_program_says_who_it_is_or_what_is_wrong_with_it() {
        check("read usi; echo id name Somebody; echo usiok; cat >/dev/null", &engine("Somebody", &[]));
        let option = "echo 'option name Skill Level type spin default 20 min 0 max 20'; echo usiok";
        check(
            &format!("{option}; exec sleep 100"),
            &engine("", &["name Skill Level type spin default 20 min 0 max 20"]),
        );
        check("cat >/dev/null", &ProbeAnswer::Silent);
        check("exit 3", &ProbeAnswer::NotUsi);
        check("yes nonsense", &ProbeAnswer::NotUsi);
        // Every line is one of USI; the time runs out all the same.
        check("while :; do echo id author x; sleep 0.1; done", &ProbeAnswer::Silent);
        let absent = Program { path: "/nowhere/engine".into(), ..Program::default() };
        assert!(matches!(ask(&absent, Duration::from_secs(2)), ProbeAnswer::NotStarted(_)));
        let homeless = Program { path: "/bin/sh".into(), folder: Some("/nowhere/at all".into()), ..Program::default() };
        assert_eq!(ask(&homeless, Duration::from_secs(2)), ProbeAnswer::NoFolder("/nowhere/at all".to_owned()));
    }
}
