//! Random programs of views, in-place writes, containers, branches and loops: planned runs give what the interpreter gives, and what an earlier run gave stays
//! as it was.

mod build;

use build::{Code, copies, interpreted, planned, tensor, text};
use sconce_interpreter::Program;
use sconce_interpreter::program::{Op, Register};
use sconce_schema::Type;
use sconce_static::Options;
use sconce_tensor::{IValue, Tensor};

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n as u64) as usize
    }
    fn one(&mut self, of: &[Register]) -> Register {
        of[self.below(of.len())]
    }
}

/// Numbers that the calls need.
struct Numbers {
    zero: Register,
    one: Register,
    three: Register,
    small: Register,
    sizes: Register,
    condition: Register,
}

/// A few steps on matrices of 4 by 4; gives those that are at hand behind them.
fn steps(c: &mut Code<'_>, r: &mut Random, n: &Numbers, mut at_hand: Vec<Register>, depth: usize) -> Vec<Register> {
    for _ in 0..1 + r.below(6) {
        let (x, y) = (r.one(&at_hand), r.one(&at_hand));
        let made = match r.below(24) {
            0 | 1 => c.call("aten::add.Tensor", &[x, y, n.one]),
            2 | 3 => c.call("aten::mul.Tensor", &[x, y]),
            4 => c.call("aten::relu", &[x]),
            5 => c.call("aten::matmul", &[x, y]),
            6 => c.call("aten::tanh", &[x]),
            7 | 8 => c.call("aten::t", &[x]),
            9 => c.call("aten::contiguous", &[x, n.zero]),
            10 => c.call("aten::reshape", &[x, n.sizes]),
            11 => c.call("aten::detach", &[x]),
            12 => c.call("aten::add_.Tensor", &[x, y, n.one]),
            13 => c.call("aten::mul_.Scalar", &[x, n.small]),
            14 => c.call("aten::relu_", &[x]),
            15 | 16 => {
                // Rows 1 and 2 change; whatever shares them sees it.
                let rows = c.call("aten::slice.Tensor", &[x, n.zero, n.one, n.three, n.one]);
                c.call("aten::mul_.Scalar", &[rows, n.small]);
                x
            }
            17 => {
                let pair = c.tuple(&[x, y]);
                let parts = c.op(Op::TupleUnpack, &[pair], 2);
                at_hand.push(parts[0]);
                parts[1]
            }
            18 => {
                let list = c.list(Type::tensor(), &[x, y]);
                if r.below(2) == 0 {
                    c.call("aten::append.t", &[list, x]);
                    c.call("aten::__getitem__.t", &[list, n.one])
                } else {
                    c.op(Op::ListUnpack, &[list], 2)[0]
                }
            }
            19 => {
                let list = c.list(Type::tensor(), &[x, y]);
                let both = c.call("aten::stack", &[list, n.zero]);
                c.call("aten::select.int", &[both, n.zero, n.one])
            }
            20 if depth > 0 => {
                let mut other = Random(r.below(1 << 30) as u64 * 2 + 1);
                let inside = at_hand.clone();
                let made = c.branch(
                    n.condition,
                    |c| vec![*steps(c, r, n, inside.clone(), depth - 1).last().unwrap()],
                    |c| vec![*steps(c, &mut other, n, inside.clone(), depth - 1).last().unwrap()],
                );
                made[0]
            }
            21 | 22 if depth > 0 => {
                let outside = at_hand.clone();
                let made = c.repeat(n.three, &[x, y], |c, carried| {
                    let mut inside = outside.clone();
                    inside.extend(carried);
                    let inside = steps(c, r, n, inside, depth - 1);
                    vec![r.one(&inside), *inside.last().unwrap()]
                });
                at_hand.push(made[0]);
                made[1]
            }
            _ => c.call("aten::sub.Tensor", &[x, y, n.one]),
        };
        at_hand.push(made);
    }
    at_hand
}

fn program(seed: u64) -> Program {
    let mut program = Program::default();
    let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    (0..4).for_each(|_| {
        r.below(2);
    });
    let mut c = Code::new(&mut program, "f", &[Type::tensor(), Type::tensor(), Type::Bool]);
    let numbers = Numbers {
        zero: c.constant(0i64),
        one: c.constant(1i64),
        three: c.constant(3i64),
        small: c.constant(0.5f64),
        sizes: c.ints(&[4, 4]),
        condition: 2,
    };
    let at_hand = steps(&mut c, &mut r, &numbers, vec![0, 1], 2);
    let mut results: Vec<Register> = (0..1 + r.below(3)).map(|_| r.one(&at_hand)).collect();
    results.push(*at_hand.last().unwrap());
    if r.below(3) == 0 {
        results = vec![c.tuple(&results)];
    }
    c.finish(&results);
    program
}

fn tensors(values: &[IValue]) -> Vec<Tensor> {
    let each = |v: &IValue| match v {
        IValue::Tensor(t) => vec![t.clone()],
        IValue::Tuple(t) => tensors(&t.items),
        _ => Vec::new(),
    };
    values.iter().flat_map(each).collect()
}

/// Which results and inputs are the same tensor, and which share storage.
fn sharing(inputs: &[IValue], outputs: &[IValue]) -> Vec<(bool, bool)> {
    let all: Vec<Tensor> = tensors(inputs).into_iter().chain(tensors(outputs)).collect();
    all.iter().flat_map(|a| all.iter().map(|b| (a.is(b), a.shares_storage(b)))).collect()
}

fn check(seed: u64, options: Options) {
    let program = program(seed);
    let module = planned(&program, 0, options);
    let mut runtime = module.runtime();
    let mut earlier: Vec<(Vec<IValue>, String)> = Vec::new();
    for round in 0..5u64 {
        let given = [
            tensor(&[4, 4], seed * 10 + round),
            tensor(&[4, 4], seed * 10 + round + 5),
            IValue::Bool((seed + round) % 2 == 0),
        ];
        let (ours, theirs) = (copies(&given), copies(&given));
        let expected = interpreted(&program, 0, &theirs);
        let got = runtime.run(&ours);
        let say = || format!("seed {seed}, round {round}, {options}\n{}\n{}", program.full_listing(), module.listing());
        match (expected, got) {
            (Ok(expected), Ok(got)) => {
                assert_eq!(text(&got), text(&expected), "{}", say());
                assert_eq!(text(&ours), text(&theirs), "inputs: {}", say());
                assert_eq!(sharing(&ours, &got), sharing(&theirs, &expected), "{}", say());
                if round % 2 == 0 {
                    let as_it_was = text(&got);
                    earlier.push((got.into_vec(), as_it_was));
                }
            }
            (Err(expected), Err(got)) => assert_eq!(got.last_line(), expected.last_line(), "{}", say()),
            (expected, got) => panic!("{expected:?} and {got:?}: {}", say()),
        }
        for (values, as_it_was) in &earlier {
            assert_eq!(&text(values), as_it_was, "an earlier result changed: {}", say());
        }
    }
}

#[test]
fn plans_of_random_programs_change_nothing() {
    let options: Vec<Options> = Options::all().collect();
    for seed in 1..=1500 {
        check(seed, Options::default());
        check(seed, options[seed as usize % options.len()]);
    }
}
