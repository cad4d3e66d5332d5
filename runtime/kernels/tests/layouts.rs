//! Pointwise operators give every element the same bits wherever it lies: in strided, broadcast, transposed and large tensors, alone, in place and in an
//! `out=` tensor; and integers computed in their own type are those computed in 64 bits.

use sconce_kernels::Bound;
use sconce_kernels::cast;
use sconce_kernels::defaults::default_value;
use sconce_schema::{Argument, Trait};
use sconce_tensor::{DType, IValue, Tensor};

/// A linear congruential generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }
    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }
    fn numbers(&mut self, n: usize, dtype: DType) -> Vec<f64> {
        (0..n)
            .map(|_| {
                let x = self.next() as f64 / f64::from(1u32 << 31) * 200.0 - 100.0;
                match dtype {
                    DType::Bool => f64::from(x > 0.0),
                    DType::U8 => x.abs().floor(),
                    d if d.is_int() => x.floor(),
                    _ => x,
                }
            })
            .collect()
    }
}

/// A tensor of these sizes that lies in one of several ways.
fn laid(random: &mut Random, sizes: &[i64], dtype: DType) -> Tensor {
    let n: i64 = sizes.iter().product();
    let way = random.below(4);
    let rank = sizes.len();
    let spread = if way == 3 { 2 } else { 1 };
    let t = Tensor::from_f64(&random.numbers((n * spread + 3) as usize, dtype), &[n * spread + 3], dtype).unwrap();
    let mut strides = sconce_tensor::contiguous_strides(sizes);
    match way {
        // Transposed.
        1 if rank > 1 => {
            let mut turned = sizes.to_vec();
            turned.swap(rank - 1, 0);
            strides = sconce_tensor::contiguous_strides(&turned);
            strides.swap(rank - 1, 0);
        }
        // With gaps.
        3 => strides.iter_mut().for_each(|s| *s *= 2),
        _ => {}
    }
    t.as_strided(sizes, &strides, random.below(3) as i64).unwrap()
}

fn bits(t: &Tensor) -> Vec<u8> {
    t.copy().unwrap().read_bytes()
}

fn call(op: &str, args: &[IValue]) -> Tensor {
    let bound = Bound::new(sconce_schema::lookup(op).unwrap()).unwrap();
    bound.call(&mut args.to_vec()).unwrap_or_else(|e| panic!("{op}: {e}"))[0].as_tensor().unwrap().clone()
}

/// The operator's arguments after its tensors.
fn rest(op: &str) -> Vec<IValue> {
    match op {
        "aten::add.Tensor" | "aten::sub.Tensor" => vec![IValue::Int(3)],
        "aten::add.Scalar" => vec![IValue::Double(0.75), IValue::Int(1)],
        "aten::mul.Scalar" => vec![IValue::Int(-300)],
        "aten::clamp" => vec![IValue::Int(-20), IValue::Int(40)],
        "aten::gelu" => vec![IValue::str("none")],
        "aten::addcmul" => vec![IValue::Double(0.5)],
        "aten::pow.Tensor_Scalar" => vec![IValue::Int(2)],
        _ => Vec::new(),
    }
}

const OPS: &[(&str, usize)] = &[
    ("aten::add.Tensor", 2),
    ("aten::sub.Tensor", 2),
    ("aten::mul.Tensor", 2),
    ("aten::add.Scalar", 1),
    ("aten::mul.Scalar", 1),
    ("aten::maximum", 2),
    ("aten::lt.Tensor", 2),
    ("aten::eq.Tensor", 2),
    ("aten::logical_and", 2),
    ("aten::clamp", 1),
    ("aten::relu", 1),
    ("aten::abs", 1),
    ("aten::neg", 1),
    ("aten::sigmoid", 1),
    ("aten::gelu", 1),
    ("aten::addcmul", 3),
    ("aten::pow.Tensor_Scalar", 1),
    ("aten::bitwise_xor.Tensor", 2),
];

#[test]
fn an_element_is_the_same_wherever_it_lies() {
    let dtypes =
        [DType::F32, DType::F64, DType::F16, DType::BF16, DType::I64, DType::I32, DType::U8, DType::I8, DType::Bool];
    let shapes: &[&[i64]] = &[&[7], &[5, 1, 3], &[40, 33], &[3, 20, 70], &[2100], &[130, 70]];
    let mut random = Random(1);
    let mut checked = 0;
    for (op, tensors) in OPS {
        for dtype in dtypes {
            let entry = sconce_schema::lookup(op).unwrap();
            for _ in 0..3 {
                let shape = shapes[random.below(shapes.len())];
                let mut args: Vec<IValue> = (0..*tensors)
                    .map(|k| {
                        // Some operands are broadcast.
                        let sizes: Vec<i64> =
                            shape.iter().map(|s| if k > 0 && random.below(4) == 0 { 1 } else { *s }).collect();
                        IValue::Tensor(laid(&mut random, &sizes, dtype))
                    })
                    .collect();
                args.extend(rest(op));
                let Ok(out) = Bound::new(entry).unwrap().call(&mut args.clone()) else { continue };
                let out = out[0].as_tensor().unwrap().clone();
                checked += 1;
                // Element by element, each in a tensor of its own.
                let size = out.dtype().size();
                let all = bits(&out);
                let n = out.numel();
                for probe in [0, 1, n / 3, n / 2, n - 1].into_iter().filter(|p| *p < n) {
                    let mut index = vec![0i64; shape.len()];
                    let mut left = probe as i64;
                    for d in (0..shape.len()).rev() {
                        index[d] = left % out.sizes()[d];
                        left /= out.sizes()[d];
                    }
                    let one: Vec<IValue> = args
                        .iter()
                        .map(|a| match a {
                            IValue::Tensor(t) => {
                                let at: i64 = (0..t.dim())
                                    .map(|d| if t.sizes()[d] == 1 { 0 } else { index[d] * t.strides()[d] })
                                    .sum();
                                IValue::Tensor(
                                    t.as_strided(&[1], &[1], t.storage_offset() + at).unwrap().copy().unwrap(),
                                )
                            }
                            other => other.clone(),
                        })
                        .collect();
                    let want = bits(&call(op, &one));
                    assert_eq!(all[probe * size..(probe + 1) * size], want, "{op} {dtype} {shape:?} element {probe}");
                }
                // The same operands laid out row by row.
                let plain: Vec<IValue> = args
                    .iter()
                    .map(|a| a.as_tensor().map_or_else(|_| a.clone(), |t| IValue::Tensor(t.copy().unwrap())))
                    .collect();
                assert_eq!(all, bits(&call(op, &plain)), "{op} {dtype} {shape:?} on contiguous copies");
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn in_place_and_out_are_the_functional_form() {
    let mut random = Random(2);
    for (op, inplace, out) in [
        ("aten::add.Tensor", "aten::add_.Tensor", "aten::add.out"),
        ("aten::mul.Tensor", "aten::mul_.Tensor", "aten::mul.out"),
        ("aten::relu", "aten::relu_", "aten::relu.out"),
        ("aten::sigmoid", "aten::sigmoid_", "aten::sigmoid.out"),
    ] {
        for shape in [&[9i64] as &[i64], &[40, 33], &[3, 20, 70], &[5000]] {
            for _ in 0..4 {
                let two = op.ends_with("Tensor");
                let a = laid(&mut random, shape, DType::F32);
                let b = laid(&mut random, shape, DType::F32);
                let args = |a: &Tensor| {
                    let mut args = vec![IValue::Tensor(a.clone())];
                    if two {
                        args.push(IValue::Tensor(b.clone()));
                    }
                    args.extend(rest(op));
                    args
                };
                let want = bits(&call(op, &args(&a)));
                let target = Tensor::zeros(shape, DType::F32).unwrap();
                let mut given = args(&a);
                given.push(IValue::Tensor(target.clone()));
                let version = target.version();
                assert!(call(out, &given).is(&target) && target.version() > version);
                assert_eq!(bits(&target), want, "{out} {shape:?}");
                // With itself as the other operand, too.
                let copy = a.copy().unwrap();
                if two {
                    let mut both = vec![IValue::Tensor(copy.clone()), IValue::Tensor(copy.clone())];
                    both.extend(rest(op));
                    let want = bits(&call(op, &both));
                    assert!(call(inplace, &both).is(&copy));
                    assert_eq!(bits(&copy), want, "{inplace} of itself {shape:?}");
                }
                let version = a.version();
                assert!(call(inplace, &args(&a)).is(&a) && a.version() > version);
                assert_eq!(bits(&a), want, "{inplace} {shape:?}");
            }
        }
    }
}

#[test]
fn a_shifted_overlap_is_refused() {
    let t = Tensor::from_vec((0..100).map(|i| i as f32).collect(), &[100]);
    let (low, high) = (t.as_strided(&[99], &[1], 0).unwrap(), t.as_strided(&[99], &[1], 1).unwrap());
    let add = Bound::new(sconce_schema::lookup("aten::add_.Tensor").unwrap()).unwrap();
    let refused = add.call(&mut [IValue::Tensor(high), IValue::Tensor(low), IValue::Int(1)]).unwrap_err();
    assert!(refused.to_string().contains("refer to a single memory location"), "{refused}");
    assert_eq!(t.to_vec::<f32>()[99], 99.0);
}

#[test]
fn narrow_integers_are_wide_ones_cut() {
    let mut random = Random(3);
    for dtype in [DType::I32, DType::I16, DType::I8, DType::U8] {
        for op in
            ["aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor", "aten::bitwise_xor.Tensor", "aten::maximum"]
        {
            let (a, b) = (laid(&mut random, &[50, 60], dtype), laid(&mut random, &[50, 60], dtype));
            let args = |a: &Tensor, b: &Tensor| {
                let mut args = vec![IValue::Tensor(a.clone()), IValue::Tensor(b.clone())];
                args.extend(rest(op));
                args
            };
            let wide = |t: &Tensor| cast::convert(t, DType::I64).unwrap();
            let want = cast::convert(&call(op, &args(&wide(&a), &wide(&b))), dtype).unwrap();
            assert_eq!(bits(&call(op, &args(&a, &b))), bits(&want), "{op} {dtype}");
        }
    }
}

#[test]
fn copies_are_the_elements_in_order() {
    let mut random = Random(4);
    for dtype in [DType::U8, DType::F16, DType::F32, DType::I64, DType::C128] {
        for shape in [&[1i64] as &[i64], &[9, 17], &[33, 64], &[3, 20, 70], &[2, 3, 4, 5]] {
            for _ in 0..6 {
                let t = laid(&mut random, shape, dtype);
                let want: Vec<f64> = t.to_f64();
                assert_eq!(t.copy().unwrap().to_f64(), want);
                let into = laid(&mut random, shape, dtype);
                into.copy_bytes_from(&t).unwrap();
                assert_eq!(into.to_f64(), want, "{dtype} {shape:?}");
                let wide = laid(&mut random, shape, DType::C128);
                cast::convert_into(&wide, &t).unwrap();
                assert_eq!(wide.to_f64(), want, "{dtype} {shape:?} converted");
            }
        }
    }
}

#[test]
fn what_the_table_says_lies_row_by_row_does() {
    let mut random = Random(3);
    let mut checked = 0;
    for entry in sconce_schema::table().iter().filter(|e| e.has(Trait::Rows)) {
        for order in [[0, 2, 1], [2, 1, 0], [1, 0, 2]] {
            let t = Tensor::from_f64(&random.numbers(60, DType::F32), &[3, 4, 5], DType::F32).unwrap();
            let t = call("aten::permute", &[IValue::Tensor(t), IValue::int_list(&order)]);
            assert!(!t.is_contiguous());
            let last = t.sizes()[2];
            let argument = |a: &Argument| match &*a.name {
                "self" | "input" => IValue::Tensor(t.clone()),
                "normalized_shape" => IValue::int_list(&[last]),
                "dim" => IValue::Int(1),
                "half_to_float" => IValue::Bool(false),
                "eps" => IValue::Double(1e-5),
                _ => a.default.as_ref().map_or(IValue::None, |d| default_value(d, a)),
            };
            let args: Vec<IValue> = entry.schema().arguments.iter().map(argument).collect();
            let out = call(entry.name, &args);
            assert!(out.is_contiguous(), "{} of {:?}: {:?}", entry.name, t.strides(), out.strides());
            checked += 1;
        }
    }
    assert!(checked >= 21, "{checked}");
}
