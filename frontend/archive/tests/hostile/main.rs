//! Hostile archives of every kind we could think of are refused with an error that says what and where, in little memory and time.
//!
//! Each is opened and read whole in a process of its own that may map 256 MiB. `expected.txt` has the error of each; `UPDATE_EXPECT=1` writes it anew.
//! The archives themselves lie in `target/tmp/hostile` after a run.

#[path = "../common/mod.rs"]
mod common;
mod models;
mod pickles;
mod raw;
mod zips;

use raw::{Member, Raw};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Names the archive that a child process reads.
const CHILD: &str = "SCONCE_HOSTILE_ARCHIVE";
const MEMORY_KIB: u64 = 256 << 10;
/// A child needs milliseconds; the bound is for machines that do other things too.
const PATIENCE: Duration = Duration::from_secs(20);
const CODE: &str = "model/code/__torch__.py";

pub struct Case {
    name: String,
    bytes: Vec<u8>,
}

impl Case {
    fn new(name: &str, bytes: Vec<u8>) -> Case {
        Case { name: name.to_string(), bytes }
    }
}

/// A small archive without fault: a module with one tensor of four floats.
fn base() -> Raw {
    let storage = b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x04tQ";
    let tensor = [
        &b"ctorch._utils\n_rebuild_tensor_v2\n("[..],
        storage,
        b"K\0(K\x04t(K\x01t\x89ccollections\nOrderedDict\n)RtR",
    ];
    let data = [b"\x80\x02c__torch__\nM\nq\x00)\x81}(X\x01\0\0\0w", &tensor.concat()[..], b"ub."].concat();
    let code = b"class M(Module):\n  __parameters__ = [\"w\", ]\n  __buffers__ = []\n  w : Tensor\n";
    let members = [
        ("model/data.pkl", &data[..]),
        ("model/data/0", &[0; 16]),
        (CODE, code),
        ("model/constants.pkl", b"\x80\x02)."),
        ("model/version", b"3\n"),
    ];
    Raw { members: members.iter().map(|(name, data)| Member::stored(name, data)).collect(), ..Raw::default() }
}

/// The record of a directory under another name.
fn named(mut central: Vec<u8>, name: &str) -> Vec<u8> {
    central.truncate(46);
    central[28..30].copy_from_slice(&(name.len() as u16).to_le_bytes());
    central.extend(name.as_bytes());
    central
}

fn cases() -> Vec<Case> {
    let mut cases = zips::cases();
    cases.extend(pickles::cases());
    cases.extend(models::cases());
    cases
}

/// What the child does: opens one archive, reads all of it, and prints the error.
#[test]
fn child() {
    let Some(path) = std::env::var_os(CHILD) else { return };
    let limits = sconce_archive::Limits::default();
    let started = Instant::now();
    let read = sconce_archive::PtArchive::open(&path, &limits).and_then(|a| {
        let content = common::Content::of(&a)?;
        a.bytecode()?;
        Ok(content)
    });
    let milliseconds = started.elapsed().as_millis();
    match read {
        Ok(_) => println!("VERDICT accepted"),
        Err(error) => {
            let kind = format!("{error:?}");
            let kind = kind.split([' ', '(']).next().unwrap_or_default();
            let text = error.to_string().replace(&Path::new(&path).display().to_string(), "FILE");
            println!("VERDICT {kind}: {}", text.escape_debug());
        }
    }
    println!("TOOK {milliseconds}");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!("{}", status.lines().find(|l| l.starts_with("VmPeak")).unwrap_or_default());
}

struct Judged {
    verdict: String,
    milliseconds: u64,
    /// The largest address space it had, where the system says it.
    kib: u64,
}

/// Runs the child under a bound on its address space, and kills it when it takes too long.
fn judge(path: &Path) -> Judged {
    let own = std::env::current_exe().expect("this test has a file");
    let script = format!("ulimit -v {MEMORY_KIB} && exec \"$0\" child --exact --nocapture --test-threads=1");
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .arg(own)
        .env(CHILD, path)
        // More arenas are address space that is reserved and not used.
        .env("MALLOC_ARENA_MAX", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("sh runs");
    let started = Instant::now();
    while child.try_wait().expect("the child is ours").is_none() {
        if started.elapsed() > PATIENCE {
            child.kill().expect("the child is ours");
            return Judged { verdict: "took too long".to_string(), milliseconds: u64::MAX, kib: 0 };
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let out = child.wait_with_output().expect("the child has ended");
    let text = String::from_utf8_lossy(&out.stdout);
    let after = |word: &str| text.lines().find_map(|l| l.split_once(word)).map(|p| p.1.to_string());
    let verdict = after("VERDICT ").unwrap_or_else(|| {
        format!("died: {}", String::from_utf8_lossy(&out.stderr).lines().next_back().unwrap_or_default())
    });
    let kib = |text: String| text.trim().trim_end_matches(" kB").parse().ok();
    let took = after("TOOK ").and_then(|t| t.parse().ok()).unwrap_or(u64::MAX);
    Judged { verdict, milliseconds: took, kib: after("VmPeak:").and_then(kib).unwrap_or(0) }
}

#[test]
fn all_are_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile");
    std::fs::create_dir_all(&folder).expect("target/tmp is ours");
    let good = folder.join("good.pt");
    std::fs::write(&good, base().bytes()).expect("target/tmp is ours");
    assert_eq!(judge(&good).verdict, "accepted", "the archive that the others differ from");

    let cases = cases();
    let mut names: Vec<_> = cases.iter().map(|c| &c.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), cases.len(), "a name twice");
    let (mut report, mut slowest, mut largest) = (String::new(), (0, ""), (0, ""));
    for case in &cases {
        let path = folder.join(format!("{}.pt", case.name));
        std::fs::write(&path, &case.bytes).expect("target/tmp is ours");
        let judged = judge(&path);
        slowest = slowest.max((judged.milliseconds, &case.name));
        largest = largest.max((judged.kib, &case.name));
        writeln!(report, "{}: {}", case.name, judged.verdict).expect("memory");
        // Large ones are not left behind.
        if case.bytes.len() > 1 << 20 {
            std::fs::remove_file(&path).expect("target/tmp is ours");
        }
    }
    println!(
        "{} archives; the slowest is {} with {} ms, the largest {} with {} KiB of address space",
        cases.len(),
        slowest.1,
        slowest.0,
        largest.1,
        largest.0
    );
    let wrong: Vec<&str> =
        report.lines().filter(|l| [": accepted", ": died", ": took too long"].iter().any(|w| l.contains(w))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    expect_test::expect_file!["expected.txt"].assert_eq(&report);
}
