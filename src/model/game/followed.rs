//! Following a game that is played elsewhere.

use super::{Game, ReportedClocks};
use crate::ids::{FeedId, RelayId};
use shogibar_games::study::Document;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::{History, Move};
use std::sync::Arc;

impl Game {
    /// Shows the position of a relay's game. `number` counts the games of the relay. A user who is at another position
    /// stays there. Returns `false`, without a change, if another game has begun, and the record has changes of the
    /// user.
    pub(crate) fn follow(&mut self, relay: RelayId, history: &Arc<History>, number: u64) -> bool {
        let feed = FeedId::Relay(relay);
        let before = self.followed_positions.get(&feed);
        if before.is_some_and(|(followed, known)| followed == history && *known == number) {
            return true;
        }
        let is_behind = self.followed_positions.iter().any(|(other, (ahead, _))| {
            *other != feed && ahead.start() == history.start() && ahead.moves().starts_with(history.moves())
        });
        if is_behind {
            // The relay of the other engine in this game has reported later moves already.
            self.followed_positions
                .insert(feed, (Arc::clone(history), number));
            return true;
        }
        let stays = self.stays_behind();
        let record = self.document.record();
        let nodes: Vec<NodeId> = record
            .main_line()
            .filter(|node| record.node(*node).mv().is_some())
            .collect();
        let moves: Vec<Move> = nodes.iter().filter_map(|node| record.node(*node).mv()).collect();
        let known = history
            .moves()
            .iter()
            .zip(&moves)
            .take_while(|(played, known)| played == known)
            .count();
        let is_other_start = *record.start() != *history.start();
        // In an analysis, the user of the GUI goes back and forth in one game.
        let begins = before.is_none_or(|(_, known)| *known != number) && known < moves.len();
        let has_work = self.has_user_work() || self.is_unsaved();
        if has_work && (is_other_start || begins) {
            return false;
        }
        let is_new = is_other_start || begins || known < history.moves().len();
        self.was_opened = true;
        if is_other_start || begins {
            self.reported_clocks = ReportedClocks::default();
            self.own_answer = None;
        }
        self.followed_positions
            .insert(feed, (Arc::clone(history), number));
        self.edit(|document| match (is_new, has_work) {
            (true, false) => {
                let rest = history.moves().get(known..).unwrap_or_default();
                // An edit that was begun on the page, such as a comment, can be continued while moves arrive.
                if is_other_start || known < moves.len() || !document.extend_main_line(rest) {
                    replace(document, history);
                }
            }
            // The moves are no change of the user, so they cannot be undone.
            (true, true) => {
                let node = known.checked_sub(1).and_then(|last| nodes.get(last));
                let rest = history.moves().get(known..).unwrap_or_default();
                document.add_analysis_line(node.copied().unwrap_or(NodeId::START), rest);
            }
            (false, _) => {}
        });
        if !stays || begins {
            self.go_along_moves(history.moves());
        }
        true
    }

    /// Stops following a game, because the relay or source has ended.
    pub(crate) fn stop_following(&mut self, feed: FeedId) {
        if let Some((tip, _)) = self.followed_positions.remove(&feed) {
            self.former_tip = Some(tip);
        }
    }

    /// Returns whether the user has changed, opened, saved or analysed the record.
    pub(super) fn has_user_work(&self) -> bool {
        self.document.is_changed() || self.file.path().is_some() || self.analysis.is_some()
    }

    /// Returns whether a game is followed, and the user is at another position than the newest.
    pub(crate) fn stays_behind(&self) -> bool {
        !self.followed_positions.is_empty()
            && self
                .followed_positions
                .values()
                .all(|(followed, _)| *followed != self.history)
    }

    /// Opens a record from a source, at its newest position.
    pub(super) fn begin_record(&mut self, record: &Arc<Record>) {
        self.edit(|document| {
            document.open(Arc::clone(record));
            document.go_to(document.tip_ply());
        });
    }

    /// Merges a newer version of the record; `base` is the version before. Additions of the user are kept. A user who
    /// is not at the newest position stays there.
    pub(crate) fn merge_newer_record(&mut self, record: &Arc<Record>, base: Option<&Record>) {
        if !self.has_user_work() {
            return self.edit(|document| document.replace_with_newer(Arc::clone(record)));
        }
        let stays = self.stays_behind() || base.is_some_and(|base| !self.is_at_end_of(base));
        self.edit(|document| {
            let tip = document.merge_newer(record, base);
            if !stays {
                document.go(tip);
            }
        });
    }

    /// Returns whether the user is at the newest position of a record.
    fn is_at_end_of(&self, record: &Record) -> bool {
        record.start() == self.history.start() && record.moves().eq(self.history.moves().iter().copied())
    }

    /// Goes to the position after these moves, if the record has all of them.
    fn go_along_moves(&mut self, moves: &[Move]) {
        let record = self.document.record();
        let node = moves
            .iter()
            .try_fold(NodeId::START, |node, mv| record.child_by(node, *mv));
        if let Some(node) = node {
            self.edit(|document| document.go(node));
        }
    }
}

/// Replaces a record without changes of the user by the moves of a followed game.
fn replace(document: &mut Document, history: &History) {
    document.replace_with_newer(Record::from_history(history));
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_base::Lang;

    #[test]
    fn the_next_game_is_followed_although_it_begins_as_the_last_one() {
        let history = |moves: &str| Arc::new(History::from_usi(&format!("startpos moves {moves}")).unwrap());
        let mut game = Game::new(Lang::Ja);
        for moves in ["7g7f", "7g7f 3c3d", "7g7f 3c3d 2g2f"] {
            assert!(game.follow(RelayId(1), &history(moves), 1));
        }
        game.stop_following(FeedId::Relay(RelayId(1)));
        assert_eq!(game.live_mark(), None);
        for moves in ["7g7f", "7g7f 3c3d"] {
            assert!(game.follow(RelayId(2), &history(moves), 1));
            assert_eq!(*game.history(), history(moves), "{moves}");
        }
    }
}
