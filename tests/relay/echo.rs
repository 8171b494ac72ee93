//! The echo engine of the scripts in this folder, and the GUI that measures. Python and shells are too slow for
//! microseconds.
//!
//! * `echo engine`: prints its input at once.
//! * `echo window FOLDER`: the window of a configuration folder. It reads the lines that relays send to it.
//! * `echo latency TIMES NAME=COMMAND…`: the time of a line there and back through each command, in turn.
//! * `echo throughput MEGABYTES NAME=COMMAND…`: the bytes per second there and back through each command, in turn.
//! * `echo handshake TIMES NAME=COMMAND…`: the time from the start of each command to its `usiok`, in turn.
//! * `echo soak LINES BYTES SEED COMMAND`: random lines and then random bytes there and back. The returned ones have to
//!   be the same.
//!
//! A COMMAND is a shell command. If there are several, the others are compared with the first.
#![expect(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_assert_message,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a measuring tool"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// The maximum number of bytes of a chunk.
const CHUNK_BYTES: usize = 1 << 16;
/// A line as engines print them.
const LINE: &[u8] =
    b"info depth 14 seldepth 21 score cp 123 nodes 1234567 nps 1234567 time 1000 pv 7g7f 3c3d 2g2f 8c8d 2f2e\n";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["engine"] => echo(),
        ["window", folder] => window(folder),
        ["latency", times, rest @ ..] => latency(times.parse().unwrap(), &commands(rest)),
        ["throughput", megabytes, rest @ ..] => throughput(megabytes.parse().unwrap(), &commands(rest)),
        ["handshake", times, rest @ ..] => handshake(times.parse().unwrap(), &commands(rest)),
        ["soak", lines, bytes, seed, command] => {
            soak(
                [lines.parse().unwrap(), bytes.parse().unwrap()],
                seed.parse().unwrap(),
                command,
            );
        }
        other => panic!("unknown: {other:?}"),
    }
}

fn commands<'a>(words: &[&'a str]) -> Vec<(&'a str, &'a str)> {
    words
        .iter()
        .map(|word| word.split_once('=').expect("NAME=COMMAND"))
        .collect()
}

fn echo() {
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        let length = input.read(&mut buffer).unwrap();
        if length == 0
            || output
                .write_all(&buffer[..length])
                .and_then(|()| output.flush())
                .is_err()
        {
            return;
        }
    }
}

fn window(folder: &str) {
    let address = shogibar_relay::socket::Address::for_folder(folder.as_ref()).unwrap();
    let listener = address.listen().unwrap();
    println!("listening");
    for mut connection in listener.incoming() {
        std::thread::spawn(move || std::io::copy(&mut connection, &mut std::io::sink()));
    }
}

/// A running command with its pipes.
struct Peer {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Peer {
    fn start(command: &str) -> Self {
        let mut child = Command::new("/bin/sh")
            .args(["-c", &format!("exec {command}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, input, output }
    }

    /// Sends a line, waits for it to come back, and returns the time.
    fn ping(&mut self, buffer: &mut [u8]) -> Duration {
        let started = Instant::now();
        self.input.write_all(LINE).unwrap();
        let mut length = 0;
        while length < LINE.len() {
            let more = self.output.read(&mut buffer[length..]).unwrap();
            assert!(more > 0, "it has ended");
            length += more;
        }
        let time = started.elapsed();
        assert_eq!(&buffer[..length], LINE);
        time
    }

    /// Closes the peer's input and reads the rest. The peer has to end without an error.
    fn end(mut self) {
        drop(self.input);
        let mut rest = Vec::new();
        self.output.read_to_end(&mut rest).unwrap();
        assert!(rest.is_empty(), "{} bytes too many", rest.len());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

/// Returns a quantile of sorted times, in microseconds.
fn quantile(sorted: &[Duration], quantile: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an index of the slice"
    )]
    let at = ((sorted.len() - 1) as f64 * quantile) as usize;
    sorted[at].as_secs_f64() * 1e6
}

fn latency(times: usize, commands: &[(&str, &str)]) {
    let mut peers: Vec<_> = commands
        .iter()
        .map(|(_, command)| (Peer::start(command), Vec::new()))
        .collect();
    let mut buffer = vec![0; CHUNK_BYTES];
    for (peer, _) in &mut peers {
        for _ in 0..200 {
            peer.ping(&mut buffer);
        }
    }
    for round in 0..times {
        // The peers take turns, and each round starts with another one.
        for at in 0..peers.len() {
            let count = peers.len();
            let (peer, found) = &mut peers[(round + at) % count];
            found.push(peer.ping(&mut buffer));
        }
    }
    println!(
        "{:<24}{:>9}{:>9}{:>9}{:>9}   µs, {times} lines there and back",
        "", "median", "p99", "p99.9", "max"
    );
    for ((name, _), (peer, mut found)) in commands.iter().zip(peers) {
        found.sort_unstable();
        let [median, p99, p999, max] = [0.5, 0.99, 0.999, 1.0].map(|at| quantile(&found, at));
        println!("{name:<24}{median:>9.1}{p99:>9.1}{p999:>9.1}{max:>9.1}");
        peer.end();
    }
}

fn throughput(megabytes: usize, commands: &[(&str, &str)]) {
    const ROUNDS: usize = 7;
    let mut found = vec![Vec::new(); commands.len()];
    let chunk: Vec<u8> = LINE.iter().copied().cycle().take(CHUNK_BYTES).collect();
    let count = (megabytes << 20) / CHUNK_BYTES;
    for _ in 0..ROUNDS {
        for ((_, command), found) in commands.iter().zip(&mut found) {
            let Peer {
                mut child,
                mut input,
                mut output,
            } = Peer::start(command);
            let chunk = &chunk;
            let started = Instant::now();
            let read = std::thread::scope(|scope| {
                scope.spawn(move || (0..count).for_each(|_| input.write_all(chunk).unwrap()));
                std::io::copy(&mut output, &mut std::io::sink()).unwrap()
            });
            let seconds = started.elapsed().as_secs_f64();
            assert_eq!(read, (count * CHUNK_BYTES) as u64);
            assert!(child.wait().unwrap().success());
            found.push(read as f64 / seconds / 1e6);
        }
    }
    for ((name, _), mut found) in commands.iter().zip(found) {
        found.sort_by(f64::total_cmp);
        println!("{name:<24}{:>9.0} MB/s, median of {ROUNDS}", found[ROUNDS / 2]);
    }
}

fn handshake(times: usize, commands: &[(&str, &str)]) {
    let mut found = vec![Vec::new(); commands.len()];
    for _ in 0..times {
        for ((_, command), found) in commands.iter().zip(&mut found) {
            let started = Instant::now();
            let Peer {
                mut child,
                mut input,
                output,
            } = Peer::start(command);
            input.write_all(b"usi\n").unwrap();
            let mut lines = BufReader::new(output).lines().map(Result::unwrap);
            assert!(lines.any(|line| line == "usiok"), "it has ended");
            found.push(started.elapsed());
            input.write_all(b"quit\n").unwrap();
            assert_eq!(lines.count(), 0);
            assert!(child.wait().unwrap().success());
        }
    }
    for ((name, _), mut found) in commands.iter().zip(found) {
        found.sort_unstable();
        println!(
            "{name:<24}{:>9.1} ms to usiok, median of {times}",
            quantile(&found, 0.5) / 1e3
        );
    }
}

/// `SplitMix64`.
#[derive(Clone)]
struct Random(u64);

impl Random {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    #[expect(clippy::cast_possible_truncation, reason = "a small number")]
    const fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// A length: most are small, a few large.
    const fn length(&mut self, max: usize) -> usize {
        match self.below(4) {
            0 => 1 + self.below(16),
            1 => 1 + self.below(1000),
            _ => 1 + self.below(max),
        }
    }

    /// Waits a short time, seldom.
    fn stall(&mut self) {
        if self.below(2000) == 0 {
            std::thread::sleep(Duration::from_micros(self.next() % 20_000));
        }
    }
}

/// The bytes to send: random lines, then random bytes. They are generated again for the comparison.
struct Source {
    random: Random,
    lines: u64,
    bytes: u64,
    part: Vec<u8>,
    position: usize,
}

impl Source {
    /// Returns the next bytes, at most `max`; none at the end.
    fn take(&mut self, max: usize) -> &[u8] {
        if self.position == self.part.len() {
            self.fill();
        }
        let end = self.part.len().min(self.position + max);
        let taken = &self.part[self.position..end];
        self.position = end;
        taken
    }

    fn fill(&mut self) {
        self.part.clear();
        self.position = 0;
        if self.lines > 0 {
            for _ in 0..self.lines.min(500) {
                // Most lines are short; blank ones and long ones occur.
                let length = if self.random.below(500) == 0 {
                    self.random.below(20_000)
                } else {
                    self.random.below(120)
                };
                let line = (0..length)
                    .map(|_| self.random.next().to_le_bytes()[0])
                    .filter(|byte| *byte != b'\n');
                self.part.extend(line);
                self.part
                    .extend_from_slice(if self.random.below(3) == 0 { b"\r\n" } else { b"\n" });
                self.lines -= 1;
            }
        } else {
            while self.bytes > 0 && self.part.len() < 16 * CHUNK_BYTES {
                let word = self.random.next().to_le_bytes();
                let length = usize::try_from(self.bytes.min(8)).unwrap();
                self.part.extend_from_slice(&word[..length]);
                self.bytes -= length as u64;
            }
        }
    }
}

fn soak([lines, bytes]: [u64; 2], seed: u64, command: &str) {
    let Peer {
        mut child,
        mut input,
        mut output,
    } = Peer::start(command);
    let source = || Source {
        random: Random(seed),
        lines,
        bytes,
        part: Vec::new(),
        position: 0,
    };
    let started = Instant::now();
    let total = std::thread::scope(|scope| {
        scope.spawn(move || {
            let (mut sent, mut random) = (source(), Random(seed ^ 1));
            loop {
                let length = random.length(CHUNK_BYTES + 5000);
                let chunk = sent.take(length);
                if chunk.is_empty() {
                    return;
                }
                input.write_all(chunk).unwrap();
                random.stall();
            }
        });
        let (mut expected, mut random, mut buffer) = (source(), Random(seed ^ 2), vec![0; 2 * CHUNK_BYTES]);
        let mut total = 0_u64;
        loop {
            let length = random.length(buffer.len() - 1);
            let length = output.read(&mut buffer[..length]).unwrap();
            let mut found = &buffer[..length];
            if found.is_empty() {
                assert!(expected.take(1).is_empty(), "bytes are missing behind {total}");
                return total;
            }
            while !found.is_empty() {
                let part = expected.take(found.len());
                assert!(!part.is_empty(), "bytes too many behind {total}");
                assert!(
                    found.starts_with(part),
                    "other bytes within {} behind {total}",
                    part.len()
                );
                total += part.len() as u64;
                found = &found[part.len()..];
            }
            random.stall();
        }
    });
    let status = child.wait().unwrap();
    assert!(status.success(), "{status}");
    println!(
        "{lines} lines and {bytes} bytes, {total} in all: the same, in {:.1} s",
        started.elapsed().as_secs_f64()
    );
}
