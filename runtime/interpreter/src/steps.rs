//! The inner loop: steps of one frame, until the machine itself is needed.

use crate::cost;
use crate::error::Cause;
use crate::executable::{Executable, Operator};
use crate::machine::{Failure, Values};
use crate::observer::{Observer, operator_of};
use crate::prepared::{self, Code, Registers, Step};
use crate::profile::Times;
use crate::program::{Op, Program};
use crate::structural;
use sconce_kernels::direct::{Dest, Kind, Plain, Source, Word};
use sconce_kernels::{Outputs, grad};
use sconce_schema::Type;
use sconce_tensor::{IValue, List};
use std::time::Instant;

/// Why the inner loop stopped at a step.
pub(crate) enum Pause {
    /// The step is the machine's to run.
    Machine(u32),
    /// The fuel that was granted is used up.
    Fuel,
}

/// What the steps of a run share.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub executable: &'a Executable,
    pub profile: Option<&'a Times>,
    pub observer: Option<&'a dyn Observer>,
    /// Takes fuel beyond the slice at hand.
    pub spend: &'a dyn Fn(u64) -> Result<(), Failure>,
}

/// Runs steps from `at` on. Afterwards `at` is the step that it stopped at or that failed.
pub(crate) fn advance<const PROFILE: bool>(
    context: Context<'_>,
    function: u32,
    code: &Code,
    at: &mut u32,
    registers: &mut Registers<'_>,
    arguments: &mut Vec<IValue>,
    fuel: &mut i64,
) -> Result<Pause, Failure> {
    let mut pc = *at as usize;
    let result = loop {
        let Some(step) = code.steps.get(pc) else {
            break Err(Failure::runtime("control ran off the end of a function"));
        };
        let started = (PROFILE && !matches!(step, Step::Machine { .. })).then(|| (Instant::now(), pc));
        macro_rules! attempt {
            ($e:expr) => {
                match $e {
                    Ok(v) => v,
                    Err(e) => break Err(Failure::from(e)),
                }
            };
        }
        macro_rules! go {
            ($target:expr, $cost:expr) => {{
                record::<PROFILE>(context, function, code, started);
                *fuel -= i64::from($cost);
                pc = $target as usize;
                if *fuel < 0 {
                    break Ok(Pause::Fuel);
                }
                continue;
            }};
        }
        let words = &mut *registers.words;
        match *step {
            Step::One { f, a, to, kernel } => match f(words[a as usize]) {
                Some(w) => words[to as usize] = w,
                None => attempt!(ask(context, code, kernel, registers, fuel)),
            },
            Step::Two { f, a, b, to, kernel } => match f(words[a as usize], words[b as usize]) {
                Some(w) => words[to as usize] = w,
                None => attempt!(ask(context, code, kernel, registers, fuel)),
            },
            Step::Three { f, a, b, c, to, kernel } => {
                match f(words[a as usize], words[b as usize], words[c as usize]) {
                    Some(w) => words[to as usize] = w,
                    None => attempt!(ask(context, code, kernel, registers, fuel)),
                }
            }
            Step::Test { f, a, b, to, when, target, cost } => {
                let w = f(words[a as usize], words[b as usize]).unwrap_or(0);
                words[to as usize] = w;
                if (w != 0) == when {
                    go!(target, cost);
                }
            }
            Step::Jump { target, cost } => go!(target, cost),
            Step::JumpIf { a, when, target, cost } => {
                if (words[a as usize] != 0) == when {
                    go!(target, cost);
                }
            }
            Step::JumpUnlessBox { from, target } => {
                let value = registers.read(code, from);
                if !attempt!(structural::truth(&value)) {
                    go!(target, 1);
                }
            }
            Step::LoopTop { counter, limit, condition, exit } => {
                if !turns(words[counter as usize], words[limit as usize], words[condition as usize]) {
                    go!(exit, 0);
                }
            }
            Step::LoopEnd { counter, limit, condition, body, cost } => {
                let next = words[counter as usize].wrapping_add(1);
                words[counter as usize] = next;
                if turns(next, words[limit as usize], words[condition as usize]) {
                    go!(body, cost);
                }
            }
            Step::LoopTopBox { site, exit } => {
                if !attempt!(turns_boxed(code, site, registers)) {
                    go!(exit, 1);
                }
            }
            Step::Next { from, to } => words[to as usize] = words[from as usize].wrapping_add(1),
            Step::NextBox { site } => attempt!(next_boxed(code, site, registers)),
            Step::SetWord { to, word } => words[to as usize] = word,
            Step::CopyWord { from, to } => words[to as usize] = words[from as usize],
            Step::ToFloat { from, to } => {
                words[to as usize] = (i64::from_word(words[from as usize]) as f64).into_word()
            }
            Step::Box { kind, from, to } => {
                let value = kind.value(words[from as usize]);
                registers.boxes[to as usize] = value;
            }
            Step::Unbox { kind, from, to } => {
                let word = match from {
                    Source::Copy(r) => attempt!(kind.word(&registers.boxes[r as usize])),
                    from => {
                        let value = registers.read(code, from);
                        attempt!(kind.word(&value))
                    }
                };
                registers.words[to as usize] = word;
            }
            Step::MoveBox { from: Source::Move(from), to } if from != to => {
                registers.boxes.swap(from as usize, to as usize);
                registers.boxes[from as usize].clear();
            }
            Step::MoveBox { from, to } => {
                let value = registers.read(code, from);
                registers.boxes[to as usize] = value;
            }
            Step::Drop { from } => registers.boxes[from as usize].clear(),
            Step::View { f, first, count, moves, dest } => {
                let sources = code.sources.get(first as usize..first as usize + count as usize).unwrap_or_default();
                attempt!(f(&mut registers.arguments(code, sources, dest)));
                // What was read for the last time dies here, also where the operator only looked at it.
                if moves {
                    registers.clear_moved(sources, dest);
                }
            }
            Step::Short { operator, site } => {
                attempt!(short(context, code, operator, site, registers, arguments, fuel));
            }
            Step::Call { operator, site } => {
                if let Some(observer) = context.observer {
                    tell_place(observer, context.executable.program(), function, code.at[pc]);
                }
                attempt!(call(context, code, operator, site, registers, arguments, fuel));
            }
            Step::Tuple { site } => {
                let items = code.sources(site).iter().map(|s| registers.read(code, *s));
                let tuple = IValue::tuple(items);
                attempt!(registers.write(code.dests(site)[0], tuple));
            }
            Step::Unpack { site } => attempt!(unpack(code, site, registers)),
            Step::List { site, ty } => {
                let element = match &context.executable.program().types[ty as usize] {
                    Type::List(e) => Type::clone(e),
                    other => other.clone(),
                };
                let items = code.sources(site).iter().map(|s| registers.read(code, *s));
                let list = IValue::List(List::new(element, items));
                attempt!(registers.write(code.dests(site)[0], list));
            }
            Step::Structural { site } => {
                let program: &Program = context.executable.program();
                let op = program.functions[function as usize].code[code.at[pc] as usize].op;
                let values = code.sources(site).iter().map(|s| registers.read(code, *s)).collect();
                let dests = code.dests(site);
                let results = match context.observer {
                    None => attempt!(structural::run(program, op, values, dests.len())),
                    Some(observer) => {
                        tell_place(observer, program, function, code.at[pc]);
                        attempt!(observed(observer, program, op, values, dests.len()))
                    }
                };
                attempt!(store(dests, results, registers));
            }
            Step::Machine { site } => break Ok(Pause::Machine(site)),
            Step::Nothing => {}
        }
        pc += 1;
        record::<PROFILE>(context, function, code, started);
    };
    *at = pc as u32;
    result
}

/// Whether a loop has another turn.
#[inline(always)]
fn turns(counter: Word, limit: Word, condition: Word) -> bool {
    i64::from_word(counter) < i64::from_word(limit) && condition != 0
}

#[inline(always)]
fn record<const PROFILE: bool>(context: Context<'_>, function: u32, code: &Code, started: Option<(Instant, usize)>) {
    if PROFILE && let (Some(profile), Some((started, step))) = (context.profile, started) {
        let pc = code.at[step];
        let count = u64::from(code.first[pc as usize] as usize == step);
        profile.record(function, pc, count, started);
    }
}

/// The kernel's answer where direct code has none: usually an error.
#[cold]
#[inline(never)]
fn ask(
    context: Context<'_>,
    code: &Code,
    kernel: u32,
    registers: &mut Registers<'_>,
    fuel: &mut i64,
) -> Result<(), Failure> {
    let Some(kernel) = code.kernels.get(kernel as usize) else {
        return Err(Failure::runtime("an operator that always has an answer had none"));
    };
    call(context, code, kernel.operator, kernel.site, registers, &mut Vec::new(), fuel)
}

/// An operator that may have an answer with its operands where they lie.
#[inline(never)]
fn short(
    context: Context<'_>,
    code: &Code,
    operator: u32,
    site: u32,
    registers: &mut Registers<'_>,
    arguments: &mut Vec<IValue>,
    fuel: &mut i64,
) -> Result<(), Failure> {
    let (sources, dest) = (code.sources(site), code.dests(site).first().copied().unwrap_or(Dest::Nowhere));
    let mut a = registers.arguments(code, sources, dest);
    charge(context, cost::of_operands(&a), fuel)?;
    let answered = match &context.executable.operators[operator as usize] {
        Operator::Known { bound, .. } => bound.call_direct(&mut a)?,
        Operator::Custom(_) | Operator::Missing => false,
    };
    if answered {
        registers.clear_moved(sources, dest);
        return Ok(());
    }
    collect(code, site, registers, arguments);
    invoke(context, code, operator, site, registers, arguments)
}

/// Takes fuel for an operator's work.
#[inline]
fn charge(context: Context<'_>, cost: u64, fuel: &mut i64) -> Result<(), Failure> {
    match i64::try_from(cost) {
        Ok(cost) if cost <= *fuel => *fuel -= cost,
        _ => (context.spend)(cost)?,
    }
    Ok(())
}

/// An operator that has its operands as values.
#[inline(never)]
fn call(
    context: Context<'_>,
    code: &Code,
    operator: u32,
    site: u32,
    registers: &mut Registers<'_>,
    arguments: &mut Vec<IValue>,
    fuel: &mut i64,
) -> Result<(), Failure> {
    collect(code, site, registers, arguments);
    charge(context, cost::of_arguments(arguments), fuel)?;
    invoke(context, code, operator, site, registers, arguments)
}

/// The arguments of a call as values.
#[inline(always)]
fn collect(code: &Code, site: u32, registers: &mut Registers<'_>, arguments: &mut Vec<IValue>) {
    arguments.clear();
    let sources = code.sources(site);
    for source in prepared::arguments(sources) {
        arguments.push(match source {
            Source::Items(first, count) => {
                let items = sources.iter().skip(usize::from(*first)).take(usize::from(*count));
                IValue::list(Type::Int, items.map(|s| registers.read(code, *s)))
            }
            source => registers.read(code, *source),
        });
    }
}

/// Calls the kernel of an operator with its arguments.
#[inline(never)]
fn invoke(
    context: Context<'_>,
    code: &Code,
    operator: u32,
    site: u32,
    registers: &mut Registers<'_>,
    arguments: &mut Vec<IValue>,
) -> Result<(), Failure> {
    let name = || &context.executable.program().operators[operator as usize];
    if let Some(observer) = context.observer {
        observer.before(name(), arguments);
    }
    let results = match &context.executable.operators[operator as usize] {
        Operator::Known { bound, .. } => {
            grad::check_written(bound.entry(), arguments).and_then(|()| bound.call(arguments))
        }
        Operator::Custom(kernel) => kernel(arguments),
        Operator::Missing => return Err(missing(name())),
    };
    if let Some(observer) = context.observer {
        match &results {
            Ok(results) => observer.after(name(), Ok(results)),
            Err(e) => observer.after(name(), Err(&e.to_string())),
        }
    }
    arguments.clear();
    let (results, dests) = (results?, code.dests(site));
    if dests.is_empty() {
        // Nobody uses the result (`append`).
        return Ok(());
    }
    if results.len() != dests.len() {
        return Err(miscounted(context, operator, &results, dests.len()));
    }
    for (dest, value) in dests.iter().zip(results) {
        match (*dest, value) {
            // Most are tensors, and go as such: a value of unknown kind is moved by its halves.
            (Dest::Box(r), IValue::Tensor(t)) => registers.boxes[r as usize] = IValue::Tensor(t),
            (dest, value) => registers.write(dest, value)?,
        }
    }
    Ok(())
}

/// Says where a watched run is.
#[cold]
fn tell_place(observer: &dyn Observer, program: &Program, function: u32, instruction: u32) {
    let Some(function) = program.functions.get(function as usize) else { return };
    let place = function.places.get(instruction as usize).copied().flatten();
    observer.at(&function.name, instruction, place.and_then(|p| Some((program.sources.get(p.source as usize)?, p))));
}

/// An instruction of a watched run: told of where it stands for an operator.
#[inline(never)]
fn observed(
    observer: &dyn Observer,
    program: &Program,
    op: Op,
    inputs: Values,
    outputs: usize,
) -> Result<Values, Failure> {
    let Some((name, arguments)) = operator_of(op, &inputs) else {
        return structural::run(program, op, inputs, outputs);
    };
    observer.before(name, &arguments);
    let results = structural::run(program, op, inputs, outputs);
    match &results {
        Ok(results) => observer.after(name, Ok(results)),
        Err(e) => observer.after(name, Err(&e.message)),
    }
    results
}

#[cold]
fn missing(operator: &str) -> Failure {
    let message = format!(
        "Unknown operator {operator}: it is not in the op table. Load the library that has it (`--load-ops FILE`, \
         `sconce.load_library`), or give its kernel to `Engine::register` under this name"
    );
    Failure { cause: Cause::Missing, ..Failure::runtime(message) }
}

#[cold]
fn miscounted(context: Context<'_>, operator: u32, results: &Outputs, wanted: usize) -> Failure {
    let name = &context.executable.program().operators[operator as usize];
    Failure::runtime(format!("{name} gave {} results where {wanted} are expected", results.len()))
}

/// Values to their places, as many as there are.
pub(crate) fn store(
    dests: &[Dest],
    values: impl IntoIterator<Item = IValue, IntoIter: ExactSizeIterator>,
    registers: &mut Registers<'_>,
) -> Result<(), Failure> {
    let values = values.into_iter();
    if values.len() != dests.len() {
        return Err(Failure::runtime(format!("{} values for {} registers", values.len(), dests.len())));
    }
    for (dest, value) in dests.iter().zip(values) {
        registers.write(*dest, value)?;
    }
    Ok(())
}

fn unpack(code: &Code, site: u32, registers: &mut Registers<'_>) -> Result<(), Failure> {
    let value = registers.read(code, code.sources(site)[0]);
    let dests = code.dests(site);
    let tuple = value.as_tuple()?;
    if tuple.items.len() != dests.len() {
        return Err(Failure::runtime(format!("a tuple of {} values unpacked into {}", tuple.items.len(), dests.len())));
    }
    for (dest, item) in dests.iter().zip(&tuple.items) {
        registers.write(*dest, item.clone())?;
    }
    Ok(())
}

fn turns_boxed(code: &Code, site: u32, registers: &mut Registers<'_>) -> Result<bool, Failure> {
    let mut input = |k: usize| registers.read(code, code.sources(site)[k]);
    let (counter, limit, condition) = (input(0), input(1), input(2));
    Ok(counter.as_int()? < limit.as_int()? && structural::truth(&condition)?)
}

fn next_boxed(code: &Code, site: u32, registers: &mut Registers<'_>) -> Result<(), Failure> {
    let word = Kind::Int.word(&registers.read(code, code.sources(site)[0]))?;
    let next = IValue::Int(i64::from_word(word).wrapping_add(1));
    Ok(registers.write(code.dests(site)[0], next)?)
}
