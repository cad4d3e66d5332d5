//! Rules of recurrent layers and their cells.

use super::args::*;
use super::matmul::linear_meta;
use crate::geometry::recurrent;

/// Input and hidden states fit the weights, whom they meet as in `linear`.
fn check_cell(a: &[Meta], hidden: &[&TensorMeta]) -> Result<(), ShapeError> {
    let (x, w, u) = (a.tensor(0)?, a.tensor(2)?, a.tensor(3)?);
    for w in [&w, &u] {
        if let Some(r) = w.rank() {
            wrap_dim(1, r)?;
        }
    }
    if x.rank() == Some(2) && x.size(1).differs(w.size(1)) {
        let (have, want) = (shown(x.size(1)), shown(w.size(1)));
        return error(format!("input has inconsistent input_size: got {have} expected {want}"));
    }
    for (i, h) in hidden.iter().enumerate() {
        check_state(&x, h, u.size(1), i)?;
    }
    linear_meta(&x, &w, a.optional_tensor(4)?.as_ref())?;
    if let Some(h) = hidden.first() {
        linear_meta(h, &u, a.optional_tensor(5)?.as_ref())?;
    }
    Ok(())
}

fn shown(s: Size) -> String {
    s.known().map_or_else(|| "?".to_string(), |n| n.to_string())
}

/// A state of a cell for a batch of inputs.
fn check_state(x: &TensorMeta, h: &TensorMeta, width: Size, i: usize) -> Result<(), ShapeError> {
    let (Some(2), Some(rank)) = (x.rank(), h.rank()) else { return Ok(()) };
    refuse!(if rank != 2, "Expected 2D hidden{i} (batch x hidden_size), but got {rank}D tensor");
    if x.size(0).differs(h.size(0)) {
        let (own, other) = (shown(x.size(0)), shown(h.size(0)));
        return error(format!("Input batch size {own} doesn't match hidden{i} batch size {other}"));
    }
    if h.size(1).differs(width) {
        let (have, want) = (shown(h.size(1)), shown(width));
        return error(format!("hidden{i} has inconsistent hidden_size: got {have}, expected {want}"));
    }
    Ok(())
}

/// `gru_cell`, `rnn_tanh_cell`, `rnn_relu_cell`: the new hidden state.
pub fn cell(a: &[Meta]) -> RuleResult {
    let h = a.tensor(1)?;
    check_cell(a, &[&h])?;
    one(h.dtype, h.sizes)
}

/// `lstm_cell`: new hidden and cell state.
pub fn lstm_cell(a: &[Meta]) -> RuleResult {
    let Some(states) = a.tensors(1)? else { return Ok(smallvec![tensor(None, None), tensor(None, None)]) };
    let [h, c] = recurrent::two_states(&states, "lstm_cell")?;
    check_cell(a, &[h, c])?;
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
    recurrent::check_states(states, wanted * directions)?;
    let projected = params.len() == wanted.saturating_mul(per + directions);
    if projected {
        Ok(())
    } else {
        recurrent::check_parameters(params.len().min(wanted.saturating_mul(per)), wanted.saturating_mul(per))
    }
}

/// Inputs and states have the dtype of the weights they meet. `turned`: the input is a view of one that has the batch first.
fn check_layer_dtypes(
    x: &TensorMeta,
    h: &TensorMeta,
    params: &Option<Vec<TensorMeta>>,
    biases: Option<bool>,
    turned: bool,
) -> Result<(), ShapeError> {
    let (Some([w, u, ..]), Some(biases)) = (params.as_deref(), biases) else { return Ok(()) };
    for (t, weight, added) in [(x, w, biases && !turned), (h, u, biases)] {
        match (t.dtype, weight.dtype) {
            (Some(d), Some(e)) if d != e && added => {
                return error(format!(
                    "mat1 and mat2 must have the same dtype, but got {} and {}",
                    d.scalar_type_name(),
                    e.scalar_type_name()
                ));
            }
            (Some(d), Some(e)) if d != e => {
                return error(format!(
                    "expected m1 and m2 to have the same dtype, but got: {} != {}",
                    d.cpp_name(),
                    e.cpp_name()
                ));
            }
            _ => {}
        }
    }
    // Weights come in pairs, each pair with its biases.
    let is_bias = |i: usize| biases && i % 4 >= 2;
    for (i, p) in params.iter().flatten().enumerate() {
        if let (Some(d), Some(e)) = (p.dtype, w.dtype)
            && d != e
        {
            let (d, e) = (d.scalar_type_name(), e.scalar_type_name());
            return error(match is_bias(i) {
                true => format!("self and mat2 must have the same dtype, but got {d} and {e}"),
                false => format!("mat1 and mat2 must have the same dtype, but got {e} and {d}"),
            });
        }
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
    let turned = flags.batch_first.flatten() == Some(true);
    check_layer_dtypes(&x, &h, &a.tensors(params)?, a.bool(params + 1), turned)?;
    let out = tensor(x.dtype, output(&x, h.size(2), &flags));
    Ok(smallvec![out, tensor(h.dtype, h.sizes)])
}

/// `gru.input`, `rnn_tanh.input`, `rnn_relu.input`.
pub fn layer(a: &[Meta]) -> RuleResult {
    single(a, 2, false)
}

/// How many sequences of a packed batch are as long as each step.
fn check_batch_sizes(a: &[Meta]) -> Result<(), ShapeError> {
    match a.tensor(1)?.rank() {
        Some(rank) if rank != 1 => error("batch_sizes tensor should be 1D"),
        _ => Ok(()),
    }
}

/// `gru.data` and its siblings: a packed sequence.
pub fn packed(a: &[Meta]) -> RuleResult {
    check_batch_sizes(a)?;
    single(a, 3, true)
}

fn lstm_layer(a: &[Meta], states: usize, packed: bool) -> RuleResult {
    let x = a.tensor(0)?;
    let batch_first = if packed { None } else { Some(a.bool(states + 7)) };
    let flags = Flags { layers: a.int(states + 3), bidirectional: a.bool(states + 6), batch_first };
    let unknown = || tensor(x.dtype, None);
    let Some(list) = a.tensors(states)? else { return Ok(smallvec![unknown(), unknown(), unknown()]) };
    let [h, c] = recurrent::two_states(&list, "lstm")?;
    let params = a.tensors(states + 1)?;
    let turned = flags.batch_first.flatten() == Some(true);
    let narrow = x.dtype == Some(DType::F32) && !h.size(2).differs(c.size(2)) && !packed;
    if narrow && params.iter().flatten().any(|p| p.dtype == Some(DType::F64)) {
        // A layer of floats is handed to a library that has no doubles.
        return error("get_mkldnn_dtype: unsupported data type");
    }
    check_layer_dtypes(&x, h, &params, a.bool(states + 2), turned)?;
    let out = tensor(x.dtype, output(&x, h.size(2), &flags));
    Ok(smallvec![out, tensor(h.dtype, h.sizes.clone()), tensor(c.dtype, c.sizes.clone())])
}

rules! { lstm = lstm_layer, 1, false; }

pub fn lstm_packed(a: &[Meta]) -> RuleResult {
    check_batch_sizes(a)?;
    lstm_layer(a, 2, true)
}

/// (input, w_ih, w_hh, b_ih, b_hh, hx, cx, reverse, batch_sizes, mode, hidden_size, …): outputs of all steps, last states, and no workspace.
pub fn one_layer(a: &[Meta]) -> RuleResult {
    let (x, h, c) = (a.tensor(0)?, a.tensor(5)?, a.tensor(6)?);
    let sizes = x.sizes.clone().map(|mut s| {
        if let Some(last) = s.last_mut() {
            *last = a.size(10);
        }
        s
    });
    Ok(smallvec![tensor(x.dtype, sizes), tensor(x.dtype, h.sizes), tensor(x.dtype, c.sizes), Meta::None])
}
