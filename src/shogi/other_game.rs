//! Games that are written like shogi.

use std::fmt;

/// A game that is not shogi, though its records look like those of shogi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherGame {
    /// A game with a name, in Japanese and in English.
    Named(&'static str, &'static str),
    /// A game on a board with these numbers of files and ranks.
    Board {
        /// The number of files.
        files: usize,
        /// The number of ranks.
        ranks: usize,
    },
}

/// The Japanese names of games on other boards, as servers write them, with the English names.
const GAME_NAMES: [(&str, &str); 12] = [
    ("5五将棋", "minishogi"),
    ("五五将棋", "minishogi"),
    ("五々将棋", "minishogi"),
    ("京都将棋", "Kyoto shogi"),
    ("ゴロゴロ将棋", "Goro Goro shogi"),
    ("ゴロゴロ", "Goro Goro shogi"),
    ("ジャドケンス将棋", "Judkins shogi"),
    ("どうぶつしょうぎ", "Dobutsu shogi"),
    ("どうぶつ将棋", "Dobutsu shogi"),
    ("9マス将棋", "9-square shogi"),
    ("3x3将棋", "9-square shogi"),
    ("中将棋", "Chu shogi"),
];

impl OtherGame {
    /// Returns the game with this Japanese name, in which digits have half width; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        GAME_NAMES
            .iter()
            .find(|(japanese, _)| *japanese == name)
            .map(|(japanese, english)| Self::Named(japanese, english))
    }

    /// Returns the game on a board whose ranks have these numbers of squares. Returns `None` if the ranks differ
    /// in length, or are fewer than three. Also returns `None` for a board that may be a damaged shogi board.
    pub fn on_board(ranks: impl IntoIterator<Item = usize>) -> Option<Self> {
        let mut ranks = ranks.into_iter();
        let files = ranks.next()?;
        let mut count = 1;
        for rank in ranks {
            if rank != files {
                return None;
            }
            count += 1;
        }
        (count >= 3 && count != 9 && files != 9).then_some(Self::Board { files, ranks: count })
    }

    /// Returns whether the game is known only by a board of 5 × 5 squares: minishogi or Kyoto shogi.
    pub const fn has_5x5_board(self) -> bool {
        matches!(self, Self::Board { files: 5, ranks: 5 })
    }
}

impl fmt::Display for OtherGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(_, english) => f.write_str(english),
            Self::Board { .. } if self.has_5x5_board() => {
                f.write_str("minishogi or Kyoto shogi, on a board of 5 by 5 squares")
            }
            Self::Board { files, ranks } => write!(f, "a game on a board of {files} by {ranks} squares"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_known_by_their_name_or_their_board() {
        let named = |name: &str| OtherGame::from_name(name).map(|game| game.to_string());
        assert_eq!(named("京都将棋").as_deref(), Some("Kyoto shogi"));
        assert_eq!(named("平手"), None);
        let check = |ranks: &[usize], expected: Option<&str>| {
            let found = OtherGame::on_board(ranks.iter().copied()).map(|game| game.to_string());
            assert_eq!(found.as_deref(), expected, "{ranks:?}");
        };
        check(
            &[5; 5],
            Some("minishogi or Kyoto shogi, on a board of 5 by 5 squares"),
        );
        check(&[3; 4], Some("a game on a board of 3 by 4 squares"));
        check(&[12; 12], Some("a game on a board of 12 by 12 squares"));
        check(&[9; 9], None);
        check(&[9; 8], None);
        check(&[5, 5, 5, 5, 4], None);
        check(&[8, 8], None);
        check(&[], None);
    }
}
