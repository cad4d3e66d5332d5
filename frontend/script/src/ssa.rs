//! Variables become values: loads and stores disappear, and what an `if` or a loop changes is passed on through its outputs.
//!
//! The compiler emits `prim::Store[name="x"](%v)` and `prim::Load[name="x"]()` and leaves the block with a loop's condition beside its body. [`convert`]
//! gives control flow its inputs and outputs, turns `break` and `continue` into loop continuations, inlines the conditions and puts values in the place of
//! loads. Early exits remain for [`crate::exits`].

use crate::graph::{Attr, BlockId, Graph, Loc, NodeId, ValueId};
use rustc_hash::FxHashMap;
use sconce_schema::Type;
use sconce_tensor::IValue;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why a graph cannot be brought into its final form.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// A load of a variable that no store precedes; the compiler has checked that there is none.
    #[error("the variable '{0}' is read before it is set")]
    Unset(Arc<str>),
    /// A variable of two types that have no common one, where a loop passes it on.
    #[error("the variable '{name}' is of type {before} before a loop and {after} in it")]
    Types { name: Arc<str>, before: Type, after: Type },
    /// `break` or `continue` outside of a loop.
    #[error("'{0}' outside of a loop")]
    OutsideLoop(&'static str),
    #[error("Cannot fork this value")]
    Fork(Option<Box<Loc>>),
    #[error("Cannot fork lambda with parameters")]
    ForkParameters(Option<Box<Loc>>),
    /// A node that lacks what its kind has.
    #[error("{0} is malformed: {1}")]
    Malformed(Arc<str>, &'static str),
}

/// The whole conversion, up to early exits.
///
/// # Errors
/// Graphs that no compiler emits.
pub fn convert(graph: &mut Graph) -> Result<(), Error> {
    check(graph)?;
    let root = graph.root();
    ControlFlow { graph, frames: Vec::new() }.block(root)?;
    Continuations::run(graph, root)?;
    inline_conditions(graph, root);
    let mut erasure = Erasure { graph, frames: Vec::new(), erased: Vec::new() };
    erasure.block(root)?;
    let erased = erasure.erased;
    graph.erase_all(&erased);
    Ok(())
}

/// Control flow has the blocks that it is emitted with.
fn check(graph: &Graph) -> Result<(), Error> {
    for node in graph.walk(graph.root()) {
        let blocks = graph.blocks(node).len();
        let (fine, what) = match &**graph.kind(node) {
            "prim::If" => (blocks == 2 && graph.inputs(node).len() == 1, "it has one operand and two blocks"),
            "prim::Loop" => {
                (blocks == 2 && !graph.inputs(node).is_empty(), "it is emitted with a body and a condition")
            }
            "prim::Closure" | "prim::ComprehensionScope" => (blocks == 1, "it has one block"),
            "prim::Store" => {
                (graph.inputs(node).len() == 1 && graph.str_attr(node, "name").is_some(), "it names one value")
            }
            "prim::Load" => {
                (graph.outputs(node).len() == 1 && graph.str_attr(node, "name").is_some(), "it names one value")
            }
            _ => continue,
        };
        let fine = fine
            && (!graph.is(node, "prim::Loop")
                || (graph.block_outputs(graph.blocks(node)[1]).len() == 1
                    && !graph.block_inputs(graph.blocks(node)[0]).is_empty()));
        if !fine {
            return Err(Error::Malformed(graph.kind(node).clone(), what));
        }
    }
    Ok(())
}

/// The last of the frames that knows a name.
fn lookup<'f, T>(frames: &'f [BTreeMap<Arc<str>, T>], name: &str) -> Option<&'f T> {
    frames.iter().rev().find_map(|frame| frame.get(name))
}

fn name_of(graph: &Graph, node: NodeId) -> Arc<str> {
    graph.str_attr(node, "name").cloned().unwrap_or_default()
}

/// `_3` and `$3` are names of the compiler's.
pub(crate) fn is_meaningful(name: &str) -> bool {
    match name.strip_prefix('_') {
        None => !name.is_empty() && !name.starts_with('$'),
        Some(rest) => !rest.bytes().all(|b| b.is_ascii_digit()),
    }
}

/// Adds loads and stores around control flow, so that every variable it changes is passed on.
struct ControlFlow<'g> {
    graph: &'g mut Graph,
    /// Types of variables, innermost block last.
    frames: Vec<BTreeMap<Arc<str>, Type>>,
}

impl ControlFlow<'_> {
    fn load(&mut self, name: &Arc<str>, ty: Type) -> (NodeId, ValueId) {
        let node = self.graph.node("prim::Load", &[]);
        self.graph.set_attr(node, "name", Attr::Str(name.clone()));
        let value = self.graph.add_output(node, None, ty);
        (node, value)
    }

    fn store(&mut self, name: &Arc<str>, value: ValueId) -> NodeId {
        let node = self.graph.node("prim::Store", &[value]);
        self.graph.set_attr(node, "name", Attr::Str(name.clone()));
        node
    }

    fn block_output(&mut self, block: BlockId, name: &Arc<str>, ty: Type) {
        let (node, value) = self.load(name, ty);
        self.graph.append(block, node);
        self.graph.add_block_output(block, value);
    }

    /// An output of a control flow node, and the store behind the node.
    fn node_output(&mut self, node: NodeId, name: &Arc<str>, ty: &Type) -> NodeId {
        let value = self.graph.add_output(node, is_meaningful(name).then_some(name), ty.clone());
        self.frames.last_mut().map(|frame| frame.insert(name.clone(), ty.clone()));
        self.store(name, value)
    }

    /// Gives the variables that the block sets.
    fn block(&mut self, block: BlockId) -> Result<BTreeMap<Arc<str>, Type>, Error> {
        self.frames.push(BTreeMap::new());
        for node in self.graph.take_nodes(block) {
            match &**self.graph.kind(node) {
                "prim::If" => {
                    self.graph.append(block, node);
                    self.if_(node, block)?;
                    continue;
                }
                "prim::Loop" => {
                    self.loop_(node, block)?;
                    continue;
                }
                "prim::Closure" | "prim::ComprehensionScope" => {
                    for inner in self.graph.blocks(node).to_vec() {
                        self.block(inner)?;
                    }
                }
                "prim::Store" => {
                    let ty = self.graph.ty(self.graph.inputs(node)[0]).clone();
                    let name = name_of(self.graph, node);
                    self.frames.last_mut().map(|frame| frame.insert(name, ty));
                }
                _ => {}
            }
            self.graph.append(block, node);
        }
        Ok(self.frames.pop().unwrap_or_default())
    }

    /// A variable is an output if both branches know it, and one sets it.
    fn if_(&mut self, node: NodeId, block: BlockId) -> Result<(), Error> {
        let [yes, no] = [self.graph.blocks(node)[0], self.graph.blocks(node)[1]];
        let (yes_vars, no_vars) = (self.block(yes)?, self.block(no)?);
        let names: BTreeSet<Arc<str>> = yes_vars.keys().chain(no_vars.keys()).cloned().collect();
        for name in names {
            let of = |vars: &BTreeMap<Arc<str>, Type>| vars.get(&name).or_else(|| lookup(&self.frames, &name)).cloned();
            let (Some(yes_ty), Some(no_ty)) = (of(&yes_vars), of(&no_vars)) else { continue };
            let unified = unify(&yes_ty, &no_ty);
            self.block_output(yes, &name, yes_ty);
            self.block_output(no, &name, no_ty);
            let store = self.node_output(node, &name, &unified);
            self.graph.append(block, store);
        }
        Ok(())
    }

    /// A variable is carried if the body sets it, and it was set before.
    fn loop_(&mut self, node: NodeId, block: BlockId) -> Result<(), Error> {
        let body = self.graph.blocks(node)[0];
        let vars = self.block(body)?;
        let mut stores = Vec::new();
        for (name, ty) in vars {
            let Some(before) = lookup(&self.frames, &name).cloned() else { continue };
            let Some(unified) = before.unify(&ty) else {
                return Err(Error::Types { name, before, after: ty });
            };
            let (load, value) = self.load(&name, before);
            self.graph.append(block, load);
            self.graph.add_operand(node, value);
            let input = self.graph.add_input(body, Some(&name), unified.clone());
            let store = self.store(&name, input);
            self.graph.prepend(body, store);
            self.block_output(body, &name, ty);
            stores.push((name, unified));
        }
        self.graph.append(block, node);
        for (name, ty) in stores {
            let store = self.node_output(node, &name, &ty);
            self.graph.append(block, store);
        }
        Ok(())
    }
}

/// The join of two types, or their union.
pub(crate) fn unify(a: &Type, b: &Type) -> Type {
    a.unify(b).unwrap_or_else(|| Type::union_of([a.clone(), b.clone()]))
}

/// `prim::BreakStmt` and `prim::ContinueStmt` become `prim::LoopContinuation(go on, carried…)`.
struct Continuations<'g> {
    graph: &'g mut Graph,
    /// `false`, at the start of the function or closure.
    no: ValueId,
    innermost: Option<NodeId>,
}

impl Continuations<'_> {
    fn run(graph: &mut Graph, block: BlockId) -> Result<(), Error> {
        let (node, no) = bool_constant(graph, false);
        graph.prepend(block, node);
        Continuations { graph, no, innermost: None }.block(block)
    }

    fn block(&mut self, block: BlockId) -> Result<(), Error> {
        for node in self.graph.block_nodes(block).to_vec() {
            match &**self.graph.kind(node) {
                "prim::If" => {
                    for inner in self.graph.blocks(node).to_vec() {
                        self.block(inner)?;
                    }
                }
                "prim::Closure" => Continuations::run(self.graph, self.graph.blocks(node)[0])?,
                "prim::Loop" => {
                    let outer = self.innermost.replace(node);
                    self.block(self.graph.blocks(node)[0])?;
                    self.innermost = outer;
                }
                "prim::ContinueStmt" => {
                    let around = self.innermost.ok_or(Error::OutsideLoop("continue"))?;
                    let condition = self.graph.blocks(around)[1];
                    let go_on = copy_condition(self.graph, condition, node);
                    self.replace(node, around, go_on);
                }
                "prim::BreakStmt" => {
                    let around = self.innermost.ok_or(Error::OutsideLoop("break"))?;
                    self.replace(node, around, self.no);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn replace(&mut self, node: NodeId, around: NodeId, go_on: ValueId) {
        let exit = self.graph.node("prim::LoopContinuation", &[go_on]);
        self.graph.insert_after(node, exit);
        for value in self.graph.block_outputs(self.graph.blocks(around)[0]).to_vec() {
            // Carried variables leave the body by loads.
            let mut carried = value;
            if let Some(load) = self.graph.defining(value) {
                let copy = self.graph.clone_node(load, &mut |v| v);
                self.graph.insert_before(exit, copy);
                carried = self.graph.output(copy).unwrap_or(value);
            }
            self.graph.add_operand(exit, carried);
        }
        self.graph.erase(node);
    }
}

/// A constant in no block yet.
pub(crate) fn bool_constant(graph: &mut Graph, value: bool) -> (NodeId, ValueId) {
    constant(graph, IValue::Bool(value), Type::Bool)
}

/// A constant in no block yet.
pub(crate) fn constant(graph: &mut Graph, value: IValue, ty: Type) -> (NodeId, ValueId) {
    let node = graph.node("prim::Constant", &[]);
    graph.set_attr(node, "value", Attr::Value(value));
    let output = graph.add_output(node, None, ty);
    (node, output)
}

/// Copies a loop's condition in front of a node, and gives its value there.
fn copy_condition(graph: &mut Graph, condition: BlockId, before: NodeId) -> ValueId {
    let mut copies: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    for node in graph.block_nodes(condition).to_vec() {
        let copy = graph.clone_node(node, &mut |v| copies.get(&v).copied().unwrap_or(v));
        graph.insert_before(before, copy);
        for (old, new) in graph.outputs(node).to_vec().into_iter().zip(graph.outputs(copy).to_vec()) {
            copies.insert(old, new);
        }
    }
    let value = graph.block_outputs(condition)[0];
    copies.get(&value).copied().unwrap_or(value)
}

/// The condition stands before the loop, and at the end of its body.
fn inline_conditions(graph: &mut Graph, block: BlockId) {
    for node in graph.block_nodes(block).to_vec() {
        for inner in graph.blocks(node).to_vec() {
            inline_conditions(graph, inner);
        }
        if graph.is(node, "prim::Loop") {
            let [body, condition] = [graph.blocks(node)[0], graph.blocks(node)[1]];
            let start = copy_condition(graph, condition, node);
            graph.insert_operand(node, 1, start);
            graph.splice(condition, body);
            let mut outputs = graph.block_outputs(body).to_vec();
            outputs.insert(0, graph.block_outputs(condition)[0]);
            graph.set_block_outputs(body, &outputs);
            graph.erase_block(node, 1);
        }
    }
}

/// Puts what was stored last in the place of every load.
struct Erasure<'g> {
    graph: &'g mut Graph,
    frames: Vec<BTreeMap<Arc<str>, ValueId>>,
    /// Loads and stores, which are in no block any more.
    erased: Vec<NodeId>,
}

impl Erasure<'_> {
    fn block(&mut self, block: BlockId) -> Result<(), Error> {
        self.frames.push(BTreeMap::new());
        for node in self.graph.take_nodes(block) {
            match &**self.graph.kind(node) {
                "prim::Store" => {
                    let (name, value) = (name_of(self.graph, node), self.graph.inputs(node)[0]);
                    self.frames.last_mut().map(|frame| frame.insert(name, value));
                    self.erased.push(node);
                }
                "prim::Load" => {
                    let name = name_of(self.graph, node);
                    let value = *lookup(&self.frames, &name).ok_or(Error::Unset(name))?;
                    self.graph.replace_uses(self.graph.outputs(node)[0], value);
                    self.erased.push(node);
                }
                "prim::ComprehensionScope" => {
                    let body = self.graph.blocks(node)[0];
                    self.block(body)?;
                    self.graph.splice(body, block);
                    self.graph.erase(node);
                }
                _ => {
                    for inner in self.graph.blocks(node).to_vec() {
                        self.block(inner)?;
                    }
                    self.graph.append(block, node);
                }
            }
        }
        self.frames.pop();
        Ok(())
    }
}
