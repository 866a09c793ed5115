//! Conversations that are guarded: refusals, time, limits, and what a restart finds.
use std::sync::Arc;

use map_check::{CheckOptions, check};
use map_conform::{Roles, Scene, Settings};
use map_diagnostics::SourceFile;
use map_guard::{
    Acceptance, ArgumentText, Config, ConversationState, Denial, Draft, Ending, Guard, ItemKind, Limits,
    MisuseKind, Notice, Policy, Record, Refusal, RefusalKind, Rules,
};
use map_ir::Program;
use serde_json::{Value as Json, json};

const SECOND: u64 = 1_000_000_000;
const START: u64 = 1_000 * SECOND;
const DIGEST: &str = "this file";

fn program(source: &SourceFile) -> Program {
    let parsed = map_syntax::parse(source);
    let options = CheckOptions::default();
    let (checked, diagnostics) = check(&parsed.file, &options);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    map_compile::compile(&checked.expect("the file is correct"))
}

fn guard_of(text: &str, config: &str) -> Guard {
    let source = SourceFile::new("scene.map", text);
    let program = Arc::new(program(&source));
    let config = Config::parse(config).expect("the configuration is correct");
    let line = |point| source.position(program.point(point).span.start).line;
    let policy = config.policy(&program, "scene.map", &line).expect("it fits the scene");
    let scene = Arc::new(Scene::new(Arc::clone(&program), Settings::default()));
    let roles = Roles::new(&program).with_cast(config.cast());
    Guard::new(Rules::new(scene, roles, policy))
}

const TRIPS: &str = include_str!("../../../examples/trips/trips.map");
const TRIPS_CONFIG: &str = include_str!("../../../examples/trips/trips.toml");

fn draft(performative: &str, args: &[i64]) -> Draft {
    Draft {
        performative: performative.to_owned(),
        args: args.iter().map(|arg| json!(arg)).collect(),
        ..Draft::default()
    }
}

fn send(
    guard: &mut Guard,
    now: u64,
    agent: &str,
    performative: &str,
    args: &[i64],
) -> Result<Acceptance, Denial> {
    guard.send(now, "c", agent, &draft(performative, args))
}

fn refusal(result: Result<Acceptance, Denial>) -> Refusal {
    match result {
        Err(Denial::Refused(refusal)) => *refusal,
        other => panic!("it is not refused: {other:?}"),
    }
}

/// Fetches everything, and acknowledges it.
fn fetch(guard: &mut Guard, now: u64, agent: &str) -> Vec<ItemKind> {
    let items = guard.receive(now, "c", agent, 0, false).expect("it is an agent").items;
    if let Some(last) = items.last() {
        let _ = guard.receive(now, "c", agent, last.seq, false);
    }
    items.into_iter().map(|item| item.kind).collect()
}

/// A trip as far as both offers, without what is fetched by the desk.
fn offers(guard: &mut Guard) {
    send(guard, START, "desk", "quote", &[8]).expect("it fits");
    for supplier in ["flights", "hotels"] {
        assert_eq!(fetch(guard, START, supplier).len(), 1);
    }
}

#[test]
fn the_faults_of_the_trips_are_refused_before_they_are_delivered() {
    let mut guard = guard_of(TRIPS, TRIPS_CONFIG);
    offers(&mut guard);
    let too_expensive = refusal(send(&mut guard, START, "flights", "offer", &[9]));
    assert_eq!(too_expensive.kind.word(), "wrong_content");
    let may = too_expensive.offer.expect("it may say something else").may;
    let offer = may.iter().find(|it| it.performative == "offer").expect("it may offer something");
    assert_eq!((&offer.arguments[..], offer.exact), (&[ArgumentText::In(1, 8)][..], true));
    let kind = |result| refusal(result).kind.word();
    assert_eq!(kind(send(&mut guard, START, "flights", "booked", &[])), "out_of_turn");
    assert_eq!(kind(send(&mut guard, START, "flights", "maybe", &[])), "not_its_word");
    let to_hotels = Draft { to: Some(vec!["hotels".to_owned()]), ..draft("offer", &[5]) };
    assert_eq!(kind(guard.send(START, "c", "flights", &to_hotels)), "wrong_recipient");
    assert_eq!(kind(send(&mut guard, START, "desk", "quote", &[8])), "repeated");
    send(&mut guard, START, "flights", "offer", &[5]).expect("it fits");
    assert_eq!(kind(send(&mut guard, START, "flights", "offer", &[5])), "repeated");
    send(&mut guard, START, "hotels", "soldOut", &[]).expect("it fits");
    // The desk has seen neither, and may not book: something is missing.
    assert_eq!(kind(send(&mut guard, START, "desk", "book", &[])), "out_of_turn");
    send(&mut guard, START, "desk", "cancel", &[]).expect("it fits");
    for supplier in ["flights", "hotels"] {
        assert_eq!(fetch(&mut guard, START, supplier).len(), 1);
        send(&mut guard, START, supplier, "cancelled", &[]).expect("it fits");
    }
    let status = guard.status(START, "c").expect("there is one");
    assert_eq!((status.state, status.messages), (ConversationState::Over(Ending::Complete), 6));
    assert_eq!(kind(send(&mut guard, START, "desk", "book", &[])), "closed");
}

#[test]
fn a_request_with_the_same_key_gets_the_same_answer() {
    let mut guard = guard_of(TRIPS, TRIPS_CONFIG);
    let quote = Draft { key: Some("q".to_owned()), ..draft("quote", &[8]) };
    let first = guard.send(START, "c", "desk", &quote).expect("it fits");
    assert_eq!(guard.send(START, "c", "desk", &quote), Ok(first));
    let wrong = Draft { key: Some("w".to_owned()), ..draft("booked", &[]) };
    let refused = refusal(guard.send(START, "c", "flights", &wrong));
    assert_eq!(refusal(guard.send(START, "c", "flights", &wrong)).kind, refused.kind);
    assert_eq!(guard.status(START, "c").expect("there is one").messages, 1);
}

#[test]
fn what_may_be_asked_changes_nothing() {
    let mut guard = guard_of(TRIPS, TRIPS_CONFIG);
    let quote = draft("quote", &[8]);
    let may = guard.may_i(START, "c", "desk", &quote).expect("it fits");
    assert_eq!((may.seq, may.is_certain), (None, true));
    assert!(guard.take_records().is_empty());
    let misuse =
        |denial| if let Denial::Misused(misuse) = denial { misuse.kind } else { panic!("{denial:?}") };
    assert_eq!(
        misuse(guard.status(START, "c").expect_err("nothing was opened")),
        MisuseKind::UnknownConversation
    );
    assert_eq!(misuse(guard.offer(START, "c", "trains").expect_err("nobody is")), MisuseKind::UnknownAgent);
    let unread = guard.receive(START, "c", "desk", 7, false).expect_err("nothing was handed over");
    assert_eq!(misuse(unread), MisuseKind::NotHandedOver);
}

#[test]
fn who_owes_is_silent_in_time_and_given_up() {
    let config =
        format!("{TRIPS_CONFIG}[answers]\n\"%supplier\" = \"30s\"\n[enforce]\non_silent = \"give_up\"\n");
    let mut guard = guard_of(TRIPS, &config);
    offers(&mut guard);
    assert_eq!(guard.next_due(), Some(START + 30 * SECOND));
    send(&mut guard, START + 29 * SECOND, "hotels", "offer", &[3]).expect("it is in time");
    guard.advance(START + 31 * SECOND);
    let silent = std::iter::from_fn(|| guard.next_notice())
        .find_map(|notice| match notice {
            Notice::Silent { agent, gave_up, .. } => Some((agent, gave_up)),
            _ => None,
        })
        .expect("somebody is silent");
    assert_eq!(silent, ("flights".to_owned(), true));
    let late = refusal(send(&mut guard, START + 31 * SECOND, "flights", "offer", &[3]));
    assert_eq!(late.kind, RefusalKind::Silenced);
    // The desk waits for it in vain.
    assert_eq!(guard.status(START + 31 * SECOND, "c").expect("there is one").state, ConversationState::Stuck);
}

/// A collector that gives up waiting, and two who may answer.
const COLLECTOR: &str = "cast %worker = 2

crew[
    agent(!Planner, %planner) = task() => agent(_, %worker) then agent(collect)
    agent(!Planner, %planner, collect) =
        (waitfor result() <= agent(_, %worker)
        timeout stop() => agent(_, %worker)) then skip
    agent($me, %worker) =
        waitfor (task() <= agent(!Planner, %planner) then agent(decide))
    agent($me, %worker, decide) =
        ($x = able() then result() => agent(!Planner, %planner) then skip) or skip
]

decision able()
";

fn started(config: &str) -> Guard {
    let mut guard = guard_of(COLLECTOR, config);
    send(&mut guard, START, "Planner", "task", &[]).expect("it fits");
    for worker in ["Worker1", "Worker2"] {
        fetch(&mut guard, START, worker);
    }
    guard
}

#[test]
fn time_runs_out_when_everybody_is_at_rest() {
    let mut guard = started("[waits]\n\"%planner/collect\" = \"2s\"\n");
    let stop = refusal(send(&mut guard, START, "Planner", "stop", &[]));
    assert_eq!((stop.kind, stop.waits_for.len()), (RefusalKind::Early, 2));
    guard.rest(START, "c", "Worker1").expect("it may be at rest");
    let result = refusal(send(&mut guard, START, "Worker1", "result", &[]));
    assert_eq!(result.kind, RefusalKind::Rested);
    guard.advance(START + 100 * SECOND);
    assert_eq!(
        refusal(send(&mut guard, START + 100 * SECOND, "Planner", "stop", &[])).kind,
        RefusalKind::Early
    );
    guard.rest(START + 100 * SECOND, "c", "Worker2").expect("it may be at rest");
    let stop = refusal(send(&mut guard, START + 101 * SECOND, "Planner", "stop", &[]));
    assert_eq!((stop.kind, stop.earliest), (RefusalKind::Early, Some(START + 102 * SECOND)));
    guard.advance(START + 102 * SECOND);
    assert!(matches!(fetch(&mut guard, START + 102 * SECOND, "Planner")[..], [ItemKind::Timeout(_)]));
    send(&mut guard, START + 102 * SECOND, "Planner", "stop", &[]).expect("time has run out");
}

#[test]
fn who_may_rest_is_taken_to_rest_in_time_and_early_waits_need_nobody() {
    let mut guard = started("[answers]\n\"%worker\" = \"5s\"\n");
    assert_eq!(guard.next_due(), Some(START + 5 * SECOND));
    guard.advance(START + 5 * SECOND);
    assert!(matches!(fetch(&mut guard, START + 5 * SECOND, "Planner")[..], [ItemKind::Timeout(_)]));
    let mut guard = started("[waits]\n\"scene.map:6\" = { early = \"1s\" }\n");
    assert_eq!(guard.next_due(), Some(START + SECOND));
    guard.advance(START + SECOND);
    send(&mut guard, START + SECOND, "Planner", "stop", &[]).expect("time has run out");
}

#[test]
fn what_was_not_fetched_makes_a_message_stale() {
    let mut guard = started("[waits]\n\"%planner/collect\" = { early = \"1s\" }\n");
    guard.advance(START + SECOND);
    // The result arrives when time has run out already, and the planner has not heard of that.
    let stop = send(&mut guard, START + SECOND, "Planner", "stop", &[]);
    assert!(stop.is_ok(), "{stop:?}");
    let fetched = fetch(&mut guard, START + SECOND, "Worker1");
    assert_eq!(fetched.len(), 1, "{fetched:?}");
}

#[test]
fn messages_are_limited() {
    let config = format!("{TRIPS_CONFIG}[enforce]\nmessages = 2\n\"%supplier\" = 1\n");
    let mut guard = guard_of(TRIPS, &config);
    offers(&mut guard);
    assert_eq!(guard.offer(START, "c", "hotels").expect("it is an agent").left, Some(1));
    send(&mut guard, START, "flights", "soldOut", &[]).expect("it fits");
    let second = refusal(send(&mut guard, START, "hotels", "soldOut", &[]));
    assert_eq!(second.kind, RefusalKind::Budget);
    assert!(second.offer.is_some_and(|offer| offer.may.is_empty()));
}

/// A guard of this scene with other limits.
fn limited(text: &str, settings: Settings, change: impl FnOnce(&mut Limits)) -> Guard {
    let source = SourceFile::new("scene.map", text);
    let program = Arc::new(program(&source));
    let mut policy = Policy::new(&program);
    change(&mut policy.limits);
    let scene = Arc::new(Scene::new(Arc::clone(&program), settings));
    let roles = Roles::new(&program);
    Guard::new(Rules::new(scene, roles, policy))
}

/// Somebody says words to somebody, as long as it likes.
const TALK: &str = "decision word()
    talk[
        agent(!A, %a) = ($word = word() then say($word) => agent(!B, %b) then agent()) or skip
        agent(!B, %b) = waitfor say(_) <= agent(!A, %a) then agent()
    ]";

fn says(guard: &mut Guard, conversation: &str, word: &str, key: &str) -> Result<Acceptance, Denial> {
    let (args, key) = (vec![json!({ "text": word })], Some(key.to_owned()));
    guard.send(START, conversation, "A", &Draft { args, key, ..draft("say", &[]) })
}

#[test]
fn every_bound_is_named_by_who_refuses() {
    let talk = |change: fn(&mut Limits)| limited(TALK, Settings::default(), change);
    let refuses = |guard: &mut Guard, conversation: &str, word: &str, kind: RefusalKind, flag: &str| {
        let refusal = refusal(says(guard, conversation, word, &format!("the key of {word}")));
        assert_eq!(refusal.kind, kind, "{}", refusal.text);
        assert!(refusal.text.contains(flag), "{flag}: {}", refusal.text);
    };
    let limit = RefusalKind::Limit;
    let mut guard = talk(|limits| limits.conversations = 1);
    says(&mut guard, "c", "hello", "k").expect("it fits");
    refuses(&mut guard, "d", "hello", limit, "--max-conversations");
    says(&mut guard, "c", "again", "l").expect("a conversation that is open goes on");
    let mut guard = talk(|limits| limits.undelivered = 1);
    says(&mut guard, "c", "hello", "k").expect("it fits");
    refuses(&mut guard, "c", "again", limit, "--max-undelivered");
    let mut guard = talk(|limits| limits.body = 20);
    says(&mut guard, "c", "hello", "k").expect("it fits");
    refuses(&mut guard, "c", "a text that is far too long", limit, "--max-body");
    let mut guard = talk(|limits| limits.texts = 100);
    says(&mut guard, "c", "hello", "k").expect("it fits");
    refuses(&mut guard, "c", &"long".repeat(20), limit, "--max-texts");
    let mut guard = talk(|limits| limits.keys = 1);
    says(&mut guard, "c", "hello", "k").expect("it fits");
    refuses(&mut guard, "c", "again", limit, "--max-keys");
    says(&mut guard, "c", "hello", "k").expect("a known key gets its answer");
    let mut guard = limited(TALK, Settings { work: 1, ..Settings::default() }, |_| {});
    refuses(&mut guard, "c", "hello", RefusalKind::Unsure, "--max-work");
}

#[test]
fn a_conversation_in_which_nothing_happens_expires_and_is_forgotten_after_as_long_again() {
    let mut guard = limited(TALK, Settings::default(), |limits| limits.idle = SECOND);
    says(&mut guard, "c", "hello", "k").expect("it fits");
    guard.advance(START + SECOND);
    let state = guard.status(START + SECOND, "c").expect("it is remembered").state;
    assert_eq!(state, ConversationState::Over(Ending::Expired));
    guard.advance(START + 2 * SECOND);
    guard.status(START + 2 * SECOND, "c").expect_err("it is forgotten");
    assert_eq!(guard.next_due(), None);
}

/// A guard that reads only what another one has carried over.
fn carried(guard: &mut Guard, written: &[Record], now: u64) -> Guard {
    let carried = guard.carry_over(START, DIGEST.to_owned());
    let is_live = |record: &&Record| {
        record.entry.conversation().is_some_and(|conversation| guard.is_live(conversation))
    };
    let live: Vec<Record> = written.iter().filter(is_live).cloned().collect();
    let all: Vec<Record> = [carried.first].into_iter().chain(live).chain(carried.ended).collect();
    replayed(TRIPS, TRIPS_CONFIG, &all, now)
}

#[test]
fn what_is_carried_over_is_all_that_matters() {
    let mut guard = guard_of(TRIPS, TRIPS_CONFIG);
    guard.start(START, DIGEST.to_owned());
    let keyed = |key: &str, draft: Draft| Draft { key: Some(key.to_owned()), ..draft };
    // One that has ended, in which somebody has not fetched the last message; and one that goes on.
    offers(&mut guard);
    send(&mut guard, START, "flights", "soldOut", &[]).expect("it fits");
    send(&mut guard, START, "hotels", "soldOut", &[]).expect("it fits");
    guard.send(START, "c", "desk", &keyed("x", draft("cancel", &[]))).expect("it fits");
    for supplier in ["flights", "hotels"] {
        assert_eq!(fetch(&mut guard, START, supplier).len(), 1);
        guard.send(START, "c", supplier, &keyed(supplier, draft("cancelled", &[]))).expect("it fits");
    }
    guard.send(START, "d", "desk", &keyed("q", draft("quote", &[8]))).expect("it fits");
    assert!(guard.is_live("d") && !guard.is_live("c"));
    let written = guard.take_records();
    let mut again = carried(&mut guard, &written, START);
    for name in ["c", "d"] {
        assert_eq!(again.status(START, name), guard.status(START, name), "{name}");
        for agent in ["desk", "flights", "hotels"] {
            assert_eq!(again.offer(START, name, agent), guard.offer(START, name, agent), "{name} {agent}");
            let fetched = again.receive(START, name, agent, 0, false);
            assert_eq!(fetched, guard.receive(START, name, agent, 0, false), "{name} {agent}");
        }
    }
    for (agent, key) in [("desk", "x"), ("flights", "flights"), ("hotels", "hotels")] {
        let repeated = keyed(key, draft("cancel", &[]));
        let answer = guard.send(START, "c", agent, &repeated);
        assert!(answer.is_ok(), "{answer:?}");
        assert_eq!(again.send(START, "c", agent, &repeated), answer);
    }
    assert_eq!(refusal(send(&mut again, START, "desk", "book", &[])).kind, RefusalKind::Closed);
    // Numbers are never given twice.
    let next = again.send(START, "d", "flights", &draft("soldOut", &[])).expect("it fits");
    assert!(next.seq > written.last().map(|record| record.seq), "{next:?}");
    let foreign = guard.carry_over(START, DIGEST.to_owned()).first;
    guard_of(TRIPS, TRIPS_CONFIG).replay(&foreign, "another file").expect_err("it was written for this one");
    again.replay(&foreign, DIGEST).expect_err("it begins in the middle");
}

fn replayed(text: &str, config: &str, records: &[Record], now: u64) -> Guard {
    let mut guard = guard_of(text, config);
    for record in records {
        let line = record.to_line();
        let record = Record::parse(line.trim_end().as_bytes()).expect("it was written");
        guard.replay(&record, DIGEST).expect("it follows");
    }
    let last = records.last().map_or(0, |record| record.time);
    guard.resume(last, now);
    guard
}

#[test]
fn after_a_restart_everything_is_as_it_was_and_no_time_has_passed() {
    let config = format!("{TRIPS_CONFIG}[answers]\n\"%supplier\" = \"30s\"\n");
    let mut guard = guard_of(TRIPS, &config);
    guard.start(START, DIGEST.to_owned());
    offers(&mut guard);
    let keyed = Draft { key: Some("o".to_owned()), ..draft("offer", &[5]) };
    let first = guard.send(START + 10 * SECOND, "c", "flights", &keyed).expect("it fits");
    let records = guard.take_records();
    let now = START + 1_000 * SECOND;
    let mut again = replayed(TRIPS, &config, &records, now);
    assert_eq!(again.next_due(), Some(now + 20 * SECOND));
    assert_eq!(again.send(now, "c", "flights", &keyed), Ok(first));
    assert_eq!(refusal(send(&mut again, now, "hotels", "offer", &[9])).kind.word(), "wrong_content");
    let offered = fetch(&mut again, now, "desk");
    assert!(matches!(&offered[..], [ItemKind::Message { from, .. }] if from == "flights"), "{offered:?}");
    let other = again.replay(&records[0], "another file").expect_err("it was written for this one");
    assert!(other.text.contains("follows on"), "{other:?}");
    let mut empty = guard_of(TRIPS, &config);
    empty.replay(&records[0], "another file").expect_err("it was written for this one");
}

/// At every record, a guard that begins from there offers what the one that went on has offered.
#[test]
fn a_guard_can_be_restarted_at_every_record() {
    let mut guard = started("[waits]\n\"%planner/collect\" = \"2s\"\n");
    guard.rest(START, "c", "Worker1").expect("it may be at rest");
    send(&mut guard, START, "Worker2", "result", &[]).expect("it fits");
    let records = guard.take_records();
    for length in 2..=records.len() {
        let mut again =
            replayed(COLLECTOR, "[waits]\n\"%planner/collect\" = \"2s\"\n", &records[..length], START);
        for agent in ["Planner", "Worker1", "Worker2"] {
            again.offer(START, "c", agent).expect("it is an agent");
        }
    }
    let mut again = replayed(COLLECTOR, "[waits]\n\"%planner/collect\" = \"2s\"\n", &records, START);
    for agent in ["Planner", "Worker1", "Worker2"] {
        assert_eq!(again.offer(START, "c", agent), guard.offer(START, "c", agent));
    }
}

#[test]
fn wrong_configurations_say_where_and_why() {
    let source = SourceFile::new("scene.map", COLLECTOR);
    let program = program(&source);
    let line = |point| source.position(program.point(point).span.start).line;
    let cases = [
        ("[answers]\n\"%worker\" = 30", "a text was expected"),
        ("[answers]\n\"%worker\" = \"30 years\"", "is no duration"),
        ("[answers]\n\"%nobody\" = \"30s\"", "plays %nobody"),
        ("[answers]\n\"!Nobody\" = \"30s\"", "has no agent"),
        ("[cast]\n\"w\" = \"%nobody\"", "plays %nobody"),
        ("[arrivals]\n\"%worker\" = \"soon\"", "do not arrive"),
        ("[waits]\n\"%planner/work\" = \"1s\"", "no clause %planner/work"),
        ("[waits]\n\"scene.map:5\" = \"1s\"", "no wait with a timeout stands at"),
        ("[waits]\n\"other.map:6\" = \"1s\"", "neither a clause nor a place"),
        ("[enforce]\nmessages = -1", "from 0 on"),
        ("[enforce]\non_silent = \"cry\"", "nothing is done by"),
        ("[limits]\n", "has no table"),
        ("waits", "it is not TOML"),
    ];
    for (text, why) in cases {
        let wrong = Config::parse(text).and_then(|config| config.policy(&program, "scene.map", &line));
        let error = wrong.expect_err(text);
        assert!(error.text.contains(why), "{text}: {}", error.text);
        assert!(error.span.end <= text.len(), "{text}: {:?}", error.span);
    }
}

#[test]
fn values_are_handed_over_as_they_were_given() {
    let text = "pass[
    agent(!A, %a) = $x = value() then give($x) => agent(!B, %b)
    agent(!B, %b) = waitfor (give($x) <= agent(!A, %a) then back($x) => agent(!A, %a))
]

procedure value()
";
    let mut guard = guard_of(text, "");
    for args in [json!(["plain"]), json!([{"constant": "foreign"}])] {
        let args: Vec<Json> = serde_json::from_value(args).expect("it is a list");
        let name = args[0].to_string();
        let give = Draft { args: args.clone(), ..draft("give", &[]) };
        guard.send(START, &name, "A", &give).expect("it fits");
        let items = guard.receive(START, &name, "B", 0, false).expect("it is an agent").items;
        assert!(matches!(&items[0].kind, ItemKind::Message { args: got, .. } if **got == args), "{items:?}");
        let other = Draft { args: vec![json!(4)], ..draft("back", &[]) };
        assert_eq!(refusal(guard.send(START, &name, "B", &other)).kind.word(), "wrong_content");
        let back = Draft { args, ..draft("back", &[]) };
        guard.send(START, &name, "B", &back).expect("it fits");
    }
}

#[test]
fn debts_are_told_to_those_whom_they_concern() {
    let mut guard = guard_of(TRIPS, &format!("{TRIPS_CONFIG}\n[answers]\n\"%supplier\" = \"30s\"\n"));
    let begins = guard.debts(START, "c", "desk").expect("it is an agent");
    let mine = begins.mine.expect("the desk begins");
    assert_eq!((&mine.performatives[..], mine.until), (&["quote".to_owned()][..], None));
    assert!(begins.to_me.is_empty());
    offers(&mut guard);
    let owed = guard.debts(START, "c", "desk").expect("it is an agent");
    assert_eq!(owed.mine, None);
    let told: Vec<_> = owed.to_me.iter().map(|debt| (&*debt.agent, debt.or_to_others, debt.until)).collect();
    let until = Some(START + 30 * SECOND);
    assert_eq!(told, [("flights", false, until), ("hotels", false, until)]);
    assert_eq!(owed.to_me[0].performatives, ["offer", "soldOut"]);
    let of_flights = guard.debts(START, "c", "flights").expect("it is an agent");
    assert_eq!((of_flights.mine.is_some(), of_flights.to_me.len()), (true, 0));
    assert!(matches!(guard.debts(START, "c", "trains"), Err(Denial::Misused(_))));
}

/// An agent that tells another one something for ever, which only listens.
const LISTENING: &str = "s[
    agent(!A, %a) = tell(1) => agent(!B, %b) then agent()
    agent(!B, %b) = waitfor (tell($x) <= agent(_, %a)) then agent()
]";

/// The largest number of states that were explored at once when something has been told so many times.
fn explored(text: &str, times: usize, fetches: bool, taking: bool) -> usize {
    let program = Arc::new(program(&SourceFile::new("scene.map", text)));
    let scene = Arc::new(Scene::new(Arc::clone(&program), Settings::default()));
    let rules = Rules::new(scene, Roles::new(&program), Policy::new(&program));
    let mut guard = Guard::new(if taking { rules } else { rules.without_forced_receives() });
    for _ in 0..times {
        guard.send(START, "c", "!A", &draft("tell", &[1])).expect("it fits");
        if fetches {
            fetch(&mut guard, START, "!B");
        }
    }
    guard.explored("c")
}

#[test]
fn who_only_listens_is_in_no_more_states_after_many_messages() {
    for fetches in [false, true] {
        assert_eq!(explored(LISTENING, 3, fetches, true), 1);
        assert_eq!(explored(LISTENING, 40, fetches, true), 1);
        assert_eq!(explored(LISTENING, 40, fetches, false), 41);
    }
}

#[test]
fn what_depends_on_later_messages_is_not_taken_to_be_received() {
    // Whether it takes the first depends on whether the other one comes before it looks.
    let choosing = LISTENING
        .replace(
            "waitfor (tell($x) <= agent(_, %a))",
            "waitfor (stop() <= agent(_, %a) or tell($x) <= agent(_, %a))",
        )
        .replace("tell(1) => agent(!B, %b)", "(tell(1) => agent(!B, %b) or stop() => agent(!B, %b))");
    assert_eq!(explored(&choosing, 10, true, true), 11);
}
