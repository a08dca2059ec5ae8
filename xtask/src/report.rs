//! What was measured, as a table or as JSON.

use serde_json::{Map, Value, json};

/// Rows of named cells. Reports of different benches may have different columns.
#[derive(Debug, Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

/// What was measured of one thing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row(Vec<(&'static str, Cell)>);

/// One value.
#[derive(Clone, Debug)]
enum Cell {
    Text(String),
    /// A number that is written already.
    Figure(String),
    /// The number, and how many digits a table shows after the point.
    Number(f64, usize),
}

impl Row {
    pub(crate) fn text(mut self, column: &'static str, text: impl Into<String>) -> Self {
        self.0.push((column, Cell::Text(text.into())));
        self
    }

    /// A number with its unit, as it is to be read.
    pub(crate) fn figure(mut self, column: &'static str, figure: String) -> Self {
        self.0.push((column, Cell::Figure(figure)));
        self
    }

    pub(crate) fn number(mut self, column: &'static str, number: f64, digits: usize) -> Self {
        self.0.push((column, Cell::Number(number, digits)));
        self
    }

    fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(column, _)| *column)
    }
}

impl Cell {
    fn written(&self) -> String {
        match self {
            Cell::Text(text) | Cell::Figure(text) => text.clone(),
            Cell::Number(number, digits) => format!("{number:.digits$}"),
        }
    }

    fn padded(&self, width: usize) -> String {
        match self {
            Cell::Text(text) => format!("{text:<width$}"),
            Cell::Figure(_) | Cell::Number(..) => format!("{:>width$}", self.written()),
        }
    }

    /// How Markdown is told to align the column.
    fn alignment(&self) -> &'static str {
        match self {
            Cell::Text(_) => "---",
            Cell::Figure(_) | Cell::Number(..) => "---:",
        }
    }
}

impl Report {
    pub(crate) fn push(&mut self, row: Row) {
        self.rows.push(row);
    }

    pub(crate) fn add(&mut self, other: Report) {
        self.rows.extend(other.rows);
    }

    /// The same without some columns.
    pub(crate) fn without(&self, columns: &[&str]) -> Report {
        let kept = |row: &Row| {
            let cells = row.0.iter().filter(|(column, _)| !columns.contains(column));
            Row(cells.cloned().collect())
        };
        Report { rows: self.rows.iter().map(kept).collect() }
    }

    /// An aligned table; where the columns change, a new one begins.
    pub(crate) fn table(&self) -> String {
        let tables = self.rows.chunk_by(|one, next| one.columns().eq(next.columns()));
        tables.map(table).collect::<Vec<_>>().join("\n")
    }

    /// `{"rows": […]}`, an object for each row.
    pub(crate) fn json(&self) -> String {
        format!("{}\n", json!({ "rows": self.rows() }))
    }

    /// The rows, an object each.
    pub(crate) fn rows(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            let cells = row.0.iter().map(|(column, cell)| {
                let value = match cell {
                    Cell::Text(text) | Cell::Figure(text) => json!(text),
                    Cell::Number(number, _) => json!(number),
                };
                ((*column).to_owned(), value)
            });
            Value::Object(cells.collect::<Map<_, _>>())
        });
        rows.collect()
    }

    /// A table of Markdown; where the columns change, a new one begins.
    pub(crate) fn markdown(&self) -> String {
        let tables = self.rows.chunk_by(|one, next| one.columns().eq(next.columns()));
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let table = |rows: &[Row]| {
            let titles = rows[0].columns().map(str::to_owned).collect();
            let alignments = rows[0].0.iter().map(|(_, cell)| cell.alignment().to_owned());
            let cells = |row: &Row| row.0.iter().map(|(_, cell)| cell.written()).collect();
            let head = line(titles) + &line(alignments.collect());
            head + &rows.iter().map(|row| line(cells(row))).collect::<String>()
        };
        tables.map(table).collect::<Vec<_>>().join("\n")
    }
}

fn table(rows: &[Row]) -> String {
    let titles: Vec<&str> = rows[0].columns().collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row.0[column].1.written().chars().count());
        cells.chain([titles[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..titles.len()).map(width).collect();
    let title = |column: usize| match rows[0].0[column].1 {
        Cell::Text(_) => format!("{:<1$}", titles[column], widths[column]),
        _ => format!("{:>1$}", titles[column], widths[column]),
    };
    let mut lines = vec![(0..titles.len()).map(title).collect::<Vec<_>>()];
    for row in rows {
        let cells = row.0.iter().zip(&widths).map(|((_, cell), width)| cell.padded(*width));
        lines.push(cells.collect());
    }
    let lines = lines.iter().map(|line| format!("{}\n", line.join("  ").trim_end()));
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let row = |name: &str, time| Row::default().text("name", name).number("ns", time, 1);
        let mut report = Report::default();
        report.push(row("short", 1.0));
        report.push(row("rather long", 1234.56));
        report
    }

    #[test]
    fn a_table_is_aligned() {
        let expected = "name             ns\nshort           1.0\nrather long  1234.6\n";
        assert_eq!(report().table(), expected);
    }

    #[test]
    fn rows_of_other_columns_begin_a_new_table() {
        let mut report = report();
        report.push(Row::default().text("game", "x"));
        assert!(report.table().ends_with("1234.6\n\ngame\nx\n"), "{}", report.table());
    }

    #[test]
    fn markdown_says_how_columns_are_aligned() {
        let expected = "| name | ns |\n| --- | ---: |\n| short | 1.0 |\n| rather long | 1234.6 |\n";
        assert_eq!(report().markdown(), expected);
    }

    #[test]
    fn columns_can_be_left_out() {
        assert_eq!(report().without(&["ns"]).table(), "name\nshort\nrather long\n");
    }

    #[test]
    fn json_keeps_every_digit() {
        let expected = "{\"rows\":[{\"name\":\"short\",\"ns\":1.0},\
            {\"name\":\"rather long\",\"ns\":1234.56}]}\n";
        assert_eq!(report().json(), expected);
    }
}
