//! Rules of recurrent layers and their cells.

use super::args::*;
use super::like::like;
use super::matmul::{factor_dtype, linear_meta, same_dtype};
use super::view::replaced;
use crate::geometry::recurrent;

/// Input and hidden states fit the weights, whom they meet as in `linear`.
fn check_cell(a: &[Meta], hidden: &[&TensorMeta]) -> Result<(), ShapeError> {
    let (x, w, u) = (a.tensor(0)?, a.tensor(2)?, a.tensor(3)?);
    for w in [&w, &u] {
        if let Some(r) = w.rank() {
            wrap_dim(1, r)?;
        }
    }
    refuse!(if x.rank() == Some(2) && x.size(1).differs(w.size(1)),
        "input has inconsistent input_size: got {} expected {}", x.size(1), w.size(1));
    for (i, h) in hidden.iter().enumerate() {
        check_state(&x, h, u.size(1), i)?;
    }
    linear_meta(&x, &w, a.optional_tensor(4)?.as_ref())?;
    if let Some(h) = hidden.first() {
        linear_meta(h, &u, a.optional_tensor(5)?.as_ref())?;
    }
    Ok(())
}

/// A state of a cell for a batch of inputs.
fn check_state(x: &TensorMeta, h: &TensorMeta, width: Size, i: usize) -> Result<(), ShapeError> {
    let (Some(2), Some(rank)) = (x.rank(), h.rank()) else { return Ok(()) };
    refuse!(if rank != 2, "Expected 2D hidden{i} (batch x hidden_size), but got {rank}D tensor");
    refuse!(if x.size(0).differs(h.size(0)),
        "Input batch size {} doesn't match hidden{i} batch size {}", x.size(0), h.size(0));
    refuse!(if h.size(1).differs(width),
        "hidden{i} has inconsistent hidden_size: got {}, expected {width}", h.size(1));
    Ok(())
}

/// `gru_cell`, `rnn_tanh_cell`, `rnn_relu_cell`: the new hidden state.
pub fn cell(a: &[Meta]) -> RuleResult {
    let h = a.tensor(1)?;
    check_cell(a, &[&h])?;
    like(h)
}

/// `lstm_cell`: new hidden and cell state.
pub fn lstm_cell(a: &[Meta]) -> RuleResult {
    let Some(states) = a.tensors(1)? else { return Ok(smallvec![tensor(None, None), tensor(None, None)]) };
    let [h, c] = recurrent::two_states(&states, "lstm_cell")?;
    check_cell(a, &[h, c])?;
    Ok(smallvec![c.like(), c.like()])
}

/// The settings of a layer, which stand alike in all of these operators from the parameters on.
struct Layer {
    parameters: Option<Vec<TensorMeta>>,
    biases: Flag,
    layers: Int,
    bidirectional: Flag,
    /// The input is a view of one that has the batch first.
    turned: bool,
}

impl Layer {
    /// Of a packed sequence time and batch are one dimension.
    fn read(a: &[Meta], parameters: usize, packed: bool) -> Result<Layer, ShapeError> {
        refuse!(if packed && a.tensor(1)?.rank_not(1).is_some(), "batch_sizes tensor should be 1D");
        Ok(Layer {
            parameters: a.tensors(parameters)?,
            biases: a.bool(parameters + 1),
            layers: a.int(parameters + 2),
            bidirectional: a.bool(parameters + 5),
            turned: !packed && a.bool(parameters + 6) == Some(true),
        })
    }

    /// There are states and parameters for all layers and directions.
    fn check_counts(&self, states: usize) -> Result<(), ShapeError> {
        let (Some(parameters), Some(layers), Some(bi), Some(biases)) =
            (&self.parameters, self.layers, self.bidirectional, self.biases)
        else {
            return Ok(());
        };
        let directions = if bi { 2 } else { 1 };
        let per = (if biases { 4 } else { 2 }) * directions;
        let layers = usize::try_from(layers).unwrap_or(0);
        recurrent::check_states(states, layers * directions)?;
        let (have, want) = (parameters.len(), layers.saturating_mul(per));
        let projected = have == layers.saturating_mul(per + directions);
        if projected { Ok(()) } else { recurrent::check_parameters(have.min(want), want) }
    }

    /// Inputs and states have the dtype of the weights they meet.
    fn check_dtypes(&self, x: &TensorMeta, h: &TensorMeta) -> Result<(), ShapeError> {
        let (Some([w, u, ..]), Some(biases)) = (self.parameters.as_deref(), self.biases) else { return Ok(()) };
        for (t, weight, added) in [(x, w, biases && !self.turned), (h, u, biases)] {
            if added {
                factor_dtype("mat1", t, weight)?;
            }
            same_dtype(t, weight)?;
        }
        // Weights come in pairs, each pair with its biases.
        for (i, p) in self.parameters.iter().flatten().enumerate() {
            if biases && i % 4 >= 2 { factor_dtype("self", p, w)? } else { factor_dtype("mat1", w, p)? }
        }
        Ok(())
    }

    fn output(&self, x: &TensorMeta, hidden: Size) -> Meta {
        let last = self.bidirectional.map_or(Size::Unknown, |bi| if bi { hidden.times(2) } else { hidden });
        with_last(x, last)
    }
}

/// A tensor with another last dimension.
fn with_last(t: &TensorMeta, last: Size) -> Meta {
    let sizes = t.sizes.as_ref().filter(|s| !s.is_empty());
    tensor(t.dtype, sizes.map(|s| replaced(s, s.len() - 1, last)))
}

/// Output and hidden state.
fn single(a: &[Meta], parameters: usize, packed: bool) -> RuleResult {
    let (layer, x, h) = (Layer::read(a, parameters, packed)?, a.tensor(0)?, a.tensor(parameters - 1)?);
    if let Some(states) = h.size(0).known().and_then(|n| usize::try_from(n).ok()) {
        layer.check_counts(states)?;
    }
    layer.check_dtypes(&x, &h)?;
    Ok(smallvec![layer.output(&x, h.size(2)), h.like()])
}

/// Output, hidden and cell state.
fn lstm_layer(a: &[Meta], parameters: usize, packed: bool) -> RuleResult {
    let (layer, x) = (Layer::read(a, parameters, packed)?, a.tensor(0)?);
    let unknown = || tensor(x.dtype, None);
    let Some(list) = a.tensors(parameters - 1)? else { return Ok(smallvec![unknown(), unknown(), unknown()]) };
    let [h, c] = recurrent::two_states(&list, "lstm")?;
    let narrow = x.dtype == Some(DType::F32) && !h.size(2).differs(c.size(2)) && !packed;
    // A layer of floats is handed to a library that has no doubles.
    refuse!(if narrow && layer.parameters.iter().flatten().any(|p| p.dtype == Some(DType::F64)),
        "get_mkldnn_dtype: unsupported data type");
    layer.check_dtypes(&x, h)?;
    Ok(smallvec![layer.output(&x, h.size(2)), h.like(), c.like()])
}

rules! {
    /// `gru`, `rnn_tanh`, `rnn_relu`: `.input`, and `.data` of a packed sequence.
    layer = single, 2, false; packed = single, 3, true;
    lstm = lstm_layer, 2, false; lstm_packed = lstm_layer, 3, true;
}

/// (input, w_ih, w_hh, b_ih, b_hh, hx, cx, reverse, batch_sizes, mode, hidden_size, …): outputs of all steps, last states, and no workspace.
pub fn one_layer(a: &[Meta]) -> RuleResult {
    let (x, h, c) = (a.tensor(0)?, a.tensor(5)?, a.tensor(6)?);
    Ok(smallvec![with_last(&x, a.size(10)), tensor(x.dtype, h.sizes), tensor(x.dtype, c.sizes), Meta::None])
}
