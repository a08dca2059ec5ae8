//! The JSON Schema of definitions, derived from the types that read them.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;

use super::Definition;

impl Definition {
    /// The JSON Schema (draft 2020-12) of definitions in JSON.
    #[must_use]
    pub fn schema() -> Value {
        let mut schema =
            SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Definition>();
        RecursiveTransform(describe).transform(&mut schema);
        schema.to_value()
    }
}

/// Puts a description on one line and shows links to items of this crate as their names: readers of
/// the schema have no pages to follow them to.
fn describe(schema: &mut Schema) {
    let Some(Value::String(text)) = schema.get("description") else {
        return;
    };
    let text =
        text.replace('\n', " ").replace("[`crate::", "`").replace("[`", "`").replace("`]", "`");
    schema.insert("description".to_owned(), text.into());
}
