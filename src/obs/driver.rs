//! What carries out the effects of the control: the client of OBS, and a thread for its files.

use crate::client::{ObsClient, ObsNews};
use crate::control::{ControlAction, ControlEffect, ObsControl};
use crate::settings::{ControlSettings, password_in};
use crate::task::{TaskOutcome, TaskProblem};
use directories::BaseDirs;
use shogibar_base::Lang;
use shogibar_base::threads::{self, Thread};
use shogibar_files::FileAccess;
use shogibar_programme::{OutputChoices, OutputFrame};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The file of the settings, in the folder of the program. It has a password.
const SETTINGS_FILE: &str = "obs.toml";
/// The file of the lines that rules write, in the folder of the program. The newest line is the last one.
const LINES_FILE: &str = "moments.txt";
/// The maximum number of lines in their file. The oldest one is dropped for a new one.
const MAX_LINES: usize = 200;
/// The maximum size of a file that is read, in bytes.
const MAX_FILE_BYTES: usize = 1 << 20;
/// The maximum number of news and of orders in their queues.
const MAX_QUEUED: usize = 256;
/// The files of OBS that may have its password, below the folder of OBS.
const OBS_FILES: [&str; 2] = ["plugin_config/obs-websocket/config.json", "global.ini"];

/// A function that is called from another thread when there is news for [`ObsDriver::update`].
type WakeFn = Arc<dyn Fn() + Send + Sync>;

/// The folders that the control uses.
#[derive(Clone, Debug)]
pub struct ControlFolders {
    /// The folder of the program's settings.
    pub program: PathBuf,
    /// The folders in which OBS may have its settings.
    pub obs: Vec<PathBuf>,
}

impl ControlFolders {
    /// Returns the folders of the user. `program` is the folder of the program's settings.
    pub fn for_user(program: PathBuf) -> Self {
        let folders = BaseDirs::new().map(|base| {
            let flatpak = ".var/app/com.obsproject.Studio/config/obs-studio";
            vec![
                base.config_dir().join("obs-studio"),
                base.home_dir().join(flatpak),
            ]
        });
        Self {
            program,
            obs: folders.unwrap_or_default(),
        }
    }
}

/// The control of OBS, with its client and its thread.
pub struct ObsDriver {
    control: ObsControl,
    client: Option<ObsClient>,
    orders: SyncSender<FileOrder>,
    news: Receiver<DriverNews>,
    sender: SyncSender<DriverNews>,
    wake: WakeFn,
    start: Instant,
    /// The text that is to be copied; `None` after it is taken.
    copied: Option<String>,
    /// Whether the pages are to be started.
    wants_pages: bool,
    _files: Option<Thread>,
}

impl std::fmt::Debug for ObsDriver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObsDriver")
            .field("control", &self.control)
            .finish_non_exhaustive()
    }
}

/// What the threads report.
#[derive(Debug)]
enum DriverNews {
    Settings(Box<ControlSettings>),
    Obs(ObsNews),
    Password(Option<String>),
    /// The settings cannot be read: the reason, and the path of their backup.
    Unreadable(String, Option<PathBuf>),
}

/// What the thread for the files does.
#[derive(Debug)]
enum FileOrder {
    Store(Box<ControlSettings>),
    Line(String),
    FindPassword,
    Stop,
}

impl ObsDriver {
    /// Starts the control. A thread reads the settings first.
    pub fn start(folders: ControlFolders, wake: WakeFn) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the clock of the control")]
        let start = Instant::now();
        let (sender, news) = sync_channel(MAX_QUEUED);
        let (orders, inbox) = sync_channel(MAX_QUEUED);
        let report = reporter(&sender, &wake);
        let files = threads::spawn("obs-files", move || run_files(&folders, &inbox, &report)).ok();
        Self {
            control: ObsControl::default(),
            client: None,
            orders,
            news,
            sender,
            wake,
            start,
            copied: None,
            wants_pages: false,
            _files: files,
        }
    }

    /// Returns the control.
    pub const fn control(&mut self) -> &mut ObsControl {
        &mut self.control
    }

    /// Returns the time of the control.
    pub fn now(&self) -> Duration {
        self.start.elapsed()
    }

    /// Applies what the threads have reported.
    pub fn update(&mut self) {
        while let Ok(news) = self.news.try_recv() {
            match news {
                DriverNews::Settings(settings) => {
                    let (control, effects) = ObsControl::new(*settings);
                    self.control = control;
                    self.carry_out(effects);
                }
                DriverNews::Obs(news) => self.control.on_news(news),
                DriverNews::Password(password) => self.control.on_password(password),
                DriverNews::Unreadable(reason, backup) => {
                    let now = self.now();
                    self.control
                        .on_unreadable_settings(now, &reason, backup.as_deref());
                }
            }
        }
    }

    /// Applies a frame of the game on air.
    pub fn on_frame(&mut self, frame: &OutputFrame, choices: &OutputChoices, lang: Lang) {
        let effects = self.control.on_frame(self.now(), frame, choices, lang);
        self.carry_out(effects);
    }

    /// Applies an action of the user. `page_url` is the address of the pages; `None` while they are off.
    pub fn act(&mut self, action: ControlAction, page_url: Option<&str>, lang: Lang) {
        let effects = self.control.act(self.now(), action, page_url, lang);
        self.carry_out(effects);
    }

    /// Applies the result of a [start of the pages](Self::take_pages_request): their address; `None` if they cannot be
    /// served.
    pub fn on_pages(&mut self, page_url: Option<&str>) {
        let effects = self.control.on_pages(page_url);
        self.carry_out(effects);
    }

    /// Removes and returns the text that is to be copied.
    pub const fn take_copied(&mut self) -> Option<String> {
        self.copied.take()
    }

    /// Returns whether the pages are to be started, once.
    pub const fn take_pages_request(&mut self) -> bool {
        std::mem::replace(&mut self.wants_pages, false)
    }

    fn carry_out(&mut self, effects: Vec<ControlEffect>) {
        for effect in effects {
            match effect {
                ControlEffect::Connect(address) => {
                    if self.client.is_none() && address.is_some() {
                        let report = reporter(&self.sender, &self.wake);
                        let listener = Box::new(move |news| report(DriverNews::Obs(news)));
                        self.client = ObsClient::start(self.start, listener).ok();
                    }
                    if let Some(client) = &self.client {
                        client.connect(address);
                    }
                }
                ControlEffect::Task(number, task) => {
                    let problem = match &self.client {
                        Some(client) if client.begin(number, task) => None,
                        Some(_) => Some(TaskProblem::Busy),
                        None => Some(TaskProblem::NotConnected),
                    };
                    if let Some(problem) = problem {
                        self.control
                            .on_news(ObsNews::Ended(number, TaskOutcome::Failed(problem)));
                    }
                }
                ControlEffect::ListSources(scene) => {
                    if let Some(client) = &self.client {
                        client.list_sources(scene);
                    }
                }
                ControlEffect::Line(line) => self.order(FileOrder::Line(line)),
                ControlEffect::Store(settings) => self.order(FileOrder::Store(settings)),
                ControlEffect::FindPassword => self.order(FileOrder::FindPassword),
                ControlEffect::Copy(text) => self.copied = Some(text),
                ControlEffect::StartPages => self.wants_pages = true,
            }
        }
    }

    fn order(&self, order: FileOrder) {
        // A full queue means that the disk hangs: the next change of the settings stores all of them.
        let _sent = self.orders.try_send(order);
    }
}

impl Drop for ObsDriver {
    fn drop(&mut self) {
        // What is in the queue is written first.
        let _ended_already = self.orders.send(FileOrder::Stop);
    }
}

fn reporter(sender: &SyncSender<DriverNews>, wake: &WakeFn) -> impl Fn(DriverNews) + Send + 'static {
    let (sender, wake) = (sender.clone(), Arc::clone(wake));
    move |news| {
        // The queue is full only while nobody updates, and the threads then wait no longer than the program runs.
        let _sent = sender.try_send(news);
        wake();
    }
}

fn run_files(folders: &ControlFolders, inbox: &Receiver<FileOrder>, report: &dyn Fn(DriverNews)) {
    let [settings_file, lines_file] = [SETTINGS_FILE, LINES_FILE].map(|name| folders.program.join(name));
    if let Some(text) = read_text(&settings_file) {
        match ControlSettings::parse(&text) {
            Ok(settings) => report(DriverNews::Settings(Box::new(settings))),
            // The next settings replace the file. What the user wrote is kept beside it.
            Err(problem) => {
                let backup = shogibar_files::write_backup(&settings_file, text.as_bytes());
                report(DriverNews::Unreadable(problem.message().to_owned(), backup.ok()));
            }
        }
    }
    let mut lines: VecDeque<String> = VecDeque::new();
    while let Ok(order) = inbox.recv() {
        match order {
            FileOrder::Store(settings) => {
                let text = settings.text();
                let _unwritable =
                    shogibar_files::write_as(FileAccess::Secret, &settings_file, text.as_bytes());
            }
            FileOrder::Line(line) => {
                lines.push_back(line);
                if lines.len() > MAX_LINES {
                    lines.pop_front();
                }
                let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
                let _unwritable = shogibar_files::write_whole(&lines_file, text.as_bytes());
            }
            FileOrder::FindPassword => {
                let files = folders
                    .obs
                    .iter()
                    .flat_map(|folder| OBS_FILES.map(|file| folder.join(file)));
                let mut passwords = files.filter_map(|path| password_in(&read_text(&path)?));
                report(DriverNews::Password(passwords.next()));
            }
            FileOrder::Stop => break,
        }
    }
}

fn read_text(path: &Path) -> Option<String> {
    let bytes = shogibar_files::read(path, MAX_FILE_BYTES).ok()?;
    String::from_utf8(bytes).ok()
}
