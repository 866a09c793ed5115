//! Follows the conversations of a log, line by line: opens them as they begin, with the cast that the log tells; judges
//! what is said; gives up what grows too large; and remembers those that have ended.

mod ended;
mod judged;
mod open;
mod plan;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

use map_ir::AgentId;

use self::ended::{Ended, Past, SeenMessages, Settled};
use self::open::Open;
use crate::cast::{Cast, Roles};
use crate::conversation::Conversation;
use crate::record::{Fault, FaultKind, Record};
use crate::report::{Mark, Verdict};
use crate::scene::{Scene, Settings};

pub use self::judged::{ConversationResult, Event, FoundViolation, GivenUp};
pub use self::plan::Plan;

/// The number of agents of each part; 0 for as many as the file has.
pub type Counts = Vec<usize>;

/// The scene with a cast, or why there is none: too many casts, or too many agents.
pub type Scenes<'a> = Box<dyn FnMut(Counts) -> Result<Rc<Scene>, Fault> + 'a>;

/// The maximum size in bytes of the texts of a conversation that are not in the file, and of those of all.
const MAX_TEXTS: usize = 16 << 20;
const MAX_ALL_TEXTS: usize = 256 << 20;

/// What is allowed, and how much is remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The most conversations that are followed at once, and that are remembered after their end.
    pub max_conversations: usize,
    /// Whether a message that nobody in the file sends is a violation; otherwise it is nothing.
    pub denies_unknown: bool,
    /// Whether a second message with the same sender, recipients, id and content is nothing; otherwise it is another
    /// message.
    pub ignores_duplicates: bool,
}

/// The conversations of a log.
pub struct Watcher<'a> {
    policy: Policy,
    roles: &'a Roles,
    plan: Plan<'a>,
    /// The scene with the cast of the file.
    first: Rc<Scene>,
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
}

impl<'a> Watcher<'a> {
    /// Before the first line. `first` is the scene with the cast of the file.
    #[must_use]
    pub fn new(
        policy: Policy,
        roles: &'a Roles,
        plan: Plan<'a>,
        first: Rc<Scene>,
        scenes: Scenes<'a>,
    ) -> Self {
        Self {
            policy,
            roles,
            plan,
            first,
            scenes,
            open: HashMap::new(),
            idle: BTreeMap::new(),
            ended: Ended::new(policy.max_conversations),
            lines: 0,
            now: 0,
            waking: BTreeSet::new(),
            begun: 0,
            texts: 0,
            events: VecDeque::new(),
        }
    }

    /// Begins the next line, whether it can be used or not; returns its number, from 1.
    pub fn next_line(&mut self) -> u64 {
        self.lines += 1;
        self.lines
    }

    /// What is known of the lines ahead, to be told more ([`Plan::note`]).
    pub fn plan(&mut self) -> &mut Plan<'a> {
        &mut self.plan
    }

    /// Judges the line that was begun last.
    ///
    /// # Errors
    /// What is wrong with it; it is as if it were not there, but that its time has passed.
    pub fn line(&mut self, mark: Mark, record: &Record) -> Result<(), Fault> {
        self.pass(record)?;
        self.judge(mark, record)
    }

    /// The next thing that became known, in order.
    pub fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Reports what is still open, in the order of the last lines.
    pub fn finish(&mut self) {
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
        let Some(Open {
            mut conversation, scene, cast, number, seen, may_be_a_rest, again, told, size, ..
        }) = self.open.remove(name)
        else {
            return;
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
        let judged = ConversationResult {
            name: name.to_owned(),
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
            let open = self.begin(name)?;
            self.open.insert(name.to_owned(), open);
        }
        self.idle.insert(self.lines, name.to_owned());
        let lines = self.lines;
        let mut open = self.open.get_mut(name);
        if let Some(open) = &mut open {
            open.touched = lines;
        }
        Ok(open)
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
        let counts = self.plan.cast(self.first.program(), name);
        let scene = (self.scenes)(counts)?;
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

    fn judge(&mut self, mark: Mark, record: &Record) -> Result<(), Fault> {
        let name = &record.conversation;
        if self.opened(name)?.is_none() {
            return Ok(());
        }
        let (policy, plan, roles) = (self.policy, &self.plan, self.roles);
        let Some(open) = self.open.get_mut(name) else { return Ok(()) };
        let speaker = open.line(policy, plan, roles, mark, record)?;
        self.look_at(name, speaker);
        Ok(())
    }

    /// Tells what is new of a conversation, which may have come to its end: this agent is asked first.
    fn look_at(&mut self, name: &str, first: AgentId) {
        let Some(open) = self.open.get_mut(name) else { return };
        while let Some(violation) = open.conversation.violations().get(open.told) {
            open.told += 1;
            if !open.may_be_a_rest {
                self.events.push_back(Event::Violation(Box::new(FoundViolation {
                    conversation: name.to_owned(),
                    scene: Rc::clone(&open.scene),
                    cast: open.cast.clone(),
                    violation: violation.clone(),
                })));
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

    /// Passes the time of a line, which other conversations may have waited for.
    fn pass(&mut self, record: &Record) -> Result<(), Fault> {
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
            open.conversation.pass(self.now);
            self.look_at(&name, AgentId::new(0));
        }
        Ok(())
    }
}
