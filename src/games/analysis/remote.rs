//! The program that runs an engine on another machine through ssh.

use shogibar_engine::process::{Program, find_program};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The options of `ssh`: no terminal, and regular messages by which a lost connection is detected.
const SSH_OPTIONS: [&str; 3] = ["-T", "-o", "ServerAliveInterval=15"];

/// Returns the `ssh` command that runs a program on a host, with the same path, folder, arguments and environment. The
/// host needs a Unix shell.
pub(super) fn ssh_program(program: &Program, host: &str) -> Program {
    let own_folder = || {
        program
            .path
            .parent()
            .filter(|folder| program.path.is_absolute() && !folder.as_os_str().is_empty())
    };
    let folder = program.folder.as_deref().or_else(own_folder);
    let cd = folder
        .map(|folder| format!("cd {} && ", quoted(folder.as_os_str())))
        .unwrap_or_default();
    let mut words = vec!["exec".to_owned()];
    if !program.environment.is_empty() {
        words.push("env".to_owned());
        words.extend(
            program
                .environment
                .iter()
                .map(|(name, value)| quoted(&[name, value].map(OsString::as_os_str).join(OsStr::new("=")))),
        );
    }
    words.push(quoted(program.path.as_os_str()));
    words.extend(program.arguments.iter().map(|argument| quoted(argument)));
    let command = cd + &words.join(" ");
    let arguments = SSH_OPTIONS
        .into_iter()
        .chain(["--", host, &command])
        .map(OsString::from)
        .collect();
    let path = find_program("ssh").unwrap_or_else(|| PathBuf::from("ssh"));
    Program {
        path,
        arguments,
        is_low_priority: program.is_low_priority,
        ..Program::default()
    }
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if !word.is_empty()
        && word
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-./=:+,@%".contains(c))
    {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_quoted_for_the_shell_of_the_host() {
        let here = Program {
            path: "/opt/engine x/run".into(),
            arguments: vec!["a;b".into(), "it's".into(), "-n=1".into()],
            environment: vec![("A".into(), "$B c".into())],
            ..Program::default()
        };
        let there = ssh_program(&here, "me@far");
        assert!(there.is_remote() && there.folder.is_none() && there.environment.is_empty());
        let (command, options) = there.arguments.split_last().unwrap();
        assert_eq!(options, ["-T", "-o", "ServerAliveInterval=15", "--", "me@far"]);
        assert_eq!(
            command,
            "cd '/opt/engine x' && exec env 'A=$B c' '/opt/engine x/run' 'a;b' 'it'\\''s' -n=1"
        );
    }
}
