//! Finds a record or a position in a copied text.

use shogibar_kifu::ReadGames;
use shogibar_shogi::{Color, Position};

/// The longest text that is read, in bytes.
const MAX_TEXT_BYTES: usize = 4 << 20;

/// Returns the records or the position in a copied text. `None` for names alone, a single move without a start
/// position, and a text without a game or above `MAX_TEXT_BYTES`.
pub fn records_in(text: &str) -> Option<ReadGames> {
    if text.len() > MAX_TEXT_BYTES || text.trim().is_empty() {
        return None;
    }
    let read = shogibar_kifu::read(text.as_bytes()).ok()?;
    let record = read.games.first()?;
    let start = record.start();
    // Names alone give an empty board in CSA, and the usual start in other formats.
    let has_king = [Color::Black, Color::White]
        .into_iter()
        .any(|color| start.king(color).is_some());
    let has_position = has_king && without_move_number(start) != without_move_number(&Position::startpos());
    let names_start = ["startpos", "sfen ", "手合割", "\nPI", "\nP1"]
        .iter()
        .any(|word| text.contains(word));
    let moves = record.len();
    (has_position || moves >= 2 || moves == 1 && names_start || text.trim() == "position startpos")
        .then_some(read)
}

/// Returns board, hands and side to move, without the move number.
fn without_move_number(position: &Position) -> String {
    position
        .sfen()
        .rsplit_once(' ')
        .map_or_else(String::new, |(board, _number)| board.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_records_and_positions_only() {
        let moves = |text: &str| records_in(text).map(|read| read.games[0].len());
        assert_eq!(moves("4k4/9/9/9/9/9/9/9/4K4 b R 1"), Some(0));
        assert_eq!(moves("position startpos moves 7g7f"), Some(1));
        assert_eq!(moves("手合割：平手\n1 ７六歩(77)\n"), Some(1));
        assert_eq!(moves("▲７六歩△３四歩"), Some(2));
        for no_game in [
            "",
            "7g7f",
            "+7776FU",
            "先手：A\n後手：B",
            "Dear Sir,",
            "https://example.org/",
            "N+a\nN-b",
        ] {
            assert_eq!(moves(no_game), None, "{no_game}");
        }
    }
}
