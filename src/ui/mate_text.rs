//! Texts of the searches for a mate and for the opponent's threat.

use shogibar_base::{phrases, sentences};
phrases! {
    /// A text of the search for a mate or for the opponent's threat.
    pub enum MatePhrase {
        Searching => "詰みを探しています…", "Looking for a mate…";
        NoMate => "不詰み（詰みはありません）。", "There is no mate.";
        Timeout => "時間内に詰みは見つかりませんでした。", "No mate was found in time.";
        BuiltIn => "（内蔵エンジンで調べました）", "(by the built-in engine)";
        Failed => "詰みを探せませんでした。", "The search for a mate failed.";
        Show => "盤で見る", "Show on the board";
        Threatening => "相手の狙いを調べています…", "Looking for the opponent's threat…";
        InCheck => "王手がかかっています。", "The king is in check.";
        NoThreat => "狙いを調べられませんでした。", "The threat could not be found.";
    }
}

sentences! {
    /// Returns the first move and the length of a mate: `▲２三金以下13手で詰みます。`
    pub fn mate(first: &str, plies: usize; lang) => "{first}以下{plies}手で詰みます。", "Mate in {plies}, beginning with {first}.";

    /// Returns the opponent's threat, with the opponent's win rate if the threat is not met: `狙いは ▲2三角成　△同　玉（手を抜くと相手の勝率
    /// 78%）。`
    pub fn threat(line: &str, percent: u8; lang) =>
        "狙いは {line}（手を抜くと相手の勝率 {percent}%）。", "The threat: {line} (if you do nothing, their win rate is {percent}%).";
}
