//! JSON values and numbers.

use std::borrow::Cow;

/// A value without structure, or one whose structure is not needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum JsonValue<'a> {
    Null,
    Bool(bool),
    /// A number in its original spelling.
    Number(&'a str),
    Text(Cow<'a, str>),
    /// An object or an array, as its source text.
    Nested(&'a str),
}

impl JsonValue<'_> {
    /// Returns the text of a string, or the spelling of a number; `None` for other values.
    pub(in super::super) fn words(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Number(number) => Some(number),
            Self::Null | Self::Bool(_) | Self::Nested(_) => None,
        }
    }

    /// Returns a number of at least 0, even one in quotes, in thousandths; `None` for other values.
    pub(in super::super) fn thousandths(&self) -> Option<u64> {
        let words = self.words()?.trim();
        if words.len() < 16 && words.bytes().all(|byte| byte.is_ascii_digit()) {
            return words.parse::<u64>().ok()?.checked_mul(1000);
        }
        let number: f64 = words.parse().ok().filter(|number| (0.0..1e15).contains(number))?;
        let (whole, fraction) = format!("{number:.3}")
            .split_once('.')
            .map(|(a, b)| (a.parse().ok(), b.parse().ok()))?;
        let (whole, fraction): (Option<u64>, Option<u64>) = (whole, fraction);
        whole?.checked_mul(1000)?.checked_add(fraction?)
    }

    /// Returns a whole number from 0 to 255, even one in quotes; `None` for other values.
    pub(in super::super) fn small_number(&self) -> Option<u8> {
        if let Self::Number(digits) = self
            && let [digit @ b'0'..=b'9'] = digits.as_bytes()
        {
            return Some(digit - b'0');
        }
        let thousandths = self.thousandths().filter(|number| number % 1000 == 0)?;
        u8::try_from(thousandths / 1000).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Json;

    #[test]
    fn parses_numbers() {
        let check = |text: &str, thousandths: Option<u64>, small: Option<u8>| {
            let value = Json::new(text).read_value().expect(text);
            assert_eq!(
                (value.thousandths(), value.small_number()),
                (thousandths, small),
                "{text}"
            );
        };
        check("7", Some(7000), Some(7));
        check("\" 7\"", Some(7000), Some(7));
        check("7.0", Some(7000), Some(7));
        check("0.7e1", Some(7000), Some(7));
        check("12E+2", Some(1_200_000), None);
        check("1.5", Some(1500), None);
        check("1e-3", Some(1), None);
        check("-1", None, None);
        check("1e400", None, None);
        check("999999999999999999999", None, None);
        check("\"\"", None, None);
        check("true", None, None);
    }
}
