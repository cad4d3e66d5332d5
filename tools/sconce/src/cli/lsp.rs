//! `sconce lsp`: what editors ask, over standard input and output.

use super::CommandResult;
use clap::Args;
use std::process::ExitCode;

/// Editors start it; by hand it answers what one of them has said.
const EXAMPLES: &str = "\
Examples:
  sconce lsp < what-an-editor-said";

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
