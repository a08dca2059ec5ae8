//! Conditions on a row, as text: `captured is not null and piece in ('pawn', 'knight')`.
//!
//! The words are those of SQL, and so is the meaning: what is compared with nothing is unknown,
//! and a predicate that is unknown does not hold.

mod token;

use arrow::array::{Array, AsArray};
use arrow::datatypes::{DataType, Float64Type, Int32Type, Int64Type};
use arrow::record_batch::RecordBatch;

use crate::column::Column;
use crate::error::Error;
use token::{Token, Tokens};

/// A condition on a row.
#[derive(Clone, Debug)]
pub(crate) struct Predicate {
    text: String,
    columns: Vec<Column>,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Any(Vec<Test>),
    All(Vec<Test>),
    Not(Box<Test>),
    Compare(Operand, Comparison, Operand),
    In(Operand, Vec<Value>),
    Null(Operand),
    Truth(Operand),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

#[derive(Clone, Debug)]
enum Operand {
    /// A column by its place among those asked about.
    Column(usize),
    Value(Value),
}

#[derive(Clone, Debug, PartialEq, PartialOrd)]
enum Value {
    Truth(bool),
    Number(f64),
    Text(String),
}

/// Predicates may be nested so deep.
const DEEPEST: usize = 64;

impl Predicate {
    pub(crate) fn parse(text: &str) -> Result<Predicate, Error> {
        let mut parser = Parser { tokens: Tokens::new(text), columns: Vec::new(), depth: 0 };
        let test = parser.any()?;
        match parser.tokens.peek() {
            Token::End => Ok(Predicate { text: text.to_owned(), columns: parser.columns, test }),
            _ => Err(parser.tokens.unexpected("`and`, `or` or the end")),
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The columns that it asks about.
    pub(crate) fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// For each row of its columns whether it holds.
    pub(crate) fn holds(&self, rows: &RecordBatch) -> Vec<bool> {
        (0..rows.num_rows()).map(|row| self.test.holds(rows, row) == Some(true)).collect()
    }
}

impl Test {
    fn holds(&self, rows: &RecordBatch, row: usize) -> Option<bool> {
        match self {
            Test::Any(tests) => decide(tests, rows, row, true),
            Test::All(tests) => decide(tests, rows, row, false),
            Test::Not(test) => test.holds(rows, row).map(|holds| !holds),
            Test::Null(operand) => Some(operand.value(rows, row).is_none()),
            Test::Truth(operand) => Some(operand.value(rows, row)? == Value::Truth(true)),
            Test::In(operand, values) => Some(values.contains(&operand.value(rows, row)?)),
            Test::Compare(left, how, right) => {
                let order = left.value(rows, row)?.partial_cmp(&right.value(rows, row)?)?;
                Some(match how {
                    Comparison::Equal => order.is_eq(),
                    Comparison::Unequal => order.is_ne(),
                    Comparison::Less => order.is_lt(),
                    Comparison::AtMost => order.is_le(),
                    Comparison::Greater => order.is_gt(),
                    Comparison::AtLeast => order.is_ge(),
                })
            }
        }
    }
}

/// Whether one of the tests gives the deciding answer, or none could.
fn decide(tests: &[Test], rows: &RecordBatch, row: usize, deciding: bool) -> Option<bool> {
    let mut answer = Some(!deciding);
    for test in tests {
        match test.holds(rows, row) {
            Some(holds) if holds == deciding => return Some(deciding),
            Some(_) => {}
            None => answer = None,
        }
    }
    answer
}

impl Operand {
    fn value(&self, rows: &RecordBatch, row: usize) -> Option<Value> {
        let column = match self {
            Operand::Value(value) => return Some(value.clone()),
            Operand::Column(column) => rows.column(*column),
        };
        if column.is_null(row) {
            return None;
        }
        Some(match column.data_type() {
            DataType::Boolean => Value::Truth(column.as_boolean().value(row)),
            DataType::Int32 => Value::Number(column.as_primitive::<Int32Type>().value(row).into()),
            DataType::Int64 => Value::Number(column.as_primitive::<Int64Type>().value(row) as f64),
            DataType::Float64 => Value::Number(column.as_primitive::<Float64Type>().value(row)),
            DataType::Utf8View => Value::Text(column.as_string_view().value(row).to_owned()),
            DataType::BinaryView => Value::Text(hex(column.as_binary_view().value(row))),
            _ => Value::Text(hex(column.as_fixed_size_binary().value(row))),
        })
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What an operand is, as far as comparing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Truth,
    Number,
    Text,
}

impl Sort {
    fn name(self) -> &'static str {
        match self {
            Sort::Truth => "true or false",
            Sort::Number => "a number",
            Sort::Text => "a text in single quotes",
        }
    }
}

struct Parser<'t> {
    tokens: Tokens<'t>,
    columns: Vec<Column>,
    depth: usize,
}

impl Parser<'_> {
    fn any(&mut self) -> Result<Test, Error> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.tokens.error(format!("nested more than {DEEPEST} deep")));
        }
        let mut tests = vec![self.all()?];
        while self.tokens.take_word("or") {
            tests.push(self.all()?);
        }
        self.depth -= 1;
        Ok(if tests.len() == 1 { tests.remove(0) } else { Test::Any(tests) })
    }

    fn all(&mut self) -> Result<Test, Error> {
        let mut tests = vec![self.one()?];
        while self.tokens.take_word("and") {
            tests.push(self.one()?);
        }
        Ok(if tests.len() == 1 { tests.remove(0) } else { Test::All(tests) })
    }

    fn one(&mut self) -> Result<Test, Error> {
        let mut negated = false;
        while self.tokens.take_word("not") {
            negated = !negated;
        }
        let test = if self.tokens.take_mark("(") {
            let inside = self.any()?;
            self.expect_mark(")")?;
            inside
        } else {
            self.test()?
        };
        Ok(if negated { Test::Not(Box::new(test)) } else { test })
    }

    fn test(&mut self) -> Result<Test, Error> {
        let (left, sort) = self.operand()?;
        if self.tokens.take_word("is") {
            let negated = self.tokens.take_word("not");
            if !self.tokens.take_word("null") {
                return Err(self.tokens.unexpected("`null`"));
            }
            let null = Test::Null(left);
            return Ok(if negated { Test::Not(Box::new(null)) } else { null });
        }
        let negated = self.tokens.take_word("not");
        if self.tokens.take_word("in") {
            let test = Test::In(left, self.list(sort)?);
            return Ok(if negated { Test::Not(Box::new(test)) } else { test });
        }
        if negated {
            return Err(self.tokens.unexpected("`in`"));
        }
        let Some(how) = self.comparison() else {
            return match sort {
                Sort::Truth => Ok(Test::Truth(left)),
                _ => Err(self.tokens.unexpected("a comparison such as `=`, or `is null`, or `in`")),
            };
        };
        let at = self.tokens.at();
        let (right, other) = self.operand()?;
        if sort != other {
            let message = format!("compared with {}, which is not {}", other.name(), sort.name());
            return Err(Error::Predicate { at, message });
        }
        Ok(Test::Compare(left, how, right))
    }

    fn list(&mut self, sort: Sort) -> Result<Vec<Value>, Error> {
        self.expect_mark("(")?;
        let mut values = Vec::new();
        loop {
            match self.operand()? {
                (Operand::Value(value), other) if other == sort => values.push(value),
                _ => return Err(self.tokens.error(format!("expected {}", sort.name()))),
            }
            if !self.tokens.take_mark(",") {
                break;
            }
        }
        self.expect_mark(")")?;
        Ok(values)
    }

    fn comparison(&mut self) -> Option<Comparison> {
        const MARKS: [(&str, Comparison); 7] = [
            ("=", Comparison::Equal),
            ("<>", Comparison::Unequal),
            ("!=", Comparison::Unequal),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ];
        MARKS.iter().find(|(mark, _)| self.tokens.take_mark(mark)).map(|(_, how)| *how)
    }

    fn operand(&mut self) -> Result<(Operand, Sort), Error> {
        let at = self.tokens.at();
        let value = |value, sort| Ok((Operand::Value(value), sort));
        match self.tokens.next() {
            Token::Number(number) => value(Value::Number(number), Sort::Number),
            Token::Text(text) => value(Value::Text(text), Sort::Text),
            Token::Word(word) if word.eq_ignore_ascii_case("true") => {
                value(Value::Truth(true), Sort::Truth)
            }
            Token::Word(word) if word.eq_ignore_ascii_case("false") => {
                value(Value::Truth(false), Sort::Truth)
            }
            Token::Word(word) => {
                let column = Column::find(&word)
                    .map_err(|error| Error::Predicate { at, message: error.to_string() })?;
                let known = self.columns.iter().position(|one| *one == column);
                let place = known.unwrap_or_else(|| {
                    self.columns.push(column);
                    self.columns.len() - 1
                });
                Ok((Operand::Column(place), sort(column)))
            }
            Token::Bad(message) => Err(Error::Predicate { at, message }),
            Token::Mark(_) | Token::End => {
                let message = "expected a column, a number or a text".into();
                Err(Error::Predicate { at, message })
            }
        }
    }

    fn expect_mark(&mut self, mark: &str) -> Result<(), Error> {
        match self.tokens.take_mark(mark) {
            true => Ok(()),
            false => Err(self.tokens.unexpected(&format!("`{mark}`"))),
        }
    }
}

fn sort(column: Column) -> Sort {
    match Column::schema(&[column]).field(0).data_type() {
        DataType::Boolean => Sort::Truth,
        DataType::Int32 | DataType::Int64 | DataType::Float64 => Sort::Number,
        _ => Sort::Text,
    }
}
