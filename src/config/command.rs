//! The commands of the program: their ids, where they can be run, and their default keys.

use super::choice::choice;

/// Where a command can be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandContext {
    /// The window of the bar.
    Bar,
    /// The study page.
    Page,
    /// The bar in a terminal.
    Terminal,
    /// Every program, by a global hot key.
    Everywhere,
}

/// Defines the commands. Each has an id and, for each context in which it can be run, its default keys, written as
/// [`Shortcut`](super::Shortcut)s.
macro_rules! commands {
    ($($(#[$doc:meta])+ $command:ident = $id:literal: $($context:ident [$($key:literal),+]),+;)+) => {
        choice! {
            /// A command of the user, run by a key, a button or a menu. Settings hold its name. The order is that of
            /// the key list.
            Command { $($(#[$doc])+ $command = $id,)+ }
        }

        impl Command {
            /// Returns the default keys in a context. They are empty where the command cannot be run.
            pub const fn default_keys(self, context: CommandContext) -> &'static [&'static str] {
                match (self, context) {
                    $($((Self::$command, CommandContext::$context) => &[$($key),+],)+)+
                    _ => &[],
                }
            }
        }
    };
}

// On the page they are those of ShogiHome and ShogiGUI.
commands! {
    /// To go one move back.
    Back = "back": Bar ["Left"], Page ["Up", "Left"], Terminal ["Left"];
    /// To go one move forward.
    Forward = "forward": Bar ["Right"], Page ["Down", "Right"], Terminal ["Right"];
    /// To go ten moves back.
    TenBack = "ten_back": Bar ["PageUp"], Page ["PageUp"], Terminal ["PageUp"];
    /// To go ten moves forward.
    TenForward = "ten_forward": Bar ["PageDown"], Page ["PageDown"], Terminal ["PageDown"];
    /// To go to the start.
    First = "first": Bar ["Home"], Page ["Home"], Terminal ["Home"];
    /// To go to the end of the line.
    Last = "last": Bar ["End"], Page ["End"], Terminal ["End"];
    /// To go back to the previous branch point.
    BranchBack = "branch_back": Page ["Ctrl+Up"];
    /// To go forward to the next branch point.
    BranchForward = "branch_forward": Page ["Ctrl+Down"];
    /// To go to the previous variation.
    Above = "above": Page ["Shift+Up"];
    /// To go to the next variation.
    Below = "below": Page ["Shift+Down"];
    /// To go back to the previous mistake of the line.
    PreviousMistake = "previous_mistake": Page ["OpenBracket"];
    /// To go forward to the next mistake of the line.
    NextMistake = "next_mistake": Page ["CloseBracket"];
    /// To show the line that was better than the current mistake on the board, or no longer.
    BetterLine = "better_line": Page ["B"];
    /// To look for better moves at one's own mistakes.
    Guess = "guess": Page ["Ctrl+G"];
    /// To ask the engine for a mate.
    Mate = "mate": Page ["Ctrl+L"];
    /// To write the comment of the current move.
    Comment = "comment": Page ["Ctrl+I"];
    /// To start a new game from the even start position.
    New = "new": Page ["Ctrl+N"];
    /// To start a new game beside the others.
    AddGame = "add_game": Page ["Ctrl+Shift+N"];
    /// To close the game.
    CloseGame = "close_game": Page ["Ctrl+W"];
    /// To show the previous game.
    PreviousGame = "previous_game": Page ["Ctrl+PageUp"];
    /// To show the next game.
    NextGame = "next_game": Page ["Ctrl+PageDown"];
    /// To open a file.
    Open = "open": Bar ["O", "Ctrl+O"], Page ["Ctrl+O"];
    /// To open the address of a game that is played elsewhere.
    OpenAddress = "open_address": Bar ["U"], Page ["Ctrl+Shift+O"];
    /// To read a board off the screen and follow its game.
    ReadScreen = "read_screen": Bar ["G"], Page ["Ctrl+Shift+G"];
    /// To show the boards of all games in a window.
    Desk = "desk": Bar ["D"], Page ["Ctrl+Shift+L"];
    /// To follow replays and variations on the screen too, or the game alone.
    FollowScreen = "follow_screen": Page ["Ctrl+Shift+F"];
    /// To read the board on the screen with the other side at the bottom.
    SwapScreen = "swap_screen": Page ["Ctrl+Shift+T"];
    /// To save the record to its file.
    Save = "save": Page ["Ctrl+S"];
    /// To save the record to another file.
    SaveAs = "save_as": Page ["Ctrl+Shift+S"];
    /// To paste a record from the clipboard.
    Paste = "paste": Bar ["Ctrl+V"], Page ["Ctrl+V"];
    /// To copy the record.
    Copy = "copy": Page ["Ctrl+C"];
    /// To copy the position.
    CopyPosition = "copy_position": Page ["Ctrl+B"];
    /// To copy the board as a picture.
    CopyBoard = "copy_board": Page ["Ctrl+Shift+E"];
    /// To copy a short summary of the game.
    CopySummary = "copy_summary": Page ["Ctrl+Shift+C"];
    /// To save a report of the game.
    Report = "report": Page ["Ctrl+Shift+R"];
    /// To copy the bar as a picture.
    CopyPicture = "copy_picture": Bar ["C", "Ctrl+C"];
    /// To save the bar as a picture.
    SavePicture = "save_picture": Bar ["P"];
    /// To undo a change.
    Undo = "undo": Page ["Ctrl+Z"];
    /// To redo a change.
    Redo = "redo": Page ["Ctrl+Y", "Ctrl+Shift+Z"];
    /// To delete the current move and all that follow.
    Delete = "delete": Page ["Ctrl+D", "Delete"];
    /// To move the current variation one place up.
    Promote = "promote": Page ["Ctrl+U"];
    /// To make the current line the main line.
    MainLine = "main_line": Page ["Ctrl+Shift+U"];
    /// To replace another move of the record by the current one.
    Replace = "replace": Page ["Ctrl+Shift+D"];
    /// To edit the players' names and the handicap.
    Players = "players": Bar ["K"], Page ["Ctrl+P"];
    /// To set up a position.
    SetUp = "set_up": Page ["Ctrl+E"];
    /// To turn the board, so that White is at the bottom.
    Flip = "flip": Page ["Ctrl+T"];
    /// To show the board alone, above other windows, or the whole page again.
    Small = "small": Page ["Ctrl+M"];
    /// To pause or resume the engines.
    Pause = "pause": Bar ["Space"], Page ["Ctrl+R", "Space"], Terminal ["Space"];
    /// To analyse the game.
    Analyse = "analyse": Page ["Ctrl+A"];
    /// To analyse every game of a folder.
    AnalyseFolder = "analyse_folder": Page ["Ctrl+Shift+A"];
    /// To have the bar follow the next engine; after the last, the mean of all.
    Follow = "follow": Bar ["E"], Terminal ["E"];
    /// To hide or show the evaluation.
    Hide = "hide": Bar ["H"], Page ["H"], Terminal ["H"], Everywhere ["Ctrl+Alt+H"];
    /// To show the exact evaluation and win rates, or the calm ones again.
    Exact = "exact": Bar ["V"];
    /// To hide the bar's window, or to show it again.
    HideBar = "hide_bar": Page ["Ctrl+Shift+H"];
    /// To draw the candidates on the board, or not.
    Arrows = "arrows": Page ["Ctrl+Shift+Y"];
    /// To switch click-through of the bar.
    ClickThrough = "click_through": Bar ["T"], Everywhere ["Ctrl+Alt+T"];
    /// To switch to the next layout of the bar.
    Layout = "layout": Bar ["L"];
    /// To add a bar for another game.
    AddBar = "add_bar": Bar ["Ctrl+N"], Page ["Ctrl+Shift+B"];
    /// To close the bar. The last one stays.
    CloseBar = "close_bar": Bar ["Ctrl+W"], Page ["Ctrl+Shift+W"];
    /// To show the study page.
    Study = "study": Bar ["B"];
    /// To show the engines.
    Engines = "engines": Bar ["N"], Page ["N"];
    /// To show the settings.
    Settings = "settings": Bar ["S"], Page ["Ctrl+Comma"];
    /// To search a command and run it.
    Palette = "palette": Bar ["Ctrl+K"], Page ["Ctrl+K"];
    /// To show the list of keys.
    Keys = "keys": Page ["F1", "Questionmark"];
    /// To show the manual.
    Manual = "manual": Bar ["F1"], Page ["Shift+F1"];
    /// To end the program.
    Quit = "quit": Bar ["Q", "Ctrl+Q"], Terminal ["Q", "Ctrl+Q"];
}

impl Command {
    /// Returns the commands that can be run in a context.
    pub fn all_in(context: CommandContext) -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(move |command| !command.default_keys(context).is_empty())
    }

    /// Returns the command that has this key by default in a context.
    pub fn with_default_key(key: &str, context: CommandContext) -> Option<Self> {
        Self::ALL.iter().copied().find(|command| command.default_keys(context).contains(&key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shortcut;

    #[test]
    fn no_two_commands_have_the_same_default_key() {
        use CommandContext::{Bar, Everywhere, Page, Terminal};
        let contexts = [Bar, Page, Terminal, Everywhere];
        let each = contexts.into_iter().flat_map(|context| Command::all_in(context).map(move |one| (context, one)));
        for (context, command) in each {
            for key in command.default_keys(context) {
                let hot_key = || Shortcut::parse_hot_key(key).unwrap();
                let read = if context == Everywhere { hot_key() } else { Shortcut::parse(key) };
                assert_eq!(read.map(|read| read.to_string()).as_deref(), Some(*key), "{command:?} {context:?}");
                assert_eq!(Command::with_default_key(key, context), Some(command), "{key} {context:?}");
            }
        }
    }
}
