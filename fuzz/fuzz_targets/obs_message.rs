//! Any texts as the messages of a server to the control of OBS, and as its settings and OBS's own.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogibar_obs::{
    ConnectionEffect, ConnectionEvent, ControlSettings, ObsAddress, ObsConnection, ObsTask, password_in,
};
use std::time::Duration;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let _password = password_in(&text);
    if let Ok(settings) = ControlSettings::parse(&text) {
        assert_eq!(
            ControlSettings::parse(&settings.text()).ok(),
            Some(settings),
            "settings are read as they are written"
        );
    }
    let mut connection = ObsConnection::default();
    let address = ObsAddress {
        host: "localhost".to_owned(),
        port: 4455,
        password: "a".to_owned(),
    };
    let mut is_open = false;
    let mut step = |event| {
        for effect in connection.step(Duration::ZERO, event) {
            match effect {
                ConnectionEffect::Open(_) => is_open = true,
                ConnectionEffect::Close => is_open = false,
                ConnectionEffect::Send(_) => assert!(is_open, "nothing is sent to a closed socket"),
                ConnectionEffect::Report(..) => {}
            }
        }
    };
    step(ConnectionEvent::Wanted(Some(address)));
    step(ConnectionEvent::Opened);
    for greeting in [r#"{"op":0,"d":{"rpcVersion":1}}"#, r#"{"op":2,"d":{}}"#] {
        step(ConnectionEvent::Message(greeting.to_owned()));
    }
    step(ConnectionEvent::Task(1, ObsTask::SaveReplay));
    for line in text.lines() {
        step(ConnectionEvent::Message(line.to_owned()));
    }
});
