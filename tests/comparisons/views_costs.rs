//! What is proved of the costs of each member of a role, for any number of them, holds with each number.

use map_check::{BUILT_IN_COSTS, check};
use map_compile::{PropertyCompiler, compile};
use map_diagnostics::SourceFile;
use map_ir::{Charge, Cost, Costs, DeclaredCost, Program};
use map_testkit::oracle::{OracleOptions, vocabulary};
use map_testkit::scenes::random_costs;
use map_tests::engines::{NoWatch, bounds, check_options, judging};
use map_tests::random::{self, Comparison, Kind, Scene};
use map_verify::{Fairness, MostCost, verify_costs};
use map_views::{Sabotage, most_of_a_member};

use crate::views::options;
use crate::views_properties::compare;

pub(crate) const COMPARISON: Comparison = Comparison {
    name: "costs-by-views",
    kind: Kind::Any,
    scenes: 30,
    compare: random_members,
    enough: |counts, scenes| {
        counts.of("bounded") > scenes
            && counts.of("reached") * 4 > counts.of("bounded")
            && counts.of("proved") > scenes
    },
};

/// The most views.
const MOST_VIEWS: usize = 3_000;

/// A scene with its costs, declared and built in, and so many agents of a role; `None` if that is not possible.
fn with_members(text: &str, options: &OracleOptions, role: &str, count: u32) -> Option<(Program, Costs)> {
    let mut options = options.clone();
    options.agents.retain(|(name, _)| name != role);
    options.agents.push((role.to_owned(), count));
    let parsed = map_syntax::parse(&SourceFile::new("scene.map", text));
    let (checked, _) = check(&parsed.file, &check_options(&options));
    let checked = checked?;
    let mut program = compile(&checked);
    let mut compiler = PropertyCompiler::new(&checked, &mut program);
    let mut list: Vec<DeclaredCost> = parsed.file.costs().filter_map(|it| compiler.cost(it).ok()).collect();
    list.extend(BUILT_IN_COSTS.iter().filter_map(|name| compiler.built_in_cost(name)));
    let tables = compiler.finish();
    drop(checked);
    Some((program, Costs { list, tables }))
}

/// What each of the members pays of each cost: all of the first, then all of the second, and so on.
fn of_members(program: &Program, costs: &Costs, role: &str) -> Costs {
    let members = program.cast().filter(|&it| program.role_name(program.agent(it).role) == role);
    let mut tables = costs.tables.clone();
    let mut list = Vec::new();
    for member in members {
        for declared in &costs.list {
            let charges = costs.tables.costs[declared.total].charges.iter();
            let borne = charges.filter(|it| it.bearer.has(member));
            let borne = borne.map(|it| Charge { bearer: it.bearer.among(&[member]), ..it.clone() });
            tables.costs.push(Cost { charges: borne.collect() });
            let total = tables.costs.len() - 1;
            list.push(DeclaredCost { name: declared.name.clone(), total, by_role: Vec::new() });
        }
    }
    Costs { list, tables }
}

/// What came of the costs of a scene and one of its roles.
#[derive(Default)]
struct Found {
    bounded: usize,
    /// Of those, how many cost as much with some number.
    reached: usize,
    unbounded: usize,
    unjudged: usize,
    wrong: Vec<String>,
}

fn compare_members(text: &str, options: &OracleOptions, role: &str, sabotage: Sabotage) -> Found {
    let mut found = Found::default();
    let cast = |count| with_members(text, options, role, count);
    let Some((two, costs)) = cast(2) else { return found };
    let how = bounds(&two, options);
    let judged = most_of_a_member(&cast, role, &how, (MOST_VIEWS, sabotage), &mut || false);
    let mut reached = vec![false; judged.len()];
    for count in 2..=5 {
        let Some((program, costs)) = cast(count) else { continue };
        // With five it is enough to see what is wrong from the beginning.
        let options = judging(if count < 5 { 20_000 } else { 1_000 }, Fairness::None);
        let each = of_members(&program, &costs, role);
        let report = verify_costs(&program, &each, &how, &options, &mut NoWatch).expect("runs replay");
        for (place, paid) in report.costs.iter().enumerate() {
            let place = place % judged.len();
            let Ok(Some(most)) = judged[place] else { continue };
            let is_within = match paid.total.most {
                MostCost::Bounded(paid) => paid <= most,
                MostCost::Unbounded | MostCost::TooMuch => false,
            };
            reached[place] |= paid.total.most == MostCost::Bounded(most);
            if !is_within {
                found.wrong.push(format!(
                    "each %{role} pays at most {most} {}, but {:?} with {count}\n{text}\n{options:?}",
                    paid.name, paid.total.most
                ));
            }
        }
    }
    for (place, judged) in judged.iter().enumerate() {
        match judged {
            Ok(Some(_)) => found.bounded += 1,
            Ok(None) => found.unbounded += 1,
            Err(_) => found.unjudged += 1,
        }
        found.reached += usize::from(reached[place]);
    }
    assert_eq!(costs.list.len(), judged.len());
    found
}

fn random_members(scene: &Scene, counts: &mut random::Counts) {
    let options = options(scene);
    let words = vocabulary(&scene.file, &options);
    if words.agents.is_empty() {
        return;
    }
    let costs = random_costs(&words, scene.seed);
    let text = format!("{costs}{}", scene.text);
    let names = map_syntax::parse(&SourceFile::new("scene.map", text.as_str())).file;
    let names = names.costs().map(|cost| cost.name.text.clone()).chain(BUILT_IN_COSTS.map(str::to_owned));
    let names: Vec<String> = names.collect();
    for role in &scene.program.roles {
        let found = compare_members(&text, &options, role, Sabotage::default());
        assert!(found.wrong.is_empty(), "{}", found.wrong[0]);
        counts.add("bounded", found.bounded);
        counts.add("reached", found.reached);
        counts.add("no bound found", found.unbounded);
        counts.add("not judged", found.unjudged);
        let others = scene.program.roles.iter().filter(|it| *it != role);
        let payers: Vec<String> =
            std::iter::once("$a".to_owned()).chain(others.map(|it| format!("%{it}"))).collect();
        let claims = names.iter().flat_map(|name| payers.iter().map(move |payer| (name, payer)));
        let claim = |(index, (name, payer)): (usize, (&String, &String))| {
            let limit = [0, 2, 7, 30][(index + scene.seed as usize) % 4];
            format!("forall $a in %{role} : always cost({name}, {payer}) <= {limit}")
        };
        let claims: Vec<String> = claims.enumerate().map(claim).collect();
        let (proved, wrong) = compare(&text, &options, role, &claims, Sabotage::default()).proved_and_wrong();
        assert!(wrong.is_empty(), "{}", wrong[0]);
        counts.add("proved", proved);
    }
}

/// The comparison would find out if views left something out.
#[test]
fn costs_of_views_that_leave_something_out_are_wrong() {
    let text = "cast %member = 2
        cost coins { %member sends bid($n) to _ = $n }
        auction[
            agent(!Clerk, %clerk) = call() => agent(_, %member) then agent(first)
            agent(!Clerk, %clerk, first) =
                waitfor (
                    bid(_) <= agent($who, %member) then sold() => agent($who, %member) then agent(second)
                ) timeout skip
            agent(!Clerk, %clerk, second) =
                waitfor (bid(_) <= agent($who, %member) then more() => agent($who, %member)) timeout skip
            agent($me, %member) =
                waitfor (call() <= agent(!Clerk, %clerk) then bid(3) => agent(!Clerk, %clerk) then agent(again))
            agent($me, %member, again) =
                waitfor (
                    sold() <= agent(!Clerk, %clerk)
                    or (more() <= agent(!Clerk, %clerk) then bid(4) => agent(!Clerk, %clerk))
                ) timeout skip
        ]";
    let options = OracleOptions::new(20_000);
    let right = compare_members(text, &options, "member", Sabotage::default());
    assert!(right.wrong.is_empty() && right.reached > 0, "{:?}", right.wrong);
    let sabotage = Sabotage { no_others: true, ..Sabotage::default() };
    let wrong = compare_members(text, &options, "member", sabotage).wrong;
    assert!(!wrong.is_empty());
}
