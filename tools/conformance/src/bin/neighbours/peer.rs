//! PyTorch in a process of its own: one call, one answer. A call that ends a process of PyTorch's is an answer too.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Peer {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Peer {
    /// With the first Python that `SCONCE_TORCH_PYTHON` names.
    pub fn start() -> Result<Peer, String> {
        let named = std::env::var("SCONCE_TORCH_PYTHON").unwrap_or_else(|_| "python3".to_string());
        let interpreter = named.split(':').find(|p| !p.is_empty()).unwrap_or("python3");
        let mut process = Command::new(interpreter)
            .args(["-c", include_str!("peer.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{interpreter}: {e}"))?;
        match (process.stdin.take(), process.stdout.take()) {
            (Some(to), Some(from)) => Ok(Peer { process, to, from: BufReader::new(from) }),
            _ => Err(format!("{interpreter}: no pipes")),
        }
    }

    /// The case with its outcome; `None` when PyTorch did not survive it.
    pub fn record(&mut self, case: &Value) -> Result<Option<Value>, String> {
        let mut line = String::new();
        let answered = writeln!(self.to, "{case}").and_then(|()| self.from.read_line(&mut line));
        if !answered.is_ok_and(|n| n > 0) {
            return Err(format!("PyTorch does not answer (SCONCE_TORCH_PYTHON names a Python that has torch): {case}"));
        }
        let answer: Value = serde_json::from_str(&line).map_err(|e| format!("{e}: {line}"))?;
        Ok(answer.get("died").is_none().then_some(answer))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
