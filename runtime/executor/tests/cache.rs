//! A cache gives what was put into it or nothing, whatever happens to its files; what is wrong costs one line.

use proptest::prelude::*;
use sconce_executor::{Cache, CacheError, CacheOptions, Key, Report};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

struct Place {
    folder: tempfile::TempDir,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap(), lines: Arc::default() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn cache(&self, limit: u64) -> Cache {
        Cache::open(&self.path(), CacheOptions { limit, ..self.options() }).unwrap()
    }

    fn options(&self) -> CacheOptions {
        let lines = self.lines.clone();
        let report: Report = Arc::new(move |line| lines.lock().unwrap().push(line.to_owned()));
        CacheOptions { report: Some(report), ..CacheOptions::default() }
    }

    fn lines(&self) -> Vec<String> {
        std::mem::take(&mut self.lines.lock().unwrap())
    }

    fn files(&self) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(self.path()).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn entry(&self, key: &Key) -> PathBuf {
        self.path().join(format!("{key}.entry"))
    }
}

fn key(n: u64) -> Key {
    Key::builder().part("test", &n.to_le_bytes()).finish()
}

#[test]
fn an_entry_damaged_at_any_byte_is_a_miss() {
    let place = Place::new();
    let cache = place.cache(1 << 20);
    let content = b"what the compiler made";
    assert!(cache.put(&key(1), content));
    let whole = fs::read(place.entry(&key(1))).unwrap();
    let reads = |bytes: &[u8]| {
        fs::write(place.entry(&key(1)), bytes).unwrap();
        place.cache(1 << 20).get(&key(1))
    };
    for at in 0..whole.len() {
        for change in [1, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[at] ^= change;
            place.lines();
            assert_eq!(reads(&damaged), None, "byte {at}");
            let lines = place.lines();
            assert!(lines.len() == 1 && lines[0].contains("is damaged and not used"), "{lines:?}");
            assert!(!place.entry(&key(1)).exists());
        }
        assert_eq!(reads(&whole[..at]), None, "cut at {at}");
        let mut inserted = whole.clone();
        inserted.insert(at, whole[at]);
        assert_eq!(reads(&inserted), None, "a byte more at {at}");
    }
    assert_eq!(reads(&[&whole[..], b"\0"].concat()), None);
    assert_eq!(reads(&whole).as_deref(), Some(&content[..]));
    // Another's entry under this name.
    cache.put(&key(2), content);
    fs::rename(place.entry(&key(2)), place.entry(&key(1))).unwrap();
    assert_eq!(cache.get(&key(1)), None);
}

#[test]
fn trouble_is_reported_once_and_no_error() {
    let place = Place::new();
    let cache = place.cache(1 << 20);
    for n in 0..5 {
        cache.put(&key(n), b"content");
        fs::write(place.entry(&key(n)), b"junk").unwrap();
        assert_eq!(cache.get_or_make(&key(n), || Ok::<_, ()>(b"made".to_vec())), Ok(b"made".to_vec()));
        assert_eq!(cache.get(&key(n)).as_deref(), Some(&b"made"[..]));
    }
    assert_eq!(place.lines().len(), 1);
    assert_eq!(cache.get_or_make(&key(9), || Err("why not")), Err("why not"));
    assert_eq!(cache.get(&key(9)), None);
}

#[test]
fn what_others_can_write_is_not_used() {
    let place = Place::new();
    let cache = place.cache(1 << 20);
    cache.put(&key(1), b"content");
    let mode = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    assert_eq!(fs::metadata(place.path()).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(place.entry(&key(1))).unwrap().permissions().mode() & 0o777, 0o600);
    for writable in [0o620, 0o602, 0o666] {
        mode(&place.entry(&key(1)), writable);
        assert_eq!(place.cache(1 << 20).get(&key(1)), None, "{writable:o}");
        assert!(place.lines()[0].contains("can be written by others"));
    }
    mode(&place.entry(&key(1)), 0o644);
    assert!(cache.get(&key(1)).is_some());
    for writable in [0o720, 0o702, 0o777, 0o1777] {
        mode(&place.path(), writable);
        let refused = Cache::open(&place.path(), place.options()).map(drop);
        assert!(matches!(refused, Err(CacheError::Untrusted { .. })), "{writable:o}");
    }
    mode(&place.path(), 0o755);
    place.cache(1 << 20);
}

#[test]
fn what_belongs_to_another_user_is_not_used() {
    let place = Place::new();
    place.cache(1 << 20).put(&key(1), b"content");
    if std::os::unix::fs::chown(place.entry(&key(1)), Some(12345), None).is_err() {
        println!("not root: files cannot be given away here");
        return;
    }
    assert_eq!(place.cache(1 << 20).get(&key(1)), None);
    assert!(place.lines()[0].contains("belongs to user 12345"));
    std::os::unix::fs::chown(place.path(), Some(12345), None).unwrap();
    assert!(matches!(Cache::open(&place.path(), place.options()).map(drop), Err(CacheError::Untrusted { .. })));
}

#[test]
fn links_pipes_and_folders_are_not_followed() {
    let place = Place::new();
    let cache = place.cache(1 << 20);
    cache.put(&key(1), b"content");
    symlink(place.entry(&key(1)), place.entry(&key(2))).unwrap();
    fs::create_dir(place.entry(&key(3))).unwrap();
    assert!(Command::new("mkfifo").arg(place.entry(&key(4))).status().unwrap().success());
    for n in 2..5 {
        assert_eq!(cache.get(&key(n)), None);
    }
    assert_eq!(place.lines().len(), 1);
    // An entry takes the place of a link; what it led to stays.
    assert!(cache.put(&key(2), b"two"));
    assert_eq!((cache.get(&key(1)), cache.get(&key(2))), (Some(b"content".to_vec()), Some(b"two".to_vec())));
    assert!(!cache.put(&key(3), b"three"));
    symlink(place.path(), place.folder.path().join("link")).unwrap();
    for link in ["link", "link/", "link/.", "link//"] {
        let opened = Cache::open(&place.folder.path().join(link), place.options()).map(drop);
        assert!(matches!(opened, Err(CacheError::Untrusted { .. })), "{link}");
    }
    fs::write(place.folder.path().join("file"), "").unwrap();
    assert!(Cache::open(&place.folder.path().join("file"), place.options()).is_err());
}

#[test]
fn the_oldest_use_goes_first() {
    let place = Place::new();
    let cache = place.cache(4096);
    let content = vec![7; 900];
    let age = |n: u64, seconds: u64| {
        let file = fs::File::open(place.entry(&key(n))).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
    };
    for n in 0..4 {
        assert!(cache.put(&key(n), &content));
        age(n, 1000 - n);
    }
    assert!(cache.get(&key(0)).is_some(), "used now");
    assert!(cache.put(&key(4), &content));
    let kept: Vec<u64> = (0..5).filter(|n| cache.get(&key(*n)).is_some()).collect();
    assert_eq!(kept, [0, 2, 3, 4]);
    assert!(!cache.put(&key(5), &vec![0; 5000]), "larger than all that may be kept");
    assert_eq!(place.files().len(), 4);
}

#[test]
fn what_dead_processes_left_is_removed() {
    let place = Place::new();
    let cache = place.cache(1 << 20);
    for name in ["a.entry.123.0.tmp", "b.lock", "mine"] {
        fs::write(place.path().join(name), "left").unwrap();
    }
    cache.put(&key(1), b"content");
    assert_eq!(place.files(), [format!("{}.entry", key(1)), "mine".into()]);
}

/// A small file system of its own, where that can be had.
struct Mounted(PathBuf);

impl Mounted {
    fn new(path: &Path, options: &str) -> Option<Mounted> {
        fs::create_dir_all(path).unwrap();
        let mut mount = Command::new("mount");
        let done =
            mount.args(["-t", "tmpfs", "-o", options, "none"]).arg(path).output().is_ok_and(|o| o.status.success());
        if !done {
            println!("a file system cannot be mounted here");
        }
        done.then(|| Mounted(path.into()))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_is_a_miss() {
    let place = Place::new();
    let Some(_mounted) = Mounted::new(&place.path(), "size=64k,mode=700") else { return };
    let cache = place.cache(1 << 20);
    let content = vec![7; 10_000];
    for n in 0..30 {
        assert_eq!(cache.get_or_make(&key(n), || Ok::<_, ()>(content.clone())), Ok(content.clone()));
    }
    let lines = place.lines();
    assert!(lines.len() == 1 && lines[0].contains("nothing is kept"), "{lines:?}");
    let kept = (0..30).filter(|n| cache.get(&key(*n)).is_some_and(|found| found == content)).count();
    assert_eq!(kept, place.files().len(), "whole entries and nothing else");
    assert!(kept > 0);
}

#[test]
fn a_disk_that_cannot_be_written_is_read() {
    let place = Place::new();
    let Some(_mounted) = Mounted::new(&place.path(), "size=64k,mode=700") else { return };
    place.cache(1 << 20).put(&key(1), b"content");
    let remount = Command::new("mount").args(["-o", "remount,ro"]).arg(place.path()).status();
    assert!(remount.unwrap().success());
    let cache = place.cache(1 << 20);
    assert_eq!(cache.get(&key(1)).as_deref(), Some(&b"content"[..]));
    for n in 2..5 {
        assert_eq!(cache.get_or_make(&key(n), || Ok::<_, ()>(b"made".to_vec())), Ok(b"made".to_vec()));
    }
    let lines = place.lines();
    assert!(lines.len() == 1 && lines[0].contains("nothing is kept"), "{lines:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_content_comes_back(content in prop::collection::vec(any::<u8>(), 0..3000), n in any::<u64>()) {
        let place = Place::new();
        let cache = place.cache(1 << 20);
        prop_assert!(cache.put(&key(n), &content));
        prop_assert_eq!(cache.get(&key(n)), Some(content));
        prop_assert_eq!(cache.get(&key(n.wrapping_add(1))), None);
    }

    /// Parts are not run together.
    #[test]
    fn keys_are_of_their_parts(a in ".{0,4}", b in ".{0,4}", c in ".{0,4}", d in ".{0,4}") {
        let make = |name: &str, bytes: &str| Key::builder().part(name, bytes.as_bytes()).finish();
        prop_assert_eq!(make(&a, &b) == make(&c, &d), (&a, &b) == (&c, &d));
        let two = Key::builder().part(&a, b.as_bytes()).part(&c, d.as_bytes()).finish();
        prop_assert_ne!(two, make(&a, &format!("{b}{c}{d}")));
    }
}
