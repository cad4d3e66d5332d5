//! What the compiler hands to the runtime: functions of bytecode with their constants, classes, compiled regions and places in the source.
//!
//! A program that [`Program::verify`] accepts refers only to registers, operands, functions, names and places that exist.

use sconce_schema::Type;
use sconce_source::{Loc, SourceText, Span};
use sconce_tensor::IValue;
use std::fmt;
use std::sync::Arc;

/// Index of a register in a frame.
pub type Register = u32;
/// Index into [`Program::functions`].
pub type FunctionId = u32;
/// Index into [`Program::names`].
pub type NameId = u32;
/// Index into [`Program::types`].
pub type TypeId = u32;
/// Index into [`Function::code`].
pub type Pc = u32;

/// The largest number of registers a function may have: a frame is allocated at once.
pub const MAX_REGISTERS: u32 = 1 << 20;

/// A compiled program. Immutable once made; all executions and threads share it.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub functions: Vec<Function>,
    pub constants: Vec<IValue>,
    /// Constants whose values are not here: whoever loads the program binds them ([`crate::bind`]).
    pub named: Vec<NamedConstant>,
    /// Computes constants from others, once, when the program is bound.
    pub init: Option<Init>,
    pub classes: Vec<Class>,
    pub regions: Vec<Region>,
    /// Full names of the operators the code calls: `aten::add.Tensor`.
    pub operators: Vec<Arc<str>>,
    /// Attribute and method names.
    pub names: Vec<Arc<str>>,
    pub types: Vec<Type>,
    /// What places refer to: files, or the parts of them that were compiled at once, with their text where the compiler had it.
    pub sources: Vec<Arc<SourceText>>,
    /// The function that whoever compiled the program meant.
    pub entry: Option<FunctionId>,
    /// The object whose methods are called, a module with its weights: it is written with the program.
    pub object: Option<IValue>,
}

/// A constant that is known by its name, such as a weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedConstant {
    pub name: Arc<str>,
    /// Its place in [`Program::constants`].
    pub constant: u32,
}

/// A function without parameters whose results are constants. It stands alone: it calls operators and nothing else of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Init {
    pub function: FunctionId,
    /// The place of each result in [`Program::constants`].
    pub constants: Vec<u32>,
}

/// Bytecode of one function, method, or forked block.
#[derive(Clone, Debug, Default)]
pub struct Function {
    /// Qualified name: `__torch__.M.forward`.
    pub name: Arc<str>,
    pub parameters: Vec<Parameter>,
    pub results: Vec<Type>,
    /// As PyTorch prints it: `forward(__torch__.M self, Tensor x, int n=1) -> Tensor`. Listings have none.
    pub schema: Option<Arc<str>>,
    /// Number of registers of a frame.
    pub registers: u32,
    pub code: Vec<Instruction>,
    /// Inputs of all instructions; an instruction has a range of them.
    pub operands: Vec<Operand>,
    /// Outputs of all instructions; an instruction has a range of them.
    pub outputs: Vec<Register>,
    /// The place of each instruction, as many as there are instructions.
    pub places: Vec<Option<Place>>,
    /// The source name of each register where it has one (`gates`), as many as there are registers, or none at all.
    pub value_names: Vec<Option<Arc<str>>>,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: Arc<str>,
    pub ty: Type,
    pub default: Option<IValue>,
    /// Given by name only.
    pub kwarg_only: bool,
}

impl Parameter {
    /// A parameter that must be given.
    pub fn new(name: impl Into<Arc<str>>, ty: Type) -> Parameter {
        Parameter { name: name.into(), ty, default: None, kwarg_only: false }
    }
}

/// A range of source text. Line and column are kept, and not an offset as in a [`sconce_source::Loc`], because of most files of graph text and MLIR a program
/// knows no more than their names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Index into [`Program::sources`].
    pub source: u32,
    /// From 1; 0 when not known.
    pub line: u32,
    /// In bytes, from 0.
    pub column: u32,
    /// Number of bytes; 0 when only the start is known.
    pub length: u32,
}

impl Place {
    /// The place in its text, which is one of [`Program::sources`].
    pub fn loc(self, source: &Arc<SourceText>) -> Loc {
        let known = source.is_known().then(|| source.clone());
        let source = known.unwrap_or_else(|| SourceText::unknown(source.name(), self.line));
        let start = source.offset((self.line, self.column));
        Loc { source, span: Span { start, end: start.saturating_add(self.length) } }
    }
}

/// An instruction's input: a register, and whether this is its last use, so that the value is moved out of the frame.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Operand(u32);

const MOVE: u32 = 1 << 31;

impl Operand {
    pub fn copy(register: Register) -> Operand {
        debug_assert!(register < MOVE);
        Operand(register & !MOVE)
    }
    pub fn moved(register: Register) -> Operand {
        Operand(register | MOVE)
    }
    #[inline]
    pub fn register(self) -> Register {
        self.0 & !MOVE
    }
    #[inline]
    pub fn is_move(self) -> bool {
        self.0 & MOVE != 0
    }
}

impl fmt::Debug for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_move() { write!(f, "move({})", self.register()) } else { write!(f, "{}", self.register()) }
    }
}

/// What an instruction does with its inputs. All of them read their inputs before they write an output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Op {
    /// The function's parameters to the outputs.
    Load,
    /// Returns the inputs to the caller.
    Store,
    /// A constant of the program.
    Constant(u32),
    /// An operator of the table.
    Call(u32),
    /// Input `i` to output `i`, all at once.
    Move,
    /// Forgets its inputs.
    Drop,
    Jump(Pc),
    /// Jumps when the input (a bool) is false.
    JumpUnless(Pc),
    /// Inputs: counter, trip count, condition. Jumps when the condition is false or the counter has reached the trip count.
    LoopUnless(Pc),
    /// The counter plus one.
    Next,
    TupleConstruct,
    /// A named tuple of this type.
    NamedTupleConstruct(TypeId),
    TupleUnpack,
    /// Inputs: tuple, index.
    TupleIndex,
    TupleSlice {
        start: u32,
        end: u32,
    },
    /// A list of elements of this type.
    ListConstruct(TypeId),
    ListUnpack,
    /// Inputs: key, value, key, value, …; a dictionary of this type.
    DictConstruct(TypeId),
    /// A tensor into as many pieces as there are outputs (`chunks` is what the program asked for).
    ConstantChunk {
        chunks: u32,
        dim: i32,
    },
    /// Whether the value is of this type or of a member, when it is a tuple type.
    IsInstance(TypeId),
    /// The input, which is known to be of this type.
    UncheckedCast(TypeId),
    Uninitialized,
    /// Inputs: message, and possibly the qualified name of the class.
    Raise,
    Print,
    /// A new object of this class with no attribute set.
    CreateObject(u32),
    GetAttr(NameId),
    /// Inputs: object, value.
    SetAttr(NameId),
    CallFunction(FunctionId),
    /// Inputs: object, arguments. The method of the object's own class.
    CallMethod(NameId),
    /// Starts the function as a task; the output is a future.
    Fork(FunctionId),
    /// The result of a future, once it is there.
    Wait,
    EnumName,
    EnumValue,
    /// Inputs: tensor, dimensions of the list type, number of the element's type (`prim::tolist`).
    ToList(TypeId),
    Enter,
    Exit,
    /// A compiled region, or its fallback function.
    Region(u32),
    /// A tensor with the same content that nothing else writes to.
    CopyTensor,
}

/// An operation with its inputs and outputs, as ranges of the function's pools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instruction {
    pub op: Op,
    pub inputs: (u32, u32),
    pub outputs: (u32, u32),
}

/// What instances of a class are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ClassKind {
    #[default]
    Module,
    /// A script class: `class C` with annotated attributes.
    Class,
    Interface,
    ModuleInterface,
    Enum,
    NamedTuple,
}

/// The words for [`ClassKind`], as `torch.class_kind` has them.
const KINDS: &[(ClassKind, &str)] = &[
    (ClassKind::Module, "module"),
    (ClassKind::Class, "class"),
    (ClassKind::Interface, "interface"),
    (ClassKind::ModuleInterface, "module_interface"),
    (ClassKind::Enum, "enum"),
    (ClassKind::NamedTuple, "named_tuple"),
];

impl ClassKind {
    pub fn from_word(word: &str) -> Option<ClassKind> {
        KINDS.iter().find(|(_, w)| *w == word).map(|(kind, _)| *kind)
    }
    pub fn word(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("class", |(_, word)| word)
    }
    pub fn is_interface(self) -> bool {
        matches!(self, ClassKind::Interface | ClassKind::ModuleInterface)
    }
    pub fn is_module(self) -> bool {
        matches!(self, ClassKind::Module | ClassKind::ModuleInterface)
    }
}

/// What a slot of a module means to who trains or saves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Role {
    #[default]
    Attribute,
    Parameter,
    Buffer,
}

/// A slot that every object of a class has.
#[derive(Clone, PartialEq, Debug)]
pub struct Attribute {
    pub name: Arc<str>,
    pub ty: Type,
    pub role: Role,
}

/// A class: the layout of its objects and its methods.
#[derive(Clone, Debug, Default)]
pub struct Class {
    /// Qualified name.
    pub name: Arc<str>,
    pub kind: ClassKind,
    pub attributes: Vec<Attribute>,
    /// Names of the attributes, shared by all objects of the class; in step with `attributes`.
    pub names: Arc<[Arc<str>]>,
    /// Values that belong to the class and not to its objects: `Final` attributes; the members of an enumeration.
    pub constants: Vec<(Arc<str>, IValue)>,
    pub methods: Vec<(Arc<str>, FunctionId)>,
    /// Methods that an interface asks of who implements it.
    pub required: Vec<Arc<str>>,
}

impl Class {
    pub fn new(name: Arc<str>, attributes: Vec<(Arc<str>, Type)>, methods: Vec<(Arc<str>, FunctionId)>) -> Class {
        let attributes = attributes.into_iter().map(|(name, ty)| Attribute { name, ty, role: Role::Attribute });
        let mut class = Class { name, methods, ..Class::default() };
        class.set_attributes(attributes.collect());
        class
    }

    /// Sets the attributes, and the names in step with them.
    pub fn set_attributes(&mut self, attributes: Vec<Attribute>) {
        self.names = attributes.iter().map(|a| a.name.clone()).collect();
        self.attributes = attributes;
    }

    pub fn method(&self, name: &str) -> Option<FunctionId> {
        self.methods.iter().find(|(n, _)| **n == *name).map(|(_, f)| *f)
    }

    pub fn constant(&self, name: &str) -> Option<&IValue> {
        self.constants.iter().find(|(n, _)| **n == *name).map(|(_, v)| v)
    }

    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| *a.name == *name)
    }

    /// Whether an object of this class passes where `other` is expected.
    pub fn implements(&self, other: &Class) -> bool {
        if self.name == other.name {
            return true;
        }
        let has = |method: &Arc<str>| self.method(method).is_some() || self.required.contains(method);
        other.kind.is_interface() && other.required.iter().all(has)
    }
}

/// Code for a piece of the program, and the function that does the same in bytecode.
#[derive(Clone, Debug)]
pub struct Region {
    pub name: Arc<str>,
    pub fallback: FunctionId,
    /// What the compiled code takes for granted about the inputs.
    pub guards: Vec<Guard>,
    /// For different machines; the runtime takes the first it can run.
    pub codes: Vec<RegionCode>,
}

/// A condition on one input of a region, checked before the compiled code runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Guard {
    pub input: u32,
    pub condition: Condition,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    DType(sconce_schema::DType),
    Rank(u32),
    /// A dimension is of this size.
    Size {
        dim: u32,
        size: i64,
    },
    /// A dimension is a multiple of this number.
    Multiple {
        dim: u32,
        of: i64,
    },
    /// A dimension is as large as one of another input.
    SameSize {
        dim: u32,
        other: u32,
        other_dim: u32,
    },
    Contiguous,
    /// Kind of device.
    Device(Arc<str>),
    Int(i64),
    Bool(bool),
    Float(f64),
    IsNone,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionCode {
    pub target: Target,
    /// An object file, PTX text, …
    pub bytes: Arc<[u8]>,
    /// What the loader needs: entry symbol, CPU features, launch geometry. In order.
    pub metadata: Vec<(String, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// Machine code for a CPU.
    Cpu,
    Ptx,
}

/// The machine that runs it.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Target::Cpu => "cpu",
            Target::Ptx => "gpu",
        })
    }
}

impl Function {
    pub fn inputs(&self, i: &Instruction) -> &[Operand] {
        &self.operands[i.inputs.0 as usize..i.inputs.1 as usize]
    }
    pub fn outputs(&self, i: &Instruction) -> &[Register] {
        &self.outputs[i.outputs.0 as usize..i.outputs.1 as usize]
    }

    /// Appends an instruction.
    pub fn push(
        &mut self,
        op: Op,
        outputs: impl IntoIterator<Item = Register>,
        inputs: impl IntoIterator<Item = Operand>,
        place: Option<Place>,
    ) -> Pc {
        let (first_in, first_out) = (self.operands.len() as u32, self.outputs.len() as u32);
        self.operands.extend(inputs);
        self.outputs.extend(outputs);
        let pc = self.code.len() as Pc;
        self.code.push(Instruction {
            op,
            inputs: (first_in, self.operands.len() as u32),
            outputs: (first_out, self.outputs.len() as u32),
        });
        self.places.push(place);
        pc
    }

    /// Sets the target of a jump that was appended before its target was known.
    pub fn set_target(&mut self, pc: Pc, target: Pc) {
        if let Some(i) = self.code.get_mut(pc as usize) {
            match &mut i.op {
                Op::Jump(t) | Op::JumpUnless(t) | Op::LoopUnless(t) => *t = target,
                _ => {}
            }
        }
    }
}

impl Op {
    /// Where it may jump to.
    pub fn target(self) -> Option<Pc> {
        match self {
            Op::Jump(t) | Op::JumpUnless(t) | Op::LoopUnless(t) => Some(t),
            _ => None,
        }
    }
    /// Whether the next instruction may run after it.
    pub fn falls_through(self) -> bool {
        !matches!(self, Op::Jump(_) | Op::Store | Op::Raise)
    }
}

impl Program {
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|f| &*f.name == name).map(|i| i as FunctionId)
    }
    /// What is called when nobody names a function: the one that was meant when the program was compiled, else the first of its own, which
    /// those that it has from `torch` may precede.
    pub fn first_function(&self) -> Option<FunctionId> {
        if self.entry.is_some() {
            return self.entry;
        }
        let own = |f: &Function| !f.name.starts_with("__torch__.torch.");
        let own = self.functions.iter().position(own).map(|i| i as FunctionId);
        own.or((!self.functions.is_empty()).then_some(0))
    }
    pub fn class(&self, name: &str) -> Option<(u32, &Class)> {
        self.classes.iter().enumerate().find(|(_, c)| &*c.name == name).map(|(i, c)| (i as u32, c))
    }
    /// The number of this name; added if it is new.
    pub fn name_id(&mut self, name: &str) -> NameId {
        intern(&mut self.names, |n| &**n == name, || name.into())
    }
    /// The number of this operator; added if it is new.
    pub fn operator_id(&mut self, name: &str) -> u32 {
        intern(&mut self.operators, |n| &**n == name, || name.into())
    }
    /// The number of this type; added if it is new.
    pub fn type_id(&mut self, ty: &Type) -> TypeId {
        intern(&mut self.types, |t| t == ty, || ty.clone())
    }
    /// The number of this file; added if it is new.
    pub fn source_id(&mut self, file: &str) -> u32 {
        intern(&mut self.sources, |s| s.name() == file && !s.is_known(), || SourceText::unknown(file, 1))
    }

    /// Whether everything the program refers to exists. The interpreter runs only programs for which this holds.
    pub fn verify(&self) -> Result<(), Invalid> {
        let outside = |what: String| Invalid { function: 0, name: "".into(), pc: 0, what };
        if let Some(n) = self.named.iter().find(|n| n.constant as usize >= self.constants.len()) {
            return Err(outside(format!("{} is constant {}, which does not exist", n.name, n.constant)));
        }
        if let Some(init) = &self.init {
            self.verify_init(init).map_err(outside)?;
        }
        for (i, f) in self.functions.iter().enumerate() {
            self.verify_function(f).map_err(|(pc, what)| Invalid {
                function: i as u32,
                name: f.name.clone(),
                pc,
                what,
            })?;
        }
        for class in &self.classes {
            for (method, f) in &class.methods {
                if *f as usize >= self.functions.len() {
                    return Err(outside(format!(
                        "method {method} of {} is function {f}, which does not exist",
                        class.name
                    )));
                }
            }
            if class.names.len() != class.attributes.len() {
                return Err(outside(format!("the attribute names of {} are not in step", class.name)));
            }
        }
        if self.entry.is_some_and(|f| f as usize >= self.functions.len()) {
            return Err(outside("the entry is a function that does not exist".to_owned()));
        }
        for region in &self.regions {
            if region.fallback as usize >= self.functions.len() {
                return Err(outside(format!(
                    "region {} falls back to function {}, which does not exist",
                    region.name, region.fallback
                )));
            }
        }
        Ok(())
    }

    fn verify_init(&self, init: &Init) -> Result<(), String> {
        let Some(function) = self.functions.get(init.function as usize) else {
            return Err(format!("the init function is function {}, which does not exist", init.function));
        };
        if !function.parameters.is_empty() || function.results.len() != init.constants.len() {
            return Err(format!("the init function {} has other parameters and results", function.name));
        }
        if let Some(constant) = init.constants.iter().find(|c| **c as usize >= self.constants.len()) {
            return Err(format!("the init function gives constant {constant}, which does not exist"));
        }
        Ok(())
    }

    fn verify_function(&self, f: &Function) -> Result<(), (Pc, String)> {
        let whole = |what: &str| (0, what.to_owned());
        if f.registers > MAX_REGISTERS {
            return Err(whole("too many registers"));
        }
        if f.places.len() != f.code.len() {
            return Err(whole("as many places as instructions are needed"));
        }
        if !f.value_names.is_empty() && f.value_names.len() != f.registers as usize {
            return Err(whole("as many value names as registers are needed"));
        }
        match f.code.last() {
            Some(last) if !last.op.falls_through() => {}
            _ => return Err(whole("control runs off the end")),
        }
        for place in f.places.iter().flatten() {
            if place.source as usize >= self.sources.len() {
                return Err(whole("a place in a source that does not exist"));
            }
        }
        for (pc, i) in f.code.iter().enumerate() {
            let pc32 = pc as Pc;
            let fail = |what: String| Err((pc32, what));
            let in_range = |(a, b): (u32, u32), len: usize| a <= b && b as usize <= len;
            if !in_range(i.inputs, f.operands.len()) || !in_range(i.outputs, f.outputs.len()) {
                return fail("operands outside the pool".into());
            }
            let registers = f.inputs(i).iter().map(|o| o.register()).chain(f.outputs(i).iter().copied());
            if let Some(r) = registers.into_iter().find(|r| *r >= f.registers) {
                return fail(format!("register {r} of {}", f.registers));
            }
            let (ins, outs) = (f.inputs(i).len(), f.outputs(i).len());
            let wants = |inputs: Option<usize>, outputs: Option<usize>| {
                if inputs.is_some_and(|n| n != ins) || outputs.is_some_and(|n| n != outs) {
                    Err((pc32, format!("{:?} with {ins} inputs and {outs} outputs", i.op)))
                } else {
                    Ok(())
                }
            };
            let exists = |id: u32, len: usize, what: &str| {
                if (id as usize) < len { Ok(()) } else { Err((pc32, format!("{what} {id}, of {len}"))) }
            };
            match i.op {
                Op::Load => {
                    wants(Some(0), Some(f.parameters.len()))?;
                    if pc != 0 {
                        return fail("parameters are loaded first".into());
                    }
                }
                Op::Store => wants(Some(f.results.len()), Some(0))?,
                Op::Constant(c) => {
                    wants(Some(0), Some(1))?;
                    exists(c, self.constants.len(), "constant")?;
                }
                Op::Call(o) => exists(o, self.operators.len(), "operator")?,
                Op::Move => wants(Some(outs), None)?,
                Op::Drop => wants(None, Some(0))?,
                Op::Jump(t) => {
                    wants(Some(0), Some(0))?;
                    exists(t, f.code.len(), "jump to")?;
                }
                Op::JumpUnless(t) => {
                    wants(Some(1), Some(0))?;
                    exists(t, f.code.len(), "jump to")?;
                }
                Op::LoopUnless(t) => {
                    wants(Some(3), Some(0))?;
                    exists(t, f.code.len(), "jump to")?;
                }
                Op::TupleConstruct => wants(None, Some(1))?,
                Op::NamedTupleConstruct(t) | Op::ListConstruct(t) => {
                    wants(None, Some(1))?;
                    exists(t, self.types.len(), "type")?;
                }
                Op::DictConstruct(t) => {
                    wants(None, Some(1))?;
                    exists(t, self.types.len(), "type")?;
                    if ins % 2 != 0 {
                        return fail("a key without a value".into());
                    }
                }
                Op::TupleUnpack | Op::ListUnpack | Op::ConstantChunk { .. } => wants(Some(1), None)?,
                Op::TupleIndex => wants(Some(2), Some(1))?,
                Op::IsInstance(t) | Op::UncheckedCast(t) => {
                    wants(Some(1), Some(1))?;
                    exists(t, self.types.len(), "type")?;
                }
                Op::ToList(t) => {
                    wants(None, Some(1))?;
                    exists(t, self.types.len(), "type")?;
                    if ins == 0 {
                        return fail("a tensor is needed".into());
                    }
                }
                Op::Next | Op::TupleSlice { .. } | Op::Wait | Op::EnumName | Op::EnumValue | Op::CopyTensor => {
                    wants(Some(1), Some(1))?;
                }
                Op::Uninitialized => wants(Some(0), Some(1))?,
                Op::Raise => {
                    wants(None, Some(0))?;
                    if !(1..=2).contains(&ins) {
                        return fail("a message and possibly a class are needed".into());
                    }
                }
                Op::Print => wants(None, Some(0))?,
                Op::CreateObject(c) => {
                    wants(Some(0), Some(1))?;
                    exists(c, self.classes.len(), "class")?;
                }
                Op::GetAttr(n) => {
                    wants(Some(1), Some(1))?;
                    exists(n, self.names.len(), "name")?;
                }
                Op::SetAttr(n) => {
                    wants(Some(2), Some(0))?;
                    exists(n, self.names.len(), "name")?;
                }
                Op::CallFunction(c) | Op::Fork(c) => {
                    exists(c, self.functions.len(), "function")?;
                    let callee = &self.functions[c as usize];
                    let outputs = if matches!(i.op, Op::Fork(_)) { 1 } else { callee.results.len() };
                    wants(Some(callee.parameters.len()), Some(outputs))?;
                }
                Op::CallMethod(n) => {
                    exists(n, self.names.len(), "name")?;
                    if ins == 0 {
                        return fail("an object is needed".into());
                    }
                }
                Op::Enter | Op::Exit => wants(Some(1), None)?,
                Op::Region(r) => {
                    exists(r, self.regions.len(), "region")?;
                    let fallback = self.regions[r as usize].fallback;
                    exists(fallback, self.functions.len(), "function")?;
                    let callee = &self.functions[fallback as usize];
                    wants(Some(callee.parameters.len()), Some(callee.results.len()))?;
                }
            }
        }
        Ok(())
    }
}

fn intern<T>(items: &mut Vec<T>, is: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> u32 {
    if let Some(i) = items.iter().position(is) {
        return i as u32;
    }
    items.push(make());
    (items.len() - 1) as u32
}

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("function {function} `{name}`, instruction {pc}: {what}")]
pub struct Invalid {
    pub function: u32,
    pub name: Arc<str>,
    pub pc: Pc,
    pub what: String,
}
