//! Reading: every count is checked against the bytes that are left before anything is made of it.

use super::{FormatError, MAX_DEPTH, PLAIN, elements_from, objects, op_from_numbers};
use crate::program::{
    Attribute, Class, ClassKind, Condition, Function, Guard, Init, Instruction, NamedConstant, Operand, Parameter,
    Place, Program, Region, RegionCode, Role, Target,
};
use sconce_schema::dtype::QScheme;
use sconce_schema::packed::PackedClass;
use sconce_schema::types::{Device, Dim, NamedTuple, TensorType};
use sconce_schema::{DType, Type};
use sconce_source::SourceText;
use sconce_tensor::{Dict, DictKey, EnumValue, IValue, List, Quantizer, Tensor, TensorMetadata, Tuple};
use std::sync::Arc;

/// Reads what [`Writer`] wrote, or says at which byte it is something else.
pub struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) met: objects::Met,
}

/// What was read, or what is wrong with it.
pub type Read<T> = Result<T, FormatError>;

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8]) -> Reader<'a> {
        Reader { bytes, at: 0, met: objects::Met::default() }
    }

    /// Refuses what is left.
    ///
    /// # Errors
    /// Bytes behind what was read last.
    pub fn finish(self) -> Read<()> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(self.damaged("bytes after the end")) }
    }

    pub fn damaged(&self, what: impl Into<String>) -> FormatError {
        FormatError::Damaged { offset: self.at, what: what.into() }
    }

    pub fn take(&mut self, n: usize) -> Read<&'a [u8]> {
        let left = &self.bytes[self.at..];
        let taken = left.get(..n).ok_or_else(|| self.damaged(format!("{n} bytes expected, {} left", left.len())))?;
        self.at += n;
        Ok(taken)
    }
    fn array<const N: usize>(&mut self) -> Read<[u8; N]> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }
    pub fn u8(&mut self) -> Read<u8> {
        Ok(self.array::<1>()?[0])
    }
    pub fn flag(&mut self) -> Read<bool> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(self.damaged(format!("0 or 1 expected, found {other}"))),
        }
    }
    fn role(&mut self) -> Read<Role> {
        let number = self.u8()?;
        let role = [Role::Attribute, Role::Parameter, Role::Buffer].into_iter().find(|r| *r as u8 == number);
        role.ok_or_else(|| self.damaged(format!("no role {number}")))
    }
    pub fn u32(&mut self) -> Read<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }
    pub fn i64(&mut self) -> Read<i64> {
        Ok(i64::from_le_bytes(self.array()?))
    }
    pub fn f64(&mut self) -> Read<f64> {
        Ok(f64::from_bits(u64::from_le_bytes(self.array()?)))
    }
    /// A count of items that take at least one byte each: more than bytes are left is damage.
    pub fn count(&mut self) -> Read<usize> {
        let n = self.u32()? as usize;
        let left = self.bytes.len() - self.at;
        if n > left {
            return Err(self.damaged(format!("{n} items announced, {left} bytes left")));
        }
        Ok(n)
    }
    pub fn text(&mut self) -> Read<&'a str> {
        let n = self.count()?;
        let bytes = self.take(n)?;
        std::str::from_utf8(bytes).map_err(|_| self.damaged("text that is not UTF-8"))
    }
    pub fn list<T>(&mut self, mut each: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let n = self.count()?;
        // Items are larger in memory than in the file; memory grows with what was really read.
        let mut items = Vec::with_capacity(n.min(1024));
        for _ in 0..n {
            items.push(each(self)?);
        }
        Ok(items)
    }
    pub fn option<T>(&mut self, each: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        if self.flag()? { each(self).map(Some) } else { Ok(None) }
    }

    pub(super) fn program(&mut self) -> Read<Program> {
        Ok(Program {
            functions: self.list(Reader::function)?,
            constants: self.list(|r| r.value(0))?,
            named: self.list(|r| Ok(NamedConstant { name: r.text()?.into(), constant: r.u32()? }))?,
            init: self.option(|r| Ok(Init { function: r.u32()?, constants: r.list(Reader::u32)? }))?,
            classes: self.list(|r| {
                let name = r.text()?.into();
                let kind = ClassKind::from_word(r.text()?).ok_or_else(|| r.damaged("no kind of class"))?;
                let attributes = r.list(|r| Ok(Attribute { name: r.text()?.into(), ty: r.ty(0)?, role: r.role()? }))?;
                let constants = r.list(|r| Ok((r.text()?.into(), r.value(0)?)))?;
                let methods = r.list(|r| Ok((r.text()?.into(), r.u32()?)))?;
                let required = r.list(|r| Ok(r.text()?.into()))?;
                let mut class = Class { name, kind, constants, methods, required, ..Class::default() };
                class.set_attributes(attributes);
                Ok(class)
            })?,
            regions: self.list(Reader::region)?,
            operators: self.list(|r| Ok(r.text()?.into()))?,
            names: self.list(|r| Ok(r.text()?.into()))?,
            types: self.list(|r| r.ty(0))?,
            sources: self.list(|r| {
                let (file, text) = (r.text()?, r.option(Reader::text)?.unwrap_or_default());
                Ok(Arc::new(SourceText::numbered(file, text, r.u32()?)))
            })?,
            entry: self.option(Reader::u32)?,
            object: self.option(|r| r.value(0))?,
        })
    }

    fn function(&mut self) -> Read<Function> {
        let mut f = Function {
            name: self.text()?.into(),
            parameters: self.list(|r| {
                Ok(Parameter {
                    name: r.text()?.into(),
                    ty: r.ty(0)?,
                    default: r.option(|r| r.value(0))?,
                    kwarg_only: r.flag()?,
                })
            })?,
            results: self.list(|r| r.ty(0))?,
            schema: self.option(|r| Ok(r.text()?.into()))?,
            registers: self.u32()?,
            ..Function::default()
        };
        let instructions = self.count()?;
        for _ in 0..instructions {
            let (code, a, b) = (self.u8()?, self.u32()?, self.u32()?);
            let op = op_from_numbers(code, a, b).ok_or_else(|| self.damaged(format!("no operation {code}")))?;
            let inputs = self.list(|r| {
                let register = r.u32()?;
                if register >= 1 << 31 {
                    return Err(r.damaged(format!("register {register}")));
                }
                Ok(if r.flag()? { Operand::moved(register) } else { Operand::copy(register) })
            })?;
            let outputs = self.list(Reader::u32)?;
            let place =
                self.option(|r| Ok(Place { source: r.u32()?, line: r.u32()?, column: r.u32()?, length: r.u32()? }))?;
            let (first_in, first_out) = (f.operands.len() as u32, f.outputs.len() as u32);
            f.operands.extend(inputs);
            f.outputs.extend(outputs);
            f.places.push(place);
            f.code.push(Instruction {
                op,
                inputs: (first_in, f.operands.len() as u32),
                outputs: (first_out, f.outputs.len() as u32),
            });
        }
        f.value_names = self.list(|r| r.option(|r| Ok(r.text()?.into())))?;
        Ok(f)
    }

    fn region(&mut self) -> Read<Region> {
        Ok(Region {
            name: self.text()?.into(),
            fallback: self.u32()?,
            guards: self.list(|r| Ok(Guard { input: r.u32()?, condition: r.condition()? }))?,
            codes: self.list(|r| {
                let target = match r.u8()? {
                    0 => Target::Cpu,
                    1 => Target::Ptx,
                    other => return Err(r.damaged(format!("no target {other}"))),
                };
                let n = r.count()?;
                let bytes = r.take(n)?.into();
                let metadata = r.list(|r| Ok((r.text()?.to_owned(), r.text()?.to_owned())))?;
                Ok(RegionCode { target, bytes, metadata })
            })?,
        })
    }

    fn condition(&mut self) -> Read<Condition> {
        Ok(match self.u8()? {
            0 => Condition::DType(self.dtype()?),
            1 => Condition::Rank(self.u32()?),
            2 => Condition::Size { dim: self.u32()?, size: self.i64()? },
            3 => Condition::Multiple { dim: self.u32()?, of: self.i64()? },
            4 => Condition::SameSize { dim: self.u32()?, other: self.u32()?, other_dim: self.u32()? },
            5 => Condition::Contiguous,
            6 => Condition::Device(self.text()?.into()),
            7 => Condition::Int(self.i64()?),
            8 => Condition::Bool(self.flag()?),
            9 => Condition::Float(self.f64()?),
            10 => Condition::IsNone,
            other => return Err(self.damaged(format!("no condition {other}"))),
        })
    }

    pub fn dtype(&mut self) -> Read<DType> {
        let n = self.u8()?;
        DType::from_number(i64::from(n)).ok_or_else(|| self.damaged(format!("no dtype {n}")))
    }

    pub fn value(&mut self, depth: u32) -> Read<IValue> {
        if depth > MAX_DEPTH {
            return Err(self.damaged("constants nested more than 100 deep"));
        }
        Ok(match self.u8()? {
            0 => IValue::None,
            1 => IValue::Bool(self.flag()?),
            2 => IValue::Int(self.i64()?),
            3 => IValue::Double(self.f64()?),
            4 => IValue::complex(self.f64()?, self.f64()?),
            5 => IValue::str(self.text()?),
            6 => IValue::Device(Arc::new(self.device()?)),
            7 => IValue::Tensor(self.tensor()?),
            8 => {
                let element = self.ty(0)?;
                IValue::List(List::new(element, self.list(|r| r.value(depth + 1))?))
            }
            9 => {
                let names = self.option(|r| match r.ty(0)? {
                    Type::NamedTuple(n) => Ok(n),
                    _ => Err(r.damaged("a named tuple's type expected")),
                })?;
                let items: Vec<IValue> = self.list(|r| r.value(depth + 1))?;
                IValue::Tuple(Tuple::new(items, names))
            }
            10 => {
                let dict = Dict::new(self.ty(0)?, self.ty(0)?);
                for (k, v) in self.list(|r| Ok((r.value(depth + 1)?, r.value(depth + 1)?)))? {
                    let key = DictKey::from_value(&k).ok_or_else(|| self.damaged("a dictionary key expected"))?;
                    dict.write().insert(key, v);
                }
                IValue::Dict(dict)
            }
            11 => {
                let (class, name) = (self.text()?.into(), self.text()?.into());
                IValue::Enum(Arc::new(EnumValue { class, name, value: self.value(depth + 1)? }))
            }
            12 => IValue::Uninitialized,
            13 => {
                let class =
                    PackedClass::named(self.text()?).ok_or_else(|| self.damaged("no such packed parameters"))?;
                let slots: Vec<IValue> = self.list(|r| r.value(depth + 1))?;
                let made = sconce_kernels::quantized::packed::object(class, slots);
                IValue::Object(made.ok_or_else(|| self.damaged("packed parameters with other attributes"))?)
            }
            14 => IValue::Object(self.object(depth + 1)?),
            15 => IValue::Tensor(self.shared_tensor()?),
            other => return Err(self.damaged(format!("no kind of constant {other}"))),
        })
    }

    fn tensor(&mut self) -> Read<Tensor> {
        let dtype = self.dtype()?;
        let sizes = self.list(Reader::i64)?;
        let strides = self.list(Reader::i64)?;
        let flags = self.u8()?;
        let n = self.count()?;
        let bytes = self.take(n)?;
        if n % dtype.size() != 0 {
            return Err(self.damaged(format!("{n} bytes of elements of {} bytes", dtype.size())));
        }
        let flat = sconce_tensor::dispatch!(dtype.underlying(), T => elements_from::<T>(bytes), _other => None);
        let flat = flat.ok_or_else(|| self.damaged(format!("elements of {dtype}")))?;
        let quantizer = if flags & 4 != 0 { Some(self.quantizer(sizes.len())?) } else { None };
        if quantizer.is_some() && !dtype.is_quantized() {
            return Err(self.damaged(format!("scale and zero point of a tensor of {dtype}")));
        }
        let metadata = TensorMetadata {
            storage: flat.storage(),
            dtype,
            sizes: sizes.as_slice().into(),
            strides: strides.as_slice().into(),
            offset: 0,
            quantizer,
        };
        let t = Tensor::new(metadata).map_err(|e| self.damaged(e.to_string()))?;
        t.set_requires_grad(flags & 1 != 0);
        t.set_wrapped_number(flags & 2 != 0);
        Ok(t)
    }

    fn quantizer(&mut self, rank: usize) -> Read<Arc<Quantizer>> {
        let scheme = QScheme::from_name(self.text()?).ok_or_else(|| self.damaged("no such quantization scheme"))?;
        let axis = usize::try_from(self.i64()?).ok().filter(|a| *a < rank);
        let (scales, zero_points) = (self.list(Reader::f64)?, self.list(Reader::f64)?);
        let made = match (scheme.is_per_channel(), axis, scales.as_slice(), zero_points.as_slice()) {
            (false, _, [scale], [zero]) => Some(Quantizer::per_tensor(*scale, *zero as i64)),
            (true, Some(axis), ..) => Quantizer::per_channel(scheme, scales, zero_points, axis),
            _ => None,
        };
        made.ok_or_else(|| self.damaged("scales and zero points that do not fit a tensor"))
    }

    fn device(&mut self) -> Read<Device> {
        Ok(Device { kind: self.text()?.into(), index: self.option(|r| Ok(r.u32()? as i32))? })
    }

    fn dims(&mut self) -> Read<Vec<Dim>> {
        self.list(|r| {
            Ok(match r.u8()? {
                0 => Dim::Known(r.i64()?),
                1 => Dim::Unknown,
                2 => Dim::Symbol(r.i64()?),
                other => return Err(r.damaged(format!("no kind of dimension {other}"))),
            })
        })
    }

    pub fn ty(&mut self, depth: u32) -> Read<Type> {
        if depth > MAX_DEPTH {
            return Err(self.damaged("types nested more than 100 deep"));
        }
        let inner = |r: &mut Self| r.ty(depth + 1).map(Arc::new);
        let code = self.u8()?;
        if let Some(plain) = PLAIN.get(usize::from(code)) {
            return Ok(plain.clone());
        }
        Ok(match code {
            64 => Type::Tensor(Arc::new(TensorType {
                dtype: self.option(Reader::dtype)?,
                sizes: self.option(Reader::dims)?,
                strides: self.option(Reader::dims)?,
                device: self.option(Reader::device)?,
                requires_grad: self.option(Reader::flag)?,
                undefined: self.option(Reader::flag)?,
            })),
            65 => Type::List(inner(self)?),
            66 => Type::Optional(inner(self)?),
            67 => Type::Future(inner(self)?),
            68 => Type::Await(inner(self)?),
            69 => Type::RRef(inner(self)?),
            70 => Type::Dict(inner(self)?, inner(self)?),
            71 => Type::Tuple(self.list(|r| r.ty(depth + 1))?.into()),
            72 => Type::Union(self.list(|r| r.ty(depth + 1))?.into()),
            73 => Type::NamedTuple(Arc::new(NamedTuple {
                name: self.text()?.into(),
                fields: self.list(|r| Ok((r.text()?.into(), r.ty(depth + 1)?)))?,
                defaults: self.list(|r| r.option(|r| Ok(r.text()?.into())))?,
            })),
            74 => Type::Enum(self.text()?.into()),
            75 => Type::Class(self.text()?.into()),
            76 => Type::Var(self.text()?.into()),
            other => return Err(self.damaged(format!("no type {other}"))),
        })
    }
}
