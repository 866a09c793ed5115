//! A guard and a naive search agree: a message is accepted if and only if some run of the whole scene, with concrete
//! answers of all procedures, has it after what was recorded; and the offer is what these runs can have.

mod budgets;
mod ends;
mod promised;
mod runs;
mod simulated;
mod twins;

use std::sync::Arc;

use map_conform::{LoggedMessage, Roles, Settings, agent_named, performative_named};
use map_guard::{
    Acceptance, Ahead, ArgumentText, Arrival, Budgets, Denial, Draft, Entry, Guard, OnDoomed, OnSilent,
    Policy, RefusalKind, Rules, Suggestion, Wait,
};
use map_ir::{AgentId, Body, PerformativeId, PointId, PointKind, Program, TextId, Value};
use map_semantics::Message;
use map_testkit::scenes::Random;
use map_tests::random::{Comparison, Counts, Kind, Scene};
use serde_json::{Value as Json, json};

use crate::conform::moves::{json_of, universe};
use budgets::Rule;
use ends::{Ends, NaiveEnds};
use runs::{Ables, Explained, Runs, TooMany};

const GUARD: Comparison = Comparison {
    name: "guard",
    kind: Kind::Any,
    scenes: 30,
    compare,
    enough: |counts, _| {
        let has = |name, least| counts.of(name) >= least;
        has("accepted", 100)
            && has("faults", 100)
            && has("stale", 1)
            && has("early", 1)
            && has("budget", 20)
            && has("left out", 20)
            && has("doomed", 5)
            && has("hopeful", 20)
            && has("timeouts", 5)
    },
};

const TWINS: Comparison = Comparison {
    name: "guard-and-its-twin",
    kind: Kind::Any,
    scenes: 40,
    compare: twins::compare,
    enough: |counts, _| {
        let has = |name, least| counts.of(name) >= least;
        has("accepted", 100) && has("faults", 100) && has("with fewer states", 10)
    },
};

pub(crate) const COMPARISONS: [Comparison; 4] = [
    GUARD,
    Comparison { name: "guard-of-those-who-share", kind: Kind::Sharing, ..GUARD },
    TWINS,
    Comparison { name: "guard-and-its-twin-of-those-who-share", kind: Kind::Sharing, ..TWINS },
];

/// A second.
const SECOND: u64 = 1_000_000_000;
const CONVERSATION: &str = "c";

/// A guard beside the naive search.
struct Trial<'a> {
    program: &'a Program,
    policy: Policy,
    guard: Guard,
    ables: Ables<'a>,
    /// The runs of what was recorded.
    runs: Runs,
    /// By agent: the same, if what it has not been handed has not happened to it yet.
    seen: Vec<Option<Runs>>,
    /// By agent: what it has not been handed, by number.
    unread: Vec<Vec<(u64, Unread)>>,
    universe: &'a [Value],
    now: u64,
    closed: bool,
    /// What was recorded.
    history: Vec<Entry>,
    /// The messages of it.
    messages: Vec<LoggedMessage>,
    naive_ends: NaiveEnds,
    /// The property that is enforced.
    rule: Option<Rule>,
    /// Whether everything that was accepted surely fits.
    certain: bool,
}

/// What an agent has not been handed.
#[derive(Clone)]
enum Unread {
    Message(Arc<Message>),
    Timeout(PointId),
}

/// A policy that chance makes.
fn random_policy(program: &Program, random: &mut Random) -> Policy {
    let mut policy = Policy::new(program);
    let mixed = random.percent(40);
    for agent in program.cast() {
        policy.arrivals[agent.index()] = match random.below(if mixed { 4 } else { 1 }) {
            0 | 1 => Arrival::Strict,
            2 => Arrival::Fetched,
            _ => Arrival::Pushed,
        };
        if random.percent(30) {
            policy.answers[agent.index()] = Some((1 + random.below(5) as u64) * SECOND);
        }
    }
    for (index, point) in program.points.iter().enumerate() {
        if matches!(point.kind, PointKind::Wait { timeout: Some(_), .. }) && random.percent(60) {
            let after = random.below(4) as u64 * SECOND;
            let wait = if random.percent(30) { Wait::Early(after) } else { Wait::Quiescent(after) };
            policy.waits.insert(PointId::new(index), wait);
        }
    }
    policy.on_silent = if random.percent(50) { OnSilent::GiveUp } else { OnSilent::Tell };
    policy
}

/// What a search of the scene covers.
fn look_ahead(policy: &mut Policy, random: &mut Random) {
    policy.arrivals.fill(Arrival::Strict);
    policy.on_silent = OnSilent::Tell;
    policy.waits.retain(|_, wait| matches!(wait, Wait::Quiescent(_)));
    policy.on_doomed = if random.percent(60) { OnDoomed::Refuse } else { OnDoomed::Warn };
}

impl<'a> Trial<'a> {
    fn start(program: &'a Program, universe: &'a [Value], random: &mut Random) -> Result<Self, TooMany> {
        let mut policy = random_policy(program, random);
        let foresight = if random.percent(30) { Ends::of(program) } else { None };
        if foresight.is_some() {
            look_ahead(&mut policy, random);
        }
        let rule = if random.percent(60) { Rule::any(program, universe, random) } else { None };
        let properties = rule.as_ref().map(Rule::compiled).unwrap_or_default();
        let budgets = Budgets::new(properties, |_| true);
        assert!(budgets.left_out().is_empty(), "{rule:?} is not enforced: {:?}", budgets.left_out());
        let observed = budgets.observed(program);
        let settings = Settings { limit: 300, observed, ..Settings::default() };
        let scene = Arc::new(map_conform::Scene::new(Arc::new(program.clone()), settings));
        let rules = Rules::new(scene, Roles::new(program), policy.clone()).with_budgets(budgets);
        let rules = match foresight {
            Some(ends) => rules.with_foresight(Box::new(ends)),
            None => rules,
        };
        let mut guard = Guard::new(rules);
        let mut ables = Ables::new(program, universe);
        let called = policy.arrivals.iter().map(|&arrival| arrival == Arrival::Pushed).collect();
        let runs = Runs::start(&mut ables, called)?;
        if runs.is_empty() {
            return Err(TooMany);
        }
        let agents = program.agents.len();
        let now = 1_000 * SECOND;
        guard.open(now, CONVERSATION, &[]).expect("there is none yet");
        let (seen, unread) = (vec![None; agents], vec![Vec::new(); agents]);
        let mut trial = Self {
            program,
            policy,
            guard,
            ables,
            runs,
            seen,
            unread,
            universe,
            now,
            closed: false,
            history: Vec::new(),
            messages: Vec::new(),
            naive_ends: NaiveEnds::default(),
            rule,
            certain: true,
        };
        trial.follow(&mut Counts::default())?;
        Ok(trial)
    }

    fn name(&self, agent: AgentId) -> &'a str {
        self.program.agent_name(agent)
    }

    fn draft(&self, message: &Message, to: &[AgentId]) -> Draft {
        Draft {
            performative: self.program.performative(message.performative).name.clone(),
            args: message.arguments.iter().map(|&value| json_of(self.program, value)).collect(),
            to: Some(to.iter().map(|&to| self.name(to).to_owned()).collect()),
            key: None,
        }
    }

    /// Does in the naive search what the guard has recorded.
    fn follow(&mut self, counts: &mut Counts) -> Result<(), TooMany> {
        for record in self.guard.take_records() {
            let agent = |name: &String| agent_named(self.program, name).expect("it is in the cast");
            match &record.entry {
                Entry::Send { by, recipients, performative, args, values, certain, .. } => {
                    let from = agent(by);
                    let to: Vec<AgentId> = recipients.iter().map(agent).collect();
                    let args = values.as_ref().unwrap_or(args);
                    let texts = (0..self.program.texts.len()).map(|it| Value::Text(TextId::new(it)));
                    // Also those whom nobody plays.
                    let agents = (0..self.program.agent_names.len()).map(|it| Value::Agent(AgentId::new(it)));
                    let known: Vec<Value> =
                        self.universe.iter().copied().chain(texts).chain(agents).collect();
                    let value = |json: &Json| {
                        let found =
                            known.iter().find(|value| json_of(self.program, **value) == *json).copied();
                        found.or_else(|| json.as_i64().map(Value::Integer)).expect("it is in the file")
                    };
                    let arguments: Vec<Value> = args.iter().map(value).collect();
                    let performative = performative_named(self.program, performative, arguments.len());
                    let performative = performative.expect("it is in the file");
                    let message = Arc::new(Message { performative, sender: from, arguments });
                    self.certain &= certain;
                    let sent = LoggedMessage { from, to, message, id: None };
                    self.sent(record.seq, &sent)?;
                    self.messages.push(sent);
                }
                Entry::Handed { agent: name, upto, .. } => self.handed(agent(name), *upto)?,
                Entry::Rest { agent: name, .. } => {
                    counts.one("rests");
                    let agent = agent(name);
                    self.for_each(|_, runs, ables| {
                        runs.come_to_rest(ables, agent);
                        runs.rested[agent.index()] = true;
                        Ok(())
                    })?;
                }
                Entry::Timeout { agent: name, place, early, .. } => {
                    counts.one("timeouts");
                    self.timed_out(record.seq, agent(name), PointId::new(*place as usize), *early)?;
                }
                Entry::Silent { agent: name, gave_up, .. } => {
                    counts.one("silent");
                    if *gave_up {
                        let agent = agent(name);
                        self.unread[agent.index()].clear();
                        self.for_each(|_, runs, _| {
                            runs.silence(agent);
                            Ok(())
                        })?;
                    }
                }
                Entry::Closed { .. } => self.closed = true,
                Entry::Started { .. }
                | Entry::Carried { .. }
                | Entry::Ended(_)
                | Entry::Undelivered { .. }
                | Entry::Answered { .. }
                | Entry::Opened { .. }
                | Entry::Named { .. }
                | Entry::Refused { .. }
                | Entry::Acknowledged { .. }
                | Entry::Stuck { .. } => {}
            }
            self.history.push(record.entry);
            let has_runs = !self.certain || !self.runs.is_empty();
            assert!(has_runs, "no run has {}", self.so_far());
        }
        Ok(())
    }

    /// What was recorded, and under which rules.
    fn so_far(&self) -> String {
        format!("{:#?}\n{:?}", self.history, self.policy)
    }

    /// Changes the runs of what was recorded, and those that some agent sees, who is given.
    fn for_each(
        &mut self,
        mut change: impl FnMut(Option<AgentId>, &mut Runs, &mut Ables<'a>) -> Result<(), TooMany>,
    ) -> Result<(), TooMany> {
        change(None, &mut self.runs, &mut self.ables)?;
        for (index, seen) in self.seen.iter_mut().enumerate() {
            if let Some(seen) = seen {
                change(Some(AgentId::new(index)), seen, &mut self.ables)?;
            }
        }
        Ok(())
    }

    fn look_back(&mut self, agent: AgentId) {
        let runs = &self.runs;
        self.seen[agent.index()].get_or_insert_with(|| runs.clone());
    }

    fn sent(&mut self, seq: u64, sent: &LoggedMessage) -> Result<(), TooMany> {
        let mut strict = Vec::new();
        for &to in sent.to.iter().filter(|&&to| to != sent.from) {
            if self.runs.silenced[to.index()] {
                continue;
            }
            if self.policy.arrivals[to.index()] == Arrival::Strict {
                self.look_back(to);
                strict.push(to);
            }
            self.unread[to.index()].push((seq, Unread::Message(Arc::clone(&sent.message))));
        }
        self.for_each(|unseen, runs, ables| {
            let now: Vec<AgentId> = strict.iter().copied().filter(|&to| unseen != Some(to)).collect();
            runs.send(ables, sent, &now)
        })
    }

    fn handed(&mut self, agent: AgentId, upto: u64) -> Result<(), TooMany> {
        let unread = &mut self.unread[agent.index()];
        let rest = unread.split_off(unread.partition_point(|(seq, _)| *seq <= upto));
        let arrival = self.policy.arrivals[agent.index()];
        for (_, item) in std::mem::replace(&mut self.unread[agent.index()], rest) {
            self.for_each(|unseen, runs, ables| match (&item, arrival) {
                (Unread::Message(message), Arrival::Fetched) => runs.hand_over(ables, agent, message),
                (Unread::Message(message), Arrival::Strict) if unseen == Some(agent) => {
                    runs.hand_over(ables, agent, message)
                }
                (Unread::Timeout(place), _) if unseen == Some(agent) => runs.run_out(ables, agent, *place),
                _ => Ok(()),
            })?;
        }
        if self.unread[agent.index()].is_empty() {
            self.seen[agent.index()] = None;
        }
        Ok(())
    }

    fn timed_out(&mut self, seq: u64, agent: AgentId, place: PointId, early: bool) -> Result<(), TooMany> {
        self.look_back(agent);
        self.unread[agent.index()].push((seq, Unread::Timeout(place)));
        let arrivals = self.policy.arrivals.clone();
        let silenced = self.runs.silenced.clone();
        self.for_each(|unseen, runs, ables| {
            for (index, arrival) in arrivals.iter().enumerate().filter(|_| !early) {
                let other = AgentId::new(index);
                let is_told = *arrival != Arrival::Pushed && !silenced[index];
                if is_told && other != agent && unseen != Some(other) {
                    runs.come_to_rest(ables, other);
                }
            }
            if unseen == Some(agent) { Ok(()) } else { runs.run_out(ables, agent, place) }
        })
    }

    /// Messages that might be tried: some that fit, some that nearly do, some of no kind.
    fn candidates(&self, explained: &Explained, random: &mut Random) -> Vec<LoggedMessage> {
        let mut fit: Vec<LoggedMessage> = explained
            .iter()
            .map(|(from, message, to)| LoggedMessage {
                id: None,
                from: *from,
                to: to.clone(),
                message: Arc::new(message.clone()),
            })
            .collect();
        fit.sort_unstable_by(|one, other| {
            (one.from, &one.to, &*one.message).cmp(&(other.from, &other.to, &*other.message))
        });
        let mut all = Vec::new();
        for _ in 0..6.min(fit.len()) {
            let mut message = random.pick(&fit).clone();
            all.push(message.clone());
            self.change(&mut message, random);
            all.push(message);
        }
        for _ in 0..3 {
            all.extend(self.any_message(random));
        }
        all
    }

    fn any_message(&self, random: &mut Random) -> Option<LoggedMessage> {
        let performatives = self.program.performatives.len();
        if performatives == 0 {
            return None;
        }
        let performative = PerformativeId::new(random.below(performatives));
        let arity = self.program.performative(performative).arity;
        let arguments = (0..arity).map(|_| *random.pick(self.universe)).collect();
        let from = AgentId::new(random.below(self.program.agents.len()));
        let to: Vec<AgentId> = self.program.cast().filter(|&it| it != from && random.percent(50)).collect();
        let message = Arc::new(Message { performative, sender: from, arguments });
        (!to.is_empty()).then_some(LoggedMessage { from, to, message, id: None })
    }

    fn change(&self, logged: &mut LoggedMessage, random: &mut Random) {
        let mut message = (*logged.message).clone();
        match random.below(3) {
            0 => {
                let from = AgentId::new(random.below(self.program.agents.len()));
                if !logged.to.contains(&from) {
                    logged.from = from;
                    message.sender = from;
                }
            }
            1 if logged.to.len() > 1 => drop(logged.to.pop()),
            _ => {
                if let Some(last) = message.arguments.len().checked_sub(1) {
                    message.arguments[random.below(last + 1)] = *random.pick(self.universe);
                }
            }
        }
        logged.message = Arc::new(message);
    }

    /// The answers to some messages, and the offers, are what the naive search says.
    fn check(&mut self, random: &mut Random, counts: &mut Counts) -> Result<(), TooMany> {
        let explained = self.runs.explained(&mut self.ables);
        if self.closed {
            assert!(explained.is_empty() || !self.certain, "{explained:?} may follow the end");
        }
        for logged in self.candidates(&explained, random) {
            let LoggedMessage { from, to, message, .. } = &logged;
            let is_explained = explained.contains(&(*from, (**message).clone(), to.clone()));
            let answer = self.guard.may_i(self.now, CONVERSATION, self.name(*from), &self.draft(message, to));
            self.judge(&logged, is_explained, answer, counts)?;
        }
        if !self.closed {
            for agent in self.program.cast() {
                self.check_offer(agent, &explained, random, counts);
            }
        }
        Ok(())
    }

    fn judge(
        &mut self,
        logged: &LoggedMessage,
        is_explained: bool,
        answer: Result<Acceptance, Denial>,
        counts: &mut Counts,
    ) -> Result<(), TooMany> {
        let is_exact = self.rule.as_ref().is_none_or(Rule::is_exact);
        let is_violating = is_explained && self.breaks_a_rule(logged);
        let refusal = match answer {
            Ok(acceptance) if self.is_hopeless(acceptance.ahead, logged, counts)? => {
                panic!("{:?} after {logged:?}: {:#?}", acceptance.ahead, self.history)
            }
            Ok(_) if is_violating && is_exact => panic!("{:?} is violated by {logged:?}", self.rule),
            Ok(acceptance) if acceptance.is_certain && self.certain => {
                counts.one("accepted");
                assert!(is_explained, "falsely accepted: {logged:?}");
                return Ok(());
            }
            Ok(_) => {
                counts.one("possibly accepted");
                return Ok(());
            }
            Err(Denial::Misused(misuse)) => panic!("{misuse:?}: {logged:?}"),
            Err(Denial::Refused(refusal)) => refusal,
        };
        if matches!(refusal.kind, RefusalKind::Unsure | RefusalKind::Limit) {
            counts.one("unsure");
            return Ok(());
        }
        if refusal.kind == RefusalKind::Budget {
            counts.one("budget");
            counts.add("budget of cells", usize::from(!is_exact));
            assert!(is_violating || !self.certain, "{:?} is not violated by {logged:?}", self.rule);
            return Ok(());
        }
        if refusal.kind == RefusalKind::Doomed {
            counts.one("doomed");
            let end = self.good_end_after(logged)?;
            assert!(end != Some(true) || !self.certain, "not doomed by {logged:?}: {:#?}", self.history);
            return Ok(());
        }
        assert!(!is_explained, "falsely refused: {:?} {logged:?} after {}", refusal.kind, self.so_far());
        let agent = logged.from;
        let key = (agent, (*logged.message).clone(), logged.to.clone());
        let mut has = |runs: &Runs, early: bool| -> Result<bool, TooMany> {
            Ok(match early {
                true => runs.hastened(&mut self.ables, agent)?.explained(&mut self.ables).contains(&key),
                false => runs.explained(&mut self.ables).contains(&key),
            })
        };
        let late = match &self.seen[agent.index()] {
            Some(seen) => has(seen, false)? || has(seen, true)?,
            None => false,
        };
        match refusal.kind {
            RefusalKind::Stale => {
                counts.one(if late { "stale" } else { "possibly stale" });
                assert!(!refusal.unread.is_empty(), "nothing is unread");
            }
            RefusalKind::Early => {
                assert!(!late, "it is stale: {logged:?}");
                let early = has(&self.runs, true)?;
                counts.one(if early { "early" } else { "possibly early" });
            }
            RefusalKind::Fault(_) => {
                counts.one("faults");
                assert!(!late, "it is stale: {logged:?}");
                assert!(!has(&self.runs, true)?, "it is early: {logged:?}");
            }
            RefusalKind::Rested => assert!(self.runs.rested[agent.index()], "it has not rested: {logged:?}"),
            RefusalKind::Silenced => {
                assert!(self.runs.silenced[agent.index()], "it was not given up: {logged:?}");
            }
            RefusalKind::Closed => assert!(self.closed, "it goes on: {logged:?}"),
            RefusalKind::Budget | RefusalKind::Doomed | RefusalKind::Limit | RefusalKind::Unsure => {}
        }
        Ok(())
    }

    /// Whether some run has a good end after a message that fits; `None` if that is too much to find out.
    fn good_end_after(&mut self, logged: &LoggedMessage) -> Result<Option<bool>, TooMany> {
        let mut runs = self.runs.clone();
        runs.send(&mut self.ables, logged, &logged.to)?;
        let mut all_known = true;
        for state in runs.states() {
            match self.naive_ends.can_be_reached(self.program, state) {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => all_known = false,
            }
        }
        Ok(all_known.then_some(false))
    }

    /// Whether the guard says that there may be a good end after a message, and there is none, or the other way round.
    fn is_hopeless(
        &mut self,
        ahead: Ahead,
        logged: &LoggedMessage,
        counts: &mut Counts,
    ) -> Result<bool, TooMany> {
        let has_end = match ahead {
            Ahead::Unasked => return Ok(false),
            Ahead::Unknown => {
                counts.one("not looked ahead");
                return Ok(false);
            }
            Ahead::Clear | Ahead::AtRisk => true,
            Ahead::Doomed => false,
        };
        counts.one(if has_end { "hopeful" } else { "warned" });
        counts.add("at risk", usize::from(ahead == Ahead::AtRisk));
        Ok(self.certain && self.good_end_after(logged)?.is_some_and(|found| found != has_end))
    }

    /// Whether a message that fits violates what is enforced, whatever happened unseen.
    fn breaks_a_rule(&mut self, logged: &LoggedMessage) -> bool {
        let Some(rule) = &self.rule else { return false };
        let after = self.runs.after_send(&mut self.ables, logged);
        rule.is_violated(self.program, &self.messages, logged, &after)
    }

    /// Everything that runs can have is offered, and what is offered exactly is accepted.
    fn check_offer(
        &mut self,
        agent: AgentId,
        explained: &Explained,
        random: &mut Random,
        counts: &mut Counts,
    ) {
        let offer = self.guard.offer(self.now, CONVERSATION, self.name(agent)).expect("it is in the cast");
        for (_, message, to) in explained.iter().filter(|(from, ..)| *from == agent) {
            let logged =
                LoggedMessage { from: agent, to: to.clone(), message: Arc::new(message.clone()), id: None };
            let draft = self.draft(message, to);
            let has = |suggestion: &Suggestion| {
                suggestion.performative == draft.performative
                    && Some(&suggestion.to) == draft.to.as_ref()
                    && suggestion.arguments.len() == message.arguments.len()
                    && suggestion
                        .arguments
                        .iter()
                        .zip(&message.arguments)
                        .all(|(it, &value)| self.has(it, value))
            };
            if offer.may.iter().any(has) {
                counts.one("offered");
                continue;
            }
            let is_doomed = self.policy.on_doomed == OnDoomed::Refuse
                && self.good_end_after(&logged).is_ok_and(|end| end != Some(true));
            assert!(is_doomed || self.breaks_a_rule(&logged), "{draft:?} is not offered: {:?}", offer.may);
            counts.one("left out");
        }
        for suggestion in offer.may.iter().filter(|suggestion| suggestion.exact) {
            let draft = Draft {
                performative: suggestion.performative.clone(),
                args: suggestion
                    .arguments
                    .iter()
                    .map(|it| some(self.program, self.universe, it, random))
                    .collect(),
                to: Some(suggestion.to.clone()),
                key: None,
            };
            match self.guard.may_i(self.now, CONVERSATION, self.name(agent), &draft) {
                Ok(_) => counts.one("exact offers"),
                Err(Denial::Refused(refusal))
                    if matches!(refusal.kind, RefusalKind::Unsure | RefusalKind::Limit) => {}
                Err(denial) => panic!("{draft:?} is offered, and refused: {denial:?}"),
            }
        }
    }

    fn has(&self, offered: &ArgumentText, value: Value) -> bool {
        let is_it = |json: &Json| self.plain(value) == *json || json_of(self.program, value) == *json;
        match offered {
            ArgumentText::Is(json) => is_it(json),
            ArgumentText::In(low, high) => {
                matches!(value, Value::Integer(number) if (low..=high).contains(&&number))
            }
            ArgumentText::OneOf(all) => all.iter().any(is_it),
            ArgumentText::Any => true,
        }
    }

    /// How the guard writes a value where it cannot be confused with another one.
    fn plain(&self, value: Value) -> Json {
        match value {
            Value::Name(id) => json!(self.program.names[id.index()]),
            Value::Text(id) => json!(self.program.texts[id.index()]),
            Value::Agent(agent) => json!(self.name(agent)),
            _ => json_of(self.program, value),
        }
    }

    /// Does something that chance chooses.
    fn act(&mut self, random: &mut Random, counts: &mut Counts) -> Result<(), TooMany> {
        let explained = self.runs.explained(&mut self.ables);
        let agent = AgentId::new(random.below(self.program.agents.len()));
        match random.below(10) {
            0..=4 => {
                let candidates = self.candidates(&explained, random);
                if let Some(logged) = candidates.first() {
                    let draft = self.draft(&logged.message, &logged.to);
                    let tried = self.guard.may_i(self.now, CONVERSATION, self.name(logged.from), &draft);
                    let sent = self.guard.send(self.now, CONVERSATION, self.name(logged.from), &draft);
                    assert_eq!(sent.is_ok(), tried.is_ok(), "{tried:?} {sent:?}");
                }
            }
            5 => {
                if let Some(logged) = self.any_message(random) {
                    let draft = self.draft(&logged.message, &logged.to);
                    _ = self.guard.send(self.now, CONVERSATION, self.name(logged.from), &draft);
                }
            }
            6 | 7 => {
                let at_rest = random.percent(50);
                _ = self.guard.receive(self.now, CONVERSATION, self.name(agent), 0, at_rest);
            }
            8 => _ = self.guard.rest(self.now, CONVERSATION, self.name(agent)),
            _ => {
                self.now += random.below(5) as u64 * SECOND;
                self.guard.advance(self.now);
            }
        }
        self.follow(counts)
    }
}

/// A value that fits an argument of an offer.
fn some(program: &Program, universe: &[Value], offered: &ArgumentText, random: &mut Random) -> Json {
    match offered {
        ArgumentText::Is(json) => json.clone(),
        ArgumentText::In(low, high) => {
            let width = high.saturating_sub(*low).min(3) as usize;
            json!(low + random.below(width + 1) as i64)
        }
        ArgumentText::OneOf(all) => random.pick(all).clone(),
        ArgumentText::Any => json_of(program, *random.pick(universe)),
    }
}

fn compare(scene: &Scene, counts: &mut Counts) {
    let Scene { seed, program, .. } = scene;
    // Fresh values are compared across agents by the naive search, which a guard cannot.
    if program.procedures.iter().any(|it| it.body == Body::Fresh) || program.agents.is_empty() {
        return;
    }
    counts.one("scenes");
    let universe = universe(program);
    for stream in 0..3 {
        let mut random = Random::new(*seed, 71 + stream);
        if whole(program, &universe, &mut random, counts).is_err() {
            counts.one("too large");
        }
    }
}

/// One conversation.
fn whole(
    program: &Program,
    universe: &[Value],
    random: &mut Random,
    counts: &mut Counts,
) -> Result<(), TooMany> {
    let mut trial = Trial::start(program, universe, random)?;
    for _ in 0..random.between(3, 14) {
        trial.check(random, counts)?;
        trial.act(random, counts)?;
        if !trial.certain {
            counts.one("uncertain");
            break;
        }
    }
    counts.one("conversations");
    Ok(())
}
