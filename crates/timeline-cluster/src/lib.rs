//! Timelines.
