//! What shells offer where a half-written word is a game or an opponent.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

/// A text that is anything, with some words that shells offer.
#[derive(Clone)]
pub(crate) struct Offered(fn() -> Vec<&'static str>);

/// A game by name, or a file.
pub(crate) fn games() -> Offered {
    Offered(|| senet::games().collect())
}

/// An opponent.
pub(crate) fn bots() -> Offered {
    Offered(|| vec!["random", "mcts", "search"])
}

impl TypedValueParser for Offered {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}
