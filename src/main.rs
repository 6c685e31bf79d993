//! The `meerslag` executable.

fn main() -> std::process::ExitCode {
    meerslag::cli::main()
}
