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

/// A bar of rows of which the number is not known before. It shows nothing where standard error
/// is no terminal.
#[cfg(feature = "timeline")]
pub(crate) fn rows() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {percent} %, {msg}, {eta} left");
    let style = style.expect("the template is fixed");
    let bar = ProgressBar::new(0).with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A sign that somebody is at work and for how long, where nobody knows how much is left. It shows
/// nothing where standard error is no terminal.
#[cfg(feature = "sql")]
pub(crate) fn waiting() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
    let style = style.expect("the template is fixed");
    let bar = ProgressBar::no_length().with_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Shows how many rows there are and how many parts are done.
#[cfg(feature = "timeline")]
pub(crate) fn tell_rows(bar: &ProgressBar, rows: u64, done: u64, parts: u64) {
    bar.set_length(parts);
    bar.set_position(done);
    let speed = rows as f64 / bar.elapsed().as_secs_f64().max(1e-3) / 1e6;
    bar.set_message(format!("{:.1} M rows, {speed:.2} M/s", rows as f64 / 1e6));
}
