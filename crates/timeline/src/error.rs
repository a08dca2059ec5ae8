//! What can be wrong with a request for a timeline.

use std::fmt;

use crate::column::Column;
use crate::timeline::MAX_DEPTH;

/// Why a request is no timeline, or a timeline could not be written.
#[derive(Debug)]
pub enum Error {
    /// The depth is not one that is allowed.
    Depth(u32),
    /// No column has this name.
    UnknownColumn {
        /// The name found.
        found: String,
        /// A name that looks like it.
        near: Option<String>,
    },
    /// A column is named twice.
    ColumnTwice(Column),
    /// No column is named where one must be.
    NoColumn,
    /// No position is given.
    NoRoot,
    /// More positions are given than can be numbered.
    TooManyRoots,
    /// A predicate cannot be read.
    Predicate {
        /// The byte where it went wrong.
        at: usize,
        /// What was found and what is allowed.
        message: String,
    },
    /// The rows cannot be put into a table or a file.
    Arrow(arrow::error::ArrowError),
    /// They cannot be put into Parquet.
    #[cfg(feature = "parquet")]
    Parquet(parquet::errors::ParquetError),
    /// The file cannot be written.
    Io(std::io::Error),
    /// The writing was called off.
    Cancelled,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Depth(found) => write!(f, "the depth is {found}, but must be 1 to {MAX_DEPTH}"),
            Error::UnknownColumn { found, near: Some(near) } => {
                write!(f, "no column is named `{found}`, did you mean `{near}`?")
            }
            Error::UnknownColumn { found, near: None } => {
                let known: Vec<&str> = Column::ALL.iter().map(|column| column.name()).collect();
                write!(f, "no column is named `{found}`; the columns are {}", known.join(", "))
            }
            Error::ColumnTwice(column) => write!(f, "column `{}` is named twice", column.name()),
            Error::NoColumn => f.write_str("no column is named, a file needs one"),
            Error::NoRoot => f.write_str("there is no position to start from"),
            Error::TooManyRoots => f.write_str("more positions to start from than can be numbered"),
            Error::Predicate { at, message } => write!(f, "predicate, byte {at}: {message}"),
            Error::Arrow(error) => error.fmt(f),
            #[cfg(feature = "parquet")]
            Error::Parquet(error) => error.fmt(f),
            Error::Io(error) => error.fmt(f),
            Error::Cancelled => f.write_str("interrupted; nothing was written"),
        }
    }
}

impl std::error::Error for Error {}

impl From<arrow::error::ArrowError> for Error {
    fn from(error: arrow::error::ArrowError) -> Error {
        match error {
            arrow::error::ArrowError::IoError(_, error) => Error::Io(error),
            error => Error::Arrow(error),
        }
    }
}

#[cfg(feature = "parquet")]
impl From<parquet::errors::ParquetError> for Error {
    fn from(error: parquet::errors::ParquetError) -> Error {
        match error {
            parquet::errors::ParquetError::External(error) => match error.downcast() {
                Ok(error) => Error::Io(*error),
                Err(error) => Error::Parquet(parquet::errors::ParquetError::External(error)),
            },
            error => Error::Parquet(error),
        }
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        Error::Io(error)
    }
}
