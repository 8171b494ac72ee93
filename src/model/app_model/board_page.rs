//! The board page: the position that the user studies in a game, beside the state of the game that viewers see.

use super::{AppModel, GameId, OutputId};
use shogibar_base::Lang;
use shogibar_games::study::DocumentEdit;
use shogibar_kifu::{NodeId, board_mark};
use shogibar_programme::{BoardPageContent, Delay, StudiedPosition};
use shogibar_shogi::{History, Move};
use std::sync::Arc;

impl AppModel {
    /// Returns the content of the board window: that of the board page whose address names no game.
    pub fn board_page(&self) -> BoardPageContent {
        let game = self.game_of_output(OutputId::Pages);
        BoardPageContent::new(
            &self.page_frame(game),
            self.studied_position(game).as_ref(),
            &self.output_choices(game),
            self.settings.lang,
        )
    }

    /// Sets whether the board window is open. It counts as an open page.
    pub(super) const fn set_board_window(&mut self, is_open: bool) {
        self.programme.is_board_open = is_open;
    }

    /// Returns the studied position of a game while a board page is open. Finding it takes time, and other pages do not
    /// show it.
    pub(crate) fn shown_study(&self, id: GameId) -> Option<StudiedPosition> {
        if self.programme.clients.has_boards {
            self.studied_position(id)
        } else {
            None
        }
    }

    /// Returns the position that the user has in a game, with what is drawn on it; `None` for a closed game, and for a
    /// game of the former run that is not read yet.
    pub(crate) fn studied_position(&self, id: GameId) -> Option<StudiedPosition> {
        if !self.has_game(id) || self.awaits_former_game(id) {
            return None;
        }
        let (game, game_ply) = (self.game(id), self.game_ply(id));
        let document = game.document();
        let history = game.history();
        let is_variation = history.moves().len() > game_ply;
        let comment = document.record().node(document.current()).comment();
        Some(StudiedPosition {
            history: Arc::clone(history),
            game_ply,
            live_ply: self
                .live_line(id)
                .filter(|_| self.programme.delay(id) == Delay::None)
                .map(|tip| tip.moves().len()),
            marks: comment.map(board_mark::read).unwrap_or_default(),
            share: is_variation.then(|| self.present_share(id)).flatten(),
        })
    }

    /// Goes back to the game: to its newest position while it is in progress or has just ended, or else out of the
    /// variation to the position in which it leaves the game.
    pub(super) fn return_to_game(&mut self, id: GameId) {
        let record = self.game(id).document().record();
        let ply = if self.live_line(id).is_some() || self.live_tip_beside(id).is_some() {
            usize::MAX
        } else {
            self.game_ply(id)
        };
        let line = self.game_moves(id);
        let (mut last, mut last_ply) = (NodeId::START, 0);
        while let Some(child) = line.get(last_ply).and_then(|mv| record.child_by(last, *mv)) {
            (last, last_ply) = (child, last_ply + 1);
        }
        // The current line becomes that of the game, so that the next move is the game's.
        self.edit(id, DocumentEdit::Go(last));
        self.edit(id, DocumentEdit::GoTo(ply.min(last_ply)));
        self.read_file(id);
    }

    /// Returns the moves of a game in progress elsewhere, if the user's position has the same start; `None` for another
    /// game.
    pub(super) fn live_line(&self, id: GameId) -> Option<Arc<History>> {
        let game = self.game(id);
        let (tip, _) = game.live_tip().filter(|_| !game.has_ended())?;
        (tip.start() == game.history().start()).then_some(tip)
    }

    /// Returns the moves of a game: of the one that is or was followed, or else of the main line.
    pub(crate) fn game_moves(&self, id: GameId) -> Vec<Move> {
        let game = self.game(id);
        match game.game_line() {
            Some(line) if line.start() == game.history().start() => line.moves().to_vec(),
            _ => game.document().record().moves().collect(),
        }
    }

    /// Returns the number of moves up to the user's position that are moves of the game.
    fn game_ply(&self, id: GameId) -> usize {
        let (moves, game) = (self.game(id).history().moves(), self.game_moves(id));
        let common = moves.iter().zip(&game);
        common.take_while(|(one, other)| one == other).count()
    }

    /// Returns Black's share by the present values of the user's position, from 0 to 1.
    fn present_share(&self, id: GameId) -> Option<f32> {
        let view = self.present_frame(id, self.bar_of(id)).bar.view(None, Lang::Ja);
        view.share.filter(|_| !view.is_stale)
    }
}
