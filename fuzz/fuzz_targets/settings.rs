//! Any text as the user's settings and as the file of a theme: what is read is written so that it is read
//! again, with nothing wrong with it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar::config::{Rgba, Settings, Theme};

fuzz_target!(|text: &str| {
    if let Ok((settings, _)) = Settings::read(text) {
        let written = settings.write().expect("what was read can be written");
        let (again, findings) = Settings::read(&written).expect("what is written is TOML");
        assert_eq!(findings, []);
        // Numbers that are none are unlike themselves, so the texts are compared.
        assert_eq!(again.write().expect("it was written before"), written);
        // A change leaves all else in the file as it is.
        let mut changed = settings.clone();
        changed.overlay.swapped ^= true;
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
