//! The texts of the user interface, in Japanese and English. The names of commands are in `config`; the help of the
//! command line is with its arguments.

#[macro_use]
mod macros;

pub mod analysis;
pub mod board;
pub mod calibration;
mod command;
pub mod config_warning;
pub mod convert;
pub mod correction;
pub mod count;
pub mod doctor;
mod engine_failure;
pub mod engine_game;
pub mod engine_match;
pub mod engine_menu;
pub mod engines;
pub mod failure;
pub mod find;
pub mod folder;
pub mod graph;
pub mod guess;
mod label;
pub mod mate;
mod message;
pub mod notate;
pub mod pages;
mod part;
pub mod phrase;
pub mod position;
pub mod reasons;
pub mod record;
mod record_file;
mod remark;
pub mod report;
pub mod review;
pub mod see;
pub mod settings;
pub mod shelf;
pub mod source;
pub mod study;
pub mod system;
mod unreadable;
mod usage;
pub mod visible;
mod window;

pub use command::{Submenu, command_findable, command_text, menu_text};
pub use label::Label;
pub use message::{CopiedItem, KeyRefusal, Message};
pub use part::PartWord;
pub use record_file::RecordRemark;
pub use record_file::{changed_elsewhere, file_exists, loses};
pub use remark::Remark;
pub use system::CauseText;
pub use unreadable::UnreadableRecord;
pub use usage::{ExpectedValue, UsageError};
pub use window::{QuitReply, SharingReply, StartOffer, WindowWord, close_game, game_number, sharing_question};

use config::Language;
use shogibar_config as config;
use shogibar_core::{kifu, score, search, shogi};
use shogibar_engine::{options, probe, process, session, usi};
use shogibar_files as files;
use shogibar_live as live;

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
        if language.eq_ignore_ascii_case("ja") { Self::Ja } else { Self::En }
    }

    /// Returns the language of the setting on a system of this language.
    pub const fn resolve(setting: Language, system: Self) -> Self {
        match setting {
            Language::System => system,
            Language::Ja => Self::Ja,
            Language::En => Self::En,
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

/// Returns whether each word of a search occurs in the texts. Case is ignored, and `color` also finds `colour`.
fn contains_words(texts: &str, search: &str) -> bool {
    let [texts, search] = [texts, search].map(|text| text.to_lowercase().replace("colour", "color"));
    search.split_whitespace().all(|word| texts.contains(word))
}
