//! Whatever befalls the compiler's process, or the folder of what it made, programs give what the interpreter gives, and the report has one line more.

#[path = "compiling"]
mod compiling {
    pub mod engine;
    pub mod worker;
}

use sconce::executor::{Cache, CacheOptions, Specialization};
use sconce::request::{Answer, Compiler, Error as Refusal, Limits, Question, Worker};
use sconce::{Engine, IValue, Module, Options, Tensor};
use std::fs::Permissions;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const PROGRAM: &str = "graph(%x : Tensor, %y : Tensor):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::mul(%x, %y)
  %b : Tensor = aten::neg(%a)
  %c : Tensor = aten::add(%b, %x, %one)
  return (%c)
";

/// Products and sums of small integers: the same bits whoever computes them.
fn arguments() -> [IValue; 2] {
    let x: Vec<f32> = (0..24).map(|n| (n % 7) as f32 - 3.0).collect();
    let y: Vec<f32> = (0..24).map(|n| (n % 5) as f32).collect();
    [Tensor::from_vec(x, &[4, 6]).into(), Tensor::from_vec(y, &[4, 6]).into()]
}

fn load(options: Options, text: &str) -> Module {
    let engine = Engine::new(options).expect("an engine");
    engine.load_bytes("faults.txt", "f", text.as_bytes()).expect("a program")
}

fn call(module: &Module) -> Vec<f32> {
    module.call("f", &arguments()).expect("a result").as_tensor().expect("a tensor").to_vec()
}

fn interpreted(text: &str) -> Vec<f32> {
    call(&load(Options::default(), text))
}

/// Lines of a report after its title.
fn lines(module: &Module) -> Vec<String> {
    module.report("f").to_string().lines().skip(1).map(str::to_owned).collect()
}

fn shell(script: &str, limits: Limits) -> Worker {
    Worker::new("/bin/sh".into(), vec!["-c".into(), script.into(), COMPILER.into()], limits)
}

const COMPILER: &str = env!("CARGO_BIN_EXE_sconce-compiler");

/// Limits that a process reaches soon.
fn soon() -> Limits {
    Limits { time: Duration::from_secs(1), memory: 64 << 20 }
}

fn generous() -> Limits {
    Limits::default()
}

/// Two calls give what interpreting gives, and the report has a line, which says why, and no region.
fn costs_one_line(what: &str, worker: Worker, text: &str, why: &str) {
    let module = load(compiling::engine::by(Arc::new(worker), Specialization::Static), text);
    let began = Instant::now();
    let want = interpreted(text);
    assert_eq!(call(&module), want, "{what}: the first call");
    assert_eq!(call(&module), want, "{what}: the second call");
    assert!(began.elapsed() < Duration::from_secs(30), "{what}: took {:?}", began.elapsed());
    let lines = lines(&module);
    assert!(lines.len() == 1 && lines[0].contains(why), "{what}: expected one line with `{why}`, have {lines:#?}");
}

/// What the faults below take away.
#[test]
fn the_program_is_compiled_where_nothing_is_wrong() {
    let module = load(compiling::engine::options(Specialization::Static), PROGRAM);
    assert_eq!(call(&module), interpreted(PROGRAM));
    let lines = lines(&module);
    let regions = lines.iter().filter(|line| line.contains("region")).count();
    // Beside it stands what rules made of it.
    let only_rules = lines.iter().all(|line| line.contains("region") || line.contains("egraph: "));
    assert!(regions == 1 && only_rules && module.report("f").is_compiled(), "{lines:#?}");
}

/// What processes that are no good compilers do, and what the report says of it.
const BROKEN: &[(&str, &str, &str)] = &[
    ("exits at once", "exit 0", "died: exit status: 0"),
    ("fails at once", "echo 'no library' >&2; exit 3", "died: exit status: 3: no library"),
    ("exits after reading", "head -c 8 >/dev/null; exit 1", "died: exit status: 1"),
    ("is killed after reading", "head -c 8 >/dev/null; kill -9 $$", "died: signal: 9"),
    ("closes its output", "exec >&-; exec sleep 100", "closed its output and was stopped"),
    (
        "answers rubbish",
        r"head -c 8 >/dev/null; printf '\004\0\0\0\0\0\0\0abcd'; exec cat >/dev/null",
        "a question or answer of a compiler: ",
    ),
    (
        "answers nothing",
        r"head -c 8 >/dev/null; printf '\0\0\0\0\0\0\0\0'; exec cat >/dev/null",
        "a question or answer of a compiler: ",
    ),
    ("answers text without a frame", "head -c 8 >/dev/null; yes", "answered a message of"),
    ("answers half a message", r"head -c 8 >/dev/null; printf '\100\0\0\0\0\0\0\0abc'", "died: exit status: 0"),
    ("answers half a size", r"head -c 8 >/dev/null; printf '\100\0\0'", "died: exit status: 0"),
    (
        "answers 2^60 bytes",
        r"head -c 8 >/dev/null; printf '\0\0\0\0\0\0\0\020'; exec cat /dev/zero",
        "answered a message of 1152921504606846976 bytes",
    ),
];

#[test]
fn a_broken_compiler_costs_one_line() {
    for (what, script, why) in BROKEN {
        costs_one_line(what, shell(script, generous()), PROGRAM, why);
    }
}

/// What ended a compiler is kept, and can be asked again.
#[test]
fn a_question_that_killed_is_kept() {
    let worker = shell("head -c 8 >/dev/null; kill -9 $$", generous());
    let module = load(compiling::engine::by(Arc::new(worker), Specialization::Static), PROGRAM);
    assert_eq!(call(&module), interpreted(PROGRAM));
    let line = lines(&module).join(" ");
    let named = line.split('`').nth(1).and_then(|command| command.strip_prefix("/bin/sh "));
    let file = named.unwrap_or_else(|| panic!("no file is named: {line}"));
    let again = std::process::Command::new(COMPILER).arg(file).output().expect("the compiler runs");
    assert_eq!(String::from_utf8_lossy(&again.stdout), "1 regions were compiled\n");
    std::fs::remove_file(file).expect("it is there");
    let missing = std::process::Command::new(COMPILER).arg(file).output().expect("the compiler runs");
    assert!(!missing.status.success() && String::from_utf8_lossy(&missing.stderr).contains("No such file"));
}

/// The same, of processes that have to be stopped.
const ENDLESS: &[(&str, &str, &str)] = &[
    ("hangs", "exec sleep 100", "took longer than 1 s and was stopped"),
    ("hangs after reading", "head -c 8 >/dev/null; exec sleep 100", "took longer than 1 s and was stopped"),
    (
        "hangs within a message",
        r"printf '\100\0\0\0\0\0\0\0abc'; exec sleep 100",
        "took longer than 1 s and was stopped",
    ),
    ("complains for ever", "yes >&2", "took longer than 1 s and was stopped"),
    (
        "answers more than it can have",
        r"printf '\0\0\0\0\001\0\0\0'; exec cat /dev/zero",
        "answered a message of 4294967296 bytes",
    ),
    ("grows", "exec tail /dev/zero", "took more than 64 MiB and was stopped"),
];

#[test]
fn an_endless_compiler_is_stopped() {
    for (what, script, why) in ENDLESS {
        costs_one_line(what, shell(script, soon()), PROGRAM, why);
    }
}

#[test]
fn a_question_that_nobody_reads_is_not_waited_for() {
    // More than a pipe holds.
    let nodes: String = (0..4000).map(|n| format!("  %v{n} : Tensor = aten::neg(%x)\n")).collect();
    let text = PROGRAM.replacen("  %a", &format!("{nodes}  %a"), 1);
    costs_one_line("does not read", shell("exec sleep 100", soon()), &text, "took longer than 1 s and was stopped");
    costs_one_line("grows unread", shell("exec tail /dev/zero", soon()), &text, "took more than 64 MiB");
}

#[test]
fn a_compiler_that_does_not_start_costs_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = folder.path().join("sconce-compiler");
    std::fs::write(&text, "no program").expect("a file");
    for program in [folder.path().join("missing"), folder.path().to_path_buf(), text] {
        let worker = Worker::new(program.clone(), Vec::new(), generous());
        costs_one_line(&program.display().to_string(), worker, PROGRAM, "does not start");
    }
}

/// The compiler itself, killed while it works.
#[test]
fn a_compiler_killed_in_the_middle_costs_one_line() {
    let killed = "exec 3<&0; \"$0\" <&3 & pid=$!; sleep 0.03; kill -9 $pid; wait $pid; exit $?";
    costs_one_line("is killed", shell(killed, generous()), PROGRAM, "died: exit status: 137");
}

/// After a process was lost another is started, which finds the question fresh; what the first left is not taken for its answer.
#[test]
fn the_next_question_goes_to_a_new_process() {
    let folder = tempfile::tempdir().expect("a folder");
    let once = folder.path().join("once");
    let script = |first: &str| format!("if mkdir {} 2>/dev/null; then {first}; else exec \"$0\"; fi", once.display());
    let broken: Vec<&str> = BROKEN.iter().map(|(_, script, _)| *script).collect();
    for first in broken {
        let _ = std::fs::remove_dir(&once);
        let worker = Arc::new(shell(&script(first), generous()));
        let engine = Engine::new(compiling::engine::by(worker, Specialization::Static)).expect("an engine");
        let load = || engine.load_bytes("faults.txt", "f", PROGRAM.as_bytes()).expect("a program");
        let (lost, found) = (load(), load());
        assert_eq!(call(&lost), call(&found), "after `{first}`");
        assert!(
            !lost.report("f").is_compiled() && found.report("f").is_compiled(),
            "after `{first}`: {:?}",
            lines(&found)
        );
    }
}

/// A compiler that is expected starts before it is asked, and only where it will be; one that is gone by then costs what it costs otherwise.
#[test]
fn an_expected_compiler_starts_before_it_is_asked() {
    let (kept, want) = (Kept::new(), interpreted(PROGRAM));
    let starts = kept.folder.with_extension("starts");
    let count = || std::fs::read(&starts).map_or(0, |lines| lines.len());
    let script = |then: &str| format!("echo >>{}; {then}", starts.display());
    let options = |then: &str, cache| {
        let worker = Arc::new(shell(&script(then), generous()));
        Options { cache, ..compiling::engine::by(worker, Specialization::Static) }
    };
    let expect = |options: Options| {
        let engine = Engine::new(options).expect("an engine");
        engine.expect_to_compile();
        engine
    };
    let until = |wanted: usize| {
        let over = Instant::now() + Duration::from_secs(20);
        while count() < wanted {
            assert!(Instant::now() < over, "{} processes were started, {wanted} are expected", count());
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let loaded = |engine: &Engine| engine.load_bytes("faults.txt", "f", PROGRAM.as_bytes()).expect("a program");
    let engine = expect(options("exec \"$0\"", kept.cache()));
    until(1);
    assert_eq!(call(&loaded(&engine)), want);
    assert_eq!(count(), 1, "the process that was there is asked");
    let filled = expect(options("exec \"$0\"", kept.cache()));
    assert_eq!(call(&loaded(&filled)), want);
    assert_eq!(count(), 1, "what is kept needs no compiler");
    for then in ["exit 0", "exit 3"] {
        let before = count();
        let engine = expect(options(then, None));
        until(before + 1);
        let module = loaded(&engine);
        assert_eq!(call(&module), want, "{then}");
        let lines = lines(&module);
        assert!(lines.len() == 1 && lines[0].contains("died: exit status: "), "{then}: {lines:#?}");
    }
}

/// Whoever asked may be killed: the compiler does not outlive it.
#[test]
fn the_compiler_ends_with_whoever_asked() {
    let script = "exec 3<&0; \"$0\" <&3 >/dev/null 2>&1 & echo $!; sleep 1";
    let mut parent = Command::new("/bin/sh");
    parent.args(["-c", script, COMPILER]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut parent = parent.spawn().expect("a shell");
    // Held open, so that only the parent's end tells.
    let _input = parent.stdin.take();
    let mut said = String::new();
    BufReader::new(parent.stdout.take().expect("piped")).read_line(&mut said).expect("a line");
    assert!(parent.wait().expect("a child").success());
    let state = || std::fs::read_to_string(format!("/proc/{}/stat", said.trim())).ok();
    let until = Instant::now() + Duration::from_secs(20);
    // One that nobody waits for any more may stay as a zombie.
    while state().is_some_and(|s| !s.contains(") Z ")) {
        assert!(Instant::now() < until, "the compiler goes on: {:?}", state());
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The compiler, with a count of what it was asked; answers that it gave before are given again at once.
struct Counted {
    worker: Worker,
    known: Mutex<Option<Answer>>,
    asked: AtomicUsize,
}

impl Counted {
    fn new() -> Arc<Counted> {
        Arc::new(Counted { worker: compiling::worker::worker(), known: Mutex::default(), asked: AtomicUsize::new(0) })
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Compiler for Counted {
    fn ask(&self, question: &Question) -> Result<Answer, Refusal> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut known = self.known.lock().expect("no panic");
        if known.is_none() {
            *known = Some(self.worker.ask(question)?);
        }
        Ok(known.clone().expect("asked above"))
    }

    fn identity(&self) -> Option<String> {
        self.worker.identity()
    }
}

/// A folder for a cache, and what its caches reported.
struct Kept {
    _place: tempfile::TempDir,
    folder: PathBuf,
    said: Arc<Mutex<Vec<String>>>,
}

impl Kept {
    fn new() -> Kept {
        let place = tempfile::tempdir().expect("a folder");
        Kept { folder: place.path().join("cache"), _place: place, said: Arc::default() }
    }

    fn options(&self, compiler: &Arc<Counted>) -> Options {
        Options { cache: self.cache(), ..compiling::engine::by(compiler.clone(), Specialization::Static) }
    }

    fn cache(&self) -> Option<Arc<Cache>> {
        let said = self.said.clone();
        let report: sconce::executor::Report = Arc::new(move |line| said.lock().expect("no panic").push(line.into()));
        let cache = Cache::open(&self.folder, CacheOptions { report: Some(report), ..CacheOptions::default() });
        Some(Arc::new(cache.expect("a cache")))
    }

    fn said(&self) -> Vec<String> {
        std::mem::take(&mut self.said.lock().expect("no panic"))
    }

    fn entries(&self) -> Vec<PathBuf> {
        let listed = std::fs::read_dir(&self.folder).expect("a folder");
        let paths = listed.map(|item| item.expect("an item").path());
        paths.filter(|path| path.extension().is_some_and(|e| e == "entry")).collect()
    }
}

#[test]
fn an_entry_damaged_anywhere_is_made_again() {
    let (kept, compiler, want) = (Kept::new(), Counted::new(), interpreted(PROGRAM));
    let options = kept.options(&compiler);
    assert_eq!(call(&load(options, PROGRAM)), want);
    let [entry] = &kept.entries()[..] else { panic!("one entry is expected, there are {:?}", kept.entries()) };
    let whole = std::fs::read(entry).expect("an entry");
    let check = |bytes: &[u8], what: &str| {
        std::fs::write(entry, bytes).expect("a file");
        let before = compiler.asked();
        let module = load(kept.options(&compiler), PROGRAM);
        assert_eq!(call(&module), want, "{what}");
        assert!(module.report("f").is_compiled(), "{what}: {:?}", lines(&module));
        assert_eq!(compiler.asked(), before + 1, "{what}: used");
        let said = kept.said();
        assert!(said.len() == 1 && said[0].contains("is damaged and not used"), "{what}: {said:?}");
        assert!(std::fs::read(entry).expect("an entry") == whole, "{what}: the entry is another");
    };
    let mut bytes = whole.clone();
    for at in 0..whole.len() {
        bytes[at] ^= 1 << (at % 8);
        check(&bytes, &format!("byte {at} of {}", whole.len()));
        bytes[at] = whole[at];
    }
    for length in [0, 1, 7, 8, 40, 48, whole.len() / 2, whole.len() - 1] {
        check(&whole[..length], &format!("the first {length} bytes of {}", whole.len()));
    }
    check(&[&whole[..], b"x"].concat(), "a byte too many");
    println!("{} bytes, {} compilations", whole.len(), compiler.asked());
    // Whole, it is used in silence.
    let before = compiler.asked();
    assert_eq!(call(&load(kept.options(&compiler), PROGRAM)), want);
    assert_eq!((compiler.asked(), kept.said().len()), (before, 0));
}

#[test]
fn two_engines_share_a_cache() {
    let (kept, compiler, want) = (Kept::new(), Counted::new(), interpreted(PROGRAM));
    let engines = [kept.options(&compiler), kept.options(&compiler)];
    std::thread::scope(|threads| {
        for options in engines {
            threads.spawn(|| {
                let module = load(options, PROGRAM);
                for _ in 0..10 {
                    assert_eq!(call(&module), want);
                }
                assert!(module.report("f").is_compiled());
            });
        }
    });
    assert_eq!((compiler.asked(), kept.entries().len(), kept.said().len()), (1, 1, 0));
}

/// A compiler that was built again has the old one's name and version, and none of its faults: what the old one made is not taken for its answer.
#[test]
fn another_compiler_does_not_get_what_the_first_one_made() {
    let (kept, place) = (Kept::new(), tempfile::tempdir().expect("a folder"));
    let (compiler, started) = (place.path().join("compiler"), place.path().join("started"));
    let build = |name: &str| {
        let _ = std::fs::remove_file(&compiler);
        let script = format!("#!/bin/sh\necho {name} >>{}\nexec {COMPILER}\n", started.display());
        std::fs::write(&compiler, script).expect("a file");
        std::fs::set_permissions(&compiler, Permissions::from_mode(0o755)).expect("a mode");
    };
    let worker = || Arc::new(Worker::new(compiler.clone(), Vec::new(), generous()));
    let ran = |worker: &Arc<Worker>| {
        let options = Options { cache: kept.cache(), ..compiling::engine::by(worker.clone(), Specialization::Static) };
        let module = load(options, PROGRAM);
        assert_eq!(call(&module), interpreted(PROGRAM));
        assert!(module.report("f").is_compiled(), "{:?}", lines(&module));
        std::fs::read_to_string(&started).expect("a file").lines().map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    build("first");
    let first = worker();
    assert_eq!(ran(&first), "first");
    assert_eq!(ran(&worker()), "first");
    build("other");
    // The process that is there is still the first.
    assert_eq!(ran(&first), "first");
    assert_eq!(ran(&worker()), "first other");
    assert_eq!(ran(&worker()), "first other");
    assert_eq!((kept.entries().len(), kept.said().len()), (2, 0));
    drop(first);
    std::fs::remove_file(&compiler).expect("a file");
    assert_eq!(worker().identity(), None);
}

/// What the command prints on both streams.
struct Ran {
    out: Vec<String>,
    err: Vec<String>,
}

/// Runs `sconce` by a shell that begins with `before`.
fn sconce(before: &str, variables: &[(&str, &Path)], folder: &Path) -> Ran {
    let program = folder.join("faults.txt");
    std::fs::write(&program, PROGRAM).expect("a file");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &format!("{before}exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_sconce"), "run"]);
    command.arg(program).args(["-i", "4x6xf32=arange", "-i", "4x6xf32=arange", "--report"]);
    let output = command.envs(variables.iter().copied()).output().expect("it runs");
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
    let ran = Ran { out: lines(&output.stdout), err: lines(&output.stderr) };
    assert!(output.status.success(), "{}: {:?} {:?}", output.status, ran.out, ran.err);
    ran
}

/// The command's results, without its report.
fn result(ran: &Ran) -> &[String] {
    let end = ran.out.iter().position(|line| line.starts_with("report of")).unwrap_or(ran.out.len());
    &ran.out[..end]
}

#[test]
fn the_command_runs_without_its_compiler() {
    let place = tempfile::tempdir().expect("a folder");
    let off = ("SCONCE_CACHE", Path::new("off"));
    let want = sconce("", &[off], place.path());
    for compiler in [place.path().join("missing"), "/bin/false".into(), "/bin/true".into()] {
        let ran = sconce("", &[off, ("SCONCE_COMPILER", &compiler)], place.path());
        assert_eq!(result(&ran), result(&want), "{}", compiler.display());
        let report = &ran.out[result(&ran).len()..];
        assert!(report.len() == 2 && report[1].contains("the compiler"), "{}: {report:?}", compiler.display());
        assert!(ran.err.is_empty(), "{}: {:?}", compiler.display(), ran.err);
    }
}

#[test]
fn a_cache_that_cannot_be_written_costs_one_line() {
    let place = tempfile::tempdir().expect("a folder");
    let want = sconce("", &[("SCONCE_CACHE", Path::new("off"))], place.path());
    // What no capability opens: a folder that lets nobody write, and files that may have no byte.
    let closed = "mkdir -m 500 \"$SCONCE_CACHE\"; set -- setpriv --bounding-set=-all --inh-caps=-all \"$0\" \"$@\"; exec \"$@\"; ";
    let full = "ulimit -f 0; trap '' XFSZ; ";
    let ways = [("closed", closed, can_drop_capabilities()), ("full", full, true)];
    for (name, before, possible) in ways {
        if !possible {
            println!("{name}: this cannot be had here");
            continue;
        }
        let cache = place.path().join(name);
        let ran = sconce(before, &[("SCONCE_CACHE", &cache)], place.path());
        assert_eq!(ran.out, want.out, "{name}");
        assert!(ran.err.len() == 1 && ran.err[0].contains("nothing is kept"), "{name}: {:?}", ran.err);
        assert_eq!(std::fs::read_dir(&cache).expect("a folder").count(), 0, "{name}: something is left");
    }
}

/// Root writes everywhere, unless it gives that up.
fn can_drop_capabilities() -> bool {
    let tried = Command::new("setpriv").args(["--bounding-set=-all", "--inh-caps=-all", "true"]).status();
    tried.is_ok_and(|status| status.success())
}
