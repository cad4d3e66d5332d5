//! `size` holds the runtime alone to what people are promised: it is small enough to go along with a product.

use crate::{TaskResult, build};

/// Bytes that the stripped program stays below. It was 10,000,000 before quantized and torchvision operators; the special functions that no
/// program calls are what is to leave it.
const LIMIT: u64 = 10_100_000;

pub fn run(_arguments: &[String]) -> TaskResult {
    let path = build::runtime()?;
    let bytes = std::fs::metadata(&path).map_err(|e| format!("{}: {e}", path.display()))?.len();
    println!("size: sconce-rt has {bytes} bytes; the bound is {LIMIT}");
    if bytes < LIMIT { Ok(()) } else { Err(format!("sconce-rt has {bytes} bytes; the bound is {LIMIT}")) }
}
