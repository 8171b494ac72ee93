//! Texts of the OBS pages: web pages for OBS and for a second screen.

use shogibar_base::file_error_text::io_error;
use shogibar_base::{Lang, phrases, say, sentences};
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
        Board => "解説盤（一局の大きな盤。矢印と変化も出ます）", "The commentary board, with arrows and variations";
        BoardSample => "解説盤の見本（動きます）", "The commentary board with moving sample data";
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
        Corner => "位置", "Position";
        AsLaidOut => "標準", "Default";
        Language => "言語", "Language";
        Japanese => "日本語", "日本語";
        English => "English", "English";
        Names => "対局者名", "Names";
        FirstNames => "棋譜の表記", "As in the record";
        SecondNames => "第2の表記", "Second names";
        SecondNamesHint => "第2の表記（例: Fujii Sota）は一度だけ入力します。以後、この対局者のすべての対局で使われます。空欄なら棋譜の表記のままです。",
            "Enter each second name once, such as Fujii Sota. It is then used in all games of the player. An empty field keeps the name of the record.";
        NoPlayers => "対局者名のある棋譜を開くと、ここで入力できます。", "Open a game with named players to enter their second names.";
        HidesWhenLost => "Shogibar が終了したら消す", "Disappear when Shogibar ends";
        Copy => "URL をコピー", "Copy the URL";
        Watch => "見本をブラウザで見る", "Preview in the browser";
        Copied => "✓ コピーしました", "✓ Copied";
    }
}

phrases! {
    /// A size of the bar in OBS.
    pub enum ObsSize {
        Fitting => "標準", "Default";
        Large => "大", "Large";
        Medium => "中", "Medium";
        Small => "小", "Small";
    }
}

impl ObsSize {
    /// All sizes.
    pub const ALL: [Self; 4] = [Self::Fitting, Self::Large, Self::Medium, Self::Small];

    /// Returns the size as a multiple of the layout's natural size; `None` for the size that suits the page.
    pub const fn scale(self) -> Option<f32> {
        match self {
            Self::Fitting => None,
            Self::Large => Some(1.5),
            Self::Medium => Some(1.0),
            Self::Small => Some(0.75),
        }
    }
}

phrases! {
    /// The position of the bar in OBS.
    pub enum ObsCorner {
        TopLeft => "左上", "Top left";
        Top => "上", "Top";
        TopRight => "右上", "Top right";
        Left => "左", "Left";
        Right => "右", "Right";
        BottomLeft => "左下", "Bottom left";
        Bottom => "下", "Bottom";
        BottomRight => "右下", "Bottom right";
    }
}

impl ObsCorner {
    /// All positions.
    pub const ALL: [Self; 8] = [
        Self::TopLeft,
        Self::Top,
        Self::TopRight,
        Self::Left,
        Self::Right,
        Self::BottomLeft,
        Self::Bottom,
        Self::BottomRight,
    ];

    /// Returns the name in an address.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TopLeft => "top-left",
            Self::Top => "top",
            Self::TopRight => "top-right",
            Self::Left => "left",
            Self::Right => "right",
            Self::BottomLeft => "bottom-left",
            Self::Bottom => "bottom",
            Self::BottomRight => "bottom-right",
        }
    }

    /// Returns the position with a name in an address; `None` for other names.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|corner| corner.name() == name)
    }

    /// Returns the shares of the free width and height that lie to the left of the bar and above it: 0, 0.5 or 1.
    pub const fn free_shares(self) -> [f32; 2] {
        match self {
            Self::TopLeft => [0.0, 0.0],
            Self::Top => [0.5, 0.0],
            Self::TopRight => [1.0, 0.0],
            Self::Left => [0.0, 0.5],
            Self::Right => [1.0, 0.5],
            Self::BottomLeft => [0.0, 1.0],
            Self::Bottom => [0.5, 1.0],
            Self::BottomRight => [1.0, 1.0],
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

/// Returns the names of the players in the sample data.
pub const fn sample_players(lang: Lang) -> [&'static str; 2] {
    match lang {
        Lang::Ja => ["青柳 千早", "御影 宗一郎"],
        Lang::En => ["Aoyagi Chihaya", "Mikage Soichiro"],
    }
}
