//! The JSON Schema of definitions, derived from the types that read them.

use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::{Value, json};

use super::Definition;

impl Definition {
    /// The JSON Schema (draft 2020-12) of definitions in JSON.
    #[must_use]
    pub fn schema() -> Value {
        let mut schema =
            SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Definition>();
        RecursiveTransform(describe).transform(&mut schema);
        let mut schema = schema.to_value();
        add_lets(&mut schema);
        schema
    }
}

/// Adds the names that a text may give to parts of it, which are written out before the types read it.
fn add_lets(schema: &mut Value) {
    let list = |of: Value| json!({ "type": "array", "items": of });
    schema["properties"]["lets"] = list(json!({
        "description": "A name for a part of the definition, which `let` uses. It is written out \
            when the definition is read.",
        "type": "object",
        "additionalProperties": false,
        "required": ["name", "is"],
        "properties": {
            "name": { "type": "string" },
            "parameters": list(json!({ "type": "string" })),
            "is": { "description": "What the name stands for." },
        },
    }));
    schema["$defs"]["Let"] = json!({
        "description": "What a name of `lets` stands for, or an argument of it.",
        "type": "object",
        "additionalProperties": false,
        "required": ["let"],
        "properties": {
            "let": { "type": "string" },
            "with": { "description": "The arguments.", "type": "array" },
        },
    });
    for word in ["Set", "Tile", "Number", "Truth", "Effect"] {
        if let Some(Value::Array(forms)) = schema["$defs"][word].get_mut("oneOf") {
            forms.push(json!({ "$ref": "#/$defs/Let" }));
        }
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
