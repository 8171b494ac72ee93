//! The clocks of a game: those of its record, those that a relay reports, or those of the last run.

use super::Game;
use shogibar_kifu::{ClockTime, NodeId};
use shogibar_shogi::{Color, History};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Debug, Default)]
pub(crate) struct ReportedClocks {
    /// The longest line of the reported positions; `None` before the first report.
    line: Option<Arc<History>>,
    /// The clocks of Black and White, by the number of moves.
    by_ply: BTreeMap<usize, [Option<ClockTime>; 2]>,
}

impl ReportedClocks {
    /// Adds a report. Earlier reports about moves that were taken back are dropped.
    pub(crate) fn add(&mut self, position: &Arc<History>, clocks: [Option<ClockTime>; 2]) {
        let ply = position.moves().len();
        match self.common_ply(position) {
            Some(common) if common == ply => {}
            Some(common) => {
                self.by_ply.retain(|ply, _| *ply <= common);
                self.line = Some(Arc::clone(position));
            }
            None => {
                *self = Self {
                    line: Some(Arc::clone(position)),
                    ..Self::default()
                }
            }
        }
        self.by_ply.insert(ply, clocks);
    }

    /// Returns the clocks at a position. A position off the line has those of its branch.
    fn at(&self, position: &History) -> [Option<ClockTime>; 2] {
        let Some(ply) = self.common_ply(position) else {
            return [None; 2];
        };
        let last = self
            .by_ply
            .range(..=ply)
            .next_back()
            .map_or([None; 2], |(_, clocks)| *clocks);
        // The clock of the side that is not to move stands still until the next report.
        let is_black_next = (position.start().side_to_move() == Color::Black) == (ply % 2 == 0);
        match (self.by_ply.get(&(ply + 1)), is_black_next) {
            (Some([_, white]), true) => [last[0], *white],
            (Some([black, _]), false) => [*black, last[1]],
            (None, _) => last,
        }
    }

    /// Returns the number of moves that a position shares with the line; `None` if it is of another game.
    fn common_ply(&self, position: &History) -> Option<usize> {
        self.line.as_ref()?.shared_ply(position)
    }
}

impl Game {
    /// Returns the clocks of Black and White at the current position: the remaining time, or the used time without a
    /// time control. The clocks of a game against an engine, and those that a relay reports, take precedence.
    pub fn clocks(&self) -> [Option<ClockTime>; 2] {
        if let Some(clocks) = self
            .played_against_engine
            .as_ref()
            .and_then(|played| played.clocks(&self.document, self.now))
        {
            return clocks.map(Some);
        }
        self.clocks_after(&self.history, self.document.last_move())
    }

    /// Returns the clocks of Black and White at a position of the record, as [`clocks`](Self::clocks) does at the current
    /// one; `None` for a position that is not in the record.
    pub(crate) fn clocks_at(&self, position: &History) -> [Option<ClockTime>; 2] {
        self.node_at(position)
            .map_or([None; 2], |node| self.clocks_after(position, node))
    }

    /// Returns the clocks at a position, which `node` leads to.
    fn clocks_after(&self, position: &History, node: NodeId) -> [Option<ClockTime>; 2] {
        let reported = self.reported_clocks.at(position);
        if reported == [None; 2] {
            self.document.record().clocks(node)
        } else {
            reported
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{RelayId, SourceId};
    use shogibar_base::Lang;
    use shogibar_kifu::Millis;
    use shogibar_live::{LiveAddress, LiveGame};

    fn position(moves: &str) -> Arc<History> {
        Arc::new(History::from_usi(&format!("startpos moves {moves}")).unwrap())
    }

    /// Adds a report of the clocks, in milliseconds.
    fn add(clocks: &mut ReportedClocks, moves: &str, remaining: [u64; 2]) {
        clocks.add(
            &position(moves),
            remaining.map(|remaining| Some(ClockTime::Remaining(Millis(remaining)))),
        );
    }

    /// Returns the clocks at a position, in milliseconds.
    fn at(clocks: &ReportedClocks, moves: &str) -> [Option<u64>; 2] {
        clocks.at(&position(moves)).map(|clock| match clock? {
            ClockTime::Remaining(time) | ClockTime::Used(time) => Some(time.0),
        })
    }

    #[test]
    fn reported_clocks_stay_with_their_positions() {
        let mut clocks = ReportedClocks::default();
        assert_eq!(at(&clocks, "7g7f"), [None; 2]);
        // An engine that plays White.
        add(&mut clocks, "7g7f", [90, 100]);
        assert_eq!(at(&clocks, "7g7f"), [Some(90), Some(100)]);
        assert_eq!(
            at(&clocks, "7g7f 3c3d"),
            [Some(90), Some(100)],
            "the newest report"
        );
        add(&mut clocks, "7g7f 3c3d 2g2f", [70, 80]);
        assert_eq!(at(&clocks, "7g7f 3c3d 2g2f"), [Some(70), Some(80)]);
        assert_eq!(
            at(&clocks, "7g7f 3c3d"),
            [Some(90), Some(80)],
            "White's clock stands at its next turn's"
        );
        assert_eq!(at(&clocks, "7g7f"), [Some(90), Some(100)], "a step back");
        assert_eq!(
            at(&clocks, "7g7f 8c8d"),
            [Some(90), Some(100)],
            "a variation has the clocks of its branch"
        );
        // An earlier report comes once more, after the newest one.
        add(&mut clocks, "7g7f", [90, 100]);
        assert_eq!(at(&clocks, "7g7f 3c3d 2g2f"), [Some(70), Some(80)]);
        // A move is taken back, and another one is made.
        add(&mut clocks, "7g7f 3c3d 6g6f", [60, 75]);
        assert_eq!(at(&clocks, "7g7f 3c3d 2g2f"), [Some(90), Some(75)]);
        assert_eq!(at(&clocks, "7g7f 3c3d 6g6f 8c8d"), [Some(60), Some(75)]);
    }

    /// Returns the clocks after 3, 1 and 0 moves.
    fn clocks(game: &mut Game) -> [[Option<ClockTime>; 2]; 3] {
        [3, 1, 0].map(|ply| {
            game.go_to(ply);
            game.clocks()
        })
    }

    /// Returns the remaining times of both sides, in seconds.
    fn remaining(seconds: [u64; 2]) -> [Option<ClockTime>; 2] {
        seconds.map(|seconds| Some(ClockTime::Remaining(Millis(seconds * 1000))))
    }

    #[test]
    fn the_clocks_are_the_same_wherever_the_game_comes_from() {
        let text = "V2.2\n$TIME_LIMIT:00:05+30\nPI\n+\n+7776FU,T10\n-3334FU,T20\n+2726FU,T300\n";
        let record = Arc::new(
            shogibar_kifu::read(text.as_bytes())
                .unwrap()
                .into_first()
                .unwrap()
                .0,
        );
        let expect = [remaining([30, 280]), remaining([290, 300]), remaining([300, 300])];
        let mut game = Game::new(Lang::Ja);
        game.open(Arc::clone(&record));
        assert_eq!(clocks(&mut game), expect, "a file");
        let parsed = [
            "/tmp/a.csa",
            "https://example.com/a.csa",
            "csa://me@example.com/x",
        ]
        .map(LiveAddress::parse);
        for address in parsed
            .into_iter()
            .map(Result::unwrap)
            .chain([LiveAddress::Clipboard])
        {
            let mut game = Game::new(Lang::Ja);
            game.set_source(SourceId(1), &address);
            game.apply_live_game(LiveGame::from_record("x".to_owned(), Arc::clone(&record)));
            assert_eq!(clocks(&mut game), expect, "{address}");
            game.take_source();
            assert_eq!(clocks(&mut game), expect, "{address}, no longer followed");
        }
    }

    #[test]
    fn the_clocks_of_a_relay_are_those_of_its_newest_game() {
        let mut game = Game::new(Lang::Ja);
        let go = |game: &mut Game, moves: &str, number: u64, seconds: [u64; 2]| {
            assert!(game.follow(RelayId(1), &position(moves), number));
            game.reported_clocks.add(
                &position(moves),
                seconds.map(|seconds| Some(ClockTime::Remaining(Millis(seconds * 1000)))),
            );
        };
        go(&mut game, "7g7f", 1, [290, 300]);
        go(&mut game, "7g7f 3c3d 2g2f", 1, [270, 280]);
        assert_eq!(
            clocks(&mut game),
            [
                remaining([270, 280]),
                remaining([290, 300]),
                [None, remaining([290, 300])[1]]
            ]
        );
        go(&mut game, "7g7f", 2, [590, 600]);
        assert_eq!(
            clocks(&mut game),
            [
                remaining([590, 600]),
                remaining([590, 600]),
                [None, remaining([590, 600])[1]]
            ]
        );
    }
}
