//! What `map verify` shows of sends holds in guarded conversations, whatever agents try: a guard that enforces these
//! properties never has to, as what would violate one of them breaks the protocol already.

use std::sync::Arc;

use map_check::{CheckOptions, check};
use map_compile::PropertyCompiler;
use map_conform::{LoggedMessage, Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{Budgets, Denial, Guard, Policy, RefusalKind, Rules};
use map_ir::{Program, Properties};
use map_library::{PROTOCOLS, Version};
use map_semantics::Bounds;
use map_simulate::Random;
use map_tests::engines::{NoWatch, judging};
use map_tests::settings::setting;
use map_verify::{Fairness, PropertyVerdict, verify_properties};

use super::simulated::{draft, forged, messages};

/// How many conversations of each text; `MAP_LOGS` is another number.
const CONVERSATIONS: u64 = 3;
const NOW: u64 = 1_000_000_000;

/// Properties of texts with more states promise nothing here: they take too long.
const MAX_STATES: usize = 20_000;

/// What came of all conversations.
#[derive(Debug, Default)]
struct Tally {
    promises: usize,
    conversations: u64,
    accepted: u64,
    refused: u64,
    /// By properties that are violated in some run, of texts with a defect.
    kept_from_violation: u64,
}

/// A scene with its properties.
struct Text {
    program: Program,
    properties: Properties,
}

impl Text {
    fn of(version: &Version) -> Self {
        let source = SourceFile::new(version.name, version.text);
        let parsed = map_syntax::parse(&source);
        let (checked, diagnostics) = check(&parsed.file, &CheckOptions::default());
        let checked = checked.unwrap_or_else(|| panic!("{}: {diagnostics:?}", version.name));
        let mut program = map_compile::compile(&checked);
        let mut compiler = PropertyCompiler::new(&checked, &mut program);
        for property in parsed.file.properties() {
            // Some are about what cannot be judged with unknown values.
            let _ = compiler.add(&property.name.text, &property.formula);
        }
        let properties = compiler.finish();
        Self { program, properties }
    }

    /// The properties that have this verdict in all runs of the scene.
    fn with_verdict(&self, wanted: PropertyVerdict) -> Vec<String> {
        let how = judging(MAX_STATES, Fairness::default());
        let report = verify_properties(&self.program, &self.properties, &Bounds::USUAL, &how, &mut NoWatch)
            .expect("the engine agrees with itself");
        // A guard has no bounds.
        if report.limit.is_some() || !report.cut_by.is_empty() {
            return Vec::new();
        }
        let named = self.properties.list.iter().zip(&report.properties);
        let named = named.filter(|(_, judged)| judged.verdict == wanted);
        named.map(|(property, _)| property.name.clone()).collect()
    }

    /// Guards with these properties, each strict: whatever was accepted has arrived.
    fn rules(self, names: &[String]) -> Rules {
        let budgets = Budgets::new(self.properties, |name| names.iter().any(|it| it == name));
        let settings = Settings { observed: budgets.observed(&self.program), ..Settings::default() };
        let scene = Arc::new(Scene::new(Arc::new(self.program), settings));
        let mut policy = Policy::new(scene.program());
        policy.limits.conversations = usize::MAX;
        let roles = Roles::new(scene.program());
        Rules::new(scene, roles, policy).with_budgets(budgets)
    }
}

/// What agents try: a run, with messages that come too soon, again, from others or with other arguments.
fn tried(program: &Program, run: &[LoggedMessage], random: &mut Random) -> Vec<LoggedMessage> {
    let mut all = Vec::new();
    for (number, sent) in run.iter().enumerate() {
        match random.below(6) {
            0 => all.push(forged(program, run, random)),
            1 => all.extend(run[number + 1..].first().cloned()),
            2 => all.extend(number.checked_sub(1).map(|before| run[before].clone())),
            _ => {}
        }
        all.push(sent.clone());
    }
    all
}

/// Has conversations guarded; counts what was refused for a property.
fn guarded(rules: Rules, first: u64, conversations: u64, tally: &mut Tally) -> u64 {
    let program = Arc::clone(rules.scene.program());
    let mut guard = Guard::new(rules);
    let mut by_properties = 0;
    for seed in first..first + conversations {
        let Some(run) = messages(&program, &Bounds::USUAL, seed) else { continue };
        let name = seed.to_string();
        guard.open(NOW, &name, &[]).expect("it is new");
        let mut random = Random::from_seed(seed.wrapping_mul(1_000).wrapping_add(tally.conversations));
        for sent in tried(&program, &run, &mut random) {
            let answer = guard.send(NOW, &name, program.agent_name(sent.from), &draft(&program, &sent));
            match answer {
                Ok(_) => tally.accepted += 1,
                Err(Denial::Refused(refusal)) => {
                    tally.refused += 1;
                    if refusal.kind == RefusalKind::Budget {
                        println!("{} {seed}: {sent:?}: {}", program.scene, refusal.text);
                        by_properties += 1;
                    }
                }
                Err(Denial::Misused(misuse)) => panic!("{misuse:?}: {sent:?}"),
            }
            while guard.next_notice().is_some() {}
        }
        guard.take_records();
        tally.conversations += 1;
    }
    by_properties
}

#[test]
fn what_is_verified_needs_no_budget() {
    let conversations = setting("MAP_LOGS").unwrap_or(CONVERSATIONS);
    let first = setting("MAP_SEED").unwrap_or(1);
    let mut tally = Tally::default();
    for version in PROTOCOLS.iter().flat_map(|protocol| protocol.versions()) {
        let text = Text::of(version);
        let (holds, violated) =
            (text.with_verdict(PropertyVerdict::Holds), text.with_verdict(PropertyVerdict::Violated));
        let rules = text.rules(&holds);
        if !rules.budgets.enforced().is_empty() {
            tally.promises += rules.budgets.enforced().len();
            let needed = guarded(rules, first, conversations, &mut tally);
            assert_eq!(needed, 0, "{}: a property that holds was enforced", version.name);
        }
        let rules = Text::of(version).rules(&violated);
        if !rules.budgets.enforced().is_empty() {
            tally.kept_from_violation += guarded(rules, first, conversations, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.promises > 10 && tally.conversations > 10 * conversations, "{tally:?}");
    assert!(tally.refused * 10 > tally.accepted && tally.kept_from_violation > 0, "{tally:?}");
}
