//! The encoding of values and messages as numbers.
//!
//! Promela's values are numbers, so every constant, agent and role gets one, outside the range of the integers. A
//! message has columns for its performative, its sender, the sender's role if needed, and its arguments. Further
//! columns are computed by the sender because a poll cannot compute them: whether an argument is abstract, and
//! whether two fields are equal.

use map_ir::{AgentId, NameId, Operand, PerformativeId, PointKind, Program, RoleId, Test, TextId, Value};

use crate::kinds::{Flow, compared_places, has_integers};
use crate::names::Names;
use crate::promela::{Expr, Operator};

/// Integers lie strictly between this and its negative, so that the sum of two still fits into an `int`.
pub(crate) const INTEGERS: i64 = 1_000_000_000;

/// The number of distinct abstract values, and of distinct fresh ones, that can be encoded.
const SYMBOLS: i64 = 100_000;

/// The encoding of values and messages.
pub(crate) struct Layout {
    pub(crate) integers: bool,
    /// Whether distinct abstract (or fresh) values have distinct numbers.
    pub(crate) symbols: bool,
    /// Whether variables are global arrays over the agents, so that every process can read them.
    pub(crate) global: bool,
    first: i64,
    agents: Vec<String>,
    roles: Vec<String>,
    constants: Vec<String>,
    texts: Vec<String>,
    pub(crate) performatives: Vec<String>,
    /// The largest arity of any message.
    pub(crate) arguments: usize,
    pub(crate) role_column: bool,
    /// The pairs of fields that are compared, by performative.
    compared: Vec<Vec<(u32, u32)>>,
    pub(crate) comparisons: usize,
}

/// A column of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    Sender,
    Role,
    Argument(usize),
    /// Whether the argument is abstract.
    IsAbstract(usize),
    /// Whether two fields are equal.
    Comparison(usize),
}

impl Layout {
    pub(crate) fn new(
        program: &Program,
        flow: &Flow,
        symbols: bool,
        global: bool,
        names: &mut Names,
    ) -> Self {
        let integers = has_integers(program);
        let mut performatives: Vec<String> = Vec::new();
        for performative in &program.performatives {
            let twins = program.performatives.iter().filter(|it| it.name == performative.name).count();
            let arity = if twins > 1 { format!("_{}", performative.arity) } else { String::new() };
            performatives.push(names.unique(&format!("{}{arity}", performative.name)));
        }
        let compared: Vec<Vec<(u32, u32)>> = (0..program.performatives.len())
            .map(|index| compared_places(program, PerformativeId::new(index)))
            .collect();
        Self {
            integers,
            symbols,
            global: global || symbols,
            first: if integers { INTEGERS } else { 0 },
            agents: program.agent_names.iter().map(|it| names.unique(&format!("agent_{it}"))).collect(),
            roles: program.roles.iter().map(|it| names.unique(&format!("role_{it}"))).collect(),
            constants: program.names.iter().map(|it| names.unique(&format!("name_{it}"))).collect(),
            texts: (1..=program.texts.len()).map(|it| names.unique(&format!("text_{it}"))).collect(),
            arguments: program.performatives.iter().map(|it| it.arity).max().unwrap_or(0),
            performatives,
            role_column: needs_role(program, flow),
            comparisons: compared.iter().map(Vec::len).max().unwrap_or(0),
            compared,
        }
    }

    /// The expression for a constant.
    pub(crate) fn constant(&self, value: Value) -> Expr {
        match value {
            Value::Integer(number) => Expr::Number(number),
            Value::Name(id) => Expr::name(&self.constants[id.index()]),
            Value::Text(id) => Expr::name(&self.texts[id.index()]),
            Value::Agent(id) => Expr::name(&self.agents[id.index()]),
            Value::Role(id) => Expr::name(&self.roles[id.index()]),
            Value::Abstract(_) | Value::Fresh(_) => unreachable!("no text writes them"),
        }
    }

    /// The names and numbers of all constants.
    pub(crate) fn definitions(&self, program: &Program) -> Vec<(String, i64)> {
        let values = (0..program.agent_names.len())
            .map(|it| Value::Agent(AgentId::new(it)))
            .chain((0..program.roles.len()).map(|it| Value::Role(RoleId::new(it))))
            .chain((0..program.names.len()).map(|it| Value::Name(NameId::new(it))))
            .chain((0..program.texts.len()).map(|it| Value::Text(TextId::new(it))));
        values.zip(self.first..).map(|(value, number)| (self.constant(value).to_string(), number)).collect()
    }

    /// The number of the first (or only) abstract value.
    pub(crate) fn first_abstract(&self, program: &Program) -> i64 {
        let constants =
            program.agent_names.len() + program.roles.len() + program.names.len() + program.texts.len();
        self.first + constants as i64
    }

    /// The number of the first (or only) fresh value.
    pub(crate) fn first_fresh(&self, program: &Program) -> i64 {
        self.first_abstract(program) + if self.symbols { SYMBOLS } else { 1 }
    }

    /// The Promela type of variables that hold values.
    pub(crate) fn value_type(&self, program: &Program) -> &'static str {
        if self.integers || self.symbols || self.first_fresh(program) > 255 { "int" } else { "byte" }
    }

    /// The condition that a value is an integer; the value must not be abstract.
    pub(crate) fn is_integer(&self, value: Expr) -> Expr {
        if self.integers { Expr::binary(Operator::Less, value, Expr::Number(INTEGERS)) } else { Expr::False }
    }

    /// The number of an agent.
    pub(crate) fn number_of(&self, agent: AgentId) -> i64 {
        self.first + agent.index() as i64
    }

    /// The channel of an agent, its mailbox.
    pub(crate) fn channel(&self, agent: Expr) -> Expr {
        let index = match agent {
            _ if self.first == 0 => agent,
            agent => Expr::binary(Operator::Subtract, agent, Expr::Number(self.first)),
        };
        Expr::element("box", index)
    }

    /// An agent's element of an array over all agents.
    pub(crate) fn of_agent(&self, array: &str, agent: Expr) -> Expr {
        let index = match agent {
            _ if self.first == 0 => agent,
            agent => Expr::binary(Operator::Subtract, agent, Expr::Number(self.first)),
        };
        Expr::element(array, index)
    }

    /// The columns after the performative.
    pub(crate) fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::Sender];
        columns.extend(self.role_column.then_some(Column::Role));
        columns.extend((0..self.arguments).map(Column::Argument));
        if self.symbols {
            columns.extend((0..self.arguments).map(Column::IsAbstract));
        }
        columns.extend((0..self.comparisons).map(Column::Comparison));
        columns
    }

    /// The column of a field in the tuple against which patterns for a performative are matched: the arguments,
    /// then the sender, then its role.
    pub(crate) fn column(&self, program: &Program, performative: PerformativeId, place: usize) -> Column {
        let arity = program.performative(performative).arity;
        match place {
            _ if place < arity => Column::Argument(place),
            _ if place == arity => Column::Sender,
            _ => Column::Role,
        }
    }

    /// The pairs of fields that the sender of a performative compares.
    pub(crate) fn compared(&self, performative: PerformativeId) -> &[(u32, u32)] {
        &self.compared[performative.index()]
    }
}

/// Whether some pattern tests or binds the sender's role where the performative does not determine it.
fn needs_role(program: &Program, flow: &Flow) -> bool {
    program.points.iter().any(|point| {
        let PointKind::Receive { performative, pattern, .. } = &point.kind else { return false };
        let role = program.performative(*performative).arity as u32 + 1;
        pattern.bindings.iter().any(|&(place, _)| place == role)
            || pattern.tests.iter().any(|test| match *test {
                Test::Operand(place, Operand::Constant(Value::Role(wanted))) if place == role => {
                    flow.senders(*performative).iter().any(|&sender| sender != wanted)
                }
                Test::Operand(place, Operand::Constant(_)) if place == role => false,
                Test::Operand(place, _) => place == role,
                Test::Same(..) => false,
            })
    })
}
