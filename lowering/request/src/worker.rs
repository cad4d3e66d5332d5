//! A compiler in a process of its own: what it does to itself costs the answer at hand and nothing else.
//!
//! Messages are a count of bytes (`u64`, little-endian) and the bytes. The process is started by the first question, or before one that is expected; it ends by
//! itself when nobody asks for a while or whoever asks is gone, and is started again by the next question.

use crate::bytes::{read_answer, write_answer};
use crate::crash;
use crate::identity::{content_of, identity_of};
use crate::question::{Answer, Question, Subject, Want};
use crate::{Compiler, Error};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::process::parent_id;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
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

impl Limits {
    /// The limits of one question: reading MLIR takes what the file's size explains.
    fn of(self, question: &Question) -> Limits {
        let (Subject::Mlir { bytes, .. }, Want::Unit) = (&question.subject, &question.want) else { return self };
        let time = Duration::from_secs(10) + Duration::from_micros(10).saturating_mul(bytes.len() as u32);
        let memory = (1 << 30) + (bytes.len() << 10);
        Limits { time: self.time.min(time), memory: self.memory.min(memory) }
    }
}

/// Bytes that a message may have.
const MAX_MESSAGE: u64 = 1 << 32;
/// How often the limits are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How long a process that closed its output may take to end: on a busy machine long, and who is gone by then can be told by how it went.
const GRACE: Duration = Duration::from_secs(2);
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
    /// That of the process that is there, apart so that nobody waits for an answer to learn it.
    running: Mutex<Option<String>>,
}

struct Process {
    child: Child,
    /// A thread writes what is sent, so that one that does not read is not waited for.
    input: Sender<Arc<Vec<u8>>>,
    output: Receiver<std::io::Result<Vec<u8>>>,
    /// The end of what it wrote to standard error, and who listens to it.
    said: Arc<Mutex<Vec<u8>>>,
    listener: JoinHandle<()>,
}

/// Why there is no answer.
enum NoAnswer {
    /// The process ended, or at least closed its output.
    Over,
    /// What it did, for which it is stopped.
    Stopped(String),
}

impl Worker {
    /// A worker that runs `program` with these arguments, which must end up in [`serve`].
    pub fn new(program: PathBuf, arguments: Vec<String>, limits: Limits) -> Worker {
        Worker { program, arguments, limits, process: Mutex::new(None), running: Mutex::new(None) }
    }

    /// The program `sconce-compiler` that lies beside this one, or where `SCONCE_COMPILER` says.
    pub fn beside_this_program() -> Worker {
        let named = std::env::var_os("SCONCE_COMPILER").filter(|v| !v.is_empty()).map(PathBuf::from);
        let beside = || Some(std::env::current_exe().ok()?.parent()?.join("sconce-compiler"));
        let program = named.or_else(beside).unwrap_or_else(|| "sconce-compiler".into());
        Worker::new(program, Vec::new(), Limits::default())
    }

    /// The program's identity, with its arguments.
    fn identity_now(&self) -> Option<String> {
        Some(format!("{} {:?}", identity_of(&self.program)?, self.arguments))
    }

    fn start(&self) -> Result<Process, Error> {
        let lost = |e: std::io::Error| Error::Lost(format!("{} does not start: {e}", self.program.display()));
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(lost)?;
        let missing = || lost(std::io::Error::other("a pipe is missing"));
        let input = writer(child.stdin.take().ok_or_else(missing)?);
        // It cannot have held more than it may hold.
        let most = MAX_MESSAGE.min(self.limits.memory as u64);
        let output = messages(child.stdout.take().ok_or_else(missing)?, most);
        let said = Arc::default();
        let listener = listen(child.stderr.take().ok_or_else(missing)?, Arc::clone(&said));
        Ok(Process { child, input, output, said, listener })
    }

    /// A new process, in the place of none.
    fn start_in<'p>(&self, held: &'p mut Option<Process>) -> Result<&'p mut Process, Error> {
        // A program that is replaced meanwhile is found to be another before its answer is kept.
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) = self.identity_now();
        Ok(held.insert(self.start()?))
    }

    /// One question to a process that is there, or to a new one. A process that gives no answer is ended.
    fn exchange(&self, held: &mut Option<Process>, question: &Arc<Vec<u8>>, limits: Limits) -> Result<Vec<u8>, Error> {
        if held.as_mut().is_some_and(|process| !process.is_quiet()) {
            end(held);
        }
        let was_there = held.is_some();
        let process = match held {
            Some(process) => process,
            None => self.start_in(held)?,
        };
        let why = match self.wait(process, question, limits) {
            Ok(answer) => return Ok(answer),
            Err(NoAnswer::Stopped(why)) => {
                end(held);
                why
            }
            Err(NoAnswer::Over) => {
                let status = process.status();
                let last = process.last_said();
                *held = None;
                // One that left because nobody asked for a while is no failure.
                if was_there && status.is_some_and(|s| s.success()) {
                    return self.exchange(held, question, limits);
                }
                let how = status.map_or_else(|| "closed its output and was stopped".into(), |s| format!("died: {s}"));
                let how = if last.is_empty() { how } else { format!("{how}: {last}") };
                match crash::keep(question) {
                    Some(file) => format!("{how} (`{} {}` asks it again)", self.program.display(), file.display()),
                    None => how,
                }
            }
        };
        Err(Error::Lost(why))
    }

    /// Asks and waits for the answer, for as long as the limits allow.
    fn wait(&self, process: &mut Process, question: &Arc<Vec<u8>>, limits: Limits) -> Result<Vec<u8>, NoAnswer> {
        // Whether it was heard is told by what comes back.
        let _ = process.input.send(question.clone());
        let until = Instant::now() + limits.time;
        let stopped = |what: String| Err(NoAnswer::Stopped(format!("{what} and was stopped")));
        loop {
            match process.output.recv_timeout(TICK) {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(e)) if e.kind() == ErrorKind::UnexpectedEof => return Err(NoAnswer::Over),
                Ok(Err(e)) => return stopped(format!("answered {e}")),
                Err(RecvTimeoutError::Disconnected) => return Err(NoAnswer::Over),
                Err(RecvTimeoutError::Timeout) if Instant::now() > until => {
                    return stopped(format!("took longer than {} s", limits.time.as_secs_f64()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if resident(process.child.id()).is_some_and(|bytes| bytes > limits.memory) {
                        return stopped(format!("took more than {} MiB", limits.memory >> 20));
                    }
                }
            }
        }
    }
}

fn end(held: &mut Option<Process>) {
    if let Some(mut process) = held.take() {
        process.stop();
    }
}

impl Compiler for Worker {
    fn ask(&self, question: &Question) -> Result<Answer, Error> {
        let limits = self.limits.of(question);
        let question = Arc::new(question.to_bytes()?);
        let mut held = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = read_answer(&self.exchange(&mut held, &question, limits)?);
        if let Err(Error::Format(_)) = answer {
            // Whoever says what means nothing is not asked again.
            end(&mut held);
        }
        if held.is_none() {
            *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        answer
    }

    /// Starts the process. One that does not start is told of by the question.
    fn expect(&self) {
        if let Ok(mut held) = self.process.try_lock()
            && held.is_none()
            && self.start_in(&mut held).is_err()
        {
            *self.running.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// That of the process that is there, else of the one that would be started.
    fn identity(&self) -> Option<String> {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).clone();
        running.or_else(|| self.identity_now())
    }

    /// That of its program, if its arguments ask for nothing of their own. A process that is there may be of a file that is no longer, which cannot be read.
    fn content(&self) -> Option<[u8; 32]> {
        let content = content_of(&self.program).filter(|_| self.arguments.is_empty())?;
        (self.identity() == self.identity_now()).then_some(content)
    }
}

impl Drop for Worker {
    /// Who ends is not to wait until the system has taken back the memory of a process that has nothing more to say.
    fn drop(&mut self) {
        if let Some(mut process) = self.process.lock().unwrap_or_else(PoisonError::into_inner).take() {
            let _ = process.child.kill();
            // Where no thread can be had it is waited for by whoever ends this process.
            let _ = std::thread::Builder::new().spawn(move || process.child.wait());
        }
    }
}

impl Process {
    /// Is it there, and has it said nothing that was not asked?
    fn is_quiet(&self) -> bool {
        matches!(self.output.try_recv(), Err(TryRecvError::Empty))
    }

    /// The last line that it wrote to standard error before it ended.
    fn last_said(&self) -> String {
        // Processes that it started may still have the stream.
        let grace = Instant::now() + GRACE;
        while !self.listener.is_finished() && Instant::now() < grace {
            std::thread::sleep(Duration::from_millis(1));
        }
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let said = String::from_utf8_lossy(&said);
        said.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or_default().to_owned()
    }

    /// The status of one that closed its output; none if it goes on, for which it is stopped.
    fn status(&mut self) -> Option<ExitStatus> {
        // It closed its end before it went.
        let grace = Instant::now() + GRACE;
        while Instant::now() < grace {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.stop();
        None
    }

    fn stop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn send(to: &mut impl Write, message: &[u8]) -> std::io::Result<()> {
    to.write_all(&(message.len() as u64).to_le_bytes())?;
    to.write_all(message)?;
    to.flush()
}

/// The next message, of at most so many bytes; nothing at the end.
fn receive(from: &mut impl Read, most: u64) -> std::io::Result<Option<Vec<u8>>> {
    let mut size = [0; 8];
    match from.read_exact(&mut size) {
        Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Ok(None),
        other => other?,
    }
    let size = u64::from_le_bytes(size);
    if size > most {
        return Err(std::io::Error::other(format!("a message of {size} bytes, of which {most} are allowed,")));
    }
    let mut message = Vec::new();
    from.take(size).read_to_end(&mut message)?;
    if message.len() as u64 != size {
        return Err(std::io::Error::from(ErrorKind::UnexpectedEof));
    }
    Ok(Some(message))
}

fn writer(mut input: ChildStdin) -> Sender<Arc<Vec<u8>>> {
    let (to, from) = channel::<Arc<Vec<u8>>>();
    std::thread::spawn(move || {
        for message in from {
            // A process that no longer reads is noticed by what it answers.
            if send(&mut input, &message).is_err() {
                return;
            }
        }
    });
    to
}

fn messages(mut output: ChildStdout, most: u64) -> Receiver<std::io::Result<Vec<u8>>> {
    let (to, from) = channel();
    std::thread::spawn(move || {
        while let Some(message) = receive(&mut output, most).transpose() {
            let over = message.is_err();
            if to.send(message).is_err() || over {
                return;
            }
        }
    });
    from
}

fn listen(mut from: impl Read + Send + 'static, said: Arc<Mutex<Vec<u8>>>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut buffer = [0; 1024];
        while let Ok(n @ 1..) = from.read(&mut buffer) {
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            said.extend_from_slice(&buffer[..n]);
            let over = said.len().saturating_sub(SAID);
            said.drain(..over);
        }
    })
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
    let parent = parent_id();
    std::thread::spawn(move || {
        // Whoever asked may have been killed while a question is answered.
        while now() < watched.load(Ordering::Relaxed) && parent_id() == parent {
            std::thread::sleep(Duration::from_secs(1));
        }
        std::process::exit(0);
    });
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    while let Some(question) = receive(&mut input, MAX_MESSAGE)? {
        deadline.store(u64::MAX, Ordering::Relaxed);
        let answer = Question::from_bytes(&question).map_err(Error::from).and_then(|q| compiler.ask(&q));
        let bytes = write_answer(answer.as_ref()).or_else(|e| write_answer(Err(&e.into())));
        send(&mut output, &bytes.map_err(std::io::Error::other)?)?;
        deadline.store(now() + IDLE.as_millis() as u64, Ordering::Relaxed);
    }
    Ok(())
}
