//! Games that are played elsewhere, followed by the whole program: servers on this machine, and the bar as text.

use crate::support::{self, PATIENCE};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};

const HEAD: &str = "V2.2\nN+Ann\nN-Ben\nPI\n+\n";
const MOVES: [&str; 5] = [
    "+7776FU\nT1\n",
    "-3334FU\nT1\n",
    "+2726FU\nT1\n",
    "-8384FU\nT1\n",
    "%TORYO\n",
];

/// Runs the bar as text until the program ends by itself.
fn text_bar(address: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_shogibar"))
        .args([
            "--text",
            address,
            "--movetime",
            "50",
            "--hash",
            "16",
            "--engine",
            "builtin",
            "--lang",
            "en",
        ])
        .env("SHOGIBAR_CONFIG", support::no_settings())
        .env_remove("http_proxy")
        .env_remove("HTTP_PROXY")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Serves one connection after another, on a thread that ends with the tests. The handler gets the number of the
/// connection.
fn serve(mut handle: impl FnMut(usize, TcpStream) -> std::io::Result<()> + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            // The client may have gone, so an error is ignored.
            let _gone = handle(number, stream);
        }
    });
    port
}

fn answer(mut stream: TcpStream, status: &str, body: &str) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Checks that the bar has shown the positions of the game up to the end. Returns its standard error.
fn check_followed(output: &Output) -> String {
    let [out, error] =
        [&output.stdout, &output.stderr].map(|bytes| String::from_utf8(bytes.clone()).unwrap());
    assert_eq!(output.status.code(), Some(0), "{error}");
    let last = out.lines().last().unwrap_or_default();
    assert!(last.contains("Ann") && last.contains("after 4 moves"), "{out}");
    assert!(
        out.lines()
            .any(|line| line.contains("LIVE") && line.contains('%')),
        "{out}"
    );
    error
}

#[test]
fn a_record_that_grows_on_a_web_server_is_followed_to_its_end() {
    let port = serve(|number, stream| match number {
        1 => answer(stream, "500 Oh", "<html>no"),
        number => answer(
            stream,
            "200 OK",
            &format!("{HEAD}{}", MOVES[..(number + 1).min(MOVES.len())].concat()),
        ),
    });
    let error = check_followed(&text_bar(&format!("http://127.0.0.1:{port}/game.csa")));
    assert!(
        error.contains("HTTP 500") && error.contains("Trying again within"),
        "{error}"
    );
}

#[test]
fn the_newest_game_of_a_csa_server_is_observed() {
    let port = serve(|_, mut stream| {
        let mut reader = BufReader::new(stream.try_clone()?);
        let mut line = String::new();
        while reader.read_line(&mut line)? > 0 {
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["LOGIN", name, "hunter2", "x1"] => {
                    stream.write_all(format!("LOGIN:{name} OK\n##[LOGIN] +OK x1\n").as_bytes())?;
                }
                ["%%LIST"] => stream.write_all(b"##[LIST] old\n##[LIST] new\n##[LIST] +OK\n")?,
                ["%%MONITOR2ON", "new"] => {
                    for part in [HEAD].into_iter().chain(MOVES) {
                        let tell = |text: &str| format!("##[MONITOR2][new] {text}\n");
                        let answer: String = part.lines().map(tell).chain([tell("+OK")]).collect();
                        stream.write_all(answer.as_bytes())?;
                        // The pause lets the bar show the position before the next move comes.
                        std::thread::park_timeout(std::time::Duration::from_millis(400));
                    }
                    stream.write_all(b"##[MONITOR2][new] '$END_TIME:2026/11/22 12:00:00\n")?;
                }
                _ => {}
            }
            line.clear();
        }
        Ok(())
    });
    let error = check_followed(&text_bar(&format!("csa://me:hunter2@127.0.0.1:{port}")));
    assert!(error.contains("Of 2 games, the newest is shown: new"), "{error}");
    assert!(!error.contains("hunter2"), "{error}");
}

#[test]
fn an_address_that_cannot_be_used_is_one_sentence() {
    let check = |address: &str, sentence: &str| {
        let output = text_bar(address);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{address}: {error}");
        assert!(
            error.contains(sentence) && !error.contains("secret"),
            "{address}: {error}"
        );
        assert_eq!(
            error.lines().filter(|line| !line.starts_with("Waiting")).count(),
            1,
            "{error}"
        );
    };
    check(
        "ftp://example.org/game.kif",
        "Addresses of this kind are not supported",
    );
    check("csa://me:a%20secret@localhost", "The password has characters");
    let port = serve(|_, mut stream| stream.write_all(b"LOGIN:incorrect\n"));
    check(
        &format!("csa://me:secret@127.0.0.1:{port}/g"),
        "The server refused the name or password",
    );
}

/// A command that takes no address refuses one without printing its password. Errors about an engine or an option do
/// not print it either.
#[test]
fn no_command_prints_the_password_of_an_address() {
    let address = "csa://me:SECRET@localhost/g";
    let commands: [&[&str]; 7] = [
        &["convert", address, "--to", "usi"],
        &["analyze", address, "--engine", "builtin"],
        &["see", address],
        &["snapshot", address],
        &["match", address, "builtin", "-o", "m", "--games", "1"],
        &["engines", "options", address],
        &["--no-such-option", address],
    ];
    for words in commands {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shogibar"));
        command
            .args(words)
            .env("SHOGIBAR_CONFIG", support::no_settings())
            .stdin(Stdio::null());
        let output = command.current_dir(env!("CARGO_TARGET_TMPDIR")).output().unwrap();
        let printed = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8(bytes).unwrap())
            .concat();
        assert!(
            !printed.contains("SECRET") && !output.status.success(),
            "{words:?}: {printed}"
        );
    }
}

#[test]
fn a_folder_shows_its_newest_record() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("live-folder-{}", std::process::id()));
    let csa = format!("{HEAD}{}", MOVES.concat());
    for (name, game, shown) in [
        ("game.csa", csa.as_str(), "after 4 moves"),
        ("game.usen", "~0.7ku2jm.r\n", "after 2 moves"),
    ] {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), game).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_shogibar"))
            .args([
                "--text",
                "--movetime",
                "50",
                "--hash",
                "16",
                "--engine",
                "builtin",
                "--lang",
                "en",
            ])
            .arg(&folder)
            .env("SHOGIBAR_CONFIG", support::no_settings())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let found = lines.find(|line| line.as_ref().is_ok_and(|line| line.contains(shown)));
        // A folder is watched until the user ends the program.
        child.kill().unwrap();
        child.wait().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(found.is_some(), "{name}");
    }
}
