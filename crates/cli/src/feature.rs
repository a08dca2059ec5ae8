//! Commands that this build was made without.

use std::ffi::OsString;

use serde_json::json;

use crate::failure::{Code, Failure};

/// Whatever was asked of a command that is not here.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Absent {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _rest: Vec<OsString>,
}

/// That something needs a feature, and how to get it.
#[allow(dead_code, reason = "a build with every feature lacks nothing")]
pub(crate) fn missing(what: &str, feature: &str) -> Failure {
    let message = format!(
        "{what} is not in this build: install it with \
         cargo install --path crates/cli --features {feature}"
    );
    Failure::new(Code::MissingFeature, message, json!({ "feature": feature }))
}
