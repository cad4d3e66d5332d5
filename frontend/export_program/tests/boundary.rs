//! Arguments that a program was not exported for are refused before it runs: by symbol, bounds and both inputs, with what PyTorch says of it.

mod common;

use common::{archives, open, recorded};
use expect_test::expect;
use sconce_export_program::Boundary;
use sconce_schema::{DType, Type};
use sconce_tensor::{Dict, DictKey, IValue, Tensor};

fn boundary(name: &str) -> Boundary {
    let corpus = recorded();
    let found = archives(&corpus).into_iter().find(|(n, _)| *n == name).expect("the program is recorded");
    Boundary::new(&open(found.1).expect("it loads")).expect("it can be called")
}

fn zeros(sizes: &[i64]) -> IValue {
    Tensor::zeros(sizes, DType::F32).expect("there is memory").into()
}

fn dict(entries: &[(&str, IValue)]) -> IValue {
    let dict = Dict::new(Type::Str, Type::Any);
    for (key, value) in entries {
        let key = DictKey::from_value(&IValue::str(*key)).expect("a string is a key");
        dict.write().insert(key, value.clone());
    }
    IValue::Dict(dict)
}

/// What is said of a call.
fn say(boundary: &Boundary, given: &[IValue], named: &[(&str, IValue)]) -> String {
    let leaves = boundary.bind(given, named).and_then(|arguments| boundary.leaves(&arguments));
    leaves.map_or_else(|e| format!("{e}\n"), |leaves| format!("{} leaves\n", leaves.len()))
}

#[test]
fn sizes_lie_in_their_ranges() {
    let mlp = boundary("mlp_dynamic");
    let said = [
        say(&mlp, &[zeros(&[2, 4])], &[]),
        say(&mlp, &[zeros(&[64, 4])], &[]),
        say(&mlp, &[zeros(&[65, 4])], &[]),
        say(&mlp, &[zeros(&[1, 4])], &[]),
        say(&mlp, &[zeros(&[2, 5])], &[]),
        say(&mlp, &[zeros(&[2, 4, 1])], &[]),
        say(&mlp, &[IValue::Int(3)], &[]),
    ];
    expect![[r#"
        1 leaves
        1 leaves
        `x` has size 65 in dimension 0, which is s77, and s77 must be between 2 and 64 (Guard failed: x.size()[0] <= 64)
        `x` has size 1 in dimension 0, which is s77, and s77 must be between 2 and 64 (Guard failed: x.size()[0] >= 2)
        `x` has size 5 in dimension 1, and the program was exported for 4 alone (Guard failed: x.size()[1] == 4)
        `x` is a tensor of [2, 4, 1], expected a tensor of 2 dimensions
        `x` is 3, expected a tensor of 2 dimensions
    "#]]
    .assert_eq(&said.concat());
}

#[test]
fn sizes_of_one_symbol_are_equal() {
    let (two, derived) = (boundary("two_dims_equal"), boundary("derived_dim"));
    let said = [
        say(&two, &[zeros(&[5, 2]), zeros(&[5, 2])], &[]),
        say(&two, &[zeros(&[5, 2]), zeros(&[6, 2])], &[]),
        say(&derived, &[zeros(&[5]), zeros(&[6])], &[]),
        say(&derived, &[zeros(&[5]), zeros(&[5])], &[]),
        say(&derived, &[zeros(&[1]), zeros(&[2])], &[]),
    ];
    expect![[r#"
        2 leaves
        `y` has size 6 in dimension 0, expected s17 = 5: s17 is 5 by dimension 0 of `x` (Guard failed: y.size()[0] == x.size()[0])
        2 leaves
        `y` has size 5 in dimension 0, expected s77 + 1 = 6: s77 is 5 by dimension 0 of `x` (Guard failed: x.size()[0] == -1 + y.size()[0])
        the program was exported for inputs that satisfy `-1 + y.size()[0] >= 2` (Guard failed: -1 + y.size()[0] >= 2)
    "#]].assert_eq(&said.concat());
}

#[test]
fn constants_are_what_they_were() {
    let scalar = boundary("kwargs_scalar");
    let scale = |value| [("scale", value)];
    let said = [
        say(&scalar, &[zeros(&[3])], &scale(IValue::Int(3))),
        say(&scalar, &[zeros(&[3])], &scale(IValue::Double(3.0))),
        say(&scalar, &[zeros(&[3])], &scale(IValue::Int(4))),
        say(&scalar, &[zeros(&[3])], &scale(IValue::str("3"))),
        say(&scalar, &[zeros(&[3])], &scale(zeros(&[]))),
        say(&scalar, &[zeros(&[3])], &[]),
        say(&scalar, &[zeros(&[3])], &[("shift", IValue::Int(3))]),
        say(&scalar, &[zeros(&[3]), IValue::Int(3)], &[]),
        say(&scalar, &[zeros(&[3]), IValue::Int(3)], &scale(IValue::Int(3))),
        say(&scalar, &[zeros(&[3]), IValue::Int(3), IValue::Int(3)], &[]),
    ];
    expect![[r#"
        1 leaves
        1 leaves
        `scale` is 4, and the program was exported for 3 alone (Guard failed: scale == 3)
        `scale` is '3', and the program was exported for 3 alone (Guard failed: scale == 3)
        `scale` is a tensor of [], and the program was exported for 3 alone (Guard failed: scale == 3)
        forward() is missing `scale`; it takes x, scale
        forward() has no parameter `shift`; it takes x, scale
        1 leaves
        forward() is given `scale` twice
        forward() takes x, scale, and 3 positional arguments are given
    "#]]
    .assert_eq(&said.concat());
}

#[test]
fn arguments_have_the_tree_that_they_had() {
    let tree = boundary("pytree_tensors");
    let list = |n| IValue::list(Type::tensor(), (0..n).map(|_| zeros(&[2])));
    let whole = dict(&[("b", zeros(&[3])), ("a", zeros(&[2]))]);
    let said = [
        say(&tree, &[whole.clone(), list(2)], &[]),
        say(&tree, &[], &[("l", list(2)), ("d", whole.clone())]),
        say(&tree, &[whole.clone(), list(3)], &[]),
        say(&tree, &[whole.clone(), IValue::tuple([zeros(&[2]), zeros(&[2])])], &[]),
        say(&tree, &[dict(&[("a", zeros(&[2])), ("c", zeros(&[2]))]), list(2)], &[]),
        say(&tree, &[dict(&[("a", zeros(&[2])), ("b", zeros(&[4]))]), list(2)], &[]),
        say(&tree, &[zeros(&[2]), list(2)], &[]),
    ];
    expect![[r#"
        `l[0]` has size 2 in dimension 0, and the program was exported for 1 alone (Guard failed: l[0].size()[0] == 1)
        `l[0]` has size 2 in dimension 0, and the program was exported for 1 alone (Guard failed: l[0].size()[0] == 1)
        `l` is TreeSpec(list, None, [*, *, *]), expected TreeSpec(list, None, [*, *])
        `l` is TreeSpec(tuple, None, [*, *]), expected TreeSpec(list, None, [*, *])
        `d` is TreeSpec(dict, ["a", "c"], …), expected TreeSpec(dict, ['a', 'b'], [*, *])
        `d['b']` has size 4 in dimension 0, and the program was exported for 3 alone (Guard failed: d['b'].size()[0] == 3)
        `d` is a tensor, expected TreeSpec(dict, ['a', 'b'], [*, *])
    "#]].assert_eq(&said.concat());
}
