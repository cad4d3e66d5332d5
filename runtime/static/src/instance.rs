//! One run at a time: the array of values, the planner, and the walk over the nodes. Between runs it holds no value of the last.

use crate::module::Run;
use crate::plan::{Input, Kind, NONE, Node, Part, Plan};
use crate::planner::{Layout, Lies, Planner};
use sconce_interpreter::cost;
use sconce_interpreter::program::{Op, Program};
use sconce_interpreter::{Cause, RunError, TraceEntry, apply, is_true};
use sconce_kernels::{Destinations, Outputs};
use sconce_schema::{DType, Type};
use sconce_tensor::{IValue, Tensor, reserve};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// Nodes between two looks at cancellation and fuel.
const SLICE: u64 = 256;

pub(crate) struct Instance {
    slots: Vec<IValue>,
    /// Arguments of the node that runs.
    args: Vec<IValue>,
    /// Lists and tuples whose handles wait, by the number of their cache.
    caches: Vec<IValue>,
    planner: RefCell<Planner>,
}

/// The places of one node's results.
struct Places<'a> {
    node: &'a Node,
    planner: &'a RefCell<Planner>,
    asked: std::cell::Cell<bool>,
}

impl Destinations for Places<'_> {
    fn place(&self, i: usize, sizes: &[i64], strides: &[i64], dtype: DType) -> Option<Tensor> {
        self.asked.set(true);
        let candidate = *self.node.candidates.get(i).filter(|c| **c != NONE)?;
        self.planner.borrow_mut().place(candidate as usize, sizes, strides, dtype)
    }
}

fn wrong(message: impl Into<String>) -> RunError {
    RunError::new(Cause::Operator, "RuntimeError", message)
}

impl Instance {
    pub fn new(plan: &Plan) -> Instance {
        let mut slots = vec![IValue::None; plan.slots];
        for (slot, value) in &plan.presets {
            slots[*slot as usize] = value.clone();
        }
        Instance {
            slots,
            args: Vec::new(),
            caches: vec![IValue::None; plan.caches.len()],
            planner: RefCell::new(Planner::new(plan)),
        }
    }

    pub fn layout(&self) -> Layout {
        self.planner.borrow().layout()
    }

    pub fn place_of(&self, candidate: usize) -> Option<(Lies, usize)> {
        self.planner.borrow().place_of(candidate)
    }

    /// Runs the function to its end. What the run held is let go of, also when it fails.
    pub fn run(
        &mut self,
        run: &Run<'_>,
        plan: &Plan,
        inputs: impl Iterator<Item = IValue>,
    ) -> Result<Outputs, RunError> {
        for (cached, cache) in self.caches.iter_mut().zip(&plan.caches) {
            if cache.leaves && !empty(cached) {
                *cached = IValue::None;
            }
        }
        self.planner.get_mut().begin(plan);
        let reserved = reserve::Run::begin();
        self.args.clear();
        self.args.extend(inputs);
        let result = self.walk(run, plan);
        self.args.drain(..).for_each(drop);
        for (value, preset) in self.slots.iter_mut().zip(&plan.is_preset) {
            if !preset {
                *value = IValue::None;
            }
        }
        drop(reserved);
        self.planner.get_mut().settle(plan);
        result
    }

    fn walk(&mut self, run: &Run<'_>, plan: &Plan) -> Result<Outputs, RunError> {
        let mut at = 0;
        let mut slice = 0;
        let times = run.options.profile.as_ref().map(|profile| profile.of(run.inner.executable.program()));
        loop {
            let Some(node) = plan.nodes.get(at as usize) else {
                return Err(wrong("control ran off the end of a function"));
            };
            if slice == 0 {
                slice = run.fuel.slice(SLICE).map_err(|e| located(run, plan, node, e.into()))?;
            }
            slice -= 1;
            at += 1;
            let started = times.as_ref().filter(|_| !node.is_run_elsewhere()).map(|_| Instant::now());
            let jump = match &node.kind {
                Kind::Return => {
                    let outputs = node.inputs.iter().map(|i| self.fetch(i)).collect::<Result<Outputs, _>>();
                    let outputs = outputs.map_err(|e| located(run, plan, node, e))?;
                    self.keep(plan, &outputs);
                    return Ok(outputs);
                }
                _ => self.step(run, plan, at as usize - 1).map_err(|e| located(run, plan, node, e))?,
            };
            self.args.drain(..).for_each(drop);
            for &slot in &node.releases {
                self.release(plan, slot);
            }
            if let (Some(times), Some(started)) = (&times, started) {
                times.record(plan.function, node.pc, 1, started);
            }
            if let Some(target) = jump {
                at = target;
            }
        }
    }

    /// A node; where control goes if not to the next.
    fn step(&mut self, run: &Run<'_>, plan: &Plan, at: usize) -> Result<Option<u32>, RunError> {
        let node = &plan.nodes[at];
        let program: &Program = run.inner.executable.program();
        match &node.kind {
            Kind::Operator { bound, rest } => {
                self.take_inputs(node)?;
                self.args.extend(rest.iter().cloned());
                run.fuel.spend(|| cost::of_arguments(&self.args))?;
                let base = match self.args.first() {
                    Some(IValue::Tensor(t)) if node.copies => Some(t.clone()),
                    _ => None,
                };
                if node.concat != NONE {
                    self.planner.get_mut().joins(plan, node.concat, &self.args);
                }
                let places = Places { node, planner: &self.planner, asked: false.into() };
                let offered = node.offers.then_some(&places as &dyn Destinations);
                let mut results = bound.call_into(&mut self.args, offered)?;
                if let (Some(base), Some(IValue::Tensor(result))) = (base, results.first_mut())
                    && result.shares_storage(&base)
                {
                    copy_to_place(&places, result)?;
                }
                let seen = &plan.seen[at];
                let bits = 1 | u8::from(places.asked.get()) << 1;
                if seen.load(Ordering::Relaxed) & bits != bits {
                    seen.fetch_or(bits, Ordering::Relaxed);
                }
                self.harvest(plan, node);
                self.store(node, results, || bound.entry().name)?;
            }
            Kind::Jump(t) => return Ok(Some(*t)),
            Kind::JumpUnless(t) => {
                self.take_inputs(node)?;
                return Ok((!is_true(&self.args[0])?).then_some(*t));
            }
            Kind::LoopUnless(t) => {
                self.take_inputs(node)?;
                let more = self.args[0].as_int().and_then(|i| Ok(i < self.args[1].as_int()?));
                let more = more.map_err(|e| wrong(e.to_string()))? && is_true(&self.args[2])?;
                return Ok((!more).then_some(*t));
            }
            Kind::Next => {
                self.take_inputs(node)?;
                let next = self.args[0].as_int().map_err(|e| wrong(e.to_string()))?.wrapping_add(1);
                self.slots[node.outputs[0] as usize] = IValue::Int(next);
            }
            Kind::Move | Kind::Parameters => {
                if matches!(node.kind, Kind::Move) {
                    self.take_inputs(node)?;
                }
                if self.args.len() != node.outputs.len() {
                    return Err(wrong("values for other registers"));
                }
                for (slot, value) in node.outputs.iter().zip(self.args.drain(..)) {
                    self.slots[*slot as usize] = value;
                }
            }
            Kind::Drop => {
                self.take_inputs(node)?;
                self.harvest(plan, node);
            }
            Kind::Constant(c) => self.slots[node.outputs[0] as usize] = program.constants[*c as usize].clone(),
            Kind::Tuple => {
                self.take_inputs(node)?;
                let made = self.tuple(node);
                self.made(plan, node, made);
            }
            Kind::List(element) => {
                self.take_inputs(node)?;
                let made = self.list(node, element);
                self.made(plan, node, made);
            }
            Kind::Borrow { elements, was } => {
                if !self.is_there(&node.inputs[0], *elements) {
                    return self.refuse(run, &was.0, &was.1, *elements);
                }
            }
            Kind::Apply(op) => {
                self.take_inputs(node)?;
                let inputs: SmallVec<[IValue; 8]> = self.args.drain(..).collect();
                let results = apply(program, *op, inputs, node.outputs.len())?;
                self.store(node, results, || "an instruction")?;
            }
            Kind::GetAttr(name) => {
                self.take_inputs(node)?;
                let name = &program.names[*name as usize];
                let object = self.args[0].as_object().map_err(|e| wrong(e.to_string()))?;
                let value = object.slot_of(name).and_then(|slot| object.get(slot));
                let value = value.ok_or_else(|| wrong(sconce_kernels::prim::no_field(&object.class, name)))?;
                self.slots[node.outputs[0] as usize] = value;
            }
            Kind::SetAttr(name) => {
                self.take_inputs(node)?;
                let name = &program.names[*name as usize];
                let value = std::mem::take(&mut self.args[1]);
                let object = self.args[0].as_object().map_err(|e| wrong(e.to_string()))?;
                if !object.slot_of(name).is_some_and(|slot| object.set(slot, value)) {
                    return Err(wrong(sconce_kernels::prim::no_field(&object.class, name)));
                }
            }
            Kind::Interpret(function) => {
                self.take_inputs(node)?;
                let inputs = self.args.drain(..).collect();
                let results = run.interpret(*function, inputs)?;
                self.store(node, results, || "an instruction")?;
            }
            Kind::Run(function) => {
                self.take_inputs(node)?;
                let results = run.function(*function, self.args.drain(..))?;
                self.store(node, results, || "a function")?;
            }
            Kind::Fork(function) => {
                self.take_inputs(node)?;
                let future = run.fork(*function, self.args.drain(..).collect())?;
                self.slots[node.outputs[0] as usize] = IValue::Future(future);
            }
            Kind::Wait => {
                self.take_inputs(node)?;
                let future = self.args[0].as_future().map_err(|e| wrong(e.to_string()))?.clone();
                self.slots[node.outputs[0] as usize] = run.wait(&future)?;
            }
            Kind::Return => {}
        }
        Ok(None)
    }

    /// The value an input names; taken where this is its last use.
    fn fetch(&mut self, input: &Input) -> Result<IValue, RunError> {
        if input.last {
            return Ok(std::mem::take(&mut self.slots[input.slot as usize]));
        }
        let found = match (input.part, &self.slots[input.slot as usize]) {
            (Part::Whole, value) => Some(value.clone()),
            (Part::At(i), IValue::Tuple(t)) => t.items.get(i as usize).cloned(),
            (Part::At(i), IValue::List(l)) => l.read().get(i as usize).cloned(),
            (Part::Key(key), IValue::Dict(d)) => {
                let key = sconce_tensor::DictKey::from_value(&self.slots[key as usize]);
                key.and_then(|k| d.read().get(&k).cloned())
            }
            _ => None,
        };
        found.ok_or_else(|| wrong("what was taken out of a container is no longer in it"))
    }

    /// The inputs become the arguments.
    fn take_inputs(&mut self, node: &Node) -> Result<(), RunError> {
        debug_assert!(self.args.is_empty());
        for input in &node.inputs {
            let value = self.fetch(input)?;
            self.args.push(value);
        }
        Ok(())
    }

    fn store(
        &mut self,
        node: &Node,
        results: impl IntoIterator<Item = IValue, IntoIter: ExactSizeIterator>,
        what: impl Fn() -> &'static str,
    ) -> Result<(), RunError> {
        let results = results.into_iter();
        // Nobody uses the result (`append`).
        if node.outputs.is_empty() {
            return Ok(());
        }
        if results.len() != node.outputs.len() {
            let (gave, expected) = (results.len(), node.outputs.len());
            return Err(wrong(format!("{} gave {gave} results where {expected} are expected", what())));
        }
        for (slot, value) in node.outputs.iter().zip(results) {
            self.slots[*slot as usize] = value;
        }
        Ok(())
    }

    /// Lets go of a slot's value; the handle of a list or tuple that nobody else has waits for the next run.
    fn release(&mut self, plan: &Plan, slot: u32) {
        let mut value = std::mem::take(&mut self.slots[slot as usize]);
        match plan.cache_of[slot as usize] {
            cache if cache != NONE && !plan.caches[cache as usize].leaves && empty(&mut value) => {
                self.caches[cache as usize] = value;
            }
            _ => {}
        }
    }

    /// The same for what a node took.
    fn harvest(&mut self, plan: &Plan, node: &Node) {
        for (input, value) in node.inputs.iter().zip(&mut self.args) {
            let cache = plan.cache_of[input.slot as usize];
            if input.last && cache != NONE && !plan.caches[cache as usize].leaves && empty(value) {
                self.caches[cache as usize] = std::mem::take(value);
            }
        }
    }

    fn tuple(&mut self, node: &Node) -> IValue {
        let mut cached = std::mem::take(&mut self.caches[node.cache as usize]);
        if let IValue::Tuple(t) = &mut cached
            && let Some(t) = t.get_mut()
            && t.items.len() == self.args.len()
        {
            t.items.iter_mut().zip(self.args.drain(..)).for_each(|(item, value)| *item = value);
            return cached;
        }
        IValue::tuple(self.args.drain(..))
    }

    fn list(&mut self, node: &Node, element: &Type) -> IValue {
        let mut cached = std::mem::take(&mut self.caches[node.cache as usize]);
        if let IValue::List(l) = &mut cached
            && let Some(l) = l.get_mut()
        {
            let mut items = l.write();
            items.clear();
            items.extend(self.args.drain(..));
            drop(items);
            return cached;
        }
        IValue::list(element.clone(), self.args.drain(..))
    }

    /// Puts away a list or tuple that was made; one that leaves the function is remembered as well.
    fn made(&mut self, plan: &Plan, node: &Node, value: IValue) {
        if plan.caches[node.cache as usize].leaves {
            self.caches[node.cache as usize] = value.clone();
        }
        self.slots[node.outputs[0] as usize] = value;
    }

    /// Of what the plan took for leaving the function, only what did is remembered.
    fn keep(&mut self, plan: &Plan, outputs: &Outputs) {
        for (cached, cache) in self.caches.iter_mut().zip(&plan.caches) {
            if cache.leaves && !outputs.iter().any(|o| o.is(cached)) {
                *cached = IValue::None;
            }
        }
    }

    fn is_there(&self, input: &Input, elements: u32) -> bool {
        let exact = |n: usize| elements == NONE || n == elements as usize;
        match (input.part, &self.slots[input.slot as usize]) {
            (Part::Whole, IValue::Tuple(t)) => exact(t.items.len()),
            (Part::Whole, IValue::List(l)) => exact(l.len()),
            (Part::At(i), IValue::Tuple(t)) => (i as usize) < t.items.len(),
            (Part::Key(key), IValue::Dict(d)) => {
                let key = sconce_tensor::DictKey::from_value(&self.slots[key as usize]);
                key.is_some_and(|k| d.read().contains_key(&k))
            }
            _ => false,
        }
    }

    /// What is to be borrowed is not there: the error is the one of what the program says.
    fn refuse(&mut self, run: &Run<'_>, kind: &Kind, inputs: &[Input], elements: u32) -> Result<Option<u32>, RunError> {
        let mut args: SmallVec<[IValue; 8]> = inputs.iter().map(|i| self.slots[i.slot as usize].clone()).collect();
        match kind {
            Kind::Operator { bound, .. } => bound.call(&mut args).map(drop)?,
            Kind::Apply(op) => {
                let outputs = if matches!(op, Op::TupleIndex) { 1 } else { elements as usize };
                apply(run.inner.executable.program(), *op, args, outputs).map(drop)?;
            }
            _ => {}
        }
        Err(wrong("a container does not hold what is taken out of it"))
    }
}

/// Empties a list or tuple that nobody else holds; false when somebody does, or it is neither.
fn empty(value: &mut IValue) -> bool {
    match value {
        IValue::List(l) => l.get_mut().map(|l| l.write().clear()).is_some(),
        IValue::Tuple(t) => t.get_mut().map(|t| t.items.fill(IValue::None)).is_some(),
        _ => false,
    }
}

/// Copies a view to its place, where there is one.
fn copy_to_place(places: &Places<'_>, result: &mut Tensor) -> Result<(), RunError> {
    let sizes = result.sizes();
    let place = places.place(0, sizes, &sconce_tensor::contiguous_strides(sizes), result.dtype());
    if let Some(place) = place {
        place.copy_bytes_from(result).map_err(|e| wrong(e.to_string()))?;
        *result = place;
    }
    Ok(())
}

/// The error with the place of a node in front of its trace.
fn located(run: &Run<'_>, plan: &Plan, node: &Node, mut error: RunError) -> RunError {
    // The function that stands for an instruction has its place already.
    if matches!(node.kind, Kind::Interpret(_)) && !error.trace.is_empty() {
        return error;
    }
    let program = run.inner.executable.program();
    let function = &program.functions[plan.function as usize];
    let name = function.name.rsplit('.').next().unwrap_or_default();
    let place = function.places.get(node.pc as usize).copied().flatten();
    let source = place.and_then(|p| program.sources.get(p.source as usize).map(|s| (p, s.clone())));
    error.trace.insert(0, TraceEntry { function: name.into(), place: source });
    error
}
