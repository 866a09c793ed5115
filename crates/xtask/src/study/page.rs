//! The tables of `docs/book/src/scaling.md`, each between two comments that name it.

use map_explain::grouped;

use super::results::{Conditions, Curve, Point, Sweep};
use super::{Plan, curves};

/// The page with the text of a named block replaced.
pub(crate) fn with_block(page: &str, name: &str, block: &str) -> Result<String, String> {
    let (start, end) = (format!("<!-- results of {name} -->\n"), format!("<!-- end of {name} -->"));
    let missing = || format!("docs/book/src/scaling.md has no block for {name}");
    let (before, rest) = page.split_once(&start).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{start}{block}{end}{after}"))
}

/// A row for every point and a column for every curve: states and CPU seconds, or the limit that was exceeded.
pub(crate) fn table(plan: &Plan, sweep: &Sweep) -> String {
    let curves: Vec<&Curve> = curves(plan, sweep).map(|(_, curve)| curve).collect();
    let names: Vec<&str> = curves.iter().map(|curve| curve.name.as_str()).collect();
    let mut text =
        format!("| {} | {} |\n|--:|{}\n", plan.axis, names.join(" | "), "--:|".repeat(curves.len()));
    for &(bidders, bids) in plan.points {
        let cells: Vec<String> = curves.iter().map(|curve| cell(curve, bidders, bids)).collect();
        let at = if plan.axis == "bids" { bids } else { bidders };
        text += &format!("| {at} | {} |\n", cells.join(" | "));
    }
    text
}

fn cell(curve: &Curve, bidders: u32, bids: u32) -> String {
    if let Some(Point { states, cpu_seconds, .. }) =
        curve.points.iter().find(|it| (it.bidders, it.bids) == (bidders, bids))
    {
        return format!("{} in {} s", grouped(*states), seconds(*cpu_seconds));
    }
    match &curve.stopped {
        Some(stop) if (stop.bidders, stop.bids) == (bidders, bids) => format!("**{}**", stop.why),
        _ => String::new(),
    }
}

/// With two significant digits, or as many as precede the decimal point.
fn seconds(seconds: f64) -> String {
    match seconds {
        ..0.01 => "< 0.01".to_owned(),
        ..1.0 => format!("{seconds:.2}"),
        ..10.0 => format!("{seconds:.1}"),
        _ => format!("{seconds:.0}"),
    }
}

/// The conditions of the measurement as a sentence.
pub(crate) fn conditions(it: &Conditions) -> String {
    format!(
        "{}; {}, commit {}; {}, {}, {}; {} CPU seconds and {} GiB for each search.\n",
        it.machine,
        it.date,
        it.commit,
        it.map,
        it.spin.trim_end_matches('.'),
        it.compiler,
        it.seconds,
        it.mebibytes / 1024
    )
}

#[cfg(test)]
mod tests {
    use super::with_block;

    #[test]
    fn a_block_is_replaced_and_nothing_else() {
        let page = "a\n<!-- results of x -->\nold\n<!-- end of x -->\nb\n";
        let expected = "a\n<!-- results of x -->\nnew\n<!-- end of x -->\nb\n";
        assert_eq!(with_block(page, "x", "new\n").as_deref(), Ok(expected));
        assert!(with_block(page, "y", "new\n").is_err());
    }
}
