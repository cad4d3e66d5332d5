//! The interpreter: a machine is a stack of frames on the heap, so that calls nest without the host's stack and a task can stop at `wait`
//! and go on anywhere.
//!
//! Every instruction reads its inputs, does its work and writes its outputs; a value whose register is read for the last time is moved
//! out of the frame, so that it dies as soon as the operator lets go of it.

use crate::error::{Cause, RunError, TraceEntry, entry};
use crate::executable::{Executable, Operator, Options};
use crate::program::{Function, Instruction, Op, Program, Register};
use crate::structural;
use rustc_hash::FxHashMap;
use sconce_kernels::text::text_of;
use sconce_kernels::{Outputs, grad};
use sconce_tensor::{Future, IValue, Object};
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Instructions between two looks at fuel and cancellation.
const SLICE: u64 = 256;
/// Tasks that may be alive at once.
const MAX_TASKS: usize = 1 << 20;

pub(crate) type Values = SmallVec<[IValue; 8]>;

/// Why an instruction failed, before places are known.
pub(crate) struct Failure {
    pub cause: Cause,
    pub class: Arc<str>,
    pub message: String,
}

impl Failure {
    pub fn runtime(message: impl Into<String>) -> Failure {
        Failure { cause: Cause::Operator, class: "RuntimeError".into(), message: message.into() }
    }
    fn missing(operator: &str) -> Failure {
        let message = format!(
            "Unknown operator {operator}: it is not in the op table. Give its kernel to `Engine::register` (or to \
             `Executable::with_operators`) under this name"
        );
        Failure { cause: Cause::Missing, ..Failure::runtime(message) }
    }
}

impl From<sconce_kernels::Error> for Failure {
    fn from(e: sconce_kernels::Error) -> Failure {
        let cause = if matches!(e, sconce_kernels::Error::Missing { .. }) { Cause::Missing } else { Cause::Operator };
        Failure { cause, ..Failure::runtime(e.to_string()) }
    }
}

impl From<Failure> for RunError {
    fn from(f: Failure) -> RunError {
        RunError { cause: f.cause, class: f.class, message: f.message, trace: Vec::new() }
    }
}

impl From<sconce_kernels::Error> for RunError {
    fn from(e: sconce_kernels::Error) -> RunError {
        Failure::from(e).into()
    }
}

impl From<sconce_tensor::Error> for Failure {
    fn from(e: sconce_tensor::Error) -> Failure {
        Failure::runtime(e.to_string())
    }
}

struct Frame {
    function: u32,
    pc: u32,
    registers: Vec<IValue>,
}

/// One task: its frames, and the future it completes.
struct Machine {
    frames: Vec<Frame>,
    /// Register files of frames that are gone, for the next ones.
    spare: Vec<Vec<IValue>>,
    /// Objects of `with` statements that are open, each with the depth of its frame.
    entered: Vec<(usize, IValue)>,
    /// `None` for the task the caller waits for.
    future: Option<Arc<Future>>,
    /// Gradient modes before those that were entered.
    modes: Vec<bool>,
    /// The gradient mode while it does not run; a task begins with its maker's.
    gradients: bool,
    /// Instructions left until fuel is asked for.
    slice: u64,
}

/// How a machine stopped.
enum Stop {
    Returned(Outputs),
    /// Its current instruction is a `wait` for this future.
    Waits(Arc<Future>),
}

/// What all tasks of one run share.
struct Run<'a> {
    executable: &'a Executable,
    options: &'a Options,
    fuel: AtomicU64,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    ready: VecDeque<Machine>,
    /// Suspended tasks by the future they wait for.
    waiting: FxHashMap<usize, Vec<Machine>>,
    suspended: usize,
    running: usize,
    main: Option<Result<Outputs, RunError>>,
    closed: bool,
}

fn key(future: &Arc<Future>) -> usize {
    Arc::as_ptr(future) as usize
}

/// Runs a function with everything it forks.
pub(crate) fn run(
    executable: &Executable,
    function: u32,
    inputs: Vec<IValue>,
    options: &Options,
) -> Result<Outputs, RunError> {
    let program = executable.program();
    let inputs = program.bind(function, inputs, Vec::new())?;
    let run = Run {
        executable,
        options,
        fuel: AtomicU64::new(options.fuel.unwrap_or(u64::MAX)),
        queue: Mutex::default(),
        changed: Condvar::new(),
    };
    let mut machine = Machine::new(None);
    if let Err(failure) = machine.push(&run, function, inputs) {
        return Err(machine.error(&run, failure));
    }
    run.lock().ready.push_back(machine);
    let forks =
        options.workers > 0 && program.functions.iter().any(|f| f.code.iter().any(|i| matches!(i.op, Op::Fork(_))));
    if forks {
        std::thread::scope(|scope| {
            for _ in 0..options.workers.min(256) {
                scope.spawn(|| run.work());
            }
            run.work();
        });
    } else {
        run.work();
    }
    let result = run.lock().main.take();
    result.expect("the calling thread works until the main task has a result")
}

impl Run<'_> {
    fn lock(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes ready tasks and runs them until the main task and all that it left have ended.
    fn work(&self) {
        loop {
            let machine = {
                let mut queue = self.lock();
                loop {
                    if queue.closed {
                        return;
                    }
                    if let Some(m) = queue.ready.pop_front() {
                        queue.running += 1;
                        break m;
                    }
                    if queue.running == 0 {
                        // Nothing can become ready any more.
                        if queue.main.is_none() {
                            let message = "every task waits for another";
                            queue.main = Some(Err(RunError::new(Cause::Deadlock, "RuntimeError", message)));
                        }
                        queue.closed = true;
                        self.changed.notify_all();
                        return;
                    }
                    queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
                }
            };
            self.advance(machine);
        }
    }

    /// Runs a task until it ends or waits.
    fn advance(&self, mut machine: Machine) {
        let outside = grad::enable(machine.gradients);
        let outcome = machine.run(self).map_err(|failure| machine.error(self, failure));
        machine.gradients = grad::enable(outside);
        let (result, future) = match outcome {
            Ok(Stop::Waits(future)) => {
                let mut queue = self.lock();
                queue.running -= 1;
                if future.poll().is_some() {
                    queue.ready.push_front(machine);
                } else {
                    queue.suspended += 1;
                    queue.waiting.entry(key(&future)).or_default().push(machine);
                }
                self.changed.notify_all();
                return;
            }
            Ok(Stop::Returned(outputs)) => (Ok(outputs), machine.future.take()),
            Err(error) => (Err(error), machine.future.take()),
        };
        if let Some(future) = &future {
            future.complete(match &result {
                Ok(outputs) => Ok(single(outputs)),
                Err(e) => Err(e.to_string()),
            });
        }
        let mut queue = self.lock();
        queue.running -= 1;
        match &future {
            Some(future) => {
                for m in queue.waiting.remove(&key(future)).unwrap_or_default() {
                    queue.suspended -= 1;
                    // A task that was waited for goes on before new ones start.
                    queue.ready.push_front(m);
                }
            }
            None => {
                if result.is_err() {
                    queue.ready.clear();
                }
                queue.main = Some(result);
            }
        }
        self.changed.notify_all();
    }

    /// A slice of instructions to run, or why there is none.
    fn refill(&self) -> Result<u64, Failure> {
        if self.options.cancel.as_ref().is_some_and(|c| c.load(Ordering::Relaxed)) {
            return Err(Failure { cause: Cause::Cancelled, ..Failure::runtime("the run was cancelled") });
        }
        if self.options.fuel.is_none() {
            return Ok(SLICE);
        }
        let mut granted = 0;
        let _ = self.fuel.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            granted = left.min(SLICE);
            Some(left - granted)
        });
        if granted == 0 {
            return Err(Failure { cause: Cause::Fuel, ..Failure::runtime("the run has used up its fuel") });
        }
        Ok(granted)
    }
}

/// A task's result as one value: a function with several results gives a tuple.
pub(crate) fn single(outputs: &Outputs) -> IValue {
    match outputs.as_slice() {
        [] => IValue::None,
        [one] => one.clone(),
        more => IValue::tuple(more.to_vec()),
    }
}

impl Machine {
    fn new(future: Option<Arc<Future>>) -> Machine {
        let gradients = grad::enabled();
        Machine {
            frames: Vec::new(),
            spare: Vec::new(),
            entered: Vec::new(),
            modes: Vec::new(),
            future,
            gradients,
            slice: 0,
        }
    }

    /// Enters a function. Its `Load` finds the inputs in the first registers.
    fn push(&mut self, run: &Run<'_>, function: u32, inputs: impl IntoIterator<Item = IValue>) -> Result<(), Failure> {
        if self.frames.len() >= run.options.max_depth {
            return Err(Failure {
                cause: Cause::Depth,
                class: "RecursionError".into(),
                message: "maximum recursion depth exceeded".into(),
            });
        }
        let f = &run.executable.program().functions[function as usize];
        let mut registers = self.spare.pop().unwrap_or_default();
        registers.extend(inputs);
        // Parameters may be more than registers only in a program that `verify` refuses: `Load` writes all of them.
        registers.resize((f.registers as usize).max(registers.len()), IValue::Uninitialized);
        self.frames.push(Frame { function, pc: 0, registers });
        Ok(())
    }

    /// The failure with a traceback of the frames; open `with` objects are left first, as PyTorch does.
    fn error(&mut self, run: &Run<'_>, failure: Failure) -> RunError {
        let program = run.executable.program();
        let mut trace: Vec<TraceEntry> = self
            .frames
            .iter()
            .map(|f| {
                // A counter stays at a call until the callee returns.
                let places = &program.functions[f.function as usize].places;
                entry(program, f.function, places.get(f.pc as usize).copied().flatten())
            })
            .collect();
        if let (Some(first), Some(_)) = (trace.first_mut(), &self.future) {
            first.function = "<forked function>".into();
        }
        let error = RunError { cause: failure.cause, class: failure.class, message: failure.message, trace };
        if matches!(error.cause, Cause::Operator | Cause::Raised | Cause::Missing) {
            while let Some((_, object)) = self.entered.pop() {
                let Some(exit) = method(run.executable, &object, "__exit__") else { continue };
                let mut leave = Machine::new(None);
                let inputs = [object, IValue::None, IValue::None, IValue::None];
                let takes = run.executable.program().functions[exit as usize].parameters.len();
                // What goes wrong while leaving does not hide the first failure.
                if leave.push(run, exit, inputs.into_iter().take(takes)).is_ok() {
                    let _ = leave.run(run);
                }
            }
        }
        self.frames.clear();
        error
    }

    fn run(&mut self, run: &Run<'_>) -> Result<Stop, Failure> {
        let program: &Program = run.executable.program();
        loop {
            let Some(frame) = self.frames.last_mut() else {
                return Err(Failure::runtime("a task without a frame"));
            };
            let function = &program.functions[frame.function as usize];
            let Some(instruction) = function.code.get(frame.pc as usize) else {
                return Err(Failure::runtime("control ran off the end of a function"));
            };
            if self.slice == 0 {
                self.slice = run.refill()?;
            }
            self.slice -= 1;
            let pc = frame.pc;
            let function_id = frame.function;
            let started = run.options.profile.as_ref().map(|_| Instant::now());
            let stop = self.step(run, program, function, instruction)?;
            if let (Some(profile), Some(started)) = (&run.options.profile, started) {
                profile.record(function_id, pc, started.elapsed().as_nanos() as u64);
            }
            if let Some(stop) = stop {
                return Ok(stop);
            }
        }
    }

    /// One instruction. The frame's counter moves only when it succeeds, so that a failure is at its own place.
    #[inline]
    fn step(
        &mut self,
        run: &Run<'_>,
        program: &Program,
        function: &Function,
        instruction: &Instruction,
    ) -> Result<Option<Stop>, Failure> {
        let depth = self.frames.len();
        let frame = self.frames.last_mut().expect("`run` has looked at it");
        let outputs = function.outputs(instruction);
        match instruction.op {
            Op::Load => {
                // The inputs lie in the first registers already, in order; only a permuted load moves them.
                if outputs.iter().zip(0..).any(|(r, i): (&Register, u32)| *r != i) {
                    let values: Values = frame.registers[..outputs.len()].iter_mut().map(std::mem::take).collect();
                    store(frame, outputs, values)?;
                }
            }
            Op::Store => {
                let results: Outputs = read(frame, function, instruction).into_iter().collect();
                return self.leave(run, results);
            }
            Op::Constant(c) => frame.registers[outputs[0] as usize] = program.constants[c as usize].clone(),
            Op::Call(id) => {
                let mut args = read(frame, function, instruction);
                let results = match &run.executable.operators[id as usize] {
                    Operator::Known { op, defaults } => {
                        for default in defaults.iter().skip(args.len()) {
                            args.push(default.clone().unwrap_or_default());
                        }
                        sconce_kernels::call(op, &mut args)?
                    }
                    Operator::Custom(kernel) => kernel(&mut args)?,
                    Operator::Missing => return Err(Failure::missing(&program.operators[id as usize])),
                };
                if outputs.is_empty() {
                    // Nobody uses the result (`append`).
                } else if results.len() == outputs.len() {
                    for (r, v) in outputs.iter().zip(results) {
                        frame.registers[*r as usize] = v;
                    }
                } else {
                    return Err(Failure::runtime(format!(
                        "{} gave {} results where {} are expected",
                        program.operators[id as usize],
                        results.len(),
                        outputs.len()
                    )));
                }
            }
            Op::Move => {
                let values = read(frame, function, instruction);
                store(frame, outputs, values)?;
            }
            Op::Drop => drop(read(frame, function, instruction)),
            Op::Jump(t) => {
                frame.pc = t;
                return Ok(None);
            }
            Op::JumpUnless(t) => {
                let values = read(frame, function, instruction);
                if !structural::truth(&values[0])? {
                    frame.pc = t;
                    return Ok(None);
                }
            }
            Op::LoopUnless(t) => {
                let values = read(frame, function, instruction);
                let more = values[0].as_int()? < values[1].as_int()? && structural::truth(&values[2])?;
                if !more {
                    frame.pc = t;
                    return Ok(None);
                }
            }
            Op::Next => {
                let values = read(frame, function, instruction);
                frame.registers[outputs[0] as usize] = IValue::Int(values[0].as_int()?.wrapping_add(1));
            }
            Op::Uninitialized => frame.registers[outputs[0] as usize] = IValue::Uninitialized,
            Op::Raise => {
                let values = read(frame, function, instruction);
                let message = match &values[0] {
                    IValue::Str(s) => s.to_string(),
                    other => text_of(other),
                };
                let class: Arc<str> = match values.get(1) {
                    Some(IValue::Str(s)) => s.as_str().into(),
                    _ => "RuntimeError".into(),
                };
                return Err(Failure { cause: Cause::Raised, class, message });
            }
            Op::Print => {
                let values = read(frame, function, instruction);
                if let Some(output) = &run.options.output {
                    let mut line = String::new();
                    for (i, v) in values.iter().enumerate() {
                        if i > 0 {
                            line.push(' ');
                        }
                        line.push_str(&text_of(v));
                    }
                    line.push('\n');
                    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
                    // Like Python's, a print whose reader has gone away fails the program.
                    let written = output.write_all(line.as_bytes());
                    written.map_err(|e| Failure::runtime(format!("print: {e}")))?;
                }
            }
            Op::CreateObject(c) => {
                let class = &program.classes[c as usize];
                let object = Object::new(class.name.clone(), class.names.clone());
                frame.registers[outputs[0] as usize] = IValue::Object(object);
            }
            Op::GetAttr(n) => {
                let values = read(frame, function, instruction);
                let value = structural::get_attribute(&values[0], &program.names[n as usize])?;
                frame.registers[outputs[0] as usize] = value;
            }
            Op::SetAttr(n) => {
                let mut values = read(frame, function, instruction);
                let value = std::mem::take(&mut values[1]);
                structural::set_attribute(&values[0], &program.names[n as usize], value)?;
            }
            Op::CallFunction(callee) => {
                let values = read(frame, function, instruction);
                self.push(run, callee, values)?;
                return Ok(None);
            }
            Op::CallMethod(n) => {
                let name = &program.names[n as usize];
                let values = read(frame, function, instruction);
                let Some(callee) = method(run.executable, &values[0], name) else {
                    return Err(Failure::runtime(format!("{:?} has no method `{name}` in this program", values[0])));
                };
                let f = &program.functions[callee as usize];
                if f.parameters.len() != values.len() || f.results.len() != outputs.len() {
                    return Err(Failure::runtime(format!(
                        "`{}` takes {} arguments and gives {} results; called with {} and {}",
                        f.name,
                        f.parameters.len(),
                        f.results.len(),
                        values.len(),
                        outputs.len()
                    )));
                }
                self.push(run, callee, values)?;
                return Ok(None);
            }
            Op::Fork(callee) => {
                let values = read(frame, function, instruction);
                let future = Future::pending();
                let mut task = Machine::new(Some(future.clone()));
                task.push(run, callee, values)?;
                {
                    let mut queue = run.lock();
                    if queue.ready.len() + queue.suspended >= MAX_TASKS {
                        return Err(Failure::runtime(format!("more than {MAX_TASKS} tasks at once")));
                    }
                    queue.ready.push_back(task);
                }
                run.changed.notify_one();
                frame.registers[outputs[0] as usize] = IValue::Future(future);
            }
            Op::Wait => {
                // Read without moving: a task that is suspended here comes back to this instruction.
                let register = function.inputs(instruction)[0];
                let future = frame.registers[register.register() as usize].as_future()?.clone();
                match future.poll() {
                    None => return Ok(Some(Stop::Waits(future))),
                    Some(Ok(value)) => {
                        drop(read(frame, function, instruction));
                        frame.registers[outputs[0] as usize] = value;
                    }
                    Some(Err(message)) => return Err(Failure::runtime(message)),
                }
            }
            Op::Enter => {
                let values = read(frame, function, instruction);
                let object = values[0].clone();
                self.entered.push((depth, object.clone()));
                match method(run.executable, &object, "__enter__") {
                    Some(callee) => {
                        self.push(run, callee, [object])?;
                        return Ok(None);
                    }
                    None => {
                        // A listing has no methods of PyTorch's own modes.
                        if let Some(on) = gradient_mode(&object) {
                            self.modes.push(grad::enable(on));
                        }
                        self.set(function, instruction, IValue::None);
                    }
                }
            }
            Op::Exit => {
                let values = read(frame, function, instruction);
                let object = values[0].clone();
                if let Some(open) = self.entered.iter().rposition(|(d, o)| *d == depth && o.is(&object)) {
                    self.entered.remove(open);
                }
                match method(run.executable, &object, "__exit__") {
                    Some(callee) => {
                        let takes = program.functions[callee as usize].parameters.len();
                        let inputs = [object, IValue::None, IValue::None, IValue::None];
                        self.push(run, callee, inputs.into_iter().take(takes))?;
                        return Ok(None);
                    }
                    None => {
                        if gradient_mode(&object).is_some() {
                            grad::enable(self.modes.pop().unwrap_or(true));
                        }
                        self.set(function, instruction, IValue::None);
                    }
                }
            }
            Op::Region(id) => {
                let slot = &run.executable.regions[id as usize];
                let values = read(frame, function, instruction);
                let code = slot.compiled.read().unwrap_or_else(PoisonError::into_inner).clone();
                let results = match &code {
                    Some(code) if program.regions[id as usize].guards.iter().all(|g| g.holds(&values)) => {
                        code.run(&values)?.inspect(|results| grad::History::of(&values).mark_all(results))
                    }
                    _ => None,
                };
                match results {
                    Some(results) => {
                        slot.taken.fetch_add(1, Ordering::Relaxed);
                        if results.len() != outputs.len() {
                            return Err(Failure::runtime("a compiled region gave another number of results"));
                        }
                        for (r, v) in outputs.iter().zip(results) {
                            frame.registers[*r as usize] = v;
                        }
                    }
                    None => {
                        slot.fell_back.fetch_add(1, Ordering::Relaxed);
                        self.push(run, program.regions[id as usize].fallback, values)?;
                        return Ok(None);
                    }
                }
            }
            op => {
                let values = read(frame, function, instruction);
                let results = structural::run(program, op, values, outputs.len())?;
                store(frame, outputs, results)?;
            }
        }
        if let Some(frame) = self.frames.get_mut(depth - 1) {
            frame.pc += 1;
        }
        Ok(None)
    }

    fn set(&mut self, function: &Function, instruction: &Instruction, value: IValue) {
        if let (Some(frame), Some(r)) = (self.frames.last_mut(), function.outputs(instruction).first()) {
            frame.registers[*r as usize] = value;
        }
    }

    /// Leaves the innermost function; its results go to the outputs of the caller's instruction.
    fn leave(&mut self, run: &Run<'_>, mut results: Outputs) -> Result<Option<Stop>, Failure> {
        if let Some(mut frame) = self.frames.pop() {
            frame.registers.clear();
            self.spare.push(frame.registers);
        }
        let Some(caller) = self.frames.last_mut() else {
            return Ok(Some(Stop::Returned(results)));
        };
        let program: &Program = run.executable.program();
        let function = &program.functions[caller.function as usize];
        let instruction = &function.code[caller.pc as usize];
        let outputs = function.outputs(instruction);
        // `with` statements may ignore what `__enter__` and `__exit__` give.
        if matches!(instruction.op, Op::Enter | Op::Exit) {
            results.resize(outputs.len(), IValue::None);
        }
        store(caller, outputs, results)?;
        caller.pc += 1;
        Ok(None)
    }
}

/// The inputs of an instruction, those read for the last time moved out of the frame.
#[inline]
fn read(frame: &mut Frame, function: &Function, instruction: &Instruction) -> Values {
    function
        .inputs(instruction)
        .iter()
        .map(|o| {
            let register = &mut frame.registers[o.register() as usize];
            if o.is_move() { std::mem::replace(register, IValue::Uninitialized) } else { register.clone() }
        })
        .collect()
}

#[inline]
fn store(
    frame: &mut Frame,
    outputs: &[Register],
    values: impl IntoIterator<Item = IValue, IntoIter: ExactSizeIterator>,
) -> Result<(), Failure> {
    let values = values.into_iter();
    if values.len() != outputs.len() {
        return Err(Failure::runtime(format!("{} values for {} registers", values.len(), outputs.len())));
    }
    for (r, v) in outputs.iter().zip(values) {
        frame.registers[*r as usize] = v;
    }
    Ok(())
}

/// The mode that an object of one of PyTorch's own classes stands for.
fn gradient_mode(object: &IValue) -> Option<bool> {
    let IValue::Object(o) = object else { return None };
    match o.class.strip_prefix("__torch__.torch.autograd.grad_mode.")? {
        "no_grad" => Some(false),
        "enable_grad" => Some(true),
        _ => None,
    }
}

/// The function of an object's class with this name.
fn method(executable: &Executable, object: &IValue, name: &str) -> Option<u32> {
    let IValue::Object(o) = object else { return None };
    let class = executable.classes.get(&o.class)?;
    let methods = &executable.program().classes[*class as usize].methods;
    methods.iter().find(|(n, _)| **n == *name).map(|(_, f)| *f)
}
