//! A command as it is typed, and the words it is made of.

use thiserror::Error;

/// How the words of a command are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellSyntax {
    /// Spaces between words; `'…'`, `"…"` and `\` keep what they hold.
    Posix,
    /// Spaces between words; `"…"` keeps what it holds, `""` within it is a quote. A backslash is
    /// one: it stands in every path.
    Windows,
}

/// A quote has no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a quote has no end")]
pub struct UnclosedQuote;

impl ShellSyntax {
    /// The habit of this system.
    pub const fn here() -> Self {
        if cfg!(windows) { Self::Windows } else { Self::Posix }
    }

    /// The words of a command. Nothing in them means anything further: no variables, no patterns.
    ///
    /// # Errors
    /// When a quote has no end.
    pub fn split(self, command: &str) -> Result<Vec<String>, UnclosedQuote> {
        let mut words = Vec::new();
        let mut word: Option<String> = None;
        let mut chars = command.chars().peekable();
        while let Some(c) = chars.next() {
            match (self, c) {
                (_, c) if c.is_whitespace() => words.extend(word.take()),
                (Self::Posix, '\'' | '"') | (Self::Windows, '"') => {
                    self.quoted(c, &mut chars, word.get_or_insert_default())?;
                }
                (Self::Posix, '\\') => word.get_or_insert_default().extend(chars.next()),
                (_, c) => word.get_or_insert_default().push(c),
            }
        }
        words.extend(word);
        Ok(words)
    }

    fn quoted(
        self,
        quote: char,
        chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
        word: &mut String,
    ) -> Result<(), UnclosedQuote> {
        loop {
            match (self, chars.next().ok_or(UnclosedQuote)?) {
                (Self::Windows, '"') if chars.next_if_eq(&'"').is_some() => word.push('"'),
                (_, c) if c == quote => return Ok(()),
                // Within these a backslash keeps only what would otherwise mean something.
                (Self::Posix, '\\') if quote == '"' => {
                    word.push(chars.next_if(|next| matches!(next, '"' | '\\' | '$' | '`')).unwrap_or('\\'));
                }
                (_, c) => word.push(c),
            }
        }
    }

    /// The command as it could be typed: [`split`](Self::split) gives these words again.
    pub fn join<'a>(self, words: impl IntoIterator<Item = &'a str>) -> String {
        let words: Vec<String> = words.into_iter().map(|word| self.quote(word)).collect();
        words.join(" ")
    }

    fn quote(self, word: &str) -> String {
        let special = |c: char| match self {
            Self::Posix => c.is_whitespace() || matches!(c, '\'' | '"' | '\\'),
            Self::Windows => c.is_whitespace() || c == '"',
        };
        match self {
            _ if !word.is_empty() && !word.contains(special) => word.to_owned(),
            Self::Posix => format!("'{}'", word.replace('\'', r"'\''")),
            Self::Windows => format!("\"{}\"", word.replace('"', "\"\"")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(shell: ShellSyntax, command: &str, expect: Result<&[&str], UnclosedQuote>) {
        let words = shell.split(command);
        let words = words.as_ref().map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(words.as_deref().map_err(|e| **e), expect, "{command}");
    }

    #[test]
    fn a_command_is_split_as_a_shell_does() {
        let posix = |command, expect: &[&str]| check(ShellSyntax::Posix, command, Ok(expect));
        posix("ssh host ./engine", &["ssh", "host", "./engine"]);
        posix("  wine  'My Engines/a.exe'\t-x ", &["wine", "My Engines/a.exe", "-x"]);
        posix(r#"a\ b "c \"d\" \e" '' "" f''g"#, &["a b", r#"c "d" \e"#, "", "", "fg"]);
        posix("node　uci.js", &["node", "uci.js"]);
        posix("エンジン --名前 '水匠 5'", &["エンジン", "--名前", "水匠 5"]);
        posix("", &[]);
        posix(r"a\", &["a"]);
        check(ShellSyntax::Posix, "a 'b", Err(UnclosedQuote));
        check(ShellSyntax::Posix, "a \"b", Err(UnclosedQuote));
    }

    #[test]
    fn a_backslash_of_windows_is_one() {
        let windows = |command, expect: &[&str]| check(ShellSyntax::Windows, command, Ok(expect));
        windows(r"C:\shogi\engine.exe -a", &[r"C:\shogi\engine.exe", "-a"]);
        windows(r#""C:\Program Files\ShogiGUI\a.exe" x"#, &[r"C:\Program Files\ShogiGUI\a.exe", "x"]);
        windows(r#""C:\with end\" "say ""hi""" O'Brien"#, &[r"C:\with end\", r#"say "hi""#, "O'Brien"]);
        check(ShellSyntax::Windows, "\"a", Err(UnclosedQuote));
    }

    proptest! {
        #[test]
        fn what_is_joined_is_split_again(words in prop::collection::vec(r#"[a'" \\水　$]{0,6}"#, 0..5)) {
            for shell in [ShellSyntax::Posix, ShellSyntax::Windows] {
                let command = shell.join(words.iter().map(String::as_str));
                prop_assert_eq!(shell.split(&command), Ok(words.clone()), "{:?} {}", shell, command);
            }
        }

        #[test]
        fn anything_can_be_typed(command in any::<String>()) {
            let _ends = (ShellSyntax::Posix.split(&command), ShellSyntax::Windows.split(&command));
        }
    }
}
