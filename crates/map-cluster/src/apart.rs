//! Work that each process does for itself, and of which all hear the results.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Builder};
use std::time::Duration;

use map_verify::{PeerLost, Peers as _};

use crate::Cluster;

/// How often a process that is not done tells the others how far it is.
const PAUSE: Duration = Duration::from_millis(20);

impl Cluster {
    /// Has each process do its own `work` until it is done or told to stop. Returns what each has made, in the order of
    /// the processes. The work counts in its second argument how much of it is done; `done` becomes the sum of all
    /// processes. When `is_interrupted` becomes true of one process, all are told to stop.
    ///
    /// # Errors
    /// If a process is lost: then the work of this one is told to stop, too.
    pub fn work_apart(
        &mut self,
        is_interrupted: &dyn Fn() -> bool,
        done: &AtomicU64,
        work: impl FnOnce(&AtomicBool, &AtomicU64) -> Vec<u8> + Send,
    ) -> Result<Vec<Vec<u8>>, PeerLost> {
        let (stop, own_done) = (AtomicBool::new(false), AtomicU64::new(0));
        let own = thread::scope(|scope| {
            let worker = Builder::new().spawn_scoped(scope, || work(&stop, &own_done));
            let worker =
                worker.map_err(|error| PeerLost(format!("the system has no threads to give: {error}")))?;
            let goes_on = || (own_done.load(Ordering::Relaxed), !worker.is_finished());
            let met = self.keep_meeting(is_interrupted, (&stop, done), &goes_on);
            // If others are lost, the work of this process is in vain.
            if met.is_err() {
                stop.store(true, Ordering::Relaxed);
            }
            let own = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            met.map(|()| own)
        })?;
        self.exchange(&own)
    }

    /// Meets the others until all have done their work, or all stop because one was interrupted. In each superstep
    /// every process tells how much it has done, whether it goes on, and whether all are to stop; so all see the same
    /// end.
    fn keep_meeting(
        &mut self,
        is_interrupted: &dyn Fn() -> bool,
        (stop, done): (&AtomicBool, &AtomicU64),
        goes_on: &dyn Fn() -> (u64, bool),
    ) -> Result<(), PeerLost> {
        loop {
            let (own_done, own_goes_on) = goes_on();
            let flags = [u8::from(own_goes_on), u8::from(is_interrupted())];
            let told = self.exchange(&[&own_done.to_le_bytes()[..], &flags].concat())?;
            let told: Vec<(u64, bool, bool)> = told
                .iter()
                .map(|told| {
                    let (number, flags) = told.split_first_chunk::<8>()?;
                    let &[goes_on, stops] = flags else { return None };
                    Some((u64::from_le_bytes(*number), goes_on != 0, stops != 0))
                })
                .collect::<Option<_>>()
                .ok_or_else(|| PeerLost("another process sent something unexpected".to_owned()))?;
            done.store(told.iter().fold(0, |sum, it| sum.saturating_add(it.0)), Ordering::Relaxed);
            if told.iter().any(|it| it.2) {
                stop.store(true, Ordering::Relaxed);
            }
            if !told.iter().any(|it| it.1) {
                return Ok(());
            }
            if own_goes_on {
                thread::sleep(PAUSE);
            }
        }
    }

    /// Tells everybody the same, and returns what each has told, in the order of the processes.
    fn exchange(&mut self, block: &[u8]) -> Result<Vec<Vec<u8>>, PeerLost> {
        let mut told = vec![Vec::new(); self.count()];
        let mut receive = |from: usize, block: &[u8]| told[from].extend_from_slice(block);
        for to in 0..self.count() {
            self.send(to, block.to_vec(), &mut receive)?;
        }
        self.meet(&mut receive)?;
        Ok(told)
    }
}
