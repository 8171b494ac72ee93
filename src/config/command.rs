//! The commands of the program. Each is one entry: id, part that carries it out, names, menu texts, condition, and keys
//! in each context.

use super::choice::choice;

/// The context in which a command can be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandContext {
    /// The window of the bar.
    Bar,
    /// The study page of the main window.
    Study,
    /// The bar in a terminal.
    Terminal,
    /// Every program, by a global hot key.
    Everywhere,
}

/// The condition under which a command is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandCondition {
    /// The command is always possible.
    Always,
    /// A change can be undone.
    CanUndo,
    /// A change that was undone can be redone.
    CanRedo,
    /// The current position is not the first of the game.
    AfterStart,
    /// The current move can replace another one of the record.
    CanReplace,
    /// The current variation is not the first one.
    CanPromote,
    /// The current position has drawn marks.
    HasMarks,
    /// No analysis of the game is running.
    NotAnalysing,
    /// There is a mistake before the current position.
    MistakeBefore,
    /// There is a mistake after the current position.
    MistakeAfter,
    /// A line was better than the current move.
    HasBetterLine,
    /// The bar has several engines.
    SeveralEngines,
    /// There are several bars.
    SeveralBars,
    /// A board is read off the screen.
    ReadsScreen,
}

/// Defines an enum for each part of the program: the commands that this part carries out. An entry is added to the list
/// of its part.
macro_rules! part_enums {
    ([$($list:tt)*] $window:tt $bar:tt $main:tt $page:tt ModelCommand $entry:tt $($rest:tt)*) => {
        part_enums! { [$($list)* $entry] $window $bar $main $page $($rest)* }
    };
    ($model:tt [$($list:tt)*] $bar:tt $main:tt $page:tt WindowCommand $entry:tt $($rest:tt)*) => {
        part_enums! { $model [$($list)* $entry] $bar $main $page $($rest)* }
    };
    ($model:tt $window:tt [$($list:tt)*] $main:tt $page:tt BarCommand $entry:tt $($rest:tt)*) => {
        part_enums! { $model $window [$($list)* $entry] $main $page $($rest)* }
    };
    ($model:tt $window:tt $bar:tt [$($list:tt)*] $page:tt MainCommand $entry:tt $($rest:tt)*) => {
        part_enums! { $model $window $bar [$($list)* $entry] $page $($rest)* }
    };
    ($model:tt $window:tt $bar:tt $main:tt [$($list:tt)*] StudyCommand $entry:tt $($rest:tt)*) => {
        part_enums! { $model $window $bar $main [$($list)* $entry] $($rest)* }
    };
    ($model:tt $window:tt $bar:tt $main:tt $page:tt) => {
        part_enums! { @part "A command that the model of the program carries out, in any window.", Model ModelCommand $model }
        part_enums! { @part "A command for the window in which it is run: that of a bar, or the main window.", Window WindowCommand $window }
        part_enums! { @part "A command for the window of a bar.", Bar BarCommand $bar }
        part_enums! { @part "A command for the main window, such as saving or zooming.", Main MainCommand $main }
        part_enums! { @part "A command for the study page, such as opening a panel.", Study StudyCommand $page }
    };
    (@part $doc:literal, $variant:ident $part:ident [$(($command:ident $english:literal))*]) => {
        #[doc = $doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $part {
            $(#[doc = concat!("“", $english, "”.")] $command,)*
        }

        impl From<$part> for CommandPart {
            fn from(command: $part) -> Self {
                Self::$variant(command)
            }
        }
    };
}

/// Defines the commands. An entry has the id for the settings, the part that carries it out, and both names. Optional
/// are a text for the narrow menu of the bar, and a condition. For each context in which the command can be run, the
/// default keys follow, written as [`Shortcut`](super::Shortcut)s.
macro_rules! commands {
    ($($command:ident = $id:literal $part:ident [$ja:literal, $en:literal]
        $(menu [$menu_ja:literal, $menu_en:literal])? $(if $condition:ident)?
        => $($context:ident [$($key:literal),+]),+;)+) => {
        choice! {
            /// A command of the user, run by a key, a button or a menu. Settings store its id. The order is that of the
            /// key list.
            Command { $(#[doc = concat!("“", $en, "”.")] $command = $id,)+ }
        }

        part_enums! { [] [] [] [] [] $($part ($command $en))+ }

        impl Command {
            /// Returns the part of the program that carries the command out.
            pub fn part(self) -> CommandPart {
                match self {
                    $(Self::$command => $part::$command.into(),)+
                }
            }

            /// Returns the name, in Japanese and in English.
            pub const fn names(self) -> [&'static str; 2] {
                match self {
                    $(Self::$command => [$ja, $en],)+
                }
            }

            /// Returns the text for the menu of the bar, which is narrow, in Japanese and in English.
            pub const fn menu_texts(self) -> [&'static str; 2] {
                match self {
                    $($(Self::$command => [$menu_ja, $menu_en],)?)+
                    _ => self.names(),
                }
            }

            /// Returns the condition under which the command is possible.
            pub const fn condition(self) -> CommandCondition {
                match self {
                    $($(Self::$command => CommandCondition::$condition,)?)+
                    _ => CommandCondition::Always,
                }
            }

            /// Returns the default keys in a context. They are empty where the command cannot be run.
            pub const fn default_keys(self, context: CommandContext) -> &'static [&'static str] {
                match (self, context) {
                    $($((Self::$command, CommandContext::$context) => &[$($key),+],)+)+
                    _ => &[],
                }
            }
        }
    };
}

/// The part of the program that carries a command out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandPart {
    /// The model of the program.
    Model(ModelCommand),
    /// The window in which the command is run.
    Window(WindowCommand),
    /// The window of a bar.
    Bar(BarCommand),
    /// The main window.
    Main(MainCommand),
    /// The study page.
    Study(StudyCommand),
}

// The keys of the study page are those of ShogiHome and ShogiGUI.
commands! {
    Back = "back" ModelCommand ["1手戻る", "Back"] => Bar ["Left"], Study ["Up", "Left"], Terminal ["Left"];
    Forward = "forward" ModelCommand ["1手進む", "Forward"] => Bar ["Right"], Study ["Down", "Right"], Terminal ["Right"];
    TenBack = "ten_back" ModelCommand ["10手戻る", "Ten moves back"] menu ["10手戻る", "10 back"]
        => Bar ["PageUp"], Study ["PageUp"], Terminal ["PageUp"];
    TenForward = "ten_forward" ModelCommand ["10手進む", "Ten moves forward"] menu ["10手進む", "10 forward"]
        => Bar ["PageDown"], Study ["PageDown"], Terminal ["PageDown"];
    First = "first" ModelCommand ["最初へ", "To the start"] menu ["最初へ", "Start"]
        => Bar ["Home"], Study ["Home"], Terminal ["Home"];
    Last = "last" ModelCommand ["最後へ", "To the end"] menu ["最後へ", "End"] => Bar ["End"], Study ["End"], Terminal ["End"];
    BranchBack = "branch_back" ModelCommand ["前の分岐へ", "To the previous branch"] => Study ["Ctrl+Up"];
    BranchForward = "branch_forward" ModelCommand ["次の分岐へ", "To the next branch"] => Study ["Ctrl+Down"];
    BackToGame = "back_to_game" ModelCommand ["変化から本譜に戻る", "Back to the game from a variation"]
        menu ["本譜に戻る", "Back to the game"] => Study ["Ctrl+Home"];
    Above = "above" ModelCommand ["上の変化へ", "To the variation above"] => Study ["Shift+Up"];
    Below = "below" ModelCommand ["下の変化へ", "To the variation below"] => Study ["Shift+Down"];
    PreviousMistake = "previous_mistake" StudyCommand ["前のミスへ", "To the previous mistake"] if MistakeBefore
        => Study ["OpenBracket"];
    NextMistake = "next_mistake" StudyCommand ["次のミスへ", "To the next mistake"] if MistakeAfter => Study ["CloseBracket"];
    BetterLine = "better_line" StudyCommand ["最善の手順を盤で見る", "Show the better line on the board"] if HasBetterLine
        => Study ["B"];
    Guess = "guess" StudyCommand ["次の一手（自分のミスを解き直す）…", "Guess the move…"] menu ["次の一手…", "Guess the move…"]
        => Study ["Ctrl+G"];
    PlayEngine = "play_engine" StudyCommand ["この局面からエンジンと対局…", "Play against an engine from here…"]
        menu ["エンジンと対局…", "Play against an engine…"] => Study ["Ctrl+Shift+P"];
    Mate = "mate" StudyCommand ["詰みはあるか", "Is there a mate?"] => Study ["Ctrl+L"];
    Threat = "threat" StudyCommand ["相手の狙いは？", "What is the threat?"] => Study ["T"];
    Shelf = "shelf" StudyCommand ["この局面の対局（棋譜の棚）", "Games with this position (the shelf)"]
        menu ["この局面の対局", "Games with this position"] => Study ["Ctrl+J"];
    Comment = "comment" StudyCommand ["コメントを書く", "Write a comment"] => Study ["Ctrl+I"];
    ClearMarks = "clear_marks" ModelCommand ["描いた矢印と円を消す", "Clear the drawn arrows and circles"] if HasMarks
        => Study ["Ctrl+Delete"];
    New = "new" ModelCommand ["新規", "New"] => Study ["Ctrl+N"];
    AddGame = "add_game" ModelCommand ["新しいタブに対局を追加", "Add a game in a new tab"] => Study ["Ctrl+Shift+N"];
    CloseGame = "close_game" ModelCommand ["対局のタブを閉じる", "Close the game's tab"] => Study ["Ctrl+W"];
    PreviousGame = "previous_game" ModelCommand ["前のタブの対局へ", "To the previous tab"] => Study ["Ctrl+PageUp"];
    NextGame = "next_game" ModelCommand ["次のタブの対局へ", "To the next tab"] => Study ["Ctrl+PageDown"];
    Open = "open" WindowCommand ["開く", "Open"] menu ["棋譜を開く…", "Open…"] => Bar ["O", "Ctrl+O"], Study ["Ctrl+O"];
    OpenAddress = "open_address" WindowCommand ["URL を開く…", "Open an address…"] => Bar ["U"], Study ["Ctrl+Shift+O"];
    ReadScreen = "read_screen" ModelCommand ["画面の盤を読み取る", "Read a board off the screen"]
        => Bar ["G"], Study ["Ctrl+Shift+G"];
    Desk = "desk" ModelCommand ["すべての対局の盤面を見る", "All boards"] menu ["すべての盤面…", "All boards…"]
        => Bar ["D"], Study ["Ctrl+Shift+L"];
    BoardPage = "board_page" ModelCommand ["解説盤を開く", "Open the commentary board"] menu ["解説盤…", "Commentary board…"]
        => Bar ["W"], Study ["Ctrl+Alt+W"];
    CorrectBoard = "correct_board" WindowCommand ["読み取った局面を直す…", "Correct the board being read…"]
        menu ["読み取った局面を直す…", "Correct the board…"] if ReadsScreen
        => Bar ["F"], Study ["Ctrl+Shift+J"];
    ForgetPieces = "forget_pieces" ModelCommand ["覚えた駒の見た目を忘れる", "Forget piece sets learnt from the screen"]
        menu ["覚えた駒を忘れる", "Forget learnt piece sets"] => Study ["Ctrl+Alt+F"];
    FollowScreen = "follow_screen" ModelCommand ["画面の変化も追う・本譜だけを追う", "Follow everything on the screen, or the game alone"]
        => Study ["Ctrl+Shift+F"];
    SwapScreen = "swap_screen" ModelCommand ["画面の盤の上下を入れ替える", "Swap the sides of the screen's board"]
        => Study ["Ctrl+Shift+T"];
    Save = "save" MainCommand ["保存", "Save"] => Study ["Ctrl+S"];
    SaveAs = "save_as" MainCommand ["名前を付けて保存", "Save as"] => Study ["Ctrl+Shift+S"];
    Paste = "paste" WindowCommand ["貼り付け", "Paste"] menu ["クリップボードから開く", "Paste a game"]
        => Bar ["Ctrl+V"], Study ["Ctrl+V"];
    Copy = "copy" MainCommand ["棋譜をコピー", "Copy the record"] => Study ["Ctrl+C"];
    CopyPosition = "copy_position" MainCommand ["局面をコピー (SFEN)", "Copy the position (SFEN)"] => Study ["Ctrl+B"];
    CopyBoard = "copy_board" StudyCommand ["盤の画像をコピー", "Copy the board as a picture"] => Study ["Ctrl+Shift+E"];
    SaveBoard = "save_board" StudyCommand ["盤の画像を保存…", "Save the board as a picture…"] => Study ["Ctrl+Alt+B"];
    SaveLine = "save_line" StudyCommand ["ここからの手順を動く画像で保存…", "Save the moves from here as an animated picture…"]
        menu ["手順を動く画像で保存…", "Save the moves as an animation…"] => Study ["Ctrl+Alt+M"];
    SaveVideo = "save_video" StudyCommand ["対局を動画で保存…", "Save the game as a video…"] => Study ["Ctrl+Alt+V"];
    SaveGraph = "save_graph" StudyCommand ["グラフの画像を保存…", "Save the graph as a picture…"] => Study ["Ctrl+Alt+G"];
    CopySummary = "copy_summary" MainCommand ["まとめをコピー", "Copy a summary"] => Study ["Ctrl+Shift+C"];
    Report = "report" MainCommand ["レポートを保存…", "Save a report…"] => Study ["Ctrl+Shift+R"];
    CopyPicture = "copy_picture" BarCommand ["画像をコピー", "Copy picture"] => Bar ["C", "Ctrl+C"];
    SavePicture = "save_picture" BarCommand ["画像を保存…", "Save picture…"] => Bar ["P"];
    Undo = "undo" ModelCommand ["元に戻す", "Undo"] if CanUndo => Study ["Ctrl+Z"];
    Redo = "redo" ModelCommand ["やり直す", "Redo"] if CanRedo => Study ["Ctrl+Y", "Ctrl+Shift+Z"];
    Delete = "delete" ModelCommand ["この手以降を削除", "Delete from this move on"] if AfterStart => Study ["Ctrl+D", "Delete"];
    Promote = "promote" ModelCommand ["この変化を上へ", "Move variation up"] if CanPromote => Study ["Ctrl+U"];
    MainLine = "main_line" ModelCommand ["本譜にする", "Make it the main line"] if AfterStart => Study ["Ctrl+Shift+U"];
    Replace = "replace" ModelCommand ["元の手を消して指し直しにする", "Replace the old move with this one"] if CanReplace
        => Study ["Ctrl+Shift+D"];
    Players = "players" WindowCommand ["対局者・手合割・棋戦…", "Players, handicap and event…"] menu ["対局者・手合割…", "Players…"]
        => Bar ["K"], Study ["Ctrl+P"];
    SetUp = "set_up" StudyCommand ["局面を編集", "Set up a position"] => Study ["Ctrl+E"];
    Flip = "flip" MainCommand ["盤を反転", "Flip the board"] => Study ["Ctrl+T"];
    ZoomIn = "zoom_in" MainCommand ["ページを拡大", "Zoom in"] => Study ["Ctrl+Plus", "Ctrl+Equals", "Ctrl+Semicolon"];
    ZoomOut = "zoom_out" MainCommand ["ページを縮小", "Zoom out"] => Study ["Ctrl+Minus"];
    ZoomReset = "zoom_reset" MainCommand ["ページの拡大を戻す", "Actual size"] => Study ["Ctrl+0"];
    Small = "small" StudyCommand ["小さな盤にする・戻す", "Small board on or off"] => Study ["Ctrl+M"];
    Pause = "pause" ModelCommand ["検討の停止・再開", "Stop or resume the engine"] menu ["一時停止", "Pause"]
        => Bar ["Space"], Study ["Ctrl+R", "Space"], Terminal ["Space"];
    Analyse = "analyse" StudyCommand ["一局解析", "Analyse the game"] if NotAnalysing => Study ["Ctrl+A"];
    AnalyseFolder = "analyse_folder" WindowCommand ["フォルダーを解析…", "Analyse a folder…"] => Study ["Ctrl+Shift+A"];
    NextEngine = "next_engine" ModelCommand ["エンジン切替", "Switch engine"] if SeveralEngines => Bar ["E"], Terminal ["E"];
    Hide = "hide" ModelCommand ["評価値を伏せる", "Hide the evaluation"] menu ["評価値を伏せる", "Hide"]
        => Bar ["H"], Study ["H"], Terminal ["H"], Everywhere ["Ctrl+Alt+H"];
    Exact = "exact" BarCommand ["正確な評価値", "Exact numbers"] => Bar ["V"];
    HideBar = "hide_bar" MainCommand ["バーを隠す・表示する", "Show or hide the bar"] => Study ["Ctrl+Shift+H"];
    Arrows = "arrows" MainCommand ["盤の矢印を消す・表示する", "Show or hide arrows on the board"] => Study ["Ctrl+Shift+Y"];
    ClickThrough = "click_through" BarCommand ["クリック透過", "Click-through"] => Bar ["T"], Everywhere ["Ctrl+Alt+T"];
    Layout = "layout" BarCommand ["レイアウト切替", "Next layout"] => Bar ["L"];
    AddBar = "add_bar" ModelCommand ["バーを追加", "Add a bar"] => Bar ["Ctrl+N"], Study ["Ctrl+Shift+B"];
    CloseBar = "close_bar" ModelCommand ["このバーを閉じる", "Close this bar"] menu ["バーを閉じる", "Close bar"] if SeveralBars
        => Bar ["Ctrl+W"], Study ["Ctrl+Shift+W"];
    Study = "study" WindowCommand ["検討…", "Study…"] => Bar ["B"];
    Engines = "engines" WindowCommand ["エンジン", "Engines"] menu ["エンジン設定…", "Engines…"] => Bar ["N"], Study ["N"];
    Settings = "settings" WindowCommand ["設定", "Settings"] menu ["設定…", "Settings…"] => Bar ["S"], Study ["Ctrl+Comma"];
    Obs = "obs" WindowCommand ["OBS に映す", "Show in OBS"] menu ["OBS に映す…", "Show in OBS…"]
        => Bar ["Ctrl+B"], Study ["Ctrl+Shift+I"];
    OnAir = "on_air" ModelCommand ["放送の操作", "On air"] menu ["放送の操作…", "On air…"]
        => Bar ["A"], Study ["Ctrl+Alt+A"];
    Lock = "lock" ModelCommand ["この対局に固定・解除", "Lock to this game, or unlock"] menu ["この対局に固定", "Lock to this game"]
        => Bar ["Ctrl+L"], Study ["Ctrl+Alt+O"], Everywhere ["Ctrl+Alt+L"];
    Switch = "switch" ModelCommand ["次の対局に切り替える", "Switch to the next game"] => Bar ["Ctrl+T"], Study ["Ctrl+Alt+S"], Everywhere ["Ctrl+Alt+S"];
    TurningPoint = "turning_point" ModelCommand ["勝敗を分けた手をもう一度見せる", "Show the turning point again"]
        menu ["勝敗を分けた手", "Turning point"]
        => Bar ["Y"], Study ["Ctrl+Alt+Y"];
    Palette = "palette" WindowCommand ["コマンドパレット", "Command palette"] menu ["コマンド…", "Commands…"]
        => Bar ["Ctrl+K"], Study ["Ctrl+K"];
    Keys = "keys" StudyCommand ["キー操作の一覧", "Keys"] => Study ["F1", "Questionmark"];
    Manual = "manual" WindowCommand ["使い方（マニュアル）", "Manual"] menu ["使い方…", "Manual…"] => Bar ["F1"], Study ["Shift+F1"];
    Quit = "quit" WindowCommand ["終了", "Quit"] => Bar ["Q", "Ctrl+Q"], Terminal ["Q", "Ctrl+Q"];
}

impl Command {
    /// Returns the commands that can be run in a context.
    pub fn all_in(context: CommandContext) -> impl Iterator<Item = Self> {
        Self::ALL
            .iter()
            .copied()
            .filter(move |command| !command.default_keys(context).is_empty())
    }

    /// Returns the command that has this key by default in a context; `None` if no command has the key.
    pub fn with_default_key(key: &str, context: CommandContext) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|command| command.default_keys(context).contains(&key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Shortcut;
    use std::collections::HashSet;

    #[test]
    fn names_are_distinct() {
        for lang in 0..2 {
            for texts in [Command::names, Command::menu_texts] {
                let texts: HashSet<_> = Command::ALL.iter().map(|command| texts(*command)[lang]).collect();
                assert_eq!(texts.len(), Command::ALL.len());
            }
        }
        assert_eq!(
            Command::NAMES.iter().collect::<HashSet<_>>().len(),
            Command::ALL.len()
        );
    }

    #[test]
    fn no_two_commands_have_the_same_default_key() {
        use CommandContext::{Bar, Everywhere, Study, Terminal};
        let contexts = [Bar, Study, Terminal, Everywhere];
        let each = contexts
            .into_iter()
            .flat_map(|context| Command::all_in(context).map(move |one| (context, one)));
        for (context, command) in each {
            for key in command.default_keys(context) {
                let hot_key = || Shortcut::parse_hot_key(key).unwrap();
                let read = if context == Everywhere {
                    hot_key()
                } else {
                    Shortcut::parse(key)
                };
                assert_eq!(
                    read.map(|read| read.to_string()).as_deref(),
                    Some(*key),
                    "{command:?} {context:?}"
                );
                assert_eq!(
                    Command::with_default_key(key, context),
                    Some(command),
                    "{key} {context:?}"
                );
            }
        }
    }
}
