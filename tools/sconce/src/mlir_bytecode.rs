//! MLIR bytecode is read in a process of its own: MLIR's reader trusts its input, and what a damaged file does to it must not happen to the caller.
//!
//! The process gets the bytes on its standard input and answers with the module's text, which is read and verified here as any text is. It has so much time and
//! memory as the file's size explains.

use crate::error::Error;
use sconce_ir::prelude::*;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

/// How the command is told to be that process.
pub const COMMAND: &str = "read-mlir-bytecode";

/// Whether a file is MLIR bytecode.
pub fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"ML\xefR")
}

/// Bytes of text that a byte of bytecode may become, and what any file may.
const TEXT_PER_BYTE: usize = 256;
const SMALL_TEXT: usize = 16 << 20;
/// Memory of the process in the same way.
const MEMORY_PER_BYTE: usize = 1024;
const SMALL_MEMORY: usize = 1 << 30;

fn allowance(bytes: usize, small: usize, per_byte: usize) -> usize {
    bytes.saturating_mul(per_byte).saturating_add(small)
}

/// The text of a module in bytecode, read by `reader`, which is the command `sconce`.
pub fn to_text(reader: Option<&Path>, name: &str, bytes: &[u8]) -> Result<String, Error> {
    let wrong = |why: String| Error::Text(format!("{name}: {why}"));
    let Some(reader) = reader else {
        return Err(wrong(
            "MLIR bytecode is read by the command `sconce` only, which `Options::mlir_reader` names".into(),
        ));
    };
    let start = Command::new(reader)
        .arg(COMMAND)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| wrong(format!("{}: {e}", reader.display())))?;
    let answer = talk(start, bytes).map_err(|e| wrong(format!("reading MLIR bytecode: {e}")))?;
    match answer {
        Answer::Done { code: Some(0), out, .. } => {
            String::from_utf8(out).map_err(|_| wrong("damaged MLIR bytecode: its text is not UTF-8".into()))
        }
        Answer::Done { code: Some(1), err, .. } => {
            let err = String::from_utf8_lossy(&err).trim().to_owned();
            Err(wrong(err.strip_prefix("error: ").map_or(err.clone(), str::to_owned)))
        }
        Answer::Done { .. } => Err(wrong("damaged MLIR bytecode: its reader died of it".into())),
        Answer::Stopped(why) => Err(wrong(format!("damaged MLIR bytecode: its reader took too {why}"))),
    }
}

enum Answer {
    Done { code: Option<i32>, out: Vec<u8>, err: Vec<u8> },
    Stopped(&'static str),
}

fn talk(mut process: Child, bytes: &[u8]) -> std::io::Result<Answer> {
    let most = allowance(bytes.len(), SMALL_TEXT, TEXT_PER_BYTE) as u64;
    let memory = allowance(bytes.len(), SMALL_MEMORY, MEMORY_PER_BYTE);
    let until = Instant::now() + Duration::from_secs(10) + Duration::from_millis(bytes.len() as u64 / 100);
    let (input, out, err) = (process.stdin.take(), process.stdout.take(), process.stderr.take());
    let missing = || std::io::Error::other("a pipe is missing");
    let (mut input, out, err) = (input.ok_or_else(missing)?, out.ok_or_else(missing)?, err.ok_or_else(missing)?);
    std::thread::scope(|scope| {
        // A reader that died reads no more: that is told by how it ended.
        scope.spawn(move || input.write_all(bytes));
        let collect = |mut stream: Box<dyn Read + Send>| {
            scope.spawn(move || {
                let mut text = Vec::new();
                stream.by_ref().take(most).read_to_end(&mut text).map(|_| text)
            })
        };
        let (out, err) = (collect(Box::new(out)), collect(Box::new(err)));
        let mut pause = Duration::from_millis(1);
        let mut stopped = None;
        let status = loop {
            if let Some(status) = process.try_wait()? {
                break status;
            }
            stopped = match () {
                () if Instant::now() > until => Some("long"),
                () if resident(process.id()).is_some_and(|bytes| bytes > memory) => Some("much memory"),
                () => None,
            };
            if stopped.is_some() {
                process.kill()?;
                break process.wait()?;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        };
        let text = |thread: std::thread::ScopedJoinHandle<'_, std::io::Result<Vec<u8>>>| {
            thread.join().unwrap_or_else(|_| Err(missing()))
        };
        let (out, err) = (text(out)?, text(err)?);
        Ok(match stopped {
            Some(why) => Answer::Stopped(why),
            None => Answer::Done { code: status.code(), out, err },
        })
    })
}

/// Bytes of memory that a process has, where the system tells.
fn resident(process: u32) -> Option<usize> {
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    pages.split(' ').nth(1)?.parse::<usize>().ok()?.checked_mul(4096)
}

/// What the process does.
pub fn serve() -> ExitCode {
    let answer = || -> Result<String, String> {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        let context = crate::engine::context().map_err(|e| e.to_string())?;
        let module = parse_module(&context, &bytes, "bytecode").map_err(|e| e.to_string())?;
        Ok(module.as_operation().to_string())
    };
    match answer().and_then(|text| std::io::stdout().lock().write_all(text.as_bytes()).map_err(|e| e.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            // Who asked may be gone.
            let _ = writeln!(std::io::stderr(), "error: {why}");
            ExitCode::FAILURE
        }
    }
}
