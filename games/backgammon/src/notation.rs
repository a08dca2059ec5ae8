//! How backgammon is written.

use senet_core::Plain;

/// The notation of backgammon.
pub static NOTATION: Plain = Plain;
