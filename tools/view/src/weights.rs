//! Of each parameter and buffer its size, and the range of its elements, which a page holds in place of them.

use crate::bounds::{MOST_CHARACTERS, MOST_COUNTED, MOST_WEIGHTS, cut};
use sconce_tensor::Tensor;
use serde::Serialize;

/// A parameter or buffer.
pub struct Held {
    /// `layers.0.weight`
    pub name: String,
    /// `parameter`, `buffer`
    pub kind: &'static str,
    pub tensor: Tensor,
}

/// A row of the page.
#[derive(Serialize, Debug)]
pub struct Weight {
    name: String,
    kind: &'static str,
    dtype: &'static str,
    shape: Vec<i64>,
    bytes: u64,
    /// Of finite elements; not there where none was looked at.
    #[serde(flatten)]
    range: Option<Range>,
}

#[derive(Serialize, Debug, PartialEq)]
struct Range {
    min: f64,
    max: f64,
    mean: f64,
    /// Elements that are NaN or infinite.
    not_finite: usize,
}

/// Elements that are converted at once.
const CHUNK: usize = 1 << 16;

/// The rows, and what was left out of them.
pub fn rows(held: &[Held], omitted: &mut Vec<String>) -> Vec<Weight> {
    let mut budget = MOST_COUNTED;
    let mut unread = 0;
    let rows = held.iter().take(MOST_WEIGHTS).map(|h| {
        let t = &h.tensor;
        let counted = t.numel() <= budget;
        unread += usize::from(!counted);
        budget -= if counted { t.numel() } else { 0 };
        Weight {
            name: cut(&h.name, MOST_CHARACTERS),
            kind: h.kind,
            dtype: t.dtype().torch_name(),
            shape: t.sizes().to_vec(),
            bytes: (t.numel() as u64).saturating_mul(t.dtype().size() as u64),
            range: if counted { range(t) } else { None },
        }
    });
    let rows = rows.collect();
    if unread > 0 {
        omitted.push(format!("the ranges of {unread} weights: more than {MOST_COUNTED} elements"));
    }
    if held.len() > MOST_WEIGHTS {
        omitted.push(format!("{} of {} weights", held.len() - MOST_WEIGHTS, held.len()));
    }
    rows
}

fn range(t: &Tensor) -> Option<Range> {
    if t.dtype().is_complex() || t.is_quantized() || !t.is_plain() {
        return None;
    }
    let t = t.contiguous().ok()?;
    let (mut min, mut max, mut sum, mut finite) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0usize);
    for start in (0..t.numel()).step_by(CHUNK) {
        let length = CHUNK.min(t.numel() - start);
        let chunk = t.as_strided(&[length as i64], &[1], t.storage_offset() + start as i64).ok()?;
        for x in chunk.to_f64().into_iter().filter(|x| x.is_finite()) {
            (min, max, sum, finite) = (min.min(x), max.max(x), sum + x, finite + 1);
        }
    }
    (finite > 0).then(|| Range { min, max, mean: sum / finite as f64, not_finite: t.numel() - finite })
}

#[cfg(test)]
mod tests {
    use super::{Held, Range, range, rows};
    use sconce_tensor::Tensor;

    #[test]
    fn ranges_are_of_finite_elements() {
        let t = Tensor::from_vec(vec![1f32, f32::NAN, -3., f32::INFINITY], &[2, 2]);
        assert_eq!(range(&t), Some(Range { min: -3., max: 1., mean: -1., not_finite: 2 }));
        let many: Vec<i64> = (0..200_000).collect();
        let t =
            Tensor::from_vec(many, &[200, 1000]).as_strided(&[1000, 200], &[1, 1000], 0).expect("a transposed view");
        assert_eq!(range(&t), Some(Range { min: 0., max: 199_999., mean: 99_999.5, not_finite: 0 }));
        assert_eq!(range(&Tensor::from_vec(Vec::<f32>::new(), &[0])), None);
    }

    #[test]
    fn what_is_larger_than_the_bound_is_listed_and_not_read() {
        let one = Tensor::from_vec(vec![0u8], &[1]);
        let large = one.expand(&[1 << 40]).expect("a view");
        let held = |tensor| Held { name: "w".into(), kind: "buffer", tensor };
        let mut omitted = Vec::new();
        let rows = rows(&[held(large), held(one)], &mut omitted);
        assert_eq!(omitted, ["the ranges of 1 weights: more than 268435456 elements"]);
        assert_eq!((rows[0].bytes, rows[0].range.is_some(), rows[1].range.is_some()), (1 << 40, false, true));
    }
}
