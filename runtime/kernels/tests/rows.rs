//! Work along rows: right for every layout, and the same bits with any number of threads.

use sconce_kernels::{Bound, defaults::default_value, parallel};
use sconce_tensor::{DType, IValue, Tensor};

fn call(name: &str, given: &[IValue]) -> Vec<Tensor> {
    let entry = sconce_schema::lookup(name).expect(name);
    let mut args = given.to_vec();
    for a in entry.schema().arguments.iter().skip(args.len()) {
        args.push(a.default.as_ref().map(|d| default_value(d, a)).unwrap_or_default());
    }
    let results = Bound::new(entry).expect(name).call(&mut args).unwrap_or_else(|e| panic!("{name}: {e}"));
    results.iter().map(|v| v.as_tensor().expect("a tensor").clone()).collect()
}

fn filled(sizes: &[i64]) -> Tensor {
    let n: i64 = sizes.iter().product();
    let mut state = 7u64;
    let values: Vec<f64> = (0..n)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / f64::from(1 << 23) - 1.0
        })
        .collect();
    Tensor::from_f64(&values, sizes, DType::F32).expect("floats")
}

/// The same tensor in other layouts: row-major, transposed, with gaps.
fn layouts(t: &Tensor) -> Vec<Tensor> {
    let [a, b, c] = *t.sizes() else { panic!("three dimensions") };
    let turned = call("aten::permute", &[t.clone().into(), IValue::int_list(&[2, 0, 1])]).remove(0).copy().unwrap();
    let back = turned.as_strided(&[a, b, c], &[b, 1, a * b], 0).unwrap();
    let wide = call("aten::cat", &[IValue::tensor_list(vec![t.clone(), t.clone()]), IValue::Int(2)]).remove(0);
    vec![t.clone(), back, wide.as_strided(&[a, b, c], &[2 * b * c, 2 * c, 1], 0).unwrap()]
}

#[test]
fn sums_of_every_layout_and_choice_of_dimensions() {
    for sizes in [[2, 3, 5], [3, 40, 7], [5, 300, 33], [1, 1, 70000], [9000, 2, 3], [4, 0, 3]] {
        let plain = filled(&sizes);
        let values = plain.to_f64();
        for t in layouts(&plain) {
            assert_eq!(t.to_f64(), values);
            for choice in 1..8u32 {
                let dims: Vec<i64> = (0..3).filter(|d| choice >> d & 1 == 1).collect();
                let kept = |i: usize| -> usize {
                    let at = [i as i64 / (sizes[1] * sizes[2]), i as i64 / sizes[2] % sizes[1], i as i64 % sizes[2]];
                    (0..3)
                        .filter(|d| !dims.contains(&(*d as i64)))
                        .fold(0, |n, d| n * sizes[d] as usize + at[d] as usize)
                };
                let count: i64 = (0..3).filter(|d| !dims.contains(&(*d as i64))).map(|d| sizes[d]).product();
                let (mut sums, mut most) = (vec![0f64; count as usize], vec![f64::NEG_INFINITY; count as usize]);
                for (i, v) in values.iter().enumerate() {
                    sums[kept(i)] += v;
                    most[kept(i)] = most[kept(i)].max(*v);
                }
                let given = [t.clone().into(), IValue::int_list(&dims)];
                let got = call("aten::sum.dim_IntList", &given).remove(0).to_f64();
                assert!(
                    got.iter().zip(&sums).all(|(a, b)| (a - b).abs() <= 1e-7 * b.abs() + 1e-9),
                    "{sizes:?} {dims:?}"
                );
                if !values.is_empty() {
                    assert_eq!(call("aten::amax", &given).remove(0).to_f64(), most, "{sizes:?} {dims:?}");
                }
            }
        }
    }
}

#[test]
fn layouts_do_not_change_what_lanes_become() {
    let plain = filled(&[3, 300, 17]);
    for dim in 0..3i64 {
        for name in ["aten::softmax.int", "aten::cumsum", "aten::sort", "aten::argmax", "aten::cummax", "aten::topk"] {
            let given = |t: &Tensor| match name {
                "aten::topk" => vec![t.clone().into(), IValue::Int(2), IValue::Int(dim)],
                _ => vec![t.clone().into(), IValue::Int(dim)],
            };
            let expected: Vec<Vec<f64>> = call(name, &given(&plain)).iter().map(Tensor::to_f64).collect();
            for t in layouts(&plain) {
                let got: Vec<Vec<f64>> = call(name, &given(&t)).iter().map(Tensor::to_f64).collect();
                assert_eq!(got, expected, "{name} {dim}");
            }
        }
    }
}

#[test]
fn extremes_of_columns_are_those_of_rows() {
    for dtype in [DType::F32, DType::F64, DType::I64, DType::F16] {
        for [lanes, length] in [[64i64, 1], [300, 9], [513, 40], [1000, 2]] {
            // Few values, so that most extremes are there more than once, and some that are not numbers.
            let coarse = |(i, x): (usize, f64)| match i % 97 {
                0 if dtype.is_float() => f64::NAN,
                _ => (x * 4.0).round(),
            };
            let values: Vec<f64> = filled(&[length, lanes]).to_f64().into_iter().enumerate().map(coarse).collect();
            let columns = Tensor::from_f64(&values, &[length, lanes], dtype).expect("a tensor");
            let rows = columns.as_strided(&[lanes, length], &[1, lanes], 0).expect("a view").copy().expect("its copy");
            for name in ["aten::max.dim", "aten::min.dim", "aten::argmax", "aten::argmin"] {
                let found = call(name, &[columns.clone().into(), IValue::Int(0)]);
                let expected = call(name, &[rows.clone().into(), IValue::Int(1)]);
                for (a, b) in found.iter().zip(&expected) {
                    let bits = |t: &Tensor| t.to_f64().iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                    assert_eq!(bits(a), bits(b), "{name} {dtype:?} {length} x {lanes}");
                }
            }
        }
    }
}

#[test]
fn threads_do_not_change_bits() {
    let t = filled(&[40, 300, 101]);
    let calls: [(&str, Vec<IValue>); 6] = [
        ("aten::sum", vec![t.clone().into()]),
        ("aten::sum.dim_IntList", vec![t.clone().into(), IValue::int_list(&[0])]),
        ("aten::sum.dim_IntList", vec![t.clone().into(), IValue::int_list(&[0, 1])]),
        ("aten::var", vec![t.clone().into()]),
        ("aten::softmax.int", vec![t.clone().into(), IValue::Int(1)]),
        ("aten::mse_loss", vec![t.clone().into(), filled(&[300, 101]).into()]),
    ];
    for (name, given) in calls {
        let results: Vec<Vec<f64>> = [1, 2, 5]
            .into_iter()
            .map(|n| {
                parallel::set_threads(n);
                call(name, &given).remove(0).to_f64()
            })
            .collect();
        assert!(results.windows(2).all(|w| w[0] == w[1]), "{name}");
    }
}

#[test]
fn rows_are_moved_whole() {
    let t = Tensor::from_vec((0..24i64).collect(), &[4, 6]);
    let ints = |v: &[i64]| IValue::int_list(v);
    let values = |name: &str, given: &[IValue]| call(name, given).remove(0).to_vec::<i64>();
    let v = || IValue::from(t.clone());
    assert_eq!(values("aten::roll", &[v(), ints(&[1]), ints(&[0])])[..6], [18, 19, 20, 21, 22, 23]);
    assert_eq!(values("aten::flip", &[v(), ints(&[1])])[..6], [5, 4, 3, 2, 1, 0]);
    let picked = Tensor::from_vec(vec![2i64, 0], &[2]);
    assert_eq!(
        values("aten::index_select", &[v(), IValue::Int(0), picked.clone().into()])[..7],
        [12, 13, 14, 15, 16, 17, 0]
    );
    assert_eq!(values("aten::index_select", &[v(), IValue::Int(1), picked.into()])[..4], [2, 0, 8, 6]);
    let padded = values("aten::constant_pad_nd", &[v(), ints(&[1, -2, -1, 1]), IValue::Int(9)]);
    assert_eq!(padded[..10], [9, 6, 7, 8, 9, 9, 12, 13, 14, 15]);
    assert_eq!(padded[15..], [9, 9, 9, 9, 9]);
    assert_eq!(values("aten::repeat", &[v(), ints(&[1, 2])])[..12], [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
}

#[test]
fn rows_and_columns_are_broadcast_over_long_rows() {
    for (rows, length) in [(3, 64), (2, 67), (70, 70), (33, 129), (300, 800)] {
        let x = filled(&[rows, length]);
        let values = x.to_vec::<f32>();
        for b in [filled(&[rows, 1]), filled(&[length]), filled(&[1, length])] {
            let column = b.sizes()[0] == rows && b.dim() == 2 && b.sizes()[1] == 1;
            let second = b.to_vec::<f32>();
            let of = |i: usize| second[if column { i / length as usize } else { i % length as usize }];
            let operators: [(&str, fn(f32, f32) -> f32); 4] = [
                ("aten::add.Tensor", |a, b| a + b),
                ("aten::sub.Tensor", |a, b| a - b),
                ("aten::mul.Tensor", |a, b| a * b),
                ("aten::div.Tensor", |a, b| a / b),
            ];
            for (name, f) in operators {
                let want: Vec<f32> = values.iter().enumerate().map(|(i, x)| f(*x, of(i))).collect();
                for threads in [1, 3] {
                    parallel::set_threads(threads);
                    let got = call(name, &[x.clone().into(), b.clone().into()]);
                    assert_eq!(got[0].to_vec::<f32>(), want, "{name} of {rows} x {length} by {:?}", b.sizes());
                }
            }
        }
    }
}
