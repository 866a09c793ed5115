//! The scaling study: how states, CPU time and memory grow with the numbers of bidders and of bids, with each reduction
//! off in turn, beside SPIN on models written by hand. It writes `docs/book/src/scaling/results.json`, draws the plots
//! from it, and fills in the tables of `docs/book/src/scaling.md`.
//!
//! `cargo xtask study` measures everything, `study NAME..` single sweeps or curves; `study --draw` only redraws from
//! the stored results. `study --smoke` measures the first two points of every curve (of SPIN's, one), stores nothing,
//! and fails unless the plots and tables that are checked in match the results that are checked in.

mod draw;
pub(crate) mod measure;
mod page;
mod results;

use std::path::{Path, PathBuf};

use measure::{Bench, Limit};
use results::{Curve, Results, Stop, Sweep};

/// One curve of the plots.
pub(crate) struct Series {
    pub(crate) name: &'static str,
    pub(crate) of: Subject,
}

/// What is measured.
#[derive(Clone, Copy)]
pub(crate) enum Subject {
    /// `map verify` of a file in `benches/peers`, with mailboxes of this size (`None`: the default) and these flags.
    Map { file: &'static str, mailbox: Option<u32>, flags: &'static [&'static str] },
    /// SPIN on a model in `benches/peers`.
    Spin { model: &'static str },
}

/// A sweep: points along which one number grows, and the curves measured there.
pub(crate) struct Plan {
    name: &'static str,
    title: &'static str,
    /// The label of the horizontal axis: `bidders` or `bids`.
    axis: &'static str,
    /// The numbers of bidders and bids of every point.
    points: &'static [(u32, u32)],
    series: &'static [Series],
}

const fn map(name: &'static str, file: &'static str, flags: &'static [&'static str]) -> Series {
    Series { name, of: Subject::Map { file, mailbox: Some(NO_MAILBOX_BOUND), flags } }
}

const fn spin(name: &'static str, model: &'static str) -> Series {
    Series { name, of: Subject::Spin { model } }
}

/// More messages than any scene here can send.
pub(crate) const NO_MAILBOX_BOUND: u32 = 1_000_000;

pub(crate) const BOUNDED: &str = "auction.map";
const PRICE_LIMIT: &str = "price-limit.map";

const AUCTION: &[Series] = &[
    map("all reductions", BOUNDED, &[]),
    map("no symmetry", BOUNDED, &["--no-symmetry"]),
    map("no merging", BOUNDED, &["--no-merging"]),
    map("no partial order", BOUNDED, &["--no-partial-order"]),
    map("no slicing", BOUNDED, &["--no-slicing"]),
    map("none", BOUNDED, &["--reductions", "none"]),
    spin("SPIN, serialised by hand", "serialised"),
    spin("SPIN, expert", "expert"),
    spin("SPIN, Walton's style", "walton"),
];

const PLANS: &[Plan] = &[
    Plan {
        name: "bidders",
        title: "At most 10 bids, more and more bidders",
        axis: "bidders",
        points: &points(&[1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 70, 100], At::Bids(10)),
        series: AUCTION,
    },
    Plan {
        name: "bids",
        title: "Three bidders, more and more bids",
        axis: "bids",
        points: &points(&[1, 2, 3, 5, 10, 20, 50, 100, 200], At::Bidders(3)),
        series: AUCTION,
    },
    Plan {
        name: "paper",
        title: "Ten bidders, more and more bids",
        axis: "bids",
        points: &points(&[1, 2, 3, 5, 10, 20, 50], At::Bidders(10)),
        series: AUCTION,
    },
    Plan {
        name: "price-limit",
        title: "Any number of bids, a price limit for every bidder",
        axis: "bidders",
        points: &points(&[1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30], At::Bids(0)),
        series: &[
            map("all reductions", PRICE_LIMIT, &[]),
            map("no symmetry", PRICE_LIMIT, &["--no-symmetry"]),
            map("no merging", PRICE_LIMIT, &["--no-merging"]),
            map("no partial order", PRICE_LIMIT, &["--no-partial-order"]),
            map("no slicing", PRICE_LIMIT, &["--no-slicing"]),
            map("none", PRICE_LIMIT, &["--reductions", "none"]),
            map("compared in the decision", "price-limit-decided.map", &[]),
        ],
    },
];

/// What stays the same along a sweep. 0 bids stand for no bound on them.
#[derive(Clone, Copy)]
enum At {
    Bidders(u32),
    Bids(u32),
}

/// The numbers of bidders and bids of points along which the other number grows.
const fn points<const N: usize>(growing: &[u32; N], at: At) -> [(u32, u32); N] {
    let mut points = [(0, 0); N];
    let mut index = 0;
    while index < N {
        points[index] = match at {
            At::Bidders(bidders) => (bidders, growing[index]),
            At::Bids(bids) => (growing[index], bids),
        };
        index += 1;
    }
    points
}

const USAGE: &str =
    "cargo xtask study [SWEEP | CURVE].. | --draw | --smoke; SWEEP is bidders, bids, paper or price-limit";

/// Runs the part of the study that the arguments name.
pub(crate) fn run(arguments: &[&str]) -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    match arguments {
        ["--draw"] => draw_all(&root),
        ["--smoke"] => smoke(&root),
        names if names.iter().any(|name| !is_known(name)) => Err(USAGE.to_owned()),
        names => {
            let bench = Bench::new(&root, Limit::STUDY, true)?;
            let mut results = results::read(&file(&root)).unwrap_or_default();
            results.conditions = bench.conditions()?;
            for plan in PLANS {
                for series in plan.series {
                    if names.is_empty() || names.contains(&plan.name) || names.contains(&series.name) {
                        results.put(plan.name, measured(&bench, plan, series, plan.points)?);
                        results::write(&file(&root), &results)?;
                    }
                }
            }
            agree(&results)?;
            draw_all(&root)
        }
    }
}

fn is_known(name: &str) -> bool {
    PLANS.iter().any(|plan| plan.name == name || plan.series.iter().any(|series| series.name == name))
}

fn file(root: &Path) -> PathBuf {
    root.join("docs/book/src/scaling/results.json")
}

/// The points of a curve, up to the first that exceeds the limits.
fn measured(bench: &Bench, plan: &Plan, series: &Series, at: &[(u32, u32)]) -> Result<Curve, String> {
    let mut curve = Curve { name: series.name.to_owned(), ..Curve::default() };
    for &(bidders, bids) in at {
        match bench.measure(series.of, bidders, bids)? {
            Ok(point) => {
                eprintln!(
                    "{}, {}: {bidders} bidders, {bids} bids: {} states, {} s",
                    plan.name, series.name, point.states, point.cpu_seconds
                );
                curve.points.push(point);
            }
            Err(why) => {
                eprintln!("{}, {}: {bidders} bidders, {bids} bids: {why}", plan.name, series.name);
                curve.stopped = Some(Stop { bidders, bids, why });
                break;
            }
        }
    }
    Ok(curve)
}

/// Checks that every completed search has the verdict `terminates`.
fn agree(results: &Results) -> Result<(), String> {
    for sweep in &results.sweeps {
        for (curve, point) in
            sweep.curves.iter().flat_map(|curve| curve.points.iter().map(move |it| (curve, it)))
        {
            if point.verdict != "terminates" {
                let (bidders, bids) = (point.bidders, point.bids);
                return Err(format!(
                    "{}, {}: {bidders} bidders, {bids} bids: {}",
                    sweep.name, curve.name, point.verdict
                ));
            }
        }
    }
    Ok(())
}

/// The files generated from results: the plots and the page, each with its path.
fn made(root: &Path, results: &Results) -> Result<Vec<(PathBuf, String)>, String> {
    let page = root.join("docs/book/src/scaling.md");
    let mut text =
        std::fs::read_to_string(&page).map_err(|error| format!("docs/book/src/scaling.md: {error}"))?;
    let mut files = Vec::new();
    for plan in PLANS {
        let Some(sweep) = results.sweep(plan.name) else { continue };
        let plot = root.join(format!("docs/book/src/scaling/{}.svg", plan.name));
        files.push((plot, draw::plot(plan, sweep)));
        text = page::with_block(&text, plan.name, &page::table(plan, sweep))?;
    }
    text = page::with_block(&text, "conditions", &page::conditions(&results.conditions))?;
    files.push((page, text));
    Ok(files)
}

fn draw_all(root: &Path) -> Result<(), String> {
    for (path, text) in made(root, &results::read(&file(root))?)? {
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn smoke(root: &Path) -> Result<(), String> {
    let bench = Bench::new(root, Limit::SMOKE, false)?;
    let mut results = Results::default();
    for plan in PLANS {
        for series in plan.series {
            if bench.can(series.of) {
                let points = if matches!(series.of, Subject::Spin { .. }) {
                    &plan.points[..1]
                } else {
                    &plan.points[..2]
                };
                results.put(plan.name, measured(&bench, plan, series, points)?);
            } else {
                eprintln!("{}, {}: left out, for spin or cc is not installed", plan.name, series.name);
            }
        }
    }
    agree(&results)?;
    for (path, text) in made(root, &results::read(&file(root))?)? {
        if std::fs::read_to_string(&path).ok().as_deref() != Some(text.as_str()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            return Err(format!("{name} is not what the results say: `cargo xtask study --draw`"));
        }
    }
    Ok(())
}

/// The curves of a plan that have been measured, in the order of the plan.
pub(crate) fn curves<'r>(plan: &'r Plan, sweep: &'r Sweep) -> impl Iterator<Item = (usize, &'r Curve)> {
    let measured = |series: &Series| sweep.curves.iter().find(|curve| curve.name == series.name);
    plan.series.iter().enumerate().filter_map(move |(index, series)| Some((index, measured(series)?)))
}
