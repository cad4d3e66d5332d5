//! Types that have nothing to do with the tensor behind them, as listings declare them.

use sconce_tensor::DType;
use sconce_tensor::mersenne::Engine;

/// What a type may say of the elements, and what they may be.
pub const DTYPES: &[(&str, DType)] = &[
    ("Float", DType::F32),
    ("Double", DType::F64),
    ("Half", DType::F16),
    ("BFloat16", DType::BF16),
    ("Long", DType::I64),
    ("Int", DType::I32),
    ("Bool", DType::Bool),
];

pub fn below(e: &mut Engine, n: usize) -> usize {
    e.below(n.max(1) as u64) as usize
}

pub fn one<T: Copy>(e: &mut Engine, of: &[T]) -> T {
    of[below(e, of.len())]
}

pub fn small_sizes(e: &mut Engine) -> Vec<i64> {
    let rank = below(e, 4);
    (0..rank).map(|_| one(e, &[1, 2, 2, 3, 0])).collect()
}

/// A type: nothing, a dtype and a rank, or sizes and strides too.
pub fn lie(e: &mut Engine) -> String {
    let (dtype, _) = one(e, DTYPES);
    let sizes = small_sizes(e);
    let device = one(e, &["cpu", "cpu", "cuda:0"]);
    let gradient = one(e, &[0, 0, 1]);
    match below(e, 4) {
        0 => "Tensor".into(),
        1 => format!("{dtype}({})", vec!["*"; sizes.len()].join(", ")),
        _ => {
            let words: Vec<String> = sizes.iter().map(i64::to_string).collect();
            let mut strides: Vec<i64> = sizes
                .iter()
                .scan(1, |step, n| {
                    let s = *step;
                    *step *= n.max(&1);
                    Some(s)
                })
                .collect();
            if below(e, 2) == 0 {
                strides.reverse();
            }
            let comma = if words.is_empty() { "" } else { ", " };
            let sizes = words.join(", ");
            format!("{dtype}({sizes}{comma}strides={strides:?}, requires_grad={gradient}, device={device})")
        }
    }
}
