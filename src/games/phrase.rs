//! Short texts with numbers.

use crate::{Label, engine_game_text};
use shogibar_base::visible::short;
use shogibar_base::{Lang, say, sentences};
use shogibar_builtin::{after_builtin_name, builtin_version};
use shogibar_config::BUILT_IN_NAME;
use shogibar_engine::options::split_signature;
use shogibar_kifu::ClockTime;

/// Returns the winner and the length of the mate, if it is known: `後手の勝ち筋　あと7手で詰み`, `後手の勝ち筋　詰みあり`.
pub fn mate_in(winner: &str, plies: Option<u32>, lang: Lang) -> String {
    let length = mate_length(plies, lang);
    say!(lang: "{winner}の勝ち筋　{length}", "{winner} is winning · {length}")
}

/// Returns the length of a mate: `あと7手で詰み`; `詰みあり` if the length is not known.
pub fn mate_length(plies: Option<u32>, lang: Lang) -> String {
    match plies {
        Some(plies) => say!(lang: "あと{plies}手で詰み", "mate in {plies}"),
        None => lang.pick("詰みあり", "mate").to_owned(),
    }
}

sentences! {
    /// Returns the last move without its number: `△5四歩まで`, `after P-5d`.
    pub fn after(last: &str; lang) => "{last}まで", "after {last}";

    /// Returns the end of a won game: `まで110手で後手の勝ち`.
    pub fn game_won(plies: usize, winner: &str; lang) => "まで{plies}手で{winner}の勝ち", "{winner} wins after {plies}" [plies: "move"];

    /// Returns the end of a drawn game: `まで110手で千日手`.
    pub fn game_drawn(plies: usize, why: &str; lang) => "まで{plies}手で{why}", "Draw after {plies} · {why}" [plies: "move"];

    /// Returns the number of moves by which a board is behind: `3手遅れ`.
    pub fn behind(moves: usize; lang) => "{moves}手遅れ", "{moves} behind";

    /// Returns the name of a game without players and file, by its number.
    pub fn game_number(number: usize; lang) => "対局{number}", "Game {number}";

    /// Returns why a game stopped: `（中断）`.
    pub fn stopped(why: &str; lang) => "（{why}）", " · {why}";
}

/// Returns the winner: `先手の勝ち`.
pub fn wins(winner: &str, lang: Lang) -> String {
    format!("{winner}{}{}", lang.pick("の", " "), Label::Wins.text(lang))
}

/// Returns the advantage by the mean of several engines: `平均 先手有利`.
pub fn mean(situation: &str, lang: Lang) -> String {
    format!("{}{}{situation}", Label::Mean.text(lang), lang.pick(" ", ": "))
}

/// Returns the displayed name of an engine. The profile and the `id name` of the built-in engine have the same
/// displayed name. The limit in the signature of an analysis is in words: `内蔵エンジン（15000ノード）`.
pub fn engine_name(name: &str, lang: Lang) -> String {
    if let Some((engine, limit, _)) = split_signature(name) {
        return engine_game_text::player(&engine_name(engine, lang), limit, lang);
    }
    let rest = if name == BUILT_IN_NAME {
        Some("")
    } else {
        after_builtin_name(name)
    };
    rest.map_or_else(
        || short(name).into_owned(),
        |rest| format!("{}{}", Label::BuiltIn.text(lang), short(rest)),
    )
}

/// Returns the displayed name of an engine, for the built-in one with its version.
pub fn engine_version_name(name: &str, lang: Lang) -> String {
    builtin_version(name).map_or_else(
        || engine_name(name, lang),
        |(version, rest)| format!("{} {}{}", Label::BuiltIn.text(lang), short(version), short(rest)),
    )
}

/// Returns the number of an engine in a circle: `①`. `engine` is the index, from 0.
pub fn number(engine: usize) -> String {
    const NUMBERS: [char; 9] = ['①', '②', '③', '④', '⑤', '⑥', '⑦', '⑧', '⑨'];
    NUMBERS
        .get(engine)
        .map_or_else(|| (engine + 1).to_string(), char::to_string)
}

/// Returns the side with the advantage and its level: `先手やや有利`, `Black slightly better`.
pub fn advantage(side: &str, standing: Label, lang: Lang) -> String {
    format!("{side}{}{}", lang.pick("", " "), standing.text(lang))
}

/// Returns a mate as the value of a candidate: `詰み（7手）`, or `詰まされる（14手）` for the mated side.
pub fn mate_value(mates: bool, plies: Option<u32>, lang: Lang) -> String {
    let word = if mates {
        lang.pick("詰み", "mate")
    } else {
        lang.pick("詰まされる", "mated")
    };
    match plies {
        Some(plies) => say!(lang: "{word}（{plies}手）", "{word} in {plies}"),
        None => word.to_owned(),
    }
}

/// Returns a mate beside a win rate: `16手で勝ち`, or `16手粘る` for the mated side.
pub fn mate_note(mates: bool, plies: Option<u32>, lang: Lang) -> String {
    match (plies, mates) {
        (Some(plies), true) => say!(lang: "{plies}手で勝ち", "mate in {plies}"),
        (Some(plies), false) => say!(lang: "{plies}手粘る", "lasts {plies}"),
        (None, true) => lang.pick("勝ち", "wins").to_owned(),
        (None, false) => lang.pick("負け", "loses").to_owned(),
    }
}

/// Returns the position in the game while the search is paused: `一時停止中　74手目`.
pub fn paused(position: &str, lang: Lang) -> String {
    format!("{}{}{position}", Label::Paused.text(lang), lang.pick("　", " · "))
}

/// Returns the short form of a [`paused`] position: `一時停止中`. Other texts are unchanged.
pub fn brief_position(position: &str, lang: Lang) -> &str {
    let paused = Label::Paused.text(lang);
    if position.starts_with(paused) {
        paused
    } else {
        position
    }
}

/// Returns the texts before and after the last move, such as `74手目` and `まで`.
pub fn after_move(ply: usize, lang: Lang) -> [String; 2] {
    match lang {
        Lang::Ja => [format!("{ply}手目"), "まで".to_owned()],
        Lang::En => [format!("Move {ply}:"), String::new()],
    }
}

/// Returns the depth and the nodes: `深さ24/31　320万ノード`.
pub fn depth_and_nodes(depth: Option<u32>, seldepth: Option<u32>, nodes: Option<u64>, lang: Lang) -> String {
    let depth = depth.map(|depth| match seldepth.filter(|seldepth| *seldepth > depth) {
        Some(seldepth) => format!("{}{depth}/{seldepth}", lang.pick("深さ", "depth ")),
        None => format!("{}{depth}", lang.pick("深さ", "depth ")),
    });
    let nodes = nodes.map(|nodes| count(nodes, lang));
    let nodes = nodes.map(|nodes| say!(lang: "{nodes}ノード", "{nodes}" [nodes: "node"]));
    together(&[&depth.unwrap_or_default(), &nodes.unwrap_or_default()], lang)
}

/// Returns the speed: `150万nps`, `1.5M nps`.
pub fn speed(nps: Option<u64>, lang: Lang) -> String {
    nps.map(|nps| format!("{}{}", count(nps, lang), lang.pick("nps", " nps")))
        .unwrap_or_default()
}

/// Formats seconds as minutes and seconds, with hours if any: `1:05`, `1:12:40`.
pub fn clock(seconds: u64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// Formats a time in milliseconds, such as that of a move or a side: `1:05`, `1:12:40`.
pub fn millis_clock(millis: u64) -> String {
    clock(millis / 1000)
}

/// Returns the time on a player's clock, without its label: `1:12:40`.
pub fn clock_time(clock: ClockTime) -> String {
    self::clock(clock.millis() / 1000)
}

/// Returns the label of a player's clock: the remaining or the used time.
pub const fn clock_label(clock: ClockTime) -> Label {
    match clock {
        ClockTime::Remaining(_) => Label::TimeLeft,
        ClockTime::Used(_) => Label::TimeUsed,
    }
}

/// Returns a player's clock with its label: `残り 1:12:40`.
pub fn labelled_clock(clock: ClockTime, lang: Lang) -> String {
    format!("{} {}", clock_label(clock).text(lang), clock_time(clock))
}

/// Joins short texts, without the empty ones: `深さ24/31　150万nps　YaneuraOu`.
pub fn together(parts: &[&str], lang: Lang) -> String {
    let parts: Vec<&str> = parts.iter().copied().filter(|part| !part.is_empty()).collect();
    parts.join(lang.pick("　", " · "))
}

/// Formats a count in the form of a language: `220万`, `2.2M`.
fn count(n: u64, lang: Lang) -> String {
    match lang {
        Lang::Ja if n >= 100_000_000 => format!("{}.{}億", n / 100_000_000, n / 10_000_000 % 10),
        Lang::Ja if n >= 10_000 => format!("{}万", n / 10_000),
        Lang::Ja => n.to_string(),
        Lang::En => short_count(n),
    }
}

/// Formats a count with at most four characters before its unit: `950`, `12.3k`, `3.2M`.
fn short_count(n: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    for (unit, name) in UNITS {
        if n >= unit {
            let (whole, tenth) = (n / unit, n % unit * 10 / unit);
            return if whole >= 100 {
                format!("{whole}{name}")
            } else {
                format!("{whole}.{tenth}{name}")
            };
        }
    }
    n.to_string()
}

/// Returns the text about an engine that searches the position after an expected move: `先読み中（△3四歩を予想）`.
pub fn pondering(expected: &str, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("先読み中（{expected}を予想）"),
        Lang::En => format!("pondering on {expected}"),
    }
}

/// Formats a decided value in a list of moves, in Black's view: `+詰7`; `−詰` without the plies to a mate.
pub fn decided_value(black_wins: bool, plies: Option<u32>, lang: Lang) -> String {
    let sign = if black_wins { '+' } else { '−' };
    let plies = plies.map(|plies| plies.to_string()).unwrap_or_default();
    format!("{sign}{}{plies}", lang.pick("詰", "#"))
}

/// Returns the position in the game: `28手目　△6三銀`.
pub fn move_label(number: usize, word: &str, lang: Lang) -> String {
    match number {
        0 => word.to_owned(),
        _ => say!(lang: "{number}手目　{word}", "{number}. {word}"),
    }
}

/// Returns the name of a handicap, given its name in records.
pub fn handicap(name: &str, lang: Lang) -> String {
    let english = match name {
        "平手" => "even",
        "香落ち" => "lance",
        "右香落ち" => "right lance",
        "角落ち" => "bishop",
        "飛車落ち" => "rook",
        "飛香落ち" => "rook and lance",
        "二枚落ち" => "two pieces",
        "三枚落ち" => "three pieces",
        "四枚落ち" => "four pieces",
        "五枚落ち" => "five pieces",
        "左五枚落ち" => "five pieces (left)",
        "六枚落ち" => "six pieces",
        "右七枚落ち" => "seven pieces (right)",
        "七枚落ち" => "seven pieces",
        "左七枚落ち" => "seven pieces (left)",
        "八枚落ち" => "eight pieces",
        "十枚落ち" => "ten pieces",
        other => other,
    };
    lang.pick(name, english).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_kifu::Millis;

    #[test]
    fn counts_have_at_most_four_characters() {
        let check = |n, expect: &str| assert_eq!(short_count(n), expect, "{n}");
        check(0, "0");
        check(999, "999");
        check(1_000, "1.0k");
        check(99_999, "99.9k");
        check(210_500, "210k");
        check(3_249_000, "3.2M");
        check(u64::MAX, "18446744073G");
    }

    #[test]
    fn the_limit_of_an_analysis_is_in_words() {
        let check = |name: &str, ja: &str, en: &str| {
            assert_eq!(
                [Lang::Ja, Lang::En].map(|lang| engine_name(name, lang)),
                [ja, en],
                "{name}"
            );
        };
        let ours = "Shogibar 0.2.0 (built-in, weak) [nodes 15000]";
        check(
            ours,
            "内蔵エンジン（15000ノード）",
            "Built-in engine (15000 nodes)",
        );
        check("Lion [movetime 1500, multipv 3]", "Lion（1.5秒）", "Lion (1.5 s)");
        check("Lion [beta]", "Lion [beta]", "Lion [beta]");
        check("builtin", "内蔵エンジン", "Built-in engine");
    }

    #[test]
    fn a_mate_states_its_length() {
        assert_eq!(mate_in("先手", Some(7), Lang::Ja), "先手の勝ち筋　あと7手で詰み");
        assert_eq!(mate_in("Black", None, Lang::En), "Black is winning · mate");
        assert_eq!(mate_value(false, Some(6), Lang::Ja), "詰まされる（6手）");
    }

    #[test]
    fn clock_times_are_formatted() {
        let check = |millis, expect: &str| assert_eq!(millis_clock(millis), expect);
        check(0, "0:00");
        check(65_999, "1:05");
        check(4_360_000, "1:12:40");
    }

    #[test]
    fn a_clock_is_named() {
        assert_eq!(
            labelled_clock(ClockTime::Remaining(Millis(4_360_999)), Lang::Ja),
            "残り 1:12:40"
        );
        assert_eq!(
            labelled_clock(ClockTime::Used(Millis(65_000)), Lang::En),
            "used 1:05"
        );
    }

    #[test]
    fn absent_values_are_left_out() {
        assert_eq!(
            depth_and_nodes(Some(24), Some(31), Some(3_200_000), Lang::Ja),
            "深さ24/31　320万ノード"
        );
        assert_eq!(depth_and_nodes(None, None, Some(7), Lang::En), "7 nodes");
        assert_eq!(
            together(
                &["", &speed(Some(1_500_000), Lang::Ja), &speed(None, Lang::Ja)],
                Lang::Ja
            ),
            "150万nps"
        );
        assert_eq!(speed(Some(1_500_000), Lang::En), "1.5M nps");
    }
}
