use super::*;
use crate::app::scratch::{Scratch, wait};
use crate::kifu::{Encoding, NodeId};
use crate::study::Document;
use crate::text::Lang;
use std::time::Duration;

/// What becomes of the record within ten seconds.
fn hear(papers: &mut Papers, changed: Option<u64>) -> Event {
    wait(|| papers.hear(changed).into_iter().next())
}

fn opened(papers: &mut Papers, path: &Path) -> Document {
    papers.open(path, 0);
    assert_eq!(papers.reading(), Some(path));
    match hear(papers, None) {
        Event::Opened(record, None) => Document::new(record),
        other => panic!("{other:?}"),
    }
}

const GAME: &str = "手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n";

#[test]
fn a_record_is_saved_as_what_it_was() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let sjis = encoding_rs::SHIFT_JIS.encode(GAME).0;
    let path = scratch.0.join("game.kif");
    files::write_whole(&path, &sjis).unwrap();
    let mut document = opened(&mut papers, &path);
    assert_eq!((papers.name().as_deref(), papers.can_save(), papers.reading()), (Some("game.kif"), true, None));
    document.comment(NodeId::START, "好局");
    let saved = papers.save(None, document.record()).unwrap();
    assert_eq!(saved, Some(Saved::Record(PaperRemark::Saved(path.display().to_string()))));
    let again = kifu::read(&files::read(&path, 1 << 20).unwrap()).unwrap();
    assert_eq!((again.encoding, again.games[0].node(NodeId::START).comment()), (Encoding::ShiftJis, Some("好局")));
    let other = scratch.0.join("game.usi");
    assert_eq!(papers.save(Some(&other), document.record()), Ok(None));
    assert!(matches!(papers.doubt(), Some(Doubt::Loses(Target::Usi, Loss::Comments(1), 1))), "{:?}", papers.doubt());
    assert_eq!(papers.path(), Some(path.as_path()), "nothing is written before it is confirmed");
    let saved = papers.save_all_the_same(document.record()).unwrap();
    assert!(matches!(saved, Some(Saved::Record(PaperRemark::SavedWithLoss(_, Target::Usi, ..)))), "{saved:?}");
    assert_eq!(papers.doubt(), None);
    assert!(papers.save(None, document.record()).unwrap().is_some(), "it is known now");
    assert_eq!(papers.path(), Some(other.as_path()), "that is the record's file from now on");
    assert_eq!(papers.recent(), [other, path]);
    assert_eq!(scratch.papers().recent(), papers.recent(), "also for the next start");
}

#[test]
fn what_was_not_read_whole_is_not_written_over() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let two = scratch.file("two.csa", "V2.2\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n");
    opened(&mut papers, &two);
    assert!(!papers.can_save(), "there is another game in it");
    let odd = scratch.file("odd.kif", &format!("{GAME}3 ９九玉(59)\n"));
    papers.open(&odd, 0);
    assert!(matches!(hear(&mut papers, None), Event::Opened(_, Some(Message::RecordWarnings(..)))));
    assert!(!papers.can_save(), "there is more in it than was understood");
}

#[test]
fn what_cannot_be_read_leaves_what_was_there() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let path = scratch.file("game.kif", GAME);
    opened(&mut papers, &path);
    papers.open(&scratch.0.join("none.kif"), 0);
    let Event::Said(trouble) = hear(&mut papers, None) else { panic!("a sentence") };
    assert!(trouble.text(Lang::En).contains("none.kif"));
    assert_eq!(papers.path(), Some(path.as_path()));
}

#[test]
fn a_file_that_another_program_writes_is_followed() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let path = scratch.file("live.kif", GAME);
    opened(&mut papers, &path);
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n"));
    match hear(&mut papers, None) {
        Event::Followed(record) => assert_eq!(record.len(), 3),
        other => panic!("{other:?}"),
    }
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n4 ８四歩(83)\n"));
    match hear(&mut papers, Some(1)) {
        Event::Said(Message::Paper(remark)) => assert!(matches!(*remark, PaperRemark::ChangedElsewhere(_))),
        other => panic!("the user's changes are not thrown away: {other:?}"),
    }
    assert!(papers.is_behind());
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n4 ８四歩(83)\n5 ２五歩(26)\n"));
    std::thread::park_timeout(Duration::from_millis(1800));
    assert!(papers.hear(Some(1)).is_empty(), "it is said once, not at every move");
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n4 ８四歩(83)\n5 ２五歩(26)\n6 ８五歩(84)\n"));
    assert!(matches!(hear(&mut papers, None), Event::Followed(_)), "what is undone is followed with the next move");
    assert!(!papers.is_behind());
}

#[test]
fn our_own_writing_is_not_followed() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let path = scratch.file("game.kif", GAME);
    let document = opened(&mut papers, &path);
    papers.save(None, document.record()).unwrap();
    std::thread::park_timeout(Duration::from_millis(1800));
    let heard = papers.hear(None);
    assert!(heard.is_empty(), "{heard:?}");
}

#[test]
fn a_copy_that_cannot_be_kept_is_said_once() {
    let scratch = Scratch::new();
    // In place of the folder for copies.
    scratch.file("config/unsaved", "");
    let mut papers = scratch.papers();
    for _ in 0..2 {
        papers.keep_aside(Some(Document::default().shared()));
    }
    let Event::Said(Message::Paper(remark)) = hear(&mut papers, None) else { panic!("a sentence") };
    assert!(matches!(&*remark, PaperRemark::NotKeptAside(why) if why.text(Lang::En).contains("unsaved")), "{remark:?}");
    papers.keep_aside(Some(Document::default().shared()));
    std::thread::park_timeout(Duration::from_millis(300));
    assert!(papers.hear(None).is_empty(), "not at every move");
}

#[test]
fn what_was_not_saved_is_left_behind_and_brought_back() {
    let scratch = Scratch::new();
    let papers = scratch.papers();
    let mut document = Document::default();
    document.comment(NodeId::START, "未保存");
    papers.keep_aside(Some(document.shared()));
    let folder = scratch.0.join("config/unsaved");
    let written = || files::list(&folder, 9).iter().any(|path| path.extension().is_some_and(|end| end == "kifu"));
    wait(|| written().then_some(()));
    assert_eq!(scratch.papers().left_behind(), [] as [LeftBehind; 0], "its program runs");
    // As when it is killed: nothing is tidied up, and the system lets go of the lock.
    drop(papers);
    let mut papers = scratch.papers();
    let [left] = papers.left_behind() else { panic!("{:?}", papers.left_behind()) };
    let left = left.copy.clone();
    papers.open(&left, 0);
    let Event::BroughtBack(record, copy) = hear(&mut papers, None) else { panic!("it was left behind") };
    assert_eq!(record.node(NodeId::START).comment(), Some("未保存"));
    assert_eq!(papers.path(), None, "it is in no file of the user's");
    papers.keep_aside(Some(Arc::new(record)));
    papers.brought_back(copy);
    drop(papers);
    let again = scratch.papers();
    let [kept] = again.left_behind() else { panic!("{:?}", again.left_behind()) };
    assert_ne!(kept.copy, left, "what was kept of it instead, and that only");
}

#[test]
fn nothing_is_done_before_it_is_asked() {
    let mut papers = Papers::new(None, Arc::new(|| {}));
    assert_eq!(papers.intend(Intent::Quit, false), Some(Intent::Quit));
    assert_eq!((papers.intend(Intent::Quit, true), papers.asks()), (None, true));
    assert_eq!((papers.answered(), papers.asks()), (Some(Intent::Quit), false));
}

#[test]
fn what_another_program_wrote_is_not_written_over_unasked() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let path = scratch.file("live.kif", GAME);
    let document = opened(&mut papers, &path);
    scratch.file("live.kif", &format!("{GAME}3 ２六歩(27)\n"));
    assert_eq!(papers.save(None, document.record()), Ok(None));
    assert_eq!(papers.doubt(), Some(&Doubt::ChangedElsewhere(path.display().to_string())));
    papers.think_better();
    assert_eq!(kifu::read(&files::read(&path, 1 << 20).unwrap()).unwrap().games[0].len(), 3);
    papers.save(None, document.record()).unwrap();
    assert!(papers.save_all_the_same(document.record()).unwrap().is_some());
    assert_eq!(kifu::read(&files::read(&path, 1 << 20).unwrap()).unwrap().games[0].len(), 2);
}

#[test]
fn a_position_is_no_place_for_a_record() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let path = scratch.file("pos.sfen", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
    opened(&mut papers, &path);
    assert!(!papers.can_save(), "moves would be lost in it");
    assert_eq!(papers.suggested(), path.with_extension("kifu"), "beside it");
    let game = kifu::read(GAME.as_bytes()).unwrap().games.remove(0);
    let other = scratch.0.join("now.sfen");
    let saved = papers.save(Some(&other), &game).unwrap();
    assert_eq!(saved, Some(Saved::Position(PaperRemark::PositionSaved(other.display().to_string()))));
    assert_eq!(papers.path(), Some(path.as_path()), "the record is not in it");
}

#[test]
fn the_games_of_a_file_are_at_hand() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let two = scratch.file("two.csa", "V2.2\nN+A\nN-B\nPI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n%TORYO\n");
    opened(&mut papers, &two);
    assert_eq!(papers.at_hand(), (["1. A – B", "2. ? – ?"].map(str::to_owned).as_slice(), 0));
    let second = papers.turn(1, 0).unwrap();
    assert_eq!((second.history(1).usi().as_str(), papers.at_hand().1), ("startpos moves 2g2f", 1));
    let one = scratch.file("one.kif", GAME);
    papers.open_all(vec![one.clone(), two], 0);
    assert!(matches!(hear(&mut papers, None), Event::Opened(..)));
    assert_eq!((papers.path(), papers.at_hand().0.len()), (Some(one.as_path()), 2));
    assert!(papers.turn(1, 0).is_none(), "it has to be read");
    assert!(matches!(hear(&mut papers, None), Event::Opened(..)));
    assert_eq!(papers.at_hand().0, ["one.kif", "1. A – B", "2. ? – ?"]);
}

#[test]
fn what_is_changed_while_a_file_is_read_is_asked_about() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let path = scratch.file("game.kif", GAME);
    papers.open(&path, 0);
    wait(|| {
        assert!(papers.hear(Some(1)).is_empty(), "it is not put in the place of what was changed");
        papers.asks().then_some(())
    });
    assert_eq!(papers.answered(), Some(Intent::Open(path)), "and is read again once that is clear");
}

/// What a program leaves behind that is killed with changes of this file that are not saved, on view again.
fn recovered(scratch: &Scratch, path: &Path, meanwhile: impl FnOnce()) -> (Papers, Record) {
    let mut papers = scratch.papers();
    let mut document = opened(&mut papers, path);
    document.comment(NodeId::START, "未保存");
    papers.keep_aside(Some(document.shared()));
    drop(papers);
    meanwhile();
    let mut papers = scratch.papers();
    let left = papers.left_behind().first().cloned().unwrap();
    assert_eq!(left.of.as_ref().map(|of| of.path.as_path()), Some(path));
    papers.open(&left.copy, 0);
    let Event::BroughtBack(record, copy) = hear(&mut papers, None) else { panic!("it was left behind") };
    papers.keep_aside(Some(Arc::new(record.clone())));
    papers.brought_back(copy);
    assert_eq!((papers.path(), papers.can_save()), (Some(path), true));
    (papers, record)
}

#[test]
fn a_recovered_record_is_saved_unasked_where_nobody_wrote_to_its_file() {
    let scratch = Scratch::new();
    let path = scratch.file("game.kif", GAME);
    let (mut papers, record) = recovered(&scratch, &path, || {});
    assert_eq!(papers.left_behind_of(), None, "the question has been answered");
    assert!(matches!(papers.save(None, &record), Ok(Some(Saved::Record(_)))), "{:?}", papers.doubt());
    assert!(!papers.is_behind() && papers.doubt().is_none());
}

#[test]
fn a_recovered_record_is_not_saved_unasked_over_what_another_program_wrote() {
    let scratch = Scratch::new();
    let path = scratch.file("game.kif", GAME);
    let (mut papers, record) = recovered(&scratch, &path, || {
        scratch.file("game.kif", &format!("{GAME}3 ２六歩(27)\n"));
    });
    assert_eq!(papers.save(None, &record), Ok(None));
    assert!(matches!(papers.doubt(), Some(Doubt::ChangedElsewhere(_))), "{:?}", papers.doubt());
}

#[test]
fn a_copy_of_an_earlier_version_names_no_other_program() {
    let scratch = Scratch::new();
    let path = scratch.file("game.kif", GAME);
    let (mut papers, record) = recovered(&scratch, &path, || {
        let folder = scratch.0.join("config/unsaved");
        let of = files::list(&folder, 9).into_iter().find(|path| path.extension().is_some_and(|end| end == "of"));
        files::write_whole(&of.unwrap(), path.to_str().unwrap().as_bytes()).unwrap();
    });
    assert_eq!(papers.save(None, &record), Ok(None));
    assert!(matches!(papers.doubt(), Some(Doubt::ThereAlready(_))), "{:?}", papers.doubt());
    assert!(papers.save_all_the_same(&record).unwrap().is_some());
    assert!(papers.save(None, &record).unwrap().is_some(), "it is known now");
}

#[test]
fn a_question_goes_when_it_is_answered_by_another_file() {
    let scratch = Scratch::new();
    let mut papers = scratch.papers();
    let path = scratch.file("game.kif", GAME);
    let document = opened(&mut papers, &path);
    scratch.file("game.kif", &format!("{GAME}3 ２六歩(27)\n"));
    assert_eq!(papers.save(None, document.record()), Ok(None));
    assert!(papers.doubt().is_some());
    assert!(papers.save(Some(&scratch.0.join("other.kif")), document.record()).unwrap().is_some());
    assert_eq!(papers.doubt(), None, "it is saved");
    scratch.file("other.kif", &format!("{GAME}3 ２六歩(27)\n"));
    assert_eq!(papers.save(None, document.record()), Ok(None));
    assert!(papers.doubt().is_some());
    papers.leave();
    assert_eq!(papers.doubt(), None, "it was about a record that is not on view any more");
}

#[test]
fn a_copy_of_version_0_1_is_found_again() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/golden/home");
    let [left] = custodian::left_behind(&home.join("unsaved")).try_into().unwrap();
    let record = kifu::read(&files::read(&left.copy, 1 << 20).unwrap()).unwrap().games.remove(0);
    assert_eq!((record.all().count(), record.player(crate::shogi::Color::Black)), (4, Some("A")));
    let of = left.of.unwrap();
    let stamp = of.stamp.map(|stamp| (stamp.size, stamp.modified));
    assert_eq!((of.path, stamp), ("/home/user/棋譜/名人戦.kif".into(), Some((123, 1_700_000_000_000_000_000))));
    let recent = super::recent::Recent::new(Some(home.join("recent.txt")));
    assert_eq!(recent.files(), [PathBuf::from("/home/user/棋譜/名人戦.kif"), "/home/user/a.csa".into()]);
}
