//! The bar as one line of text, live.

use super::failure::ErrorLines;
use super::keys::TerminalKeys;
use super::output::cut;
use super::{CliOutcome, Streams};
use crate::app::viewer::Viewer;
use crate::bar::{BarNotice, BarView, CandidateView, EngineView};
use crate::session::TrafficLog;
use crate::text::{Label, Lang};
use std::io::{IsTerminal as _, stdin};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};
use unicode_width::UnicodeWidthStr as _;

/// The shortest time between two lines: an eye follows no more.
const PACE: Duration = Duration::from_millis(100);
/// The cells of the bar.
const BAR: u16 = 20;
/// The most columns for a player's name, or an engine's.
const NAME: usize = 16;
/// The same where the line has to hold several engines, each of which is to be seen in 80 columns.
const SHORT_BAR: u16 = 10;
const SHORT_NAME: usize = 10;

/// Shows the bar until it is interrupted; where nobody can interrupt it, because it is written to a
/// file or a pipe, until the engines have finished. `rings` rings when there is something new, and `ring`
/// makes it ring.
pub(super) fn run(
    mut viewer: Viewer,
    (ring, rings): (impl Fn() + Send + 'static, &Receiver<()>),
    streams: &mut Streams<'_>,
) -> anyhow::Result<CliOutcome> {
    let on_terminal = streams.out.is_terminal();
    let keys = if on_terminal && stdin().is_terminal() { TerminalKeys::start(ring).ok() } else { None };
    let log = viewer.take_log();
    let outcome = show(&mut viewer, (&log, keys, rings), streams);
    // The last lines may be those that cannot be written.
    viewer.end_engines();
    let said = report_log_problems(&log, viewer.lang(), streams);
    let outcome = outcome?;
    said?;
    Ok(outcome)
}

/// Shows the bar until there is no more to show, with the keys of a terminal.
fn show(
    viewer: &mut Viewer,
    (log, keys, rings): (&TrafficLog, Option<TerminalKeys>, &Receiver<()>),
    streams: &mut Streams<'_>,
) -> anyhow::Result<CliOutcome> {
    let on_terminal = streams.out.is_terminal();
    let lang = viewer.lang();
    let (mut written, mut pace) = (String::new(), LinePace::now());
    loop {
        let pressed = keys.as_ref().map(TerminalKeys::pressed).unwrap_or_default();
        for action in &pressed.actions {
            viewer.act(action);
        }
        report_log_problems(log, lang, streams)?;
        let view = viewer.view();
        let failures = view.failures();
        if !failures.is_empty() {
            let lines = failures.into_iter().flat_map(in_full).collect();
            drop(keys);
            streams.out.keep_live()?;
            anyhow::bail!(ErrorLines(lines));
        }
        let line = one_line(view, lang);
        let failed = view.engines.iter().any(|engine| engine.notice.as_ref().is_some_and(|notice| notice.failure));
        let finished = viewer.is_settled();
        // A bar of nothing but dashes is worth a live line, and no line of a file.
        if (line != written || pressed.resized) && (on_terminal || viewer.has_spoken() || finished) {
            write(&line, on_terminal, streams)?;
            written = line;
        }
        if finished && !on_terminal {
            // What was to be shown is shown, if not by every engine.
            return Ok(if failed { CliOutcome::Findings } else { CliOutcome::Done });
        }
        if viewer.is_over() || pressed.quit {
            break;
        }
        pace.wait(rings);
    }
    drop(keys);
    streams.out.keep_live()?;
    Ok(CliOutcome::Done)
}

/// Says what went wrong with the log since this was said last.
fn report_log_problems(log: &TrafficLog, lang: Lang, streams: &mut Streams<'_>) -> std::io::Result<()> {
    for trouble in log.problems() {
        streams.out.keep_live()?;
        writeln!(streams.err, "{}", trouble.text(lang))?;
    }
    Ok(())
}

/// What went wrong, with the last lines of the engine below.
fn in_full(notice: &BarNotice) -> Vec<String> {
    let details = notice.details.iter().map(|line| format!("  {line}"));
    std::iter::once(notice.text.clone()).chain(details).collect()
}

/// Lets lines follow each other no faster than [`PACE`].
struct LinePace(Instant);

impl LinePace {
    #[expect(clippy::disallowed_methods, reason = "the clock of a face that writes to a terminal")]
    fn now() -> Self {
        Self(Instant::now())
    }

    /// Waits until something rings, and until the line before is old enough. An interruption rings
    /// too and is not made to wait.
    fn wait(&mut self, rings: &Receiver<()>) {
        // Whoever rings lives as long as the program, so the channel does not close.
        let _rung = rings.recv();
        let _rung_again = rings.recv_timeout(PACE.saturating_sub(self.0.elapsed()));
        *self = Self::now();
    }
}

fn write(line: &str, on_terminal: bool, streams: &mut Streams<'_>) -> std::io::Result<()> {
    if on_terminal {
        return streams.out.live(line);
    }
    writeln!(streams.out, "{line}")?;
    streams.out.flush()
}

/// The bar on one line, the most important first, for what does not fit is cut off.
fn one_line(view: &BarView, lang: Lang) -> String {
    let percent = |percent: Option<u8>| match percent {
        Some(percent) => format!("{percent:>2}%"),
        None if view.decided.is_some() => String::new(),
        None => "--%".to_owned(),
    };
    let (left, right) = (percent(view.black.percent), percent(view.white.percent));
    let several = view.engines.len() > 1;
    let (cells, columns) = if several { (SHORT_BAR, SHORT_NAME) } else { (BAR, NAME) };
    let [black, white] = [&view.black, &view.white].map(|side| cut(&side.name, columns).trim_end());
    let mut parts = vec![[black, &left, &bar(view, cells), &right, white].join(" ")];
    if several {
        parts.extend(view.engines.iter().enumerate().map(|(nth, engine)| brief(nth, engine)));
    }
    if view.stale {
        parts.push(Label::Reading.text(lang).to_owned());
    } else if let Some(decided) = &view.decided {
        parts.push(decided.text.clone());
    } else {
        parts.push(format!("{} {}", view.evaluation, view.situation).trim().to_owned());
    }
    parts.push(view.place.join(" "));
    if several {
        parts.extend(view.notice.iter().map(|notice| notice.text.clone()));
        parts.extend(view.engines.iter().enumerate().filter_map(|(nth, engine)| engine_problem(nth, engine)));
        parts.extend(view.engines.iter().enumerate().flat_map(|(nth, engine)| at_length(nth, engine)));
    } else {
        let engine = view.lead();
        parts.extend(engine.candidates.iter().map(candidate));
        parts.extend(view.notice().map(|notice| notice.text.clone()));
        parts.extend(engine.candidates.first().map(|best| best.line.clone()));
        parts.extend(engine.figures.iter().cloned());
        parts.push(engine.own_name.clone());
    }
    parts.retain(|part| part.trim().width() > 0);
    parts.join("  ")
}

/// One of several engines in short: its number, marked where the bar follows it, Black's win rate, its move.
fn brief(nth: usize, engine: &EngineView) -> String {
    let mark = if engine.followed { "*" } else { "" };
    let percent = engine.percent.map_or_else(|| "--%".to_owned(), |percent| format!("{percent}%"));
    let best = match engine.candidates.first() {
        Some(best) => best.word.as_str(),
        None => "…",
    };
    format!("{mark}{} {percent} {best}", nth + 1)
}

/// What is to be said of one of several engines.
fn engine_problem(nth: usize, engine: &EngineView) -> Option<String> {
    engine.notice.as_ref().map(|notice| format!("{}: {}", nth + 1, notice.text))
}

/// The rest of what one of several engines says.
fn at_length(nth: usize, engine: &EngineView) -> Vec<String> {
    let mut parts = vec![format!("{}: {}", nth + 1, cut(&engine.name, NAME))];
    parts.extend(engine.candidates.iter().map(candidate));
    parts.extend(engine.candidates.first().map(|best| best.line.clone()));
    parts.extend(engine.figures.iter().take(1).cloned());
    parts
}

fn candidate(candidate: &CandidateView) -> String {
    let loss = candidate.loss.filter(|loss| *loss > 0).map(|loss| format!("(−{loss})")).unwrap_or_default();
    format!("{} {}{loss}", candidate.word, candidate.value)
}

/// Black's share as full cells, White's as light ones.
fn bar(view: &BarView, cells: u16) -> String {
    let Some(share) = view.share else { return "·".repeat(usize::from(cells)) };
    let black = (1..=cells).filter(|cell| f32::from(*cell) <= share * f32::from(cells) + 0.5).count();
    format!("{}{}", "█".repeat(black), "░".repeat(usize::from(cells) - black))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bar::SideView;

    #[test]
    fn two_engines_are_seen_in_eighty_columns() {
        let engine = |word: &str, percent, followed| {
            let candidates =
                vec![CandidateView { word: word.to_owned(), value: "63%".to_owned(), ..CandidateView::default() }];
            EngineView {
                name: "Zebra".to_owned(),
                followed,
                percent: Some(percent),
                candidates,
                ..EngineView::default()
            }
        };
        let side = |percent| SideView { name: "藤井聡太竜王・名人".to_owned(), percent: Some(percent) };
        let engines = vec![engine("▲同　銀右上", 63, true), engine("▲７八金打", 41, false)];
        let (evaluation, situation) = ("+320".to_owned(), "先手有望".to_owned());
        let view = BarView { black: side(63), white: side(37), evaluation, situation, engines, ..BarView::default() };
        let line = one_line(&view, Lang::Ja);
        assert!(cut(&line, 80).contains("  *1 63% ▲同　銀右上  2 41% ▲７八金打"), "{line}");
        assert!(line.ends_with("  +320 先手有望  1: Zebra  ▲同　銀右上 63%  2: Zebra  ▲７八金打 63%"), "{line}");
    }

    #[test]
    fn the_bar_is_as_long_as_the_share() {
        let check = |share, full| {
            let view = BarView { share, ..BarView::default() };
            assert_eq!(bar(&view, BAR).chars().filter(|c| *c == '█').count(), full, "{share:?}");
            assert_eq!(bar(&view, BAR).chars().count(), usize::from(BAR), "{share:?}");
        };
        check(None, 0);
        check(Some(0.0), 0);
        check(Some(0.5), 10);
        check(Some(1.0), 20);
    }
}
