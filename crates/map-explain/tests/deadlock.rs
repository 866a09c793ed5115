//! From source text to an explanation, without the command line.

use std::num::NonZeroUsize;

use map_check::{CheckOptions, check};
use map_compile::compile;
use map_diagnostics::SourceFile;
use map_explain::transcript::Columns;
use map_explain::{Namer, Role, tell, violation};
use map_semantics::{Bounds, Network, Timeouts};
use map_session::{stuck_agents, taken_steps};
use map_verify::{Limit, Limits, Progress, Snapshot, Tuning, replay, verify};

const TEXT: &str = "\
talk[
    agent(!A, %asker) =
        question() => agent(!B, %hearer)
        then waitfor answer() <= agent(!B, %hearer)

    agent(!B, %hearer) =
        waitfor greeting() <= agent(!A, %asker)
]
";

const EXPLANATION: &str = "\
Nothing can happen any more, but not everybody has ended:
  !A waits at talk.map:4, since step 1
    for answer() in line 4: answer() <= agent(!B, %hearer)
      nobody in this scene sends that to !A
  !B waits at talk.map:7, from the start
    for greeting() in line 7: greeting() <= agent(!A, %asker)
      nobody in this scene sends that to !B
    unread in its mailbox: question() from !A
";

struct Unwatched;

impl Progress for Unwatched {
    fn tick(&mut self, _: &Snapshot) -> Option<Limit> {
        None
    }
}

#[test]
fn who_waits_for_what() {
    let source = SourceFile::new("folder/talk.map", TEXT);
    let file = map_syntax::parse(&source).file;
    let (checked, errors) = check(&file, &CheckOptions { agents: Vec::new(), ..CheckOptions::default() });
    let program = compile(&checked.unwrap_or_else(|| panic!("{errors:?}")));
    let bounds = Bounds {
        depth: 64,
        rounds: None,
        rounds_of: Vec::new(),
        mailbox: 8,
        timeouts: Timeouts::Quiescent,
        network: Network::INSTANT,
        after: None,
    };
    let limits =
        Limits { states: 1000, memory: usize::MAX, threads: NonZeroUsize::MIN, tuning: Tuning::TINY };
    let report = verify(&program, &bounds, &limits, false, &mut Unwatched).expect("the engine is right");
    let violation = report.violations.first().expect("nobody answers");
    let replayed = replay(&program, &bounds, &violation.trace).expect("the trace is right");
    let mut namer = Namer::new(&source, &program);
    let mut story = String::new();
    let columns = Columns::new(&namer, replayed.steps.len() as u64);
    for step in taken_steps(&replayed) {
        let told = tell(&mut namer, &step);
        story.push_str(&columns.line(&namer, 1, &told).to_string());
    }
    assert_eq!(story, "  1  !A  talk.map:3  sends question() to !B\n");
    let waiting: Vec<_> = stuck_agents(&program, &replayed)
        .iter()
        .map(|stuck| program.agent_name(stuck.agent).to_owned())
        .collect();
    assert_eq!(waiting, ["A", "B"]);
    let text = violation::explain(&namer, &bounds, violation, &replayed, false);
    assert_eq!(text.to_string(), EXPLANATION);
    let about: Vec<_> = text
        .pieces()
        .iter()
        .filter(|piece| piece.role == Some(Role::Agent))
        .map(|piece| &*piece.text)
        .collect();
    assert_eq!(about, ["!A", "!B"]);
}
