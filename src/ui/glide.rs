//! Motion: a number that moves smoothly to a new value.

/// A number that moves from a start to a target. The caller gives the time, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Glide {
    from: f32,
    to: f32,
    start_time: f64,
    /// The maximum duration, in seconds.
    duration: f64,
    /// The smallest visible motion, in the unit of the number. A number that is nearer to the target counts as arrived.
    step: f32,
}

impl Glide {
    pub(crate) const fn at_rest(value: f32) -> Self {
        Self {
            from: value,
            to: value,
            start_time: f64::NEG_INFINITY,
            duration: 1.0,
            step: 0.0,
        }
    }

    /// Sets the target. The number moves there from its present value in `duration` seconds, in steps of at least
    /// `step`.
    pub(crate) fn set_target(&mut self, to: f32, step: f32, duration: f64, now: f64) {
        self.step = step;
        if to.to_bits() != self.to.to_bits() {
            *self = Self {
                from: self.value_at(now),
                to,
                start_time: now,
                duration,
                step,
            };
        }
    }

    /// Returns the value at a time. The value changes fast at first and slowly at the end.
    pub(crate) fn value_at(&self, now: f64) -> f32 {
        if self.is_at_rest(now) {
            self.to
        } else {
            self.to + (self.from - self.to) * self.remaining(now)
        }
    }

    /// Returns the seconds until the number has moved another step or has arrived; 0 after arrival.
    pub(crate) fn seconds_to_next_step(&self, now: f64) -> f64 {
        if self.is_at_rest(now) {
            return 0.0;
        }
        let part = f64::from(self.step / (self.from - self.to).abs().max(f32::MIN_POSITIVE));
        let remaining = f64::from(self.remaining(now));
        // The last step goes to the end.
        let remaining_after = if remaining <= 2.0 * part {
            part
        } else {
            remaining - part
        };
        (remaining.cbrt() - remaining_after.cbrt()) * self.duration
    }

    /// Returns whether the number has arrived.
    pub(crate) fn is_at_rest(&self, now: f64) -> bool {
        now - self.start_time >= self.duration
            || (self.from - self.to).abs() * self.remaining(now) <= self.step
    }

    /// Returns the remaining fraction of the motion, from 1 at the start to 0.
    fn remaining(&self, now: f64) -> f32 {
        #[expect(clippy::cast_possible_truncation, reason = "a fraction between 0 and 1")]
        let remaining = (1.0 - (now - self.start_time) / self.duration).clamp(0.0, 1.0) as f32;
        remaining.powi(3)
    }
}

#[cfg(test)]
mod tests {
    use super::Glide;

    const STEP: f32 = 0.01;

    #[test]
    fn slides_without_overshooting_and_stops() {
        let mut glide = Glide::at_rest(0.5);
        assert!(glide.is_at_rest(0.0), "nothing moves before it is sent somewhere");
        glide.set_target(0.8, STEP, 0.2, 10.0);
        let path: Vec<f32> = (0..=20)
            .map(|step| glide.value_at(10.0 + f64::from(step) * 0.01))
            .collect();
        assert!(path.is_sorted(), "{path:?}");
        assert!(
            (path[0] - 0.5).abs() < 1e-6,
            "it sets out from where it was: {path:?}"
        );
        assert_eq!(
            glide.value_at(10.21).to_bits(),
            0.8_f32.to_bits(),
            "and arrives exactly"
        );
        assert!(
            path[5] > 0.65,
            "more than half is done in the first quarter: {path:?}"
        );
        assert!(
            !glide.is_at_rest(10.1) && glide.is_at_rest(10.21),
            "it rests when it has arrived, and not before"
        );
    }

    #[test]
    fn shorter_ways_take_fewer_steps() {
        let check = |to: f32, steps: std::ops::RangeInclusive<u32>| {
            let (mut glide, mut now, mut count) = (Glide::at_rest(0.5), 1.0, 0);
            glide.set_target(to, STEP, 0.2, now);
            while !glide.is_at_rest(now) {
                now += glide.seconds_to_next_step(now).max(0.016);
                count += 1;
                assert!(count < 20, "{to} is never reached");
            }
            assert!(steps.contains(&count), "{to}: {count} steps");
            assert!(
                glide.seconds_to_next_step(now).abs() < 1e-9,
                "{to}: there is nothing more to wait for"
            );
            assert_eq!(glide.value_at(now).to_bits(), to.to_bits(), "{to}: it is there");
        };
        check(0.5, 0..=0);
        check(0.505, 0..=0);
        check(0.52, 1..=2);
        check(1.0, 6..=11);
    }

    #[test]
    fn changes_direction_without_a_jump() {
        let mut glide = Glide::at_rest(0.0);
        glide.set_target(1.0, STEP, 0.2, 0.0);
        let at_turn = glide.value_at(0.1);
        glide.set_target(0.0, STEP, 0.2, 0.1);
        assert!(
            (glide.value_at(0.1) - at_turn).abs() < 1e-6,
            "it does not jump when it turns"
        );
        glide.set_target(0.0, STEP, 0.2, 0.2);
        assert!(glide.is_at_rest(0.31), "the same aim again does not start over");
    }
}
