//! Texts of the shelf: the index of the positions in the user's records.

use super::Lang;

phrases! {
    /// How a game ended.
    pub enum ResultPhrase {
        Open => "終わっていない", "not ended";
        BlackWins => "先手勝ち", "Black won";
        WhiteWins => "後手勝ち", "White won";
        Draw => "引き分け", "a draw";
        End => "終局", "the end";
    }
}

sentences! {
    /// What the index holds.
    pub fn holds(files: usize, games: usize, positions: usize; lang) =>
        "{files}ファイル、{games}局、{positions}局面", "{files} files, {games} games, {positions} positions";

    /// How many files were read, of how many.
    pub fn progress(read: usize, count: usize; lang) =>
        "{count}ファイルのうち{read}ファイルを読みました。", "{read} of {count} files are read";

    /// The index could not be trusted; its new path.
    pub fn set_aside(path: &str; lang) =>
        "索引が壊れていたため {path} に移し、作り直しました。",
        "the index was damaged: it was moved to {path} and made again";
}

/// Says that another program is writing the index.
pub const fn busy(lang: Lang) -> &'static str {
    lang.pick(
        "別のプログラムが索引を書いています。終わるのを待って、もう一度実行してください。",
        "another program is writing the index; wait until it has ended, and run this again",
    )
}
