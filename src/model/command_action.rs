//! The actions of commands that need no window.

use super::action::AppAction;
use crate::config::Command;

/// Returns the action of a command that was run so many times at once; `None` for a command that needs a window.
pub fn command_action(command: Command, times: i32) -> Option<AppAction> {
    Some(match command {
        Command::Back => AppAction::Step(-times),
        Command::Forward => AppAction::Step(times),
        Command::TenBack => AppAction::Step(-10 * times),
        Command::TenForward => AppAction::Step(10 * times),
        Command::First => AppAction::First,
        Command::Last => AppAction::Last,
        Command::Pause => AppAction::Pause,
        Command::Follow => AppAction::Follow,
        Command::Hide => AppAction::Hide,
        Command::New => AppAction::New,
        Command::AddGame => AppAction::AddGame,
        Command::PreviousGame => AppAction::NextGame(-1),
        Command::NextGame => AppAction::NextGame(1),
        Command::ReadScreen => AppAction::ReadScreen,
        Command::Desk => AppAction::Desk,
        Command::FollowScreen => AppAction::FollowScreen,
        Command::SwapScreen => AppAction::SwapScreen,
        Command::AddBar => AppAction::AddBar,
        Command::CloseBar => AppAction::CloseBar,
        _ => return None,
    })
}
