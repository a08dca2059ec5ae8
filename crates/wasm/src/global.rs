//! Global variables of a module.

/// Where free room begins.
pub(crate) const FREE: u32 = 0;
/// How many more nodes may be visited; below nothing where there were not enough.
pub(crate) const BUDGET: u32 = 1;
/// The sum of the hashes of leaves.
pub(crate) const SUM: u32 = 2;
/// Where a host may write a state.
pub(crate) const WORK: u32 = 3;
/// Where a host may have a list written, behind that state.
pub(crate) const ROOM: u32 = 4;
/// Whether a rule is finding out who would be stuck after it.
pub(crate) const ASKED: u32 = 5;
/// The open phase and the player to move, plus one; 0 where play has stopped.
pub(crate) const CASE: u32 = 6;
/// How many events were noted.
pub(crate) const NOTED: u32 = 7;
/// The copy of a node's state in which events are carried out.
pub(crate) const COPY: u32 = 8;
/// Whether an event has given the turn to somebody, where that depends on the state.
pub(crate) const TURNED: u32 = 9;
