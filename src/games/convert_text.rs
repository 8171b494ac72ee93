//! Messages of the conversion of records, and the names of standard input and of the clipboard. Messages about the
//! content of a record are in `record`.

use shogibar_base::{Lang, messages, say, sentences};
use shogibar_kifu::record_text::{lost_part, size};
use shogibar_kifu::{Loss, Target};

messages! {
    /// The reason why a file is not written.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum ConvertRefusal in lang {
        /// The output is the input, and content would be lost.
        WouldLose(path: String) =>
            "{path} に書くと元の棋譜の一部が失われます。別のファイルを指定してください。",
            "{path} would lose part of the record by this: write to another file";
        NotARecord(path: String) =>
            "{path} は既にあり、棋譜ではないので上書きしません。",
            "{path} already exists and is not a game record: it is not replaced";
        /// The file exists with other content, and replacing it was not requested.
        FileExists(path: String) =>
            "{path} は既にあり、内容が異なるので上書きしません。--force を付けると置き換え、-o で別の場所に書けます。",
            "{path} already exists with other content: use --force to replace it, or -o to write elsewhere";
        /// A link, a pipe or a device is at the path of an output file.
        NotPlain(path: String) =>
            "{path} はリンクまたは特殊なファイルなので、書き込みません。",
            "{path} is a link or not a regular file: nothing is written there";
        /// The existing file is one of the records that are converted.
        AlsoInput(path: String) =>
            "{path} は変換する棋譜の一つなので、上書きしません。-o で別のフォルダーに書けます。",
            "{path} is one of the records to convert and is not overwritten: use -o FOLDER to write elsewhere";
        /// The input is a folder, and the user has named no output.
        NeedsOutputFolder(path: String) =>
            "{path} はフォルダーです。-o で書き出すフォルダーを指定するか、各棋譜の隣に書くなら --beside を付けてください。",
            "{path} is a folder: use -o FOLDER to choose where to write, or --beside to write beside each record";
        /// The file would be larger than this many bytes, the limit for reading.
        TooLarge(path: String, limit: usize) =>
            "{path} は{limit}を超え、読み戻せなくなるので書きません。",
            "{path} would be larger than {limit}, too large to be read again: it is not written", limit = size(*limit);
        /// The input is a folder, but the output is a file.
        NeedsFolder(path: String) =>
            "{path} はフォルダーなので、-o にもフォルダーを指定してください。",
            "{path} is a folder, so -o must name a folder, too";
        /// `--strict` is set, and the encoding does not have this character.
        Character(path: String, loss: Loss, target: Target) =>
            "{path}: {character} は Shift_JIS で書けません（--strict）。--to {utf8} なら書けます。",
            "{path}: Shift_JIS has no {character}, and --strict forbids to replace it: use --to {utf8}",
            character = character_name(loss, lang), utf8 = target.in_utf8().name();
    }
}

impl ConvertRefusal {
    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        self.sentence(lang)
    }
}

/// Returns the character that is lost: in Japanese with its number and its replacement, in English in quotes.
fn character_name(loss: &Loss, lang: Lang) -> String {
    match (loss, lang) {
        (_, Lang::Ja) => lost_part(loss, lang),
        (Loss::Character { character, .. }, Lang::En) => format!("'{character}'"),
        (_, Lang::En) => loss.to_string(),
    }
}

/// Returns the name of standard input.
pub const fn standard_input(lang: Lang) -> &'static str {
    lang.pick("標準入力", "standard input")
}

/// Returns the name for the content of the clipboard.
pub const fn clipboard(lang: Lang) -> &'static str {
    lang.pick("クリップボードの内容", "The content of the clipboard")
}

/// Returns the hint how to evaluate a position for which the record has no evaluation.
pub const fn evaluate_by_engine(lang: Lang) -> &'static str {
    lang.pick(
        "--engine builtin のようにエンジンを指定すると評価できます。",
        "To have it evaluated, name an engine: --engine builtin is the one that comes with the program.",
    )
}

sentences! {
    /// Returns the summary of the conversion of a folder. `as_it_is` is the number of records that have the format
    /// already.
    pub fn summary(done: usize, as_it_is: usize, failed: usize; lang) =>
        "変換した棋譜 {done}、既にその形式の棋譜 {as_it_is}、変換できなかったファイル {failed}",
        "records converted: {done}, already in this format: {as_it_is}, files not converted: {failed}";
}

/// Returns the sentence with the largest number of files that will be written. They are below a folder, or beside the
/// records for `None`.
pub fn plan(files: usize, folder: Option<&str>, lang: Lang) -> String {
    match folder {
        Some(folder) => {
            say!(lang: "{folder} に書くファイル 最大{files}", "files to be written to {folder}: at most {files}")
        }
        None => {
            say!(lang: "棋譜の隣に書くファイル 最大{files}", "files to be written beside the records: at most {files}")
        }
    }
}

/// Returns the question before the files of a folder are written.
pub const fn confirm_writing(lang: Lang) -> &'static str {
    lang.pick("書きますか？ [y/N] ", "Write them? [y/N] ")
}
