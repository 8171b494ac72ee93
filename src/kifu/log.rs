//! The games in a log of the commands to an engine.

use super::usi;

/// The beginnings of the commands that set a position.
const POSITION_COMMANDS: [&str; 2] = ["position startpos", "position sfen "];

/// The words of other USI commands. A log with a single position has at least one of them.
const OTHER_COMMANDS: [&str; 6] = ["bestmove", "usinewgame", "isready", "usiok", "go ", "info "];

/// The answers of an engine that end a game, and the words for them in a `position` line.
const ENDS: [(&str, &str); 2] = [("bestmove resign", " resign"), ("bestmove win", " win")];

/// Returns the last `position` line of each game of a log, one a line; empty for other texts. A position that does not
/// continue the previous one, or that follows `gameover`, begins another game.
pub(super) fn position_lines(text: &str) -> String {
    if !POSITION_COMMANDS.iter().any(|command| text.contains(command)) {
        return String::new();
    }
    let mut games: Vec<(&str, &str)> = Vec::new();
    let (mut position_count, mut has_other_commands, mut is_over) = (0, false, false);
    for line in text.lines() {
        has_other_commands = has_other_commands || OTHER_COMMANDS.iter().any(|word| line.contains(word));
        is_over |= line.contains("gameover ");
        let command = POSITION_COMMANDS.iter().find_map(|command| {
            let at = line.find(command)?;
            // A mark or a time may precede the command, so it is searched for within the line.
            let is_word = line
                .get(..at)?
                .chars()
                .next_back()
                .is_none_or(|c| !c.is_alphanumeric());
            if is_word { line.get(at..) } else { None }
        });
        let Some(command) = command.map(|command| usi::command_part(command).trim_end()) else {
            let end = ENDS.iter().find(|(answer, _)| line.trim_end().ends_with(answer));
            if let (Some((_, end)), Some((_, last))) = (end, games.last_mut()) {
                *last = end;
            }
            continue;
        };
        position_count += 1;
        let last = if games.is_empty() || std::mem::take(&mut is_over) {
            None
        } else {
            games.last_mut()
        };
        match last {
            Some((last, end)) if extends(before_last_move(last), command) && command.len() >= last.len() => {
                (*last, *end) = (command, "");
            }
            // An engine may get a position again, or an earlier one after a takeback. This does not begin a game.
            Some((last, _)) if extends(command, last) => {}
            _ => games.push((command, "")),
        }
    }
    let mut lines = String::new();
    if position_count > 1 || has_other_commands {
        for (command, end) in games {
            for part in [command, end, "\n"] {
                lines.push_str(part);
            }
        }
    }
    lines
}

/// Returns whether the `position` commands of a text stand behind other words, or between lines of other commands, and
/// some of them continue others.
pub(super) fn has_growing_games(text: &str, position_lines: &str) -> bool {
    let is_log = text
        .lines()
        .any(|line| OTHER_COMMANDS.iter().any(|command| line.starts_with(command)));
    let commands = POSITION_COMMANDS
        .iter()
        .flat_map(|command| text.match_indices(command));
    let count = commands
        .filter(|(at, _)| is_log || text.get(..*at).is_some_and(|before| before.ends_with(' ')))
        .count();
    (1..count).contains(&position_lines.lines().count())
}

/// Returns a `position` line without its last move, which may have been a ponder move or taken back.
fn before_last_move(command: &str) -> &str {
    match command.rsplit_once(' ') {
        Some((before, _)) if command.contains(" moves ") => before,
        _ => command,
    }
}

/// Returns whether `after` is the same position as `before`, or follows from it by moves.
fn extends(before: &str, after: &str) -> bool {
    let before = before.strip_suffix(" moves").unwrap_or(before);
    after
        .strip_prefix(before)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use super::position_lines;

    #[test]
    fn a_game_is_its_last_position() {
        let log = "0.1 > position startpos\n0.2 < info depth 1 pv 7g7f\n[x] [INFO] usi - sid=1: > position startpos moves 7g7f\n\
            > position startpos moves 7g7f 8c8d\n> go ponder\n0.3 < bestmove 3c3d\n>1:position startpos moves 7g7f 3c3d\n> position startpos moves 7g7f\n\
            ToEngine: position sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h\n< bestmove resign\n";
        let expect = "position startpos moves 7g7f 3c3d\nposition sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1 moves 5i5h resign\n";
        assert_eq!(position_lines(log), expect);
        assert_eq!(read(log.as_bytes()).unwrap().games.len(), 2);
        assert_eq!(position_lines("a composition startpos of words"), "");
    }
}
