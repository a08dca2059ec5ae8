//! The laws that every game obeys, each a function that panics where one is broken.

mod board;
mod event;
mod history;
mod option;
mod secret;
mod sound;
mod text;

pub use board::{
    diff_is_empty_between_equals_only, incremental_hash_equals_full_hash, pieces_agree_with_tiles,
    planes_agree_with_pieces,
};
pub use event::{
    a_refused_event_changes_nothing, chance_sums_to_one, legal_is_exactly_what_apply_accepts,
    perft_counts_what_apply_reaches, picking_finds_what_legal_lists,
    turns_are_counted_as_they_are_listed, turns_are_distinct_and_replay,
};
pub use history::{
    branches_do_not_meet, replay_is_identity, same_seed_gives_same_bytes,
    saved_matches_load_at_every_step, undo_restores,
};
pub use option::{
    definition_written_and_read_back_is_the_same_game, every_option_combination_agrees,
};
pub use secret::{hidden_facts_change_nothing, hidden_facts_change_nothing_in};
pub use sound::{
    Effort, a_state_is_sound, all_judges_true_means_accepted, doors_agree, every_state_is_sound,
    states_are_sound,
};
pub use text::{event_text_round_trips, position_text_round_trips};
