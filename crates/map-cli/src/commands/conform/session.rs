//! Judges the conversations of a log, line by line.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use map_conform::{
    Cast, Conversation, Fault, FaultKind, Mark, Record, Report, Roles, Scene, Spoken, performative_named,
};
use map_ir::{AgentId, Program};
use map_semantics::Message;

use super::logs::{Entry, Logs, code_of};
use super::plan::Plan;
use super::{Args, Bad, UnknownArg};
use crate::interrupt::Interrupt;

/// A conversation that has been judged.
pub(super) struct Judged<'p> {
    pub(super) name: String,
    pub(super) program: &'p Program,
    pub(super) cast: Cast,
    pub(super) report: Report,
    /// Whether it was given up, because there were too many.
    pub(super) given_up: bool,
    /// Its number, in the order of the first lines.
    number: u64,
}

/// A conversation that is being followed.
struct Open<'s, 'p> {
    conversation: Conversation<'s, 'p>,
    scene: &'s Scene<'p>,
    cast: Cast,
    number: u64,
    /// The number of the last line, over all logs.
    touched: u64,
    /// What has been seen of messages with an id.
    seen: HashSet<(bool, AgentId, Vec<AgentId>, String)>,
    /// By agent: the time of its last line.
    times: Vec<Option<u64>>,
}

/// The conversations of a log.
pub(super) struct Session<'s, 'p> {
    args: &'s Args,
    scenes: &'s [Scene<'p>],
    plan: &'s Plan,
    roles: &'s Roles,
    open: HashMap<String, Open<'s, 'p>>,
    /// The open conversations by their last line.
    idle: BTreeMap<u64, String>,
    judged: Vec<Judged<'p>>,
    lines: u64,
    begun: u64,
    bad: u64,
}

impl<'s, 'p> Session<'s, 'p> {
    pub(super) fn new(args: &'s Args, scenes: &'s [Scene<'p>], plan: &'s Plan, roles: &'s Roles) -> Self {
        Self {
            args,
            scenes,
            plan,
            roles,
            open: HashMap::new(),
            idle: BTreeMap::new(),
            judged: Vec::new(),
            lines: 0,
            begun: 0,
            bad: 0,
        }
    }

    /// Judges all lines; ends at the first that cannot be used, if more than allowed cannot.
    pub(super) fn judge(&mut self, mut logs: Logs, interrupt: &Interrupt) -> Result<(), Bad> {
        while let Some(Entry { log, line, record }) = logs.next()? {
            if interrupt.is_set() {
                break;
            }
            self.lines += 1;
            if let Err(Fault { kind, text }) = record.and_then(|it| self.line(line, &it)) {
                self.bad += 1;
                if self.bad > self.args.skip_bad {
                    let help = help_for(kind).map(str::to_owned);
                    return Err(Bad {
                        log: logs.name(log).to_owned(),
                        line,
                        code: code_of(kind),
                        text,
                        help,
                    });
                }
            }
        }
        Ok(())
    }

    /// All conversations, in the order in which they began.
    pub(super) fn finish(mut self) -> Vec<Judged<'p>> {
        for name in std::mem::take(&mut self.idle).into_values() {
            self.close(&name, false);
        }
        self.judged.sort_by_key(|it| it.number);
        self.judged
    }

    fn close(&mut self, name: &str, given_up: bool) {
        let Some(Open { conversation, scene, cast, number, .. }) = self.open.remove(name) else { return };
        let report = conversation.report();
        let program = scene.program();
        self.judged.push(Judged { name: name.to_owned(), program, cast, report, given_up, number });
    }

    fn line(&mut self, line: u64, record: &Record) -> Result<(), Fault> {
        let name = &record.conversation;
        if let Some(open) = self.open.get(name) {
            self.idle.remove(&open.touched);
        } else {
            if self.open.len() >= self.args.max_conversations
                && let Some((_, idle)) = self.idle.pop_first()
            {
                self.close(&idle, true);
            }
            let scene = &self.scenes[self.plan.cast(name)];
            self.begun += 1;
            let open = Open {
                conversation: Conversation::new(scene),
                scene,
                cast: Cast::default(),
                number: self.begun,
                touched: 0,
                seen: HashSet::new(),
                times: vec![None; scene.program().agents.len()],
            };
            self.open.insert(name.clone(), open);
        }
        self.idle.insert(self.lines, name.clone());
        let (args, plan, roles) = (self.args, self.plan, self.roles);
        let Some(open) = self.open.get_mut(name) else { return Ok(()) };
        open.touched = self.lines;
        open.line(args, plan, roles, Mark { line, time: record.time }, record)
    }
}

impl Open<'_, '_> {
    fn line(
        &mut self,
        args: &Args,
        plan: &Plan,
        roles: &Roles,
        mark: Mark,
        record: &Record,
    ) -> Result<(), Fault> {
        let program = self.scene.program();
        let arity = record.args.len();
        let sends = |name: &str| plan.part(name).or_else(|| roles.part(true, &record.performative, arity));
        let hears = |name: &str| plan.part(name).or_else(|| roles.part(false, &record.performative, arity));
        let from = self.cast.agent(program, &record.from, sends(&record.from))?;
        let performative = performative_named(program, &record.performative, arity);
        let Some(performative) = performative else {
            if args.unknown == UnknownArg::Deny && !record.arrives {
                self.conversation.unknown(mark, from);
            }
            return Ok(());
        };
        let mut to = Vec::with_capacity(record.to.len());
        for name in &record.to {
            let agent = self.cast.agent(program, name, hears(name))?;
            if !to.contains(&agent) {
                to.push(agent);
            }
        }
        let arguments = self.cast.values(program, record)?;
        if let Some(id) = &record.id
            && args.duplicates == UnknownArg::Ignore
            && !self.seen.insert((record.arrives, from, to.clone(), id.clone()))
        {
            return Ok(());
        }
        let message = Arc::new(Message { performative, sender: from, arguments });
        if record.arrives {
            for to in to {
                self.in_order(to, mark, &record.to)?;
                if self.scene.settings().arrivals == map_conform::Arrivals::Logged {
                    self.conversation.receive(mark, to, Arc::clone(&message));
                }
            }
        } else {
            self.in_order(from, mark, std::slice::from_ref(&record.from))?;
            self.conversation.send(mark, Spoken { from, to, message });
        }
        Ok(())
    }

    /// The lines of an agent are in the order of its times.
    fn in_order(&mut self, agent: AgentId, mark: Mark, names: &[String]) -> Result<(), Fault> {
        let last = &mut self.times[agent.index()];
        if let (Some(before), Some(now)) = (*last, mark.time)
            && now < before
        {
            let text = format!("a line of {:?} is earlier than the one before it", names.join(", "));
            return Err(Fault { kind: FaultKind::OutOfOrder, text });
        }
        *last = mark.time.or(*last);
        Ok(())
    }
}

/// What to do about a line that cannot be used.
fn help_for(kind: FaultKind) -> Option<&'static str> {
    match kind {
        FaultKind::NoRecord | FaultKind::NoValue => Some("--skip-bad N passes over N such lines"),
        FaultKind::NoRole => {
            Some("Name the agent as in the file, or let it say something only one role says")
        }
        FaultKind::BeyondCast => Some("Give the number of agents with --agents, such as bidder=3"),
        FaultKind::OutOfOrder => Some("Sort the log by time"),
    }
}
