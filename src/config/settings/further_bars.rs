//! The stored settings of the bars beside the first: the layout, the position and the forced size of each bar.

use super::super::table_reader::TableReader;
use super::super::warning::SettingValueType;
use super::Layout;
use super::field::{Setting, SettingField as _, write_group};
use super::screen_position::{ScreenPosition, ScreenPositions};
use super::sizes::WindowSize;
use std::collections::BTreeMap;
use toml::Table;

/// The maximum number of bars, with the first, whose settings are stored.
const MAX_BARS: usize = 16;

/// The key of the size that a bar's window has for want of room.
const SIZE_KEY: &str = "size";

/// The settings of a bar beside the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct FurtherBar {
    /// The layout of the bar; `None` for the layout of the first bar.
    layout: Option<Layout>,
    /// The position of the bar's window; `None` if none is known.
    position: Option<ScreenPosition>,
    /// The size that the window has for want of room; `None` for the size of its layout.
    forced_size: Option<WindowSize>,
}

/// The settings of the bars beside the first, by the number of the bar: 1 for the second bar, up to 15.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FurtherBars(BTreeMap<usize, FurtherBar>);

impl FurtherBars {
    /// Returns the stored layout of a bar; `None` for the layout of the first bar.
    pub fn layout(&self, number: usize) -> Option<Layout> {
        self.0.get(&number)?.layout
    }

    /// Sets the layout of a bar. Does nothing if the number is 0 or above 15.
    pub fn set_layout(&mut self, number: usize, layout: Layout) {
        self.change(number, |bar| bar.layout = Some(layout));
    }

    /// Returns the stored position of a bar as [`ScreenPositions`], which are empty if none is known.
    pub fn positions(&self, number: usize) -> ScreenPositions {
        let mut positions = ScreenPositions::default();
        if let Some(position) = self.0.get(&number).and_then(|bar| bar.position.clone()) {
            positions.store(position);
        }
        positions
    }

    /// Stores the position of a bar. Does nothing if the number is 0 or above 15.
    pub fn store_position(&mut self, number: usize, position: ScreenPosition) {
        self.change(number, |bar| bar.position = Some(position));
    }

    /// Returns the size that a bar's window had for want of room; `None` if it had the size of its layout.
    pub fn forced_size(&self, number: usize) -> Option<WindowSize> {
        self.0.get(&number)?.forced_size
    }

    /// Sets the size that a bar's window has for want of room. Does nothing if the number is 0 or above 15.
    pub fn set_forced_size(&mut self, number: usize, size: Option<WindowSize>) {
        if self.forced_size(number) != size {
            self.change(number, |bar| bar.forced_size = size);
        }
    }

    /// Removes a bar. The numbers of the bars after this one become smaller by one.
    pub(super) fn close(&mut self, number: usize) {
        self.0.remove(&number);
        let bars = std::mem::take(&mut self.0).into_iter();
        self.0 = bars
            .map(|(other, bar)| (if other > number { other - 1 } else { other }, bar))
            .collect();
    }

    /// Changes the settings of a bar, if the number is from 1 to 15.
    fn change(&mut self, number: usize, change: impl FnOnce(&mut FurtherBar)) {
        if (1..MAX_BARS).contains(&number) {
            change(self.0.entry(number).or_default());
        }
    }
}

impl FurtherBar {
    /// Reads the settings of a bar; `None` if the file has none.
    fn read(reader: &mut TableReader<'_>) -> Option<Self> {
        let layout = reader.take("layout", Layout::EXPECTED, Layout::from_toml);
        let position = ScreenPosition::read(reader);
        let forced_size = reader
            .take(SIZE_KEY, SettingValueType::Size, Option::from_toml)
            .flatten();
        let bar = Self {
            layout,
            position,
            forced_size,
        };
        (bar != Self::default()).then_some(bar)
    }

    fn write(&self, table: &mut Table) {
        if let Some(layout) = self.layout {
            table.insert("layout".to_owned(), layout.value());
        }
        table.extend(self.position.iter().flat_map(ScreenPosition::to_table));
        if self.forced_size.is_some() {
            table.insert(SIZE_KEY.to_owned(), self.forced_size.value());
        }
    }
}

/// Returns the key of a bar in the file: `2` for the second bar, whose number is 1.
fn key(number: usize) -> String {
    (number + 1).to_string()
}

impl Setting for FurtherBars {
    fn read_at(reader: &mut TableReader<'_>, key_of_all: &str) -> Option<Self> {
        let bars = reader.read_group(key_of_all, |group| {
            (1..MAX_BARS)
                .filter_map(|number| Some((number, group.read_group(&key(number), FurtherBar::read)?)))
                .collect()
        });
        Some(Self(bars))
    }

    fn write_at(&self, table: &mut Table, key_of_all: &str) {
        if self.0.is_empty() {
            return;
        }
        write_group(table, key_of_all, |group| {
            for (number, bar) in &self.0 {
                write_group(group, &key(*number), |table| bar.write(table));
            }
        });
    }

    fn apply_changes(&mut self, before: &Self, after: &Self) {
        for number in (1..MAX_BARS).filter(|number| before.0.get(number) != after.0.get(number)) {
            match after.0.get(&number) {
                Some(bar) => _ = self.0.insert(number, bar.clone()),
                None => _ = self.0.remove(&number),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;

    #[test]
    fn bars_are_read_as_they_are_written() {
        let mut settings = Settings::default();
        let position = |x| ScreenPosition {
            screen: "main".to_owned(),
            x,
            y: -4,
        };
        settings.bars.set_layout(1, Layout::Vertical);
        settings.bars.store_position(1, position(30));
        settings.bars.store_position(3, position(90));
        let small = Some(WindowSize::new([503, 166]));
        settings.bars.set_forced_size(3, small);
        settings.bars.set_layout(0, Layout::Bar);
        settings.bars.set_layout(99, Layout::Bar);
        let text = settings.write().unwrap();
        assert!(text.contains("[bars.2]") && text.contains("[bars.4]"), "{text}");
        let (again, warnings) = Settings::read(&text).unwrap();
        assert_eq!((again.bars.clone(), warnings.len()), (settings.bars.clone(), 0));
        assert_eq!(again.bars.layout(1), Some(Layout::Vertical));
        assert_eq!(
            (again.bars.positions(3).last(), again.bars.forced_size(3)),
            (Some(&position(90)), small)
        );
        settings.close_bar(1);
        assert_eq!(
            (settings.bars.layout(1), settings.bars.positions(2).last()),
            (None, Some(&position(90)))
        );
        // The second bar becomes the first.
        settings.bars.set_layout(1, Layout::Compact);
        settings.bars.store_position(1, position(7));
        settings.close_bar(0);
        assert_eq!(
            (settings.layout_of(0), settings.positions.last()),
            (Layout::Compact, Some(&position(7)))
        );
        assert_eq!(settings.bars.positions(1).last(), Some(&position(90)));
        assert!(!Settings::default().write().unwrap().contains("[bars"));
        for broken in [
            "bars = 3",
            "[bars.2]\nlayout = \"x\"",
            "[bars.2]\nscreen = \"a\"\nx = 1",
            "[bars]\nx = 1",
        ] {
            assert_eq!(
                Settings::read(broken).unwrap().0.bars,
                FurtherBars::default(),
                "{broken}"
            );
        }
    }
}
