//! Recorded streams of the generator, and what the recipes of their README make of them: every operator that draws draws just so.
//!
//! The recipes are written here once more, over the recorded words alone: they judge the kernels, and do not use them.

use crate::Error;
use crate::tables::Cells;
use sconce_tensor::{DType, IValue, Tensor};
use serde_json::Value;

/// The words of one seed, in the order in which they are drawn.
struct Words<'a> {
    words: &'a [u32],
    at: usize,
}

impl Words<'_> {
    fn u32(&mut self) -> u32 {
        self.at += 1;
        self.words.get(self.at - 1).copied().unwrap_or_default()
    }
    fn u64(&mut self) -> u64 {
        let high = u64::from(self.u32());
        high << 32 | u64::from(self.u32())
    }
    fn float(&mut self) -> f64 {
        f64::from(self.u32() & 0xff_ffff) / f64::from(1 << 24)
    }
    fn double(&mut self) -> f64 {
        (self.u64() & ((1 << 53) - 1)) as f64 / (1u64 << 53) as f64
    }
    fn uniform(&mut self, dtype: DType) -> f64 {
        if dtype == DType::F64 { self.double() } else { self.float() }
    }

    fn normal(&mut self, n: usize, dtype: DType) -> Vec<f64> {
        use std::f64::consts::TAU;
        if n < 16 {
            let mut out = Vec::new();
            while out.len() < n {
                let (u1, u2) = (self.double(), self.double());
                let r = (-2.0 * (-u2).ln_1p()).sqrt();
                out.extend([r * (TAU * u1).cos(), r * (TAU * u1).sin()]);
            }
            out.truncate(n);
            return out;
        }
        let turn = |block: &mut [f64]| {
            for j in 0..8 {
                let (r, angle) = ((-2.0 * (1.0 - block[j]).ln()).sqrt(), TAU * block[j + 8]);
                (block[j], block[j + 8]) = (r * angle.cos(), r * angle.sin());
            }
        };
        let mut out: Vec<f64> = (0..n).map(|_| self.uniform(dtype)).collect();
        out.chunks_exact_mut(16).for_each(turn);
        if !n.is_multiple_of(16) {
            let last = &mut out[n - 16..];
            last.iter_mut().for_each(|v| *v = self.uniform(dtype));
            turn(last);
        }
        out
    }

    fn permutation(&mut self, n: usize) -> Vec<f64> {
        let mut out: Vec<f64> = (0..n).map(|i| i as f64).collect();
        for i in 0..n.saturating_sub(1) {
            let z = self.u32() as usize % (n - i);
            out.swap(i, z + i);
        }
        out
    }

    fn integer(&mut self, low: i64, high: i64) -> i64 {
        let range = high.wrapping_sub(low) as u64;
        let drawn = if range >= 1 << 28 { self.u64() } else { u64::from(self.u32()) };
        low.wrapping_add((drawn % range) as i64)
    }
}

/// Judges a `random.json`: the generator gives the recorded words, and each operator what its recipe makes of as many of them as there are.
pub fn random(text: &str) -> Result<Cells, Error> {
    let json: Value = serde_json::from_str(text).map_err(|e| Error::Malformed(e.to_string()))?;
    let mut cells = Cells::default();
    for stream in json["raw"].as_array().ok_or_else(|| Error::malformed("streams", &json["raw"]))? {
        let seed = stream["seed"].as_u64().ok_or_else(|| Error::malformed("a seed", stream))?;
        let words: Option<Vec<u32>> = stream["u32"]
            .as_array()
            .and_then(|list| list.iter().map(|v| v.as_u64().and_then(|w| u32::try_from(w).ok())).collect());
        let words = words.ok_or_else(|| Error::malformed("words", stream))?;
        let mut engine = sconce_tensor::mersenne::Engine::new(seed);
        for (i, want) in words.iter().enumerate() {
            let got = engine.u32();
            cells.check(|| format!("seed {seed}, word {i}"), got, *want);
        }
        recipes(seed, &words, &mut cells);
    }
    Ok(cells)
}

/// What an operator gives for a seed, as numbers.
fn drawn(seed: u64, op: &str, args: Vec<IValue>) -> Result<Vec<f64>, String> {
    let entry = sconce_schema::lookup(op).ok_or_else(|| format!("{op} is not in the table"))?;
    let mut args = args;
    for argument in &entry.schema().arguments[args.len()..] {
        let default = argument.default.as_ref().ok_or_else(|| format!("{op} wants `{}`", argument.name))?;
        args.push(sconce_kernels::defaults::default_value(default, argument));
    }
    sconce_tensor::mersenne::manual_seed(seed);
    let out = crate::call(entry, &mut args).map_err(|e| e.to_string())?;
    let Some(IValue::Tensor(t)) = out.first() else { return Err(format!("{op} gives no tensor")) };
    sconce_kernels::cast::to_vec::<f64>(t).map_err(|e| e.to_string())
}

fn recipes(seed: u64, words: &[u32], cells: &mut Cells) {
    let all = words.len();
    let filled = |n: usize, value: f64, dtype: DType| {
        let t = sconce_kernels::cast::from_vec(vec![value; n], &[n as i64], dtype);
        t.map_or(IValue::None, IValue::Tensor)
    };
    let of_size = |n: usize, dtype: DType| vec![IValue::int_list(&[n as i64]), IValue::from(dtype)];
    // Draws `n` elements, of which each takes so many words, where the stream is long enough.
    let mut judge =
        |op: &str, n: usize, each: usize, bound: f64, args: Vec<IValue>, want: &dyn Fn(&mut Words<'_>) -> Vec<f64>| {
            if n * each > all {
                return;
            }
            let want = want(&mut Words { words, at: 0 });
            let got = drawn(seed, op, args);
            let near = |got: &[f64]| {
                got.len() == want.len() && got.iter().zip(&want).all(|(g, w)| (g - w).abs() <= bound * w.abs().max(1.0))
            };
            let right = got.as_deref().is_ok_and(near);
            cells.check(|| format!("seed {seed}, {op} of {n}: {want:?} became {got:?}"), right, true);
        };
    for n in [1, 5, 8, 15, 16, 17, 20, 40, 100, 300, 600] {
        for (dtype, each) in [(DType::F32, 1), (DType::F64, 2)] {
            let bound = if dtype == DType::F64 { 1e-12 } else { 2e-6 };
            judge("aten::rand", n, each, 0.0, of_size(n, dtype), &|w| (0..n).map(|_| w.uniform(dtype)).collect());
            let like = filled(n, 0.0, dtype);
            judge("aten::rand_like", n, each, 0.0, vec![like.clone()], &|w| (0..n).map(|_| w.uniform(dtype)).collect());
            let bounds = |t: IValue| vec![t, IValue::Double(-2.0), IValue::Double(3.0)];
            judge("aten::uniform_", n, each, bound, bounds(filled(n, 0.0, dtype)), &|w| {
                (0..n).map(|_| w.uniform(dtype) * 5.0 - 2.0).collect()
            });
            // An odd number below 16 draws a pair for its last; from 16 on the last block is drawn anew.
            let needs = if n < 16 { (n + 1) * 2 } else { (n + 16) * each };
            if needs <= all {
                judge("aten::randn", n, 0, bound, of_size(n, dtype), &|w| w.normal(n, dtype));
                judge("aten::randn_like", n, 0, bound, vec![like], &|w| w.normal(n, dtype));
                let args = vec![filled(n, 0.0, dtype), IValue::Double(1.5), IValue::Double(0.25)];
                judge("aten::normal_", n, 0, bound, args, &|w| {
                    w.normal(n, dtype).iter().map(|v| v * 0.25 + 1.5).collect()
                });
            }
            let args = vec![filled(n, 0.0, dtype), IValue::Double(0.5)];
            judge("aten::exponential_", n, 2, 2e-6, args, &|w| (0..n).map(|_| -(-w.double()).ln_1p() / 0.5).collect());
            let args = vec![filled(n, 0.0, dtype), IValue::Double(0.3)];
            judge("aten::bernoulli_.float", n, 2, 0.0, args, &|w| {
                (0..n).map(|_| f64::from(w.double() < 0.3)).collect()
            });
            let args = vec![filled(n, 1.0, dtype), IValue::Double(0.5), IValue::Bool(true)];
            judge("aten::dropout", n, 2, 0.0, args, &|w| (0..n).map(|_| 2.0 * f64::from(w.double() < 0.5)).collect());
        }
        for dtype in [DType::F16, DType::BF16] {
            judge("aten::rand", n, 1, 0.0, of_size(n, dtype), &|w| {
                let exact: Vec<f64> = (0..n).map(|_| w.float()).collect();
                let rounded = sconce_kernels::cast::from_vec(exact, &[n as i64], dtype);
                rounded.and_then(|t: Tensor| sconce_kernels::cast::to_vec::<f64>(&t)).unwrap_or_default()
            });
        }
        judge("aten::bernoulli", n, 1, 0.0, vec![filled(n, 0.375, DType::F32)], &|w| {
            (0..n).map(|_| f64::from(w.float() < 0.375)).collect()
        });
        judge("aten::randperm", n, 1, 0.0, vec![IValue::Int(n as i64)], &|w| w.permutation(n));
        for (low, high) in [(0, 10), (-5, 5), (0, (1 << 28) - 1), (0, 1 << 28), (0, 1 << 32), (3, 1 << 40)] {
            let each = if high - low >= 1 << 28 { 2 } else { 1 };
            let args = vec![IValue::Int(low), IValue::Int(high), IValue::int_list(&[n as i64])];
            judge("aten::randint.low", n, each, 0.0, args, &|w| (0..n).map(|_| w.integer(low, high) as f64).collect());
            let args = vec![filled(n, 0.0, DType::I64), IValue::Int(low), IValue::Int(high)];
            judge("aten::random_.from", n, each, 0.0, args, &|w| (0..n).map(|_| w.integer(low, high) as f64).collect());
        }
    }
}
