//! The token in the addresses of the OBS pages, and in the control address.

use std::fmt;

const TOKEN_LENGTH: usize = 32;

/// The token in an address, which is secret: 32 hexadecimal digits, 128 bits. [`Display`](fmt::Display) shows it,
/// `Debug` does not.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken(String);

impl AccessToken {
    /// Creates a random token.
    ///
    /// # Errors
    /// Fails if the system has no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; TOKEN_LENGTH / 2];
        getrandom::fill(&mut bytes)?;
        let digit = |value: u8| char::from_digit(value.into(), 16);
        Ok(Self(
            bytes
                .iter()
                .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
                .flatten()
                .collect(),
        ))
    }

    /// Reads a token. Returns `None` for anything but 32 lower case hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == TOKEN_LENGTH && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')))
            .then(|| Self(text.to_owned()))
    }

    /// Returns whether a text is this token. The time does not depend on the position of the first difference.
    pub fn matches(&self, text: &str) -> bool {
        let differences = self
            .0
            .bytes()
            .zip(text.bytes())
            .fold(0, |found, (one, other)| found | (one ^ other));
        std::hint::black_box(differences) == 0 && text.len() == TOKEN_LENGTH
    }
}

impl fmt::Display for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_token_matches() {
        let token = AccessToken::parse("0123456789abcdef0123456789abcdef").unwrap();
        assert!(token.matches("0123456789abcdef0123456789abcdef"));
        for wrong in [
            "",
            "0",
            "0123456789abcdef0123456789abcdee",
            "0123456789abcdef0123456789abcdef0",
        ] {
            assert!(!token.matches(wrong), "{wrong}");
        }
        assert_eq!(AccessToken::parse("0123456789ABCDEF0123456789abcdef"), None);
        assert_ne!(AccessToken::random().unwrap(), AccessToken::random().unwrap());
    }
}
