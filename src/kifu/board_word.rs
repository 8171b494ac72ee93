//! Words that are the board of an SFEN, or may be the board of another game.

/// Returns whether a word looks like the board of an SFEN.
pub(super) fn is_board(word: &str) -> bool {
    word.len() < 200
        && word.bytes().filter(|byte| *byte == b'/').count() == 8
        && word
            .bytes()
            .all(|byte| b"PLNSGBRKplnsgbrk+/123456789".contains(&byte))
}

/// Returns whether a word may be a board, even one with other ranks or pieces than shogi.
pub(super) fn is_like_a_board(word: &str) -> bool {
    word.len() < 400
        && word.bytes().filter(|byte| *byte == b'/').count() >= 3
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'+'))
}

/// Returns whether a word is a board of a game like shogi, whose ranks have the same number of squares.
pub(super) fn has_even_ranks(word: &str) -> bool {
    let mut ranks = word.split('/').map(|rank| {
        rank.chars()
            .map(|c| match c {
                '+' => Some(0),
                '1'..='9' => c.to_digit(10),
                _ => "plnsgbrkqt".contains(c.to_ascii_lowercase()).then_some(1),
            })
            .sum::<Option<u32>>()
    });
    let first = ranks.next().flatten();
    is_like_a_board(word) && first.is_some() && ranks.all(|rank| rank == first)
}
