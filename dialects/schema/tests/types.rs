//! Types: the three spellings, subtyping, joins.

use proptest::prelude::*;
use sconce_schema::types::{Bindings, Device, Dim, NamedTuple, TensorType, parse};
use sconce_schema::{DType, Type};
use std::sync::Arc;

fn t(text: &str) -> Type {
    parse(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn graph_spelling_prints_back() {
    for text in [
        "Tensor",
        "FloatTensor",
        "Float(2, 3, strides=[3, 1], requires_grad=0, device=cpu)",
        "Float(*, *)",
        "Long(requires_grad=0, device=cuda:1)",
        "Long()",
        "Tensor(requires_grad=0)",
        "Tensor(2, *)",
        "Float(SS(-1), 3)",
        "BFloat16(1)[]?",
        "Tensor[Undefined]",
        "(int, (float, Tensor)[], ())",
        "Dict(str, int[])",
        "Future[Tensor][]",
        "RRef[int]",
        "Await(Tensor)",
        "Union(int, str, NoneType)",
        "NamedTuple(name : str, size : int = 4, note : str = \"a, (b\")",
        "Enum<__torch__.m.Color>",
        "__torch__.torch.nn.modules.linear.___torch_mangle_3.Linear",
        "__torch__.f.<locals>.C",
        "t[]",
        "Scalar?",
        "AnyEnumType",
    ] {
        assert_eq!(t(text).to_string(), text);
    }
    assert_eq!(t("Dynamic"), Type::tensor());
    assert_eq!(t("Float(2, 3)"), t(" Float( 2,3 ) "));
}

#[test]
fn python_spelling() {
    for (text, python) in [
        ("int[]", "List[int]"),
        ("Tensor?", "Optional[Tensor]"),
        ("Dict(str, Tensor[])", "Dict[str, List[Tensor]]"),
        ("(int, Tensor)", "Tuple[int, Tensor]"),
        ("()", "Tuple[()]"),
        ("Union(int, str)", "Union[int, str]"),
        ("Future[int]", "Future[int]"),
        ("Scalar", "number"),
    ] {
        assert_eq!(t(text).annotation_str(), python);
        assert_eq!(t(python), t(text), "{python}");
    }
}

#[test]
fn bad_types_say_where() {
    for (text, message) in [
        ("Float(2,", "column 9: expected a size, `*` or `SS(n)`, found the end"),
        ("Dict(int)", "column 1: expected the right number of types inside, found `Dict(int)`"),
        ("Tensor(requires_grad=2)", "column 23: expected 0 or 1, found `)`"),
        ("Float(99999999999999999999)", "column 7: expected a size, `*` or `SS(n)`, found `99999999999999999999`"),
        ("int]", "column 4: expected end of the type, found `]`"),
        ("Unknown", "column 1: expected a type, found `Unknown`"),
    ] {
        assert_eq!(parse(text).map_err(|e| e.to_string()), Err(message.to_owned()), "{text}");
    }
    assert!(parse(&"(".repeat(100_000)).is_err());
}

#[test]
fn subtypes() {
    let cases = [
        ("int", "Scalar", true),
        ("bool", "Scalar", false),
        ("int", "float", false),
        ("int", "int?", true),
        ("NoneType", "int?", true),
        ("int?", "int", false),
        ("int?", "Scalar?", true),
        ("int?", "Union(int, str, NoneType)", true),
        ("Union(int, str)", "Union(int, str, NoneType)", true),
        ("Union(int, str)", "int?", false),
        ("Scalar", "Union(int, float, complex)", true),
        ("Scalar", "Union(int, float)", false),
        ("int[]", "Scalar[]", false),
        ("int[]", "list", true),
        ("(int, int)", "(Scalar, int?)", true),
        ("(int, int)", "(int, int, int)", false),
        ("(int, int)", "tuple", true),
        ("NamedTuple(x : int)", "(int)", true),
        ("(int)", "NamedTuple(x : int)", false),
        ("NamedTuple(x : int)", "NamedTuple(y : int)", false),
        ("Dict(str, int)", "Dict(str, Scalar)", false),
        ("Future[int]", "Future[int?]", true),
        ("Float(2, 3)", "Tensor", true),
        ("Tensor", "Float(2, 3)", false),
        ("Float(2, 3)", "Float(*, 3)", true),
        ("Float(2, 3)", "Float(3, 3)", false),
        ("__torch__.C", "AnyClassType", true),
        ("Enum<__torch__.E>", "AnyEnumType", true),
        ("str", "Any", true),
        ("Any", "str", false),
    ];
    for (a, b, want) in cases {
        assert_eq!(t(a).is_subtype_of(&t(b)), want, "{a} <: {b}");
    }
}

#[test]
fn joins() {
    for (a, b, want) in [
        ("int", "Scalar", Some("Scalar")),
        ("int", "float", None),
        ("int", "NoneType", Some("int?")),
        ("int?", "int", Some("int?")),
        ("Float(2, 3)", "Float(4, 3)", Some("Float(*, 3)")),
        ("Float(2, 3)", "Long(2, 3)", Some("Tensor(2, 3)")),
        ("Float(2)", "Float(2, 3)", Some("FloatTensor")),
        ("Float(2)?", "Long(2)", Some("Tensor(2)?")),
        ("(int, NoneType)", "(int, str)", Some("(int, str?)")),
        ("Float(2)[]", "Tensor[]", Some("Tensor[]")),
        ("str", "Tensor", None),
    ] {
        assert_eq!(t(a).unify(&t(b)).map(|j| j.to_string()).as_deref(), want, "{a} with {b}");
    }
}

#[test]
fn type_variables() {
    let mut bindings = Bindings::default();
    let formal = t("Dict(str, t)");
    assert_eq!(formal.match_variables(&t("Dict(str, int[])"), &mut bindings), Ok(t("Dict(str, int[])")));
    assert_eq!(t("t?").substitute(&bindings), t("int[]?"));
    let again = t("t").match_variables(&t("str"), &mut bindings);
    assert_eq!(again, Err("Type variable 't' previously matched to type List[int] is matched to type str".to_owned()));
    assert!(t("t?").match_variables(&Type::None, &mut Bindings::default()).is_err());
}

fn any_tensor() -> impl Strategy<Value = TensorType> {
    let dtype = prop::option::of(prop::sample::select(vec![DType::F32, DType::I64, DType::BF16, DType::Bool]));
    let dim = prop_oneof![(0i64..5).prop_map(Dim::Known), Just(Dim::Unknown), (-9i64..-1).prop_map(Dim::Symbol)];
    let sizes = prop::option::of(prop::collection::vec(dim, 0..4));
    let device = prop::option::of(prop_oneof![
        Just(Device { kind: "cpu".into(), index: None }),
        (0..4i32).prop_map(|n| Device { kind: "cuda".into(), index: Some(n) }),
    ]);
    (dtype, sizes, device, prop::option::of(any::<bool>())).prop_map(|(dtype, sizes, device, requires_grad)| {
        // Rank 0 without a dtype has no spelling of its own.
        let sizes = sizes.filter(|s: &Vec<Dim>| dtype.is_some() || !s.is_empty());
        TensorType { dtype, sizes, strides: None, device, requires_grad, undefined: None }
    })
}

fn any_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        any_tensor().prop_map(|t| Type::Tensor(Arc::new(t))),
        prop::sample::select(vec![
            Type::Int,
            Type::Float,
            Type::Str,
            Type::Bool,
            Type::None,
            Type::Number,
            Type::Device
        ]),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(Type::list),
            inner.clone().prop_map(Type::optional),
            inner.clone().prop_map(|t| Type::Future(Arc::new(t))),
            prop::collection::vec(inner.clone(), 0..4).prop_map(|ts| Type::Tuple(ts.into())),
            prop::collection::vec(inner, 1..4).prop_map(|ts| {
                let fields = ts.into_iter().enumerate().map(|(i, t)| (format!("f{i}").into(), t)).collect();
                Type::NamedTuple(Arc::new(NamedTuple { name: "".into(), fields, defaults: Vec::new() }))
            }),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_type_prints_back(ty in any_type()) {
        prop_assert_eq!(parse(&ty.to_string()), Ok(ty));
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[A-Za-z()\\[\\], .?:=*0-9<>]{0,40}") {
        if let Ok(ty) = parse(&text) {
            // What the text left out (class defaults, order of parts) may change once, not twice.
            let printed = ty.to_string();
            prop_assert_eq!(parse(&printed).map(|t| t.to_string()), Ok(printed));
        }
    }

    #[test]
    fn a_join_is_above_both(a in any_type(), b in any_type()) {
        prop_assert!(a.is_subtype_of(&a));
        if let Some(joined) = a.unify(&b) {
            prop_assert!(a.unshaped().is_subtype_of(&joined.unshaped()), "{} not below {}", a, joined);
            prop_assert!(b.unshaped().is_subtype_of(&joined.unshaped()), "{} not below {}", b, joined);
        }
    }
}
