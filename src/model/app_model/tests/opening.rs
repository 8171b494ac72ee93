//! Files that are opened: what cannot be read changes nothing.

use super::*;
use crate::outputs::OutputCommand;
use shogibar_kifu::{FoundContent, ReadGames, UnreadableRecord};

/// The content of a file, or the reason why it is no record.
pub(super) type FileAnswer = Result<ReadGames, Box<Message>>;

/// Returns the games of a file: one with these moves.
pub(super) fn record(moves: &str) -> ReadGames {
    shogibar_kifu::read(format!("position startpos moves {moves}").as_bytes()).unwrap()
}

fn unreadable(name: &str) -> FileAnswer {
    Err(Box::new(Message::RecordUnreadable(
        name.to_owned(),
        UnreadableRecord::OtherContent(FoundContent::Picture),
    )))
}

pub(super) fn reads(effects: &[AppEffect]) -> Vec<(GameId, RequestNumber)> {
    let read = |effect: &AppEffect| match effect {
        AppEffect::File(game, FileEffect::Read { request, .. }) => Some((*game, *request)),
        _ => None,
    };
    effects.iter().filter_map(read).collect()
}

/// Answers a request to read a file. Returns the effects.
pub(super) fn answer(
    model: &mut AppModel,
    (game, request): (GameId, RequestNumber),
    result: FileAnswer,
) -> Vec<AppEffect> {
    model.update(AppEvent::File(
        game,
        FileEvent::Read {
            request,
            result,
            stamp: None,
        },
    ))
}

/// Applies an action on the bar of the study page. Returns the effects.
fn act(model: &mut AppModel, action: AppAction) -> Vec<AppEffect> {
    model.update(AppEvent::Action(model.study_bar(), action))
}

fn addresses(names: &[&str]) -> Vec<LiveAddress> {
    names.iter().map(|name| LiveAddress::Path(name.into())).collect()
}

fn with_game() -> AppModel {
    let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let [read] = reads(&act(&mut model, AppAction::OpenFile("/a.kif".into())))[..] else {
        panic!("no read")
    };
    answer(&mut model, read, Ok(record("7g7f")));
    model
}

/// The game of a bar, its position text, and whether an engine searches for it.
type ShownBar = (GameId, Vec<String>, bool);

/// Returns the titles of the games, and the shown content of the bars.
fn shown(model: &AppModel) -> (Vec<String>, Vec<ShownBar>) {
    let bar = |(id, bar): (BarId, &Bar)| {
        let target = model
            .bars
            .iter()
            .find(|entry| entry.id == id)
            .map(|entry| entry.target.position.is_some());
        (
            bar.game(),
            model.bar_view(id).position_text.to_vec(),
            target.unwrap_or_default(),
        )
    };
    (model.game_titles().collect(), model.bars().map(bar).collect())
}

/// Returns the text of the notice on the bar of the study page; empty without one.
fn notice(model: &AppModel) -> String {
    model
        .bar_view(model.study_bar())
        .notice
        .map(|notice| notice.text)
        .unwrap_or_default()
}

#[test]
fn an_unreadable_file_becomes_no_tab_and_leaves_the_bars() {
    let blank = || AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let given = || AppEvent::OpenGiven(addresses(&["hello world"]), OpenPosition::default());
    let request = || OpenRequest {
        addresses: addresses(&["hello world"]),
        ..OpenRequest::default()
    };
    let act = |model: &AppModel, action| AppEvent::Action(model.study_bar(), action);
    let check = |model: &mut AppModel, event: AppEvent, context: &str| {
        let before = shown(model);
        let effects = model.update(event);
        let [read] = reads(&effects)[..] else {
            panic!("{context}: {effects:?}")
        };
        answer(model, read, unreadable("hello world"));
        assert_eq!(shown(model), before, "{context}");
        assert!(
            notice(model).starts_with("hello world を棋譜として読めません"),
            "{context}: {}",
            notice(model)
        );
        assert!(model.opening_files.is_empty(), "{context}");
        model.update(AppEvent::Action(model.study_bar(), AppAction::SetStudyOpen(true)));
        assert!(
            notice(model).is_empty() && model.study_notice().is_some(),
            "{context}: where the user is"
        );
    };
    for (mut model, name) in [(with_game(), "a game"), (blank(), "an untouched bar")] {
        let event = act(&model, AppAction::OpenAddresses(addresses(&["hello world"])));
        check(&mut model, event, name);
        let event = act(&model, AppAction::SetStudyOpen(false));
        model.update(event);
        let event = act(&model, AppAction::OpenFile("hello world".into()));
        check(&mut model, event, name);
        let event = act(&model, AppAction::SetStudyOpen(false));
        model.update(event);
        check(&mut model, AppEvent::HandedOver(request()), name);
    }
    // The first start has another empty game in its place.
    let mut model = blank();
    let [read] = reads(&model.update(given()))[..] else {
        panic!("it is not read")
    };
    assert!(
        model.game(model.study_game()).search_position().is_none(),
        "nothing is searched before the record is read"
    );
    answer(&mut model, read, unreadable("hello world"));
    assert_eq!(
        (model.games().count(), model.game(model.study_game()).is_blank()),
        (1, true)
    );
    assert!(notice(&model).contains("hello world"));
}

#[test]
fn bars_keep_their_game_until_the_file_is_read() {
    let mut model = with_game();
    let before = model.study_game();
    let [read] = reads(&act(&mut model, AppAction::OpenAddresses(addresses(&["/b.kif"]))))[..] else {
        panic!("no read")
    };
    assert_eq!(model.study_game(), before);
    answer(&mut model, read, Ok(record("2g2f 8c8d")));
    assert_eq!(model.game(model.study_game()).history().moves().len(), 2);
    // A second start has a bar of its own from then on.
    let request = OpenRequest {
        addresses: addresses(&["/c.kif"]),
        ..OpenRequest::default()
    };
    let [read] = reads(&model.update(AppEvent::HandedOver(request)))[..] else {
        panic!("no read")
    };
    assert_eq!(model.bars().count(), 1);
    answer(&mut model, read, Ok(record("5g5f")));
    assert_eq!(
        (
            model.bars().count(),
            model.game(model.study_game()).history().moves().len()
        ),
        (2, 1)
    );
}

#[test]
fn the_first_readable_file_is_shown() {
    let check = |answers: &[(usize, FileAnswer)], expect: &str, tabs: usize| {
        let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
        let reads = reads(&act(
            &mut model,
            AppAction::OpenAddresses(addresses(&["/a.kif", "/b.kif"])),
        ));
        for (nth, result) in answers {
            answer(&mut model, reads[*nth], result.clone());
        }
        let title = model.game(model.study_game()).title().unwrap_or_default();
        assert_eq!((title.as_str(), model.games().count()), (expect, tabs));
    };
    check(&[(0, Ok(record("7g7f"))), (1, Ok(record("2g2f")))], "a.kif", 2);
    check(&[(1, Ok(record("2g2f"))), (0, Ok(record("7g7f")))], "a.kif", 2);
    check(&[(0, unreadable("/a.kif")), (1, Ok(record("2g2f")))], "b.kif", 1);
    check(&[(1, Ok(record("2g2f"))), (0, unreadable("/a.kif"))], "b.kif", 1);
    check(&[(0, Ok(record("7g7f"))), (1, unreadable("/b.kif"))], "a.kif", 1);
    check(&[(1, Ok(record("2g2f")))], "", 3);
}

#[test]
fn the_tab_of_an_earlier_run_stays_until_its_file_is_back() {
    let workspace = with_game().current_workspace();
    let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let [read] = reads(&model.update(AppEvent::Restore(Box::new(workspace))))[..] else {
        panic!("no read")
    };
    answer(&mut model, read, unreadable("/a.kif"));
    assert_eq!(model.game_titles().collect::<Vec<_>>(), ["a.kif"]);
    assert!(notice(&model).contains("a.kif") && model.game(model.study_game()).search_position().is_none());
    let [read] = reads(&act(&mut model, AppAction::Show(read.0)))[..] else {
        panic!("it is not tried again")
    };
    answer(&mut model, read, Ok(record("7g7f")));
    assert_eq!(
        (
            notice(&model).as_str(),
            model.game(model.study_game()).history().moves().len()
        ),
        ("", 1)
    );
}

#[test]
fn another_game_in_the_file_of_a_locked_bar_is_opened_beside_it_after_a_restart() {
    let mut model = with_game();
    let bar = model.study_bar();
    model.update(AppEvent::Action(
        bar,
        AppAction::Output(OutputId::Bar(bar), OutputCommand::Lock(true)),
    ));
    let workspace = Box::new(model.current_workspace());
    for (moves, is_same) in [
        ("7g7f", true),
        ("7g7f 3c3d", true),
        ("5g5f 8c8d 5f5e 8d8e", false),
    ] {
        let mut again = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
        let [read] = reads(&again.update(AppEvent::Restore(workspace.clone())))[..] else {
            panic!("no read")
        };
        let mut effects = answer(&mut again, read, Ok(record(moves)));
        while let [read, ..] = reads(&effects)[..] {
            effects = answer(&mut again, read, Ok(record(moves)));
        }
        let shown = again
            .output_frame(again.bar(bar).game(), Some(bar))
            .bar
            .history
            .usi();
        assert!(shown.starts_with("startpos moves 7g7f"), "{shown}");
        assert_eq!(again.games().count(), if is_same { 1 } else { 2 }, "{moves}");
    }
}

/// The file of the tab is not read over the question, which would get no answer.
#[test]
fn a_question_stays_though_the_file_of_its_tab_is_unread() {
    let mut model = with_game();
    let opening = reads(&act(
        &mut model,
        AppAction::OpenAddresses(addresses(&["/b.kif", "/c.kif"])),
    ));
    let [_, (id, _)] = opening[..] else {
        panic!("{opening:?}")
    };
    act(&mut model, AppAction::ShowInStudy(id));
    let effects = act(&mut model, AppAction::SaveChecked("/d.kif".into()));
    let [AppEffect::File(_, FileEffect::Save { request, .. })] = effects[..] else {
        panic!("{effects:?}")
    };
    let check = |model: &mut AppModel, action| {
        let effects = act(model, action);
        assert!(
            reads(&effects).is_empty() && !model.game(id).file().is_idle(),
            "{effects:?}"
        );
    };
    check(&mut model, AppAction::ShowInStudy(id));
    let conflict = SaveRefusal::Conflict(SaveConflict::FileExists("/d.kif".to_owned()));
    model.update(AppEvent::File(
        id,
        FileEvent::Saved {
            request,
            result: Err(conflict),
        },
    ));
    check(&mut model, AppAction::ShowInStudy(id));
    assert!(model.game(id).file().save_conflict().is_some());
    // The file that was being read is opened in the end.
    act(&mut model, AppAction::Answer(id, UnsavedAnswer::Cancel));
    let effects = act(&mut model, AppAction::Answer(id, UnsavedAnswer::Discard));
    assert_eq!(
        reads(&effects).iter().map(|(game, _)| *game).collect::<Vec<_>>(),
        [id]
    );
}

#[test]
fn a_text_is_opened_as_if_pasted() {
    let game = "これ見て→ https://www.kento-shogi.com/?moves=7g7f.3c3d.2g2f.8c8d#3 どう？";
    let followed = "見て https://lishogi.org/abcdEFGH 熱戦だよ";
    let parse = |text: &str| LiveAddress::parse(text).unwrap();
    for door in 0..4 {
        let mut model = with_game();
        let open = |model: &mut AppModel, text: &str| match door {
            0 => act(model, AppAction::PasteText(text.to_owned())),
            1 => act(model, AppAction::OpenAddresses(vec![parse(text)])),
            2 => act(model, AppAction::OpenFile(text.into())),
            _ => model.update(AppEvent::OpenGiven(vec![parse(text)], OpenPosition::default())),
        };
        let effects = open(&mut model, game);
        let document = model.game(model.study_game()).document();
        assert_eq!(
            (reads(&effects).len(), document.record().len(), document.ply()),
            (0, 4, 3),
            "{door}"
        );
        let effects = open(&mut model, followed);
        let is_followed = |effect: &AppEffect| matches!(effect, AppEffect::StartSource(..));
        assert!(effects.iter().any(is_followed), "{door}: {effects:?}");
    }
    // A file with the text is opened at the same move.
    let mut model = with_game();
    let [read] = reads(&act(&mut model, AppAction::OpenFile("/b.txt".into())))[..] else {
        panic!("no read")
    };
    answer(
        &mut model,
        read,
        Ok(shogibar_kifu::read(game.as_bytes()).unwrap()),
    );
    assert_eq!(model.game(model.study_game()).document().ply(), 3);
}
