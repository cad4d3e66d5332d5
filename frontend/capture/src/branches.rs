//! A branch that data decides becomes `cond`: both sides are captured as graphs of their own, which take what they use from outside as operands and write nothing there.

use crate::emit::{Given, key, sweep};
use crate::error::{Error, refused};
use crate::run::{Capture, Sym, SymKind, Value, Values, address};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use sconce_fx::{Argument, Graph as FxGraph, GraphModule, Meta, Node, NodeId, Op, Val};
use sconce_graph::graph::{BlockId, Graph, NodeId as GraphNode};
use sconce_schema::DType;
use sconce_tensor::{IValue, Object, Tensor};
use std::mem::swap;
use std::sync::Arc;

/// A graph inside of another while it is captured; of the innermost the fields are [`Capture`]'s own.
#[derive(Default)]
pub(crate) struct Scope {
    pub graph: FxGraph,
    pub tensors: FxHashMap<usize, Given>,
    pub sizes_of: FxHashMap<(NodeId, i64), NodeId>,
    /// Numbers from outside, by their scope and node.
    pub imported: FxHashMap<(usize, NodeId), NodeId>,
    /// What is taken from outside: the node there, and the placeholder here.
    pub operands: Vec<(NodeId, NodeId)>,
    pub submodules: IndexMap<String, GraphModule>,
    /// Containers and objects that were made inside, which may be written.
    pub own: FxHashMap<usize, IValue>,
}

/// What a result of a branch is.
enum Joined {
    /// It is the same on both sides, and needs no branch.
    Same(Value),
    Tensor,
    Number(DType),
}

/// How deep branches that data decides may be nested.
const MOST_SCOPES: usize = 16;

impl Capture<'_> {
    fn exchange(&mut self, scope: &mut Scope) {
        swap(&mut self.scope.graph, &mut scope.graph);
        swap(&mut self.scope.tensors, &mut scope.tensors);
        swap(&mut self.scope.sizes_of, &mut scope.sizes_of);
        swap(&mut self.scope.imported, &mut scope.imported);
        swap(&mut self.scope.operands, &mut scope.operands);
        swap(&mut self.scope.submodules, &mut scope.submodules);
        swap(&mut self.scope.own, &mut scope.own);
    }

    /// Goes on in a graph inside of this one.
    fn enter(&mut self, mut scope: Scope) {
        self.exchange(&mut scope);
        self.scopes.push(scope);
    }

    /// Goes back to the graph outside, and gives the inner one.
    fn leave(&mut self) -> Scope {
        let mut outer = self.scopes.pop().unwrap_or_default();
        self.exchange(&mut outer);
        outer
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

    /// The node of a number here, which may be from outside.
    pub fn sym_node(&mut self, sym: &Sym) -> Result<NodeId, Error> {
        if sym.level == self.scopes.len() {
            return Ok(sym.node);
        }
        if sym.level > self.scopes.len() {
            return Err(refused("a number of a branch that data decides is read outside of it"));
        }
        if let Some(node) = self.scope.imported.get(&(sym.level, sym.node)) {
            return Ok(*node);
        }
        let asked = self.outside(|outer| {
            let node = outer.sym_node(sym)?;
            Ok((node, outer.scope.graph.get(node).and_then(|n| n.meta.val.clone())))
        });
        let Some(asked) = asked else { return Ok(sym.node) };
        let (outer, val) = asked?;
        let node = self.operand_node(outer, val)?;
        self.scope.imported.insert((sym.level, sym.node), node);
        Ok(node)
    }

    fn operand_node(&mut self, outer: NodeId, val: Option<Val>) -> Result<NodeId, Error> {
        let name = self.scope.graph.unique_name(&format!("arg{}_1", self.scope.operands.len()));
        let node = Node::new(Op::Placeholder, name.clone(), name).with_meta(Meta { val, ..Meta::default() });
        let first = self.scope.graph.nodes().find(|(_, n)| n.op != Op::Placeholder).map(|(id, _)| id);
        let node = match first {
            Some(first) => self.scope.graph.insert_before(first, node)?,
            None => self.push(node)?,
        };
        self.scope.operands.push((outer, node));
        Ok(node)
    }

    /// A container or object was made here.
    pub fn own(&mut self, value: &IValue) {
        if self.scopes.is_empty() {
            return;
        }
        let at = match value {
            IValue::Object(o) => Some(object_address(o)),
            other => address(other),
        };
        if let Some(at) = at {
            self.scope.own.insert(at, value.clone());
        }
    }

    /// A branch that data decides writes what it made alone.
    pub fn check_write(&self, value: &IValue) -> Result<(), Error> {
        if self.scopes.is_empty() {
            return Ok(());
        }
        let is_own = match value {
            IValue::Tensor(t) => {
                let id = t.storage().id();
                !self.scopes.iter().any(|s| s.tensors.values().any(|g| g.held.storage().id() == id))
            }
            IValue::Object(o) => self.scope.own.contains_key(&object_address(o)),
            other => address(other).is_none_or(|at| self.scope.own.contains_key(&at)),
        };
        if is_own {
            return Ok(());
        }
        Err(refused(format!(
            "a branch that the elements of tensors decide writes a {} from outside of it, which torch.ops.higher_order.cond does not allow",
            value.kind()
        )))
    }

    /// A branch whose condition is only known when the program runs.
    pub fn cond(
        &mut self,
        graph: &Graph,
        node: GraphNode,
        values: &mut Values,
        condition: &Value,
    ) -> Result<Vec<Value>, Error> {
        let (Some(sym), [yes, no]) = (&condition.sym, graph.blocks(node)) else {
            return Err(refused("a branch without two blocks"));
        };
        if self.scopes.len() >= MOST_SCOPES {
            return Err(refused(format!("branches that data decides are nested deeper than {MOST_SCOPES}")));
        }
        let taken = matches!(condition.it, IValue::Bool(true));
        let place = self.place.clone();
        let mut sides = Vec::new();
        for block in [*yes, *no] {
            sides.push(self.side(graph, block, values));
            self.place.clone_from(&place);
        }
        let raises = |side: &Result<(Scope, Vec<Value>), Error>| match side {
            Err(Error::Refused { operator: Some(operator), .. }) => operator == "prim::RaiseException",
            _ => false,
        };
        let raised: Vec<bool> = sides.iter().map(raises).collect();
        match raised[..] {
            [false, true] if taken => return self.asserted(graph, *yes, values, sym, true),
            [true, false] if !taken => return self.asserted(graph, *no, values, sym, false),
            _ => {}
        }
        let mut sides = sides.into_iter().collect::<Result<Vec<_>, Error>>()?;
        let (Some((mut no, no_values)), Some((mut yes, yes_values))) = (sides.pop(), sides.pop()) else {
            return Err(refused("a branch without two blocks"));
        };
        let mut plans = Vec::new();
        for (a, b) in yes_values.iter().zip(&no_values) {
            plans.push(self.plan(a, b)?);
        }
        for (side, values) in [(&mut yes, &yes_values), (&mut no, &no_values)] {
            self.finish(side, values, &plans)?;
        }
        let mut operands: Vec<NodeId> = yes.operands.iter().map(|(outer, _)| *outer).collect();
        for (outer, _) in &no.operands {
            if !operands.contains(outer) {
                operands.push(*outer);
            }
        }
        let vals = yes.graph.output().and_then(Argument::items).unwrap_or_default().iter();
        let vals: Vec<Val> = vals.filter_map(|a| yes.graph.get(a.node()?)?.meta.val.clone()).collect();
        if vals.is_empty() {
            return Ok(plans
                .into_iter()
                .filter_map(|p| if let Joined::Same(v) = p { Some(v) } else { None })
                .collect());
        }
        let number = self.scope.submodules.len() / 2;
        let mut args = vec![Argument::Node(self.truth(sym)?)];
        for (name, side) in [(format!("true_graph_{number}"), yes), (format!("false_graph_{number}"), no)] {
            let graph = with_operands(&side, &operands, &self.scope.graph)?;
            let module = GraphModule { class_name: name.clone(), graph, submodules: side.submodules };
            self.scope.submodules.insert(name.clone(), module);
            let node_name = self.scope.graph.unique_name(&name);
            args.push(Argument::Node(self.push(Node::new(Op::GetAttr, node_name, name))?));
        }
        args.push(Argument::Tuple(operands.into_iter().map(Argument::Node).collect()));
        let call = self.call_node("torch.ops.higher_order.cond", args, Vec::new(), Some(Val::Tuple(vals)))?;
        let (mut results, mut at) = (Vec::new(), 0);
        let chosen = if taken { yes_values } else { no_values };
        for (plan, value) in plans.into_iter().zip(chosen) {
            let t = match (&plan, &value.it) {
                (Joined::Same(same), _) => {
                    results.push(same.clone());
                    continue;
                }
                (Joined::Tensor, IValue::Tensor(t)) => t.copy()?,
                (Joined::Number(dtype), number) => scalar(number, *dtype)?,
                _ => return Err(refused("a result of a branch is no tensor")),
            };
            let sizes = match &value.it {
                IValue::Tensor(from) => self.result_sizes_of.remove(&key(from)).unwrap_or_default(),
                _ => Vec::new(),
            };
            let val = Some(Val::Tensor(self.tensor_val(&t, &sizes)?));
            let node =
                self.call_node("operator.getitem", vec![Argument::Node(call), Argument::Int(at)], Vec::new(), val)?;
            at += 1;
            self.give(&t, node, sizes);
            self.taint(&t);
            results.push(match plan {
                Joined::Number(_) => self.item(&t, value.it.clone())?,
                _ => IValue::Tensor(t).into(),
            });
        }
        Ok(results)
    }

    /// What says a truth value: the tensor that it was read from, where it was read from one of bools.
    fn truth(&mut self, sym: &Sym) -> Result<NodeId, Error> {
        let node = self.sym_node(sym)?;
        let read = self.scope.graph.get(node).filter(|n| n.target == "torch.ops.aten.item.default");
        let of = read.and_then(|n| n.args.first()?.node());
        Ok(of.unwrap_or(node))
    }

    fn side(&mut self, graph: &Graph, block: BlockId, values: &Values) -> Result<(Scope, Vec<Value>), Error> {
        let mut inner = values.clone();
        self.enter(Scope::default());
        let results = self.block(graph, block, &mut inner);
        let sizes = match &results {
            Ok(results) => results
                .iter()
                .filter_map(|v| if let IValue::Tensor(t) = &v.it { Some((key(t), self.sizes(t))) } else { None })
                .collect(),
            Err(_) => Vec::new(),
        };
        let scope = self.leave();
        self.result_sizes_of.extend(sizes);
        Ok((scope, results?))
    }

    /// One side raises: that it is not taken is asserted, and the other goes on here.
    fn asserted(
        &mut self,
        graph: &Graph,
        block: BlockId,
        values: &mut Values,
        sym: &Sym,
        holds: bool,
    ) -> Result<Vec<Value>, Error> {
        let place = self.place.as_ref().map(|p| p.origin().unwrap_or(p).to_string()).unwrap_or_default();
        let message = Argument::Str(format!("the program raises at {place}"));
        let mut condition = self.truth(sym)?;
        if let Some(val @ Some(Val::Tensor(_))) = self.scope.graph.get(condition).map(|n| n.meta.val.clone()) {
            if !holds {
                let args = vec![Argument::Node(condition)];
                condition = self.call_node("torch.ops.aten.logical_not.default", args, Vec::new(), val)?;
            }
            let args = vec![Argument::Node(condition), message];
            self.call_node("torch.ops.aten._assert_async.msg", args, Vec::new(), Some(Val::None))?;
            return self.block(graph, block, values);
        }
        if !holds {
            let args = vec![Argument::Node(condition)];
            let not = self.number_node("torch.sym_not", args, IValue::Bool(true), sym.dim, SymKind::Bool, true)?;
            condition = not.sym.map_or(condition, |s| s.node);
        }
        let args = vec![Argument::Node(condition), message];
        self.call_node("torch.ops.aten._assert_scalar.default", args, Vec::new(), Some(Val::None))?;
        self.block(graph, block, values)
    }

    /// What a result is that is one of two values.
    fn plan(&self, a: &Value, b: &Value) -> Result<Joined, Error> {
        let dtype = |v: &IValue| match v {
            IValue::Int(_) => Some(DType::I64),
            IValue::Double(_) => Some(DType::F64),
            IValue::Bool(_) => Some(DType::Bool),
            _ => None,
        };
        let plain = a.sym.is_none() && b.sym.is_none();
        match (&a.it, &b.it) {
            (IValue::Tensor(x), IValue::Tensor(y)) if x.is(y) => Ok(Joined::Same(a.clone())),
            (IValue::Tensor(x), IValue::Tensor(y)) => {
                let sizes = |t: &Tensor| self.result_sizes_of.get(&key(t)).cloned();
                if x.dtype() != y.dtype() || sizes(x) != sizes(y) {
                    return Err(refused(format!(
                        "a branch that the elements of tensors decide gives a tensor of {} and sizes {:?} on one side, and of {} and {:?} on the other",
                        x.dtype(),
                        x.sizes(),
                        y.dtype(),
                        y.sizes()
                    )));
                }
                Ok(Joined::Tensor)
            }
            (IValue::Uninitialized, _) | (IValue::None, IValue::None) => Ok(Joined::Same(b.clone())),
            (_, IValue::Uninitialized) => Ok(Joined::Same(a.clone())),
            (x, y) if plain && x.is(y) => Ok(Joined::Same(a.clone())),
            (IValue::Int(x), IValue::Int(y)) if plain && x == y => Ok(Joined::Same(a.clone())),
            (IValue::Bool(x), IValue::Bool(y)) if plain && x == y => Ok(Joined::Same(a.clone())),
            (IValue::Double(x), IValue::Double(y)) if plain && x.to_bits() == y.to_bits() => {
                Ok(Joined::Same(a.clone()))
            }
            (IValue::Str(x), IValue::Str(y)) if x.as_str() == y.as_str() => Ok(Joined::Same(a.clone())),
            (x, y) => match (dtype(x), dtype(y)) {
                (Some(a), Some(b)) if a == b => Ok(Joined::Number(a)),
                _ => Err(refused(format!(
                    "a branch that the elements of tensors decide gives a {} on one side and a {} on the other, which are no tensors",
                    x.kind(),
                    y.kind()
                ))),
            },
        }
    }

    /// Puts a side's output.
    fn finish(&mut self, side: &mut Scope, values: &[Value], plans: &[Joined]) -> Result<(), Error> {
        self.enter(std::mem::take(side));
        let outputs = self.side_outputs(values, plans);
        let pushed = outputs.and_then(|outputs| {
            let name = self.scope.graph.unique_name("output");
            self.push(Node::new(Op::Output, name, "output").with_args([Argument::Tuple(outputs)]))
        });
        let swept = pushed.and_then(|_| sweep(&mut self.scope.graph));
        *side = self.leave();
        swept
    }

    fn side_outputs(&mut self, values: &[Value], plans: &[Joined]) -> Result<Vec<Argument>, Error> {
        let mut outputs = Vec::new();
        for (value, plan) in values.iter().zip(plans) {
            match (plan, &value.it) {
                (Joined::Same(_), _) => {}
                (Joined::Tensor, IValue::Tensor(t)) => {
                    let node = self.tensor_node(t)?;
                    // A result is no operand, nor a part of one.
                    let val = self.scope.graph.get(node).and_then(|n| n.meta.val.clone());
                    let args = vec![Argument::Node(node)];
                    outputs.push(Argument::Node(self.call_node(
                        "torch.ops.aten.clone.default",
                        args,
                        Vec::new(),
                        val,
                    )?));
                }
                (Joined::Number(dtype), number) => {
                    let t = scalar(number, *dtype)?;
                    let val = Some(Val::Tensor(self.tensor_val(&t, &[])?));
                    let given = self.number_argument(value)?.unwrap_or(Argument::None);
                    let kwargs = vec![("dtype".to_owned(), Argument::DType(*dtype))];
                    let target = "torch.ops.aten.scalar_tensor.default";
                    outputs.push(Argument::Node(self.call_node(target, vec![given], kwargs, val)?));
                }
                _ => return Err(refused("a result of a branch is no tensor")),
            }
        }
        Ok(outputs)
    }
}

fn object_address(object: &Arc<Object>) -> usize {
    Arc::as_ptr(object) as usize
}

/// A number as a tensor.
fn scalar(number: &IValue, dtype: DType) -> Result<Tensor, Error> {
    let x = match number {
        IValue::Int(n) => return Ok(Tensor::scalar(*n)),
        IValue::Bool(b) => f64::from(u8::from(*b)),
        IValue::Double(x) => *x,
        _ => return Err(refused("a result of a branch is no number")),
    };
    Tensor::from_f64(&[x], &[], dtype).ok_or_else(|| refused("a result of a branch is no number"))
}

/// The side's graph with a placeholder for each operand, in their order.
fn with_operands(side: &Scope, operands: &[NodeId], outer: &FxGraph) -> Result<FxGraph, Error> {
    let mut graph = FxGraph::default();
    let mut new: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for (i, operand) in operands.iter().enumerate() {
        let name = format!("arg{i}_1");
        let val = outer.get(*operand).and_then(|n| n.meta.val.clone());
        let node = Node::new(Op::Placeholder, name.clone(), name).with_meta(Meta { val, ..Meta::default() });
        let node = graph.push(node)?;
        if let Some((_, inner)) = side.operands.iter().find(|(o, _)| o == operand) {
            new.insert(*inner, node);
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
