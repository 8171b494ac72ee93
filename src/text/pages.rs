//! Texts of the OBS pages: web pages for OBS and for a second screen.

use super::Lang;
use super::system::io_error;
use std::io;

phrases! {
    /// A text of the desk, the OBS page with the boards of all games.
    pub enum DeskWord {
        Last => "最終手", "Last move";
        Best => "最善", "Best";
        NoHand => "なし", "none";
        Swings => "大きく動いた手", "Swings";
        NoSwings => "20%以上動いた手はまだありません", "No move has lost 20 points yet";
        Largest => "いま最も損をした手", "The largest loss right now";
        Playing => "対局中", "Playing";
        Over => "終局", "Over";
        Ply => "{}手目", "Move {}";
        Offline => "接続が切れました。つながるまで待っています。", "Connection lost. Waiting for Shogibar.";
        More => "ほか{}局は表示していません", "{} more not shown";
        NoValue => "評価値はまだありません", "No evaluation yet";
        Title => "すべての盤面", "All boards";
        All => "すべて表示", "Show all";
        Copy => "コピー", "Copy";
    }
}

impl DeskWord {
    /// The texts that the script of the desk uses, with their names there.
    pub const SCRIPT_TEXTS: [(&str, Self); 12] = [
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
        ("more", Self::More),
        ("noValue", Self::NoValue),
    ];
}

phrases! {
    /// A text of the list of OBS pages.
    pub enum ObsIndexWord {
        Title => "Shogibar のページ", "Shogibar pages";
        Overlay => "評価値バー（OBS のブラウザソース用）", "The bar, for an OBS browser source";
        Sample => "評価値バーの見本（動きます）", "The bar with moving sample data";
        Loader => "OBS 用のファイル（Shogibar より先に OBS を起動しても、つながるまで待ちます）",
            "A file for OBS that waits if OBS is started before Shogibar";
        Desk => "すべての対局の盤面", "The boards of all games";
        State => "状態（JSON）", "The state as JSON";
        Events => "状態の変化（server-sent events）", "Each change of the state, as server-sent events";
    }
}

phrases! {
    /// A text of the choice of the appearance in OBS.
    pub enum ObsWord {
        Preview => "OBS での見え方", "How it looks in OBS";
        Layout => "レイアウト", "Layout";
        Theme => "テーマ", "Theme";
        Parts => "項目", "Parts";
        Size => "大きさ", "Size";
        Side => "左側", "On the left";
        BlackLeft => "先手", "Black";
        WhiteLeft => "後手", "White";
        AsSet => "設定の通り", "As in the settings";
        HidesWhenLost => "Shogibar が終了したら消す", "Disappear when Shogibar ends";
        Copy => "URL をコピー", "Copy the URL";
        Watch => "見本をブラウザで見る", "Preview in the browser";
        Copied => "✓ コピーしました", "✓ Copied";
    }
}

phrases! {
    /// A size of the bar in OBS.
    pub enum ObsSize {
        Fitting => "幅いっぱい", "As wide as the canvas";
        Large => "大", "Large";
        Medium => "中", "Medium";
        Small => "小", "Small";
    }
}

impl ObsSize {
    /// All sizes.
    pub const ALL: [Self; 4] = [Self::Fitting, Self::Large, Self::Medium, Self::Small];

    /// Returns the size as a multiple of the layout's natural size; `None` to fit the page.
    pub const fn scale(self) -> Option<f32> {
        match self {
            Self::Fitting => None,
            Self::Large => Some(1.5),
            Self::Medium => Some(1.0),
            Self::Small => Some(0.75),
        }
    }
}

/// Returns why the OBS pages are not served.
pub fn not_served(why: &io::Error, lang: Lang) -> String {
    if why.kind() == io::ErrorKind::AddrInUse {
        return lang
            .pick(
                "ポートはほかのプログラム（もう一つの Shogibar かもしれません）が使っています。それを終了するか、設定の「OBS 用のページ」でポートを変えてください。",
                "Another program, perhaps another Shogibar, is using the port. Close it, or change the port under Pages for OBS in the settings.",
            )
            .to_owned();
    }
    let why = io_error(why, lang);
    say!(lang: "ページを出せません（{why}）。", "The pages cannot be served: {why}.")
}

/// Returns why the OBS pages are not served, with the remark that this is tried again.
pub fn not_served_yet(why: &io::Error, lang: Lang) -> String {
    let again = lang.pick("自動で再試行します。", "Retrying automatically.");
    let space = lang.pick("", " ");
    format!("{}{space}{again}", not_served(why, lang))
}

sentences! {
    /// Returns the sentence about games that share engines in turn. `sets` is the number of engine sets.
    pub fn shared_engines(sets: usize, games: usize; lang) =>
        "{sets}つのエンジンで{games}局を順に検討（1局あたり約{share}%、新しい局面が先）",
        "{games} {sets} in turn, newest position first: about {share} % each"
        [games: "game shares" | "games share", sets: "engine"],
        share = (100 * sets).div_ceil(games.max(1));
}

sentences! {
    /// Returns the line about a move with a large loss. `when` is the time at which the loss was seen.
    pub fn swing(when: &str, ply: usize, words: &str, loss: u8, names: &str; lang) =>
        "{when}　{ply}手目　{words}　−{loss}%　{names}",
        "{when}   Move {ply}   {words}   −{loss}%   {names}";

    /// Returns the line about a large loss without its move.
    pub fn swing_without_move(when: &str, loss: u8, names: &str; lang) =>
        "{when}　−{loss}%　{names}", "{when}   −{loss}%   {names}";

    /// Returns the time since an event, in minutes.
    pub fn minutes_ago(minutes: u64; lang) => "{minutes}分前", "{minutes} min ago";
}

sentences! {
    /// Returns the address to which programs on this computer send commands.
    pub fn control_address(url: &str; lang) => "操作用: {url}", "Commands: {url}";

    /// Returns the address for other machines in the network.
    pub fn lan_address(url: &str; lang) =>
        "同じネットワークの機器から: {url}", "From devices on the same network: {url}";
}

/// Returns the explanation of the setting that serves the OBS pages.
pub const fn serves_explanation(lang: Lang) -> &'static str {
    lang.pick(
        "OBS のブラウザソースに、背景が本当に透明なバーを映せます。このパソコンの中だけで見られます。",
        "Shows the bar with real transparency in an OBS browser source. Only this computer can see it.",
    )
}

/// Returns the explanation how to use the address in OBS.
pub const fn address_explanation(lang: Lang) -> &'static str {
    lang.pick(
        "OBS の「ソース」の「＋」から「ブラウザ」を追加し、URL に貼り付けます。幅と高さを配信画面と同じ（例: 1920×1080）にすると、バーは下端に出ます。URL は変わらないので、一度設定すれば使い続けられます。",
        "In OBS, add a Browser source and paste this as its URL. In the size of your canvas, such as 1920×1080, the bar is at the bottom. The URL stays the same.",
    )
}

/// Returns the warning before the OBS pages are opened to the network.
pub const fn lan_warning(lang: Lang) -> &'static str {
    lang.pick(
        "スマートフォンなどで見るときに使います。同じネットワークにいて、この URL を知っている人は誰でも評価値を見られます。通信は暗号化されません。",
        "For a phone, for example. Anyone on the same network who knows the URL can see the evaluations. The connection is not encrypted.",
    )
}

/// Returns the names of the players in the sample data.
pub const fn sample_players(lang: Lang) -> [&'static str; 2] {
    match lang {
        Lang::Ja => ["青柳 千早", "御影 宗一郎"],
        Lang::En => ["Aoyagi Chihaya", "Mikage Soichiro"],
    }
}
