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

/// Operators that say of tensors what is known without their elements.
const METADATA: &[&str] = &[
    "aten::dim",
    "aten::ndimension",
    "aten::len",
    "aten::is_floating_point",
    "aten::is_complex",
    "aten::stride",
    "aten::is_contiguous",
    "aten::storage_offset",
    "aten::element_size",
    "aten::get_device",
    "aten::is_signed",
    "aten::is_conj",
    "aten::is_neg",
    "aten::is_leaf",
    "aten::requires_grad",
    "aten::is_same_size",
    "aten::result_type",
    "aten::can_cast",
    "aten::is_inference",
    "aten::__is__",
    "aten::__isnot__",
];

/// Operators that change what others do.
const MODES: &[&str] = &["aten::manual_seed", "aten::set_grad_enabled", "aten::seed"];

/// Operators of TorchScript alone that make tensors of numbers and containers.
const MAKERS: &[&str] = &["aten::tensor", "aten::as_tensor", "prim::NumToTensor"];

/// Operators that give a number that is in a tensor.
const ITEMS: &[&str] = &[
    "aten::item",
    "aten::Int",
    "aten::Float",
    "aten::Bool",
    "aten::IntImplicit",
    "aten::FloatImplicit",
    "aten::ScalarImplicit",
    "aten::is_nonzero",
    "aten::_local_scalar_dense",
];

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

/// A scalar as a rule sees it.
fn number_meta(dtype: DType) -> Meta {
    Meta::Tensor(RuleMeta { dtype: Some(dtype), sizes: Some(Default::default()), device: None, wrapped_number: true })
}

impl Capture<'_> {
    pub fn operator(&mut self, graph: &Graph, node: GraphNode, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        let entry = entry_of(graph, node).ok_or_else(|| refused("the operator is not known"))?;
        let formals = &entry.schema().arguments;
        let mut args = args;
        for formal in formals.iter().skip(args.len()) {
            let default = formal.default.as_ref().ok_or_else(|| refused(format!("`{}` is not given", formal.name)))?;
            args.push(default_value(default, formal).into());
        }
        let takes = formals.iter().zip(&args).any(|(f, a)| holds_tensors(&f.ty) && self.has_tensor(a));
        let gives = entry.schema().returns.iter().any(|r| holds_tensors(&r.ty));
        let base = entry.base_name();
        if MODES.contains(&base) {
            return Err(refused("it changes a mode, which no node of an exported program does"));
        }
        if MAKERS.contains(&base) {
            return self.made_tensor(entry, args);
        }
        if gives {
            return self.tensors(entry, args);
        }
        if takes {
            return self.told_of_tensors(entry, args);
        }
        self.values(entry, args)
    }

    fn has_tensor(&self, value: &Value) -> bool {
        match &value.it {
            IValue::Tensor(_) => true,
            IValue::List(l) => l.read().iter().any(|v| matches!(v, IValue::Tensor(_))),
            _ => false,
        }
    }

    fn kernel(&mut self, entry: &'static OpEntry, args: &[IValue]) -> Result<Vec<IValue>, Error> {
        let effect = entry.effect();
        let unless = effect.writes_unless_false.iter();
        let unless = unless.filter(|(flag, _)| !matches!(args.get(*flag), Some(IValue::Bool(false))));
        let written = effect.writes.iter().map(|w| w.argument).chain(unless.flat_map(|(_, all)| all.iter().copied()));
        for value in written.filter_map(|at| args.get(at)) {
            self.check_write(value)?;
        }
        let mut args = args.to_vec();
        let results = sconce_kernels::call(entry, &mut args).map_err(|e| refused(e.to_string()))?;
        results.iter().for_each(|result| self.own(result));
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

    /// A tensor of numbers: it is no node, and a constant of the program where one uses it.
    fn made_tensor(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        if let [first, ..] = &args[..]
            && let Some(sym) = first.sym.clone()
        {
            let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
            let results = self.kernel(entry, &plain)?;
            let Some(IValue::Tensor(t)) = results.first() else { return Err(refused("it gives no tensor")) };
            let val = Some(Val::Tensor(self.tensor_val(t, &[])?));
            let dtype = vec![("dtype".to_owned(), Argument::DType(t.dtype()))];
            let target = "torch.ops.aten.scalar_tensor.default";
            let number = Argument::Node(self.sym_node(&sym)?);
            let node = self.call_node(target, vec![number], dtype, val)?;
            self.give(t, node, Vec::new());
            self.taint(t);
            return Ok(results.into_iter().map(Value::from).collect());
        }
        if let [Value { it: IValue::Tensor(t), .. }, ..] = &args[..]
            && let Some(to) = sconce_schema::lookup("aten::to.dtype").filter(|_| entry.base_name() == "aten::as_tensor")
        {
            let dtype = args.get(1).map(|a| a.it.clone()).filter(|d| !d.is_none());
            let dtype = dtype.unwrap_or(IValue::Int(t.dtype().number()));
            let rest = [dtype, IValue::Bool(false), IValue::Bool(false), IValue::None];
            let all = args.first().cloned().into_iter().chain(rest.into_iter().map(Value::from));
            return self.tensors(to, all.collect());
        }
        let plain = args.iter().map(|a| self.settled(a)).collect::<Result<Vec<_>, Error>>()?;
        let results = self.kernel(entry, &plain)?;
        for result in &results {
            if let IValue::Tensor(t) = result {
                self.made.insert(crate::emit::key(t), t.clone());
            }
        }
        Ok(results.into_iter().map(Value::from).collect())
    }

    /// What is no tensor but told of one.
    fn told_of_tensors(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        let base = entry.base_name();
        if let ("aten::size" | "aten::numel" | "aten::len" | "prim::shape", Some(Value { it: IValue::Tensor(t), .. })) =
            (base, args.first())
        {
            return self.size(entry, t, &args);
        }
        let data = args.iter().any(|a| self.depends_on_data(a));
        if base.starts_with("prim::") || METADATA.contains(&base) || !data {
            if !data || base != "prim::tolist" {
                let plain = args.iter().map(|a| self.settled(a)).collect::<Result<Vec<_>, Error>>()?;
                return Ok(self.kernel(entry, &plain)?.into_iter().map(Value::from).collect());
            }
        }
        if entry.schema().returns.is_empty() && !entry.effect().writes.is_empty() {
            return self.tensors(entry, args);
        }
        let [Value { it: IValue::Tensor(t), .. }, ..] = &args[..] else {
            return Err(refused("its result depends on the elements of tensors"));
        };
        if !ITEMS.contains(&base) {
            return Err(refused("its result depends on the elements of a tensor, and is no tensor"));
        }
        let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
        let results = self.kernel(entry, &plain)?;
        let Some(result) = results.into_iter().next() else { return Err(refused("it gives nothing")) };
        self.item(t, result).map(|v| vec![v])
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

    fn depends_on_data(&self, value: &Value) -> bool {
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
                Ok(vec![self.number_node(target, args, result, dim, SymKind::Int, false)?])
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
    fn size_of(&mut self, t: &Tensor, at: i64, dim: Dim) -> Result<Option<Sym>, Error> {
        if dim.known().is_some() || dim == Dim::Unknown {
            return Ok(None);
        }
        let node = self.tensor_node(t)?;
        let hint = IValue::Int(self.symbols.hint(dim).unwrap_or(0));
        if let Some(known) = self.scope.sizes_of.get(&(node, at)) {
            return Ok(Some(Sym { node: *known, level: self.scopes.len(), dim, kind: SymKind::Int, data: false }));
        }
        let args = vec![Argument::Node(node), Argument::Int(at)];
        let value = self.number_node("torch.ops.aten.sym_size.int", args, hint, dim, SymKind::Int, false)?;
        if let Some(sym) = &value.sym {
            self.scope.sizes_of.insert((node, at), sym.node);
        }
        Ok(value.sym)
    }

    /// An operator that computes tensors, or writes them.
    pub fn tensors(&mut self, entry: &'static OpEntry, args: Vec<Value>) -> Result<Vec<Value>, Error> {
        let (entry, args) = self.as_pytorch_has_it(entry, args)?;
        let formals = &entry.schema().arguments;
        let mut given = Vec::new();
        for (formal, value) in formals.iter().zip(&args) {
            given.push(self.argument(formal, value)?);
        }
        let metas: Vec<Meta> = formals.iter().zip(&args).map(|(f, v)| self.meta(f, v)).collect();
        let symbolic = args.iter().any(|a| self.varies(a));
        let data = args.iter().any(|a| self.depends_on_data(a));
        let plain: Vec<IValue> = args.iter().map(|a| a.it.clone()).collect();
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
            let (val, sizes) = self.result(entry, result, inferred.get(i), symbolic, &args)?;
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
        entry: &OpEntry,
        result: &IValue,
        inferred: Option<&Meta>,
        symbolic: bool,
        args: &[Value],
    ) -> Result<(Val, Vec<Vec<Dim>>), Error> {
        Ok(match result {
            IValue::Tensor(t) => {
                let sizes = self.result_sizes(entry, t, inferred, symbolic, args)?;
                (Val::Tensor(self.tensor_val(t, &sizes)?), vec![sizes])
            }
            IValue::List(l) => {
                let (mut vals, mut all) = (Vec::new(), Vec::new());
                for (i, item) in l.to_vec().iter().enumerate() {
                    let inferred = if let Some(Meta::List(items)) = inferred { items.get(i) } else { None };
                    let (val, sizes) = self.result(entry, item, inferred, symbolic, args)?;
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
        entry: &OpEntry,
        t: &Tensor,
        inferred: Option<&Meta>,
        symbolic: bool,
        args: &[Value],
    ) -> Result<Vec<Dim>, Error> {
        let sizes: Vec<i64> = t.sizes().to_vec();
        let inferred = inferred.and_then(Meta::sizes).filter(|s| s.len() == sizes.len());
        let by_data = entry.has(Trait::DynamicOutputShape) && args.iter().any(|a| self.depends_on_data(a));
        let mut out = Vec::new();
        for (i, size) in sizes.iter().enumerate() {
            let dim = inferred.as_ref().and_then(|s| s.get(i)).copied().unwrap_or(Dim::Unknown);
            out.push(match dim {
                Dim::Unknown if by_data && self.is_counted(entry, i, args) => {
                    self.unbacked(*size, Bounds { low: 0, high: i64::MAX })?
                }
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

    /// Is this size of a result the number of elements that were found?
    fn is_counted(&self, entry: &OpEntry, dim: usize, args: &[Value]) -> bool {
        match entry.base_name() {
            "aten::nonzero" | "aten::masked_select" | "aten::bincount" => dim == 0,
            // Masks among indices make a dimension of what they count; which one is not said here.
            _ => {
                let _ = args;
                true
            }
        }
    }

    /// Takes a tensor's sizes as what they are in the example.
    fn fix(&mut self, value: &Value) -> Result<(), Error> {
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

    /// An argument as a rule sees it.
    fn meta(&self, formal: &Formal, value: &Value) -> Meta {
        if let Some(sym) = &value.sym {
            return match sym.kind {
                SymKind::Int if formal.ty.is_tensor() => number_meta(DType::I64),
                SymKind::Int => Meta::Int(sym.dim),
                _ => Meta::Unknown,
            };
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
            IValue::List(_) | IValue::Tuple(_) => {
                Meta::List(self.children(value).unwrap_or_default().iter().map(|c| self.meta(formal, c)).collect())
            }
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

    /// Overloads that TorchScript alone has, as those that PyTorch has, too.
    fn as_pytorch_has_it(
        &mut self,
        entry: &'static OpEntry,
        args: Vec<Value>,
    ) -> Result<(&'static OpEntry, Vec<Value>), Error> {
        let to = |name: &str| sconce_schema::lookup(name).ok_or_else(|| refused(format!("{name} is not known")));
        let first = args.first().cloned();
        let dtype_of = |v: &Value| if let IValue::Tensor(t) = &v.it { Some(t.dtype().number()) } else { None };
        match (entry.name, first) {
            ("aten::to.prim_device" | "aten::to.prim_dtype" | "aten::to.prim_other" | "aten::to.device", Some(of)) => {
                let by_name = |name: &str| {
                    let at = entry.schema().arguments.iter().position(|a| *a.name == *name);
                    at.and_then(|at| args.get(at)).map(|a| a.it.clone())
                };
                let dtype = by_name("dtype").filter(|d| !d.is_none());
                let dtype = dtype.or(dtype_of(&of).map(IValue::Int)).unwrap_or_default();
                let flag = |name| by_name(name).unwrap_or(IValue::Bool(false));
                let all = [dtype, flag("non_blocking"), flag("copy"), IValue::None].into_iter().map(Value::from);
                Ok((to("aten::to.dtype")?, std::iter::once(of).chain(all).collect()))
            }
            ("prim::data", Some(of)) => Ok((to("aten::detach")?, vec![of])),
            _ if entry.name.starts_with("prim::") => {
                Err(refused("PyTorch has no such operator outside of TorchScript"))
            }
            _ => Ok((entry, args)),
        }
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
