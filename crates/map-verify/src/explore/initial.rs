//! The initial states: several if cells start with any of several values. They are made one after the other, and the
//! limits count meanwhile, because there may be far too many.

use map_semantics::Outcome;
use map_store::{Full, Spare};

use super::{Explorer, Observer};
use crate::budget::{Limit, Limits, Progress, Snapshot};
use crate::state::store::Folder;

/// Number of initial states made between two checks of the limits.
const STRIDE: usize = 1 << 10;

impl<O: Observer> Explorer<'_, O> {
    /// Stores the initial states, if there are any. Returns their number, and what each agent did to reach them.
    ///
    /// # Errors
    /// The limit that was reached first.
    pub(crate) fn start(
        &mut self,
        limits: &Limits,
        progress: &mut dyn Progress,
    ) -> Result<(Option<usize>, Vec<Outcome>), Limit> {
        self.system.space.stop = progress.stop();
        let started = self.system.space.start();
        let stopped = |progress: &mut dyn Progress, snapshot: &Snapshot| {
            progress.tick(snapshot).unwrap_or(Limit::Interrupted)
        };
        let (scene, outcomes) = started.ok_or_else(|| stopped(progress, &Snapshot::default()))?;
        let Some(mut scene) = scene else { return Ok((None, outcomes)) };
        let mut choices = self.system.space.initial_choices();
        let mut made = 0_usize;
        loop {
            let fits = scene.choose_initial(self.system.program(), choices.options());
            assert!(fits, "options of this program");
            let stop = self.system.space.stop.clone();
            let Some(words) = self.system.space.abstracted_unless(&scene, &stop) else {
                return Err(stopped(progress, &self.snapshot()));
            };
            if self.store_initial(&words).map_err(|Full| Limit::NoRoom)? {
                self.initial_options.extend(choices.options());
            }
            made += 1;
            if !choices.advance() {
                break;
            }
            if made.is_multiple_of(STRIDE) {
                self.check_initial(words.len(), limits, progress)?;
            }
        }
        self.initial_states = self.store.len();
        self.level_end = self.store.len();
        Ok((Some(self.store.len()), outcomes))
    }

    /// Stores a state, if it is new.
    fn store_initial(&mut self, state: &[u32]) -> Result<bool, Full> {
        let known = self.store.len();
        self.store.make_room(1, state.len())?;
        let space = &self.system.space;
        let key =
            self.store.key(&mut Folder::default(), state, 0..space.singles(), |id| space.tail_of(id))?;
        if self.store.number(key, &mut Spare::default()).is_err() {
            // The room was for narrow keys, which this one is not.
            self.store.make_room(1, state.len())?;
            self.store.number(key, &mut Spare::default())?;
        }
        self.store.keys.commit(|place| (place == 0).then_some(0));
        Ok(self.store.len() > known)
    }

    fn check_initial(&self, words: usize, limits: &Limits, progress: &mut dyn Progress) -> Result<(), Limit> {
        let others = self.bytes() - self.store.bytes();
        if self.store.len() > limits.states {
            return Err(Limit::States);
        }
        if others + self.store.bytes_with_room(STRIDE, STRIDE * words) > limits.memory {
            return Err(Limit::Memory);
        }
        progress.tick(&self.snapshot()).map_or(Ok(()), Err)
    }

    /// Whether this is an initial state.
    pub(crate) fn is_initial(&self, state: u32) -> bool {
        (state as usize) < self.initial_states
    }

    /// The options of [`map_semantics::open_cells`] in an initial state.
    pub(crate) fn initial_options(&self, state: u32) -> Vec<u32> {
        let cells = self.initial_options.len() / self.initial_states;
        self.initial_options[state as usize * cells..][..cells].to_vec()
    }
}
