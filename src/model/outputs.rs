//! Outputs: the bars and the pages that viewers may be watching. What an output on air shows changes only by a command for
//! it or by its own game. No side effects.

use crate::ids::{BarId, GameId};
use shogibar_programme::{Credit, Delay, DelayLine, OutputChoices, OutputFrame, TurningCards};
use std::collections::{BTreeMap, BTreeSet};

/// An output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutputId {
    /// A bar.
    Bar(BarId),
    /// The pages whose address names no game.
    Pages,
}

/// A command of the user for an output. The choices for viewers apply to the game that the output shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OutputCommand {
    /// Lock the output to its game, or unlock it.
    Lock(bool),
    /// Show another game; without one, the next game that waits. A locked output is unlocked for it.
    Switch(Option<GameId>),
    /// Show only numbers, or everything again.
    NumbersOnly(bool),
    /// Show the game with a delay.
    Delay(Delay),
    /// The user plays this game, or does not.
    OwnGame(bool),
    /// Set the credit.
    Credit(Credit),
    /// Show the card of the last turning point again.
    TurningPoint,
}

/// The pages that are open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageClients {
    /// Whether a page without a game's number is open.
    pub has_current: bool,
    /// The games of the open pages with a number.
    pub games: BTreeSet<GameId>,
    /// Whether a page of all games is open: the desk, or the state.
    pub has_lists: bool,
    /// Whether a board page is open.
    pub has_boards: bool,
}

/// The bar without a window, which has the game of the study page while a bar is on air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Preview {
    pub(super) bar: BarId,
    /// The bar on air, in whose place the study page uses this one.
    pub(super) beside: BarId,
}

/// The state of all outputs.
#[derive(Debug, Default)]
pub(super) struct Programme {
    pub(super) locked_bars: BTreeSet<BarId>,
    pub(super) are_pages_locked: bool,
    /// The game of the pages whose address names none.
    pub(super) page_game: GameId,
    pub(super) clients: PageClients,
    /// Whether the window of the board page is open.
    pub(super) is_board_open: bool,
    /// The number of each game on the pages, from 1.
    pub(super) numbers: BTreeMap<GameId, usize>,
    /// The last number that was given. None is given again.
    pub(super) last_number: usize,
    /// The games on the pages of all games, while such a page is open; otherwise `None`: all games.
    pub(super) listed_games: Option<BTreeSet<GameId>>,
    choices: BTreeMap<GameId, OutputChoices>,
    /// The choices for games without choices of their own.
    pub(super) default_choices: OutputChoices,
    /// The command of `shogibar serve`, as the workspace has it; empty for the windows.
    pub(super) serve_command: Vec<String>,
    /// Whether every game shows only numbers.
    pub(super) all_numbers_only: bool,
    pub(super) delays: BTreeMap<GameId, DelayLine>,
    /// The last states of closed games that outputs still show.
    pub(super) closed_games: BTreeMap<GameId, OutputFrame>,
    /// What outputs show of games of the former run until those are read.
    pub(super) restored_frames: BTreeMap<GameId, OutputFrame>,
    /// The last states of running live games on air at their newest positions.
    pub(super) tip_frames: BTreeMap<GameId, OutputFrame>,
    pub(super) preview: Option<Preview>,
    /// The announcements of turning points.
    pub(super) cards: TurningCards,
}

impl Programme {
    pub(super) fn choices(&self, game: GameId) -> OutputChoices {
        let choices = self.stored_choices(game);
        OutputChoices {
            numbers_only: choices.numbers_only || self.all_numbers_only,
            ..choices.clone()
        }
    }

    /// Returns the delay of a game. It is asked for after each event.
    pub(super) fn delay(&self, game: GameId) -> Delay {
        self.stored_choices(game).delay
    }

    fn stored_choices(&self, game: GameId) -> &OutputChoices {
        self.choices.get(&game).unwrap_or(&self.default_choices)
    }

    /// Returns the user's choices for a game; `None` if the user has made none.
    pub(super) fn game_choices(&self, game: GameId) -> Option<&OutputChoices> {
        self.choices.get(&game)
    }

    pub(super) fn choices_mut(&mut self, game: GameId) -> &mut OutputChoices {
        self.choices
            .entry(game)
            .or_insert_with(|| self.default_choices.clone())
    }

    /// Gives a game the next number on the pages, unless it has one.
    pub(super) fn number_game(&mut self, game: GameId) {
        self.numbers.entry(game).or_insert_with(|| {
            self.last_number += 1;
            self.last_number
        });
    }

    pub(super) fn forget(&mut self, game: GameId) {
        self.choices.remove(&game);
        self.delays.remove(&game);
        self.closed_games.remove(&game);
        self.restored_frames.remove(&game);
        self.tip_frames.remove(&game);
    }
}
