//! Judges the conversations of a log, line by line.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use map_conform::{Cast, Conversation, Fault, FaultKind, Mark, Record, Roles, Settings, Verdict};
use map_ir::AgentId;

use super::args::Args;
use super::ended::{Ended, Past, SeenMessages, Settled};
use super::explained::Explained;
use super::follow::Follow;
use super::judged::{GivenUp, Judged};
use super::logs::{Entry, Logs, Next, code_of, help_for};
use super::open::Open;
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
    /// The latest time so far, if clocks differ.
    now: u64,
    /// The conversations in which lines wait for others, by the time until which they do.
    waking: BTreeSet<(u64, String)>,
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
            now: 0,
            waking: BTreeSet::new(),
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
                Ok(record) => match self.pass(&record, output, console)? {
                    Ok(()) => {
                        let mark = Mark { line, time: record.time, log };
                        self.line(mark, &record, output, console)?
                    }
                    Err(fault) => Err(fault),
                },
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
                wakes: false,
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
            seen: SeenMessages::default(),
            times: vec![None; scene.program().agents.len()],
            may_be_a_rest: self.ended.some_are_lost,
            again: false,
            told: 0,
            wakes: false,
            size: 0,
            scene,
        })
    }

    fn line(
        &mut self,
        mark: Mark,
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
        let speaker = match open.line(args, plan, roles, mark, record) {
            Ok(speaker) => speaker,
            Err(fault) => return Ok(Err(fault)),
        };
        self.look_at(name, speaker, output, console)?;
        Ok(Ok(()))
    }

    /// Tells what is new of a conversation, which may have come to its end: this agent is asked first.
    fn look_at(
        &mut self,
        name: &str,
        first: AgentId,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<(), Failure> {
        let Some(open) = self.open.get_mut(name) else { return Ok(()) };
        while let Some(violation) = open.conversation.violations().get(open.told) {
            open.told += 1;
            if !open.may_be_a_rest {
                let telling = Telling::new(&open.scene, &open.cast, output.source());
                output.violation(name, &telling, violation, console)?;
            }
        }
        if let Some(until) = open.conversation.waits_until().filter(|_| !open.wakes) {
            open.wakes = true;
            self.waking.insert((until, name.to_owned()));
        }
        let size = open.cast.size();
        self.texts += size - open.size;
        open.size = size;
        if size > MAX_TEXTS {
            self.idle.remove(&open.touched);
            self.close(name, Some(GivenUp::TooLarge), output, console)?;
        } else if open.conversation.is_settled(first) {
            self.idle.remove(&open.touched);
            self.close(name, None, output, console)?;
        }
        while self.texts > MAX_ALL_TEXTS
            && let Some((_, idle)) = self.idle.pop_first()
        {
            self.close(&idle, Some(GivenUp::TooLarge), output, console)?;
        }
        Ok(())
    }

    /// Passes the time of a line, which other conversations may have waited for.
    fn pass(
        &mut self,
        record: &Record,
        output: &mut Output<'_>,
        console: &mut Console,
    ) -> Result<Result<(), Fault>, Failure> {
        let &Settings { skew, merged, .. } = self.scenes.settings();
        if skew == 0 && !(merged && record.time.is_some()) {
            return Ok(Ok(()));
        }
        let Some(time) = record.time else {
            let text = "the line has no time, which --skew needs".to_owned();
            return Ok(Err(Fault { kind: FaultKind::NoRecord, text }));
        };
        if skew > 0 && time.saturating_add(skew) < self.now {
            let text = "the line is earlier than one before it by more than --skew".to_owned();
            return Ok(Err(Fault { kind: FaultKind::OutOfOrder, text }));
        }
        self.now = self.now.max(time);
        while let Some((_, name)) = self.waking.first().filter(|it| it.0 < self.now).cloned() {
            self.waking.pop_first();
            let Some(open) = self.open.get_mut(&name) else { continue };
            open.wakes = false;
            open.conversation.pass(self.now);
            self.look_at(&name, AgentId::new(0), output, console)?;
        }
        Ok(Ok(()))
    }
}
