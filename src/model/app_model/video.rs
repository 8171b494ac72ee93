//! The video of a game that is being written.

use super::{AppEffect, AppModel};
use crate::Message;
use crate::ids::GameId;
use crate::jobs::{Job, JobKey, VideoRequest};
use shogibar_base::CauseText;
use shogibar_config::VideoPace;
use std::path::PathBuf;

/// The state of the video.
#[derive(Debug, Default)]
pub struct VideoState {
    /// The number of positions drawn, and the number of all; `None` while no video is written.
    progress: Option<[usize; 2]>,
    /// The number of the last video.
    number: u64,
}

impl VideoState {
    /// Returns the number of positions drawn, and the number of all; `None` while no video is written.
    pub const fn progress(&self) -> Option<[usize; 2]> {
        self.progress
    }

    pub(super) fn set_progress(&mut self, number: u64, progress: [usize; 2]) {
        if number == self.number && self.progress.is_some() {
            self.progress = Some(progress);
        }
    }
}

impl AppModel {
    /// Returns the state of the video.
    pub const fn video(&self) -> &VideoState {
        &self.video
    }

    /// Writes a game as a video, in place of the one that is being written.
    pub(super) fn make_video(&mut self, id: GameId, path: PathBuf, pace: VideoPace) {
        if !self.has_game(id) {
            return;
        }
        self.video.number += 1;
        self.video.progress = Some([0, 0]);
        let request = VideoRequest {
            number: self.video.number,
            record: self.game(id).document().shared_record(),
            path,
            pace,
            credit: self.output_choices(id).credit,
            is_hidden: self.page_frame(id).bar.is_hidden,
            scales: self.scales.clone(),
            lang: self.settings.lang,
        };
        self.effects
            .push(AppEffect::Run(Job::MakeVideo(Box::new(request))));
    }

    pub(super) fn cancel_video(&mut self) {
        if self.video.progress.take().is_some() {
            self.video.number += 1;
            self.effects.push(AppEffect::Cancel(JobKey::MakeVideo));
        }
    }

    pub(super) fn on_video_made(&mut self, number: u64, made: Result<(PathBuf, bool), CauseText>) {
        if number != self.video.number || self.video.progress.take().is_none() {
            return;
        }
        let message = match made {
            Ok((path, false)) => Message::VideoSaved(path.display().to_string()),
            Ok((path, true)) => Message::AnimationSaved(path.display().to_string()),
            Err(why) => Message::VideoNotSaved(why),
        };
        let is_failure = matches!(message, Message::VideoNotSaved(_));
        self.notices.set_result(&message, self.study_bar, is_failure);
    }
}
