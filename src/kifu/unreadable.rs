//! The reason why a file is not a game record.

use crate::{FoundContent, MAX_BYTES, ReadError, Warning, record_text};
use shogibar_base::file_error::{FileError, ReadProblem};
use shogibar_base::file_error_text::kind_in_japanese;
use shogibar_base::visible::{given, visible, with_particle_space, without_passwords};
use shogibar_base::{Lang, messages, say};
use std::io::ErrorKind;

messages! {
    /// The reason why a file cannot be opened as a game record.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum UnreadableRecord in lang {
        /// The file does not exist.
        NotFound => "ファイルが見つかりません。", "there is no such file.";
        Folder => "フォルダーです。", "it is a folder.";
        /// The path is a pipe, a device or a socket.
        NotPlain => "通常のファイルではありません。", "it is not a regular file.";
        /// The system denies reading.
        PermissionDenied => "読み取りが許可されていません。", "you are not allowed to read it.";
        /// The file is larger than this many bytes.
        TooLarge(limit: usize) =>
            "大きすぎます（上限は{limit}）。", "it is larger than {limit}.", limit = record_text::size(*limit);
        Empty => "中身がありません。", "it is empty.";
        /// The file has this content instead of a record.
        OtherContent(found: FoundContent) => { content(*found, lang).to_owned() };
        /// The file looks like a record, but cannot be read because of this problem.
        Unusable(warning: Box<Warning>) => { record_text::reason(warning, lang) };
        /// Another error of the system.
        Other(kind: ErrorKind, why: String) =>
            "{why}。", "{why}", why = lang.pick(kind_in_japanese(*kind).unwrap_or(why), why);
    }
}

/// Returns what the content of the file is, and what the user can do with it.
const fn content(found: FoundContent, lang: Lang) -> &'static str {
    let (ja, en) = match found {
        FoundContent::Picture => (
            "画像です。画像の盤は shogibar see で、画面に映っている盤は G で読み取れます。",
            "it is a picture. `shogibar see` reads the board in it, and G a board on the screen.",
        ),
        FoundContent::Program => (
            "プログラムです。エンジンなら、エンジンの画面（N）で追加してください。",
            "it is a program. If it is an engine, press N to add it.",
        ),
        FoundContent::Archive => (
            "圧縮ファイルです。展開してから開いてください。",
            "it is an archive. Unpack it first.",
        ),
        FoundContent::Pdf => (
            "PDF です。指し手をコピーして貼り付けてください（Ctrl+V）。",
            "it is a PDF document. Copy the moves in it and paste them (Ctrl+V).",
        ),
        FoundContent::Binary => (
            "テキストではありません。KIF や CSA などの棋譜を選んでください。",
            "it is not text. Choose a game record, such as a KIF or CSA file.",
        ),
        FoundContent::WebPage => (
            "棋譜のないウェブページです。棋譜の URL を開くか（U）、指し手をコピーして貼り付けてください。",
            "it is a web page without a game. Open the game's address (U), or copy and paste the moves.",
        ),
        FoundContent::Script => (
            "スクリプトです。エンジンを起動するものなら、エンジンの画面（N）で追加してください。",
            "it is a script. If it starts an engine, press N to add it.",
        ),
        FoundContent::OpeningBook => (
            "定跡ファイルです。エンジンの設定（N）で定跡として指定してください。",
            "it is an opening book. Name it in the options of an engine (N).",
        ),
        FoundContent::Openings => (
            "評価値つきの戦法の一覧で、対局の棋譜ではありません。読みたい手順だけを貼り付けてください。",
            "it is a list of openings with their values, and no game. Paste the moves of one of them.",
        ),
        FoundContent::Net => (
            "評価関数のファイルです。エンジンの設定（N）で指定してください。",
            "it is the network of an engine. Name it in the options of the engine (N).",
        ),
        FoundContent::Summary => (
            "解析結果の一覧表です。一覧にある棋譜のファイルを開いてください。",
            "it is a table of analysed games. Open the records that it names.",
        ),
        FoundContent::Settings => (
            "設定ファイルです。棋譜のファイルを選んでください。",
            "it is a file of settings. Choose a game record.",
        ),
        FoundContent::EngineOptions => (
            "エンジンのオプション一覧です。棋譜のファイルを選んでください。",
            "it is the list of an engine's options. Choose a game record.",
        ),
        FoundContent::Chess => (
            "チェスの棋譜です。将棋の棋譜を選んでください。",
            "it is a game of chess. Choose a game of shogi.",
        ),
        FoundContent::Address => (
            "棋譜の入っていない URL です。https://、http://、csa:// の対局を追うには、U を押して URL を入力してください。",
            "it is an address without a game in it. To follow a game at an https://, http:// or csa:// address, press U and \
             enter it.",
        ),
        FoundContent::Text => (
            "指し手も局面図も対局情報も見つかりません。棋譜かどうか確かめてください。",
            "it has no moves, diagram or headers. Check that it is a game record.",
        ),
    };
    lang.pick(ja, en)
}

impl UnreadableRecord {
    /// Returns the sentence about a file, text or address of this name that is not a record.
    pub fn about(&self, name: &str, lang: Lang) -> String {
        visible(&without_passwords(&self.sentence_about(name, lang))).into_owned()
    }

    /// As [`about`](Self::about), with the control characters and passwords of the name.
    pub fn sentence_about(&self, name: &str, lang: Lang) -> String {
        say!(lang:
            "{name}を棋譜として読めません: {why}",
            "{name} cannot be read as a game record: {why}",
            name = with_particle_space(&given(name), lang), why = self.sentence(lang))
    }
}

impl From<&ReadError> for UnreadableRecord {
    /// Converts the error of a text that is not a record.
    fn from(error: &ReadError) -> Self {
        match error {
            ReadError::Empty => Self::Empty,
            ReadError::TooLarge(_) => Self::TooLarge(MAX_BYTES),
            ReadError::Other(found) => Self::OtherContent(*found),
            ReadError::Unusable(warning) => Self::Unusable(warning.clone()),
        }
    }
}

impl From<&FileError> for UnreadableRecord {
    /// Converts the error of a file that cannot be read.
    fn from(error: &FileError) -> Self {
        match error.problem() {
            ReadProblem::Folder => Self::Folder,
            ReadProblem::NotPlain => Self::NotPlain,
            ReadProblem::TooLarge(limit) => Self::TooLarge(*limit),
            ReadProblem::Io(error) => match error.kind() {
                ErrorKind::NotFound => Self::NotFound,
                ErrorKind::PermissionDenied => Self::PermissionDenied,
                kind => Self::Other(kind, error.to_string()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::path::Path;

    #[test]
    fn file_errors_are_converted() {
        let check = |problem: ReadProblem, expect| {
            assert_eq!(
                UnreadableRecord::from(&FileError::new(Path::new("a"), problem)),
                expect
            );
        };
        let io = |kind: ErrorKind| ReadProblem::Io(kind.into());
        check(io(ErrorKind::NotFound), UnreadableRecord::NotFound);
        check(
            io(ErrorKind::PermissionDenied),
            UnreadableRecord::PermissionDenied,
        );
        check(ReadProblem::Folder, UnreadableRecord::Folder);
        check(ReadProblem::NotPlain, UnreadableRecord::NotPlain);
        check(ReadProblem::TooLarge(100), UnreadableRecord::TooLarge(100));
    }

    #[test]
    fn read_errors_are_converted() {
        let check = |bytes: &[u8], expect| {
            assert_eq!(UnreadableRecord::from(&crate::read(bytes).unwrap_err()), expect);
        };
        check(b"", UnreadableRecord::Empty);
        check(b"\x89PNG", UnreadableRecord::OtherContent(FoundContent::Picture));
        check(b"hello", UnreadableRecord::OtherContent(FoundContent::Text));
        check(b"1. e4 e5", UnreadableRecord::OtherContent(FoundContent::Chess));
    }

    #[test]
    fn a_file_that_is_no_record_says_what_to_do() {
        use FoundContent::{
            Address, Archive, Binary, Chess, EngineOptions, Net, OpeningBook, Openings, Pdf, Picture,
            Program, Script, Settings, Summary, Text, WebPage,
        };
        let known = [
            Picture, Program, Archive, Pdf, Binary, WebPage, Script, Chess, Address, Text,
        ];
        for found in known
            .into_iter()
            .chain([OpeningBook, Openings, Net, Summary, Settings, EngineOptions])
        {
            let [ja, en] = [Lang::Ja, Lang::En].map(|lang| content(found, lang));
            assert_eq!(
                (ja.matches('。').count(), en.matches(". ").count()),
                (2, 1),
                "{ja} {en}"
            );
        }
    }

    #[test]
    fn the_reason_names_the_line_and_the_error() {
        let check = |text: &str, ja: &str, en: &str| {
            let reason = UnreadableRecord::from(&crate::read(text.as_bytes()).unwrap_err());
            assert_eq!(reason.sentence(Lang::Ja), ja);
            assert_eq!(reason.sentence(Lang::En), en);
        };
        check(
            "# a\n4k3/9/9/9/9/9/9/9/4K4 b - 1\n",
            "2行目：「4k3/9/9/9/9/9/9/9/4K4」は局面として読めません（1段目が9マスではありません）。",
            "line 2: '4k3/9/9/9/9/9/9/9/4K4' is no position: rank a does not have 9 squares.",
        );
        check(
            "手合割：京都将棋\n1 ３四金(25)\n",
            "1行目：これは将棋ではなく京都将棋です。",
            "line 1: this is Kyoto shogi, not shogi.",
        );
        check(
            "rbsgk/4p/5/P4/KGSBR b - 1\n",
            "1行目：「rbsgk/4p/5/P4/KGSBR」は局面として読めません（将棋ではなく5×5マスの5五将棋か京都将棋です）。",
            "line 1: 'rbsgk/4p/5/P4/KGSBR' is no position: \
             this is minishogi or Kyoto shogi, on a board of 5 by 5 squares, not shogi.",
        );
        check(
            "手合割：謎落ち\n1 ４二玉(51)\n",
            "1行目：手合割「謎落ち」が分からず、指し手も平手に合いません。局面図があれば読めます。",
            "line 1: the handicap '謎落ち' names no known start, and the moves do not fit the usual position; \
             a diagram would state it.",
        );
    }
}
