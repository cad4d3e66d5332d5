//! What a nested tensor is made of, what it becomes, and who refuses it; dropout inside attention and between recurrent layers.

mod calling;
mod drawing;

use calling::call;
use sconce_tensor::{Bool, IValue, Tensor};

fn tensor(op: &str, args: &[IValue]) -> Tensor {
    call(op, args).unwrap_or_else(|e| panic!("{op}: {e}"))[0].as_tensor().unwrap().clone()
}

fn mask(rows: &[&[u8]]) -> IValue {
    let flat = rows.iter().flat_map(|r| r.iter().map(|b| Bool::new(*b == 1))).collect();
    Tensor::from_vec(flat, &[rows.len() as i64, rows[0].len() as i64]).into()
}

/// Two matrices of three rows of two, 1 to 12.
fn matrices() -> IValue {
    Tensor::from_vec((1..=12).map(|i| i as f32).collect(), &[2, 3, 2]).into()
}

fn nested(rows: &[&[u8]]) -> IValue {
    tensor("aten::_nested_tensor_from_mask", &[matrices(), mask(rows), false.into()]).into()
}

#[test]
fn a_nested_tensor_keeps_what_its_mask_shows() {
    let n = nested(&[&[1, 1, 0], &[1, 0, 0]]);
    let padded = tensor("aten::to_padded_tensor", &[n.clone(), IValue::Double(9.0)]);
    assert_eq!(padded.sizes(), [2, 2, 2]);
    assert_eq!(padded.to_vec::<f32>(), [1.0, 2.0, 3.0, 4.0, 7.0, 8.0, 9.0, 9.0]);
    let wide = [n.clone(), IValue::Double(0.0), IValue::int_list(&[2, 4, 3])];
    let wide = tensor("aten::to_padded_tensor", &wide);
    assert_eq!(wide.sizes(), [2, 4, 3]);
    assert_eq!(wide.to_vec::<f32>()[..9], [1.0, 2.0, 0.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0]);
    let small = [n, IValue::Double(0.0), IValue::int_list(&[2, 1, 2])];
    let error = call("aten::to_padded_tensor", &small).unwrap_err().to_string();
    assert!(error.contains("Truncation is not supported"), "{error}");
}

#[test]
fn masks_with_gaps_are_told() {
    let aligned = |rows: &[&[u8]]| {
        let out = call("aten::_nested_tensor_from_mask_left_aligned", &[matrices(), mask(rows)]).unwrap();
        out[0].as_bool().unwrap()
    };
    assert!(aligned(&[&[1, 1, 1], &[0, 0, 0]]));
    assert!(!aligned(&[&[1, 0, 1], &[1, 0, 0]]));
    assert!(!aligned(&[&[1, 0, 0], &[0, 1, 1]]));
    let error = call("aten::_nested_tensor_from_mask", &[matrices(), mask(&[&[0, 1, 1], &[1, 1, 1]]), true.into()]);
    assert_eq!(error.unwrap_err().to_string(), "Mask must be left-aligned without gaps");
    let narrow = call("aten::_nested_tensor_from_mask_left_aligned", &[matrices(), mask(&[&[1, 1], &[1, 1]])]);
    assert!(narrow.unwrap_err().to_string().contains("should match"));
}

#[test]
fn other_operators_refuse_a_nested_tensor() {
    let n = nested(&[&[1, 1, 0], &[1, 0, 0]]);
    assert!(call("prim::is_nested", std::slice::from_ref(&n)).unwrap()[0].as_bool().unwrap());
    assert!(!call("prim::is_nested", &[matrices()]).unwrap()[0].as_bool().unwrap());
    assert_eq!(call("aten::dim", std::slice::from_ref(&n)).unwrap()[0].as_int().unwrap(), 3);
    for op in ["aten::relu", "aten::clone", "aten::relu_"] {
        let error = call(op, std::slice::from_ref(&n)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("Could not run '{op}'")), "{error}");
    }
    let error = call("aten::cat", &[IValue::tensor_list(vec![n.as_tensor().unwrap().clone()])]).unwrap_err();
    assert!(error.to_string().contains("NestedTensorCPU"), "{error}");
    let plain = call("aten::to_padded_tensor", &[matrices(), IValue::Double(0.0)]);
    assert!(plain.unwrap_err().to_string().contains("'CPU' backend"));
}

#[test]
fn attention_drops_weights_as_dropout_does() {
    let _alone = drawing::the_generator();
    let seed = || call("aten::manual_seed", &[IValue::Int(7)]).unwrap();
    let ones = |sizes: &[i64]| -> IValue { tensor("aten::ones", &[IValue::int_list(sizes)]).into() };
    // Equal scores: each weight is a third, and the value that comes out the sum of what stays.
    let (q, k, v) = (ones(&[1, 4, 2]), ones(&[1, 3, 2]), ones(&[1, 3, 1]));
    seed();
    let args = [q, k, v, IValue::None, IValue::Double(0.5)];
    let out = tensor("aten::scaled_dot_product_attention", &args);
    seed();
    let thirds = tensor("aten::full", &[IValue::int_list(&[1, 4, 3]), IValue::Double(1.0 / 3.0)]);
    let dropped = tensor("aten::dropout", &[thirds.into(), IValue::Double(0.5), true.into()]);
    let want = tensor("aten::sum.dim_IntList", &[dropped.into(), IValue::int_list(&[-1]), true.into()]);
    for (got, want) in out.to_vec::<f32>().iter().zip(want.to_vec::<f32>()) {
        assert!((got - want).abs() < 1e-6, "{got} {want}");
    }
}

#[test]
fn packed_sequences_of_one_length_go_through_layers_as_unpacked_ones_do() {
    let _alone = drawing::the_generator();
    let seed = || call("aten::manual_seed", &[IValue::Int(3)]).unwrap();
    seed();
    let draw = |sizes: &[i64]| tensor("aten::randn", &[IValue::int_list(sizes)]);
    // Two layers of two units without biases over three steps of a batch of two.
    let (x, h) = (draw(&[3, 2, 4]), draw(&[2, 2, 2]));
    let params = IValue::tensor_list(vec![draw(&[2, 4]), draw(&[2, 2]), draw(&[2, 2]), draw(&[2, 2])]);
    let flags = |dropout: f64, train: bool| -> [IValue; 5] {
        [false.into(), IValue::Int(2), IValue::Double(dropout), train.into(), false.into()]
    };
    let run = |packed: bool, dropout: f64, train: bool| {
        seed();
        let flags = flags(dropout, train);
        let (name, first, last): (_, Vec<IValue>, &[IValue]) = if packed {
            let rows = tensor("aten::reshape", &[x.clone().into(), IValue::int_list(&[6, 4])]);
            ("aten::rnn_relu.data", vec![rows.into(), Tensor::from_vec(vec![2i64; 3], &[3]).into()], &[])
        } else {
            ("aten::rnn_relu.input", vec![x.clone().into()], &[IValue::Bool(false)])
        };
        let args = [first.as_slice(), &[h.clone().into(), params.clone()], &flags, last].concat();
        tensor(name, &args).to_vec::<f32>()
    };
    let (whole, dropped) = (run(false, 0.0, true), run(false, 0.5, true));
    assert_eq!(run(true, 0.0, true), whole);
    assert_eq!(run(true, 0.5, true), dropped);
    assert_eq!(run(false, 0.5, false), whole, "nothing is dropped outside of training");
    assert_ne!(whole, dropped);
    // With everything dropped the second layer has only its own state.
    assert_ne!(run(false, 1.0, true), dropped);
}

#[test]
fn a_length_beyond_the_input_counts_steps_without_rows() {
    let lengths = Tensor::from_vec(vec![3i64, 1], &[2]);
    let out = call("aten::_pack_padded_sequence", &[matrices(), lengths.into(), true.into()]).unwrap();
    assert_eq!(out[0].as_tensor().unwrap().sizes(), [4, 2]);
    let lengths = Tensor::from_vec(vec![5i64, 1], &[2]);
    let out = call("aten::_pack_padded_sequence", &[matrices(), lengths.into(), true.into()]).unwrap();
    assert_eq!(out[0].as_tensor().unwrap().sizes(), [4, 2]);
    assert_eq!(out[1].as_tensor().unwrap().to_vec::<i64>(), [2, 1, 1, 1, 1]);
}
