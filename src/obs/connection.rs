//! The connection to OBS as a state machine: events and the time go in, effects come out. Pure.

use crate::protocol::{ObsEvent, ObsRequest, ObsResponse, ServerMessage, identify, text_of};
use crate::task::{BrowserPage, ObsTask, TaskOutcome, TaskProblem};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

/// The longest time until the server's first messages, and until the answer to a request.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time until a replay is saved.
const REPLAY_TIMEOUT: Duration = Duration::from_mins(1);
/// The pauses before the next attempts to connect. The last one repeats.
const RETRY_PAUSES: [u64; 6] = [1, 2, 5, 10, 30, 60];
/// The time after which a lasting connection begins again with the shortest pause.
const LASTING: Duration = Duration::from_mins(1);
/// The maximum number of tasks at once.
const MAX_TASKS: usize = 64;
/// The maximum number of scenes and of sources that are listed.
const MAX_LISTED: usize = 500;
/// The codes with which a server closes a connection.
const WRONG_PASSWORD: u16 = 4009;
const OTHER_VERSION: u16 = 4010;
const KICKED: u16 = 4011;

/// Where an OBS is, and how to enter.
#[derive(Clone, PartialEq, Eq)]
pub struct ObsAddress {
    /// The host: a name or an IP address.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The password; empty without one.
    pub password: String,
}

/// The password is no part of a log.
impl std::fmt::Debug for ObsAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.host, self.port)
    }
}

/// The state of the connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ConnectionState {
    /// No OBS is wanted.
    #[default]
    Off,
    /// The connection is being made.
    Connecting,
    /// OBS answers.
    Connected,
    /// The connection was lost or was not made. It is tried again.
    Waiting(ConnectionProblem),
    /// The connection is not tried again until the user changes something.
    Stopped(ConnectionProblem),
}

/// Why there is no connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConnectionProblem {
    /// Nothing answers at the address.
    Unreachable,
    /// What answers is no OBS, or breaks its protocol.
    Foreign,
    /// What answers does so too late.
    Silent,
    /// OBS has closed the connection, or has ended.
    Ended,
    /// OBS wants a password, and none was given.
    NoPassword,
    /// The password is wrong.
    WrongPassword,
    /// OBS speaks another version of the protocol.
    OtherVersion,
    /// The user has ended the connection in OBS.
    Kicked,
}

/// What OBS is and does, as far as it has said so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObsStatus {
    /// The version of OBS: `30.2.3`; empty before it is known.
    pub version: String,
    /// The names of the scenes, as OBS lists them.
    pub scenes: Vec<String>,
    /// The scene on air.
    pub scene: String,
    /// The sources of scenes, as far as they were asked for.
    pub sources: BTreeMap<String, Vec<String>>,
    /// Whether the replay buffer runs; `None` before it is known.
    pub has_replay: Option<bool>,
    /// When the stream began, by the time of the machine; `None` without a stream.
    pub stream_start: Option<Duration>,
    /// When the recording began, as its player shows it: without pauses. `None` without a recording.
    pub recording_start: Option<Duration>,
    /// The size of the picture in pixels; `None` before it is known.
    pub canvas: Option<[u32; 2]>,
}

/// An event for the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionEvent {
    /// The user wants this OBS, or none.
    Wanted(Option<ObsAddress>),
    /// The socket is open.
    Opened,
    /// The socket could not be opened.
    NotOpened(ConnectionProblem),
    /// A message has come.
    Message(String),
    /// The socket is closed, with the server's code.
    Closed(Option<u16>),
    /// A task for OBS, with a number of its own, which its outcome names.
    Task(u64, ObsTask),
    /// The user wants to know the sources of a scene.
    ListSources(String),
    /// Time has passed.
    Tick,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionEffect {
    /// Open a socket.
    Open(ObsAddress),
    /// Send a message.
    Send(String),
    /// Close the socket.
    Close,
    /// A task has ended.
    Report(u64, TaskOutcome),
}

/// The connection.
#[derive(Debug, Default)]
pub struct ObsConnection {
    address: Option<ObsAddress>,
    state: ConnectionState,
    status: ObsStatus,
    phase: Phase,
    /// The number of failed attempts in a row.
    failures: usize,
    next_request: u64,
    /// What the requests without an answer are for, and until when they are waited for.
    waiting: BTreeMap<u64, (Purpose, Duration)>,
    /// Requests that are sent once an earlier one for the same purpose is answered.
    asked_again: Vec<(&'static str, Purpose)>,
    tasks: Vec<RunningTask>,
    effects: VecDeque<ConnectionEffect>,
}

/// How far the connection is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    Off,
    /// The socket is being opened.
    Opening,
    /// The socket is open; the server has to identify us until then.
    Greeting(Duration),
    /// Requests can be sent since then.
    Ready(Duration),
    /// The next attempt is at this time.
    Pausing(Duration),
}

/// What a request is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Purpose {
    Version,
    Scenes,
    Replay,
    Stream,
    Recording,
    Video,
    Sources(String),
    Task(u64),
    /// The end of a task, whose outcome was reported.
    Ending,
}

/// A task in progress.
#[derive(Clone, Debug)]
struct RunningTask {
    number: u64,
    task: ObsTask,
    /// The scene that was on air when the task began.
    scene_before: String,
    step: TaskStep,
}

/// How far a task is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum TaskStep {
    /// The first request has no answer yet.
    Begun,
    /// The replay is being saved, until this time at most.
    Saving(Duration),
    /// The source has this number in its scene, and is being shown.
    Showing(i64),
    /// The scene or source goes back at this time. The value is the number of the source; 0 for a scene.
    Shown(Duration, i64),
    /// The page of the source is being set.
    Setting,
}

impl ObsConnection {
    /// Returns the state of the connection.
    pub const fn state(&self) -> &ConnectionState {
        &self.state
    }

    /// Returns what OBS is and does.
    pub const fn status(&self) -> &ObsStatus {
        &self.status
    }

    /// Applies an event at a time. Returns what is to be done, in order.
    pub fn step(&mut self, now: Duration, event: ConnectionEvent) -> Vec<ConnectionEffect> {
        match event {
            ConnectionEvent::Wanted(address) => self.want(address),
            ConnectionEvent::Opened => {
                if self.phase == Phase::Opening {
                    self.phase = Phase::Greeting(now + ANSWER_TIMEOUT);
                }
            }
            ConnectionEvent::NotOpened(problem) => {
                if self.phase == Phase::Opening {
                    self.lose(now, problem);
                }
            }
            ConnectionEvent::Message(text) => self.on_message(now, &text),
            ConnectionEvent::Closed(code) => self.on_closed(now, code),
            ConnectionEvent::Task(number, task) => self.begin(now, number, task),
            ConnectionEvent::ListSources(scene) => {
                if matches!(self.phase, Phase::Ready(_)) {
                    let request = ObsRequest::with("GetSceneItemList", json!({ "sceneName": scene }));
                    self.request(now, &request, Purpose::Sources(scene));
                }
            }
            ConnectionEvent::Tick => self.on_tick(now),
        }
        self.effects.drain(..).collect()
    }

    /// Returns when [`ConnectionEvent::Tick`] is due; `None` if nothing waits for a time.
    pub fn next_tick(&self) -> Option<Duration> {
        let phase = match self.phase {
            Phase::Greeting(until) | Phase::Pausing(until) => Some(until),
            Phase::Off | Phase::Opening | Phase::Ready(_) => None,
        };
        let waiting = self.waiting.values().map(|(_, until)| *until);
        let tasks = self.tasks.iter().filter_map(|task| match task.step {
            TaskStep::Saving(until) | TaskStep::Shown(until, _) => Some(until),
            _ => None,
        });
        phase.into_iter().chain(waiting).chain(tasks).min()
    }

    fn want(&mut self, address: Option<ObsAddress>) {
        if self.address == address && !matches!(self.state, ConnectionState::Stopped(_)) {
            return;
        }
        self.close();
        self.failures = 0;
        self.address = address;
        self.open();
    }

    fn open(&mut self) {
        let Some(address) = self.address.clone() else {
            (self.phase, self.state) = (Phase::Off, ConnectionState::Off);
            return;
        };
        (self.phase, self.state) = (Phase::Opening, ConnectionState::Connecting);
        self.effects.push_back(ConnectionEffect::Open(address));
    }

    /// Closes the socket, and gives up all tasks.
    fn close(&mut self) {
        if !matches!(self.phase, Phase::Off | Phase::Pausing(_)) {
            self.effects.push_back(ConnectionEffect::Close);
        }
        self.phase = Phase::Off;
        self.waiting.clear();
        self.asked_again.clear();
        self.status = ObsStatus::default();
        for task in std::mem::take(&mut self.tasks) {
            if !matches!(task.step, TaskStep::Shown(..)) {
                self.report(task.number, TaskOutcome::Failed(TaskProblem::NotConnected));
            }
        }
    }

    /// Closes the connection after a problem, and plans the next attempt where another one may succeed.
    fn lose(&mut self, now: Duration, problem: ConnectionProblem) {
        if let Phase::Ready(since) = self.phase
            && now.saturating_sub(since) >= LASTING
        {
            self.failures = 0;
        }
        self.close();
        let is_final = matches!(
            problem,
            ConnectionProblem::NoPassword
                | ConnectionProblem::WrongPassword
                | ConnectionProblem::OtherVersion
                | ConnectionProblem::Kicked
        );
        if is_final {
            self.state = ConnectionState::Stopped(problem);
            return;
        }
        let last = RETRY_PAUSES.len() - 1;
        let pause = RETRY_PAUSES.get(self.failures.min(last)).copied().unwrap_or(60);
        self.failures = self.failures.saturating_add(1);
        self.phase = Phase::Pausing(now + Duration::from_secs(pause));
        self.state = ConnectionState::Waiting(problem);
    }

    fn on_closed(&mut self, now: Duration, code: Option<u16>) {
        let problem = match (self.phase, code) {
            (Phase::Off | Phase::Pausing(_), _) => return,
            (_, Some(WRONG_PASSWORD)) => self.password_problem(),
            (_, Some(OTHER_VERSION)) => ConnectionProblem::OtherVersion,
            (_, Some(KICKED)) => ConnectionProblem::Kicked,
            (Phase::Ready(_), _) => ConnectionProblem::Ended,
            _ => ConnectionProblem::Foreign,
        };
        self.lose(now, problem);
    }

    fn password_problem(&self) -> ConnectionProblem {
        match &self.address {
            Some(address) if address.password.is_empty() => ConnectionProblem::NoPassword,
            _ => ConnectionProblem::WrongPassword,
        }
    }

    fn on_tick(&mut self, now: Duration) {
        match self.phase {
            Phase::Pausing(until) if now >= until => return self.open(),
            Phase::Greeting(until) if now >= until => return self.lose(now, ConnectionProblem::Silent),
            _ => {}
        }
        if self.waiting.values().any(|(_, until)| now >= *until) {
            return self.lose(now, ConnectionProblem::Silent);
        }
        let due = |task: &RunningTask| match task.step {
            TaskStep::Saving(until) | TaskStep::Shown(until, _) => now >= until,
            _ => false,
        };
        let (due, running) = std::mem::take(&mut self.tasks).into_iter().partition(due);
        self.tasks = running;
        for task in due {
            match task.step {
                TaskStep::Shown(_, item) => self.take_back(now, &task, item),
                _ => self.report(task.number, TaskOutcome::Failed(TaskProblem::Silent)),
            }
        }
    }

    fn on_message(&mut self, now: Duration, text: &str) {
        let message = ServerMessage::parse(text);
        match (self.phase, message) {
            (Phase::Greeting(_), Some(ServerMessage::Hello(challenge))) => {
                let password = self.address.as_ref().map(|address| address.password.as_str());
                let answer = match (&challenge, password) {
                    (Some(_), None | Some("")) => return self.lose(now, ConnectionProblem::NoPassword),
                    (Some(challenge), Some(password)) => Some(challenge.answer(password)),
                    (None, _) => None,
                };
                let message = identify(answer.as_deref());
                self.effects.push_back(ConnectionEffect::Send(message));
            }
            (Phase::Greeting(_), Some(ServerMessage::Identified)) => self.begin_requests(now),
            (Phase::Ready(_), Some(ServerMessage::Response(response))) => self.on_response(now, &response),
            (Phase::Ready(_), Some(ServerMessage::Event(event))) => self.on_event(now, &event),
            (Phase::Greeting(_), _) | (Phase::Ready(_), None) => self.lose(now, ConnectionProblem::Foreign),
            _ => {}
        }
    }

    fn begin_requests(&mut self, now: Duration) {
        (self.phase, self.state) = (Phase::Ready(now), ConnectionState::Connected);
        for (kind, purpose) in [
            ("GetVersion", Purpose::Version),
            ("GetSceneList", Purpose::Scenes),
            ("GetReplayBufferStatus", Purpose::Replay),
            ("GetStreamStatus", Purpose::Stream),
            ("GetRecordStatus", Purpose::Recording),
            ("GetVideoSettings", Purpose::Video),
        ] {
            self.request(now, &ObsRequest::new(kind), purpose);
        }
    }

    /// Sends a request about the state of OBS. While one for the same purpose has no answer, it is sent after that.
    fn ask(&mut self, now: Duration, kind: &'static str, purpose: Purpose) {
        if self.waiting.values().all(|(waiting, _)| *waiting != purpose) {
            self.request(now, &ObsRequest::new(kind), purpose);
        } else if self.asked_again.iter().all(|(_, again)| *again != purpose) {
            self.asked_again.push((kind, purpose));
        }
    }

    fn request(&mut self, now: Duration, request: &ObsRequest, purpose: Purpose) {
        self.next_request += 1;
        self.waiting
            .insert(self.next_request, (purpose, now + ANSWER_TIMEOUT));
        let message = request.message(self.next_request);
        self.effects.push_back(ConnectionEffect::Send(message));
    }

    fn report(&mut self, number: u64, outcome: TaskOutcome) {
        self.effects.push_back(ConnectionEffect::Report(number, outcome));
    }

    fn on_response(&mut self, now: Duration, response: &ObsResponse) {
        // An id that no open request has is that of another client, or of nobody.
        let Some((purpose, _)) = response.id.and_then(|id| self.waiting.remove(&id)) else {
            return;
        };
        if let Some(at) = self.asked_again.iter().position(|(_, again)| *again == purpose) {
            let (kind, again) = self.asked_again.remove(at);
            self.request(now, &ObsRequest::new(kind), again);
        }
        let data = &response.data;
        match purpose {
            Purpose::Task(number) => self.continue_task(now, number, response),
            Purpose::Ending => {}
            _ if !response.is_success() => {
                if purpose == Purpose::Replay {
                    self.status.has_replay = Some(false);
                }
            }
            Purpose::Version => self.status.version = text_of(data, "obsVersion").unwrap_or_default(),
            Purpose::Scenes => {
                // OBS lists the lowest scene first.
                self.status.scenes = names(data, "scenes", "sceneName");
                self.status.scenes.reverse();
                self.status.scene = text_of(data, "currentProgramSceneName").unwrap_or_default();
            }
            Purpose::Replay => {
                self.status.has_replay = Some(flag(data, "outputActive"));
            }
            Purpose::Stream => self.status.stream_start = output_start(now, data),
            Purpose::Recording => self.status.recording_start = output_start(now, data),
            Purpose::Video => {
                let side = |field| u32::try_from(data.get(field)?.as_u64()?).ok();
                self.status.canvas = side("baseWidth")
                    .zip(side("baseHeight"))
                    .map(|(width, height)| [width, height]);
            }
            Purpose::Sources(scene) => {
                let sources = names(data, "sceneItems", "sourceName");
                if self.status.sources.len() < MAX_LISTED {
                    self.status.sources.insert(scene, sources);
                }
            }
        }
    }

    fn on_event(&mut self, now: Duration, event: &ObsEvent) {
        let is_active = flag(&event.data, "outputActive");
        match event.kind.as_str() {
            "CurrentProgramSceneChanged" => {
                self.status.scene = text_of(&event.data, "sceneName").unwrap_or_default();
            }
            "SceneCreated" | "SceneRemoved" | "SceneNameChanged" | "SceneListChanged" => {
                self.status.sources.clear();
                self.ask(now, "GetSceneList", Purpose::Scenes);
            }
            "ReplayBufferStateChanged" => self.status.has_replay = Some(is_active),
            // A pause moves the begin of the recording.
            "RecordStateChanged" => {
                self.ask(now, "GetRecordStatus", Purpose::Recording);
            }
            "StreamStateChanged" => self.ask(now, "GetStreamStatus", Purpose::Stream),
            "ReplayBufferSaved" => {
                let path = text_of(&event.data, "savedReplayPath").unwrap_or_default();
                let saved = |task: &RunningTask| matches!(task.step, TaskStep::Saving(_));
                if let Some(at) = self.tasks.iter().position(saved) {
                    let task = self.tasks.remove(at);
                    self.report(task.number, TaskOutcome::ReplaySaved(path));
                }
            }
            "ExitStarted" => self.lose(now, ConnectionProblem::Ended),
            _ => {}
        }
    }

    fn begin(&mut self, now: Duration, number: u64, task: ObsTask) {
        let problem = if !matches!(self.phase, Phase::Ready(_)) {
            Some(TaskProblem::NotConnected)
        } else if self.tasks.len() >= MAX_TASKS {
            Some(TaskProblem::Busy)
        } else {
            None
        };
        if let Some(problem) = problem {
            return self.report(number, TaskOutcome::Failed(problem));
        }
        let request = match &task {
            ObsTask::SaveReplay => ObsRequest::new("SaveReplayBuffer"),
            ObsTask::Chapter(name) => ObsRequest::with("CreateRecordChapter", json!({ "chapterName": name })),
            ObsTask::Scene { name, .. } => {
                ObsRequest::with("SetCurrentProgramScene", json!({ "sceneName": name }))
            }
            ObsTask::Source { scene, name, .. } => ObsRequest::with(
                "GetSceneItemId",
                json!({ "sceneName": scene, "sourceName": name }),
            ),
            ObsTask::AddPage(page) => ObsRequest::with(
                "CreateInput",
                json!({
                    "sceneName": page.scene,
                    "inputName": page.name,
                    "inputKind": "browser_source",
                    "inputSettings": self.source_settings(page),
                }),
            ),
        };
        self.tasks.push(RunningTask {
            number,
            task,
            scene_before: self.status.scene.clone(),
            step: TaskStep::Begun,
        });
        self.request(now, &request, Purpose::Task(number));
    }

    /// Applies the answer to a request of a task.
    fn continue_task(&mut self, now: Duration, number: u64, response: &ObsResponse) {
        let Some(at) = self.tasks.iter().position(|task| task.number == number) else {
            return;
        };
        let RunningTask {
            task,
            scene_before,
            step,
            ..
        } = self.tasks.remove(at);
        let is_known_name = matches!(task, ObsTask::AddPage(_)) && response.code == 601;
        let goes_on = response.is_success() || is_known_name && step == TaskStep::Begun;
        if !goes_on {
            let problem = task.problem(response);
            return self.report(number, TaskOutcome::Failed(problem));
        }
        let back_at = |seconds: u32| now + Duration::from_secs(seconds.into());
        let next = match (&task, step) {
            (ObsTask::SaveReplay, _) => Some((TaskStep::Saving(now + REPLAY_TIMEOUT), None)),
            (ObsTask::Scene { seconds, .. }, _) => {
                self.report(number, TaskOutcome::Done);
                (*seconds > 0).then(|| (TaskStep::Shown(back_at(*seconds), 0), None))
            }
            (ObsTask::Source { scene, .. }, TaskStep::Begun) => {
                let item = item_of(response);
                let fields = json!({ "sceneName": scene, "sceneItemId": item, "sceneItemEnabled": true });
                Some((
                    TaskStep::Showing(item),
                    Some(ObsRequest::with("SetSceneItemEnabled", fields)),
                ))
            }
            (ObsTask::Source { seconds, .. }, TaskStep::Showing(item)) => {
                self.report(number, TaskOutcome::Done);
                (*seconds > 0).then(|| (TaskStep::Shown(back_at(*seconds), item), None))
            }
            (ObsTask::AddPage(page), TaskStep::Begun) if is_known_name => Some((
                TaskStep::Setting,
                Some(ObsRequest::with(
                    "SetInputSettings",
                    json!({ "inputName": page.name, "inputSettings": self.source_settings(page) }),
                )),
            )),
            _ => {
                self.report(number, TaskOutcome::Done);
                None
            }
        };
        if let Some((step, request)) = next {
            self.tasks.push(RunningTask {
                number,
                task,
                scene_before,
                step,
            });
            if let Some(request) = request {
                self.request(now, &request, Purpose::Task(number));
            }
        }
    }

    /// Ends the time of a scene or source.
    fn take_back(&mut self, now: Duration, running: &RunningTask, item: i64) {
        let request = match &running.task {
            // The user has chosen another scene meanwhile.
            ObsTask::Scene { name, .. } if self.status.scene != *name => return,
            ObsTask::Scene { name, .. } if running.scene_before == *name => return,
            ObsTask::Scene { .. } => {
                let fields = json!({ "sceneName": running.scene_before });
                ObsRequest::with("SetCurrentProgramScene", fields)
            }
            ObsTask::Source { scene, .. } => {
                let fields = json!({ "sceneName": scene, "sceneItemId": item, "sceneItemEnabled": false });
                ObsRequest::with("SetSceneItemEnabled", fields)
            }
            _ => return,
        };
        self.request(now, &request, Purpose::Ending);
    }

    /// Returns the settings of a browser source with a page. The page decides what is transparent.
    fn source_settings(&self, page: &BrowserPage) -> Value {
        let [width, height] = self.status.canvas.unwrap_or([1920, 1080]);
        json!({ "url": page.url, "width": width, "height": height, "css": "" })
    }
}

/// Returns the number of a source in its scene; 0 where the answer has none.
fn item_of(response: &ObsResponse) -> i64 {
    response
        .data
        .get("sceneItemId")
        .and_then(Value::as_i64)
        .unwrap_or_default()
}

fn flag(data: &Value, field: &str) -> bool {
    data.get(field).and_then(Value::as_bool).unwrap_or_default()
}

/// Returns when an output began, by its duration; `None` if it does not run.
fn output_start(now: Duration, data: &Value) -> Option<Duration> {
    let millis = data.get("outputDuration")?.as_u64()?;
    flag(data, "outputActive").then(|| now.saturating_sub(Duration::from_millis(millis)))
}

/// Returns the names in a list of objects, as far as they are texts.
fn names(data: &Value, list: &str, field: &str) -> Vec<String> {
    let objects = data.get(list).and_then(Value::as_array);
    objects
        .into_iter()
        .flatten()
        .filter_map(|object| text_of(object, field))
        .take(MAX_LISTED)
        .collect()
}

#[cfg(test)]
mod tests;
