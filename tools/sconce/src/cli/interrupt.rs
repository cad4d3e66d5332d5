//! Ctrl-C ends what counts or measures after it has printed what it has so far; a second one ends it at once.

use signal_hook::consts::SIGINT;
use signal_hook::flag::{register, register_conditional_shutdown};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The exit status of a command that Ctrl-C ended: 128 and the signal's number, as shells have it.
pub(super) const INTERRUPTED: u8 = 130;

/// Gives what becomes true at the first Ctrl-C from now on.
pub(super) fn wish() -> Result<Arc<AtomicBool>, String> {
    let asked = Arc::new(AtomicBool::new(false));
    // In this order: what ends the process looks at what was asked before.
    register_conditional_shutdown(SIGINT, INTERRUPTED.into(), asked.clone())
        .and_then(|_| register(SIGINT, asked.clone()))
        .map_err(|e| format!("Ctrl-C cannot be waited for: {e}"))?;
    Ok(asked)
}
