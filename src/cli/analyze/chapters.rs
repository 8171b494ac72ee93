//! The chapters of the video of an analysed game.

use super::super::usage_text::ExpectedValue;
use shogibar_base::{Lang, say};
use shogibar_games::report::Report;
use shogibar_obs::obs_text::ObsPhrase;
use shogibar_obs::{Chapter, ChapterList};
use std::time::Duration;

/// Reads a time of a video: `1:02:03`, `5:00` or seconds.
pub(super) fn parse_video_time(text: &str) -> Result<Duration, ExpectedValue> {
    let parts: Vec<_> = text.split(':').collect();
    let mut seconds: u64 = 0;
    for (index, part) in parts.iter().enumerate() {
        let number: u32 = part.parse().or(Err(ExpectedValue::VideoTime))?;
        let is_in_range = index == 0 || number < 60 && part.len() == 2;
        if !is_in_range || parts.len() > 3 {
            return Err(ExpectedValue::VideoTime);
        }
        seconds = seconds * 60 + u64::from(number);
    }
    Ok(Duration::from_secs(seconds))
}

/// Returns the decisive moves as chapters of a video in which the game begins at `start`: by the times that the record
/// states for its moves. Returns `None` for a record without times.
pub(super) fn chapters(report: &Report, start: Duration, lang: Lang) -> Option<ChapterList> {
    let mut now = start;
    let mut chapters = Vec::new();
    let mut has_times = false;
    for row in &report.rows {
        if let Some(spent) = row.time_spent {
            has_times = true;
            now += Duration::from_millis(spent.0);
        }
        let decisive = report.decisive_moves.iter().find(|decisive| {
            !row.is_end && usize::from(decisive.decisive_move.assessed_move.ply) == row.number
        });
        if let Some(decisive) = decisive {
            let (number, word) = (row.number, &decisive.word);
            let loss = decisive.decisive_move.assessed_move.loss.round();
            let name = say!(lang: "{number}手目 {word} −{loss}%", "Move {number} {word} −{loss}%");
            chapters.push(Chapter { at: now, name });
        }
    }
    has_times.then(|| ChapterList::new(&chapters, ObsPhrase::FirstChapter.text(lang)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_a_video_are_read() {
        for (text, seconds) in [("0", 0), ("90", 90), ("5:00", 300), ("1:02:03", 3723)] {
            assert_eq!(
                parse_video_time(text).ok(),
                Some(Duration::from_secs(seconds)),
                "{text}"
            );
        }
        for text in [
            "",
            "a",
            "1:2",
            "1:60",
            "1:02:3",
            "1:02:03:04",
            "-5",
            "99999999999",
        ] {
            assert!(parse_video_time(text).is_err(), "{text}");
        }
    }
}
