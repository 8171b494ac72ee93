//! The command lines of `shogibar` and `shogibar-usi` as man pages and completions, for the packages. They are made
//! from the parsers of the programs. `pages FOLDER` writes `FOLDER/man/shogibar*.1`; `FOLDER/completions/` has bash's
//! `shogibar.bash`, zsh's `_shogibar` and fish's `shogibar.fish`, and these three for `shogibar-usi`.
//!
//! The pages have the date of the last change to the source, `SOURCE_DATE` (`2026-11-20`), where it is set.
#![expect(
    clippy::disallowed_methods,
    reason = "a tool for packages, which writes files to given paths"
)]

use anyhow::Context as _;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, italic, roman};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

const EXIT_CODES: &[(&str, &str)] = &[
    ("0", "All was done."),
    (
        "1",
        "It was done, with findings, which standard error tells: of a record, say, what could not be kept.",
    ),
    (
        "2",
        "It failed, or the command line was not understood; a sentence on standard error says why.",
    ),
];

const CONFIG_VARIABLE: (&str, &str) = (
    "SHOGIBAR_CONFIG",
    "The folder of the settings, in place of the usual one.",
);

const VARIABLES: &[(&str, &str)] = &[
    CONFIG_VARIABLE,
    (
        "SHOGIBAR_WAYLAND",
        "1 for a native Wayland window, in place of one of XWayland.",
    ),
    (
        "LC_ALL, LC_MESSAGES, LANG",
        "The language, Japanese or English, where none is set.",
    ),
];

const FILES: &[(&str, &str)] = &[
    (
        "~/.config/shogibar/settings.toml",
        "The settings, as the window has them. It may be edited while that runs.",
    ),
    ("~/.config/shogibar/engines.toml", "The engines that were set up."),
    ("~/.config/shogibar/themes/NAME.toml", "Themes of the user's."),
    (
        "~/.config/shogibar/recent.txt",
        "The records that were opened last.",
    ),
    (
        "~/.config/shogibar/unsaved/",
        "Copies of records that are not saved yet.",
    ),
    (
        "~/.config/shogibar/updates.txt",
        "When newer versions were asked for, and what was answered.",
    ),
];

const EXAMPLES: &[(&str, &str)] = &[
    (
        "shogibar game.kif",
        "Open the bar on a game record, with the first engine that was set up.",
    ),
    (
        "shogibar game.csa --engine fairy-stockfish",
        "The same with this engine.",
    ),
    (
        "shogibar convert game.csa --to kif -o game.kif",
        "Convert a record.",
    ),
    (
        "shogibar analyze game.kif -o game.kif --movetime 3000",
        "Analyse a whole game, and keep it in its comments.",
    ),
];

const RELAY_EXIT_CODES: &[(&str, &str)] = &[
    (
        "N",
        "The engine's own. Where a signal ended the engine, the same signal ends the relay.",
    ),
    (
        "2",
        "There is no engine, or the command line was not understood; a sentence on standard error says why.",
    ),
];

const RELAY_FILES: &[(&str, &str)] = &[
    (
        "~/.config/shogibar/settings.toml",
        "The settings: the engine where none is named.",
    ),
    (
        "~/.config/shogibar/engines.toml",
        "The engines that were set up, by name.",
    ),
];

const RELAY_EXAMPLES: &[(&str, &str)] = &[
    ("shogibar-usi --engine fairy-stockfish", "Relay to this engine."),
    (
        "shogibar-usi --engine ssh -- host ./engine",
        "The same with arguments for the engine.",
    ),
    (
        "ln -s /usr/bin/shogibar-usi ~/shogibar-usi-gpsshogi",
        "Make a file for a GUI that starts engines without arguments: by this name it relays to gpsshogi.",
    ),
];

fn main() -> anyhow::Result<()> {
    let folder = std::env::args_os()
        .nth(1)
        .map(PathBuf::from)
        .context("usage: pages FOLDER")?;
    let (man, completions) = (folder.join("man"), folder.join("completions"));
    for folder in [&man, &completions] {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    let date = std::env::var("SOURCE_DATE").unwrap_or_default();
    for (name, mut program) in [
        ("shogibar", shogibar::cli::command()),
        ("shogibar-usi", shogibar_relay::command(env!("CARGO_PKG_VERSION"))),
    ] {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            clap_complete::generate_to(shell, &mut program, name, &completions)?;
        }
        program.build();
        pages(&program, &date, &man)?;
    }
    Ok(())
}

fn pages(command: &Command, date: &str, folder: &Path) -> anyhow::Result<()> {
    let page = Man::new(command.clone())
        .date(date)
        .manual("Shogibar")
        .source(source());
    let path = folder.join(page.get_filename());
    fs::write(&path, text(&page, command)?).with_context(|| path.display().to_string())?;
    command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
        .try_for_each(|below| pages(below, date, folder))
}

fn source() -> String {
    format!("shogibar {}", env!("CARGO_PKG_VERSION"))
}

fn text(page: &Man, command: &Command) -> anyhow::Result<Vec<u8>> {
    let mut text = Vec::new();
    page.render_title(&mut text)?;
    page.render_name_section(&mut text)?;
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    if let Some(after) = command.get_after_help() {
        writeln!(text, ".PP")?;
        Roff::new()
            .text([roman(after.to_string())])
            .to_writer(&mut text)?;
    }
    page.render_options_section(&mut text)?;
    if command.has_subcommands() {
        page.render_subcommands_section(&mut text)?;
    }
    let (sections, related): (&[_], _) = match command.get_name() {
        "shogibar" => (
            &[
                ("EXIT STATUS", EXIT_CODES),
                ("ENVIRONMENT", VARIABLES),
                ("FILES", FILES),
                ("EXAMPLES", EXAMPLES),
            ],
            "shogibar-usi",
        ),
        "shogibar-usi" => (
            &[
                ("EXIT STATUS", RELAY_EXIT_CODES),
                ("ENVIRONMENT", &[CONFIG_VARIABLE]),
                ("FILES", RELAY_FILES),
                ("EXAMPLES", RELAY_EXAMPLES),
            ],
            "shogibar",
        ),
        _ => (&[("EXIT STATUS", EXIT_CODES)], "shogibar"),
    };
    for (title, items) in sections {
        list(title, items).to_writer(&mut text)?;
    }
    let mut see = Roff::new();
    see.control("SH", ["SEE ALSO"])
        .text([bold(related), roman("(1)")]);
    see.to_writer(&mut text)?;
    Ok(text)
}

fn list(title: &str, items: &[(&str, &str)]) -> Roff {
    let mut list = Roff::new();
    list.control("SH", [title]);
    for (name, what) in items {
        list.control("TP", []).text([italic(*name)]).text([roman(*what)]);
    }
    list
}
