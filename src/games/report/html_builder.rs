//! A builder of HTML pages. Markup is a literal of the program, and every other text is escaped. So no foreign text can
//! become markup.

use shogibar_base::visible::visible_table;
use std::fmt::Write as _;

/// Builds an HTML page.
#[derive(Debug, Default)]
pub struct HtmlBuilder {
    out: String,
}

impl HtmlBuilder {
    /// Appends markup, which is a literal of the program.
    pub fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// Appends a text, between elements or in a double-quoted attribute. Control characters, including bidirectional
    /// ones, are made visible. Line ends and tabs are kept.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for c in visible_table(text).chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                c => self.out.push(c),
            }
        }
        self
    }

    /// Appends a whole number.
    pub fn count(&mut self, count: usize) -> &mut Self {
        self.write_formatted(format_args!("{count}"))
    }

    /// Appends a coordinate, rounded to tenths. NaN and infinity become 0.
    pub fn coordinate(&mut self, coordinate: f64) -> &mut Self {
        let tenths = if coordinate.is_finite() {
            (coordinate * 10.0).round() / 10.0
        } else {
            0.0
        };
        // Adding 0 turns −0 into 0.
        self.write_formatted(format_args!("{}", tenths + 0.0))
    }

    /// Appends two coordinates with a space between them.
    pub fn point(&mut self, (x, y): (f64, f64)) -> &mut Self {
        self.coordinate(x).raw(" ").coordinate(y)
    }

    /// Appends a colour as `#rrggbbaa`. The parts are red, green, blue and opacity.
    pub fn color(&mut self, [red, green, blue, alpha]: [u8; 4]) -> &mut Self {
        self.write_formatted(format_args!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}"))
    }

    fn write_formatted(&mut self, number: std::fmt::Arguments<'_>) -> &mut Self {
        let _never_fails = self.out.write_fmt(number);
        self
    }

    /// Appends a text between an opening and a closing tag.
    pub fn element(&mut self, open: &'static str, text: &str, close: &'static str) -> &mut Self {
        self.raw(open).text(text).raw(close)
    }

    /// Appends the markup of another builder.
    pub fn part(&mut self, part: &Self) -> &mut Self {
        self.out.push_str(&part.out);
        self
    }

    /// Returns the page.
    pub fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn escaped(text: &str) -> String {
        let mut page = HtmlBuilder::default();
        page.text(text);
        page.finish()
    }

    #[test]
    fn rounds_coordinates_to_tenths() {
        let check = |coordinate, expect: &str| {
            let mut page = HtmlBuilder::default();
            page.coordinate(coordinate);
            assert_eq!(page.finish(), expect);
        };
        check(1.0, "1");
        check(12.345, "12.3");
        check(-0.04, "0");
        check(f64::NAN, "0");
        check(f64::NEG_INFINITY, "0");
    }

    #[test]
    fn escapes_markup_and_control_characters() {
        assert_eq!(
            escaped("<script>\"&'\u{0}\t\n佐藤"),
            "&lt;script&gt;&quot;&amp;&#39;&lt;U+0000&gt;\t\n佐藤"
        );
    }

    proptest! {
        #[test]
        fn escaped_text_never_contains_markup(text in any::<String>()) {
            let escaped = escaped(&text);
            prop_assert!(!escaped.contains(['<', '>', '"', '\'']));
            let back = ["&lt;", "&gt;", "&quot;", "&#39;"].into_iter().zip(["<", ">", "\"", "'"]);
            let back = back.fold(escaped, |text, (from, to)| text.replace(from, to)).replace("&amp;", "&");
            prop_assert_eq!(back, visible_table(&text));
        }
    }
}
