//! A hash that every version of the program computes alike, for values stored in files. The hash of the standard
//! library may change with the compiler.

/// A hasher (FNV-1a with 64 bits), for protection against accidents, not against deliberate collisions.
#[derive(Clone, Copy, Debug)]
pub struct StableHasher(u64);

impl StableHasher {
    /// The text before a hash in a file.
    pub const PREFIX: &'static str = "fnv1a:";

    /// Returns whether a word of a file is a hash without the prefix, as earlier versions have written it.
    pub fn is_hash_without_prefix(word: &str) -> bool {
        word.len() == 16 && word.chars().all(|digit| digit.is_ascii_hexdigit())
    }

    /// Creates a hasher without input.
    pub const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    /// Returns the hash of bytes.
    pub fn hash_bytes(bytes: &[u8]) -> u64 {
        let mut hasher = Self::new();
        hasher.add(bytes);
        hasher.finish()
    }

    /// Adds bytes to the input. The result does not depend on how the input is divided.
    pub fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }

    /// Adds a text and an end mark, so that `ab` and `c` differ from `a` and `bc`.
    pub fn add_text(&mut self, text: &str) {
        self.add(text.as_bytes());
        // The byte 0xFF does not occur in UTF-8.
        self.add(&[0xFF]);
    }

    /// Returns the hash.
    pub const fn finish(self) -> u64 {
        self.0
    }

    /// Returns the hash as it is written in a file, after the [prefix](Self::PREFIX).
    pub fn text(self) -> String {
        format!("{}{:016x}", Self::PREFIX, self.0)
    }
}

/// Appends a checksum to bytes: their hash, in eight bytes.
pub fn append_checksum(bytes: &mut Vec<u8>) {
    bytes.extend(StableHasher::hash_bytes(bytes).to_le_bytes());
}

/// Returns the bytes before their checksum; `None` where the checksum is wrong or missing.
pub fn strip_checksum(bytes: &[u8]) -> Option<&[u8]> {
    let (content, sum) = bytes.split_last_chunk::<8>()?;
    (StableHasher::hash_bytes(content) == u64::from_le_bytes(*sum)).then_some(content)
}

impl Default for StableHasher {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_published_algorithm() {
        let check = |text: &str, expect: u64| {
            let mut hasher = StableHasher::new();
            hasher.add(text.as_bytes());
            assert_eq!(hasher.finish(), expect, "{text}");
        };
        check("", 0xCBF2_9CE4_8422_2325);
        check("a", 0xAF63_DC4C_8601_EC8C);
        check("foobar", 0x8594_4171_F739_67E8);
    }

    #[test]
    fn texts_have_ends() {
        let hash = |texts: &[&str]| {
            let mut hasher = StableHasher::default();
            for text in texts {
                hasher.add_text(text);
            }
            hasher.text()
        };
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        assert!(hash(&[]).starts_with("fnv1a:cbf2"));
    }
}
