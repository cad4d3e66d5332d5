//! Linear algebra made of other operators: ranks, pseudo-inverses, solutions from factors, and products of reflections.

use crate::engine::cast;
use crate::engine::compose::{one as call_one, tensor as op, tensors as ops};
use crate::engine::lanes::{arg, bool_arg, count, float_arg, int_arg, ints_arg, result, tensor_arg, with_float_acc};
use crate::linalg::decompositions::{Field, column_major, identity, matrices};
use crate::linalg::matmul::{reshape, transposed};
use crate::{Call, Error, Outputs};
use sconce_tensor::{DType, IValue, Sizes, Tensor};
use smallvec::smallvec;

fn one(t: Tensor) -> Result<Outputs, Error> {
    Ok(smallvec![IValue::Tensor(t)])
}

fn v(t: &Tensor) -> IValue {
    IValue::Tensor(t.clone())
}

/// The conjugate transpose.
fn adjoint(t: &Tensor) -> Result<Tensor, Error> {
    let t = transposed(t)?;
    if t.dtype().is_complex() { op("aten::conj_physical", &[v(&t)]) } else { Ok(t) }
}

fn matmul(a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    op("aten::matmul", &[v(a), v(b)])
}

fn mul(a: &Tensor, b: &Tensor) -> Result<Tensor, Error> {
    op("aten::mul.Tensor", &[v(a), v(b)])
}

fn at_end(t: &Tensor) -> Result<Tensor, Error> {
    op("aten::unsqueeze", &[v(t), IValue::Int(-1)])
}

/// `[rows, columns]` of a matrix.
fn extent(t: &Tensor) -> Result<(i64, i64), Error> {
    match t.sizes() {
        [.., m, n] => Ok((*m, *n)),
        _ => Err(Error::runtime("linalg: The input tensor A must have at least 2 dimensions.")),
    }
}

fn real_epsilon(dtype: DType) -> f64 {
    if dtype.to_real() == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) }
}

/// What counts as zero: `max(absolute, relative * largest)`, the one not said being derived from the other.
struct Tolerances {
    absolute: Tensor,
    relative: Tensor,
}

impl Tolerances {
    /// From numbers or tensors, or None.
    fn new(a: &Tensor, absolute: &IValue, relative: &IValue) -> Result<Tolerances, Error> {
        let (m, n) = extent(a)?;
        let derived = real_epsilon(a.dtype()) * m.max(n) as f64;
        let number = |x: f64| cast::from_vec(vec![x], &[], DType::F64);
        let read = |x: &IValue| -> Result<Option<Tensor>, Error> {
            match x {
                IValue::None => Ok(None),
                IValue::Tensor(t) => Ok(Some(cast::convert(t, DType::F64)?)),
                x => Ok(Some(number(x.as_double()?)?)),
            }
        };
        let absolute_given = read(absolute)?;
        let relative = match (read(relative)?, &absolute_given) {
            (Some(r), _) => r,
            (None, None) => number(derived)?,
            // An absolute tolerance above zero stands alone.
            (None, Some(a)) => {
                let positive = op("aten::gt.Scalar", &[v(a), IValue::Double(0.0)])?;
                op("aten::where.self", &[v(&positive), number(0.0)?.into(), number(derived)?.into()])?
            }
        };
        Ok(Tolerances { absolute: absolute_given.map_or_else(|| number(0.0), Ok)?, relative })
    }

    /// The bound for each matrix, given its largest value.
    fn bound(&self, largest: &Tensor) -> Result<Tensor, Error> {
        let scaled = mul(&self.relative, &cast::convert(largest, DType::F64)?)?;
        op("aten::maximum", &[v(&self.absolute), v(&scaled)])
    }
}

fn largest_of(values: &Tensor) -> Result<Tensor, Error> {
    op("aten::amax", &[v(values), IValue::int_list(&[-1])])
}

fn rank(a: &Tensor, absolute: &IValue, relative: &IValue, hermitian: bool) -> Result<Outputs, Error> {
    if a.numel() == 0 {
        return one(Tensor::zeros(&a.sizes()[..a.dim() - 2], DType::I64)?);
    }
    let values = if hermitian {
        op("aten::abs", &[op("aten::linalg_eigvalsh", &[v(a), "L".into()])?.into()])?
    } else {
        op("aten::linalg_svdvals", &[v(a)])?
    };
    let bound = Tolerances::new(a, absolute, relative)?.bound(&largest_of(&values)?)?;
    let above = op("aten::gt.Tensor", &[v(&values), at_end(&bound)?.into()])?;
    one(op("aten::sum.dim_IntList", &[v(&above), IValue::int_list(&[-1])])?)
}

/// `linalg_matrix_rank(A, atol, rtol, hermitian)`.
pub fn matrix_rank(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    rank(tensor_arg(args, 0)?, arg(args, 1)?, arg(args, 2)?, bool_arg(args, 3)?)
}

/// `linalg_matrix_rank(A, tol, hermitian)`: an absolute tolerance.
pub fn matrix_rank_tol(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    rank(tensor_arg(args, 0)?, arg(args, 1)?, &IValue::Double(0.0), bool_arg(args, 2)?)
}

fn pseudo_inverse(a: &Tensor, absolute: &IValue, relative: &IValue, hermitian: bool) -> Result<Outputs, Error> {
    let (m, n) = extent(a)?;
    if a.numel() == 0 {
        let mut sizes: Sizes = a.sizes()[..a.dim() - 2].into();
        sizes.extend([n, m]);
        return one(Tensor::zeros(&sizes, a.dtype())?);
    }
    let tolerances = Tolerances::new(a, absolute, relative)?;
    let inverted = |values: &Tensor| -> Result<Tensor, Error> {
        let sizes = op("aten::abs", &[v(values)])?;
        let bound = tolerances.bound(&largest_of(&sizes)?)?;
        let counts = op("aten::gt.Tensor", &[v(&sizes), at_end(&bound)?.into()])?;
        let zero = Tensor::zeros(&[], values.dtype())?;
        op("aten::where.self", &[v(&counts), op("aten::reciprocal", &[v(values)])?.into(), zero.into()])
    };
    let across = |t: &Tensor| op("aten::unsqueeze", &[v(t), IValue::Int(-2)]);
    if hermitian {
        let [values, vectors] = ops::<2>("aten::linalg_eigh", &[v(a), "L".into()])?;
        return one(matmul(&mul(&vectors, &across(&inverted(&values)?)?)?, &adjoint(&vectors)?)?);
    }
    let [left, values, right] = ops::<3>("aten::linalg_svd", &[v(a), false.into()])?;
    let scaled = mul(&adjoint(&right)?, &across(&inverted(&values)?)?)?;
    one(matmul(&scaled, &adjoint(&left)?)?)
}

/// `linalg_pinv(A, atol, rtol, hermitian)`.
pub fn pinv(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    pseudo_inverse(tensor_arg(args, 0)?, arg(args, 1)?, arg(args, 2)?, bool_arg(args, 3)?)
}

/// `linalg_pinv(A, rcond, hermitian)` and `pinverse(A, rcond)`: a relative tolerance.
pub fn pinv_rcond(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let hermitian = args.len() > 2 && bool_arg(args, 2)?;
    pseudo_inverse(tensor_arg(args, 0)?, &IValue::Double(0.0), arg(args, 1)?, hermitian)
}

pub fn cond(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let a = tensor_arg(args, 0)?;
    let order = arg(args, 1)?;
    let p = if order.is_none() { 2.0 } else { float_arg(args, 1)? };
    if a.numel() == 0 {
        return one(Tensor::zeros(&sizes, dtype)?);
    }
    if p.abs() == 2.0 {
        let values = op("aten::linalg_svdvals", &[v(a)])?;
        let end = |i: i64| op("aten::select.int", &[v(&values), IValue::Int(-1), IValue::Int(i)]);
        let (first, last) = (end(0)?, end(-1)?);
        let (above, below) = if p > 0.0 { (first, last) } else { (last, first) };
        return one(op("aten::div.Tensor", &[above.into(), below.into()])?);
    }
    let [inverse, info] = ops::<2>("aten::linalg_inv_ex", &[v(a), false.into()])?;
    let norm = |t: &Tensor| op("aten::linalg_matrix_norm", &[v(t), IValue::Double(p)]);
    let product = mul(&norm(a)?, &norm(&inverse)?)?;
    // A singular matrix has no inverse; its condition is infinite.
    let singular = op("aten::ne.Scalar", &[v(&info), IValue::Int(0)])?;
    one(op("aten::masked_fill.Scalar", &[v(&product), v(&singular), IValue::Double(f64::INFINITY)])?)
}

pub fn tensorinv(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let a = tensor_arg(args, 0)?;
    let rows = count(&a.sizes()[..int_arg(args, 1)?.clamp(0, a.dim() as i64) as usize]) as i64;
    let square = reshape(a, &[rows, rows])?;
    let [inverse, info] = ops::<2>("aten::linalg_inv_ex", &[v(&square), false.into()])?;
    if info.item::<i32>() != Some(0) {
        return Err(Error::runtime("Failed to invert the input tensor, because it is singular."));
    }
    one(op("aten::reshape", &[inverse.into(), IValue::int_list(&sizes)])?)
}

pub fn tensorsolve(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let dims = ints_arg(args, 2)?;
    let a = if dims.is_empty() {
        a.clone()
    } else {
        let to: Vec<i64> = (0..dims.len() as i64).map(|i| a.dim() as i64 - dims.len() as i64 + i).collect();
        op("aten::movedim.intlist", &[v(a), IValue::int_list(&dims), IValue::int_list(&to)])?
    };
    let n = count(&sizes) as i64;
    let solution = op(
        "aten::linalg_solve",
        &[reshape(&a, &[b.numel() as i64, n])?.into(), reshape(b, &[b.numel() as i64])?.into()],
    )?;
    one(reshape(&solution, &sizes)?)
}

pub fn cholesky_inverse(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let l = tensor_arg(args, 0)?;
    let upper = bool_arg(args, 1)?;
    let unit = identity(l.sizes(), l.dtype())?;
    one(column_major(&cholesky_substitute(&unit, l, upper)?)?)
}

/// Solves with a Cholesky factor: two triangular systems.
fn cholesky_substitute(b: &Tensor, l: &Tensor, upper: bool) -> Result<Tensor, Error> {
    let (lower, over) = if upper { (adjoint(l)?, l.clone()) } else { (l.clone(), adjoint(l)?) };
    let half = op("aten::linalg_solve_triangular", &[v(&lower), v(b), false.into()])?;
    op("aten::linalg_solve_triangular", &[v(&over), v(&half), true.into()])
}

pub fn cholesky_solve(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, _) = result(call.metas, 0)?;
    let (b, l) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let x = cholesky_substitute(b, l, bool_arg(args, 2)?)?;
    one(column_major(&x.expand(&sizes)?)?)
}

/// Factors and pivots of `A`, or of its transpose where that is how the memory lies.
fn factored(a: &Tensor) -> Result<[Tensor; 2], Error> {
    let by_rows = a.is_contiguous() && !a.dtype().is_complex();
    let source = if by_rows { transposed(a)? } else { a.clone() };
    let [lu, pivots, _] = ops::<3>("aten::linalg_lu_factor_ex", &[v(&source)])?;
    Ok([lu, pivots])
}

/// How the diagonal's product turns with the row exchanges: 1 or -1 for each matrix.
fn exchanges(pivots: &Tensor) -> Result<Vec<f64>, Error> {
    let n = pivots.sizes().last().copied().unwrap_or(0) as usize;
    let all = cast::to_vec::<i64>(pivots)?;
    let odd = |row: &[i64]| row.iter().enumerate().filter(|(i, p)| *i as i64 + 1 != **p).count() % 2 == 1;
    let matrices = count(&pivots.sizes()[..pivots.dim() - 1]);
    Ok((0..matrices).map(|b| if odd(&all[b * n..(b + 1) * n]) { -1.0 } else { 1.0 }).collect())
}

pub fn det_parts(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let [lu, pivots] = factored(tensor_arg(args, 0)?)?;
    let signs = exchanges(&pivots)?;
    with_float_acc!(dtype, T => {
        let (list, n, _) = matrices::<T>(&lu)?;
        let product = |(m, sign): (Vec<T>, f64)| (0..n).fold(T::of(sign), |p, i| p * m[i * n + i]);
        let values: Vec<T> = list.into_iter().zip(signs).map(product).collect();
        let det = cast::from_vec(values, &sizes, dtype)?;
        Ok(smallvec![det.into(), lu.clone().into(), pivots.clone().into()])
    })
}

pub fn slogdet_parts(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let a = tensor_arg(args, 0)?;
    let [lu, pivots] = factored(a)?;
    let mut out = crate::engine::compose::all("aten::linalg_slogdet", &[v(a)])?;
    out.extend([lu.into(), pivots.into()]);
    Ok(out)
}

pub fn solve_parts(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let a = tensor_arg(args, 0)?;
    let [lu, pivots, info] = ops::<3>("aten::linalg_lu_factor_ex", &[v(a)])?;
    if bool_arg(args, 3)? {
        check_infos(&info, "linalg.solve", a.dim() == 2)?;
    }
    let x = op("aten::linalg_solve_ex", &[v(a), arg(args, 1)?.clone(), arg(args, 2)?.clone()])?;
    Ok(smallvec![x.into(), lu.into(), pivots.into(), info.into()])
}

/// `_linalg_svd`: without vectors those are empty.
pub fn svd_parts(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let a = tensor_arg(args, 0)?;
    if bool_arg(args, 2)? {
        return crate::linalg::decompositions::svd(call, args);
    }
    let none = Tensor::zeros(&[0], a.dtype())?;
    Ok(smallvec![v(&none), op("aten::linalg_svdvals", &[v(a)])?.into(), none.alias().into()])
}

/// `svd(self, some, compute_uv)`: the right vectors as columns.
pub fn svd_columns(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let a = tensor_arg(args, 0)?;
    if !bool_arg(args, 2)? {
        let (left, _) = result(call.metas, 0)?;
        let (right, _) = result(call.metas, 2)?;
        let values = op("aten::linalg_svdvals", &[v(a)])?;
        return Ok(smallvec![
            Tensor::zeros(&left, a.dtype())?.into(),
            values.into(),
            Tensor::zeros(&right, a.dtype())?.into()
        ]);
    }
    let [u, s, vh] = ops::<3>("aten::linalg_svd", &[v(a), (!bool_arg(args, 1)?).into()])?;
    Ok(smallvec![u.into(), s.into(), adjoint(&vh)?.into()])
}

pub fn eigh_parts(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, uplo) = (tensor_arg(args, 0)?, arg(args, 1)?.clone());
    if bool_arg(args, 2)? {
        return crate::engine::compose::all("aten::linalg_eigh", &[v(a), uplo]);
    }
    let values = op("aten::linalg_eigvalsh", &[v(a), uplo])?;
    Ok(smallvec![values.into(), Tensor::zeros(&[0], a.dtype())?.into()])
}

/// `triangular_solve(b, A, upper, transpose, unitriangular)`: the solution and a copy of `A`.
pub fn triangular_solve(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (b, a) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let (upper, transpose, unit) = (bool_arg(args, 2)?, bool_arg(args, 3)?, bool_arg(args, 4)?);
    let (turned, upper) = if transpose { (transposed(a)?, !upper) } else { (a.clone(), upper) };
    let x = op("aten::linalg_solve_triangular", &[v(&turned), v(b), upper.into(), true.into(), unit.into()])?;
    let mut sizes: Sizes = x.sizes()[..x.dim() - 2].into();
    sizes.extend_from_slice(&a.sizes()[a.dim() - 2..]);
    Ok(smallvec![x.into(), column_major(&a.expand(&sizes)?)?.into()])
}

/// Raises for the first matrix that a factorization has marked.
fn check_infos(info: &Tensor, api: &str, is_matrix: bool) -> Result<(), Error> {
    let infos = cast::to_vec::<i64>(info)?;
    let Some((batch, code)) = infos.iter().enumerate().find(|(_, i)| **i != 0) else { return Ok(()) };
    let place = if is_matrix { ": ".to_string() } else { format!(": (Batch element {batch}): ") };
    if *code < 0 {
        let text = format!(
            "{api}{place}Argument {} has illegal value. Most certainly there is a bug in the implementation calling the \
             backend library.",
            code.unsigned_abs()
        );
        return Err(Error::runtime(text));
    }
    let why = if api.contains("inv") {
        format!(
            "The diagonal element {code} is zero, the inversion could not be completed because the input matrix is \
             singular."
        )
    } else if api.contains("solve") {
        "The solver failed because the input matrix is singular.".to_string()
    } else if api.contains("cholesky") {
        format!(
            "The factorization could not be completed because the input is not positive-definite (the leading minor of \
             order {code} is not positive-definite)."
        )
    } else if api.contains("lu") {
        format!("U[{code},{code}] is zero and using it on lu_solve would result in a division by zero.")
    } else {
        format!("The algorithm failed to converge because the input matrix is ill-conditioned (error code: {code}).")
    };
    Err(Error::Raised { class: "_LinAlgError", message: format!("{api}{place}{why}") })
}

pub fn check_errors(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    check_infos(tensor_arg(args, 0)?, arg(args, 1)?.as_str()?, bool_arg(args, 2)?)?;
    Ok(Outputs::new())
}

/// The rows' order that a list of exchanges makes, for each matrix of a batch.
fn permutation(pivots: &[i64], rows: usize) -> Result<Vec<usize>, Error> {
    let mut order: Vec<usize> = (0..rows).collect();
    for (i, p) in pivots.iter().enumerate() {
        if *p < 1 || *p as usize > rows || i >= rows {
            return Err(Error::runtime(
                "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the \
                 result of lu_factor?",
            ));
        }
        order.swap(i, *p as usize - 1);
    }
    Ok(order)
}

/// `P` with `P L U = A`.
fn permutation_matrix(pivots: &Tensor, rows: i64, dtype: DType) -> Result<Tensor, Error> {
    let mut sizes: Sizes = pivots.sizes()[..pivots.dim() - 1].into();
    let (n, m) = (pivots.sizes()[pivots.dim() - 1] as usize, rows as usize);
    let all = cast::to_vec::<i64>(pivots)?;
    let mut data = Vec::new();
    for b in 0..count(&sizes) {
        let mut matrix = vec![0i64; m * m];
        let order = permutation(&all[b * n..(b + 1) * n], m)?;
        order.into_iter().enumerate().for_each(|(i, from)| matrix[from * m + i] = 1);
        data.extend(matrix);
    }
    sizes.extend([rows, rows]);
    cast::from_vec(data, &sizes, dtype)
}

/// `L` with a unit diagonal and `U`, of a rectangle that holds both.
fn triangles(lu: &Tensor) -> Result<(Tensor, Tensor), Error> {
    let (m, n) = extent(lu)?;
    let k = m.min(n);
    let part =
        |dim: i64| op("aten::slice.Tensor", &[v(lu), IValue::Int(dim), IValue::Int(0), IValue::Int(k), IValue::Int(1)]);
    let lower = op("aten::tril", &[part(-1)?.into(), IValue::Int(-1)])?;
    let unit = identity(&[k.max(m), k.max(m)], lu.dtype())?;
    let unit =
        op("aten::slice.Tensor", &[unit.into(), IValue::Int(-1), IValue::Int(0), IValue::Int(k), IValue::Int(1)])?;
    let lower = op("aten::add.Tensor", &[lower.into(), unit.into()])?;
    Ok((lower.contiguous()?, op("aten::triu", &[part(-2)?.into()])?.contiguous()?))
}

pub fn lu_unpack(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (data, pivots) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let (unpack, permute) = (bool_arg(args, 2)?, bool_arg(args, 3)?);
    let empty = |i: usize| -> Result<Tensor, Error> {
        Tensor::zeros(&result(call.metas, i)?.0, data.dtype()).map_err(Error::from)
    };
    let (m, _) = extent(data)?;
    let p = if permute { permutation_matrix(pivots, m, data.dtype())? } else { empty(0)? };
    let (l, u) = if unpack { triangles(data)? } else { (empty(1)?, empty(2)?) };
    Ok(smallvec![p.into(), l.into(), u.into()])
}

pub fn lu(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let a = tensor_arg(args, 0)?;
    let pivot = bool_arg(args, 1)?;
    let [lu, pivots, _] = ops::<3>("aten::linalg_lu_factor_ex", &[v(a), pivot.into()])?;
    let (l, u) = triangles(&lu)?;
    let p = if pivot {
        permutation_matrix(&pivots, extent(a)?.0, a.dtype())?
    } else {
        Tensor::zeros(&result(call.metas, 0)?.0, a.dtype())?
    };
    Ok(smallvec![p.into(), l.into(), u.into()])
}

/// `_lu_with_info(A, pivot, check_errors)`: what went wrong is handed on in any case.
pub fn lu_with_info(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    crate::engine::compose::all("aten::linalg_lu_factor_ex", &args[..2])
}

fn solve_factored(lu: &Tensor, pivots: &Tensor, b: &Tensor, left: bool, adjointed: bool) -> Result<Tensor, Error> {
    let (n, _) = extent(lu)?;
    let (l, u) = triangles(lu)?;
    let p = permutation_matrix(pivots, n, lu.dtype())?;
    // X A = B is A^H X^H = B^H.
    let (b, adjointed) = if left { (b.clone(), adjointed) } else { (adjoint(b)?, !adjointed) };
    let triangular =
        |m: &Tensor, b: &Tensor, upper: bool| op("aten::linalg_solve_triangular", &[v(m), v(b), upper.into()]);
    let x = if adjointed {
        let half = triangular(&adjoint(&u)?, &b, false)?;
        matmul(&p, &triangular(&adjoint(&l)?, &half, true)?)?
    } else {
        triangular(&u, &triangular(&l, &matmul(&adjoint(&p)?, &b)?, false)?, true)?
    };
    if left { column_major(&x) } else { adjoint(&x) }
}

/// `linalg_lu_solve(LU, pivots, B, left, adjoint)`.
pub fn lu_solve(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (lu, pivots, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    one(solve_factored(lu, pivots, b, bool_arg(args, 3)?, bool_arg(args, 4)?)?)
}

/// `lu_solve(B, LU, pivots)`.
pub fn lu_solve_old(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (b, lu, pivots) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    one(solve_factored(lu, pivots, b, true, false)?)
}

/// Reflections `H = I - tau v v^H`, stored below a matrix's diagonal, applied to another from one side.
struct Reflections<T> {
    m: usize,
    /// Columns of `v`, each of length `m`, with the leading one.
    columns: Vec<Vec<T>>,
    tau: Vec<T>,
}

impl<T: Field> Reflections<T> {
    fn new(a: &[T], m: usize, n: usize, tau: &[T]) -> Reflections<T> {
        let column = |k: usize| -> Vec<T> {
            (0..m)
                .map(|i| {
                    if i < k {
                        T::ZERO
                    } else if i == k {
                        T::of(1.0)
                    } else {
                        a[i * n + k]
                    }
                })
                .collect()
        };
        Reflections { m, columns: (0..tau.len()).map(column).collect(), tau: tau.to_vec() }
    }

    /// Row-major `c` with `width` columns becomes `H c`.
    fn left(&self, k: usize, tau: T, c: &mut [T], width: usize) {
        let column = &self.columns[k];
        for j in 0..width {
            let dot = (0..self.m).fold(T::ZERO, |s, i| s + column[i].conjugate() * c[i * width + j]);
            for i in 0..self.m {
                c[i * width + j] = c[i * width + j] - tau * column[i] * dot;
            }
        }
    }

    /// `c` becomes `c H`.
    fn right(&self, k: usize, tau: T, c: &mut [T], rows: usize) {
        let column = &self.columns[k];
        for r in 0..rows {
            let row = &mut c[r * self.m..(r + 1) * self.m];
            let dot = (0..self.m).fold(T::ZERO, |s, i| s + row[i] * column[i]);
            for i in 0..self.m {
                row[i] = row[i] - tau * dot * column[i].conjugate();
            }
        }
    }

    /// `Q c`, `Q^H c`, `c Q` or `c Q^H` with `Q = H_1 H_2 …`; `other` is the extent of `c` that `Q` does not touch.
    fn apply(&self, c: &mut [T], other: usize, left: bool, adjoint: bool) {
        let count = self.tau.len();
        let forward = left == adjoint;
        for step in 0..count {
            let k = if forward { step } else { count - 1 - step };
            let tau = if adjoint { self.tau[k].conjugate() } else { self.tau[k] };
            if left { self.left(k, tau, c, other) } else { self.right(k, tau, c, other) }
        }
    }
}

fn with_reflections(a: &Tensor, tau: &Tensor, c: &Tensor, left: bool, adjoint: bool) -> Result<Tensor, Error> {
    let (m, n) = extent(a)?;
    let (rows, columns) = extent(c)?;
    let k = tau.sizes().last().copied().unwrap_or(0);
    if k > n || k > m || (if left { rows } else { columns }) != m {
        return Err(Error::runtime("the reflections and the matrix they are applied to do not fit one another"));
    }
    with_float_acc!(a.dtype(), T => {
        let (list, m, n) = matrices::<T>(a)?;
        let taus = cast::to_vec::<T>(tau)?;
        let (others, ..) = matrices::<T>(c)?;
        let mut data = Vec::new();
        for (i, (x, mut y)) in list.into_iter().zip(others).enumerate() {
            let k = k as usize;
            let other = (if left { columns } else { rows }) as usize;
            Reflections::new(&x, m, n, &taus[i * k..(i + 1) * k]).apply(&mut y, other, left, adjoint);
            data.extend(y);
        }
        column_major(&cast::from_vec(data, c.sizes(), a.dtype())?)
    })
}

/// The first columns of the product of the reflections.
pub fn householder_product(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, tau) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let (m, n) = extent(a)?;
    let mut sizes: Sizes = a.sizes()[..a.dim() - 2].into();
    sizes.extend([m, m]);
    let unit = identity(&sizes, a.dtype())?;
    let unit =
        op("aten::slice.Tensor", &[unit.into(), IValue::Int(-1), IValue::Int(0), IValue::Int(n), IValue::Int(1)])?;
    one(with_reflections(a, tau, &unit, true, false)?)
}

pub fn ormqr(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, tau, c) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?, tensor_arg(args, 2)?);
    one(with_reflections(a, tau, c, bool_arg(args, 3)?, bool_arg(args, 4)?)?)
}

/// `R` with the reflections below it, and their factors.
fn reflect<T: Field>(a: &mut [T], m: usize, n: usize) -> Vec<T> {
    let mut taus = Vec::new();
    for k in 0..m.min(n) {
        let below: f64 = (k + 1..m).map(|i| a[i * n + k].magnitude().powi(2)).sum();
        let alpha = a[k * n + k];
        if below == 0.0 && alpha.magnitude() == alpha.real().abs() {
            taus.push(T::ZERO);
            continue;
        }
        let norm = (alpha.magnitude().powi(2) + below).sqrt();
        let beta = if alpha.real() > 0.0 { -norm } else { norm };
        let tau = T::of((beta - alpha.real()) / beta) - (alpha - T::of(alpha.real())).scale(1.0 / beta);
        let scale = T::of(1.0) / (alpha - T::of(beta));
        (k + 1..m).for_each(|i| a[i * n + k] = a[i * n + k] * scale);
        a[k * n + k] = T::of(1.0);
        for j in k + 1..n {
            let dot = (k..m).fold(T::ZERO, |s, i| s + a[i * n + k].conjugate() * a[i * n + j]);
            (k..m).for_each(|i| a[i * n + j] = a[i * n + j] - tau.conjugate() * a[i * n + k] * dot);
        }
        a[k * n + k] = T::of(beta);
        taus.push(tau);
    }
    taus
}

pub fn geqrf(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let (tau_sizes, _) = result(call.metas, 1)?;
    with_float_acc!(dtype, T => {
        let (list, m, n) = matrices::<T>(tensor_arg(args, 0)?)?;
        let (mut data, mut taus) = (Vec::new(), Vec::new());
        for mut x in list {
            taus.extend(reflect(&mut x, m, n));
            data.extend(x);
        }
        let a = column_major(&cast::from_vec(data, &sizes, dtype)?)?;
        Ok(smallvec![a.into(), cast::from_vec(taus, &tau_sizes, dtype)?.into()])
    })
}

/// Least squares: the solution of least norm, the residuals where they are defined, the rank and the singular values.
pub fn lstsq(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (a, b) = (tensor_arg(args, 0)?, tensor_arg(args, 1)?);
    let driver = arg(args, 3)?;
    let driver = if driver.is_none() { "gelsy" } else { driver.as_str()? };
    if !["gels", "gelsy", "gelsd", "gelss"].contains(&driver) {
        return Err(Error::runtime(format!(
            "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)but got {driver}"
        )));
    }
    let (m, n) = extent(a)?;
    let vector = b.dim() + 1 == a.dim() && b.sizes() == &a.sizes()[..a.dim() - 1];
    let right = if vector { at_end(b)? } else { b.clone() };
    let rcond = match arg(args, 2)? {
        IValue::None => real_epsilon(a.dtype()) * m.max(n) as f64,
        x => x.as_double()?,
    };
    let inverse = op("aten::linalg_pinv.atol_rtol_float", &[v(a), IValue::None, IValue::Double(rcond)])?;
    let solution = column_major(&matmul(&inverse, &right)?)?;
    let rank = op("aten::linalg_matrix_rank.atol_rtol_float", &[v(a), IValue::None, IValue::Double(rcond)])?;
    let full = cast::to_vec::<i64>(&rank)?.iter().all(|r| *r == n);
    let real = a.dtype().to_real();
    let residuals = if m > n && driver != "gelsy" && (driver == "gels" || full) {
        let off = op("aten::sub.Tensor", &[matmul(a, &solution)?.into(), v(&right)])?;
        let squares = op("aten::pow.Tensor_Scalar", &[op("aten::abs", &[off.into()])?.into(), IValue::Int(2)])?;
        op("aten::sum.dim_IntList", &[squares.into(), IValue::int_list(&[-2])])?
    } else {
        Tensor::zeros(&[0], real)?
    };
    let rank = if driver == "gels" { Tensor::zeros(&[0], DType::I64)? } else { rank };
    let values = if ["gelsd", "gelss"].contains(&driver) {
        op("aten::linalg_svdvals", &[v(a)])?
    } else {
        Tensor::zeros(&[0], real)?
    };
    let solution = if vector { op("aten::squeeze.dim", &[solution.into(), IValue::Int(-1)])? } else { solution };
    Ok(smallvec![solution.into(), residuals.into(), rank.into(), values.into()])
}

/// The Hermitian square root, for values that are not negative.
pub fn matrix_sqrth(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let [values, vectors] = ops::<2>("aten::linalg_eigh", &[v(tensor_arg(args, 0)?), "L".into()])?;
    let clamped = op("aten::clamp_min", &[v(&values), IValue::Int(0)])?;
    let roots = op("aten::unsqueeze", &[op("aten::sqrt", &[clamped.into()])?.into(), IValue::Int(-2)])?;
    one(matmul(&mul(&vectors, &roots)?, &adjoint(&vectors)?)?)
}

/// `A = U H` with `U` unitary and `H` positive.
pub fn polar(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let [u, s, vh] = ops::<3>("aten::linalg_svd", &[v(tensor_arg(args, 0)?), false.into()])?;
    let scaled = mul(&adjoint(&vh)?, &op("aten::unsqueeze", &[v(&s), IValue::Int(-2)])?)?;
    Ok(smallvec![matmul(&u, &vh)?.into(), matmul(&scaled, &vh)?.into()])
}

/// Powers of each element side by side.
pub fn vander(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let (sizes, dtype) = result(call.metas, 0)?;
    let x = cast::convert(tensor_arg(args, 0)?, dtype)?;
    let ones = op("aten::ones_like", &[at_end(&x)?.into()])?;
    let n = sizes[sizes.len() - 1];
    let mut wide: Sizes = x.sizes().into();
    wide.push(n - 1);
    let powers = op("aten::cumprod", &[at_end(&x)?.expand(&wide)?.into(), IValue::Int(-1)])?;
    one(op("aten::cat", &[IValue::tensor_list(vec![ones, powers]), IValue::Int(-1)])?)
}

/// Adds to the destination, which has the sizes of the sums.
pub fn linear_combination_out(call: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let sums = linear_combination(call, args)?;
    crate::engine::compose::all("aten::add_.Tensor", &[arg(args, 2)?.clone(), sums[0].clone()])
}

/// Sums of the input's first dimension, weighted by each row of the coefficients; of further dimensions of theirs the first elements count.
pub fn linear_combination(_: &Call<'_>, args: &mut [IValue]) -> Result<Outputs, Error> {
    let x = tensor_arg(args, 0)?;
    if x.numel() == 0 {
        return Err(Error::runtime("Empty tensor not supported"));
    }
    let mut weights = cast::convert(tensor_arg(args, 1)?, x.dtype())?;
    while weights.dim() > 2 {
        weights = op("aten::select.int", &[v(&weights), IValue::Int(2), IValue::Int(0)])?;
    }
    let weights = &weights;
    let sum = |r: i64| -> Result<Tensor, Error> {
        let row = op("aten::select.int", &[v(weights), IValue::Int(0), IValue::Int(r)])?;
        let terms = (0..x.sizes()[0]).map(|i| {
            let at = |t: &Tensor| op("aten::select.int", &[v(t), IValue::Int(0), IValue::Int(i)]);
            mul(&at(x)?, &at(&row)?)
        });
        let zero = Tensor::zeros(&x.sizes()[1..], x.dtype())?;
        terms.into_iter().try_fold(zero, |sum, term| op("aten::add.Tensor", &[sum.into(), term?.into()]))
    };
    if x.dim() == 0 || weights.dim() < 2 || weights.sizes()[1] < x.sizes()[0] {
        return Err(Error::runtime("_compute_linear_combination: coefficients and input do not fit one another"));
    }
    let rows = (0..weights.sizes()[0]).map(sum).collect::<Result<Vec<_>, _>>()?;
    one(call_one("aten::stack", &[IValue::tensor_list(rows)])?.as_tensor()?.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reflections_and_their_triangle_multiply_back() {
        let a = [1.0, 2.0, 3.0, -4.0, 5.0, 6.0, 0.5, -1.0, 2.0, 7.0, 1.0, -2.0];
        let (m, n) = (4, 3);
        let mut packed = a.to_vec();
        let tau = reflect(&mut packed, m, n);
        let mut r: Vec<f64> = (0..m * n).map(|i| if i / n > i % n { 0.0 } else { packed[i] }).collect();
        Reflections::new(&packed, m, n, &tau).apply(&mut r, n, true, false);
        assert!(r.iter().zip(a).all(|(x, y)| (x - y).abs() < 1e-12), "{r:?}");
        Reflections::new(&packed, m, n, &tau).apply(&mut r, n, true, true);
        assert!((0..m * n).filter(|i| i / n <= i % n).all(|i| (r[i] - packed[i]).abs() < 1e-12), "{r:?}");
    }
}
