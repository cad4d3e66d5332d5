//! Rules of convolutions: spatial sizes from kernels, strides, padding and dilation, and PyTorch's checks in PyTorch's order.

use super::args::*;
use super::norm::masked;
use crate::fusion;
use crate::geometry::convolution::{Form, Settings, Steps, blocks};
use crate::geometry::{Window, Windows};

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
    refuse!(if let Some(1..) = product(&sizes).known(), ws.len() > 5, "unsupported ConvNd parameters");
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

impl Steps {
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
    let shown: String = match values[..] {
        [t, h, w] => format!(": {t} x {h} x {w} (TxHxW)"),
        _ => names.iter().zip(values).map(|(n, v)| format!(" kernel_{n}: {v}")).collect(),
    };
    error(format!("kernel size should be greater than zero, but got{shown}"))
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

/// Biases are looked at before anything else; the other forms look at dtypes last.
fn plain(a: &[Meta], name: &str, n: usize) -> RuleResult {
    check_bias_dtype(&a.tensor(0)?, a.optional_tensor(2)?.as_ref())?;
    formed(a, name, n, Form::Plain)
}

/// A convolution whose settings stand as a form says.
fn formed(a: &[Meta], name: &str, n: usize, form: Form) -> RuleResult {
    let bias = a.optional_tensor(if form == Form::Slow { 3 } else { 2 })?;
    match Settings::of(form, a)? {
        Some(s) => unbatched(a, name, n, bias, &s),
        None => one(a.tensor(0)?.dtype, None),
    }
}

rules! {
    conv1d = plain, "conv1d", 1; conv2d = plain, "conv2d", 2; conv3d = plain, "conv3d", 3;
    conv1d_padding = formed, "conv1d", 1, Form::Named; conv2d_padding = formed, "conv2d", 2, Form::Named; conv3d_padding = formed, "conv3d", 3, Form::Named;
    conv_transpose1d = formed, "conv_transpose1d", 1, Form::Transposed; conv_transpose2d = formed, "conv_transpose2d", 2, Form::Transposed;
    conv_transpose3d = formed, "conv_transpose3d", 3, Form::Transposed;
}

/// `padding` by name, for as many dimensions as the weight has.
pub fn convolution_mode(a: &[Meta]) -> RuleResult {
    by_rank(a, a.tensor(1)?.rank().and_then(|r| r.checked_sub(2)), Form::Named)
}

fn by_rank(a: &[Meta], rank: Option<usize>, form: Form) -> RuleResult {
    match rank {
        Some(n @ 1..=3) => formed(a, ["conv1d", "conv2d", "conv3d"][n - 1], n, form),
        _ => one(a.tensor(0)?.dtype, None),
    }
}

/// A convolution whose results go through an operator that a word stands for.
pub fn pointwise(a: &[Meta]) -> RuleResult {
    refuse!(if let Some(word) = a.str(7), word != "none" && fusion::operator(&fusion::UNARY, word).is_none(), "Fusion behavior undefined.");
    by_rank(a, a.tensor(1)?.rank().and_then(|r| r.checked_sub(2)), Form::Pointwise)
}

/// (X, other, W, …): the same with another tensor before that.
pub fn pointwise_binary(a: &[Meta]) -> RuleResult {
    refuse!(if let Some(word) = a.str(8), fusion::operator(&fusion::BINARY, word).is_none(), "Binary Fusion behavior undefined.");
    refuse!(if let Some(alpha) = a.float(9), alpha != 1.0,
        "mkldnn_convolution_pointwise_binary: the alpha value should be none or 1.0");
    let word = Meta::Str(a.str(10).unwrap_or("none").into());
    pointwise(&[&a[..1], &a[2..8], &[word]].concat())
}

/// Kernel size before the bias, and neither groups nor, in some, a dilation.
pub fn slow(a: &[Meta]) -> RuleResult {
    by_rank(a, a.sizes(2).map(|k| k.len()).filter(|n| *n > 1), Form::Slow)
}

/// `convolution`, `_convolution`: stride, padding, dilation, transposed, output_padding, groups.
pub fn convolution(a: &[Meta]) -> RuleResult {
    let (x, w, bias) = (a.tensor(0)?, a.tensor(1)?, a.optional_tensor(2)?);
    let sizes = match Settings::of(Form::General, a)? {
        Some(s) => convolve(&x, &w, bias.as_ref(), &s)?,
        None => None,
    };
    scalar_type(&x, &w)?;
    check_bias_dtype(&x, bias.as_ref())?;
    one(x.dtype, sizes)
}

pub fn convolution_backward(a: &[Meta]) -> RuleResult {
    let (x, w) = (a.tensor(1)?, a.tensor(2)?);
    refuse!(if let Some(g) = a.int(9), g <= 0, "expected groups to be greater than 0, but got groups={g}");
    if let Some(s) = Settings::of(Form::Backward, a)?
        && let (Some(want), Some(have)) = (convolve(&x, &w, None, &s)?, a.tensor(0)?.sizes)
    {
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
pub fn conv_tbc([x, w, b]: [TensorMeta; 3], padding: Int) -> RuleResult {
    refuse!(if x.rank_not(3).is_some(), "Input must have 3 dims: time, batch, in_channel");
    refuse!(if w.rank_not(3).is_some(), "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels.");
    refuse!(if b.rank_not(1).is_some(), "Bias must be 1-D");
    refuse!(if x.size(2).unequal(w.size(1)), "Input dim 2 (input channels) is not == dim 1 in the weight tensor.");
    refuse!(if b.size(0).unequal(w.size(2)), "Bias size must equal dim 2 in the weight tensor (output channels).");
    let window = padding.map(|p| Window { padding: (p, p), ..Window::plain(w.size(0)) });
    let time = window.map_or(Size::Unknown, |window| window.count(x.size(0)));
    one(x.dtype, Some(smallvec![time, x.size(1), w.size(2)]))
}

/// One number of height and width, as Python prints a pair.
fn pair(blocks: &Windows, of: impl Fn(&Window) -> i64) -> String {
    format!("({}, {})", of(&blocks.0[0]), of(&blocks.0[1]))
}

/// Kernel, dilation and padding as a message says them.
fn described(blocks: &Windows) -> String {
    let kernel = pair(blocks, |w| w.kernel.known().unwrap_or(0));
    let (dilation, padding) = (pair(blocks, |w| w.dilation), pair(blocks, |w| w.padding.0));
    format!("kernel_size={kernel}, dilation={dilation}, padding={padding}")
}

pub fn im2col(a: &[Meta]) -> RuleResult {
    let t = a.tensor(0)?;
    let (Some(blocks), Some(sizes)) = (blocks(a, [1, 2, 3, 4])?, &t.sizes) else { return one(t.dtype, None) };
    let n = sizes.len();
    if n < 3 {
        wrap_dim(2, n)?;
    }
    refuse!(if !(n == 3 || n == 4) || is_empty(&sizes[n - 3..]),
        "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: {}",
        show(sizes));
    let counts = blocks.counts(sizes);
    refuse!(if let Some([h, w]) = all_known(&counts).as_deref(), *h < 1 || *w < 1,
        "Given input with spatial size ({}, {}), {}, calculated shape of the array of sliding blocks as ({h}, {w}), but its components must be at least one.",
        sizes[n - 2], sizes[n - 1], described(&blocks));
    let mut out: Sizes = sizes[..n - 3].into();
    out.extend([sizes[n - 3].times(product(&blocks.list(|w| w.kernel))), product(&counts)]);
    one(t.dtype, Some(out))
}

pub fn col2im(a: &[Meta]) -> RuleResult {
    let (t, output) = (a.tensor(0)?, a.sizes(1));
    refuse!(if let Some(o) = &output, o.len() != 2, "It is expected output_size equals to 2, but got size {}", o.len());
    let Some(blocks) = blocks(a, [2, 3, 4, 5])? else { return one(t.dtype, None) };
    let (Some(sizes), Some(output)) = (&t.sizes, output) else { return one(t.dtype, None) };
    let n = sizes.len();
    refuse!(if !(n == 2 || n == 3) || is_empty(&sizes[n - 2..]),
        "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: {}",
        show(sizes));
    let area = product(&blocks.list(|w| w.kernel));
    refuse!(if let (Some(c), Some(area)) = (sizes[n - 2].known(), area.known()), c % area != 0,
        "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)={c} and kernel_size={}.",
        pair(&blocks, |w| w.kernel.known().unwrap_or(0)));
    let counts = blocks.counts(&output);
    refuse!(if let (Some(n), Some(l)) = (product(&counts).known(), sizes[n - 1].known()), n != l,
        "Given output_size=({}, {}), {}, stride={}, expected size of input's dimension 2 to match the calculated number of sliding blocks {} * {} = {n}, but got input.size(2)={l}.",
        output[0], output[1], described(&blocks), pair(&blocks, |w| w.stride), counts[0], counts[1]);
    let mut out: Sizes = sizes[..n - 2].into();
    out.push(sizes[n - 2].over(area));
    out.extend(output);
    one(t.dtype, Some(out))
}

/// (self, weight, kernel_size, bias, stride, padding, output_padding, dilation).
pub fn slow_conv_transpose2d(a: &[Meta]) -> RuleResult {
    let (t, w) = (a.tensor(0)?, a.tensor(1)?);
    let Some(_) = blocks(a, [2, 7, 5, 4])? else { return one(t.dtype, None) };
    let extra = a.sizes(6);
    refuse!(if let Some(l) = &extra, l.len() != 2, "It is expected output_padding equals to 2, but got size {}", l.len());
    let (Some(xs), Some(ws)) = (&t.sizes, &w.sizes) else { return one(t.dtype, None) };
    refuse!(if !(ws.len() == 2 || ws.len() == 4) || is_empty(ws),
        "non-empty 2D or 4D weight tensor expected, but got: {}", show(ws));
    refuse!(if !(xs.len() == 3 || xs.len() == 4) || is_empty(&xs[xs.len() - 3..]),
        "non-empty 3D or 4D input tensor expected but got a tensor with size {}", show(xs));
    refuse!(if extra.iter().flatten().any(|s| s.known().is_some_and(|s| s < 0)), "negative output_padding is not supported");
    // The weight says how large a kernel is; the sizes asked for are only looked at.
    one(t.dtype, None)
}
