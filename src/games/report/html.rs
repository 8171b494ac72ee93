//! The report as one HTML page for screen, paper and screen readers, without scripts and external resources.

use super::html_builder::HtmlBuilder;
use super::{Report, ReportDecisiveMove, ReportRow, ReportVariation, graph};
use crate::analysis::{AssessedMove, GamePhase, MoveMark, MoveStats, SideSummary};
use crate::report_text::{self as text, ReportWord};
use crate::{analysis_text as words_of_analysis, graph_text as words, phrase};
use shogibar_base::Lang;
use shogibar_config::Theme;
use shogibar_kifu::Millis;
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, PieceKind, Position, board_text};

/// The style sheet of the page. The colours are CSS variables.
const STYLE_SHEET: &str = include_str!("page.css");

/// The markup after the language. This markup identifies a page of this program, and blocks external resources.
const HEAD_MARKUP: &str = include_str!("head.html");

/// The part of the markup that permits the font within the page. Reports of version 0.2 and before do not have it.
const FONT_SOURCE: &str = " font-src data:;";

/// The text in place of the best move if the player chose that move.
const BEST_MOVE_MARK: &str = "✓";

/// The pictures of an HTML page. The colours of the pictures follow the light or dark mode of the page.
#[derive(Debug)]
pub struct ReportDrawings {
    /// The colours of the pictures in CSS, each in light and dark mode.
    pub colors: Vec<[String; 2]>,
    /// The `data:` address of the font of the pieces, in CSS. The page contains the font, because a machine may have no
    /// Japanese font.
    pub pieces_font: String,
    /// The graph of the game.
    pub graph: ReportDrawing,
    /// The left and upper edge, the width and the height of the curves in the graph.
    pub curves: [f64; 4],
    /// The diagrams of the positions before the decisive moves, in the order of [`Report::decisive_moves`].
    pub diagrams: Vec<ReportDrawing>,
}

/// A picture of a report, as the elements of an SVG.
#[derive(Debug)]
pub struct ReportDrawing {
    /// The width and the height of the SVG, in its units.
    pub size: (f64, f64),
    /// The elements of the SVG.
    pub elements: HtmlBuilder,
}

impl ReportDrawing {
    /// Writes the opening tag of the SVG, up to the text that describes the picture.
    fn open_svg<'p>(&self, page: &'p mut HtmlBuilder, open: &'static str) -> &'p mut HtmlBuilder {
        page.raw(open)
            .raw(" viewBox=\"0 0 ")
            .point(self.size)
            .raw("\" role=\"img\" aria-label=\"")
    }
}

/// Returns the report as an HTML page. Without `drawings` the page has only texts.
///
/// # Examples
/// ```
/// use shogibar_games::report::{self, Report};
/// use shogibar_games::study::{Document, RecordInsight};
/// use shogibar_base::Lang;
///
/// let record = shogibar_kifu::read("先手：<佐藤>\n1 ７六歩(77)\n2 投了\n".as_bytes()).unwrap().games.remove(0);
/// let document = Document::new(record);
/// let page = report::html(&Report::from_document(&document, &RecordInsight::default(), Lang::Ja), None);
/// assert!(page.contains("&lt;佐藤&gt;") && page.contains("1手まで、先手の勝ち（投了）"));
/// ```
pub fn html(report: &Report, drawings: Option<&ReportDrawings>) -> String {
    let mut page = HtmlBuilder::default();
    write_head(&mut page, report, drawings);
    write_title(&mut page, report);
    page.raw("<main>\n");
    if report.is_analysed() {
        write_sides(&mut page, report);
        if let Some(drawings) = drawings {
            write_course(&mut page, report, drawings);
        }
        write_decisive_moves(&mut page, report, drawings);
        write_mistakes(&mut page, report);
    } else {
        page.element(
            "<section><p>",
            ReportWord::NotAnalysed.text(report.lang),
            "</p></section>\n",
        );
    }
    write_moves(&mut page, report);
    page.raw("</main>\n<footer>")
        .text(ReportWord::MadeBy.text(report.lang))
        .raw("</footer>\n</body>\n</html>\n");
    page.finish()
}

/// Returns whether a file begins as an HTML report of this program does.
pub fn is_html(bytes: &[u8]) -> bool {
    let begins = |lang: &str, head: &str| {
        bytes.starts_with(format!("<!DOCTYPE html>\n<html lang=\"{lang}\">\n{head}").as_bytes())
    };
    let heads = [HEAD_MARKUP.to_owned(), HEAD_MARKUP.replace(FONT_SOURCE, "")];
    heads.iter().any(|head| begins("ja", head) || begins("en", head))
}

fn write_head(page: &mut HtmlBuilder, report: &Report, drawings: Option<&ReportDrawings>) {
    page.raw("<!DOCTYPE html>\n<html lang=\"")
        .raw(report.lang.pick("ja", "en"))
        .raw("\">\n")
        .raw(HEAD_MARKUP);
    page.element(
        "<title>",
        &text::versus(report.names(), report.lang),
        "</title>\n<style>\n",
    );
    write_theme_colors(
        page,
        drawings
            .map(|drawings| drawings.colors.as_slice())
            .unwrap_or_default(),
    );
    if let Some(drawings) = drawings.filter(|drawings| !drawings.diagrams.is_empty()) {
        let open = "@font-face{font-family:\"Shogibar Pieces\";font-weight:100 900;src:url(";
        page.element(open, &drawings.pieces_font, ")}\n");
    }
    page.raw(STYLE_SHEET).raw("</style>\n</head>\n<body>\n");
}

/// Writes the colours of the light and the dark mode as CSS variables. `drawn` are the colours of the pictures, each in
/// both modes.
pub fn write_theme_colors(page: &mut HtmlBuilder, drawn: &[[String; 2]]) {
    page.raw(":root{");
    write_colors(page, "paper", drawn.iter().map(|[light, _]| light));
    page.raw("}\n@media screen and (prefers-color-scheme:dark){:root{");
    write_colors(page, Theme::DEFAULT, drawn.iter().map(|[_, dark]| dark));
    page.raw("}}\n");
}

/// Writes the colours of a shipped theme, and the colours `drawn` of the pictures, as CSS variables.
fn write_colors<'a>(page: &mut HtmlBuilder, theme: &str, drawn: impl Iterator<Item = &'a String>) {
    let theme = Theme::shipped(theme).unwrap_or_default();
    let [red, green, blue, _] = theme.arrow.0;
    page.raw("--arrow-solid:").color([red, green, blue, 255]).raw(";");
    let _named = theme.map(|name, color| {
        // CSS variable names have `-` where keys have `_`.
        let mut parts = name.split('_');
        page.raw("--").raw(parts.next().unwrap_or_default());
        parts.for_each(|part| {
            page.raw("-").raw(part);
        });
        page.raw(":").color(color.0).raw(";");
    });
    for (number, color) in drawn.enumerate() {
        page.raw("--c").count(number).raw(":").text(color).raw(";");
    }
}

fn write_title(page: &mut HtmlBuilder, report: &Report) {
    let [black, white] = report.names();
    let versus = report.lang.pick("対", "vs");
    page.element("<header>\n<h1><bdi>", black, "</bdi><small>");
    page.raw(versus).element("</small><bdi>", white, "</bdi></h1>\n");
    page.element("<p class=\"result\">", &report.result, "</p>\n");
    let by = report.evaluator_rows();
    let by = by.iter().map(|(key, value)| (*key, value.as_str()));
    let rows = report
        .headers
        .iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .chain(by);
    let mut rows = rows.peekable();
    if rows.peek().is_some() {
        page.raw("<dl class=\"facts\">\n");
        for (key, value) in rows {
            page.element("<dt>", key, "</dt>")
                .element("<dd>", value, "</dd>\n");
        }
        page.raw("</dl>\n");
    }
    page.raw("</header>\n");
}

/// Opens a section with a table, up to the cells of its header row.
fn open_table(page: &mut HtmlBuilder, heading: &str, class: &'static str) {
    page.element("<section>\n<h2>", heading, "</h2>\n<div class=\"scroll\">");
    page.raw("<table class=\"").raw(class).raw("\"><thead><tr>");
}

fn write_sides(page: &mut HtmlBuilder, report: &Report) {
    let lang = report.lang;
    open_table(page, ReportWord::Players.text(lang), "sides");
    for word in [ReportWord::Side, ReportWord::Player] {
        page.element("<th scope=\"col\">", word.text(lang), "</th>");
    }
    let marks = MoveMark::ALL.map(|mark| mark.label().text(lang));
    let first = [ReportWord::MeanLoss, ReportWord::Choices, ReportWord::Accuracy].map(|word| word.text(lang));
    for column in first.into_iter().chain(marks) {
        page.element("<th scope=\"col\" class=\"n\">", column, "</th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for (color, side) in [Color::Black, Color::White].into_iter().zip(&report.sides) {
        write_side(page, report, color, side);
    }
    page.raw("</tbody></table></div>\n");
    write_phases(page, report);
    page.element("<p class=\"note\">", ReportWord::AboutAccuracy.text(lang), " ");
    page.element("", ReportWord::AboutPhases.text(lang), "</p>\n</section>\n");
}

/// Writes the statistics of each side by phase.
fn write_phases(page: &mut HtmlBuilder, report: &Report) {
    let lang = report.lang;
    page.element("<h3>", ReportWord::Phases.text(lang), "</h3>\n");
    page.raw("<div class=\"scroll\"><table class=\"phases\"><thead><tr>");
    for word in [ReportWord::Side, ReportWord::Phase] {
        page.element("<th scope=\"col\">", word.text(lang), "</th>");
    }
    for word in [ReportWord::MeanLoss, ReportWord::Choices] {
        page.element("<th scope=\"col\" class=\"n\">", word.text(lang), "</th>");
    }
    page.element(
        "<th scope=\"col\">",
        ReportWord::Costliest.text(lang),
        "</th></tr></thead>\n<tbody>\n",
    );
    for (color, side) in [Color::Black, Color::White].into_iter().zip(&report.sides) {
        for (phase, stats) in GamePhase::ALL.into_iter().zip(&side.phases) {
            page.element("<tr><th scope=\"row\">", report.title(color), "</th>");
            page.element("<td>", phase.label().text(lang), "</td>");
            write_phase(page, report, stats);
        }
        if side.decided_move_count() > 0 {
            page.element("<tr><th scope=\"row\">", report.title(color), "</th>");
            page.element("<td>", ReportWord::Decided.text(lang), "</td><td></td><td></td>");
            page.element(
                "<td>",
                &text::moves(side.decided_move_count(), lang),
                "</td></tr>\n",
            );
        }
    }
    page.raw("</tbody></table></div>\n");
}

fn write_phase(page: &mut HtmlBuilder, report: &Report, stats: &MoveStats) {
    page.element(
        "<td class=\"n\">",
        &words_of_analysis::tenths(stats.mean_loss),
        "</td>",
    );
    let agreement = words_of_analysis::agreement([stats.choices, stats.judged_moves], report.lang);
    page.element("<td class=\"n\">", &agreement, "</td><td>");
    if let Some(costliest) = &stats.costliest_move {
        let number = usize::from(costliest.ply);
        let word = report
            .rows
            .get(number)
            .map(|row| row.word.as_str())
            .unwrap_or_default();
        write_link(page, report, number, word);
        write_loss_tag(page, costliest, report.lang);
    }
    page.raw("</td></tr>\n");
}

/// Writes a move with its number as a link to its row in the list of all moves.
fn write_link(page: &mut HtmlBuilder, report: &Report, number: usize, word: &str) {
    page.raw("<a href=\"#move-").count(number).element(
        "\">",
        &phrase::move_label(number, word, report.lang),
        "</a>",
    );
}

fn write_loss_tag(page: &mut HtmlBuilder, assessed: &AssessedMove, lang: Lang) {
    match assessed.mark {
        Some(mark) => write_tag(page, mark, assessed.loss, lang),
        None => {
            page.element(
                " <span class=\"tag\">",
                &text::points(assessed.loss, lang),
                "</span>",
            );
        }
    }
}

fn write_side(page: &mut HtmlBuilder, report: &Report, color: Color, side: &SideSummary) {
    let mark = if color == Color::Black { "☗ " } else { "☖ " };
    page.raw("<tr><th scope=\"row\">")
        .raw(mark)
        .element("", report.title(color), "</th>");
    let [black, white] = &report.players;
    let player = if color == Color::Black { black } else { white };
    page.element(
        "<td class=\"player\">",
        player.as_deref().unwrap_or_default(),
        "</td>",
    );
    let (lang, figures) = (report.lang, side.figures());
    let loss = words_of_analysis::tenths(figures.mean_loss);
    open_labelled_cell(page, ReportWord::MeanLoss.text(lang), "n first").element("", &loss, "</td>");
    let agreement = words_of_analysis::agreement(figures.choices, lang);
    open_labelled_cell(page, ReportWord::Choices.text(lang), "n first").element("", &agreement, "</td>");
    let accuracy = words_of_analysis::tenths(figures.accuracy);
    open_labelled_cell(page, ReportWord::Accuracy.text(lang), "n").element("", &accuracy, "</td>");
    for (mark, count) in MoveMark::ALL.iter().zip(side.marks) {
        open_labelled_cell(page, mark.label().text(lang), "n")
            .count(count)
            .raw("</td>");
    }
    page.raw("</tr>\n");
}

/// Writes the opening tag of a cell with its label, which narrow pages show instead of columns.
fn open_labelled_cell<'p>(
    page: &'p mut HtmlBuilder,
    label: &str,
    class: &'static str,
) -> &'p mut HtmlBuilder {
    page.raw("<td class=\"")
        .raw(class)
        .element("\" data-label=\"", label, "\">")
}

fn write_course(page: &mut HtmlBuilder, report: &Report, drawings: &ReportDrawings) {
    page.element(
        "<section>\n<h2>",
        ReportWord::Course.text(report.lang),
        "</h2>\n<figure><div class=\"scroll\">",
    );
    let rows: Vec<&ReportRow> = report.positions().collect();
    let label = text::graph(
        rows.len().saturating_sub(1),
        report.title(Color::Black),
        report.lang,
    );
    drawings
        .graph
        .open_svg(page, "<svg class=\"graph\"")
        .element("", &label, "\">\n")
        .part(&drawings.graph.elements);
    graph::write_hover_areas(page, report, &rows, drawings.curves);
    page.raw("</svg>\n");
    let about = text::about_course(report.title(Color::Black), has_times(report), report.lang);
    page.raw("</div>");
    graph::write_legend(page, report);
    page.element(
        "<figcaption class=\"note\">",
        &about,
        "</figcaption></figure>\n</section>\n",
    );
}

fn has_times(report: &Report) -> bool {
    report
        .rows
        .iter()
        .any(|row| row.time_spent.is_some_and(|spent| spent > Millis(0)))
}

fn write_decisive_moves(page: &mut HtmlBuilder, report: &Report, drawings: Option<&ReportDrawings>) {
    let lang = report.lang;
    page.element("<section>\n<h2>", ReportWord::DecisiveMoves.text(lang), "</h2>\n");
    for (index, decisive) in report.decisive_moves.iter().enumerate() {
        write_decisive_move(
            page,
            report,
            decisive,
            drawings.and_then(|drawings| drawings.diagrams.get(index)),
        );
    }
    let about = if report.decisive_moves.is_empty() {
        ReportWord::NoDecisiveMoves
    } else {
        ReportWord::AboutArrows
    };
    page.element("<p class=\"note\">", about.text(lang), "</p>\n");
    if report.missing_reasons > 0 {
        page.element(
            "<p class=\"note\">",
            &text::missing_reasons(report.missing_reasons, lang),
            "</p>\n",
        );
    }
    page.raw("</section>\n");
}

fn write_decisive_move(
    page: &mut HtmlBuilder,
    report: &Report,
    decisive: &ReportDecisiveMove,
    drawing: Option<&ReportDrawing>,
) {
    let (lang, assessed) = (report.lang, decisive.decisive_move.assessed_move);
    let number = usize::from(assessed.ply);
    page.raw("<article class=\"turn\">\n<figure>");
    if let Some(drawing) = drawing {
        write_diagram(page, report, decisive, drawing);
    }
    page.element(
        "<figcaption>",
        &decisive.position_text,
        "</figcaption></figure>\n<div>\n<h3>",
    );
    write_link(page, report, number, &decisive.word);
    write_loss_tag(page, &assessed, lang);
    page.raw("</h3>\n");
    if !decisive.effects.is_empty() {
        page.element(
            "<p class=\"decided\">",
            &decisive.effects.join(lang.pick("　", " · ")),
            "</p>\n",
        );
    }
    if !decisive.sentence.is_empty() {
        page.element("<p class=\"reason\">", &decisive.sentence, "</p>\n");
    }
    page.element(
        "<p>",
        &text::fall(report.title(assessed.side), decisive.rates, lang),
        "</p>\n<dl>\n",
    );
    let played = report.played_from(decisive);
    for (word, moves) in [
        (ReportWord::Best, &decisive.line),
        (ReportWord::Punish, &decisive.punish_line),
        (ReportWord::Played, &played),
    ] {
        if !moves.is_empty() {
            page.raw(if word == ReportWord::Best {
                "<dt class=\"best\">"
            } else {
                "<dt>"
            });
            page.element("", word.text(lang), "</dt>");
            write_line(page, moves.iter().map(String::as_str));
        }
    }
    page.element(
        "</dl>\n<p class=\"sfen\">",
        &decisive.position_before.sfen(),
        "</p>\n</div>\n</article>\n",
    );
}

/// Writes the list of the mistakes and doubtful moves with their numbers.
fn write_mistakes(page: &mut HtmlBuilder, report: &Report) {
    if report.mistakes.is_empty() {
        return;
    }
    let lang = report.lang;
    open_table(page, ReportWord::Mistakes.text(lang), "mistakes");
    for word in [ReportWord::Move, ReportWord::Mark, ReportWord::Best] {
        page.element("<th scope=\"col\">", word.text(lang), "</th>");
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for row in report
        .mistakes
        .iter()
        .filter_map(|number| report.rows.get(*number))
    {
        page.raw("<tr><td class=\"w\">");
        write_link(page, report, row.number, &row.word);
        page.raw("</td><td>");
        if let Some(assessed) = &row.assessed_move {
            write_loss_tag(page, assessed, lang);
        }
        page.element("</td><td class=\"w\">", &row.best_words, "</td></tr>\n");
    }
    page.raw("</tbody></table></div>\n</section>\n");
}

/// Writes the picture of the position before a decisive move, with its pieces in hand in words.
fn write_diagram(
    page: &mut HtmlBuilder,
    report: &Report,
    decisive: &ReportDecisiveMove,
    drawing: &ReportDrawing,
) {
    let [black, white] =
        [Color::Black, Color::White].map(|color| hand_in_words(report, &decisive.position_before, color));
    let [first, second] = report.titles;
    let label = text::diagram(
        &decisive.position_text,
        [(first, &black), (second, &white)],
        report.lang,
    );
    drawing
        .open_svg(page, "<svg class=\"diagram\" lang=\"ja\"")
        .element("", &label, "\">\n")
        .part(&drawing.elements);
    page.raw("</svg>\n");
}

/// Returns the pieces in hand of a side, in words: `角　歩 2`.
fn hand_in_words(report: &Report, position: &Position, color: Color) -> String {
    let held = PieceKind::IN_HAND.map(|kind| (kind, position.hand(color).count(kind)));
    let pieces = held
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(kind, count)| {
            let name = board_text::piece(kind, report.lang);
            if count > 1 {
                format!("{name} {count}")
            } else {
                name.to_owned()
            }
        });
    let pieces: Vec<_> = pieces.collect();
    if pieces.is_empty() {
        ReportWord::NoPieces.text(report.lang).to_owned()
    } else {
        pieces.join(report.lang.pick("　", ", "))
    }
}

fn write_line<'a>(page: &mut HtmlBuilder, moves: impl Iterator<Item = &'a str>) {
    page.raw("<dd class=\"moves-in-words\">");
    for mv in moves {
        page.element("<span>", mv, "</span> ");
    }
    page.raw("</dd>\n");
}

fn write_tag(page: &mut HtmlBuilder, mark: MoveMark, loss: f64, lang: Lang) {
    page.raw(match mark {
        MoveMark::Blunder | MoveMark::Mistake => " <span class=\"tag bad\">",
        MoveMark::Dubious => " <span class=\"tag doubtful\">",
        MoveMark::Inaccuracy => " <span class=\"tag slack\">",
    });
    page.text(&text::mark_with_loss(mark.label().text(lang), loss, lang))
        .raw("</span>");
}

fn write_moves(page: &mut HtmlBuilder, report: &Report) {
    let lang = report.lang;
    open_table(page, ReportWord::Moves.text(lang), "moves");
    page.element(
        "<th scope=\"col\" class=\"n\">",
        ReportWord::Number.text(lang),
        "</th>",
    );
    page.element("<th scope=\"col\">", ReportWord::Move.text(lang), "</th>");
    let columns = MoveColumns {
        has_times: has_times(report),
        has_values: report.is_analysed(),
    };
    if columns.has_times {
        page.element(
            "<th scope=\"col\" class=\"n\">",
            ReportWord::Time.text(lang),
            "</th>",
        );
    }
    if columns.has_values {
        page.element(
            "<th scope=\"col\" class=\"n\">",
            ReportWord::Evaluation.text(lang),
            "</th>",
        );
        page.element(
            "<th scope=\"col\" class=\"n\">",
            &text::win_rate(report.title(Color::Black), lang),
            "</th>",
        );
        for word in [ReportWord::Mark, ReportWord::Best] {
            page.element("<th scope=\"col\">", word.text(lang), "</th>");
        }
    }
    page.raw("</tr></thead>\n<tbody>\n");
    for row in &report.rows {
        write_row(page, row, columns, lang);
    }
    page.raw("</tbody></table></div>\n</section>\n");
}

#[derive(Clone, Copy)]
struct MoveColumns {
    has_times: bool,
    has_values: bool,
}

fn write_row(page: &mut HtmlBuilder, row: &ReportRow, columns: MoveColumns, lang: Lang) {
    let has_more = !row.comment.is_empty() || !row.variations.is_empty();
    page.raw(if has_more {
        "<tr class=\"has-more\" id=\"move-"
    } else {
        "<tr id=\"move-"
    })
    .count(row.number);
    page.raw("\"><th scope=\"row\">");
    if row.number > 0 && !row.is_end {
        page.count(row.number);
    }
    page.element("</th><td class=\"w\">", &row.word, "");
    if !row.bookmark.is_empty() {
        page.element("<span class=\"bookmark\">", &row.bookmark, "</span>");
    }
    page.raw("</td>");
    if columns.has_times {
        let spent = row
            .time_spent
            .map(|spent| phrase::millis_clock(spent.0))
            .unwrap_or_default();
        page.element("<td class=\"n\">", &spent, "</td>");
    }
    if columns.has_values {
        let value_and_rate = if row.is_end { None } else { row.value };
        let value = value_and_rate
            .map(|(value, _)| value_text(value, lang))
            .unwrap_or_default();
        page.element("<td class=\"n\">", &value, "</td><td class=\"n\">");
        if let Some(((_, rate), percent)) = value_and_rate.zip(row.percent()) {
            page.count(percent.into()).raw("%");
            write_bar(page, rate);
        }
        page.raw("</td><td>");
        if let Some((mark, loss)) = row
            .assessed_move
            .and_then(|assessed| Some((assessed.mark?, assessed.loss)))
        {
            write_tag(page, mark, loss, lang);
        }
        let is_best_move = row.assessed_move.is_some_and(|assessed| assessed.is_best_move());
        page.element(
            "</td><td class=\"w best\">",
            if is_best_move {
                BEST_MOVE_MARK
            } else {
                &row.best_words
            },
            "</td>",
        );
    }
    page.raw("</tr>\n");
    if has_more {
        write_details(page, row, columns, lang);
    }
}

fn write_details(page: &mut HtmlBuilder, row: &ReportRow, columns: MoveColumns, lang: Lang) {
    let width = 1 + usize::from(columns.has_times) + 4 * usize::from(columns.has_values);
    page.raw("<tr class=\"more\"><td></td><td colspan=\"")
        .count(width)
        .raw("\">");
    if !row.comment.is_empty() {
        page.element("<p class=\"comment\">", &row.comment, "</p>");
    }
    for variation in &row.variations {
        write_variation(page, variation, lang);
    }
    page.raw("</td></tr>\n");
}

fn write_variation(page: &mut HtmlBuilder, variation: &ReportVariation, lang: Lang) {
    page.raw(if variation.depth > 1 {
        "<p class=\"variation deep\"><b>"
    } else {
        "<p class=\"variation\"><b>"
    });
    page.text(&text::variation(variation.number, lang)).raw("</b>");
    for (mv, comment) in &variation.moves {
        page.text(mv).raw(" ");
        if !comment.is_empty() {
            page.element(
                "<q>",
                &lang.pick("（{}）", "({})").replace("{}", comment),
                "</q> ",
            );
        }
    }
    page.raw("</p>");
}

/// Returns a value in Black's view as a text that is short enough for a column.
fn value_text(value: Value, lang: Lang) -> String {
    match value {
        Value::Cp(cp) => words::signed(cp),
        Value::Won(winner) => phrase::decided_value(winner == Color::Black, None, lang),
        Value::Mate { winner, plies } => phrase::decided_value(winner == Color::Black, plies, lang),
    }
}

/// Writes a win rate from 0 to 1 as a small bar. Screen readers skip the bar, because the number beside it is the same.
fn write_bar(page: &mut HtmlBuilder, rate: f64) {
    page.raw(
        "<svg class=\"bar\" viewBox=\"0 0 84 9\" aria-hidden=\"true\"><rect class=\"w\" width=\"84\" height=\"9\"/>",
    );
    page.raw("<rect class=\"b\" height=\"9\" width=\"")
        .coordinate(84.0 * rate.clamp(0.0, 1.0));
    page.raw("\"/><rect class=\"e\" x=\".5\" y=\".5\" width=\"83\" height=\"8\"/></svg>");
}
