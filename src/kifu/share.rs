//! Addresses by which sites and apps open a game or a position.

use shogibar_base::percent;
use shogibar_shogi::{History, Notation, Style};

/// A site or app that opens the content of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShareSite {
    /// KENTO: the game.
    Kento,
    /// Shogi DB2: the game.
    ShogiDb2,
    /// Lishogi's analysis board: the position.
    Lishogi,
    /// ぴよ将棋, the app: the game.
    Piyo,
}

impl ShareSite {
    /// All sites.
    pub const ALL: [Self; 4] = [Self::Kento, Self::ShogiDb2, Self::Lishogi, Self::Piyo];

    /// Returns the name of the site.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kento => "KENTO",
            Self::ShogiDb2 => "将棋DB2",
            Self::Lishogi => "lishogi",
            Self::Piyo => "ぴよ将棋",
        }
    }

    /// Returns the address of a game up to its last position, or of only that position.
    pub fn address(self, history: &History) -> String {
        let start = history.start().sfen();
        let usi = |between: &str| {
            history
                .moves()
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(between)
        };
        match self {
            Self::Kento => {
                let (start, moves, ply) = (
                    encode_value(&start),
                    encode_value(&usi(".")),
                    history.moves().len(),
                );
                format!("https://www.kento-shogi.com/?initpos={start}&moves={moves}#{ply}")
            }
            Self::ShogiDb2 => {
                let moves = Notation::new(Style::Csa)
                    .notate_line(&History::new(history.start().clone()), history.moves());
                format!(
                    "https://shogidb2.com/board?sfen={}&moves={}",
                    encode_value(&start),
                    encode_value(&moves.concat())
                )
            }
            Self::Lishogi => format!(
                "https://lishogi.org/analysis/{}",
                history.now().sfen().replace(' ', "_")
            ),
            Self::Piyo => {
                let moves = if history.moves().is_empty() {
                    String::new()
                } else {
                    format!(" moves {}", usi(" "))
                };
                let ply = history.moves().len();
                format!(
                    "piyoshogi://?num={ply}&sfen={}",
                    encode_value(&format!("position sfen {start}{moves}"))
                )
            }
        }
    }
}

fn encode_value(text: &str) -> String {
    percent::encode(text, "-._~/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_has_its_address_at_each_site() {
        let history = History::from_usi("startpos moves 7g7f 3c3d 8h2b+").unwrap();
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL%20b%20-%201";
        let expected = [
            format!("https://www.kento-shogi.com/?initpos={start}&moves=7g7f.3c3d.8h2b%2B#3"),
            format!("https://shogidb2.com/board?sfen={start}&moves=%2B7776FU-3334FU%2B8822UM"),
            "https://lishogi.org/analysis/lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL_w_B_4"
                .to_owned(),
            format!("piyoshogi://?num=3&sfen=position%20sfen%20{start}%20moves%207g7f%203c3d%208h2b%2B"),
        ];
        for (site, expected) in ShareSite::ALL.into_iter().zip(expected) {
            assert_eq!(site.address(&history), expected, "{}", site.name());
        }
    }

    #[test]
    fn a_position_without_moves_has_an_address() {
        let history = History::from_usi("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        let position = "4k4/9/4P4/9/9/9/9/9/4K4%20b%20G%201";
        assert_eq!(
            ShareSite::Piyo.address(&history),
            format!("piyoshogi://?num=0&sfen=position%20sfen%20{position}")
        );
        assert_eq!(
            ShareSite::Lishogi.address(&history),
            "https://lishogi.org/analysis/4k4/9/4P4/9/9/9/9/9/4K4_b_G_1"
        );
    }
}
