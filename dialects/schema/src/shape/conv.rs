//! Rules of convolutions: spatial sizes from kernels, strides, padding and dilation, and PyTorch's checks in PyTorch's order.

use super::args::*;
use super::matmul::cpp_name;
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use crate::DType;
use smallvec::smallvec;

/// What a convolution is told besides its tensors. `None`: not known.
pub struct Settings {
    pub stride: Option<Sizes>,
    pub padding: Option<Sizes>,
    pub dilation: Option<Sizes>,
    pub output_padding: Option<Sizes>,
    pub transposed: Option<bool>,
    pub groups: Option<i64>,
    /// `padding="same"`: sizes stay.
    pub same: bool,
}

/// One value per spatial dimension; a list of one stands for all.
fn spread(name: &str, list: &Option<Sizes>, n: usize) -> Result<Option<Sizes>, ShapeError> {
    match list {
        None => Ok(None),
        Some(l) if l.len() == n => Ok(Some(l.clone())),
        Some(l) if l.len() == 1 => Ok(Some(smallvec![l[0]; n])),
        Some(l) => error(format!(
            "expected {name} to be a single integer value or a list of {n} values to match the convolution dimensions, but got {name}={}",
            show(l)
        )),
    }
}

fn any(list: &Option<Sizes>, f: impl Fn(i64) -> bool) -> bool {
    list.as_ref().is_some_and(|l| l.iter().any(|s| s.known().is_some_and(&f)))
}

/// Sizes beyond 64 bits are refused when memory is asked for.
fn narrow(n: i128) -> i64 {
    n.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

/// `(in + 2 pad - dilation (kernel - 1) - 1) / stride + 1`.
pub fn window(input: Size, kernel: Size, stride: i64, padding: i64, dilation: i64) -> Size {
    match (input, kernel) {
        (Size::Known(i), Size::Known(k)) => {
            let span = i128::from(i) + 2 * i128::from(padding) - i128::from(dilation) * (i128::from(k) - 1) - 1;
            Size::Known(narrow(span.div_euclid(i128::from(stride.max(1))) + 1))
        }
        // A window of one element that moves by one changes nothing.
        (s, Size::Known(k)) if stride == 1 && 2 * padding == dilation * (k - 1) => s,
        _ => Size::Unknown,
    }
}

/// Sizes of a convolution's result for a batched or unbatched input, after all checks.
pub fn convolve(
    x: &TensorMeta,
    w: &TensorMeta,
    bias: Option<&TensorMeta>,
    s: &Settings,
) -> Result<Option<Sizes>, ShapeError> {
    let (Some(xs), Some(ws)) = (&x.sizes, &w.sizes) else { return Ok(None) };
    if ws.len() < 3 {
        return error("weight should have at least three dimensions");
    }
    let steps = Steps::new(s, ws.len() - 2)?;
    if xs.len() != ws.len() {
        let space = if s.same { "" } else { " " };
        return error(format!(
            "Expected {0}-dimensional input for {0}-dimensional weight{space}{1}, but got {2}-dimensional input of size {3} instead",
            ws.len(),
            show(ws),
            xs.len(),
            show(xs)
        ));
    }
    let (Some(transposed), Some(groups)) = (s.transposed, s.groups) else { return Ok(None) };
    let shown = if s.same { evened(xs, ws, &steps.dilation) } else { xs.clone() };
    let out_channels = channels(&shown, ws, bias, transposed, groups)?;
    steps.check_output_padding(transposed)?;
    let mut sizes: Sizes = smallvec![xs[0], out_channels];
    sizes.extend(if transposed { steps.spread_out(xs, ws) } else { steps.slid(xs, ws, s.same)? });
    let empty = |s: &[Size]| s.contains(&Size::Known(0));
    if transposed && ws.len() == 5 && empty(&ws[2..]) {
        return error(format!(
            "non-empty 5D (n_output_plane x n_input_plane x kernel_depth x kernel_height x kernel_width) tensor expected for weight, but got: {}",
            show(ws)
        ));
    }
    if !empty(&xs[..2]) && empty(&xs[2..]) {
        let mut shown = xs.clone();
        if let [_, _, _] = xs[..] {
            shown.insert(2, Size::Known(1));
        }
        return error(format!(
            "Only zero batch or zero channel inputs are supported, but got input shape: {}",
            show(&shown)
        ));
    }
    if product(xs).known().is_some_and(|n| n != 0) {
        check_kernel(&ws[2..])?;
    }
    Ok(Some(sizes))
}

/// Channels of the result, which groups, weight, input and bias must agree on.
fn channels(
    xs: &Sizes,
    ws: &Sizes,
    bias: Option<&TensorMeta>,
    transposed: bool,
    groups: i64,
) -> Result<Size, ShapeError> {
    if let Some(o) = ws[0].known() {
        if o < groups {
            return error(format!(
                "Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size {} instead",
                show(ws)
            ));
        }
        if o % groups != 0 {
            return error(format!(
                "Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of size {} instead",
                show(ws)
            ));
        }
    }
    let out_channels = if transposed { ws[1].times(Size::Known(groups)) } else { ws[0] };
    if transposed {
        if xs[1].differs(ws[0]) {
            return error(format!(
                "Given transposed=1, weight of size {}, expected input{} to have {} channels, but got {} channels instead",
                show(ws),
                show(xs),
                ws[0].known().unwrap_or_default(),
                xs[1].known().unwrap_or_default()
            ));
        }
    } else if xs[1].differs(ws[1].times(Size::Known(groups))) {
        return error(format!(
            "Given groups={groups}, weight of size {}, expected input{} to have {} channels, but got {} channels instead",
            show(ws),
            show(xs),
            ws[1].known().unwrap_or_default().saturating_mul(groups),
            xs[1].known().unwrap_or_default()
        ));
    }
    if let Some(b) = bias.and_then(|b| b.sizes.as_ref())
        && (b.len() != 1 || b[0].differs(out_channels))
    {
        return error(format!(
            "Given {}weight of size {}, expected bias to be 1-dimensional with {} elements, but got bias of size {} instead",
            if transposed { "transposed=1, " } else { "" },
            show(ws),
            out_channels.known().unwrap_or_default(),
            show(b)
        ));
    }
    Ok(out_channels)
}

/// The settings of a convolution, one value per spatial dimension. `None`: not known.
struct Steps {
    stride: Option<Sizes>,
    padding: Option<Sizes>,
    dilation: Option<Sizes>,
    output_padding: Option<Sizes>,
}

impl Steps {
    fn new(s: &Settings, n: usize) -> Result<Steps, ShapeError> {
        let steps = Steps {
            stride: spread("stride", &s.stride, n)?,
            padding: spread("padding", &s.padding, n)?,
            dilation: spread("dilation", &s.dilation, n)?,
            output_padding: spread("output_padding", &s.output_padding, n)?,
        };
        if any(&steps.padding, |p| p < 0) {
            return error("negative padding is not supported");
        }
        if any(&steps.output_padding, |p| p < 0) {
            return error("negative output_padding is not supported");
        }
        if any(&steps.stride, |p| p <= 0) {
            return error("non-positive stride is not supported");
        }
        if any(&steps.dilation, |p| p <= 0) {
            return error("dilation should be greater than zero");
        }
        if s.groups.is_some_and(|g| g <= 0) {
            return error("non-positive groups is not supported");
        }
        Ok(steps)
    }

    /// Stride, padding and dilation of a dimension.
    fn at(&self, d: usize) -> Option<(i64, i64, i64)> {
        let value = |l: &Option<Sizes>| l.as_ref().and_then(|l| l[d].known());
        Some((value(&self.stride)?, value(&self.padding)?, value(&self.dilation)?))
    }

    /// Spatial sizes of a transposed convolution.
    fn spread_out(&self, xs: &[Size], ws: &[Size]) -> Sizes {
        let size = |d: usize| {
            let extra = self.output_padding.as_ref().and_then(|l| l[d].known());
            match (self.at(d), extra, xs[d + 2], ws[d + 2]) {
                (Some((stride, padding, dilation)), Some(extra), Size::Known(i), Size::Known(k)) => {
                    let wide = i128::from;
                    let moved = (wide(i) - 1) * wide(stride) - 2 * wide(padding);
                    Size::Known(narrow(moved + wide(dilation) * (wide(k) - 1) + wide(extra) + 1))
                }
                _ => Size::Unknown,
            }
        };
        (0..ws.len() - 2).map(size).collect()
    }

    /// Spatial sizes of a kernel slid over an input that is no smaller.
    fn slid(&self, xs: &[Size], ws: &[Size], same: bool) -> Result<Sizes, ShapeError> {
        if same {
            return Ok(xs[2..].into());
        }
        let (mut sizes, mut padded, mut kernels, mut too_small) = (Sizes::new(), Vec::new(), Vec::new(), false);
        for (d, (&input, &kernel)) in xs[2..].iter().zip(&ws[2..]).enumerate() {
            let Some((stride, padding, dilation)) = self.at(d) else {
                sizes.push(Size::Unknown);
                continue;
            };
            if let (Size::Known(i), Size::Known(k)) = (input, kernel) {
                let wide = i128::from;
                let (room, reach) = (wide(i) + 2 * wide(padding), wide(dilation) * (wide(k) - 1) + 1);
                padded.push(room.to_string());
                kernels.push(reach.to_string());
                too_small |= room < reach;
            }
            sizes.push(window(input, kernel, stride, padding, dilation));
        }
        if too_small {
            return error(format!(
                "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
                padded.join(" x "),
                kernels.join(" x ")
            ));
        }
        Ok(sizes)
    }

    /// What a transposed convolution adds to a size cannot be as much as both its stride and its dilation.
    fn check_output_padding(&self, transposed: bool) -> Result<(), ShapeError> {
        let list = |l: &Option<Sizes>| l.as_ref().and_then(|l| all_known(l));
        let all = (list(&self.stride), list(&self.dilation), list(&self.output_padding));
        let ((Some(s), Some(d), Some(p)), true) = (all, transposed) else { return Ok(()) };
        if p.iter().zip(s.iter().zip(&d)).all(|(p, (s, d))| p < s || p < d) {
            return Ok(());
        }
        let shown = |name: &str, l: &[i64], one: i64| {
            let (names, values) = spatial(l, one);
            names.iter().zip(values).map(|(n, v)| format!(" {name}_{n}: {v}")).collect::<String>()
        };
        error(format!(
            "output padding must be smaller than either stride or dilation, but got{}{}{}",
            shown("output_padding", &p, 0),
            shown("stride", &s, 1),
            shown("dilation", &d, 1)
        ))
    }
}

/// The input of a convolution that keeps sizes: where both sides cannot be padded alike, it has been lengthened by one at the end.
fn evened(xs: &Sizes, ws: &Sizes, dilation: &Option<Sizes>) -> Sizes {
    let odd = |d: usize| {
        let step = dilation.as_ref().and_then(|l| l[d - 2].known())?;
        Some(step.checked_mul(ws[d].known()? - 1)? % 2 != 0)
    };
    let longer = |(d, s): (usize, &Size)| if d > 1 && odd(d) == Some(true) { s.plus(Size::Known(1)) } else { *s };
    xs.iter().enumerate().map(longer).collect()
}

/// The names of two or three spatial dimensions; one dimension is the second of two.
fn spatial(list: &[i64], one: i64) -> (&'static [&'static str], Vec<i64>) {
    match list {
        [n] => (&["height", "width"], vec![one, *n]),
        [_, _, _] => (&["depth", "height", "width"], list.to_vec()),
        _ => (&["height", "width"], list.to_vec()),
    }
}

fn check_kernel(kernel: &[Size]) -> Result<(), ShapeError> {
    let Some(list) = all_known(kernel).filter(|l| l.contains(&0)) else { return Ok(()) };
    let (names, values) = spatial(&list, 1);
    error(match values[..] {
        [t, h, w] => format!("kernel size should be greater than zero, but got: {t} x {h} x {w} (TxHxW)"),
        _ => {
            let shown: String = names.iter().zip(values).map(|(n, v)| format!(" kernel_{n}: {v}")).collect();
            format!("kernel size should be greater than zero, but got{shown}")
        }
    })
}

fn check_dtypes(x: &TensorMeta, w: &TensorMeta, bias: Option<&TensorMeta>) -> Result<(), ShapeError> {
    if let (Some(d), Some(e)) = (x.dtype, w.dtype)
        && d != e
    {
        return error(format!("expected scalar type {} but found {}", d.scalar_type_name(), e.scalar_type_name()));
    }
    check_bias_dtype(x, bias)
}

fn check_bias_dtype(x: &TensorMeta, bias: Option<&TensorMeta>) -> Result<(), ShapeError> {
    if let (Some(d), Some(e)) = (x.dtype, bias.and_then(|b| b.dtype))
        && d != e
    {
        return error(format!("Input type ({}) and bias type ({}) should be the same", cpp_name(d), cpp_name(e)));
    }
    Ok(())
}

/// A convolution whose input may lack the batch dimension.
fn unbatched(
    name: &str,
    n: usize,
    x: &TensorMeta,
    w: &TensorMeta,
    bias: Option<&TensorMeta>,
    s: &Settings,
) -> RuleResult {
    let rank = x.rank();
    if let Some(r) = rank
        && r != n + 1
        && r != n + 2
    {
        return error(format!(
            "Expected {}D (unbatched) or {}D (batched) input to {name}, but got input of size: {}",
            n + 1,
            n + 2,
            show(x.sizes.as_deref().unwrap_or(&[]))
        ));
    }
    let mut lifted = x.clone();
    let lift = rank == Some(n + 1);
    if lift && let Some(sizes) = &mut lifted.sizes {
        sizes.insert(0, Size::Known(1));
    }
    let mut sizes = convolve(&lifted, w, bias, s)?;
    check_dtypes(x, w, bias)?;
    if lift && let Some(sizes) = &mut sizes {
        sizes.remove(0);
    }
    one(x.dtype, sizes)
}

fn plain(name: &str, n: usize, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let bias = a.optional_tensor(2)?;
    let s = Settings {
        stride: a.sizes(3),
        padding: a.sizes(4),
        dilation: a.sizes(5),
        output_padding: Some(smallvec![Size::Known(0)]),
        transposed: Some(false),
        groups: a.int(6),
        same: false,
    };
    // Before anything else; the other forms look at dtypes last.
    check_bias_dtype(&a.tensor(0)?, bias.as_ref())?;
    unbatched(name, n, &a.tensor(0)?, &a.tensor(1)?, bias.as_ref(), &s)
}

fn padded(name: &str, n: usize, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let bias = a.optional_tensor(2)?;
    let same = match a.str(4) {
        Some("same") => true,
        Some("valid") => false,
        Some(other) => return error(format!("Invalid padding string: '{other}'")),
        None => return one(a.tensor(0)?.dtype, None),
    };
    if same && any(&a.sizes(3), |s| s != 1) {
        return error("padding='same' is not supported for strided convolutions");
    }
    let s = Settings {
        stride: a.sizes(3),
        padding: Some(smallvec![Size::Known(0)]),
        dilation: a.sizes(5),
        output_padding: Some(smallvec![Size::Known(0)]),
        transposed: Some(false),
        groups: a.int(6),
        same,
    };
    unbatched(name, n, &a.tensor(0)?, &a.tensor(1)?, bias.as_ref(), &s)
}

fn transposed(name: &str, n: usize, a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let bias = a.optional_tensor(2)?;
    let s = Settings {
        stride: a.sizes(3),
        padding: a.sizes(4),
        output_padding: a.sizes(5),
        groups: a.int(6),
        dilation: a.sizes(7),
        transposed: Some(true),
        same: false,
    };
    unbatched(name, n, &a.tensor(0)?, &a.tensor(1)?, bias.as_ref(), &s)
}

pub fn conv1d(a: &[Meta]) -> RuleResult {
    plain("conv1d", 1, a)
}
pub fn conv2d(a: &[Meta]) -> RuleResult {
    plain("conv2d", 2, a)
}
pub fn conv3d(a: &[Meta]) -> RuleResult {
    plain("conv3d", 3, a)
}
pub fn conv1d_padding(a: &[Meta]) -> RuleResult {
    padded("conv1d", 1, a)
}
pub fn conv2d_padding(a: &[Meta]) -> RuleResult {
    padded("conv2d", 2, a)
}
pub fn conv3d_padding(a: &[Meta]) -> RuleResult {
    padded("conv3d", 3, a)
}
/// `padding` by name, for as many dimensions as the weight has.
pub fn convolution_mode(a: &[Meta]) -> RuleResult {
    let name = ["conv1d", "conv2d", "conv3d"];
    match Args(a).tensor(1)?.rank().and_then(|r| Some((name.get(r.checked_sub(3)?)?, r - 2))) {
        Some((name, n)) => padded(name, n, a),
        None => one(Args(a).tensor(0)?.dtype, None),
    }
}

/// Kernel size before the bias, and neither groups nor, in some, a dilation.
pub fn slow(a: &[Meta]) -> RuleResult {
    let args = Args(a);
    let kernel = args.sizes(2);
    let weight = args.tensor(1)?;
    let s = Settings {
        stride: args.sizes(4),
        padding: args.sizes(5),
        dilation: if a.len() > 6 { args.sizes(6) } else { Some(smallvec![Size::Known(1)]) },
        output_padding: Some(smallvec![Size::Known(0)]),
        transposed: Some(false),
        groups: Some(1),
        same: false,
    };
    match kernel.map(|k| k.len()) {
        Some(n @ 2..=3) => {
            let bias = args.optional_tensor(3)?;
            unbatched(["conv2d", "conv3d"][n - 2], n, &args.tensor(0)?, &weight, bias.as_ref(), &s)
        }
        _ => one(args.tensor(0)?.dtype, None),
    }
}

pub fn conv_transpose1d(a: &[Meta]) -> RuleResult {
    transposed("conv_transpose1d", 1, a)
}
pub fn conv_transpose2d(a: &[Meta]) -> RuleResult {
    transposed("conv_transpose2d", 2, a)
}
pub fn conv_transpose3d(a: &[Meta]) -> RuleResult {
    transposed("conv_transpose3d", 3, a)
}

/// `convolution`, `_convolution`: stride, padding, dilation, transposed, output_padding, groups.
pub fn convolution(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, w, bias) = (a.tensor(0)?, a.tensor(1)?, a.optional_tensor(2)?);
    let s = Settings {
        stride: a.sizes(3),
        padding: a.sizes(4),
        dilation: a.sizes(5),
        transposed: a.bool(6),
        output_padding: a.sizes(7),
        groups: a.int(8),
        same: false,
    };
    let sizes = convolve(&x, &w, bias.as_ref(), &s)?;
    check_dtypes(&x, &w, bias.as_ref())?;
    one(x.dtype, sizes)
}

pub fn convolution_backward(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, w) = (a.tensor(1)?, a.tensor(2)?);
    if let Some(g) = a.int(9)
        && g <= 0
    {
        return error(format!("expected groups to be greater than 0, but got groups={g}"));
    }
    let s = Settings {
        stride: a.sizes(4),
        padding: a.sizes(5),
        dilation: a.sizes(6),
        transposed: a.bool(7),
        output_padding: a.sizes(8),
        groups: a.int(9),
        same: false,
    };
    if let (Some(want), Some(have)) = (convolve(&x, &w, None, &s)?, a.tensor(0)?.sizes)
        && let Some(d) = (0..want.len()).find(|&d| have.len() != want.len() || have[d].differs(want[d]))
    {
        let text = |s: Option<&Size>| s.and_then(|s| s.known()).unwrap_or_default();
        return error(format!(
            "Expected a tensor of dimension {0} and tensor.size[{d}] == {1} but got: dimension {2} and tensor.size[{d}] = {3}",
            want.len(),
            text(want.get(d)),
            have.len(),
            text(have.get(d))
        ));
    }
    let pick = |i: usize, m: Meta| match a.get(10) {
        Meta::List(flags) => match flags.get(i) {
            Some(Meta::Bool(true)) => m,
            Some(Meta::Bool(false)) => Meta::None,
            _ => Meta::Unknown,
        },
        _ => Meta::Unknown,
    };
    let channels = match a.bool(7) {
        Some(true) => w.size(1).times(a.int(9).map_or(Size::Unknown, Size::Known)),
        Some(false) => w.size(0),
        None => Size::Unknown,
    };
    Ok(smallvec![
        pick(0, tensor(x.dtype, x.sizes.clone())),
        pick(1, tensor(w.dtype, w.sizes.clone())),
        pick(2, tensor(x.dtype, Some(smallvec![channels])))
    ])
}

/// `[time, batch, in]` with `[width, in, out]`.
pub fn conv_tbc(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (x, w, b) = (a.tensor(0)?, a.tensor(1)?, a.tensor(2)?);
    if x.rank().is_some_and(|r| r != 3) {
        return error("Input must have 3 dims: time, batch, in_channel");
    }
    if w.rank().is_some_and(|r| r != 3) {
        return error("Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.");
    }
    if b.rank().is_some_and(|r| r != 1) {
        return error("Bias must be 1-D");
    }
    if x.size(2).differs(w.size(1)) {
        return error("Input dim 2 (input channels) is not == dim 1 in the weight tensor.");
    }
    if b.size(0).differs(w.size(2)) {
        return error("Bias size must equal dim 2 in the weight tensor (output channels).");
    }
    let time = match a.int(3) {
        Some(p) => window(x.size(0), w.size(0), 1, p, 1),
        None => Size::Unknown,
    };
    one(x.dtype, Some(smallvec![time, x.size(1), w.size(2)]))
}

/// Two values for height and width.
fn two(name: &str, list: Option<Sizes>) -> Result<Option<(i64, i64)>, ShapeError> {
    let Some(l) = list else { return Ok(None) };
    if l.len() != 2 {
        return error(format!("It is expected {name} equals to 2, but got size {}", l.len()));
    }
    Ok(l[0].known().zip(l[1].known()))
}

type Pair = (i64, i64);

fn check_unfold(kernel: Pair, dilation: Pair, padding: Pair, stride: Pair) -> Result<(), ShapeError> {
    let positive = |name: &str, p: Pair| {
        if p.0 > 0 && p.1 > 0 {
            return Ok(());
        }
        let short = name.split(' ').next().unwrap_or(name);
        error(format!("{name} should be greater than zero, but got {short}_height: {} {short}_width: {}", p.0, p.1))
    };
    positive("kernel size", kernel)?;
    positive("dilation", dilation)?;
    if padding.0 < 0 || padding.1 < 0 {
        return error(format!(
            "padding should be non-negative, but got pad_height: {} pad_width: {}",
            padding.0, padding.1
        ));
    }
    positive("stride", stride)
}

pub fn im2col(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let (Some(k), Some(d), Some(p), Some(s)) = (
        two("kernel_size", a.sizes(1))?,
        two("dilation", a.sizes(2))?,
        two("padding", a.sizes(3))?,
        two("stride", a.sizes(4))?,
    ) else {
        return one(t.dtype, None);
    };
    check_unfold(k, d, p, s)?;
    let Some(sizes) = &t.sizes else { return one(t.dtype, None) };
    let n = sizes.len();
    let empty = |s: &[Size]| s.contains(&Size::Known(0));
    if n < 3 {
        wrap_dim(2, n)?;
    }
    if !(n == 3 || n == 4) || empty(&sizes[n - 3..]) {
        return error(format!(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
            show(sizes)
        ));
    }
    let (h, w) =
        (window(sizes[n - 2], Size::Known(k.0), s.0, p.0, d.0), window(sizes[n - 1], Size::Known(k.1), s.1, p.1, d.1));
    if let (Some(h), Some(w)) = (h.known(), w.known())
        && (h < 1 || w < 1)
    {
        return error(format!(
            "Given input with spatial size ({}, {}), kernel_size=({}, {}), dilation=({}, {}), padding=({}, {}), calculated shape of the array of sliding blocks as ({h}, {w}), but its components must be at least one.",
            sizes[n - 2].known().unwrap_or_default(),
            sizes[n - 1].known().unwrap_or_default(),
            k.0,
            k.1,
            d.0,
            d.1,
            p.0,
            p.1
        ));
    }
    let mut out: Sizes = sizes[..n - 3].into();
    out.push(sizes[n - 3].times(Size::Known(k.0.saturating_mul(k.1))));
    out.push(h.times(w));
    one(t.dtype, Some(out))
}

pub fn col2im(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let t = a.tensor(0)?;
    let output = match a.sizes(1) {
        Some(o) if o.len() != 2 => {
            return error(format!("It is expected output_size equals to 2, but got size {}", o.len()));
        }
        other => other,
    };
    let (Some(k), Some(d), Some(p), Some(s)) = (
        two("kernel_size", a.sizes(2))?,
        two("dilation", a.sizes(3))?,
        two("padding", a.sizes(4))?,
        two("stride", a.sizes(5))?,
    ) else {
        return one(t.dtype, None);
    };
    check_unfold(k, d, p, s)?;
    let (Some(sizes), Some(output)) = (&t.sizes, output) else { return one(t.dtype, None) };
    let n = sizes.len();
    if !(n == 2 || n == 3) || sizes[n - 2..].contains(&Size::Known(0)) {
        return error(format!(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: {}",
            show(sizes)
        ));
    }
    let area = k.0.saturating_mul(k.1);
    if let Some(c) = sizes[n - 2].known()
        && c % area != 0
    {
        return error(format!(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)={c} and kernel_size=({}, {}).",
            k.0, k.1
        ));
    }
    let (h, w) =
        (window(output[0], Size::Known(k.0), s.0, p.0, d.0), window(output[1], Size::Known(k.1), s.1, p.1, d.1));
    if let (Some(h), Some(w), Some(l)) = (h.known(), w.known(), sizes[n - 1].known())
        && h.saturating_mul(w) != l
    {
        return error(format!(
            "Given output_size=({}, {}), kernel_size=({}, {}), dilation=({}, {}), padding=({}, {}), stride=({}, {}), expected size of input's dimension 2 to match the calculated number of sliding blocks {h} * {w} = {}, but got input.size(2)={l}.",
            output[0].known().unwrap_or_default(),
            output[1].known().unwrap_or_default(),
            k.0,
            k.1,
            d.0,
            d.1,
            p.0,
            p.1,
            s.0,
            s.1,
            h.saturating_mul(w)
        ));
    }
    let mut out: Sizes = sizes[..n - 2].into();
    out.push(sizes[n - 2].map(|c| c / area));
    out.extend(output);
    one(t.dtype, Some(out))
}

/// Whether a dtype can be averaged or compared in windows.
pub fn real(what: &str, d: Option<DType>) -> Result<(), ShapeError> {
    match d {
        Some(d) if d.is_complex() || d == DType::Bool => not_implemented_for(what, d),
        _ => Ok(()),
    }
}

/// (self, weight, kernel_size, bias, stride, padding, output_padding, dilation).
pub fn slow_conv_transpose2d(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let (t, w) = (a.tensor(0)?, a.tensor(1)?);
    let names = ["kernel_size", "stride", "padding", "output_padding", "dilation"];
    let mut settings = [None; 5];
    for ((setting, name), i) in settings.iter_mut().zip(names).zip([2, 4, 5, 6, 7]) {
        *setting = two(name, a.sizes(i))?;
    }
    let [Some(kernel), Some(stride), Some(padding), Some(extra), Some(dilation)] = settings else {
        return one(t.dtype, None);
    };
    check_unfold(kernel, dilation, padding, stride)?;
    let (Some(xs), Some(ws)) = (&t.sizes, &w.sizes) else { return one(t.dtype, None) };
    let empty = |s: &[Size]| s.contains(&Size::Known(0));
    if !(ws.len() == 2 || ws.len() == 4) || empty(ws) {
        return error(format!("non-empty 2D or 4D weight tensor expected, but got: {}", show(ws)));
    }
    if !(xs.len() == 3 || xs.len() == 4) || empty(&xs[xs.len() - 3..]) {
        return error(format!("non-empty 3D or 4D input tensor expected but got a tensor with size {}", show(xs)));
    }
    let fits = |p: (i64, i64)| p.0 >= 0 && p.1 >= 0;
    if !fits(extra) {
        return error("negative output_padding is not supported");
    }
    // The weight says how large a kernel is; the sizes asked for are only looked at.
    one(t.dtype, None)
}
