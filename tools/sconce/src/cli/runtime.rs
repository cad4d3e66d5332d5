//! The command line of `sconce-rt`, and of the executables that `sconce compile` makes of it: here, so that their manual pages and completions are made with the
//! command's.

use clap::{Args, Parser};
use std::path::PathBuf;

/// Runs a program without a compiler: a TorchScript archive (.pt, .ptl), source (.py), graph text (.txt), or a compiled Program (.sconce).
#[derive(Parser)]
#[command(name = "sconce-rt", version)]
#[command(after_help = "`sconce-rt --licenses` prints the licences of the libraries in this program.")]
pub struct Arguments {
    /// The program
    pub program: PathBuf,
    /// Of source, what to run: a function's name, or an expression that makes a module, such as 'M(3)'
    #[arg(long, value_name = "EXPRESSION")]
    pub entry: Option<String>,
    /// Function or method to call; forward, else the first that is not of torch if not given
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// Print the bytecode and stop
    #[arg(long)]
    pub listing: bool,
    /// Run the machine code in a .sconce file, which is trusted as a program is; without this, regions are interpreted
    #[arg(long, conflicts_with = "is_static")]
    pub trust_code: bool,
    /// Run by a static plan: results lie in places that are prepared
    #[arg(long = "static")]
    pub is_static: bool,
    /// Print the static plan afterwards: each node with its mode and the place of its result
    #[arg(long, requires = "is_static")]
    pub plan: bool,
    /// How its function is called
    #[command(flatten)]
    pub call: CallArguments,
}

/// Runs a program that was compiled ahead of time.
#[derive(Parser)]
#[command(name = "sconce-rt", version)]
#[command(after_help = "`--licenses` prints the licences of the libraries in this program.")]
pub struct BuiltArguments {
    /// How its function is called
    #[command(flatten)]
    pub call: CallArguments,
}

/// A call of a function.
#[derive(Args)]
pub struct CallArguments {
    /// Say afterwards how often each instruction ran, and what ran compiled
    #[arg(long)]
    pub report: bool,
    /// Threads that one operator, or one loop of compiled code, may use; all, if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// An argument: a file (x.npy, x.npz, x.npz:key, x.safetensors), a generated tensor (2x3xf32) or a literal (3, [1, 2], "text")
    #[arg(long, short, value_name = "VALUE")]
    pub input: Vec<String>,
    /// Seed of generated tensors
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Write the result's tensors to this file (.npy, .npz or .safetensors)
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Call so often; the last result is shown
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub repeat: usize,
    /// Stop after this many instructions
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,
    /// Memory that tensors may take, in MiB
    #[arg(long, value_name = "MIB")]
    pub memory: Option<usize>,
    /// A shared library whose operators the program may call; its code runs in this process
    #[arg(long, value_name = "LIBRARY")]
    pub load_ops: Vec<PathBuf>,
    /// Threads that run forked tasks, beside the main one
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub workers: usize,
}
