//! Questions are answered by all threads, each by one. What comes of it does not depend on their number.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use super::question::{Hindrance, Question, Reply, Subject};
use crate::budget::{Budget, Limit, Limits, Progress, Snapshot};

#[cfg(test)]
mod tests;

/// Whoever says whether to go on. Once the answer is no, nobody is asked any more: what is begun then is in a hurry.
pub(super) struct Caller<'p> {
    progress: &'p mut dyn Progress,
    statistics: Snapshot,
    /// Why there is no more time.
    limit: Option<Limit>,
}

impl<'p> Caller<'p> {
    /// `limit` is the one that ended the search.
    pub(super) fn new(progress: &'p mut dyn Progress, statistics: Snapshot, limit: Option<Limit>) -> Self {
        let limit = limit.filter(|it| matches!(it, Limit::Time | Limit::Interrupted));
        Self { progress, statistics, limit }
    }

    fn ask(&mut self) -> Option<Limit> {
        if self.limit.is_none() {
            self.limit = self.progress.tick(&self.statistics);
        }
        self.limit
    }
}

/// What threads tell the one that waits for them.
enum Told {
    /// Some time has passed.
    Tick,
    /// The reply to the question of this number.
    Reply(usize, Reply),
}

/// The replies to questions, in order. `limits` says how many threads there may be, and what they may use together.
pub(super) fn answer_all(
    questions: &[Question],
    subject: &Subject<'_>,
    limits: &Limits,
    caller: &mut Caller<'_>,
) -> Vec<Reply> {
    let threads = limits.threads.get().min(questions.len());
    let work = questions.len().saturating_mul(subject.graphs.all.transition_count());
    if threads < 2 || work < limits.tuning.worth_sharing {
        return questions.iter().map(|it| answer_alone(it, subject, limits, caller)).collect();
    }
    let each = Limits { memory: limits.memory / threads, ..*limits };
    let replies = answer_by_threads(questions, subject, &each, threads, caller);
    let again = |(reply, question): (Reply, &Question)| match reply {
        // A share of the memory was not enough: all of it may be.
        Reply::Unanswered(Hindrance::Limit(Limit::Memory)) => answer_alone(question, subject, limits, caller),
        reply => reply,
    };
    replies.into_iter().zip(questions).map(again).collect()
}

fn answer_alone(
    question: &Question,
    subject: &Subject<'_>,
    limits: &Limits,
    caller: &mut Caller<'_>,
) -> Reply {
    let hurried = caller.limit.is_some();
    let mut tick = || if hurried { None } else { caller.ask() };
    question.answer(subject, hurried, &mut Budget::alone(limits, &mut tick))
}

fn answer_by_threads(
    questions: &[Question],
    subject: &Subject<'_>,
    each: &Limits,
    threads: usize,
    caller: &mut Caller<'_>,
) -> Vec<Reply> {
    let next = AtomicUsize::new(0);
    let limit = Mutex::new(caller.limit);
    let mut replies: Vec<Option<Reply>> = questions.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let (teller, told) = channel();
        for _ in 0..threads {
            let teller = teller.clone();
            let worker = Worker { questions, subject, limits: each, next: &next, limit: &limit };
            scope.spawn(move || worker.work(&teller));
        }
        drop(teller);
        // Until all have ended.
        for it in told {
            match it {
                Told::Tick => *limit.lock().expect(NO_PANIC) = caller.ask(),
                Told::Reply(index, reply) => replies[index] = Some(reply),
            }
        }
    });
    replies.into_iter().map(|reply| reply.expect("every question is taken by a thread")).collect()
}

const NO_PANIC: &str = "no thread panics";

/// One of several threads.
struct Worker<'w, 'g> {
    questions: &'w [Question],
    subject: &'w Subject<'g>,
    /// What it may use itself.
    limits: &'w Limits,
    /// The first question that nobody has taken.
    next: &'w AtomicUsize,
    /// What the caller has said.
    limit: &'w Mutex<Option<Limit>>,
}

impl Worker<'_, '_> {
    fn work(&self, teller: &Sender<Told>) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(question) = self.questions.get(index) else { return };
            let said = || *self.limit.lock().expect(NO_PANIC);
            let hurried = said().is_some();
            let mut tick = || {
                // If nobody listens any more, that is found out by the reply.
                let _ = teller.send(Told::Tick);
                if hurried { None } else { said() }
            };
            let mut budget = Budget::alone(self.limits, &mut tick);
            let reply = question.answer(self.subject, hurried, &mut budget);
            if teller.send(Told::Reply(index, reply)).is_err() {
                return;
            }
        }
    }
}
