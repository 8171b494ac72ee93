//! Why a file is no game record.

/// Why a file cannot be opened as a game record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// There is no such file.
    NotThere,
    /// It is a folder.
    Folder,
    /// The system does not let us read it.
    NotAllowed,
    /// It is larger than so many bytes.
    TooLarge(usize),
    /// Nothing is in it.
    Empty,
    /// It is a picture.
    Picture,
    /// It is a program.
    Program,
    /// It is an archive.
    Archive,
    /// It is a PDF document.
    Pdf,
    /// It is no text.
    Binary,
    /// It is a web page.
    WebPage,
    /// It is a script.
    Script,
    /// It is text with nothing of a game in it.
    PlainText,
    /// It is a record in a format that is not read yet, by its name.
    NotReadYet(String),
    /// What the system said.
    Other(String),
}

impl Unreadable {
    pub(super) fn japanese(&self) -> String {
        let fixed = match self {
            Self::NotThere => "ファイルが見つかりません。",
            Self::Folder => "フォルダーです。",
            Self::NotAllowed => "読み取りが許可されていません。",
            Self::TooLarge(limit) => return format!("大きすぎます（上限は{}）。", size(*limit)),
            Self::Empty => "中身がありません。",
            Self::Picture => "画像です。",
            Self::Program => "プログラムです（エンジンかもしれません）。",
            Self::Archive => "圧縮ファイルです。展開してから開いてください。",
            Self::Pdf => "PDF です。",
            Self::Binary => "テキストではありません。",
            Self::WebPage => "ウェブページです。",
            Self::Script => "スクリプトです。",
            Self::PlainText => "指し手も局面図も対局情報も見つかりません。",
            Self::NotReadYet(format) => return format!("{format} 形式はまだ読めません。"),
            Self::Other(why) => why,
        };
        fixed.to_owned()
    }

    pub(super) fn english(&self) -> String {
        let fixed = match self {
            Self::NotThere => "there is no such file.",
            Self::Folder => "it is a folder.",
            Self::NotAllowed => "reading it is not allowed.",
            Self::TooLarge(limit) => return format!("it is larger than {}.", size(*limit)),
            Self::Empty => "it is empty.",
            Self::Picture => "it is a picture.",
            Self::Program => "it is a program (an engine?).",
            Self::Archive => "it is an archive. Unpack it first.",
            Self::Pdf => "it is a PDF document.",
            Self::Binary => "it is no text.",
            Self::WebPage => "it is a web page.",
            Self::Script => "it is a script.",
            Self::PlainText => "no move, diagram or header was found in it.",
            Self::NotReadYet(format) => return format!("{format} is not read yet."),
            Self::Other(why) => why,
        };
        fixed.to_owned()
    }
}

/// A number of bytes in the largest unit that leaves no fraction.
fn size(bytes: usize) -> String {
    let units = [(1 << 20, "MB"), (1 << 10, "kB")];
    let fitting = units.iter().find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit));
    fitting.map_or_else(|| format!("{bytes} B"), |(unit, name)| format!("{} {name}", bytes / unit))
}
