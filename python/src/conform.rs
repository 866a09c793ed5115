//! Whether the messages of a real system keep to a dialogue: a log as a whole, or message by message.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use map_conform::{
    Arrivals, Beginnings, ConversationResult, Event, Fault, FaultKind, Line, Mark, Plan, Policy, Roles,
    Scene, Settings, Verdict, Watcher, read, records_of,
};
use map_diagnostics::{SourceFile, escaped};
use map_explain::conformance::{
    ConversationTeller, LogName, Places, account, at_once, below, headline, name,
};
use map_explain::counted;
use map_ir::Program;
use map_json::{
    CONFORM_FORMAT, ConformBlame, ConformConversation, ConformLine, ConformOutput, ConformReading, Header,
};
use pyo3::prelude::*;

use crate::failure::misused;
use crate::task::{Task, work};

/// How a log is judged.
#[derive(Clone)]
pub(crate) struct How {
    /// When messages arrive; what the log shows if it is not said.
    arrivals: Option<Arrivals>,
    only: Option<String>,
    ignores_unknown: bool,
    max_conversations: usize,
    complete: bool,
    losses: u32,
}

impl How {
    /// Reads what Python says.
    ///
    /// # Errors
    /// If there are no such arrivals.
    pub(crate) fn read(
        py: Python<'_>,
        arrivals: Option<&str>,
        only: Option<String>,
        ignores_unknown: bool,
        max_conversations: usize,
        complete: bool,
        losses: u32,
    ) -> PyResult<Self> {
        let named = |word: &str| {
            let known = || Arrivals::ALL.map(Arrivals::word).join(", ");
            let found = Arrivals::ALL.into_iter().find(|it| it.word() == word);
            found.ok_or_else(|| misused(py, &format!("arrivals {word:?}: there are {}", known())))
        };
        let arrivals = arrivals.map(named).transpose()?;
        Ok(Self { arrivals, only, ignores_unknown, max_conversations, complete, losses })
    }

    fn settings(&self, some_arrive: bool, beginnings: Beginnings) -> Settings {
        let seen = if some_arrive { Arrivals::Logged } else { Arrivals::Late };
        Settings {
            arrivals: self.arrivals.unwrap_or(seen),
            beginnings,
            losses: self.losses,
            complete: self.complete,
            ..Settings::default()
        }
    }

    fn watcher(&self, scene: Scene, roles: Arc<Roles>, plan: Plan) -> Watcher<'static> {
        let policy = Policy {
            only: self.only.clone(),
            max_conversations: self.max_conversations,
            denies_unknown: !self.ignores_unknown,
            ignores_duplicates: true,
            comes_by_time: true,
            keeps_history: false,
            learns_names: false,
        };
        let scene = Arc::new(scene);
        let first = Arc::clone(&scene);
        Watcher::new(policy, roles, plan, scene, Box::new(move |_| Ok(Arc::clone(&first))))
    }
}

/// What was found out about a log.
pub(crate) struct Conformance {
    /// As `map conform --format json` prints it.
    pub(crate) json: String,
    /// In words.
    pub(crate) text: String,
    /// Whether every conversation conforms, at least so far, and every line could be used.
    pub(crate) well: bool,
}

/// Judges a log.
///
/// # Errors
/// What a signal handler raised.
pub(crate) fn whole(
    py: Python<'_>,
    source: &SourceFile,
    program: &Arc<Program>,
    log: &str,
    how: &How,
) -> PyResult<Conformance> {
    work(py, None, |task| judge(source, program, log, how, task))
}

fn judge(source: &SourceFile, program: &Arc<Program>, log: &str, how: &How, task: &Task) -> Conformance {
    let records = records_of(log);
    let roles = Arc::new(Roles::new(program));
    let mut plan = Plan::new(Arc::clone(&roles), true);
    records.iter().for_each(|(_, line)| plan.note(program, 0, line.record()));
    let settings = how.settings(plan.some_arrive, Beginnings::Unsure);
    let arrivals = settings.arrivals;
    let mut watcher = how.watcher(Scene::new(Arc::clone(program), settings), roles, plan);
    let mut bad = Vec::new();
    for (number, line) in &records {
        if task.is_stopped() {
            break;
        }
        watcher.next_line();
        let time = line.record().and_then(|record| record.time);
        if let Err(fault) = watcher.line(Mark { line: *number, time, log: 0 }, line) {
            bad.push(format!("log line {number}: {}", unusable(&fault)));
        }
    }
    watcher.finish();
    let logs = [LogName::new("log")];
    let places = Places { source, logs: &logs };
    let mut all: Vec<ConversationResult> = Vec::new();
    while let Some(event) = watcher.next_event() {
        match event {
            Event::Judged(judged) => all.push(*judged),
            Event::Violation(_) => {}
        }
    }
    all.sort_by_key(|judged| judged.number);
    let mut text = String::new();
    for judged in &all {
        let head = headline(places, judged, 0).to_string();
        text.push_str(&format!(
            "{}  {}\n{}",
            name(&judged.name),
            head.trim_end(),
            below(places, judged, 0, None)
        ));
    }
    text.push_str(&format!("{} judged\n", counted(all.len() as u64, "conversation")));
    if !bad.is_empty() {
        text.push_str(&account(places, watcher.account()));
        bad.iter().take(MAX_BAD).for_each(|line| text.push_str(&format!("{line}\n")));
    }
    let conforms = |it: &ConversationResult| matches!(it.report.verdict, Verdict::Conforms | Verdict::SoFar);
    let well = bad.is_empty() && watcher.account().messages > 0 && all.iter().all(conforms);
    let output = ConformOutput {
        header: Header::of_version("conform", CONFORM_FORMAT),
        file: source.name().to_owned(),
        arrivals: arrivals.into(),
        reading: ConformReading::whole(places, watcher.account()),
        conversations: all.iter().map(|judged| ConformConversation::new(places, judged)).collect(),
    };
    let json = serde_json::to_string(&output).unwrap_or_default();
    Conformance { json, text: escaped(&text).into_owned(), well }
}

/// The most lines that cannot be used that are told one by one.
const MAX_BAD: usize = 20;

/// What is wrong with a line, and what to do about it.
fn unusable(Fault { kind, text }: &Fault) -> String {
    let help = match kind {
        FaultKind::NoRecord | FaultKind::NoValue | FaultKind::Unadapted => {
            "a message is such as Message(\"!A\", \"!B\", \"bid\", [40])"
        }
        FaultKind::NoRole => "name the agent as in the text, or let it say something that only one role says",
        FaultKind::BeyondCast => "give the number of agents, such as agents={\"bidder\": 3}",
        FaultKind::OutOfOrder => "sort the messages by time",
        FaultKind::UnclearTime => "give times as seconds since 1970",
    };
    format!("{text}; {help}")
}

/// Follows the messages of a system as they come.
#[pyclass(frozen, module = "maplang._native")]
pub(crate) struct Monitor {
    source: Arc<SourceFile>,
    /// One thread at a time uses it.
    watcher: Mutex<Watcher<'static>>,
}

impl Monitor {
    pub(crate) fn new(source: Arc<SourceFile>, program: &Arc<Program>, how: &How) -> Self {
        let roles = Arc::new(Roles::new(program));
        let plan = Plan::new(Arc::clone(&roles), true);
        let scene = Scene::new(Arc::clone(program), how.settings(false, Beginnings::Logged));
        Self { source, watcher: Mutex::new(how.watcher(scene, roles, plan)) }
    }

    fn watcher(&self) -> MutexGuard<'_, Watcher<'static>> {
        self.watcher.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What became known: as JSON, and in words.
type Told = Vec<(String, String)>;

#[pymethods]
impl Monitor {
    /// Judges a message: a line of a log.
    fn feed(&self, py: Python<'_>, line: &str) -> PyResult<Told> {
        let heard: Result<_, String> = py.detach(|| {
            let mut watcher = self.watcher();
            let number = watcher.next_line();
            let line = Line::Record(read(line.as_bytes()).map_err(|fault| unusable(&fault))?);
            let time = line.record().and_then(|record| record.time);
            watcher.line(Mark { line: number, time, log: 0 }, &line).map_err(|fault| unusable(&fault))?;
            Ok(told(&self.source, &mut watcher))
        });
        heard.map_err(|what| misused(py, &what))
    }

    /// Reports what is still open.
    fn finish(&self, py: Python<'_>) -> Told {
        py.detach(|| {
            let mut watcher = self.watcher();
            watcher.finish();
            told(&self.source, &mut watcher)
        })
    }
}

fn told(source: &SourceFile, watcher: &mut Watcher<'static>) -> Told {
    let mut all = Vec::new();
    while let Some(event) = watcher.next_event() {
        let logs = [LogName::new("messages")];
        let places = Places { source, logs: &logs };
        let (line, text) = match event {
            Event::Violation(found) => {
                let telling = ConversationTeller::new(&found.scene, &found.cast, places);
                let text = at_once(&found.conversation, &telling, &found.violation, None).to_string();
                let violation = Box::new(ConformBlame::new(&telling, &found.violation));
                (ConformLine::Violation { conversation: found.conversation.clone(), violation }, text)
            }
            Event::Judged(judged) => {
                let head = headline(places, &judged, judged.told).to_string();
                let below = below(places, &judged, judged.told, None);
                let text = format!("{}  {}\n{below}", name(&judged.name), head.trim_end());
                let report = ConformConversation::new(places, &judged);
                (ConformLine::Conversation { conversation: judged.name.clone(), report }, text)
            }
        };
        all.push((serde_json::to_string(&line).unwrap_or_default(), escaped(&text).into_owned()));
    }
    all
}
