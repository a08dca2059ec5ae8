//! The `senet` command from outside: what goes in, what comes out, and how it exits.

mod ask;
mod backgammon;
mod bot;
mod chess;
#[cfg(feature = "cluster")]
mod cluster;
mod count;
#[cfg(unix)]
mod file;
mod game;
#[cfg(unix)]
mod junk;
mod lsp;
mod pgn;
mod pipe;
mod play;
mod replay;
mod rpc;
mod senet;
mod serve;
mod sql;
mod timeline;
mod uci;
