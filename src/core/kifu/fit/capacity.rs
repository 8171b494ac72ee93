//! What each format has a place for.

use crate::kifu::target::Target;

/// What of times has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    /// The unit they are told in, in milliseconds; `None` where there are none.
    pub(super) unit: Option<u64>,
    /// Whether the time used so far is told, too.
    pub(super) totals: bool,
}

/// Where a kind of text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texts {
    Held,
    /// Among the comments, so that nothing is lost.
    AsComments,
    Lost,
}

/// What a format has a place for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capacity {
    pub(super) headers: bool,
    pub(super) comments: Texts,
    pub(super) remarks: Texts,
    pub(super) bookmarks: Texts,
    pub(super) variations: bool,
    pub(super) times: Times,
    pub(super) ends: bool,
}

impl Target {
    pub(super) const fn capacity(self) -> Capacity {
        const KIF: Capacity = Capacity {
            headers: true,
            comments: Texts::Held,
            remarks: Texts::Held,
            bookmarks: Texts::Held,
            variations: true,
            times: Times { unit: Some(1000), totals: true },
            ends: true,
        };
        const NOTHING: Capacity = Capacity {
            headers: false,
            comments: Texts::Lost,
            remarks: Texts::Lost,
            bookmarks: Texts::Lost,
            variations: false,
            times: Times { unit: None, totals: false },
            ends: false,
        };
        const CSA: Capacity = Capacity {
            bookmarks: Texts::AsComments,
            variations: false,
            times: Times { unit: Some(1000), totals: false },
            ..KIF
        };
        match self {
            Self::Kif | Self::Kifu => KIF,
            Self::Ki2 | Self::Ki2u => Capacity { times: NOTHING.times, ..KIF },
            Self::Csa => CSA,
            Self::Csa3 => Capacity { times: Times { unit: Some(1), totals: false }, ..CSA },
            Self::Jkf => Capacity { remarks: Texts::AsComments, ..KIF },
            Self::Psn => Capacity { remarks: Texts::AsComments, bookmarks: Texts::AsComments, ..KIF },
            Self::Bod => Capacity { headers: true, ..NOTHING },
            Self::Usi | Self::Sfen => NOTHING,
        }
    }
}
