//! Pickles are written with the opcodes and the memo of PyTorch's C++ writer, so that every PyTorch reads them; equal values give equal bytes.

use super::opcode::Op;
use super::{Pickle, Quantizer, StorageRef, Tag, TensorRef, Value, ValueId};
use crate::Error;
use std::collections::HashMap;

/// What is left to be written; a stack, so that depth costs no recursion.
#[derive(Clone, Copy)]
enum Work<'a> {
    Value(ValueId),
    Op(Op),
    Int(i64),
    Global(&'a str, &'a str),
    Text(&'a [u8]),
    /// Memoizes the top of the stack as this value.
    Remember(ValueId),
}

struct Writer<'a> {
    pickle: &'a Pickle,
    entry: &'a str,
    out: Vec<u8>,
    work: Vec<Work<'a>>,
    memoized: u32,
    values: HashMap<ValueId, u32>,
    texts: HashMap<&'a [u8], u32>,
    globals: HashMap<String, u32>,
    devices: HashMap<&'a str, u32>,
    storages: HashMap<&'a StorageRef, u32>,
}

impl Pickle {
    /// The bytes of the pickle. `entry` is for messages.
    pub fn write(&self, entry: &str) -> Result<Vec<u8>, Error> {
        let mut writer = Writer {
            pickle: self,
            entry,
            out: vec![Op::Proto.code(), 2],
            work: vec![Work::Op(Op::Stop), Work::Value(self.root_id())],
            memoized: 0,
            values: HashMap::new(),
            texts: HashMap::new(),
            globals: HashMap::new(),
            devices: HashMap::new(),
            storages: HashMap::new(),
        };
        while let Some(work) = writer.work.pop() {
            match work {
                Work::Op(op) => writer.op(op),
                Work::Int(n) => writer.int(n),
                Work::Value(id) => writer.value(id)?,
                Work::Global(module, name) => writer.global(module, name),
                Work::Text(text) => writer.text(text)?,
                Work::Remember(id) => {
                    let number = writer.put();
                    writer.values.insert(id, number);
                }
            }
        }
        Ok(writer.out)
    }
}

impl<'a> Writer<'a> {
    fn op(&mut self, op: Op) {
        self.out.push(op.code());
    }

    fn put(&mut self) -> u32 {
        let number = self.memoized;
        match u8::try_from(number) {
            Ok(short) => self.out.extend([Op::BinPut.code(), short]),
            Err(_) => {
                self.op(Op::LongBinPut);
                self.out.extend(number.to_le_bytes());
            }
        }
        self.memoized += 1;
        number
    }

    fn get(&mut self, number: u32) {
        match u8::try_from(number) {
            Ok(short) => self.out.extend([Op::BinGet.code(), short]),
            Err(_) => {
                self.op(Op::LongBinGet);
                self.out.extend(number.to_le_bytes());
            }
        }
    }

    fn int(&mut self, n: i64) {
        if let Ok(n) = u8::try_from(n) {
            self.out.extend([Op::BinInt1.code(), n]);
        } else if let Ok(n) = u16::try_from(n) {
            self.op(Op::BinInt2);
            self.out.extend(n.to_le_bytes());
        } else if let Ok(n) = i32::try_from(n) {
            self.op(Op::BinInt);
            self.out.extend(n.to_le_bytes());
        } else {
            self.out.extend([Op::Long1.code(), 8]);
            self.out.extend(n.to_le_bytes());
        }
    }

    fn float(&mut self, x: f64) {
        self.op(Op::BinFloat);
        self.out.extend(x.to_be_bytes());
    }

    fn bool(&mut self, b: bool) {
        self.op(if b { Op::NewTrue } else { Op::NewFalse });
    }

    fn text(&mut self, text: &'a [u8]) -> Result<(), Error> {
        if let Some(&number) = self.texts.get(text) {
            self.get(number);
            return Ok(());
        }
        let too_long = || Error::unsupported(self.entry, "a string of 4 GiB or more", "a shorter string");
        let length = u32::try_from(text.len()).map_err(|_| too_long())?;
        self.op(Op::BinUnicode);
        self.out.extend(length.to_le_bytes());
        self.out.extend(text);
        let number = self.put();
        self.texts.insert(text, number);
        Ok(())
    }

    fn global(&mut self, module: &str, name: &str) {
        let key = format!("{module}\n{name}\n");
        if let Some(&number) = self.globals.get(&key) {
            return self.get(number);
        }
        self.op(Op::Global);
        self.out.extend(key.as_bytes());
        let number = self.put();
        self.globals.insert(key, number);
    }

    /// A class by its qualified name.
    fn class(&mut self, name: &str) -> Result<(), Error> {
        let (module, name) = name.rsplit_once('.').ok_or_else(|| {
            Error::unsupported(self.entry, format!("class `{name}`"), "a qualified name such as __torch__.M")
        })?;
        self.global(module, name);
        Ok(())
    }

    /// Does all of `steps` next, in their order.
    fn then(&mut self, steps: impl IntoIterator<Item = Work<'a>>) {
        let from = self.work.len();
        self.work.extend(steps);
        self.work[from..].reverse();
    }

    fn value(&mut self, id: ValueId) -> Result<(), Error> {
        if let Some(&number) = self.values.get(&id) {
            self.get(number);
            return Ok(());
        }
        let pickle = self.pickle;
        let value = &pickle[id];
        // What has identity is memoized when it is complete.
        if value.has_identity() {
            self.work.push(Work::Remember(id));
        }
        match value {
            Value::None => self.op(Op::None),
            Value::Bool(b) => self.bool(*b),
            Value::Int(n) => self.int(*n),
            Value::BigInt(digits) => self.big(digits)?,
            Value::Float(x) => self.float(*x),
            Value::Complex(c) => {
                self.global("builtins", "complex");
                self.float(c[0]);
                self.float(c[1]);
                self.op(Op::Tuple2);
                self.op(Op::Reduce);
            }
            Value::Str(text) => self.text(text)?,
            Value::Bytes(bytes) => self.bytes(bytes)?,
            Value::Tuple(items) => {
                let items = items.iter().map(|i| Work::Value(*i));
                match items.len() {
                    0 => self.op(Op::EmptyTuple),
                    n @ 1..=3 => {
                        let op = [Op::Tuple1, Op::Tuple2, Op::Tuple3][n - 1];
                        self.then(items.chain([Work::Op(op)]));
                    }
                    _ => {
                        self.op(Op::Mark);
                        self.then(items.chain([Work::Op(Op::Tuple)]));
                    }
                }
            }
            Value::List(list) => {
                self.start_tag(&list.tag);
                self.op(Op::EmptyList);
                self.op(Op::Mark);
                self.end_tag(&list.tag);
                self.then(list.items.iter().map(|i| Work::Value(*i)).chain([Work::Op(Op::Appends)]));
            }
            Value::Dict(dict) => {
                self.start_tag(&dict.tag);
                if dict.ordered {
                    self.empty_ordered_dict();
                } else {
                    self.op(Op::EmptyDict);
                }
                self.op(Op::Mark);
                self.end_tag(&dict.tag);
                let items = dict.entries.iter().flat_map(|(k, v)| [Work::Value(*k), Work::Value(*v)]);
                self.then(items.chain([Work::Op(Op::SetItems)]));
            }
            Value::Object(object) => {
                self.class(&object.class)?;
                self.op(Op::EmptyTuple);
                self.op(Op::NewObj);
                self.state(object.state);
            }
            Value::Enum(member) => {
                self.class(&member.class)?;
                self.then([Work::Value(member.value), Work::Op(Op::Reduce)]);
            }
            Value::Tensor(tensor) => self.tensor(tensor)?,
            Value::Sparse(sparse) => {
                self.global("torch._utils", "_rebuild_sparse_tensor");
                self.op(Op::Mark);
                self.int(sparse.layout as i64);
                self.ints(&sparse.sizes);
                self.bool(sparse.requires_grad);
                let hooks = [
                    Work::Global("collections", "OrderedDict"),
                    Work::Op(Op::EmptyTuple),
                    Work::Op(Op::Reduce),
                    Work::Op(Op::Tuple),
                    Work::Op(Op::Reduce),
                ];
                self.then(sparse.parts.iter().map(|p| Work::Value(*p)).chain(hooks));
            }
            Value::TensorId(n) => {
                self.global("torch.jit._pickle", "build_tensor_from_id");
                self.op(Op::Mark);
                self.int(*n);
                self.op(Op::Tuple);
                self.op(Op::Reduce);
            }
            Value::Storage(storage) => self.storage(storage)?,
            Value::Device(device) => self.device(device)?,
            Value::DType(dtype) => self.global("torch", dtype.torch_name()),
            Value::QScheme(scheme) => self.global("torch", scheme.name()),
            Value::Layout(layout) => self.global("torch", layout.torch_name()),
            Value::Global(global) => {
                return Err(Error::unsupported(self.entry, format!("the name `{global}` as a value"), "a value"));
            }
        }
        Ok(())
    }

    /// Attributes are a plain dictionary that nothing else refers to; what `__getstate__` gave may be anything.
    fn state(&mut self, state: ValueId) {
        let pickle = self.pickle;
        match &pickle[state] {
            Value::Dict(dict) if dict.tag == Tag::None && !dict.ordered => {
                self.op(Op::EmptyDict);
                self.op(Op::Mark);
                let items = dict.entries.iter().flat_map(|(k, v)| [Work::Value(*k), Work::Value(*v)]);
                self.then(items.chain([Work::Op(Op::SetItems), Work::Op(Op::Build)]));
            }
            _ => self.then([Work::Value(state), Work::Op(Op::Build)]),
        }
    }

    fn start_tag(&mut self, tag: &Tag) {
        match tag {
            Tag::None => {}
            Tag::Built(kind) => {
                self.global("torch.jit._pickle", kind.function());
                self.op(Op::Mark);
            }
            Tag::Type(_) => self.global("torch.jit._pickle", "restore_type_tag"),
        }
    }

    /// Comes before the items in the code, because the work is a stack.
    fn end_tag(&mut self, tag: &'a Tag) {
        match tag {
            Tag::None => {}
            Tag::Built(_) => self.then([Work::Op(Op::Tuple), Work::Op(Op::Reduce)]),
            Tag::Type(text) => {
                self.then([Work::Text(text.as_bytes()), Work::Op(Op::Tuple2), Work::Op(Op::Reduce)]);
            }
        }
    }

    fn empty_ordered_dict(&mut self) {
        self.global("collections", "OrderedDict");
        self.op(Op::EmptyTuple);
        self.op(Op::Reduce);
    }

    fn ints(&mut self, numbers: &[i64]) {
        self.op(Op::Mark);
        numbers.iter().for_each(|n| self.int(*n));
        self.op(Op::Tuple);
    }

    fn tensor(&mut self, tensor: &'a TensorRef) -> Result<(), Error> {
        // A view of another type than its storage's needs the form that names the type.
        let same = tensor.storage.dtype == Some(tensor.dtype);
        let function = match &tensor.quantizer {
            Some(_) => "_rebuild_qtensor",
            None if same => "_rebuild_tensor_v2",
            None => "_rebuild_tensor_v3",
        };
        if tensor.parameter {
            self.global("torch._utils", "_rebuild_parameter");
            self.op(Op::Mark);
        }
        self.global("torch._utils", function);
        self.op(Op::Mark);
        self.storage(&tensor.storage)?;
        self.int(tensor.offset);
        self.ints(&tensor.sizes);
        self.ints(&tensor.strides);
        let mut parameters = Vec::new();
        if let Some(quantizer) = &tensor.quantizer {
            self.op(Op::Mark);
            match quantizer {
                Quantizer::PerTensor { scheme, scale, zero_point } => {
                    self.global("torch", scheme.name());
                    self.float(*scale);
                    self.int(*zero_point);
                    self.op(Op::Tuple);
                }
                Quantizer::PerChannel { scheme, scales, zero_points, axis } => {
                    self.global("torch", scheme.name());
                    parameters =
                        vec![Work::Value(*scales), Work::Value(*zero_points), Work::Int(*axis), Work::Op(Op::Tuple)];
                }
            }
        }
        let grad = if tensor.requires_grad { Op::NewTrue } else { Op::NewFalse };
        let grad_and_hooks = [
            Work::Op(grad),
            Work::Global("collections", "OrderedDict"),
            Work::Op(Op::EmptyTuple),
            Work::Op(Op::Reduce),
        ];
        let call = [Work::Op(Op::Tuple), Work::Op(Op::Reduce)];
        let mut steps = parameters;
        steps.extend(grad_and_hooks);
        if !same && tensor.quantizer.is_none() {
            steps.push(Work::Global("torch", tensor.dtype.torch_name()));
        }
        steps.extend(call);
        if tensor.parameter {
            steps.extend(grad_and_hooks);
            steps.extend(call);
        }
        self.then(steps);
        Ok(())
    }

    fn storage(&mut self, storage: &'a StorageRef) -> Result<(), Error> {
        if let Some(&number) = self.storages.get(storage) {
            self.get(number);
            return Ok(());
        }
        self.op(Op::Mark);
        self.text(b"storage")?;
        match storage.dtype {
            Some(dtype) => self.global("torch", &format!("{}Storage", dtype.scalar_type_name())),
            None => self.global("torch.storage", "UntypedStorage"),
        }
        self.text(storage.key.as_bytes())?;
        self.text(storage.device.as_bytes())?;
        let numel = i64::try_from(storage.numel);
        self.int(numel.map_err(|_| Error::unsupported(self.entry, "a storage beyond 63 bits", "a smaller one"))?);
        self.op(Op::Tuple);
        self.op(Op::BinPersId);
        let number = self.put();
        self.storages.insert(storage, number);
        Ok(())
    }

    fn device(&mut self, device: &'a str) -> Result<(), Error> {
        if let Some(&number) = self.devices.get(device) {
            self.get(number);
            return Ok(());
        }
        self.global("torch", "device");
        self.text(device.as_bytes())?;
        self.op(Op::Tuple1);
        self.op(Op::Reduce);
        let number = self.put();
        self.devices.insert(device, number);
        Ok(())
    }

    /// Protocol 2 has no bytes: they are text of characters below 256 that a function turns back.
    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let text: String = bytes.iter().map(|b| char::from(*b)).collect();
        let length = u32::try_from(text.len());
        let length = length.map_err(|_| Error::unsupported(self.entry, "4 GiB of bytes or more", "fewer bytes"))?;
        self.global("_codecs", "encode");
        self.op(Op::BinUnicode);
        self.out.extend(length.to_le_bytes());
        self.out.extend(text.as_bytes());
        self.text(b"latin1")?;
        self.op(Op::Tuple2);
        self.op(Op::Reduce);
        Ok(())
    }

    fn big(&mut self, digits: &str) -> Result<(), Error> {
        let bytes = super::opcode::from_decimal(digits);
        let bytes = bytes
            .ok_or_else(|| Error::unsupported(self.entry, format!("the integer {digits}"), "at most 255 bytes"))?;
        self.op(Op::Long1);
        self.out.push(bytes.len() as u8);
        self.out.extend(bytes);
        Ok(())
    }
}
