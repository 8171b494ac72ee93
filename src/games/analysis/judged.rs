//! The review of a record that was just analysed.

use super::{EngineScales, Evaluator, Evaluators, Finding, FindingKind, GameReview, Progress};
use crate::analysis_text as text;
use shogibar_base::Lang;
use shogibar_kifu::Record;

/// Returns the review of an analysed record, and an error message if no evaluator or several have the name of the
/// judge. `wanted` is this name; `None` for the default judge.
pub fn judged_review(
    record: &Record,
    mut scales: EngineScales,
    wanted: Option<&str>,
    progress: &Progress,
    findings: &[Finding],
    lang: Lang,
) -> (GameReview, Result<(), String>) {
    let known = findings.iter().filter_map(|finding| match &finding.outcome {
        FindingKind::Searched(result) | FindingKind::Known(result) => {
            Some((result.engine.as_str(), result.model))
        }
        FindingKind::Skipped | FindingKind::Nothing | FindingKind::GivenUp(..) => None,
    });
    let running = progress.engines.iter().flat_map(|engine| {
        [&engine.signature, &engine.deep_signature].map(|signature| (signature.as_str(), engine.model))
    });
    for (engine, model) in known.chain(running).filter(|(engine, _)| !engine.is_empty()) {
        scales.learn(engine, model);
    }
    let choose = |all: &Evaluators| {
        wanted.and_then(|name| find_judge(record, all, progress, name, lang).ok().cloned())
    };
    let review = GameReview::new(record, choose, |known| scales.model(known));
    let judge = wanted.map_or(Ok(()), |name| check_judge(record, &review, progress, name, lang));
    (review, judge)
}

/// Finds a judge by name: the user's name for an engine of this analysis, or the name of any evaluator.
///
/// # Errors
/// Fails with the evaluators that match, if their number is not one.
fn find_judge<'a>(
    record: &Record,
    all: &'a Evaluators,
    progress: &Progress,
    name: &str,
    lang: Lang,
) -> Result<&'a Evaluator, Vec<&'a Evaluator>> {
    let mut ours = progress.engines.iter().filter(|engine| engine.name == name);
    let ours = ours.find_map(|engine| all.find(&engine.signature, record, lang).ok());
    ours.map_or_else(|| all.find(name, record, lang), Ok)
}

/// Checks the name of a judge.
///
/// # Errors
/// Fails with a message for the user, if no evaluator or several have this name.
fn check_judge(
    record: &Record,
    review: &GameReview,
    progress: &Progress,
    name: &str,
    lang: Lang,
) -> Result<(), String> {
    let all = review.evaluators();
    let Err(fit) = find_judge(record, all, progress, name, lang) else {
        return Ok(());
    };
    let is_ambiguous = !fit.is_empty();
    let shown = if is_ambiguous { fit } else { all.iter().collect() };
    let shown: Vec<_> = shown.into_iter().map(|by| by.label(record, lang)).collect();
    let message = if is_ambiguous {
        text::several_judges
    } else {
        text::no_such_judge
    };
    Err(message(name, &shown, lang))
}
