//! An interactive session: what each command does.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use map_check::CastOverride;
use map_explain::transcript::Columns;
use map_explain::{EndedRun, Namer, Standing, bounds, initial_value, tell};
use map_ir::{AgentId, Program, Value};
use map_render::chart::Recorder;
use map_render::chart::evidence::of_run;
use map_semantics::{EnabledStep, InitialChoices, SceneStep, Step, open_cells};
use map_session::{Observer, Scene, TakenStep, Walk};
use map_simulate::{Impossible, SimulatedStep, SimulationOptions};

use super::command::{Command, HELP, View};
use super::show;
use crate::chart::ChartArg;
use crate::commands::run::{any_seed, starts};
use crate::console::Console;
use crate::failure::Failure;
use crate::files::check_target;
use crate::interrupt::Interrupt;
use crate::json::choice;
use crate::names::{named, shown};
use crate::numbers::{counted, grouped};
use crate::style;
use crate::trace::{self, NewTrace, to_text};

/// The most steps listed after a command other than `list`.
const MAX_LISTED: usize = 40;

/// The most lines shown of random steps: the last ones.
const MAX_LINES: usize = 60;

/// What stays the same during a session.
pub(super) struct Setting<'a> {
    pub(super) scene: &'a Scene,
    pub(super) cast: &'a [CastOverride],
    pub(super) options: SimulationOptions,
    pub(super) interrupt: Interrupt,
}

/// The state of a session.
pub(super) struct Session<'a> {
    setting: Setting<'a>,
    namer: Namer<'a>,
    columns: Columns,
    walk: Walk,
    /// The values from outside that the steps of a resumed trace refer to.
    values: Vec<Value>,
    /// The steps that can be taken now, then those that are cut.
    enabled: Vec<EnabledStep>,
}

/// The result of a command; the error is for the user.
type Done = Result<(), String>;

impl<'a> Session<'a> {
    pub(super) fn new(setting: Setting<'a>) -> Self {
        let Scene { source, program, .. } = setting.scene;
        let namer = Namer::new(source, program);
        let columns = Columns::new(&namer, 0);
        let initial = InitialChoices::all(program).options().to_vec();
        let walk = Walk::new(setting.scene.clone(), initial);
        let mut session = Self { setting, namer, columns, walk, values: Vec::new(), enabled: Vec::new() };
        session.refresh();
        session
    }

    pub(super) fn namer(&mut self) -> &mut Namer<'a> {
        &mut self.namer
    }

    pub(super) fn program(&self) -> &'a Program {
        &self.setting.scene.program
    }

    /// The steps that can be taken now, in the notation of traces.
    pub(super) fn steps(&self) -> Vec<String> {
        self.enabled.iter().filter(|it| it.is_taken()).map(|it| choice(&it.step)).collect()
    }

    pub(super) fn interrupt(&self) -> &Interrupt {
        &self.setting.interrupt
    }

    /// Takes the steps of a trace.
    pub(super) fn resume(
        &mut self,
        initial: Vec<u32>,
        steps: &[Step],
        values: Vec<Value>,
    ) -> Result<(), (u64, Impossible)> {
        self.walk.restart(initial);
        self.values = values.clone();
        let namer = &mut self.namer;
        self.walk.take_all(steps, values, &mut |seen| {
            namer.learn(&seen.observed.outcome);
            ControlFlow::Continue(())
        })?;
        self.refresh();
        Ok(())
    }

    /// Prints the scene, its bounds, and the possible steps.
    pub(super) fn begin(&mut self, console: &mut Console) -> Result<(), Failure> {
        let Scene { source, program, bounds: in_force, .. } = self.setting.scene;
        let mut text = format!("{}  {}\n", source.name(), style::head(&program.scene));
        let _ = writeln!(text, "{}", style::aside(bounds::cast(program)));
        let fine = bounds::bounds(&self.namer, in_force);
        let _ = writeln!(text, "{}", style::aside(format!("bounds: {fine}")));
        match self.walk.run().steps {
            0 => {
                text.push('\n');
                text.push_str(&starts(&self.namer, &self.walk.run().initial));
            }
            steps => {
                let _ = writeln!(text, "resumed after {}\n", counted(steps, "step"));
            }
        }
        text.push_str(&self.list(None));
        Ok(console.print(&text)?)
    }

    pub(super) fn run(&mut self, command: &Command, console: &mut Console) -> Result<Done, Failure> {
        let done = match command {
            Command::Number(number) => match self.numbered(*number) {
                Ok(step) => self.take(&step, console)?,
                Err(why) => Err(why),
            },
            Command::Choice(step) => self.take(step, console)?,
            Command::List(agent) => match self.agent(agent.as_deref()) {
                Ok(agent) => Ok(console.print(&self.list(Some(agent)))?),
                Err(why) => Err(why),
            },
            Command::Show(view, agent) => match self.agent(agent.as_deref()) {
                Ok(agent) => Ok(console.print(&self.show(*view, agent))?),
                Err(why) => Err(why),
            },
            Command::Trace(from, to) => Ok(self.trace(*from, *to, console)?),
            Command::Chart => Ok(console.print(&self.chart()?)?),
            Command::Undo(steps) => {
                let made = self.walk.run().steps;
                match made.checked_sub(*steps) {
                    Some(to) => self.go(to, console)?,
                    None => Err(format!("there are only {} to take back", counted(made, "step"))),
                }
            }
            Command::Redo(steps) => self.go(self.walk.run().steps.saturating_add(*steps), console)?,
            Command::Go(to) => self.go(*to, console)?,
            Command::Random(steps, seed) => self.random(*steps, *seed, console)?,
            Command::Save(file) => self.save(file, console)?,
            Command::Start(words) => self.start(words, console)?,
            Command::Help => Ok(console.print(HELP)?),
            Command::Nothing | Command::Quit => Ok(()),
        };
        Ok(done)
    }

    /// Recomputes the steps that are possible in the current state.
    fn refresh(&mut self) {
        let steps = self.walk.enabled();
        let (can, cut): (Vec<_>, Vec<_>) = steps.into_iter().partition(EnabledStep::is_taken);
        self.enabled = can;
        self.enabled.extend(cut);
    }

    fn numbered(&self, number: usize) -> Result<Step, String> {
        let can = self.enabled.iter().filter(|it| it.is_taken());
        let known = can.clone().count();
        let step = number.checked_sub(1).and_then(|index| can.clone().nth(index));
        step.map(|it| it.step.clone()).ok_or_else(|| match known {
            0 => "nothing can happen any more; undo goes back".to_owned(),
            1 => format!("there is no step {number}, only step 1"),
            _ => format!("there is no step {number}; there are 1 to {}", grouped(known as u64)),
        })
    }

    fn take(&mut self, step: &Step, console: &mut Console) -> Result<Done, Failure> {
        let (namer, columns) = (&mut self.namer, &self.columns);
        let mut line = String::new();
        let made = self.walk.take(step.clone(), &mut |seen| {
            line = step_line(namer, columns, seen);
            ControlFlow::Continue(())
        });
        if let Err(why) = made {
            return Ok(Err(format!("{} cannot be done: {why}", choice(step))));
        }
        self.refresh();
        console.print(&format!("{line}\n{}", self.list(None)))?;
        Ok(Ok(()))
    }

    /// The possible steps, or how the run has ended. `Some(Some(agent))` lists the steps of one agent, `Some(None)`
    /// all, and `None` at most [`MAX_LISTED`].
    fn list(&mut self, of: Option<Option<AgentId>>) -> String {
        let mut text = String::new();
        let (mut number, mut hidden) = (0, 0);
        let fresh = self.walk.fresh();
        for it in &self.enabled {
            let cut = !it.is_taken();
            number += usize::from(!cut);
            match of {
                Some(Some(agent)) if it.step.agent != agent => continue,
                None if number > MAX_LISTED => {
                    hidden += 1;
                    continue;
                }
                _ => {}
            }
            let Some(state) = &self.walk.run().state else { continue };
            let before = &state.agents[it.step.agent.index()];
            let seen = TakenStep { step: &it.step, place: it.place, before, observed: &it.observed };
            let mut told = tell(&mut self.namer, &seen);
            self.namer.forget(fresh);
            match &it.observed.result {
                SceneStep::Cut(bound) => told.what = format!("is cut by {}", bound.flag()),
                SceneStep::TooLong(_) => {
                    told.what =
                        "makes too many calls, or can go on in too many ways, to be judged".to_owned();
                }
                _ => {}
            }
            let number = if cut { "-".to_owned() } else { format!("{number})") };
            text.push_str(&style::text(&self.columns.line_of(&self.namer, &number, &told)));
        }
        if hidden > 0 {
            let _ = writeln!(text, "  and {} more; list AGENT shows those of one agent", grouped(hidden));
        }
        match of {
            Some(Some(agent)) if text.is_empty() => {
                let _ = writeln!(text, "{} can do nothing now", self.namer.agent(agent));
            }
            Some(Some(_)) => {}
            _ => text.push_str(&self.end()),
        }
        text
    }

    /// How the run has ended, if it has.
    fn end(&self) -> String {
        let run = self.walk.run();
        if run.end == map_simulate::RunEnd::Stopped {
            return String::new();
        }
        style::text(&self.standing().text(&self.namer))
    }

    fn standing(&self) -> Standing<'_> {
        let (run, memory) = (self.walk.run(), self.walk.memory());
        Standing::new(EndedRun { bounds: &self.setting.scene.bounds, run, memory }, "")
    }

    /// The agent of that name; `None`, for all agents, if no name is given.
    fn agent(&self, name: Option<&str>) -> Result<Option<AgentId>, String> {
        let Some(name) = name else { return Ok(None) };
        let wanted = name.strip_prefix('!').unwrap_or(name);
        let program = self.program();
        let found = program.cast().find(|&agent| program.agent_name(agent) == wanted);
        found.map(Some).ok_or_else(|| {
            let all: Vec<AgentId> = program.cast().collect();
            let name: String = name.chars().take(40).collect();
            format!("there is no agent {name}; there are: {}", self.namer.agents(&all))
        })
    }

    fn show(&self, view: View, agent: Option<AgentId>) -> String {
        match &self.walk.run().state {
            Some(state) => show::show(&self.namer, state, view, agent),
            None => "there is no first state\n".to_owned(),
        }
    }

    /// Prints the steps from this number to that one.
    fn trace(&mut self, from: u64, to: u64, console: &mut Console) -> Result<(), Failure> {
        let mut namer = Namer::new(&self.setting.scene.source, self.program());
        namer.names.foreign = self.namer.names.foreign.clone();
        let (columns, mut broken) = (Columns::new(&namer, 0), None);
        self.again(&mut |seen| {
            let line = step_line(&mut namer, &columns, seen);
            if (from..=to).contains(&seen.number)
                && broken.is_none()
                && let Err(error) = console.print(&line)
            {
                broken = Some(error);
            }
            ControlFlow::Continue(())
        })?;
        broken.map_or(Ok(()), |error| Err(error.into()))
    }

    /// The chart of the steps taken.
    fn chart(&mut self) -> Result<String, Failure> {
        let Scene { program, bounds, .. } = self.setting.scene;
        if self.walk.run().steps == 0 {
            return Ok("no steps have been made\n".to_owned());
        }
        let mut recorder = Recorder::new(program, &self.walk.run().start);
        recorder.know(&self.namer.names.foreign);
        self.again(&mut |seen| {
            recorder.record(&seen.into());
            ControlFlow::Continue(())
        })?;
        let drawn = of_run(program, bounds, recorder, self.walk.run(), None, false);
        Ok(ChartArg::Always.drawing(false).below(&drawn))
    }

    /// Takes all steps again, from the start to the current one.
    fn again(&mut self, see: &mut Observer<'_>) -> Result<(), Failure> {
        let made = self.walk.run().steps;
        self.walk.rewind_to(0);
        let result = self.walk.replay_to(made, see);
        self.refresh();
        result.map_err(|(step, why)| {
            Failure::Internal(format!("step {} cannot be made again: {why}", step + 1))
        })
    }

    /// Goes to where `to` steps have been taken.
    fn go(&mut self, to: u64, console: &mut Console) -> Result<Done, Failure> {
        let len = self.walk.known_steps();
        if to > len {
            let made = self.walk.run().steps;
            return Ok(Err(format!("there are only {} to go on with", counted(len - made, "step"))));
        }
        if to < self.walk.run().steps {
            self.walk.rewind_to(to);
            self.namer.forget(self.walk.fresh());
        }
        let namer = &mut self.namer;
        let result = self.walk.replay_to(to, &mut |seen| {
            namer.learn(&seen.observed.outcome);
            ControlFlow::Continue(())
        });
        if let Err((step, why)) = result {
            return Err(Failure::Internal(format!("step {} cannot be made again: {why}", step + 1)));
        }
        self.refresh();
        console.print(&format!("after {}\n{}", counted(to, "step"), self.list(None)))?;
        Ok(Ok(()))
    }

    fn random(&mut self, steps: u64, seed: Option<u64>, console: &mut Console) -> Result<Done, Failure> {
        if self.numbered(1).is_err() {
            return Ok(Err("nothing can happen any more; undo goes back".to_owned()));
        }
        let seed = seed.unwrap_or_else(any_seed);
        let before = self.walk.run().steps;
        let options = SimulationOptions { seed, ..self.setting.options.clone() };
        let (namer, columns, interrupt) = (&mut self.namer, &self.columns, &self.setting.interrupt);
        let mut lines: VecDeque<String> = VecDeque::new();
        self.walk.random(&options, before.saturating_add(steps), &mut |seen| {
            if lines.len() == MAX_LINES {
                lines.pop_front();
            }
            lines.push_back(step_line(namer, columns, seen));
            if interrupt.is_set() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let made = self.walk.run().steps - before;
        let mut text = format!("{} at random, seed {seed}\n", counted(made, "step"));
        if interrupt.is_set() {
            text.push_str("interrupted\n");
            interrupt.clear();
        }
        if made > lines.len() as u64 {
            let _ = writeln!(text, "{}", style::aside("     .. trace shows those before"));
        }
        text.extend(lines);
        text.push('\n');
        self.refresh();
        text.push_str(&self.list(None));
        console.print(&text)?;
        Ok(Ok(()))
    }

    /// Gives a cell another initial value, and goes back to the start.
    fn start(&mut self, words: &str, console: &mut Console) -> Result<Done, Failure> {
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let wanted = squeezed(words);
        for (place, cell) in open_cells(self.program()).enumerate() {
            let mut texts = cell.values.iter().map(|&value| initial_value(&self.namer, &cell, value));
            let Some(option) = texts.position(|it| squeezed(&it) == wanted) else { continue };
            let mut initial = self.walk.run().initial.clone();
            initial[place] = option as u32;
            self.walk.restart(initial);
            self.refresh();
            let starts = starts(&self.namer, &self.walk.run().initial);
            console.print(&format!("{starts}{}", self.list(None)))?;
            return Ok(Ok(()));
        }
        Ok(Err(match open_cells(self.program()).next() {
            None => "every cell has one initial value here".to_owned(),
            Some(cell) => format!(
                "no cell can start like that; write for example start {}",
                initial_value(&self.namer, &cell, cell.values[0])
            ),
        }))
    }

    fn save(&mut self, file: &Path, console: &mut Console) -> Result<Done, Failure> {
        let dialogue = named(Path::new(""), self.setting.scene.source.name());
        if let Err(why) = check_target(trace::FLAG, file, [dialogue]) {
            return Ok(Err(why));
        }
        let Setting { scene: Scene { source, program, bounds, .. }, cast, .. } = self.setting;
        let choices: Vec<String> = self.walk.steps().iter().map(choice).collect();
        let values = self.values.iter().map(|&value| to_text(&self.namer, value)).collect();
        let (verdict, steps) = (self.standing().word(), counted(choices.len() as u64, "step"));
        let repeated_from = None;
        let saved = NewTrace {
            command: "step",
            source,
            program,
            bounds,
            cast,
            verdict,
            initial: &self.walk.run().initial,
            choices,
            repeated_from,
            values,
        };
        if trace::save(saved, file, console)? {
            console.print(&format!("{steps} saved to {}\n", shown(file)))?;
        }
        Ok(Ok(()))
    }
}

/// The line of a step.
fn step_line(namer: &mut Namer<'_>, columns: &Columns, seen: &SimulatedStep<'_>) -> String {
    let told = tell(namer, &seen.into());
    style::text(&columns.line(namer, seen.number, &told))
}
