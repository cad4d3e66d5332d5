//! What two graphs give in one place is one value afterwards: the same whichever graph ran, or leaf by leaf tensors that both pass on.

use crate::emit::{Given, key};
use crate::error::{Error, refused};
use crate::run::{Capture, Sym, Value, address};
use crate::scopes::{Scope, put_back};
use sconce_fx::{Argument, NodeId, Op, Val};
use sconce_schema::DType;
use sconce_schema::dim::Dim;
use sconce_tensor::{Dict, IValue, Tensor, Tuple};

/// What a value is that one of two graphs gives.
#[derive(Clone)]
pub(crate) enum Joined {
    /// It is this one, and is passed on by none.
    Same(Value),
    /// A tensor like this one.
    Tensor(Tensor, Vec<Dim>),
    Number(DType),
    /// A container like this one, and what its members are. Lists and dicts from outside that it may be have other names there.
    Members(IValue, Vec<Joined>, Vec<IValue>),
}

impl Joined {
    /// How many tensors and numbers are passed on.
    pub fn leaves(&self) -> usize {
        match self {
            Joined::Same(_) => 0,
            Joined::Tensor(..) | Joined::Number(_) => 1,
            Joined::Members(_, members, _) => members.iter().map(Joined::leaves).sum(),
        }
    }
}

/// The dtype of a number as a tensor.
fn number_dtype(value: &IValue) -> Option<DType> {
    match value {
        IValue::Int(_) => Some(DType::I64),
        IValue::Double(_) => Some(DType::F64),
        IValue::Bool(_) => Some(DType::Bool),
        _ => None,
    }
}

/// A number as a tensor; nothing is 0.
pub(crate) fn scalar(number: &IValue, dtype: DType) -> Result<Tensor, Error> {
    let x = match number {
        IValue::Int(n) if dtype == DType::I64 => return Ok(Tensor::scalar(*n)),
        IValue::Int(n) => *n as f64,
        IValue::Bool(b) => f64::from(u8::from(*b)),
        IValue::Double(x) => *x,
        _ => 0.0,
    };
    Tensor::from_f64(&[x], &[], dtype).ok_or_else(|| refused("a number is no tensor"))
}

/// A number of a dtype; nothing is 0.
pub(crate) fn number_of(value: &IValue, dtype: DType) -> IValue {
    match (value, dtype) {
        (IValue::Uninitialized, DType::Bool) => IValue::Bool(false),
        (IValue::Uninitialized, DType::F64) => IValue::Double(0.0),
        (IValue::Uninitialized, _) => IValue::Int(0),
        (number, _) => number.clone(),
    }
}

/// A container of the same kind with other members.
pub(crate) fn rebuilt(like: &IValue, members: Vec<IValue>) -> IValue {
    match like {
        IValue::List(l) => IValue::list(l.element.clone(), members),
        IValue::Dict(d) => {
            let dict = Dict::new(d.key.clone(), d.value.clone());
            dict.write().extend(d.read().keys().cloned().zip(members));
            IValue::Dict(dict)
        }
        IValue::Tuple(t) => IValue::Tuple(Tuple::new(members, t.names.clone())),
        _ => IValue::tuple(members),
    }
}

/// Are these one value, so that no graph must say which?
fn same(a: &Value, b: &Value) -> bool {
    match (&a.sym, &b.sym) {
        (None, None) => {}
        (Some(x), Some(y)) => return x.node == y.node && x.level == y.level,
        _ => return false,
    }
    match (&a.it, &b.it) {
        (IValue::None, IValue::None) | (IValue::Uninitialized, IValue::Uninitialized) => true,
        (IValue::Int(x), IValue::Int(y)) => x == y,
        (IValue::Bool(x), IValue::Bool(y)) => x == y,
        (IValue::Double(x), IValue::Double(y)) => x.to_bits() == y.to_bits(),
        (IValue::Str(x), IValue::Str(y)) => x.as_str() == y.as_str(),
        (x, y) => x.is(y),
    }
}

impl Capture<'_> {
    /// Puts a container together from members and what is known of them.
    pub fn put_together(&mut self, like: &IValue, members: Vec<Value>) -> Value {
        let container = rebuilt(like, members.iter().map(|v| v.it.clone()).collect());
        self.own(&container);
        self.remember(&container, members.into_iter().map(|v| v.sym).collect());
        container.into()
    }

    fn sizes_in(&self, scope: &Scope, t: &Tensor) -> Vec<Dim> {
        match scope.tensors.get(&key(t)) {
            Some(given) if given.sizes.len() == t.dim() => given.sizes.clone(),
            _ => self.sizes(t),
        }
    }

    /// Is the value, or a member of it, one that a graph inside of this one computes?
    fn is_inner(&self, scope: &Scope, value: &Value) -> bool {
        let by_number = value.sym.as_ref().is_some_and(|s| s.level > self.scopes.len());
        by_number
            || match &value.it {
                IValue::Tensor(t) => scope.computes(t),
                IValue::Object(_) => false,
                _ => self.children(value).unwrap_or_default().iter().any(|c| self.is_inner(scope, c)),
            }
    }

    /// What two values are together, each of the graph that it comes from.
    pub fn joined(&self, a: (&Scope, &Value), b: (&Scope, &Value)) -> Result<Joined, Error> {
        let one = |scope: &Scope, v: &Value| {
            if self.is_inner(scope, v) { self.alone(scope, v) } else { Ok(Joined::Same(v.clone())) }
        };
        let differ = |what: &str, x: String, y: String| {
            let operator = [a.0.operator, b.0.operator].into_iter().find(|o| !o.is_empty()).unwrap_or("cond");
            refused(format!(
                "the elements of tensors decide whether it is {what} {x} or {y} here, which torch.ops.higher_order.{operator} does not give"
            ))
        };
        match (&a.1.it, &b.1.it) {
            (IValue::Uninitialized, _) => return one(b.0, b.1),
            (_, IValue::Uninitialized) => return one(a.0, a.1),
            _ => {}
        }
        if same(a.1, b.1) && !self.is_inner(a.0, a.1) {
            return Ok(Joined::Same(a.1.clone()));
        }
        match (&a.1.it, &b.1.it) {
            (IValue::Tensor(x), IValue::Tensor(y)) => {
                let sizes = self.sizes_in(a.0, x);
                let shown = |t: &Tensor| format!("of {} and sizes {:?}", t.dtype(), t.sizes());
                if x.dtype() != y.dtype() || sizes != self.sizes_in(b.0, y) {
                    return Err(differ("a tensor", shown(x), shown(y)));
                }
                Ok(Joined::Tensor(x.clone(), sizes))
            }
            (x, y) => match (number_dtype(x), number_dtype(y), self.children(a.1), self.children(b.1)) {
                (Some(x), Some(y), ..) if x == y => Ok(Joined::Number(x)),
                (_, _, Some(xs), Some(ys)) if x.kind() == y.kind() && same_keys(x, y) => {
                    if xs.len() != ys.len() {
                        let many = |n: usize| format!("with {n} members");
                        return Err(differ(&format!("a {}", x.kind()), many(xs.len()), many(ys.len())));
                    }
                    let has_others = |scope: &Scope, container: &IValue| match container {
                        IValue::List(_) | IValue::Dict(_) => {
                            address(container).is_some_and(|at| !scope.own.contains_key(&at))
                        }
                        _ => false,
                    };
                    let kept = [(a.0, x), (b.0, y)].into_iter().filter(|(scope, it)| has_others(scope, it));
                    let kept = kept.map(|(_, it)| it.clone()).collect();
                    let pairs = xs.iter().zip(&ys).map(|(x, y)| self.joined((a.0, x), (b.0, y)));
                    Ok(Joined::Members(x.clone(), pairs.collect::<Result<_, Error>>()?, kept))
                }
                _ => Err(differ("a", x.kind().to_owned(), format!("a {}", y.kind()))),
            },
        }
    }

    /// What a value is that only one of the graphs gives; nothing reads it where the other ran.
    fn alone(&self, scope: &Scope, value: &Value) -> Result<Joined, Error> {
        if let Some(dtype) = number_dtype(&value.it) {
            return Ok(Joined::Number(dtype));
        }
        if let IValue::Tensor(t) = &value.it {
            return Ok(Joined::Tensor(t.clone(), self.sizes_in(scope, t)));
        }
        let members = self.children(value).ok_or_else(|| {
            refused(format!(
                "the elements of tensors decide whether there is a {} here, which is no tensor",
                value.it.kind()
            ))
        })?;
        let members = members.iter().map(|m| self.alone(scope, m)).collect::<Result<_, Error>>()?;
        Ok(Joined::Members(value.it.clone(), members, Vec::new()))
    }

    /// What this graph passes on of a value. Results are no operands, nor parts of one: they are `copied`.
    pub fn passed_on(
        &mut self,
        value: &Value,
        joined: &Joined,
        copied: bool,
        out: &mut Vec<NodeId>,
    ) -> Result<(), Error> {
        match (joined, &value.it) {
            (Joined::Same(_), _) => {}
            (Joined::Tensor(..), IValue::Tensor(t)) => {
                let node = self.tensor_node(t)?;
                out.push(if copied { self.clone_of(node)? } else { node });
            }
            (Joined::Tensor(like, sizes), IValue::Uninitialized) => {
                let mut given = Vec::new();
                for dim in sizes {
                    given.push(self.dim_argument(*dim)?);
                }
                let args = vec![Argument::List(given), Argument::Int(0)];
                let kwargs = vec![("dtype".to_owned(), Argument::DType(like.dtype()))];
                let val = Some(Val::Tensor(self.tensor_val(like, sizes)?));
                out.push(self.call_node("torch.ops.aten.full.default", args, kwargs, val)?);
            }
            (Joined::Number(dtype), _) => out.push(self.number_tensor(value, *dtype)?),
            (Joined::Members(_, members, _), it) => {
                let of = match it {
                    IValue::Uninitialized => vec![value.clone(); members.len()],
                    _ => self.children(value).unwrap_or_default(),
                };
                for (member, joined) in of.iter().zip(members) {
                    self.passed_on(member, joined, copied, out)?;
                }
            }
            (_, other) => return Err(refused(format!("a {} is no result of a nested graph", other.kind()))),
        }
        Ok(())
    }

    pub fn clone_of(&mut self, node: NodeId) -> Result<NodeId, Error> {
        let val = self.scope.graph.get(node).and_then(|n| n.meta.val.clone());
        self.call_node("torch.ops.aten.clone.default", vec![Argument::Node(node)], Vec::new(), val)
    }

    /// A number as a tensor without dimensions: the one that it was read from, where it was.
    pub fn number_tensor(&mut self, value: &Value, dtype: DType) -> Result<NodeId, Error> {
        if let Some(sym) = &value.sym {
            let node = self.sym_node(sym)?;
            let read = self.scope.graph.get(node).filter(|n| n.target == "torch.ops.aten.item.default");
            let of = read.and_then(|n| n.args.first()?.node());
            let is_same = |t: &sconce_fx::TensorMeta| t.dtype == dtype && t.sizes.is_empty();
            let val = of.and_then(|of| self.scope.graph.get(of)?.meta.val.clone());
            if let (Some(of), Some(Val::Tensor(t))) = (of, val)
                && is_same(&t)
            {
                return self.clone_of(of);
            }
        }
        let t = scalar(&value.it, dtype)?;
        let val = Some(Val::Tensor(self.tensor_val(&t, &[])?));
        let given = self.number_argument(value)?.unwrap_or(Argument::Int(0));
        let kwargs = vec![("dtype".to_owned(), Argument::DType(dtype))];
        self.call_node("torch.ops.aten.scalar_tensor.default", vec![given], kwargs, val)
    }

    /// A size as an argument.
    fn dim_argument(&mut self, dim: Dim) -> Result<Argument, Error> {
        let size = self.computed_size(dim)?;
        Ok(self.number_argument(&size)?.unwrap_or(Argument::None))
    }

    /// The size of the first tensor that has it.
    pub fn size_somewhere(&mut self, dim: Dim) -> Result<Sym, Error> {
        let in_scope = |scope: &Scope| {
            let place = |g: &Given| g.sizes.iter().position(|d| *d == dim);
            let having = scope.tensors.values().filter_map(|g| Some((g.node, place(g)?, g.held.clone())));
            having.min_by_key(|(node, at, _)| (*node, *at)).map(|(_, at, t)| (at, t))
        };
        let found = self.scopes.iter().find_map(in_scope).or_else(|| in_scope(&self.scope));
        let (at, t) = found.ok_or_else(|| refused("no tensor has a size that must be computed"))?;
        let at = i64::try_from(at).map_err(|_| refused("a tensor of too many dimensions"))?;
        self.size_of(&t, at, dim)?.ok_or_else(|| refused("a size is not known"))
    }

    /// The value after the graphs: `given` are the tensors that were passed on, with what each is in this run. The nodes take the results of `call` in order from `at`.
    pub fn received(&mut self, joined: &Joined, ran: &Value, call: NodeId, at: &mut i64) -> Result<Value, Error> {
        let value = match (joined, &ran.it) {
            (Joined::Same(same), _) => return Ok(same.clone()),
            (Joined::Tensor(like, sizes), it) => {
                let t = if let IValue::Tensor(t) = it { t.copy()? } else { like.copy()? };
                self.give_result(&t, sizes.clone(), call, *at)?;
                IValue::Tensor(t).into()
            }
            (Joined::Number(dtype), number) => {
                let t = scalar(number, *dtype)?;
                self.give_result(&t, Vec::new(), call, *at)?;
                let number = number_of(number, *dtype);
                self.item(&t, number)?
            }
            (Joined::Members(like, members, kept), it) => {
                let of = match it {
                    IValue::Uninitialized => vec![ran.clone(); members.len()],
                    _ => self.children(ran).unwrap_or_default(),
                };
                let mut received = Vec::new();
                for (member, joined) in of.iter().zip(members) {
                    received.push(self.received(joined, member, call, at)?);
                }
                let whole = self.put_together(like, received);
                if !kept.is_empty() {
                    for container in kept.iter().chain([&whole.it]) {
                        self.frozen.extend(address(container).map(|at| (at, container.clone())));
                    }
                }
                return Ok(whole);
            }
        };
        *at += 1;
        Ok(value)
    }

    /// A tensor is the result of a call with this number.
    fn give_result(&mut self, t: &Tensor, sizes: Vec<Dim>, call: NodeId, at: i64) -> Result<NodeId, Error> {
        let val = Some(Val::Tensor(self.tensor_val(t, &sizes)?));
        let args = vec![Argument::Node(call), Argument::Int(at)];
        let node = self.call_node("operator.getitem", args, Vec::new(), val)?;
        self.own(&IValue::Tensor(t.clone()));
        self.give(t, node, sizes);
        self.taint(t);
        Ok(node)
    }

    /// A tensor of this graph becomes what a nested one wrote in its copy of it; `after` are the bytes that this run leaves, if it writes them.
    pub fn write_result(
        &mut self,
        tensor: &Tensor,
        after: Option<Tensor>,
        call: NodeId,
        at: &mut i64,
    ) -> Result<(), Error> {
        self.check_write(&IValue::Tensor(tensor.clone()))?;
        let sizes = self.sizes(tensor);
        let from = self.give_result(&tensor.copy()?, sizes, call, *at)?;
        *at += 1;
        if let Some(after) = &after {
            put_back(tensor, after)?;
        }
        let to = self.tensor_node(tensor)?;
        let val = self.scope.graph.get(to).and_then(|n| n.meta.val.clone());
        let args = vec![Argument::Node(to), Argument::Node(from)];
        self.call_node("torch.ops.aten.copy_.default", args, Vec::new(), val)?;
        self.taint(tensor);
        Ok(())
    }

    /// The node that a nested graph passes on for a tensor that it, or the other graph, writes.
    pub fn written_node(&mut self, tensor: &Tensor) -> Result<NodeId, Error> {
        let own = self.scope.written.iter().find(|w| w.tensor.is(tensor)).map(|w| w.node);
        match own {
            Some(node) => Ok(node),
            None => {
                let node = self.tensor_node(tensor)?;
                self.clone_of(node)
            }
        }
    }

    /// Does a graph say more than what it gives, so that it must run?
    pub fn has_effects(scope: &Scope) -> bool {
        let asserts = |target: &str| target.starts_with("torch.ops.aten._assert_");
        scope.graph.nodes().any(|(_, n)| n.op == Op::CallFunction && asserts(&n.target))
    }
}

fn same_keys(a: &IValue, b: &IValue) -> bool {
    match (a, b) {
        (IValue::Dict(a), IValue::Dict(b)) => a.read().keys().eq(b.read().keys()),
        _ => true,
    }
}
