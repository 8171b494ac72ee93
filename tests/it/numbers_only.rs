//! Numbers only: the outputs of two games with other moves are the same, and hold no word of a move.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use crate::support::shared;
use shogibar_base::Lang;
use shogibar_config::{Layout, SecondNames};
use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::session::{EngineState, Snapshot};
use shogibar_games::study::DocumentEdit;
use shogibar_kifu::Record;
use shogibar_model::action::AppAction;
use shogibar_model::pages::options::ObsPageOptions;
use shogibar_model::pages::{ObsPagesRecorder, ObsPagesSnapshot};
use shogibar_model::{AppEvent, AppModel, EngineId, EngineInfo, ModelOptions, StoredFiles};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, History, Notation, Style};
use shogibar_ui::fonts::FontChoice;
use shogibar_ui::overlay::OverlayStyle;
use shogibar_ui::snapshot::{PictureSize, SnapshotRenderer};
use shogibar_ui::theme;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The outputs of a model.
struct Outputs {
    model: AppModel,
    engine: EngineId,
    recorder: ObsPagesRecorder,
}

impl Outputs {
    fn of(text: &str) -> Self {
        let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
        let info = EngineInfo {
            name: "水匠".to_owned(),
            is_profile: true,
            candidates: 1,
            threads: 1,
            relay: None,
        };
        let (engine, _) = model.add_engine(model.study_bar(), info);
        let bar = model.study_bar();
        model.update(AppEvent::Action(bar, AppAction::NumbersOnly(true)));
        model.update(AppEvent::Action(bar, AppAction::PasteText(text.to_owned())));
        Self {
            model,
            engine,
            recorder: ObsPagesRecorder::default(),
        }
    }

    /// Goes to a position, and has the engine report a value there.
    fn go_to(&mut self, ply: usize, value: Value) {
        let bar = self.model.study_bar();
        self.model
            .update(AppEvent::Action(bar, AppAction::Edit(DocumentEdit::GoTo(ply))));
        let history = Arc::clone(self.model.game(self.model.study_game()).history());
        let pv: Vec<_> = history.now().legal_moves().into_iter().take(1).collect();
        if pv.is_empty() {
            return;
        }
        let candidates = vec![Candidate {
            rank: 1,
            value,
            bound: None,
            depth: Some(20),
            pv,
        }];
        let stats = SearchStats {
            depth: Some(20),
            nodes: Some(1000),
            nps: Some(500),
            best_since: Some(4),
            ..SearchStats::default()
        };
        let search_info = Some(SearchInfo {
            history,
            candidates,
            stats,
        });
        let snapshot = Snapshot {
            state: EngineState::Thinking,
            multipv: 1,
            search_info,
            ..Snapshot::default()
        };
        self.model
            .update(AppEvent::Snapshot(self.engine, Box::new(snapshot)));
    }

    /// Returns all outputs as text: the state, the desk, the list of swings, and the content of the bar.
    fn texts(&mut self) -> Vec<String> {
        let content = self
            .recorder
            .content(&ObsPagesSnapshot::new(&self.model), 1_795_349_513);
        let mut texts = vec![content.state_json()];
        for lang in Lang::ALL {
            texts.push(content.desk_json("1", &ObsPageOptions::default(), &SecondNames::default(), lang));
            texts.push(content.swing_lines(None, lang).join("\n"));
            texts.push(format!("{:?}", content.view(None, lang)));
        }
        texts.push(format!("{:?}", self.model.bar_view(self.model.study_bar())));
        texts
    }
}

/// Returns the value of a position by its number: an advantage that changes sides, then a mate.
fn value(ply: usize, plies: usize) -> Value {
    if ply + 1 == plies {
        Value::Mate {
            winner: shogibar_shogi::Color::Black,
            plies: Some(7),
        }
    } else {
        Value::Cp(if ply.is_multiple_of(3) { 900 } else { -700 })
    }
}

const NAMES: &str = "V2.2\nN+佐野\nN-小田島\nPI\n+\n";

#[test]
fn two_games_with_other_moves_have_the_same_outputs() {
    let one = format!("{NAMES}+7776FU\nT5\n-3334FU\nT6\n+2726FU\nT7\n-8384FU\nT8\n%TORYO\n");
    let other = format!("{NAMES}+5756FU\nT5\n-5354FU\nT6\n+2868HI\nT7\n-7172GI\nT8\n%TORYO\n");
    let (mut one, mut other) = (Outputs::of(&one), Outputs::of(&other));
    let mut renderer = SnapshotRenderer::with_fonts(&FontChoice::default());
    let layouts = [
        Layout::Bar,
        Layout::Full,
        Layout::Candidates,
        Layout::Vertical,
        Layout::Compact,
    ];
    for ply in [0, 1, 2, 3, 4, 2, 1] {
        for outputs in [&mut one, &mut other] {
            outputs.go_to(ply, value(ply, 4));
        }
        assert_eq!(one.texts(), other.texts(), "after {ply} moves");
        for layout in layouts {
            let style = OverlayStyle {
                layout,
                ..OverlayStyle::new(theme::ink(), Lang::Ja)
            };
            let size = PictureSize::new(800, 300, 1.0).unwrap();
            let [picture, same] = [&one, &other].map(|outputs| {
                let view = outputs.model.bar_view(outputs.model.study_bar());
                renderer.draw_overlay(&view, &style, size).pixels
            });
            assert!(picture == same, "{layout:?} after {ply} moves");
        }
    }
}

/// Returns the records of the corpus with at least 40 moves, each once.
fn long_games(folder: &Path) -> Vec<Record> {
    let (mut games, mut known) = (Vec::new(), BTreeSet::new());
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(read) = shogibar_kifu::read_named(&std::fs::read(&path).unwrap(), &path) {
                let long = read.games.into_iter().filter(|game| game.len() >= 40);
                games.extend(
                    long.filter(|game| {
                        known.insert(game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>())
                    }),
                );
            }
        }
    }
    games
}

#[test]
fn no_output_holds_a_word_of_a_move() {
    let Some(corpus) = shared("corpus") else { return };
    let games = long_games(&corpus);
    assert!(games.len() >= 100, "{} games", games.len());
    for game in games {
        let mut outputs = Outputs::of(
            &String::from_utf8(shogibar_kifu::write(&game, shogibar_kifu::Target::Kifu).bytes).unwrap(),
        );
        let plies = game.len();
        let mut history = History::new(game.start().clone());
        for (ply, mv) in game.moves().enumerate() {
            let words: Vec<_> = Style::ALL
                .into_iter()
                .flat_map(|style| Notation::new(style).notate_line(&history, &[mv]))
                .collect();
            history.play(mv).unwrap();
            if ply % 7 != 0 && ply + 1 != plies {
                continue;
            }
            outputs.go_to(ply + 1, value(ply, plies));
            let sfen = history.now().sfen();
            // A name may hold what looks like a move.
            let names = [Color::Black, Color::White].map(|side| game.player(side).unwrap_or("-").to_owned());
            for text in outputs.texts() {
                let text = names.iter().fold(text, |text, name| text.replace(name, ""));
                for word in words.iter().chain([&mv.to_string(), &sfen]) {
                    assert!(
                        !text.contains(word.trim()),
                        "{word} after {} moves of {:?}: {text}",
                        ply + 1,
                        game.headers()
                    );
                }
            }
        }
    }
}
