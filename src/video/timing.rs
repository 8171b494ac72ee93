//! For how long a video shows each position.

use shogibar_config::VideoPace;
use std::time::Duration;

/// The time for which the start is shown.
const START_TIME: Duration = Duration::from_millis(2500);
/// The time for which the last position is shown.
const END_TIME: Duration = Duration::from_secs(4);
/// The shortest and the longest time of a position by the players' times.
const MIN_TIME: Duration = Duration::from_millis(500);
const MAX_TIME: Duration = Duration::from_secs(8);

/// Returns for how long each position of a game is shown, from the start to the last one. `spent` has the time that each
/// move took; `None` where it is not known.
///
/// By the players' times, a position is shown in proportion to the time that its next move took, from half a second to
/// eight seconds. The whole video then takes about as long as with two seconds a move.
pub(crate) fn scene_times(spent: &[Option<Duration>], pace: VideoPace) -> Vec<Duration> {
    let moves = spent.len();
    let mut times = match pace.seconds() {
        Some(seconds) => vec![Duration::from_secs(seconds); moves],
        None => by_players_times(spent),
    };
    // The time of a step is that before its move, except the first, which has the time of the start.
    match times.first_mut() {
        Some(first) => *first = START_TIME,
        None => return vec![END_TIME],
    }
    times.push(END_TIME);
    times
}

/// Returns the time before each move, by what the players took.
fn by_players_times(spent: &[Option<Duration>]) -> Vec<Duration> {
    let usual = Duration::from_secs(2);
    let known: Vec<f64> = spent.iter().flatten().map(Duration::as_secs_f64).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    spent
        .iter()
        .map(|time| match time {
            Some(time) if mean > 0.0 => usual.mul_f64(time.as_secs_f64() / mean).clamp(MIN_TIME, MAX_TIME),
            _ => usual,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn each_move_has_the_chosen_time() {
        let times = scene_times(&[None; 3], VideoPace::Three);
        assert_eq!(times, [START_TIME, seconds(3), seconds(3), END_TIME]);
        assert_eq!(scene_times(&[], VideoPace::One), [END_TIME]);
    }

    #[test]
    fn the_players_times_are_scaled_and_bounded() {
        let spent = [1, 10, 0, 1000, 39].map(|time| Some(seconds(time)));
        let times = scene_times(&spent, VideoPace::Times);
        // The mean of 210 s is shown for 2 s.
        assert_eq!(
            times,
            [START_TIME, MIN_TIME, MIN_TIME, MAX_TIME, MIN_TIME, END_TIME]
        );
        let even = scene_times(&[Some(seconds(30)); 4], VideoPace::Times);
        assert_eq!(even[1..4], [seconds(2); 3]);
        let unknown = scene_times(
            &[Some(Duration::ZERO), None, Some(Duration::ZERO)],
            VideoPace::Times,
        );
        assert_eq!(unknown[1..3], [seconds(2); 2], "a record without times");
    }
}
