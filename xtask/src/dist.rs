//! The release archive: the command, its manual pages, completions for shells, and the licences.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use flate2::{Compression, GzBuilder};

/// What is built.
#[derive(clap::Args)]
#[command(after_help = "The archive is target/dist/senet-VERSION-TARGET.tar.gz. The same sources \
    and compiler give the same bytes.\nExit code 1: a step failed.")]
pub(crate) struct Args {
    /// Features of the command, such as sql
    #[arg(long, value_name = "FEATURES", default_value = "")]
    features: String,
    /// Pack this command instead of building one
    #[arg(long, value_name = "FILE")]
    command: Option<PathBuf>,
}

/// The shells with completions, and what the file of each is called.
const SHELLS: [(&str, &str); 4] = [
    ("bash", "senet.bash"),
    ("zsh", "_senet"),
    ("fish", "senet.fish"),
    ("powershell", "_senet.ps1"),
];

/// Files of the workspace that go with the command.
const BESIDE: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// A file of the archive.
struct Entry {
    path: String,
    bytes: Vec<u8>,
    mode: u32,
}

pub(crate) fn run(args: &Args, root: &Path) -> ExitCode {
    match pack(args, root) {
        Ok(archive) => {
            println!("{}", archive.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn pack(args: &Args, root: &Path) -> io::Result<PathBuf> {
    let command = match &args.command {
        Some(command) => command.clone(),
        None => build(args, root)?,
    };
    let version = output(&command, &["--version"])?;
    let version = String::from_utf8_lossy(&version);
    let version = version.trim().rsplit(' ').next().unwrap_or_default().to_owned();
    let folder = format!("senet-{version}-{}", target()?);
    let entries = entries(&command, root)?;
    let dist = root.join("target/dist");
    fs::create_dir_all(&dist)?;
    let path = dist.join(format!("{folder}.tar.gz"));
    fs::write(&path, archive(&folder, &entries)?)?;
    Ok(path)
}

/// Builds the command and says where it is.
fn build(args: &Args, root: &Path) -> io::Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo.current_dir(root).args(["build", "--release", "--locked", "--package", "senet-cli"]);
    if !args.features.is_empty() {
        cargo.args(["--features", &args.features]);
    }
    let status = cargo.status()?;
    if !status.success() {
        return Err(io::Error::other("the command could not be built"));
    }
    Ok(root.join("target/release").join(format!("senet{}", std::env::consts::EXE_SUFFIX)))
}

/// Everything that goes into the archive, in its order.
fn entries(command: &Path, root: &Path) -> io::Result<Vec<Entry>> {
    let name = format!("senet{}", std::env::consts::EXE_SUFFIX);
    let mut entries = vec![Entry { path: name, bytes: fs::read(command)?, mode: 0o755 }];
    for name in BESIDE {
        let bytes = fs::read(root.join(name))?;
        entries.push(Entry { path: name.to_owned(), bytes, mode: 0o644 });
    }
    for (shell, name) in SHELLS {
        let bytes = output(command, &["completions", shell])?;
        entries.push(Entry { path: format!("completions/{name}"), bytes, mode: 0o644 });
    }
    let pages = root.join("target/dist/man");
    fs::create_dir_all(&pages)?;
    for old in fs::read_dir(&pages)? {
        fs::remove_file(old?.path())?;
    }
    output(command, &["man", "--out", &pages.to_string_lossy()])?;
    let found: io::Result<Vec<_>> = fs::read_dir(&pages)?.collect();
    let mut found: Vec<PathBuf> = found?.into_iter().map(|page| page.path()).collect();
    found.sort();
    for page in found {
        let name = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        entries.push(Entry { path: format!("man/{name}"), bytes: fs::read(&page)?, mode: 0o644 });
    }
    Ok(entries)
}

/// The archive, without times or owners, so that its bytes depend on what is in it alone.
fn archive(folder: &str, entries: &[Entry]) -> io::Result<Vec<u8>> {
    let gzip = GzBuilder::new().mtime(0).write(Vec::new(), Compression::best());
    let mut tar = tar::Builder::new(gzip);
    for Entry { path, bytes, mode } in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(*mode);
        header.set_mtime(0);
        tar.append_data(&mut header, format!("{folder}/{path}"), bytes.as_slice())?;
    }
    let mut gzip = tar.into_inner()?;
    gzip.flush()?;
    gzip.finish()
}

/// What a command prints.
fn output(command: &Path, arguments: &[&str]) -> io::Result<Vec<u8>> {
    let ran = Command::new(command).args(arguments).output()?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        let message = format!("senet {}: {}", arguments.join(" "), said.trim());
        return Err(io::Error::other(message));
    }
    Ok(ran.stdout)
}

/// The platform that the compiler builds for.
fn target() -> io::Result<String> {
    let told = output(Path::new("rustc"), &["-vV"])?;
    let told = String::from_utf8_lossy(&told);
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| io::Error::other("rustc does not say its host"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_entries_give_the_same_bytes() {
        let entry = |path: &str| Entry { path: path.to_owned(), bytes: vec![7; 99], mode: 0o644 };
        let entries = [entry("senet"), entry("man/senet.1")];
        let packed = archive("senet-1", &entries).unwrap();
        assert_eq!(packed, archive("senet-1", &entries).unwrap());
        let mut tar = tar::Archive::new(flate2::read::GzDecoder::new(packed.as_slice()));
        let paths = tar.entries().unwrap();
        let paths = paths.map(|one| one.unwrap().path().unwrap().display().to_string());
        assert_eq!(paths.collect::<Vec<_>>(), ["senet-1/senet", "senet-1/man/senet.1"]);
    }
}
