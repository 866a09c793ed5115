//! Whether some run may come back to a state, as far as the steps of single agents tell.
//!
//! On a cycle of the scene each agent goes round a cycle of its own states, by its steps and by what is delivered to it; and
//! what is delivered was sent by a step on the cycle. So steps and deliveries that lie on no cycle of agent states are
//! taken out, and so are deliveries of messages that no step sends that is left, again and again. If at last no step is
//! left the scene has no cycle. If some are, nothing is said.
//!
//! A state of one of several interchangeable agents is a state of any of them: a way that leads back to a state but for
//! which agent is which leads back to that state itself when it is gone often enough.

use map_graph::strong_components as components;

use super::local::LocalEnding;
use super::{Agents, StateId};
use crate::analysis::Means;
use crate::report::Limit;

/// The most rounds of taking out. Mostly one in which nothing can be taken out any more comes much sooner.
const MOST_ROUNDS: usize = 64;

impl Agents<'_> {
    /// Whether some run may come back to a state, if all states that runs come to were expanded.
    ///
    /// # Errors
    /// The limit that came first.
    pub(crate) fn may_go_round(&self, means: &mut Means<'_>) -> Result<bool, Limit> {
        let moves = self.after_count() + self.deliveries.all().len();
        // What the order of ties makes of mailboxes is in no table.
        if self.any_ties || u32::try_from(moves).is_err() || means.afford(self.bytes_for_circles()).is_err() {
            return Ok(true);
        }
        let mut circles = Circles::new(self);
        for _ in 0..MOST_ROUNDS {
            means.check()?;
            match circles.take_out() {
                Left::Nothing => return Ok(false),
                Left::AllThatWas => return Ok(true),
                Left::Some => {}
            }
        }
        Ok(true)
    }

    /// Bytes that are needed to find that out.
    fn bytes_for_circles(&self) -> usize {
        let (steps, deliveries) = (self.after_count(), self.deliveries.all().len());
        // The components are found with up to six numbers for each state.
        (4 + 6) * size_of::<u32>() * (self.rows.len() + 1)
            + size_of::<u32>() * (steps + deliveries)
            + size_of::<(u32, StateId)>() * deliveries
            + self.states.message_count()
    }
}

/// What taking out has left of the steps.
enum Left {
    Nothing,
    Some,
    AllThatWas,
}

/// The steps and deliveries that are left are those from one state to another of the same component; and of the
/// deliveries those of messages that are sent.
struct Circles<'t> {
    agents: &'t Agents<'t>,
    /// For every state the number of its component.
    of: Vec<u32>,
    components: u32,
    /// For every message whether a step that is left sends it.
    sent: Vec<bool>,
    /// Messages that are delivered and what becomes of their recipients, by recipient; and where those of each start.
    deliveries: Vec<(u32, StateId)>,
    starts: Vec<u32>,
}

impl<'t> Circles<'t> {
    /// All is left.
    fn new(agents: &'t Agents<'t>) -> Self {
        let states = agents.rows.len();
        let known = agents.deliveries.all();
        let mut starts = vec![0; states + 1];
        known.iter().for_each(|it| starts[it.recipient as usize] += 1);
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut deliveries = vec![(0, 0); known.len()];
        for it in known {
            let start = &mut starts[it.recipient as usize];
            *start -= 1;
            deliveries[*start as usize] = (it.message, it.next);
        }
        let sent = vec![true; agents.states.message_count()];
        Self { agents, of: vec![0; states], components: 1, sent, deliveries, starts }
    }

    /// Takes out what lies on no cycle of what is left, and what is not sent.
    fn take_out(&mut self) -> Left {
        let before = (self.components, self.sent.iter().filter(|&&sent| sent).count());
        if !self.note_sent() {
            return Left::Nothing;
        }
        self.split();
        let after = (self.components, self.sent.iter().filter(|&&sent| sent).count());
        if before == after { Left::AllThatWas } else { Left::Some }
    }

    /// Calls `see` for each step that is left of a state: what it sends, and the state after it.
    fn steps(&self, state: StateId, mut see: impl FnMut(Option<u32>, StateId)) {
        let Some(locals) = self.agents.locals(state) else { return };
        let component = self.of[state as usize];
        for step in locals.all() {
            let LocalEnding::State { after, more, .. } = step.ending else { continue };
            let nexts = [Some(after.next), more.map(|(_, stays)| stays.next)];
            for next in nexts.into_iter().flatten().filter(|&next| self.of[next as usize] == component) {
                see(step.sent.map(|sent| sent.message), next);
            }
        }
    }

    /// Notes what is sent by the steps that are left; whether there are any.
    fn note_sent(&mut self) -> bool {
        let mut left = false;
        let mut sent = vec![false; self.sent.len()];
        for state in 0..self.of.len() {
            self.steps(state as StateId, |message, _| {
                left = true;
                if let Some(message) = message {
                    sent[message as usize] = true;
                }
            });
        }
        self.sent = sent;
        left
    }

    /// Splits the components into those of what is left.
    fn split(&mut self) {
        let states = self.of.len();
        let (mut targets, mut ends) = (Vec::new(), Vec::with_capacity(states));
        for state in 0..states {
            self.steps(state as StateId, |_, next| targets.push(next));
            let received = &self.deliveries[self.starts[state] as usize..self.starts[state + 1] as usize];
            let is_left = |&&(message, next): &&(u32, StateId)| {
                self.sent[message as usize] && self.of[next as usize] == self.of[state]
            };
            targets.extend(received.iter().filter(is_left).map(|&(_, next)| next));
            ends.push(targets.len() as u32);
        }
        let next = |state: u32, seen: &mut u32| {
            let start = if state == 0 { 0 } else { ends[state as usize - 1] };
            let place = start + *seen;
            *seen += 1;
            (place < ends[state as usize]).then(|| targets[place as usize])
        };
        let (of, mut count) = (&mut self.of, 0);
        components(states, 0..states as u32, next, |members| {
            members.iter().for_each(|&member| of[member as usize] = count);
            count += 1;
        });
        self.components = count;
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use map_testkit::oracle::OracleOptions;
    use map_testkit::scenes::{chatty_scene, random_options, random_scene};

    use crate::analysis::{Means, has_cycle};
    use crate::reduced::fixture::{bounds, program};
    use crate::reduced::slicing::Slicer;
    use crate::reduced::symmetry::Symmetry;
    use crate::report::{Limit, Limits, Progress, Snapshot, StoreKind};
    use crate::search::Search;
    use crate::space::Space;
    use crate::system::{Layers, System};

    /// Nobody watches.
    struct Alone;

    impl Progress for Alone {
        fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
            None
        }
    }

    /// Whether the tables say that some run may go round, and whether the graph has a cycle; nothing if the scene is too
    /// large, or nothing is found out.
    fn judged(text: &str, options: &OracleOptions, reduced: bool) -> Option<(bool, bool)> {
        let program = program(text);
        let bounds = bounds(&program, options);
        let space = match reduced {
            true => {
                let slicer = Slicer::new(&program, &bounds, &[]);
                Space::up_to(&program, &bounds, Some(slicer), Symmetry::new(&program, &bounds))
            }
            false => Space::new(&program, &bounds),
        };
        let limits =
            Limits { states: 3_000, memory: 1 << 30, threads: NonZeroUsize::MIN, store: StoreKind::Exact };
        let search = Search::explore(System::new(space, Layers::default()), &limits, true, &mut Alone);
        if !search.is_complete() {
            return None;
        }
        let judged = search.judge_graph(&limits, &mut Alone, |edges, _, means: &mut Means<'_>| {
            let may = search.system.space.agents.may_go_round(means)?;
            Ok((may, has_cycle(edges, search.states(), means)?))
        });
        judged.ok()
    }

    fn plain(text: &str) -> Option<(bool, bool)> {
        judged(text, &OracleOptions { mailbox: 3, ..OracleOptions::new(0) }, false)
    }

    const PING: &str = "
        memory %ping { @left = 3 }
        procedure served() = @left with @left := @left - 1
        game[
            agent(!Ping, %ping) = BODY
            agent(!Ping, %ping, serve, 0) = over() => agent(!Pong, %pong)
            agent(!Ping, %ping, serve, _) =
                ping() => agent(!Pong, %pong) then pong() <= agent(!Pong, %pong) then agent()
            agent(!Pong, %pong) = waitfor (
                (ping() <= agent(!Ping, %ping) then pong() => agent(!Ping, %ping) then agent())
                or over() <= agent(!Ping, %ping)
            )
        ]";

    #[test]
    fn who_only_answers_goes_round_no_longer_than_those_who_ask() {
        let counted = PING.replace("BODY", "$left = served() then agent(serve, $left)");
        assert_eq!(plain(&counted), Some((false, false)));
        let endless = PING.replace("BODY", "agent(serve, 1)");
        assert_eq!(plain(&endless), Some((true, true)));
    }

    #[test]
    fn nothing_goes_round_that_is_said_not_to() {
        const SCENES: u64 = 400;
        let (mut told, mut cyclic, mut untold) = (0, 0, 0);
        for seed in 1..=SCENES {
            let options = OracleOptions { rounds_of: Vec::new(), ..random_options(seed) };
            let scene = if seed % 2 == 0 { random_scene(seed) } else { chatty_scene(seed) };
            for reduced in [false, true] {
                match judged(&scene, &options, reduced) {
                    None => {}
                    Some((false, true)) => panic!("seed {seed}, reduced {reduced}: a cycle in\n{scene}"),
                    Some((false, false)) => told += 1,
                    Some((true, true)) => cyclic += 1,
                    Some((true, false)) => untold += 1,
                }
            }
        }
        assert!(told > 5 * untold, "{told} without cycles, {cyclic} with, {untold} not told");
        assert!(cyclic > 20, "{told} without cycles, {cyclic} with, {untold} not told");
    }
}
