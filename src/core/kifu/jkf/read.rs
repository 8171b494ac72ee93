//! The games of a JKF text.

use super::super::builder::Builder;
use super::super::games::GameSink;
use super::super::scan::TextSpot;
use super::super::warning::{RecordProblem, Warnings, quote};
use super::json::{Json, JsonError, JsonKind};
use super::moves::MovesReader;
use super::source::JsonSource;
use super::start::JkfStart;

/// Reads the games of a text: one object, an array of them, or several in sequence. Returns their number.
pub(in super::super) fn read(text: &str, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = JkfReader { source: JsonSource::new(text, warnings), games };
    if let Err(broken) = reader.file() {
        reader.source.report(broken);
    }
    reader.games.finish(warnings)
}

struct JkfReader<'a, 'w, 's> {
    source: JsonSource<'a, 'w>,
    games: GameSink<'s>,
}

/// A game as far as it has been read.
#[derive(Default)]
struct JkfGame<'a> {
    /// Whether it has any of JKF's keys.
    is_one: bool,
    headers: Vec<(String, String)>,
    /// The preset name of the start in the header.
    named: Option<(String, TextSpot<'a>)>,
    start: Option<JkfStart<'a>>,
    /// The position of its moves in the text, as long as the start is unknown.
    moves: Option<Json<'a>>,
    builder: Option<Builder>,
}

impl<'a> JkfReader<'a, '_, '_> {
    fn file(&mut self) -> Result<(), JsonError> {
        while !self.source.json.is_over() {
            match self.source.json.kind() {
                Ok(JsonKind::Object) => self.game()?,
                Ok(JsonKind::Array) => self.several()?,
                _ => {
                    let spot = self.source.json.spot();
                    let line = self.source.json.rest().lines().next().unwrap_or_default();
                    self.source.warnings.add(spot, RecordProblem::UnknownLine(quote(line)));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn several(&mut self) -> Result<(), JsonError> {
        self.source.json.begin_array()?;
        while self.source.json.item()? {
            match self.source.json.kind()? {
                JsonKind::Object => self.game()?,
                _ => self.source.reject_value("game")?,
            }
        }
        Ok(())
    }

    /// Reads a game as far as possible.
    fn game(&mut self) -> Result<(), JsonError> {
        // Many games may be on one line.
        self.source.json.count_line();
        if !self.games.has_room(self.source.json.spot()) {
            return self.source.json.skip();
        }
        let mut game = JkfGame::default();
        let mut read = self.members(&mut game);
        if let Some(moves) = game.moves.take() {
            let end = std::mem::replace(&mut self.source.json, moves);
            let moves = self.moves(&mut game);
            if read.is_ok() && moves.is_err() {
                read = moves;
            } else {
                self.source.json = end;
            }
        }
        // Other JSON objects have a key of this name.
        let has_moves = game.builder.as_ref().is_some_and(|builder| builder.record().has_content());
        if game.is_one || has_moves {
            let builder = game.builder.take().unwrap_or_else(|| Builder::new(game.position(self.source.warnings)));
            self.games.add(builder.finish(game.headers, false, self.source.warnings));
        }
        read
    }

    fn members(&mut self, game: &mut JkfGame<'a>) -> Result<(), JsonError> {
        self.source.json.begin_object()?;
        while let Some(key) = self.source.json.key()? {
            game.is_one |= matches!(&*key, "header" | "initial");
            match &*key {
                "header" => self.headers(game)?,
                "initial" if game.start.is_some() => self.source.reject_duplicate("initial")?,
                "moves" if game.moves.is_some() || game.builder.is_some() => self.source.reject_duplicate("moves")?,
                "initial" => game.start = JkfStart::read(&mut self.source)?,
                "moves" if game.start.is_some() => self.moves(game)?,
                "moves" => {
                    game.moves = Some(self.source.json);
                    self.source.json.skip()?;
                }
                _ => self.source.unknown(&key)?,
            }
        }
        Ok(())
    }

    fn headers(&mut self, game: &mut JkfGame<'a>) -> Result<(), JsonError> {
        if !self.source.object("header")? {
            return Ok(());
        }
        while let Some(key) = self.source.json.key()? {
            self.source.json.kind()?;
            let spot = self.source.json.spot();
            if let Some(value) = self.source.text("header")? {
                if key == "手合割" && game.named.is_none() {
                    game.named = Some((value.clone().into_owned(), spot));
                }
                game.headers.push((key.into_owned(), value.into_owned()));
            }
        }
        Ok(())
    }

    fn moves(&mut self, game: &mut JkfGame<'a>) -> Result<(), JsonError> {
        let builder = Builder::new(game.position(self.source.warnings));
        let mut moves = MovesReader::new(&mut self.source, builder);
        let read = moves.read();
        game.builder = Some(moves.finish());
        read
    }
}

impl JkfGame<'_> {
    /// Returns the start position: the described one, or the one named in the header.
    fn position(&self, warnings: &mut Warnings) -> crate::shogi::Position {
        let named = self.named.as_ref().map(|(name, spot)| (name.as_str(), *spot));
        JkfStart::position(self.start.as_ref(), named, warnings)
    }
}
