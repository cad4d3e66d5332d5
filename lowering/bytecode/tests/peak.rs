//! Values die at their last use: the most bytes that live at once are those that liveness asks for on the path that was taken.

use sconce_bytecode::lower;
use sconce_graph::listing::read_program;
use sconce_interpreter::liveness::{self, Set};
use sconce_interpreter::program::{Function, Op};
use sconce_interpreter::{Executable, Options, Profile, Times};
use sconce_tensor::{IValue, Memory, Tensor};
use std::collections::BTreeMap;
use std::sync::Arc;

const ELEMENTS: usize = 4096;
const BYTES: usize = ELEMENTS * 4;

/// A value that only one branch needs, and branches of different need.
const BRANCH: &str = "graph(%x : Tensor, %c : bool, %n : int):
  %one : int = prim::Constant[value=1]()
  %big : Tensor = aten::add(%x, %x, %one)
  %other : Tensor = aten::add(%big, %x, %one)
  %y : Tensor = prim::If(%c)
    block0():
      %a : Tensor = aten::add(%big, %other, %one)
      -> (%a)
    block1():
      %p : Tensor = aten::add(%x, %x, %one)
      %q : Tensor = aten::add(%p, %p, %one)
      %r : Tensor = aten::mul(%q, %q)
      %s : Tensor = aten::add(%r, %other, %one)
      -> (%s)
  return (%y)
";

/// A loop that carries one tensor and makes two in each turn.
const LOOP: &str = "graph(%x : Tensor, %c : bool, %n : int):
  %one : int = prim::Constant[value=1]()
  %true : bool = prim::Constant[value=1]()
  %r : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %t : Tensor):
      %u : Tensor = aten::add(%t, %x, %one)
      %w : Tensor = aten::mul(%u, %u)
      -> (%true, %w)
  return (%r)
";

/// A branch in a loop, with a tensor that lives over the loop and one that dies before it.
const BOTH: &str = "graph(%x : Tensor, %c : bool, %n : int):
  %one : int = prim::Constant[value=1]()
  %three : int = prim::Constant[value=3]()
  %true : bool = prim::Constant[value=1]()
  %keep : Tensor = aten::add(%x, %x, %one)
  %before : Tensor = aten::add(%keep, %x, %one)
  %start : Tensor = aten::mul(%before, %x)
  %a : Tensor, %b : Tensor = prim::Loop(%n, %true, %start, %keep)
    block0(%i : int, %t : Tensor, %v : Tensor):
      %early : bool = aten::lt(%i, %three)
      %next : Tensor = prim::If(%early)
        block0():
          %e : Tensor = aten::add(%t, %v, %one)
          %g : Tensor = aten::mul(%e, %v)
          -> (%g)
        block1():
          -> (%t)
      -> (%true, %next, %t)
  %sum : Tensor = aten::add(%a, %b, %one)
  %all : Tensor = aten::add(%sum, %keep, %one)
  return (%all)
";

/// Results that nobody reads, of an operator that must run.
const UNREAD: &str = "graph(%x : Tensor, %c : bool, %n : int):
  %one : int = prim::Constant[value=1]()
  %a : Tensor = aten::add(%x, %x, %one)
  %unread : Tensor = aten::add_(%a, %x, %one)
  %b : Tensor = aten::mul(%a, %x)
  %d : Tensor = aten::mul(%b, %b)
  %f : Tensor = aten::mul(%d, %d)
  return (%f)
";

/// Registers that hold tensors which the function has made.
fn made(f: &Function) -> Set {
    let mut made = Set::new(f.registers as usize);
    for _ in 0..f.code.len() {
        for i in &f.code {
            let results = f.outputs(i).to_vec();
            match i.op {
                Op::Call(_) => results.iter().for_each(|r| made.insert(*r)),
                Op::Move => {
                    for (r, o) in results.iter().zip(f.inputs(i)) {
                        if made.contains(o.register()) {
                            made.insert(*r);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    made
}

/// The most tensors that any executed operator needs at once: what lives before it, and its results.
fn needed(f: &Function, times: &Times, names: &[Arc<str>]) -> usize {
    let tensors = made(f);
    let mut most = 0;
    for block in liveness::blocks(f) {
        let mut live = Set::new(f.registers as usize);
        live.insert_all(&block.live_out);
        for pc in (block.start..block.end).rev() {
            let i = f.code[pc];
            let outputs = f.outputs(&i).to_vec();
            liveness::before(f, &i, &mut live);
            let Op::Call(o) = i.op else { continue };
            let makes = !names[o as usize].contains("lt") && !names[o as usize].contains("add_");
            if times.of(0, pc as u32).0 > 0 {
                let lives = live.iter().filter(|r| tensors.contains(*r)).count();
                most = most.max(lives + if makes { outputs.len() } else { 0 });
            }
        }
    }
    most
}

#[test]
fn the_peak_is_what_liveness_asks_for() {
    for (name, text) in [("branch", BRANCH), ("loop", LOOP), ("both", BOTH), ("unread", UNREAD)] {
        let unit = read_program("test.txt", text, "f").expect("the test's listing is sound");
        let program = Arc::new(lower(&unit, &BTreeMap::new()).expect("it lowers"));
        let executable = Executable::new(program.clone()).expect("it loads");
        for c in [true, false] {
            for n in [1, 2, 7] {
                let inputs = || {
                    let x = Tensor::from_vec(vec![0.5f32; ELEMENTS], &[ELEMENTS as i64]);
                    vec![IValue::Tensor(x), IValue::Bool(c), IValue::Int(n)]
                };
                let profile = Arc::new(Profile::default());
                let measured = Options { profile: Some(profile.clone()), ..Options::default() };
                executable.run(0, inputs(), &measured).expect("it runs");
                let needed = needed(&program.functions[0], &profile.of(&program), &program.operators);
                for options in [&measured, &Options::default()] {
                    let inputs = inputs();
                    // The caller keeps the input, which is none of the program's.
                    let kept = inputs.clone();
                    let before = Memory::live();
                    Memory::reset_peak();
                    let out = executable.run(0, inputs, options).expect("it runs");
                    let peak = (Memory::peak() - before).div_ceil(BYTES);
                    assert!(peak <= needed, "{name}, {c}, {n}: {peak} tensors at once, {needed} are needed");
                    assert!(peak + 1 >= needed, "{name}, {c}, {n}: the bound of {needed} is loose: {peak}");
                    drop((out, kept));
                    assert_eq!(Memory::live() + BYTES, before, "{name}: nothing stays");
                }
            }
        }
    }
}
