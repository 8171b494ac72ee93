use super::*;
use shogibar_base::Lang;
use std::path::PathBuf;

/// A folder for logs, removed at the end of the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("shogibar-traffic-{name}-{}", std::process::id()));
        shogibar_files::make_folder(&folder).unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        shogibar_files::list(&self.0, 100)
            .iter()
            .map(|path| path.file_name().unwrap().display().to_string())
            .collect()
    }

    /// Returns the lines of a log without their times.
    fn lines(&self, name: &str) -> Vec<String> {
        let bytes = shogibar_files::read(&self.at(name), 1 << 20).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.ends_with('\n'), "{text}");
        text.lines()
            .map(|line| line.trim_start().split_once(' ').unwrap().1.to_owned())
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _best_effort = std::fs::remove_dir_all(&self.0);
    }
}

fn log(file: &Path) -> TrafficLog {
    let log = TrafficLog::new("1.2.3");
    log.set_file(Some(file));
    log
}

const HEADER_LINE: &str = "# shogibar 1.2.3, what A is told and says";

#[test]
fn records_traffic_in_order() {
    let folder = Folder::new("order");
    let log = log(&folder.at("log"));
    let recorder = log.recorder("A");
    recorder.record_note("started /a");
    recorder.record_sent("usi");
    recorder.record_output(b"id name \x1b[2J\xff");
    recorder.record_stderr(b"usi\r");
    recorder.close();
    recorder.record_output(b"usiok");
    assert_eq!(
        folder.lines("log"),
        [
            HEADER_LINE,
            "# started /a",
            "> usi",
            "< id name \\x1b[2J\\xff",
            "! usi\\r"
        ],
        "and nothing once it is closed"
    );
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &std::fs::metadata(folder.at("log")).unwrap().permissions(),
        );
        assert_eq!(mode & 0o777, 0o600);
    }
    assert_eq!(log.take_problems(), []);
}

#[test]
fn writes_one_file_per_engine_and_program() {
    let folder = Folder::new("several");
    let (here, there) = (log(&folder.at("log")), log(&folder.at("log")));
    let recorders = [here.recorder("A"), here.recorder("A"), there.recorder("A")];
    for (n, recorder) in recorders.iter().enumerate() {
        recorder.record_sent(&format!("engine {n}"));
        // The file exists once its first line is written.
        let is_open = || folder.names().len() == n + 1;
        let mut waits = 0;
        while !is_open() {
            assert!(waits < 24_000, "no file after two minutes: {:?}", folder.names());
            waits += 1;
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }
    for recorder in &recorders {
        recorder.close();
    }
    for (n, name) in ["log", "log-2", "log-3"].into_iter().enumerate() {
        assert_eq!(
            folder.lines(name),
            [HEADER_LINE, &format!("> engine {n}")],
            "{name}"
        );
    }
    let again = here.recorder("A");
    again.record_sent("again");
    again.close();
    assert_eq!(
        folder.lines("log"),
        [HEADER_LINE, "> engine 0", HEADER_LINE, "> again"],
        "what is there is added to"
    );
    assert_eq!(folder.names(), ["log", "log-2", "log-3"]);
}

/// Records output of a search, a hundred bytes per line.
fn search(recorder: &Recorder, lines: usize) {
    for n in 0..lines {
        recorder
            .record_output(format!("info depth {n:>4} score cp {n:>4} string {}", "x".repeat(60)).as_bytes());
    }
}

#[test]
fn starts_the_next_file_with_the_position() {
    let folder = Folder::new("rotation");
    let log = TrafficLog::with_max_bytes("1.2.3", 5_000);
    log.set_file(Some(&folder.at("log")));
    let recorder = log.recorder("A");
    let before = [
        "usi",
        "setoption name Hash value 1",
        "isready",
        "usinewgame",
        "position startpos",
        "go infinite",
    ];
    recorder.record_sent(before[0]);
    recorder.record_output(b"usiok");
    for line in &before[1..3] {
        recorder.record_sent(line);
    }
    recorder.record_output(b"readyok");
    for line in &before[3..] {
        recorder.record_sent(line);
    }
    search(&recorder, 120);
    recorder.record_sent("stop");
    recorder.record_output(b"bestmove 7g7f");
    recorder.close();
    assert_eq!(log.take_problems(), []);
    assert_eq!(folder.names(), ["log", "log.1"], "the older ones are gone");
    let header: Vec<_> = [
        "> usi",
        "< usiok",
        "> setoption name Hash value 1",
        "> isready",
        "< readyok",
        "> usinewgame",
        "> position startpos",
        "> go infinite",
    ]
    .map(str::to_owned)
    .into();
    let (old, new) = (folder.lines("log.1"), folder.lines("log"));
    for lines in [&old, &new] {
        assert_eq!(
            lines[0],
            format!(
                "{HEADER_LINE}; what was before is in {}",
                folder.at("log.1").display()
            )
        );
        assert_eq!(lines[1..9], header);
        assert!(lines[9].starts_with("< info depth"), "{}", lines[9]);
    }
    assert_eq!(new[new.len() - 2..], ["> stop", "< bestmove 7g7f"]);
    // No line is lost between the two files.
    let depth = |line: &String| line.split_whitespace().nth(3).unwrap().parse::<usize>().unwrap();
    assert_eq!(depth(old.last().unwrap()) + 1, depth(&new[9]));
    let size = |name| std::fs::metadata(folder.at(name)).unwrap().len();
    assert!(size("log.1") <= 5_000 && size("log") <= 5_000);
}

#[test]
fn replaces_no_file_that_is_not_its_own_log() {
    let folder = Folder::new("others");
    shogibar_files::write_whole(&folder.at("game.kif"), b"# KIF\n").unwrap();
    let log = log(&folder.at("game.kif"));
    let recorders = [log.recorder("A"), log.recorder("A")];
    for recorder in &recorders {
        recorder.record_sent("usi");
    }
    for recorder in &recorders {
        recorder.close();
    }
    let path = folder.at("game.kif").display().to_string();
    assert_eq!(
        log.take_problems(),
        [LogProblem::NotALog(path)],
        "it is said once"
    );
    assert_eq!(
        shogibar_files::read(&folder.at("game.kif"), 100).unwrap(),
        b"# KIF\n"
    );

    let log = TrafficLog::with_max_bytes("1.2.3", 3_000);
    shogibar_files::write_whole(&folder.at("log.1"), b"mine").unwrap();
    log.set_file(Some(&folder.at("log")));
    let recorder = log.recorder("A");
    search(&recorder, 50);
    recorder.close();
    assert_eq!(folder.names(), ["game.kif", "log", "log.1", "log.2"]);
    assert_eq!(shogibar_files::read(&folder.at("log.1"), 100).unwrap(), b"mine");
}

#[cfg(unix)]
#[test]
fn does_not_follow_links() {
    let folder = Folder::new("links");
    std::os::unix::fs::symlink("theirs", folder.at("log")).unwrap();
    let log = log(&folder.at("log"));
    let (wake_sender, wake_receiver) = sync_channel(8);
    log.set_problem_callback(move || wake_sender.send(()).unwrap());
    let recorder = log.recorder("A");
    recorder.record_sent("usi");
    wake_receiver.recv().unwrap();
    recorder.close();
    let trouble = log.take_problems();
    let [LogProblem::NotWritten(why)] = &trouble[..] else {
        panic!("{trouble:?}")
    };
    assert!(why.text(Lang::En).contains("it is a link"), "{why:?}");
    assert!(
        why.text(Lang::Ja)
            .ends_with("log に書き込めません: リンクを通しては書き込みません。リンクを取り除いてください"),
        "{why:?}"
    );
    assert_eq!(folder.names(), ["log"], "and nothing is made at its end");
}

#[test]
fn switches_on_and_off_while_an_engine_runs() {
    let folder = Folder::new("switch");
    let log = TrafficLog::new("1.2.3");
    let recorder = log.recorder("A");
    let lines = ["usi", "position startpos", "go infinite"];
    for line in lines {
        recorder.record_sent(line);
    }
    recorder.record_output(b"info depth 1 score cp 1");
    log.set_file(Some(&folder.at("log")));
    recorder.record_output(b"info depth 2 score cp 2");
    log.set_file(None);
    recorder.record_output(b"info depth 3 score cp 3");
    log.set_file(Some(&folder.at("other")));
    recorder.record_output(b"info depth 4 score cp 4");
    recorder.close();
    let begin = [HEADER_LINE, "> usi", "> position startpos", "> go infinite"];
    // Without `usiok` all output belongs to the handshake.
    let lines = folder.lines("log");
    assert_eq!(
        (&lines[0], lines.last().unwrap().as_str()),
        (&HEADER_LINE.to_owned(), "< info depth 2 score cp 2")
    );
    assert!(
        begin
            .iter()
            .all(|line| lines.iter().any(|written| written == line)),
        "{lines:?}"
    );
    assert!(!lines.iter().any(|line| line.contains("depth 3")), "{lines:?}");
    assert_eq!(folder.lines("other").last().unwrap(), "< info depth 4 score cp 4");
}

#[test]
fn counts_lines_that_exceed_the_queue() {
    let mut lines = LineQueue {
        is_on: true,
        ..LineQueue::default()
    };
    let line = vec![b'x'; 1 << 20];
    let info = [b"info string ".as_slice(), &line].concat();
    for _ in 0..10 {
        lines.push(LogEntry {
            millis: 5,
            direction: Direction::Output,
            bytes: (&info).into(),
        });
    }
    lines.push(LogEntry {
        millis: 6,
        direction: Direction::Stderr,
        bytes: (&line).into(),
    });
    lines.push(LogEntry {
        millis: 7,
        direction: Direction::Sent,
        bytes: b"stop".into(),
    });
    lines.push(LogEntry {
        millis: 8,
        direction: Direction::Output,
        bytes: b"bestmove 7g7f".into(),
    });
    let text = |item: &QueueItem| match item {
        QueueItem::Line(entry) => entry.text().chars().take(13).collect(),
        QueueItem::Dropped { millis, count } => format!("{millis} {count}"),
        QueueItem::Begin { .. } => String::new(),
    };
    let text: Vec<_> = lines.queue.iter().map(text).collect();
    assert_eq!(text[..8], ["info string x"; 8], "there is room for some");
    assert_eq!(
        text[8..],
        ["5 3", "stop", "bestmove 7g7f"],
        "what steers the search is kept"
    );

    // A line without text takes space, too.
    let mut lines = LineQueue {
        is_on: true,
        ..LineQueue::default()
    };
    let max = MAX_QUEUE_BYTES / ITEM_OVERHEAD_BYTES + 1;
    for millis in 0..max + 10 {
        lines.push(LogEntry {
            millis: u64::try_from(millis).unwrap(),
            direction: Direction::Output,
            bytes: b"".into(),
        });
    }
    assert_eq!(lines.queue.len(), max + 1);
    let last = lines.queue.back();
    assert!(
        matches!(last, Some(QueueItem::Dropped { count: 10, .. })),
        "{last:?}"
    );

    let folder = Folder::new("dropped");
    let mut writer = LogWriter::new(Arc::clone(&log(&folder.at("log")).0), "A");
    let begin = QueueItem::Begin {
        file: Some(folder.at("log")),
        millis: 0,
        revision: 1,
        header: Box::default(),
    };
    writer.write([begin, QueueItem::Dropped { millis: 5, count: 3 }]);
    drop(writer);
    assert_eq!(
        folder.lines("log")[1],
        "# 3 lines were left out here: the disk was slower than the engine"
    );
}
