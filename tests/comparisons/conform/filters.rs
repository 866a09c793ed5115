//! Filters make the same records of a log as the adapters in Rust: the logs are those of the book.

use std::sync::Arc;

use map_conform::{Adapter, Form, Line, Mapping, Origin, Record, Records};
use map_testkit::markdown::Page;
use map_tests::documentation::root;

/// A log that the book shows.
fn log(name: &str) -> String {
    let text = std::fs::read_to_string(root().join("docs/book/src/how-to/conform-systems.md"));
    let page = Page::read(&text.expect("the page is part of the repository"));
    let block = page.blocks.iter().find(|it| it.remarks.get("file").is_some_and(|it| it == name));
    let block = block.unwrap_or_else(|| panic!("the page has no {name}"));
    page.lines[block.body.clone()].join("\n")
}

/// The records of a log in this form.
fn records(form: &Form, log: &str) -> Vec<Record> {
    let (mut adapter, mut records) = (Adapter::new(form), Records::new());
    for (number, line) in log.lines().enumerate() {
        adapter.line(number as u64 + 1, line.as_bytes(), &mut records);
    }
    adapter.end(&mut records);
    let record = |(number, line)| match line {
        Line::Record(record) => Some(record),
        Line::Other(_) => None,
        Line::Bad(fault, _) => panic!("{number}: {fault}"),
    };
    records.into_iter().filter_map(record).collect()
}

fn agree(name: &str, origin: Origin, filter: &str, least: usize) {
    let log = log(name);
    let mut built_in = records(&Form { origin, ..Form::default() }, &log);
    // A filter cannot say what a conversation is called later.
    built_in.iter_mut().for_each(|record| record.alias = None);
    let mapping = Mapping::parse("[fields]\nfilter = \"it.jq\"").expect("the mapping is correct");
    let mapping = mapping.with_filter(filter).expect("the filter is correct");
    let filtered = records(&Form { mapping: Some(Arc::new(mapping)), ..Form::default() }, &log);
    assert_eq!(filtered, built_in);
    assert!(built_in.len() >= least, "{built_in:?}");
}

#[test]
fn a2a() {
    agree("a2a.jsonl", Origin::A2a, include_str!("filters/a2a.jq"), 4);
}

#[test]
fn mcp() {
    agree("mcp.jsonl", Origin::Mcp, include_str!("filters/mcp.jq"), 2);
}

#[test]
fn autogen() {
    agree("autogen.jsonl", Origin::Autogen, include_str!("filters/autogen.jq"), 4);
}

#[test]
fn otel() {
    agree("spans.jsonl", Origin::Otel, include_str!("filters/otel.jq"), 2);
}
