//! Timelines from outside: rows, columns, predicates and files.

mod file;
mod predicate;
mod row;
mod subject;
mod tree;
