//! The socket of an observer, with a thread that reads and one that decides.

use super::core::{CsaCommand, CsaCore, CsaEffect, CsaEvent};
use super::{CsaPacing, MAX_LINE_BYTES};
use crate::address::CsaAddress;
use crate::game::{SourceEvent, SourceProblem};
use crate::output::SourceOutput;
use shogibar_base::threads;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

/// The longest time to connect to one IP address of a host.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum number of IP addresses of a host that are tried.
const MAX_IP_ADDRESSES: usize = 4;

/// The longest time for sending a command.
const SEND_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum number of bytes that are read at once.
const CHUNK_BYTES: usize = 32 << 10;

/// The pause after a read of [`CHUNK_BYTES`] bytes.
const CHUNK_PAUSE: Duration = Duration::from_millis(20);

/// A message to the thread that decides. A number is that of the connection, from 1.
pub(crate) enum CsaMessage {
    Connected(u64, TcpStream),
    Failed(u64, SourceProblem),
    /// Lines without their ends.
    Lines(u64, Vec<Vec<u8>>),
    File(SourceEvent),
    Stop,
}

/// Observes until the source is dropped or ends. `refresh_sender` requests a fetch of the game's file; `None` without
/// one.
pub(crate) fn run(
    address: &CsaAddress,
    pacing: CsaPacing,
    inbox: &SyncSender<CsaMessage>,
    messages: &Receiver<CsaMessage>,
    refresh_sender: Option<&SyncSender<()>>,
    output: &SourceOutput,
) {
    let start = output.start_time();
    let (mut core, effects) = CsaCore::start(address.clone(), pacing, start.elapsed());
    let mut queue: VecDeque<CsaEffect> = effects.into();
    let mut socket: Option<TcpStream> = None;
    let mut number = 0;
    while !output.is_stopped() {
        while let Some(effect) = queue.pop_front() {
            match effect {
                CsaEffect::Report(event) => output.report(event),
                CsaEffect::RequestRefresh => {
                    // A full queue means that a request is waiting already.
                    let _requested_already = refresh_sender.map(|sender| sender.try_send(()));
                }
                CsaEffect::Disconnect => close(socket.take()),
                CsaEffect::Connect => {
                    number += 1;
                    if connect(address, number, inbox.clone()).is_err() {
                        queue.extend(core.step(start.elapsed(), CsaEvent::Failed(SourceProblem::System)));
                    }
                }
                CsaEffect::Send(command) => {
                    let sent = socket
                        .as_mut()
                        .map(|socket| socket.write_all(text(&command, address).as_bytes()));
                    if sent.is_some_and(|sent| sent.is_err()) {
                        queue.extend(core.step(start.elapsed(), CsaEvent::Failed(SourceProblem::Closed)));
                    }
                }
            }
        }
        if core.is_over() {
            break;
        }
        let message = match core.deadline() {
            Some(deadline) => messages.recv_timeout(deadline.saturating_sub(start.elapsed())),
            None => messages.recv().map_err(RecvTimeoutError::from),
        };
        let event = match message {
            Ok(CsaMessage::Lines(of, lines)) => {
                if of == number {
                    for line in lines {
                        queue.extend(core.step(start.elapsed(), CsaEvent::Line(line)));
                    }
                }
                if core.deadline().is_none_or(|deadline| deadline > start.elapsed()) {
                    continue;
                }
                CsaEvent::Deadline
            }
            Ok(CsaMessage::Connected(of, stream)) if of == number => {
                socket = Some(stream);
                CsaEvent::Connected
            }
            Ok(CsaMessage::Failed(of, problem)) if of == number => CsaEvent::Failed(problem),
            Ok(CsaMessage::File(SourceEvent::Game(game))) => CsaEvent::File(game.record),
            Ok(CsaMessage::Connected(_, stream)) => {
                close(Some(stream));
                continue;
            }
            Ok(CsaMessage::Failed(..) | CsaMessage::File(_)) => continue,
            Err(RecvTimeoutError::Timeout) => CsaEvent::Deadline,
            Ok(CsaMessage::Stop) | Err(RecvTimeoutError::Disconnected) => break,
        };
        queue.extend(core.step(start.elapsed(), event));
    }
    close(socket);
}

/// Closes the connection; `None` for no connection.
fn close(socket: Option<TcpStream>) {
    if let Some(socket) = socket {
        // This wakes the thread that reads. An error means that the connection has ended already.
        let _gone_already = socket.shutdown(Shutdown::Both);
    }
}

/// Returns the line of a command. The line may contain the password, so it is never shown.
fn text(command: &CsaCommand, address: &CsaAddress) -> String {
    match command {
        CsaCommand::Login => format!("LOGIN {} {} x1\n", address.name, address.password()),
        CsaCommand::List => "%%LIST\n".to_owned(),
        CsaCommand::Monitor(game) => format!("%%MONITOR2ON {game}\n"),
        CsaCommand::KeepAlive => "\n".to_owned(),
        CsaCommand::Logout => "LOGOUT\n".to_owned(),
    }
}

/// Connects and reads, on a separate thread. `number` is the number of the connection, from 1.
fn connect(address: &CsaAddress, number: u64, inbox: SyncSender<CsaMessage>) -> io::Result<()> {
    let (host, port) = (address.host.trim_matches(['[', ']']).to_owned(), address.port);
    let work = move || {
        let problem = match open(&host, port) {
            Ok(stream) => read(&stream, number, &inbox),
            Err(problem) => problem,
        };
        // An error means that the source was dropped.
        let _unheard = inbox.send(CsaMessage::Failed(number, problem));
    };
    threads::spawn("csa-observer", work)?.detach();
    Ok(())
}

/// Connects to one of the IP addresses of a host.
fn open(host: &str, port: u16) -> Result<TcpStream, SourceProblem> {
    let addresses = (host, port)
        .to_socket_addrs()
        .map_err(|_unknown| SourceProblem::UnknownHost)?;
    let mut problem = SourceProblem::UnknownHost;
    for address in addresses.take(MAX_IP_ADDRESSES) {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
            Ok(stream) => {
                // Both options are only improvements: a failure to set them is ignored.
                let _best_effort = stream.set_nodelay(true);
                let _best_effort = stream.set_write_timeout(Some(SEND_TIMEOUT));
                return Ok(stream);
            }
            Err(error) if error.kind() == ErrorKind::TimedOut => problem = SourceProblem::Timeout,
            Err(_) => problem = SourceProblem::Unreachable,
        }
    }
    Err(problem)
}

/// Reads lines until the connection ends. Returns the reason of its end.
fn read(stream: &TcpStream, number: u64, inbox: &SyncSender<CsaMessage>) -> SourceProblem {
    let Ok(copy) = stream.try_clone() else {
        return SourceProblem::System;
    };
    if inbox.send(CsaMessage::Connected(number, copy)).is_err() {
        return SourceProblem::Closed;
    }
    let (mut stream, mut buffer, mut line) = (stream, vec![0; CHUNK_BYTES], Vec::new());
    loop {
        let count = match stream.read(&mut buffer) {
            Ok(0) | Err(_) => return SourceProblem::Closed,
            Ok(count) => count,
        };
        let mut lines = Vec::new();
        for byte in buffer.get(..count).unwrap_or_default() {
            match byte {
                b'\n' => lines.push(std::mem::take(&mut line)),
                b'\r' => {}
                _ if line.len() >= MAX_LINE_BYTES => return SourceProblem::LineTooLong,
                byte => line.push(*byte),
            }
        }
        if !lines.is_empty() && inbox.send(CsaMessage::Lines(number, lines)).is_err() {
            return SourceProblem::Closed;
        }
        if count == CHUNK_BYTES {
            // A server that sends without end is read at a limited speed.
            std::thread::park_timeout(CHUNK_PAUSE);
        }
    }
}
