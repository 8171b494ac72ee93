//! The tests of `fit`.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a tool of developers"
)]

mod commands;

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn wrong_words_are_an_error() {
    let lines = [
        "",
        "sing",
        "match none shipped 2",
        "match shipped shipped:8",
        "match none none elo0=0",
        "match none none elo0=10 elo1=10",
        "match none none elo0=NaN elo1=10",
        "match none none games=0",
        "games none out 1 0 1",
        "generation out 1 rate=1",
        "weights out",
        "weights out mix=2",
        "weights out prior=0",
        "net out size=1",
        "net out units=40",
        "net out batch=0",
    ];
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        commands::run(&words).unwrap_err();
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs `fit` in a folder, and returns its output.
fn run(arguments: &[&str], folder: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fit"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(
        output.status.success() && err.is_empty(),
        "{arguments:?}: {out}{err}"
    );
    out
}

#[test]
fn fits_weights_to_games_of_the_engine() {
    let folder = folder("weights");
    let fit = |arguments: &str| run(&arguments.split(' ').collect::<Vec<_>>(), &folder);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    fit("games none games 1 50 1");
    let first = read("games");
    // The second run continues where the first one ended.
    fit("games none games 2 50 1");
    let games = read("games");
    assert!(
        games.starts_with(&first) && games.lines().count() == 3,
        "two games behind the title: {games}"
    );

    let out = fit("weights fitted scale=700 epochs=2 prior=10 games");
    assert!(out.contains("epoch 2: loss "), "the loss is printed: {out}");
    let weights = std::fs::read(folder.join("fitted")).unwrap();
    assert!(weights.iter().skip(4).any(|byte| *byte != 0), "every weight is 0");
    let out = fit("match fitted shipped games=2 nodes=50");
    let end = out.strip_prefix("end: ").unwrap_or_default();
    let counts: Vec<u32> = end
        .split([' ', ':'])
        .take(3)
        .filter_map(|count| count.get(1..)?.parse().ok())
        .collect();
    assert_eq!(counts.iter().sum::<u32>(), 2, "two games: {out}");
}

#[test]
fn labels_games_with_the_values_of_another_engine() {
    let folder = folder("label");
    std::fs::write(
        folder.join("games"),
        "0 b 7g7f:30 3c3d 2g2f:-12\n1 - 2g2f 8c8d:5\n",
    )
    .unwrap();
    let arguments = [
        "label",
        "games",
        "labelled",
        "100",
        env!("CARGO_BIN_EXE_builtin"),
        "USI_Hash=4",
    ];
    run(&arguments, &folder);
    let labelled = std::fs::read_to_string(folder.join("labelled")).unwrap();
    let moves = |text: &str| -> Vec<String> {
        text.split([' ', '\n'])
            .map(|word| word.split(':').next().unwrap_or_default().to_owned())
            .collect()
    };
    assert_eq!(
        moves(labelled.split_once('\n').unwrap().1),
        moves("0 b 7g7f 3c3d 2g2f\n1 - 2g2f 8c8d\n"),
        "the moves stay: {labelled}"
    );
    assert_eq!(
        labelled.matches(':').count(),
        3,
        "each marked position has a value: {labelled}"
    );
}
