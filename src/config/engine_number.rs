//! Numbers that every engine has under a name of its own.

/// A number that is set for every engine, whatever it calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EngineNumber {
    /// Candidates.
    MultiPv,
    /// Threads.
    Threads,
    /// Memory for the table, in MB.
    Hash,
}

impl EngineNumber {
    /// All of them, in the order they are sent.
    pub const ALL: [Self; 3] = [Self::MultiPv, Self::Threads, Self::Hash];

    /// What an option of this name is; `None` for any other option.
    pub fn from_option(option: &str) -> Option<Self> {
        // gpsusi says `Thread`, and its `MultiPVWidth` is something else.
        match stem(&plain(option)) {
            "multipv" => Some(Self::MultiPv),
            "threads" | "thread" => Some(Self::Threads),
            "hash" => Some(Self::Hash),
            _ => None,
        }
    }
}

/// An option's name without what programs change in it: `Skill Level` is `Skill_Level` in the files of
/// `ShogiGUI`, and no two options differ in case alone.
pub(super) fn plain(name: &str) -> String {
    name.trim().to_lowercase().replace('_', " ")
}

/// A plain name without the letters of a protocol: Fairy-Stockfish's `UCI_Variant` was to become
/// `USI_Variant`, and its `Hash` `USI_Hash`.
pub(super) fn stem(plain: &str) -> &str {
    plain.strip_prefix("usi ").or_else(|| plain.strip_prefix("uci ")).unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_call_it_as_they_like() {
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
