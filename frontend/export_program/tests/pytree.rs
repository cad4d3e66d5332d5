//! Trees: specs of every kind that PyTorch writes read and print as PyTorch prints them; what is taken apart is put together again.

use expect_test::expect;
use proptest::prelude::*;
use sconce_archive::Limits;
use sconce_export_program::pytree::{DictKind, Key, Node, TreeSpec};
use sconce_export_program::{Table, schema::NamedTupleDef};
use sconce_tensor::IValue;
use std::sync::Arc;

fn read(text: &str) -> String {
    let fields: Table<NamedTupleDef> =
        serde_json::from_str(r#"{"own.Pair": {"field_names": ["a", "b"]}}"#).expect("a table");
    match TreeSpec::read("a spec", text, &fields, &Limits::default()) {
        Ok(spec) => format!("{spec}\n"),
        Err(error) => format!("{error}\n"),
    }
}

/// A spec of a node with so many leaves.
fn spec(kind: &str, context: &str, leaves: usize) -> String {
    let leaf = r#"{"type": null, "context": null, "children_spec": []}"#;
    let children = vec![leaf; leaves].join(", ");
    read(&format!(r#"[1, {{"type": "{kind}", "context": {context}, "children_spec": [{children}]}}]"#))
}

#[test]
fn specs_of_every_kind_read() {
    let said = [
        read(r#"[1, {"type": null, "context": null, "children_spec": []}]"#),
        spec("builtins.tuple", r#""null""#, 2),
        spec("torch.Size", r#""null""#, 2),
        spec("builtins.list", r#""null""#, 0),
        spec("builtins.dict", r#""[1, \"it's\", true]""#, 3),
        spec("collections.OrderedDict", r#""[\"a\", \"b\"]""#, 2),
        spec(
            "collections.defaultdict",
            r#"{"default_factory_module": "builtins", "default_factory_name": "list", "dict_context": ["a"]}"#,
            1,
        ),
        spec("collections.deque", r#""3""#, 2),
        spec("collections.deque", r#""null""#, 2),
        spec("collections.namedtuple", r#""own.Pair""#, 2),
        spec("Box", r#""[[\"x\"], [\"k\"]]""#, 1),
        spec("torch.return_types.max", r#""null""#, 2),
        spec("my.Registered", r#""\"context\"""#, 2),
    ];
    expect![[r#"
        *
        TreeSpec(tuple, None, [*, *])
        TreeSpec(tuple, None, [*, *])
        TreeSpec(list, None, [])
        TreeSpec(dict, [1, "it's", True], [*, *, *])
        TreeSpec(OrderedDict, ['a', 'b'], [*, *])
        TreeSpec(defaultdict, [builtins.list, ['a']], [*])
        TreeSpec(deque, 3, [*, *])
        TreeSpec(deque, None, [*, *])
        TreeSpec(namedtuple, own.Pair, [*, *])
        TreeSpec(Box, [['x'], ['k']], [*])
        TreeSpec(torch.return_types.max, null, [*, *])
        TreeSpec(my.Registered, "context", [*, *])
    "#]]
    .assert_eq(&said.concat());
}

#[test]
fn specs_that_say_anything_are_refused() {
    let said = [
        read("[1]"),
        read(r#"[2, {"type": null, "context": null, "children_spec": []}]"#),
        read(r#"[1, {"type": null, "context": null, "children_spec": [], "more": 1}]"#),
        read(
            r#"[1, {"type": null, "context": null, "children_spec": [{"type": null, "context": null, "children_spec": []}]}]"#,
        ),
        spec("builtins.dict", r#""[1, 1]""#, 2),
        spec("builtins.dict", r#""[[1, 2]]""#, 1),
        spec("builtins.dict", r#""[1]""#, 2),
        spec("collections.namedtuple", r#""Unknown""#, 2),
        spec("collections.namedtuple", r#""own.Pair""#, 3),
        spec("collections.deque", r#""\"x\"""#, 1),
        read(&format!("[1, {}", r#"{"type": "builtins.list", "context": "null", "children_spec": ["#.repeat(100))),
    ];
    expect![[r#"
        a spec: invalid length 1, expected a tuple of size 2 at line 1 column 3
        a spec: a tree of version 2, expected 1
        a spec: a node of a tree has no member `1.more`
        a spec: a leaf of a tree has 1 children
        a spec: the context of a builtins.dict is no list of keys
        a spec: the context of a builtins.dict is no list of keys
        a spec: a builtins.dict of 1 names has 2 children
        a spec: the named tuple Unknown has no fields on record
        a spec: a collections.namedtuple of 2 names has 3 children
        a spec: the context of a collections.deque is no length
        a spec: at …ildren_spec[0].children_spec[0].children_spec[0].children_spec[0].children_spec[0].children_spec[0].children_spec[0].children_spec[0].children_spec[0].children_spec[0].children_spec[0].children_spec[0]: recursion limit exceeded at line 1 column 3974
    "#]].assert_eq(&said.concat());
}

/// Trees with names that differ, a few levels deep.
fn trees() -> impl Strategy<Value = TreeSpec> {
    let name = |prefix: &'static str| move |i: usize| -> Arc<str> { format!("{prefix}{i}").into() };
    Just(TreeSpec::leaf()).prop_recursive(4, 24, 4, move |inner| {
        (0..8u8, prop::collection::vec(inner, 0..4)).prop_map(move |(kind, children)| {
            let count = children.len();
            let keys = || (0..count).map(|i| Key::Str(name("k")(i))).collect();
            let fields = || (0..count).map(name("f")).collect();
            let node = match kind {
                0 => Node::Tuple,
                1 => Node::List,
                2 => Node::Dict(DictKind::Plain, keys()),
                3 => Node::Dict(DictKind::Ordered, keys()),
                4 => Node::Deque(None),
                5 => Node::NamedTuple("Pair".into(), fields()),
                6 => Node::Dataclass { name: "Box".into(), fields: fields(), none: vec!["none".into()] },
                _ => Node::Registered("my.R".into(), String::new()),
            };
            TreeSpec { node, children }
        })
    })
}

proptest! {
    #[test]
    fn what_is_put_together_comes_apart_again(spec in trees()) {
        let numbers: Vec<IValue> = (0..spec.leaves() as i64).map(IValue::Int).collect();
        let value = spec.unflatten(&mut numbers.into_iter()).expect("there are leaves enough");
        let mut leaves = Vec::new();
        spec.flatten(&value, "x", &mut leaves).expect("it has its own shape");
        let numbers: Vec<i64> = leaves.iter().map(|leaf| leaf.as_int().expect("a number")).collect();
        prop_assert_eq!(numbers, (0..spec.leaves() as i64).collect::<Vec<_>>());
        let mut paths = Vec::new();
        spec.paths("x", &mut paths);
        prop_assert_eq!(paths.len(), spec.leaves());
    }

    #[test]
    fn a_value_of_another_shape_is_refused(spec in trees(), other in trees()) {
        let numbers = vec![IValue::Int(0); other.leaves()];
        let value = other.unflatten(&mut numbers.into_iter()).expect("there are leaves enough");
        let mut leaves = Vec::new();
        match spec.flatten(&value, "x", &mut leaves) {
            Ok(()) => prop_assert_eq!(leaves.len(), spec.leaves()),
            Err(e) => prop_assert!(e.path.starts_with('x') && !e.expected.is_empty()),
        }
    }
}
