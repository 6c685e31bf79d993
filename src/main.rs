//! The `meerslag` executable.
use meerslag::{engine::Engine, search::*, variant::*};
fn go<V: Variant>(threads: usize, secs: u64) {
    let mut e = Engine::<V>::new(threads, 64).unwrap();
    let report = std::sync::Arc::new(move |r: Report| match r {
        Report::Info(i) => println!(
            "{} {:.1} {} n {} t {:?} nps {:.2}M pv {}",
            i.depth,
            i.mean_depth,
            i.score,
            i.nodes,
            i.time,
            i.nodes as f64 / i.time.as_secs_f64() / 1e6,
            i.pv.iter()
                .map(|m| meerslag::notation::hub::HubMove::of::<V>(*m).to_string())
                .collect::<Vec<_>>()
                .join(" ")
        ),
        Report::Done(d) => println!("{d:?}"),
    });
    e.start(
        Mode::Think,
        Limits { move_time: Some(std::time::Duration::from_secs(secs)), ..Default::default() },
        std::time::Instant::now(),
        &[],
        report,
    );
    e.wait();
}
fn main() {
    let t = std::env::args().nth(1).unwrap().parse().unwrap();
    go::<International>(t, 2);
    go::<Brazilian>(t, 2);
}
