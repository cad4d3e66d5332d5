//! Scalar expressions run over tensors: compiled into steps over blocks of elements, in the one type the expression is computed in.

use crate::engine::calling::missing;
use crate::engine::cast;
use crate::engine::elementwise;
use crate::{Call, Error, Outputs};
use num_complex::Complex;
use sconce_schema::OpEntry;
use sconce_schema::scalar::{self, Binary, Node, ScalarExpr};
use sconce_schema::shape::Meta;
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::{SmallVec, smallvec};
use std::borrow::Borrow;

pub mod in_place;
pub mod plan;
mod program;
mod run;
mod settled;

use program::{Context, Program};

/// The kernel of every operator whose record has a scalar expression.
pub fn evaluate(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    evaluate_as(call, call.entry.scalar.ok_or_else(|| missing(call.entry))?, args)
}

/// Result 0 of a call as the elements that an expression gives for its arguments.
pub fn evaluate_as(call: &Call<'_>, expr: &ScalarExpr, args: &mut [IValue]) -> Result<Outputs, Error> {
    let Some(Meta::Tensor(meta)) = call.metas.first() else { return Err(missing(call.entry)) };
    // A rule that knows no dtype was given a mode that no case of the expression names.
    let unknown = || {
        let schema = call.entry.schema();
        let mode = schema.arguments.iter().zip(args.iter()).find_map(|(a, v)| Some((a.name.clone(), v.as_str().ok()?)));
        match mode {
            Some((name, mode)) => Error::runtime(format!("{}: `{name}` cannot be '{mode}'", call.entry.name)),
            None => missing(call.entry),
        }
    };
    let dtype = meta.dtype.ok_or_else(unknown)?;
    settled::settle(call.entry, expr, args, compute_dtype(expr, args)?)?;
    let ready = compiled(call.entry, expr, args, dtype)?;
    Ok(smallvec![IValue::Tensor(ready.result(
        call.entry.name,
        args,
        strides_of(call.entry, args, dtype),
        |sizes, strides| { call.output(0, sizes, strides, dtype) }
    )?)])
}

/// (self, end, weight): complex numbers have no order for the expression; their weight's size decides.
pub fn lerp(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = crate::engine::arguments::result_dtype(call.metas, 0)?;
    if !dtype.is_complex() {
        return evaluate(call, args);
    }
    let tensors: SmallVec<[&Tensor; 3]> = args.iter().filter_map(|a| a.as_tensor().ok()).collect();
    let sizes = tensors.iter().try_fold(Sizes::new(), |s, t| sconce_tensor::broadcast_sizes(&s, t.sizes()))?;
    let out = call.output(0, &sizes, &elementwise::result_strides(&sizes, &tensors), dtype)?;
    let weight = match &args[2] {
        IValue::Tensor(t) => t.clone(),
        number => match crate::engine::number::Number::from_value(number)? {
            crate::engine::number::Number::Complex(w) => Tensor::scalar(w),
            real => Tensor::scalar(Complex::new(real.to_f64()?, 0.0)),
        },
    };
    let all = |t: &Tensor| cast::to_vec::<Complex<f64>>(&t.expand(&sizes)?);
    let (start, end, weight) = (all(args[0].as_tensor()?)?, all(args[1].as_tensor()?)?, all(&weight)?);
    let between = |((a, b), w): ((&Complex<f64>, &Complex<f64>), &Complex<f64>)| {
        if w.norm_sqr() < 0.25 { a + w * (b - a) } else { b - (b - a) * (1.0 - w) }
    };
    let values: Vec<Complex<f64>> = start.iter().zip(&end).zip(&weight).map(between).collect();
    cast::convert_into(&out, &Tensor::from_vec(values, &sizes))?;
    Ok(smallvec![IValue::Tensor(out)])
}

/// (self, mask, value): a row-major copy with the value where the mask is set.
pub fn masked_fill(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (expr, dtype) =
        (call.entry.scalar.ok_or_else(|| missing(call.entry))?, crate::engine::arguments::result_dtype(call.metas, 0)?);
    args[2] = crate::engine::number::number_in(&args[2], dtype)?;
    let ready = compiled(call.entry, expr, args, dtype)?;
    let row_major: StridesOf = |sizes, _| sconce_tensor::contiguous_strides(sizes);
    let out = ready.result(call.entry.name, args, row_major, |sizes, strides| call.output(0, sizes, strides, dtype))?;
    Ok(smallvec![IValue::Tensor(out)])
}

/// The elements that an expression gives for an operator's arguments, in a dtype that holds them, to be folded.
pub fn elements(entry: &OpEntry, expr: &ScalarExpr, args: &[IValue], dtype: DType) -> Result<Tensor, Error> {
    compiled(entry, expr, args, dtype)?.result(entry.name, args, elementwise::result_strides, |sizes, strides| {
        elementwise::uninit_strided(sizes, strides, dtype)
    })
}

/// The sum of those elements, and how many there are, without a place for all of them; `None` where operands do not lie alike.
pub fn sum(entry: &OpEntry, expr: &ScalarExpr, args: &[IValue], dtype: DType) -> Result<Option<(f64, usize)>, Error> {
    let operands: SmallVec<[&Tensor; 4]> = args.iter().filter_map(|a| a.as_tensor().ok()).collect();
    match &*compiled(entry, expr, args, dtype)? {
        Ready::F32(p) => run::sum(p, entry.name, args, &operands),
        Ready::F64(p) => run::sum(p, entry.name, args, &operands),
        _ => Ok(None),
    }
}

/// A program that was kept, or made for this call alone.
enum Compiled {
    Kept(&'static Ready),
    Fresh(Ready),
}

impl std::ops::Deref for Compiled {
    type Target = Ready;
    fn deref(&self) -> &Ready {
        match self {
            Compiled::Kept(ready) => ready,
            Compiled::Fresh(ready) => ready,
        }
    }
}

/// The program of an operator for such arguments and a result of a dtype.
fn compiled(entry: &OpEntry, expr: &ScalarExpr, args: &[IValue], dtype: DType) -> Result<Compiled, Error> {
    match plan::kept(entry, expr, args, dtype) {
        Some(kept) => Ok(Compiled::Kept(kept)),
        None => Ok(Compiled::Fresh(prepare(entry.name, expr, args, dtype)?)),
    }
}

/// Where a result lies, by its sizes and the tensors among its operands.
type StridesOf = fn(&[i64], &[&Tensor]) -> Sizes;

/// A number called `self` or `other` is an operand like a tensor; any other is a parameter. What a complex number's size or angle is lies as a
/// copy does.
fn strides_of(entry: &OpEntry, args: &[IValue], result: DType) -> StridesOf {
    let complex = |v: &IValue| v.as_tensor().is_ok_and(|t| t.dtype().is_complex());
    if result.is_float() && matches!(args, [v] if complex(v)) {
        return |_, tensors| elementwise::like_strides(tensors[0]);
    }
    let operand = |a: &sconce_schema::Argument| matches!(&*a.name, "self" | "other") && !a.ty.is_tensor();
    match entry.schema().arguments.iter().any(operand) {
        true => elementwise::result_strides_with_number,
        false => elementwise::result_strides,
    }
}

/// The same with the compute type given by the caller.
pub fn apply_as(name: &str, expr: &ScalarExpr, args: &[IValue], compute: DType, dtype: DType) -> Result<Tensor, Error> {
    let ready = Ready::new(&Context { name, expr, args, compute, result: dtype })?;
    ready.result(name, args, elementwise::result_strides, |sizes, strides| {
        elementwise::uninit_strided(sizes, strides, dtype)
    })
}

/// Computes an expression of these nodes over broadcast arguments, all of one dtype, into a tensor that `make` gives for the broadcast sizes.
pub fn apply_into(
    name: &str,
    nodes: Vec<Node>,
    args: &[IValue],
    dtype: DType,
    make: impl FnOnce(&[i64]) -> Result<Tensor, Error>,
) -> Result<Tensor, Error> {
    let promotes: Vec<u16> = (0..args.len() as u16).collect();
    let expr = ScalarExpr { nodes: nodes.into(), compute: scalar::Compute::Common, promotes: promotes.into() };
    let ready = Ready::new(&Context { name, expr: &expr, args, compute: dtype, result: dtype })?;
    ready.result(name, args, elementwise::result_strides, |sizes, _| make(sizes))
}

/// The dtype that operands are brought to.
fn compute_dtype(expr: &ScalarExpr, args: &[IValue]) -> Result<DType, Error> {
    let operands = || expr.promotes.iter().filter_map(|&i| args.get(usize::from(i)));
    let common = crate::engine::promote::result_type(operands()).or_else(|e| {
        let metas: Vec<Meta> = operands().map(crate::engine::derived::meta_of).collect();
        sconce_schema::shape::comparison_dtype(expr, metas.iter()).ok_or(e)
    })?;
    if let Some(dtype) = expr.only_compute_dtype(common) {
        return Ok(dtype);
    }
    let choice = |i: scalar::ArgIndex| match args.get(usize::from(i)) {
        None => scalar::Choice::None,
        Some(v) if v.is_none() => scalar::Choice::None,
        Some(v) => v.as_str().map_or(scalar::Choice::Value, scalar::Choice::Text),
    };
    // A mode that no case names fails below, where it is wanted.
    Ok(expr.specialize(choice).map_or(common, |e| e.compute_dtype(common)))
}

/// Compiles an expression for such arguments and a result of a dtype.
fn prepare(name: &str, expr: &ScalarExpr, args: &[IValue], result: DType) -> Result<Ready, Error> {
    let compute = compute_dtype(expr, args)?;
    Ready::new(&Context { name, expr, args, compute, result })
}

/// A program in the type that it is computed in.
enum Ready {
    F32(Program<f32>),
    F64(Program<f64>),
    C64(Program<Complex<f32>>),
    C128(Program<Complex<f64>>),
    I64(Program<i64>),
    I32(Program<i32>),
    I16(Program<i16>),
    I8(Program<i8>),
    U8(Program<u8>),
}

impl Ready {
    fn new(c: &Context<'_>) -> Result<Ready, Error> {
        // A narrow type meets no other, but for truth values.
        let mut tensors = c.args.iter().filter_map(|a| a.as_tensor().ok());
        let alike = |d: DType| d == c.compute || d == DType::Bool;
        let alike = tensors.all(|t| alike(t.dtype())) && alike(c.result);
        Ok(match c.compute {
            DType::F16 | DType::BF16 | DType::F32 => Ready::F32(c.compile()?),
            DType::F64 => Ready::F64(c.compile()?),
            DType::C32 | DType::C64 => Ready::C64(c.compile()?),
            DType::C128 => Ready::C128(c.compile()?),
            DType::I32 if alike && c.is_same_in::<i32>() => Ready::I32(c.compile()?),
            DType::I16 if alike && c.is_same_in::<i16>() => Ready::I16(c.compile()?),
            DType::I8 if alike && c.is_same_in::<i8>() => Ready::I8(c.compile()?),
            DType::U8 | DType::Bool if alike && c.is_same_in::<u8>() => Ready::U8(c.compile()?),
            d if d.is_int() || d == DType::Bool => Ready::I64(c.compile()?),
            d => return Err(crate::not_implemented(c.name, d)),
        })
    }

    /// Whether it may fail at an element: at a division of integers.
    fn may_fail(&self) -> bool {
        matches!(self, Ready::I64(p) if p.steps.iter().any(|s| matches!(s, program::Step::Divide(..))))
    }

    /// Runs it over broadcast operands, the tensors among the arguments; see [`run::run`].
    fn run(
        &self,
        name: &str,
        args: &[impl Borrow<IValue>],
        operands: &[&Tensor],
        out: &Tensor,
        in_place: bool,
    ) -> Result<(), Error> {
        match self {
            Ready::F32(p) => run::run(p, name, args, operands, out, in_place),
            Ready::F64(p) => run::run(p, name, args, operands, out, in_place),
            Ready::C64(p) => run::run(p, name, args, operands, out, in_place),
            Ready::C128(p) => run::run(p, name, args, operands, out, in_place),
            Ready::I64(p) => run::run(p, name, args, operands, out, in_place),
            Ready::I32(p) => run::run(p, name, args, operands, out, in_place),
            Ready::I16(p) => run::run(p, name, args, operands, out, in_place),
            Ready::I8(p) => run::run(p, name, args, operands, out, in_place),
            Ready::U8(p) => run::run(p, name, args, operands, out, in_place),
        }
    }

    /// Runs it into a tensor that `make` gives for the broadcast sizes and the strides of the result.
    fn result(
        &self,
        name: &str,
        args: &[IValue],
        strides: StridesOf,
        make: impl FnOnce(&[i64], &[i64]) -> Result<Tensor, Error>,
    ) -> Result<Tensor, Error> {
        let operands: SmallVec<[&Tensor; 4]> = args.iter().filter_map(|a| a.as_tensor().ok()).collect();
        let mut sizes = sconce_tensor::Sizes::new();
        for t in &operands {
            sizes = sconce_tensor::broadcast_sizes(&sizes, t.sizes())?;
        }
        let out = make(&sizes, &strides(&sizes, &operands))?;
        self.run(name, args, &operands, &out, false)?;
        Ok(out)
    }
}

/// One binary operation over two tensors, in their promoted type.
pub fn binary(op: Binary, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    let args = [IValue::Tensor(a.clone()), IValue::Tensor(b.clone())];
    let dtype = crate::engine::promote::result_type(args.iter())?;
    let ready = plan::pair(op, &args, dtype, || {
        let nodes = vec![Node::Arg(0), Node::Arg(1), Node::Binary(op, 0, 1)];
        let expr = ScalarExpr { nodes: nodes.into(), compute: scalar::Compute::Common, promotes: vec![0, 1].into() };
        Ready::new(&Context { name: op.name(), expr: &expr, args: &args, compute: dtype, result: dtype })
    })?;
    ready.result(op.name(), &args, elementwise::result_strides, |sizes, strides| {
        elementwise::uninit_strided(sizes, strides, dtype)
    })
}

/// (self, exponent): powers of a number, row-major however the exponents lie.
pub fn powers_of_number(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = crate::engine::arguments::result_dtype(call.metas, 0)?;
    let nodes = vec![Node::Arg(0), Node::Arg(1), Node::Binary(Binary::Pow, 0, 1)];
    let out = apply_into("aten::pow", nodes, args, dtype, |sizes| call.contiguous_output(0, sizes, dtype))?;
    Ok(smallvec![IValue::Tensor(out)])
}

/// Powers in f64 or c128, whatever the operands are.
pub fn float_power(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = crate::engine::arguments::result_dtype(call.metas, 0)?;
    let nodes = vec![Node::Arg(0), Node::Arg(1), Node::Binary(Binary::Pow, 0, 1)];
    let expr = ScalarExpr { nodes: nodes.into(), compute: scalar::Compute::Common, promotes: vec![0, 1].into() };
    Ok(smallvec![IValue::Tensor(apply_as(call.entry.name, &expr, &args[..2], dtype, dtype)?)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expr(nodes: Vec<Node>, promotes: Vec<u16>) -> ScalarExpr {
        ScalarExpr { nodes: nodes.into(), compute: scalar::Compute::Common, promotes: promotes.into() }
    }

    #[test]
    fn shared_nodes_are_computed_once_and_kept() {
        // s = x + 1; s * s - x / s
        let e = expr(
            vec![
                Node::Arg(0),
                Node::Const(1.0),
                Node::Binary(Binary::Add, 0, 1),
                Node::Binary(Binary::Mul, 2, 2),
                Node::Binary(Binary::Div, 0, 2),
                Node::Binary(Binary::Sub, 3, 4),
            ],
            vec![0],
        );
        let x: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        let t = Tensor::from_vec(x.clone(), &[10, 100]);
        let r = apply_as("t", &e, &[IValue::Tensor(t)], DType::F32, DType::F32).unwrap();
        let want: Vec<f32> = x.iter().map(|x| (x + 1.0) * (x + 1.0) - x / (x + 1.0)).collect();
        assert_eq!(r.to_vec::<f32>(), want);
    }

    #[test]
    fn selects_and_broadcasts() {
        let e =
            expr(vec![Node::Arg(0), Node::Arg(1), Node::Binary(Binary::Lt, 0, 1), Node::Select(2, 0, 1)], vec![0, 1]);
        let a = Tensor::from_vec(vec![1i32, 5, 3], &[3]);
        let b = Tensor::from_vec(vec![2i64, 4], &[2, 1]);
        let r = apply_as("t", &e, &[IValue::Tensor(a), IValue::Tensor(b)], DType::I64, DType::I64).unwrap();
        assert_eq!(r.sizes(), [2, 3]);
        assert_eq!(r.to_vec::<i64>(), [1, 2, 2, 1, 4, 3]);
    }

    #[test]
    fn short_rows_that_repeat_are_run_together() {
        let (n, rows) = (7, 300);
        let x: Vec<f32> = (0..2 * rows * n).map(|i| i as f32).collect();
        let t = Tensor::from_vec(x.clone(), &[2, rows as i64, n as i64]);
        // Every other element of a longer vector.
        let row = Tensor::from_vec((0..2 * n).map(|i| i as f64).collect(), &[2 * n as i64]);
        let row = row.as_strided(&[n as i64], &[2], 0).unwrap();
        let r = binary(Binary::Sub, &t, &row).unwrap();
        let want: Vec<f32> = x.iter().enumerate().map(|(i, x)| x - (2 * (i % n)) as f32).collect();
        assert_eq!(r.to_vec::<f64>(), want.iter().map(|x| f64::from(*x)).collect::<Vec<_>>());
        // Rows with gaps between them do not run on.
        let gaps = t.as_strided(&[100, 5], &[7, 1], 3).unwrap();
        let r = binary(Binary::Sub, &gaps, &row.as_strided(&[5], &[1], 0).unwrap()).unwrap();
        let want = (0..500).map(|i| f64::from(x[3 + i / 5 * 7 + i % 5]) - (i % 5) as f64);
        assert_eq!(r.to_vec::<f64>(), want.collect::<Vec<_>>());
    }

    #[test]
    fn integer_division_by_zero_is_an_error() {
        let (a, b) = (Tensor::from_vec(vec![1i32, 2], &[2]), Tensor::from_vec(vec![1i32, 0], &[2]));
        let e = binary(Binary::FloorDiv, &a, &b).unwrap_err();
        assert_eq!(e.to_string(), "ZeroDivisionError");
    }

    #[test]
    fn an_operation_the_type_lacks_is_refused() {
        let a = Tensor::from_vec(vec![1f32], &[1]);
        assert!(binary(Binary::BitAnd, &a, &a).is_err());
    }
}
