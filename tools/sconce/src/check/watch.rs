//! How far a check is, for who looks on from another thread, and their wish that it end.

use super::Verdict;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// How far a check is. Counts are of this moment; the [`Tally`](super::Tally) has what is certain.
#[derive(Default)]
pub struct Watch {
    recording: AtomicUsize,
    recordings: AtomicUsize,
    passed: AtomicUsize,
    failed: AtomicUsize,
    skipped: AtomicUsize,
    stop: Arc<AtomicBool>,
}

impl Watch {
    /// A watch of a check that ends when `stop` becomes true: the case that runs then is not counted.
    pub fn new(stop: Arc<AtomicBool>) -> Watch {
        Watch { stop, ..Watch::default() }
    }

    /// Is the check to end?
    pub fn is_over(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// What there is to say at the moment: `: file 3 of 7, 120 passed, 1 failed, 4 skipped`.
    pub fn line(&self) -> String {
        let [at, of, passed, failed, skipped] =
            [&self.recording, &self.recordings, &self.passed, &self.failed, &self.skipped].map(|n| n.load(Relaxed));
        format!(": file {at} of {of}, {passed} passed, {failed} failed, {skipped} skipped")
    }

    pub(super) fn reaches(&self, recording: usize, recordings: usize) {
        self.recording.store(recording, Relaxed);
        self.recordings.store(recordings, Relaxed);
    }

    pub(super) fn sees(&self, verdict: &Verdict) {
        let count = match verdict {
            Verdict::Passed | Verdict::Reworded(_) => &self.passed,
            Verdict::Failed(_) => &self.failed,
            Verdict::Skipped(_) => &self.skipped,
        };
        count.fetch_add(1, Relaxed);
    }
}
