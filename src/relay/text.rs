//! The messages of the relay itself: one sentence, in both languages, if there is no engine.

use shogibar_engine::process::StartError;
use std::io;
use thiserror::Error;

/// The reason why there is no engine.
#[derive(Debug, Error)]
pub(super) enum RelayError {
    /// No engine is named.
    #[error(
        "no engine is named: register the file that 'Use in a shogi GUI' makes on Shogibar's page of engines, or give \
         --engine NAME (エンジンが決まっていません。Shogibar の「エンジン」の「将棋 GUI で使う」で作られるファイルを登録するか、\
         --engine で指定してください)"
    )]
    NoEngine,
    /// No engine or program has this name.
    #[error(
        "there is no engine or program called '{0}': see Shogibar's page of engines \
         (「{0}」というエンジンやプログラムはありません。Shogibar の「エンジン」で名前を確かめてください)"
    )]
    Unknown(String),
    /// The engine cannot be started.
    #[error("{0} (エンジンを起動できません)")]
    NotStarted(#[from] StartError),
    /// A call of the operating system failed.
    #[error("{0} (システムのエラーです)")]
    System(#[from] io::Error),
}
