//! Where results lie: shared places, growth, blocks, modes.

mod build;

use build::{Code, chain, control, copies, interpreted, planned, tensor, text};
use expect_test::expect;
use sconce_interpreter::program::Op;
use sconce_interpreter::{Options as RunOptions, Program};
use sconce_schema::Type;
use sconce_static::Options;
use sconce_tensor::IValue;

#[test]
fn results_that_never_meet_share_a_place() {
    let mut program = Program::default();
    let f = chain(&mut program);
    for (shares, groups) in [(true, 2), (false, 9)] {
        let module = planned(&program, f, Options { optimize_memory: shares, ..Options::default() });
        let mut runtime = module.runtime();
        runtime.run(&[tensor(&[10, 10], 1)]).unwrap();
        let layout = runtime.layout();
        // 400 bytes in lines of 64.
        assert_eq!((layout.managed, layout.groups), (9, groups));
        assert_eq!((layout.bytes, layout.unshared_bytes), (groups * 448, 9 * 448));
    }
}

#[test]
fn a_larger_input_grows_the_slab_once_and_a_smaller_one_leaves_it() {
    let mut program = Program::default();
    let f = chain(&mut program);
    let module = planned(&program, f, Options::default());
    let mut runtime = module.runtime();
    let mut bytes = Vec::new();
    for rows in [4, 8, 8, 2, 16, 1, 16, 3] {
        let x = tensor(&[rows, 16], rows as u64);
        let expected = text(&interpreted(&program, f, std::slice::from_ref(&x)).unwrap());
        assert_eq!(text(&runtime.run(&[x]).unwrap()), expected);
        bytes.push(runtime.layout().bytes / 64);
    }
    assert_eq!(bytes, [8, 16, 16, 16, 32, 32, 32, 32]);
}

#[test]
fn blocks_are_planned_together() {
    let mut program = Program::default();
    let f = control(&mut program);
    let module = planned(&program, f, Options::default());
    for round in 0..6u64 {
        let given = [tensor(&[4, 4], round), IValue::Int(round as i64), IValue::Bool(round % 2 == 0)];
        let expected = text(&interpreted(&program, f, &copies(&given)).unwrap());
        assert_eq!(text(&module.run(&given, &RunOptions::default()).unwrap()), expected);
    }
    let listing = module.listing();
    let blocks: Vec<&str> = listing.lines().filter(|l| l.starts_with("  block")).collect();
    expect![[r#"
        options: enable_out_variant=true optimize_memory=true manage_output_tensors=true use_copy_variants=false use_maybe_copy_variants=true
          block 0 (body): 0 out, 5 native, 0 interpreter; 0 managed of 0 bytes
          block 1 (loop in 0): 3 out, 4 native, 0 interpreter; 2 managed of 128 bytes
          block 2 (then in 1): 2 out, 2 native, 0 interpreter; 2 managed of 128 bytes
          block 3 (else in 1): 2 out, 1 native, 0 interpreter; 2 managed of 128 bytes
    "#]]
    .assert_eq(&format!("{}\n{}\n", listing.lines().next().unwrap(), blocks.join("\n")));
}

#[test]
fn a_kernel_that_is_not_told_its_place_gives_the_same() {
    let mut program = Program::default();
    let f = chain(&mut program);
    let x = [tensor(&[3, 3], 1)];
    let mut texts = Vec::new();
    for on in [true, false] {
        let module = planned(&program, f, Options { enable_out_variant: on, ..Options::default() });
        module.run(&x, &RunOptions::default()).unwrap();
        texts.push(text(&module.run(&x, &RunOptions::default()).unwrap()));
        let first = module.listing().lines().find(|l| l.contains("aten::relu")).unwrap().trim().to_owned();
        assert!(first.contains(if on { "out " } else { "native " }), "{first}");
    }
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn constants_beside_a_raise_leave_what_is_in_lists_managed() {
    let mut program = Program::default();
    let mut c = Code::new(&mut program, "f", &[Type::tensor(), Type::Bool]);
    let (a, b) = (c.call("aten::relu", &[0]), c.call("aten::tanh", &[0]));
    let (list, zero) = (c.list(Type::tensor(), &[a, b]), c.constant(0i64));
    let both = c.call("aten::cat", &[list, zero]);
    let (message, class) = (c.constant("no"), c.constant("ValueError"));
    let raise = |c: &mut Code<'_>| {
        c.op(Op::Raise, &[message, class], 0);
        Vec::new()
    };
    c.branch(1, raise, |_| Vec::new());
    let y = c.call("aten::neg", &[both]);
    let f = c.finish(&[y]);
    let module = planned(&program, f, Options::default());
    let mut runtime = module.runtime();
    runtime.run(&[tensor(&[2, 2], 1), IValue::Bool(false)]).unwrap();
    assert_eq!(runtime.layout().managed, 3, "{}", module.listing());
}
