//! What is changed is written, what others write is taken in, and nothing is lost between the two.

use super::keeper::keep;
use super::*;
use crate::config::{Ground, Part};
use crate::files;
use crate::threads::lock;
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// A store of its own, gone when the test is.
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
        files::make_folder(self.0.folder()).unwrap();
        files::write_whole(&self.0.settings_file(), text.as_bytes()).unwrap();
    }

    fn write_theme(&self, name: &str, text: &str) {
        let path = self.0.theme_file(name).unwrap();
        files::make_folder(path.parent().unwrap()).unwrap();
        files::write_whole(&path, text.as_bytes()).unwrap();
    }

    /// What is in the file.
    fn stored(&self) -> Settings {
        self.0.settings().unwrap().value
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _never_made = std::fs::remove_dir_all(self.0.folder());
    }
}

fn trouble(preferences: &SharedPreferences) -> Vec<Remark> {
    lock(preferences).trouble().cloned().collect()
}

#[test]
fn a_change_counts_at_once_and_is_written_later() {
    let scratch = Scratch::new("change");
    let preferences = scratch.open();
    assert!(!keep(&preferences, false) && !scratch.0.settings_file().exists(), "nothing is written unasked");
    lock(&preferences).change(|settings| settings.overlay.theme = "paper".to_owned());
    assert_eq!(lock(&preferences).theme(), Theme::shipped("paper").unwrap());
    assert!(!scratch.0.settings_file().exists(), "nobody waits for a disk");
    assert!(!keep(&preferences, false), "what we write ourselves is no news");
    assert_eq!(scratch.stored().overlay.theme, "paper");
    let stamp = files::stamp(&scratch.0.settings_file());
    assert!(!keep(&preferences, false) && !keep(&preferences, false));
    assert_eq!(files::stamp(&scratch.0.settings_file()), stamp, "what is written is not written again");
}

#[test]
fn what_another_program_writes_is_taken_in() {
    let scratch = Scratch::new("other");
    scratch.write("[overlay]\nmotion = false\n");
    let preferences = scratch.open();
    assert!(!lock(&preferences).settings().overlay.motion);
    scratch.write("[overlay]\nmotion = true\nswapped = true\ntheme = 'contrast'\n");
    assert!(keep(&preferences, false), "the windows have to be drawn again");
    assert!(lock(&preferences).settings().overlay.swapped);
    assert_eq!(lock(&preferences).theme(), Theme::shipped("contrast").unwrap());
    assert!(!keep(&preferences, false), "and once is enough");
}

#[test]
fn two_programs_change_one_setting_each() {
    let scratch = Scratch::new("two");
    scratch.write("language = 'en'\nother = 1\n");
    let preferences = scratch.open();
    lock(&preferences).change(|settings| settings.parts.show(Part::Ticks, false));
    scratch.write("language = 'en'\nother = 1\n[window]\nalways_on_top = false\n");
    keep(&preferences, false);
    let (stored, held) = (scratch.stored(), lock(&preferences).settings().clone());
    assert!(!stored.parts.shows(Part::Ticks) && !stored.window.always_on_top);
    assert_eq!(stored, held);
    let text = String::from_utf8(files::read(&scratch.0.settings_file(), 10_000).unwrap()).unwrap();
    assert!(text.contains("other = 1"), "what this version does not know is kept");
}

#[test]
fn nothing_is_lost_when_the_program_ends() {
    let scratch = Scratch::new("end");
    let preferences = scratch.open();
    let keeper = Keeper::start(&preferences, || {});
    lock(&preferences).change(|settings| settings.overlay.swapped = true);
    drop(keeper);
    assert!(scratch.stored().overlay.swapped);
}

#[test]
fn windows_are_woken_when_something_changed_and_not_else() {
    let scratch = Scratch::new("wake");
    scratch.write_theme("桜", "panel = '#FFC0CB'\n");
    scratch.write("[overlay]\ntheme = '桜'\n");
    let preferences = scratch.open();
    let (woken, wakes) = sync_channel(100);
    let _keeper = Keeper::start(&preferences, move || woken.send(()).unwrap());
    assert!(wakes.recv_timeout(Duration::from_millis(2500)).is_err(), "nothing has changed");
    scratch.write_theme("桜", "panel = '#112233'\n");
    wakes.recv_timeout(Duration::from_secs(20)).unwrap();
    assert_eq!(lock(&preferences).theme().panel.to_string(), "#112233");
    assert!(wakes.try_recv().is_err(), "once");
}

#[test]
fn what_cannot_be_written_is_said_once_and_holds_meanwhile() {
    let scratch = Scratch::new("unwritten");
    let preferences = scratch.open();
    // A folder in the place of the file.
    files::make_folder(&scratch.0.settings_file()).unwrap();
    lock(&preferences).change(|settings| settings.overlay.swapped = true);
    assert!(keep(&preferences, false), "that is news");
    assert!(!keep(&preferences, false), "and is not tried again and again");
    assert_eq!((trouble(&preferences).len(), lock(&preferences).news().len()), (1, 1));
    assert_eq!(lock(&preferences).news(), [], "it is said once");
    assert!(lock(&preferences).settings().overlay.swapped, "it holds as long as the program runs");
    std::fs::remove_dir(scratch.0.settings_file()).unwrap();
    keep(&preferences, true);
    assert!(scratch.stored().overlay.swapped, "at the end it is tried once more");
    assert_eq!(trouble(&preferences), []);
}

#[test]
fn what_is_broken_is_said_and_what_is_in_force_stays() {
    let scratch = Scratch::new("broken");
    scratch.write("[overlay]\nswapped = 'yes'\nmotion = false\n");
    let preferences = scratch.open();
    assert!(matches!(trouble(&preferences)[..], [Remark::SettingLost(_)]));
    assert!(!lock(&preferences).settings().overlay.motion);

    scratch.write("[overlay\nmotion = ");
    assert!(keep(&preferences, false));
    assert!(matches!(trouble(&preferences)[..], [Remark::SettingsAside(..)]));
    assert!(!lock(&preferences).settings().overlay.motion, "a slip of an editor does not change the bar");
    assert!(!scratch.stored().overlay.motion, "and the file is whole again");
    keep(&preferences, false);

    std::fs::remove_file(scratch.0.settings_file()).unwrap();
    assert!(!keep(&preferences, false), "an editor may put another in its place");
    lock(&preferences).change(|settings| settings.overlay.swapped = true);
    keep(&preferences, false);
    assert!(!scratch.stored().overlay.motion, "what is in force is written whole");

    let rubbish = Scratch::new("rubbish");
    rubbish.write("\u{1}");
    let preferences = rubbish.open();
    assert_eq!(lock(&preferences).settings(), &Settings::default());
    assert!(matches!(trouble(&preferences)[..], [Remark::SettingsAside(..)]));
}

#[test]
fn the_bar_follows_the_file_of_its_theme() {
    let scratch = Scratch::new("theme");
    scratch.write("[overlay]\ntheme = 'paper'\n");
    let preferences = scratch.open();
    lock(&preferences).copy_theme("paper");
    let Some(Remark::ThemeCopied(name, path)) = lock(&preferences).done().cloned() else { panic!("it was copied") };
    assert_eq!((name.as_str(), &path), ("paper 2", &scratch.0.theme_file("paper 2").unwrap()));
    assert_eq!(lock(&preferences).settings().overlay.theme, "paper 2", "it is on view while it is edited");
    assert!(lock(&preferences).themes().iter().any(|entry| entry.file.as_ref() == Some(&path)));
    assert!(!keep(&preferences, false));

    let panel = || lock(&preferences).theme().panel.to_string();
    scratch.write_theme("paper 2", "panel = '#010203'\ntext = 'black'\n");
    assert!(keep(&preferences, false));
    assert_eq!(panel(), "#010203");
    assert!(matches!(trouble(&preferences)[..], [Remark::ThemeLost(..)]));
    let entry_panel = |entry: &ThemeEntry| (entry.name == "paper 2").then(|| entry.reading.theme.panel.to_string());
    assert_eq!(lock(&preferences).themes().iter().find_map(entry_panel).as_deref(), Some("#010203"));
    scratch.write_theme("paper 2", "panel = '#0405");
    assert!(keep(&preferences, false));
    assert_eq!(panel(), "#010203", "half a file changes no colour");
    assert!(matches!(trouble(&preferences)[..], [Remark::ThemeUnreadable(..)]));
    std::fs::remove_file(&path).unwrap();
    assert!(!keep(&preferences, false));
    scratch.write_theme("paper 2", "panel = '#040506'\n");
    assert!(keep(&preferences, false));
    assert_eq!((panel().as_str(), trouble(&preferences)), ("#040506", Vec::new()));
}

#[test]
fn a_theme_goes_out_and_comes_in_again() {
    let scratch = Scratch::new("export");
    let preferences = scratch.open();
    let file = scratch.0.folder().join("mine.toml");
    files::make_folder(scratch.0.folder()).unwrap();
    lock(&preferences).export_theme("broadcast", &file);
    assert_eq!(lock(&preferences).done(), Some(&Remark::ThemeExported(file.clone())));
    lock(&preferences).import_theme(&file);
    assert_eq!(lock(&preferences).settings().overlay.theme, "mine");
    assert_eq!(lock(&preferences).theme(), Theme::shipped("broadcast").unwrap());
    lock(&preferences).import_theme(&scratch.0.folder().join("none.toml"));
    assert!(matches!(lock(&preferences).done(), Some(Remark::ThemeNotDone(_))));
    lock(&preferences).export_theme("none", &file);
    assert!(lock(&preferences).done().is_some_and(Remark::is_trouble));
    lock(&preferences).look_around();
    assert_eq!(lock(&preferences).done(), None, "the next time the page is opened that is long ago");
}

#[test]
fn a_theme_that_is_not_there_is_said() {
    let scratch = Scratch::new("missing");
    for (name, expect) in [("桜", 1), ("", 1), ("ink", 0)] {
        scratch.write(&format!("[overlay]\ntheme = '{name}'\n"));
        let preferences = scratch.open();
        assert_eq!((trouble(&preferences).len(), lock(&preferences).theme()), (expect, Theme::shipped("ink").unwrap()));
    }
}

#[test]
fn language_and_ground_are_resolved() {
    let mut preferences = Preferences::open(None, Lang::En);
    assert_eq!((preferences.lang(), preferences.themes().len()), (Lang::En, 5));
    preferences.change(|settings| settings.general.language = Language::Ja);
    preferences.change(|settings| settings.window.ground = Ground::Chroma);
    assert_eq!((preferences.lang(), preferences.theme().panel.to_string().as_str()), (Lang::Ja, "#00FF00"));
    preferences.copy_theme("ink");
    assert_eq!(preferences.done(), Some(&Remark::NoFolder));
    preferences.say_no_dialog();
    assert_eq!(preferences.done(), Some(&Remark::NoFolder));
}
