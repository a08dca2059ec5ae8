//! A bar on standard error, where that is a terminal.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A bar of a length. It shows nothing where standard error is no terminal.
pub(crate) fn bar(length: u64, unit: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {unit}, {{eta}} left");
    let style = ProgressStyle::with_template(&template).expect("the template is fixed");
    let bar = ProgressBar::new(length).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A bar of bytes; without a length, how many there were so far. It shows nothing where standard
/// error is no terminal.
pub(crate) fn bytes(length: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match length {
        Some(length) => {
            let template = "{wide_bar} {binary_bytes}/{binary_total_bytes}, {eta} left";
            (ProgressBar::new(length), template)
        }
        None => (ProgressBar::no_length(), "{spinner} {binary_bytes}, {binary_bytes_per_sec}"),
    };
    let style = ProgressStyle::with_template(template).expect("the template is fixed");
    let bar = bar.with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
