//! Two pickles are equal if they hold the same values with the same sharing, wherever the values stand in their lists.

use super::{Pickle, Quantizer, Tag, TensorRef, Value, ValueId};
use std::collections::HashMap;

impl PartialEq for Pickle {
    fn eq(&self, other: &Pickle) -> bool {
        let mut comparison =
            Comparison { a: self, b: other, forth: HashMap::new(), back: HashMap::new(), work: Vec::new() };
        comparison.work.push((self.root_id(), other.root_id()));
        while let Some((x, y)) = comparison.work.pop() {
            if !comparison.same(x, y) {
                return false;
            }
        }
        true
    }
}

struct Comparison<'a> {
    a: &'a Pickle,
    b: &'a Pickle,
    /// Which object of the other pickle each object is.
    forth: HashMap<ValueId, ValueId>,
    back: HashMap<ValueId, ValueId>,
    work: Vec<(ValueId, ValueId)>,
}

impl Comparison<'_> {
    fn same(&mut self, x: ValueId, y: ValueId) -> bool {
        let (v, w) = (&self.a[x], &self.b[y]);
        if v.has_identity() {
            match (self.forth.get(&x), self.back.get(&y)) {
                (Some(seen), _) => return *seen == y,
                (None, Some(_)) => return false,
                (None, None) => {
                    self.forth.insert(x, y);
                    self.back.insert(y, x);
                }
            }
        }
        match (v, w) {
            (Value::Float(p), Value::Float(q)) => p.to_bits() == q.to_bits(),
            (Value::Complex(p), Value::Complex(q)) => p.map(f64::to_bits) == q.map(f64::to_bits),
            (Value::List(p), Value::List(q)) => same_tag(&p.tag, &q.tag) && self.push(&p.items, &q.items),
            (Value::Tuple(p), Value::Tuple(q)) => self.push(p, q),
            (Value::Dict(p), Value::Dict(q)) => {
                let flat = |e: &[(ValueId, ValueId)]| e.iter().flat_map(|(k, v)| [*k, *v]).collect::<Vec<_>>();
                p.ordered == q.ordered && same_tag(&p.tag, &q.tag) && self.push(&flat(&p.entries), &flat(&q.entries))
            }
            (Value::Object(p), Value::Object(q)) => p.class == q.class && self.push(&[p.state], &[q.state]),
            (Value::Enum(p), Value::Enum(q)) => p.class == q.class && self.push(&[p.value], &[q.value]),
            (Value::Sparse(p), Value::Sparse(q)) => {
                (p.layout, &p.sizes, p.requires_grad) == (q.layout, &q.sizes, q.requires_grad)
                    && self.push(&p.parts, &q.parts)
            }
            (Value::Tensor(p), Value::Tensor(q)) => self.same_tensor(p, q),
            _ => v == w,
        }
    }

    fn same_tensor(&mut self, p: &TensorRef, q: &TensorRef) -> bool {
        let facts = |t: &TensorRef| {
            let t = TensorRef { quantizer: None, ..t.clone() };
            (t.storage, t.dtype, t.offset, t.sizes, t.strides, t.requires_grad, t.parameter)
        };
        let same = match (&p.quantizer, &q.quantizer) {
            (
                Some(Quantizer::PerChannel { scheme, scales, zero_points, axis }),
                Some(Quantizer::PerChannel {
                    scheme: scheme2,
                    scales: scales2,
                    zero_points: zero_points2,
                    axis: axis2,
                }),
            ) => (scheme, axis) == (scheme2, axis2) && self.push(&[*scales, *zero_points], &[*scales2, *zero_points2]),
            (p, q) => p == q,
        };
        same && facts(p) == facts(q)
    }

    fn push(&mut self, xs: &[ValueId], ys: &[ValueId]) -> bool {
        self.work.extend(xs.iter().copied().zip(ys.iter().copied()));
        xs.len() == ys.len()
    }
}

fn same_tag(a: &Tag, b: &Tag) -> bool {
    a.type_name() == b.type_name()
}
