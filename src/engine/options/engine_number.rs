//! Numeric options that engines have under different names.

/// A number that this program sets for every engine. The engines have different option names for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EngineNumber {
    /// The number of candidates.
    MultiPv,
    /// The number of threads.
    Threads,
    /// The size of the hash table, in MB.
    Hash,
}

impl EngineNumber {
    /// All numbers, in the order they are sent.
    pub const ALL: [Self; 3] = [Self::MultiPv, Self::Threads, Self::Hash];

    /// Returns the number that an option of this name sets. Returns `None` for any other option.
    pub fn from_option(option: &str) -> Option<Self> {
        // gpsusi has an option `Thread`, and its `MultiPVWidth` is a different option.
        match stem(&plain_name(option)) {
            "multipv" => Some(Self::MultiPv),
            "threads" | "thread" => Some(Self::Threads),
            "hash" => Some(Self::Hash),
            _ => None,
        }
    }
}

/// Returns an option name in lower case, with spaces for underscores. Names of other programs can then be compared:
/// `ShogiGUI` writes `Skill Level` as `Skill_Level`.
pub fn plain_name(name: &str) -> String {
    name.trim().to_lowercase().replace('_', " ")
}

/// Returns a plain name without its protocol prefix. Fairy-Stockfish's `UCI_Variant` may be stored as `USI_Variant`,
/// and its `Hash` as `USI_Hash`.
pub(super) fn stem(plain: &str) -> &str {
    plain
        .strip_prefix("usi ")
        .or_else(|| plain.strip_prefix("uci "))
        .unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_names_of_real_engines_are_recognised() {
        let check = |name, expect| assert_eq!(EngineNumber::from_option(name), expect, "{name}");
        for name in ["MultiPV", "USI_MultiPV", "Multipv"] {
            check(name, Some(EngineNumber::MultiPv));
        }
        for name in ["Threads", "Thread", "USI_Threads"] {
            check(name, Some(EngineNumber::Threads));
        }
        for name in ["Hash", "USI_Hash", "USI Hash"] {
            check(name, Some(EngineNumber::Hash));
        }
        for name in ["MultiPVWidth", "Clear Hash", "UCT_Threads", "EvalHash", ""] {
            check(name, None);
        }
    }
}
