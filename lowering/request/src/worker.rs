//! A compiler in a process of its own: what it does to itself costs the answer at hand and nothing else.
//!
//! Messages are a count of bytes (`u64`, little-endian) and the bytes. The process is started by the first question, ends by itself when nobody asks for a
//! while or whoever asks is gone, and is started again by the next question.

use crate::bytes::{read_answer, write_answer};
use crate::question::{Answer, Question};
use crate::{Compiler, Error};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What one question may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    /// Resident bytes of the process.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(120), memory: 8 << 30 }
    }
}

/// Bytes that a message may have.
const MAX_MESSAGE: u64 = 1 << 32;
/// How often the limits are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How long a process waits for the next question.
const IDLE: Duration = Duration::from_secs(60);
/// Bytes of what the process said that are kept for the report.
const SAID: usize = 4096;

/// See the module's page.
pub struct Worker {
    program: PathBuf,
    arguments: Vec<String>,
    limits: Limits,
    process: Mutex<Option<Process>>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    output: Receiver<std::io::Result<Vec<u8>>>,
    /// The end of what it wrote to standard error.
    said: Arc<Mutex<Vec<u8>>>,
}

impl Worker {
    /// A worker that runs `program` with these arguments, which must end up in [`serve`].
    pub fn new(program: PathBuf, arguments: Vec<String>, limits: Limits) -> Worker {
        Worker { program, arguments, limits, process: Mutex::new(None) }
    }

    /// The program `sconce-compiler` that lies beside this one, or where `SCONCE_COMPILER` says.
    pub fn beside_this_program() -> Worker {
        let named = std::env::var_os("SCONCE_COMPILER").filter(|v| !v.is_empty()).map(PathBuf::from);
        let beside = || Some(std::env::current_exe().ok()?.parent()?.join("sconce-compiler"));
        let program = named.or_else(beside).unwrap_or_else(|| "sconce-compiler".into());
        Worker::new(program, Vec::new(), Limits::default())
    }

    fn start(&self) -> Result<Process, Error> {
        let lost = |e: std::io::Error| Error::Lost(format!("{} does not start: {e}", self.program.display()));
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(lost)?;
        let missing = || lost(std::io::Error::other("a pipe is missing"));
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = messages(child.stdout.take().ok_or_else(missing)?);
        let said = Arc::default();
        listen(child.stderr.take().ok_or_else(missing)?, Arc::clone(&said));
        Ok(Process { child, input, output, said })
    }

    /// One question to a process that is there, or to a new one.
    fn exchange(&self, held: &mut Option<Process>, question: &[u8]) -> Result<Vec<u8>, Error> {
        let was_there = held.is_some();
        let process = match held {
            Some(process) => process,
            None => held.insert(self.start()?),
        };
        // One that went while nobody asked is no failure.
        if process.send(question).is_err() && was_there {
            process.end();
            *held = Some(self.start()?);
            return self.exchange_with(held, question);
        }
        self.wait(held)
    }

    fn exchange_with(&self, held: &mut Option<Process>, question: &[u8]) -> Result<Vec<u8>, Error> {
        if let Some(process) = held {
            // Whether it was heard is told by what comes back.
            let _ = process.send(question);
        }
        self.wait(held)
    }

    /// The answer; a process that gives none is ended.
    fn wait(&self, held: &mut Option<Process>) -> Result<Vec<u8>, Error> {
        let Some(process) = held else { return Err(Error::Lost("was not started".into())) };
        let until = Instant::now() + self.limits.time;
        let why = loop {
            match process.output.recv_timeout(TICK) {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) if Instant::now() > until => {
                    break Some(format!("took longer than {} s and was stopped", self.limits.time.as_secs_f64()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if resident(process.child.id()).is_some_and(|bytes| bytes > self.limits.memory) {
                        break Some(format!("took more than {} MiB and was stopped", self.limits.memory >> 20));
                    }
                }
            }
        };
        let status = process.end();
        let died = || {
            let how = status.map_or_else(|| "without a word".to_owned(), |s| s.to_string());
            let said = process.said.lock().unwrap_or_else(PoisonError::into_inner);
            let said = String::from_utf8_lossy(&said);
            let last = said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default().to_owned();
            if last.is_empty() { format!("died: {how}") } else { format!("died: {how}: {last}") }
        };
        let why = why.unwrap_or_else(died);
        *held = None;
        Err(Error::Lost(why))
    }
}

impl Compiler for Worker {
    fn ask(&self, question: &Question) -> Result<Answer, Error> {
        let question = question.to_bytes()?;
        let mut held = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = self.exchange(&mut held, &question)?;
        read_answer(&answer)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.lock().unwrap_or_else(PoisonError::into_inner).take() {
            process.end();
        }
    }
}

impl Process {
    fn send(&mut self, question: &[u8]) -> std::io::Result<()> {
        send(&mut self.input, question)
    }

    fn end(&mut self) -> Option<ExitStatus> {
        if let Ok(Some(status)) = self.child.try_wait() {
            return Some(status);
        }
        // It closed its end before it went, or goes on: neither is waited for.
        let grace = Instant::now() + Duration::from_millis(200);
        while Instant::now() < grace {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if self.output.try_recv().is_err_and(|e| e == std::sync::mpsc::TryRecvError::Empty) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

fn send(to: &mut impl Write, message: &[u8]) -> std::io::Result<()> {
    to.write_all(&(message.len() as u64).to_le_bytes())?;
    to.write_all(message)?;
    to.flush()
}

/// The next message; nothing at the end.
fn receive(from: &mut impl Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut size = [0; 8];
    match from.read_exact(&mut size) {
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let size = u64::from_le_bytes(size);
    if size > MAX_MESSAGE {
        return Err(std::io::Error::other(format!("a message of {size} bytes")));
    }
    let mut message = Vec::new();
    from.take(size).read_to_end(&mut message)?;
    if message.len() as u64 != size {
        return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
    }
    Ok(Some(message))
}

fn messages(mut output: ChildStdout) -> Receiver<std::io::Result<Vec<u8>>> {
    let (to, from) = channel();
    std::thread::spawn(move || {
        while let Some(message) = receive(&mut output).transpose() {
            let over = message.is_err();
            if to.send(message).is_err() || over {
                return;
            }
        }
    });
    from
}

fn listen(mut from: impl Read + Send + 'static, said: Arc<Mutex<Vec<u8>>>) {
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(n @ 1..) = from.read(&mut buffer) {
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            said.extend_from_slice(&buffer[..n]);
            let over = said.len().saturating_sub(SAID);
            said.drain(..over);
        }
    });
}

/// Bytes of memory that a process has, where the system tells.
fn resident(process: u32) -> Option<usize> {
    let pages = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    pages.split(' ').nth(1)?.parse::<usize>().ok()?.checked_mul(4096)
}

/// Answers questions from standard input on standard output until there are no more.
///
/// # Errors
/// Pipes that break.
pub fn serve(compiler: &dyn Compiler) -> std::io::Result<()> {
    let began = Instant::now();
    let now = move || began.elapsed().as_millis() as u64;
    // Until when somebody may ask; none while a question is answered.
    let deadline = Arc::new(AtomicU64::new(IDLE.as_millis() as u64));
    let watched = deadline.clone();
    std::thread::spawn(move || {
        while now() < watched.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_secs(1));
        }
        std::process::exit(0);
    });
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    while let Some(question) = receive(&mut input)? {
        deadline.store(u64::MAX, Ordering::Relaxed);
        let answer = Question::from_bytes(&question).map_err(Error::from).and_then(|q| compiler.ask(&q));
        let bytes = write_answer(answer.as_ref()).or_else(|e| write_answer(Err(&e.into())));
        send(&mut output, &bytes.map_err(std::io::Error::other)?)?;
        deadline.store(now() + IDLE.as_millis() as u64, Ordering::Relaxed);
    }
    Ok(())
}
