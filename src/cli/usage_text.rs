//! Usage errors of the command line.

use shogibar_base::{Lang, messages, say};
use std::fmt;

messages! {
    /// A usage error of the command line. Options have the form of the help, with the name of their value.
    #[derive(Clone, Debug, PartialEq)]
    pub(crate) enum UsageError in lang {
        NoOption(option: String, suggestion: Option<String>) =>
            "{option} というオプションはありません。{suggestion}",
            "there is no option {option}{suggestion}", suggestion = suggestion_text(suggestion.as_deref(), lang);
        NoCommand(word: String, suggestion: Option<String>) =>
            "{word} というコマンドはありません。{suggestion}",
            "there is no command {word}{suggestion}", suggestion = suggestion_text(suggestion.as_deref(), lang);
        /// There is an extra argument.
        TooMany(argument: String) => "「{argument}」は余分な引数です。", "unexpected argument '{argument}'";
        NoValue(option: String) => "{option} に値がありません。", "a value is missing after {option}";
        /// The option takes no value, but has this one.
        NeedsNoValue(option: String, value: String) =>
            "{option} は値を取りません（{value}）。", "{option} takes no value, but was given '{value}'";
        /// The value is not valid; holds the option, the value, and the expected value.
        WrongValue(option: String, value: String, expected: Option<ExpectedValue>) =>
            "{option} に「{value}」は指定できません。{expected}",
            "'{value}' is not a valid value for {option}{expected}", expected = expected_text(expected.as_ref(), lang);
        /// The two options exclude each other.
        Conflict(option: String, other: String) =>
            "{option} と {other} は同時に指定できません。", "{option} cannot be used with {other}";
        /// The option occurs twice.
        Twice(option: String) => "{option} は一度しか指定できません。", "{option} can be given only once";
        Missing(arguments: Vec<String>) =>
            "{arguments} がありません。", "{arguments} is missing", arguments = arguments.join(lang.pick("、", ", "));
        NeedsCommand => "コマンドがありません。", "a command is missing";
        NotUtf8 => "UTF-8 ではない引数があります。", "an argument is not UTF-8";
        /// Another error, in the parser's words.
        Other(why: String) => "引数を解釈できません（{why}）。", "{why}";
    }
}

/// The expected value of an option.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ExpectedValue {
    /// One of these words.
    OneOf(Vec<String>),
    /// A whole number from this minimum to this maximum, if any.
    Whole(u64, Option<u64>),
    /// A number from this minimum to this maximum, if any.
    Number(f64, Option<f64>),
    /// A width and a height.
    #[cfg(feature = "gui")]
    Size,
    /// No value: the option is only for pictures, and the window has a setting for it.
    InSettings,
    /// A file, not a standard stream.
    File,
    /// The name of a host.
    Host,
    /// Two differences in Elo.
    EloRange,
    /// A number of moves, of seconds or of minutes, or the end of the game.
    Delay,
    /// A time of a video.
    VideoTime,
}

/// Returns the question whether a similar word was meant; empty without a suggestion.
fn suggestion_text(suggestion: Option<&str>, lang: Lang) -> String {
    suggestion
        .map(|word| say!(lang: "{word} のことですか？", " (did you mean {word}?)"))
        .unwrap_or_default()
}

/// Returns what the user should specify instead; empty if that is not known.
fn expected_text(expected: Option<&ExpectedValue>, lang: Lang) -> String {
    let Some(expected) = expected else {
        return String::new();
    };
    let value = expected.text(lang);
    say!(lang: "{value}を指定してください。", ": use {value}")
}

impl UsageError {
    /// Returns the sentence in a language, with the hint to the `--help` of `command`. An option that the window has in
    /// its settings gets a hint to these instead.
    pub(crate) fn text(&self, command: &str, lang: Lang) -> String {
        match self {
            Self::WrongValue(_, _, Some(ExpectedValue::InSettings)) => ExpectedValue::InSettings.text(lang),
            _ => say!(lang:
                "{why}`{command} --help` で使い方を表示します。",
                "{why}; see `{command} --help`", why = self.sentence(lang)),
        }
    }
}

impl ExpectedValue {
    /// Returns the expected value, for the middle of a sentence.
    pub(crate) fn text(&self, lang: Lang) -> String {
        match self {
            Self::OneOf(values) => say!(lang:
                "{values} のどれか", "one of {values}", values = values.join(lang.pick("、", " "))),
            Self::Whole(min, Some(max)) => {
                say!(lang: "{min}から{max}までの整数", "a whole number from {min} to {max}")
            }
            Self::Whole(min, None) => say!(lang: "{min}以上の整数", "a whole number, at least {min}"),
            Self::Number(min, Some(max)) => {
                say!(lang: "{min}から{max}までの数", "a number from {min} to {max}")
            }
            Self::Number(min, None) => say!(lang: "{min}以上の数", "a number, at least {min}"),
            #[cfg(feature = "gui")]
            Self::Size => say!(lang: "1080x204 のような幅と高さ", "a width and a height, such as 1080x204"),
            Self::File => say!(lang: "ファイル（標準出力以外）", "a file, not standard output"),
            Self::Host => say!(lang: "ssh で接続できるホストの名前", "the name of a host that ssh accepts"),
            Self::Delay => say!(lang:
                "手数（5）、秒か分（30s、15m）、または end（終局まで）",
                "a number of moves (5), of seconds or minutes (30s, 15m), or end"),
            Self::VideoTime => say!(lang:
                "動画の時刻（1:02:03、5:00、または秒）",
                "a time of a video (1:02:03, 5:00 or seconds)"),
            Self::EloRange => say!(lang:
                "0,20 のような2つのレート差（小さいほうが先）", "two differences in Elo, the smaller first, as in 0,20"),
            Self::InSettings => say!(lang:
                "ウィンドウの配置と配色は設定（S キーと L キー）で選びます。画像なら `shogibar snapshot` で指定できます。",
                "choose it in the settings of the window (keys S and L); for a picture, use `shogibar snapshot`"),
        }
    }
}

impl fmt::Display for ExpectedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))
    }
}

impl std::error::Error for ExpectedValue {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_value_names_the_expected_one() {
        let usage = UsageError::WrongValue(
            "--jobs <J>".to_owned(),
            "0".to_owned(),
            Some(ExpectedValue::Whole(1, Some(256))),
        );
        let [ja, en] = [Lang::Ja, Lang::En].map(|lang| usage.text("shogibar analyze", lang));
        assert_eq!(
            ja,
            "--jobs <J> に「0」は指定できません。1から256までの整数を指定してください。`shogibar analyze --help` で使い方を表示します。"
        );
        assert_eq!(
            en,
            "'0' is not a valid value for --jobs <J>: use a whole number from 1 to 256; see `shogibar analyze --help`"
        );
    }
}
