//! The texts of the commands.

use crate::Command;
use crate::find::Findable;
use shogibar_base::{Lang, phrases};

/// Returns the name of a command in a language.
pub const fn command_text(command: Command, lang: Lang) -> &'static str {
    let [ja, en] = command.names();
    lang.pick(ja, en)
}

phrases! {
    /// A submenu of the menu of the bar.
    pub enum Submenu {
        Games => "対局", "Games";
        Moves => "局面の移動", "Moves";
        Layout => "レイアウト", "Layout";
        Theme => "テーマ", "Theme";
        Engine => "エンジン", "Engine";
        Boards => "盤面", "Boards";
        Picture => "画像", "Picture";
    }
}

/// Returns the text of a command in the menu of the bar.
pub const fn menu_text(command: Command, lang: Lang) -> &'static str {
    let [ja, en] = command.menu_texts();
    lang.pick(ja, en)
}

/// Returns the words by which a command is found: its names in both languages, its id, and further words of users.
pub fn command_findable(command: Command) -> Findable {
    let words = match command {
        Command::Palette => "すべての操作 all commands",
        Command::Obs => {
            "配信 はいしん 放送 生放送 オーバーレイ overlay stream streaming broadcast live ブラウザ browser url ページ page"
        }
        Command::ReadScreen => "盤を読む 認識 眼 eye ocr キャプチャ 動画 video",
        Command::CorrectBoard => "持ち駒 駒台 手番 読み違い 認識 修正 hands misread",
        Command::SwapScreen => "先後 入替",
        Command::Desk => "一覧 多面 盤面一覧 desk boards 全局",
        Command::SaveVideo => "動画 ビデオ 映像 mp4 apng youtube movie film",
        Command::BoardPage => "大盤 解説 盤面 配信 commentary board talk",
        Command::BackToGame => "本線 戻る 検討 game main line return",
        Command::OnAir => "配信 実況 オンエア programme 遅延 delay 数字だけ numbers 固定 lock",
        Command::Lock => "配信 放送 固定解除 unlock on air",
        Command::Switch => "配信 放送 切替 on air",
        Command::OpenAddress => "url アドレス ライブ リアルタイム 中継 csa 棋譜中継",
        Command::NextEngine => "二つ目 別のエンジン",
        Command::Exact => "小数 点数 centipawn cp",
        Command::ClickThrough => "マウス 素通し mouse 操作できない",
        Command::AddBar => "もう一本 2本 second window ウィンドウ",
        Command::Shelf => "棚 定跡 データベース 検索 database explorer search",
        Command::Guess => "練習 復習 practice training",
        Command::PlayEngine => "対戦 指す 練習将棋 play game cpu 対局開始",
        Command::Mate => "詰将棋 solver",
        Command::Threat => "詰めろ ねらい 一手パス 手番を渡す pass",
        Command::Flip => "turn",
        Command::Small => "ミニ mini 小窓",
        Command::SetUp => "局面作成 盤面編集 駒を置く 詰将棋 editor edit",
        Command::Players => "大会 event 段位 名前",
        Command::Copy => "kif csa 棋譜形式",
        Command::CopyPosition => "sfen 局面",
        Command::Keys => "ショートカット 一覧 help キー割り当て",
        Command::Hide => "ネタバレ 隠す 見えなく 視聴者",
        Command::Engines => "ソフト 水匠 やねうら王 追加 登録 install",
        Command::Pause => "止める 一時停止 cpu",
        _ => "",
    };
    let names = [command.names(), command.menu_texts()].concat();
    Findable::new(names.into_iter().chain([command.name()]), words)
}
