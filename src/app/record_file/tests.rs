use super::*;
use crate::app::test_folder::{TestFolder, wait};
use crate::kifu::{Encoding, Loss, NodeId, Target};
use crate::study::Document;
use crate::text::Lang;
use std::time::Duration;

/// Polls for the first event, for ten seconds at most.
fn next_event(record_file: &mut RecordFile, changed: Option<u64>) -> RecordEvent {
    wait(|| record_file.poll(changed).into_iter().next())
}

fn opened(record_file: &mut RecordFile, path: &Path) -> Document {
    record_file.open(path, 0);
    assert_eq!(record_file.opening_path(), Some(path));
    match next_event(record_file, None) {
        RecordEvent::Opened(record, None) => Document::new(record),
        other => panic!("{other:?}"),
    }
}

const GAME: &str = "手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n";

#[test]
fn saves_in_the_original_format() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let sjis = encoding_rs::SHIFT_JIS.encode(GAME).0;
    let path = scratch.0.join("game.kif");
    files::write_whole(&path, &sjis).unwrap();
    let mut document = opened(&mut record_file, &path);
    assert_eq!(
        (record_file.name().as_deref(), record_file.can_save(), record_file.opening_path()),
        (Some("game.kif"), true, None)
    );
    document.comment(NodeId::START, "好局");
    let saved = record_file.save(None, document.record()).unwrap();
    assert_eq!(saved, Some(SaveOutcome::Record(RecordRemark::Saved(path.display().to_string()))));
    let again = kifu::read(&files::read(&path, 1 << 20).unwrap()).unwrap();
    assert_eq!((again.encoding, again.games[0].node(NodeId::START).comment()), (Encoding::ShiftJis, Some("好局")));
    let other = scratch.0.join("game.usi");
    assert_eq!(record_file.save(Some(&other), document.record()), Ok(None));
    assert!(
        matches!(
            record_file.save_conflict(),
            Some(SaveConflict::LossyFormat { target: Target::Usi, first: Loss::Comments(1), count: 1 })
        ),
        "{:?}",
        record_file.save_conflict()
    );
    assert_eq!(record_file.path(), Some(path.as_path()), "nothing is written before it is confirmed");
    let saved = record_file.save_despite_conflict(document.record()).unwrap();
    assert!(matches!(saved, Some(SaveOutcome::Record(RecordRemark::SavedWithLoss(_, Target::Usi, ..)))), "{saved:?}");
    assert_eq!(record_file.save_conflict(), None);
    assert!(record_file.save(None, document.record()).unwrap().is_some(), "it is known now");
    assert_eq!(record_file.path(), Some(other.as_path()), "it is the record's file from now on");
    assert_eq!(record_file.recent(), [other, path]);
    assert_eq!(scratch.record_file().recent(), record_file.recent(), "also for the next start");
}

#[test]
fn does_not_overwrite_what_was_not_read() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let two = scratch.file("two.csa", "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n");
    opened(&mut record_file, &two);
    assert!(!record_file.can_save(), "the file has another game");
    let odd = scratch.file("odd.kif", &format!("{GAME}3 ９九玉(59)\n"));
    record_file.open(&odd, 0);
    assert!(matches!(next_event(&mut record_file, None), RecordEvent::Opened(_, Some(Message::RecordWarnings(..)))));
    assert!(!record_file.can_save(), "a part of the file was not understood");
}

#[test]
fn keeps_the_file_when_another_cannot_be_read() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let path = scratch.file("game.kif", GAME);
    opened(&mut record_file, &path);
    record_file.open(&scratch.0.join("none.kif"), 0);
    let RecordEvent::Notice(trouble) = next_event(&mut record_file, None) else { panic!("no message") };
    assert!(trouble.text(Lang::En).contains("none.kif"));
    assert_eq!(record_file.path(), Some(path.as_path()));
}

#[test]
fn reloads_a_file_that_another_program_writes() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let path = scratch.file("live.kif", GAME);
    opened(&mut record_file, &path);
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n"));
    match next_event(&mut record_file, None) {
        RecordEvent::Reloaded(record) => assert_eq!(record.len(), 3),
        other => panic!("{other:?}"),
    }
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n4 ８四歩(83)\n"));
    match next_event(&mut record_file, Some(1)) {
        RecordEvent::Notice(Message::Record(remark)) => assert!(matches!(*remark, RecordRemark::ChangedElsewhere(_))),
        other => panic!("unsaved changes are kept: {other:?}"),
    }
    assert!(record_file.is_changed_on_disk());
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n4 ８四歩(83)\n5 ２五歩(26)\n"));
    std::thread::park_timeout(Duration::from_millis(1800));
    assert!(record_file.poll(Some(1)).is_empty(), "the change is reported once");
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n4 ８四歩(83)\n5 ２五歩(26)\n6 ８五歩(84)\n"));
    assert!(
        matches!(next_event(&mut record_file, None), RecordEvent::Reloaded(_)),
        "after an undo, the next change is loaded"
    );
    assert!(!record_file.is_changed_on_disk());
}

#[test]
fn does_not_reload_after_its_own_save() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let path = scratch.file("game.kif", GAME);
    let document = opened(&mut record_file, &path);
    record_file.save(None, document.record()).unwrap();
    std::thread::park_timeout(Duration::from_millis(1800));
    let events = record_file.poll(None);
    assert!(events.is_empty(), "{events:?}");
}

#[test]
fn reports_a_failed_autosave_once() {
    let scratch = TestFolder::new();
    // A file in place of the folder for copies.
    scratch.file("config/unsaved", "");
    let mut record_file = scratch.record_file();
    for _ in 0..2 {
        record_file.autosave(Some(Document::default().shared()));
    }
    let RecordEvent::Notice(Message::Record(remark)) = next_event(&mut record_file, None) else { panic!("no message") };
    assert!(
        matches!(&*remark, RecordRemark::NotAutosaved(why) if why.text(Lang::En).contains("unsaved")),
        "{remark:?}"
    );
    record_file.autosave(Some(Document::default().shared()));
    std::thread::park_timeout(Duration::from_millis(300));
    assert!(record_file.poll(None).is_empty(), "a second failure is not reported");
}

#[test]
fn recovers_an_unsaved_record() {
    let scratch = TestFolder::new();
    let record_file = scratch.record_file();
    let mut document = Document::default();
    document.comment(NodeId::START, "未保存");
    record_file.autosave(Some(document.shared()));
    let folder = scratch.0.join("config/unsaved");
    let written = || files::list(&folder, 9).iter().any(|path| path.extension().is_some_and(|end| end == "kifu"));
    wait(|| written().then_some(()));
    assert_eq!(scratch.record_file().recoverable(), [] as [RecoverableRecord; 0], "the program of the copy is running");
    // As when it is killed: nothing is cleaned up, and the system releases the lock.
    drop(record_file);
    let mut record_file = scratch.record_file();
    let [found] = record_file.recoverable() else { panic!("{:?}", record_file.recoverable()) };
    let old_copy = found.copy.clone();
    record_file.open(&old_copy, 0);
    let RecordEvent::Recovered(record, copy) = next_event(&mut record_file, None) else { panic!("it is recoverable") };
    assert_eq!(record.node(NodeId::START).comment(), Some("未保存"));
    assert_eq!(record_file.path(), None, "the record has no file");
    record_file.autosave(Some(Arc::new(record)));
    record_file.mark_recovered(copy);
    drop(record_file);
    let again = scratch.record_file();
    let [found] = again.recoverable() else { panic!("{:?}", again.recoverable()) };
    assert_ne!(found.copy, old_copy, "the new copy replaces the old one");
}

#[test]
fn waits_for_an_answer_about_changes() {
    let mut record_file = RecordFile::new(None, Arc::new(|| {}));
    assert_eq!(record_file.request(PendingAction::Quit, false), Some(PendingAction::Quit));
    assert_eq!((record_file.request(PendingAction::Quit, true), record_file.is_asking()), (None, true));
    assert_eq!((record_file.take_pending(), record_file.is_asking()), (Some(PendingAction::Quit), false));
}

#[test]
fn asks_before_overwriting_another_program_s_changes() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let path = scratch.file("live.kif", GAME);
    let document = opened(&mut record_file, &path);
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n"));
    assert_eq!(record_file.save(None, document.record()), Ok(None));
    assert_eq!(record_file.save_conflict(), Some(&SaveConflict::ChangedElsewhere(path.display().to_string())));
    record_file.cancel_save();
    assert_eq!(kifu::read(&files::read(&path, 1 << 20).unwrap()).unwrap().games[0].len(), 3);
    record_file.save(None, document.record()).unwrap();
    assert!(record_file.save_despite_conflict(document.record()).unwrap().is_some());
    assert_eq!(kifu::read(&files::read(&path, 1 << 20).unwrap()).unwrap().games[0].len(), 2);
}

#[test]
fn does_not_attach_a_record_to_a_position_file() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let path = scratch.file("pos.sfen", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    opened(&mut record_file, &path);
    assert!(!record_file.can_save(), "the format holds no moves");
    assert_eq!(record_file.suggested_path(), path.with_extension("kifu"), "a file beside it");
    let game = kifu::read(GAME.as_bytes()).unwrap().games.remove(0);
    let other = scratch.0.join("now.sfen");
    let saved = record_file.save(Some(&other), &game).unwrap();
    assert_eq!(saved, Some(SaveOutcome::Position(RecordRemark::PositionSaved(other.display().to_string()))));
    assert_eq!(record_file.path(), Some(path.as_path()), "the record is not saved there");
}

#[test]
fn lists_the_games_of_a_file() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let two = scratch.file("two.csa", "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n");
    opened(&mut record_file, &two);
    assert_eq!(record_file.game_titles(), (["1. A – B", "2. ? – ?"].map(str::to_owned).as_slice(), 0));
    let second = record_file.select(1, 0).unwrap();
    assert_eq!((second.history(1).usi().as_str(), record_file.game_titles().1), ("startpos moves 2g2f", 1));
    let one = scratch.file("one.kif", GAME);
    record_file.open_all(vec![one.clone(), two], 0);
    assert!(matches!(next_event(&mut record_file, None), RecordEvent::Opened(..)));
    assert_eq!((record_file.path(), record_file.game_titles().0.len()), (Some(one.as_path()), 2));
    assert!(record_file.select(1, 0).is_none(), "the file is read first");
    assert!(matches!(next_event(&mut record_file, None), RecordEvent::Opened(..)));
    assert_eq!(record_file.game_titles().0, ["one.kif", "1. A – B", "2. ? – ?"]);
}

#[test]
fn asks_about_changes_made_while_reading() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let path = scratch.file("game.kif", GAME);
    record_file.open(&path, 0);
    wait(|| {
        assert!(record_file.poll(Some(1)).is_empty(), "the changed record is not replaced");
        record_file.is_asking().then_some(())
    });
    assert_eq!(record_file.take_pending(), Some(PendingAction::Open(path)), "the file is read again after the answer");
}

/// Recovers the record of a program that was killed with unsaved changes of this file. `meanwhile` runs before.
fn recovered(scratch: &TestFolder, path: &Path, meanwhile: impl FnOnce()) -> (RecordFile, Record) {
    let mut record_file = scratch.record_file();
    let mut document = opened(&mut record_file, path);
    document.comment(NodeId::START, "未保存");
    record_file.autosave(Some(document.shared()));
    drop(record_file);
    meanwhile();
    let mut record_file = scratch.record_file();
    let found = record_file.recoverable().first().cloned().unwrap();
    assert_eq!(found.original.as_ref().map(|of| of.path.as_path()), Some(path));
    record_file.open(&found.copy, 0);
    let RecordEvent::Recovered(record, copy) = next_event(&mut record_file, None) else { panic!("it is recoverable") };
    record_file.autosave(Some(Arc::new(record.clone())));
    record_file.mark_recovered(copy);
    assert_eq!((record_file.path(), record_file.can_save()), (Some(path), true));
    (record_file, record)
}

#[test]
fn saves_a_recovered_record_to_its_unchanged_file() {
    let scratch = TestFolder::new();
    let path = scratch.file("game.kif", GAME);
    let (mut record_file, record) = recovered(&scratch, &path, || {});
    assert_eq!(record_file.recovery_summary(), None, "the record is recovered");
    assert!(
        matches!(record_file.save(None, &record), Ok(Some(SaveOutcome::Record(_)))),
        "{:?}",
        record_file.save_conflict()
    );
    assert!(!record_file.is_changed_on_disk() && record_file.save_conflict().is_none());
}

#[test]
fn asks_before_saving_a_recovered_record_to_a_changed_file() {
    let scratch = TestFolder::new();
    let path = scratch.file("game.kif", GAME);
    let (mut record_file, record) = recovered(&scratch, &path, || {
        scratch.file("game.kif", &format!("{GAME}3 ２六歩(27)\n"));
    });
    assert_eq!(record_file.save(None, &record), Ok(None));
    assert!(
        matches!(record_file.save_conflict(), Some(SaveConflict::ChangedElsewhere(_))),
        "{:?}",
        record_file.save_conflict()
    );
}

#[test]
fn asks_before_saving_a_recovered_copy_without_a_stamp() {
    let scratch = TestFolder::new();
    let path = scratch.file("game.kif", GAME);
    let (mut record_file, record) = recovered(&scratch, &path, || {
        let folder = scratch.0.join("config/unsaved");
        let of = files::list(&folder, 9).into_iter().find(|path| path.extension().is_some_and(|end| end == "of"));
        files::write_whole(&of.unwrap(), path.to_str().unwrap().as_bytes()).unwrap();
    });
    assert_eq!(record_file.save(None, &record), Ok(None));
    assert!(
        matches!(record_file.save_conflict(), Some(SaveConflict::FileExists(_))),
        "{:?}",
        record_file.save_conflict()
    );
    assert!(record_file.save_despite_conflict(&record).unwrap().is_some());
    assert!(record_file.save(None, &record).unwrap().is_some(), "it is known now");
}

#[test]
fn drops_the_conflict_after_saving_to_another_file() {
    let scratch = TestFolder::new();
    let mut record_file = scratch.record_file();
    let path = scratch.file("game.kif", GAME);
    let document = opened(&mut record_file, &path);
    scratch.file("game.kif", &format!("{GAME}3 ２六歩(27)\n"));
    assert_eq!(record_file.save(None, document.record()), Ok(None));
    assert!(record_file.save_conflict().is_some());
    assert!(record_file.save(Some(&scratch.0.join("other.kif")), document.record()).unwrap().is_some());
    assert_eq!(record_file.save_conflict(), None, "it is saved");
    scratch.file("other.kif", &format!("{GAME}3 ２六歩(27)\n"));
    assert_eq!(record_file.save(None, document.record()), Ok(None));
    assert!(record_file.save_conflict().is_some());
    record_file.detach();
    assert_eq!(record_file.save_conflict(), None, "the conflict belonged to the former record");
}

#[test]
fn recovers_a_copy_of_version_0_1() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/golden/home");
    let [found] = file_worker::recoverable_records(&home.join("unsaved")).try_into().unwrap();
    let record = kifu::read(&files::read(&found.copy, 1 << 20).unwrap()).unwrap().games.remove(0);
    assert_eq!((record.all().count(), record.player(crate::shogi::Color::Black)), (4, Some("A")));
    let original = found.original.unwrap();
    let stamp = original.stamp.map(|stamp| (stamp.size, stamp.modified));
    assert_eq!((original.path, stamp), ("/home/user/棋譜/名人戦.kif".into(), Some((123, 1_700_000_000_000_000_000))));
    let recent = super::recent::RecentFiles::new(Some(home.join("recent.txt")));
    assert_eq!(recent.files(), [PathBuf::from("/home/user/棋譜/名人戦.kif"), "/home/user/a.csa".into()]);
}
