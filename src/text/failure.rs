//! Errors of the subcommands.

use super::system::{io_error, problem};
use super::{Lang, convert};
use crate::files::ReadProblem;
use std::path::PathBuf;
use std::{fmt, io};

/// An error of a subcommand.
#[derive(Debug)]
#[cfg_attr(not(feature = "gui"), expect(dead_code, reason = "some of them only pictures meet with"))]
pub(crate) enum CommandError {
    /// The word is neither a command nor a file.
    NoCommand(String),
    /// Neither an option nor the file name tells the output format.
    NoFormat,
    /// Standard input cannot be read.
    Input(ReadProblem),
    /// The file has no game.
    NoGame,
    /// The range of moves is empty; holds its ends.
    NothingBetween(u16, u16),
    /// The system cannot tell the path of this program.
    NoOwnPath(io::Error),
    /// Ctrl-C cannot be handled; holds the cause.
    NoHandler(String),
    /// The system cannot create a thread for an engine.
    NoThread(io::Error),
    /// There is no folder for settings.
    NoFolder,
    /// The path is not UTF-8, and cannot be stored in the engines file.
    PathNotUtf8(PathBuf),
    /// The path is not valid.
    BadPath(PathBuf, io::Error),
    /// A value is not valid for a profile; holds the key and the cause.
    Setting(String, SettingError),
    /// The program of this name does not answer.
    Silent(String),
    /// The program cannot be started; holds the cause.
    NotStarted(String),
    /// There is no theme of this name; holds the names of the built-in ones.
    NoTheme(String, Vec<String>),
    /// The record has fewer moves; holds the requested number and the actual one.
    NoPly(usize, usize),
    /// The existing file is not a PNG picture.
    NotPng(PathBuf),
    /// The file name does not end in `.png`.
    NoPngName(PathBuf),
    /// A picture cannot be written to a terminal.
    PictureOnTerminal,
    /// Only one record can be shown at a time.
    OneRecord(PathBuf, PathBuf),
    /// There are more engines than this maximum.
    MostEngines(usize),
    /// The bar cannot follow the engine of this number: there are fewer.
    NoSuchEngine(usize),
    /// The file is not a log.
    NoLog(PathBuf),
    /// The log has no output of an engine.
    NoEngineInLog(PathBuf),
    /// Standard input cannot be the log.
    LogFromInput,
    /// The log cannot be read.
    Log(PathBuf, io::Error),
    /// There is no notation style of this name.
    NoStyle(String),
    /// A bug of the program; holds a description.
    Broken(&'static str),
}

/// Why a setting of a profile is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SettingError {
    /// It must be a whole number from 1.
    Whole,
    /// It must be a number from 1 to 100000.
    Scale,
    /// The name or value is not valid for an environment variable.
    Variable,
    /// The key is missing.
    NoKey,
    /// The name is changed by another command.
    Name,
    /// It must be a program and its arguments.
    Command,
    /// A quote has no end.
    OpenQuote,
    /// It must be a search limit.
    Limit,
    /// The setting cannot be removed.
    Needed,
    /// It has a line end or another control character.
    NotOneLine,
    /// The setting is not set.
    NotSet,
}

impl CommandError {
    /// Returns the sentence in a language.
    pub(crate) fn text(&self, lang: Lang) -> String {
        match lang {
            Lang::Ja => self.japanese(),
            Lang::En => self.english(),
        }
    }

    fn japanese(&self) -> String {
        let io = |error: &io::Error| io_error(error, Lang::Ja);
        match self {
            Self::NoCommand(word) => {
                format!("{word} というコマンドもファイルもありません。`shogibar --help` でコマンドの一覧を表示します。")
            }
            Self::NoFormat => "出力する形式が決まりません。--to で指定してください。".to_owned(),
            Self::Input(why) => format!("標準入力を読めません（{}）。", problem(why, Lang::Ja)),
            Self::NoGame => "棋譜が入っていません。".to_owned(),
            Self::NothingBetween(from, to) => format!("--from {from} と --to {to} の間に局面がありません。"),
            Self::NoOwnPath(error) => format!("このプログラムの場所がわかりません（{}）。", io(error)),
            Self::NoHandler(why) => format!("Ctrl-C を受け取れません（{why}）。"),
            Self::NoThread(error) => format!("エンジンのためのスレッドを作れません（{}）。", io(error)),
            Self::NoFolder => {
                "設定を保存するフォルダーがありません。環境変数 SHOGIBAR_CONFIG で指定できます。".to_owned()
            }
            Self::PathNotUtf8(path) => format!("{} は UTF-8 ではないため、登録できません。", path.display()),
            Self::BadPath(path, error) => format!("{} は場所として使えません（{}）。", path.display(), io(error)),
            Self::Setting(key, why) => why.japanese(key),
            Self::Silent(name) => format!("{name} から応答がありません。"),
            Self::NotStarted(why) => why.clone(),
            Self::NoTheme(name, known) => {
                format!("「{name}」というテーマはありません。{} のどれかを指定してください。", known.join("、"))
            }
            Self::NoPly(ply, moves) => format!("--ply {ply}: この棋譜は{moves}手までです。"),
            Self::NotPng(path) => format!("{} は既にあり、PNG 画像ではないため、上書きしません。", path.display()),
            Self::NoPngName(path) => {
                format!("{}: 画像は PNG です。.png で終わる名前にしてください。", path.display())
            }
            Self::PictureOnTerminal => "画像は端末に出力できません。-o でファイルを指定してください。".to_owned(),
            Self::OneRecord(one, another) => {
                format!("表示できる棋譜は一つです（{}、{}）。", one.display(), another.display())
            }
            Self::MostEngines(most) => format!("同時に使えるエンジンは{most}つまでです。"),
            Self::NoSuchEngine(number) => {
                format!("--follow {number}: そのエンジンはありません。--engine をもう一つ指定してください。")
            }
            Self::NoLog(path) => {
                format!("{} はログではありません（「秒 記号 内容」の行がありません）。", path.display())
            }
            Self::NoEngineInLog(path) => format!("{} はエンジンのログではありません。", path.display()),
            Self::LogFromInput => "標準入力は GUI との通信に使うため、ログはファイルで指定してください。".to_owned(),
            Self::Log(path, error) => format!("{} を読めません（{}）。", path.display(), io(error)),
            Self::NoStyle(name) => format!("「{name}」という書き方はありません。--style list で一覧を表示します。"),
            Self::Broken(what) => format!("プログラムの不具合です（{what}）。"),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::NoCommand(word) => {
                format!("there is neither a command nor a file {word}; `shogibar --help` lists the commands")
            }
            Self::NoFormat => "--to is missing, and the name of OUT does not tell a format".to_owned(),
            Self::Input(why) => format!("{}: {}", convert::standard_input(Lang::En), problem(why, Lang::En)),
            Self::NoGame => "there is no game in it".to_owned(),
            Self::NothingBetween(from, to) => format!("--from {from} --to {to}: there is nothing in between"),
            Self::NoOwnPath(error) => format!("the system does not tell the path of this program: {error}"),
            Self::NoHandler(why) => format!("the system takes no handler for Ctrl-C: {why}"),
            Self::NoThread(error) => format!("the system has no thread for the engine: {error}"),
            Self::NoFolder => "this user has no folder for settings; SHOGIBAR_CONFIG can name one".to_owned(),
            Self::PathNotUtf8(path) => format!("{} is not UTF-8, and cannot be set up", path.display()),
            Self::BadPath(path, error) => format!("{}: {error}", path.display()),
            Self::Setting(key, why) => why.english(key),
            Self::Silent(name) => format!("{name} does not answer"),
            Self::NotStarted(why) => why.clone(),
            Self::NoTheme(name, known) => format!("there is no theme '{name}'; there are {}", known.join(" ")),
            Self::NoPly(ply, moves) => format!("--ply {ply}: the record has {moves} moves"),
            Self::NotPng(path) => format!("{} is there already, and is no PNG image", path.display()),
            Self::NoPngName(path) => {
                format!("{}: the image is a PNG; give it a name that ends in .png", path.display())
            }
            Self::PictureOnTerminal => "a picture is not written to a terminal; name a file with -o".to_owned(),
            Self::OneRecord(one, another) => {
                let (one, another) = (one.display(), another.display());
                format!("one game record is shown at a time, not '{one}' and '{another}'")
            }
            Self::MostEngines(most) => format!("at most {most} engines can look at a position"),
            Self::NoSuchEngine(number) => {
                format!("--follow {number}: there is no such engine; name another with --engine")
            }
            Self::NoLog(path) => {
                format!("{} is no log: none of its lines is 'seconds mark text'", path.display())
            }
            Self::NoEngineInLog(path) => format!("{} is no log of an engine", path.display()),
            Self::LogFromInput => "standard input is the host's, the log must be a file".to_owned(),
            Self::Log(path, error) => format!("cannot read {}: {error}", path.display()),
            Self::NoStyle(name) => format!("there is no style '{name}'; --style list names them"),
            Self::Broken(what) => format!("a fault of this program: {what}"),
        }
    }
}

impl SettingError {
    fn japanese(self, key: &str) -> String {
        match self {
            Self::Whole => format!("{key}: 1以上の整数を指定してください。"),
            Self::Scale => format!("{key}: 1から100000までの数を指定してください。"),
            Self::Variable => format!("{key}: 環境変数として使えない名前か値です。"),
            Self::NoKey => "「=」の前に設定の名前がありません。".to_owned(),
            Self::Name => "名前は `shogibar engines rename` で変えてください。".to_owned(),
            Self::Command => format!("{key}: プログラムと引数を指定してください。"),
            Self::OpenQuote => format!("{key}: 引用符が閉じていません。"),
            Self::Limit => format!("{key}: infinite、movetime ミリ秒、nodes 数、depth 数のどれかを指定してください。"),
            Self::Needed => format!("「{key}」のないエンジンは使えません。"),
            Self::NotOneLine => format!("{key}: 名前と値に改行などの制御文字は使えません。"),
            Self::NotSet => format!("「{key}」は設定されていません。設定するには「{key}=値」と書きます。"),
        }
    }

    fn english(self, key: &str) -> String {
        match self {
            Self::Whole => format!("{key}: it is a whole number from 1"),
            Self::Scale => format!("{key}: it is a number from 1 to 100000"),
            Self::Variable => format!("{key}: no variable of the environment can be called or hold that"),
            Self::NoKey => "there is no key before '='".to_owned(),
            Self::Name => "that is what `engines rename` is for".to_owned(),
            Self::Command => format!("{key}: it is a program and its arguments"),
            Self::OpenQuote => format!("{key}: a quote has no end"),
            Self::Limit => format!("{key}: a limit is infinite, movetime MS, nodes N or depth N"),
            Self::Needed => format!("an engine is not without '{key}'"),
            Self::NotOneLine => format!("{key}: an option cannot hold a line break or control character"),
            Self::NotSet => format!("'{key}' is not set; '{key}=VALUE' sets it"),
        }
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

impl std::error::Error for CommandError {}

/// Returns the error of a file that another program is changing.
pub(crate) fn busy(path: &std::path::Path, lang: Lang) -> String {
    let path = path.display();
    match lang {
        Lang::Ja => format!("{path} はほかのプログラムが変更しています。"),
        Lang::En => format!("{path} is being changed by another program"),
    }
}

/// Returns the error of a record that another analysis is using.
pub(crate) fn analysed_elsewhere(path: &std::path::Path, lang: Lang) -> String {
    let path = path.display();
    match lang {
        Lang::Ja => format!("この棋譜は別に解析中です（{path} が使われています）。"),
        Lang::En => format!("another analysis is at work on it: {path} is in use"),
    }
}

/// Returns the error of an invalid picture scale, with the valid range.
#[cfg(feature = "gui")]
pub(crate) fn picture_scale(scale: f32, (least, most): (f32, f32), lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("倍率 {scale} の画像は作れません。{least}から{most}までの数を指定してください。"),
        Lang::En => format!("the scale is {scale}; it goes from {least} to {most}"),
    }
}

/// Returns the error of a picture that is too small to be readable.
#[cfg(feature = "gui")]
pub(crate) fn picture_small([width, height]: [u32; 2], [longer, shorter]: [u32; 2], lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("{width}x{height} は小さすぎます。最小は {longer}x{shorter}（縦長なら逆）です。"),
        Lang::En => {
            format!("{width}x{height} is too small; the smallest picture is {longer}x{shorter}, or upright")
        }
    }
}

/// Returns the error of a picture with too many pixels.
#[cfg(feature = "gui")]
pub(crate) fn picture_large([width, height]: [u32; 2], most: u32, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("{width}x{height} はこの倍率では大きすぎます。最大は {most}x{most} ピクセルです。"),
        Lang::En => {
            format!("{width}x{height} is too large at this scale; the largest picture has {most}x{most} pixels")
        }
    }
}
