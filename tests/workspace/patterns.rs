//! `docs/book/src/patterns.md` agrees with `tests/cases/patterns/`. The verdicts themselves are tested with all other
//! cases.

use std::collections::BTreeSet;

use map_tests::cases::texts;
use map_tests::documentation::root;

fn page() -> String {
    std::fs::read_to_string(root().join("docs/book/src/patterns.md"))
        .expect("the page is part of the repository")
}

/// The names and texts of the scenes on disk.
fn scenes() -> Vec<(String, String)> {
    texts("tests/cases/patterns")
}

#[test]
fn the_page_shows_scenes_on_disk() {
    let without_expectations = |text: &str| -> String {
        text.lines().filter(|line| !line.starts_with("//@")).map(|line| format!("{line}\n")).collect()
    };
    let on_disk: Vec<String> = scenes().iter().map(|(_, text)| without_expectations(text)).collect();
    let page = page();
    let shown: Vec<&str> =
        page.split("```map\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(shown.len(), 4, "four scenes are shown");
    for scene in shown {
        assert!(
            on_disk.iter().any(|text| text.trim() == scene.trim()),
            "not in tests/cases/patterns:\n{scene}"
        );
    }
}

#[test]
fn the_table_says_what_the_scenes_say() {
    let (scenes, page) = (scenes(), page());
    let mut broken = BTreeSet::new();
    for row in page.lines().filter(|line| line.starts_with("| ") && line.contains('`')) {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [_, _, property, file, verdict, _] = cells[..] else { panic!("a row has four cells: {row}") };
        let expected = format!("//@ property {property} => {verdict}");
        let (_, text) =
            scenes.iter().find(|(name, _)| name == file).unwrap_or_else(|| panic!("there is no {file}.map"));
        assert!(text.lines().any(|line| line == expected), "{file}.map does not say {expected:?}");
        let holds = format!("//@ property {property} => holds");
        assert!(scenes.iter().any(|(_, text)| text.contains(&holds)), "{property} holds nowhere");
        broken.insert(file.to_owned());
    }
    let unbroken: Vec<&String> =
        scenes.iter().map(|(name, _)| name).filter(|name| !broken.contains(*name)).collect();
    assert_eq!(unbroken, ["auction", "calls", "purchases", "requests"], "every other scene is in the table");
}
