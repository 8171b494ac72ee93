//! The time of a frame of the study page without the graphics card: layout, shapes and triangles.
//!
//! `cargo bench --bench study` steps through a record of 5,000 nodes with 500 variations, and scrolls its list and its
//! tree. It also measures the time of opening a record of 10 MB on the UI thread, step by step. Another thread reads
//! the file.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark"
)]
#![expect(clippy::disallowed_methods, reason = "it measures time")]

use eframe::egui;
use egui::{
    Context, Event, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, RawInput, Rect, TouchPhase, pos2, vec2,
};
use shogibar_base::Lang;
use shogibar_config::StudyKeys;
use shogibar_games::bar;
use shogibar_games::study::{self, Document, DrillDeck, RecordInsight};
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::Position;
use shogibar_ui::board::BoardStyle;
use shogibar_ui::fonts;
use shogibar_ui::study::{DrillView, EngineStatus, FileState, ShelfView, StudyPage, StudyStatus, StudyView};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const NODES: usize = 5_000;
const VARIATIONS: usize = 500;
const FRAMES: usize = 1_000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    List,
    Tree,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum UserAction {
    Walk,
    Scroll,
}

fn main() {
    let document = record();
    let nodes = document.record().all().count();
    println!(
        "{nodes} nodes, {VARIATIONS} variations, 1320 × 880 points; ms a frame of {FRAMES}: median, 99 %"
    );
    for (name, shown, action) in [
        ("the list, walked", Shown::List, UserAction::Walk),
        ("the list, scrolled", Shown::List, UserAction::Scroll),
        ("the tree, walked", Shown::Tree, UserAction::Walk),
        ("the tree, scrolled", Shown::Tree, UserAction::Scroll),
    ] {
        let mut times = frames(&document, shown, action);
        times.sort();
        let at = |hundredth: usize| {
            times[(times.len() * hundredth / 100).min(times.len() - 1)].as_secs_f64() * 1e3
        };
        println!("{name:<20} {:6.2} {:6.2}", at(50), at(99));
    }
    let mut times = frames(&judged(), Shown::List, UserAction::Walk);
    times.sort();
    let at =
        |hundredth: usize| times[(times.len() * hundredth / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    println!("300 moves, 3 engines {:6.2} {:6.2}", at(50), at(99));
    println!("a record of 10 MB is opened; ms of each step of the window's thread");
    measure_opening("comments of 2 KB", &commented());
    measure_opening("one long line", &long());
}

/// Returns a KIF game with a long comment at each move.
fn commented() -> String {
    let mut text = String::from("手数----指手---------消費時間--\n");
    let note = format!("*{}\n", "この手で形勢が動いた。".repeat(60));
    let line = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"];
    for (ply, word) in (1..=5_000).zip(line.iter().cycle()) {
        write!(text, "{ply} {word} (0:05/)\n{note}*評価値={}\n", ply % 300).unwrap();
    }
    text
}

/// Returns a KIF game of 60,000 moves, with variations up to 10 MB.
fn long() -> String {
    let mut text = String::from("手数----指手---------消費時間--\n");
    let line = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"];
    for (ply, word) in (1..=60_000).zip(line.iter().cycle()) {
        writeln!(text, "{ply} {word} (0:05/00:00:05)").unwrap();
    }
    for nth in (1..60_000).step_by(4).collect::<Vec<_>>().into_iter().rev() {
        write!(text, "\n変化：{nth}手\n{nth} ７六歩(77) (0:05/00:00:05)\n").unwrap();
        for (more, word) in (nth + 1..nth + 12).zip(
            ["５二玉(51)", "２六歩(27)", "５一玉(52)", "２五歩(26)"]
                .iter()
                .cycle(),
        ) {
            writeln!(text, "{more} {word} (0:05/00:00:05)").unwrap();
        }
        if text.len() > 10 << 20 {
            break;
        }
    }
    text
}

fn measure_opening(name: &str, text: &str) {
    let record = shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0);
    let timed = |what: &mut dyn FnMut()| {
        let started = Instant::now();
        what();
        started.elapsed().as_secs_f64() * 1e3
    };
    let (mut document, mut insight) = (Document::default(), RecordInsight::default());
    let mut record = Some(record);
    let open = timed(&mut || document.open(record.take().unwrap()));
    let history = timed(&mut || {
        document.go_to(usize::MAX);
        std::hint::black_box(document.history());
    });
    let max_time = |step: &mut dyn FnMut() -> bool| {
        let (mut max_time, mut is_done) = (0.0_f64, false);
        while !is_done {
            max_time = max_time.max(timed(&mut || is_done = step()));
        }
        max_time
    };
    let mut rows = study::MoveRows::default();
    let list = max_time(&mut || rows.update(&document, Lang::Ja));
    let comments = max_time(&mut || insight.update(&document));
    println!(
        "{name:<20} {:.1} MB, {} rows: opened {open:.1}, position {history:.1}, list {list:.1}, comments {comments:.1} at most",
        text.len() as f64 / 1e6,
        rows.shown_rows().len(),
    );
}

/// Returns a game with evenly spaced variations, and a value at each move.
fn record() -> Document {
    let mut document = Document::new(Record::new(&Position::startpos()));
    let main = NODES - VARIATIONS * 8;
    let mut seed = 7_u64;
    let mut at = NodeId::START;
    for ply in 0..main {
        let moves = legal(&document, at);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let Some(mv) = moves.get((seed >> 33) as usize % moves.len().max(1)) else {
            break;
        };
        document.go(at);
        document.play(*mv).unwrap();
        at = document.current();
        document.set_comment(
            at,
            &format!("*評価値={}", (i64::try_from(ply % 37).unwrap() - 18) * 40),
        );
    }
    let line: Vec<_> = std::iter::once(NodeId::START)
        .chain(document.record().main_line())
        .collect();
    for nth in 0..VARIATIONS {
        let mut from = line[nth * (line.len() - 2) / VARIATIONS];
        for step in 0..8 {
            let moves = legal(&document, from);
            let known: Vec<_> = document
                .record()
                .children(from)
                .filter_map(|node| document.record().node(node).mv())
                .collect();
            let Some(mv) = moves.iter().find(|mv| step > 0 || !known.contains(mv)) else {
                break;
            };
            document.go(from);
            document.play(*mv).unwrap();
            from = document.current();
        }
    }
    document.go(NodeId::START);
    document
}

/// Returns a game of 300 moves that three engines have evaluated.
fn judged() -> Document {
    let mut text = String::from("手数----指手---------消費時間--\n");
    let line = ["５八玉(59)", "５二玉(51)", "５九玉(58)", "５一玉(52)"];
    for (ply, word) in (1..=300_i64).zip(line.iter().cycle()) {
        writeln!(text, "{ply} {word} (0:{:02}/)", ply * 7 % 60).unwrap();
        for (name, engine) in ["A", "B", "C"].iter().zip(1..) {
            let value = (ply * 7919 * engine % 1201 - 600) * ply / 150;
            write!(text, "*#評価値={value}\n*#エンジン={name} [nodes 5]\n").unwrap();
        }
    }
    Document::new(shogibar_kifu::read(text.as_bytes()).unwrap().games.remove(0))
}

fn legal(document: &Document, at: NodeId) -> Vec<shogibar_shogi::Move> {
    document.history_at(at).now().legal_moves()
}

fn frames(document: &Document, shown: Shown, action: UserAction) -> Vec<Duration> {
    let ctx = Context::default();
    ctx.set_fonts(fonts::definitions());
    let mut page = StudyPage::default();
    page.show_tree(shown == Shown::Tree);
    let mut document = Document::new(document.record().clone());
    let (mut insight, rows) = (RecordInsight::default(), study::rows(&document, Lang::Ja));
    while !insight.update(&document) {}
    let (view, live) = (bar::BarView::default(), study::LiveValues::default());
    let mut times = Vec::with_capacity(FRAMES);
    for frame in 0..FRAMES + 20 {
        let mut input = RawInput {
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, vec2(1320.0, 880.0))),
            ..RawInput::default()
        };
        input.time = Some(frame as f64 / 60.0);
        if action == UserAction::Scroll {
            let down = if frame / 100 % 2 == 0 { -60.0 } else { 60.0 };
            input.events.push(Event::PointerMoved(pos2(760.0, 800.0)));
            input.events.push(Event::MouseWheel {
                unit: MouseWheelUnit::Point,
                delta: vec2(0.0, down),
                phase: TouchPhase::Move,
                modifiers: Modifiers::NONE,
                source: MouseWheelSource::Wheel,
            });
        }
        // All work of the UI thread for one step through the game.
        let started = Instant::now();
        if action == UserAction::Walk {
            document.go_to(frame % document.line().len());
        }
        insight.update(&document);
        let history = document.history();
        let (keys, deck) = (StudyKeys::default(), DrillDeck::default());
        let mut output = ctx.run_ui(input, |ui| {
            let view = StudyView {
                document: &document,
                rows: &rows,
                insight: &insight,
                live_values: &live,
                history: &history,
                bar: &view,
                name: None,
                recent_files: &[],
                file: FileState::Unchanged,
                is_paused: false,
                engine: "",
                engines: &[],
                engine_status: EngineStatus::default(),
                analysis: None,
                is_flipped: false,
                keys: &keys,
                has_motion: true,
                style: BoardStyle::default(),
                question: None,
                tabs: &[],
                current_tab: 0,
                game_titles: &[],
                current_game: 0,
                notice: None,
                status: StudyStatus::default(),
                inquiry: None,
                engine_game: None,
                shelf: ShelfView::default(),
                video: None,
                drill: DrillView {
                    deck: &deck,
                    today: 0,
                    collected_files: None,
                    outcome: None,
                    problem: None,
                },
            };
            let _nobody_acts = page.show(ui, &view, &shogibar_ui::theme::paper(), Lang::Ja);
        });
        output.textures_delta.clear();
        let triangles = ctx.tessellate(output.shapes, output.pixels_per_point);
        let time = started.elapsed();
        std::hint::black_box(triangles);
        // The first frames rasterize every glyph.
        if frame >= 20 {
            times.push(time);
        }
    }
    times
}
