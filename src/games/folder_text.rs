//! Texts of the analysis of a folder.

use crate::{analysis_text, phrase};
use shogibar_base::{Lang, phrases, say, sentences};
use std::time::Duration;

phrases! {
    /// A column of the table of results.
    pub enum Column {
        File => "ファイル", "File";
        Game => "局", "Game";
        Date => "日付", "Date";
        Event => "棋戦", "Event";
        Black => "先手", "Black";
        White => "後手", "White";
        Result => "結果", "Result";
        Moves => "手数", "Moves";
        DecisiveMoves => "勝敗を分けた手", "Decisive moves";
        Judge => "判定", "Judged by";
    }
}

/// Returns the numbers of moves: `62・94手目`, `moves 62, 94`.
pub fn at_moves(plies: &[u16], lang: Lang) -> String {
    let numbers: Vec<_> = plies.iter().map(u16::to_string).collect();
    let numbers = numbers.join(lang.pick("・", ", "));
    match plies.len() {
        1 => say!(lang: "{numbers}手目", "move {numbers}"),
        _ => say!(lang: "{numbers}手目", "moves {numbers}"),
    }
}

phrases! {
    /// A text of the table of overlooked motifs.
    pub enum MotifPhrase {
        Heading => "対局者ごとの見落とし", "What each player overlooks";
        About => "疑問手以上の手と詰みを逃した手などのうち、理由を証明できたもの。対局名からレポートが開きます。数字は手数です。",
            "Dubious moves and worse, and missed or allowed mates, whose reason could be proved. The names link to the reports; the numbers are move numbers.";
        Player => "対局者", "Player";
        Motif => "見落とし", "Motif";
        Count => "回数", "Times";
        Games => "対局", "Games";
    }
}

phrases! {
    /// A column that the table of results has for each side.
    pub enum SideColumn {
        MeanLoss => "平均損失", "Mean loss";
        Agreement => "一致率%", "Agreement %";
        Accuracy => "正確さ", "Accuracy";
    }
}

phrases! {
    /// A text of the folder page.
    pub enum FolderPhrase {
        Page => "フォルダー", "Folder";
        Input => "棋譜のフォルダー", "Folder of records";
        Output => "結果を書くフォルダー", "Folder for the results";
        Choose => "選ぶ…", "Choose…";
        ChooseOutput => "結果のフォルダーを選ぶ…", "Choose the results folder…";
        Engine => "エンジン", "Engine";
        PerPosition => "1局面あたり", "Per position";
        Seconds => "秒", "seconds";
        Nodes => "ノード", "nodes";
        Jobs => "同時に動かすエンジン", "Engines at once";
        Begin => "解析開始", "Start";
        Pause => "一時停止", "Pause";
        Resume => "再開", "Resume";
        End => "中止", "Stop";
        Running => "解析しています", "Analysing";
        Paused => "一時停止中", "Paused";
        Ending => "中止しています…", "Stopping…";
        Finished => "終わりました", "Finished";
        Cancelled => "中止しました。もう一度開始すると続きから進みます。", "Stopped. Start again to continue.";
        OpenTable => "結果の表を開く", "Open the table";
        About =>
            "フォルダー以下のすべての棋譜を解析し、評価値の入った棋譜・レポート・結果の表を別のフォルダーに書きます。\
                元の棋譜は変わりません。済んだ対局は飛ばします。フォルダーをここにドロップすることもできます。",
            "Analyses every game record below a folder, and writes the records with evaluations, the reports and a table of the \
                results to another folder. The originals stay as they are, and finished games are skipped. \
                You can also drop a folder here.";
        NeedsFolders => "2つのフォルダーを選んでください。", "Choose both folders.";
        Marks => "緩/疑/悪/大悪", "~ / ?! / ? / ??";
    }
}

impl Column {
    /// The columns in order. The columns of the two sides are inserted after
    /// [`COLUMNS_BEFORE_SIDES`](Self::COLUMNS_BEFORE_SIDES).
    pub const ALL: [Self; 10] = [
        Self::File,
        Self::Game,
        Self::Date,
        Self::Event,
        Self::Black,
        Self::White,
        Self::Result,
        Self::Moves,
        Self::DecisiveMoves,
        Self::Judge,
    ];

    /// The number of columns before the columns of the two sides.
    pub const COLUMNS_BEFORE_SIDES: usize = 8;

    /// Returns whether the cells of the column are numbers.
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Game | Self::Moves)
    }
}

impl SideColumn {
    /// The columns in order, without the column of the marks, which is last.
    pub const ALL: [Self; 3] = [Self::MeanLoss, Self::Agreement, Self::Accuracy];
}

sentences! {
    /// Returns the error of an input folder without an output folder.
    pub fn needs_folder(input: &str; lang) =>
        "{input} はフォルダーなので、-o で書き込み先のフォルダーを指定してください。",
        "{input} is a folder: name a folder for the results with -o";

    /// Returns the error of a folder that is both input and output.
    pub fn same_folder(path: &str; lang) =>
        "{path} の棋譜は書き換えません。-o で別のフォルダーを指定してください。",
        "the records in {path} are not changed: name another folder with -o";

    /// Returns the error of a file that is not a table of results.
    pub fn not_a_table(path: &str; lang) =>
        "{path} は既にあり、このプログラムの結果の表ではないので上書きしません。",
        "{path} already exists and is not a table of results: it is not replaced";

    /// Returns the error of an option that does not go with a folder.
    pub fn report_of_a_folder(option: &str; lang) =>
        "フォルダーの解析では {option} を指定できません。レポートは各棋譜の隣に書かれます。",
        "{option} cannot be used with a folder; its reports are written beside each record";

    /// Returns the error of a folder without games.
    pub fn no_game(path: &str; lang) =>
        "{path} に棋譜がありません。", "There is no game record in {path}.";

    /// Returns the error of a path that is not a folder.
    pub fn not_a_folder(path: &str; lang) =>
        "{path} はフォルダーではありません。", "{path} is not a folder";

    /// Returns the message about a link that is not followed.
    pub fn link_not_followed(path: &str; lang) =>
        "{path}: フォルダーへのリンク、または行き先のないリンクなので、たどりません。",
        "{path}: this link leads to a folder or nowhere, and is not followed";

    /// Returns the problem of a file that was changed during the analysis.
    pub fn changed_meanwhile(path: &str; lang) =>
        "{path} は解析中に書き換えられたため、このままにします。もう一度実行すると続きから解析します。",
        "{path} was changed during the analysis and is left as it is; run the command again to continue";

    /// Returns the number of positions for which there is no value.
    pub fn without_value(count: usize; lang) =>
        "評価値を得られなかった局面 {count}", "positions without a value: {count}";

    /// Returns the number of positions that are never sent to an engine.
    pub fn unsearchable(count: usize; lang) =>
        "エンジンに渡せない局面 {count}", "positions that no engine can search: {count}";

    /// Returns the message about an analysis that was cancelled, or has no engine left.
    pub fn ended([over, all]: [usize; 2], searched: usize; lang) =>
        "解析を途中で終えました（{all}局のうち{over}局まで。今回 {searched}局面）。同じコマンドで続きから始まります。",
        "The analysis was stopped at game {over} of {all} ({searched} now); run the same command to continue" [searched: "position"];

    /// Returns the summary of an analysis: games, positions searched now, problems.
    pub fn summary(games: usize, searched: usize, problems: usize; lang) =>
        "解析した対局 {games}（今回読んだ局面 {searched}）　問題 {problems}",
        "Games analysed: {games} ({searched} searched now) · problems: {problems}" [searched: "position"];

    /// Returns the line with the paths of the tables.
    pub fn tables(page: &str, csv: &str; lang) => "結果の表　{page}　{csv}", "Tables of the results: {page} and {csv}";
}

/// Returns the heading of the table of results.
pub const fn heading(lang: Lang) -> &'static str {
    lang.pick("フォルダーの解析結果", "Results of the folder")
}

/// Returns the heading of the problems below the table of results.
pub const fn problems(lang: Lang) -> &'static str {
    lang.pick(
        "読めなかったもの・解析できなかったもの",
        "What could not be read or analysed",
    )
}

/// Returns the numbers of games that are over and of all: `12局`, or `12/40局` while the others are analysed.
pub fn games([over, all]: [usize; 2], lang: Lang) -> String {
    if over == all {
        return say!(lang: "{all}局", "Games: {all}");
    }
    say!(lang: "{over}/{all}局（途中）", "Games: {over} of {all} so far")
}

/// Returns the progress: `3/20局　解析 340/2400（14%）　残り 1:23`.
pub fn progress(
    [over, all]: [usize; 2],
    positions: [usize; 2],
    remaining: Option<Duration>,
    lang: Lang,
) -> String {
    let games = say!(lang: "{over}/{all}局", "game {over} of {all}");
    phrase::together(
        &[
            &games,
            &analysis_text::progress(positions, false, remaining, lang),
        ],
        lang,
    )
}

/// Returns a game that is over, as a line: file, and mean loss of each side.
pub fn game_over(file: &str, [black, white]: [Option<f64>; 2], lang: Lang) -> String {
    let [black, white] = [black, white].map(analysis_text::tenths);
    say!(lang:
        "{file}　平均損失　先手 {black}　後手 {white}",
        "{file}: mean loss · Black {black} · White {white}")
}
