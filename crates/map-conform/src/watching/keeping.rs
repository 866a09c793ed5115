//! Keeps what is known of a log in the middle of it, and goes on from there in a later process: as lines of JSON.
//!
//! Monitors are not kept. Of each conversation that is open there is all that has happened to it, which happens again.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use map_ir::AgentId;
use serde::{Deserialize, Serialize};

use super::account::Account;
use super::ended::{Ended, KeptEnd, Past};
use super::history::{Happening, from_bits};
use super::lost::LostLines;
use super::open::Open;
use super::plan::Plan;
use super::undecided::Undecided;
use super::{Policy, Watcher, clock::Clock};
use crate::cast::Roles;
use crate::record::{Fault, Record};
use crate::report::Mark;

/// What is known of all conversations.
#[derive(Serialize, Deserialize)]
struct KeptLog {
    lines: u64,
    now: u64,
    begun: u64,
    clock: Mark,
    account: Account,
    lost: Vec<(u64, Mark)>,
    refused: BTreeMap<String, Fault>,
    some_are_lost: bool,
    undecided: Undecided,
}

/// A conversation that is followed, before what has happened to it.
#[derive(Serialize, Deserialize)]
struct KeptOpen {
    name: String,
    number: u64,
    touched: u64,
    known: u64,
    told: usize,
    may_be_a_rest: bool,
    after: Option<KeptEnd>,
}

/// A line of what is kept.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KeptLine {
    Log(Box<KeptLog>),
    /// A conversation that has ended; `None` if it was given up.
    Ended(String, Option<KeptEnd>),
    /// One that is open; what has happened to it follows.
    Open(Box<KeptOpen>),
}

impl Watcher<'_> {
    /// Writes what has to be known to go on after the last line, as lines of JSON. The policy has to ask for it.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn keep(&self, out: &mut impl Write) -> io::Result<()> {
        let mut line = |line: &KeptLine| {
            serde_json::to_writer(&mut *out, line)?;
            out.write_all(b"\n")
        };
        line(&KeptLine::Log(Box::new(KeptLog {
            lines: self.lines,
            now: self.now,
            begun: self.begun,
            clock: self.clock.latest(),
            account: self.account.clone(),
            lost: self.lost.all().to_vec(),
            refused: self.refused.iter().map(|(name, fault)| (name.clone(), fault.clone())).collect(),
            some_are_lost: self.ended.some_are_lost,
            undecided: self.undecided.clone(),
        })))?;
        let joinable = self.first.program().agents.len();
        for (name, past) in self.ended.in_order() {
            let end = match past {
                Past::Ended(settled) => Some(settled.kept(joinable)),
                Past::GivenUp => None,
            };
            line(&KeptLine::Ended(name.to_owned(), end))?;
        }
        for name in self.idle.values() {
            let Some((open, history)) = self.open.get(name).and_then(|it| Some((it, it.history.as_ref()?)))
            else {
                continue;
            };
            let kept = KeptOpen {
                name: name.clone(),
                number: open.number,
                touched: open.touched,
                known: open.known,
                told: open.told,
                may_be_a_rest: open.may_be_a_rest,
                after: history.after.clone(),
            };
            serde_json::to_writer(&mut *out, &KeptLine::Open(Box::new(kept)))?;
            out.write_all(b"\n")?;
            out.write_all(history.lines().as_bytes())?;
        }
        Ok(())
    }

    /// Goes on from what another watcher of the same scene and with the same policy has kept. To be called before the
    /// first line. What has been told is not told again.
    ///
    /// # Errors
    /// What is wrong with a line.
    pub fn go_on<'l>(&mut self, lines: impl IntoIterator<Item = &'l str>) -> Result<(), String> {
        let mut open: Option<(KeptOpen, Open)> = None;
        for line in lines {
            if let Ok(happening) = serde_json::from_str::<Happening<Record>>(line) {
                let Some((_, open)) = &mut open else {
                    return Err("an event belongs to no conversation".to_owned());
                };
                open.happens(&self.policy, &self.plan, &self.roles, happening);
                continue;
            }
            self.take_up(open.take());
            match serde_json::from_str(line).map_err(|error| error.to_string())? {
                KeptLine::Log(log) => self.go_on_with(*log),
                KeptLine::Ended(name, end) => {
                    let past = match end {
                        Some(end) => Past::Ended(Box::new(end.settled(&self.first)?)),
                        None => Past::GivenUp,
                    };
                    self.ended.insert(&name, past);
                }
                KeptLine::Open(kept) => {
                    let mut begun = match &kept.after {
                        Some(end) => Open::again(end.clone().settled(&self.first)?, kept.known),
                        None => Open::new(Arc::clone(&self.first), kept.number, kept.known),
                    };
                    begun.keep_history(kept.after.clone());
                    open = Some((*kept, begun));
                }
            }
        }
        self.take_up(open);
        Ok(())
    }

    fn go_on_with(&mut self, log: KeptLog) {
        let KeptLog { lines, now, begun, clock, account, lost, refused, some_are_lost, undecided } = log;
        (self.lines, self.now, self.begun, self.account) = (lines, now, begun, account);
        self.clock = Clock::at(clock);
        self.undecided = undecided;
        self.lost = LostLines::from(lost);
        self.refused = refused.into_iter().collect();
        self.ended = Ended::new(self.policy.max_conversations);
        self.ended.some_are_lost = some_are_lost;
    }

    /// Follows a conversation again to which everything has happened.
    fn take_up(&mut self, found: Option<(KeptOpen, Open)>) {
        let Some((kept, mut open)) = found else { return };
        open.touched = kept.touched;
        open.known = kept.known;
        open.told = kept.told;
        open.may_be_a_rest = kept.may_be_a_rest;
        self.idle.insert(kept.touched, kept.name.clone());
        self.open.insert(kept.name.clone(), open);
        self.track(&kept.name);
    }
}

impl Open {
    /// Lets happen again what has happened to it.
    pub(super) fn happens(
        &mut self,
        policy: &Policy,
        plan: &Plan,
        roles: &Roles,
        happening: Happening<Record>,
    ) {
        match happening {
            // A line that could not be used then cannot be used now: its gap is the next event.
            Happening::Record(mark, mut record) => {
                record.args.iter_mut().for_each(from_bits);
                drop(self.line(policy, plan, roles, mark, &record));
            }
            Happening::Gap(mark, agents) => {
                let most = self.scene.program().agents.len();
                let known = agents.into_iter().filter(|&agent| agent < most);
                let agents: Vec<AgentId> = known.map(AgentId::new).collect();
                self.concern(mark, &agents);
            }
            Happening::DoubtBeginning(mark) => self.doubt_beginning(mark),
            Happening::Pass(now) => self.pass(now),
            Happening::Expire(clock) => self.expire(clock),
        }
    }
}
