//! Texts of the pages for OBS and for a second screen.

use super::Lang;

phrases! {
    /// A text of the desk.
    pub enum DeskWord {
        /// Above the last move.
        Last => "最終手", "Last move";
        /// Before the best move.
        Best => "最善", "Best";
        /// No pieces in hand.
        NoHand => "なし", "none";
        /// The list of moves that lost much.
        Swings => "大きく動いた手", "Swings";
        /// That list while it is empty.
        NoSwings => "20%以上動いた手はまだありません", "No move has lost 20 points yet";
        /// Below the move that lost most.
        Largest => "この回でいちばん動いた手", "The largest swing so far";
        /// The number of games that go on.
        Playing => "対局中", "Playing";
        /// The number of games that are over.
        Over => "終局", "Over";
        /// After the number of a move.
        Ply => "手目", " moves";
        /// Shown while no server answers.
        Offline => "接続が切れました。つながるまで待っています。", "Connection lost. Waiting for Shogibar.";
        /// A bar without a value.
        NoValue => "評価値はまだありません", "No evaluation yet";
    }
}

impl DeskWord {
    /// The texts with their names in the page's script.
    pub const NAMED: [(&str, Self); 11] = [
        ("last", Self::Last),
        ("best", Self::Best),
        ("noHand", Self::NoHand),
        ("swings", Self::Swings),
        ("noSwings", Self::NoSwings),
        ("largest", Self::Largest),
        ("playing", Self::Playing),
        ("over", Self::Over),
        ("ply", Self::Ply),
        ("offline", Self::Offline),
        ("noValue", Self::NoValue),
    ];
}

phrases! {
    /// A text of the list of pages.
    pub enum PageIndexWord {
        /// The title.
        Title => "Shogibar のページ", "Pages of Shogibar";
        /// The bar.
        Overlay => "評価値バー（OBS のブラウザソース用）", "The bar, for a browser source of OBS";
        /// The bar with sample data.
        Sample => "評価値バーの見本（動きます）", "The bar with moving sample data";
        /// The file for OBS.
        Loader => "OBS 用のファイル（Shogibar より先に OBS を起動しても、つながるまで待ちます）",
            "A file for OBS, which waits where OBS is started before Shogibar";
        /// The desk.
        Desk => "すべての対局の盤面", "The boards of all games";
        /// The state.
        State => "状態（JSON）", "The state as JSON";
        /// The events.
        Events => "状態の変化（server-sent events）", "Each change of the state, as server-sent events";
    }
}

sentences! {
    /// The address for other machines in the network.
    pub fn lan_address(url: &str; lang) =>
        "同じネットワークの機器から: {url}", "From devices in the same network: {url}";
}

/// The warning before the pages are opened to the network.
pub const fn lan_warning(lang: Lang) -> &'static str {
    lang.pick(
        "同じネットワークにいて、このアドレスを知っている人は誰でも評価値を見られます。通信は暗号化されません。",
        "Anyone in the same network who knows this address can see the evaluations. The connection is not encrypted.",
    )
}

/// The names of the players in the sample data.
pub const fn sample_players(lang: Lang) -> [&'static str; 2] {
    match lang {
        Lang::Ja => ["青柳 千早", "御影 宗一郎"],
        Lang::En => ["Aoyagi Chihaya", "Mikage Soichiro"],
    }
}
