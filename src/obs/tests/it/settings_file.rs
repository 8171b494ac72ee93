//! The file of the settings.

use shogibar_base::Lang;
use shogibar_obs::{ControlFolders, ObsDriver};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;

#[test]
fn settings_that_cannot_be_read_are_kept_beside_their_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("obs-settings-{}", std::process::id()));
    let _not_there_yet = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let text = b"password = \"secret\"\nnote = \"no such field\"\n";
    shogibar_files::write_whole(&folder.join("obs.toml"), text).unwrap();
    let (sender, woken) = sync_channel(1);
    let wake = Arc::new(move || _ = sender.try_send(()));
    let folders = ControlFolders {
        program: folder.clone(),
        obs: Vec::new(),
    };
    let mut driver = ObsDriver::start(folders, wake);
    while driver.control().entries().next().is_none() {
        woken.recv().unwrap();
        driver.update();
    }
    let entry = driver.control().entries().next().cloned().unwrap();
    let words = Lang::ALL.map(|lang| lang.pick(&entry.words[0], &entry.words[1]).to_owned());
    assert!(
        words.iter().all(|words| words.contains("obs.toml.broken-1")),
        "{words:?}"
    );
    assert_eq!(
        shogibar_files::read(&folder.join("obs.toml.broken-1"), 1000).unwrap(),
        text
    );
    drop(driver);
    std::fs::remove_dir_all(&folder).unwrap();
}
