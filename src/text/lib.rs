//! The texts of the user interface, in Japanese and English. The names of commands are in `config`; the help of the
//! command line is with its arguments.

pub mod analysis;
pub mod board;
pub mod calibration;
mod command;
pub mod config_warning;
pub mod convert;
pub mod correction;
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
pub use window::{
    QuitReply, SharingReply, StartOffer, WindowWord, close_game, game_number, sharing_question,
};

/// Returns whether each word of a search occurs in the texts. Case is ignored, and `color` also finds `colour`.
fn contains_words(texts: &str, search: &str) -> bool {
    let [texts, search] = [texts, search].map(|text| text.to_lowercase().replace("colour", "color"));
    search.split_whitespace().all(|word| texts.contains(word))
}

#[cfg(test)]
mod plural_tests;
