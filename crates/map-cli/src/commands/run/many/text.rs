//! The statistics as text.

use std::fmt::Write as _;

use map_explain::{Teller, bounds, tone_of};
use map_ir::SourceSpan;
use map_simulate::EndWord;

use super::{Counted, Violated};
use crate::commands::run::repeat;
use crate::exit::Exit;
use crate::numbers::{counted, grouped};
use crate::style;

/// The most bins of the histogram.
const BINS: u64 = 12;

/// The length of the longest bar of the histogram, in characters.
const BAR: u64 = 40;

/// The most places listed for one kind of end.
const PLACES: usize = 5;

impl Counted<'_> {
    pub(super) fn text(&self) -> String {
        let teller = Teller::new(&self.loaded.source, self.program);
        let mut text = self.headline();
        text.push_str(&self.ends(&teller));
        text.push_str(&self.violations());
        if self.found.runs > 0 {
            text.push_str(&self.steps());
            text.push_str(&self.messages(&teller));
            text.push_str(&self.answers());
        }
        let fine = [
            "intervals: 95 %; of shares Wilson's score interval, of the mean the normal approximation"
                .to_owned(),
            format!("bounds: {}", bounds::bounds(&teller, self.bounds)),
        ];
        for line in fine {
            let _ = writeln!(text, "{}", style::aside(line));
        }
        let again = repeat::many(self.args, self.wanted, self.options.seed);
        let _ = writeln!(text, "{} {again}", style::aside("again:"));
        text
    }

    fn headline(&self) -> String {
        let (runs, wanted) = (counted(self.found.runs, "run"), grouped(self.wanted));
        let runs = if self.found.runs < self.wanted {
            style::doubtful(format!("{runs} of {wanted}, interrupted"))
        } else {
            runs
        };
        let scene = style::head(&self.program.scene);
        let cast = style::aside(bounds::cast(self.program));
        let (file, seed) = (self.loaded.source.name(), self.options.seed);
        format!("{file}  {scene}  {runs}, seed {seed}\n{cast}\n\n")
    }

    /// How the runs ended, where, and the first run of each kind.
    fn ends(&self, teller: &Teller<'_>) -> String {
        let mut text = String::new();
        for (&end, &runs) in &self.found.ends {
            let (share, low, high) = self.found.share(end);
            let interval = format!("{} .. {} %", percent(low), percent(high));
            let pad = " ".repeat(18_usize.saturating_sub(end.word().len()));
            let _ = writeln!(
                text,
                "{}{pad} {:>12}  {:>6} %  {}",
                style::verdict(tone_of(end), end.word()),
                grouped(runs),
                percent(share),
                style::aside(interval)
            );
            if Exit::of_run(end) != Exit::Fine {
                text.push_str(&self.places(teller, end));
            }
            if end == EndWord::TooManySteps {
                let limit = grouped(self.options.max_steps);
                let _ =
                    writeln!(text, "    stopped by --max-steps {limit}; how they would go on is not known");
            }
            for (bound, &runs) in self.found.cuts.iter().filter(|_| end == EndWord::Cut) {
                let _ = writeln!(text, "    {} cut {}", bound.flag(), counted(runs, "run"));
            }
            if let Some(&(_, seed)) = self.found.examples.get(&end) {
                let _ = writeln!(text, "    {} {}", style::aside("first:"), repeat::one(self.args, seed));
            }
        }
        text + "\n"
    }

    /// For each property the runs that violate it, and the first one.
    fn violations(&self) -> String {
        let mut text = String::new();
        for Violated { name, runs, share: (share, low, high), first } in self.properties() {
            let words = match runs {
                0 => "violated in no run".to_owned(),
                _ => style::bad(format!("violated in {}", counted(runs, "run"))),
            };
            let interval = style::aside(format!("{} .. {} %", percent(low), percent(high)));
            let _ = writeln!(text, "property {name}  {words}, {} %  {interval}", percent(share));
            if let Some((_, seed)) = first {
                let _ = writeln!(text, "    {} {}", style::aside("first:"), repeat::one(self.args, seed));
            }
        }
        if text.is_empty() { text } else { text + "\n" }
    }

    /// The places where the runs of one kind ended, most frequent first.
    fn places(&self, teller: &Teller<'_>, end: EndWord) -> String {
        let mut places: Vec<(SourceSpan, u64)> = self
            .found
            .places
            .iter()
            .filter(|((it, _), _)| *it == end)
            .map(|((_, span), &n)| (*span, n))
            .collect();
        places.sort_by_key(|&(span, runs)| (std::cmp::Reverse(runs), span));
        let mut text = String::new();
        for &(span, runs) in places.iter().take(PLACES) {
            let (place, quoted) = (teller.place(span), teller.quote(span));
            let _ = writeln!(text, "    {} in {}: {quoted}", place, counted(runs, "run"));
        }
        if places.len() > PLACES {
            let more = grouped((places.len() - PLACES) as u64);
            let _ = writeln!(text, "    and {more} more places");
        }
        text
    }

    fn steps(&self) -> String {
        let found = &self.found;
        let quantile = |percent| grouped(found.quantile(percent).unwrap_or(0));
        let mut text =
            format!("steps of a run: {} to {}, mean {:.2}", quantile(0), quantile(100), found.mean_steps());
        if let Some((low, high)) = found.mean_steps_interval() {
            text.push_str(&style::aside(format!(" ({low:.2} .. {high:.2})")));
        }
        let _ = writeln!(text, ", quartiles {}, {}, {}", quantile(25), quantile(50), quantile(75));
        let bins = found.histogram(BINS);
        let most = bins.iter().map(|bin| bin.runs).max().unwrap_or(0).max(1);
        let width = bins.last().map_or(0, |bin| grouped(bin.to).len());
        for bin in &bins {
            let bar = u128::from(bin.runs) * u128::from(BAR);
            let bar = "#".repeat(bar.div_ceil(u128::from(most)) as usize);
            let (from, to) = (grouped(bin.from), grouped(bin.to));
            let range = if bin.from == bin.to {
                format!("{:width$}    {to:>width$}", "")
            } else {
                format!("{from:>width$} .. {to:>width$}")
            };
            let _ = writeln!(text, "{}", format!("  {range} {:>12}  {bar}", grouped(bin.runs)).trim_end());
        }
        text + "\n"
    }

    fn messages(&self, teller: &Teller<'_>) -> String {
        if self.found.messages.is_empty() {
            return "no messages\n\n".to_owned();
        }
        let names = self.found.messages.keys().map(|&it| teller.performative(it));
        let rows = names.zip(self.found.messages.values()).map(|(name, &sent)| {
            let mean = sent as f64 / self.found.runs as f64;
            (name, grouped(sent), format!("{mean:.2} a run"))
        });
        table("messages, for each recipient", rows.collect())
    }

    fn answers(&self) -> String {
        if self.found.answers.is_empty() {
            return String::new();
        }
        let rows = self.found.answers.iter().map(|(&procedure, answers)| {
            let procedure = self.program.procedure(procedure);
            let asked = answers.yes + answers.no;
            let share = match procedure.may_refuse {
                true => format!("{} % yes", percent(answers.yes as f64 / asked as f64)),
                false => String::new(),
            };
            (procedure.name.clone(), grouped(asked), share)
        });
        table("answers, in steps that were made", rows.collect())
    }
}

/// A table with a heading; each row is a name, a number and a remark.
fn table(heading: &str, rows: Vec<(String, String, String)>) -> String {
    let name = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0);
    let number = rows.iter().map(|row| row.1.len()).max().unwrap_or(0);
    let remark = rows.iter().map(|row| row.2.len()).max().unwrap_or(0);
    let mut text = format!("{heading}\n");
    for row in rows {
        let line = format!("  {:name$}  {:>number$}  {:>remark$}", row.0, row.1, row.2);
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text + "\n"
}

/// A share in percent, with one decimal, or four where one would round it to 0 or 100 %.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.05 || percent < 100.0 && percent > 99.95 {
        format!("{percent:.4}")
    } else {
        format!("{percent:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn shares_never_look_like_none_or_all_when_they_are_not() {
        assert_eq!(percent(0.0), "0.0");
        assert_eq!(percent(0.0001), "0.0100");
        assert_eq!(percent(0.5), "50.0");
        assert_eq!(percent(0.9999), "99.9900");
        assert_eq!(percent(1.0), "100.0");
    }
}
