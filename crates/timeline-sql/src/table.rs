//! Answers as aligned tables.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::util::pretty::pretty_format_batches_with_schema;
use datafusion::error::Result;

/// An aligned table shows no more rows than this.
pub const MOST_ROWS: usize = 1000;

/// The rows of a table, as many as are shown.
#[derive(Default)]
pub(crate) struct Table {
    batches: Vec<RecordBatch>,
    rows: usize,
}

impl Table {
    /// Adds rows; false if there are more than are shown.
    pub(crate) fn push(&mut self, batch: &RecordBatch) -> bool {
        let shown = batch.num_rows().min(MOST_ROWS - self.rows);
        self.rows += shown;
        self.batches.push(batch.slice(0, shown));
        shown == batch.num_rows()
    }

    /// The table, or where that is too wide its rows one below the other. What has no columns,
    /// such as the making of a table, shows nothing.
    pub(crate) fn format(&self, schema: SchemaRef, width: Option<usize>) -> Result<String> {
        if schema.fields().is_empty() {
            return Ok(String::new());
        }
        let table = pretty_format_batches_with_schema(schema.clone(), &self.batches)?.to_string();
        // Every line of a table is as wide as the first.
        let needed = table.lines().next().map_or(0, |line| line.chars().count());
        match width {
            Some(width) if needed > width && self.rows > 0 => self.records(&schema, width),
            _ => Ok(table + "\n"),
        }
    }

    /// The rows one below the other, a line for each column.
    fn records(&self, schema: &SchemaRef, width: usize) -> Result<String> {
        let names: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
        let widest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let options = FormatOptions::default();
        let mut text = String::new();
        let mut number = 0;
        for batch in &self.batches {
            let columns = batch.columns().iter();
            let cells = columns.map(|column| ArrayFormatter::try_new(column.as_ref(), &options));
            let cells = cells.collect::<Result<Vec<_>, _>>()?;
            for row in 0..batch.num_rows() {
                number += 1;
                let title = format!("-[ row {number} ]");
                text += &format!("{title:-<width$}\n");
                for (name, cell) in names.iter().zip(&cells) {
                    let value = cell.value(row).try_to_string()?;
                    let mut name = name.as_str();
                    // A value of several lines stays in its column.
                    for line in value.split('\n') {
                        text += format!("{name:<widest$} | {line}").trim_end();
                        text.push('\n');
                        name = "";
                    }
                }
            }
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use datafusion::arrow::array::{ArrayRef, Int32Array, StringArray};

    use super::*;

    #[test]
    fn a_table_that_is_too_wide_shows_its_rows_one_below_the_other() {
        let numbers: ArrayRef = Arc::new(Int32Array::from(vec![1, 22]));
        let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("a\nb"), None]));
        let batch = RecordBatch::try_from_iter([("ply", numbers), ("picture", texts)]);
        let batch = batch.expect("the columns are as long as each other");
        let mut table = Table::default();
        assert!(table.push(&batch));
        let shown = |width| table.format(batch.schema(), width).expect("it can be shown");
        let aligned = "\
+-----+---------+
| ply | picture |
+-----+---------+
| 1   | a       |
|     | b       |
| 22  |         |
+-----+---------+
";
        assert_eq!(shown(None), aligned);
        assert_eq!(shown(Some(17)), aligned);
        let records = "\
-[ row 1 ]------
ply     | 1
picture | a
        | b
-[ row 2 ]------
ply     | 22
picture |
";
        assert_eq!(shown(Some(16)), records);
    }
}
