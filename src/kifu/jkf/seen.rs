//! The JSON of `shogibar see`: boards that were read off pictures. This JSON is no JKF, but shares the parser.

use super::super::usi;
use super::json::{Json, JsonError, JsonKind, JsonValue};

/// The members of an object that state what was read off a picture.
#[derive(Default)]
struct SeenObject<'a> {
    /// The board as the picture shows it.
    sfen: Option<JsonValue<'a>>,
    hands: Option<JsonValue<'a>>,
    /// Whether White is at the bottom of the picture.
    turned: Option<JsonValue<'a>>,
    /// The reason why the picture has no board.
    error: Option<JsonValue<'a>>,
}

/// Returns the `position` lines of the boards in a JSON text of `shogibar see`, one line for each object. The line of a
/// picture without a board is empty. Returns `None` for another text, and for one without a board.
pub(in super::super) fn seen_positions(text: &str) -> Option<String> {
    let mut json = Json::new(text);
    let is_array = json.kind().ok()? == JsonKind::Array;
    if is_array {
        json.begin_array().ok()?;
    }
    let has_next = |json: &mut Json<'_>| {
        if is_array {
            json.next_item().ok()
        } else {
            Some(!json.is_over())
        }
    };
    let mut lines = String::new();
    while has_next(&mut json)? {
        lines.push_str(&SeenObject::read(&mut json).ok()?.position_line()?);
        lines.push('\n');
    }
    (!lines.trim().is_empty()).then_some(lines)
}

impl<'a> SeenObject<'a> {
    /// Reads an object, and ignores its other members.
    fn read(json: &mut Json<'a>) -> Result<Self, JsonError> {
        let mut object = Self::default();
        json.begin_object()?;
        while let Some(key) = json.next_key()? {
            let value = Some(json.read_value()?);
            match &*key {
                "sfen" => object.sfen = value,
                "hands" => object.hands = value,
                "turned" => object.turned = value,
                "error" => object.error = value,
                _ => {}
            }
        }
        Ok(object)
    }

    /// Returns the `position` line of the board; empty without a board. Returns `None` for the object of another
    /// program. Hands that are not certain count as empty.
    fn position_line(&self) -> Option<String> {
        match (&self.sfen, &self.hands, &self.turned, &self.error) {
            (Some(JsonValue::Text(board)), Some(hands), Some(turned), None) => {
                let hands = match hands {
                    JsonValue::Text(hands) => &**hands,
                    JsonValue::Null => "-",
                    _ => return None,
                };
                let is_position =
                    usi::has_nine_ranks(board) && !board.contains(char::is_whitespace) && usi::is_hand(hands);
                is_position.then(|| usi::seen_position(board, hands, matches!(turned, JsonValue::Bool(true))))
            }
            (None, None, None, Some(JsonValue::Text(_))) => Some(String::new()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Container, read};

    const BOARD: &str = "4k4/9/9/9/9/9/9/P8/+R3K4";

    fn object(board: &str, hands: &str, turned: &str) -> String {
        format!(
            "{{\"image\":\"a.png\",\"sfen\":\"{board}\",\"confidence\":0.99,\"board\":[1,2,3,4],\"corners\":[[1.5,2.0]],\
             \"hands\":{hands},\"turned\":{turned},\"squares\":[[[\"k\",0.9],[\".\",0.1]]]}}\n"
        )
    }

    fn check(text: &str, expected: &[&str]) {
        let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        let found: Vec<String> = reading
            .games
            .iter()
            .map(|game| game.history(usize::MAX).usi())
            .collect();
        assert_eq!(found, expected, "{text}");
        assert_eq!(
            (reading.container, reading.warnings.len()),
            (Container::Json, 0),
            "{text}"
        );
    }

    #[test]
    fn boards_have_their_hands_and_black_at_the_bottom() {
        let seen = |hands: &str| format!("sfen {BOARD} b {hands} 1");
        let from_below = |hands: &str| format!("sfen 4k3+r/8p/9/9/9/9/9/9/4K4 b {hands} 1");
        check(&object(BOARD, "\"G2p\"", "null"), &[&seen("G2p")]);
        check(&object(BOARD, "\"-\"", "false"), &[&seen("-")]);
        check(&object(BOARD, "null", "false"), &[&seen("-")]);
        check(&object(BOARD, "\"G2p\"", "true"), &[&from_below("2Pg")]);
        let failure = "{\"image\":\"b.png\",\"error\":\"there is no board\"}\n";
        let lines = [
            object(BOARD, "\"G\"", "true"),
            failure.to_owned(),
            object(BOARD, "\"p\"", "null"),
        ];
        check(&lines.concat(), &[&from_below("g"), &seen("p")]);
        check(&format!("[{}]", lines.join(",")), &[&from_below("g"), &seen("p")]);
    }

    #[test]
    fn a_hidden_square_is_reported_with_its_line() {
        let text = object(BOARD, "\"-\"", "null") + &object("4k4/9/9/9/4?4/9/9/9/4K4", "null", "null");
        let reading = read(text.as_bytes()).unwrap();
        assert_eq!(reading.games.len(), 1);
        let warning = reading.warnings[0].to_string();
        assert_eq!(
            warning,
            "2:15: '4k4/9/9/9/4?4/9/9/9/4K4' is no position: '?' is no piece"
        );
    }

    #[test]
    fn other_json_is_read_as_before() {
        let position = format!("{BOARD} w - 7");
        check(
            &format!("{{\"sfen\":\"{position}\"}}"),
            &[&format!("sfen {position}")],
        );
    }
}
