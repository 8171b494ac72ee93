//! Any text as the user's settings and as a theme file. Settings that are read can be written, and are read again
//! without warnings.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_config::{Rgba, Settings, Theme};

fuzz_target!(|text: &str| {
    if let Ok((settings, _)) = Settings::read(text) {
        let written = settings.write().expect("what was read can be written");
        let (again, warnings) = Settings::read(&written).expect("what is written is TOML");
        assert_eq!(warnings, []);
        // Texts are compared, because NaN is not equal to itself.
        assert_eq!(again.write().expect("it was written before"), written);
        // A change leaves the rest of the file unchanged.
        let mut changed = settings.clone();
        changed.overlay.is_swapped ^= true;
        let text = changed.write_into(text).expect("what was read can be written");
        let (again, _) = Settings::read(&text).expect("what is written is TOML");
        assert_eq!(again.write(), changed.write());
    }
    if let Ok((theme, _)) = Theme::read(text) {
        assert_eq!(Theme::read(&theme.write()), Ok((theme, Vec::new())));
    }
    if let Some(color) = Rgba::parse(text) {
        assert_eq!(Rgba::parse(&color.to_string()), Some(color));
    }
});
