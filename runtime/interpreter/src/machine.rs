//! The interpreter: a machine is a stack of frames on the heap, so that calls nest without the host's stack and a task can stop at `wait`
//! and go on anywhere.
//!
//! Every instruction reads its inputs, does its work and writes its outputs; a value whose register is read for the last time is moved
//! out of the frame, so that it dies as soon as the operator lets go of it. [`crate::steps`] runs what one frame can do alone.

use crate::cost;
use crate::error::{Cause, RunError, TraceEntry, entry};
use crate::executable::Executable;
use crate::fuel::Stopped;
use crate::prepared::{Code, Registers};
use crate::program::{Op, Program};
use crate::steps::{self, Context, Pause, store};
use crate::structural;
use crate::tasks::Run;
use sconce_kernels::direct::{Dest, Source, WORDS, Word};
use sconce_kernels::text::text_of;
use sconce_kernels::{Outputs, grad};
use sconce_tensor::{Future, IValue, Object};
use smallvec::SmallVec;
use std::cell::Cell;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

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
}

impl From<sconce_kernels::Error> for Failure {
    #[cold]
    fn from(e: sconce_kernels::Error) -> Failure {
        let cause = if matches!(e, sconce_kernels::Error::Missing { .. }) { Cause::Missing } else { Cause::Operator };
        Failure { cause, ..Failure::runtime(e.to_string()) }
    }
}

impl From<Stopped> for Failure {
    #[cold]
    fn from(why: Stopped) -> Failure {
        Failure { cause: why.cause(), ..Failure::runtime(why.message()) }
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
    #[cold]
    fn from(e: sconce_tensor::Error) -> Failure {
        Failure::runtime(e.to_string())
    }
}

/// A function that has begun: where it is, and where its registers begin.
struct Frame {
    function: u32,
    step: u32,
    words: u32,
    boxes: u32,
}

/// One task: its frames, and the future it completes.
pub(crate) struct Machine {
    frames: Vec<Frame>,
    /// The registers of all frames, one after the other; of words there are always as many as a frame can name.
    words: Vec<Word>,
    boxes: Vec<IValue>,
    /// The arguments of the operator that is called.
    arguments: Vec<IValue>,
    /// Objects of `with` statements that are open, each with the depth of its frame.
    entered: Vec<(usize, IValue)>,
    /// `None` for the task the caller waits for.
    pub future: Option<Arc<Future>>,
    /// Gradient modes before those that were entered.
    modes: Vec<bool>,
    /// The gradient mode while it does not run; a task begins with its maker's.
    pub gradients: bool,
    /// Instructions left until fuel is asked for.
    fuel: i64,
}

/// How a machine stopped.
pub(crate) enum Stop {
    Returned(Outputs),
    /// Its current instruction is a `wait` for this future.
    Waits(Arc<Future>),
}

thread_local! {
    /// The machine of this thread's last run, for its next: a run makes no frames.
    static SPARE: Cell<Option<Box<Machine>>> = const { Cell::new(None) };
}

impl Machine {
    /// A machine for the task of this future, or for the caller's.
    pub fn new(future: Option<Arc<Future>>) -> Box<Machine> {
        let mut machine = SPARE.take().unwrap_or_else(|| {
            Box::new(Machine {
                frames: Vec::new(),
                words: Vec::new(),
                boxes: Vec::new(),
                arguments: Vec::new(),
                entered: Vec::new(),
                modes: Vec::new(),
                future: None,
                gradients: true,
                fuel: 0,
            })
        });
        machine.future = future;
        machine.gradients = grad::enabled();
        machine
    }

    /// Keeps the machine for this thread's next run.
    pub fn retire(mut self: Box<Machine>) {
        self.frames.clear();
        self.boxes.clear();
        self.arguments.clear();
        self.entered.clear();
        self.modes.clear();
        self.future = None;
        self.fuel = 0;
        SPARE.set(Some(self));
    }

    /// Bytes that the machine holds to go on later: frames, registers and itself, without what the values refer to.
    pub fn state_bytes(&self) -> usize {
        let words = self.frames.last().map_or(0, |f| f.words as usize + WORDS);
        size_of::<Machine>()
            + self.frames.len() * size_of::<Frame>()
            + words * size_of::<Word>()
            + self.boxes.len() * size_of::<IValue>()
            + self.entered.len() * size_of::<(usize, IValue)>()
            + self.modes.len()
    }

    /// Enters a function.
    pub fn push(
        &mut self,
        run: &Run<'_>,
        function: u32,
        inputs: impl IntoIterator<Item = IValue>,
    ) -> Result<(), Failure> {
        if self.frames.len() >= run.options.max_depth {
            return Err(Failure {
                cause: Cause::Depth,
                class: "RecursionError".into(),
                message: "maximum recursion depth exceeded".into(),
            });
        }
        let code = run.code(function);
        let words = match self.frames.last() {
            Some(f) => f.words as usize + run.code(f.function).words.len(),
            None => 0,
        };
        let boxes = self.boxes.len();
        if self.words.len() < words + WORDS {
            self.words.resize(words + 2 * WORDS, 0);
        }
        self.words[words..words + code.words.len()].copy_from_slice(&code.words);
        self.boxes.resize_with(boxes + code.boxes as usize, || IValue::Uninitialized);
        self.fuel -= i64::from(code.length) + cost::CALL;
        self.frames.push(Frame { function, step: 0, words: words as u32, boxes: boxes as u32 });
        let mut registers = registers(&mut self.words, &mut self.boxes, words, boxes);
        for (dest, value) in code.parameters.iter().zip(inputs) {
            registers.write(*dest, value)?;
        }
        Ok(())
    }

    /// The failure with a traceback of the frames; open `with` objects are left first, as PyTorch does.
    pub fn error(&mut self, run: &Run<'_>, failure: Failure) -> RunError {
        let program = run.executable.program();
        let mut trace: Vec<TraceEntry> = Vec::new();
        // What a region does in place of its code is a part of the function that calls it.
        let mut caller = None;
        for (i, f) in self.frames.iter().enumerate() {
            // A counter stays at a call until the callee returns.
            let pc = run.code(f.function).at.get(f.step as usize).copied().unwrap_or(0) as usize;
            let function = &program.functions[f.function as usize];
            let named = caller.take().unwrap_or(f.function);
            let calls_region = function.code.get(pc).is_some_and(|i| matches!(i.op, Op::Region(_)));
            if calls_region && i + 1 < self.frames.len() {
                caller = Some(named);
            } else {
                trace.push(entry(program, named, function.places.get(pc).copied().flatten()));
            }
        }
        if let (Some(first), Some(_)) = (trace.first_mut(), &self.future) {
            first.function = "<forked function>".into();
        }
        let error = RunError { cause: failure.cause, class: failure.class, message: failure.message, trace };
        if matches!(error.cause, Cause::Operator | Cause::Raised | Cause::Missing) {
            while let Some((_, object)) = self.entered.pop() {
                let Some(exit) = method(run.executable, &object, "__exit__") else {
                    if gradient_mode(&object).is_some() {
                        grad::enable(self.modes.pop().unwrap_or(true));
                    }
                    continue;
                };
                let mut leave = Machine::new(None);
                let inputs = [object, IValue::None, IValue::None, IValue::None];
                let takes = program.functions[exit as usize].parameters.len();
                // What goes wrong while leaving does not hide the first failure.
                if leave.push(run, exit, inputs.into_iter().take(takes)).is_ok() {
                    let _ = leave.run(run);
                }
            }
        }
        self.frames.clear();
        self.boxes.clear();
        error
    }

    /// Runs until the task returns or waits.
    pub fn run(&mut self, run: &Run<'_>) -> Result<Stop, Failure> {
        let context = Context {
            executable: run.executable,
            profile: run.times.as_deref(),
            observer: run.options.observer.as_deref(),
            spend: &|cost| run.spend(|| cost),
        };
        loop {
            if self.fuel < 0 {
                self.fuel += run.refill()?;
                continue;
            }
            let Some(frame) = self.frames.last_mut() else {
                return Err(Failure::runtime("a task without a frame"));
            };
            let function = frame.function;
            let code = run.code(function);
            let (words, boxes) = (frame.words as usize, frame.boxes as usize);
            let mut registers = registers(&mut self.words, &mut self.boxes, words, boxes);
            let advance = if run.times.is_some() { steps::advance::<true> } else { steps::advance::<false> };
            let at = &mut frame.step;
            match advance(context, function, code, at, &mut registers, &mut self.arguments, &mut self.fuel)? {
                Pause::Fuel => {}
                Pause::Machine(site) => {
                    let pc = code.at[frame.step as usize];
                    let started = run.times.is_some().then(Instant::now);
                    let stop = self.step(run, code, pc, site)?;
                    if let (Some(profile), Some(started)) = (context.profile, started) {
                        profile.record(function, pc, 1, started);
                    }
                    if let Some(stop) = stop {
                        return Ok(stop);
                    }
                }
            }
        }
    }

    /// An instruction that needs the frames. The frame's counter moves only when it succeeds, so that a failure is at its own place.
    fn step(&mut self, run: &Run<'_>, code: &Code, pc: u32, site: u32) -> Result<Option<Stop>, Failure> {
        let program: &Program = run.executable.program();
        let depth = self.frames.len();
        let Some(frame) = self.frames.last_mut() else {
            return Err(Failure::runtime("a task without a frame"));
        };
        let op = program.functions[frame.function as usize].code[pc as usize].op;
        let (words, boxes) = (frame.words as usize, frame.boxes as usize);
        let mut registers = registers(&mut self.words, &mut self.boxes, words, boxes);
        let (sources, dests) = (code.sources(site), code.dests(site));
        let result = dests.first().copied().unwrap_or(Dest::Nowhere);
        macro_rules! read {
            () => {
                sources.iter().map(|s| registers.read(code, *s)).collect::<Values>()
            };
        }
        match op {
            Op::Store => {
                let results: Outputs = sources.iter().map(|s| registers.read(code, *s)).collect();
                return self.leave(run, results);
            }
            Op::Raise => {
                let values = read!();
                let message = match values.first() {
                    Some(IValue::Str(s)) => s.to_string(),
                    Some(other) => text_of(other)?,
                    None => String::new(),
                };
                let class: Arc<str> = match values.get(1) {
                    Some(IValue::Str(s)) => s.as_str().into(),
                    _ => "RuntimeError".into(),
                };
                return Err(Failure { cause: Cause::Raised, class, message });
            }
            Op::Print => print(run, &read!())?,
            Op::CreateObject(c) => {
                let class = &program.classes[c as usize];
                let object = Object::new(class.name.clone(), class.names.clone());
                registers.write(result, IValue::Object(object))?;
            }
            Op::GetAttr(n) => {
                let (name, guess) = (&program.names[n as usize], run.executable.guesses[n as usize].slot);
                let value = match sources.first() {
                    Some(Source::Copy(r)) => structural::get_attribute(&registers.boxes[*r as usize], name, guess)?,
                    _ => structural::get_attribute(&read!()[0], name, guess)?,
                };
                registers.write(result, value)?;
            }
            Op::SetAttr(n) => {
                let mut values = read!();
                let value = std::mem::take(&mut values[1]);
                let guess = run.executable.guesses[n as usize].slot;
                structural::set_attribute(&values[0], &program.names[n as usize], guess, value)?;
            }
            Op::CallFunction(callee) => {
                let values = read!();
                self.push(run, callee, values)?;
                return Ok(None);
            }
            Op::CallMethod(n) => {
                let name = &program.names[n as usize];
                let values = read!();
                let guess = run.executable.guesses[n as usize].method;
                let guessed = guess.filter(|(class, _)| {
                    values[0].as_object().is_ok_and(|o| o.class == program.classes[*class as usize].name)
                });
                let found = guessed.map(|(_, f)| f).or_else(|| method(run.executable, &values[0], name));
                let Some(callee) = found else {
                    return Err(Failure::runtime(format!("{:?} has no method `{name}` in this program", values[0])));
                };
                let f = &program.functions[callee as usize];
                if f.parameters.len() != values.len() || f.results.len() != dests.len() {
                    return Err(Failure::runtime(format!(
                        "`{}` takes {} arguments and gives {} results; called with {} and {}",
                        f.name,
                        f.parameters.len(),
                        f.results.len(),
                        values.len(),
                        dests.len()
                    )));
                }
                self.push(run, callee, values)?;
                return Ok(None);
            }
            Op::Fork(callee) => {
                run.spend(|| cost::FORK)?;
                let future = Future::pending();
                let mut task = Machine::new(Some(future.clone()));
                task.push(run, callee, read!())?;
                run.start(task)?;
                registers.write(result, IValue::Future(future))?;
            }
            Op::Wait => {
                // Read without moving: a task that is suspended here comes back to this instruction.
                let future = match sources.first() {
                    Some(Source::Copy(r) | Source::Move(r)) => registers.boxes[*r as usize].as_future()?.clone(),
                    _ => read!()[0].as_future()?.clone(),
                };
                match future.poll() {
                    None => return Ok(Some(Stop::Waits(future))),
                    Some(Ok(value)) => {
                        drop(read!());
                        registers.write(result, value)?;
                    }
                    Some(Err(message)) => return Err(Failure::runtime(message)),
                }
            }
            Op::Enter => {
                let object = read!()[0].clone();
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
                        registers.write(result, IValue::None)?;
                    }
                }
            }
            Op::Exit => {
                let object = read!()[0].clone();
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
                        registers.write(result, IValue::None)?;
                    }
                }
            }
            Op::Region(id) => {
                let slot = &run.executable.regions[id as usize];
                let values = read!();
                let results = match slot.compiled.get() {
                    Some(compiled) if program.regions[id as usize].guards.iter().all(|g| g.holds(&values)) => {
                        run.spend(|| cost::of_arguments(&values))?;
                        compiled
                            .run(&values, run.fuel())?
                            .inspect(|results| grad::History::of(&values, true).mark_all(results))
                    }
                    _ => None,
                };
                match results {
                    Some(results) => {
                        slot.taken.fetch_add(1, Ordering::Relaxed);
                        if let Some(observer) = &run.options.observer {
                            observer.region(&program.functions[frame.function as usize].name, pc, &values, &results);
                        }
                        if results.len() != dests.len() {
                            return Err(Failure::runtime("a compiled region gave another number of results"));
                        }
                        store(dests, results, &mut registers)?;
                    }
                    None => {
                        slot.fell_back.fetch_add(1, Ordering::Relaxed);
                        self.push(run, program.regions[id as usize].fallback, values)?;
                        return Ok(None);
                    }
                }
            }
            other => return Err(Failure::runtime(format!("{other:?} is not an instruction of the machine"))),
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.step += 1;
        }
        Ok(None)
    }

    /// Leaves the innermost function; its results go to the outputs of the caller's instruction.
    fn leave(&mut self, run: &Run<'_>, mut results: Outputs) -> Result<Option<Stop>, Failure> {
        if let Some(frame) = self.frames.pop() {
            self.boxes.truncate(frame.boxes as usize);
        }
        let Some(caller) = self.frames.last_mut() else {
            return Ok(Some(Stop::Returned(results)));
        };
        let code = run.code(caller.function);
        let crate::prepared::Step::Machine { site } = code.steps[caller.step as usize] else {
            return Err(Failure::runtime("a return to an instruction that calls nothing"));
        };
        let dests = code.dests(site);
        if results.len() != dests.len() {
            // `with` statements may ignore what `__enter__` and `__exit__` give.
            let pc = code.at[caller.step as usize];
            let op = run.executable.program().functions[caller.function as usize].code[pc as usize].op;
            if matches!(op, Op::Enter | Op::Exit) {
                results.resize(dests.len(), IValue::None);
            }
        }
        let (words, boxes) = (caller.words as usize, caller.boxes as usize);
        store(dests, results, &mut registers(&mut self.words, &mut self.boxes, words, boxes))?;
        caller.step += 1;
        Ok(None)
    }
}

/// The registers of the frame that begins there. `Machine::push` has made room for all words that a frame can name.
#[inline]
fn registers<'m>(words: &'m mut [Word], values: &'m mut [IValue], at: usize, boxes: usize) -> Registers<'m> {
    let words = words[at..].first_chunk_mut().expect("a frame has room for its words");
    Registers { words, boxes: &mut values[boxes..] }
}

fn print(run: &Run<'_>, values: &[IValue]) -> Result<(), Failure> {
    let Some(output) = &run.options.output else { return Ok(()) };
    let mut line = String::new();
    for (i, v) in values.iter().enumerate() {
        if i > 0 {
            line.push(' ');
        }
        line.push_str(&text_of(v)?);
    }
    line.push('\n');
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    // Like Python's, a print whose reader has gone away fails the program.
    output.write_all(line.as_bytes()).map_err(|e| Failure::runtime(format!("print: {e}")))
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
