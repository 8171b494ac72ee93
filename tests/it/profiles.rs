//! Engine profiles of the user: set up from a shell, stored in a file, used by name.

use crate::support;
use shogibar_config::Profile;
use shogibar_engine::options::EngineNumber;
use shogibar_machine::store::{Store, StoreError};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/selfplay.kif");

/// A user with a separate home folder and settings. Deleted on drop.
struct User(PathBuf);

impl User {
    fn new(name: &str) -> Self {
        let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("user-{name}-{}", std::process::id()));
        std::fs::create_dir_all(home.join("config")).unwrap();
        Self(home)
    }

    fn file(&self) -> PathBuf {
        self.0.join("config/engines.toml")
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.file()).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
            .env("SHOGIBAR_CONFIG", self.0.join("config"))
            .env("HOME", &self.0)
            .env("LC_ALL", "en_US.UTF-8");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the program and checks its exit code. Returns standard output and standard error.
    fn check(&self, arguments: &[&str], code: i32) -> (String, String) {
        let output = self.run(arguments);
        let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {out}{error}");
        assert!(!error.contains("panicked"), "{arguments:?}: {error}");
        (out, error)
    }

    fn run_ok(&self, arguments: &[&str]) -> String {
        self.check(arguments, 0).0
    }
}

impl Drop for User {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn sets_up_engines_from_a_shell() {
    let user = User::new("shell");
    user.run_ok(&["engines", "add", "remote", "--", "ssh", "host", "./my engine"]);
    user.run_ok(&[
        "engines",
        "add",
        "水匠",
        "--folder",
        "/opt/suisho",
        "--",
        "bin/YaneuraOu",
    ]);
    assert_eq!(user.run_ok(&["engines", "duplicate", "remote"]), "remote 2\n");
    user.run_ok(&["engines", "rename", "remote 2", "near"]);
    user.run_ok(&[
        "engines",
        "set",
        "near",
        "command=wine 'a b.exe'",
        "k=285",
        "threads=4",
        "USI_Hash=64",
        "env.A=b=c",
    ]);
    user.run_ok(&[
        "engines",
        "set",
        "near",
        "limit=nodes 1000",
        "Skill Level=3",
        "Book=",
        "k",
    ]);
    user.run_ok(&["engines", "default", "near"]);
    user.run_ok(&["engines", "remove", "remote"]);
    let expect = r#"default = "near"

[[engine]]
name = "near"
program = "wine"
arguments = ["a b.exe"]
threads = 4
hash_mb = 64
limit = "nodes 1000"

[engine.environment]
A = "b=c"

[engine.options]
Book = ""
"Skill Level" = "3"

[[engine]]
name = "水匠"
program = "bin/YaneuraOu"
folder = "/opt/suisho"
"#;
    if cfg!(unix) {
        assert_eq!(user.text(), expect);
    }
}

#[test]
fn names_a_missing_working_folder() {
    let user = User::new("folder");
    let (_, error) = user.check(
        &[
            "engines",
            "add",
            "a",
            "--folder",
            "/nowhere/at all",
            "--",
            "sh",
            "-c",
            "exit",
        ],
        0,
    );
    let sentence =
        "The engine's folder '/nowhere/at all' does not exist. Correct it in the engine's settings.\n";
    assert_eq!(
        error, sentence,
        "where it is set, though it is kept: it may come back"
    );
    let (out, _) = user.check(&["engines"], 0);
    assert!(
        out.lines()
            .next()
            .unwrap()
            .contains("(there is no folder /nowhere/at all)"),
        "{out}"
    );
    assert!(
        user.run_ok(&["doctor"])
            .contains("(there is no folder /nowhere/at all)")
    );
    let (_, error) = user.check(&["engines", "options", "a"], 2);
    assert!(error.contains(sentence.trim_end()), "{error}");
    let (_, error) = user.check(&["engines", "set", "a", "threads=1"], 0);
    assert_eq!(error, "", "it is not about the folder");
    let (_, error) = user.check(&["engines", "set", "a", "folder=/nowhere/else"], 0);
    assert!(error.contains("'/nowhere/else'"), "{error}");
    user.run_ok(&["engines", "set", "a", "folder"]);
    let (out, _) = user.check(&["engines"], 0);
    assert!(
        out.lines().next().unwrap().contains("(exited without an answer)"),
        "{out}"
    );
}

#[test]
fn refused_commands_change_nothing() {
    let user = User::new("refused");
    user.run_ok(&["engines", "add", "a", "--", "program"]);
    let before = user.text();
    let check = |arguments: &[&str], expect: &str| {
        let (_, error) = user.check(&[&["engines"], arguments].concat(), 2);
        assert!(
            error.contains(expect) && error.lines().count() == 1,
            "{arguments:?}: {error}"
        );
        assert_eq!(user.text(), before, "{arguments:?}");
    };
    check(&["add", "a", "--", "other"], "'a' already");
    check(&["add", "builtin", "--", "other"], "inside this program");
    check(&["remove", "b"], "no engine profile 'b'");
    check(&["rename", "a", " "], "empty");
    check(&["default", "b"], "no engine profile 'b'");
    check(
        &["set", "a", "threads=0"],
        "threads: it must be a whole number, at least 1",
    );
    check(&["set", "a", "k=much"], "k: it must be a number");
    check(&["set", "a", "limit=forever"], "limit: it must be infinite");
    check(&["set", "a", "command='"], "command: a quote is not closed");
    check(&["set", "a", "threads=2", "=3"], "no key");
    check(&["options", "a"], "program");
}

#[test]
fn a_broken_file_gives_warnings_and_is_backed_up() {
    let user = User::new("broken");
    let broken = "[[engine]]\nname = 'a'\nprogram = 'builtin'\nk = 'much'\ncolour = 'kept'\n";
    std::fs::write(user.file(), broken).unwrap();
    let (out, error) = user.check(&["engines"], 0);
    assert!(
        error.contains("engine[1].k: it should be a number from 1 to 100000"),
        "{error}"
    );
    let first: Vec<&str> = out.lines().next().unwrap().split('\t').collect();
    assert!(
        first[0] == "a" && first[2].starts_with("Shogibar") && first[3] == "default",
        "{out}"
    );
    user.run_ok(&["engines", "set", "a", "k=300"]);
    assert_eq!(
        user.text(),
        broken.replace("'much'", "300.0"),
        "nothing else is touched"
    );
    assert_eq!(
        std::fs::read_to_string(user.0.join("config/engines.toml.broken-1")).unwrap(),
        broken
    );

    std::fs::write(user.file(), "rubbish [").unwrap();
    let (_, error) = user.check(&["engines"], 0);
    assert!(
        error.contains("engines.toml: the settings cannot be read"),
        "{error}"
    );
    assert_eq!(user.text(), "rubbish [", "whoever writes it may not be done");
    let (_, error) = user.check(&["engines", "add", "a", "--", "program"], 0);
    assert!(error.contains("engines.toml.broken-2"), "{error}");
    assert_eq!(
        std::fs::read_to_string(user.0.join("config/engines.toml.broken-2")).unwrap(),
        "rubbish ["
    );
    assert!(user.text().contains("name = \"a\""), "{}", user.text());
}

#[test]
fn doctor_prints_the_configuration_folder() {
    let user = User::new("doctor");
    let out = user.run_ok(&["doctor"]);
    assert!(
        out.contains(&format!("configuration: {}", user.0.join("config").display())),
        "{out}"
    );
}

#[test]
fn prints_a_hint_without_a_strong_engine() {
    let user = User::new("hint");
    let output = user
        .command(&["engines"])
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    let [out, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(out.lines().next().unwrap().starts_with("builtin\t"), "{out}");
    // The standard folders are searched independently of PATH.
    assert_eq!(
        error.contains("YaneuraOu"),
        out.lines().count() == 1,
        "{out}{error}"
    );
}

/// An engine that logs every command it receives.
#[cfg(unix)]
const RECORDING_ENGINE: &str = r#"echo "$0 $* in $PWD with $TOLD" >>"$(dirname "$0")/told"
while read -r line; do
  echo "$line" >>"$(dirname "$0")/told"
  case $line in
    usi) echo id name Recorder 1
      echo option name Skill Level type spin default 20 min -20 max 20
      echo option name EvalDir type string default eval
      echo option name MultiPV type spin default 1 min 1 max 500
      echo option name Threads type spin default 1 min 1 max 4
      echo option name Clear Hash type button
      echo usiok;;
    isready) echo readyok;;
    go*) echo info depth 1 score cp 100 pv 7g7f; echo bestmove 7g7f;;
    quit) exit;;
  esac
done
"#;

#[cfg(unix)]
#[test]
fn uses_a_profile_by_its_name() {
    let user = User::new("used");
    let script = support::Script::new("recorder", RECORDING_ENGINE);
    let path = script.path.display().to_string();
    user.run_ok(&["engines", "add", "水匠 5", "--", &path, "--net", "a b"]);
    user.run_ok(&[
        "engines",
        "set",
        "水匠 5",
        "Skill_Level=3",
        "EvalDir=評価 関数",
        "Threads=64",
        "multipv=5",
        "k=300",
    ]);
    let home = user.0.display();
    user.run_ok(&[
        "engines",
        "set",
        "水匠 5",
        "Old Option=1",
        "Clear Hash=",
        "limit=movetime 300",
        "env.TOLD=a=b",
    ]);
    user.run_ok(&["engines", "set", "水匠 5", &format!("folder={home}")]);
    let show = ["--text", EXAMPLE, "--ply", "0", "--lang", "en"];
    for engine in [&["--engine", "水匠 5"][..], &[]] {
        let _of_before = std::fs::remove_file(script.beside("told"));
        let out = user.run_ok(&[&show[..], engine].concat());
        // 1 / (1 + exp(-100 / 300))
        assert!(out.contains("58%"), "{engine:?}: {out}");
        let received = std::fs::read_to_string(script.beside("told")).unwrap();
        let received: Vec<&str> = received.lines().collect();
        assert_eq!(received[0], format!("{path} --net a b in {home} with a=b"));
        let set: Vec<_> = received
            .iter()
            .filter_map(|line| line.strip_prefix("setoption name "))
            .collect();
        let expect = [
            "MultiPV value 5",
            "Threads value 4",
            "Skill Level value 3",
            "EvalDir value 評価 関数",
        ];
        assert_eq!(set, expect, "{engine:?}");
    }
    let _of_before = std::fs::remove_file(script.beside("told"));
    user.run_ok(&[&show[..], &["--multipv", "2", "--threads", "1"]].concat());
    let received = std::fs::read_to_string(script.beside("told")).unwrap();
    assert!(
        received.contains("MultiPV value 2\n") && received.contains("Threads value 1\n"),
        "{received}"
    );

    let (out, error) = user.check(&["engines", "options", "水匠 5"], 1);
    let line = |name: &str| {
        out.lines()
            .find(|line| line.starts_with(name))
            .unwrap_or_else(|| panic!("{name}: {out}"))
    };
    assert_eq!(line("Skill Level"), "Skill Level\t3\t20\tspin -20..20");
    assert_eq!(line("EvalDir"), "EvalDir\t評価 関数\teval\tstring");
    assert!(
        error.contains("Old Option: the engine has no such option"),
        "{error}"
    );
    assert!(error.contains("Clear Hash: it is a button"), "{error}");
    assert_eq!(error.lines().count(), 2, "{error}");
}

#[cfg(unix)]
#[test]
fn queries_engines_only_once() {
    let user = User::new("asked");
    let script = support::Script::new("asked", RECORDING_ENGINE);
    std::fs::create_dir_all(user.0.join("bin")).unwrap();
    std::os::unix::fs::symlink(&script.path, user.0.join("bin/sunfish")).unwrap();
    let path = format!("{}:/usr/bin:/bin", user.0.join("bin").display());
    let list = || {
        let output = user.command(&["engines"]).env("PATH", &path).output().unwrap();
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{out}");
        assert!(
            out.lines()
                .any(|line| line.starts_with("sunfish\t") && line.ends_with("\tRecorder 1")),
            "{out}"
        );
        assert!(out.lines().next().unwrap().ends_with("\tdefault"), "{out}");
    };
    list();
    let asked = || {
        std::fs::read_to_string(user.0.join("bin/told"))
            .unwrap()
            .matches("usi\n")
            .count()
    };
    assert_eq!(asked(), 1);
    // On this machine, other engines may be too slow the first time.
    list();
    assert_eq!(asked(), 1, "the second start asks nobody");
}

#[test]
fn checks_options_against_a_real_engine() {
    if support::engine("fairy-stockfish").is_none() {
        return;
    }
    let user = User::new("real");
    user.run_ok(&["engines", "add", "fairy", "--", "fairy-stockfish"]);
    user.run_ok(&[
        "engines",
        "set",
        "fairy",
        "Skill_Level=5",
        "Contempt=x",
        "Debug Log File=",
    ]);
    let (out, error) = user.check(&["engines", "options", "fairy"], 1);
    assert!(out.contains("Skill Level\t5\t20\tspin -20..20\n"), "{out}");
    assert!(out.contains("Debug Log File\t\t\tstring\n"), "{out}");
    assert!(
        error.starts_with("fairy: Contempt: 'x' is not a whole number"),
        "{error}"
    );
}

const OPTIONS: usize = 300;

/// The process that the next test kills: changes a profile again and again.
#[test]
fn writes_until_it_is_killed() {
    let Some(folder) = std::env::var_os("SHOGIBAR_TEST_WRITES_TO") else {
        return;
    };
    let store = Store::new(folder.into());
    for n in 1.. {
        let change = store.change_profiles(|profiles| {
            let profile = profiles.get_mut("a").expect("it is there");
            profile.set_number(EngineNumber::Threads, Some(n));
            profile.options = (0..OPTIONS)
                .map(|option| (format!("Option {option}"), n.to_string()))
                .collect();
            Ok::<_, StoreError>(())
        });
        change.expect("nobody else writes");
    }
}

#[test]
fn a_kill_leaves_the_old_or_the_new_settings() {
    let user = User::new("killed");
    user.run_ok(&["engines", "add", "a", "--", "program"]);
    let store = Store::new(user.0.join("config"));
    let mut versions = std::collections::BTreeSet::new();
    for round in 0..200 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "profiles::writes_until_it_is_killed"])
            .env("SHOGIBAR_TEST_WRITES_TO", store.folder())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let before = std::fs::read(user.file()).unwrap();
        let began = support::eventually(|| std::fs::read(user.file()).unwrap() != before);
        std::thread::park_timeout(Duration::from_micros(round * 71 % 5000));
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(began, "round {round}: it never wrote");
        let reading = store.profiles().unwrap();
        assert!(
            reading.findings.is_empty() && reading.toml_error.is_none(),
            "round {round}: {reading:?}"
        );
        let profile = reading.value.get("a").unwrap();
        let n = profile.number(EngineNumber::Threads).unwrap().to_string();
        let is_whole =
            |profile: &Profile| profile.options.len() == OPTIONS && profile.options.values().all(|v| *v == n);
        assert!(
            is_whole(profile),
            "round {round}: half of it is of another version"
        );
        versions.insert(n);
    }
    assert!(versions.len() > 1, "it was always killed at the same place");
    user.run_ok(&["engines", "set", "a", "k=600"]);
    let left: Vec<_> = std::fs::read_dir(store.folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left.len(), 2, "the settings and their lock: {left:?}");
}
