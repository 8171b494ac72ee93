//! The client against a real OBS on a display of its own. The test is skipped where OBS or Xvfb is not installed;
//! if `SHOGIBAR_REQUIRE` names `obs`, it fails instead.

use crate::followed_game::{entries_of_a_game, write_control};
use crate::test_client::TestClient;
use shogibar_obs::{
    BrowserPage, ConnectionProblem, ConnectionState, ControlEntry, ObsAddress, ObsTask, RuleAnswer,
    TaskOutcome, TaskProblem,
};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The password of the OBS of the test.
const PASSWORD: &str = "秘密 and \"more\"";

/// A process that ends with the test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
        let _ended = self.0.wait();
    }
}

fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|path| path.is_file());
    let required = std::env::var("SHOGIBAR_REQUIRE").unwrap_or_default();
    let is_required = required.split([',', ' ']).any(|need| need == "obs");
    assert!(
        found.is_some() || !is_required,
        "SHOGIBAR_REQUIRE names obs, but {name} is not here"
    );
    if found.is_none() {
        let _unreported = writeln!(std::io::stderr(), "skipped: {name} is not here (obs)");
    }
    found
}

/// Writes the settings of an OBS with two scenes, a replay buffer and the websocket server.
fn write_settings(home: &Path) {
    let folder = home.join(".config/obs-studio");
    let profile = folder.join("basic/profiles/Test");
    let scenes = folder.join("basic/scenes");
    for path in [&profile, &scenes] {
        fs::create_dir_all(path).unwrap();
    }
    let general = "[General]\nFirstRun=true\nEnableAutoUpdates=false\n\n[Basic]\nProfile=Test\nProfileDir=Test\n\
        SceneCollection=Test\nSceneCollectionFile=Test\n\n[OBSWebSocket]\nFirstLoad=false\nServerEnabled=true\n\
        ServerPort=4455\nAlertsEnabled=false\nAuthRequired=true\nServerPassword=unused1\n";
    fs::write(folder.join("global.ini"), general).unwrap();
    let basic = format!(
        "[General]\nName=Test\n\n[Video]\nBaseCX=640\nBaseCY=360\nOutputCX=640\nOutputCY=360\nFPSCommon=10\n\n\
        [Output]\nMode=Simple\n\n[SimpleOutput]\nFilePath={}\nRecFormat=mkv\nRecQuality=Small\nRecEncoder=x264\n\
        StreamEncoder=x264\nRecRB=true\nRecRBTime=10\n",
        home.display()
    );
    fs::write(profile.join("basic.ini"), basic).unwrap();
    let item = |name: &str| {
        format!(
            r#"{{"name":"{name}","id":1,"visible":true,"pos":{{"x":0,"y":0}},"scale":{{"x":1,"y":1}},"bounds_type":0,"align":5}}"#
        )
    };
    let scene = |name: &str| {
        let items = item("色");
        format!(r#"{{"id":"scene","name":"{name}","settings":{{"id_counter":1,"items":[{items}]}}}}"#)
    };
    let color = r#"{"id":"color_source","versioned_id":"color_source_v3","name":"色","settings":{"color":4278190335}}"#;
    let collection = format!(
        r#"{{"name":"Test","current_scene":"対局","current_program_scene":"対局","scene_order":[{{"name":"対局"}},{{"name":"詳細"}}],"sources":[{color},{},{}]}}"#,
        scene("対局"),
        scene("詳細")
    );
    fs::write(scenes.join("Test.json"), collection).unwrap();
}

fn start_obs(obs: &Path, home: &Path, display: &str, port: u16) -> Process {
    let port = port.to_string();
    let child = Command::new(obs)
        .args(["--multi", "--minimize-to-tray", "--disable-shutdown-check"])
        .args(["--startreplaybuffer", "--websocket_port", &port])
        .args(["--websocket_password", PASSWORD, "--websocket_ipv4_only"])
        .env("HOME", home)
        .env("XDG_CONFIG_HOME", home.join(".config"))
        .env("XDG_RUNTIME_DIR", home)
        .env("DISPLAY", display)
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .env_remove("WAYLAND_DISPLAY")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Process(child.unwrap())
}

/// Starts an X server on a free display. Returns it with the name of the display.
fn start_display(xvfb: &Path) -> (Process, String) {
    let mut child = Command::new(xvfb)
        .args([
            "-displayfd",
            "1",
            "-screen",
            "0",
            "800x600x24",
            "+extension",
            "GLX",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let output = child.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut line).unwrap();
    (Process(child), format!(":{}", line.trim()))
}

#[test]
fn an_obs_is_entered_does_tasks_and_is_found_again() {
    let (Some(obs), Some(xvfb)) = (program("obs"), program("Xvfb")) else {
        return;
    };
    let home = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("obs-{}", std::process::id()));
    let _not_there_yet = fs::remove_dir_all(&home);
    fs::create_dir_all(&home).unwrap();
    write_settings(&home);
    let (_display, display) = start_display(&xvfb);
    let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|listener| listener.local_addr())
        .unwrap()
        .port();
    let process = start_obs(&obs, &home, &display, port);

    let mut watcher = TestClient::start(port, PASSWORD);
    watcher.wait_for("OBS is entered", |shown| {
        shown.state == ConnectionState::Connected && !shown.status.scenes.is_empty()
    });
    assert_eq!(watcher.shown.status.scenes, ["対局", "詳細"]);
    watcher.wait_for("the replay buffer runs", |shown| {
        shown.status.has_replay == Some(true) && shown.status.canvas == Some([640, 360])
    });

    let saved = watcher.run(ObsTask::SaveReplay);
    let TaskOutcome::ReplaySaved(path) = saved else {
        panic!("{saved:?}");
    };
    assert!(Path::new(&path).is_file(), "{path}");

    let scene = |name: &str, seconds| ObsTask::Scene {
        name: name.to_owned(),
        seconds,
    };
    assert_eq!(watcher.run(scene("詳細", 1)), TaskOutcome::Done);
    watcher.wait_for("the scene is shown", |shown| shown.status.scene == "詳細");
    watcher.wait_for("the scene goes back", |shown| shown.status.scene == "対局");
    let missing = TaskOutcome::Failed(TaskProblem::Missing("ない".to_owned()));
    assert_eq!(watcher.run(scene("ない", 1)), missing);
    let source = ObsTask::Source {
        scene: "対局".to_owned(),
        name: "色".to_owned(),
        seconds: 1,
    };
    assert_eq!(watcher.run(source), TaskOutcome::Done);
    watcher.client.list_sources("対局".to_owned());
    watcher.wait_for("the sources are listed", |shown| {
        shown
            .status
            .sources
            .get("対局")
            .is_some_and(|sources| *sources == ["色"])
    });
    // Debian's OBS 29 has neither chapters nor browser sources.
    let chapter = watcher.run(ObsTask::Chapter("82手目".to_owned()));
    let page = watcher.run(ObsTask::AddPage(BrowserPage {
        scene: "対局".to_owned(),
        name: "Shogibar".to_owned(),
        url: "http://127.0.0.1:9/".to_owned(),
    }));
    if watcher.shown.status.version.starts_with("29.") {
        assert_eq!(chapter, TaskOutcome::Failed(TaskProblem::TooOld));
        assert_eq!(page, TaskOutcome::Failed(TaskProblem::NoBrowserSource));
    }

    let folder = home.join("program");
    write_control(&folder, port, PASSWORD, RuleAnswer::SaveReplay);
    let entries = entries_of_a_game(&folder, |control| {
        control.snapshot().status.has_replay == Some(true)
    });
    let saved = |entry: &&ControlEntry| matches!(entry.outcome, Some(TaskOutcome::ReplaySaved(_)));
    assert_eq!(entries.iter().filter(saved).count(), 3, "{entries:?}");

    let mut stranger = TestClient::start(port, "wrong");
    stranger.wait_for("the password is wrong", |shown| {
        shown.state == ConnectionState::Stopped(ConnectionProblem::WrongPassword)
    });
    stranger.client.connect(Some(ObsAddress {
        host: "127.0.0.1".to_owned(),
        port,
        password: String::new(),
    }));
    stranger.wait_for("a password is missing", |shown| {
        shown.state == ConnectionState::Stopped(ConnectionProblem::NoPassword)
    });

    drop(process);
    watcher.wait_for("OBS is gone", |shown| {
        matches!(shown.state, ConnectionState::Waiting(_))
    });
    assert_eq!(
        watcher.run(ObsTask::SaveReplay),
        TaskOutcome::Failed(TaskProblem::NotConnected)
    );
    let again = start_obs(&obs, &home, &display, port);
    watcher.wait_for("OBS is back", |shown| shown.state == ConnectionState::Connected);
    drop(watcher);
    drop(again);
    fs::remove_dir_all(&home).unwrap();
}
