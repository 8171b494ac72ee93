//! The lines of a stream of bytes.

use std::io::{self, BufRead, Read as _};

/// The longest line, in bytes; the bytes beyond it are dropped. A `position` command of ten thousand moves has 60 kB.
/// The longest line of a real engine has a few thousand bytes.
pub const MAX_LINE_BYTES: usize = 1 << 20;

/// Splits a stream into lines, without their line ends (LF or CRLF).
#[derive(Debug, Default)]
pub struct LineSplitter {
    /// The beginning of a line whose end has not arrived.
    partial: Vec<u8>,
    /// Whether bytes of the unfinished line have arrived, including those that were dropped.
    has_partial: bool,
}

impl LineSplitter {
    /// Calls `each` for every line that ends within the next bytes of the stream.
    pub fn split(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) {
        let mut rest = bytes;
        while let Some((line, after)) = memchr::memchr(b'\n', rest).and_then(|at| {
            let (line, after) = rest.split_at_checked(at)?;
            Some((line, after.get(1..)?))
        }) {
            if self.has_partial {
                self.append_partial(line);
                each(without_line_end(&self.partial));
                self.partial.clear();
                self.has_partial = false;
            } else {
                each(without_line_end(cut(line)));
            }
            rest = after;
        }
        if !rest.is_empty() {
            self.append_partial(rest);
        }
    }

    /// Calls `each` for the last line, if the stream has ended without a line end.
    pub fn finish(&mut self, each: impl FnOnce(&[u8])) {
        if std::mem::take(&mut self.has_partial) {
            each(without_line_end(&self.partial));
            self.partial.clear();
        }
    }

    /// Appends bytes to the unfinished line, up to the longest line.
    fn append_partial(&mut self, bytes: &[u8]) {
        let room = MAX_LINE_BYTES - self.partial.len();
        self.partial.extend(bytes.iter().take(room));
        self.has_partial = true;
    }
}

/// Reads one line into `line`, without its line end (LF or CRLF). Returns `false` at the end of the input. Bytes beyond
/// the [longest line](MAX_LINE_BYTES) are dropped.
///
/// # Errors
/// Fails if the input cannot be read.
pub fn read_line<R: BufRead + ?Sized>(input: &mut R, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let max_bytes = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
    if input.take(max_bytes).read_until(b'\n', line)? == 0 {
        return Ok(false);
    }
    if line.len() == MAX_LINE_BYTES && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    line.truncate(without_line_end(line).len());
    Ok(true)
}

/// Returns a line without the bytes beyond [`MAX_LINE_BYTES`].
fn cut(line: &[u8]) -> &[u8] {
    line.get(..MAX_LINE_BYTES).unwrap_or(line)
}

/// Returns a line without the CR and LF characters at its end.
fn without_line_end(mut line: &[u8]) -> &[u8] {
    while let [before @ .., b'\r' | b'\n'] = line {
        line = before;
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the lines as [`read_line`] and [`LineSplitter`] give them.
    fn lines(text: &[u8], chunk: usize) -> [Vec<Vec<u8>>; 2] {
        let (mut input, mut line, mut pulled) = (text, Vec::new(), Vec::new());
        while read_line(&mut input, &mut line).unwrap() {
            pulled.push(line.clone());
        }
        let (mut splitter, mut pushed) = (LineSplitter::default(), Vec::new());
        for bytes in text.chunks(chunk) {
            splitter.split(bytes, |line| pushed.push(line.to_vec()));
        }
        splitter.finish(|line| pushed.push(line.to_vec()));
        [pulled, pushed]
    }

    #[test]
    fn lines_are_cut_to_the_longest_and_have_no_line_end() {
        let check = |text: &[u8], expect: &[(&[u8], usize)]| {
            let expect: Vec<_> = expect
                .iter()
                .map(|(start, length)| (start.to_vec(), *length))
                .collect();
            for found in lines(text, 1 << 16) {
                let found: Vec<_> = found
                    .iter()
                    .map(|line| (line.get(..3).unwrap_or(line).to_vec(), line.len()))
                    .collect();
                assert_eq!(found, expect);
            }
        };
        check(b"", &[]);
        check(
            b"usi\nok\r\n\nend",
            &[(b"usi", 3), (b"ok", 2), (b"", 0), (b"end", 3)],
        );
        for more in [0, 1, 2, MAX_LINE_BYTES] {
            let long = [vec![b'x'; MAX_LINE_BYTES + more], b"\nend".to_vec()].concat();
            check(&long, &[(b"xxx", MAX_LINE_BYTES), (b"end", 3)]);
        }
    }

    proptest! {
        #[test]
        fn the_lines_of_a_stream_do_not_depend_on_its_chunks(text in "[ab\r\n]{0,40}", chunk in 1_usize..9) {
            let [pulled, pushed] = lines(text.as_bytes(), chunk);
            prop_assert_eq!(pulled, pushed);
        }
    }
}
