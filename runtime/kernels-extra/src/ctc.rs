//! Connectionist temporal classification: the probability of all ways in which a sequence of labels, with blanks between, fits the frames.

use sconce_kernels::engine::arguments::{arg, bool_arg, int_arg, ints_arg, tensor_arg};
use sconce_kernels::engine::cast;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

const NEVER: f64 = f64::NEG_INFINITY;

/// The logarithm of a sum of exponentials; an infinity or NaN among them makes it NaN.
fn log_sum(values: &[f64]) -> f64 {
    let most = values.iter().copied().fold(NEVER, f64::max);
    if values.iter().all(|v| *v == NEVER) {
        NEVER
    } else {
        most + values.iter().map(|v| (v - most).exp()).sum::<f64>().ln()
    }
}

/// Frames of a batch, `time x batch x classes`, and each sample's labels.
struct Alignment {
    log_probs: Vec<f64>,
    batch: usize,
    frames: usize,
    classes: usize,
    labels: Vec<Vec<usize>>,
    lengths: Vec<usize>,
    blank: usize,
}

impl Alignment {
    fn new(
        log_probs: &Tensor,
        targets: &Tensor,
        lengths: &[i64],
        label_lengths: &[i64],
        blank: i64,
    ) -> Result<Alignment, Error> {
        let (frames, batch, classes) = match log_probs.sizes() {
            [t, b, c] => (*t as usize, *b as usize, *c as usize),
            [t, c] => (*t as usize, 1, *c as usize),
            other => return Err(Error::runtime(format!("ctc_loss: log_probs has sizes {other:?}"))),
        };
        if blank < 0 || blank as usize >= classes {
            return Err(Error::runtime("blank must be in label range"));
        }
        if lengths.len() != batch {
            return Err(Error::runtime("input_lengths must be of size batch_size"));
        }
        if label_lengths.len() != batch {
            return Err(Error::runtime("target_lengths must be of size batch_size"));
        }
        if let Some(n) = lengths.iter().find(|n| **n < 0 || **n as usize > frames) {
            return Err(Error::runtime(format!(
                "Expected input_lengths to have value at most {frames}, but got value {n} (while checking arguments for ctc_loss_allocate_outputs)"
            )));
        }
        let all = cast::to_vec::<i64>(targets)?;
        let padded = targets.dim() == 2 || (targets.dim() == 1 && log_probs.dim() == 2);
        let width = targets.sizes().last().copied().unwrap_or(0) as usize;
        let mut labels = Vec::new();
        let mut at = 0;
        for (b, &n) in label_lengths.iter().enumerate() {
            let start = if padded { b * width } else { at };
            let n =
                usize::try_from(n).map_err(|_| Error::runtime("Expected target_lengths to have value at least 0"))?;
            let list = all.get(start..start.saturating_add(n)).filter(|_| !padded || n <= width);
            let list =
                list.ok_or_else(|| Error::runtime("ctc_loss: target_lengths name more labels than targets has"))?;
            let inside = |l: &i64| usize::try_from(*l).ok().filter(|l| *l < classes);
            let list: Option<Vec<usize>> = list.iter().map(inside).collect();
            labels.push(list.ok_or_else(|| Error::runtime(format!("ctc_loss: a label is not below {classes}")))?);
            at += n;
        }
        Ok(Alignment {
            log_probs: cast::to_vec::<f64>(log_probs)?,
            batch,
            frames,
            classes,
            labels,
            lengths: lengths.iter().map(|n| *n as usize).collect(),
            blank: blank as usize,
        })
    }

    fn place(&self, t: usize, b: usize, class: usize) -> usize {
        (t * self.batch + b) * self.classes + class
    }

    /// The class at position `s` of the labels with blanks between and around.
    fn class(&self, b: usize, s: usize) -> usize {
        if s.is_multiple_of(2) { self.blank } else { self.labels[b][s / 2] }
    }

    /// Whether a path may come from two positions away.
    fn skips(&self, b: usize, s: usize, t: usize) -> bool {
        s % 2 == 1 && t % 2 == 1 && self.class(b, s) != self.class(b, t)
    }

    /// Log-probabilities of all ways to be at each position at each time, `frames x positions`.
    fn forward(&self, b: usize) -> Vec<Vec<f64>> {
        let n = 2 * self.labels[b].len() + 1;
        let mut table: Vec<Vec<f64>> = Vec::with_capacity(self.lengths[b]);
        for t in 0..self.lengths[b] {
            let row = (0..n).map(|s| {
                let here = self.log_probs[self.place(t, b, self.class(b, s))];
                let Some(last) = table.last() else { return if s < 2 { here } else { NEVER } };
                let mut from = vec![last[s]];
                if s >= 1 {
                    from.push(last[s - 1]);
                }
                if s >= 2 && self.skips(b, s, s - 2) {
                    from.push(last[s - 2]);
                }
                log_sum(&from) + here
            });
            let row = row.collect();
            table.push(row);
        }
        table
    }

    /// The same from the end.
    fn backward(&self, b: usize) -> Vec<Vec<f64>> {
        let n = 2 * self.labels[b].len() + 1;
        let mut table: Vec<Vec<f64>> = vec![Vec::new(); self.lengths[b]];
        for t in (0..self.lengths[b]).rev() {
            let row: Vec<f64> = (0..n)
                .map(|s| {
                    let here = self.log_probs[self.place(t, b, self.class(b, s))];
                    let Some(next) = table.get(t + 1) else { return if s + 2 >= n { here } else { NEVER } };
                    let mut to = vec![next[s]];
                    if s + 1 < n {
                        to.push(next[s + 1]);
                    }
                    if s + 2 < n && self.skips(b, s, s + 2) {
                        to.push(next[s + 2]);
                    }
                    log_sum(&to) + here
                })
                .collect();
            table[t] = row;
        }
        table
    }

    /// The negative log-likelihood, given the forward table.
    fn loss(&self, b: usize, table: &[Vec<f64>]) -> f64 {
        let n = 2 * self.labels[b].len() + 1;
        match table.last() {
            Some(last) if n > 1 => -log_sum(&last[n - 2..]),
            Some(last) => -last[0],
            None if n == 1 => 0.0,
            None => f64::INFINITY,
        }
    }
}

fn lengths(args: &[IValue], i: usize) -> Result<Vec<i64>, Error> {
    match arg(args, i)? {
        IValue::Tensor(t) if t.dtype().is_int() => cast::to_vec::<i64>(t),
        IValue::Tensor(_) => Err(Error::runtime("input_lengths and target_lengths must be integral")),
        _ => Ok(ints_arg(args, i)?.into_vec()),
    }
}

fn alignment(args: &[IValue], first: usize, blank: usize) -> Result<Alignment, Error> {
    let (log_probs, targets) = (tensor_arg(args, first)?, tensor_arg(args, first + 1)?);
    if !log_probs.dtype().is_float() {
        return Err(sconce_kernels::not_implemented("ctc_loss_cpu", log_probs.dtype()));
    }
    if !targets.dtype().is_int() {
        return Err(Error::runtime(format!(
            "Expected tensor for argument #2 'targets' to have one of the following scalar types: Long, Int; but got {} \
             instead (while checking arguments for ctc_loss)",
            targets.dtype().scalar_type_name()
        )));
    }
    Alignment::new(log_probs, targets, &lengths(args, first + 2)?, &lengths(args, first + 3)?, int_arg(args, blank)?)
}

/// (log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity).
pub fn ctc_loss(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let log_probs = tensor_arg(args, 0)?;
    let a = alignment(args, 0, 4)?;
    let (reduction, zero) = (int_arg(args, 5)?, bool_arg(args, 6)?);
    let losses = (0..a.batch).map(|b| a.loss(b, &a.forward(b))).map(|l| if zero && l.is_infinite() { 0.0 } else { l });
    let losses: Vec<f64> = losses.collect();
    let values = match reduction {
        1 => {
            let each = losses.iter().zip(&a.labels).map(|(l, labels)| l / labels.len().max(1) as f64);
            vec![each.sum::<f64>() / a.batch as f64]
        }
        2 => vec![losses.iter().sum()],
        _ => losses,
    };
    let sizes: &[i64] = if reduction == 0 && log_probs.dim() == 3 { &[a.batch as i64] } else { &[] };
    Ok(smallvec![cast::from_vec(values, sizes, log_probs.dtype())?.into()])
}

/// (grad, log_probs, targets, input_lengths, target_lengths, neg_log_likelihood, log_alpha, blank, zero_infinity).
pub fn ctc_loss_backward(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let log_probs = tensor_arg(args, 1)?;
    let a = alignment(args, 1, 7)?;
    let zero = bool_arg(args, 8)?;
    let (grad, losses) = (cast::to_vec::<f64>(tensor_arg(args, 0)?)?, cast::to_vec::<f64>(tensor_arg(args, 5)?)?);
    if grad.len() != a.batch || losses.len() != a.batch {
        return Err(Error::runtime("ctc_loss_backward: one gradient and one loss for each sample are expected"));
    }
    let table = tensor_arg(args, 6)?;
    let given = cast::to_vec::<f64>(table)?;
    let width = table.sizes().last().copied().unwrap_or(0) as usize;
    let widest = a.labels.iter().map(|l| 2 * l.len() + 1).max().unwrap_or(0);
    if width < widest || given.len() != a.batch * a.frames * width {
        return Err(Error::runtime(format!("ctc_loss_backward: log_alpha has sizes {:?}", table.sizes())));
    }
    let mut out = vec![0.0; a.log_probs.len()];
    for b in 0..a.batch {
        if zero && losses[b] == f64::INFINITY {
            continue;
        }
        let alpha = |t: usize| &given[(b * a.frames + t) * width..][..width];
        for (t, beta) in a.backward(b).iter().enumerate().take(a.lengths[b]) {
            let mut through = vec![NEVER; a.classes];
            for (s, (x, y)) in alpha(t).iter().zip(beta).enumerate() {
                let class = a.class(b, s);
                through[class] = log_sum(&[through[class], x + y]);
            }
            for (class, path) in through.iter().enumerate() {
                let at = a.place(t, b, class);
                let p = a.log_probs[at];
                out[at] = (p.exp() - (path + losses[b] - p).exp()) * grad[b];
            }
        }
    }
    Ok(smallvec![cast::from_vec(out, log_probs.sizes(), log_probs.dtype())?.into()])
}
