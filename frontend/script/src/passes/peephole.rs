//! `peephole`: small rewrites whose result is plain to see: tests for None of what cannot be None, casts to what a value is, `x * 1`, the length of a
//! list that was made here.
//!
//! Unlike PyTorch's, it keeps `x == x` on floats, which is false for NaN, and tests for None of values of any type.

use super::alias::AliasDb;
use super::eliminate_dead_code;
use crate::graph::{BlockId, Graph, NodeId, ValueId};
use crate::ssa::constant;
use rustc_hash::FxHashSet;
use sconce_schema::Type;
use sconce_schema::types::Dim;
use sconce_tensor::IValue;

/// See the module's page. `shapes`: also what sizes and dtypes of tensors tell. Did anything change? Then dead code is gone, too.
pub fn peephole(graph: &mut Graph, shapes: bool) -> bool {
    let written: FxHashSet<ValueId> = {
        let alias = AliasDb::new(graph);
        let values = |n: NodeId| graph.inputs(n).iter().chain(graph.outputs(n)).copied().collect::<Vec<_>>();
        graph.walk(graph.root()).into_iter().flat_map(values).filter(|v| alias.has_writers(*v)).collect()
    };
    let mut peephole = Peephole { graph, shapes, written, changed: false };
    let root = peephole.graph.root();
    peephole.block(root, Peephole::tensors);
    peephole.block(root, Peephole::lists);
    peephole.block(root, Peephole::scalars);
    let changed = peephole.changed;
    if changed {
        eliminate_dead_code(graph);
    }
    changed
}

struct Peephole<'g> {
    graph: &'g mut Graph,
    shapes: bool,
    /// Values of which something writes to what they may be.
    written: FxHashSet<ValueId>,
    changed: bool,
}

/// What a node's output is instead.
enum New {
    Value(ValueId),
    Constant(IValue),
}

impl Peephole<'_> {
    fn block(&mut self, block: BlockId, rewrite: fn(&mut Self, NodeId) -> Option<New>) {
        for node in self.graph.block_nodes(block).to_vec() {
            for inner in self.graph.blocks(node).to_vec() {
                self.block(inner, rewrite);
            }
            if let (Some(new), Some(output)) = (rewrite(self, node), self.graph.output(node)) {
                self.replace(node, output, new);
            }
        }
    }

    fn replace(&mut self, node: NodeId, old: ValueId, new: New) {
        self.changed = true;
        if self.graph.uses(old).is_empty() {
            return;
        }
        let value = match new {
            New::Value(value) => value,
            New::Constant(value) => {
                let ty = crate::emit::types::of_value(&value);
                let (made, value) = constant(self.graph, value, ty);
                self.graph.insert_before(node, made);
                value
            }
        };
        self.graph.replace_uses(old, value);
        self.changed = true;
    }

    fn int(&self, value: ValueId) -> Option<i64> {
        match self.graph.constant(value) {
            Some(IValue::Int(n)) => Some(*n),
            _ => None,
        }
    }

    /// The node that makes a value, if it is of this kind.
    fn made_by(&self, value: ValueId, kind: &str) -> Option<NodeId> {
        self.graph.defining(value).filter(|n| self.graph.is(*n, kind))
    }

    // -- tensors

    fn tensors(&mut self, node: NodeId) -> Option<New> {
        let graph = &*self.graph;
        let first = graph.input(node, 0)?;
        match (&**graph.kind(node), graph.inputs(node)) {
            ("aten::t", [x]) => self.made_by(*x, "aten::t").and_then(|t| graph.input(t, 0)).map(New::Value),
            (
                "aten::Float" | "aten::Int" | "aten::FloatImplicit" | "aten::IntImplicit" | "aten::ScalarImplicit",
                [x],
            ) => self.made_by(*x, "prim::NumToTensor").and_then(|n| graph.input(n, 0)).map(New::Value),
            ("aten::dim", [x]) => {
                let made = graph.defining(*x).map(|n| &**graph.kind(n)).filter(|_| !self.written.contains(x));
                match made {
                    Some("aten::conv1d") => Some(New::Constant(IValue::Int(3))),
                    Some("aten::conv2d") => Some(New::Constant(IValue::Int(4))),
                    Some("aten::conv3d") => Some(New::Constant(IValue::Int(5))),
                    _ => self.shape(first, |t| t.sizes.as_ref().map(|s| IValue::Int(s.len() as i64))),
                }
            }
            ("prim::dtype", [x]) => self.shape(*x, |t| t.dtype.map(|d| IValue::Int(d.number()))),
            ("prim::device", [x]) => self.shape(*x, |t| t.device.clone().map(|d| IValue::Device(d.into()))),
            ("prim::is_cuda", [x]) => self.shape(*x, |t| t.device.as_ref().map(|d| IValue::Bool(&*d.kind == "cuda"))),
            ("aten::is_floating_point", [x]) => self.shape(*x, |t| t.dtype.map(|d| IValue::Bool(d.is_float()))),
            ("aten::is_complex", [x]) => self.shape(*x, |t| t.dtype.map(|d| IValue::Bool(d.is_complex()))),
            ("aten::size", [x]) => self.shape(*x, |t| known_sizes(t.sizes.as_deref()).map(|s| IValue::int_list(&s))),
            ("aten::size", [x, dim]) => {
                let dim = self.int(*dim)?;
                self.shape(*x, |t| {
                    let sizes = t.sizes.as_ref()?;
                    let at = if dim < 0 { dim.checked_add(sizes.len() as i64)? } else { dim };
                    match sizes.get(usize::try_from(at).ok()?)? {
                        Dim::Known(n) => Some(IValue::Int(*n)),
                        _ => None,
                    }
                })
            }
            ("aten::expand", [x, size, ..]) if self.shapes => {
                let wanted = graph.constant(*size)?.as_int_list().ok()?;
                let Type::Tensor(t) = graph.ty(*x) else { return None };
                (*known_sizes(t.sizes.as_deref())? == *wanted).then_some(New::Value(*x))
            }
            ("aten::type_as", [x, other]) if self.shapes => {
                let (Type::Tensor(a), Type::Tensor(b)) = (graph.ty(*x), graph.ty(*other)) else { return None };
                let same = a.dtype.is_some() && a.dtype == b.dtype && a.device.is_some() && a.device == b.device;
                same.then_some(New::Value(*x))
            }
            ("aten::add" | "aten::sub", [x, other, alpha]) => {
                let neutral = self.int(*alpha) == Some(1) && self.int(*other) == Some(0);
                self.neutral(node, *x, *other, neutral)
            }
            ("aten::mul" | "aten::div", [x, other]) => {
                // Division makes floats of integers.
                let neutral = self.int(*other) == Some(1) && (graph.is(node, "aten::mul") || self.is_float(*x));
                self.neutral(node, *x, *other, neutral)
            }
            _ => None,
        }
    }

    fn shape(
        &self,
        value: ValueId,
        what: impl FnOnce(&sconce_schema::types::TensorType) -> Option<IValue>,
    ) -> Option<New> {
        match self.graph.ty(value) {
            Type::Tensor(t) if self.shapes => what(t).map(New::Constant),
            _ => None,
        }
    }

    fn is_float(&self, value: ValueId) -> bool {
        matches!(self.graph.ty(value), Type::Tensor(t) if self.shapes && t.dtype.is_some_and(|d| d.is_float()))
    }

    /// `x + 0`, `x * 1` with an integer: the tensor itself, if nobody can tell that it is the same one.
    fn neutral(&self, node: NodeId, x: ValueId, other: ValueId, is_neutral: bool) -> Option<New> {
        let output = self.graph.output(node)?;
        let plain = is_neutral && self.graph.ty(x).is_tensor() && *self.graph.ty(other) == Type::Int;
        if !plain || self.written.contains(&x) || self.written.contains(&output) {
            return None;
        }
        let alias = AliasDb::new(self.graph);
        (!(alias.escapes(x) && alias.escapes(output))).then_some(New::Value(x))
    }

    // -- lists

    fn lists(&mut self, node: NodeId) -> Option<New> {
        let graph = &*self.graph;
        let list = graph.input(node, 0)?;
        let made = self.made_by(list, "prim::ListConstruct").filter(|_| !self.written.contains(&list))?;
        let items = graph.inputs(made).to_vec();
        match (&**graph.kind(node), graph.inputs(node)) {
            ("aten::len", [_]) => Some(New::Constant(IValue::Int(items.len() as i64))),
            ("aten::__getitem__", [_, index]) => {
                let index = self.int(*index)?;
                let at = if index < 0 { index.checked_add(items.len() as i64)? } else { index };
                items.get(usize::try_from(at).ok()?).copied().map(New::Value)
            }
            ("prim::ListUnpack", [_]) if graph.outputs(node).len() == items.len() => {
                let outputs = graph.outputs(node).to_vec();
                for (output, item) in outputs.into_iter().zip(items) {
                    self.replace(node, output, New::Value(item));
                }
                None
            }
            ("aten::add", [_, other]) if !self.written.contains(other) => {
                let more = self.made_by(*other, "prim::ListConstruct")?;
                let output = graph.output(node).filter(|o| !self.written.contains(o))?;
                let all: Vec<ValueId> = items.iter().chain(graph.inputs(more)).copied().collect();
                let ty = graph.ty(output).clone();
                let loc = graph.loc(node).cloned();
                let list = self.graph.node("prim::ListConstruct", &all);
                self.graph.set_loc(list, loc);
                let value = self.graph.add_output(list, None, ty);
                self.graph.insert_before(node, list);
                Some(New::Value(value))
            }
            _ => None,
        }
    }

    // -- everything else

    fn scalars(&mut self, node: NodeId) -> Option<New> {
        if !self.graph.is(node, "prim::Constant") {
            self.nones(node);
        }
        let graph = &*self.graph;
        match (&**graph.kind(node), graph.inputs(node)) {
            ("prim::If", _) => {
                self.branches(node);
                None
            }
            (kind @ ("aten::__is__" | "aten::__isnot__"), [a, b]) => {
                let decided = self.is_none(*a) && self.is_not_none(*b) || self.is_none(*b) && self.is_not_none(*a);
                decided.then_some(New::Constant(IValue::Bool(kind == "aten::__isnot__")))
            }
            ("prim::unchecked_unwrap_optional" | "aten::_unwrap_optional", [x]) => {
                self.is_not_none(*x).then_some(New::Value(*x))
            }
            ("prim::unchecked_cast", [x]) => {
                let to = graph.ty(graph.output(node)?).unshaped();
                graph.ty(*x).unshaped().is_subtype_of(&to).then_some(New::Value(*x))
            }
            ("aten::Int" | "aten::ceil", [x]) if *graph.ty(*x) == Type::Int => Some(New::Value(*x)),
            (kind @ ("aten::eq" | "aten::ne"), [a, b]) if a == b && is_exact(graph.ty(*a)) => {
                Some(New::Constant(IValue::Bool(kind == "aten::eq")))
            }
            ("aten::mul", [a, b]) if self.ints(*a, *b) => {
                let (x, n) = if self.int(*a).is_some() { (*b, self.int(*a)) } else { (*a, self.int(*b)) };
                (n == Some(1)).then_some(New::Value(x))
            }
            ("aten::floordiv", [a, b]) if self.ints(*a, *b) => (self.int(*b) == Some(1)).then_some(New::Value(*a)),
            ("aten::add", [a, b]) if self.ints(*a, *b) => {
                let (x, n) = if self.int(*a).is_some() { (*b, self.int(*a)) } else { (*a, self.int(*b)) };
                self.sum(node, x, n?)
            }
            ("aten::sub", [a, b]) if self.ints(*a, *b) => {
                let n = self.int(*b)?;
                self.sum(node, *a, n)
            }
            _ => None,
        }
    }

    fn ints(&self, a: ValueId, b: ValueId) -> bool {
        *self.graph.ty(a) == Type::Int && *self.graph.ty(b) == Type::Int
    }

    /// `x + 0`, and `(x + 1) + 2` as one sum.
    fn sum(&mut self, node: NodeId, x: ValueId, n: i64) -> Option<New> {
        if n == 0 {
            return Some(New::Value(x));
        }
        let graph = &*self.graph;
        let inner = graph.defining(x).filter(|i| graph.is(*i, "aten::add") || graph.is(*i, "aten::sub"))?;
        let [a, b] = graph.inputs(inner)[..] else { return None };
        if !self.ints(a, b) {
            return None;
        }
        let swapped = graph.is(inner, "aten::add") && self.int(a).is_some();
        let (y, m) = if swapped { (b, self.int(a)?) } else { (a, self.int(b)?) };
        let same = graph.kind(inner) == graph.kind(node);
        let merged = if same { n.checked_add(m)? } else { n.checked_sub(m)? };
        if merged == 0 {
            return Some(New::Value(y));
        }
        let (made, value) = constant(self.graph, IValue::Int(merged), Type::Int);
        self.graph.insert_before(node, made);
        self.graph.set_operands(node, &[y, value]);
        self.changed = true;
        None
    }

    /// Outputs that can only be None are None.
    fn nones(&mut self, node: NodeId) {
        for output in self.graph.outputs(node).to_vec() {
            if *self.graph.ty(output) == Type::None {
                self.replace(node, output, New::Constant(IValue::None));
            }
        }
    }

    /// A branch that passes on its condition; and results that are never None.
    fn branches(&mut self, node: NodeId) {
        let (Some(condition), [yes, no]) = (self.graph.input(node, 0), self.graph.blocks(node)) else { return };
        let (yes, no) = (*yes, *no);
        for index in 0..self.graph.outputs(node).len() {
            let output = self.graph.outputs(node)[index];
            let (a, b) = (self.graph.block_outputs(yes)[index], self.graph.block_outputs(no)[index]);
            let is = |v: ValueId, b: bool| matches!(self.graph.constant(v), Some(IValue::Bool(x)) if *x == b);
            if *self.graph.ty(output) == Type::Bool && is(a, true) && is(b, false) {
                self.replace(node, output, New::Value(condition));
                continue;
            }
            let optional = |v: ValueId| matches!(self.graph.ty(v), Type::Optional(_));
            if optional(output)
                && !optional(a)
                && !optional(b)
                && let Some(ty) = self.graph.ty(a).unify(self.graph.ty(b))
            {
                self.changed |= *self.graph.ty(output) != ty;
                self.graph.set_type(output, ty);
            }
        }
    }

    fn is_none(&self, value: ValueId) -> bool {
        *self.graph.ty(value) == Type::None || matches!(self.graph.constant(value), Some(IValue::None))
    }

    fn is_not_none(&self, value: ValueId) -> bool {
        let ty = self.graph.ty(value);
        !Type::None.is_subtype_of(ty) && !matches!(ty, Type::Var(_))
    }
}

/// Are equal values of the type always equal to themselves, and comparing them no error?
fn is_exact(ty: &Type) -> bool {
    match ty {
        Type::Bool | Type::Int | Type::None => true,
        Type::List(item) => is_exact(item),
        Type::Dict(key, value) => is_exact(key) && is_exact(value),
        _ => false,
    }
}

fn known_sizes(sizes: Option<&[Dim]>) -> Option<Vec<i64>> {
    sizes?.iter().map(|d| if let Dim::Known(n) = d { Some(*n) } else { None }).collect()
}
