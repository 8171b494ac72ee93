//! The contents of the desk and its tiles, as JSON for its page.

use super::state::{GameState, SwingState};
use crate::pages_text::DeskWord;
use serde::Serialize;
use shogibar_base::Lang;
use shogibar_games::bar::{BarView, LiveMark};
use shogibar_games::phrase;
use shogibar_shogi::Color;
use std::collections::BTreeMap;

/// The contents of the desk, as JSON.
#[derive(Debug, Serialize)]
pub(super) struct DeskObject<'a> {
    version: &'a str,
    lang: &'static str,
    /// The texts of the script of the page, by their names in it.
    #[serde(rename = "words")]
    texts: BTreeMap<&'static str, &'static str>,
    games: Vec<DeskTile<'a>>,
    swings: Vec<SwingState<'a>>,
    /// The number of the game that the study page shows.
    current: Option<usize>,
}

impl<'a> DeskObject<'a> {
    pub(super) fn new(
        games: Vec<DeskTile<'a>>,
        swings: Vec<SwingState<'a>>,
        current: Option<usize>,
        version: &'a str,
        lang: Lang,
    ) -> Self {
        let texts = DeskWord::SCRIPT_TEXTS.map(|(name, word)| (name, word.text(lang)));
        Self {
            version,
            lang: lang.pick("ja", "en"),
            texts: texts.into(),
            games,
            swings,
            current,
        }
    }
}

/// A game on the desk, as JSON. Arrays of two are for Black and White.
#[derive(Debug, Serialize)]
pub(super) struct DeskTile<'a> {
    game: usize,
    over: bool,
    names: [&'a str; 2],
    roles: [&'a str; 2],
    percents: [Option<u8>; 2],
    /// The words in place of the percentages: `勝ち`.
    labels: [&'a str; 2],
    clocks: [String; 2],
    /// The label of the clocks: `残り`.
    clock_label: &'static str,
    /// 0 for Black, 1 for White; `None` when the game is over.
    to_move: Option<u8>,
    /// The number of the last move in words: `74手目`.
    move_number: &'a str,
    /// The last move in words.
    last: &'a str,
    last_move: Option<&'a str>,
    loss: Option<u8>,
    /// The best move in words; empty if it is unknown.
    best: &'a str,
    share: Option<f32>,
    stale: bool,
    /// The sentence about a decided game, in place of the bar.
    sentence: Option<&'a str>,
    /// The side whose colour is behind the sentence: 0 for Black, 1 for White.
    winner: Option<u8>,
    /// The live mark in words, and whether the position is the newest; `None` for a game that is not live.
    live: Option<(String, bool)>,
    /// The position; `None` where only numbers are shown.
    sfen: Option<&'a str>,
    /// Black's win rates, by ply from 0.
    history: &'a [Option<f64>],
    /// Black's win rates by background searches, for plies without a value in `history`.
    filled: &'a [Option<f64>],
}

impl<'a> DeskTile<'a> {
    pub(super) fn new(
        game: usize,
        is_over: bool,
        state: &'a GameState,
        view: &'a BarView,
        lang: Lang,
    ) -> Self {
        let sides = [&view.black, &view.white];
        let winner = view.decided_win.as_ref().and_then(|decided| decided.winner);
        let label = |side| {
            view.decided_win
                .as_ref()
                .filter(|decided| decided.winner == Some(side))
                .map_or("", |decided| decided.label.as_str())
        };
        let engine = view.lead();
        Self {
            game,
            over: is_over,
            names: sides.map(|side| side.name.as_str()),
            roles: sides.map(|side| side.role.as_str()),
            percents: sides.map(|side| side.percent),
            labels: [Color::Black, Color::White].map(label),
            clocks: sides.map(|side| side.clock.map(phrase::clock_time).unwrap_or_default()),
            clock_label: sides
                .iter()
                .find_map(|side| side.clock)
                .map_or("", |clock| phrase::clock_label(clock).text(lang)),
            to_move: view.to_move.map(side_index),
            move_number: view.position_text[0].trim_end_matches([' ', ':']),
            last: &view.position_text[1],
            last_move: state.last_move.as_deref(),
            loss: view.last_loss,
            best: match engine.candidates.first() {
                Some(best) if !engine.is_elsewhere => best.word.as_str(),
                _ => "",
            },
            share: view.share,
            stale: view.is_stale,
            // Notices are left out: they are for the user, and not for viewers.
            sentence: view.decided_win.as_ref().map(|decided| decided.text.as_str()),
            winner: winner.map(side_index),
            live: view
                .live_mark
                .map(|mark| (mark.text(lang), mark == LiveMark::Live)),
            sfen: state.sfen.as_deref(),
            history: &state.history,
            filled: &state.filled,
        }
    }
}

/// Returns 0 for Black, and 1 for White.
const fn side_index(side: Color) -> u8 {
    match side {
        Color::Black => 0,
        Color::White => 1,
    }
}
