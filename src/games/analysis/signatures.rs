//! The signatures of evaluations: the name of an engine with the limit of its search.

use shogibar_engine::options::{Limit, split_signature};
use shogibar_kifu::evaluation::engine_name;

/// Returns the name of an engine with its search limit, by which a record identifies the evaluations of the engine. An
/// example is `YaneuraOu NNUE 9.00 [nodes 1000000]`. The limit is `[depth 12, multipv 3]` if several lines were
/// requested.
pub fn signature(engine: &str, limit: Limit, multipv: u32) -> String {
    let name = engine_name(engine).unwrap_or("?");
    if multipv > 1 {
        format!("{name} [{limit}, multipv {multipv}]")
    } else {
        format!("{name} [{limit}]")
    }
}

/// Returns the engine name in signatures: the name that the engine reports, with the name of the profile. An example is
/// `YaneuraOu NNUE 9.00 (Hao)`. So two nets of one program are two engines. If one name is missing, the other is used.
pub fn signature_name(engine: &str, profile: Option<&str>) -> String {
    match profile.filter(|profile| *profile != engine) {
        Some(profile) if engine.is_empty() => profile.to_owned(),
        Some(profile) => format!("{engine} ({profile})"),
        None => engine.to_owned(),
    }
}

/// Returns the engine name of a [`signature`], without the limit. Returns `None` for names without a valid limit, which
/// other programs wrote.
pub fn signed_engine(name: &str) -> Option<&str> {
    split_signature(name).map(|(engine, ..)| engine)
}

/// Returns whether an evaluation with the signature `found` satisfies a request for the signature `wanted`. Unless they
/// are equal, both must have the same engine, number of lines and kind of limit, and the found limit must be larger.
pub(super) fn satisfies(found: &str, wanted: &str) -> bool {
    if found == wanted {
        return true;
    }
    let (Some((found, reached, in_lines)), Some((wanted, asked, lines))) =
        (split_signature(found), split_signature(wanted))
    else {
        return false;
    };
    let is_as_long = match (reached, asked) {
        (Limit::Time(reached), Limit::Time(asked)) => reached >= asked,
        (Limit::Nodes(reached), Limit::Nodes(asked)) => reached >= asked,
        (Limit::Depth(reached), Limit::Depth(asked)) => reached >= asked,
        _ => false,
    };
    found == wanted && in_lines == lines && is_as_long
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_name_with_a_limit_is_signed() {
        let limits = [
            Limit::Nodes(5),
            Limit::Depth(9),
            Limit::Time(std::time::Duration::from_millis(1500)),
        ];
        for (limit, multipv) in limits.into_iter().flat_map(|limit| [(limit, 1), (limit, 3)]) {
            let name = signature("A [beta] (net)", limit, multipv);
            assert_eq!(signed_engine(&name), Some("A [beta] (net)"), "{name}");
        }
        for name in ["A", "A [beta]", "A [nodes]", "A [nodes 5] (net)"] {
            assert_eq!(signed_engine(name), None, "{name}");
        }
    }

    #[test]
    fn longer_search_satisfies_shorter_request() {
        let check =
            |found, wanted, expect| assert_eq!(satisfies(found, wanted), expect, "{found} for {wanted}");
        check("A [nodes 5]", "A [nodes 5]", true);
        check("A [nodes 6]", "A [nodes 5]", true);
        check("A [nodes 4]", "A [nodes 5]", false);
        check("A [movetime 5000]", "A [movetime 1000]", true);
        check("A [depth 9]", "A [nodes 5]", false);
        check("B [nodes 6]", "A [nodes 5]", false);
        check("A (net) [nodes 6]", "A [nodes 5]", false);
        check("A [nodes 6, multipv 3]", "A [nodes 5]", false);
        check("A [nodes 6, multipv 3]", "A [nodes 5, multipv 3]", true);
        check("A", "A [nodes 5]", false);
        check("A", "A", true);
    }
}
