//! A compiler whose code has every access to memory checked: a call that touches anything but its buffers panics.

use super::worker::program;
use sconce::request::{Limits, Worker};

/// Such a compiler, in a process of its own.
pub fn checking() -> Worker {
    Worker::new(program(), vec!["--check-memory".into()], Limits::default())
}
