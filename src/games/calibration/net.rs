//! The net of an engine: the file with the weights of its evaluation.

use shogibar_config::Profile;
use shogibar_machine::discovery;

use shogibar_base::stable_hash::StableHasher;
use shogibar_engine::process::Program;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const FOLDER_OPTIONS: [&str; 2] = ["EvalDir", "Eval_Dir"];
const FILE_OPTIONS: [&str; 4] = ["EvalFile", "Eval_File", "DNN_Model1", "DNN_Model"];
/// The usual names of the file of a net in its folder.
const FILE_NAMES: [&str; 4] = ["nn.bin", "eval/nn.bin", "eval.bin", "model.onnx"];
const SCALE_OPTION: &str = "FV_SCALE";

/// The result of comparing two nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetComparison {
    /// The nets have equal hashes.
    Same,
    /// The nets may be equal: a hash was computed by an earlier version of this program.
    Unknown,
    /// The nets differ in the file or in `FV_SCALE`.
    Different,
}

/// Returns the net of a profile's engine as a text. The text has the name, size and hash of the file, and the
/// `FV_SCALE` of the profile. Returns `None` if no net file is found. Slow: reads a new file.
pub fn net_of(profile: &Profile) -> Option<String> {
    net_of_program(&discovery::from_profile(profile).ok()?.program, &profile.options)
}

/// Returns the net of a program with engine options, as [`net_of`] does.
pub fn net_of_program(program: &Program, options: &BTreeMap<String, String>) -> Option<String> {
    let path = net_file(program, options)?;
    let (size, hash) = shogibar_files::content_hash(&path)?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    let scale = options
        .get(SCALE_OPTION)
        .map(|scale| format!(" {SCALE_OPTION}={}", scale.trim()));
    Some(format!(
        "{name} {size} {}{}",
        hash.text(),
        scale.unwrap_or_default()
    ))
}

/// Compares two texts of [`net_of`]. An empty text stands for no net file.
pub fn compare_nets(one: &str, other: &str) -> NetComparison {
    let [(one_rest, one_hash), (other_rest, other_hash)] = [one, other].map(split_hash);
    let is_present_kind = |hash: Option<&str>| hash.is_none_or(|hash| hash.starts_with(StableHasher::PREFIX));
    match () {
        () if one == other => NetComparison::Same,
        () if one_rest != other_rest || is_present_kind(one_hash) && is_present_kind(other_hash) => {
            NetComparison::Different
        }
        () if one_hash.is_some() != other_hash.is_some() => NetComparison::Different,
        () => NetComparison::Unknown,
    }
}

/// Returns whether the K of a profile was fitted to another net than the present one. Slow, as [`net_of`] is.
pub fn is_fit_of_other_net(profile: &Profile) -> bool {
    profile.model.is_some()
        && profile.fitted_net.as_ref().is_some_and(|fitted| {
            compare_nets(fitted, &net_of(profile).unwrap_or_default()) == NetComparison::Different
        })
}

/// Returns the words of the text of a net without the hash, and the hash; `None` without one.
fn split_hash(net: &str) -> (Vec<&str>, Option<&str>) {
    let mut words: Vec<&str> = net.split(' ').collect();
    let index = words.iter().rposition(|word| {
        word.starts_with(StableHasher::PREFIX) || StableHasher::is_hash_without_prefix(word)
    });
    let hash = index.map(|index| words.remove(index));
    (words, hash)
}

/// Returns the path of the net file of a program; `None` if no such file exists.
fn net_file(program: &Program, options: &BTreeMap<String, String>) -> Option<PathBuf> {
    let folder = program
        .folder
        .clone()
        .or_else(|| program.path.parent().map(Path::to_owned))?;
    let option = |names: &[&str]| {
        names
            .iter()
            .find_map(|name| options.get(*name))
            .map(|path| folder.join(path))
    };
    let below = option(&FOLDER_OPTIONS).unwrap_or_else(|| folder.clone());
    let named = option(&FILE_OPTIONS)
        .into_iter()
        .chain(options.get("EvalFile").map(|file| below.join(file)));
    named
        .chain(FILE_NAMES.iter().map(|name| below.join(name)))
        .find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_net_or_scale_has_another_text() {
        let folder = std::env::temp_dir().join(format!("shogibar-net-{}", std::process::id()));
        shogibar_files::make_folder(&folder.join("eval")).unwrap();
        shogibar_files::make_folder(&folder.join("other")).unwrap();
        let mut profile = Profile::new("a", ["engine".to_owned()]);
        profile.folder = Some(folder.display().to_string());
        assert_eq!(net_of(&profile), None);
        shogibar_files::write_whole(&folder.join("eval/nn.bin"), b"weights").unwrap();
        shogibar_files::write_whole(&folder.join("other/nn.bin"), b"heights").unwrap();
        let first = net_of(&profile).unwrap();
        assert!(first.starts_with("nn.bin 7 "), "{first}");
        profile.options.insert("EvalDir".to_owned(), "other".to_owned());
        let other = net_of(&profile).unwrap();
        assert!(other.starts_with("nn.bin 7 ") && other != first, "{other}");
        profile.options.insert("FV_SCALE".to_owned(), "24".to_owned());
        assert_eq!(net_of(&profile), Some(other + " FV_SCALE=24"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_hash_of_an_earlier_version_cannot_be_compared() {
        let check = |one: &str, other: &str, expect| {
            assert_eq!(compare_nets(one, other), expect, "{one} and {other}");
            assert_eq!(compare_nets(other, one), expect, "{other} and {one}");
        };
        let now = "nn.bin 7 fnv1a:af63dc4c8601ec8c";
        check(now, now, NetComparison::Same);
        check("", "", NetComparison::Same);
        check(now, "nn.bin 7 fnv1a:af63dc4c8601ec8d", NetComparison::Different);
        check(now, "", NetComparison::Different);
        check(now, "nn.bin 7", NetComparison::Different);
        check(now, "nn.bin 7 0123456789abcdef", NetComparison::Unknown);
        check(now, "nn.bin 8 0123456789abcdef", NetComparison::Different);
        check(
            now,
            "nn.bin 7 0123456789abcdef FV_SCALE=24",
            NetComparison::Different,
        );
        check(
            "my net.bin 7 fnv1a:01",
            "my net.bin 7 0123456789abcdef",
            NetComparison::Unknown,
        );
    }
}
