//! A film of the bar during a live game. It shows what flickers, moves or turns back. `tests/desktop/film` runs it.

use crate::overlay::{Window, part_text, window_of};
use eframe::egui::{Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use shogibar_base::Lang;
use shogibar_config::Layout;
use shogibar_engine::process::Program;
use shogibar_engine::session::{EngineState, Session, SessionConfig, Snapshot};
use shogibar_model::ids::RelayId;
use shogibar_model::observed_game::ObservedGame;
use shogibar_model::{AppEvent, AppModel, ModelOptions, StoredFiles};
use shogibar_shogi::History;
use shogibar_ui::PartWord;
use shogibar_ui::overlay::OverlayStyle;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The number of frames of a second.
const FRAMES: u32 = 20;
/// The time for which each position stays.
const STAYS: Duration = Duration::from_millis(2_500);

struct Frame {
    /// Black's win rate, in percent.
    percent: Option<i32>,
    /// Which candidates have a row.
    rows: Vec<u32>,
    /// The positions of both names, both numbers and the bar.
    ends: Vec<Rect>,
}

impl Frame {
    fn from_window(window: &Harness<'_, Window>) -> Self {
        let value = |part: PartWord| part_text(window, part);
        let rect = |part: PartWord| {
            window
                .query_by_label(part.text(Lang::Ja).as_ref())
                .map(|node| node.rect())
        };
        let ends = [
            PartWord::BlackName,
            PartWord::WhiteName,
            PartWord::BlackPercent,
            PartWord::WhitePercent,
        ];
        Self {
            percent: value(PartWord::BlackPercent)
                .and_then(|percent| percent.trim_end_matches('%').parse().ok()),
            rows: (1..=3)
                .filter(|rank| value(PartWord::Candidate(*rank)).is_some())
                .collect(),
            ends: ends.into_iter().filter_map(rect).collect(),
        }
    }
}

#[derive(Debug, Default)]
struct Findings {
    frames: usize,
    /// The number of frames with a blank row that had contents before.
    blank_frames: usize,
    /// The farthest movement of an end of the bar, in points.
    moved_points: f32,
    /// The points by which the shown win rate of each position has turned back and forth in its first second.
    turns: Vec<i32>,
}

impl Findings {
    /// Adds the frames of a position. `first` is the first frame of the film.
    fn add(&mut self, frames: &[Frame], first: &Frame) {
        self.frames += frames.len();
        self.blank_frames += frames
            .iter()
            .filter(|frame| first.rows.iter().any(|rank| !frame.rows.contains(rank)))
            .count();
        for frame in frames {
            for (one, other) in first.ends.iter().zip(&frame.ends) {
                let outer = (one.min - other.min).abs().max((one.max - other.max).abs());
                self.moved_points = self.moved_points.max(outer.max_elem());
            }
        }
        let second: Vec<i32> = frames
            .iter()
            .take(FRAMES as usize)
            .filter_map(|frame| frame.percent)
            .collect();
        let path: i32 = second.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum();
        let way = second
            .first()
            .zip(second.last())
            .map_or(0, |(first, last)| (last - first).abs());
        self.turns.push(path - way);
    }

    fn median_turn(&self) -> i32 {
        let mut turns = self.turns.clone();
        turns.sort_unstable();
        turns.get(turns.len() / 2).copied().unwrap_or_default()
    }
}

/// Shows the positions of a game as a relay reports them, each for some seconds, and films the bar.
fn film(layout: Layout, positions: usize) -> Findings {
    let program = Program {
        path: env!("CARGO_BIN_EXE_shogibar").into(),
        arguments: vec!["engine".into()],
        ..Program::default()
    };
    let config = SessionConfig {
        multipv: 3,
        threads: 1,
        hash_mb: 16,
        ..SessionConfig::default()
    };
    let session = Session::start(program, config, || {}).unwrap();
    let record = shogibar_kifu::read(&std::fs::read("examples/selfplay.kif").unwrap())
        .unwrap()
        .games
        .remove(0);
    let moves: Vec<_> = record
        .main_line()
        .filter_map(|node| record.node(node).mv())
        .collect();
    let relay = RelayId::default();
    let mut model = AppModel::new(Lang::Ja, StoredFiles::default(), ModelOptions::default());
    model.update(AppEvent::RelayConnected(relay, "engine".to_owned()));
    let bar = model.study_bar();
    let style = OverlayStyle {
        layout,
        ..OverlayStyle::new(shogibar_ui::theme::ink(), Lang::Ja)
    };
    let size = if layout == Layout::Bar {
        vec2(1900.0, 120.0)
    } else {
        vec2(1300.0, 430.0)
    };
    let mut window = window_of(size, model.bar_view(bar), style);
    let (mut findings, mut first, mut snapshot) = (Findings::default(), None, Snapshot::default());
    let mut history = History::new(record.start().clone());
    let start = moves.len().min(20);
    moves[..start].iter().for_each(|mv| history.play(*mv).unwrap());
    for mv in moves[start..].iter().take(positions + 1) {
        history.play(*mv).unwrap();
        let position = Arc::new(history.clone());
        session.set_target(Some(Arc::clone(&position)));
        let mut frames = Vec::new();
        let began = Instant::now();
        // The first position stays until the search has a value to show.
        let is_over = |snapshot: &Snapshot, is_first: bool| {
            let is_deep = snapshot.search_info.as_ref().is_some_and(|info| {
                info.history == position
                    && info.candidates.len() >= 3
                    && snapshot.state == EngineState::Thinking
            });
            began.elapsed()
                >= if is_first && !is_deep {
                    crate::support::PATIENCE
                } else {
                    STAYS
                }
        };
        while !is_over(&snapshot, first.is_none()) {
            let next = Instant::now() + Duration::from_secs(1) / FRAMES;
            snapshot = session.snapshot().unwrap_or(snapshot);
            let game = ObservedGame {
                position: Some(Arc::clone(&position)),
                number: 1,
                snapshot: snapshot.clone(),
                ..ObservedGame::default()
            };
            model.update(AppEvent::RelayChanged(relay, Box::new(game)));
            window.state_mut().view = model.bar_view(bar);
            window.step();
            frames.push(Frame::from_window(&window));
            std::thread::sleep(next.saturating_duration_since(Instant::now()));
        }
        match &first {
            None => first = frames.pop(),
            Some(first) => findings.add(&frames, first),
        }
    }
    findings
}

#[test]
#[ignore = "takes seconds for each position; tests/desktop/film runs it"]
fn a_live_game_does_not_flicker() {
    let positions = std::env::var("SHOGIBAR_FILM")
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(3);
    for layout in [Layout::Full, Layout::Bar] {
        let found = film(layout, positions);
        eprintln!(
            "{}: {} positions, {} frames; blank rows: {}; an end moved by {} px; turned back and forth: {} points (median of {:?})",
            layout.name(),
            found.turns.len(),
            found.frames,
            found.blank_frames,
            found.moved_points,
            found.median_turn(),
            found.turns,
        );
        assert_eq!(
            (found.blank_frames, found.moved_points.round()),
            (0, 0.0),
            "{}",
            layout.name()
        );
    }
}
