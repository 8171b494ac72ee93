//! The words of the commands.

use super::{Lang, contains_words};
use crate::config::Command;

/// The words of a command, in Japanese and English.
struct CommandWords {
    /// The name on the study page.
    name: [&'static str; 2],
    /// The entry in the menu of the bar, which is narrow.
    entry: [&'static str; 2],
}

const fn words(command: Command) -> CommandWords {
    match command {
        Command::Back => name("1手戻る", "Back"),
        Command::Forward => name("1手進む", "Forward"),
        Command::TenBack => name("10手戻る", "Ten moves back").entry("10手戻る", "10 back"),
        Command::TenForward => name("10手進む", "Ten moves on").entry("10手進む", "10 forward"),
        Command::First => name("最初へ", "To the start").entry("最初へ", "Start"),
        Command::Last => name("最後へ", "To the end").entry("最後へ", "End"),
        Command::BranchBack => name("前の分岐へ", "To the branch before"),
        Command::BranchForward => name("次の分岐へ", "To the next branch"),
        Command::Above => name("上の変化へ", "To the variation above"),
        Command::Below => name("下の変化へ", "To the variation below"),
        Command::PreviousMistake => name("前のミスへ", "To the mistake before"),
        Command::NextMistake => name("次のミスへ", "To the next mistake"),
        Command::BetterLine => name("最善の手順を盤で見る", "Show the better line on the board"),
        Command::Guess => {
            name("次の一手（自分のミスを解き直す）…", "Guess the move…").entry("次の一手…", "Guess the move…")
        }
        Command::Mate => name("詰みはあるか", "Is there a mate?"),
        Command::Comment => name("コメントを書く", "Write a comment"),
        Command::New => name("新規", "New"),
        Command::AddGame => name("新しいタブに対局を追加", "Add a game in a new tab"),
        Command::CloseGame => name("対局のタブを閉じる", "Close the game's tab"),
        Command::PreviousGame => name("前のタブの対局へ", "To the previous tab"),
        Command::NextGame => name("次のタブの対局へ", "To the next tab"),
        Command::Open => name("開く", "Open").entry("棋譜を開く…", "Open…"),
        Command::OpenAddress => name("アドレスを開く…", "Open an address…"),
        Command::ReadScreen => name("画面の盤を読み取る", "Read a board off the screen"),
        Command::Desk => name("すべての対局の盤面を見る", "All boards").entry("すべての盤面…", "All boards…"),
        Command::FollowScreen => {
            name("画面の変化も追う・本譜だけを追う", "Follow everything on the screen, or the game alone")
        }
        Command::SwapScreen => name("画面の盤の上下を入れ替える", "Swap the sides of the screen's board"),
        Command::Save => name("保存", "Save"),
        Command::SaveAs => name("名前を付けて保存", "Save as"),
        Command::Paste => name("貼り付け", "Paste").entry("クリップボードから開く", "Paste a game"),
        Command::Copy => name("棋譜をコピー", "Copy the record"),
        Command::CopyPosition => name("局面をコピー (SFEN)", "Copy the position (SFEN)"),
        Command::CopyBoard => name("盤の画像をコピー", "Copy the board as a picture"),
        Command::CopySummary => name("まとめをコピー", "Copy a summary"),
        Command::Report => name("レポートを保存…", "Save a report…"),
        Command::CopyPicture => name("画像をコピー", "Copy picture"),
        Command::SavePicture => name("画像を保存…", "Save picture…"),
        Command::Undo => name("元に戻す", "Undo"),
        Command::Redo => name("やり直す", "Redo"),
        Command::Delete => name("この手以降を削除", "Delete from this move on"),
        Command::Promote => name("この変化を上へ", "Move variation up"),
        Command::MainLine => name("本譜にする", "Make it the main line"),
        Command::Replace => name("元の手を消して指し直しにする", "Replace the old move with this one"),
        Command::Players => {
            name("対局者・手合割・棋戦…", "Players, handicap and event…").entry("対局者・手合割…", "Players…")
        }
        Command::SetUp => name("局面を編集", "Set up a position"),
        Command::Flip => name("盤を反転", "Turn the board"),
        Command::Small => name("小さな盤にする・戻す", "Small board, or the page again"),
        Command::Pause => name("検討の停止・再開", "Stop or resume the engine").entry("一時停止", "Pause"),
        Command::Analyse => name("一局解析", "Analyse the game"),
        Command::AnalyseFolder => name("フォルダーを解析…", "Analyse a folder…"),
        Command::Follow => name("エンジン切替", "Switch engine"),
        Command::Hide => name("評価を隠す", "Hide the evaluation").entry("評価を隠す", "Hide"),
        Command::Exact => name("正確な評価値", "Exact numbers"),
        Command::HideBar => name("バーを隠す・表示する", "Hide the bar, or show it"),
        Command::Arrows => name("盤の矢印を消す・表示する", "Arrows on the board, or none"),
        Command::ClickThrough => name("クリック透過", "Click-through"),
        Command::Layout => name("レイアウト切替", "Next layout"),
        Command::AddBar => name("バーを追加", "Add a bar"),
        Command::CloseBar => name("このバーを閉じる", "Close this bar").entry("バーを閉じる", "Close bar"),
        Command::Study => name("検討…", "Study…"),
        Command::Engines => name("エンジン", "Engines").entry("エンジン設定…", "Engines…"),
        Command::Settings => name("設定", "Settings").entry("設定…", "Settings…"),
        Command::Palette => name("コマンドパレット", "Command palette").entry("コマンド…", "Commands…"),
        Command::Keys => name("キー操作の一覧", "Keys"),
        Command::Manual => name("使い方（マニュアル）", "Manual").entry("使い方…", "Manual…"),
        Command::Quit => name("終了", "Quit"),
    }
}

const fn name(ja: &'static str, en: &'static str) -> CommandWords {
    CommandWords { name: [ja, en], entry: [ja, en] }
}

impl CommandWords {
    const fn entry(self, ja: &'static str, en: &'static str) -> Self {
        Self { entry: [ja, en], ..self }
    }
}

/// Returns the name of a command in a language.
pub const fn command_text(command: Command, lang: Lang) -> &'static str {
    let [ja, en] = words(command).name;
    lang.pick(ja, en)
}

phrases! {
    /// A submenu of the menu of the bar.
    pub enum Submenu {
        /// The open games.
        Games => "対局", "Games";
        /// The steps through the game.
        Moves => "局面の移動", "Moves";
        /// The layouts.
        Layout => "レイアウト", "Layout";
        /// The themes.
        Theme => "テーマ", "Theme";
        /// The engines of the bar.
        Engine => "エンジン", "Engine";
        /// What can be done with a picture of the bar.
        Picture => "画像", "Picture";
    }
}

/// Returns the text of a command in the menu of the bar.
pub const fn menu_text(command: Command, lang: Lang) -> &'static str {
    let [ja, en] = words(command).entry;
    lang.pick(ja, en)
}

/// Whether each word of a search occurs in the texts of a command, in any language, or in its id.
pub fn command_matches(command: Command, search: &str) -> bool {
    let CommandWords { name: [ja, en], entry: [ja_entry, en_entry] } = words(command);
    contains_words(&[ja, en, ja_entry, en_entry, command.name()].join("\n"), search)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn command_names_are_distinct() {
        for lang in [Lang::Ja, Lang::En] {
            for text in [command_text, menu_text] {
                let texts: HashSet<_> = Command::ALL.iter().map(|command| text(*command, lang)).collect();
                assert_eq!(texts.len(), Command::ALL.len(), "{lang:?}");
            }
        }
        assert_eq!(Command::NAMES.iter().collect::<HashSet<_>>().len(), Command::ALL.len());
    }

    #[test]
    fn commands_are_found_by_words_of_either_language_and_by_their_ids() {
        let check = |search: &str, expect: &[Command]| {
            let found: Vec<_> =
                Command::ALL.iter().copied().filter(|command| command_matches(*command, search)).collect();
            assert_eq!(found, expect, "{search}");
        };
        check("反転", &[Command::Flip]);
        check("TURN", &[Command::Flip]);
        check("flip", &[Command::Flip]);
        check(" picture board ", &[Command::CopyBoard]);
        check("save_as", &[Command::SaveAs]);
        check("囲碁", &[]);
        check(" ", Command::ALL);
    }
}
