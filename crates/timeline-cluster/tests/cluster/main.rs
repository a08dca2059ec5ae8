//! A cluster of processes on this machine, asked from outside.

mod answer;
mod fault;
mod process;
mod save;
