//! Any bytes as the lines of a CSA server, and as a record that grows while it is read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_live::LiveAddress;
use shogibar_live::csa::CsaPacing;
use shogibar_live::csa::core::{CsaCore, CsaEvent};
use shogibar_live::reader::{GameReader, QUIET_TIME, ReadCertainty};
use std::time::Duration;

fuzz_target!(|bytes: &[u8]| {
    let Ok(LiveAddress::Csa(address)) = LiveAddress::parse("csa://me:hunter2@host/g") else {
        return;
    };
    let (mut core, _) = CsaCore::start(address, CsaPacing::default(), Duration::ZERO);
    core.step(Duration::ZERO, CsaEvent::Connected);
    let mut now = Duration::ZERO;
    let login = b"LOGIN:me OK\n##[LIST] g\n##[LIST] +OK";
    for line in login
        .split(|byte| *byte == b'\n')
        .chain(bytes.split(|byte| *byte == b'\n'))
    {
        // A line with `~` as its first byte lets time pass.
        if line.first() == Some(&b'~') {
            now = core.deadline().unwrap_or(now).max(now);
            let effects = core.step(now, CsaEvent::Deadline);
            assert!(!format!("{effects:?}").contains("hunter2"));
        }
        let effects = core.step(now, CsaEvent::Line(line.to_vec()));
        assert!(!format!("{effects:?}").contains("hunter2"));
    }
    let mut reader = GameReader::new("".as_ref(), QUIET_TIME);
    let half = bytes.get(..bytes.len() / 2).unwrap_or_default();
    for (count, part) in (0..).zip([half, bytes, bytes, half, half]) {
        let _update = reader.update(QUIET_TIME * count, part, ReadCertainty::MayBePartial);
    }
});
