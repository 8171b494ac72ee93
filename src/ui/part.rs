//! Accessible names of the parts of the bar.

use shogibar_base::Lang;
use std::borrow::Cow;

/// The name of a part of the bar, for screen readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartWord {
    /// The whole bar.
    Bar,
    /// Black's name.
    BlackName,
    /// White's name.
    WhiteName,
    /// The mark of the side to move.
    ToMove,
    /// The position in the game.
    Position,
    /// Black's win rate in percent.
    BlackPercent,
    /// White's win rate in percent.
    WhitePercent,
    /// The bar that shows Black's share.
    Share,
    /// The mark on the bar for the win rate of an engine that the bar does not follow.
    OtherMark,
    /// The result in the bar of a decided game.
    Result,
    /// The evaluation in numbers.
    Evaluation,
    /// The situation in words.
    Situation,
    /// Black's clock.
    BlackClock,
    /// White's clock.
    WhiteClock,
    /// The last move, and its loss.
    LastMove,
    /// The best move, at the bar's end of the side to move.
    SideToMoveBest,
    /// The graph of the game up to now.
    Graph,
    /// The live mark of the game.
    Live,
    /// The name of the event.
    Event,
    /// The best candidate.
    BestMove,
    /// A candidate, by its rank from 1.
    Candidate(u32),
    /// The pv of a candidate, by its rank from 1.
    Line(u32),
    /// The depth, nodes, speed and name of the engine; with several engines, also the evaluation.
    Engine,
    /// The engine that the bar follows, of several.
    Followed,
    /// The state of an engine: live, waiting, lost.
    Signal,
    /// A sentence shown in place of the candidates.
    Notice,
    /// The mark of a threat of mate, or of the only move.
    Threat,
    /// The opening and the castles.
    Formation,
    /// The castles, on a line of their own.
    Castles,
    /// The sentence about the position.
    Reason,
    /// The card that announces a turning point.
    TurningCard,
    /// The board of a board page.
    Board,
    /// The frame around a board that does not show the game.
    Variation,
    /// The moves of the variation on the board.
    VariationMoves,
}

impl PartWord {
    /// Returns the name in a language.
    pub fn text(self, lang: Lang) -> Cow<'static, str> {
        let fixed = match self {
            Self::Bar => lang.pick("評価値バー", "Evaluation bar"),
            Self::BlackName => lang.pick("先手の名前", "Black's name"),
            Self::WhiteName => lang.pick("後手の名前", "White's name"),
            Self::ToMove => lang.pick("手番", "Side to move"),
            Self::Position => lang.pick("局面", "Position"),
            Self::BlackPercent => lang.pick("先手の勝率", "Black's win rate"),
            Self::WhitePercent => lang.pick("後手の勝率", "White's win rate"),
            Self::Share => lang.pick("勝率バー", "Win rate bar"),
            Self::OtherMark => lang.pick("バーの印", "Mark on the bar"),
            Self::Result => lang.pick("結果", "Result"),
            Self::Evaluation => lang.pick("評価値", "Evaluation"),
            Self::Situation => lang.pick("形勢", "Situation"),
            Self::BlackClock => lang.pick("先手の時計", "Black's clock"),
            Self::WhiteClock => lang.pick("後手の時計", "White's clock"),
            Self::LastMove => lang.pick("直前の手", "Last move"),
            Self::SideToMoveBest => lang.pick("手番の最善手", "Best move of the side to move"),
            Self::Graph => lang.pick("勝率の推移", "Win rate graph"),
            Self::Live => lang.pick("中継", "Live state"),
            Self::Event => lang.pick("棋戦", "Event"),
            Self::BestMove => lang.pick("最善手", "Best move"),
            Self::Candidate(rank) => return format!("{} {rank}", lang.pick("候補", "Candidate")).into(),
            Self::Line(rank) => return format!("{} {rank}", lang.pick("読み筋", "Line")).into(),
            Self::Engine => lang.pick("エンジン", "Engine"),
            Self::Followed => lang.pick("バーのエンジン", "Engine of the bar"),
            Self::Signal => lang.pick("エンジンの状況", "Engine status"),
            Self::Notice => lang.pick("お知らせ", "Notice"),
            Self::Threat => lang.pick("局面の印", "Mark of the position"),
            Self::Formation => lang.pick("戦型と囲い", "Opening and castles"),
            Self::Castles => lang.pick("囲い", "Castles"),
            Self::TurningCard => lang.pick("勝敗を分けた手", "Turning point"),
            Self::Board => lang.pick("盤面", "Board"),
            Self::Variation => lang.pick("検討中の局面", "Position under study"),
            Self::VariationMoves => lang.pick("変化の手順", "Moves of the variation"),
            Self::Reason => lang.pick("局面の一言", "Sentence about the position"),
        };
        Cow::Borrowed(fixed)
    }

    /// Returns the name of a part that each of several engines has. `engine` is the index of the engine, from 0.
    pub fn for_engine(self, engine: usize, lang: Lang) -> String {
        format!(
            "{}{} {}",
            lang.pick("エンジン", "Engine "),
            engine + 1,
            self.text(lang)
        )
    }
}
