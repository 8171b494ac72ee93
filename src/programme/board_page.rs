//! The content of the board page: the position that viewers see on a large board, and the variation that the user shows.

use crate::choices::OutputChoices;
use crate::frame::OutputFrame;
use shogibar_base::Lang;
use shogibar_games::bar::BarView;
use shogibar_kifu::board_mark::BoardMark;
use shogibar_shogi::History;
use std::sync::Arc;

/// The position of a game that its user has on the study page, with what is drawn on it.
#[derive(Clone, Debug, PartialEq)]
pub struct StudiedPosition {
    /// The moves up to the position.
    pub history: Arc<History>,
    /// The number of these moves that are moves of the game. The moves after them are a variation.
    pub game_ply: usize,
    /// The number of moves of a game in progress; `None` for a record, for a game that has ended, and for a game with a
    /// delay, whose newest move viewers do not know.
    pub live_ply: Option<usize>,
    /// The arrows and circles that the user has drawn on the position.
    pub marks: Vec<BoardMark>,
    /// Black's share in the position, from 0 to 1; `None` where none is known.
    pub share: Option<f32>,
}

/// The content of the board page at one moment, in one language.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardPageContent {
    /// The bar of the game. Its values, clocks and words always belong to the game, and never to a variation.
    pub bar: BarView,
    /// The moves up to the position on the board; `None` where only numbers are shown.
    pub history: Option<Arc<History>>,
    /// The arrows and circles on the board.
    pub marks: Vec<BoardMark>,
    /// What is said of a position that is not the game's; `None` while the board shows the game.
    pub aside: Option<ShownAside>,
}

/// A position that the board shows instead of the game's, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownAside {
    /// The tab on the frame of the board: `変化 +3`, or `60手目` for an earlier position of the game.
    pub tab: String,
    /// The chip: `検討中 +3`.
    pub chip: String,
    /// The position of the game meanwhile: `本譜は82手目で待っています`.
    pub waiting: String,
    /// The last move of the game before the variation: `本譜 82手目　△9五銀`.
    pub root: String,
    /// The moves of the variation: `▲同　歩`. Empty for an earlier position of the game.
    pub moves: Vec<String>,
    /// The win rate of the side that is ahead in the variation: `先手 56%`. Empty where none is shown.
    pub rate: String,
}

impl BoardPageContent {
    /// Creates the content for the position of the game that viewers see.
    pub fn of_game(frame: &OutputFrame, choices: &OutputChoices, marks: Vec<BoardMark>, lang: Lang) -> Self {
        Self {
            bar: frame.view(choices, lang),
            history: (!choices.numbers_only).then(|| Arc::clone(&frame.bar.history)),
            marks,
            aside: None,
        }
    }

    /// Creates the content by the state of the game that viewers may see, and the position that the user studies. That
    /// position is left out if it has a move of the game that viewers do not see yet, if the user plays the game, and
    /// where only numbers are shown.
    pub fn new(
        frame: &OutputFrame,
        studied: Option<&StudiedPosition>,
        choices: &OutputChoices,
        lang: Lang,
    ) -> Self {
        let studied = studied.filter(|studied| {
            !choices.numbers_only && !choices.is_own_game && studied.has_only_shown_moves(frame)
        });
        let Some(studied) = studied else {
            return Self::of_game(frame, choices, Vec::new(), lang);
        };
        if studied.is_shown_by(frame) && !studied.is_variation() && !studied.is_earlier() {
            return Self::of_game(frame, choices, studied.marks.clone(), lang);
        }
        // The outputs of a record follow its user into a variation. The bar of the board page stays on the game.
        let bar = if studied.is_shown_by(frame) && studied.is_variation() {
            let mut of_game = frame.earlier(studied.game_ply);
            // The moves of a variation take no time.
            of_game.bar.clocks = frame.bar.clocks;
            of_game.view(choices, lang)
        } else {
            frame.view(choices, lang)
        };
        let share = studied.share.filter(|_| !bar.is_hidden && studied.is_variation());
        Self {
            history: Some(Arc::clone(&studied.history)),
            marks: studied.marks.clone(),
            aside: Some(studied.aside(frame, share, lang)),
            bar,
        }
    }
}

impl StudiedPosition {
    /// Returns whether the position has moves that are not of the game.
    pub(crate) fn is_variation(&self) -> bool {
        self.ply() > self.game_ply
    }

    /// Returns whether the position is an earlier one of a game in progress.
    fn is_earlier(&self) -> bool {
        self.live_ply.is_some_and(|live| self.ply() < live)
    }

    /// Returns whether the outputs of the game show this position, too.
    pub(crate) fn is_shown_by(&self, frame: &OutputFrame) -> bool {
        self.history == frame.bar.history
    }

    /// Returns the number of moves up to the position.
    pub(crate) fn ply(&self) -> usize {
        self.history.moves().len()
    }

    /// Returns whether viewers know all moves of the game up to the position.
    fn has_only_shown_moves(&self, frame: &OutputFrame) -> bool {
        let shared = frame.bar.history.shared_ply(&self.history);
        shared.is_some_and(|ply| ply >= self.game_ply)
    }
}

#[cfg(test)]
mod tests;
