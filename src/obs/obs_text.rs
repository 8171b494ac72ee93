//! The texts of the control of OBS.

use crate::chapter::ChapterStart;
use crate::connection::{ConnectionProblem, ConnectionState};
use crate::rule::RuleAnswer;
use crate::task::{ObsTask, TaskOutcome, TaskProblem};
use shogibar_base::visible::{short, visible_file_name};
use shogibar_base::{Lang, phrases, say};
use std::path::Path;

phrases! {
    /// A fixed text of the control of OBS.
    pub enum ObsPhrase {
        Title => "OBSの操作", "Control of OBS";
        About => "OBSにつなぐと、配信の操作を任せられます。OBSの「ツール」→「WebSocketサーバー設定」で有効にしてください。",
            "Connect to OBS to leave some of its work to this program. Switch on the server in OBS: Tools, WebSocket Server Settings.";
        Address => "アドレス", "Address";
        Password => "パスワード", "Password";
        Connect => "つなぐ", "Connect";
        Disconnect => "切る", "Disconnect";
        FindPassword => "OBSの設定から読む", "Read it from OBS";
        FindPasswordQuestion => "OBSの設定ファイルにあるパスワードを読みますか？", "Read the password from OBS's settings file?";
        Yes => "読む", "Read it";
        No => "読まない", "Do not";
        NoPasswordFound => "OBSの設定にパスワードが見つかりません。OBSの「接続情報を表示」から写してください。",
            "OBS's settings have no password. Copy it from “Show Connect Info” in OBS.";
        Pages => "ページを加える", "Add a page";
        Scene => "シーン", "Scene";
        Source => "ソース", "Source";
        AddBar => "バーを加える", "Add the bar";
        AddBoard => "解説盤を加える", "Add the commentary board";
        AddDesk => "すべての対局を加える", "Add all games";
        Rules => "きっかけと動作", "When … then …";
        AddRule => "加える", "Add";
        RemoveRule => "外す", "Remove";
        When => "きっかけ", "When";
        Then => "動作", "Then";
        Seconds => "秒間（0は戻さない）", "seconds (0: for good)";
        Pause => "同じ動作の間隔（秒）", "Least seconds between two";
        Chapters => "チャプター", "Chapters";
        CopyChapters => "YouTubeの形でコピー", "Copy for YouTube";
        MarkStart => "いまを動画の始まりにする", "The video begins now";
        NoStart => "録画も配信もしていません。動画の始まりを記録してください。", "Nothing is recorded or streamed. Mark the begin of the video.";
        TooFew => "YouTubeには3つ以上必要です。", "YouTube wants three or more.";
        FirstChapter => "開始", "Start";
        Done => "行ったこと", "What was done";
        NothingDone => "まだ何もしていません", "Nothing yet";
        LineWritten => "一行書き出す", "Write a line";
        StartMarked => "動画の始まり", "Begin of the video";
        ReplayOff => "リプレイバッファは停止中", "The replay buffer is off";
        ReplayOn => "リプレイバッファは動作中", "The replay buffer runs";
    }
}

impl ObsPhrase {
    /// Returns the text in Japanese and in English.
    pub(crate) fn texts(self) -> [String; 2] {
        Lang::ALL.map(|lang| self.text(lang).to_owned())
    }
}

/// Returns what is said of settings that cannot be read.
pub(crate) fn unreadable_settings(reason: &str, backup: Option<&Path>, lang: Lang) -> String {
    let reason = short(reason);
    match backup.and_then(visible_file_name) {
        Some(backup) => say!(lang: "obs.tomlを読めません（{reason}）。写しは{backup}です。",
            "obs.toml cannot be read ({reason}). {backup} has a copy."),
        None => say!(lang: "obs.tomlを読めません（{reason}）。", "obs.toml cannot be read ({reason})."),
    }
}

impl RuleAnswer {
    /// Returns the name of the answer.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::SaveReplay => lang.pick("リプレイを保存", "save the replay"),
            Self::Chapter => lang.pick("録画にチャプター", "set a chapter"),
            Self::Scene => lang.pick("シーンを切り替え", "switch the scene"),
            Self::Source => lang.pick("ソースを表示", "show a source"),
            Self::Line => lang.pick("一行書き出す", "write a line"),
        }
    }
}

impl ConnectionState {
    /// Returns the state in words. `version` is that of OBS; empty before it is known.
    pub fn text(&self, version: &str, lang: Lang) -> String {
        match self {
            Self::Off => lang.pick("つないでいません", "Not connected").to_owned(),
            Self::Connecting => lang.pick("つないでいます…", "Connecting…").to_owned(),
            Self::Connected if version.is_empty() => {
                lang.pick("OBSにつながりました", "Connected to OBS").to_owned()
            }
            Self::Connected => {
                let version = short(version);
                say!(lang: "OBS {version} につながりました", "Connected to OBS {version}")
            }
            Self::Waiting(problem) => {
                let why = problem.text(lang);
                say!(lang: "{why}　またつなぎます。", "{why} It will be tried again.")
            }
            Self::Stopped(problem) => problem.text(lang).to_owned(),
        }
    }
}

impl ConnectionProblem {
    /// Returns the sentence about the problem.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::Unreachable => lang.pick(
                "OBSが見つかりません。OBSを起動し、WebSocketサーバーを有効にしてください。",
                "No OBS answers. Start OBS, and switch on its WebSocket server.",
            ),
            Self::Foreign => lang.pick(
                "このアドレスにあるのはOBSではありません。",
                "What answers at this address is no OBS.",
            ),
            Self::Silent => lang.pick("OBSから返事がありません。", "OBS does not answer in time."),
            Self::Ended => lang.pick("OBSが終了しました。", "OBS has ended."),
            Self::NoPassword => lang.pick("パスワードが必要です。", "OBS wants a password."),
            Self::WrongPassword => lang.pick("パスワードが違います。", "The password is wrong."),
            Self::OtherVersion => lang.pick(
                "このOBSとは話せません。OBS 28以降が必要です。",
                "This OBS speaks another protocol. OBS 28 or later is needed.",
            ),
            Self::Kicked => lang.pick(
                "OBSの側で接続が切られました。",
                "The connection was ended in OBS.",
            ),
        }
    }
}

impl ObsTask {
    /// Returns the task in words.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Self::SaveReplay => lang.pick("リプレイを保存", "Save the replay").to_owned(),
            Self::Chapter(name) => say!(lang: "チャプター「{name}」", "Chapter “{name}”"),
            Self::Scene { name, .. } => say!(lang: "シーン「{name}」", "Scene “{name}”"),
            Self::Source { name, .. } => say!(lang: "ソース「{name}」を表示", "Show the source “{name}”"),
            Self::AddPage(page) => {
                let (scene, name) = (&page.scene, &page.name);
                say!(lang: "「{scene}」に「{name}」を加える", "Add “{name}” to “{scene}”")
            }
        }
    }
}

impl TaskOutcome {
    /// Returns what came of a task, in words.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Self::Done => lang.pick("済み", "done").to_owned(),
            Self::ReplaySaved(path) => say!(lang: "保存：{path}", "saved: {path}", path = short(path)),
            Self::Failed(problem) => problem.text(lang),
        }
    }
}

impl TaskProblem {
    /// Returns the sentence about the problem.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Self::NotConnected => lang.pick("OBSにつながっていません。", "OBS is not connected.").to_owned(),
            Self::ReplayOff => lang
                .pick(
                    "リプレイバッファが動いていません。OBSで開始してください。",
                    "The replay buffer is off. Start it in OBS.",
                )
                .to_owned(),
            Self::NotRecording => lang.pick("録画していません。", "Nothing is recorded.").to_owned(),
            Self::NoChaptersInFormat => lang
                .pick(
                    "この録画形式にはチャプターがありません。OBSの設定で「ハイブリッドMP4」を選んでください。",
                    "This format of recording has no chapters. Choose Hybrid MP4 in OBS.",
                )
                .to_owned(),
            Self::TooOld => lang
                .pick(
                    "このOBSにはできません。チャプターはOBS 30.2以降です。",
                    "This OBS cannot do that. Chapters need OBS 30.2 or later.",
                )
                .to_owned(),
            Self::Missing(name) => say!(lang: "「{name}」がOBSにありません。", "OBS has no “{name}”.", name = short(name)),
            Self::NoBrowserSource => lang
                .pick(
                    "このOBSにはブラウザーソースがありません。アドレスをコピーしました。",
                    "This OBS has no browser source. The address was copied.",
                )
                .to_owned(),
            Self::SettingsUnread => lang.pick("初めの設定に戻しました。", "The settings are those at first.").to_owned(),
            Self::PagesOff => lang
                .pick(
                    "ページを配れません。理由は設定の「OBS」にあります。",
                    "The pages cannot be served. The settings say why, under OBS.",
                )
                .to_owned(),
            Self::Busy => lang.pick("OBSがほかの動作をしています。", "OBS has too much to do.").to_owned(),
            Self::Silent => lang.pick("OBSから返事がありません。", "OBS does not answer in time.").to_owned(),
            Self::Refused(words) => say!(lang: "OBSが断りました：{words}", "OBS has refused: {words}", words = short(words)),
        }
    }
}

impl ChapterStart {
    /// Returns from when chapters are counted, in words.
    pub const fn text(self, lang: Lang) -> &'static str {
        match self {
            Self::Recording => lang.pick("録画の始まりから", "from the begin of the recording"),
            Self::Stream => lang.pick("配信の始まりから", "from the begin of the stream"),
            Self::Marked => lang.pick("記録した始まりから", "from the begin that you have marked"),
        }
    }
}
