//! What a node does besides giving its outputs, by its operator's record alone: which values may be one object is nobody's question here.

use crate::graph::{Graph, NodeId, Use, ValueId};
use sconce_schema::{OpEntry, Type, overload};
use sconce_tensor::IValue;

/// Can a value of the type change?
pub fn is_mutable(ty: &Type) -> bool {
    match ty {
        Type::Tensor(_) | Type::List(_) | Type::Dict(..) | Type::Class(_) | Type::Any | Type::Var(_) => true,
        Type::Future(_) | Type::Await(_) | Type::RRef(_) | Type::PyObject | Type::Capsule => true,
        Type::AnyList | Type::AnyTuple | Type::AnyClass | Type::Stream | Type::Generator => true,
        Type::Optional(t) => is_mutable(t),
        Type::Tuple(ts) | Type::Union(ts) => ts.iter().any(is_mutable),
        Type::NamedTuple(t) => t.fields.iter().any(|(_, ty)| is_mutable(ty)),
        _ => false,
    }
}

/// The operator of the table that a node is.
pub fn entry_of(graph: &Graph, node: NodeId) -> Option<&'static OpEntry> {
    let types: Vec<Type> = graph.inputs(node).iter().map(|v| graph.ty(*v).clone()).collect();
    overload::of_node(graph.kind(node), &types).ok()
}

/// Does a node do something that its outputs do not show? What its blocks do is not asked.
pub fn acts(graph: &Graph, node: NodeId) -> bool {
    match &**graph.kind(node) {
        "prim::PythonOp"
        | "prim::IgnoredPythonOp"
        | "prim::Print"
        | "prim::RaiseException"
        | "prim::SetAttr"
        | "aten::warn"
        | "aten::save"
        | "aten::manual_seed"
        | "prim::CallFunction"
        | "prim::CallMethod"
        | "aten::wait"
        | "prim::Enter"
        | "prim::Exit" => true,
        // Structure, and casts: one whose result nobody uses checks nothing for anybody.
        "prim::If"
        | "prim::Loop"
        | "prim::With"
        | "aten::is_scripting"
        | "prim::unchecked_cast"
        | "aten::_unwrap_optional" => false,
        kind => match entry_of(graph, node) {
            Some(entry) => entry.effect().other || written(graph, node, entry).any(|v| !is_unseen(graph, v)),
            // Nobody knows what it does.
            None => !kind.starts_with("prim::"),
        },
    }
}

/// May whoever calls the graph get hold of one of its constants that can change, or of a view of one?
pub fn gives_constants(graph: &Graph) -> bool {
    let is_constant = |n: &NodeId| graph.is(*n, "prim::Constant");
    let constants = graph.walk(graph.root()).into_iter().filter(is_constant).filter_map(|n| graph.output(n));
    let mut work: Vec<ValueId> = constants.filter(|v| is_mutable(graph.ty(*v))).collect();
    let mut seen = vec![false; graph.value_count()];
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut seen[value.index()], true) {
            continue;
        }
        for usage in graph.uses(value) {
            let (node, argument) = match *usage {
                Use::Block(block, place) => match graph.block_owner(block) {
                    Some(owner) => (owner, place as usize),
                    None => return true,
                },
                Use::Node(node, place) => (node, place as usize),
            };
            let Some(effect) = entry_of(graph, node).map(OpEntry::effect).filter(|effect| !effect.other) else {
                // Structure passes on what it is given.
                work.extend(graph.outputs(node));
                work.extend(graph.blocks(node).iter().flat_map(|b| graph.block_inputs(*b)).copied());
                if graph.is(node, "prim::SetAttr") {
                    return true;
                }
                continue;
            };
            if effect.keeps.contains(&argument) {
                return true;
            }
            let shares = |result: usize| {
                effect.may_return.iter().any(|r| (r.argument, r.result) == (argument, result))
                    || effect.takes.iter().any(|t| (t.argument, t.result) == (argument, result))
                    || effect.spills.contains(&argument)
            };
            let outputs = graph.outputs(node).iter().enumerate();
            work.extend(outputs.filter(|(result, _)| shares(*result)).map(|(_, output)| *output));
        }
    }
    false
}

/// The operands that an operator writes to.
fn written<'g>(graph: &'g Graph, node: NodeId, entry: &'static OpEntry) -> impl Iterator<Item = ValueId> + 'g {
    let effect = entry.effect();
    let trains = effect.writes_unless_false.as_ref().filter(|(flag, _)| {
        let flag = graph.input(node, *flag).and_then(|v| graph.constant(v));
        !matches!(flag, Some(IValue::Bool(false)))
    });
    let always = effect.writes.iter().map(|write| write.argument);
    let arguments = always.chain(trains.into_iter().flat_map(|(_, arguments)| arguments.iter().copied()));
    arguments.filter_map(move |argument| graph.input(node, argument))
}

/// Is it a container made here that is only written to?
fn is_unseen(graph: &Graph, value: ValueId) -> bool {
    let made = graph.defining(value).map(|node| &**graph.kind(node));
    let writes = |u: &Use| match *u {
        Use::Node(node, 0) => {
            let effect = entry_of(graph, node).map(OpEntry::effect).filter(|effect| !effect.other);
            let writes = effect.is_some_and(|effect| effect.writes.iter().all(|w| w.argument == 0 && !w.elements));
            writes && graph.outputs(node).iter().all(|v| graph.uses(*v).is_empty())
        }
        _ => false,
    };
    matches!(made, Some("prim::ListConstruct" | "prim::DictConstruct")) && graph.uses(value).iter().all(writes)
}

/// Is a value read and nothing else: neither written to, kept, given back nor passed on?
pub fn is_only_read(graph: &Graph, value: ValueId) -> bool {
    graph.uses(value).iter().all(|u| match *u {
        Use::Node(node, argument) => entry_of(graph, node).map(OpEntry::effect).is_some_and(|effect| {
            let argument = argument as usize;
            let trains = effect.writes_unless_false.as_ref().is_some_and(|(_, all)| all.contains(&argument));
            let writes = effect.writes.iter().any(|write| write.argument == argument);
            let gives = effect.may_return.iter().any(|given| given.argument == argument);
            let keeps = effect.keeps.contains(&argument) || effect.spills.contains(&argument);
            let takes = effect.takes.iter().any(|taken| taken.argument == argument);
            !(effect.other || trains || writes || gives || keeps || takes)
        }),
        Use::Block(..) => false,
    })
}
