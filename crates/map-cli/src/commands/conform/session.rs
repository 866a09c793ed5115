//! Judges the conversations of a log, line by line.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use map_conform::{
    Cast, Conversation, Fault, FaultKind, Mark, Record, Roles, Scene, Spoken, Verdict, performative_named,
};
use map_ir::AgentId;
use map_semantics::Message;

use super::args::{Args, UnknownArg};
use super::ended::{Ended, Past, Seen, Settled};
use super::explained::Explained;
use super::follow::Follow;
use super::judged::{GivenUp, Judged};
use super::logs::{Entry, Logs, Next, code_of, help_for};
use super::output::Output;
use super::plan::Plan;
use super::scenes::Scenes;
use super::{Bad, telling::Telling};
use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// Where lines come from.
pub(super) enum Source {
    /// Logs that are whole.
    Whole(Logs),
    /// Logs that are still being written.
    Growing(Follow),
}

impl Source {
    fn next(&mut self, interrupt: &Interrupt) -> Result<Next, Bad> {
        match self {
            Self::Whole(logs) => Ok(logs.next()?.map_or(Next::End, Next::Entry)),
            Self::Growing(follow) => follow.next(interrupt),
        }
    }

    fn name(&self, log: usize) -> &str {
        match self {
            Self::Whole(logs) => logs.name(log),
            Self::Growing(follow) => follow.name(log),
        }
    }
}

/// A conversation that is being followed.
struct Open {
    conversation: Conversation,
    scene: Rc<Scene>,
    cast: Cast,
    number: u64,
    /// The number of the last line, over all logs.
    touched: u64,
    /// What has been seen of messages with an id.
    seen: Seen,
    /// By agent: the time of its last line.
    times: Vec<Option<u64>>,
    /// Whether it may be the rest of one that was given up.
    may_be_a_rest: bool,
    /// Whether it goes on after its end.
    again: bool,
    /// The number of violations that have been told.
    told: usize,
    /// The size of its texts when it was last looked at.
    size: usize,
}

/// The maximum size in bytes of the texts of a conversation that are not in the file, and of those of all.
const MAX_TEXTS: usize = 16 << 20;
const MAX_ALL_TEXTS: usize = 256 << 20;

/// The conversations of a log.
pub(super) struct Session<'a> {
    args: &'a Args,
    scenes: Scenes<'a>,
    plan: Plan<'a>,
    roles: &'a Roles,
    open: HashMap<String, Open>,
    /// The open conversations by their last line.
    idle: BTreeMap<u64, String>,
    ended: Ended,
    lines: u64,
    begun: u64,
    bad: u64,
    /// The size of the texts of all open conversations that are not in the file.
    texts: usize,
    explained: Explained,
}

impl<'a> Session<'a> {
    pub(super) fn new(args: &'a Args, scenes: Scenes<'a>, plan: Plan<'a>, roles: &'a Roles) -> Self {
        Self {
            args,
            scenes,
            plan,
            roles,
            open: HashMap::new(),
            idle: BTreeMap::new(),
            ended: Ended::new(args.max_conversations),
            lines: 0,
            begun: 0,
            bad: 0,
            texts: 0,
            explained: Explained::Nothing,
        }
    }

    /// Judges all lines; ends at the first that cannot be used, if more than allowed cannot.
    pub(super) fn judge(
        &mut self,
        mut source: Source,
        interrupt: &Interrupt,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<Option<Bad>, Failure> {
        while !interrupt.is_set() {
            let Entry { log, line, record } = match source.next(interrupt) {
                Ok(Next::Entry(entry)) => entry,
                Ok(Next::Said(text)) => {
                    console.complain(&format!("note: {text}\n"))?;
                    continue;
                }
                Ok(Next::End) => break,
                Err(bad) => return Ok(Some(bad)),
            };
            self.lines += 1;
            if let Err(bad) = self.plan.reach(self.scenes.program(), self.lines) {
                return Ok(Some(bad));
            }
            let is_meant =
                |it: &Record| self.args.conversation.as_ref().is_none_or(|one| *one == it.conversation);
            let judged = match record {
                Ok(record) if !is_meant(&record) => Ok(()),
                Ok(record) => self.line(line, &record, output, console)?,
                Err(fault) => Err(fault),
            };
            if let Err(Fault { kind, text }) = judged {
                self.bad += 1;
                if self.bad > self.args.skip_bad {
                    let help = help_for(kind).map(str::to_owned);
                    let log = source.name(log).to_owned();
                    return Ok(Some(Bad { log, line, code: code_of(kind), text, help }));
                }
            }
        }
        Ok(None)
    }

    /// Reports what is still open, in the order of the last lines.
    pub(super) fn finish(
        mut self,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<Explained, Failure> {
        let mut names: Vec<(u64, String)> = Vec::new();
        for name in std::mem::take(&mut self.idle).into_values() {
            let number = self.open.get(&name).map_or(0, |it| it.number);
            names.push((number, name));
        }
        names.sort_unstable();
        for (_, name) in names {
            self.close(&name, None, output, console)?;
        }
        Ok(self.explained)
    }

    /// Reports a conversation, and remembers little of it.
    fn close(
        &mut self,
        name: &str,
        given_up: Option<GivenUp>,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Some(Open {
            mut conversation, scene, cast, number, seen, may_be_a_rest, again, told, size, ..
        }) = self.open.remove(name)
        else {
            return Ok(());
        };
        self.texts -= size;
        let explanation = scene.settings().keeps_lines.then(|| match self.begun {
            1 => conversation.explanation().map_err(|it| it.to_string()),
            _ => Err(String::new()),
        });
        let mut report = conversation.report();
        let unsure = match report.verdict {
            Verdict::Violated => may_be_a_rest,
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck | Verdict::Inconclusive => given_up.is_some(),
        };
        if unsure {
            report.verdict = Verdict::Inconclusive;
        }
        if let Some(explanation) = explanation {
            let agents = self.scenes.changed(&scene);
            self.explained.add(self.begun, report.verdict, explanation, (&scene, agents), &cast);
        }
        let past = match given_up {
            Some(_) => Past::GivenUp,
            None => Past::Ended(Box::new(Settled {
                scene: Rc::clone(&scene),
                cast: cast.agents_only(),
                seen,
                number,
                messages: report.messages,
                hypotheses: report.hypotheses,
            })),
        };
        self.ended.insert(name, past);
        let judged = Judged {
            name: name.to_owned(),
            scene,
            cast,
            report,
            given_up,
            may_be_a_rest: unsure && given_up.is_none(),
            again,
            told: if output.tells_at_once() && !may_be_a_rest { told } else { 0 },
            number,
        };
        output.judged(&judged, console)
    }

    /// The conversation of a record, which is opened if need be; `None` if it has been given up.
    fn opened(
        &mut self,
        name: &str,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<Result<Option<&mut Open>, Fault>, Failure> {
        if let Some(open) = self.open.get(name) {
            self.idle.remove(&open.touched);
        } else {
            if let Some(Past::GivenUp) = self.ended.get(name) {
                return Ok(Ok(None));
            }
            if self.open.len() >= self.args.max_conversations
                && let Some((_, idle)) = self.idle.pop_first()
            {
                self.close(&idle, Some(GivenUp::TooMany), output, console)?;
            }
            let open = match self.begin(name) {
                Ok(open) => open,
                Err(fault) => return Ok(Err(fault)),
            };
            self.open.insert(name.to_owned(), open);
        }
        self.idle.insert(self.lines, name.to_owned());
        let lines = self.lines;
        let mut open = self.open.get_mut(name);
        if let Some(open) = &mut open {
            open.touched = lines;
        }
        Ok(Ok(open))
    }

    fn begin(&mut self, name: &str) -> Result<Open, Fault> {
        if let Some(past) = self.ended.take(name)
            && let Some(conversation) = past.conversation()
            && let Past::Ended(settled) = past
        {
            let Settled { scene, cast, seen, number, .. } = *settled;
            let times = vec![None; scene.program().agents.len()];
            return Ok(Open {
                conversation,
                scene,
                cast,
                number,
                touched: 0,
                seen,
                times,
                may_be_a_rest: false,
                again: true,
                told: 0,
                size: 0,
            });
        }
        let counts = self.plan.cast(self.scenes.program(), name);
        let scene = self.scenes.with(counts)?;
        self.begun += 1;
        Ok(Open {
            conversation: Conversation::new(&scene),
            cast: Cast::default(),
            number: self.begun,
            touched: 0,
            seen: Seen::default(),
            times: vec![None; scene.program().agents.len()],
            may_be_a_rest: self.ended.some_are_lost,
            again: false,
            told: 0,
            size: 0,
            scene,
        })
    }

    fn line(
        &mut self,
        line: u64,
        record: &Record,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<Result<(), Fault>, Failure> {
        let name = &record.conversation;
        match self.opened(name, output, console)? {
            Ok(Some(_)) => {}
            Ok(None) => return Ok(Ok(())),
            Err(fault) => return Ok(Err(fault)),
        }
        let (args, plan, roles) = (self.args, &self.plan, self.roles);
        let Some(open) = self.open.get_mut(name) else { return Ok(Ok(())) };
        let speaker = match open.line(args, plan, roles, Mark { line, time: record.time }, record) {
            Ok(speaker) => speaker,
            Err(fault) => return Ok(Err(fault)),
        };
        while let Some(violation) = open.conversation.violations().get(open.told) {
            open.told += 1;
            if !open.may_be_a_rest {
                let telling = Telling::new(&open.scene, &open.cast, output.source());
                output.violation(name, &telling, violation, console)?;
            }
        }
        let size = open.cast.size();
        self.texts += size - open.size;
        open.size = size;
        if size > MAX_TEXTS {
            self.idle.remove(&self.lines);
            self.close(name, Some(GivenUp::TooLarge), output, console)?;
        } else if open.conversation.is_settled(speaker) {
            self.idle.remove(&self.lines);
            self.close(name, None, output, console)?;
        }
        while self.texts > MAX_ALL_TEXTS
            && let Some((_, idle)) = self.idle.pop_first()
        {
            self.close(&idle, Some(GivenUp::TooLarge), output, console)?;
        }
        Ok(Ok(()))
    }
}

impl Open {
    /// Judges a line; returns its sender.
    fn line(
        &mut self,
        args: &Args,
        plan: &Plan<'_>,
        roles: &Roles,
        mark: Mark,
        record: &Record,
    ) -> Result<AgentId, Fault> {
        let program = Rc::clone(&self.scene);
        let program = program.program();
        let arity = record.args.len();
        let sends = |name: &str| {
            plan.part(&record.conversation, name).or_else(|| roles.part(true, &record.performative, arity))
        };
        let hears = |name: &str| {
            plan.part(&record.conversation, name).or_else(|| roles.part(false, &record.performative, arity))
        };
        let from = self.cast.agent(roles, program, &record.from, sends(&record.from))?;
        let performative = performative_named(program, &record.performative, arity);
        let Some(performative) = performative else {
            if args.unknown == UnknownArg::Deny && !record.arrives {
                self.conversation.unknown(mark, from);
            }
            return Ok(from);
        };
        let mut to = Vec::with_capacity(record.to.len());
        for name in &record.to {
            let agent = self.cast.agent(roles, program, name, hears(name))?;
            if !to.contains(&agent) {
                to.push(agent);
            }
        }
        let arguments = self.cast.values(program, record)?;
        if let Some(id) = &record.id
            && args.duplicates == UnknownArg::Ignore
            && !self.seen.insert(record.arrives, from, &to, id)
        {
            return Ok(from);
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
        Ok(from)
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
