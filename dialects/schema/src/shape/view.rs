//! Views, described once: each says which sizes, strides and offset it reads its argument with. The shape rule takes the sizes from the
//! description, the kernel takes all of it, so that the two cannot differ.

use super::args::{Args, product, show, wrap_dim};
use super::read::{dimension_set, existing_dimension, one, tensor_at, with_sizes};
use super::{Meta, RuleResult, ShapeError, Size, Sizes};
use crate::DType;
use smallvec::{SmallVec, smallvec};

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
pub fn rule_of(describe: Describe, args: &[Meta]) -> RuleResult {
    let views = describe(args)?;
    let Some(tensor) = tensor_at(args, 0) else {
        return one(Meta::Unknown);
    };
    let meta = |view: &View| {
        let mut meta = with_sizes(tensor, Some(view.sizes()));
        if let (&View::Retyped { dtype, .. }, Meta::Tensor(t)) = (view, &mut meta) {
            t.dtype = Some(dtype);
        }
        meta
    };
    one(match &views {
        Views::Unknown => with_sizes(tensor, None),
        Views::UnknownList => Meta::Unknown,
        Views::One(view) => meta(view),
        Views::List(views) => Meta::List(views.iter().map(meta).collect()),
    })
}

/// For each description `NAME_view` the rule `NAME`.
macro_rules! rules {
    ($($name:ident: $describe:ident,)*) => { $(
        #[doc = concat!("Rule of [`", stringify!($describe), "`].")]
        pub fn $name(args: &[Meta]) -> RuleResult {
            rule_of($describe, args)
        }
    )* };
}

rules! {
    alias: alias_view, expand: expand_view, expand_as: expand_as_view, permute: permute_view, transpose: transpose_view,
    t: t_view, numpy_t: numpy_t_view, m_t: m_t_view, m_h: m_h_view, adjoint: adjoint_view, matrix_h: matrix_h_view, movedim: movedim_view, select: select_view, slice: slice_view, narrow: narrow_view,
    unsqueeze: unsqueeze_view, squeeze: squeeze_view, squeeze_dim: squeeze_dim_view, squeeze_dims: squeeze_dims_view,
    diagonal: diagonal_view, unfold: unfold_view, reshape: reshape_view, reshape_as: reshape_as_view, flatten: flatten_view,
    ravel: ravel_view, unflatten: unflatten_view, as_strided: as_strided_view, reshape_alias: reshape_alias_view, chunk: chunk_view,
    split: split_view, split_with_sizes: split_with_sizes_view, tensor_split: tensor_split_view, unbind: unbind_view,
    atleast_1d: atleast_1d_view, atleast_2d: atleast_2d_view, atleast_3d: atleast_3d_view,
    real: real_view, imag: imag_view, view_as_real: view_as_real_view, view_as_complex: view_as_complex_view,
    view_dtype: view_dtype_view, collapse: collapse_view, split_dim: split_dim_view,
    hsplit: hsplit_view, vsplit: vsplit_view, dsplit: dsplit_view, broadcast_in_dim: broadcast_in_dim_view,
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

/// An integer argument, or leave with "unknown".
macro_rules! known_or {
    ($value:expr, $unknown:expr) => {
        match $value {
            Some(v) => v,
            None => return Ok($unknown),
        }
    };
}

/// The tensor itself (`alias`, `detach`, `view_of`).
pub fn alias_view(args: &[Meta]) -> Result<Views, ShapeError> {
    Ok(Views::One(View::identity(sizes_or!(args, Views::Unknown))))
}

/// (self, size).
pub fn expand_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let target = known_or!(Args(args).sizes(1), Views::Unknown);
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
            if want.known() == Some(-1) {
                return Err(ShapeError::runtime(format!(
                    "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {d}"
                )));
            }
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
            // Whether it is expanded or kept is not known, but the size is the target's if that is not -1.
            (_, want @ Size::Symbol(_)) => new_axis(want),
            (have @ Size::Known(_), Size::Unknown) => axis(have_at, have),
            (_, want) => new_axis(want),
        })
    });
    let mut axes: Vec<Axis> = axes.collect::<Result<_, _>>()?;
    axes.reverse();
    Ok(View::axes(axes))
}

/// (self, dims).
pub fn permute_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dims = known_or!(Args(args).ints(1), Views::Unknown);
    if dims.len() != sizes.len() {
        return Err(ShapeError::runtime(format!(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
            sizes.len(),
            dims.len()
        )));
    }
    let mut seen = vec![false; sizes.len()];
    let mut axes = Vec::new();
    for dim in dims {
        let d = existing_dimension(dim, sizes.len())?;
        if std::mem::replace(&mut seen[d], true) {
            return Err(ShapeError::runtime("permute(): duplicate dims are not allowed."));
        }
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
    let (a, b) = (known_or!(Args(args).int(1), Views::Unknown), known_or!(Args(args).int(2), Views::Unknown));
    let (a, b) = (wrap_dim(a, sizes.len())?, wrap_dim(b, sizes.len())?);
    Ok(swapped(sizes, a, b))
}

/// (self): at most two dimensions, exchanged.
pub fn t_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    if sizes.len() > 2 {
        return Err(ShapeError::runtime(format!(
            "t() expects a tensor with <= 2 dimensions, but self is {}D",
            sizes.len()
        )));
    }
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
    let source = known_or!(Args(args).ints(1), Views::Unknown);
    let destination = known_or!(Args(args).ints(2), Views::Unknown);
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
    if sizes.is_empty() {
        return Err(ShapeError::index("select() cannot be applied to a 0-dim tensor."));
    }
    let dim = wrap_dim(known_or!(Args(args).int(1), Views::Unknown), sizes.len())?;
    let start = match (Args(args).int(2), sizes[dim]) {
        (Some(index), Size::Known(size)) => {
            if index < -size || index >= size {
                return Err(ShapeError::index(format!(
                    "select(): index {index} out of range for tensor of size {} at dimension {dim}",
                    show(sizes)
                )));
            }
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
    if sizes.is_empty() {
        return Err(ShapeError::index("slice() cannot be applied to a 0-dim tensor."));
    }
    let dim = wrap_dim(known_or!(Args(args).int(1), Views::Unknown), sizes.len())?;
    let step = Args(args).int(4);
    if step.is_some_and(|s| s <= 0) {
        return Err(ShapeError::runtime("slice step must be positive"));
    }
    let (start, length) = slice_range(sizes[dim], args, step);
    Ok(Views::One(cut(sizes, dim, start, length, step.unwrap_or(1))))
}

/// Where `[start:end:step]` (arguments 2 and 3) begins in a dimension, and how many elements it takes.
pub(super) fn slice_range(size: Size, args: &[Meta], step: Option<i64>) -> (Size, Size) {
    let args = Args(args);
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
                    let end = end.max(start);
                    (Size::Known(start), Size::Known((end - start).div_ceil_by(step)))
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
    if sizes.is_empty() {
        return Err(ShapeError::runtime("narrow() cannot be applied to a 0-dim tensor."));
    }
    let length = Args(args).size(3);
    if let Some(n) = length.known()
        && n < 0
    {
        return Err(ShapeError::runtime("narrow(): length must be non-negative."));
    }
    let dim = wrap_dim(known_or!(Args(args).int(1), Views::Unknown), sizes.len())?;
    let start = match (Args(args).int(2), sizes[dim]) {
        (Some(start), Size::Known(size)) => {
            if start < -size || start > size {
                return Err(ShapeError::index(format!(
                    "start out of range (expected to be in range of [{}, {size}], but got {start})",
                    -size
                )));
            }
            let wrapped = if start < 0 { start + size } else { start };
            if let Some(n) = length.known()
                && wrapped > size.saturating_sub(n)
            {
                return Err(ShapeError::runtime(format!(
                    "start ({wrapped}) + length ({n}) exceeds dimension size ({size})."
                )));
            }
            Size::Known(wrapped)
        }
        _ => Size::Unknown,
    };
    Ok(Views::One(cut(sizes, dim, start, length, 1)))
}

/// (self, dim).
pub fn unsqueeze_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dim = wrap_dim(known_or!(Args(args).int(1), Views::Unknown), sizes.len() + 1)?;
    let mut axes: Vec<Axis> = (0..sizes.len()).map(|d| axis(d, sizes[d])).collect();
    // PyTorch's stride for the new dimension: what a row-major tensor would have there.
    let terms = match sizes.get(dim) {
        Some(Size::Known(n)) => smallvec![(dim, *n)],
        _ => smallvec![],
    };
    axes.insert(dim, Axis { size: Size::Known(1), terms });
    Ok(View::axes(axes))
}

fn squeezed(sizes: &[Size], which: impl Fn(usize) -> bool) -> Views {
    if (0..sizes.len()).any(|d| which(d) && sizes[d] == Size::Unknown) {
        return Views::Unknown;
    }
    // A symbol may be 1 at run time as well: then the rank is not known.
    if (0..sizes.len()).any(|d| which(d) && matches!(sizes[d], Size::Symbol(_))) {
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
    let dim = wrap_dim(known_or!(Args(args).int(1), Views::Unknown), sizes.len())?;
    Ok(squeezed(sizes, |d| d == dim))
}

/// (self, dims).
pub fn squeeze_dims_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dims = known_or!(Args(args).ints(1), Views::Unknown);
    let set = dimension_set(&dims, sizes.len())?;
    Ok(squeezed(sizes, |d| set[d]))
}

/// (self, offset, dim1, dim2).
pub fn diagonal_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let (a, b) = (known_or!(Args(args).int(2), Views::Unknown), known_or!(Args(args).int(3), Views::Unknown));
    let offset = Args(args).int(1);
    let (first, second) = (existing_dimension(a, sizes.len())?, existing_dimension(b, sizes.len())?);
    if first == second {
        return Err(ShapeError::runtime(format!("diagonal dimensions cannot be identical {a}, {b}")));
    }
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
    let dim = wrap_dim(known_or!(Args(args).int(1), Views::Unknown), rank)?;
    let (window, step) = (Args(args).int(2), Args(args).int(3));
    let have = sizes.get(dim).copied().unwrap_or(Size::Known(1));
    if let (Some(window), Some(have)) = (window, have.known())
        && window > have
    {
        return Err(ShapeError::runtime(format!(
            "maximum size for tensor at dimension {dim} is {have} but size is {window}"
        )));
    }
    if let Some(window) = window
        && window < 0
    {
        return Err(ShapeError::runtime(format!("size is {window} but must be >= 0")));
    }
    if let Some(step) = step
        && step <= 0
    {
        return Err(ShapeError::runtime(format!("step is {step} but must be > 0")));
    }
    let count = match (have, window, step) {
        (Size::Known(have), Some(window), Some(step)) => Size::Known((have - window) / step + 1),
        _ => Size::Unknown,
    };
    let mut axes: Vec<Axis> = (0..rank).map(|d| axis(d, sizes[d])).collect();
    if rank > 0 {
        axes[dim] = Axis { size: count, terms: smallvec![(dim, step.unwrap_or(1))] };
    }
    let size = window.map_or(Size::Unknown, Size::Known);
    axes.push(if rank > 0 { axis(dim, size) } else { new_axis(size) });
    Ok(View::axes(axes))
}

/// The sizes that a shape with at most one -1 stands for.
pub fn infer_sizes(sizes: &[Size], shape: &[Size]) -> Result<Sizes, ShapeError> {
    let mut inferred = None;
    for (i, s) in shape.iter().enumerate() {
        match s {
            Size::Known(-1) if inferred.replace(i).is_some() => {
                return Err(ShapeError::runtime("only one dimension can be inferred"));
            }
            Size::Known(-1) => {}
            Size::Known(n) if *n < 0 => {
                return Err(ShapeError::runtime(format!(
                    "invalid shape dimension {n} at index {i} of shape {}",
                    show(shape)
                )));
            }
            _ => {}
        }
    }
    let mut out: Sizes = shape.iter().copied().collect();
    let rest = || shape.iter().enumerate().filter(|(i, _)| Some(*i) != inferred).map(|(_, s)| *s);
    let others = product(&rest().collect::<Vec<_>>()).known();
    let invalid =
        |total: i64| ShapeError::runtime(format!("shape '{}' is invalid for input of size {total}", show(shape)));
    match (product(sizes).known(), others) {
        (Some(total), Some(product)) => match inferred {
            None if product == total => Ok(out),
            None => Err(invalid(total)),
            Some(i) => {
                if product == 0 && total == 0 {
                    return Err(ShapeError::runtime(format!(
                        "cannot reshape tensor of 0 elements into shape {} because the unspecified dimension size -1 can be any value and is ambiguous",
                        show(shape)
                    )));
                }
                if product == 0 || total % product != 0 {
                    return Err(invalid(total));
                }
                out[i] = Size::Known(total / product);
                Ok(out)
            }
        },
        _ => {
            if let Some(i) = inferred {
                out[i] = cancelled(sizes, &rest().collect::<Vec<_>>());
            }
            Ok(out)
        }
    }
}

/// The quotient of two products, as far as common symbols cancel; else unknown.
fn cancelled(numerator: &[Size], denominator: &[Size]) -> Size {
    if numerator.contains(&Size::Unknown) || denominator.contains(&Size::Unknown) {
        return Size::Unknown;
    }
    let mut left: Vec<Size> = numerator.iter().copied().filter(|s| *s != Size::Known(1)).collect();
    let mut constant = 1i64;
    for s in denominator {
        match (s, left.iter().position(|n| n == s)) {
            (Size::Known(n), _) => match constant.checked_mul(*n) {
                Some(c) => constant = c,
                None => return Size::Unknown,
            },
            (_, Some(i)) => {
                left.remove(i);
            }
            _ => return Size::Unknown,
        }
    }
    let symbols: Vec<Size> = left.iter().copied().filter(|s| s.known().is_none()).collect();
    let Some(product) = left.iter().filter_map(|s| s.known()).try_fold(1i64, i64::checked_mul) else {
        return Size::Unknown;
    };
    if constant == 0 || product % constant != 0 {
        return Size::Unknown;
    }
    match (&*symbols, product / constant) {
        ([], n) => Size::Known(n),
        ([s], 1) => *s,
        _ => Size::Unknown,
    }
}

/// (self, shape): also of `view`, `_unsafe_view`, `_reshape_copy`.
pub fn reshape_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let shape = known_or!(Args(args).sizes(1), Views::Unknown);
    match tensor_at(args, 0).and_then(|t| t.sizes.as_ref()) {
        Some(sizes) => Ok(Views::One(View::Reshape(infer_sizes(sizes, &shape)?))),
        None => {
            let sizes = shape.iter().map(|s| if s.known() == Some(-1) { Size::Unknown } else { *s }).collect();
            Ok(Views::One(View::Reshape(sizes)))
        }
    }
}

/// (self, other).
pub fn reshape_as_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let target = known_or!(tensor_at(args, 1).and_then(|t| t.sizes.as_ref()), Views::Unknown);
    Ok(Views::One(View::Reshape(infer_sizes(sizes, target)?)))
}

/// (self, start_dim, end_dim).
pub fn flatten_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let (start, end) = (known_or!(Args(args).int(1), Views::Unknown), known_or!(Args(args).int(2), Views::Unknown));
    let (start, end) = (wrap_dim(start, sizes.len())?, wrap_dim(end, sizes.len())?);
    if start > end {
        return Err(ShapeError::runtime("flatten() has invalid args: start_dim cannot come after end_dim"));
    }
    Ok(Views::One(if sizes.is_empty() {
        View::Reshape(smallvec![Size::Known(1)])
    } else if start == end {
        View::identity(sizes)
    } else {
        View::Reshape(joined(sizes, start, end))
    }))
}

fn joined(sizes: &[Size], start: usize, end: usize) -> Sizes {
    let mut out: Sizes = sizes[..start].iter().copied().collect();
    out.push(product(&sizes[start..=end]));
    out.extend(sizes[end + 1..].iter().copied());
    out
}

/// (a, start, end), inclusive (`prims::collapse`).
pub fn collapse_view(args: &[Meta]) -> Result<Views, ShapeError> {
    flatten_view(args)
}

/// (self).
pub fn ravel_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    Ok(Views::One(View::Reshape(smallvec![product(sizes)])))
}

/// (self, dim, sizes).
pub fn unflatten_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dim = known_or!(Args(args).int(1), Views::Unknown);
    let parts = known_or!(Args(args).sizes(2), Views::Unknown);
    let dim = existing_dimension(dim, sizes.len()).map_err(|e| {
        if sizes.is_empty() { ShapeError::runtime(format!("unflatten got an unexpected error:\n{e}")) } else { e }
    })?;
    if parts.is_empty() {
        return Err(ShapeError::runtime("unflatten: sizes must be non-empty"));
    }
    let inner = infer_sizes(&sizes[dim..=dim], &parts).map_err(|e| {
        if e.message.contains("is invalid for input of size") {
            ShapeError::runtime(format!(
                "unflatten: Provided sizes {} don't multiply up to the size of dim {dim} ({}) in the input tensor",
                show(&parts),
                Args(&[Meta::Int(sizes[dim])]).int(0).map_or("?".to_owned(), |n| n.to_string())
            ))
        } else {
            ShapeError::runtime(format!("unflatten got an unexpected error:\n{e}"))
        }
    })?;
    let mut out: Sizes = sizes[..dim].iter().copied().collect();
    out.extend(inner);
    out.extend(sizes[dim + 1..].iter().copied());
    Ok(Views::One(View::Reshape(out)))
}

/// (a, dim, outer_length) (`prims::split_dim`).
pub fn split_dim_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dim = existing_dimension(known_or!(Args(args).int(1), Views::Unknown), sizes.len())?;
    let outer = Args(args).size(2);
    let inner = infer_sizes(&sizes[dim..=dim], &[outer, Size::Known(-1)])?;
    let mut out: Sizes = sizes[..dim].iter().copied().collect();
    out.extend(inner);
    out.extend(sizes[dim + 1..].iter().copied());
    Ok(Views::One(View::Reshape(out)))
}

/// (self, size, stride, storage_offset).
pub fn as_strided_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = known_or!(Args(args).sizes(1), Views::Unknown);
    let strides = known_or!(Args(args).sizes(2), Views::Unknown);
    if sizes.len() != strides.len() {
        return Err(ShapeError::runtime("mismatch in length of strides and shape"));
    }
    if strides.iter().any(|s| s.known().is_some_and(|s| s < 0)) {
        return Err(ShapeError::runtime(format!(
            "as_strided: Negative strides are not supported at the moment, got strides: {}",
            show(&strides)
        )));
    }
    if sizes.iter().any(|s| s.known().is_some_and(|s| s < 0)) {
        return Err(ShapeError::runtime(format!(
            "Storage size calculation overflowed with sizes={} and strides={}",
            show(&sizes),
            show(&strides)
        )));
    }
    if let Some(o) = Args(args).int(3)
        && o < 0
    {
        return Err(ShapeError::runtime(format!("Tensor: invalid storage offset {o}")));
    }
    let offset = if Args(args).is_none(3) { None } else { Some(Args(args).size(3)) };
    Ok(Views::One(View::Strided { sizes, strides, offset }))
}

/// (self, size, stride).
pub fn reshape_alias_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = known_or!(Args(args).sizes(1), Views::Unknown);
    let strides = known_or!(Args(args).sizes(2), Views::Unknown);
    if sizes.iter().any(|s| s.known().is_some_and(|s| s < 0)) {
        return Err(ShapeError::runtime("numel: integer multiplication overflow"));
    }
    if sizes.len() != strides.len() {
        return Err(ShapeError::runtime(format!(
            "dimensionality of sizes ({}) must match dimensionality of strides ({})",
            sizes.len(),
            strides.len()
        )));
    }
    Ok(Views::One(View::Strided { sizes, strides, offset: None }))
}

/// Pieces of the lengths given, one after the other.
fn pieces(sizes: &[Size], dim: usize, lengths: impl IntoIterator<Item = Size>) -> Views {
    let mut start = Size::Known(0);
    Views::List(
        lengths
            .into_iter()
            .map(|length| {
                let view = cut(sizes, dim, start, length, 1);
                start = start.plus(length);
                view
            })
            .collect(),
    )
}

/// No more pieces than this: `x.split(1)` of a vast expanded tensor is an error, not an allocation.
const MAX_PIECES: i64 = 1 << 28;

fn equal_pieces(sizes: &[Size], dim: usize, total: i64, each: i64) -> Result<Views, ShapeError> {
    let count = if each == 0 { 1 } else { total.div_ceil_by(each).max(1) };
    if count > MAX_PIECES {
        return Err(ShapeError::runtime(format!("{count} pieces are too many")));
    }
    Ok(pieces(sizes, dim, (0..count).map(|i| Size::Known((total - i * each).min(each)))))
}

/// (self, split_size, dim).
pub fn split_view(args: &[Meta]) -> Result<Views, ShapeError> {
    // `split.sizes` and `split(int[])` share the name.
    if let Meta::List(_) = Args(args).get(1) {
        return split_with_sizes_view(args);
    }
    let sizes = sizes_or!(args, Views::UnknownList);
    if sizes.is_empty() {
        return Err(ShapeError::runtime("split expects at least a 1-dimensional tensor"));
    }
    let each = known_or!(Args(args).int(1), Views::UnknownList);
    if each < 0 {
        return Err(ShapeError::runtime(format!(
            "split expects split_size be non-negative, but got split_size={each}"
        )));
    }
    let dim = wrap_dim(known_or!(Args(args).int(2), Views::UnknownList), sizes.len())?;
    let total = known_or!(sizes[dim].known(), Views::UnknownList);
    if each == 0 && total != 0 {
        return Err(ShapeError::runtime(format!(
            "split_size can only be 0 if dimension size is 0, but got dimension size of {total}"
        )));
    }
    equal_pieces(sizes, dim, total, each)
}

/// (self, split_sizes, dim).
pub fn split_with_sizes_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    if sizes.is_empty() {
        return Err(ShapeError::runtime("split expects at least a 1-dimensional tensor"));
    }
    let lengths = known_or!(Args(args).sizes(1), Views::UnknownList);
    let dim = wrap_dim(known_or!(Args(args).int(2), Views::UnknownList), sizes.len())?;
    if lengths.iter().any(|l| l.known().is_some_and(|l| l < 0)) {
        return Err(ShapeError::runtime(format!(
            "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes={}",
            show(&lengths)
        )));
    }
    let sum = lengths.iter().try_fold(0i64, |n, l| n.checked_add(l.known()?));
    if let (Some(total), Some(sum)) = (sizes[dim].known(), sum)
        && sum != total
    {
        return Err(ShapeError::runtime(format!(
            "split_with_sizes expects split_sizes to sum exactly to {total} (input tensor's size at dimension {dim}), but got split_sizes={}",
            show(&lengths)
        )));
    }
    Ok(pieces(sizes, dim, lengths))
}

/// (self, chunks, dim).
pub fn chunk_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    if sizes.is_empty() {
        return Err(ShapeError::runtime("chunk expects at least a 1-dimensional tensor"));
    }
    let chunks = known_or!(Args(args).int(1), Views::UnknownList);
    if chunks <= 0 {
        return Err(ShapeError::runtime(format!("chunk expects `chunks` to be greater than 0, got: {chunks}")));
    }
    let dim = wrap_dim(known_or!(Args(args).int(2), Views::UnknownList), sizes.len())?;
    let total = known_or!(sizes[dim].known(), Views::UnknownList);
    if total == 0 {
        // All chunks are empty, and there are as many as asked for.
        return if chunks > MAX_PIECES {
            Err(ShapeError::runtime(format!("{chunks} pieces are too many")))
        } else {
            Ok(pieces(sizes, dim, (0..chunks).map(|_| Size::Known(0))))
        };
    }
    equal_pieces(sizes, dim, total, total.div_ceil_by(chunks))
}

/// (self, sections or indices, dim).
pub fn tensor_split_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    if sizes.is_empty() {
        return Err(ShapeError::runtime(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims",
        ));
    }
    let dim = wrap_dim(known_or!(Args(args).int(2), Views::UnknownList), sizes.len())?;
    if let Meta::List(_) = Args(args).get(1) {
        let indices = known_or!(Args(args).ints(1), Views::UnknownList);
        let total = known_or!(sizes[dim].known(), Views::UnknownList);
        let mut views = Vec::new();
        let mut start = 0;
        for end in indices.iter().copied().chain([i64::MAX]) {
            let bound = |v: i64| if v < 0 { v.saturating_add(total).max(0) } else { v.min(total) };
            let from = bound(start);
            views.push(cut(sizes, dim, Size::Known(from), Size::Known((bound(end) - from).max(0)), 1));
            start = end;
        }
        return Ok(Views::List(views));
    }
    let sections = known_or!(Args(args).int(1), Views::UnknownList);
    if sections <= 0 {
        return Err(ShapeError::runtime(format!("number of sections must be larger than 0, got {sections}")));
    }
    let total = known_or!(sizes[dim].known(), Views::UnknownList);
    if sections > MAX_PIECES {
        return Err(ShapeError::runtime(format!("{sections} pieces are too many")));
    }
    let (each, longer) = (total / sections, total % sections);
    Ok(pieces(sizes, dim, (0..sections).map(|i| Size::Known(each + i64::from(i < longer)))))
}

/// (self, dim).
pub fn unbind_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    let dim = existing_dimension(known_or!(Args(args).int(1), Views::UnknownList), sizes.len())?;
    let total = known_or!(sizes[dim].known(), Views::UnknownList);
    if total > MAX_PIECES {
        return Err(ShapeError::runtime(format!("{total} pieces are too many")));
    }
    let axes: Vec<Axis> = (0..sizes.len()).filter(|d| *d != dim).map(|d| axis(d, sizes[d])).collect();
    let views = (0..total).map(|i| View::Axes { axes: axes.clone(), start: smallvec![(dim, Size::Known(i))] });
    Ok(Views::List(views.collect()))
}

fn split_along(args: &[Meta], name: &str, least: usize, dim: impl Fn(usize) -> i64) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::UnknownList);
    if sizes.len() < least {
        return Err(ShapeError::runtime(format!(
            "torch.{name} requires a tensor with at least {least} dimension, but got a tensor with {} dimensions!",
            sizes.len()
        )));
    }
    let dim = dim(sizes.len());
    if let (Some(sections), Size::Known(n), Meta::Int(_)) = (Args(args).int(1), sizes[dim as usize], Args(args).get(1))
        && sections > 0
        && n % sections != 0
    {
        return Err(ShapeError::runtime(format!(
            "torch.{name} attempted to split along dimension {dim}, but the size of the dimension {n} is not divisible by the split_size {sections}!"
        )));
    }
    tensor_split_view(&[args[0].clone(), Args(args).get(1).clone(), Meta::Int(Size::Known(dim))])
}

/// (self, sections or indices): along the second dimension, of a vector along its only one.
pub fn hsplit_view(args: &[Meta]) -> Result<Views, ShapeError> {
    split_along(args, "hsplit", 1, |rank| i64::from(rank > 1))
}
/// (self, sections or indices): along the first dimension.
pub fn vsplit_view(args: &[Meta]) -> Result<Views, ShapeError> {
    split_along(args, "vsplit", 2, |_| 0)
}
/// (self, sections or indices): along the third dimension.
pub fn dsplit_view(args: &[Meta]) -> Result<Views, ShapeError> {
    split_along(args, "dsplit", 3, |_| 2)
}

/// (a, shape, broadcast_dimensions): dimension `i` of the argument becomes dimension `broadcast_dimensions[i]`.
pub fn broadcast_in_dim_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let shape = known_or!(Args(args).sizes(1), Views::Unknown);
    let places = known_or!(Args(args).ints(2), Views::Unknown);
    if places.len() != sizes.len() {
        return Err(ShapeError::runtime("broadcast_in_dim: one dimension number for each dimension is expected"));
    }
    let mut axes: Vec<Axis> = shape.iter().map(|s| new_axis(*s)).collect();
    for (d, place) in places.iter().enumerate() {
        let Some(to) = usize::try_from(*place).ok().and_then(|p| axes.get_mut(p)) else {
            return Err(ShapeError::runtime(format!("broadcast_in_dim: {place} is no dimension of the result")));
        };
        if sizes[d] != Size::Known(1) {
            if to.size.differs(sizes[d]) {
                return Err(ShapeError::runtime("broadcast_in_dim: a dimension that is not 1 must keep its size"));
            }
            to.terms = smallvec![(d, 1)];
        }
    }
    Ok(View::axes(axes))
}

fn atleast(sizes: &[Size], rank: usize) -> Views {
    let ones = |n: usize| std::iter::repeat_n(Size::Known(1), n);
    let shape: Sizes = match (sizes.len(), rank) {
        (have, want) if have >= want => return Views::One(View::identity(sizes)),
        (0, want) => ones(want).collect(),
        // A row for 2-d; for 3-d a row in the middle, and a matrix gets a last dimension.
        (1, 2) => ones(1).chain(sizes.iter().copied()).collect(),
        (1, _) => ones(1).chain(sizes.iter().copied()).chain(ones(1)).collect(),
        _ => sizes.iter().copied().chain(ones(1)).collect(),
    };
    Views::One(View::Reshape(shape))
}

/// (self).
pub fn atleast_1d_view(args: &[Meta]) -> Result<Views, ShapeError> {
    Ok(atleast(sizes_or!(args, Views::Unknown), 1))
}
/// (self).
pub fn atleast_2d_view(args: &[Meta]) -> Result<Views, ShapeError> {
    Ok(atleast(sizes_or!(args, Views::Unknown), 2))
}
/// (self).
pub fn atleast_3d_view(args: &[Meta]) -> Result<Views, ShapeError> {
    Ok(atleast(sizes_or!(args, Views::Unknown), 3))
}

fn dtype_of(args: &[Meta]) -> Option<DType> {
    tensor_at(args, 0).and_then(|t| t.dtype)
}

/// (self): a real tensor is its own real part.
pub fn real_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dtype = known_or!(dtype_of(args), Views::Unknown);
    Ok(Views::One(if dtype.is_complex() {
        View::Retyped { dtype: dtype.to_real(), sizes: sizes.clone(), reading: Reading::Part(0) }
    } else {
        View::identity(sizes)
    }))
}

/// (self), complex.
pub fn imag_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dtype = known_or!(dtype_of(args), Views::Unknown);
    if !dtype.is_complex() {
        return Err(ShapeError::type_error("imag is not implemented for tensors with non-complex dtypes."));
    }
    Ok(Views::One(View::Retyped { dtype: dtype.to_real(), sizes: sizes.clone(), reading: Reading::Part(1) }))
}

/// (self), complex.
pub fn view_as_real_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dtype = known_or!(dtype_of(args), Views::Unknown);
    if !dtype.is_complex() {
        return Err(ShapeError::type_error("view_as_real is only supported for complex tensors"));
    }
    let sizes = sizes.iter().copied().chain([Size::Known(2)]).collect();
    Ok(Views::One(View::Retyped { dtype: dtype.to_real(), sizes, reading: Reading::Pairs }))
}

/// (self), with a last dimension of 2.
pub fn view_as_complex_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let dtype = known_or!(dtype_of(args), Views::Unknown);
    if !matches!(dtype, DType::F16 | DType::F32 | DType::F64) {
        return Err(ShapeError::not_implemented(format!(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: {}",
            dtype.graph_name()
        )));
    }
    let Some((last, rest)) = sizes.split_last() else {
        return Err(ShapeError::runtime("Input tensor must have one or more dimensions"));
    };
    if last.known().is_some_and(|n| n != 2) {
        return Err(ShapeError::runtime("Tensor must have a last dimension of size 2"));
    }
    Ok(Views::One(View::Retyped {
        dtype: dtype.to_complex(),
        sizes: rest.iter().copied().collect(),
        reading: Reading::FromPairs,
    }))
}

/// (self, dtype).
pub fn view_dtype_view(args: &[Meta]) -> Result<Views, ShapeError> {
    let sizes = sizes_or!(args, Views::Unknown);
    let from = known_or!(dtype_of(args), Views::Unknown);
    let to = known_or!(Args(args).dtype(1).flatten(), Views::Unknown);
    let mut out = sizes.clone();
    let reading = if from.size() == to.size() {
        Reading::Same
    } else {
        let Some(last) = out.last_mut() else {
            return Err(ShapeError::runtime(format!(
                "self.dim() cannot be 0 to view {} as {} (different element sizes)",
                from.graph_name(),
                to.graph_name()
            )));
        };
        if from.size() > to.size() {
            let n = (from.size() / to.size()) as i64;
            *last = last.times(Size::Known(n));
            Reading::Split(n)
        } else {
            let n = (to.size() / from.size()) as i64;
            if let Some(have) = last.known() {
                if have % n != 0 {
                    return Err(ShapeError::runtime(format!(
                        "self.size(-1) must be divisible by {n} to view {} as {} (different element sizes), but got {have}",
                        from.graph_name(),
                        to.graph_name()
                    )));
                }
                *last = Size::Known(have / n);
            } else {
                *last = Size::Unknown;
            }
            Reading::Join(n)
        }
    };
    Ok(Views::One(View::Retyped { dtype: to, sizes: out, reading }))
}
