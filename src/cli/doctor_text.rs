//! Texts of `shogibar doctor --relay`.

use shogibar_base::visible::visible;
use shogibar_base::{Lang, phrases, say};
use shogibar_config::engines_text;
use shogibar_engine::failure_text;
use shogibar_engine::process::StartError;
use std::time::Duration;

phrases! {
    /// A step of `shogibar doctor --relay`, in the order in which a shogi GUI would do it.
    pub(crate) enum RelayStep {
        Start => "連携プログラムを起動", "starting the relay";
        Usi => "usi → usiok", "usi → usiok";
        IsReady => "isready → readyok", "isready → readyok";
        Search => "go byoyomi 500 → bestmove", "go byoyomi 500 → bestmove";
        Stop => "go infinite, stop → bestmove", "go infinite, stop → bestmove";
        Quit => "quit → 終了", "quit → the end";
    }
}

/// The result of a [`RelayStep`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepResult {
    /// The step succeeded after this time.
    Done(Duration),
    /// The relay could not be started.
    Failed(StartError),
    /// The answer did not come within this time.
    NoAnswer(Duration),
    /// The engine ended. Holds its last line.
    Ended(String),
}

/// Returns the line that names the engine.
pub(crate) fn engine_tried(name: &str, lang: Lang) -> String {
    say!(lang: "エンジン: {name}", "Engine: {name}", name = visible(name))
}

/// Returns the line about a step and its result.
pub(crate) fn relay_step(step: RelayStep, result: &StepResult, lang: Lang) -> String {
    let step = step.text(lang);
    match result {
        StepResult::Done(Duration::ZERO) => format!("ok    {step}"),
        StepResult::Done(time) => format!("ok    {step}  {} ms", time.as_millis()),
        StepResult::Failed(StartError::NotFound(path)) => say!(lang:
            "FAIL  {step}: {path} がありません。{help}", "FAIL  {step}: {path} does not exist. {help}",
            path = visible(&path.display().to_string()), help = engines_text::relay_missing(lang)),
        StepResult::Failed(error) => format!("FAIL  {step}: {}", failure_text::start_error(error, lang)),
        StepResult::NoAnswer(time) => say!(lang:
            "FAIL  {step}: {seconds}秒待っても応答がありません。--engine に指定したエンジンを確かめてください。",
            "FAIL  {step}: no answer within {seconds} s. Check the engine that --engine names.",
            seconds = time.as_secs()),
        StepResult::Ended(last) if last.is_empty() => say!(lang:
            "FAIL  {step}: エンジンが何も出力せずに終了しました。", "FAIL  {step}: the engine ended without any output."),
        StepResult::Ended(last) => say!(lang:
            "FAIL  {step}: エンジンが終了しました。最後の行: {last}",
            "FAIL  {step}: the engine ended. Its last line: {last}", last = visible(last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_relay_says_where_it_belongs() {
        let missing = StepResult::Failed(StartError::NotFound("/opt/shogibar-usi".into()));
        let check = |lang, words: [&str; 3]| {
            let line = relay_step(RelayStep::Start, &missing, lang);
            assert!(words.iter().all(|word| line.contains(word)), "{line}");
        };
        check(
            Lang::Ja,
            [
                "/opt/shogibar-usi がありません",
                "同じフォルダー",
                "cargo build --release",
            ],
        );
        check(
            Lang::En,
            [
                "/opt/shogibar-usi does not exist",
                "the same folder",
                "cargo build --release",
            ],
        );
    }
}
