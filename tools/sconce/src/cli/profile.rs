//! What calls took by instruction: a table, and a trace as Chrome, Perfetto and `sconce view --profile` read it.

use crate::files::write_atomically;
use crate::module::Module;
use clap::Args;
use sconce_interpreter::{Options as RunOptions, Profile};
use sconce_tensor::IValue;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Instructions that a trace holds at most.
const MOST_EVENTS: usize = 1 << 20;
/// Rows of a table.
const MOST_ROWS: usize = 40;

/// Whether calls are looked at more closely.
#[derive(Args)]
pub struct ProfileArgs {
    /// Then call it as long again, and say what each operator and each compiled region took.
    #[arg(long, conflicts_with_all = ["worker", "allocations", "soak", "all_cases"])]
    profile: bool,
    /// Write these calls' operators and regions in the order of time, as Chrome's and Perfetto's viewers and `sconce view --profile` read them.
    #[arg(long, value_name = "FILE", requires = "profile")]
    chrome_trace: Option<PathBuf>,
}

/// What calls took.
pub struct Profiled {
    calls: u64,
    /// Of all calls together, measured around them.
    seconds: f64,
    profile: Arc<Profile>,
}

impl ProfileArgs {
    /// Calls it for so long, if that is asked for.
    pub fn of(
        &self,
        module: &Module,
        function: &str,
        arguments: &[IValue],
        seconds: f64,
        stop: &AtomicBool,
    ) -> Result<Option<Profiled>, String> {
        if !self.profile {
            return Ok(None);
        }
        let call = |profile: &Arc<Profile>| {
            let options = RunOptions { profile: Some(profile.clone()), ..RunOptions::default() };
            module.call_watched(function, arguments, &[], &options).map(drop).map_err(|e| e.to_string())
        };
        // The first makes the code ready that is measured.
        call(&Arc::default())?;
        let profile = match &self.chrome_trace {
            Some(_) => Arc::new(Profile::with_events(MOST_EVENTS)),
            None => Arc::default(),
        };
        let (start, mut calls) = (Instant::now(), 0);
        let end = start + Duration::from_secs_f64(seconds.clamp(0.0, 3600.0));
        while calls == 0 || (Instant::now() < end && !stop.load(Relaxed)) {
            call(&profile)?;
            calls += 1;
        }
        let profiled = Profiled { calls, seconds: start.elapsed().as_secs_f64(), profile };
        if let Some(path) = &self.chrome_trace {
            let trace = profiled.chrome_trace().to_string();
            write_atomically(path, trace.as_bytes()).map_err(|e| format!("--chrome-trace {}: {e}", path.display()))?;
        }
        Ok(Some(profiled))
    }
}

impl Profiled {
    /// Microseconds of a call.
    fn each(&self, nanoseconds: u64) -> f64 {
        nanoseconds as f64 / 1e3 / self.calls as f64
    }

    /// What the calls took, and what the instructions of them.
    fn sums(&self) -> (f64, f64) {
        let parts = self.profile.rows().iter().map(|row| row.nanoseconds).sum();
        (self.seconds * 1e6 / self.calls as f64, self.each(parts))
    }

    /// A line an instruction, the dearest first.
    pub fn table(&self) -> String {
        let rows = self.profile.rows();
        let (all, parts) = self.sums();
        let mut out = format!(
            "profiled: {} calls of {all:.2} us, of which instructions took {parts:.2} us ({:.1} %)\n",
            self.calls,
            parts / all * 100.0
        );
        out.push_str("us a call      %      runs  instruction\n");
        for row in rows.iter().take(MOST_ROWS) {
            let (each, runs) = (self.each(row.nanoseconds), row.count as f64 / self.calls as f64);
            let (name, place, share) = (&row.name, &row.place, each / all * 100.0);
            out.push_str(&format!("{each:9.2} {share:6.1} {runs:9.1}  {name}  {place}\n"));
        }
        let left_out: u64 = rows.iter().skip(MOST_ROWS).map(|row| row.nanoseconds).sum();
        if let Some(more) = rows.len().checked_sub(MOST_ROWS + 1) {
            let each = self.each(left_out);
            out.push_str(&format!("{each:9.2} {:6.1} {:9}  {} more\n", each / all * 100.0, "", more + 1));
        }
        out
    }

    pub fn json(&self) -> Value {
        let rows: Vec<Value> = (self.profile.rows().iter())
            .map(|row| {
                json!({ "name": row.name, "function": *row.function, "place": row.place, "runs": row.count,
                    "seconds": row.nanoseconds as f64 / 1e9 })
            })
            .collect();
        json!({ "calls": self.calls, "seconds": self.seconds, "instructions": rows })
    }

    /// The calls' instructions as complete events.
    fn chrome_trace(&self) -> Value {
        let (events, left_out) = self.profile.events();
        let events: Vec<Value> = (events.iter())
            .map(|e| {
                json!({ "name": e.name, "ph": "X", "pid": 0, "tid": e.thread, "ts": e.start_nanoseconds as f64 / 1e3,
                    "dur": e.nanoseconds as f64 / 1e3, "args": { "function": *e.function, "place": e.place } })
            })
            .collect();
        json!({ "displayTimeUnit": "ns", "traceEvents": events, "otherData": { "left_out": left_out } })
    }
}
