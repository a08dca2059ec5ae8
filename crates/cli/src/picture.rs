//! What the commands that draw have in common.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use senet::render::{Picture, Theme};
use serde_json::{Value, json};

use crate::failure::{Code, Failure};
use crate::file;
use crate::output::Output;

/// How a picture looks.
#[derive(clap::Args)]
pub(crate) struct Style {
    /// The colours.
    #[arg(long, value_enum, default_value_t = Colors::Light)]
    pub(crate) theme: Colors,
    /// Draw the board from the other side.
    #[arg(long)]
    pub(crate) flip: bool,
}

/// The colours of a picture.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Colors {
    /// For paper and bright pages.
    Light,
    /// For dark pages.
    Dark,
}

impl Style {
    /// A picture in this style.
    pub(crate) fn of<'g>(&self, picture: Picture<'g>) -> Picture<'g> {
        let theme = match self.theme {
            Colors::Light => Theme::Light,
            Colors::Dark => Theme::Dark,
        };
        picture.theme(theme).flipped(self.flip)
    }
}

/// What a picture is written as.
#[derive(Clone, Copy)]
enum Form {
    Svg,
    Png,
}

/// A file that a picture is to be written to, known to be of a form that can be written.
pub(crate) struct Target {
    path: PathBuf,
    form: Form,
}

impl Target {
    /// The file of a name, if its ending is that of a picture. A pipe or a device without an ending
    /// gets SVG.
    pub(crate) fn new(path: &Path) -> Result<Target, Failure> {
        let form = match extension(path) {
            "svg" => Form::Svg,
            "png" => Form::Png,
            "" if file::is_special(path) => Form::Svg,
            _ => return Err(wrong_ending(path, ".svg or .png")),
        };
        Ok(Target { path: path.to_owned(), form })
    }

    /// Writes a picture and says so.
    pub(crate) fn write(&self, picture: &Picture<'_>, output: &mut Output) -> Result<(), Failure> {
        let bytes = match self.form {
            Form::Svg => picture.svg().into_bytes(),
            Form::Png => picture.png(),
        };
        file::write(&self.path, &bytes)?;
        said(&self.path, output)
    }
}

/// Says that a file is written.
pub(crate) fn said(path: &Path, output: &mut Output) -> Result<(), Failure> {
    let path = path.display().to_string();
    if output.is_json() {
        return Ok(output.json(&json!({ "written": path }))?);
    }
    Ok(output.line(format!("written to {path}"))?)
}

/// The ending of a file's name.
pub(crate) fn extension(path: &Path) -> &str {
    path.extension().and_then(|ending| ending.to_str()).unwrap_or_default()
}

/// A file whose name does not end as it must.
pub(crate) fn wrong_ending(path: &Path, allowed: &str) -> Failure {
    let found = match extension(path) {
        "" => "no ending".to_owned(),
        ending => format!(".{ending}"),
    };
    let message =
        format!("{}: the file name must end with {allowed}, and has {found}", path.display());
    Failure::new(Code::InvalidParams, message, Value::Null)
}
