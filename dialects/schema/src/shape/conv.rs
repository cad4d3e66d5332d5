//! Rules of convolutions: spatial sizes from kernels, strides, padding and dilation, and PyTorch's checks in PyTorch's order.

use super::args::*;
use super::norm::masked;
use crate::geometry::Window;

/// What a convolution is told besides its tensors. `None`: not known.
#[derive(Default)]
struct Settings {
    stride: Option<Sizes>,
    padding: Option<Sizes>,
    dilation: Option<Sizes>,
    output_padding: Option<Sizes>,
    transposed: Option<bool>,
    groups: Option<i64>,
    /// `padding="same"`: sizes stay.
    same: bool,
}

impl Settings {
    /// Stride, padding, dilation and groups as arguments of a convolution that is not transposed.
    fn at(a: &[Meta], [stride, padding, dilation]: [usize; 3], groups: Option<i64>) -> Settings {
        Settings {
            stride: a.sizes(stride),
            padding: a.sizes(padding),
            dilation: a.sizes(dilation),
            output_padding: Some(smallvec![Size::Known(0)]),
            transposed: Some(false),
            groups,
            same: false,
        }
    }
}

/// One value per spatial dimension; a list of one stands for all.
fn spread(name: &str, list: &Option<Sizes>, n: usize) -> Result<Option<Sizes>, ShapeError> {
    match list {
        Some(l) if l.len() == 1 => Ok(Some(smallvec![l[0]; n])),
        Some(l) if l.len() != n => error(format!(
            "expected {name} to be a single integer value or a list of {n} values to match the convolution dimensions, but got {name}={}",
            show(l)
        )),
        list => Ok(list.clone()),
    }
}

fn any(list: &Option<Sizes>, f: impl Fn(i64) -> bool) -> bool {
    list.as_ref().is_some_and(|l| l.iter().any(|s| s.known().is_some_and(&f)))
}

fn is_empty(sizes: &[Size]) -> bool {
    sizes.contains(&Size::Known(0))
}

/// Sizes of a convolution's result for a batched or unbatched input, after all checks.
fn convolve(
    x: &TensorMeta,
    w: &TensorMeta,
    bias: Option<&TensorMeta>,
    s: &Settings,
) -> Result<Option<Sizes>, ShapeError> {
    let (Some(xs), Some(ws)) = (&x.sizes, &w.sizes) else { return Ok(None) };
    refuse!(if ws.len() < 3, "weight should have at least three dimensions");
    let steps = Steps::new(s, ws)?;
    refuse!(if xs.len() != ws.len(),
        "Expected {0}-dimensional input for {0}-dimensional weight{1}{2}, but got {3}-dimensional input of size {4} instead",
        ws.len(), if s.same { "" } else { " " }, show(ws), xs.len(), show(xs));
    let (Some(transposed), Some(groups)) = (s.transposed, s.groups) else { return Ok(None) };
    let shown = if s.same { evened(xs, ws, &steps.dilation) } else { xs.clone() };
    let out_channels = channels(&shown, ws, bias, transposed, groups)?;
    steps.check_output_padding(transposed)?;
    let mut sizes: Sizes = smallvec![xs[0], out_channels];
    sizes.extend(if transposed { steps.spread_out(xs) } else { steps.slid(xs, s.same)? });
    refuse!(if transposed && ws.len() == 5 && is_empty(&ws[2..]),
        "non-empty 5D (n_output_plane x n_input_plane x kernel_depth x kernel_height x kernel_width) tensor expected for weight, but got: {}",
        show(ws));
    if !is_empty(&xs[..2]) && is_empty(&xs[2..]) {
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
        let fault = if o < groups { Some("at least") } else { (o % groups != 0).then_some("divisible by") };
        refuse!(if let Some(fault) = fault,
            "Given groups={groups}, expected weight to be {fault} {groups} at dimension 0, but got weight of size {} instead",
            show(ws));
    }
    let (out_channels, want) = if transposed { (ws[1].times(groups), ws[0]) } else { (ws[0], ws[1].times(groups)) };
    let given = if transposed { "transposed=1, ".to_string() } else { format!("groups={groups}, ") };
    refuse!(if xs[1].unequal(want),
        "Given {given}weight of size {}, expected input{} to have {want} channels, but got {} channels instead", show(ws),
        show(xs), xs[1]);
    let given = if transposed { &given } else { "" };
    refuse!(if let Some(b) = bias.and_then(|b| b.sizes.as_ref()), differ(b, &[out_channels]),
        "Given {given}weight of size {}, expected bias to be 1-dimensional with {out_channels} elements, but got bias of size {} instead",
        show(ws), show(b));
    Ok(out_channels)
}

/// The settings of a convolution, one value per spatial dimension. `None`: not known.
struct Steps {
    kernel: Sizes,
    stride: Option<Sizes>,
    padding: Option<Sizes>,
    dilation: Option<Sizes>,
    output_padding: Option<Sizes>,
}

impl Steps {
    fn new(s: &Settings, weight: &Sizes) -> Result<Steps, ShapeError> {
        let n = weight.len() - 2;
        let steps = Steps {
            kernel: weight[2..].into(),
            stride: spread("stride", &s.stride, n)?,
            padding: spread("padding", &s.padding, n)?,
            dilation: spread("dilation", &s.dilation, n)?,
            output_padding: spread("output_padding", &s.output_padding, n)?,
        };
        refuse!(if any(&steps.padding, |p| p < 0), "negative padding is not supported");
        refuse!(if any(&steps.output_padding, |p| p < 0), "negative output_padding is not supported");
        refuse!(if any(&steps.stride, |p| p <= 0), "non-positive stride is not supported");
        refuse!(if any(&steps.dilation, |p| p <= 0), "dilation should be greater than zero");
        refuse!(if s.groups.is_some_and(|g| g <= 0), "non-positive groups is not supported");
        Ok(steps)
    }

    /// The window along a dimension.
    fn window(&self, d: usize) -> Option<Window> {
        let value = |l: &Option<Sizes>| l.as_ref().and_then(|l| l[d].known());
        Some(Window {
            stride: value(&self.stride)?,
            padding: (value(&self.padding)?, value(&self.padding)?),
            dilation: value(&self.dilation)?,
            ..Window::plain(self.kernel[d])
        })
    }

    /// Spatial sizes of a transposed convolution.
    fn spread_out(&self, xs: &[Size]) -> Sizes {
        let size = |d: usize| {
            let extra = self.output_padding.as_ref()?[d].known()?;
            Some(self.window(d)?.spread(xs[d + 2], extra))
        };
        (0..self.kernel.len()).map(|d| size(d).unwrap_or(Size::Unknown)).collect()
    }

    /// Spatial sizes of a kernel slid over an input that is no smaller.
    fn slid(&self, xs: &[Size], same: bool) -> Result<Sizes, ShapeError> {
        if same {
            return Ok(xs[2..].into());
        }
        let (mut sizes, mut padded, mut kernels) = (Sizes::new(), Vec::new(), Vec::new());
        for (d, &input) in xs[2..].iter().enumerate() {
            let Some(window) = self.window(d) else {
                sizes.push(Size::Unknown);
                continue;
            };
            if let (Size::Known(i), Size::Known(k)) = (input, window.kernel) {
                let wide = i128::from;
                padded.push(wide(i) + wide(window.padding.0) + wide(window.padding.1));
                kernels.push(wide(window.dilation) * (wide(k) - 1) + 1);
            }
            sizes.push(window.count(input));
        }
        let join = |list: &[i128]| list.iter().map(i128::to_string).collect::<Vec<_>>().join(" x ");
        refuse!(if padded.iter().zip(&kernels).any(|(room, reach)| room < reach),
            "Calculated padded input size per channel: ({}). Kernel size: ({}). Kernel size can't be greater than actual input size",
            join(&padded), join(&kernels));
        Ok(sizes)
    }

    /// What a transposed convolution adds to a size cannot be as much as both its stride and its dilation.
    fn check_output_padding(&self, transposed: bool) -> Result<(), ShapeError> {
        let list = |l: &Option<Sizes>| l.as_ref().and_then(|l| all_known(l));
        let all = (list(&self.stride), list(&self.dilation), list(&self.output_padding));
        let ((Some(s), Some(d), Some(p)), true) = (all, transposed) else { return Ok(()) };
        let shown = |name: &str, l: &[i64], one: i64| {
            let (names, values) = spatial(l, one);
            names.iter().zip(values).map(|(n, v)| format!(" {name}_{n}: {v}")).collect::<String>()
        };
        refuse!(if p.iter().zip(s.iter().zip(&d)).any(|(p, (s, d))| p >= s && p >= d),
            "output padding must be smaller than either stride or dilation, but got{}{}{}",
            shown("output_padding", &p, 0), shown("stride", &s, 1), shown("dilation", &d, 1));
        Ok(())
    }
}

/// The input of a convolution that keeps sizes: where both sides cannot be padded alike, it has been lengthened by one at the end.
fn evened(xs: &Sizes, ws: &Sizes, dilation: &Option<Sizes>) -> Sizes {
    let odd = |d: usize| {
        let step = dilation.as_ref().and_then(|l| l[d - 2].known())?;
        Some(step.checked_mul(ws[d].known()? - 1)? % 2 != 0)
    };
    let longer = |(d, s): (usize, &Size)| if d > 1 && odd(d) == Some(true) { s.plus(1) } else { *s };
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

fn check_bias_dtype(x: &TensorMeta, bias: Option<&TensorMeta>) -> Result<(), ShapeError> {
    refuse!(if let Some((d, e)) = bias.and_then(|b| unlike_cpp(x, b)),
        "Input type ({d}) and bias type ({e}) should be the same");
    Ok(())
}

/// A convolution (input, weight, bias, …) whose input may lack the batch dimension.
fn unbatched(a: &[Meta], name: &str, n: usize, bias: Option<TensorMeta>, s: &Settings) -> RuleResult {
    let (x, w) = (a.tensor(0)?, a.tensor(1)?);
    let rank = x.rank();
    refuse!(if rank.is_some_and(|r| r != n + 1 && r != n + 2),
        "Expected {}D (unbatched) or {}D (batched) input to {name}, but got input of size: {}", n + 1, n + 2, x.shown());
    let mut lifted = x.clone();
    let lift = rank == Some(n + 1);
    lifted.sizes.iter_mut().filter(|_| lift).for_each(|s| s.insert(0, Size::Known(1)));
    let sizes = convolve(&lifted, &w, bias.as_ref(), s)?;
    scalar_type(&x, &w)?;
    check_bias_dtype(&x, bias.as_ref())?;
    let sizes = sizes.map(|s| s[usize::from(lift)..].into());
    one(x.dtype, sizes)
}

fn plain(a: &[Meta], name: &str, n: usize) -> RuleResult {
    let bias = a.optional_tensor(2)?;
    // Before anything else; the other forms look at dtypes last.
    check_bias_dtype(&a.tensor(0)?, bias.as_ref())?;
    unbatched(a, name, n, bias, &Settings::at(a, [3, 4, 5], a.int(6)))
}

fn padded(a: &[Meta], name: &str, n: usize) -> RuleResult {
    let same = match a.str(4) {
        Some("same") => true,
        Some("valid") => false,
        Some(other) => return error(format!("Invalid padding string: '{other}'")),
        None => return one(a.tensor(0)?.dtype, None),
    };
    refuse!(if same && any(&a.sizes(3), |s| s != 1), "padding='same' is not supported for strided convolutions");
    let padding = Some(smallvec![Size::Known(0)]);
    unbatched(a, name, n, a.optional_tensor(2)?, &Settings { padding, same, ..Settings::at(a, [3, 4, 5], a.int(6)) })
}

fn transposed(a: &[Meta], name: &str, n: usize) -> RuleResult {
    let turned =
        Settings { output_padding: a.sizes(5), transposed: Some(true), ..Settings::at(a, [3, 4, 7], a.int(6)) };
    unbatched(a, name, n, a.optional_tensor(2)?, &turned)
}

rules! {
    conv1d = plain, "conv1d", 1; conv2d = plain, "conv2d", 2; conv3d = plain, "conv3d", 3;
    conv1d_padding = padded, "conv1d", 1; conv2d_padding = padded, "conv2d", 2; conv3d_padding = padded, "conv3d", 3;
    conv_transpose1d = transposed, "conv_transpose1d", 1; conv_transpose2d = transposed, "conv_transpose2d", 2;
    conv_transpose3d = transposed, "conv_transpose3d", 3;
}

/// `padding` by name, for as many dimensions as the weight has.
pub fn convolution_mode(a: &[Meta]) -> RuleResult {
    let name = ["conv1d", "conv2d", "conv3d"];
    match a.tensor(1)?.rank().and_then(|r| Some((name.get(r.checked_sub(3)?)?, r - 2))) {
        Some((name, n)) => padded(a, name, n),
        None => one(a.tensor(0)?.dtype, None),
    }
}

/// Kernel size before the bias, and neither groups nor, in some, a dilation.
pub fn slow(a: &[Meta]) -> RuleResult {
    let mut s = Settings::at(a, [4, 5, 6], Some(1));
    if a.len() <= 6 {
        s.dilation = Some(smallvec![Size::Known(1)]);
    }
    match a.sizes(2).map(|k| k.len()) {
        Some(n @ 2..=3) => unbatched(a, ["conv2d", "conv3d"][n - 2], n, a.optional_tensor(3)?, &s),
        _ => one(a.tensor(0)?.dtype, None),
    }
}

/// `convolution`, `_convolution`: stride, padding, dilation, transposed, output_padding, groups.
pub fn convolution(a: &[Meta]) -> RuleResult {
    let (x, w, bias) = (a.tensor(0)?, a.tensor(1)?, a.optional_tensor(2)?);
    let sizes = convolve(&x, &w, bias.as_ref(), &general(a, 3))?;
    scalar_type(&x, &w)?;
    check_bias_dtype(&x, bias.as_ref())?;
    one(x.dtype, sizes)
}

/// All settings, one argument after the other.
fn general(a: &[Meta], i: usize) -> Settings {
    let s = Settings::at(a, [i, i + 1, i + 2], a.int(i + 5));
    Settings { transposed: a.bool(i + 3), output_padding: a.sizes(i + 4), ..s }
}

pub fn convolution_backward(a: &[Meta]) -> RuleResult {
    let (x, w) = (a.tensor(1)?, a.tensor(2)?);
    refuse!(if let Some(g) = a.int(9), g <= 0, "expected groups to be greater than 0, but got groups={g}");
    if let (Some(want), Some(have)) = (convolve(&x, &w, None, &general(a, 4))?, a.tensor(0)?.sizes) {
        alike_in(&want, &have, 0..want.len())?;
    }
    let channels = match a.bool(7) {
        Some(true) => w.size(1).times(a.size(9)),
        Some(false) => w.size(0),
        None => Size::Unknown,
    };
    masked(a.meta(10), [x.like(), w.like(), tensor(x.dtype, Some(smallvec![channels]))])
}

/// `[time, batch, in]` with `[width, in, out]`.
pub fn conv_tbc(a: &[Meta]) -> RuleResult {
    let (x, w, b) = (a.tensor(0)?, a.tensor(1)?, a.tensor(2)?);
    refuse!(if x.rank_not(3).is_some(), "Input must have 3 dims: time, batch, in_channel");
    refuse!(if w.rank_not(3).is_some(), "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.");
    refuse!(if b.rank_not(1).is_some(), "Bias must be 1-D");
    refuse!(if x.size(2).unequal(w.size(1)), "Input dim 2 (input channels) is not == dim 1 in the weight tensor.");
    refuse!(if b.size(0).unequal(w.size(2)), "Bias size must equal dim 2 in the weight tensor (output channels).");
    let window = a.int(3).map(|p| Window { padding: (p, p), ..Window::plain(w.size(0)) });
    let time = window.map_or(Size::Unknown, |window| window.count(x.size(0)));
    one(x.dtype, Some(smallvec![time, x.size(1), w.size(2)]))
}

type Pair = (i64, i64);

/// Two values for height and width.
fn two(name: &str, list: Option<Sizes>) -> Result<Option<Pair>, ShapeError> {
    let Some(l) = list else { return Ok(None) };
    refuse!(if l.len() != 2, "It is expected {name} equals to 2, but got size {}", l.len());
    Ok(l[0].known().zip(l[1].known()))
}

/// The blocks of an image that become columns, each setting a pair.
struct Blocks {
    kernel: Pair,
    dilation: Pair,
    padding: Pair,
    stride: Pair,
}

impl Blocks {
    /// Of four lists, one after the other.
    fn at(a: &[Meta], i: usize) -> Result<Option<Blocks>, ShapeError> {
        let (kernel, dilation) = (two("kernel_size", a.sizes(i))?, two("dilation", a.sizes(i + 1))?);
        let (padding, stride) = (two("padding", a.sizes(i + 2))?, two("stride", a.sizes(i + 3))?);
        let (Some(kernel), Some(dilation), Some(padding), Some(stride)) = (kernel, dilation, padding, stride) else {
            return Ok(None);
        };
        Blocks { kernel, dilation, padding, stride }.checked().map(Some)
    }

    fn checked(self) -> Result<Blocks, ShapeError> {
        let positive = |name: &str, p: Pair| {
            let short = name.split(' ').next().unwrap_or(name);
            refuse!(if p.0 <= 0 || p.1 <= 0,
                "{name} should be greater than zero, but got {short}_height: {} {short}_width: {}", p.0, p.1);
            Ok(())
        };
        positive("kernel size", self.kernel)?;
        positive("dilation", self.dilation)?;
        refuse!(if self.padding.0 < 0 || self.padding.1 < 0,
            "padding should be non-negative, but got pad_height: {} pad_width: {}", self.padding.0, self.padding.1);
        positive("stride", self.stride)?;
        Ok(self)
    }

    /// How many lie along height and width.
    fn counts(&self, height: Size, width: Size) -> (Size, Size) {
        let window = |of: fn(Pair) -> i64| Window {
            stride: of(self.stride),
            padding: (of(self.padding), of(self.padding)),
            dilation: of(self.dilation),
            ..Window::plain(Size::Known(of(self.kernel)))
        };
        (window(|p| p.0).count(height), window(|p| p.1).count(width))
    }

    /// Elements of one.
    fn area(&self) -> i64 {
        self.kernel.0.saturating_mul(self.kernel.1)
    }
}

pub fn im2col(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(blocks), Some(sizes)) = (Blocks::at(a, 1)?, &t.sizes) else { return one(t.dtype, None) };
    let n = sizes.len();
    if n < 3 {
        wrap_dim(2, n)?;
    }
    refuse!(if !(n == 3 || n == 4) || is_empty(&sizes[n - 3..]),
        "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
        show(sizes));
    let (h, w) = blocks.counts(sizes[n - 2], sizes[n - 1]);
    refuse!(if let (Some(h), Some(w)) = (h.known(), w.known()), (h < 1 || w < 1),
        "Given input with spatial size ({}, {}), kernel_size={:?}, dilation={:?}, padding={:?}, calculated shape of the array of sliding blocks as ({h}, {w}), but its components must be at least one.",
        sizes[n - 2], sizes[n - 1], blocks.kernel, blocks.dilation, blocks.padding);
    let mut out: Sizes = sizes[..n - 3].into();
    out.extend([sizes[n - 3].times(blocks.area()), h.times(w)]);
    one(t.dtype, Some(out))
}

pub fn col2im(a: &[Meta]) -> RuleResult {
    let (t, output) = (a.tensor(0)?, a.sizes(1));
    refuse!(if let Some(o) = &output, o.len() != 2, "It is expected output_size equals to 2, but got size {}", o.len());
    let Some(blocks) = Blocks::at(a, 2)? else { return one(t.dtype, None) };
    let (Some(sizes), Some(output)) = (&t.sizes, output) else { return one(t.dtype, None) };
    let n = sizes.len();
    refuse!(if !(n == 2 || n == 3) || is_empty(&sizes[n - 2..]),
        "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: {}",
        show(sizes));
    let area = blocks.area();
    refuse!(if let Some(c) = sizes[n - 2].known(), c % area != 0,
        "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)={c} and kernel_size={:?}.",
        blocks.kernel);
    let (h, w) = blocks.counts(output[0], output[1]);
    let Blocks { kernel, dilation, padding, stride } = &blocks;
    refuse!(if let (Some(h), Some(w), Some(l)) = (h.known(), w.known(), sizes[n - 1].known()), h.saturating_mul(w) != l,
        "Given output_size=({}, {}), kernel_size={kernel:?}, dilation={dilation:?}, padding={padding:?}, stride={stride:?}, expected size of input's dimension 2 to match the calculated number of sliding blocks {h} * {w} = {}, but got input.size(2)={l}.",
        output[0], output[1], h.saturating_mul(w));
    let mut out: Sizes = sizes[..n - 2].into();
    out.push(sizes[n - 2].over(area));
    out.extend(output);
    one(t.dtype, Some(out))
}

/// (self, weight, kernel_size, bias, stride, padding, output_padding, dilation).
pub fn slow_conv_transpose2d(a: &[Meta]) -> RuleResult {
    let (t, w) = (a.tensor(0)?, a.tensor(1)?);
    let (kernel, stride) = (two("kernel_size", a.sizes(2))?, two("stride", a.sizes(4))?);
    let (padding, extra) = (two("padding", a.sizes(5))?, two("output_padding", a.sizes(6))?);
    let dilation = two("dilation", a.sizes(7))?;
    let (Some(kernel), Some(stride), Some(padding), Some(extra), Some(dilation)) =
        (kernel, stride, padding, extra, dilation)
    else {
        return one(t.dtype, None);
    };
    Blocks { kernel, dilation, padding, stride }.checked()?;
    let (Some(xs), Some(ws)) = (&t.sizes, &w.sizes) else { return one(t.dtype, None) };
    refuse!(if !(ws.len() == 2 || ws.len() == 4) || is_empty(ws),
        "non-empty 2D or 4D weight tensor expected, but got: {}", show(ws));
    refuse!(if !(xs.len() == 3 || xs.len() == 4) || is_empty(&xs[xs.len() - 3..]),
        "non-empty 3D or 4D input tensor expected but got a tensor with size {}", show(xs));
    refuse!(if extra.0 < 0 || extra.1 < 0, "negative output_padding is not supported");
    // The weight says how large a kernel is; the sizes asked for are only looked at.
    one(t.dtype, None)
}
