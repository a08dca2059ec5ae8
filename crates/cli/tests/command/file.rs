//! Where answers are written: links, devices, folders and leftovers.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use crate::senet::{feed, senet, text};

/// An empty folder of a test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn render(path: &Path) -> crate::senet::Ran {
    senet(&["render", "tic-tac-toe", "--out", text(path)])
}

#[test]
fn a_symbolic_link_is_followed_and_stays() {
    let folder = folder("linked");
    let (link, file) = (folder.join("link.svg"), folder.join("file.svg"));
    symlink("file.svg", &link).unwrap();
    for _ in 0..2 {
        render(&link).done();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::read_to_string(&file).unwrap().starts_with("<svg"));
    }
}

#[test]
fn a_file_keeps_its_mode_and_its_other_names() {
    let folder = folder("kept");
    let (file, other) = (folder.join("one.svg"), folder.join("two.svg"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    render(&file).done();
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640);
    fs::hard_link(&file, &other).unwrap();
    fs::write(&file, "old").unwrap();
    render(&file).done();
    assert!(fs::read_to_string(&other).unwrap().starts_with("<svg"));
    assert_eq!(fs::metadata(&file).unwrap().nlink(), 2);
}

#[test]
fn a_pipe_is_written_through_and_a_folder_is_refused() {
    let folder = folder("special");
    let pipe = folder.join("pipe.svg");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    render(&pipe).done();
    assert!(reader.join().unwrap().starts_with("<svg"));
    assert!(!fs::metadata(&pipe).unwrap().is_file(), "it is still a pipe");
    let refused = folder.join("folder.svg");
    fs::create_dir(&refused).unwrap();
    assert!(render(&refused).failed(1).contains("is a directory"));
    assert!(refused.is_dir());
    // Play is not begun where its match could not be kept.
    let refused = folder.join("folder.json");
    fs::create_dir(&refused).unwrap();
    let ran = feed(&["play", "chess", "--save", refused.to_str().unwrap()], b"e4\n");
    assert!(ran.failed(1).contains("is a directory"));
}

#[test]
fn a_match_is_written_to_a_pipe_once_and_as_json_where_it_has_no_ending() {
    let folder = folder("pipe");
    let pipe = folder.join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).unwrap()
    });
    let arguments = ["play", "chess", "--save", pipe.to_str().unwrap()];
    feed(&arguments, b"e4\ne5\nNf3\nquit\n").done();
    let saved = reader.join().unwrap();
    let file = folder.join("match.json");
    fs::write(&file, saved).unwrap();
    let replayed = senet(&["replay", file.to_str().unwrap()]).done();
    assert!(replayed.starts_with("chess: 3 events"), "{replayed}");
}

#[test]
fn what_a_killed_process_left_is_cleared_and_blocks_nothing() {
    let folder = folder("leftover");
    let file = folder.join("board.svg");
    // No process has the greatest number.
    fs::write(folder.join("board.svg.4294967294.part"), "half").unwrap();
    fs::write(folder.join("other.svg.4294967294.part"), "of another file").unwrap();
    render(&file).done();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["board.svg", "other.svg.4294967294.part"]);
}
