//! `map guard`: stands between agents, and lets through only the messages that a dialogue allows.

#[cfg(feature = "mcp")]
mod bridge;
mod company;
#[cfg(feature = "http")]
mod http;
mod opening;
mod play;
mod properties;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use map_conform::{MAX_HYPOTHESES, MAX_MAPPING, MAX_WORK, Roles, Scene, Settings};
use map_diagnostics::{Code, SourceFile};
use map_doors::{
    Company, Doors, Journal, JournalError, JournalSettings, Opening, Service, ServiceEnd, Tokens, TokensError,
};
use map_flags::{SceneArgs, parse_bytes, parse_duration, parse_positive};
#[cfg(feature = "http")]
use map_guard::Arrival;
use map_guard::{Config, ConfigError, Guard, OnUnsure, Rules};
use map_ir::Program;
use map_json::guard::GuardHeader;
use map_session::{Collect, PropertySelection};

use crate::console::Console;
use crate::exit::Exit;
use crate::failure::{Failure, diagnostic_at};
use crate::input::{load, program_of, read_source_up_to};
use crate::interrupt::Interrupt;
use play::PlayArgs;
use properties::Enforced;

/// Lets through only the messages that a dialogue allows
///
/// A program starts this and speaks for its agents: on standard input it writes requests, one JSON object a line, and
/// on standard output it reads answers and events. Or agents speak for themselves, each over a connection of its own. A
/// message is delivered if it fits the dialogue, and else refused, with what may be sent instead.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = "\
Exit code: 0 when standard input ends; 1 if an agent is not admitted; 3 with errors in a file, or if
the journal cannot be read or written, or the address cannot be listened at; 130 after Ctrl-C.

Examples:
  map guard auction.map --stdio < requests.jsonl
  map guard auction.map --stdio --journal log < requests.jsonl")]
pub(crate) struct Args {
    /// The dialogue
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Speak on standard input and output
    #[arg(long, conflicts_with = "start")]
    stdio: bool,

    /// Listen for agents, on this machine only; port 0 is one that is free
    #[arg(long, value_name = "ADDRESS", value_parser = loopback, requires = "tokens", conflicts_with = "start")]
    listen: Option<SocketAddr>,

    /// A token for each agent that may speak, as TOML, in a file that others cannot read
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,

    #[cfg(feature = "http")]
    #[command(flatten, next_help_heading = "Over HTTP")]
    http: http::HttpArgs,

    #[cfg(feature = "mcp")]
    #[command(flatten, next_help_heading = "One agent, over the Model Context Protocol")]
    bridge: bridge::BridgeArgs,

    /// The name of an agent that speaks for itself: of --mcp, or beside --play; may be repeated
    #[arg(id = "agent", long = "as", value_name = "NAME")]
    present: Vec<String>,

    /// Who plays what, when messages arrive, how long answers and waits take, and what is enforced, as TOML
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Also enforce this property
    #[arg(long = "property", value_name = "FORMULA")]
    properties: Vec<String>,

    /// Look ahead before anybody is listened to, not in the background: see `on_doomed` under `enforce`
    #[arg(long)]
    wait: bool,

    /// A folder for what survives a restart
    #[arg(long, value_name = "DIR", conflicts_with = "start")]
    journal: Option<PathBuf>,

    /// What an answer waits for: that the journal is on the disk, or that the system has it
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = SyncArg::Always)]
    sync: SyncArg,

    #[command(flatten, next_help_heading = "Agents that are absent")]
    play: PlayArgs,

    #[command(flatten, next_help_heading = "Scene")]
    scene: SceneArgs,

    /// What becomes of a message of which it is not known whether it fits
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = WhatArg::Refuse)]
    unsure: WhatArg,

    /// What becomes of a message that fits if values are right which nobody has seen
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = WhatArg::Accept)]
    doubtful: WhatArg,

    /// The most states of an agent that are kept
    #[arg(long, value_name = "N", default_value_t = MAX_HYPOTHESES, value_parser = parse_positive)]
    max_hypotheses: usize,

    /// The most conversations that are open
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = parse_positive)]
    max_conversations: usize,

    /// The most messages and events that an agent has not acknowledged
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = parse_positive)]
    max_undelivered: usize,

    /// The most requests of an agent over connections in a second
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    max_requests: u32,

    /// The most requests of an agent that wait for messages
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = parse_positive)]
    max_waiting: usize,

    /// How much may be done for a request, in units of about a value that is copied
    #[arg(long, value_name = "N", default_value_t = MAX_WORK, value_parser = clap::value_parser!(u64).range(1..))]
    max_work: u64,

    /// The most that the arguments of a message take
    #[arg(long, value_name = "SIZE", default_value = "1MiB", value_parser = parse_bytes)]
    max_body: u64,

    /// The most that the texts of a conversation take which are not in the file
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = parse_bytes)]
    max_texts: u64,

    /// The most keys that an agent uses in a conversation
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = parse_positive)]
    max_keys: usize,

    /// A file of the journal that is longer is followed by another one
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = parse_bytes)]
    max_segment: u64,

    /// After how long a conversation in which nothing happens expires, such as 7d or 30m
    #[arg(long, value_name = "TIME", default_value = "7d", value_parser = parse_duration)]
    idle: Duration,
}

/// `--sync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SyncArg {
    /// What was answered survives the machine
    Always,
    /// What was answered survives the process
    Os,
}

/// `--unsure` and `--doubtful`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WhatArg {
    /// It is refused
    Refuse,
    /// It is delivered
    Accept,
}

impl Args {
    /// Whether agents are listened to over HTTP.
    fn speaks_http(&self) -> bool {
        #[cfg(feature = "http")]
        return self.http.http.is_some();
        #[cfg(not(feature = "http"))]
        return false;
    }

    /// Whether one agent speaks on standard input and output, over the Model Context Protocol.
    fn speaks_mcp(&self) -> bool {
        #[cfg(feature = "mcp")]
        return self.bridge.mcp;
        #[cfg(not(feature = "mcp"))]
        return false;
    }
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<(), Failure> {
    let usage = |what: String| Failure::Usage("guard", what);
    #[cfg(feature = "mcp")]
    if let Some(at) = args.bridge.at {
        return bridge::run(&args.bridge, at, &args.present, args.tokens.as_deref());
    }
    if args.speaks_mcp() && !args.play.is_wanted() {
        let advice =
            "--mcp: say with --at ADDRESS where the guard listens, or who is played here, such as --play all";
        return Err(usage(advice.to_owned()));
    }
    let Some(file) = &args.file else { return Err(usage("a FILE is missing".to_owned())) };
    #[cfg(feature = "http")]
    args.http.check(args.tokens.is_some()).map_err(usage)?;
    check_doors(args).map_err(usage)?;
    if crate::input::is_stdin(file) {
        return Err(usage("standard input is for requests".to_owned()));
    }
    let options = args.scene.to_options().map_err(usage)?;
    let wanted =
        PropertySelection::Properties { only: &[], given: &args.properties, collect: Collect::NOTHING };
    let loaded = load(file, &options, wanted);
    let program = program_of(&loaded, console)?;
    let (config, text) = configuration(args)?;
    #[cfg(feature = "http")]
    let config = if args.http.a2a.is_empty() { config } else { config.with_usual_arrival(Arrival::Pushed) };
    let line = |point| loaded.source.position(program.point(point).span.start).line;
    let policy = config.policy(&program, loaded.source.name(), &line);
    let mut policy = policy.map_err(|error| refused_config(&text, error))?;
    let known = &loaded.properties.names;
    config.check_properties(known).map_err(|error| refused_config(&text, error))?;
    let Enforced { budgets, left_out } = properties::enforced(&loaded.properties, &config)?;
    policy.limits.conversations = args.max_conversations;
    policy.limits.undelivered = args.max_undelivered;
    policy.limits.body = usize::try_from(args.max_body).unwrap_or(usize::MAX);
    policy.limits.texts = usize::try_from(args.max_texts).unwrap_or(usize::MAX);
    policy.limits.keys = args.max_keys;
    policy.limits.idle = u64::try_from(args.idle.as_nanos()).unwrap_or(u64::MAX);
    policy.refuses_doubtful = args.doubtful == WhatArg::Refuse;
    policy.on_unsure = if args.unsure == WhatArg::Refuse { OnUnsure::Refuse } else { OnUnsure::Accept };
    let cast = config.cast();
    let tested = match args.play.start {
        Some(_) => Some(args.play.tested(&program, &cast, &args.present).map_err(usage)?),
        None => None,
    };
    if let Some(tested) = tested {
        play::adapt(&mut policy, tested);
    }
    let observed = budgets.observed(&program);
    let settings =
        Settings { limit: args.max_hypotheses, work: args.max_work, observed, ..Settings::default() };
    let scene = Arc::new(Scene::new(Arc::clone(&program), settings));
    let roles = Roles::new(&program).with_cast(cast.clone());
    let mut rules = Rules::new(scene, roles, policy).with_budgets(budgets);
    let lookout = map_doors::lookout(&loaded, &rules);
    if let Some(lookout) = &lookout {
        if args.wait {
            lookout.wait();
        }
        rules = rules.with_foresight(Box::new(lookout.clone()));
    }
    let mut known = opening::Known { left_out, lookout, played: Vec::new() };
    let agents: Vec<String> = args.scene.agents.iter().map(ToString::to_string).collect();
    if let Some(tested) = tested {
        let opening = opening::header(args, &loaded.source, &rules, &agents, (&Addresses::default(), &known));
        return play::run(&args.play, &loaded.source, (rules, tested), &cast, &opening, console);
    }
    let tokens = args.tokens.as_deref().map(|path| Tokens::read(path).map_err(|it| refused_tokens(path, it)));
    let tokens = tokens.transpose()?;
    let company = company::company(args, &rules, &cast, tokens.as_ref()).map_err(usage)?;
    let played = company.as_ref().map(Company::played).unwrap_or_default();
    known.played = played.iter().map(|&agent| cast.usual_name(&program, agent).to_owned()).collect();
    let mut guard = Guard::new(rules);
    let given: Vec<String> = agents.iter().chain(&program.set).cloned().collect();
    let (given, properties) = (given.join(","), args.properties.join(","));
    let written_for = format!("{}\0{given}\0{properties}\0{}", loaded.source.text(), text.text());
    let digest = map_json::fingerprint(&written_for);
    let journal = args.journal.as_ref().map(|folder| {
        let opened = Journal::open(folder, settings_of_journal(args), &mut guard, &digest);
        opened.map_err(|JournalError { place, text, help }| {
            Failure::unplaced(Code::GuardJournal, place, &text, help)
        })
    });
    let (journal, note) = journal.transpose()?.unzip();
    if let Some(note) = note.flatten() {
        console.complain(&format!("note: {note}\n"))?;
    }
    let (doors, addresses) = doors(args, &loaded.source, &program, tokens)?;
    #[cfg(feature = "mcp")]
    let (doors, seat) = match args.bridge.mcp {
        true => {
            let (mut doors, who) = (doors, args.bridge.seat(&args.present, &program, &cast, &loaded.source)?);
            let seat = doors.open_seat(who)?;
            (doors, Some(seat))
        }
        false => (doors, None),
    };
    let header = opening::header(args, &loaded.source, guard.rules(), &agents, (&addresses, &known));
    let (max_requests, max_waiting) = (args.max_requests, args.max_waiting);
    let opening = Opening { header, digest, max_requests, max_waiting };
    let service = Service::new(&loaded.source, guard, journal, opening, doors);
    serve(args, service.with_company(company), console)?;
    #[cfg(feature = "mcp")]
    if let Some(trouble) = seat.and_then(|seat| seat.trouble()) {
        return Err(Failure::Ended(Exit::Violation, trouble));
    }
    Ok(())
}

/// What is wrong with the ways in which agents are to speak.
fn check_doors(args: &Args) -> Result<(), String> {
    let speaks_mcp = args.speaks_mcp();
    if !args.stdio && args.listen.is_none() && !args.speaks_http() && !speaks_mcp && args.play.start.is_none()
    {
        let advice =
            "say how agents speak: --stdio, --listen ADDRESS, --http ADDRESS, or --start COMMAND to test one";
        return Err(advice.to_owned());
    }
    if speaks_mcp && args.speaks_http() {
        return Err("--mcp is for one agent: others come by --http without it".to_owned());
    }
    if args.play.start.is_none()
        && let Some(flag) = args.play.of_dialogues()
    {
        return Err(format!("{flag} is for --start COMMAND, which tests an agent in many dialogues"));
    }
    if !args.present.is_empty() && !args.play.is_wanted() {
        return Err("--as is for --mcp and --play".to_owned());
    }
    Ok(())
}

/// Serves until standard input ends, or Ctrl-C.
fn serve(args: &Args, mut service: Service<'_>, console: &mut Console) -> Result<(), Failure> {
    let interrupt = Interrupt::install();
    let end = match service.start(interrupt.flag())? {
        Some(text) => ServiceEnd::NoJournal(text),
        None => {
            if !args.stdio && !args.speaks_mcp() {
                announce(service.header(), console)?;
            }
            service.serve(interrupt.flag(), &mut |text| console.complain(&format!("{text}\n")))?
        }
    };
    match end {
        ServiceEnd::Left => {}
        ServiceEnd::Stopped => console.set_exit(Exit::Interrupted),
        ServiceEnd::NoJournal(text) => return Err(Failure::Ended(Exit::Source, text)),
    }
    Ok(())
}

/// Says what is guarded.
fn announce(header: &GuardHeader, console: &mut Console) -> Result<(), Failure> {
    let places: Vec<&str> = header.at.iter().chain(&header.http).map(String::as_str).collect();
    let places = places.join(" and ");
    console.print(&format!("{}  {}  guarding at {places}\n", header.file, header.scene))?;
    if !header.played.is_empty() {
        console.print(&format!("played by the guard: {}\n", header.played.join(", ")))?;
    }
    if let Some(command) = &header.covered_by {
        console.print(&format!("so this covers it: {command}\n"))?;
    }
    Ok(console.flush()?)
}

/// Where agents are listened to.
#[derive(Default)]
struct Addresses {
    listen: Option<SocketAddr>,
    http: Option<SocketAddr>,
}

/// Opens the doors.
fn doors(
    args: &Args,
    source: &SourceFile,
    program: &Arc<Program>,
    tokens: Option<Tokens>,
) -> Result<(Doors, Addresses), Failure> {
    let (mut doors, mut addresses) = (Doors::default(), Addresses::default());
    let refused = |at: SocketAddr, error: std::io::Error| {
        Failure::Ended(Exit::Source, format!("{at} cannot be listened at: {error}"))
    };
    if let (Some(address), Some(tokens)) = (args.listen, &tokens) {
        let listened = doors.listen(address, tokens.clone());
        addresses.listen = Some(listened.map_err(|error| refused(address, error))?);
    }
    #[cfg(feature = "http")]
    {
        let listened = args.http.open(&mut doors, tokens, source, program);
        addresses.http = listened.map_err(|(address, error)| refused(address, error))?;
    }
    #[cfg(not(feature = "http"))]
    let _ = (source, program);
    if args.stdio {
        doors.open_stdio()?;
    }
    Ok((doors, addresses))
}

fn refused_tokens(path: &Path, TokensError { text, help }: TokensError) -> Failure {
    Failure::unplaced(Code::GuardConfig, map_doors::shown(path), &text, help)
}

/// The configuration with its text.
fn configuration(args: &Args) -> Result<(Config, SourceFile), Failure> {
    let Some(path) = &args.config else { return Ok((Config::default(), SourceFile::new("", ""))) };
    let source = read_source_up_to(path, MAX_MAPPING)?;
    let config = Config::parse(source.text()).map_err(|error| refused_config(&source, error))?;
    Ok((config, source))
}

fn refused_config(source: &SourceFile, ConfigError { span, text, help }: ConfigError) -> Failure {
    Failure::refused(source, diagnostic_at(source, Code::GuardConfig, (span, text, help)))
}

const fn settings_of_journal(args: &Args) -> JournalSettings {
    JournalSettings { syncs: matches!(args.sync, SyncArg::Always), segment: args.max_segment }
}

/// An address of this machine: whoever is elsewhere would read the tokens on their way.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    match text.parse::<SocketAddr>() {
        Ok(address) if address.ip().is_loopback() => Ok(address),
        Ok(_) => Err("only addresses of this machine are possible, such as 127.0.0.1:7733".to_owned()),
        Err(_) => Err("an address and a port was expected, such as 127.0.0.1:7733".to_owned()),
    }
}
