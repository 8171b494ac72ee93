//! Sentences about an engine that failed.

use super::visible::visible;
use super::{CauseText, Lang};
use crate::process::{ExitReason, StartError};
use crate::session::FailureKind;

/// Returns what happened and what the user can do, as a sentence.
pub(super) fn failure(kind: &FailureKind, lang: Lang) -> String {
    match (kind, lang) {
        (FailureKind::NotStarted(error), _) => start_error(error, lang),
        (FailureKind::EndedAtOnce(reason), Lang::Ja) => {
            let reason = exit(*reason, lang);
            format!("エンジンが usiok を返す前に終了しました（{reason}）。USI エンジンかどうか確認してください。")
        }
        (FailureKind::EndedAtOnce(reason), Lang::En) => {
            let reason = exit(*reason, lang);
            format!("The program ended before it said usiok ({reason}). Check that it is a USI engine.")
        }
        (FailureKind::NoUsiOk(seconds), Lang::Ja) => {
            format!("{seconds}秒待っても usiok が返りません。USI エンジンかどうか確認してください。")
        }
        (FailureKind::NoUsiOk(seconds), Lang::En) => {
            format!("The program did not say usiok within {seconds} seconds. Check that it is a USI engine.")
        }
        (FailureKind::NoReadyOk(seconds), Lang::Ja) => format!(
            "{seconds}秒のあいだエンジンから応答がなく、readyok が返りません。評価関数ファイルなどを確認してください。"
        ),
        (FailureKind::NoReadyOk(seconds), Lang::En) => {
            format!("The engine was silent for {seconds} seconds and did not say readyok. Check its evaluation file.")
        }
        (FailureKind::Crashed(reason), Lang::Ja) => {
            format!("エンジンが途中で終了しました（{}）。", exit(*reason, lang))
        }
        (FailureKind::Crashed(reason), Lang::En) => format!("The engine ended unexpectedly ({}).", exit(*reason, lang)),
        (FailureKind::NotUsi, _) => lang
            .pick(
                "このプログラムの出力は USI ではありません。別のエンジンを選んでください。",
                "What this program prints is not USI. Choose another engine.",
            )
            .to_owned(),
        (FailureKind::NoStop, _) => lang
            .pick("エンジンが stop に応答しないため終了させました。", "The engine did not answer stop, and was ended.")
            .to_owned(),
        (FailureKind::NotReading, _) => lang
            .pick(
                "エンジンが命令を読み取らないため終了させました。",
                "The engine does not read its commands, and was ended.",
            )
            .to_owned(),
    }
}

/// Returns why a program was not started, as a sentence.
pub fn start_error(error: &StartError, lang: Lang) -> String {
    match (error, lang) {
        (StartError::NotFound(path), Lang::Ja) => format!(
            "エンジン「{}」が見つかりません。名前かパスを確認してください（一覧は shogibar engines）。",
            path.display()
        ),
        (StartError::NotFound(path), Lang::En) => format!(
            "There is no engine '{}'. Check its name or path; 'shogibar engines' lists those there are.",
            path.display()
        ),
        (StartError::NoFolder(folder), _) => no_folder(&folder.display().to_string(), lang),
        (StartError::NotAProgram(path), Lang::Ja) => {
            format!("{} はこのコンピューターで実行できるプログラムではありません。", path.display())
        }
        (StartError::NotAProgram(path), Lang::En) => {
            format!("{} is not a program that can be run here.", path.display())
        }
        (StartError::Refused(path, why), _) => not_started(&path.display().to_string(), &why.into(), lang),
    }
}

/// Returns the sentence about a program that was not started for this cause.
pub(super) fn not_started(program: &str, cause: &CauseText, lang: Lang) -> String {
    let cause = cause.text(lang);
    match lang {
        Lang::Ja => format!("{program} を起動できません: {cause}"),
        Lang::En => format!("{program} cannot be started: {cause}"),
    }
}

/// Returns the error of a working folder that does not exist.
pub fn no_folder(folder: &str, lang: Lang) -> String {
    let folder = visible(folder);
    match lang {
        Lang::Ja => format!("エンジンの作業フォルダー「{folder}」がありません。エンジンの設定で直してください。"),
        Lang::En => format!("The engine's folder '{folder}' does not exist. Correct it in the engine's settings."),
    }
}

/// Returns how a process ended, for the middle of a sentence.
fn exit(reason: ExitReason, lang: Lang) -> String {
    match (reason, lang) {
        (ExitReason::Code(code), Lang::Ja) => format!("終了コード {code}"),
        (ExitReason::Code(code), Lang::En) => format!("exit code {code}"),
        (ExitReason::Signal(signal), Lang::Ja) => format!("シグナル {signal}"),
        (ExitReason::Signal(signal), Lang::En) => format!("signal {signal}"),
        (ExitReason::ClosedOutput, _) => lang.pick("出力を閉じました", "it closed its output").to_owned(),
    }
}
