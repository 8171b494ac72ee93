//! The chapters of a video, in the form that YouTube takes. Pure.
//!
//! By YouTube's rules the first chapter begins at 0:00, a video has at least three, and each is at least ten seconds long.

use std::time::Duration;

/// The minimum length of a chapter.
const MIN_LENGTH: Duration = Duration::from_secs(10);
/// The minimum number of chapters.
const MIN_CHAPTERS: usize = 3;

/// A chapter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// The time since the begin of the video.
    pub at: Duration,
    /// The name, in one line.
    pub name: String,
}

/// From when the chapters of a video are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChapterStart {
    /// The begin of the recording in OBS.
    Recording,
    /// The begin of the stream in OBS.
    Stream,
    /// The moment that the user has marked.
    Marked,
}

/// The chapters of a video as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChapterList {
    /// The lines: `0:00 開始`.
    pub text: String,
    /// The number of chapters.
    pub count: usize,
    /// Whether there are enough chapters for YouTube.
    pub is_enough: bool,
}

impl ChapterList {
    /// Makes the list of chapters, which may be in any order. `first` is the name of the chapter at the begin. A chapter
    /// that would be too short for the one before takes its place, but for the first one, which stays.
    pub fn new(chapters: &[Chapter], first: &str) -> Self {
        let mut sorted: Vec<_> = chapters.to_vec();
        sorted.sort_by_key(|chapter| chapter.at);
        let mut listed = vec![Chapter {
            at: Duration::ZERO,
            name: first.to_owned(),
        }];
        for chapter in sorted {
            let whole = Duration::from_secs(chapter.at.as_secs());
            let is_alone = listed.len() == 1;
            match listed.last_mut() {
                Some(last) if whole < last.at + MIN_LENGTH => {
                    if !is_alone {
                        last.name = chapter.name;
                    }
                }
                _ => listed.push(Chapter {
                    at: whole,
                    name: chapter.name,
                }),
            }
        }
        let lines = listed
            .iter()
            .map(|chapter| format!("{} {}", clock(chapter.at), one_line(&chapter.name)));
        Self {
            text: lines.collect::<Vec<_>>().join("\n"),
            count: listed.len(),
            is_enough: listed.len() >= MIN_CHAPTERS,
        }
    }
}

/// Returns a time as YouTube writes it: `1:02:03`, `4:05`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Returns a name in one line. YouTube refuses descriptions with angle brackets.
fn one_line(name: &str) -> String {
    let clean = name.replace('<', "＜").replace('>', "＞");
    clean.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn chapter(seconds: u64, name: &str) -> Chapter {
        Chapter {
            at: Duration::from_secs(seconds),
            name: name.to_owned(),
        }
    }

    #[test]
    fn chapters_begin_at_zero_and_last_ten_seconds() {
        let list = ChapterList::new(
            &[
                chapter(3723, "−11% <b>"),
                chapter(4, "序盤"),
                chapter(65, "a"),
                chapter(70, "b\nc"),
            ],
            "開始",
        );
        assert_eq!(list.text, "0:00 開始\n1:05 b c\n1:02:03 −11% ＜b＞");
        assert!(list.is_enough);
        assert!(!ChapterList::new(&[chapter(20, "a")], "開始").is_enough);
    }

    proptest! {
        #[test]
        fn any_list_keeps_the_rules(times in proptest::collection::vec(0_u64..500, 0..40)) {
            let chapters: Vec<_> = times.iter().map(|at| chapter(*at, "a")).collect();
            let list = ChapterList::new(&chapters, "b");
            let seconds: Vec<u64> = list.text.lines().map(|line| {
                let (time, _) = line.split_once(' ').unwrap();
                time.split(':').fold(0, |sum, part| sum * 60 + part.parse::<u64>().unwrap())
            }).collect();
            prop_assert_eq!(seconds[0], 0);
            prop_assert!(seconds.windows(2).all(|pair| pair[1] >= pair[0] + 10));
            prop_assert_eq!(list.count, seconds.len());
        }
    }
}
