//! Suppression of boxes that overlap better ones: which boxes stay depends on their order by score alone, so every box that stays is compared with
//! all after it at once.

use super::Real;
use crate::Error;
use crate::engine::cast;
use crate::engine::lanes::in_order;
use crate::engine::vectorize::vectorize_widest;
use sconce_tensor::{DType, IValue, Tensor};
use std::cmp::Ordering;

/// (dets, scores, iou_threshold): indices of the boxes that stay, by descending score.
pub fn nms(boxes: &Tensor, scores: &Tensor, threshold: f64) -> Result<IValue, Error> {
    let kept = match boxes.dtype() {
        DType::F32 => {
            // An f32 is above the threshold when it is above the largest f32 that is not.
            let near = threshold as f32;
            let below = if f64::from(near) > threshold { near.next_down() } else { near };
            // SAFETY: what is written is the list of indices alone.
            unsafe { kept::<f32>(&cast::elements(boxes)?, &cast::elements(scores)?, below) }
        }
        // SAFETY: as above.
        _ => unsafe { kept::<f64>(&cast::elements(boxes)?, &cast::elements(scores)?, threshold) },
    };
    let n = kept.len() as i64;
    Ok(Tensor::from_vec(kept, &[n]).into())
}

/// The better score first; NaN is the best.
fn descending<T: Real>(a: T, b: T) -> Ordering {
    b.partial_cmp(&a).unwrap_or_else(|| b.is_nan().cmp(&a.is_nan()))
}

fn kept<T: Real>(boxes: &[T], scores: &[T], threshold: T) -> Vec<i64> {
    let order = in_order(scores.len(), &|a, b| descending(scores[a], scores[b]));
    let column = |c: usize| -> Vec<T> { order.iter().map(|&i| boxes[4 * i + c]).collect() };
    let [left, top, right, bottom] = [0, 1, 2, 3].map(column);
    let area: Vec<T> = (0..order.len()).map(|i| (right[i] - left[i]) * (bottom[i] - top[i])).collect();
    let mut gone = vec![0u32; order.len()];
    let mut kept = Vec::new();
    for (i, &at) in order.iter().enumerate() {
        if gone[i] != 0 {
            continue;
        }
        kept.push(at as i64);
        let (l, t, r, b, own) = (left[i], top[i], right[i], bottom[i], area[i]);
        let (left, top, right, bottom) = (&left[i + 1..], &top[i + 1..], &right[i + 1..], &bottom[i + 1..]);
        let (area, gone) = (&area[i + 1..], &mut gone[i + 1..]);
        vectorize_widest(
            #[inline(always)]
            || {
                let others = left.iter().zip(top).zip(right.iter().zip(bottom)).zip(area).zip(gone);
                for ((((l2, t2), (r2, b2)), area), gone) in others {
                    // Of what cannot be compared the better box's edge counts.
                    let width = min(r, *r2) - max(l, *l2);
                    let height = min(b, *b2) - max(t, *t2);
                    let shared = max(T::zero(), width) * max(T::zero(), height);
                    let overlap = shared / (own + *area - shared);
                    *gone |= u32::from(overlap > threshold);
                }
            },
        );
    }
    kept
}

#[inline(always)]
fn max<T: Real>(a: T, b: T) -> T {
    if a < b { b } else { a }
}

#[inline(always)]
fn min<T: Real>(a: T, b: T) -> T {
    if b < a { b } else { a }
}
