//! Mappings for logs, filters, and lines: most of them correct, or nearly.

use super::bytes::Bytes;

/// The line between a mapping, its filter, and the lines of a log.
pub(super) const BETWEEN: &str = "\n----\n";

/// A mapping, a filter and some lines.
pub(super) fn with_lines(bytes: &[u8]) -> String {
    let mut bytes = Bytes::new(bytes);
    let mut text = String::new();
    let head = bytes.below(HEADS.len());
    text.push_str(HEADS[head]);
    if HEADS[head].contains("from") {
        some(&mut bytes, 3, &mut text, FIELDS);
    }
    some(&mut bytes, 6, &mut text, TABLES);
    some(&mut bytes, 80, &mut text, SLIPS);
    text.push_str(BETWEEN);
    text.push_str(bytes.pick(FILTERS));
    few(&mut bytes, 3, &mut text, |bytes, text| text.push_str(bytes.pick(PIECES)));
    some(&mut bytes, 80, &mut text, SLIPS);
    text.push_str(BETWEEN);
    few(&mut bytes, 8, &mut text, |bytes, text| {
        match bytes.happens(1, 8) {
            true => text.push_str(bytes.pick(JUNK)),
            false => object(bytes, text, 0),
        }
        text.push('\n');
    });
    text
}

/// One in so many of these.
fn some(bytes: &mut Bytes<'_>, one_in: usize, text: &mut String, from: &[&str]) {
    for it in from {
        if bytes.happens(1, one_in) {
            text.push_str(it);
        }
    }
}

fn few(bytes: &mut Bytes<'_>, most: usize, text: &mut String, one: impl Fn(&mut Bytes<'_>, &mut String)) {
    for _ in 0..bytes.below(most + 1) {
        one(bytes, text);
    }
}

/// An object, mostly with what makes it a record.
fn object(bytes: &mut Bytes<'_>, text: &mut String, depth: usize) {
    text.push('{');
    if depth == 0 && !bytes.happens(1, 4) {
        text.push_str(bytes.pick(RECORDS));
    }
    few(bytes, 5, text, |bytes, text| {
        text.push_str(&format!("\"{}\":", bytes.pick(KEYS)));
        value(bytes, text, depth + 1);
        text.push(',');
    });
    // The last comma is no JSON, now and then.
    if text.ends_with(',') && !bytes.happens(1, 30) {
        text.pop();
    }
    text.push('}');
}

fn value(bytes: &mut Bytes<'_>, text: &mut String, depth: usize) {
    match bytes.below(6) {
        0 if depth < 4 => object(bytes, text, depth),
        1 if depth < 4 => {
            text.push('[');
            value(bytes, text, depth + 1);
            text.push(']');
        }
        _ => text.push_str(bytes.pick(VALUES)),
    }
}

const HEADS: &[&str] = &[
    "[fields]\nfrom = \"/from\"\nto = \"/to\"\nperformative = \"/kind\"\n",
    "[fields]\nfilter = \"it.jq\"\n",
    "",
    "[fields]\nfrom = [\"/who\", \"/from\"]\nto = [\"/to/0\", \"/to\"]\nperformative = \"\"\n",
];

const FIELDS: &[&str] = &[
    "args = \"/args\"\n",
    "conversation = \"/in\"\n",
    "time = \"/time\"\n",
    "event = \"/event\"\n",
    "id = [\"/id\", \"/rpc\"]\n",
    "remember = \"/rpc\"\n",
    "recall = [\"/rpc\", \"/in\"]\n",
    "same_as = \"/task\"\n",
];

const TABLES: &[&str] = &[
    "[only]\n\"/kind\" = [\"a\", \"b\"]\n",
    "[events]\n\"s\" = \"send\"\nr = \"receive\"\n",
    "[args]\n\"b\" = [\"/n\"]\n\"a\" = \"/args/0\"\n",
    "[cast]\n\"desk\" = \"!A\"\n\"w-*\" = \"%b\"\n",
    "[performatives]\n\"a\" = \"m\"\n\"\" = \"\"\n",
];

/// What makes a mapping or a filter wrong, or ends a line of it.
const SLIPS: &[&str] = &[
    "x = 1979-05-27\n",
    "\"/~2\" = \"é\"\n",
    "= ",
    "[",
    "(",
    "\"",
    "\"\"\"",
    "\u{1b}",
    "é",
    "#",
    "\n",
    " | nothing_such",
];

/// None of these goes on for ever, nor do their pieces: filters are trusted.
const FILTERS: &[&str] = &[
    ".",
    "{from: .from, to: .to, performative: .kind, args: .args, conversation: .in, remember: .rpc}",
    ".said[]? | {from, to, performative: \"a\", recall: .rpc}",
    "if .kind then {from, to, performative: .kind, id, time, same_as: .task} else {remember: .rpc} end",
    ". as $x | [.to[]?] | {from: $x.from, to: ., performative: ($x.kind // \"a\")}",
    "",
];

const PIECES: &[&str] = &[
    " | .",
    ", .",
    " | .to",
    " | .[]",
    " | .[]?",
    " | [.]",
    " | keys",
    " // empty",
    " | tojson",
    " | fromjson?",
    " | tonumber",
    " | ascii_downcase",
    " | test(\"a+\")",
    " | ltrimstr(\"a\")",
    " | error",
    " | halt",
    " | try error catch .",
    " | .[0:2]",
    " | .[1e9]",
    " | . * 1000",
    " | 1 / 0",
    " | infinite",
    " | nan",
    " | @base64",
    " | todate",
    " | strptime(\"%Y\")",
    " | splits(\", *\"; \"x\")",
    " | implode",
    " | {(.): .}",
    " | $x",
    " as [$a] | $a",
    " | \"\\(.)é\"",
];

const RECORDS: &[&str] = &[
    "\"from\":\"desk\",\"to\":\"w-1\",\"performative\":\"a\",\"kind\":\"a\",\"rpc\":1,",
    "\"rpc\":1,\"kind\":\"b\",\"n\":2,",
    "\"from\":\"w-1\",\"to\":[\"desk\"],\"kind\":\"b\",\"in\":\"c\",\"rpc\":1,\"event\":\"s\",",
    "\"from\":\"desk\",\"to\":[\"w-1\",\"w-2\"],\"performative\":\"a\",\"kind\":\"b\",\"in\":\"d\",\"task\":\"c\",",
];

const KEYS: &[&str] = &[
    "from",
    "to",
    "kind",
    "performative",
    "args",
    "n",
    "in",
    "conversation",
    "time",
    "event",
    "id",
    "rpc",
    "task",
    "who",
    "said",
    "client",
    "server",
    "session",
    "body",
    "method",
    "type",
    "receiver",
    "sender",
    "",
];

const VALUES: &[&str] = &[
    "\"a\"",
    "1",
    "null",
    "true",
    "-1",
    "1e300",
    "18446744073709551616",
    "\"send\"",
    "\"receive\"",
    "\"2026-11-20T10:00:00Z\"",
    "\"w-1\"",
    "\"\"",
    "\"\\u001b[2J\"",
    "\"\\ud800\"",
    "[]",
    "1.5",
    "{\"agent\":\"w-1\"}",
];

const JUNK: &[&str] =
    &["", "7", "[]", "{", "\u{feff}{}", "(CFP :sender (agent-identifier :name a))", "\u{1b}", "\"\\"];
