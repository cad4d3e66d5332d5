//! Rules as functions of what they look at: `fn(TensorMeta, Int) -> RuleResult` is a rule, its arguments read by their types in the schema's order.
//!
//! An [`Int`], a [`Dims`] and their like may be unknown. A function that takes an `i64`, [`Sizes`] or a [`Ranked`] tensor can say nothing without: it is not asked, and of the
//! result no more is known than the first argument's dtype.

use super::args::*;
use std::ops::Deref;
use std::sync::Arc;

pub type Int = Option<i64>;
pub type Flag = Option<bool>;
pub type Float = Option<f64>;
pub type Text = Option<Arc<str>>;
/// Sizes in a list; see [`Arguments::sizes`].
pub type List = Option<Sizes>;
/// Integers, most of them dimensions, all of them known.
pub type Dims = Option<Ints>;
pub type Tensors = Option<Vec<TensorMeta>>;
/// A tensor that may be None.
pub type Maybe = Option<TensorMeta>;

/// A `ScalarType?` argument.
pub struct Asked(pub Option<Option<DType>>);

impl Asked {
    /// What it is, or this where it is None.
    pub fn or(&self, default: Option<DType>) -> Option<DType> {
        self.0.and_then(|d| d.or(default))
    }
    pub fn given(&self) -> Option<DType> {
        self.0.flatten()
    }
}

/// A tensor whose rank is known.
pub struct Ranked {
    meta: TensorMeta,
    pub sizes: Sizes,
}

impl Deref for Ranked {
    type Target = TensorMeta;
    fn deref(&self) -> &TensorMeta {
        &self.meta
    }
}

/// Arguments that are not looked at.
pub struct Skip<const N: usize>;

/// What arguments are read as; `None` where that is not known.
pub trait Read: Sized {
    /// How many arguments it stands for.
    const PLACES: usize = 1;
    fn read(args: &[Meta], i: usize) -> Result<Option<Self>, ShapeError>;
}

macro_rules! reads {
    ($($t:ty: |$args:ident, $i:ident| $read:expr;)*) => { $(
        impl Read for $t {
            // Once for all rules: reading is much code, and is called once for each argument.
            #[inline(never)]
            fn read($args: &[Meta], $i: usize) -> Result<Option<Self>, ShapeError> {
                Ok($read)
            }
        }
    )* };
}

reads! {
    TensorMeta: |args, i| Some(args.tensor(i)?);
    Maybe: |args, i| Some(args.optional_tensor(i)?);
    Tensors: |args, i| Some(args.tensors(i)?);
    Int: |args, i| Some(args.int(i));
    Flag: |args, i| Some(args.bool(i));
    Float: |args, i| Some(args.float(i));
    Text: |args, i| Some(if let Meta::Str(s) = args.meta(i) { Some(s.clone()) } else { None });
    Asked: |args, i| Some(Asked(args.dtype(i)));
    Size: |args, i| Some(args.size(i));
    List: |args, i| Some(args.sizes(i));
    Dims: |args, i| Some(args.ints(i));
    Meta: |args, i| Some(args.meta(i).clone());
    // What has to be known.
    i64: |args, i| args.int(i);
    Ints: |args, i| args.ints(i);
    Sizes: |args, i| if let Meta::Tensor(t) = args.meta(i) { t.sizes.clone() } else { args.sizes(i) };
    Vec<TensorMeta>: |args, i| args.tensors(i)?;
    Ranked: |args, i| {
        let meta = args.tensor(i)?;
        meta.sizes.clone().map(|sizes| Ranked { meta, sizes })
    };
}

impl<T: Read, const N: usize> Read for [T; N] {
    const PLACES: usize = N;
    #[inline(never)]
    fn read(args: &[Meta], i: usize) -> Result<Option<Self>, ShapeError> {
        let all: Option<Vec<T>> = (i..i + N).map(|i| T::read(args, i)).collect::<Result<_, _>>()?;
        Ok(all.and_then(|all| all.try_into().ok()))
    }
}

impl<const N: usize> Read for Skip<N> {
    const PLACES: usize = N;
    fn read(_: &[Meta], _: usize) -> Result<Option<Self>, ShapeError> {
        Ok(Some(Skip))
    }
}

/// A function of a call's arguments, and of settings that follow them; `M` tells functions of different arguments apart.
pub trait Typed<S, M> {
    type Outcome;
    /// What it says; `None` where something is not known that has to be.
    fn apply(&self, args: &[Meta], settings: S) -> Result<Option<Self::Outcome>, ShapeError>;
}

/// Marks the functions that take all arguments as they are.
pub struct Plain;

macro_rules! functions {
    ($($a:ident $x:ident)*; $($s:ident $y:ident)*) => {
        impl<Function, R, $($a: Read,)* $($s),*> Typed<($($s,)*), fn($($a),*) -> R> for Function
        where
            Function: Fn($($a,)* $($s),*) -> R,
        {
            type Outcome = R;
            #[inline(always)]
            fn apply(&self, args: &[Meta], settings: ($($s,)*)) -> Result<Option<R>, ShapeError> {
                /// Code once for all functions of these arguments.
                #[inline(never)]
                fn read_and_call<R, $($a: Read,)* $($s),*>(
                    function: &dyn Fn($($a,)* $($s),*) -> R,
                    args: &[Meta],
                    ($($y,)*): ($($s,)*),
                ) -> Result<Option<R>, ShapeError> {
                    let mut next = 0;
                    $(
                        let Some($x) = <$a as Read>::read(args, next)? else { return Ok(None) };
                        next += <$a as Read>::PLACES;
                    )*
                    let _ = next;
                    Ok(Some(function($($x,)* $($y),*)))
                }
                read_and_call(self, args, settings)
            }
        }
    };
    ($($s:ident $y:ident)*) => {
        impl<Function, R, $($s),*> Typed<($($s,)*), Plain> for Function
        where
            Function: for<'a> Fn(&'a [Meta] $(, $s)*) -> R,
        {
            type Outcome = R;
            #[inline(always)]
            fn apply(&self, args: &[Meta], ($($y,)*): ($($s,)*)) -> Result<Option<R>, ShapeError> {
                Ok(Some(self(args $(, $y)*)))
            }
        }
        functions!(A a; $($s $y)*);
        functions!(A a B b; $($s $y)*);
        functions!(A a B b C c; $($s $y)*);
        functions!(A a B b C c D d; $($s $y)*);
        functions!(A a B b C c D d E e; $($s $y)*);
        functions!(A a B b C c D d E e F f; $($s $y)*);
        functions!(A a B b C c D d E e F f G g; $($s $y)*);
        functions!(A a B b C c D d E e F f G g H h; $($s $y)*);
    };
}
functions!();
functions!(S s);
functions!(S s T t);
functions!(S s T t U u);

/// What a function says: a rule's results, or what they follow from.
pub trait Outcome: Sized {
    fn metas(self, args: &[Meta]) -> SmallVec<[Meta; 2]>;
    /// The same of a function that is not asked.
    fn unknown(args: &[Meta]) -> SmallVec<[Meta; 2]> {
        smallvec![tensor(tensor_at(args, 0).and_then(|t| t.dtype), None)]
    }
}

impl Outcome for SmallVec<[Meta; 2]> {
    #[inline(always)]
    fn metas(self, _: &[Meta]) -> SmallVec<[Meta; 2]> {
        self
    }
}

/// The rule that a function is; code that all records of the function share.
#[inline(never)]
pub fn rule<S, M, V: Outcome>(
    function: impl Typed<S, M, Outcome = Result<V, ShapeError>>,
    args: &[Meta],
    settings: S,
) -> RuleResult {
    said(function.apply(args, settings), args)
}

/// Code once for all functions that give the same.
#[inline(never)]
fn said<V: Outcome>(outcome: Result<Option<Result<V, ShapeError>>, ShapeError>, args: &[Meta]) -> RuleResult {
    match outcome? {
        Some(outcome) => outcome.map(|outcome| outcome.metas(args)),
        None => Ok(V::unknown(args)),
    }
}
