//! Engines, when the system may not have what was asked for.

use std::io::{self, ErrorKind};

use crate::engine::EngineHandle;
use crate::engine::params::Params;

/// An engine and the parameters it was made with.
pub struct Made {
    /// The engine.
    pub engine: Box<dyn EngineHandle>,
    /// What it was made with.
    pub params: Params,
}

/// An engine that could not be made as wanted, so that one with less took its place.
#[derive(Debug, thiserror::Error)]
#[error("{cause}; going on with hash={hash} threads={threads}")]
pub struct Reduced {
    cause: io::Error,
    hash: u32,
    threads: u32,
}

impl Made {
    /// Makes an engine as `wanted`. If there is no memory or there are no threads for that, then
    /// one of the size of `kept`, which worked before, and else with ever less: a small engine
    /// plays better than none.
    ///
    /// # Errors
    /// If there is not enough for the smallest; the error is that of the engine wanted.
    pub fn new<F>(create: F, wanted: &Params, kept: Option<&Params>) -> io::Result<(Self, Option<Reduced>)>
    where
        F: Fn(&Params) -> io::Result<Box<dyn EngineHandle>>,
    {
        let cause = match create(wanted) {
            Ok(engine) => return Ok((Self { engine, params: wanted.clone() }, None)),
            Err(cause) => cause,
        };
        let of_kept = |kept: &Params| Params { hash: kept.hash, threads: kept.threads, ..wanted.clone() };
        let mut next = kept.map(of_kept).filter(|kept| kept != wanted).or_else(|| less(wanted, cause.kind()));
        while let Some(params) = next {
            match create(&params) {
                Ok(engine) => {
                    let reduced = Reduced { cause, hash: params.hash, threads: params.threads };
                    return Ok((Self { engine, params }, Some(reduced)));
                }
                Err(error) => next = less(&params, error.kind()),
            }
        }
        Err(cause)
    }
}

/// Half of what was lacking, or of the other if nothing is left to halve; `None` for the smallest engine.
fn less(params: &Params, lacking: ErrorKind) -> Option<Params> {
    let half_hash = (params.hash > 1).then(|| Params { hash: params.hash / 2, ..params.clone() });
    let half_threads = (params.threads > 1).then(|| Params { threads: params.threads / 2, ..params.clone() });
    match lacking {
        ErrorKind::OutOfMemory => half_hash.or(half_threads),
        _ => half_threads.or(half_hash),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::hub::fake::{Calls, FakeEngine};

    /// Sizes (hash, threads) tried until one is possible.
    fn tried(wanted: (u32, u32), kept: Option<(u32, u32)>, most: (u32, u32)) -> (Vec<(u32, u32)>, String) {
        let tried = std::cell::RefCell::new(Vec::new());
        let params = |(hash, threads)| Params { hash, threads, ..Params::default() };
        let create = |params: &Params| {
            tried.borrow_mut().push((params.hash, params.threads));
            if params.hash > most.0 {
                return Err(ErrorKind::OutOfMemory.into());
            }
            if params.threads > most.1 {
                return Err(ErrorKind::WouldBlock.into());
            }
            let (events, _) = crossbeam_channel::unbounded();
            Ok(FakeEngine::create(params, events, &Calls::default()))
        };
        let result = match Made::new(create, &params(wanted), kept.map(params).as_ref()) {
            Ok((_, reduced)) => reduced.map(|reduced| reduced.to_string()).unwrap_or_default(),
            Err(error) => error.to_string(),
        };
        (tried.into_inner(), result)
    }

    #[test]
    fn what_was_lacking_is_halved() {
        assert_eq!(tried((8, 2), None, (8, 2)), (vec![(8, 2)], String::new()));
        let (sizes, told) = tried((8, 5), None, (3, 2));
        assert_eq!(sizes, [(8, 5), (4, 5), (2, 5), (2, 2)]);
        assert_eq!(told, "out of memory; going on with hash=2 threads=2");
    }

    #[test]
    fn the_size_before_comes_first() {
        assert_eq!(tried((80, 2), Some((16, 1)), (32, 1)).0, [(80, 2), (16, 1)]);
        assert_eq!(tried((80, 2), Some((16, 1)), (8, 1)).0, [(80, 2), (16, 1), (8, 1)]);
    }

    #[test]
    fn nothing_is_less_than_the_smallest() {
        let (sizes, told) = tried((4, 2), None, (4, 0));
        assert_eq!(sizes, [(4, 2), (4, 1), (2, 1), (1, 1)]);
        assert_eq!(told, "operation would block");
        assert_eq!(tried((2, 2), None, (0, 9)).0, [(2, 2), (1, 2), (1, 1)]);
    }
}
