//! Signals at random moments of every line: the command ends, with a documented exit code; files have their old content
//! or the complete new one; nothing is left behind.
//!
//! `MAP_SIGNALS=N` sends that many, `MAP_SEED=S` says where the seeds start.

#![cfg(target_os = "linux")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::time::{Duration, Instant};

use super::lines::{DOCUMENTED, LINES, OLD, Place, SPIN};

/// The number and the name of each signal.
const SIGNALS: [(i32, &str); 5] = [(1, "HUP"), (2, "INT"), (9, "KILL"), (13, "PIPE"), (15, "TERM")];
const KILL: i32 = 9;
const PIPE: i32 = 13;

/// Lines that go on until they are stopped, besides those that end soon.
const LONG: [&str; 3] = [
    "verify long.map --agents b=9 --reductions none --max-memory 200M --junit new.xml --save-trace new.json",
    "run asks.map --runs 100000000 --threads 2",
    "render long.map --graph state --agents b=9 --max-states 100000 --as dot --output new.dot",
];

const LONG_TEXT: &str = "s[
    agent(!A, %a) = hello() => agent(_, %b) then agent(wait)
    agent(!A, %a, wait) = (waitfor answer($x) <= agent(_, %b) then agent(wait)) timeout (skip)
    agent(_, %b) = (waitfor hello() <= agent(_, %a)) then $x = think() then answer($x) => agent(!A, %a) or skip
]
procedure think()
";

/// A test must not hang with the command that it tests.
const PATIENCE: Duration = Duration::from_secs(120);

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn send(signal: &str, process: u32) {
    // It may have ended.
    let _ = Command::new("kill").args([&format!("-{signal}"), &process.to_string()]).output();
}

fn ended(child: &mut Child) -> Option<ExitStatus> {
    let since = Instant::now();
    while since.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("it is ours") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    None
}

/// Starts a line in a folder, with what is written to it.
fn start(place: &Place, (line, input): (&str, &str)) -> Child {
    fs::write(place.path("long.map"), LONG_TEXT).expect("it can be written");
    let mut command = place.command(line);
    let mut child = command.spawn().expect("it runs");
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    // What is printed is read, so that nobody waits for that.
    let (mut out, mut err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    std::thread::spawn(move || out.read_to_end(&mut Vec::new()));
    std::thread::spawn(move || err.read_to_end(&mut Vec::new()));
    child
}

/// Whether a file that a line writes holds a whole document.
fn is_whole(name: &Path, text: &str) -> bool {
    let ends = |end: &str| text.trim_end().ends_with(end);
    match name.extension().and_then(|it| it.to_str()) {
        Some("json") => serde_json::from_str::<serde_json::Value>(text).is_ok(),
        Some("xml") => ends("</testsuites>"),
        Some("html") => ends("</html>"),
        Some("svg") => ends("</svg>"),
        Some("dot" | "pml") => ends("}"),
        Some("maptest") => text.contains("//@ verify"),
        // What else ends so is only read.
        Some("map") if name.ends_with("lot.map") => text.ends_with('\n'),
        Some("map") if name.ends_with("u.map") => text.contains("skip") && ends("]"),
        _ => true,
    }
}

/// What is wrong after a signal.
fn wrong(place: &Place, signal: i32, status: Option<ExitStatus>) -> Result<(), String> {
    let status = status.ok_or("it goes on")?;
    let is_documented = |code: i32| DOCUMENTED.contains(&code) || code == 130 && signal != PIPE;
    // Before its work begins, a signal ends the process as it does any other.
    let is_fine = status.code().is_some_and(is_documented) || status.signal() == Some(signal);
    if !is_fine {
        return Err(format!("{status}"));
    }
    for entry in fs::read_dir(place.path("")).expect("it is there").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let is_temporary = name.to_string_lossy().starts_with(".map-");
        if is_temporary && signal != KILL {
            return Err(format!("{} is left", path.display()));
        }
        if path.is_file() && !is_temporary {
            let text = String::from_utf8_lossy(&fs::read(&path).expect("it is there")).into_owned();
            if text != OLD && !is_whole(&path, &text) {
                return Err(format!("{} is neither old nor new: {text}", path.display()));
            }
        }
    }
    if signal != KILL && fs::read_dir(place.path("tmp")).expect("it is there").next().is_some() {
        return Err("a temporary folder is left".to_owned());
    }
    Ok(())
}

/// What a process leaves that is killed, the next one removes.
fn swept(place: &Place) -> bool {
    fs::write(place.path("swept.map"), "s[ agent(!A,   %a)=skip ]").expect("it can be written");
    let status = place.command("fmt swept.map").status().expect("it runs");
    let names = fs::read_dir(place.path("")).expect("it is there").flatten();
    status.success() && names.into_iter().all(|it| !it.file_name().to_string_lossy().starts_with(".map-"))
}

/// How long a line takes, at most a second: moments are drawn within that.
fn time_of(line: (&str, &str)) -> Duration {
    if LONG.contains(&line.0) {
        return Duration::from_millis(600);
    }
    let place = Place::new();
    let since = Instant::now();
    let mut child = start(&place, line);
    assert!(ended(&mut child).is_some(), "{}", line.0);
    since.elapsed().min(Duration::from_secs(2))
}

#[test]
fn signals_at_random_moments() {
    let count = setting("MAP_SIGNALS");
    let first = setting("MAP_SEED").unwrap_or(1);
    let mut lines: Vec<(&str, &str)> = LINES.into_iter().chain(LONG.map(|line| (line, ""))).collect();
    if count.is_some() && Command::new("spin").arg("-V").output().is_ok() {
        lines.push(SPIN);
    }
    let times: Vec<Duration> = lines.iter().map(|&line| time_of(line)).collect();
    let count = count.unwrap_or(lines.len() as u64);
    eprintln!("{count} signals, seeds from {first}");
    let (mut bad, mut by_signal, mut interrupted) = (Vec::new(), 0, 0);
    for seed in first..first + count {
        let mut random = map_testkit::scenes::Random::new(seed, 3);
        // Every line in turn, most often within the time that it takes.
        let at = (seed % lines.len() as u64) as usize;
        let (signal, name) = SIGNALS[random.below(SIGNALS.len())];
        let delay = times[at] * random.below(1200) as u32 / 1000;
        let place = Place::new();
        let mut child = start(&place, lines[at]);
        std::thread::sleep(delay);
        send(name, child.id());
        if LONG.contains(&lines[at].0) && signal != KILL {
            // The second one ends it; and so it does where the first had no effect.
            std::thread::sleep(Duration::from_millis(400));
            send(if signal == PIPE { "INT" } else { name }, child.id());
            std::thread::sleep(Duration::from_millis(400));
            send("INT", child.id());
        }
        let status = ended(&mut child);
        by_signal += u32::from(status.is_some_and(|it| it.signal().is_some()));
        interrupted += u32::from(status.is_some_and(|it| it.code() == Some(130)));
        let told = if LONG.contains(&lines[at].0) && signal == PIPE { 2 } else { signal };
        let found = wrong(&place, told, status);
        let found = found.and_then(|()| if swept(&place) { Ok(()) } else { Err("a file stays".to_owned()) });
        if let Err(why) = found {
            bad.push(format!("seed {seed}: {name} to map {} after {delay:?}: {why}", lines[at].0));
        }
    }
    eprintln!("{count} signals: {by_signal} ended by the signal itself, {interrupted} with 130");
    assert!(bad.is_empty(), "{} of {count}:\n{}", bad.len(), bad.join("\n"));
}

/// While a program of SPIN's runs: its folder goes, too.
#[test]
fn the_second_interruption_leaves_no_folder_of_spin() {
    let place = Place::new();
    let tools = place.path("bin");
    fs::create_dir(&tools).expect("it can be made");
    // Never ends, and has no time to.
    fs::write(
        tools.join("spin"),
        "#!/bin/sh\n[ \"$1\" = -V ] && echo 'Spin Version 6.5.2' && exit\ntouch began\nexec sleep 1000\n",
    )
    .expect("it can be written");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(tools.join("spin"), executable).expect("it is ours");
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
    let mut command = place.command("verify a.map --with spin --mailbox 2");
    let mut child = command.env("PATH", path).spawn().expect("it runs");
    let folders = || fs::read_dir(place.path("tmp")).expect("it is there").flatten().collect::<Vec<_>>();
    let since = Instant::now();
    while !folders().iter().any(|it| it.path().join("began").exists()) && since.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(folders().len(), 1, "SPIN has begun");
    // Whoever holds the process still sees both at once.
    send("STOP", child.id());
    send("INT", child.id());
    send("CONT", child.id());
    std::thread::sleep(Duration::from_millis(400));
    send("INT", child.id());
    let status = ended(&mut child).expect("it ends");
    assert_eq!(status.code(), Some(130), "{status}");
    assert!(folders().is_empty(), "{:?}", folders());
}
