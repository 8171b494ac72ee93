//! The messages of the program: complete sentences about events.

use shogibar_base::visible::{file_name, visible, without_passwords};
use shogibar_base::{CauseText, Lang, messages, phrases, say};
use shogibar_config::{HotKeyError, HotKeyScope, Remark, settings_text};
use shogibar_engine::LogProblem;
use shogibar_games::bar::BarNotice;
use shogibar_games::{EngineMessage, RecordRemark};
use shogibar_kifu::{UnreadableRecord, Warning, record_text};
use shogibar_live::source_text::SourceRemark;

messages! {
    /// The reason why a global hot key does not work.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum KeyRefusal in lang, key: &str {
        /// The setting is not a valid hot key.
        InvalidKey(why: HotKeyError) =>
            "キー {key} は使えません。{why}", "The key {key} cannot be used. {why}", why = settings_text::hot_key(why, lang);
        Taken =>
            "キー {key} は、ほかのプログラムが使っています。設定で別のキーを選んでください。",
            "Another program uses the key {key}. Choose another in the settings.";
        /// Another instance of Shogibar has the hot key.
        HeldByShogibar =>
            "{key} は、先に起動した Shogibar で働きます。こちらで使うには、設定で別のキーを選んでください。",
            "{key} belongs to the Shogibar that was started first. Choose another key in the settings.";
        /// The system refuses the hot key, with this reason.
        Failed(why: String) =>
            "キー {key} は使えません（{why}）。設定で別のキーを選んでください。",
            "The key {key} cannot be used ({why}). Choose another in the settings.";
    }
}

phrases! {
    /// The kind of content copied to the clipboard.
    pub enum CopiedItem {
        Bar => "バーの画像", "the bar as a picture";
        Board => "盤の画像", "the board as a picture";
        Record => "棋譜", "the record";
        Position => "局面（SFEN）", "the position (SFEN)";
        Summary => "まとめ", "the summary";
        Line => "読み筋", "the line";
        Address => "URL", "the URL";
    }
}

messages! {
    /// A sentence for the user about an event and, after an error, the next step.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Message in lang {
        /// A command would have changed an output that is locked to its game.
        OutputLocked =>
            "固定中です。固定を外してから切り替えてください。", "Locked to its game. Unlock it first to show another.";
        /// The game on air has no turning point that could be shown again.
        NoTurningPoint =>
            "放送中の対局に、勝敗を分けた手はまだありません。", "The game on air has no turning point yet.";
        /// The evaluation is hidden, or another position is shown.
        TurningPointWithheld =>
            "評価値を伏せているあいだと、最新でない局面では、勝敗を分けた手を見せません。",
            "No turning point is shown while the evaluation is hidden or an earlier position is shown.";
        /// A game was opened while the bar is on air.
        OpenedOffAir =>
            "放送中のバーはそのままです。開いたものは検討画面（B）のタブにあり、放送の操作（A）で切り替えられます。",
            "The bar on air stays as it is. What was opened is a tab of the study page (B); switch to it in the panel (A).";
        /// A command would have replaced a game that viewers may be watching.
        KeptOnAir =>
            "放送中の対局はそのままにしました。ほかの対局は新しいタブで開けます。",
            "The game on air was left as it is. Open other games in new tabs.";
        NoDisplay =>
            "画面が見つからないため、評価値バーをこの端末に表示します。",
            "There is no display to open a window on, so the bar is shown in this terminal.";
        NoWindow(why: String) =>
            "ウィンドウを開けないため、評価値バーをこの端末に表示します（{why}）。",
            "No window can be opened ({why}), so the bar is shown in this terminal.";
        /// Neither a window nor a terminal can show the bar. Holds the cause.
        NoWindowNorTerminal(why: String) =>
            "ウィンドウを開けません。OpenGL が必要です（{why}）。", "No window can be opened. It needs OpenGL ({why}).";
        /// Click-through is on. Holds the key that switches it off; empty if there is none.
        ClicksGoThrough(key: String) => { clicks_go_through(key, lang) };
        /// Windows cannot be transparent on this system.
        NotTransparent =>
            "この画面では透明にできないため、不透明で表示します（コンポジターが動いていません）。",
            "The bar is opaque, because no compositor is running.";
        /// Windows cannot stay on top on this system.
        NotOnTop =>
            "Wayland ではバーを手前に保てず、位置も覚えられません。ウィンドウのメニューの「常に手前」を使うか、XWayland で起動してください。",
            "On Wayland the bar can neither stay on top nor remember its place. Use the window menu's \
                 \"Always on Top\", or start it under XWayland.";
        OpenedBehind =>
            "盤とバーを隠さないよう、ウィンドウを後ろに開きました。タスクバーなどから前に出せます。",
            "The window was opened behind the others, so that it covers neither the board nor a bar.";
        /// A message about settings, themes or engines.
        Settings(remark: Box<Remark>) => { remark.text(lang) };
        /// A text or picture was copied to the clipboard.
        Copied(item: CopiedItem) => "{item}をコピーしました。", "Copied: {item}.", item = item.text(lang);
        PictureSaved(file: String) => "画像を保存しました: {file}", "The picture was saved: {file}";
        VideoSaved(file: String) => "動画を保存しました: {file}", "The video was saved: {file}";
        /// The machine has no ffmpeg, which makes MP4 files.
        AnimationSaved(file: String) =>
            "ffmpeg がないので、動く PNG で保存しました: {file}", "There is no ffmpeg, so an animated PNG was saved: {file}";
        VideoNotSaved(why: CauseText) => "動画を保存できません（{why}）。", "The video was not saved ({why}).", why = why.text(lang);
        PictureNotSaved(why: CauseText) =>
            "画像を保存できません（{why}）。shogibar snapshot でも保存できます。",
            "The picture cannot be saved ({why}). `shogibar snapshot` can save one, too.", why = why.text(lang);
        /// A global hot key does not work; holds its setting and the cause.
        KeyRefused(key: String, why: KeyRefusal) => { why.sentence(lang, key) };
        /// Global hot keys do not work on this system.
        NoKeys => { settings_text::hot_key_scope(HotKeyScope::Nowhere, lang).to_owned() };
        BuiltWithoutWindow =>
            "ウィンドウなしでビルドされているため、評価値バーをこの端末に表示します。",
            "This program was built without its window, so the bar is shown in this terminal.";
        /// Shown once, when a game of other players is followed for the first time.
        Fairness =>
            "観戦や研究のためのソフトです。対局している本人は、対局中に使わないでください。",
            "This is for watching and for study. Players must not use it during their game.";
        /// The user wants to end the program while a live game is shown.
        QuitWhileLive =>
            "対局を表示しています。終了しますか？", "A live game is shown. Quit?";
        /// The user wants to end the program while an output is on air.
        QuitWhileOnAir =>
            "放送中です。終了しますか？", "An output is on air. Quit?";
        /// The user wants to restart an engine behind a relay, which only the shogi GUI can do.
        EngineIsRelayed => "このエンジンは将棋 GUI が動かしています。再起動は将棋 GUI で行ってください。",
            "A shogi GUI runs this engine. Restart it there.";
        PiecesForgotten => "画面から覚えた駒の見た目を忘れました。", "The piece sets learnt from the screen have been forgotten.";
        PiecesNotForgotten(path: String) =>
            "画面から覚えた駒の見た目のファイルを消せませんでした。手で消してください: {path}",
            "The file of the piece sets could not be emptied. Delete it: {path}";
        PiecesBackedUp(path: String) =>
            "覚えた駒の見た目のファイルが読めないので、{path} に移して新しく始めます。",
            "The file of learnt piece sets cannot be read. It was moved to {path}, and a new one was started.";
        BuiltInStandsIn(engine: String) =>
            "「{engine}」を使えません。エンジンの画面（N）で選んでください。内蔵エンジンで続けます。",
            "'{engine}' cannot be used. Press N to choose an engine. The built-in one is used meanwhile.";
        /// A message about an engine and its search.
        Engine(message: EngineMessage) => { message.sentence(lang) };
        /// The file, text or address of this name is not a record.
        RecordUnreadable(name: String, why: UnreadableRecord) => { why.sentence_about(name, lang) };
        /// A record was read with warnings. Holds the number of warnings, and the first one.
        RecordWarnings(count: usize, first: Warning) =>
            "棋譜に問題があります（{count}件）。{first}",
            "The record has problems ({count}). {first}", first = record_text::warning(first, lang);
        /// A message about the source of a game.
        Source(remark: SourceRemark) => { remark.text(lang) };
        /// A message about the current record.
        Record(remark: Box<RecordRemark>) => { remark.text(lang) };
        NoBrowser(address: &'static str) =>
            "ブラウザを開けません。URL: {address}", "No browser can be opened. The address is {address}";
        /// There is no browser to open a page of this program.
        NoBrowserForPages =>
            "ブラウザを開けません。設定の「OBS 用のページ」で URL をコピーし、ブラウザに貼り付けてください。",
            "No browser can be opened. Copy the URL under 'Pages for OBS' in the settings, and paste it into one.";
        /// The OBS pages are not served, so none can be opened.
        PagesNotServed =>
            "ページを出せないため、開けません。理由は設定の「OBS 用のページ」にあります。",
            "The page cannot be opened, because none is served. 'Pages for OBS' in the settings says why.";
        RecordUnevaluated => "棋譜にこの局面の評価値はありません。", "The record has no evaluation for this position.";
        /// Programs that ended abnormally left recoverable records; holds their number and the file name of the first.
        RecoverableRecords(count: usize, name: Option<String>) =>
            "{what}検討画面（B）から開けます。",
            "{what} Press B to open the study page.", what = recoverable_records(*count, name.as_deref(), lang);
        /// A problem of the traffic log.
        Log(problem: LogProblem) => { problem.text(lang) };
    }
}

impl From<RecordRemark> for Message {
    fn from(remark: RecordRemark) -> Self {
        Self::Record(Box::new(remark))
    }
}

impl From<EngineMessage> for Message {
    fn from(message: EngineMessage) -> Self {
        Self::Engine(message)
    }
}

impl From<SourceRemark> for Message {
    fn from(remark: SourceRemark) -> Self {
        Self::Source(remark)
    }
}

impl Message {
    /// Returns whether the open study page shows the message instead of the bar.
    pub const fn is_for_study(&self) -> bool {
        match self {
            Self::RecordUnreadable(..) | Self::RecordWarnings(..) | Self::Record(_) | Self::NoBrowser(_) => {
                true
            }
            Self::Copied(item) => !matches!(item, CopiedItem::Bar),
            Self::Source(remark) => matches!(remark, SourceRemark::NotOpened(..)),
            _ => false,
        }
    }

    /// Returns whether the message needs no action of the user, so that it may disappear unread.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Copied(_) => true,
            Self::Record(remark) => remark.is_transient(),
            _ => false,
        }
    }

    /// Returns the notice on a bar.
    pub fn notice(&self, lang: Lang) -> BarNotice {
        BarNotice::from_texts(self.on_air(lang), self.text(lang))
    }

    /// Returns the sentence in a language, without the passwords of addresses in it.
    pub fn text(&self, lang: Lang) -> String {
        visible(&without_passwords(&self.sentence(lang))).into_owned()
    }

    /// Returns the sentence for a bar that others may be watching. The sentence has no path, option, id or line of an
    /// engine, which the pages of the main window show. Only the path of a saved picture stays: no page shows that
    /// path.
    pub fn on_air(&self, lang: Lang) -> String {
        let plain = match self {
            Self::Engine(message) => return message.on_air(lang),
            Self::Settings(remark) if remark.is_error() => lang
                .pick(
                    "設定に問題があります。設定の画面（S）で確かめてください。",
                    "There is a problem with the settings. Press S to see it.",
                )
                .to_owned(),
            Self::PictureNotSaved(_) => lang
                .pick("画像を保存できませんでした。", "The picture could not be saved.")
                .to_owned(),
            Self::KeyRefused(key, KeyRefusal::Failed(_)) => say!(lang:
                "キー {key} は使えません。設定で別のキーを選んでください。",
                "The key {key} cannot be used. Choose another in the settings."),
            Self::BuiltInStandsIn(engine) => Self::BuiltInStandsIn(file_name(engine).to_owned()).text(lang),
            Self::RecordUnreadable(name, why) => {
                // The name alone has no scheme, so its password would not be found.
                let name = without_passwords(name);
                Self::RecordUnreadable(file_name(&name).to_owned(), why.clone()).text(lang)
            }
            Self::RecordWarnings(count, _) => say!(lang:
                "棋譜に問題があります（{count}件）。", "The record has problems ({count})."),
            Self::Record(remark) => remark.on_air(lang),
            Self::Source(remark) => remark.on_air(lang),
            Self::Log(problem) => problem.on_air(lang).to_owned(),
            _ => return self.text(lang),
        };
        visible(&plain).into_owned()
    }
}

/// Returns the message about records that a crashed program left unsaved; `name` is the file of the first.
pub fn recoverable_records(count: usize, name: Option<&str>, lang: Lang) -> String {
    let others = count.saturating_sub(1);
    match (name, others) {
        (Some(name), 0) => say!(lang:
            "前回、{name} への変更が保存されずに残っています。",
            "Changes to {name} were not saved when the program ended."),
        (Some(name), _) => say!(lang:
            "前回、{name} への変更ほか{others}件が保存されずに残っています。",
            "Changes to {name}, and {others} more, were not saved when the program ended."),
        (None, 0) => say!(lang:
            "前回、保存されなかった棋譜が残っています。", "A record was not saved when the program ended."),
        (None, _) => say!(lang:
            "前回、保存されなかった棋譜が{count}件残っています。",
            "{count} not saved when the program ended." [count: "record was" | "records were"]),
    }
}

/// Returns the message that click-through is on. `key` switches it off; empty for none.
fn clicks_go_through(key: &str, lang: Lang) -> String {
    match key {
        "" => say!(lang:
            "クリックは下の画面に届きます。設定の画面で元に戻せます。",
            "Clicks pass through the bar. Turn this off in the settings."),
        key => say!(lang:
            "クリックは下の画面に届きます。{key} か設定の画面で元に戻せます。",
            "Clicks pass through the bar. Turn this off with {key} or in the settings."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_kifu::FoundContent;

    fn check(message: &Message, ja: &str, en: &str) {
        assert_eq!([message.text(Lang::Ja), message.text(Lang::En)], [ja, en]);
    }

    #[test]
    fn an_unreadable_record_states_its_actual_type() {
        let unreadable = |why| Message::RecordUnreadable("x.kif".to_owned(), why);
        check(
            &unreadable(UnreadableRecord::OtherContent(FoundContent::Picture)),
            "x.kif を棋譜として読めません: 画像です。画像の盤は shogibar see で、画面に映っている盤は G で読み取れます。",
            "x.kif cannot be read as a game record: it is a picture. `shogibar see` reads the board in it, and G a board \
             on the screen.",
        );
        check(
            &unreadable(UnreadableRecord::TooLarge(64 << 20)),
            "x.kif を棋譜として読めません: 大きすぎます（上限は64 MB）。",
            "x.kif cannot be read as a game record: it is larger than 64 MB.",
        );
    }

    #[test]
    fn a_name_in_japanese_has_no_blank_behind_it() {
        let name = shogibar_games::convert_text::clipboard(Lang::Ja).to_owned();
        let message = Message::RecordUnreadable(name, UnreadableRecord::Empty);
        assert_eq!(
            message.text(Lang::Ja),
            "クリップボードの内容を棋譜として読めません: 中身がありません。"
        );
    }

    #[test]
    fn the_password_of_a_mistyped_address_is_left_out() {
        let message = |name: &str| Message::RecordUnreadable(name.to_owned(), UnreadableRecord::Empty);
        for name in ["csa:/me:SECRET@h", "csa:/me:SECRET@h/G"] {
            for lang in [Lang::Ja, Lang::En] {
                for sentence in [message(name).text(lang), message(name).on_air(lang)] {
                    assert!(!sentence.contains("SECRET"), "{sentence}");
                }
            }
        }
        assert!(
            message("csa:/me:SECRET@h")
                .text(Lang::En)
                .starts_with("csa:/me@h ")
        );
    }

    #[test]
    fn nothing_on_air_names_a_path_or_a_word_of_usi() {
        let path = || "/opt/engines/YaneuraOu".to_owned();
        let why = || CauseText::from("/opt/engines/YaneuraOu: usiok".to_owned());
        let messages = vec![
            Message::BuiltInStandsIn(path()),
            Message::PictureNotSaved(why()),
            Message::Log(LogProblem::NotWritten(why())),
            Message::Log(LogProblem::NotALog(path())),
            Message::KeyRefused("F9".to_owned(), KeyRefusal::Failed(path())),
            Message::RecordUnreadable(path(), UnreadableRecord::OtherContent(FoundContent::Picture)),
            Message::Settings(Box::new(Remark::SettingsUnwritten(why()))),
            RecordRemark::Saved(path()).into(),
            RecordRemark::NotSaved(why()).into(),
            RecordRemark::NotAutosaved(why()).into(),
            RecordRemark::ChangedElsewhere(path()).into(),
            RecordRemark::NotWhole(path()).into(),
            RecordRemark::OpenElsewhere(path()).into(),
            RecordRemark::ReportExists(path()).into(),
            RecordRemark::PositionSaved(path()).into(),
        ];
        for message in messages {
            for lang in [Lang::Ja, Lang::En] {
                let text = message.on_air(lang);
                let words = [
                    "/",
                    "\\",
                    "usi",
                    "USI",
                    "EvalDir",
                    "readyok",
                    "stop に",
                    "code",
                    "コード",
                    "シグナル",
                ];
                let found = words.into_iter().find(|word| text.contains(word));
                assert_eq!(found, None, "{message:?}: {text}");
            }
        }
    }

    #[test]
    fn a_saved_picture_names_its_folder_on_the_bar() {
        let saved = Message::PictureSaved("~/Pictures/shogibar.png".to_owned());
        assert_eq!(
            saved.on_air(Lang::Ja),
            "画像を保存しました: ~/Pictures/shogibar.png"
        );
    }
}
