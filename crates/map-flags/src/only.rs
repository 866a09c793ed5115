//! `--only` and `--collect`: properties, costs and measures selected by name.

use map_check::nearest;
use map_session::Compilation;

/// Checks that each property selected by name occurs in one of the files.
///
/// # Errors
/// Which is in none.
pub fn check_only<'l>(
    only: &[String],
    files: &(impl Iterator<Item = &'l Compilation> + Clone),
) -> Result<(), String> {
    let names = || files.clone().flat_map(|loaded| &loaded.properties.names).map(String::as_str);
    match only.iter().find(|wanted| !names().any(|name| name == **wanted)) {
        Some(unknown) => {
            Err(format!("--only {unknown}: there is no such property{}", advice(unknown, names())))
        }
        None => Ok(()),
    }
}

/// Checks that each cost and measure that is asked for by name occurs in one of the files.
///
/// # Errors
/// Which is in none.
pub fn check_collected<'l>(
    wanted: &[String],
    files: &(impl Iterator<Item = &'l Compilation> + Clone),
) -> Result<(), String> {
    let names = || files.clone().flat_map(|loaded| &loaded.properties.costs.names).map(String::as_str);
    match wanted.iter().find(|wanted| !names().any(|name| name == wanted.trim())) {
        Some(unknown) => {
            let advice = advice(unknown, names());
            Err(format!("--collect {unknown}: there is no such cost or measure{advice}"))
        }
        None => Ok(()),
    }
}

fn advice<'n>(unknown: &str, names: impl Iterator<Item = &'n str> + Clone) -> String {
    if let Some(near) = nearest(unknown, names.clone()) {
        return format!("; did you mean {near}?");
    }
    let mut known: Vec<&str> = names.collect();
    known.sort_unstable();
    known.dedup();
    match known.is_empty() {
        true => "; there are none at all".to_owned(),
        false => format!("; there are {}", known.join(", ")),
    }
}
