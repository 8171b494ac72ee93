//! Texts of the settings page: names, explanations and choices.

mod choices;

pub use choices::{background, board, digits, language, layout, pages, pieces, position_limit, preset, theme};

use super::find::Findable;
use super::{Lang, contains_words, pages as page_texts};
use crate::config::{
    Background, BoardColors, DigitFont, HotKeyError, HotKeyScope, Language, Layout, OverlayPart, OverlayPreset,
    PieceCharacters, PositionLimit, Theme, WindowColors,
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

/// A row of the settings page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SettingItem {
    /// The language of the user interface.
    Language,
    /// The font.
    Font,
    /// The characters on the pieces.
    Pieces,
    /// The colours of the main window's pages.
    Pages,
    /// The colours of the board.
    Board,
    /// Whether the candidates are drawn on the board.
    Arrows,
    /// Whether a record that any program copies becomes a game.
    WatchClipboard,
    /// Whether live games without a bar are also searched.
    ShareEngines,
    /// The longest search of a position.
    PositionLimit,
    /// Whether the graph of a game joined late is filled.
    FillsGraph,
    /// Whether to check for newer versions.
    Updates,
    /// Whether to record the USI traffic of the engines.
    Log,
    /// Whether evaluations of finished games are stored.
    KeepsResults,
    /// The layout of the bar.
    Layout,
    /// The theme.
    Theme,
    /// Black's colour.
    BlackColor,
    /// White's colour.
    WhiteColor,
    /// Whether Black is on the right.
    Swapped,
    /// Whether numbers are animated.
    Motion,
    /// The font of the bar.
    BarFont,
    /// The typeface of the digits of win rates.
    Digits,
    /// The text size of the bar.
    TextSize,
    /// The zoom of the main window's pages.
    WindowZoom,
    /// The opacity of the panel.
    PanelOpacity,
    /// Whether the engines pause while the evaluation is hidden.
    PausesHidden,
    /// The presets of parts.
    Preset,
    /// Whether a part is shown.
    Part(OverlayPart),
    /// The background of the bar.
    Background,
    /// The chroma key colour.
    KeyColor,
    /// Whether the bar stays on top.
    AlwaysOnTop,
    /// Whether clicks go through the bar.
    ClickThrough,
    /// Whether a relay starts the program.
    StartsWindow,
    /// Whether two relays share a bar.
    SharesBar,
    /// The appearance of the bar in OBS, and its address.
    ObsStyle,
    /// Whether the OBS pages are served.
    ServesObsPages,
    /// The address of the OBS pages.
    ObsPagesAddress,
    /// The port of the OBS pages.
    ObsPagesPort,
    /// Whether the OBS pages are open to the network.
    ObsPagesOpen,
    /// The control address.
    Control,
    /// The hot key that hides the evaluation.
    HideKey,
    /// The global key that locks the outputs.
    LockKey,
    /// The global key that switches the outputs.
    SwitchKey,
    /// The hot key that switches click-through.
    ClickThroughKey,
}

impl SettingGroup {
    /// All groups, in the order of the page.
    pub const ALL: [Self; 7] =
        [Self::General, Self::Overlay, Self::Parts, Self::Window, Self::Relay, Self::Obs, Self::Keys];

    /// Returns the settings of the group, in the order of the page.
    pub fn items(self) -> Vec<SettingItem> {
        match self {
            Self::General => vec![
                SettingItem::Language,
                SettingItem::Font,
                SettingItem::Pages,
                SettingItem::Board,
                SettingItem::Pieces,
                SettingItem::WindowZoom,
                SettingItem::Arrows,
                SettingItem::WatchClipboard,
                SettingItem::ShareEngines,
                SettingItem::PositionLimit,
                SettingItem::FillsGraph,
                SettingItem::Updates,
                SettingItem::Log,
                SettingItem::KeepsResults,
            ],
            Self::Overlay => vec![
                SettingItem::Layout,
                SettingItem::Theme,
                SettingItem::BlackColor,
                SettingItem::WhiteColor,
                SettingItem::TextSize,
                SettingItem::PanelOpacity,
                SettingItem::BarFont,
                SettingItem::Digits,
                SettingItem::Swapped,
                SettingItem::Motion,
                SettingItem::PausesHidden,
            ],
            Self::Parts => std::iter::once(SettingItem::Preset)
                .chain(OverlayPart::ALL.iter().copied().map(SettingItem::Part))
                .collect(),
            Self::Window => {
                vec![
                    SettingItem::Background,
                    SettingItem::KeyColor,
                    SettingItem::AlwaysOnTop,
                    SettingItem::ClickThrough,
                ]
            }
            Self::Relay => vec![SettingItem::StartsWindow, SettingItem::SharesBar],
            Self::Obs => {
                vec![
                    SettingItem::ObsStyle,
                    SettingItem::ServesObsPages,
                    SettingItem::ObsPagesAddress,
                    SettingItem::ObsPagesPort,
                    SettingItem::ObsPagesOpen,
                    SettingItem::Control,
                ]
            }
            Self::Keys => {
                vec![SettingItem::HideKey, SettingItem::ClickThroughKey, SettingItem::LockKey, SettingItem::SwitchKey]
            }
        }
    }
}

/// The explanation of [`SettingItem::Log`], in Japanese and English.
const LOG_EXPLANATION: (&str, &str) = (
    "エンジンに送った命令と出力を、すぐ下のファイルに記録します。不具合の報告に役立ちます。64 MB ごとに新しいファイルに移り、古いものは1つ残ります。",
    "Records what engines are sent and what they answer in the file below, for bug reports. A new file is started every 64 MB, and one older file is kept.",
);

/// The explanation of [`SettingItem::KeepsResults`], in Japanese and English.
const KEEPS_RESULTS_EXPLANATION: (&str, &str) = (
    "勝敗のついた対局の評価値を、このコンピューターの calibration.jsonl に記録します。エンジンごとに勝率の係数 K を求めるためで、どこにも送りません。",
    "Stores evaluations of games with a result in calibration.jsonl on this computer, to fit the scale K of each engine. Nothing is sent anywhere.",
);

impl SettingItem {
    /// Returns the name in a language.
    pub const fn label(self, lang: Lang) -> &'static str {
        let (ja, en) = match self {
            Self::Language => ("言語", "Language"),
            Self::Font => ("フォント", "Font"),
            Self::Pieces => ("駒の文字", "Pieces"),
            Self::Pages => ("画面の配色", "Pages"),
            Self::Board => ("盤と駒の色", "Board and pieces"),
            Self::Arrows => ("候補手を盤に矢印で表示する", "Show the candidates on the board"),
            Self::WatchClipboard => ("コピーした棋譜や局面を自動で開く", "Open records and positions that are copied"),
            Self::ShareEngines => ("バーのない中継の対局も検討する", "Search live games that no bar shows"),
            Self::PositionLimit => ("1局面の読みの上限", "Limit for each position"),
            Self::FillsGraph => ("途中から見た対局のグラフを埋める", "Fill the graph of a game joined late"),
            Self::Updates => ("新しい版があるか確認する", "Check for updates"),
            Self::Log => ("エンジンとの通信を記録する", "Record the engines' traffic"),
            Self::KeepsResults => ("終わった対局の評価値を記録する", "Keep evaluations of finished games"),
            Self::Layout => ("レイアウト", "Layout"),
            Self::Theme => ("テーマ", "Theme"),
            Self::BlackColor => ("先手の色", "Black's colour"),
            Self::WhiteColor => ("後手の色", "White's colour"),
            Self::Swapped => ("先手を右に表示する", "Black on the right"),
            Self::Motion => ("数字とバーを滑らかに動かす", "Animate numbers and bar"),
            Self::BarFont => ("バーのフォント", "Font of the bar"),
            Self::Digits => ("勝率の数字", "Digits"),
            Self::TextSize => ("文字の大きさ", "Letter size"),
            Self::WindowZoom => ("ページの拡大", "Zoom of the pages"),
            Self::PanelOpacity => ("パネルの不透明度", "Panel opacity"),
            Self::PausesHidden => {
                ("評価値を伏せている間はエンジンを止める", "Pause the engines while the evaluation is hidden")
            }
            Self::Preset => ("プリセット", "Preset"),
            Self::Part(part) => return part_name(part, lang),
            Self::Background => ("背景", "Background"),
            Self::KeyColor => ("クロマキーの色", "Chroma key colour"),
            Self::AlwaysOnTop => ("常に手前に表示する", "Always on top"),
            Self::ClickThrough => ("クリック透過", "Click-through"),
            Self::StartsWindow => ("将棋 GUI がエンジンを起動したら開く", "Open when a GUI starts its engine"),
            Self::SharesBar => ("2つのエンジンの対局を1本のバーに表示する", "One bar for a game of two engines"),
            Self::ObsStyle => ("OBS に映す", "Show in OBS"),
            Self::ServesObsPages => ("ブラウザ用のページを有効にする", "Serve pages for browsers"),
            Self::ObsPagesAddress => ("URL", "Address"),
            Self::ObsPagesPort => ("ポート", "Port"),
            Self::ObsPagesOpen => {
                ("同じネットワークの機器からも見られるようにする", "Open to devices on the same network")
            }
            Self::Control => ("Stream Deck などから操作できるようにする", "Control by a Stream Deck or a script"),
            Self::HideKey => ("評価値を伏せる／戻す", "Hide or show the evaluation"),
            Self::LockKey => ("対局に固定する／外す", "Lock to the game or unlock"),
            Self::SwitchKey => ("次の対局に切り替える", "Switch to the next game"),
            Self::ClickThroughKey => ("クリック透過の切替", "Toggle click-through"),
        };
        lang.pick(ja, en)
    }

    /// Returns the explanation; empty if the setting needs none.
    #[expect(clippy::too_many_lines, reason = "a table of texts")]
    pub const fn explanation(self, lang: Lang) -> &'static str {
        let (ja, en) = match self {
            Self::Font => ("空欄なら付属の Noto Sans JP を使います。", "Leave empty to use the included Noto Sans JP."),
            Self::BarFont => {
                ("空欄なら、ほかの画面と同じフォントを使います。", "Leave empty to use the font of the other windows.")
            }
            Self::PanelOpacity => (
                "小さくするほど、後ろの映像が透けて見えます。バー本体は透けません。",
                "The lower the value, the more of the picture behind shines through. The bar itself stays opaque.",
            ),
            Self::Preset => (
                "「配信」は深さやエンジン名などの専門的な項目を隠します。",
                "Stream hides technical parts, such as depth and engine.",
            ),
            Self::Pages => (
                "検討・エンジン・設定の画面の配色です。バーの配色は「テーマ」で選びます。",
                "For the Study, Engines and Settings pages. The bar has its own themes.",
            ),
            Self::WindowZoom => (
                "検討・エンジン・設定の画面だけに効きます（Ctrl と + − 0 でも）。小さなウィンドウでは、切れない大きさまでになります。",
                "For the Study, Engines and Settings pages (also Ctrl and + − 0). A small window limits the zoom, so that nothing is cut off.",
            ),
            Self::Arrows => (
                "動かす手は矢印、打つ手は半透明の駒で示します。",
                "Shows moves as arrows and drops as faint pieces, each with its rank.",
            ),
            Self::Log => LOG_EXPLANATION,
            Self::KeepsResults => KEEPS_RESULTS_EXPLANATION,
            Self::Updates => (
                "週に1回、最新の版の番号を GitHub に問い合わせます。ほかの情報は送りません。",
                "Asks GitHub once a week for the number of the latest version. Nothing else is sent.",
            ),
            Self::Theme => (
                "配色を変えるには「コピーして編集」で自分用のファイルを作ります。保存するとすぐ反映されます。",
                "To change colours, create your own file with 'Copy and edit'. The bar changes as soon as you save it.",
            ),
            Self::BlackColor => (
                "テーマの色の代わりに、バーの先手の側に使います。",
                "For Black's side of the bar, instead of the theme's colour.",
            ),
            Self::WhiteColor => (
                "テーマの色の代わりに、バーの後手の側に使います。",
                "For White's side of the bar, instead of the theme's colour.",
            ),
            Self::Swapped => {
                ("縦のレイアウトでは、先手が上になります。", "In the vertical layout, Black is then at the top.")
            }
            Self::Motion => (
                "グラフィックスカードがない環境では、エンジンがすべてのプロセッサーを使っている間は動かしません。",
                "Without a graphics card, nothing moves while an engine uses every processor.",
            ),
            Self::Background => (
                "「テーマの通り」では後ろの映像が透けて見えます。クロマキーは、OBS などで抜くための単色の背景です。",
                "'As the theme' lets the picture behind shine through. A chroma key is a single colour that OBS and others remove.",
            ),
            Self::KeyColor => {
                ("背景がクロマキーのときの色です。", "The colour of the background when it is a chroma key.")
            }
            Self::ClickThrough => (
                "マウスの操作がバーを素通りして、後ろのウィンドウに届きます。",
                "The mouse passes through the bar and reaches the window behind it.",
            ),
            Self::StartsWindow => (
                "「エンジン」の「将棋 GUI で使う」で登録したエンジンが起動したとき、このプログラムも開きます。",
                "For engines registered with 'Use in a shogi GUI' on the Engines page.",
            ),
            Self::ShareEngines => (
                "バーのエンジンが、すべての中継を順に検討します（新しい局面が先）。バーの対局にかかる時間は、その分だけ減ります。",
                "The engines of the bars search all live games in turn, newest position first. Each game gets less time.",
            ),
            Self::PositionLimit => (
                "1局面の読みが「自動」のエンジンは、この時間で読みを終えます。「なし」なら局面が変わるまで読みます。",
                "Engines with an automatic limit stop searching after this time. With 'None', they search until the position changes.",
            ),
            Self::FillsGraph => (
                "それまでの局面を内蔵エンジンが裏で軽く読み、薄い線で補います。棋譜や集計には入りません。",
                "The built-in engine briefly searches the earlier positions in the background. Their values are drawn fainter, and are in no record or summary.",
            ),
            Self::SharesBar => (
                "選ばなければ、エンジンごとに1本ずつバーを開きます。次につながるエンジンから変わります。",
                "Otherwise each engine has its own bar. Takes effect with the next engine.",
            ),
            Self::ObsStyle => return page_texts::address_explanation(lang),
            Self::ServesObsPages => return page_texts::serves_explanation(lang),
            Self::ObsPagesPort => (
                "ほかのプログラムが使っているときに変えます。OBS に貼り付けた URL も変わります。",
                "Change it if another program uses it. The URL that you pasted into OBS changes, too.",
            ),
            Self::ObsPagesOpen => return page_texts::lan_warning(lang),
            Self::Control => (
                "このパソコンの中のソフトが、URL に POST を送って操作できます: hide show layout=bar theme=ink next_game follow lock unlock switch numbers_only=1 delay=5 own_game=1（?game=2 で対局を選べます）。ウェブサイトからは操作できません。ページを有効にしている間だけ働きます。",
                "Programs on this computer can send a POST to the URL: hide show layout=bar theme=ink next_game follow lock unlock switch numbers_only=1 delay=5 own_game=1 (?game=2 chooses a game). Websites cannot. It works while the pages are enabled.",
            ),
            Self::LockKey => (
                "バーと配信用のページを、いまの対局に固定します。開いたもの・質問・再起動では替わりません。",
                "Locks the bars and the pages for viewers to their game. No opening, question or restart changes it.",
            ),
            Self::SwitchKey => ("放送に出す対局を、次のものに切り替えます。", "Switches the outputs to the next game."),
            Self::HideKey => (
                "ネタバレを避けたいときに、ほかのアプリを使ったままで。",
                "Hides spoilers while you are in another program.",
            ),
            Self::ClickThroughKey => {
                ("クリックを通している間は、このキーで元に戻せます。", "Also turns click-through off again.")
            }
            _ => ("", ""),
        };
        lang.pick(ja, en)
    }

    /// Returns whether each word of a search occurs in the setting's texts, in any language.
    pub fn is_found(self, group: SettingGroup, search: &str) -> bool {
        let mut texts = String::new();
        for lang in [Lang::Ja, Lang::En] {
            texts.extend([group.text(lang), "\n", self.label(lang), "\n", self.explanation(lang), "\n"]);
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
        let more = match self {
            Self::Background => "透過 透明 グリーンバック",
            Self::ObsStyle | Self::ServesObsPages | Self::ObsPagesAddress => "OBS 配信 ブラウザソース browser source",
            Self::ObsPagesOpen => "lan スマホ 別のパソコン",
            Self::Control => "stream deck ストリームデック 操作 curl api remote リモコン",
            Self::Motion => "アニメーション 動き 重い cpu",
            Self::PositionLimit => "時間 秒 制限 軽く",
            Self::Swapped => "左右 入れ替え",
            Self::AlwaysOnTop => "最前面",
            Self::Digits => "パーセント 小数",
            Self::PanelOpacity => "透過 半透明",
            _ => "",
        };
        let choices = both.map(|lang| self.choices(lang).join(" ")).join(" ");
        let words = [group.text(Lang::Ja), group.text(Lang::En), &choices, more].join(" ");
        Findable::new(both.map(|lang| self.label(lang)), &words)
    }

    /// Returns the labels of the buttons of the setting.
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
            Self::ObsPagesAddress => &[SettingsPhrase::CopyDesk, SettingsPhrase::CopyNetwork, SettingsPhrase::OpenDesk],
            _ => &[SettingsPhrase::Reset],
        }
    }

    /// Returns the names of the choices.
    fn choices(self, lang: Lang) -> Vec<&'static str> {
        match self {
            Self::Language => Language::ALL.iter().map(|choice| language(*choice, lang)).collect(),
            Self::Digits => DigitFont::ALL.iter().map(|choice| digits(*choice, lang)).collect(),
            Self::Preset => OverlayPreset::ALL.iter().map(|choice| preset(*choice, lang)).collect(),
            Self::Pages => WindowColors::ALL.iter().map(|choice| pages(*choice, lang)).collect(),
            Self::Board => BoardColors::ALL.iter().map(|choice| board(*choice, lang)).collect(),
            Self::Pieces => PieceCharacters::ALL.iter().map(|choice| pieces(*choice, lang)).collect(),
            Self::PositionLimit => PositionLimit::ALL.iter().map(|choice| position_limit(*choice, lang)).collect(),
            Self::Layout => Layout::ALL.iter().map(|choice| layout(*choice, lang)).collect(),
            Self::Background => Background::ALL.iter().map(|choice| background(*choice, lang)).collect(),
            Self::Theme => Theme::names().map(|name| theme(name, lang)).collect(),
            Self::BlackColor | Self::WhiteColor => vec![SettingsPhrase::ThemeColor.text(lang)],
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
