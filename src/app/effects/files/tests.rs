//! The record's file with real files and threads. `shogibar_model::tests` has the guarantees for any sequence of events.

mod recovery;
mod watching;

use super as file_effects;
use super::FileThreads;
use crate::app::test_folder::{TestFolder, wait};
use shogibar_base::Lang;
use shogibar_games::RecordRemark;
use shogibar_games::study::Document;
use shogibar_kifu::{Encoding, Loss, NodeId, Target};
use shogibar_model::ids::GameId;
use shogibar_model::record_file::*;
use shogibar_model::{Message, StoredFiles};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

/// A record, its file, and the threads that carry out the effects.
struct Fixture {
    record_file: RecordFile,
    document: Document,
    threads: FileThreads,
    events: Receiver<FileEvent>,
    /// The files that earlier runs have stored.
    stored_files: StoredFiles,
}

impl Fixture {
    fn new(folder: &TestFolder) -> Self {
        let (sender, events) = sync_channel(100);
        let store = folder.store();
        let stored = file_effects::stored_files(&store);
        let threads = FileThreads::start(Some(&store), Arc::new(move |_, event| _ = sender.send(event)));
        let record_file = RecordFile::new(stored.autosave_folder.clone());
        Self {
            record_file,
            document: Document::default(),
            threads,
            events,
            stored_files: stored,
        }
    }

    /// Carries out the effects of the record file.
    fn run(&mut self) {
        for effect in self.record_file.take_effects() {
            assert!(self.threads.run(GameId::default(), effect).is_none());
        }
    }

    /// Carries out the effects and applies their events. Returns the resulting events of the record.
    fn poll(&mut self) -> Vec<RecordEvent> {
        self.run();
        let events: Vec<_> = self.events.try_iter().collect();
        let events: Vec<_> = events
            .into_iter()
            .flat_map(|event| self.record_file.on_event(event, &self.document))
            .collect();
        for event in &events {
            match event {
                RecordEvent::Opened(record, _) | RecordEvent::Recovered(record, _) => {
                    self.document = Document::new(Arc::clone(record));
                }
                RecordEvent::Saved(revision, _) => self.document.set_saved(*revision),
                _ => {}
            }
        }
        self.run();
        events
    }

    /// Returns the next event, within ten seconds.
    fn next(&mut self) -> RecordEvent {
        wait(|| self.poll().into_iter().next())
    }

    fn open(&mut self, path: &Path) {
        self.record_file.open(path, self.document.revision());
        assert_eq!(self.record_file.opening_path(), Some(path));
        match self.next() {
            RecordEvent::Opened(_, warnings) if warnings.is_empty() => {}
            other => panic!("{other:?}"),
        }
    }

    /// Waits until the save in progress is done. Returns its events.
    fn saved(&mut self) -> Vec<RecordEvent> {
        wait(|| {
            let events = self.poll();
            (!matches!(self.record_file.task(), FileTask::Saving { .. })).then_some(events)
        })
    }

    fn save(&mut self, save: SaveRequest) -> Vec<RecordEvent> {
        self.record_file.save(save, &self.document);
        self.saved()
    }

    /// Saves, and returns the message of the success.
    fn save_ok(&mut self, save: SaveRequest) -> RecordRemark {
        match self.save(save).pop() {
            Some(RecordEvent::Saved(_, remark)) => remark,
            other => panic!("{other:?}, {:?}", self.record_file.save_conflict()),
        }
    }

    fn autosave(&mut self) {
        self.record_file.autosave(&self.document);
        self.run();
    }
}

const GAME: &str = "手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n";

#[test]
fn saves_in_the_original_format() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let sjis = encoding_rs::SHIFT_JIS.encode(GAME).0;
    let path = scratch.0.join("game.kif");
    shogibar_files::write_whole(&path, &sjis).unwrap();
    fixture.open(&path);
    let record_file = &fixture.record_file;
    let state = (
        record_file.name(),
        record_file.can_save(),
        record_file.opening_path(),
    );
    assert_eq!(state, (Some("game.kif".to_owned()), true, None));
    fixture.document.set_comment(NodeId::START, "好局");
    assert_eq!(
        fixture.save_ok(SaveRequest::Current),
        RecordRemark::Saved(path.display().to_string())
    );
    let again = shogibar_kifu::read(&shogibar_files::read(&path, 1 << 20).unwrap()).unwrap();
    assert_eq!(
        (again.encoding, again.games[0].node(NodeId::START).comment()),
        (Encoding::ShiftJis, Some("好局"))
    );
    let other = scratch.0.join("game.usi");
    assert!(fixture.save(SaveRequest::As(other.clone())).is_empty());
    assert!(
        matches!(
            fixture.record_file.save_conflict(),
            Some(SaveConflict::LossyFormat {
                target: Target::Usi,
                first: Loss::Comments(1),
                count: 1
            })
        ),
        "{:?}",
        fixture.record_file.save_conflict()
    );
    assert_eq!(
        fixture.record_file.path(),
        Some(path.as_path()),
        "nothing is written before it is confirmed"
    );
    fixture.record_file.save_despite_conflict(&fixture.document);
    let saved = fixture.saved();
    assert!(
        matches!(
            saved.as_slice(),
            [RecordEvent::Saved(
                _,
                RecordRemark::SavedWithLoss(_, Target::Usi, ..)
            )]
        ),
        "{saved:?}"
    );
    assert_eq!(fixture.record_file.save_conflict(), None);
    fixture.document.set_comment(NodeId::START, "名局");
    assert!(
        matches!(
            fixture.save_ok(SaveRequest::Current),
            RecordRemark::SavedWithLoss(..)
        ),
        "it is known now"
    );
    assert_eq!(
        fixture.record_file.path(),
        Some(other.as_path()),
        "it is now the record's file"
    );
    assert_eq!(fixture.record_file.take_recent(), Some(other));
}

#[test]
fn saves_the_file_s_own_characters() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.0.join("windows.kif");
    shogibar_files::write_whole(
        &path,
        &encoding_rs::SHIFT_JIS.encode(&format!("先手：髙﨑①\n{GAME}")).0,
    )
    .unwrap();
    fixture.open(&path);
    fixture.document.set_comment(NodeId::START, "①の名局");
    assert_eq!(
        fixture.save_ok(SaveRequest::Current),
        RecordRemark::Saved(path.display().to_string())
    );
    let again = shogibar_kifu::read(&shogibar_files::read(&path, 1 << 20).unwrap()).unwrap();
    let record = &again.games[0];
    let texts = (record.header("先手"), record.node(NodeId::START).comment());
    assert_eq!(
        (again.encoding, texts),
        (Encoding::ShiftJis, (Some("髙﨑①"), Some("①の名局")))
    );
    // A text that the file did not have is limited to the standard of the format. The user is asked.
    fixture.document.set_comment(NodeId::START, "②の名局");
    assert!(fixture.save(SaveRequest::Current).is_empty());
    let conflict = fixture.record_file.save_conflict();
    let is_about = |first: &Loss| matches!(first, Loss::Character { character: '②', .. });
    assert!(
        matches!(conflict, Some(SaveConflict::LossyFormat { first, count: 1, .. }) if is_about(first)),
        "{conflict:?}"
    );
}

#[test]
fn a_file_that_says_something_twice_is_whole() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("twice.kif", &format!("先手：A\n先手：B\n{GAME}"));
    fixture.record_file.open(&path, 0);
    assert!(matches!(fixture.next(), RecordEvent::Opened(_, warnings) if warnings.len() == 1));
    assert!(fixture.record_file.can_save(), "the record keeps both");
}

#[test]
fn does_not_overwrite_a_file_that_was_not_read() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let two = scratch.write(
        "two.csa",
        "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n",
    );
    fixture.open(&two);
    assert!(!fixture.record_file.can_save(), "the file has another game");
    assert_eq!(
        fixture.record_file.suggested_path(None),
        two.with_file_name("two-2.csa")
    );
    let odd = scratch.write("odd.kif", &format!("{GAME}3 ９九玉(59)\n"));
    fixture.record_file.open(&odd, 0);
    assert!(matches!(fixture.next(), RecordEvent::Opened(_, warnings) if !warnings.is_empty()));
    assert!(
        !fixture.record_file.can_save(),
        "a part of the file was not understood"
    );
    fixture.document.set_comment(NodeId::START, "x");
    let refused = fixture.save(SaveRequest::Current);
    let [RecordEvent::Problem(problem)] = refused.as_slice() else {
        panic!("{refused:?}")
    };
    assert!(
        problem.text(Lang::En).contains("odd.kif"),
        "the message names the file: {}",
        problem.text(Lang::En)
    );
}

#[test]
fn keeps_the_file_when_another_cannot_be_read() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("game.kif", GAME);
    fixture.open(&path);
    fixture.record_file.open(&scratch.0.join("none.kif"), 0);
    let RecordEvent::Problem(trouble) = fixture.next() else {
        panic!("no message")
    };
    assert!(trouble.text(Lang::En).contains("none.kif"));
    assert_eq!(fixture.record_file.path(), Some(path.as_path()));
}

#[test]
fn reloads_a_file_that_another_program_writes() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("live.kif", GAME);
    fixture.open(&path);
    scratch.write("live.kif", &format!("{GAME}3 ２六歩(27)\n"));
    match fixture.next() {
        RecordEvent::Reloaded(record) => assert_eq!(record.len(), 3),
        other => panic!("{other:?}"),
    }
    fixture.document.set_comment(NodeId::START, "未保存");
    scratch.write("live.kif", &format!("{GAME}3 ２六歩(27)\n4 ８四歩(83)\n"));
    match fixture.next() {
        RecordEvent::Grown(newer, base) => assert_eq!((newer.len(), base.len()), (4, 3), "both are kept"),
        other => panic!("unsaved changes are kept: {other:?}"),
    }
    scratch.write("live.kif", &format!("{GAME}3 ５六歩(57)\n"));
    match fixture.next() {
        RecordEvent::Problem(Message::Record(remark)) => {
            assert!(matches!(*remark, RecordRemark::ChangedElsewhere(_)));
        }
        other => panic!("unsaved changes are kept: {other:?}"),
    }
    assert!(fixture.record_file.is_changed_on_disk());
    scratch.write("live.kif", &format!("{GAME}3 ５六歩(57)\n4 ８四歩(83)\n"));
    std::thread::park_timeout(Duration::from_millis(1800));
    assert!(fixture.poll().is_empty(), "the change is reported once");
    fixture.document.undo();
    scratch.write(
        "live.kif",
        &format!("{GAME}3 ２六歩(27)\n4 ８四歩(83)\n5 ２五歩(26)\n6 ８五歩(84)\n"),
    );
    assert!(
        matches!(fixture.next(), RecordEvent::Reloaded(_)),
        "after an undo, the next change is loaded"
    );
    assert!(!fixture.record_file.is_changed_on_disk());
}

#[test]
fn does_not_reload_after_its_own_save() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("game.kif", GAME);
    fixture.open(&path);
    fixture.document.set_comment(NodeId::START, "x");
    fixture.save_ok(SaveRequest::Current);
    std::thread::park_timeout(Duration::from_millis(1800));
    let events = fixture.poll();
    assert!(events.is_empty(), "{events:?}");
}

#[test]
fn a_save_without_changes_writes_only_a_missing_file() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("game.kif", GAME);
    fixture.open(&path);
    let events = fixture.save(SaveRequest::Current);
    assert!(
        matches!(events.as_slice(), [RecordEvent::Notice(_)]),
        "{events:?}"
    );
    std::fs::remove_file(&path).unwrap();
    fixture.save_ok(SaveRequest::Current);
    assert!(path.exists());
}

#[test]
fn reports_a_failed_autosave_once() {
    let scratch = TestFolder::new();
    // A file in place of the folder for copies.
    scratch.write("config/unsaved", "");
    let mut fixture = Fixture::new(&scratch);
    fixture.record_file.set_only_here();
    for _ in 0..2 {
        fixture.autosave();
    }
    let RecordEvent::Problem(Message::Record(remark)) = fixture.next() else {
        panic!("no message")
    };
    assert!(
        matches!(&*remark, RecordRemark::NotAutosaved(why) if why.text(Lang::En).contains("unsaved")),
        "{remark:?}"
    );
    fixture.autosave();
    std::thread::park_timeout(Duration::from_millis(300));
    assert!(fixture.poll().is_empty(), "a second failure is not reported");
}

#[test]
fn waits_for_an_answer_about_changes() {
    let (mut record_file, mut document) = (RecordFile::default(), Document::default());
    assert_eq!(
        record_file.request(PendingAction::Quit, &document),
        Some(PendingAction::Quit)
    );
    document.set_comment(NodeId::START, "x");
    assert_eq!(
        (
            record_file.request(PendingAction::Quit, &document),
            record_file.is_asking()
        ),
        (None, true)
    );
    assert_eq!(
        (record_file.discard_changes(), record_file.is_asking()),
        (Some(PendingAction::Quit), false)
    );
}

#[test]
fn an_action_waits_for_the_save_in_progress() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("game.kif", GAME);
    fixture.open(&path);
    fixture.document.set_comment(NodeId::START, "x");
    fixture.record_file.save(SaveRequest::Current, &fixture.document);
    assert_eq!(
        fixture
            .record_file
            .request(PendingAction::Quit, &fixture.document),
        None
    );
    let saved = fixture.saved();
    assert!(
        matches!(
            saved.as_slice(),
            [RecordEvent::Saved(..), RecordEvent::Proceed(PendingAction::Quit)]
        ),
        "{saved:?}"
    );
    // A change during the save is asked about.
    fixture.document.set_comment(NodeId::START, "y");
    fixture.record_file.save(SaveRequest::Current, &fixture.document);
    assert_eq!(
        fixture
            .record_file
            .request(PendingAction::Quit, &fixture.document),
        None
    );
    fixture.document.set_comment(NodeId::START, "z");
    fixture.saved();
    assert!(fixture.record_file.is_asking_before_quit() && fixture.document.is_changed());
}

#[test]
fn asks_before_overwriting_another_program_s_changes() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("live.kif", GAME);
    fixture.open(&path);
    fixture.document.set_comment(NodeId::START, "x");
    scratch.write("live.kif", &format!("{GAME}3 ２六歩(27)\n"));
    let events = fixture.save(SaveRequest::Current);
    assert!(
        !events.iter().any(|event| matches!(event, RecordEvent::Saved(..))),
        "{events:?}"
    );
    let conflict = SaveConflict::ChangedElsewhere(path.display().to_string());
    assert_eq!(fixture.record_file.save_conflict(), Some(&conflict));
    fixture.record_file.cancel_question();
    assert_eq!(
        shogibar_kifu::read(&shogibar_files::read(&path, 1 << 20).unwrap())
            .unwrap()
            .games[0]
            .len(),
        3
    );
    fixture.save(SaveRequest::Current);
    fixture.record_file.save_despite_conflict(&fixture.document);
    fixture.saved();
    assert_eq!(
        shogibar_kifu::read(&shogibar_files::read(&path, 1 << 20).unwrap())
            .unwrap()
            .games[0]
            .len(),
        2
    );
}

#[test]
fn does_not_attach_a_record_to_a_position_file() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write(
        "pos.sfen",
        "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    );
    fixture.open(&path);
    assert!(!fixture.record_file.can_save(), "the format holds no moves");
    assert_eq!(
        fixture.record_file.suggested_path(None),
        path.with_extension("kifu"),
        "a file beside it"
    );
    fixture.document = Document::new(shogibar_kifu::read(GAME.as_bytes()).unwrap().games.remove(0));
    let other = scratch.0.join("now.sfen");
    let saved = fixture.save(SaveRequest::As(other.clone()));
    let [RecordEvent::Notice(Message::Record(remark))] = saved.as_slice() else {
        panic!("{saved:?}")
    };
    assert_eq!(**remark, RecordRemark::PositionSaved(other.display().to_string()));
    assert_eq!(
        fixture.record_file.path(),
        Some(path.as_path()),
        "the record is not saved there"
    );
}

#[test]
fn lists_the_games_of_a_file() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let two = scratch.write(
        "two.csa",
        "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n",
    );
    fixture.open(&two);
    let record_file = &mut fixture.record_file;
    assert_eq!(
        record_file.game_titles(),
        (["1. A – B", "2. ? – ?"].map(str::to_owned).as_slice(), 0)
    );
    let second = record_file.select(1, &fixture.document).unwrap();
    assert_eq!(
        (second.history(1).usi().as_str(), record_file.game_titles().1),
        ("startpos moves 2g2f", 1)
    );
    let one = scratch.write("one.kif", GAME);
    fixture.open(&one);
    assert_eq!(fixture.record_file.game_titles().0, [] as [&str; 0]);
}

#[test]
fn asks_about_changes_made_while_reading() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("game.kif", GAME);
    fixture.record_file.open(&path, fixture.document.revision());
    fixture.document.set_comment(NodeId::START, "x");
    wait(|| {
        assert!(fixture.poll().is_empty(), "the changed record is not replaced");
        fixture.record_file.is_asking().then_some(())
    });
    assert_eq!(
        fixture.record_file.discard_changes(),
        Some(PendingAction::Open(path)),
        "the file is read again after the answer"
    );
}

const TWO_GAMES: &str = "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n";

#[test]
fn a_file_with_more_games_is_not_saved_over_without_a_question() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("two.csa", TWO_GAMES);
    fixture.open(&path);
    fixture.document.set_comment(NodeId::START, "x");
    // The user chooses to save before the end. The record is only part of its file, so another file has to be chosen.
    assert_eq!(
        fixture
            .record_file
            .request(PendingAction::Quit, &fixture.document),
        None
    );
    assert!(matches!(
        fixture.record_file.save_first(&fixture.document),
        Err(RecordRemark::NotWhole(_))
    ));
    assert!(fixture.record_file.is_asking() && !fixture.record_file.is_saving());
    // The user saves over the file with the consent of the file dialog: the other game is gone.
    let events = fixture.save(SaveRequest::As(path.clone()));
    assert!(
        matches!(
            events.as_slice(),
            [RecordEvent::Saved(..), RecordEvent::Proceed(PendingAction::Quit)]
        ),
        "{events:?}"
    );
    assert!(fixture.record_file.can_save() && fixture.record_file.game_titles().0.is_empty());
    // After a recovery it is unknown whether the record was the whole content of the file.
    let other = scratch.write("other.csa", TWO_GAMES);
    drop(fixture);
    let mut fixture = Fixture::new(&scratch);
    fixture.open(&other);
    fixture.document.set_comment(NodeId::START, "x");
    fixture.autosave();
    drop(fixture);
    let mut fixture = Fixture::new(&scratch);
    let found = fixture.stored_files.recoverable_records.first().cloned().unwrap();
    fixture.record_file.recover(found, 0);
    assert!(matches!(fixture.next(), RecordEvent::Recovered(..)));
    fixture.save(SaveRequest::Current);
    let conflict = fixture.record_file.save_conflict();
    assert!(
        matches!(conflict, Some(SaveConflict::FileExists(_))),
        "{conflict:?}"
    );
}

/// Several games that came without a file are saved together.
#[test]
fn pasted_games_are_saved_together() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let games: Vec<_> = shogibar_kifu::read(TWO_GAMES.as_bytes())
        .unwrap()
        .games
        .into_iter()
        .map(Arc::new)
        .collect();
    fixture.document = Document::new(fixture.record_file.show_games(&games, true).unwrap());
    assert!(fixture.record_file.is_unsaved(&fixture.document) && !fixture.document.is_changed());
    fixture.document.set_comment(NodeId::START, "x");
    assert_eq!(
        fixture
            .record_file
            .request(PendingAction::Select { game: 1, ply: 0 }, &fixture.document),
        Some(PendingAction::Select { game: 1, ply: 0 }),
        "the other game keeps its comment"
    );
    fixture.document = Document::new(fixture.record_file.select(1, &fixture.document).unwrap());
    fixture.autosave();
    let expect = ["x", ""];
    let comments = |bytes: &[u8]| {
        let games = shogibar_kifu::read(bytes).unwrap().games;
        games
            .iter()
            .map(|game| game.node(NodeId::START).comment().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let path = scratch.0.join("both.kifu");
    fixture.save_ok(SaveRequest::As(path.clone()));
    assert_eq!(comments(&shogibar_files::read(&path, 1 << 20).unwrap()), expect);
    assert!(!fixture.record_file.is_unsaved(&fixture.document));
    assert_eq!(fixture.record_file.game_titles().1, 1, "they are still listed");
    // A change of one game is a change of the file.
    fixture.document.set_comment(NodeId::START, "y");
    fixture.document = Document::new(fixture.record_file.select(0, &fixture.document).unwrap());
    assert!(fixture.record_file.is_unsaved(&fixture.document));
    fixture.save_ok(SaveRequest::Current);
    assert_eq!(
        comments(&shogibar_files::read(&path, 1 << 20).unwrap()),
        ["x", "y"]
    );
    // A format that holds only one game asks first.
    assert!(
        fixture
            .save(SaveRequest::As(scratch.0.join("one.psn")))
            .is_empty()
    );
    let conflict = fixture.record_file.save_conflict();
    assert!(
        matches!(
            conflict,
            Some(SaveConflict::LossyFormat {
                first: Loss::Games(1) | Loss::Headers(_),
                ..
            })
        ),
        "{conflict:?}"
    );
}

#[test]
fn a_save_to_another_file_replaces_one_that_hangs() {
    let (mut record_file, mut document) = (RecordFile::default(), Document::default());
    document.set_comment(NodeId::START, "x");
    let request = |record_file: &mut RecordFile, path: &str| {
        record_file.save(SaveRequest::As(path.into()), &document);
        record_file
            .take_effects()
            .into_iter()
            .find_map(|effect| match effect {
                FileEffect::Save { request, .. } => Some(request),
                _ => None,
            })
    };
    let hanging = request(&mut record_file, "/network/a.kif").unwrap();
    let other = request(&mut record_file, "/here/a.kif").unwrap();
    assert_eq!(
        request(&mut record_file, "/here/a.kif"),
        None,
        "the same file waits for its turn"
    );
    let answer = |request| FileEvent::Saved {
        request,
        result: Ok(SaveOutcome::Nothing),
    };
    assert!(
        record_file.on_event(answer(hanging), &document).is_empty(),
        "nobody waits for it"
    );
    assert!(record_file.is_saving());
    assert_eq!(record_file.on_event(answer(other), &document).len(), 1);
    // The second request to end the program asks the user, as the save may hang.
    assert_eq!(record_file.request(PendingAction::Quit, &document), None);
    assert!(!record_file.has_question());
    assert_eq!(record_file.request(PendingAction::Quit, &document), None);
    assert!(record_file.is_asking_before_quit());
}

#[test]
fn drops_the_conflict_after_saving_to_another_file() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    let path = scratch.write("game.kif", GAME);
    fixture.open(&path);
    fixture.document.set_comment(NodeId::START, "x");
    scratch.write("game.kif", &format!("{GAME}3 ２六歩(27)\n"));
    fixture.save(SaveRequest::Current);
    assert!(fixture.record_file.save_conflict().is_some());
    fixture.save_ok(SaveRequest::As(scratch.0.join("other.kif")));
    assert_eq!(fixture.record_file.save_conflict(), None, "it is saved");
    fixture.document.set_comment(NodeId::START, "y");
    scratch.write("other.kif", &format!("{GAME}3 ２六歩(27)\n"));
    fixture.save(SaveRequest::Current);
    assert!(fixture.record_file.save_conflict().is_some());
    fixture.record_file.discard_changes();
    assert_eq!(fixture.record_file.save_conflict(), None);
}

/// The answer of a folder on a slow disk arrives after the user has changed the record.
#[test]
fn a_folder_replaces_no_record_that_was_changed_meanwhile() {
    let mut file = RecordFile::new(None);
    let mut document = Document::default();
    file.open(Path::new("/games"), document.revision());
    let request = file.take_effects().into_iter().find_map(|effect| match effect {
        FileEffect::Read { request, .. } => Some(request),
        _ => None,
    });
    document.set_comment(NodeId::START, "mine");
    let events = file.on_event(
        FileEvent::Folder {
            request: request.unwrap(),
        },
        &document,
    );
    assert!(events.is_empty(), "{events:?}");
    assert!(
        matches!(file.task(), FileTask::AskingUnsaved(_)),
        "the user is asked first"
    );
}
