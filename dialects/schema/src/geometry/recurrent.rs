//! How wide the gates and states of a recurrent layer or cell are, as its weights say.

use crate::shape::ShapeError;

/// What a step does with its gates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cell {
    Tanh,
    Relu,
    Gru,
    Lstm,
}

impl Cell {
    pub fn gates(self) -> usize {
        match self {
            Cell::Lstm => 4,
            Cell::Gru => 3,
            _ => 1,
        }
    }
}

/// Sizes of one direction of one layer.
#[derive(Clone, Copy, Debug)]
pub struct Widths {
    pub input: usize,
    /// Of a gate, and of the cell state.
    pub gate: usize,
    /// Of the hidden state.
    pub hidden: usize,
}

/// Sizes of the weights of one direction of one layer.
pub struct Weights<'a> {
    pub input: &'a [i64],
    pub hidden: &'a [i64],
    /// Of an LSTM whose hidden state is projected.
    pub projection: Option<&'a [i64]>,
    pub biases: [Option<&'a [i64]>; 2],
}

impl Widths {
    /// For an input and a hidden state of these widths.
    pub fn of(cell: Cell, w: &Weights<'_>, input: usize, hidden: usize) -> Result<Widths, ShapeError> {
        let biases = || w.biases.into_iter().flatten();
        let matrices = [Some(w.input), Some(w.hidden), w.projection];
        refuse!(if matrices.into_iter().flatten().any(|s| s.len() != 2) || biases().any(|s| s.len() != 1),
            "recurrent layer: hidden states must have rank 3, weights 2 and biases 1");
        let (rows, gates) = (w.hidden[0], cell.gates() as i64);
        let gate = rows / gates;
        let fits = rows % gates == 0
            && w.input == [rows, input as i64]
            && w.hidden[1] == hidden as i64
            && w.projection.map_or(gate == hidden as i64, |p| p == [hidden as i64, gate])
            && biases().all(|b| b == [rows]);
        refuse!(if !fits, "hidden size {hidden} does not fit weights of {rows} rows");
        Ok(Widths { input, gate: gate as usize, hidden })
    }
}

/// The hidden and the cell state of an LSTM.
pub fn two_states<'a, T>(states: &'a [T], operator: &str) -> Result<[&'a T; 2], ShapeError> {
    let [hidden, cell] = states else {
        return crate::shape::args::error(format!("{operator} expects two hidden states"));
    };
    Ok([hidden, cell])
}

/// Each direction of each layer has a state.
pub fn check_states(have: usize, wanted: usize) -> Result<(), ShapeError> {
    refuse!(if have != wanted, "Expected more hidden states in stacked_rnn");
    Ok(())
}

/// Layers have as many parameters as they need.
pub fn check_parameters(have: usize, wanted: usize) -> Result<(), ShapeError> {
    refuse!(if have != wanted, "got an incorrect number of RNN parameters");
    Ok(())
}
