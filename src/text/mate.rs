//! Texts of the search for a mate.

phrases! {
    /// A text of the search for a mate.
    pub enum MatePhrase {
        /// The engine searches.
        Searching => "詰みを探しています…", "Looking for a mate…";
        /// The position is no mate.
        NoMate => "不詰み（詰みはありません）。", "There is no mate.";
        /// The time ran out.
        Timeout => "時間内に詰みは見つかりませんでした。", "No mate was found in time.";
        /// The engine has no mate search.
        NotImplemented => "このエンジンは詰み探索に対応していません。", "This engine cannot search for a mate.";
        /// No engine answers.
        Failed => "詰みを探せるエンジンが動いていません。", "No engine is running that can look for a mate.";
        /// The button that plays the mate on the board.
        Show => "盤で見る", "Show on the board";
    }
}

sentences! {
    /// Returns the length of a mate: `詰みます（13手）。`
    pub fn mate(plies: usize; lang) => "詰みます（{plies}手）。", "There is a mate in {plies}.";
}
