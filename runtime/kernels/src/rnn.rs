//! Recurrent layers, step by step, in f64.

use crate::cast;
use crate::lanes::{arg, bool_arg, float_arg, int_arg, optional_tensor, permute, tensor_arg};
use crate::matmul::affine;
use crate::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::smallvec;

/// What a step does with its gates.
#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Tanh,
    Relu,
    Gru,
    Lstm,
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The weights of one direction of one layer.
struct Weights {
    input: Tensor,
    hidden: Tensor,
    input_bias: Option<Tensor>,
    hidden_bias: Option<Tensor>,
    /// Of an LSTM whose hidden state is projected.
    projection: Option<Tensor>,
}

impl Weights {
    fn wide(t: &Tensor) -> Result<Tensor, Error> {
        cast::convert(t, DType::F64)
    }
}

/// Hidden state, and cell state of an LSTM: `[batch, size]` each.
#[derive(Clone)]
struct State {
    h: Tensor,
    c: Option<Tensor>,
}

/// One step for a batch.
fn step(cell: Cell, x: &Tensor, s: &State, w: &Weights) -> Result<State, Error> {
    let a = affine(x, &w.input, w.input_bias.as_ref())?;
    let b = affine(&s.h, &w.hidden, w.hidden_bias.as_ref())?;
    let (a, b) = (a.to_vec::<f64>(), b.to_vec::<f64>());
    let old = s.h.to_vec::<f64>();
    let batch = x.sizes()[0] as usize;
    let gates = match cell {
        Cell::Lstm => 4,
        Cell::Gru => 3,
        _ => 1,
    };
    let rows = w.hidden.sizes()[0] as usize;
    let size = rows / gates;
    let expected = w.projection.as_ref().map_or(size, |p| p.sizes()[0] as usize);
    if !rows.is_multiple_of(gates) || a.len() != b.len() || old.len() != batch * expected {
        return Err(Error::runtime(format!(
            "hidden size {} does not fit weights of {rows} rows",
            s.h.sizes().last().copied().unwrap_or(0)
        )));
    }
    let at = |v: &[f64], row: usize, gate: usize, i: usize| v[row * rows + gate * size + i];
    let mut h = Vec::with_capacity(batch * size);
    let mut c = Vec::new();
    let cells = match &s.c {
        Some(c) if c.numel() == batch * size => c.to_vec::<f64>(),
        Some(_) => return Err(Error::runtime("the cell state does not fit the weights")),
        None => Vec::new(),
    };
    for row in 0..batch {
        for i in 0..size {
            let sum = |gate: usize| at(&a, row, gate, i) + at(&b, row, gate, i);
            match cell {
                Cell::Tanh => h.push(sum(0).tanh()),
                Cell::Relu => h.push(if sum(0) < 0.0 { 0.0 } else { sum(0) }),
                Cell::Gru => {
                    let (reset, update) = (sigmoid(sum(0)), sigmoid(sum(1)));
                    let new = (at(&a, row, 2, i) + reset * at(&b, row, 2, i)).tanh();
                    h.push((old[row * size + i] - new) * update + new);
                }
                Cell::Lstm => {
                    let (input, forget, output) = (sigmoid(sum(0)), sigmoid(sum(1)), sigmoid(sum(3)));
                    let value = forget * cells[row * size + i] + input * sum(2).tanh();
                    c.push(value);
                    h.push(output * value.tanh());
                }
            }
        }
    }
    let sizes = [batch as i64, size as i64];
    let mut h = Tensor::from_vec(h, &sizes);
    if let Some(p) = &w.projection {
        h = affine(&h, p, None)?;
    }
    let c = (cell == Cell::Lstm).then(|| Tensor::from_vec(c, &sizes));
    Ok(State { h, c })
}

/// Rows `from..to` of a matrix.
fn rows(t: &Tensor, from: usize, to: usize) -> Result<Tensor, Error> {
    let t = t.contiguous()?;
    let n = t.sizes()[1];
    Ok(t.as_strided(&[(to - from) as i64, n], &[n, 1], t.storage_offset() + from as i64 * n)?)
}

/// Matrices under one another.
fn stack(list: &[Tensor]) -> Tensor {
    let columns = list.first().map_or(0, |t| t.sizes()[1]);
    let data: Vec<f64> = list.iter().flat_map(|t| t.to_vec::<f64>()).collect();
    let count = list.iter().map(|t| t.sizes()[0]).sum();
    Tensor::from_vec(data, &[count, columns])
}

/// One direction of one layer over steps whose batches shrink (packed) or stay. Returns the outputs of all steps and the last state.
fn direction(
    cell: Cell,
    steps: &[Tensor],
    start: &State,
    w: &Weights,
    backwards: bool,
) -> Result<(Vec<Tensor>, State), Error> {
    let mut outputs: Vec<Option<Tensor>> = vec![None; steps.len()];
    let full = start.h.sizes()[0] as usize;
    let mut h = start.clone();
    let order: Vec<usize> = if backwards { (0..steps.len()).rev().collect() } else { (0..steps.len()).collect() };
    for t in order {
        let x = &steps[t];
        let n = x.sizes()[0] as usize;
        // Sequences that have ended, or not yet begun when going backwards, keep their state.
        let part = State { h: rows(&h.h, 0, n)?, c: h.c.as_ref().map(|c| rows(c, 0, n)).transpose()? };
        let next = step(cell, x, &part, w)?;
        outputs[t] = Some(next.h.clone());
        h = if n == full {
            next
        } else {
            let c = match (&next.c, &h.c) {
                (Some(new), Some(old)) => Some(stack(&[new.clone(), rows(old, n, full)?])),
                _ => None,
            };
            State { h: stack(&[next.h, rows(&h.h, n, full)?]), c }
        };
    }
    Ok((outputs.into_iter().flatten().collect(), h))
}

/// Columns side by side.
fn beside(a: &Tensor, b: &Tensor) -> Tensor {
    let (n, p, q) = (a.sizes()[0] as usize, a.sizes()[1] as usize, b.sizes()[1] as usize);
    let (x, y) = (a.to_vec::<f64>(), b.to_vec::<f64>());
    let mut data = Vec::with_capacity(x.len() + y.len());
    for i in 0..n {
        data.extend_from_slice(&x[i * p..(i + 1) * p]);
        data.extend_from_slice(&y[i * q..(i + 1) * q]);
    }
    Tensor::from_vec(data, &[n as i64, (p + q) as i64])
}

/// The flags that follow the parameters: has_biases, num_layers, dropout, train, bidirectional.
struct Layers {
    weights: Vec<Weights>,
    bidirectional: bool,
}

fn read_layers(args: &[IValue], params: usize, projected: bool) -> Result<Layers, Error> {
    let list = arg(args, params)?.as_tensor_list()?;
    let biases = bool_arg(args, params + 1)?;
    let bidirectional = bool_arg(args, params + 5)?;
    if float_arg(args, params + 3)? != 0.0 && bool_arg(args, params + 4)? {
        return Err(Error::runtime("dropout between recurrent layers is not supported in training"));
    }
    let layers = usize::try_from(int_arg(args, params + 2)?).unwrap_or(0);
    let count = layers.saturating_mul(if bidirectional { 2 } else { 1 });
    let per = 2 + if biases { 2 } else { 0 } + usize::from(projected);
    if list.len() != count.saturating_mul(per) {
        return Err(Error::runtime("got an incorrect number of RNN parameters"));
    }
    let mut weights = Vec::with_capacity(count);
    for chunk in list.chunks_exact(per) {
        let get = |i: usize| Weights::wide(&chunk[i]);
        weights.push(Weights {
            input: get(0)?,
            hidden: get(1)?,
            input_bias: if biases { Some(get(2)?) } else { None },
            hidden_bias: if biases { Some(get(3)?) } else { None },
            projection: if projected { Some(get(per - 1)?) } else { None },
        });
    }
    Ok(Layers { weights, bidirectional })
}

/// Matrix `i` of a stack `[n, batch, size]`.
fn slice(t: &Tensor, i: usize) -> Result<Tensor, Error> {
    if i as i64 >= t.sizes()[0] {
        return Err(Error::runtime("Expected more hidden states in stacked_rnn"));
    }
    Ok(t.as_strided(&t.sizes()[1..], &t.strides()[1..], t.storage_offset() + i as i64 * t.strides()[0])?)
}

/// All layers: the last layer's steps, and the states of every direction.
fn run(
    cell: Cell,
    mut steps: Vec<Tensor>,
    h: &Tensor,
    c: Option<&Tensor>,
    layers: &Layers,
) -> Result<(Vec<Tensor>, Vec<State>), Error> {
    let matrices = |w: &Weights| {
        let all = [Some(&w.input), Some(&w.hidden), w.projection.as_ref()];
        all.into_iter().flatten().all(|t| t.dim() == 2)
            && [&w.input_bias, &w.hidden_bias].into_iter().flatten().all(|t| t.dim() == 1)
    };
    if h.dim() != 3
        || c.is_some_and(|c| c.dim() != 3)
        || steps.iter().any(|t| t.dim() != 2)
        || !layers.weights.iter().all(matrices)
    {
        return Err(Error::runtime("recurrent layer: hidden states must have rank 3, weights 2 and biases 1"));
    }
    let mut states = Vec::new();
    let directions = if layers.bidirectional { 2 } else { 1 };
    for (l, pair) in layers.weights.chunks_exact(directions).enumerate() {
        let mut outputs: Option<Vec<Tensor>> = None;
        for (d, w) in pair.iter().enumerate() {
            let at = l * directions + d;
            let start = State { h: slice(h, at)?, c: c.map(|c| slice(c, at)).transpose()? };
            let (out, last) = direction(cell, &steps, &start, w, d == 1)?;
            states.push(last);
            outputs = Some(match outputs {
                None => out,
                Some(first) => first.iter().zip(&out).map(|(a, b)| beside(a, b)).collect(),
            });
        }
        steps = outputs.unwrap_or(steps);
    }
    Ok((steps, states))
}

fn finish_states(list: &[Tensor], like: &Tensor) -> Result<IValue, Error> {
    let data: Vec<f64> = list.iter().flat_map(|t| t.to_vec::<f64>()).collect();
    Ok(IValue::Tensor(cast::from_vec(data, like.sizes(), like.dtype())?))
}

fn finish(
    steps: &[Tensor],
    states: &[State],
    h: &Tensor,
    c: Option<&Tensor>,
    sizes: &[i64],
    x: &Tensor,
) -> Result<Outputs, Error> {
    let data: Vec<f64> = steps.iter().flat_map(|t| t.to_vec::<f64>()).collect();
    let out = cast::from_vec(data, sizes, x.dtype())?;
    let hs: Vec<Tensor> = states.iter().map(|s| s.h.clone()).collect();
    let mut results: Outputs = smallvec![IValue::Tensor(out), finish_states(&hs, h)?];
    if let Some(c) = c {
        let cs: Vec<Tensor> = states.iter().filter_map(|s| s.c.clone()).collect();
        results.push(finish_states(&cs, c)?);
    }
    Ok(results)
}

/// A layer over `[time, batch, features]`, or `[batch, time, features]`.
fn dense(args: &[IValue], cell: Cell, params: usize, h: &Tensor, c: Option<&Tensor>) -> Result<Outputs, Error> {
    let x = tensor_arg(args, 0)?;
    let batch_first = bool_arg(args, params + 6)?;
    if x.dim() != 3 {
        return Err(Error::runtime(format!("a recurrent layer expects an input of rank 3, got {}", x.dim())));
    }
    let projected = c.is_some_and(|c| c.sizes().last() != h.sizes().last());
    let layers = read_layers(args, params, projected)?;
    let time_first = if batch_first { permute(x, &[1, 0, 2])? } else { x.clone() };
    let wide = cast::convert(&time_first, DType::F64)?;
    let steps = (0..wide.sizes()[0] as usize).map(|i| slice(&wide, i)).collect::<Result<Vec<_>, _>>()?;
    let (hw, cw) = (cast::convert(h, DType::F64)?, c.map(|c| cast::convert(c, DType::F64)).transpose()?);
    let (steps, states) = run(cell, steps, &hw, cw.as_ref(), &layers)?;
    let features = h.sizes().last().copied().unwrap_or(0) * if layers.bidirectional { 2 } else { 1 };
    let sizes = [wide.sizes()[0], wide.sizes()[1], features];
    let mut out = finish(&steps, &states, h, c, &sizes, x)?;
    if batch_first {
        // A view, as in PyTorch: the steps lie one after another.
        let turned = permute(out[0].as_tensor()?, &[1, 0, 2])?;
        out[0] = IValue::Tensor(turned);
    }
    Ok(out)
}

/// A packed sequence: the rows of all steps under one another, and each step's batch size.
fn packed(args: &[IValue], cell: Cell, params: usize, h: &Tensor, c: Option<&Tensor>) -> Result<Outputs, Error> {
    let x = tensor_arg(args, 0)?;
    if x.dim() != 2 || h.dim() != 3 {
        return Err(Error::runtime("a packed sequence has data of rank 2 and hidden states of rank 3"));
    }
    let batches = cast::to_vec::<i64>(tensor_arg(args, 1)?)?;
    let projected = c.is_some_and(|c| c.sizes().last() != h.sizes().last());
    let layers = read_layers(args, params, projected)?;
    let wide = cast::convert(x, DType::F64)?;
    let mut steps = Vec::new();
    let mut at = 0usize;
    for b in &batches {
        let n = usize::try_from(*b).unwrap_or(0);
        if at + n > wide.sizes()[0] as usize || n > h.sizes().get(1).map_or(0, |n| *n as usize) {
            return Err(Error::runtime("batch sizes of a packed sequence do not fit its data"));
        }
        steps.push(rows(&wide, at, at + n)?);
        at += n;
    }
    let (hw, cw) = (cast::convert(h, DType::F64)?, c.map(|c| cast::convert(c, DType::F64)).transpose()?);
    let (steps, states) = run(cell, steps, &hw, cw.as_ref(), &layers)?;
    let features = h.sizes().last().copied().unwrap_or(0) * if layers.bidirectional { 2 } else { 1 };
    finish(&steps, &states, h, c, &[at as i64, features], x)
}

macro_rules! layers {
    ($($cell:ident: $dense:ident, $packed:ident;)*) => { $(
        pub fn $dense(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            dense(args, Cell::$cell, 2, tensor_arg(args, 1)?, None)
        }
        pub fn $packed(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
            packed(args, Cell::$cell, 3, tensor_arg(args, 2)?, None)
        }
    )* };
}
layers! {
    Tanh: tanh, tanh_packed;
    Relu: relu, relu_packed;
    Gru: gru, gru_packed;
}

pub fn lstm(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let states = arg(args, 1)?.as_tensor_list()?;
    let [h, c] = states.as_slice() else { return Err(Error::runtime("lstm expects two hidden states")) };
    dense(args, Cell::Lstm, 2, h, Some(c))
}

pub fn lstm_packed(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let states = arg(args, 2)?.as_tensor_list()?;
    let [h, c] = states.as_slice() else { return Err(Error::runtime("lstm expects two hidden states")) };
    packed(args, Cell::Lstm, 3, h, Some(c))
}

/// Input, state, weights and biases of a single step.
fn single(args: &[IValue], cell: Cell, h: &Tensor, c: Option<&Tensor>) -> Result<Outputs, Error> {
    let wide = |t: &Tensor| cast::convert(t, DType::F64);
    let lift = |t: &Tensor| -> Result<Tensor, Error> {
        let t = wide(t)?;
        if t.dim() == 1 { crate::matmul::reshape(&t, &[1, t.sizes()[0]]) } else { Ok(t) }
    };
    let w = Weights {
        input: wide(tensor_arg(args, 2)?)?,
        hidden: wide(tensor_arg(args, 3)?)?,
        input_bias: optional_tensor(args, 4)?.map(wide).transpose()?,
        hidden_bias: optional_tensor(args, 5)?.map(wide).transpose()?,
        projection: None,
    };
    let state = State { h: lift(h)?, c: c.map(lift).transpose()? };
    let x = lift(tensor_arg(args, 0)?)?;
    if w.input.dim() != 2 || w.hidden.dim() != 2 {
        return Err(Error::runtime("recurrent cell: weights must be matrices"));
    }
    if x.dim() != 2 || state.h.dim() != 2 || x.sizes()[0] != state.h.sizes()[0] {
        return Err(Error::runtime(format!(
            "input {:?} and hidden state {:?} do not have the same batch",
            x.sizes(),
            state.h.sizes()
        )));
    }
    let next = step(cell, &x, &state, &w)?;
    let finish = |t: &Tensor, like: &Tensor| -> Result<IValue, Error> {
        Ok(IValue::Tensor(cast::from_vec(t.to_vec::<f64>(), like.sizes(), like.dtype())?))
    };
    let mut out: Outputs = smallvec![finish(&next.h, h)?];
    if let (Some(new), Some(old)) = (&next.c, c) {
        out.push(finish(new, old)?);
    }
    Ok(out)
}

pub fn tanh_cell(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    single(args, Cell::Tanh, tensor_arg(args, 1)?, None)
}

pub fn relu_cell(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    single(args, Cell::Relu, tensor_arg(args, 1)?, None)
}

pub fn gru_cell(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    single(args, Cell::Gru, tensor_arg(args, 1)?, None)
}

pub fn lstm_cell(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let states = arg(args, 1)?.as_tensor_list()?;
    let [h, c] = states.as_slice() else { return Err(Error::runtime("lstm_cell expects two hidden states")) };
    single(args, Cell::Lstm, h, Some(c))
}
