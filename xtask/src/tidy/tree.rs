//! The files of the workspace, read once.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

/// One text file.
#[derive(Clone, Debug)]
pub(crate) struct File {
    /// From the root of the workspace, with `/` between the parts.
    pub(crate) path: String,
    /// The whole content.
    pub(crate) text: String,
}

impl File {
    /// The lines with their numbers, counted from one.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// The path below `src` if this is a module of one of our crates.
    pub(crate) fn module(&self) -> Option<&str> {
        let (home, rest) = self.path.split_once('/')?;
        let below = match home {
            "crates" | "games" => rest.split_once('/')?.1,
            "python" | "xtask" => rest,
            _ => return None,
        };
        below.strip_prefix("src/").filter(|path| path.ends_with(".rs"))
    }
}

/// Every text file of the workspace, and every path whether text or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    files: Vec<File>,
    paths: BTreeSet<String>,
}

impl Tree {
    /// Reads what git would keep: `.gitignore` is obeyed, and so is the tag by which cargo marks its
    /// output, wherever that output is sent.
    pub(crate) fn read(root: &Path) -> io::Result<Self> {
        let mut tree = Self::default();
        let walk = WalkBuilder::new(root)
            .standard_filters(false)
            .git_ignore(true)
            .require_git(false)
            .sort_by_file_name(Ord::cmp)
            .filter_entry(is_source)
            .build();
        for entry in walk {
            let entry = entry.map_err(io::Error::other)?;
            let Ok(path) = entry.path().strip_prefix(root) else {
                continue;
            };
            let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
            if parts.is_empty() {
                continue;
            }
            let text = if entry.path().is_file() { Some(fs::read(entry.path())?) } else { None };
            tree.add(parts.join("/"), text.and_then(|bytes| String::from_utf8(bytes).ok()));
        }
        Ok(tree)
    }

    /// A tree written down in a test.
    #[cfg(test)]
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let mut tree = Self::default();
        for (path, text) in files {
            for (end, _) in path.match_indices('/') {
                tree.add(path[..end].to_owned(), None);
            }
            tree.add((*path).to_owned(), Some((*text).to_owned()));
        }
        tree
    }

    /// The text files, ordered by path.
    pub(crate) fn files(&self) -> &[File] {
        &self.files
    }

    /// The text file at a path.
    pub(crate) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// The text files with an extension.
    pub(crate) fn with_extension(&self, extension: &str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| {
            file.path.rsplit_once('.').is_some_and(|(_, found)| found == extension)
        })
    }

    /// The modules of our crates.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.module().is_some())
    }

    /// Whether a file or folder exists.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// Whether a file exists somewhere whose path ends in these parts.
    pub(crate) fn has_ending(&self, parts: &str) -> bool {
        let ending = format!("/{parts}");
        self.has(parts) || self.paths.iter().any(|path| path.ends_with(&ending))
    }

    fn add(&mut self, path: String, text: Option<String>) {
        self.paths.insert(path.clone());
        self.files.extend(text.map(|text| File { path, text }));
    }
}

fn is_source(entry: &DirEntry) -> bool {
    entry.file_name() != ".git" && !entry.path().join("CACHEDIR.TAG").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_the_rust_files_below_src() {
        let module = |path: &str| {
            let file = File { path: path.to_owned(), text: String::new() };
            file.module().map(str::to_owned)
        };
        assert_eq!(module("crates/core/src/path/ray.rs").as_deref(), Some("path/ray.rs"));
        assert_eq!(module("games/tic_tac_toe/src/lib.rs").as_deref(), Some("lib.rs"));
        assert_eq!(module("crates/core/tests/path.rs"), None);
        assert_eq!(module("crates/core/src/notes.md"), None);
        assert_eq!(module("xtask/src/main.rs").as_deref(), Some("main.rs"));
    }

    #[test]
    fn the_workspace_is_read_without_build_output() {
        let tree = Tree::read(&crate::root()).expect("the workspace can be read");
        assert!(tree.file("Cargo.toml").is_some());
        assert!(tree.has("xtask/src"));
        assert!(tree.has(".ci/run"));
        assert!(!tree.has(".git"));
        assert!(!tree.has("target"));
    }

    #[test]
    fn an_ending_matches_whole_parts_only() {
        let tree = Tree::of(&[("crates/core/src/path/ray.rs", "")]);
        assert!(tree.has_ending("path/ray.rs"));
        assert!(!tree.has_ending("ay.rs"));
    }
}
