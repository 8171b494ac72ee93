//! The picture of a curve, as a file.

use super::refusal_error;
use super::table::engine_name;
use shogibar_base::Lang;
use shogibar_base::file_error::WriteError;
use shogibar_games::calibration::EngineCurve;
use shogibar_games::calibration_text::CalibrationRefusal;
use shogibar_ui::{png, win_rate_curve_picture};
use std::path::{Path, PathBuf};

/// The maximum size of an existing picture that is replaced, in bytes.
const MAX_PICTURE_BYTES: usize = 64 << 20;

/// The file that the picture of a curve is written to.
pub(super) struct CurvePicture {
    path: PathBuf,
    is_svg: bool,
    lang: Lang,
}

impl CurvePicture {
    /// Checks the path of a picture, without creating the file. Only a picture of the same format may be replaced.
    ///
    /// # Errors
    /// Fails if the extension is neither `.svg` nor `.png`, or an existing file is neither empty nor such a picture.
    pub(super) fn new(path: &Path, lang: Lang) -> anyhow::Result<Self> {
        let is = |end: &str| {
            path.extension()
                .is_some_and(|known| known.eq_ignore_ascii_case(end))
        };
        anyhow::ensure!(
            is("svg") || is("png"),
            refusal_error(&CalibrationRefusal::PictureName(path.display().to_string()), lang)
        );
        if path.is_file() {
            let existing = shogibar_files::read(path, MAX_PICTURE_BYTES)?;
            let is_picture = if is("svg") {
                existing.starts_with(b"<svg")
            } else {
                png::is_png(&existing)
            };
            let no_picture = CalibrationRefusal::NoPicture(path.display().to_string());
            anyhow::ensure!(
                existing.is_empty() || is_picture,
                refusal_error(&no_picture, lang)
            );
        }
        Ok(Self {
            path: path.to_owned(),
            is_svg: is("svg"),
            lang,
        })
    }

    pub(super) fn write(&self, curve: &EngineCurve) -> anyhow::Result<()> {
        let name = engine_name(&curve.engine, self.lang);
        let bytes = if self.is_svg {
            win_rate_curve_picture::svg(curve, &name, self.lang).into_bytes()
        } else {
            win_rate_curve_picture::png(curve, &name, self.lang)?
        };
        let written: Result<(), WriteError> = shogibar_files::write_whole(&self.path, &bytes);
        Ok(written?)
    }
}
