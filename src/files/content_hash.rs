//! Hashes of the content of files. An unchanged file is read once.

use super::{FileStamp, open, stamp};
use shogibar_base::stable_hash::StableHasher;
use shogibar_base::threads::lock;
use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The size of a block that is read at once, in bytes.
const BLOCK_BYTES: usize = 1 << 20;
const MAX_STORED_HASHES: usize = 256;

/// The known hashes, each with the stamp that its file had before it was read.
static KNOWN_HASHES: Mutex<BTreeMap<PathBuf, (FileStamp, StableHasher)>> = Mutex::new(BTreeMap::new());

/// Returns the size of a file and the hash of its content; `None` if it cannot be read. A thread that draws must not
/// call this: a large file that is new or has changed takes long.
pub fn content_hash(path: &Path) -> Option<(u64, StableHasher)> {
    let stamp = stamp(path)?;
    if let Some((_, hash)) = lock(&KNOWN_HASHES).get(path).filter(|(known, _)| *known == stamp) {
        return Some((stamp.size, *hash));
    }
    let hash = hash_file(path)?;
    let mut known = lock(&KNOWN_HASHES);
    if known.len() >= MAX_STORED_HASHES {
        known.clear();
    }
    known.insert(path.to_owned(), (stamp, hash));
    Some((stamp.size, hash))
}

/// Returns the hash of the content of a file; `None` if the file cannot be read.
fn hash_file(path: &Path) -> Option<StableHasher> {
    let (mut file, mut hasher, mut block) = (open(path).ok()?, StableHasher::new(), vec![0; BLOCK_BYTES]);
    loop {
        let read = file.read(&mut block).ok()?;
        if read == 0 {
            return Some(hasher);
        }
        hasher.add(block.get(..read)?);
    }
}

#[cfg(test)]
mod tests {
    use super::super::write_whole;
    use super::*;
    use std::time::{Duration, UNIX_EPOCH};

    #[test]
    fn an_unchanged_file_is_read_once() {
        let path = std::env::temp_dir().join(format!("shogibar-content-hash-{}", std::process::id()));
        let write = |content: &[u8], seconds: u64| {
            write_whole(&path, content).unwrap();
            let file = std::fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds))
                .unwrap();
            content_hash(&path)
                .map(|(size, hash)| (size, hash.finish()))
                .unwrap()
        };
        let first = write(b"weights", 1_000);
        assert_eq!(first.0, 7);
        assert_eq!(
            write(b"heights", 1_000),
            first,
            "size and time are the same: it is not read again"
        );
        assert_ne!(write(b"heights", 1_001), first);
        assert_eq!(write(b"weights", 1_002), first);
        std::fs::remove_file(&path).unwrap();
        assert!(content_hash(&path).is_none());
    }
}
