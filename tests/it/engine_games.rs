//! Games between a user and a real engine process, from the first move to the record that is read back.

#[cfg(unix)]
use crate::support;
use shogibar::app::viewer::{StartedEngine, Viewer, ViewerParts};
use shogibar_base::Lang;
use shogibar_engine::options::Limit;
use shogibar_engine::process::Program;
use shogibar_engine::session::{RestartPolicy, Session, SessionConfig};
use shogibar_games::engine_game::{EngineGame, EngineGameSettings, EngineGameState};
use shogibar_games::study::DocumentEdit;
use shogibar_kifu::{Millis, Outcome, Reason, Record, TimeControl};
use shogibar_model::action::{AppAction, EngineGameAction};
use shogibar_model::{AppModel, EngineInfo, EngineShare, ModelOptions, StoredFiles};
use shogibar_shogi::{Color, Move};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A viewer whose engines are given by the path of the program and its arguments, `PATH ARGUMENT…`.
fn viewer() -> Viewer {
    let start = |name: &str, _: EngineShare| {
        let mut words = name.split(' ');
        let path = PathBuf::from(words.next().unwrap_or_default());
        let program = Program {
            path,
            arguments: words.map(Into::into).collect(),
            ..Program::default()
        };
        let config = SessionConfig {
            multipv: 1,
            restart_policy: RestartPolicy::never(),
            ..SessionConfig::default()
        };
        let session = Session::start(program, config, || {})?;
        let info = EngineInfo {
            name: name.to_owned(),
            is_profile: false,
            candidates: 1,
            threads: 1,
            relay: None,
        };
        Ok(StartedEngine {
            info,
            session,
            fitted_profile: None,
        })
    };
    let model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    let mut parts = ViewerParts::without_engines();
    parts.start = Box::new(start);
    Viewer::new(model, None, parts)
}

fn builtin() -> String {
    format!("{} engine", env!("CARGO_BIN_EXE_shogibar"))
}

fn begin(position: &str, engine: String, control: Option<TimeControl>) -> Viewer {
    let mut viewer = viewer();
    viewer.act_on_study(AppAction::PasteText(position.to_owned()));
    let settings = EngineGameSettings {
        engine,
        user: Color::Black,
        limit: Limit::Nodes(200),
        control,
        shows_values: false,
    };
    viewer.act_on_study(AppAction::BeginEngineGame(Box::new(settings)));
    viewer
}

fn played(viewer: &Viewer) -> (&EngineGame, &Record) {
    let game = viewer.model().game(viewer.model().study_game());
    (game.engine_game().expect("no game"), game.document().record())
}

/// Lets the viewer run until the game is in a state.
fn wait(viewer: &mut Viewer, what: &str, is_so: impl Fn(&EngineGame, &Record) -> bool) {
    let until = Instant::now() + Duration::from_mins(2);
    loop {
        viewer.update();
        let (game, record) = played(viewer);
        if is_so(game, record) {
            return;
        }
        assert!(Instant::now() < until, "{what}: {:?}", game.state());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn play(viewer: &mut Viewer, usi: &str) {
    viewer.act_on_study(AppAction::Edit(DocumentEdit::Play(Move::from_usi(usi).unwrap())));
}

fn is_over(game: &EngineGame, _: &Record) -> bool {
    matches!(game.state(), EngineGameState::Over(..))
}

/// Writes the record in each format, reads it back, and checks how the game ends.
fn check_end(viewer: &Viewer, reason: Reason, winner: Color, moves: usize) {
    let (_, record) = played(viewer);
    for target in [shogibar_kifu::Target::Kifu, shogibar_kifu::Target::Csa3] {
        let read = shogibar_kifu::read(&shogibar_kifu::write(record, target).bytes)
            .unwrap()
            .games
            .remove(0);
        let end = read.end().map(|end| (end.reason, end.outcome));
        assert_eq!(end, Some((reason, Outcome::Win(winner))), "{target:?}");
        assert_eq!(read.moves().count(), moves, "{target:?}");
        assert_eq!(
            read.header("棋戦").or_else(|| read.header("EVENT")),
            Some("エンジンとの対局"),
            "{target:?}"
        );
    }
}

#[test]
fn a_game_is_won_by_mate() {
    let mut viewer = begin("position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1", builtin(), None);
    wait(&mut viewer, "ready", |game, _| {
        *game.state() == EngineGameState::Playing
    });
    play(&mut viewer, "5i5h");
    wait(&mut viewer, "an answer", |_, record| record.moves().count() == 2);
    viewer.act_on_study(AppAction::EngineGame(EngineGameAction::TakeBack));
    wait(&mut viewer, "taken back", |_, record| record.moves().count() == 0);
    play(&mut viewer, "G*5b");
    wait(&mut viewer, "the end", is_over);
    check_end(&viewer, Reason::Checkmate, Color::Black, 1);
}

#[test]
fn a_game_is_lost_by_resignation() {
    let mut viewer = begin("position startpos moves 7g7f 3c3d", builtin(), None);
    wait(&mut viewer, "ready", |game, _| {
        *game.state() == EngineGameState::Playing
    });
    play(&mut viewer, "2g2f");
    wait(&mut viewer, "an answer", |_, record| record.moves().count() == 4);
    viewer.act_on_study(AppAction::EngineGame(EngineGameAction::Resign));
    wait(&mut viewer, "the end", is_over);
    check_end(&viewer, Reason::Resignation, Color::White, 4);
}

#[test]
fn a_game_is_lost_on_time() {
    let control = TimeControl {
        byoyomi: Millis(400),
        ..TimeControl::default()
    };
    let mut viewer = begin("position startpos", builtin(), Some(control));
    wait(&mut viewer, "the end", is_over);
    check_end(&viewer, Reason::TimeUp, Color::White, 0);
}

#[cfg(unix)]
#[test]
fn an_engine_that_dies_stops_the_clock_and_can_be_started_again() {
    // The first process ends when the search begins.
    let engine = support::Script::new(
        "engine-dies",
        &format!(
            "mark=$(dirname \"$0\")/mark\nif [ -e \"$mark\" ]; then exec {}; fi\ntouch \"$mark\"\n\
             while read -r line; do case $line in usi) echo usiok;; isready) echo readyok;; go*) exit 3;; esac; done\n",
            builtin()
        ),
    );
    let control = TimeControl {
        main: Millis(3_600_000),
        ..TimeControl::default()
    };
    let mut viewer = begin(
        "position startpos",
        engine.path.display().to_string(),
        Some(control),
    );
    wait(&mut viewer, "ready", |game, _| {
        *game.state() == EngineGameState::Playing
    });
    play(&mut viewer, "7g7f");
    wait(&mut viewer, "the failure", |game, _| {
        matches!(game.state(), EngineGameState::EngineFailed(_))
    });
    assert!(!played(&viewer).0.is_clock_running());
    assert_eq!(played(&viewer).1.moves().count(), 1, "nothing is lost");
    viewer.act_on_study(AppAction::EngineGame(EngineGameAction::Resume));
    wait(&mut viewer, "an answer", |_, record| record.moves().count() == 2);
    assert!(played(&viewer).0.is_clock_running());
}
