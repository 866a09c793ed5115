//! Mutated inputs for every verb: whatever a file, a trace or an argument holds, the exit code is a documented one, and
//! nothing panics.
//!
//! `MAP_ATTACK=N` sets how many, `MAP_SEED=S` where the seeds start; then each has to end within its limit, too.

use std::fs;
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use map_testkit::markdown::Page;
use map_testkit::scenes::{Random, random_scene};
use map_testkit::texts::words;

use super::lines::DOCUMENTED;
use super::protocols;

/// What is run. `TEXT`, `TRACE` and `SAYS` stand for files and an argument that are mutated; logs and mappings are
/// mutated ones of the book; standard input is a mutated script for `step`, or else the text.
const LINES: [&str; 32] = [
    "check TEXT",
    "check - --format json",
    "check TEXT --agents SAYS",
    "run TEXT --seed 1 --max-steps 1000",
    "run TEXT --seed 2 --max-steps 100 --format json --network SAYS",
    "run TEXT --seed 3 --max-steps 100 --runs 20 --yes SAYS",
    "step TEXT",
    "verify TEXT --time-limit 1s --max-states 2000",
    "verify TEXT --time-limit 1s --max-states 300 --weather --format json",
    "verify TEXT --time-limit 1s --max-states 500 --property SAYS --report out.html",
    "verify TEXT --time-limit 1s --max-states 500 --rounds SAYS --chart always --save-trace out.json",
    "test TEXT --time-limit 1s --junit out.xml",
    "replay TRACE",
    "replay TRACE --format json --chart always",
    "render TEXT --as svg --output out.svg",
    "render TEXT --graph state --max-states 100",
    "render TRACE --as mermaid",
    "fmt -",
    "fmt TEXT",
    "export TEXT --to promela --mailbox 3",
    "dump ast TEXT",
    "dump ir TEXT",
    "dump successors TEXT --after SAYS",
    "SAYS",
    "conform net.map tenders.jsonl --complete --save-trace out.json",
    "conform net.map tenders.jsonl --conversation roof --save-trace out.json --arrivals unordered",
    "conform net.map calls.jsonl --mapping calls.toml --junit out.xml --skip-bad 9",
    "conform net.map a2a.jsonl --from a2a --mapping a2a.toml --format json",
    "conform net.map acl.txt --from fipa-acl --mapping acl.toml --format ndjson",
    "conform net.map autogen.jsonl --from autogen --max-conversations 1",
    "conform net.map mcp.jsonl --from mcp --unknown ignore",
    "conform net.map spans.jsonl --from otel --unknown ignore",
];

/// The files that the book shows on its pages about logs, by their names.
fn samples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/how-to");
    let mut found = Vec::new();
    for name in ["conform.md", "conform-mapping.md", "conform-systems.md"] {
        let page = Page::read(&fs::read_to_string(folder.join(name)).expect("it is a page"));
        for block in &page.blocks {
            let name = block.remarks.get("file").filter(|it| !it.ends_with(".map"));
            found.extend(name.map(|name| (name.clone(), page.text(block))));
        }
    }
    found
}

/// Arguments of flags and of verbs without files; words of these are mutated.
const SAYINGS: [&str; 16] = [
    "bidder=3",
    "bidloop=2,3",
    "lossy:2",
    "unordered crash:1",
    "0.7,keepBidding=0.9",
    "always (eventually ended)",
    "never !A sends m() to _",
    "0.0.act,0.0.act,1.0.act",
    "explain MAP203",
    "new - --from ballot/quorum-or-nothing",
    "new --from ballot",
    "completions bash",
    "man verify",
    "--version",
    "dump names - --agents a=2",
    "18446744073709551616",
];

const SCRIPT: &str = "list\n1\nrandom 20 7\nundo 2\nshow !Bidder\nmailbox\nvariables\nmemory\nwhere\ntrace 1 5\ngo 3\nredo\nsave out.json\nquit\n";

/// The time limit of those that take one; the others are to be quicker still.
const LIMIT: Duration = Duration::from_secs(1);

/// What a busy machine may add.
const SLACK: Duration = Duration::from_secs(20);

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// The texts in a folder and its folders.
fn texts(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("it is there").flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|it| it == "map") {
            let text = fs::read_to_string(&path).expect("it is a text");
            found.push((path, text));
        }
    }
}

/// The text with some changes of bytes or of words, which come from a donor; or with one word replaced by another of
/// its own of the same kind, which leaves many texts correct.
fn mutated(random: &mut Random, text: &str, donor: &str) -> Vec<u8> {
    if random.percent(50) {
        return with_another_word(random, text).into_bytes();
    }
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.between(1, 4) {
        if random.percent(50) {
            change_bytes(random, &mut bytes);
        } else if let Ok(text) = std::str::from_utf8(&bytes) {
            bytes = change_words(random, text, donor).into_bytes();
        }
    }
    bytes
}

fn change_bytes(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len() + 1);
    let end = bytes.len().min(at + random.below(8));
    match random.below(6) {
        0 => drop(bytes.drain(at..end)),
        1 => bytes.insert(at, random.below(256) as u8),
        2 => bytes.insert(at, *random.pick(b"()[]{}\"\\\n\0$%!@,:=<>|09")),
        3 => bytes.truncate(at),
        4 => {
            let again = bytes[at..end].to_vec();
            (0..random.below(50)).for_each(|_| drop(bytes.splice(at..at, again.iter().copied())));
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << random.below(8);
            }
        }
    }
}

fn with_another_word(random: &mut Random, text: &str) -> String {
    let own = words(text);
    let kind = |word: &Range<usize>| {
        text[word.clone()].chars().next().map(|first| if first.is_alphanumeric() { 'a' } else { first })
    };
    if own.is_empty() {
        return text.to_owned();
    }
    let one = random.pick(&own).clone();
    let alike: Vec<_> = own.iter().filter(|it| kind(it) == kind(&one)).cloned().collect();
    let other = &text[random.pick(&alike).clone()];
    format!("{}{other}{}", &text[..one.start], &text[one.end..])
}

fn change_words(random: &mut Random, text: &str, donor: &str) -> String {
    let (own, others) = (words(text), words(donor));
    if own.is_empty() || others.is_empty() {
        return donor.to_owned();
    }
    let (one, two) = (random.pick(&own).clone(), random.pick(&own).clone());
    let with = match random.below(6) {
        0 => String::new(),
        1 => text[two].to_owned(),
        2 => (*random.pick(&["999999999999999999999", "-1", "\"\"", "0", "par", "waitfor"])).to_owned(),
        3 => format!("{} {}", &text[one.clone()], &text[two]),
        _ => donor[random.pick(&others).clone()].to_owned(),
    };
    format!("{}{with}{}", &text[..one.start], &text[one.end..])
}

/// One input: a command line and its files, all from the seed.
struct Attack {
    words: Vec<String>,
    text: Vec<u8>,
    trace: Vec<u8>,
    /// Those of the book that the command line names.
    samples: Vec<(String, Vec<u8>)>,
    input: Vec<u8>,
}

fn attack(seed: u64, corpus: &[(PathBuf, String)], trace: &str, of_the_book: &[(String, String)]) -> Attack {
    let mut random = Random::new(seed, 11);
    let pick = |random: &mut Random| corpus[random.below(corpus.len())].1.clone();
    let donor = pick(&mut random);
    // Small scenes come further.
    let text = if random.percent(40) { random_scene(seed) } else { pick(&mut random) };
    let line = LINES[(seed % LINES.len() as u64) as usize];
    let says = *random.pick(&SAYINGS);
    let says = if random.percent(60) {
        String::from_utf8_lossy(&mutated(&mut random, says, SAYINGS[random_index(seed)])).replace('\0', "0")
    } else {
        says.to_owned()
    };
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    if line == "SAYS" {
        words = says.split_whitespace().map(str::to_owned).collect();
    }
    for word in &mut words {
        match &**word {
            "TEXT" => *word = "text.map".to_owned(),
            "TRACE" => *word = "trace.json".to_owned(),
            "SAYS" => *word = says.clone(),
            _ => {}
        }
    }
    let mut samples = Vec::new();
    for (name, text) in of_the_book.iter().filter(|(name, _)| words.contains(name)) {
        // An intact log comes as far as a mapping is good, and the other way round.
        let text =
            if random.percent(70) { mutated(&mut random, text, text) } else { text.clone().into_bytes() };
        samples.push((name.clone(), text));
    }
    let text = mutated(&mut random, &text, &donor);
    let trace = mutated(&mut random, trace, trace);
    let input =
        if line.starts_with("step") { mutated(&mut random, SCRIPT, SAYINGS[0]) } else { text.clone() };
    Attack { words, text, trace, samples, input }
}

fn random_index(seed: u64) -> usize {
    (seed / 7 % SAYINGS.len() as u64) as usize
}

/// Runs it in a folder; what is wrong with how it ends.
fn strike(folder: &Path, attack: &Attack, is_timed: bool) -> Result<i32, String> {
    let Attack { words, text, trace, samples, input } = attack;
    for (name, text) in samples {
        fs::write(folder.join(name), text).expect("it can be written");
    }
    fs::write(folder.join("text.map"), text).expect("it can be written");
    fs::write(folder.join("trace.json"), trace).expect("it can be written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_map"));
    command.args(words).current_dir(folder).env("RUST_BACKTRACE", "0");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let since = Instant::now();
    let mut child = command.spawn().expect("it runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.clone();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("it does not panic");
    let took = since.elapsed();
    let err = String::from_utf8_lossy(&output.stderr);
    let code = output.status.code().filter(|it| DOCUMENTED.contains(it));
    if code.is_none() || err.contains("panicked") || err.contains("internal error") {
        return Err(format!("{}: {err}", output.status));
    }
    if code >= Some(2) && err.trim().is_empty() && output.stdout.is_empty() {
        return Err(format!("{} without a word", output.status));
    }
    if is_timed && took > LIMIT + SLACK {
        return Err(format!("it takes {took:?}"));
    }
    Ok(code.unwrap_or_default())
}

#[test]
fn mutated_inputs_end_as_documented() {
    let asked = setting("MAP_ATTACK");
    let (count, first) = (asked.unwrap_or(240), setting("MAP_SEED").unwrap_or(1));
    let mut corpus = Vec::new();
    texts(&protocols().join(".."), &mut corpus);
    texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases"), &mut corpus);
    corpus.sort();
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("text.map");
    fs::copy(protocols().join("published-corrected.map"), &saved).expect("it can be copied");
    let saving = Command::new(env!("CARGO_BIN_EXE_map"))
        .args(["verify", "text.map", "--save-trace", "trace.json"])
        .current_dir(folder.path())
        .output();
    assert_eq!(saving.expect("it runs").status.code(), Some(1));
    let trace = fs::read_to_string(folder.path().join("trace.json")).expect("it was saved");
    let net = protocols().join("../contract-net/contract-net.map");
    fs::copy(net, folder.path().join("net.map")).expect("it can be copied");
    let of_the_book = samples();
    let (mut codes, mut bad, mut longest) = ([0; 5], Vec::new(), (Duration::ZERO, 0));
    for seed in first..first + count {
        let attack = attack(seed, &corpus, &trace, &of_the_book);
        let since = Instant::now();
        match strike(folder.path(), &attack, asked.is_some()) {
            Ok(code) => codes[code as usize] += 1,
            Err(why) => bad.push(format!("seed {seed}: map {}: {why}", attack.words.join(" "))),
        }
        longest = longest.max((since.elapsed(), seed));
    }
    eprintln!("{count} inputs, seeds from {first}; exit codes 0 to 4: {codes:?}; the longest: {longest:?}");
    assert!(bad.is_empty(), "{} of {count}:\n{}", bad.len(), bad.join("\n"));
}
