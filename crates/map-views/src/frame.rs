//! What views of a scene are made of: the scene under a cast with one member more than are seen, which stands for all
//! members that are not.

use map_ir::{AgentId, Cost, Program, RoleId, Slicing, Value, Visible};
use map_semantics::{Bounds, Network};
use map_verify::named_agents;

use crate::Refusal;
use crate::counting::{counting_cells, is_numbered};

/// How precise views are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precision {
    /// How many members a view shows, from 1 to [`MOST_SEEN`]. Views of so many speak of scenes with one more, or
    /// more than that.
    pub seen: usize,
    /// Whether cells that count are told apart by who has contributed what.
    pub counting: bool,
    /// Cells for which this is not done, by role and place in its memory.
    pub except: Vec<(RoleId, usize)>,
    /// Whether no integer is assumed to get so large that 64 bits do not hold it. Otherwise those that are not
    /// told apart
    /// may only be compared.
    pub no_overflow: bool,
    /// How many equal messages of agents that are seen are told apart; as many mean as many or more.
    pub copies: u8,
    /// The same for members that are not seen.
    pub copies_of_others: u8,
}

impl Precision {
    /// The coarsest views.
    pub const COARSE: Self = Self {
        seen: 1,
        counting: false,
        except: Vec::new(),
        no_overflow: false,
        copies: 2,
        copies_of_others: 1,
    };

    /// Ever finer views that show so many members.
    pub(crate) fn finer(seen: usize) -> [Self; 4] {
        let coarse = Self { seen, ..Self::COARSE };
        let counting = Self { counting: true, ..coarse.clone() };
        let more_copies = Self { copies: 3, ..counting.clone() };
        let more_of_others = Self { copies_of_others: 2, ..counting.clone() };
        [coarse, counting, more_copies, more_of_others]
    }

    /// The least number of members of which such views speak: there is one that is not seen.
    #[must_use]
    pub fn least(&self) -> u32 {
        self.seen as u32 + 1
    }
}

/// Mistakes that the comparison with concrete states has to find. None is made unless a test asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sabotage {
    /// Other members do nothing.
    pub no_others: bool,
    /// A view needs support by one that is seen in the same place, which cannot be.
    pub wrong_support: bool,
    /// Time runs out although others may be busy, and not where they must be quiet.
    pub never_quiet: bool,
    /// Members that are not seen differ from each other.
    pub others_differ: bool,
    /// Unknown values differ from each other.
    pub unknown_differ: bool,
    /// What others contribute to a counting cell is nothing.
    pub wrong_count: bool,
    /// Whoever is seen beside a sender has the same messages where the sender is not seen.
    pub same_company: bool,
}

/// The most members that a view shows.
pub const MOST_SEEN: usize = 3;

/// A scene with one member of a role more than views show, and how its views are made.
pub(crate) struct Frame<'p> {
    pub(crate) program: &'p Program,
    pub(crate) bounds: Bounds,
    pub(crate) slicing: Slicing,
    /// As it was asked for, without counting if nothing counts.
    pub(crate) precision: Precision,
    pub(crate) sabotage: Sabotage,
    pub(crate) role: RoleId,
    /// The agents that views show: the fixed ones, in the order of the cast, then the members that are seen.
    pub(crate) shown: Vec<AgentId>,
    /// The dummy that stands for every other member.
    pub(crate) other: AgentId,
    /// For each fixed agent its cells that count, as indices into its memory, and whether they start with the number of
    /// members.
    pub(crate) counted: Vec<Vec<(usize, bool)>>,
    /// Costs of agents that are shown.
    pub(crate) costs: Vec<Cost>,
    /// Integers further from 0 are all the same.
    cap: i64,
}

/// What properties want to see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) visible: Visible,
    /// The largest distance from 0 of an integer that they compare with.
    pub(crate) largest: i64,
    /// Costs of agents that are shown.
    pub(crate) costs: Vec<Cost>,
}

impl<'p> Frame<'p> {
    /// `few` is the scene with one member more than are seen, `more` with one more than that.
    ///
    /// # Errors
    /// If the members are not interchangeable, or something is asked for that views cannot show.
    pub(crate) fn new(
        few: &'p Program,
        more: &Program,
        role: &str,
        bounds: &Bounds,
        how: (&Precision, Sabotage),
    ) -> Result<Self, Refusal> {
        Self::watching(few, more, role, bounds, how, &Wanted::default())
    }

    /// The same, showing what properties want to see.
    ///
    /// # Errors
    /// If the members are not interchangeable, or something is asked for that views cannot show.
    pub(crate) fn watching(
        few: &'p Program,
        more: &Program,
        role: &str,
        bounds: &Bounds,
        how: (&Precision, Sabotage),
        wanted: &Wanted,
    ) -> Result<Self, Refusal> {
        let mut frame = Self::uncounted(few, more, role, bounds, how)?;
        frame.slicing = Slicing::new(few, false, &[], &wanted.visible);
        frame.cap = frame.cap.max(wanted.largest.saturating_add(2));
        frame.costs.clone_from(&wanted.costs);
        if how.0.counting {
            let cells = |&agent: &AgentId| {
                let role = few.agent(agent).role;
                let mut cells = counting_cells(few, more, role, &frame.slicing);
                cells.retain(|&(cell, _)| !how.0.except.contains(&(role, cell)));
                cells
            };
            frame.counted = frame.fixed().iter().map(cells).collect();
            frame.precision.counting = frame.counted.iter().any(|cells| !cells.is_empty());
        } else if few.roles.iter().enumerate().any(|(index, _)| has_numbered(few, more, index)) {
            // A number that is one for few members is not the number of any others.
            return Err(Refusal::Numbered);
        }
        for (index, memory) in few.memories.iter().enumerate() {
            let numbered = (0..memory.cells.len()).filter(|&cell| is_numbered(few, more, index, cell));
            let role_here = RoleId::new(index);
            for cell in numbered.filter(|&cell| frame.slicing.cell_at(role_here, cell)) {
                if role_here == frame.role || !frame.counts(role_here, cell) {
                    return Err(Refusal::Numbered);
                }
            }
        }
        Ok(frame)
    }

    /// The same for looking at states with some number of members: nothing is counted, and a cell that starts with that
    /// number holds it.
    ///
    /// # Errors
    /// If the members are not interchangeable, or something is asked for that views cannot show.
    pub(crate) fn uncounted(
        few: &'p Program,
        more: &Program,
        role: &str,
        bounds: &Bounds,
        (precision, sabotage): (&Precision, Sabotage),
    ) -> Result<Self, Refusal> {
        let found = few.roles.iter().position(|name| name == role).map(RoleId::new);
        let role = found.ok_or(Refusal::NoSuchRole)?;
        let mut parts = few.parts.iter().filter(|part| part.role == role);
        let (Some(part), None) = (parts.next(), parts.next()) else { return Err(Refusal::SeveralParts) };
        let (&other, seen) = part.agents.split_last().ok_or(Refusal::NotPlural)?;
        if seen.len() != precision.seen || !(1..=MOST_SEEN).contains(&seen.len()) {
            return Err(Refusal::NotPlural);
        }
        let named = named_agents(few, bounds);
        if part.agents.iter().any(|member| named[member.index()]) {
            return Err(Refusal::Named);
        }
        // Mailboxes of views are bags, in whatever order messages arrive. Nothing else that a network does is shown.
        let Bounds { depth: _, rounds, rounds_of, mailbox: _, timeouts: _, network, after } = bounds;
        let Network { unordered: _, delayed, losses, crashes } = *network;
        if delayed || losses > 0 || crashes > 0 {
            return Err(Refusal::Faults);
        }
        if after.is_some() {
            return Err(Refusal::Begun);
        }
        if rounds.is_some() || !rounds_of.is_empty() {
            return Err(Refusal::Rounds);
        }
        if !are_alike(few, more) {
            return Err(Refusal::NotAlike);
        }
        let fixed: Vec<AgentId> = few.cast().filter(|it| !part.agents.contains(it)).collect();
        let network = Network { unordered: true, delayed, losses, crashes };
        Ok(Self {
            program: few,
            bounds: Bounds { mailbox: u32::MAX, network, ..bounds.clone() },
            slicing: Slicing::new(few, false, &[], &Visible::default()),
            precision: precision.clone(),
            sabotage,
            role,
            other,
            counted: vec![Vec::new(); fixed.len()],
            shown: fixed.into_iter().chain(seen.iter().copied()).collect(),
            costs: Vec::new(),
            cap: largest_written(few).saturating_add(2),
        })
    }

    /// Whether a cell that starts with the number of members counts, in all agents of the role.
    fn counts(&self, role: RoleId, cell: usize) -> bool {
        let agents = self.fixed().iter().zip(&self.counted);
        let mut agents = agents.filter(|(agent, _)| self.program.agent(**agent).role == role);
        agents.all(|(_, cells)| cells.contains(&(cell, true)))
    }

    /// The fixed agents: all that are not members.
    pub(crate) fn fixed(&self) -> &[AgentId] {
        &self.shown[..self.counted.len()]
    }

    /// The members that are seen.
    pub(crate) fn seen(&self) -> &[AgentId] {
        &self.shown[self.counted.len()..]
    }

    /// Whether a value is a member's name.
    pub(crate) fn is_member(&self, value: Value) -> bool {
        matches!(value, Value::Agent(agent) if agent == self.other || self.seen().contains(&agent))
    }

    /// The place of an agent among those that are shown.
    pub(crate) fn place_of(&self, agent: AgentId) -> Option<usize> {
        self.shown.iter().position(|&it| it == agent)
    }

    /// The cells of an agent that count.
    pub(crate) fn counted_by(&self, agent: AgentId) -> &[(usize, bool)] {
        self.place_of(agent).and_then(|place| self.counted.get(place)).map_or(&[], Vec::as_slice)
    }

    /// Whether a member's name in one view may be that of the same member as the name at the same place of another
    /// view, which shows another member instead of the one that is seen as `replaced`.
    pub(crate) fn may_be_the_same(&self, here: AgentId, there: AgentId, replaced: AgentId) -> bool {
        if here == replaced {
            there == self.other
        } else if here == self.other {
            there == self.other || there == replaced
        } else {
            here == there
        }
    }

    /// How many equal messages of a sender are told apart.
    pub(crate) fn copies(&self, sender: AgentId) -> u8 {
        if sender == self.other { self.precision.copies_of_others } else { self.precision.copies }
    }

    /// The placeholder with this name for a value that does not matter: a text that no program can write.
    pub(crate) fn nothing(&self, name: usize) -> Value {
        Value::Text(map_ir::TextId::new(self.program.texts.len() + name))
    }

    /// Whether a value is such a placeholder.
    pub(crate) fn is_nothing(&self, value: Value) -> bool {
        matches!(value, Value::Text(text) if text.index() >= self.program.texts.len())
    }

    /// Whether an integer is one of those told apart.
    pub(crate) fn is_small(&self, number: i64) -> bool {
        number.unsigned_abs() <= self.cap.unsigned_abs()
    }
}

/// Whether the two programs are the same apart from members and numbers of them.
fn are_alike(few: &Program, more: &Program) -> bool {
    let sizes = |program: &Program| {
        [
            program.roles.len(),
            program.parts.len(),
            program.clauses.len(),
            program.points.len(),
            program.performatives.len(),
            program.procedures.len(),
            program.expressions.len(),
            program.names.len(),
            program.texts.len(),
        ]
    };
    let can_fail = |program: &Program| program.clauses.iter().map(|it| it.can_fail).collect::<Vec<_>>();
    sizes(few) == sizes(more)
        && can_fail(few) == can_fail(more)
        && more.agents.len() == few.agents.len() + 1
        && few.memories.len() == more.memories.len()
}

fn has_numbered(few: &Program, more: &Program, role: usize) -> bool {
    (0..few.memories[role].cells.len()).any(|cell| is_numbered(few, more, role, cell))
}

/// The largest distance from 0 of an integer that is written in the program.
fn largest_written(program: &Program) -> i64 {
    let constants = program.constants().into_iter().map(|(constant, _)| constant);
    let members = program.domains().into_iter().flat_map(|(domain, _)| domain.to_vec());
    let sizes = constants.chain(members).map(|value| match value {
        Value::Integer(number) => number.saturating_abs(),
        _ => 0,
    });
    sizes.max().unwrap_or(0)
}
