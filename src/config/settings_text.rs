//! Texts of the settings page: names, explanations and choices.

use crate::find::{Findable, contains_words};
use crate::{
    Background, BoardColors, DigitFont, HotKeyError, HotKeyScope, Language, Layout, OverlayPart,
    OverlayPreset, PanelOpacity, PieceCharacters, PositionLimit, Settings, TextSize, Theme, VideoPace,
    WindowColors, WindowZoom,
};
use shogibar_base::{Lang, phrases, say, sentences};
use std::ops::RangeInclusive;
mod choices;

pub use choices::{
    background, board, digits, language, layout, pages, pieces, position_limit, preset, theme, video_pace,
};

phrases! {
    /// A group of settings, which is reset as a whole.
    pub enum SettingGroup {
        General => "全般", "General";
        Overlay => "バーの見た目", "Look of the bar";
        Parts => "表示する項目", "Display";
        Window => "ウィンドウ", "Window";
        Relay => "将棋 GUI との連携", "Shogi GUI integration";
        Obs => "OBS 用のページ", "Pages for OBS";
        Keys => "ショートカットキー", "Hot keys";
    }
}

impl SettingGroup {
    /// All groups, in the order of the page.
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Overlay,
        Self::Parts,
        Self::Window,
        Self::Relay,
        Self::Obs,
        Self::Keys,
    ];
}

/// Defines the rows of the settings page, by group and in the order of the page. A row has its control with the setting, its
/// name, and if need be its explanation and further words by which users look for it.
///
/// The controls: `switch`, a check box; `choice`, radio buttons with the names of the values; `percent`, a slider; `own`, a
/// control that the page draws for this setting alone.
macro_rules! setting_rows {
    (@control own()) => { SettingControl::Own };
    (@control switch($($field:ident).+)) => { SettingControl::Switch(|settings| &mut settings.$($field).+) };
    (@control percent($($field:ident).+: $kind:ident)) => {
        SettingControl::Percent($kind::RANGE, |settings| &mut settings.$($field).+.0)
    };
    (@control choice($($field:ident).+: $kind:ident, $name:path)) => {
        SettingControl::Choice(SettingChoice {
            names: |lang| $kind::ALL.iter().map(|value| $name(*value, lang)).collect(),
            chosen: |settings| $kind::ALL.iter().position(|value| *value == settings.$($field).+),
            choose: |settings, index| {
                if let Some(value) = $kind::ALL.get(index) {
                    settings.$($field).+ = *value;
                }
            },
        })
    };
    ($($group:ident {
        $($item:ident: $control:ident $arguments:tt => $ja:literal, $en:literal
            $(about $about_ja:literal, $about_en:literal)? $(found_by $words:literal)?;)+
    })+) => {
        /// A row of the settings page.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum SettingItem {
            $($(#[doc = concat!("“", $en, "”.")] $item,)+)+
            /// Whether a part is shown.
            Part(OverlayPart),
        }

        impl SettingGroup {
            /// Returns the rows of the group, in the order of the page.
            pub fn items(self) -> Vec<SettingItem> {
                let rows: &[SettingItem] = match self {
                    $(Self::$group => &[$(SettingItem::$item),+],)+
                };
                let parts = if self == Self::Parts { OverlayPart::ALL } else { &[] };
                rows.iter().copied().chain(parts.iter().copied().map(SettingItem::Part)).collect()
            }
        }

        impl SettingItem {
            /// Returns the name in a language.
            pub const fn label(self, lang: Lang) -> &'static str {
                match self {
                    $($(Self::$item => lang.pick($ja, $en),)+)+
                    Self::Part(part) => part_name(part, lang),
                }
            }

            /// Returns the explanation; empty if the setting needs none.
            pub const fn explanation(self, lang: Lang) -> &'static str {
                match self {
                    $($(Self::$item => lang.pick(concat!("" $(, $about_ja)?), concat!("" $(, $about_en)?)),)+)+
                    Self::Part(_) => "",
                }
            }

            /// Returns the further words by which users look for the setting.
            const fn words(self) -> &'static str {
                match self {
                    $($(Self::$item => concat!("" $(, $words)?),)+)+
                    Self::Part(_) => "",
                }
            }

            /// Returns the control that changes the setting.
            pub fn control(self) -> SettingControl {
                match self {
                    $($(Self::$item => setting_rows!(@control $control $arguments),)+)+
                    Self::Part(_) => SettingControl::Own,
                }
            }
        }
    };
}

/// The control of a setting on the page.
#[derive(Clone, Debug)]
pub enum SettingControl {
    /// A check box.
    Switch(fn(&mut Settings) -> &mut bool),
    /// Radio buttons.
    Choice(SettingChoice),
    /// A slider, with its smallest and largest percentage.
    Percent(RangeInclusive<u8>, fn(&mut Settings) -> &mut u8),
    /// The control is of this setting alone.
    Own,
}

/// The values of a setting to choose from, by their index.
#[derive(Clone, Copy, Debug)]
pub struct SettingChoice {
    /// Returns the names of the values.
    pub names: fn(Lang) -> Vec<&'static str>,
    /// Returns the index of the present value.
    pub chosen: fn(&Settings) -> Option<usize>,
    /// Sets the value with an index.
    pub choose: fn(&mut Settings, usize),
}

setting_rows! {
    General {
        Language: choice(general.language: Language, language) =>
            "言語", "Language";
        Font: own() =>
            "フォント", "Font"
            about "空欄なら付属の Noto Sans JP を使います。",
                "Leave empty to use the included Noto Sans JP.";
        Pages: choice(general.window_colors: WindowColors, pages) =>
            "画面の配色", "Pages"
            about "検討・エンジン・設定の画面の配色です。バーの配色は「テーマ」で選びます。",
                "For the Study, Engines and Settings pages. The bar has its own themes.";
        Board: choice(general.board_colors: BoardColors, board) =>
            "盤と駒の色", "Board and pieces";
        Pieces: choice(general.pieces: PieceCharacters, pieces) =>
            "駒の文字", "Pieces";
        VideoPace: choice(general.video_pace: VideoPace, video_pace) =>
            "動画の速さ", "Pace of videos"
            about "「対局を動画で保存」の1手の時間です。「消費時間に合わせる」では、長く考えた手ほど長く映ります。",
                "For 'Save the game as a video'. 'As the players' times' shows a move for longer if it took longer."
            found_by "動画 ビデオ mp4 video film";
        WindowZoom: percent(main_window.zoom: WindowZoom) =>
            "ページの拡大", "Zoom of the pages"
            about "検討・エンジン・設定の画面だけに効きます（Ctrl と + − 0 でも）。小さなウィンドウでは、切れない大きさまでになります。",
                "For the Study, Engines and Settings pages (also Ctrl and + − 0). A small window limits the zoom, so that nothing is cut off.";
        Arrows: switch(general.shows_arrows) =>
            "候補手を盤に矢印で表示する", "Show the candidates on the board"
            about "動かす手は矢印、打つ手は半透明の駒で示します。",
                "Shows moves as arrows and drops as faint pieces, each with its rank.";
        WatchClipboard: switch(general.watches_clipboard) =>
            "コピーした棋譜や局面を自動で開く", "Open records and positions that are copied";
        ShareEngines: switch(general.shares_engines) =>
            "バーのない中継の対局も検討する", "Search live games that no bar shows"
            about "バーのエンジンが、すべての中継を順に検討します（新しい局面が先）。バーの対局にかかる時間は、その分だけ減ります。",
                "The engines of the bars search all live games in turn, newest position first. Each game gets less time.";
        PositionLimit: choice(general.position_limit: PositionLimit, position_limit) =>
            "1局面の読みの上限", "Limit for each position"
            about "1局面の読みが「自動」のエンジンは、この時間で読みを終えます。「なし」なら局面が変わるまで読みます。",
                "Engines with an automatic limit stop searching after this time. With 'None', they search until the position changes."
            found_by "時間 秒 制限 軽く";
        FillsGraph: switch(general.fills_graph) =>
            "途中から見た対局のグラフを埋める", "Fill the graph of a game joined late"
            about "それまでの局面を内蔵エンジンが裏で軽く読み、薄い線で補います。棋譜や集計には入りません。",
                "The built-in engine briefly searches the earlier positions in the background. Their values are drawn fainter, and are in no record or summary.";
        Updates: switch(general.checks_updates) =>
            "新しい版があるか確認する", "Check for updates"
            about "週に1回、最新の版の番号を GitHub に問い合わせます。ほかの情報は送りません。",
                "Asks GitHub once a week for the number of the latest version. Nothing else is sent.";
        Log: switch(general.logs_usi) =>
            "エンジンとの通信を記録する", "Record the engines' traffic"
            about "エンジンに送った命令と出力を、すぐ下のファイルに記録します。不具合の報告に役立ちます。64 MB ごとに新しいファイルに移り、古いものは1つ残ります。",
                "Records what engines are sent and what they answer in the file below, for bug reports. A new file is started every 64 MB, and one older file is kept.";
        KeepsResults: switch(general.keeps_results) =>
            "終わった対局の評価値を記録する", "Keep evaluations of finished games"
            about "勝敗のついた対局の評価値を、このコンピューターの calibration.jsonl に記録します。エンジンごとに勝率の係数 K を求めるためで、どこにも送りません。",
                "Stores evaluations of games with a result in calibration.jsonl on this computer, to fit the scale K of each engine. Nothing is sent anywhere.";
    }
    Overlay {
        Layout: choice(overlay.layout: Layout, layout) =>
            "レイアウト", "Layout";
        Theme: own() =>
            "テーマ", "Theme"
            about "配色を変えるには「コピーして編集」で自分用のファイルを作ります。保存するとすぐ反映されます。",
                "To change colours, create your own file with 'Copy and edit'. The bar changes as soon as you save it.";
        BlackColor: own() =>
            "先手の色", "Black's colour"
            about "テーマの色の代わりに、バーの先手の側に使います。",
                "For Black's side of the bar, instead of the theme's colour.";
        WhiteColor: own() =>
            "後手の色", "White's colour"
            about "テーマの色の代わりに、バーの後手の側に使います。",
                "For White's side of the bar, instead of the theme's colour.";
        TextSize: percent(overlay.text_size: TextSize) =>
            "文字の大きさ", "Letter size";
        PanelOpacity: percent(overlay.opacity: PanelOpacity) =>
            "パネルの不透明度", "Panel opacity"
            about "小さくするほど、後ろの映像が透けて見えます。バー本体は透けません。",
                "The lower the value, the more of the picture behind shines through. The bar itself stays opaque."
            found_by "透過 半透明";
        BarFont: own() =>
            "バーのフォント", "Font of the bar"
            about "空欄なら、ほかの画面と同じフォントを使います。",
                "Leave empty to use the font of the other windows.";
        Digits: choice(overlay.digits: DigitFont, digits) =>
            "勝率の数字", "Digits"
            found_by "パーセント 小数";
        Swapped: switch(overlay.is_swapped) =>
            "先手を右に表示する", "Black on the right"
            about "縦のレイアウトでは、先手が上になります。",
                "In the vertical layout, Black is then at the top."
            found_by "左右 入れ替え";
        Motion: switch(overlay.has_motion) =>
            "数字とバーを滑らかに動かす", "Animate numbers and bar"
            about "グラフィックスカードがない環境では、エンジンがすべてのプロセッサーを使っている間は動かしません。",
                "Without a graphics card, nothing moves while an engine uses every processor."
            found_by "アニメーション 動き 重い cpu";
        PausesHidden: switch(overlay.pauses_hidden) =>
            "評価値を伏せている間はエンジンを止める", "Pause the engines while the evaluation is hidden";
    }
    Parts {
        Preset: own() =>
            "プリセット", "Preset"
            about "「配信」は深さやエンジン名などの専門的な項目を隠します。",
                "Stream hides technical parts, such as depth and engine.";
    }
    Window {
        Background: choice(window.background: Background, background) =>
            "背景", "Background"
            about "「テーマの通り」では後ろの映像が透けて見えます。クロマキーは、OBS などで抜くための単色の背景です。",
                "'As the theme' lets the picture behind shine through. A chroma key is a single colour that OBS and others remove."
            found_by "透過 透明 グリーンバック";
        KeyColor: own() =>
            "クロマキーの色", "Chroma key colour"
            about "背景がクロマキーのときの色です。",
                "The colour of the background when it is a chroma key.";
        AlwaysOnTop: switch(window.always_on_top) =>
            "常に手前に表示する", "Always on top"
            found_by "最前面";
        ClickThrough: switch(window.click_through) =>
            "クリック透過", "Click-through"
            about "マウスの操作がバーを素通りして、後ろのウィンドウに届きます。",
                "The mouse passes through the bar and reaches the window behind it.";
    }
    Relay {
        StartsWindow: switch(relay.starts_window) =>
            "将棋 GUI がエンジンを起動したら開く", "Open when a GUI starts its engine"
            about "「エンジン」の「将棋 GUI で使う」で登録したエンジンが起動したとき、このプログラムも開きます。",
                "For engines registered with 'Use in a shogi GUI' on the Engines page.";
        SharesBar: switch(relay.shares_bar) =>
            "2つのエンジンの対局を1本のバーに表示する", "One bar for a game of two engines"
            about "選ばなければ、エンジンごとに1本ずつバーを開きます。次につながるエンジンから変わります。",
                "Otherwise each engine has its own bar. Takes effect with the next engine.";
    }
    Obs {
        ObsStyle: own() =>
            "OBS に映す", "Show in OBS"
            about "OBS の「ソース」の「＋」から「ブラウザ」を追加し、URL に貼り付けます。幅と高さを配信画面と同じ（例: 1920×1080）にすると、バーは下端に出ます。URL は変わらないので、一度設定すれば使い続けられます。",
                "In OBS, add a Browser source and paste this as its URL. In the size of your canvas, such as 1920×1080, the bar is at the bottom. The URL stays the same."
            found_by "OBS 配信 ブラウザソース browser source";
        ServesObsPages: switch(obs.is_on) =>
            "ブラウザ用のページを有効にする", "Serve pages for browsers"
            about "OBS のブラウザソースに、背景が本当に透明なバーを映せます。このパソコンの中だけで見られます。",
                "Shows the bar with real transparency in an OBS browser source. Only this computer can see it."
            found_by "OBS 配信 ブラウザソース browser source";
        ObsPagesAddress: own() =>
            "URL", "Address"
            found_by "OBS 配信 ブラウザソース browser source";
        ObsPagesPort: own() =>
            "ポート", "Port"
            about "ほかのプログラムが使っているときに変えます。OBS に貼り付けた URL も変わります。",
                "Change it if another program uses it. The URL that you pasted into OBS changes, too.";
        ObsPagesOpen: switch(obs.serves_network) =>
            "同じネットワークの機器からも見られるようにする", "Open to devices on the same network"
            about "スマートフォンなどで見るときに使います。同じネットワークにいて、この URL を知っている人は誰でも評価値を見られます。通信は暗号化されません。",
                "For a phone, for example. Anyone on the same network who knows the URL can see the evaluations. The connection is not encrypted."
            found_by "lan スマホ 別のパソコン";
        Control: own() =>
            "Stream Deck などから操作できるようにする", "Control by a Stream Deck or a script"
            about "このパソコンの中のソフトが、URL に POST を送って操作できます: hide show layout=bar theme=ink next_game follow lock unlock switch numbers_only=1 delay=5 own_game=1（?game=2 で対局を選べます）。ウェブサイトからは操作できません。ページを有効にしている間だけ働きます。",
                "Programs on this computer can send a POST to the URL: hide show layout=bar theme=ink next_game follow lock unlock switch numbers_only=1 delay=5 own_game=1 (?game=2 chooses a game). Websites cannot. It works while the pages are enabled."
            found_by "stream deck ストリームデック 操作 curl api remote リモコン";
    }
    Keys {
        HideKey: own() =>
            "評価値を伏せる／戻す", "Hide or show the evaluation"
            about "ネタバレを避けたいときに、ほかのアプリを使ったままで。",
                "Hides spoilers while you are in another program.";
        ClickThroughKey: own() =>
            "クリック透過の切替", "Toggle click-through"
            about "クリックを通している間は、このキーで元に戻せます。",
                "Also turns click-through off again.";
        LockKey: own() =>
            "対局に固定する／外す", "Lock to the game or unlock"
            about "バーと配信用のページを、いまの対局に固定します。開いたもの・質問・再起動では替わりません。",
                "Locks the bars and the pages for viewers to their game. No opening, question or restart changes it.";
        SwitchKey: own() =>
            "次の対局に切り替える", "Switch to the next game"
            about "放送に出す対局を、次のものに切り替えます。",
                "Switches the outputs to the next game.";
    }
}

impl SettingItem {
    /// Returns whether each word of a search occurs in the setting's texts, in any language.
    pub fn is_found(self, group: SettingGroup, search: &str) -> bool {
        let mut texts = String::new();
        for lang in [Lang::Ja, Lang::En] {
            texts.extend([
                group.text(lang),
                "\n",
                self.label(lang),
                "\n",
                self.explanation(lang),
                "\n",
            ]);
            let buttons = self.buttons().iter().map(|button| button.text(lang));
            for word in self.choices(lang).into_iter().chain(buttons) {
                texts.extend([word, "\n"]);
            }
        }
        contains_words(&texts, search)
    }

    /// Returns the words by which the setting is found: its names, choices and group, and further words of users.
    pub fn findable(self, group: SettingGroup) -> Findable {
        let both = [Lang::Ja, Lang::En];
        let choices = both.map(|lang| self.choices(lang).join(" ")).join(" ");
        let words = [group.text(Lang::Ja), group.text(Lang::En), &choices, self.words()].join(" ");
        Findable::new(both.map(|lang| self.label(lang)), &words)
    }

    const fn buttons(self) -> &'static [SettingsPhrase] {
        match self {
            Self::Font | Self::BarFont => &[SettingsPhrase::Reset, SettingsPhrase::ListFonts],
            Self::Theme => &[
                SettingsPhrase::Reset,
                SettingsPhrase::CopyTheme,
                SettingsPhrase::ImportTheme,
                SettingsPhrase::ExportTheme,
            ],
            Self::HideKey | Self::ClickThroughKey | Self::LockKey | Self::SwitchKey => {
                &[SettingsPhrase::Reset, SettingsPhrase::Clear]
            }
            Self::ObsPagesAddress => &[
                SettingsPhrase::CopyDesk,
                SettingsPhrase::CopyBoardPage,
                SettingsPhrase::CopyNetwork,
                SettingsPhrase::OpenDesk,
            ],
            _ => &[SettingsPhrase::Reset],
        }
    }

    fn choices(self, lang: Lang) -> Vec<&'static str> {
        match (self, self.control()) {
            (_, SettingControl::Choice(choice)) => (choice.names)(lang),
            (Self::Preset, _) => OverlayPreset::ALL
                .iter()
                .map(|choice| preset(*choice, lang))
                .collect(),
            (Self::Theme, _) => Theme::names().map(|name| theme(name, lang)).collect(),
            (Self::BlackColor | Self::WhiteColor, _) => vec![SettingsPhrase::ThemeColor.text(lang)],
            _ => Vec::new(),
        }
    }
}

const fn part_name(part: OverlayPart, lang: Lang) -> &'static str {
    let (ja, en) = match part {
        OverlayPart::Names => ("対局者名", "Players' names"),
        OverlayPart::Numbers => ("勝率", "Win rates"),
        OverlayPart::Words => ("指し手", "Moves"),
        OverlayPart::Candidates => ("候補手", "Candidates"),
        OverlayPart::Lines => ("読み筋", "Lines"),
        OverlayPart::Loss => ("最善手との差", "Loss against the best"),
        OverlayPart::Figures => ("深さ・ノード数・速度", "Depth, nodes, speed"),
        OverlayPart::Engine => ("エンジン名", "Engine's name"),
        OverlayPart::MoveNumber => ("手数", "Move number"),
        OverlayPart::LastMove => ("直前の手", "Last move"),
        OverlayPart::ToMove => ("手番", "Side to move"),
        OverlayPart::Evaluation => ("評価値", "Evaluation"),
        OverlayPart::Situation => ("形勢の言葉（互角など）", "Advantage in words"),
        OverlayPart::Ticks => ("バーの目盛り", "Bar ticks"),
        OverlayPart::Signal => ("ライブ表示とエンジンの状態", "Live and engine status"),
        OverlayPart::Graph => ("勝率の推移", "Win rate graph"),
        OverlayPart::Clocks => ("時計", "Clocks"),
        OverlayPart::Threats => ("詰めろ・この一手", "Mate threat, only move"),
        OverlayPart::Formations => ("戦型と囲い", "Opening and castles"),
        OverlayPart::TurningCard => ("勝敗を分けた手のカード", "Card for a turning point"),
        OverlayPart::Reason => ("局面の一言（詰めろ・受け）", "Sentence about the position"),
    };
    lang.pick(ja, en)
}

sentences! {
    /// Returns the message about a newer version.
    pub fn newer(version: &str; lang) => "新しい版 {version} が公開されています", "Version {version} is available";

    /// Returns the error of a font that is not installed.
    pub fn no_font(name: &str; lang) =>
        "「{name}」というフォントはこのコンピューターにありません。", "There is no font '{name}' on this computer.";

    /// Returns the error of keys that another setting has.
    pub fn taken(other: SettingItem; lang) =>
        "「{other}」と同じです。", "'{other}' already has this key.", other = other.label(lang);
}

/// Returns the message that the program is up to date.
pub const fn newest(lang: Lang) -> &'static str {
    lang.pick("お使いの版が最新です。", "This is the newest version.")
}

/// Returns the message that GitHub did not answer the update check.
pub const fn no_answer(lang: Lang) -> &'static str {
    lang.pick(
        "GitHub から答えがありませんでした。明日以降の起動時にもう一度問い合わせます。",
        "GitHub did not answer. Shogibar asks again when it is started tomorrow or later.",
    )
}

/// Returns why a combination is not a valid hot key.
pub fn hot_key(error: &HotKeyError, lang: Lang) -> String {
    match error {
        HotKeyError::NoSuchKey(key) => say!(lang: "「{key}」は使えません。", "'{key}' cannot be used."),
        HotKeyError::NotOneKey => say!(lang:
            "Ctrl などと一緒に押すキーを1つ決めてください。", "Press one key together with Ctrl, Alt and so on."),
        HotKeyError::Typed => say!(lang:
            "文字の入力と区別できません。Ctrl か Alt と一緒に押すか、F1～F24 を使ってください。",
            "It cannot be told apart from typing. Combine it with Ctrl or Alt, or use one of F1 to F24."),
    }
}

/// Returns the note about where global hot keys work; empty if they work everywhere.
pub const fn hot_key_scope(reach: HotKeyScope, lang: Lang) -> &'static str {
    match reach {
        HotKeyScope::Everywhere => "",
        HotKeyScope::X11 => lang.pick(
            "Wayland では、バーなど X11 のアプリを使っている間だけ効きます。",
            "On Wayland these work only while the bar or another X11 program is active.",
        ),
        HotKeyScope::Nowhere => lang.pick(
            "Wayland では使えません。バーを選んでいる間は、H と T が同じ働きをします。",
            "These do not work on Wayland. While the bar is active, H and T do the same.",
        ),
    }
}

/// Returns the hint how to turn off click-through. `key` is the hot key of click-through; empty if there is none.
pub fn click_through_exit(key: &str, lang: Lang) -> String {
    match key {
        "" => say!(lang:
            "元に戻すには、ここでオフにします。それまで、このウィンドウは閉じても最小化されるだけです。",
            "To get it back, turn this off here. Until then, closing this window only minimises it."),
        key => say!(lang:
            "元に戻すには、{key} を押すか、ここでオフにします。",
            "To get it back, press {key} or turn this off here."),
    }
}

phrases! {
    /// A text of a button or a field of the settings page.
    pub enum SettingsPhrase {
        Search => "設定を探す", "Find a setting";
        ClearSearch => "検索を消す", "Clear the search";
        NothingFound => "一致する設定はありません。", "No setting matches.";
        Reset => "既定に戻す", "Reset";
        CopyDesk => "盤面の URL をコピー", "Copy the boards' URL";
        CopyBoardPage => "解説盤の URL をコピー", "Copy the commentary board's URL";
        CopyNetwork => "ほかの機器用の URL をコピー", "Copy the URL for another device";
        OpenDesk => "盤面をブラウザで見る", "Boards in the browser";
        On => "有効にする", "Enable";
        CopyControl => "操作用の URL をコピー", "Copy the control URL";
        LastControls => "最近の操作", "Last";
        PagesOff => "まだ有効ではありません。", "Not enabled yet.";
        ShippedFont => "付属のフォント（Noto Sans JP）", "Built-in (Noto Sans JP)";
        ListFonts => "一覧から選ぶ", "Choose from a list";
        CloseList => "一覧を閉じる", "Close the list";
        LookingForFonts => "フォントを探しています…", "Looking for fonts…";
        ThemeColor => "テーマの色", "Theme's colour";
        CopyTheme => "コピーして編集", "Copy and edit";
        ImportTheme => "読み込む…", "Import…";
        ExportTheme => "書き出す…", "Export…";
        CopyPath => "パスをコピー", "Copy the path";
        ColorHint => "#00FF00 のように書いてください。", "Write it like #00FF00.";
        ColorCode => "色コード", "code";
        NoKeys => "なし", "none";
        PressKeys => "キーを押してください（Esc で中止）", "Press the keys (Esc to cancel)";
        Clear => "消す", "Clear";
        Reserved => "コピーや貼り付けのキーは使えません。", "The keys for copy and paste cannot be used.";
    }
}

#[cfg(test)]
mod tests;
