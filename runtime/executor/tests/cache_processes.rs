//! Processes that share a cache: none compiles what another is compiling, and none that is killed leaves half an entry. This program is its own child.

use sconce_executor::{Cache, CacheOptions, Key};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a child is to do, and where.
const ROLE: &str = "SCONCE_TEST_CACHE_ROLE";
const FOLDER: &str = "SCONCE_TEST_CACHE_FOLDER";

fn key(n: u64) -> Key {
    Key::builder().part("test", &n.to_le_bytes()).finish()
}

/// What every process would compile for a key.
fn content(n: u64) -> Vec<u8> {
    let length = 1000 + (n * 7919) % 20_000;
    (0..length).map(|i| (i.wrapping_mul(n + 1) >> 3) as u8).collect()
}

fn child(role: &str, folder: &Path) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command.args(["--exact", "the_child", "--nocapture"]).env(ROLE, role).env(FOLDER, folder);
    command.stdout(Stdio::null()).spawn().unwrap()
}

#[test]
fn the_child() {
    let (Ok(role), Ok(folder)) = (std::env::var(ROLE), std::env::var(FOLDER)) else { return };
    let folder = PathBuf::from(folder);
    let wait = if role == "impatient" { Duration::from_secs(1) } else { Duration::from_secs(60) };
    let cache = Cache::open(&folder.join("cache"), CacheOptions { wait, ..CacheOptions::default() }).unwrap();
    match &*role {
        "hang" => {
            let _ = cache.get_or_make(&key(0), || {
                fs::write(folder.join("hangs"), "").unwrap();
                std::thread::sleep(Duration::from_secs(3600));
                Err::<Vec<u8>, ()>(())
            });
        }
        "impatient" => compile(&cache, &folder, 0),
        "compile" => compile_all(&cache, &folder),
        "write" => write_for_ever(&cache),
        other => panic!("{other}"),
    }
}

const KERNELS: u64 = 8;

fn compile_all(cache: &Cache, folder: &Path) {
    (0..KERNELS).for_each(|n| compile(cache, folder, n));
}

fn compile(cache: &Cache, folder: &Path, n: u64) {
    let made = cache.get_or_make(&key(n), || {
        let mut log = fs::OpenOptions::new().create(true).append(true).open(folder.join("compiled")).unwrap();
        log.write_all(&[n as u8]).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        Ok::<_, ()>(content(n))
    });
    assert_eq!(made, Ok(content(n)));
}

fn write_for_ever(cache: &Cache) {
    for n in (0..16).cycle() {
        let found = cache.get_or_make(&key(n), || Ok::<_, ()>(content(n)));
        assert_eq!(found, Ok(content(n)));
        cache.put(&key(n), &content(n));
    }
}

#[test]
fn sixty_four_processes_compile_each_entry_once() {
    let place = tempfile::tempdir().unwrap();
    let children: Vec<Child> = (0..64).map(|_| child("compile", place.path())).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let log = fs::read(place.path().join("compiled")).unwrap();
    for n in 0..KERNELS {
        let times = log.iter().filter(|b| u64::from(**b) == n).count();
        assert!((1..=2).contains(&times), "entry {n} was compiled {times} times");
    }
    println!("{} compilations of {KERNELS} entries by 64 processes", log.len());
}

/// One holds the lock and never ends; of the others one compiles in its place.
#[test]
fn a_process_that_hangs_is_not_waited_for_by_all() {
    let place = tempfile::tempdir().unwrap();
    let mut stuck = child("hang", place.path());
    while !place.path().join("hangs").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let children: Vec<Child> = (0..8).map(|_| child("impatient", place.path())).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    stuck.kill().unwrap();
    stuck.wait().unwrap();
    assert_eq!(fs::read(place.path().join("compiled")).unwrap().len(), 1);
}

/// So many processes are killed; `SCONCE_KILLS` says how many.
#[test]
fn processes_that_are_killed_leave_whole_entries() {
    let kills: u64 = std::env::var("SCONCE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("cache");
    let cache = Cache::open(&folder, Default::default()).unwrap();
    let (started, mut whole, mut left) = (Instant::now(), 0u64, 0);
    for n in 0..kills {
        let mut children = [child("write", place.path()), child("write", place.path())];
        // Times without a pattern, so that every step of a write is met.
        std::thread::sleep(Duration::from_micros(2_000 + n.wrapping_mul(2_654_435_761) % 9_000));
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
        left += fs::read_dir(&folder)
            .unwrap()
            .flatten()
            .filter(|f| f.path().extension().is_some_and(|e| e == "tmp"))
            .count();
        for n in 0..16 {
            if let Some(found) = cache.get(&key(n)) {
                assert!(found == content(n), "entry {n} is not what was written");
                whole += 1;
            }
        }
        if n % 16 == 0 {
            let _ = fs::remove_file(folder.join(format!("{}.entry", key(n % 16))));
        }
    }
    cache.put(&key(99), b"the last one sweeps");
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|n| n.ends_with(".entry")), "{names:?}");
    assert!(whole > 0);
    println!(
        "{} processes killed in {:.0?}: {whole} entries read, all whole; {left} temporaries met, all removed",
        2 * kills,
        started.elapsed()
    );
}
