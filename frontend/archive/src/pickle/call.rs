//! The functions that pickles may call take exactly the arguments that PyTorch gives them; anything else is an error that names the function.

use super::global::Global;
use super::machine::Machine;
use super::{QScheme, Quantizer, SparseTensor, TensorRef, Value, ValueId};
use crate::{Error, Limits};
use sconce_schema::{DType, Layout};

/// The arguments of a call, with errors that name the function.
pub(super) struct Arguments<'m, 'a> {
    pub machine: &'m Machine<'a>,
    pub name: String,
    pub ids: &'m [ValueId],
}

impl Arguments<'_, '_> {
    fn bad(&self, what: &str) -> Error {
        self.machine.bad(format!("{}: {what}", self.name))
    }
    pub fn value(&self, id: ValueId) -> &Value {
        &self.machine.values[id.index()]
    }
    pub fn exactly<const N: usize>(&self) -> Result<[ValueId; N], Error> {
        self.ids.try_into().map_err(|_| self.bad(&format!("{} arguments, expected {N}", self.ids.len())))
    }
    pub fn one(&self) -> Result<ValueId, Error> {
        self.exactly::<1>().map(|[id]| id)
    }
    pub fn at(&self, i: usize) -> Result<ValueId, Error> {
        self.ids.get(i).copied().ok_or_else(|| self.bad("too few arguments"))
    }
    pub fn int(&self, id: ValueId) -> Result<i64, Error> {
        self.value(id).as_int().ok_or_else(|| self.bad(&format!("{} where an int is expected", self.value(id).kind())))
    }
    pub fn boolean(&self, id: ValueId) -> Result<bool, Error> {
        match self.value(id) {
            Value::Bool(b) => Ok(*b),
            other => Err(self.bad(&format!("{} where a bool is expected", other.kind()))),
        }
    }
    pub fn float(&self, id: ValueId) -> Result<f64, Error> {
        match self.value(id) {
            Value::Float(x) => Ok(*x),
            other => Err(self.bad(&format!("{} where a float is expected", other.kind()))),
        }
    }
    pub fn text(&self, id: ValueId) -> Result<Box<str>, Error> {
        let text = self.value(id).as_str();
        Ok(text.ok_or_else(|| self.bad(&format!("{} where text is expected", self.value(id).kind())))?.into())
    }
    /// A tuple or list of ints, such as sizes.
    pub fn ints(&self, id: ValueId) -> Result<Vec<i64>, Error> {
        let items = self.value(id).as_items();
        let items = items.ok_or_else(|| self.bad(&format!("{} where sizes are expected", self.value(id).kind())))?;
        Limits::check(self.machine.entry, "the number of dimensions", items.len() as u64, self.machine.limits.rank)?;
        items.iter().map(|i| self.int(*i)).collect()
    }
    /// PyTorch's writers give the whole text; Python gives type and index.
    pub fn device(&self) -> Result<Box<str>, Error> {
        match *self.ids {
            [text] => self.text(text),
            [kind, index] => Ok(format!("{}:{}", self.text(kind)?, self.int(index)?).into()),
            _ => Err(self.bad("expected one or two arguments")),
        }
    }
    pub fn latin1(&self) -> Result<Box<[u8]>, Error> {
        let [text, encoding] = self.exactly()?;
        if &*self.text(encoding)? != "latin1" {
            return Err(self.bad("expected the encoding latin1"));
        }
        let bytes: Option<Vec<u8>> = self.text(text)?.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        Ok(bytes.ok_or_else(|| self.bad("a character beyond latin1"))?.into())
    }
    fn no_hooks(&self, i: usize) -> Result<(), Error> {
        match self.value(self.at(i)?) {
            Value::None => Ok(()),
            Value::Dict(dict) if dict.entries.is_empty() => Ok(()),
            _ => Err(self.bad("a tensor with backward hooks is not supported")),
        }
    }
    fn a_tensor(&self, id: ValueId) -> Result<ValueId, Error> {
        match self.value(id) {
            Value::Tensor(_) => Ok(id),
            other => Err(self.bad(&format!("{} where a tensor is expected", other.kind()))),
        }
    }

    pub fn tensor(&self, function: &Global) -> Result<TensorRef, Error> {
        let storage = match self.value(self.at(0)?) {
            Value::Storage(storage) => (**storage).clone(),
            other => return Err(self.bad(&format!("{} where a storage is expected", other.kind()))),
        };
        let (offset, sizes, strides) = (self.int(self.at(1)?)?, self.ints(self.at(2)?)?, self.ints(self.at(3)?)?);
        let (mut quantizer, mut requires_grad, mut dtype) = (None, false, storage.dtype);
        match function {
            Global::RebuildTensor => drop(self.exactly::<4>()?),
            Global::RebuildQTensor => {
                self.exactly::<7>()?;
                quantizer = Some(self.quantizer(self.at(4)?)?);
                requires_grad = self.boolean(self.at(5)?)?;
                self.no_hooks(6)?;
            }
            _ => {
                // Eager PyTorch may add metadata; only its absence is understood.
                let count = self.ids.len();
                let v3 = *function == Global::RebuildTensorV3;
                let (least, most) = if v3 { (7, 8) } else { (6, 7) };
                let metadata = count == most && !matches!(self.value(self.at(most - 1)?), Value::None);
                if !(least..=most).contains(&count) || metadata {
                    return Err(self.bad(&format!("{count} arguments, expected {least}")));
                }
                requires_grad = self.boolean(self.at(4)?)?;
                self.no_hooks(5)?;
                if v3 {
                    dtype = Some(self.dtype(self.at(6)?)?);
                }
            }
        }
        let dtype = dtype.ok_or_else(|| self.bad("a tensor over an untyped storage, without a dtype"))?;
        Ok(TensorRef { storage, dtype, offset, sizes, strides, requires_grad, parameter: false, quantizer })
    }

    fn dtype(&self, id: ValueId) -> Result<DType, Error> {
        match self.value(id) {
            Value::DType(dtype) => Ok(*dtype),
            other => Err(self.bad(&format!("{} where a dtype is expected", other.kind()))),
        }
    }

    pub fn parameter(&self) -> Result<TensorRef, Error> {
        let [tensor, requires_grad, _] = self.exactly()?;
        self.no_hooks(2)?;
        match self.value(tensor) {
            Value::Tensor(tensor) => {
                Ok(TensorRef { requires_grad: self.boolean(requires_grad)?, parameter: true, ..(**tensor).clone() })
            }
            other => Err(self.bad(&format!("{} where a tensor is expected", other.kind()))),
        }
    }

    fn quantizer(&self, id: ValueId) -> Result<Quantizer, Error> {
        let items = self.value(id).as_items().unwrap_or_default();
        let scheme = match items.first().map(|i| self.value(*i)) {
            Some(Value::QScheme(scheme)) => *scheme,
            _ => return Err(self.bad("expected a tuple that begins with a quantization scheme")),
        };
        match (scheme, items) {
            (QScheme::PerTensorAffine | QScheme::PerTensorSymmetric, [_, scale, zero_point]) => {
                Ok(Quantizer::PerTensor { scheme, scale: self.float(*scale)?, zero_point: self.int(*zero_point)? })
            }
            (_, [_, scales, zero_points, axis]) => Ok(Quantizer::PerChannel {
                scheme,
                scales: self.a_tensor(*scales)?,
                zero_points: self.a_tensor(*zero_points)?,
                axis: self.int(*axis)?,
            }),
            _ => Err(self.bad(&format!("{} parameters for {}", items.len(), scheme.name()))),
        }
    }

    /// PyTorch's C++ writer: layout, sizes, requires_grad, parts, hooks. Eager PyTorch: layout, (parts, sizes, is_coalesced).
    pub fn sparse(&self) -> Result<SparseTensor, Error> {
        let layout = match self.value(self.at(0)?) {
            Value::Int(n) => Layout::from_number(*n),
            Value::Layout(layout) => Some(*layout),
            _ => None,
        };
        let layout = layout.ok_or_else(|| self.bad("unknown layout"))?;
        let count = match layout {
            Layout::SparseCoo => 2,
            Layout::SparseCsr | Layout::SparseCsc | Layout::SparseBsr | Layout::SparseBsc => 3,
            other => return Err(self.bad(&format!("layout {} is not supported", other.torch_name()))),
        };
        let tensors = |ids: &[ValueId]| ids.iter().map(|i| self.a_tensor(*i)).collect::<Result<Vec<_>, _>>();
        if self.ids.len() == count + 4 {
            self.no_hooks(count + 3)?;
            return Ok(SparseTensor {
                layout,
                sizes: self.ints(self.at(1)?)?,
                requires_grad: self.boolean(self.at(2)?)?,
                parts: tensors(&self.ids[3..3 + count])?,
                is_coalesced: None,
            });
        }
        let [_, data] = self.exactly()?;
        let data = self.value(data).as_items().unwrap_or_default();
        if !(count + 1..=count + 2).contains(&data.len()) {
            return Err(self.bad(&format!("{} parts for layout {}", data.len(), layout.torch_name())));
        }
        let is_coalesced = data.get(count + 1).map(|c| self.boolean(*c)).transpose()?;
        Ok(SparseTensor {
            layout,
            sizes: self.ints(data[count])?,
            requires_grad: false,
            parts: tensors(&data[..count])?,
            is_coalesced,
        })
    }
}
