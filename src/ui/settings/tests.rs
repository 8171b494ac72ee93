use super::*;
use crate::fonts;
use egui::accesskit::Role;
use egui::{Event, ImeEvent, Key, Modifiers};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use shogibar_config::{Background, Language, Rgba, settings_text};
use shogibar_machine::store::ThemeReading;
use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

/// A settings page with its inputs and the actions that it returned.
struct SettingsFixture {
    page: SettingsPage,
    lang: Lang,
    settings: Settings,
    themes: Vec<ThemeEntry>,
    hot_key_scope: HotKeyScope,
    problems: Vec<Remark>,
    last_result: Option<Remark>,
    pages: ObsPagesStatus,
    actions: Vec<SettingsAction>,
}

impl SettingsFixture {
    fn show(&mut self, ui: &mut Ui) {
        let fonts = ["DejaVu Sans", "Noto Serif CJK JP", "源ノ角ゴシック"].map(str::to_owned);
        let view = SettingsView {
            log_path: "/home/sente/.config/shogibar/engines.log",
            settings: &self.settings,
            themes: &self.themes,
            fonts: Some(&fonts),
            font_samples: &[],
            hot_key_scope: self.hot_key_scope,
            can_leave_click_through: self.hot_key_scope == HotKeyScope::Everywhere
                && !self.settings.keys.click_through.is_empty(),
            problems: &self.problems,
            last_result: self.last_result.as_ref(),
            update_status: "",
            pages: &self.pages,
        };
        for action in self.page.show(ui, &view, &crate::theme::paper(), self.lang) {
            if let SettingsAction::Change(settings) = &action {
                self.settings = (**settings).clone();
            }
            self.actions.push(action);
        }
    }
}

type Page = Harness<'static, SettingsFixture>;

/// Opens a window with the page, with a user theme besides the built-in ones.
fn page_with_settings(lang: Lang, settings: Settings) -> Page {
    let mut themes = ThemeEntry::shipped();
    let (theme, findings) = shogibar_config::Theme::read("panel = '#FFC0CB'\ntext = 'black'\n").unwrap();
    let reading = ThemeReading {
        theme,
        findings,
        toml_error: None,
    };
    let file = Some(PathBuf::from("/home/user/.config/shogibar/themes/桜.toml"));
    themes.push(ThemeEntry {
        name: "桜".to_owned(),
        reading,
        file,
    });
    let page = SettingsPage::default();
    let (problems, last_result) = (Vec::new(), None);
    let hot_key_scope = HotKeyScope::Everywhere;
    let fixture = SettingsFixture {
        page,
        lang,
        settings,
        themes,
        hot_key_scope,
        problems,
        last_result,
        pages: ObsPagesStatus::default(),
        actions: Vec::new(),
    };
    let mut page = Harness::builder()
        .with_size([960.0, 4000.0])
        .with_context_setup(|ctx| ctx.set_fonts(fonts::definitions()))
        .build_ui_state(
            |ui: &mut Ui, fixture: &mut SettingsFixture| fixture.show(ui),
            fixture,
        );
    page.run();
    page
}

fn page(lang: Lang) -> Page {
    page_with_settings(lang, Settings::default())
}

fn click(page: &mut Page, role: Role, name: &str) {
    page.get_by_role_and_label(role, name).click();
    page.run();
}

fn write(page: &mut Page, name: &str, text: &str) {
    page.get_by_role_and_label(Role::TextInput, name).focus();
    page.run();
    page.key_press_modifiers(Modifiers::COMMAND, Key::A);
    page.key_press(Key::Backspace);
    page.run();
    page.get_by_role_and_label(Role::TextInput, name).type_text(text);
    page.run();
}

/// Returns the names of all controls, in display order.
fn controls(page: &Page) -> Vec<(Role, String)> {
    let is_control = |role: &Role| {
        matches!(
            role,
            Role::Button
                | Role::CheckBox
                | Role::RadioButton
                | Role::TextInput
                | Role::ColorWell
                | Role::Slider
                | Role::SpinButton
        )
    };
    let nodes = page.root().children_recursive();
    let controls = nodes.map(|node| {
        (
            node.accesskit_node().role(),
            node.accesskit_node().label().unwrap_or_default(),
        )
    });
    let mut found: Vec<_> = controls.filter(|(role, _)| is_control(role)).collect();
    // The number beside a slider has the same name as the slider.
    found.dedup_by(|control, before| {
        control.1 == before.1 && [before.0, control.0] == [Role::Slider, Role::SpinButton]
    });
    found
}

#[test]
fn log_switch_shows_the_path() {
    let mut page = page(Lang::En);
    assert!(!page.state().settings.general.logs_usi);
    page.get_by_label("/home/sente/.config/shogibar/engines.log");
    click(&mut page, Role::CheckBox, "Record the engines' traffic");
    assert!(page.state().settings.general.logs_usi);
}

#[test]
fn controls_have_unique_names_in_both_languages() {
    for lang in [Lang::Ja, Lang::En] {
        let page = page(lang);
        let controls = controls(&page);
        let names: BTreeSet<_> = controls.iter().map(|(_, name)| name.as_str()).collect();
        assert!(!names.contains(""), "{controls:?}");
        // A colour has a button and a text field. A group has a button that scrolls to it and one that resets it.
        assert_eq!(names.len(), controls.len(), "{controls:?}");
        for item in SettingGroup::ALL.into_iter().flat_map(SettingGroup::items) {
            let label = item.label(lang);
            assert!(
                names.iter().any(|name| name.starts_with(label)),
                "{label}: {names:?}"
            );
        }
    }
}

#[test]
fn controls_change_their_settings() {
    let check = |lang, role, name: &str, change: fn(&mut Settings)| {
        let mut page = page(lang);
        click(&mut page, role, name);
        let mut expect = Settings::default();
        change(&mut expect);
        assert_eq!(
            page.state().actions,
            [SettingsAction::Change(Box::new(expect))],
            "{name}"
        );
    };
    check(Lang::Ja, Role::RadioButton, "言語: English", |s| {
        s.general.language = Language::En;
    });
    check(Lang::En, Role::RadioButton, "Language: 日本語", |s| {
        s.general.language = Language::Ja;
    });
    check(Lang::Ja, Role::RadioButton, "テーマ: 紙", |s| {
        s.overlay.theme = "paper".to_owned();
    });
    check(Lang::En, Role::RadioButton, "Theme: 桜", |s| {
        s.overlay.theme = "桜".to_owned();
    });
    check(Lang::Ja, Role::CheckBox, "先手を右に表示する", |s| {
        s.overlay.is_swapped = true;
    });
    check(Lang::En, Role::CheckBox, "Animate numbers and bar", |s| {
        s.overlay.has_motion = false;
    });
    check(Lang::Ja, Role::RadioButton, "背景: クロマキー", |s| {
        s.window.background = Background::Chroma;
    });
    check(Lang::En, Role::CheckBox, "Always on top", |s| {
        s.window.always_on_top = false;
    });
    check(Lang::Ja, Role::CheckBox, "クリック透過", |s| {
        s.window.click_through = true;
    });
    check(
        Lang::Ja,
        Role::Button,
        "評価値を伏せる／戻す: 消す",
        |s| s.keys.hide.clear(),
    );
    check(Lang::En, Role::Button, "Toggle click-through: Clear", |s| {
        s.keys.click_through.clear();
    });
    for part in OverlayPart::ALL {
        for lang in [Lang::Ja, Lang::En] {
            let mut page = page(lang);
            click(&mut page, Role::CheckBox, SettingItem::Part(*part).label(lang));
            let settings = &page.state().settings;
            assert!(
                OverlayPart::ALL
                    .iter()
                    .all(|other| settings.parts.shows(*other) == (other != part)),
                "{part:?}"
            );
        }
    }
    for layout in shogibar_config::Layout::ALL {
        let mut page = page(Lang::Ja);
        click(
            &mut page,
            Role::RadioButton,
            &format!("レイアウト: {}", settings_text::layout(*layout, Lang::Ja)),
        );
        assert_eq!(page.state().settings.overlay.layout, *layout);
    }
}

#[test]
fn page_returns_no_actions_without_input() {
    let mut page = page(Lang::Ja);
    page.run_steps(10);
    assert_eq!(page.state().actions, []);
}

#[test]
fn font_is_typed_or_chosen_and_checked() {
    let mut page = page(Lang::En);
    write(&mut page, "Font", "noto serif cjk jp");
    assert_eq!(
        page.state().settings.general.font.as_deref(),
        Some("Noto Serif CJK JP")
    );
    write(&mut page, "Font", "Comic");
    page.get_by_label("There is no font 'Comic' on this computer.");
    assert_eq!(
        page.state().settings.general.font.as_deref(),
        None,
        "the field was empty in between"
    );
    click(&mut page, Role::Button, "Font: Choose from a list");
    assert!(
        page.query_by_label("DejaVu Sans").is_none(),
        "the list has what was typed"
    );
    write(&mut page, "Font", "源");
    click(&mut page, Role::Button, "源ノ角ゴシック");
    assert_eq!(
        page.state().settings.general.font.as_deref(),
        Some("源ノ角ゴシック")
    );
    click(&mut page, Role::Button, "Built-in (Noto Sans JP)");
    assert_eq!(page.state().settings.general.font, None);
    write(&mut page, "Font", "");
    let fonts = [
        "Built-in (Noto Sans JP)",
        "DejaVu Sans",
        "Noto Serif CJK JP",
        "源ノ角ゴシック",
    ];
    assert!(
        fonts.into_iter().all(|font| page.query_by_label(font).is_some()),
        "the list is more than two rows high"
    );
    let mut gone = Settings::default();
    gone.general.font = Some("Gone".to_owned());
    let page = page_with_settings(Lang::Ja, gone);
    page.get_by_label("「Gone」というフォントはこのコンピューターにありません。");
    assert_eq!(page.state().actions, [], "it may come back");
}

#[test]
fn color_is_typed_or_picked() {
    let mut page = page(Lang::Ja);
    write(&mut page, "クロマキーの色: 色コード", "#ff00ff");
    assert_eq!(
        page.state().settings.window.key_color,
        Rgba([0xFF, 0, 0xFF, 0xFF])
    );
    for wrong in ["#ff00f", "green", "#FF00FF80"] {
        write(&mut page, "クロマキーの色: 色コード", wrong);
        page.get_by_label("#00FF00 のように書いてください。");
        assert_eq!(
            page.state().settings.window.key_color,
            Rgba([0xFF, 0, 0xFF, 0xFF]),
            "{wrong}"
        );
    }
    // A change made elsewhere is shown on the page.
    page.state_mut().settings.window.key_color = Rgba([0, 0, 0xFF, 0xFF]);
    page.run();
    let field = page.get_by_role_and_label(Role::TextInput, "クロマキーの色: 色コード");
    assert_eq!(field.accesskit_node().value().as_deref(), Some("#0000FF"));
    page.get_by_role_and_label(Role::ColorWell, "クロマキーの色");
}

const HIDE_KEY_LABEL: &str = "Hide or show the evaluation";

/// Returns the page while it records the keys that hide the evaluation.
fn recording_page() -> Page {
    let mut page = page(Lang::En);
    click(&mut page, Role::Button, &format!("{HIDE_KEY_LABEL}: Ctrl+Alt+H"));
    assert!(page.state().page.is_recording_keys());
    page.get_by_role_and_label(
        Role::Button,
        &format!("{HIDE_KEY_LABEL}: Press the keys (Esc to cancel)"),
    );
    page
}

#[test]
fn records_a_key_combination() {
    let check = |modifiers: Modifiers, key: Key, expect: &str| {
        let mut page = recording_page();
        page.key_press_modifiers(modifiers, key);
        page.run();
        assert_eq!(page.state().settings.keys.hide, expect);
        assert!(!page.state().page.is_recording_keys());
        page.get_by_role_and_label(Role::Button, &format!("{HIDE_KEY_LABEL}: {expect}"));
    };
    let ctrl_alt = Modifiers::CTRL | Modifiers::ALT;
    check(ctrl_alt, Key::X, "Ctrl+Alt+X");
    check(Modifiers::CTRL | Modifiers::SHIFT, Key::Num7, "Ctrl+Shift+7");
    check(Modifiers::NONE, Key::F9, "F9");
    check(Modifiers::ALT, Key::ArrowUp, "Alt+Up");
    check(Modifiers::MAC_CMD, Key::Space, "Super+Space");
    check(Modifiers::NONE, Key::Escape, "Ctrl+Alt+H");
}

#[test]
fn rejects_unavailable_keys() {
    let check = |event: Event, modifiers: Modifiers, expect: &str| {
        let mut page = recording_page();
        page.event_modifiers(event, modifiers);
        page.run();
        page.get_by_label_contains(expect);
        assert_eq!(
            (page.state().page.is_recording_keys(), page.state().actions.len()),
            (true, 0),
            "others can be pressed"
        );
        page.key_press(Key::Escape);
        page.run();
        assert!(page.query_by_label_contains(expect).is_none() && !page.state().page.is_recording_keys());
    };
    let key = |key, modifiers| Event::Key {
        key,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers,
    };
    let ctrl_alt = Modifiers::CTRL | Modifiers::ALT;
    check(
        key(Key::H, Modifiers::NONE),
        Modifiers::NONE,
        "cannot be told apart from typing",
    );
    check(
        key(Key::Enter, Modifiers::CTRL),
        Modifiers::CTRL,
        "'Enter' cannot be used",
    );
    check(
        key(Key::T, ctrl_alt),
        ctrl_alt,
        "'Toggle click-through' already has this key.",
    );
    check(Event::Copy, Modifiers::COMMAND, "The keys for copy and paste");
    let mut settings = Settings::default();
    settings.keys.hide = "Ctrl+Alt".to_owned();
    let page = page_with_settings(Lang::Ja, settings);
    page.get_by_label("Ctrl などと一緒に押すキーを1つ決めてください。");
}

#[test]
fn key_field_can_be_left_by_keyboard() {
    let mut page = recording_page();
    page.key_press(Key::Tab);
    page.run();
    assert!(!page.state().page.is_recording_keys());
    assert_eq!(page.state().settings.keys.hide, "Ctrl+Alt+H");
    // The keyboard alone is enough: Space starts the recording and is not recorded.
    page.key_press_modifiers(Modifiers::SHIFT, Key::Tab);
    page.run();
    page.key_press(Key::Space);
    page.run();
    assert!(page.state().page.is_recording_keys());
    page.key_press_modifiers(Modifiers::CTRL | Modifiers::ALT, Key::G);
    page.run();
    assert_eq!(page.state().settings.keys.hide, "Ctrl+Alt+G");
}

#[test]
fn tab_reaches_every_control() {
    let mut page = page(Lang::Ja);
    let reachable = page.root().children_recursive().filter(|node| {
        let node = node.accesskit_node();
        let role = node.role();
        let is_control = matches!(
            role,
            Role::Button | Role::CheckBox | Role::RadioButton | Role::TextInput
        );
        (is_control || role == Role::ColorWell) && !node.is_disabled()
    });
    let reachable: BTreeSet<_> = reachable
        .map(|node| node.accesskit_node().label().unwrap())
        .collect();
    let mut reached = BTreeSet::new();
    for _ in 0..2 * reachable.len() {
        page.key_press(Key::Tab);
        page.run();
        let focused = page
            .root()
            .children_recursive()
            .find(|node| node.accesskit_node().is_focused());
        reached.extend(focused.and_then(|node| node.accesskit_node().label()));
    }
    let missed: Vec<_> = reachable.difference(&reached).collect();
    assert!(missed.is_empty(), "{missed:?}");
    assert_eq!(page.state().actions, [], "to go about changes nothing");
}

#[test]
fn copies_imports_and_exports_themes() {
    let mut page = page(Lang::Ja);
    for name in ["コピーして編集", "読み込む…", "書き出す…"] {
        click(&mut page, Role::Button, name);
    }
    let ink = || "ink".to_owned();
    let expect = [
        SettingsAction::CopyTheme(ink()),
        SettingsAction::ImportTheme,
        SettingsAction::ExportTheme(ink()),
    ];
    assert_eq!(page.state().actions, expect);
    page.get_by_label_contains("桜: text: #1E90FF");
    let file = "/home/user/.config/shogibar/themes/桜.toml";
    assert!(page.query_by_label(file).is_none());
    click(&mut page, Role::RadioButton, "テーマ: 桜");
    page.get_by_label(file);
    page.state_mut().last_result = Some(Remark::ThemeCopied(
        "桜 2".to_owned(),
        PathBuf::from("/tmp/桜 2.toml"),
    ));
    page.state_mut().problems = vec![Remark::NoTheme("竹".to_owned())];
    page.run();
    page.get_by_label_contains("/tmp/桜 2.toml");
    page.get_by_label_contains("「竹」");
    click(&mut page, Role::Button, "パスをコピー");
}

#[test]
fn search_filters_settings() {
    let mut page = page(Lang::Ja);
    let shows = |page: &Page, name: &str| page.query_all_by_label_contains(name).next().is_some();
    write(&mut page, "設定を探す", "obs");
    assert!(shows(&page, "背景: クロマキー") && !shows(&page, "テーマ: 紙") && !shows(&page, "手番"));
    write(&mut page, "設定を探す", "side to move");
    assert!(shows(&page, "手番") && !shows(&page, "対局者名"));
    write(&mut page, "設定を探す", "囲碁");
    page.get_by_label("一致する設定はありません。");
    write(&mut page, "設定を探す", "");
    assert!(shows(&page, "テーマ: 紙") && shows(&page, "対局者名"));
}

#[test]
fn resets_one_group_only() {
    let mut settings = Settings::default();
    settings.overlay.has_motion = false;
    settings.window.background = Background::Opaque;
    settings.general.language = Language::En;
    settings.keys.hide = "F9".to_owned();
    settings.relay.shares_bar = true;
    settings.obs.is_on = true;
    settings.parts.set_shown(OverlayPart::Ticks, false);
    for group in SettingGroup::ALL {
        let mut page = page_with_settings(Lang::Ja, settings.clone());
        let reset = format!("{}: 既定に戻す", group.text(Lang::Ja));
        click(&mut page, Role::Button, &reset);
        let mut expect = settings.clone();
        reset_group(&mut expect, group);
        assert_ne!(expect, settings, "{group:?}");
        assert_eq!(page.state().actions, [SettingsAction::Change(Box::new(expect))]);
        let reset = page.get_by_role_and_label(Role::Button, &reset);
        assert!(
            reset.accesskit_node().is_disabled(),
            "there is nothing to put back"
        );
    }
}

#[test]
fn scrolls_to_a_group() {
    let mut page = page(Lang::Ja);
    page.set_size(egui::vec2(960.0, 500.0));
    page.run();
    let top = |page: &Page| {
        page.get_by_role_and_label(Role::CheckBox, "常に手前に表示する")
            .rect()
            .min
            .y
    };
    assert!(top(&page) > 500.0);
    click(&mut page, Role::Button, "ウィンドウ");
    page.run_steps(60);
    assert!(top(&page) < 400.0, "{}", top(&page));
}

#[test]
fn shows_how_to_turn_click_through_off() {
    let mut page = page(Lang::Ja);
    page.get_by_label("元に戻すには、Ctrl+Alt+T を押すか、ここでオフにします。");
    click(&mut page, Role::Button, "クリック透過の切替: 消す");
    page.get_by_label_contains("元に戻すには、ここでオフにします。");
}

#[test]
fn local_hot_keys_do_not_turn_click_through_off() {
    let mut page = page(Lang::Ja);
    for (hot_key_scope, text) in [
        (HotKeyScope::X11, "X11 のアプリを使っている間だけ"),
        (HotKeyScope::Nowhere, "Wayland では使えません。"),
    ] {
        page.state_mut().hot_key_scope = hot_key_scope;
        page.run();
        page.get_by_label_contains(text);
        page.get_by_label_contains("元に戻すには、ここでオフにします。");
    }
}

#[test]
fn search_accepts_japanese_input() {
    let mut page = page(Lang::Ja);
    let ime = |page: &mut Page, event| {
        page.event(Event::Ime(event));
        page.run();
    };
    page.get_by_role_and_label(Role::TextInput, "設定を探す").focus();
    page.run();
    let preedit = |text: &str| ImeEvent::Preedit {
        text: text.to_owned(),
        active_range_chars: None,
    };
    ime(&mut page, preedit("はいけ"));
    ime(&mut page, preedit("背景"));
    ime(&mut page, ImeEvent::Commit("背景".to_owned()));
    assert_eq!(page.state().page.search, "背景");
    page.get_by_role_and_label(Role::ColorWell, "クロマキーの色");
    assert!(
        page.query_by_label("言語").is_none(),
        "what is not looked for is gone"
    );
}

#[test]
fn escape_clears_the_search_and_then_closes() {
    let mut page = page(Lang::En);
    write(&mut page, "Find a setting", "color");
    assert_eq!(
        page.state().page.search,
        "color",
        "it is typed on while the field gets shorter"
    );
    page.get_by_role_and_label(Role::ColorWell, "Chroma key colour");
    page.key_press(Key::Escape);
    page.run();
    assert_eq!(
        (page.state().page.search.as_str(), &page.state().actions[..]),
        ("", &[][..])
    );
    write(&mut page, "Find a setting", "color");
    click(&mut page, Role::Button, "Clear the search");
    assert_eq!(page.state().page.search, "");
    page.key_press(Key::Escape);
    page.run();
    assert_eq!(page.state().actions, [SettingsAction::Close]);
}

#[test]
fn scrolls_to_the_focused_control() {
    let mut page = page(Lang::En);
    page.set_size(vec2(960.0, 400.0));
    page.run();
    let mut seen = HashSet::new();
    for _ in 0..60 {
        page.key_press(Key::Tab);
        page.run();
        let Some(focused) = page.ctx.memory(egui::Memory::focused) else {
            continue;
        };
        let field = page.ctx.read_response(focused).unwrap();
        assert!((0.0..=400.0).contains(&field.rect.center().y), "{:?}", field.rect);
        seen.insert(focused);
    }
    assert!(seen.len() > 40, "{} fields", seen.len());
}

#[test]
fn remarks_do_not_move_the_page() {
    let mut page = page(Lang::En);
    page.set_size(vec2(960.0, 500.0));
    page.run();
    let before = page.get_by_role_and_label(Role::Button, "Import…").rect();
    page.state_mut().last_result = Some(Remark::ThemeCopied(
        "ink 2".to_owned(),
        PathBuf::from("/themes/ink 2.toml"),
    ));
    page.state_mut().problems = vec![Remark::ThemeGone("ink".to_owned())];
    page.run();
    assert_eq!(page.get_by_role_and_label(Role::Button, "Import…").rect(), before);
    let rect = page.get_by_label_contains("'ink 2' was created").rect();
    assert!(rect.max.y <= 500.0 && rect.min.y > 400.0, "{rect:?}");
}

#[test]
fn the_colors_of_the_sides_are_chosen_checked_and_taken_back() {
    let mut page = page(Lang::Ja);
    page.run();
    let color = |page: &Page| page.state().settings.overlay.black;
    page.get_by_label("先手の色: #3E7D4F").click();
    page.run();
    assert_eq!(color(&page), Rgba::parse("#3E7D4F"));
    page.get_by_label("先手の色: テーマの色").click();
    page.run();
    assert_eq!(color(&page), None);
    page.state_mut().settings.overlay.black = Rgba::parse("#FFFFFF");
    page.run();
    assert!(
        page.query_all_by_label_contains("コントラスト比")
            .next()
            .is_some(),
        "two light sides"
    );
}

#[test]
fn the_address_of_the_pages_is_copied_and_not_shown() {
    let mut page = page(Lang::Ja);
    assert!(page.query_by_label("まだ有効ではありません。").is_some());
    page.state_mut().pages.url = "http://127.0.0.1:5963/0123456789abcdef0123456789abcdef/".to_owned();
    page.run();
    assert!(
        page.query_by_label("http://127.0.0.1:5963/…/").is_some(),
        "the token is not for the screen"
    );
    page.get_by_label("URL をコピー").click();
    page.step();
    let copied = page
        .output()
        .platform_output
        .commands
        .iter()
        .any(|command| matches!(command, egui::OutputCommand::CopyText(text) if text.ends_with("abcdef/overlay?layout=bar&preset=stream")));
    assert!(copied, "{:?}", page.output().platform_output.commands);
}

#[test]
fn corner_language_and_second_names_are_chosen_for_the_pages() {
    let mut page = page(Lang::En);
    page.state_mut().pages.url = "http://127.0.0.1:5963/token/".to_owned();
    page.state_mut().pages.players = ["藤井聡太竜王".to_owned(), String::new()];
    page.run();
    let choose = |page: &mut Page, list: &str, entry: &str| {
        click(page, Role::ComboBox, list);
        click(page, Role::Button, entry);
    };
    choose(&mut page, "Position", "Top right");
    choose(&mut page, "Language", "English");
    let field = "Second names: 藤井聡太竜王";
    assert!(page.query_by_label(field).is_none());
    choose(&mut page, "Names", "Second names");
    page.get_by_role_and_label(Role::TextInput, field).focus();
    page.run();
    page.get_by_role_and_label(Role::TextInput, field)
        .type_text("Fujii ");
    page.run();
    page.get_by_role_and_label(Role::TextInput, field)
        .type_text("Sota");
    page.run();
    assert_eq!(
        page.state().settings.second_names.get("藤井聡太"),
        None,
        "a name is stored when its entry is completed"
    );
    page.key_press(Key::Enter);
    page.run();
    assert_eq!(
        page.state().settings.second_names.get("藤井聡太王位"),
        Some("Fujii Sota")
    );
    page.get_by_label("Copy the URL").click();
    page.step();
    let copied = page
        .output()
        .platform_output
        .commands
        .iter()
        .find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        });
    let expect =
        "http://127.0.0.1:5963/token/overlay?layout=bar&preset=stream&corner=top-right&lang=en&names=2";
    assert_eq!(copied.as_deref(), Some(expect));
}

/// The line for the result of the check is there only while the check is on.
#[test]
fn there_is_no_gap_below_a_check_that_is_off() {
    let mut page = page(Lang::En);
    let below = |page: &Page| {
        let [updates, log] = [SettingItem::Updates, SettingItem::Log].map(|item| {
            page.get_by_role_and_label(Role::CheckBox, item.label(Lang::En))
                .rect()
        });
        log.top() - updates.bottom()
    };
    let off = below(&page);
    click(&mut page, Role::CheckBox, SettingItem::Updates.label(Lang::En));
    assert!(below(&page) > off + 12.0, "{} {off}", below(&page));
}
