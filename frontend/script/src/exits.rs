//! Early exits become values: after an exit that might have been taken, the rest of a block runs under a flag.
//!
//! `prim::LoopContinuation` leaves the innermost loop's body, `prim::ReturnStmt` the function or closure. A block that certainly exits loses what follows; one
//! that might passes on a flag and the values it exits with, `prim::Uninitialized` where it did not. A branch that raises counts as whatever the other branch
//! does.

use crate::graph::{BlockId, Def, Graph, NodeId, Use, ValueId};
use crate::ssa::{Error, bool_constant, unify};
use rustc_hash::FxHashMap;
use sconce_schema::Type;
use sconce_tensor::IValue;

/// Removes all `prim::LoopContinuation` and `prim::ReturnStmt`.
///
/// # Errors
/// `prim::Enter` and `prim::Exit` that are no pairs.
pub fn transform(graph: &mut Graph) -> Result<(), Error> {
    with_blocks(graph)?;
    for kind in ["prim::LoopContinuation", "prim::ReturnStmt"] {
        let root = graph.root();
        Exits::new(graph, kind).block(root);
    }
    fuse_ifs(graph, graph.root());
    without_blocks(graph, graph.root());
    Ok(())
}

/// How surely a node or block exits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Will,
    Might,
    Wont,
    /// It raises, so nothing behind it runs.
    Throws,
}

/// Has it been left, and with which values?
#[derive(Clone)]
struct Exit {
    exited: ValueId,
    values: Vec<ValueId>,
}

struct Exits<'g> {
    graph: &'g mut Graph,
    kind: &'static str,
    yes: ValueId,
    no: ValueId,
    throws: ValueId,
    /// One uninitialized value for each type.
    unset: FxHashMap<Type, ValueId>,
    /// The block that an exit leaves.
    target: Option<BlockId>,
}

impl<'g> Exits<'g> {
    fn new(graph: &'g mut Graph, kind: &'static str) -> Self {
        let root = graph.root();
        let (yes_node, yes) = bool_constant(graph, true);
        let (no_node, no) = bool_constant(graph, false);
        graph.prepend(root, no_node);
        graph.prepend(root, yes_node);
        let mut exits = Exits { graph, kind, yes, no, throws: yes, unset: FxHashMap::default(), target: None };
        exits.throws = exits.unset(&Type::Bool);
        exits
    }

    fn unset(&mut self, ty: &Type) -> ValueId {
        if let Some(known) = self.unset.get(ty) {
            return *known;
        }
        let node = self.graph.node("prim::Uninitialized", &[]);
        let value = self.graph.add_output(node, None, ty.clone());
        self.graph.prepend(self.graph.root(), node);
        self.unset.insert(ty.clone(), value);
        value
    }

    fn unset_like(&mut self, values: &[ValueId]) -> Vec<ValueId> {
        let types: Vec<Type> = values.iter().map(|v| self.graph.ty(*v).clone()).collect();
        types.iter().map(|ty| self.unset(ty)).collect()
    }

    fn wont(&self) -> Exit {
        Exit { exited: self.no, values: Vec::new() }
    }

    fn status(&self, exit: &Exit) -> Status {
        match exit.exited {
            v if v == self.yes => Status::Will,
            v if v == self.no => Status::Wont,
            v if v == self.throws => Status::Throws,
            _ => Status::Might,
        }
    }

    fn is_target(&self, block: BlockId) -> bool {
        let owner = self.graph.block_owner(block).map(|n| &**self.graph.kind(n));
        match self.kind {
            "prim::LoopContinuation" => owner == Some("prim::Loop"),
            _ => matches!(owner, None | Some("prim::Closure")),
        }
    }

    fn block(&mut self, block: BlockId) -> Exit {
        let outer = self.target;
        if self.is_target(block) {
            self.target = Some(block);
        }
        let mut exit = self.wont();
        let mut at = 0;
        while let Some(node) = self.graph.block_nodes(block).get(at).copied() {
            at += 1;
            match &**self.graph.kind(node) {
                "prim::RaiseException" => exit = Exit { exited: self.throws, values: Vec::new() },
                kind if kind == self.kind => {
                    exit = Exit { exited: self.yes, values: self.graph.inputs(node).to_vec() };
                    self.graph.erase(node);
                    at -= 1;
                }
                "prim::If" => exit = self.if_(node),
                "prim::With" => exit = self.block(self.graph.blocks(node)[0]),
                "prim::Closure" => {
                    self.block(self.graph.blocks(node)[0]);
                }
                "prim::Loop" => exit = self.loop_(node),
                _ => {}
            }
            // Uninitialized values may have been put in front.
            if block == self.graph.root()
                && !self.graph.blocks(node).is_empty()
                && let Some((_, now)) = self.graph.position(node)
            {
                at = now + 1;
            }
            match self.status(&exit) {
                Status::Will | Status::Throws => {
                    self.delete_from(block, at);
                    break;
                }
                Status::Might => {
                    if at < self.graph.block_nodes(block).len() {
                        exit = self.guard(block, &exit, at);
                    }
                    break;
                }
                Status::Wont => {}
            }
        }
        if self.target == Some(block) {
            self.arrive(block, &exit);
            exit = self.wont();
        }
        self.target = outer;
        exit
    }

    /// The block that is left passes on what it is left with.
    fn arrive(&mut self, block: BlockId, exit: &Exit) {
        match self.status(exit) {
            Status::Might => {
                let node = self.graph.node("prim::If", &[exit.exited]);
                self.graph.add_block(node);
                self.graph.add_block(node);
                self.graph.append(block, node);
                let outputs = self.graph.block_outputs(block).to_vec();
                self.if_outputs(node, &exit.values, &outputs);
                let outputs = self.graph.outputs(node).to_vec();
                self.graph.set_block_outputs(block, &outputs);
            }
            Status::Will => self.graph.set_block_outputs(block, &exit.values),
            Status::Wont | Status::Throws => {}
        }
    }

    /// Further outputs of an `if`; gives them.
    fn if_outputs(&mut self, node: NodeId, yes: &[ValueId], no: &[ValueId]) -> Vec<ValueId> {
        let [then, otherwise] = [self.graph.blocks(node)[0], self.graph.blocks(node)[1]];
        let mut out = Vec::new();
        for (a, b) in yes.iter().zip(no) {
            self.graph.add_block_output(then, *a);
            self.graph.add_block_output(otherwise, *b);
            let ty = unify(self.graph.ty(*a), self.graph.ty(*b));
            out.push(self.graph.add_output(node, None, ty));
        }
        out
    }

    fn if_(&mut self, node: NodeId) -> Exit {
        let [then, otherwise] = [self.graph.blocks(node)[0], self.graph.blocks(node)[1]];
        let (mut yes, mut no) = (self.block(then), self.block(otherwise));
        let (yes_status, no_status) = (self.status(&yes), self.status(&no));
        let status = match (yes_status, no_status) {
            (Status::Throws, other) | (other, Status::Throws) => other,
            (a, b) if a == b => a,
            _ => Status::Might,
        };
        match status {
            Status::Throws => return Exit { exited: self.throws, values: Vec::new() },
            Status::Wont => return self.wont(),
            Status::Will | Status::Might => {}
        }
        if matches!(yes_status, Status::Wont | Status::Throws) {
            yes.values = self.unset_like(&no.values);
        } else if matches!(no_status, Status::Wont | Status::Throws) {
            no.values = self.unset_like(&yes.values);
        }
        let exited = match status {
            Status::Will => self.yes,
            _ => self.if_outputs(node, &[yes.exited], &[no.exited])[0],
        };
        let values = self.if_outputs(node, &yes.values, &no.values);
        Exit { exited, values }
    }

    /// A loop that might be left ends with it, and passes the flag and the values on.
    fn loop_(&mut self, node: NodeId) -> Exit {
        let body = self.graph.blocks(node)[0];
        let exit = self.block(body);
        // The body need not run at all, so raising in it says nothing.
        if matches!(self.status(&exit), Status::Wont | Status::Throws) {
            return self.wont();
        }
        let check = self.graph.node("prim::If", &[exit.exited]);
        self.graph.append(body, check);
        let (stop, go_on) = (self.graph.add_block(check), self.graph.add_block(check));
        self.graph.add_block_output(stop, self.no);
        let mut outputs = self.graph.block_outputs(body).to_vec();
        self.graph.add_block_output(go_on, outputs[0]);
        outputs[0] = self.graph.add_output(check, None, Type::Bool);
        outputs.push(exit.exited);
        outputs.extend(&exit.values);
        self.graph.set_block_outputs(body, &outputs);
        self.graph.add_operand(node, self.no);
        self.graph.add_input(body, None, Type::Bool);
        let exited = self.graph.add_output(node, None, Type::Bool);
        let mut values = Vec::new();
        for value in &exit.values {
            let ty = self.graph.ty(*value).clone();
            let unset = self.unset(&ty);
            self.graph.add_operand(node, unset);
            self.graph.add_input(body, None, ty.clone());
            values.push(self.graph.add_output(node, None, ty));
        }
        Exit { exited, values }
    }

    /// What follows an exit that might have been taken moves into an `if`.
    fn guard(&mut self, block: BlockId, exit: &Exit, at: usize) -> Exit {
        let node = self.graph.node("prim::If", &[exit.exited]);
        let (left, goes_on) = (self.graph.add_block(node), self.graph.add_block(node));
        let all = self.graph.take_nodes(block);
        for (index, inner) in all.into_iter().enumerate() {
            self.graph.append(if index < at { block } else { goes_on }, inner);
        }
        self.graph.append(block, node);
        let outputs = self.graph.block_outputs(block).to_vec();
        let unset = self.unset_like(&outputs);
        let mut passed = Vec::new();
        for (value, unset) in outputs.iter().zip(unset) {
            self.graph.add_block_output(left, unset);
            self.graph.add_block_output(goes_on, *value);
            let ty = self.graph.ty(*value).clone();
            passed.push(self.graph.add_output(node, None, ty));
        }
        self.graph.set_block_outputs(block, &passed);
        if self.graph.block_owner(block).is_some_and(|n| self.graph.is(n, "prim::With")) {
            self.pass_out(node, left, goes_on);
        }
        let leave = self.graph.node(self.kind, &exit.values);
        self.graph.append(left, leave);
        self.if_(node)
    }

    /// A `with` opens no scope: what its body defines may be used behind it.
    fn pass_out(&mut self, node: NodeId, left: BlockId, goes_on: BlockId) {
        for inner in self.graph.block_nodes(goes_on).to_vec() {
            for value in self.graph.outputs(inner).to_vec() {
                let outside = |graph: &Graph, u: Use| match u {
                    Use::Node(n, _) => !graph.is_within(n, goes_on),
                    Use::Block(b, _) => {
                        b != goes_on && !graph.block_owner(b).is_some_and(|n| graph.is_within(n, goes_on))
                    }
                };
                if self.graph.uses(value).iter().any(|u| outside(self.graph, *u)) {
                    let (ty, name) = (self.graph.ty(value).clone(), self.graph.name(value).cloned());
                    let unset = self.unset(&ty);
                    let passed = self.graph.add_output(node, name.as_deref(), ty);
                    self.graph.replace_uses_if(value, passed, outside);
                    self.graph.add_block_output(left, unset);
                    self.graph.add_block_output(goes_on, value);
                }
            }
        }
    }

    /// What follows a certain exit goes; where something outside still names its values, they are never read.
    fn delete_from(&mut self, block: BlockId, at: usize) {
        let dead: Vec<NodeId> = self.graph.block_nodes(block).iter().skip(at).copied().collect();
        for node in dead.into_iter().rev() {
            for value in self.graph.outputs(node).to_vec() {
                if !self.graph.uses(value).is_empty() {
                    let ty = self.graph.ty(value).clone();
                    let unset = self.unset(&ty);
                    self.graph.replace_uses(value, unset);
                }
            }
            self.graph.erase(node);
        }
    }
}

/// Two `if`s in a row, of which the first decides the second, become one.
fn fuse_ifs(graph: &mut Graph, block: BlockId) {
    let mut at = 0;
    while let Some(node) = graph.block_nodes(block).get(at).copied() {
        for inner in graph.blocks(node).to_vec() {
            fuse_ifs(graph, inner);
        }
        let next = graph.block_nodes(block).get(at + 1).copied();
        if !next.is_some_and(|next| fuse(graph, node, next)) {
            at += 1;
        }
    }
}

fn fuse(graph: &mut Graph, first: NodeId, second: NodeId) -> bool {
    if !graph.is(first, "prim::If") || !graph.is(second, "prim::If") {
        return false;
    }
    let Some(Def::Output(by, index)) = graph.input(second, 0).map(|v| graph.def(v)) else { return false };
    if by != first {
        return false;
    }
    let decided = |b: BlockId| match graph.block_outputs(b).get(index as usize).and_then(|v| graph.constant(*v)) {
        Some(IValue::Bool(b)) => Some(*b),
        _ => None,
    };
    let blocks = graph.blocks(first).to_vec();
    let ([Some(yes), Some(no)], true) = ([decided(blocks[0]), decided(blocks[1])], blocks.len() == 2) else {
        return false;
    };
    // If both decide alike, the second is folded later, and nothing is copied.
    if yes == no {
        return false;
    }
    for (block, takes) in [(blocks[0], yes), (blocks[1], no)] {
        let passed = graph.block_outputs(block).to_vec();
        let of_first = graph.outputs(first).to_vec();
        let from = graph.blocks(second)[usize::from(!takes)];
        graph.clone_block(from, block, &mut |v| of_first.iter().position(|o| *o == v).map_or(v, |i| passed[i]));
    }
    for output in graph.outputs(second).to_vec() {
        let (ty, name) = (graph.ty(output).clone(), graph.name(output).cloned());
        let merged = graph.add_output(first, name.as_deref(), ty);
        graph.replace_uses(output, merged);
    }
    graph.erase(second);
    true
}

/// `prim::Enter … prim::Exit` becomes `prim::Enter` and `prim::With` with what is between, and the exit, as blocks.
fn with_blocks(graph: &mut Graph) -> Result<(), Error> {
    let mut entered = Vec::new();
    let mut pairs = Vec::new();
    for node in graph.walk(graph.root()) {
        if graph.is(node, "prim::Enter") {
            entered.push(node);
        } else if graph.is(node, "prim::Exit") {
            match entered.pop() {
                Some(enter)
                    if graph.input(enter, 0) == graph.input(node, 0) && graph.owner(enter) == graph.owner(node) =>
                {
                    pairs.push((enter, node));
                }
                _ => {
                    return Err(Error::Malformed(
                        "prim::Exit".into(),
                        "it leaves what was entered last, in the same block",
                    ));
                }
            }
        }
    }
    if !entered.is_empty() {
        return Err(Error::Malformed("prim::Enter".into(), "what is entered is left"));
    }
    // The innermost come first.
    for (enter, exit) in pairs {
        let with = graph.node("prim::With", &[]);
        let (body, leave) = (graph.add_block(with), graph.add_block(with));
        let (Some((block, from)), Some((_, to))) = (graph.position(enter), graph.position(exit)) else { continue };
        let between = graph.block_nodes(block)[from + 1..to].to_vec();
        for node in between {
            graph.append(body, node);
        }
        graph.append(leave, exit);
        graph.insert_after(enter, with);
    }
    Ok(())
}

/// Both blocks of a `prim::With` take its place.
fn without_blocks(graph: &mut Graph, block: BlockId) {
    for node in graph.take_nodes(block) {
        for inner in graph.blocks(node).to_vec() {
            without_blocks(graph, inner);
        }
        if graph.is(node, "prim::With") {
            for inner in graph.blocks(node).to_vec() {
                graph.splice(inner, block);
            }
            graph.erase(node);
        } else {
            graph.append(block, node);
        }
    }
}
