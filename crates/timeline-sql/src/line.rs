//! Files of lines of JSON. DataFusion knows them as `.json`, others call them `.jsonl`.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::common::GetExt;
use datafusion::datasource::file_format::json::JsonFormatFactory;
use datafusion::datasource::file_format::{FileFormat, FileFormatFactory};
use datafusion::error::Result;
use datafusion::prelude::SessionContext;

/// The endings of such files.
const ENDINGS: [&str; 2] = ["jsonl", "ndjson"];

/// The format under one of its names.
#[derive(Debug)]
struct Lines {
    ending: &'static str,
    format: JsonFormatFactory,
}

/// Makes the endings known in a session.
pub(crate) fn register(context: &SessionContext) {
    let state = context.state_ref();
    let mut state = state.write();
    for ending in ENDINGS {
        let lines = Lines { ending, format: JsonFormatFactory::new() };
        // Replacing what is there never fails.
        let _ = state.register_file_format(Arc::new(lines), true);
    }
}

impl GetExt for Lines {
    fn get_ext(&self) -> String {
        self.ending.to_owned()
    }
}

impl FileFormatFactory for Lines {
    fn create(
        &self,
        state: &dyn Session,
        options: &HashMap<String, String>,
    ) -> Result<Arc<dyn FileFormat>> {
        self.format.create(state, options)
    }

    fn default(&self) -> Arc<dyn FileFormat> {
        FileFormatFactory::default(&self.format)
    }
}
