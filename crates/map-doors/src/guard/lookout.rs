//! Looks ahead in the background: a thread searches the scene, and answers from then on from which states a good end
//! can be reached.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use map_guard::{Foresight, OnDoomed, Outlook, Rules};
use map_json::guard::{GuardOutlook, GuardOutlookWord};
use map_semantics::{Bounds, SceneState, Timeouts};
use map_session::{Compilation, LookAhead, Prospect, Scene, Watch};
use map_verify::{Limit, Limits, Progress, Snapshot, Tuning};

/// The limits of each of the searches.
const MAX_STATES: usize = 2_000_000;
const MAX_MEMORY: usize = 2 << 30;
const MAX_TIME: Duration = Duration::from_secs(60);

/// What has been found out.
#[derive(Clone, Copy, Debug)]
enum Found {
    Everywhere { states: usize },
    Somewhere { states: usize, doomed: usize },
    Nothing(&'static str),
}

/// States to look up, and where the answer goes.
struct Question {
    states: Vec<SceneState>,
    answer: Sender<Option<Vec<bool>>>,
}

type Shared = Arc<(Mutex<Option<Found>>, Condvar)>;

/// Who looks ahead for a guard, if that is wanted: under the assumptions that its configuration makes true.
pub fn lookout(loaded: &Compilation, rules: &Rules) -> Option<Lookout> {
    if rules.policy.on_doomed == OnDoomed::Off {
        return None;
    }
    let timeouts = if rules.policy.has_early_waits() { Timeouts::Any } else { Timeouts::Quiescent };
    loaded.scene(Bounds { timeouts, ..Bounds::USUAL }).map(Lookout::new)
}

/// Whoever looks ahead.
#[derive(Clone)]
pub struct Lookout {
    found: Shared,
    questions: Sender<Question>,
}

impl Lookout {
    /// Begins to search a scene.
    fn new(scene: Scene) -> Self {
        let found = Shared::default();
        let (questions, asked) = channel();
        let told = Arc::clone(&found);
        std::thread::spawn(move || look(&scene, &told, &asked));
        Self { found, questions }
    }

    /// Waits until the search has ended.
    pub fn wait(&self) {
        let (found, is_found) = &*self.found;
        let found = found.lock().unwrap_or_else(PoisonError::into_inner);
        drop(is_found.wait_while(found, |found| found.is_none()));
    }

    fn found(&self) -> Option<Found> {
        *self.found.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the first line says of it.
    #[must_use]
    pub fn told(&self) -> GuardOutlook {
        let outlook = |known, states, doomed, why: Option<&str>| GuardOutlook {
            known,
            states,
            doomed,
            why: why.map(str::to_owned),
        };
        match self.found() {
            None => outlook(GuardOutlookWord::Pending, None, None, None),
            Some(Found::Everywhere { states }) => outlook(GuardOutlookWord::Bright, Some(states), None, None),
            Some(Found::Somewhere { states, doomed }) => {
                outlook(GuardOutlookWord::Mixed, Some(states), Some(doomed), None)
            }
            Some(Found::Nothing(why)) => outlook(GuardOutlookWord::Blind, None, None, Some(why)),
        }
    }
}

impl Foresight for Lookout {
    fn outlook(&self) -> Outlook {
        match self.found() {
            None => Outlook::Pending,
            Some(Found::Everywhere { .. }) => Outlook::Bright,
            Some(Found::Somewhere { .. }) => Outlook::Mixed,
            Some(Found::Nothing(_)) => Outlook::Blind,
        }
    }

    fn good_ends(&self, states: Vec<SceneState>) -> Option<Vec<bool>> {
        let (answer, answered) = channel();
        self.questions.send(Question { states, answer }).ok()?;
        answered.recv().ok().flatten()
    }
}

/// Searches the scene, and answers questions until nobody can ask any more.
fn look(scene: &Scene, found: &Shared, asked: &Receiver<Question>) {
    let limits = Limits {
        states: MAX_STATES,
        memory: MAX_MEMORY,
        threads: NonZeroUsize::MIN,
        tuning: Tuning::SHIPPED,
    };
    let mut clock = Timed { end: Instant::now() + MAX_TIME };
    let telling = Telling(found);
    let tell = |what| telling.tell(what);
    match (LookAhead { limits }).ask(scene, &mut clock) {
        Ok(Prospect::Everywhere { states }) => tell(Found::Everywhere { states }),
        Ok(Prospect::Unknown(limit)) => tell(Found::Nothing(why(limit))),
        Err(_) => tell(Found::Nothing("the search contradicts itself")),
        Ok(Prospect::Somewhere(mut outlook)) => {
            tell(Found::Somewhere { states: outlook.states(), doomed: outlook.doomed() });
            while let Ok(Question { states, answer }) = asked.recv() {
                // Nobody may wait for it any more.
                let _ = answer.send(outlook.of(&states));
            }
        }
    }
}

/// Tells what was found; if it is dropped before, that nothing was.
struct Telling<'a>(&'a Shared);

impl Telling<'_> {
    fn tell(&self, what: Found) {
        let (found, is_found) = &**self.0;
        found.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(what);
        is_found.notify_all();
    }
}

impl Drop for Telling<'_> {
    fn drop(&mut self) {
        self.tell(Found::Nothing("the search has failed"));
    }
}

fn why(limit: Limit) -> &'static str {
    match limit {
        Limit::States => "the scene has more than two million states",
        Limit::Memory | Limit::NoRoom => "the search takes more than 2 GiB",
        Limit::Time => "the search takes more than a minute",
        Limit::Calls => "an act makes too many calls",
        Limit::NoFirstState => "no agent comes to its first place within the bounds",
        Limit::Interrupted => "the search was interrupted",
    }
}

/// Ends a search in time.
struct Timed {
    end: Instant,
}

impl Progress for Timed {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        (Instant::now() >= self.end).then_some(Limit::Time)
    }
}

impl Watch for Timed {}
