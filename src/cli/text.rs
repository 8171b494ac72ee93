//! The bar as one live line of text.

use super::failure::ErrorLines;
use super::keys::TerminalKeys;
use super::open_reports::OpenReports;
use super::output::{MIN_UPDATE_INTERVAL, cut};
use super::{CliOutcome, Streams};
use crate::app::viewer::Viewer;
use shogibar_base::Lang;
use shogibar_games::Label;
use shogibar_games::bar::{BarNotice, BarView, CandidateView, EngineView};
use shogibar_live::EndCause;
use shogibar_live::source_text::SourceRemark;
use shogibar_machine::traffic::TrafficLog;
use shogibar_model::AppEvent;
use std::io::{IsTerminal as _, stdin};
use std::sync::mpsc::Receiver;
use std::time::Instant;
use unicode_width::UnicodeWidthStr as _;

const BAR_CELLS: u16 = 20;
/// The maximum width of the name of an engine, and of a player beside one engine, in columns.
const MAX_NAME_COLUMNS: usize = 16;
/// The number of cells of the bar with several engines: the line then begins with all engines in 80 columns.
const SHORT_BAR_CELLS: u16 = 10;
/// The maximum width of the name of a player beside several engines, in columns.
const MAX_SHORT_NAME_COLUMNS: usize = 10;

/// Shows the bar until the user quits. If the output is a file or a pipe, shows it until the engines have finished.
/// `wake` sends to `wake_events` when there is new content.
pub(super) fn run(
    mut viewer: Viewer,
    wake: impl Fn() + Send + 'static,
    wake_events: &Receiver<()>,
    reports: &OpenReports,
    streams: &mut Streams<'_>,
) -> anyhow::Result<CliOutcome> {
    let on_terminal = streams.out.is_terminal();
    let keys = if on_terminal && stdin().is_terminal() {
        TerminalKeys::start(wake).ok()
    } else {
        None
    };
    let log = viewer.take_log();
    let outcome = show(&mut viewer, &log, reports, keys, wake_events, streams);
    viewer.handle(AppEvent::ProgramEnding);
    viewer.shut_down_files();
    // The end of the engines may write the last lines of the log, which may fail. So the log is checked afterwards.
    viewer.end_engines();
    let log_result = report_log_problems(&log, viewer.lang(), streams);
    let outcome = outcome?;
    log_result?;
    Ok(outcome)
}

/// Shows the bar until there is nothing more to show, with the keys of a terminal.
fn show(
    viewer: &mut Viewer,
    log: &TrafficLog,
    reports: &OpenReports,
    keys: Option<TerminalKeys>,
    wake_events: &Receiver<()>,
    streams: &mut Streams<'_>,
) -> anyhow::Result<CliOutcome> {
    let on_terminal = streams.out.is_terminal();
    let lang = viewer.lang();
    let (mut written, mut pace, mut sources) = (String::new(), LinePace::now(), SourceReports::default());
    loop {
        let input = keys.as_ref().map(TerminalKeys::take_input).unwrap_or_default();
        for action in input.actions {
            viewer.act_on_study(action);
        }
        report_log_problems(log, lang, streams)?;
        viewer.update();
        reports.write(streams)?;
        for sentence in sources.update(viewer, lang) {
            streams.out.keep_live()?;
            writeln!(streams.err, "{sentence}")?;
        }
        let view = viewer.view();
        let failures = view.failures();
        if !failures.is_empty() {
            let lines = failures.into_iter().flat_map(with_details).collect();
            drop(keys);
            streams.out.keep_live()?;
            anyhow::bail!(ErrorLines(lines));
        }
        let line = bar_line(view, lang);
        let failed = view
            .engines
            .iter()
            .any(|engine| engine.notice.as_ref().is_some_and(|notice| notice.is_failure));
        let is_decided = view.decided_win.is_some();
        let finished = viewer.is_settled();
        // A bar without any value is shown on a terminal, but not written to a file.
        if (line != written || input.has_resized)
            && (on_terminal
                || is_decided
                || viewer.model().bars().any(|(_, bar)| bar.has_evaluation())
                || finished)
        {
            write_line(&line, on_terminal, streams)?;
            written = line;
        }
        if finished && !on_terminal {
            // All games have ended. An engine may have failed in one of them, which the exit code reports.
            return Ok(if failed {
                CliOutcome::Problems
            } else {
                CliOutcome::Done
            });
        }
        if viewer.is_over() || input.quits {
            break;
        }
        pace.wait(wake_events);
    }
    drop(keys);
    streams.out.keep_live()?;
    Ok(CliOutcome::Done)
}

/// Reports the problems of the log since the last call.
pub(super) fn report_log_problems(
    log: &TrafficLog,
    lang: Lang,
    streams: &mut Streams<'_>,
) -> std::io::Result<()> {
    for problem in log.take_problems() {
        streams.out.keep_live()?;
        writeln!(streams.err, "{}", problem.text(lang))?;
    }
    Ok(())
}

/// The reports about the game's source that were already written.
#[derive(Debug, Default)]
struct SourceReports {
    printed_remark: Option<SourceRemark>,
    /// The index of the game that was last reported as chosen, among the games of the source.
    chosen_index: Option<usize>,
}

impl SourceReports {
    /// Returns new reports, as sentences. Text that the live line shows is left out.
    fn update(&mut self, viewer: &Viewer, lang: Lang) -> Vec<String> {
        let model = viewer.model();
        let Some(source) = model.game(model.study_game()).source() else {
            return Vec::new();
        };
        let (remark, choices) = (source.remark(), source.choices());
        let newest = source
            .chosen_index()
            .filter(|chosen| self.chosen_index != Some(*chosen))
            .and_then(|at| choices.get(at));
        let newest = newest.map(|newest| SourceRemark::Newest(choices.len(), newest.title.clone()));
        self.chosen_index = source.chosen_index();
        let is_shown = match &remark {
            SourceRemark::Live | SourceRemark::Ended(EndCause::Refused(_)) => true,
            SourceRemark::Lost(..) => !source.is_lost(),
            _ => false,
        };
        let is_new = self.printed_remark.as_ref() != Some(&remark);
        self.printed_remark = Some(remark.clone());
        let remark = (is_new && !is_shown).then_some(remark);
        newest
            .into_iter()
            .chain(remark)
            .map(|remark| remark.text(lang))
            .collect()
    }
}

/// Returns the text of a notice and its details, such as the engine's last lines.
pub(super) fn with_details(notice: &BarNotice) -> Vec<String> {
    let details = notice.details.iter().map(|line| format!("  {line}"));
    std::iter::once(notice.full().to_owned()).chain(details).collect()
}

/// A rate limit: lines follow each other no faster than [`MIN_UPDATE_INTERVAL`].
struct LinePace(Instant);

impl LinePace {
    #[expect(
        clippy::disallowed_methods,
        reason = "the clock of a face that writes to a terminal"
    )]
    fn now() -> Self {
        Self(Instant::now())
    }

    /// Waits for a wake event, and until the last update is old enough. A further event, such as an interruption, ends
    /// the wait.
    fn wait(&mut self, wake_events: &Receiver<()>) {
        // The sender lives as long as the program, so the channel does not close.
        let _woken = wake_events.recv();
        let _woken_again = wake_events.recv_timeout(MIN_UPDATE_INTERVAL.saturating_sub(self.0.elapsed()));
        *self = Self::now();
    }
}

fn write_line(line: &str, on_terminal: bool, streams: &mut Streams<'_>) -> std::io::Result<()> {
    if on_terminal {
        return streams.out.write_live(line);
    }
    writeln!(streams.out, "{line}")?;
    streams.out.flush()
}

/// Returns the bar as one line, the most important parts first. The end of a long line is cut off.
fn bar_line(view: &BarView, lang: Lang) -> String {
    let percent = |percent: Option<u8>| match percent {
        Some(percent) => format!("{percent:>2}%"),
        None if view.decided_win.is_some() => String::new(),
        None => "--%".to_owned(),
    };
    let (left, right) = (percent(view.black.percent), percent(view.white.percent));
    let several = view.engines.len() > 1;
    let (cells, columns) = if several {
        (SHORT_BAR_CELLS, MAX_SHORT_NAME_COLUMNS)
    } else {
        (BAR_CELLS, MAX_NAME_COLUMNS)
    };
    let [black, white] = [&view.black, &view.white].map(|side| cut(&side.name, columns).trim_end());
    let mut parts = vec![[black, &left, &bar_cells(view, cells), &right, white].join(" ")];
    if several {
        parts.extend(
            view.engines
                .iter()
                .enumerate()
                .map(|(index, engine)| engine_summary(index, engine)),
        );
    }
    if view.is_stale {
        let has_status = view.engines.iter().any(|engine| !engine.status.is_empty());
        parts.push(if has_status {
            String::new()
        } else {
            Label::Reading.text(lang).to_owned()
        });
    } else if let Some(decided) = &view.decided_win {
        parts.push(decided.text.clone());
    } else {
        parts.push(
            format!("{} {}", view.evaluation, view.advantage)
                .trim()
                .to_owned(),
        );
    }
    parts.push(view.position_text.join(" "));
    parts.extend(view.live_mark.map(|live| live.text(lang)));
    if several {
        parts.extend(view.notice.iter().map(|notice| notice.full().to_owned()));
        parts.extend(
            view.engines
                .iter()
                .enumerate()
                .filter_map(|(index, engine)| engine_problem(index, engine)),
        );
        parts.extend(
            view.engines
                .iter()
                .enumerate()
                .flat_map(|(index, engine)| engine_details(index, engine)),
        );
    } else {
        let engine = view.lead();
        parts.extend(candidates(engine).iter().map(candidate_text));
        parts.extend(view.notice().map(|notice| notice.full().to_owned()));
        parts.push(engine.status.clone());
        parts.extend(candidates(engine).first().map(|best| best.line.clone()));
        parts.extend(engine.stats.iter().cloned());
        parts.push(engine.reported_name.clone());
    }
    parts.retain(|part| part.trim().width() > 0);
    parts.join("  ")
}

/// Returns the summary of one of several engines: number, mark if the bar follows it, Black's win rate, best move.
fn engine_summary(index: usize, engine: &EngineView) -> String {
    let mark = if engine.is_followed { "*" } else { "" };
    let percent = engine
        .percent
        .map_or_else(|| "--%".to_owned(), |percent| format!("{percent}%"));
    let best = match candidates(engine).first() {
        Some(best) => best.word.as_str(),
        None => "…",
    };
    format!("{mark}{} {percent} {best}", index + 1)
}

/// Returns the notice of one of several engines, after the number of the engine. Returns `None` without a notice.
fn engine_problem(index: usize, engine: &EngineView) -> Option<String> {
    engine
        .notice
        .as_ref()
        .map(|notice| format!("{}: {}", index + 1, notice.full()))
}

/// Returns the details of one of several engines: number, name, candidates, best line and depth.
fn engine_details(index: usize, engine: &EngineView) -> Vec<String> {
    let mut parts = vec![format!("{}: {}", index + 1, cut(&engine.name, MAX_NAME_COLUMNS))];
    parts.extend(candidates(engine).iter().map(candidate_text));
    parts.extend(candidates(engine).first().map(|best| best.line.clone()));
    parts.extend(engine.stats.iter().take(1).cloned());
    parts
}

/// Returns the candidates of the position on view. Candidates of another position are left out, as a line of text has
/// no grey to mark them.
fn candidates(engine: &EngineView) -> &[CandidateView] {
    if engine.is_elsewhere {
        &[]
    } else {
        &engine.candidates
    }
}

/// Returns the move and the value of a candidate, and its loss in points: `▲2六歩 63%(−2)`.
fn candidate_text(candidate: &CandidateView) -> String {
    let loss = candidate
        .loss
        .filter(|loss| *loss > 0)
        .map(|loss| format!("(−{loss})"))
        .unwrap_or_default();
    format!("{} {}{loss}", candidate.word, candidate.value())
}

/// Returns the bar as text: Black's share as full cells, White's share as light cells; without a value, dots.
fn bar_cells(view: &BarView, cells: u16) -> String {
    let Some(share) = view.share else {
        return "·".repeat(usize::from(cells));
    };
    let black = (1..=cells)
        .filter(|cell| f32::from(*cell) <= share * f32::from(cells) + 0.5)
        .count();
    format!("{}{}", "█".repeat(black), "░".repeat(usize::from(cells) - black))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_games::bar::SideView;

    #[test]
    fn two_engines_fit_into_eighty_columns() {
        let engine = |word: &str, percent, followed| {
            let candidates = vec![CandidateView {
                word: word.to_owned(),
                percent: "63%".to_owned(),
                ..CandidateView::default()
            }];
            EngineView {
                name: "Zebra".to_owned(),
                is_followed: followed,
                percent: Some(percent),
                candidates,
                ..EngineView::default()
            }
        };
        let side = |percent| SideView {
            name: "藤井聡太竜王・名人".to_owned(),
            percent: Some(percent),
            ..SideView::default()
        };
        let engines = vec![engine("▲同　銀右上", 63, true), engine("▲7八金打", 41, false)];
        let (evaluation, situation) = ("+320".to_owned(), "先手やや有利".to_owned());
        let view = BarView {
            black: side(63),
            white: side(37),
            evaluation,
            advantage: situation,
            engines,
            ..BarView::default()
        };
        let line = bar_line(&view, Lang::Ja);
        assert!(
            cut(&line, 80).contains("  *1 63% ▲同　銀右上  2 41% ▲7八金打"),
            "{line}"
        );
        assert!(
            line.ends_with("  +320 先手やや有利  1: Zebra  ▲同　銀右上 63%  2: Zebra  ▲7八金打 63%"),
            "{line}"
        );
    }

    #[test]
    fn the_bar_length_matches_the_share() {
        let check = |share, full| {
            let view = BarView {
                share,
                ..BarView::default()
            };
            assert_eq!(
                bar_cells(&view, BAR_CELLS).chars().filter(|c| *c == '█').count(),
                full,
                "{share:?}"
            );
            assert_eq!(
                bar_cells(&view, BAR_CELLS).chars().count(),
                usize::from(BAR_CELLS),
                "{share:?}"
            );
        };
        check(None, 0);
        check(Some(0.0), 0);
        check(Some(0.5), 10);
        check(Some(1.0), 20);
    }
}
