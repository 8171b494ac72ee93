//! Reads and writes numbers and texts as bytes, in little-endian order.

/// A reader of bytes from the front. Each method returns `None` if too few bytes remain.
pub(crate) struct ByteReader<'b>(pub(crate) &'b [u8]);

impl<'b> ByteReader<'b> {
    pub(crate) fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn i16(&mut self) -> Option<i16> {
        self.array().map(i16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads the number of rows that follow, each of at least `min_bytes` bytes. Returns `None` if too few bytes
    /// follow.
    pub(crate) fn count(&mut self, min_bytes: usize) -> Option<usize> {
        let count = usize::try_from(self.u32()?).ok()?;
        (count.checked_mul(min_bytes)? <= self.0.len()).then_some(count)
    }

    /// Reads the length of a text as a `u16`, then the text. Returns `None` if the text is not UTF-8.
    pub(crate) fn text(&mut self) -> Option<&'b str> {
        let length = self.u16()?;
        std::str::from_utf8(self.take(length.into())?).ok()
    }
}

/// Appends the length of a text as a `u16`, then the text. A longer text is cut at the end of a character.
pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    let end = (0..=text.len().min(usize::from(u16::MAX)))
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(0);
    let text = text.get(..end).unwrap_or_default();
    bytes.extend(u16::try_from(text.len()).unwrap_or_default().to_le_bytes());
    bytes.extend(text.as_bytes());
}
