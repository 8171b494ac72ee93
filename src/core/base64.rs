//! Base64, an encoding of bytes as text.

/// Encodes bytes as Base64, with padding.
///
/// # Examples
/// ```
/// assert_eq!(shogibar_core::base64::encode(b"foob"), "Zm9vYg==");
/// ```
pub fn encode(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = usize::try_from(bits >> (18 - 6 * at) & 63).unwrap_or(0);
            let is_padding = at > chunk.len();
            text.push(if is_padding { '=' } else { DIGITS.get(digit).copied().map_or('=', char::from) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_bytes_with_padding() {
        for (text, expected) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(encode(text.as_bytes()), expected);
        }
    }
}
