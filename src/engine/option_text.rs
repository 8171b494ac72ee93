//! Texts about the options and the search limit of an engine.

use crate::options::{Limit, RejectReason, RejectedOption};
use crate::usi::option::OptionError;
use crate::usi::{OptionKind, OptionSpec};
use shogibar_base::visible::visible;
use shogibar_base::{Lang, say};

/// Returns the warning of a stored option that is not sent: `EvalDir: …`
pub fn rejected_option(option: &RejectedOption, lang: Lang) -> String {
    visible(&format!(
        "{}: {}",
        option.name,
        reject_reason(&option.reason, lang)
    ))
    .into_owned()
}

/// Returns why a stored option is not sent.
pub fn reject_reason(why: &RejectReason, lang: Lang) -> String {
    match why {
        RejectReason::Gone => {
            say!(lang: "エンジンにこのオプションはありません。", "the engine has no such option.")
        }
        RejectReason::Button => say!(lang:
            "ボタンなので自動では送りません。", "it is a button, which is not pressed automatically."),
        RejectReason::Twice => say!(lang:
            "同じオプションが別の名前でも設定されています。", "the same option is also set under another name."),
        RejectReason::Refused(error) => option_error(error, lang),
    }
}

/// Returns the default and the range of an option.
pub fn default_and_range(option: &OptionSpec, default: Option<&str>, lang: Lang) -> String {
    let default = match default {
        Some("") => lang.pick("（空）", "(empty)"),
        Some(default) => default,
        None => "—",
    };
    let default = format!("{} {default}", lang.pick("既定値:", "Default:"));
    match option.kind {
        OptionKind::Spin {
            min: Some(min),
            max: Some(max),
            ..
        } => {
            say!(lang: "{default}、{min}から{max}まで", "{default}, from {min} to {max}")
        }
        _ => default,
    }
}

/// Returns the error of an option's value.
pub fn option_error(error: &OptionError, lang: Lang) -> String {
    match error {
        OptionError::NotABool { .. } => {
            say!(lang: "true か false を指定してください。", "it must be true or false.")
        }
        OptionError::NotANumber { value, .. } => say!(lang:
            "「{value}」は整数ではありません。", "'{value}' is not a whole number."),
        OptionError::OutOfRange { min, max, value, .. } => say!(lang:
            "{value} は範囲外です（{min}から{max}まで）。", "{value} is out of range ({min} to {max})."),
        OptionError::NotAChoice { choices, value, .. } => say!(lang:
            "「{value}」は選べません（{choices}）。", "'{value}' is not one of {choices}."),
        OptionError::ControlCharacter(_) => say!(lang:
            "改行や制御文字は使えません。", "it cannot contain a line break or control character."),
    }
}

/// Returns the search limit of a position in words. `None` is the default limit.
pub fn limit(limit: Option<Limit>, lang: Lang) -> String {
    match limit {
        None => lang.pick("既定", "Default").to_owned(),
        Some(Limit::Infinite) => lang.pick("無制限", "Unlimited").to_owned(),
        Some(Limit::Time(time)) => {
            let seconds = time.as_secs_f64();
            say!(lang: "{seconds}秒", "{seconds} s")
        }
        Some(Limit::Nodes(nodes)) if nodes % 10_000 == 0 && lang == Lang::Ja => {
            format!("{}万ノード", nodes / 10_000)
        }
        Some(Limit::Nodes(nodes)) => say!(lang: "{nodes}ノード", "{nodes}" [nodes: "node"]),
        Some(Limit::Depth(depth)) => say!(lang: "深さ {depth}", "Depth {depth}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rejected_option_states_the_reason() {
        let refused = OptionError::OutOfRange {
            name: "Threads".to_owned(),
            value: 0,
            min: 1,
            max: 8,
        };
        let why = RejectReason::Refused(refused);
        let stored = RejectedOption {
            name: "Threads".to_owned(),
            value: "0".to_owned(),
            reason: why,
        };
        assert_eq!(
            rejected_option(&stored, Lang::Ja),
            "Threads: 0 は範囲外です（1から8まで）。"
        );
        assert_eq!(
            rejected_option(&stored, Lang::En),
            "Threads: 0 is out of range (1 to 8)."
        );
    }
}
