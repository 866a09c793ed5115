//! What views of a scene are made of: the scene under a cast with two members, one of them seen, the other
//! standing for
//! all members that are not.

use map_ir::{
    AgentId, Answer, Body, ExpressionKind, Initial, Operand, Pattern, PointKind, Program, Recipient, RoleId,
    Slicing, Test, Value, Visible,
};
use map_semantics::{Bounds, Network};
use map_verify::named_agents;

use crate::Refusal;
use crate::counting::{counting_cells, is_numbered};

/// How precise views are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precision {
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
    pub const COARSE: Self =
        Self { counting: false, except: Vec::new(), no_overflow: false, copies: 2, copies_of_others: 1 };
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
}

/// A scene with two members of a role, and how its views are made.
pub(crate) struct Frame<'p> {
    pub(crate) program: &'p Program,
    pub(crate) bounds: Bounds,
    pub(crate) slicing: Slicing,
    pub(crate) precision: Precision,
    pub(crate) sabotage: Sabotage,
    pub(crate) role: RoleId,
    /// The member that is seen.
    pub(crate) member: AgentId,
    /// The dummy that stands for every other member.
    pub(crate) other: AgentId,
    /// The other agents, in the order of the cast.
    pub(crate) fixed: Vec<AgentId>,
    /// For each fixed agent its cells that count, as indices into its memory, and whether they start with the
    /// number of
    /// members.
    pub(crate) counted: Vec<Vec<(usize, bool)>>,
    /// Integers further from 0 are all the same.
    cap: i64,
}

/// What properties want to see.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    pub(crate) visible: Visible,
    /// The largest distance from 0 of an integer that they compare with.
    pub(crate) largest: i64,
}

impl<'p> Frame<'p> {
    /// `two` and `three` are the scene with two and with three members.
    ///
    /// # Errors
    /// If the members are not interchangeable, or something is asked for that views cannot show.
    pub(crate) fn new(
        two: &'p Program,
        three: &Program,
        role: &str,
        bounds: &Bounds,
        how: (&Precision, Sabotage),
    ) -> Result<Self, Refusal> {
        Self::watching(two, three, role, bounds, how, &Wanted::default())
    }

    /// The same, showing what properties want to see.
    ///
    /// # Errors
    /// If the members are not interchangeable, or something is asked for that views cannot show.
    pub(crate) fn watching(
        two: &'p Program,
        three: &Program,
        role: &str,
        bounds: &Bounds,
        how: (&Precision, Sabotage),
        wanted: &Wanted,
    ) -> Result<Self, Refusal> {
        let mut frame = Self::uncounted(two, three, role, bounds, how)?;
        frame.slicing = Slicing::new(two, false, &[], &wanted.visible);
        frame.cap = frame.cap.max(wanted.largest.saturating_add(2));
        if how.0.counting {
            let cells = |&agent: &AgentId| {
                let role = two.agent(agent).role;
                let mut cells = counting_cells(two, three, role, &frame.slicing);
                cells.retain(|&(cell, _)| !how.0.except.contains(&(role, cell)));
                cells
            };
            frame.counted = frame.fixed.iter().map(cells).collect();
        } else if two.roles.iter().enumerate().any(|(index, _)| has_numbered(two, three, index)) {
            // A number that is one for two members is not the number of any others.
            return Err(Refusal::Numbered);
        }
        for (index, memory) in two.memories.iter().enumerate() {
            let numbered = (0..memory.cells.len()).filter(|&cell| is_numbered(two, three, index, cell));
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
        two: &'p Program,
        three: &Program,
        role: &str,
        bounds: &Bounds,
        (precision, sabotage): (&Precision, Sabotage),
    ) -> Result<Self, Refusal> {
        let found = two.roles.iter().position(|name| name == role).map(RoleId::new);
        let role = found.ok_or(Refusal::NoSuchRole)?;
        let mut parts = two.parts.iter().filter(|part| part.role == role);
        let (Some(part), None) = (parts.next(), parts.next()) else { return Err(Refusal::SeveralParts) };
        let &[member, other] = part.agents.as_slice() else { return Err(Refusal::NotPlural) };
        let named = named_agents(two, bounds);
        if named[member.index()] || named[other.index()] {
            return Err(Refusal::Named);
        }
        let Network { losses: 0, crashes: 0, .. } = bounds.network else { return Err(Refusal::Faults) };
        if bounds.rounds.is_some() || !bounds.rounds_of.is_empty() {
            return Err(Refusal::Rounds);
        }
        if !are_alike(two, three) {
            return Err(Refusal::NotAlike);
        }
        let fixed: Vec<AgentId> = two.cast().filter(|&it| it != member && it != other).collect();
        let network = Network { unordered: true, ..bounds.network };
        Ok(Self {
            program: two,
            bounds: Bounds { mailbox: u32::MAX, network, ..bounds.clone() },
            slicing: Slicing::new(two, false, &[], &Visible::default()),
            precision: precision.clone(),
            sabotage,
            role,
            member,
            other,
            counted: vec![Vec::new(); fixed.len()],
            fixed,
            cap: largest_written(two).saturating_add(2),
        })
    }

    /// Whether a cell that starts with the number of members counts, in all agents of the role.
    fn counts(&self, role: RoleId, cell: usize) -> bool {
        let agents = self.fixed.iter().zip(&self.counted);
        let mut agents = agents.filter(|(agent, _)| self.program.agent(**agent).role == role);
        agents.all(|(_, cells)| cells.contains(&(cell, true)))
    }

    /// Whether a value is a member's name.
    pub(crate) fn is_member(&self, value: Value) -> bool {
        matches!(value, Value::Agent(agent) if agent == self.member || agent == self.other)
    }

    /// The place of a fixed agent among them.
    pub(crate) fn place_of(&self, agent: AgentId) -> Option<usize> {
        self.fixed.binary_search(&agent).ok()
    }

    /// The cells of an agent that count.
    pub(crate) fn counted_by(&self, agent: AgentId) -> &[(usize, bool)] {
        self.place_of(agent).map_or(&[], |place| &self.counted[place])
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
fn are_alike(two: &Program, three: &Program) -> bool {
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
    sizes(two) == sizes(three)
        && can_fail(two) == can_fail(three)
        && three.agents.len() == two.agents.len() + 1
        && two.memories.len() == three.memories.len()
}

fn has_numbered(two: &Program, three: &Program, role: usize) -> bool {
    (0..two.memories[role].cells.len()).any(|cell| is_numbered(two, three, role, cell))
}

/// The largest distance from 0 of an integer that is written in the program.
fn largest_written(program: &Program) -> i64 {
    let mut largest = 0;
    let mut value = |value: Value| {
        if let Value::Integer(number) = value {
            largest = largest.max(number.saturating_abs());
        }
    };
    let mut operand = |operand: Operand| {
        if let Operand::Constant(constant) = operand {
            value(constant);
        }
    };
    let pattern = |pattern: &Pattern, operand: &mut dyn FnMut(Operand)| {
        for test in &pattern.tests {
            if let Test::Operand(_, tested) = *test {
                operand(tested);
            }
        }
    };
    for point in &program.points {
        match &point.kind {
            PointKind::Ask { arguments, .. } | PointKind::Call { arguments, .. } => {
                arguments.iter().copied().for_each(&mut operand);
            }
            PointKind::Send { arguments, agent, role, .. } => {
                arguments.iter().copied().for_each(&mut operand);
                for recipient in [agent, role] {
                    if let Recipient::Is(it) = recipient {
                        operand(*it);
                    }
                }
            }
            PointKind::Receive { pattern: it, .. } => pattern(it, &mut operand),
            _ => {}
        }
    }
    program.clauses.iter().for_each(|clause| pattern(&clause.head, &mut operand));
    for (_, initial) in program.memories.iter().flat_map(|memory| &memory.cells) {
        match initial {
            Initial::Constant(constant) => value(*constant),
            Initial::In(values) => values.iter().copied().for_each(&mut value),
            Initial::Own => {}
        }
    }
    for expression in &program.expressions {
        if let ExpressionKind::Constant(constant) = expression.kind {
            value(constant);
        }
    }
    for procedure in &program.procedures {
        match &procedure.body {
            Body::In(domain) => domain.iter().copied().for_each(&mut value),
            Body::Alternatives(alternatives) => {
                for alternative in alternatives {
                    if let Answer::In(domain) = &alternative.answer {
                        domain.iter().copied().for_each(&mut value);
                    }
                }
            }
            Body::Abstract | Body::Fresh => {}
        }
    }
    largest
}
