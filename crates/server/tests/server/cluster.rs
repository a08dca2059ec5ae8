//! A PostgreSQL of its own for a test, where the machine has one.

use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use senet_server::store::Database;

use crate::client::Folder;

/// A PostgreSQL that keeps its files in a folder of its own and listens on loopback.
pub(crate) struct Cluster {
    folder: Folder,
    port: u16,
    running: Option<Child>,
}

impl Cluster {
    /// A running cluster; none where PostgreSQL is not installed, and then the test says so.
    pub(crate) fn new() -> Option<Cluster> {
        if program("postgres").is_none() || program("initdb").is_none() {
            println!("skipped: PostgreSQL is not installed");
            return None;
        }
        let folder = Folder::new();
        let owner = Command::new("chown").arg("postgres").arg(&folder.0).status();
        assert!(
            !is_root() || owner.is_ok_and(|done| done.success()),
            "the user postgres is missing"
        );
        let words = ["--auth=trust", "--username=senet", "--no-sync", "--encoding=UTF8", "-D"];
        let made = command("initdb").args(words).arg(folder.0.join("data")).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut cluster = Cluster { folder, port, running: None };
        cluster.start();
        Some(cluster)
    }

    /// Where the cluster is reached.
    pub(crate) fn database(&self) -> Database {
        Database::new(&format!("postgres://senet@127.0.0.1:{}/postgres", self.port))
    }

    /// Starts it, and waits until it takes connections.
    pub(crate) fn start(&mut self) {
        let mut postgres = command("postgres");
        postgres.arg("-D").arg(self.folder.0.join("data")).arg("-k").arg(&self.folder.0);
        postgres.args(["-h", "127.0.0.1", "-p", &self.port.to_string()]);
        self.running = Some(postgres.spawn().unwrap());
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(30), "PostgreSQL does not start");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops it at once, whoever is connected.
    pub(crate) fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            let id = running.id().to_string();
            let told = Command::new("kill").args(["-INT", &id]).status();
            assert!(told.is_ok_and(|done| done.success()));
            running.wait().unwrap();
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A program of PostgreSQL: in the path, or where Debian puts it.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let folders = std::env::split_paths(&path).chain(debian.map(|one| one.path().join("bin")));
    folders.map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// A program of PostgreSQL, which refuses to run as root.
fn command(name: &str) -> Command {
    let mut command = Command::new(program(name).unwrap());
    command.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
    command.current_dir("/");
    if is_root() {
        command.uid(number(&["-u", "postgres"])).gid(number(&["-g", "postgres"]));
    }
    command
}

fn is_root() -> bool {
    number(&["-u"]) == 0
}

fn number(words: &[&str]) -> u32 {
    let told = Command::new("id").args(words).output().unwrap();
    String::from_utf8_lossy(&told.stdout).trim().parse().unwrap()
}
