//! The user's choices of what viewers see of a game.

use crate::delay::Delay;
use std::fmt;

/// The maximum length of a credit, in characters.
const MAX_CREDIT_CHARS: usize = 80;

/// The line that names the organizer or the source of a game. One line of at most 80 characters, without control
/// characters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credit(String);

impl Credit {
    /// Creates a credit from a text of the user. Control characters become blanks, and the end of a long text is cut
    /// off.
    pub fn new(text: &str) -> Self {
        let line = text.trim().chars().map(|c| if is_invisible(c) { ' ' } else { c });
        Self(
            line.take(MAX_CREDIT_CHARS)
                .collect::<String>()
                .trim_end()
                .to_owned(),
        )
    }

    /// Returns the text; empty without a credit.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Credit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns whether a character may break a line or turn the direction of its text.
fn is_invisible(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The user's choices for a game on outputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OutputChoices {
    /// Whether viewers see only numbers: nothing that tells a move or the position.
    pub numbers_only: bool,
    /// The delay behind the game.
    pub delay: Delay,
    /// Whether the user is one of the players.
    pub is_own_game: bool,
    /// The credit.
    pub credit: Credit,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_credit_is_one_short_line() {
        assert_eq!(Credit::new(" 主催：\n水面杯\u{202e} ").as_str(), "主催： 水面杯");
        assert_eq!(
            Credit::new(&"名".repeat(200)).as_str().chars().count(),
            MAX_CREDIT_CHARS
        );
        assert_eq!(Credit::new("\u{7}").as_str(), "");
    }
}
