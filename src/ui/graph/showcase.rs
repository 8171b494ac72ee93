//! Pictures of the graph to look at: `SHOGIBAR_PICTURES=folder cargo test --lib showcase -- --ignored`.

use super::*;
use crate::text::Lang;
use crate::ui::snapshot::{Size, Studio};
use crate::ui::{Theme, png};
use std::path::PathBuf;

/// A game that begins evenly, leans to one side, and is lost in one move; the same every time.
pub(super) fn values(plies: usize, seed: u32) -> Vec<Option<Value>> {
    let mut state = seed;
    let mut cp = 0.0_f32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as f32 / 65536.0 - 0.5
    };
    (0..=plies)
        .map(|ply| {
            let part = ply as f32 / plies as f32;
            cp += next() * 220.0 * part.sqrt() + if part < 0.72 { 6.0 } else { -42.0 * 120.0 / plies as f32 };
            if ply + 6 > plies {
                let left = u32::try_from(plies - ply).unwrap();
                return Some(Value::Mate { winner: Color::White, plies: Some(left + 1) });
            }
            #[expect(clippy::cast_possible_truncation, reason = "a few thousand")]
            Some(Value::Cp(cp as i32))
        })
        .collect()
}

fn save(name: &str, theme: &Theme, size: [u32; 2], scale: f32, view: &GraphView<'_>) {
    let folder = std::env::var_os("SHOGIBAR_PICTURES").map_or_else(std::env::temp_dir, PathBuf::from);
    let [width, height] = size;
    let (mut studio, size) = (Studio::default(), Size::new(width, height, scale).unwrap());
    let image = studio.graph(view, theme, Lang::Ja, size);
    std::fs::write(folder.join(name), png::encode(&image).unwrap()).unwrap();
}

#[test]
#[ignore = "writes pictures for the eye"]
fn graphs() {
    let (first, second) = (values(120, 7), values(120, 99));
    let series = [
        Series { name: "Fairy-Stockfish", values: &first, model: Model::default() },
        Series { name: "gpsshogi", values: &second, model: Model::new(1200.0) },
    ];
    let mark = |ply, kind| GraphMark { ply, kind };
    let marks = [
        mark(69, MarkKind::Doubtful),
        mark(86, MarkKind::Terrible),
        mark(88, MarkKind::Doubtful),
        mark(91, MarkKind::Bad),
        mark(100, MarkKind::Slack),
        mark(30, MarkKind::Good),
    ];
    let times: Vec<Option<u32>> = (0..120_u32).map(|ply| Some(ply * 7919 % 173 * (1 + ply % 7))).collect();
    let view = GraphView {
        plies: 120,
        current: 37,
        series: &series[..1],
        marks: &marks,
        times: &[],
        first: Color::Black,
        moves: &[],
        titles: ["先手", "後手"],
        kind: GraphKind::WinRate,
        flipped: false,
    };
    save("graph-paper.png", &Theme::paper(), [660, 190], 1.0, &view);
    save("graph-paper-2x.png", &Theme::paper(), [660, 190], 2.0, &view);
    save(
        "graph-times.png",
        &Theme::paper(),
        [660, 190],
        1.0,
        &GraphView { times: &times, kind: GraphKind::Evaluation, ..view },
    );
    let all = GraphView { series: &series, times: &times, kind: GraphKind::Both, ..view };
    save("graph-both.png", &Theme::paper(), [900, 300], 1.0, &all);
    save("graph-ink.png", &Theme::ink(), [660, 190], 1.0, &all);
    save("graph-small.png", &Theme::paper(), [200, 70], 1.0, &view);
    let long = values(5000, 3);
    let series = [Series { values: &long, ..series[0] }];
    save(
        "graph-long.png",
        &Theme::paper(),
        [660, 190],
        1.0,
        &GraphView { plies: 5000, series: &series, marks: &[], ..view },
    );
}
