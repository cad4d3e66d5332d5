//! All regions of a module: each lowered to linalg in a module of its own, compiled, and described to its callers. Which threads compile what changes no byte.

use crate::pipeline::{CodeOptions, Compiled, Stage, compile, whole};
use sconce_exec::RegionSpec;
use sconce_ir::bytecode;
use sconce_ir::prelude::*;
use sconce_linalg::lower_region;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// What became of a region.
#[derive(Clone, Debug)]
pub struct RegionResult {
    /// The region's name in the module and in the Program.
    pub name: String,
    pub outcome: Result<RegionObject, String>,
    /// Time spent on it.
    pub time: Duration,
}

/// A compiled region. Only this module makes one, so that what is linked is what was compiled.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RegionObject {
    pub spec: RegionSpec,
    /// A relocatable object that exports [`crate::ENTRY`].
    pub object: Vec<u8>,
    pub texts: Vec<(Stage, PlacedText)>,
}

/// The options of a region, whose code has a name of its own.
fn numbered(options: &CodeOptions, number: usize) -> CodeOptions {
    let symbol = options.symbol.as_ref().map(|symbol| format!("{symbol}{number}"));
    CodeOptions { symbol, ..options.clone() }
}

/// Compiles every `sconce.region` of `root`, on as many threads as the machine has, and what lowers to the same code once. The module stays as it is: the regions'
/// bodies are what runs when a guard fails.
pub fn compile_regions(root: OperationRef<'_, '_>, options: &CodeOptions) -> Vec<RegionResult> {
    let regions = root.find_all("sconce.region");
    let mut lowered: Vec<Lowered<'_>> = regions.iter().map(|region| Lowered::of(*region)).collect();
    // Texts are kept with the places that the modules have; a single one needs no other thread.
    let in_place = options.keep_text || lowered.len() < 2;
    // Which code is a region's: equal ones have the same, unless each is called by a name of its own.
    let (mut known, mut codes, mut code_of) = (BTreeMap::new(), Vec::new(), Vec::new());
    for (number, region) in lowered.iter_mut().enumerate() {
        let bytes = match &region.module {
            Ok((module, _)) if !in_place => written(module),
            _ => Ok(Vec::new()),
        };
        let bytes = bytes.unwrap_or_else(|e| {
            region.module = Err(e.to_string());
            Vec::new()
        });
        let mut other = || {
            codes.push((number, bytes.clone()));
            codes.len() - 1
        };
        code_of.push(match &region.module {
            Err(_) => None,
            Ok(_) if in_place || options.symbol.is_some() => Some(other()),
            Ok(_) => Some(*known.entry(bytes.clone()).or_insert_with(other)),
        });
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(codes.len());
    let compiled = if in_place || threads < 2 {
        codes.iter().map(|(number, _)| timed(|| here(&lowered, *number, options))).collect()
    } else {
        on_threads(threads, &codes, &lowered, options)
    };
    let result = |(region, code): (Lowered<'_>, Option<usize>)| {
        let (outcome, time) = code.map_or_else(lost, |code| compiled[code].clone());
        let outcome = region.module.and_then(|(_, spec)| {
            let Compiled { object, texts } = outcome?;
            Ok(RegionObject { spec, object, texts })
        });
        RegionResult { name: region.name, outcome, time: region.time + time }
    };
    lowered.into_iter().zip(code_of).map(result).collect()
}

/// A region in linalg.
struct Lowered<'c> {
    name: String,
    module: Result<(Module<'c>, RegionSpec), String>,
    time: Duration,
}

impl<'c> Lowered<'c> {
    fn of(region: OperationRef<'c, '_>) -> Self {
        let started = Instant::now();
        let module = lower_region(region).map_err(|e| e.to_string());
        let name = region.str_attr("name").unwrap_or("region").into();
        Lowered { name, module, time: started.elapsed() }
    }
}

/// What a thread with a context of its own is given. Where operations came from is in no code, and would tell equal ones apart.
fn written(module: &Module<'_>) -> Result<Vec<u8>, sconce_ir::Error> {
    run_pipeline(whole(module), "strip-debuginfo")?;
    Ok(bytecode::write(module))
}

/// With what it took.
fn timed<R>(f: impl FnOnce() -> R) -> (R, Duration) {
    let started = Instant::now();
    let made = f();
    (made, started.elapsed())
}

/// Bytes of a thread's stack: passes are recursive.
const STACK: usize = 64 << 20;

/// What became of some code, and what it took.
type Timed = (Result<Compiled, String>, Duration);

/// Of what nobody compiled to its end.
fn lost() -> Timed {
    (Err("the thread that compiled it ended".into()), Duration::ZERO)
}

/// Compiles the module of a region where it is.
fn here(lowered: &[Lowered<'_>], number: usize, options: &CodeOptions) -> Result<Compiled, String> {
    let (module, _) = lowered[number].module.as_ref().map_err(Clone::clone)?;
    compile(module, &numbered(options, number)).map_err(|e| e.to_string())
}

/// Code by its region's number, and as bytecode.
type Code = (usize, Vec<u8>);

/// Compiles modules, the largest first. Contexts are not shared by threads: this one has the modules, others read them.
fn on_threads(threads: usize, codes: &[Code], lowered: &[Lowered<'_>], options: &CodeOptions) -> Vec<Timed> {
    let mut order: Vec<usize> = (0..codes.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(codes[*at].1.len()));
    let next = AtomicUsize::new(0);
    // Whoever is done takes the next.
    let taken = |one: &dyn Fn(&Code) -> Result<Compiled, String>| {
        let numbers = std::iter::repeat_with(|| order.get(next.fetch_add(1, Ordering::Relaxed)).copied());
        numbers.map_while(|at| at).map(|at| (at, timed(|| one(&codes[at])))).collect::<Vec<_>>()
    };
    let there = || {
        let context = context::new(false);
        taken(&|(number, bytes)| {
            let module = bytecode::read(&context, bytes, "region").map_err(|e| e.to_string())?;
            compile(&module, &numbered(options, *number)).map_err(|e| e.to_string())
        })
    };
    let mut all: Vec<Option<Timed>> = codes.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let spawn = |_| std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, there).ok();
        // This thread is one of them, also where the system gives no other.
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let mine = taken(&|(number, _)| here(lowered, *number, options));
        for (at, done) in others.into_iter().flat_map(|other| other.join().unwrap_or_default()).chain(mine) {
            all[at] = Some(done);
        }
    });
    all.into_iter().map(|done| done.unwrap_or_else(lost)).collect()
}
