//! Reproducible random numbers.

/// Mixes the bits of a number: each bit of the result depends on all bits. This is the last step of `SplitMix64`.
pub const fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// A generator of random numbers from a seed (`SplitMix64`). The same seed gives the same numbers.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// Returns the next number below `count`; 0 for a `count` of 0.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let wide = u128::from(mix(self.0)) * count as u128;
        usize::try_from(wide >> 64).unwrap_or_default()
    }
}
