//! The examples of `docs/cli.md`: every command on that page prints what the page says.

use std::fs;
use std::path::Path;

use super::{map, map_with};

/// Whether the lines are those expected; `...` stands for any number of lines.
fn fits(expected: &[&str], actual: &[&str]) -> bool {
    match expected {
        [] => actual.is_empty(),
        ["...", rest @ ..] => (0..=actual.len()).any(|skipped| fits(rest, &actual[skipped..])),
        [first, rest @ ..] => actual.first() == Some(first) && fits(rest, &actual[1..]),
    }
}

/// What a line behind the prompt prints, diagnostics first: `map ..`, `echo '..' | map ..`, or one `map ..` piped into
/// another. What is echoed may have several lines, separated by `\n` (as `echo -e` has it).
fn printed(command: &str) -> String {
    let quoted = command.strip_prefix("echo '").or_else(|| command.strip_prefix("echo -e '"));
    let echoed = quoted.and_then(|rest| rest.split_once("' | "));
    let (input, arguments) = match (echoed, command.split_once(" | map ")) {
        (Some((text, command)), _) => (Some(text.replace("\\n", "\n") + "\n"), command.to_owned()),
        (None, Some((first, second))) => (Some(printed(first)), format!("map {second}")),
        (None, None) => (None, command.to_owned()),
    };
    // What stands between single quotes is one word, as in a shell.
    let quoted = arguments.split('\'').enumerate();
    let words: Vec<&str> = quoted
        .flat_map(|(index, part)| match index % 2 {
            0 => part.split(' ').filter(|word| !word.is_empty()).collect(),
            _ => vec![part],
        })
        .collect();
    assert_eq!(words[0], "map", "{command}");
    let ran = match input {
        Some(text) => map_with(text.as_bytes(), &words[1..]),
        None => map(&words[1..]),
    };
    ran.err + &ran.out
}

#[test]
fn examples_are_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let page = fs::read_to_string(path).expect("the page is there");
    let mut examples = 0;
    for block in page.split("```console\n").skip(1) {
        let block = block.split("\n```").next().unwrap_or(block);
        let mut lines = block.lines();
        let command =
            lines.next().and_then(|line| line.strip_prefix("$ ")).expect("a block begins with a prompt");
        let expected: Vec<&str> = lines.collect();
        let out = printed(command);
        let actual: Vec<&str> = out.lines().collect();
        assert!(
            fits(&expected, &actual),
            "$ {command}\nprints now:\n{out}\nand not:\n{}",
            expected.join("\n")
        );
        examples += 1;
    }
    assert!(examples > 10);
    for verb in ["check", "run", "step", "verify", "replay", "fmt", "explain", "dump", "completions"] {
        assert!(
            page.contains(&format!("$ map {verb} ")) || page.contains(&format!("| map {verb} ")),
            "{verb}"
        );
    }
}
