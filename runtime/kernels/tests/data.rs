//! What programs rely on when they move data: aliasing, identity, Python's arithmetic, PyTorch's random streams, and that no input ends the process.

mod calling;

use calling::call;
use sconce_kernels::{Bound, Destinations};
use sconce_schema::Type;
use sconce_schema::shape::{Meta, Size, TensorMeta, infer};
use sconce_tensor::{DType, IValue, Tensor, TensorMetadata, contiguous_strides};

fn tensor(op: &str, args: &[IValue]) -> Tensor {
    call(op, args).unwrap_or_else(|e| panic!("{op}: {e}"))[0].as_tensor().expect("a tensor").clone()
}

fn message(op: &str, args: &[IValue]) -> String {
    match call(op, args) {
        Ok(r) => panic!("{op} gave {r:?}"),
        Err(e) => e.to_string(),
    }
}

fn counted(sizes: &[i64]) -> Tensor {
    Tensor::from_vec((0..sizes.iter().product()).collect::<Vec<i64>>(), sizes)
}

fn int(i: i64) -> IValue {
    IValue::Int(i)
}

fn ints(list: &[i64]) -> IValue {
    IValue::int_list(list)
}

#[test]
fn views_share_storage_and_writes_show_through() {
    let t = counted(&[3, 4]);
    let column = tensor("aten::select.int", &[t.clone().into(), int(1), int(-1)]);
    let row = tensor("aten::slice.Tensor", &[t.clone().into(), int(0), int(1), int(2)]);
    let turned = tensor("aten::transpose.int", &[t.clone().into(), int(0), int(1)]);
    for view in [&column, &row, &turned] {
        assert!(view.shares_storage(&t));
    }
    call("aten::fill_.Scalar", &[column.clone().into(), int(7)]).unwrap();
    assert_eq!(t.to_vec::<i64>(), [0, 1, 2, 7, 4, 5, 6, 7, 8, 9, 10, 7]);
    call("aten::copy_", &[turned.into(), tensor("aten::zeros", &[ints(&[4, 1])]).into()]).unwrap();
    assert_eq!(row.to_vec::<i64>(), [0; 4]);
    // A reshape that strides can say is a view, another is a copy.
    let flat = tensor("aten::reshape", &[t.clone().into(), ints(&[-1])]);
    assert!(flat.shares_storage(&t));
    let turned = tensor("aten::t", &[t.clone().into()]);
    assert!(!tensor("aten::reshape", &[turned.clone().into(), ints(&[-1])]).shares_storage(&t));
    assert!(message("aten::view", &[turned.into(), ints(&[-1])]).contains("Use .reshape(...) instead"));
}

#[test]
fn conversions_keep_the_tensor_when_nothing_changes() {
    let t = counted(&[2, 2]);
    assert!(tensor("aten::to.dtype", &[t.clone().into(), DType::I64.into()]).is(&t));
    assert!(tensor("aten::contiguous", &[t.clone().into()]).is(&t));
    let f = tensor("aten::to.dtype", &[t.clone().into(), DType::F32.into()]);
    assert_eq!((f.dtype(), f.to_vec::<f32>()), (DType::F32, vec![0., 1., 2., 3.]));
    assert!(!tensor("aten::clone", &[t.clone().into()]).shares_storage(&t));
}

#[test]
fn symbolic_sizes_pass_through_views_and_joins() {
    let meta = |sizes: &[Size]| {
        Meta::Tensor(TensorMeta {
            dtype: Some(DType::F32),
            sizes: Some(sizes.into()),
            device: None,
            wrapped_number: false,
        })
    };
    let sizes = |op: &str, args: &[Meta]| {
        let entry = sconce_schema::lookup(op).unwrap();
        match infer(entry, args).unwrap().unwrap().remove(0) {
            Meta::Tensor(t) => t.sizes.unwrap().to_vec(),
            other => panic!("{other:?}"),
        }
    };
    let (s, n) = (Size::Symbol(0), |n| Size::Known(n));
    let number = |i| Meta::Int(Size::Known(i));
    assert_eq!(sizes("aten::transpose.int", &[meta(&[s, n(3)]), number(0), number(1)]), [n(3), s]);
    let shape = Meta::List(vec![number(-1), number(3)]);
    assert_eq!(sizes("aten::view", &[meta(&[s, n(3)]), shape]), [s, n(3)]);
    let list = Meta::List(vec![meta(&[s, n(3)]), meta(&[s, n(4)])]);
    assert_eq!(sizes("aten::cat", &[list, number(1)]), [s, n(7)]);
    // A slice of a size that is not known is not known either, but nothing is invented.
    let args = [meta(&[s]), number(0), number(1), Meta::None, number(1)];
    assert_eq!(sizes("aten::slice.Tensor", &args), [Size::Unknown]);
}

#[test]
fn integers_are_pythons() {
    let one = |op: &str, a: i64, b: i64| call(op, &[int(a), int(b)]).map(|r| r[0].as_int().unwrap());
    assert_eq!(one("aten::floordiv.int", -7, 2).unwrap(), -4);
    assert_eq!(one("aten::remainder.int", -7, 2).unwrap(), 1);
    assert_eq!(one("aten::floordiv.int", i64::MIN, -1).unwrap(), i64::MIN);
    assert_eq!(one("aten::add.int", i64::MAX, 1).unwrap(), i64::MIN);
    // As recorded; the others end PyTorch's process, or raise in Python's words.
    assert_eq!(message("aten::floordiv.int", &[int(1), int(0)]), "division by 0");
    for op in ["aten::remainder.int", "aten::divmod.int", "aten::__round_to_zero_floordiv.int"] {
        assert!(message(op, &[int(1), int(0)]).starts_with("ZeroDivisionError"), "{op}");
    }
    assert!(message("aten::__range_length", &[int(0), int(5), int(0)]).contains("must not be zero"));
    assert_eq!(call("aten::div.int", &[int(1), int(0)]).unwrap()[0].as_double().unwrap(), f64::INFINITY);
}

#[test]
fn lists_and_dictionaries_are_shared_handles() {
    let list = ints(&[3, 1, 2]);
    let same = call("aten::append.t", &[list.clone(), int(0)]).unwrap().remove(0);
    assert!(same.is(&list));
    call("aten::sort.int", std::slice::from_ref(&list)).unwrap();
    assert_eq!(*list.as_int_list().unwrap(), [0, 1, 2, 3]);
    // A list extended, and a dictionary updated, with itself: no lock is taken twice.
    call("aten::extend.t", &[list.clone(), list.clone()]).unwrap();
    assert_eq!(list.as_list().unwrap().len(), 8);
    assert_eq!(message("aten::__getitem__.t", &[list.clone(), int(8)]), "list index out of range");
    let dict = call("aten::dict", &[]).unwrap().remove(0);
    call("aten::_set_item.str", &[dict.clone(), "k".into(), counted(&[1]).into()]).unwrap();
    call("aten::update.str", &[dict.clone(), dict.clone()]).unwrap();
    assert_eq!(message("aten::__getitem__.Dict_str", &[dict, "z".into()]), "KeyError: z");
}

#[test]
fn strings_are_torchscripts() {
    let text = |op: &str, args: &[IValue]| call(op, args).unwrap()[0].as_str().unwrap().to_owned();
    assert_eq!(text("aten::str", &[1e16.into()]), "10000000000000000.");
    assert_eq!(
        text("aten::format", &["{} {}".into(), 0.1.into(), IValue::list(Type::Float, vec![1.0.into()])]),
        "0.10000000000000001 [1.]"
    );
    assert_eq!(text("aten::percentFormat", &["%f%%".into(), 123456.789.into()]), "123456.789062%");
    assert_eq!(call("aten::len.str", &["naïve".into()]).unwrap()[0].as_int().unwrap(), 6);
    assert_eq!(text("aten::slice.str", &["hello".into(), IValue::None, int(-1)]), "hell");
    // PyTorch does not return from this.
    assert_eq!(text("aten::replace", &["ab".into(), "".into(), "-".into()]), "-a-b-");
}

#[test]
fn hostile_sizes_are_errors() {
    let huge = 10i64.pow(18);
    let fails: &[(&str, Vec<IValue>)] = &[
        ("aten::mul.left_t", vec![ints(&[0]), int(huge)]),
        ("aten::ljust", vec!["a".into(), int(huge), " ".into()]),
        ("aten::zeros", vec![ints(&[huge, huge])]),
        ("aten::zeros", vec![ints(&[-1])]),
        ("aten::arange", vec![int(huge)]),
        ("aten::eye", vec![int(huge)]),
        ("aten::repeat", vec![counted(&[2]).into(), ints(&[huge])]),
        ("aten::one_hot", vec![counted(&[2]).into(), int(huge)]),
        ("aten::as_strided", vec![counted(&[2]).into(), ints(&[huge]), ints(&[huge])]),
        ("aten::select.int", vec![counted(&[2]).into(), int(0), int(i64::MIN)]),
        ("aten::diag", vec![counted(&[2]).into(), int(i64::MIN)]),
        ("aten::index.Tensor", vec![counted(&[2]).into(), IValue::tensor_list(vec![Tensor::scalar(i64::MIN)])]),
        ("aten::gather", vec![counted(&[2]).into(), int(0), Tensor::from_vec(vec![-1i64], &[1]).into()]),
        ("aten::scatter.value", vec![counted(&[2]).into(), int(0), Tensor::from_vec(vec![2i64], &[1]).into(), int(1)]),
    ];
    for (op, args) in fails {
        message(op, args);
    }
    // Far out of range is merely empty.
    let t = tensor("aten::slice.Tensor", &[counted(&[3]).into(), int(0), int(i64::MAX), int(i64::MIN)]);
    assert_eq!(t.numel(), 0);
    let t = tensor("aten::tril", &[counted(&[3, 3]).into(), int(i64::MIN)]);
    assert_eq!(t.to_vec::<i64>(), [0; 9]);
}

#[test]
fn indexing_wraps_masks_and_accumulates() {
    let t = counted(&[3, 4]);
    let rows = Tensor::from_vec(vec![-1i64, 0], &[2]);
    let picked = tensor("aten::index.Tensor", &[t.clone().into(), IValue::tensor_list(vec![rows])]);
    assert_eq!(picked.to_vec::<i64>(), [8, 9, 10, 11, 0, 1, 2, 3]);
    let mask = Tensor::from_vec([true, false, true].map(sconce_tensor::Bool::new).to_vec(), &[3]);
    let picked = tensor("aten::index.Tensor", &[t.clone().into(), IValue::tensor_list(vec![mask])]);
    assert_eq!(picked.sizes(), [2, 4]);
    let target = Tensor::from_vec(vec![0i64; 3], &[3]);
    let places = Tensor::from_vec(vec![1i64, 1, 2], &[3]);
    let args = [target.clone().into(), IValue::tensor_list(vec![places]), Tensor::scalar(5i64).into(), true.into()];
    call("aten::index_put_", &args).unwrap();
    assert_eq!(target.to_vec::<i64>(), [0, 10, 5]);
}

/// As PyTorch 2.15 gives it.
#[test]
fn any_byte_but_0_is_true() {
    let bytes = Tensor::from_vec(vec![0u8, 1, 2, 255], &[4]);
    let t = tensor("aten::view.dtype", &[bytes.into(), int(DType::Bool as i64)]);
    assert!(t.dtype() == DType::Bool);
    let of = |name: &str, args: &[IValue]| sconce_kernels::cast::to_vec::<i64>(&tensor(name, args)).unwrap();
    let with = |name: &str, more: IValue| of(name, &[t.clone().into(), more]);
    assert_eq!(of("aten::sum", &[t.clone().into(), IValue::None]), [3]);
    assert_eq!(of("aten::logical_not", &[t.clone().into()]), [1, 0, 0, 0]);
    assert_eq!(of("aten::bitwise_not", &[t.clone().into()]), [1, 0, 0, 0]);
    assert_eq!(of("aten::nonzero", &[t.clone().into()]), [1, 2, 3]);
    assert_eq!(with("aten::eq.Scalar", true.into()), [0, 1, 1, 1]);
    assert_eq!(with("aten::add.Tensor", Tensor::scalar(1i64).into()), [1, 2, 2, 2]);
    assert_eq!(with("aten::bitwise_xor.Tensor", t.clone().into()), [0; 4]);
    assert_eq!(with("aten::logical_and", t.clone().into()), [0, 1, 1, 1]);
    assert_eq!(with("aten::cumsum", int(0)), [0, 1, 2, 3]);
    let masked = [t.clone().into(), t.clone().into(), Tensor::scalar(sconce_tensor::Bool::new(false)).into()];
    assert_eq!(of("aten::masked_fill.Tensor", &masked), [0; 4]);
}

/// Recorded with PyTorch 2.15 from generators seeded with the numbers given.
#[test]
fn draws_are_pytorchs() {
    let seeded = |seed| IValue::Generator(sconce_tensor::mersenne::generator(seed));
    let t = Tensor::zeros(&[5], DType::I64).unwrap();
    call("aten::random_.from", &[t.clone().into(), int(-5), int(5), seeded(753)]).unwrap();
    assert_eq!(t.to_vec::<i64>(), [-1, -3, 0, 0, 1]);
    call("aten::random_.to", &[t.clone().into(), int(1 << 40), seeded(43)]).unwrap();
    assert_eq!(t.to_vec::<i64>(), [294191779136, 1095658676017, 90833287226, 69458780467, 626253632699]);
    let f = Tensor::zeros(&[5], DType::F32).unwrap();
    call("aten::bernoulli_.float", &[f.clone().into(), 0.6.into(), seeded(811)]).unwrap();
    assert_eq!(f.to_vec::<f32>(), [1., 1., 1., 0., 1.]);
    let order = tensor("aten::randperm.generator", &[int(5), seeded(376)]);
    assert_eq!(order.to_vec::<i64>(), [2, 1, 4, 0, 3]);
    call("aten::normal_", &[f.clone().into(), 1.0.into(), 2.0.into(), seeded(391)]).unwrap();
    let want = [3.557f32, -0.3383, -1.205, 3.354, 3.137];
    assert!(f.to_vec::<f32>().iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-3), "{f:?}");
}

#[test]
fn sorting_puts_nan_last_and_keeps_the_order_of_equals() {
    let t = Tensor::from_vec(vec![2f32, f32::NAN, 1., 2.], &[4]);
    let r = call("aten::sort", &[t.clone().into()]).unwrap();
    assert_eq!(r[1].as_tensor().unwrap().to_vec::<i64>(), [2, 0, 3, 1]);
    let r = call("aten::topk", &[t.into(), int(1)]).unwrap();
    assert!(r[0].as_tensor().unwrap().to_vec::<f32>()[0].is_nan());
    let r = call(
        "aten::_unique2",
        &[Tensor::from_vec(vec![3i64, 1, 3], &[3]).into(), true.into(), true.into(), true.into()],
    )
    .unwrap();
    assert_eq!(r[0].as_tensor().unwrap().to_vec::<i64>(), [1, 3]);
    assert_eq!(r[1].as_tensor().unwrap().to_vec::<i64>(), [1, 0, 1]);
    assert_eq!(r[2].as_tensor().unwrap().to_vec::<i64>(), [1, 2]);
}

/// One place for all results.
struct Place(Tensor);

impl Destinations for Place {
    fn place(&self, _: usize, sizes: &[i64], strides: &[i64], dtype: DType) -> Option<Tensor> {
        (self.0.numel() as i64 == sizes.iter().product() && self.0.dtype() == dtype)
            .then(|| self.0.as_strided(sizes, strides, 0).unwrap())
    }
}

#[test]
fn tensors_that_lie_in_the_place_of_what_they_are_joined_to_stay_there() {
    // Elements `start` to `end` of twelve in a row, as a tensor of these sizes with a storage of its own, as plans make them.
    let whole = counted(&[12]);
    let piece = |start: usize, end: usize, sizes: &[i64]| {
        let storage = whole.storage().part(start * 8, (end - start) * 8, (end - start) * 8).unwrap();
        let strides = contiguous_strides(sizes);
        let metadata =
            TensorMetadata { storage, dtype: DType::I64, sizes: sizes.into(), strides, offset: 0, quantizer: None };
        Tensor::new(metadata).unwrap()
    };
    let cases: [(&str, i64, Vec<Tensor>, bool); 6] = [
        ("aten::cat", 1, vec![piece(0, 4, &[1, 4]), counted(&[1, 2]), piece(6, 12, &[1, 6])], true),
        ("aten::cat", 0, vec![piece(0, 4, &[2, 2]), piece(0, 4, &[2, 2]), piece(8, 12, &[2, 2])], true),
        ("aten::stack", 0, vec![piece(0, 6, &[2, 3]), piece(6, 12, &[2, 3])], true),
        ("aten::cat", 0, vec![piece(6, 12, &[6]), piece(0, 6, &[6])], false),
        ("aten::cat", 0, vec![piece(1, 5, &[4]), piece(4, 12, &[8])], false),
        ("aten::cat", 1, vec![piece(0, 6, &[2, 3]), piece(6, 12, &[2, 3])], false),
    ];
    for (op, dim, tensors, stays) in cases {
        call("aten::copy_", &[whole.clone().into(), counted(&[12]).into()]).unwrap();
        let apart: Vec<Tensor> = tensors.iter().map(|t| t.copy().unwrap()).collect();
        let expected = tensor(op, &[IValue::tensor_list(apart), int(dim)]);
        let bound = Bound::new(sconce_schema::lookup(op).unwrap()).unwrap();
        let given = &mut [IValue::tensor_list(tensors), int(dim)];
        let got = bound.call_into(given, Some(&Place(whole.clone()))).unwrap()[0].as_tensor().unwrap().clone();
        assert_eq!((got.sizes(), got.to_vec::<i64>()), (expected.sizes(), expected.to_vec::<i64>()), "{op} {dim}");
        assert_eq!(got.shares_storage(&whole), stays, "{op} {dim}");
    }
}
