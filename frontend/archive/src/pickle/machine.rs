//! The stack machine: every opcode is bounded before it acts, and calls go only to the names of [`Global`].

use super::call::Arguments;
use super::global::{Global, Unknown};
use super::opcode::{self, Argument, Instruction, Op};
use super::{Dict, Enum, Object, StorageRef, Tag, Value, ValueId};
use crate::{Error, Limits};
use sconce_schema::Layout;

/// Numbers of more bytes than this are not decoded (the largest that PyTorch writes has ten).
const LONG_LIMIT: u64 = 1024;

/// So many elements of a container take as much memory as one value.
const ELEMENTS: usize = 4;

/// Runs the pickle at the start of `bytes`: its values, the result, and the number of bytes used.
pub fn run(entry: &str, bytes: &[u8], limits: &Limits) -> Result<(Vec<Value>, ValueId, usize), Error> {
    Limits::check(entry, "the size of the pickle", bytes.len() as u64, limits.pickle_bytes)?;
    let mut machine = Machine {
        entry,
        limits,
        at: 0,
        values: Vec::new(),
        spent: 0,
        stack: Vec::new(),
        marks: Vec::new(),
        memo: Vec::new(),
        memoized: 0,
        none: None,
        bools: [None; 2],
        small: [None; 256],
        empty_tuple: None,
    };
    let first = machine.read(bytes, 0)?;
    match (first.row.op, first.argument) {
        (Op::Proto, Argument::Int(2..=5)) => {}
        (Op::Proto, Argument::Int(n)) => return Err(machine.bad(format!("protocol {n} (expected 2 to 5)"))),
        _ => return Err(machine.bad("not a pickle: it does not begin with PROTO")),
    }
    let mut next = first.end;
    for count in 1.. {
        Limits::check(entry, "the number of opcodes", count, limits.opcodes)?;
        let instruction = machine.read(bytes, next)?;
        machine.at = next;
        next = instruction.end;
        if instruction.row.op == Op::Stop {
            break;
        }
        machine.step(&instruction)?;
    }
    let root = machine.pop()?;
    if !machine.stack.is_empty() || !machine.marks.is_empty() {
        return Err(machine.bad(format!("STOP with {} more values on the stack", machine.stack.len())));
    }
    Ok((machine.values, root, next))
}

pub(super) struct Machine<'a> {
    pub entry: &'a str,
    pub limits: &'a Limits,
    /// The offset of the current opcode.
    at: usize,
    pub values: Vec<Value>,
    /// Values so far as [`Limits::values`] counts them.
    spent: u64,
    stack: Vec<ValueId>,
    marks: Vec<usize>,
    memo: Vec<Option<ValueId>>,
    memoized: u32,
    // Values without identity exist once.
    none: Option<ValueId>,
    bools: [Option<ValueId>; 2],
    small: [Option<ValueId>; 256],
    empty_tuple: Option<ValueId>,
}

impl Machine<'_> {
    pub fn bad(&self, what: impl Into<String>) -> Error {
        Error::format(self.entry, self.at, what)
    }

    fn read<'b>(&self, bytes: &'b [u8], at: usize) -> Result<Instruction<'b>, Error> {
        opcode::read(bytes, at).map_err(|what| Error::format(self.entry, at, what))
    }

    fn spend(&mut self, cost: usize) -> Result<(), Error> {
        self.spent += cost as u64;
        Limits::check(self.entry, "the number of values", self.spent, self.limits.values)
    }

    fn add(&mut self, value: Value) -> Result<ValueId, Error> {
        self.spend(match &value {
            Value::List(_) | Value::Dict(_) | Value::Tensor(_) | Value::Sparse(_) => 6,
            Value::Object(_) => 3,
            Value::Str(_) | Value::Bytes(_) | Value::Storage(_) | Value::Global(_) | Value::Enum(_) => 2,
            Value::Tuple(items) => 2 + items.len() / ELEMENTS,
            _ => 1,
        })?;
        let id = u32::try_from(self.values.len()).map_err(|_| self.bad("more than 2^32 values"))?;
        // Doubling would take as much memory again as all values.
        if self.values.len() == self.values.capacity() {
            self.values.reserve_exact((self.values.len() / 4).max(64));
        }
        self.values.push(value);
        Ok(ValueId(id))
    }

    fn push(&mut self, value: Value) -> Result<(), Error> {
        let id = self.add(value)?;
        self.push_id(id)
    }

    fn push_id(&mut self, id: ValueId) -> Result<(), Error> {
        Limits::check(self.entry, "the height of the stack", self.stack.len() as u64, self.limits.values)?;
        self.stack.push(id);
        Ok(())
    }

    /// Values that were pushed since the last mark only: what lies below belongs to another opcode.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    fn pop(&mut self) -> Result<ValueId, Error> {
        if self.stack.len() <= self.floor() {
            return Err(self.bad("the stack is empty"));
        }
        self.stack.pop().ok_or_else(|| self.bad("the stack is empty"))
    }

    fn top(&self) -> Result<ValueId, Error> {
        self.stack[self.floor().min(self.stack.len())..].last().copied().ok_or_else(|| self.bad("the stack is empty"))
    }

    fn pop_to_mark(&mut self) -> Result<Vec<ValueId>, Error> {
        let mark = self.marks.pop().ok_or_else(|| self.bad("there is no mark"))?;
        if mark > self.stack.len() {
            return Err(self.bad("the mark lies above the stack"));
        }
        Ok(self.stack.split_off(mark))
    }

    fn step(&mut self, instruction: &Instruction) -> Result<(), Error> {
        match instruction.row.op {
            Op::Proto => Err(self.bad("a second PROTO")),
            // The size of a frame is a hint for buffering.
            Op::Frame | Op::Stop => Ok(()),
            Op::Mark => {
                let depth = self.marks.len() as u64;
                Limits::check(self.entry, "the number of open marks", depth, self.limits.depth)?;
                self.marks.push(self.stack.len());
                Ok(())
            }
            Op::Pop => {
                // A mark on top is what POP takes away first.
                match self.marks.last() {
                    Some(mark) if *mark == self.stack.len() => drop(self.marks.pop()),
                    _ => drop(self.pop()?),
                }
                Ok(())
            }
            Op::PopMark => self.pop_to_mark().map(drop),
            Op::Dup => {
                let top = self.top()?;
                self.push_id(top)
            }
            Op::BinPut | Op::LongBinPut => self.put(instruction.number()),
            Op::Memoize => self.put(i64::from(self.memoized)),
            Op::BinGet | Op::LongBinGet => self.get(instruction.number()),
            Op::Global => match instruction.argument {
                Argument::TwoLines(module, name) => self.global(module, name),
                _ => Err(self.bad("GLOBAL without a name")),
            },
            Op::StackGlobal => self.stack_global(),
            Op::NewObj => self.new_object(),
            Op::Reduce => self.reduce(),
            Op::Build => self.build(),
            Op::BinPersId => self.persistent(),
            _ => self.constant(instruction),
        }
    }

    /// Opcodes that push what their argument says.
    fn constant(&mut self, instruction: &Instruction) -> Result<(), Error> {
        match (instruction.row.op, instruction.argument) {
            (Op::None, _) => {
                let none = self.none()?;
                self.push_id(none)
            }
            (Op::NewTrue, _) => self.push_bool(true),
            (Op::NewFalse, _) => self.push_bool(false),
            // PyTorch of 2019, which alone writes this member, means a signed byte.
            (Op::BinInt1, Argument::Int(n)) if self.entry == "attributes.pkl" => {
                self.push_int(i64::from(n as u8 as i8))
            }
            (Op::BinInt | Op::BinInt1 | Op::BinInt2, Argument::Int(n)) => self.push_int(n),
            (Op::Long1 | Op::Long4, Argument::Bytes(body)) => self.push_long(body),
            (Op::BinFloat, Argument::Float(x)) => self.push(Value::Float(x)),
            (
                Op::BinUnicode | Op::ShortBinUnicode | Op::BinUnicode8 | Op::BinString | Op::ShortBinString,
                Argument::Bytes(text),
            ) => self.push(Value::Str(text.into())),
            (Op::BinBytes | Op::ShortBinBytes | Op::BinBytes8 | Op::ByteArray8, Argument::Bytes(bytes)) => {
                self.push(Value::Bytes(bytes.into()))
            }
            _ => self.container(instruction),
        }
    }

    /// Opcodes that make or fill containers.
    fn container(&mut self, instruction: &Instruction) -> Result<(), Error> {
        match instruction.row.op {
            Op::EmptyList => self.push(Value::List(Box::default())),
            Op::EmptyDict => self.push(Value::Dict(Box::default())),
            Op::EmptyTuple => self.push_tuple(Vec::new()),
            Op::List => {
                let items = self.pop_to_mark()?;
                self.push(Value::List(Box::default()))?;
                self.append(&items)
            }
            Op::Dict => {
                let items = self.pop_to_mark()?;
                self.push(Value::Dict(Box::default()))?;
                self.set_items(&items)
            }
            Op::Tuple => {
                let items = self.pop_to_mark()?;
                self.push_tuple(items)
            }
            Op::Tuple1 | Op::Tuple2 | Op::Tuple3 => {
                let count = usize::from(instruction.row.op.code() - Op::Tuple1.code()) + 1;
                let mut items = (0..count).map(|_| self.pop()).collect::<Result<Vec<_>, _>>()?;
                items.reverse();
                self.push_tuple(items)
            }
            Op::Append => {
                let item = self.pop()?;
                self.append(&[item])
            }
            Op::Appends => {
                let items = self.pop_to_mark()?;
                self.append(&items)
            }
            Op::SetItem => {
                let (value, key) = (self.pop()?, self.pop()?);
                self.set_items(&[key, value])
            }
            Op::SetItems => {
                let items = self.pop_to_mark()?;
                self.set_items(&items)
            }
            // Text opcodes are of protocol 0; the others need an extension registry, sets, buffers or instances of Python classes.
            _ => Err(self.bad(format!("opcode {} is in no pickle that PyTorch writes", instruction.row.name))),
        }
    }

    fn get(&mut self, number: i64) -> Result<(), Error> {
        let slot = usize::try_from(number).ok().and_then(|n| self.memo.get(n).copied().flatten());
        let id = slot.ok_or_else(|| self.bad(format!("nothing is memoized under {number}")))?;
        self.push_id(id)
    }

    fn stack_global(&mut self) -> Result<(), Error> {
        let (name, module) = (self.pop()?, self.pop()?);
        match (&self.values[module.index()], &self.values[name.index()]) {
            (Value::Str(module), Value::Str(name)) => {
                let (module, name) = (module.clone(), name.clone());
                self.global(&module, &name)
            }
            _ => Err(self.bad("STACK_GLOBAL expects two strings")),
        }
    }

    fn none(&mut self) -> Result<ValueId, Error> {
        let id = match self.none {
            Some(id) => id,
            None => self.add(Value::None)?,
        };
        self.none = Some(id);
        Ok(id)
    }

    fn push_bool(&mut self, value: bool) -> Result<(), Error> {
        let id = match self.bools[usize::from(value)] {
            Some(id) => id,
            None => self.add(Value::Bool(value))?,
        };
        self.bools[usize::from(value)] = Some(id);
        self.push_id(id)
    }

    fn push_int(&mut self, n: i64) -> Result<(), Error> {
        let slot = usize::try_from(n).ok().filter(|i| *i < self.small.len());
        let Some(slot) = slot else { return self.push(Value::Int(n)) };
        let id = match self.small[slot] {
            Some(id) => id,
            None => self.add(Value::Int(n))?,
        };
        self.small[slot] = Some(id);
        self.push_id(id)
    }

    fn push_long(&mut self, body: &[u8]) -> Result<(), Error> {
        Limits::check(self.entry, "the length of a number", body.len() as u64, LONG_LIMIT)?;
        match opcode::small(body) {
            Some(n) => self.push_int(n),
            None => self.push(Value::BigInt(opcode::decimal(body).into())),
        }
    }

    fn push_tuple(&mut self, items: Vec<ValueId>) -> Result<(), Error> {
        if !items.is_empty() {
            return self.push(Value::Tuple(items.into()));
        }
        let id = match self.empty_tuple {
            Some(id) => id,
            None => self.add(Value::Tuple(Box::default()))?,
        };
        self.empty_tuple = Some(id);
        self.push_id(id)
    }

    fn put(&mut self, number: i64) -> Result<(), Error> {
        let top = self.top()?;
        Limits::check(self.entry, "the number of a memo", number as u64, self.limits.memo)?;
        let slot = number as usize;
        if slot >= self.memo.len() {
            self.memo.resize(slot + 1, None);
        }
        self.memo[slot] = Some(top);
        self.memoized += 1;
        Ok(())
    }

    fn append(&mut self, items: &[ValueId]) -> Result<(), Error> {
        self.spend(items.len().div_ceil(ELEMENTS))?;
        let list = self.top()?;
        match &mut self.values[list.index()] {
            Value::List(list) => list.items.extend(items),
            other => {
                let kind = other.kind();
                return Err(self.bad(format!("items are appended to {kind}, which is no list")));
            }
        }
        Ok(())
    }

    fn set_items(&mut self, items: &[ValueId]) -> Result<(), Error> {
        self.spend(items.len().div_ceil(ELEMENTS))?;
        let (pairs, odd) = items.as_chunks::<2>();
        if !odd.is_empty() {
            return Err(self.bad("a key without a value"));
        }
        let dict = self.top()?;
        match &mut self.values[dict.index()] {
            Value::Dict(dict) => dict.entries.extend(pairs.iter().map(|[k, v]| (*k, *v))),
            other => {
                let kind = other.kind();
                return Err(self.bad(format!("items are set in {kind}, which is no dict")));
            }
        }
        Ok(())
    }

    fn global(&mut self, module: &[u8], name: &[u8]) -> Result<(), Error> {
        let (module, name) = (String::from_utf8_lossy(module), String::from_utf8_lossy(name));
        match Global::resolve(&module, &name) {
            Ok(Global::DType(dtype)) => self.push(Value::DType(dtype)),
            Ok(Global::Layout(layout)) => self.push(Value::Layout(layout)),
            Ok(Global::QScheme(scheme)) => self.push(Value::QScheme(scheme)),
            Ok(global) => self.push(Value::Global(Box::new(global))),
            Err(Unknown::Unsupported(what)) => Err(Error::unsupported(
                self.entry,
                format!("{what} (`{module}.{name}` at byte {})", self.at),
                "what an archive can hold",
            )),
            Err(Unknown::Forbidden) => {
                let global = format!("{module}.{name}");
                Err(Error::Global { entry: self.entry.to_string(), offset: self.at as u64, global })
            }
        }
    }

    fn new_object(&mut self) -> Result<(), Error> {
        let (arguments, class) = (self.pop()?, self.pop()?);
        if !matches!(&self.values[arguments.index()], Value::Tuple(items) if items.is_empty()) {
            return Err(self.bad("an object is made with arguments"));
        }
        let class = match &self.values[class.index()] {
            Value::Global(global) => match &**global {
                Global::Class(name) => name.clone(),
                other => return Err(self.bad(format!("`{other}` is no TorchScript class"))),
            },
            other => return Err(self.bad(format!("an object is made of {}, which is no class", other.kind()))),
        };
        let state = self.none()?;
        self.push(Value::Object(Box::new(Object { class, state })))
    }

    fn build(&mut self) -> Result<(), Error> {
        let state = self.pop()?;
        let target = self.top()?;
        let none = self.none;
        match &mut self.values[target.index()] {
            Value::Object(object) if Some(object.state) == none => {
                object.state = state;
                Ok(())
            }
            Value::Object(_) => Err(self.bad("an object gets a second state")),
            // What an OrderedDict has beside its entries (`_metadata` of a state dict) names no value.
            Value::Dict(dict) if dict.ordered => Ok(()),
            // Before PyTorch 1.2 lists and tensors were marked this way.
            Value::Global(global) if matches!(**global, Global::LegacyTensorId | Global::LegacyIntList) => {
                let global = (**global).clone();
                self.pop()?;
                let id = self.legacy(&global, state)?;
                self.push_id(id)
            }
            other => {
                let kind = other.kind();
                Err(self.bad(format!("{kind} gets a state")))
            }
        }
    }

    fn legacy(&mut self, global: &Global, state: ValueId) -> Result<ValueId, Error> {
        match (global, &mut self.values[state.index()]) {
            (Global::LegacyTensorId, Value::Int(n)) => {
                let n = *n;
                self.add(Value::TensorId(n))
            }
            (Global::LegacyIntList, Value::List(list)) => {
                list.tag = Tag::Built(super::ListKind::Int);
                Ok(state)
            }
            _ => Err(self.bad("expected the number of a tensor, or a list")),
        }
    }

    fn reduce(&mut self) -> Result<(), Error> {
        let (argument, callee) = (self.pop()?, self.pop()?);
        let global = match &self.values[callee.index()] {
            Value::Global(global) => (**global).clone(),
            other => return Err(self.bad(format!("{} is called", other.kind()))),
        };
        let id = self.call(&global, argument)?;
        self.push_id(id)
    }

    fn call(&mut self, global: &Global, argument: ValueId) -> Result<ValueId, Error> {
        // An enum's member is its class called with the bare value.
        if let Global::Class(class) = global {
            return self.add(Value::Enum(Box::new(Enum { class: class.clone(), value: argument })));
        }
        let arguments = match &self.values[argument.index()] {
            Value::Tuple(items) => items.to_vec(),
            _ => return Err(self.bad(format!("the arguments of `{global}` are no tuple"))),
        };
        let a = Arguments { machine: self, name: global.to_string(), ids: &arguments };
        match global {
            Global::BuildList(kind) => {
                let list = a.one()?;
                self.tag(list, Tag::Built(*kind))
            }
            Global::RestoreTypeTag => {
                let [value, text] = a.exactly()?;
                let text = a.text(text)?;
                self.tag(value, Tag::Type(text))
            }
            Global::BuildTensorFromId => {
                let id = a.one()?;
                let n = a.int(id)?;
                self.add(Value::TensorId(n))
            }
            Global::OrderedDict => {
                a.exactly::<0>()?;
                self.add(Value::Dict(Box::new(Dict { ordered: true, ..Dict::default() })))
            }
            Global::Complex => {
                let [re, im] = a.exactly()?;
                let value = Value::Complex(Box::new([a.float(re)?, a.float(im)?]));
                self.add(value)
            }
            Global::Device => {
                let text = a.device()?;
                self.add(Value::Device(text))
            }
            Global::Size => {
                let sizes = a.one()?;
                a.ints(sizes)?;
                Ok(sizes)
            }
            Global::GetLayout => {
                let name = a.one()?;
                let name = a.text(name)?;
                let layout = Layout::from_torch_name(name.strip_prefix("torch.").unwrap_or(&name));
                let layout = layout.ok_or_else(|| self.bad(format!("unknown layout `{name}`")))?;
                self.add(Value::Layout(layout))
            }
            Global::Bytes => {
                a.exactly::<0>()?;
                self.add(Value::Bytes(Box::default()))
            }
            Global::Encode => {
                let bytes = a.latin1()?;
                self.add(Value::Bytes(bytes))
            }
            Global::RebuildSparseTensor => {
                let sparse = a.sparse()?;
                self.add(Value::Sparse(Box::new(sparse)))
            }
            Global::RebuildParameter => {
                let tensor = a.parameter()?;
                self.add(Value::Tensor(Box::new(tensor)))
            }
            Global::RebuildTensor | Global::RebuildTensorV2 | Global::RebuildTensorV3 | Global::RebuildQTensor => {
                let tensor = a.tensor(global)?;
                tensor.check().map_err(|what| self.bad(format!("a tensor with {what}")))?;
                self.add(Value::Tensor(Box::new(tensor)))
            }
            _ => Err(self.bad(format!("`{global}` is no function"))),
        }
    }

    fn tag(&mut self, id: ValueId, tag: Tag) -> Result<ValueId, Error> {
        let place = match &mut self.values[id.index()] {
            Value::List(list) => &mut list.tag,
            Value::Dict(dict) if !matches!(tag, Tag::Built(_)) => &mut dict.tag,
            other => {
                let kind = other.kind();
                return Err(self.bad(format!("{kind} gets a container's type")));
            }
        };
        if *place != Tag::None && *place != tag {
            return Err(self.bad("a container gets a second type"));
        }
        *place = tag;
        Ok(id)
    }

    /// `('storage', torch.FloatStorage, key, device, numel)`, in files before PyTorch 1.6 with a sixth part.
    fn persistent(&mut self) -> Result<(), Error> {
        let id = self.pop()?;
        let ids = match &self.values[id.index()] {
            Value::Tuple(items) => items.to_vec(),
            other => return Err(self.bad(format!("a persistent id is {}, expected a tuple", other.kind()))),
        };
        let a = Arguments { machine: self, name: "a persistent id".to_string(), ids: &ids };
        let (head, rest) = ids.split_first_chunk::<5>().ok_or_else(|| self.bad("a persistent id has too few parts"))?;
        let [kind, storage, key, device, numel] = *head;
        if !matches!(&self.values[kind.index()], Value::Str(text) if **text == *b"storage") {
            return Err(self.bad("a persistent id is not of kind 'storage'"));
        }
        let whole = match rest {
            [] => true,
            [view] => matches!(self.values[view.index()], Value::None),
            _ => false,
        };
        if !whole {
            return Err(self.bad("a storage that is a view of another is not supported"));
        }
        let dtype = match &self.values[storage.index()] {
            Value::Global(global) => match &**global {
                Global::Storage(dtype) => *dtype,
                other => return Err(self.bad(format!("`{other}` is no type of storage"))),
            },
            other => return Err(self.bad(format!("the type of a storage is {}", other.kind()))),
        };
        let numel = u64::try_from(a.int(numel)?).map_err(|_| self.bad("a storage with a negative size"))?;
        let storage = StorageRef { key: a.text(key)?, dtype, device: a.text(device)?, numel };
        if storage.byte_count().is_none_or(|b| i64::try_from(b).is_err()) {
            return Err(self.bad(format!("a storage of {numel} elements is larger than any file")));
        }
        self.push(Value::Storage(Box::new(storage)))
    }
}
