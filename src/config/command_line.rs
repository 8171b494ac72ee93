//! Splitting and joining of command lines.

use thiserror::Error;

/// The quoting rules of a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellSyntax {
    /// Words separated by spaces; quoted by `'…'`, `"…"` and `\`.
    Posix,
    /// Words separated by spaces; quoted by `"…"`, in which `""` is a quote. A backslash is literal, since paths
    /// contain it.
    Windows,
}

/// The error of a quote without an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a quote has no end")]
pub struct UnclosedQuoteError;

impl ShellSyntax {
    /// Returns the rules of this system.
    pub const fn here() -> Self {
        if cfg!(windows) { Self::Windows } else { Self::Posix }
    }

    /// Splits a command into words. Variables and patterns are not expanded.
    ///
    /// # Errors
    /// Fails if a quote has no end.
    pub fn split(self, command: &str) -> Result<Vec<String>, UnclosedQuoteError> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut chars = command.chars().peekable();
        while let Some(c) = chars.next() {
            match (self, c) {
                (_, c) if c.is_whitespace() => words.extend(word.take()),
                (Self::Posix, '\'' | '"') | (Self::Windows, '"') => {
                    self.read_quoted(c, &mut chars, word.get_or_insert_default())?;
                }
                (Self::Posix, '\\') => word.get_or_insert_default().extend(chars.next()),
                (_, c) => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        Ok(words)
    }

    /// Reads the rest of a quoted text, after the opening quote, into `word`.
    fn read_quoted(
        self,
        quote: char,
        chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
        word: &mut String,
    ) -> Result<(), UnclosedQuoteError> {
        loop {
            match (self, chars.next().ok_or(UnclosedQuoteError)?) {
                (Self::Windows, '"') if chars.next_if_eq(&'"').is_some() => word.push('"'),
                (_, c) if c == quote => return Ok(()),
                // In double quotes a backslash escapes only characters that have a special meaning.
                (Self::Posix, '\\') if quote == '"' => {
                    word.push(
                        chars
                            .next_if(|next| matches!(next, '"' | '\\' | '$' | '`'))
                            .unwrap_or('\\'),
                    );
                }
                (_, c) => word.push(c),
            }
        }
    }

    /// Joins words to a command line, from which [`split`](Self::split) returns the same words.
    pub fn join<'a>(self, words: impl IntoIterator<Item = &'a str>) -> String {
        let words: Vec<String> = words.into_iter().map(|word| self.quote(word)).collect();
        words.join(" ")
    }

    fn quote(self, word: &str) -> String {
        let is_special = word.contains(|c: char| match self {
            Self::Posix => c.is_whitespace() || matches!(c, '\'' | '"' | '\\'),
            Self::Windows => c.is_whitespace() || c == '"',
        });
        match self {
            _ if !word.is_empty() && !is_special => word.to_owned(),
            Self::Posix => format!("'{}'", word.replace('\'', r"'\''")),
            Self::Windows => format!("\"{}\"", word.replace('"', "\"\"")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(shell: ShellSyntax, command: &str, expect: Result<&[&str], UnclosedQuoteError>) {
        let words = shell.split(command);
        let words = words
            .as_ref()
            .map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(words.as_deref().map_err(|e| **e), expect, "{command}");
    }

    #[test]
    fn posix_commands_are_split_as_in_a_shell() {
        let posix = |command, expect: &[&str]| check(ShellSyntax::Posix, command, Ok(expect));
        posix("ssh host ./engine", &["ssh", "host", "./engine"]);
        posix(
            "  wine  'My Engines/a.exe'\t-x ",
            &["wine", "My Engines/a.exe", "-x"],
        );
        posix(
            r#"a\ b "c \"d\" \e" '' "" f''g"#,
            &["a b", r#"c "d" \e"#, "", "", "fg"],
        );
        posix("node　uci.js", &["node", "uci.js"]);
        posix("エンジン --名前 '水匠 5'", &["エンジン", "--名前", "水匠 5"]);
        posix("", &[]);
        posix(r"a\", &["a"]);
        check(ShellSyntax::Posix, "a 'b", Err(UnclosedQuoteError));
        check(ShellSyntax::Posix, "a \"b", Err(UnclosedQuoteError));
    }

    #[test]
    fn a_backslash_is_literal_on_windows() {
        let windows = |command, expect: &[&str]| check(ShellSyntax::Windows, command, Ok(expect));
        windows(r"C:\shogi\engine.exe -a", &[r"C:\shogi\engine.exe", "-a"]);
        windows(
            r#""C:\Program Files\ShogiGUI\a.exe" x"#,
            &[r"C:\Program Files\ShogiGUI\a.exe", "x"],
        );
        windows(
            r#""C:\with end\" "say ""hi""" O'Brien"#,
            &[r"C:\with end\", r#"say "hi""#, "O'Brien"],
        );
        check(ShellSyntax::Windows, "\"a", Err(UnclosedQuoteError));
    }

    proptest! {
        #[test]
        fn joined_words_split_into_the_same_words(words in prop::collection::vec(r#"[a'" \\水　$]{0,6}"#, 0..5)) {
            for shell in [ShellSyntax::Posix, ShellSyntax::Windows] {
                let command = shell.join(words.iter().map(String::as_str));
                prop_assert_eq!(shell.split(&command), Ok(words.clone()), "{:?} {}", shell, command);
            }
        }

        #[test]
        fn splitting_never_panics(command in any::<String>()) {
            let _ends = (ShellSyntax::Posix.split(&command), ShellSyntax::Windows.split(&command));
        }
    }
}
