//! Any text as the user's file of engines, resolved for an engine. Profiles that are read can be written and read
//! again. An engine gets no control characters.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_config::option_form::{OptionDefaults, OptionForm};
use shogibar_config::{Profile, Profiles, ShellSyntax};
use shogibar_engine::options::{EngineNumber, OptionRequest, resolve};
use shogibar_engine::usi::OptionSpec;

const OPTIONS: [&str; 5] = [
    "name Threads type spin default 1 min 1 max 512",
    "name Skill Level type spin default 20 min -20 max 20",
    "name UCI_Variant type combo default shogi var chess var shogi",
    "name Debug Log File type string default ",
    "name Clear Hash type button",
];

fuzz_target!(|text: &str| {
    for shell in [ShellSyntax::Posix, ShellSyntax::Windows] {
        if let Ok(words) = shell.split(text) {
            assert_eq!(
                shell.split(&shell.join(words.iter().map(String::as_str))),
                Ok(words)
            );
        }
    }
    let Ok((profiles, _)) = Profiles::read(text) else {
        return;
    };
    let written = profiles.write().expect("what was read can be written");
    let (again, warnings) = Profiles::read(&written).expect("what is written is TOML");
    // Texts are compared, because NaN is not equal to itself.
    assert_eq!(again.write().expect("it was written before"), written);
    let remaining = warnings
        .iter()
        .filter(|warning| !warning.key.ends_with("program"))
        .count();
    assert_eq!(remaining, 0, "{warnings:?}");
    // A change leaves the rest of the file unchanged.
    let mut changed = profiles.clone();
    let name = changed.free_name("a");
    changed
        .add(Profile::new(&name, ["program".to_owned()]))
        .expect("the name is free");
    let text = changed.write_into(text).expect("what was read can be written");
    let (again, _) = Profiles::read(&text).expect("what is written is TOML");
    assert_eq!(again.write(), changed.write());

    let options: Vec<_> = OPTIONS
        .iter()
        .filter_map(|line| OptionSpec::parse(line))
        .collect();
    let presets = shogibar_config::built_in_presets();
    for profile in &profiles {
        let numbers = [
            (EngineNumber::MultiPv, 3),
            (
                EngineNumber::Threads,
                profile.number(EngineNumber::Threads).unwrap_or(1),
            ),
            (EngineNumber::Hash, 1),
        ];
        let resolved = resolve(
            &options,
            "Fairy-Stockfish",
            &OptionRequest {
                numbers,
                presets: &presets,
                options: &profile.options,
            },
        );
        assert!(resolved.lines.iter().all(|line| !line.contains(char::is_control)));
        let mut form = OptionForm::new(
            &options,
            profile,
            &OptionDefaults::new(&presets, "Fairy-Stockfish", numbers),
        );
        let mut stored = profile.clone();
        form.store(&mut stored);
        form.reset_all();
        assert!(form.rows().iter().all(|row| row.problem().is_none()));
    }
});
