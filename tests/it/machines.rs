//! Several machines, as the manual describes. Copies of an engine on other hosts share one queue. GNU parallel runs one
//! job for each game, Slurm an array. Two `sshd` on the loopback interface serve as the hosts.

use crate::remote::Server;
use crate::support::{self, Script};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SHOGIBAR: &str = env!("CARGO_BIN_EXE_shogibar");
const GAME: &str =
    "手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n4 ８四歩(83)\n5 ２五歩(26)\n6 投了\n";
const SEARCH: [&str; 4] = ["--nodes", "300", "--hash", "1"];

/// Two hosts, `one` and `two`, a folder of games, and an `ssh` with the hosts.
struct Machines {
    root: PathBuf,
    ssh: Script,
    _servers: [Server; 2],
}

impl Machines {
    /// Starts the hosts. Returns `None` where ssh is missing.
    fn start(name: &str) -> Option<Self> {
        let ssh = support::server("ssh")?;
        let servers = [
            Server::start(&format!("{name}-one"))?,
            Server::start(&format!("{name}-two"))?,
        ];
        let root =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("machines-{name}-{}", std::process::id()));
        let _not_there_yet = fs::remove_dir_all(&root);
        fs::create_dir_all(root.join("games")).unwrap();
        for number in 0..4_usize {
            fs::write(
                root.join(format!("games/{number}.kifu")),
                GAME.replace(
                    "5 ２五歩(26)\n6",
                    ["5 ２五歩(26)\n6", "5", "5 ６八銀(79)\n6", "5 ４八銀(39)\n6"][number],
                ),
            )
            .unwrap();
        }
        let hosts = ["one", "two"].iter().zip(&servers).map(|(host, server)| {
            format!(
                "Host {host}\nHostName 127.0.0.1\n{}\n",
                server.settings().join("\n")
            )
        });
        fs::write(root.join("config"), hosts.collect::<String>()).unwrap();
        let config = root.join("config");
        let text = format!(
            "echo \"$*\" >>'{}'\nexec '{}' -F '{}' \"$@\"\n",
            root.join("log").display(),
            ssh.display(),
            config.display()
        );
        let script = Script::new(&format!("machines-ssh-{name}"), &text);
        std::os::unix::fs::symlink("engine", script.beside("ssh")).unwrap();
        Some(Self {
            root,
            ssh: script,
            _servers: servers,
        })
    }

    /// Returns a command in the folder, with the `ssh` for the hosts.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .current_dir(&self.root)
            .env("PATH", format!("{}:{path}", self.ssh.beside("").display()))
            .env("PARALLEL_SSH", self.ssh.beside("ssh"))
            .env("HOME", &self.root)
            .env("SHOGIBAR_CONFIG", support::no_settings())
            .stdin(Stdio::null());
        command
    }

    fn succeeds(mut command: Command) -> String {
        let output = command.output().unwrap();
        let printed = format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(output.status.success(), "{command:?}: {printed}");
        printed
    }

    /// Analyses the folder on this machine alone.
    fn expected(&self) -> Vec<Vec<u8>> {
        let mut command = self.command(Path::new(SHOGIBAR));
        command
            .args(["analyze", "games", "-o", "expected", "--lang", "en"])
            .args(SEARCH);
        Self::succeeds(command);
        self.records("expected")
    }

    fn records(&self, folder: &str) -> Vec<Vec<u8>> {
        (0..4)
            .map(|number| fs::read(self.root.join(format!("{folder}/{number}.kifu"))).unwrap())
            .collect()
    }

    fn connected(&self) -> Vec<&'static str> {
        let log = fs::read_to_string(self.root.join("log")).unwrap_or_default();
        let is_named = |host: &&str| log.split_whitespace().any(|word| word == *host);
        ["one", "two"].into_iter().filter(is_named).collect()
    }
}

impl Drop for Machines {
    fn drop(&mut self) {
        let _gone_already = fs::remove_dir_all(&self.root);
    }
}

#[test]
fn copies_on_other_hosts_share_one_queue() {
    let Some(machines) = Machines::start("queue") else {
        return;
    };
    let mut command = machines.command(Path::new(SHOGIBAR));
    command
        .args([
            "analyze", "games", "-o", "out", "--lang", "en", "--ssh", "one", "--ssh", "two",
        ])
        .args(SEARCH);
    let printed = Machines::succeeds(command);
    assert!(
        printed.contains("Games analysed: 4") && printed.contains("problems: 0"),
        "{printed}"
    );
    assert_eq!(machines.connected(), ["one", "two"]);
    assert!(
        machines.records("out") == machines.expected(),
        "the hosts find something else"
    );
}

#[test]
fn a_game_a_job_under_gnu_parallel() {
    let Some(parallel) = support::server("parallel") else {
        return;
    };
    if support::server("rsync").is_none() {
        return;
    }
    let Some(machines) = Machines::start("parallel") else {
        return;
    };
    let mut command = machines.command(&parallel);
    let job = format!(
        "{SHOGIBAR} analyze {{}} -o {{.}}.out.kifu {} --lang en",
        SEARCH.join(" ")
    );
    command.args([
        "--will-cite",
        "-S",
        "1/one,1/two",
        "--workdir",
        "...",
        "--trc",
        "{.}.out.kifu",
        &job,
        ":::",
    ]);
    command.args((0..4).map(|number| format!("games/{number}.kifu")));
    Machines::succeeds(command);
    assert_eq!(machines.connected(), ["one", "two"]);
    fs::create_dir(machines.root.join("out")).unwrap();
    for number in 0..4 {
        let [from, to] = [format!("games/{number}.out.kifu"), format!("out/{number}.kifu")];
        fs::rename(machines.root.join(from), machines.root.join(to)).unwrap();
    }
    // The tables are made from the records that have come back.
    let mut tables = machines.command(Path::new(SHOGIBAR));
    tables.args(["analyze", "out", "-o", "tables", "--no-search", "--lang", "en"]);
    let printed = Machines::succeeds(tables);
    assert!(printed.contains("Games analysed: 4"), "{printed}");
    assert!(
        machines.records("out") == machines.expected(),
        "the hosts find something else"
    );
}

#[test]
fn a_game_a_task_of_a_slurm_array() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/manual.en.md");
    let manual = fs::read_to_string(manual).unwrap();
    let script = manual
        .split("```sh\n#!/bin/sh\n#SBATCH")
        .nth(1)
        .and_then(|rest| rest.split_once("```"))
        .unwrap()
        .0;
    let script =
        format!("#!/bin/sh\n#SBATCH{script}").replace("shogibar analyze", &format!("{SHOGIBAR} analyze"));
    let script = script
        .replace("--engine suisho5 ", "")
        .replace("--nodes 1000000", &SEARCH.join(" "));
    let Some(machines) = Machines::start("slurm") else {
        return;
    };
    fs::write(machines.root.join("job"), script).unwrap();
    let list: Vec<_> = (0..4).map(|number| format!("games/{number}.kifu\n")).collect();
    fs::write(machines.root.join("games.txt"), list.concat()).unwrap();
    for task in 1..=4 {
        let mut command = machines.command(Path::new("/bin/sh"));
        command
            .arg("job")
            .env("SLURM_ARRAY_TASK_ID", task.to_string())
            .env("SLURM_CPUS_PER_TASK", "1");
        Machines::succeeds(command);
    }
    assert!(
        machines.records("out/games") == machines.expected(),
        "the tasks find something else"
    );
}
