//! A bucket gives back what was put there and nothing else, from a folder and from a server that speaks S3; what is not there, too large or silent is said so in time.

use sconce_executor::Store;
use sconce_object_store::{Bucket, PATIENCE};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn folder_url(folder: &tempfile::TempDir) -> String {
    format!("file://{}/some/code", folder.path().display())
}

/// What every store does.
fn keeps(bucket: &Bucket) {
    let program = vec![7; 100_000];
    assert_eq!(bucket.get("a.entry", 1 << 20), Ok(None));
    bucket.put("a.entry", program.clone()).expect("kept");
    assert_eq!(bucket.get("a.entry", 1 << 20), Ok(Some(program)));
    let refused = bucket.get("a.entry", 99_999).expect_err("too large");
    assert!(refused.ends_with("a.entry has more than 99999 bytes"), "{refused}");
    bucket.put("a.entry", vec![1]).expect("replaced");
    assert_eq!(bucket.get("a.entry", 1), Ok(Some(vec![1])));
    assert_eq!(bucket.get("b.entry", 1 << 20), Ok(None));
}

#[test]
fn a_folder_keeps_entries() {
    let folder = tempfile::tempdir().expect("a folder");
    keeps(&Bucket::open(&folder_url(&folder)).expect("a store"));
    // Another machine's process.
    let again = Bucket::open(&folder_url(&folder)).expect("a store");
    assert_eq!(again.get("a.entry", 1 << 20), Ok(Some(vec![1])));
    let files = std::fs::read_dir(folder.path().join("some/code")).expect("a folder").count();
    assert_eq!(files, 1, "nothing else is left");
}

#[test]
fn a_folder_that_cannot_be_had_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("some"), "a file").expect("a file");
    let bucket = Bucket::open(&folder_url(&folder)).expect("a store");
    bucket.put("a.entry", vec![1]).expect_err("there is a file in its place");
}

#[test]
fn places_that_are_no_stores_are_refused() {
    for (url, why) in [
        ("s4://bucket", "s3://bucket/prefix or file:///folder is expected"),
        ("file://elsewhere/folder", "file:///folder is expected, not a folder of another machine's"),
        ("s3", "relative URL without a base"),
    ] {
        assert_eq!(Bucket::open(url).err(), Some(format!("{url}: {why}")));
    }
}

/// The variable that names the Python which has `moto`; `./x test` sets it.
const PYTHON: &str = "SCONCE_MOTO_PYTHON";

/// A server that speaks S3, with one bucket.
struct Server(Child);

/// Serves until its input is closed; its first line is the port.
const SERVE: &str = "
import logging, sys
logging.disable()
import boto3
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
boto3.client('s3', endpoint_url=f'http://127.0.0.1:{port}', region_name='us-east-1', aws_access_key_id='a', aws_secret_access_key='b').create_bucket(Bucket='code')
print(port, flush=True)
sys.stdin.read()
server.stop()
";

impl Server {
    /// The server and its port; none where there is no `moto`.
    fn start() -> Option<(Server, u16)> {
        let python = std::env::var(PYTHON).unwrap_or_else(|_| "python3".into());
        let has = Command::new(&python).args(["-c", "import moto.server, boto3"]).stderr(Stdio::null()).status();
        if !has.is_ok_and(|status| status.success()) {
            println!(
                "skipped: {python} has no moto[server] (pip install 'moto[server]'; {PYTHON} names another Python)"
            );
            return None;
        }
        let child = Command::new(&python).args(["-c", SERVE]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut server = Server(child.expect("a server"));
        let mut line = String::new();
        let mut output = std::io::BufReader::new(server.0.stdout.take().expect("an output"));
        std::io::BufRead::read_line(&mut output, &mut line).expect("a line");
        Some((server, line.trim().parse().expect("a port")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().expect("it ends");
    }
}

/// What a process of its own, whose environment names the server, is to do: variables belong to a whole process.
const ASKED: &str = "SCONCE_TEST_URL";

fn asking(url: &str, port: u16) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this test"));
    command.args(["--exact", "the_process_that_asks", "--nocapture"]).env(ASKED, url).envs([
        ("AWS_ENDPOINT", format!("http://127.0.0.1:{port}")),
        ("AWS_ALLOW_HTTP", "true".to_owned()),
        ("AWS_ACCESS_KEY_ID", "a".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "b".to_owned()),
    ]);
    command
}

#[test]
fn the_process_that_asks() {
    let Ok(url) = std::env::var(ASKED) else { return };
    let bucket = Bucket::open(&url).expect("a store");
    match bucket.put("first.entry", vec![1]) {
        Ok(()) => keeps(&bucket),
        Err(why) => println!("said: {why}"),
    }
}

#[test]
fn a_server_keeps_entries() {
    let Some((_server, port)) = Server::start() else { return };
    let done = asking("s3://code/of/us", port).output().expect("a process");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && !text.contains("said:"), "{text}");
    let done = asking("s3://no-such-bucket/of/us", port).output().expect("a process");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && text.contains("said:"), "{text}");
}

#[test]
fn a_server_that_says_nothing_is_not_waited_for() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = silent.local_addr().expect("an address").port();
    let start = Instant::now();
    let done = asking("s3://code/of/us", port).output().expect("a process");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && text.contains("said:"), "{text}");
    assert!(start.elapsed() < PATIENCE + Duration::from_secs(5), "{:?}", start.elapsed());
}
