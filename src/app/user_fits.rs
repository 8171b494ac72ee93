//! The fits of the user's engines to the user's own games, made on a thread.

use shogibar_base::{Latest, threads};
use shogibar_config::{Profile, Profiles};
use shogibar_games::calibration::{UserFit, net_of, user_fits};
use shogibar_machine::store::Store;
use std::path::{Path, PathBuf};

/// The largest file of the user's games that is read, in bytes: some hundred thousand games.
const MAX_FILE_BYTES: usize = 256 << 20;

/// Fits the user's engines to the stored games on another thread, and holds the results.
#[derive(Debug, Default)]
pub struct UserFitLoader {
    user_fits: Vec<UserFit>,
    results: Latest<Vec<UserFit>>,
}

impl UserFitLoader {
    /// Starts to read the games in the user's folder, and to fit the engines of these profiles. `wake` is called when
    /// [`poll`](Self::poll) has the fits.
    pub fn start(&self, folder: Option<PathBuf>, profiles: &Profiles, wake: impl FnOnce() + Send + 'static) {
        let (Some(folder), results) = (folder, self.results.clone()) else {
            return;
        };
        let profiles: Vec<Profile> = profiles.iter().cloned().collect();
        let load = threads::spawn("own fits", move || {
            results.put(load_fits(&Store::new(folder).calibration_file(), &profiles));
            wake();
        });
        // Without a thread there are no fits to offer.
        if let Ok(thread) = load {
            thread.detach();
        }
    }

    /// Returns the fits that were found last.
    pub fn poll(&mut self) -> &[UserFit] {
        if let Some(fits) = self.results.take() {
            self.user_fits = fits;
        }
        &self.user_fits
    }
}

/// Reads the stored games, and fits the profiles to them. Returns no fits if the games cannot be read.
fn load_fits(path: &Path, profiles: &[Profile]) -> Vec<UserFit> {
    // There is no file before the first game has ended.
    let Ok(bytes) = shogibar_files::read(path, MAX_FILE_BYTES) else {
        return Vec::new();
    };
    let nets: Vec<_> = profiles
        .iter()
        .map(|profile| (profile.name().to_owned(), net_of(profile)))
        .collect();
    user_fits(&String::from_utf8_lossy(&bytes), &nets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;
    use shogibar_games::calibration::UserGame;
    use std::sync::mpsc::sync_channel;
    use std::time::Duration;

    #[test]
    fn the_window_is_woken_when_the_fits_are_there() {
        let folder = TestFolder::new();
        let game = UserGame {
            engine: "a".to_owned(),
            net: None,
            game: 1,
            result: 1.0,
            values: vec![50],
        };
        folder.write("config/calibration.jsonl", &game.line());
        let mut profiles = Profiles::default();
        profiles.add(Profile::new("a", ["a".to_owned()])).unwrap();
        let (mut loader, (sender, woken)) = (UserFitLoader::default(), sync_channel(1));
        assert_eq!(loader.poll(), []);
        loader.start(Some(folder.store().folder().to_owned()), &profiles, move || {
            sender.send(()).unwrap();
        });
        woken.recv_timeout(Duration::from_mins(1)).unwrap();
        assert_eq!(loader.poll().iter().map(|fit| fit.games).collect::<Vec<_>>(), [1]);
    }
}
