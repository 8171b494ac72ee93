//! Tests that changes are written, that changes of other programs are read, and that none of them is lost.

use super::{settings_watcher, *};
use shogibar_config::{Background, OverlayPart, ScreenPosition};

use shogibar_base::threads::lock;
use shogibar_engine::session::TrafficRecorder as _;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// A temporary store, removed on drop.
struct Scratch(Store);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("shogibar-preferences-{name}-{}", std::process::id()));
        let _left_over = std::fs::remove_dir_all(&folder);
        Self(Store::new(folder))
    }

    fn open(&self) -> SharedPreferences {
        Arc::new(Mutex::new(Preferences::open(Some(self.0.clone()), Lang::Ja)))
    }

    fn write(&self, text: &str) {
        shogibar_files::make_folder(self.0.folder()).unwrap();
        shogibar_files::write_whole(&self.0.settings_file(), text.as_bytes()).unwrap();
    }

    fn write_theme(&self, name: &str, text: &str) {
        let path = self.0.theme_file(name).unwrap();
        shogibar_files::make_folder(path.parent().unwrap()).unwrap();
        shogibar_files::write_whole(&path, text.as_bytes()).unwrap();
    }

    fn text(&self) -> String {
        String::from_utf8(shogibar_files::read(&self.0.settings_file(), 10_000).unwrap()).unwrap()
    }

    fn stored(&self) -> Settings {
        self.0.settings().unwrap().value
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _never_made = std::fs::remove_dir_all(self.0.folder());
    }
}

/// Checks the files until none is half written. `is_end` is whether the program ends. Returns whether anything has
/// changed.
fn sync_files(preferences: &SharedPreferences, is_end: bool) -> bool {
    let mut has_changes = false;
    loop {
        let synced = settings_watcher::sync(
            preferences,
            if is_end {
                SyncPhase::End
            } else {
                SyncPhase::Running
            },
        );
        has_changes |= synced.has_changes;
        if !synced.is_changing {
            return has_changes;
        }
    }
}

fn position(x: i32) -> ScreenPosition {
    ScreenPosition {
        screen: "a".to_owned(),
        x,
        y: 2,
    }
}

fn warnings(preferences: &SharedPreferences) -> Vec<Remark> {
    lock(preferences).warnings().cloned().collect()
}

#[test]
fn applies_a_change_at_once_and_writes_it_later() {
    let scratch = Scratch::new("change");
    let preferences = scratch.open();
    assert!(
        !sync_files(&preferences, false) && !scratch.0.settings_file().exists(),
        "nothing is written unasked"
    );
    lock(&preferences).change(|settings| settings.overlay.theme = "paper".to_owned());
    assert_eq!(lock(&preferences).theme(), Theme::shipped("paper").unwrap());
    assert!(!scratch.0.settings_file().exists(), "nobody waits for a disk");
    assert!(
        !sync_files(&preferences, false),
        "what we write ourselves is no news"
    );
    assert_eq!(scratch.stored().overlay.theme, "paper");
    let stamp = shogibar_files::stamp(&scratch.0.settings_file());
    assert!(!sync_files(&preferences, false) && !sync_files(&preferences, false));
    assert_eq!(
        shogibar_files::stamp(&scratch.0.settings_file()),
        stamp,
        "what is written is not written again"
    );
}

#[test]
fn reads_changes_of_another_program() {
    let scratch = Scratch::new("other");
    scratch.write("[overlay]\nmotion = false\n");
    let preferences = scratch.open();
    assert!(!lock(&preferences).settings().overlay.has_motion);
    scratch.write("[overlay]\nmotion = true\nswapped = true\ntheme = 'contrast'\n");
    assert!(
        sync_files(&preferences, false),
        "the windows have to be drawn again"
    );
    assert!(lock(&preferences).settings().overlay.is_swapped);
    assert_eq!(lock(&preferences).theme(), Theme::shipped("contrast").unwrap());
    assert!(!sync_files(&preferences, false), "and once is enough");
}

#[test]
fn merges_changes_of_two_programs() {
    let scratch = Scratch::new("two");
    scratch.write("language = 'en'\nother = 1\n");
    let preferences = scratch.open();
    lock(&preferences).change(|settings| settings.parts.set_shown(OverlayPart::Ticks, false));
    scratch.write("language = 'en'\nother = 1\n[window]\nalways_on_top = false\n");
    sync_files(&preferences, false);
    let (stored, held) = (scratch.stored(), lock(&preferences).settings().clone());
    assert!(!stored.parts.shows(OverlayPart::Ticks) && !stored.window.always_on_top);
    assert_eq!(stored, held);
    let text = String::from_utf8(shogibar_files::read(&scratch.0.settings_file(), 10_000).unwrap()).unwrap();
    assert!(
        text.contains("other = 1"),
        "what this version does not know is kept"
    );
}

#[test]
fn writes_pending_changes_at_the_end() {
    let scratch = Scratch::new("end");
    let preferences = scratch.open();
    let watcher = SettingsWatcher::start(&preferences, || {});
    lock(&preferences).change(|settings| settings.overlay.is_swapped = true);
    drop(watcher);
    assert!(scratch.stored().overlay.is_swapped);
}

#[test]
fn wakes_windows_only_after_a_change() {
    let scratch = Scratch::new("wake");
    scratch.write_theme("桜", "panel = '#FFC0CB'\n");
    scratch.write("[overlay]\ntheme = '桜'\n");
    let preferences = scratch.open();
    let (woken, wakes) = sync_channel(100);
    let _watcher = SettingsWatcher::start(&preferences, move || woken.send(()).unwrap());
    assert!(
        wakes.recv_timeout(Duration::from_millis(2500)).is_err(),
        "nothing has changed"
    );
    scratch.write_theme("桜", "panel = '#112233'\n");
    wakes.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!(lock(&preferences).theme().panel.to_string(), "#112233");
    assert!(wakes.try_recv().is_err(), "once");
}

#[test]
fn reports_a_failed_write_once_and_keeps_the_change() {
    let scratch = Scratch::new("unwritten");
    let preferences = scratch.open();
    // A folder at the path of the file.
    shogibar_files::make_folder(&scratch.0.settings_file()).unwrap();
    lock(&preferences).change(|settings| settings.overlay.is_swapped = true);
    assert!(sync_files(&preferences, false), "that is news");
    assert!(
        !sync_files(&preferences, false),
        "and is not tried again and again"
    );
    assert_eq!(
        (
            warnings(&preferences).len(),
            lock(&preferences).take_new_warnings().len()
        ),
        (1, 1)
    );
    assert_eq!(lock(&preferences).take_new_warnings(), [], "it is reported once");
    assert!(
        lock(&preferences).settings().overlay.is_swapped,
        "it holds as long as the program runs"
    );
    std::fs::remove_dir(scratch.0.settings_file()).unwrap();
    sync_files(&preferences, true);
    assert!(
        scratch.stored().overlay.is_swapped,
        "at the end it is tried once more"
    );
    assert_eq!(warnings(&preferences), []);
}

#[test]
fn reports_a_broken_file_and_keeps_the_settings() {
    let scratch = Scratch::new("broken");
    scratch.write("[overlay]\nswapped = 'yes'\nmotion = false\n");
    let preferences = scratch.open();
    assert!(matches!(warnings(&preferences)[..], [Remark::SettingLost(_)]));
    assert!(!lock(&preferences).settings().overlay.has_motion);

    let half = "[overlay\nmotion = ";
    scratch.write(half);
    assert!(sync_files(&preferences, false));
    assert!(matches!(
        warnings(&preferences)[..],
        [Remark::SettingsUnreadable(..)]
    ));
    assert!(
        !lock(&preferences).settings().overlay.has_motion,
        "a slip of an editor does not change the bar"
    );
    lock(&preferences).change(|settings| settings.positions.store(position(7)));
    sync_files(&preferences, true);
    assert_eq!(
        scratch.text(),
        half,
        "nobody takes a file away from whoever writes it"
    );
    scratch.write("[overlay]\nmotion = false # quiet\n");
    assert!(sync_files(&preferences, false));
    assert_eq!(warnings(&preferences), []);
    assert_eq!(
        scratch.stored().positions.last(),
        Some(&position(7)),
        "what was put off is written"
    );
    assert!(
        scratch.text().starts_with("[overlay]\nmotion = false # quiet\n"),
        "{}",
        scratch.text()
    );

    scratch.write(half);
    lock(&preferences).change(|settings| settings.parts.set_shown(OverlayPart::Ticks, false));
    assert!(sync_files(&preferences, false));
    assert!(
        matches!(warnings(&preferences)[..], [Remark::SettingsBackedUp(..)]),
        "what the user sets has to be written"
    );
    assert!(
        !scratch.stored().overlay.has_motion && !scratch.stored().parts.shows(OverlayPart::Ticks),
        "all that is in force"
    );
    let backup = shogibar_files::read(&scratch.0.folder().join("settings.toml.broken-1"), 1000).unwrap();
    assert_eq!(backup, half.as_bytes());
    sync_files(&preferences, false);
    lock(&preferences).change(|settings| settings.positions.store(position(8)));
    sync_files(&preferences, false);
    assert!(
        matches!(warnings(&preferences)[..], [Remark::SettingsBackedUp(..)]),
        "what we write takes nothing back"
    );

    std::fs::remove_file(scratch.0.settings_file()).unwrap();
    assert!(
        !sync_files(&preferences, false),
        "an editor may put another in its place"
    );
    lock(&preferences).change(|settings| settings.overlay.is_swapped = true);
    sync_files(&preferences, false);
    assert!(
        !scratch.stored().overlay.has_motion,
        "what is in force is written whole"
    );

    let rubbish = Scratch::new("rubbish");
    rubbish.write("\u{1}");
    let preferences = rubbish.open();
    assert_eq!(lock(&preferences).settings(), &Settings::default());
    assert!(matches!(
        warnings(&preferences)[..],
        [Remark::SettingsBackedUp(..)]
    ));
    assert!(
        !rubbish.0.settings_file().exists(),
        "at the start it is backed up"
    );
}

#[test]
fn keeps_a_warning_until_it_is_fixed() {
    let scratch = Scratch::new("stays");
    scratch.write("# mine\n[overlay]\nswapped = 'yes' # or no\n");
    let preferences = scratch.open();
    assert_eq!(lock(&preferences).take_new_warnings().len(), 1);
    // The bar does this when it is opened.
    lock(&preferences).change(|settings| settings.positions.store(position(1)));
    sync_files(&preferences, false);
    sync_files(&preferences, false);
    assert_eq!(scratch.stored().positions.last(), Some(&position(1)));
    assert!(
        matches!(warnings(&preferences)[..], [Remark::SettingLost(_)]),
        "it is still there to be read"
    );
    assert_eq!(
        lock(&preferences).take_new_warnings(),
        [],
        "and is not reported again"
    );
    lock(&preferences).change(|settings| settings.overlay.is_swapped = true);
    sync_files(&preferences, false);
    sync_files(&preferences, false);
    assert_eq!(warnings(&preferences), []);
    assert!(
        scratch
            .text()
            .starts_with("# mine\n[overlay]\nswapped = true # or no\n"),
        "{}",
        scratch.text()
    );
}

#[test]
fn does_not_read_a_half_written_file() {
    let scratch = Scratch::new("rest");
    let file = "[overlay]\nswapped = true\nmotion = false\n";
    scratch.write(file);
    scratch.write_theme("mine", "panel = '#112233'\n");
    let preferences = scratch.open();
    lock(&preferences).change(|settings| settings.overlay.theme = "mine".to_owned());
    sync_files(&preferences, false);
    let whole = scratch.text();
    // The file is first empty, then half written, then complete.
    for half in ["", "[overlay]\nswapped = true\n", &whole] {
        scratch.write(half);
        lock(&preferences)
            .change(|settings| settings.positions.store(position(half.len().try_into().unwrap())));
        assert!(settings_watcher::sync(&preferences, SyncPhase::Running).is_changing);
        assert_eq!(scratch.text(), half);
        let overlay = lock(&preferences).settings().overlay.clone();
        assert!(overlay.is_swapped && !overlay.has_motion && overlay.theme == "mine");
    }
    scratch.write_theme("mine", "");
    assert!(settings_watcher::sync(&preferences, SyncPhase::Running).is_changing);
    assert_eq!(lock(&preferences).theme().panel.to_string(), "#112233");
    sync_files(&preferences, false);
    assert_eq!(
        lock(&preferences).theme().panel,
        Theme::shipped("ink").unwrap().panel,
        "that is a theme as well"
    );
}

#[test]
fn uses_the_named_language_until_one_is_set() {
    let scratch = Scratch::new("language");
    scratch.write("language = 'en'\n");
    let preferences = Arc::new(Mutex::new(Preferences::open(Some(scratch.0.clone()), Lang::Ja)));
    assert_eq!(lock(&preferences).lang(), Lang::En);
    let preferences = Preferences::open(Some(scratch.0.clone()), Lang::Ja).with_language(Some(Lang::Ja));
    let preferences = Arc::new(Mutex::new(preferences));
    lock(&preferences).change(|settings| settings.overlay.is_swapped = true);
    sync_files(&preferences, false);
    assert_eq!(lock(&preferences).lang(), Lang::Ja);
    lock(&preferences).change(|settings| settings.general.language = Language::System);
    assert_eq!(lock(&preferences).lang(), Lang::Ja, "the system's");
    lock(&preferences).change(|settings| settings.general.language = Language::En);
    assert_eq!(lock(&preferences).lang(), Lang::En);
    let preferences = Arc::new(Mutex::new(
        Preferences::open(Some(scratch.0.clone()), Lang::Ja).with_language(Some(Lang::En)),
    ));
    scratch.write("language = 'ja'\n");
    sync_files(&preferences, false);
    assert_eq!(lock(&preferences).lang(), Lang::Ja, "or is set in the file");
}

/// Carries out a request.
fn run(preferences: &SharedPreferences, task: ThemeTask) {
    let job = lock(preferences).start_theme_task(task);
    let result = job.run();
    lock(preferences).finish_theme_task(result);
}

#[test]
fn reloads_the_theme_file() {
    let scratch = Scratch::new("theme");
    scratch.write("[overlay]\ntheme = 'paper'\n");
    let preferences = scratch.open();
    run(&preferences, ThemeTask::Copy("paper".to_owned()));
    let Some(Remark::ThemeCopied(name, path)) = lock(&preferences).last_result().cloned() else {
        panic!("it was copied")
    };
    assert_eq!(
        (name.as_str(), &path),
        ("paper 2", &scratch.0.theme_file("paper 2").unwrap())
    );
    assert_eq!(
        lock(&preferences).settings().overlay.theme,
        "paper 2",
        "it is on view while it is edited"
    );
    assert!(
        lock(&preferences)
            .themes()
            .iter()
            .any(|entry| entry.file.as_ref() == Some(&path))
    );
    assert!(!sync_files(&preferences, false));

    let panel = || lock(&preferences).theme().panel.to_string();
    scratch.write_theme("paper 2", "panel = '#010203'\ntext = 'black'\n");
    assert!(sync_files(&preferences, false));
    assert_eq!(panel(), "#010203");
    assert!(matches!(warnings(&preferences)[..], [Remark::ThemeLost(..)]));
    let entry_panel =
        |entry: &ThemeEntry| (entry.name == "paper 2").then(|| entry.reading.theme.panel.to_string());
    assert_eq!(
        lock(&preferences)
            .themes()
            .iter()
            .find_map(entry_panel)
            .as_deref(),
        Some("#010203")
    );
    scratch.write_theme("paper 2", "panel = '#0405");
    assert!(sync_files(&preferences, false));
    assert_eq!(panel(), "#010203", "half a file changes no colour");
    assert!(matches!(
        warnings(&preferences)[..],
        [Remark::ThemeUnreadable(..)]
    ));
    std::fs::remove_file(&path).unwrap();
    sync_files(&preferences, false);
    assert!(!sync_files(&preferences, false));
    assert_eq!(
        (panel().as_str(), warnings(&preferences)),
        ("#010203", vec![Remark::ThemeGone("paper 2".to_owned())])
    );
    scratch.write_theme("paper 2", "panel = '#040506'\n");
    assert!(sync_files(&preferences, false));
    assert_eq!(
        (panel().as_str(), warnings(&preferences)),
        ("#040506", Vec::new())
    );
}

#[test]
fn exports_and_imports_a_theme() {
    let scratch = Scratch::new("export");
    let preferences = scratch.open();
    let file = scratch.0.folder().join("mine.toml");
    shogibar_files::make_folder(scratch.0.folder()).unwrap();
    run(
        &preferences,
        ThemeTask::Export("broadcast".to_owned(), file.clone()),
    );
    assert_eq!(
        lock(&preferences).last_result(),
        Some(&Remark::ThemeExported(file.clone()))
    );
    run(&preferences, ThemeTask::Import(file.clone()));
    assert_eq!(lock(&preferences).settings().overlay.theme, "mine");
    assert_eq!(lock(&preferences).theme(), Theme::shipped("broadcast").unwrap());
    run(
        &preferences,
        ThemeTask::Import(scratch.0.folder().join("none.toml")),
    );
    assert!(matches!(
        lock(&preferences).last_result(),
        Some(Remark::ThemeNotDone(_))
    ));
    shogibar_files::write_whole(&file, b"\x89PNG").unwrap();
    run(&preferences, ThemeTask::Import(file.clone()));
    assert!(matches!(
        lock(&preferences).last_result(),
        Some(Remark::ThemeUnreadable(..))
    ));
    assert_eq!(
        lock(&preferences).settings().overlay.theme,
        "mine",
        "what is none is not chosen"
    );
    run(&preferences, ThemeTask::Export("none".to_owned(), file.clone()));
    assert!(lock(&preferences).last_result().is_some_and(Remark::is_error));
    run(&preferences, ThemeTask::List);
    assert_eq!(
        lock(&preferences).last_result(),
        None,
        "the next time the page is opened that is long ago"
    );
}

#[test]
fn reports_a_missing_theme() {
    let scratch = Scratch::new("missing");
    for (name, expect) in [("桜", 1), ("", 1), ("ink", 0)] {
        scratch.write(&format!("[overlay]\ntheme = '{name}'\n"));
        let preferences = scratch.open();
        assert_eq!(
            (warnings(&preferences).len(), lock(&preferences).theme()),
            (expect, Theme::shipped("ink").unwrap())
        );
    }
}

#[test]
fn resolves_language_and_background() {
    let mut preferences = Preferences::open(None, Lang::En);
    assert_eq!((preferences.lang(), preferences.themes().len()), (Lang::En, 5));
    preferences.change(|settings| settings.general.language = Language::Ja);
    preferences.change(|settings| settings.window.background = Background::Chroma);
    assert_eq!(
        (preferences.lang(), preferences.theme().panel.to_string().as_str()),
        (Lang::Ja, "#00FF00")
    );
    let result = preferences
        .start_theme_task(ThemeTask::Copy("ink".to_owned()))
        .run();
    preferences.finish_theme_task(result);
    assert_eq!(preferences.last_result(), Some(&Remark::NoFolder));
    preferences.report_no_dialog();
    assert_eq!(preferences.last_result(), Some(&Remark::NoFolder));
}

#[test]
fn switches_the_log_with_the_settings() {
    let scratch = Scratch::new("log");
    let log = TrafficLog::default();
    let mut preferences = Preferences::open(Some(scratch.0.clone()), Lang::En).with_log(log.clone(), None);
    let recorder = log.recorder("A");
    for (line, is_on) in [
        ("usi", false),
        ("position startpos", true),
        ("go infinite", true),
        ("quit", false),
    ] {
        preferences.change(|settings| settings.general.logs_usi = is_on);
        recorder.record_sent(line);
    }
    recorder.close();
    let text = String::from_utf8(shogibar_files::read(&scratch.0.log_file(), 10_000).unwrap()).unwrap();
    for (line, is_there) in [
        ("> usi", true),
        ("> position startpos", true),
        ("> go infinite", true),
        ("> quit", false),
    ] {
        assert_eq!(text.contains(line), is_there, "{line} in {text}");
    }

    // A file named for this run is used, whatever the settings say.
    let named = scratch.0.folder().join("named.log");
    let mut preferences = Preferences::open(None, Lang::En).with_log(log.clone(), Some(named.clone()));
    preferences.change(|settings| settings.general.logs_usi = false);
    let recorder = log.recorder("B");
    recorder.record_sent("usi");
    recorder.close();
    assert!(named.exists() && preferences.log_file() == Some(named));
}
