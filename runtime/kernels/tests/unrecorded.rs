//! Operators that no recording calls: keys that are tensors, products in another dtype, enumerations, modes and assertions.

mod calling;
mod drawing;

use calling::call;
use sconce_schema::Type;
use sconce_tensor::{DType, Dict, EnumValue, IValue, Tensor};
use std::sync::Arc;

fn one(op: &str, args: &[IValue]) -> IValue {
    call(op, args).unwrap_or_else(|e| panic!("{op}: {e}"))[0].clone()
}

fn tensor(op: &str, args: &[IValue]) -> Tensor {
    one(op, args).as_tensor().unwrap_or_else(|e| panic!("{op}: {e}")).clone()
}

fn floats(data: &[f32], sizes: &[i64]) -> IValue {
    Tensor::from_vec(data.to_vec(), sizes).into()
}

fn int(i: i64) -> IValue {
    IValue::Int(i)
}

#[test]
fn a_dictionary_keyed_by_tensors_knows_them_by_identity() {
    let (a, b) = (floats(&[1.0], &[1]), floats(&[1.0], &[1]));
    let dict = IValue::Dict(Dict::new(Type::tensor(), Type::Int));
    call("aten::_set_item.Tensor", &[dict.clone(), a.clone(), int(1)]).unwrap();
    call("aten::_set_item.Tensor", &[dict.clone(), b.clone(), int(2)]).unwrap();
    let number = |op: &str, args: &[IValue]| one(op, args).as_int_or_bool().unwrap();
    assert_eq!(number("aten::len.Dict_Tensor", std::slice::from_ref(&dict)), 2);
    assert_eq!(number("aten::__contains__.Tensor", &[dict.clone(), a.clone()]), 1);
    assert_eq!(number("aten::__getitem__.Dict_Tensor", &[dict.clone(), b.clone()]), 2);
    assert_eq!(number("aten::get.Tensor", &[dict.clone(), a.clone()]), 1);
    let other = floats(&[1.0], &[1]);
    assert_eq!(number("aten::get.default_Tensor", &[dict.clone(), other.clone(), int(7)]), 7);
    assert_eq!(number("aten::setdefault.Tensor", &[dict.clone(), other.clone(), int(3)]), 3);
    let lengths = ["aten::keys.Tensor", "aten::values.Tensor", "aten::items.Tensor"]
        .map(|op| one(op, std::slice::from_ref(&dict)).as_list().unwrap().len());
    assert_eq!(lengths, [3, 3, 3]);
    let copy = one("aten::copy.Dict_Tensor", std::slice::from_ref(&dict));
    let again = one("aten::dict.Dict_Tensor", std::slice::from_ref(&dict));
    call("aten::Delete.Dict_Tensor", &[dict.clone(), other]).unwrap();
    assert_eq!(number("aten::pop.Dict_Tensor", &[dict.clone(), a.clone()]), 1);
    assert_eq!(number("aten::pop.Dict_default_Tensor", &[dict.clone(), a.clone(), int(9)]), 9);
    assert_eq!(number("aten::len.Dict_Tensor", std::slice::from_ref(&dict)), 1);
    call("aten::update.Tensor", &[dict.clone(), copy.clone()]).unwrap();
    call("aten::clear.Tensor", std::slice::from_ref(&copy)).unwrap();
    let pair = IValue::tuple(vec![a, int(1)]);
    let pairs = IValue::list(Type::Tuple([Type::tensor(), Type::Int].into_iter().collect()), vec![pair]);
    let made = one("aten::dict.Tensor", &[pairs]);
    assert_eq!(
        [&dict, &copy, &again, &made].map(|d| number("aten::len.Dict_Tensor", std::slice::from_ref(d))),
        [3, 0, 3, 1]
    );
}

#[test]
fn products_come_in_the_dtype_that_is_asked_for() {
    let half = |data: &[f32], sizes: &[i64]| -> IValue {
        tensor("aten::to.dtype", &[floats(data, sizes), DType::BF16.into()]).into()
    };
    let (a, b) = (half(&[1.0, 2.0, 3.0, 4.0], &[2, 2]), half(&[1.0, 0.0, 2.0, 1.0], &[2, 2]));
    let batch = |t: &IValue| -> IValue { tensor("aten::unsqueeze", &[t.clone(), int(0)]).into() };
    let wide: IValue = DType::F32.into();
    let bias = floats(&[1.0, 1.0], &[2]);
    for (op, args, want) in [
        ("aten::mm.dtype", vec![a.clone(), b.clone(), wide.clone()], [5.0, 2.0, 11.0, 4.0]),
        ("aten::bmm.dtype", vec![batch(&a), batch(&b), wide.clone()], [5.0, 2.0, 11.0, 4.0]),
        ("aten::addmm.dtype", vec![bias.clone(), a.clone(), b.clone(), wide.clone()], [6.0, 3.0, 12.0, 5.0]),
        ("aten::baddbmm.dtype", vec![batch(&bias), batch(&a), batch(&b), wide.clone()], [6.0, 3.0, 12.0, 5.0]),
    ] {
        let got = tensor(op, &args);
        assert_eq!((got.dtype(), got.to_vec::<f32>().as_slice()), (DType::F32, &want[..]), "{op}");
    }
    let bytes = |data: Vec<i8>| -> IValue { Tensor::from_vec(data, &[2, 2]).into() };
    let got = tensor("aten::_int_mm", &[bytes(vec![100, 2, 3, 4]), bytes(vec![100, 0, 2, 1])]);
    assert_eq!((got.dtype(), got.to_vec::<i32>().as_slice()), (DType::I32, &[10004, 2, 308, 4][..]));
}

#[test]
fn lists_are_scaled_by_the_elements_of_a_tensor() {
    let list = |x: f32| IValue::tensor_list(vec![Tensor::scalar(x), Tensor::scalar(2.0 * x)]);
    let scalars = floats(&[10.0, 100.0], &[2]);
    let values =
        |v: &IValue| -> Vec<f32> { v.as_tensor_list().unwrap().iter().map(|t| t.item::<f32>().unwrap()).collect() };
    let products = one("aten::_foreach_addcmul.Tensor", &[list(1.0), list(2.0), list(3.0), scalars.clone()]);
    assert_eq!(values(&products), [61.0, 2402.0]);
    let quotients = one("aten::_foreach_addcdiv.Tensor", &[list(1.0), list(6.0), list(2.0), scalars.clone()]);
    assert_eq!(values(&quotients), [31.0, 302.0]);
    let target = list(1.0);
    call("aten::_foreach_addcmul_.Tensor", &[target.clone(), list(2.0), list(3.0), scalars]).unwrap();
    assert_eq!(values(&target), [61.0, 2402.0]);
}

#[test]
fn members_of_enumerations_know_their_names_and_values() {
    let member = |name: &str, value: IValue| {
        IValue::Enum(Arc::new(EnumValue { class: "__torch__.Color".into(), name: name.into(), value }))
    };
    let (red, blue) = (member("RED", int(1)), member("BLUE", IValue::Double(2.5)));
    assert_eq!(one("prim::EnumName", std::slice::from_ref(&red)).as_str().unwrap(), "RED");
    assert_eq!(one("prim::EnumValue.int", std::slice::from_ref(&red)).as_int().unwrap(), 1);
    assert_eq!(one("prim::EnumValue.float", std::slice::from_ref(&blue)).as_double().unwrap(), 2.5);
    assert_eq!(one("prim::EnumValue.str", &[member("X", "x".into())]).as_str().unwrap(), "x");
    assert!(one("aten::eq.enum", &[red.clone(), red.clone()]).as_bool().unwrap());
    assert!(one("aten::ne.enum", &[red, blue]).as_bool().unwrap());
}

#[test]
fn modes_and_assertions() {
    assert!(one("aten::is_grad_enabled", &[]).as_bool().unwrap());
    call("aten::set_grad_enabled", &[false.into()]).unwrap();
    assert!(!one("aten::is_grad_enabled", &[]).as_bool().unwrap());
    call("aten::set_grad_enabled", &[true.into()]).unwrap();
    call("aten::_assert_scalar", &[int(1), "never".into()]).unwrap();
    assert_eq!(call("aten::_assert_scalar", &[int(0), "too small".into()]).unwrap_err().to_string(), "too small");
    call("aten::_assert_async", &[floats(&[1.0], &[])]).unwrap();
    let zero = floats(&[0.0], &[1]);
    let message = "Expected Tensor with single nonzero value, but got zero";
    assert_eq!(call("aten::_assert_async", std::slice::from_ref(&zero)).unwrap_err().to_string(), message);
    assert_eq!(call("aten::_assert_async.msg", &[zero, "none".into()]).unwrap_err().to_string(), "none");
    let t = floats(&[1.0, 2.0], &[2]);
    call("aten::_assert_tensor_metadata", &[t.clone(), IValue::int_list(&[2])]).unwrap();
    assert!(call("aten::_assert_tensor_metadata", &[t.clone(), IValue::int_list(&[3])]).is_err());
    call("aten::sym_constrain_range", &[int(3), int(1), int(4)]).unwrap();
    assert!(call("aten::sym_constrain_range", &[int(5), int(1), int(4)]).is_err());
    call("aten::sym_constrain_range_for_size", &[int(3)]).unwrap();
    assert!(!one("prim::requires_grad", std::slice::from_ref(&t)).as_bool().unwrap());
    call("prim::Uninitialized", &[]).unwrap();
    call("aten::warn", &["a warning of a test".into()]).unwrap();
    let list = one("prim::tolist", &[t, int(1), int(1)]);
    assert_eq!(list.as_list().unwrap().len(), 2);
}

#[test]
fn equal_seeds_draw_equally() {
    let _alone = drawing::the_generator();
    let draw = |seed: i64| {
        call("aten::manual_seed", &[int(seed)]).unwrap();
        tensor("aten::rand", &[IValue::int_list(&[4])]).to_vec::<f32>()
    };
    assert_eq!(draw(7), draw(7));
    let generator = sconce_tensor::mersenne::generator(1);
    call("aten::manual_seed.generator", &[IValue::Generator(generator), int(7)]).unwrap();
}

#[test]
fn attention_and_encoder_layers_give_what_goes_in_its_shape() {
    let _alone = drawing::the_generator();
    let uniform = |sizes: &[i64]| -> IValue { tensor("aten::rand", &[IValue::int_list(sizes)]).into() };
    let x = uniform(&[2, 3, 4]);
    let weights = [uniform(&[12, 4]), uniform(&[12]), uniform(&[4, 4]), uniform(&[4])];
    let mut args = vec![x.clone(), x.clone(), x.clone(), int(4), int(2)];
    args.extend(weights.clone());
    assert_eq!(tensor("aten::_native_multi_head_attention", &args).sizes(), [2, 3, 4]);
    let mut args = vec![x, int(4), int(2)];
    args.extend(weights);
    args.extend([false.into(), false.into(), IValue::Double(1e-5)]);
    args.extend([uniform(&[4]), uniform(&[4]), uniform(&[4]), uniform(&[4])]);
    args.extend([uniform(&[8, 4]), uniform(&[8]), uniform(&[4, 8]), uniform(&[4])]);
    assert_eq!(tensor("aten::_transformer_encoder_layer_fwd", &args).sizes(), [2, 3, 4]);
}

#[test]
fn recurrent_layers_drop_what_one_hands_to_the_next() {
    let _alone = drawing::the_generator();
    let uniform = |sizes: &[i64]| -> IValue { tensor("aten::rand", &[IValue::int_list(sizes)]).into() };
    let (x, h) = (uniform(&[4, 3, 2]), uniform(&[2, 3, 2]));
    let params: Vec<Tensor> = (0..4).map(|_| uniform(&[2, 2]).as_tensor().unwrap().clone()).collect();
    let run = |op: &str, x: &[IValue], dropout: f64, train: bool| -> Vec<f32> {
        let flags = [false.into(), int(2), IValue::Double(dropout), train.into(), false.into(), false.into()];
        let flags = &flags[..if x.len() == 2 { 5 } else { 6 }];
        let args = [x, &[h.clone(), IValue::tensor_list(params.clone())], flags].concat();
        tensor(op, &args).to_vec::<f32>()
    };
    let dense = |dropout: f64, train: bool| run("aten::rnn_relu.input", std::slice::from_ref(&x), dropout, train);
    let rows: IValue = tensor("aten::reshape", &[x.clone(), IValue::int_list(&[12, 2])]).into();
    let batches: IValue = Tensor::from_vec(vec![3i64; 4], &[4]).into();
    assert_eq!(run("aten::rnn_relu.data", &[rows, batches], 0.0, true), dense(0.0, true));
    assert_eq!(dense(0.5, false), dense(0.0, false));
    let seeded = || {
        call("aten::manual_seed", &[int(3)]).unwrap();
        dense(0.5, true)
    };
    assert_ne!(seeded(), dense(0.0, true));
    assert_eq!(seeded(), seeded());
}

#[test]
fn attention_without_weights_is_nothing() {
    let _alone = drawing::the_generator();
    let x: IValue = tensor("aten::rand", &[IValue::int_list(&[2, 3, 4])]).into();
    let args = [x.clone(), x.clone(), x, IValue::None, IValue::Double(1.0)];
    assert_eq!(tensor("aten::scaled_dot_product_attention", &args).to_vec::<f32>(), [0.0; 24]);
}

#[test]
fn what_is_not_here_is_said() {
    let message = call("aten::to_mkldnn", &[floats(&[1.0], &[1, 1])]);
    assert_eq!(message.unwrap_err().to_string(), "aten::to_mkldnn needs the oneDNN library");
}

#[test]
fn containers_of_modules_are_indexed_by_number_and_by_name() {
    let names: Arc<[Arc<str>]> = ["0".into(), "first".into()].into();
    let container = sconce_tensor::Object::new("__torch__.Container".into(), names);
    assert!(container.set(0, int(5)) && container.set(1, int(6)));
    let container = IValue::Object(container);
    assert_eq!(one("prim::ModuleContainerIndex.list", &[container.clone(), int(0)]).as_int().unwrap(), 5);
    assert_eq!(one("prim::ModuleContainerIndex.dict", &[container.clone(), "first".into()]).as_int().unwrap(), 6);
    assert!(call("prim::ModuleContainerIndex.dict", &[container, "second".into()]).is_err());
}

#[test]
fn older_convolutions_are_convolutions() {
    let (none, ones) = (IValue::None, |n: usize| IValue::int_list(&vec![1; n]));
    let (two, zero) = (|n: usize| IValue::int_list(&vec![2; n]), |n: usize| IValue::int_list(&vec![0; n]));
    let values = |op: &str, args: &[IValue]| tensor(op, args).to_vec::<f32>();
    let counted = |n: i64, sizes: &[i64]| floats(&(0..n).map(|i| i as f32).collect::<Vec<_>>(), sizes);
    let (flat, square) = (counted(5, &[1, 1, 5]), counted(9, &[1, 1, 3, 3]));
    let (pair, window) = (floats(&[1.0; 2], &[1, 1, 2]), floats(&[1.0; 4], &[1, 1, 2, 2]));
    let padded = |how: &str| {
        let args = [flat.clone(), pair.clone(), none.clone(), ones(1), IValue::str(how), ones(1), int(1)];
        values("aten::_convolution_mode", &args)
    };
    assert_eq!(padded("same"), [1.0, 3.0, 5.0, 7.0, 4.0]);
    assert_eq!(padded("valid"), [1.0, 3.0, 5.0, 7.0]);
    let plain = [square.clone(), window.clone(), two(2), none.clone(), ones(2), zero(2)];
    assert_eq!(values("aten::thnn_conv2d", &plain), [8.0, 12.0, 20.0, 24.0]);
    let spread = [square, window, two(2), none.clone(), ones(2), zero(2), two(2)];
    assert_eq!(values("aten::slow_conv_dilated2d", &spread), [16.0]);
    let (cube, block) = (counted(8, &[1, 1, 2, 2, 2]), floats(&[1.0; 8], &[1, 1, 2, 2, 2]));
    let mut deep = vec![cube, block, two(3), none, ones(3), zero(3)];
    assert_eq!(values("aten::slow_conv3d", &deep), [28.0]);
    deep.push(ones(3));
    assert_eq!(values("aten::slow_conv_dilated3d", &deep), [28.0]);
}

#[test]
fn nothing_is_cast_automatically_and_no_gradient_is_computed() {
    for op in ["aten::is_autocast_enabled", "aten::is_autocast_cpu_enabled"] {
        assert!(!one(op, &[]).as_bool().unwrap(), "{op}");
    }
    let dtype = |device: &str| one("aten::get_autocast_dtype", &[IValue::str(device)]).as_int().unwrap();
    assert_eq!([dtype("cpu"), dtype("cuda")], [DType::BF16, DType::F16].map(|d| IValue::from(d).as_int().unwrap()));
    let x = floats(&[1.0], &[1]);
    assert!(tensor("aten::requires_grad_", &[x.clone(), IValue::Bool(true)]).requires_grad());
    assert!(one("prim::grad", std::slice::from_ref(&x)).is_none());
    assert!(!tensor("aten::requires_grad_", &[x, IValue::Bool(false)]).requires_grad());
    let whole: IValue = Tensor::from_vec(vec![1i64], &[1]).into();
    let error = call("aten::requires_grad_", &[whole, IValue::Bool(true)]).expect_err("an integer");
    assert_eq!(error.to_string(), "Only Tensors of floating point and complex dtype can require gradients");
}
