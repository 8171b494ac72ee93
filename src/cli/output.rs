//! Where every face writes. Whatever is written through here cannot steer a terminal.
//!
//! Four things are written, each its own way: a sentence on a line of its own (`writeln!`), fields in a row, the live
//! line, and what is exact (a record, a picture, a talk in USI). Only the last may hold control characters, and only
//! where no terminal shows it.

use crate::kifu::Target;
use crate::text::visible::{escaped_json, visible, visible_lines, visible_table};
use std::fmt;
use std::io::{self, Write};
use unicode_width::UnicodeWidthChar as _;

/// The columns of a terminal that does not say how many it has.
const USUAL_COLUMNS: u16 = 80;

/// Standard output, or standard error.
pub(super) struct OutputStream<'a> {
    writer: &'a mut (dyn Write + Send),
    /// Whether it is read on a terminal.
    is_terminal: bool,
    /// Whether it does not matter if nothing can be written, as with remarks on standard error.
    is_optional: bool,
    /// Whether the live line stands where the next line would begin.
    is_live: bool,
    /// The first bytes of a character or of a line end whose other bytes have not been written yet.
    partial: Vec<u8>,
}

impl<'a> OutputStream<'a> {
    /// Standard output: what cannot be written is an error.
    pub(super) fn out(writer: &'a mut (dyn Write + Send), is_terminal: bool) -> Self {
        Self { writer, is_terminal, is_optional: false, is_live: false, partial: Vec::new() }
    }

    /// Standard error: a full disk there, or nobody who reads it, does not change how the program ends.
    pub(super) fn err(writer: &'a mut (dyn Write + Send), is_terminal: bool) -> Self {
        Self { is_optional: true, ..Self::out(writer, is_terminal) }
    }

    /// Whether it is read on a terminal.
    pub(super) const fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// What `writeln!` calls: writes one sentence as one line. A line end within it, which can only be foreign, is shown
    /// by its number, so that no value can forge a second line.
    pub(super) fn write_fmt(&mut self, sentence: fmt::Arguments<'_>) -> io::Result<()> {
        let sentence = sentence.to_string();
        let sentence = sentence.strip_suffix('\n').unwrap_or(&sentence);
        self.put(&format!("{}\n", visible(sentence)))
    }

    /// Writes fields in a row, with tabs between them.
    pub(super) fn row(&mut self, fields: &[&str]) -> io::Result<()> {
        let fields: Vec<_> = fields.iter().map(|field| visible(field)).collect();
        self.put(&format!("{}\n", fields.join("\t")))
    }

    /// Writes several rows at once. Their fields hold neither tabs nor line ends of their own.
    pub(super) fn rows(&mut self, rows: &str) -> io::Result<()> {
        self.put(&visible_table(rows))
    }

    /// Writes a text of several lines that stands in the program.
    pub(super) fn lines(&mut self, lines: &str) -> io::Result<()> {
        self.put(&visible_lines(lines))
    }

    /// Writes JSON: exactly, or on a terminal with escapes for what would steer it.
    pub(super) fn json(&mut self, json: &[u8]) -> io::Result<()> {
        if !self.is_terminal {
            return self.exact().write_all(json);
        }
        let escaped = String::from_utf8_lossy(json);
        self.put(&escaped_json(&escaped))
    }

    /// Writes a record of this format.
    pub(super) fn record(&mut self, bytes: &[u8], target: Target) -> io::Result<()> {
        if target == Target::Jkf { self.json(bytes) } else { self.exact().write_all(bytes) }
    }

    /// What another program reads, byte for byte: a record, a picture, a talk in USI. On a terminal it is shown harmlessly.
    pub(super) fn exact(&mut self) -> ExactWriter<'_, 'a> {
        ExactWriter(self)
    }

    /// Shows the live line, in the place of the one before, cut to the columns of the terminal.
    pub(super) fn live(&mut self, line: &str) -> io::Result<()> {
        let line = visible(line);
        let columns = columns(crossterm::terminal::size().map_or(0, |(columns, _)| columns));
        // Back to the first column, and away with what is longer than the new line.
        let shown = format!("\r{}\x1b[K", cut(&line, columns.saturating_sub(1)));
        self.is_live = true;
        let written = self.writer.write_all(shown.as_bytes()).and_then(|()| self.writer.flush());
        self.unless_optional(written)
    }

    /// Takes the live line away, where there is one, for another to stand there.
    pub(super) fn clear_live(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.is_live) {
            return Ok(());
        }
        let written = self.writer.write_all(b"\r\x1b[K");
        self.unless_optional(written)
    }

    /// Lets the live line stand, and goes on below it.
    pub(super) fn keep_live(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_live) { self.put("\n") } else { Ok(()) }
    }

    /// Hands on what has been kept back to be written at once.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let written = self.writer.flush();
        self.unless_optional(written)
    }

    fn put(&mut self, harmless: &str) -> io::Result<()> {
        self.clear_live()?;
        let written = self.writer.write_all(harmless.as_bytes());
        self.unless_optional(written)
    }

    fn unless_optional(&self, written: io::Result<()>) -> io::Result<()> {
        if self.is_optional { Ok(()) } else { written }
    }
}

/// Writes bytes as they are, but to a terminal.
pub(super) struct ExactWriter<'o, 'a>(&'o mut OutputStream<'a>);

impl Write for ExactWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let output = &mut *self.0;
        if !output.is_terminal {
            return output.writer.write(bytes);
        }
        output.partial.extend_from_slice(bytes);
        let whole = whole_characters(&output.partial);
        let rest = output.partial.split_off(whole);
        let text = std::mem::replace(&mut output.partial, rest);
        // A carriage return before a line end is part of it.
        let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
        output.put(&visible_table(&text))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// How many of the bytes do not belong to a character, or a line end, that breaks off at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    if bytes.ends_with(b"\r") {
        return bytes.len() - 1;
    }
    let Some(last) = bytes.utf8_chunks().last() else { return 0 };
    let is_cut_off = std::str::from_utf8(last.invalid()).is_err_and(|error| error.error_len().is_none());
    if is_cut_off { bytes.len() - last.invalid().len() } else { bytes.len() }
}

/// The columns of a terminal, of which some say that they have none.
fn columns(said: u16) -> usize {
    usize::from(if said == 0 { USUAL_COLUMNS } else { said })
}

/// As much of `text` as fits into so many columns.
pub(super) fn cut(text: &str, columns: usize) -> &str {
    let mut left = columns;
    for (at, c) in text.char_indices() {
        let width = c.width().unwrap_or(0);
        if width > left {
            return text.get(..at).unwrap_or(text);
        }
        left -= width;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is written by `write`, into a file and to a terminal.
    fn written(write: impl Fn(&mut OutputStream<'_>) -> io::Result<()>) -> [String; 2] {
        [false, true].map(|is_terminal| {
            let mut bytes = Vec::new();
            write(&mut OutputStream::out(&mut bytes, is_terminal)).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        })
    }

    #[test]
    fn a_sentence_is_one_line() {
        let name = "a\u{1b}]0;x\u{7}\nb\tc";
        for shown in written(|out| writeln!(out, "{name}: no such file")) {
            assert_eq!(shown, "a<U+001B>]0;x<U+0007><U+000A>b<U+0009>c: no such file\n");
        }
        for shown in written(|out| out.row(&[name, "d"])) {
            assert_eq!(shown, "a<U+001B>]0;x<U+0007><U+000A>b<U+0009>c\td\n");
        }
    }

    #[test]
    fn what_is_exact_is_so_in_a_file_alone() {
        let record = "先手：A\u{1b}[2J\u{202e}\r\n*\t\u{9b}\n".as_bytes();
        let [file, terminal] = written(|out| out.exact().write_all(record));
        assert_eq!(file.as_bytes(), record);
        assert_eq!(terminal, "先手：A<U+001B>[2J<U+202E>\n*\t<U+009B>\n");
        // A character that comes in two parts is one.
        let [file, terminal] = written(|out| record.chunks(1).try_for_each(|byte| out.exact().write_all(byte)));
        assert_eq!(file.as_bytes(), record);
        assert_eq!(terminal, "先手：A<U+001B>[2J<U+202E>\n*\t<U+009B>\n");
        let [_, terminal] = written(|out| out.exact().write_all(b"a\xffb\xe5\x85"));
        assert_eq!(terminal, "a\u{fffd}b", "what breaks off waits for its end");
    }

    #[test]
    fn json_is_escaped_on_a_terminal() {
        let json = "{\"a\":\"\u{7f}\u{202e}b\"}\n";
        assert_eq!(written(|out| out.json(json.as_bytes())), [json, "{\"a\":\"\\u007f\\u202eb\"}\n"]);
    }

    #[test]
    fn a_line_takes_the_place_of_the_live_line() {
        for shown in written(|out| {
            out.live("1\u{1b}[2J")?;
            writeln!(out, "two")?;
            out.live("3")?;
            out.keep_live()
        }) {
            assert_eq!(shown, "\r1<U+001B>[2J\x1b[K\r\x1b[Ktwo\n\r3\x1b[K\n");
        }
    }

    #[test]
    fn a_line_is_cut_by_columns() {
        let check = |text, columns, expect: &str| assert_eq!(cut(text, columns), expect, "{columns}");
        check("先手 63%", 80, "先手 63%");
        check("先手 63%", 3, "先");
        check("先手 63%", 5, "先手 ");
        check("", 0, "");
        assert_eq!([0, 1, 120].map(super::columns), [80, 1, 120]);
    }

    /// Takes nothing.
    struct FullSink;

    impl Write for FullSink {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(io::ErrorKind::StorageFull.into())
        }
    }

    #[test]
    fn a_remark_that_nobody_can_read_is_no_error() {
        let mut full = FullSink;
        let mut err = OutputStream::err(&mut full, false);
        writeln!(err, "a remark").unwrap();
        err.live("1").and_then(|()| err.keep_live()).and_then(|()| err.flush()).unwrap();
        let mut full = FullSink;
        writeln!(OutputStream::out(&mut full, false), "a result").unwrap_err();
    }
}
