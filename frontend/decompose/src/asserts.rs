//! Nodes that compute with sizes stand once each, as near to the inputs as can be; what is asserted of numbers that depend on data follows these at once.

use crate::error::{Fault, Outcome};
use crate::tracer::{Tracer, sign};
use crate::value::{From, Num, Value};
use rustc_hash::FxHashMap;
use sconce_export_program::ExportedProgram;
use sconce_fx::symbolic::Function;
use sconce_fx::{Argument, Graph, Meta, Node, NodeId, Op, SymExpr, Val};
use sconce_schema::dim::{Dim, Form};
use sconce_syntax::script::parse_expression;
use sconce_syntax::script::tree::{CompareOp, Expr, ExprKind, Index, NumberKind, UnaryOp};

/// What PyTorch asks of inputs before it runs a program takes names: a node for each bound of a size, and for each guard.
pub(crate) fn check_inputs(
    tracer: &mut Tracer<'_>,
    program: &ExportedProgram,
    inputs: &[(NodeId, Value)],
) -> Outcome<()> {
    let bounds = |text: &str| program.constraints.iter().find(|c| c.text == text).map(|c| c.range);
    let mut seen: Vec<Dim> = Vec::new();
    for (_, value) in inputs {
        let Some(tensor) = value.tensor() else { continue };
        let sizes = tracer.tensor(tensor).meta.sizes.clone();
        for (at, dim) in sizes.into_iter().enumerate() {
            if dim.known().is_some() || seen.contains(&dim) {
                continue;
            }
            seen.push(dim);
            let text = tracer.symbols.expr(dim).map(|e| e.to_string());
            let Some(range) = text.as_deref().and_then(bounds) else { continue };
            let asked = [("operator.ge", range.min_val.filter(|n| *n > 2)), ("operator.le", range.max_val)];
            for (function, bound) in asked {
                if let Some(bound) = bound {
                    let size = tracer.number(&Num { dim, from: From::Size(tensor, at) })?;
                    let name = function.rsplit('.').next().unwrap_or(function);
                    tracer.push(name, function, (vec![size, Argument::Int(bound)], Vec::new()), None)?;
                }
            }
        }
    }
    let names: FxHashMap<String, Value> =
        inputs.iter().filter_map(|(id, value)| Some((tracer.graph.get(*id)?.name.clone(), value.clone()))).collect();
    for guard in &program.guards {
        if let Ok(expr) = parse_expression("a guard", guard) {
            // What is not understood takes no names.
            let _ = condition(tracer, &names, &expr);
        }
    }
    Ok(())
}

/// The name that an input of a path has: `a_0` of `L['a'][0]`.
fn path(expr: &Expr) -> Option<String> {
    let ExprKind::Subscript(of, index) = &expr.kind else { return None };
    let [Index::At(at)] = &index[..] else { return None };
    let key = match &at.kind {
        ExprKind::Str(text) => String::from_utf8_lossy(text).into_owned(),
        ExprKind::Number(n) => n.text.clone(),
        _ => return None,
    };
    match &of.kind {
        ExprKind::Var(name) if name.name == "L" => Some(key),
        _ => Some(format!("{}_{key}", path(of)?)),
    }
}

/// A number of a guard; sizes are asked for only when a node takes them.
fn number(tracer: &mut Tracer<'_>, names: &FxHashMap<String, Value>, expr: &Expr) -> Option<Value> {
    match &expr.kind {
        ExprKind::Number(n) if n.kind == NumberKind::Int => n.text.parse().ok().map(Value::int),
        ExprKind::Unary(UnaryOp::Neg, of) => Some(Value::int(number(tracer, names, of)?.known()?.checked_neg()?)),
        ExprKind::Binary(op, a, b) => {
            let op = crate::numbers::of_sizes(*op)?;
            let (a, b) = (number(tracer, names, a)?, number(tracer, names, b)?);
            crate::numbers::integer(tracer, op, &a, &b).ok()
        }
        // `L['x'].size()[0]`
        ExprKind::Subscript(of, index) => {
            let (ExprKind::Apply(size), [Index::At(at)]) = (&of.kind, &index[..]) else { return None };
            let (ExprKind::Select(input, _), ExprKind::Number(at)) = (&size.callee.kind, &at.kind) else { return None };
            let tensor = names.get(&path(input)?)?.tensor()?;
            let at: usize = at.text.parse().ok()?;
            let dim = tracer.tensor(tensor).meta.sizes.get(at).copied()?;
            Some(Value::Int(Num { dim, from: From::Size(tensor, at) }))
        }
        _ => None,
    }
}

fn condition(tracer: &mut Tracer<'_>, names: &FxHashMap<String, Value>, expr: &Expr) -> Option<()> {
    let ExprKind::Compare(left, rest) = &expr.kind else { return None };
    let [(op, right)] = &rest[..] else { return None };
    let function = match op {
        CompareOp::Eq => "eq",
        CompareOp::Ne => "ne",
        CompareOp::Lt => "lt",
        CompareOp::Le => "le",
        CompareOp::Gt => "gt",
        CompareOp::Ge => "ge",
        _ => return None,
    };
    let (left, right) = (number(tracer, names, left)?, number(tracer, names, right)?);
    let left = crate::arguments::argument(tracer, &left).ok()?;
    let right = crate::arguments::argument(tracer, &right).ok()?;
    tracer.push(function, &format!("operator.{function}"), (vec![left, right], Vec::new()), None).ok()?;
    Some(())
}

/// Is it a node of an integer that is computed of others, or a size?
fn computes_size(node: &Node) -> bool {
    let python = node.target.starts_with("operator.") || node.target.starts_with("torch.sym_") || is_accessor(node);
    node.op == Op::CallFunction && python && matches!(node.meta.val, Some(Val::SymInt(_)))
}

fn is_accessor(node: &Node) -> bool {
    node.target == "torch.ops.aten.sym_size.int" || node.target == "torch.ops.aten.sym_stride.int"
}

struct Placing<'p, 's> {
    tracer: &'p mut Tracer<'s>,
    graph: &'p mut Graph,
    /// The node of each size.
    known: FxHashMap<Dim, NodeId>,
    asserted: Vec<SymExpr>,
}

/// Puts nodes of sizes and assertions where PyTorch has them.
pub(crate) fn place(tracer: &mut Tracer<'_>, graph: &mut Graph, asserted: &[SymExpr]) -> Outcome<()> {
    let has_sizes =
        graph.nodes().any(|(_, node)| matches!(node.meta.val, Some(Val::SymInt(_)))) || !asserted.is_empty();
    let is_symbolic = |val: &Val| matches!(val, Val::Tensor(meta) if meta.sizes.iter().any(SymExpr::is_symbolic));
    if !has_sizes && !graph.nodes().any(|(_, node)| node.meta.val.as_ref().is_some_and(is_symbolic)) {
        return Ok(());
    }
    let asserted = asserted.to_vec();
    let mut placing = Placing { tracer, graph, known: FxHashMap::default(), asserted };
    placing.inputs()?;
    placing.nodes()
}

impl Placing<'_, '_> {
    fn insert(
        &mut self,
        before: NodeId,
        name: &str,
        target: &str,
        args: Vec<Argument>,
        val: Option<Val>,
    ) -> Outcome<NodeId> {
        let name = self.tracer.names.unique(name);
        let meta = Meta { val, ..Meta::default() };
        Ok(self
            .graph
            .insert_before(before, Node::new(Op::CallFunction, name, target).with_args(args).with_meta(meta))?)
    }

    /// A node for each symbol that is a size of an input.
    fn inputs(&mut self) -> Outcome<()> {
        let inputs: Vec<(NodeId, Option<Val>)> =
            self.graph.placeholders().map(|(id, n)| (id, n.meta.val.clone())).collect();
        let Some(first) = self.graph.nodes().find(|(_, node)| node.op != Op::Placeholder).map(|(id, _)| id) else {
            return Ok(());
        };
        for (id, val) in inputs {
            match val {
                Some(Val::Tensor(meta)) => self.sizes(id, &meta.sizes, first, false)?,
                Some(Val::SymInt(n)) => {
                    let dim = self.tracer.symbols.dim(&n);
                    self.known.entry(dim).or_insert(id);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Nodes for symbols that are sizes of a tensor and that nothing gives yet.
    fn sizes(&mut self, tensor: NodeId, sizes: &[SymExpr], before: NodeId, unbacked: bool) -> Outcome<()> {
        for (at, size) in (0..).zip(sizes) {
            let dim = self.tracer.symbols.dim(size);
            if !matches!(dim, Dim::Symbol(_))
                || self.known.contains_key(&dim)
                || self.tracer.symbols.is_unbacked(dim) != unbacked
            {
                continue;
            }
            let args = vec![Argument::Node(tensor), Argument::Int(at)];
            let val = Some(Val::SymInt(size.clone()));
            let node = self.insert(before, "sym_size_int", "torch.ops.aten.sym_size.int", args, val)?;
            self.known.insert(dim, node);
            if unbacked {
                self.assert_range(dim, before)?;
            }
        }
        Ok(())
    }

    fn nodes(&mut self) -> Outcome<()> {
        let order: Vec<NodeId> = self.graph.nodes().map(|(id, _)| id).collect();
        for (at, id) in order.iter().enumerate() {
            let Some(node) = self.graph.get(*id).cloned() else { continue };
            if node.op != Op::CallFunction {
                continue;
            }
            let Some(next) = order.get(at + 1).copied() else { break };
            match &node.meta.val {
                Some(Val::SymInt(n)) if computes_size(&node) => {
                    let dim = self.tracer.symbols.dim(n);
                    let known = match self.known.get(&dim) {
                        Some(known) => Some(*known),
                        None if is_accessor(&node) => Some(self.computed(dim, *id)?),
                        None => None,
                    };
                    match known {
                        Some(known) if known == *id => {}
                        Some(known) => {
                            self.graph.replace_uses(*id, &Argument::Node(known))?;
                            self.graph.erase(*id)?;
                        }
                        None => _ = self.known.insert(dim, *id),
                    }
                }
                Some(Val::SymInt(n)) => {
                    let dim = self.tracer.symbols.dim(n);
                    if self.known.insert(dim, *id).is_none() && self.tracer.symbols.is_unbacked(dim) {
                        self.assert_range(dim, next)?;
                    }
                }
                Some(Val::Tensor(meta)) if node.target != "operator.getitem" => {
                    self.sizes(*id, &meta.sizes.clone(), next, true)?
                }
                Some(Val::Tuple(members) | Val::List(members)) => self.members(*id, &members.clone(), next)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A member of a node's value whose sizes depend on data is taken anew.
    fn members(&mut self, id: NodeId, members: &[Val], next: NodeId) -> Outcome<()> {
        for (at, member) in (0_i64..).zip(members) {
            let Val::Tensor(meta) = member else { continue };
            let mut new = false;
            for size in &meta.sizes {
                let dim = self.tracer.symbols.dim(size);
                new |= matches!(dim, Dim::Symbol(_))
                    && self.tracer.symbols.is_unbacked(dim)
                    && !self.known.contains_key(&dim);
            }
            if !new {
                continue;
            }
            let args = vec![Argument::Node(id), Argument::Int(at)];
            let taken = self.insert(next, "getitem", "operator.getitem", args.clone(), Some(member.clone()))?;
            let old: Vec<NodeId> =
                self.graph.users(id).filter(|user| *user != taken && self.graph[*user].args == args).collect();
            for old in old {
                self.graph.replace_uses(old, &Argument::Node(taken))?;
            }
            self.sizes(taken, &meta.sizes, next, true)?;
        }
        Ok(())
    }

    /// The node of a size that is computed of known ones.
    fn computed(&mut self, dim: Dim, before: NodeId) -> Outcome<NodeId> {
        if let Some(node) = self.known.get(&dim) {
            return Ok(*node);
        }
        let Form::Op(op, a, b) = dim.form() else { return Err(Fault(format!("nothing gives the size {dim}"))) };
        let (a, b) = (self.operand(a, before)?, self.operand(b, before)?);
        let name = sign(op).rsplit('.').next().unwrap_or_default();
        let val = self.tracer.symbols.expr(dim).map(Val::SymInt);
        let node = self.insert(before, name, sign(op), vec![a, b], val)?;
        self.known.insert(dim, node);
        Ok(node)
    }

    fn operand(&mut self, dim: Dim, before: NodeId) -> Outcome<Argument> {
        Ok(match dim {
            Dim::Known(n) => Argument::Int(n),
            other => Argument::Node(self.computed(other, before)?),
        })
    }

    /// The range of a number that depends on data, and what else is asserted of such numbers as soon as all are known.
    fn assert_range(&mut self, dim: Dim, before: NodeId) -> Outcome<()> {
        let Some(symbol) = self.tracer.symbols.expr(dim) else { return Ok(()) };
        let Dim::Symbol(number) = dim else { return Ok(()) };
        let bounds = self.tracer.symbols.bounds(number);
        let range = [(Function::AtLeast, bounds.low, i64::MIN), (Function::AtMost, bounds.high, i64::MAX)];
        for (relation, bound, none) in range {
            if bound != none {
                let expr = SymExpr::Apply(relation, vec![symbol.clone(), SymExpr::Int(bound)]);
                self.asserted.retain(|other| other.to_string() != expr.to_string());
                self.assert(&expr, before)?;
            }
        }
        let ready: Vec<SymExpr> = self.asserted.iter().filter(|e| self.is_known(e)).cloned().collect();
        self.asserted.retain(|e| !ready.contains(e));
        ready.iter().try_for_each(|e| self.assert(e, before))
    }

    /// Are all numbers of an expression known that depend on data?
    fn is_known(&self, expr: &SymExpr) -> bool {
        let mut known = true;
        expr.symbols(&mut |symbol| known &= self.known.keys().any(|d| self.tracer.symbols.is_named(*d, &symbol.name)));
        known
    }

    fn assert(&mut self, expr: &SymExpr, before: NodeId) -> Outcome<()> {
        let SymExpr::Apply(function, args) = expr else { return Ok(()) };
        let name = match function {
            Function::Equal => "eq",
            Function::Unequal => "ne",
            Function::Less => "lt",
            Function::AtMost => "le",
            Function::Greater => "gt",
            Function::AtLeast => "ge",
            _ => return Ok(()),
        };
        let mut operands = Vec::with_capacity(args.len());
        for arg in args {
            let dim = self.tracer.symbols.dim(arg);
            operands.push(self.operand(dim, before)?);
        }
        let val = Some(Val::SymBool(expr.clone()));
        let compared = self.insert(before, name, &format!("operator.{name}"), operands, val)?;
        let message = format!("Runtime assertion failed for expression {expr} on node '{}'", self.graph[compared].name);
        let args = vec![Argument::Node(compared), Argument::Str(message)];
        self.insert(before, "_assert_scalar_default", "torch.ops.aten._assert_scalar.default", args, Some(Val::None))?;
        Ok(())
    }
}
