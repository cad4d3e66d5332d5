//! `peephole`: what inlining makes plain: tests for None of what cannot be None, casts to what a value is, sums with 0.
//!
//! Unlike PyTorch's, it tests values of any type for None.

use super::eliminate_dead_code;
use crate::graph::{BlockId, Graph, NodeId, ValueId};
use crate::ssa::constant;
use sconce_schema::Type;
use sconce_tensor::IValue;

/// See the module's page. Did anything change? Then dead code is gone, too.
pub fn peephole(graph: &mut Graph) -> bool {
    let mut peephole = Peephole { graph, changed: false };
    let root = peephole.graph.root();
    peephole.block(root);
    let changed = peephole.changed;
    if changed {
        eliminate_dead_code(graph);
    }
    changed
}

struct Peephole<'g> {
    graph: &'g mut Graph,
    changed: bool,
}

/// What a node's output is instead.
enum New {
    Value(ValueId),
    Constant(IValue),
}

impl Peephole<'_> {
    fn block(&mut self, block: BlockId) {
        for node in self.graph.block_nodes(block).to_vec() {
            for inner in self.graph.blocks(node).to_vec() {
                self.block(inner);
            }
            if let (Some(new), Some(output)) = (self.scalars(node), self.graph.output(node)) {
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
