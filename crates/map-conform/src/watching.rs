//! Follows the conversations of a log, line by line: opens them as they begin, with the cast that the log tells; judges
//! what is said; gives up what grows too large; and remembers those that have ended.

mod account;
mod clock;
mod ended;
mod history;
mod judged;
mod keeping;
mod lost;
mod open;
mod plan;
mod recipients;
mod undecided;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;

use map_ir::AgentId;

use self::clock::Clock;
use self::ended::{Ended, Past, Settled};
use self::lost::LostLines;
use self::open::{Heard, Open};
use self::undecided::Undecided;
use crate::cast::{Cast, Roles};
use crate::line::{Fragment, Line};
use crate::record::{Fault, FaultKind, Record};
use crate::report::{Mark, Verdict};
use crate::scene::Scene;
use crate::settings::{Order, Settings};

pub use self::account::{Account, BadLines, PassedOver};
pub use self::judged::{ConversationResult, Event, FoundViolation, GivenUp};
pub use self::open::without_results;
pub use self::plan::Plan;

/// The number of agents of each part; 0 for as many as the file has.
pub type Counts = Vec<usize>;

/// The scene with a cast, or why there is none: too many casts, or too many agents.
pub type Scenes<'a> = Box<dyn FnMut(Counts) -> Result<Arc<Scene>, Fault> + Send + 'a>;

/// The maximum size in bytes of the texts of a conversation that are not in the file, and of those of all.
const MAX_TEXTS: usize = 16 << 20;
const MAX_ALL_TEXTS: usize = 256 << 20;

/// What is allowed, and how much is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Only this conversation is judged.
    pub only: Option<String>,
    /// The most conversations that are followed at once, and that are remembered after their end.
    pub max_conversations: usize,
    /// Whether a message that nobody in the file sends is a violation; otherwise it is nothing.
    pub denies_unknown: bool,
    /// Whether a second message with the same sender, recipients, id and content is nothing; otherwise it is another
    /// message.
    pub ignores_duplicates: bool,
    /// Whether lines come by their times, or nearly so: else it is only at the end of the logs, or when the time is
    /// [told](Watcher::pass_time), that somebody is silent because of lines elsewhere.
    pub comes_by_time: bool,
    /// Whether all that happens to open conversations is kept, so that a later process can go on from it
    /// ([`Watcher::keep`]). The logs are not read ahead then.
    pub keeps_history: bool,
    /// Whether what a conversation is called may become known after its first lines, which are not read ahead: what
    /// may be the only one that is judged is then kept until that is known.
    pub learns_names: bool,
}

/// The conversations of a log.
pub struct Watcher<'a> {
    policy: Policy,
    roles: Arc<Roles>,
    plan: Plan,
    /// The scene with the cast of the file.
    first: Arc<Scene>,
    scenes: Scenes<'a>,
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
    /// The size of the texts of all open conversations that are not in the file.
    texts: usize,
    /// What nobody has taken notice of yet.
    events: VecDeque<Event>,
    account: Account,
    /// The conversations that have no scene, and why.
    refused: HashMap<String, Fault>,
    lost: LostLines,
    clock: Clock,
    undecided: Undecided,
}

impl<'a> Watcher<'a> {
    /// Before the first line. `first` is the scene with the cast of the file.
    #[must_use]
    pub fn new(policy: Policy, roles: Arc<Roles>, plan: Plan, first: Arc<Scene>, scenes: Scenes<'a>) -> Self {
        Self {
            roles,
            plan,
            first,
            scenes,
            open: HashMap::new(),
            idle: BTreeMap::new(),
            ended: Ended::new(policy.max_conversations),
            policy,
            lines: 0,
            now: 0,
            waking: BTreeSet::new(),
            begun: 0,
            texts: 0,
            events: VecDeque::new(),
            account: Account::default(),
            refused: HashMap::new(),
            lost: LostLines::default(),
            clock: Clock::default(),
            undecided: Undecided::default(),
        }
    }

    /// Begins the next line, whether it can be used or not; returns its number, from 1.
    pub fn next_line(&mut self) -> u64 {
        self.lines += 1;
        self.lines
    }

    /// What is known of the lines ahead, to be told more ([`Plan::note`]).
    pub fn plan(&mut self) -> &mut Plan {
        &mut self.plan
    }

    /// Judges the line that was begun last, or notes that it cannot be used.
    ///
    /// # Errors
    /// What is wrong with it; it is a gap of the conversations that it may belong to, and its time has passed.
    pub fn line(&mut self, mark: Mark, line: &Line) -> Result<(), Fault> {
        self.account.count_line(mark);
        if let Line::Record(record) = line
            && self.defers(mark, record)
        {
            return Ok(());
        }
        let heard = match line {
            Line::Other(reason) => {
                self.account.count_passed_over(mark, reason);
                return Ok(());
            }
            Line::Bad(fault, fragment) => {
                self.note_gap(mark, fragment);
                Err(fault.clone())
            }
            Line::Record(record) => self.hear(mark, record),
        };
        match heard {
            Ok(Heard::Message) => self.account.messages += 1,
            Ok(Heard::Nothing(reason)) => self.account.count_passed_over(mark, reason),
            Err(fault) => {
                self.account.count_bad(mark, fault.kind);
                return Err(fault);
            }
        }
        Ok(())
    }

    fn hear(&mut self, mark: Mark, record: &Record) -> Result<Heard, Fault> {
        self.clock.note(mark);
        if self.is_passed_over(&record.conversation) {
            self.account.note_conversation(&record.conversation);
            return Ok(Heard::Nothing("it belongs to another conversation"));
        }
        let heard = self.pass(record).and_then(|()| self.judge(mark, record));
        if heard.is_err() {
            self.note_gap(mark, &Fragment::of_record(record));
        }
        heard
    }

    fn is_passed_over(&self, conversation: &str) -> bool {
        let is_called = |only: &str| {
            self.plan.alias(conversation) == Some(only) || self.undecided.is_chosen(conversation)
        };
        self.policy.only.as_ref().is_some_and(|only| only != conversation && !is_called(only))
    }

    /// What became of the lines so far.
    #[must_use]
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// The next thing that became known, in order.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Reports what is still open, in the order of the last lines.
    pub fn finish(&mut self) {
        self.give_up_undecided();
        self.expire_all();
        let mut names: Vec<(u64, String)> = Vec::new();
        for name in std::mem::take(&mut self.idle).into_values() {
            let number = self.open.get(&name).map_or(0, |it| it.number);
            names.push((number, name));
        }
        names.sort_unstable();
        for (_, name) in names {
            self.close(&name, None);
        }
    }

    /// Reports a conversation, and remembers little of it.
    fn close(&mut self, name: &str, given_up: Option<GivenUp>) {
        let Some(mut open) = self.open.remove(name) else { return };
        open.catch_up(&self.lost, self.lines);
        let Open {
            mut conversation,
            scene,
            cast,
            number,
            seen,
            may_be_a_rest,
            again,
            told,
            size,
            due,
            called,
            ..
        } = open;
        self.texts -= size;
        self.clock.forget(due, name);
        let explanation = scene.settings().keeps_lines.then(|| match self.begun {
            1 => conversation.explanation().map_err(|it| it.to_string()),
            _ => Err(String::new()),
        });
        let lines = conversation.take_lines();
        let mut report = conversation.report();
        let unsure = match report.verdict {
            Verdict::Violated => may_be_a_rest,
            Verdict::Conforms | Verdict::SoFar | Verdict::Stuck | Verdict::Inconclusive => given_up.is_some(),
        };
        if unsure {
            report.verdict = Verdict::Inconclusive;
        }
        let past = match given_up {
            Some(_) => Past::GivenUp,
            None => Past::Ended(Box::new(Settled {
                scene: Arc::clone(&scene),
                cast: cast.agents_only(),
                seen,
                number,
                messages: report.messages,
                hypotheses: report.hypotheses,
                gap: report.gaps.first().map(|gap| gap.mark),
            })),
        };
        self.ended.insert(name, past);
        let (name, aliases) = match called {
            Some(called) => (called, vec![name.to_owned()]),
            None => (name.to_owned(), Vec::new()),
        };
        let judged = ConversationResult {
            name,
            aliases,
            scene,
            cast,
            report,
            given_up,
            may_be_a_rest: unsure && given_up.is_none(),
            again,
            told: if may_be_a_rest { 0 } else { told },
            number,
            begun: self.begun,
            explanation,
            lines,
        };
        self.events.push_back(Event::Judged(Box::new(judged)));
    }

    /// The conversation of a record, which is opened if need be; `None` if it has been given up.
    fn opened(&mut self, name: &str) -> Result<Option<&mut Open>, Fault> {
        if let Some(open) = self.open.get(name) {
            self.idle.remove(&open.touched);
        } else {
            if let Some(Past::GivenUp) = self.ended.get(name) {
                return Ok(None);
            }
            if self.open.len() >= self.policy.max_conversations
                && let Some((_, idle)) = self.idle.pop_first()
            {
                self.close(&idle, Some(GivenUp::TooMany));
            }
            if let Some(fault) = self.refused.get(name) {
                return Err(fault.clone());
            }
            match self.begin(name) {
                Ok(open) => drop(self.open.insert(name.to_owned(), open)),
                Err(fault) => {
                    self.refuse(name, &fault);
                    return Err(fault);
                }
            }
        }
        self.idle.insert(self.lines, name.to_owned());
        let lines = self.lines;
        let mut open = self.open.get_mut(name);
        if let Some(open) = &mut open {
            open.touched = lines;
            open.catch_up(&self.lost, lines);
        }
        Ok(open)
    }

    /// Remembers a conversation that has no scene.
    fn refuse(&mut self, name: &str, fault: &Fault) {
        if self.refused.len() >= self.policy.max_conversations {
            self.refused.clear();
        }
        self.refused.insert(name.to_owned(), fault.clone());
    }

    fn begin(&mut self, name: &str) -> Result<Open, Fault> {
        let keeps = self.policy.keeps_history;
        if let Some(Past::Ended(settled)) = self.ended.take(name) {
            let kept = keeps.then(|| settled.kept(self.first.program().agents.len()));
            let mut open = Open::again(*settled, self.lines);
            if keeps {
                open.keep_history(kept);
            }
            return Ok(open);
        }
        let counts = self.plan.cast(self.first.program(), name);
        let scene = (self.scenes)(counts)?;
        self.begun += 1;
        let loses_numbers = !self.plan.numbers_fit(scene.program(), name);
        let &Settings { order, .. } = scene.settings();
        let is_by_time = order != Order::Lines && !scene.settings().waits() && self.plan.runs_back(name);
        let mut open = Open::new(scene, self.begun, self.lines);
        open.cast = Cast::new(loses_numbers);
        open.may_be_a_rest = self.ended.some_are_lost;
        if keeps {
            open.keep_history(None);
        }
        if let Some(gap) = self.lost.last() {
            open.doubt_beginning(gap);
        }
        if is_by_time {
            open.conversation.judge_by_time();
        }
        Ok(open)
    }

    fn judge(&mut self, mark: Mark, record: &Record) -> Result<Heard, Fault> {
        let name = &record.conversation;
        let given_up = Heard::Nothing("its conversation was given up");
        if self.opened(name)?.is_none() {
            return Ok(given_up);
        }
        let (policy, plan, roles) = (&self.policy, &self.plan, &*self.roles);
        let Some(open) = self.open.get_mut(name) else { return Ok(given_up) };
        let (speaker, heard) = open.line(policy, plan, roles, mark, record)?;
        self.look_at(name, speaker);
        Ok(heard)
    }

    /// Notes a line that cannot be used. It may belong to a conversation that begins with it.
    fn note_gap(&mut self, mark: Mark, fragment: &Fragment) {
        let Some(name) = &fragment.conversation else { return self.lost.push(self.lines, mark) };
        if self.is_passed_over(name) {
            return;
        }
        let is_new = !self.open.contains_key(name) && self.ended.get(name).is_none();
        let roles = Arc::clone(&self.roles);
        if let Ok(Some(open)) = self.opened(name) {
            open.gap(&roles, mark, &fragment.names);
            if is_new {
                open.doubt_beginning(mark);
            }
        }
    }

    /// Tells what is new of a conversation, which may have come to its end: this agent is asked first.
    fn look_at(&mut self, name: &str, first: AgentId) {
        let Some(open) = self.open.get_mut(name) else { return };
        while let Some(violation) = open.conversation.violations().get(open.told) {
            open.told += 1;
            if !open.may_be_a_rest {
                self.events.push_back(Event::Violation(Box::new(FoundViolation {
                    conversation: open.called.clone().unwrap_or_else(|| name.to_owned()),
                    scene: Arc::clone(&open.scene),
                    cast: open.cast.clone(),
                    violation: violation.clone(),
                })));
            }
        }
        self.track(name);
        let Some(open) = self.open.get_mut(name) else { return };
        if open.size > MAX_TEXTS {
            self.idle.remove(&open.touched);
            self.close(name, Some(GivenUp::TooLarge));
        } else if open.conversation.settles(first) {
            self.idle.remove(&open.touched);
            self.close(name, None);
        }
        while self.texts > MAX_ALL_TEXTS
            && let Some((_, idle)) = self.idle.pop_first()
        {
            self.close(&idle, Some(GivenUp::TooLarge));
        }
    }

    /// Notes until when something in a conversation waits, what is due in it, and how large it is.
    fn track(&mut self, name: &str) {
        let Some(open) = self.open.get_mut(name) else { return };
        self.clock.set_due(&mut open.due, open.conversation.next_due(), name);
        if let Some(until) = open.conversation.waits_until().filter(|_| !open.wakes) {
            open.wakes = true;
            self.waking.insert((until, name.to_owned()));
        }
        let size = open.cast.size();
        self.texts += size - open.size;
        open.size = size;
    }

    /// It is this time by now: agents that owe something for too long by it are silent, whether or not their own
    /// conversations go on. All lines that were written before have to be known.
    pub fn pass_time(&mut self, clock: Mark) {
        self.clock.note(clock);
        self.expire(0);
    }

    /// At the end of the logs: the latest time counts.
    fn expire_all(&mut self) {
        let (names, clock) = self.clock.take_all();
        for name in names {
            let Some(open) = self.open.get_mut(&name) else { continue };
            open.due = None;
            open.catch_up(&self.lost, self.lines);
            open.conversation.go_on(true);
            open.expire(clock);
            self.look_at(&name, AgentId::new(0));
        }
    }

    /// Looks at the conversations in which something was due by now, in nanoseconds less than the latest time.
    fn expire(&mut self, lag: u64) {
        while let Some((name, clock)) = self.clock.next_overdue(lag) {
            let Some(open) = self.open.get_mut(&name) else { continue };
            open.due = None;
            open.catch_up(&self.lost, self.lines);
            if let Some(now) = clock.time {
                open.pass(now);
            }
            open.expire(clock);
            self.look_at(&name, AgentId::new(0));
        }
    }

    /// Passes the time of a line, which other conversations may have waited for.
    fn pass(&mut self, record: &Record) -> Result<(), Fault> {
        if self.policy.comes_by_time {
            self.expire(self.first.settings().reorder);
        }
        let &Settings { skew, merged, .. } = self.first.settings();
        if skew == 0 && !(merged && record.time.is_some()) {
            return Ok(());
        }
        let Some(time) = record.time else {
            let text = "the line has no time, which --skew needs".to_owned();
            return Err(Fault { kind: FaultKind::NoRecord, text });
        };
        if skew > 0 && time.saturating_add(skew) < self.now {
            let text = "the line is earlier than one before it by more than --skew".to_owned();
            return Err(Fault { kind: FaultKind::OutOfOrder, text });
        }
        self.now = self.now.max(time);
        while let Some((_, name)) = self.waking.first().filter(|waking| waking.0 < self.now).cloned() {
            self.waking.pop_first();
            let Some(open) = self.open.get_mut(&name) else { continue };
            open.wakes = false;
            open.pass(self.now);
            self.look_at(&name, AgentId::new(0));
        }
        Ok(())
    }
}
