//! A conversation that is being followed.

use std::borrow::Cow;
use std::sync::Arc;

use map_ir::{AgentId, PartId, Program};
use map_semantics::Message;

use super::Policy;
use super::ended::{KeptEnd, SeenMessages, Settled};
use super::history::{Happening, History};
use super::lost::LostLines;
use super::plan::{Plan, runs_back};
use super::recipients::{is_name, role_of_name};
use crate::addressed::Addressed;
use crate::cast::{Cast, Roles, performative_named};
use crate::conversation::Conversation;
use crate::monitor::LoggedMessage;
use crate::pending::Arrivals;
use crate::record::{ANYBODY, Fault, FaultKind, Record};
use crate::report::{Mark, UnknownMessage};
use crate::scene::Scene;
use crate::settings::{Order, Settings};

/// A conversation that is being followed.
pub(super) struct Open {
    pub(super) conversation: Conversation,
    pub(super) scene: Arc<Scene>,
    pub(super) cast: Cast,
    pub(super) number: u64,
    /// The number of the last line, over all logs.
    pub(super) touched: u64,
    /// What has been seen of messages with an id.
    pub(super) seen: SeenMessages,
    /// By agent: the time of its last line.
    pub(super) times: Vec<Option<u64>>,
    /// Whether it may be the rest of one that was given up.
    pub(super) may_be_a_rest: bool,
    /// Whether it goes on after its end.
    pub(super) again: bool,
    /// The number of violations that have been told.
    pub(super) told: usize,
    /// Until when lines of it wait for others, if that is noted.
    pub(super) wakes: bool,
    /// The size of its texts when it was last looked at.
    pub(super) size: usize,
    /// By log: the latest time of a line.
    pub(super) latest: Vec<(usize, u64)>,
    /// What it is called, if it has another name than at first.
    pub(super) called: Option<String>,
    /// When something is due in it, if that is noted.
    pub(super) due: Option<u64>,
    /// The number of the line up to which lines that may belong to any conversation have been noted.
    pub(super) known: u64,
    /// What has happened to it, if that is kept.
    pub(super) history: Option<History>,
}

/// The maximum number of lines that may belong to any conversation that are noted at once: all agents are in doubt from
/// the first one on.
const MAX_GAPS: usize = 64;

/// What became of a record.
#[derive(Clone, Copy)]
pub(super) enum Heard {
    /// It is a message that was judged.
    Message,
    /// It is passed over, and why.
    Nothing(&'static str),
}

impl Open {
    /// One that begins; lines up to number `known` are not its own.
    pub(super) fn new(scene: Arc<Scene>, number: u64, known: u64) -> Self {
        Self::of(Conversation::new(&scene), scene, number, known)
    }

    /// One that goes on after its end.
    pub(super) fn again(end: Settled, known: u64) -> Self {
        let Settled { scene, cast, seen, number, messages, hypotheses, gap } = end;
        let mut conversation = Conversation::after_its_end(&scene, messages, hypotheses);
        if let Some(gap) = gap {
            let all: Vec<AgentId> = scene.program().cast().collect();
            conversation.gap(gap, &all);
        }
        Self { cast, seen, again: true, ..Self::of(conversation, scene, number, known) }
    }

    fn of(conversation: Conversation, scene: Arc<Scene>, number: u64, known: u64) -> Self {
        Self {
            conversation,
            cast: Cast::default(),
            number,
            touched: 0,
            seen: SeenMessages::default(),
            times: vec![None; scene.program().agents.len()],
            may_be_a_rest: false,
            again: false,
            told: 0,
            wakes: false,
            size: 0,
            due: None,
            known,
            called: None,
            latest: Vec::new(),
            history: None,
            scene,
        }
    }

    /// Keeps what happens to it, from here on; `after` is how it ended before.
    pub(super) fn keep_history(&mut self, after: Option<KeptEnd>) {
        self.history = Some(History::new(after));
    }

    /// Notes what happens, if its history is kept.
    pub(super) fn note(&mut self, happening: &Happening<&Record>) {
        if let Some(history) = &mut self.history {
            history.note(happening);
        }
    }

    /// The first line may be missing.
    pub(super) fn doubt_beginning(&mut self, mark: Mark) {
        self.note(&Happening::DoubtBeginning(mark));
        self.conversation.doubt_beginning(mark);
    }

    /// It is this time by now, for the lines that wait for others.
    pub(super) fn pass(&mut self, now: u64) {
        self.note(&Happening::Pass(now));
        self.conversation.pass(now);
    }

    /// Debts are compared with a clock.
    pub(super) fn expire(&mut self, clock: Mark) {
        self.note(&Happening::Expire(clock));
        self.conversation.expire(clock);
    }

    /// A line that cannot be used may concern these agents.
    pub(super) fn concern(&mut self, mark: Mark, agents: &[AgentId]) {
        self.note(&Happening::Gap(mark, agents.iter().map(|agent| agent.index()).collect()));
        self.conversation.gap(mark, agents);
    }

    /// Notes the lines since the last one that may belong to any conversation; `now` is the number of the line.
    pub(super) fn catch_up(&mut self, lost: &LostLines, now: u64) {
        let unknown = lost.after(self.known);
        if !unknown.is_empty() {
            let all: Vec<AgentId> = self.scene.program().cast().collect();
            unknown.iter().take(MAX_GAPS).for_each(|(_, mark)| self.concern(*mark, &all));
        }
        self.known = now;
    }

    /// A line that cannot be used names these agents. A name that means nobody yet may mean anybody without a name; if
    /// it cannot mean anybody, the line may be about all.
    pub(super) fn gap(&mut self, roles: &Roles, mark: Mark, names: &[String]) {
        let program = Arc::clone(self.scene.program());
        let mut concerned: Vec<AgentId> = Vec::new();
        for name in names {
            let known = self.cast.agent_of(name).or_else(|| roles.agent(&program, name).ok().flatten());
            match known {
                Some(agent) => concerned.push(agent),
                None => concerned.extend(program.cast().filter(|&it| self.cast.real_name(it).is_none())),
            }
        }
        if concerned.is_empty() {
            concerned.extend(program.cast());
        }
        concerned.sort_unstable();
        concerned.dedup();
        self.concern(mark, &concerned);
    }

    /// Judges a line; returns its sender.
    pub(super) fn line(
        &mut self,
        policy: &Policy,
        plan: &Plan,
        roles: &Roles,
        mark: Mark,
        record: &Record,
    ) -> Result<(AgentId, Heard), Fault> {
        self.note(&Happening::Record(mark, record));
        if record.alias.is_some() {
            self.called.clone_from(&record.alias);
        }
        let record = &*without_results(self.scene.program(), record);
        let arity = record.args.len();
        let part = |sends: bool, name: &str| {
            let heard = plan.part(&record.conversation, name);
            let heard = heard.or_else(|| roles.part(sends, &record.performative, arity));
            heard.or_else(|| plan.part_of_outside(&record.conversation, name))
        };
        // Those whom a record names by their role are there already.
        let named: Vec<&String> =
            record.to.iter().filter(|name| is_name(self.scene.program(), name)).collect();
        self.admit(roles, &record.from, || part(true, &record.from))?;
        for name in &named {
            self.admit(roles, name, || part(false, name))?;
        }
        for name in record.agents_named() {
            self.admit(roles, name, || plan.part(&record.conversation, name))?;
        }
        let program = Arc::clone(&self.scene);
        let program = program.program();
        let from = self.cast.agent(roles, program, &record.from, || part(true, &record.from))?;
        let performative = performative_named(program, &record.performative, arity);
        let Some(performative) = performative else {
            let arities = roles.arities(&record.performative, program.agent(from).part);
            if (policy.denies_unknown || !arities.is_empty()) && !record.arrives {
                self.conversation.unknown(mark, from, UnknownMessage { arities, ..record.said() });
                return Ok((from, Heard::Message));
            }
            return Ok((from, Heard::Nothing("nobody in the file sends such a message")));
        };
        let mut to = Vec::with_capacity(record.to.len());
        for name in &record.to {
            let agents = match role_of_name(program, name) {
                Some(part) => program.part(part).agents.iter().copied().filter(|&it| it != from).collect(),
                None if name == ANYBODY => Vec::new(),
                None => vec![self.cast.agent(roles, program, name, || part(false, name))?],
            };
            for agent in agents {
                if !to.contains(&agent) {
                    to.push(agent);
                }
            }
        }
        let arguments = self.cast.values(program, &record.args)?;
        if let Some(id) = &record.id
            && policy.ignores_duplicates
            && !self.seen.insert(from, &to, id, record)
        {
            return Ok((from, Heard::Nothing("it repeats a message with the same id")));
        }
        self.in_time(mark)?;
        let message = Arc::new(Message { performative, sender: from, arguments });
        if record.to.iter().any(|it| it == ANYBODY) && !record.arrives {
            match self.conversation.addressed(from, &message) {
                Addressed::To(agents) => to = agents,
                Addressed::Nobody => to.clear(),
                Addressed::Unclear => {
                    let text = "the log does not tell to whom the message is, and the file leaves it open";
                    return Err(Fault::new(FaultKind::Unadapted, text));
                }
            }
        }
        if record.arrives {
            for to in to {
                self.in_order(to, mark, &record.to)?;
                if self.scene.settings().arrivals == Arrivals::Logged {
                    self.conversation.receive(mark, to, Arc::clone(&message));
                }
            }
        } else {
            self.in_order(from, mark, std::slice::from_ref(&record.from))?;
            self.conversation
                .send(mark, LoggedMessage { from, to, message, id: record.id.as_deref().map(Arc::from) });
        }
        Ok((from, Heard::Message))
    }

    /// Lets an agent join, if it is not there and may.
    fn admit(&mut self, roles: &Roles, name: &str, part: impl Fn() -> Option<PartId>) -> Result<(), Fault> {
        if let Some(scene) = self.cast.admitted(roles, &self.scene, name, &part)? {
            self.conversation.join(&scene);
            self.times.push(None);
            self.cast.agent(roles, scene.program(), name, part)?;
            self.scene = scene;
        }
        Ok(())
    }

    /// The times of a log run back by little at most.
    fn in_time(&mut self, mark: Mark) -> Result<(), Fault> {
        let &Settings { skew, reorder, order, .. } = self.scene.settings();
        let Some(time) = mark.time.filter(|_| skew == 0 && order != Order::Lines) else { return Ok(()) };
        let before = self.latest.iter().find(|(log, _)| *log == mark.log).map_or(0, |(_, time)| *time);
        if !runs_back(&mut self.latest, mark.log, time) {
            return Ok(());
        }
        if before - time > reorder {
            let text = "the line is earlier than one before it by more than --reorder";
            return Err(Fault::new(FaultKind::OutOfOrder, text));
        }
        self.conversation.note_run_back(mark);
        Ok(())
    }

    /// The lines of an agent are in the order of its times, if its clock is not that of others.
    fn in_order(&mut self, agent: AgentId, mark: Mark, names: &[String]) -> Result<(), Fault> {
        let settings = self.scene.settings();
        let last = &mut self.times[agent.index()];
        if let (Some(before), Some(now)) = (*last, mark.time)
            && now < before
            && settings.skew > 0
        {
            let text = format!("a line of {:?} is earlier than the one before it", names.join(", "));
            return Err(Fault { kind: FaultKind::OutOfOrder, text });
        }
        *last = mark.time.or(*last);
        Ok(())
    }
}

/// The record without the result of a task, if that is all that keeps the file from having such a message.
#[must_use]
pub fn without_results<'r>(program: &Program, record: &'r Record) -> Cow<'r, Record> {
    let (arity, own) = (record.args.len(), record.args.len() - record.results);
    let has = |arity| performative_named(program, &record.performative, arity).is_some();
    if own == arity || has(arity) || !has(own) {
        return Cow::Borrowed(record);
    }
    let args = record.args[..own].to_vec();
    Cow::Owned(Record { args, results: 0, ..record.clone() })
}
