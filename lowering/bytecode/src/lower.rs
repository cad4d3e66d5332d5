//! From operations to instructions, in one walk; register liveness is left to [`crate::moves`].

use crate::numbers::Numbers;
use crate::sources::Texts;
use crate::types::general;
use crate::{Error, Unsupported, constants, moves};
use rustc_hash::{FxHashMap, FxHashSet};
use sconce_import::text::attributes;
use sconce_interpreter::Program;
use sconce_interpreter::program::{
    Function, FunctionId, Guard, Op, Operand, Parameter, Pc, Place, Region, RegionCode, Register, Source,
};
use sconce_ir::location;
use sconce_ir::prelude::*;
use sconce_ir::{BlockRef, Location, Module, OperationRef, Value};
use sconce_schema::Type;
use sconce_syntax::graph_text::AttributeValue;
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Nesting of blocks; programs are far from it.
const MAX_DEPTH: usize = 200;

/// What a target made of a region: code, and what the code takes for granted.
#[derive(Clone, Debug, Default)]
pub struct RegionArtifact {
    pub guards: Vec<Guard>,
    pub codes: Vec<RegionCode>,
}

/// Lowers every function of a module. `artifacts` are compiled regions by name; a region without one runs as bytecode.
///
/// # Errors
/// All operations that cannot be lowered, or the first thing that is wrong with the module.
pub fn lower(module: &Module<'_>, artifacts: &BTreeMap<String, RegionArtifact>) -> Result<Program, Error> {
    lower_with(module, artifacts, &[])
}

/// The same, with the texts that the module's locations are places in.
///
/// # Errors
/// As [`lower`].
pub fn lower_with(
    module: &Module<'_>,
    artifacts: &BTreeMap<String, RegionArtifact>,
    sources: &[Source],
) -> Result<Program, Error> {
    let mut lowering = Lowering {
        program: Program::default(),
        symbols: FxHashMap::default(),
        artifacts,
        numbers: Numbers::default(),
        callable: FxHashSet::default(),
        texts: Texts::new(sources),
        unsupported: Vec::new(),
    };
    let top: Vec<OperationRef<'_, '_>> = module.as_operation().body(0).map(|b| b.ops()).unwrap_or_default();
    // Declarations are what interfaces ask for; nothing runs them.
    let functions: Vec<(OperationRef<'_, '_>, BlockRef<'_, '_>)> =
        top.iter().filter(|op| op.is("func.func")).filter_map(|f| Some((*f, f.body(0)?))).collect();
    for (i, (f, _)) in functions.iter().enumerate() {
        let name = f.symbol_name().unwrap_or_default();
        lowering.symbols.insert(name.to_owned(), i as FunctionId);
        lowering.program.functions.push(Function { name: name.into(), ..Function::default() });
    }
    let entry = module.as_operation().attr("torch.entry").and_then(attr::symbol_value).unwrap_or_default();
    lowering.program.entry = entry.first().and_then(|name| lowering.symbols.get(name)).copied();
    lowering.classes(&top)?;
    for (i, (f, _)) in functions.iter().enumerate() {
        // The signature first: calls are checked against it.
        let signature = lowering.signature(*f)?;
        lowering.program.functions[i] = signature;
    }
    for (i, (_, body)) in functions.iter().enumerate() {
        let function = lowering.program.functions[i].clone();
        let lowered = lowering.function(function, *body)?;
        lowering.program.functions[i] = lowered;
    }
    if !lowering.unsupported.is_empty() {
        return Err(Error::Unsupported(lowering.unsupported));
    }
    lowering.program.verify()?;
    Ok(lowering.program)
}

pub(crate) struct Lowering<'r> {
    pub program: Program,
    /// Functions that have a body.
    pub symbols: FxHashMap<String, FunctionId>,
    artifacts: &'r BTreeMap<String, RegionArtifact>,
    pub numbers: Numbers,
    /// Names of methods that some class has, or asks for.
    pub callable: FxHashSet<Arc<str>>,
    texts: Texts<'r>,
    unsupported: Vec<Unsupported>,
}

/// The function that is being made.
struct Body {
    function: Function,
    /// Registers by value.
    registers: FxHashMap<usize, Register>,
    depth: usize,
}

impl Body {
    fn fresh(&mut self) -> Register {
        self.function.registers += 1;
        self.function.registers - 1
    }

    /// A register for a value, with the name the source gave it.
    fn define(&mut self, value: Value<'_, '_>, name: Option<&str>) -> Register {
        let register = self.fresh();
        self.registers.insert(value.id(), register);
        self.function.value_names.resize(self.function.registers as usize, None);
        self.function.value_names[register as usize] = name.map(Arc::from);
        register
    }

    fn alias(&mut self, value: Value<'_, '_>, register: Register) {
        self.registers.insert(value.id(), register);
    }
}

fn copies(registers: &[Register]) -> impl Iterator<Item = Operand> + '_ {
    registers.iter().map(|r| Operand::copy(*r))
}

/// `aten::add.Tensor` of `torch.aten.add.Tensor` and of `torch.operator "aten.add.Tensor"`; other operations keep their name.
pub(crate) fn kind(op: OperationRef<'_, '_>) -> String {
    if let Some(entry) = sconce_torch::entry(op) {
        return entry.name.to_owned();
    }
    let name = match op.op_name() {
        "torch.operator" => op.str_attr("name").unwrap_or_default(),
        name => match name.strip_prefix("torch.") {
            // Structure, and operators that the table does not know.
            Some(local) if ["aten.", "prim.", "prims."].iter().any(|n| local.starts_with(n)) => local,
            _ => return name.to_owned(),
        },
    };
    if name.contains("::") { name.to_owned() } else { name.replacen('.', "::", 1) }
}

/// Names of an operation's results, from its location.
fn result_names(op: OperationRef<'_, '_>) -> Vec<String> {
    let n = op.result_types().len();
    let names: Vec<String> = match location::name(op.location()) {
        Some((text, _)) => text.split(',').map(str::to_owned).collect(),
        None => Vec::new(),
    };
    if names.len() == n { names } else { Vec::new() }
}

pub(crate) fn argument_name(value: Value<'_, '_>) -> Option<String> {
    location::name(value.loc()).map(|(text, _)| text.to_owned())
}

fn place_text(location: Location<'_>) -> Option<String> {
    location::Place::of(location).map(|p| p.to_string())
}

/// The type of a value; `Any` for types of other dialects.
pub(crate) fn type_of(value: Value<'_, '_>) -> Type {
    sconce_torch::types::from_mlir(value.r#type()).unwrap_or(Type::Any)
}

fn constant_int(value: Value<'_, '_>) -> Option<i64> {
    let op = value.defining_op()?;
    op.is("torch.constant.int").then(|| op.int_attr("value")).flatten()
}

fn constant_bool(value: Value<'_, '_>) -> Option<bool> {
    let op = value.defining_op()?;
    op.is("torch.constant.bool").then(|| op.bool_attr("value")).flatten()
}

/// `aten::chunk` by constant numbers whose only use is a `prim::ListUnpack`: the unpacking operation, chunks and dimension.
fn constant_chunk<'c: 'a, 'a>(op: OperationRef<'c, 'a>) -> Option<(OperationRef<'c, 'a>, u32, i32)> {
    if kind(op) != "aten::chunk" {
        return None;
    }
    let [_, chunks, dim] = op.operand_values()[..] else { return None };
    let [only] = op.result_value(0)?.uses()[..] else { return None };
    if kind(only.owner) != "prim::ListUnpack" || only.owner.block_ref()? != op.block_ref()? {
        return None;
    }
    Some((only.owner, u32::try_from(constant_int(chunks)?).ok()?, i32::try_from(constant_int(dim)?).ok()?))
}

/// A loop that runs while its condition holds: as many trips as there are, uncounted.
fn is_while(op: OperationRef<'_, '_>) -> bool {
    let endless = op.operand_value(0).and_then(constant_int) == Some(i64::MAX);
    endless && op.body(0).is_some_and(|b| b.args().first().is_some_and(|i| i.is_unused()))
}

/// Whether a use of a constant disappears: the instruction carries the number, or has no need of it.
fn is_absorbed(owner: OperationRef<'_, '_>, operand: usize) -> bool {
    match kind(owner).as_str() {
        "aten::chunk" => operand > 0 && constant_chunk(owner).is_some(),
        "prim::Loop" => operand == 0 && is_while(owner),
        "prim::tolist" => operand > 0,
        _ => false,
    }
}

/// `v == v` and `v != v` of one number: what PyTorch's executor takes them for, of a NaN as well.
fn same_operands(op: OperationRef<'_, '_>) -> Option<bool> {
    let kind = kind(op);
    let equal = match kind.split('.').next()? {
        "aten::eq" => true,
        "aten::ne" => false,
        _ => return None,
    };
    let [a, b] = op.operand_values()[..] else { return None };
    let number = matches!(type_of(a), Type::Bool | Type::Int | Type::Float | Type::None);
    (number && a.id() == b.id()).then_some(equal)
}

/// Nothing reads the results, and nothing else comes of it.
fn is_dead(op: OperationRef<'_, '_>) -> bool {
    let results = op.result_values();
    if results.is_empty() || !op.region_refs().is_empty() {
        return false;
    }
    let constant = op.op_name().starts_with("torch.constant.") || kind(op) == "prim::Constant";
    if constant || op.is("torch.tensor.literal") {
        return results.iter().all(|r| r.uses().into_iter().all(|u| is_absorbed(u.owner, u.operand)));
    }
    results.iter().all(|r| r.is_unused()) && op.is_effect_free()
}

/// Whether an operation may write to a tensor that it did not make.
fn may_write(op: OperationRef<'_, '_>) -> bool {
    if op.is_effect_free() || op.op_name().starts_with("sconce.") || op.op_name().starts_with("torch.copy.") {
        return false;
    }
    if !op.region_refs().is_empty() {
        return true;
    }
    let kind = kind(op);
    match sconce_schema::lookup(&kind) {
        Some(entry) => {
            let effect = entry.effect();
            !effect.writes.is_empty() || effect.writes_unless_false.is_some() || effect.other
        }
        None => !matches!(
            kind.as_str(),
            "prim::ListConstruct"
                | "prim::TupleConstruct"
                | "prim::DictConstruct"
                | "prim::ListUnpack"
                | "prim::GetAttr"
        ),
    }
}

/// The snapshot that `copy.to_vtensor` takes may be the tensor itself: nothing writes between it and its last use.
fn snapshot_is_free(op: OperationRef<'_, '_>) -> bool {
    let (Some(block), Some(result)) = (op.block_ref(), op.result_value(0)) else { return false };
    let mut left = result.uses().len();
    let mut seen = false;
    for other in block.ops() {
        if !seen {
            seen = other == op;
            continue;
        }
        if left == 0 {
            return true;
        }
        // The use itself comes before what the user writes.
        left = left.saturating_sub(other.operand_values().iter().filter(|v| v.id() == result.id()).count());
        if left > 0 && may_write(other) {
            return false;
        }
        if left == 0 {
            return true;
        }
    }
    left == 0
}

/// Whether a value may share storage with another that existed before: a parameter, or a view of something.
fn may_alias(value: Value<'_, '_>) -> bool {
    let Some(op) = value.defining_op() else { return true };
    if op.op_name().starts_with("sconce.") || op.is("torch.vtensor.literal") {
        return !op.op_name().starts_with("sconce.");
    }
    match sconce_schema::lookup(&kind(op)) {
        Some(entry) => {
            let effect = entry.effect();
            !effect.writes.is_empty() || (0..entry.schema().returns.len()).any(|result| effect.may_share(result))
        }
        None => true,
    }
}

impl Lowering<'_> {
    pub fn refuse(&mut self, op: String, location: Location<'_>) {
        let place = place_text(location);
        if !self.unsupported.iter().any(|u| u.op == op) {
            self.unsupported.push(Unsupported { op, place });
        }
    }

    pub fn malformed(&self, location: Location<'_>, message: impl Into<String>) -> Error {
        let place = place_text(location).map_or_else(String::new, |p| format!("{p}: "));
        Error::Malformed { place, message: message.into() }
    }

    fn place(&mut self, location: Location<'_>) -> Option<Place> {
        let place = location::Place::of(location)?;
        let small = |n: usize| u32::try_from(n).unwrap_or(0);
        let start = (small(place.line), small(place.column));
        let end = location::end(location).map_or(start, |(line, column)| (small(line), small(column)));
        let (source, length) = match self.texts.find(&place.file, start.0) {
            Some(text) => (text.number(&mut self.program), text.length(start, end)),
            None => (
                self.numbers.file(&mut self.program, &place.file),
                if start.0 == end.0 { end.1.saturating_sub(start.1) } else { 0 },
            ),
        };
        Some(Place { source, line: start.0, column: start.1, length })
    }

    fn constant(&mut self, value: IValue) -> u32 {
        self.program.constants.push(value);
        (self.program.constants.len() - 1) as u32
    }

    /// Fills a function from a block that ends in a return or yield.
    fn function(&mut self, function: Function, block: BlockRef<'_, '_>) -> Result<Function, Error> {
        let mut body = Body { function, registers: FxHashMap::default(), depth: 0 };
        let arguments: Vec<Register> =
            block.args().into_iter().map(|v| body.define(v, argument_name(v).as_deref())).collect();
        body.function.push(Op::Load, arguments, [], None);
        let results = self.block(&mut body, block)?;
        body.function.push(Op::Store, [], copies(&results), None);
        body.function.value_names.resize(body.function.registers as usize, None);
        if self.unsupported.is_empty() {
            moves::mark(&mut body.function);
        }
        Ok(body.function)
    }

    /// The operations of a block; the registers its terminator passes on.
    fn block(&mut self, body: &mut Body, block: BlockRef<'_, '_>) -> Result<Vec<Register>, Error> {
        body.depth += 1;
        let ops = block.ops();
        if body.depth > MAX_DEPTH {
            let location = ops.first().map(|op| op.location());
            let message = "blocks are nested too deeply";
            return Err(match location {
                Some(location) => self.malformed(location, message),
                None => Error::Malformed { place: String::new(), message: message.into() },
            });
        }
        let mut results = Vec::new();
        for op in ops {
            if op.is_terminator() || op.is("torch.operator_terminator") {
                results = self.operands(body, op)?;
            } else if !is_dead(op) {
                self.op(body, op)?;
            }
        }
        body.depth -= 1;
        Ok(results)
    }

    fn operands(&mut self, body: &Body, op: OperationRef<'_, '_>) -> Result<Vec<Register>, Error> {
        let find = |v: &Value<'_, '_>| body.registers.get(&v.id()).copied();
        let registers: Option<Vec<Register>> = op.operand_values().iter().map(find).collect();
        match registers {
            Some(r) => Ok(r),
            // What was refused has no register; the errors are collected.
            None if !self.unsupported.is_empty() => Ok(vec![0; op.operand_values().len()]),
            None => Err(self.malformed(op.location(), format!("{} reads a value that is not computed", kind(op)))),
        }
    }

    fn results(&self, body: &mut Body, op: OperationRef<'_, '_>) -> Vec<Register> {
        let names = result_names(op);
        let results = op.result_values().into_iter().enumerate();
        results.map(|(i, v)| body.define(v, names.get(i).map(String::as_str))).collect()
    }

    /// An instruction with the operation's operands and results.
    fn emit(&mut self, body: &mut Body, op: OperationRef<'_, '_>, code: Op) -> Result<(), Error> {
        let inputs = self.operands(body, op)?;
        self.emit_with(body, op, code, &inputs);
        Ok(())
    }

    fn emit_with(&mut self, body: &mut Body, op: OperationRef<'_, '_>, code: Op, inputs: &[Register]) {
        let outputs = self.results(body, op);
        let place = self.place(op.location());
        body.function.push(code, outputs, copies(inputs), place);
    }

    /// The result is the operand.
    fn pass(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let inputs = self.operands(body, op)?;
        if let (Some(r), Some(value)) = (inputs.first(), op.result_value(0)) {
            body.alias(value, *r);
        }
        Ok(())
    }

    fn op(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        if let Some(value) = constants::of_op(op, &self.program.classes) {
            let constant = self.constant(value);
            return self.emit(body, op, Op::Constant(constant));
        }
        if let Some(known) = same_operands(op) {
            let constant = self.constant(IValue::Bool(known));
            self.emit_with(body, op, Op::Constant(constant), &[]);
            return Ok(());
        }
        let result_type = |i: usize| op.result_value(i).map_or(Type::Any, |v| general(&type_of(v)));
        let kind = kind(op);
        if op.attr("torch.subgraph").is_some() {
            return self.subgraph(body, op, &kind);
        }
        let code = match kind.as_str() {
            "torch.derefine"
            | "torch.tensor_static_info_cast"
            | "prim::unchecked_cast"
            | "prim::annotate"
            | "prim::profile" => {
                return self.pass(body, op);
            }
            "torch.copy.to_vtensor" if snapshot_is_free(op) => return self.pass(body, op),
            "torch.copy.to_tensor" if op.operand_value(0).is_some_and(|v| v.has_one_use() && !may_alias(v)) => {
                return self.pass(body, op);
            }
            "torch.copy.to_vtensor" | "torch.copy.to_tensor" => Op::CopyTensor,
            "torch.overwrite.tensor.contents" => return self.overwrite(body, op),
            "torch.runtime.assert" => return self.assertion(body, op),
            "sconce.region" => return self.region(body, op),
            "sconce.call_kernel" => return self.call_kernel(body, op),
            "func.call" => return self.call_symbol(body, op),
            // A function as a value: calls of it name it.
            "func.constant" => return Ok(()),
            "func.call_indirect" => return self.call_constant(body, op),
            "prim::Constant" => {
                self.other_constant(body, op);
                return Ok(());
            }
            "prim::If" => return self.branch(body, op),
            "prim::Loop" => return self.repeat(body, op),
            "prim::CallFunction" => return self.call_function(body, op),
            "aten::chunk" if constant_chunk(op).is_some() => return self.chunk(body, op),
            "prim::ConstantChunk" => match (int_attribute(op, "chunks"), int_attribute(op, "dim")) {
                (Some(chunks), Some(dim)) => Op::ConstantChunk { chunks, dim },
                _ => return Err(self.malformed(op.location(), "prim::ConstantChunk without chunks and dim")),
            },
            "prim::TypeCheck" | "prim::RequiresGradCheck" => return self.type_check(body, op),
            // Made where the chunks were.
            "prim::ListUnpack"
                if op.operand_value(0).and_then(|v| v.defining_op()).is_some_and(|d| constant_chunk(d).is_some()) =>
            {
                return Ok(());
            }
            "prim::TupleConstruct" => match result_type(0) {
                ty @ Type::NamedTuple(_) => Op::NamedTupleConstruct(self.numbers.ty(&mut self.program, &ty)),
                _ => Op::TupleConstruct,
            },
            "prim::TupleUnpack" => Op::TupleUnpack,
            "prim::TupleIndex" => Op::TupleIndex,
            "prim::ListConstruct" => Op::ListConstruct(self.numbers.ty(&mut self.program, &result_type(0))),
            "prim::ListUnpack" => Op::ListUnpack,
            "prim::DictConstruct" => {
                // The operation has all keys first; the instruction alternates, as graph text does.
                let flat = self.operands(body, op)?;
                let structural = op.is("torch.prim.DictConstruct");
                let (keys, values) = flat.split_at(flat.len() / 2);
                let pairs: Vec<Register> = if structural {
                    keys.iter().zip(values).flat_map(|(k, v)| [*k, *v]).collect()
                } else {
                    flat.clone()
                };
                let ty = self.numbers.ty(&mut self.program, &result_type(0));
                self.emit_with(body, op, Op::DictConstruct(ty), &pairs);
                return Ok(());
            }
            "prim::isinstance" => match tested_types(op) {
                Some(ty) => Op::IsInstance(self.numbers.ty(&mut self.program, &general(&ty))),
                None => {
                    self.refuse(format!("{kind} without types"), op.location());
                    return Ok(());
                }
            },
            "prim::Uninitialized" => Op::Uninitialized,
            "prim::RaiseException" => Op::Raise,
            "prim::Print" => Op::Print,
            "prim::Enter" | "prim::Exit" => {
                if let Some(what) = self.lacks_with_methods(op) {
                    self.refuse(format!("{kind} of {what}, whose methods are not in the module"), op.location());
                    return Ok(());
                }
                if kind == "prim::Enter" { Op::Enter } else { Op::Exit }
            }
            "prim::EnumName" => Op::EnumName,
            _ if kind.starts_with("prim::EnumValue") => Op::EnumValue,
            "aten::wait" => Op::Wait,
            "prim::tolist" => {
                let inputs = self.operand(body, op, 0)?;
                let ty = self.numbers.ty(&mut self.program, &result_type(0));
                self.emit_with(body, op, Op::ToList(ty), &[inputs]);
                return Ok(());
            }
            "prim::CreateObject" => {
                let class = match result_type(0) {
                    Type::Class(name) => self.numbers.class(&name),
                    _ => None,
                };
                match class {
                    Some(class) => Op::CreateObject(class),
                    None => {
                        self.refuse(format!("{kind} of {}", result_type(0)), op.location());
                        return Ok(());
                    }
                }
            }
            "prim::GetAttr" | "prim::SetAttr" | "prim::CallMethod" => {
                let name = attribute_name(op)
                    .ok_or_else(|| self.malformed(op.location(), format!("{kind} without a name")))?;
                let id = self.numbers.name(&mut self.program, &name);
                match kind.as_str() {
                    "prim::GetAttr" => Op::GetAttr(id),
                    "prim::SetAttr" => Op::SetAttr(id),
                    _ => {
                        if !self.callable.contains(&*name) {
                            self.refuse(
                                format!("{kind} of `{name}`, a method that is not in the module"),
                                op.location(),
                            );
                            return Ok(());
                        }
                        Op::CallMethod(id)
                    }
                }
            }
            _ => {
                let entry = sconce_schema::lookup(&kind).or_else(|| {
                    let types: Vec<Type> = op.operand_values().into_iter().map(type_of).collect();
                    sconce_schema::overload::of_node(&kind, &types).ok()
                });
                match entry {
                    Some(entry) if op.region_refs().is_empty() => {
                        Op::Call(self.numbers.operator(&mut self.program, entry.name))
                    }
                    // An operator that nobody knows costs only itself: the program runs until it gets there.
                    None if kind.contains("::") && op.region_refs().is_empty() => {
                        Op::Call(self.numbers.operator(&mut self.program, &kind))
                    }
                    _ => {
                        self.refuse(kind, op.location());
                        // Its results have registers all the same, so that the walk goes on.
                        self.results(body, op);
                        return Ok(());
                    }
                }
            }
        };
        self.emit(body, op, code)
    }

    fn operand(&mut self, body: &Body, op: OperationRef<'_, '_>, index: usize) -> Result<Register, Error> {
        match op.operand_value(index).and_then(|v| body.registers.get(&v.id()).copied()) {
            Some(register) => Ok(register),
            None if !self.unsupported.is_empty() => Ok(0),
            None => Err(self.malformed(op.location(), format!("operand {index} of {} is not computed", kind(op)))),
        }
    }

    /// `prim::Constant` whose value is no value of the interpreter's.
    fn other_constant(&mut self, body: &mut Body, op: OperationRef<'_, '_>) {
        // A function as a value: calls of it name it.
        if attributes::of(op).iter().any(|(name, _)| name == "name") {
            return;
        }
        self.refuse("prim::Constant whose contents are not in the text".to_owned(), op.location());
        self.results(body, op);
    }

    fn chunk(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        if let Some((unpack, chunks, dim)) = constant_chunk(op) {
            let input = self.operand(body, op, 0)?;
            let outputs = self.results(body, unpack);
            let place = self.place(op.location());
            body.function.push(Op::ConstantChunk { chunks, dim }, outputs, [Operand::copy(input)], place);
        }
        Ok(())
    }

    /// `%y, …, %holds = prim::TypeCheck[types=[…]](%x, …)`: the operands, and whether they are what the rest was optimised for.
    ///
    /// Whether gradients are wanted changes no result.
    fn type_check(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let operands = self.operands(body, op)?;
        let types = match attributes::of(op).into_iter().find(|(name, _)| name == "types") {
            Some((_, AttributeValue::List(items))) => items.iter().map(AttributeValue::as_type).collect(),
            Some((_, one)) => one.as_type().map(|ty| vec![ty]),
            None => None,
        };
        let results = op.result_values();
        let (Some(types), [same @ .., holds]) = (types, results.as_slice()) else {
            return Err(self.malformed(op.location(), format!("{} without types or without results", kind(op))));
        };
        if types.len() != operands.len() || same.len() != operands.len() {
            return Err(self.malformed(op.location(), format!("{} has not one type for each operand", kind(op))));
        }
        for (value, register) in same.iter().zip(&operands) {
            body.alias(*value, *register);
        }
        let place = self.place(op.location());
        let [no, yes] = [false, true].map(|b| self.constant(IValue::Bool(b)));
        let answer = body.define(*holds, None);
        body.function.push(Op::Constant(no), [answer], [], place);
        let mut exits = Vec::new();
        for (ty, register) in types.iter().zip(&operands) {
            let fits = body.fresh();
            let ty = self.numbers.ty(&mut self.program, ty);
            body.function.push(Op::IsInstance(ty), [fits], copies(&[*register]), place);
            exits.push(body.function.push(Op::JumpUnless(0), [], copies(&[fits]), None));
        }
        body.function.push(Op::Constant(yes), [answer], [], place);
        let end = body.function.code.len() as Pc;
        exits.into_iter().for_each(|exit| body.function.set_target(exit, end));
        Ok(())
    }

    fn branch(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let condition = self.operand(body, op, 0)?;
        let results = self.results(body, op);
        let place = self.place(op.location());
        let (Some(then), Some(otherwise)) = (op.body(0), op.body(1)) else {
            return Err(self.malformed(op.location(), "prim::If without two blocks"));
        };
        let skip = body.function.push(Op::JumpUnless(0), [], copies(&[condition]), place);
        self.arm(body, then, &results)?;
        let over = body.function.push(Op::Jump(0), [], [], None);
        let at = body.function.code.len() as Pc;
        body.function.set_target(skip, at);
        self.arm(body, otherwise, &results)?;
        let end = body.function.code.len() as Pc;
        body.function.set_target(over, end);
        Ok(())
    }

    fn arm(&mut self, body: &mut Body, block: BlockRef<'_, '_>, results: &[Register]) -> Result<(), Error> {
        let values = self.block(body, block)?;
        if !results.is_empty() && values.len() == results.len() {
            body.function.push(Op::Move, results.iter().copied(), copies(&values), None);
        }
        Ok(())
    }

    fn repeat(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let Some(block) = op.body(0) else {
            return Err(self.malformed(op.location(), "prim::Loop without a block"));
        };
        let uncounted = is_while(op);
        // The trip count of an uncounted loop has no register.
        let mut inputs = Vec::new();
        for (i, value) in op.operand_values().into_iter().enumerate() {
            let absorbed = i == 0 && uncounted;
            match body.registers.get(&value.id()) {
                Some(r) => inputs.push(*r),
                None if absorbed || !self.unsupported.is_empty() => inputs.push(0),
                None => return Err(self.malformed(op.location(), "prim::Loop reads a value that is not computed")),
            }
        }
        let arguments = block.args();
        if inputs.len() < 2 || arguments.len() + 1 != inputs.len() {
            return Err(self.malformed(op.location(), "prim::Loop whose block does not fit its operands"));
        }
        let place = self.place(op.location());
        let carried: Vec<Register> =
            arguments[1..].iter().map(|v| body.define(*v, argument_name(*v).as_deref())).collect();
        for (value, r) in op.result_values().into_iter().zip(&carried) {
            body.alias(value, *r);
        }
        if !carried.is_empty() {
            body.function.push(Op::Move, carried.iter().copied(), copies(&inputs[2..]), None);
        }
        let constantly = op.operand_value(1).and_then(constant_bool) == Some(true);
        let goes_on = block.terminator_op().or_else(|| block.ops().last().copied());
        let goes_on = goes_on.and_then(|t| t.operand_value(0)).and_then(constant_bool) == Some(true);
        // `for` has no condition of its own: a constant is tested, and nothing is carried.
        let condition = if constantly && goes_on {
            inputs[1]
        } else {
            let r = body.fresh();
            body.function.push(Op::Move, [r], copies(&[inputs[1]]), None);
            r
        };
        let counter = if uncounted {
            None
        } else {
            let r = body.define(arguments[0], argument_name(arguments[0]).as_deref());
            let zero = self.constant(IValue::Int(0));
            body.function.push(Op::Constant(zero), [r], [], None);
            Some(r)
        };
        let top = match counter {
            Some(counter) => body.function.push(Op::LoopUnless(0), [], copies(&[counter, inputs[0], condition]), place),
            None => body.function.push(Op::JumpUnless(0), [], copies(&[condition]), place),
        };
        let values = self.block(body, block)?;
        if values.len() == carried.len() + 1 {
            let skip = usize::from(condition == inputs[1]);
            let outputs = [condition].into_iter().chain(carried.iter().copied()).skip(skip);
            if values.len() > skip {
                body.function.push(Op::Move, outputs, copies(&values[skip..]), None);
            }
        }
        if let Some(counter) = counter {
            body.function.push(Op::Next, [counter], copies(&[counter]), None);
        }
        body.function.push(Op::Jump(top), [], [], None);
        let end = body.function.code.len() as Pc;
        body.function.set_target(top, end);
        Ok(())
    }

    /// A node with a `with` graph: a task, or a group that PyTorch made and that is run where it stands.
    fn subgraph(&mut self, body: &mut Body, op: OperationRef<'_, '_>, kind: &str) -> Result<(), Error> {
        let path = op.attr("torch.subgraph").and_then(attr::symbol_value).unwrap_or_default();
        let Some(f) = path.first().and_then(|s| self.symbols.get(s)).copied() else {
            return Err(self.malformed(op.location(), format!("{kind} refers to a graph that is not there")));
        };
        let code = if kind == "prim::fork" { Op::Fork(f) } else { Op::CallFunction(f) };
        self.emit(body, op, code)
    }

    /// The function that an attribute of an operation names.
    fn symbol_of(&self, op: OperationRef<'_, '_>, attribute: &str) -> Result<FunctionId, Error> {
        let path = op.attr(attribute).and_then(attr::symbol_value).unwrap_or_default();
        let named = path.first().map_or("", String::as_str);
        let found = self.symbols.get(named).copied();
        found.ok_or_else(|| self.malformed(op.location(), format!("a call of @{named}, which has no body here")))
    }

    fn call_symbol(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let f = self.symbol_of(op, "callee")?;
        self.emit(body, op, Op::CallFunction(f))
    }

    /// `func.call_indirect %f(…)` with `%f = func.constant @f`.
    fn call_constant(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let callee = op.operand_value(0).and_then(|v| v.defining_op()).filter(|c| c.is("func.constant"));
        let Some(callee) = callee else {
            return Err(self.malformed(op.location(), "func.call_indirect of something other than a func.constant"));
        };
        let f = self.symbol_of(callee, "value")?;
        self.call_with_rest(body, op, f)
    }

    /// A call whose first operand is the function itself.
    fn call_with_rest(&mut self, body: &mut Body, op: OperationRef<'_, '_>, f: FunctionId) -> Result<(), Error> {
        let mut inputs = Vec::new();
        for i in 1..op.operand_values().len() {
            inputs.push(self.operand(body, op, i)?);
        }
        self.emit_with(body, op, Op::CallFunction(f), &inputs);
        Ok(())
    }

    /// `prim::CallFunction(%f, …)` with `%f : Function = prim::Constant[name="f"]`.
    fn call_function(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        if op.operand_value(0).and_then(|v| v.defining_op()).and_then(|c| int_attribute(c, "fallback")) == Some(1) {
            return self.fall_back(body, op);
        }
        let callee = op.operand_value(0).and_then(|v| v.defining_op()).and_then(|c| {
            attributes::of(c).into_iter().find_map(|(name, value)| match value {
                AttributeValue::Str(text) if name == "name" => String::from_utf8(text.bytes).ok(),
                _ => None,
            })
        });
        let name = callee.ok_or_else(|| self.malformed(op.location(), "prim::CallFunction of an unknown function"))?;
        // The text gives the last part of the qualified name only; of several functions the operands' types tell which is meant.
        let types: Vec<Type> = op.operand_values().into_iter().skip(1).map(type_of).collect();
        let named =
            |f: &Function| *f.name == *name || f.name.strip_suffix(&*name).is_some_and(|rest| rest.ends_with('.'));
        let takes = |f: &Function| {
            f.parameters.len() == types.len()
                && f.parameters.iter().zip(&types).all(|(p, ty)| general(ty).is_subtype_of(&general(&p.ty)))
        };
        let functions = &self.program.functions;
        let found = functions.iter().position(|f| named(f) && takes(f)).or_else(|| functions.iter().position(named));
        let Some(f) = found else {
            self.refuse(format!("prim::CallFunction of `{name}`, which is not in the module"), op.location());
            self.results(body, op);
            return Ok(());
        };
        self.call_with_rest(body, op, f as FunctionId)
    }

    /// A call of what PyTorch's executor runs when a check of types fails: graph text does not hold that function.
    fn fall_back(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let message = "the arguments are not of the types that this graph was optimised for, and its text does not hold the general form";
        let message = self.constant(IValue::str(message));
        let text = body.fresh();
        let place = self.place(op.location());
        body.function.push(Op::Constant(message), [text], [], None);
        body.function.push(Op::Raise, [], copies(&[text]), place);
        for result in self.results(body, op) {
            body.function.push(Op::Uninitialized, [result], [], None);
        }
        Ok(())
    }

    /// `value overwrites tensor`: `aten::copy_`.
    fn overwrite(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let (value, target) = (self.operand(body, op, 0)?, self.operand(body, op, 1)?);
        let blocking = self.constant(IValue::Bool(false));
        let flag = body.fresh();
        let place = self.place(op.location());
        body.function.push(Op::Constant(blocking), [flag], [], place);
        let copy = self.numbers.operator(&mut self.program, "aten::copy_");
        body.function.push(Op::Call(copy), [], copies(&[target, value, flag]), place);
        Ok(())
    }

    fn assertion(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let condition = self.operand(body, op, 0)?;
        let place = self.place(op.location());
        let message = self.constant(IValue::str(op.str_attr("message").unwrap_or_default()));
        let text = body.fresh();
        let fail = body.function.push(Op::JumpUnless(0), [], copies(&[condition]), place);
        let over = body.function.push(Op::Jump(0), [], [], None);
        let at = body.function.push(Op::Constant(message), [text], [], None);
        body.function.push(Op::Raise, [], copies(&[text]), place);
        let end = body.function.code.len() as Pc;
        body.function.set_target(fail, at);
        body.function.set_target(over, end);
        Ok(())
    }

    /// A region's body becomes a function, which runs when there is no code for the region or a guard fails.
    fn region(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let name = op.str_attr("name").unwrap_or_default().to_owned();
        let Some(block) = op.body(0) else {
            return Err(self.malformed(op.location(), "a region without a body"));
        };
        let parameters = block.args().into_iter().enumerate().map(|(i, v)| {
            let name = argument_name(v).unwrap_or_else(|| i.to_string());
            Parameter::new(name, type_of(v))
        });
        let function = Function {
            name: name.as_str().into(),
            parameters: parameters.collect(),
            results: op.result_values().into_iter().map(type_of).collect(),
            ..Function::default()
        };
        let mut inner = Body { function, registers: FxHashMap::default(), depth: 0 };
        let arguments: Vec<Register> =
            block.args().into_iter().map(|v| inner.define(v, argument_name(v).as_deref())).collect();
        inner.function.push(Op::Load, arguments, [], None);
        let mut results = self.block(&mut inner, block)?;
        // A compiled region gives tensors of their own; so does its stand-in.
        let yielded = block.ops().last().map(|t| t.operand_values()).unwrap_or_default();
        for (i, (r, v)) in results.iter_mut().zip(&yielded).enumerate() {
            let repeated = yielded[..i].iter().any(|w| w.id() == v.id());
            if type_of(*v).is_tensor() && (repeated || may_alias(*v)) {
                let copy = inner.fresh();
                inner.function.push(Op::CopyTensor, [copy], copies(&[*r]), None);
                *r = copy;
            }
        }
        inner.function.push(Op::Store, [], copies(&results), None);
        inner.function.value_names.resize(inner.function.registers as usize, None);
        if self.unsupported.is_empty() {
            moves::mark(&mut inner.function);
        }
        self.program.functions.push(inner.function);
        let fallback = (self.program.functions.len() - 1) as FunctionId;
        self.emit_region(body, op, name, fallback)
    }

    fn call_kernel(&mut self, body: &mut Body, op: OperationRef<'_, '_>) -> Result<(), Error> {
        let name = op.str_attr("name").unwrap_or_default().to_owned();
        match self.symbols.get(&name).copied() {
            Some(fallback) => self.emit_region(body, op, name, fallback),
            None => {
                Err(self.malformed(op.location(), format!("sconce.call_kernel \"{name}\" without a function @{name}")))
            }
        }
    }

    fn emit_region(
        &mut self,
        body: &mut Body,
        op: OperationRef<'_, '_>,
        name: String,
        fallback: FunctionId,
    ) -> Result<(), Error> {
        let artifact = self.artifacts.get(&name).cloned().unwrap_or_default();
        let RegionArtifact { guards, codes } = artifact;
        self.program.regions.push(Region { name: name.into(), fallback, guards, codes });
        let id = (self.program.regions.len() - 1) as u32;
        self.emit(body, op, Op::Region(id))
    }
}

/// The name an attribute access or method call carries.
pub(crate) fn attribute_name(op: OperationRef<'_, '_>) -> Option<String> {
    if let Some(name) = op.str_attr("name").filter(|_| !op.is("torch.operator")) {
        return Some(name.to_owned());
    }
    attributes::of(op).into_iter().find_map(|(name, value)| match value {
        AttributeValue::Str(text) if name == "name" => String::from_utf8(text.bytes).ok(),
        _ => None,
    })
}

fn int_attribute<T: TryFrom<i64>>(op: OperationRef<'_, '_>, name: &str) -> Option<T> {
    match attributes::of(op).into_iter().find(|(n, _)| n == name)?.1 {
        AttributeValue::Int(i) => T::try_from(i).ok(),
        _ => None,
    }
}

/// The types `prim::isinstance` tests for, as one.
fn tested_types(op: OperationRef<'_, '_>) -> Option<Type> {
    let types = attributes::of(op).into_iter().find(|(name, _)| name == "types")?.1;
    let mut types = match types {
        AttributeValue::List(items) => items.iter().map(AttributeValue::as_type).collect::<Option<Vec<_>>>()?,
        one => vec![one.as_type()?],
    };
    if types.len() == 1 { types.pop() } else { Some(Type::Union(types.into())) }
}
