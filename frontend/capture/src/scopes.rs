//! A graph inside of another takes what it uses from outside as operands, and what it writes there is put on record, so that the graph outside can write it.

use crate::emit::{Given, key};
use crate::error::{Error, refused};
use crate::run::{Capture, Sym, Value, address};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use sconce_fx::{Argument, Graph as FxGraph, GraphModule, Meta, Node, NodeId, Op, Val};
use sconce_schema::dim::Dim;
use sconce_tensor::{IValue, Object, Storage, Tensor, TensorMetadata};
use std::mem::swap;
use std::sync::Arc;

/// A graph inside of another while it is captured; of the innermost the fields are [`Capture`]'s own.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    /// The operator that the graph belongs to: `cond`, `while_loop`.
    pub operator: &'static str,
    pub graph: FxGraph,
    pub tensors: FxHashMap<usize, Given>,
    pub sizes_of: FxHashMap<(NodeId, i64), NodeId>,
    /// Numbers from outside, by their scope and node.
    pub imported: FxHashMap<(usize, NodeId), NodeId>,
    /// What turns of a loop hand on: the first placeholders.
    pub carried: Vec<NodeId>,
    /// What is taken from outside: the node there, and the placeholder here.
    pub operands: Vec<(NodeId, NodeId)>,
    pub submodules: IndexMap<String, GraphModule>,
    /// Containers and objects that were made inside, which may be written.
    pub own: FxHashMap<usize, IValue>,
    /// Memory of tensors that were made inside.
    pub fresh: FxHashMap<usize, Storage>,
    pub written: Vec<Written>,
}

/// A tensor from outside that a graph inside writes: it writes a copy, which the graph outside then copies to the tensor.
#[derive(Clone)]
pub(crate) struct Written {
    pub tensor: Tensor,
    /// The copy.
    pub node: NodeId,
    /// All bytes of the memory before, and after the graph was run.
    pub before: Tensor,
    pub after: Option<Tensor>,
}

impl Scope {
    pub fn of(operator: &'static str) -> Scope {
        Scope { operator, ..Scope::default() }
    }

    /// Does a node of this graph compute the tensor?
    pub fn computes(&self, t: &Tensor) -> bool {
        let given = self.tensors.get(&key(t)).and_then(|g| self.graph.get(g.node));
        given.is_some_and(|node| node.op != Op::Placeholder) || self.fresh.contains_key(&t.storage().id())
    }

    /// The first node that is no placeholder: placeholders come first.
    fn first_call(&self) -> Option<NodeId> {
        self.graph.nodes().find(|(_, n)| n.op != Op::Placeholder).map(|(id, _)| id)
    }
}

/// All of a memory as a tensor of bytes.
pub(crate) fn whole(storage: &Storage) -> Result<Tensor, Error> {
    let bytes = i64::try_from(storage.bytes()).map_err(|_| refused("a tensor's memory is too large"))?;
    Ok(Tensor::new(TensorMetadata {
        sizes: [bytes].as_slice().into(),
        strides: [1].as_slice().into(),
        storage: storage.clone(),
        dtype: sconce_schema::DType::U8,
        offset: 0,
        quantizer: None,
    })?)
}

/// Gives a memory the bytes that it had.
pub(crate) fn put_back(t: &Tensor, bytes: &Tensor) -> Result<(), Error> {
    let now = whole(&t.storage())?;
    if now.sizes() != bytes.sizes() {
        return Err(refused("a tensor that a nested graph writes has other memory afterwards"));
    }
    Ok(now.copy_bytes_from(bytes)?)
}

fn object_address(object: &Arc<Object>) -> usize {
    Arc::as_ptr(object) as usize
}

impl Capture<'_> {
    /// Goes on in a graph inside of this one.
    pub fn enter(&mut self, mut scope: Scope) {
        swap(&mut self.scope, &mut scope);
        self.scopes.push(scope);
    }

    /// Goes back to the graph outside, and gives the inner one.
    pub fn leave(&mut self) -> Scope {
        let outer = self.scopes.pop().unwrap_or_default();
        std::mem::replace(&mut self.scope, outer)
    }

    /// Asks the graph outside; none where there is none.
    fn outside<T>(&mut self, ask: impl FnOnce(&mut Self) -> Result<T, Error>) -> Option<Result<T, Error>> {
        if self.scopes.is_empty() {
            return None;
        }
        let inner = self.leave();
        let answer = ask(self);
        self.enter(inner);
        Some(answer)
    }

    /// A tensor that the graph outside has, as an operand of this one.
    pub fn taken_tensor(&mut self, t: &Tensor) -> Result<Option<NodeId>, Error> {
        if self.scope.written.iter().any(|w| w.tensor.shares_storage(t)) {
            return Err(self.shared());
        }
        let asked = self.outside(|outer| {
            let node = outer.tensor_node(t)?;
            Ok((node, outer.scope.graph.get(node).and_then(|n| n.meta.val.clone()), outer.sizes(t)))
        });
        let Some(asked) = asked else { return Ok(None) };
        let (outer, val, sizes) = asked?;
        let node = self.operand_node(outer, val)?;
        self.give(t, node, sizes);
        Ok(Some(node))
    }

    fn shared(&self) -> Error {
        refused(format!(
            "of two tensors that share memory outside of torch.ops.higher_order.{} one is written in it, and both are used",
            self.scope.operator
        ))
    }

    /// The node of a number here, which may be from outside.
    pub fn sym_node(&mut self, sym: &Sym) -> Result<NodeId, Error> {
        if sym.level == self.scopes.len() {
            return Ok(sym.node);
        }
        if sym.level > self.scopes.len() {
            return Err(refused("a number of a nested graph is read outside of it"));
        }
        if let Some(node) = self.scope.imported.get(&(sym.level, sym.node)) {
            return Ok(*node);
        }
        // A size is that of a tensor here, too; other numbers are taken as tensors, which are all that operands may be.
        let node = if sym.dim != Dim::Unknown && !sym.data {
            match self.computed_size(sym.dim)?.sym {
                Some(here) => self.sym_node(&here)?,
                None => return Err(refused("a size is a number, and was none")),
            }
        } else {
            let dtype = sym.kind.dtype();
            let number = Value { it: IValue::Uninitialized, sym: Some(sym.clone()) };
            let asked = self.outside(|outer| {
                let node = outer.number_tensor(&number, dtype)?;
                Ok((node, outer.scope.graph.get(node).and_then(|n| n.meta.val.clone())))
            });
            let Some(asked) = asked else { return Ok(sym.node) };
            let (outer, val) = asked?;
            let args = vec![Argument::Node(self.operand_node(outer, val)?)];
            let hint = crate::joined::number_of(&IValue::Uninitialized, dtype);
            let target = "torch.ops.aten.item.default";
            let here = self.number_node(target, args, hint, sym.dim, sym.kind, true)?;
            here.sym.map_or(sym.node, |s| s.node)
        };
        self.scope.imported.insert((sym.level, sym.node), node);
        Ok(node)
    }

    fn operand_node(&mut self, outer: NodeId, val: Option<Val>) -> Result<NodeId, Error> {
        let node = self.placeholder_inside(val)?;
        self.scope.operands.push((outer, node));
        Ok(node)
    }

    /// A placeholder of a nested graph.
    pub fn placeholder_inside(&mut self, val: Option<Val>) -> Result<NodeId, Error> {
        let number = self.scope.carried.len() + self.scope.operands.len();
        let name = self.scope.graph.unique_name(&format!("arg{number}_1"));
        let node = Node::new(Op::Placeholder, name.clone(), name).with_meta(Meta { val, ..Meta::default() });
        match self.scope.first_call() {
            Some(first) => Ok(self.scope.graph.insert_before(first, node)?),
            None => self.push(node),
        }
    }

    /// A tensor, container or object was made here.
    pub fn own(&mut self, value: &IValue) {
        if self.scopes.is_empty() {
            return;
        }
        let at = match value {
            IValue::Tensor(t) => {
                self.scope.fresh.insert(t.storage().id(), t.storage());
                None
            }
            IValue::Object(o) => Some(object_address(o)),
            other => address(other),
        };
        if let Some(at) = at {
            self.scope.own.insert(at, value.clone());
        }
    }

    /// Something is about to be written: a nested graph writes what it made, and a copy of a tensor from outside.
    pub fn check_write(&mut self, value: &IValue) -> Result<(), Error> {
        if address(value).is_some_and(|at| self.frozen.contains_key(&at)) {
            let kind = value.kind();
            return Err(refused(format!("the elements of tensors decide which {kind} this is, and it is written")));
        }
        if self.scopes.is_empty() {
            return Ok(());
        }
        let is_own = match value {
            IValue::Tensor(t) => return self.write_outside(t),
            other => self.is_own(other),
        };
        if is_own {
            return Ok(());
        }
        Err(refused(format!(
            "the elements of tensors decide whether a {} from outside is written here, and torch.ops.higher_order.{} gives tensors alone",
            value.kind(),
            self.scope.operator
        )))
    }

    fn is_own(&self, value: &IValue) -> bool {
        match value {
            IValue::Object(o) => self.scope.own.contains_key(&object_address(o)),
            other => address(other).is_none_or(|at| self.scope.own.contains_key(&at)),
        }
    }

    fn write_outside(&mut self, t: &Tensor) -> Result<(), Error> {
        if self.scope.fresh.contains_key(&t.storage().id())
            || self.scope.written.iter().any(|w| w.tensor.shares_storage(t))
        {
            return Ok(());
        }
        let is_placeholder = |g: &&Given| self.scope.graph.get(g.node).is_some_and(|n| n.op == Op::Placeholder);
        let shares = |g: &&Given| g.held.shares_storage(t);
        let mut taken =
            self.scope.tensors.values().filter(shares).filter(is_placeholder).map(|g| (g.held.clone(), g.node));
        let (tensor, node) = match (taken.next(), taken.next()) {
            (Some(one), None) => one,
            (None, _) => (t.clone(), self.tensor_node(t)?),
            (Some(_), Some(_)) => return Err(self.shared()),
        };
        if self.scope.carried.contains(&node) {
            return Err(refused(
                "a tensor is written that the turns of a loop by the elements of tensors hand on to each other: whose memory it is depends on the turn",
            ));
        }
        let val = self.scope.graph.get(node).and_then(|n| n.meta.val.clone());
        let name = self.scope.graph.unique_name("clone");
        let meta = Meta { val, stack_trace: None, ..Meta::default() };
        let clone = Node::new(Op::CallFunction, name, "torch.ops.aten.clone.default").with_meta(meta);
        let clone = match self.scope.first_call() {
            Some(first) => self.scope.graph.insert_before(first, clone)?,
            None => self.push(clone)?,
        };
        self.scope.graph.replace_uses(node, &Argument::Node(clone))?;
        self.scope.graph.set_args(clone, vec![Argument::Node(node)], Vec::new())?;
        for given in self.scope.tensors.values_mut().filter(|g| g.node == node) {
            given.node = clone;
        }
        let before = whole(&tensor.storage())?.copy()?;
        self.taint(&tensor);
        self.scope.written.push(Written { tensor, node: clone, before, after: None });
        Ok(())
    }

    /// Tensors from outside are again what they were before a graph was run, which keeps what it left in them.
    pub fn undo_writes(scope: &mut Scope) -> Result<(), Error> {
        for written in scope.written.iter_mut().rev() {
            written.after = Some(whole(&written.tensor.storage())?.copy()?);
            put_back(&written.tensor, &written.before)?;
        }
        Ok(())
    }
}

/// A nested graph with a placeholder for each value that is handed on and each operand, in their order.
pub(crate) fn with_operands(side: &Scope, operands: &[NodeId], outer: &FxGraph) -> Result<FxGraph, Error> {
    let mut graph = FxGraph::default();
    let mut new: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    let carried = side.carried.iter().map(|inner| (Some(*inner), side.graph.get(*inner)));
    let taken = operands.iter().map(|operand| {
        let inner = side.operands.iter().find(|(o, _)| o == operand).map(|(_, inner)| *inner);
        (inner, outer.get(*operand))
    });
    for (i, (inner, node)) in carried.chain(taken).enumerate() {
        let name = format!("arg{i}_1");
        let val = node.and_then(|n| n.meta.val.clone());
        let node = Node::new(Op::Placeholder, name.clone(), name).with_meta(Meta { val, ..Meta::default() });
        let node = graph.push(node)?;
        if let Some(inner) = inner {
            new.insert(inner, node);
        }
    }
    for (id, node) in side.graph.nodes().filter(|(_, n)| n.op != Op::Placeholder) {
        let mut to = |id: NodeId| new.get(&id).map_or(Argument::None, |id| Argument::Node(*id));
        let mut copy = node.clone();
        copy.args = node.args.iter().map(|a| a.map_nodes(&mut to)).collect();
        copy.kwargs = node.kwargs.iter().map(|(k, a)| (k.clone(), a.map_nodes(&mut to))).collect();
        copy.name = graph.unique_name(&node.name);
        new.insert(id, graph.push(copy)?);
    }
    Ok(graph)
}
