//! Tests of the page through accessibility labels and key presses.

mod address;
mod engine_game;
mod engines;
mod entry;
mod graph;
mod guess;
mod judge;
mod keys;
mod layout;
mod marks;
mod mate;
mod notes;
mod players;
mod review;
mod shelf;

use super::*;
use crate::fonts;
use egui::accesskit::{Role, Toggled};
use egui::{Event, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shogibar_games::bar::EngineView;
use shogibar_games::study::{self, UnsavedAnswer};
use shogibar_kifu::{End, Reason};
use shogibar_model::action::DrillAction;
use shogibar_shogi::Move;

/// A game whose move 3 is a mistake of Black, with a variation at move 2.
const GAME: &str = "先手：山田\n後手：鈴木\n手数----指手---------消費時間--\n1 ７六歩(77) (0:12/)\n*#評価値=30\n\
    2 ３四歩(33) (0:20/)\n*#評価値=40\n3 ２六歩(27) (0:05/)\n*#評価値=-500\n4 ４四歩(43) (1:05/)\n\n\
    変化：2手\n2 ８四歩(83)\n3 ２六歩(27)\n";

/// The page with a record, and the actions that the page has requested.
struct StudyFixture {
    page: StudyPage,
    document: Document,
    insight: RecordInsight,
    live_values: study::LiveValues,
    bar: bar::BarView,
    lang: Lang,
    question: Option<StudyQuestion>,
    game_titles: Vec<String>,
    tabs: Vec<GameTab>,
    engines: Vec<String>,
    notice: Option<bar::BarNotice>,
    file: FileState,
    analysis: Option<Progress>,
    keys: StudyKeys,
    inquiry: Option<shogibar_games::study::Inquiry>,
    engine_game: Option<EngineGame>,
    source: Option<SourceStatus<'static>>,
    replaced_engine: Option<&'static str>,
    actions: Vec<StudyAction>,
    deck: study::DrillDeck,
    shelf: shelf::ShelfFixture,
}

impl StudyFixture {
    /// Draws the page in a light theme.
    fn show(&mut self, ui: &mut Ui) {
        self.show_in(ui, &crate::theme::paper());
    }

    fn show_in(&mut self, ui: &mut Ui, theme: &PaintTheme) {
        self.insight.update(&self.document);
        let rows = study::rows(&self.document, self.lang);
        let history = self.document.history();
        let notice = self.notice.clone();
        let recent = ["/games/old.kif", "csa://me@host/g"].map(PathBuf::from);
        let view = StudyView {
            document: &self.document,
            rows: &rows,
            insight: &self.insight,
            live_values: &self.live_values,
            history: &history,
            bar: &self.bar,
            name: Some("game.kif"),
            recent_files: &recent,
            file: self.file,
            is_paused: false,
            engine: "builtin",
            engines: &self.engines.clone(),
            engine_status: EngineStatus {
                searches: &[EngineSearch {
                    name: "builtin".to_owned(),
                    multipv: Some(3),
                    limit: None,
                }],
                replaced_engine: self.replaced_engine,
                problems: &[],
            },
            analysis: self.analysis.as_ref(),
            is_flipped: false,
            keys: &self.keys.clone(),
            has_motion: true,
            style: BoardStyle::default(),
            question: self.question.as_ref(),
            tabs: &self.tabs,
            current_tab: 0,
            game_titles: &self.game_titles,
            current_game: 0,
            notice: notice.as_ref(),
            status: StudyStatus {
                shows_arrows: true,
                source: self.source,
                ..StudyStatus::default()
            },
            inquiry: self.inquiry.as_ref(),
            engine_game: self.engine_game.as_ref(),
            shelf: self.shelf.view(),
            video: None,
            drill: DrillView {
                deck: &self.deck,
                today: 20_000,
                collected_files: None,
                outcome: None,
                problem: None,
            },
        };
        for action in self.page.show(ui, &view, theme, self.lang) {
            self.apply(action);
        }
    }

    /// Applies an action as the main window does, as far as the tests need that, and keeps the action.
    fn apply(&mut self, action: StudyAction) {
        let document = &mut self.document;
        match &action {
            StudyAction::App(AppAction::Edit(edit)) => document.apply(edit.clone()),
            StudyAction::App(AppAction::Ask(inquiry)) => {
                self.inquiry.clone_from(inquiry);
                return self.actions.push(action);
            }
            StudyAction::App(AppAction::StartGame(position)) if self.question.is_none() => {
                document.open(shogibar_kifu::Record::new(position));
            }
            StudyAction::App(AppAction::Drill(DrillAction::Add(cards))) => {
                for card in cards {
                    self.deck.apply(study::DrillLine::Card(card.clone()));
                }
            }
            StudyAction::App(AppAction::Drill(DrillAction::RecordAnswer { card, day, right })) => {
                self.deck.apply(study::DrillLine::Result {
                    card: *card,
                    day: *day,
                    right: *right,
                });
            }
            StudyAction::SetKeys(keys) => self.keys = (**keys).clone(),
            // The main window carries these actions out in the same way.
            StudyAction::Command(Command::OpenAddress) => return self.page.open_address(),
            StudyAction::Command(Command::Players) => return self.page.open_players(document),
            StudyAction::App(AppAction::ChooseJudge(by)) => self.insight.choose_judge(by.clone()),
            _ => {}
        }
        self.actions.push(action);
    }

    /// Returns the current line in USI, with `|` at the current node.
    fn line(&self) -> String {
        let record = self.document.record();
        let word = |node: &NodeId| {
            record
                .node(*node)
                .mv()
                .map_or_else(|| "end".to_owned(), |mv| mv.to_string())
        };
        let mut words: Vec<_> = self.document.line().iter().map(word).collect();
        words.insert(self.document.ply(), "|".to_owned());
        words.join(" ")
    }
}

/// Creates a page with [`GAME`].
fn fixture(lang: Lang) -> StudyFixture {
    let document = Document::new(shogibar_kifu::read(GAME.as_bytes()).unwrap().games.remove(0));
    StudyFixture {
        page: StudyPage::default(),
        document,
        insight: RecordInsight::default(),
        live_values: study::LiveValues::default(),
        bar: bar::BarView {
            engines: vec![EngineView::default()],
            ..bar::BarView::default()
        },
        lang,
        game_titles: Vec::new(),
        tabs: Vec::new(),
        engines: vec!["builtin".to_owned(), "水匠".to_owned()],
        notice: None,
        file: FileState::Unchanged,
        question: None,
        analysis: None,
        keys: StudyKeys::default(),
        inquiry: None,
        engine_game: None,
        source: None,
        replaced_engine: None,
        actions: Vec::new(),
        deck: study::DrillDeck::default(),
        shelf: shelf::ShelfFixture::default(),
    }
}

/// Opens a page in a large window.
fn open(fixture: StudyFixture) -> Harness<'static, StudyFixture> {
    let mut page = Harness::builder()
        .with_size([1320.0, 880.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(
            |ui: &mut Ui, fixture: &mut StudyFixture| fixture.show(ui),
            fixture,
        );
    page.run();
    page
}

/// Opens the Japanese page with [`GAME`].
fn page() -> Harness<'static, StudyFixture> {
    open(fixture(Lang::Ja))
}

fn click(page: &mut Harness<'static, StudyFixture>, label: &str) {
    page.get_all_by_label(label).next().expect(label).click();
    page.run();
}

/// Takes the actions that the page has requested since the last call.
fn take_actions(page: &mut Harness<'static, StudyFixture>) -> Vec<StudyAction> {
    std::mem::take(&mut page.state_mut().actions)
}

fn mv(usi: &str) -> Move {
    Move::from_usi(usi).unwrap()
}

#[test]
fn clicking_the_board_plays_a_move() {
    let mut page = page();
    click(&mut page, "2七　先手の歩");
    click(&mut page, "2六");
    assert_eq!(take_actions(&mut page), [DocumentEdit::Play(mv("2g2f")).into()]);
    assert_eq!(page.state().line(), "2g2f |");
}

#[test]
fn clicking_a_row_goes_to_its_move() {
    let mut page = page();
    click(&mut page, "3 ▲2六歩 −500 悪手 0:05");
    assert_eq!(page.state().line(), "7g7f 3c3d 2g2f | 4c4d");
    click(&mut page, "0 開始局面");
    assert_eq!(page.state().document.ply(), 0);
}

#[test]
fn variations_can_be_selected_promoted_and_deleted() {
    let mut page = page();
    page.state_mut().document.go_to(1);
    page.run();
    click(&mut page, "△8四歩");
    assert_eq!(page.state().line(), "7g7f 8c8d | 2g2f");
    click(&mut page, "その他");
    page.get_by_label_contains("本譜にする").click();
    page.run();
    let StudyAction::Command(command) = take_actions(&mut page).pop().unwrap() else {
        panic!("no command")
    };
    assert_eq!(command, Command::MainLine);
    click(&mut page, "分岐");
    page.get_by_label("2 △3四歩 +40").click_secondary();
    page.run();
    click(&mut page, "この手以降を削除");
    assert!(matches!(
        take_actions(&mut page).as_slice(),
        [StudyAction::App(AppAction::Edit(DocumentEdit::DeleteNode(_)))]
    ));
    assert_eq!(page.state().document.record().all().count(), 4);
}

#[test]
fn typing_a_digit_starts_move_entry() {
    let mut page = page();
    page.event(Event::Text("2".to_owned()));
    page.run();
    page.event(Event::Text("726".to_owned()));
    page.run();
    page.key_press(Key::Enter);
    page.run();
    assert_eq!(take_actions(&mut page), [DocumentEdit::Play(mv("2g2f")).into()]);
    page.event(Event::Text("99".to_owned()));
    page.run();
    page.key_press(Key::Enter);
    page.run();
    assert_eq!(
        take_actions(&mut page),
        [],
        "a text that is not a move plays nothing"
    );
}

/// The bar may ask for a path before the page has drawn the current record.
#[test]
fn the_field_for_a_path_is_there_in_the_first_frame_of_a_record() {
    let mut fixture = fixture(Lang::Ja);
    fixture.document = Document::with_first_revision(7);
    fixture
        .page
        .ask_for_path(PathPurposeKind::Open, Path::new("/games/"));
    let mut page = open(fixture);
    let has_field = |page: &Harness<'static, StudyFixture>| {
        page.query_by_label(StudyPhrase::Path.text(Lang::Ja)).is_some()
    };
    assert!(has_field(&page));
    page.state_mut().document = Document::with_first_revision(9);
    page.run();
    assert!(!has_field(&page), "it was for the record before");
}

#[test]
fn pasted_text_is_loaded_as_a_record() {
    let mut page = page();
    page.event(Event::Paste("startpos moves 7g7f".to_owned()));
    page.run();
    assert_eq!(
        take_actions(&mut page),
        [AppAction::PasteText("startpos moves 7g7f".to_owned()).into()]
    );
    page.event(Event::Copy);
    page.run();
    assert_eq!(take_actions(&mut page), [StudyAction::Command(Command::Copy)]);
}

#[test]
fn position_can_be_set_up() {
    let mut page = page();
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::E);
    page.run();
    click(&mut page, "手合割");
    click(&mut page, "二枚落ち");
    page.state_mut().question = Some(StudyQuestion::Save {
        games: 1,
        unsaved_at_quit: None,
    });
    page.run();
    click(&mut page, "キャンセル");
    page.state_mut().question = None;
    page.run();
    assert_eq!(
        take_actions(&mut page),
        [StudyAction::AnswerUnsaved(UnsavedAnswer::Cancel)],
        "the position that was set up stays"
    );
    click(&mut page, "この局面で始める");
    let done = take_actions(&mut page);
    let [StudyAction::App(AppAction::StartGame(position))] = done.as_slice() else {
        panic!("{done:?}")
    };
    assert_eq!(Some((**position).clone()), shogibar_kifu::handicap("二枚落ち"));
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::E);
    page.run();
    click(&mut page, "盤全体");
    click(&mut page, "駒をすべて駒箱へ");
    assert!(
        page.query_by_label("先手の玉が1枚ではありません。").is_some(),
        "the page says why no engine searches this position"
    );
    click(&mut page, "キャンセル");
    assert_eq!(take_actions(&mut page), []);
}

/// Escape leaves a position without changes, and keeps a position that the user has changed.
#[test]
fn escape_ends_a_setup_without_changes() {
    let mut page = open(fixture(Lang::Ja));
    let set_up = |page: &mut Harness<'static, StudyFixture>| {
        page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::E);
        page.run();
    };
    let is_open = |page: &Harness<'static, StudyFixture>| page.query_all_by_label("盤全体").next().is_some();
    set_up(&mut page);
    assert!(is_open(&page));
    page.key_press(Key::Escape);
    page.run();
    assert!(!is_open(&page));
    set_up(&mut page);
    click(&mut page, "手番を変える");
    page.key_press(Key::Escape);
    page.run();
    assert!(is_open(&page));
}

#[test]
fn unsaved_and_recoverable_records_need_confirmation() {
    let mut fixture = fixture(Lang::En);
    fixture.question = Some(StudyQuestion::Save {
        games: 1,
        unsaved_at_quit: None,
    });
    let mut page = open(fixture);
    for label in ["Save and continue", "Don't save", "Cancel"] {
        click(&mut page, label);
    }
    assert_eq!(
        take_actions(&mut page),
        [UnsavedAnswer::Save, UnsavedAnswer::Discard, UnsavedAnswer::Cancel].map(StudyAction::AnswerUnsaved)
    );
    page.state_mut().question = Some(StudyQuestion::Save {
        games: 1,
        unsaved_at_quit: Some(3),
    });
    page.run();
    click(&mut page, "Save and quit");
    click(&mut page, "Save none of the 3");
    page.key_press(Key::Escape);
    page.run();
    assert_eq!(
        take_actions(&mut page),
        [
            UnsavedAnswer::Save,
            UnsavedAnswer::DiscardAll,
            UnsavedAnswer::Cancel
        ]
        .map(StudyAction::AnswerUnsaved),
        "Escape changes nothing"
    );
    // The safe answer has the focus, and the question names the other games of a list.
    let several = StudyQuestion::Save {
        games: 3,
        unsaved_at_quit: Some(3),
    };
    for (question, safe) in [
        (several.clone(), UnsavedAnswer::Save),
        (
            StudyQuestion::SaveDespite("Another program has changed it.".to_owned()),
            UnsavedAnswer::Cancel,
        ),
    ] {
        page.state_mut().question = Some(question);
        page.run();
        page.key_press(Key::Enter);
        page.run();
        assert_eq!(take_actions(&mut page), [StudyAction::AnswerUnsaved(safe)]);
    }
    page.state_mut().question = Some(several);
    page.run();
    assert!(page.query_by_label_contains("and 2 more are not saved").is_some());
    assert!(
        page.query_by_label_contains("Save none").is_none(),
        "there are no others"
    );
    page.state_mut().question = Some(StudyQuestion::Recover(1, Some("game.kif".to_owned())));
    page.run();
    click(&mut page, "Open it");
    for label in ["Discard it", "Cancel", "Discard it", "Discard it"] {
        click(&mut page, label);
    }
    assert_eq!(
        take_actions(&mut page),
        [true, false].map(|recovers| AppAction::Recover(recovers).into()),
        "discarding needs a second confirmation"
    );
    assert!(
        page.query_by_label("Analyse the game").is_some(),
        "the toolbar stays available"
    );
}

#[test]
fn the_state_of_a_source_is_seen_in_a_narrow_window() {
    let mut fixture = fixture(Lang::En);
    let words = "Waiting for the picture to settle…";
    fixture.source = Some(SourceStatus {
        sentence: words,
        command: Command::ReadScreen,
        reads_screen: false,
    });
    let mut page = open(fixture);
    for width in [1320.0, 1000.0, 880.0] {
        page.set_size(vec2(width, 600.0));
        page.run();
        let rect = page.get_by_label(words).rect();
        assert!(rect.width() > 200.0 && rect.right() < width, "{width}: {rect}");
    }
    click(&mut page, words);
    assert_eq!(
        take_actions(&mut page),
        [StudyAction::Command(Command::ReadScreen)]
    );
}

#[test]
fn small_board_mode_can_be_toggled() {
    let mut page = page();
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::COMMAND, Key::M);
    page.run();
    assert!(page.state().page.is_small());
    assert!(page.query_by_label("棋譜").is_none() && page.query_by_label("7七　先手の歩").is_some());
    click(&mut page, "小さな盤にする・戻す");
    assert!(!page.state().page.is_small());
}

#[test]
fn current_move_is_visible_at_any_height() {
    let moves = ["5i5h", "5a5b", "5h5i", "5b5a"].repeat(20).join(" ");
    let mut fixture = fixture(Lang::En);
    fixture.document = Document::new(
        shogibar_kifu::read(format!("startpos moves {moves}").as_bytes())
            .unwrap()
            .games
            .remove(0),
    );
    fixture.document.go_to(usize::MAX);
    let mut page = open(fixture);
    for height in [880.0, 790.0, 640.0, 1000.0, 420.0] {
        page.set_size(vec2(1320.0, height));
        page.run();
        let rect = page.get_by_label("80 K-5a").rect();
        assert!(
            rect.bottom() <= height - 20.0 && rect.height() > 20.0,
            "{height}: {rect}"
        );
    }
}

#[test]
fn small_page_has_a_comment_tab() {
    let mut page = page();
    page.set_size(vec2(880.0, 600.0));
    page.run();
    assert!(
        page.query_by_role_and_label(Role::MultilineTextInput, "コメント")
            .is_none()
    );
    click(&mut page, "コメント");
    assert!(
        page.query_by_role_and_label(Role::MultilineTextInput, "コメント")
            .is_some()
    );
}

#[test]
fn progress_bar_is_shown_while_a_file_is_read() {
    let mut page = page();
    assert!(
        page.query_by_role_and_label(Role::ProgressIndicator, "読み込んでいます…")
            .is_none()
    );
    page.state_mut().file = FileState::Opening;
    page.step();
    let bar = page
        .get_by_role_and_label(Role::ProgressIndicator, "読み込んでいます…")
        .rect();
    assert!(bar.width() > 60.0 && bar.top() < 120.0, "{bar}");
}

#[test]
fn tab_leads_from_a_path_to_its_buttons() {
    let mut page = page();
    page.state_mut().tabs = vec![
        GameTab {
            title: "A – B".to_owned(),
            is_unsaved: false
        };
        2
    ];
    page.state_mut()
        .page
        .ask_for_path(PathPurposeKind::Save, Path::new("/games/a.kif"));
    page.run();
    for label in ["保存", "キャンセル"] {
        page.key_press(Key::Tab);
        page.run();
        let button = page.get_by_role_and_label(Role::Button, label);
        assert!(
            button.accesskit_node().is_focused() && button.rect().right() < 1320.0,
            "{label}: {}",
            button.rect()
        );
    }
}

#[test]
fn tree_scrolls_to_an_added_move() {
    let moves = ["5i5h", "5a5b", "5h5i", "5b5a"].repeat(20).join(" ");
    let mut fixture = fixture(Lang::En);
    fixture.document = Document::new(
        shogibar_kifu::read(format!("startpos moves {moves}").as_bytes())
            .unwrap()
            .games
            .remove(0),
    );
    fixture.document.go_to(usize::MAX);
    fixture.page.show_tree(true);
    let mut page = open(fixture);
    for (ply, usi) in (81..).zip(["2g2f", "8c8d", "2f2e"]) {
        page.state_mut().document.play(mv(usi)).unwrap();
        page.run();
        let here = page
            .get_all_by_label_contains(&format!("{ply} "))
            .last()
            .unwrap()
            .rect();
        assert!(here.bottom() <= 880.0 - 20.0, "{ply}: {here}");
    }
}
