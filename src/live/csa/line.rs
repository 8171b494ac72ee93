//! The lines that an observer receives from a CSA server. Names and comments may be in any encoding, so they are bytes.

/// A line of a CSA server, for an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObserverLine<'a> {
    /// The login was accepted.
    LoginOk,
    /// The login was refused. The next line may give the reason.
    LoginIncorrect,
    /// A user with this name is logged in already.
    NameInUse,
    /// The id of a game of the list.
    Listed(&'a str),
    /// The end of the list.
    ListEnd,
    /// A line of a game's log.
    Log {
        /// The id of the game.
        game: &'a str,
        /// The line without its prefix.
        text: &'a [u8],
    },
    /// The end of a part of a game's log.
    LogEnd {
        /// The id of the game.
        game: &'a str,
    },
    /// Any other line, such as the answer to a keep-alive.
    Other,
}

/// Parses a line without its end.
pub fn parse(line: &[u8]) -> ObserverLine<'_> {
    if let Some(rest) = line.strip_prefix(b"LOGIN:") {
        return match rest.trim_ascii_end() {
            b"incorrect" => ObserverLine::LoginIncorrect,
            rest if rest.ends_with(b" OK") => ObserverLine::LoginOk,
            _ => ObserverLine::Other,
        };
    }
    if line.starts_with(b"username ") && line.trim_ascii_end().ends_with(b"is already connected") {
        return ObserverLine::NameInUse;
    }
    let Some(rest) = line.strip_prefix(b"##[") else {
        return ObserverLine::Other;
    };
    let Some((kind, rest)) = split_at_byte(rest, b']') else {
        return ObserverLine::Other;
    };
    match kind {
        b"LIST" => match std::str::from_utf8(rest.trim_ascii()) {
            Ok("+OK") => ObserverLine::ListEnd,
            Ok(id) if !id.is_empty() && id.len() <= 256 => ObserverLine::Listed(id),
            _ => ObserverLine::Other,
        },
        b"MONITOR2" => parse_log_line(rest).unwrap_or(ObserverLine::Other),
        _ => ObserverLine::Other,
    }
}

/// Parses `[id] +7776FU`.
fn parse_log_line(rest: &[u8]) -> Option<ObserverLine<'_>> {
    let (game, text) = split_at_byte(rest.strip_prefix(b"[")?, b']')?;
    let game = std::str::from_utf8(game).ok()?;
    let text = text.strip_prefix(b" ").unwrap_or(text);
    Some(if text.trim_ascii_end() == b"+OK" {
        ObserverLine::LogEnd { game }
    } else {
        ObserverLine::Log { game, text }
    })
}

/// Returns the bytes before and after the first occurrence of a byte; `None` without that byte.
fn split_at_byte(bytes: &[u8], byte: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|other| *other == byte)?;
    Some((bytes.get(..at)?, bytes.get(at + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_lines_of_a_server() {
        assert_eq!(parse(b"LOGIN:me OK"), ObserverLine::LoginOk);
        assert_eq!(parse(b"LOGIN:incorrect"), ObserverLine::LoginIncorrect);
        assert_eq!(
            parse(b"username me is already connected"),
            ObserverLine::NameInUse
        );
        assert_eq!(parse(b"##[LIST] a+b"), ObserverLine::Listed("a+b"));
        assert_eq!(parse(b"##[LIST] +OK"), ObserverLine::ListEnd);
        assert_eq!(
            parse(b"##[MONITOR2][a] +7776FU"),
            ObserverLine::Log {
                game: "a",
                text: b"+7776FU"
            }
        );
        assert_eq!(parse(b"##[MONITOR2][a] +OK"), ObserverLine::LogEnd { game: "a" });
        assert_eq!(
            parse(b"##[MONITOR2][a] '\xa4\xa2"),
            ObserverLine::Log {
                game: "a",
                text: b"'\xa4\xa2"
            }
        );
        for other in [
            &b""[..],
            b"##[",
            b"##[MONITOR2][",
            b"##[CHAT][a] b",
            b"#WIN",
            b"##[LOGIN] +OK x1",
        ] {
            assert_eq!(parse(other), ObserverLine::Other);
        }
    }
}
