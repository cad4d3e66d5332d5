//! Argument specs depend on what PyTorch's depend on, and on nothing else; strategies read and keep what PyTorch's do.

mod build;

use build::{executor, first_of, recorded, recordings};
use proptest::prelude::*;
use sconce_executor::{ArgumentSpec, DebugState, ExecutorMode, FusionStrategy, Settings};
use sconce_interpreter::Options;
use sconce_kernels::grad;
use sconce_schema::{DType, Type};
use sconce_tensor::{IValue, Tensor, TensorMetadata};

#[test]
fn plans_are_as_many_as_pytorch_makes() {
    let rows = recordings("specializations.json");
    assert!(rows.len() >= 26);
    for row in rows {
        let settings = Settings { mode: ExecutorMode::Traditional, ..Settings::default() };
        let executor = executor(first_of(5), settings);
        let before = grad::enable(row["gradients"] == true);
        for call in ["base", "call"] {
            let IValue::Tuple(inputs) = recorded(&row[call]) else { panic!("a call is a tuple") };
            executor.run(inputs.items.to_vec(), &Options::default()).unwrap();
        }
        grad::enable(before);
        let DebugState::Ready { plans, counters, .. } = executor.debug_state() else { panic!("nothing is watched") };
        assert_eq!(plans.len() as u64, row["plans"].as_u64().unwrap(), "{}\n{}", row["name"], executor.debug_state());
        assert_eq!((counters.misses, counters.hits), (plans.len() as u64, 2 - plans.len() as u64));
    }
}

#[test]
fn strategies_read_as_pytorch_reads_them() {
    for row in recordings("strategies.json") {
        let words = |key: &str| {
            let parts = row[key].as_array()?.iter().map(|p| format!("{} {}", p[0].as_str().unwrap(), p[1]));
            Some(parts.collect::<Vec<_>>().join(", "))
        };
        if let Some(depth) = row["default depth"].as_u64() {
            assert_eq!(u64::from(FusionStrategy::default().depth()), depth);
        } else if let Some(depth) = row["bailout depth"].as_u64() {
            let strategy = FusionStrategy::of_bailout_depth(depth as u32).unwrap();
            assert_eq!(Some(strategy.to_string()), words("kept"));
        } else {
            match words("given").unwrap().parse::<FusionStrategy>() {
                Ok(strategy) => assert_eq!(Some(strategy.to_string()), words("kept")),
                Err(e) => assert_eq!(Some(&*e.to_string()), row["error"].as_str()),
            }
        }
    }
    for bad in ["STATIC", "STATIC x", "STATIC -1", "STATIC 4294967296", "STATIC 200, DYNAMIC 200"] {
        assert!(bad.parse::<FusionStrategy>().is_err(), "{bad}");
    }
}

/// What a spec may see of a value.
#[derive(Clone, PartialEq, Debug)]
enum Seen {
    Tensor { dtype: DType, rank: usize, grad: bool },
    Tuple(Vec<Seen>),
    None,
    Other(u8),
}

fn seen() -> impl Strategy<Value = Seen> {
    let dtype = prop_oneof![Just(DType::F32), Just(DType::F64), Just(DType::F16)];
    let leaf = prop_oneof![
        4 => (dtype, 0..4usize, any::<bool>()).prop_map(|(dtype, rank, grad)| Seen::Tensor { dtype, rank, grad }),
        1 => Just(Seen::None),
        2 => (0..5u8).prop_map(Seen::Other),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| prop::collection::vec(inner, 0..3).prop_map(Seen::Tuple))
}

/// A value that looks so; all else of it is drawn from `seed`.
fn value(seen: &Seen, seed: &mut u64) -> IValue {
    let mut draw = |below: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    };
    match seen {
        Seen::Tensor { dtype, rank, grad } => {
            let sizes: Vec<i64> = (0..*rank).map(|_| draw(4) as i64).collect();
            let strides: Vec<i64> = (0..*rank).map(|_| draw(5) as i64).collect();
            let metadata = Tensor::zeros(&[64], *dtype).unwrap().metadata();
            let offset = draw(8) as i64;
            let tensor =
                Tensor::new(TensorMetadata { sizes: sizes.into(), strides: strides.into(), offset, ..metadata });
            let tensor = tensor.unwrap();
            tensor.set_requires_grad(*grad);
            if draw(2) == 0 {
                tensor.bump_version();
            }
            IValue::Tensor(tensor)
        }
        Seen::Tuple(items) => IValue::tuple(items.iter().map(|s| value(s, seed)).collect::<Vec<_>>()),
        Seen::None => IValue::None,
        Seen::Other(0) => IValue::Int(draw(9) as i64),
        Seen::Other(1) => IValue::Double(draw(9) as f64),
        Seen::Other(2) => IValue::str(format!("{}", draw(9))),
        Seen::Other(3) => IValue::int_list(&vec![3; draw(4) as usize]),
        Seen::Other(_) => {
            let tensors =
                (0..draw(3)).map(|i| IValue::Tensor(Tensor::from_vec(vec![0f64; 2], &[2, 1][..1 + i as usize % 2])));
            IValue::list(Type::tensor(), tensors.collect::<Vec<_>>())
        }
    }
}

/// What a spec does see: without gradients none is asked for, and of what is no tensor only that it is there.
fn told_apart(seen: &Seen, gradients: bool) -> Seen {
    match seen {
        Seen::Tensor { dtype, rank, grad } => Seen::Tensor { dtype: *dtype, rank: *rank, grad: *grad && gradients },
        Seen::Tuple(items) => Seen::Tuple(items.iter().map(|s| told_apart(s, gradients)).collect()),
        Seen::None => Seen::None,
        Seen::Other(_) => Seen::Other(0),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Calls have one spec exactly if what it may see of them is equal.
    #[test]
    fn nothing_else_matters(
        a in prop::collection::vec(seen(), 0..4),
        b in prop::collection::vec(seen(), 0..4),
        alike in any::<bool>(),
        gradients in any::<bool>(),
        mut seeds in any::<(u64, u64)>(),
    ) {
        let b = if alike { a.clone() } else { b };
        let before = grad::enable(gradients);
        let first: Vec<IValue> = a.iter().map(|s| value(s, &mut seeds.0)).collect();
        let second: Vec<IValue> = b.iter().map(|s| value(s, &mut seeds.1)).collect();
        let (one, other) = (ArgumentSpec::new(&first), ArgumentSpec::new(&second));
        let hashes = (ArgumentSpec::hash_of(&first), ArgumentSpec::hash_of(&second));
        let described = (one.describes(&second), other.describes(&first), one.describes(&first));
        grad::enable(before);
        let told = |list: &[Seen]| list.iter().map(|s| told_apart(s, gradients)).collect::<Vec<_>>();
        let equal = told(&a) == told(&b);
        prop_assert_eq!(described, (equal, equal, true));
        prop_assert!(!equal || hashes.0 == hashes.1);
    }
}
