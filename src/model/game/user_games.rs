//! The evaluations of a finished game by the engines that the user has run.

use super::Game;
use shogibar_games::analysis::Evaluator;
use shogibar_games::calibration::{DEFAULT_FIRST_PLY, UserGame, identify, rate_record};
use shogibar_shogi::score::Value;

impl Game {
    /// Returns the evaluations of the main line by engine: those shown in this run, and those of `analysed` engines in
    /// the record. Empty without a result that counts for the calibration.
    pub(crate) fn user_games(&self, analysed: &[String]) -> Vec<UserGame> {
        let record = self.document.record();
        let Ok((game, result)) = identify(record) else {
            return Vec::new();
        };
        let rated = if analysed.is_empty() {
            None
        } else {
            rate_record(record, &(DEFAULT_FIRST_PLY..=u16::MAX)).ok()
        };
        let mut games = rated
            .map(|rated| UserGame::from_record(rated, analysed))
            .unwrap_or_default();
        for series in self.values.new_series(record.start(), record.moves()) {
            let Evaluator::Engine(engine) = series.evaluator else {
                continue;
            };
            let shown = series.values.into_iter().skip(DEFAULT_FIRST_PLY.into()).flatten();
            let values: Vec<i16> = shown.filter_map(centipawns).collect();
            // The values of an analysis take precedence, because its searches are longer.
            if !values.is_empty() && !games.iter().any(|known| known.is_evaluated_by(&engine)) {
                games.push(UserGame {
                    engine,
                    net: None,
                    game,
                    result,
                    values,
                });
            }
        }
        games
    }
}

/// Returns a value in centipawns; `None` for a win or a mate, and for a value out of range.
fn centipawns(value: Value) -> Option<i16> {
    match value {
        Value::Cp(cp) => i16::try_from(cp).ok(),
        Value::Won(_) | Value::Mate { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use shogibar_base::Lang;
    use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
    use shogibar_shogi::score::WinRateModel;
    use std::sync::Arc;

    /// Returns a game of 24 plies with this end, of which an engine has shown values.
    fn game(end: &str, comment: &str) -> Game {
        let rounds = [
            "+2838HI", "-8272HI", "+3828HI", "-7282HI", "+2858HI", "-8252HI", "+5828HI", "-5282HI",
        ];
        let rest = [
            "+6978KI", "-4132KI", "+4948KI", "-6152KI", "+7968GI", "-3142GI", "+9796FU", "-1314FU",
        ];
        let last = [
            "+8786FU", "-2324FU", "+7776FU", "-3334FU", "+1716FU", "-9394FU", "+5756FU", "-5354FU",
        ];
        let moves = [rounds, rest, last].concat().join("\n");
        let record =
            shogibar_kifu::read(format!("V2.2\nN+a\nN-b\nPI\n+\n{moves}\n{comment}{end}").as_bytes())
                .unwrap();
        let mut game = Game::new(Lang::En);
        game.open(record.games.into_iter().next().unwrap());
        for (ply, cp) in [(5, 50), (21, 210), (22, 30_000), (24, -240)] {
            let history = Arc::new(game.document().record().history(ply));
            let (value, depth) = (Value::from_cp(cp).unwrap(), Some(9));
            let candidates = vec![Candidate {
                rank: 1,
                value,
                bound: None,
                depth,
                pv: Vec::new(),
            }];
            let info = SearchInfo {
                history,
                candidates,
                stats: SearchStats {
                    depth,
                    ..SearchStats::default()
                },
            };
            game.add_values("Suisho", &info, WinRateModel::default());
        }
        game
    }

    fn values(game: &Game, analysed: &[&str]) -> Vec<(String, Vec<i16>)> {
        let analysed: Vec<_> = analysed.iter().map(|name| (*name).to_owned()).collect();
        game.user_games(&analysed)
            .into_iter()
            .map(|game| (game.engine, game.values))
            .collect()
    }

    #[test]
    fn values_of_finished_games_are_kept() {
        assert_eq!(
            values(&game("%TORYO\n", ""), &[]),
            [("Suisho".to_owned(), vec![210, -240])]
        );
        for end in ["", "%CHUDAN\n", "%TIME_UP\n"] {
            assert_eq!(values(&game(end, ""), &[]), [], "{end}");
        }
    }

    #[test]
    fn values_of_an_analysis_replace_those_that_were_shown() {
        let game = game(
            "%TORYO\n",
            "'*#評価値=70\n'*#エンジン=YaneuraOu (Suisho) [nodes 5]\n",
        );
        let name = "YaneuraOu (Suisho)";
        assert_eq!(values(&game, &[name]), [(name.to_owned(), vec![70])]);
        // Evaluations from elsewhere do not count as the user's.
        assert_eq!(values(&game, &[]), [("Suisho".to_owned(), vec![210, -240])]);
    }
}
