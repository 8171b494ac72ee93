//! The output of an analysed record: file and format.

use super::super::{Streams, convert};
use anyhow::{anyhow, bail, ensure};
use shogibar_base::Lang;
use shogibar_files::FileStamp;
use shogibar_games::analysis_text;
use shogibar_games::convert_text::ConvertRefusal;
use shogibar_games::folder::{holds_comments, is_within};
use shogibar_kifu::{Loss, ReadGames, Record, Target, record_text as text};
use std::path::{Path, PathBuf};

/// The file or standard output that the analysed record is written to.
pub(super) struct AnalysisOutput {
    input: PathBuf,
    /// The file; `None` for standard output.
    path: Option<PathBuf>,
    target: Target,
    /// The bytes that were read, if the output file is the input file.
    input_bytes: Option<Vec<u8>>,
    stamp: Option<FileStamp>,
    /// The losses that were reported before the analysis, as they do not depend on it.
    losses: Vec<Loss>,
    /// Whether content was lost in reading or writing.
    has_lost: bool,
    lang: Lang,
}

impl AnalysisOutput {
    pub(super) fn new(
        input: &Path,
        bytes: &[u8],
        output: Option<&Path>,
        reading: &ReadGames,
        lang: Lang,
    ) -> Self {
        let path = output.filter(|path| *path != Path::new("-")).map(Path::to_owned);
        let is_input = path
            .as_deref()
            .is_some_and(|path| shogibar_files::is_same_file(input, path));
        let input_target = reading.target;
        let target = if is_input {
            input_target
        } else {
            output_target(path.as_deref(), input_target)
        };
        let stamp = match path.as_deref() {
            Some(path) if !is_input => shogibar_files::stamp(path),
            _ => None,
        };
        let input_bytes = is_input.then(|| bytes.to_owned());
        let input = input.to_owned();
        Self {
            input,
            path,
            target,
            input_bytes,
            stamp,
            losses: Vec::new(),
            has_lost: false,
            lang,
        }
    }

    /// Returns the output path of a game of a file, by its number from 1: `out.csa`, `out-2.csa` …. Standard output
    /// stays `-`.
    pub(super) fn numbered(output: Option<&Path>, number: usize) -> Option<PathBuf> {
        output.map(|output| {
            if output == Path::new("-") {
                output.to_owned()
            } else {
                shogibar_files::numbered_path(output, number)
            }
        })
    }

    /// Returns the output file. Returns `None` for standard output.
    pub(super) fn file(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Returns whether content was lost in reading or writing.
    pub(super) const fn has_lost(&self) -> bool {
        self.has_lost
    }

    pub(super) fn report_warnings(
        &mut self,
        reading: &ReadGames,
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<()> {
        for warning in &reading.warnings {
            self.has_lost |= warning.problem.is_loss();
            writeln!(
                streams.err,
                "{}:{}",
                self.input.display(),
                text::warning(warning, self.lang)
            )?;
        }
        Ok(())
    }

    /// Reports what a game loses in this format, and that `further` games are not written. Fails if the output could
    /// not be written in the end.
    pub(super) fn check(
        &mut self,
        record: &Record,
        further: usize,
        streams: &mut Streams<'_>,
    ) -> anyhow::Result<()> {
        if !holds_comments(record, self.target) {
            bail!(analysis_text::holds_no_comments(
                &self.target.to_string(),
                self.lang
            ));
        }
        let mut losses = shogibar_kifu::write(record, self.target).losses;
        losses.extend((further > 0).then_some(Loss::Games(further)));
        self.report_losses(&losses, streams)?;
        self.losses = losses;
        if let Some(path) = self.file() {
            if self.input_bytes.is_some() && self.has_lost {
                return Err(anyhow!(
                    ConvertRefusal::WouldLose(path.display().to_string()).text(self.lang)
                ));
            }
            convert::check_replaceable(path, self.lang)?;
        }
        Ok(())
    }

    /// Refuses to write a further game over a file that the user did not name. Allows it if the file holds only this
    /// game, without anything but evaluations that the game lacks.
    pub(super) fn check_further(&self, record: &Record) -> anyhow::Result<()> {
        let Some(path) = self.file().filter(|path| path.exists()) else {
            return Ok(());
        };
        let name = || path.display().to_string();
        ensure!(
            !shogibar_files::is_same_file(&self.input, path),
            ConvertRefusal::WouldLose(name()).text(self.lang)
        );
        let existing =
            shogibar_kifu::read_named(&shogibar_files::read(path, shogibar_kifu::MAX_BYTES)?, path);
        let holds_only_this = existing.is_ok_and(|existing| {
            existing.games.len() == 1 && existing.games.iter().all(|game| is_within(game, record))
        });
        ensure!(
            holds_only_this,
            ConvertRefusal::FileExists(name()).text(self.lang)
        );
        Ok(())
    }

    /// Returns the new record if the output is the input file and was changed during the analysis, which may take
    /// hours. Fails if another output file was changed.
    pub(super) fn newest(&mut self, streams: &mut Streams<'_>) -> anyhow::Result<Option<Record>> {
        let Some(path) = self.path.clone().filter(|path| path.exists()) else {
            return Ok(None);
        };
        let changed = || {
            anyhow!(analysis_text::changed_meanwhile(
                &path.display().to_string(),
                self.lang
            ))
        };
        let Some(before) = &self.input_bytes else {
            ensure!(shogibar_files::stamp(&path) == self.stamp, changed());
            return Ok(None);
        };
        let bytes = shogibar_files::read(&path, shogibar_kifu::MAX_BYTES)?;
        if bytes == *before {
            return Ok(None);
        }
        let reading = shogibar_kifu::read_named(&bytes, &path).map_err(|_no_record| changed())?;
        (self.target, self.input_bytes) = (reading.target, Some(bytes));
        self.report_warnings(&reading, streams)?;
        let further = reading.games.len().saturating_sub(1);
        let Some((record, _warnings)) = reading.into_first() else {
            return Ok(None);
        };
        self.check(&record, further, streams)?;
        Ok(Some(record))
    }

    /// Writes the record, and returns whether content was lost in reading or writing.
    pub(super) fn write(&mut self, record: &Record, streams: &mut Streams<'_>) -> anyhow::Result<bool> {
        let written = shogibar_kifu::write(record, self.target);
        let new: Vec<_> = written
            .losses
            .into_iter()
            .filter(|loss| !self.losses.contains(loss))
            .collect();
        self.report_losses(&new, streams)?;
        if let Some(path) = self.file() {
            // The file may have been replaced during the analysis, so it is checked again.
            convert::check_replaceable(path, self.lang)?;
            convert::check_size(path, &written.bytes, self.lang)?;
            shogibar_files::write_whole(path, &written.bytes)?;
        } else {
            streams.out.write_record(&written.bytes, self.target)?;
            streams.out.flush()?;
        }
        Ok(self.has_lost)
    }

    fn report_losses(&mut self, losses: &[Loss], streams: &mut Streams<'_>) -> anyhow::Result<()> {
        for loss in losses {
            self.has_lost = true;
            writeln!(
                streams.err,
                "{}:1:1: {}",
                self.input.display(),
                text::loss(loss, self.target, self.lang)
            )?;
        }
        Ok(())
    }
}

/// Returns the format of a file name, or else of the input; in place of USI, KIF. The variant of the input's format
/// stays: a UTF-8 record stays UTF-8 under the name `.kif`.
fn output_target(path: Option<&Path>, input_target: Target) -> Target {
    let extension = path
        .and_then(Path::extension)
        .and_then(|extension| extension.to_str());
    let named = extension.and_then(|extension| Target::from_name(&extension.to_ascii_lowercase()));
    match (named, input_target) {
        (Some(named), input) => named.or_variant(input),
        // A line of USI cannot hold evaluations, so KIF is written.
        (None, Target::Usi) => Target::Kifu,
        (None, input_target) => input_target,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_follows_the_file_name_or_else_the_input() {
        let check = |path: &str, input_target, expect| {
            assert_eq!(
                output_target(Some(Path::new(path)), input_target),
                expect,
                "{path}"
            );
        };
        check("a.kif", Target::Kifu, Target::Kifu);
        check("a.kif", Target::Csa, Target::Kif);
        check("a.kifu", Target::Kif, Target::Kifu);
        check("a.KIF", Target::Kif, Target::Kif);
        check("a.csa", Target::Csa3, Target::Csa3);
        check("a.csa", Target::CsaSjis, Target::CsaSjis);
        check("a.csa", Target::Kif, Target::Csa);
        check("a.txt", Target::Jkf, Target::Jkf);
        check("a", Target::Usi, Target::Kifu);
        check("a.usi", Target::Kifu, Target::Usi);
        assert_eq!(output_target(None, Target::Usi), Target::Kifu);
    }
}
