//! Answers questions in parallel, each by one thread. The replies do not depend on the number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

use super::question::{Hindrance, Question, Reply, Subject};
use crate::budget::{Budget, Limit, Limits, Progress, Snapshot};

#[cfg(test)]
mod tests;

/// The caller's progress callback. Once it has returned a limit it is not called again; questions begun after that
/// are answered in a hurry.
pub(super) struct Caller<'p> {
    progress: &'p mut dyn Progress,
    statistics: Snapshot,
    /// The limit it returned.
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

/// A message from a worker to the waiting thread.
enum Message {
    /// Some time has passed.
    Tick,
    /// The reply to the question of this number.
    Reply(usize, Reply),
}

/// The replies to questions, in order. `limits` gives the number of threads, and the memory they may use together.
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
    let again = |(reply, question): (Option<Reply>, &Question)| match reply {
        // All of the memory may suffice where a share did not; and the system may have granted no thread.
        None | Some(Reply::Unanswered(Hindrance::Limit(Limit::Memory | Limit::NoRoom))) => {
            answer_alone(question, subject, limits, caller)
        }
        Some(reply) => reply,
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

/// The replies of as many threads as the system grants; if none, there are no replies.
fn answer_by_threads(
    questions: &[Question],
    subject: &Subject<'_>,
    each: &Limits,
    threads: usize,
    caller: &mut Caller<'_>,
) -> Vec<Option<Reply>> {
    let next = AtomicUsize::new(0);
    let limit = Mutex::new(caller.limit);
    let mut replies: Vec<Option<Reply>> = questions.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        let (sender, messages) = channel();
        for _ in 0..threads {
            let sender = sender.clone();
            let worker = Worker { questions, subject, limits: each, next: &next, limit: &limit };
            if Builder::new().spawn_scoped(scope, move || worker.work(&sender)).is_err() {
                break;
            }
        }
        drop(sender);
        // Ends when all workers have ended.
        for it in messages {
            match it {
                Message::Tick => *limit.lock().expect(NO_PANIC) = caller.ask(),
                Message::Reply(index, reply) => replies[index] = Some(reply),
            }
        }
    });
    replies
}

const NO_PANIC: &str = "no thread panics";

/// One of several worker threads.
struct Worker<'w, 'g> {
    questions: &'w [Question],
    subject: &'w Subject<'g>,
    /// The limits of this thread alone.
    limits: &'w Limits,
    /// Index of the next unclaimed question.
    next: &'w AtomicUsize,
    /// The limit returned by the caller.
    limit: &'w Mutex<Option<Limit>>,
}

impl Worker<'_, '_> {
    fn work(&self, sender: &Sender<Message>) {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(question) = self.questions.get(index) else { return };
            let limit_now = || *self.limit.lock().expect(NO_PANIC);
            let hurried = limit_now().is_some();
            let mut tick = || {
                // A closed channel is noticed when the reply is sent.
                let _ = sender.send(Message::Tick);
                if hurried { None } else { limit_now() }
            };
            let mut budget = Budget::alone(self.limits, &mut tick);
            let reply = question.answer(self.subject, hurried, &mut budget);
            if sender.send(Message::Reply(index, reply)).is_err() {
                return;
            }
        }
    }
}
