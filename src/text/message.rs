//! Complete sentences.

use super::engine_failure::{failure, not_started};
use super::position::unsearchable;
use super::visible::visible;
use super::{CauseText, Lang, RecordRemark, Remark, UnreadableRecord, record, setting, settings, study};
use crate::config::{HotKeyError, HotKeyScope};
use crate::kifu::Warning;
use crate::options::RejectedOption;
use crate::session::FailureKind;
use crate::shogi::Unsearchable;
use std::time::Duration;

/// Why a global hot key does not work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyRefusal {
    /// The setting is not a valid hot key.
    Wrong(HotKeyError),
    /// Another program has the hot key.
    Taken,
    /// Another instance of Shogibar has the hot key.
    Ours,
    /// Another cause, in the words of the system.
    Failed(String),
}

/// A sentence that tells the user what happened and, after an error, what to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// There is no display to open a window on.
    NoDisplay,
    /// The window could not be opened; holds the cause.
    NoWindow(String),
    /// Neither the window nor a terminal could show the bar; holds the cause.
    NoWindowNorTerminal(String),
    /// Click-through is on; holds the key that switches it off.
    ClicksGoThrough(String),
    /// Windows cannot be transparent on this system.
    NotTransparent,
    /// Windows cannot stay on top on this system.
    NotOnTop,
    /// A message about settings, themes or engines.
    Settings(Box<Remark>),
    /// The bar was copied as a picture.
    PictureCopied,
    /// The picture was saved to this file.
    PictureSaved(String),
    /// The picture was not saved; holds the cause.
    PictureNotSaved(CauseText),
    /// A global hot key does not work; holds its setting and the cause.
    KeyRefused(String, KeyRefusal),
    /// Global hot keys do not work on this system.
    NoKeys,
    /// The program was built without the window.
    BuiltWithoutWindow,
    /// The engine was started this many seconds ago and has not answered.
    EngineStarting(u64),
    /// The engine was started this many seconds ago and is loading.
    EnginePreparing(u64),
    /// The engine, or its connection, has been silent for this many seconds.
    EngineSilent(u64),
    /// The engine is running, but paused.
    EnginePaused,
    /// The engine failed and will be restarted; holds the failure, the pause before the restart, and its number.
    EngineStartsAgain(Box<Self>, Duration, u32),
    /// The engine failed and was restarted this many seconds ago; holds the failure.
    EngineStartedAgain(Box<Self>, u64),
    /// The engine failed for good; holds the failure and the number of restarts.
    EngineGivenUp(Box<Self>, u32),
    /// The engine failed.
    EngineFailed(FailureKind),
    /// An engine cannot be started; holds its name and the cause.
    EngineNotStarted(String, CauseText),
    /// The program of this name does not speak USI.
    ProgramNotUsi(String),
    /// The engine finished its search without a move.
    EngineGaveNoMove,
    /// Some of the user's options were not sent; holds their number and the first of them.
    OptionsRejected(usize, RejectedOption),
    /// The position cannot be sent to an engine.
    PositionUnsearchable(Unsearchable),
    /// A file cannot be read as a record; holds its name and the cause.
    RecordUnreadable(String, UnreadableRecord),
    /// A record was read with warnings; holds their number and the first of them.
    RecordWarnings(usize, Warning),
    /// A message about the current record.
    Record(Box<RecordRemark>),
    /// There is no browser to open this address.
    NoBrowser(&'static str),
    /// The record has no evaluation of this position.
    RecordUnevaluated,
    /// A crashed program left unsaved records; holds their number and the file name of the first.
    LeftBehind(usize, Option<String>),
    /// The traffic log cannot be written; holds the cause.
    LogNotWritten(CauseText),
    /// The file of the traffic log has other content.
    LogIsNoLog(String),
}

impl From<RecordRemark> for Message {
    fn from(remark: RecordRemark) -> Self {
        Self::Record(Box::new(remark))
    }
}

impl Message {
    /// Whether the message is shown on the study page, if that is open, instead of the bar.
    pub const fn is_for_the_page(&self) -> bool {
        matches!(self, Self::RecordUnreadable(..) | Self::RecordWarnings(..) | Self::Record(_) | Self::NoBrowser(_))
    }

    /// Whether the message needs no action of the user, so that it may disappear unread.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::PictureCopied => true,
            Self::Record(remark) => remark.passes(),
            _ => false,
        }
    }

    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        let text = match lang {
            Lang::Ja => self.japanese(),
            Lang::En => self.english(),
        };
        visible(&text).into_owned()
    }

    fn japanese(&self) -> String {
        match self {
            Self::NoDisplay => "画面が見つからないため、評価値バーをこの端末に表示します。".to_owned(),
            Self::NoWindow(why) => format!("ウィンドウを開けないため、評価値バーをこの端末に表示します（{why}）。"),
            Self::NoWindowNorTerminal(why) => format!("ウィンドウを開けません。OpenGL が必要です（{why}）。"),
            Self::ClicksGoThrough(key) if key.is_empty() => {
                "クリックは下の画面に届きます。設定の画面で元に戻せます。".to_owned()
            }
            Self::ClicksGoThrough(key) => {
                format!("クリックは下の画面に届きます。{key} か設定の画面で元に戻せます。")
            }
            Self::NotTransparent => {
                "この画面では透明にできないため、不透明で表示します（コンポジターが動いていません）。".to_owned()
            }
            Self::NotOnTop => {
                "Wayland ではバーを手前に保てず、位置も覚えられません。ウィンドウのメニューの「常に手前」を使うか、XWayland で起動してください。"
                    .to_owned()
            }
            Self::Settings(remark) => remark.text(Lang::Ja),
            Self::PictureCopied => "バーを画像としてコピーしました。".to_owned(),
            Self::PictureSaved(file) => format!("画像を保存しました: {file}"),
            Self::PictureNotSaved(why) => picture_not_saved(why.text(Lang::Ja), Lang::Ja),
            Self::KeyRefused(key, why) => why.japanese(key),
            Self::NoKeys => settings::hot_key_scope(HotKeyScope::Nowhere, Lang::Ja).to_owned(),
            Self::BuiltWithoutWindow => {
                "ウィンドウなしでビルドされているため、評価値バーをこの端末に表示します。".to_owned()
            }
            Self::EngineStarting(waited) => format!("エンジンを起動しています…{}", seconds(*waited, Lang::Ja)),
            Self::EnginePreparing(waited) => format!("エンジンが準備しています…{}", seconds(*waited, Lang::Ja)),
            Self::EngineSilent(seconds) => format!("エンジンから{seconds}秒間応答がありません。待っています…"),
            Self::EnginePaused => "一時停止中です（Space で再開します）。".to_owned(),
            Self::EngineStartsAgain(why, pause, nth) => {
                format!("{}{}起動し直します（{nth}回目）。", why.japanese(), after_pause(*pause, Lang::Ja))
            }
            Self::EngineStartedAgain(why, waited) => {
                format!("{}起動し直しています…{}", why.japanese(), seconds(*waited, Lang::Ja))
            }
            Self::EngineGivenUp(why, times) => format!("{}{times}回起動し直しましたが、続きません。", why.japanese()),
            Self::EngineFailed(kind) => failure(kind, Lang::Ja),
            Self::EngineNotStarted(engine, why) => not_started(engine, why, Lang::Ja),
            Self::ProgramNotUsi(name) => not_usi(name, Lang::Ja),
            Self::EngineGaveNoMove => "エンジンは指し手を示しませんでした。".to_owned(),
            Self::OptionsRejected(count, first) => misfits(*count, first, Lang::Ja),
            Self::PositionUnsearchable(why) => format!("この局面はエンジンに渡せません: {}", unsearchable(*why)),
            Self::RecordUnreadable(name, why) => format!("{name} を棋譜として読めません: {}", why.japanese()),
            Self::RecordWarnings(count, first) => {
                format!("棋譜に問題があります（{count}件）。{}", record::warning(first, Lang::Ja))
            }
            Self::Record(remark) => remark.text(Lang::Ja),
            Self::NoBrowser(address) => format!("ブラウザーを開けません。アドレス: {address}"),
            Self::LeftBehind(count, name) => {
                format!("{}検討画面（B）から開けます。", study::left_behind(*count, name.as_deref(), Lang::Ja))
            }
            Self::RecordUnevaluated => "棋譜にこの局面の評価値はありません。".to_owned(),
            Self::LogNotWritten(_) | Self::LogIsNoLog(_) => self.log_text(Lang::Ja),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::NoDisplay => {
                "There is no display to open a window on, so the bar is shown in this terminal.".to_owned()
            }
            Self::NoWindow(why) => format!("No window can be opened ({why}), so the bar is shown in this terminal."),
            Self::NoWindowNorTerminal(why) => format!("No window can be opened. It needs OpenGL ({why})."),
            Self::ClicksGoThrough(key) if key.is_empty() => {
                "Clicks go to what lies below. The settings bring them back.".to_owned()
            }
            Self::ClicksGoThrough(key) => {
                format!("Clicks go to what lies below. {key}, or the settings, bring them back.")
            }
            Self::NotTransparent => {
                "Nothing can shine through a window here, as no compositor runs; the bar is opaque.".to_owned()
            }
            Self::NotOnTop => {
                "On Wayland the bar can neither be kept on top nor find its place again. Use the window menu's \
                 \"Always on Top\", or start it under XWayland."
                    .to_owned()
            }
            Self::Settings(remark) => remark.text(Lang::En),
            Self::PictureCopied => "The bar was copied as a picture.".to_owned(),
            Self::PictureSaved(file) => format!("The picture was saved: {file}"),
            Self::PictureNotSaved(why) => picture_not_saved(why.text(Lang::En), Lang::En),
            Self::KeyRefused(key, why) => why.english(key),
            Self::NoKeys => settings::hot_key_scope(HotKeyScope::Nowhere, Lang::En).to_owned(),
            Self::BuiltWithoutWindow => {
                "This program was built without its window, so the bar is shown in this terminal.".to_owned()
            }
            Self::EngineStarting(waited) => format!("Starting the engine…{}", seconds(*waited, Lang::En)),
            Self::EnginePreparing(waited) => format!("The engine is getting ready…{}", seconds(*waited, Lang::En)),
            Self::EngineSilent(seconds) => format!("The engine has not answered for {seconds} s. Waiting…"),
            Self::EnginePaused => "Paused. Press Space to go on.".to_owned(),
            Self::EngineStartsAgain(why, pause, nth) => {
                format!("{} It is started again{} (restart {nth}).", why.english(), after_pause(*pause, Lang::En))
            }
            Self::EngineStartedAgain(why, waited) => {
                format!("{} Starting it again…{}", why.english(), seconds(*waited, Lang::En))
            }
            Self::EngineGivenUp(why, times) => {
                format!("{} It was started again {times} times, to no avail.", why.english())
            }
            Self::EngineFailed(kind) => failure(kind, Lang::En),
            Self::EngineNotStarted(engine, why) => not_started(engine, why, Lang::En),
            Self::ProgramNotUsi(name) => not_usi(name, Lang::En),
            Self::EngineGaveNoMove => "The engine named no move.".to_owned(),
            Self::OptionsRejected(count, first) => misfits(*count, first, Lang::En),
            Self::PositionUnsearchable(why) => format!("An engine cannot be shown this position: {why}"),
            Self::RecordUnreadable(name, why) => format!("{name} cannot be read as a game record: {}", why.english()),
            Self::RecordWarnings(count, first) => {
                format!("Something is odd in the record ({count}). {}", record::warning(first, Lang::En))
            }
            Self::Record(remark) => remark.text(Lang::En),
            Self::NoBrowser(address) => format!("No browser can be opened. The address is {address}"),
            Self::LeftBehind(count, name) => {
                format!("{} Press B to open the study page.", study::left_behind(*count, name.as_deref(), Lang::En))
            }
            Self::RecordUnevaluated => "The record has no evaluation of this position.".to_owned(),
            Self::LogNotWritten(_) | Self::LogIsNoLog(_) => self.log_text(Lang::En),
        }
    }

    /// Returns the sentence about the traffic log.
    fn log_text(&self, lang: Lang) -> String {
        match (self, lang) {
            (Self::LogNotWritten(why), Lang::Ja) => {
                let why = why.text(lang);
                format!("通信ログを書けません（{why}）。書けた分はそのまま残し、記録なしで続けます。")
            }
            (Self::LogNotWritten(why), Lang::En) => {
                let why = why.text(lang);
                format!("The traffic log cannot be written ({why}). What it holds stays; all else goes on without it.")
            }
            (Self::LogIsNoLog(path), Lang::Ja) => {
                format!("{path} は通信ログではないため、書き込みません。記録なしで続けます。")
            }
            (Self::LogIsNoLog(path), Lang::En) => {
                format!("{path} is no traffic log, so it stays as it is; all else goes on without a log.")
            }
            _ => String::new(),
        }
    }
}

impl KeyRefusal {
    fn japanese(&self, key: &str) -> String {
        match self {
            Self::Ours => {
                format!(
                    "{key} は、先に起動した Shogibar で働きます。こちらで使うには、設定で別のキーを選んでください。"
                )
            }
            Self::Wrong(why) => format!("キー {key} は使えません。{}", settings::hot_key(why, Lang::Ja)),
            Self::Taken => {
                format!("キー {key} は、ほかのプログラムが使っています。設定で別のキーを選んでください。")
            }
            Self::Failed(why) => format!("キー {key} は使えません（{why}）。設定で別のキーを選んでください。"),
        }
    }

    fn english(&self, key: &str) -> String {
        match self {
            Self::Ours => {
                format!("The Shogibar that was started first has {key}. Other keys can be chosen in the settings.")
            }
            Self::Wrong(why) => format!("The key {key} cannot be had. {}", settings::hot_key(why, Lang::En)),
            Self::Taken => format!("Another program has the key {key}. Choose another in the settings."),
            Self::Failed(why) => format!("The key {key} cannot be had ({why}). Choose another in the settings."),
        }
    }
}

/// Returns a waiting time for the end of a sentence; empty for 0 s.
fn seconds(waited: u64, lang: Lang) -> String {
    if waited == 0 { String::new() } else { format!(" {waited}{}", lang.pick("秒", " s")) }
}

/// Returns the pause before an action, for the middle of a sentence.
fn after_pause(pause: Duration, lang: Lang) -> String {
    match (pause.as_secs(), lang) {
        (0, Lang::Ja) => "すぐに".to_owned(),
        (0, Lang::En) => " at once".to_owned(),
        (seconds, Lang::Ja) => format!("{seconds}秒後に"),
        (seconds, Lang::En) => format!(" in {seconds} s"),
    }
}

fn picture_not_saved(why: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("画像を保存できません（{why}）。shogibar snapshot でも保存できます。"),
        Lang::En => format!("The picture cannot be saved ({why}). `shogibar snapshot` can save one, too."),
    }
}

fn not_usi(name: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("「{name}」の出力は USI ではありません。別のエンジンを選んでください。"),
        Lang::En => format!("What '{name}' prints is not USI. Choose another engine."),
    }
}

fn misfits(count: usize, first: &RejectedOption, lang: Lang) -> String {
    let first = setting::misfit(first, lang);
    match lang {
        Lang::Ja => format!("このエンジンに合わず、送らなかった設定があります（{count}件）。{first}"),
        Lang::En => format!("Settings that do not fit this engine were not sent ({count}). {first}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu::FoundContent;
    use crate::shogi::{PieceKind, Square};

    fn check(message: &Message, ja: &str, en: &str) {
        assert_eq!([message.text(Lang::Ja), message.text(Lang::En)], [ja, en]);
    }

    #[test]
    fn an_unreadable_record_states_its_actual_type() {
        let unreadable = |why| Message::RecordUnreadable("x.kif".to_owned(), why);
        check(
            &unreadable(UnreadableRecord::Is(FoundContent::Picture)),
            "x.kif を棋譜として読めません: 画像です。",
            "x.kif cannot be read as a game record: it is a picture.",
        );
        check(
            &unreadable(UnreadableRecord::TooLarge(64 << 20)),
            "x.kif を棋譜として読めません: 大きすぎます（上限は64 MB）。",
            "x.kif cannot be read as a game record: it is larger than 64 MB.",
        );
    }

    #[test]
    fn position_errors_name_pieces_and_squares() {
        let check = |why, ja: &str| {
            let text = Message::PositionUnsearchable(why).text(Lang::Ja);
            assert_eq!(text, format!("この局面はエンジンに渡せません: {ja}"));
        };
        check(Unsearchable::TooMany(PieceKind::Rook), "駒（飛）の枚数が多すぎます。");
        check(Unsearchable::DeadPiece(Square::new(1, 8).unwrap()), "１八に行き所のない駒があります。");
        check(Unsearchable::TwoPawns(3), "3筋が二歩になっています。");
    }
}
