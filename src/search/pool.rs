//! The search threads of an engine: parked between searches, each with its own data.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::JoinHandle;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};

use super::Mode;
use super::worker::{Job, PONDERING, Shared, Worker};
use crate::variant::Variant;

/// Stack of a search thread: every ply has a frame, and captures can follow one another.
const STACK_BYTES: usize = 16 << 20;

enum Order<V: Variant> {
    /// Search; the main worker waits for the helpers, a helper holds its end until it is done.
    Search(Box<Job<V>>, End),
    /// Forget everything and share this.
    Clear(Arc<Shared>),
}

/// The two ends of a channel on which nothing is sent; it closes when all helpers have finished.
enum End {
    Main(Receiver<()>),
    Helper(#[expect(dead_code, reason = "held for its drop")] Sender<()>),
}

/// The threads and what they share.
pub(crate) struct Pool<V: Variant> {
    shared: Arc<Shared>,
    /// Size of the table.
    megabytes: usize,
    /// Whether anything may have been learned.
    used: bool,
    orders: Vec<Sender<Order<V>>>,
    threads: Vec<JoinHandle<()>>,
    /// Closes when the running search is over.
    running: Option<Receiver<()>>,
    started: Instant,
}

impl<V: Variant> Pool<V> {
    /// Starts `threads` threads that share a table of `megabytes` MiB.
    ///
    /// # Errors
    /// If the system does not have that much memory or that many threads to give.
    pub fn new(threads: usize, megabytes: usize) -> std::io::Result<Self> {
        let shared = Arc::new(Shared::new(threads, megabytes)?);
        let mut pool = Self {
            shared,
            megabytes,
            used: false,
            orders: Vec::new(),
            threads: Vec::new(),
            running: None,
            started: Instant::now(),
        };
        for id in 0..threads {
            let (sender, receiver) = unbounded();
            let shared = pool.shared.clone();
            let thread = std::thread::Builder::new().name(format!("search-{id}")).stack_size(STACK_BYTES);
            pool.threads.push(thread.spawn(move || obey(Worker::new(id, shared), &receiver))?);
            pool.orders.push(sender);
        }
        Ok(pool)
    }

    /// Starts a search; one that is running is stopped first. When pondering, the clock waits for
    /// [`ponder_hit`](Self::ponder_hit).
    pub fn go(&mut self, job: &Job<V>) {
        self.stop();
        self.wait();
        self.started = job.started;
        self.used = true;
        self.shared.tt.next_age();
        self.shared.stop.store(false, Relaxed);
        self.shared.clock_start.store(if job.mode == Mode::Ponder { PONDERING } else { 0 }, Relaxed);
        self.shared.effort.iter().for_each(|effort| {
            effort.nodes.store(0, Relaxed);
            effort.hits.store(0, Relaxed);
        });
        let (helper, main) = bounded(0);
        let (alive, running) = bounded(0);
        self.running = Some(running);
        let mut job = Box::new(job.clone());
        for orders in self.orders.iter().skip(1) {
            // A worker lives as long as the pool.
            let _ = orders.send(Order::Search(job.clone(), End::Helper(helper.clone())));
        }
        let report = job.report.clone();
        job.report = Arc::new(move |event| {
            let _held = &alive;
            report(event);
        });
        let _ = self.orders[0].send(Order::Search(job, End::Main(main)));
    }

    /// Nodes of all threads as last published: all of them once the search has ended.
    pub fn nodes(&self) -> u64 {
        self.shared.total_nodes()
    }

    /// Ends the running search soon.
    pub fn stop(&self) {
        self.shared.stop.store(true, Relaxed);
        self.wake();
    }

    fn wake(&self) {
        // Full means that a wake-up call is waiting already.
        let _ = self.shared.wake.0.try_send(());
    }

    /// Starts the clock of a ponder search; no effect on one that runs already.
    pub fn ponder_hit(&self) {
        let now = self.started.elapsed().as_nanos().try_into().unwrap_or(PONDERING - 1);
        // Failure means that the clock runs.
        let _ = self.shared.clock_start.compare_exchange(PONDERING, now, Relaxed, Relaxed);
        self.wake();
    }

    /// Waits until no search is running.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            // Nothing is sent; the channel closes with the search.
            let _ = running.recv();
        }
    }

    /// Forgets everything learned; a running search is stopped.
    pub fn clear(&mut self) {
        self.stop();
        self.wait();
        if !std::mem::take(&mut self.used) {
            return;
        }
        // A new table is there at once, where clearing a large one takes seconds.
        match Shared::new(self.orders.len(), self.megabytes) {
            Ok(shared) => self.shared = Arc::new(shared),
            Err(error) => {
                log::warn!("{error}; clearing the old one");
                self.shared.tt.clear();
            }
        }
        for orders in &self.orders {
            let _ = orders.send(Order::Clear(self.shared.clone()));
        }
    }
}

fn obey<V: Variant>(mut worker: Worker<V>, orders: &Receiver<Order<V>>) {
    for order in orders {
        match order {
            Order::Search(job, End::Main(helpers)) => worker.run(&job, Some(&helpers)),
            Order::Search(job, End::Helper(_)) => worker.run(&job, None),
            Order::Clear(shared) => worker.clear(shared),
        }
    }
}

impl<V: Variant> Drop for Pool<V> {
    fn drop(&mut self) {
        self.stop();
        self.orders.clear();
        for thread in self.threads.drain(..) {
            // A worker that panicked has printed why.
            let _ = thread.join();
        }
    }
}
