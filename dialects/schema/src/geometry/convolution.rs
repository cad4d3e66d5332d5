//! The windows of a convolution's call and of an image in columns, and how channels are grouped.

use super::{Window, Windows};
use crate::dim::Dim;
use crate::shape::Sizes;
use crate::shape::args::*;

/// What a convolution is told besides its tensors, all of it known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Convolution {
    pub windows: Windows,
    /// The windows spread over the result, not over the input.
    pub transposed: bool,
    /// What the result of a transposed one has behind what the windows spread over.
    pub extra: SmallVec<[i64; 3]>,
    pub groups: i64,
}

/// Which arguments say what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// (input, weight, bias, stride, padding, dilation, groups)
    Plain,
    /// The same with `padding` by name.
    Named,
    /// (input, weight, bias, stride, padding, output_padding, groups, dilation)
    Transposed,
    /// (input, weight, bias, stride, padding, dilation, transposed, output_padding, groups, …)
    General,
    /// (input, weight, bias, padding, stride, dilation, groups, …)
    Pointwise,
    /// (grad_output, input, weight, bias_sizes, stride, …)
    Backward,
    /// (input, weight, kernel_size, bias, stride, padding, dilation), of which some lack the last.
    Slow,
}

/// What a convolution is told. `None`: not known.
#[derive(Default)]
pub(crate) struct Settings {
    pub stride: Option<Sizes>,
    pub padding: Option<Sizes>,
    pub dilation: Option<Sizes>,
    pub output_padding: Option<Sizes>,
    pub transposed: Option<bool>,
    pub groups: Option<i64>,
    /// `padding="same"`: sizes stay.
    pub same: bool,
}

impl Settings {
    /// Stride, padding, dilation and groups as arguments of a convolution that is not transposed.
    fn at(a: &[Meta], [stride, padding, dilation]: [usize; 3], groups: Option<i64>) -> Settings {
        Settings {
            stride: a.sizes(stride),
            padding: a.sizes(padding),
            dilation: a.sizes(dilation),
            output_padding: Some(smallvec![Dim::Known(0)]),
            transposed: Some(false),
            groups,
            same: false,
        }
    }

    /// As a form says them; `None` where it is not known how much is padded.
    pub fn of(form: Form, a: &[Meta]) -> Result<Option<Settings>, ShapeError> {
        let zero = || Some(smallvec![Dim::Known(0)]);
        let general = |i: usize| {
            let s = Settings::at(a, [i, i + 1, i + 2], a.int(i + 5));
            Settings { transposed: a.bool(i + 3), output_padding: a.sizes(i + 4), ..s }
        };
        Ok(Some(match form {
            Form::Plain => Settings::at(a, [3, 4, 5], a.int(6)),
            Form::Named => {
                let same = match a.str(4) {
                    Some("same") => true,
                    Some("valid") => false,
                    Some(other) => return error(format!("Invalid padding string: '{other}'")),
                    None => return Ok(None),
                };
                let s = Settings { padding: zero(), same, ..Settings::at(a, [3, 4, 5], a.int(6)) };
                refuse!(if same && any(&s.stride, |s| s != 1), "padding='same' is not supported for strided convolutions");
                s
            }
            Form::Transposed => {
                let s = Settings::at(a, [3, 4, 7], a.int(6));
                Settings { output_padding: a.sizes(5), transposed: Some(true), ..s }
            }
            Form::Pointwise => Settings::at(a, [4, 3, 5], a.int(6)),
            Form::General => general(3),
            Form::Backward => general(4),
            Form::Slow => {
                let s = Settings::at(a, [4, 5, 6], Some(1));
                let dilation = if a.len() > 6 { s.dilation } else { Some(smallvec![Dim::Known(1)]) };
                Settings { dilation, ..s }
            }
        }))
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

/// The settings of a convolution, one value per spatial dimension. `None`: not known.
pub(crate) struct Steps {
    pub kernel: Sizes,
    pub stride: Option<Sizes>,
    padding: Option<Sizes>,
    pub dilation: Option<Sizes>,
    pub output_padding: Option<Sizes>,
    same: bool,
}

impl Steps {
    pub fn new(s: &Settings, weight: &Sizes) -> Result<Steps, ShapeError> {
        refuse!(if weight.len() < 3, "weight should have at least three dimensions");
        let n = weight.len() - 2;
        let steps = Steps {
            kernel: weight[2..].into(),
            stride: spread("stride", &s.stride, n)?,
            padding: spread("padding", &s.padding, n)?,
            dilation: spread("dilation", &s.dilation, n)?,
            output_padding: spread("output_padding", &s.output_padding, n)?,
            same: s.same,
        };
        refuse!(if any(&steps.padding, |p| p < 0), "negative padding is not supported");
        refuse!(if any(&steps.output_padding, |p| p < 0), "negative output_padding is not supported");
        refuse!(if any(&steps.stride, |p| p <= 0), "non-positive stride is not supported");
        refuse!(if any(&steps.dilation, |p| p <= 0), "dilation should be greater than zero");
        refuse!(if s.groups.is_some_and(|g| g <= 0), "non-positive groups is not supported");
        Ok(steps)
    }

    /// The window along a dimension. Where sizes stay, the odd element of the padding lies behind.
    pub fn window(&self, d: usize) -> Option<Window> {
        let value = |l: &Option<Sizes>| l.as_ref().and_then(|l| l[d].known());
        let (padding, dilation) = (value(&self.padding)?, value(&self.dilation)?);
        let around = match self.same {
            true => dilation.checked_mul(self.kernel[d].known()? - 1)?,
            false => padding.checked_mul(2)?,
        };
        let padding = (around.max(0) / 2, around.max(0) - around.max(0) / 2);
        Some(Window { stride: value(&self.stride)?, padding, dilation, ..Window::plain(self.kernel[d]) })
    }
}

impl Convolution {
    /// Of a call; `None` where something is not known.
    pub fn of(form: Form, a: &[Meta]) -> Result<Option<Convolution>, ShapeError> {
        let Some(weight) = a.tensor(1 + usize::from(form == Form::Backward))?.sizes else { return Ok(None) };
        let Some(s) = Settings::of(form, a)? else { return Ok(None) };
        let steps = Steps::new(&s, &weight)?;
        let windows: Option<SmallVec<_>> = (0..steps.kernel.len()).map(|d| steps.window(d)).collect();
        let extra = steps.output_padding.as_deref().and_then(all_known);
        Ok((|| {
            let extra = extra?.into_iter().collect();
            Some(Convolution { windows: Windows(windows?), transposed: s.transposed?, extra, groups: s.groups? })
        })())
    }

    /// The spatial sizes of the result for those of the input.
    pub fn sizes(&self, input: &[Dim]) -> Sizes {
        match self.transposed {
            false => self.windows.counts(input),
            true => self.windows.0.iter().zip(input).zip(&self.extra).map(|((w, s), e)| w.spread(*s, *e)).collect(),
        }
    }
}

/// Whether the runtime convolves single channels by windows of such kernel, stride and dilation along both sides in a way of its own (`sconce_gemm::depthwise`).
pub fn has_depthwise_kernel<N: PartialEq + TryInto<u8>>([height, width]: [[N; 3]; 2]) -> bool {
    let alike = height == width;
    let [kernel, stride, dilation] = height.map(|n| n.try_into().unwrap_or(0));
    alike && matches!((kernel, stride, dilation), (3 | 5, 1 | 2, 1) | (7, 1, 1))
}

/// The windows of torchvision's deformable convolution: (input, weight, offset, mask, bias, stride ×2, pad ×2, dilation ×2, …). `None`: not known.
pub fn deformable(a: &[Meta]) -> Option<Windows> {
    let window = |d: usize| {
        let kernel = sizes_at(a, 1)?.get(2 + d)?.known().filter(|k| *k > 0)?;
        let (stride, padding, dilation) = (a.int(5 + d)?, a.int(7 + d)?, a.int(9 + d)?);
        let legal = stride > 0 && padding >= 0 && dilation > 0;
        let window = Window { stride, padding: (padding, padding), dilation, ..Window::plain(Dim::Known(kernel)) };
        legal.then_some(window)
    };
    Some(Windows((0..2).map(window).collect::<Option<_>>()?))
}

/// Two values for height and width.
fn two(name: &str, list: Option<Sizes>) -> Result<Option<[i64; 2]>, ShapeError> {
    let Some(l) = list else { return Ok(None) };
    refuse!(if l.len() != 2, "It is expected {name} equals to 2, but got size {}", l.len());
    Ok(l[0].known().zip(l[1].known()).map(|(h, w)| [h, w]))
}

/// The blocks of an image that become columns, of four lists at these places: kernel, dilation, padding, stride. `None` where something is not known.
pub fn blocks(a: &[Meta], at: [usize; 4]) -> Result<Option<Windows>, ShapeError> {
    let (kernel, dilation) = (two("kernel_size", a.sizes(at[0]))?, two("dilation", a.sizes(at[1]))?);
    let (padding, stride) = (two("padding", a.sizes(at[2]))?, two("stride", a.sizes(at[3]))?);
    let (Some(kernel), Some(dilation), Some(padding), Some(stride)) = (kernel, dilation, padding, stride) else {
        return Ok(None);
    };
    let positive = |name: &str, [height, width]: [i64; 2]| {
        let short = name.split(' ').next().unwrap_or(name);
        refuse!(if height <= 0 || width <= 0,
            "{name} should be greater than zero, but got {short}_height: {height} {short}_width: {width}");
        Ok(())
    };
    positive("kernel size", kernel)?;
    positive("dilation", dilation)?;
    refuse!(if padding[0] < 0 || padding[1] < 0,
        "padding should be non-negative, but got pad_height: {} pad_width: {}", padding[0], padding[1]);
    positive("stride", stride)?;
    let window = |d: usize| Window {
        stride: stride[d],
        padding: (padding[d], padding[d]),
        dilation: dilation[d],
        ..Window::plain(Dim::Known(kernel[d]))
    };
    Ok(Some(Windows((0..2).map(window).collect())))
}
