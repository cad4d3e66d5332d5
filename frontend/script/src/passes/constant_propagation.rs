//! `constant-propagation` of values that cannot change: what can be computed now is; branches that are decided and loops that do not run go.
//!
//! Operators are computed by the runtime's kernels, so a folded program computes what the program would have.

use super::constant_pooling::is_equal_value;
use super::dce::{eliminate_dead_code, remove_carried};
use super::effects::{entry_of, is_mutable};
use crate::graph::{Attr, BlockId, Graph, NodeId, ValueId};
use crate::ssa::constant;
use sconce_schema::{Trait, Type};
use sconce_tensor::{IValue, Tuple};

/// See the module's page. Did anything change? Then dead code is gone, too.
pub fn constant_propagation(graph: &mut Graph) -> bool {
    let mut propagator = Propagator { graph, changed: false };
    let root = propagator.graph.root();
    propagator.block(root);
    let changed = propagator.changed;
    if changed {
        eliminate_dead_code(graph);
    }
    changed
}

struct Propagator<'g> {
    graph: &'g mut Graph,
    changed: bool,
}

impl Propagator<'_> {
    fn block(&mut self, block: BlockId) {
        for node in self.graph.take_nodes(block) {
            self.node(block, node);
        }
    }

    /// Puts a node, or what stands for it, at the end of the block that it was in.
    fn node(&mut self, block: BlockId, node: NodeId) {
        let graph = &*self.graph;
        let constant =
            graph.inputs(node).iter().all(|v| graph.defining(*v).is_some_and(|n| graph.is(n, "prim::Constant")));
        match &**graph.kind(node) {
            "prim::If" => {
                let decided = graph.input(node, 0).and_then(|v| graph.constant(v)).cloned();
                match decided {
                    Some(IValue::Bool(b)) => return self.inline_if(block, node, b),
                    _ => {
                        graph.blocks(node).to_vec().into_iter().for_each(|b| self.block(b));
                        self.extra_if_outputs(block, node);
                    }
                }
            }
            "prim::Loop" => {
                if self.never_runs(node) {
                    let carried = graph.inputs(node).get(2..).unwrap_or_default().to_vec();
                    for (output, value) in graph.outputs(node).to_vec().into_iter().zip(carried) {
                        self.graph.replace_uses(output, value);
                    }
                    self.graph.erase(node);
                    self.changed = true;
                    return;
                } else {
                    graph.blocks(node).to_vec().into_iter().for_each(|b| self.block(b));
                    self.extra_loop_outputs(node);
                }
            }
            _ if constant && self.is_supported(node) => self.fold(block, node),
            _ => graph.blocks(node).to_vec().into_iter().for_each(|b| self.block(b)),
        }
        self.graph.append(block, node);
    }

    fn is_supported(&self, node: NodeId) -> bool {
        let graph = &*self.graph;
        let mut touched = graph.inputs(node).iter().chain(graph.outputs(node));
        let safe = touched.all(|v| !is_mutable(graph.ty(*v)));
        let kind = &**graph.kind(node);
        safe && graph.blocks(node).is_empty()
            && !matches!(
                kind,
                "prim::Constant"
                    | "prim::Closure"
                    | "prim::Uninitialized"
                    | "prim::Print"
                    | "prim::RaiseException"
                    | "prim::CallFunction"
                    | "prim::CallMethod"
                    | "prim::Enter"
                    | "prim::Exit"
                    | "prim::unchecked_unwrap_optional"
                    | "aten::dequantize"
                    | "aten::warn"
                    | "aten::format"
                    | "aten::wait"
                    | "prim::fork"
            )
    }

    /// Computes a node and puts constants in front of it, which are used in the place of its results.
    fn fold(&mut self, block: BlockId, node: NodeId) {
        let graph = &*self.graph;
        let values: Option<Vec<IValue>> = graph.inputs(node).iter().map(|v| graph.constant(*v).cloned()).collect();
        let Some(results) = values.and_then(|values| evaluate(graph, node, values)) else { return };
        if results.len() != graph.outputs(node).len() {
            return;
        }
        for (output, value) in graph.outputs(node).to_vec().into_iter().zip(results) {
            if !value.is_insertable() {
                continue;
            }
            let ty = match &value {
                IValue::Bool(_) | IValue::Int(_) | IValue::Double(_) | IValue::Str(_) => {
                    crate::emit::types::of_value(&value)
                }
                _ => self.graph.ty(output).clone(),
            };
            let (made, folded) = constant(self.graph, value, ty);
            self.graph.append(block, made);
            self.graph.replace_uses(output, folded);
            self.changed = true;
        }
    }

    fn inline_if(&mut self, block: BlockId, node: NodeId, which: bool) {
        let branch = self.graph.blocks(node)[usize::from(!which)];
        self.block(branch);
        self.graph.splice(branch, block);
        let passed = self.graph.block_outputs(branch).to_vec();
        for (output, value) in self.graph.outputs(node).to_vec().into_iter().zip(passed) {
            self.graph.replace_uses(output, value);
        }
        self.graph.erase(node);
        self.changed = true;
    }

    /// Outputs that are the same value, or equal constants, in both branches.
    fn extra_if_outputs(&mut self, block: BlockId, node: NodeId) {
        let [yes, no] = [self.graph.blocks(node)[0], self.graph.blocks(node)[1]];
        let mut index = 0;
        while index < self.graph.outputs(node).len() {
            let (a, b) = (self.graph.block_outputs(yes)[index], self.graph.block_outputs(no)[index]);
            let Some(same) = self.same(block, a, b) else {
                index += 1;
                continue;
            };
            self.graph.replace_uses(self.graph.outputs(node)[index], same);
            self.graph.remove_output(node, index);
            self.graph.remove_block_output(yes, index);
            self.graph.remove_block_output(no, index);
            self.changed = true;
        }
    }

    fn same(&mut self, block: BlockId, a: ValueId, b: ValueId) -> Option<ValueId> {
        if a == b {
            return Some(a);
        }
        let (x, y) = (self.graph.constant(a)?, self.graph.constant(b)?);
        if self.graph.ty(a) != self.graph.ty(b) || !is_equal_value(x, y, 0) {
            return None;
        }
        let (value, ty) = (x.clone(), self.graph.ty(a).clone());
        let (made, value) = constant(self.graph, value, ty);
        self.graph.append(block, made);
        Some(value)
    }

    fn never_runs(&self, node: NodeId) -> bool {
        let value = |i: usize| self.graph.input(node, i).and_then(|v| self.graph.constant(v));
        matches!(value(0), Some(IValue::Int(n)) if *n <= 0) || matches!(value(1), Some(IValue::Bool(false)))
    }

    /// Carried values that the body passes on as they came.
    fn extra_loop_outputs(&mut self, node: NodeId) {
        let body = self.graph.blocks(node)[0];
        for index in (0..self.graph.outputs(node).len()).rev() {
            let input = self.graph.block_inputs(body)[index + 1];
            if self.graph.block_outputs(body)[index + 1] == input {
                let carried = self.graph.inputs(node)[index + 2];
                self.graph.replace_uses(self.graph.outputs(node)[index], carried);
                self.graph.replace_uses(input, carried);
                remove_carried(self.graph, node, index);
                self.changed = true;
            }
        }
    }
}

/// The results of a node for constants, if it can be computed without being run.
fn evaluate(graph: &Graph, node: NodeId, mut values: Vec<IValue>) -> Option<Vec<IValue>> {
    let output = graph.output(node)?;
    match &**graph.kind(node) {
        "prim::TupleConstruct" => {
            let names = match graph.ty(output) {
                Type::NamedTuple(names) => Some(names.clone()),
                _ => None,
            };
            return Some(vec![IValue::Tuple(Tuple::new(values, names))]);
        }
        "prim::TupleUnpack" => match &values[..] {
            [IValue::Tuple(tuple)] => return Some(tuple.items.to_vec()),
            _ => return None,
        },
        "prim::TupleIndex" => match &values[..] {
            [IValue::Tuple(tuple), IValue::Int(i)] => {
                let i = if *i < 0 { i.checked_add(tuple.items.len() as i64)? } else { *i };
                return Some(vec![tuple.items.get(usize::try_from(i).ok()?)?.clone()]);
            }
            _ => return None,
        },
        "prim::isinstance" => {
            let Some(Attr::Types(types)) = graph.attr(node, "types") else { return None };
            let ty = crate::emit::types::of_value(values.first()?);
            return Some(vec![IValue::Bool(types.iter().any(|t| ty.is_subtype_of(t)))]);
        }
        "prim::unchecked_cast" => return Some(values),
        "aten::__is__" | "aten::__isnot__" => match &values[..] {
            [a, b] => return Some(vec![IValue::Bool(a.is(b) == graph.is(node, "aten::__is__"))]),
            _ => return None,
        },
        _ => {}
    }
    let entry = entry_of(graph, node)?;
    if entry.has(Trait::Effect) || entry.has(Trait::Random) || entry.has(Trait::Writes) || entry.schema().is_vararg {
        return None;
    }
    // A kernel may take its arguments; constants must not be written.
    sconce_kernels::call(entry, &mut values).ok().map(|out| out.into_vec())
}
