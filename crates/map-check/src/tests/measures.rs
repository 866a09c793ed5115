//! Errors about measures: snapshots of what is said.

use super::assert_errors;
use super::rendered::shown;

const SCENE: &str = "
memory %buyer { @value in 1..3 }
procedure price() in 1..9
decision sure()
s[
  agent(!S, %seller) = $p = price() then propose($p, red) => agent(_, %buyer) then agent(wait)
  agent(!S, %seller, wait) = waitfor accept(_) <= agent(_, %buyer)
  agent($me, %buyer) = waitfor propose($p, $c) <= agent($s, %seller) then sure() then accept($p) => agent($s, %seller)
]";

#[test]
fn what_a_measure_reads() {
    for measure in [
        "measure m = 1 + count(_ sends propose(_, _) to _) * 2",
        "measure m = last($p : !S sends propose($p, red) to _) mod 3",
        "measure m of $b in %buyer = $b@value - first($p : $b sends accept($p) to _)",
        "measure m of $b in %buyer = if done($b) and not failed(!S) then cost(steps, $b) else 0",
        "measure m of $b in %buyer = $b",
        "measure m = if count($b in %buyer : $b@value > 1) == 2 then !S else nobody",
        "measure a = cost(rounds) measure b = max(measure(a), 3) property p : never measure(a) > 3",
        "measure a of $b in %buyer = $b@value measure b = sum(a) property p : never measure(a, !Buyer) > 3",
        "measure a of $b in %buyer = $b@value property p : forall $x in %buyer : never measure(a, $x) > 3",
        "measure measure = 1 + cost(steps) property sum : never measure(measure) > 3",
        "measure m = total($p : _ sends accept($p) to _) + mailbox(!S)",
    ] {
        assert_errors(&format!("{measure}{SCENE}"), &[]);
    }
}

#[test]
fn errors_about_measures() {
    let texts = [
        // Names.
        "measure m = cost(steps)\nmeasure m = cost(rounds)",
        "cost m { _ asks sure = 1 }\nmeasure m = cost(steps)",
        "measure m = measure(n)",
        "measure price = cost(steps)\nproperty p : never measure(prise) > 3",
        "measure m = measure(m)",
        "measure m = measure(n)\nmeasure n = cost(steps)",
        "cost c { _ asks sure = 1 }\nmeasure m = measure(c)",
        "measure m = cost(steps)\nproperty p : never cost(m) > 3",
        // Of a role.
        "measure m of $b in %buyr = 1 + $b@value",
        "measure m of $b in %buyer = $b@worth",
        "measure m of $b in %buyer = $b@value\nmeasure n = measure(m)",
        "measure m of $b in %buyer = $b@value\nproperty p : never measure(m, !S) > 3",
        "measure m = cost(steps)\nproperty p : never measure(m, !S) > 3",
        "measure m = cost(steps)\nmeasure n = sum(m)",
        // Variables.
        "measure m = $b@value",
        "measure m of $b in %buyer = $a@value",
        "measure m = 1 + $p",
        "measure m = last($p : !S sends propose(_, _) to _)",
        "measure m = total($p : $q sends accept($p) to _)",
        "measure m = last($p : !S@value == $p)",
        "measure m of $b in %buyer = last($b : !S sends propose($b, _) to _)",
        // Kinds.
        "measure m = cost(steps) > 3",
        "measure m = if cost(steps) then 1 else 0",
        "measure m = cost(steps) + red",
        "measure m = cost(steps)\nmeasure n = 2 * m",
        "measure m = if red then 1 else 2",
        "measure m = if count(_ sends accept(_) to _) == red then 1 else 0",
        "measure m = done(!S)",
        "measure m = done(_) + 1",
        // What is not there.
        "measure m = !Nobody",
        "measure m = count(!S sends proposed(_) to _)",
        "measure m = cost(token)",
        "measure m = count(always !S sends propose(_, _) to _)",
        "measure m = cost(steps)\nproperty p : never before measure(m) > 3",
    ];
    let sheet: Vec<String> = texts.iter().map(|text| shown("", &format!("{text}{SCENE}"))).collect();
    insta::assert_snapshot!("errors_about_measures", sheet.join("\n"));
}
