//! Usage errors of the command line.

use super::Lang;
use std::fmt;

/// A usage error. Options are written as typed, with the name of their value.
#[derive(Clone, Debug, PartialEq)]
pub enum UsageError {
    /// There is no such option; holds a similar one, if any.
    NoOption(String, Option<String>),
    /// There is no such subcommand; holds a similar one, if any.
    NoCommand(String, Option<String>),
    /// There is an extra argument.
    TooMany(String),
    /// The value of an option is missing.
    NoValue(String),
    /// The option takes no value, but has this one.
    NeedsNoValue(String, String),
    /// The value is not valid; holds the option, the value, and the expected value.
    WrongValue(String, String, Option<ExpectedValue>),
    /// The two options exclude each other.
    Conflict(String, String),
    /// The option occurs twice.
    Twice(String),
    /// These arguments are missing.
    Missing(Vec<String>),
    /// A subcommand is missing.
    NeedsCommand,
    /// An argument is not UTF-8.
    NotUtf8,
    /// Another error, in the parser's words.
    Other(String),
}

/// The expected value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpectedValue {
    /// One of these words.
    OneOf(Vec<String>),
    /// A whole number from this minimum to this maximum, if any.
    Whole(u64, Option<u64>),
    /// A number from this minimum to this maximum, if any.
    Number(f64, Option<f64>),
    /// A width and a height.
    Size,
    /// Nothing: the option belongs to the settings of the window.
    InSettings,
    /// A file, not a standard stream.
    File,
}

impl UsageError {
    /// Returns the sentence in a language; `command` is the command whose `--help` is recommended.
    pub fn text(&self, command: &str, lang: Lang) -> String {
        match (self, lang) {
            (Self::WrongValue(_, _, Some(ExpectedValue::InSettings)), _) => ExpectedValue::InSettings.text(lang),
            (_, Lang::Ja) => format!("{}`{command} --help` で使い方を表示します。", self.japanese()),
            (_, Lang::En) => format!("{}; see `{command} --help`", self.english()),
        }
    }

    fn japanese(&self) -> String {
        let meant = |suggestion: &Option<String>| {
            suggestion.as_ref().map(|suggestion| format!("{suggestion} のことですか？")).unwrap_or_default()
        };
        match self {
            Self::NoOption(option, suggestion) => {
                format!("{option} というオプションはありません。{}", meant(suggestion))
            }
            Self::NoCommand(word, suggestion) => format!("{word} というコマンドはありません。{}", meant(suggestion)),
            Self::TooMany(argument) => format!("「{argument}」は余分な引数です。"),
            Self::NoValue(option) => format!("{option} に値がありません。"),
            Self::NeedsNoValue(option, value) => format!("{option} は値を取りません（{value}）。"),
            Self::WrongValue(option, value, expected) => {
                let expected =
                    expected.as_ref().map(|expected| format!("{}を指定してください。", expected.text(Lang::Ja)));
                format!("{option} に「{value}」は指定できません。{}", expected.unwrap_or_default())
            }
            Self::Conflict(option, other) => format!("{option} と {other} は同時に指定できません。"),
            Self::Twice(option) => format!("{option} は一度しか指定できません。"),
            Self::Missing(arguments) => format!("{} がありません。", arguments.join("、")),
            Self::NeedsCommand => "コマンドがありません。".to_owned(),
            Self::NotUtf8 => "UTF-8 ではない引数があります。".to_owned(),
            Self::Other(why) => format!("引数を解釈できません（{why}）。"),
        }
    }

    fn english(&self) -> String {
        let meant = |suggestion: &Option<String>| {
            suggestion.as_ref().map(|suggestion| format!(" (did you mean {suggestion}?)")).unwrap_or_default()
        };
        match self {
            Self::NoOption(option, suggestion) => format!("there is no option {option}{}", meant(suggestion)),
            Self::NoCommand(word, suggestion) => format!("there is no command {word}{}", meant(suggestion)),
            Self::TooMany(argument) => format!("'{argument}' is an argument too many"),
            Self::NoValue(option) => format!("a value is missing after {option}"),
            Self::NeedsNoValue(option, value) => format!("{option} takes no value, and was given '{value}'"),
            Self::WrongValue(option, value, expected) => {
                let expected = expected.as_ref().map(|expected| format!(": it is {}", expected.text(Lang::En)));
                format!("'{value}' is no value for {option}{}", expected.unwrap_or_default())
            }
            Self::Conflict(option, other) => format!("{option} cannot be used with {other}"),
            Self::Twice(option) => format!("{option} can be given only once"),
            Self::Missing(arguments) => format!("{} is missing", arguments.join(", ")),
            Self::NeedsCommand => "a command is missing".to_owned(),
            Self::NotUtf8 => "an argument is not UTF-8".to_owned(),
            Self::Other(why) => why.clone(),
        }
    }
}

impl ExpectedValue {
    /// Returns the expected value, for the middle of a sentence.
    pub fn text(&self, lang: Lang) -> String {
        match (self, lang) {
            (Self::OneOf(values), Lang::Ja) => format!("{} のどれか", values.join("、")),
            (Self::OneOf(values), Lang::En) => format!("one of {}", values.join(" ")),
            (Self::Whole(min, Some(max)), Lang::Ja) => format!("{min}から{max}までの整数"),
            (Self::Whole(min, Some(max)), Lang::En) => format!("a whole number from {min} to {max}"),
            (Self::Whole(min, None), Lang::Ja) => format!("{min}以上の整数"),
            (Self::Whole(min, None), Lang::En) => format!("a whole number from {min}"),
            (Self::Number(min, Some(max)), Lang::Ja) => format!("{min}から{max}までの数"),
            (Self::Number(min, Some(max)), Lang::En) => format!("a number from {min} to {max}"),
            (Self::Number(min, None), Lang::Ja) => format!("{min}以上の数"),
            (Self::Number(min, None), Lang::En) => format!("a number from {min}"),
            (Self::Size, Lang::Ja) => "1080x204 のような幅と高さ".to_owned(),
            (Self::Size, Lang::En) => "a width and a height, such as 1080x204".to_owned(),
            (Self::File, Lang::Ja) => "ファイル（標準出力以外）".to_owned(),
            (Self::File, Lang::En) => "a file, not standard output".to_owned(),
            (Self::InSettings, Lang::Ja) => {
                "ウィンドウの配置と配色は設定（S キーと L キー）で選びます。画像なら `shogibar snapshot` で指定できます。".to_owned()
            }
            (Self::InSettings, Lang::En) => {
                "the window has it in its settings (keys S and L); `shogibar snapshot` takes it for a picture".to_owned()
            }
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
        let usage =
            UsageError::WrongValue("--jobs <J>".to_owned(), "0".to_owned(), Some(ExpectedValue::Whole(1, Some(256))));
        let [ja, en] = [Lang::Ja, Lang::En].map(|lang| usage.text("shogibar analyze", lang));
        assert_eq!(
            ja,
            "--jobs <J> に「0」は指定できません。1から256までの整数を指定してください。`shogibar analyze --help` で使い方を表示します。"
        );
        assert_eq!(
            en,
            "'0' is no value for --jobs <J>: it is a whole number from 1 to 256; see `shogibar analyze --help`"
        );
    }
}
