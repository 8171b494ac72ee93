//! Random numbers for drawings, from a seed.

use shogibar_base::random::SplitMix;

/// A source of random numbers.
#[derive(Clone, Debug)]
pub struct Random(SplitMix);

impl Random {
    /// Creates a source from a seed.
    pub const fn new(seed: u64) -> Self {
        Self(SplitMix(seed))
    }

    /// Returns an integer below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.0.below(count)
    }

    /// Returns a number from `low` to below `high`.
    pub fn real(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.0.below(1 << 24) as f32 / (1 << 24) as f32)
    }

    /// Returns a number with mean 0 and deviation 1, approximately normal.
    pub fn normal(&mut self) -> f32 {
        let sum: f32 = (0..6).map(|_| self.real(-1.0, 1.0)).sum();
        sum * std::f32::consts::FRAC_1_SQRT_2
    }

    /// Returns `true` with this probability.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.real(0.0, 1.0) < probability
    }

    /// Returns one of the values.
    pub fn pick<'a, T>(&mut self, values: &'a [T]) -> &'a T {
        &values[self.below(values.len())]
    }

    /// Returns the colour of a light wood; in 12 % of the cases, any colour.
    pub fn wood(&mut self) -> [u8; 3] {
        if self.chance(0.12) {
            return self.color();
        }
        let light = self.real(150.0, 250.0);
        [light, light * self.real(0.72, 1.0), light * self.real(0.4, 0.95)].map(|value| value as u8)
    }

    /// Returns any colour.
    pub fn color(&mut self) -> [u8; 3] {
        [0, 1, 2].map(|_| self.below(256) as u8)
    }
}
