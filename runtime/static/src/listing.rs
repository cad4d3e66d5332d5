//! Plans as text: every node with its mode and its result's place, and every block with what it adds to the slab.

use crate::module::StaticModule;
use crate::plan::{Home, Input, Kind, NONE, Node, Part, Plan};
use crate::planner::Lies;
use sconce_interpreter::program::{FunctionId, Program};
use std::fmt::Write;
use std::sync::atomic::Ordering;

/// How a node runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Out,
    Native,
    Interpreter,
    /// A kernel that has not run yet.
    Unknown,
}

impl Mode {
    fn word(self) -> &'static str {
        match self {
            Mode::Out => "out",
            Mode::Native => "native",
            Mode::Interpreter => "interpreter",
            Mode::Unknown => "not run",
        }
    }
}

fn mode(plan: &Plan, at: usize) -> Mode {
    match &plan.nodes[at].kind {
        Kind::Interpret(_) => Mode::Interpreter,
        Kind::Operator { .. } if plan.nodes[at].offers => match plan.seen[at].load(Ordering::Relaxed) {
            0 => Mode::Unknown,
            1 => Mode::Native,
            _ => Mode::Out,
        },
        _ => Mode::Native,
    }
}

impl StaticModule {
    /// The options, and the nodes of every planned function with their modes. Modes of kernels and places are those that runs have shown so far.
    pub fn listing(&self) -> String {
        let inner = self.inner();
        let mut out = format!("options: {}\n", self.options());
        let functions = inner.executable.program().functions.len() as FunctionId;
        for plan in (0..functions).filter_map(|f| inner.plan(f)) {
            function(&mut out, inner.executable.program(), plan);
        }
        out
    }
}

fn function(out: &mut String, program: &Program, plan: &Plan) {
    let f = &program.functions[plan.function as usize];
    let instance = plan.pool.take();
    let place = |c: usize| instance.as_ref().and_then(|i| i.place_of(c));
    let _ = write!(out, "{}: {} nodes, {} constants", f.name, plan.nodes.len(), plan.presets.len());
    match instance.as_ref().map(|i| i.layout()) {
        Some(l) => {
            let _ = writeln!(
                out,
                "; {} results in {} groups of {} bytes ({} without sharing), {} of them placed in others, {} outputs of {} bytes",
                l.managed, l.groups, l.bytes, l.unshared_bytes, l.placed, l.outputs, l.output_bytes
            );
        }
        None => out.push_str("; not run yet\n"),
    }
    for (b, block) in (0..).zip(&plan.blocks) {
        let nodes: Vec<usize> = (0..plan.nodes.len()).filter(|&n| plan.nodes[n].block == b).collect();
        let count = |m: Mode| nodes.iter().filter(|&&n| mode(plan, n) == m).count();
        let places = || nodes.iter().flat_map(|&n| plan.nodes[n].candidates.iter()).filter(|c| **c != NONE);
        let managed: Vec<_> = places().filter_map(|c| place(*c as usize)).collect();
        let parent = block.parent.map_or_else(String::new, |p| format!(" in {p}"));
        let _ = writeln!(
            out,
            "  block {b} ({}{parent}): {} out, {} native, {} interpreter; {} managed of {} bytes",
            block.kind,
            count(Mode::Out),
            count(Mode::Native),
            count(Mode::Interpreter),
            managed.len(),
            managed.iter().map(|m| m.1).sum::<usize>()
        );
    }
    for (at, node) in plan.nodes.iter().enumerate() {
        let line = line(program, plan, node);
        let _ = write!(out, "  {at:3} {:11} {line}", mode(plan, at).word());
        for c in node.candidates.iter().filter(|c| **c != NONE) {
            match (plan.candidates[*c as usize].home, place(*c as usize)) {
                (Home::Slab, Some((Lies::InGroup(group), bytes))) => {
                    let _ = write!(out, "  # group {group}, {bytes} bytes");
                }
                (Home::Slab, Some((Lies::Inside(around, start), bytes))) => {
                    let around = slot(program, plan, plan.slot_of(around));
                    let _ = write!(out, "  # placed in {around} at {start}, {bytes} bytes");
                }
                (Home::Arena, _) => out.push_str("  # output"),
                _ => {}
            }
        }
        out.push('\n');
    }
    if let Some(instance) = instance {
        plan.pool.give(instance);
    }
}

fn slot(program: &Program, plan: &Plan, slot: u32) -> String {
    let names = &program.functions[plan.function as usize].value_names;
    match names.get(slot as usize).and_then(Option::as_ref) {
        Some(name) => format!("%{name}"),
        None => format!("%{slot}"),
    }
}

fn line(program: &Program, plan: &Plan, node: &Node) -> String {
    let slot = |at: u32| slot(program, plan, at);
    let input = |i: &Input| {
        let name = slot(i.slot);
        match i.part {
            Part::Whole if i.last => format!("move({name})"),
            Part::Whole => name,
            Part::At(n) => format!("{name}[{n}]"),
            Part::Key(key) => format!("{name}[{}]", slot(key)),
        }
    };
    let what = match &node.kind {
        Kind::Operator { bound, .. } => bound.entry().name.to_owned(),
        Kind::Interpret(function) => {
            let alone = &program.functions[*function as usize];
            match alone.code.get(1).map(|i| i.op) {
                _ if alone.code.len() > 3 => "loop".into(),
                Some(sconce_interpreter::program::Op::Call(o)) => program.operators[o as usize].to_string(),
                Some(op) => op_name(&format!("{op:?}")),
                None => String::new(),
            }
        }
        Kind::Run(f) => format!("call {}", program.functions[*f as usize].name),
        Kind::Fork(f) => format!("fork {}", program.functions[*f as usize].name),
        Kind::Jump(t) => format!("jump {t}"),
        Kind::JumpUnless(t) => format!("jump to {t} unless"),
        Kind::LoopUnless(t) => format!("leave the loop to {t} unless"),
        Kind::GetAttr(n) => format!("get {}", program.names[*n as usize]),
        Kind::SetAttr(n) => format!("set {}", program.names[*n as usize]),
        Kind::Apply(op) => op_name(&format!("{op:?}")),
        Kind::Parameters => "parameters".into(),
        Kind::Return => "return".into(),
        Kind::Wait => "wait".into(),
        Kind::Next => "next".into(),
        Kind::Move => "move".into(),
        Kind::Drop => "drop".into(),
        Kind::Tuple => "tuple".into(),
        Kind::List(_) => "list".into(),
        Kind::Borrow { .. } => "borrow".into(),
        Kind::Constant(_) => "constant".into(),
    };
    let outputs: Vec<String> = node.outputs.iter().map(|o| slot(*o)).collect();
    let inputs: Vec<String> = node.inputs.iter().map(input).collect();
    let equals = if outputs.is_empty() { "" } else { " = " };
    format!("{}{equals}{what} {}", outputs.join(", "), inputs.join(", ")).trim_end().to_owned()
}

/// The instruction without its operands.
fn op_name(debug: &str) -> String {
    debug.split(['(', ' ']).next().unwrap_or_default().to_owned()
}
