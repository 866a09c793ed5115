//! What was found for any number of agents of a role, in words.

pub mod costs;
mod evidence;
mod obstacle;
pub mod page;
pub mod properties;

use std::fmt::Write as _;
use std::time::Duration;

use map_diagnostics::Severity;
use map_ir::{Program, RoleId};
use map_session::{AnyAnswer, PropertySelection};
use map_verify::Limit;
use map_views::{AnyVerdict, Attempt, Habit, Obstacle, Precision, Theorem};

use self::evidence::range;
use self::obstacle::{About, counted_views};
use self::properties::line;
use crate::{Role, Text, Tone, bounds, grouped, in_words, seconds};

pub use self::obstacle::NoProof;

/// Properties for which views were searched that long are named, if they are no more than this.
const SLOW: Duration = Duration::from_secs(1);
const MOST_SLOW: usize = 3;

/// How an answer is presented.
#[derive(Clone, Copy)]
pub struct AnyPresentation<'a> {
    /// Other roles of which there may be any number; here each has a number.
    pub others: &'a [&'a str],
    /// Whether a proof that rests on fairness is not enough.
    pub denies_fairness: bool,
    /// Whether it was interrupted: otherwise its time was up.
    pub interrupted: bool,
}

/// An answer, and how it is presented.
#[derive(Clone, Copy)]
struct AnyTelling<'a> {
    found: &'a AnyAnswer,
    how: AnyPresentation<'a>,
}

/// Whether the answer is good news.
#[must_use]
pub fn tone(found: &AnyAnswer, how: AnyPresentation<'_>) -> Tone {
    match &found.answer.verdict {
        _ if found.violated().is_some() => Tone::Bad,
        // What is not known of a mailbox or a property for want of time or room may be a violation.
        _ if found.may_overflow().is_some() || found.is_stopped() => Tone::Doubtful,
        AnyVerdict::Proved(Theorem::TerminatesIfFair(_)) if how.denies_fairness => Tone::Bad,
        AnyVerdict::Proved(Theorem::Terminates | Theorem::TerminatesIfFair(_)) => Tone::Good,
        AnyVerdict::Violated(_) => Tone::Bad,
        // That nothing goes wrong does not tell whether it ends.
        AnyVerdict::Proved(Theorem::NothingGoesWrong)
        | AnyVerdict::NoProof(_)
        | AnyVerdict::NotVerified(_) => Tone::Doubtful,
    }
}

/// One line: the file and the verdict.
#[must_use]
pub fn in_line(found: &AnyAnswer, how: AnyPresentation<'_>) -> Text {
    let words = AnyTelling { found, how }.verdict_in_words();
    let tone = match &found.answer.verdict {
        AnyVerdict::Violated(_) => Tone::Bad,
        AnyVerdict::Proved(Theorem::Terminates | Theorem::TerminatesIfFair(_)) => Tone::Good,
        _ => Tone::Doubtful,
    };
    let mut text = Text::plain(format!("{}  ", found.scene.source.name()));
    text.push(Role::Heading, &found.scene.program.scene);
    text.push_str("  ");
    text.push(Role::Verdict(tone), words);
    text.push_str("\n");
    text
}

/// The verdict, and what it rests on.
#[must_use]
pub fn in_short(found: &AnyAnswer, how: AnyPresentation<'_>) -> Text {
    let mut text = in_line(found, how);
    text.push_str(&grounds(found, how));
    text
}

/// The verdict, what it rests on, and all that was tried.
#[must_use]
pub fn in_full(found: &AnyAnswer, how: AnyPresentation<'_>) -> Text {
    let telling = AnyTelling { found, how };
    let mut text = in_short(found, how);
    for attempt in &found.answer.attempts {
        let (views, came) = (telling.views_in_words(attempt), telling.came_of(attempt));
        let _ = writeln!(text, "tried: {views}: {came}");
    }
    text
}

/// The verdict, and what number of agents it is about.
#[must_use]
pub fn verdict_in_words(found: &AnyAnswer, how: AnyPresentation<'_>) -> String {
    AnyTelling { found, how }.verdict_in_words()
}

/// What the verdict rests on, line by line.
#[must_use]
pub fn grounds(found: &AnyAnswer, how: AnyPresentation<'_>) -> String {
    AnyTelling { found, how }.grounds()
}

/// Why there is no proof, if there is none.
#[must_use]
pub fn obstacle(found: &AnyAnswer, how: AnyPresentation<'_>) -> Option<NoProof> {
    AnyTelling { found, how }.obstacle()
}

/// What a proof takes for granted.
#[must_use]
pub fn assumptions(found: &AnyAnswer) -> Vec<String> {
    let Some(proof) = found.proof() else { return Vec::new() };
    let mailboxes = "mailboxes have no bound, for they may grow with the number of agents".to_owned();
    let overflow = "no integer gets too large for 64 bits".to_owned();
    let overflow = proof.precision.no_overflow.then_some(overflow);
    let program = &found.scene.program;
    let set = (!program.set.is_empty()).then(|| format!("cells start as set, {}", program.set.join(", ")));
    [mailboxes].into_iter().chain(overflow).chain(bounds::numbers(program)).chain(set).collect()
}

/// The names of the cells that an attempt tells apart by who has contributed to them.
#[must_use]
pub fn counted_cells(found: &AnyAnswer, attempt: &Attempt) -> Vec<String> {
    let program = &found.scene.program;
    let name = |&(role, cell): &(RoleId, usize)| {
        let (cell, _) = program.memories[role.index()].cells[cell];
        format!("@{}", program.cell_name(cell))
    };
    attempt.counted.iter().map(name).collect()
}

/// The habits that a proof rests on: procedures, and whether they have to answer or to say "no".
#[must_use]
pub fn habits(found: &AnyAnswer) -> &[Habit] {
    match &found.answer.verdict {
        AnyVerdict::Proved(Theorem::TerminatesIfFair(habits)) => habits,
        _ => &[],
    }
}

impl<'a> AnyTelling<'a> {
    /// The scene with two agents of the role or more.
    fn program(self) -> &'a Program {
        &self.found.scene.program
    }

    /// The verdict, and what number of agents it is about.
    fn verdict_in_words(self) -> String {
        let (role, from) = (self.found.question.role.as_str(), self.found.answer.from);
        let least = if from > 1 { format!(" from {from} on") } else { String::new() };
        match &self.found.answer.verdict {
            AnyVerdict::Violated(count) => format!("{}, with {role}={count}", self.found.verdict().words()),
            _ => format!("{}, for any number of %{role}{least}", self.found.verdict().words()),
        }
    }

    /// What the verdict rests on, line by line.
    fn grounds(self) -> String {
        let (role, from) = (self.found.question.role.as_str(), self.found.answer.from);
        let mut text = String::new();
        if from > self.found.question.from {
            let _ = writeln!(
                text,
                "nothing is said of {role}={}: {}",
                range(self.found.question.from, from - 1),
                self.error()
            );
        }
        if let Some(proof) = self.found.proof() {
            let least = in_words(proof.precision.seen + 1);
            let (views, took) = (self.views_in_words(proof), seconds(self.found.took));
            let _ = writeln!(text, "proved for {least} or more from {views} ({took})");
        }
        if !matches!(self.found.answer.verdict, AnyVerdict::Violated(_)) {
            for line in evidence::lines(&self.found.answer, role, self.program()) {
                let _ = writeln!(text, "{line}");
            }
        }
        if let Some(count) = self.found.may_overflow() {
            let mailbox = grouped(self.found.scene.bounds.mailbox.into());
            let _ = writeln!(
                text,
                "not known: whether a mailbox of {mailbox} overflows with {role}={count}; to go on: raise --max-states, \
                 or --agents {role}={count}"
            );
        }
        if let Some(habits) = self.habits() {
            let least = self.found.proof().map_or(2, |proof| proof.precision.seen + 1);
            let least = in_words(least);
            let _ = writeln!(text, "{least} or more can always still end: they do whenever {habits}");
        }
        if self.found.answer.verdict == AnyVerdict::Proved(Theorem::NothingGoesWrong) {
            text.push_str("whether all can always still end is not known\n");
        }
        if let Some(NoProof { what, why, advice }) = self.obstacle() {
            let _ = writeln!(text, "{what}: {why}");
            let _ = writeln!(text, "to go on: {advice}");
        }
        for role in self.how.others {
            let agents = self.program().cast().map(|agent| self.program().agent(agent).role);
            let count = agents.filter(|&it| self.program().role_name(it) == *role).count();
            let _ = writeln!(text, "here {role}={count}; any number of %{role} is another question");
        }
        for property in self.found.properties.iter().flatten() {
            let _ = writeln!(text, "{}", line(property, role));
        }
        if let Some(slow) = self.slow_properties() {
            let _ = writeln!(text, "{slow}");
        }
        if let Some(count) = self.properties_not_judged() {
            let next = from.max(3);
            let what = if count == 1 { "1 property".to_owned() } else { format!("{count} properties") };
            let _ = writeln!(text, "not judged: {what}, which --agents {role}={next} judges");
        }
        for cost in &self.found.costs {
            for line in costs::lines(cost, role, self.found.question.from.max(from)) {
                let _ = writeln!(text, "{line}");
            }
        }
        for cost in map_syntax::parse(&self.found.scene.source).file.costs() {
            let (name, next) = (&cost.name.text, from.max(3));
            if self.found.costs.iter().all(|it| it.name != *name) {
                let _ = writeln!(
                    text,
                    "not added up: cost {name}, which --agents {role}={next} adds up for {next}"
                );
            }
        }
        for assumption in assumptions(self.found) {
            let _ = writeln!(text, "assumed: {assumption}");
        }
        if self.how.denies_fairness
            && matches!(self.found.answer.verdict, AnyVerdict::Proved(Theorem::TerminatesIfFair(_)))
        {
            text.push_str("denied: a run can go on for ever (--deny if-fair)\n");
        }
        text
    }

    /// What is wrong with the text with the least number of agents that was asked for.
    fn error(self) -> String {
        let compilation = self.found.question.compile(self.found.question.from, PropertySelection::Nothing);
        let first = compilation.diagnostics.iter().find(|it| it.severity() == Severity::Error);
        first.map_or_else(
            || "it is another scene".to_owned(),
            |error| format!("with it the text has an error, {} ({})", error.text, error.code.as_str()),
        )
    }

    /// The properties that took most of the time, if they took long.
    fn slow_properties(self) -> Option<String> {
        let judged = self.found.properties.as_deref()?;
        let longest = judged.iter().map(|it| it.took).max().filter(|&took| took >= SLOW)?;
        let slow: Vec<&str> =
            judged.iter().filter(|it| it.took == longest).map(|it| it.name.as_str()).collect();
        let (took, whole) = (seconds(longest), seconds(self.found.took));
        let most = longest * 2 >= self.found.took && slow.len() <= MOST_SLOW;
        most.then(|| format!("{took} of {whole} went into {}; --only leaves properties out", slow.join(", ")))
    }

    /// How many properties the file has, if they should have been judged and were not.
    fn properties_not_judged(self) -> Option<usize> {
        let judged = self.found.question.properties.as_ref()?;
        let count = match judged.only.len() {
            0 => map_syntax::parse(&self.found.scene.source).file.properties().count(),
            named => named,
        };
        let count = count + judged.given.len();
        (count > 0 && self.found.properties.is_none()).then_some(count)
    }

    /// The answers with which all agents end if there are two of the role or more, in words; none if the verdict
    /// needs no such.
    fn habits(self) -> Option<String> {
        if !matches!(self.found.answer.verdict, AnyVerdict::Proved(Theorem::TerminatesIfFair(_))) {
            return None;
        }
        let words = habits(self.found).iter().map(|&(procedure, answers)| {
            let name = &self.program().procedure(procedure).name;
            if answers { format!("{name} answers") } else { format!("{name} says \"no\"") }
        });
        let words: Vec<String> = words.collect();
        Some(if words.is_empty() {
            "no decision says \"no\" for ever".to_owned()
        } else {
            words.join(" and ")
        })
    }

    /// How many views an attempt had, and what they show.
    fn views_in_words(self, attempt: &Attempt) -> String {
        let Precision { seen, copies, copies_of_others, no_overflow, .. } = attempt.precision;
        let mut words = format!("{} of {} of them", counted_views(attempt.views), in_words(seen));
        let cells = counted_cells(self.found, attempt);
        if !cells.is_empty() {
            let _ = write!(words, ", counting {}", cells.join(" and "));
        }
        for (copies, usual, whose) in [(copies, 2, ""), (copies_of_others, 1, " of those not seen")] {
            if copies > usual {
                let _ = write!(words, ", telling {} copies{whose} apart", in_words(usize::from(copies)));
            }
        }
        if no_overflow {
            words.push_str(", if no integer gets too large");
        }
        words
    }

    /// What came of an attempt.
    fn came_of(self, attempt: &Attempt) -> String {
        match attempt.result {
            Ok(Theorem::Terminates) => "terminates".to_owned(),
            Ok(Theorem::TerminatesIfFair(_)) => "terminates if fair".to_owned(),
            Ok(Theorem::NothingGoesWrong) => "no failure and no deadlock".to_owned(),
            Err(Obstacle::TooMany) => "not all views".to_owned(),
            Err(obstacle) => NoProof::of(obstacle, self.about()).what,
        }
    }

    fn about(self) -> About<'a> {
        About {
            role: self.found.question.role.as_str(),
            source: &self.found.scene.source,
            program: self.program(),
            next: self.found.answer.first_unverified().unwrap_or(self.found.question.from.max(3)),
            most: self.found.most,
            interrupted: self.how.interrupted,
        }
    }

    fn obstacle(self) -> Option<NoProof> {
        let role = self.found.question.role.as_str();
        match self.found.answer.verdict {
            AnyVerdict::NoProof(it) => Some(NoProof::of(it, self.about())),
            AnyVerdict::NotVerified(count) => {
                let report = self.found.answer.concrete.last().map(|(_, report)| report);
                let (why, advice) = match report.and_then(|it| it.limit) {
                    Some(Limit::Interrupted) => ("it was interrupted", "let it run longer".to_owned()),
                    Some(Limit::States) => ("there are too many states", "raise --max-states".to_owned()),
                    Some(Limit::Memory) => ("there was no memory for it", "raise --max-memory".to_owned()),
                    Some(Limit::Time) => ("there was no time for it", "raise --time-limit".to_owned()),
                    Some(Limit::NoRoom | Limit::Calls | Limit::NoFirstState) => (
                        "its search cannot go on",
                        format!("--agents {role}={count} says why: verify that first"),
                    ),
                    None => {
                        let flags = report.map_or(&[][..], |it| &it.cut_by).iter().map(|bound| bound.flag());
                        let flags: Vec<&str> = flags.collect();
                        ("bounds cut some of its steps", format!("raise {}", flags.join(" and ")))
                    }
                };
                Some(NoProof {
                    what: format!("not known for {role}={count}, which is verified by itself"),
                    why: why.to_owned(),
                    advice: if self.found.question.limits.states().is_none() && advice == "raise --max-states"
                    {
                        format!("raise --max-states, which is {} here", grouped(self.found.most as u64))
                    } else {
                        advice
                    },
                })
            }
            _ => None,
        }
    }
}
