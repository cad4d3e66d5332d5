//! Parts of what is concatenated: where they lie, when they are copied after all, and that nothing tells the difference.

mod build;

use build::{Code, Random, copies, interpreted, parallel_branches, planned, tensor, text};
use expect_test::{Expect, expect};
use sconce_interpreter::program::{FunctionId, Register};
use sconce_interpreter::{CustomKernel, Executable, Program};
use sconce_schema::Type;
use sconce_static::{Options, StaticModule};
use sconce_tensor::IValue;
use std::sync::Arc;

/// A function of `x` and its plan.
struct Case {
    program: Program,
    f: FunctionId,
    module: StaticModule,
}

impl Case {
    fn new(make: impl FnOnce(&mut Code<'_>) -> Vec<Register>) -> Case {
        let mut program = Program::default();
        let mut c = Code::new(&mut program, "f", &[Type::tensor()]);
        let results = make(&mut c);
        let f = c.finish(&results);
        let module = planned(&program, f, Options::default());
        Case { program, f, module }
    }

    /// Runs it some times with inputs of this size, and holds the results against the interpreter's.
    fn run(self, times: u64, sizes: &[i64]) -> Case {
        for seed in 1..=times {
            let given = [tensor(sizes, seed)];
            let expected = text(&interpreted(&self.program, self.f, &copies(&given)).unwrap());
            let got = self.module.run(&given, &Default::default()).unwrap();
            assert_eq!(text(&got), expected, "{sizes:?}\n{}", self.module.listing());
        }
        self
    }

    /// Where results lie: the operator and the end of its line in the listing.
    fn lie(self, expected: &Expect) -> Case {
        let mut lines = String::new();
        for line in self.module.listing().lines() {
            if let (Some((node, place)), true) = (line.split_once("  # "), line.contains("aten::")) {
                let (result, call) = node[18..].split_once(" = ").unwrap();
                lines += &format!("{result} {}: {place}\n", call.split(' ').next().unwrap());
            }
        }
        expected.assert_eq(&lines);
        self
    }
}

#[test]
fn parts_of_one_row_are_made_in_the_whole() {
    Case::new(parallel_branches).run(1, &[1, 2, 4, 4]).lie(&expect![[r#"
        %1 aten::relu: placed in %5 at 0, 128 bytes
        %2 aten::tanh: placed in %5 at 128, 128 bytes
        %5 aten::cat: group 0, 256 bytes
        %6 aten::neg: output
    "#]]);
    // Of more rows a part is in many pieces.
    Case::new(parallel_branches).run(3, &[2, 2, 4, 4]).lie(&expect![[r#"
        %1 aten::relu: group 1, 256 bytes
        %2 aten::tanh: group 2, 256 bytes
        %5 aten::cat: group 0, 512 bytes
        %6 aten::neg: output
    "#]]);
}

#[test]
fn a_list_that_grows_is_one_whole() {
    Case::new(|c| {
        let first = c.call("aten::relu", &[0]);
        let (mut layers, mut x) = (vec![first], c.join("aten::cat", &[first], 1));
        for _ in 0..3 {
            let y = c.call("aten::tanh", &[x]);
            let (zero, one, two) = (c.constant(0i64), c.constant(1i64), c.constant(2i64));
            let y = c.call("aten::slice.Tensor", &[y, one, zero, two, one]);
            layers.push(c.call("aten::neg", &[y]));
            x = c.join("aten::cat", &layers, 1);
        }
        vec![c.call("aten::neg", &[x])]
    })
    .run(3, &[1, 2, 4, 4])
    .lie(&expect![[r#"
        %1 aten::relu: placed in %4 at 0, 128 bytes
        %4 aten::cat: placed in %13 at 0, 128 bytes
        %5 aten::tanh: group 1, 128 bytes
        %10 aten::neg: placed in %13 at 128, 128 bytes
        %13 aten::cat: placed in %22 at 0, 256 bytes
        %14 aten::tanh: group 1, 256 bytes
        %19 aten::neg: placed in %22 at 256, 128 bytes
        %22 aten::cat: placed in %31 at 0, 384 bytes
        %23 aten::tanh: group 1, 384 bytes
        %28 aten::neg: placed in %31 at 384, 128 bytes
        %31 aten::cat: group 0, 512 bytes
        %32 aten::neg: output
    "#]]);
}

#[test]
fn a_whole_is_a_part_of_a_larger_one() {
    Case::new(|c| {
        let (a, b) = (c.call("aten::relu", &[0]), c.call("aten::tanh", &[0]));
        let inner = c.join("aten::cat", &[a, b], 1);
        let d = c.call("aten::abs", &[inner]);
        // The function's own argument is copied, and so is what comes a second time.
        let whole = c.join("aten::cat", &[0, inner, d, a], 1);
        let twice = c.join("aten::stack", &[whole, whole], 0);
        vec![c.call("aten::neg", &[twice])]
    })
    .run(3, &[1, 2, 4, 4])
    .lie(&expect![[r#"
        %1 aten::relu: placed in %5 at 0, 128 bytes
        %2 aten::tanh: placed in %5 at 128, 128 bytes
        %5 aten::cat: placed in %9 at 128, 256 bytes
        %6 aten::abs: placed in %9 at 384, 256 bytes
        %9 aten::cat: placed in %12 at 0, 768 bytes
        %12 aten::stack: group 0, 1536 bytes
        %13 aten::neg: output
    "#]]);
}

#[test]
fn what_is_written_later_is_copied() {
    // Before it is joined, a part may change; afterwards neither it nor, while it is needed, the whole.
    Case::new(|c| {
        let (a, b) = (c.call("aten::sin", &[0]), c.call("aten::cos", &[0]));
        c.call("aten::relu_", &[a]);
        let whole = c.join("aten::cat", &[a, b], 1);
        c.call("aten::neg_", &[b]);
        let sum = c.call("aten::neg", &[whole]);
        let b = c.call("aten::abs", &[b]);
        vec![sum, b]
    })
    .run(3, &[1, 2, 4, 4])
    .lie(&expect![[r#"
        %1 aten::sin: placed in %6 at 0, 128 bytes
        %2 aten::cos: group 1, 128 bytes
        %6 aten::cat: group 0, 256 bytes
        %8 aten::neg: output
        %9 aten::abs: output
    "#]]);
    Case::new(|c| {
        let (a, b) = (c.call("aten::sin", &[0]), c.call("aten::cos", &[0]));
        let whole = c.join("aten::cat", &[a, b], 1);
        c.call("aten::neg_", &[whole]);
        let (sum, b) = (c.call("aten::abs", &[whole]), c.call("aten::abs", &[b]));
        vec![sum, b]
    })
    .run(3, &[1, 2, 4, 4])
    .lie(&expect![[r#"
        %1 aten::sin: placed in %5 at 0, 128 bytes
        %2 aten::cos: group 1, 128 bytes
        %5 aten::cat: group 0, 256 bytes
        %7 aten::abs: output
        %8 aten::abs: output
    "#]]);
}

#[test]
fn what_goes_into_a_list_of_somebody_elses_is_copied() {
    let mut program = Program::default();
    let mut c = Code::new(&mut program, "f", &[Type::tensor()]);
    let (a, b, last) = (c.call("aten::relu", &[0]), c.call("aten::tanh", &[0]), c.constant(-1i64));
    let shelf = c.call("test::shelf", &[]);
    c.call("aten::append.t", &[shelf, a]);
    let whole = c.join("aten::cat", &[a, b], 1);
    // Nothing says that it is the same list.
    let shelf = c.call("test::shelf", &[]);
    let again = c.call("aten::__getitem__.t", &[shelf, last]);
    c.call("aten::neg_", &[again]);
    let y = c.call("aten::neg", &[whole]);
    let f = c.finish(&[y]);
    let shelf = IValue::tensor_list(Vec::new());
    let give: CustomKernel = Arc::new(move |_| Ok([shelf.clone()].into_iter().collect()));
    let custom = [("test::shelf".to_owned(), give)].into_iter().collect();
    let module = StaticModule::new(&program, f, &custom, Options::default()).unwrap();
    let interpreter = Executable::with_operators(Arc::new(program), &custom).unwrap();
    for seed in 1..4 {
        let given = [tensor(&[1, 2, 4], seed)];
        let expected = interpreter.run(f, given.to_vec(), &Default::default()).unwrap();
        let got = module.run(&given, &Default::default()).unwrap();
        assert_eq!(text(&got), text(&expected), "{}", module.listing());
    }
}

#[test]
fn other_sizes_are_laid_out_anew_until_they_are_taken_to_vary() {
    let case = Case::new(parallel_branches).run(2, &[1, 2, 4, 4]).run(2, &[1, 1, 2, 4]).lie(&expect![[r#"
        %1 aten::relu: placed in %5 at 0, 32 bytes
        %2 aten::tanh: placed in %5 at 32, 32 bytes
        %5 aten::cat: group 0, 256 bytes
        %6 aten::neg: output
    "#]]);
    (0..9).fold(case, |case, i| case.run(1, &[1, 3, 4, 1 + i % 2])).lie(&expect![[r#"
        %1 aten::relu: group 1, 128 bytes
        %2 aten::tanh: group 2, 128 bytes
        %5 aten::cat: group 0, 256 bytes
        %6 aten::neg: output
    "#]]);
}

#[test]
fn a_run_that_ends_between_two_wholes_leaves_them_apart() {
    let case = Case::new(|c| {
        let (a, b) = (c.call("aten::relu", &[0]), c.call("aten::tanh", &[0]));
        let inner = c.join("aten::cat", &[a, b], 1);
        // Refused for other sizes.
        let sizes = c.ints(&[1, 4, 4]);
        let d = c.call("aten::view", &[inner, sizes]);
        let d = c.call("aten::neg", &[d]);
        let whole = c.join("aten::cat", &[inner, d], 1);
        vec![c.call("aten::neg", &[whole])]
    });
    let case = case.run(2, &[1, 2, 4]);
    case.module.run(&[tensor(&[1, 4, 4], 1)], &Default::default()).unwrap_err();
    let case = case.lie(&expect![[r#"
        %1 aten::relu: group 1, 64 bytes
        %2 aten::tanh: group 2, 64 bytes
        %5 aten::cat: placed in %14 at 0, 64 bytes
        %11 aten::neg: placed in %14 at 64, 64 bytes
        %14 aten::cat: group 0, 128 bytes
        %15 aten::neg: output
    "#]]);
    case.run(2, &[1, 2, 4]).lie(&expect![[r#"
        %1 aten::relu: placed in %5 at 0, 32 bytes
        %2 aten::tanh: placed in %5 at 32, 32 bytes
        %5 aten::cat: placed in %14 at 0, 64 bytes
        %11 aten::neg: placed in %14 at 64, 64 bytes
        %14 aten::cat: group 0, 128 bytes
        %15 aten::neg: output
    "#]]);
}

/// Tensors of some channels made of one another: pointwise, by views, joined (some twice, some of them joined before), and now and then written to. The function
/// gives something of each, so that all are needed to the end unless they are `forgotten`.
fn channels(c: &mut Code<'_>, r: &mut Random, forgotten: bool) -> Vec<Register> {
    let numbers: Vec<Register> = (0..4i64).map(|n| c.constant(n)).collect();
    let mut made = vec![(0, 2)];
    for _ in 0..4 + r.below(20) {
        let (x, wide) = made[r.below(made.len())];
        let name = ["aten::relu", "aten::tanh", "aten::neg", "aten::sin"][r.below(4)];
        let next = match r.below(16) {
            0..6 => (c.call(name, &[x]), wide),
            6..13 => {
                let parts: Vec<(Register, usize)> = (0..1 + r.below(4)).map(|_| made[r.below(made.len())]).collect();
                let wide = parts.iter().map(|p| p.1).sum();
                let parts: Vec<Register> = parts.iter().map(|p| p.0).collect();
                if wide > 64 { continue } else { (c.join("aten::cat", &parts, 1), wide) }
            }
            13 | 14 => {
                let start = r.below(wide.min(3));
                let wide = 1 + r.below(wide - start);
                let end = c.constant((start + wide) as i64);
                let view = c.call("aten::slice.Tensor", &[x, numbers[1], numbers[start], end, numbers[1]]);
                made.push((view, wide));
                (c.join("aten::cat", &[view], 1), wide)
            }
            _ if x != 0 => (c.call("aten::relu_", &[x]), wide),
            _ => continue,
        };
        made.push(next);
    }
    let kept = if forgotten { made.len() - 1 } else { 0 };
    made[kept..].iter().map(|(x, _)| c.call("aten::neg", &[*x])).collect()
}

#[test]
fn random_concatenations_are_what_the_interpreter_makes_of_them() {
    let mut placed = 0;
    for seed in 1..=600u64 {
        let mut r = Random::new(seed);
        let case = Case::new(|c| channels(c, &mut r, seed % 2 == 0));
        let case = case.run(3, &[1, 2, 4]).run(2, &[1, 2, 3]).run(2, &[2, 2, 3]).run(2, &[1, 2, 4]);
        placed += case.module.listing().matches("placed in %").count();
    }
    assert!(placed > 600, "{placed} results were made in what they are joined to");
}
