//! The languages of the user interface.

/// A language of the user interface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lang {
    /// Japanese.
    #[default]
    Ja,
    /// English.
    En,
}

impl Lang {
    /// All languages.
    pub const ALL: [Self; 2] = [Self::Ja, Self::En];

    /// Returns the language of a locale such as `ja_JP.UTF-8`, `ja-JP` or `en_US`: Japanese for `ja`, else English.
    pub fn from_locale(locale: &str) -> Self {
        let language = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("ja") {
            Self::Ja
        } else {
            Self::En
        }
    }

    /// Returns the one of two texts that is in this language.
    pub const fn pick<'a>(self, ja: &'a str, en: &'a str) -> &'a str {
        match self {
            Self::Ja => ja,
            Self::En => en,
        }
    }
}
