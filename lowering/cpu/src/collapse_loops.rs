//! Loops that lead through memory one after the other become one loop: a channel of 7 x 7 elements is a run of 49, and a loop of one iteration is none.

use crate::structured::Structured;
use sconce_ir::builder::Builder;
use sconce_ir::builtin_type::{Layout, Shaped, buffer, strided_buffer};
use sconce_ir::{OpExt, OperationRef, ValueLike};
use sconce_linalg::Error;
use sconce_linalg::emit::{Emit, Iterator, V};

/// Collapses the loops of the structured operations below `root`.
pub(crate) fn collapse<'c>(root: OperationRef<'c, 'c>) -> Result<(), Error> {
    for name in ["linalg.generic", "linalg.fill"] {
        for op in root.find_all(name) {
            if op.find_all("linalg.index").is_empty()
                && let Some(s) = Structured::of(op)
                && let Some(runs) = Runs::of(&s)
            {
                runs.emit(&s)?;
            }
        }
    }
    Ok(())
}

/// Loops that become one.
struct Runs {
    /// The run of each loop.
    of: Vec<usize>,
    /// Whether each run may go in any order.
    parallel: Vec<bool>,
}

/// A dimension of an operand that has several elements.
struct Dimension {
    /// The loop that leads along it.
    along: usize,
    size: i64,
    stride: Option<i64>,
}

/// Those of an operand; `None` where one is read otherwise than by a loop of its own.
fn dimensions(value: V<'_>, places: &[Vec<(usize, i64)>]) -> Option<Vec<Dimension>> {
    let (sizes, strides) = (Shaped::buffer(value.r#type())?.sizes, Layout::of(value.r#type())?.strides);
    let mut found: Vec<Dimension> = Vec::new();
    for ((sum, size), stride) in places.iter().zip(sizes).zip(strides) {
        match (sum[..].first(), size?) {
            (_, 1) => {}
            (Some((along, 1)), size) if sum.len() == 1 && found.iter().all(|d| d.along != *along) => {
                found.push(Dimension { along: *along, size, stride });
            }
            _ => return None,
        }
    }
    Some(found)
}

impl Runs {
    /// `None` where none become one.
    fn of(s: &Structured<'_>) -> Option<Runs> {
        let operands: Vec<Vec<Dimension>> =
            s.operands.iter().map(|o| dimensions(o.value, &o.places)).collect::<Option<_>>()?;
        let follows = |a: usize, b: usize, dims: &Vec<Dimension>| {
            let at = |d: usize| dims.iter().position(|dim| dim.along == d);
            match (at(a), at(b)) {
                (None, None) => true,
                (Some(i), Some(j)) => {
                    j == i + 1 && dims[i].stride == dims[j].stride.map(|stride| stride * dims[j].size)
                }
                _ => false,
            }
        };
        let (mut of, mut parallel, mut last): (Vec<usize>, Vec<bool>, Option<usize>) = (Vec::new(), Vec::new(), None);
        for d in 0..s.loops.len() {
            // A loop of one iteration goes with any.
            let joins = match last {
                None => d > 0,
                Some(_) if s.loops[d] == 1 => true,
                Some(last) => s.parallel[last] == s.parallel[d] && operands.iter().all(|dims| follows(last, d, dims)),
            };
            if !joins {
                parallel.push(s.parallel[d]);
            }
            of.push(parallel.len() - 1);
            if s.loops[d] != 1 {
                last = Some(d);
                *parallel.last_mut()? = s.parallel[d];
            }
        }
        (last.is_some() && parallel.len() < s.loops.len()).then_some(Runs { of, parallel })
    }

    fn emit(&self, s: &Structured<'_>) -> Result<(), Error> {
        let e = Emit::in_front_of(s.op)?;
        let (mut values, mut maps) = (Vec::new(), Vec::new());
        for operand in &s.operands {
            let (value, places) = self.collapsed(&e, operand.value, &operand.places)?;
            values.push(value);
            maps.push(e.map(self.parallel.len(), &places));
        }
        let clone = Builder::before(s.op).insert(s.op.clone_with(&[]));
        let first = clone.operand_values().len() - values.len();
        for (k, value) in values.into_iter().enumerate() {
            clone.set_operand_value(first + k, value);
        }
        if s.op.is("linalg.generic") {
            let kind = |parallel: &bool| e.iterator(if *parallel { Iterator::Parallel } else { Iterator::Reduction });
            clone.set_attr("indexing_maps", e.array(&maps));
            clone.set_attr("iterator_types", e.array(&self.parallel.iter().map(kind).collect::<Vec<_>>()));
        }
        s.op.erase().map_err(|e| Error::Internal(e.to_string()))
    }

    /// An operand with a dimension for each run, and the runs that lead along them.
    fn collapsed<'c>(
        &self,
        e: &Emit<'c>,
        value: V<'c>,
        places: &[Vec<(usize, i64)>],
    ) -> Result<(V<'c>, Vec<Option<usize>>), Error> {
        let t = Shaped::buffer(value.r#type()).ok_or_else(|| Error::Internal("an operand that is no buffer".into()))?;
        let layout = Layout::of(value.r#type()).ok_or_else(|| Error::Internal("a buffer without strides".into()))?;
        // Dimensions of one element go with those before them, or with the first.
        let mut groups: Vec<(Vec<usize>, Option<usize>)> = Vec::new();
        for (d, sum) in places.iter().enumerate() {
            let run = sum.first().filter(|_| t.sizes[d] != Some(1)).map(|(along, _)| self.of[*along]);
            match groups.last_mut() {
                Some((dims, known)) if run.is_none() || known.is_none() || *known == run => {
                    dims.push(d);
                    *known = known.or(run);
                }
                _ => groups.push((vec![d], run)),
            }
        }
        let runs: Vec<Option<usize>> = groups.iter().map(|(_, run)| *run).collect();
        if groups.len() == places.len() {
            return Ok((value, runs));
        }
        let several = |dims: &[usize]| dims.iter().rfind(|d| t.sizes[**d] != Some(1)).copied().unwrap_or(dims[0]);
        let sizes: Vec<Option<i64>> =
            groups.iter().map(|(dims, _)| dims.iter().map(|d| t.sizes[*d]).product::<Option<i64>>()).collect();
        let strides: Vec<Option<i64>> = groups.iter().map(|(dims, _)| layout.strides[several(dims)]).collect();
        let whole = match layout.row_major {
            true => buffer(&sizes, t.element),
            false => strided_buffer(&sizes, &strides, layout.offset, t.element),
        };
        let group = |(dims, _): &(Vec<usize>, Option<usize>)| {
            e.array(&dims.iter().map(|d| e.i64_attr(*d as i64)).collect::<Vec<_>>())
        };
        let reassociation = e.array(&groups.iter().map(group).collect::<Vec<_>>());
        let collapsed = e.one("memref.collapse_shape", &[value], whole, &[("reassociation", reassociation)])?;
        Ok((collapsed, runs))
    }
}
