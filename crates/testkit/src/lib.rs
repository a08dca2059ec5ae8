//! What every game must pass, and what its tests are written with.
//!
//! [`conformance!`] makes one test for each law of the engine. [`playthrough`] writes a random game
//! down, to be compared with a golden file; [`check_perft`] counts what data files promise;
//! [`drawn`] makes a state of a picture; [`oracle`] plays a definition the slow and plain way, and
//! [`sample`] holds small games that together use most of the vocabulary and [`witness`] known ones;
//! [`random`] makes definitions from the grammar, and [`edit`] says the same in other words.
//!
//! ```
//! use senet_core::Plain;
//! use senet_testkit::{conformance, sample};
//!
//! conformance!(skirmish, sample::skirmish(), &Plain, "skirmish.txt");
//! # fn main() {}
//! ```

pub mod allocation;
pub mod backgammon;
mod case;
mod drawn;
pub mod edit;
mod golden;
pub mod law;
mod mangle;
mod mutate;
pub mod oracle;

mod perft;
mod playthrough;
pub mod random;
pub mod sample;
pub mod witness;

pub use case::{Case, Walk};
pub use drawn::{Legend, drawn, picture};
pub use golden::check_golden;
pub use mangle::{mangled_bytes, mangled_json, mangled_text};
pub use mutate::{mutate_bytes, mutate_json, mutate_text, node, nodes};
pub use perft::{PerftLine, check_perft, parse_perft};
pub use playthrough::playthrough;
pub use senet_chance::{Source, playout};

/// Makes a module of tests, one for each law that every game obeys.
///
/// `conformance!(name, game, notation)` compares the playthrough with `tests/data/playthrough.txt`
/// of the crate that calls it; a fourth argument names another file of `tests/data`.
#[macro_export]
macro_rules! conformance {
    ($name:ident, $game:expr, $notation:expr $(,)?) => {
        $crate::conformance!($name, $game, $notation, "playthrough.txt");
    };
    ($name:ident, $game:expr, $notation:expr, $golden:expr $(,)?) => {
        mod $name {
            #[allow(unused_imports, reason = "the expressions may name what stands around")]
            use super::*;

            fn case() -> $crate::Case {
                $crate::Case::new($game, $notation)
            }

            #[test]
            fn playthrough_is_golden() {
                let case = case();
                let text = $crate::playthrough(&case.game, case.notation, 1);
                $crate::check_golden(env!("CARGO_MANIFEST_DIR"), $golden, &text);
            }

            $crate::each_law! {
                legal_is_exactly_what_apply_accepts
                a_refused_event_changes_nothing
                undo_restores
                branches_do_not_meet
                incremental_hash_equals_full_hash
                replay_is_identity
                saved_matches_load_at_every_step
                definition_written_and_read_back_is_the_same_game
                same_seed_gives_same_bytes
                chance_sums_to_one
                position_text_round_trips
                event_text_round_trips
                diff_is_empty_between_equals_only
                every_option_combination_agrees
                perft_counts_what_apply_reaches
                picking_finds_what_legal_lists
                turns_are_counted_as_they_are_listed
                turns_are_distinct_and_replay
                pieces_agree_with_tiles
                planes_agree_with_pieces
                states_are_sound
                all_judges_true_means_accepted
            }
        }
    };
}

/// A test for each law named.
#[doc(hidden)]
#[macro_export]
macro_rules! each_law {
    ($($law:ident)*) => {$(
        #[test]
        fn $law() {
            $crate::law::$law(&case());
        }
    )*};
}
