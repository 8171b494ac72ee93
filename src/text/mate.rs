//! Texts of the search for a mate.

phrases! {
    /// A text of the search for a mate.
    pub enum MatePhrase {
        Searching => "詰みを探しています…", "Looking for a mate…";
        NoMate => "不詰み（詰みはありません）。", "There is no mate.";
        Timeout => "時間内に詰みは見つかりませんでした。", "No mate was found in time.";
        BuiltIn => "（内蔵エンジンで調べました）", "(by the built-in engine)";
        Failed => "詰みを探せませんでした。", "The search for a mate has failed.";
        Show => "盤で見る", "Show on the board";
    }
}

sentences! {
    /// Returns the length of a mate with its first move: `▲２三金以下13手で詰みます。`
    pub fn mate(first: &str, plies: usize; lang) => "{first}以下{plies}手で詰みます。", "Mate in {plies}, beginning with {first}.";
}
