use super::*;
use shogibar_config::{NameError, Profile};
use shogibar_shogi::score::WinRateModel;

/// A temporary store, removed on drop.
struct Scratch(Store);

impl Scratch {
    fn new(name: &str, file: Option<&[u8]>) -> Self {
        let folder = std::env::temp_dir().join(format!("shogibar-store-{name}-{}", std::process::id()));
        let store = Store::new(folder.join("設定"));
        if let Some(bytes) = file {
            shogibar_files::make_folder(store.folder()).unwrap();
            shogibar_files::write_whole(&store.engines_file(), bytes).unwrap();
        }
        Self(store)
    }

    fn names(&self) -> Vec<String> {
        let files = shogibar_files::list(self.0.folder(), 100);
        files
            .iter()
            .map(|path| path.file_name().unwrap().display().to_string())
            .collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _best_effort = std::fs::remove_dir_all(self.0.folder().parent().unwrap());
    }
}

#[derive(Debug, Error)]
enum TestError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Name(#[from] NameError),
}

fn add(store: &Store, name: &str) -> Result<SavedConfig<()>, TestError> {
    store.change_profiles(|profiles| Ok(profiles.add(Profile::new(name, ["program".to_owned()]))?))
}

#[test]
fn changes_are_saved_and_read_again() {
    let scratch = Scratch::new("again", None);
    assert_eq!(scratch.0.profiles().unwrap(), ConfigReading::default());
    add(&scratch.0, "a").unwrap();
    add(&scratch.0, "水匠").unwrap();
    assert!(matches!(add(&scratch.0, "a"), Err(TestError::Name(_))));
    let reading = scratch.0.profiles().unwrap();
    assert_eq!(
        reading.value.iter().map(Profile::name).collect::<Vec<_>>(),
        ["a", "水匠"]
    );
    assert_eq!(scratch.names(), ["engines.toml", "engines.toml.lock"]);
}

#[test]
fn an_invalid_file_is_backed_up_before_it_is_replaced() {
    for rubbish in [b"not = [toml".as_slice(), b"\xff\xfe\x00", b"\x00"] {
        let scratch = Scratch::new("rubbish", Some(rubbish));
        assert!(scratch.0.profiles().unwrap().toml_error.is_some());
        assert_eq!(scratch.names(), ["engines.toml"], "reading changes nothing");
        let backup = add(&scratch.0, "a").unwrap().backup.unwrap().path;
        assert!(backup.ends_with("engines.toml.broken-1"), "{}", backup.display());
        assert_eq!(add(&scratch.0, "b").unwrap().backup, None);
        assert_eq!(
            shogibar_files::read(&backup, MAX_CONFIG_BYTES).unwrap(),
            rubbish,
            "the first backup stays"
        );
        assert_eq!(scratch.0.profiles().unwrap().value.iter().count(), 2);
    }
}

#[test]
fn entries_not_understood_are_kept_or_backed_up() {
    let file = "# mine\n[[engine]]\nname = 'a'\nprogram = 'p'\nk = 'much' # or more\n".as_bytes();
    let scratch = Scratch::new("findings", Some(file));
    assert_eq!(scratch.0.profiles().unwrap().findings.len(), 1);
    assert_eq!(scratch.names(), ["engines.toml"], "reading changes nothing");
    add(&scratch.0, "b").unwrap();
    let text = shogibar_files::read(&scratch.0.engines_file(), MAX_CONFIG_BYTES).unwrap();
    assert!(text.starts_with(file), "it stays where it is");
    assert_eq!(scratch.0.profiles().unwrap().findings.len(), 1);
    let set = |profiles: &mut Profiles| -> Result<_, TestError> {
        profiles.get_mut("a")?.model = WinRateModel::from_k(600.0);
        Ok(())
    };
    scratch.0.change_profiles(set).unwrap();
    let backup = scratch.0.folder().join("engines.toml.broken-1");
    assert_eq!(
        shogibar_files::read(&backup, MAX_CONFIG_BYTES).unwrap(),
        text,
        "what is written over is kept"
    );
    let text = String::from_utf8(shogibar_files::read(&scratch.0.engines_file(), MAX_CONFIG_BYTES).unwrap())
        .unwrap();
    assert!(
        text.starts_with("# mine\n") && text.contains("\nk = 600.0 # or more\n"),
        "{text}"
    );
    add(&scratch.0, "c").unwrap();
    assert_eq!(
        scratch.names(),
        ["engines.toml", "engines.toml.broken-1", "engines.toml.lock"]
    );
}

#[test]
fn an_unreadable_file_is_not_written() {
    let scratch = Scratch::new("folder", None);
    shogibar_files::make_folder(&scratch.0.engines_file()).unwrap();
    assert!(scratch.0.profiles().is_err());
    assert!(add(&scratch.0, "a").is_err());
    let large = Scratch::new("large", Some(&vec![b'#'; MAX_CONFIG_BYTES + 1]));
    assert!(matches!(
        add(&large.0, "a"),
        Err(TestError::Store(StoreError::Unreadable(_)))
    ));
    assert_eq!(large.names(), ["engines.toml", "engines.toml.lock"]);
}

#[test]
fn settings_have_their_own_file_and_backup() {
    let scratch = Scratch::new("settings", Some(b""));
    let store = &scratch.0;
    assert_eq!(store.settings().unwrap(), ConfigReading::default());
    let changed = store
        .change_settings(|settings| settings.overlay.is_swapped = true)
        .unwrap();
    assert!(changed.value.overlay.is_swapped && changed.value == store.settings().unwrap().value);
    assert_eq!(
        scratch.names(),
        ["engines.toml", "settings.toml", "settings.toml.lock"]
    );

    let broken = b"[overlay]\nswapped = 'yes'\nmotion = false\n";
    shogibar_files::write_whole(&store.settings_file(), broken).unwrap();
    let reading = store.settings().unwrap();
    assert_eq!(
        (reading.value.overlay.has_motion, reading.findings.len()),
        (false, 1)
    );
    store
        .change_settings(|settings| settings.overlay.has_motion = true)
        .unwrap();
    let text = shogibar_files::read(&store.settings_file(), MAX_CONFIG_BYTES).unwrap();
    assert_eq!(
        text, b"[overlay]\nswapped = 'yes'\nmotion = true\n",
        "what was not understood stays"
    );
    assert_eq!(store.back_up_broken_settings().unwrap(), None);
    store
        .change_settings(|settings| settings.overlay.is_swapped = true)
        .unwrap();
    let backup = store.folder().join("settings.toml.broken-1");
    assert_eq!(
        shogibar_files::read(&backup, MAX_CONFIG_BYTES).unwrap(),
        text,
        "or is kept"
    );

    shogibar_files::write_whole(&store.settings_file(), b"\xff rubbish").unwrap();
    let reading = store.settings().unwrap();
    assert_eq!(
        (reading.value, reading.toml_error.is_some()),
        (Settings::default(), true)
    );
    let backup = store.back_up_broken_settings().unwrap().unwrap().path;
    assert!(backup.ends_with("settings.toml.broken-2") && !store.settings_file().exists());
    assert_eq!(
        shogibar_files::read(&backup, MAX_CONFIG_BYTES).unwrap(),
        b"\xff rubbish"
    );
}

#[test]
fn broken_settings_are_backed_up_by_one_program_only() {
    let scratch = Scratch::new("two starts", Some(b""));
    let store = &scratch.0;
    shogibar_files::write_whole(&store.settings_file(), b"\xff rubbish").unwrap();
    let other_start = store.lock_file(&store.settings_file()).unwrap();
    assert!(matches!(
        store.back_up_broken_settings(),
        Err(StoreError::Unwritable(_))
    ));
    assert_eq!(
        scratch.names(),
        ["engines.toml", "settings.toml", "settings.toml.lock"]
    );
    drop(other_start);
    assert!(store.back_up_broken_settings().unwrap().is_some());
    assert_eq!(store.back_up_broken_settings().unwrap(), None);
    assert_eq!(
        scratch.names(),
        ["engines.toml", "settings.toml.broken-1", "settings.toml.lock"]
    );
}

#[test]
fn a_concurrent_write_is_not_overwritten() {
    let scratch = Scratch::new("meanwhile", Some(b""));
    let store = &scratch.0;
    let theirs = b"# theirs\n[overlay]\nmotion = false\n";
    let change = |settings: &mut Settings| {
        settings.overlay.is_swapped = true;
        shogibar_files::write_whole(&store.settings_file(), theirs).unwrap();
    };
    assert!(matches!(store.change_settings(change), Err(StoreError::Busy(_))));
    assert_eq!(
        shogibar_files::read(&store.settings_file(), MAX_CONFIG_BYTES).unwrap(),
        theirs
    );
}

#[test]
fn themes_are_read_from_their_files() {
    let scratch = Scratch::new("themes", None);
    let store = &scratch.0;
    assert_eq!(
        (store.themes(), store.theme("sakura").unwrap()),
        (Vec::new(), None)
    );
    let themes = store.folder().join("themes");
    shogibar_files::make_folder(&themes).unwrap();
    for (name, bytes) in [
        ("sakura.toml", b"panel = '#FFC0CB'\nloss = 'black'".as_slice()),
        ("broken.toml", b"panel = '#FF"),
        ("latin.toml", b"# caf\xe9"),
        (".hidden.toml", b""),
        ("notes.txt", b""),
    ] {
        shogibar_files::write_whole(&themes.join(name), bytes).unwrap();
    }
    assert_eq!(store.themes(), ["broken", "latin", "sakura"]);
    let sakura = store.theme("sakura").unwrap().unwrap();
    assert_eq!(
        (sakura.theme.panel.to_string().as_str(), sakura.findings.len()),
        ("#FFC0CB", 5)
    );
    for broken in ["broken", "latin"] {
        let reading = store.theme(broken).unwrap().unwrap();
        assert_eq!(
            (Some(reading.theme), reading.toml_error.is_some()),
            (Theme::shipped("ink"), true),
            "{broken}"
        );
    }
    assert_eq!(store.themes().len(), 3, "they stay where they are");
    for name in ["", "..", "../engines", "a/b", "a\\b", ".hidden", "C:x"] {
        assert_eq!(store.theme(name).unwrap(), None, "{name}");
    }
}

#[test]
fn themes_are_added_and_imported_under_free_names() {
    let scratch = Scratch::new("copies", None);
    let (store, paper) = (&scratch.0, Theme::shipped("paper").unwrap());
    let check = |name: &str, expect: &str| {
        let (name, path) = store.add_theme(name, &paper).unwrap();
        assert_eq!((name.as_str(), store.theme_file(expect).unwrap()), (expect, path));
        assert_eq!(store.theme(expect).unwrap().unwrap().theme, paper);
    };
    check("paper", "paper 2");
    check("paper", "paper 3");
    check("paper 2", "paper 4");
    check("桜", "桜");
    check("../桜", "theme");
    let file = scratch.0.folder().join("桜.toml");
    shogibar_files::write_whole(&file, b"# mine\npanel = 'red'\n").unwrap();
    let (name, path) = store.import_theme(&file).unwrap();
    assert_eq!(
        (
            name.as_str(),
            shogibar_files::read(&path, MAX_CONFIG_BYTES).unwrap()
        ),
        ("桜 2", b"# mine\npanel = 'red'\n".to_vec())
    );
    let entries = store.all_themes();
    assert_eq!(entries.iter().take_while(|entry| entry.file.is_none()).count(), 5);
    assert_eq!(
        entries
            .iter()
            .filter(|entry| !entry.reading.findings.is_empty())
            .count(),
        1
    );
    assert!(
        store.import_theme(store.folder()).is_err(),
        "a folder is no theme"
    );
    let themes = store.themes();
    for bytes in [b"\x89PNG\r\n\x1a\n\0".as_slice(), b"panel = "] {
        shogibar_files::write_whole(&file, bytes).unwrap();
        assert!(matches!(store.import_theme(&file), Err(ImportError::NotToml(_))));
    }
    assert_eq!(store.themes(), themes, "what is none is not taken in");
}

#[test]
fn leftovers_of_killed_programs_are_removed() {
    let scratch = Scratch::new("leftovers", Some(b""));
    shogibar_files::write_whole(&scratch.0.folder().join(".engines.toml.1.new"), b"half").unwrap();
    shogibar_files::write_whole(&scratch.0.folder().join(".others.toml.1.new"), b"another's").unwrap();
    add(&scratch.0, "a").unwrap();
    assert_eq!(
        scratch.names(),
        [".others.toml.1.new", "engines.toml", "engines.toml.lock"]
    );
}
