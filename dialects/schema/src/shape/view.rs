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

/// Describes a call of a view operator; the first argument is the tensor.
pub type Describe = fn(&[Meta]) -> Result<Views, ShapeError>;

impl View {
    pub fn sizes(&self) -> Sizes {
        match self {
            View::Axes { axes, .. } => axes.iter().map(|a| a.size).collect(),
            View::Reshape(sizes) | View::Strided { sizes, .. } | View::Retyped { sizes, .. } => sizes.clone(),
        }
    }
    /// Nothing changed.
    pub fn identity(sizes: &[Size]) -> View {
        View::Axes { axes: (0..sizes.len()).map(|d| axis(d, sizes[d])).collect(), start: smallvec![] }
    }
    fn axes(axes: Vec<Axis>) -> Views {
        Views::One(View::Axes { axes, start: smallvec![] })
    }
}

fn axis(dim: usize, size: Size) -> Axis {
    Axis { size, terms: smallvec![(dim, 1)] }
}

fn new_axis(size: Size) -> Axis {
    Axis { size, terms: smallvec![] }
}

/// The rule that belongs to a description.
pub fn rule_of(args: &[Meta], describe: Describe) -> RuleResult {
    let views = describe(args)?;
    let Some(tensor) = tensor_at(args, 0) else {
        return Ok(smallvec![Meta::Unknown]);
    };
    let meta = |view: &View| {
        let mut meta = tensor.with_sizes(Some(view.sizes()));
        if let (&View::Retyped { dtype, .. }, Meta::Tensor(t)) = (view, &mut meta) {
            t.dtype = Some(dtype);
        }
        meta
    };
    Ok(smallvec![match &views {
        Views::Unknown => tensor.with_sizes(None),
        Views::UnknownList => Meta::Unknown,
        Views::One(view) => meta(view),
        Views::List(views) => Meta::List(views.iter().map(meta).collect()),
    }])
}

rules! {
    alias = rule_of, alias_view; expand = rule_of, expand_view; expand_as = rule_of, expand_as_view;
    permute = rule_of, permute_view; transpose = rule_of, transpose_view; t = rule_of, t_view;
    numpy_t = rule_of, numpy_t_view; m_t = rule_of, m_t_view; m_h = rule_of, m_h_view;
    adjoint = rule_of, adjoint_view; matrix_h = rule_of, matrix_h_view; movedim = rule_of, movedim_view;
    select = rule_of, select_view; slice = rule_of, slice_view; narrow = rule_of, narrow_view;
    unsqueeze = rule_of, unsqueeze_view; squeeze = rule_of, squeeze_view; squeeze_dim = rule_of, squeeze_dim_view;
    squeeze_dims = rule_of, squeeze_dims_view; diagonal = rule_of, diagonal_view; unfold = rule_of, unfold_view;
    reshape = rule_of, reshape_view; reshape_as = rule_of, reshape_as_view; flatten = rule_of, flatten_view;
    ravel = rule_of, ravel_view; unflatten = rule_of, unflatten_view; as_strided = rule_of, as_strided_view;
    reshape_alias = rule_of, reshape_alias_view; chunk = rule_of, chunk_view; split = rule_of, split_view;
    split_with_sizes = rule_of, split_with_sizes_view; tensor_split = rule_of, tensor_split_view;
    unbind = rule_of, unbind_view; atleast_1d = rule_of, atleast_1d_view; atleast_2d = rule_of, atleast_2d_view;
    atleast_3d = rule_of, atleast_3d_view; real = rule_of, real_view; imag = rule_of, imag_view;
    view_as_real = rule_of, view_as_real_view; view_as_complex = rule_of, view_as_complex_view;
    view_dtype = rule_of, view_dtype_view; collapse = rule_of, collapse_view; split_dim = rule_of, split_dim_view;
    hsplit = rule_of, hsplit_view; vsplit = rule_of, vsplit_view; dsplit = rule_of, dsplit_view;
    broadcast_in_dim = rule_of, broadcast_in_dim_view;
}

/// The sizes of the tensor argument, or leave with "unknown".
macro_rules! sizes_or {
    ($args:expr, $unknown:expr) => {
        match tensor_at($args, 0).and_then(|t| t.sizes.as_ref()) {
            Some(sizes) => sizes,
            None => return Ok($unknown),
        }
    };
}

use sizes_or;

/// An integer argument, or leave with "unknown".
macro_rules! known_or {
    ($value:expr, $unknown:expr) => {
        match $value {
            Some(v) => v,
            None => return Ok($unknown),
        }
    };
}

use known_or;

/// The tensor itself (`alias`, `detach`, `view_of`).
pub fn alias_view(args: &[Meta]) -> Result<Views, ShapeError> {
    Ok(Views::One(View::identity(sizes_or!(args, Views::Unknown))))
}

/// (self, size).
pub fn expand_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let target = known_or!(args.sizes(1), Views::Unknown);
    expand_to(args, sizes, &target)
}

/// (self, other).
pub fn expand_as_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let target = known_or!(tensor_at(args, 1).and_then(|t| t.sizes.as_ref()), Views::Unknown);
    expand_to(args, sizes, target)
}

fn expand_to(args: &[Meta], sizes: &[Size], target: &[Size]) -> Result<Views, ShapeError> {
    let Some(skip) = target.len().checked_sub(sizes.len()) else {
        let dtype = tensor_at(args, 0).and_then(|t| t.dtype).map_or("Float", DType::graph_name);
        return Err(ShapeError::runtime(format!(
            "expand(torch.{dtype}Tensor{{{}}}, size={}): the number of sizes provided ({}) must be greater or equal to the number of dimensions in the tensor ({})",
            show(sizes),
            show(target),
            target.len(),
            sizes.len()
        )));
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
            (Size::Known(have), Size::Known(want)) => {
                return Err(ShapeError::runtime(format!(
                    "The expanded size of the tensor ({want}) must match the existing size ({have}) at non-singleton dimension {d}.  Target sizes: {}.  Tensor sizes: {}",
                    show(target),
                    show(sizes)
                )));
            }
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
    axes.reverse();
    Ok(View::axes(axes))
}

/// (self, dims).
pub fn permute_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dims = known_or!(args.ints(1), Views::Unknown);
    refuse!(if dims.len() != sizes.len(),
        "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
        sizes.len(), dims.len());
    let mut seen = vec![false; sizes.len()];
    let mut axes = Vec::new();
    for dim in dims {
        let d = existing_dimension(dim, sizes.len())?;
        refuse!(if std::mem::replace(&mut seen[d], true), "permute(): duplicate dims are not allowed.");
        axes.push(axis(d, sizes[d]));
    }
    Ok(View::axes(axes))
}

fn permuted(sizes: &[Size], order: impl IntoIterator<Item = usize>) -> Views {
    View::axes(order.into_iter().map(|d| axis(d, sizes[d])).collect())
}

fn swapped(sizes: &[Size], a: usize, b: usize) -> Views {
    permuted(
        sizes,
        (0..sizes.len()).map(|d| {
            if d == a {
                b
            } else if d == b {
                a
            } else {
                d
            }
        }),
    )
}

/// (self, dim0, dim1).
pub fn transpose_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let (a, b) = (known_or!(args.int(1), Views::Unknown), known_or!(args.int(2), Views::Unknown));
    let (a, b) = (wrap_dim(a, sizes.len())?, wrap_dim(b, sizes.len())?);
    Ok(swapped(sizes, a, b))
}

/// (self): at most two dimensions, exchanged.
pub fn t_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    refuse!(if sizes.len() > 2, "t() expects a tensor with <= 2 dimensions, but self is {}D", sizes.len());
    Ok(swapped(sizes, 0, sizes.len().saturating_sub(1)))
}

/// (self): all dimensions reversed.
pub fn numpy_t_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    Ok(permuted(sizes, (0..sizes.len()).rev()))
}

fn last_two_swapped(args: &[Meta], name: &str) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    match sizes.len() {
        0 => Ok(View::axes(Vec::new())),
        1 => Err(ShapeError::runtime(format!(
            "tensor.{name} is only supported on matrices or batches of matrices. Got 1-D tensor."
        ))),
        n => Ok(swapped(sizes, n - 2, n - 1)),
    }
}

/// (self): the last two dimensions exchanged.
pub fn m_t_view(args: &[Meta]) -> Result<Views, ShapeError> {
    last_two_swapped(args, "mT")
}

/// (self): as [`m_t_view`], under the name of the conjugating form.
pub fn m_h_view(args: &[Meta]) -> Result<Views, ShapeError> {
    last_two_swapped(args, "mH")
}

/// (self): as [`m_t_view`].
pub fn adjoint_view(args: &[Meta]) -> Result<Views, ShapeError> {
    last_two_swapped(args, "adjoint()")
}

/// (self): a matrix transposed.
pub fn matrix_h_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    match sizes.len() {
        0 | 2 => last_two_swapped(args, "H"),
        n => {
            let hint = if n > 2 { " For batches of matrices, consider using tensor.mH" } else { "" };
            Err(ShapeError::runtime(format!(
                "tensor.H is only supported on matrices (2-D tensors). Got {n}-D tensor.{hint}"
            )))
        }
    }
}

/// (self, source, destination), each a number or a list.
pub fn movedim_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let source = known_or!(args.ints(1), Views::Unknown);
    let destination = known_or!(args.ints(2), Views::Unknown);
    let rank = sizes.len();
    if source.len() != destination.len() {
        let text = |dims: &[i64]| show(&dims.iter().map(|d| Size::Known(*d)).collect::<Vec<_>>());
        return Err(ShapeError::runtime(format!(
            "movedim: Invalid source or destination dims: source ({} dims) should contain the same number of dims as destination ({} dims)",
            text(&source),
            text(&destination)
        )));
    }
    let wrapped = |dims: &[i64], which: &str| -> Result<Vec<usize>, ShapeError> {
        let out = dims.iter().map(|d| wrap_dim(*d, rank)).collect::<Result<Vec<_>, _>>()?;
        let mut unique = out.clone();
        unique.sort_unstable();
        unique.dedup();
        if unique.len() != out.len() {
            let text = |dims: &[i64]| show(&dims.iter().map(|d| Size::Known(*d)).collect::<Vec<_>>());
            return Err(ShapeError::runtime(format!("movedim: repeated dim in `{which}` ({})", text(dims))));
        }
        Ok(out)
    };
    let (source, destination) = (wrapped(&source, "source")?, wrapped(&destination, "destination")?);
    if rank == 0 {
        return Ok(View::axes(Vec::new()));
    }
    let mut order = vec![None; rank];
    for (s, d) in source.iter().zip(&destination) {
        order[*d] = Some(*s);
    }
    let mut rest = (0..rank).filter(|d| !source.contains(d));
    Ok(permuted(sizes, order.into_iter().map(|d| d.or_else(|| rest.next()).unwrap_or(0)).collect::<Vec<_>>()))
}

/// (self, dim, index).
pub fn select_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    refuse!(Index if sizes.is_empty(), "select() cannot be applied to a 0-dim tensor.");
    let dim = wrap_dim(known_or!(args.int(1), Views::Unknown), sizes.len())?;
    let start = match (args.int(2), sizes[dim]) {
        (Some(index), Size::Known(size)) => {
            refuse!(Index if index < -size || index >= size,
                "select(): index {index} out of range for tensor of size {} at dimension {dim}", show(sizes));
            Size::Known(if index < 0 { index + size } else { index })
        }
        _ => Size::Unknown,
    };
    let axes = (0..sizes.len()).filter(|d| *d != dim).map(|d| axis(d, sizes[d])).collect();
    Ok(Views::One(View::Axes { axes, start: smallvec![(dim, start)] }))
}

fn cut(sizes: &[Size], dim: usize, start: Size, length: Size, step: i64) -> View {
    let axes = (0..sizes.len())
        .map(|d| if d == dim { Axis { size: length, terms: smallvec![(d, step)] } } else { axis(d, sizes[d]) })
        .collect();
    View::Axes { axes, start: smallvec![(dim, start)] }
}

/// (self, dim, start, end, step).
pub fn slice_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    refuse!(Index if sizes.is_empty(), "slice() cannot be applied to a 0-dim tensor.");
    let dim = wrap_dim(known_or!(args.int(1), Views::Unknown), sizes.len())?;
    let step = args.int(4);
    refuse!(if step.is_some_and(|s| s <= 0), "slice step must be positive");
    let (start, length) = slice_range(sizes[dim], args, step);
    if length.known().is_some_and(|n| n < 0) {
        let sizes: Sizes = sizes.iter().enumerate().map(|(d, n)| if d == dim { length } else { *n }).collect();
        return Err(ShapeError::runtime(format!("Storage size calculation overflowed with sizes={}", show(&sizes))));
    }
    Ok(Views::One(cut(sizes, dim, start, length, step.unwrap_or(1))))
}

/// Where `[start:end:step]` (arguments 2 and 3) begins in a dimension, and how many elements it takes.
pub(super) fn slice_range(size: Size, args: &[Meta], step: Option<i64>) -> (Size, Size) {
    let from_start = args.is_none(2) || args.int(2) == Some(0);
    let to_end = args.is_none(3) || args.int(3) == Some(i64::MAX) || args.size(3).same(size);
    match (size, step) {
        (Size::Known(n), Some(step)) => {
            let bound = |i: usize, missing: i64| -> Option<i64> {
                if args.is_none(i) {
                    return Some(missing);
                }
                let v = args.int(i)?;
                Some(if v < 0 { v.saturating_add(n).max(0) } else { v.min(n) })
            };
            match (bound(2, 0), bound(3, n)) {
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

/// Division that rounds up, of counts that are not negative.
trait DivCeil {
    fn div_ceil_by(self, step: i64) -> i64;
}
impl DivCeil for i64 {
    fn div_ceil_by(self, step: i64) -> i64 {
        self / step + i64::from(self % step != 0)
    }
}

/// (self, dim, start, length).
pub fn narrow_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    refuse!(if sizes.is_empty(), "narrow() cannot be applied to a 0-dim tensor.");
    let length = args.size(3);
    refuse!(if let Some(n) = length.known(), n < 0, "narrow(): length must be non-negative.");
    let dim = wrap_dim(known_or!(args.int(1), Views::Unknown), sizes.len())?;
    let start = match (args.int(2), sizes[dim]) {
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
    Ok(Views::One(cut(sizes, dim, start, length, 1)))
}

/// (self, dim).
pub fn unsqueeze_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dim = wrap_dim(known_or!(args.int(1), Views::Unknown), sizes.len() + 1)?;
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

fn squeezed(sizes: &[Size], which: impl Fn(usize) -> bool) -> Views {
    // What may be 1 at run time leaves the rank open, unless it is taken not to be.
    let open = |s: &Size| s.known().is_none() && !assume(Relation::Differs, *s, Size::Known(1));
    if (0..sizes.len()).any(|d| which(d) && open(&sizes[d])) {
        return Views::Unknown;
    }
    let keep = |d: &usize| !(which(*d) && sizes[*d] == Size::Known(1));
    View::axes((0..sizes.len()).filter(keep).map(|d| axis(d, sizes[d])).collect())
}

/// (self).
pub fn squeeze_view(args: &[Meta]) -> Result<Views, ShapeError> {
    Ok(squeezed(sizes_or!(args, Views::Unknown), |_| true))
}

/// (self, dim).
pub fn squeeze_dim_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dim = wrap_dim(known_or!(args.int(1), Views::Unknown), sizes.len())?;
    Ok(squeezed(sizes, |d| d == dim))
}

/// (self, dims).
pub fn squeeze_dims_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dims = known_or!(args.ints(1), Views::Unknown);
    let set = dimension_set(&dims, sizes.len())?;
    Ok(squeezed(sizes, |d| set[d]))
}

/// (self, offset, dim1, dim2).
pub fn diagonal_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let (a, b) = (known_or!(args.int(2), Views::Unknown), known_or!(args.int(3), Views::Unknown));
    let offset = args.int(1);
    let (first, second) = (existing_dimension(a, sizes.len())?, existing_dimension(b, sizes.len())?);
    refuse!(if first == second, "diagonal dimensions cannot be identical {a}, {b}");
    let mut axes: Vec<Axis> =
        (0..sizes.len()).filter(|d| *d != first && *d != second).map(|d| axis(d, sizes[d])).collect();
    let (length, start): (Size, SmallVec<[(usize, Size); 1]>) = match (sizes[first], sizes[second], offset) {
        (Size::Known(rows), Size::Known(columns), Some(offset)) => {
            let (rows, columns) = if offset >= 0 {
                (rows, columns.saturating_sub(offset))
            } else {
                (rows.saturating_add(offset), columns)
            };
            let n = rows.min(columns).max(0);
            let skip = if n == 0 { 0 } else { offset };
            (
                Size::Known(n),
                if skip >= 0 { smallvec![(second, Size::Known(skip))] } else { smallvec![(first, Size::Known(-skip))] },
            )
        }
        (rows, columns, Some(0)) if rows.same(columns) => (rows, smallvec![]),
        _ => (Size::Unknown, smallvec![(first, Size::Unknown)]),
    };
    axes.push(Axis { size: length, terms: smallvec![(first, 1), (second, 1)] });
    Ok(Views::One(View::Axes { axes, start }))
}

/// (self, dimension, size, step).
pub fn unfold_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let rank = sizes.len();
    let dim = wrap_dim(known_or!(args.int(1), Views::Unknown), rank)?;
    let (window, step) = (args.int(2), args.int(3));
    let have = sizes.get(dim).copied().unwrap_or(Size::Known(1));
    refuse!(if let (Some(window), Some(have)) = (window, have.known()), window > have,
        "maximum size for tensor at dimension {dim} is {have} but size is {window}");
    refuse!(if let Some(window) = window, window < 0, "size is {window} but must be >= 0");
    refuse!(if let Some(step) = step, step <= 0, "step is {step} but must be > 0");
    let count = match (have, window, step) {
        (Size::Known(have), Some(window), Some(step)) => Size::Known((have - window) / step + 1),
        _ => Size::Unknown,
    };
    let mut axes: Vec<Axis> = (0..rank).map(|d| axis(d, sizes[d])).collect();
    if rank > 0 {
        axes[dim] = Axis { size: count, terms: smallvec![(dim, step.unwrap_or(1))] };
    }
    let size = window.map_or(Size::Unknown, Size::Known);
    // Behind the last dimension the stride is 1.
    axes.push(axis(dim, size));
    Ok(View::axes(axes))
}

/// (a, shape, broadcast_dimensions): dimension `i` of the argument becomes dimension `broadcast_dimensions[i]`.
pub fn broadcast_in_dim_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let shape = known_or!(args.sizes(1), Views::Unknown);
    let places = known_or!(args.ints(2), Views::Unknown);
    refuse!(if places.len() != sizes.len(), "broadcast_in_dim: one dimension number for each dimension is expected");
    let mut axes: Vec<Axis> = shape.iter().map(|s| new_axis(*s)).collect();
    for (d, place) in places.iter().enumerate() {
        let Some(to) = usize::try_from(*place).ok().and_then(|p| axes.get_mut(p)) else {
            return Err(ShapeError::runtime(format!("broadcast_in_dim: {place} is no dimension of the result")));
        };
        if sizes[d] != Size::Known(1) {
            refuse!(if to.size.unequal(sizes[d]), "broadcast_in_dim: a dimension that is not 1 must keep its size");
            to.terms = smallvec![(d, 1)];
        }
    }
    Ok(View::axes(axes))
}

/// (self, dim, start, length), where the start is in a tensor.
pub fn narrow_tensor(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(mut sizes), Some(dim)) = (t.sizes.clone(), a.int(1)) else { return t.sized(None) };
    let at = existing_dimension(dim, sizes.len())?;
    sizes[at] = a.size(3);
    t.sized(Some(sizes))
}

/// A rule for each tensor of a list.
fn of_each(a: &[Meta], rule: Rule) -> RuleResult {
    let Some(tensors) = a.tensors(0)? else { return Ok(smallvec![Meta::Unknown]) };
    let each = |t: TensorMeta| rule(&[Meta::Tensor(t)]).map(|metas| metas.into_iter().next().unwrap_or(Meta::Unknown));
    Ok(smallvec![Meta::List(tensors.into_iter().map(each).collect::<Result<_, _>>()?)])
}

rules! {
    atleast_1d_list = of_each, atleast_1d; atleast_2d_list = of_each, atleast_2d;
    atleast_3d_list = of_each, atleast_3d;
}

/// (tensors, indexing): each vector over a dimension of its own; with "xy" the first two change places.
pub fn meshgrid(a: &[Meta]) -> RuleResult {
    let Some(vectors) = a.tensors(0)? else { return Ok(smallvec![Meta::Unknown]) };
    let mut sizes: Sizes = vectors.iter().map(TensorMeta::numel).collect();
    if a.str(1) == Some("xy") && sizes.len() > 1 {
        sizes.swap(0, 1);
    }
    Ok(smallvec![Meta::List(vectors.iter().map(|t| t.with_sizes(Some(sizes.clone()))).collect())])
}
