//! What goes on is told at a terminal and nowhere else, and Ctrl-C leaves what was found until then.
#![cfg(target_os = "linux")]

use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// No test waits longer for what is to come.
const LONGEST: Duration = Duration::from_secs(120);

/// A program that runs with its standard error at a terminal, of which the text comes piece by piece.
struct AtTerminal {
    child: Child,
    pieces: Receiver<String>,
    told: String,
}

impl AtTerminal {
    fn start(arguments: &[&str], terminal: &str) -> AtTerminal {
        let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("it is ours");
        let size = Winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&ours, size).expect("it has a size");
        let name = ptsname(&ours, Vec::new()).expect("it has a name");
        let path = std::ffi::OsStr::from_bytes(name.as_bytes());
        let noctty = OFlags::NOCTTY.bits() as i32;
        let theirs = File::options().read(true).write(true).custom_flags(noctty).open(path).expect("its other end");
        let mut command = Command::new(env!("CARGO_BIN_EXE_sconce"));
        command.args(arguments).env("TERM", terminal).stdout(Stdio::piped()).stderr(theirs);
        let child = command.spawn().expect("it starts");
        let (sender, pieces) = channel();
        let mut ours = File::from(ours);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // When the other end is closed, reading is an error.
            while let Ok(length @ 1..) = ours.read(&mut bytes) {
                let _ = sender.send(String::from_utf8_lossy(&bytes[..length]).into_owned());
            }
        });
        AtTerminal { child, pieces, told: String::new() }
    }

    /// Waits until the terminal shows this.
    fn wait_for(&mut self, text: &str) {
        let end = Instant::now() + LONGEST;
        while !self.told.contains(text) {
            match self.pieces.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(piece) => self.told.push_str(&piece),
                Err(why) => {
                    let _ = self.child.kill();
                    panic!("{why}: {text:?} does not come behind {:?}", self.told);
                }
            }
        }
    }

    fn interrupt(&self) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, Signal::INT).expect("it runs");
    }

    /// Exit status, standard output and what the terminal was sent.
    fn end(mut self) -> (Option<i32>, String, String) {
        let mut out = String::new();
        self.child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("UTF-8");
        let status = self.child.wait().expect("it ends");
        while let Ok(piece) = self.pieces.recv_timeout(LONGEST) {
            self.told.push_str(&piece);
        }
        (status.code(), out, self.told)
    }
}

/// What takes longer than one waits without a word.
const SLOW: &[&str] = &["bench", "-e", "def f(x): return x", "-i", "1xf32", "--no-compile", "--seconds", "1"];

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/vectors.tar.zst");

#[test]
fn a_line_at_a_terminal_says_what_goes_on_and_is_gone_afterwards() {
    // Long enough for a machine that has much else to do.
    let line = [&SLOW[..SLOW.len() - 1], &["3"]].concat();
    let (status, out, told) = AtTerminal::start(&line, "xterm").end();
    assert!(status == Some(0) && out.starts_with("interpreted"), "{status:?} {out}");
    assert!(told.contains(".f for 3 s") && told.ends_with("\x1b[2K"), "{told:?}");
}

#[test]
fn nothing_is_told_to_programs_and_to_who_wants_quiet() {
    for (more, terminal) in [(&["--json"][..], "xterm"), (&["--quiet"], "xterm"), (&[], "dumb")] {
        let (status, _, told) = AtTerminal::start(&[SLOW, more].concat(), terminal).end();
        assert_eq!((status, &*told), (Some(0), ""), "{more:?} {terminal}");
    }
    let piped = Command::new(env!("CARGO_BIN_EXE_sconce")).args(SLOW).env("TERM", "xterm").output().expect("it starts");
    assert_eq!(String::from_utf8_lossy(&piped.stderr), "");
}

#[test]
fn quiet_leaves_out_warnings() {
    let told = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sconce"));
        command.args(["run", "-e", "def f(n: int): return n", "-i", "1", "--cache", "off"]).args(more);
        command.env("SCONCE_EXECUTOR", "none such");
        let out = command.output().expect("it starts");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stderr).into_owned()
    };
    assert!(told(&[]).contains("warning: SCONCE_EXECUTOR"), "{}", told(&[]));
    assert_eq!(told(&["--quiet"]), "");
}

#[test]
fn an_interrupted_check_counts_what_it_judged() {
    let mut check = AtTerminal::start(&["check", VECTORS], "xterm");
    check.wait_for(" passed, ");
    check.interrupt();
    let (status, out, told) = check.end();
    assert_eq!(status, Some(130), "{out}{told}");
    let last = out.lines().last().unwrap_or_default();
    let counts: Vec<usize> = last.split(", ").filter_map(|count| count.split(' ').next()?.parse().ok()).collect();
    assert!(counts.len() == 3 && counts[0] > 0 && last.ends_with(" skipped"), "{out}");
    assert!(told.contains("interrupted: what is printed is of the cases until then"), "{told}");
}

#[test]
fn a_check_goes_on_where_it_was_and_looks_at_failures_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let notes = folder.path().join("notes").display().to_string();
    let archives = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/archives.tar.zst");
    let check = |more: &[&str]| {
        let line = [&["check", archives, "--only", "with_stmt/no_grad", "--resume", &notes], more].concat();
        let out = Command::new(env!("CARGO_BIN_EXE_sconce")).args(line).output().expect("it starts");
        (out.status.code(), String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned())
    };
    let (status, first) = check(&[]);
    assert!(status == Some(1) && first.contains("\n0 files passed before and are left out\n"), "{first}");
    assert!(!first.contains("\n0 passed, 1 failed, 0 skipped\n"), "{first}");
    let (status, second) = check(&[]);
    assert!(status == Some(1) && second.contains("no_grad_nested/model.pt: call 1"), "{second}");
    assert!(second.ends_with("\n0 passed, 1 failed, 0 skipped\n"), "{second}");
    let (status, other) = check(&["--from", "source"]);
    assert!(status == Some(1) && other.contains("was begun with other options"), "{other}");
}

#[test]
fn an_interrupted_bench_prints_the_times_it_has() {
    let mut bench = AtTerminal::start(&[&SLOW[..SLOW.len() - 1], &["3600"]].concat(), "xterm");
    bench.wait_for("timing ");
    bench.interrupt();
    let (status, out, told) = bench.end();
    assert!(
        status == Some(130) && out.contains(" calls  min ") && told.contains("interrupted"),
        "{status:?} {out}{told}"
    );
}

#[test]
fn a_second_interrupt_does_not_wait_for_the_call() {
    let source = "def f(n: int):\n    s = 0\n    for i in range(n): s += i * i\n    return s\n";
    let mut bench = AtTerminal::start(&["bench", "-e", source, "-i", "4000000000", "--no-compile"], "xterm");
    bench.wait_for("preparing");
    bench.interrupt();
    // The first is noted, which shows nowhere.
    std::thread::sleep(Duration::from_millis(200));
    bench.interrupt();
    let (status, out, _) = bench.end();
    assert_eq!((status, &*out), (Some(130), ""));
}

#[test]
fn a_filter_that_nothing_passes_is_an_error() {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/models.tar.zst");
    for (command, says) in [
        (&["bench", models, "--all-cases", "--only", "nowhere"][..], "no case whose name contains 'nowhere'"),
        (&["check", models, "--only", "nowhere"], "no recorded case in it whose name contains 'nowhere'"),
    ] {
        let out = Command::new(env!("CARGO_BIN_EXE_sconce")).args(command).output().expect("it starts");
        let told = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.code() == Some(1) && told.contains(says), "{told}");
    }
}
