//! The list of OBS pages, with the choice of the overlay's appearance in OBS.

use shogibar_base::Lang;
use shogibar_config::{Layout, OverlayPreset, Theme, settings_text};
use shogibar_model::pages::options::ObsPageOptions;
use shogibar_model::pages_text::{ObsCorner, ObsIndexWord, ObsSize, ObsWord};
use shogibar_serve::WebAsset;
use std::borrow::Cow;

/// Returns the list of OBS pages as an HTML page in a language.
pub(super) fn page(lang: Lang) -> WebAsset {
    let of_overlay = [
        (
            format!("overlay?{}", ObsPageOptions::for_obs().query()),
            ObsIndexWord::Overlay,
        ),
        ("overlay?test=1".to_owned(), ObsIndexWord::Sample),
        (
            format!("loader.html?{}", ObsPageOptions::for_obs().query()),
            ObsIndexWord::Loader,
        ),
        ("board".to_owned(), ObsIndexWord::Board),
        ("board?test=1".to_owned(), ObsIndexWord::BoardSample),
    ];
    let others = [
        ("desk", ObsIndexWord::Desk),
        ("state", ObsIndexWord::State),
        ("events", ObsIndexWord::Events),
    ];
    let others = others.map(|(link, word)| (link.to_owned(), word));
    let of_overlay = if cfg!(feature = "gui") {
        Vec::from(of_overlay)
    } else {
        Vec::new()
    };
    let item = |(link, word): (String, ObsIndexWord)| {
        format!(
            "<li><a href=\"{}\">{}</a></li>\n",
            link.replace('&', "&amp;"),
            word.text(lang)
        )
    };
    let items: String = of_overlay.into_iter().chain(others).map(item).collect();
    let picker = if cfg!(feature = "gui") {
        picker(lang)
    } else {
        String::new()
    };
    let (title, lang) = (ObsIndexWord::Title.text(lang), lang.pick("ja", "en"));
    let body = format!(
        "<!DOCTYPE html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"fonts.css\">\n<link rel=\"stylesheet\" href=\"desk.css\">\n</head>\n\
         <body class=\"regular index\">\n<h1>{title}</h1>\n{picker}<ul>\n{items}</ul>\n</body>\n</html>\n"
    );
    WebAsset {
        name: "",
        content_type: "text/html; charset=utf-8",
        is_gzip: false,
        is_fixed: false,
        body: Cow::Owned(body.into_bytes()),
    }
}

/// Returns the form in which the user chooses the appearance. From it, `index.js` makes the address and the preview.
fn picker(lang: Lang) -> String {
    let word = |word: ObsWord| word.text(lang);
    let layouts = Layout::ALL
        .iter()
        .map(|layout| (layout.name().to_owned(), settings_text::layout(*layout, lang)));
    let as_set = (String::new(), word(ObsWord::AsSet));
    let themes = Theme::names().map(|name| (name.to_owned(), settings_text::theme(name, lang)));
    let scales = ObsSize::ALL.map(|size| {
        (
            size.scale().map(|scale| scale.to_string()).unwrap_or_default(),
            size.text(lang),
        )
    });
    let sides = [("black", ObsWord::BlackLeft), ("white", ObsWord::WhiteLeft)]
        .map(|(side, text)| (side.to_owned(), word(text)));
    let as_laid_out = (String::new(), word(ObsWord::AsLaidOut));
    let corners = ObsCorner::ALL.map(|corner| (corner.name().to_owned(), corner.text(lang)));
    let corners = std::iter::once(as_laid_out).chain(corners);
    let langs = [("ja", ObsWord::Japanese), ("en", ObsWord::English)]
        .map(|(lang, text)| (lang.to_owned(), word(text)));
    let names = [("", ObsWord::FirstNames), ("2", ObsWord::SecondNames)]
        .map(|(names, text)| (names.to_owned(), word(text)));
    let stream = OverlayPreset::Stream;
    let presets = [
        (stream.name().to_owned(), settings_text::preset(stream, lang)),
        as_set.clone(),
    ];
    let fields = [
        choice("layout", word(ObsWord::Layout), layouts),
        choice(
            "theme",
            word(ObsWord::Theme),
            std::iter::once(as_set.clone()).chain(themes),
        ),
        choice("preset", word(ObsWord::Parts), presets),
        choice("scale", word(ObsWord::Size), scales),
        choice("corner", word(ObsWord::Corner), corners),
        choice(
            "lang",
            word(ObsWord::Language),
            std::iter::once(as_set.clone()).chain(langs),
        ),
        choice("names", word(ObsWord::Names), names),
        choice("left", word(ObsWord::Side), std::iter::once(as_set).chain(sides)),
    ];
    format!(
        "<form id=\"look\">\n<p class=\"canvas\"><iframe id=\"preview\" title=\"{}\"></iframe></p>\n<p>{}</p>\n\
         <p><label><input type=\"checkbox\" name=\"lost\" value=\"hide\"> {}</label></p>\n\
         <p><input id=\"address\" readonly aria-label=\"URL\"> <button id=\"copy\">{}</button> <span id=\"copied\" hidden>{}</span></p>\n\
         </form>\n<script src=\"index.js\"></script>\n",
        word(ObsWord::Preview),
        fields.concat(),
        word(ObsWord::HidesWhenLost),
        word(ObsWord::Copy),
        word(ObsWord::Copied),
    )
}

/// Returns a drop-down list with a label, in HTML. In the list of layouts, the layout for OBS is selected. None of the
/// texts needs escapes.
fn choice(name: &str, label: &str, options: impl IntoIterator<Item = (String, &'static str)>) -> String {
    let first = ObsPageOptions::for_obs().layout.map(Layout::name);
    let option = |(value, text): (String, &str)| {
        let chosen = if name == "layout" && Some(value.as_str()) == first {
            " selected"
        } else {
            ""
        };
        format!("<option value=\"{value}\"{chosen}>{text}</option>")
    };
    let options: String = options.into_iter().map(option).collect();
    format!("<label>{label} <select name=\"{name}\">{options}</select></label> ")
}
