//! Short labels.

phrases! {
    /// A short text on the screen.
    pub enum Label {
        /// 先手, Black in an even game.
        Black => "先手", "Black";
        /// 後手, White in an even game.
        White => "後手", "White";
        /// 下手, Black in a handicap game.
        HandicapTaker => "下手", "Black";
        /// 上手, White in a handicap game.
        HandicapGiver => "上手", "White";
        /// The engine's best candidate.
        Best => "最善", "best";
        /// 互角
        Even => "互角", "even";
        /// 有望
        Promising => "有望", "slightly better";
        /// 有利
        Better => "有利", "better";
        /// 優勢
        Superior => "優勢", "much better";
        /// 勝勢
        Winning => "勝勢", "winning";
        /// 勝ち
        Wins => "勝ち", "wins";
        /// A line that mates: in place of the winner's percentage.
        WinningLine => "勝ち筋", "winning";
        /// 引き分け
        Draw => "引き分け", "draw";
        /// Shown until the first pv of a new search.
        Reading => "考えています…", "thinking…";
        /// The search is paused by the user.
        Paused => "一時停止中", "paused";
        /// Shown in place of a hidden evaluation.
        Hidden => "評価値は伏せています", "Evaluation hidden";
        /// A live game whose next move is illegal or unknown words.
        NextUnreadable => "次の手が読めません", "next move unreadable";
        /// A live game whose source is out of reach.
        Reconnecting => "再接続中", "reconnecting";
        /// A game whose board is not in view on the screen.
        NoBoard => "盤が見えません", "no board seen";
        /// A game of whose board on the screen much is hidden.
        BoardCovered => "盤が隠れています", "board covered";
        /// A game of which the screen shows another position.
        OtherPosition => "画面は別の局面", "off the game";
        /// A game on the screen that does not show who is to move, the hands, or which side is at the bottom.
        Unsure => "不確かな局面", "unsure position";
        /// A searching engine.
        Live => "読み中", "live";
        /// A search that has ended at its limit or by itself.
        SearchEnded => "読み終わり", "search ended";
        /// A paused or starting engine.
        Waiting => "待機中", "waiting";
        /// An engine that ended or does not answer.
        Lost => "途絶", "lost";
        /// The mean of several engines.
        Mean => "平均", "mean";
        /// The time left on a player's clock.
        TimeLeft => "残り", "left";
        /// The time that a player has used.
        TimeUsed => "消費", "used";
        /// The start position.
        StartPosition => "開始局面", "Start";
        /// 投了
        Resignation => "投了", "resigned";
        /// 詰み
        Checkmate => "詰み", "mate";
        /// 切れ負け
        TimeUp => "時間切れ", "time up";
        /// 反則
        Foul => "反則", "foul";
        /// 入玉宣言
        Declaration => "入玉", "declared";
        /// 不戦敗
        Forfeit => "不戦", "forfeit";
        /// 千日手
        Repetition => "千日手", "repetition";
        /// 連続王手の千日手
        PerpetualCheck => "連続王手の千日手", "perpetual check";
        /// 持将棋
        Impasse => "持将棋", "impasse";
        /// 最大手数
        MaxMoves => "最大手数", "move limit";
        /// 中断
        Interruption => "中断", "interrupted";
        /// 封じ手
        Sealed => "封じ手", "sealed";
        /// 終局
        GameOver => "終局", "over";
        /// 緩手: a move with a small loss.
        Inaccuracy => "緩手", "inaccuracy";
        /// 疑問手
        Dubious => "疑問手", "dubious";
        /// 悪手
        Mistake => "悪手", "mistake";
        /// 大悪手
        Blunder => "大悪手", "blunder";
    }
}

impl Label {
    /// Returns the labels of the sides of a game, Black first.
    pub const fn sides(is_handicap: bool) -> [Self; 2] {
        if is_handicap { [Self::HandicapTaker, Self::HandicapGiver] } else { [Self::Black, Self::White] }
    }
}
