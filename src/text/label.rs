//! Short labels.

use super::Lang;

/// A short text on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// 先手, Black in an even game.
    Black,
    /// 後手, White in an even game.
    White,
    /// 下手, Black in a handicap game.
    HandicapTaker,
    /// 上手, White in a handicap game.
    HandicapGiver,
    /// The engine's best candidate.
    Best,
    /// 互角
    Even,
    /// 有望
    Promising,
    /// 有利
    Better,
    /// 優勢
    Superior,
    /// 勝勢
    Winning,
    /// 勝ち
    Wins,
    /// 引き分け
    Draw,
    /// Shown until the first pv of a new search.
    Reading,
    /// The search is paused by the user.
    Paused,
    /// Shown in place of a hidden evaluation.
    Hidden,
    /// A searching engine.
    Live,
    /// A paused or starting engine.
    Waiting,
    /// An engine that ended or does not answer.
    Lost,
    /// The mean of several engines.
    Mean,
    /// The start position.
    StartPosition,
    /// 投了
    Resignation,
    /// 詰み
    Checkmate,
    /// 切れ負け
    TimeUp,
    /// 反則
    Foul,
    /// 入玉宣言
    Declaration,
    /// 不戦敗
    Forfeit,
    /// 千日手
    Repetition,
    /// 連続王手の千日手
    PerpetualCheck,
    /// 持将棋
    Impasse,
    /// 最大手数
    MaxMoves,
    /// 中断
    Interruption,
    /// 封じ手
    Sealed,
    /// 終局
    GameOver,
    /// 緩手: a move with a small loss.
    Inaccuracy,
    /// 疑問手
    Dubious,
    /// 悪手
    Mistake,
    /// 大悪手
    Blunder,
}

impl Label {
    /// Returns the labels of the sides of a game, Black first.
    pub const fn sides(is_handicap: bool) -> [Self; 2] {
        if is_handicap { [Self::HandicapTaker, Self::HandicapGiver] } else { [Self::Black, Self::White] }
    }

    /// Returns the label in a language.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::Black => lang.pick("先手", "Black"),
            Self::White => lang.pick("後手", "White"),
            Self::HandicapTaker => lang.pick("下手", "Black"),
            Self::HandicapGiver => lang.pick("上手", "White"),
            Self::Best => "BEST",
            Self::Even => lang.pick("互角", "even"),
            Self::Promising => lang.pick("有望", "promising"),
            Self::Better => lang.pick("有利", "better"),
            Self::Superior => lang.pick("優勢", "superior"),
            Self::Winning => lang.pick("勝勢", "winning"),
            Self::Wins => lang.pick("勝ち", "wins"),
            Self::Draw => lang.pick("引き分け", "draw"),
            Self::Reading => lang.pick("読み中…", "reading…"),
            Self::Paused => lang.pick("一時停止中", "paused"),
            Self::Hidden => lang.pick("非表示中", "hidden"),
            Self::Live => lang.pick("読み中", "live"),
            Self::Waiting => lang.pick("待機中", "waiting"),
            Self::Lost => lang.pick("途絶", "lost"),
            Self::Mean => lang.pick("平均", "mean"),
            Self::StartPosition => lang.pick("開始局面", "Start"),
            Self::Resignation => lang.pick("投了", "resigned"),
            Self::Checkmate => lang.pick("詰み", "mate"),
            Self::TimeUp => lang.pick("時間切れ", "time up"),
            Self::Foul => lang.pick("反則", "foul"),
            Self::Declaration => lang.pick("入玉", "declared"),
            Self::Forfeit => lang.pick("不戦", "forfeit"),
            Self::Repetition => lang.pick("千日手", "repetition"),
            Self::PerpetualCheck => lang.pick("連続王手の千日手", "perpetual check"),
            Self::Impasse => lang.pick("持将棋", "impasse"),
            Self::MaxMoves => lang.pick("最大手数", "move limit"),
            Self::Interruption => lang.pick("中断", "interrupted"),
            Self::Sealed => lang.pick("封じ手", "sealed"),
            Self::GameOver => lang.pick("終局", "over"),
            Self::Inaccuracy => lang.pick("緩手", "inaccuracy"),
            Self::Dubious => lang.pick("疑問手", "dubious"),
            Self::Mistake => lang.pick("悪手", "mistake"),
            Self::Blunder => lang.pick("大悪手", "blunder"),
        }
    }
}
