//! The capacity of a format.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeCapacity {
    /// The unit of times in milliseconds; `None` if the format holds no times.
    pub(super) unit_millis: Option<u64>,
    /// Whether the format holds the total time used so far.
    pub(super) has_totals: bool,
}

/// The way in which a format holds a kind of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextCapacity {
    /// The format has this kind of text.
    Held,
    /// The text is written as comments, so that nothing is lost.
    AsComments,
    /// The text is not written.
    Lost,
}

/// The contents of a record that a format can hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capacity {
    pub(super) has_headers: bool,
    pub(super) comments: TextCapacity,
    pub(super) remarks: TextCapacity,
    pub(super) bookmarks: TextCapacity,
    pub(super) has_variations: bool,
    pub(super) times: TimeCapacity,
    pub(super) has_ends: bool,
}

impl Capacity {
    /// The capacity of KIF.
    pub(super) const EVERYTHING: Self = Self {
        has_headers: true,
        comments: TextCapacity::Held,
        remarks: TextCapacity::Held,
        bookmarks: TextCapacity::Held,
        has_variations: true,
        times: TimeCapacity {
            unit_millis: Some(1000),
            has_totals: true,
        },
        has_ends: true,
    };

    /// The capacity of a format that holds only moves or a position.
    pub(super) const NOTHING: Self = Self {
        has_headers: false,
        comments: TextCapacity::Lost,
        remarks: TextCapacity::Lost,
        bookmarks: TextCapacity::Lost,
        has_variations: false,
        times: TimeCapacity {
            unit_millis: None,
            has_totals: false,
        },
        has_ends: false,
    };
}
