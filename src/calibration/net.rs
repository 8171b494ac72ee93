//! The net of an engine: the file of its evaluation.

use crate::config::Profile;
use crate::discovery;
use crate::files;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The options that name the folder of the net, or the net itself.
const FOLDER_OPTIONS: [&str; 2] = ["EvalDir", "Eval_Dir"];
const FILE_OPTIONS: [&str; 4] = ["EvalFile", "Eval_File", "DNN_Model1", "DNN_Model"];
/// The usual names of a net in its folder.
const NAMES: [&str; 4] = ["nn.bin", "eval/nn.bin", "eval.bin", "model.onnx"];
/// The option that scales the evaluations of a net.
const SCALE_OPTION: &str = "FV_SCALE";
/// The size of a block that is read at once, in bytes.
const BLOCK: usize = 1 << 20;

/// Returns the net of a profile's engine as a text: the name of its file, the size, a hash of the content, and the
/// `FV_SCALE` that the profile sets. `None` for an engine without a net file that can be found. Slow: reads the file.
pub fn net_of(profile: &Profile) -> Option<String> {
    let path = net_file(profile)?;
    let (size, hash) = hash_file(&path)?;
    let name = path.file_name()?.to_string_lossy().into_owned();
    let scale = profile.options.get(SCALE_OPTION).map(|scale| format!(" {SCALE_OPTION}={}", scale.trim()));
    Some(format!("{name} {size} {hash:016x}{}", scale.unwrap_or_default()))
}

/// Returns the path of the net.
fn net_file(profile: &Profile) -> Option<PathBuf> {
    let program = discovery::from_profile(profile).ok()?.program;
    let folder = program.folder.or_else(|| program.path.parent().map(Path::to_owned))?;
    let option =
        |names: &[&str]| names.iter().find_map(|name| profile.options.get(*name)).map(|path| folder.join(path));
    let below = option(&FOLDER_OPTIONS).unwrap_or_else(|| folder.clone());
    let named = option(&FILE_OPTIONS).into_iter().chain(profile.options.get("EvalFile").map(|file| below.join(file)));
    named.chain(NAMES.iter().map(|name| below.join(name))).find(|path| path.is_file())
}

/// Returns the size of a file and a hash of its content.
fn hash_file(path: &Path) -> Option<(u64, u64)> {
    let (mut file, mut hasher) = (files::open(path).ok()?, DefaultHasher::new());
    let (mut block, mut size) = (vec![0; BLOCK], 0_u64);
    loop {
        let read = file.read(&mut block).ok()?;
        if read == 0 {
            return Some((size, hasher.finish()));
        }
        size += u64::try_from(read).ok()?;
        hasher.write(block.get(..read)?);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_net_or_scale_has_another_text() {
        let folder = std::env::temp_dir().join(format!("shogibar-net-{}", std::process::id()));
        files::make_folder(&folder.join("eval")).unwrap();
        files::make_folder(&folder.join("other")).unwrap();
        let mut profile = Profile::new("a", ["engine".to_owned()]);
        profile.folder = Some(folder.display().to_string());
        assert_eq!(net_of(&profile), None);
        files::write_whole(&folder.join("eval/nn.bin"), b"weights").unwrap();
        files::write_whole(&folder.join("other/nn.bin"), b"heights").unwrap();
        let first = net_of(&profile).unwrap();
        assert!(first.starts_with("nn.bin 7 "), "{first}");
        profile.options.insert("EvalDir".to_owned(), "other".to_owned());
        let other = net_of(&profile).unwrap();
        assert!(other.starts_with("nn.bin 7 ") && other != first, "{other}");
        profile.options.insert("FV_SCALE".to_owned(), "24".to_owned());
        assert_eq!(net_of(&profile), Some(other + " FV_SCALE=24"));
        std::fs::remove_dir_all(folder).unwrap();
    }
}
