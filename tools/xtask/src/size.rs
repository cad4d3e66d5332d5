//! `size` holds the runtime alone to what people are promised: it is small enough to go along with a product.

use crate::{TaskResult, build};

/// Bytes that the stripped program stays below, so that it does not grow unseen: it reads archives, source and graph text, interprets them and loads compiled
/// regions.
const LIMIT: u64 = 12_000_000;

pub fn run(_arguments: &[String]) -> TaskResult {
    let path = build::runtime()?;
    let bytes = std::fs::metadata(&path).map_err(|e| format!("{}: {e}", path.display()))?.len();
    println!("size: sconce-rt has {bytes} bytes; the bound is {LIMIT}");
    if bytes < LIMIT { Ok(()) } else { Err(format!("sconce-rt has {bytes} bytes; the bound is {LIMIT}")) }
}
