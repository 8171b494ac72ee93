use super::*;
use crate::rule::RuleAnswer;
use crate::task::PageKind;
use shogibar_games::bar::{BarInput, LastLoss};
use shogibar_shogi::History;
use std::sync::Arc;

const fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Returns the frame after some moves of a game, with Black's shares and a loss by the last move.
fn frame(game: u64, moves: usize, shares: &[f32], loss: u8) -> OutputFrame {
    let all = ["7g7f", "3c3d", "2g2f", "8c8d"];
    let usi = format!("startpos moves {}", all[..moves].join(" "));
    let history = if moves == 0 {
        History::from_usi("startpos")
    } else {
        History::from_usi(&usi)
    };
    OutputFrame {
        bar: BarInput {
            game,
            stored_share: shares.last().copied(),
            graph: shares.iter().copied().map(Some).collect(),
            history: Arc::new(history.unwrap()),
            last_words: ["△３四歩", "P-3d"].map(str::to_owned),
            last_loss: (loss > 0).then_some(LastLoss {
                points: loss,
                is_judged: false,
            }),
            ..BarInput::default()
        },
        is_at_tip: true,
        ..OutputFrame::default()
    }
}

fn control_with(answers: &[RuleAnswer]) -> ObsControl {
    let rules = answers.iter().map(|answer| ObsRule {
        is_on: true,
        ..ObsRule::new(MomentKind::TurningPoint, *answer)
    });
    let settings = ControlSettings {
        is_on: true,
        rules: rules.collect(),
        ..ControlSettings::default()
    };
    ObsControl::new(settings).0
}

fn show(control: &mut ObsControl, seconds: u64, frame: &OutputFrame) -> Vec<ControlEffect> {
    control.on_frame(at(seconds), frame, &OutputChoices::default(), Lang::Ja)
}

#[test]
fn a_turning_point_is_answered_and_what_came_of_it_is_listed() {
    let mut control = control_with(&[RuleAnswer::SaveReplay, RuleAnswer::Chapter, RuleAnswer::Line]);
    assert_eq!(show(&mut control, 0, &frame(1, 0, &[0.5], 0)), []);
    assert_eq!(show(&mut control, 5, &frame(1, 2, &[0.5, 0.5, 0.8], 0)), []);
    let line = "2手目 △３四歩 −30% 勝敗を分けた手".to_owned();
    let effects = show(&mut control, 6, &frame(1, 2, &[0.5, 0.5, 0.8], 30));
    let expect = [
        ControlEffect::Task(1, ObsTask::SaveReplay),
        ControlEffect::Task(2, ObsTask::Chapter(line.clone())),
        ControlEffect::Line(line),
    ];
    assert_eq!(effects, expect);
    control.on_news(ObsNews::Ended(1, TaskOutcome::ReplaySaved("/a.mkv".to_owned())));
    control.on_news(ObsNews::Ended(2, TaskOutcome::Failed(TaskProblem::NotRecording)));
    let entries: Vec<_> = control
        .entries()
        .map(|entry| {
            let outcome = entry.outcome.as_ref().map(|outcome| outcome.text(Lang::En));
            format!("{}: {}", entry.words[1], outcome.unwrap_or_default())
        })
        .collect();
    assert_eq!(
        entries,
        [
            "Write a line: done",
            "Chapter “2手目 △３四歩 −30% 勝敗を分けた手”: Nothing is recorded.",
            "Save the replay: saved: /a.mkv",
        ]
    );
}

#[test]
fn chapters_are_counted_from_the_recording_or_a_marked_begin() {
    let mut control = control_with(&[]);
    show(&mut control, 0, &frame(1, 0, &[0.5], 0));
    show(&mut control, 100, &frame(1, 2, &[0.5, 0.5, 0.8], 30));
    assert_eq!(control.chapters(Lang::Ja), None);
    control.act(at(0), ControlAction::MarkStart, None, Lang::Ja);
    let (list, start) = control.chapters(Lang::Ja).unwrap();
    assert_eq!(start, ChapterStart::Marked);
    assert_eq!(list.text, "0:00 開始\n1:40 2手目 △３四歩 −30% 勝敗を分けた手");
    let mut snapshot = ObsSnapshot::default();
    snapshot.status.recording_start = Some(at(40));
    control.on_news(ObsNews::Changed(snapshot));
    let (list, start) = control.chapters(Lang::Ja).unwrap();
    assert_eq!(start, ChapterStart::Recording);
    assert!(
        list.text.ends_with("1:00 2手目 △３四歩 −30% 勝敗を分けた手"),
        "{}",
        list.text
    );
}

#[test]
fn a_page_is_added_with_its_address_copied() {
    let mut control = control_with(&[]);
    let add = || ControlAction::AddPage {
        scene: "対局".to_owned(),
        page: PageKind::Bar,
    };
    let is_added = |effects: &[ControlEffect], number: u64| {
        matches!(effects, [ControlEffect::Copy(url), ControlEffect::Task(found, ObsTask::AddPage(page))]
            if url == "http://127.0.0.1:5963/t/overlay" && page.url == *url && *found == number)
    };
    let url = Some("http://127.0.0.1:5963/t/");
    let effects = control.act(at(1), add(), url, Lang::En);
    assert!(is_added(&effects, 1), "{effects:?}");
    // While the pages are off, they are started first.
    assert_eq!(
        control.act(at(1), add(), None, Lang::En),
        [ControlEffect::StartPages]
    );
    assert!(control.awaits_pages());
    let effects = control.on_pages(url);
    assert!(is_added(&effects, 2), "{effects:?}");
    assert!(!control.awaits_pages());
    // Another program has the port.
    assert_eq!(
        control.act(at(1), add(), None, Lang::En),
        [ControlEffect::StartPages]
    );
    assert_eq!(control.on_pages(None), []);
    let outcome = control.entries().next().and_then(|entry| entry.outcome.clone());
    assert_eq!(outcome, Some(TaskOutcome::Failed(TaskProblem::PagesOff)));
}

#[test]
fn an_address_is_stored_and_ended() {
    let mut control = ObsControl::default();
    let address = ObsAddress {
        host: "192.168.0.5".to_owned(),
        port: 4456,
        password: "a".to_owned(),
    };
    let effects = control.act(at(0), ControlAction::Connect(address.clone()), None, Lang::Ja);
    assert!(
        matches!(&effects[..], [ControlEffect::Connect(Some(found)), ControlEffect::Store(_)] if *found == address)
    );
    let effects = control.act(at(1), ControlAction::Disconnect, None, Lang::Ja);
    assert!(
        matches!(&effects[..], [ControlEffect::Connect(None), ControlEffect::Store(settings)] if !settings.is_on)
    );
}
