//! True facts are verified, and planted faults are caught.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "helpers of tests may panic"
)]

#[path = "planted/formations.rs"]
mod formations;
#[path = "planted/gains.rs"]
mod gains;
#[path = "planted/initiative.rs"]
mod initiative;
#[path = "planted/kings.rs"]
mod kings;
#[path = "planted/mates.rs"]
mod mates;
#[path = "planted/plans.rs"]
mod plans;
#[path = "planted/support.rs"]
mod support;
#[path = "planted/tactics.rs"]
mod tactics;
#[path = "planted/threats.rs"]
mod threats;
#[path = "planted/values.rs"]
mod values;
