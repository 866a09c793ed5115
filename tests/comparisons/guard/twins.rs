//! A guard that takes agents to have received what they cannot but receive, and one that does not: the same operations
//! have the same answers, records and notices.

use std::fmt::Debug;
use std::sync::Arc;

use map_conform::{Roles, Settings};
use map_guard::{AgentOffer, Budgets, Denial, Draft, Guard, Policy, RefusalKind, Rules, Suggestion};
use map_ir::{AgentId, PerformativeId, Program, Value};
use map_testkit::scenes::Random;
use map_tests::random::{Counts, Scene};

use super::budgets::Rule;
use super::{CONVERSATION, SECOND, json_of, random_policy, universe};

/// The two guards.
struct Twins<'a> {
    program: &'a Program,
    universe: &'a [Value],
    taking: Guard,
    keeping: Guard,
    now: u64,
}

/// Too much was cut off for a guard to tell, or will be soon.
struct Unsure;

/// If a guard explores more states at once, the conversation is not followed any more.
const MAX_EXPLORED: usize = 60;

pub(super) fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    if program.agents.is_empty() || program.performatives.is_empty() {
        return;
    }
    counts.one("scenes");
    let universe = universe(program);
    for stream in 0..2 {
        let mut random = Random::new(*seed, 171 + stream);
        counts.one("conversations");
        let mut twins = Twins::start(program, &universe, &mut random);
        let outcome = (0..random.between(10, 40)).try_for_each(|_| {
            if twins.keeping.explored(CONVERSATION) > MAX_EXPLORED {
                return Err(Unsure);
            }
            twins.look(&mut random, counts)?;
            twins.act(&mut random, counts)
        });
        counts.add("unsure", usize::from(outcome.is_err()));
        let (fewer, more) = (twins.taking.explored(CONVERSATION), twins.keeping.explored(CONVERSATION));
        counts.add("with fewer states", usize::from(fewer < more));
        counts.add("with half the states", usize::from(2 * fewer <= more));
    }
}

impl<'a> Twins<'a> {
    fn start(program: &'a Program, universe: &'a [Value], random: &mut Random) -> Self {
        let policy = random_policy(program, random);
        let rule = if random.percent(40) { Rule::any(program, universe, random) } else { None };
        let rules = |policy: Policy| {
            let budgets = Budgets::new(rule.as_ref().map(Rule::compiled).unwrap_or_default(), |_| true);
            let observed = budgets.observed(program);
            let settings = Settings { limit: 1_000, work: 1_000_000, observed, ..Settings::default() };
            let scene = Arc::new(map_conform::Scene::new(Arc::new(program.clone()), settings));
            Rules::new(scene, Roles::new(program), policy).with_budgets(budgets)
        };
        let taking = Guard::new(rules(policy.clone()));
        let keeping = Guard::new(rules(policy).without_forced_receives());
        let mut twins = Self { program, universe, taking, keeping, now: 1_000 * SECOND };
        let _ = twins.both(|guard, now| guard.open(now, CONVERSATION, &[]));
        twins
    }

    /// The answer of both.
    fn both<T: Debug + PartialEq>(&mut self, mut ask: impl FnMut(&mut Guard, u64) -> T) -> T {
        let answer = ask(&mut self.taking, self.now);
        let kept = ask(&mut self.keeping, self.now);
        assert_eq!(answer, kept, "the right one is that of who keeps all states");
        let records = self.taking.take_records();
        assert_eq!(records, self.keeping.take_records());
        loop {
            let notice = self.taking.next_notice();
            assert_eq!(notice, self.keeping.next_notice());
            if notice.is_none() {
                return answer;
            }
        }
    }

    fn offer(&mut self, agent: AgentId) -> AgentOffer {
        let name = self.program.agent_name(agent);
        self.both(|guard, now| guard.offer(now, CONVERSATION, name)).expect("it is in the cast")
    }

    /// Asks for all that changes nothing.
    fn look(&mut self, random: &mut Random, counts: &mut Counts) -> Result<(), Unsure> {
        let _ = self.both(|guard, now| guard.status(now, CONVERSATION));
        for agent in self.program.cast() {
            let name = self.program.agent_name(agent);
            self.offer(agent);
            let _ = self.both(|guard, now| guard.debts(now, CONVERSATION, name));
        }
        for _ in 0..2 {
            let (agent, draft) = self.any_draft(random);
            let name = self.program.agent_name(agent);
            note(self.both(|guard, now| guard.may_i(now, CONVERSATION, name, &draft)), counts)?;
        }
        Ok(())
    }

    /// Does something: mostly what is offered, so that messages collect with those who only listen.
    fn act(&mut self, random: &mut Random, counts: &mut Counts) -> Result<(), Unsure> {
        let agent = AgentId::new(random.below(self.program.agents.len()));
        let name = self.program.agent_name(agent);
        match random.below(20) {
            0 | 1 => {
                let (agent, draft) = self.any_draft(random);
                let name = self.program.agent_name(agent);
                note(self.both(|guard, now| guard.send(now, CONVERSATION, name, &draft)), counts)?;
            }
            2..=4 => {
                let at_rest = random.percent(50);
                let _ = self.both(|guard, now| guard.receive(now, CONVERSATION, name, 0, at_rest));
            }
            5 => drop(self.both(|guard, now| guard.rest(now, CONVERSATION, name))),
            6 | 7 => {
                self.now += random.below(5) as u64 * SECOND;
                self.both(|guard, now| guard.advance(now));
            }
            _ => {
                let may = self.offer(agent).may;
                if !may.is_empty() {
                    let draft = self.offered(random.pick(&may), random);
                    note(self.both(|guard, now| guard.send(now, CONVERSATION, name, &draft)), counts)?;
                }
            }
        }
        Ok(())
    }

    /// A message that is offered, with arguments that may fit.
    fn offered(&self, suggestion: &Suggestion, random: &mut Random) -> Draft {
        let arguments = suggestion.arguments.iter();
        Draft {
            performative: suggestion.performative.clone(),
            args: arguments.map(|it| super::some(self.program, self.universe, it, random)).collect(),
            to: Some(suggestion.to.clone()),
            key: None,
        }
    }

    fn any_draft(&self, random: &mut Random) -> (AgentId, Draft) {
        let from = AgentId::new(random.below(self.program.agents.len()));
        let performative = PerformativeId::new(random.below(self.program.performatives.len()));
        let said = self.program.performative(performative);
        let args = (0..said.arity).map(|_| json_of(self.program, *random.pick(self.universe))).collect();
        let others: Vec<AgentId> = self.program.cast().filter(|&it| it != from).collect();
        let to = (!others.is_empty() && random.percent(70))
            .then(|| vec![self.program.agent_name(*random.pick(&others)).to_owned()]);
        (from, Draft { performative: said.name.clone(), args, to, key: None })
    }
}

fn note<T>(answer: Result<T, Denial>, counts: &mut Counts) -> Result<(), Unsure> {
    match answer {
        Ok(_) => counts.one("accepted"),
        Err(Denial::Misused(_)) => counts.one("misused"),
        Err(Denial::Refused(refusal)) => match refusal.kind {
            RefusalKind::Unsure => return Err(Unsure),
            RefusalKind::Fault(_) => counts.one("faults"),
            RefusalKind::Stale => counts.one("stale"),
            RefusalKind::Early => counts.one("early"),
            _ => counts.one("other refusals"),
        },
    }
    Ok(())
}
