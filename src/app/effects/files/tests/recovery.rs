//! Recovery from autosave copies.

use super::*;

#[test]
fn recovers_an_unsaved_record() {
    let scratch = TestFolder::new();
    let mut fixture = Fixture::new(&scratch);
    fixture.document.set_comment(NodeId::START, "未保存");
    fixture.autosave();
    let folder = scratch.0.join("config/unsaved");
    let written = || {
        shogibar_files::list(&folder, 9)
            .iter()
            .any(|path| path.extension().is_some_and(|end| end == "kifu"))
    };
    wait(|| written().then_some(()));
    let other = Fixture::new(&scratch);
    assert_eq!(
        other.stored_files.recoverable_records,
        [] as [RecoverableRecord; 0],
        "the program of the copy is running"
    );
    // The program is killed: nothing is cleaned up, and the system releases the lock.
    drop(fixture);
    let mut fixture = Fixture::new(&scratch);
    let [found] = fixture
        .stored_files
        .recoverable_records
        .clone()
        .try_into()
        .unwrap();
    let old_copy = found.copy.clone();
    fixture.record_file.recover(found, 0);
    let RecordEvent::Recovered(record, copy) = fixture.next() else {
        panic!("it is recoverable")
    };
    assert_eq!(record.node(NodeId::START).comment(), Some("未保存"));
    assert_eq!(fixture.record_file.path(), None, "the record has no file");
    fixture.autosave();
    fixture.record_file.delete_recovered(copy);
    fixture.run();
    drop(fixture);
    let again = Fixture::new(&scratch);
    let [found] = again.stored_files.recoverable_records.clone().try_into().unwrap();
    assert_ne!(found.copy, old_copy, "the new copy replaces the old one");
}

/// Recovers the record of a program that was killed with unsaved changes of this file. `meanwhile` runs before the
/// recovery.
fn recovered(scratch: &TestFolder, path: &Path, meanwhile: impl FnOnce()) -> Fixture {
    let mut fixture = Fixture::new(scratch);
    fixture.open(path);
    fixture.document.set_comment(NodeId::START, "未保存");
    fixture.autosave();
    drop(fixture);
    meanwhile();
    let mut fixture = Fixture::new(scratch);
    let found = fixture.stored_files.recoverable_records.first().cloned().unwrap();
    assert_eq!(
        found.original_file.as_ref().map(|of| of.path.as_path()),
        Some(path)
    );
    fixture.record_file.recover(found, 0);
    let RecordEvent::Recovered(record, copy) = fixture.next() else {
        panic!("it is recoverable")
    };
    fixture.document.open(record);
    fixture.autosave();
    fixture.record_file.delete_recovered(copy);
    assert_eq!(
        (fixture.record_file.path(), fixture.record_file.can_save()),
        (Some(path), true)
    );
    fixture
}

#[test]
fn saves_a_recovered_record_to_its_unchanged_file() {
    let scratch = TestFolder::new();
    let path = scratch.write("game.kif", GAME);
    let mut fixture = recovered(&scratch, &path, || {});
    fixture.save_ok(SaveRequest::Current);
    assert!(!fixture.record_file.is_changed_on_disk() && fixture.record_file.save_conflict().is_none());
}

#[test]
fn a_recovered_record_keeps_the_encoding_and_the_characters_of_its_file() {
    let check = |name: &str, text: &str, encoding: Encoding| {
        let scratch = TestFolder::new();
        let path = scratch.0.join(name);
        let is_shift_jis = encoding == Encoding::ShiftJis;
        let bytes = if is_shift_jis {
            encoding_rs::SHIFT_JIS.encode(text).0
        } else {
            text.as_bytes().into()
        };
        shogibar_files::write_whole(&path, &bytes).unwrap();
        let mut fixture = recovered(&scratch, &path, || {});
        assert_eq!(
            fixture.save_ok(SaveRequest::Current),
            RecordRemark::Saved(path.display().to_string())
        );
        let again = shogibar_kifu::read(&shogibar_files::read(&path, 1 << 20).unwrap()).unwrap();
        let record = &again.games[0];
        let texts = (record.header("先手"), record.node(NodeId::START).comment());
        assert_eq!(
            (again.encoding, texts),
            (encoding, (Some("髙﨑①"), Some("未保存"))),
            "{name}"
        );
    };
    let kif = format!("先手：髙﨑①\n{GAME}");
    check("windows.kif", &kif, Encoding::ShiftJis);
    check("utf8.kif", &kif, Encoding::Utf8);
    check(
        "windows.csa",
        "V2.2\nN+髙﨑①\nPI\n+\n+7776FU\n",
        Encoding::ShiftJis,
    );
}

#[test]
fn asks_before_saving_a_recovered_record_to_a_changed_file() {
    let scratch = TestFolder::new();
    let path = scratch.write("game.kif", GAME);
    let mut fixture = recovered(&scratch, &path, || {
        scratch.write("game.kif", &format!("{GAME}3 ２六歩(27)\n"));
    });
    fixture.save(SaveRequest::Current);
    let conflict = fixture.record_file.save_conflict();
    assert!(
        matches!(conflict, Some(SaveConflict::ChangedElsewhere(_))),
        "{conflict:?}"
    );
}

#[test]
fn asks_before_saving_a_recovered_copy_without_a_stamp() {
    let scratch = TestFolder::new();
    let path = scratch.write("game.kif", GAME);
    let mut fixture = recovered(&scratch, &path, || {
        let folder = scratch.0.join("config/unsaved");
        let of = shogibar_files::list(&folder, 9)
            .into_iter()
            .find(|path| path.extension().is_some_and(|end| end == "of"));
        shogibar_files::write_whole(&of.unwrap(), path.to_str().unwrap().as_bytes()).unwrap();
    });
    fixture.save(SaveRequest::Current);
    let conflict = fixture.record_file.save_conflict();
    assert!(
        matches!(conflict, Some(SaveConflict::FileExists(_))),
        "{conflict:?}"
    );
    fixture.record_file.save_despite_conflict(&fixture.document);
    assert!(matches!(fixture.saved().as_slice(), [RecordEvent::Saved(..)]));
    fixture.document.set_comment(NodeId::START, "x");
    fixture.save_ok(SaveRequest::Current);
}

#[test]
fn recovers_a_copy_of_version_0_1() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/golden/home");
    let [found] = file_effects::recoverable_records(&home.join("unsaved"))
        .try_into()
        .unwrap();
    let record = shogibar_kifu::read(&shogibar_files::read(&found.copy, 1 << 20).unwrap())
        .unwrap()
        .games
        .remove(0);
    assert_eq!(
        (record.all().count(), record.player(shogibar_shogi::Color::Black)),
        (4, Some("A"))
    );
    let original = found.original_file.unwrap();
    let stamp = original.stamp.map(|stamp| (stamp.size, stamp.modified));
    assert_eq!(
        (original.path, stamp),
        (
            "/home/user/棋譜/名人戦.kif".into(),
            Some((123, 1_700_000_000_000_000_000))
        )
    );
    let recent = file_effects::stored_files(&shogibar_machine::store::Store::new(home)).recent_files;
    assert_eq!(
        recent,
        [
            PathBuf::from("/home/user/棋譜/名人戦.kif"),
            "/home/user/a.csa".into()
        ]
    );
}
