//! Results that have the dtype and sizes of arguments: what many backward operators give.

use super::args::{Args, tensor};
use super::{Meta, RuleResult};
use smallvec::smallvec;

fn of(a: &[Meta], i: usize) -> Result<Meta, super::ShapeError> {
    let t = Args(a).tensor(i)?;
    Ok(tensor(t.dtype, t.sizes))
}

pub fn first(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 0)?])
}

pub fn second(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 1)?])
}

pub fn third(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 2)?])
}

/// Two results, like the second and the third argument.
pub fn second_and_third(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 1)?, of(a, 2)?])
}

/// Three results, like the first three arguments.
pub fn first_three(a: &[Meta]) -> RuleResult {
    Ok(smallvec![of(a, 0)?, of(a, 1)?, of(a, 2)?])
}
