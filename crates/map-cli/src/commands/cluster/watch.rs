//! Starts the processes of a cluster, and waits until they have ended or one is lost.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::process::{ChildStderr, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use map_cluster::Place;
use map_diagnostics::escaped_line;
use map_doors::{End, Group};

use super::{RunArgs, program_of};
use crate::console::Console;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::interrupt::Interrupt;

/// How often the processes are looked at.
const LOOK: Duration = Duration::from_millis(20);

/// How long processes may take to end after the one that prints, or after one that could not do its work.
const GRACE: Duration = Duration::from_secs(10);

/// Most bytes of a line of a process that are shown at a time.
const LINE: u64 = 1 << 16;

/// What an attempt came to.
pub(super) enum Outcome {
    /// Process 0 has ended in this way.
    Ended(Exit),
    /// A process was lost; another attempt may succeed. Says which, and how.
    Lost(String),
}

/// How a process of a cluster ended.
#[derive(Clone, Copy)]
enum Fate {
    /// With a result.
    Result(Exit),
    /// It was lost, or has lost another one.
    Lost,
    /// It cannot do its work, and another one of it could not.
    Hopeless,
}

struct Member<'a> {
    place: &'a Place,
    group: Group,
    end: Option<End>,
}

/// Starts all processes once, and watches them until all have ended.
///
/// # Errors
/// If one cannot be started, or cannot do its work.
pub(super) fn attempt(
    places: &[Place],
    line: &[OsString],
    args: &RunArgs,
    interrupt: &Interrupt,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    let (said, hears) = channel();
    let mut members: Vec<Member<'_>> = Vec::new();
    for (process, place) in places.iter().enumerate() {
        let words = place
            .words(line, &args.hosts, args.key.as_deref())
            .map_err(|what| Failure::Usage("cluster", what))?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::null());
        if process > 0 {
            command.stdout(Stdio::null()).stderr(Stdio::piped());
        }
        let mut group = Group::spawn(&mut command).map_err(|error| {
            let what = format!("{} cannot be started: {}: {error}", place.name, program_of(&words));
            Failure::Usage("cluster", what)
        })?;
        if let Some(errors) = group.errors() {
            listen(process, errors, said.clone()).map_err(|error| {
                Failure::Ended(Exit::Lost, format!("the system has no threads to give: {error}"))
            })?;
        }
        members.push(Member { place, group, end: None });
    }
    drop(said);
    let outcome = watch(&mut members, interrupt, &hears, console);
    // Those that still run end now, and so do their last lines.
    drop(members);
    while let Ok((process, text)) = hears.recv_timeout(LOOK * 5) {
        show(process, &text, console)?;
    }
    outcome
}

/// Waits before all start again, longer each time: what was lost may need time to come back.
pub(super) fn pause(restarts: u32, interrupt: &Interrupt) {
    let until = Instant::now() + Duration::from_millis(500) * restarts.min(10);
    while Instant::now() < until && !interrupt.is_set() {
        thread::sleep(LOOK);
    }
}

fn watch(
    members: &mut [Member<'_>],
    interrupt: &Interrupt,
    hears: &Receiver<(usize, String)>,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    let mut told = false;
    // Since when nobody needs to be waited for any more.
    let mut over: Option<Instant> = None;
    loop {
        if interrupt.is_set() && !told {
            told = true;
            members.iter().filter(|it| it.end.is_none()).for_each(|it| it.group.interrupt());
        }
        for member in &mut *members {
            member.end = member.end.or_else(|| member.group.end());
        }
        while let Ok((process, text)) = hears.try_recv() {
            show(process, &text, console)?;
        }
        let ended = |member: &Member<'_>| Some((member.end?, member.fate()?));
        let late = over.is_some_and(|since| since.elapsed() > GRACE);
        let all = members.iter().all(|member| member.end.is_some());
        match members.first().and_then(ended) {
            Some((_, Fate::Result(exit))) if all || late => return Ok(Outcome::Ended(exit)),
            Some((_, Fate::Result(_))) => {
                over.get_or_insert_with(Instant::now);
            }
            _ => {
                let hopeless = members.iter().find(|member| {
                    matches!(
                        member.fate(),
                        Some(Fate::Hopeless | Fate::Result(Exit::Usage | Exit::Source | Exit::Internal))
                    )
                });
                if let Some(member) = hopeless {
                    // Process 0 has the same reason to end, most often, and says it better.
                    let since = *over.get_or_insert_with(Instant::now);
                    if all || since.elapsed() > GRACE || matches!(members[0].fate(), Some(Fate::Hopeless)) {
                        return Err(Failure::Ended(Exit::Lost, member.why()));
                    }
                } else if let Some(member) = lost(members) {
                    return Ok(Outcome::Lost(member.why()));
                }
            }
        }
        thread::sleep(LOOK);
    }
}

/// The process that was lost, if one was: rather one that was killed than one that has noticed it.
fn lost<'a, 'b>(members: &'a [Member<'b>]) -> Option<&'a Member<'b>> {
    let mut lost = members.iter().filter(|member| matches!(member.fate(), Some(Fate::Lost)));
    let noticed = Some(End::Code(i32::from(Exit::Lost.code())));
    let first = lost.clone().next();
    lost.find(|member| member.end != noticed).or(first)
}

impl Member<'_> {
    fn fate(&self) -> Option<Fate> {
        let code = match self.end? {
            End::Signal(_) | End::Somehow => return Some(Fate::Lost),
            End::Code(code) => code,
        };
        Some(match Exit::of_code(code) {
            Some(Exit::Lost) => Fate::Lost,
            Some(exit) => Fate::Result(exit),
            // ssh says so of what it cannot reach, and shells of what was killed.
            None if self.place.is_via() && (code == 255 || (129..160).contains(&code)) => Fate::Lost,
            None => Fate::Hopeless,
        })
    }

    /// How it has ended.
    fn why(&self) -> String {
        let end = self.end.unwrap_or(End::Somehow);
        let hint = match end {
            End::Code(126 | 127) if self.place.is_via() => {
                " (is map there? --program says what it is called)"
            }
            End::Code(255) if self.place.is_via() => " (can its machine be reached?)",
            _ => "",
        };
        format!("{} ended {end}{hint}", self.place.name)
    }
}

/// Passes on what a process says on standard error, line by line.
fn listen(process: usize, errors: ChildStderr, said: Sender<(usize, String)>) -> io::Result<()> {
    let listens = move || {
        let mut errors = BufReader::new(errors);
        let mut line = Vec::new();
        while let Ok(1..) = errors.by_ref().take(LINE).read_until(b'\n', &mut line) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if said.send((process, text)).is_err() {
                return;
            }
            line.clear();
        }
    };
    thread::Builder::new().name("map-listen".to_owned()).spawn(listens).map(drop)
}

fn show(process: usize, text: &str, console: &mut Console) -> Result<(), Failure> {
    Ok(console.complain(&format!("process {process}: {}\n", escaped_line(text)))?)
}
