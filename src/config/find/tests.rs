//! Tests of finding among the names of commands, settings, layouts and themes.

use super::*;
use crate::settings_text::{self, SettingGroup};
use crate::{Command, Layout, Theme, command_findable};
use shogibar_base::Lang;

/// Returns all commands, layouts, themes and settings, each with a name for the test.
fn all() -> Vec<(String, Findable)> {
    let commands = Command::ALL
        .iter()
        .map(|command| (command.name().to_owned(), command_findable(*command)));
    let both = [Lang::Ja, Lang::En];
    let layouts = Layout::ALL.iter().map(|layout| {
        let names = both.map(|lang| settings_text::layout(*layout, lang));
        (
            format!("layout {}", layout.name()),
            Findable::new(names, "レイアウト layout"),
        )
    });
    let themes = Theme::names().map(|name| {
        let names = both.map(|lang| settings_text::theme(name, lang));
        (format!("theme {name}"), Findable::new(names, "テーマ 配色 theme"))
    });
    let settings = SettingGroup::ALL.into_iter().flat_map(|group| {
        group
            .items()
            .into_iter()
            .map(move |item| (format!("setting {item:?}"), item.findable(group)))
    });
    commands.chain(layouts).chain(themes).chain(settings).collect()
}

/// Returns the names of the results of a search, the closest first.
fn found(search: &str) -> Vec<String> {
    let search = NameSearch::new(search);
    let mut found: Vec<_> = all()
        .into_iter()
        .enumerate()
        .filter_map(|(index, (name, findable))| Some((findable.distance(&search)?, index, name)))
        .collect();
    found.sort();
    found.into_iter().map(|(_, _, name)| name).collect()
}

#[test]
fn the_expected_result_is_among_the_first_three() {
    let searches = [
        ("OBS", "obs"),
        ("配信", "obs"),
        ("はいしん", "obs"),
        ("オーバーレイ", "obs"),
        ("おーばーれい", "obs"),
        ("設定", "settings"),
        ("せってい", "settings"),
        ("settings", "settings"),
        ("縦", "layout vertical"),
        ("たて", "layout vertical"),
        ("vertical", "layout vertical"),
        ("透過", "click_through"),
        ("反転", "flip"),
        ("はんてん", "flip"),
        ("turn BOARD", "flip"),
        ("flip", "flip"),
        ("save_as", "save_as"),
        ("盤 画像", "copy_board"),
        ("夜", "setting Pages"),
        ("フォント", "setting Font"),
        ("クロマキー", "setting KeyColor"),
        ("文字の大きさ", "setting TextSize"),
        ("終了", "quit"),
        ("quit", "quit"),
        ("エンジン", "engines"),
        ("解析", "analyse"),
        ("ネタバレ", "hide"),
        ("クイズ", "guess"),
        ("詰将棋", "mate"),
        ("sfen", "copy_position"),
        ("ヘルプ", "manual"),
        ("マニュアル", "manual"),
        ("スクショ", "copy_picture"),
        ("url", "open_address"),
        ("アドレス", "open_address"),
        ("最前面", "setting AlwaysOnTop"),
        ("アップデート", "setting Updates"),
        ("ショートカット", "keys"),
        ("screen", "read_screen"),
        ("がめん", "read_screen"),
        // The searches were chosen by a person who had not seen the words.
        ("候補手", "setting Part(Candidates)"),
        ("名前", "players"),
        ("駒台", "correct_board"),
        ("持ち駒", "correct_board"),
        ("先後", "swap_screen"),
        ("入替", "swap_screen"),
        ("中継", "open_address"),
        ("ライブ", "open_address"),
        ("リアルタイム", "open_address"),
        ("追加", "add_bar"),
        ("詰み", "mate"),
        ("持ち時間", "setting Part(Clocks)"),
        ("文字サイズ", "setting TextSize"),
        ("しゅうりょう", "quit"),
        ("もちごま", "correct_board"),
        ("なまえ", "players"),
        ("つみ", "mate"),
        ("stream", "obs"),
        ("live", "obs"),
        ("copy", "copy"),
        ("undo", "undo"),
        ("save", "save"),
        ("hands", "correct_board"),
        ("dark", "setting Pages"),
    ];
    let missed: Vec<_> = searches
        .into_iter()
        .map(|(search, meant)| (search, meant, found(search)))
        .filter(|(_, meant, found)| !found.iter().take(3).any(|name| name == meant))
        .map(|(search, meant, found)| format!("{search} → {meant}: {:?}", &found[..found.len().min(6)]))
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
    assert_eq!(found("設定")[0], "settings", "the exact word comes first");
    assert_eq!(found("囲碁"), [] as [&str; 0]);
    assert_eq!(found(" ").len(), all().len());
}

#[test]
fn every_name_has_a_reading() {
    let readings = all()
        .into_iter()
        .flat_map(|(_, findable)| findable.names)
        .map(|name| reading(&name));
    let unread: Vec<_> = readings.filter(|reading| reading.chars().any(is_kanji)).collect();
    assert!(unread.is_empty(), "{unread:#?}");
}
