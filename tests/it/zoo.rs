//! Every misbehaving engine of `tests/zoo`, with the texts that the user sees in both languages.
//!
//! The next position has to work or be reported as impossible, and no process may be left behind.

use crate::support::{self, PATIENCE};
use shogibar_base::Lang;
use shogibar_engine::options::Limit;
use shogibar_engine::process::Program;
use shogibar_engine::session::{EngineState, RestartPolicy, Session, SessionConfig, Snapshot};
use shogibar_games::bar::{BarInput, EngineReport};
use shogibar_machine::traffic::TrafficLog;
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, History};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

/// The visible result of an engine: parts of the text on the bar, in Japanese and English.
#[derive(Clone, Copy, Debug)]
enum Sees {
    /// A value for every position.
    Values,
    /// One value for every position: in Black's view if Black is to move.
    Same(Value),
    /// A text while an answer is outstanding, then values.
    Waits(&'static str, &'static str),
    /// A text that the search is finished, without a value.
    Nothing(&'static str, &'static str),
    /// A text that the first process failed and is restarted, then values.
    Recovers(&'static str, &'static str),
    /// A text that every process failed, after the restarts.
    GivesUp(&'static str, &'static str),
    /// A text that the program is unusable, without restarts.
    Fails(&'static str, &'static str),
}

/// Returns the visible result of an engine. For most engines, it is the same as for a correct engine.
fn sees(name: &str) -> Sees {
    use Sees::{Fails, GivesUp, Nothing, Recovers, Same, Values, Waits};
    let mate = |winner, plies| Same(Value::Mate { winner, plies });
    let crashed = |ja, en| Recovers(ja, en);
    match name {
        "slow-usiok" | "slow-options" => Waits("エンジンを起動しています… ", "Starting the engine… "),
        "slow-readyok-with-blanks" | "slow-readyok-in-silence" => {
            Waits("エンジンが準備しています… ", "The engine is getting ready… ")
        }
        "stalls-on-stop" => Waits("秒間応答がありません", "The engine has not answered for "),
        "silent" | "echoes" | "another-protocol" | "a-line-for-ever" => Fails(
            "2秒待っても usiok が返りません",
            "did not answer usiok within 2 seconds",
        ),
        "rubbish-for-ever" | "options-for-ever" => Fails("出力は USI ではありません", "is not USI"),
        "dies-at-once" => Fails("終了コード 3", "exit code 3"),
        "dies-on-usi" => Fails("終了コード 0", "exit code 0"),
        "dies-on-isready" | "dies-without-a-word" => GivesUp(
            "（終了コード 1）。2回起動し直しましたが",
            "(exit code 1). It was restarted 2 times",
        ),
        "dies-on-every-go" => GivesUp("（終了コード 7）。2回", "(exit code 7). It was restarted 2 times"),
        "dies-at-the-start-position" => {
            GivesUp("（終了コード 5）。2回", "(exit code 5). It was restarted 2 times")
        }
        "never-reads" => GivesUp("stop に応答しない", "did not respond to stop"),
        "dies-on-position" | "dies-in-the-middle-of-a-line" => crashed("（終了コード 1）", "(exit code 1)"),
        "dies-on-go" => crashed("（終了コード 101）", "(exit code 101)"),
        "dies-on-stop" => crashed("（終了コード 9）", "(exit code 9)"),
        "dies-in-idleness" => crashed("（終了コード 4）", "(exit code 4)"),
        "aborts" => crashed("（シグナル 6）", "(signal 6)"),
        "forks-and-dies" => crashed("（終了コード 6）", "(exit code 6)"),
        "closes-stdout" => crashed("（出力を閉じました）", "(it closed its output)"),
        "closes-stdin" | "ignores-stop" | "ignores-stop-and-talks" | "floods-for-ever" => Recovers(
            "stop に応答しないため終了させました",
            "did not respond to stop and was terminated",
        ),
        "mate-in-5" | "mate-plus-5" => mate(Color::Black, Some(5)),
        "mate-of-no-length" => mate(Color::Black, None),
        "mated-of-no-length" | "mate-0" | "mate-minus-0" => mate(Color::White, None),
        "sentinel" => Same(Value::Won(Color::Black)),
        "sentinel-of-gps" => Same(Value::Won(Color::White)),
        "resigns-at-once" | "declares" => Nothing(
            "エンジンは指し手を示しませんでした",
            "The engine returned no move",
        ),
        "book-move" => Nothing("", ""),
        _ => Values,
    }
}

/// Returns a part of the last lines that are shown with the failure.
fn last_words(name: &str) -> Option<&'static str> {
    match name {
        "dies-at-once" => Some("no weights here"),
        "dies-on-isready" => Some("failed to read nn.bin"),
        "dies-on-position" => Some("CRITICAL ERROR"),
        "dies-on-go" => Some("panicked at search.rs"),
        "dies-in-the-middle-of-a-line" => Some("info depth 4 sco"),
        "another-protocol" => Some("Illegal move (no match) usi"),
        "rubbish-for-ever" => Some("y"),
        _ => None,
    }
}

static POSITIONS: LazyLock<Vec<Arc<History>>> = LazyLock::new(|| {
    let moves = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e", "8d8e"];
    let texts = (0..=moves.len()).map(|n| format!("startpos moves {}", moves[..n].join(" ")));
    texts
        .map(|text| Arc::new(History::from_usi(&text).unwrap()))
        .collect()
});

fn settings(name: &str) -> SessionConfig {
    let pause = Duration::from_millis(300);
    // Short deadlines only for engines that never answer, so that a slow machine does not fail the test.
    let never_says_usiok = matches!(sees(name), Sees::Fails(ja, _) if ja.contains("usiok"));
    let ignores_stop = name == "hangs-after-its-own-end"
        || matches!(sees(name), Sees::Recovers(ja, _) | Sees::GivesUp(ja, _) if ja.contains("stop"));
    SessionConfig {
        hash_mb: 16,
        usi_ok_timeout: if never_says_usiok {
            Duration::from_secs(2)
        } else {
            PATIENCE
        },
        stop_timeout: if ignores_stop {
            Duration::from_millis(3_500)
        } else {
            PATIENCE
        },
        time_limit: Some(Duration::from_secs(1)),
        limit: if name == "aborts-on-limits" {
            Limit::Nodes(1)
        } else {
            Limit::Infinite
        },
        restart_policy: RestartPolicy {
            pauses: vec![pause, pause],
            period: Duration::from_mins(10),
        },
        presets: shogibar_config::built_in_presets(),
        ..SessionConfig::default()
    }
}

/// Returns the path of the zoo program. It is an example, which `cargo test` builds beside the tests.
pub(crate) fn zoo() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let target = own.parent().and_then(Path::parent).unwrap();
    let zoo = target
        .join("examples")
        .join(format!("zoo{}", std::env::consts::EXE_SUFFIX));
    assert!(
        zoo.exists(),
        "{} is built by `cargo test`, or `cargo build --example zoo`",
        zoo.display()
    );
    zoo
}

/// One engine of the zoo, and its output so far.
struct Cage {
    name: String,
    folder: PathBuf,
    session: Session,
    rings: Receiver<()>,
    newest_snapshot: Snapshot,
    snapshots: usize,
    /// Every text that the bar has shown, in Japanese and English.
    texts: Vec<[String; 2]>,
    details: Vec<String>,
    /// Every value that was shown, with the index of its position.
    shown_values: Vec<(usize, Value)>,
    /// The USI log, beside the folder, which belongs to the engine.
    log: PathBuf,
    traffic: TrafficLog,
}

impl Cage {
    fn open(name: &str) -> Self {
        let folder =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("zoo-{}-{name}", std::process::id()));
        let _none_there = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let program = Program {
            path: zoo(),
            arguments: vec![name.into(), folder.clone().into()],
            ..Program::default()
        };
        let (ring, rings) = sync_channel(1);
        let wake = move || {
            let _rung_already = ring.try_send(());
        };
        let (log, traffic) = (folder.with_extension("log"), TrafficLog::default());
        let _none_there = std::fs::remove_file(&log);
        traffic.set_file(Some(&log));
        let session = Session::start_recorded(program, settings(name), traffic.recorder(name), wake).unwrap();
        Self {
            name: name.to_owned(),
            folder,
            session,
            rings,
            newest_snapshot: Snapshot::default(),
            snapshots: 0,
            texts: Vec::new(),
            details: Vec::new(),
            shown_values: Vec::new(),
            log,
            traffic,
        }
    }

    /// Checks each new snapshot until `enough`, for `at_most`.
    ///
    /// # Errors
    /// Fails if the time is up, or a check fails.
    fn watch(
        &mut self,
        position: usize,
        at_most: Duration,
        enough: impl Fn(&Self) -> bool,
    ) -> Result<(), String> {
        let until = Instant::now() + at_most;
        while !enough(self) {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let newest = (
                    &self.newest_snapshot.state,
                    &self.newest_snapshot.result,
                    &self.newest_snapshot.search_info,
                    self.newest_snapshot.is_from_old_process,
                );
                return Err(format!(
                    "{}: at position {position}: {newest:?}, said {:?}",
                    self.name, self.texts
                ));
            }
            let _nothing_new = self.rings.recv_timeout(left);
            if let Some(snapshot) = self.session.snapshot() {
                self.newest_snapshot = snapshot;
                self.snapshots += 1;
                self.check_snapshot(position)?;
            }
        }
        Ok(())
    }

    fn check_snapshot(&mut self, position: usize) -> Result<(), String> {
        let input = BarInput {
            history: Arc::clone(&POSITIONS[position]),
            engines: vec![EngineReport::from(self.newest_snapshot.clone())],
            ..BarInput::default()
        };
        let notice = |lang| {
            let view = input.view(None, lang);
            let notices = || view.notice().into_iter();
            let on_air = notices()
                .map(|notice| notice.text.clone())
                .chain([view.lead().status.clone()])
                .collect();
            (
                notices()
                    .map(|notice| notice.full().to_owned())
                    .collect::<String>(),
                on_air,
            )
        };
        let [ja, en] = [Lang::Ja, Lang::En].map(notice);
        let on_air: [Vec<String>; 2] = [ja.1, en.1];
        for text in on_air.iter().flatten() {
            self.check_on_air(text)?;
        }
        let texts = [ja.0, en.0];
        if self.texts.last() != Some(&texts) {
            self.texts.push(texts);
        }
        if let EngineState::Failed(failure) = &self.newest_snapshot.state {
            self.details.clone_from(&failure.last_lines);
        }
        if let EngineState::Restarting(restart) = &self.newest_snapshot.state {
            self.details.clone_from(&restart.failure.last_lines);
        }
        if let Some(shown) = &self.newest_snapshot.search_info {
            let n = POSITIONS
                .iter()
                .position(|history| *history == shown.history)
                .unwrap();
            self.shown_values
                .extend(shown.best().map(|best| (n, plain(best.value))));
        }
        self.check_values()
    }

    /// Checks that a text for others contains no path, no word of USI and no line of the engine.
    fn check_on_air(&self, text: &str) -> Result<(), String> {
        const WORDS: [&str; 14] = [
            "usi",
            "usiok",
            "isready",
            "readyok",
            "stop",
            "go",
            "position",
            "bestmove",
            "info",
            "score",
            "option",
            "setoption",
            "exit",
            "signal",
        ];
        let words: Vec<_> = text
            .split(|letter: char| !letter.is_ascii_alphanumeric())
            .map(str::to_lowercase)
            .collect();
        let usi_word = WORDS
            .into_iter()
            .find(|word| words.iter().any(|known| known == word));
        let line = self
            .details
            .iter()
            .find(|line| line.len() > 3 && text.contains(line.as_str()));
        let is_path = text.contains(['/', '\\']) || text.contains("zoo");
        match (usi_word, line, is_path) {
            (None, None, false) => Ok(()),
            found => Err(format!("{}: {found:?} on air: {text}", self.name)),
        }
    }

    /// Checks that every value belongs to its own position. Other scores that a zoo engine prints are small.
    fn check_values(&self) -> Result<(), String> {
        let Some(shown) = &self.newest_snapshot.search_info else {
            return Ok(());
        };
        let n = POSITIONS
            .iter()
            .position(|history| *history == shown.history)
            .unwrap();
        for candidate in &shown.candidates {
            // A line printed just after the next `go` cannot be distinguished from an answer. Meanwhile the other side
            // may be to move.
            let is_late = self.name == "info-after-bestmove"
                && (0..POSITIONS.len())
                    .any(|n| [value_of(n), mirrored(value_of(n))].contains(&candidate.value));
            if !is_late && !is_own(&self.name, n, candidate.value) {
                return Err(format!("{}: {:?} under position {n}", self.name, candidate.value));
            }
            let mut position = shown.history.now().clone();
            if candidate.pv.iter().any(|mv| position.play(*mv).is_err()) {
                return Err(format!(
                    "{}: an illegal line is shown under position {n}",
                    self.name
                ));
            }
        }
        Ok(())
    }

    fn has_shown(&self, ja: &str, en: &str) -> bool {
        self.texts
            .iter()
            .any(|texts| texts[0].contains(ja) && texts[1].contains(en))
    }

    fn says(&self, ja: &str, en: &str) -> bool {
        self.texts
            .last()
            .is_some_and(|texts| texts[0].contains(ja) && texts[1].contains(en))
    }

    fn shows(&self, position: usize, value: Value) -> bool {
        let shown = self
            .newest_snapshot
            .search_info
            .as_ref()
            .filter(|shown| shown.history == POSITIONS[position]);
        let shown = shown
            .and_then(|shown| shown.best())
            .filter(|_| !self.newest_snapshot.is_from_old_process);
        shown.is_some_and(|best| best.value == value)
    }

    fn has_answered(&self, position: usize) -> bool {
        self.newest_snapshot
            .result
            .as_ref()
            .is_some_and(|answer| answer.history == POSITIONS[position])
    }

    /// Sets a position as the target and waits for the expected output.
    fn visit(&mut self, position: usize, sees: Sees) -> Result<(), String> {
        self.session.set_target(Some(Arc::clone(&POSITIONS[position])));
        self.texts.clear();
        self.check_snapshot(position)?;
        let has_value = |cage: &Self| cage.shows(position, value_of(position));
        self.watch(position, PATIENCE, |cage| match sees {
            Sees::Values => has_value(cage),
            Sees::Same(value) => cage.shows(
                position,
                if position.is_multiple_of(2) {
                    value
                } else {
                    mirrored(value)
                },
            ),
            Sees::Waits(ja, en) | Sees::Recovers(ja, en) => cage.has_shown(ja, en) && has_value(cage),
            Sees::Nothing(ja, en) => cage.has_answered(position) && cage.says(ja, en),
            Sees::GivesUp(ja, en) | Sees::Fails(ja, en) => {
                matches!(cage.newest_snapshot.state, EngineState::Failed(_)) && cage.says(ja, en)
            }
        })
    }

    /// Ends the engine, and checks that no process is left and that the log is correct.
    fn close(self) -> Result<(), String> {
        let Self {
            name,
            folder,
            session,
            shown_values: shown,
            log,
            traffic,
            ..
        } = self;
        drop(session);
        let gone = support::eventually(|| belonging_to(&folder).is_empty());
        let left = belonging_to(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        if !gone {
            return Err(format!("{name}: left behind {left:?}"));
        }
        let trouble = traffic.take_problems();
        let checked = if trouble.is_empty() {
            check_log(&name, &log, &shown)
        } else {
            Err(format!("{trouble:?}"))
        };
        checked
            .map(|()| std::fs::remove_file(&log).unwrap())
            .map_err(|why| format!("{name}: {why}"))
    }
}

/// Returns whether an engine of the zoo may print this value for the position.
fn is_own(name: &str, position: usize, value: Value) -> bool {
    match value {
        Value::Cp(cp) => value == value_of(position) || cp.abs() < 10,
        _ => name == "numbers-too-large" || matches!(sees(name), Sees::Same(_)),
    }
}

/// Checks that `explain` gives the values that were shown, and that `replay` plays them back.
fn check_log(name: &str, log: &Path, shown: &[(usize, Value)]) -> Result<(), String> {
    let explained = explained(log)?;
    // The bar may skip values between two frames. The last one of a position has to be right.
    let is_last = |at: usize| explained.get(at + 1).is_none_or(|next| next.0 != explained[at].0);
    let mut last = (0..explained.len())
        .filter(|at| is_last(*at))
        .map(|at| &explained[at]);
    if let Some(foreign) = last.find(|(position, value)| !is_own(name, *position, *value)) {
        return Err(format!("explain shows {foreign:?}"));
    }
    if let Some(lost) = shown.iter().find(|shown| !explained.contains(shown)) {
        return Err(format!("{lost:?} was shown, and explain has {explained:?}"));
    }
    let Some((position, _)) = explained.first() else {
        return Ok(());
    };
    let is_recorded = |value: Value| explained.contains(&(*position, value));
    replayed(log, *position, is_recorded).map_err(|why| format!("replayed: {why}"))
}

/// Returns the values that `explain` gives for a log, each with the index of its position.
fn explained(log: &Path) -> Result<Vec<(usize, Value)>, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_shogibar"))
        .arg("explain")
        .arg(log)
        .output()
        .unwrap();
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let shown =
        lines.filter(|line| line["shown"] == true && line["multipv"] == 1 && line["bestmove"].is_null());
    let value = |line: serde_json::Value| {
        let position = POSITIONS
            .iter()
            .position(|history| line["sfen"] == history.now().sfen())
            .unwrap();
        let winner = if line["win"].as_f64().unwrap() > 0.5 {
            Color::Black
        } else {
            Color::White
        };
        let value = match (line["cp"].as_i64(), line["mate"].as_i64()) {
            (Some(cp), _) => Value::Cp(i32::try_from(cp).unwrap()),
            (None, Some(mate)) => Value::Mate {
                winner,
                plies: Some(u32::try_from(mate.unsigned_abs()).unwrap()),
            },
            // `explain` prints a mate of unknown length and a sentinel score alike.
            (None, None) => Value::Won(winner),
        };
        (position, value)
    };
    Ok(shown.map(value).collect())
}

/// Runs `replay` of a log as the engine, and waits until a recorded value of the position is shown.
fn replayed(log: &Path, position: usize, is_recorded: impl Fn(Value) -> bool) -> Result<(), String> {
    let arguments = ["replay".into(), "--speed".into(), "0".into(), log.into()].into();
    let program = Program {
        path: env!("CARGO_BIN_EXE_shogibar").into(),
        arguments,
        ..Program::default()
    };
    let (ring, rings) = sync_channel(1);
    let wake = move || {
        let _rung_already = ring.try_send(());
    };
    let session = Session::start(
        program,
        SessionConfig {
            time_limit: Some(Duration::from_secs(1)),
            ..SessionConfig::default()
        },
        wake,
    );
    let session = session.unwrap();
    session.set_target(Some(Arc::clone(&POSITIONS[position])));
    let (until, mut newest) = (Instant::now() + PATIENCE, Snapshot::default());
    while Instant::now() < until {
        let _nothing_new = rings.recv_timeout(Duration::from_millis(100));
        newest = session.snapshot().unwrap_or(newest);
        let shown = newest
            .search_info
            .as_ref()
            .filter(|shown| shown.history == POSITIONS[position]);
        if shown
            .and_then(|shown| shown.best())
            .is_some_and(|best| is_recorded(plain(best.value)))
        {
            return Ok(());
        }
    }
    Err(format!("{:?}, {:?}", newest.state, newest.search_info))
}

/// Returns a value as `explain` prints it.
fn plain(value: Value) -> Value {
    match value {
        Value::Mate { winner, plies: None } => Value::Won(winner),
        other => other,
    }
}

/// Returns the value of a normal zoo engine for the position after `n` moves, in Black's view.
fn value_of(n: usize) -> Value {
    let cp = i32::try_from(n + 1).unwrap() * 100;
    Value::Cp(if n.is_multiple_of(2) { cp } else { -cp })
}

fn mirrored(value: Value) -> Value {
    match value {
        Value::Cp(cp) => Value::Cp(-cp),
        Value::Won(winner) => Value::Won(!winner),
        Value::Mate { winner, plies } => Value::Mate {
            winner: !winner,
            plies,
        },
    }
}

/// Returns the command lines of the processes that have the folder as an argument.
fn belonging_to(folder: &Path) -> Vec<String> {
    let folder = folder.to_string_lossy().into_owned();
    let names_it = |line: &String| line.split('\0').any(|argument| argument == folder);
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let lines = processes.filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).into_owned())
        .filter(names_it)
        .collect()
}

fn check_engine(name: &str) -> Result<(), String> {
    let mut cage = Cage::open(name);
    let first = sees(name);
    cage.visit(0, first)?;
    if let Some(words) = last_words(name)
        && !cage.details.iter().any(|line| line.contains(words))
    {
        return Err(format!("{name}: its last words were {:?}", cage.details));
    }
    match first {
        Sees::GivesUp(..) | Sees::Fails(..) => {
            // Another position helps only after a retry by the user, and even then not always.
            cage.visit(1, first)?;
            if name == "never-reads" {
                // Every detection takes long, and its result would be the same, so the rest is left out.
                return cage.close();
            }
            let before = cage.snapshots;
            cage.session.retry();
            let again = if name == "dies-at-the-start-position" {
                Sees::Values
            } else {
                first
            };
            cage.watch(1, PATIENCE, |cage| cage.snapshots > before)?;
            cage.visit(1, again)?;
        }
        Sees::Values | Sees::Same(_) | Sees::Nothing(..) | Sees::Waits(..) | Sees::Recovers(..) => {
            // On a busy machine, the restart may have come earlier. Then there are values at once.
            let is_restarted = name == "hangs-after-its-own-end";
            let expected = if is_restarted || matches!(first, Sees::Waits(..) | Sees::Recovers(..)) {
                Sees::Values
            } else {
                first
            };
            cage.visit(1, expected)?;
            if name == "hangs-after-its-own-end" {
                return cage.close();
            }
            // Positions change faster than the engine can follow.
            for position in 2..6 {
                cage.session.set_target(Some(Arc::clone(&POSITIONS[position])));
                let _not_yet = cage.watch(position, Duration::from_millis(25), |_| false);
                cage.check_values()?;
            }
            cage.visit(0, expected)?;
            cage.session.set_target(None);
        }
    }
    cage.close()
}

#[test]
fn handles_every_misbehaving_engine() {
    const AT_ONCE: usize = 12;
    let list = Command::new(zoo()).arg("list").output().unwrap();
    let names: Vec<String> = String::from_utf8(list.stdout)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    assert!(names.len() >= 90, "{} animals", names.len());
    let started = Instant::now();
    let (next, wrong, times) = (
        AtomicUsize::new(0),
        Mutex::new(Vec::new()),
        Mutex::new(Vec::new()),
    );
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let begun = Instant::now();
                    let error = check_engine(name).err();
                    wrong.lock().unwrap().extend(error);
                    times.lock().unwrap().push((begun.elapsed(), name));
                }
            });
        }
    });
    let mut times = times.into_inner().unwrap();
    times.sort_unstable_by(|a, b| b.cmp(a));
    eprintln!(
        "{} animals in {:?}, the slowest {:?}",
        names.len(),
        started.elapsed(),
        &times[..5]
    );
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
