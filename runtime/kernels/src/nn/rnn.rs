//! Recurrent layers in f32 or f64 (halves widened): what the input adds to the gates of all steps is one product, then step by step the hidden
//! state's product and the gates. Weights may be packed: then a product is that of quantized matrices, or of halves, and has its bias in it.

use crate::engine::arguments::{arg, bool_arg, float_arg, int_arg, optional_tensor, tensor_arg, tensors_arg};
use crate::engine::calling::kernels;
use crate::engine::elementwise::result_strides;
use crate::engine::lanes::permute;
use crate::engine::scratch::{self, Scratch};
use crate::engine::simd::Real;
use crate::engine::vectorize::vectorize_widest;
use crate::engine::{cast, transcendental};
use crate::linalg::packed_factor::{PackedFactor, packed_factor};
use crate::nn::norm::with_float;
use crate::quantized::packed::Packed;
use crate::quantized::qlinear::{dynamic_product, half_product};
use crate::{Call, Error, Outputs};
use sconce_gemm::{Multiplied, Packed as PackedView, Panels, Product, View, product};
use sconce_schema::geometry::recurrent::{self, Cell, Widths};
use sconce_schema::packed::{CELL, LINEAR};
use sconce_tensor::{DType, IValue, Sizes, Tensor, contiguous_strides};
use smallvec::smallvec;
use std::sync::Arc;

/// Steps from which on the state's weights are packed for all of them.
const MANY: usize = 4;

/// The functions of gates.
trait Gate: Multiplied + cast::Value {
    fn sigmoid(self) -> Self;
    fn bend(self) -> Self;
}

impl Gate for f32 {
    #[inline(always)]
    fn sigmoid(self) -> f32 {
        transcendental::sigmoid(self)
    }
    #[inline(always)]
    fn bend(self) -> f32 {
        transcendental::tanh(self)
    }
}

impl Gate for f64 {
    #[inline(always)]
    fn sigmoid(self) -> f64 {
        1.0 / (1.0 + (-self).exp())
    }
    #[inline(always)]
    fn bend(self) -> f64 {
        self.tanh()
    }
}

/// The weights of one direction of one layer, row-major.
struct Weights {
    input: Matrix,
    hidden: Matrix,
    input_bias: Option<Tensor>,
    hidden_bias: Option<Tensor>,
    /// Of an LSTM whose hidden state is projected.
    projection: Option<Tensor>,
}

/// What a layer's input or state is multiplied with.
struct Matrix {
    /// Row-major; of packed weights only the sizes are read here.
    weight: Tensor,
    packed: Option<(Packed, Precision)>,
}

/// How a product with a packed weight is computed.
#[derive(Clone, Copy)]
enum Precision {
    Half,
    /// Bytes, or 7 bits.
    Bytes {
        reduced: bool,
    },
}

impl Matrix {
    fn plain(t: &Tensor, dtype: DType) -> Result<Matrix, Error> {
        Ok(Matrix { weight: ready(t, dtype)?, packed: None })
    }
    fn packed(v: &IValue, precision: Precision) -> Result<Matrix, Error> {
        let packed = Packed::of(v, &LINEAR)?;
        Ok(Matrix { weight: packed.tensor("_weight")?, packed: Some((packed, precision)) })
    }
    /// Of a single step: a tensor, or packed weights in bytes.
    fn of(v: &IValue, dtype: DType) -> Result<Matrix, Error> {
        match v {
            IValue::Tensor(t) => Matrix::plain(t, dtype),
            // Steps alone always reduce the range.
            other => Matrix::packed(other, Precision::Bytes { reduced: true }),
        }
    }

    /// The weight turned, as products in tiles read it: for so many products that packing it is little.
    fn panels<E: Gate>(&self, products: usize) -> Result<Option<Arc<PackedFactor<E>>>, Error> {
        if self.packed.is_some() || products < MANY {
            return Ok(None);
        }
        let [n, k] = self.weight.sizes() else { return Ok(None) };
        let turned = self.weight.as_strided(&[*k, *n], &[1, *k], self.weight.storage_offset())?;
        Ok(packed_factor(&turned).or_else(|| PackedFactor::of(&turned).map(Arc::new)))
    }

    /// `out = x w^T + start`, all row-major.
    fn add_product<E: Gate>(
        &self,
        out: &mut [E],
        x: &[E],
        [k, n]: [usize; 2],
        start: Start<'_, E>,
        panels: Option<Panels<E>>,
    ) -> Result<(), Error> {
        let Some((packed, precision)) = &self.packed else {
            add_product(out, x, slice_of::<E>(&self.weight)?, [k, n], start, panels);
            return Ok(());
        };
        let rows = out.len() / n.max(1);
        let x = cast::from_vec(x[..rows * k].to_vec(), &[rows as i64, k as i64], DType::F32)?;
        let y = match precision {
            Precision::Half => half_product(&x, packed)?,
            Precision::Bytes { reduced } => dynamic_product(&x, packed, *reduced)?,
        };
        // SAFETY: the product is nobody else's.
        let y = unsafe { cast::elements::<E>(&y) }?;
        let adds = matches!(start, Start::Itself);
        out.iter_mut().zip(y.iter()).for_each(|(o, y)| *o = if adds { *o + *y } else { *y });
        Ok(())
    }
}

impl Weights {
    fn widths(&self, cell: Cell, input: usize, hidden: usize) -> Result<Widths, Error> {
        let weights = recurrent::Weights {
            input: self.input.weight.sizes(),
            hidden: self.hidden.weight.sizes(),
            projection: self.projection.as_ref().map(Tensor::sizes),
            biases: [&self.input_bias, &self.hidden_bias].map(|t| t.as_ref().map(Tensor::sizes)),
        };
        Ok(Widths::of(cell, &weights, input, hidden)?)
    }
}

/// `out = x w^T + start`, all row-major; the start is a row for all, or the rows of `out` itself. Panels are those of the weight, turned.
fn add_product<E: Multiplied>(
    out: &mut [E],
    x: &[E],
    w: &[E],
    [k, n]: [usize; 2],
    start: Start<'_, E>,
    panels: Option<Panels<E>>,
) {
    let m = out.len() / n.max(1);
    assert!(x.len() >= m * k && w.len() >= n * k, "sizes are compared before");
    let start = match start {
        Start::Nothing => None,
        Start::Row(row) => {
            assert!(row.len() >= n, "sizes are compared before");
            Some(View::new(row.as_ptr(), 0, 1))
        }
        Start::Itself => Some(View::new(out.as_ptr(), n as isize, 1)),
    };
    let p = Product {
        m,
        n,
        k,
        a: View::new(x.as_ptr(), k as isize, 1),
        out: out.as_mut_ptr(),
        out_row: n,
        alpha: E::one(),
        start,
    };
    let view = View::new(w.as_ptr(), 1, k as isize);
    // SAFETY: the slices have been measured above, and `out` is borrowed mutably.
    unsafe {
        match panels {
            Some(_) if m > 1 => product(&p, &PackedView { view, panels, in_tiles: true }),
            _ => product(&p, &view),
        }
    }
}

enum Start<'a, E> {
    Nothing,
    Row(&'a [E]),
    Itself,
}

fn slice_of<E: Real + sconce_tensor::Element>(t: &Tensor) -> Result<&[E], Error> {
    // SAFETY: the kernels of this file write to buffers of their own and to fresh results alone.
    unsafe { t.as_slice::<E>() }
        .ok_or_else(|| Error::runtime("recurrent layer: weights, inputs and states must have one dtype"))
}

fn optional_slice<E: Real + sconce_tensor::Element>(t: &Option<Tensor>) -> Result<Option<&[E]>, Error> {
    t.as_ref().map(slice_of::<E>).transpose()
}

/// The gates of a few rows: `a` is what the input adds (for an LSTM and plain cells the sum), `b` what the state adds in a GRU.
#[inline(always)]
fn gates<E: Gate>(cell: Cell, a: &[E], b: &[E], h: &mut [E], c: &mut [E]) {
    /// One gate of all.
    #[inline(always)]
    fn gate<E>(v: &[E], i: usize, n: usize) -> &[E] {
        &v[i * n..(i + 1) * n]
    }
    let n = h.len();
    match cell {
        Cell::Tanh => h.iter_mut().zip(a).for_each(|(h, a)| *h = a.bend()),
        Cell::Relu => h.iter_mut().zip(a).for_each(|(h, a)| *h = if *a < E::zero() { E::zero() } else { *a }),
        Cell::Gru => {
            let (ar, au, an) = (gate(a, 0, n), gate(a, 1, n), gate(a, 2, n));
            let (br, bu, bn) = (gate(b, 0, n), gate(b, 1, n), gate(b, 2, n));
            for i in 0..n {
                let (reset, update) = ((ar[i] + br[i]).sigmoid(), (au[i] + bu[i]).sigmoid());
                let new = (an[i] + reset * bn[i]).bend();
                h[i] = (h[i] - new) * update + new;
            }
        }
        Cell::Lstm => {
            let (ai, af, ag, ao) = (gate(a, 0, n), gate(a, 1, n), gate(a, 2, n), gate(a, 3, n));
            let c = &mut c[..n];
            for i in 0..n {
                let value = af[i].sigmoid() * c[i] + ai[i].sigmoid() * ag[i].bend();
                c[i] = value;
                h[i] = ao[i].sigmoid() * value.bend();
            }
        }
    }
}

/// One direction of one layer.
struct Direction<'a, E> {
    cell: Cell,
    /// Rows of each step, and where they begin in the input; batches shrink (packed) or stay.
    steps: &'a [(usize, usize)],
    backwards: bool,
    widths: Widths,
    weights: &'a Weights,
    x: &'a [E],
}

impl<E: Gate> Direction<'_, E> {
    /// `h` and `c` are the states of all sequences, before and after. Row `r` of a step goes to `out[(begin + r) * row + at..]`.
    fn run(&self, h: &mut [E], c: &mut [E], out: &mut [E], row: usize, at: usize) -> Result<(), Error> {
        let Widths { input, gate, hidden } = self.widths;
        let (cell, n) = (self.cell, gate * self.cell.gates());
        let bias = optional_slice::<E>;
        let (first, second) = (bias(&self.weights.input_bias)?, bias(&self.weights.hidden_bias)?);
        let (w, u) = (&self.weights.input, &self.weights.hidden);
        let projection = bias(&self.weights.projection)?;
        let total: usize = self.steps.iter().map(|s| s.0).sum();
        // Both biases at once, but in a GRU, whose reset gate stands between them.
        let mut both = scratch::buffer::<E>(n);
        let start = match (first, second) {
            (Some(a), Some(b)) if cell != Cell::Gru => {
                both.iter_mut().zip(a.iter().zip(b)).for_each(|(o, (a, b))| *o = *a + *b);
                Start::Row(&both[..])
            }
            (Some(a), _) => Start::Row(a),
            (None, Some(b)) if cell != Cell::Gru => Start::Row(b),
            _ => Start::Nothing,
        };
        let mut all = scratch::buffer::<E>(total * n);
        w.add_product(&mut all, self.x, [input, n], start, None)?;
        let packed = u.panels::<E>(self.steps.len())?;
        let panels = packed.as_ref().map(|p| p.panels);
        let most = self.steps.iter().map(|s| s.0).max().unwrap_or(0);
        let mut from_state = scratch::buffer::<E>(if cell == Cell::Gru { most * n } else { 0 });
        let mut wide = scratch::buffer::<E>(if projection.is_some() { most * gate } else { 0 });
        for i in 0..self.steps.len() {
            let (rows, begin) = self.steps[if self.backwards { self.steps.len() - 1 - i } else { i }];
            let sums = &mut all[begin * n..(begin + rows) * n];
            // Sequences that have ended, or not yet begun when going backwards, keep their state.
            if cell == Cell::Gru {
                let start = second.map_or(Start::Nothing, Start::Row);
                u.add_product(&mut from_state[..rows * n], h, [hidden, n], start, panels)?;
            } else {
                u.add_product(sums, h, [hidden, n], Start::Itself, panels)?;
            }
            let state = if projection.is_some() { &mut wide[..] } else { &mut *h };
            vectorize_widest(
                #[inline(always)]
                || {
                    for r in 0..rows {
                        let b = if cell == Cell::Gru { &from_state[r * n..(r + 1) * n] } else { &[][..] };
                        let c = if cell == Cell::Lstm { &mut c[r * gate..(r + 1) * gate] } else { &mut [][..] };
                        gates(cell, &sums[r * n..(r + 1) * n], b, &mut state[r * gate..(r + 1) * gate], c);
                    }
                },
            );
            if let Some(p) = projection {
                add_product(&mut h[..rows * hidden], &wide, p, [gate, hidden], Start::Nothing, None);
            }
            for r in 0..rows {
                out[(begin + r) * row + at..][..hidden].copy_from_slice(&h[r * hidden..(r + 1) * hidden]);
            }
        }
        Ok(())
    }
}

/// All layers of a call.
struct Layers {
    weights: scratch::List<Weights>,
    bidirectional: bool,
    /// How probably what one layer hands to the next is dropped.
    dropout: f64,
}

/// The flags that follow the parameters: has_biases, num_layers, dropout, train, bidirectional.
fn read_layers(args: &[IValue], params: usize, projected: bool, dtype: DType) -> Result<Layers, Error> {
    let list = arg(args, params)?.as_list()?.read();
    let packed = matches!(list.first(), Some(IValue::Object(_)));
    let biases = bool_arg(args, params + 1)?;
    let bidirectional = bool_arg(args, params + 5)?;
    let dropout = if bool_arg(args, params + 4)? { float_arg(args, params + 3)? } else { 0.0 };
    let layers = usize::try_from(int_arg(args, params + 2)?).unwrap_or(0);
    let count = layers.saturating_mul(if bidirectional { 2 } else { 1 });
    let per = if packed { 1 } else { 2 + if biases { 2 } else { 0 } + usize::from(projected) };
    recurrent::check_parameters(list.len(), count.saturating_mul(per))?;
    let mut weights = scratch::list();
    for chunk in list.chunks_exact(per) {
        let get = |i: usize| ready(chunk[i].as_tensor()?, dtype);
        weights.push(match packed {
            true => read_cell(&chunk[0])?,
            false => Weights {
                input: Matrix { weight: get(0)?, packed: None },
                hidden: Matrix { weight: get(1)?, packed: None },
                input_bias: if biases { Some(get(2)?) } else { None },
                hidden_bias: if biases { Some(get(3)?) } else { None },
                projection: if projected { Some(get(per - 1)?) } else { None },
            },
        });
    }
    Ok(Layers { weights, bidirectional, dropout })
}

/// The packed weights of one direction of one layer.
fn read_cell(v: &IValue) -> Result<Weights, Error> {
    let cell = Packed::of(v, &CELL)?;
    let kind = cell.get("_kind")?;
    let precision = match kind.as_str()? {
        "quantized_dynamic" => {
            Precision::Bytes { reduced: cell.ints("_zero_points")?.first().is_some_and(|reduced| *reduced != 0) }
        }
        "quantized_fp16" => Precision::Half,
        other => return Err(Error::runtime(format!("recurrent layer: weights packed as `{other}` are not supported"))),
    };
    let weights = cell.get("_packed")?.as_list()?.to_vec();
    let [input, hidden] = weights.as_slice() else {
        return Err(Error::runtime(format!("recurrent layer: expected two packed weights, got {}", weights.len())));
    };
    Ok(Weights {
        input: Matrix::packed(input, precision)?,
        hidden: Matrix::packed(hidden, precision)?,
        input_bias: None,
        hidden_bias: None,
        projection: None,
    })
}

/// A tensor in the type that is computed in, row-major.
fn ready(t: &Tensor, dtype: DType) -> Result<Tensor, Error> {
    Ok(cast::convert(t, dtype)?.contiguous()?)
}

/// The type that is computed in.
fn wide(dtype: DType) -> DType {
    let single = dtype.is_float() && dtype.size() <= 4;
    if single { DType::F32 } else { DType::F64 }
}

/// Result `i` of a call with these elements and strides.
fn finish<E: Gate>(
    call: &Call<'_>,
    i: usize,
    data: &[E],
    sizes: &[i64],
    strides: &[i64],
    dtype: DType,
) -> Result<IValue, Error> {
    let mut out = call.output(i, sizes, strides, dtype)?;
    // SAFETY: a fresh result is shared with nobody.
    match unsafe { out.as_mut_slice::<E>() }.filter(|o| o.len() == data.len()) {
        Some(to) => to.copy_from_slice(data),
        None => cast::convert_into(&out, &Tensor::from_vec(data.to_vec(), sizes))?,
    }
    Ok(out.into())
}

/// The same as a tensor lies that is row-major.
fn finish_like<E: Gate>(call: &Call<'_>, i: usize, data: &[E], like: &Tensor) -> Result<IValue, Error> {
    finish(call, i, data, like.sizes(), &contiguous_strides(like.sizes()), like.dtype())
}

/// Drops elements of what one layer hands to the next.
fn drop_some<E: Gate>(rows: &mut [E], width: usize, dropout: f64) -> Result<(), Error> {
    if dropout != 0.0 && !rows.is_empty() {
        let all = Tensor::from_vec(rows.to_vec(), &[(rows.len() / width) as i64, width as i64]);
        rows.copy_from_slice(slice_of::<E>(&crate::tensor::random::without(&all, dropout)?)?);
    }
    Ok(())
}

/// The states of a call: the hidden one, and of an LSTM the cell's.
struct States {
    hidden: Tensor,
    cell: Option<Tensor>,
}

impl States {
    /// `lstm` is what an LSTM is called in messages.
    fn at(args: &[IValue], i: usize, cell: Cell, lstm: &str) -> Result<States, Error> {
        if cell != Cell::Lstm {
            return Ok(States { hidden: tensor_arg(args, i)?.clone(), cell: None });
        }
        let both = tensors_arg(args, i)?;
        let [hidden, cell] = recurrent::two_states(&both, lstm)?;
        Ok(States { hidden: hidden.clone(), cell: Some(cell.clone()) })
    }

    /// Copies of them to be changed.
    fn buffers<E: Gate>(&self) -> Result<[Scratch<E>; 2], Error> {
        let copy = |t: Option<&Tensor>| -> Result<Scratch<E>, Error> {
            let mut to = scratch::buffer::<E>(t.map_or(0, Tensor::numel));
            if let Some(t) = t {
                to.copy_from_slice(slice_of::<E>(&ready(t, E::DTYPE)?)?);
            }
            Ok(to)
        };
        Ok([copy(Some(&self.hidden))?, copy(self.cell.as_ref())?])
    }
}

fn unfit() -> Error {
    Error::runtime("the states do not fit the weights and the batch")
}

/// Runs all layers over the rows of `x`. Results: outputs of `sizes`, last states.
fn run<E: Gate>(
    call: &Call<'_>,
    cell: Cell,
    x: &Tensor,
    steps: &[(usize, usize)],
    states: &States,
    layers: &Layers,
    sizes: &[i64],
) -> Result<Outputs, Error> {
    let (h, c) = (&states.hidden, states.cell.as_ref());
    let dtype = x.dtype();
    let directions = if layers.bidirectional { 2 } else { 1 };
    let (batch, hidden) = (h.sizes()[1] as usize, h.sizes()[2] as usize);
    recurrent::check_states((h.sizes()[0] as usize).min(layers.weights.len()), layers.weights.len())?;
    if steps.iter().any(|s| s.0 > batch) {
        return Err(unfit());
    }
    let x = ready(x, E::DTYPE)?;
    let rows: usize = steps.iter().map(|s| s.0).sum();
    let features = x.sizes().last().copied().unwrap_or(0) as usize;
    let width = hidden * directions;
    let [mut hs, mut cs] = states.buffers::<E>()?;
    let gate = c.map_or(0, |c| c.sizes()[2] as usize);
    if c.is_some_and(|c| c.sizes()[..2] != h.sizes()[..2]) {
        return Err(unfit());
    }
    let mut buffers = [scratch::buffer::<E>(rows * width), scratch::buffer::<E>(rows * width)];
    for (l, pair) in layers.weights.chunks_exact(directions).enumerate() {
        let [before, after] = &mut buffers;
        let (input, n) = if l == 0 { (slice_of::<E>(&x)?, features) } else { (&before[..], width) };
        for (d, weights) in pair.iter().enumerate() {
            let widths = weights.widths(cell, n, hidden)?;
            if cell == Cell::Lstm && widths.gate != gate {
                return Err(unfit());
            }
            let at = l * directions + d;
            let c = if c.is_some() { at * batch * gate..(at + 1) * batch * gate } else { 0..0 };
            let direction = Direction { cell, steps, backwards: d == 1, widths, weights, x: input };
            let h = &mut hs[at * batch * hidden..(at + 1) * batch * hidden];
            direction.run(h, &mut cs[c], after, width, d * hidden)?;
        }
        if (l + 1) * directions < layers.weights.len() {
            drop_some(after, width, layers.dropout)?;
        }
        buffers.swap(0, 1);
    }
    let last = if layers.weights.is_empty() { slice_of::<E>(&x)? } else { &buffers[0][..] };
    let mut out: Outputs = smallvec![finish(call, 0, last, sizes, &contiguous_strides(sizes), dtype)?];
    out.push(finish_like(call, 1, &hs, h)?);
    if let Some(c) = c {
        out.push(finish_like(call, 2, &cs, c)?);
    }
    Ok(out)
}

/// A layer over `[time, batch, features]`, or `[batch, time, features]`; or, `packed`, over the rows of all steps under one another, with each step's batch
/// size.
fn layer(call: &Call<'_>, args: &[IValue], cell: Cell, packed: bool) -> Result<Outputs, Error> {
    let params = if packed { 3 } else { 2 };
    let (x, states) = (tensor_arg(args, 0)?, States::at(args, params - 1, cell, "lstm")?);
    let (h, c) = (&states.hidden, states.cell.as_ref());
    let rank = if packed { 2 } else { 3 };
    if x.dim() != rank || h.dim() != 3 || c.is_some_and(|c| c.dim() != 3) {
        return Err(Error::runtime(format!("a recurrent layer expects an input of rank {rank} and states of rank 3")));
    }
    let batch_first = !packed && bool_arg(args, params + 6)?;
    let turned = if batch_first { Some(permute(x, &[1, 0, 2])?) } else { None };
    let x = turned.as_ref().unwrap_or(x);
    let projected = c.is_some_and(|c| c.sizes()[2] != h.sizes()[2]);
    let dtype = wide(x.dtype());
    let layers = read_layers(args, params, projected, dtype)?;
    let mut steps: scratch::List<(usize, usize)> = scratch::list();
    let mut sizes: Sizes = x.sizes().into();
    sizes[rank - 1] = h.sizes()[2] * if layers.bidirectional { 2 } else { 1 };
    if packed {
        let mut at = 0usize;
        for b in cast::to_vec::<i64>(tensor_arg(args, 1)?)? {
            let n = usize::try_from(b).unwrap_or(0);
            if n > x.sizes()[0] as usize - at || n > h.sizes()[1] as usize {
                return Err(Error::runtime("batch sizes of a packed sequence do not fit its data"));
            }
            steps.push((n, at));
            at += n;
        }
        sizes[0] = at as i64;
    } else {
        if h.sizes()[1] != x.sizes()[1] {
            return Err(unfit());
        }
        let batch = x.sizes()[1] as usize;
        steps.extend((0..x.sizes()[0] as usize).map(|t| (batch, t * batch)));
    }
    let mut out = with_float!(dtype, E => run::<E>(call, cell, x, &steps, &states, &layers, &sizes)?);
    if batch_first {
        // A view, as in PyTorch: the steps lie one after another.
        let turned = permute(out[0].as_tensor()?, &[1, 0, 2])?;
        out[0] = IValue::Tensor(turned);
    }
    Ok(out)
}

/// A single step: input, states, weights and biases.
fn step(call: &Call<'_>, args: &[IValue], cell: Cell) -> Result<Outputs, Error> {
    let (x, states) = (tensor_arg(args, 0)?, States::at(args, 1, cell, "lstm_cell")?);
    let dtype = wide(states.hidden.dtype());
    let (input, hidden) = (Matrix::of(arg(args, 2)?, dtype)?, Matrix::of(arg(args, 3)?, dtype)?);
    // Packed weights have theirs with them.
    let bias = |i: usize, m: &Matrix| match m.packed {
        Some(_) => Ok(None),
        None => optional_tensor(args, i)?.map(|t| ready(t, dtype)).transpose(),
    };
    let (input_bias, hidden_bias) = (bias(4, &input)?, bias(5, &hidden)?);
    let weights = Weights { input, hidden, input_bias, hidden_bias, projection: None };
    with_float!(dtype, E => step_of::<E>(call, x, cell, &states, &weights))
}

fn step_of<E: Gate>(
    call: &Call<'_>,
    x: &Tensor,
    cell: Cell,
    states: &States,
    weights: &Weights,
) -> Result<Outputs, Error> {
    // Without a batch there is one row.
    let shape = |t: &Tensor| match *t.sizes() {
        [n] => Some((1, n as usize)),
        [rows, n] => Some((rows as usize, n as usize)),
        _ => None,
    };
    let (h, c) = (&states.hidden, states.cell.as_ref());
    let (Some((rows, input)), Some((batch, hidden))) = (shape(x), shape(h)) else {
        return Err(Error::runtime("recurrent cell: input and hidden state must be vectors or matrices"));
    };
    let widths = weights.widths(cell, input, hidden)?;
    if rows != batch || c.is_some_and(|c| c.numel() != rows * widths.gate) {
        return Err(unfit());
    }
    let x = ready(x, E::DTYPE)?;
    let [mut state, mut kept] = states.buffers::<E>()?;
    let direction = Direction { cell, steps: &[(rows, 0)], backwards: false, widths, weights, x: slice_of::<E>(&x)? };
    let mut copy = scratch::buffer::<E>(rows * hidden);
    direction.run(&mut state, &mut kept, &mut copy, hidden, 0)?;
    let mut out: Outputs = smallvec![if cell == Cell::Gru && !h.is_contiguous() {
        // A new state that was blended with the one before lies as that one does.
        let fresh = Tensor::from_vec(Vec::from(&state[..]), h.sizes());
        finish(call, 0, &state, h.sizes(), &result_strides(h.sizes(), &[h, &fresh]), h.dtype())?
    } else {
        finish_like(call, 0, &state, h)?
    }];
    if let Some(c) = c {
        out.push(finish_like(call, 1, &kept, c)?);
    }
    Ok(out)
}

kernels! {
    tanh = layer, Cell::Tanh, false; tanh_packed = layer, Cell::Tanh, true; tanh_cell = step, Cell::Tanh;
    relu = layer, Cell::Relu, false; relu_packed = layer, Cell::Relu, true; relu_cell = step, Cell::Relu;
    gru = layer, Cell::Gru, false; gru_packed = layer, Cell::Gru, true; gru_cell = step, Cell::Gru;
    lstm = layer, Cell::Lstm, false; lstm_packed = layer, Cell::Lstm, true; lstm_cell = step, Cell::Lstm;
}
