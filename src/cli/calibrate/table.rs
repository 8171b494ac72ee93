//! The curves of the engines, as a table and as JSON.

use super::super::Streams;
use serde::Serialize;
use serde_json::{Value, json};
use shogibar_base::Lang;
use shogibar_games::calibration::{COMMON_SCALES, Calibration, EngineCurve, HeldOutLoss, NoCurve};
use shogibar_games::calibration_text::{self as text, CurveColumn, NoCurveReason};
use std::collections::BTreeMap;

/// Writes the curves as a table, with the remarks about them.
pub(super) fn write(calibration: &Calibration, streams: &mut Streams<'_>) -> anyhow::Result<()> {
    let lang = streams.lang;
    let head: Vec<String> = CurveColumn::ALL
        .iter()
        .map(|column| column.text(lang).to_owned())
        .collect();
    // The row of all engines adds nothing if there is only one engine.
    let shown = if calibration.only_engine().is_some() {
        1
    } else {
        calibration.engines.len()
    };
    let engines = || calibration.engines.iter().take(shown);
    let rows: Vec<_> = std::iter::once(head)
        .chain(engines().map(|engine| row(engine, lang)))
        .collect();
    streams.out.write_lines(&text::table(&rows))?;
    for engine in engines() {
        write_test_losses(engine, lang, streams)?;
    }
    report_missing_curves(calibration, lang, streams)
}

/// Writes the curves as JSON, and the remarks about them on standard error.
pub(super) fn write_json(
    calibration: &Calibration,
    lang: Lang,
    streams: &mut Streams<'_>,
) -> anyhow::Result<()> {
    for engine in &calibration.engines {
        streams.out.write_json_line(&EngineObject::new(engine))?;
    }
    report_missing_curves(calibration, lang, streams)
}

/// Returns the display name of an engine. The empty name is an unnamed engine, `*` all engines together.
pub(super) fn engine_name(name: &str, lang: Lang) -> String {
    match name {
        "" => text::unnamed(lang).to_owned(),
        "*" => text::together(lang).to_owned(),
        name => name.to_owned(),
    }
}

fn report_missing_curves(
    calibration: &Calibration,
    lang: Lang,
    streams: &mut Streams<'_>,
) -> anyhow::Result<()> {
    for engine in calibration.engines.iter().filter(|engine| engine.engine != "*") {
        let name = engine_name(&engine.engine, lang);
        let sentence = match engine.fit {
            Err(NoCurve::FewGames) => {
                let missing = engine.missing_games().unwrap_or_default();
                text::few_games(&name, engine.games, missing, lang)
            }
            Err(NoCurve::OneResult) => text::no_curve(&name, NoCurveReason::OneResult, lang),
            Err(NoCurve::OnlyZeros) => text::no_curve(&name, NoCurveReason::OnlyZeros, lang),
            Ok(_) => continue,
        };
        writeln!(streams.err, "{sentence}")?;
    }
    Ok(())
}

/// Returns the cells of an engine, in the order of [`CurveColumn::ALL`].
fn row(engine: &EngineCurve, lang: Lang) -> Vec<String> {
    let EngineCurve {
        games,
        positions,
        loss_600,
        ..
    } = engine;
    let fit = |cell: fn(&shogibar_shogi::score::CurveFit) -> String| {
        engine.fit.as_ref().map_or_else(|_| "–".to_owned(), cell)
    };
    vec![
        engine_name(&engine.engine, lang),
        games.to_string(),
        positions.to_string(),
        fit(|fit| format!("{:.0}", fit.likeliest_curve.k)),
        fit(|fit| format!("{:.0}–{:.0}", fit.k_low, fit.k_high)),
        fit(|fit| format!("{:.0}", fit.curve.k)),
        fit(|fit| format!("{:+.0}", fit.likeliest_curve.bonus)),
        fit(|fit| format!("{:.4}", fit.loss)),
        if engine.fit == Err(NoCurve::FewGames) {
            "–".to_owned()
        } else {
            format!("{loss_600:.4}")
        },
        fit(|fit| format!("{:.3}", fit.calibration_error)),
        engine
            .missing_games()
            .map_or_else(|| "–".to_owned(), |missing| missing.to_string()),
    ]
}

/// Writes the losses of the fitted curve and of common scales on the test games, which are not in the fit. Writes
/// nothing without test games, or if the engine has too few games for a curve.
fn write_test_losses(engine: &EngineCurve, lang: Lang, streams: &mut Streams<'_>) -> anyhow::Result<()> {
    if engine.fit == Err(NoCurve::FewGames) {
        return Ok(());
    }
    let Some(test) = &engine.test else {
        return Ok(());
    };
    let constants = COMMON_SCALES.iter().zip(&test.scale_losses);
    let constants =
        constants.map(|(k, (loss, above, error))| text::constant_loss(*k, [*loss, *above, *error]));
    let losses: Vec<String> = test
        .loss
        .map(|loss| text::fitted_loss(loss, lang))
        .into_iter()
        .chain(constants)
        .collect();
    let name = engine_name(&engine.engine, lang);
    Ok(writeln!(
        streams.out,
        "{}: {}",
        text::tested(&name, test.games, test.positions, lang),
        losses.join("  ")
    )?)
}

/// The curve of an engine, as JSON; the fields are in the order of the output. An unknown value is null.
#[derive(Debug, Serialize)]
struct EngineObject<'a> {
    engine: &'a str,
    games: usize,
    positions: usize,
    k: Option<f64>,
    k_low: Option<f64>,
    k_high: Option<f64>,
    k_to_use: Option<f64>,
    bonus: Option<f64>,
    loss: Option<f64>,
    loss_600: Option<f64>,
    ece: Option<f64>,
    missing_games: Option<u64>,
    #[serde(flatten)]
    test: BTreeMap<String, Value>,
}

impl<'a> EngineObject<'a> {
    fn new(engine: &'a EngineCurve) -> Self {
        let fit = engine.fit.as_ref().ok();
        Self {
            // An engine that no record names is `?`.
            engine: if engine.engine.is_empty() {
                "?"
            } else {
                &engine.engine
            },
            games: engine.games,
            positions: engine.positions,
            k: fit.map(|fit| fit.likeliest_curve.k),
            k_low: fit.map(|fit| fit.k_low),
            k_high: fit.map(|fit| fit.k_high),
            k_to_use: fit.map(|fit| fit.curve.k),
            bonus: fit.map(|fit| fit.likeliest_curve.bonus),
            loss: fit.map(|fit| fit.loss),
            loss_600: (engine.fit != Err(NoCurve::FewGames)).then_some(engine.loss_600),
            ece: fit.map(|fit| fit.calibration_error),
            missing_games: engine.missing_games(),
            test: fit
                .and(engine.test.as_ref())
                .map(tested_fields)
                .unwrap_or_default(),
        }
    }
}

/// Returns the fields about the games that are not in the fit. `test_excess_K` has two numbers: the curve's loss minus
/// the loss of K, and the standard error of this difference.
fn tested_fields(test: &HeldOutLoss) -> BTreeMap<String, Value> {
    let whole = [
        ("games", json!(test.games)),
        ("positions", json!(test.positions)),
        ("loss", json!(test.loss)),
    ];
    let whole = whole.map(|(key, value)| (format!("test_{key}"), value));
    whole
        .into_iter()
        .chain(
            COMMON_SCALES
                .iter()
                .zip(&test.scale_losses)
                .flat_map(|(k, (loss, above, error))| {
                    [
                        (format!("test_loss_{k}"), json!(loss)),
                        (format!("test_excess_{k}"), json!([above, error])),
                    ]
                }),
        )
        .collect()
}
