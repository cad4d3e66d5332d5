//! What editors ask about TorchScript source and graph text is answered over the Language Server Protocol (docs/lsp.md): errors while a text is written,
//! types and schemas of what is under the cursor, where things are defined and used, an outline, and names that fit.
//!
//! Nothing here checks types or reads texts: the frontend does, and what it notes of a text is looked up by place.
//!
//! ```
//! let exchange = [
//!     r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}"#,
//!     r#"{"jsonrpc": "2.0", "id": 2, "method": "shutdown"}"#,
//!     r#"{"jsonrpc": "2.0", "method": "exit"}"#,
//! ];
//! let frame = |body: &&str| format!("Content-Length: {}\r\n\r\n{body}", body.len());
//! let input: String = exchange.iter().map(frame).collect();
//! sconce_language_server::serve(std::io::Cursor::new(input), std::io::sink())?;
//! # Ok::<(), sconce_language_server::Error>(())
//! ```
#![forbid(unsafe_code)]

mod analysis;
mod document;
mod graph_text;
mod language;
mod operators;
mod positions;
mod script;
mod server;
mod transport;

pub use language::Language;
pub use transport::Error;

use std::io::{Read, Write};

/// How much stack the thread has that analyses texts: what readers and compiler bound fits into it.
const STACK: usize = 64 << 20;

/// Answers the messages of an editor until it says `exit`.
///
/// # Errors
/// What is no message of the protocol; an input that ends, or an `exit`, without a `shutdown` before it; an output that cannot be written to.
pub fn serve(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Result<(), Error> {
    let serving = std::thread::Builder::new().name("analysis".to_owned()).stack_size(STACK);
    let served = serving.spawn(|| transport::with_connection(input, output, server::serve)).map_err(Error::Io)?;
    served.join().unwrap_or(Err(Error::Failed))
}
