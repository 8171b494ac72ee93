//! The result of a check.

/// The verdict of the verifier about a fact.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The fact holds.
    Verified,
    /// The fact does not hold. The text gives the reason for a developer.
    False(String),
    /// The fact could not be decided: the nodes were spent, or values are missing. The text gives the reason for a
    /// developer.
    Undecided(String),
}

/// The result of a part of a check. An error is [`Verdict::False`] or [`Verdict::Undecided`].
pub(crate) type Checked<T = ()> = Result<T, Verdict>;

impl From<Checked> for Verdict {
    fn from(checked: Checked) -> Self {
        checked.err().unwrap_or(Self::Verified)
    }
}

/// Returns an error with this text unless the condition holds.
pub(crate) fn require(holds: bool, why: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Verdict::False(why())) }
}

pub(crate) fn false_fact(why: impl Into<String>) -> Verdict {
    Verdict::False(why.into())
}

/// Returns the verdict that a fact is not decided.
pub(crate) fn undecided(why: impl Into<String>) -> Verdict {
    Verdict::Undecided(why.into())
}
