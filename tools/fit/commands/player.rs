//! The players of matches, as commands name them.

use super::files;
use super::openings::styled_opening;
use super::search::{centipawns, search};
use shogibar_base::random::SplitMix;
use shogibar_base::stable_hash::StableHasher;
use shogibar_builtin::{FittedWeights, KingTables, Net, Searcher, Trials};
use std::error::Error;
use std::fmt::{Display, Write as _};
use std::num::NonZero;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// The number of moves of a game that identifies the search.
const BENCH_MOVES: usize = 8;
/// The number of nodes of each of these moves.
const BENCH_NODES: u64 = 2_500;
/// The size of the table in this game, in MB.
const BENCH_TABLE_MB: usize = 4;

/// A player of a match: weights, perhaps a net, and the changes on trial that it uses.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    tables: Arc<KingTables>,
    pub(crate) trials: Trials,
    /// The number of nodes for each move of the player; `None` for the limit of the match.
    pub(crate) nodes: Option<u64>,
    name: String,
    /// The hash of the weights, the net, the changes on trial and the moves of the search.
    pub(crate) hash: u64,
}

impl Player {
    /// Creates a player with the weights and the net that the program ships.
    #[cfg(test)]
    pub(crate) fn shipped() -> Self {
        read_player("shipped").unwrap()
    }

    /// Returns the name of the player and its hash.
    pub(crate) fn title(&self) -> String {
        format!("{} ({:016x})", self.name, self.hash)
    }

    /// Creates the searcher of the player with a table of `megabytes` MB, for one thread.
    pub(crate) fn searcher(&self, megabytes: usize) -> Searcher {
        let mut searcher = Searcher::with_tables(megabytes, 1, Arc::clone(&self.tables));
        searcher.set_trials(self.trials);
        searcher
    }

    /// Plays a short game of the player against itself. Returns its moves and scores, which differ for another search.
    fn bench(&self) -> String {
        let mut searcher = self.searcher(BENCH_TABLE_MB);
        let mut history = styled_opening(0, &mut SplitMix(1));
        let mut text = String::new();
        for _ in 0..BENCH_MOVES {
            let Some((mv, score)) = search(&mut searcher, &history, BENCH_NODES) else {
                break;
            };
            let _infallible = write!(text, "{mv} {} ", centipawns(score));
            let played = history.play(mv);
            debug_assert!(played.is_ok(), "the engine plays legal moves");
        }
        text
    }
}

/// Parses the value of the argument `name`. The error quotes both.
pub(crate) fn parse<T: FromStr<Err: Display>>(name: &str, value: &str) -> Result<T, String> {
    value
        .parse::<T>()
        .map_err(|error| format!("{name}={value}: {error}"))
}

/// Parses a value above 0 of the argument `name`.
pub(crate) fn parse_positive(name: &str, value: &str) -> Result<u64, String> {
    Ok(parse::<NonZero<u64>>(name, value)?.get())
}

/// Splits a number after a mark from a player's name. Returns the whole name where no number follows the mark: paths
/// may have marks, too.
fn split_number(name: &str, mark: char) -> (&str, Option<&str>) {
    match name.rsplit_once(mark) {
        Some((rest, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            (rest, Some(digits))
        }
        _ => (name, None),
    }
}

/// Reads a player: `WEIGHTS[+NET][:TRIALS][@NODES]`.
pub(crate) fn read_player(name: &str) -> Result<Player, Box<dyn Error>> {
    let (source, nodes) = split_number(name, '@');
    let nodes = nodes.map(|nodes| parse_positive("nodes", nodes)).transpose()?;
    let (source, trials) = split_number(source, ':');
    let trials = read_trials(trials.unwrap_or("0"))?;
    let (weights, net) = match source.split_once('+') {
        Some((weights, net)) => {
            let file = Net::from_bytes(&files::read(Path::new(net))?)
                .map_err(|reason| format!("{net}: {reason}"))?;
            (read_weights(weights)?, Some(file))
        }
        None if source == "shipped" => (FittedWeights::shipped(), Net::shipped()),
        None => (read_weights(source)?, None),
    };
    let mut hasher = StableHasher::new();
    hasher.add(&weights.to_bytes()?);
    hasher.add(&net.as_ref().map(Net::to_bytes).unwrap_or_default());
    hasher.add_text(&trials.0.to_string());
    let tables = KingTables::new(&weights);
    let tables = match net {
        Some(net) => tables.with_net(net),
        None => tables,
    };
    let mut player = Player {
        tables: tables.into(),
        trials,
        nodes,
        name: name.to_owned(),
        hash: 0,
    };
    hasher.add_text(&player.bench());
    player.hash = hasher.finish();
    Ok(player)
}

/// Reads the changes on trial: a number with a bit for each.
pub(crate) fn read_trials(word: &str) -> Result<Trials, Box<dyn Error>> {
    let trials = Trials(parse("trials", word)?);
    if !trials.is_known() {
        return Err(format!("{word}: the changes on trial are {:?}", Trials::NAMES).into());
    }
    Ok(trials)
}

/// Reads weights: `none`, `fitted` or a file.
pub(crate) fn read_weights(name: &str) -> Result<FittedWeights, Box<dyn Error>> {
    match name {
        "none" => Ok(FittedWeights::none()),
        "fitted" => Ok(FittedWeights::shipped()),
        _ => FittedWeights::from_bytes(&files::read(Path::new(name))?).ok_or_else(|| {
            format!("{name}: this is no file of weights of this version, or it is cut off or damaged").into()
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_split_from_names() {
        assert_eq!(split_number("shipped:3", ':'), ("shipped", Some("3")));
        for whole in ["shipped", "shipped:", r"fitted+C:\net", "fitted+a:3b"] {
            assert_eq!(split_number(whole, ':'), (whole, None));
        }
        assert_eq!(
            split_number("fitted+home@2/net@300", '@'),
            ("fitted+home@2/net", Some("300"))
        );
    }

    #[test]
    fn errors_name_their_word() {
        for (name, word) in [
            ("fitted+typo", "typo: "),
            ("typo", "typo: "),
            ("shipped@0", "nodes=0: "),
            ("none:99", "99: "),
        ] {
            let error = read_player(name).unwrap_err().to_string();
            assert!(error.starts_with(word), "{error}");
        }
        assert!(
            parse::<u32>("games", "abc")
                .unwrap_err()
                .starts_with("games=abc: ")
        );
    }

    #[test]
    fn a_hash_names_weights_and_search() {
        let [shipped, again, none] = ["shipped", "shipped", "none"].map(|name| read_player(name).unwrap());
        assert_eq!(shipped.title(), again.title());
        assert_ne!(shipped.hash, none.hash);
        assert_ne!(shipped.bench(), none.bench());
    }
}
