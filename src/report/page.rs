//! A page of HTML in the making. Markup is what stands in the program, and all else is escaped: the types see to
//! that no foreign text can be taken for markup.

use crate::text::visible::visible_table;
use std::fmt::Write as _;

/// A page in the making.
#[derive(Debug, Default)]
pub(super) struct HtmlPage {
    out: String,
}

impl HtmlPage {
    /// Markup: it has to stand in the program.
    pub(super) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.out.push_str(markup);
        self
    }

    /// A text, between elements or in an attribute with double quotes. Control characters, those of bidirectional text
    /// among them, are shown; line ends and tabs stay.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
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

    /// A whole number.
    pub(super) fn count(&mut self, count: usize) -> &mut Self {
        self.formatted(format_args!("{count}"))
    }

    /// A place in a picture, to a tenth of a unit; what is no number is 0.
    pub(super) fn at(&mut self, place: f64) -> &mut Self {
        let tenths = if place.is_finite() { (place * 10.0).round() / 10.0 } else { 0.0 };
        // Minus nothing is nothing.
        self.formatted(format_args!("{}", tenths + 0.0))
    }

    /// Two places, as a point of a path.
    pub(super) fn point(&mut self, (x, y): (f64, f64)) -> &mut Self {
        self.at(x).raw(" ").at(y)
    }

    /// A colour: red, green, blue, and its opacity.
    pub(super) fn color(&mut self, [red, green, blue, alpha]: [u8; 4]) -> &mut Self {
        self.formatted(format_args!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}"))
    }

    fn formatted(&mut self, number: std::fmt::Arguments<'_>) -> &mut Self {
        let _never_fails = self.out.write_fmt(number);
        self
    }

    /// An element around a text.
    pub(super) fn element(&mut self, open: &'static str, text: &str, close: &'static str) -> &mut Self {
        self.raw(open).text(text).raw(close)
    }

    /// The page.
    pub(super) fn finish(self) -> String {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn escaped(text: &str) -> String {
        let mut page = HtmlPage::default();
        page.text(text);
        page.finish()
    }

    #[test]
    fn numbers_are_short() {
        let check = |place, expect: &str| {
            let mut page = HtmlPage::default();
            page.at(place);
            assert_eq!(page.finish(), expect);
        };
        check(1.0, "1");
        check(12.345, "12.3");
        check(-0.04, "0");
        check(f64::NAN, "0");
        check(f64::NEG_INFINITY, "0");
    }

    #[test]
    fn what_is_markup_is_escaped() {
        assert_eq!(escaped("<script>\"&'\u{0}\t\n佐藤"), "&lt;script&gt;&quot;&amp;&#39;&lt;U+0000&gt;\t\n佐藤");
    }

    proptest! {
        #[test]
        fn no_text_is_markup(text in any::<String>()) {
            let escaped = escaped(&text);
            prop_assert!(!escaped.contains(['<', '>', '"', '\'']));
            let back = ["&lt;", "&gt;", "&quot;", "&#39;"].into_iter().zip(["<", ">", "\"", "'"]);
            let back = back.fold(escaped, |text, (from, to)| text.replace(from, to)).replace("&amp;", "&");
            prop_assert_eq!(back, visible_table(&text));
        }
    }
}
