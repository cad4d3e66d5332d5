//! Scalar expressions of the op table.

use sconce_schema::scalar::{Binary, Choice, Compute, Node};
use sconce_schema::{DType, lookup, table};

#[test]
fn operands_stand_before_their_users() {
    let mut expressions = 0;
    for entry in table() {
        let Some(expr) = entry.scalar else { continue };
        expressions += 1;
        let arguments = entry.schema().arguments.len();
        for (at, node) in expr.nodes.iter().enumerate() {
            let mut refs = node.operands();
            match node {
                Node::Arg(a) => assert!(usize::from(*a) < arguments, "{}", entry.name),
                Node::IfNone(_, a, b) => refs.extend([*a, *b]),
                Node::Match(_, cases) => refs.extend(cases.iter().map(|(_, r)| *r)),
                _ => {}
            }
            assert!(refs.iter().all(|r| usize::from(*r) < at), "{}: node {at}", entry.name);
        }
        assert!(expr.promotes.iter().all(|a| usize::from(*a) < arguments), "{}", entry.name);
    }
    println!("{expressions} scalar expressions");
    assert!(expressions > 150);
}

#[test]
fn a_mode_chooses_the_part_and_the_type() {
    let expr = lookup("aten::div.Tensor_mode").and_then(|e| e.scalar).expect("a scalar expression");
    let mode = |mode: Choice<'static>| expr.specialize(move |_| mode);
    let floor = mode(Choice::Text("floor")).expect("a mode");
    assert_eq!(&floor.nodes[..], [Node::Arg(0), Node::Arg(1), Node::Binary(Binary::FloorDiv, 0, 1)]);
    assert_eq!((floor.compute, floor.result_dtype(DType::I32)), (Compute::Common, DType::I32));
    let exact = mode(Choice::None).expect("a mode");
    assert_eq!((exact.compute, exact.result_dtype(DType::I32)), (Compute::Float, DType::F32));
    assert_eq!(mode(Choice::Text("up")), Err(2));
}

#[test]
fn what_is_not_given_is_not_computed() {
    let expr = lookup("aten::clamp").and_then(|e| e.scalar).expect("a scalar expression");
    let only_min = expr.specialize(|arg| if arg == 2 { Choice::None } else { Choice::Value }).expect("no strings");
    assert_eq!(&only_min.nodes[..], [Node::Arg(0), Node::Arg(1), Node::Binary(Binary::Max, 1, 0)]);
    let neither = expr.specialize(|arg| if arg == 0 { Choice::Value } else { Choice::None }).expect("no strings");
    assert_eq!(&neither.nodes[..], [Node::Arg(0)]);
}
