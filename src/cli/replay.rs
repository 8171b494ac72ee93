//! `shogibar replay`: a recorded log as an engine.

use super::lines::{open, read_line};
use super::{CliOutcome, Streams};
use crate::text::ExpectedValue;
use crate::text::failure::CommandError;
use crate::threads;
use crate::usi::log::LogEntry;
use crate::usi::script::{Script, ScriptPlayer};
use crate::usi::tokens::decode;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// What `shogibar replay` was given.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The log
    log: PathBuf,
    /// How many times as fast as recorded searches go; 0 for at once
    #[arg(long, default_value_t = 1.0, value_parser = speed)]
    speed: f64,
}

fn speed(text: &str) -> Result<f64, ExpectedValue> {
    let speed = text.parse().ok().filter(|speed: &f64| speed.is_finite() && *speed >= 0.0);
    speed.ok_or(ExpectedValue::Number(0.0, None))
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let player = ScriptPlayer::new(read_script(arguments, streams)?);
    let speed = arguments.speed;
    let (told, host) = sync_channel(64);
    let out = &mut streams.out.exact();
    // Input can only be read here, where it is locked; so the player, which must answer `stop` in
    // the middle of a pause, has the thread.
    std::thread::scope(|scope| {
        let thread = threads::scoped(scope, "player", move || play(player, &host, speed, out))?;
        let read = listen(streams.input, &told);
        drop(told);
        let Ok(said) = thread.join() else { anyhow::bail!(CommandError::Broken("the player broke down")) };
        said?;
        read?;
        Ok(CliOutcome::Done)
    })
}

fn read_script(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<Script> {
    anyhow::ensure!(arguments.log.as_os_str() != "-", CommandError::LogFromInput);
    let mut input = open(&arguments.log, &mut *streams.input)?;
    let mut log = Vec::new();
    let mut line = Vec::new();
    while read_line(&mut *input, &mut line).map_err(|error| CommandError::Log(arguments.log.clone(), error))? {
        log.extend(LogEntry::read(&line).map(LogEntry::into_owned));
    }
    let script = Script::new(log);
    anyhow::ensure!(!script.is_empty(), CommandError::NoEngineInLog(arguments.log.clone()));
    Ok(script)
}

/// How long a pause of the log is here; an hour at most.
fn pause(millis: u64, speed: f64) -> Duration {
    const LONGEST: Duration = Duration::from_hours(1);
    if speed == 0.0 {
        return Duration::ZERO;
    }
    let seconds = Duration::from_millis(millis).as_secs_f64() / speed;
    Duration::try_from_secs_f64(seconds).map_or(LONGEST, |pause| pause.min(LONGEST))
}

fn write_next(player: &mut ScriptPlayer, out: &mut dyn Write) -> io::Result<()> {
    if let Some(line) = player.line() {
        out.write_all(&line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Hands on every line of the host until it says `quit`, hangs up, or nobody takes them any more.
fn listen(input: &mut dyn BufRead, told: &SyncSender<String>) -> io::Result<()> {
    let mut line = Vec::new();
    while read_line(input, &mut line)? {
        let line = decode(&line).into_owned();
        let is_last = line.trim_ascii() == "quit";
        if told.send(line).is_err() || is_last {
            break;
        }
    }
    Ok(())
}

/// Says every line when it is due and takes what the host says in between.
fn play(mut player: ScriptPlayer, host: &Receiver<String>, speed: f64, out: &mut dyn Write) -> io::Result<()> {
    while !player.is_over() {
        let heard = match player.due().map(|millis| pause(millis, speed)) {
            None => host.recv().map_err(RecvTimeoutError::from),
            Some(pause) if pause.is_zero() => Err(RecvTimeoutError::Timeout),
            Some(pause) => host.recv_timeout(pause),
        };
        match heard {
            Ok(line) => player.on_command(&line),
            Err(RecvTimeoutError::Timeout) => write_next(&mut player, out)?,
            Err(RecvTimeoutError::Disconnected) => player.hung_up(),
        }
        if player.due() != Some(0) {
            out.flush()?;
        }
    }
    while player.due() == Some(0) {
        write_next(&mut player, out)?;
    }
    out.flush()
}
