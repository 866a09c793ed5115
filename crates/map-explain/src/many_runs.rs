//! How many runs came out, in words.

mod collected;

use std::fmt::Write as _;

use map_ir::SourceSpan;
use map_session::{ManyRuns, ViolatingRuns};
use map_simulate::EndWord;

use crate::{Namer, Role, Text, Tone, bounds, counted, grouped, tone_of};

/// The most bins of the histogram.
const BINS: u64 = 12;

/// The length of the longest bar of the histogram, in characters.
pub(super) const BAR: u64 = 40;

/// The most places listed for one kind of end.
const PLACES: usize = 5;

/// How to repeat runs.
pub struct Again<'a> {
    /// The command that plays the run with this seed alone.
    pub one: &'a dyn Fn(u64) -> String,
    /// The command that plays all of them.
    pub all: &'a str,
}

/// Many runs, and how to repeat them.
#[derive(Clone, Copy)]
struct Telling<'a> {
    played: &'a ManyRuns,
    again: &'a Again<'a>,
}

/// How many runs came out, in words.
#[must_use]
pub fn in_words(played: &ManyRuns, again: &Again<'_>) -> Text {
    Telling { played, again }.text()
}

impl<'a> Telling<'a> {
    fn text(self) -> Text {
        let namer = Namer::new(&self.played.scene.source, &self.played.scene.program);
        let mut text = self.headline();
        text.append(self.ends(&namer));
        text.append(self.violations());
        if self.played.statistics.runs > 0 {
            text.append(self.steps());
            text.append(collected::in_words(self.played));
            text.push_str(&self.messages(&namer));
            text.push_str(&self.answers());
        }
        let fine = [
            "intervals: 95 %; of shares Wilson's score interval, of the mean the normal approximation"
                .to_owned(),
            format!("bounds: {}", bounds::bounds(&namer, &self.played.scene.bounds)),
        ];
        for line in fine {
            text.push(Role::Aside, line);
            text.push_str("\n");
        }
        text.push(Role::Aside, "again:");
        let _ = writeln!(text, " {}", self.again.all);
        text
    }

    fn headline(self) -> Text {
        let ManyRuns { scene, options, wanted, statistics } = self.played;
        let mut text = Text::plain(format!("{}  ", scene.source.name()));
        text.push(Role::Heading, &scene.program.scene);
        text.push_str("  ");
        let runs = counted(statistics.runs, "run");
        match statistics.runs < *wanted {
            true => {
                let of = grouped(*wanted);
                text.push(Role::Verdict(Tone::Doubtful), format!("{runs} of {of}, interrupted"));
            }
            false => text.push_str(&runs),
        }
        let _ = writeln!(text, ", seed {}", options.seed);
        text.push(Role::Aside, bounds::cast(&scene.program));
        text.push_str("\n\n");
        text
    }

    /// How the runs ended, where, and the first run of each kind.
    fn ends(self, namer: &Namer<'_>) -> Text {
        let found = &self.played.statistics;
        let mut text = Text::default();
        for (&end, &runs) in &found.ends {
            let (share, low, high) = found.share(end);
            let interval = format!("{} .. {} %", percent(low), percent(high));
            let pad = " ".repeat(18_usize.saturating_sub(end.word().len()));
            text.push(Role::Verdict(tone_of(end)), end.word());
            let _ = write!(text, "{pad} {:>12}  {:>6} %  ", grouped(runs), percent(share));
            text.push(Role::Aside, interval);
            text.push_str("\n");
            if tone_of(end) != Tone::Good {
                text.push_str(&self.places(namer, end));
            }
            if end == EndWord::TooManySteps {
                let limit = grouped(self.played.options.max_steps);
                let _ =
                    writeln!(text, "    stopped by --max-steps {limit}; how they would go on is not known");
            }
            for (bound, &runs) in found.cuts.iter().filter(|_| end == EndWord::Cut) {
                let _ = writeln!(text, "    {} cut {}", bound.flag(), counted(runs, "run"));
            }
            if let Some(&(_, seed)) = found.examples.get(&end) {
                self.first(&mut text, seed);
            }
        }
        text.push_str("\n");
        text
    }

    /// How to play a first run of some kind alone.
    fn first(self, text: &mut Text, seed: u64) {
        text.push_str("    ");
        text.push(Role::Aside, "first:");
        let _ = writeln!(text, " {}", (self.again.one)(seed));
    }

    /// For each property the runs that violate it, and the first one.
    fn violations(self) -> Text {
        let mut text = Text::default();
        for ViolatingRuns { name, runs, share: (share, low, high), first } in self.played.properties() {
            let _ = write!(text, "property {name}  ");
            match runs {
                0 => text.push_str("violated in no run"),
                _ => {
                    let runs = counted(runs, "run");
                    text.push(Role::Verdict(Tone::Bad), format!("violated in {runs}"));
                }
            }
            let _ = write!(text, ", {} %  ", percent(share));
            text.push(Role::Aside, format!("{} .. {} %", percent(low), percent(high)));
            text.push_str("\n");
            if let Some((_, seed)) = first {
                self.first(&mut text, seed);
            }
        }
        if !text.is_empty() {
            text.push_str("\n");
        }
        text
    }

    /// The places where the runs of one kind ended, most frequent first.
    fn places(self, namer: &Namer<'_>, end: EndWord) -> String {
        let mut places: Vec<(SourceSpan, u64)> = self
            .played
            .statistics
            .places
            .iter()
            .filter(|((it, _), _)| *it == end)
            .map(|((_, span), &n)| (*span, n))
            .collect();
        places.sort_by_key(|&(span, runs)| (std::cmp::Reverse(runs), span));
        let mut text = String::new();
        for &(span, runs) in places.iter().take(PLACES) {
            let (place, quoted) = (namer.place(span), namer.quote(span));
            let _ = writeln!(text, "    {} in {}: {quoted}", place, counted(runs, "run"));
        }
        if places.len() > PLACES {
            let more = grouped((places.len() - PLACES) as u64);
            let _ = writeln!(text, "    and {more} more places");
        }
        text
    }

    fn steps(self) -> Text {
        let found = &self.played.statistics;
        let quantile = |percent| grouped(found.quantile(percent).unwrap_or(0));
        let (least, most, mean) = (quantile(0), quantile(100), found.mean_steps());
        let mut text = Text::plain(format!("steps of a run: {least} to {most}, mean {mean:.2}"));
        if let Some((low, high)) = found.mean_steps_interval() {
            text.push(Role::Aside, format!(" ({low:.2} .. {high:.2})"));
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
        text.push_str("\n");
        text
    }

    fn messages(self, namer: &Namer<'_>) -> String {
        if self.played.statistics.messages.is_empty() {
            return "no messages\n\n".to_owned();
        }
        let names = self.played.statistics.messages.keys().map(|&it| namer.performative(it));
        let rows = names.zip(self.played.statistics.messages.values()).map(|(name, &sent)| {
            let mean = sent as f64 / self.played.statistics.runs as f64;
            (name, grouped(sent), format!("{mean:.2} a run"))
        });
        table("messages, for each recipient", rows.collect())
    }

    fn answers(self) -> String {
        if self.played.statistics.answers.is_empty() {
            return String::new();
        }
        let rows = self.played.statistics.answers.iter().map(|(&procedure, answers)| {
            let procedure = self.played.scene.program.procedure(procedure);
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
pub(super) fn percent(share: f64) -> String {
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
