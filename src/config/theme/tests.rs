//! The built-in themes are complete and readable; an invalid entry of a user's theme affects only itself.

use super::contrast::linear_light;
use super::*;
use proptest::prelude::*;

/// The number of colours of a theme.
const COLOR_COUNT: usize = 45;

fn built_in_themes() -> impl Iterator<Item = (&'static str, Theme)> {
    Theme::names().map(|name| (name, Theme::shipped(name).unwrap()))
}

#[test]
fn built_in_themes_are_complete() {
    for (name, text) in SHIPPED_THEMES {
        let (theme, warnings) = Theme::read(text).unwrap();
        assert_eq!(warnings, [], "{name}");
        assert_eq!(
            Some(theme),
            Theme::shipped(name),
            "{name} is based on {}",
            Theme::DEFAULT
        );
    }
    let (_, base) = SHIPPED_THEMES[0];
    let table: Table = toml::from_str(base).unwrap();
    assert_eq!(table.len(), 2 + COLOR_COUNT, "the base of all names every field");
    assert_eq!(Theme::shipped("urushi"), None);
}

#[test]
fn colors_are_read_as_hexadecimal() {
    let check = |text, expect| {
        assert_eq!(
            Rgba::parse(text).map(|color| color.to_string()).as_deref(),
            expect,
            "{text}"
        );
    };
    check("#14161C", Some("#14161C"));
    check("#14161cdb", Some("#14161CDB"));
    check(" #14161CFF ", Some("#14161C"));
    for none in [
        "",
        "#",
        "14161C",
        "#fff",
        "#14161",
        "#14161CD",
        "#+4161C",
        "#14161G",
        "#１４１６１Ｃ",
        "red",
    ] {
        check(none, None);
    }
}

#[test]
fn a_theme_file_changes_only_the_named_colors() {
    let (theme, warnings) = Theme::read("base = 'paper'\naccent = '#123456'\nbar_corner = 0").unwrap();
    assert_eq!(warnings, []);
    let accent = Rgba([0x12, 0x34, 0x56, 0xFF]);
    assert_eq!(
        theme,
        Theme {
            accent,
            bar_corner: 0,
            ..Theme::shipped("paper").unwrap()
        }
    );
    let (theme, _) = Theme::read("").unwrap();
    assert_eq!(Some(theme), Theme::shipped(Theme::DEFAULT));
}

#[test]
fn a_theme_of_an_earlier_version_is_put_on_a_tray() {
    let (theme, warnings) = Theme::read(
        "base = 'broadcast'\nblack = '#0B0C10'\nwhite = '#F1E9D8'\nblack_edge = '#FFFFFF42'\nstale = '#84827D'\nempty = '#1B1C1F'",
    )
    .unwrap();
    assert_eq!(warnings, [], "both shares can be seen");
    for share in [theme.black, theme.black_low, theme.white, theme.white_low] {
        assert!(contrast(share, theme.tray) >= 3.0, "{share} on {}", theme.tray);
    }
    // On ink's tray, a black share cannot be seen; a light one can.
    let (theme, _) = Theme::read("black = '#000000'").unwrap();
    assert_ne!(theme.tray, Theme::shipped("ink").unwrap().tray);
    let (theme, _) = Theme::read("black = '#2979FF'\naccent = '#112233'").unwrap();
    assert_eq!(theme.tray, Theme::shipped("ink").unwrap().tray);
    assert_eq!(
        theme.seam,
        Rgba([0x11, 0x22, 0x33, 0xFF]),
        "what stood out still does"
    );
}

#[test]
fn a_retired_key_changes_nothing() {
    let (theme, warnings) = Theme::read("accent = '#112233'\narrow_next = '#445566'").unwrap();
    assert_eq!(warnings, []);
    let accent = Rgba([0x11, 0x22, 0x33, 0xFF]);
    assert_eq!(
        theme,
        Theme {
            accent,
            ..Theme::shipped("ink").unwrap()
        }
    );
}

#[test]
fn colors_that_cannot_be_distinguished_are_reported() {
    let keys = |text: &str| {
        let (_, warnings) = Theme::read(text).unwrap();
        warnings
            .into_iter()
            .map(|warning| warning.key)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        keys("black = '#777777'\nwhite = '#808080'"),
        ["white", "white_low"]
    );
    assert_eq!(keys("tray = '#5580B8'"), ["black", "black_low"]);
    assert_eq!(keys("text = '#202020'"), ["text"]);
}

#[test]
fn an_invalid_entry_is_reported_and_the_rest_is_kept() {
    let check = |line: &str, key: &str, problem| {
        let (theme, warnings) = Theme::read(&format!("text = '#ABCDEF'\n{line}")).unwrap();
        assert_eq!(
            warnings,
            [SettingWarning {
                key: key.to_owned(),
                problem
            }],
            "{line}"
        );
        let text = Rgba([0xAB, 0xCD, 0xEF, 0xFF]);
        assert_eq!(
            theme,
            Theme {
                text,
                ..Theme::shipped(Theme::DEFAULT).unwrap()
            },
            "{line}"
        );
    };
    check(
        "panel = 'green'",
        "panel",
        SettingProblem::Wanted(SettingValueType::Color),
    );
    check(
        "panel = 0x00FF00",
        "panel",
        SettingProblem::Wanted(SettingValueType::Color),
    );
    check(
        "[panel]\nr = 1",
        "panel",
        SettingProblem::Wanted(SettingValueType::Color),
    );
    check(
        "panel_corner = 41",
        "panel_corner",
        SettingProblem::Wanted(SettingValueType::Whole(0, 40)),
    );
    check(
        "bar_corner = '6'",
        "bar_corner",
        SettingProblem::Wanted(SettingValueType::Whole(0, 40)),
    );
    check(
        "base = 'urushi'",
        "base",
        SettingProblem::NoSuchTheme("urushi".to_owned()),
    );
    check(
        "base = ['ink']",
        "base",
        SettingProblem::Wanted(SettingValueType::Text),
    );
    check("pannel = '#00FF00'", "pannel", SettingProblem::Unknown);
    assert!(Theme::read("panel = ").is_err(), "this is no TOML");
}

#[test]
fn text_has_enough_contrast() {
    for (name, theme) in built_in_themes() {
        // Contrast is measured against the panel, or against the outline of the text.
        let background = if theme.text_edge == Rgba([0; 4]) {
            theme.panel
        } else {
            theme.text_edge
        };
        let high = name == "contrast";
        let check = |what, color: Rgba, background, min_contrast: f64| {
            let found = contrast(color, background);
            assert!(
                found >= if high { 7.0 } else { min_contrast },
                "{name}: {what} has a contrast of {found:.1}"
            );
        };
        check("text", theme.text, background, 6.0);
        check("quiet", theme.quiet, background, 4.4);
        check("loss", theme.loss, background, 3.9);
        check("best", theme.best, background, 4.4);
        assert_eq!(theme.contrast_warnings(), [], "{name}: the bar");
        let min_contrast = if high { 7.0 } else { 4.5 };
        for (what, ink) in [("a piece", theme.piece_ink), ("a promoted one", theme.promoted)] {
            let found = contrast(ink, theme.piece);
            assert!(
                found >= min_contrast,
                "{name}: what is written on {what} has a contrast of {found:.1}"
            );
        }
        assert!(
            contrast(theme.board_line, theme.board) >= 4.5,
            "{name}: the lines of the board"
        );
    }
}

/// Measures both themes of the main window's pages, with each board: text, shapes and text on shapes.
#[test]
fn pages_can_be_read_by_day_and_by_night() {
    const MIN_SMALL_TEXT_CONTRAST: f64 = 4.5;
    const MIN_PAGE_SHAPE_CONTRAST: f64 = 2.8;
    let nights = [false, true].into_iter();
    for (is_night, board) in
        nights.flat_map(|night| BoardColors::ALL.iter().map(move |board| (night, *board)))
    {
        let theme = Theme::of_pages(is_night).with_board(board);
        let backgrounds = [
            ("card", theme.card),
            ("window", theme.window),
            ("rail", theme.rail),
            ("panel", theme.panel),
        ];
        let check = |what: &str, color: Rgba, background: Rgba, min_contrast: f64| {
            let found = contrast(color.upon(background), background);
            assert!(
                found >= min_contrast,
                "{what} has a contrast of {found:.2}, night: {is_night}, {board:?}"
            );
        };
        for (name, background) in backgrounds {
            for (what, color) in [
                ("text", theme.text),
                ("quiet", theme.quiet),
                ("accent", theme.accent),
            ] {
                check(
                    &format!("{what} on {name}"),
                    color,
                    background,
                    MIN_SMALL_TEXT_CONTRAST,
                );
            }
        }
        let small = [
            ("best", theme.best),
            ("loss", theme.loss),
            ("blunder", theme.blunder),
            ("doubtful", theme.doubtful),
        ];
        for (what, color) in small {
            check(what, color, theme.card, MIN_SMALL_TEXT_CONTRAST);
        }
        let shapes = [
            ("Black's word", theme.black_word),
            ("White's word", theme.white_word),
            ("Black's area", theme.black_area),
            ("White's area", theme.white_area),
            ("another engine", theme.other_curve),
            ("the main line", theme.main_line),
        ];
        for (what, color) in shapes {
            check(what, color, theme.card, MIN_PAGE_SHAPE_CONTRAST);
        }
        check(
            "text on the accent",
            theme.on_accent,
            theme.accent,
            MIN_SMALL_TEXT_CONTRAST,
        );
        for (what, mark) in [
            ("blunder", theme.blunder),
            ("doubtful", theme.doubtful),
            ("quiet", theme.quiet),
        ] {
            check(
                &format!("a letter on {what}"),
                theme.on_mark,
                mark,
                MIN_SMALL_TEXT_CONTRAST,
            );
        }
        check("a piece", theme.piece_ink, theme.piece, MIN_SMALL_TEXT_CONTRAST);
        check(
            "a promoted piece",
            theme.promoted,
            theme.piece,
            MIN_SMALL_TEXT_CONTRAST,
        );
        check(
            "the lines",
            theme.board_line,
            theme.board,
            MIN_PAGE_SHAPE_CONTRAST,
        );
        check(
            "an arrow on the board",
            theme.arrow,
            theme.board,
            MIN_PAGE_SHAPE_CONTRAST,
        );
        check(
            "a number on its dot",
            theme.piece,
            theme.arrow,
            MIN_SMALL_TEXT_CONTRAST,
        );
    }
}

#[test]
fn boards_to_choose_are_complete() {
    let boards: Table = toml::from_str(BOARD_THEMES).unwrap();
    let names: Vec<_> = BoardColors::ALL
        .iter()
        .map(|board| board.name())
        .filter(|name| *name != "wood")
        .collect();
    assert_eq!(
        boards.keys().map(String::as_str).collect::<BTreeSet<_>>(),
        names.iter().copied().collect()
    );
    for (name, board) in boards {
        let (_, warnings) = Theme::of_pages(false).with_entries(board.as_table().unwrap().clone(), |_| None);
        assert_eq!(warnings, [], "{name}");
    }
    let day = Theme::of_pages(false);
    assert_eq!(day.with_board(BoardColors::Wood), day);
    assert_ne!(day.with_board(BoardColors::Dark).board, day.board);
}

/// The matrices that simulate vision without red, green or blue cones, in linear light (Machado, Oliveira and
/// Fernandes, 2009).
const COLOR_BLINDNESS_MATRICES: [[[f64; 3]; 3]; 3] = [
    [
        [0.152, 1.053, -0.205],
        [0.115, 0.786, 0.099],
        [-0.004, -0.048, 1.052],
    ],
    [
        [0.367, 0.861, -0.228],
        [0.280, 0.673, 0.047],
        [-0.012, 0.043, 0.969],
    ],
    [
        [1.256, -0.077, -0.179],
        [-0.078, 0.931, 0.148],
        [0.005, 0.691, 0.304],
    ],
];

#[test]
fn the_high_contrast_theme_suits_color_blindness() {
    let theme = Theme::shipped("contrast").unwrap();
    let living = [
        ("accent", theme.accent),
        ("loss", theme.loss),
        ("blunder", theme.blunder),
        ("text", theme.text),
    ];
    for seen in COLOR_BLINDNESS_MATRICES {
        // The cube root makes distances roughly even to the eye.
        let looks = |Rgba([red, green, blue, _]): Rgba| {
            let light = [red, green, blue].map(linear_light);
            seen.map(|row| {
                row.iter()
                    .zip(light)
                    .map(|(part, light)| part * light)
                    .sum::<f64>()
                    .max(0.0)
                    .cbrt()
            })
        };
        for (index, (name, one)) in living.iter().enumerate() {
            for (other_name, other) in &living[..index] {
                let (one, other) = (looks(*one), looks(*other));
                let apart = one
                    .iter()
                    .zip(other)
                    .map(|(a, b)| (a - b).powi(2))
                    .sum::<f64>()
                    .sqrt();
                assert!(apart >= 0.12, "{name} and {other_name} are {apart:.2} apart");
            }
        }
    }
}

#[test]
fn a_chroma_key_theme_is_opaque_and_its_key_unique() {
    let check = |name: &str, theme: Theme, key: &str| {
        assert_eq!(
            (theme.panel.to_string().as_str(), theme.panel_corner),
            (key, 0),
            "{name}"
        );
        let mut seen = Vec::new();
        theme.map(|key, color| {
            assert!(color.is_opaque() || color.0[3] == 0, "{name}: {key} is {color}");
            seen.push(color);
        });
        assert!(
            seen.iter().filter(|color| **color == theme.panel).count() == 1,
            "{name}: the key is the background's alone"
        );
        assert!(
            contrast(theme.text, theme.text_edge) >= 7.0,
            "{name}: letters stand out from their edge"
        );
    };
    check("chroma", Theme::shipped("chroma").unwrap(), "#00FF00");
    for (name, theme) in built_in_themes() {
        check(
            name,
            theme.with_background(Background::Chroma, Rgba([0xFF, 0, 0xFF, 0x80])),
            "#FF00FF",
        );
    }
}

#[test]
fn the_background_can_be_made_opaque() {
    for (name, theme) in built_in_themes() {
        assert_eq!(
            theme.with_background(Background::Transparent, Rgba::default()),
            theme,
            "{name}"
        );
        let opaque = theme.with_background(Background::Opaque, Rgba::default());
        assert!(opaque.panel.is_opaque() && opaque.panel_corner == 0, "{name}");
        assert_eq!(opaque.text, theme.text, "{name}");
        let keyed = theme.with_background(Background::Chroma, Rgba([0, 0xFF, 0, 0xFF]));
        let apart = |color: Rgba| {
            color
                .0
                .iter()
                .zip(theme.text.0)
                .map(|(one, other)| u32::from(one.abs_diff(other)))
                .sum::<u32>()
        };
        let is_made_for_it = !theme.text_edge.is_invisible();
        assert!(
            is_made_for_it || apart(keyed.quiet) * 3 <= apart(theme.quiet),
            "{name}: nothing is grey on a key colour"
        );
    }
}

/// Returns a strategy for themes with any colours and corner radii.
fn any_theme() -> impl Strategy<Value = Theme> {
    (
        any::<[u8; 2]>(),
        proptest::collection::vec(any::<[u8; 4]>(), COLOR_COUNT),
    )
        .prop_map(|(numbers, colors)| {
            let mut colors = colors.into_iter();
            let theme = Theme {
                panel_corner: numbers[0] % 41,
                bar_corner: numbers[1] % 41,
                ..Theme::<Rgba>::default()
            };
            theme.map(|_, _| Rgba(colors.next().unwrap()))
        })
}

proptest! {
    #[test]
    fn a_theme_round_trips(theme in any_theme()) {
        let (read, warnings) = Theme::read(&theme.write()).unwrap();
        prop_assert_eq!(read, theme);
        let is_weak = |warning: &SettingWarning| matches!(warning.problem, SettingProblem::LowContrast { .. });
        prop_assert!(warnings.iter().all(is_weak), "{:?}", warnings);
    }

    #[test]
    fn parsing_never_panics(text in "\\PC{0,80}") {
        let _read_or_not = Theme::read(&text);
        let _color_or_not = Rgba::parse(&text);
    }
}

#[test]
fn other_colors_of_the_sides_can_be_distinguished_or_are_reported() {
    let color = |text: &str| Rgba::parse(text);
    for name in Theme::names() {
        let theme = Theme::shipped(name).unwrap();
        assert_eq!(theme.with_sides(None, None), theme, "{name}");
        let green = theme.with_sides(color("#3E7D4F"), None);
        assert_eq!(
            (Some(green.black), Some(green.black_low), green.white),
            (color("#3E7D4F"), color("#3E7D4F"), theme.white)
        );
        assert_eq!(green.side_contrast_warnings(), [], "{name}");
        let same = theme.with_sides(color("#F0F0F0"), color("#FFFFFF"));
        assert_eq!(
            same.side_contrast_warnings().len(),
            1,
            "{name}: two light colours: {:?}",
            same.side_contrast_warnings()
        );
    }
    // Literal black is put on a tray from which it stands out.
    let black = Theme::shipped("ink")
        .unwrap()
        .with_sides(color("#000000"), color("#FFFFFF"));
    assert_eq!(black.side_contrast_warnings(), []);
}
