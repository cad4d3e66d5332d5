//! Layers as PyTorch's library for CPUs has them: one direction of one layer, whatever the network around it is.

use sconce_kernels::engine::arguments::{bool_arg, int_arg, tensor_arg};
use sconce_kernels::engine::compose::{tensor as op, tensors as ops};
use sconce_kernels::engine::lanes::reshape;
use sconce_kernels::{Call, Error, Outputs};
use sconce_tensor::{IValue, Tensor};
use smallvec::smallvec;

/// The number by which a layer says that it is an LSTM.
const LSTM_MODE: i64 = 2;

/// (input, w_ih, w_hh, b_ih, b_hh, hx, cx, reverse, batch_sizes, mode, hidden_size, num_layers, has_biases, …), over `[time, batch, features]`.
pub fn rnn_layer(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let mode = int_arg(args, 9)?;
    if mode != LSTM_MODE {
        return Err(Error::runtime(format!(
            "mkldnn_rnn_layer: only LSTMs (mode {LSTM_MODE}) are computed, got mode {mode}"
        )));
    }
    let (x, h, c) = (tensor_arg(args, 0)?, tensor_arg(args, 5)?, tensor_arg(args, 6)?);
    let [_, batch, _] = *x.sizes() else {
        return Err(Error::runtime(format!("a recurrent layer expects an input of rank 3, got {}", x.dim())));
    };
    let (reverse, biased) = (bool_arg(args, 7)?, bool_arg(args, 12)?);
    let turned = |t: Tensor| match reverse {
        true => op("aten::flip", &[t.into(), IValue::int_list(&[0])]),
        false => Ok(t),
    };
    let state = |t: &Tensor| {
        let width = t.sizes().last().copied().unwrap_or(0);
        if batch.checked_mul(width) != Some(t.numel() as i64) {
            return Err(Error::runtime("the states do not fit the weights and the batch"));
        }
        reshape(t, &[1, batch, width])
    };
    let weights = (1..if biased { 5 } else { 3 }).map(|i| Ok(tensor_arg(args, i)?.clone()));
    let inner = [
        turned(x.clone())?.into(),
        IValue::tensor_list([state(h)?, state(c)?]),
        IValue::tensor_list(weights.collect::<Result<Vec<_>, Error>>()?),
        IValue::Bool(biased),
        IValue::Int(1),
        IValue::Double(0.0),
        IValue::Bool(false),
        IValue::Bool(false),
        IValue::Bool(false),
    ];
    let [y, last, kept] = ops::<3>("aten::lstm.input", &inner)?;
    let (last, kept) = (reshape(&last, h.sizes())?, reshape(&kept, c.sizes())?);
    Ok(smallvec![turned(y)?.into(), last.into(), kept.into(), IValue::None])
}
