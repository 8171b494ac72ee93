//! The options of an engine: known engines, search limits, and the resolution of what the user has set.

mod engine_number;
mod limit;
mod presets;
mod resolve;

pub use engine_number::{EngineNumber, plain_name};
pub use limit::{Limit, ParseLimitError, split_signature};
pub use presets::{Preset, Presets};
pub use resolve::{
    OptionRequest, RejectReason, RejectedOption, ResolvedOptions, clamp, number_of, option_index,
    rejected_options, resolve, resolve_model, stored_value,
};
