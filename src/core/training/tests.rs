//! The tests of `fit`, as a separate target. `cargo test` would build an example with tests only as tests, but the
//! tests of the program also run `fit`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a tool of developers")]

mod commands;

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
