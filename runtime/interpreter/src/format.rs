//! The `.sconce` file: a program as bytes, little-endian and versioned. Every count is checked against the bytes that are left before
//! anything is made of it, so a damaged file is an error and nothing else.
//!
//! Layout: magic, version, the CRC-32 of all that follows, then the program's tables in the order in which [`Program`] declares them. A count is a `u32`,
//! text and bytes are a count and that many bytes.

mod objects;
mod read;

pub use read::{Read, Reader};

use crate::program::{Condition, Function, Op, Program, Region, Target};
use sconce_schema::Type;
use sconce_schema::packed::PackedClass;
use sconce_schema::types::{Device, Dim};
use sconce_tensor::{IValue, Tensor};

/// The first bytes of a `.sconce` file.
pub const MAGIC: [u8; 8] = *b"SCONCE\r\n";
const VERSION: u32 = 7;
/// Where the sum stands, and where what it is of begins.
const SUM: std::ops::Range<usize> = 12..16;
/// Nesting of types and constants.
const MAX_DEPTH: u32 = 100;

/// Why bytes are not a program, or a program cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    #[error("not a .sconce file: it does not begin with its magic bytes")]
    Magic,
    #[error("version {0} of the .sconce format; this build reads version {VERSION}")]
    Version(u32),
    #[error("the checksum is {found:08x} where the file says {expected:08x}: it is damaged")]
    Checksum { found: u32, expected: u32 },
    #[error("byte {offset}: {what}")]
    Damaged { offset: usize, what: String },
    #[error("damaged program: {0}")]
    Invalid(#[from] crate::program::Invalid),
    #[error("a program with {0} cannot be written to a file")]
    Unwritable(&'static str),
}

impl Program {
    /// The program as a `.sconce` file. Fails for constants that have no bytes: futures and generators.
    pub fn to_bytes(&self) -> Result<Vec<u8>, FormatError> {
        let mut w = Writer::default();
        w.out.extend_from_slice(&MAGIC);
        w.u32(VERSION);
        w.u32(0);
        w.program(self)?;
        let sum = crc32fast::hash(&w.out[SUM.end..]);
        w.out[SUM].copy_from_slice(&sum.to_le_bytes());
        Ok(w.out)
    }

    /// A program from a `.sconce` file, verified.
    pub fn from_bytes(bytes: &[u8]) -> Result<Program, FormatError> {
        if bytes.get(..8) != Some(&MAGIC) {
            return Err(FormatError::Magic);
        }
        let mut r = Reader { bytes, at: 8, met: objects::Met::default() };
        let version = r.u32()?;
        if version != VERSION {
            return Err(FormatError::Version(version));
        }
        let expected = r.u32()?;
        let found = crc32fast::hash(&bytes[SUM.end..]);
        if found != expected {
            return Err(FormatError::Checksum { found, expected });
        }
        let program = r.program()?;
        if r.at != bytes.len() {
            return Err(r.damaged("bytes after the program's end"));
        }
        program.verify()?;
        objects::verify(&program, &r.met.objects)?;
        Ok(program)
    }
}

/// Writes counts, texts, types and values as `.sconce` files have them.
#[derive(Default)]
pub struct Writer {
    out: Vec<u8>,
    met: objects::Met,
}

impl Writer {
    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out
    }
    pub fn u8(&mut self, v: u8) {
        self.out.push(v);
    }
    pub fn u32(&mut self, v: u32) {
        self.out.extend_from_slice(&v.to_le_bytes());
    }
    pub fn i64(&mut self, v: i64) {
        self.out.extend_from_slice(&v.to_le_bytes());
    }
    pub fn f64(&mut self, v: f64) {
        self.out.extend_from_slice(&v.to_bits().to_le_bytes());
    }
    pub fn count(&mut self, n: usize) -> Result<(), FormatError> {
        self.u32(u32::try_from(n).map_err(|_| FormatError::Unwritable("more than 2^32 items in one table"))?);
        Ok(())
    }
    pub fn bytes(&mut self, b: &[u8]) -> Result<(), FormatError> {
        self.count(b.len())?;
        self.out.extend_from_slice(b);
        Ok(())
    }
    pub fn text(&mut self, s: &str) -> Result<(), FormatError> {
        self.bytes(s.as_bytes())
    }
    pub fn list<T>(
        &mut self,
        items: &[T],
        mut each: impl FnMut(&mut Writer, &T) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        self.count(items.len())?;
        items.iter().try_for_each(|i| each(self, i))
    }
    pub fn option<T>(
        &mut self,
        item: Option<T>,
        each: impl FnOnce(&mut Writer, T) -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        self.u8(u8::from(item.is_some()));
        item.map_or(Ok(()), |i| each(self, i))
    }

    fn program(&mut self, p: &Program) -> Result<(), FormatError> {
        self.list(&p.functions, Writer::function)?;
        self.list(&p.constants, |w, c| w.value(c, 0))?;
        self.list(&p.named, |w, n| {
            w.text(&n.name)?;
            w.u32(n.constant);
            Ok(())
        })?;
        self.option(p.init.as_ref(), |w, init| {
            w.u32(init.function);
            w.list(&init.constants, |w, c| {
                w.u32(*c);
                Ok(())
            })
        })?;
        self.list(&p.classes, |w, c| {
            w.text(&c.name)?;
            w.text(c.kind.word())?;
            w.list(&c.attributes, |w, a| {
                w.text(&a.name)?;
                w.ty(&a.ty, 0)?;
                w.u8(a.role as u8);
                Ok(())
            })?;
            w.list(&c.constants, |w, (name, value)| {
                w.text(name)?;
                w.value(value, 0)
            })?;
            w.list(&c.methods, |w, (name, f)| {
                w.text(name)?;
                w.u32(*f);
                Ok(())
            })?;
            w.list(&c.required, |w, name| w.text(name))
        })?;
        self.list(&p.regions, Writer::region)?;
        self.list(&p.operators, |w, o| w.text(o))?;
        self.list(&p.names, |w, n| w.text(n))?;
        self.list(&p.types, |w, t| w.ty(t, 0))?;
        self.list(&p.sources, |w, s| {
            w.text(s.name())?;
            w.option(s.is_known().then(|| s.text()), |w, t| w.text(t))?;
            w.u32(s.first_line());
            Ok(())
        })?;
        self.option(p.entry, |w, f| {
            w.u32(f);
            Ok(())
        })?;
        self.option(p.object.as_ref(), |w, o| w.value(o, 0))
    }

    fn function(&mut self, f: &Function) -> Result<(), FormatError> {
        self.text(&f.name)?;
        self.list(&f.parameters, |w, p| {
            w.text(&p.name)?;
            w.ty(&p.ty, 0)?;
            w.option(p.default.as_ref(), |w, v| w.value(v, 0))?;
            w.u8(u8::from(p.kwarg_only));
            Ok(())
        })?;
        self.list(&f.results, |w, t| w.ty(t, 0))?;
        self.option(f.schema.as_ref(), |w, s| w.text(s))?;
        self.u32(f.registers);
        self.count(f.code.len())?;
        for (pc, i) in f.code.iter().enumerate() {
            let (code, a, b) = op_to_numbers(i.op);
            self.u8(code);
            self.u32(a);
            self.u32(b);
            // Ranges of the pools follow from the counts: they are written in order.
            self.list(f.inputs(i), |w, o| {
                w.u32(o.register());
                w.u8(u8::from(o.is_move()));
                Ok(())
            })?;
            self.list(f.outputs(i), |w, r| {
                w.u32(*r);
                Ok(())
            })?;
            self.option(f.places.get(pc).copied().flatten(), |w, p| {
                w.u32(p.source);
                w.u32(p.line);
                w.u32(p.column);
                w.u32(p.length);
                Ok(())
            })?;
        }
        self.list(&f.value_names, |w, n| w.option(n.as_ref(), |w, n| w.text(n)))
    }

    fn region(&mut self, r: &Region) -> Result<(), FormatError> {
        self.text(&r.name)?;
        self.u32(r.fallback);
        self.list(&r.guards, |w, g| {
            w.u32(g.input);
            match &g.condition {
                Condition::DType(d) => {
                    w.u8(0);
                    w.u8(d.number() as u8);
                }
                Condition::Rank(n) => {
                    w.u8(1);
                    w.u32(*n);
                }
                Condition::Size { dim, size } => {
                    w.u8(2);
                    w.u32(*dim);
                    w.i64(*size);
                }
                Condition::Multiple { dim, of } => {
                    w.u8(3);
                    w.u32(*dim);
                    w.i64(*of);
                }
                Condition::SameSize { dim, other, other_dim } => {
                    w.u8(4);
                    w.u32(*dim);
                    w.u32(*other);
                    w.u32(*other_dim);
                }
                Condition::Contiguous => w.u8(5),
                Condition::Device(kind) => {
                    w.u8(6);
                    w.text(kind)?;
                }
                Condition::Int(n) => {
                    w.u8(7);
                    w.i64(*n);
                }
                Condition::Bool(b) => {
                    w.u8(8);
                    w.u8(u8::from(*b));
                }
                Condition::Float(f) => {
                    w.u8(9);
                    w.f64(*f);
                }
                Condition::IsNone => w.u8(10),
            }
            Ok(())
        })?;
        self.list(&r.codes, |w, c| {
            w.u8(match c.target {
                Target::Cpu => 0,
                Target::Ptx => 1,
            });
            w.bytes(&c.bytes)?;
            w.list(&c.metadata, |w, (k, v)| {
                w.text(k)?;
                w.text(v)
            })
        })
    }

    /// A value that is nested so deep.
    ///
    /// # Errors
    /// Futures and generators, which have no bytes.
    pub fn value(&mut self, v: &IValue, depth: u32) -> Result<(), FormatError> {
        if depth > MAX_DEPTH {
            return Err(FormatError::Unwritable("constants nested more than 100 deep"));
        }
        match v {
            IValue::None => self.u8(0),
            IValue::Bool(b) => {
                self.u8(1);
                self.u8(u8::from(*b));
            }
            IValue::Int(i) => {
                self.u8(2);
                self.i64(*i);
            }
            IValue::Double(d) => {
                self.u8(3);
                self.f64(*d);
            }
            IValue::Complex(c) => {
                self.u8(4);
                self.f64(c.re);
                self.f64(c.im);
            }
            IValue::Str(s) => {
                self.u8(5);
                self.text(s)?;
            }
            IValue::Device(d) => {
                self.u8(6);
                self.device(d)?;
            }
            IValue::Tensor(t) if self.met.inside > 0 && t.quantizer().is_none() => {
                self.u8(15);
                self.shared_tensor(t)?;
            }
            IValue::Tensor(t) => {
                self.u8(7);
                self.tensor(t)?;
            }
            IValue::List(l) => {
                self.u8(8);
                self.ty(&l.element, 0)?;
                self.list(&l.to_vec(), |w, v| w.value(v, depth + 1))?;
            }
            IValue::Tuple(t) => {
                self.u8(9);
                self.option(t.names.as_ref(), |w, n| w.ty(&Type::NamedTuple(n.clone()), 0))?;
                self.list(&t.items, |w, v| w.value(v, depth + 1))?;
            }
            IValue::Dict(d) => {
                self.u8(10);
                self.ty(&d.key, 0)?;
                self.ty(&d.value, 0)?;
                let items: Vec<(IValue, IValue)> = d.read().iter().map(|(k, v)| (k.to_value(), v.clone())).collect();
                self.list(&items, |w, (k, v)| {
                    w.value(k, depth + 1)?;
                    w.value(v, depth + 1)
                })?;
            }
            IValue::Enum(e) => {
                self.u8(11);
                self.text(&e.class)?;
                self.text(&e.name)?;
                self.value(&e.value, depth + 1)?;
            }
            IValue::Uninitialized => self.u8(12),
            IValue::Object(o) if PackedClass::named(&o.class).is_some() => {
                self.u8(13);
                self.text(&o.class)?;
                let slots: Vec<IValue> = (0..o.names.len()).map(|slot| o.get(slot).unwrap_or_default()).collect();
                self.list(&slots, |w, v| w.value(v, depth + 1))?;
            }
            IValue::Object(o) => {
                self.u8(14);
                self.object(o, depth + 1)?;
            }
            IValue::Future(_) => return Err(FormatError::Unwritable("a future as a constant")),
            IValue::Generator(_) => return Err(FormatError::Unwritable("a generator as a constant")),
        }
        Ok(())
    }

    /// The elements in row-major order; strides are kept where the elements lie dense in another order.
    fn tensor(&mut self, t: &Tensor) -> Result<(), FormatError> {
        self.u8(t.dtype().number() as u8);
        self.list(t.sizes(), |w, s| {
            w.i64(*s);
            Ok(())
        })?;
        self.list(t.strides(), |w, s| {
            w.i64(*s);
            Ok(())
        })?;
        let quantized = u8::from(t.quantizer().is_some()) << 2;
        self.u8(u8::from(t.requires_grad()) | u8::from(t.is_wrapped_number()) << 1 | quantized);
        let extent = span(t.sizes(), t.strides()).unwrap_or(0);
        let whole = t.as_strided(&[extent], &[1], t.storage_offset());
        let whole = whole.map_err(|_| FormatError::Unwritable("a tensor outside its storage"))?;
        let whole = whole.reread(whole.dtype().underlying(), None);
        let bytes = sconce_tensor::dispatch!(whole.dtype(), T => element_bytes::<T>(&whole),
            _other => return Err(FormatError::Unwritable("a constant of bits")));
        self.bytes(&bytes)?;
        let Some(q) = t.quantizer() else { return Ok(()) };
        self.text(q.scheme().name())?;
        self.i64(q.axis().unwrap_or(0) as i64);
        for numbers in [q.scales(), q.zero_points()] {
            self.list(numbers, |w, n| {
                w.f64(*n);
                Ok(())
            })?;
        }
        Ok(())
    }

    fn device(&mut self, d: &Device) -> Result<(), FormatError> {
        self.text(&d.kind)?;
        self.option(d.index, |w, i| {
            w.u32(i as u32);
            Ok(())
        })
    }

    fn dims(&mut self, dims: &[Dim]) -> Result<(), FormatError> {
        self.list(dims, |w, d| {
            match d {
                Dim::Known(n) => {
                    w.u8(0);
                    w.i64(*n);
                }
                Dim::Unknown => w.u8(1),
                Dim::Symbol(n) => {
                    w.u8(2);
                    w.i64(*n);
                }
            }
            Ok(())
        })
    }

    /// A type that is nested so deep.
    ///
    /// # Errors
    /// Types beyond the bound of nesting.
    pub fn ty(&mut self, ty: &Type, depth: u32) -> Result<(), FormatError> {
        if depth > MAX_DEPTH {
            return Err(FormatError::Unwritable("types nested more than 100 deep"));
        }
        if let Some(code) = PLAIN.iter().position(|t| t == ty) {
            self.u8(code as u8);
            return Ok(());
        }
        match ty {
            Type::Tensor(t) => {
                self.u8(64);
                self.option(t.dtype, |w, d| {
                    w.u8(d.number() as u8);
                    Ok(())
                })?;
                self.option(t.sizes.as_ref(), |w, s| w.dims(s))?;
                self.option(t.strides.as_ref(), |w, s| w.dims(s))?;
                self.option(t.device.as_ref(), |w, d| w.device(d))?;
                for flag in [t.requires_grad, t.undefined] {
                    self.option(flag, |w, f| {
                        w.u8(u8::from(f));
                        Ok(())
                    })?;
                }
            }
            Type::List(t) => self.wrapper(65, t, depth)?,
            Type::Optional(t) => self.wrapper(66, t, depth)?,
            Type::Future(t) => self.wrapper(67, t, depth)?,
            Type::Await(t) => self.wrapper(68, t, depth)?,
            Type::RRef(t) => self.wrapper(69, t, depth)?,
            Type::Dict(k, v) => {
                self.wrapper(70, k, depth)?;
                self.ty(v, depth + 1)?;
            }
            Type::Tuple(t) => {
                self.u8(71);
                self.list(t, |w, t| w.ty(t, depth + 1))?;
            }
            Type::Union(t) => {
                self.u8(72);
                self.list(t, |w, t| w.ty(t, depth + 1))?;
            }
            Type::NamedTuple(n) => {
                self.u8(73);
                self.text(&n.name)?;
                self.list(&n.fields, |w, (name, t)| {
                    w.text(name)?;
                    w.ty(t, depth + 1)
                })?;
                self.list(&n.defaults, |w, d| w.option(d.as_ref(), |w, d| w.text(d)))?;
            }
            Type::Enum(n) => self.named(74, n)?,
            Type::Class(n) => self.named(75, n)?,
            Type::Var(n) => self.named(76, n)?,
            _ => return Err(FormatError::Unwritable("a type the format does not know")),
        }
        Ok(())
    }

    fn wrapper(&mut self, code: u8, inner: &Type, depth: u32) -> Result<(), FormatError> {
        self.u8(code);
        self.ty(inner, depth + 1)
    }
    fn named(&mut self, code: u8, name: &str) -> Result<(), FormatError> {
        self.u8(code);
        self.text(name)
    }
}

/// Types that are a name and nothing more, by their number in the file.
const PLAIN: &[Type] = &[
    Type::Any,
    Type::Int,
    Type::Float,
    Type::Complex,
    Type::Bool,
    Type::Str,
    Type::None,
    Type::Number,
    Type::Device,
    Type::Generator,
    Type::Stream,
    Type::Storage,
    Type::QScheme,
    Type::Layout,
    Type::MemoryFormat,
    Type::ScalarType,
    Type::SymInt,
    Type::SymFloat,
    Type::SymBool,
    Type::Capsule,
    Type::PyObject,
    Type::Function,
    Type::AnyList,
    Type::AnyTuple,
    Type::AnyClass,
    Type::AnyEnum,
];

/// Elements from the first to the last of a strided view; `None` on overflow.
fn span(sizes: &[i64], strides: &[i64]) -> Option<i64> {
    if sizes.contains(&0) {
        return Some(0);
    }
    let mut last = 0i64;
    for (&size, &stride) in sizes.iter().zip(strides) {
        last = last.checked_add(size.checked_sub(1)?.checked_mul(stride)?)?;
    }
    last.checked_add(1)
}

/// Elements to and from little-endian bytes.
trait Bytes: Sized {
    fn write(self, out: &mut Vec<u8>);
    /// From exactly as many bytes as the element has.
    fn read(bytes: &[u8]) -> Option<Self>;
}
macro_rules! plain_bytes {
    ($($t:ty),*) => { $(
        impl Bytes for $t {
            fn write(self, out: &mut Vec<u8>) { out.extend_from_slice(&self.to_le_bytes()); }
            fn read(bytes: &[u8]) -> Option<$t> { Some(<$t>::from_le_bytes(bytes.try_into().ok()?)) }
        }
    )* };
}
plain_bytes!(u8, i8, i16, i32, i64, u16, u32, u64, f32, f64, sconce_tensor::f16, sconce_tensor::bf16);
impl Bytes for sconce_tensor::Bool {
    fn write(self, out: &mut Vec<u8>) {
        out.push(u8::from(self.get()));
    }
    fn read(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0] => Some(false.into()),
            [1] => Some(true.into()),
            _ => None,
        }
    }
}
impl<T: Bytes> Bytes for sconce_tensor::Complex<T> {
    fn write(self, out: &mut Vec<u8>) {
        self.re.write(out);
        self.im.write(out);
    }
    fn read(bytes: &[u8]) -> Option<Self> {
        let (re, im) = bytes.split_at_checked(bytes.len() / 2)?;
        Some(sconce_tensor::Complex::new(T::read(re)?, T::read(im)?))
    }
}

fn element_bytes<T: sconce_tensor::Element + Bytes>(t: &Tensor) -> Vec<u8> {
    let mut out = Vec::with_capacity(t.numel() * size_of::<T>());
    t.to_vec::<T>().into_iter().for_each(|v| v.write(&mut out));
    out
}

fn elements_from<T: sconce_tensor::Element + Bytes>(bytes: &[u8]) -> Option<Tensor> {
    let items: Vec<T> = bytes.chunks_exact(size_of::<T>()).map(T::read).collect::<Option<_>>()?;
    let n = i64::try_from(items.len()).ok()?;
    Some(Tensor::from_vec(items, &[n]))
}

/// An operation's number in the file, and what it carries.
fn op_to_numbers(op: Op) -> (u8, u32, u32) {
    match op {
        Op::Load => (0, 0, 0),
        Op::Store => (1, 0, 0),
        Op::Constant(c) => (2, c, 0),
        Op::Call(o) => (3, o, 0),
        Op::Move => (4, 0, 0),
        Op::Drop => (5, 0, 0),
        Op::Jump(t) => (6, t, 0),
        Op::JumpUnless(t) => (7, t, 0),
        Op::LoopUnless(t) => (8, t, 0),
        Op::Next => (9, 0, 0),
        Op::TupleConstruct => (10, 0, 0),
        Op::NamedTupleConstruct(t) => (11, t, 0),
        Op::TupleUnpack => (12, 0, 0),
        Op::TupleIndex => (13, 0, 0),
        Op::TupleSlice { start, end } => (14, start, end),
        Op::ListConstruct(t) => (15, t, 0),
        Op::ListUnpack => (16, 0, 0),
        Op::DictConstruct(t) => (17, t, 0),
        Op::ConstantChunk { chunks, dim } => (18, chunks, dim as u32),
        Op::IsInstance(t) => (19, t, 0),
        Op::UncheckedCast(t) => (20, t, 0),
        Op::Uninitialized => (21, 0, 0),
        Op::Raise => (22, 0, 0),
        Op::Print => (23, 0, 0),
        Op::CreateObject(c) => (24, c, 0),
        Op::GetAttr(n) => (25, n, 0),
        Op::SetAttr(n) => (26, n, 0),
        Op::CallFunction(f) => (27, f, 0),
        Op::CallMethod(n) => (28, n, 0),
        Op::Fork(f) => (29, f, 0),
        Op::Wait => (30, 0, 0),
        Op::EnumName => (31, 0, 0),
        Op::EnumValue => (32, 0, 0),
        Op::ToList(t) => (33, t, 0),
        Op::Enter => (34, 0, 0),
        Op::Exit => (35, 0, 0),
        Op::Region(r) => (36, r, 0),
        Op::CopyTensor => (37, 0, 0),
    }
}

fn op_from_numbers(code: u8, a: u32, b: u32) -> Option<Op> {
    Some(match code {
        0 => Op::Load,
        1 => Op::Store,
        2 => Op::Constant(a),
        3 => Op::Call(a),
        4 => Op::Move,
        5 => Op::Drop,
        6 => Op::Jump(a),
        7 => Op::JumpUnless(a),
        8 => Op::LoopUnless(a),
        9 => Op::Next,
        10 => Op::TupleConstruct,
        11 => Op::NamedTupleConstruct(a),
        12 => Op::TupleUnpack,
        13 => Op::TupleIndex,
        14 => Op::TupleSlice { start: a, end: b },
        15 => Op::ListConstruct(a),
        16 => Op::ListUnpack,
        17 => Op::DictConstruct(a),
        18 => Op::ConstantChunk { chunks: a, dim: b as i32 },
        19 => Op::IsInstance(a),
        20 => Op::UncheckedCast(a),
        21 => Op::Uninitialized,
        22 => Op::Raise,
        23 => Op::Print,
        24 => Op::CreateObject(a),
        25 => Op::GetAttr(a),
        26 => Op::SetAttr(a),
        27 => Op::CallFunction(a),
        28 => Op::CallMethod(a),
        29 => Op::Fork(a),
        30 => Op::Wait,
        31 => Op::EnumName,
        32 => Op::EnumValue,
        33 => Op::ToList(a),
        34 => Op::Enter,
        35 => Op::Exit,
        36 => Op::Region(a),
        37 => Op::CopyTensor,
        _ => return None,
    })
}
