//! Texts of the engines and settings pages, of the hints on the bar, and of the question before the program ends.

use shogibar_base::visible::with_particle_space;
use shogibar_base::{Lang, phrases, sentences};

sentences! {
    /// Returns the label of the button that closes a game.
    pub fn close_game(title: &str; lang) => "{title}を閉じる", "Close {title}", title = with_particle_space(title, lang);
}

phrases! {
    /// A hint on the bar about what the user can do, with its key.
    pub enum StartOffer {
        Open => "棋譜をドロップ　O", "Drop a record  O";
        ReadScreen => "画面の盤を読む　G", "Read the screen  G";
        Obs => "OBS に映す　Ctrl+B", "Show in OBS  Ctrl+B";
        Menu => "メニュー　右クリック", "Menu  right click";
        Correct => "入力する　F", "Enter it  F";
    }
}

phrases! {
    /// The title and the answers of the question before one more engine starts.
    pub enum SharingReply {
        Title => "エンジンの共有", "Share engines?";
        Share => "いまのエンジンを順に使う（Enter）", "Share them in turn (Enter)";
        Start => "エンジンを追加する", "Start another engine";
    }
}

sentences! {
    /// Returns the question before one more engine starts. `engines` is the number of those that run.
    pub fn sharing_question(engines: usize; lang) =>
        "このパソコンではエンジンが{engines}つ動いています。もう1つ動かすと、どれも遅くなります。",
        "{engines} engines are running on this computer. Another one would slow them all.";
}

phrases! {
    /// The title and the answers of the question before the end of the program.
    pub enum QuitReply {
        Title => "終了の確認", "Quit?";
        Quit => "終了する（Enter）", "Quit (Enter)";
        Stay => "続ける（Esc）", "Cancel (Esc)";
    }
}

/// A label on the engines and settings pages: of a field, a button or a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowWord {
    /// The engines page.
    Engines,
    /// The settings page.
    Settings,
    /// The engines that the user has set up.
    MyEngines,
    /// The engines found on this machine.
    Found,
    /// The text while engines are searched.
    Searching,
    /// The button that adds an engine by its file.
    AddFile,
    /// The button that adds an engine by a command.
    AddCommand,
    /// The link to a page about where to get strong engines.
    StrongEngines,
    /// The example in the command field.
    CommandHint,
    /// The button that adds an engine that was found or typed.
    Add,
    /// The button that cancels.
    Cancel,
    /// The description of the built-in engine.
    BuiltInNote,
    /// The mark of the engine in use.
    InUse,
    /// The mark of the default engine.
    IsDefault,
    /// The button that switches to an engine.
    Use,
    /// The button that uses an engine beside the current one.
    AddSecondEngine,
    /// The button that stops using the second engine.
    RemoveSecondEngine,
    /// The button that makes an engine the default.
    MakeDefault,
    /// The button that makes the file for a shogi GUI.
    UseInGui,
    /// The button that copies a profile.
    Duplicate,
    /// The button that removes a profile.
    Remove,
    /// The button that confirms the removal.
    ReallyRemove,
    /// The name of an engine.
    Name,
    /// The command of an engine.
    Command,
    /// The working folder of an engine.
    Folder,
    /// The default working folder.
    EngineFolder,
    /// The explanation of the working folder.
    FolderHint,
    /// The error of a folder that does not exist.
    NoFolder,
    /// The button that opens a file or folder dialog.
    Choose,
    /// The number of candidates.
    MultiPv,
    /// The number of threads.
    Threads,
    /// The size of the hash table.
    Hash,
    /// An automatic value.
    Automatic,
    /// The explanation of the automatic limit of a position.
    AutomaticLimit,
    /// The scale.
    Scale,
    /// The button that explains the scale.
    WhatIsThis,
    /// A custom scale.
    Other,
    /// The search limit of a position.
    Limit,
    /// No limit.
    Infinite,
    /// The unit of a time limit.
    Seconds,
    /// The unit of a nodes limit.
    Nodes,
    /// The unit of a depth limit.
    Depth,
    /// The environment variables.
    Environment,
    /// The format of environment variables.
    EnvironmentHint,
    /// The options of the engine.
    Options,
    /// The text while the engine is asked for its options.
    Asking,
    /// The text for an engine without options.
    NoOptions,
    /// The search field of options.
    SearchOptions,
    /// The text if no option matches the search.
    NothingFound,
    /// The button that resets an option.
    ToDefault,
    /// The button that resets all options.
    AllToDefault,
    /// The button that presses a button option.
    Press,
    /// The reason why a button option cannot be pressed.
    PressInUse,
    /// The stored options that do not fit the engine.
    RejectedOptions,
    /// The button that removes a rejected option.
    TakeOut,
    /// The button that asks an engine again.
    AskAgain,
    /// The note that options apply from the next start.
    Restart,
    /// The button that restarts the engine.
    RestartNow,
}

impl WindowWord {
    /// Returns the text in a language.
    pub const fn text(self, lang: Lang) -> &'static str {
        let (ja, en) = self.both_texts();
        lang.pick(ja, en)
    }

    /// Returns the Japanese and the English text.
    const fn both_texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Engines => ("エンジン", "Engines"),
            Self::Settings => ("設定", "Settings"),
            Self::MyEngines => ("登録したエンジン", "My engines"),
            Self::Found => ("見つかったエンジン", "On this computer"),
            Self::Searching => ("探しています…", "Looking…"),
            Self::AddFile => ("ファイルから追加…", "Add a file…"),
            Self::AddCommand => ("コマンドで追加…", "Add a command…"),
            Self::StrongEngines => ("強いエンジンの入手先", "Where to get strong engines"),
            Self::CommandHint => ("例: ssh ホスト ./engine", "e.g. ssh host ./engine"),
            Self::Add => ("追加", "Add"),
            Self::Cancel => ("やめる", "Cancel"),
            Self::BuiltInNote => (
                "すぐに使えるエンジンです（強さは R2400 ほど）。より正確な評価には、強いエンジンを追加してください。",
                "Ready to use, at a strength of about R2400. For more reliable numbers, add a stronger engine.",
            ),
            Self::InUse => ("使用中", "in use"),
            Self::IsDefault => ("既定", "default"),
            Self::Use => ("これで読む", "Use it now"),
            Self::AddSecondEngine => ("並べて読む", "Run alongside"),
            Self::RemoveSecondEngine => ("並べるのをやめる", "Stop running it"),
            Self::MakeDefault => ("既定にする", "Make it the default"),
            Self::UseInGui => ("将棋 GUI で使う", "Use in a shogi GUI"),
            Self::Duplicate => ("複製", "Duplicate"),
            Self::Remove => ("削除…", "Remove…"),
            Self::ReallyRemove => ("本当に削除", "Really remove"),
            Self::Name => ("名前", "Name"),
            Self::Command => ("コマンド", "Command"),
            Self::Folder => ("作業フォルダー", "Folder"),
            Self::EngineFolder => ("エンジンのある場所", "the engine's folder"),
            Self::FolderHint => (
                "エンジンが動く場所。空なら、プログラムのあるフォルダー",
                "where the engine runs; if empty, the folder of its program",
            ),
            Self::NoFolder => ("このフォルダーはありません。", "There is no such folder."),
            Self::Choose => ("選ぶ…", "Choose…"),
            Self::MultiPv => ("候補手の数", "Candidates"),
            Self::Threads => ("スレッド数", "Threads"),
            Self::Hash => ("ハッシュ (MB)", "Hash (MB)"),
            Self::Automatic => ("自動", "automatic"),
            Self::AutomaticLimit => (
                "局面が変わるまで読みます。上限は「設定」で決められます。",
                "Until the position changes. The settings can limit it.",
            ),
            Self::Scale => ("勝率の係数 K", "Win-rate scale K"),
            Self::WhatIsThis => ("これは何？", "What is this?"),
            Self::Other => ("その他", "other"),
            Self::Limit => ("1局面の読み", "Per position"),
            Self::Infinite => ("制限なし", "unlimited"),
            Self::Seconds => ("秒", "seconds"),
            Self::Nodes => ("ノード", "nodes"),
            Self::Depth => ("深さ", "depth"),
            Self::Environment => ("環境変数", "Environment"),
            Self::EnvironmentHint => ("1行に1つ、名前=値", "NAME=VALUE, one per line"),
            Self::Options => ("エンジンのオプション", "The engine's options"),
            Self::Asking => ("エンジンに問い合わせています…", "Asking the engine…"),
            Self::NoOptions => ("設定できるものはありません。", "This engine has no options."),
            Self::SearchOptions => ("オプションを探す", "Find an option"),
            Self::NothingFound => ("一致するオプションはありません。", "No option matches."),
            Self::ToDefault => ("既定に戻す", "Default"),
            Self::AllToDefault => ("すべて既定に戻す", "Reset all"),
            Self::Press => ("実行", "Press"),
            Self::PressInUse => ("使用中のエンジンだけです。", "Only for an engine in use."),
            Self::RejectedOptions => (
                "このエンジンに合わない設定",
                "Settings this engine does not accept",
            ),
            Self::TakeOut => ("消す", "Remove"),
            Self::AskAgain => ("もう一度問い合わせる", "Ask again"),
            Self::Restart => (
                "変更は次の起動から有効になります。",
                "Changes apply when the engine restarts.",
            ),
            Self::RestartNow => ("再起動する", "Restart"),
        }
    }
}
