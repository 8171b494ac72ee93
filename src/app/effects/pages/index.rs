//! The list of pages.

use crate::text::Lang;
use crate::text::pages::PageIndexWord;
use shogibar_serve::PageAsset;
use std::borrow::Cow;

/// Returns the list of pages in a language.
pub(super) fn page(lang: Lang) -> PageAsset {
    let of_overlay = [
        ("overlay", PageIndexWord::Overlay),
        ("overlay?test=1", PageIndexWord::Sample),
        ("loader.html", PageIndexWord::Loader),
    ];
    let others = [("desk", PageIndexWord::Desk), ("state", PageIndexWord::State), ("events", PageIndexWord::Events)];
    let of_overlay = of_overlay.into_iter().filter(|_| cfg!(feature = "gui"));
    let item = |(link, word): (&str, PageIndexWord)| format!("<li><a href=\"{link}\">{}</a></li>\n", word.text(lang));
    let items: String = of_overlay.chain(others).map(item).collect();
    let (title, lang) = (PageIndexWord::Title.text(lang), lang.pick("ja", "en"));
    let body = format!(
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"fonts.css\">\n<link rel=\"stylesheet\" href=\"desk.css\">\n</head>\n\
         <body class=\"regular index\">\n<h1>{title}</h1>\n<ul>\n{items}</ul>\n</body>\n</html>\n"
    );
    PageAsset {
        name: "",
        content_type: "text/html; charset=utf-8",
        is_gzip: false,
        is_fixed: false,
        body: Cow::Owned(body.into_bytes()),
    }
}
