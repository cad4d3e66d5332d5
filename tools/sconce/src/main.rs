//! The command `sconce`.

fn main() -> std::process::ExitCode {
    sconce::cli::main()
}
