//! The words about videos.

use crate::encoder::VideoError;
use shogibar_base::{CauseText, Lang, say};

impl VideoError {
    /// Returns the cause, for the middle of a sentence.
    pub fn cause(&self) -> CauseText {
        match self {
            Self::File(error) => error.into(),
            Self::Read(error) => error.into(),
            _ => CauseText::new(|lang| self.text(lang)),
        }
    }

    fn text(&self, lang: Lang) -> String {
        match self {
            Self::Cancelled => lang.pick("中止しました", "it was cancelled").to_owned(),
            Self::Ffmpeg(why) => say!(lang: "ffmpeg の報告：{why}", "ffmpeg: {why}"),
            Self::NoVideo => lang
                .pick(
                    "ffmpeg が動画を書かずに終わりました",
                    "ffmpeg has ended without a video",
                )
                .to_owned(),
            Self::TooLong(limit) => {
                say!(lang: "{limit}手を超える対局は動画にできません", "a video has at most {limit} moves")
            }
            Self::Exists(path) => {
                let path = path.display();
                say!(lang: "ffmpeg がないので動く PNG になりますが、{path} は既にあります",
                    "there is no ffmpeg for an MP4 file, and {path} already exists")
            }
            Self::Name(name) => {
                say!(lang: "{name} の末尾を .mp4 か .png にしてください", "{name} has to end in .mp4 or .png")
            }
            Self::File(_) | Self::Read(_) | Self::Size(_) | Self::Encode(_) => self.to_string(),
        }
    }
}
