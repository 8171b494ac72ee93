//! Commands to engines.

use super::tokens::Tokens;
use std::fmt;

/// One command line for an engine. `Display` writes the line without a line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsiCommand<'a> {
    /// `usi`: asks for the engine's name and options.
    Usi,
    /// `isready`: asks the engine to load everything.
    IsReady,
    /// `setoption`, with its arguments; [`OptionSpec::setoption`](super::OptionSpec::setoption) writes whole lines.
    SetOption(&'a str),
    /// `usinewgame`: the next searches belong to another game.
    NewGame,
    /// `position`, with the text that [`History::usi`](shogibar_shogi::History::usi) writes.
    Position(&'a str),
    /// `go`, with its limits: `infinite`, `movetime 1000`, `mate 5000`.
    Go(&'a str),
    /// `stop`: asks for an answer at once.
    Stop,
    /// `ponderhit`: the expected move was played. Some hosts send the clocks only now.
    PonderHit(&'a str),
    /// `gameover`, with `win`, `lose` or `draw`.
    GameOver(&'a str),
    /// `quit`: ends the engine.
    Quit,
    /// Any other line, blank lines included.
    Other(&'a str),
}

impl<'a> UsiCommand<'a> {
    /// Parses a command line. Never fails.
    pub fn parse(line: &'a str) -> Self {
        let mut words = Tokens::new(line);
        match words.next() {
            Some("usi") => Self::Usi,
            Some("isready") => Self::IsReady,
            Some("setoption") => Self::SetOption(words.remaining()),
            Some("usinewgame") => Self::NewGame,
            Some("position") => Self::Position(words.remaining()),
            Some("go") => Self::Go(words.remaining()),
            Some("stop") => Self::Stop,
            Some("ponderhit") => Self::PonderHit(words.remaining()),
            Some("gameover") => Self::GameOver(words.remaining()),
            Some("quit") => Self::Quit,
            _ => Self::Other(line.trim_ascii()),
        }
    }
}

impl fmt::Display for UsiCommand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, rest) = match self {
            Self::Usi => ("usi", ""),
            Self::IsReady => ("isready", ""),
            Self::SetOption(rest) => ("setoption", *rest),
            Self::NewGame => ("usinewgame", ""),
            Self::Position(rest) => ("position", *rest),
            Self::Go(rest) => ("go", *rest),
            Self::Stop => ("stop", ""),
            Self::PonderHit(rest) => ("ponderhit", *rest),
            Self::GameOver(rest) => ("gameover", *rest),
            Self::Quit => ("quit", ""),
            Self::Other(line) => (*line, ""),
        };
        if rest.is_empty() {
            f.write_str(word)
        } else {
            write!(f, "{word} {rest}")
        }
    }
}
