//! The table of the results as one HTML page without external resources. A script sorts the table.

use super::ResultRow;
use crate::Label;
use crate::analysis::MoveMark;
use crate::folder_text::{self as text, Column, MotifPhrase, SideColumn};
use crate::reasons_text::Motif;
use crate::report::{HtmlBuilder, write_theme_colors};
use crate::report_text::ReportWord;
use shogibar_base::Lang;
use std::collections::BTreeMap;

/// The style sheet of the page. The colours are CSS variables.
const STYLE_SHEET: &str = include_str!("page.css");

/// The script that sorts the table. The page permits only this script, by its hash. The script is not in a file of its
/// own, because the line ends of that file could differ.
const SORT_SCRIPT: &str = r#""use strict";
const body = document.querySelector("tbody");
const text = new Intl.Collator(document.documentElement.lang, { numeric: true });
for (const head of document.querySelectorAll("th[data-column]")) {
  head.addEventListener("click", () => {
    const column = Number(head.dataset.column);
    const isNumber = head.classList.contains("n");
    const isDown = head.getAttribute("aria-sort") === "ascending";
    const key = (row) => row.cells[column].textContent;
    const compare = (a, b) => (isNumber ? Number(a) - Number(b) : text.compare(a, b));
    const rows = [...body.rows].map((row) => [key(row), row]);
    // Empty cells stay at the end.
    rows.sort(([a], [b]) => (a === "") - (b === "") || (isDown ? compare(b, a) : compare(a, b)));
    for (const other of document.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
    body.append(...rows.map(([, row]) => row));
  });
}
"#;

/// The markup after the language. This markup identifies a page of this program, and blocks external resources.
const HEAD_MARKUP: &str = include_str!("head.html");

const COLUMNS_PER_SIDE: usize = SideColumn::ALL.len() + MoveMark::ALL.len();

/// Returns the HTML page. `games` has the number of games that are over, and the number of all games.
pub(super) fn table_page<'a>(
    rows: impl Iterator<Item = &'a ResultRow> + Clone,
    problems: &[String],
    games: [usize; 2],
    lang: Lang,
) -> String {
    let mut page = HtmlBuilder::default();
    page.raw("<!DOCTYPE html>\n<html lang=\"")
        .raw(lang.pick("ja", "en"))
        .raw("\">\n")
        .raw(HEAD_MARKUP);
    page.element("<title>", text::heading(lang), "</title>\n<style>\n");
    write_theme_colors(&mut page, &[]);
    page.raw(STYLE_SHEET).raw("</style>\n</head>\n<body>\n<header>\n");
    page.element("<h1>", text::heading(lang), "</h1>\n");
    page.element(
        "<p class=\"note\">",
        &text::games(games, lang),
        "</p>\n</header>\n<main>\n<div class=\"scroll\"><table>\n",
    );
    write_head(&mut page, lang);
    page.raw("<tbody>\n");
    for row in rows.clone() {
        write_row(&mut page, row, lang);
    }
    page.raw("</tbody></table></div>\n");
    page.element(
        "<p class=\"note\">",
        ReportWord::AboutAccuracy.text(lang),
        "</p>\n",
    );
    write_motifs(&mut page, rows, lang);
    if !problems.is_empty() {
        page.element("<section><h2>", text::problems(lang), "</h2>\n<ul>\n");
        for problem in problems {
            page.element("<li>", problem, "</li>\n");
        }
        page.raw("</ul></section>\n");
    }
    page.raw("</main>\n<footer>")
        .text(ReportWord::MadeBy.text(lang))
        .raw("</footer>\n<script>")
        .raw(SORT_SCRIPT);
    page.raw("</script>\n</body>\n</html>\n");
    page.finish()
}

/// The motifs that a player overlooks, with the games, and the numbers of the moves in each game.
type OverlookedMotifs<'a> = BTreeMap<Motif, Vec<(&'a ResultRow, Vec<u16>)>>;

/// Writes the motifs that each player overlooks, with their counts and games. Writes nothing without known motifs.
fn write_motifs<'a>(page: &mut HtmlBuilder, rows: impl Iterator<Item = &'a ResultRow>, lang: Lang) {
    let mut players: BTreeMap<&str, OverlookedMotifs<'_>> = BTreeMap::new();
    for row in rows {
        for (player, motifs) in row
            .players
            .iter()
            .zip(&row.motifs)
            .filter(|(player, _)| !player.is_empty())
        {
            for (motif, ply) in motifs {
                let games = players.entry(player).or_default().entry(*motif).or_default();
                match games.last_mut().filter(|(last, _)| std::ptr::eq(*last, row)) {
                    Some((_, plies)) => plies.push(*ply),
                    None => games.push((row, vec![*ply])),
                }
            }
        }
    }
    if players.is_empty() {
        return;
    }
    page.element("<section><h2>", MotifPhrase::Heading.text(lang), "</h2>\n");
    page.element(
        "<p class=\"note\">",
        MotifPhrase::About.text(lang),
        "</p>\n<div class=\"scroll\"><table class=\"motifs\">\n<thead><tr>",
    );
    for (heading, is_number) in [
        (MotifPhrase::Player, false),
        (MotifPhrase::Motif, false),
        (MotifPhrase::Count, true),
        (MotifPhrase::Games, false),
    ] {
        page.raw(if is_number { "<th class=\"n\">" } else { "<th>" })
            .text(heading.text(lang))
            .raw("</th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for (player, motifs) in players {
        let count =
            |games: &[(&ResultRow, Vec<u16>)]| games.iter().map(|(_, plies)| plies.len()).sum::<usize>();
        let mut motifs: Vec<_> = motifs
            .into_iter()
            .map(|(motif, games)| (count(&games), motif, games))
            .collect();
        motifs.sort_by_key(|(count, motif, _)| (std::cmp::Reverse(*count), *motif));
        for (nth, (count, motif, games)) in motifs.iter().enumerate() {
            page.raw("<tr>");
            if nth == 0 {
                page.raw("<td rowspan=\"")
                    .count(motifs.len())
                    .element("\">", player, "</td>");
            }
            page.element("<td>", motif.text(lang), "</td><td class=\"n\">")
                .count(*count)
                .raw("</td><td>");
            for (nth, (row, plies)) in games.iter().enumerate() {
                page.raw(if nth == 0 { "" } else { "<br>" });
                page.raw("<a href=\"")
                    .text(&row.report)
                    .element("\">", &row.file, "</a> ");
                page.text(&text::at_moves(plies, lang));
            }
            page.raw("</td></tr>\n");
        }
    }
    page.raw("</tbody></table></div></section>\n");
}

/// Returns whether a file begins as the HTML page of a table of this program does.
pub(super) fn is_page(bytes: &[u8]) -> bool {
    let begins = |with: &str| {
        bytes.starts_with(format!("<!DOCTYPE html>\n<html lang=\"{with}\">\n{HEAD_MARKUP}").as_bytes())
    };
    begins("ja") || begins("en")
}

fn write_head(page: &mut HtmlBuilder, lang: Lang) {
    page.raw("<thead>\n<tr>");
    let (first, last) = Column::ALL.split_at(Column::COLUMNS_BEFORE_SIDES);
    let mut column = 0;
    for heading in first {
        write_column(page, column, heading.text(lang), heading.is_number(), 2);
        column += 1;
    }
    for (side, mark) in [(Label::Black, "☗ "), (Label::White, "☖ ")] {
        page.raw("<th class=\"side\" scope=\"colgroup\" colspan=\"")
            .count(COLUMNS_PER_SIDE)
            .raw("\">")
            .text(mark);
        page.text(side.text(lang)).raw("</th>");
    }
    for (number, heading) in last.iter().enumerate() {
        let column = column + 2 * COLUMNS_PER_SIDE + number;
        write_column(page, column, heading.text(lang), heading.is_number(), 2);
    }
    page.raw("</tr>\n<tr>");
    for _ in 0..2 {
        let marks = MoveMark::ALL.map(|mark| mark.label().text(lang));
        for heading in SideColumn::ALL
            .map(|column| column.text(lang))
            .into_iter()
            .chain(marks)
        {
            write_column(page, column, heading, true, 1);
            column += 1;
        }
    }
    page.raw("</tr>\n</thead>\n");
}

/// Writes the header cell of a column, which is `rows` rows high.
fn write_column(page: &mut HtmlBuilder, column: usize, heading: &str, is_number: bool, rows: usize) {
    page.raw(if is_number {
        "<th class=\"n\" scope=\"col\""
    } else {
        "<th scope=\"col\""
    });
    page.raw(if rows == 2 { " rowspan=\"2\"" } else { "" })
        .raw(" data-column=\"")
        .count(column);
    page.element("\"><button type=\"button\">", heading, "</button></th>");
}

fn write_row(page: &mut HtmlBuilder, row: &ResultRow, lang: Lang) {
    page.raw("<tr>");
    for (number, cell) in row.cells(lang).iter().enumerate() {
        let is_first_of_side = number >= Column::COLUMNS_BEFORE_SIDES
            && (number - Column::COLUMNS_BEFORE_SIDES).is_multiple_of(COLUMNS_PER_SIDE);
        page.raw(match (cell.is_number, is_first_of_side) {
            (true, true) => "<td class=\"n first\">",
            (true, false) => "<td class=\"n\">",
            (false, _) => "<td>",
        });
        if number == 0 {
            page.raw("<a href=\"")
                .text(&row.report)
                .element("\">", &cell.text, "</a>");
        } else {
            page.text(&cell.text);
        }
        page.raw("</td>");
    }
    page.raw("</tr>\n");
}
