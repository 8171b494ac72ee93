//! Writing of changed entries into the text of a TOML file. Everything else in the text stays: comments, order, and
//! entries that are the same in both tables.

use toml::{Table, Value};
use toml_edit::{ArrayOfTables, DocumentMut, Item, TableLike};

/// Applies the difference between `before` and `after` to the text, without changes elsewhere. The tables of a list are
/// identified by their value at the key `id`.
///
/// Returns `None` if the text is not TOML, or the difference cannot be applied.
pub(super) fn rewrite(text: &str, before: &Table, after: &Table, id: &str) -> Option<String> {
    // The document keeps line ends in comments, but writes LF after values.
    let has_crlf = text.contains("\r\n");
    let mut document: DocumentMut = text.replace("\r\n", "\n").parse().ok()?;
    apply_difference(document.as_table_mut(), before, after, id)?;
    let text = document.to_string();
    Some(if has_crlf {
        text.replace('\n', "\r\n")
    } else {
        text
    })
}

/// Applies the difference between `before` and `after` to a table of the document. Returns `None` if it cannot be
/// applied.
fn apply_difference(table: &mut dyn TableLike, before: &Table, after: &Table, id: &str) -> Option<()> {
    for (key, value) in after {
        let previous = before.get(key);
        // An unchanged value is not written: a default may be missing in the file.
        if previous == Some(value) {
            continue;
        }
        if value.is_table() && !table.contains_key(key) {
            let mut new = toml_edit::Table::new();
            // A table without direct settings needs no header.
            new.set_implicit(true);
            table.insert(key, Item::Table(new));
        }
        match (table.get_mut(key), value) {
            (Some(Item::ArrayOfTables(tables)), Value::Array(values)) if are_tables(values) => {
                let previous = previous
                    .and_then(Value::as_array)
                    .map(Vec::as_slice)
                    .unwrap_or_default();
                update_tables(tables, previous, values, id)?;
            }
            (Some(Item::Value(existing)), value) if !matches!(value, Value::Table(_)) => {
                let decor = existing.decor().clone();
                *existing = inline_value(value)?;
                *existing.decor_mut() = decor;
            }
            (Some(existing), Value::Table(value)) if existing.is_table_like() => {
                let none = Table::new();
                apply_difference(
                    existing.as_table_like_mut()?,
                    previous.and_then(Value::as_table).unwrap_or(&none),
                    value,
                    id,
                )?;
            }
            _ => _ = table.insert(key, to_item(value)?),
        }
    }
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        table.remove(key);
    }
    Some(())
}

/// Makes a list contain the tables of `after` in this order. The unchanged parts of each table keep their text. Returns
/// `None` if a value is not a table, has no text at the key `id`, or cannot be written.
fn update_tables(tables: &mut ArrayOfTables, before: &[Value], after: &[Value], id: &str) -> Option<()> {
    let is_of = |value: &Value, name: &str| value.get(id).and_then(Value::as_str) == Some(name);
    let name = |table: &toml_edit::Table| table.get(id).and_then(Item::as_str).map(str::to_owned);
    let mut existing: Vec<_> = std::mem::take(tables).into_iter().enumerate().collect();
    let start = existing.first().and_then(|(_, table)| table.position());
    let (mut last, mut is_in_order, none) = (None, true, Table::new());
    for value in after {
        let value = value.as_table()?;
        let wanted_id = value.get(id)?.as_str()?;
        let is_written = |(_, table): &(usize, toml_edit::Table)| name(table).as_deref() == Some(wanted_id);
        // If both lists have the same length, a table that is missing in `after` was renamed.
        let known = existing.iter().position(is_written).or_else(|| {
            if before.len() == after.len() {
                existing.iter().position(|(_, table)| {
                    name(table).is_some_and(|name| !after.iter().any(|value| is_of(value, &name)))
                })
            } else {
                None
            }
        });
        let (index, mut table) = known.map(|known| existing.remove(known)).unzip();
        let table = table.get_or_insert_default();
        let previous =
            name(table).and_then(|name| before.iter().find(|value| is_of(value, &name))?.as_table());
        apply_difference(table, previous.unwrap_or(&none), value, id)?;
        is_in_order &= index.or(last) >= last && index.or(last).is_some();
        last = index.or(last);
        tables.push(std::mem::take(table));
    }
    // Each table keeps its position, and a new one follows the one before it. If the order changed, all move to the
    // position of the first.
    if !is_in_order {
        tables.iter_mut().for_each(|table| move_to(table, start));
    }
    Some(())
}

/// Moves a table to a position in the document, and its subtables directly behind it.
fn move_to(table: &mut toml_edit::Table, position: Option<isize>) {
    table.set_position(position);
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(table) => move_to(table, None),
            Item::ArrayOfTables(tables) => tables.iter_mut().for_each(|table| move_to(table, None)),
            Item::None | Item::Value(_) => {}
        }
    }
}

fn are_tables(values: &[Value]) -> bool {
    values.iter().all(Value::is_table)
}

/// Converts a value to a new item of a document. Returns `None` if the value cannot be written.
fn to_item(value: &Value) -> Option<Item> {
    Some(match value {
        Value::Table(values) => Item::Table(to_table(values)?),
        Value::Array(values) if !values.is_empty() && are_tables(values) => {
            let tables = values.iter().map(|value| to_table(value.as_table()?));
            Item::ArrayOfTables(tables.collect::<Option<Vec<_>>>()?.into_iter().collect())
        }
        value => Item::Value(inline_value(value)?),
    })
}

/// Converts a table to a new table of a document. Returns `None` if a value cannot be written.
fn to_table(values: &Table) -> Option<toml_edit::Table> {
    let mut table = toml_edit::Table::new();
    for (key, value) in values {
        table.insert(key, to_item(value)?);
    }
    Some(table)
}

/// Converts a value to TOML in one line, or in several for a multi-line text. Returns `None` if that fails.
fn inline_value(value: &Value) -> Option<toml_edit::Value> {
    value.to_string().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the file after `change` was applied to its content.
    fn check(text: &str, change: impl Fn(&mut Table), expect: &str) {
        let before: Table = toml::from_str(text).unwrap();
        let mut after = before.clone();
        change(&mut after);
        let found = rewrite(text, &before, &after, "name").unwrap();
        assert_eq!(found, expect);
        assert_eq!(toml::from_str::<Table>(&found).unwrap(), after);
    }

    /// Sets the value at a path of keys that are separated by dots.
    fn set(table: &mut Table, path: &str, value: impl Into<Value>) {
        let (groups, key) = path.rsplit_once('.').unwrap_or(("", path));
        let groups = groups.split('.').filter(|group| !group.is_empty());
        let group = groups.fold(table, |table, group| {
            table
                .entry(group)
                .or_insert_with(|| Value::Table(Table::new()))
                .as_table_mut()
                .unwrap()
        });
        group.insert(key.to_owned(), value.into());
    }

    const FILE: &str = "# Mine.\n\nlanguage = 'ja' # not English\n\n[window]\n  # streaming\n  on_top = true\nother = [ 1,\n 2 ]\n\n\
                        # the look\n[overlay]\ntheme = \"ink\"    # \u{58a8}\n\n# the end\n";

    #[test]
    fn unchanged_parts_of_the_file_are_kept() {
        check(FILE, |_| {}, FILE);
        check(
            FILE,
            |file| set(file, "overlay.theme", "paper"),
            &FILE.replace("\"ink\"", "\"paper\""),
        );
        check(
            FILE,
            |file| set(file, "window.on_top", false),
            &FILE.replace("true", "false"),
        );
        check(
            FILE,
            |file| set(file, "language", "en"),
            &FILE.replace("'ja'", "\"en\""),
        );
        let added = FILE.replace(" 2 ]\n", " 2 ]\nshadow = 3\n");
        check(FILE, |file| set(file, "window.shadow", 3), &added);
        check(
            FILE,
            |file| set(file, "keys.hide", "F8"),
            &FILE.replace("\n# the end", "\n[keys]\nhide = \"F8\"\n\n# the end"),
        );
        let crlf = FILE.replace('\n', "\r\n");
        check(
            &crlf,
            |file| set(file, "overlay.theme", "paper"),
            &crlf.replace("\"ink\"", "\"paper\""),
        );
        check("", |file| set(file, "a.b", true), "[a]\nb = true\n");
    }

    #[test]
    fn inline_and_dotted_tables_keep_their_form() {
        check(
            "a = { b = 1, c = 2 } # x\n",
            |file| set(file, "a.c", 3),
            "a = { b = 1, c = 3 } # x\n",
        );
        check(
            "a.b = 1 # x\na.c = 2\n",
            |file| set(file, "a.b", 3),
            "a.b = 3 # x\na.c = 2\n",
        );
        check(
            "a = 5\n",
            |file| *file = toml::from_str("a = { b = 1 }").unwrap(),
            "[a]\nb = 1\n",
        );
    }

    #[test]
    fn list_tables_move_with_their_comments() {
        const A: &str = "# a\n[[e]] # A\nname = 'a' # !\nn = 1\n# its options\n[e.o]\nx = 1 # X\n";
        const B: &str = "\n# b\n[[e]]\nname = 'b'\nn = 2\n";
        const C: &str = "\n[[e]]\nname = \"c\"\n\n[e.o]\nx = 3\n";
        const F: &str = "\n# other\n[f]\n";
        const ALL: &str = "# a\n[[e]] # A\nname = 'a' # !\nn = 1\n# its options\n[e.o]\nx = 1 # X\n\n# other\n[f]\n\n# b\n[[e]]\nname = 'b'\nn = 2\n";
        let check = |change: &dyn Fn(&mut Vec<Value>), expect: &[&str]| {
            check(
                ALL,
                |file| change(file["e"].as_array_mut().unwrap()),
                &expect.concat(),
            );
        };
        let c = || Value::Table(toml::from_str("name = 'c'\no = { x = 3 }").unwrap());
        check(&|_| {}, &[A, F, B]);
        check(&|list| list[1]["n"] = 3.into(), &[A, F, &B.replace('2', "3")]);
        check(
            &|list| list[0]["o"]["x"] = 7.into(),
            &[&A.replace("x = 1", "x = 7"), F, B],
        );
        check(&|list| list.push(c()), &[A, F, B, C]);
        check(&|list| list.insert(1, c()), &[A, C, F, B]);
        check(&|list| list.insert(0, c()), &[C.trim_start(), A, B, F]);
        check(
            &|list| list[1]["name"] = "d".into(),
            &[A, F, &B.replace("'b'", "\"d\"")],
        );
        check(&|list| list.reverse(), &[B, A, F]);
        check(&|list| _ = list.remove(0), &[F, B]);
    }
}
