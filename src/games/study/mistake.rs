//! The mistakes of a game, with the better moves.

use super::{Document, RecordInsight};
use crate::analysis::{AssessedMove, ForcedMate, MoveMark, is_error};
use shogibar_facts::EaseLevel;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::{Color, Move};

/// A marked move, or one that missed or allowed a mate, with the judge's lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The node that the move leads to.
    pub node: NodeId,
    /// The node before the move.
    pub node_before: NodeId,
    /// The number of the move in its line, from 1.
    pub ply: u16,
    /// The side that moved.
    pub side: Color,
    /// The move that was played.
    pub mv: Move,
    /// The mark; `None` for a missed or allowed mate with a small loss.
    pub mark: Option<MoveMark>,
    /// The judge's line instead of the move, which begins with the better move; empty where it is not known.
    pub better_line: Vec<Move>,
    /// The judge's line after the move; empty where it is not known.
    pub punish_line: Vec<Move>,
    /// The mate that the move missed; `None` without one.
    pub missed_mate: Option<ForcedMate>,
    /// The mate that the move allowed; `None` without one.
    pub allowed_mate: Option<ForcedMate>,
    /// The mates at the end of the better line and of the line after the move.
    pub line_mates: LineMates,
    /// The loss in tenths of a percentage point, rounded.
    pub loss_tenths: u16,
    /// The win rates of the side in whole percent: after the better move, and after the move played.
    pub rates: [u8; 2],
    /// The difficulty of finding the better move; `None` where it is not known.
    pub ease: Option<EaseLevel>,
}

/// The mates at the end of the two lines of a mistake.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineMates {
    /// The mate by the side that moved, in the better line; `None` without one.
    pub better_mate: Option<ForcedMate>,
    /// The mate by the other side, in the line after the move; `None` without one.
    pub punish_mate: Option<ForcedMate>,
}

impl Mistake {
    /// Returns the difficulty by which mistakes are sorted: the easiest come first. Unknown counts as medium.
    pub fn ease_order(&self) -> EaseLevel {
        self.ease.unwrap_or(EaseLevel::Medium)
    }

    /// Returns the loss in percentage points: the difference of the rounded win rates.
    pub const fn loss(&self) -> u8 {
        let [best, played] = self.rates;
        best.saturating_sub(played)
    }

    /// Returns the loss as displayed: in whole points, or in tenths if it is below one point.
    pub fn loss_text(&self) -> String {
        match self.loss() {
            0 => format!("{:.1}", f64::from(self.loss_tenths) / 10.0),
            whole => whole.to_string(),
        }
    }

    /// Returns whether the move is an error to learn from: a doubtful move or worse, or one that missed or allowed a
    /// mate.
    pub fn is_error(&self) -> bool {
        is_error(self.mark, [self.missed_mate, self.allowed_mate])
    }

    /// Returns whether a record has the whole line after a node.
    pub fn has_line(record: &Record, after: NodeId, line: &[Move]) -> bool {
        let mut node = Some(after);
        line.iter().all(|mv| {
            node = node.and_then(|at| record.child_by(at, *mv));
            node.is_some()
        })
    }
}

impl RecordInsight {
    /// Returns the mistake of the move that leads to a node; `None` if the move is neither marked nor
    /// has missed or allowed a mate.
    pub fn mistake(&self, record: &Record, node: NodeId) -> Option<Mistake> {
        let assessed = self.assessed(node)?;
        if assessed.mark.is_none() && !assessed.is_error() {
            return None;
        }
        let [before, after] = self.review().compared_values(node)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a loss is from 0 to 100 points"
        )]
        let loss_tenths = (assessed.loss * 10.0).round() as u16;
        Some(Mistake {
            node,
            node_before: record.parent(node)?,
            ply: assessed.ply,
            side: assessed.side,
            mv: assessed.mv,
            mark: assessed.mark,
            better_line: before.line.clone(),
            punish_line: after.line.clone(),
            missed_mate: assessed.missed_mate,
            allowed_mate: assessed.allowed_mate,
            line_mates: LineMates {
                better_mate: ForcedMate::from_value(before.value, assessed.side),
                punish_mate: ForcedMate::from_value(after.value, assessed.side.flip()),
            },
            loss_tenths,
            rates: [before, after].map(|value| value.percent_of(assessed.side)),
            ease: self
                .review()
                .reason(node)
                .and_then(|reason| reason.ease)
                .map(|ease| ease.level),
        })
    }

    /// Returns the win rate of a side in the position at a node by the judge, in whole percent; `None` without a value.
    pub fn rate(&self, node: NodeId, side: Color) -> Option<u8> {
        self.review()
            .position_value(node)
            .map(|value| value.percent_of(side))
    }

    /// Returns the [errors](AssessedMove::is_error) of the main line, in order.
    pub fn mistakes<'a>(&'a self, document: &'a Document) -> impl Iterator<Item = NodeId> + 'a {
        document.record().main_line().filter(|node| self.is_listed(*node))
    }

    /// Returns the next (`forward`) or previous mistake of the current line, seen from the current node. After the last
    /// mistake of a variation, the mistakes of the game follow. Returns `None` without such a mistake.
    pub fn next_mistake(&self, document: &Document, forward: bool) -> Option<NodeId> {
        let line = document.line();
        let (before, after) = line.split_at_checked(document.ply())?;
        let mut before = before.iter().rev().skip(1).copied();
        if !forward {
            return before.find(|node| self.is_listed(*node));
        }
        let rest = document.record().main_line().skip(document.shared_node_count());
        after
            .iter()
            .copied()
            .chain(rest)
            .find(|node| self.is_listed(*node))
    }

    /// Returns whether the move that leads to a node is an error.
    fn is_listed(&self, node: NodeId) -> bool {
        self.assessed(node).is_some_and(AssessedMove::is_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "手数----指手---------消費時間--\n**評価値=0\n1 ７六歩(77)\n**評価値=100\n**読み筋=△8四歩▲2六歩\n\
        2 ３四歩(33)\n**評価値=900\n3 ２六歩(27)\n**評価値=-100\n4 ４四歩(43)\n**評価値=-90\n";

    fn read() -> (Document, RecordInsight) {
        let document = Document::new(shogibar_kifu::read(GAME.as_bytes()).unwrap().games.remove(0));
        let mut insight = RecordInsight::default();
        assert!(insight.update(&document));
        (document, insight)
    }

    #[test]
    fn mistakes_are_found_from_any_position() {
        let (mut document, insight) = read();
        let plies = |document: &Document| {
            [false, true].map(|forward| {
                let node = insight.next_mistake(document, forward)?;
                document
                    .line()
                    .iter()
                    .position(|other| *other == node)
                    .map(|at| at + 1)
            })
        };
        let mut check = |ply, expect: [Option<usize>; 2]| {
            document.go_to(ply);
            assert_eq!(plies(&document), expect, "{ply}");
        };
        check(0, [None, Some(2)]);
        check(1, [None, Some(2)]);
        check(2, [None, Some(3)]);
        check(3, [Some(2), None]);
        check(4, [Some(3), None]);
        assert_eq!(
            insight.mistakes(&document).count(),
            2,
            "the last one cost only a little"
        );
    }

    #[test]
    fn a_variation_does_not_hide_the_mistakes_of_the_game() {
        let (mut document, mut insight) = read();
        let [_, second, third, _] = document.line() else {
            panic!("four moves")
        };
        let (second, third) = (*second, *third);
        document.go_to(1);
        assert_eq!(document.play(Move::from_usi("8c8d").unwrap()), Ok(()));
        for ply in [1, 2] {
            document.go_to(ply);
            assert!(insight.update(&document));
            assert_eq!(insight.mistakes(&document).collect::<Vec<_>>(), [second, third]);
            assert_eq!(insight.next_mistake(&document, true), Some(second), "from {ply}");
            let counts =
                [Color::Black, Color::White].map(|side| insight.count_marks(side, MoveMark::Mistake));
            assert!(
                counts.iter().sum::<usize>() > 0,
                "the summary is that of the game: {counts:?}"
            );
        }
    }

    #[test]
    fn loss_is_the_difference_of_the_rates_shown() {
        let (document, insight) = read();
        let record = document.record();
        let mistake = insight.mistake(record, document.line()[2]).unwrap();
        assert_eq!(
            (mistake.side, mistake.ply, mistake.rates),
            (Color::Black, 3, [82, 46])
        );
        assert_eq!((mistake.loss(), mistake.better_line.len()), (36, 0));
        let mistake = insight.mistake(record, document.line()[1]).unwrap();
        assert_eq!(mistake.side, Color::White);
        assert_eq!(
            mistake
                .better_line
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
            ["8c8d", "2g2f"]
        );
        let is_in = |record: &Record| Mistake::has_line(record, mistake.node_before, &mistake.better_line);
        assert!(!is_in(record));
        let mut document = document;
        document.insert(mistake.node_before, &mistake.better_line);
        assert!(is_in(document.record()));
        assert_eq!(
            insight.mistake(document.record(), document.line()[0]),
            None,
            "it has no mark"
        );
    }
}
