//! The games of the user's engines: `calibration.jsonl` in the user's folder, a line for each game and engine.
//!
//! Lines are only appended. A game counts once for an engine. The last line with analysed values counts, or else the
//! last line with displayed values.

use super::rated::RatedRecord;
use serde::{Deserialize, Serialize};
use shogibar_shogi::score::{CurveFit, RatedGame, Reliability, fit};
use std::collections::BTreeMap;

/// The evaluations of a finished game by an engine that the user has run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserGame {
    /// The name of the engine's profile for displayed values, or the name of the engine in the record for analysed
    /// values.
    pub engine: String,
    /// The net of the engine when the game was stored, in the form of [`UserFit::net`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub net: Option<String>,
    /// A hash of the moves, the start and the players. Equal games have equal hashes.
    pub game: u64,
    /// Black's result: 1, 0.5 or 0.
    pub result: f64,
    /// The evaluations from Black's view, in centipawns.
    pub values: Vec<i16>,
}

/// The fit of a profile's engine to the user's games.
#[derive(Clone, Debug, PartialEq)]
pub struct UserFit {
    /// The name of the profile.
    pub profile: String,
    /// The net that has evaluated the games, as [`net_of`](super::net_of) returns it; `None` without a net file.
    pub net: Option<String>,
    /// The number of games.
    pub games: usize,
    /// The number of games that do not count, because they are of another net or may be.
    pub other_games: usize,
    /// The fit; `None` while there are too few games, or if these games give no curve.
    pub fit: Option<CurveFit>,
    /// The reliability of the fit's predictions; `None` without a fit.
    pub reliability: Option<Reliability>,
}

impl UserGame {
    /// Creates the games of a record, one for each of the `engines` that have evaluated it.
    pub fn from_record(rated: RatedRecord, engines: &[String]) -> Vec<Self> {
        let RatedRecord {
            key,
            result,
            engines: values,
            ..
        } = rated;
        let fits = values.into_iter().filter(|(engine, _)| engines.contains(engine));
        fits.map(|(engine, values)| Self {
            engine,
            net: None,
            game: key,
            result,
            values,
        })
        .collect()
    }

    /// Returns whether the game was evaluated by the engine of a profile.
    pub fn is_evaluated_by(&self, profile: &str) -> bool {
        is_engine_of_profile(&self.engine, profile)
    }

    /// Returns the line of the file, including the line end.
    pub fn line(&self) -> String {
        // Every field can be written as JSON.
        serde_json::to_string(self)
            .map(|line| line + "\n")
            .unwrap_or_default()
    }
}

impl UserFit {
    /// Returns whether the profile has games, whether they count or not.
    pub const fn has_games(&self) -> bool {
        self.games + self.other_games > 0
    }
}

/// Returns the fit of each profile to the games in the text of the file. `profiles` has their names and present nets.
/// Lines that cannot be read are ignored.
pub fn user_fits(text: &str, profiles: &[(String, Option<String>)]) -> Vec<UserFit> {
    let read = text
        .lines()
        .filter_map(|line| serde_json::from_str::<UserGame>(line).ok());
    let games: Vec<UserGame> = read.filter(|game| (0.0..=1.0).contains(&game.result)).collect();
    let of_profile = |(profile, net): &(String, Option<String>)| {
        let theirs = games_of(&games, profile);
        let fits = theirs.iter().filter(|game| game.net == *net);
        let fits: Vec<_> = fits
            .map(|fits| RatedGame {
                values: fits.values.clone(),
                result: fits.result,
            })
            .collect();
        let fit = if fits.len() >= super::MIN_FIT_GAMES {
            fit(&fits)
        } else {
            None
        };
        UserFit {
            profile: profile.clone(),
            net: net.clone(),
            games: fits.len(),
            other_games: theirs.len() - fits.len(),
            fit,
            reliability: fit.map(|fit| Reliability::from_curve(&fits, fit.curve)),
        }
    };
    profiles.iter().map(of_profile).collect()
}

/// Returns the games of a profile, each once for a net. A game with displayed values has the name of the profile. A
/// game with analysed values has the name of the engine, too.
fn games_of<'a>(games: &'a [UserGame], profile: &str) -> Vec<&'a UserGame> {
    let mut theirs: BTreeMap<(Option<&str>, u64), &UserGame> = BTreeMap::new();
    for game in games.iter().filter(|game| game.is_evaluated_by(profile)) {
        let is_analysed = |game: &UserGame| game.engine != profile;
        let known = theirs.entry((game.net.as_deref(), game.game)).or_insert(game);
        if is_analysed(game) || !is_analysed(known) {
            *known = game;
        }
    }
    theirs.into_values().collect()
}

/// Returns whether an engine name is the name of a profile, or ends with the name of the profile in parentheses.
fn is_engine_of_profile(engine: &str, profile: &str) -> bool {
    engine == profile
        || engine
            .strip_suffix(')')
            .is_some_and(|name| name.ends_with(&format!(" ({profile}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(engine: &str, net: Option<&str>, game: u64) -> UserGame {
        let values = (0..40)
            .map(|ply| {
                if game.is_multiple_of(2) {
                    ply * 20
                } else {
                    -ply * 20
                }
            })
            .collect();
        let result = if game.is_multiple_of(2) == game.is_multiple_of(5) {
            0.0
        } else {
            1.0
        };
        UserGame {
            engine: engine.to_owned(),
            net: net.map(str::to_owned),
            game,
            result,
            values,
        }
    }

    #[test]
    fn the_games_of_a_profile_with_its_net_are_fitted() {
        let mut text: String = (0..30)
            .map(|number| game("Suisho (mine)", Some("a"), number).line())
            .collect();
        text += &(0..5)
            .map(|number| game("mine", Some("b"), number).line())
            .collect::<String>();
        text += &game("mine (other)", Some("a"), 90).line();
        text += "no JSON\n{\"engine\":1}\n";
        // A later line of a game replaces the earlier one.
        text += &game("Suisho (mine)", Some("a"), 3).line();
        let net = |net: &str| Some(net.to_owned());
        let profiles = [
            ("mine".to_owned(), net("a")),
            ("mine".to_owned(), net("b")),
            ("nobody".to_owned(), None),
        ];
        let found = user_fits(&text, &profiles);
        let counts: Vec<_> = found
            .iter()
            .map(|fit| (fit.games, fit.other_games, fit.fit.is_some()))
            .collect();
        assert_eq!(counts, [(30, 5, true), (5, 30, false), (0, 0, false)]);
        let positions = |fit: &UserFit| {
            fit.reliability
                .as_ref()
                .map(|it| it.bins.iter().map(|bin| bin.positions).sum())
        };
        assert_eq!(positions(&found[0]), Some(30 * 40_u64));
    }

    #[test]
    fn a_game_that_was_shown_and_analysed_counts_once() {
        let shown = |number| UserGame {
            values: vec![7],
            ..game("mine", None, number)
        };
        let analysed = |number| UserGame {
            values: vec![8],
            ..game("Suisho (mine)", None, number)
        };
        let games = [
            shown(1),
            analysed(1),
            shown(1),
            analysed(2),
            shown(3),
            game("other", None, 3),
        ];
        let found = games_of(&games, "mine");
        assert_eq!(
            found
                .iter()
                .map(|game| (game.game, game.values[0]))
                .collect::<Vec<_>>(),
            [(1, 8), (2, 8), (3, 7)]
        );
        let text: String = games.iter().map(UserGame::line).collect();
        assert_eq!(user_fits(&text, &[("mine".to_owned(), None)])[0].games, 3);
    }

    #[test]
    fn a_game_of_an_earlier_version_is_read_and_not_known_to_be_of_the_net() {
        let text = game("mine", Some("nn.bin 7 0123456789abcdef"), 1).line();
        let net = Some("nn.bin 7 fnv1a:0123456789abcdef".to_owned());
        let found = user_fits(&text, &[("mine".to_owned(), net)]);
        assert_eq!((found[0].games, found[0].other_games), (0, 1));
    }

    #[test]
    fn lines_are_read_as_they_were_written() {
        let written = game("A", None, u64::MAX);
        let read: UserGame = serde_json::from_str(written.line().trim_end()).unwrap();
        assert_eq!(read, written);
    }
}
