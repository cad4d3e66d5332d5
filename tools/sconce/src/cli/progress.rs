//! Standard error holds what a person is to know beside the result: warnings, and at a terminal a line that says what goes on, from half a second on, and that
//! is gone when it is over.

use crate::value_text::visible;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// What takes less is not told.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the line is drawn: seldom, as `bench` measures meanwhile.
const EVERY: Duration = Duration::from_millis(250);

/// What the command line says of this.
#[derive(Clone, Copy, Default)]
pub(super) struct Told {
    /// Neither warnings nor progress.
    pub quiet: bool,
    /// Standard output is a document for a program, so nobody waits at the terminal.
    pub json: bool,
}

static TOLD: OnceLock<Told> = OnceLock::new();

/// The line that is shown now, which gives way to what is told.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

pub(super) fn set(told: Told) {
    TOLD.get_or_init(|| told);
}

/// Says on standard error what is no error and no result, unless `--quiet`.
pub(super) fn tell(line: &str) {
    if TOLD.get().is_some_and(|told| told.quiet) {
        return;
    }
    let write = || eprintln!("{}", visible(line));
    match &*SHOWN.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// Is there a person at a terminal that can go back to the beginning of a line?
fn is_shown() -> bool {
    let told = TOLD.get().copied().unwrap_or_default();
    let is_dumb = std::env::var_os("TERM").is_none_or(|terminal| terminal == "dumb");
    !told.quiet && !told.json && !is_dumb && std::io::stderr().is_terminal()
}

/// While this lives, something goes on.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Who shows the line when time has come, and what ends their waiting.
    shower: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    pub fn of(what: &str) -> Progress {
        Progress::with(what, String::new)
    }

    /// With what is to be said of it at the moment.
    pub fn with(what: &str, now: impl Fn() -> String + Clone + Send + Sync + 'static) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
        // What goes on is part of what is told already.
        if shown.is_some() || !is_shown() {
            return Progress { bar, shower: None };
        }
        *shown = Some(bar.clone());
        let now = move |_: &ProgressState, out: &mut dyn Write| {
            // The line is made in memory.
            let _ = out.write_str(&now());
        };
        let plain = ProgressStyle::default_spinner();
        let style = plain.clone().template("{spinner} {msg}{now} ({elapsed})").unwrap_or(plain).with_key("now", now);
        bar.set_style(style);
        bar.set_message(visible(what).into_owned());
        let (done, is_done) = channel();
        let line = bar.clone();
        let shower = std::thread::spawn(move || {
            if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                line.set_draw_target(ProgressDrawTarget::stderr());
                line.enable_steady_tick(EVERY);
            }
        });
        Progress { bar, shower: Some((done, shower)) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let Some((done, shower)) = self.shower.take() else { return };
        drop(done);
        // A line that could not be shown is no failure.
        let _ = shower.join();
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.bar.finish_and_clear();
    }
}
