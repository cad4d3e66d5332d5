//! Messages come in and go out as the protocol frames them; whatever a header claims, no more is read and kept than a message may have.

use lsp_server::{Connection, Message, ProtocolError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread::{self, JoinHandle};

/// Bytes of one message.
const MAX_MESSAGE: usize = 64 << 20;

/// Bytes of one line of a message's header, and lines.
const MAX_HEADER: u64 = 1 << 10;
const MAX_HEADERS: usize = 16;

/// Why serving ended before the editor said so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("the connection to the editor failed: {0}")]
    Io(#[from] io::Error),
    /// A header that is not `Name: value`, or has no end.
    #[error("the message's header has the line {0:?}; expected `Content-Length: ` and a number")]
    Header(String),
    #[error("the message's header names no Content-Length")]
    NoLength,
    #[error("the message's header claims {claimed} bytes; at most {MAX_MESSAGE} are read")]
    TooLong { claimed: String },
    #[error("the input ends after {have} of the message's {claimed} bytes")]
    Truncated { have: usize, claimed: usize },
    #[error("the message is not one of JSON-RPC: {0}")]
    Json(serde_json::Error),
    #[error("{0}")]
    Protocol(#[from] ProtocolError),
    #[error("the editor left without saying `shutdown` and then `exit`")]
    Gone,
    #[error("the server failed; what it was doing is told above")]
    Failed,
}

/// Runs a server between two streams. A thread reads, so that the server knows what is waiting, and one writes, so that it need not wait.
pub(crate) fn with_connection(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    serve: impl FnOnce(&Connection) -> Result<(), Error>,
) -> Result<(), Error> {
    let (server, Connection { sender, receiver }) = Connection::memory();
    let reader = thread::spawn(move || {
        let mut input = BufReader::new(input);
        while let Some(message) = read(&mut input)? {
            let is_last = matches!(&message, Message::Notification(n) if n.method == "exit");
            if sender.send(message).is_err() || is_last {
                break;
            }
        }
        Ok(())
    });
    let writer = thread::spawn(move || {
        let mut output = output;
        receiver.into_iter().try_for_each(|message| message.write(&mut output))
    });
    let served = serve(&server);
    drop(server);
    let written = writer.join().unwrap_or_else(|_| Err(io::Error::other("the thread that writes failed")));
    match served {
        // That nothing comes any more has a reason, which the reader knows.
        Err(Error::Gone) => reason(reader).and(Err(Error::Gone)),
        served => served.and(written.map_err(Error::Io)),
    }
}

fn reason(reader: JoinHandle<Result<(), Error>>) -> Result<(), Error> {
    reader.join().unwrap_or(Err(Error::Failed))
}

/// The next message; none at the end of the input.
fn read(input: &mut impl BufRead) -> Result<Option<Message>, Error> {
    let mut length = None;
    for count in 0.. {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() && count == 0 {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let refused = || Error::Header(text.trim_end().chars().take(80).collect());
        let Some(header) = text.strip_suffix('\n').filter(|_| count < MAX_HEADERS) else { return Err(refused()) };
        let header = header.strip_suffix('\r').unwrap_or(header);
        if header.is_empty() {
            break;
        }
        let (name, value) = header.split_once(':').ok_or_else(refused)?;
        if name.eq_ignore_ascii_case("Content-Length") {
            let value = value.trim();
            if value.is_empty() || !value.bytes().all(|b| b.is_ascii_digit()) {
                return Err(refused());
            }
            let claimed: Option<usize> = value.parse().ok().filter(|n| *n <= MAX_MESSAGE);
            length = Some(claimed.ok_or_else(|| Error::TooLong { claimed: value.to_owned() })?);
        }
    }
    let claimed = length.ok_or(Error::NoLength)?;
    let mut body = Vec::new();
    input.by_ref().take(claimed as u64).read_to_end(&mut body)?;
    if body.len() < claimed {
        return Err(Error::Truncated { have: body.len(), claimed });
    }
    serde_json::from_slice(&body).map(Some).map_err(Error::Json)
}
