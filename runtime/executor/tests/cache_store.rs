//! A store beside the folder gives what another machine made, keeps what this one made, and never changes what a caller gets: what is wrong with it costs one line.

use sconce_executor::{Cache, CacheOptions, Key, Report, Store};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A store in memory that counts its questions, and may refuse them.
#[derive(Default)]
struct Shelf {
    entries: Mutex<BTreeMap<String, Vec<u8>>>,
    asked: AtomicUsize,
    refuses: bool,
}

impl Shelf {
    fn ask(&self) -> Result<(), String> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if self.refuses { Err("nobody answers".into()) } else { Ok(()) }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Store for Shelf {
    fn get(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>, String> {
        self.ask()?;
        let found = self.entries.lock().unwrap().get(name).cloned();
        match found {
            Some(bytes) if bytes.len() as u64 > most => Err(format!("{name} is too large")),
            found => Ok(found),
        }
    }

    fn put(&self, name: &str, bytes: Vec<u8>) -> Result<(), String> {
        self.ask()?;
        self.entries.lock().unwrap().insert(name.to_owned(), bytes);
        Ok(())
    }

    fn place(&self) -> &str {
        "shelf"
    }
}

fn key(name: &str) -> Key {
    Key::builder().part("test", name.as_bytes()).finish()
}

/// A cache of a machine in this folder, and what it reports.
fn machine(folder: &Path, shelf: &Arc<Shelf>, limit: u64) -> (Cache, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::<Mutex<Vec<String>>>::default();
    let said = lines.clone();
    let report: Report = Arc::new(move |line| said.lock().unwrap().push(line.to_owned()));
    let options = CacheOptions { report: Some(report), store: Some(shelf.clone()), limit, ..CacheOptions::default() };
    (Cache::open(folder, options).unwrap(), lines)
}

/// What is had under a key of this machine and one of all; whether it had to be made.
fn made(cache: &Cache, own: &str) -> (Vec<u8>, bool) {
    let mut made = false;
    let make = || {
        made = true;
        Ok::<_, String>(b"program".to_vec())
    };
    let bytes = cache.get_or_make_shared(&key(own), || Some(key("of all")), make).unwrap();
    (bytes, made)
}

#[test]
fn what_one_machine_made_is_not_made_by_another() {
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let shelf = Arc::new(Shelf::default());
    let (one, _) = machine(first.path(), &shelf, 1 << 20);
    assert_eq!(made(&one, "first"), (b"program".to_vec(), true));
    assert_eq!(shelf.asked(), 2, "looked for, and kept");
    let (two, lines) = machine(second.path(), &shelf, 1 << 20);
    assert_eq!(made(&two, "second"), (b"program".to_vec(), false));
    assert_eq!(made(&two, "second"), (b"program".to_vec(), false));
    assert_eq!(shelf.asked(), 3, "the folder has it from then on");
    assert_eq!(*lines.lock().unwrap(), [""; 0]);
}

#[test]
fn what_has_no_key_for_all_stays_in_the_folder() {
    let (folder, shelf) = (tempfile::tempdir().unwrap(), Arc::new(Shelf::default()));
    let (cache, _) = machine(folder.path(), &shelf, 1 << 20);
    cache.get_or_make(&key("own"), || Ok::<_, String>(vec![1])).unwrap();
    cache.get_or_make_shared(&key("other"), || None, || Ok::<_, String>(vec![2])).unwrap();
    assert_eq!(shelf.asked(), 0);
}

#[test]
fn an_entry_that_is_damaged_or_of_another_key_is_made_again() {
    let whole = {
        let (folder, shelf) = (tempfile::tempdir().unwrap(), Arc::new(Shelf::default()));
        made(&machine(folder.path(), &shelf, 1 << 20).0, "first");
        shelf.entries.lock().unwrap().clone()
    };
    let (name, bytes) = whole.first_key_value().unwrap();
    for at in 0..bytes.len() {
        let (folder, shelf) = (tempfile::tempdir().unwrap(), Arc::new(Shelf::default()));
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        shelf.entries.lock().unwrap().insert(name.clone(), damaged);
        let (cache, lines) = machine(folder.path(), &shelf, 1 << 20);
        assert_eq!(made(&cache, "second"), (b"program".to_vec(), true), "byte {at}");
        let said = lines.lock().unwrap();
        assert!(said.len() == 1 && said[0].ends_with("of the store is damaged and not used"), "byte {at}: {said:?}");
        assert_eq!(*shelf.entries.lock().unwrap(), whole, "byte {at}: it is not replaced");
    }
}

#[test]
fn a_store_that_fails_is_left_alone_and_told_once() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Arc::new(Shelf { refuses: true, ..Shelf::default() });
    let (cache, lines) = machine(folder.path(), &shelf, 1 << 20);
    assert_eq!(made(&cache, "one"), (b"program".to_vec(), true));
    assert_eq!(made(&cache, "two"), (b"program".to_vec(), true));
    assert_eq!(made(&cache, "two"), (b"program".to_vec(), false));
    assert_eq!(shelf.asked(), 1);
    assert_eq!(*lines.lock().unwrap(), ["compile cache: shelf is not used: nobody answers"]);
}

#[test]
fn an_entry_above_the_limit_is_neither_read_nor_kept() {
    let (folder, shelf) = (tempfile::tempdir().unwrap(), Arc::new(Shelf::default()));
    shelf.entries.lock().unwrap().insert(format!("{}.entry", key("of all")), vec![0; 200]);
    let (cache, lines) = machine(folder.path(), &shelf, 16);
    assert_eq!(made(&cache, "one"), (b"program".to_vec(), true));
    assert!(lines.lock().unwrap()[0].contains("is too large"));
    let (folder, shelf) = (tempfile::tempdir().unwrap(), Arc::new(Shelf::default()));
    let (cache, _) = machine(folder.path(), &shelf, 3);
    assert_eq!(made(&cache, "one"), (b"program".to_vec(), true));
    assert_eq!(shelf.entries.lock().unwrap().len(), 0);
}
