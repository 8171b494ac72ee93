//! Tests of the tables.

use super::table::{is_csv, is_page};
use super::{ResultRow, ResultTable};
use crate::analysis::{MoveStats, SideSummary};
use crate::reasons_text::Motif;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};
use shogibar_base::Lang;

fn row(file: &str) -> ResultRow {
    let side = SideSummary {
        moves: 10,
        stats: MoveStats {
            moves: 10,
            mean_loss: Some(3.25),
            choices: 5,
            judged_moves: 10,
            ..MoveStats::default()
        },
        marks: [4, 3, 2, 1],
        accuracy: Some(96.75),
        ..SideSummary::default()
    };
    ResultRow {
        file: file.to_owned(),
        game: None,
        record: file.into(),
        report: format!("./{file}.html"),
        date: "2026/11/22".to_owned(),
        event: "王位戦, 第1局".to_owned(),
        players: ["=HYPERLINK(\"http://x\")".to_owned(), "鈴木 \"二郎\"".to_owned()],
        result: "10手まで".to_owned(),
        moves: 10,
        sides: [side, SideSummary::default()],
        decisive_moves: vec!["7手目 ▲7六歩".to_owned()],
        judge: "<b>".to_owned(),
        motifs: [
            vec![(Motif::Fork, 7), (Motif::PieceLost, 9), (Motif::Fork, 11)],
            Vec::new(),
        ],
    }
}

fn table(lang: Lang) -> ResultTable {
    let mut table = ResultTable::new(lang);
    table.insert(1, row("b.kif"));
    table.insert(0, row("a.kif"));
    table.set_problems(&["c.kif: <no record>".to_owned()], [2, 3]);
    table
}

#[test]
fn csv_is_rfc_4180_without_formulas() {
    let csv = table(Lang::Ja).csv();
    let lines: Vec<_> = csv.split("\r\n").collect();
    assert!(
        lines[0].starts_with("\u{feff}ファイル,局,日付,棋戦,先手,後手,結果,手数,先手平均損失,"),
        "{}",
        lines[0]
    );
    assert_eq!(
        lines[1],
        "a.kif,,2026/11/22,\"王位戦, 第1局\",\"'=HYPERLINK(\"\"http://x\"\")\",\"鈴木 \"\"二郎\"\"\",10手まで,10,\
            3.2,50,96.8,4,3,2,1,,,,,,,,7手目 ▲7六歩,<b>"
    );
    assert!(lines[2].starts_with("b.kif,"));
    let columns = |line: &str| line.matches(',').count();
    assert_eq!(columns(lines[0]), 23);
    assert_eq!((lines.len(), lines[3]), (4, ""));
    assert!(is_csv(csv.as_bytes()) && is_csv(table(Lang::En).csv().as_bytes()) && !is_csv(b"a,b\r\n"));
}

#[test]
fn page_escapes_foreign_text_and_permits_its_own_script_only() {
    let page = table(Lang::En).page();
    assert!(
        is_page(page.as_bytes())
            && is_page(table(Lang::Ja).page().as_bytes())
            && !is_page(b"<!DOCTYPE html>")
    );
    assert!(page.contains("&lt;no record&gt;") && page.contains("&lt;b&gt;") && !page.contains("<b>"));
    assert!(page.contains("<a href=\"./a.kif.html\">a.kif</a>"));
    let overlooked =
        "<td rowspan=\"2\">=HYPERLINK(&quot;http://x&quot;)</td><td>Fork</td><td class=\"n\">4</td>";
    assert!(page.contains(overlooked), "{page}");
    assert!(page.contains("<a href=\"./b.kif.html\">b.kif</a> moves 7, 11"));
    let script = page
        .split_once("<script>")
        .and_then(|(_, rest)| rest.split_once("</script>"))
        .unwrap()
        .0;
    let hash = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(script.as_bytes())));
    assert!(page.contains(&hash), "the script has another hash: {hash}");
}
