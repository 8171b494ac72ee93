//! Any position and lines. Facts are found without a panic, within their limit of nodes. Their lines are legal.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_builtin::Control;
use shogibar_facts::{
    Candidates, FactKind, FactLimits, FactPosition, Formations, LastMove, MoveInput, MoveValues,
    PositionInput, ValuedMove, brinkmate, handicap_giver, move_facts, position_facts,
};
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Color, History, Move};

const LIMITS: FactLimits = FactLimits {
    mate_nodes: 200,
    move_nodes: 20,
    moves: 20_000,
};

/// Positions of all kinds: some are refused.
const STARTS: [&str; 8] = [
    "startpos",
    "sfen 4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "sfen 8k/9/6S1G/9/9/9/9/9/4K4 w G 1",
    "sfen ln4k1l/1s4g2/p7p/2PP1gpp1/8P/2G1r1P2/P2+b1P3/1K3S1R1/LN6L b BSN5Pgsn3p 1",
    "sfen 4k4/4r4/9/9/4B4/9/9/9/K8 b 2RB4G4S4N4L18P 1",
    "sfen 9/9/9/9/4B4/9/9/9/K8 b - 1",
    "sfen 4k4/9/9/9/4R4/4r4/9/9/4K4 b - 1",
    "sfen +P+P+P1K1+P+P+P/9/9/9/9/9/9/9/4k4 b 2R2B4G4S4N4L 1",
];

/// Plays a legal move for each byte, up to the end of the game. Returns the moves.
fn playout(history: &mut History, bytes: &[u8]) -> Vec<Move> {
    let mut line = Vec::new();
    for byte in bytes {
        let legal = history.now().legal_moves();
        let Some(mv) = legal.get(usize::from(*byte) % legal.len().max(1)).copied() else {
            break;
        };
        if history.play(mv).is_err() {
            break;
        }
        line.push(mv);
    }
    line
}

fuzz_target!(|bytes: &[u8]| {
    let [start, lengths, bytes @ ..] = bytes else {
        return;
    };
    let Ok(mut history) = History::from_usi(STARTS[usize::from(*start) % STARTS.len()]) else {
        return;
    };
    // The end of the bytes is the lines of an engine, which may be of another position.
    let lines = usize::from(lengths % 16).min(bytes.len());
    let (game, lines) = bytes.split_at(bytes.len() - lines);
    playout(&mut history, game);
    let (better, punish) = lines.split_at(lines.len() * usize::from(lengths / 16) / 16);
    let mut from_better = history.without_last().unwrap_or_else(|| history.clone());
    let (better, punish) = (
        playout(&mut from_better, better),
        playout(&mut history.clone(), punish),
    );
    let (control, model) = (Control::new(None), WinRateModel::default());
    let value = |byte: &u8| match byte {
        0..8 => Value::Mate {
            winner: Color::Black,
            plies: Some(u32::from(*byte)),
        },
        8..16 => Value::Mate {
            winner: Color::White,
            plies: None,
        },
        _ => Value::Cp(i32::from(*byte) * 500 - 60_000),
    };
    let values: Vec<Value> = game.iter().rev().take(3).map(value).collect();
    let list: Vec<_> = better
        .iter()
        .zip(&values)
        .map(|(mv, value)| ValuedMove {
            mv: *mv,
            value: *value,
        })
        .collect();
    let candidates = Candidates { list: &list, model };
    let giver = handicap_giver(history.start());
    let before = history.without_last();
    let last_move = LastMove::of_game(before.as_ref(), &history);
    let input = PositionInput {
        position: history.now(),
        last_move,
        candidates,
        handicap_giver: giver,
    };
    let found = position_facts(&input, LIMITS, &control);
    for fact in found.iter().filter(|fact| fact.kind == FactKind::Check) {
        assert!(history.now().in_check(), "{fact:?}");
    }
    let _found = brinkmate(history.now(), LIMITS, &control);
    let _names = Formations::from_history(&history);
    let (Some(before), Some(played)) = (before, history.last_move()) else {
        return;
    };
    let earlier = before.without_last();
    let input = MoveInput {
        position_before: before.now(),
        played_move: played,
        last_move: LastMove::of_game(earlier.as_ref(), &before),
        reply: punish.last().copied(),
        better_line: &better,
        punish_line: &punish,
        values: MoveValues {
            before: values.first().copied(),
            after: values.get(1).copied(),
            after_reply: None,
        },
        model,
    };
    for fact in move_facts(&input, LIMITS, &control) {
        let start = if fact.at == FactPosition::Before {
            before.now()
        } else {
            history.now()
        };
        let first = fact.line.first();
        assert!(
            first.is_none_or(|mv| start.is_legal(*mv)),
            "{fact:?} in {}",
            history.usi()
        );
    }
});
