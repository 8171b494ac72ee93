//! Texts of the shelf: the index of the positions in the user's records.

use shogibar_base::{Lang, phrases, sentences};
use shogibar_kifu::Outcome;
use shogibar_shogi::Color;

phrases! {
    /// The result of a game in the list of the shelf.
    pub enum ResultPhrase {
        Open => "途中まで", "unfinished";
        BlackWins => "先手勝ち", "Black won";
        WhiteWins => "後手勝ち", "White won";
        Draw => "引き分け", "draw";
        End => "終局", "the end";
    }
}

impl ResultPhrase {
    /// Returns the phrase of an outcome.
    pub const fn from_outcome(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Open => Self::Open,
            Outcome::Win(Color::Black) => Self::BlackWins,
            Outcome::Win(Color::White) => Self::WhiteWins,
            Outcome::Draw => Self::Draw,
        }
    }
}

phrases! {
    /// The texts of the shelf on the study page.
    pub enum ShelfPhrase {
        Title => "棋譜の棚", "The shelf";
        About => "自分の棋譜のフォルダーを加えると、盤の局面になった対局、次の手、結果が、手順が違っても分かります。",
            "Add the folders of your records to see which games reached the position on the board, by any order of moves, and how they continued.";
        ChooseFolder => "フォルダーを選ぶ…", "Choose a folder…";
        Folder => "棋譜のフォルダー", "Folder of records";
        FolderHint => "フォルダーのパス", "Path of a folder";
        Add => "追加", "Add";
        Remove => "外す", "Remove";
        Player => "対局者", "Player";
        Opening => "戦型", "Opening";
        Since => "いつから", "Since";
        Until => "いつまで", "Until";
        NoDay => "日付は 2026 や 2026-11-27 のように書いてください。", "Write dates as 2026 or 2026-11-27.";
        NoGame => "この局面になった対局はありません。", "No game reached this position.";
    }
}

sentences! {
    /// Returns the number of record folders.
    pub fn folders(count: usize; lang) =>
        "フォルダー（{count}）", "Folders ({count})";

    /// Returns the label of the button that removes a folder from the shelf.
    pub fn remove(folder: &str; lang) => "外す: {folder}", "Remove: {folder}";

    /// Returns the number of games in which a move was played.
    pub fn games(count: u32; lang) => "{count}局", "{count}";

    /// Returns the numbers of games by their results.
    pub fn results(black: u32, white: u32, draws: u32, open: u32; lang) =>
        "先手{black}勝、後手{white}勝、引き分け{draws}、途中まで{open}",
        "Black won {black}, White won {white}, draws {draws}, unfinished {open}";

    /// Returns the number of games with the position, and the number of these that are listed.
    pub fn found(count: u32, listed: usize; lang) =>
        "{count}局（新しい順に{listed}局を表示）", "{count} (the newest {listed} listed)" [count: "game", listed: "is" | "are"];

    /// Returns the number of files and folders that cannot be read.
    pub fn unreadable(count: usize; lang) =>
        "読めないものが{count}件あります。", "{count} cannot be read." [count: "file or folder" | "files or folders"];

    /// Returns the size of the index, in files, games and positions.
    pub fn holds(files: usize, games: usize, positions: usize; lang) =>
        "{files}ファイル、{games}局、{positions}局面", "files: {files}, games: {games}, positions: {positions}";

    /// Returns the number of files read, and the number of all files.
    pub fn progress(read: usize, count: usize; lang) =>
        "{count}ファイルのうち{read}ファイルを読みました。", "{read} of {count} read" [count: "file"];

    /// Returns the message that the index was damaged, with the path of the backup.
    pub fn backed_up(path: &str; lang) =>
        "索引が壊れていたため {path} に移し、作り直しました。",
        "the index was damaged: it was moved to {path} and rebuilt";
}

/// Returns the message on the study page that another program is writing the index.
pub const fn busy_for_now(lang: Lang) -> &'static str {
    lang.pick(
        "別のプログラムが索引を書いています。終わるとここに出ます",
        "Another program is writing the index. Its contents are shown here when it has finished.",
    )
}

/// Returns the error of `shogibar shelf` while another program is writing the index.
pub const fn busy(lang: Lang) -> &'static str {
    lang.pick(
        "別のプログラムが索引を書いています。終わるのを待って、もう一度実行してください。",
        "another program is writing the index; wait until it has finished, and run this again",
    )
}
