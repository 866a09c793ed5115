use std::num::NonZeroUsize;
use map_check::{CastOverride, CheckOptions, check};
use map_compile::compile;
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_semantics::Bounds;
use map_verify::{Limits, Snapshot, Tuning};
use map_views::{ProofOptions, prove};
fn program(text: &str, agents: Vec<CastOverride>) -> Option<Program> {
    let source = SourceFile::new("scene.map", text);
    let parsed = map_syntax::parse(&source);
    let (checked, _) = check(&parsed.file, &CheckOptions { scene: None, agents });
    checked.map(|it| compile(&it))
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let concrete: u32 = args[1].parse().unwrap();
    for path in &args[2..] {
        let (path, only) = path.split_once(':').map_or((path.as_str(), None), |(p, r)| (p, Some(r)));
        let text = std::fs::read_to_string(path).unwrap();
        let first = text.lines().find(|l| l.starts_with("//@ verify")).unwrap_or("").to_owned();
        let mut base: Vec<CastOverride> = Vec::new();
        let words: Vec<&str> = first.split_whitespace().collect();
        for w in words.windows(2) { if w[0]=="--agents" { let (n,c)=w[1].split_once('=').unwrap(); base.push(CastOverride{name:n.to_owned(),count:c.parse().unwrap()}); } }
        let Some(p) = program(&text, base.clone()) else { println!("{path}: no program"); continue };
        for role in p.roles.clone() {
            if only.is_some_and(|o| o != role) { continue }
            let scene = |count: u32| {
                let mut agents: Vec<CastOverride> = base.iter().filter(|it| it.name != role).cloned().collect();
                agents.push(CastOverride { name: role.clone(), count: i64::from(count) });
                program(&text, agents)
            };
            if scene(2).is_none() { continue }
            let limits = Limits { states: 100_000, memory: 1 << 30, threads: NonZeroUsize::MIN, tuning: Tuning::SHIPPED };
            let options = ProofOptions { from: if concrete == 0 { 2 } else { 1 }, concrete, limits, views: 30_000 };
            let start = std::time::Instant::now();
            let deadline = std::time::Duration::from_secs(20);
            let mut progress = |_: &Snapshot| (start.elapsed() > deadline).then_some(map_verify::Limit::Time);
            let answer = prove(&scene, &role, &Bounds::USUAL, &options, &mut progress).unwrap();
            println!("{path} {role}: {:?} {:.2}s", answer.verdict, start.elapsed().as_secs_f64());
            for (n, r) in &answer.concrete { println!("    N={n}: {:?} {}", r.verdict, r.statistics.states); }
            for a in &answer.attempts { println!("    {:?} views {} {:?}", a.precision, a.views, a.result); }
        }
    }
}
