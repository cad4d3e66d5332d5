//! The command `sconce`.

/// `sconce bench --allocations` counts with it.
#[global_allocator]
static ALLOCATOR: sconce_tensor::allocations::Counted = sconce_tensor::allocations::Counted;

fn main() -> std::process::ExitCode {
    sconce::cli::main()
}
