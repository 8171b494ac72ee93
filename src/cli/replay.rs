//! `shogibar replay`: a recorded log as an engine.

use super::lines::{open, read_line};
use super::{CliOutcome, Streams};
use crate::cli::command_error::CommandError;
use crate::cli::usage_text::ExpectedValue;
use shogibar_base::threads;
use shogibar_engine::usi::log::{LogLine, LogReader};
use shogibar_engine::usi::script::{Script, ScriptPlayer};
use shogibar_engine::usi::tokens::decode;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

/// The arguments of `shogibar replay`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The log
    log: PathBuf,
    /// Search this many times as fast as recorded; 0 answers at once
    #[arg(long, default_value_t = 1.0, value_parser = parse_speed)]
    speed: f64,
}

fn parse_speed(text: &str) -> Result<f64, ExpectedValue> {
    let speed = text
        .parse()
        .ok()
        .filter(|speed: &f64| speed.is_finite() && *speed >= 0.0);
    speed.ok_or(ExpectedValue::Number(0.0, None))
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let player = ScriptPlayer::new(read_script(arguments, streams)?);
    let speed = arguments.speed;
    let (commands, host) = sync_channel(64);
    let out = &mut streams.out.exact();
    // This thread reads standard input, whose lock it holds. The player has to answer `stop` during a pause, so it runs
    // on another thread.
    std::thread::scope(|scope| {
        let thread = threads::spawn_in_scope(scope, "player", move || play(player, &host, speed, out))?;
        let listened = listen(streams.input, &commands);
        drop(commands);
        let Ok(replayed) = thread.join() else {
            anyhow::bail!(CommandError::Broken("the player broke down"))
        };
        replayed?;
        listened?;
        Ok(CliOutcome::Done)
    })
}

/// Reads the lines of the first engine in a log.
fn read_script(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<Script> {
    anyhow::ensure!(arguments.log.as_os_str() != "-", CommandError::LogFromInput);
    let mut input = open(&arguments.log, &mut *streams.input)?;
    let mut log = Vec::new();
    let (mut reader, mut line) = (LogReader::default(), Vec::new());
    // If the log has several engines, the first is played.
    let mut first = None;
    while read_line(&mut *input, &mut line)
        .map_err(|error| CommandError::Log(arguments.log.clone(), error))?
    {
        let Some(LogLine { engine, entry }) = reader.read(&line) else {
            continue;
        };
        if *first.get_or_insert(engine) == engine {
            log.push(entry.into_owned());
        }
    }
    let script = Script::new(log);
    anyhow::ensure!(
        !script.is_empty(),
        CommandError::NoEngineInLog(arguments.log.clone())
    );
    Ok(script)
}

fn scaled_pause(millis: u64, speed: f64) -> Duration {
    const MAX_PAUSE: Duration = Duration::from_hours(1);
    if speed == 0.0 {
        return Duration::ZERO;
    }
    let seconds = Duration::from_millis(millis).as_secs_f64() / speed;
    Duration::try_from_secs_f64(seconds).map_or(MAX_PAUSE, |pause| pause.min(MAX_PAUSE))
}

fn write_next(player: &mut ScriptPlayer, out: &mut dyn Write) -> io::Result<()> {
    if let Some(line) = player.take_line() {
        out.write_all(&line)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Forwards every line of the host until `quit`, the end of the input, or the end of the player.
fn listen(input: &mut dyn BufRead, commands: &SyncSender<String>) -> io::Result<()> {
    let mut line = Vec::new();
    while read_line(input, &mut line)? {
        let line = decode(&line).into_owned();
        let is_last = line.trim_ascii() == "quit";
        if commands.send(line).is_err() || is_last {
            break;
        }
    }
    Ok(())
}

/// Writes every line when it is due, and handles the host's commands in between.
fn play(
    mut player: ScriptPlayer,
    host: &Receiver<String>,
    speed: f64,
    out: &mut dyn Write,
) -> io::Result<()> {
    while !player.is_over() {
        let command = match player.due().map(|millis| scaled_pause(millis, speed)) {
            None => host.recv().map_err(RecvTimeoutError::from),
            Some(pause) if pause.is_zero() => Err(RecvTimeoutError::Timeout),
            Some(pause) => host.recv_timeout(pause),
        };
        match command {
            Ok(line) => player.on_command(&line),
            Err(RecvTimeoutError::Timeout) => write_next(&mut player, out)?,
            Err(RecvTimeoutError::Disconnected) => player.on_input_closed(),
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
