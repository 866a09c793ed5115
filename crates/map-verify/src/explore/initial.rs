//! The initial states: several if cells start with any of several values. They are made one after the other, and the
//! limits count meanwhile, because there may be far too many.

use map_semantics::{Ending, Outcome};
use map_store::{Full, Spare};

use super::{Explorer, Observer};
use crate::budget::{Limit, Limits, Progress};
use crate::state::store::Folder;

/// Number of initial states made between two checks of the limits.
const STRIDE: usize = 1 << 10;

/// How the scene starts with one choice of initial values.
pub(crate) struct Start<'s> {
    /// The values, as options of [`map_semantics::open_cells`].
    pub(crate) initial: &'s [u32],
    /// The state, unless the way of an agent to its first places is cut or goes wrong.
    pub(crate) state: Option<u32>,
    /// What each agent does on this way, in the order of the cast.
    pub(crate) outcomes: &'s [Outcome],
}

impl<O: Observer> Explorer<'_, O> {
    /// Stores the initial states, whose number is then [`Explorer::initial_states`]. Calls `see` for each choice of
    /// initial values.
    ///
    /// # Errors
    /// The limit that was reached first, also if no initial state was found although nothing goes wrong.
    pub(crate) fn start(
        &mut self,
        limits: &Limits,
        progress: &mut dyn Progress,
        see: &mut dyn FnMut(&mut Self, &Start<'_>),
    ) -> Result<(), Limit> {
        self.system.space.stop = progress.stop();
        let stop = progress.stop();
        let mut choices = self.system.space.initial_choices();
        let (mut made, mut words, mut wrong) = (0_usize, 0, false);
        loop {
            let started = self.system.space.start(choices.options());
            let (scene, outcomes) = started.ok_or_else(|| self.stopped(progress))?;
            for Outcome { ending, .. } in &outcomes {
                match ending {
                    Ending::Cut(bound) => _ = self.cut_by.insert(*bound),
                    Ending::TooLong(_) => self.too_long = true,
                    Ending::Runaway(_) | Ending::RunError(_) => wrong = true,
                    Ending::State(_) | Ending::Nothing => {}
                }
            }
            let mut state = None;
            if let Some(scene) = scene {
                let vector = self.system.space.abstracted_unless(&scene, &stop);
                let vector = vector.ok_or_else(|| self.stopped(progress))?;
                words = vector.len();
                let known = self.store.len();
                state = Some(self.store_initial(&vector).map_err(|Full| Limit::NoRoom)?);
                if self.store.len() > known {
                    self.initial_options.extend(choices.options());
                }
            }
            see(self, &Start { initial: choices.options(), state, outcomes: &outcomes });
            made += 1;
            if !choices.advance() {
                break;
            }
            if made.is_multiple_of(STRIDE) {
                self.check_initial(words, limits, progress)?;
            }
        }
        self.initial_states = self.store.len();
        self.level_end = self.store.len();
        match self.initial_states {
            0 if !wrong => Err(if self.too_long { Limit::Calls } else { Limit::NoFirstState }),
            _ => Ok(()),
        }
    }

    fn stopped(&self, progress: &mut dyn Progress) -> Limit {
        progress.tick(&self.snapshot()).unwrap_or(Limit::Interrupted)
    }

    /// Stores a state, if it is new; its number.
    fn store_initial(&mut self, state: &[u32]) -> Result<u32, Full> {
        let known = self.store.len();
        self.store.make_room(1, state.len())?;
        let space = &self.system.space;
        let key =
            self.store.key(&mut Folder::default(), state, 0..space.singles(), |id| space.tail_of(id))?;
        let number = match self.store.number(key, &mut Spare::default()) {
            Ok(number) => number,
            Err(Full) => {
                // The room was for narrow keys, which this one is not.
                self.store.make_room(1, state.len())?;
                self.store.number(key, &mut Spare::default())?
            }
        };
        self.store.keys.commit(|place| (place == 0).then_some(0));
        Ok(if self.store.len() > known { known as u32 } else { number })
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
