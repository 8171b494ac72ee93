//! The words of the commands.

use super::{Lang, contains_words};
use crate::config::Command;

/// Returns the name of a command in a language.
pub const fn command_text(command: Command, lang: Lang) -> &'static str {
    let [ja, en] = command.names();
    lang.pick(ja, en)
}

phrases! {
    /// A submenu of the menu of the bar.
    pub enum Submenu {
        Games => "対局", "Games";
        Moves => "局面の移動", "Moves";
        Layout => "レイアウト", "Layout";
        Theme => "テーマ", "Theme";
        Engine => "エンジン", "Engine";
        Picture => "画像", "Picture";
    }
}

/// Returns the text of a command in the menu of the bar.
pub const fn menu_text(command: Command, lang: Lang) -> &'static str {
    let [ja, en] = command.menu_texts();
    lang.pick(ja, en)
}

/// Whether each word of a search occurs in the texts of a command, in any language, or in its id.
pub fn command_matches(command: Command, search: &str) -> bool {
    let texts = [command.names(), command.menu_texts()].concat();
    contains_words(&format!("{}\n{}", texts.join("\n"), command.name()), search)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found_by_words_of_either_language_and_by_their_ids() {
        let check = |search: &str, expect: &[Command]| {
            let found: Vec<_> =
                Command::ALL.iter().copied().filter(|command| command_matches(*command, search)).collect();
            assert_eq!(found, expect, "{search}");
        };
        check("反転", &[Command::Flip]);
        check("TURN", &[Command::Flip]);
        check("flip", &[Command::Flip]);
        check(" picture board ", &[Command::CopyBoard]);
        check("save_as", &[Command::SaveAs]);
        check("囲碁", &[]);
        check(" ", Command::ALL);
    }
}
