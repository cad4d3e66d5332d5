//! Factors of a product are computed once, in front of it: fused into it, what is computed of one side's elements would be computed again for each row or column of
//! the other side.

use crate::Error;
use crate::emit::{Emit, Iterator, V, element_type};
use sconce_ir::affine::{Places, places};
use sconce_ir::builtin_type::{Shaped, tensor};
use sconce_ir::{BlockExt, OpExt, OperationRef, ValueExt, ValueLike, attr};

/// A sum of products of two values that are computed in its body.
struct Product<'c> {
    op: OperationRef<'c, 'c>,
    ins: Vec<V<'c>>,
    out: V<'c>,
    /// By which loops each operand is read, the result last.
    maps: Vec<Places>,
    /// Iterations of each loop.
    sizes: Vec<i64>,
    multiply: OperationRef<'c, 'c>,
    add: OperationRef<'c, 'c>,
    factors: [Factor<'c>; 2],
}

/// One side of the product.
struct Factor<'c> {
    value: V<'c>,
    /// What computes it, in order; nothing, if it is an operand's element.
    ops: Vec<OperationRef<'c, 'c>>,
    /// The operands whose elements it is computed of.
    operands: Vec<usize>,
    /// The loops that lead to other elements of it.
    loops: Vec<usize>,
}

impl<'c> Product<'c> {
    fn of(op: OperationRef<'c, 'c>) -> Option<Product<'c>> {
        let mut ins = op.operand_values();
        let out = ins.pop()?;
        let maps = attr::affine_maps_value(op.attr("indexing_maps")?)?;
        let maps = maps.into_iter().map(places).collect::<Option<Vec<Places>>>()?;
        let loops = attr::array_value(op.attr("iterator_types")?)?.len();
        let body = op.body(0)?;
        let values = body.args();
        if op.result_values().len() != 1 || maps.len() != ins.len() + 1 || values.len() != maps.len() {
            return None;
        }
        let mut sizes = vec![None; loops];
        for (value, map) in ins.iter().chain([&out]).zip(&maps) {
            let shape = Shaped::tensor(value.r#type())?;
            for (size, d) in shape.sizes.into_iter().zip(map).filter_map(|(size, d)| Some((size, (*d)?))) {
                sizes[d] = Some(size?);
            }
        }
        let sizes = sizes.into_iter().collect::<Option<Vec<i64>>>()?;
        let sum = values.last().copied()?;
        let add = body.terminator_op()?.operand_value(0)?.defining_op().filter(|op| op.is("arith.addf"))?;
        let product = add.operand_values().into_iter().find(|v| *v != sum)?;
        let multiply = product.defining_op().filter(|op| op.is("arith.mulf"))?;
        if !add.operand_values().contains(&sum) {
            return None;
        }
        let factor = |i: usize| Factor::of(multiply.operand_value(i)?, &body.ops(), &values, &maps);
        let factors = [factor(0)?, factor(1)?];
        // What depends on all loops has nothing to be computed in front of; two plain factors are a product as it is to be.
        let parts = |f: &Factor<'c>| !f.operands.is_empty() && (f.ops.is_empty() || f.loops.len() < loops);
        let fused = factors.iter().any(|f| !f.ops.is_empty());
        (fused && factors.iter().all(parts)).then_some(Product { op, ins, out, maps, sizes, multiply, add, factors })
    }

    fn emit(&self) -> Result<(), Error> {
        let e = Emit::in_front_of(self.op)?;
        let loops = self.sizes.len();
        let (mut ins, mut maps) = (Vec::new(), Vec::new());
        for factor in &self.factors {
            let (value, map) = match factor.operands[..] {
                [operand] if factor.ops.is_empty() => (self.ins[operand], self.maps[operand].clone()),
                _ => (self.compute(&e, factor)?, factor.loops.iter().copied().map(Some).collect()),
            };
            ins.push(value);
            maps.push(e.map(loops, &map));
        }
        let out = self.maps.last().ok_or_else(|| Error::Internal("a product without result".into()))?;
        maps.push(e.map(loops, out));
        let kinds = self.op.attr("iterator_types").and_then(attr::array_value).unwrap_or_default();
        let kind = |k: &_| if *k == e.iterator(Iterator::Parallel) { Iterator::Parallel } else { Iterator::Reduction };
        let kinds: Vec<Iterator> = kinds.iter().map(kind).collect();
        let flags = |op: OperationRef<'c, 'c>| op.attr("fastmath").map(|flags| ("fastmath", flags));
        let made = e.structured("linalg.generic", &ins, &[self.out], &maps, Some(&kinds), &mut |e, v| {
            let t = v[2].r#type();
            let attributes = |op| flags(op).into_iter().collect::<Vec<_>>();
            let product = e.one("arith.mulf", &[v[0], v[1]], t, &attributes(self.multiply))?;
            Ok(vec![e.one("arith.addf", &[v[2], product], t, &attributes(self.add))?])
        })?;
        self.op.replace_with(&made).map_err(|e| Error::Internal(e.to_string()))
    }

    /// A tensor of the values of a factor.
    fn compute(&self, e: &Emit<'c>, factor: &Factor<'c>) -> Result<V<'c>, Error> {
        let sizes: Vec<Option<i64>> = factor.loops.iter().map(|d| Some(self.sizes[*d])).collect();
        let t = tensor(&sizes, element_type(factor.value.r#type()));
        let out = e.one("tensor.empty", &[], t, &[])?;
        let rank = factor.loops.len();
        let place = |d: &Option<usize>| d.and_then(|d| factor.loops.iter().position(|l| *l == d));
        let read = |i: &usize| e.map(rank, &self.maps[*i].iter().map(place).collect::<Places>());
        let whole: Places = (0..rank).map(Some).collect();
        let maps: Vec<_> = factor.operands.iter().map(read).chain([e.map(rank, &whole)]).collect();
        let ins: Vec<V<'c>> = factor.operands.iter().map(|i| self.ins[*i]).collect();
        let body = self.op.body(0).map(|body| body.args()).unwrap_or_default();
        let kinds = vec![Iterator::Parallel; rank];
        let made = e.structured("linalg.generic", &ins, &[out], &maps, Some(&kinds), &mut |e, v| {
            let mut known: Vec<(V<'c>, V<'c>)> =
                factor.operands.iter().map(|i| body[*i]).zip(v.iter().copied()).collect();
            e.copies(&factor.ops, &mut known);
            let value = known.iter().rev().find(|(old, _)| *old == factor.value).map(|(_, new)| *new);
            Ok(vec![value.ok_or_else(|| Error::Internal("a factor that nothing computes".into()))?])
        })?;
        Ok(made[0])
    }
}

impl<'c> Factor<'c> {
    fn of(value: V<'c>, body: &[OperationRef<'c, 'c>], elements: &[V<'c>], maps: &[Places]) -> Option<Factor<'c>> {
        let mut wanted = vec![value];
        let (mut ops, mut operands) = (Vec::new(), Vec::new());
        while let Some(v) = wanted.pop() {
            if let Some(i) = elements.iter().position(|element| *element == v) {
                // The sum itself is no factor of it.
                if i + 1 == elements.len() {
                    return None;
                }
                operands.push(i);
            } else if let Some(op) = v.defining_op().filter(|op| body.contains(op)) {
                if op.is("linalg.index") || !op.region_refs().is_empty() {
                    return None;
                }
                wanted.extend(op.operand_values());
                ops.push(op);
            }
        }
        operands.sort_unstable();
        operands.dedup();
        let mut loops: Vec<usize> = operands.iter().flat_map(|i| maps[*i].iter().flatten().copied()).collect();
        loops.sort_unstable();
        loops.dedup();
        let ops = body.iter().filter(|op| ops.contains(op)).copied().collect();
        Some(Factor { value, ops, operands, loops })
    }
}

/// Separates the factors of the products below `root`.
pub(crate) fn separate<'c>(root: OperationRef<'c, 'c>) -> Result<(), Error> {
    root.find_all("linalg.generic").into_iter().filter_map(Product::of).try_for_each(|product| product.emit())
}
