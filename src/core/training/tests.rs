//! The tests of `fit`, as a separate target. `cargo test` would build an example with tests only as tests, but the
//! tests of the program also run `fit`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a tool of developers")]

mod commands;

#[test]
fn unknown_words_are_an_error() {
    let lines = [
        "",
        "sing",
        "match none shipped 2",
        "match shipped shipped:8",
        "net out size=1",
        "net out units=40",
        "net out batch=0",
    ];
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        commands::run(&words).unwrap_err();
    }
}
