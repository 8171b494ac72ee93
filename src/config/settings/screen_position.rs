//! The positions of a window, by screen.

use super::super::profile::clean_name;
use super::super::table_reader::TableReader;
use super::super::warning::SettingValueType;
use super::field::Setting;
use toml::{Table, Value};

/// The largest distance of a window from the corner of a screen, in points.
const MAX_OFFSET: i32 = 100_000;
/// The key of the screen's name, which identifies a position in the file.
pub(super) const SCREEN_KEY: &str = "screen";
/// The largest number of positions that are stored.
const MAX_POSITIONS: usize = 16;

/// The position of a window on a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenPosition {
    /// The screen's name in the system.
    pub screen: String,
    /// The distance from the left of the screen in points, −100,000 to 100,000.
    pub x: i32,
    /// The distance from the top of the screen in points, −100,000 to 100,000.
    pub y: i32,
}

/// The positions of a window on its last screens, newest first. Each screen occurs once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScreenPositions(Vec<ScreenPosition>);

impl ScreenPosition {
    /// Returns this position with both distances in the allowed range, and the screen's name as one line.
    fn clamped(mut self) -> Self {
        self.screen = clean_name(&self.screen);
        (self.x, self.y) = (
            self.x.clamp(-MAX_OFFSET, MAX_OFFSET),
            self.y.clamp(-MAX_OFFSET, MAX_OFFSET),
        );
        self
    }

    /// Reads a position. Returns `None` if the screen or a distance is absent or invalid.
    pub(super) fn read(reader: &mut TableReader<'_>) -> Option<Self> {
        let coordinate = f64::from(MAX_OFFSET);
        let mut coordinate = |key| {
            let read = |value: &Value| {
                i32::try_from(value.as_integer()?)
                    .ok()
                    .filter(|at| (-MAX_OFFSET..=MAX_OFFSET).contains(at))
            };
            reader.take(key, SettingValueType::Number(-coordinate, coordinate), read)
        };
        let (x, y) = (coordinate("x"), coordinate("y"));
        let screen = String::read_at(reader, SCREEN_KEY);
        Some(Self {
            screen: screen?,
            x: x?,
            y: y?,
        })
    }

    pub(super) fn to_table(&self) -> Table {
        let mut table = Table::new();
        table.insert(SCREEN_KEY.to_owned(), Value::String(self.screen.clone()));
        table.extend(
            [("x", self.x), ("y", self.y)].map(|(key, at)| (key.to_owned(), Value::Integer(at.into()))),
        );
        table
    }
}

impl ScreenPositions {
    /// Returns the stored position on the screen of this name; `None` if there is none.
    pub fn on_screen(&self, screen: &str) -> Option<&ScreenPosition> {
        self.0.iter().find(|position| position.screen == screen)
    }

    /// Returns the newest position, on any screen; `None` if no position is stored.
    pub fn last(&self) -> Option<&ScreenPosition> {
        self.0.first()
    }

    /// Stores a position as the newest, in place of the one on the same screen.
    pub fn store(&mut self, position: ScreenPosition) {
        let position = position.clamped();
        self.0.retain(|known| known.screen != position.screen);
        self.0.insert(0, position);
        self.0.truncate(MAX_POSITIONS);
    }
}

impl Setting for ScreenPositions {
    fn read_at(reader: &mut TableReader<'_>, key: &str) -> Option<Self> {
        let tables = reader.take(key, SettingValueType::Tables, |value| value.as_array().cloned())?;
        let mut positions = Self::default();
        // Reads in reverse order, so that the first entry becomes the newest.
        for (index, value) in tables.into_iter().enumerate().rev() {
            if let Some(mut reader) = reader.element_reader(key, index, value)
                && let Some(position) = ScreenPosition::read(&mut reader)
            {
                positions.store(position);
            }
        }
        Some(positions)
    }

    fn write_at(&self, table: &mut Table, key: &str) {
        if !self.0.is_empty() {
            let tables = self.0.iter().map(|position| Value::Table(position.to_table()));
            table.insert(key.to_owned(), Value::Array(tables.collect()));
        }
    }

    fn apply_changes(&mut self, before: &Self, after: &Self) {
        for position in after
            .0
            .iter()
            .rev()
            .filter(|position| before.on_screen(&position.screen) != Some(*position))
        {
            self.store(position.clone());
        }
        // A position may have become the newest again without a change, so the newest one is stored once more.
        if let Some(last) = after.last().filter(|last| before.last() != Some(last)) {
            self.store(last.clone());
        }
    }
}
