//! What calling a module means that has hooks: the pre-hooks, `forward` and the hooks in a row, as a function of its own. Inside a program every
//! call of a submodule holds them already; the outermost module is called from outside.

use crate::graph::{Attr, Graph, ValueId};
use crate::unit::{Class, Function, Unit};
use sconce_schema::Type;
use std::sync::Arc;

/// The last part of the function's name, behind the class.
pub const CALL: &str = "__call__";

/// Adds the function to every class with hooks and a `forward`. Where a hook was refused, so is the call.
pub fn add_calls(unit: &mut Unit) {
    let has_hooks = |c: &&Class| !(c.forward_pre_hooks.is_empty() && c.forward_hooks.is_empty());
    let classes: Vec<Class> = unit.classes.values().filter(has_hooks).cloned().collect();
    for class in classes {
        let name: Arc<str> = format!("{}.{CALL}", class.name).into();
        if unit.functions.contains_key(&name) {
            continue;
        }
        let hooks = class.forward_pre_hooks.iter().chain(&class.forward_hooks);
        let refused = hooks.filter_map(|h| unit.refused.get(format!("{}.{h}", class.name).as_str())).next().cloned();
        match (refused, call(unit, &class, name.clone())) {
            (Some(why), _) => {
                unit.refused.insert(name, why);
            }
            (None, Some(function)) => {
                unit.functions.insert(name, function);
            }
            (None, None) => {}
        }
    }
}

fn call(unit: &Unit, class: &Class, name: Arc<str>) -> Option<Function> {
    let forward = unit.method(&class.name, "forward")?;
    let mut graph = Graph::new();
    let root = graph.root();
    let inputs: Vec<ValueId> =
        forward.params.iter().map(|p| graph.add_input(root, Some(&p.name), p.ty.clone())).collect();
    let (this, given) = inputs.split_first()?;
    let mut build = Build { graph, unit, class, this: *this };
    let mut args = given.to_vec();
    let mut packed = build.tuple(&args);
    for hook in &class.forward_pre_hooks {
        let result = build.hook(hook, &[packed])?;
        match build.graph.ty(result).clone() {
            Type::None => {}
            Type::Tuple(members) => {
                packed = result;
                args = build.unpack(result, &members);
            }
            _ => {
                args = vec![result];
                packed = build.tuple(&args);
            }
        }
    }
    let operands: Vec<ValueId> = std::iter::once(*this).chain(args).collect();
    let mut output = build.node("prim::CallMethod", &operands, forward.returns.clone(), Attr::Str("forward".into()));
    for hook in &class.forward_hooks {
        let result = build.hook(hook, &[packed, output])?;
        if *build.graph.ty(result) != Type::None {
            output = result;
        }
    }
    let mut graph = build.graph;
    let returns = graph.ty(output).clone();
    graph.set_block_outputs(root, &[output]);
    Some(Function { name, params: forward.params.clone(), returns, graph })
}

struct Build<'u> {
    graph: Graph,
    unit: &'u Unit,
    class: &'u Class,
    this: ValueId,
}

impl Build<'_> {
    fn node(&mut self, kind: &str, inputs: &[ValueId], ty: Type, name: Attr) -> ValueId {
        let node = self.graph.node(kind, inputs);
        self.graph.set_attr(node, "name", name);
        self.graph.append(self.graph.root(), node);
        self.graph.add_output(node, None, ty)
    }

    fn tuple(&mut self, members: &[ValueId]) -> ValueId {
        let ty = Type::Tuple(members.iter().map(|v| self.graph.ty(*v).clone()).collect());
        let node = self.graph.node("prim::TupleConstruct", members);
        self.graph.append(self.graph.root(), node);
        self.graph.add_output(node, None, ty)
    }

    fn unpack(&mut self, tuple: ValueId, members: &[Type]) -> Vec<ValueId> {
        let node = self.graph.node("prim::TupleUnpack", &[tuple]);
        self.graph.append(self.graph.root(), node);
        members.iter().map(|ty| self.graph.add_output(node, None, ty.clone())).collect()
    }

    fn hook(&mut self, hook: &str, args: &[ValueId]) -> Option<ValueId> {
        let function = self.unit.method(&self.class.name, hook)?;
        let name = Attr::Function(function.name.clone());
        let callee = self.node("prim::Constant", &[], Type::Function, name);
        let inputs: Vec<ValueId> = [callee, self.this].into_iter().chain(args.iter().copied()).collect();
        let node = self.graph.node("prim::CallFunction", &inputs);
        self.graph.append(self.graph.root(), node);
        Some(self.graph.add_output(node, None, function.returns.clone()))
    }
}
