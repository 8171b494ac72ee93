//! The output of all subcommands. No text written here can send control sequences to a terminal.
//!
//! The kinds of output are sentences (`writeln!`), rows of fields, lines of trusted text, the live line, JSON, and
//! exact bytes. Exact bytes are records, pictures and USI. Only JSON and exact bytes keep control characters, and only
//! if the output is not a terminal.

use serde::Serialize;
use shogibar_base::visible::{escaped_json, visible, visible_lines, visible_table, without_passwords};
use shogibar_kifu::Target;
use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;
use unicode_width::UnicodeWidthChar as _;

/// The minimum time between two updates of texts in a terminal: the eye does not follow faster updates.
pub(super) const MIN_UPDATE_INTERVAL: Duration = Duration::from_millis(100);

/// The number of columns of a terminal that does not report one.
const DEFAULT_COLUMNS: u16 = 80;

/// Standard output or standard error.
pub(super) struct OutputStream<'a> {
    writer: &'a mut (dyn Write + Send),
    is_terminal: bool,
    /// Whether write errors are ignored, as for messages on standard error.
    is_optional: bool,
    /// Whether the live line is on the current line.
    is_live: bool,
    /// The first bytes of an incomplete character or line end.
    partial: Vec<u8>,
}

impl<'a> OutputStream<'a> {
    /// Creates standard output. Write errors are returned.
    pub(super) fn out(writer: &'a mut (dyn Write + Send), is_terminal: bool) -> Self {
        Self {
            writer,
            is_terminal,
            is_optional: false,
            is_live: false,
            partial: Vec::new(),
        }
    }

    /// Creates standard error. Write errors, such as a full disk, do not change the exit code.
    pub(super) fn err(writer: &'a mut (dyn Write + Send), is_terminal: bool) -> Self {
        Self {
            is_optional: true,
            ..Self::out(writer, is_terminal)
        }
    }

    pub(super) const fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Writes a sentence as one line; called by `writeln!`. A line end within it comes from foreign text and is
    /// escaped, so that it cannot forge a second line.
    pub(super) fn write_fmt(&mut self, sentence: fmt::Arguments<'_>) -> io::Result<()> {
        let sentence = sentence.to_string();
        let sentence = sentence.strip_suffix('\n').unwrap_or(&sentence);
        self.write_harmless(&format!("{}\n", visible(&without_passwords(sentence))))
    }

    pub(super) fn write_row(&mut self, fields: &[&str]) -> io::Result<()> {
        let fields: Vec<_> = fields
            .iter()
            .map(|field| visible(&without_passwords(field)).into_owned())
            .collect();
        self.write_harmless(&format!("{}\n", fields.join("\t")))
    }

    /// Writes several rows at once. Their fields must not contain tabs or line ends.
    pub(super) fn write_rows(&mut self, rows: &str) -> io::Result<()> {
        self.write_harmless(&visible_table(&without_passwords(rows)))
    }

    /// Writes several lines of a trusted text.
    pub(super) fn write_lines(&mut self, lines: &str) -> io::Result<()> {
        self.write_harmless(&visible_lines(lines))
    }

    /// Writes JSON. On a terminal, control characters are escaped.
    pub(super) fn write_json(&mut self, json: &[u8]) -> io::Result<()> {
        if !self.is_terminal {
            return self.exact().write_all(json);
        }
        let escaped = String::from_utf8_lossy(json);
        self.write_harmless(&escaped_json(&escaped))
    }

    pub(super) fn write_json_line(&mut self, value: &impl Serialize) -> io::Result<()> {
        let mut json = serde_json::to_vec(value)?;
        json.push(b'\n');
        self.write_json(&json)
    }

    pub(super) fn write_record(&mut self, bytes: &[u8], target: Target) -> io::Result<()> {
        if target == Target::Jkf {
            self.write_json(bytes)
        } else {
            self.exact().write_all(bytes)
        }
    }

    /// Returns a writer of exact bytes for other programs: a record, a picture, USI. On a terminal, their
    /// control characters are escaped.
    pub(super) fn exact(&mut self) -> ExactWriter<'_, 'a> {
        ExactWriter(self)
    }

    /// Draws the live line over the previous one, cut to the width of the terminal.
    pub(super) fn write_live(&mut self, line: &str) -> io::Result<()> {
        let line = without_passwords(line);
        let line = visible(&line);
        let columns = columns(crossterm::terminal::size().map_or(0, |(columns, _)| columns));
        // Returns to the first column, and erases the rest of the old line.
        let shown = format!("\r{}\x1b[K", cut(&line, columns.saturating_sub(1)));
        self.is_live = true;
        let written = self
            .writer
            .write_all(shown.as_bytes())
            .and_then(|()| self.writer.flush());
        self.unless_optional(written)
    }

    /// Erases the live line, if there is one.
    pub(super) fn clear_live(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.is_live) {
            return Ok(());
        }
        let written = self.writer.write_all(b"\r\x1b[K");
        self.unless_optional(written)
    }

    /// Ends the live line, so that further output is below it.
    pub(super) fn keep_live(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_live) {
            self.write_harmless("\n")
        } else {
            Ok(())
        }
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        let written = self.writer.flush();
        self.unless_optional(written)
    }

    /// Writes a text that has no control sequences, in place of the live line.
    fn write_harmless(&mut self, harmless: &str) -> io::Result<()> {
        self.clear_live()?;
        let written = self.writer.write_all(harmless.as_bytes());
        self.unless_optional(written)
    }

    /// Returns the result of a write, or success if errors of this stream are ignored.
    fn unless_optional(&self, written: io::Result<()>) -> io::Result<()> {
        if self.is_optional { Ok(()) } else { written }
    }
}

/// A writer of exact bytes, which are escaped on a terminal.
pub(super) struct ExactWriter<'o, 'a>(&'o mut OutputStream<'a>);

impl Write for ExactWriter<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let output = &mut *self.0;
        if !output.is_terminal {
            return output.writer.write(bytes);
        }
        output.partial.extend_from_slice(bytes);
        let whole = complete_length(&output.partial);
        let rest = output.partial.split_off(whole);
        let text = std::mem::replace(&mut output.partial, rest);
        // A carriage return is part of its line end.
        let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
        output.write_harmless(&visible_table(&text))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Returns a path without the password of an address that was given in place of a file.
pub(super) fn shown_path(path: &Path) -> String {
    without_passwords(&path.display().to_string()).into_owned()
}

/// Returns the number of bytes before an incomplete character or line end at the end of `bytes`.
fn complete_length(bytes: &[u8]) -> usize {
    if bytes.ends_with(b"\r") {
        return bytes.len() - 1;
    }
    let Some(last) = bytes.utf8_chunks().last() else {
        return 0;
    };
    let is_cut_off = std::str::from_utf8(last.invalid()).is_err_and(|error| error.error_len().is_none());
    if is_cut_off {
        bytes.len() - last.invalid().len()
    } else {
        bytes.len()
    }
}

/// Returns the number of columns that a terminal reports, or [`DEFAULT_COLUMNS`] for 0, which some report.
fn columns(reported: u16) -> usize {
    usize::from(if reported == 0 { DEFAULT_COLUMNS } else { reported })
}

/// Returns the part of `text` that fits into this number of columns.
pub(super) fn cut(text: &str, columns: usize) -> &str {
    let mut remaining = columns;
    for (at, c) in text.char_indices() {
        let width = c.width().unwrap_or(0);
        if width > remaining {
            return text.get(..at).unwrap_or(text);
        }
        remaining -= width;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the output to a file and to a terminal.
    fn written(write: impl Fn(&mut OutputStream<'_>) -> io::Result<()>) -> [String; 2] {
        [false, true].map(|is_terminal| {
            let mut bytes = Vec::new();
            write(&mut OutputStream::out(&mut bytes, is_terminal)).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        })
    }

    #[test]
    fn a_sentence_is_written_as_one_line() {
        let name = "a\u{1b}]0;x\u{7}\nb\tc";
        for shown in written(|out| writeln!(out, "{name}: no such file")) {
            assert_eq!(shown, "a<U+001B>]0;x<U+0007><U+000A>b<U+0009>c: no such file\n");
        }
        for shown in written(|out| out.write_row(&[name, "d"])) {
            assert_eq!(shown, "a<U+001B>]0;x<U+0007><U+000A>b<U+0009>c\td\n");
        }
    }

    #[test]
    fn exact_output_is_escaped_on_a_terminal_only() {
        let record = "先手：A\u{1b}[2J\u{202e}\r\n*\t\u{9b}\n".as_bytes();
        let [file, terminal] = written(|out| out.exact().write_all(record));
        assert_eq!(file.as_bytes(), record);
        assert_eq!(terminal, "先手：A<U+001B>[2J<U+202E>\n*\t<U+009B>\n");
        // A character written in parts is kept together.
        let [file, terminal] =
            written(|out| record.chunks(1).try_for_each(|byte| out.exact().write_all(byte)));
        assert_eq!(file.as_bytes(), record);
        assert_eq!(terminal, "先手：A<U+001B>[2J<U+202E>\n*\t<U+009B>\n");
        let [_, terminal] = written(|out| out.exact().write_all(b"a\xffb\xe5\x85"));
        assert_eq!(terminal, "a\u{fffd}b", "what breaks off waits for its end");
    }

    #[test]
    fn json_is_escaped_on_a_terminal() {
        let json = "{\"a\":\"\u{7f}\u{202e}b\"}\n";
        assert_eq!(
            written(|out| out.write_json(json.as_bytes())),
            [json, "{\"a\":\"\\u007f\\u202eb\"}\n"]
        );
    }

    #[test]
    fn names_are_written_without_passwords() {
        let name = "csa:/me:SECRET@h/G";
        assert_eq!(shown_path(Path::new(name)), "csa:/me@h/G");
        assert_eq!(shown_path(Path::new("a b/board.png")), "a b/board.png");
        for shown in written(|out| out.write_live(name)) {
            assert_eq!(shown, "\rcsa:/me@h/G\x1b[K");
        }
    }

    #[test]
    fn a_line_replaces_the_live_line() {
        for shown in written(|out| {
            out.write_live("1\u{1b}[2J")?;
            writeln!(out, "two")?;
            out.write_live("3")?;
            out.keep_live()
        }) {
            assert_eq!(shown, "\r1<U+001B>[2J\x1b[K\r\x1b[Ktwo\n\r3\x1b[K\n");
        }
    }

    #[test]
    fn lines_are_cut_by_display_width() {
        let check = |text, columns, expect: &str| assert_eq!(cut(text, columns), expect, "{columns}");
        check("先手 63%", 80, "先手 63%");
        check("先手 63%", 3, "先");
        check("先手 63%", 5, "先手 ");
        check("", 0, "");
        assert_eq!([0, 1, 120].map(super::columns), [80, 1, 120]);
    }

    /// A writer that always fails.
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
    fn write_errors_on_standard_error_are_ignored() {
        let mut full = FullSink;
        let mut err = OutputStream::err(&mut full, false);
        writeln!(err, "a remark").unwrap();
        err.write_live("1")
            .and_then(|()| err.keep_live())
            .and_then(|()| err.flush())
            .unwrap();
        let mut full = FullSink;
        writeln!(OutputStream::out(&mut full, false), "a result").unwrap_err();
    }
}
