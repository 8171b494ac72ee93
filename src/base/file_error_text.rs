//! Errors of files, pipes and processes, in the user's language.

use crate::Lang;
use crate::file_error::{FileError, ReadProblem, SystemError, WriteError, WriteRefusal};
use std::io::{self, ErrorKind};

/// Returns an error of the system as a sentence.
pub fn io_error(error: &io::Error, lang: Lang) -> String {
    match (WriteRefusal::from_io(error), lang) {
        (Some(refusal), Lang::Ja) => refusal_in_japanese(refusal),
        _ => system_error(&error.into(), lang),
    }
}

/// Returns an error of the system: in Japanese the name of its kind, if known, else the text of the system.
fn system_error(error: &SystemError, lang: Lang) -> String {
    match (kind_in_japanese(error.kind), lang) {
        (Some(sentence), Lang::Ja) => sentence.to_owned(),
        // Otherwise the sentence of the system is shown. It has an error number, which the user can search for.
        _ => error.text.clone(),
    }
}

/// Returns why this program does not write a file, in Japanese.
fn refusal_in_japanese(refusal: &WriteRefusal) -> String {
    let sentence = match refusal {
        WriteRefusal::Link => "リンクを通しては書き込みません。リンクを取り除いてください",
        WriteRefusal::NotPlain => "通常のファイルではありません",
        WriteRefusal::Foreign => "このプログラムが書いたものではありません。別の場所に移してください",
        WriteRefusal::LinkLoop => "リンクが循環しています",
        WriteRefusal::NoFreeName => "この中に新しいファイルを作れません",
        WriteRefusal::Replaced => "開くたびに別のファイルに置き換えられています",
        WriteRefusal::NoFolder(folder) => return format!("フォルダー {} がありません", folder.display()),
        WriteRefusal::Held => {
            "ほかのプログラムがこのロックを離しません。そのプログラムを終えるか、もう一度試してください"
        }
    };
    sentence.to_owned()
}

/// Returns the name of a kind of error in Japanese. Returns `None` for another kind.
pub const fn kind_in_japanese(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::NotFound => "見つかりません",
        ErrorKind::PermissionDenied => "許可されていません",
        ErrorKind::AlreadyExists => "既にあります",
        ErrorKind::IsADirectory => "フォルダーです",
        ErrorKind::NotADirectory => "フォルダーではないものを通る場所です",
        ErrorKind::DirectoryNotEmpty => "フォルダーが空ではありません",
        ErrorKind::ReadOnlyFilesystem => "書き込みのできない場所です",
        ErrorKind::StorageFull => "空き容量がありません",
        ErrorKind::QuotaExceeded => "使える容量を超えています",
        ErrorKind::FileTooLarge => "ファイルが大きすぎます",
        ErrorKind::InvalidFilename => "使えないファイル名です",
        ErrorKind::ResourceBusy | ErrorKind::ExecutableFileBusy => "使用中です",
        ErrorKind::BrokenPipe => "相手が閉じています",
        ErrorKind::TimedOut => "時間切れです",
        ErrorKind::OutOfMemory => "メモリーが足りません",
        ErrorKind::UnexpectedEof => "途中で終わっています",
        ErrorKind::InvalidData => "内容を読み取れません",
        ErrorKind::Unsupported => "この環境ではできません",
        _ => return None,
    })
}

/// Returns why a file or an input cannot be read.
pub fn problem(problem: &ReadProblem, lang: Lang) -> String {
    match (problem, lang) {
        (ReadProblem::Folder, Lang::Ja) => "フォルダーです".to_owned(),
        (ReadProblem::NotPlain, Lang::Ja) => "通常のファイルではありません".to_owned(),
        (ReadProblem::TooLarge(limit), Lang::Ja) => format!("{limit}バイトより大きいファイルです"),
        (ReadProblem::Io(error), _) => io_error(error, lang),
        (_, Lang::En) => problem.to_string(),
    }
}

sentences! {
    /// Returns the error of a file that another program is changing.
    pub fn busy(path: &std::path::Path; lang) =>
        "{path} はほかのプログラムが変更しています。",
        "{path} is being changed by another program", path = path.display();
}

/// Returns the error of a file that cannot be read.
pub fn file_error(error: &FileError, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!(
            "{} を読めません（{}）。",
            error.path().display(),
            problem(error.problem(), lang)
        ),
        Lang::En => error.to_string(),
    }
}

/// Returns the error of a file that cannot be written.
pub fn write_error(error: &WriteError, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!(
            "{} に書き込めません（{}）。",
            error.path().display(),
            io_error(error.problem(), lang)
        ),
        Lang::En => error.to_string(),
    }
}

/// The cause of an error in both languages, because the user may change the language before it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CauseText {
    ja: String,
    en: String,
}

impl CauseText {
    /// Creates the cause from its sentence in each language.
    pub fn new(text: impl Fn(Lang) -> String) -> Self {
        Self {
            ja: text(Lang::Ja),
            en: text(Lang::En),
        }
    }

    /// Returns the cause in a language, for the middle of a sentence.
    pub fn text(&self, lang: Lang) -> &str {
        lang.pick(&self.ja, &self.en).trim_end_matches('。')
    }
}

impl From<String> for CauseText {
    /// Creates the cause from a text in only one language, such as that of another program.
    fn from(why: String) -> Self {
        Self {
            ja: why.clone(),
            en: why,
        }
    }
}

impl From<&io::Error> for CauseText {
    fn from(error: &io::Error) -> Self {
        Self::new(|lang| io_error(error, lang))
    }
}

impl From<&SystemError> for CauseText {
    fn from(error: &SystemError) -> Self {
        Self::new(|lang| system_error(error, lang))
    }
}

/// The text has no brackets, because a cause is shown in brackets.
impl From<&FileError> for CauseText {
    fn from(error: &FileError) -> Self {
        Self::new(|lang| match lang {
            Lang::Ja => format!(
                "{} を読めません: {}",
                error.path().display(),
                problem(error.problem(), lang)
            ),
            Lang::En => error.to_string(),
        })
    }
}

/// The text has no brackets, because a cause is shown in brackets.
impl From<&WriteError> for CauseText {
    fn from(error: &WriteError) -> Self {
        Self::new(|lang| match lang {
            Lang::Ja => format!(
                "{} に書き込めません: {}",
                error.path().display(),
                io_error(error.problem(), lang)
            ),
            Lang::En => error.to_string(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::path::Path;

    #[test]
    fn system_errors_are_translated() {
        let error = FileError::new(Path::new("no such file"), io::Error::from(ErrorKind::NotFound));
        assert_eq!(
            file_error(&error, Lang::Ja),
            "no such file を読めません（見つかりません）。"
        );
        assert!(file_error(&error, Lang::En).starts_with("cannot read no such file: "));
        let full = WriteError::new(Path::new("a.kif"), ErrorKind::StorageFull.into());
        assert_eq!(
            write_error(&full, Lang::Ja),
            "a.kif に書き込めません（空き容量がありません）。"
        );
    }

    #[test]
    fn refusals_are_translated_completely() {
        let all = [
            WriteRefusal::Link,
            WriteRefusal::NotPlain,
            WriteRefusal::Foreign,
            WriteRefusal::LinkLoop,
            WriteRefusal::NoFreeName,
            WriteRefusal::Replaced,
            WriteRefusal::NoFolder("/".into()),
            WriteRefusal::Held,
        ];
        for refusal in all {
            let error = WriteError::new(Path::new("/"), refusal.clone().into());
            let text = write_error(&error, Lang::Ja);
            assert!(!text.contains(|c: char| c.is_ascii_alphabetic()), "{text}");
            assert_eq!(
                write_error(&error, Lang::En),
                format!("cannot write /: {refusal}")
            );
            assert!(
                !CauseText::from(&error).text(Lang::Ja).contains(['（', '）']),
                "it stands in brackets"
            );
        }
    }
}
