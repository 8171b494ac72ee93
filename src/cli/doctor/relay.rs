//! `shogibar doctor --relay`: plays a shogi GUI against an engine behind the relay, step by step.

use super::super::output::OutputStream;
use crate::cli::doctor_text::{RelayStep, StepResult, engine_tried, relay_step};
use shogibar_base::Lang;
use shogibar_engine::process::{Output, Process, Program, StartError};
use shogibar_engine::usi::lines::LineSplitter;
use shogibar_engine::usi::tokens::decode;
use shogibar_relay::link;
use std::ffi::OsString;
use std::io;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

/// The longest wait for `usiok`, as `ShogiHome` has it. Old GUIs wait for 2 s.
const USIOK_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest wait for any other answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// The longest wait for the exit after `quit`. GUIs then kill the engine.
const QUIT_TIMEOUT: Duration = Duration::from_secs(4);

/// Runs the steps until one fails. Returns whether all succeeded.
pub(super) fn run(engine: Option<&OsString>, lang: Lang, out: &mut OutputStream<'_>) -> io::Result<bool> {
    let relay = link::relay_program()?;
    let store = super::super::store();
    let of_settings = || {
        store
            .as_ref()?
            .settings()
            .ok()?
            .value
            .relay
            .engine
            .filter(|engine| !engine.is_empty())
    };
    // If the settings name no engine for the relay, the default engine shows whether the relay works.
    let engine = engine
        .cloned()
        .or_else(|| of_settings().map(Into::into))
        .unwrap_or_else(|| {
            let profiles = store
                .as_ref()
                .and_then(|store| store.profiles().ok())
                .unwrap_or_default()
                .value;
            profiles.default_name().into()
        });
    writeln!(out, "{}", engine_tried(&engine.to_string_lossy(), lang))?;
    // Without a window, so that an open bar keeps its content.
    let arguments = vec!["--no-window".into(), "--engine".into(), engine];
    let program = Program {
        path: relay,
        arguments,
        ..Program::default()
    };
    let mut report = |step: RelayStep, result: StepResult| -> io::Result<bool> {
        let succeeded = matches!(result, StepResult::Done(_));
        writeln!(out, "{}", relay_step(step, &result, lang))?;
        out.flush()?;
        Ok(succeeded)
    };
    let mut gui = match TestGui::start(&program) {
        Ok(gui) => gui,
        Err(why) => return report(RelayStep::Start, StepResult::Failed(why)),
    };
    if !report(RelayStep::Start, StepResult::Done(Duration::ZERO))? {
        return Ok(false);
    }
    let steps: [(RelayStep, &[&str], &str, Duration); 4] = [
        (RelayStep::Usi, &["usi"], "usiok", USIOK_TIMEOUT),
        (RelayStep::IsReady, &["isready"], "readyok", ANSWER_TIMEOUT),
        (
            RelayStep::Search,
            &[
                "usinewgame",
                "position startpos",
                "go btime 0 wtime 0 byoyomi 500",
            ],
            "bestmove",
            ANSWER_TIMEOUT,
        ),
        (
            RelayStep::Stop,
            &["position startpos moves 7g7f", "go infinite", "stop"],
            "bestmove",
            ANSWER_TIMEOUT,
        ),
    ];
    for (step, commands, answer, timeout) in steps {
        let result = gui.ask(commands, answer, timeout);
        if !report(step, result)? {
            return Ok(false);
        }
    }
    report(RelayStep::Quit, gui.quit())
}

/// A shogi GUI that sends one request after another.
struct TestGui {
    process: Process,
    /// The lines of the relay's output, and `None` at their end.
    lines: Receiver<Option<String>>,
}

impl TestGui {
    fn start(program: &Program) -> Result<Self, StartError> {
        let (sender, lines) = sync_channel(256);
        let mut splitter = LineSplitter::default();
        let on_output = move |output: Output<'_>| {
            // An error means that the receiver is gone.
            let send = |line: &[u8]| _ = sender.send(Some(decode(line).into_owned()));
            match output {
                Output::Bytes(bytes) => splitter.split(bytes, send),
                Output::Closed => {
                    splitter.finish(send);
                    _ = sender.send(None);
                }
            }
        };
        let process = program.start(on_output, |_| {})?;
        Ok(Self { process, lines })
    }

    /// Sends commands, and waits for a line that begins with the word `answer`. Returns the time until the
    /// line came, or the reason why it did not come.
    fn ask(&self, commands: &[&str], answer: &str, timeout: Duration) -> StepResult {
        let started = now();
        for command in commands {
            // An error is ignored: without the command, no answer arrives in time.
            _ = self.process.send(format!("{command}\n").into_bytes());
        }
        let mut last = String::new();
        loop {
            if started.elapsed() >= timeout {
                return StepResult::NoAnswer(timeout);
            }
            match self.lines.recv_timeout(timeout.saturating_sub(started.elapsed())) {
                Ok(Some(line)) if line.split_ascii_whitespace().next() == Some(answer) => {
                    return StepResult::Done(started.elapsed());
                }
                Ok(Some(line)) => last = line,
                Ok(None) => return StepResult::Ended(last),
                Err(_) => return StepResult::NoAnswer(timeout),
            }
        }
    }

    fn quit(&mut self) -> StepResult {
        let started = now();
        _ = self.process.send(b"quit\n".to_vec());
        self.process.wait_exit(QUIT_TIMEOUT);
        match self.process.end() {
            Some(_) => StepResult::Done(started.elapsed()),
            None => StepResult::NoAnswer(QUIT_TIMEOUT),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the time until an answer is the result")]
fn now() -> Instant {
    Instant::now()
}
