//! tsshogi, in a separate Node process.

use super::{Sample, Times};
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) const NAME: &str = "tsshogi 2.2.0";

/// Returns the times of tsshogi for each sample, in seconds, as it measures itself. `None` without node and its
/// packages.
pub(crate) fn times(samples: &[Sample]) -> Option<Times> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/records/tsshogi.mjs");
    let mut node = Command::new("node")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    let requests: Vec<_> = samples
        .iter()
        .map(|sample| json!({ "format": sample.format.name(), "text": sample.text }))
        .collect();
    // The Node process reads all input before it writes.
    let written = node
        .stdin
        .take()?
        .write_all(Value::from(requests).to_string().as_bytes());
    let output = node.wait_with_output().ok().filter(|_| written.is_ok())?;
    let answers: Vec<Value> = serde_json::from_slice(&output.stdout).ok()?;
    Some(
        answers
            .iter()
            .zip(samples)
            .map(|(answer, sample)| right(answer, sample))
            .collect(),
    )
}

fn right(answer: &Value, sample: &Sample) -> Option<f64> {
    let main = answer["main"].as_array()?.iter().map(Value::as_str);
    let tree = answer["tree"].as_array()?.iter().map(Value::as_u64);
    let is_right = main.eq(sample.outline.main.iter().map(|mv| Some(mv.as_str())))
        && tree.eq(sample.outline.tree.iter().map(|hash| Some(u64::from(*hash))));
    answer["seconds"].as_f64().filter(|_| is_right)
}
