//! A call is watched: what each operator took, where it stands in the program, and the types of what it gave.

use crate::error::Error;
use crate::module::Module;
use sconce_graph::graph::SourceText;
use sconce_interpreter::program::{Pc, Place};
use sconce_interpreter::{Observer, Options as RunOptions};
use sconce_schema::Type;
use sconce_tensor::IValue;
use sconce_view::{Profile, Site, type_text};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

impl Module {
    /// What the operators of a call took, interpreted in one thread's order.
    ///
    /// # Errors
    /// Those of the call.
    pub(crate) fn observed(&self, function: &str, arguments: &[IValue]) -> Result<Profile, Error> {
        let from = format!("a run of {function}");
        let watching =
            Arc::new(Watching(Mutex::new(Watched { profile: Profile::new(&from), place: None, started: None })));
        let options = RunOptions { observer: Some(watching.clone()), workers: 0, ..RunOptions::default() };
        self.call_watched(function, arguments, &[], &options)?;
        Ok(std::mem::take(&mut watching.lock().profile))
    }
}

/// `float32[2, 3]` of a tensor.
pub(crate) fn seen(value: &IValue) -> Option<String> {
    match value {
        IValue::Tensor(t) => type_text(&Type::Tensor(Arc::new(t.observed_type()))),
        _ => None,
    }
}

struct Watching(Mutex<Watched>);

struct Watched {
    profile: Profile,
    /// Of the operator that runs.
    place: Option<Site>,
    started: Option<Instant>,
}

impl Watching {
    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Watching {
    fn at(&self, function: &str, _pc: Pc, place: Option<(&Arc<SourceText>, Place)>) {
        let named =
            |(source, place): (_, Place)| Site { function: function.to_owned(), place: place.loc(source).to_string() };
        self.lock().place = place.map(named);
    }

    fn before(&self, _operator: &str, _arguments: &[IValue]) {
        self.lock().started = Some(Instant::now());
    }

    fn after(&self, operator: &str, results: Result<&[IValue], &str>) {
        let mut watched = self.lock();
        let (place, started) = (watched.place.take(), watched.started.take());
        if let (Some(started), Ok(results)) = (started, results) {
            let nanoseconds = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            let results: Vec<Option<String>> = results.iter().map(seen).collect();
            watched.profile.record(operator, place.as_ref(), nanoseconds, &results);
        }
    }
}
