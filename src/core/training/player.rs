//! The players of matches, as they are named in commands.

use shogibar_core::search::{FittedWeights, KingTables, Net, Searcher, Trials};
use std::error::Error;
use std::fs;
use std::sync::Arc;

/// A player of a match: weights, with a net or without, and the changes of the search that it has on trial.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    tables: Arc<KingTables>,
    pub(crate) trials: Trials,
}

impl Player {
    #[cfg(test)]
    pub(crate) fn shipped() -> Self {
        Self { tables: KingTables::shipped(), trials: Trials::default() }
    }

    /// Creates its searcher with a table of so many MB, for one thread.
    pub(crate) fn searcher(&self, megabytes: usize) -> Searcher {
        let mut searcher = Searcher::with_tables(megabytes, 1, Arc::clone(&self.tables));
        searcher.set_trials(self.trials);
        searcher
    }
}

/// Reads a player: `WEIGHTS[+NET][:TRIALS]`.
pub(crate) fn read_player(name: &str) -> Result<Player, Box<dyn Error>> {
    let (name, trials) = name.split_once(':').unwrap_or((name, "0"));
    Ok(Player { tables: read_tables(name)?, trials: Trials(trials.parse()?) })
}

fn read_tables(name: &str) -> Result<Arc<KingTables>, Box<dyn Error>> {
    if name == "shipped" {
        return Ok(KingTables::shipped());
    }
    let (weights, net) = name.split_once('+').map_or((name, None), |(weights, net)| (weights, Some(net)));
    let tables = KingTables::new(&read_weights(weights)?);
    let Some(net) = net else { return Ok(tables.into()) };
    let net = Net::from_bytes(&fs::read(net)?).map_err(|reason| format!("{net}: {reason}"))?;
    Ok(tables.with_net(net).into())
}

pub(crate) fn read_weights(name: &str) -> Result<FittedWeights, Box<dyn Error>> {
    match name {
        "none" => Ok(FittedWeights::none()),
        "fitted" => Ok(FittedWeights::shipped()),
        _ => FittedWeights::from_bytes(&fs::read(name)?).ok_or_else(|| format!("{name} has no weights").into()),
    }
}
