//! Short labels.

use shogibar_base::phrases;
phrases! {
    /// A short text on the screen.
    pub enum Label {
        Black => "先手", "Black";
        White => "後手", "White";
        HandicapTaker => "下手", "Black";
        HandicapGiver => "上手", "White";
        BuiltIn => "内蔵エンジン", "Built-in engine";
        Best => "最善", "best";
        Even => "互角", "even";
        SlightlyBetter => "やや有利", "slightly better";
        Better => "有利", "better";
        Superior => "優勢", "much better";
        Winning => "勝勢", "winning";
        Wins => "勝ち", "wins";
        WinningLine => "勝ち筋", "winning";
        Draw => "引き分け", "draw";
        Reading => "考えています…", "thinking…";
        Paused => "一時停止中", "paused";
        Hidden => "評価値は伏せています", "Evaluation hidden";
        NextUnreadable => "次の手が読めません", "next move unreadable";
        Reconnecting => "再接続中", "reconnecting";
        NoBoard => "盤が見えません", "no board seen";
        BoardCovered => "盤が隠れています", "board covered";
        OtherPosition => "画面は別の局面", "off the game";
        Delayed => "遅延", "delayed";
        Ended => "終了", "ended";
        OwnGame => "対局中は評価を出しません", "No evaluation during the game";
        EngineStopped => "エンジンの再開を待っています", "Waiting for the engine";
        Live => "読み中", "live";
        SearchEnded => "読み終わり", "search ended";
        Waiting => "待機中", "waiting";
        Lost => "途絶", "lost";
        Mean => "平均", "mean";
        TimeLeft => "残り", "remaining";
        TimeUsed => "消費", "used";
        StartPosition => "開始局面", "Start";
        FromTheMiddle => "途中図", "From the middle";
        Resignation => "投了", "resigned";
        Checkmate => "詰み", "mate";
        TimeUp => "時間切れ", "time up";
        Foul => "反則", "foul";
        Declaration => "入玉", "declared";
        Forfeit => "不戦", "forfeit";
        Repetition => "千日手", "repetition";
        PerpetualCheck => "連続王手の千日手", "perpetual check";
        Impasse => "持将棋", "impasse";
        MaxMoves => "最大手数", "move limit";
        Interruption => "中断", "interrupted";
        Sealed => "封じ手", "sealed";
        GameOver => "終局", "over";
        Inaccuracy => "緩手", "inaccuracy";
        Dubious => "疑問手", "dubious";
        Mistake => "悪手", "mistake";
        Blunder => "大悪手", "blunder";
        Opening => "序盤", "opening";
        MiddleGame => "中盤", "middle game";
        Endgame => "終盤", "endgame";
    }
}

impl Label {
    /// Returns the labels of the sides of a game, Black first.
    pub const fn sides(is_handicap: bool) -> [Self; 2] {
        if is_handicap {
            [Self::HandicapTaker, Self::HandicapGiver]
        } else {
            [Self::Black, Self::White]
        }
    }
}
