//! Which crate may depend on which.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::finding::Finding;
use super::tree::{File, Tree};

/// What one crate may depend on.
struct Arrows {
    from: &'static str,
    to: &'static [&'static str],
}

/// The one table of arrows. `games` stands for every game.
const ARROWS: [Arrows; 19] = [
    Arrows { from: "core", to: &[] },
    Arrows { from: "chance", to: &["core"] },
    Arrows { from: "lang", to: &["core"] },
    Arrows { from: "testkit", to: &["core", "chance"] },
    Arrows { from: "games", to: &["core", "lang"] },
    Arrows { from: "registry", to: &["core", "games", "lang"] },
    Arrows { from: "bots", to: &["core", "chance"] },
    Arrows { from: "wasm", to: &["core", "chance", "registry"] },
    Arrows { from: "timeline", to: &["core", "registry", "wasm"] },
    Arrows { from: "timeline-sql", to: &["core", "registry", "timeline"] },
    Arrows { from: "timeline-cluster", to: &["timeline", "timeline-sql"] },
    Arrows { from: "render", to: &["core"] },
    Arrows { from: "senet", to: &["core", "chance", "registry", "render", "bots", "wasm"] },
    Arrows { from: "server", to: &["senet"] },
    Arrows {
        from: "cli",
        to: &["senet", "server", "timeline", "timeline-sql", "timeline-cluster"],
    },
    Arrows { from: "fuzz", to: &["core", "chance", "testkit", "senet", "cli"] },
    Arrows {
        from: "xtask",
        to: &[
            "core", "chance", "testkit", "games", "registry", "timeline", "bots", "render", "cli",
            "wasm",
        ],
    },
    Arrows { from: "python", to: &["senet", "timeline", "cli"] },
    Arrows { from: "xtask/peers", to: &[] },
];

/// What tests may use beside what the table says. Cargo allows core and testkit to point at each
/// other this way, since a test is built after the library.
const TEST_ONLY: &str = "testkit";

/// Finds dependencies between our crates that the table does not allow.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut manifests = Vec::new();
    let mut aliases = BTreeMap::new();
    for file in tree.files() {
        if file.path != "Cargo.toml" && !file.path.ends_with("/Cargo.toml") {
            continue;
        }
        match DeTable::parse(&file.text) {
            Ok(table) => {
                let table = table.into_inner();
                if file.path == "Cargo.toml" {
                    aliases = shared_aliases(&table);
                }
                manifests.extend(Manifest::new(file, table));
            }
            Err(error) => {
                let line = error.span().map_or(1, |span| line_at(&file.text, &span));
                findings.push(Finding::at(&file.path, line, error.message()));
            }
        }
    }
    let places: BTreeMap<_, _> =
        manifests.iter().map(|manifest| (manifest.name.clone(), manifest.place)).collect();
    for manifest in &manifests {
        findings.extend(manifest.check(&places, &aliases));
    }
    findings
}

/// One crate of ours.
struct Manifest<'a> {
    file: &'a File,
    table: DeTable<'a>,
    name: String,
    place: &'a str,
}

impl<'a> Manifest<'a> {
    /// Nothing if the manifest describes no package, as that of the workspace does.
    fn new(file: &'a File, table: DeTable<'a>) -> Option<Self> {
        let name = child(&table, "package")?.get("name")?.get_ref().as_str()?.to_owned();
        Some(Self { file, table, name, place: place(&file.path) })
    }

    fn check(
        &self,
        places: &BTreeMap<String, &str>,
        aliases: &BTreeMap<String, String>,
    ) -> Vec<Finding> {
        let Some(row) = ARROWS.iter().find(|row| row.from == self.place) else {
            let message = format!("the table of arrows has no row for {:?}", self.place);
            return vec![Finding::at(&self.file.path, 1, message)];
        };
        let mut findings = Vec::new();
        for found in dependencies(&self.table) {
            let name = found.package.or_else(|| aliases.get(found.key).cloned());
            let Some(to) = places.get(name.as_deref().unwrap_or(found.key)) else {
                continue;
            };
            let in_tests = found.section == "dev-dependencies" && *to == TEST_ONLY;
            if row.to.contains(to) || in_tests {
                continue;
            }
            let message = format!(
                "{} may not have {to} in its {}; it may have {}",
                self.place,
                found.section,
                if row.to.is_empty() { "nothing of ours".to_owned() } else { row.to.join(", ") }
            );
            let line = line_at(&self.file.text, &found.span);
            findings.push(Finding::at(&self.file.path, line, message));
        }
        findings
    }
}

/// One entry of a dependency table.
struct Dependency<'a> {
    section: &'static str,
    key: &'a str,
    package: Option<String>,
    span: Range<usize>,
}

/// The entries of all dependency tables, also those for one target.
fn dependencies<'a>(table: &'a DeTable<'_>) -> Vec<Dependency<'a>> {
    let targets = child(table, "target").into_iter().flat_map(DeTable::values);
    let targets = targets.filter_map(|target| target.get_ref().as_table());
    let mut found = Vec::new();
    for table in std::iter::once(table).chain(targets) {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (key, value) in child(table, section).into_iter().flatten() {
                found.push(Dependency {
                    section,
                    key: key.get_ref(),
                    package: package(value),
                    span: key.span(),
                });
            }
        }
    }
    found
}

/// The names that the workspace gives to packages of another name.
fn shared_aliases(table: &DeTable<'_>) -> BTreeMap<String, String> {
    let shared = child(table, "workspace").and_then(|table| child(table, "dependencies"));
    let entries = shared.into_iter().flatten();
    entries.filter_map(|(key, value)| Some((key.get_ref().to_string(), package(value)?))).collect()
}

fn package(value: &Spanned<DeValue<'_>>) -> Option<String> {
    Some(value.get_ref().as_table()?.get("package")?.get_ref().as_str()?.to_owned())
}

fn child<'a, 'i>(table: &'a DeTable<'i>, key: &str) -> Option<&'a DeTable<'i>> {
    table.get(key)?.get_ref().as_table()
}

/// The row that a manifest belongs to: its folder, without `crates`, and `games` for every game.
fn place(manifest: &str) -> &str {
    let folder = manifest.strip_suffix("/Cargo.toml").unwrap_or(manifest);
    match folder.split_once('/') {
        Some(("crates", name)) => name,
        Some(("games", name)) if !name.contains('/') => "games",
        _ => folder,
    }
}

fn line_at(text: &str, span: &Range<usize>) -> usize {
    text.bytes().take(span.start).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORE: (&str, &str) = ("crates/core/Cargo.toml", "[package]\nname = \"senet-core\"\n");
    const KIT: (&str, &str) =
        ("crates/testkit/Cargo.toml", "[package]\nname = \"senet-testkit\"\n");

    fn with(path: &str, dependencies: &str) -> Vec<Finding> {
        let text = format!("[package]\nname = \"this\"\n\n{dependencies}");
        let game = ("games/halma/Cargo.toml", "[package]\nname = \"senet-halma\"\n");
        let root = (
            "Cargo.toml",
            "[workspace.dependencies]\nkit = { path = \"x\", package = \"senet-testkit\" }\n",
        );
        check(&Tree::of(&[root, CORE, KIT, game, (path, &text)]))
    }

    #[test]
    fn an_arrow_of_the_table_is_allowed() {
        let text = "[dependencies]\nsenet-core.workspace = true\nserde = \"1\"\n";
        assert_eq!(with("games/go/Cargo.toml", text), []);
        let text = "[dependencies]\nsenet-halma.workspace = true\n";
        assert_eq!(with("crates/registry/Cargo.toml", text), []);
    }

    #[test]
    fn an_arrow_outward_is_found_with_its_line() {
        let found =
            with("crates/chance/Cargo.toml", "[dependencies]\nsenet-halma.workspace = true\n");
        let message = "chance may not have games in its dependencies; it may have core";
        assert_eq!(found, [Finding::at("crates/chance/Cargo.toml", 5, message)]);
    }

    #[test]
    fn a_game_may_not_use_another_game() {
        let text = "[dependencies]\nsenet-halma.workspace = true\n";
        assert_eq!(with("games/go/Cargo.toml", text).len(), 1);
    }

    #[test]
    fn build_and_target_tables_obey_the_same_arrows() {
        let text = "[build-dependencies]\nsenet-halma.workspace = true\n\n\
            [target.'cfg(unix)'.dependencies]\nsenet-testkit.workspace = true\n";
        assert_eq!(with("crates/timeline/Cargo.toml", text).len(), 2);
    }

    #[test]
    fn testkit_is_for_tests_alone() {
        let tests = "[dev-dependencies]\nsenet-testkit.workspace = true\n";
        assert_eq!(with("games/go/Cargo.toml", tests), []);
        let library = "[dependencies]\nsenet-testkit.workspace = true\n";
        assert_eq!(with("games/go/Cargo.toml", library).len(), 1);
    }

    #[test]
    fn core_may_use_testkit_in_its_tests_and_nothing_else() {
        let core = |dependencies: &str| {
            let text = format!("{}{dependencies}", CORE.1);
            check(&Tree::of(&[KIT, (CORE.0, &text)]))
        };
        assert_eq!(core("[dev-dependencies]\nsenet-testkit.workspace = true\n"), []);
        let found = core("[dependencies]\nsenet-testkit.workspace = true\n");
        assert!(found[0].message.ends_with("it may have nothing of ours"), "{found:?}");
    }

    #[test]
    fn a_renamed_package_is_seen_through() {
        let own = "[dependencies]\nk = { path = \"x\", package = \"senet-testkit\" }\n";
        assert_eq!(with("games/go/Cargo.toml", own).len(), 1);
        let shared = "[dependencies]\nkit.workspace = true\n";
        assert_eq!(with("games/go/Cargo.toml", shared).len(), 1);
    }

    #[test]
    fn a_crate_without_a_row_is_found() {
        let found = with("crates/novel/Cargo.toml", "");
        assert_eq!(found[0].message, "the table of arrows has no row for \"novel\"");
    }

    #[test]
    fn a_broken_manifest_is_found() {
        let found = check(&Tree::of(&[("crates/core/Cargo.toml", "[package]\nname = \n")]));
        assert_eq!(found[0].line, 2);
    }
}
