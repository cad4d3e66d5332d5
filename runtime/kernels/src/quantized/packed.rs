//! Packed parameters are objects of the classes of `sconce_schema::packed`: made here from weights, and read only where class and contents are what a kernel
//! expects.

use crate::engine::arguments::{arg, bool_arg, int_arg, ints_arg, optional_tensor, tensor_arg};
use crate::engine::calling::kernels;
use crate::engine::cast;
use crate::engine::typed::Value;
use crate::{Call, Error, Outputs};
use sconce_schema::Type;
use sconce_schema::packed::{CELL, CONV_2D, CONV_3D, EMBEDDING, LINEAR, PackedClass};
use sconce_tensor::{DType, IValue, Object, Sizes, Tensor};
use smallvec::smallvec;
use std::sync::{Arc, OnceLock};

/// An instance of a class with these attributes, in the order of slots; none when there are more or fewer.
pub fn object(class: &PackedClass, values: Vec<IValue>) -> Option<Arc<Object>> {
    type Known = (&'static PackedClass, Arc<str>, Arc<[Arc<str>]>);
    static NAMES: OnceLock<Vec<Known>> = OnceLock::new();
    let known = NAMES.get_or_init(|| {
        let names = |c: &'static PackedClass| c.attributes.iter().map(|(name, _)| Arc::from(*name)).collect();
        PackedClass::all().into_iter().map(|c| (c, Arc::from(c.name), names(c))).collect()
    });
    let (_, name, names) = known.iter().find(|(c, ..)| c.name == class.name && c.attributes.len() == values.len())?;
    let object = Object::new(name.clone(), names.clone());
    for (slot, value) in values.into_iter().enumerate() {
        object.set(slot, value);
    }
    Some(object)
}

fn instance<const N: usize>(class: &PackedClass, values: [IValue; N]) -> Result<Outputs, Error> {
    let made = object(class, values.into()).ok_or_else(|| Error::runtime(format!("no class {}", class.name)))?;
    Ok(smallvec![IValue::Object(made)])
}

/// The version of packed convolutions in archives.
const CONV_VERSION: &str = "2";

/// What an archive holds of an object (`__getstate__`).
///
/// # Errors
/// The object is not of such a class, or holds what its class does not.
pub fn to_state(object: &Arc<Object>) -> Result<IValue, Error> {
    let class = PackedClass::named(&object.class)
        .ok_or_else(|| Error::runtime(format!("{} is no class of packed parameters", object.class)))?;
    let packed = Packed { object: object.clone(), class };
    let tensors = |all: Vec<Tensor>| IValue::tensor_list(all);
    Ok(if class.name == LINEAR.name {
        IValue::tuple([packed.get("_weight")?, packed.get("_bias")?])
    } else if class.name == EMBEDDING.name {
        let weight = tensors(vec![packed.tensor("_weight")?]);
        let bits = IValue::list(Type::Int, [packed.get("_bit_rate")?]);
        IValue::tuple([IValue::Int(1), weight, IValue::list(Type::Float, []), bits])
    } else if class.name == CELL.name {
        let parts = CELL.attributes.iter().map(|(name, _)| packed.get(name)).collect::<Result<Vec<_>, _>>()?;
        IValue::tuple(parts)
    } else {
        let mut settings = vec![packed.ints("_stride")?.len() as i64];
        for list in ["_stride", "_padding", "_dilation", "_output_padding"] {
            settings.extend(packed.ints(list)?);
        }
        settings.push(packed.get("_groups")?.as_int()?);
        settings.push(i64::from(packed.get("_transpose")?.as_bool()?));
        let count = settings.len() as i64;
        let settings = cast::from_vec(settings, &[count], DType::I16)?;
        let bias = IValue::list(Type::Optional(Type::tensor().into()), [packed.get("_bias")?]);
        IValue::tuple([IValue::str(CONV_VERSION), tensors(vec![settings, packed.tensor("_weight")?]), bias])
    })
}

/// The object of a class that an archive holds this of (`__setstate__`).
///
/// # Errors
/// The class is not known, or the state is of another form.
pub fn from_state(class: &str, state: &IValue) -> Result<Arc<Object>, Error> {
    let wrong = |what: &str| Error::runtime(format!("an object of {class}: {what}"));
    let class = PackedClass::named(class).ok_or_else(|| wrong("the class is not known"))?;
    let parts = match state {
        IValue::Tuple(parts) => &*parts.items,
        other => return Err(wrong(&format!("expected a tuple as its state, got {}", other.kind()))),
    };
    let tensors = |i: usize| -> Result<_, Error> { Ok(arg(parts, i)?.as_tensor_list()?) };
    let optional = |v: &IValue| match v {
        IValue::None | IValue::Tensor(_) => Ok(v.clone()),
        other => Err(wrong(&format!("expected a tensor or None as its bias, got {}", other.kind()))),
    };
    let values = if class.name == LINEAR.name {
        vec![arg(parts, 0)?.as_tensor()?.clone().into(), optional(arg(parts, 1)?)?]
    } else if class.name == EMBEDDING.name {
        let bits = arg(parts, 3)?.as_int_list()?;
        match (tensors(1)?.as_slice(), bits.as_slice()) {
            ([weight], [8]) => vec![weight.clone().into(), IValue::Int(8)],
            (_, bits) => return Err(wrong(&format!("expected one weight of 8 bits, got {bits:?}"))),
        }
    } else if class.name == CELL.name {
        let packed = arg(parts, 4)?.as_list()?;
        packed.read().iter().try_for_each(|p| Packed::of(p, &LINEAR).map(|_| ()))?;
        arg(parts, 0)?.as_str()?;
        tensors(1)?;
        arg(parts, 2)?.as_list()?.read().iter().try_for_each(|v| v.as_double().map(|_| ()))?;
        arg(parts, 3)?.as_int_list()?;
        parts.to_vec()
    } else {
        if arg(parts, 0)?.as_str().ok() != Some(CONV_VERSION) {
            return Err(wrong(&format!("expected version {CONV_VERSION} of packed convolutions")));
        }
        let (all, biases) = (tensors(1)?, arg(parts, 2)?.as_list()?.to_vec());
        let ([settings, weight], [bias]) = (all.as_slice(), biases.as_slice()) else {
            return Err(wrong("expected settings, a weight and a bias"));
        };
        let settings = cast::to_vec::<i64>(settings)?;
        let rank = weight.dim().saturating_sub(2);
        let fits = settings.len() == 4 * rank + 3 && settings[0] == rank as i64 && (2..=3).contains(&rank);
        if !fits {
            return Err(wrong(&format!("settings {settings:?} do not fit a weight of sizes {:?}", weight.sizes())));
        }
        let list = |i: usize| IValue::int_list(&settings[1 + i * rank..1 + (i + 1) * rank]);
        let (groups, transposed) = (settings[4 * rank + 1], settings[4 * rank + 2] != 0);
        let (stride, padding, dilation, output_padding) = (list(0), list(1), list(2), list(3));
        let flags = [IValue::Int(groups), IValue::Bool(transposed)];
        let lists = [stride, padding, output_padding, dilation];
        [weight.clone().into(), optional(bias)?].into_iter().chain(lists).chain(flags).collect()
    };
    object(class, values).ok_or_else(|| wrong("more or fewer parts than expected"))
}

/// An object of a class.
pub struct Packed {
    object: Arc<Object>,
    class: &'static PackedClass,
}

impl Packed {
    pub fn of(v: &IValue, class: &'static PackedClass) -> Result<Packed, Error> {
        match v {
            IValue::Object(o) if *o.class == *class.name => Ok(Packed { object: o.clone(), class }),
            IValue::Object(o) => {
                Err(Error::runtime(format!("expected an object of {}, got one of {}", class.name, o.class)))
            }
            other => Err(Error::runtime(format!("expected an object of {}, got {}", class.name, other.kind()))),
        }
    }
    pub fn at(args: &[IValue], i: usize, class: &'static PackedClass) -> Result<Packed, Error> {
        Packed::of(arg(args, i)?, class)
    }
    pub fn get(&self, attribute: &str) -> Result<IValue, Error> {
        let value = self.class.slot(attribute).and_then(|slot| self.object.get(slot));
        value.ok_or_else(|| Error::runtime(format!("an object of {} has no `{attribute}`", self.class.name)))
    }
    pub fn tensor(&self, attribute: &str) -> Result<Tensor, Error> {
        Ok(self.get(attribute)?.as_tensor()?.clone())
    }
    pub fn ints(&self, attribute: &str) -> Result<Sizes, Error> {
        Ok(self.get(attribute)?.as_int_list()?)
    }
    /// The bias as an argument; nothing that is computed with it asks gradients of it.
    pub fn bias_argument(&self) -> Result<IValue, Error> {
        Ok(match self.get("_bias")? {
            IValue::Tensor(bias) => bias.alias().into(),
            other => other,
        })
    }
    /// The bias, in floats.
    pub fn bias(&self) -> Result<Option<Vec<f32>>, Error> {
        self.get("_bias")?.optional().map(|b| cast::to_vec::<f32>(b.as_tensor()?)).transpose()
    }
}

fn check_weight(op: &str, weight: &Tensor, rank: usize) -> Result<(), Error> {
    if weight.dim() != rank {
        return Err(Error::runtime(format!("{op}: the weight should be of rank {rank}, got {}", weight.dim())));
    }
    if weight.dtype() != DType::QI8 {
        return Err(Error::runtime(format!(
            "{op}: the weight should be of dtype qint8, got {}",
            weight.dtype().torch_name()
        )));
    }
    super::quantizer(weight).map(|_| ())
}

fn check_bias(op: &str, bias: Option<&Tensor>, channels: i64) -> Result<(), Error> {
    match bias {
        Some(b) if b.sizes() != [channels] => Err(Error::runtime(format!(
            "{op}: bias should be a vector (1D Tensor) of {channels} elements, got {:?}",
            b.sizes()
        ))),
        _ => Ok(()),
    }
}

/// A bias that nobody else holds.
fn copied(bias: Option<&Tensor>) -> Result<IValue, Error> {
    Ok(bias.map(Tensor::copy).transpose()?.value())
}

pub fn linear(weight: &Tensor, bias: Option<&Tensor>) -> Result<Outputs, Error> {
    check_weight("quantized::linear_prepack", weight, 2)?;
    check_bias("quantized::linear_prepack", bias, weight.sizes()[0])?;
    instance(&LINEAR, [weight.contiguous()?.into(), copied(bias)?])
}

/// The weight in half precision, kept in floats.
pub fn linear_half(weight: &Tensor, bias: Option<&Tensor>) -> Result<Outputs, Error> {
    if weight.dim() != 2 {
        return Err(Error::runtime(format!(
            "The dimension of weight is {}, quantized::linear_prepack_fp16 expects 2",
            weight.dim()
        )));
    }
    check_bias("quantized::linear_prepack_fp16", bias, weight.sizes()[0])?;
    instance(&LINEAR, [in_half(weight)?.into(), copied(bias)?])
}

/// Floats that are halves; those beyond the largest half are it.
pub fn in_half(t: &Tensor) -> Result<Tensor, Error> {
    let most = IValue::Double(65504.0);
    let inside = crate::engine::compose::tensor("aten::clamp", &[t.clone().into(), IValue::Double(-65504.0), most])?;
    cast::convert(&cast::convert(&inside, DType::F16)?, DType::F32)
}

/// (W): weight and bias.
pub fn unpack(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let class = [&LINEAR, &CONV_2D, &CONV_3D]
        .into_iter()
        .find(|c| matches!(&args[0], IValue::Object(o) if *o.class == *c.name));
    let packed = Packed::at(args, 0, class.unwrap_or(&LINEAR))?;
    Ok(smallvec![packed.get("_weight")?, packed.get("_bias")?])
}

/// The same of a convolution of rank 1, which is packed with a height of 1.
pub fn unpack_rank_1(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let packed = Packed::at(args, 0, &CONV_2D)?;
    let weight = crate::engine::compose::tensor("aten::squeeze.dim", &[packed.get("_weight")?, IValue::Int(2)])?;
    Ok(smallvec![weight.into(), packed.get("_bias")?])
}

/// One number of a list for each dimension, and in front one for the height of a convolution of rank 1.
fn spread(list: Sizes, rank: usize, front: i64, what: &str) -> Result<IValue, Error> {
    if list.len() != rank {
        return Err(Error::runtime(format!(
            "quantized convolution: {what} should contain {rank} elements, got {list:?}"
        )));
    }
    let mut all = list;
    if rank == 1 {
        all.insert(0, front);
    }
    Ok(IValue::int_list(&all))
}

/// (weight, bias, stride, padding, [output_padding,] dilation, groups).
fn conv(_: &Call<'_>, args: &[IValue], rank: usize, transposed: bool) -> Result<Outputs, Error> {
    let op = "quantized::conv_prepack";
    let weight = tensor_arg(args, 0)?;
    check_weight(op, weight, rank + 2)?;
    let at = usize::from(transposed);
    let groups = int_arg(args, 5 + at)?;
    let channels = if transposed { weight.sizes()[1].saturating_mul(groups) } else { weight.sizes()[0] };
    if groups < 1 || weight.sizes()[0] % groups != 0 {
        return Err(Error::runtime(format!("{op}: {} channels cannot be in {groups} groups", weight.sizes()[0])));
    }
    let bias = optional_tensor(args, 1)?;
    check_bias(op, bias, channels)?;
    let output_padding = if transposed { ints_arg(args, 4)? } else { smallvec![0; rank] };
    let weight = match rank {
        1 => crate::engine::compose::tensor("aten::unsqueeze", &[weight.clone().into(), IValue::Int(2)])?,
        _ => weight.clone(),
    };
    instance(
        if rank == 3 { &CONV_3D } else { &CONV_2D },
        [
            weight.into(),
            copied(bias)?,
            spread(ints_arg(args, 2)?, rank, 1, "stride")?,
            spread(ints_arg(args, 3)?, rank, 0, "padding")?,
            spread(output_padding, rank, 0, "output_padding")?,
            spread(ints_arg(args, 4 + at)?, rank, 1, "dilation")?,
            IValue::Int(groups),
            IValue::Bool(transposed),
        ],
    )
}

kernels! {
    conv1d = conv, 1, false; conv_transpose1d = conv, 1, true;
    conv2d = conv, 2, false; conv_transpose2d = conv, 2, true;
    conv3d = conv, 3, false; conv_transpose3d = conv, 3, true;
}

/// (packed_weights): a list or number that a convolution was packed with, which the operator's name ends in.
pub fn setting(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let class = if call.entry.name.contains("3d") { &CONV_3D } else { &CONV_2D };
    let packed = Packed::at(args, 0, class)?;
    let setting = call.entry.base_name().split_once("d_").map_or("", |(_, setting)| setting);
    let value = packed.get(&format!("_{setting}"))?;
    Ok(smallvec![if let IValue::Bool(b) = value { IValue::Int(i64::from(b)) } else { value }])
}

/// (weight): rows of bytes, each with its own pair.
pub fn embedding(weight: &Tensor) -> Result<Outputs, Error> {
    if weight.dim() != 2 || weight.dtype() != DType::QU8 {
        return Err(Error::runtime(format!(
            "quantized::embedding_bag_prepack: expected a matrix of dtype quint8, got {:?} of {}",
            weight.sizes(),
            weight.dtype().torch_name()
        )));
    }
    if super::quantizer(weight)?.axis() != Some(0) {
        return Err(Error::runtime("quantized::embedding_bag_prepack: expected one scale and zero point for each row"));
    }
    instance(&EMBEDDING, [weight.contiguous()?.into(), IValue::Int(8)])
}

pub fn embedding_unpack(packed: &IValue) -> Result<IValue, Error> {
    Packed::of(packed, &EMBEDDING)?.get("_weight")
}

fn cell(kind: &str, tensors: Vec<Tensor>, zero_points: &[i64], packed: [IValue; 2]) -> Result<Outputs, Error> {
    packed.iter().try_for_each(|p| Packed::of(p, &LINEAR).map(|_| ()))?;
    instance(
        &CELL,
        [
            IValue::str(kind),
            IValue::tensor_list(tensors),
            IValue::list(Type::Float, []),
            IValue::int_list(zero_points),
            IValue::list(Type::Class(LINEAR.name.into()), packed),
        ],
    )
}

/// (w_ih, w_hh, bias_ih, bias_hh, reduce_range).
pub fn dynamic_cell(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let biases = vec![tensor_arg(args, 2)?.clone(), tensor_arg(args, 3)?.clone()];
    cell("quantized_dynamic", biases, &[i64::from(bool_arg(args, 4)?)], [args[0].clone(), args[1].clone()])
}

/// (w_ih, w_hh).
pub fn half_cell(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    cell("quantized_fp16", Vec::new(), &[], [args[0].clone(), args[1].clone()])
}
