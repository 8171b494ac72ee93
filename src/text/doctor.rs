//! Texts of `shogibar doctor --relay`.

use super::Lang;
use super::visible::visible;
use std::time::Duration;

phrases! {
    /// A step of a shogi GUI with its engine.
    pub enum RelayStep {
        Start => "連携プログラムを起動", "starting the relay";
        Usi => "usi → usiok", "usi → usiok";
        IsReady => "isready → readyok", "isready → readyok";
        Search => "go byoyomi 500 → bestmove", "go byoyomi 500 → bestmove";
        Stop => "go infinite, stop → bestmove", "go infinite, stop → bestmove";
        Quit => "quit → 終了", "quit → the end";
    }
}

/// The result of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepResult {
    /// The step succeeded after this time.
    Done(Duration),
    /// The step could not be started. Holds the cause.
    Failed(String),
    /// The answer did not come within this time.
    NoAnswer(Duration),
    /// The engine ended. Holds its last line.
    Ended(String),
}

/// Returns the line about the engine that is tried.
pub fn engine_tried(name: &str, lang: Lang) -> String {
    say!(lang: "エンジン: {name}", "Engine: {name}", name = visible(name))
}

/// Returns the line about a step.
pub fn relay_step(step: RelayStep, result: &StepResult, lang: Lang) -> String {
    let step = step.text(lang);
    match result {
        StepResult::Done(Duration::ZERO) => format!("ok    {step}"),
        StepResult::Done(time) => format!("ok    {step}  {} ms", time.as_millis()),
        StepResult::Failed(why) => format!("FAIL  {step}: {}", visible(why)),
        StepResult::NoAnswer(time) => say!(lang:
            "FAIL  {step}: {seconds} 秒待っても応答がありません。--engine に指定したエンジンを確かめてください。",
            "FAIL  {step}: no answer within {seconds} s. Check the engine that --engine names.",
            seconds = time.as_secs()),
        StepResult::Ended(last) if last.is_empty() => say!(lang:
            "FAIL  {step}: エンジンが何も言わずに終了しました。", "FAIL  {step}: the engine ended without a word."),
        StepResult::Ended(last) => say!(lang:
            "FAIL  {step}: エンジンが終了しました。最後の行: {last}",
            "FAIL  {step}: the engine ended. Its last line: {last}", last = visible(last)),
    }
}
