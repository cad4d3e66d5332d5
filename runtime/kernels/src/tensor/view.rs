//! Views: each reads its argument's storage exactly as its description in `sconce_schema::shape::view` says.

use crate::engine::calling::kernels;
use crate::engine::rule_cache;
use crate::{Call, Error, Kernel, Outputs, arg};
use sconce_schema::DType;
use sconce_schema::shape::view::{self as describe, Axis, Reading, View, Views};
use sconce_schema::shape::{Meta, ShapeError, Size};
use sconce_tensor::{IValue, Sizes, Tensor, TensorMetadata, contiguous_strides, view_strides};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

fn known(s: Size) -> Result<i64, Error> {
    s.known().ok_or_else(|| Error::runtime("a size of a view is not known at run time"))
}

fn known_sizes(sizes: &[Size]) -> Result<Sizes, Error> {
    sizes.iter().map(|s| known(*s)).collect()
}

/// The tensor read as a view says; where strides cannot say it, a copy for a call that may have one.
fn read(t: &Tensor, view: &View, name: &str, copy: Option<&Call<'_>>) -> Result<Tensor, Error> {
    match view {
        View::Axes { axes, start } => {
            let sizes: Sizes = axes.iter().map(|a| known(a.size)).collect::<Result<_, _>>()?;
            let strides: Sizes = axes.iter().map(|a| stride_of(t, a)).collect();
            refuse_negative(&strides)?;
            let mut offset = t.storage_offset();
            for (dim, start) in start {
                let step = known(*start)?.checked_mul(t.strides()[*dim]).and_then(|s| offset.checked_add(s));
                offset = step.ok_or_else(|| Error::runtime("the offset of a view does not fit 64 bits"))?;
            }
            Ok(t.as_strided(&sizes, &strides, offset)?)
        }
        View::Reshape(sizes) => {
            let sizes = known_sizes(sizes)?;
            match (view_strides(t.sizes(), t.strides(), &sizes), copy) {
                (Some(strides), _) => Ok(t.as_strided(&sizes, &strides, t.storage_offset())?),
                (None, Some(call)) => {
                    let out = call.contiguous_output(0, &sizes, t.dtype())?;
                    out.as_strided(t.sizes(), &contiguous_strides(t.sizes()), out.storage_offset())?
                        .copy_bytes_from(t)?;
                    Ok(out)
                }
                (None, None) => Err(Error::runtime(format!(
                    "{name} size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead."
                ))),
            }
        }
        View::Strided { sizes, strides, offset } => {
            let (sizes, strides) = (known_sizes(sizes)?, known_sizes(strides)?);
            let offset = offset.map_or(Ok(t.storage_offset()), known)?;
            strided(t, &sizes, &strides, offset)
        }
        View::Retyped { dtype, sizes, reading } => retyped(t, *dtype, &known_sizes(sizes)?, *reading),
    }
}

/// `as_strided` with PyTorch's message.
pub fn strided(t: &Tensor, sizes: &[i64], strides: &[i64], offset: i64) -> Result<Tensor, Error> {
    t.as_strided(sizes, strides, offset).map_err(|e| match e {
        sconce_tensor::Error::OutOfBounds { needed, have, .. } => Error::runtime(format!(
            "setStorage: sizes {sizes:?}, strides {strides:?}, storage offset {offset}, and itemsize {} requiring a storage size of {needed} are out of bounds for storage of size {have}",
            t.dtype().size()
        )),
        other => other.into(),
    })
}

/// Strides that wrapped around.
fn refuse_negative(strides: &[i64]) -> Result<(), Error> {
    // PyTorch keeps smaller numbers for its symbols.
    if let Some(s) = strides.iter().find(|s| **s < -(1 << 62)) {
        return Err(Error::runtime(format!("IntArrayRef contains an int that cannot be represented as a SymInt: {s}")));
    }
    match strides.iter().any(|s| *s < 0) {
        true => Err(Error::runtime(format!(
            "as_strided: Negative strides are not supported at the moment, got strides: {strides:?}"
        ))),
        false => Ok(()),
    }
}

/// The distance of an axis' elements; like PyTorch's it wraps around.
fn stride_of(t: &Tensor, axis: &Axis) -> i64 {
    axis.terms.iter().fold(0i64, |sum, (dim, factor)| {
        let stride = t.strides().get(*dim).copied().unwrap_or(1);
        sum.wrapping_add(stride.wrapping_mul(*factor))
    })
}

fn retyped(t: &Tensor, dtype: DType, sizes: &[i64], reading: Reading) -> Result<Tensor, Error> {
    let names = || (t.dtype().graph_name(), dtype.graph_name());
    let mut strides: Sizes = t.strides().into();
    let mut offset = t.storage_offset();
    let scale = |strides: &mut Sizes, n: i64| strides.iter_mut().for_each(|s| *s = s.saturating_mul(n));
    match reading {
        Reading::Same => {}
        Reading::Split(n) => {
            if let Some(last) = strides.last()
                && *last != 1
            {
                let (from, to) = names();
                return Err(Error::runtime(format!(
                    "self.stride(-1) must be 1 to view {from} as {to} (different element sizes), but got {last}"
                )));
            }
            scale(&mut strides, n);
            if let Some(last) = strides.last_mut() {
                *last = 1;
            }
            offset = offset.saturating_mul(n);
        }
        Reading::Join(n) => {
            let (from, to) = names();
            if let Some(last) = strides.last_mut() {
                if *last != 1 {
                    return Err(Error::runtime(format!(
                        "self.stride(-1) must be 1 to view {from} as {to} (different element sizes), but got {last}"
                    )));
                }
                *last = n;
            }
            if let Some(d) = strides.iter().position(|s| s % n != 0) {
                return Err(Error::runtime(format!(
                    "self.stride({d}) must be divisible by {n} to view {from} as {to} (different element sizes), but got {}",
                    strides[d]
                )));
            }
            if offset % n != 0 {
                return Err(Error::runtime(format!(
                    "self.storage_offset() must be divisible by {n} to view {from} as {to} (different element sizes), but got {offset}"
                )));
            }
            strides.iter_mut().for_each(|s| *s /= n);
            offset /= n;
        }
        Reading::Pairs => {
            scale(&mut strides, 2);
            strides.push(1);
            offset = offset.saturating_mul(2);
        }
        Reading::Part(part) => {
            scale(&mut strides, 2);
            offset = offset.saturating_mul(2).saturating_add(part);
        }
        Reading::FromPairs => {
            if strides.pop() != Some(1) {
                return Err(Error::runtime("Tensor must have a last dimension with stride 1"));
            }
            if strides.iter().zip(sizes).any(|(s, n)| s % 2 != 0 && *n != 1) {
                return Err(Error::runtime("Tensor must have a stride divisible by 2 for all but last dimension"));
            }
            if offset % 2 != 0 {
                return Err(Error::runtime("Tensor must have a storage_offset divisible by 2"));
            }
            strides.iter_mut().for_each(|s| *s /= 2);
            offset /= 2;
        }
    }
    let (storage, sizes) = (t.storage(), sizes.into());
    let metadata = TensorMetadata { storage, dtype, sizes, strides, offset, quantizer: None };
    Ok(Tensor::new(metadata)?)
}

/// Describes a call of a view operator.
type Describe = fn(&[Meta]) -> Result<Views, ShapeError>;

fn views_of(describe: Describe, args: &[IValue]) -> Result<Rc<Views>, Error> {
    Ok(rule_cache::said(describe as usize, args, describe)?)
}

/// The view or views of a call.
fn apply(describe: Describe, name: &str, args: &[IValue], copy: Option<&Call<'_>>) -> Result<Outputs, Error> {
    let views = views_of(describe, args)?;
    let t = arg(args, 0)?.as_tensor()?;
    Ok(smallvec![match &*views {
        Views::One(view) => IValue::Tensor(read(t, view, name, copy)?),
        Views::List(views) => {
            let tensors = views.iter().map(|v| read(t, v, name, copy)).collect::<Result<SmallVec<[_; 16]>, _>>()?;
            IValue::tensor_list(tensors)
        }
        Views::Unknown | Views::UnknownList =>
            return Err(Error::runtime(format!("{name} got an argument of another type"))),
    }])
}

/// The kernel of each view operator, and of its `_copy` form if it has one, whose results have storages of their own.
macro_rules! views {
    ($($name:ident $(, $copy:ident)?: $describe:ident;)*) => { $(
        #[doc = concat!("View as [`describe::", stringify!($describe), "`] describes it.")]
        pub fn $name(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            apply(|args| describe::views(describe::$describe, args), stringify!($name), args, None)
        }
        $(
            #[doc = concat!("Copy of what [`describe::", stringify!($describe), "`] describes.")]
            pub fn $copy(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
                let call = Call { destinations: None, ..*call };
                copied(apply(|args| describe::views(describe::$describe, args), stringify!($name), args, Some(&call))?)
            }
        )?
    )* };
}

fn copied(outputs: Outputs) -> Result<Outputs, Error> {
    outputs
        .into_iter()
        .map(|v| {
            Ok(match v {
                IValue::Tensor(t) => IValue::Tensor(t.copy()?),
                IValue::List(l) => {
                    let tensors =
                        l.read().iter().map(|v| Ok(v.as_tensor()?.copy()?)).collect::<Result<Vec<_>, Error>>()?;
                    IValue::tensor_list(tensors)
                }
                other => other,
            })
        })
        .collect()
}

views! {
    alias, alias_copy: alias_view;
    expand, expand_copy: expand_view;
    expand_as: expand_view;
    permute, permute_copy: permute_view;
    transpose, transpose_copy: transpose_view;
    t, t_copy: t_view;
    numpy_t: numpy_t_view;
    movedim: movedim_view;
    select, select_copy: select_view;
    slice, slice_copy: slice_view;
    narrow, narrow_copy: narrow_view;
    unsqueeze, unsqueeze_copy: unsqueeze_view;
    squeeze, squeeze_copy: squeeze_view;
    squeeze_dim, squeeze_dim_copy: squeeze_dim_view;
    squeeze_dims, squeeze_dims_copy: squeeze_dims_view;
    diagonal, diagonal_copy: diagonal_view;
    unfold, unfold_copy: unfold_view;
    view, view_copy: reshape_view;
    view_as: reshape_view;
    as_strided, as_strided_copy: as_strided_view;
    reshape_alias, reshape_alias_copy: reshape_alias_view;
    chunk: chunk_view;
    split, split_copy: split_view;
    split_with_sizes, split_with_sizes_copy: split_with_sizes_view;
    tensor_split: tensor_split_view;
    unbind, unbind_copy: unbind_view;
    imag: imag_view;
    view_as_real, view_as_real_copy: view_as_real_view;
    view_as_complex, view_as_complex_copy: view_as_complex_view;
    view_dtype, view_dtype_copy: view_dtype_view;
    split_dim: split_dim_view;
    collapse_view, collapse_copy: flatten_view;
    hsplit: hsplit_view;
    vsplit: vsplit_view;
    dsplit: dsplit_view;
    broadcast_in_dim: broadcast_in_dim_view;
}

/// Every dimension is the tensor's own.
fn is_identity(view: &View, t: &Tensor) -> bool {
    let View::Axes { axes, start } = view else { return false };
    let own = |(d, axis): (usize, &Axis)| axis.size == Size::Known(t.sizes()[d]) && axis.terms[..] == [(d, 1)];
    start.is_empty() && axes.len() == t.dim() && axes.iter().enumerate().all(own)
}

/// The argument itself, a view of it, or a copy where no view will do.
fn may_copy(call: &Call<'_>, args: &[IValue], describe: Describe, name: &str) -> Result<Outputs, Error> {
    let (t, views) = (arg(args, 0)?.as_tensor()?, views_of(describe, args)?);
    let view = one_of(&views, name)?;
    let out = if is_identity(view, t) { t.clone() } else { read(t, view, name, Some(call))? };
    Ok(smallvec![IValue::Tensor(out)])
}

fn one_of<'v>(views: &'v Views, name: &str) -> Result<&'v View, Error> {
    match views {
        Views::One(view) => Ok(view),
        _ => Err(Error::runtime(format!("{name} got an argument of another type"))),
    }
}

/// A vector: the tensor's own storage if it is contiguous, else a copy.
pub fn ravel(t: &Tensor) -> Result<Tensor, Error> {
    let t = t.contiguous()?;
    Ok(t.as_strided(&[t.numel() as i64], &[1], t.storage_offset())?)
}

/// A complex tensor as pairs of real numbers, a view of it.
pub fn as_pairs(t: &Tensor) -> Result<Tensor, Error> {
    let sizes: Sizes = t.sizes().iter().copied().chain([2]).collect();
    retyped(t, t.dtype().to_real(), &sizes, Reading::Pairs)
}

/// The imaginary parts of a complex tensor, a view of it.
pub fn imaginary_part(t: &Tensor) -> Result<Tensor, Error> {
    retyped(t, t.dtype().to_real(), t.sizes(), Reading::Part(1))
}

/// What a kernel of one tensor gives for each of a list.
fn each(call: &Call<'_>, args: &[IValue], kernel: Kernel) -> Result<Outputs, Error> {
    let mut out = Vec::new();
    for t in arg(args, 0)?.as_tensor_list()? {
        out.push(kernel(call, &mut [IValue::Tensor(t)])?[0].as_tensor()?.clone());
    }
    Ok(smallvec![IValue::tensor_list(out)])
}

kernels! {
    atleast_1d_list = each, atleast_1d; atleast_2d_list = each, atleast_2d; atleast_3d_list = each, atleast_3d;
    squeeze_inplace = become_view, |args| describe::views(describe::squeeze_view, args), "squeeze_inplace";
    squeeze_dim_inplace = become_view, |args| describe::views(describe::squeeze_dim_view, args), "squeeze_dim_inplace";
    squeeze_dims_inplace = become_view, |args| describe::views(describe::squeeze_dims_view, args), "squeeze_dims_inplace";
    unsqueeze_inplace = become_view, |args| describe::views(describe::unsqueeze_view, args), "unsqueeze_inplace";
    transpose_inplace = become_view, |args| describe::views(describe::transpose_view, args), "transpose_inplace";
    t_inplace = become_view, |args| describe::views(describe::t_view, args), "t_inplace";
    as_strided_inplace = become_view, |args| describe::views(describe::as_strided_view, args), "as_strided_inplace";
    reshape = may_copy, |args| describe::views(describe::reshape_view, args), "reshape"; reshape_as = may_copy, |args| describe::views(describe::reshape_view, args), "reshape_as";
    flatten = may_copy, |args| describe::views(describe::flatten_view, args), "flatten"; unflatten = may_copy, |args| describe::views(describe::unflatten_view, args), "unflatten";
    m_t = may_copy, |args| describe::views(describe::m_t_view, args), "m_t"; real = may_copy, |args| describe::views(describe::real_view, args), "real";
    atleast_1d = may_copy, |args| describe::views(describe::atleast_1d_view, args), "atleast_1d";
    atleast_2d = may_copy, |args| describe::views(describe::atleast_2d_view, args), "atleast_2d";
    atleast_3d = may_copy, |args| describe::views(describe::atleast_3d_view, args), "atleast_3d";
}

/// `tensor_split` whose sections or indices are in a tensor.
pub fn tensor_split_by_tensor(t: &IValue, by: &Tensor, dim: &IValue) -> Result<Outputs, Error> {
    if by.dtype() != DType::I64 {
        return Err(Error::runtime(format!(
            "tensor_split expected tensor_indices_or_sections to have dtype of long, but got {}",
            by.dtype().graph_name()
        )));
    }
    let by = match by.dim() {
        0 => IValue::Int(crate::engine::number::item_of(by)?.to_i64()?),
        1 => IValue::int_list(&by.to_vec::<i64>()),
        n => {
            return Err(Error::runtime(format!(
                "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with {n} dims"
            )));
        }
    };
    let inner = [t.clone(), by, dim.clone()];
    apply(|args| describe::views(describe::tensor_split_view, args), "tensor_split", &inner, None)
}

/// `narrow` with its start in a tensor of rank 0.
pub fn narrow_tensor(t: &IValue, dim: &IValue, start: &Tensor, length: &IValue) -> Result<Outputs, Error> {
    if start.dim() != 0 || !start.dtype().is_int() {
        return Err(Error::runtime("start must be an 0-dim integral Tensor."));
    }
    let start = crate::engine::number::item_of(start)?.to_i64()?;
    let inner = [t.clone(), dim.clone(), IValue::Int(start), length.clone()];
    apply(|args| describe::views(describe::narrow_view, args), "narrow", &inner, None)
}

/// The tensor itself becomes the view.
fn become_view(_: &Call<'_>, args: &[IValue], describe: Describe, name: &str) -> Result<Outputs, Error> {
    let (t, views) = (arg(args, 0)?.as_tensor()?, views_of(describe, args)?);
    let metadata = read(t, one_of(&views, name)?, name, None)?.metadata();
    // SAFETY: that no other thread uses the tensor now is the program's affair, as for every write, and nothing here holds a slice of it.
    unsafe { t.set_metadata(metadata) }?;
    Ok(smallvec![IValue::Tensor(t.clone())])
}

/// The tensor itself, no longer followed by autograd.
pub fn detach_inplace(t: &Tensor) -> Tensor {
    t.set_requires_grad(false);
    t.clone()
}

/// A view that autograd does not follow.
pub fn detach(t: &Tensor) -> Tensor {
    t.alias()
}

/// All tensors expanded to their common size.
pub fn broadcast_tensors(tensors: &IValue) -> Result<IValue, Error> {
    let tensors = tensors.as_tensor_list()?;
    let mut sizes = Sizes::new();
    for t in &tensors {
        sizes = sconce_tensor::broadcast_sizes(&sizes, t.sizes())?;
    }
    let expanded = tensors.iter().map(|t| if *t.sizes() == *sizes { Ok(t.clone()) } else { t.expand(&sizes) });
    Ok(IValue::tensor_list(expanded.collect::<Result<Vec<_>, _>>()?))
}

/// Coordinate grids of vectors, views of them (`ij` indexing unless the second argument says `xy`).
pub fn meshgrid(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mut tensors = arg(args, 0)?.as_tensor_list()?;
    let swap = match args.get(1).map(IValue::as_str).transpose()? {
        None | Some("ij") => false,
        Some("xy") => tensors.len() >= 2,
        Some(other) => {
            return Err(Error::runtime(format!(
                "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: {other}"
            )));
        }
    };
    if tensors.is_empty() {
        return Err(Error::runtime("meshgrid expects a non-empty TensorList"));
    }
    if tensors.iter().any(|t| t.dtype() != tensors[0].dtype()) {
        return Err(Error::runtime("meshgrid expects all tensors to have the same dtype"));
    }
    if let Some(t) = tensors.iter().find(|t| t.dim() > 1) {
        return Err(Error::runtime(format!(
            "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {}",
            crate::container::text::tensor_text(t)?
        )));
    }
    if swap {
        tensors.swap(0, 1);
    }
    let sizes: Sizes = tensors.iter().map(|t| t.numel() as i64).collect();
    let mut grids = Vec::new();
    for (d, t) in tensors.iter().enumerate() {
        let mut strides: Sizes = smallvec![0; sizes.len()];
        strides[d] = t.strides().first().copied().unwrap_or(1);
        grids.push(t.as_strided(&sizes, &strides, t.storage_offset())?);
    }
    if swap {
        grids.swap(0, 1);
    }
    Ok(smallvec![IValue::tensor_list(grids)])
}
