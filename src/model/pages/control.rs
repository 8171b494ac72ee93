//! The commands of the control address of the OBS pages, for Stream Deck buttons and scripts. The list of commands is
//! fixed.

use crate::outputs::OutputCommand;
use shogibar_base::visible::short;
use shogibar_config::Layout;
use std::collections::VecDeque;
use std::fmt;

/// The maximum number of requests that [`ControlLog`] lists.
const MAX_LISTED_REQUESTS: usize = 10;

/// A request to the control address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ControlRequest {
    /// The command.
    pub command: ControlCommand,
    /// The number of the game on the OBS pages, from 1. `None`: all bars, or the bar of the study page for a command
    /// that needs one bar.
    pub game: Option<usize>,
}

/// A command of the control address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControlCommand {
    /// Hide the evaluation. Sent again, the command does not show it.
    Hide,
    /// Show the evaluation.
    Show,
    /// Choose a layout of the bar.
    Layout(Layout),
    /// Choose a theme, by its name.
    Theme(String),
    /// Show the next game on the bar.
    NextGame,
    /// Go to the newest move, and follow the game from it.
    Follow,
    /// Leave a variation: go back to the game.
    BackToGame,
    /// A command for outputs: those of the game, or all.
    Output(OutputCommand),
}

impl ControlRequest {
    /// Reads the last part of an address, such as `layout=bar`, and its query. Returns `None` for an unknown command or
    /// query. Whether a theme exists is not checked.
    pub fn parse(word: &str, query: &str) -> Option<Self> {
        let mut pairs = form_urlencoded::parse(word.as_bytes());
        let ((key, value), None) = (pairs.next()?, pairs.next()) else {
            return None;
        };
        let has_value = word.contains('=');
        let command = match (&*key, has_value) {
            ("hide", false) => ControlCommand::Hide,
            ("show", false) => ControlCommand::Show,
            ("next_game", false) => ControlCommand::NextGame,
            ("follow", false) => ControlCommand::Follow,
            ("back_to_game", false) => ControlCommand::BackToGame,
            ("lock", false) => ControlCommand::Output(OutputCommand::Lock(true)),
            ("unlock", false) => ControlCommand::Output(OutputCommand::Lock(false)),
            ("switch", false) => ControlCommand::Output(OutputCommand::Switch(None)),
            ("turning_point", false) => ControlCommand::Output(OutputCommand::TurningPoint),
            ("numbers_only", true) => ControlCommand::Output(OutputCommand::NumbersOnly(is_on(&value)?)),
            ("own_game", true) => ControlCommand::Output(OutputCommand::OwnGame(is_on(&value)?)),
            ("delay", true) => ControlCommand::Output(OutputCommand::Delay(value.parse().ok()?)),
            ("layout", true) => ControlCommand::Layout(Layout::from_name(&value)?),
            ("theme", true) if !value.is_empty() => ControlCommand::Theme(value.into_owned()),
            _ => return None,
        };
        let mut game = None;
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            if key != "game" || game.is_some() {
                return None;
            }
            game = Some(value.parse().ok().filter(|number| *number > 0)?);
        }
        // Layout and theme apply to all bars.
        let is_of_all = matches!(command, ControlCommand::Layout(_) | ControlCommand::Theme(_));
        if is_of_all && game.is_some() {
            return None;
        }
        Some(Self { command, game })
    }
}

impl fmt::Display for ControlRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.command {
            ControlCommand::Hide => f.write_str("hide")?,
            ControlCommand::Show => f.write_str("show")?,
            ControlCommand::Layout(layout) => write!(f, "layout={}", layout.name())?,
            ControlCommand::Theme(theme) => write!(f, "theme={}", short(theme))?,
            ControlCommand::NextGame => f.write_str("next_game")?,
            ControlCommand::Follow => f.write_str("follow")?,
            ControlCommand::BackToGame => f.write_str("back_to_game")?,
            ControlCommand::Output(command) => match command {
                OutputCommand::Lock(is_locked) => f.write_str(if *is_locked { "lock" } else { "unlock" })?,
                OutputCommand::Switch(_) => f.write_str("switch")?,
                OutputCommand::TurningPoint => f.write_str("turning_point")?,
                OutputCommand::NumbersOnly(is_on) => write!(f, "numbers_only={}", u8::from(*is_on))?,
                OutputCommand::OwnGame(is_own) => write!(f, "own_game={}", u8::from(*is_own))?,
                OutputCommand::Delay(delay) => write!(f, "delay={delay}")?,
                // No word of the address has a free text.
                OutputCommand::Credit(_) => {}
            },
        }
        self.game.map_or(Ok(()), |game| write!(f, "?game={game}"))
    }
}

/// Reads a switch: `1` or `0`.
fn is_on(value: &str) -> Option<bool> {
    [("1", true), ("0", false)]
        .into_iter()
        .find_map(|(word, is_on)| (value == word).then_some(is_on))
}

/// The last requests to the control address, and the requested layouts and themes that are not applied yet.
#[derive(Debug, Default)]
pub struct ControlLog {
    last_requests: VecDeque<String>,
    style_commands: Vec<ControlCommand>,
}

impl ControlLog {
    /// Records a request.
    pub fn record(&mut self, request: &ControlRequest) {
        if let ControlCommand::Layout(_) | ControlCommand::Theme(_) = request.command {
            self.style_commands.push(request.command.clone());
        }
        self.last_requests.truncate(MAX_LISTED_REQUESTS - 1);
        self.last_requests.push_front(request.to_string());
    }

    /// Returns the last requests, the newest first.
    pub fn last(&self) -> impl Iterator<Item = &str> {
        self.last_requests.iter().map(String::as_str)
    }

    /// Removes and returns the requested layouts and themes.
    pub fn take_style_commands(&mut self) -> Vec<ControlCommand> {
        std::mem::take(&mut self.style_commands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_programme::Delay;

    #[test]
    fn only_the_fixed_list_is_read() {
        let check = |word: &str, query: &str, expect: Option<(ControlCommand, Option<usize>)>| {
            let expect = expect.map(|(command, game)| ControlRequest { command, game });
            assert_eq!(ControlRequest::parse(word, query), expect, "{word}?{query}");
        };
        check("hide", "", Some((ControlCommand::Hide, None)));
        check("show", "game=2", Some((ControlCommand::Show, Some(2))));
        check(
            "layout=bar",
            "",
            Some((ControlCommand::Layout(Layout::Bar), None)),
        );
        check(
            "theme=%E5%A4%9C",
            "",
            Some((ControlCommand::Theme("夜".to_owned()), None)),
        );
        check("next_game", "", Some((ControlCommand::NextGame, None)));
        check(
            "turning_point",
            "game=2",
            Some((ControlCommand::Output(OutputCommand::TurningPoint), Some(2))),
        );
        check("back_to_game", "", Some((ControlCommand::BackToGame, None)));
        check("follow", "game=1", Some((ControlCommand::Follow, Some(1))));
        let output = |command| Some((ControlCommand::Output(command), None));
        check("lock", "", output(OutputCommand::Lock(true)));
        check("unlock", "", output(OutputCommand::Lock(false)));
        check("switch", "", output(OutputCommand::Switch(None)));
        check("numbers_only=1", "", output(OutputCommand::NumbersOnly(true)));
        check("own_game=0", "", output(OutputCommand::OwnGame(false)));
        check("delay=30s", "", output(OutputCommand::Delay(Delay::Seconds(30))));
        for (word, query) in [
            ("", ""),
            ("hide=", ""),
            ("hide=1", ""),
            ("hide&show", ""),
            ("HIDE", ""),
            ("layout", ""),
            ("layout=round", ""),
            ("layout=bar&theme=ink", ""),
            ("theme=", ""),
            ("quit", ""),
            ("hide", "game=0"),
            ("hide", "game=-1"),
            ("hide", "game=1&game=2"),
            ("hide", "x=1"),
            ("hide/", ""),
            ("layout=bar", "game=1"),
            ("lock=1", ""),
            ("numbers_only", ""),
            ("numbers_only=yes", ""),
            ("delay=", ""),
            ("delay=soon", ""),
        ] {
            check(word, query, None);
        }
    }
}
