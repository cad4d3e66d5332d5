//! What calls took by instruction, and how near that is to what the machine can do at most: a table, and a trace as Chrome, Perfetto and `sconce view --profile` read it.

use crate::files::write_atomically;
use crate::module::Module;
use crate::work::{Work, Works};
use clap::Args;
use sconce_interpreter::{Options as RunOptions, Profile, Row};
use sconce_kernels::parallel::peak::{self, Peak};
use sconce_kernels::parallel::threads;
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
    /// Then call it as long again, and say what each operator and each compiled region took, computed and moved.
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
    works: Works,
    threads: usize,
    peak: Peak,
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
        let seconds = start.elapsed().as_secs_f64();
        let works = module.works(function, arguments).map_err(|e| e.to_string())?;
        let threads = threads();
        let profiled = Profiled { calls, seconds, profile, works, threads, peak: peak::measure(threads) };
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

    /// What an instruction does in a call.
    fn work(&self, row: &Row) -> Option<&Work> {
        self.works.get(&(row.function.to_string(), row.pc))
    }

    /// A line an instruction, the dearest first. Shares are of the machine's peaks; where more bytes move than memory gives they are in a cache.
    pub fn table(&self) -> String {
        let rows = self.profile.rows();
        let (all, parts) = self.sums();
        let mut out = format!(
            "profiled: {} calls of {all:.2} us, of which instructions took {parts:.2} us ({:.1} %)\n",
            self.calls,
            parts / all * 100.0
        );
        let (threads, peak) = (self.threads, self.peak);
        let (flops, bytes) = (peak.flops / 1e9, peak.bytes / 1e9);
        out.push_str(&format!(
            "peaks of this machine, {threads} thread(s): {flops:.0} GFLOP/s of f32, {bytes:.1} GB/s read from memory\n"
        ));
        let computed: u64 = self.works.values().filter_map(|work| work.flops).fold(0, u64::saturating_add);
        let rate = computed as f64 / all / 1e3;
        out.push_str(&format!(
            "operators outside of regions compute {:.3} MFLOP a call by the direct method: {rate:.1} GFLOP/s, {:.0} % of the peak\n",
            computed as f64 / 1e6,
            rate / flops * 100.0
        ));
        out.push_str("us a call      %      runs  GFLOP/s    %     GB/s    %  instruction\n");
        for row in rows.iter().take(MOST_ROWS) {
            let (each, runs) = (self.each(row.nanoseconds), row.count as f64 / self.calls as f64);
            let (name, place, share) = (&row.name, &row.place, each / all * 100.0);
            let work = self.work(row);
            let rated = |amount: Option<u64>, most: f64| match amount {
                Some(amount) => {
                    let rate = amount as f64 / each / 1e3;
                    format!("{rate:8.1} {:4.0}", rate / most * 100.0)
                }
                None => format!("{:8} {:4}", "", ""),
            };
            let (flops, bytes) = (rated(work.and_then(|w| w.flops), flops), rated(work.map(|w| w.bytes), bytes));
            let sizes = work.map_or("", |w| &w.sizes);
            out.push_str(&format!("{each:9.2} {share:6.1} {runs:9.1} {flops} {bytes}  {name}  {sizes}  {place}\n"));
        }
        let left_out: u64 = rows.iter().skip(MOST_ROWS).map(|row| row.nanoseconds).sum();
        if let Some(more) = rows.len().checked_sub(MOST_ROWS + 1) {
            let each = self.each(left_out);
            out.push_str(&format!("{each:9.2} {:6.1} {:9} {:27}  {} more\n", each / all * 100.0, "", "", more + 1));
        }
        out
    }

    pub fn json(&self) -> Value {
        let rows: Vec<Value> = (self.profile.rows().iter())
            .map(|row| {
                let mut said = json!({ "name": row.name, "function": *row.function, "place": row.place, "runs": row.count,
                    "seconds": row.nanoseconds as f64 / 1e9 });
                if let Some(work) = self.work(row) {
                    said["flops_a_call"] = work.flops.into();
                    said["bytes_a_call"] = work.bytes.into();
                    said["sizes"] = work.sizes.clone().into();
                }
                said
            })
            .collect();
        let peak = json!({ "threads": self.threads, "flops_per_second": self.peak.flops, "bytes_per_second": self.peak.bytes });
        json!({ "calls": self.calls, "seconds": self.seconds, "peak": peak, "instructions": rows })
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
