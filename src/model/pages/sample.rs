//! Moving sample data, to set an OBS page up before there is a game.

use crate::bars::Bar;
use crate::game::Game;
use crate::pages_text;
use shogibar_base::Lang;
use shogibar_config::SecondNames;
use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::session::{EngineState, Snapshot};
use shogibar_games::bar::{BarView, EngineReport};
use shogibar_kifu::board_mark;
use shogibar_programme::BoardPageContent;
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{History, Move};
use std::sync::Arc;

/// The moves of the sample game in CSA, with the time of each in seconds.
const SAMPLE_MOVES: &str = "+7776FU,T4\n-3334FU,T3\n+2726FU,T9\n-8384FU,T2\n+2625FU,T5\n-8485FU,T12\n+6978KI,T7\n-4132KI,T6\n\
    +2524FU,T31\n-2324FU,T2\n+2824HI,T3\n-8586FU,T40\n+8786FU,T2\n-8286HI,T2\n+2434HI,T95\n-2233KA,T60\n+5958OU,T122\n\
    -5152OU,T88\n+3736FU,T201\n-8676HI,T90\n+7877KI,T310\n-7674HI,T45\n+3474HI,T13\n-7374FU,T8\n";
/// The time between two moves of the sample, in seconds.
const SECONDS_PER_MOVE: u64 = 4;
const CANDIDATE_COUNT: usize = 3;
/// The marks on the first positions of the sample: one of each colour.
const SAMPLE_MARKS: &str = "#矢印=2g2f:1 8c8d:2 7g:3";
/// The number of positions with the marks.
const MARKED_MOVES: usize = 3;

/// Returns the content of the bar for the sample, this number of seconds after its start.
pub fn sample(seconds: u64, lang: Lang) -> BarView {
    sample_board(seconds, lang).bar
}

/// Returns the content of the board page for the sample, with marks on the first positions.
pub fn sample_board(seconds: u64, lang: Lang) -> BoardPageContent {
    let [black, white] = pages_text::sample_players(lang);
    let record = format!("V2.2\nN+{black}\nN-{white}\n$TIME_LIMIT:00:30+60\nPI\n+\n{SAMPLE_MOVES}");
    let mut game = Game::new(lang);
    let Some(record) = shogibar_kifu::read(record.as_bytes())
        .ok()
        .and_then(shogibar_kifu::ReadGames::into_first)
    else {
        return BoardPageContent::default();
    };
    game.open(record.0);
    let last = game.document().record().len();
    let ply = usize::try_from(seconds / SECONDS_PER_MOVE).unwrap_or_default() % (last + 1);
    let moves: Vec<Move> = {
        game.go_to(last);
        game.history().moves().to_vec()
    };
    let mut shown = None;
    for at in 0..=ply {
        game.go_to(at);
        // The depth grows every second until the next move.
        let depth = if at == ply {
            10 + u32::try_from(seconds % SECONDS_PER_MOVE).unwrap_or_default() * 4
        } else {
            22
        };
        let info = search(game.history(), moves.get(at..).unwrap_or_default(), depth);
        game.add_values("", &info, WinRateModel::default());
        shown = Some(info);
    }
    let snapshot = Snapshot {
        state: EngineState::Thinking,
        multipv: CANDIDATE_COUNT,
        search_info: shown,
        ..Snapshot::default()
    };
    let mut bar = Bar::default();
    bar.add_engine(EngineReport::from(snapshot));
    let marks = if ply < MARKED_MOVES {
        board_mark::read(SAMPLE_MARKS)
    } else {
        Vec::new()
    };
    BoardPageContent {
        bar: bar.input(&game).view(None, lang),
        history: Some(Arc::clone(game.history())),
        marks,
        aside: None,
    }
}

/// Returns the second names of the players of the sample: those in English.
pub fn second_names() -> SecondNames {
    let mut names = SecondNames::default();
    for (player, second) in pages_text::sample_players(Lang::Ja)
        .into_iter()
        .zip(pages_text::sample_players(Lang::En))
    {
        names.set(player, second);
    }
    names
}

/// Returns an invented search of a position. The best line is `next`, the moves that follow in the game.
fn search(history: &Arc<History>, next: &[Move], depth: u32) -> SearchInfo {
    let ply = history.moves().len() as f64;
    #[expect(clippy::cast_possible_truncation, reason = "some hundred centipawns")]
    let cp = ((ply * 0.8).sin() * 60.0 * ply + f64::from(depth)) as i32;
    let others = history
        .now()
        .legal_moves()
        .into_iter()
        .filter(|mv| Some(mv) != next.first());
    let pvs = std::iter::once(next.to_vec())
        .filter(|pv| !pv.is_empty())
        .chain(others.map(|mv| vec![mv]));
    let side = if history.now().side_to_move() == shogibar_shogi::Color::Black {
        1
    } else {
        -1
    };
    let candidates = pvs
        .take(CANDIDATE_COUNT)
        .zip([(1, 0), (2, 70), (3, 180)])
        .map(|(pv, (rank, worse))| Candidate {
            rank,
            value: Value::Cp(cp - side * worse),
            bound: None,
            depth: Some(depth),
            pv,
        });
    let stats = SearchStats {
        depth: Some(depth),
        nodes: Some(u64::from(depth) * 98_000),
        nps: Some(1_200_000),
        ..SearchStats::default()
    };
    SearchInfo {
        history: Arc::clone(history),
        candidates: candidates.collect(),
        stats,
    }
}
