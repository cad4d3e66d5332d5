//! A call of an operator is run by its kernel and, where it computes tensors, put as a node whose value is what the shape rules say of it.

use crate::error::{Error, refused};
use crate::run::{Capture, Sym, SymKind, Value, address};
use sconce_fx::{Argument, NodeId, Val};
use sconce_graph::graph::{Graph, NodeId as GraphNode};
use sconce_kernels::engine::defaults::default_value;
use sconce_schema::dim::{Bounds, Dim, Guard, Relation, collect};
use sconce_schema::op::{Argument as Formal, Trait};
use sconce_schema::shape::{Meta, TensorMeta as RuleMeta, infer};
use sconce_schema::{DType, Layout, MemoryFormat, OpEntry, Type, overload};
use sconce_tensor::{IValue, Tensor};

/// The operator that a node is: the overload that its operands' types mean.
fn entry_of(graph: &Graph, node: GraphNode) -> Option<&'static OpEntry> {
    let kind = graph.kind(node);
    let types: Vec<Type> = graph.inputs(node).iter().map(|v| graph.ty(*v).clone()).collect();
    graph.overload(node).or_else(|| overload::of_node(kind, &types).ok()).or_else(|| sconce_schema::lookup(kind))
}

/// Does a type hold tensors, by itself or as a list?
fn holds_tensors(ty: &Type) -> bool {
    match ty {
        Type::List(inner) | Type::Optional(inner) => holds_tensors(inner),
        ty => ty.is_tensor(),
    }
}

fn called(name: &str, args: &[IValue]) -> Result<Vec<IValue>, Error> {
    let entry = sconce_schema::lookup(name).ok_or_else(|| refused(format!("{name} is not known")))?;
    let results = sconce_kernels::call(entry, &mut args.to_vec()).map_err(|e| refused(e.to_string()))?;
    Ok(results.into_vec())
}

/// Sets whether the run computes gradients.
pub(crate) fn set_grad_mode(enabled: &IValue) -> Result<(), Error> {
    called("aten::set_grad_enabled", std::slice::from_ref(enabled)).map(drop)
}

/// The tensors in a value.
fn memory_of(value: &IValue, out: &mut Vec<Tensor>) {
    match value {
        IValue::Tensor(t) => out.push(t.clone()),
        IValue::List(l) => l.read().iter().for_each(|v| memory_of(v, out)),
        IValue::Tuple(t) => t.items.iter().for_each(|v| memory_of(v, out)),
        _ => {}
    }
}

/// A scalar as a rule sees it.
fn number_meta(dtype: DType) -> Meta {
    Meta::Tensor(RuleMeta { dtype: Some(dtype), sizes: Some(Default::default()), device: None, wrapped_number: true })
}

impl Capture<'_> {
    pub fn operator(&mut self, graph: &Graph, node: GraphNode, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        let entry = entry_of(graph, node).ok_or_else(|| refused("the operator is not known"))?;
        self.apply(entry, args)
    }

    /// Calls an operator; arguments that are left out take their defaults.
    pub fn apply(&mut self, entry: &'static OpEntry, mut args: Vec<Value>) -> Result<Vec<Value>, Error> {
        let formals = &entry.schema().arguments;
        for formal in formals.iter().skip(args.len()) {
            let default = formal.default.as_ref().ok_or_else(|| refused(format!("`{}` is not given", formal.name)))?;
            args.push(default_value(default, formal).into());
        }
        if let [one] = &entry.schema().returns[..]
            && one.ty == Type::Str
            && args.iter().any(|a| self.is_symbolic(a) || self.depends_on_data(a))
        {
            return self.told(entry, args);
        }
        if entry.has(Trait::DataDependentOutput) && args.iter().any(|a| self.depends_on_data(a)) {
            return self.number_of_data(entry, args);
        }
        if entry.has(Trait::ScriptOnly) {
            return self.script_only(entry, args);
        }
        if entry.schema().returns.iter().any(|r| holds_tensors(&r.ty)) {
            return self.tensors(entry, args);
        }
        if formals.iter().zip(&args).any(|(f, a)| holds_tensors(&f.ty) && self.has_tensor(a)) {
            return self.told_of_tensors(entry, args);
        }
        if let ("aten::set_grad_enabled", [enabled]) = (entry.name, &args[..]) {
            let enabled = self.known(enabled)?;
            return self.set_grad_enabled(enabled).map(|()| Vec::new());
        }
        if entry.effect().other && entry.schema().returns.is_empty() {
            return Err(refused("it changes what others do, which no node of an exported program does"));
        }
        self.values(entry, args)
    }

    /// The mode is set in the run, which asks for it, and by a node.
    pub fn set_grad_enabled(&mut self, enabled: IValue) -> Result<(), Error> {
        if enabled.is(&self.grad_enabled()?) {
            return Ok(());
        }
        let IValue::Bool(on) = enabled else { return Err(refused("a mode that is no truth value")) };
        set_grad_mode(&enabled)?;
        let args = vec![Argument::Bool(on)];
        self.call_node("torch._C._set_grad_enabled", args, Vec::new(), Some(Val::None)).map(drop)
    }

    pub fn grad_enabled(&self) -> Result<IValue, Error> {
        let results = called("aten::is_grad_enabled", &[])?;
        results.into_iter().next().ok_or_else(|| refused("nobody knows whether gradients are computed"))
    }

    pub fn has_tensor(&self, value: &Value) -> bool {
        match &value.it {
            IValue::Tensor(_) => true,
            IValue::List(l) => l.read().iter().any(|v| matches!(v, IValue::Tensor(_))),
            _ => false,
        }
    }

    /// What an operator writes may be written.
    fn check_writes(&mut self, entry: &OpEntry, args: &[IValue]) -> Result<(), Error> {
        let effect = entry.effect();
        for write in &effect.writes {
            match args.get(write.argument) {
                Some(IValue::List(l)) if write.elements => l.to_vec().iter().try_for_each(|t| self.check_write(t))?,
                Some(value) => self.check_write(value)?,
                None => {}
            }
        }
        let unless = effect.writes_unless_false.iter();
        let unless = unless.filter(|(flag, _)| !matches!(args.get(*flag), Some(IValue::Bool(false))));
        unless.flat_map(|(_, all)| all).filter_map(|at| args.get(*at)).try_for_each(|value| self.check_write(value))
    }

    pub fn kernel(&mut self, entry: &'static OpEntry, args: &[IValue]) -> Result<Vec<IValue>, Error> {
        self.check_writes(entry, args)?;
        let mut before = Vec::new();
        args.iter().for_each(|a| memory_of(a, &mut before));
        let mut args = args.to_vec();
        let results = sconce_kernels::call(entry, &mut args).map_err(|e| refused(e.to_string()))?;
        let mut made = Vec::new();
        results.iter().for_each(|r| memory_of(r, &mut made));
        for t in made.iter().filter(|t| !before.iter().any(|b| b.shares_storage(t))) {
            self.own(&IValue::Tensor(t.clone()));
        }
        let effect = entry.effect();
        for (i, result) in results.iter().enumerate() {
            let was_there =
                effect.takes.iter().any(|t| t.result == i) || effect.may_return.iter().any(|r| r.result == i);
            if !was_there && !matches!(result, IValue::Tensor(_)) {
                self.own(result);
            }
        }
        Ok(results.into_vec())
    }

    /// An operator of numbers, strings and containers.
    fn values(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        if !args.iter().any(|a| self.is_symbolic(a)) {
            let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
            return Ok(self.kernel(entry, &plain)?.into_iter().map(Value::from).collect());
        }
        if let Some(result) = self.containers(entry, &args)? {
            return Ok(result);
        }
        if !args.iter().any(|a| address(&a.it).is_some()) {
            let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
            let results = self.kernel(entry, &plain)?;
            if let [result] = &results[..]
                && let Some(value) = self.numbers(entry, &args, result)?
            {
                return Ok(vec![value]);
            }
        }
        let plain = args.iter().map(|a| self.settled(a)).collect::<Result<Vec<_>, Error>>()?;
        Ok(self.kernel(entry, &plain)?.into_iter().map(Value::from).collect())
    }

    /// Operators of containers whose members may be symbolic.
    fn containers(&mut self, entry: &'static OpEntry, args: &[Value]) -> Result<Option<Vec<Value>>, Error> {
        let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
        let children: Vec<Option<Vec<Value>>> = args.iter().map(|a| self.children(a)).collect();
        Ok(Some(match (entry.base_name(), args, &children[..]) {
            ("aten::len", [_], [Some(items)]) => vec![IValue::Int(items.len() as i64).into()],
            ("aten::__getitem__", [list, at], [Some(items), None]) if !matches!(list.it, IValue::Dict(_)) => {
                let IValue::Int(at) = self.known(at)? else { return Ok(None) };
                let count = items.len() as i64;
                let at = usize::try_from(if at < 0 { at + count } else { at }).ok();
                let item = at.and_then(|at| items.get(at)).cloned();
                vec![item.ok_or_else(|| refused("list index out of range"))?]
            }
            ("aten::eq" | "aten::ne", [..], [Some(a), Some(b)]) => {
                let Some(equal) = self.equal_lists(a, b)? else { return Ok(None) };
                vec![IValue::Bool(equal == (entry.base_name() == "aten::eq")).into()]
            }
            ("aten::append", [list, item], _) => {
                let mut syms: Vec<_> = self.children(list).unwrap_or_default().into_iter().map(|c| c.sym).collect();
                syms.push(item.sym.clone());
                let results = self.kernel(entry, &plain)?;
                self.remember(&list.it, syms);
                results.into_iter().map(Value::from).collect()
            }
            ("aten::add", [_, _], [Some(a), Some(b)]) => {
                let syms = a.iter().chain(b).map(|c| c.sym.clone()).collect();
                let results = self.kernel(entry, &plain)?;
                results.iter().for_each(|r| self.remember(r, Vec::clone(&syms)));
                results.into_iter().map(Value::from).collect()
            }
            ("aten::slice", [_, rest @ ..], [Some(items), ..]) => {
                let mut known = vec![];
                for value in rest {
                    known.push(self.known(value)?);
                }
                // Where each member came from is told by slicing their numbers.
                let numbers = IValue::int_list(&(0..items.len() as i64).collect::<Vec<_>>());
                let by_number = sconce_schema::lookup("aten::slice.t").unwrap_or(entry);
                let all: Vec<IValue> = std::iter::once(numbers).chain(known.iter().cloned()).collect();
                let picked = self.kernel(by_number, &all)?;
                let first = plain.first().cloned().into_iter();
                let results = self.kernel(entry, &first.chain(known).collect::<Vec<_>>())?;
                if let (Some(Ok(picked)), Some(result)) = (picked.first().map(IValue::as_int_list), results.first()) {
                    let sym = |n: &i64| usize::try_from(*n).ok().and_then(|i| items.get(i)?.sym.clone());
                    self.remember(result, picked.iter().map(sym).collect());
                }
                results.into_iter().map(Value::from).collect()
            }
            ("aten::list", [_], [Some(items)]) => {
                let syms = items.iter().map(|c| c.sym.clone()).collect();
                let results = self.kernel(entry, &plain)?;
                results.iter().for_each(|r| self.remember(r, Vec::clone(&syms)));
                results.into_iter().map(Value::from).collect()
            }
            _ => return Ok(None),
        }))
    }

    /// What is no tensor but told of one.
    fn told_of_tensors(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        if let ("aten::size" | "aten::numel" | "aten::len" | "prim::shape", Some(Value { it: IValue::Tensor(t), .. })) =
            (entry.base_name(), args.first())
        {
            return self.size(entry, t, &args);
        }
        if entry.schema().returns.is_empty() && !entry.effect().writes.is_empty() {
            return self.tensors(entry, args);
        }
        let plain = args.iter().map(|a| self.settled(a)).collect::<Result<Vec<_>, Error>>()?;
        Ok(self.kernel(entry, &plain)?.into_iter().map(Value::from).collect())
    }

    /// What is no tensor, and depends on the elements of some.
    fn number_of_data(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        if let [Value { it: IValue::Tensor(a), .. }, Value { it: IValue::Tensor(b), .. }] = &args[..]
            && entry.name == "aten::equal"
        {
            return self.equal(a, b);
        }
        if let Some(result) = self.composite(entry, &args)? {
            return Ok(result);
        }
        let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
        let results = self.kernel(entry, &plain)?;
        match (&args[..], <[IValue; 1]>::try_from(results)) {
            (
                [Value { it: IValue::Tensor(t), .. }],
                Ok([result @ (IValue::Int(_) | IValue::Double(_) | IValue::Bool(_))]),
            ) => self.item(t, result).map(|v| vec![v]),
            _ => Err(refused("its result depends on the elements of tensors, and no node gives it")),
        }
    }

    /// A string that tells of what varies may be printed or raised, and decides nothing: it is no node, and asking for it is refused as for a number of data.
    fn told(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        let mut of = args.iter().find_map(|a| a.sym.clone());
        for value in &args {
            for part in self.children(value).unwrap_or_default().iter().chain([value]) {
                if let (IValue::Tensor(t), None) = (&part.it, &of) {
                    let (node, level) = (self.tensor_node(t)?, self.scopes.len());
                    let (dim, kind, from) = (Dim::Unknown, SymKind::Bool, Vec::new());
                    of = Some(Sym { node, level, dim, kind, data: true, from, quotient: None });
                }
                of = of.or_else(|| part.sym.clone());
            }
        }
        let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
        let results = self.kernel(entry, &plain)?;
        let sym = of.map(|sym| Sym { dim: Dim::Unknown, data: true, ..sym });
        Ok(results.into_iter().map(|it| Value { it, sym: sym.clone() }).collect())
    }

    /// Tensors are equal that have the same sizes, and all elements.
    fn equal(&mut self, a: &Tensor, b: &Tensor) -> Result<Vec<Value>, Error> {
        for (left, right) in self.sizes(a).into_iter().zip(self.sizes(b)) {
            let (x, y) = (self.symbols.hint(left), self.symbols.hint(right));
            let relation = if x == y { Relation::Equal } else { Relation::Differs };
            if a.dim() == b.dim() && left != right {
                self.assume(Guard { relation, left, right })?;
            }
        }
        if a.sizes() != b.sizes() {
            return Ok(vec![IValue::Bool(false).into()]);
        }
        let known = |name: &str| sconce_schema::lookup(name).ok_or_else(|| refused(format!("{name} is not known")));
        let args = [a, b].map(|t| Value::from(IValue::Tensor(t.clone())));
        let each = self.tensors(known("aten::eq.Tensor")?, args.to_vec())?;
        let all = self.tensors(known("aten::all")?, each)?;
        self.apply(known("aten::Bool.Tensor")?, all)
    }

    /// A number that is in a tensor.
    pub fn item(&mut self, t: &Tensor, result: IValue) -> Result<Value, Error> {
        let args = vec![Argument::Node(self.tensor_node(t)?)];
        let target = "torch.ops.aten.item.default";
        let own = match t.dtype() {
            DType::Bool => SymKind::Bool,
            d if d.is_float() => SymKind::Float,
            d if d.is_complex() => return Err(refused("a complex number that depends on data is no symbol")),
            _ => SymKind::Int,
        };
        let wanted = match &result {
            IValue::Bool(_) => SymKind::Bool,
            IValue::Int(_) => SymKind::Int,
            _ => SymKind::Float,
        };
        if wanted == SymKind::Bool
            && own != SymKind::Bool
            && let Some(differs) = sconce_schema::lookup("aten::ne.Scalar")
        {
            // A tensor of the truth value says it to branches, too.
            let args = vec![IValue::Tensor(t.clone()).into(), IValue::Int(0).into()];
            let truth = self.tensors(differs, args)?;
            if let Some(Value { it: IValue::Tensor(truth), .. }) = truth.first() {
                return self.item(truth, result);
            }
        }
        let hint = if let IValue::Int(n) = &result { *n } else { 0 };
        let dim = if own == SymKind::Int && wanted == SymKind::Int {
            self.unbacked(hint, Bounds::ANY)?
        } else {
            Dim::Unknown
        };
        let value = self.number_node(target, args, result.clone(), dim, own, true)?;
        if let (Dim::Symbol(s), Some(sym)) = (dim, &value.sym) {
            self.read.insert(s, sym.clone());
        }
        if own == wanted {
            return Ok(value);
        }
        let Some(sym) = value.sym else { return Ok(value) };
        let (target, rest) = match (own, wanted) {
            (_, SymKind::Bool) => ("operator.ne", vec![Argument::Int(0)]),
            (_, SymKind::Float) => ("torch.sym_float", Vec::new()),
            (_, SymKind::Int) => ("math.trunc", Vec::new()),
        };
        let args = std::iter::once(Argument::Node(sym.node)).chain(rest).collect();
        self.number_node(target, args, result, Dim::Unknown, wanted, true)
    }

    pub fn depends_on_data(&self, value: &Value) -> bool {
        match &value.it {
            IValue::Tensor(t) => self.is_data(t),
            IValue::List(l) => l.read().iter().any(|v| matches!(v, IValue::Tensor(t) if self.is_data(t))),
            _ => value.sym.as_ref().is_some_and(|s| s.data),
        }
    }

    /// Sizes, which may be symbols.
    fn size(&mut self, entry: &'static OpEntry, t: &Tensor, args: &[Value]) -> Result<Vec<Value>, Error> {
        let plain = args.iter().map(|a| self.known(a)).collect::<Result<Vec<_>, Error>>()?;
        let results = self.kernel(entry, &plain)?;
        let sizes = self.sizes(t);
        match (entry.base_name(), results.first(), plain.get(1)) {
            ("aten::numel", Some(result), _) => {
                if sizes.iter().all(|d| d.known().is_some()) {
                    return Ok(results.into_iter().map(Value::from).collect());
                }
                let dim = sizes.iter().fold(Dim::Known(1), |product, d| product.times(*d));
                let args = vec![Argument::Node(self.tensor_node(t)?)];
                let (target, result) = ("torch.ops.aten.sym_numel.default", result.clone());
                let data = self.symbols.is_data(dim);
                Ok(vec![self.number_node(target, args, result, dim, SymKind::Int, data)?])
            }
            (_, Some(list @ IValue::List(_)), _) => {
                let mut syms = Vec::new();
                for (i, dim) in sizes.iter().enumerate() {
                    syms.push(self.size_of(t, i as i64, *dim)?);
                }
                self.remember(list, syms);
                Ok(vec![list.clone().into()])
            }
            (name, Some(result), at) => {
                let at = match (name, at) {
                    ("aten::len", _) => 0,
                    (_, Some(IValue::Int(n))) => {
                        if *n < 0 {
                            *n + t.dim() as i64
                        } else {
                            *n
                        }
                    }
                    _ => return Ok(vec![result.clone().into()]),
                };
                let dim = usize::try_from(at).ok().and_then(|i| sizes.get(i)).copied().unwrap_or(Dim::Unknown);
                let sym = self.size_of(t, at, dim)?;
                Ok(vec![Value { it: result.clone(), sym }])
            }
            _ => Err(refused("it gives nothing")),
        }
    }

    /// The node of a size that may vary; the same for the same.
    pub fn size_of(&mut self, t: &Tensor, at: i64, dim: Dim) -> Result<Option<Sym>, Error> {
        if dim.known().is_some() || dim == Dim::Unknown {
            return Ok(None);
        }
        let node = self.tensor_node(t)?;
        let hint = IValue::Int(self.symbols.hint(dim).unwrap_or(0));
        let data = self.symbols.is_data(dim);
        if let Some(known) = self.scope.sizes_of.get(&(node, at)) {
            return Ok(Some(Sym {
                node: *known,
                level: self.scopes.len(),
                dim,
                kind: SymKind::Int,
                data,
                from: Vec::new(),
                quotient: None,
            }));
        }
        let args = vec![Argument::Node(node), Argument::Int(at)];
        let value = self.number_node("torch.ops.aten.sym_size.int", args, hint, dim, SymKind::Int, data)?;
        if let Some(sym) = &value.sym {
            self.scope.sizes_of.insert((node, at), sym.node);
        }
        Ok(value.sym)
    }

    /// An operator that computes tensors, or writes them.
    pub fn tensors(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        let formals = &entry.schema().arguments;
        let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
        self.check_writes(entry, &plain)?;
        let mut given = Vec::new();
        for (formal, value) in formals.iter().zip(&args) {
            given.push(self.argument(formal, value)?);
        }
        let pointwise = entry.scalar.is_some();
        let metas: Vec<Meta> = formals.iter().zip(&args).map(|(f, v)| self.meta(f, v, pointwise)).collect();
        let symbolic = args.iter().any(|a| self.varies(a));
        let by_elements = args.iter().any(|a| self.depends_on_data(a));
        let counted = if by_elements { self.unsaid(entry, &metas) } else { Vec::new() };
        let data = args.iter().any(|a| self.depends_on_data(a));
        let results = self.kernel(entry, &plain)?;
        let mut inferred = Vec::new();
        if symbolic {
            let (answer, guards) = collect(|| infer(entry, &metas));
            for guard in guards {
                self.assume(guard)?;
            }
            if let Some(Ok(answer)) = answer {
                inferred = answer.into_vec();
            }
            if entry.name == "aten::slice.Tensor" {
                self.sliced(&args, &mut inferred)?;
            }
        }
        let (positional, keywords) = spelled(formals, given, &args);
        let effect = entry.effect();
        let draws = effect.draws;
        for write in &effect.writes {
            match args.get(write.argument).map(|a| &a.it) {
                Some(IValue::Tensor(t)) if data || draws => self.taint(&t.clone()),
                Some(IValue::List(l)) if data || draws => {
                    for item in l.to_vec() {
                        if let IValue::Tensor(t) = item {
                            self.taint(&t);
                        }
                    }
                }
                _ => {}
            }
        }
        let mut vals = Vec::new();
        let mut all_sizes = Vec::new();
        for (i, result) in results.iter().enumerate() {
            let counted = counted.get(i).and_then(Option::as_ref);
            let (val, sizes) = self.result(result, inferred.get(i), counted, symbolic, &args)?;
            vals.push(val);
            all_sizes.push(sizes);
        }
        let val = match <[Val; 1]>::try_from(vals) {
            Ok([one]) => Some(one),
            Err(several) if several.is_empty() => None,
            Err(several) => Some(Val::Tuple(several)),
        };
        let target = target(entry);
        let node = self.call_node(&target, positional, keywords, val)?;
        let mut out = Vec::new();
        let several = results.len() > 1;
        for (i, (result, sizes)) in results.into_iter().zip(all_sizes).enumerate() {
            let node =
                if several { self.getitem(node, i, &result, sizes.first().map_or(&[], Vec::as_slice))? } else { node };
            match &result {
                IValue::Tensor(t) => {
                    if data || draws {
                        self.taint(t);
                    }
                    self.give(t, node, sizes.into_iter().next().unwrap_or_default());
                }
                IValue::List(l) => {
                    for (j, (item, sizes)) in l.to_vec().into_iter().zip(sizes).enumerate() {
                        let node = self.getitem(node, j, &item, &sizes)?;
                        if let IValue::Tensor(t) = &item {
                            if data || draws {
                                self.taint(t);
                            }
                            self.give(t, node, sizes);
                        }
                    }
                }
                _ => {}
            }
            out.push(result.into());
        }
        Ok(out)
    }

    fn getitem(&mut self, of: NodeId, index: usize, item: &IValue, sizes: &[Dim]) -> Result<NodeId, Error> {
        let val = match item {
            IValue::Tensor(t) => Some(Val::Tensor(self.tensor_val(t, sizes)?)),
            _ => None,
        };
        self.call_node("operator.getitem", vec![Argument::Node(of), Argument::Int(index as i64)], Vec::new(), val)
    }

    /// What is known of a result, and the sizes of its tensors.
    fn result(
        &mut self,
        result: &IValue,
        inferred: Option<&Meta>,
        counted: Option<&Meta>,
        symbolic: bool,
        args: &[Value],
    ) -> Result<(Val, Vec<Vec<Dim>>), Error> {
        Ok(match result {
            IValue::Tensor(t) => {
                let sizes = self.result_sizes(t, inferred, counted, symbolic, args)?;
                (Val::Tensor(self.tensor_val(t, &sizes)?), vec![sizes])
            }
            IValue::List(l) => {
                let (mut vals, mut all) = (Vec::new(), Vec::new());
                for (i, item) in l.to_vec().iter().enumerate() {
                    let member = |meta: Option<&Meta>| {
                        if let Some(Meta::List(items)) = meta { items.get(i).cloned() } else { None }
                    };
                    let (inferred, counted) = (member(inferred), member(counted));
                    let (val, sizes) = self.result(item, inferred.as_ref(), counted.as_ref(), symbolic, args)?;
                    vals.push(val);
                    all.push(sizes.into_iter().next().unwrap_or_default());
                }
                (Val::List(vals), all)
            }
            IValue::None => (Val::None, Vec::new()),
            IValue::Int(n) => (Val::SymInt((*n).into()), Vec::new()),
            IValue::Double(x) => (Val::SymFloat(sconce_fx::SymExpr::Float(*x)), Vec::new()),
            other => return Err(refused(format!("a result of kind {} beside tensors", other.kind()))),
        })
    }

    fn result_sizes(
        &mut self,
        t: &Tensor,
        inferred: Option<&Meta>,
        counted: Option<&Meta>,
        symbolic: bool,
        args: &[Value],
    ) -> Result<Vec<Dim>, Error> {
        let sizes: Vec<i64> = t.sizes().to_vec();
        let of = |meta: Option<&Meta>| meta.and_then(Meta::sizes).filter(|s| s.len() == sizes.len());
        let (inferred, counted) = (of(inferred), of(counted));
        let by_number = |v: &Value| v.sym.as_ref().is_some_and(|s| s.data);
        let by_numbers =
            args.iter().any(|a| by_number(a) || self.children(a).unwrap_or_default().iter().any(by_number));
        let is_counted = |i: usize| by_numbers || counted.as_ref().is_some_and(|s| s.get(i) == Some(&Dim::Unknown));
        let mut out = Vec::new();
        for (i, size) in sizes.iter().enumerate() {
            let dim = inferred.as_ref().and_then(|s| s.get(i)).copied().unwrap_or(Dim::Unknown);
            out.push(match dim {
                Dim::Unknown if is_counted(i) => self.unbacked(*size, Bounds { low: 0, high: i64::MAX })?,
                Dim::Unknown => {
                    if symbolic {
                        for value in args {
                            self.fix(value)?;
                        }
                    }
                    Dim::Known(*size)
                }
                dim if self.symbols.hint(dim) == Some(*size) => dim,
                dim => {
                    return Err(refused(format!(
                        "size {i} of its result is {size}, and {dim} by its rule: this is an error of Sconce"
                    )));
                }
            });
        }
        Ok(out)
    }

    /// What an operator's rule says where all sizes are the example's: a size that it does not say is one that elements decide.
    fn unsaid(&self, entry: &'static OpEntry, metas: &[Meta]) -> Vec<Option<Meta>> {
        fn settled(meta: &Meta, hint: &dyn Fn(Dim) -> Dim) -> Meta {
            match meta {
                Meta::Int(dim) => Meta::Int(hint(*dim)),
                Meta::Tensor(t) => {
                    let sizes = t.sizes.as_ref().map(|all| all.iter().map(|d| hint(*d)).collect());
                    Meta::Tensor(RuleMeta { sizes, ..t.clone() })
                }
                Meta::List(items) => Meta::List(items.iter().map(|m| settled(m, hint)).collect()),
                other => other.clone(),
            }
        }
        let hint = |dim: Dim| self.symbols.hint(dim).map_or(Dim::Unknown, Dim::Known);
        let metas: Vec<Meta> = metas.iter().map(|m| settled(m, &hint)).collect();
        match collect(|| infer(entry, &metas)).0 {
            Some(Ok(answer)) => answer.into_vec().into_iter().map(Some).collect(),
            _ => Vec::new(),
        }
    }

    /// Takes a tensor's sizes as what they are in the example.
    pub fn fix(&mut self, value: &Value) -> Result<(), Error> {
        let tensors: Vec<Tensor> = match &value.it {
            IValue::Tensor(t) => vec![t.clone()],
            IValue::List(l) => l.read().iter().filter_map(|v| v.as_tensor().ok().cloned()).collect(),
            _ => Vec::new(),
        };
        for t in tensors {
            for (dim, size) in self.sizes(&t).into_iter().zip(t.sizes().to_vec()) {
                if dim.known().is_none() {
                    self.assume(Guard { relation: Relation::Equal, left: dim, right: Dim::Known(size) })?;
                }
            }
        }
        self.settled(value).map(drop)
    }

    /// May a size that it has, or that it is, vary?
    fn varies(&self, value: &Value) -> bool {
        let of = |t: &Tensor| self.sizes(t).iter().any(|d| d.known().is_none());
        match &value.it {
            IValue::Tensor(t) => of(t),
            IValue::List(l) if l.read().iter().any(|v| matches!(v, IValue::Tensor(_))) => {
                l.read().iter().any(|v| matches!(v, IValue::Tensor(t) if of(t)))
            }
            _ => self.is_symbolic(value),
        }
    }

    /// An argument as a rule sees it. Of a pointwise operator no number decides a size, so that the example's will do.
    fn meta(&self, formal: &Formal, value: &Value, pointwise: bool) -> Meta {
        if let Some(sym) = &value.sym {
            match (sym.kind, &value.it) {
                (kind, _) if formal.ty.is_tensor() => return number_meta(kind.dtype()),
                (SymKind::Int, _) if !pointwise || sym.dim != Dim::Unknown => return Meta::Int(sym.dim),
                _ if !pointwise => return Meta::Unknown,
                _ => {}
            }
        }
        match &value.it {
            IValue::Tensor(t) => Meta::Tensor(RuleMeta {
                dtype: Some(t.dtype()),
                sizes: Some(self.sizes(t).into_iter().collect()),
                device: Some(t.device().clone()),
                wrapped_number: t.is_wrapped_number(),
            }),
            IValue::Int(_) if formal.ty.is_tensor() => number_meta(DType::I64),
            IValue::Double(_) if formal.ty.is_tensor() => number_meta(DType::F64),
            IValue::Int(n) => Meta::Int(Dim::Known(*n)),
            IValue::Double(x) => Meta::Float(*x),
            IValue::Bool(b) => Meta::Bool(*b),
            IValue::None => Meta::None,
            IValue::Str(s) => Meta::Str(s.as_str().into()),
            IValue::Device(d) => Meta::Device((**d).clone()),
            IValue::List(_) | IValue::Tuple(_) => Meta::List(
                self.children(value).unwrap_or_default().iter().map(|c| self.meta(formal, c, pointwise)).collect(),
            ),
            _ => Meta::Unknown,
        }
    }

    /// An argument of a node.
    fn argument(&mut self, formal: &Formal, value: &Value) -> Result<Argument, Error> {
        let ty = if let Type::Optional(inner) = &formal.ty { inner } else { &formal.ty };
        if value.sym.is_some() {
            return Ok(self.number_argument(value)?.unwrap_or(Argument::None));
        }
        Ok(match (&value.it, ty) {
            (IValue::Tensor(t), _) => Argument::Node(self.tensor_node(t)?),
            (IValue::None, _) => Argument::None,
            (IValue::Int(n), Type::ScalarType) => {
                let dtype = DType::from_number(*n).ok_or_else(|| refused(format!("{n} is no dtype")))?;
                Argument::DType(dtype)
            }
            (IValue::Int(n), Type::Layout) => {
                let layout = Layout::ALL.into_iter().find(|l| l.number() == *n);
                let layout = layout.ok_or_else(|| refused(format!("{n} is no layout")))?;
                Argument::Layout(layout)
            }
            (IValue::Int(n), Type::MemoryFormat) => {
                let format = MemoryFormat::ALL.into_iter().find(|f| f.number() == *n);
                Argument::MemoryFormat(format.ok_or_else(|| refused(format!("{n} is no memory format")))?)
            }
            (IValue::Int(n), Type::Float) => Argument::Float(*n as f64),
            (IValue::Int(n), _) => Argument::Int(*n),
            (IValue::Double(x), _) => Argument::Float(*x),
            (IValue::Bool(b), _) => Argument::Bool(*b),
            (IValue::Complex(c), _) => Argument::Complex(c.re, c.im),
            (IValue::Str(s), _) => Argument::Str(s.to_string()),
            (IValue::Device(d), _) => Argument::Device((**d).clone()),
            (IValue::List(_) | IValue::Tuple(_), _) => {
                let element = if let Type::List(element) = ty { Type::clone(element) } else { Type::Any };
                let formal = Formal { ty: element, ..formal.clone() };
                let items = self.children(value).unwrap_or_default();
                Argument::List(items.iter().map(|i| self.argument(&formal, i)).collect::<Result<_, Error>>()?)
            }
            (other, _) => {
                return Err(refused(format!("`{}` is {}, which no node can be given", formal.name, other.kind())));
            }
        })
    }
}

/// `torch.ops.aten.add.Tensor`
fn target(entry: &OpEntry) -> String {
    let (space, name) = entry.base_name().split_once("::").unwrap_or(("aten", entry.base_name()));
    let overload = if entry.overload_name().is_empty() { "default" } else { entry.overload_name() };
    format!("torch.ops.{space}.{name}.{overload}")
}

/// Arguments as a call spells them: those that have their default, and only such behind them, are left out.
fn spelled(formals: &[Formal], given: Vec<Argument>, values: &[Value]) -> (Vec<Argument>, Vec<(String, Argument)>) {
    let is_default = |formal: &Formal, value: &Value| {
        value.sym.is_none()
            && formal.default.as_ref().is_some_and(|d| {
                let default = default_value(d, formal);
                match (&default, &value.it) {
                    (IValue::Bool(a), IValue::Bool(b)) => a == b,
                    (IValue::Int(a), IValue::Int(b)) => a == b,
                    (IValue::Double(a), IValue::Double(b)) => a.to_bits() == b.to_bits(),
                    (IValue::None, IValue::None) => true,
                    (IValue::Str(a), IValue::Str(b)) => a.as_str() == b.as_str(),
                    _ => false,
                }
            })
    };
    let (mut positional, mut keywords) = (Vec::new(), Vec::new());
    let mut kept = 0;
    for ((formal, argument), value) in formals.iter().zip(given).zip(values) {
        let default = is_default(formal, value);
        if formal.kwarg_only {
            if !default {
                keywords.push((formal.name.to_string(), argument));
            }
            continue;
        }
        positional.push(argument);
        if !default {
            kept = positional.len();
        }
    }
    positional.truncate(kept);
    (positional, keywords)
}
