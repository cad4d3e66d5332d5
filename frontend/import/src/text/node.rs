//! One node becomes the most telling operation that verifies: a constant, a structural operation, an operator of the table, else a name.
//!
//! What was chosen for a kind and types is kept, so that a graph is not verified node by node.

use super::{Error, attributes, constants, types};
use rustc_hash::FxHashMap;
use sconce_ir::TypeLike;
use sconce_ir::prelude::*;
use sconce_ir::{Attribute, Context, Location, OperationRef, Type as MlirType, Value, diagnostics, table};
use sconce_schema::{Type, overload};
use sconce_syntax::graph_text::{AttributeValue, read_type};

/// What every operation that may stand for a node has.
#[derive(Clone)]
pub struct Described<'c, 'a, 'n> {
    pub location: Location<'c>,
    pub values: Vec<Value<'c, 'a>>,
    pub results: Vec<MlirType<'c>>,
    pub inherent: Vec<(&'static str, Attribute<'c>)>,
    /// Attributes the operation has no place for.
    pub extra: Vec<(&'n str, &'n AttributeValue)>,
    /// The function that a `with` graph became.
    pub subgraph: Option<Attribute<'c>>,
}

impl<'c, 'a> Described<'c, 'a, '_> {
    /// Nothing but operands and results.
    pub fn new(location: Location<'c>, values: Vec<Value<'c, 'a>>, results: Vec<MlirType<'c>>) -> Self {
        Described { location, values, results, inherent: Vec::new(), extra: Vec::new(), subgraph: None }
    }

    fn state(self, context: &'c Context, name: &str) -> OpState<'c> {
        let mut state = OpState::new(name, self.location).operands(&self.values).results(&self.results);
        for (name, value) in self.inherent {
            state = state.attr(name, value);
        }
        if !self.extra.is_empty() {
            state = state.attr(attributes::ATTRIBUTES, attributes::to_mlir(context, &self.extra));
        }
        if let Some(subgraph) = self.subgraph {
            state = state.attr("torch.subgraph", subgraph);
        }
        state
    }

    /// As an operator that is only a name, with a region of one block for each list of arguments.
    ///
    /// # Errors
    /// When MLIR refuses.
    pub fn operator(
        mut self,
        at: &Builder<'c, 'a>,
        name: &str,
        regions: &[Vec<(MlirType<'c>, Location<'c>)>],
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        self.inherent = vec![("name", attr::string(at.context(), name))];
        self.named(at, "torch.operator", regions)
    }

    /// As this operation, whatever the verifier says.
    ///
    /// # Errors
    /// When MLIR refuses.
    pub fn named(
        self,
        at: &Builder<'c, 'a>,
        name: &str,
        regions: &[Vec<(MlirType<'c>, Location<'c>)>],
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let mut state = self.state(at.context(), name);
        for arguments in regions {
            state = state.block_region(arguments);
        }
        Ok(at.insert(state.create()?))
    }
}

/// What a node is built as.
#[derive(Clone)]
enum Choice {
    Structural(String),
    Table(String),
    /// `torch.operator` of this name.
    Operator(String),
}

/// Builds operations for nodes.
pub struct Nodes<'c> {
    context: &'c Context,
    types: FxHashMap<Type, MlirType<'c>>,
    choices: FxHashMap<(String, Vec<usize>), Choice>,
}

impl<'c> Nodes<'c> {
    /// In a context; operations may be built in several modules of it.
    pub fn new(context: &'c Context) -> Self {
        Nodes { context, types: FxHashMap::default(), choices: FxHashMap::default() }
    }

    /// The dialect's type, if it has one.
    pub fn mlir_type(&mut self, ty: &Type) -> Option<MlirType<'c>> {
        if let Some(known) = self.types.get(ty) {
            return Some(*known);
        }
        let (parsed, _) = diagnostics::collect(self.context, || types::to_mlir(self.context, ty));
        self.types.insert(ty.clone(), parsed?);
        parsed
    }

    /// A node without blocks; `operands` and `outputs` are the types that the text gives.
    ///
    /// # Errors
    /// When MLIR refuses.
    pub fn flat<'a>(
        &mut self,
        at: &Builder<'c, 'a>,
        kind: &str,
        described: Described<'c, 'a, '_>,
        operands: &[Type],
        outputs: &[Type],
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        if kind == "prim::Constant" && described.subgraph.is_none() {
            return self.constant(at, described, outputs);
        }
        let pointers = described.values.iter().map(|v| v.r#type()).chain(described.results.iter().copied());
        let key =
            (kind.to_owned(), pointers.map(|t| t.to_raw().ptr as usize).chain([described.values.len()]).collect());
        if described.subgraph.is_none()
            && let Some(choice) = self.choices.get(&key).cloned()
        {
            return match choice {
                Choice::Structural(name) => match structural(self.context, kind, &described) {
                    Some((_, special)) => special.named(at, &name, &[]),
                    None => self.choose(at, kind, described, operands, outputs).map(|(op, _)| op),
                },
                Choice::Table(name) => described.named(at, &name, &[]),
                Choice::Operator(name) => described.operator(at, &name, &[]),
            };
        }
        let keep = described.subgraph.is_none();
        let (op, choice) = self.choose(at, kind, described, operands, outputs)?;
        if keep {
            self.choices.insert(key, choice);
        }
        Ok(op)
    }

    fn choose<'a>(
        &self,
        at: &Builder<'c, 'a>,
        kind: &str,
        described: Described<'c, 'a, '_>,
        operands: &[Type],
        outputs: &[Type],
    ) -> Result<(OperationRef<'c, 'a>, Choice), Error>
    where
        'c: 'a,
    {
        // Older graphs call `Scalar` so; the reader keeps their word.
        let number = |ty: &Type| matches!(ty, Type::Var(name) if &**name == "number");
        let known: Vec<Type> = operands.iter().map(|ty| if number(ty) { Type::Number } else { ty.clone() }).collect();
        let entry = overload::of_node(kind, &known).ok();
        if described.subgraph.is_none() && !is_impossible_cast(kind, &known, outputs) {
            if let Some((name, special)) = structural(self.context, kind, &described)
                && let Some(op) = self.attempt(at, &name, special)?
            {
                return Ok((op, Choice::Structural(name)));
            }
            if let Some(entry) = entry {
                let name = entry.dialect_name();
                if let Some(op) = self.attempt(at, &name, described.clone())? {
                    return Ok((op, Choice::Table(name)));
                }
            }
        }
        let name = entry.map_or(kind, |e| e.name).replacen("::", ".", 1);
        Ok((described.operator(at, &name, &[])?, Choice::Operator(name)))
    }

    /// A constant of the dialect, or `torch.operator "prim.Constant"`.
    fn constant<'a>(
        &mut self,
        at: &Builder<'c, 'a>,
        described: Described<'c, 'a, '_>,
        outputs: &[Type],
    ) -> Result<OperationRef<'c, 'a>, Error>
    where
        'c: 'a,
    {
        let value = match described.extra.as_slice() {
            [] => Some(None),
            [("value", value)] => Some(Some(*value)),
            _ => None,
        };
        if let (Some(value), [output], []) = (value, outputs, described.values.as_slice()) {
            let (constant, _) = diagnostics::collect(self.context, || constants::to_mlir(self.context, output, value));
            if let Some(constant) = constant {
                let mut special = described.clone();
                special.extra.clear();
                special.inherent = constant.attributes;
                if constant.is_none
                    && let Some(none) = self.mlir_type(&Type::None)
                {
                    special.results = vec![none];
                }
                // Simple constants have the type of their value; literals are asked.
                if constant.op.starts_with("torch.constant.") {
                    return special.named(at, constant.op, &[]);
                }
                if let Some(op) = self.attempt(at, constant.op, special)? {
                    return Ok(op);
                }
            }
        }
        described.operator(at, "prim.Constant", &[])
    }

    /// Builds an operation and keeps it if it verifies.
    ///
    /// # Errors
    /// When MLIR refuses to build it.
    pub fn attempt<'a>(
        &self,
        at: &Builder<'c, 'a>,
        name: &str,
        described: Described<'c, 'a, '_>,
    ) -> Result<Option<OperationRef<'c, 'a>>, Error>
    where
        'c: 'a,
    {
        if !table::is_known(self.context, name) {
            return Ok(None);
        }
        let op = described.state(self.context, name).create()?;
        let (verified, _) = diagnostics::collect(self.context, || op.verify());
        Ok(verified.then(|| at.insert(op)))
    }

    /// A value as one of the type that it is passed on as; `None` if no cast says so.
    ///
    /// # Errors
    /// When MLIR refuses to build a cast.
    pub fn pass_on<'a>(
        &self,
        at: &Builder<'c, 'a>,
        value: Value<'c, 'a>,
        ty: MlirType<'c>,
    ) -> Result<Option<Value<'c, 'a>>, Error>
    where
        'c: 'a,
    {
        if value.r#type() == ty {
            return Ok(Some(value));
        }
        let described = Described::new(Location::unknown(self.context), vec![value], vec![ty]);
        for cast in ["torch.tensor_static_info_cast", "torch.derefine"] {
            if let Some(op) = self.attempt(at, cast, described.clone())? {
                return Ok(op.result_value(0));
            }
        }
        Ok(None)
    }

    /// `["Float(2, strides=[1])", !torch.tensor<[2],f32>]` for each type that says more than the dialect's, if any does.
    pub fn kept<'t>(&self, exact: impl IntoIterator<Item = &'t Type>, types: &[MlirType<'c>]) -> Option<Attribute<'c>> {
        let kept: Vec<Option<Attribute<'c>>> =
            exact.into_iter().zip(types).map(|(ty, mlir)| self.exact_type(ty, *mlir)).collect();
        if kept.iter().all(Option::is_none) {
            return None;
        }
        let empty = attr::array(self.context, &[]);
        Some(attr::array(self.context, &kept.into_iter().map(|k| k.unwrap_or(empty)).collect::<Vec<_>>()))
    }

    fn exact_type(&self, ty: &Type, mlir: MlirType<'c>) -> Option<Attribute<'c>> {
        // What was made from it says it, unless the type knows more of a tensor.
        let plain =
            matches!(ty, Type::Int | Type::Float | Type::Bool | Type::Str | Type::Class(_)) || *ty == Type::tensor();
        if plain && self.types.get(ty) == Some(&mlir) {
            return None;
        }
        let same = types::from_mlir(mlir).is_some_and(|back| back.to_string() == ty.to_string());
        let exact = || attr::array(self.context, &[attr::string(self.context, &ty.to_string()), attr::r#type(mlir)]);
        (!same).then(exact)
    }
}

/// The structural operation a node may be, and how it is described there.
fn structural<'c, 'a, 'n>(
    context: &'c Context,
    kind: &str,
    described: &Described<'c, 'a, 'n>,
) -> Option<(String, Described<'c, 'a, 'n>)> {
    let local = kind.strip_prefix("prim::")?;
    let name = format!("torch.prim.{local}");
    if !table::is_known(context, &name) {
        return None;
    }
    let mut special = described.clone();
    match local {
        "GetAttr" | "SetAttr" | "CallMethod" | "Load" | "Store" => {
            let at = special.extra.iter().position(|(name, _)| *name == "name")?;
            let AttributeValue::Str(text) = special.extra.remove(at).1 else { return None };
            if text.signed_octal {
                return None;
            }
            special.inherent.push(("name", attr::bytes(context, &text.bytes)));
        }
        // Keys and values alternate in the text; the operation has all keys first.
        "DictConstruct" => {
            let (keys, values) = (special.values.iter().step_by(2), special.values.iter().skip(1).step_by(2));
            special.values = keys.chain(values).copied().collect();
        }
        _ => {}
    }
    Some((name, special))
}

/// Is it a cast between types of which neither is a subtype of the other? Dead branches hold such; the dialect has no cast for them.
fn is_impossible_cast(kind: &str, operands: &[Type], outputs: &[Type]) -> bool {
    match (kind, operands, outputs) {
        ("prim::unchecked_cast", [from], [to]) => !from.is_subtype_of(to) && !to.is_subtype_of(from),
        _ => false,
    }
}

/// Does a node have the shape of the dialect's `If`? `outputs` are those of its blocks.
pub fn is_if(operands: &[Type], results: usize, blocks: &[(usize, usize)]) -> bool {
    matches!(operands, [Type::Bool])
        && blocks.len() == 2
        && blocks.iter().all(|(ins, outs)| *ins == 0 && *outs == results)
}

/// Does a node have the shape of the dialect's `Loop`? `first` is the type of its block's first input.
pub fn is_loop(operands: &[Type], results: usize, blocks: &[(usize, usize)], first: Option<&Type>) -> bool {
    let [(ins, outs)] = blocks else { return false };
    matches!(operands, [Type::Int, Type::Bool, ..])
        && operands.len() == results + 2
        && *outs == results + 1
        && *ins == results + 1
        && first == Some(&Type::Int)
}

/// The type that a loop carries a value as: MLIR has one where the text may know more in the block or after the loop.
pub fn carried(output: &Type, input: &Type) -> Type {
    if output.is_tensor() && input.is_tensor() && output != input {
        return Type::tensor();
    }
    if output.is_subtype_of(input) { input.clone() } else { output.clone() }
}

// -- back

/// Is it a cast that the importer put, and that graph text does not say?
pub fn is_silent(op: OperationRef<'_, '_>) -> bool {
    matches!(op.op_name(), "torch.derefine" | "torch.tensor_static_info_cast") && op.operand_values().len() == 1
}

/// The kind of the node that an operation of the dialect is, if it is one: `aten::add` of `torch.aten.add.Tensor`.
pub fn node_kind(op: OperationRef<'_, '_>) -> Option<String> {
    let name = op.op_name();
    kind(if name == "torch.operator" { op.str_attr("name")? } else { name.strip_prefix("torch.")? })
}

/// The type of a value: `kept` is what `torch.types` and the like say beside the dialect's, unless that has changed since.
pub fn value_type(mlir: MlirType<'_>, kept: Option<Attribute<'_>>) -> Option<Type> {
    kept.and_then(|k| kept_type(k, mlir)).or_else(|| types::from_mlir(mlir))
}

/// `aten::add` of `aten.add.Tensor`.
fn kind(dotted: &str) -> Option<String> {
    if dotted.starts_with('^') {
        return Some(dotted.to_owned());
    }
    let (namespace, rest) = dotted.split_once('.')?;
    let name = rest.split('.').next().unwrap_or(rest);
    let word = |text: &str| {
        text.starts_with(|c: char| !c.is_ascii_digit()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    (word(namespace) && word(name)).then(|| format!("{namespace}::{name}"))
}

/// The exact type that was kept beside `mlir`, unless that has changed since.
fn kept_type(kept: Attribute<'_>, mlir: MlirType<'_>) -> Option<Type> {
    let pair = attr::array_value(kept)?;
    let [text, beside] = pair.as_slice() else { return None };
    (attr::type_value(*beside)? == mlir).then_some(())?;
    read_type(attr::str_value(*text)?).ok()
}
