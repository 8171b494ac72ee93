//! Warnings about configuration files and their entries.

use crate::{SettingProblem, SettingValueType, SettingWarning};
use shogibar_base::visible::visible;
use shogibar_base::{Lang, say, sentences};
use std::path::Path;

/// Returns the warning of an entry: `engine[2].k: …`
pub fn finding(finding: &SettingWarning, lang: Lang) -> String {
    let problem = match &finding.problem {
        SettingProblem::Wanted(wanted) => expected_value_problem(*wanted, lang),
        SettingProblem::Renamed(name) => say!(lang:
            "名前がないか、使えない名前です。「{name}」とします。",
            "the name is missing or cannot be used; it is now '{name}'."),
        SettingProblem::NoProgram => say!(lang:
            "プログラムが指定されていません。このエンジンは起動できません。",
            "no program is given, so this engine cannot be started."),
        SettingProblem::NoSuchEngine(name) => say!(lang:
            "「{name}」というエンジンはありません。", "there is no engine '{name}'."),
        SettingProblem::NoSuchTheme(name) => say!(lang:
            "「{name}」というテーマは付属していません。", "there is no built-in theme '{name}'."),
        SettingProblem::Unknown => say!(lang: "このような設定はありません。", "there is no such setting."),
        SettingProblem::LowContrast {
            other,
            found,
            min_contrast,
        } => say!(lang:
            "{other} とのコントラスト比が {found:.1} で、見分けにくい色です（{min_contrast}以上にしてください）。",
            "its contrast with {other} is {found:.1} : 1, which is hard to see; at least {min_contrast} : 1 is needed."),
        SettingProblem::SameKeys(other) => say!(lang:
            "{other} と同じキーです。{other} だけに効きます。",
            "{other} has the same keys, and they work only for {other}."),
        SettingProblem::NoVariable => say!(lang:
            "環境変数として使えない名前か値です。", "this is not a valid name or value for an environment variable."),
        SettingProblem::ControlCharacter => say!(lang:
            "オプションの名前と値に改行や制御文字は使えません。エンジンには送りません。",
            "an option cannot contain a line break or control character; it is not sent to the engine."),
    };
    visible(&format!("{}: {problem}", finding.key)).into_owned()
}

/// Returns what an entry should be, and that the default is used.
fn expected_value_problem(wanted: SettingValueType, lang: Lang) -> String {
    let (ja, en) = match wanted {
        SettingValueType::Text => ("文字列", "a string"),
        SettingValueType::Texts => ("文字列の並び", "a list of strings"),
        SettingValueType::Table => ("表", "a table"),
        SettingValueType::Tables => (
            "[[ ]] で始まる表の並び",
            "a list of tables, each after its name in [[ ]]",
        ),
        SettingValueType::Limit => (
            "infinite、movetime ミリ秒、nodes 数、depth 数",
            "infinite, movetime MS, nodes N or depth N",
        ),
        SettingValueType::Bool => ("true か false", "true or false"),
        SettingValueType::Size => ("1080x204 のような大きさ", "a size such as 1080x204"),
        SettingValueType::Keys => (
            "[\"Ctrl+F\", \"F5\"] のようなキーの並び（数字だけのキーは使えません）",
            "a list of keys such as [\"Ctrl+F\", \"F5\"], none of them a digit alone",
        ),
        SettingValueType::Line => ("1行の文字列", "a single line of text"),
        SettingValueType::OneOf(words) => return not_one_of(words, lang),
        SettingValueType::Color => (
            "#1E90FF や #1E90FF80 のような色",
            "a colour such as #1E90FF or #1E90FF80",
        ),
        SettingValueType::Number(min, max) => return not_within(min, max, lang),
        SettingValueType::Whole(min, max) => return not_within(min, max, lang),
    };
    say!(lang: "{ja}で指定してください。既定値を使います。", "it should be {en}; the default is used.")
}

/// Returns the problem of an entry that is none of these words.
fn not_one_of(words: &[&str], lang: Lang) -> String {
    let words = words.join(lang.pick("、", ", "));
    say!(lang:
        "{words} のどれかを指定してください。既定値を使います。",
        "it should be one of {words}; the default is used.")
}

sentences! {
    /// Returns the problem of an entry that is not a number in this range.
    fn not_within(min: impl std::fmt::Display, max: impl std::fmt::Display; lang) =>
        "{min}から{max}までの数で指定してください。既定値を使います。",
        "it should be a number from {min} to {max}; the default is used.";

    /// Returns the error of a settings file that is not TOML.
    pub fn not_toml(why: &str; lang) =>
        "設定ファイルを読めないため（{why}）、既定の設定を使います。",
        "the settings cannot be read ({why}), so the defaults are used.";

    /// Returns the message that a settings file was not TOML and was backed up.
    pub fn backup_made(why: &str, backup: &Path; lang) =>
        "設定ファイルを読めないため（{why}）、元の内容を {backup} に残し、新しく作ります。",
        "The settings cannot be read ({why}). They were kept as {backup}, and a new file was started.",
        backup = backup.display();

    /// Returns the error of an engines file that is not TOML and was backed up.
    pub fn engines_backup_made(why: &str, backup: &Path; lang) =>
        "エンジンの設定ファイルを読めないため（{why}）、元の内容を {backup} に残し、新しく作ります。",
        "The engine settings cannot be read ({why}). They were kept as {backup}, and a new file was started.",
        backup = backup.display();

    /// Returns the error of a theme file that is not TOML.
    pub fn no_theme(why: &str; lang) =>
        "テーマのファイルとして読めません（{why}）。", "it cannot be read as a theme ({why}).";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_names_the_key_and_the_problem() {
        let check = |key: &str, problem, ja: &str, en: &str| {
            let finding = SettingWarning {
                key: key.to_owned(),
                problem,
            };
            assert_eq!(
                [
                    super::finding(&finding, Lang::Ja),
                    super::finding(&finding, Lang::En)
                ],
                [ja, en]
            );
        };
        check(
            "engine[2].k",
            SettingProblem::Wanted(SettingValueType::Number(1.0, 100_000.0)),
            "engine[2].k: 1から100000までの数で指定してください。既定値を使います。",
            "engine[2].k: it should be a number from 1 to 100000; the default is used.",
        );
        check(
            "default",
            SettingProblem::NoSuchEngine("水匠".to_owned()),
            "default: 「水匠」というエンジンはありません。",
            "default: there is no engine '水匠'.",
        );
    }
}
