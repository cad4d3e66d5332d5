//! Scalar expressions run over tensors: compiled once per call into steps over blocks of elements, in the one type the expression is computed in.

use crate::cast::{self, Value, with_element};
use crate::compute::Compute;
use crate::elementwise::{self, Walk};
use crate::{Call, Error, Outputs};
use num_complex::Complex;
use sconce_schema::scalar::{self, Binary, Node, ScalarExpr, Unary};
use sconce_schema::shape::Meta;
use sconce_tensor::{DType, IValue, Tensor};
use smallvec::{SmallVec, smallvec};

/// Elements per step: large enough that a step's call costs nothing, small enough that all registers stay in the first cache.
const BLOCK: usize = 256;

/// The kernel of every operator whose record has a scalar expression.
pub fn evaluate(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let missing = || Error::Missing { op: call.entry.name.to_string(), needs: None };
    let expr = call.entry.scalar.ok_or_else(missing)?;
    let Some(Meta::Tensor(meta)) = call.metas.first() else { return Err(missing()) };
    // A rule that knows no dtype was given a mode that no case of the expression names.
    let unknown = || {
        let schema = call.entry.schema();
        let mode = schema.arguments.iter().zip(args.iter()).find_map(|(a, v)| Some((a.name.clone(), v.as_str().ok()?)));
        match mode {
            Some((name, mode)) => Error::runtime(format!("{}: `{name}` cannot be '{mode}'", call.entry.name)),
            None => missing(),
        }
    };
    let dtype = meta.dtype.ok_or_else(unknown)?;
    Ok(smallvec![IValue::Tensor(apply(call.entry.name, expr, args, dtype)?)])
}

/// Computes an expression over broadcast arguments into a fresh tensor of `dtype`.
pub fn apply(name: &str, expr: &ScalarExpr, args: &[IValue], dtype: DType) -> Result<Tensor, Error> {
    let operands = || expr.promotes.iter().filter_map(|&i| args.get(usize::from(i)));
    let common = crate::promote::result_type(operands()).or_else(|e| {
        let metas: Vec<Meta> = operands().map(crate::derived::meta_of).collect();
        sconce_schema::shape::comparison_dtype(expr, metas.iter()).ok_or(e)
    })?;
    let choice = |i: scalar::ArgIndex| match args.get(usize::from(i)) {
        None => scalar::Choice::None,
        Some(v) if v.is_none() => scalar::Choice::None,
        Some(v) => v.as_str().map_or(scalar::Choice::Value, scalar::Choice::Text),
    };
    // A mode that no case names fails below, where it is wanted.
    let compute = expr.specialize(choice).map_or(common, |e| e.compute_dtype(common));
    apply_as(name, expr, args, compute, dtype)
}

/// The same with the compute type given by the caller.
pub fn apply_as(name: &str, expr: &ScalarExpr, args: &[IValue], compute: DType, dtype: DType) -> Result<Tensor, Error> {
    let operands: SmallVec<[&Tensor; 4]> = args.iter().filter_map(|a| a.as_tensor().ok()).collect();
    let mut sizes: sconce_tensor::Sizes = SmallVec::new();
    for t in &operands {
        sizes = sconce_tensor::broadcast_sizes(&sizes, t.sizes())?;
    }
    let out = elementwise::empty_strided(&sizes, &elementwise::result_strides(&sizes, &operands), dtype)?;
    match compute {
        DType::F16 | DType::BF16 | DType::F32 => run::<f32>(name, expr, args, compute, &out)?,
        DType::F64 => run::<f64>(name, expr, args, compute, &out)?,
        DType::C32 | DType::C64 => run::<Complex<f32>>(name, expr, args, compute, &out)?,
        DType::C128 => run::<Complex<f64>>(name, expr, args, compute, &out)?,
        d if d.is_int() || d == DType::Bool => run::<i64>(name, expr, args, compute, &out)?,
        d => return Err(crate::not_implemented(name, d)),
    }
    Ok(out)
}

type Register = u16;

enum Step<T> {
    /// Operand number, destination.
    Load(usize, Register),
    Copy(Register, Register),
    Unary(fn(&mut [T]), Register),
    Binary(fn(&mut [T], &[T]), Register, Register),
    /// An integer division: the divisor is looked at first.
    Divide(fn(&mut [T], &[T]), Register, Register),
    /// Condition (becomes the result), value if true, value if false.
    Select(Register, Register, Register),
}

/// An expression made concrete for one call.
struct Program<T> {
    steps: Vec<Step<T>>,
    registers: Vec<Vec<T>>,
    result: Register,
}

fn number_of<T: Compute>(v: &IValue) -> Option<T> {
    Some(match v {
        IValue::Bool(b) => T::of_bool(*b),
        IValue::Int(i) => i.to::<T>(),
        IValue::Double(d) => d.to::<T>(),
        IValue::Complex(c) => c.to::<T>(),
        _ => return None,
    })
}

struct Compiler<'a, T> {
    name: &'a str,
    expr: &'a ScalarExpr,
    args: &'a [IValue],
    compute: DType,
    block: usize,
    /// Uses of a node that are still to come.
    uses: Vec<u32>,
    /// Where a node's value is, once it is computed; constants' registers are never written.
    place: Vec<Option<(Register, bool)>>,
    free: Vec<Register>,
    program: Program<T>,
}

impl<T: Compute> Compiler<'_, T> {
    /// The node that stands for `node` in this call: choices by None and by string are made.
    fn resolve(&self, mut node: usize) -> usize {
        loop {
            match self.expr.nodes[node] {
                Node::IfNone(arg, a, b) => {
                    let none = self.args.get(usize::from(arg)).is_none_or(IValue::is_none);
                    node = usize::from(if none { a } else { b });
                }
                Node::Match(arg, cases) => {
                    let text = self.args.get(usize::from(arg)).and_then(|v| v.as_str().ok());
                    match cases.iter().find(|(key, _)| *key == text) {
                        Some((_, n)) => node = usize::from(*n),
                        None => return node,
                    }
                }
                _ => return node,
            }
        }
    }

    fn count(&mut self, node: usize) {
        let node = self.resolve(node);
        self.uses[node] += 1;
        if self.uses[node] > 1 {
            return;
        }
        match self.expr.nodes[node] {
            Node::Unary(_, a) => self.count(usize::from(a)),
            Node::Binary(_, a, b) => {
                self.count(usize::from(a));
                self.count(usize::from(b));
            }
            Node::Select(a, b, c) => {
                self.count(usize::from(a));
                self.count(usize::from(b));
                self.count(usize::from(c));
            }
            _ => {}
        }
    }

    fn register(&mut self) -> Register {
        self.free.pop().unwrap_or_else(|| {
            self.program.registers.push(vec![T::ZERO; self.block]);
            (self.program.registers.len() - 1) as Register
        })
    }

    /// A register with the node's value that may be overwritten.
    fn take(&mut self, node: usize) -> Result<Register, Error> {
        let (register, writable) = self.emit(node)?;
        let node = self.resolve(node);
        self.uses[node] -= 1;
        if self.uses[node] == 0 && writable {
            return Ok(register);
        }
        let fresh = self.register();
        self.program.steps.push(Step::Copy(fresh, register));
        Ok(fresh)
    }

    /// A register with the node's value, to be read; `release` it after.
    fn read(&mut self, node: usize) -> Result<(Register, usize), Error> {
        let (register, _) = self.emit(node)?;
        let node = self.resolve(node);
        self.uses[node] -= 1;
        Ok((register, node))
    }

    fn release(&mut self, (register, node): (Register, usize)) {
        if self.uses[node] == 0 && self.place[node].is_some_and(|(_, writable)| writable) {
            self.free.push(register);
        }
    }

    fn not_implemented(&self) -> Error {
        let name = self.name.split("::").last().unwrap_or(self.name);
        crate::not_implemented(&format!("{}_cpu", name.split('.').next().unwrap_or(name)), self.compute)
    }

    fn constant(&mut self, value: T) -> (Register, bool) {
        self.program.registers.push(vec![value; self.block]);
        ((self.program.registers.len() - 1) as Register, false)
    }

    fn emit(&mut self, node: usize) -> Result<(Register, bool), Error> {
        let node = self.resolve(node);
        if let Some(place) = self.place[node] {
            return Ok(place);
        }
        let place = match self.expr.nodes[node] {
            Node::Arg(arg) => {
                let arg = usize::from(arg);
                let value = self.args.get(arg).ok_or_else(|| self.not_implemented())?;
                if let IValue::Tensor(_) = value {
                    let register = self.register();
                    let operand = self.args[..arg].iter().filter(|a| matches!(a, IValue::Tensor(_))).count();
                    self.program.steps.push(Step::Load(operand, register));
                    (register, true)
                } else {
                    let value = number_of::<T>(value).ok_or_else(|| {
                        Error::runtime(format!("{}: argument {arg} is not a number but {}", self.name, value.kind()))
                    })?;
                    self.constant(value)
                }
            }
            Node::Const(c) => self.constant(c.to::<T>()),
            Node::Bool(b) => self.constant(T::of_bool(b)),
            Node::Unary(op, a) => {
                // The complement of a truth value is its negation.
                let op = if op == Unary::BitNot && self.compute == DType::Bool { Unary::Not } else { op };
                let f = T::unary(op).ok_or_else(|| self.not_implemented())?;
                let register = self.take(usize::from(a))?;
                self.program.steps.push(Step::Unary(f, register));
                (register, true)
            }
            Node::Binary(op, a, b) => {
                let f = T::binary(op).ok_or_else(|| self.not_implemented())?;
                let right = self.read(usize::from(b))?;
                // Counted as used only now, lest the left operand takes the register of the right one.
                self.uses[right.1] += 1;
                let left = self.take(usize::from(a))?;
                self.uses[right.1] -= 1;
                let integer = T::DTYPE == DType::I64;
                let divides =
                    matches!(op, Binary::Div | Binary::FloorDiv | Binary::TruncDiv | Binary::Fmod | Binary::Remainder);
                self.program.steps.push(if integer && divides {
                    Step::Divide(f, left, right.0)
                } else {
                    Step::Binary(f, left, right.0)
                });
                self.release(right);
                (left, true)
            }
            Node::Select(c, a, b) => {
                let yes = self.read(usize::from(a))?;
                self.uses[yes.1] += 1;
                let no = self.read(usize::from(b))?;
                self.uses[no.1] += 1;
                let condition = self.take(usize::from(c))?;
                self.uses[yes.1] -= 1;
                self.uses[no.1] -= 1;
                self.program.steps.push(Step::Select(condition, yes.0, no.0));
                self.release(yes);
                if no.1 != yes.1 {
                    self.release(no);
                }
                (condition, true)
            }
            Node::IfNone(..) => return Err(self.not_implemented()),
            Node::Match(arg, _) => {
                let text = self.args.get(usize::from(arg)).and_then(|v| v.as_str().ok()).unwrap_or_default();
                return Err(Error::runtime(format!("{}: unknown mode '{text}'", self.name)));
            }
        };
        self.place[node] = Some(place);
        Ok(place)
    }
}

fn compile<T: Compute>(
    name: &str,
    expr: &ScalarExpr,
    args: &[IValue],
    compute: DType,
    block: usize,
) -> Result<Program<T>, Error> {
    let nodes = expr.nodes.len();
    let root = nodes.checked_sub(1).ok_or_else(|| Error::Missing { op: name.to_string(), needs: None })?;
    let mut compiler = Compiler {
        name,
        expr,
        args,
        compute,
        block,
        uses: vec![0; nodes],
        place: vec![None; nodes],
        free: Vec::new(),
        program: Program { steps: Vec::new(), registers: Vec::new(), result: 0 },
    };
    compiler.count(root);
    let (result, _) = compiler.emit(root)?;
    compiler.program.result = result;
    Ok(compiler.program)
}

/// Reads `n` elements at a stride, converted.
type Loader<T> = unsafe fn(*const u8, isize, &mut [T]);
/// Writes them.
type Storer<T> = unsafe fn(*mut u8, isize, &[T]);

/// # Safety
/// The elements `from + i * stride` for `i` below the length of `to` are inside a tensor of element type `S`.
unsafe fn load<S: Value, T: Value>(from: *const u8, stride: isize, to: &mut [T]) {
    let from = from.cast::<S>();
    if stride == 1 {
        // SAFETY: the caller's promise, for stride 1.
        let from = unsafe { std::slice::from_raw_parts(from, to.len()) };
        for (t, f) in to.iter_mut().zip(from) {
            *t = f.to::<T>();
        }
        return;
    }
    for (i, t) in to.iter_mut().enumerate() {
        // SAFETY: the caller's promise.
        *t = unsafe { *from.offset(i as isize * stride) }.to::<T>();
    }
}

/// # Safety
/// As for [`load`], for writing.
unsafe fn store<S: Value, T: Value>(to: *mut u8, stride: isize, from: &[T]) {
    let to = to.cast::<S>();
    for (i, f) in from.iter().enumerate() {
        // SAFETY: the caller's promise.
        unsafe { *to.offset(i as isize * stride) = f.to::<S>() };
    }
}

fn run<T: Compute>(name: &str, expr: &ScalarExpr, args: &[IValue], compute: DType, out: &Tensor) -> Result<(), Error> {
    let block = out.numel().min(BLOCK);
    let mut program = compile::<T>(name, expr, args, compute, block)?;
    if block == 0 {
        return Ok(());
    }
    let mut operands: SmallVec<[&Tensor; 4]> = smallvec![out];
    operands.extend(args.iter().filter_map(|a| a.as_tensor().ok()));
    let mut loaders: SmallVec<[Loader<T>; 4]> = SmallVec::new();
    for t in &operands[1..] {
        loaders.push(with_element!(t.dtype(), name, S => load::<S, T>));
    }
    let storer: Storer<T> = with_element!(out.dtype(), name, S => store::<S, T>);
    let walk = Walk::new(out.sizes(), &operands);
    let bytes: SmallVec<[isize; 4]> = operands.iter().map(|t| t.dtype().size() as isize).collect();
    let strides: SmallVec<[isize; 4]> = (0..operands.len()).map(|k| walk.inner_stride(k)).collect();
    let Program { steps, registers, result } = &mut program;
    walk.for_each_run(|offsets, length| {
        let at = |k: usize, start: usize| {
            operands[k].bytes_ptr().wrapping_offset((offsets[k] + start as isize * strides[k]) * bytes[k])
        };
        for start in (0..length).step_by(block) {
            let n = block.min(length - start);
            for step in steps.iter() {
                match *step {
                    Step::Load(operand, r) => {
                        let k = operand + 1;
                        let to = &mut registers[usize::from(r)][..n];
                        // SAFETY: the walk stays inside each operand, whose element type the loader was made for.
                        unsafe { loaders[operand](at(k, start), strides[k], to) };
                    }
                    Step::Copy(to, from) => {
                        let mut target = std::mem::take(&mut registers[usize::from(to)]);
                        target[..n].copy_from_slice(&registers[usize::from(from)][..n]);
                        registers[usize::from(to)] = target;
                    }
                    Step::Unary(f, r) => f(&mut registers[usize::from(r)][..n]),
                    Step::Binary(f, a, b) | Step::Divide(f, a, b) => {
                        let mut left = std::mem::take(&mut registers[usize::from(a)]);
                        let right = &registers[usize::from(b)][..n];
                        if matches!(step, Step::Divide(..)) && right.iter().any(|x| !x.truth()) {
                            return Err(Error::runtime("ZeroDivisionError"));
                        }
                        f(&mut left[..n], right);
                        registers[usize::from(a)] = left;
                    }
                    Step::Select(c, a, b) => {
                        let mut condition = std::mem::take(&mut registers[usize::from(c)]);
                        let (yes, no) = (&registers[usize::from(a)][..n], &registers[usize::from(b)][..n]);
                        for ((c, y), z) in condition[..n].iter_mut().zip(yes).zip(no) {
                            *c = if c.truth() { *y } else { *z };
                        }
                        registers[usize::from(c)] = condition;
                    }
                }
            }
            // SAFETY: the walk stays inside the result, whose element type the storer was made for; nobody else holds it yet.
            unsafe { storer(at(0, start), strides[0], &registers[usize::from(*result)][..n]) };
        }
        Ok(())
    })
}

/// One binary operation over two tensors, in their promoted type.
pub fn binary(op: Binary, a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    let nodes = vec![Node::Arg(0), Node::Arg(1), Node::Binary(op, 0, 1)];
    let expr = ScalarExpr { nodes: nodes.into(), compute: scalar::Compute::Common, promotes: vec![0, 1].into() };
    let args = [IValue::Tensor(a.clone()), IValue::Tensor(b.clone())];
    let dtype = crate::promote::result_type(args.iter())?;
    apply_as(op.name(), &expr, &args, dtype, dtype)
}

/// One unary operation, in the tensor's type.
pub fn unary(op: Unary, a: &Tensor) -> Result<Tensor, Error> {
    let nodes = vec![Node::Arg(0), Node::Unary(op, 0)];
    let expr = ScalarExpr { nodes: nodes.into(), compute: scalar::Compute::Common, promotes: vec![0].into() };
    apply_as(op.name(), &expr, &[IValue::Tensor(a.clone())], a.dtype(), a.dtype())
}

/// NaN and infinities replaced; by default by 0 and the dtype's extreme values.
pub fn nan_to_num(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let t = crate::lanes::tensor_arg(args, 0)?;
    let (low, high) = match t.dtype().to_real() {
        DType::F16 => (-65504.0, 65504.0),
        DType::BF16 => (f64::from(sconce_tensor::bf16::MIN), f64::from(sconce_tensor::bf16::MAX)),
        DType::F32 => (f64::from(f32::MIN), f64::from(f32::MAX)),
        _ => (f64::MIN, f64::MAX),
    };
    let or = |i: usize, default: f64| -> Result<f64, Error> {
        Ok(crate::lanes::arg(args, i)?.optional().map(IValue::as_double).transpose()?.unwrap_or(default))
    };
    let (nan, high, low) = (or(1, 0.0)?, or(2, high)?, or(3, low)?);
    let fix = |x: f64| match x {
        x if x.is_nan() => nan,
        f64::INFINITY => high,
        f64::NEG_INFINITY => low,
        x => x,
    };
    let out = elementwise::empty_like(t, t.dtype())?;
    if t.dtype().is_complex() {
        let data: Vec<_> =
            cast::to_vec::<Complex<f64>>(t)?.iter().map(|z| Complex::new(fix(z.re), fix(z.im))).collect();
        cast::convert_into(&out, &Tensor::from_vec(data, t.sizes()))?;
    } else if t.dtype().is_float() {
        let data: Vec<f64> = cast::to_vec::<f64>(t)?.into_iter().map(fix).collect();
        cast::convert_into(&out, &Tensor::from_vec(data, t.sizes()))?;
    } else {
        out.copy_bytes_from(t)?;
    }
    Ok(smallvec![IValue::Tensor(out)])
}

/// Powers in f64 or c128, whatever the operands are.
pub fn float_power(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let dtype = crate::lanes::result_dtype(call.metas, 0)?;
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
        let r = apply("t", &e, &[IValue::Tensor(t)], DType::F32).unwrap();
        let want: Vec<f32> = x.iter().map(|x| (x + 1.0) * (x + 1.0) - x / (x + 1.0)).collect();
        assert_eq!(r.to_vec::<f32>(), want);
    }

    #[test]
    fn selects_and_broadcasts() {
        let e =
            expr(vec![Node::Arg(0), Node::Arg(1), Node::Binary(Binary::Lt, 0, 1), Node::Select(2, 0, 1)], vec![0, 1]);
        let a = Tensor::from_vec(vec![1i32, 5, 3], &[3]);
        let b = Tensor::from_vec(vec![2i64, 4], &[2, 1]);
        let r = apply("t", &e, &[IValue::Tensor(a), IValue::Tensor(b)], DType::I64).unwrap();
        assert_eq!(r.sizes(), [2, 3]);
        assert_eq!(r.to_vec::<i64>(), [1, 2, 2, 1, 4, 3]);
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
