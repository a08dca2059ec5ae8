//! Timelines that a cluster writes for a client that may not live to see them.
#![cfg(unix)]

use std::fs;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use senet_timeline_cluster::{Executor, execute, schedule};

use crate::senet::{Ran, command, senet, text};

/// No file takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// An address at which nobody listens.
fn free() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    listener.local_addr().expect("it has an address")
}

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "{what} takes longer than {PATIENCE:?}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The scheduler of a cluster of one executor, which are threads of this process and end with it.
fn cluster(folder: &Path) -> String {
    let (address, listen) = (free(), free());
    thread::spawn(move || schedule(address));
    wait_until("the scheduler", || TcpStream::connect(address).is_ok());
    let executor = Executor {
        scheduler_host: address.ip().to_string(),
        scheduler_port: address.port(),
        address: listen,
        host: None,
        cores: 1,
        folder: Some(text(folder).to_owned()),
    };
    thread::spawn(move || execute(executor));
    wait_until("the executor", || TcpStream::connect(listen).is_ok());
    format!("df://{address}")
}

/// A folder that was not there before.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).expect("it can be made");
    folder
}

/// Asks for a large tree and waits until some of it is written, under another name.
fn writing(url: &str, path: &Path) -> (Child, PathBuf) {
    let ask = ["timeline", "chess", "--depth", "5", "--cluster", url, "--out", text(path)];
    let child = command(&ask).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the command is built");
    let beside = PathBuf::from(format!("{}.{}.part", path.display(), child.id()));
    wait_until("the first file", || {
        fs::read_dir(&beside).is_ok_and(|mut files| files.next().is_some())
    });
    (child, beside)
}

#[test]
fn a_cluster_writes_a_folder_that_has_its_name_only_when_it_is_whole() {
    let folder = fresh("client");
    let url = cluster(&fresh("client-executor"));
    let path = folder.join("tree.parquet");

    let (mut killed, beside) = writing(&url, &path);
    killed.kill().expect("it can be killed");
    killed.wait().expect("it ends");
    assert!(!path.exists());
    // Without the folder the executor cannot go on either.
    fs::remove_dir_all(&beside).expect("what there was has another name");

    let (interrupted, beside) = writing(&url, &path);
    let process = interrupted.id().to_string();
    let signal = std::process::Command::new("kill").args(["-INT", &process]).status();
    assert!(signal.expect("it can be sent").success());
    let ran = Ran::new(interrupted.wait_with_output().expect("it ends"));
    assert!(ran.failed(130).contains("interrupted"));
    assert!(!path.exists() && !beside.exists());

    let ask = ["timeline", "chess", "--depth", "3", "--cluster", &url, "--out", text(&path)];
    assert_eq!(senet(&[&ask[..], &["--json"]].concat()).json()["rows"], 9322);
    let count = format!("select count(*) as rows from '{}/'", text(&path));
    assert_eq!(senet(&["sql", "--csv", &count]).done(), "rows\n9322\n");
    assert!(senet(&ask).failed(1).contains("the folder exists"));
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1);
}
