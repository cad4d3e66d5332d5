//! What runs have shown: the common type of every tensor at every place where an instruction reads it, and of the function's arguments.
//!
//! A watched run is a run of the same bytecode with calls of `prim::profile` between its instructions, so that it computes what the function computes.

use crate::types;
use sconce_interpreter::program::{Function, FunctionId, MAX_REGISTERS, Op, Operand, Pc, Program};
use sconce_interpreter::{CustomKernel, CustomOperators};
use sconce_kernels::Outputs;
use sconce_schema::Type;
use sconce_schema::types::TensorType;
use sconce_tensor::IValue;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The operator that watches. It is given the number of the first place, then the values.
const PROFILE: &str = "prim::profile";

/// A place where a value is read: an input of an instruction of the program that was given.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    pub function: FunctionId,
    pub pc: Pc,
    pub input: u32,
}

/// The operator that watches in a [`Watched`] program.
pub const WATCH: &str = "sconce::watch";

/// The program of watched runs, by whoever has the function's graph: it calls [`WATCH`] with the number of a place and a value, which comes back.
pub struct Watched {
    pub program: Program,
    pub function: FunctionId,
    /// How many there are.
    pub places: u32,
}

/// Makes it, when the first call is to be watched; without one the bytecode is watched as it is.
pub type Watch = Arc<dyn Fn() -> Option<Watched> + Send + Sync>;

/// What was seen at a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Profiled {
    /// What all tensors that were seen have in common; none where there was no tensor.
    pub ty: Option<TensorType>,
    /// None was seen.
    pub seen_none: bool,
}

impl Profiled {
    fn see(&mut self, v: &IValue) {
        match v {
            IValue::Tensor(t) => {
                let now = types::tensor_type(t);
                self.ty = Some(match &self.ty {
                    // Mostly nothing changes.
                    Some(before) if *before == now => return,
                    Some(before) => before.merge(&now),
                    None => now,
                });
            }
            IValue::None => self.seen_none = true,
            _ => {}
        }
    }
}

/// The places of one function, in the order of its instructions.
struct Sites {
    function: FunctionId,
    /// By instruction: the number of its first input's place, and how many it has.
    of_instruction: Vec<(u32, u32)>,
}

/// What the watched runs of a function have shown so far (PyTorch's `ProfilingRecord`).
pub struct ProfileRecord {
    functions: Vec<Sites>,
    seen: Box<[Mutex<Profiled>]>,
    arguments: Mutex<Option<Vec<Type>>>,
    left: AtomicU32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ProfileRecord {
    /// A record of so many numbered places.
    pub(crate) fn numbered(places: u32, runs: u32) -> ProfileRecord {
        let seen = (0..places).map(|_| Mutex::default()).collect();
        ProfileRecord { functions: Vec::new(), seen, arguments: Mutex::default(), left: AtomicU32::new(runs) }
    }

    /// What was seen at a place of a program whose places are [numbered](Watched).
    pub fn numbered_place(&self, number: u32) -> Option<Profiled> {
        self.seen.get(number as usize).map(|cell| lock(cell).clone())
    }

    /// Watched runs that are still to come.
    #[inline]
    pub fn runs_left(&self) -> u32 {
        self.left.load(Ordering::Acquire)
    }

    /// A watched run came to its end.
    pub(crate) fn finish_run(&self) {
        let _ = self.left.fetch_update(Ordering::AcqRel, Ordering::Acquire, |left| left.checked_sub(1));
    }

    pub(crate) fn see_arguments(&self, inputs: &[IValue]) {
        let now = || inputs.iter().map(types::complete);
        let mut arguments = lock(&self.arguments);
        *arguments = Some(match arguments.take() {
            Some(before) if before.len() == inputs.len() => {
                before.iter().zip(now()).map(|(a, b)| types::merge(a, &b)).collect()
            }
            _ => now().collect(),
        });
    }

    /// The common types of the arguments; none before the first run.
    pub fn arguments(&self) -> Option<Vec<Type>> {
        lock(&self.arguments).clone()
    }

    /// What was seen at a place; none where the program has no such place.
    pub fn at(&self, site: Site) -> Option<Profiled> {
        let sites = self.functions.iter().find(|s| s.function == site.function)?;
        let (first, count) = *sites.of_instruction.get(site.pc as usize)?;
        (site.input < count).then(|| lock(&self.seen[(first + site.input) as usize]).clone())
    }

    /// All places where a tensor or None was seen, in the order of functions, instructions and inputs.
    pub fn seen(&self) -> Vec<(Site, Profiled)> {
        let places = self.functions.iter().flat_map(|sites| {
            sites.of_instruction.iter().zip(0..).flat_map(move |((first, count), pc)| {
                (0..*count).map(move |input| (Site { function: sites.function, pc, input }, first + input))
            })
        });
        let profiled = places.map(|(site, at)| (site, lock(&self.seen[at as usize]).clone()));
        profiled.filter(|(_, p)| *p != Profiled::default()).collect()
    }

    /// Values from this place on.
    fn see(&self, first: usize, values: &[IValue]) {
        for (cell, value) in self.seen.iter().skip(first).zip(values) {
            lock(cell).see(value);
        }
    }
}

/// Functions that a run of this one may get to.
fn reached(program: &Program, entry: FunctionId) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::from([entry]);
    let mut next = vec![entry];
    while let Some(f) = next.pop() {
        for i in program.functions.get(f as usize).iter().flat_map(|f| &f.code) {
            let callees: Vec<FunctionId> = match i.op {
                Op::CallFunction(g) | Op::Fork(g) => vec![g],
                Op::CallMethod(name) => {
                    let name = &program.names[name as usize];
                    program.classes.iter().filter_map(|class| class.method(name)).collect()
                }
                Op::Region(r) => vec![program.regions[r as usize].fallback],
                _ => Vec::new(),
            };
            next.extend(callees.into_iter().filter(|g| found.insert(*g)));
        }
    }
    found
}

/// Whether an instruction's inputs are read as values, and not only kept or counted.
fn is_watched(op: Op) -> bool {
    op.target().is_none() && !matches!(op, Op::Drop | Op::Move | Op::Next)
}

/// The program with every read of a function, and of those it gets to, watched; the operator that watches; and the record.
pub(crate) fn instrument(
    program: &Program,
    entry: FunctionId,
    custom: &CustomOperators,
    runs: u32,
) -> (Program, CustomOperators, Arc<ProfileRecord>) {
    let mut watched = program.clone();
    let operator = watched.operator_id(PROFILE);
    let mut functions = Vec::new();
    let mut places = 0;
    for id in reached(program, entry) {
        let Some(f) = program.functions.get(id as usize).filter(|f| f.registers < MAX_REGISTERS) else { continue };
        let mut of_instruction = Vec::with_capacity(f.code.len());
        for i in &f.code {
            let count = if is_watched(i.op) { f.inputs(i).len() as u32 } else { 0 };
            of_instruction.push((places, count));
            places += count;
        }
        watched.functions[id as usize] = watch(f, &of_instruction, operator, &mut watched.constants);
        functions.push(Sites { function: id, of_instruction });
    }
    let seen = (0..places).map(|_| Mutex::default()).collect();
    let record = Arc::new(ProfileRecord { functions, seen, arguments: Mutex::default(), left: AtomicU32::new(runs) });
    let mut operators = custom.clone();
    operators.insert(PROFILE.into(), watcher(record.clone(), false));
    (watched, operators, record)
}

/// The kernel that watches: it is given the number of the first place and the values, which it gives back where they are read from it.
fn watcher(record: Arc<ProfileRecord>, gives_back: bool) -> CustomKernel {
    Arc::new(move |arguments| {
        let Some((IValue::Int(first), values)) = arguments.split_first_mut() else { return Ok(Outputs::new()) };
        record.see(*first as usize, values);
        Ok(if gives_back { values.iter_mut().map(std::mem::take).collect() } else { Outputs::new() })
    })
}

/// Operators for a program whose places are numbered, and the record that they fill.
pub(crate) fn numbered(custom: &CustomOperators, places: u32, runs: u32) -> (CustomOperators, Arc<ProfileRecord>) {
    let record = Arc::new(ProfileRecord::numbered(places, runs));
    let mut operators = custom.clone();
    operators.insert(WATCH.into(), watcher(record.clone(), true));
    (operators, record)
}

/// The function with a call of the watching operator before every instruction that has places.
fn watch(f: &Function, places: &[(u32, u32)], operator: u32, constants: &mut Vec<IValue>) -> Function {
    let number = f.registers;
    let mut out = Function {
        registers: number + 1,
        code: Vec::new(),
        operands: Vec::new(),
        outputs: Vec::new(),
        places: Vec::new(),
        value_names: f.value_names.clone(),
        ..f.clone()
    };
    if !out.value_names.is_empty() {
        out.value_names.push(None);
    }
    let mut begins = Vec::with_capacity(f.code.len());
    for ((i, place), (first, count)) in f.code.iter().zip(&f.places).zip(places) {
        begins.push(out.code.len() as Pc);
        if *count > 0 {
            constants.push(IValue::Int((*first).into()));
            out.push(Op::Constant(constants.len() as u32 - 1), [number], [], *place);
            let values = f.inputs(i).iter().map(|o| Operand::copy(o.register()));
            out.push(Op::Call(operator), [], std::iter::once(Operand::moved(number)).chain(values), *place);
        }
        out.push(i.op, f.outputs(i).iter().copied(), f.inputs(i).iter().copied(), *place);
    }
    for pc in 0..out.code.len() as Pc {
        if let Some(target) = out.code[pc as usize].op.target() {
            // Past the end stays past the end.
            let moved = begins.get(target as usize).copied().unwrap_or(out.code.len() as Pc);
            out.set_target(pc, moved);
        }
    }
    out
}
