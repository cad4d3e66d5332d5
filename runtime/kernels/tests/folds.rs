//! Every operator whose record has a fold computes what the record says: element by element and lane by lane in f64, with the sizes of its geometry.

use sconce_kernels::{Bound, Outputs};
use sconce_schema::fold::{Fold, Norm, Reducer};
use sconce_schema::scalar::{Binary, Node, ScalarExpr, Unary};
use sconce_schema::{OpEntry, Type};
use sconce_tensor::{IValue, Tensor};

/// Numbers without a library: the same in every run.
struct Draws(u64);
impl Draws {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
    fn tensor(&mut self, sizes: &[i64]) -> Tensor {
        let n: i64 = sizes.iter().product();
        // Quarters between 0 and 1, some of them equal: what every loss takes.
        Tensor::from_vec((0..n).map(|_| self.below(4) as f32 / 4.0 + 0.125).collect(), sizes)
    }
}

/// One element of an expression.
fn element(expr: &ScalarExpr, args: &[IValue], at: usize) -> f64 {
    let mut values: Vec<f64> = Vec::new();
    let is_none = |i: u16| args.get(usize::from(i)).is_none_or(IValue::is_none);
    for node in expr.nodes.iter() {
        let v = |r: u16| values[usize::from(r)];
        values.push(match *node {
            Node::Arg(i) => match &args[usize::from(i)] {
                IValue::Tensor(t) => f64::from(t.to_vec::<f32>()[at]),
                IValue::Bool(b) => f64::from(u8::from(*b)),
                IValue::None => f64::NAN,
                v => v.as_double().unwrap(),
            },
            Node::Const(x) => x,
            Node::Unary(Unary::Abs, a) => v(a).abs(),
            Node::Unary(Unary::Neg, a) => -v(a),
            Node::Unary(Unary::Exp, a) => v(a).exp(),
            Node::Unary(Unary::Log, a) => v(a).ln(),
            Node::Unary(Unary::Log1p, a) => v(a).ln_1p(),
            Node::Unary(Unary::IsNan, a) => f64::from(u8::from(v(a).is_nan())),
            Node::Binary(Binary::Add, a, b) => v(a) + v(b),
            Node::Binary(Binary::Sub, a, b) => v(a) - v(b),
            Node::Binary(Binary::Mul, a, b) => v(a) * v(b),
            Node::Binary(Binary::Div, a, b) => v(a) / v(b),
            Node::Binary(Binary::Pow, a, b) => v(a).powf(v(b)),
            Node::Binary(Binary::Max, a, b) => v(a).max(v(b)),
            Node::Binary(Binary::Min, a, b) => v(a).min(v(b)),
            Node::Binary(Binary::Eq, a, b) => f64::from(u8::from(v(a) == v(b))),
            Node::Binary(Binary::Lt, a, b) => f64::from(u8::from(v(a) < v(b))),
            Node::Binary(Binary::Le, a, b) => f64::from(u8::from(v(a) <= v(b))),
            Node::Select(c, a, b) => v(if v(c) != 0.0 { a } else { b }),
            Node::IfNone(i, a, b) => v(if is_none(i) { a } else { b }),
            ref other => panic!("the test does not know {other:?}"),
        });
    }
    *values.last().unwrap()
}

/// One state of a lane.
fn state(reducer: Reducer, lane: &[f64], setting: Option<f64>, running: bool) -> f64 {
    let n = lane.len() as f64;
    let sum = |f: &dyn Fn(f64) -> f64| lane.iter().map(|x| f(*x)).sum::<f64>();
    let place = |better: &dyn Fn(f64, f64) -> bool| {
        let later = |best: usize, i: usize| better(lane[i], lane[best]) || (running && lane[i] == lane[best]);
        (1..lane.len()).fold(0, |best, i| if later(best, i) { i } else { best }) as f64
    };
    let truth = |b: bool| f64::from(u8::from(b));
    let variance = || {
        let mean = sum(&|x| x) / n;
        sum(&|x| (x - mean) * (x - mean)) / (n - setting.unwrap_or(1.0)).max(0.0)
    };
    match reducer {
        Reducer::Sum => sum(&|x| x),
        Reducer::Mean => sum(&|x| x) / n,
        Reducer::Product => lane.iter().product(),
        Reducer::Max => lane.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        Reducer::Min => lane.iter().copied().fold(f64::INFINITY, f64::min),
        Reducer::Any => truth(lane.iter().any(|x| *x != 0.0)),
        Reducer::All => truth(lane.iter().all(|x| *x != 0.0)),
        Reducer::Count => lane.iter().filter(|x| **x != 0.0).count() as f64,
        Reducer::ArgMax => place(&|a, b| a > b),
        Reducer::ArgMin => place(&|a, b| a < b),
        Reducer::Variance => variance(),
        Reducer::Deviation => variance().sqrt(),
        Reducer::LogSumExp => sum(&f64::exp).ln(),
        Reducer::Norm => {
            let order = setting.unwrap_or(2.0);
            let elements: Vec<f64> = lane
                .iter()
                .map(|x| element(&Norm::of(order).element(), &[IValue::Tensor(Tensor::scalar(*x as f32))], 0))
                .collect();
            let state = state(Norm::of(order).reducer(), &elements, None, false);
            match Norm::of(order) {
                Norm::Squares => state.sqrt(),
                Norm::Powers(p) => state.powf(1.0 / p),
                _ => state,
            }
        }
        Reducer::Loss => unreachable!("a loss is a sum, a mean or nothing"),
    }
}

/// What a call gives by its record: the results' sizes and values.
fn by_record(fold: &Fold, args: &[IValue]) -> Vec<(Vec<i64>, Vec<f64>)> {
    let t = args[0].as_tensor().unwrap();
    let (sizes, rank) = (t.sizes().to_vec(), t.dim());
    let elements: Vec<f64> = (0..t.numel()).map(|i| element(fold.element, args, i)).collect();
    let number = |i: u16| match &args[usize::from(i)] {
        IValue::None => None,
        IValue::Bool(b) => Some(f64::from(u8::from(*b))),
        v => Some(v.as_double().unwrap()),
    };
    let setting = fold.setting.and_then(number);
    if let Some(reduction) = fold.reduction {
        return vec![match Fold::asked(args[usize::from(reduction)].as_int().unwrap()) {
            None => (sizes, elements),
            Some(reducer) => (Vec::new(), vec![state(reducer, &elements, None, false)]),
        }];
    }
    let dims: Option<Vec<i64>> = fold.dims.and_then(|i| match &args[usize::from(i)] {
        IValue::None => None,
        IValue::Int(d) => Some(vec![*d]),
        list => Some(list.as_int_list().unwrap().into_vec()),
    });
    let keepdim = fold.keepdim.is_some_and(|i| matches!(args[usize::from(i)], IValue::Bool(true)));
    let over = fold.reduction(rank, dims.as_deref(), keepdim).unwrap();
    let place = |mut at: usize| {
        let mut place = vec![0; rank];
        for d in (0..rank).rev() {
            (place[d], at) = (at % sizes[d] as usize, at / sizes[d] as usize);
        }
        place
    };
    // Elements by the place of their lane, lanes in row-major order.
    let mut lanes: std::collections::BTreeMap<Vec<usize>, Vec<(usize, f64)>> = Default::default();
    for (i, x) in elements.iter().enumerate() {
        let place = place(i);
        lanes.entry(over.kept().map(|d| place[d]).collect()).or_default().push((i, *x));
    }
    let kept: Vec<i64> =
        (0..rank).filter_map(|d| if over.folded[d] { keepdim.then_some(1) } else { Some(sizes[d]) }).collect();
    let result = |reducer: &Reducer| {
        if !fold.running {
            let value = |lane: &Vec<(usize, f64)>| {
                state(*reducer, &lane.iter().map(|x| x.1).collect::<Vec<_>>(), setting, false)
            };
            return (kept.clone(), lanes.values().map(value).collect());
        }
        let mut values = vec![0.0; elements.len()];
        for lane in lanes.values() {
            let xs: Vec<f64> = lane.iter().map(|x| x.1).collect();
            lane.iter().enumerate().for_each(|(k, (i, _))| values[*i] = state(*reducer, &xs[..=k], setting, true));
        }
        (sizes.clone(), values)
    };
    fold.reducers.iter().map(result).collect()
}

/// A call's arguments, drawn.
fn drawn(entry: &OpEntry, fold: &Fold, draws: &mut Draws) -> Vec<IValue> {
    let rank = draws.below(4) as usize;
    let sizes: Vec<i64> = (0..rank).map(|_| 1 + draws.below(4) as i64).collect();
    let is = |field: Option<u16>, i: usize| field == Some(i as u16);
    let mut args = Vec::new();
    for (i, a) in entry.schema().arguments.iter().enumerate() {
        let optional = matches!(a.ty, Type::Optional(_));
        let dim = draws.below(rank.max(1) as u64) as i64 - if draws.below(2) == 0 { rank.max(1) as i64 } else { 0 };
        args.push(match &a.ty {
            _ if optional && draws.below(3) == 0 => IValue::None,
            t if *t == Type::tensor() || matches!(t, Type::Optional(t) if t.is_tensor()) => draws.tensor(&sizes).into(),
            _ if is(fold.dtype, i) => {
                if optional {
                    IValue::None
                } else {
                    sconce_tensor::DType::F32.into()
                }
            }
            Type::List(_) => IValue::int_list(&[dim]),
            Type::Optional(t) if is(fold.dims, i) && matches!(**t, Type::List(_)) => IValue::int_list(&[dim]),
            _ if is(fold.dims, i) => IValue::Int(dim),
            Type::Bool => IValue::Bool(draws.below(2) == 0),
            _ if is(fold.reduction, i) => IValue::Int(draws.below(3) as i64),
            _ if fold.reducers == [Reducer::Norm] => {
                IValue::Double([0.0, 1.0, 2.0, 3.0, f64::INFINITY, f64::NEG_INFINITY][draws.below(6) as usize])
            }
            _ => IValue::Double(0.5),
        });
    }
    args
}

#[test]
fn operators_compute_what_their_folds_say() {
    sconce_kernels_extra::install();
    let mut draws = Draws(7);
    let mut asked = 0;
    for entry in sconce_schema::table() {
        let Some(fold) = entry.fold else { continue };
        let bound = Bound::new(entry).unwrap();
        for _ in 0..40 {
            let args = drawn(entry, fold, &mut draws);
            let said = format!(
                "{}{:?}",
                entry.name,
                args.iter()
                    .map(|v| v.as_tensor().map_or(format!("{v:?}"), |t| format!("{:?}", t.sizes())))
                    .collect::<Vec<_>>()
            );
            let results: Outputs = bound.call(&mut args.clone()).unwrap_or_else(|e| panic!("{said}: {e}"));
            let expected = by_record(fold, &args);
            assert_eq!(results.len(), expected.len(), "{said}");
            for (i, (result, (sizes, values))) in results.iter().zip(&expected).enumerate() {
                let result = result.as_tensor().unwrap();
                assert_eq!(result.sizes(), sizes, "{said}, result {i}");
                let have = sconce_kernels::cast::to_vec::<f64>(result).unwrap();
                for (x, y) in have.iter().zip(values) {
                    let same = (x.is_nan() && y.is_nan()) || x == y || (x - y).abs() <= 2e-6 * (1.0 + y.abs());
                    assert!(same, "{said}, result {i}: {x} where the record says {y}");
                }
            }
            asked += 1;
        }
    }
    assert!(asked > 40 * 50, "{asked} calls");
}
