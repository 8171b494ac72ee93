//! A game that the control follows.

use crate::test_client::{LONGEST, now};
use shogibar_base::Lang;
use shogibar_games::bar::{BarInput, LastLoss};
use shogibar_obs::{
    ControlEntry, ControlFolders, ControlSettings, ObsControl, ObsDriver, ObsRule, RuleAnswer,
};
use shogibar_programme::{MomentKind, OutputChoices, OutputFrame};
use shogibar_shogi::History;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::channel;

/// Writes the settings of a control that answers turning points.
pub(crate) fn write_control(folder: &Path, port: u16, password: &str, answer: RuleAnswer) {
    fs::create_dir_all(folder).unwrap();
    let settings = ControlSettings {
        is_on: true,
        port,
        password: password.to_owned(),
        pause: 0,
        rules: vec![ObsRule {
            is_on: true,
            ..ObsRule::new(MomentKind::TurningPoint, answer)
        }],
        ..ControlSettings::default()
    };
    fs::write(folder.join("obs.toml"), settings.text()).unwrap();
}

/// Follows a game with three turning points, and a loss that is too small for one. Returns what was done.
pub(crate) fn entries_of_a_game(folder: &Path, is_ready: impl Fn(&ObsControl) -> bool) -> Vec<ControlEntry> {
    let (wake, woken) = channel();
    let folders = ControlFolders {
        program: folder.to_owned(),
        obs: Vec::new(),
    };
    let wake = Arc::new(move || {
        let _nobody_waits = wake.send(());
    });
    let mut driver = ObsDriver::start(folders, wake);
    let end = now() + LONGEST;
    let wait = |driver: &mut ObsDriver, is_there: &dyn Fn(&ObsControl) -> bool| {
        while !is_there(driver.control()) {
            let left = end.saturating_duration_since(now());
            woken
                .recv_timeout(left)
                .expect("a state that the control reaches");
            driver.update();
        }
    };
    wait(&mut driver, &is_ready);
    let moves = ["7g7f", "3c3d", "2g2f", "8c8d", "2f2e"];
    let shares: [f32; 6] = [0.5, 0.5, 0.8, 0.5, 0.55, 0.2];
    for count in 0..=moves.len() {
        let history = match moves.get(..count) {
            Some([]) | None => History::from_usi("startpos"),
            Some(played) => History::from_usi(&format!("startpos moves {}", played.join(" "))),
        };
        let loss = [0_u8, 0, 30, 30, 5, 35]
            .get(count)
            .copied()
            .filter(|points| *points > 0);
        let graph: Vec<_> = shares.iter().take(count + 1).copied().map(Some).collect();
        let frame = OutputFrame {
            bar: BarInput {
                game: 1,
                stored_share: graph.last().copied().flatten(),
                graph,
                last_words: Lang::ALL.map(|_| format!("move {count}")),
                history: Arc::new(history.unwrap()),
                last_loss: loss.map(|points| LastLoss {
                    points,
                    is_judged: false,
                }),
                ..BarInput::default()
            },
            is_at_tip: true,
            ..OutputFrame::default()
        };
        driver.on_frame(&frame, &OutputChoices::default(), Lang::Ja);
        // OBS saves one replay at a time.
        wait(&mut driver, &|control| {
            control.entries().all(|entry| entry.outcome.is_some())
        });
    }
    driver.control().entries().cloned().collect()
}
