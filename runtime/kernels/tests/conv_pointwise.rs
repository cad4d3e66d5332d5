//! A convolution that does what its results go through gives the bits of the operators one after the other.

mod calling;

use calling::call;
use sconce_kernels::cast;
use sconce_schema::Type;
use sconce_schema::fusion::{BINARY, UNARY};
use sconce_tensor::{DType, IValue, Tensor};

/// Numbers on both sides of nought, none of them round.
fn numbers(sizes: &[i64], dtype: DType) -> Tensor {
    let count = sizes.iter().product::<i64>();
    let data = (0..count).map(|i| ((i * 37 % 101) as f32 - 50.3) / 13.0).collect::<Vec<_>>();
    cast::convert(&Tensor::from_vec(data, sizes), dtype).unwrap()
}

fn ints(n: i64) -> IValue {
    IValue::int_list(&[n, n])
}

fn value(op: &str, args: &[IValue]) -> IValue {
    call(op, args).unwrap_or_else(|e| panic!("{op}: {e}")).remove(0)
}

fn bits(v: &IValue) -> Vec<u64> {
    let wide = cast::convert(v.as_tensor().unwrap(), DType::F64).unwrap();
    wide.to_vec::<f64>().into_iter().map(f64::to_bits).collect()
}

/// The scalars and the algorithms that a word is tried with.
fn settings(word: &str) -> Vec<(Vec<f64>, Option<&'static str>)> {
    match word {
        "leaky_relu" => vec![(vec![0.1], None)],
        "hardtanh" => vec![(vec![0.0, 6.0], Some(""))],
        "gelu" => vec![(vec![], Some("none")), (vec![], Some("tanh"))],
        _ => vec![(vec![], None)],
    }
}

/// Input, weight, stride, padding, groups: by the ways of `sconce_gemm`, and one without a batch.
const CASES: [([i64; 4], [i64; 4], i64, i64, i64); 7] = [
    ([2, 24, 9, 11], [32, 24, 1, 1], 1, 0, 1),
    ([1, 16, 20, 20], [24, 16, 3, 3], 1, 1, 1),
    ([2, 24, 30, 30], [32, 24, 3, 3], 1, 1, 1),
    ([2, 6, 15, 17], [6, 1, 3, 3], 2, 1, 6),
    ([1, 300, 7, 7], [300, 1, 5, 5], 1, 2, 300),
    ([1, 8, 12, 12], [12, 2, 3, 3], 2, 1, 4),
    ([1, 320, 8, 8], [64, 320, 1, 1], 2, 0, 1),
];

#[test]
fn bits_are_those_of_one_operator_after_the_other() {
    let mut compared = 0;
    for (dtype, (x, w, stride, padding, groups)) in
        [DType::F32, DType::F64, DType::BF16].into_iter().flat_map(|d| CASES.map(|c| (d, c)))
    {
        let [x, w, bias] = [numbers(&x, dtype), numbers(&w, dtype), numbers(&w[..1], dtype)].map(IValue::Tensor);
        let [stride, padding, dilation, groups] = [ints(stride), ints(padding), ints(1), IValue::Int(groups)];
        let plain = [&x, &w, &bias, &stride, &padding, &dilation, &groups].map(Clone::clone);
        let made = value("aten::conv2d", &plain);
        let other = IValue::Tensor(numbers(made.as_tensor().unwrap().sizes(), dtype));
        let told = [&x, &w, &bias, &padding, &stride, &dilation, &groups].map(Clone::clone);
        for (word, op) in UNARY {
            for (scalars, algorithm) in settings(word) {
                let scalars: Vec<IValue> = scalars.into_iter().map(IValue::Double).collect();
                let list = IValue::list(Type::optional(Type::Number), scalars.clone());
                let how = [IValue::from(word), list, algorithm.map_or(IValue::None, IValue::from)];
                let further = algorithm.filter(|a| !a.is_empty()).map(IValue::from);
                let after = |v: IValue| {
                    let args: Vec<IValue> = [v].into_iter().chain(scalars.clone()).chain(further.clone()).collect();
                    value(op, &args)
                };
                let got = value("mkldnn::_convolution_pointwise", &[&told[..], &how[..]].concat());
                assert_eq!(bits(&after(made.clone())), bits(&got), "{word} of {:?}", plain[1]);
                for (binary, op) in BINARY {
                    let first = [told[0].clone(), other.clone()];
                    let how = [&[IValue::from(binary), IValue::None][..], &how].concat();
                    let args = [&first[..], &told[1..], &how].concat();
                    let got = value("mkldnn::_convolution_pointwise.binary", &args);
                    let want = after(value(op, &[made.clone(), other.clone()]));
                    assert_eq!(bits(&want), bits(&got), "{binary} and {word} of {:?}", plain[1]);
                    compared += 1;
                }
            }
        }
    }
    assert_eq!(compared, 3 * CASES.len() * 10 * BINARY.len());
}

/// What PyTorch 2.15 says.
#[test]
fn words_that_stand_for_nothing_are_refused() {
    let [x, w] = [numbers(&[1, 1, 3, 3], DType::F32), numbers(&[1, 1, 1, 1], DType::F32)].map(IValue::Tensor);
    let told = [w, IValue::None, ints(0), ints(1), ints(1), IValue::Int(1)];
    let none = IValue::list(Type::optional(Type::Number), []);
    let of = |name: &str, args: &[&[IValue]]| call(name, &args.concat()).unwrap_err().to_string();
    let [first, pair] = [vec![x.clone()], vec![x.clone(), x]];
    let unary = [IValue::from("silu"), none.clone(), IValue::None];
    assert_eq!(of("mkldnn::_convolution_pointwise", &[&first, &told, &unary]), "Fusion behavior undefined.");
    let mut binary = [IValue::from("max"), IValue::None, IValue::None, none, IValue::None];
    let name = "mkldnn::_convolution_pointwise.binary";
    assert_eq!(of(name, &[&pair, &told, &binary]), "Binary Fusion behavior undefined.");
    binary[..2].clone_from_slice(&[IValue::from("add"), IValue::Double(2.0)]);
    let alpha = "mkldnn_convolution_pointwise_binary: the alpha value should be none or 1.0";
    assert_eq!(of(name, &[&pair, &told, &binary]), alpha);
}
