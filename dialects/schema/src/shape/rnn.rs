//! Rules of recurrent layers and their cells.

use super::args::*;
use super::matmul::matmul_meta;
use super::{Meta, RuleResult, ShapeError, Size, Sizes, TensorMeta};
use smallvec::smallvec;

/// Input and hidden state meet their weights as in `linear`.
fn check_cell(a: Args<'_>, hidden: &TensorMeta) -> Result<(), ShapeError> {
    let turned = |t: TensorMeta| {
        let mut t = t;
        if let Some(s) = &mut t.sizes
            && s.len() == 2
        {
            s.swap(0, 1);
        }
        t
    };
    for (x, w) in [(&a.tensor(0)?, 2), (hidden, 3)] {
        let w = a.tensor(w)?;
        if let Some(r) = w.rank()
            && r < 2
        {
            wrap_dim(1, r)?;
        }
        if let (Some(d), Some(e)) = (x.dtype, w.dtype)
            && d != e
        {
            return error(format!(
                "mat1 and mat2 must have the same dtype, but got {} and {}",
                d.scalar_type_name(),
                e.scalar_type_name()
            ));
        }
        matmul_meta(x, &turned(w))?;
    }
    Ok(())
}

/// `gru_cell`, `rnn_tanh_cell`, `rnn_relu_cell`: the new hidden state.
pub fn cell(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let h = a.tensor(1)?;
    check_cell(a, &h)?;
    one(h.dtype, h.sizes)
}

/// `lstm_cell`: new hidden and cell state.
pub fn lstm_cell(a: &[Meta]) -> RuleResult {
    let a = Args(a);
    let Some(states) = a.tensors(1)? else { return Ok(smallvec![tensor(None, None), tensor(None, None)]) };
    let [h, c] = states.as_slice() else { return error("lstm_cell expects two hidden states") };
    check_cell(a, h)?;
    let h_out = tensor(c.dtype, c.sizes.clone());
    Ok(smallvec![h_out.clone(), h_out])
}

/// Where a layer's flags stand.
struct Flags {
    bidirectional: Option<bool>,
    /// `None` for packed sequences, which have time and batch in one dimension.
    batch_first: Option<Option<bool>>,
    layers: Option<i64>,
}

fn check_layers(
    params: &Option<Vec<TensorMeta>>,
    states: usize,
    f: &Flags,
    biases: Option<bool>,
) -> Result<(), ShapeError> {
    let (Some(params), Some(layers), Some(bi), Some(biases)) = (params, f.layers, f.bidirectional, biases) else {
        return Ok(());
    };
    let directions = if bi { 2 } else { 1 };
    let per = (if biases { 4 } else { 2 }) * directions;
    let wanted = usize::try_from(layers).unwrap_or(0);
    if states < wanted * directions {
        return error("Expected more hidden states in stacked_rnn");
    }
    if states > wanted * directions {
        return error("Expected more hidden states in stacked_rnn");
    }
    let projected = params.len() == wanted.saturating_mul(per + directions);
    if params.len() < wanted.saturating_mul(per) && !projected {
        return error("got an incorrect number of RNN parameters");
    }
    Ok(())
}

fn output(x: &TensorMeta, hidden: Size, f: &Flags) -> Option<Sizes> {
    let mut sizes = x.sizes.clone()?;
    let last = sizes.len().checked_sub(1)?;
    sizes[last] = match f.bidirectional {
        Some(true) => hidden.times(Size::Known(2)),
        Some(false) => hidden,
        None => Size::Unknown,
    };
    Some(sizes)
}

/// Output and hidden state; arguments from `params` on are the same in all of these operators.
fn single(a: &[Meta], params: usize, packed: bool) -> RuleResult {
    let a = Args(a);
    let (x, h) = (a.tensor(0)?, a.tensor(params - 1)?);
    let flags = Flags {
        layers: a.int(params + 2),
        bidirectional: a.bool(params + 5),
        batch_first: if packed { None } else { Some(a.bool(params + 6)) },
    };
    let states = h.size(0).known().and_then(|n| usize::try_from(n).ok());
    if let Some(states) = states {
        check_layers(&a.tensors(params)?, states, &flags, a.bool(params + 1))?;
    }
    let _ = flags.batch_first;
    let out = tensor(x.dtype, output(&x, h.size(2), &flags));
    Ok(smallvec![out, tensor(h.dtype, h.sizes)])
}

/// `gru.input`, `rnn_tanh.input`, `rnn_relu.input`.
pub fn layer(a: &[Meta]) -> RuleResult {
    single(a, 2, false)
}

/// `gru.data` and its siblings: a packed sequence.
pub fn packed(a: &[Meta]) -> RuleResult {
    single(a, 3, true)
}

fn lstm_layer(a: &[Meta], states: usize) -> RuleResult {
    let a = Args(a);
    let x = a.tensor(0)?;
    let flags = Flags { layers: a.int(states + 3), bidirectional: a.bool(states + 6), batch_first: None };
    let unknown = || tensor(x.dtype, None);
    let Some(list) = a.tensors(states)? else { return Ok(smallvec![unknown(), unknown(), unknown()]) };
    let [h, c] = list.as_slice() else { return error("lstm expects two hidden states") };
    let out = tensor(x.dtype, output(&x, h.size(2), &flags));
    Ok(smallvec![out, tensor(h.dtype, h.sizes.clone()), tensor(c.dtype, c.sizes.clone())])
}

pub fn lstm(a: &[Meta]) -> RuleResult {
    lstm_layer(a, 1)
}

pub fn lstm_packed(a: &[Meta]) -> RuleResult {
    lstm_layer(a, 2)
}
