//! Questions to game trees in SQL.
//!
//! [`context`] gives a DataFusion session in which `timeline('chess', '', 3)` is a table, states
//! can be asked with functions such as `legal_count(state)` or `unnest(successors(state))`, and
//! Parquet files can be read beside them. [`layer`] has the layers of move generation as data
//! frames, for any game.

mod error;
mod expand;
mod function;
pub mod layer;
mod line;
mod order;
mod session;
mod shelf;
mod source;
mod state;
mod table;
mod task;

use std::sync::Arc;

use datafusion::prelude::{SessionConfig, SessionContext};

pub use error::QueryError;
pub use expand::ExpandExec;
pub use order::Order;
pub use session::{Extent, Form, Purpose, Saved, Session};
pub use shelf::{Shelf, UnknownState};
pub use source::TimelineTable;
pub use state::functions;
pub use table::MOST_ROWS;
pub use task::Task;

/// The configuration of a session that answers queries on `threads` threads.
pub fn config(threads: usize) -> SessionConfig {
    let mut config = SessionConfig::new()
        .with_target_partitions(threads)
        .with_information_schema(true)
        .with_batch_size(senet_timeline::BATCH_ROWS);
    // Where something is wrong with a question, the place is told.
    config.options_mut().sql_parser.collect_spans = true;
    config
}

/// A session in which game trees can be asked.
pub fn context(shelf: &Arc<Shelf>, threads: usize) -> SessionContext {
    let context = SessionContext::new_with_config(config(threads)).enable_url_table();
    register(&context, shelf);
    context
}

/// Makes tables and functions of game trees known in a session, and the files they are kept in.
pub fn register(context: &SessionContext, shelf: &Arc<Shelf>) {
    function::register(context, shelf);
    line::register(context);
    for function in functions(shelf) {
        context.register_udf(function);
    }
}
