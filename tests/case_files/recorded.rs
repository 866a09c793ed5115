//! Logs that were recorded from real systems: each says what is found in it, in `cases.json` of its folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::{Failed, Trial};
use map_check::{CheckOptions, check};
use map_conform::{
    Adapter, Arrivals, ConversationResult, Event, Form, Mapping, Mark, Origin, Plan, Policy, Records, Roles,
    Scene, Settings, Verdict, Watcher,
};
use map_diagnostics::SourceFile;
use map_ir::Program;
use map_tests::documentation::root;
use serde_json::Value as Json;

/// A log, and what is found in it.
struct Case {
    folder: PathBuf,
    scene: String,
    origin: Origin,
    mapping: Option<String>,
    log: String,
    expected: String,
}

pub(super) fn trials() -> Vec<Trial> {
    let recorded = root().join("tests/recorded");
    let mut folders: Vec<PathBuf> = fs::read_dir(recorded)
        .expect("the recorded logs are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let mut trials: Vec<Trial> = folders.iter().map(|folder| all_are_judged(folder.clone())).collect();
    for case in folders.iter().flat_map(|folder| cases(folder)) {
        let folder = case.folder.file_name().expect("it has a name").to_string_lossy().into_owned();
        trials.push(Trial::test(format!("recorded::{folder}/{}", case.log), move || judged(&case)));
    }
    trials
}

fn cases(folder: &Path) -> Vec<Case> {
    let text = fs::read_to_string(folder.join("cases.json")).expect("a folder of logs has cases");
    let groups: Vec<Json> = serde_json::from_str(&text).expect("cases are JSON");
    let text = |json: &Json| json.as_str().map(str::to_owned);
    let mut cases = Vec::new();
    for group in &groups {
        let origin = match group["from"].as_str() {
            None => Origin::Native,
            Some("a2a") => Origin::A2a,
            Some("mcp") => Origin::Mcp,
            Some("autogen") => Origin::Autogen,
            Some("otel") => Origin::Otel,
            Some(other) => panic!("{other:?} is no system"),
        };
        for (log, expected) in group["logs"].as_object().expect("a group has logs") {
            cases.push(Case {
                folder: folder.to_owned(),
                scene: text(&group["scene"]).expect("a group has a scene"),
                origin,
                mapping: text(&group["mapping"]),
                log: log.clone(),
                expected: text(expected).expect("what is expected is a text"),
            });
        }
    }
    cases
}

/// No log lies there without being judged, and of each scene one system is right and three are not.
fn all_are_judged(folder: PathBuf) -> Trial {
    let name = folder.file_name().expect("it has a name").to_string_lossy().into_owned();
    Trial::test(format!("recorded::{name}"), move || {
        let mut judged: Vec<String> = cases(&folder).into_iter().map(|case| case.log).collect();
        judged.sort();
        let entries = fs::read_dir(&folder).map_err(|error| error.to_string())?;
        let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
        let mut there: Vec<String> = names.filter(|name| name.ends_with(".jsonl")).collect();
        there.sort();
        let right = cases(&folder).iter().filter(|case| case.expected == "conforms").count();
        let all = there.len();
        match judged == there && right >= 1 && all - right >= 3 {
            true => Ok(()),
            false => Err(Failed::from(format!("judged: {judged:?}\nthere: {there:?}"))),
        }
    })
}

fn judged(case: &Case) -> Result<(), Failed> {
    let found = found(case)?;
    match found == case.expected {
        true => Ok(()),
        false => Err(Failed::from(format!("expected: {}\nfound: {found}", case.expected))),
    }
}

/// The first violation in the log, or that there is none: `violated at line 4 by !Worker: not its word`.
fn found(case: &Case) -> Result<String, String> {
    let path = |name: &str| case.folder.join(name);
    let read = |name: &str| fs::read_to_string(path(name)).map_err(|error| format!("{name}: {error}"));
    let source = SourceFile::new(case.scene.as_str(), read(&case.scene)?);
    let parsed = map_syntax::parse(&source);
    let (checked, errors) = check(&parsed.file, &CheckOptions::default());
    let program = map_compile::compile(&checked.ok_or_else(|| format!("{errors:?}"))?);
    let mapping = case.mapping.as_deref().map(|name| mapping(&read(name)?, read)).transpose()?;
    let form = Form { origin: case.origin, mapping: mapping.map(Arc::new), time_unit: None };
    let mut adapter = Adapter::new(&form);
    let mut records = Records::new();
    for (at, line) in read(&case.log)?.lines().enumerate() {
        adapter.line(at as u64 + 1, line.as_bytes(), &mut records);
    }
    adapter.end(&mut records);
    let roles = Roles::new(&program);
    let roles = match &form.mapping {
        Some(mapping) => roles.with_cast(mapping.cast()),
        None => roles,
    };
    let roles = Arc::new(roles);
    let mut plan = Plan::new(Arc::clone(&roles), false);
    records.iter().for_each(|(_, line)| plan.note(&program, 0, line.record()));
    let logged = plan.some_arrive && !plan.some_arrive_unlogged;
    let arrivals = if logged { Arrivals::Logged } else { Arrivals::Late };
    let settings = Settings { arrivals, complete: true, ..Settings::default() };
    let scene = Arc::new(Scene::new(Arc::new(program), settings));
    let policy = Policy {
        only: None,
        max_conversations: 100,
        denies_unknown: true,
        ignores_duplicates: true,
        comes_by_time: false,
        keeps_history: false,
        learns_names: false,
    };
    let same = Arc::clone(&scene);
    let mut watcher = Watcher::new(policy, roles, plan, scene, Box::new(move |_| Ok(Arc::clone(&same))));
    for (number, line) in &records {
        watcher.next_line();
        let mark = Mark { line: *number, time: line.record().and_then(|record| record.time), log: 0 };
        watcher.line(mark, line).map_err(|fault| format!("line {number}: {fault}"))?;
    }
    watcher.finish();
    let mut verdicts = Vec::new();
    while let Some(event) = watcher.next_event() {
        if let Event::Judged(judged) = event {
            verdicts.push(verdict(&judged));
        }
    }
    let violated = verdicts.iter().find(|verdict| *verdict != "conforms");
    Ok(violated.cloned().unwrap_or_else(|| verdicts.first().cloned().unwrap_or_default()))
}

fn mapping(text: &str, read: impl Fn(&str) -> Result<String, String>) -> Result<Mapping, String> {
    let mapping = Mapping::parse(text).map_err(|error| error.text)?;
    let Some((file, _)) = mapping.filter_file() else { return Ok(mapping) };
    let filter = read(file)?;
    mapping.with_filter(&filter).map_err(|errors| format!("{errors:?}"))
}

fn verdict(judged: &ConversationResult) -> String {
    let program: &Program = judged.program();
    let agent = |agent| format!("!{}", program.agent_name(agent));
    match judged.report.violations.first() {
        Some(violation) => {
            let blamed = violation.agent.map_or_else(|| "nobody".to_owned(), agent);
            let (line, kind) = (violation.mark.line, violation.kind.words());
            format!("violated at line {line} by {blamed}: {kind}")
        }
        None if judged.report.verdict == Verdict::Conforms => "conforms".to_owned(),
        None => judged.report.verdict.words().to_owned(),
    }
}
