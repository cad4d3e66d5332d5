//! Every tensor of the run has one node that gives it, and what is known of it: sizes in symbols, and whether its elements depend on inputs.

use crate::error::{Error, refused};
use crate::run::{Capture, Sym, SymKind, Value};
use sconce_export_program::schema::RangeConstraint;
use sconce_export_program::{Constraint, StoredAs};
use sconce_fx::Graph as FxGraph;
use sconce_fx::symbolic::{Function, Symbol};
use sconce_fx::{Argument, Meta, Node, NodeId, Op, SymExpr, TensorMeta, Val};
use sconce_schema::Layout;
use sconce_schema::dim::Dim;
use sconce_tensor::{IValue, Tensor};
use std::sync::Arc;

/// A tensor that a node gives.
#[derive(Clone)]
pub(crate) struct Given {
    pub node: NodeId,
    pub sizes: Vec<Dim>,
    /// Held, so that no other has its address.
    pub held: Tensor,
}

/// The address of a tensor, which is its own as long as it is held.
pub(crate) fn key(t: &Tensor) -> usize {
    t.address()
}

/// How many nodes a program may become.
const MOST_NODES: usize = 1 << 20;

impl Capture<'_> {
    pub fn push(&mut self, node: Node) -> Result<NodeId, Error> {
        if self.scope.graph.len() >= MOST_NODES {
            return Err(refused(format!("it becomes more than {MOST_NODES} nodes")));
        }
        Ok(self.scope.graph.push(node)?)
    }

    /// A call with where it comes from.
    pub fn call_node(
        &mut self,
        target: &str,
        args: Vec<Argument>,
        kwargs: Vec<(String, Argument)>,
        val: Option<Val>,
    ) -> Result<NodeId, Error> {
        let base = target.strip_prefix("torch.ops.aten.").and_then(|t| t.split('.').next());
        let base = base.or(target.rsplit('.').next()).unwrap_or("node").trim_start_matches('_').to_owned();
        let base = if base.is_empty() { "node" } else { &base };
        // PyTorch's reader numbers a name that Python has (`max`), and then knows a call with several results by that: it has a number from the start.
        let is_several = matches!(val, Some(Val::Tuple(_) | Val::List(_)));
        let name = self.scope.graph.unique_name(&if is_several { format!("{base}_1") } else { base.to_owned() });
        let meta = Meta { val, stack_trace: self.stack_trace(), ..Meta::default() };
        self.push(Node::new(Op::CallFunction, name, target).with_args(args).with_kwargs(kwargs).with_meta(meta))
    }

    fn stack_trace(&self) -> Option<String> {
        let place = self.place.as_ref()?;
        let origin = place.origin().unwrap_or(place);
        let (line, _) = origin.line_column();
        let name = self.functions.last().map_or("forward", |f| f.rsplit('.').next().unwrap_or(f));
        let row = line.checked_sub(origin.source.first_line()).and_then(|row| usize::try_from(row).ok());
        let code = row.and_then(|row| origin.source.text().lines().nth(row)).unwrap_or_default().trim();
        Some(format!("  File \"{}\", line {line}, in {name}\n    {code}", origin.source.name()))
    }

    /// What is known of a tensor, as metadata has it.
    pub fn tensor_val(&self, t: &Tensor, sizes: &[Dim]) -> Result<TensorMeta, Error> {
        let expr = |d: &Dim| self.symbols.expr(*d).ok_or_else(|| refused("a size is not known"));
        let requires_grad = t.requires_grad() && self.parameters.contains(&key(t));
        Ok(TensorMeta {
            dtype: t.dtype(),
            sizes: sizes.iter().map(expr).collect::<Result<_, Error>>()?,
            strides: strides(t, sizes).iter().map(expr).collect::<Result<_, Error>>()?,
            storage_offset: t.storage_offset().into(),
            device: t.device().clone(),
            layout: Layout::Strided,
            requires_grad,
        })
    }

    /// From now on the node gives the tensor.
    pub fn give(&mut self, t: &Tensor, node: NodeId, sizes: Vec<Dim>) {
        self.scope.tensors.insert(key(t), Given { node, sizes, held: t.clone() });
    }

    /// The sizes of a tensor, in symbols where they may vary.
    pub fn sizes(&self, t: &Tensor) -> Vec<Dim> {
        let outer = || self.scopes.iter().rev().find_map(|s| s.tensors.get(&key(t)));
        match self.scope.tensors.get(&key(t)).or_else(outer) {
            Some(given) if given.sizes.len() == t.dim() => given.sizes.clone(),
            _ => t.sizes().iter().map(|n| Dim::Known(*n)).collect(),
        }
    }

    /// Do a tensor's elements depend on inputs, parameters or chance?
    pub fn is_data(&self, t: &Tensor) -> bool {
        self.data.contains_key(&t.storage().id())
    }

    pub fn taint(&mut self, t: &Tensor) {
        self.data.entry(t.storage().id()).or_insert_with(|| t.storage());
    }

    /// The node of a tensor; one that no node gives is a constant of the program.
    pub fn tensor_node(&mut self, t: &Tensor) -> Result<NodeId, Error> {
        if let Some(given) = self.scope.tensors.get(&key(t)) {
            return Ok(given.node);
        }
        if let Some(node) = self.taken_tensor(t)? {
            return Ok(node);
        }
        if t.is_quantized() || !t.is_plain() {
            return Err(refused("a quantized tensor is no value of an exported program"));
        }
        // The program may write to what it made: each run begins with the same.
        let held = t.copy()?;
        let name = format!("lifted_tensor_{}", self.lifted.len());
        let placeholder = format!("c_{name}");
        let sizes: Vec<Dim> = t.sizes().iter().map(|n| Dim::Known(*n)).collect();
        let val = Some(Val::Tensor(self.tensor_val(&held, &sizes)?));
        let input = Node::new(Op::Placeholder, placeholder.clone(), placeholder)
            .with_meta(Meta { val: val.clone(), ..Meta::default() });
        // Placeholders come first, and those of arguments last.
        let first = self.scope.graph.nodes().find(|(_, n)| n.op != Op::Placeholder).map(|(id, _)| id);
        let node = match self.first_user_input.or(first) {
            Some(first) => self.scope.graph.insert_before(first, input)?,
            None => self.push(input)?,
        };
        self.lifted.push((name, StoredAs::Constant, held, node));
        let node = if self.made.contains_key(&key(t)) {
            self.call_node("torch.ops.aten.clone.default", vec![Argument::Node(node)], Vec::new(), val)?
        } else {
            node
        };
        self.give(t, node, sizes);
        Ok(node)
    }

    /// A number that is a node.
    pub fn number_node(
        &mut self,
        target: &str,
        args: Vec<Argument>,
        result: IValue,
        dim: Dim,
        kind: SymKind,
        data: bool,
    ) -> Result<Value, Error> {
        // PyTorch's reader does not know `operator.ne`.
        if target == "operator.ne" {
            let mut either = Vec::new();
            for target in ["operator.lt", "operator.gt"] {
                let side = self.number_node(target, args.clone(), IValue::None, Dim::Unknown, kind, data)?;
                either.extend(side.sym.map(|s| Argument::Node(s.node)));
            }
            return self.number_node("operator.or_", either, result, Dim::Unknown, kind, data);
        }
        let expr = match dim {
            Dim::Unknown => None,
            dim => self.symbols.expr(dim),
        };
        let expr = match expr.or_else(|| self.computed(target, &args)) {
            Some(expr) => expr,
            None => self.fresh_symbol(kind),
        };
        let val = match kind {
            SymKind::Int => Val::SymInt(expr),
            SymKind::Float => Val::SymFloat(expr),
            SymKind::Bool if matches!(expr, SymExpr::Symbol(_)) => {
                Val::SymBool(SymExpr::Apply(Function::Equal, vec![expr, SymExpr::Int(1)]))
            }
            SymKind::Bool => Val::SymBool(expr),
        };
        let node = self.call_node(target, args, Vec::new(), Some(val))?;
        let from = Vec::new();
        Ok(Value {
            it: result,
            sym: Some(Sym { node, level: self.scopes.len(), dim, kind, data, from, quotient: None }),
        })
    }

    /// What a function of Python's gives of symbolic numbers, as PyTorch writes it.
    fn computed(&self, target: &str, args: &[Argument]) -> Option<SymExpr> {
        let each = args.iter().map(|argument| {
            Some(match argument {
                Argument::Int(n) => SymExpr::Int(*n),
                Argument::Float(x) => SymExpr::Float(*x),
                Argument::Bool(b) => SymExpr::Bool(*b),
                Argument::Node(id) => match self.scope.graph.get(*id)?.meta.val.clone()? {
                    Val::SymInt(e) | Val::SymFloat(e) | Val::SymBool(e) => e,
                    _ => return None,
                },
                _ => return None,
            })
        });
        let mut each: Vec<SymExpr> = each.collect::<Option<_>>()?;
        let is_float = each.iter().any(|e| matches!(e, SymExpr::Float(_)));
        let function = match target {
            "operator.eq" => Function::Equal,
            "operator.ne" => Function::Unequal,
            "operator.lt" => Function::Less,
            "operator.le" => Function::AtMost,
            "operator.gt" => Function::Greater,
            "operator.ge" => Function::AtLeast,
            "operator.add" => Function::Add,
            "operator.mul" => Function::Mul,
            "operator.sub" => {
                let right = each.pop()?;
                each.push(SymExpr::Apply(Function::Mul, vec![SymExpr::Int(-1), right]));
                Function::Add
            }
            "operator.truediv" if is_float => Function::Other("FloatTrueDiv".into()),
            "operator.truediv" => Function::Other("IntTrueDiv".into()),
            "operator.pow" if is_float => Function::Other("FloatPow".into()),
            "operator.or_" => Function::Or,
            "torch.sym_not" => Function::Not,
            "operator.and_" => Function::And,
            "torch.sym_float" => Function::Other("ToFloat".into()),
            "math.trunc" => Function::Other("TruncToInt".into()),
            _ => return None,
        };
        Some(SymExpr::Apply(function, each))
    }

    /// A symbol of a number whose value nothing here says.
    fn fresh_symbol(&mut self, kind: SymKind) -> SymExpr {
        let name = self.fresh_name(kind);
        let (assumption, range) = match kind {
            SymKind::Int => ("integer", Some((None, None))),
            SymKind::Bool => ("integer", Some((Some(0), Some(1)))),
            SymKind::Float => ("real", None),
        };
        // PyTorch wants the range of each integer to be said.
        if let Some((min_val, max_val)) = range {
            let range = RangeConstraint { min_val, max_val };
            self.ranges.push(Constraint { text: name.clone(), range });
        }
        SymExpr::Symbol(Arc::new(Symbol { name, assumptions: vec![(assumption.to_owned(), true)] }))
    }

    fn fresh_name(&mut self, kind: SymKind) -> String {
        self.unbacked += 1;
        format!("{}{}", if kind == SymKind::Float { "zuf" } else { "u" }, self.unbacked - 1)
    }

    /// A symbol for an integer that depends on data.
    pub fn unbacked(&mut self, hint: i64, bounds: sconce_schema::dim::Bounds) -> Result<Dim, Error> {
        let name = self.fresh_name(SymKind::Int);
        self.symbols.add(crate::symbols::Symbol { name, hint, bounds, source: None })
    }
}

/// Strides in symbols: dimensions keep the order in memory that they have, and are dense where they are.
fn strides(t: &Tensor, sizes: &[Dim]) -> Vec<Dim> {
    let mut order: Vec<usize> = (0..t.dim()).collect();
    let stride = |i: usize| t.strides().get(i).copied().unwrap_or(0);
    order.sort_unstable_by_key(|i| (stride(*i), t.sizes().get(*i).copied().unwrap_or(0), std::cmp::Reverse(*i)));
    let mut out: Vec<Dim> = t.strides().iter().map(|n| Dim::Known(*n)).collect();
    let (mut dense, mut symbolic) = (1_i64, Dim::Known(1));
    for i in order {
        let size = sizes.get(i).copied().unwrap_or(Dim::Unknown);
        if stride(i) == dense
            && let Some(slot) = out.get_mut(i)
        {
            *slot = symbolic;
            dense = dense.saturating_mul(t.sizes().get(i).copied().unwrap_or(1).max(1));
            symbolic = symbolic.times(if size == Dim::Known(0) { Dim::Known(1) } else { size });
        }
    }
    out
}

/// Takes out numbers that nothing uses in the end, such as a truth value that was read from the tensor that decides a branch.
pub(crate) fn sweep(graph: &mut FxGraph) -> Result<(), Error> {
    let is_number = |target: &str| {
        let aten = target.strip_prefix("torch.ops.aten.");
        aten.is_some_and(|name| name == "item.default" || name.starts_with("sym_"))
            || ["operator.", "torch.sym_", "math."].iter().any(|module| target.starts_with(module))
    };
    let numbers: Vec<NodeId> =
        graph.nodes().filter(|(_, n)| n.op == Op::CallFunction && is_number(&n.target)).map(|(id, _)| id).collect();
    for id in numbers.into_iter().rev() {
        let is_item_of_results =
            graph.get(id).is_some_and(|n| matches!(n.meta.val, Some(Val::Tensor(_) | Val::List(_))));
        if graph.num_users(id) == 0 && !is_item_of_results {
            graph.erase(id)?;
        }
    }
    Ok(())
}
