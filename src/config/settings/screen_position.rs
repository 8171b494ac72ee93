//! Where the overlay stood, screen by screen.

use super::super::profile::clean;
use super::super::warning::{Expected, TableReader};
use super::field;
use toml::{Table, Value};

/// The farthest that a window is from the corner of a screen, in points.
const FARTHEST: i32 = 100_000;
/// What tells one place from another in a file.
pub(super) const ID: &str = "screen";
/// So many screens are remembered.
const MOST: usize = 16;

/// Where the overlay stood on a screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScreenPosition {
    /// What the system calls the screen.
    pub screen: String,
    /// From the left of the screen, in points, −100,000 to 100,000.
    pub x: i32,
    /// From its top, likewise.
    pub y: i32,
}

/// The places of the last few screens, the last one first; each screen once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScreenPositions(Vec<ScreenPosition>);

impl ScreenPosition {
    /// This place within the limits of what is remembered.
    fn kept(mut self) -> Self {
        self.screen = clean(&self.screen);
        (self.x, self.y) = (self.x.clamp(-FARTHEST, FARTHEST), self.y.clamp(-FARTHEST, FARTHEST));
        self
    }

    /// A place that is broken in part is none.
    fn read(reader: &mut TableReader<'_>) -> Option<Self> {
        let far = f64::from(FARTHEST);
        let mut far = |key| {
            let within = |at: &i32| (-FARTHEST..=FARTHEST).contains(at);
            let read = |value: &Value| i32::try_from(value.as_integer()?).ok().filter(within);
            reader.take(key, Expected::Number(-far, far), read)
        };
        let (x, y) = (far("x"), far("y"));
        let screen = field::read(reader, ID);
        Some(Self { screen: screen?, x: x?, y: y? })
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        table.insert(ID.to_owned(), Value::String(self.screen.clone()));
        table.extend([("x", self.x), ("y", self.y)].map(|(key, at)| (key.to_owned(), Value::Integer(at.into()))));
        table
    }
}

impl ScreenPositions {
    /// Where the overlay stood on this screen.
    pub fn on(&self, screen: &str) -> Option<&ScreenPosition> {
        self.0.iter().find(|place| place.screen == screen)
    }

    /// Where it stood last, on whatever screen.
    pub fn last(&self) -> Option<&ScreenPosition> {
        self.0.first()
    }

    /// Remembers where it stands.
    pub fn remember(&mut self, place: ScreenPosition) {
        let place = place.kept();
        self.0.retain(|known| known.screen != place.screen);
        self.0.insert(0, place);
        self.0.truncate(MOST);
    }

    /// Remembers again what was remembered between the two.
    pub(super) fn carry_over(&mut self, before: &Self, after: &Self) {
        let is_news = |place: &&ScreenPosition| before.on(&place.screen) != Some(*place);
        for place in after.0.iter().rev().filter(is_news) {
            self.remember(place.clone());
        }
        // The last one may be so because it was gone back to.
        if let Some(last) = after.last().filter(|last| before.last() != Some(last)) {
            self.remember(last.clone());
        }
    }

    pub(super) fn read(root: &mut TableReader<'_>) -> Self {
        let tables = root.take("place", Expected::Tables, |value| value.as_array().cloned()).unwrap_or_default();
        let mut places = Self::default();
        // From the last on, so that the first is the one remembered last.
        for (index, value) in tables.into_iter().enumerate().rev() {
            if let Some(mut reader) = root.element("place", index, value)
                && let Some(place) = ScreenPosition::read(&mut reader)
            {
                places.remember(place);
            }
        }
        places
    }

    pub(super) fn write(&self, file: &mut Table) {
        if !self.0.is_empty() {
            let tables = self.0.iter().map(|place| Value::Table(place.table()));
            file.insert("place".to_owned(), Value::Array(tables.collect()));
        }
    }
}
