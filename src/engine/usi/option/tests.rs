use super::*;

fn option(text: &str) -> OptionSpec {
    OptionSpec::parse(text).unwrap_or_else(|| panic!("{text}"))
}

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn reads_all_six_types() {
    let check = |line: &str, name: &str, kind: OptionKind| {
        assert_eq!(
            option(line),
            OptionSpec {
                name: name.to_owned(),
                kind
            },
            "{line}"
        );
    };
    let spin = |default, min, max| OptionKind::Spin { default, min, max };
    let combo = |default: &str, vars: &[&str]| OptionKind::Combo {
        default: Some(text(default)),
        vars: vars.iter().map(|var| (*var).to_owned()).collect(),
    };
    check(
        "name USI_Ponder type check default false",
        "USI_Ponder",
        OptionKind::Check { default: Some(false) },
    );
    check("name X type check", "X", OptionKind::Check { default: None });
    check(
        "name X type check default yes",
        "X",
        OptionKind::Check { default: None },
    );
    check(
        "name Skill Level type spin default 20 min -20 max 20",
        "Skill Level",
        spin(Some(20), Some(-20), Some(20)),
    );
    check("name N type spin max 9 min 1", "N", spin(None, Some(1), Some(9)));
    check(
        "name N type spin default x min 1 max 2",
        "N",
        spin(None, Some(1), Some(2)),
    );
    check(
        "name N type spin default 9223372036854775807 min -9223372036854775808 max 99999999999999999999",
        "N",
        spin(Some(i64::MAX), Some(i64::MIN), Some(i64::MAX)),
    );
    check(
        "name Style type combo default Normal var Solid var Normal",
        "Style",
        combo("Normal", &["Solid", "Normal"]),
    );
    check(
        "name B type combo default a b var a b var c d e",
        "B",
        combo("a b", &["a b", "c d e"]),
    );
    check(
        "name B type combo var a var b default b",
        "B",
        combo("b", &["a", "b"]),
    );
    check(
        "name B type combo default <empty> var <empty> var b",
        "B",
        combo("", &["", "b"]),
    );
    check("name Clear Hash type button", "Clear Hash", OptionKind::Button);
    check(
        "name D type string default ",
        "D",
        OptionKind::String {
            default: Some(text("")),
        },
    );
    check(
        "name D type string default",
        "D",
        OptionKind::String {
            default: Some(text("")),
        },
    );
    check("name D type string", "D", OptionKind::String { default: None });
    check(
        "name D type string default <empty>",
        "D",
        OptionKind::String {
            default: Some(text("")),
        },
    );
    check(
        "name D type string default C:\\my  min max var default",
        "D",
        OptionKind::String {
            default: Some(text("C:\\my  min max var default")),
        },
    );
    check(
        "name F type filename default eval/nn.bin",
        "F",
        OptionKind::Filename {
            default: Some(text("eval/nn.bin")),
        },
    );
    check(
        "name type of book type string default x",
        "type of book",
        OptionKind::String {
            default: Some(text("x")),
        },
    );
    check(
        "name  Prototype \t type  check  default true ",
        "Prototype",
        OptionKind::Check { default: Some(true) },
    );
    for line in [
        "",
        "name",
        "name X",
        "name X type",
        "name X type what",
        "X type check",
        "name type check",
    ] {
        assert_eq!(OptionSpec::parse(line), None, "{line}");
    }
}

#[test]
fn sends_only_accepted_values() {
    let check = |line: &str, value: &str, expect: Result<&str, &str>| {
        let set = option(line).setoption(value);
        assert_eq!(
            set.as_deref().map_err(ToString::to_string),
            expect.map_err(str::to_owned),
            "{line} = {value}"
        );
    };
    let threads = "name Threads type spin default 4 min 1 max 1024";
    check(threads, "2", Ok("setoption name Threads value 2"));
    check(threads, " +2 ", Ok("setoption name Threads value 2"));
    check(threads, "abc", Err("option Threads is a whole number, not 'abc'"));
    check(threads, "", Err("option Threads is a whole number, not ''"));
    check(
        threads,
        "0",
        Err("option Threads goes from 1 to 1024, 0 is outside"),
    );
    check(
        threads,
        "99999999999999999999",
        Err("option Threads is a whole number, not '99999999999999999999'"),
    );
    check("name N type spin", "-7", Ok("setoption name N value -7"));
    check("name C type check", "true", Ok("setoption name C value true"));
    check(
        "name C type check",
        "on",
        Err("option C is true or false, not 'on'"),
    );
    let style = "name Style type combo default Normal var Solid var Very Normal";
    check(style, "Very Normal", Ok("setoption name Style value Very Normal"));
    check(style, "solid", Ok("setoption name Style value Solid"));
    check(
        style,
        "x",
        Err("option Style is one of Solid, Very Normal, not 'x'"),
    );
    check("name Clear Hash type button", "", Ok("setoption name Clear Hash"));
    check(
        "name Book File type filename",
        "a b.db",
        Ok("setoption name Book File value a b.db"),
    );
    check("name S type string", "", Ok("setoption name S value <empty>"));
    check(
        "name S type string",
        "a\nquit",
        Err("option S cannot hold a line break or control character"),
    );
    for end in ["a\n", "\ra", "a\0", "\n"] {
        check(
            "name S type string",
            end,
            Err("option S cannot hold a line break or control character"),
        );
    }
    check(
        "name N type spin default 1 min 1 max 9",
        "5\n",
        Err("option N cannot hold a line break or control character"),
    );
}
