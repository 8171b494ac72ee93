//! The games of a JKF text.

use super::super::builder::Builder;
use super::super::games::GameSink;
use super::super::headers::Headers;
use super::super::scan::TextSpot;
use super::super::warning::{RecordProblem, Warnings, quote};
use super::json::{Json, JsonError, JsonKind};
use super::moves::MovesReader;
use super::source::JsonSource;
use super::start::{JkfStart, starts};
use shogibar_shogi::Position;

/// Reads the games of a text: one object, an array of them, or several in sequence. Returns their number.
pub(in super::super) fn read(text: &str, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = JkfReader {
        source: JsonSource::new(Json::new(text), warnings),
        games,
    };
    if let Err(broken) = reader.read_file() {
        reader.source.report(broken);
    }
    reader.games.finish(warnings)
}

/// A reader of the games of a JKF text.
struct JkfReader<'a, 'w, 's> {
    source: JsonSource<'a, 'w>,
    games: GameSink<'s>,
}

/// A game as far as it has been read.
#[derive(Default)]
struct JkfGame<'a> {
    has_jkf_key: bool,
    headers: Headers,
    /// The name of the start in the header; `None` without one.
    handicap_name: Option<(String, TextSpot<'a>)>,
    /// The value of `initial`; `None` without one.
    start: Option<JkfStart<'a>>,
    /// The JSON reader at the array `moves`, if that array precedes `initial`. `None` once its moves are read.
    moves_reader: Option<Json<'a>>,
    /// The game with the moves; `None` before they are read.
    builder: Option<Builder>,
}

impl<'a> JkfReader<'a, '_, '_> {
    /// Reads all games of the text, up to the first value that is no game.
    fn read_file(&mut self) -> Result<(), JsonError> {
        while !self.source.json.is_over() {
            match self.source.json.kind() {
                Ok(JsonKind::Object) => self.read_game()?,
                Ok(JsonKind::Array) => self.read_games()?,
                _ => {
                    let spot = self.source.json.spot();
                    let line = self.source.json.rest().lines().next().unwrap_or_default();
                    self.source
                        .warnings
                        .add(spot, RecordProblem::UnknownLine(quote(line)));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn read_games(&mut self) -> Result<(), JsonError> {
        self.source.json.begin_array()?;
        while self.source.json.next_item()? {
            match self.source.json.kind()? {
                JsonKind::Object => self.read_game()?,
                _ => self.source.reject_value("game")?,
            }
        }
        Ok(())
    }

    /// Reads a game as far as possible.
    fn read_game(&mut self) -> Result<(), JsonError> {
        // Many games may be on one line. The characters before this game are counted once, not for each later warning.
        self.source.json.count_line();
        if !self.games.has_room(self.source.json.spot()) {
            return self.source.json.skip();
        }
        let mut game = JkfGame::default();
        let mut read = self.read_members(&mut game);
        if let Some(moves) = game.moves_reader.take() {
            let end = std::mem::replace(&mut self.source.json, moves);
            let moves = self.read_moves(&mut game);
            if read.is_ok() && moves.is_err() {
                read = moves;
            } else {
                self.source.json = end;
            }
        }
        // Other JSON objects may have a key `moves`, so a game without other keys needs a move.
        let has_moves = game
            .builder
            .as_ref()
            .is_some_and(|builder| builder.record().has_content());
        if game.has_jkf_key || has_moves {
            let warnings = &mut *self.source.warnings;
            let builder = game
                .builder
                .take()
                .unwrap_or_else(|| Builder::new(game.position(warnings, |_, _| None)));
            let unknown = game
                .unknown_handicap()
                .map(|(name, spot)| (name.to_owned(), spot.position()));
            let fits = builder.fits_start();
            let record = builder.finish(game.headers.into_list(), false, warnings);
            self.games.add_if_it_fits(record, unknown, fits, warnings);
        }
        read
    }

    fn read_members(&mut self, game: &mut JkfGame<'a>) -> Result<(), JsonError> {
        self.source.json.begin_object()?;
        while let Some(key) = self.source.json.next_key()? {
            game.has_jkf_key |= matches!(&*key, "header" | "initial");
            match &*key {
                "header" => self.read_headers(game)?,
                "initial" if game.start.is_some() => self.source.reject_duplicate("initial")?,
                "moves" if game.moves_reader.is_some() || game.builder.is_some() => {
                    self.source.reject_duplicate("moves")?;
                }
                "initial" => game.start = JkfStart::read(&mut self.source)?,
                "moves" if game.start.is_some() => self.read_moves(game)?,
                "moves" => {
                    game.moves_reader = Some(self.source.json);
                    self.source.json.skip()?;
                }
                _ => self.source.skip_unknown(&key)?,
            }
        }
        Ok(())
    }

    /// Reads the value of `header`.
    fn read_headers(&mut self, game: &mut JkfGame<'a>) -> Result<(), JsonError> {
        if !self.source.enter_object("header")? {
            return Ok(());
        }
        while let Some(key) = self.source.json.next_key()? {
            self.source.json.kind()?;
            let spot = self.source.json.spot();
            if let Some(value) = self.source.read_text("header")? {
                if key == "手合割" && game.handicap_name.is_none() && !value.trim().is_empty() {
                    game.handicap_name = Some((value.clone().into_owned(), spot));
                }
                game.headers.add(&key, &value, spot, self.source.warnings);
            }
        }
        Ok(())
    }

    /// Reads the value of `moves` from the start position that fits the moves.
    fn read_moves(&mut self, game: &mut JkfGame<'a>) -> Result<(), JsonError> {
        let json = self.source.json;
        let builder = Builder::new(game.position(self.source.warnings, |start, warnings| {
            let mut source = JsonSource::new(json, warnings);
            let mut moves = MovesReader::new(&mut source, Builder::new(start.clone()));
            // If the text is damaged, the moves before the damage count.
            let _broken = moves.read();
            Some(moves.finish())
        }));
        let mut moves = MovesReader::new(&mut self.source, builder);
        let read = moves.read();
        game.builder = Some(moves.finish());
        read
    }
}

impl<'a> JkfGame<'a> {
    /// Returns the name of the start with its spot: the preset, or else the name in the header. `None` without a name.
    fn start_name(&self) -> Option<(&str, TextSpot<'a>)> {
        self.start.as_ref().and_then(JkfStart::preset).or_else(|| {
            self.handicap_name
                .as_ref()
                .map(|(name, spot)| (name.as_str(), *spot))
        })
    }

    /// Returns the start position. `read` reads the moves from a start, to choose between several starts of a name.
    fn position(
        &self,
        warnings: &mut Warnings,
        read: impl FnMut(&Position, &mut Warnings) -> Option<Builder>,
    ) -> Position {
        let preset = self.start.as_ref().and_then(JkfStart::preset);
        if let (Some((preset, _)), Some((name, spot))) = (preset, &self.handicap_name) {
            let (presets, named) = (starts(preset), starts(name));
            if !presets.is_empty()
                && !named.is_empty()
                && presets.iter().all(|preset| !named.contains(preset))
            {
                warnings.add(*spot, RecordProblem::OtherStart(quote(name)));
            }
        }
        JkfStart::position(self.start.as_ref(), self.start_name(), warnings, read)
    }

    /// Returns the name of a start that is neither known nor described, with its spot in the text.
    fn unknown_handicap(&self) -> Option<(&str, TextSpot<'a>)> {
        if self.start.as_ref().is_some_and(JkfStart::is_described) {
            return None;
        }
        self.start_name()
            .filter(|(name, _)| !name.trim().is_empty() && starts(name).is_empty())
    }
}
