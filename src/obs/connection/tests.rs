use super::*;
use proptest::prelude::*;

const HELLO: &str = r#"{"op":0,"d":{"rpcVersion":1}}"#;
const LOCKED_HELLO: &str = r#"{"op":0,"d":{"rpcVersion":1,"authentication":{"challenge":"c","salt":"s"}}}"#;
const IDENTIFIED: &str = r#"{"op":2,"d":{"negotiatedRpcVersion":1}}"#;

fn address(password: &str) -> ObsAddress {
    ObsAddress {
        host: "localhost".to_owned(),
        port: 4455,
        password: password.to_owned(),
    }
}

const fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn message(text: &str) -> ConnectionEvent {
    ConnectionEvent::Message(text.to_owned())
}

/// Returns the types of the requests among effects, and the other effects as they are.
fn shown(effects: &[ConnectionEffect]) -> Vec<String> {
    let text = |effect: &ConnectionEffect| match effect {
        ConnectionEffect::Send(text) => {
            let value: Value = serde_json::from_str(text).unwrap();
            text_of(&value["d"], "requestType").unwrap_or_else(|| format!("op {}", value["op"]))
        }
        ConnectionEffect::Open(_) => "open".to_owned(),
        ConnectionEffect::Close => "close".to_owned(),
        ConnectionEffect::Report(number, outcome) => format!("{number}: {outcome:?}"),
    };
    effects.iter().map(text).collect()
}

/// A connection with an OBS that plays a part.
struct Scene {
    connection: ObsConnection,
    /// The types of the requests that were sent, by number.
    requests: BTreeMap<u64, String>,
}

impl Scene {
    fn connected() -> Self {
        let mut scene = Self {
            connection: ObsConnection::default(),
            requests: BTreeMap::new(),
        };
        scene.step(0, ConnectionEvent::Wanted(Some(address(""))));
        scene.step(0, ConnectionEvent::Opened);
        scene.step(0, message(HELLO));
        scene.step(0, message(IDENTIFIED));
        scene
    }

    fn step(&mut self, seconds: u64, event: ConnectionEvent) -> Vec<String> {
        let effects = self.connection.step(at(seconds), event);
        for effect in &effects {
            if let ConnectionEffect::Send(text) = effect {
                let value: Value = serde_json::from_str(text).unwrap();
                if let Some(kind) = text_of(&value["d"], "requestType") {
                    let id = value["d"]["requestId"].as_str().unwrap().parse().unwrap();
                    self.requests.insert(id, kind);
                }
            }
        }
        shown(&effects)
    }

    /// Answers the oldest open request of a type.
    fn answer(&mut self, seconds: u64, kind: &str, code: u32, data: &Value) -> Vec<String> {
        let id = *self.requests.iter().find(|(_, sent)| *sent == kind).unwrap().0;
        self.requests.remove(&id);
        let text = json!({ "op": 7, "d": {
            "requestType": kind, "requestId": id.to_string(),
            "requestStatus": { "result": code == 100, "code": code }, "responseData": data } });
        self.step(seconds, message(&text.to_string()))
    }

    /// Answers all open requests without data.
    fn settle(&mut self, seconds: u64) {
        let kinds: Vec<_> = self.requests.values().cloned().collect();
        for kind in kinds {
            self.answer(seconds, &kind, 100, &Value::Null);
        }
    }

    fn event(&mut self, seconds: u64, kind: &str, data: &Value) -> Vec<String> {
        let text = json!({ "op": 5, "d": { "eventType": kind, "eventData": data } });
        self.step(seconds, message(&text.to_string()))
    }
}

#[test]
fn an_obs_is_entered_and_asked_what_it_does() {
    let mut scene = Scene::connected();
    assert_eq!(*scene.connection.state(), ConnectionState::Connected);
    let scenes = json!({ "currentProgramSceneName": "対局",
        "scenes": [{ "sceneName": "休憩", "sceneIndex": 0 }, { "sceneName": "対局", "sceneIndex": 1 }] });
    scene.answer(1, "GetSceneList", 100, &scenes);
    scene.answer(
        1,
        "GetRecordStatus",
        100,
        &json!({ "outputActive": true, "outputDuration": 400 }),
    );
    scene.answer(
        1,
        "GetVideoSettings",
        100,
        &json!({ "baseWidth": 1280, "baseHeight": 720 }),
    );
    scene.answer(1, "GetReplayBufferStatus", 604, &Value::Null);
    let status = scene.connection.status();
    assert_eq!(status.scenes, ["対局", "休憩"]);
    assert_eq!(status.scene, "対局");
    assert_eq!(status.recording_start, Some(Duration::from_millis(600)));
    assert_eq!(status.canvas, Some([1280, 720]));
    assert_eq!(status.has_replay, Some(false));
}

#[test]
fn a_wrong_password_is_not_tried_again() {
    for (password, code, problem) in [
        ("", None, ConnectionProblem::NoPassword),
        ("wrong", Some(4009), ConnectionProblem::WrongPassword),
    ] {
        let mut connection = ObsConnection::default();
        connection.step(at(0), ConnectionEvent::Wanted(Some(address(password))));
        connection.step(at(0), ConnectionEvent::Opened);
        connection.step(at(0), message(LOCKED_HELLO));
        connection.step(at(0), ConnectionEvent::Closed(code));
        assert_eq!(*connection.state(), ConnectionState::Stopped(problem));
        assert_eq!(connection.next_tick(), None);
        let again = connection.step(at(1), ConnectionEvent::Wanted(Some(address(password))));
        assert_eq!(shown(&again), ["open"], "the user asks again");
    }
}

#[test]
fn an_obs_that_ends_is_tried_again_with_growing_pauses() {
    let mut connection = ObsConnection::default();
    connection.step(at(0), ConnectionEvent::Wanted(Some(address(""))));
    let mut now = 0;
    for pause in [1, 2, 5, 10, 30, 60, 60] {
        connection.step(
            at(now),
            ConnectionEvent::NotOpened(ConnectionProblem::Unreachable),
        );
        assert_eq!(
            *connection.state(),
            ConnectionState::Waiting(ConnectionProblem::Unreachable)
        );
        assert_eq!(connection.next_tick(), Some(at(now + pause)));
        now += pause;
        assert_eq!(shown(&connection.step(at(now), ConnectionEvent::Tick)), ["open"]);
    }
}

#[test]
fn a_replay_is_reported_when_it_is_saved() {
    let mut scene = Scene::connected();
    assert_eq!(
        scene.step(1, ConnectionEvent::Task(5, ObsTask::SaveReplay)),
        ["SaveReplayBuffer"]
    );
    assert_eq!(scene.answer(1, "SaveReplayBuffer", 100, &Value::Null), [""; 0]);
    assert_eq!(
        scene.event(2, "ReplayBufferSaved", &json!({ "savedReplayPath": "/a.mkv" })),
        [r#"5: ReplaySaved("/a.mkv")"#]
    );
    scene.step(3, ConnectionEvent::Task(6, ObsTask::SaveReplay));
    assert_eq!(
        scene.answer(3, "SaveReplayBuffer", 604, &Value::Null),
        ["6: Failed(ReplayOff)"]
    );
    assert_eq!(
        scene.step(4, ConnectionEvent::Task(7, ObsTask::Chapter("82手目".to_owned()))),
        ["CreateRecordChapter"]
    );
    assert_eq!(
        scene.answer(4, "CreateRecordChapter", 204, &Value::Null),
        ["7: Failed(TooOld)"]
    );
}

#[test]
fn a_scene_goes_back_unless_the_user_has_chosen_another() {
    let switch = || ObsTask::Scene {
        name: "詳細".to_owned(),
        seconds: 5,
    };
    let mut scene = Scene::connected();
    scene.settle(0);
    scene.event(0, "CurrentProgramSceneChanged", &json!({ "sceneName": "対局" }));
    scene.step(1, ConnectionEvent::Task(1, switch()));
    scene.event(1, "CurrentProgramSceneChanged", &json!({ "sceneName": "詳細" }));
    assert_eq!(
        scene.answer(1, "SetCurrentProgramScene", 100, &Value::Null),
        ["1: Done"]
    );
    assert_eq!(scene.step(5, ConnectionEvent::Tick), [""; 0]);
    assert_eq!(scene.step(6, ConnectionEvent::Tick), ["SetCurrentProgramScene"]);
    scene.answer(6, "SetCurrentProgramScene", 100, &Value::Null);
    scene.event(6, "CurrentProgramSceneChanged", &json!({ "sceneName": "対局" }));
    scene.step(7, ConnectionEvent::Task(2, switch()));
    scene.event(7, "CurrentProgramSceneChanged", &json!({ "sceneName": "詳細" }));
    scene.answer(7, "SetCurrentProgramScene", 100, &Value::Null);
    scene.event(8, "CurrentProgramSceneChanged", &json!({ "sceneName": "休憩" }));
    assert_eq!(scene.step(12, ConnectionEvent::Tick), [""; 0]);
}

#[test]
fn a_page_is_added_or_given_to_the_source_of_its_name() {
    let page = || {
        ObsTask::AddPage(BrowserPage {
            scene: "対局".to_owned(),
            name: "Shogibar".to_owned(),
            url: "http://127.0.0.1:5963/t/overlay".to_owned(),
        })
    };
    let mut scene = Scene::connected();
    scene.answer(
        0,
        "GetVideoSettings",
        100,
        &json!({ "baseWidth": 1920, "baseHeight": 1080 }),
    );
    scene.step(1, ConnectionEvent::Task(1, page()));
    assert_eq!(
        scene.answer(1, "CreateInput", 100, &json!({ "sceneItemId": 4 })),
        ["1: Done"]
    );
    scene.step(2, ConnectionEvent::Task(2, page()));
    assert_eq!(
        scene.answer(2, "CreateInput", 601, &Value::Null),
        ["SetInputSettings"]
    );
    assert_eq!(
        scene.answer(2, "SetInputSettings", 100, &Value::Null),
        ["2: Done"]
    );
    scene.step(3, ConnectionEvent::Task(3, page()));
    assert_eq!(
        scene.answer(3, "CreateInput", 605, &Value::Null),
        ["3: Failed(NoBrowserSource)"]
    );
}

#[test]
fn a_server_that_is_silent_or_foreign_is_left() {
    let mut scene = Scene::connected();
    assert_eq!(scene.step(9, ConnectionEvent::Tick), [""; 0]);
    assert_eq!(scene.step(10, ConnectionEvent::Tick), ["close"]);
    let mut scene = Scene::connected();
    scene.step(1, ConnectionEvent::Task(1, ObsTask::SaveReplay));
    assert_eq!(
        scene.step(1, message("hello")),
        ["close", "1: Failed(NotConnected)"]
    );
    assert_eq!(
        *scene.connection.state(),
        ConnectionState::Waiting(ConnectionProblem::Foreign)
    );
}

/// Returns an event: mostly what an OBS sends, with any numbers and codes.
fn event() -> impl Strategy<Value = ConnectionEvent> {
    let task = prop_oneof![
        Just(ObsTask::SaveReplay),
        Just(ObsTask::Chapter("a".to_owned())),
        (0_u32..5).prop_map(|seconds| ObsTask::Scene {
            name: "b".to_owned(),
            seconds
        }),
        (0_u32..5).prop_map(|seconds| ObsTask::Source {
            scene: "a".to_owned(),
            name: "b".to_owned(),
            seconds
        }),
    ];
    let codes = prop_oneof![Just(100_u32), Just(600), Just(204), any::<u32>()];
    prop_oneof![
        1 => Just(ConnectionEvent::Wanted(None)),
        2 => "(pass)?".prop_map(|password| ConnectionEvent::Wanted(Some(address(&password)))),
        4 => Just(ConnectionEvent::Opened),
        1 => Just(ConnectionEvent::NotOpened(ConnectionProblem::Unreachable)),
        1 => proptest::option::of(prop_oneof![Just(4009_u16), Just(4011), any::<u16>()])
            .prop_map(ConnectionEvent::Closed),
        4 => prop_oneof![Just(HELLO), Just(LOCKED_HELLO), Just(IDENTIFIED), Just("{}")].prop_map(message),
        8 => (0_u64..40, codes).prop_map(|(id, code)| message(&json!({ "op": 7, "d": { "requestId": id.to_string(),
            "requestStatus": { "code": code }, "responseData": { "sceneItemId": 3 } } }).to_string())),
        2 => Just(message(r#"{"op":5,"d":{"eventType":"ReplayBufferSaved"}}"#)),
        1 => Just(message(r#"{"op":5,"d":{"eventType":"ExitStarted"}}"#)),
        4 => task.prop_map(|task| ConnectionEvent::Task(0, task)),
        4 => Just(ConnectionEvent::Tick),
    ]
}

proptest! {
    /// Every task ends with one outcome, nothing is sent to a closed socket, and nothing waits for ever.
    #[test]
    fn every_task_has_an_outcome_on_random_histories(events in proptest::collection::vec((event(), 0_u64..20), 1..80)) {
        let mut connection = ObsConnection::default();
        let (mut now, mut begun, mut is_open) = (0, 0, false);
        let mut outcomes = BTreeMap::new();
        let mut apply = |connection: &mut ObsConnection, now, event| {
            for effect in connection.step(at(now), event) {
                match effect {
                    ConnectionEffect::Open(_) => is_open = true,
                    ConnectionEffect::Close => is_open = false,
                    ConnectionEffect::Send(_) => prop_assert!(is_open),
                    ConnectionEffect::Report(number, _) => *outcomes.entry(number).or_insert(0) += 1,
                }
            }
            Ok(())
        };
        for (event, pause) in events {
            now += pause;
            let event = match event {
                ConnectionEvent::Task(_, task) => {
                    begun += 1;
                    ConnectionEvent::Task(begun, task)
                }
                event => event,
            };
            apply(&mut connection, now, event)?;
        }
        apply(&mut connection, now + 1_000, ConnectionEvent::Tick)?;
        apply(&mut connection, now + 1_000, ConnectionEvent::Wanted(None))?;
        prop_assert_eq!(connection.next_tick(), None);
        for number in 1..=begun {
            prop_assert_eq!(outcomes.get(&number), Some(&1), "task {}", number);
        }
    }
}

/// A server that tells of changes without an end has one request at a time.
#[test]
fn a_list_is_asked_for_again_once_it_has_come() {
    let mut scene = Scene::connected();
    let changed = message(r#"{"op":5,"d":{"eventType":"SceneListChanged","eventIntent":4,"eventData":{}}}"#);
    for _ in 0..3 {
        assert!(scene.step(1, changed.clone()).is_empty());
    }
    let list = json!({ "currentProgramSceneName": "a", "scenes": [{ "sceneName": "a" }] });
    assert_eq!(scene.answer(2, "GetSceneList", 100, &list), ["GetSceneList"]);
    assert!(scene.answer(3, "GetSceneList", 100, &list).is_empty());
    // A name of a million characters is none.
    let long = format!(
        r#"{{"op":5,"d":{{"eventType":"CurrentProgramSceneChanged","eventIntent":4,"eventData":{{"sceneName":"{}"}}}}}}"#,
        "a".repeat(1_000_000)
    );
    scene.step(4, message(&long));
    assert_eq!(scene.connection.status().scene, "");
}
