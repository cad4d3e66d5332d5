//! Folds: what reductions, scans and losses make of many elements, as data that rule, kernel and lowering walk.

use crate::geometry::Reduction;
use crate::scalar::{ArgIndex, Binary, Node, ScalarExpr, Unary};
use crate::shape::ShapeError;
use crate::shape::args::{dimension_set, reduced_dims};

vocabulary! {
    /// What becomes of the elements of a lane.
    Reducer {
        Sum = "sum",
        /// The sum divided by the number of elements.
        Mean = "mean",
        Product = "prod",
        /// The extreme; NaN if there is one.
        Max = "amax", Min = "amin",
        /// Whether some, whether all are not zero.
        Any = "any", All = "all",
        /// How many are not zero.
        Count = "count",
        /// Where the first extreme stands, or the first NaN; of running ones the last.
        ArgMax = "argmax", ArgMin = "argmin",
        /// The squares of distances from the mean, divided by the number of elements less a correction; and its root.
        Variance = "var", Deviation = "std",
        /// The logarithm of the sum of exponentials.
        LogSumExp = "logsumexp",
        /// The root of a sum of powers of magnitudes, of the order that the call names: see [`Norm`].
        Norm = "norm",
        /// Nothing, the mean or the sum, as the argument `reduction` says.
        Loss = "loss",
    }
}

impl Reducer {
    /// Of no elements there is none.
    pub fn needs_elements(self) -> bool {
        use Reducer::*;
        matches!(self, Max | Min | ArgMax | ArgMin)
    }
    /// It gives a position.
    pub fn places(self) -> bool {
        matches!(self, Reducer::ArgMax | Reducer::ArgMin)
    }
}

/// What an operator folds, how, and over what. Arguments are named by their schema positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fold {
    /// For each result.
    pub reducers: &'static [Reducer],
    /// What is folded, of the elements of all tensor operands.
    pub element: &'static ScalarExpr,
    /// Every element's result is the fold of those up to it, along one dimension.
    pub running: bool,
    /// Which dimensions go; all of them where there is no such argument, and where it is None.
    pub dims: Option<ArgIndex>,
    /// An empty list names no dimension; else it stands for all of them.
    pub exact: bool,
    /// Whether they stay, with size 1.
    pub keepdim: Option<ArgIndex>,
    /// The dtype that elements are brought to first.
    pub dtype: Option<ArgIndex>,
    /// Of a loss: 1 asks for the mean, 2 for the sum, everything else for the elements.
    pub reduction: Option<ArgIndex>,
    /// Of a norm its order, of a variance its correction or whether that is 1.
    pub setting: Option<ArgIndex>,
    /// The result is written to a tensor of this argument's dtype.
    pub like: Option<ArgIndex>,
}

/// A running logarithm of sums; a mean beside its variance, which behind an infinity is NaN.
pub fn is_sequential(reducers: &[Reducer], running: bool) -> bool {
    match reducers {
        [Reducer::LogSumExp] => running,
        [Reducer::Variance | Reducer::Deviation, _, ..] => true,
        _ => false,
    }
}

impl Fold {
    /// What a record that says nothing says.
    pub const DEFAULT: Fold = Fold {
        reducers: &[],
        element: &Norm::ITSELF,
        running: false,
        dims: None,
        exact: false,
        keepdim: None,
        dtype: None,
        reduction: None,
        setting: None,
        like: None,
    };

    /// Whether the state goes from element to element in their order, so that no code folds parts and merges them.
    pub fn is_sequential(&self) -> bool {
        is_sequential(self.reducers, self.running)
    }

    /// Which dimensions a call on a tensor of this rank folds; `dims` are those that it names, if it names any.
    pub fn reduction(&self, rank: usize, dims: Option<&[i64]>, keepdim: bool) -> Result<Reduction, ShapeError> {
        let folded = match dims {
            Some(dims) if self.exact => dimension_set(dims, rank)?,
            dims => reduced_dims(dims.unwrap_or_default(), rank)?,
        };
        Ok(Reduction { folded, keepdim })
    }

    /// What becomes of a loss's elements; `None`: nothing.
    pub fn asked(reduction: i64) -> Option<Reducer> {
        match reduction {
            1 => Some(Reducer::Mean),
            2 => Some(Reducer::Sum),
            _ => None,
        }
    }
}

/// A norm of some order, as the fold that it is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Norm {
    /// How many elements are not zero.
    Count,
    /// The sum of magnitudes.
    Magnitudes,
    /// The root of the sum of squares.
    Squares,
    /// The extreme magnitude.
    Largest,
    Smallest,
    /// The root, of this order, of the sum of powers.
    Powers(f64),
}

const ONLY: ScalarExpr = ScalarExpr {
    nodes: std::borrow::Cow::Borrowed(&[Node::Arg(0)]),
    compute: crate::scalar::Compute::Common,
    promotes: std::borrow::Cow::Borrowed(&[0]),
};

impl Norm {
    /// The element of folds that fold elements as they are.
    pub const ITSELF: ScalarExpr = ONLY;

    pub fn of(order: f64) -> Norm {
        match order {
            0.0 => Norm::Count,
            1.0 => Norm::Magnitudes,
            2.0 => Norm::Squares,
            f64::INFINITY => Norm::Largest,
            f64::NEG_INFINITY => Norm::Smallest,
            p => Norm::Powers(p),
        }
    }

    /// What it does with the elements.
    pub fn reducer(self) -> Reducer {
        match self {
            Norm::Count => Reducer::Count,
            Norm::Largest => Reducer::Max,
            Norm::Smallest => Reducer::Min,
            Norm::Magnitudes | Norm::Squares | Norm::Powers(_) => Reducer::Sum,
        }
    }

    /// What is folded, of operand 0; an order that is none of those with names is operand 1.
    pub fn element(self) -> ScalarExpr {
        let (magnitude, last) = (Node::Unary(Unary::Abs, 0), 1);
        let nodes = match self {
            Norm::Count => return ONLY,
            Norm::Magnitudes | Norm::Largest | Norm::Smallest => vec![Node::Arg(0), magnitude],
            Norm::Squares => vec![Node::Arg(0), magnitude, Node::Binary(Binary::Mul, last, last)],
            Norm::Powers(p) => vec![Node::Arg(0), magnitude, Node::Const(p), Node::Binary(Binary::Pow, last, 2)],
        };
        ScalarExpr { nodes: nodes.into(), ..ONLY }
    }

    /// Of no elements there is none.
    pub fn needs_elements(order: f64) -> bool {
        order < 0.0 || order == f64::INFINITY
    }
}
