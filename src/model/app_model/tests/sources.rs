//! The sources of a random history: games that are followed from addresses.

mod screens;

use super::{Fault, ModelSimulation, opening};
use crate::action::AppAction;
use crate::app_model::{AppEffect, AppEvent, AppModel, ModelOptions, StoredFiles};
use crate::game::{Game, GameSource, OpenPosition, StoredValues};
use crate::ids::{GameId, SourceId};
use crate::open_request::OpenRequest;
use crate::outputs::{OutputCommand, OutputId};
use crate::record_file::{FileEffect, FileEvent, RequestNumber};
use crate::settings::ModelSettings;
use crate::{EngineId, EngineInfo};
use shogibar_base::Lang;
use shogibar_config::{Command, ModelCommand};
use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::session::Snapshot;
use shogibar_games::bar::LiveMark;
use shogibar_games::study::{Document, DocumentEdit, UnsavedAnswer};
use shogibar_kifu::{End, NodeId, Reason, Record};
use shogibar_live::{
    BoardCorrection, EndCause, GameChoice, LiveAddress, LiveGame, ScreenFollowing, SourceEvent,
    SourceProblem, SourceState,
};
use shogibar_programme::Delay;
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{History, Move, Position};
use std::sync::Arc;
use std::time::Duration;

/// The moves of the games.
const MOVES: [&str; 6] = ["7g7f", "3c3d", "2g2f", "8c8d", "6i7h", "4a3b"];
/// The move by which a game branches off.
const BRANCH_MOVE: &str = "5g5f";

/// Returns an address: of a record, of a server's list, of a channel, or of the screen.
pub(super) fn address(nth: usize) -> LiveAddress {
    let text = [
        "http://localhost/game.kif",
        "csa://me:secret@localhost",
        "https://lishogi.org/tv",
    ];
    text.get(nth).map_or(LiveAddress::Screen(None), |text| {
        LiveAddress::parse(text).unwrap()
    })
}

/// A simulated source that runs.
pub(super) struct TestSource {
    pub(super) id: SourceId,
    number: u8,
    pub(super) count: usize,
    branches: bool,
    has_ended: bool,
    comments: u8,
}

impl TestSource {
    /// Creates a source without a game.
    pub(super) const fn new(id: SourceId) -> Self {
        Self {
            id,
            number: 0,
            count: 0,
            branches: false,
            has_ended: false,
            comments: 0,
        }
    }

    pub(super) fn game(&self) -> LiveGame {
        let mut record = Record::new(&Position::startpos());
        let word = |(at, word): (usize, &&str)| {
            if self.branches && at == 2 {
                BRANCH_MOVE.to_owned()
            } else {
                (*word).to_owned()
            }
        };
        let words = MOVES.iter().enumerate().map(word).take(self.count);
        let moves: Vec<Move> = words.map(|word| Move::from_usi(&word).unwrap()).collect();
        record.add_line(NodeId::START, &moves);
        let last = record.main_line().last().unwrap_or(NodeId::START);
        if self.comments > 0 {
            record.node_mut(last).notes_mut().comment = Some(format!("** {}", self.comments));
        }
        let mut document = Document::new(record);
        if self.has_ended {
            document.go_to(usize::MAX);
            document.end(End::at_position(Reason::Resignation, document.history().now()));
        }
        LiveGame::from_record(self.number.to_string(), document.shared_record())
    }
}

impl ModelSimulation {
    /// Changes the game of a source, in the way of `what`.
    pub(super) fn continue_source(&mut self, nth: usize, what: u8) {
        let Some(source) = self.sources.get_mut(nth) else {
            return;
        };
        match what % 8 {
            0 => source.count = source.count.saturating_sub(2),
            1 => (source.number, source.count) = (source.number.wrapping_add(1), usize::from(what / 8) % 3),
            2 => source.branches = !source.branches,
            3 => source.has_ended = !source.has_ended,
            4 => source.comments = source.comments.wrapping_add(1),
            _ => source.count = (source.count + 1).min(MOVES.len()),
        }
        let (id, game) = (source.id, source.game());
        let to = if self.fault == Fault::ConfusesSources {
            self.sources[0].id
        } else {
            id
        };
        self.handle(AppEvent::Source(to, SourceEvent::Game(game.clone())));
        self.check_source(id, &game.record);
    }

    /// Checks that the record of the source's game has its moves and its end. Also checks that a user at the newest
    /// position stays there.
    fn check_source(&mut self, id: SourceId, record: &Record) {
        let games = self.model.games.iter().map(|(_, game)| game);
        if self.model.clipboard == Some(id) {
            return;
        }
        let Some(game) = games
            .filter(|game| game.source().is_some_and(|source| source.id == id))
            .last()
        else {
            return;
        };
        let own = game.document().record();
        let mut line = record.main_line().map(|node| record.node(node).step());
        let path = line.try_fold(NodeId::START, |node, step| {
            own.children(node).find(|child| own.node(*child).step() == step)
        });
        if path.is_none() {
            return self.fail("a move of a source's game is missing");
        }
        if !game.document().is_changed() && game.file().path().is_none() && own != record {
            self.fail("the record is not that of its source");
        }
    }

    /// Lets a source report a state or a list of games. `what` selects it.
    pub(super) fn change_source_state(&mut self, nth: usize, what: u8) {
        let Some(source) = self.sources.get(nth) else {
            return;
        };
        let id = source.id;
        let retry_in = Duration::from_millis(u64::from(what) * 50);
        let choice = |name: &str| GameChoice {
            title: name.to_owned(),
            address: format!("http://localhost/{name}.csa"),
        };
        let event = match what % 8 {
            0 => SourceEvent::State(SourceState::Live),
            1 => SourceEvent::State(SourceState::Ended(EndCause::GameOver)),
            2 => SourceEvent::State(SourceState::Ended(EndCause::Unchanged)),
            3 => SourceEvent::State(SourceState::Ended(EndCause::Refused(SourceProblem::NoSuchGame))),
            4 => SourceEvent::Games(vec![choice("one"), choice("two")]),
            5 => SourceEvent::Games(Vec::new()),
            _ => SourceEvent::State(SourceState::Lost {
                problem: SourceProblem::Timeout,
                retry_in,
            }),
        };
        self.handle(AppEvent::Source(id, event));
    }
}

/// A model with an engine, and the sources that it started.
struct LiveModel {
    model: AppModel,
    started_sources: Vec<(SourceId, LiveAddress)>,
    /// The game that the newest source continues.
    begun_game: Option<LiveGame>,
    ended_sources: Vec<SourceId>,
    screens: Vec<ScreenFollowing>,
    /// The user's corrections of the screen.
    corrections: Vec<BoardCorrection>,
    /// The values that were stored with results, by engine.
    results: Vec<(String, Vec<i16>)>,
    /// The values that were stored last for the next run.
    stored_values: Vec<StoredValues>,
    /// The file that is requested.
    reading: Option<(GameId, RequestNumber)>,
}

impl LiveModel {
    fn new() -> Self {
        Self::with_values(Vec::new())
    }

    /// Creates a model with the values of an earlier run.
    fn with_values(values: Vec<StoredValues>) -> Self {
        let model = AppModel::new(
            Lang::En,
            StoredFiles {
                values,
                ..StoredFiles::default()
            },
            ModelOptions::default(),
        );
        let (started, ended, screens, results) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let corrections = Vec::new();
        Self {
            model,
            started_sources: started,
            begun_game: None,
            ended_sources: ended,
            screens,
            corrections,
            results,
            stored_values: Vec::new(),
            reading: None,
        }
    }

    /// Applies an event, and stores its effects.
    fn handle(&mut self, event: AppEvent) {
        for effect in self.model.update(event) {
            match effect {
                AppEffect::StartSource(id, address, begun) => {
                    self.started_sources.push((id, address));
                    self.begun_game = begun;
                }
                AppEffect::EndSource(id) => self.ended_sources.push(id),
                AppEffect::SetScreen(_, screen) => self.screens.push(screen),
                AppEffect::CorrectScreen(_, correction) => self.corrections.push(*correction),
                AppEffect::StoreResults(games) => {
                    self.results
                        .extend(games.into_iter().map(|game| (game.engine, game.values)));
                }
                AppEffect::File(game, FileEffect::Read { request, .. }) => {
                    self.reading = Some((game, request));
                }
                AppEffect::StoreValues(values) => {
                    self.stored_values = values.iter().map(|values| (**values).clone()).collect();
                }
                _ => {}
            }
        }
    }

    fn set(&mut self, change: impl FnOnce(&mut ModelSettings)) {
        self.handle(self.model.changed_settings(change));
    }

    /// Applies an action on the bar of the study page.
    fn act(&mut self, action: AppAction) {
        self.handle(AppEvent::Action(self.model.study_bar(), action));
    }

    fn open(&mut self, addresses: &[&str]) {
        let parse = |text: &&str| LiveAddress::parse(text).unwrap();
        self.act(AppAction::OpenAddresses(addresses.iter().map(parse).collect()));
    }

    /// Lets the source that was started last report a game with these moves.
    fn play(&mut self, id: &str, moves: &str) {
        self.play_until(id, moves, false);
    }

    /// Plays moves in a game that may have ended by resignation.
    fn play_until(&mut self, id: &str, moves: &str, has_ended: bool) {
        let history = History::from_usi(&format!("startpos moves {moves}")).unwrap();
        let record = Record::from_history(&history);
        let mut document = Document::new(record);
        if has_ended {
            document.go_to(usize::MAX);
            document.end(End::at_position(Reason::Resignation, document.history().now()));
        }
        let game = LiveGame::from_record(id.to_owned(), document.shared_record());
        self.report(SourceEvent::Game(game));
        self.report(SourceEvent::State(SourceState::Live));
    }

    fn report(&mut self, event: SourceEvent) {
        let (id, _) = self.started_sources.last().cloned().unwrap();
        self.handle(AppEvent::Source(id, event));
    }

    fn open_file(&mut self, path: &str, moves: &str) {
        self.act(AppAction::OpenFile(path.into()));
        // The setting is turned off before the file is read.
        self.set(|settings| settings.watches_clipboard = false);
        let (game, request) = self.reading.take().unwrap();
        let result = Ok(shogibar_kifu::read(format!("position startpos moves {moves}").as_bytes()).unwrap());
        self.handle(AppEvent::File(
            game,
            FileEvent::Read {
                request,
                result,
                stamp: None,
            },
        ));
    }

    /// Lets an engine show a value of the current position.
    fn show_value(&mut self, cp: i32) {
        let (id, history) = (self.model.study_game(), Arc::clone(self.game().history()));
        let best = Candidate {
            rank: 1,
            value: Value::Cp(cp),
            bound: None,
            depth: Some(9),
            pv: Vec::new(),
        };
        let info = SearchInfo {
            history,
            candidates: vec![best],
            stats: SearchStats::default(),
        };
        self.model
            .game_mut(id)
            .unwrap()
            .add_values("Suisho", &info, WinRateModel::default());
    }

    /// Returns the game on the study page.
    fn game(&self) -> &Game {
        self.model.game(self.model.study_game())
    }

    /// Returns the moves up to the current position, and the live mark.
    fn shown(&self) -> (String, Option<LiveMark>) {
        let moves = self
            .game()
            .history()
            .moves()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ");
        (moves, self.game().live_mark())
    }
}

const GAME: &str = "http://localhost/game.kif";

#[test]
fn only_a_user_at_the_newest_position_follows_new_moves() {
    let mut live = LiveModel::new();
    live.open(&[GAME]);
    assert_eq!(live.shown(), (String::new(), Some(LiveMark::Waiting)));
    assert!(
        live.game().search_position().is_none(),
        "the empty board is not the game"
    );
    live.play("a", "7g7f 3c3d");
    assert_eq!(live.shown(), ("7g7f 3c3d".to_owned(), Some(LiveMark::Live)));
    live.act(AppAction::Step(-1));
    live.play("a", "7g7f 3c3d 2g2f 8c8d");
    assert_eq!(live.shown(), ("7g7f".to_owned(), Some(LiveMark::Behind(3))));
    live.act(AppAction::run(ModelCommand::Last));
    // Two moves are taken back.
    live.play("a", "7g7f 3c3d");
    assert_eq!(live.shown(), ("7g7f 3c3d".to_owned(), Some(LiveMark::Live)));
    let retry_in = Duration::from_secs(20);
    live.report(SourceEvent::State(SourceState::Lost {
        problem: SourceProblem::Timeout,
        retry_in,
    }));
    assert_eq!(live.shown().1, Some(LiveMark::Lost));
    live.report(SourceEvent::State(SourceState::Ended(EndCause::GameOver)));
    assert_eq!(live.shown(), ("7g7f 3c3d".to_owned(), None));
}

#[test]
fn another_game_replaces_one_without_user_work() {
    let mut live = LiveModel::new();
    live.open(&["https://lishogi.org/tv"]);
    live.play("a", "7g7f");
    live.play("b", "2g2f");
    assert_eq!((live.shown().0.as_str(), live.model.games().count()), ("2g2f", 1));
    let first = live.model.study_game();
    live.act(AppAction::Edit(DocumentEdit::SetComment(
        NodeId::START,
        "mine".to_owned(),
    )));
    live.play("b", "2g2f 8c8d");
    assert_eq!(
        (live.shown().0.as_str(), live.model.games().count()),
        ("2g2f 8c8d", 1)
    );
    live.play("c", "7g7f");
    assert_eq!(
        (live.shown().0.as_str(), live.model.games().count()),
        ("7g7f", 2),
        "it has a tab of its own"
    );
    assert!(live.model.game(first).document().is_changed());
    assert_eq!(live.model.game(first).live_mark(), None);
    live.act(AppAction::run(ModelCommand::First));
    live.play("d", "7g7f");
    assert_eq!(
        (live.shown().0.as_str(), live.model.games().count()),
        ("", 3),
        "who looks at another position stays"
    );
}

#[test]
fn the_values_of_a_followed_game_are_kept_at_its_end() {
    let pawns = (1..=9)
        .rev()
        .map(|file| format!("{file}g{file}f {file}c{file}d "))
        .collect::<Vec<_>>()
        .concat();
    let moves = pawns + "6i7h 4a3b 4i5h 6a5b";
    let mut live = LiveModel::new();
    live.set(|settings| settings.keeps_results = true);
    live.open(&["https://lishogi.org/tv"]);
    live.play("a", &moves);
    live.show_value(70);
    live.play("a", &moves);
    assert_eq!(live.results, [], "the game goes on");
    live.play_until("a", &moves, true);
    let results = |cp: i16| ("Suisho".to_owned(), vec![cp]);
    assert_eq!(live.results, [results(70)]);
    live.play_until("a", &moves, true);
    assert_eq!(live.results.len(), 1, "it has ended already");
    // The values after the end are stored before the next game replaces it.
    live.act(AppAction::run(ModelCommand::Last));
    live.show_value(90);
    live.play("b", "7g7f");
    assert_eq!(live.results, [results(70), results(90)]);
}

#[test]
fn values_outlast_the_program() {
    let mut live = LiveModel::new();
    live.open(&[GAME]);
    for (cp, moves) in [(30, "7g7f"), (-40, "7g7f 3c3d"), (50, "7g7f 3c3d 2g2f")] {
        live.play("a", moves);
        live.show_value(cp);
    }
    let other = "http://localhost/other.kif";
    live.open(&[other]);
    live.play("b", "2g2f");
    live.show_value(99);
    live.act(AppAction::Close(live.model.study_game()));
    live.act(AppAction::run(ModelCommand::First));
    assert_eq!(
        live.stored_values.len(),
        2,
        "that of the game that was closed, too"
    );
    let mut again = LiveModel::with_values(live.stored_values.clone());
    let values = |live: &LiveModel| {
        let shown = live.game().live_values();
        shown
            .line
            .iter()
            .map(|series| series.values.clone())
            .collect::<Vec<_>>()
    };
    again.open(&[GAME]);
    assert_eq!(values(&again), Vec::<Vec<_>>::new());
    // A move was taken back, and others followed.
    again.play("a", "7g7f 3c3d 8h2b+ 3a2b");
    assert_eq!(
        values(&again),
        [[None, Some(30), Some(-40), None, None].map(|cp| cp.map(Value::Cp))]
    );
    // Until the engine has a value, the stored one is shown, greyed.
    let info = EngineInfo {
        name: "Suisho".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    again.model.add_engine(again.model.study_bar(), info);
    again.act(AppAction::Step(-2));
    let view = again.model.bar_view(again.model.study_bar());
    assert!(
        view.is_stale && view.share.is_some_and(|share| share < 0.5) && view.evaluation.is_empty(),
        "{view:?}"
    );
    again.act(AppAction::run(ModelCommand::First));
    again.show_value(7);
    again.act(AppAction::Step(1));
    assert_eq!(again.stored_values.len(), 2);
}

#[test]
fn a_delayed_position_keeps_its_value_and_clocks_over_a_restart() {
    let mut live = LiveModel::new();
    let bar = live.model.study_bar();
    let output = |command| AppAction::Output(OutputId::Bar(bar), command);
    live.open(&[GAME]);
    live.act(output(OutputCommand::Lock(true)));
    let info = EngineInfo {
        name: "Suisho".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    live.model.add_engine(bar, info);
    let play = |live: &mut LiveModel, moves: &str| {
        let record = shogibar_kifu::read(format!("持ち時間：10分\n{moves}").as_bytes())
            .unwrap()
            .games
            .remove(0);
        live.report(SourceEvent::Game(LiveGame::from_record(
            "a".to_owned(),
            record.into(),
        )));
        live.report(SourceEvent::State(SourceState::Live));
    };
    let [first, both] = [
        "   1 ７六歩(77) ( 0:05/00:00:05)\n",
        "   1 ７六歩(77) ( 0:05/00:00:05)\n   2 ３四歩(33) ( 0:07/00:00:07)\n",
    ];
    play(&mut live, first);
    live.show_value(300);
    live.act(output(OutputCommand::Delay(Delay::Moves(1))));
    play(&mut live, both);
    let shown = |live: &LiveModel| {
        let bar = live.model.study_bar();
        let (view, frame) = (
            live.model.bar_view(bar),
            live.model.output_frame(live.model.study_game(), Some(bar)),
        );
        (frame.bar.history.usi(), view.share, frame.bar.clocks)
    };
    let before = shown(&live);
    assert_eq!(before.0, "startpos moves 7g7f");
    assert!(before.1.is_some() && before.2 != [None; 2], "{before:?}");
    live.act(AppAction::run(ModelCommand::First));
    let mut again = LiveModel::with_values(live.stored_values.clone());
    again.handle(AppEvent::Restore(Box::new(live.model.current_workspace())));
    assert_eq!(shown(&again), before);
    play(&mut again, both);
    assert_eq!(shown(&again), before, "the game is read");
}

#[test]
fn a_variation_that_ends_releases_no_delay() {
    let mut live = LiveModel::new();
    let bar = live.model.study_bar();
    live.open(&[GAME]);
    let report = |live: &mut LiveModel, moves: &str| {
        let position = format!("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves {moves}");
        let record = Arc::new(Record::from_history(&History::from_usi(&position).unwrap()));
        live.report(SourceEvent::Game(LiveGame::from_record("a".to_owned(), record)));
        live.report(SourceEvent::State(SourceState::Live));
    };
    report(&mut live, "5i5h 5a6a");
    for command in [OutputCommand::Lock(true), OutputCommand::Delay(Delay::End)] {
        live.act(AppAction::Output(OutputId::Bar(bar), command));
    }
    report(&mut live, "5i5h 5a6a 5h5g 6a5a");
    let shown = |live: &LiveModel| live.model.output_frame(live.model.study_game(), Some(bar)).ply();
    assert_eq!(shown(&live), 2);
    live.act(AppAction::Edit(DocumentEdit::Play(
        Move::from_usi("G*5b").unwrap(),
    )));
    assert!(live.game().ending().is_some(), "mate on the study page");
    for seconds in 1..60 {
        live.model.set_time(Duration::from_secs(seconds));
        live.handle(AppEvent::Tick);
        assert_eq!(shown(&live), 2);
    }
}

#[test]
fn another_game_at_the_address_of_a_locked_bar_is_shown_beside_it_after_a_restart() {
    let mut live = LiveModel::new();
    live.open(&[GAME]);
    live.play("a", "7g7f 3c3d");
    let bar = live.model.study_bar();
    live.act(AppAction::Output(OutputId::Bar(bar), OutputCommand::Lock(true)));
    live.act(AppAction::run(ModelCommand::Hide));
    let workspace = Box::new(live.model.current_workspace());
    for (moves, games, shown) in [
        ("7g7f 3c3d 2g2f", 1, "startpos moves 7g7f 3c3d 2g2f"),
        ("5g5f 8c8d 5f5e 8d8e", 2, "startpos moves 7g7f 3c3d"),
    ] {
        let mut again = LiveModel::new();
        again.handle(AppEvent::Restore(workspace.clone()));
        let bar = again.model.study_bar();
        let frame = |again: &LiveModel| {
            again
                .model
                .output_frame(again.model.bar(bar).game(), Some(bar))
                .bar
                .history
                .usi()
        };
        assert_eq!(frame(&again), "startpos moves 7g7f 3c3d");
        again.play("b", moves);
        assert_eq!(
            (frame(&again).as_str(), again.model.games().count()),
            (shown, games)
        );
        assert!(again.model.bar_view(bar).is_hidden, "the evaluation stays hidden");
    }
}

#[test]
fn values_of_a_file_are_kept_when_another_file_replaces_it() {
    let mut live = LiveModel::with_values(Vec::new());
    live.open_file("/a.usi", "7g7f 3c3d");
    live.show_value(30);
    live.open_file("/b.usi", "2g2f 8c8d");
    live.show_value(99);
    live.act(AppAction::run(ModelCommand::First));
    assert_eq!(live.stored_values.len(), 2);
    let values = |live: &LiveModel| {
        let shown = live.game().live_values();
        shown
            .line
            .iter()
            .map(|series| series.values.clone())
            .collect::<Vec<_>>()
    };
    let last = |cp: i32| [None, None, Some(Value::Cp(cp))];
    let mut again = LiveModel::with_values(live.stored_values);
    again.open_file("/b.usi", "2g2f 8c8d");
    assert_eq!(values(&again), [last(99)]);
    again.open_file("/a.usi", "7g7f 3c3d");
    assert_eq!(values(&again), [last(30)]);
    again.open_file("/b.usi", "2g2f 8c8d");
    assert_eq!(values(&again), [last(99)], "also within a run");
}

#[test]
fn a_game_of_a_file_opens_at_a_position() {
    let mut live = LiveModel::with_values(Vec::new());
    let at = |game, ply| {
        AppAction::OpenGame(
            "/a.usi".into(),
            Box::new(OpenPosition {
                game,
                ply: Some(ply),
                ..OpenPosition::default()
            }),
        )
    };
    let current = |live: &LiveModel| (live.model.games().count(), live.shown().0);
    live.open_file("/b.usi", "2g2f");
    live.act(at(1, 1));
    // A second click, while the file is read.
    live.act(at(1, 1));
    let (game, request) = live.reading.take().unwrap();
    let games = b"position startpos moves 7g7f 3c3d\nposition startpos moves 7g7f 8c8d 2g2f";
    let result = Ok(shogibar_kifu::read(games).unwrap());
    live.handle(AppEvent::File(
        game,
        FileEvent::Read {
            request,
            result,
            stamp: None,
        },
    ));
    assert_eq!(current(&live), (2, "7g7f".to_owned()), "in a tab of its own");
    live.act(at(1, 3));
    assert_eq!(current(&live), (2, "7g7f 8c8d 2g2f".to_owned()), "the same game");
    live.act(at(1, 1));
    live.act(AppAction::Edit(DocumentEdit::Play(
        Move::from_usi("3c3d").unwrap(),
    )));
    live.act(at(1, 2));
    assert_eq!(current(&live), (2, "7g7f 8c8d".to_owned()), "of the main line");
    live.act(AppAction::run(ModelCommand::Undo));
    live.act(at(0, 2));
    assert_eq!(
        current(&live),
        (2, "7g7f 3c3d".to_owned()),
        "another game of the file"
    );
    // The user is asked about an unsaved game, which stays open.
    live.act(AppAction::Edit(DocumentEdit::Play(
        Move::from_usi("2g2f").unwrap(),
    )));
    live.act(at(1, 1));
    assert_eq!(current(&live), (2, "7g7f 3c3d 2g2f".to_owned()));
    let asking = *live.model.asking_games().first().unwrap();
    live.act(AppAction::Answer(asking, UnsavedAnswer::Discard));
    assert_eq!(current(&live), (2, "7g7f".to_owned()), "at its place");
    live.act(at(0, 1));
    assert_eq!(current(&live), (2, "7g7f".to_owned()), "the first game");
}

#[test]
fn an_address_leaves_a_followed_game_on_its_bar() {
    let mut live = LiveModel::new();
    live.open(&[GAME]);
    let (bar, game) = (live.model.study_bar(), live.model.study_game());
    live.play("a", "7g7f");
    live.open(&["http://localhost/other.kif"]);
    assert_eq!((live.model.bars().count(), live.model.bar(bar).game()), (2, game));
    assert_ne!(live.model.study_bar(), bar, "the page shows the new one");
    for nth in 0..4 {
        live.open(&[&format!("http://localhost/{nth}.kif")]);
    }
    let windows = live.model.window_bars().count();
    assert_eq!(
        (windows, live.model.games().count()),
        (1, 6),
        "a followed game is on air, so the others are tabs"
    );
}

#[test]
fn two_addresses_get_a_tab_and_a_bar_each() {
    let mut live = LiveModel::new();
    live.open(&[GAME, "http://localhost/other.kif"]);
    assert_eq!((live.model.games().count(), live.model.bars().count()), (2, 2));
    live.open(&[GAME]);
    assert_eq!(
        (live.model.games().count(), live.started_sources.len()),
        (2, 2),
        "what is followed already is shown"
    );
    let [first, second] = [0, 1].map(|nth| live.model.games().nth(nth).unwrap().0);
    live.act(AppAction::Close(first));
    live.act(AppAction::Close(second));
    assert_eq!(live.ended_sources.len(), 2);
}

#[test]
fn a_list_is_chosen_from_and_a_second_choice_is_a_game_of_its_own() {
    let choice = |id: &str| GameChoice {
        title: id.to_owned(),
        address: id.to_owned(),
    };
    let mut live = LiveModel::new();
    live.open(&["csa://me:secret@localhost"]);
    live.report(SourceEvent::Games(vec![choice("new"), choice("old")]));
    let notice = live.model.bar_view(live.model.study_bar()).notice.unwrap();
    assert_eq!(notice.text, "Games to choose from: 2. Choose one.");
    for (index, id, games) in [(1, "old", 1), (0, "new", 2)] {
        live.act(AppAction::SelectGame(index));
        let (_, address) = live.started_sources.last().unwrap();
        assert_eq!(address.with_password(), format!("csa://me:secret@localhost/{id}"));
        live.play(id, "7g7f");
        assert_eq!(live.model.games().count(), games);
        assert_eq!(
            live.game().game_titles(),
            (["new", "old"].map(str::to_owned).as_slice(), index)
        );
    }
    let alone = AppModel::new(
        Lang::En,
        StoredFiles::default(),
        ModelOptions {
            chooses_newest: true,
            ..ModelOptions::default()
        },
    );
    let mut alone = LiveModel {
        model: alone,
        ..LiveModel::new()
    };
    alone.open(&["csa://me@localhost"]);
    alone.report(SourceEvent::Games(vec![choice("new"), choice("old")]));
    assert_eq!(
        alone.started_sources.last().unwrap().1.to_string(),
        "csa://me@localhost/new"
    );
}

#[test]
fn the_only_game_of_a_list_opens() {
    let choice = |id: &str| GameChoice {
        title: format!("title of {id}"),
        address: id.to_owned(),
    };
    let mut live = LiveModel::new();
    live.open(&["csa://me:secret@localhost"]);
    live.report(SourceEvent::Games(Vec::new()));
    assert_eq!(live.started_sources.len(), 1);
    live.report(SourceEvent::Games(vec![choice("one")]));
    assert_eq!(
        live.started_sources.last().unwrap().1.with_password(),
        "csa://me:secret@localhost/one"
    );
    live.play("one", "7g7f");
    assert_eq!(live.shown(), ("7g7f".to_owned(), Some(LiveMark::Live)));
    // The user may be choosing from a list that had two games.
    let mut live = LiveModel::new();
    live.open(&["csa://me@localhost"]);
    live.report(SourceEvent::Games(vec![choice("one"), choice("two")]));
    live.report(SourceEvent::Games(vec![choice("two")]));
    assert_eq!(live.started_sources.len(), 1);
    // A game on another server is not opened without the user.
    let mut live = LiveModel::new();
    live.open(&["http://localhost/list"]);
    live.report(SourceEvent::Games(vec![GameChoice {
        address: "http://elsewhere/x.csa".to_owned(),
        ..choice("x")
    }]));
    assert_eq!(live.started_sources.len(), 1);
}

#[test]
fn addresses_are_remembered_without_their_passwords() {
    let mut live = LiveModel::new();
    live.act(AppAction::PasteText(" csa://me:secret@localhost/x\n".to_owned()));
    live.play("x", "7g7f");
    let workspace = live.model.current_workspace();
    assert_eq!(
        workspace
            .games
            .iter()
            .map(|game| game.address.as_str())
            .collect::<Vec<_>>(),
        ["csa://me@localhost/x"]
    );
    assert_eq!(
        live.model.recent_files(),
        [std::path::PathBuf::from("csa://me@localhost/x")]
    );
    assert!(!format!("{:?} {:?}", live.model, live.started_sources).contains("secret"));
    let mut again = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    let effects = again.update(AppEvent::Restore(Box::new(workspace)));
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, AppEffect::StartSource(_, LiveAddress::Csa(_), _)))
    );
}

#[test]
fn a_record_copied_in_another_program_becomes_a_game() {
    let mut live = LiveModel::new();
    live.set(|settings| settings.watches_clipboard = true);
    live.play("1", "7g7f 3c3d");
    assert_eq!(live.shown(), ("7g7f 3c3d".to_owned(), None));
    live.play("2", "2g2f");
    assert_eq!((live.shown().0.as_str(), live.model.games().count()), ("2g2f", 1));
    live.act(AppAction::run(ModelCommand::AddGame));
    live.play("3", "2g2f");
    assert_eq!(
        live.model.games().count(),
        2,
        "the game with these moves is the one from the clipboard"
    );
    // The message names the container of the game.
    let mut quoted = LiveGame::from_record(
        "4".to_owned(),
        Document::new(shogibar_kifu::read(b"7g7f 3c3d").unwrap().games.remove(0)).shared_record(),
    );
    quoted.container_and_count = Some((shogibar_kifu::Container::Quote, 1));
    live.report(SourceEvent::Game(quoted));
    let notice = live.model.bar_view(live.model.study_bar()).notice;
    assert_eq!(
        notice.map(|notice| notice.text).as_deref(),
        Some("Quoted record: 2 moves")
    );
    live.set(|settings| settings.watches_clipboard = false);
    assert_eq!(live.ended_sources.len(), 1);
}

/// Returns a model whose single engine is shared, and that follows three addresses. Also returns the engine and the
/// sources.
fn shared() -> (AppModel, EngineId, Vec<SourceId>) {
    let options = ModelOptions {
        shared_bars: Some(1),
        ..ModelOptions::default()
    };
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), options);
    let info = EngineInfo {
        name: "x".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    let (engine, _) = model.add_engine(model.study_bar(), info);
    let addresses: Vec<_> = (0..3)
        .map(|game| LiveAddress::parse(&format!("http://localhost/{game}.csa")).unwrap())
        .collect();
    let effects = model.update(AppEvent::Action(
        model.study_bar(),
        AppAction::OpenAddresses(addresses),
    ));
    let started = |effect: &AppEffect| match effect {
        AppEffect::StartSource(id, ..) => Some(*id),
        _ => None,
    };
    (model, engine, effects.iter().filter_map(started).collect())
}

#[test]
fn second_starts_in_quick_succession_start_one_further_engine() {
    let mut model = AppModel::new(Lang::En, StoredFiles::default(), ModelOptions::default());
    let info = EngineInfo {
        name: "x".to_owned(),
        is_profile: true,
        candidates: 1,
        threads: 1,
        relay: None,
    };
    model.add_engine(model.study_bar(), info);
    let mut started = Vec::new();
    for file in ["a.csa", "b.csa", "c.csa"] {
        let request = OpenRequest {
            addresses: vec![LiveAddress::Path(file.into())],
            ..OpenRequest::default()
        };
        // None of the engines is running before the next start.
        let reads = opening::reads(&model.update(AppEvent::HandedOver(request)));
        let effects = reads
            .into_iter()
            .flat_map(|read| opening::answer(&mut model, read, Ok(opening::record("7g7f"))));
        started.extend(effects.filter_map(|effect| match effect {
            AppEffect::StartEngine { name, .. } => Some(name),
            _ => None,
        }));
    }
    // The third bar asks the user about a third engine.
    assert_eq!(
        (model.bars().count(), started.as_slice()),
        (3, ["x".to_owned()].as_slice())
    );
    let asking: Vec<_> = model.bars().map(|(bar, _)| model.offers_sharing(bar)).collect();
    assert_eq!(asking, [false, false, true]);
}

#[test]
fn one_engine_searches_several_games_in_turn() {
    let (mut model, engine, sources) = shared();
    let mut searched = None;
    let mut send = |model: &mut AppModel, event: AppEvent| {
        for effect in model.update(event) {
            match effect {
                AppEffect::SetTarget(id, target) if id == engine => searched = target.position,
                AppEffect::StartEngine { .. } => panic!("another engine"),
                _ => {}
            }
        }
        searched.clone()
    };
    for (nth, id) in sources.iter().enumerate() {
        let mut source = TestSource::new(*id);
        source.count = nth + 1;
        send(
            &mut model,
            AppEvent::Source(*id, SourceEvent::Game(source.game())),
        );
    }
    assert_eq!(model.shared_engines(), Some((1, 3)));
    assert_eq!(model.bars().count(), 1);
    let value = |history: &Arc<History>| i32::try_from(history.moves().len()).unwrap() * 100;
    for _ in 0..40 {
        let Some(history) = send(&mut model, AppEvent::Tick) else {
            continue;
        };
        let pv = Vec::new();
        let best = Candidate {
            rank: 1,
            value: Value::Cp(value(&history)),
            bound: None,
            depth: Some(12),
            pv,
        };
        let search_info = SearchInfo {
            history,
            candidates: vec![best],
            stats: SearchStats::default(),
        };
        let snapshot = Snapshot {
            search_info: Some(search_info),
            multipv: 1,
            ..Snapshot::default()
        };
        send(&mut model, AppEvent::Snapshot(engine, Box::new(snapshot)));
        // The bar shows the value of its game, or none.
        let (view, shown) = (model.bar_view(model.study_bar()), model.game(model.study_game()));
        let own = format!("+{}", value(shown.history()));
        assert!(
            view.evaluation.is_empty() || view.is_stale || view.evaluation == own,
            "{view:?}"
        );
    }
    for (id, game) in model.games() {
        let report = model.shared_report(id).unwrap();
        let info = report.snapshot.search_info.unwrap();
        assert_eq!(info.history, *game.history());
        assert_eq!(info.candidates[0].value, Value::Cp(value(game.history())));
    }
}

#[test]
fn live_games_without_a_bar_are_searched_by_setting() {
    let (mut model, engine, sources) = shared();
    let bar = model.study_bar();
    for (nth, id) in sources.iter().enumerate() {
        let mut source = TestSource::new(*id);
        source.count = nth + 1;
        model.update(AppEvent::Source(*id, SourceEvent::Game(source.game())));
    }
    // A game without moves by players is not searched.
    model.update(AppEvent::Action(bar, AppAction::run(ModelCommand::AddGame)));
    let shown = model.games().next().unwrap().0;
    model.update(AppEvent::Action(bar, AppAction::Show(shown)));
    model.update(model.changed_settings(|settings| settings.shares_engines = true));
    assert_eq!(model.shared_engines(), Some((1, 3)));
    model.update(AppEvent::Tick);
    let effects: Vec<_> = (0..40).flat_map(|_| model.update(AppEvent::Tick)).collect();
    let targets = effects
        .iter()
        .filter(|effect| matches!(effect, AppEffect::SetTarget(id, _) if *id == engine))
        .count();
    assert!(targets >= 3, "{targets} turns");
    let effects = model.update(model.changed_settings(|settings| settings.shares_engines = false));
    assert_eq!(model.shared_engines(), None);
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, AppEffect::SetTicking(false)))
    );
    let own = effects.iter().find_map(|effect| match effect {
        AppEffect::SetTarget(id, target) if *id == engine => target.position.clone(),
        _ => None,
    });
    assert!(own.is_none_or(|position| position == *model.game(shown).history()));
}
