//! The closed list of states that an output may state.

use shogibar_base::Lang;
use shogibar_games::Label;

/// A state of a game or its engine, as viewers read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputState {
    /// The engine reads the position, and has no value yet.
    Reading,
    /// The engine has stopped, and is started again.
    EngineStopped,
    /// The user plays this game, so nothing is evaluated.
    OwnGame,
    /// The position is an earlier one of the game, by the user's choice.
    Delayed,
    /// The game was closed. The output keeps its last state.
    Ended,
}

impl OutputState {
    /// All states.
    pub const ALL: [Self; 5] = [
        Self::Reading,
        Self::EngineStopped,
        Self::OwnGame,
        Self::Delayed,
        Self::Ended,
    ];

    /// Returns the sentence or word for viewers.
    pub const fn text(self, lang: Lang) -> &'static str {
        let label = match self {
            Self::Reading => Label::Reading,
            Self::EngineStopped => Label::EngineStopped,
            Self::OwnGame => Label::OwnGame,
            Self::Delayed => Label::Delayed,
            Self::Ended => Label::Ended,
        };
        label.text(lang)
    }
}
