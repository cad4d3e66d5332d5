//! Kernels as functions of what their operators take: `fn(&Tensor, i64) -> Result<Tensor, Error>` is a kernel as it stands, its arguments read by their types.
//!
//! ```
//! use sconce_kernels::{Call, Error, Kernel, kernel};
//! use sconce_tensor::Tensor;
//!
//! fn size(t: &Tensor, dim: i64) -> Result<i64, Error> {
//!     t.sizes().get(dim as usize).copied().ok_or_else(|| Error::index("no such dimension"))
//! }
//! const SIZE: Kernel = kernel(size);
//! ```
//!
//! A kernel that is told more (what its rule says of the results) has a `&Call<'_>` in front; one that takes its arguments out of their places is a [`Kernel`] itself.

use crate::engine::arguments::{bool_arg, dtype_at, float_arg, ints_arg, tensor_arg, tensors_arg};
use crate::engine::number::Number;
use crate::engine::scratch;
use crate::{Call, Error, Kernel, Outputs, arg};
use sconce_tensor::{DType, Dict, Handle, IValue, List, Sizes, Tensor};
use smallvec::smallvec;

/// What an argument is taken for. The caller has checked arguments against the schema.
pub trait Argument {
    /// The same, read from arguments that live for `'a`.
    type Of<'a>;
    fn read(args: &[IValue], i: usize) -> Result<Self::Of<'_>, Error>;
}

macro_rules! arguments {
    ($($t:ty => $of:ty: |$args:ident, $i:ident| $read:expr;)*) => { $(
        impl Argument for $t {
            type Of<'a> = $of;
            // Once for all kernels: reading is much code with its errors, and most kernels have several arguments.
            #[inline(never)]
            fn read($args: &[IValue], $i: usize) -> Result<Self::Of<'_>, Error> {
                $read
            }
        }
    )* };
}

arguments! {
    i64 => i64: |args, i| Ok(arg(args, i)?.as_int_or_bool()?);
    f64 => f64: |args, i| float_arg(args, i);
    bool => bool: |args, i| bool_arg(args, i);
    DType => DType: |args, i| Ok(arg(args, i)?.as_dtype()?);
    Number => Number: |args, i| Number::from_value(arg(args, i)?);
    &str => &'a str: |args, i| Ok(arg(args, i)?.as_str()?);
    &Tensor => &'a Tensor: |args, i| tensor_arg(args, i);
    &Handle<List> => &'a Handle<List>: |args, i| Ok(arg(args, i)?.as_list()?);
    &Handle<Dict> => &'a Handle<Dict>: |args, i| Ok(arg(args, i)?.as_dict()?);
    // A list of integers; None is the empty list, a single number a list of one.
    Sizes => Sizes: |args, i| ints_arg(args, i);
    scratch::List<Tensor> => scratch::List<Tensor>: |args, i| tensors_arg(args, i);
    // Any value.
    &IValue => &'a IValue: |args, i| arg(args, i);
    // This argument and all after it.
    &[IValue] => &'a [IValue]: |args, i| Ok(args.get(i..).unwrap_or_default());
    // None too where an overload does not have the argument.
    Option<&IValue> => Option<&'a IValue>: |args, i| Ok(args.get(i).and_then(IValue::optional));
    Option<DType> => Option<DType>: |args, i| dtype_at(args, i);
}

macro_rules! optional_arguments {
    ($($t:ty => $of:ty),*) => { $(
        impl Argument for Option<$t> {
            type Of<'a> = Option<$of>;
            #[inline(never)]
            fn read(args: &[IValue], i: usize) -> Result<Self::Of<'_>, Error> {
                match args.get(i).and_then(IValue::optional) {
                    Some(_) => <$t as Argument>::read(args, i).map(Some),
                    None => Ok(None),
                }
            }
        }
    )* };
}
optional_arguments!(i64 => i64, f64 => f64, bool => bool, Number => Number, &str => &'a str, &Tensor => &'a Tensor, Sizes => Sizes);

/// What becomes a value.
pub trait Value {
    fn value(self) -> IValue;
}

macro_rules! values {
    ($($t:ty: |$v:ident| $value:expr;)*) => { $(
        impl Value for $t {
            #[inline(always)]
            fn value(self) -> IValue {
                let $v = self;
                $value
            }
        }
    )* };
}

values! {
    bool: |v| IValue::Bool(v);
    i64: |v| IValue::Int(v);
    f64: |v| IValue::Double(v);
    DType: |v| v.into();
    Number: |v| v.to_value();
    String: |v| IValue::str(v);
    Tensor: |v| IValue::Tensor(v);
    Handle<List>: |v| IValue::List(v);
    Handle<Dict>: |v| IValue::Dict(v);
    Vec<Tensor>: |v| IValue::tensor_list(v);
    Sizes: |v| IValue::int_list(&v);
    IValue: |v| v;
}

impl<V: Value> Value for Option<V> {
    fn value(self) -> IValue {
        self.map_or(IValue::None, V::value)
    }
}

/// What a kernel gives: nothing, a value, several, or an error in their place.
pub trait Results {
    fn outputs(self) -> Result<Outputs, Error>;
}

impl<V: Value> Results for V {
    #[inline(always)]
    fn outputs(self) -> Result<Outputs, Error> {
        Ok(only(self.value()))
    }
}

#[inline(never)]
fn only(value: IValue) -> Outputs {
    smallvec![value]
}
impl Results for () {
    fn outputs(self) -> Result<Outputs, Error> {
        Ok(Outputs::new())
    }
}
impl Results for Outputs {
    #[inline(always)]
    fn outputs(self) -> Result<Outputs, Error> {
        Ok(self)
    }
}
impl<A: Value, B: Value> Results for (A, B) {
    fn outputs(self) -> Result<Outputs, Error> {
        Ok(smallvec![self.0.value(), self.1.value()])
    }
}
impl<A: Value, B: Value, C: Value> Results for (A, B, C) {
    fn outputs(self) -> Result<Outputs, Error> {
        Ok(smallvec![self.0.value(), self.1.value(), self.2.value()])
    }
}
impl<R: Results> Results for Result<R, Error> {
    #[inline(always)]
    fn outputs(self) -> Result<Outputs, Error> {
        self.and_then(R::outputs)
    }
}

/// A function that is a kernel; `M` tells functions of different arguments apart.
pub trait Typed<M>: Copy + 'static {
    fn call(self, call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error>;
}

/// Marks the functions that are kernels as they stand.
pub struct Plain;

impl<F> Typed<Plain> for F
where
    F: Copy + 'static + for<'a, 'c, 'v> Fn(&'a Call<'c>, &'v mut [IValue]) -> Result<Outputs, Error>,
{
    #[inline(always)]
    fn call(self, call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
        self(call, args)
    }
}

/// Marks the functions that are told of the call.
pub struct Told<F>(std::marker::PhantomData<F>);

macro_rules! functions {
    ($($a:ident $i:literal),*) => {
        impl<F, R: Results, $($a: Argument),*> Typed<fn($($a),*) -> R> for F
        where
            F: Copy + 'static + Fn($($a),*) -> R + for<'a> Fn($($a::Of<'a>),*) -> R,
        {
            #[inline(always)]
            fn call(self, _: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
                let args: &[IValue] = args;
                self($($a::read(args, $i)?),*).outputs()
            }
        }
        impl<F, R: Results, $($a: Argument),*> Typed<Told<fn($($a),*) -> R>> for F
        where
            F: Copy + 'static + for<'k, 'c> Fn(&'k Call<'c>, $($a),*) -> R + for<'k, 'c, 'a> Fn(&'k Call<'c>, $($a::Of<'a>),*) -> R,
        {
            #[inline(always)]
            fn call(self, call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
                let args: &[IValue] = args;
                self(call, $($a::read(args, $i)?),*).outputs()
            }
        }
    };
}
functions!(A 0);
functions!(A 0, B 1);
functions!(A 0, B 1, C 2);
functions!(A 0, B 1, C 2, D 3);
functions!(A 0, B 1, C 2, D 3, E 4);
functions!(A 0, B 1, C 2, D 3, E 4, G 5);
functions!(A 0, B 1, C 2, D 3, E 4, G 5, H 6);
functions!(A 0, B 1, C 2, D 3, E 4, G 5, H 6, I 7);
functions!(A 0, B 1, C 2, D 3, E 4, G 5, H 6, I 7, J 8);

/// What takes nothing and is told nothing.
impl<F, R: Results> Typed<fn() -> R> for F
where
    F: Copy + 'static + Fn() -> R,
{
    #[inline(always)]
    fn call(self, _: &Call<'_>, _: &mut [IValue]) -> Result<Outputs, Error> {
        self().outputs()
    }
}

/// What is told of the call and takes nothing.
impl<F, R: Results> Typed<Told<fn() -> R>> for F
where
    F: Copy + 'static + for<'k, 'c> Fn(&'k Call<'c>) -> R,
{
    #[inline(always)]
    fn call(self, call: &Call<'_>, _: &mut [IValue]) -> Result<Outputs, Error> {
        self(call).outputs()
    }
}

/// The kernel that a function is.
pub const fn kernel<M, F: Typed<M>>(_: F) -> Kernel {
    fn called<M, F: Typed<M>>(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
        const { assert!(size_of::<F>() == 0, "a kernel is a function by name, which is no data") };
        // SAFETY: a value without bytes, of which `kernel` was given one.
        let function: F = unsafe { std::mem::zeroed() };
        function.call(call, args)
    }
    called::<M, F>
}
