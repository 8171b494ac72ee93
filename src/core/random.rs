//! Random numbers that can be repeated.

/// A generator of random numbers from a seed (`SplitMix64`). The same seed gives the same numbers.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// Returns the next number below `count`; 0 for a `count` of 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let wide = u128::from(mixed ^ (mixed >> 31)) * count as u128;
        usize::try_from(wide >> 64).unwrap_or_default()
    }
}
