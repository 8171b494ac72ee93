//! The settings of the control of OBS, with their file. The file has a password, so that only its user can read it.

use crate::connection::ObsAddress;
use crate::rule::{DEFAULT_PAUSE_SECONDS, MAX_RULES, ObsRule};
use serde::{Deserialize, Serialize};

/// The port of OBS's websocket server, unless the user of OBS has set another one.
pub const DEFAULT_PORT: u16 = 4455;
/// The longest pause between two answers of a rule, in seconds.
const MAX_PAUSE_SECONDS: u32 = 3600;

/// The settings of the control of OBS.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ControlSettings {
    /// Whether OBS is wanted.
    pub is_on: bool,
    /// The host of OBS.
    pub host: String,
    /// The port of OBS's websocket server.
    pub port: u16,
    /// The password; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub password: String,
    /// The least time between two answers of a rule, in seconds.
    pub pause: u32,
    /// The rules.
    #[serde(rename = "rule", skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<ObsRule>,
}

impl Default for ControlSettings {
    fn default() -> Self {
        Self {
            is_on: false,
            host: "127.0.0.1".to_owned(),
            port: DEFAULT_PORT,
            password: String::new(),
            pause: DEFAULT_PAUSE_SECONDS,
            rules: Vec::new(),
        }
    }
}

/// The password is no part of a log.
impl std::fmt::Debug for ControlSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ControlSettings")
            .field("is_on", &self.is_on)
            .field("host", &self.host)
            .field("port", &self.port)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}

impl ControlSettings {
    /// Reads the text of the file.
    ///
    /// # Errors
    /// Fails for a text that is no such file, with the reason.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let mut settings: Self = toml::from_str(text)?;
        settings.pause = settings.pause.min(MAX_PAUSE_SECONDS);
        settings.rules.truncate(MAX_RULES);
        Ok(settings)
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        // Plain values can always be written, so the default is never used.
        toml::to_string(self).unwrap_or_default()
    }

    /// Returns the wanted OBS; `None` if none is wanted.
    pub fn address(&self) -> Option<ObsAddress> {
        let host = self.host.trim();
        (self.is_on && !host.is_empty()).then(|| ObsAddress {
            host: host.to_owned(),
            port: self.port,
            password: self.password.clone(),
        })
    }
}

/// Returns the password in a file of OBS's own: `config.json` of OBS 30.2 and later, `global.ini` of earlier ones. `None`
/// if the file has none.
pub fn password_in(text: &str) -> Option<String> {
    let found = if text.trim_start().starts_with('{') {
        let value: serde_json::Value = serde_json::from_str(text).ok()?;
        value.get("server_password")?.as_str()?.to_owned()
    } else {
        let (_, section) = text.split_once("[OBSWebSocket]")?;
        let lines = section.lines().skip(1).take_while(|line| !line.starts_with('['));
        let mut passwords = lines.filter_map(|line| line.strip_prefix("ServerPassword="));
        passwords.next()?.trim().to_owned()
    };
    Some(found).filter(|password| !password.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::RuleAnswer;
    use shogibar_programme::MomentKind;

    #[test]
    fn settings_are_read_as_they_are_written() {
        let mut settings = ControlSettings::default();
        assert_eq!(ControlSettings::parse("").unwrap(), settings);
        settings.password = "秘密 \"1\"".to_owned();
        settings.is_on = true;
        for kind in MomentKind::ALL {
            for answer in RuleAnswer::ALL {
                settings.rules.push(ObsRule {
                    scene: "対局".to_owned(),
                    seconds: 8,
                    ..ObsRule::new(kind, answer)
                });
            }
        }
        assert_eq!(ControlSettings::parse(&settings.text()).unwrap(), settings);
        assert!(ControlSettings::parse("colour = 1").is_err());
        assert!(!format!("{settings:?}").contains("秘密"));
    }

    #[test]
    fn the_password_of_obs_is_found_in_its_files() {
        let json = r#"{"auth_required":true,"server_password":"abc123","server_port":4455}"#;
        assert_eq!(password_in(json).as_deref(), Some("abc123"));
        let ini = "[General]\nServerPassword=no\n\n[OBSWebSocket]\nServerPort=4455\nServerPassword=xyz\n\n[Basic]\n";
        assert_eq!(password_in(ini).as_deref(), Some("xyz"));
        for other in [
            "",
            "{}",
            "{",
            "[OBSWebSocket]\n[Basic]\nServerPassword=a\n",
            "ServerPassword=a",
        ] {
            assert_eq!(password_in(other), None, "{other}");
        }
    }
}
