//! Percent codes of web addresses: `%2B` stands for a byte.

/// Decodes the percent codes of a text. A `%` without two hexadecimal digits is unchanged.
///
/// # Examples
/// ```
/// assert_eq!(shogibar_base::percent::decode("8h2b%2B%"), b"8h2b+%");
/// ```
pub fn decode(text: &str) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        let code = digit(0)
            .zip(digit(1))
            .and_then(|(high, low)| u8::try_from(high * 16 + low).ok());
        if *byte == b'%'
            && let Some(code) = code
        {
            decoded.push(code);
            rest = after.get(2..).unwrap_or_default();
        } else {
            decoded.push(*byte);
            rest = after;
        }
    }
    decoded
}

/// Encodes all bytes but ASCII letters, ASCII digits and the characters of `unescaped`.
///
/// # Examples
/// ```
/// assert_eq!(shogibar_base::percent::encode("8h2b+ 歩", "-._~"), "8h2b%2B%20%E6%AD%A9");
/// ```
pub fn encode(text: &str, unescaped: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || unescaped.as_bytes().contains(&byte) {
            encoded.push(byte.into());
        } else {
            encoded.push('%');
            let digits =
                [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0'));
            encoded.extend(digits.map(|digit| digit.to_ascii_uppercase()));
        }
    }
    encoded
}
