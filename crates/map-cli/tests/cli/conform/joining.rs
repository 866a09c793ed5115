//! `map conform --cast open`: agents join while a conversation runs.

use std::fs;
use std::path::Path;

use super::super::{Ran, map, map_with};
use super::{library, line};

/// Judges a stream of messages by a protocol of the library.
fn judge(protocol: &str, log: &str, flags: &[&str]) -> Ran {
    let protocol = library().join(protocol);
    let file = protocol.to_str().expect("the name is UTF-8");
    map_with(log.as_bytes(), &[&["conform", file, "-", "--cast", "open"], flags].concat())
}

fn published(log: &[String], flags: &[&str]) -> Ran {
    judge("publish-subscribe/publish-subscribe.map", &log.concat(), flags)
}

fn article(from: &str) -> String {
    line(from, &["topic"], "publish", &[1])
}

fn delivered(from: &str, to: &[&str]) -> String {
    let args = serde_json::json!([{"agent": from}, 1]);
    let record = serde_json::json!({"from": "topic", "to": to, "performative": "deliver", "args": args});
    format!("{record}\n")
}

fn closed(to: &[&str]) -> String {
    line("topic", to, "closed", &[])
}

#[test]
fn agents_join_with_the_first_line_that_names_them() {
    let log = [
        article("wire"),
        // One line for each recipient.
        delivered("wire", &["anna"]),
        delivered("wire", &["bert"]),
        article("post"),
        delivered("post", &["anna", "bert", "carl"]),
        closed(&["bert", "carl", "anna", "dora"]),
    ];
    for flags in [&[][..], &["--follow"], &["--complete"]] {
        published(&log, flags).exits(0).out_has("conversation  conforms  6 messages");
    }
    published(&log[..5], &[]).exits(0).out_has("conforms so far").out_has("!Subscriber3 (carl) waits");
    // Who joins later waits for what will not come.
    let late = [&log[..], &[article("late")]].concat();
    published(&late, &[]).exits(0).out_has("conversation  conforms");
}

#[test]
fn the_rest_of_a_log_blames_nobody_for_certain() {
    let rest = [delivered("anna", &["anna"]), closed(&["anna"])];
    for flags in [&[][..], &["--joined"]] {
        published(&rest, flags)
            .exits(4)
            .out_has("possibly violated at line 1 by !Topic (topic)")
            .out_has("(the log may lack what came before)");
    }
    published(&rest, &["--complete"]).exits(1).out_has("  violated at line 1 by !Topic (topic)");
}

#[test]
fn sends_reach_those_who_are_there() {
    let first = [article("wire"), delivered("wire", &["anna", "bert"]), article("post")];
    let missed = [&first[..], &[delivered("post", &["anna"])]].concat();
    published(&missed, &[])
        .exits(0)
        .out_has("conforms so far")
        .out_has("!Topic (topic) owes deliver(!Publisher2, 1) to !Subscriber2 (bert)");
    let then_closed = [&missed[..], &[closed(&["anna", "bert"])]].concat();
    published(&then_closed, &[])
        .exits(1)
        .out_has("violated at line 5 by !Topic (topic)")
        .out_has("it could have sent deliver(!Publisher2, 1) to !Subscriber2 (bert)");
    // As long as nobody is there, nobody misses anything.
    published(&[article("wire"), article("post"), closed(&["anna"])], &[]).exits(0).out_has("conforms");
}

#[test]
fn who_joins_can_break_the_protocol() {
    let log = [article("wire"), delivered("wire", &["anna"]), line("anna", &["topic"], "publish", &[1])];
    published(&log, &["--format", "ndjson"]).exits(1).out_has("\"kind\":\"out_of_turn\"");
}

#[test]
fn numbers_in_names_are_kept() {
    let log = [article("Publisher3"), delivered("Publisher3", &["Subscriber2", "anna"])];
    let ran = published(&log, &[]).exits(0);
    ran.out_has("!Subscriber2 waits").out_has("!Subscriber1 (anna) waits");
}

#[test]
fn what_needs_the_number_of_agents_is_refused() {
    let net = "contract-net/contract-net.map";
    judge(net, "", &[])
        .exits(3)
        .err_has("MAP428")
        .err_has("the number of agents of `%participant` is not known")
        .err_has("--agents, such as participant=3");
    judge("satellite-pass/pass.map", "", &[]).exits(3).err_has("which agents there are of `%user`");
    judge("gossip/gossip.map", "", &[]).exits(3).err_has("MAP428").err_has("!Node1");
    // A number that is given closes the role.
    let log =
        super::call() + &line("anna", &["office"], "refuse", &[]) + &line("bert", &["office"], "refuse", &[]);
    judge(net, &log, &["--agents", "participant=2"]).exits(0).out_has("conforms  3 messages");
    let third = log + &line("carl", &["office"], "refuse", &[]);
    judge(net, &third, &["--agents", "participant=2"]).exits(3).err_has("MAP424");
}

#[test]
fn it_does_not_go_with_traces_and_skews() {
    judge("publish-subscribe/publish-subscribe.map", "", &["--save-trace", "x.json"])
        .exits(2)
        .err_has("not --cast open");
    assert!(!Path::new("x.json").exists());
    judge("publish-subscribe/publish-subscribe.map", "", &["--skew", "1s"]).exits(2).err_has("--cast open");
}

#[test]
fn so_many_join_and_no_more() {
    let mut log = article("wire");
    for hundred in 0..12 {
        let names: Vec<String> = (0..100).map(|number| format!("reader {hundred} {number}")).collect();
        log += &delivered("wire", &names.iter().map(String::as_str).collect::<Vec<_>>());
    }
    judge("publish-subscribe/publish-subscribe.map", &log, &[]).exits(3).err_has("more than 1000 agents");
}

#[test]
fn files_tell_the_roles_of_those_who_join() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("log.jsonl");
    fs::write(&path, article("wire") + &delivered("wire", &["anna"])).expect("it can be written");
    let protocol = library().join("publish-subscribe/publish-subscribe.map");
    let (file, log) = (protocol.to_str().expect("UTF-8"), path.to_str().expect("UTF-8"));
    map(&["conform", file, log, "--cast", "open"]).exits(0).out_has("conforms so far");
}
