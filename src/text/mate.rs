//! Texts of the search for a mate.

phrases! {
    /// A text of the search for a mate.
    pub enum MatePhrase {
        Searching => "詰みを探しています…", "Looking for a mate…";
        NoMate => "不詰み（詰みはありません）。", "There is no mate.";
        Timeout => "時間内に詰みは見つかりませんでした。", "No mate was found in time.";
        NotImplemented => "このエンジンは詰み探索に対応していません。「エンジン」で内蔵エンジンを選ぶと探せます。", "This engine cannot look for a mate. The built-in engine can: choose it under Engines.";
        Failed => "詰みを探せるエンジンが動いていません。", "No engine is running that can look for a mate.";
        Show => "盤で見る", "Show on the board";
    }
}

sentences! {
    /// Returns the length of a mate with its first move: `▲２三金以下13手で詰みます。`
    pub fn mate(first: &str, plies: usize; lang) => "{first}以下{plies}手で詰みます。", "Mate in {plies}, beginning with {first}.";
}
