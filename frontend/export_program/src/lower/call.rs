//! A call of an operator is the one overload that its target names, with the schema's defaults; a call of a function of Python's is the operator of scalars that
//! computes the same.

use super::body::{Body, Lowering};
use crate::Error;
use sconce_fx::{Argument, Node, NodeId, OperatorName, Val};
use sconce_graph::graph::ValueId;
use sconce_graph::insert::Arg;
use sconce_schema::{Argument as Formal, DType, OpEntry, Type};
use sconce_tensor::{Bool, IValue, Tensor};

/// Functions of Python's that take scalars and that TorchScript has under the same name, `aten::add`, by their modules. Those of `math` are also `torch._sym_…`.
const SAME_NAME: &[(&str, &[&str])] = &[
    ("operator.", &["add", "sub", "mul", "floordiv", "pow", "neg", "lt", "le", "gt", "ge", "eq", "ne"]),
    (
        "math.",
        &[
            "floor", "ceil", "sqrt", "exp", "log", "log2", "log10", "pow", "sin", "cos", "tan", "asin", "acos", "atan",
            "sinh", "cosh", "tanh", "fabs",
        ],
    ),
    ("builtins.", &["round"]),
];

/// What `torch` calls the functions of `math` where they take sizes.
const SYMBOLIC: &str = "torch._sym_";

/// Other functions that take scalars, with the operators of TorchScript that compute the same.
const OTHER_NAME: &[(&str, &str)] = &[
    ("operator.truediv", "aten::div"),
    ("operator.mod", "aten::remainder"),
    ("operator.abs", "prim::abs"),
    ("operator.and_", "aten::__and__"),
    ("operator.or_", "aten::__or__"),
    ("operator.xor", "aten::__xor__"),
    ("operator.not_", "aten::__not__"),
    ("operator.lshift", "aten::__lshift__"),
    ("operator.rshift", "aten::__rshift__"),
    ("math.trunc", "aten::Int"),
    ("torch.sym_int", "aten::Int"),
    ("torch.sym_float", "aten::Float"),
    ("torch.sym_not", "aten::__not__"),
    ("torch.sym_sqrt", "aten::sqrt"),
    ("torch.sym_max", "prim::max"),
    ("torch.sym_min", "prim::min"),
    ("builtins.max", "prim::max"),
    ("builtins.min", "prim::min"),
    ("builtins.abs", "prim::abs"),
];

/// The operator of scalars that computes what a function of Python's computes.
fn scalar_operator(function: &str) -> Option<String> {
    if let Some((_, ours)) = OTHER_NAME.iter().find(|(name, _)| *name == function) {
        return Some((*ours).to_owned());
    }
    let of_math = function.strip_prefix(SYMBOLIC).map(|name| format!("math.{name}"));
    let function = of_math.as_deref().unwrap_or(function);
    let name = SAME_NAME.iter().find_map(|(module, names)| {
        let name = function.strip_prefix(module)?;
        names.contains(&name).then_some(name)
    })?;
    Some(format!("aten::{name}"))
}

/// The function of Python's that computes what an operator of scalars computes.
pub(crate) fn python_function(operator: &str) -> Option<String> {
    if let Some((function, _)) = OTHER_NAME.iter().find(|(_, ours)| *ours == operator) {
        return Some((*function).to_owned());
    }
    let name = operator.strip_prefix("aten::")?;
    let (module, _) = SAME_NAME.iter().find(|(_, names)| names.contains(&name))?;
    Some(format!("{module}{name}"))
}

/// Operators that the export asks of sizes, and those that TorchScript has for the same.
fn plain_name(name: &str) -> String {
    match name.strip_prefix("aten::sym_") {
        Some(rest) if !rest.starts_with("constrain") => {
            let plain = format!("aten::{rest}");
            if sconce_schema::lookup(&plain).is_some() { plain } else { name.to_owned() }
        }
        _ => name.to_owned(),
    }
}

/// Why an operator that the table lacks is refused, and what to do: of an extension's the program has no code.
fn unknown(operator: &OperatorName, target: &str) -> String {
    let name = operator.schema_name();
    if matches!(operator.namespace.as_str(), "aten" | "prim" | "higher_order") {
        return format!("the operator {name} is not known here");
    }
    format!(
        "the operator {name} is one of the extension `{}`, and the program has no code of it: export a program that does without, decompose it before saving (ep.run_decompositions({{{}: …}})), or load a library that has it (`--load-ops FILE`, `sconce.load_library`)",
        operator.namespace, target
    )
}

/// A number as a tensor that does not decide a dtype.
fn wrapped(number: &IValue) -> Option<Tensor> {
    let tensor = match number {
        IValue::Int(n) => Tensor::scalar(*n),
        IValue::Double(x) => Tensor::scalar(*x),
        IValue::Bool(b) => Tensor::scalar(Bool::new(*b)),
        _ => return None,
    };
    tensor.set_wrapped_number(true);
    Some(tensor)
}

/// Is a scalar of a call a bool?
fn bool_scalar(entry: &OpEntry, given: &[Arg], named: &[(&str, Arg)]) -> bool {
    let is_bool =
        |formal: &Formal, arg: &Arg| formal.ty == Type::Number && matches!(arg, Arg::Constant(IValue::Bool(_)));
    let formals = &entry.schema().arguments;
    formals.iter().zip(given).any(|(formal, arg)| is_bool(formal, arg))
        || named.iter().any(|(name, arg)| formals.iter().any(|f| *f.name == **name && is_bool(f, arg)))
}

/// May a call say in which dtype its result is, and does it not?
fn takes_dtype(entry: &OpEntry, given: &[Arg], named: &[(&str, Arg)]) -> bool {
    let at = entry.schema().arguments.iter().position(|a| &*a.name == "dtype");
    at.is_some_and(|at| at >= given.len()) && !named.iter().any(|(name, _)| *name == "dtype")
}

/// The dtype that is known of a node's result.
fn result_dtype(node: &Node) -> Option<DType> {
    if let Some(Val::Tensor(meta)) = &node.meta.val { Some(meta.dtype) } else { None }
}

impl Body<'_> {
    /// Puts a call.
    pub fn call(&mut self, id: NodeId, node: &Node) -> Result<Lowering, Error> {
        if let Some(operator) = node.operator() {
            if operator.namespace == "higher_order" {
                return self.higher_order(node, &operator.name);
            }
            let name = plain_name(&operator.schema_name());
            if let Some(plain) = name.strip_prefix("aten::_functional_") {
                return self.ordered(node, plain);
            }
            if name == "aten::_make_dep_token" {
                return Ok(Lowering::Constant(IValue::None));
            }
            let entry =
                sconce_schema::lookup(&name).ok_or_else(|| self.wrong(node, unknown(&operator, &node.target)))?;
            return self.operator(Some(id), node, entry, &node.args, &node.kwargs);
        }
        self.function(id, node)
    }

    /// Puts an assertion that is given a token last and gives it on, so that it comes behind others: the order of nodes orders it here.
    fn ordered(&mut self, node: &Node, plain: &str) -> Result<Lowering, Error> {
        let Some((_, args)) = node.args.split_last() else { return Err(self.wrong(node, "it has no arguments")) };
        let underscored = format!("aten::_{plain}");
        let name = if sconce_schema::lookup(&underscored).is_some() { underscored } else { format!("aten::{plain}") };
        let entry = sconce_schema::lookup(&name)
            .ok_or_else(|| self.wrong(node, format!("the operator {name} is not known here")))?;
        let positional = entry.schema().arguments.iter().take_while(|a| !a.kwarg_only).count().min(args.len());
        let (args, rest) = args.split_at(positional);
        let formals = entry.schema().arguments.iter().skip(positional);
        let named: Vec<(String, Argument)> = formals.map(|a| a.name.to_string()).zip(rest.iter().cloned()).collect();
        self.operator(None, node, entry, args, &named)?;
        Ok(Lowering::Constant(IValue::None))
    }

    /// Puts a call of an overload.
    pub fn operator(
        &mut self,
        id: Option<NodeId>,
        node: &Node,
        entry: &'static OpEntry,
        args: &[Argument],
        kwargs: &[(String, Argument)],
    ) -> Result<Lowering, Error> {
        let schema = entry.schema();
        let mut given = Vec::new();
        for (i, argument) in args.iter().enumerate() {
            given.push(self.argument(argument, schema.arguments.get(i).map(|a| &a.ty))?);
        }
        let mut named = Vec::new();
        for (name, argument) in kwargs {
            let formal = schema.arguments.iter().find(|a| *a.name == **name);
            named.push((name.as_str(), self.argument(argument, formal.map(|a| &a.ty))?));
        }
        self.cast(node, &mut given);
        let dtype = bool_scalar(entry, &given, &named).then(|| result_dtype(node)).flatten();
        if let Some(dtype) = dtype.filter(|_| takes_dtype(entry, &given, &named)) {
            named.push(("dtype", Arg::Constant(IValue::Int(dtype.number()))));
        } else if bool_scalar(entry, &given, &named)
            && let Some(put) = self.with_bool(entry, &given, &named)
        {
            return Ok(Lowering::Value(put));
        }
        let put = match self.graph.insert_overload(entry, &given, &named) {
            Ok(put) => put,
            Err(first) => match self.with_number(entry, given, &named) {
                Some(put) => put,
                None => return Err(self.wrong(node, first.to_string())),
            },
        };
        let outputs = self.graph.outputs(put).to_vec();
        Ok(match &outputs[..] {
            [] => Lowering::Constant(IValue::None),
            [one] => {
                let one = self.number(node, *one)?;
                self.unpacked(id, one)
            }
            several => Lowering::Several(several.iter().map(|v| Lowering::Value(*v)).collect()),
        })
    }

    /// A scalar as the number that the metadata says it is: `item` gives one of unknown kind.
    fn number(&mut self, node: &Node, value: ValueId) -> Result<ValueId, Error> {
        let kind = match node.meta.val {
            Some(Val::SymInt(_)) => "aten::Int",
            Some(Val::SymFloat(_)) => "aten::Float",
            Some(Val::SymBool(_)) => "aten::Bool",
            _ => return Ok(value),
        };
        match (self.graph.ty(value), kind) {
            (Type::Number, "aten::Bool") => {
                let number = self.scalar("aten::Int", &[value.into()])?;
                self.scalar(kind, &[number.into()])
            }
            (Type::Number, _) => self.scalar(kind, &[value.into()]),
            _ => Ok(value),
        }
    }

    /// Puts a call that has a bool where the schema has a scalar, which TorchScript makes an integer of: the overload that takes a tensor there keeps it a bool.
    fn with_bool(&mut self, entry: &'static OpEntry, given: &[Arg], named: &[(&str, Arg)]) -> Option<ValueId> {
        let formals = &entry.schema().arguments;
        let is_bool = |arg: &Arg| matches!(arg, Arg::Constant(IValue::Bool(_)));
        let other = sconce_schema::overloads(entry.base_name()).iter().find(|other| {
            let others = &other.schema().arguments;
            let fits = |((one, other), arg): ((&Formal, &Formal), &Arg)| {
                if one.ty == Type::Number && is_bool(arg) { other.ty.is_tensor() } else { one.ty == other.ty }
            };
            others.len() == formals.len() && formals.iter().zip(others).zip(given).all(fits)
        })?;
        let mut given = given.to_vec();
        for (formal, arg) in formals.iter().zip(&mut given) {
            if let (Type::Number, Arg::Constant(value @ IValue::Bool(_))) = (&formal.ty, &*arg) {
                *arg = Arg::Constant(IValue::Tensor(wrapped(value)?));
            }
        }
        let put = self.graph.insert_overload(other, &given, named).ok()?;
        self.graph.output(put)
    }

    /// Puts a call that has a number where the schema has a tensor: PyTorch makes a tensor of it, TorchScript has an overload for most. None if that is not what
    /// the overload refuses.
    fn with_number(
        &mut self,
        entry: &'static OpEntry,
        mut given: Vec<Arg>,
        named: &[(&str, Arg)],
    ) -> Option<sconce_graph::graph::NodeId> {
        let scalar = sconce_schema::overloads(entry.base_name()).iter().find(|other| {
            let formals = other.schema().arguments.iter().zip(&given);
            other.id != entry.id
                && formals.len() == given.len()
                && formals.into_iter().all(|(formal, arg)| match self.type_of(arg) {
                    Type::Tensor(_) => formal.ty.is_tensor(),
                    Type::Int | Type::Float | Type::Bool | Type::Complex => formal.ty == Type::Number,
                    _ => true,
                })
        });
        if let Some(put) = scalar.and_then(|other| self.graph.insert_overload(other, &given, named).ok()) {
            return Some(put);
        }
        for (formal, arg) in entry.schema().arguments.iter().zip(&mut given) {
            let is_number = matches!(self.type_of(arg), Type::Int | Type::Float | Type::Bool);
            if formal.ty.is_tensor() && is_number {
                *arg = match arg {
                    Arg::Constant(value) => Arg::Constant(IValue::Tensor(wrapped(value)?)),
                    Arg::Value(value) => {
                        Arg::Value(self.graph.insert("prim::NumToTensor", &[(*value).into()], &[]).ok()?)
                    }
                };
            }
        }
        self.graph.insert_overload(entry, &given, named).ok()
    }

    /// The type of an argument of a call.
    pub fn type_of(&self, arg: &Arg) -> Type {
        match arg {
            Arg::Value(value) => self.graph.ty(*value).clone(),
            Arg::Constant(value) => sconce_graph::value_type::of_value(value),
        }
    }

    /// A list whose members are known to be so many is taken apart at once.
    fn unpacked(&mut self, id: Option<NodeId>, value: ValueId) -> Lowering {
        let known = id.and_then(|id| self.module.graph[id].meta.val.as_ref());
        match (known, self.graph.ty(value)) {
            (Some(Val::List(members)), Type::List(element)) if !members.is_empty() => {
                let (count, ty) = (members.len(), Type::clone(element));
                let node = self.graph.node("prim::ListUnpack", &[value]);
                self.graph.insert_node(node);
                let members = (0..count).map(|_| Lowering::Value(self.graph.add_output(node, None, ty.clone())));
                Lowering::Several(members.collect())
            }
            _ => Lowering::Value(value),
        }
    }

    /// Puts a call of an operator of scalars.
    pub fn scalar(&mut self, kind: &str, args: &[Arg]) -> Result<ValueId, Error> {
        self.graph.insert(kind, args, &[]).map_err(|e| Error::Graph { graph: self.path.clone(), what: e.to_string() })
    }

    /// Writes a tensor's elements over those of another.
    pub fn write(&mut self, to: ValueId, from: ValueId) -> Result<(), Error> {
        self.scalar("aten::copy_", &[to.into(), from.into()]).map(drop)
    }

    /// Puts a call of a function that is no operator.
    fn function(&mut self, id: NodeId, node: &Node) -> Result<Lowering, Error> {
        let target = node.target.as_str();
        if !node.kwargs.is_empty() {
            return Err(self.wrong(node, "a function of Python's is called with keywords, which none here takes"));
        }
        match (target, &node.args[..]) {
            ("operator.getitem", [of, index]) => return self.getitem(id, node, of, index),
            ("operator.pos" | "operator.index", [one]) => return self.lowering(one),
            ("torch.sym_sum", [Argument::List(items) | Argument::Tuple(items)]) => {
                let mut sum: Option<Arg> = None;
                for item in items {
                    let term = self.argument(item, None)?;
                    sum = Some(match sum {
                        None => term,
                        Some(before) => self.scalar("aten::add", &[before, term])?.into(),
                    });
                }
                let sum = sum.unwrap_or(Arg::Constant(IValue::Int(0)));
                return Ok(Lowering::Value(self.operand(sum)));
            }
            ("torch.sym_ite", [condition, yes, no]) => {
                let condition = self.value(condition)?;
                let (yes, no) = (self.value(yes)?, self.value(no)?);
                return Ok(Lowering::Value(self.choose(condition, yes, no)));
            }
            ("torch._C._set_grad_enabled", [enabled]) => {
                let enabled = self.value(enabled)?;
                self.effect(node, "aten::set_grad_enabled", &[enabled.into()])?;
                return Ok(Lowering::Constant(IValue::None));
            }
            ("torch._functorch.predispatch.lazy_load_decompositions", _) => {
                return Ok(Lowering::Constant(IValue::None));
            }
            _ => {}
        }
        let Some(kind) = scalar_operator(target) else {
            return Err(self.wrong(node, "the function is not known here"));
        };
        let args = node.args.iter().map(|a| self.argument(a, None)).collect::<Result<Vec<Arg>, Error>>()?;
        // Python's power of two integers is one, TorchScript's a float.
        let is_int = matches!(node.meta.val, Some(Val::SymInt(_)));
        let exact = if is_int && kind == "aten::pow" { sconce_schema::lookup("aten::pow.int_to_int") } else { None };
        let put = match exact {
            Some(entry) => self.graph.insert_overload(entry, &args, &[]),
            None => self.graph.insert_call(&kind, &args, &[]),
        };
        let put = put.map_err(|e| self.wrong(node, e.to_string()))?;
        match self.graph.outputs(put).to_vec()[..] {
            [one] => self.number(node, one).map(Lowering::Value),
            _ => Err(self.wrong(node, "it does not give one value")),
        }
    }

    /// One of two values.
    fn choose(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let ty = self.graph.ty(yes).clone();
        let node = self.graph.node("prim::If", &[condition]);
        self.graph.insert_node(node);
        for value in [yes, no] {
            let block = self.graph.add_block(node);
            self.graph.set_block_outputs(block, &[value]);
        }
        self.graph.add_output(node, None, ty)
    }

    /// A member of what a call gave.
    fn getitem(&mut self, id: NodeId, node: &Node, of: &Argument, index: &Argument) -> Result<Lowering, Error> {
        let of = self.lowering(of)?;
        match (of, index) {
            (Lowering::Several(all), Argument::Int(i)) => {
                let at = usize::try_from(*i).ok().and_then(|i| all.get(i));
                at.cloned().ok_or_else(|| self.wrong(node, format!("there is no member {i} of {}", all.len())))
            }
            (Lowering::Value(value), _) => {
                let index = self.argument(index, Some(&Type::Int))?;
                let put = self.graph.insert("aten::__getitem__", &[value.into(), index], &[]);
                let value = put.map_err(|e| self.wrong(node, e.to_string()))?;
                Ok(self.unpacked(Some(id), value))
            }
            _ => Err(self.wrong(node, "what has no members is asked for one")),
        }
    }
}
