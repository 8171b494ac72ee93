use super::*;

fn items() -> impl Iterator<Item = (SettingGroup, super::SettingItem)> {
    SettingGroup::ALL
        .into_iter()
        .flat_map(|group| group.items().into_iter().map(move |item| (group, item)))
}

#[test]
fn names_of_settings_are_unique() {
    for lang in [Lang::Ja, Lang::En] {
        let mut names: Vec<_> = items().map(|(_, item)| item.label(lang)).collect();
        names.extend(SettingGroup::ALL.map(|group| group.text(lang)));
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
    for name in Theme::names() {
        assert_ne!(theme(name, Lang::Ja), name, "a theme has a name in Japanese");
    }
}

#[test]
fn settings_are_found_by_words_of_either_language() {
    let check = |search: &str, expect: &[super::SettingItem]| {
        let found: Vec<_> = items()
            .filter(|(group, item)| item.is_found(*group, search))
            .map(|(_, item)| item)
            .collect();
        assert_eq!(found, expect, "{search}");
    };
    check("フォント", &[SettingItem::Font, SettingItem::BarFont]);
    check("FONT", &[SettingItem::Font, SettingItem::BarFont]);
    let obs = [
        SettingItem::Background,
        SettingItem::ObsStyle,
        SettingItem::ServesObsPages,
        SettingItem::ObsPagesAddress,
        SettingItem::ObsPagesPort,
        SettingItem::ObsPagesOpen,
        SettingItem::Control,
    ];
    check("obs", &obs);
    check("English", &[SettingItem::Language]);
    check("高コントラスト", &[SettingItem::Theme]);
    check("Noto Sans", &[SettingItem::Font]);
    check("  evaluation hide ", &[SettingItem::HideKey]);
    let hot_keys = [
        SettingItem::HideKey,
        SettingItem::ClickThroughKey,
        SettingItem::LockKey,
        SettingItem::SwitchKey,
    ];
    check("hot", &hot_keys);
    check("手番", &[SettingItem::Part(OverlayPart::ToMove)]);
    let colors = [
        SettingItem::Theme,
        SettingItem::BlackColor,
        SettingItem::WhiteColor,
        SettingItem::Background,
        SettingItem::KeyColor,
    ];
    check("color", &colors);
    check("Colour", &colors);
    check("import", &[SettingItem::Theme]);
    check("書き出す", &[SettingItem::Theme]);
    check("囲碁", &[]);
    assert!(
        items().all(|(group, item)| item.is_found(group, " ")),
        "nothing asked for finds all"
    );
}
