//! Views, described once: each says which sizes, strides and offset it reads its argument with. The shape rule takes the sizes from the
//! description, the kernel takes all of it, so that the two cannot differ.

use super::args::*;
use crate::dim::{Relation, assume};

mod pieces;
mod reshape;
mod retype;

pub use pieces::*;
pub use reshape::*;
pub use retype::*;

/// One dimension of a view. Its stride is the sum of `factor * stride(dim)` over the terms; none at all is stride 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    pub size: Size,
    pub terms: SmallVec<[(usize, i64); 1]>,
}

/// How a view reads its argument.
#[derive(Clone, PartialEq, Debug)]
pub enum View {
    /// Dimensions made of the argument's; the offset grows by `start * stride(dim)` for each pair.
    Axes { axes: Vec<Axis>, start: SmallVec<[(usize, Size); 1]> },
    /// The same elements in row-major order under other sizes.
    Reshape(Sizes),
    /// Sizes, strides and offset as given; without an offset the argument's.
    Strided { sizes: Sizes, strides: Sizes, offset: Option<Size> },
    /// Bytes read as another dtype.
    Retyped { dtype: DType, sizes: Sizes, reading: Reading },
}

/// How elements of another dtype lie in the argument's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// As many elements as before.
    Same,
    /// The last dimension's elements split into `n` smaller ones.
    Split(i64),
    /// `n` elements of the last dimension joined to a larger one.
    Join(i64),
    /// The pairs of a complex tensor as a last dimension of 2.
    Pairs,
    /// A last dimension of 2 as complex numbers.
    FromPairs,
    /// Real (0) or imaginary (1) parts.
    Part(i64),
}

/// What a view operator gives: nothing known (the rank is not), a view, or a list of them.
#[derive(Clone, PartialEq, Debug)]
pub enum Views {
    Unknown,
    UnknownList,
    One(View),
    List(Vec<View>),
}

/// What describes a call of a view operator, whose first argument is the tensor.
pub trait Described: Outcome {
    /// Nothing is known.
    const UNKNOWN: Views;
    fn views(self) -> Views;
}

impl Described for View {
    const UNKNOWN: Views = Views::Unknown;
    fn views(self) -> Views {
        Views::One(self)
    }
}
impl Described for Vec<View> {
    const UNKNOWN: Views = Views::UnknownList;
    fn views(self) -> Views {
        Views::List(self)
    }
}
impl<V: Described> Described for Option<V> {
    const UNKNOWN: Views = V::UNKNOWN;
    fn views(self) -> Views {
        self.map_or(V::UNKNOWN, V::views)
    }
}

/// What a function describes.
pub fn views<M, V: Described>(
    describe: impl Typed<(), M, Outcome = Result<V, ShapeError>>,
    args: &[Meta],
) -> Result<Views, ShapeError> {
    Ok(describe.apply(args, ())?.transpose()?.views())
}

impl View {
    pub fn sizes(&self) -> Sizes {
        match self {
            View::Axes { axes, .. } => axes.iter().map(|a| a.size).collect(),
            View::Reshape(sizes) | View::Strided { sizes, .. } | View::Retyped { sizes, .. } => sizes.clone(),
        }
    }
    /// Nothing changed.
    pub fn identity(sizes: &[Size]) -> View {
        permuted(sizes, 0..sizes.len())
    }
    fn axes(axes: impl IntoIterator<Item = Axis>) -> View {
        View::Axes { axes: axes.into_iter().collect(), start: smallvec![] }
    }
}

fn axis(dim: usize, size: Size) -> Axis {
    Axis { size, terms: smallvec![(dim, 1)] }
}

fn new_axis(size: Size) -> Axis {
    Axis { size, terms: smallvec![] }
}

impl<V: Described> Outcome for V {
    fn metas(self, args: &[Meta]) -> SmallVec<[Meta; 2]> {
        seen(&self.views(), args)
    }
    fn unknown(args: &[Meta]) -> SmallVec<[Meta; 2]> {
        seen(&V::UNKNOWN, args)
    }
}

/// The results of a call that views its first argument so.
fn seen(views: &Views, args: &[Meta]) -> SmallVec<[Meta; 2]> {
    let Some(tensor) = tensor_at(args, 0) else { return smallvec![Meta::Unknown] };
    let meta = |view: &View| {
        let dtype = if let View::Retyped { dtype, .. } = view { Some(*dtype) } else { tensor.dtype };
        TensorMeta { dtype, ..tensor.clone() }.with_sizes(Some(view.sizes()))
    };
    smallvec![match views {
        Views::Unknown => tensor.with_sizes(None),
        Views::UnknownList => Meta::Unknown,
        Views::One(view) => meta(view),
        Views::List(views) => Meta::List(views.iter().map(meta).collect()),
    }]
}

rules! {
    alias = alias_view; expand = expand_view; expand_as = expand_view;
    permute = permute_view; transpose = transpose_view; t = t_view;
    numpy_t = numpy_t_view; m_t = m_t_view; m_h = last_two_swapped, "mH";
    adjoint = last_two_swapped, "adjoint()"; matrix_h = matrix_h_view; movedim = movedim_view;
    select = select_view; slice = slice_view; narrow = narrow_view;
    unsqueeze = unsqueeze_view; squeeze = squeeze_view; squeeze_dim = squeeze_dim_view;
    squeeze_dims = squeeze_dims_view; diagonal = diagonal_view; unfold = unfold_view;
    reshape = reshape_view; reshape_as = reshape_view; flatten = flatten_view;
    ravel = ravel_view; unflatten = unflatten_view; as_strided = as_strided_view;
    reshape_alias = reshape_alias_view; chunk = chunk_view; split = split_view;
    split_with_sizes = split_with_sizes_view; tensor_split = tensor_split_view;
    unbind = unbind_view; atleast_1d = atleast_1d_view; atleast_2d = atleast_2d_view;
    atleast_3d = atleast_3d_view; real = real_view; imag = imag_view;
    view_as_real = view_as_real_view; view_as_complex = view_as_complex_view;
    view_dtype = view_dtype_view; collapse = flatten_view; split_dim = split_dim_view;
    hsplit = hsplit_view; vsplit = vsplit_view; dsplit = dsplit_view;
    broadcast_in_dim = broadcast_in_dim_view;
}

/// The tensor itself (`alias`, `detach`, `view_of`).
pub fn alias_view(sizes: Sizes) -> Result<View, ShapeError> {
    Ok(View::identity(&sizes))
}

pub fn expand_view(t: Ranked, target: Sizes) -> Result<View, ShapeError> {
    let sizes = &t.sizes;
    let Some(skip) = target.len().checked_sub(sizes.len()) else {
        return error(format!(
            "expand(torch.{}Tensor{{{}}}, size={}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
            t.dtype.map_or("Float", DType::graph_name),
            show(sizes),
            show(&target),
            target.len(),
            sizes.len()
        ));
    };
    let axes = (0..target.len()).rev().map(|d| {
        let want = target[d];
        let Some(have_at) = d.checked_sub(skip) else {
            refuse!(if want.known() == Some(-1),
                "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {d}");
            return Ok(new_axis(want));
        };
        let have = sizes[have_at];
        Ok(match (have, want) {
            (have, Size::Known(-1)) => axis(have_at, have),
            (have, want) if have.same(want) => axis(have_at, have),
            (Size::Known(1), want) => new_axis(want),
            (Size::Known(have), Size::Known(want)) => return Err(unexpanded(have, want, d, &target, sizes)),
            (have, want) if assume(Relation::Equal, have, want) => axis(have_at, have.or(want)),
            // Whether it is expanded or kept is not known, but the size is the target's if that is not -1.
            (_, want @ Size::Symbol(_)) => new_axis(want),
            (have @ Size::Known(_), Size::Unknown) => axis(have_at, have),
            (_, want) => new_axis(want),
        })
    });
    let mut axes: Vec<Axis> = axes.collect::<Result<_, _>>()?;
    // A new dimension of size 1 lies as a row-major tensor's would.
    for i in 1..axes.len() {
        if let (Size::Known(1), Size::Known(n), true) = (axes[i].size, axes[i - 1].size, axes.len() - i <= skip) {
            axes[i].terms = axes[i - 1].terms.iter().map(|(dim, factor)| (*dim, factor.saturating_mul(n))).collect();
        }
    }
    Ok(View::axes(axes.into_iter().rev()))
}

/// A dimension that cannot be expanded.
pub(super) fn unexpanded(
    have: impl std::fmt::Display,
    want: impl std::fmt::Display,
    d: usize,
    target: &[Size],
    sizes: &[Size],
) -> ShapeError {
    ShapeError::runtime(format!(
        "The expanded size of the tensor ({want}) must match the existing size ({have}) at non-singleton dimension {d}.  Target sizes: {}.  Tensor sizes: {}",
        show(target),
        show(sizes)
    ))
}

pub fn permute_view(sizes: Sizes, dims: Ints) -> Result<View, ShapeError> {
    refuse!(if dims.len() != sizes.len(),
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
        sizes.len(), dims.len());
    let mut order = Ints::new();
    for dim in dims {
        let d = existing_dimension(dim, sizes.len())? as i64;
        refuse!(if order.contains(&d), "permute(): duplicate dims are not allowed.");
        order.push(d);
    }
    Ok(permuted(&sizes, order.into_iter().map(|d| d as usize)))
}

fn permuted(sizes: &[Size], order: impl IntoIterator<Item = usize>) -> View {
    View::axes(order.into_iter().map(|d| axis(d, sizes[d])))
}

fn swapped(sizes: &[Size], a: usize, b: usize) -> View {
    let mut order: SmallVec<[usize; 6]> = (0..sizes.len()).collect();
    if a != b {
        order.swap(a, b);
    }
    permuted(sizes, order)
}

pub fn transpose_view(sizes: Sizes, dim0: i64, dim1: i64) -> Result<View, ShapeError> {
    let (a, b) = (wrap_dim(dim0, sizes.len())?, wrap_dim(dim1, sizes.len())?);
    Ok(swapped(&sizes, a, b))
}

/// At most two dimensions, exchanged.
pub fn t_view(sizes: Sizes) -> Result<View, ShapeError> {
    refuse!(if sizes.len() > 2, "t() expects a tensor with <= 2 dimensions, but self is {}D", sizes.len());
    Ok(swapped(&sizes, 0, sizes.len().saturating_sub(1)))
}

/// All dimensions reversed.
pub fn numpy_t_view(sizes: Sizes) -> Result<View, ShapeError> {
    Ok(permuted(&sizes, (0..sizes.len()).rev()))
}

fn last_two_swapped(sizes: Sizes, name: &str) -> Result<View, ShapeError> {
    let n = sizes.len();
    refuse!(if n == 1, "tensor.{name} is only supported on matrices or batches of matrices. Got 1-D tensor.");
    Ok(swapped(&sizes, n.saturating_sub(2), n.saturating_sub(1)))
}

/// The last two dimensions exchanged.
pub fn m_t_view(sizes: Sizes) -> Result<View, ShapeError> {
    last_two_swapped(sizes, "mT")
}

/// A matrix transposed.
pub fn matrix_h_view(sizes: Sizes) -> Result<View, ShapeError> {
    let n = sizes.len();
    let hint = if n > 2 { " For batches of matrices, consider using tensor.mH" } else { "" };
    refuse!(if n != 0 && n != 2, "tensor.H is only supported on matrices (2-D tensors). Got {n}-D tensor.{hint}");
    last_two_swapped(sizes, "H")
}

/// Source and destination, each a number or a list.
pub fn movedim_view(sizes: Sizes, source: Ints, destination: Ints) -> Result<View, ShapeError> {
    let rank = sizes.len();
    let text = |dims: &[i64]| show(&dims.iter().map(|d| Size::Known(*d)).collect::<Sizes>());
    refuse!(if source.len() != destination.len(),
        "movedim: Invalid source or destination dims: source ({} dims) should contain the same number of dims as destination ({} dims)",
        text(&source), text(&destination));
    let wrapped = |dims: &[i64], which: &str| -> Result<Vec<usize>, ShapeError> {
        let out = dims.iter().map(|d| wrap_dim(*d, rank)).collect::<Result<Vec<_>, _>>()?;
        refuse!(if (1..out.len()).any(|i| out[..i].contains(&out[i])),
            "movedim: repeated dim in `{which}` ({})", text(dims));
        Ok(out)
    };
    let (source, destination) = (wrapped(&source, "source")?, wrapped(&destination, "destination")?);
    let mut rest = (0..rank).filter(|d| !source.contains(d));
    let from = |d: usize| destination.iter().position(|to| *to == d).map(|i| source[i]);
    Ok(permuted(&sizes, (0..rank).map(|d| from(d).or_else(|| rest.next()).unwrap_or(0))))
}

pub fn select_view(sizes: Sizes, dim: Int, index: Int) -> Result<Option<View>, ShapeError> {
    refuse!(Index if sizes.is_empty(), "select() cannot be applied to a 0-dim tensor.");
    let Some(dim) = dim else { return Ok(None) };
    let dim = wrap_dim(dim, sizes.len())?;
    let start = match (index, sizes[dim]) {
        (Some(index), Size::Known(size)) => {
            refuse!(Index if index < -size || index >= size,
                "select(): index {index} out of range for tensor of size {} at dimension {dim}", show(&sizes));
            Size::Known(if index < 0 { index + size } else { index })
        }
        _ => Size::Unknown,
    };
    let axes = (0..sizes.len()).filter(|d| *d != dim).map(|d| axis(d, sizes[d])).collect();
    Ok(Some(View::Axes { axes, start: smallvec![(dim, start)] }))
}

fn cut(sizes: &[Size], dim: usize, start: Size, length: Size, step: i64) -> View {
    let axes = (0..sizes.len())
        .map(|d| if d == dim { Axis { size: length, terms: smallvec![(d, step)] } } else { axis(d, sizes[d]) })
        .collect();
    View::Axes { axes, start: smallvec![(dim, start)] }
}

pub fn slice_view(sizes: Sizes, dim: Int, start: Meta, end: Meta, step: Int) -> Result<Option<View>, ShapeError> {
    refuse!(Index if sizes.is_empty(), "slice() cannot be applied to a 0-dim tensor.");
    let Some(dim) = dim else { return Ok(None) };
    let dim = wrap_dim(dim, sizes.len())?;
    refuse!(if step.is_some_and(|s| s <= 0), "slice step must be positive");
    let (start, length) = slice_range(sizes[dim], &start, &end, step);
    refuse!(if length.known().is_some_and(|n| n < 0),
        "Storage size calculation overflowed with sizes={}", show(&replaced(&sizes, dim, length)));
    Ok(Some(cut(&sizes, dim, start, length, step.unwrap_or(1))))
}

/// Sizes of which one is another.
pub(super) fn replaced(sizes: &[Size], dim: usize, size: Size) -> Sizes {
    sizes.iter().enumerate().map(|(d, s)| if d == dim { size } else { *s }).collect()
}

/// Where `[start:end:step]` begins in a dimension, and how many elements it takes.
fn slice_range(size: Size, start: &Meta, end: &Meta, step: Int) -> (Size, Size) {
    let from_start = start.is_none() || start.int() == Some(0);
    let to_end = end.is_none() || end.int() == Some(i64::MAX) || end.size().same(size);
    match (size, step) {
        (Size::Known(n), Some(step)) => {
            let bound = |bound: &Meta, missing: i64| -> Option<i64> {
                if bound.is_none() {
                    return Some(missing);
                }
                let v = bound.int()?;
                Some(if v < 0 { v.saturating_add(n).max(0) } else { v.min(n) })
            };
            match (bound(start, 0), bound(end, n)) {
                (Some(start), Some(end)) => {
                    let taken = end.max(start) - start;
                    // Rounded up as PyTorch does it, which wraps around for steps near the largest number.
                    (Size::Known(start), Size::Known(taken.wrapping_add(step).wrapping_sub(1) / step))
                }
                (Some(start), None) => (Size::Known(start), Size::Unknown),
                _ => (Size::Unknown, Size::Unknown),
            }
        }
        (size, Some(1)) if from_start && to_end => (Size::Known(0), size),
        _ if from_start => (Size::Known(0), Size::Unknown),
        _ => (Size::Unknown, Size::Unknown),
    }
}

pub fn narrow_view(sizes: Sizes, dim: Int, start: Int, length: Size) -> Result<Option<View>, ShapeError> {
    refuse!(if sizes.is_empty(), "narrow() cannot be applied to a 0-dim tensor.");
    refuse!(if let Some(n) = length.known(), n < 0, "narrow(): length must be non-negative.");
    let Some(dim) = dim else { return Ok(None) };
    let dim = wrap_dim(dim, sizes.len())?;
    let start = match (start, sizes[dim]) {
        (Some(start), Size::Known(size)) => {
            refuse!(Index if start < -size || start > size,
                "start out of range (expected to be in range of [{}, {size}], but got {start})", -size);
            let wrapped = if start < 0 { start + size } else { start };
            refuse!(if let Some(n) = length.known(), wrapped > size.saturating_sub(n),
                "start ({wrapped}) + length ({n}) exceeds dimension size ({size}).");
            Size::Known(wrapped)
        }
        _ => Size::Unknown,
    };
    Ok(Some(cut(&sizes, dim, start, length, 1)))
}

pub fn unsqueeze_view(sizes: Sizes, dim: i64) -> Result<View, ShapeError> {
    let dim = wrap_dim(dim, sizes.len() + 1)?;
    let mut axes: Vec<Axis> = (0..sizes.len()).map(|d| axis(d, sizes[d])).collect();
    // PyTorch's stride for the new dimension: what a row-major tensor would have there.
    let terms = match sizes.get(dim) {
        Some(Size::Known(n)) => smallvec![(dim, *n)],
        Some(_) => smallvec![],
        // Behind the last dimension the stride is 1.
        None => smallvec![(dim, 1)],
    };
    axes.insert(dim, Axis { size: Size::Known(1), terms });
    Ok(View::axes(axes))
}

fn squeezed(sizes: &[Size], which: impl Fn(usize) -> bool) -> Option<View> {
    // What may be 1 at run time leaves the rank open, unless it is taken not to be.
    let open = |s: &Size| s.known().is_none() && !assume(Relation::Differs, *s, Size::Known(1));
    let keep = |d: &usize| !(which(*d) && sizes[*d] == Size::Known(1));
    let unclear = (0..sizes.len()).any(|d| which(d) && open(&sizes[d]));
    (!unclear).then(|| permuted(sizes, (0..sizes.len()).filter(keep)))
}

pub fn squeeze_view(sizes: Sizes) -> Result<Option<View>, ShapeError> {
    Ok(squeezed(&sizes, |_| true))
}

pub fn squeeze_dim_view(sizes: Sizes, dim: i64) -> Result<Option<View>, ShapeError> {
    let dim = wrap_dim(dim, sizes.len())?;
    Ok(squeezed(&sizes, |d| d == dim))
}

pub fn squeeze_dims_view(sizes: Sizes, dims: Ints) -> Result<Option<View>, ShapeError> {
    let set = dimension_set(&dims, sizes.len())?;
    Ok(squeezed(&sizes, |d| set[d]))
}

pub fn diagonal_view(sizes: Sizes, offset: Int, dim1: i64, dim2: i64) -> Result<View, ShapeError> {
    let (first, second) = (existing_dimension(dim1, sizes.len())?, existing_dimension(dim2, sizes.len())?);
    refuse!(if first == second, "diagonal dimensions cannot be identical {dim1}, {dim2}");
    let rest = (0..sizes.len()).filter(|d| *d != first && *d != second);
    let mut axes: Vec<Axis> = rest.map(|d| axis(d, sizes[d])).collect();
    let (length, start): (Size, SmallVec<[(usize, Size); 1]>) = match (sizes[first], sizes[second], offset) {
        (Size::Known(rows), Size::Known(columns), Some(offset)) => {
            let (rows, columns) = (rows.saturating_add(offset.min(0)), columns.saturating_sub(offset.max(0)));
            let n = rows.min(columns).max(0);
            let skip = if n == 0 { 0 } else { offset };
            (Size::Known(n), smallvec![(if skip >= 0 { second } else { first }, Size::Known(skip.abs()))])
        }
        (rows, columns, Some(0)) if rows.same(columns) => (rows, smallvec![]),
        _ => (Size::Unknown, smallvec![(first, Size::Unknown)]),
    };
    axes.push(Axis { size: length, terms: smallvec![(first, 1), (second, 1)] });
    Ok(View::Axes { axes, start })
}

pub fn unfold_view(sizes: Sizes, dimension: i64, window: Int, step: Int) -> Result<View, ShapeError> {
    let dim = wrap_dim(dimension, sizes.len())?;
    let have = sizes.get(dim).copied().unwrap_or(Size::Known(1));
    refuse!(if let (Some(window), Some(have)) = (window, have.known()), window > have,
        "maximum size for tensor at dimension {dim} is {have} but size is {window}");
    refuse!(if let Some(window) = window, window < 0, "size is {window} but must be >= 0");
    refuse!(if let Some(step) = step, step <= 0, "step is {step} but must be > 0");
    let count = match (window, step) {
        (Some(window), Some(step)) => have.minus(window).over(step).plus(1),
        _ => Size::Unknown,
    };
    let mut axes: Vec<Axis> = (0..sizes.len()).map(|d| axis(d, sizes[d])).collect();
    if let Some(axis) = axes.get_mut(dim) {
        *axis = Axis { size: count, terms: smallvec![(dim, step.unwrap_or(1))] };
    }
    // Behind the last dimension the stride is 1.
    axes.push(axis(dim, window.map_or(Size::Unknown, Size::Known)));
    Ok(View::axes(axes))
}

/// Dimension `i` of the argument becomes dimension `places[i]` of the result.
pub fn broadcast_in_dim_view(sizes: Sizes, shape: Sizes, places: Ints) -> Result<View, ShapeError> {
    refuse!(if places.len() != sizes.len(), "broadcast_in_dim: one dimension number for each dimension is expected");
    let mut axes: Vec<Axis> = shape.iter().map(|s| new_axis(*s)).collect();
    for (d, place) in places.iter().enumerate() {
        let Some(to) = usize::try_from(*place).ok().and_then(|p| axes.get_mut(p)) else {
            return error(format!("broadcast_in_dim: {place} is no dimension of the result"));
        };
        if sizes[d] != Size::Known(1) {
            refuse!(if to.size.unequal(sizes[d]), "broadcast_in_dim: a dimension that is not 1 must keep its size");
            to.terms = smallvec![(d, 1)];
        }
    }
    Ok(View::axes(axes))
}

/// The start is in a tensor.
pub fn narrow_tensor(t: Ranked, dim: i64, _: Skip<1>, length: Size) -> RuleResult {
    let at = existing_dimension(dim, t.sizes.len())?;
    t.sized(Some(replaced(&t.sizes, at, length)))
}

/// A rule for each tensor of a list.
fn of_each(tensors: Tensors, rule: impl Fn(&[Meta]) -> RuleResult) -> RuleResult {
    let Some(tensors) = tensors else { return Ok(smallvec![Meta::Unknown]) };
    let each = |t: TensorMeta| rule(&[Meta::Tensor(t)]).map(|metas| metas.into_iter().next().unwrap_or(Meta::Unknown));
    Ok(smallvec![Meta::List(tensors.into_iter().map(each).collect::<Result<_, _>>()?)])
}

rules! {
    atleast_1d_list = of_each, atleast_1d; atleast_2d_list = of_each, atleast_2d;
    atleast_3d_list = of_each, atleast_3d;
}

/// Each vector over a dimension of its own; with "xy" the first two change places.
pub fn meshgrid(vectors: Tensors, indexing: Text) -> RuleResult {
    let Some(vectors) = vectors else { return Ok(smallvec![Meta::Unknown]) };
    let mut sizes: Sizes = vectors.iter().map(TensorMeta::numel).collect();
    if indexing.as_deref() == Some("xy") && sizes.len() > 1 {
        sizes.swap(0, 1);
    }
    Ok(smallvec![Meta::List(vectors.iter().map(|t| t.with_sizes(Some(sizes.clone()))).collect())])
}
