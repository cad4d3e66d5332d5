//! What the instructions of runs took: how often each ran and how long, and on request every one of them in the order of time. Nothing is counted twice: an
//! instruction's time is its own, not that of the functions it calls.

use crate::executable::place_text;
use crate::program::{FunctionId, Op, Pc, Program};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Gathers what runs took ([`crate::Options::profile`]), of any number of programs and threads.
///
/// ```
/// use sconce_interpreter::program::{Function, Op, Operand, Parameter, Program};
/// use sconce_interpreter::{Executable, Options, Profile};
/// use sconce_schema::Type;
/// use sconce_tensor::IValue;
/// use std::sync::Arc;
///
/// let mut f = Function { name: "twice".into(), registers: 2, ..Function::default() };
/// f.parameters = vec![Parameter::new("a", Type::Int)];
/// f.results = vec![Type::Int];
/// f.push(Op::Load, [0], [], None);
/// f.push(Op::Call(0), [1], [Operand::copy(0), Operand::moved(0)], None);
/// f.push(Op::Store, [], [Operand::moved(1)], None);
/// let program = Program { functions: vec![f], operators: vec!["aten::add.int".into()], ..Program::default() };
///
/// let profile = Arc::new(Profile::default());
/// let options = Options { profile: Some(profile.clone()), ..Options::default() };
/// Executable::new(program.into())?.run(0, vec![IValue::Int(21)], &options)?;
/// let row = profile.rows().into_iter().find(|row| row.name == "aten::add.int").expect("it ran");
/// assert_eq!((row.count, &*row.function), (1, "twice"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Profile {
    programs: Mutex<Vec<Arc<Times>>>,
    timeline: Option<Arc<Timeline>>,
}

/// What an instruction took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The operator with its overload, the region, or the instruction as listings have it.
    pub name: String,
    /// The function that it stands in, and its number there.
    pub function: Arc<str>,
    pub pc: Pc,
    /// The line of [`Program::listing`].
    pub listed: String,
    /// `file:line:column`; empty where the program does not know.
    pub place: String,
    pub count: u64,
    pub nanoseconds: u64,
}

/// One instruction that ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// As in [`Row`].
    pub name: String,
    pub function: Arc<str>,
    pub place: String,
    /// Threads are numbered in the order in which they were first seen.
    pub thread: u32,
    /// From the profile's begin.
    pub start_nanoseconds: u64,
    pub nanoseconds: u64,
}

/// Every instruction that ran, up to a number of them.
struct Timeline {
    begin: Instant,
    most: usize,
    moments: Mutex<Vec<Moment>>,
    left_out: AtomicU64,
}

struct Moment {
    program: u32,
    function: FunctionId,
    pc: Pc,
    thread: u32,
    start: u64,
    nanoseconds: u64,
}

#[derive(Default)]
struct Counter {
    count: AtomicU64,
    nanoseconds: AtomicU64,
}

/// What the instructions of one program took.
pub struct Times {
    program: Arc<Program>,
    number: u32,
    functions: Vec<Vec<Counter>>,
    timeline: Option<Arc<Timeline>>,
}

impl Profile {
    /// One that keeps the first `most` instructions that run too, for [`Profile::events`].
    pub fn with_events(most: usize) -> Profile {
        let timeline =
            Timeline { begin: Instant::now(), most, moments: Mutex::default(), left_out: AtomicU64::default() };
        Profile { programs: Mutex::default(), timeline: Some(Arc::new(timeline)) }
    }

    /// Where what this program's instructions take is gathered.
    pub fn of(&self, program: &Arc<Program>) -> Arc<Times> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(times) = programs.iter().find(|t| Arc::ptr_eq(&t.program, program)) {
            return times.clone();
        }
        let counters = |n: usize| (0..n).map(|_| Counter::default()).collect();
        let times = Arc::new(Times {
            program: program.clone(),
            number: programs.len() as u32,
            functions: program.functions.iter().map(|f| counters(f.code.len())).collect(),
            timeline: self.timeline.clone(),
        });
        programs.push(times.clone());
        times
    }

    /// What ran, the dearest first.
    pub fn rows(&self) -> Vec<Row> {
        let mut rows: Vec<Row> = self.all().iter().flat_map(|times| times.rows()).collect();
        rows.sort_by(|a, b| {
            (b.nanoseconds.cmp(&a.nanoseconds)).then_with(|| (&a.function, a.pc).cmp(&(&b.function, b.pc)))
        });
        rows
    }

    /// Every instruction that ran, in the order in which they ended, and how many more there were than are kept; none of a profile without events.
    pub fn events(&self) -> (Vec<Event>, u64) {
        let Some(timeline) = &self.timeline else { return (Vec::new(), 0) };
        let all = self.all();
        let moments = timeline.moments.lock().unwrap_or_else(PoisonError::into_inner);
        let event = |m: &Moment| {
            let times = all.get(m.program as usize)?;
            let (name, place) = times.named(m.function, m.pc);
            let function = times.program.functions.get(m.function as usize)?.name.clone();
            let (thread, start_nanoseconds, nanoseconds) = (m.thread, m.start, m.nanoseconds);
            Some(Event { name, function, place, thread, start_nanoseconds, nanoseconds })
        };
        (moments.iter().filter_map(event).collect(), timeline.left_out.load(Ordering::Relaxed))
    }

    fn all(&self) -> Vec<Arc<Times>> {
        self.programs.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Times {
    /// Executions of an instruction, and the nanoseconds spent in it.
    pub fn of(&self, function: FunctionId, pc: Pc) -> (u64, u64) {
        let counter = self.functions.get(function as usize).and_then(|f| f.get(pc as usize));
        counter.map_or((0, 0), |c| (c.count.load(Ordering::Relaxed), c.nanoseconds.load(Ordering::Relaxed)))
    }

    /// An instruction, or one of the steps that it consists of, has run since `started`; `count` is 0 for all but one of its steps.
    pub fn record(&self, function: FunctionId, pc: Pc, count: u64, started: Instant) {
        let nanoseconds = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
        if let Some(c) = self.functions.get(function as usize).and_then(|f| f.get(pc as usize)) {
            c.count.fetch_add(count, Ordering::Relaxed);
            c.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        }
        if let Some(timeline) = &self.timeline {
            let since = started.saturating_duration_since(timeline.begin).as_nanos();
            let start = u64::try_from(since).unwrap_or(u64::MAX);
            timeline.keep(Moment { program: self.number, function, pc, thread: thread_number(), start, nanoseconds });
        }
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for (id, function) in (0..).zip(&self.program.functions) {
            let listing = self.program.listing(id);
            for (pc, line) in (0..).zip(listing.lines().take(function.code.len())) {
                let (count, nanoseconds) = self.of(id, pc);
                if count > 0 {
                    let (name, place) = self.named(id, pc);
                    let (function, listed) = (function.name.clone(), line.trim().to_owned());
                    rows.push(Row { name, function, pc, listed, place, count, nanoseconds });
                }
            }
        }
        rows
    }

    /// What an instruction is called, and where it stands.
    fn named(&self, function: FunctionId, pc: Pc) -> (String, String) {
        let program = &self.program;
        let Some(f) = program.functions.get(function as usize) else { return Default::default() };
        let place = place_text(program, f.places.get(pc as usize).copied().flatten());
        let name = match f.code.get(pc as usize).map(|i| i.op) {
            Some(Op::Call(o)) => program.operators.get(o as usize).map(|name| name.to_string()),
            Some(Op::Region(r)) => program.regions.get(r as usize).map(|region| format!("region {}", region.name)),
            Some(op) => Some(program.op_text(op)),
            None => None,
        };
        (name.unwrap_or_default(), place)
    }
}

impl Timeline {
    fn keep(&self, moment: Moment) {
        let mut moments = self.moments.lock().unwrap_or_else(PoisonError::into_inner);
        if moments.len() < self.most {
            moments.push(moment);
        } else {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// The calling thread's number.
fn thread_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    thread_local!(static NUMBER: u32 = NEXT.fetch_add(1, Ordering::Relaxed));
    NUMBER.with(|n| *n)
}
