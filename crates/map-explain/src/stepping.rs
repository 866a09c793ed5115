//! A run that a person makes step by step: what each command does, and what is said.
//!
//! [`Command::parse`] reads a line, [`Stepper::run`] carries it out, and [`Words`] complete what is typed. What needs
//! files or the end of the session ([`Command::Save`], [`Command::Quit`]) is up to whoever reads the lines.

mod agents;
mod command;
mod words;

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::ops::ControlFlow;

use map_ir::{AgentId, Value};
use map_render::chart::Recorder;
use map_render::chart::evidence::of_run;
use map_render::chart::shown::{Drawing, When};
use map_semantics::{EnabledStep, InitialChoices, SceneStep, Step, open_cells};
use map_session::{Observer, Scene, TakenStep, Walk};
use map_simulate::{Impossible, RunEnd, SimulatedStep, SimulationOptions};

use crate::transcript::Columns;
use crate::{
    EndedRun, Namer, Role, Standing, StepText, Text, bounds, counted, grouped, initial_lines, initial_value,
    tell,
};
pub use command::{Command, HELP, NAMES, View};
pub use words::Words;

/// The most steps listed after a command other than `list`.
const MAX_LISTED: usize = 40;

/// The most lines shown of random steps: the last ones.
const MAX_LINES: usize = 60;

/// A run in the hands of a person: where it is, and the steps that can be taken there.
pub struct Stepper<'a> {
    scene: &'a Scene,
    namer: Namer<'a>,
    columns: Columns,
    walk: Walk,
    /// The values from outside that the steps of a resumed trace refer to.
    values: Vec<Value>,
    /// The steps that can be taken now, then those that are cut.
    enabled: Vec<EnabledStep>,
}

/// What commands need besides the run.
pub struct Surroundings<'s> {
    /// The odds of random steps, with the seed to take if the command has none.
    pub odds: &'s SimulationOptions,
    /// The width of charts, in columns.
    pub width: usize,
    /// Whether random steps are to stop.
    pub is_stopped: &'s dyn Fn() -> bool,
    /// Shows a line of a long text as it comes, or breaks off.
    pub print: &'s mut dyn FnMut(&Text) -> ControlFlow<()>,
}

/// A step that can be taken, or would be if no bound cut it.
pub struct Offer {
    /// The step.
    pub step: Step,
    /// What happens.
    pub told: StepText,
    /// Whether it can be taken.
    pub can: bool,
}

/// Why a command is not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// What is wrong with the command.
    Command(String),
    /// A step that was taken cannot be taken again: a defect.
    Defect(String),
}

impl From<String> for Obstacle {
    fn from(what: String) -> Self {
        Self::Command(what)
    }
}

/// What a command says.
type Said = Result<Text, Obstacle>;

impl<'a> Stepper<'a> {
    /// A run that is at its start; each cell has the first of its initial values.
    #[must_use]
    pub fn new(scene: &'a Scene) -> Self {
        let namer = Namer::new(&scene.source, &scene.program);
        let columns = Columns::new(&namer, 0);
        let initial = InitialChoices::all(&scene.program).options().to_vec();
        let walk = Walk::new(scene.clone(), initial);
        let mut stepper = Self { scene, namer, columns, walk, values: Vec::new(), enabled: Vec::new() };
        stepper.refresh();
        stepper
    }

    /// Names the values of the run.
    pub fn namer(&mut self) -> &mut Namer<'a> {
        &mut self.namer
    }

    /// The run.
    #[must_use]
    pub fn walk(&self) -> &Walk {
        &self.walk
    }

    /// The values from outside that the steps refer to, in the notation of traces where `text` gives it.
    pub fn values(&self, text: impl Fn(&Namer<'_>, Value) -> String) -> Vec<String> {
        self.values.iter().map(|&value| text(&self.namer, value)).collect()
    }

    /// The steps that can be taken now, in the notation of traces.
    #[must_use]
    pub fn steps(&self) -> Vec<String> {
        self.possible().map(|enabled| enabled.step.to_string()).collect()
    }

    /// The status of the run.
    #[must_use]
    pub fn standing(&self) -> Standing<'_> {
        let (run, memory) = (self.walk.run(), self.walk.memory());
        Standing::new(EndedRun { bounds: &self.scene.bounds, run, memory }, "")
    }

    /// Takes the steps of a trace, which refer to `values`.
    ///
    /// # Errors
    /// The index of the first step that is impossible, and why.
    pub fn resume(
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

    /// The scene, its bounds, and the possible steps: what is said first.
    pub fn begin(&mut self) -> Text {
        let Scene { source, program, bounds: in_force, .. } = self.scene;
        let mut text = Text::plain(format!("{}  ", source.name()));
        let mut line = |role, line: &str| {
            text.push(role, line);
            text.push_str("\n");
        };
        line(Role::Heading, &program.scene);
        line(Role::Aside, &bounds::cast(program));
        line(Role::Aside, &format!("bounds: {}", bounds::bounds(&self.namer, in_force)));
        match self.walk.run().steps {
            0 => text.push_str(&format!("\n{}", initial_lines(&self.namer, &self.walk.run().initial))),
            steps => text.push_str(&format!("resumed after {}\n\n", counted(steps, "step"))),
        }
        text.append(self.list(None));
        text
    }

    /// Carries out a command.
    ///
    /// # Errors
    /// Why it cannot be done.
    pub fn run(&mut self, command: &Command, around: &mut Surroundings<'_>) -> Said {
        match command {
            Command::Number(number) => {
                let step = self.numbered(*number)?;
                self.take(&step)
            }
            Command::Choice(step) => self.take(step),
            Command::List(agent) => {
                let agent = self.agent(agent.as_deref())?;
                Ok(self.list(Some(agent)))
            }
            Command::Show(view, agent) => {
                let agent = self.agent(agent.as_deref())?;
                Ok(match &self.walk.run().state {
                    Some(state) => agents::show(&self.namer, state, *view, agent),
                    None => Text::plain("there is no first state\n"),
                })
            }
            Command::Trace(from, to) => self.trace(*from, *to, around),
            Command::Chart => self.chart(around.width),
            Command::Undo(steps) => {
                let made = self.walk.run().steps;
                let to = made.checked_sub(*steps);
                self.go(to.ok_or_else(|| format!("there are only {} to take back", counted(made, "step")))?)
            }
            Command::Redo(steps) => self.go(self.walk.run().steps.saturating_add(*steps)),
            Command::Go(to) => self.go(*to),
            Command::Random(steps, seed) => self.random(*steps, *seed, around),
            Command::Start(words) => self.start(words),
            Command::Help => Ok(Text::plain(HELP)),
            Command::Nothing | Command::Save(_) | Command::Quit => Ok(Text::default()),
        }
    }

    /// Recomputes the steps that are possible in the current state.
    fn refresh(&mut self) {
        let steps = self.walk.enabled();
        let (can, cut): (Vec<_>, Vec<_>) = steps.into_iter().partition(EnabledStep::is_taken);
        self.enabled = can;
        self.enabled.extend(cut);
    }

    /// The steps that can be taken now.
    fn possible(&self) -> impl Iterator<Item = &EnabledStep> {
        self.enabled.iter().filter(|enabled| enabled.is_taken())
    }

    fn numbered(&self, number: usize) -> Result<Step, String> {
        let step = number.checked_sub(1).and_then(|index| self.possible().nth(index));
        step.map(|enabled| enabled.step.clone()).ok_or_else(|| match self.possible().count() {
            0 => "nothing can happen any more; undo goes back".to_owned(),
            1 => format!("there is no step {number}, only step 1"),
            count => format!("there is no step {number}; there are 1 to {}", grouped(count as u64)),
        })
    }

    fn take(&mut self, step: &Step) -> Said {
        let (namer, columns) = (&mut self.namer, &self.columns);
        let mut text = Text::default();
        let made = self.walk.take(step.clone(), &mut |seen| {
            text = step_line(namer, columns, seen);
            ControlFlow::Continue(())
        });
        made.map_err(|why| format!("{step} cannot be done: {why}"))?;
        self.refresh();
        text.push_str("\n");
        text.append(self.list(None));
        Ok(text)
    }

    /// The steps that can be taken now, then those that are cut, in words.
    pub fn offers(&mut self) -> Vec<Offer> {
        let fresh = self.walk.fresh();
        let Some(state) = &self.walk.run().state else { return Vec::new() };
        let mut offers = Vec::new();
        for EnabledStep { step, place, observed, .. } in &self.enabled {
            let before = &state.agents[step.agent.index()];
            let mut told = tell(&mut self.namer, &TakenStep { step, place: *place, before, observed });
            self.namer.forget(fresh);
            let can = match &observed.result {
                SceneStep::Cut(bound) => {
                    told.what = format!("is cut by {}", bound.flag());
                    false
                }
                SceneStep::TooLong(_) => {
                    told.what =
                        "makes too many calls, or can go on in too many ways, to be judged".to_owned();
                    false
                }
                SceneStep::Made | SceneStep::Nothing | SceneStep::Wrong(_) => true,
            };
            offers.push(Offer { step: step.clone(), told, can });
        }
        offers
    }

    /// The possible steps, or how the run has ended. `Some(Some(agent))` lists the steps of one agent, `Some(None)`
    /// all, and `None` at most [`MAX_LISTED`].
    fn list(&mut self, of: Option<Option<AgentId>>) -> Text {
        let mut text = Text::default();
        let (mut number, mut hidden) = (0, 0);
        for Offer { step, told, can } in self.offers() {
            number += usize::from(can);
            match of {
                Some(Some(agent)) if step.agent != agent => continue,
                None if number > MAX_LISTED => {
                    hidden += 1;
                    continue;
                }
                _ => {}
            }
            let number = if can { format!("{number})") } else { "-".to_owned() };
            text.append(self.columns.line_of(&self.namer, &number, &told));
        }
        if hidden > 0 {
            let _ = writeln!(text, "  and {} more; list AGENT shows those of one agent", grouped(hidden));
        }
        match of {
            Some(Some(agent)) if text.is_empty() => {
                let _ = writeln!(text, "{} can do nothing now", self.namer.agent(agent));
            }
            Some(Some(_)) => {}
            _ if self.walk.run().end == RunEnd::Stopped => {}
            _ => text.append(self.standing().text(&self.namer)),
        }
        text
    }

    /// The agent of that name; `None`, for all agents, if no name is given.
    fn agent(&self, name: Option<&str>) -> Result<Option<AgentId>, String> {
        let Some(name) = name else { return Ok(None) };
        let wanted = name.strip_prefix('!').unwrap_or(name);
        let program = self.namer.program;
        let found = program.cast().find(|&agent| program.agent_name(agent) == wanted);
        found.map(Some).ok_or_else(|| {
            let all: Vec<AgentId> = program.cast().collect();
            let name: String = name.chars().take(40).collect();
            format!("there is no agent {name}; there are: {}", self.namer.agents(&all))
        })
    }

    /// Prints the steps from this number to that one.
    fn trace(&mut self, from: u64, to: u64, around: &mut Surroundings<'_>) -> Said {
        let mut namer = Namer::new(&self.scene.source, &self.scene.program);
        namer.names.foreign = self.namer.names.foreign.clone();
        let (columns, mut flow) = (Columns::new(&namer, 0), ControlFlow::Continue(()));
        self.again(&mut |seen| {
            let line = step_line(&mut namer, &columns, seen);
            if (from..=to).contains(&seen.number) && flow.is_continue() {
                flow = (around.print)(&line);
            }
            ControlFlow::Continue(())
        })?;
        Ok(Text::default())
    }

    /// The chart of the steps taken.
    fn chart(&mut self, width: usize) -> Said {
        let Scene { program, bounds, .. } = self.scene;
        if self.walk.run().steps == 0 {
            return Ok(Text::plain("no steps have been made\n"));
        }
        let mut recorder = Recorder::new(program, &self.walk.run().start);
        recorder.know(&self.namer.names.foreign);
        self.again(&mut |seen| {
            recorder.record(&seen.into());
            ControlFlow::Continue(())
        })?;
        let drawn = of_run(program, bounds, recorder, self.walk.run(), None, false);
        Ok(Text::plain(Drawing { when: When::Always, full: false, width }.below(&drawn)))
    }

    /// Takes all steps again, from the start to the current one.
    fn again(&mut self, see: &mut Observer<'_>) -> Result<(), Obstacle> {
        let made = self.walk.run().steps;
        self.walk.rewind_to(0);
        let result = self.walk.replay_to(made, see);
        self.refresh();
        result.map_err(defect)
    }

    /// Goes to where `to` steps have been taken.
    fn go(&mut self, to: u64) -> Said {
        let (known, made) = (self.walk.known_steps(), self.walk.run().steps);
        if to > known {
            return Err(format!("there are only {} to go on with", counted(known - made, "step")).into());
        }
        if to < made {
            self.walk.rewind_to(to);
            self.namer.forget(self.walk.fresh());
        }
        let namer = &mut self.namer;
        let result = self.walk.replay_to(to, &mut |seen| {
            namer.learn(&seen.observed.outcome);
            ControlFlow::Continue(())
        });
        result.map_err(defect)?;
        self.refresh();
        let mut text = Text::plain(format!("after {}\n", counted(to, "step")));
        text.append(self.list(None));
        Ok(text)
    }

    fn random(&mut self, steps: u64, seed: Option<u64>, around: &Surroundings<'_>) -> Said {
        if self.possible().next().is_none() {
            return Err("nothing can happen any more; undo goes back".to_owned().into());
        }
        let seed = seed.unwrap_or(around.odds.seed);
        let before = self.walk.run().steps;
        let options = SimulationOptions { seed, ..around.odds.clone() };
        let (namer, columns) = (&mut self.namer, &self.columns);
        let mut lines: VecDeque<Text> = VecDeque::new();
        self.walk.random(&options, before.saturating_add(steps), &mut |seen| {
            if lines.len() == MAX_LINES {
                lines.pop_front();
            }
            lines.push_back(step_line(namer, columns, seen));
            if (around.is_stopped)() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let made = self.walk.run().steps - before;
        let mut text = Text::plain(format!("{} at random, seed {seed}\n", counted(made, "step")));
        if (around.is_stopped)() {
            text.push_str("interrupted\n");
        }
        if made > lines.len() as u64 {
            text.push(Role::Aside, "     .. trace shows those before");
            text.push_str("\n");
        }
        lines.into_iter().for_each(|line| text.append(line));
        text.push_str("\n");
        self.refresh();
        text.append(self.list(None));
        Ok(text)
    }

    /// Gives a cell another initial value, and goes back to the start.
    fn start(&mut self, words: &str) -> Said {
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        let wanted = squeezed(words);
        for (place, cell) in open_cells(&self.scene.program).enumerate() {
            let mut texts = cell.values.iter().map(|&value| initial_value(&self.namer, &cell, value));
            let Some(option) = texts.position(|text| squeezed(&text) == wanted) else { continue };
            let mut initial = self.walk.run().initial.clone();
            initial[place] = option as u32;
            self.walk.restart(initial);
            self.refresh();
            let mut text = Text::plain(initial_lines(&self.namer, &self.walk.run().initial));
            text.append(self.list(None));
            return Ok(text);
        }
        Err(Obstacle::Command(match open_cells(&self.scene.program).next() {
            None => "every cell has one initial value here".to_owned(),
            Some(cell) => format!(
                "no cell can start like that; write for example start {}",
                initial_value(&self.namer, &cell, cell.values[0])
            ),
        }))
    }
}

fn defect((step, why): (u64, Impossible)) -> Obstacle {
    Obstacle::Defect(format!("step {} cannot be made again: {why}", step + 1))
}

/// The line of a step.
fn step_line(namer: &mut Namer<'_>, columns: &Columns, seen: &SimulatedStep<'_>) -> Text {
    let told = tell(namer, &seen.into());
    columns.line(namer, seen.number, &told)
}
