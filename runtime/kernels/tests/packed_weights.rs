//! Weights that somebody relies on are packed or transformed once: results keep their bits, and a write to the weights is seen by the next call.

mod calling;

use calling::call;
use sconce_tensor::{IValue, Tensor};

fn numbers(sizes: &[i64]) -> Tensor {
    let count = sizes.iter().product::<i64>();
    Tensor::from_vec((0..count).map(|i| ((i * 37 % 101) as f32 - 50.3) / 13.0).collect::<Vec<_>>(), sizes)
}

fn value(op: &str, args: &[IValue]) -> IValue {
    call(op, args).unwrap_or_else(|e| panic!("{op}: {e}")).remove(0)
}

fn bits(v: &IValue) -> Vec<u32> {
    v.as_tensor().unwrap().to_vec::<f32>().into_iter().map(f32::to_bits).collect()
}

/// Calls by weights that nobody relies on, then by those that somebody does, before and after a write to them.
fn same_by_watched(op: &str, weights: &Tensor, arguments: impl Fn(&Tensor) -> Vec<IValue>) {
    let fresh = |w: &Tensor| Tensor::from_vec(w.to_vec::<f32>(), w.sizes());
    let watched = fresh(weights);
    watched.storage().watch();
    for round in 0..2 {
        let want = bits(&value(op, &arguments(&fresh(&watched))));
        for call in 0..2 {
            assert_eq!(want, bits(&value(op, &arguments(&watched))), "{op}, round {round}, call {call}");
        }
        value("aten::mul_.Scalar", &[IValue::Tensor(watched.clone()), IValue::Double(-1.5)]);
    }
}

#[test]
fn linear_and_products() {
    let x = IValue::Tensor(numbers(&[3, 65, 70]));
    same_by_watched("aten::linear", &numbers(&[130, 70]), |w| {
        vec![x.clone(), IValue::Tensor(w.clone()), IValue::Tensor(numbers(&[130]))]
    });
    same_by_watched("aten::matmul", &numbers(&[70, 130]), |w| vec![x.clone(), IValue::Tensor(w.clone())]);
    // Packed for one, the same weights serve the other.
    let w = numbers(&[70, 70]);
    w.storage().watch();
    let turned = value("aten::linear", &[x.clone(), value("aten::t", &[IValue::Tensor(w.clone())]), IValue::None]);
    let plain = value("aten::matmul", &[x.clone(), IValue::Tensor(w)]);
    assert_eq!(bits(&turned), bits(&plain));
}

#[test]
fn convolutions() {
    // With channels in vectors, by Winograd's way, in groups, and transposed.
    for (x, w, groups) in [
        ([2, 40, 7, 7], [70, 40, 3, 3], 1),
        ([1, 64, 7, 7], [96, 64, 1, 1], 1),
        ([1, 24, 30, 30], [32, 24, 3, 3], 1),
        ([2, 48, 30, 30], [32, 24, 3, 3], 2),
    ] {
        let ints = |n: i64| IValue::int_list(&[n, n]);
        let x = IValue::Tensor(numbers(&x));
        let padding = w[2] / 2;
        same_by_watched("aten::conv2d", &numbers(&w), |w| {
            let w = IValue::Tensor(w.clone());
            vec![x.clone(), w, IValue::None, ints(1), ints(padding), ints(1), IValue::Int(groups)]
        });
    }
    // The same kernels in one group and in two.
    let w = numbers(&[32, 24, 3, 3]);
    let watched = numbers(&[32, 24, 3, 3]);
    watched.storage().watch();
    for groups in [1, 2, 1] {
        let x = IValue::Tensor(numbers(&[1, 24 * groups, 30, 30]));
        let one = IValue::int_list(&[1, 1]);
        let by = |w: &Tensor| {
            let (w, one) = (IValue::Tensor(w.clone()), one.clone());
            bits(&value(
                "aten::conv2d",
                &[x.clone(), w, IValue::None, one.clone(), one.clone(), one, IValue::Int(groups)],
            ))
        };
        assert_eq!(by(&w), by(&watched), "{groups} groups");
    }
}
