//! The differences between each engine of the zoo and a normal engine.

use Do::{
    Abort, Become, Bytes, Complain, ComplainMuch, Exit, Forever, Fork, Hang, Letters, LineEnds, Long, Repeat,
    Say, Slowly, Unfinished, Wait,
};
use When::{Always, AtTheStart, First, Idle, Searching};

/// An action of an engine. In a text, `{cp}` stands for its value of the position, `{name}` for its own name. `{move}`
/// stands for the next move of the game, `{line}` for all following moves.
#[derive(Clone, Copy)]
pub(crate) enum Do {
    /// Prints a line.
    Say(&'static str),
    /// Prints bytes and the end of a line.
    Bytes(&'static [u8]),
    /// Prints one long line: a start, and a filler this many times.
    Long(&'static str, &'static str, usize),
    /// Prints a line this many times.
    Repeat(&'static str, usize),
    /// Prints a line endlessly.
    Forever(&'static str),
    /// Prints a line this many times, with this many milliseconds between them.
    Slowly(&'static str, usize, u64),
    /// Prints a line letter by letter.
    Letters(&'static str),
    /// Prints the beginning of a line.
    Unfinished(&'static str),
    /// Prints a line on standard error.
    Complain(&'static str),
    /// Prints more on standard error than a pipe holds.
    ComplainMuch,
    /// Sets the line end for all further lines.
    LineEnds(&'static [u8]),
    /// Waits this many milliseconds.
    Wait(u64),
    /// Stops reacting.
    Hang,
    /// Exits with this code.
    Exit(i32),
    /// Aborts, as by a bug.
    Abort,
    /// Starts a child that keeps all streams open.
    Fork,
    /// Replaces the process by a shell script.
    Become(&'static str),
}

/// The condition under which a rule of an animal applies.
#[derive(Clone, Copy)]
pub(crate) enum When {
    Always,
    Searching,
    Idle,
    /// The action happens only in the engine's first process.
    First,
    /// The action happens only when the position is the start position.
    AtTheStart,
}

/// A rule: condition, command (or `start`, `think`, `eof`, `\r`, `limited go`, `bad setoption`), actions.
pub(crate) type Rule = (When, &'static str, &'static [Do]);

const VALUE: Do = Say("info depth 3 score cp {cp} pv {move}");
const BEST: Do = Say("bestmove {move}");
const NAME: Do = Say("id name Zoo {name}");
const USI_OK: Do = Say("usiok");
const READY_OK: Do = Say("readyok");

#[rustfmt::skip]
pub(crate) const ANIMALS: &[(&str, &[Rule])] = &[
    ("ordinary", &[]),

    // The handshake.
    ("silent", &[(Always, "usi", &[Hang])]),
    ("slow-usiok", &[(Always, "usi", &[NAME, Wait(1200), USI_OK])]),
    ("slow-options", &[(Always, "usi", &[NAME, Slowly("option name X type check default false", 12, 200), USI_OK])]),
    ("greets-first", &[(Always, "start", &[Say("Zoo engine, by nobody"), Say(""), Say("compiled long ago")])]),
    ("nameless", &[(Always, "usi", &[USI_OK])]),
    ("usiok-twice", &[(Always, "usi", &[NAME, USI_OK, USI_OK, NAME])]),
    ("readyok-unasked", &[(Always, "usi", &[NAME, READY_OK, USI_OK, READY_OK]), (Always, "isready", &[READY_OK, READY_OK])]),
    ("slow-readyok-with-blanks", &[(Always, "isready", &[Slowly("", 15, 100), READY_OK])]),
    ("slow-readyok-in-silence", &[(Always, "isready", &[Wait(1500), READY_OK])]),
    ("odd-options", &[
        (Always, "bad setoption", &[Abort]),
        (Always, "usi", &[
            NAME,
            Say("option name Refused type spin default x min 5 max 1"),
            Say("option name Skill Level type spin default 20 min -20 max 20"),
            Say("option name Debug Log File type string default "),
            Say("option name BookDir type string default <empty>"),
            Say("option name EvalFile type filename default nn.bin"),
            Say("option name Clear Hash type button"),
            Say("option name Style type combo default All Round var All Round var Rook Up var 居飛車"),
            Say("option name Nodes type spin default 0 min 0 max 9223372036854775807"),
            Say("option name USI_Ponder type check"),
            Say("option name  type string"), Say("option"), Say("option name"), Say("option type check"),
            Say("option name Later type slider default 3"),
            Say("option name Twice type check default true"), Say("option name Twice type check default false"),
            Say("option name Threads type spin default 1 min 1 max 1"),
            Repeat("option name SPSA_X type spin default 1 min 1 max 2", 213),
            Long("option name Long type combo default a", " var abcdefgh", 200),
            USI_OK,
        ]),
    ]),
    ("misspells", &[(Always, "usi", &[NAME, Say("id auther nobody"), Say("id version 0.5.2"), Say("id"), USI_OK])]),
    ("complains-much", &[(Always, "usi", &[ComplainMuch, NAME, USI_OK])]),

    // Programs that are not engines.
    ("echoes", &[(Always, "usi", &[Say("usi")]), (Always, "quit", &[]), (Always, "eof", &[])]),
    ("another-protocol", &[(Always, "usi", &[Say("Illegal move (no match) usi")])]),
    ("rubbish-for-ever", &[(Always, "usi", &[Forever("y")])]),
    ("options-for-ever", &[(Always, "usi", &[Forever("option name X type check default false")])]),
    ("a-line-for-ever", &[(Always, "start", &[Unfinished("id name "), Become("exec tr '\\0' A </dev/zero")])]),

    // Exits and crashes.
    ("dies-at-once", &[(Always, "start", &[Complain("no weights here"), Exit(3)])]),
    ("dies-on-usi", &[(Always, "usi", &[NAME, Exit(0)])]),
    ("dies-on-isready", &[(Always, "isready", &[Say("Error! : failed to read nn.bin : FileNotFound"), Exit(1)])]),
    ("dies-without-a-word", &[(Always, "isready", &[Exit(1)])]),
    ("dies-on-position", &[(First, "position", &[Say("CRITICAL ERROR"), Say(""), Exit(1)])]),
    ("dies-at-the-start-position", &[(AtTheStart, "go", &[Exit(5)])]),
    ("dies-on-go", &[(First, "go", &[VALUE, Complain("panicked at search.rs"), Exit(101)])]),
    ("dies-on-every-go", &[(Always, "go", &[VALUE, Exit(7)])]),
    ("dies-on-stop", &[(First, "stop", &[Exit(9)])]),
    ("dies-in-idleness", &[(First, "stop", &[BEST, Wait(50), Exit(4)])]),
    ("dies-in-the-middle-of-a-line", &[(First, "go", &[VALUE, Unfinished("info depth 4 sco"), Exit(1)])]),
    ("aborts", &[(First, "go", &[VALUE, Abort])]),
    ("forks-and-dies", &[(First, "go", &[VALUE, Fork, Exit(6)])]),
    ("forks-and-stays", &[(Always, "start", &[Fork])]),
    ("closes-stdout", &[(First, "go", &[VALUE, Become("exec sleep 1000 >&-")])]),
    ("closes-stdin", &[(First, "go", &[
        Become("exec <&-; while :; do echo 'info depth 3 score cp {cp} pv {move}'; sleep 0.1; done"),
    ])]),

    // Engines that ignore commands.
    ("never-reads", &[(Always, "start", &[NAME, USI_OK, READY_OK, Hang])]),
    ("ignores-stop", &[(First, "stop", &[])]),
    ("ignores-stop-and-talks", &[(First, "stop", &[]), (First, "think", &[VALUE])]),
    ("floods-for-ever", &[(First, "go", &[Forever("info depth 3 score cp {cp} pv {move}")])]),
    ("ignores-quit", &[(Always, "quit", &[Hang])]),
    ("ignores-quit-in-a-search", &[(Searching, "quit", &[Hang]), (Always, "eof", &[Hang])]),
    ("ignores-the-end-of-input", &[(Always, "quit", &[]), (Always, "eof", &[Hang])]),
    ("takes-its-time-to-stop", &[(Always, "stop", &[Wait(400), BEST])]),
    ("hangs-after-its-own-end", &[(AtTheStart, "go", &[VALUE, BEST]), (First, "go", &[Hang])]),
    ("stalls-on-stop", &[(First, "stop", &[Wait(2600), BEST])]),

    // Engines that fail on a command at the wrong time.
    ("deadlocks-in-a-search", &[
        (Searching, "position", &[Hang]), (Searching, "isready", &[Hang]), (Searching, "setoption", &[Hang]),
        (Searching, "go", &[Hang]), (Searching, "usinewgame", &[Hang]),
    ]),
    ("exits-on-stop-in-idleness", &[(Idle, "stop", &[Exit(0)]), (Searching, "isready", &[Exit(0)])]),
    ("exits-on-a-carriage-return", &[(Always, "\\r", &[Exit(0)])]),
    ("aborts-on-limits", &[(Always, "limited go", &[Abort])]),
    ("needs-a-line-of-its-own", &[(Always, "setoption", &[Wait(5)]), (Always, "usinewgame", &[Say("")])]),

    // Unusual output.
    ("crlf", &[(Always, "start", &[LineEnds(b"\r\n")])]),
    ("nul", &[(Always, "go", &[Bytes(b"info string \0\0\0"), Bytes(b"\0"), VALUE])]),
    ("shift-jis", &[
        (Always, "usi", &[Bytes(b"id name \x8f\xab\x8a\xfb\x83G\x83\x93\x83W\x83\x93"), USI_OK]),
        (Always, "go", &[Bytes(b"info string \x96\xf0\xff\xfe"), VALUE]),
    ]),
    ("not-text", &[(Always, "go", &[Bytes(b"\xff\xfe\x80info depth 9 score cp 1"), Bytes(b"info string \xc3\x28"), VALUE])]),
    ("a-megabyte", &[(Always, "go", &[Long("info string ", "0123456789abcdef", 1 << 16), Long("", "x", 3 << 20), VALUE])]),
    ("letter-by-letter", &[(Always, "go", &[Letters("info depth 3 score cp {cp} pv {move}")])]),
    ("burst", &[(Always, "go", &[Repeat("info depth 2 score cp {cp} pv {move}", 500), VALUE])]),
    ("floods", &[(Always, "go", &[Repeat("info depth 1 score cp {cp} pv {move}", 100_000), VALUE])]),
    ("pv-of-500-moves", &[(Always, "go", &[Long("info depth 2 score cp 1 pv", " 7g7f 3c3d", 250), VALUE])]),
    ("pv-with-illegal-moves", &[(Always, "go", &[Say("info depth 3 score cp {cp} pv {move} 1a9i 5e5e zz resign {move}")])]),
    ("pv-of-illegal-moves", &[(Always, "go", &[Say("info depth 3 score cp {cp} pv 1a9i 9i1a")])]),
    ("pv-with-resign", &[(Always, "go", &[Say("info depth 3 score cp {cp} pv {move} resign")])]),
    ("no-pv", &[(Always, "go", &[Say("info depth 3 score cp {cp}")])]),
    ("empty-pv", &[(Always, "go", &[Say("info depth 3 score cp {cp} hashfull 0 pv")])]),
    ("any-order", &[(Always, "go", &[
        Say("info time 1 depth 3 nodes 50 currmove 4i5h score cp {cp} multipv 1 hashfull 0 pv {line}"),
    ])]),
    ("many-spaces", &[(Always, "go", &[Say("  info   depth\t3  score  cp   {cp}   pv  {move}  ")])]),
    ("figures-apart", &[(Always, "go", &[
        Say("info depth 3"), Say("info currmove {move}"), Say("info hashfull 6"), VALUE, Say("info time 9 nodes 8 nps 7"),
    ])]),
    ("bounds-last", &[(Always, "go", &[VALUE, Say("info depth 4 score cp 9 lowerbound pv {move}"), Say("info depth 4 score cp 8 upperbound")])]),
    ("bounds-only", &[(Always, "go", &[Say("info depth 3 score cp {cp} upperbound pv {move}")])]),
    ("ranks-backwards", &[(Always, "go", &[
        Say("info depth 3 multipv 3 score cp 1 pv 9g9f"), Say("info depth 3 multipv 2 score cp 2 pv 1g1f"),
        Say("info depth 3 multipv 1 score cp {cp} pv {move}"),
    ])]),
    ("ranks-from-zero", &[(Always, "go", &[Say("info depth 3 multipv 0 score cp {cp} pv {move}"), Say("info depth 3 multipv 4294967296 score cp 5")])]),
    ("numbers-too-large", &[(Always, "go", &[
        Say("info nodes 99999999999999999999999 score cp 99999999999999999999 pv {move}"), VALUE,
    ])]),
    ("not-numbers", &[(Always, "go", &[Say("info depth three score cp many pv {move}"), Say("info score"), Say("info"), VALUE])]),
    ("only-at-the-end", &[(Always, "go", &[]), (Searching, "stop", &[VALUE, BEST])]),
    ("chatters", &[(Always, "think", &[Say("info string {\"message\":\"thinking\"}"), Say("No such option: X"), VALUE])]),
    ("mate-in-5", &[(Always, "go", &[Say("info depth 3 score mate 5 pv {move}")])]),
    ("mate-of-no-length", &[(Always, "go", &[Say("info depth 3 score mate + pv {move}")])]),
    ("mated-of-no-length", &[(Always, "go", &[Say("info depth 3 score mate - pv {move}")])]),
    ("mate-0", &[(Always, "go", &[Say("info depth 0 score mate 0")])]),
    ("mate-minus-0", &[(Always, "go", &[Say("info depth 0 score mate -0")])]),
    ("mate-plus-5", &[(Always, "go", &[Say("info depth 3 score mate +5 pv {move}")])]),
    ("sentinel", &[(Always, "go", &[Say("info depth 3 score cp 30000 pv {move}")])]),
    ("superior-position", &[(Always, "go", &[VALUE, Say("info depth 99 score cp 31111 pv {move}")])]),
    ("sentinel-of-gps", &[(Always, "go", &[Say("info string loss by checkmate"), Say("info depth 3 score cp -1148897 pv resign")])]),

    // Unusual answers.
    ("bestmove-twice", &[(Searching, "stop", &[BEST, BEST])]),
    ("bestmove-twice-later", &[(Searching, "stop", &[BEST, Wait(60), BEST])]),
    ("bestmove-before-stop", &[(Always, "go", &[VALUE, BEST])]),
    ("bestmove-before-stop-twice", &[(Always, "go", &[VALUE, BEST, BEST])]),
    ("bestmove-before-stop-and-on-stop", &[(Always, "go", &[VALUE, BEST]), (Always, "stop", &[BEST])]),
    ("bestmove-none", &[(Searching, "stop", &[Say("bestmove none")])]),
    ("bestmove-nothing", &[(Searching, "stop", &[Say("bestmove")])]),
    ("bestmove-illegal", &[(Searching, "stop", &[Say("bestmove 9i1a ponder (null)")])]),
    ("checkmate-instead", &[(Searching, "stop", &[Say("checkmate nomate")])]),
    ("info-after-bestmove", &[(Searching, "stop", &[BEST, VALUE, Say("info string done")])]),
    ("trails-after-its-own-end", &[(Always, "go", &[VALUE, BEST, VALUE, Wait(100), VALUE])]),
    ("values-after-stop", &[(Searching, "stop", &[Repeat("info depth 4 score cp {cp} pv {move}", 20), BEST])]),
    ("book-move", &[(Always, "go", &[BEST])]),
    ("resigns-at-once", &[(Always, "go", &[Say("bestmove resign")])]),
    ("declares", &[(Always, "go", &[Say("bestmove win")])]),
];
