//! The declarations of an engine between `usi` and `usiok`.

use crate::usi::{OptionSpec, Reply};

/// The maximum number of lines that are not USI. A program that prints more is not taken for an engine. Real engines
/// print only a few.
const MAX_UNKNOWN_LINES: u32 = 200;
/// The maximum number of lines of any kind before `usiok`. The largest engine has 213 options.
const MAX_HANDSHAKE_LINES: u32 = 5000;
/// The maximum number of options that are kept. Further options count as unknown lines.
pub(super) const MAX_OPTIONS: usize = 1000;
/// The maximum length of an option's line, in bytes; the longest known has 1.6 kB. Longer lines count as unknown.
const MAX_OPTION_BYTES: usize = 1 << 14;
/// The maximum length of a kept name, in characters. Longer names are cut.
const MAX_NAME_LENGTH: usize = 200;

/// The identity that an engine declares before `usiok`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineIdentity {
    /// The name; empty if the engine sends none.
    pub name: String,
    /// The options that the engine declares.
    pub options: Vec<OptionSpec>,
}

/// The answer to `usi`, line by line.
#[derive(Clone, Debug, Default)]
pub struct Handshake {
    identity: EngineIdentity,
    line_count: u32,
    /// The number of lines that are not USI, or not kept.
    unknown_line_count: u32,
    is_done: bool,
}

/// The state of a handshake after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandshakeStep {
    /// `usiok` has not arrived.
    Continues,
    /// `usiok` has arrived.
    Done,
    /// The output is not USI, or longer than any real handshake.
    NotUsi,
}

impl Handshake {
    /// Records a line of output, and returns the state of the handshake. Lines after `usiok` change nothing.
    pub fn on_received(&mut self, line: &str, reply: &Reply) -> HandshakeStep {
        if self.is_done {
            return HandshakeStep::Done;
        }
        self.line_count = self.line_count.saturating_add(1);
        match reply {
            Reply::UsiOk => {
                self.is_done = true;
                return HandshakeStep::Done;
            }
            Reply::IdName(name) => self.identity.name = name.chars().take(MAX_NAME_LENGTH).collect(),
            Reply::Option(option)
                if self.identity.options.len() < MAX_OPTIONS && line.len() <= MAX_OPTION_BYTES =>
            {
                self.identity.options.push(option.clone());
            }
            Reply::IdAuthor(_) | Reply::Info(_) => {}
            _ => self.unknown_line_count = self.unknown_line_count.saturating_add(1),
        }
        let is_usi = self.unknown_line_count <= MAX_UNKNOWN_LINES && self.line_count <= MAX_HANDSHAKE_LINES;
        if is_usi {
            HandshakeStep::Continues
        } else {
            HandshakeStep::NotUsi
        }
    }

    /// Returns the identity that the engine has declared up to now.
    pub const fn identity(&self) -> &EngineIdentity {
        &self.identity
    }

    /// Returns the identity that the engine has declared.
    pub fn into_identity(self) -> EngineIdentity {
        self.identity
    }
}
