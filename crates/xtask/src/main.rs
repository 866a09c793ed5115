//! Development tasks, run as `cargo xtask TASK`.

mod bench;
mod bench_auction;
mod bench_charts;
mod bench_front_end;
mod bench_ltl;
mod bench_mailbox;
mod bench_properties;
mod bench_reduced;
mod bench_simulate;
mod bench_threads;
mod bench_views;
mod dist;
mod figures;
mod library;
mod measured;
mod naive_simulate;
mod nightly;
mod packages;
mod sbom;
mod study;
mod web;
mod wheel;

use std::path::Path;
use std::process::ExitCode;

use measured::Size;

const USAGE: &str = "cargo xtask bench [--smoke | auction | charts | ltl | properties | reduced | threads | views]   CPU time of the auction as people type it, states per second of the search against the oracle and by several threads, what reductions save, what properties cost, steps per second of the simulator, megabytes per second of the front end, milliseconds and bytes of charts and a report, temporal formulas per second against SPIN, views per second of proofs for any number of agents
cargo xtask crates [FLAG]..   packs the crates as a registry would get them, in target/packages/crates; flags are those of cargo package, such as --no-verify --offline
cargo xtask dist [TARGET]..   makes the files of a release in target/packages: static binaries with manual pages, completions and a bill of materials, a Debian package, checksums
cargo xtask figures [--all] [--write] [PAGE]..   measures again what the documentation says was measured, and names what moved by more than a fifth
cargo xtask library   writes protocols/README.md, the library in figures; with --release, for its seconds
cargo xtask nightly [DAY]   runs the random comparisons at length, with seeds of the day, such as 20261128; MAP_SCENES=N on N scenes
cargo xtask sbom [TARGET]   prints the crates that map is made of, as a CycloneDX bill of materials
cargo xtask study [SWEEP | CURVE].. | --draw | --smoke   how states, CPU time and memory grow, for docs/book/src/scaling.md
cargo xtask wheel   builds the package for Python, as a wheel and as sources, in python/dist, and checks what the wheel says of itself
cargo xtask web   builds the playground, playground/dist/index.html; it needs the target wasm32-wasip1, and Node";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if cfg!(debug_assertions)
        && arguments.iter().any(|it| it == "bench")
        && !arguments.iter().any(|it| it == "--smoke")
    {
        eprintln!(
            "note: this build checks itself as it goes; for figures: cargo run --profile dist -p xtask -- {}",
            arguments.join(" ")
        );
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["bench"] => bench::run(Size::Full),
        ["bench", "--smoke"] => bench::run(Size::Smoke),
        ["bench", "auction"] => bench_auction::run(&root),
        ["bench", "properties"] => bench::properties(),
        ["bench", "reduced"] => bench_reduced::run(Size::Full),
        ["bench", "threads"] => bench_threads::run(Size::Full),
        ["bench", "charts"] => bench::charts(),
        ["bench", "views"] => bench_views::run(Size::Full),
        ["bench", "ltl"] => bench_ltl::run(Size::Full),
        ["crates", ref arguments @ ..] => dist::crates(&root, arguments),
        ["dist", ref targets @ ..] => dist::run(&root, targets),
        ["figures", ref arguments @ ..] => figures::run(&root, arguments),
        ["library"] => library::run(),
        ["nightly"] => nightly::run(&root, None),
        ["nightly", day] => nightly::run(&root, Some(day)),
        ["sbom"] => sbom::run(None),
        ["sbom", target] => sbom::run(Some(target)),
        ["web"] => web::run(&root),
        ["study", ref arguments @ ..] => study::run(arguments),
        ["wheel"] => wheel::run(&root),
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
