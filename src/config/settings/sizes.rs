//! The window sizes that the user chose: of the overlay by layout and number of engines, and of the main window.

use super::super::table_reader::TableReader;
use super::super::warning::SettingValueType;
use super::Layout;
use super::field::{Setting, SettingField, write_group};
use std::collections::BTreeMap;
use toml::{Table, Value};

/// The minimum width and height of a window, in points.
const MIN_SIDE: u32 = 24;
/// The maximum width and height of a window, in points.
const MAX_SIDE: u32 = 16_384;
/// The numbers of engines for which separate sizes are stored.
const ENGINE_COUNTS: [usize; 2] = [1, 2];

/// The overlay sizes in points that the user chose, by layout and number of engines. An absent entry stands for the
/// default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverlaySizes(BTreeMap<(Layout, usize), [u32; 2]>);

impl OverlaySizes {
    /// Returns the width and height of a layout with this number of engines, each from 24 to 16,384. Returns `None` for
    /// the default size.
    pub fn get(&self, layout: Layout, engines: usize) -> Option<[u32; 2]> {
        self.0.get(&key(layout, engines)).copied()
    }

    /// Stores the size of a layout with this number of engines; `None` resets the size to the default.
    pub fn store(&mut self, layout: Layout, engines: usize, size: Option<[u32; 2]>) {
        let key = key(layout, engines);
        match size {
            Some(size) => {
                _ = self
                    .0
                    .insert(key, size.map(|side| side.clamp(MIN_SIDE, MAX_SIDE)));
            }
            None => _ = self.0.remove(&key),
        }
    }
}

/// The width and height of a window in points, each from 24 to 16,384.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSize([u32; 2]);

impl WindowSize {
    /// Creates a size from the width and the height. Values out of range are clamped.
    pub fn new(sides: [u32; 2]) -> Self {
        Self(sides.map(|side| side.clamp(MIN_SIDE, MAX_SIDE)))
    }

    /// Returns the width and the height.
    pub const fn sides(self) -> [u32; 2] {
        self.0
    }
}

/// The setting is written as `1080x204`. An empty text stands for `None`.
impl SettingField for Option<WindowSize> {
    const EXPECTED: SettingValueType = SettingValueType::Size;

    fn from_toml(value: &Value) -> Option<Self> {
        match value.as_str()?.trim() {
            "" => Some(None),
            _ => parse_size(value).map(WindowSize).map(Some),
        }
    }

    fn value(&self) -> Value {
        let text = self.map(|WindowSize([width, height])| format!("{width}x{height}"));
        Value::String(text.unwrap_or_default())
    }
}

impl Setting for OverlaySizes {
    fn read_at(reader: &mut TableReader<'_>, key: &str) -> Option<Self> {
        let sizes = reader.read_group(key, |group| {
            all_keys()
                .filter_map(|(layout, engines)| {
                    let size = group.take(&file_key(layout, engines), SettingValueType::Size, parse_size)?;
                    Some(((layout, engines), size))
                })
                .collect()
        });
        Some(Self(sizes))
    }

    fn write_at(&self, table: &mut Table, key: &str) {
        write_group(table, key, |group| {
            for ((layout, engines), [width, height]) in &self.0 {
                group.insert(
                    file_key(*layout, *engines),
                    Value::String(format!("{width}x{height}")),
                );
            }
        });
    }

    fn apply_changes(&mut self, before: &Self, after: &Self) {
        for (layout, engines) in all_keys().filter(|key| before.0.get(key) != after.0.get(key)) {
            self.store(layout, engines, after.get(layout, engines));
        }
    }
}

/// Returns the key of a size: the layout, and the number of engines limited to those in [`ENGINE_COUNTS`].
fn key(layout: Layout, engines: usize) -> (Layout, usize) {
    (layout, engines.clamp(1, ENGINE_COUNTS.len()))
}

fn all_keys() -> impl Iterator<Item = (Layout, usize)> {
    Layout::ALL
        .iter()
        .flat_map(|layout| ENGINE_COUNTS.map(|engines| (*layout, engines)))
}

/// Returns the key of a size in a file: `full`, or `full-2` for two engines.
fn file_key(layout: Layout, engines: usize) -> String {
    if engines == 1 {
        layout.name().to_owned()
    } else {
        format!("{}-{engines}", layout.name())
    }
}

/// Parses a size such as `1080x204`. Returns `None` if a side is not from 24 to 16,384.
fn parse_size(value: &Value) -> Option<[u32; 2]> {
    let (width, height) = value.as_str()?.split_once('x')?;
    let side = |text: &str| {
        text.trim()
            .parse()
            .ok()
            .filter(|side| (MIN_SIDE..=MAX_SIDE).contains(side))
    };
    Some([side(width)?, side(height)?])
}
