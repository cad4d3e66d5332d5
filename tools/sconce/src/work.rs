//! What the instructions of one call compute and move, by the sizes of what they are given: beside what they take, it says how near they come to the machine's peaks.

use crate::error::Error;
use crate::module::Module;
use sconce_graph::graph::SourceText;
use sconce_interpreter::program::{Pc, Place};
use sconce_interpreter::{Observer, Options as RunOptions};
use sconce_kernels::derived::meta_of;
use sconce_schema::shape::{Meta, Size, Sizes};
use sconce_schema::work::{bytes, flops};
use sconce_tensor::IValue;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What an instruction did in all its runs of a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Work {
    /// Additions and multiplications by the direct method; nothing is known of a compiled region.
    pub flops: Option<u64>,
    /// Of the tensors that it was given and gave.
    pub bytes: u64,
    /// The sizes of the tensors of its first run: `1x3x8x8 4x3x3x3 -> 1x4x6x6`.
    pub sizes: String,
}

/// By the function's name and the instruction's number.
pub(crate) type Works = BTreeMap<(String, Pc), Work>;

impl Module {
    /// What the instructions of a call do.
    ///
    /// # Errors
    /// Those of the call.
    pub(crate) fn works(&self, function: &str, arguments: &[IValue]) -> Result<Works, Error> {
        let counting = Arc::new(Counting::default());
        let options = RunOptions { observer: Some(counting.clone()), workers: 0, ..RunOptions::default() };
        self.call_watched(function, arguments, &[], &options)?;
        Ok(std::mem::take(&mut counting.lock().works))
    }
}

#[derive(Default)]
struct Counting(Mutex<Counted>);

#[derive(Default)]
struct Counted {
    works: Works,
    /// The instruction that runs, and what it was given.
    at: Option<(String, Pc)>,
    given: Vec<Meta>,
}

impl Counting {
    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counted {
    fn add(&mut self, at: (String, Pc), flops: Option<u64>, given: &[Meta], gave: &[Meta]) {
        let work = self.works.entry(at).or_insert_with(|| Work {
            flops: flops.map(|_| 0),
            bytes: 0,
            sizes: format!("{} -> {}", sizes(given), sizes(gave)),
        });
        work.flops = work.flops.zip(flops).map(|(a, b)| a.saturating_add(b));
        work.bytes = given.iter().chain(gave).map(bytes).fold(work.bytes, u64::saturating_add);
    }
}

impl Observer for Counting {
    fn at(&self, function: &str, pc: Pc, _place: Option<(&Arc<SourceText>, Place)>) {
        self.lock().at = Some((function.to_owned(), pc));
    }

    fn before(&self, _operator: &str, arguments: &[IValue]) {
        self.lock().given = arguments.iter().map(meta_of).collect();
    }

    fn after(&self, operator: &str, results: Result<&[IValue], &str>) {
        let mut counted = self.lock();
        let given = std::mem::take(&mut counted.given);
        let (Some(at), Some(entry), Ok(results)) = (counted.at.take(), sconce_schema::lookup(operator), results) else {
            return;
        };
        // A view moves nothing.
        if (0..results.len()).any(|r| entry.effect().may_share(r)) {
            return;
        }
        let gave: Vec<Meta> = results.iter().map(meta_of).collect();
        let arguments: Vec<&Meta> = given.iter().collect();
        let flops = gave.first().map(|result| flops(entry, &arguments, result));
        counted.add(at, flops, &given, &gave);
    }

    fn region(&self, function: &str, pc: Pc, arguments: &[IValue], results: &[IValue]) {
        let metas = |values: &[IValue]| values.iter().map(meta_of).collect::<Vec<_>>();
        self.lock().add((function.to_owned(), pc), None, &metas(arguments), &metas(results));
    }
}

fn sizes(values: &[Meta]) -> String {
    let number = |size: &Size| if let Size::Known(n) = size { n.to_string() } else { "?".into() };
    let tensor = |sizes: Sizes| match sizes.is_empty() {
        true => "number".to_owned(),
        false => sizes.iter().map(number).collect::<Vec<_>>().join("x"),
    };
    values.iter().filter_map(Meta::sizes).map(tensor).collect::<Vec<_>>().join(" ")
}
