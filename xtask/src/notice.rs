//! The notices of the crates that the wheel includes, as their licences ask for them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Where they are written, below the folder of the Python package.
const FILE: &str = "THIRD-PARTY.txt";

/// How the files of a crate begin in which its licence stands.
const TEXTS: [&str; 6] = ["license", "licence", "copying", "notice", "unlicense", "copyright"];

const INTRODUCTION: &str = "\
The compiled part of this package includes the crates listed here. Of several licences one is chosen.
Written by `cargo xtask python --notices`.
";

/// Writes the notices anew.
///
/// # Errors
/// A line that says what could not be done.
pub(crate) fn write(folder: &Path) -> Result<(), String> {
    fs::write(folder.join(FILE), notices(folder)?).map_err(|error| format!("{FILE}: {error}"))
}

/// Whether the notices are those of the crates that are built.
///
/// # Errors
/// A line that says what to do.
pub(crate) fn check(folder: &Path) -> Result<(), String> {
    let kept = fs::read_to_string(folder.join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
    if kept.replace("\r\n", "\n") == notices(folder)? {
        return Ok(());
    }
    Err(format!("python/{FILE} is old: write it with `cargo xtask python --notices`"))
}

/// A crate of others.
struct Crate {
    name: String,
    license: String,
    /// The texts that come with it.
    texts: BTreeMap<String, String>,
}

fn notices(folder: &Path) -> Result<String, String> {
    let crates = crates(folder)?;
    let (apache, others): (Vec<_>, Vec<_>) =
        crates.iter().partition(|one| one.license.contains("Apache-2.0"));
    let mut said = String::from(INTRODUCTION);
    let names = apache.iter().map(|one| format!("{}: {}", one.name, one.license));
    let names: Vec<String> = names.collect();
    let under = "Under the Apache License 2.0, whose text is LICENSE-APACHE, among others:";
    let _ = write!(said, "\n{under}\n\n{}\n", names.join("\n"));
    // Crates of one author have one text.
    let mut texts: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in others {
        for text in one.texts.values() {
            texts.entry(text).or_default().insert(&one.name);
        }
        if one.texts.is_empty() {
            let _ = write!(said, "\nUnder {}:\n\n{}\n", one.license, one.name);
        }
    }
    for one in apache {
        // A notice is kept whatever licence is chosen.
        for (_, text) in one.texts.iter().filter(|(name, _)| name.starts_with("notice")) {
            texts.entry(text).or_default().insert(&one.name);
        }
    }
    let mut parts: Vec<(Vec<&str>, &str)> =
        texts.into_iter().map(|(text, names)| (names.into_iter().collect(), text)).collect();
    parts.sort();
    for (names, text) in parts {
        let line = "-".repeat(78);
        let _ = write!(said, "\n{line}\n{}\n\n{text}\n", names.join("\n"));
    }
    Ok(said)
}

/// Every crate of others that is needed to build the package, with those of other platforms.
fn crates(folder: &Path) -> Result<Vec<Crate>, String> {
    let metadata = ["metadata", "--format-version", "1", "--locked"];
    let output = Command::new("cargo").args(metadata).current_dir(folder).output();
    let output = output.map_err(|error| format!("cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    let told: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let needs: BTreeMap<String, Vec<String>> = list(&told["resolve"]["nodes"])
        .iter()
        .map(|node| {
            let built =
                |one: &Value| list(&one["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
            let needed = list(&node["deps"]).into_iter().filter(built);
            (text(&node["id"]), needed.map(|one| text(&one["pkg"])).collect())
        })
        .collect();
    let mut wanted = vec![text(&told["resolve"]["root"])];
    let mut reached = BTreeSet::new();
    while let Some(id) = wanted.pop() {
        if reached.insert(id.clone()) {
            wanted.extend(needs.get(&id).into_iter().flatten().cloned());
        }
    }
    let mut crates: Vec<Crate> = list(&told["packages"])
        .iter()
        .filter(|one| reached.contains(&text(&one["id"])) && !one["source"].is_null())
        .map(|one| Crate {
            name: format!("{} {}", text(&one["name"]), text(&one["version"])),
            license: text(&one["license"]),
            texts: texts(Path::new(&text(&one["manifest_path"]))),
        })
        .collect();
    crates.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(crates)
}

/// The texts beside the manifest of a crate, by the names of their files in small letters.
fn texts(manifest: &Path) -> BTreeMap<String, String> {
    let entries = manifest.parent().and_then(|folder| fs::read_dir(folder).ok());
    let files = entries.into_iter().flatten().flatten().filter_map(|entry| {
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let known = TEXTS.iter().any(|begin| name.starts_with(begin));
        let text = known.then(|| fs::read(entry.path()).ok()).flatten()?;
        let text = String::from_utf8_lossy(&text).replace("\r\n", "\n");
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        Some((name, lines.join("\n").trim().to_owned()))
    });
    files.collect()
}
