//! Overload resolution: nodes by their operands' types, calls with TorchScript's conversions.

use sconce_schema::overload::{Bound, Conversion, Number, of_call, of_node};
use sconce_schema::types::parse;
use sconce_schema::{RegisterError, Trait, Type, entry, lookup, overloads, register, table};

fn types(texts: &[&str]) -> Vec<Type> {
    texts.iter().map(|t| parse(t).expect("a type")).collect()
}

#[test]
fn nodes() {
    for (name, operands, want) in [
        ("aten::add", &["Float(2, 3)", "Tensor", "int"][..], "aten::add.Tensor"),
        ("aten::add", &["Tensor", "float", "int"], "aten::add.Scalar"),
        ("aten::add", &["int", "int"], "aten::add.int"),
        ("aten::add", &["Scalar", "int"], "aten::add"),
        ("aten::add", &["str", "str"], "aten::add.str"),
        ("aten::add", &["Tensor[]", "Tensor[]"], "aten::add.t"),
        ("aten::eq", &["int[]", "int[]"], "aten::eq.int_list"),
        ("aten::eq", &["Device", "Device"], "aten::eq.device"),
        ("aten::__getitem__", &["Dict(str, int)", "str"], "aten::__getitem__.Dict_str"),
        ("aten::__getitem__", &["(int, str)[]", "int"], "aten::__getitem__.t"),
        ("aten::sort", &["int[]", "bool"], "aten::sort.int"),
        ("aten::to", &["Tensor", "int", "bool", "bool", "NoneType"], "aten::to.dtype"),
        ("aten::to", &["Tensor", "Tensor", "bool", "bool", "NoneType"], "aten::to.other"),
        ("aten::zeros", &["int[]", "int?", "NoneType", "Device?", "NoneType"], "aten::zeros"),
        ("aten::clamp", &["Tensor", "NoneType", "int"], "aten::clamp"),
        ("aten::clamp", &["Tensor", "NoneType", "Tensor"], "aten::clamp.Tensor"),
        ("aten::sum", &["Tensor", "int[]", "bool", "NoneType"], "aten::sum.dim_IntList"),
        ("prim::unchecked_cast", &["int?"], "prim::unchecked_cast"),
    ] {
        let entry = of_node(name, &types(operands)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(entry.name, want);
    }
}

#[test]
fn a_refused_node_names_every_candidate() {
    let error = of_node("aten::ord", &types(&["int"])).expect_err("no code point of an int");
    assert_eq!(
        error.to_string(),
        "\naten::ord(str string) -> int:\n\
         Expected a value of type 'str' for argument 'string' but instead found type 'int'.\n"
    );
    let error = of_node("aten::mul", &types(&["str", "Tensor"])).expect_err("no product of strings");
    assert_eq!(error.candidates.len(), overloads("aten::mul").len());
    assert!(error.to_string().starts_with("Arguments for call are not valid.\nThe following variants are available:"));
    assert_eq!(of_node("my::op", &[]).expect_err("unknown").to_string(), "unknown operator my::op");
}

#[test]
fn calls() {
    let call = of_call("aten::max_pool2d", &types(&["Tensor", "int"]), &[("padding", Type::Int)]).expect("a call");
    assert_eq!(
        call.arguments,
        [
            Bound::Positional(0, Conversion::None),
            Bound::Positional(1, Conversion::Repeat(2)),
            Bound::Default,
            Bound::Keyword(0, Conversion::Repeat(2)),
            Bound::Default,
            Bound::Default,
        ]
    );
    // Without conversion first: a tensor stays a tensor where an overload takes one.
    let call = of_call("aten::add", &types(&["Tensor", "Tensor"]), &[]).expect("a call");
    assert_eq!(call.entry.name, "aten::add.Tensor");
    let call = of_call("aten::view", &types(&["Tensor", "int", "int"]), &[]).expect("a call");
    assert_eq!(call.arguments, [Bound::Positional(0, Conversion::None), Bound::Rest(1)]);
    let call = of_call("aten::select", &types(&["Tensor", "int", "Tensor"]), &[]).expect("a call");
    assert_eq!(call.arguments[2], Bound::Positional(2, Conversion::TensorTo(Number::Int)));
    let call = of_call("aten::permute", &types(&["Tensor", "(int, int)"]), &[]).expect("a call");
    assert_eq!(call.arguments[1], Bound::Positional(1, Conversion::TupleToList));
    let call = of_call("aten::append", &types(&["str[]", "str"]), &[]).expect("a call");
    assert_eq!(call.returns, types(&["str[]"]));
    let error = of_call("aten::relu", &types(&["Tensor"]), &[("inplace", Type::Bool)]).expect_err("no such argument");
    assert!(error.to_string().contains("Keyword argument inplace unknown."), "{error}");
}

/// Every operator can be called: with its own formal types, the overload found is itself or one before it in the order.
#[test]
fn every_entry_accepts_its_own_types() {
    let mut own = 0;
    for entry in table() {
        let schema = entry.schema();
        if schema.is_vararg {
            continue;
        }
        let formals: Vec<Type> = schema.arguments.iter().map(|a| a.ty.clone()).collect();
        let found = of_node(&schema.name, &formals).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        own += usize::from(found.name == entry.name);
    }
    assert!(own * 100 > table().len() * 95, "only {own} of {} find themselves", table().len());
}

#[test]
fn operators_of_a_program() {
    let op = register("my::scale(Tensor x, float by=2.) -> Tensor").expect("a new operator");
    assert!(op.has(Trait::Pure) && op.id as usize >= table().len());
    assert!(std::ptr::eq(lookup("my::scale").expect("found"), op));
    assert!(std::ptr::eq(entry(op.id).expect("found"), op));
    assert_eq!(of_node("my::scale", &types(&["Float(2)", "float"])).map(|e| e.name), Ok("my::scale"));
    assert!(std::ptr::eq(register("my::scale(Tensor x, float by=2.0) -> Tensor").expect("the same"), op));
    assert!(matches!(register("my::scale(Tensor x) -> Tensor"), Err(RegisterError::Taken { .. })));
    assert!(matches!(register("my::scale(Tensor x"), Err(RegisterError::Schema { .. })));
    assert!(matches!(register("scale(Tensor x) -> Tensor"), Err(RegisterError::Namespace { .. })));
    let more = register("aten::relu.twice(str x) -> str").expect("an overload of a known name");
    assert!(overloads("aten::relu").iter().any(|e| std::ptr::eq(*e, more)));
    assert_eq!(of_node("aten::relu", &[Type::Str]).map(|e| e.name), Ok(more.name));
}
