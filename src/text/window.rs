//! The words of the main window: its pages, fields and buttons.

use super::Lang;

/// A word or two beside a field, on a button, over a part of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WindowWord {
    /// The page of engines.
    Engines,
    /// The page of settings.
    Settings,
    /// The user's engines.
    MyEngines,
    /// Engines that are on this machine.
    Found,
    /// While they are looked for.
    Searching,
    /// To add an engine by its file.
    AddFile,
    /// To add an engine by a command.
    AddCommand,
    /// The same, in the field itself.
    CommandHint,
    /// To take what was found or typed.
    Add,
    /// To change nothing.
    Cancel,
    /// The built-in engine.
    BuiltIn,
    /// What it is good for.
    BuiltInNote,
    /// The one in use.
    InUse,
    /// The one that is used when nothing is said.
    IsDefault,
    /// To put an engine to work.
    Use,
    /// To have it look beside the one in use.
    Beside,
    /// To have one of two look no longer.
    NotBeside,
    /// To use one when nothing is said.
    MakeDefault,
    /// To copy a profile.
    Duplicate,
    /// To take one out.
    Remove,
    /// The same, once more.
    ReallyRemove,
    /// What it is called.
    Name,
    /// What is started.
    Command,
    /// Where it runs.
    Folder,
    /// Where it runs, when nothing is said.
    OwnFolder,
    /// What the folder of an engine is for.
    FolderHint,
    /// There is no such folder.
    NoFolder,
    /// To choose a file or a folder.
    Choose,
    /// Candidates.
    MultiPv,
    /// Threads.
    Threads,
    /// Memory for its table.
    Hash,
    /// As the program thinks best.
    Automatic,
    /// The scale.
    Scale,
    /// To have it explained.
    WhatIsThis,
    /// A scale of the user's own.
    Other,
    /// How long a position is searched.
    Limit,
    /// Without end.
    Infinite,
    /// Seconds.
    Seconds,
    /// Positions.
    Nodes,
    /// Plies.
    Depth,
    /// Variables of its environment.
    Environment,
    /// How they are written.
    EnvironmentHint,
    /// The engine's own options.
    Options,
    /// While the engine is asked for them.
    Asking,
    /// An engine without any.
    NoOptions,
    /// To look for an option.
    SearchOptions,
    /// Where none is found.
    NothingFound,
    /// To put one back.
    ToDefault,
    /// To put all back.
    AllToDefault,
    /// To press a button of the engine's.
    Press,
    /// Why it cannot be pressed.
    PressInUse,
    /// What is stored and does not fit.
    Misfits,
    /// To take such a one out.
    TakeOut,
    /// To ask an engine again.
    AskAgain,
    /// Options apply from its next start on.
    Restart,
    /// To restart it.
    RestartNow,
}

impl WindowWord {
    /// The word in a language.
    pub const fn text(self, lang: Lang) -> &'static str {
        let (ja, en) = self.both();
        lang.pick(ja, en)
    }

    const fn both(self) -> (&'static str, &'static str) {
        match self {
            Self::Engines => ("エンジン", "Engines"),
            Self::Settings => ("設定", "Settings"),
            Self::MyEngines => ("登録したエンジン", "My engines"),
            Self::Found => ("見つかったエンジン", "On this computer"),
            Self::Searching => ("探しています…", "looking…"),
            Self::AddFile => ("ファイルから追加…", "Add a file…"),
            Self::AddCommand => ("コマンドで追加…", "Add a command…"),
            Self::CommandHint => {
                ("例: ssh ホスト ./engine、wine engine.exe", "such as: ssh host ./engine, wine engine.exe")
            }
            Self::Add => ("追加", "Add"),
            Self::Cancel => ("やめる", "Cancel"),
            Self::BuiltIn => ("内蔵エンジン", "Built-in engine"),
            Self::BuiltInNote => (
                "すぐに使える弱いエンジンです。正確な評価には、ほかのエンジンを追加してください。",
                "It is there at once, and weak. For numbers to rely on, add another engine.",
            ),
            Self::InUse => ("使用中", "in use"),
            Self::IsDefault => ("既定", "default"),
            Self::Use => ("これで読む", "Use it now"),
            Self::Beside => ("並べて読む", "Use it beside"),
            Self::NotBeside => ("並べるのをやめる", "Use it no longer"),
            Self::MakeDefault => ("既定にする", "Make it the default"),
            Self::Duplicate => ("複製", "Duplicate"),
            Self::Remove => ("削除…", "Remove…"),
            Self::ReallyRemove => ("本当に削除", "Really remove"),
            Self::Name => ("名前", "Name"),
            Self::Command => ("コマンド", "Command"),
            Self::Folder => ("作業フォルダー", "Folder"),
            Self::OwnFolder => ("エンジンのある場所", "the engine's own"),
            Self::FolderHint => (
                "エンジンが動く場所。空なら、プログラムのあるフォルダー",
                "where the engine runs; if empty, its program's own",
            ),
            Self::NoFolder => ("このフォルダーはありません。", "There is no such folder."),
            Self::Choose => ("選ぶ…", "Choose…"),
            Self::MultiPv => ("候補手の数", "Candidates"),
            Self::Threads => ("スレッド数", "Threads"),
            Self::Hash => ("ハッシュ (MB)", "Hash (MB)"),
            Self::Automatic => ("自動", "automatic"),
            Self::Scale => ("勝率の係数 K", "Win-rate scale K"),
            Self::WhatIsThis => ("これは何？", "What is this?"),
            Self::Other => ("その他", "other"),
            Self::Limit => ("1局面の読み", "Per position"),
            Self::Infinite => ("止めるまで", "without end"),
            Self::Seconds => ("秒", "seconds"),
            Self::Nodes => ("局面", "nodes"),
            Self::Depth => ("手の深さ", "plies deep"),
            Self::Environment => ("環境変数", "Environment"),
            Self::EnvironmentHint => ("1行に1つ、名前=値", "NAME=VALUE, one a line"),
            Self::Options => ("エンジンのオプション", "The engine's options"),
            Self::Asking => ("エンジンに問い合わせています…", "asking the engine…"),
            Self::NoOptions => ("設定できるものはありません。", "Nothing can be set in it."),
            Self::SearchOptions => ("オプションを探す", "Find an option"),
            Self::NothingFound => ("見つかりません。", "There is none."),
            Self::ToDefault => ("既定に戻す", "Default"),
            Self::AllToDefault => ("すべて既定に戻す", "All to default"),
            Self::Press => ("実行", "Press"),
            Self::PressInUse => ("使用中のエンジンだけです。", "Only in an engine that is in use."),
            Self::Misfits => ("このエンジンに合わない設定", "Settings that do not fit this engine"),
            Self::TakeOut => ("消す", "Take out"),
            Self::AskAgain => ("もう一度問い合わせる", "Ask again"),
            Self::Restart => {
                ("変更は次の起動から効きます。", "What was changed counts from the engine's next start on.")
            }
            Self::RestartNow => ("再起動する", "Restart it"),
        }
    }
}
