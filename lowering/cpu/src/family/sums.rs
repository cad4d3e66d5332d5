//! Sums of the elements of several vectors at once: vectors are halved and put together pairwise until one holds all sums, in about half of the steps that one
//! vector after the other would take.

use sconce_ir::attr::FastMath;
use sconce_ir::builtin_type::vector;
use sconce_ir::{Type, ValueLike};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, V};

/// Bytes that elements move within, on every processor, for the least.
const BLOCK: usize = 16;

/// A vector, and of which of the vectors to sum each of its elements is a part.
struct Parts<'c> {
    value: V<'c>,
    of: Vec<usize>,
}

/// Adds the elements of vectors that are picked from one or two others.
struct Folder<'e, 'c> {
    e: &'e Emit<'c>,
    element: Type<'c>,
    /// Elements of a block.
    block: usize,
    flags: FastMath,
}

impl<'c> Folder<'_, 'c> {
    /// The elements at these places of both vectors, one behind the other.
    fn picked(&self, [a, b]: [V<'c>; 2], places: &[usize]) -> Result<V<'c>, Error> {
        let mask: Vec<i64> = places.iter().map(|i| *i as i64).collect();
        let t = vector(&[mask.len() as i64], self.element);
        self.e.one("vector.shuffle", &[a, b], t, &[("mask", self.e.i64_array(&mask))])
    }

    /// The first half of each run of elements of one sum, plus the second half: of two vectors side by side, within blocks where the runs are short.
    fn halved(&self, a: &Parts<'c>, b: Option<&Parts<'c>>) -> Result<Parts<'c>, Error> {
        let lanes = a.of.len();
        let run = a.of.iter().take_while(|of| **of == a.of[0]).count();
        let half = run / 2;
        let runs = |from: usize| (from..from + lanes).step_by(run);
        let starts: Vec<usize> = match b {
            None => runs(0).collect(),
            // Blocks of one and of the other in turn, so that nothing leaves its block.
            Some(_) if run <= self.block => {
                let blocks = (0..lanes).step_by(self.block.min(lanes));
                let both = blocks.flat_map(|start| [start, start + lanes]);
                both.flat_map(|start| (start..start + self.block.min(lanes)).step_by(run)).collect()
            }
            Some(_) => runs(0).chain(runs(lanes)).collect(),
        };
        let places = |shift: usize| -> Vec<usize> {
            starts.iter().flat_map(|start| (0..half).map(move |i| start + shift + i)).collect()
        };
        let (first, second) = (places(0), places(half));
        let pair = [a.value, b.map_or(a.value, |b| b.value)];
        let terms = [self.picked(pair, &first)?, self.picked(pair, &second)?];
        let flags = [("fastmath", self.e.fast_math(self.flags))];
        let value = self.e.one("arith.addf", &terms, terms[0].r#type(), &flags)?;
        let source = |i: usize| if i < lanes { a.of[i] } else { b.map_or(0, |b| b.of[i - lanes]) };
        Ok(Parts { value, of: first.into_iter().map(source).collect() })
    }
}

/// A vector of the sums of these vectors, in their order. As many as a vector has elements at most, a power of two.
pub(super) fn folded<'c>(e: &Emit<'c>, vectors: &[V<'c>], lanes: usize, flags: FastMath) -> Result<V<'c>, Error> {
    let element = sconce_linalg::emit::element_type(vectors[0].r#type());
    let bytes = sconce_ir::attr::element_bytes(element).unwrap_or(1) as usize;
    let folder = Folder { e, element, block: BLOCK / bytes, flags };
    let mut parts: Vec<Parts<'c>> =
        vectors.iter().enumerate().map(|(i, value)| Parts { value: *value, of: vec![i; lanes] }).collect();
    let zero = e.splat(0., vectors[0].r#type(), element)?;
    while parts.len() < vectors.len().next_power_of_two() {
        parts.push(Parts { value: zero, of: vec![parts.len(); lanes] });
    }
    while parts.len() > 1 {
        parts = parts.chunks(2).map(|pair| folder.halved(&pair[0], pair.get(1))).collect::<Result<_, _>>()?;
    }
    let mut all = parts.remove(0);
    while all.of.len() > vectors.len().next_power_of_two() {
        all = folder.halved(&all, None)?;
    }
    let place = |sum: usize| all.of.iter().position(|of| *of == sum).unwrap_or(0);
    let order: Vec<usize> = (0..vectors.len()).map(place).collect();
    folder.picked([all.value, all.value], &order)
}
