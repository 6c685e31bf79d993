//! The `meerslag` executable.
fn main() {
    use meerslag::{board::*, variant::*};
    let t = std::time::Instant::now();
    let n = perft::perft(&Position::<International>::start(), 10);
    println!("{n} {:.1} M/s", n as f64 / t.elapsed().as_secs_f64() / 1e6);
    let t = std::time::Instant::now();
    let n = perft::perft(&Position::<Brazilian>::start(), 11);
    println!("{n} {:.1} M/s", n as f64 / t.elapsed().as_secs_f64() / 1e6);
}
