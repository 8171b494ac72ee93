//! Sentences about an engine that failed.

use crate::process::{ExitReason, StartError};
use crate::session::FailureKind;
use shogibar_base::visible::visible;
use shogibar_base::{CauseText, Lang, say, sentences};

/// Returns what has failed and what the user can do, as a sentence.
pub fn failure(kind: &FailureKind, lang: Lang) -> String {
    match kind {
        FailureKind::NotStarted(error) => start_error(error, lang),
        FailureKind::EndedAtOnce(reason) => say!(lang:
            "エンジンが usiok を返す前に終了しました（{reason}）。USI エンジンかどうか確認してください。",
            "The program exited before it answered usiok ({reason}). Check that it is a USI engine.",
            reason = exit(*reason, lang)),
        FailureKind::NoUsiOk(seconds) => say!(lang:
            "{seconds}秒待っても usiok が返りません。USI エンジンかどうか確認してください。",
            "The program did not answer usiok within {seconds}. Check that it is a USI engine." [seconds: "second"]),
        FailureKind::NoReadyOk(seconds) => say!(lang:
            "{seconds}秒のあいだエンジンから応答がなく、readyok が返りません。評価関数ファイルなどを確認してください。",
            "The engine was silent for {seconds} and did not answer readyok. Check its evaluation file." [seconds: "second"]),
        FailureKind::Crashed(reason) => say!(lang:
            "エンジンが途中で終了しました（{reason}）。",
            "The engine ended unexpectedly ({reason}).", reason = exit(*reason, lang)),
        FailureKind::NotUsi => say!(lang:
            "このプログラムの出力は USI ではありません。別のエンジンを選んでください。",
            "The output of this program is not USI. Choose another engine."),
        FailureKind::NoStop => say!(lang:
            "エンジンが stop に応答しないため終了させました。", "The engine did not respond to stop and was terminated."),
        FailureKind::NotReading => say!(lang:
            "エンジンが命令を読み取らないため終了させました。",
            "The engine did not read its commands and was terminated."),
    }
}

/// Returns the kind of failure, for a bar that others may be watching.
pub const fn on_air(kind: &FailureKind, lang: Lang) -> &'static str {
    if kind.is_unusable() {
        lang.pick(
            "エンジンを使えません。エンジンの画面（N）で選んでください。",
            "The engine cannot be used. Press N to choose one.",
        )
    } else {
        lang.pick(
            "エンジンが止まりました。エンジンの画面（N）で確かめてください。",
            "The engine has stopped. Press N to see why.",
        )
    }
}

/// Returns why a program was not started, as a sentence.
pub fn start_error(error: &StartError, lang: Lang) -> String {
    let sentence = match error {
        StartError::NotFound(path) => say!(lang:
            "エンジン「{path}」が見つかりません。名前かパスを確認してください（一覧は shogibar engines）。",
            "There is no engine '{path}'. Check its name or path; `shogibar engines` lists the available ones.",
            path = path.display()),
        StartError::NoFolder(folder) => no_folder(&folder.display().to_string(), lang),
        StartError::NotAProgram(path) => say!(lang:
            "{path} はこのコンピューターで実行できるプログラムではありません。",
            "{path} is not a program that can be run here.", path = path.display()),
        StartError::Refused(path, why) => not_started(&path.display().to_string(), &why.into(), lang),
    };
    // A file name, or a message of the system, may contain control characters. These are made visible.
    visible(&sentence).into_owned()
}

sentences! {
    /// Returns the sentence about a program that was not started for this cause.
    pub fn not_started(program: &str, cause: &CauseText; lang) =>
        "{program} を起動できません: {cause}", "{program} cannot be started: {cause}", cause = cause.text(lang);

    /// Returns the error of a working folder that does not exist.
    pub fn no_folder(folder: &str; lang) =>
        "エンジンの作業フォルダー「{folder}」がありません。エンジンの設定で直してください。",
        "The engine's folder '{folder}' does not exist. Correct it in the engine's settings.", folder = visible(folder);
}

/// Returns how a process ended, for the middle of a sentence.
fn exit(reason: Option<ExitReason>, lang: Lang) -> String {
    match reason {
        Some(ExitReason::Code(code)) => say!(lang: "終了コード {code}", "exit code {code}"),
        Some(ExitReason::Signal(signal)) => say!(lang: "シグナル {signal}", "signal {signal}"),
        None => say!(lang: "出力を閉じました", "it closed its output"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn a_file_name_steers_no_terminal() {
        let path = || PathBuf::from("/e\u{1b}]0;x\u{7}");
        let refused = StartError::Refused(path(), (&std::io::Error::other("\u{1b}[2J")).into());
        for error in [
            StartError::NotFound(path()),
            StartError::NoFolder(path()),
            StartError::NotAProgram(path()),
            refused,
        ] {
            for lang in [Lang::Ja, Lang::En] {
                let sentence = start_error(&error, lang);
                assert!(!sentence.contains('\u{1b}'), "{sentence:?}");
            }
        }
    }
}
