//! Errors of `shogibar see`, and messages of `shogibar doctor --see`.

use shogibar_base::file_error::{FileError, ReadProblem};
use shogibar_base::file_error_text::problem;
use shogibar_base::visible::visible;
use shogibar_base::{Lang, say, sentences};

/// The reason why no board was read.
#[derive(Debug)]
pub(crate) enum UnreadablePicture {
    /// The file cannot be read.
    File(FileError),
    /// The standard input cannot be read.
    Input(ReadProblem),
    /// The data is not a picture.
    NoPicture,
    /// The data is broken, or of a kind that the decoder does not know.
    Broken,
    /// The picture has too many pixels. Holds the width and the height in pixels.
    TooLarge(usize, usize),
    /// The picture has no board.
    NoBoard,
}

impl UnreadablePicture {
    /// Returns the reason in one line without tabs.
    pub(crate) fn text(&self, lang: Lang) -> String {
        visible(&self.sentence(lang)).into_owned()
    }

    fn sentence(&self, lang: Lang) -> String {
        match self {
            Self::File(error) => say!(lang:
                "{path} を読めません（{why}）。", "cannot read {path}: {why}",
                path = error.path().display(), why = problem(error.problem(), lang)),
            Self::Input(why) => say!(lang:
                "標準入力を読めません（{why}）。", "standard input: {why}", why = problem(why, lang)),
            Self::NoPicture => {
                say!(lang: "読める画像（PNG、JPEG、WebP、BMP）ではありません。", "it is not a picture that can be read (PNG, JPEG, WebP or BMP)")
            }
            Self::Broken => say!(lang:
                "画像が壊れているか、読めない種類です。ふつうの PNG で保存し直してください。",
                "the picture is damaged, or of a kind that cannot be read; save it again as a plain PNG"),
            Self::TooLarge(width, height) => say!(lang:
                "{width}×{height} の画像は大きすぎます。盤のまわりを切り抜いてください（4000万画素まで）。",
                "a picture of {width}×{height} is too large; crop it to the board (at most 40 million pixels)"),
            Self::NoBoard => say!(lang:
                "盤が見つかりません。盤の全体が写り、線が見える画像を使ってください。",
                "no board was found; use a picture with the whole board and its lines"),
        }
    }
}

/// Returns the message that the whole screen has no board.
pub(crate) const fn no_board_on_screen(lang: Lang) -> &'static str {
    lang.pick(
        "画面に盤が見つかりません。盤の全体が見えるようにしてください。",
        "No board was found on the screen. Leave the whole board visible.",
    )
}

sentences! {
    /// Returns the error of a file that exists already, and is not changed.
    pub(crate) fn file_exists(file: &str; lang) =>
        "{file} はすでにあります。別の名前を指定してください（--see ファイル）。",
        "{file} already exists. Name another file: --see FILE.";

    /// Returns the message that there are several boards on the screen, and one of them was read.
    pub(crate) fn several_boards(count: usize; lang) =>
        "盤が{count}面あります。最も大きく確かなものを読みます。", "{count} found. The largest likely one is read." [count: "board was" | "boards were"];

    /// Returns the message that the picture was written to a file, with a warning before it is sent to anyone.
    pub(crate) fn picture_written(file: &str; lang) =>
        "読んだ画像を {file} に書きました。誰かに送る前に、何が写っているか確かめてください。",
        "The picture that was read is in {file}. Check what it shows before you send it to anyone.";
}
