//! An archive that was cut or has one changed bit is refused, or holds exactly what it held.

mod common;

use common::{Content, archives};

/// The smallest recorded archives of different layouts and versions.
fn small(count: usize, wanted: impl Fn(&str) -> bool) -> Vec<(String, Vec<u8>)> {
    let corpus = archives();
    let mut all: Vec<_> = corpus.iter().filter(|(p, _)| wanted(p)).map(|(p, b)| (p.to_string(), b.to_vec())).collect();
    all.sort_by_key(|(path, bytes)| (bytes.len(), path.clone()));
    all.truncate(count);
    all
}

/// Runs over `0..count` on two threads.
fn both_halves(count: usize, check: impl Fn(usize) + Sync) {
    std::thread::scope(|scope| {
        scope.spawn(|| (0..count).step_by(2).for_each(&check));
        (1..count).step_by(2).for_each(&check);
    });
}

#[test]
fn cut_anywhere_is_refused() {
    let mut archives = small(50, |p| p.ends_with("/model.pt") && !p.starts_with('_'));
    archives.extend(small(8, |p| p.ends_with("/model_1_13.pt")));
    archives.extend(small(1, |p| p.ends_with("/mobile.ptl")));
    archives.extend(small(2, |p| p.starts_with("_model_json/")));
    archives.extend(small(1, |p| p.starts_with("_old_versions/")));
    assert_eq!(archives.len(), 62);
    for (path, bytes) in &archives {
        assert!(Content::read(bytes).is_ok(), "{path}");
        both_halves(bytes.len(), |n| {
            assert!(Content::read(&bytes[..n]).is_err(), "{path} cut to {n} bytes opens");
        });
    }
    let cuts: usize = archives.iter().map(|(_, bytes)| bytes.len()).sum();
    println!("{cuts} cuts");
    assert!(cuts > 100_000, "{cuts} cuts");
}

#[test]
fn a_changed_bit_is_refused_or_changes_nothing() {
    let mut archives = small(1, |p| p.ends_with("/model.pt") && p.starts_with("modules/"));
    archives.extend(small(1, |p| p.ends_with("/mobile.ptl")));
    archives.extend(small(1, |p| p.starts_with("_model_json/w_")));
    for (path, bytes) in &archives {
        let whole = Content::read(bytes).unwrap_or_else(|e| panic!("{path}: {e}"));
        let harmless = std::sync::atomic::AtomicUsize::new(0);
        both_halves(bytes.len() * 8, |bit| {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            if let Ok(content) = Content::read(&changed) {
                assert!(content == whole, "{path}: bit {bit} changes what is loaded");
                harmless.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        });
        println!("{path}: {} bits, {} of them harmless", bytes.len() * 8, harmless.into_inner());
    }
}
