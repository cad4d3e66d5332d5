//! `sconce lsp`: what editors ask, over standard input and output.

use super::CommandResult;
use clap::Args;
use std::process::ExitCode;

/// What an editor says first and last, without an editor: the answer lists what the server can do.
const EXAMPLES: &str = r#"Examples:
  printf 'Content-Length: 75\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}Content-Length: 44\r\n\r\n{"jsonrpc":"2.0","id":2,"method":"shutdown"}Content-Length: 33\r\n\r\n{"jsonrpc":"2.0","method":"exit"}' | sconce lsp"#;

/// Answer an editor's questions about TorchScript source and graph text.
///
/// Speaks the Language Server Protocol over standard input and output until the editor says `exit`; docs/lsp.md says how editors start it, and what it answers.
#[derive(Args)]
#[command(after_long_help = EXAMPLES)]
pub struct LspArgs {
    /// Taken because editors say it; there is no other way to speak.
    #[arg(long, hide = true)]
    stdio: bool,
}

pub fn run(_: &LspArgs) -> CommandResult {
    sconce_language_server::serve(std::io::stdin(), std::io::stdout()).map_err(|e| e.to_string())?;
    Ok(ExitCode::SUCCESS)
}
