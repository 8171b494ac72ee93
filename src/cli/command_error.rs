//! Errors of the subcommands, and of the size of a picture.

use shogibar_base::file_error::ReadProblem;
use shogibar_base::file_error_text::{io_error, problem};
use shogibar_base::visible::with_particle_space;
use shogibar_base::{Lang, messages, sentences};
use std::path::PathBuf;
use std::{fmt, io};

messages! {
    /// An error of a subcommand.
    #[derive(Debug)]
    pub(crate) enum CommandError in lang {
        NoCommand(word: String) =>
            "{word} というコマンドもファイルもありません。`shogibar --help` でコマンドの一覧を表示します。",
            "there is neither a command nor a file called {word}; `shogibar --help` lists the commands";
        /// Neither an option nor the file name determines the output format.
        NoFormat =>
            "出力する形式が決まりません。--to で指定してください。",
            "the output format is not known: use --to, or a name of OUT with a known extension";
        Input(why: ReadProblem) =>
            "標準入力を読めません（{why}）。", "standard input: {why}", why = problem(why, lang);
        /// The text is not a position.
        NoPosition(text: String) =>
            "「{text}」は局面として読めません。SFEN か position の行を指定してください。",
            "'{text}' is not a position: use an SFEN, or a position line of USI";
        /// The text is not a day.
        NoDay(text: String) =>
            "「{text}」は日付ではありません。2026 や 2026-11-27 のように指定してください。",
            "'{text}' is not a date: write it as 2026 or 2026-11-27";
        /// No record folder is given, or set in the settings.
        NoShelfFolder =>
            "棋譜のフォルダーを指定してください。検討画面の「棋譜の棚」（Ctrl+J）でも設定できます。",
            "name a folder of records, or set one on the shelf of the study page (Ctrl+J)";
        /// The index of the positions cannot be used: another program is writing it.
        ShelfBusy => { shogibar_shelf::shelf_text::busy(lang).to_owned() };
        NoGame => "棋譜が入っていません。", "there is no game in it";
        /// The range of moves is empty. Holds the first and last move of the range.
        NothingBetween(from: u16, to: u16) =>
            "--from {from} と --to {to} の間に局面がありません。",
            "there are no positions between --from {from} and --to {to}";
        /// Two outputs go to standard output.
        OneOutput =>
            "標準出力に書けるのは1つだけです。-o や --report でファイルを指定してください。",
            "only one output can go to standard output: name files with -o and --report";
        /// Chapters of a record without times.
        NoTimes =>
            "この棋譜には指し手の時間がないので、チャプターにできません。",
            "the record has no times of its moves, so there are no chapters";
        /// Chapters of a folder.
        ChaptersOfFolder =>
            "--chapters は1つの棋譜に使ってください。",
            "--chapters takes one record, not a folder";
        NoExecutablePath(error: io::Error) =>
            "このプログラムの場所がわかりません（{error}）。",
            "the path of this program cannot be determined: {error}", error = io_error(error, lang);
        NoHandler(why: String) => "Ctrl-C を受け取れません（{why}）。", "Ctrl-C cannot be handled: {why}";
        NoThread(error: io::Error) =>
            "エンジンのためのスレッドを作れません（{error}）。",
            "no thread can be started for the engine: {error}", error = io_error(error, lang);
        NoFolder =>
            "設定を保存するフォルダーがありません。環境変数 SHOGIBAR_CONFIG で指定できます。",
            "there is no folder for the settings; set SHOGIBAR_CONFIG to one";
        /// The path is not UTF-8, and cannot be stored in the engines file.
        PathNotUtf8(path: PathBuf) =>
            "{path} は UTF-8 ではないため、登録できません。",
            "{path} is not UTF-8 and cannot be added", path = path.display();
        /// The path is not valid.
        BadPath(path: PathBuf, error: io::Error) =>
            "{path} は場所として使えません（{error}）。",
            "{path}: {error}", path = path.display(), error = io_error(error, lang);
        /// A value is not valid for a profile; holds the key and the cause.
        Setting(key: String, why: SettingError) => { why.sentence(lang, key) };
        EndedAtOnce(name: String) =>
            "{name}は usiok を返す前に終了しました。引数や評価関数のファイルを確かめてください。",
            "{name} exited before it answered usiok; check its arguments and files", name = with_particle_space(name, lang);
        Silent(name: String) =>
            "{name}から応答がありません。", "{name} does not answer", name = with_particle_space(name, lang);
        /// The program cannot be started; holds the cause.
        NotStarted(why: String) => { why.clone() };
        NoTheme(name: String, known: Vec<String>) =>
            "「{name}」というテーマはありません。{known} のどれかを指定してください。",
            "there is no theme '{name}'; available: {known}", known = known.join(lang.pick("、", " "));
        NoPly(ply: usize, moves: usize) =>
            "--ply {ply}: この棋譜は{moves}手までです。", "--ply {ply}: the record has {moves}" [moves: "move"];
        /// The existing file is not a PNG picture.
        NotPng(path: PathBuf) =>
            "{path} は既にあり、PNG 画像ではないため、上書きしません。",
            "{path} already exists and is not a PNG image", path = path.display();
        /// The file name does not end in `.png`.
        NoPngName(path: PathBuf) =>
            "{path}: 画像は PNG です。.png で終わる名前にしてください。",
            "{path}: the image is a PNG, so its name must end in .png", path = path.display();
        /// The file exists, and is no video.
        NotVideo(path: PathBuf) =>
            "{path} は既にあり、動画でも PNG 画像でもないため、上書きしません。",
            "{path} already exists and is neither a video nor a PNG image", path = path.display();
        PictureOnTerminal =>
            "画像は端末に出力できません。-o でファイルを指定してください。",
            "a picture cannot be written to a terminal; name a file with -o";
        OneRecord(one: PathBuf, another: PathBuf) =>
            "表示できる棋譜は一つです（{one}、{another}）。",
            "only one game record can be shown, not '{one}' and '{another}'",
            one = one.display(), another = another.display();
        /// There are more engines than this maximum.
        TooManyEngines(max: usize) =>
            "同時に使えるエンジンは{max}つまでです。", "at most {max} can search a position" [max: "engine"];
        /// The bar cannot follow the engine with this number: there are fewer.
        NoSuchEngine(number: usize) =>
            "--follow {number}: そのエンジンはありません。--engine をもう一つ指定してください。",
            "--follow {number}: there is no such engine; name another with --engine";
        /// The file is not a log.
        NoLog(path: PathBuf) =>
            "{path} はエンジンのログではありません（「秒 記号 内容」や将棋 GUI のログの行がありません）。",
            "{path} is not an engine log: no line has the form 'seconds mark text', or that of a shogi GUI's log", path = path.display();
        NoEngineInLog(path: PathBuf) =>
            "{path} はエンジンのログではありません。", "{path} is not an engine log", path = path.display();
        LogFromInput =>
            "標準入力は GUI との通信に使うため、ログはファイルで指定してください。",
            "standard input belongs to the GUI, so the log must be a file";
        Log(path: PathBuf, error: io::Error) =>
            "{path} を読めません（{error}）。",
            "cannot read {path}: {error}", path = path.display(), error = io_error(error, lang);
        NoStyle(name: String) =>
            "「{name}」という書き方はありません。--style list で一覧を表示します。",
            "there is no style '{name}'; --style list shows the names";
        PortTaken(port: u16) =>
            "ポート {port} はほかのプログラム（もう一つの Shogibar かもしれません）が使っています。--port で別の番号を指定してください（0 なら空いている番号）。",
            "port {port} is in use, perhaps by another Shogibar; choose another with --port (0 takes any free one)";
        NoServer(error: io::Error) =>
            "ページを出せません（{error}）。",
            "the pages cannot be served: {error}", error = io_error(error, lang);
        NoToken(why: String) => "URL を作れません（{why}）。", "no random numbers are available for the address: {why}";
        Broken(what: &'static str) => "プログラムの不具合です（{what}）。", "a bug in this program: {what}";
    }
}

messages! {
    /// The reason why a setting of a profile is refused.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) enum SettingError in lang, key: &str {
        Whole => "{key}: 1以上の整数を指定してください。", "{key}: it must be a whole number, at least 1";
        Scale => "{key}: 1から100000までの数を指定してください。", "{key}: it must be a number from 1 to 100000";
        /// The name or value is not valid for an environment variable.
        Variable =>
            "{key}: 環境変数として使えない名前か値です。",
            "{key}: this is not a valid name or value for an environment variable";
        NoKey => "「=」の前に設定の名前がありません。", "there is no key before '='";
        /// The name is changed by another command.
        Name => "名前は `shogibar engines rename` で変えてください。", "use `shogibar engines rename` to change the name";
        Command => "{key}: プログラムと引数を指定してください。", "{key}: it must be a program and its arguments";
        OpenQuote => "{key}: 引用符が閉じていません。", "{key}: a quote is not closed";
        /// The value must be a search limit.
        Limit =>
            "{key}: infinite、movetime ミリ秒、nodes 数、depth 数のどれかを指定してください。",
            "{key}: it must be infinite, movetime MS, nodes N or depth N";
        /// The setting cannot be removed.
        Needed => "「{key}」のないエンジンは使えません。", "an engine cannot be without '{key}'";
        /// The name or value has a line end or another control character.
        NotOneLine =>
            "{key}: 名前と値に改行などの制御文字は使えません。",
            "{key}: an option cannot contain a line break or control character";
        NotSet =>
            "「{key}」は設定されていません。設定するには「{key}=値」と書きます。",
            "'{key}' is not set; '{key}=VALUE' sets it";
    }
}

impl CommandError {
    /// Returns the sentence in a language.
    pub(crate) fn text(&self, lang: Lang) -> String {
        self.sentence(lang)
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

impl std::error::Error for CommandError {}

sentences! {
    /// Returns the message for a file that does not exist and whose name is similar to a subcommand.
    pub(crate) fn no_such_file(file: &str, command: &str; lang) =>
        "{file} というファイルはありません。`shogibar {command}` のことですか？",
        "there is no file {file}; did you mean `shogibar {command}`?";
}
