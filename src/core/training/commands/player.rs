//! The players of matches, as commands name them.

use shogibar_core::search::{FittedWeights, KingTables, Net, Searcher, Trials};
use shogibar_core::stable_hash::StableHasher;
use std::error::Error;
use std::fs;
use std::sync::Arc;

/// A player of a match: weights, perhaps a net, and the changes on trial that it uses.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    tables: Arc<KingTables>,
    pub(crate) trials: Trials,
    /// The number of nodes for each move of the player; `None` for the limit of the match.
    pub(crate) nodes: Option<u64>,
    /// The name of the player and the hash of its weights.
    pub(crate) title: String,
}

impl Player {
    /// Creates a player with the weights and the net that the program ships.
    #[cfg(test)]
    pub(crate) fn shipped() -> Self {
        Self { tables: KingTables::shipped(), trials: Trials::default(), nodes: None, title: "shipped".to_owned() }
    }

    /// Creates the searcher of the player with a table of `megabytes` MB, for one thread.
    pub(crate) fn searcher(&self, megabytes: usize) -> Searcher {
        let mut searcher = Searcher::with_tables(megabytes, 1, Arc::clone(&self.tables));
        searcher.set_trials(self.trials);
        searcher
    }
}

/// Reads a player: `WEIGHTS[+NET][:TRIALS][@NODES]`.
pub(crate) fn read_player(name: &str) -> Result<Player, Box<dyn Error>> {
    let (source, nodes) = match name.rsplit_once('@') {
        Some((source, nodes)) => (source, Some(nodes.parse()?)),
        None => (name, None),
    };
    let (source, trials) = source.split_once(':').unwrap_or((source, "0"));
    let trials = read_trials(trials)?;
    let (weights, net) = match source.split_once('+') {
        Some((weights, net)) => {
            let file = Net::from_bytes(&fs::read(net)?).map_err(|reason| format!("{net}: {reason}"))?;
            (read_weights(weights)?, Some(file))
        }
        None if source == "shipped" => (FittedWeights::shipped(), Net::shipped()),
        None => (read_weights(source)?, None),
    };
    let mut hasher = StableHasher::new();
    hasher.add(&weights.to_bytes()?);
    hasher.add(&net.as_ref().map(Net::to_bytes).unwrap_or_default());
    let title = format!("{name} ({:016x})", hasher.finish());
    let tables = KingTables::new(&weights);
    let tables = match net {
        Some(net) => tables.with_net(net),
        None => tables,
    };
    Ok(Player { tables: tables.into(), trials, nodes, title })
}

/// Reads the changes on trial: a number with a bit for each.
pub(crate) fn read_trials(word: &str) -> Result<Trials, Box<dyn Error>> {
    let trials = Trials(word.parse()?);
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
        _ => FittedWeights::from_bytes(&fs::read(name)?).ok_or_else(|| format!("{name} has no weights").into()),
    }
}
