//! The thread that captures the screen.

use super::capture::ScreenReader;
use super::core::ScreenCore;
use super::shared_pieces::SharedPieces;
use super::{BoardCorrection, ScreenArea, ScreenFollowing};
use crate::game::{EndCause, LiveGame, SourceEvent, SourceProblem, SourceState};
use crate::output::SourceOutput;
use shogibar_base::threads::lock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// The minimum interval between two writings of the learnt piece sets.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);
/// The minimum pause after a search, as a multiple of the duration of the search.
const SEARCH_PAUSE_FACTOR: u32 = 10;

/// The newest settings and corrections, for the capture thread.
#[derive(Debug, Default)]
pub(crate) struct ScreenInputs {
    follows_everything: AtomicBool,
    is_rotated: AtomicBool,
    corrections: Mutex<Vec<BoardCorrection>>,
}

impl ScreenInputs {
    /// Stores the settings.
    pub(crate) fn set(&self, following: ScreenFollowing) {
        self.follows_everything
            .store(following.follows_everything, Ordering::Relaxed);
        self.is_rotated.store(following.is_rotated, Ordering::Relaxed);
    }

    /// Stores a correction by the user.
    pub(crate) fn correct(&self, correction: BoardCorrection) {
        lock(&self.corrections).push(correction);
    }

    /// Removes and returns the user's corrections since the last call.
    fn take_corrections(&self) -> Vec<BoardCorrection> {
        std::mem::take(&mut *lock(&self.corrections))
    }

    /// Returns the newest settings.
    fn get(&self) -> ScreenFollowing {
        ScreenFollowing {
            follows_everything: self.follows_everything.load(Ordering::Relaxed),
            is_rotated: self.is_rotated.load(Ordering::Relaxed),
        }
    }
}

/// Captures the screen until the source is dropped. `begun_game` is the game of an earlier source; `None` to begin a
/// new one.
pub(crate) fn run(
    area: Option<ScreenArea>,
    begun_game: Option<&LiveGame>,
    pieces: &SharedPieces,
    inputs: &ScreenInputs,
    stop: &Receiver<()>,
    output: &SourceOutput,
) {
    let mut core = ScreenCore::new(area, shogibar_eye::network());
    if let Some(game) = begun_game {
        core.resume(game);
    }
    let mut known_sets = None;
    let mut last_save = None;
    let mut reader: Option<ScreenReader> = None;
    let mut was_read = false;
    let process_id = std::process::id();
    loop {
        #[expect(clippy::disallowed_methods, reason = "the shell's clock")]
        let capture_start = Instant::now();
        let picture = match reader.take().map_or_else(ScreenReader::open, Ok) {
            Ok(opened) => {
                let mut picture = opened.read(core.next_area());
                if let Ok(picture) = &mut picture {
                    picture.cover(opened.program_windows(process_id, !core.is_search_next()));
                }
                reader = picture.is_ok().then_some(opened);
                picture
            }
            // A screen that was readable before may come back, so the source goes on trying.
            Err(SourceProblem::ScreenNotReadable) if was_read => Err(SourceProblem::ScreenGone),
            Err(problem) => Err(problem),
        };
        was_read |= picture.is_ok();
        for correction in inputs.take_corrections() {
            core.correct(&correction)
                .into_iter()
                .for_each(|event| output.report(event));
        }
        let wait = match picture {
            Ok(picture) => {
                core.set_following(inputs.get());
                if let Some((sets, version)) = pieces.newer_than(known_sets) {
                    core.set_piece_sets(sets);
                    known_sets = Some(version);
                }
                let is_search = core.is_search_next();
                let (events, after) = core.update_with_titles(&picture, |point| {
                    reader
                        .as_ref()
                        .and_then(|reader| reader.title_at(point, process_id))
                });
                for event in events {
                    output.report(event);
                }
                let busy = capture_start.elapsed();
                if let Some(set) = core.take_learned() {
                    pieces.insert(set, known_sets);
                }
                // The first set is stored at once.
                let is_save_due =
                    last_save.is_none_or(|last_save: Instant| capture_start - last_save >= SAVE_INTERVAL);
                if is_save_due && pieces.save() {
                    last_save = Some(capture_start);
                }
                // Searches over a large screen take longer and are repeated less often.
                if is_search && core.is_searching() {
                    core.delay_search(after.max(busy * SEARCH_PAUSE_FACTOR))
                } else {
                    after.max(busy)
                }
            }
            Err(problem @ (SourceProblem::ScreenGone | SourceProblem::AreaGone)) => {
                let had_grid = core.next_area() != area;
                core.forget_grid();
                if had_grid && problem == SourceProblem::AreaGone {
                    // The screen is smaller now. The next capture covers all of it.
                    continue;
                }
                let (event, pause) = core.on_capture_failed(problem);
                output.report(event);
                pause
            }
            Err(problem) => {
                output.report(SourceEvent::State(SourceState::Ended(EndCause::Refused(problem))));
                pieces.save();
                return;
            }
        };
        match stop.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => {
                pieces.save();
                return;
            }
        }
    }
}
