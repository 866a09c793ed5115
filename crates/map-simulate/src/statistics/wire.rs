//! Results as bytes, for processes that share the runs of one scene.

use std::collections::BTreeMap;

use map_ir::{PerformativeId, ProcedureId, Program, SourceSpan};
use map_semantics::BoundHit;

use super::{Answers, CollectedValue, Distribution, EndWord, Statistics, Violations};

/// Ways to end and bounds, in their order, which gives the numbers that stand for them.
const ENDS: [EndWord; 13] = [
    EndWord::Done,
    EndWord::Failure,
    EndWord::Deadlock,
    EndWord::MailboxOverflow,
    EndWord::RunawayRecursion,
    EndWord::RunError,
    EndWord::NoHonestAnswer,
    EndWord::Cut,
    EndWord::AskedInVain,
    EndWord::TooManySteps,
    EndWord::TooManyCalls,
    EndWord::Unanswered,
    EndWord::Stopped,
];
const CUTS: [BoundHit; 2] = [BoundHit::Depth, BoundHit::Rounds];

impl Statistics {
    /// The results as bytes, which [`Statistics::from_bytes`] reads in a process with the same program.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { runs, ends, messages, answers, steps, cuts, examples, places, violations, collected } =
            self;
        let mut out = Out(Vec::new());
        out.number(*runs);
        out.table(ends, |&end, &runs| [end as u64, runs]);
        out.table(messages, |&id, &sent| [id.index() as u64, sent]);
        out.table(answers, |&id, it| [id.index() as u64, it.yes, it.no]);
        out.table(steps, |&steps, &runs| [steps, runs]);
        out.table(cuts, |&cut, &runs| [cut as u64, runs]);
        out.table(examples, |&end, &(number, seed)| [end as u64, number, seed]);
        out.table(places, |&(end, span), &runs| {
            [end as u64, u64::from(span.start), u64::from(span.end), runs]
        });
        out.table(violations, |&property, &Violations { runs, first: (number, seed) }| {
            [property as u64, runs, number, seed]
        });
        out.number(collected.len() as u64);
        collected.iter().for_each(|it| out.distribution(it));
        out.0
    }

    /// Reads results of the same program. `None` if these are none.
    #[must_use]
    pub fn from_bytes(bytes: &[u8], program: &Program) -> Option<Self> {
        let mut from = From(bytes);
        let end = |number: u64| ENDS.get(usize::try_from(number).ok()?).copied();
        let within = |number: u64, len: usize| usize::try_from(number).ok().filter(|&it| it < len);
        let small = |number: u64| u32::try_from(number).ok();
        let read = Self {
            runs: from.number()?,
            ends: from.table(|[key, runs]| Some((end(key)?, runs)))?,
            messages: from.table(|[id, sent]| {
                Some((PerformativeId::new(within(id, program.performatives.len())?), sent))
            })?,
            answers: from.table(|[id, yes, no]| {
                Some((ProcedureId::new(within(id, program.procedures.len())?), Answers { yes, no }))
            })?,
            steps: from.table(|[steps, runs]| Some((steps, runs)))?,
            cuts: from.table(|[cut, runs]| Some((*CUTS.get(usize::try_from(cut).ok()?)?, runs)))?,
            examples: from.table(|[key, number, seed]| Some((end(key)?, (number, seed))))?,
            places: from.table(|[key, start, stop, runs]| {
                Some(((end(key)?, SourceSpan { start: small(start)?, end: small(stop)? }), runs))
            })?,
            violations: from.table(|[property, runs, number, seed]| {
                Some((usize::try_from(property).ok()?, Violations { runs, first: (number, seed) }))
            })?,
            collected: {
                let measures = from.number()?;
                (0..measures).map(|_| from.distribution()).collect::<Option<_>>()?
            },
        };
        from.0.is_empty().then_some(read)
    }
}

const _: () = {
    let mut index = 0;
    while index < ENDS.len() {
        assert!(ENDS[index] as usize == index);
        index += 1;
    }
    assert!(CUTS[0] as usize == 0 && CUTS[1] as usize == 1);
};

struct Out(Vec<u8>);

impl Out {
    fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    fn table<K, V, const N: usize>(&mut self, table: &BTreeMap<K, V>, row: impl Fn(&K, &V) -> [u64; N]) {
        self.number(table.len() as u64);
        table.iter().flat_map(|(key, value)| row(key, value)).for_each(|number| self.number(number));
    }
}

impl Out {
    fn distribution(&mut self, Distribution { values, without, stopped }: &Distribution) {
        [*without, *stopped, values.len() as u64].into_iter().for_each(|it| self.number(it));
        for (value, &runs) in values {
            match value {
                CollectedValue::Integer(number) => {
                    self.number(0);
                    self.0.extend(number.to_le_bytes());
                }
                CollectedValue::Word(word) => {
                    self.number(1);
                    self.number(word.len() as u64);
                    self.0.extend(word.as_bytes());
                }
                CollectedValue::Unknown => self.number(2),
            }
            self.number(runs);
        }
    }
}

struct From<'b>(&'b [u8]);

impl From<'_> {
    fn distribution(&mut self) -> Option<Distribution> {
        let (without, stopped, number) = (self.number()?, self.number()?, self.number()?);
        let mut values = BTreeMap::new();
        for _ in 0..number {
            let value = match self.number()? {
                0 => CollectedValue::Integer(self.number()?.cast_signed()),
                1 => {
                    let length = usize::try_from(self.number()?).ok()?;
                    let (word, rest) = self.0.split_at_checked(length)?;
                    self.0 = rest;
                    CollectedValue::Word(std::str::from_utf8(word).ok()?.to_owned())
                }
                2 => CollectedValue::Unknown,
                _ => return None,
            };
            values.insert(value, self.number()?);
        }
        Some(Distribution { values, without, stopped })
    }
}

impl From<'_> {
    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk::<8>()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn table<K: Ord, V, const N: usize>(
        &mut self,
        row: impl Fn([u64; N]) -> Option<(K, V)>,
    ) -> Option<BTreeMap<K, V>> {
        let rows = self.number()?;
        let mut table = BTreeMap::new();
        for _ in 0..rows {
            let mut numbers = [0; N];
            for number in &mut numbers {
                *number = self.number()?;
            }
            let (key, value) = row(numbers)?;
            table.insert(key, value);
        }
        Some(table)
    }
}
