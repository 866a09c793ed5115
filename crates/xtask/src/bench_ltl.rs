//! The speed of translating temporal formulas to automata, and the size of these, beside SPIN on the same formulas, if
//! it is installed.

use std::time::Instant;

use map_ltl::{Effort, FormulaId, Formulas, Polarity, Shape, random_formula, translate};
use map_testkit::scenes::Random;
use map_tests::spin;

use crate::measured::Size;

/// The size of the random formulas in operators and atoms, how many are translated, and how many of these by SPIN, too,
/// which takes too long for larger ones.
const ROWS: &[(usize, usize, usize)] = &[(5, 5_000, 400), (8, 5_000, 200), (12, 5_000, 0), (20, 2_000, 0)];

pub(crate) fn run(size: Size) -> Result<(), String> {
    let rows = if size == Size::Smoke { &[(5, 50, 5)] } else { ROWS };
    let with_spin = spin::is_installed();
    println!(
        "\ntemporal formulas: random, three propositions; states are means over the formulas that both translate"
    );
    if with_spin {
        println!("spin: a process for each formula; starting one takes {:.1} ms", starting_spin()? * 1e3);
    } else {
        println!("spin is not installed: own figures only");
    }
    println!(
        "{:>6} {:>9} {:>11} {:>10} {:>8} {:>12} {:>12} {:>12} {:>9}",
        "size",
        "formulas",
        "formulas/s",
        "too large",
        "states",
        "one accept.",
        "spin states",
        "spin f./s",
        "too slow"
    );
    for &(size, count, of_spin) in rows {
        row(size, count, if with_spin { of_spin } else { 0 })?;
    }
    Ok(())
}

fn starting_spin() -> Result<f64, String> {
    let started = Instant::now();
    for _ in 0..50 {
        spin::never_claim("p0")?;
    }
    Ok(started.elapsed().as_secs_f64() / 50.0)
}

fn row(size: usize, count: usize, of_spin: usize) -> Result<(), String> {
    let mut random = Random::new(1, size as u64);
    let shape = Shape { size, atoms: 3, next: false };
    let drawn: Vec<(Formulas, FormulaId)> = (0..count)
        .map(|_| {
            let mut formulas = Formulas::default();
            let id = random_formula(&mut formulas, shape, &mut |bound| random.below(bound));
            (formulas, id)
        })
        .collect();
    let started = Instant::now();
    let automata: Vec<_> = drawn
        .iter()
        .map(|(formulas, id)| translate(formulas, *id, Polarity::Positive, Effort::default()).ok())
        .collect();
    let seconds = started.elapsed().as_secs_f64();
    let (mut own, mut one_condition, mut spins, mut compared, mut slow) = (0, 0, 0, 0, 0);
    let mut spin_seconds = 0.0;
    for ((formulas, id), automaton) in
        drawn.iter().zip(&automata).take(if of_spin > 0 { of_spin } else { count })
    {
        let Some(automaton) = automaton else { continue };
        if of_spin > 0 {
            let asked = Instant::now();
            let claim = spin::never_claim(&spin::to_spin(formulas, *id))?;
            spin_seconds += asked.elapsed().as_secs_f64();
            let Some(claim) = claim else {
                slow += 1;
                continue;
            };
            spins += claim.states.len();
        }
        compared += 1;
        own += automaton.len();
        one_condition += automaton.degeneralised().states.len();
    }
    let mean = |sum: usize| format!("{:.2}", sum as f64 / compared.max(1) as f64);
    let spin_or = |text: String| if of_spin > 0 { text } else { "-".to_owned() };
    println!(
        "{size:>6} {count:>9} {:>11.0} {:>10} {:>8} {:>12} {:>12} {:>12} {:>9}",
        count as f64 / seconds,
        automata.iter().filter(|it| it.is_none()).count(),
        mean(own),
        mean(one_condition),
        spin_or(mean(spins)),
        spin_or(format!("{:.0}", (compared + slow) as f64 / spin_seconds)),
        spin_or(slow.to_string()),
    );
    Ok(())
}
